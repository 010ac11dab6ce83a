"""A position without a folder, for the tests of rules, cards and sentences: the real rules, dice at hand, a few pieces."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from pbem import editions
from pbem.cards import EFFECTS
from pbem.components.board import Board
from pbem.components.catalogue import Facts
from pbem.dev.cases import judge
from pbem.dev.positions import printed
from pbem.kernel.procedures import Table
from pbem.rules import sequence
from pbem.table import position
from pbem.table.state import Game

FACTS, BOARD = printed()
SEATS = ("red", "blue", "yellow", "black", "green")


class Dice:
    """Those that a test wants, one after the other; then, with a seed, what it gives for their names."""

    def __init__(self, wanted: Iterable[int] = (), seed: int | None = None) -> None:
        self.wanted = iter(wanted)
        self.seed = seed

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        rng = Random(f"{self.seed}|{name}")
        found = [next(self.wanted, None) or (rng.randint(1, sides) if self.seed is not None else 0) for _ in range(count)]
        assert all(found), f"no die was wanted for {name}"
        return found

    def reading(self, name: tuple[str, ...]) -> None:
        return None

    def deck_name(self, base: str, cards: tuple[str, ...]) -> str:
        return base

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        return "5e" * 32


def army(owner: str, at: str, *generals: str, loc: str = "", **cus: int) -> dict[str, Any]:
    return {"owner": owner, "at": at, "generals": list(generals), "cus": cus, **({"loc": loc} if loc else {})}


def stated(given: Mapping[str, Any], *, edition: str = "fourth", options: Sequence[str] = (), seats: Sequence[str] = SEATS[:4],
           dice: Dice | None = None, secret: Any = None, facts: Facts = FACTS) -> Game:
    """A game in which this is so, and nothing else."""
    board = BOARD if facts is FACTS else Board(facts)
    g = Game(facts, board, editions.ruleset(edition, tuple(options)), seats, EFFECTS)
    g.chance, g.secret = dice or Dice(), secret
    position.state(g, given)
    return g


def table(g: Game) -> Table:
    return Table(sequence.play(g), g.next_question)


def told(g: Game, key: str) -> list[dict[str, Any]]:
    return [event.facts for event in g.events if event.key == key]


def holds(rule: str, given: Mapping[str, Any], when: list[dict[str, Any]], *then: dict[str, Any]) -> None:
    """A case like those of the rulebook: it has to pass."""
    verdict = judge({"id": "here", "rule": rule, "given": given, "when": when, "then": list(then)})
    assert verdict.verdict == "pass", verdict.detail
