"""6.2 D Where the books let chance decide it: the Province to which a recruited General comes, and that goes over to him."""

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game


def provinces(g: Game, seat: str) -> list[str]:
    """6.2 D Those that belong to no other player, and have a space for him."""
    return [one for one in g.board.provinces if g.province_controller(one) in ("", seat, INDEPENDENT) and spaces(g, seat, one)]


def spaces(g: Game, seat: str, province: str) -> list[str]:
    """6.2 D Where neither enemy CUs nor an Independent Army stand."""
    return [space for space in g.board.spaces_of(province)
            if not any(side != seat for at in g.board.locations_of(space) for side in g.sides_with_cus(at))]


def judge(g: Game, seat: str, order: Order) -> Order:
    """6.2 D Nobody says where he comes to."""
    if order.at or order.pc:
        raise Refused("6.2D", "province_is_drawn", general=order.general)
    if not provinces(g, seat):
        raise Refused("6.2D", "no_province_for_him", general=order.general)
    return Order("recruit", general=order.general, card=order.card)


def draw(g: Game, seat: str, general: str) -> str:
    """6.2 D One of the Provinces, each as likely as the others."""
    open_to_him = provinces(g, seat)
    values, name = g.draw("province", general, sides=len(open_to_him))
    province = open_to_him[values[0] - 1]
    g.tell(ALL, "province_drawn", seat=seat, general=general, province=province, die=values[0], name=name)
    return province


def where_to(g: Game, seat: str, general: str, province: str) -> Procedure[str]:
    """6.2 D The player says in which of its spaces; none where a ruling has filled them all meanwhile."""
    found = spaces(g, seat, province)
    if len(found) == 1:
        return found[0]
    order = yield lambda: question(g, seat, general, province)
    return str(order.at) if order else ""


def question(g: Game, seat: str, general: str, province: str) -> Question | None:
    found = spaces(g, seat, province)
    if not found:
        return None
    offers = [Order("deploy", general=general, at=space) for space in found]

    def read(side: str, order: Order) -> Order:
        if order.verb != "deploy" or order.general != general:
            raise Refused("6.2D", "deployment_wanted", generals=[general])
        if order.at not in found:
            raise Refused("6.2D", "not_a_start_space", general=general, at=order.at, spaces=found)
        return Order("deploy", general=general, at=order.at)

    return Ask(seat, "deployment", "6.2D", read=read, candidates=lambda side: iter(offers), default=offers[0],
               about={"generals": [general], "spaces": {general: found}})


def go_over(g: Game, seat: str, province: str) -> None:
    """6.2 D Every such space of the Province is his from now on, whose PC there may have been."""
    for space in spaces(g, seat, province):
        if g.controller(space) != seat:
            g.set_pc(space, seat)
            g.tell(ALL, "pc_placed", seat=seat, space=space)
