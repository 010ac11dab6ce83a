"""What a legal order costs that is easily overlooked: told before it is paid.

A price wants a `yes`; a remark is only told.
"""

from collections import Counter
from typing import Any

from pbem.orders import Order
from pbem.rules import cavalry, victory
from pbem.rules.activation import is_travelling, may_come
from pbem.state import INDEPENDENT, Game, space_of

Price = tuple[str, str, dict[str, Any]]             # rule, key, facts
REMARKS = frozenset(("costs_raising", "costs_stronghold"))


def nothing(g: Game, seat: str, order: Order) -> list[Price]:
    return []


def of_roll(g: Game, seat: str, order: Order) -> list[Price]:
    """6.3 Whoever rolls for movement may not raise a Mercenary in this segment."""
    return [("6.3", "costs_raising", {})]


def of_march(g: Game, seat: str, order: Order) -> list[Price]:
    """3.7, 7.2 A, 10 A, 10 I What a step may cost besides its MPs."""
    return [*champion_status(g, seat, order), *lone_general(g, seat, order), *unowned(g, seat, order),
            *stronghold(g, seat, order)]


def met(g: Game, seat: str, order: Order) -> list[str]:
    """The others whose CUs stand where the march goes, unless they are asked for Free Passage."""
    target = order.path[0]
    return [side for side in g.sides_with_cus(target) if side != seat and side not in (order.passage or ())]


def champion_status(g: Game, seat: str, order: Order) -> list[Price]:
    """3.7, 10 H Standing with CUs before the CUs of a Champion who is not the Usurper."""
    if not g.champion[seat] or not order.pieces.cus:
        return []
    return [("3.7", "costs_champion", {"seat": seat, "victim": side, "space": order.path[0],
                                       "legitimacy": g.rules.champion_legitimacy})
            for side in met(g, seat, order) if side in g.seats and not victory.may_be_attacked_freely(g, side)][:1]


def lone_general(g: Game, seat: str, order: Order) -> list[Price]:
    """10 I A General without CUs is dispersed by whatever CUs he meets."""
    if order.pieces.cus:
        return []
    return [("10I", "costs_lone_general", {"general": order.general, "space": order.path[0], "owner": side})
            for side in met(g, seat, order)][:1]


def unowned(g: Game, seat: str, order: Order) -> list[Price]:
    """7.2 A CUs left behind with neither a General nor the own PC."""
    one = g.generals[order.general]
    if is_travelling(g, one) or g.controller(space_of(one.at)) == seat:
        return []
    if [other for other in g.generals_at(one.at, seat) if other is not one and other.name not in order.pieces.generals]:
        return []
    left = g.count(one.at, seat) - order.pieces.count()
    return [("7.2A", "costs_unowned", {"at": one.at, "count": left})] if left else []


def stronghold(g: Game, seat: str, order: Order) -> list[Price]:
    """10 A Going on from an Independent Stronghold that was entered in this activation."""
    act, one = g.activation, g.generals[order.general]
    if act is None or not act.entered or not is_travelling(g, one) or not may_come(g, one).cus:
        return []
    if g.board.kind(act.here) != "stronghold" or g.controller(act.here) != INDEPENDENT:
        return []
    return [("10A", "costs_stronghold", {"space": act.here, "column": cavalry.stronghold_column(g, dict(order.pieces.cus)),
                                         "kinds": Counter(dict(order.pieces.cus))})]
