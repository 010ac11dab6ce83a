"""What can be wrong with what somebody typed, or with a file. Each carries facts; the sentences live in templates."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

LONGEST = 300                               # letters of somebody's text that are told back to him


def clipped(text: str) -> str:
    """What was typed, as far as it helps to see it again."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


class PbemError(Exception):
    """Something a person has to hear about. `key` names the sentence, `facts` fill it."""

    entry = 0                               # of the log, if it came up while that was read
    place = ""                              # of a game that cannot be played from there on
    parted = 0                              # the entry at which its position is another than it was, then or before
    edits: Sequence[Any] = ()               # what was changed in its log by hand

    def __init__(self, key: str, **facts: Any) -> None:
        self.key = key
        self._told = facts

    @cached_property
    def facts(self) -> dict[str, Any]:
        """They are read by those who tell it: where many things are tried out, nobody does."""
        return {name: clipped(fact) if isinstance(fact, str) else fact for name, fact in self._told.items()}

    def __str__(self) -> str:
        told = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return f"{self.key.replace('_', ' ')}{': ' if told else ''}{told}"


class Unreadable(PbemError):
    """The text cannot be read as an order; `facts` hold the text and up to three suggestions."""


class Ambiguous(PbemError):
    """The text can be read in more than one way; `facts` hold the text and the readings."""


class NotNow(PbemError):
    """A fine order, but nobody asked this side for it at this moment."""


class Refused(PbemError):
    """Understood and not allowed. `rule` is the printed rule number of the 4th edition, e.g. '9.3D'."""

    def __init__(self, rule: str, key: str, **facts: Any) -> None:      # all at once: where many things are tried it counts
        self.rule = rule
        self.key = key
        self._told = facts

    def __str__(self) -> str:
        return f"{super().__str__()} ({self.rule})"


class Unknown(PbemError):
    """A die or card that cannot be known yet: a dry run stops here, hand-rolled games ask for it."""


class Diverged(PbemError):
    """The log and the rules disagree: dice missing or left over, another position than written."""


class BadLog(PbemError):
    """A game file that cannot be used. `facts` hold file, line and what is wrong."""


class Costly(Refused):
    """Allowed, but at a price that is easily overlooked: it is told first and taken with a `yes`."""


def nearest(text: str, names: Iterable[str]) -> list[str]:
    """Up to three names: those that begin like it, then those spelt much like it."""
    from difflib import get_close_matches

    known = list(names)
    begun = [name for name in known if name.startswith(text)]
    return list(dict.fromkeys([*begun, *get_close_matches(text, known, n=3, cutoff=0.5)]))[:3]


def meant(text: str, names: Iterable[str]) -> str:
    """What was meant, perhaps: the nearest name, or nothing."""
    return "".join(nearest(text, names)[:1])
