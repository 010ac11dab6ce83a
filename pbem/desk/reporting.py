"""Reports: what a reader may hear of, from an entry on, as text or plain data."""

from itertools import islice
from typing import Any

from pbem.base.language import wrapped
from pbem.desk.desk import Desk
from pbem.desk.posing import Reply, is_asked, question_text
from pbem.desk.showing import numbered, seen, words
from pbem.table.events import Event

History = list[tuple[int, Event]]
BEGINNINGS = ("turn_began", "phase_began", "player_turn_began")


def last_turn(desk: Desk) -> int:
    """The entry at which the player turn began that ended last."""
    began = list(islice((number for number, event in reversed(desk.match.history) if event.key == "player_turn_began"), 2))
    goes_on = desk.match.g.phase == "strategy" and not desk.match.g.over and began
    return [*began, 1][1 if goes_on else 0]


def since_posted(desk: Desk, posted: int) -> int | None:
    """Where the next report begins: behind the last entry that was posted, if anything has happened since."""
    return posted + 1 if posted and any(event.for_seat(None) for _, event in desk.match.history.since(posted + 1)) else None


def events_for(desk: Desk, reader: str, since: int | None, until: int | None = None) -> list[Event]:
    """The events that a reader may hear of, from an entry on and up to one; if nobody says from where, with the player turn
    that ended last."""
    _, found, start = _found(desk, reader, since, until)
    return [event for _, event in found[start:]]


def heard(desk: Desk, reader: str, since: int | None, until: int | None = None) -> tuple[History, History]:
    """All that a reader may hear of, with the entries that caused it: what was before, as far as telling looks back, and
    what is told."""
    first, found, start = _found(desk, reader, since, until)
    return _for(reader, desk.match.history.up_to(first), until) + found[:start], found[start:]


def _found(desk: Desk, reader: str, since: int | None, until: int | None) -> tuple[int, History, int]:
    """From which entry on, all that he may hear of since then, and where of this begins what is told."""
    first, start = last_turn(desk) if since is None else since, 0
    found = _for(reader, desk.match.history.since(first), until)
    if since is None and first > 1:             # what ended the turn before belongs to that turn
        start = next((place for place, (_, event) in enumerate(found) if event.key in BEGINNINGS), 0)
    return first, found, start


def _for(reader: str, told: History, until: int | None) -> History:
    return [(number, numbered(number, event)) for number, event in told
            if event.for_seat(reader) and (until is None or number <= until)]


def report(desk: Desk, reader: str, since: int | None, fmt: str, *, until: int | None = None, whole: bool = False,
           reply: Reply | None = None, numbered: bool = False) -> str:
    """The report for one reader; `reply` is the address of a link that answers; `numbered` as on a map that goes along."""
    from pbem.telling.changes import numbers
    from pbem.telling.chart import course
    from pbem.telling.report import report as written

    view = seen(desk, reader)
    asked = [question_text(desk, reader, fmt, view, reply)] if is_asked(desk, reader) else []
    before, happened = heard(desk, reader, since, until)
    return written(view, [event for _, event in happened], asked, words(desk, reader), fmt,
                   numbers(happened) if numbered else {},
                   before=[event for _, event in before],
                   since=last_turn(desk) if since is None else since, whole=whole,
                   went=course(desk.match) if desk.match.g.over else ())


def posted(desk: Desk, reader: str, since: int | None, fmt: str, *, until: int | None = None, whole: bool) -> str:
    """The report as it is printed: for a forum in as many posts as it takes."""
    from pbem.telling.formats import posts

    text = report(desk, reader, since, fmt, until=until, whole=whole)
    return "\n\n".join(posts(seen(desk, reader)["title"], text)) if fmt == "bgg" else text


def ledger(desk: Desk, reader: str, since: int | None, until: int | None = None) -> str:
    """Who gained what by which act, a line each; of the present Game Turn, if nobody says from where."""
    from pbem.telling.ledger import ledger as gains

    said = words(desk, reader)
    if since is None:
        since = next((number for number, event in reversed(desk.match.history) if event.key == "turn_began"), 0)
    before, happened = heard(desk, reader, since, until)
    return "\n".join(line for gain in gains([event for _, event in happened], [event for _, event in before])
                     for line in wrapped(said.phrase(
                         "gained", **gain._replace(act=None)._asdict(), did=said.event(gain.act) if gain.act else ""), 2))


def bare_facts(desk: Desk, reader: str, since: int | None, until: int | None = None) -> str:
    """Every event as a bare line: its entry, its key, its facts."""
    return "\n".join(" ".join([str(number), event.key, *(f"{name}={_bare(value)}" for name, value in event.facts.items())])
                     for number, event in heard(desk, reader, since, until)[1])


def _bare(value: object) -> str:
    from json import dumps

    return value if isinstance(value, str) and value.isidentifier() else dumps(
        value._asdict() if hasattr(value, "_asdict") else value, ensure_ascii=False, default=str)


def report_data(desk: Desk, reader: str, since: int | None, until: int | None = None) -> dict[str, Any]:
    """The same for programs: the view, and the events with their facts."""
    said = words(desk, reader)
    return {"view": seen(desk, reader),
            "events": [{"key": event.key, "facts": event.facts, "text": str(said.event(event))}
                       for event in events_for(desk, reader, since, until)]}


def came_of(desk: Desk, reader: str, since: int, fmt: str = "text") -> list[str]:
    """What has happened from an entry on, in the report's own sentences, as far as this reader may know it."""
    from pbem.telling.formats import FORMATS
    from pbem.telling.story import story

    said, form = words(desk, reader), FORMATS[fmt]
    sections = story(events_for(desk, reader, since), said.inked(form.ink), form)
    return [str(block) for section in sections for block in (*([section.heading] if section.heading else []), *section.blocks)]
