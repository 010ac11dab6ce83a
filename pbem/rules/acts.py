"""What an order of the active player means."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem.base.errors import NotNow
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


# 6.1 to 6.4 When an order is in place: what a refusal says of it in another segment.
SEGMENTS_OF: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys("""roll march shift pick_up drop split activate end_activation embark sail disembark raise_mercenary
                    """.split(), ("activation",)),
    **dict.fromkeys("play discard upgrade_fleet finish_cart retrieve_fleet recruit force_march train".split(), ("tyche",)),
    "place_pc": ("surrender", "tyche"), "remove_pc": ("surrender", "activation"), "siege": ("surrender", "activation"),
    "bury": ("forage",), "build_capital": ("surrender",),
}


def not_in_this_segment(verb: str, segment: str, may: Mapping[str, Act]) -> NotNow:
    """A fine order that this segment does not know: what can be ordered in it, and when that would be in place."""
    return NotNow("not_in_this_segment", verb=verb, segment=segment, may=list(may), when=other_segments(verb, segment))


def other_segments(verb: str, segment: str) -> list[str]:
    return [one for one in SEGMENTS_OF.get(verb, ()) if one != segment]


def thinkable(g: Game, acts: Mapping[str, Act], seat: str) -> Iterator[Order]:
    """The usual orders of every verb, to end it, then the rare ones."""
    for act in acts.values():
        yield from act.candidates(g, seat)
    yield Order("end")
    for act in acts.values():
        yield from act.rare(g, seat)
