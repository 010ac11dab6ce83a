"""What a legal order costs that is easily overlooked: told before it is paid.

A price wants a `yes`; a remark is only told.
"""

from collections import Counter
from collections.abc import Iterable

from pbem.orders import Order
from pbem.rules import cavalry, general_loss, victory
from pbem.rules.activation import commander, is_travelling, may_come, travelling_units
from pbem.rules.acts import Price
from pbem.table.state import INDEPENDENT, OFF, Game, General, space_of

REMARKS = frozenset(("costs_raising", "costs_stronghold"))


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
    return of_staying(g, seat, met(g, seat, order), order.path[0]) if order.pieces.cus else []


def of_staying(g: Game, seat: str, foes: Iterable[str], space: str) -> list[Price]:
    """3.7, 10 H The same for an Army that is there."""
    return [("3.7", "costs_champion", {"seat": seat, "victim": victim, "space": space, "now": now, "then": then})
            for victim, now, then in victims(g, seat, foes)]


def victims(g: Game, seat: str, foes: Iterable[str]) -> list[tuple[str, int, int]]:
    """3.7 The first whom this faction cannot attack and stay a Champion; its L before and after."""
    if not g.champion.get(seat):
        return []
    now = victory.legitimacy(g, seat)
    then = sum(value for source, value in victory.legitimacy_parts(g, seat) if source != "champion")
    return [(foe, now, max(0, then)) for foe in foes if not victory.may_be_attacked_freely(g, foe)][:1]


def of_siege(g: Game, seat: str, order: Order) -> list[Price]:
    """3.7, 15.2 Rolling before a Major City is an attack on whoever holds it, whatever the die brings."""
    if g.board.kind(order.space) != "major":
        return []
    return [("3.7", "costs_champion_siege", {"seat": seat, "victim": victim, "space": order.space, "now": now, "then": then})
            for victim, now, then in victims(g, seat, [g.controller(order.space)])]


def of_naval_battle(g: Game, seat: str, mover: str, space: str) -> list[Price]:
    """3.7, 13.3 B A Naval Battle that is fought is an attack on whoever sails."""
    at_once = g.rules.naval_attack != "battle"
    return [("3.7", "costs_champion_sea", {
        "seat": seat, "victim": victim, "space": space, "now": now, "then": then, "at_once": at_once})
            for victim, now, then in victims(g, seat, [mover])]


def of_landing(g: Game, seat: str, order: Order) -> list[Price]:
    """3.7, 10 I What waits on the shore."""
    act = g.activation
    if act is None or order.loc == "inside":
        return []
    foes = [side for side in g.sides_with_cus(space_of(act.here)) if side != seat and side not in (order.passage or ())]
    if travelling_units(g):
        return of_staying(g, seat, foes, space_of(act.here))
    return caught(g, commander(g) or g.generals[act.key], space_of(act.here), foes)


def of_leaving_minor(g: Game, seat: str, order: Order) -> list[Price]:
    """7.2 A CUs whose Minor General goes elsewhere, with nobody else to show whose they are."""
    one = g.generals[order.minor]
    if one.at == OFF or g.controller(space_of(one.at)) == seat or len(g.generals_at(one.at, seat)) > 1:
        return []
    left = g.count(one.at, seat)
    return [("7.2A", "costs_unowned", {"at": one.at, "count": left})] if left else []


def lone_general(g: Game, seat: str, order: Order) -> list[Price]:
    """10 I A General without CUs is dispersed by whatever CUs he meets."""
    if order.pieces.cus:
        return []
    return caught(g, g.generals[order.general], order.path[0], met(g, seat, order))


def caught(g: Game, one: General, space: str, foes: Iterable[str]) -> list[Price]:
    """10 I What the first of these Armies does to him."""
    return [("10I", "costs_lone_general", {
        "general": one.name, "space": space, "owner": foe, "killed_on": general_loss.deadly_if_caught(g, one)})
            for foe in foes][:1]


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
    if act is None or not is_travelling(g, one) or not may_come(g, one).cus or not at_stronghold(g):
        return []
    return [("10A", "costs_stronghold", {"space": act.here, "column": cavalry.stronghold_column(g, dict(order.pieces.cus)),
                                         "kinds": Counter(dict(order.pieces.cus))})]


def at_stronghold(g: Game) -> bool:
    """10 A The active Army has entered an Independent Stronghold, and stands there."""
    act = g.activation
    return (act is not None and bool(act.entered) and g.board.kind(space_of(act.here)) == "stronghold"
            and g.controller(space_of(act.here)) == INDEPENDENT)
