"""What a player may ask of the program by mail, besides giving orders: one line, one answer.

A line is a request when its first word is one of `COMMANDS`; everything else is for the order parser.
"""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from pbem.base import clock
from pbem.base.errors import PbemError
from pbem.base.language import fill
from pbem.desk import showing, standing
from pbem.mail import parts, press, quotes
from pbem.mail.desk import MailDesk
from pbem.mail.letters import mailed
from pbem.mail.request import NotMet, Request
from pbem.orders import read_answer, read_line

HOW_OFTEN = {"daily": "digest", "digest": "digest", "once a day": "digest", "at once": "immediate", "now": "immediate",
             "immediately": "immediate", "immediate": "immediate"}
BROKEN = re.compile(r"(?:>|&gt;|[,→⇒➔➙➜➝➞➡⟶»])\s*\Z")      # no order ends like this
MOST_BROKEN = 6                         # lines of one order
LONGEST_ABSENCE = timedelta(days=60)


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
    """What the orders behind the word and below it would do, as far as it can be known."""
    said = showing.words(ask.desk, ask.seat)
    if not rest.strip():
        raise NotMet(mailed(said, "unknown_check"))
    lines: list[str] = [mailed(said, "tried")]
    for number, one in enumerate(ask.desk.dry_run(ask.seat, rest.replace(";", "\n")), 1):
        lines += showing.told_of(said, number, one, showing.became(said, one))
    return "\n".join(lines)


def absent(ask: Request, rest: str) -> str:
    """Days on which no new deadline falls for this seat. It is public, for deadlines are; running ones stay."""
    said = showing.words(ask.desk, ask.seat)
    words = rest.replace("from ", " ").replace(" to ", " ").replace(" until ", " ").replace("..", " ").split()
    try:
        first, last = clock.day(words[0]), clock.day(words[-1])
    except (ValueError, IndexError):
        raise NotMet(mailed(said, "absent_unread")) from None
    if last < first or last < ask.now.date():
        raise NotMet(mailed(said, "absent_unread"))
    if last - first > LONGEST_ABSENCE:
        raise NotMet(mailed(said, "absent_long"))
    spans = ask.desk.private.setdefault("absences", {}).setdefault(ask.seat, [])
    span = [first.isoformat(), last.isoformat()]
    if span not in spans:
        spans.append(span)
        ask.desk.enter({"note": str(mailed(said, "absent_note", seat=ask.seat, first=span[0], last=span[1]))})
    return fill(mailed(said, "absent", first=span[0], last=span[1]))


def file(ask: Request, rest: str) -> str:
    """Put a card aside for a moment to come: `file battle at Lamia: play 54 as surprise`; `file back 1`; `file` lists."""
    from pbem.desk import filing

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
    from pbem.desk import seeding

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
    if not parts.is_address(address):
        raise NotMet(mailed(said, "observer_unread"))
    asked = ask.desk.mail.setdefault("observers_asked", [])
    if address not in asked:
        asked.append(address)
    return fill(mailed(said, "observer_asked", address=address))


def reports(ask: Request, rest: str) -> str:
    """`reports daily` or `reports at once`."""
    said, how = showing.words(ask.desk, ask.seat), HOW_OFTEN.get(rest.strip(" .!").casefold())
    if how is None:
        raise NotMet(mailed(said, "reports_unread"))
    ask.desk.set(ask.seat, reports=how)
    return mailed(said, "reports_set", how=how)


COMMANDS: dict[str, Answer] = {
    "status": status, "resend": resend, "history": history, "hand": hand, "options": options, "check": check,
    "absent": absent, "file": file, "press": press.write, "word": word, "observe": observe, "reports": reports,
}
BARE = frozenset(("status", "resend", "hand", "options"))


def command_of(line: str) -> str:
    """The request that a line makes, if it makes one."""
    first, rest = (*line.split(maxsplit=1), "", "")[:2]
    name = first.rstrip(":?!.,").casefold()
    if name not in COMMANDS or (name in BARE and len(rest.split()) > 1):
        return ""
    return name


def answer(ask: Request, line: str) -> str:
    """The answer to a line that is a request; what went wrong is an answer too."""
    name = command_of(line)
    rest = line.strip()[len(line.split()[0]):].strip()
    try:
        return COMMANDS[name](ask, rest)
    except PbemError as error:
        ask.failed.append(line)
        return fill(showing.sentence(error, showing.words(ask.desk, ask.seat)))
    except NotMet as why:
        ask.failed.append(line)
        return fill(str(why))


# --- which lines are meant ---------------------------------------------------------------------------------------------


class Sorted(NamedTuple):
    """The lines of a mail: requests, orders, and the talk around them."""

    requests: list[str]
    orders: list[str]
    talk: list[str]


def trial(lines: Sequence[str]) -> list[str]:
    """The lines that are only to be tried: up to the next request."""
    end = next((place for place, line in enumerate(lines) if place and command_of(line)), len(lines))
    return list(lines[:end])


def sort(desk: MailDesk, seat: str, lines: Sequence[str]) -> Sorted:
    """Tell requests and orders from greetings. What stands between two orders is never taken for talk."""
    requests: list[str] = []
    rest: list[str] = []
    at = 0
    while at < len(lines):
        name = command_of(lines[at])
        if name in ("press", "check"):              # what stands below belongs to it: nothing of a trial is done
            block = press.block(lines[at:]) if name == "press" else trial(lines[at:])
            requests.append("\n".join(block))
            at += len(block)
            continue
        if name:
            requests.append(lines[at])
        elif lines[at].strip():
            broken = in_one(desk, seat, lines[at:at + MOST_BROKEN])
            rest.append(quotes.as_typed(" ".join(broken)))
            at += len(broken)
            continue
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


def in_one(desk: MailDesk, seat: str, lines: Sequence[str]) -> Sequence[str]:
    """The lines that a mail program made of one order, broken behind an arrow or a comma: where together they are an order."""
    for count in range(1, len(lines)):
        if not BROKEN.search(lines[count - 1]) or not lines[count].strip():
            break
        if command_of(lines[count]) or is_order(desk, seat, quotes.as_typed(lines[count])):
            break
        if not BROKEN.search(lines[count]) and is_order(desk, seat, quotes.as_typed(" ".join(lines[:count + 1]))):
            return lines[:count + 1]
    return lines[:1]


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
    return len(line) < 200 and len(first) > 2 and bool(get_close_matches(first, VERBS, 1, 0.8))
