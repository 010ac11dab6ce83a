"""Events against what others have on the map, in the order of the deck: 2 to 4, 9, 10, 14, 24, 43 to 45."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import Procedure, at_once
from pbem.orders import Order
from pbem.rules import abilities, company, ownership, pieces, siege
from pbem.rules.attrition import Group, attrition, eliminate, lose
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, Unit, is_inside, space_of

EFFECTS: Effects = {}


def remove_pc(g: Game, seat: str, space: str) -> None:
    g.tell(ALL, "pc_removed", seat=seat, owner=g.controller(space), space=space)
    g.set_pc(space, "")


# --- 2, 3 Diplomacy ----------------------------------------------------------------------------------------------


def judge_diplomacy(g: Game, seat: str, order: Order) -> Order:
    """A Minor City of another player or of the Independents, without enemy CUs, anywhere."""
    return targets.played(order, target=("space", targets.space(g, order, targets.hostile_minor_cities(g, seat))))


@at_once
def diplomacy(g: Game, seat: str, order: Order) -> None:
    """The city changes sides."""
    space = order.target[1]
    remove_pc(g, seat, space)
    g.tell(ALL, "pc_placed", seat=seat, space=space)
    g.set_pc(space, seat)


EFFECTS["convert_minor_city"] = Card(
    judge_diplomacy, diplomacy, lambda g, seat: targets.on_spaces(targets.hostile_minor_cities(g, seat)))


# --- 4 Epidemic --------------------------------------------------------------------------------------------------


def stricken(g: Game, seat: str) -> list[str]:
    """Armies of other players, or of anybody where the card says so. Independent ones have no column to lose on."""
    everybody = targets.params_of(g, "army_attrition")["target"] == "any_army"
    return targets.armies(g, lambda side: everybody or side != seat)


def judge_epidemic(g: Game, seat: str, order: Order) -> Order:
    """An Army that the card may strike."""
    return targets.played(order, target=("general", targets.general(g, order, stricken(g, seat))))


def epidemic(g: Game, seat: str, order: Order) -> Procedure[None]:
    """The CUs of the Army suffer Attrition as one group (7.3); their owner chooses what he loses."""
    one = g.generals[order.target[1]]
    yield from attrition(g, one.seat, one.at, Group(one.at, one.seat))


EFFECTS["army_attrition"] = Card(
    judge_epidemic, epidemic, lambda g, seat: targets.on_generals(stricken(g, seat)))


# --- 9 Minor Raid ------------------------------------------------------------------------------------------------


def in_reach(g: Game, seat: str, armies: list[str], mps: int) -> set[str]:
    """The spaces near one of these Armies."""
    return {space for name in armies for space in targets.near(g, seat, g.generals[name].at, mps)}


def raidable(g: Game, seat: str) -> list[str]:
    reach = in_reach(g, seat, targets.own_armies(g, seat), targets.params_of(g, "remove_pc_near_army")["range_mps"])
    return [space for space in targets.hostile_minor_cities(g, seat) if space in reach]


def judge_minor_raid(g: Game, seat: str, order: Order) -> Order:
    """A Minor City of others near one of one's Armies."""
    return targets.played(order, target=("space", targets.space(g, order, raidable(g, seat))))


@at_once
def minor_raid(g: Game, seat: str, order: Order) -> None:
    """Its PC goes."""
    remove_pc(g, seat, order.target[1])


EFFECTS["remove_pc_near_army"] = Card(judge_minor_raid, minor_raid, lambda g, seat: targets.on_spaces(raidable(g, seat)))


# --- 10 Major Raid -----------------------------------------------------------------------------------------------


def raids_of(g: Game, seat: str, name: str) -> list[str]:
    """What one Army could raid: Minor Cities of players near it."""
    reach = in_reach(g, seat, [name], targets.params_of(g, "remove_pcs_near_army")["range_mps"])
    return [space for space in targets.hostile_minor_cities(g, seat) if space in reach and g.controller(space) in g.seats]


def raiders(g: Game, seat: str) -> list[str]:
    least = targets.params_of(g, "remove_pcs_near_army")["min_cus"]
    return [name for name in targets.own_armies(g, seat)
            if targets.size(g, g.generals[name]) >= least and raids_of(g, seat, name)]


def judge_major_raid(g: Game, seat: str, order: Order) -> Order:
    """An Army that is large enough, and up to two Minor Cities of players near it."""
    name = targets.general(g, order, raiders(g, seat))
    spaces = targets.several(g, order, raids_of(g, seat, name), targets.parameters(g, order)["count"])
    return targets.played(order, target=("general", name), spaces=spaces)


@at_once
def major_raid(g: Game, seat: str, order: Order) -> None:
    """Their PCs go."""
    for space in order.spaces:
        remove_pc(g, seat, space)


def major_raids(g: Game, seat: str) -> Iterator[Order]:
    for name in raiders(g, seat):
        spaces = raids_of(g, seat, name)
        for index, space in enumerate(spaces):
            for other in spaces[index + 1:]:
                yield Order("play", target=("general", name), spaces=(space, other))
            yield Order("play", target=("general", name), spaces=(space,))


EFFECTS["remove_pcs_near_army"] = Card(judge_major_raid, major_raid, major_raids)


# --- 14 The Helepolis --------------------------------------------------------------------------------------------


def besieged_by(g: Game, seat: str) -> list[str]:
    """Major Cities that an Army of the player besieges with enough CUs, and where the engine does not stand yet."""
    least = targets.params_of(g, "place_helepolis")["min_cus"]
    return [space for space in g.board.major_cities if siege.may_be_besieged(g, space, seat)
            and g.commander(space, seat) is not None and g.count(space, seat) >= least
            and (g.helepolis, g.helepolis_by) != (space, seat)]


def judge_helepolis(g: Game, seat: str, order: Order) -> Order:
    """Before a Major City that one besieges with 3 CUs."""
    return targets.played(order, target=("space", targets.space(g, order, besieged_by(g, seat))))


@at_once
def helepolis(g: Game, seat: str, order: Order) -> None:
    """7.2 G It stands there until the besieger has gone or the city has fallen (15.2 B)."""
    g.helepolis, g.helepolis_by = order.target[1], seat
    g.tell(ALL, "helepolis_placed", seat=seat, space=g.helepolis)


EFFECTS["place_helepolis"] = Card(judge_helepolis, helepolis, lambda g, seat: targets.on_spaces(besieged_by(g, seat)))


# --- 24 Desertions -----------------------------------------------------------------------------------------------


def is_besieged(g: Game, location: str) -> bool:
    return is_inside(location) and g.besieged(space_of(location))


def restless(g: Game, seat: str) -> list[str]:
    """Armies of other players that are not besieged."""
    return [name for name in targets.other_armies(g, seat) if not is_besieged(g, g.generals[name].at)]


def judge_desertions(g: Game, seat: str, order: Order) -> Order:
    """An Army of another player, even one that besieges, but none that is besieged."""
    return targets.played(order, target=("general", targets.general(g, order, restless(g, seat))))


def desertions(g: Game, seat: str, order: Order) -> Procedure[None]:
    """A die says how many CUs run away; Mercenaries run first."""
    params, one = targets.parameters(g, order), g.generals[order.target[1]]
    side, at = one.seat, one.at
    die, name = g.roll("desertions", space_of(at), side)
    modifier = sum(found.get("die_mod", 0) for other in g.generals_of(seat) if g.on_map(other)
                   and (found := abilities.ability(g, other).get("params", {})).get("card") == order.card)
    number = next(row["cus"] for row in params["loss"] if row["max"] is None or die + modifier <= row["max"])
    g.tell(ALL, "desertions_rolled", seat=side, general=one.name, at=at, die=die, name=name, modifier=modifier, lost=number)
    first = min(number, g.kinds(at, side)["mercenary"])
    if first:
        eliminate(g, Group(at, side), {"mercenary": first}, "desertion")
    yield from lose(g, side, Group(at, side, spared={"mercenary"}), number - first, False, "desertion")


EFFECTS["army_desertion_roll"] = Card(
    judge_desertions, desertions, lambda g, seat: targets.on_generals(restless(g, seat)))


# --- 43 Traitor --------------------------------------------------------------------------------------------------


def seducers(g: Game, seat: str, victim: str) -> list[str]:
    """Where an own Army stands that is near enough to that one, with room for one CU more (9.4)."""
    mps, space = targets.params_of(g, "steal_cu")["range_mps"], space_of(g.generals[victim].at)
    found = [g.generals[name].at for name in targets.own_armies(g, seat)]
    return [at for at in found if space in targets.near(g, seat, at, mps)
            and pieces.room_at(g, at, seat) > 0]


def seducible(g: Game, seat: str) -> list[str]:
    kind = targets.params_of(g, "steal_cu")["cu"]
    return [name for name in targets.other_armies(g, seat)
            if g.kinds(g.generals[name].at, g.generals[name].seat)[kind] and seducers(g, seat, name)]


def judge_traitor(g: Game, seat: str, order: Order) -> Order:
    """A Mercenary in an Army of another player, near one of one's own; `at` says which of those."""
    name = targets.general(g, order.but(at=None), seducible(g, seat))
    armies = seducers(g, seat, name)
    at = order.at or armies[0]
    if at not in armies:
        raise Refused("6.2A", "card_wants_own_army", card=order.card, at=at, places=armies)
    return targets.played(order, target=("general", name), at=at)


@at_once
def traitor(g: Game, seat: str, order: Order) -> None:
    """He changes sides."""
    params, one = targets.parameters(g, order), g.generals[order.target[1]]
    g.remove_kinds(one.at, one.seat, {params["cu"]: params["count"]})
    g.add(order.at, seat, {Unit(params["cu"]): params["count"]})
    g.tell(ALL, "mercenary_changed_sides", seat=seat, victim=one.seat, origin=one.at, at=order.at)


def traitors(g: Game, seat: str) -> Iterator[Order]:
    for name in seducible(g, seat):
        for at in seducers(g, seat, name):
            yield Order("play", target=("general", name), at=at)


EFFECTS["steal_cu"] = Card(judge_traitor, traitor, traitors)


# --- 44 Treachery ------------------------------------------------------------------------------------------------


def faithless(g: Game, seat: str) -> list[str]:
    """Small Armies of other players under Minor Generals, near one of one's own Generals."""
    params = targets.params_of(g, "steal_minor_army")
    reach = in_reach(g, seat, targets.generals(g, seat), params["range_mps"])
    found = [g.generals[name] for name in targets.other_armies(g, seat)]
    return [one.name for one in found
            if one.minor and targets.size(g, one) <= params["max_cus"] and space_of(one.at) in reach]


def judge_treachery(g: Game, seat: str, order: Order) -> Order:
    """With a Minor General of one's own to lead what comes over."""
    name = targets.general(g, order, faithless(g, seat))
    return targets.played(order, target=("general", name), minor=targets.minor(g, seat, order, needed=True))


@at_once
def treachery(g: Game, seat: str, order: Order) -> None:
    """On a good die its Mercenaries come over where they stand; General and other CUs are dispersed.

    Out of a city before which others stand nobody comes over: the deserters are dispersed with the rest.
    """
    params, one = targets.parameters(g, order), g.generals[order.target[1]]
    side, at = one.seat, one.at
    barred = any(other != seat and (other != side or is_inside(at)) for other in g.sides_at(space_of(at)))
    die, name = g.roll("treachery", space_of(at), seat)
    g.tell(ALL, "treachery_rolled", seat=seat, general=one.name, at=at, die=die, name=name, needed=min(params["success"]),
           succeeded=die in params["success"])
    if die not in params["success"]:
        return
    number = 0 if barred else g.kinds(at, side)[params["takes"]]
    ownership.disperse_general(g, one, seat)
    if number:
        g.remove_kinds(at, side, {params["takes"]: number})
        g.add(space_of(at), seat, {Unit(params["takes"]): number})
        g.tell(ALL, "cus_placed", seat=seat, at=space_of(at), cus={params["takes"]: number})
        company.appear(g, order.minor, space_of(at))
    ownership.disperse_cus(g, at, side, "card")


def treacheries(g: Game, seat: str) -> Iterator[Order]:
    return (order.but(minor="any") for order in targets.on_generals(faithless(g, seat)))


EFFECTS["steal_minor_army"] = Card(judge_treachery, treachery, treacheries)


# --- 45 Surprise Sortie ------------------------------------------------------------------------------------------


def gates(g: Game, seat: str) -> list[str]:
    """Besieged Major Cities of the player with enough CUs inside."""
    least = targets.params_of(g, "lift_siege_points")["min_cus_inside"]
    return [space for space in g.board.major_cities if g.controller(space) == seat and g.besieged(space)
            and g.count(f"{space}/inside", seat) >= least]


def judge_sortie(g: Game, seat: str, order: Order) -> Order:
    """Out of a besieged city of one's own."""
    return targets.played(order, target=("space", targets.space(g, order, gates(g, seat))))


def sortie(g: Game, seat: str, order: Order) -> Procedure[None]:
    """The works are burnt, and the besiegers suffer; Independent Armies never lose CUs (7.5)."""
    params, space = targets.parameters(g, order), order.target[1]
    by, points = g.siege_points.pop(space, ("", 0))
    if points:
        g.tell(ALL, "siege_points_changed", seat=by, space=space, old=points, new=0, needed=siege.needed(g, space))
    for side in [side for side in g.sides_with_cus(space) if side not in (seat, INDEPENDENT)]:
        yield from attrition(g, side, space, Group(space, side), str(params["attrition_column"]))


EFFECTS["lift_siege_points"] = Card(judge_sortie, sortie, lambda g, seat: targets.on_spaces(gates(g, seat)))
