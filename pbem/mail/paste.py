"""Seats without e-mail: orders out of forum posts, and texts to be pasted into the thread, in BGG markup.

In a post the bold lines outside of quotes are orders; everything else is talk. What such a seat has to be told waits in a list,
split where a post would be too long, until it is ticked off with the number of the post that shows it. A thread is read by
everybody: what depends on a hand goes into a message to its player.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from pbem.base.clock import stamp
from pbem.base.errors import NotNow, PbemError, Refused
from pbem.base.folder import Lock
from pbem.base.language import Safe, clean
from pbem.desk import answering, last_line, posing, reporting, requesting, showing
from pbem.desk import tray as trays
from pbem.desk.desk import Desk
from pbem.desk.submission import Outcome
from pbem.log.gamelog import game_path, language_of
from pbem.mail import maps, outbox, press, requests, speaking
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.ordering import behind_answer, caught_up
from pbem.mail.outbox import Bookmark, Item
from pbem.mail.request import BY_POST, Request
from pbem.mail.sentences import mailed
from pbem.play.match import CARD_WINDOWS
from pbem.table.state import SEGMENTS
from pbem.telling.formats import FORUM, bgg, posts
from pbem.telling.words import Words

FROM_THE_HAND = (*CARD_WINDOWS, "tyche", "reaction_card", "turn_up")     # questions whose offers name cards
THREAD = "thread"                       # where everybody reads
POST = "post"                           # what goes there
ALL = "all"                             # that was listed is ticked off
_TAG = re.compile(r"\[(/?)(q|quote|b|-|s|o|spoiler|c|code)(?:=[^\]\n]{0,100})?\]", re.IGNORECASE)
_STARS = re.compile(r"\*\*(\S|\S.*?\S)\*\*")
_OTHER = re.compile(r"\[/?[a-z*][^\]\n]{0,200}\]", re.IGNORECASE)
_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"')
HIDES = ("q", "quote", "-", "s")        # quoted, or struck out


def orders(post: str) -> list[str]:
    """The bold lines of a post that are not quoted and not struck out, without any markup; stars make bold as well."""
    post = _STARS.sub(r"[b]\1[/b]", post)
    bold, hidden, at = 0, 0, 0
    found: list[str] = []

    def read(text: str) -> None:
        plain = _OTHER.sub("", text)
        found.append(plain if bold > 0 and hidden == 0 else re.sub(r"[^\n]", "", plain))

    for tag in _TAG.finditer(post):
        read(post[at:tag.start()])
        at = tag.end()
        name, step = tag[2].casefold(), -1 if tag[1] else 1
        if name == "b":
            bold = max(0, bold + step)
        elif name in HIDES:
            hidden = max(0, hidden + step)
    read(post[at:])
    return [clean(line).strip() for line in "".join(found).splitlines() if line.strip()]


def order(place: Path, seat: str, number: str, post: str, now: datetime) -> str:
    """Orders of a seat out of a post; the number of the post is their provenance, and the same post counts once. One of which
    something was refused may come again, corrected: what was taken of it is not taken twice."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,40}", number):
        raise PbemError("post_number", number=number)
    via = f"post-{number}"
    folder = game_path(place).parent
    with Lock(folder):
        desk = MailDesk(folder, now=now)
        if seat not in desk.match.seats:
            raise Refused("2", "unknown_seat", seat=seat, known=list(desk.match.seats))
        if f"{seat} {via}" in desk.mail.posts:
            raise NotNow("post_taken", number=number, seat=seat)
        lines = orders(post)
        if not lines:
            raise PbemError("post_empty", number=number)
        before = desk.mail.half.pop(f"{seat} {via}", [])
        lines = rest(lines, before, number)
        behind = last_line.remarks(desk, showing.words(desk), lines)
        asked, lines = apart(desk, seat, lines)
        is_window = desk.match.question is not None and desk.match.question.kind not in SEGMENTS
        own = desk.order(seat, "\n".join(lines), via=via)
        own = behind_answer(desk, seat, own) if is_window else own
        went_on = desk.run()
        own = caught_up(seat, own, went_on)
        done = [one for one in went_on if one.state == "done" and one not in own]   # what else came of others' is theirs
        told = [*((requesting.TAKEN, one) for one in behind), *((way, answer(desk, seat, one, way)) for one, way in asked)]
        if any(one.state == "refused" for one in own):
            desk.mail.half[f"{seat} {via}"] = [*before, *taken(lines, own)]
        else:
            desk.mail.posts.append(f"{seat} {via}")
        receipt = receipts(desk, seat, own + done, told)
        desk.commit()
    return receipt


def taken(lines: Sequence[str], outcomes: Sequence[Outcome]) -> list[str]:
    """The lines of a post of which something has come, as they stand in it: what was made of one may have other words."""
    missed = Counter(one.line for one in outcomes if one.state in ("refused", "unread"))
    return list((Counter(line for line in lines if not line.startswith("#")) - missed).elements())


def rest(lines: Sequence[str], done: Sequence[str], number: str) -> list[str]:
    """The lines of a corrected post that have not been taken; those that were have to stand in it still."""
    left = list(lines)
    for line in done:
        if line not in left:
            raise NotNow("post_otherwise", number=number, lines=list(done))
        left.remove(line)
    return left


def may_be_corrected(place: Path, seat: str, number: str) -> bool:
    """Was some line of this post refused? It may come again under its number."""
    return f"{seat} post-{number}" in trays.read(place).mail.half


def apart(desk: MailDesk, seat: str, lines: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """The requests of a post, with what becomes of each in a thread; and its orders. What stands below a letter is of it."""
    asked: list[tuple[str, str]] = []
    rest: list[str] = []
    at = 0
    while at < len(lines):
        word, count = requesting.split(lines[at])[0], 1
        if word == "press":
            count = press.ends(lines[at:]) or len(lines) - at
        if word:
            asked.append(("\n".join(lines[at:at + count]), requests.way(requests.COMMANDS[word], BY_POST)))
        else:
            rest.append(lines[at])
        at += count
    return asked, rest


def answer(desk: MailDesk, seat: str, line: str, way: str) -> str:
    """The answer to a request of a post: in the thread in the language of the thread."""
    reader = seat if way == requesting.PRIVATE else showing.PUBLIC
    ask = Request(desk, None, Sender(seat, ""), [], [], BY_POST, reader)
    rows = requests.answer(ask, line).text.splitlines()
    was_posted = requesting.split(line)[0] == "resend" and seat in readers(desk)
    return "\n".join(rows if was_posted else as_code(rows))


# --- what is to be pasted ----------------------------------------------------------------------------------------------


def receipts(desk: MailDesk, seat: str, outcomes: Sequence[Outcome], told: Sequence[tuple[str, str]] = ()) -> str:
    """What became of the lines of a post, as an answer to it; of what is sealed the thread learns only that it came.
    `told` are the answers to its requests, each with its way."""
    said, question = showing.words(desk, seat).inked(FORUM), desk.match.question
    asked = question is not None and question.sealed and seat in question.sides
    secret = [one for one in outcomes if one.state in ("sealed", "answered") or asked and one.state in ("refused", "unread")]
    alone = [text for way, text in told if way == requesting.PRIVATE]
    public = "\n\n".join([receipt(desk, outcomes, secret), *(text for way, text in told if way != requesting.PRIVATE)])
    if not secret and not alone:
        return public
    private = "\n\n".join([*([receipt(desk, outcomes, ())] if secret else []), *alone])
    return f"{public}\n\n--- {mailed(said, 'paste_alone', seat=seat)}\n{private}"


def receipt(desk: MailDesk, outcomes: Sequence[Outcome], secret: Sequence[Outcome]) -> str:
    """Each line with what became of it, but for those that are secret."""
    said = showing.words(desk).inked(FORUM)
    rows: list[str] = []
    for number, one in enumerate(outcomes, 1):
        if one in secret:
            rows.append(f"{number}. {mailed(said, 'paste_sealed' if one.state == 'sealed' else 'paste_private')}")
            continue
        became = mailed(said, "line_prepared") if one.state == "prepared" else answering.became(said, one)
        rows += [f"{number}. {FORUM.title(bgg(answering.line_of(said, one)))}", became,
                 *(said.price(remark.key, remark.facts, remark.rule) for remark in one.remarks)]
        if one.receipt is not None:
            rows += as_code([said.phrase("receipt_kept"), *answering.block(one.receipt.plain())])
    return "\n".join([*rows, posing.waits(desk, said)])


def as_code(lines: Sequence[str]) -> list[str]:
    """What a checker reads, up to the next empty line, stands as it is: a forum would take its brackets for markup. Around it
    nothing is markup, and in its words a bracket is written as a checker reads it and a forum does not."""
    at = next((place for place, line in enumerate(lines) if line.startswith('{"')), len(lines))
    end = next((place for place in range(at, len(lines)) if not lines[place]), len(lines))
    block = _WORDS.sub(lambda word: word[0].replace("[", r"\u005b"), "\n".join(lines[at:end]))
    return [*map(bgg, lines[:at]), *([f"[c]{block}[/c]", *as_code(lines[end:])] if block else [])]


def readers(desk: MailDesk) -> list[str]:
    """The seats that read the thread."""
    return [seat for seat, who in desk.match.seats.items() if who.get("channel") == "paste"]


def is_asked(desk: MailDesk, seat: str, before: Mapping[str, Bookmark]) -> bool:
    """Is there a question that this seat has not been shown?"""
    return desk.asks(seat) and before.get(seat, Bookmark()).question != desk.open_as


def post(desk: MailDesk, before: Mapping[str, Bookmark]) -> str:
    """What everybody reads: what happened, and the questions whose answers depend on nobody's hand. Made without secrets."""
    published = Desk(desk.folder, published=True, now=desk.now)
    said = showing.words(published).inked(FORUM)
    question, since = desk.match.question, before.get(THREAD, Bookmark()).entry
    asked = [seat for seat in readers(desk) if is_asked(desk, seat, before)]
    news = speaking.has_news(published, showing.PUBLIC, since) or asked
    parts = [reporting.report(published, showing.PUBLIC, since + 1, "bgg")] if news else []
    if question is not None and question.kind not in FROM_THE_HAND:
        texts: dict[str, list[str]] = {}                    # who is asked the very same reads it once
        for seat in asked:
            texts.setdefault(posing.question_text(published, seat, "bgg"), []).append(seat)
        parts += ["\n".join([*(mailed(said, "paste_asked", seat=seat) for seat in seats), text])
                  for text, seats in texts.items()]
    parts += as_code(answering.turn_proof(published, showing.PUBLIC, since + 1))
    if THREAD not in before:
        parts.insert(0, "\n".join([*welcome(desk, said), ""]))
    return "\n".join(parts)


def welcome(desk: MailDesk, said: Words) -> list[Safe]:
    """The first post says what this is, who plays, how to answer, what is for the moderator alone, and where help is."""
    players = [said.player(one) for one in desk.match.seats]
    return [mailed(said, f"thread_{part}", title=desk.game.header["game"], players=players)
            for part in ("what", "who", "how", "alone", "help")]


def message(desk: MailDesk, seat: str, before: Mapping[str, Bookmark]) -> str:
    """What only this player may read: cards, letters, a question that names what he holds."""
    said, secret = showing.words(desk, seat).inked(FORUM), desk.match.g.secret
    since = before.get(seat, Bookmark()).entry
    own = [str(said.event(event)) for event in reporting.events_for(desk, seat, since + 1) if not event.for_seat(None)]
    question = desk.match.question
    if question is not None and question.kind in FROM_THE_HAND and is_asked(desk, seat, before):
        own.append(posing.question_text(desk, seat, "bgg"))
    if own and secret is not None and (hand := secret.hand(seat)):
        own.append(mailed(said, "hand", cards=[said.phrase("hand_card", card=card) for card in hand]))
        own += as_code(answering.hand_proof(desk, seat, since + 1))
    if parts := [*own, *answering.news(desk, seat), *press.for_reader(desk, seat, quoted)]:
        parts.insert(0, FORUM.strong(addressed(desk, said, seat)))
    return "\n\n".join(part.strip() for part in parts)


def quoted(desk: MailDesk, letter: trays.Letter, reader: str) -> str:
    """A letter between players; in quotes, so that nothing in it is ever read as an order."""
    lines = "\n".join(bgg(line) for line in letter.text.splitlines())
    return f"{press.opening(showing.words(desk, reader).inked(FORUM), letter)}\n[q]{lines}[/q]"


def addressed(desk: MailDesk, said: Words, seat: str) -> Safe:
    """Whose message it is, for the one who sends it."""
    return mailed(said, "paste_subject", game=desk.game.header["game"], seat=seat)


def pending(desk: MailDesk, now: datetime) -> list[Item]:
    """What is to be pasted since the last list: one text for the thread, and one for each who may know more."""
    game, number, before = str(desk.game.header["game"]), len(desk.game.entries), outbox.of_thread(desk.folder).bookmarks()
    found: list[Item] = []
    if not readers(desk):
        return found

    def add(kind: str, seat: str, subject: str, text: str) -> None:
        digest = hashlib.sha256(text.encode()).hexdigest()[:6]
        for part, body in enumerate(posts(subject, text), 1):
            name = outbox.key(kind, seat or THREAD, f"{number}-{part}-{digest}")
            found.append(Item(name, kind, "", subject, body, stamp(now), stamp(now), game=game, seat=seat,
                              entries=number if kind == POST else 0))

    if text := post(desk, before):
        add(POST, "", game, text)
    for seat in readers(desk):
        if text := message(desk, seat, before):
            add("message", seat, addressed(desk, showing.words(desk, seat), seat), text)
    return found


def mark(desk: MailDesk) -> None:
    """What was listed is kept: the next list goes on from here."""
    kept, number = outbox.of_thread(desk.folder), len(desk.game.entries)
    before = kept.bookmarks()
    now = {THREAD: before.get(THREAD, Bookmark())._replace(entry=number)}
    for seat in readers(desk):
        press.delivered(desk, seat)
        desk.tray.forget_news(seat)
        listed = before.get(seat, Bookmark())._replace(entry=number)
        now[seat] = listed._replace(question=desk.open_as) if desk.asks(seat) else listed
    kept.mark(now)


def listed(place: Path, now: datetime) -> str:
    """The to-paste list."""
    folder = game_path(place).parent
    kept = outbox.of_thread(folder)
    with Lock(folder):
        desk = MailDesk(folder, now=now)
        before, new = kept.bookmarks().get(THREAD, Bookmark()).entry, [one for one in pending(desk, now) if kept.put(one)]
        if any(one.kind == POST for one in new) and len(desk.game.entries) > before:
            published = Desk(folder, published=True, now=now)
            maps.laid_down(published, showing.words(published), before + 1, kept.folder)
        mark(desk)
        desk.commit()
    unsent = sorted(kept.unsent(), key=lambda one: (one.made, one.kind != POST, one.key))
    said = showing.words(desk)
    if not unsent:
        return mailed(said, "paste_nothing")
    rows = [f"--- {mailed(said, 'paste_row', name=one.key, seat=one.seat, place=place)}\n{one.text}" for one in unsent]
    pictures = [maps.in_words(said, path) for one in unsent for path in maps.of_entry(kept.folder, one.entries)]
    several = [mailed(said, "paste_all", place=place)] if len(unsent) > 1 else []
    return "\n\n".join([*rows, *pictures, *several])


def tick(place: Path, name: str, number: str) -> str:
    """It stands in the thread now, or all that was listed; with the last part of what everybody is told, so much is posted."""
    kept = outbox.of_thread(place)
    ticked = [one for one in kept.unsent() if name in (one.key, ALL)]
    if not ticked:
        raise PbemError("nothing_to_paste", name=name)
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,40}", number):
        raise PbemError("post_number", number=number)
    for one in ticked:
        kept.change(one._replace(state="sent", post=number))
    told = max((one.entries for one in ticked if one.kind == POST), default=0)
    if told and not any(other.entries <= told for other in kept.unsent() if other.kind == POST):
        with Lock(game_path(place).parent):
            desk = Desk(place)
            desk.mark_posted(max(told, desk.tray.posted))
    said = showing.plain_words(language_of(place))
    return "\n".join(mailed(said, "pasted", name=one.key, number=number) for one in ticked)
