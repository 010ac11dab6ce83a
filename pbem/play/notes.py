"""What a note of the program itself says, as facts: so each reader is told it in his own language, and not in the log's."""

from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Any

from pbem.base import clock

# What each of them says; its sentence is `note_...` of the phrases.
SAYS: Mapping[str, frozenset[str]] = {what: frozenset(facts.split()) for what, facts in {
    "absent": "seat first last", "unreachable": "seat", "looked_at": "seat at", "blind": "seat", "looked": "at",
    "undo_wished": "seat entry reason asked", "undo_agreed": "seat entry yes", "undo_refused": "seat entry reason",
}.items()}


def facts_of(entry: Mapping[str, Any], seats: Collection[str]) -> dict[str, Any]:
    """The facts of a note; none where a person wrote it, or where a sentence could not be made of what stands there."""
    says = entry.get("says")
    if not isinstance(says, Mapping) or frozenset(says) - {"note"} != SAYS.get(str(says.get("note"))):
        return {}
    fits = all(FORMS[key](value, seats) for key, value in says.items() if key != "note")
    return {key: list(value) if isinstance(value, list) else value for key, value in says.items()} if fits else {}


def _reads(read: Callable[[str], Any]) -> Callable[[Any, Collection[str]], bool]:
    """Can it be read so?"""
    def can(value: Any, seats: Collection[str]) -> bool:
        try:
            return isinstance(value, str) and read(value) is not None
        except ValueError:
            return False
    return can


FORMS: Mapping[str, Callable[[Any, Collection[str]], bool]] = {
    "seat": lambda value, seats: value in ("", *seats),
    "asked": lambda value, seats: isinstance(value, list) and all(one in [*seats] for one in value),
    "first": _reads(date.fromisoformat), "last": _reads(date.fromisoformat), "at": _reads(clock.end_of),
    "entry": lambda value, seats: isinstance(value, int),
    "reason": lambda value, seats: isinstance(value, str), "yes": lambda value, seats: value in ("yes", "no"),
}
