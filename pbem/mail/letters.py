"""Letters: a desk and a reader become a mail. Each is made from what that reader may see, never cut out of a fuller one."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pbem.base.errors import PbemError, Unknown
from pbem.base.language import PLAIN
from pbem.desk import ahead, answering, filing, posing, showing, standing, standing_words
from pbem.desk.desk import Desk
from pbem.desk.posing import Reply
from pbem.desk.submission import Outcome
from pbem.desk.tray import FLEEING
from pbem.mail import body, maps, outbox
from pbem.mail.body import Piece, together
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import issue, title, token_now
from pbem.mail.outbox import CONFIRM, Item, Letter, Reader, addressed
from pbem.mail.sentences import mailed
from pbem.play.match import CARD_WINDOWS
from pbem.table.state import SEGMENTS
from pbem.telling.words import ORDER_KINDS, Words

# --- the parts of a mail -----------------------------------------------------------------------------------------------


def footer(desk: MailDesk, said: Words, token: str = "", *, head: bool = True) -> str:
    """Below the line under which programs look for a signature: the head of the log, and what brings an answer home."""
    lines = [desk.once(("head", said), lambda: mailed(said, "head", entries=len(desk.game.entries),
                                                      head=desk.game.head()))] if head else []
    if token:
        lines.append(mailed(said, "reference", token=token))
    return "\n".join(["", outbox.SIGNATURE, *lines])


def written(letter: Letter, said: Words, pieces: Iterable[Piece], foot: str) -> Letter:
    """A letter with what it says, as text and as HTML."""
    whole = together(pieces)
    return letter._replace(text=whole.text + "\n" + foot, html=whole.html, language=said.language, pictures=whole.pictures)


def told_for_good(letter: Letter, pieces: Iterable[Piece]) -> Letter:
    """With what of it no later report or question says once more, should it take this one's place."""
    lasting = together(pieces)
    return letter._replace(story=lasting.text, story_html=lasting.html)


def told_once(desk: MailDesk, seat: str) -> list[str]:
    told = answering.news(desk, seat)
    desk.tray.forget_news(seat)
    return told


def still_kept(desk: MailDesk, said: Words, seat: str) -> list[str]:
    told = list[str]()
    if cards := filing.to_file(desk.match, desk.tray, seat):
        told.append(mailed(said, "cards_to_file", cards=cards))
    for one in ahead.coming(desk.match.g, desk.match.question):
        if one.seat == seat and not desk.asks(seat) and not desk.waiting(seat):
            told.append(mailed(said, "you_are_next", kind=one.kind))
    if any(one.kind != FLEEING for one in standing.of(desk.tray, seat)):
        told += [said.phrase("standing_list"), *standing_words.listed(desk, seat, said)]
    if lines := desk.waiting(seat):
        why, (first, *behind) = refused_now(desk, seat, lines[0]), map(said.retold, lines)
        told.append(mailed(said, "refused_line", line=first, why=said.refusal(why), behind=behind) if why is not None else
                    mailed(said, "held_lines" if desk.is_held(seat) else "kept_lines", lines=[first, *behind]))
    return told


def refused_now(desk: MailDesk, seat: str, line: str) -> PbemError | None:
    """Why the next of the lines that wait cannot be played, or answer the window that is open: they were looked at. None where
    it could, where only dice can tell, and where it is for another moment."""
    question = desk.match.question
    if question is None or not desk.asks(seat) or seat in desk.sealed(question):
        return None
    if not desk.is_held(seat) if question.kind in SEGMENTS else desk.is_for_later(seat, line):
        return None
    error = desk.dry_run(seat, line)[0].error
    return None if isinstance(error, Unknown) else error


def reply(desk: MailDesk, config: Config, said: Words, seat: str, token: str) -> Reply:
    """The address of a link that answers what this seat is asked."""
    return body.link(config.plus(token), subject_asked(desk, said, seat), mailed(said, "reference", token=token))


def question_body(desk: MailDesk, config: Config, said: Words, seat: str, token: str) -> Piece:
    """The open question; that this seat has seen it is kept."""
    if not desk.asks(seat):
        return body.NOTHING
    desk.mail.shown[seat] = desk.open_as
    asked = desk.once(("question", seat, token), lambda: body.question(
        desk, seat, faced(desk, seat), reply(desk, config, said, seat, token)))
    return together([asked, way_to_the_page(desk, config, said)])


def way_to_the_page(desk: MailDesk, config: Config, said: Words) -> Piece:
    """Where the game lies as a page, with its order desk."""
    address = config.page(str(desk.game.header["game"]))
    return body.piece_of(*([mailed(said, "page", address=address)] if address else []))


def answered(desk: MailDesk, said: Words, seat: str) -> Piece:
    """That the open question has an answer of this seat already, given in advance."""
    asked = desk.match.question
    text = desk.sealed(asked).get(seat) if asked is not None else None
    return body.piece_of(*([mailed(said, "already_answered", text=said.retold(text))] if text is not None else []))


def is_new(desk: MailDesk, seat: str) -> bool:
    """Nobody has been written to yet on this seat: the player's guide goes with the first mail."""
    return seat not in desk.mail.welcomed


def welcome(desk: MailDesk, said: Words, seat: str) -> Piece:
    """The first mail says in five lines what this is, who plays, how to answer and where help is; it is said once."""
    if not is_new(desk, seat):
        return body.NOTHING
    desk.mail.welcomed.append(seat)
    players = [said.player(one) for one in desk.match.seats]
    return body.apart(body.piece_of(*(mailed(said, f"welcome_{part}", title=title(desk), seat=seat, players=players)
                                  for part in ("what", "who", "how", "help", "spam"))))


def awaited(desk: MailDesk, seat: str) -> str:
    """Who is awaited until when, for this reader."""
    return desk.once(("awaited", seat), lambda: posing.waits(desk, showing.words(desk, seat)))


# --- subjects: what the reader has to do, or that he has nothing to do -------------------------------------------------


def faced(desk: MailDesk, seat: str) -> dict[str, Any]:
    """What a seat that is asked has to see of the game."""
    return desk.once(("faced", seat), lambda: showing.faced(desk, seat))


def subject_asked(desk: MailDesk, said: Words, seat: str) -> str:
    """It is his move, or he is to answer."""
    question = faced(desk, seat)["question"]
    return mailed(said, "subject_turn" if question["kind"] in ORDER_KINDS else "subject_question", title=title(desk),
                  window=question["id"], what=said.waiting(question), due=question["due"])


def has_answered(desk: MailDesk, seat: str) -> bool:
    """He is asked, and his answer lies here: sent, filed or standing."""
    asked = desk.match.question
    return asked is not None and seat in desk.sealed(asked)


def subject_of(desk: MailDesk, said: Words, seat: str) -> str:
    """What he has to do, if he has. Of a card window it is the same whatever he has put aside: the outbox shows subjects."""
    asked = desk.match.question
    if has_answered(desk, seat) and asked is not None and asked.kind not in CARD_WINDOWS:
        question = faced(desk, seat)["question"]
        return mailed(said, "subject_answered", title=title(desk), window=question["id"], what=said.waiting(question))
    return subject_asked(desk, said, seat) if desk.asks(seat) else subject_told(desk, said, seat)


def subject_told(desk: Desk, said: Words, reader: str) -> str:
    """What is open for others, or that the game is over."""
    view = showing.seen(desk, reader)
    name = str(desk.game.header["game"])
    if view["over"]:
        return mailed(said, "subject_over", title=name)
    question = view["question"]
    sides = list(question["sides"]) if question else []
    return mailed(said, "subject_report", title=name, sides=sides, what=said.waiting(question) if question else "")


# --- what is told unasked ----------------------------------------------------------------------------------------------


def question(desk: MailDesk, config: Config, seat: str) -> list[Item]:
    """What a seat is asked."""
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    name = f"{desk.open_as}-{sitter(desk, seat)}"
    letter = Letter("question", name, subject_of(desk, said, seat), "", token, desk.open_as, guide=is_new(desk, seat))
    greeting, once = welcome(desk, said, seat), body.piece_of(*told_once(desk, seat))
    return to_all(desk, config, seat, told_for_good(written(letter, said, [
        greeting, question_body(desk, config, said, seat, token), answered(desk, said, seat), once,
        body.piece_of(*still_kept(desk, said, seat))], footer(desk, said, token)), [greeting, once]))


def invitation(desk: MailDesk, config: Config, seat: str) -> list[Item]:
    """Before the first entry: who answers shows that mail reaches him; where the program deals, the promises and a word."""
    from pbem.desk import seeding

    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    subject = mailed(said, "subject_answer", title=title(desk), what=mailed(said, "invitation"))
    letter = Letter("question", f"invitation-{sitter(desk, seat)}", subject, "", token, guide=is_new(desk, seat))
    pieces = [greeting := welcome(desk, said, seat)]
    if (desk.game.header.get("chance") or {}).get("deck"):
        promise = showing.promise(seeding.post(desk.place), said)
        pieces += [Piece(promise, body.paragraphs(promise)), body.EMPTY, body.piece_of(mailed(said, "word_wanted"))]
    return to_all(desk, config, seat, told_for_good(written(letter, said, pieces, footer(desk, said, token)), [greeting]))


def reminder(desk: MailDesk, config: Config, seat: str) -> list[Item]:
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    subject = mailed(said, "subject_reminder", said=subject_asked(desk, said, seat))
    letter = Letter("reminder", reminder_name(desk, seat), subject, "", token, desk.open_as)
    alone = desk.match.question is not None and not desk.match.question.sealed      # who has answered a poll nobody is told
    return to_all(desk, config, seat, written(letter, said, [
        body.piece_of(mailed(said, "reminder", alone=alone)), body.EMPTY, question_body(desk, config, said, seat, token)],
        footer(desk, said, token)))


def sitter(desk: MailDesk, seat: str) -> str:
    """A seat, and the how manieth person on it: who is new there is told what the one before was told."""
    number = desk.mail.people.get(seat, 0)
    return f"{seat}~{number}" if number else seat


def reminder_name(desk: MailDesk, seat: str) -> str:
    """There is one for each deadline."""
    return f"{desk.window}~{desk.open_as.partition('~')[2]}-{sitter(desk, seat)}"


def report(desk: MailDesk, config: Config, seat: str, since: int, press: Sequence[str] = ()) -> list[Item]:
    """What happened since this seat's last report; its question with it, if it is asked."""
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    asked, new = desk.asks(seat), is_new(desk, seat)
    board = maps.in_report(desk, config, said, seat, since)
    greeting, once, letters = welcome(desk, said, seat), body.piece_of(*told_once(desk, seat)), gathered(said, press)
    proofs = [body.piece_of(*answering.hand_proof(desk, seat, since)), body.piece_of(*answering.turn_proof(desk, seat, since))]
    pieces = [greeting, body.report(desk, seat, since, reply(desk, config, said, seat, token) if asked else None,
                                    numbered=bool(board.pictures)), board, way_to_the_page(desk, config, said), *letters]
    numbers = desk.mail.reports
    numbers[seat] = numbers.get(seat, 0) + 1
    letter = Letter("report", f"{numbers[seat]}-{seat}", subject_of(desk, said, seat), "", token, desk.open_as if asked else "",
                    entries=len(desk.game.entries), guide=new)
    whole = written(letter, said, [*pieces, answered(desk, said, seat), once, body.piece_of(*still_kept(desk, said, seat)),
                                   *proofs], footer(desk, said, token, head=False))
    return to_all(desk, config, seat, told_for_good(whole, [
        greeting, body.story(desk, seat, since), *letters, body.apart(once), *proofs]))


def gathered(said: Words, press: Sequence[str]) -> list[Piece]:
    """The letters that waited for this report."""
    return [body.heading(mailed(said, "press_heading")), body.piece_of("", *press)] if press else []


def public_report(desk: MailDesk, config: Config, address: str, since: int) -> Item:
    """What happened, for somebody who plays no seat: made without a look at anything private."""
    published = Desk(desk.place, published=True, now=desk.now)
    said = showing.words(published)
    name = f"public-{len(desk.game.entries)}-{hashlib.sha256(address.encode()).hexdigest()[:12]}"
    proof = body.piece_of(*answering.turn_proof(published, showing.PUBLIC, since))
    letter = written(Letter("report", name, subject_told(published, said, showing.PUBLIC), ""), said,
                     [body.report(published, showing.PUBLIC, since), proof], footer(desk, said))
    letter = told_for_good(letter, [body.story(published, showing.PUBLIC, since), proof])
    return addressed(letter, Reader(address, game=title(desk)), config, desk.now)


# --- what answers a mail -----------------------------------------------------------------------------------------------


class Sender(NamedTuple):
    """Who is answered: a seat, the address it wrote from, and its mail with its Message-ID."""

    seat: str
    id: str
    address: str = ""
    message_id: str = ""


class Done(NamedTuple):
    """What a mail did, line by line, and what its sender should know besides."""

    outcomes: Sequence[Outcome]
    answers: Sequence[Piece]            # to its requests
    notes: Sequence[str]
    version: int                        # of the orders for this question
    answered: str                       # the question that was open before
    failed: bool                        # some request could not be met, or there was nothing in it
    since: int                          # the first entry that is news because of it


def receipt(desk: MailDesk, config: Config, sender: Sender, done: Done) -> list[Item]:
    """Each line with what became of it, what was cut, until when it may be changed, what silence means."""
    seat = sender.seat
    said = showing.words(desk, seat)
    asked = desk.match.question
    token = token_now(desk, seat)
    story = body.story(desk, seat, done.since) if done.since else body.NOTHING
    pieces = [body.outcomes(said, [(one, became(said, one)) for one in done.outcomes]), body.piece_of(*done.notes),
              body.piece_of(*told_once(desk, seat)), *map(body.apart, done.answers)]
    asks: list[Piece] = []
    below = [body.apart(story), body.piece_of(*still_kept(desk, said, seat)), body.EMPTY]      # a report tells all this too
    waits = awaited(desk, seat)
    if not any(waits in answer.text for answer in done.answers):    # who asks for the status has just been told
        below.append(body.piece_of(waits))
    if asked is not None and desk.asks(seat):
        due = desk.match.told_due(asked)
        if asked.id == done.answered and any(one.state == "sealed" for one in done.outcomes):
            if due:
                pieces.append(body.piece_of(mailed(said, "still_open", due=due)))
        elif done.outcomes or not done.answers:
            asks = now_asked(desk, config, said, seat, token)
            below += asks
        elif has_answered(desk, seat):
            below.append(answered(desk, said, seat))
        elif due and (silence := asked.silence(seat)) is not None:
            below.append(body.piece_of(mailed(said, "on_silence", due=due, order=said.order(silence))))
    wrong = done.failed or any(one.state == "refused" for one in done.outcomes)
    window = desk.window if desk.asks(seat) else ""
    subject = mailed(said, "subject_receipt", title=title(desk), window=window, version=done.version,
                     said=still_to_do(desk, said, seat))
    if wrong:
        subject = mailed(said, "failed", said=subject)
    letter = Letter("receipt", sender.id, subject, "", token, desk.open_as if asks else "", sender.message_id, failed=wrong,
                    moved=any(one.state == "done" for one in done.outcomes))
    told = together(below)
    mail = written(letter, said, [*pieces, body.EMPTY, told, body.kept(said, done.outcomes)], footer(desk, said, token))
    return to_one(desk, config, sender, mail._replace(story=told.text, story_html=told.html))


def still_to_do(desk: MailDesk, said: Words, seat: str) -> str:
    """What this seat has still to do, if it has."""
    asked = desk.match.question
    if asked is None or not desk.asks(seat) or has_answered(desk, seat):
        return mailed(said, "subject_nothing")
    question = faced(desk, seat)["question"]
    return mailed(said, "subject_open_turn" if asked.kind in ORDER_KINDS else "subject_open", what=said.waiting(question))


def became(said: Words, one: Outcome) -> str:
    """What became of a line. A sealed answer is told the same way whether others have answered or not."""
    if one.state in ("sealed", "prepared"):
        return answering.besides(said, one, mailed(said, f"line_{one.state}", did=answering.meant(said, one)))
    return answering.became(said, one)


def now_asked(desk: MailDesk, config: Config, said: Words, seat: str, token: str) -> list[Piece]:
    """The open question, if it is for this seat."""
    asked = desk.match.question
    if asked is None or not desk.asks(seat):
        return []
    return [body.apart(body.piece_of(mailed(said, "now_asked", id=asked.id))), question_body(desk, config, said, seat, token),
            answered(desk, said, seat)]


def refusal(desk: MailDesk, config: Config, sender: Sender, kind: str, why: str) -> list[Item]:
    """Why a whole mail does not count, and how things stand; of one `kind` there is one a day."""
    said = showing.words(desk, sender.seat)
    token = token_now(desk, sender.seat)
    asks = now_asked(desk, config, said, sender.seat, token)
    letter = Letter("receipt", sender.id, "", "", token, desk.open_as if asks else "", refusal=kind)
    return not_counted(desk, config, sender, written(letter, said, [body.piece_of(why, "", awaited(desk, sender.seat)), *asks],
                                                     footer(desk, said, token)))


def held_for_host(desk: MailDesk, config: Config, sender: Sender) -> list[Item]:
    """To the address on file: a mail in his name is held."""
    said = showing.words(desk, sender.seat)
    token = token_now(desk, sender.seat)
    letter = Letter("receipt", f"held-{sender.id}", "", "", token, refusal="held")
    return not_counted(desk, config, sender, written(letter, said, [body.piece_of(mailed(said, "held_for_host"))],
                                                     footer(desk, said, token)))


def not_counted(desk: MailDesk, config: Config, sender: Sender, letter: Letter) -> list[Item]:
    said = showing.words(desk, sender.seat)
    subject = mailed(said, "failed", said=mailed(said, "subject_refused", title=title(desk), window=""))
    return to_one(desk, config, sender, letter._replace(subject=subject, reply_to=sender.message_id, failed=True))


def confirm(desk: MailDesk, config: Config, sender: Sender, lines: Sequence[str]) -> list[Item]:
    """To the address on file: was this you?"""
    said = showing.words(desk, sender.seat)
    token = issue(desk, sender.seat, f"confirm:{sender.id}")
    shown = [f"    {PLAIN.escape(line)[:200]}" for line in lines[:30]]
    subject = mailed(said, "subject_confirm", title=title(desk))
    letter = Letter("answer", f"confirm-{sender.id}", subject, "", token, reply_to=sender.message_id, refusal=CONFIRM)
    return to_one(desk, config, sender._replace(address=""), written(letter, said, [
        body.piece_of(mailed(said, "confirm"), "", mailed(said, "confirm_text"), "", *shown)], footer(desk, said, token)))


def where_it_ends(desk: MailDesk, config: Config, sender: Sender, letter: Sequence[str], below: Sequence[str]) -> list[Item]:
    """Do these lines belong to the letter above them? Nobody but its sender knows."""
    said = showing.words(desk, sender.seat)
    token = issue(desk, sender.seat, f"confirm:{sender.id}")

    def shown(lines: Sequence[str]) -> list[str]:
        return [f"    {PLAIN.escape(line)[:200]}".rstrip() for line in lines[:30]]

    subject = mailed(said, "subject_confirm", title=title(desk))
    made = Letter("answer", f"cut-{sender.id}", subject, "", token, reply_to=sender.message_id)
    return to_one(desk, config, sender, written(made, said, [
        body.piece_of(mailed(said, "cut_asked"), "", *shown(letter), "", mailed(said, "cut_a"), "", *shown(below), "",
                  mailed(said, "cut_b"), "", mailed(said, "cut_how"))], footer(desk, said, token)))


def which_game(games: Sequence[str], named: bool, id: str) -> Letter:
    """To somebody of whose mail nobody knows which game it is for."""
    said = showing.plain_words()
    subject = mailed(said, "failed", said=mailed(said, "subject_which"))
    text = mailed(said, "several_games" if named else "which_game", games=list(games))
    return Letter("receipt", id, subject, f"{text}\n", refusal="several_games" if named else "which_game",
                  language=said.language)


# --- to whom it goes ---------------------------------------------------------------------------------------------------


def notice(config: Config, now: datetime, letter: Letter) -> list[Item]:
    """For the moderator, if he wants mail."""
    return [addressed(letter, Reader(config.moderator), config, now)] if config.moderator else []


def for_the_moderator(name: str, key: str, commands: Sequence[str] = (), **facts: Any) -> Letter:
    """What happened, and the commands that go on from there."""
    said = showing.plain_words()
    subject = mailed(said, "subject_notice", what=mailed(said, f"notice_{key}", **facts))
    text = "\n".join([mailed(said, f"notice_text_{key}", **facts), *(["", *commands] if commands else []), ""])
    return Letter("notice", name, subject, text, language=said.language)


def to_all(desk: MailDesk, config: Config, seat: str, letter: Letter) -> list[Item]:
    """One mail for each person on a seat."""
    mails = []
    for place, address in enumerate(desk.addresses(seat)):
        own = letter._replace(name=f"{letter.name}-{place}") if place else letter
        mails.append(addressed(own, Reader(address, seat, title(desk)), config, desk.now))
    return mails


def to_one(desk: MailDesk, config: Config, sender: Sender, letter: Letter) -> list[Item]:
    """To the person who wrote, if that address is on file; else to the seat's first."""
    found = desk.addresses(sender.seat)
    known = [one for one in found if one.casefold() == sender.address.casefold()]
    return [addressed(letter, Reader(address, sender.seat, title(desk)), config, desk.now) for address in [*known, *found][:1]]
