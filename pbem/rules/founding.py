"""16.1 A Capital that needs no card: begun in a Surrender Segment, finished in the next (19.8 of the draft)."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import at_once
from pbem.orders import Order
from pbem.rules import capital, ownership
from pbem.rules.acts import Act
from pbem.table.state import Game


def sites(g: Game, seat: str) -> list[str]:
    """16.1 Minor Cities of one's own with a CU of one's own, while one has founded nothing."""
    if not capital.may_found(g, seat):
        return []
    return [space for space in g.board.spaces if g.board.kind(space) == "minor" and g.controller(space) == seat
            and g.has_cus(space, seat)]


def judge(g: Game, seat: str, order: Order) -> Order:
    """16.1 Who builds elsewhere leaves what he has begun."""
    if order.space not in sites(g, seat):
        raise Refused("16.1", "no_building_ground", space=order.space, spaces=sites(g, seat))
    if g.construction.get(seat) == order.space:
        raise Refused("16.1", "built_already", space=order.space)
    return Order("build_capital", space=order.space)


@at_once
def build(g: Game, order: Order) -> None:
    """16.1 Kept with PC and CU, and not attacked, until the next Surrender Segment of its owner it is finished."""
    capital.begin(g, g.player, order.space)
    ownership.end_of_procedure(g)


def candidates(g: Game, seat: str) -> Iterator[Order]:
    return (Order("build_capital", space=space) for space in sites(g, seat))


ACTS = {"build_capital": Act(judge, build, candidates)}


def acts(g: Game) -> dict[str, Act]:
    """16.1 In the Surrender Segment of who could build, where that was agreed on."""
    return ACTS if g.rules.capitals_without_card and sites(g, g.player) else {}
