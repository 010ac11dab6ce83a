"""What a seat has typed, read as it meant it."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from pbem.base.errors import PbemError
from pbem.orders.language import tidied
from pbem.play.match import Match

SAME = ("name", "kind", "ops", "effect", "effect_key", "params", "timing", "remove_after_event", "stand_in")     # of two copies

ADDRESSED = r"\s*(T\d+(?:\.\w+)+)\s*:\s*(\S.*)"


def addressed(text: str) -> tuple[str, str]:
    """The question that a line names before what it says to it, `T2.R1.red.4: b`; empty where it names none."""
    found = re.fullmatch(ADDRESSED, text)
    return (found[1], found[2]) if found else ("", text)


def letter(text: str) -> str:
    """The letter that a line is and nothing else, whatever marks stand around it."""
    found = re.fullmatch(r"\W*([a-zA-Z])\W*", tidied(addressed(text)[1]))
    return found[1].lower() if found else ""


def reading(match: Match, seat: str, read: Callable[..., Any], text: str) -> Any:
    """Read a text; a card's name that several copies bear means one in this seat's hand, and of like ones the first."""
    secret = match.g.secret
    known: list[Iterable[str]] = [secret.hand(seat)] if secret is not None else []
    for cards in (*known, match.g.facts.cards):
        try:
            return read(text, match.names, {"card": alike_once(match, cards)})
        except PbemError:                                       # another card, or something else is wrong: say what
            pass
    return read(text, match.names)


def alike_once(match: Match, cards: Iterable[str]) -> list[str]:
    """Of cards that differ in nothing but their numbers the first."""
    found: dict[str, str] = {}
    for card in cards:
        fact = match.g.facts.cards[card]
        found.setdefault(repr([fact.get(key) for key in SAME]), card)
    return list(found.values())
