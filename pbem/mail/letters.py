"""Letters: a desk and a reader become a mail. Each is made from what that reader may see, never cut out of a fuller one."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pbem.base.language import PLAIN, fill
from pbem.desk import ahead, filing, showing, standing
from pbem.desk.desk import Desk
from pbem.desk.submission import Outcome
from pbem.desk.tray import FLEEING
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import issue, title, token_now
from pbem.mail.outbox import CONFIRM, Item, Letter, Reader, addressed
from pbem.mail.sentences import mailed
from pbem.telling.words import Words

# --- the parts of a mail -----------------------------------------------------------------------------------------------


def footer(desk: MailDesk, said: Words, token: str = "") -> str:
    """The head of the log, and what brings an answer home."""
    entries, head = len(desk.game.entries), desk.game.heads()[-1]
    lines = [desk.once(("head", said), lambda: mailed(said, "head", entries=entries, head=head))]
    if token:
        lines.append(mailed(said, "reference", token=token))
    return "\n".join(["", "-- ", *(fill(line) for line in lines)])


def own_lines(desk: MailDesk, said: Words, seat: str) -> list[str]:
    """What became of what this seat had sent, which is told once; and what of its own orders still waits."""
    told: list[str] = [fill(one) for one in showing.news(desk, seat)]
    desk.tray.told(seat)
    if cards := filing.to_file(desk.match, desk.tray, seat):
        told.append(fill(mailed(said, "cards_to_file", cards=cards)))
    for one in ahead.coming(desk.match.g, desk.match.question):
        if one.seat == seat and not desk.asks(seat) and not desk.waiting(seat):
            told.append(fill(mailed(said, "you_are_next", kind=one.kind)))
    if any(one.kind != FLEEING for one in standing.of(desk.tray, seat)):
        told.append("\n".join([fill(said.phrase("standing_list")), *standing.listed(desk, seat, said)]))
    if lines := desk.waiting(seat):
        told.append(fill(mailed(said, "held_lines" if desk.is_held(seat) else "kept_lines", lines=lines)))
    return told


def question_body(desk: MailDesk, seat: str) -> str:
    """The open question without its subject; that this seat has seen it is kept."""
    asked = desk.match.question
    if asked is not None and desk.asks(seat):
        desk.mail.shown[seat] = desk.open_as
    return desk.once(("question", seat), lambda: showing.question_text(desk, seat).partition("\n\n")[2])


def answered(desk: MailDesk, said: Words, seat: str) -> list[str]:
    """That the open question has an answer of this seat already, given in advance."""
    asked = desk.match.question
    text = desk.sealed(asked).get(seat) if asked is not None and asked.sealed else None
    return [fill(mailed(said, "already_answered", text=text))] if text is not None else []


def welcome(desk: MailDesk, said: Words, seat: str) -> list[str]:
    """The first mail says what this is, who plays, how to answer and where help is; it is said once."""
    if seat in desk.mail.welcomed:
        return []
    desk.mail.welcomed.append(seat)
    players = [said.player(one) for one in desk.match.seats]
    return [*(fill(mailed(said, f"welcome_{part}", title=title(desk), seat=seat, players=players))
              for part in ("what", "how", "help")), ""]


def awaited(desk: MailDesk, seat: str) -> str:
    """Who is awaited until when, for this reader."""
    return desk.once(("awaited", seat), lambda: fill(showing.waits(desk, showing.words(desk, seat))))


def what_is_open(desk: MailDesk, seat: str) -> str:
    question = showing.seen(desk, seat)["question"]
    return str(showing.words(desk, seat).waiting(question)) if question else ""


# --- what is told unasked ----------------------------------------------------------------------------------------------


def question(desk: MailDesk, config: Config, seat: str) -> list[Item]:
    """What a seat is asked."""
    asked = desk.match.question
    assert asked is not None
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    text = "\n".join([*welcome(desk, said, seat), question_body(desk, seat), *answered(desk, said, seat),
                      *own_lines(desk, said, seat), footer(desk, said, token)])
    subject = mailed(said, "subject_question", title=title(desk), window=asked.id, what=what_is_open(desk, seat))
    name = f"{desk.open_as}-{sitter(desk, seat)}"
    return to_all(desk, config, seat, Letter("question", name, subject, text, token, desk.open_as))


def invitation(desk: MailDesk, config: Config, seat: str) -> list[Item]:
    """Before the first entry: who answers shows that mail reaches him; where the program deals, the promises and a word."""
    from pbem.desk import seeding

    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    parts = welcome(desk, said, seat)
    if (desk.game.header.get("chance") or {}).get("deck"):
        parts += [showing.promise(seeding.post(desk.place), said), "", fill(mailed(said, "word_wanted"))]
    text = "\n".join([*parts, footer(desk, said, token)])
    subject = mailed(said, "subject_answer", title=title(desk), what=mailed(said, "invitation"))
    return to_all(desk, config, seat, Letter("question", f"invitation-{sitter(desk, seat)}", subject, text, token))


def reminder(desk: MailDesk, config: Config, seat: str) -> list[Item]:
    asked = desk.match.question
    assert asked is not None
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    text = "\n".join([mailed(said, "reminder"), "", question_body(desk, seat), footer(desk, said, token)])
    subject = mailed(said, "subject_reminder", title=title(desk), window=asked.id, what=what_is_open(desk, seat))
    return to_all(desk, config, seat, Letter("reminder", reminder_name(desk, seat), subject, text, token, desk.open_as))


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
    parts = [*welcome(desk, said, seat), showing.report(desk, seat, since, "text")]
    if press:
        parts += [mailed(said, "press_heading"), "", *press]
    text = "\n".join([*parts, *answered(desk, said, seat), *own_lines(desk, said, seat),
                      *showing.hand_proof(desk, seat, since), footer(desk, said, token)])
    asked = desk.match.question
    window = asked.id if asked is not None and desk.asks(seat) else ""
    subject = mailed(said, "subject_question" if window else "subject_report", title=title(desk), window=window,
                     what=what_is_open(desk, seat) or said.phrase("nobody_awaited"))
    numbers = desk.mail.reports
    numbers[seat] = numbers.get(seat, 0) + 1
    return to_all(desk, config, seat, Letter("report", f"{numbers[seat]}-{seat}", subject, text, token,
                                             desk.open_as if window else "", entries=len(desk.game.entries)))


def public_report(desk: MailDesk, config: Config, address: str, since: int) -> Item:
    """What happened, for somebody who plays no seat: made without a look at anything private."""
    published = Desk(desk.place, published=True, now=desk.now)
    said = showing.words(published)
    text = showing.report(published, showing.PUBLIC, since, "text") + footer(desk, said)
    subject = mailed(said, "subject_report", title=title(desk), what=showing.waits(published, said))
    name = f"public-{len(desk.game.entries)}-{hashlib.sha256(address.encode()).hexdigest()[:12]}"
    return addressed(Letter("report", name, subject, text), Reader(address, game=title(desk)), config, desk.now)


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
    answers: Sequence[str]              # to its requests
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
    lines: list[str] = []
    for number, one in enumerate(done.outcomes, 1):
        lines += showing.told_of(said, number, one, became(said, one))
    lines += [fill(note) for note in done.notes]
    for block in showing.came_of(desk, seat, done.since) if done.since else ():
        lines += ["", block]
    lines += [*own_lines(desk, said, seat), ""]
    waits = awaited(desk, seat)
    lines += [part for answer in done.answers for part in (answer, "")]
    if not any(waits in answer for answer in done.answers):     # who asks for the status has just been told
        lines.append(waits)
    if asked is not None and desk.asks(seat):
        due = desk.match.due_of(asked)
        if asked.id == done.answered and any(one.state == "sealed" for one in done.outcomes):
            if due:
                lines.append(fill(mailed(said, "still_open", due=due)))
        elif done.outcomes or not done.answers:
            lines += now_asked(desk, said, seat)
        elif due and asked.default is not None:
            lines.append(fill(mailed(said, "on_silence", due=due, order=said.order(asked.default))))
    wrong = done.failed or any(one.state == "refused" for one in done.outcomes)
    window = desk.window if desk.asks(seat) else ""
    subject = mailed(said, "subject_receipt", title=title(desk), window=window, version=done.version)
    if wrong:
        subject = mailed(said, "failed", said=subject)
    text = "\n".join([*lines, footer(desk, said, token)])
    return to_one(desk, config, sender, Letter("receipt", sender.id, subject, text, token, reply_to=sender.message_id))


def became(said: Words, one: Outcome) -> str:
    """What became of a line. A sealed answer is told the same way whether others have answered or not."""
    if one.state in ("sealed", "prepared"):
        return showing.besides(said, one, mailed(said, f"line_{one.state}", did=showing.meant(one)))
    return showing.became(said, one)


def now_asked(desk: MailDesk, said: Words, seat: str) -> list[str]:
    """The open question, if it is for this seat."""
    asked = desk.match.question
    if asked is None or not desk.asks(seat):
        return []
    return ["", mailed(said, "now_asked", id=asked.id), "", question_body(desk, seat)]


def refusal(desk: MailDesk, config: Config, sender: Sender, kind: str, why: str) -> list[Item]:
    """Why a whole mail does not count, and how things stand; of one `kind` there is one a day."""
    said = showing.words(desk, sender.seat)
    token = token_now(desk, sender.seat)
    parts = [fill(why), "", awaited(desk, sender.seat), *now_asked(desk, said, sender.seat), footer(desk, said, token)]
    return not_counted(desk, config, sender, Letter("receipt", sender.id, "", "\n".join(parts), token, refusal=kind))


def held_for_host(desk: MailDesk, config: Config, sender: Sender) -> list[Item]:
    """To the address on file: a mail in his name is held."""
    said = showing.words(desk, sender.seat)
    token = token_now(desk, sender.seat)
    text = "\n".join([fill(mailed(said, "held_for_host")), "", footer(desk, said, token)])
    return not_counted(desk, config, sender, Letter("receipt", f"held-{sender.id}", "", text, token, refusal="held"))


def not_counted(desk: MailDesk, config: Config, sender: Sender, letter: Letter) -> list[Item]:
    said = showing.words(desk, sender.seat)
    subject = mailed(said, "failed", said=mailed(said, "subject_refused", title=title(desk), window=""))
    return to_one(desk, config, sender, letter._replace(subject=subject, reply_to=sender.message_id))


def confirm(desk: MailDesk, config: Config, sender: Sender, lines: Sequence[str]) -> list[Item]:
    """To the address on file: was this you?"""
    said = showing.words(desk, sender.seat)
    token = issue(desk, sender.seat, f"confirm:{sender.id}")
    shown = [f"    {PLAIN.escape(line)[:200]}" for line in lines[:30]]
    text = "\n".join([fill(mailed(said, "confirm")), "", mailed(said, "confirm_text"), "", *shown, footer(desk, said, token)])
    subject = mailed(said, "subject_confirm", title=title(desk))
    letter = Letter("answer", f"confirm-{sender.id}", subject, text, token, reply_to=sender.message_id, refusal=CONFIRM)
    return to_one(desk, config, sender._replace(address=""), letter)


def where_it_ends(desk: MailDesk, config: Config, sender: Sender, letter: Sequence[str], below: Sequence[str]) -> list[Item]:
    """Do these lines belong to the letter above them? Nobody but its sender knows."""
    said = showing.words(desk, sender.seat)
    token = issue(desk, sender.seat, f"confirm:{sender.id}")

    def shown(lines: Sequence[str]) -> list[str]:
        return [f"    {PLAIN.escape(line)[:200]}".rstrip() for line in lines[:30]]

    text = "\n".join([fill(mailed(said, "cut_asked")), "", *shown(letter), "", mailed(said, "cut_a"), "", *shown(below), "",
                      mailed(said, "cut_b"), "", fill(mailed(said, "cut_how")), footer(desk, said, token)])
    subject = mailed(said, "subject_confirm", title=title(desk))
    made = Letter("answer", f"cut-{sender.id}", subject, text, token, reply_to=sender.message_id)
    return to_one(desk, config, sender, made)


def which_game(games: Sequence[str], named: bool, id: str) -> Letter:
    """To somebody of whose mail nobody knows which game it is for."""
    said = showing.plain_words()
    subject = mailed(said, "failed", said=mailed(said, "subject_which"))
    text = mailed(said, "several_games" if named else "which_game", games=list(games))
    return Letter("receipt", id, subject, f"{text}\n", refusal="several_games" if named else "which_game")


# --- to whom it goes ---------------------------------------------------------------------------------------------------


def notice(config: Config, now: datetime, letter: Letter) -> list[Item]:
    """For the moderator, if he wants mail."""
    return [addressed(letter, Reader(config.moderator), config, now)] if config.moderator else []


def for_the_moderator(name: str, key: str, commands: Sequence[str] = (), **facts: Any) -> Letter:
    """What happened, and the commands that go on from there."""
    said = showing.plain_words()
    subject = mailed(said, "subject_notice", what=mailed(said, f"notice_{key}", **facts))
    text = "\n".join([fill(mailed(said, f"notice_text_{key}", **facts)), *(["", *commands] if commands else []), ""])
    return Letter("notice", name, subject, text)


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
