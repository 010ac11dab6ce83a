"""An event: its key, its facts, its audience. An event without an audience cannot be told.

The words are in templates; data/events.yaml has what a sentence may draw on. `ALL` is everybody; any other audience is the
tuple of seats that may know. A fact is an id, a number, a list of ids or a mapping of ids to numbers.
"""

from functools import cache
from typing import Any, NamedTuple

from pbem.base import ready
from pbem.base.paths import data_dir

ALL: tuple[str, ...] = ("*",)


class Event(NamedTuple):
    key: str
    audience: tuple[str, ...]
    facts: dict[str, Any]

    def for_seat(self, seat: str | None) -> bool:
        """May this reader know it? None is the public."""
        return self.audience == ALL or (seat is not None and seat in self.audience)


@cache
def events() -> dict[str, frozenset[str]]:
    """Key -> the facts that it carries."""
    return {key: frozenset((facts or "").split()) for key, facts in ready.contents(data_dir() / "events.yaml").items()}


def event(key: str, audience: tuple[str, ...], facts: dict[str, Any]) -> Event:
    """Make an event, checked against its declaration: a misspelt fact fails where it is told, not in a report."""
    if facts.keys() != events()[key]:
        raise KeyError(f"event {key} wants {sorted(events()[key])}, got {sorted(facts)}")
    return Event(key, audience, facts)
