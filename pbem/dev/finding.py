"""What comes of one observable of a case, and how it is found."""

from typing import Any, NamedTuple

from pbem.dev.given import NotKnown
from pbem.dev.when import Driver

NOBODY = (None, "none", "nobody", "uncontrolled", "")


class Finding(NamedTuple):
    """What came of one observable: met, not met, or nothing that can be judged."""

    met: bool | None
    text: str


def same(name: str, wanted: Any, found: Any) -> Finding:
    return Finding(wanted == found, f"{name}: wanted {wanted}, found {found}")


def last_event(run: Driver, key: str, **facts: Any) -> dict[str, Any]:
    """The last event of a kind, if it was told."""
    found = [event.facts for event in run.game.events
             if event.key == key and all(event.facts[name] == value for name, value in facts.items())]
    if not found:
        raise NotKnown(f"no {key} was told")
    return found[-1]
