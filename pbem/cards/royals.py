"""Events of the Royal Family, in the order of the deck: 1, 27, 29 to 32, 36."""

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.components.board import PLACING
from pbem.kernel.procedures import at_once
from pbem.orders import Order
from pbem.rules import marriage, reinforcements
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import DEAD, FEMALES, NOWHERE, Game, Royal, is_at_sea, is_inside, space_of

EFFECTS: Effects = {}


def move(g: Game, royal: Royal, at: str) -> None:
    g.tell(ALL, "royal_moved", royal=royal.name, origin=royal.at, at=at)
    royal.at = at


def range_of(g: Game, royal: Royal, mps: int) -> list[str]:
    """The spaces that a Royal Family Member reaches, whatever stands on the way."""
    return list(g.board.distances(space_of(royal.at), PLACING, None, mps))


# --- 1 Drink the Hemlock -----------------------------------------------------------------------------------------


def victims(g: Game, seat: str) -> list[str]:
    """Royal Family Members, whoever controls them, beside a CU of the player's, in some books beside any piece of his."""
    params = targets.params_of(g, "remove_royal")
    return [one.name for one in g.royals.values() if one.at not in (NOWHERE, DEAD) and one.name not in params["excluded"]
            and (g.has_cus(space_of(one.at), seat) if params["needs_own_cu_in_space"] else is_within_reach(g, seat, one.at))
            and not (params.get("enemy_cities_spare") and is_inside(one.at) and g.controller(space_of(one.at)) != seat)
            and not (params.get("own_siege_spares") and is_before_own_walls(g, seat, one.at))]


def is_before_own_walls(g: Game, seat: str, at: str) -> bool:
    """Outside a Besieged city of the player's."""
    return g.board.kind(space_of(at)) == "major" and not is_inside(at) and g.controller(at) == seat and g.besieged(at)


def is_within_reach(g: Game, seat: str, at: str) -> bool:
    """A PC, a General or a CU of the player's is in the space."""
    space = space_of(at)
    return (g.controller(space) == seat or g.has_cus(space, seat)
            or any(g.has_general(place, seat) for place in g.locations_of(space)))


def judge_hemlock(g: Game, seat: str, order: Order) -> Order:
    """Neither the Cart nor the Tomb: Alexander is dead already (8.5)."""
    return targets.played(order, target=("royal", targets.royal(g, order, victims(g, seat))))


@at_once
def hemlock(g: Game, seat: str, order: Order) -> None:
    """The Royal Family Member leaves the game."""
    royal = g.royals[order.target[1]]
    g.tell(ALL, "royal_killed", royal=royal.name, at=royal.at, owner=royal.seat)
    royal.at, royal.seat = DEAD, ""
    g.offers.pop(royal.name, None)


EFFECTS["remove_royal"] = Card(
    judge_hemlock, hemlock, lambda g, seat: (Order("play", target=("royal", name)) for name in victims(g, seat)))


# --- 27 Plans of Their Own ---------------------------------------------------------------------------------------


def free_women(g: Game) -> list[str]:
    return [name for name in FEMALES if g.royals[name].at not in (NOWHERE, DEAD) and not g.royals[name].seat]


def judge_plans(g: Game, seat: str, order: Order) -> Order:
    """An uncontrolled Female, and where she goes: `on Olympias at Pella`."""
    name = targets.royal(g, order, free_women(g))
    spaces = range_of(g, g.royals[name], targets.parameters(g, order)["mps"])
    return targets.played(order, target=("royal", name), at=targets.space(g, order.but(target=None), spaces))


@at_once
def plans(g: Game, seat: str, order: Order) -> None:
    """She takes no notice of anybody, and nobody gains her."""
    move(g, g.royals[order.target[1]], order.at)


def plans_of(g: Game, seat: str) -> Iterator[Order]:
    for name in free_women(g):
        for space in range_of(g, g.royals[name], targets.params_of(g, "move_uncontrolled_female")["mps"]):
            yield Order("play", target=("royal", name), at=space)


EFFECTS["move_uncontrolled_female"] = Card(judge_plans, plans, plans_of)


# --- 29 Eurydike Speaks For Philippos ----------------------------------------------------------------------------


def in_the_box(g: Game, params: Mapping[str, Any]) -> bool:
    return g.royals[params["royal"]].at == NOWHERE


def judge_philippos_comes(g: Game, seat: str, order: Order) -> Order:
    """He waits in his box, and comes to a General of one's own."""
    found = targets.generals(g, seat) if in_the_box(g, targets.parameters(g, order)) else []
    return targets.played(order, target=("general", targets.general(g, order, found)))


@at_once
def philippos_comes(g: Game, seat: str, order: Order) -> None:
    """Who controls him is seen when the Procedure ends (8.2)."""
    move(g, g.royals[targets.parameters(g, order)["royal"]], g.generals[order.target[1]].at)


def philippos_with(g: Game, seat: str) -> Iterator[Order]:
    return targets.on_generals(targets.generals(g, seat))


EFFECTS["place_philippos"] = Card(judge_philippos_comes, philippos_comes, philippos_with)


# --- 30 Philippos Breaks From Guardian ---------------------------------------------------------------------------


def everybody(g: Game) -> list[str]:
    """All Generals of players on land."""
    return [name for side in g.turn_order for name in targets.generals(g, side)]


def judge_philippos_goes(g: Game, seat: str, order: Order) -> Order:
    """On the map he goes to a space that is near; from his box he comes to anybody's General."""
    params = targets.parameters(g, order)
    royal = g.royals[params["royal"]]
    if in_the_box(g, params):
        return targets.played(order, target=("general", targets.general(g, order, everybody(g))))
    spaces = range_of(g, royal, params["mps"]) if royal.at != DEAD else []
    return targets.played(order, at=targets.space(g, order, spaces))


@at_once
def philippos_goes(g: Game, seat: str, order: Order) -> None:
    """He leaves whoever had him."""
    at = order.at or g.generals[order.target[1]].at
    move(g, g.royals[targets.parameters(g, order)["royal"]], at)


def philippos_to(g: Game, seat: str) -> Iterator[Order]:
    params = targets.params_of(g, "move_philippos")
    royal = g.royals[params["royal"]]
    if royal.at == NOWHERE:
        yield from targets.on_generals(everybody(g))
    elif royal.at != DEAD:
        yield from (Order("play", at=space) for space in range_of(g, royal, params["mps"]))


EFFECTS["move_philippos"] = Card(judge_philippos_goes, philippos_goes, philippos_to)


# --- 31, 32 Offers of marriage -----------------------------------------------------------------------------------


def judge_marriage(g: Game, seat: str, order: Order) -> Order:
    """The bride has to be alive; whether she is free, and an Army with her, is seen until the Game Turn ends (8.2)."""
    bride = targets.parameters(g, order)["royal"]
    if g.royals[bride].at in (NOWHERE, DEAD):
        raise Refused("8.2", "royal_is_gone", royal=bride, card=order.card)
    return targets.played(order)


@at_once
def offer(g: Game, seat: str, order: Order) -> None:
    """The card stays in front of the player."""
    marriage.offer(g, seat, targets.parameters(g, order)["royal"], order.card)


EFFECTS["marriage"] = Card(judge_marriage, offer, targets.nothing_to_choose)


# --- 36 Olympias -------------------------------------------------------------------------------------------------


def homes(g: Game, seat: str) -> list[str]:
    """The spaces of her country without enemies; a lone General of others is one too, as for Reinforcements (5.2)."""
    province = targets.params_of(g, "place_olympias")["either"][0]["place"]
    return [space for space in g.board.spaces_of(province) if not reinforcements.enemies_in(g, seat, space)]


def judge_olympias(g: Game, seat: str, order: Order) -> Order:
    """`at` a space of Epeiros with troops, or `on` one of one's Generals without them."""
    params = targets.parameters(g, order)
    royal = g.royals[params["royal"]]
    if royal.at in (NOWHERE, DEAD):
        raise Refused("8.2", "royal_is_gone", royal=royal.name, card=order.card)
    if royal.seat:
        raise Refused("8.2", "royal_not_free", royal=royal.name, owner=royal.seat, card=order.card)
    if order.target is not None and order.target[0] == "general":
        return targets.played(order, target=("general", targets.general(g, order, targets.generals(g, seat))))
    at = targets.location(g, seat, order, homes(g, seat), params["either"][0]["cus"])
    return targets.played(order, at=at, minor=targets.minor(g, seat, order, needed=True))


@at_once
def olympias(g: Game, seat: str, order: Order) -> None:
    """She is the player's if he now has a PC or a General in her location (8.2)."""
    params = targets.parameters(g, order)
    royal = g.royals[params["royal"]]
    at = order.at or g.generals[order.target[1]].at
    if royal.at != at:
        move(g, royal, at)
    if order.at:
        targets.put(g, seat, at, params["either"][0]["cus"], order.minor)
    if g.commander(at, seat) is not None or g.controller(space_of(at)) == seat and not is_at_sea(at):
        royal.seat = seat
        g.tell(ALL, "royal_gained", royal=royal.name, seat=seat, at=at)


def olympias_to(g: Game, seat: str) -> Iterator[Order]:
    for at in targets.locations(g, homes(g, seat)):
        yield Order("play", at=at, minor="any")
    yield from targets.on_generals(targets.generals(g, seat))


EFFECTS["place_olympias"] = Card(judge_olympias, olympias, olympias_to)
