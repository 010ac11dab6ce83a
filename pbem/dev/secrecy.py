"""Secrecy, over whole games: what is public is the same, byte for byte, with the private side and without it.

Three folds of one log walk side by side: one that never had the hidden cards, one that has them, and one in which two
cards that nobody has seen change places. After every entry everything public is rendered from each and compared.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from pbem.dev.choices import Choices
from pbem.dev.play import Result, live
from pbem.dev.positions import random_position
from pbem.dev.stages import Hands, Logged, Step
from pbem.hidden import Hidden
from pbem.match import Match
from pbem.report.secrecy import leaks, public_texts
from pbem.words import Words


def secret_game(seed: int, players: int) -> list[str]:
    """The leaks of one random game through the log; empty when there are none."""
    rng = Random(f"march {seed} {players}")
    given = random_position(rng, players)
    stage = Logged(given, str(seed))
    result = Result(seed, players, True, 0, Counter(), Counter(), Counter(), Counter(), [], [])
    steps: list[Step] = []
    live(stage, Choices(rng), steps, result)
    return list(compared(stage, given, str(seed)))


def compared(stage: Logged, given: Any, seed: str) -> Iterator[str]:
    """Fold the log three times, and look after every entry."""
    plain = Match(stage.header)
    knowing = Match(stage.header, hidden=lambda: Hands(given, seed))
    swapped = Match(stage.header, hidden=lambda: exchanged(Hands(given, seed), shown(stage), stage.g.facts.cards))
    for number, entry in enumerate(stage.entries, 1):
        for match in (plain, knowing, swapped):
            match.apply(entry, number)
        wanted = texts(plain)
        for name, match in (("the private file", knowing), ("two cards exchanged", swapped)):
            yield from (f"entry {number}, with {name}: {line}" for line in leaks(wanted, texts(match)))


def texts(match: Match) -> dict[str, str]:
    words = Words("en", match.names, match.g.facts)
    return public_texts(match.g, [event for _, event in match.history], match.question, words)


def shown(stage: Logged) -> frozenset[str]:
    """The cards that anybody ever saw in this game."""
    return frozenset(str(event.facts.get("card")) for _, event in stage.match.history)


def exchanged(hands: Hidden, seen: frozenset[str], kinds: Mapping[str, Any]) -> Hidden:
    """The same hidden side with one card of a hand and one of the deck, of a kind and never seen, in each other's place."""
    for cards in hands.hands.values():
        for here, card in enumerate(cards):
            for there, other in enumerate(hands.deck):
                if card not in seen and other not in seen and kinds[card]["kind"] == kinds[other]["kind"]:
                    cards[here], hands.deck[there] = other, card
                    return hands
    return hands
