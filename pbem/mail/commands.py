"""What a player may ask of the program by mail, besides giving orders: one line, one answer.

A line is a request when its first word is one of `COMMANDS`; everything else is for the order parser.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem import clock, showing, standing
from pbem.errors import PbemError
from pbem.mail import press
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.letters import mailed
from pbem.mail.outbox import Item, Outbox
from pbem.orders import read_answer, read_line
from pbem.words import fill

LONGEST_ABSENCE = timedelta(days=60)


class Request(NamedTuple):
    """A desk, who asks, and what there is to answer with."""

    desk: MailDesk
    seat: str
    sender: str
    outbox: Outbox
    config: Config
    now: datetime
    id: str
    mails: list[Item]                   # what goes to others because of it


Answer = Callable[[Request, str], str]


def status(ask: Request, rest: str) -> str:
    """Who is awaited until when, and how everybody stands."""
    said = showing.words(ask.desk, ask.seat)
    view = showing.seen(ask.desk, ask.seat)
    return "\n".join([fill(showing.waits(ask.desk, said)), fill(said.phrase("totals", standings=view["standings"]))])


def resend(ask: Request, rest: str) -> str:
    """The last question or report once more."""
    said = showing.words(ask.desk, ask.seat)
    last = [one for one in [*ask.outbox.past(), *ask.outbox.waiting()] if one["seat"] == ask.seat and one["kind"] in (
        "report", "question")]
    if not last:
        return mailed(said, "nothing_sent")
    return f"{mailed(said, 'resent')}\n\n{last[-1]['text'].rpartition(chr(10) + '-- ')[0]}"


def history(ask: Request, rest: str) -> str:
    """What happened: from an entry on, or since the present player turn began."""
    first = rest.split()[:1]
    return showing.report(ask.desk, ask.seat, int(first[0]) if first and first[0].isdecimal() else None, "text")


def hand(ask: Request, rest: str) -> str:
    """The cards this seat holds."""
    said = showing.words(ask.desk, ask.seat)
    secret = ask.desk.match.g.secret
    if secret is None:
        return mailed(said, "hand_unknown")
    cards = [said.phrase("hand_card", card=card) for card in secret.hand(ask.seat)]
    return fill(mailed(said, "hand", cards=cards)) if cards else mailed(said, "hand_empty")


def options(ask: Request, rest: str) -> str:
    """What this seat may answer now."""
    return showing.question_text(ask.desk, ask.seat)


def check(ask: Request, rest: str) -> str:
    """What orders would do, as far as it can be known."""
    if not rest.strip():
        return fill(mailed(showing.words(ask.desk, ask.seat), "unknown_check"))
    return showing.receipt(ask.desk, ask.desk.dry_run(ask.seat, rest.replace(";", "\n")))


def absent(ask: Request, rest: str) -> str:
    """Days on which no new deadline falls for this seat. It is public, for deadlines are; running ones stay."""
    said = showing.words(ask.desk, ask.seat)
    words = rest.replace("from ", " ").replace(" to ", " ").replace(" until ", " ").replace("..", " ").split()
    try:
        first, last = clock.day(words[0]), clock.day(words[-1])
    except (ValueError, IndexError):
        return fill(mailed(said, "absent_unread"))
    if last < first or last < ask.now.date():
        return fill(mailed(said, "absent_unread"))
    if last - first > LONGEST_ABSENCE:
        return fill(mailed(said, "absent_long"))
    spans = ask.desk.private.setdefault("absences", {}).setdefault(ask.seat, [])
    span = [first.isoformat(), last.isoformat()]
    if span not in spans:
        spans.append(span)
        ask.desk.enter({"note": str(mailed(said, "absent_note", seat=ask.seat, first=span[0], last=span[1]))})
    return fill(mailed(said, "absent", first=span[0], last=span[1]))


def file(ask: Request, rest: str) -> str:
    """Put a card aside for a moment to come: `file battle at Lamia: play 54 as surprise`; `file back 1`; `file` lists."""
    from pbem import filing

    words = rest.split()
    if words[:1] == ["back"] and words[1:] and words[1].isdecimal():
        ask.desk.take_back(ask.seat, int(words[1]))
    elif words:
        ask.desk.file(ask.seat, rest)
    filed = filing.of(ask.desk.private, ask.seat)
    lines = [f"{number}  {one['trigger']}: {one['text']}" for number, one in enumerate(filed, 1)]
    return "\n".join([mailed(showing.words(ask.desk, ask.seat), "filed", count=len(lines)), *lines])


def word(ask: Request, rest: str) -> str:
    """A player's share of the chance, before the first entry."""
    from pbem import seeding

    said = showing.words(ask.desk, ask.seat)
    seeding.word(ask.desk.place, ask.seat, rest.strip())
    ask.desk.reread()
    return fill(mailed(said, "word_taken", word=rest.strip()))


def observe(ask: Request, rest: str) -> str:
    """Public reports for somebody else: the moderator decides."""
    said = showing.words(ask.desk, ask.seat)
    address = rest.strip().strip("<>").casefold()
    if address == "stop":
        address = ask.sender.casefold()
        observers = ask.desk.private.get("observers") or []
        ask.desk.private["observers"] = [one for one in observers if one.casefold() != address]
        return fill(mailed(said, "observer_gone", address=address))
    asked = ask.desk.mail.setdefault("observers_asked", [])
    if address and address not in asked and address.count("@") == 1:
        asked.append(address)
    return fill(mailed(said, "observer_asked", address=address))


def reports(ask: Request, rest: str) -> str:
    """`reports daily` or `reports at once`."""
    how = "digest" if rest.strip().casefold() in ("daily", "digest", "once a day") else "immediate"
    ask.desk.set(ask.seat, reports=how)
    return mailed(showing.words(ask.desk, ask.seat), "reports_set", how=how)


COMMANDS: dict[str, Answer] = {
    "status": status, "resend": resend, "history": history, "hand": hand, "options": options, "check": check,
    "absent": absent, "file": file, "press": press.write, "word": word, "observe": observe, "reports": reports,
}
BARE = frozenset(("status", "resend", "hand", "options"))


def command_of(line: str) -> str:
    """The request that a line makes, if it makes one."""
    first, _, rest = line.strip().partition(" ")
    name = first.rstrip(":?!.,").casefold()
    if name not in COMMANDS or (name in BARE and len(rest.split()) > 1):
        return ""
    return name


def answer(ask: Request, line: str) -> str:
    """The answer to a line that is a request; what went wrong is an answer too."""
    name = command_of(line)
    rest = line.strip()[len(line.strip().partition(" ")[0]):].strip()
    try:
        return COMMANDS[name](ask, rest)
    except PbemError as error:
        return fill(showing.sentence(error, showing.words(ask.desk, ask.seat)))


# --- which lines are meant ---------------------------------------------------------------------------------------------


class Sorted(NamedTuple):
    """The lines of a mail: requests, orders, and the talk around them."""

    requests: list[str]
    orders: list[str]
    talk: list[str]


def sort(desk: MailDesk, seat: str, lines: Sequence[str]) -> Sorted:
    """Tell requests and orders from greetings. What stands between two orders is never taken for talk."""
    requests: list[str] = []
    rest: list[str] = []
    at = 0
    while at < len(lines):
        name = command_of(lines[at])
        if name == "press":
            block = press.block(lines[at:])
            requests.append("\n".join(block))
            at += len(block)
            continue
        if name:
            requests.append(lines[at])
        elif lines[at].strip():
            rest.append(lines[at])
        at += 1
    meant = [place for place, line in enumerate(rest) if is_order(desk, seat, line)]
    if not meant:
        near = [line for line in rest if is_meant(desk, line)]
        return Sorted(requests, near, [line for line in rest if line not in near])
    first, last = meant[0], meant[-1]
    while first and is_meant(desk, rest[first - 1]):
        first -= 1
    while last + 1 < len(rest) and is_meant(desk, rest[last + 1]):
        last += 1
    return Sorted(requests, rest[first:last + 1], rest[:first] + rest[last + 1:])


def is_order(desk: MailDesk, seat: str, line: str) -> bool:
    """Can the line be read, as an order or as an answer with its letter?"""
    text = line.strip()
    if standing.body(line) is not None:
        return True
    if desk.asks(seat) and len(text.rstrip(".)!")) == 1 and text[0].isalpha():
        return True
    for read in (read_line, read_answer):
        try:
            if read(text, desk.match.names):
                return True
        except PbemError:
            continue
    return False


def is_meant(desk: MailDesk, line: str) -> bool:
    """It cannot be read, but begins like an order: a slip of the pen, to be told rather than passed over."""
    from difflib import get_close_matches

    from pbem.orders import VERBS

    first = line.strip().split()[0].casefold().strip(":,.!") if line.strip() else ""
    return len(line) < 200 and len(first) > 2 and bool(get_close_matches(first, VERBS, 1, 0.75))
