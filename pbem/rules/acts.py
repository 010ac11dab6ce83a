"""What an order of the active player means."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem.kernel.procedures import Procedure
from pbem.orders import Order
from pbem.table.state import Game

Price = tuple[str, str, dict[str, Any]]             # rule, key, facts


def no_orders(g: Game, seat: str) -> Iterator[Order]:
    """No further orders of this verb."""
    return iter(())


def no_price(g: Game, seat: str, order: Order) -> list[Price]:
    """Most orders cost no more than everybody sees."""
    return []


class Act(NamedTuple):
    """What an order of the active player means: may he, what happens, which ones are thinkable, what would it cost.

    `rare` are the thinkable orders that come after all usual ones of every verb.
    """

    judge: Callable[[Game, str, Order], Order]
    do: Callable[[Game, Order], Procedure[None]]
    candidates: Callable[[Game, str], Iterator[Order]]
    costs: Callable[[Game, str, Order], list[Price]] = no_price
    rare: Callable[[Game, str], Iterator[Order]] = no_orders


def only(verb: str) -> Callable[[Game, str], Iterator[Order]]:
    """The one order of a verb that has nothing to choose."""
    return lambda g, seat: iter((Order(verb),))


def thinkable(g: Game, acts: Mapping[str, Act], seat: str) -> Iterator[Order]:
    """The usual orders of every verb, to end it, then the rare ones."""
    for act in acts.values():
        yield from act.candidates(g, seat)
    yield Order("end")
    for act in acts.values():
        yield from act.rare(g, seat)
