"""What an order of the active player means, and the pieces that such an order could name."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from pbem.kernel.procedures import Procedure
from pbem.orders import Order, Pieces
from pbem.rules import prices
from pbem.table.state import Game


def none(g: Game, seat: str) -> Iterator[Order]:
    """No further orders of this verb."""
    return iter(())


class Act(NamedTuple):
    """What an order of the active player means: may he, what happens, which ones are thinkable, what would it cost.

    `rare` are the thinkable orders that come after all usual ones of every verb.
    """

    judge: Callable[[Game, str, Order], Order]
    do: Callable[[Game, Order], Procedure[None]]
    candidates: Callable[[Game, str], Iterator[Order]]
    costs: Callable[[Game, str, Order], list[prices.Price]] = prices.nothing
    rare: Callable[[Game, str], Iterator[Order]] = none


def only(verb: str) -> Callable[[Game, str], Iterator[Order]]:
    """The one order of a verb that has nothing to choose."""
    return lambda g, seat: iter((Order(verb),))


# --- which pieces ------------------------------------------------------------------------------------------------


def parts(whole: Pieces) -> Iterator[Pieces]:
    """Every way to take some of the pieces, all of them first."""
    names = [kind for kind, _ in whole.cus]
    for numbers in product(*(range(number, -1, -1) for _, number in whole.cus)):
        cus = {kind: number for kind, number in zip(names, numbers, strict=True) if number}
        for generals in subsets(whole.generals):
            for royals in subsets(whole.royals):
                yield Pieces.of(generals, cus, royals)


def subsets(items: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    whole = tuple(items)
    for mask in range(2 ** len(whole) - 1, -1, -1):
        yield tuple(item for index, item in enumerate(whole) if mask >> index & 1)


HANDFUL = 4                     # CUs: so many of a stack may be offered in every mixture


def handfuls(whole: Pieces) -> Iterator[Pieces]:
    """Every way to take a handful of the CUs, with any of the others or none."""
    names = [kind for kind, _ in whole.cus]
    companies = list(product(subsets(whole.generals), subsets(whole.royals)))
    for numbers in product(*(range(min(number, HANDFUL), -1, -1) for _, number in whole.cus)):
        if sum(numbers) <= HANDFUL:
            for generals, royals in companies:
                yield Pieces.of(generals, dict(zip(names, numbers, strict=True)), royals)
