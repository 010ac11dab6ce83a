"""Time: when an answer is due, when a window may close, and what a clock that jumps must not set off.

A game states its times in the header: `rules: {deadlines: {default: 48, interception: 36, earliest: 12, grace: 2,
quiet: 22-7, days: mo-fr, remind: 12, regret: 10}}`. All are hours but the regret delay, which is minutes. What a deadline
depends on is public: these numbers, the zones of the seats that are asked, and announced absences.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.base.errors import PbemError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

DEFAULT = 48
DAYS = ("mo", "tu", "we", "th", "fr", "sa", "su")
JUMP = timedelta(days=1)
GAP = timedelta(hours=3)                # polls farther apart than this are an outage of ours
LONGEST = 24 * 90                       # hours looked ahead for a moment that suits everybody
WORDS = frozenset(("default", "earliest", "grace", "quiet", "days", "remind", "regret"))

Span = tuple[date, date]                # from one day to another, both within


def now() -> datetime:
    """The time of the machine; or PBEM_NOW, for trying things out and for examples that print the same every time."""
    told = os.environ.get("PBEM_NOW")
    if not told:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(told)
    except ValueError:
        raise PbemError("no_moment", text=told) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


# --- how moments are written: to the second where something is noted, to the minute where it is a deadline --------


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str) -> datetime:
    return _read(text, "%Y-%m-%dT%H:%M:%SZ")


def _read(text: str, form: str) -> datetime:
    """What we have written is read at once; only what somebody has typed otherwise needs the module that reads any form."""
    with suppress(ValueError):
        if (moment := datetime.fromisoformat(text)).strftime(form) == text:
            return moment.replace(tzinfo=UTC)
    return datetime.strptime(text, form).replace(tzinfo=UTC)


def to_the_minute(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")


def end_of(due: str) -> datetime:
    """When a deadline that stands in a log has passed."""
    return _read(due, "%Y-%m-%dT%H:%MZ")


def later(due: str, minutes: int) -> str:
    """A deadline moved by so many minutes."""
    return to_the_minute(end_of(due) + timedelta(minutes=minutes)) if due else ""


class Times(NamedTuple):
    """The times of a game."""

    hours: Mapping[str, int]
    earliest: int = 0
    grace: int = 0
    quiet: tuple[int, int] | None = None
    days: frozenset[int] = frozenset(range(7))
    remind: int = 12
    regret: int = 0


class Reader(NamedTuple):
    """Somebody who is asked: where he lives and when he is away."""

    zone: str = "UTC"
    away: Sequence[Span] = ()


def times(header: Mapping[str, Any]) -> Times:
    """What the header says."""
    said = header["rules"].get("deadlines") or {}
    hours = {kind: int(value) for kind, value in said.items() if kind not in WORDS}
    hours["default"] = int(said.get("default", DEFAULT))
    quiet = None
    if said.get("quiet"):
        start, _, end = str(said["quiet"]).partition("-")
        quiet = int(start), int(end)
    numbers = {name: int(said[name]) for name in ("earliest", "grace", "remind", "regret") if name in said}
    return Times(hours, quiet=quiet, days=weekdays(str(said.get("days") or "")), **numbers)


def weekdays(text: str) -> frozenset[int]:
    """`mo-fr` or `mo we sa`; nothing said means every day."""
    found: set[int] = set()
    for part in text.replace(",", " ").casefold().split():
        first, _, last = part.partition("-")
        start, end = DAYS.index(first[:2]), DAYS.index((last or first)[:2])
        found |= {day % 7 for day in range(start, end + 1 if end >= start else end + 8)}
    return frozenset(found) or frozenset(range(7))


def zone(name: str) -> "ZoneInfo":
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def due(rules: Times, kind: str, readers: Iterable[Reader], now: datetime) -> datetime:
    """When an answer is due: after the length of its kind, at an hour that suits everybody who is asked.

    Each of them has at least the `earliest` hours of open time; the later one decides.
    """
    asked = list(readers) or [Reader()]
    start = now.astimezone(UTC).replace(minute=now.minute, second=0, microsecond=0)
    length = timedelta(hours=rules.hours.get(kind, rules.hours["default"]))
    end = max(max(_back(one, start) for one in asked) + length, *(_after_open_hours(rules, one, start) for one in asked))
    for _ in range(LONGEST):
        if all(is_open(rules, one, end) for one in asked):
            return end
        end = (end + timedelta(hours=1)).replace(minute=0)
    return end


def is_open(rules: Times, who: Reader, at: datetime) -> bool:
    """May a deadline of this reader fall on this moment?"""
    local = at.astimezone(zone(who.zone))
    return local.weekday() in rules.days and not _is_away(who, local) and not _is_quiet(rules.quiet, local.hour)


def _is_quiet(quiet: tuple[int, int] | None, hour: int) -> bool:
    if quiet is None:
        return False
    start, end = quiet
    return start <= hour < end if start <= end else hour >= start or hour < end


def _is_away(who: Reader, local: datetime) -> bool:
    return any(first <= local.date() <= last for first, last in who.away)


def _back(who: Reader, start: datetime) -> datetime:
    """When somebody who is away at the start is back; the length counts from then."""
    local = start.astimezone(zone(who.zone))
    until = [last for first, last in who.away if first <= local.date() <= last]
    if not until:
        return start
    back = datetime.combine(max(until) + timedelta(days=1), datetime.min.time(), zone(who.zone))
    return back.astimezone(UTC)


def _after_open_hours(rules: Times, who: Reader, start: datetime) -> datetime:
    """The moment at which `earliest` open hours have gone by."""
    at, left = start, rules.earliest
    for _ in range(LONGEST):
        if left <= 0:
            break
        left -= is_open(rules, who, at)
        at += timedelta(hours=1)
    return at


def jumped(before: datetime | None, now: datetime) -> str:
    """Did the clock jump since the last run? Then no deadline fires until somebody has looked."""
    if before is None:
        return ""
    if now < before:
        return "backward"
    return "forward" if now - before > JUMP else ""


def closes_at(rules: Times, end: datetime, back: datetime | None) -> datetime:
    """When deadline and grace are over; polls that we missed add to the grace, for that was not the player's fault."""
    from_here = end if back is None else max(end, back)
    return from_here + timedelta(hours=rules.grace)


def remind_at(rules: Times, asked: datetime, end: datetime) -> datetime:
    """When a reminder goes out: some hours before, but never in the first half of the time."""
    return max(end - timedelta(hours=rules.remind), asked + (end - asked) / 2)


def day(text: str) -> date:
    """A day as people write it: 2026-11-20 or 20.11.2026."""
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"):
        try:
            return datetime.strptime(text.strip(" ."), form).date()
        except ValueError:
            continue
    raise ValueError(text)
