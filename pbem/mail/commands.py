"""What a player may ask of the program by mail, besides giving orders: one line, one answer.

A line is a request when its first word is one of `COMMANDS`; everything else is for the order parser.
"""

import re
from collections.abc import Callable
from datetime import timedelta

from pbem.base import clock
from pbem.base.errors import PbemError
from pbem.base.language import fill
from pbem.desk import showing
from pbem.desk.tray import SeatSettings
from pbem.mail import outbox, parts, press, reading
from pbem.mail.letters import awaited
from pbem.mail.request import NotMet, Request
from pbem.mail.sentences import mailed
from pbem.telling import views

HOW_OFTEN = {"daily": "digest", "digest": "digest", "once a day": "digest", "at once": "immediate", "now": "immediate",
             "immediately": "immediate", "immediate": "immediate"}
LONGEST_ABSENCE = timedelta(days=60)


Answer = Callable[[Request, str], str]


def status(ask: Request, rest: str) -> str:
    """Who is awaited until when, and how everybody stands."""
    totals = ask.desk.once(("totals", ask.seat), lambda: fill(ask.said.phrase(
        "totals", standings=views.standings(ask.desk.match.g))))
    return "\n".join([awaited(ask.desk, ask.seat), totals])


def resend(ask: Request, rest: str) -> str:
    """The last question or report once more."""
    out = outbox.of_game(ask.desk.place)
    last = [one for one in [*out.past(), *out.unsent()] if one.seat == ask.seat and one.kind in ("report", "question")]
    if not last:
        return mailed(ask.said, "nothing_sent")
    return f"{mailed(ask.said, 'resent')}\n\n{last[-1].text.rpartition(chr(10) + '-- ')[0]}"


def history(ask: Request, rest: str) -> str:
    """What happened: from an entry on, or since the present player turn began."""
    first = rest.split()[:1]
    since = int(first[0]) if first and first[0].isdecimal() else None
    return ask.desk.once(("history", ask.seat, since), lambda: showing.report(ask.desk, ask.seat, since, "text"))


def hand(ask: Request, rest: str) -> str:
    """The cards this seat holds."""
    secret = ask.desk.match.g.secret
    if secret is None:
        return mailed(ask.said, "hand_unknown")
    cards = [ask.said.phrase("hand_card", card=card) for card in secret.hand(ask.seat)]
    if not cards:
        return mailed(ask.said, "hand_empty")
    return "\n".join([fill(mailed(ask.said, "hand", cards=cards)), *showing.hand_proof(ask.desk, ask.seat)])


def options(ask: Request, rest: str) -> str:
    """What this seat may answer now."""
    return showing.question_text(ask.desk, ask.seat)


def check(ask: Request, rest: str) -> str:
    """What the orders behind the word and below it would do, as far as it can be known."""
    if not rest.strip():
        raise NotMet(mailed(ask.said, "unknown_check"))
    lines: list[str] = [mailed(ask.said, "tried")]
    for number, one in enumerate(ask.desk.dry_run(ask.seat, rest.replace(";", "\n")), 1):
        lines += showing.told_of(ask.said, number, one, showing.became(ask.said, one))
    return "\n".join(lines)


def absent(ask: Request, rest: str) -> str:
    """Days on which no new deadline falls for this seat. It is public, for deadlines are; running ones stay."""
    words = rest.replace("from ", " ").replace(" to ", " ").replace(" until ", " ").replace("..", " ").split()
    try:
        first, last = clock.day(words[0]), clock.day(words[-1])
    except (ValueError, IndexError):
        raise NotMet(mailed(ask.said, "absent_unread")) from None
    if last < first or last < ask.desk.now.date():
        raise NotMet(mailed(ask.said, "absent_unread"))
    if last - first > LONGEST_ABSENCE:
        raise NotMet(mailed(ask.said, "absent_long"))
    spans = ask.desk.tray.absences.setdefault(ask.seat, [])
    span = (first.isoformat(), last.isoformat())
    if span not in spans:
        spans.append(span)
        ask.desk.enter({"note": str(mailed(ask.said, "absent_note", seat=ask.seat, first=span[0], last=span[1]))})
    return fill(mailed(ask.said, "absent", first=span[0], last=span[1]))


def file(ask: Request, rest: str) -> str:
    """Put a card aside for a moment to come: `file battle at Lamia: play 54 as surprise`; `file back 1`; `file` lists."""
    from pbem.desk import filing

    words = rest.split()
    if words[:1] == ["back"] and words[1:] and words[1].isdecimal():
        ask.desk.unfile(ask.seat, int(words[1]))
    elif words:
        ask.desk.file(ask.seat, rest)
    filed = filing.of(ask.desk.tray, ask.seat)
    lines = [f"{number}  {one.trigger}: {one.text}" for number, one in enumerate(filed, 1)]
    return "\n".join([mailed(ask.said, "filed", count=len(lines)), *lines])


def reserve(ask: Request, rest: str) -> str:
    """`reserve battle, sea`: to be asked for cards at these moments, which everybody hears; `reserve nothing`; `reserve`."""
    words = rest.casefold().replace(",", " ").replace(" and ", " ").strip(" .!").split()
    if words:
        ask.desk.reserve(ask.seat, [] if words in (["nothing"], ["none"]) else words)
    return fill(mailed(ask.said, "reserved_moments", moments=list(ask.desk.match.reserved.get(ask.seat, ()))))


def word(ask: Request, rest: str) -> str:
    """A player's share of the chance, before the first entry."""
    from pbem.desk import seeding

    seeding.word(ask.desk.place, ask.seat, rest.strip())
    ask.desk.reread()
    return fill(mailed(ask.said, "word_taken", word=rest.strip()))


def observe(ask: Request, rest: str) -> str:
    """Public reports for somebody else: the moderator decides."""
    address = rest.strip().strip("<>").casefold()
    if address == "stop":
        address = ask.sender.address.casefold()
        ask.desk.tray.observers = [one for one in ask.desk.tray.observers if one.casefold() != address]
        return fill(mailed(ask.said, "observer_gone", address=address))
    if not parts.is_address(address):
        raise NotMet(mailed(ask.said, "observer_unread"))
    if address not in ask.desk.mail.observers_asked:
        ask.desk.mail.observers_asked.append(address)
    return fill(mailed(ask.said, "observer_asked", address=address))


def reports(ask: Request, rest: str) -> str:
    """`reports daily` or `reports at once`."""
    how = HOW_OFTEN.get(rest.strip(" .!").casefold())
    if how is None:
        raise NotMet(mailed(ask.said, "reports_unread"))
    ask.desk.tray.settings[ask.seat] = SeatSettings(reports=how)
    return mailed(ask.said, "reports_set", how=how)


COMMANDS: dict[str, Answer] = {
    "status": status, "resend": resend, "history": history, "hand": hand, "options": options, "check": check,
    "absent": absent, "file": file, "reserve": reserve, "press": press.write, "word": word, "observe": observe,
    "reports": reports,
}
BARE = frozenset(("status", "resend", "hand", "options"))
STANDING = re.compile(r"(?i)\s*standing(?: orders?)?\s*(?::|\Z)")
# What a line says behind its first word that is nothing but a request, where it could be a line of a letter as well.
WHOLE = {"history": r"\d*", "check": r".*", "absent": r".*\d.*", "file": r"|back \d+|.*:.*|\w{2,3}(?: \w+)?",
         "reserve": r"|nothing|none|(?:battle|sea|card|death|defeat|and|[ ,])+", "press": r".{1,100}:.*",
         "word": r".+", "observe": r"stop|\S+@\S+", "reports": "|".join(HOW_OFTEN)}


def command_of(line: str) -> str:
    """The request that a line makes, if it makes one."""
    first, rest = (*line.split(maxsplit=1), "", "")[:2]
    name = first.rstrip(":?!.,").casefold()
    if name not in COMMANDS or (name in BARE and len(rest.split()) > 1):
        return ""
    return name


def is_whole(line: str) -> bool:
    """Is a line a request as it stands, and no sentence that begins like one?"""
    name, rest = command_of(line), line.strip()[len(line.split()[0]):].strip(" .!") if line.strip() else ""
    return bool(name) and re.fullmatch(WHOLE.get(name, ""), rest, re.IGNORECASE) is not None


def could_be_meant(line: str) -> bool:
    """Could a line be for us, where no game is at hand: an order, a request, the end of a letter?"""
    return reading.could_be_order(line) or is_whole(line) or line.strip().casefold() == press.END or bool(STANDING.match(line))


def answer(ask: Request, line: str) -> str:
    """The answer to a line that is a request; what went wrong is an answer too."""
    name = command_of(line)
    rest = line.strip()[len(line.split()[0]):].strip()
    try:
        return COMMANDS[name](ask, rest)
    except PbemError as error:
        ask.failed.append(line)
        return fill(showing.sentence(error, ask.said))
    except NotMet as why:
        ask.failed.append(line)
        return fill(str(why))
