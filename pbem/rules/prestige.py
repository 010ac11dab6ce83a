"""7.2 F Prestige, and the Royal Army CUs that weigh it (10 K)."""

from collections.abc import Iterable, Iterator

from pbem.kernel.procedures import at_once
from pbem.rules import abilities, ownership, victory
from pbem.table.events import ALL
from pbem.table.state import CART, FRESH, INDEPENDENT, TOMB, Game, Past, Unit, Way, space_of

# --- 7.2 F Prestige ----------------------------------------------------------------------------------------------


def popularity_parts(g: Game, location: str, side: str, *, defending: bool) -> Iterator[tuple[str, int]]:
    """7.2 F The Popularity Points that count: those of the Commanding General alone."""
    one = g.commander(location, side)
    if one is None:
        return
    printed = g.facts.generals.get(one.name, {}).get("popularity", 0)
    if printed:
        yield one.name, printed
    if g.popularity[one.name]:
        yield "independents_beaten", g.popularity[one.name]
    if g.oratory[one.name]:
        yield "oratory", g.oratory[one.name]
    if defending and on_sacred_ground(g, space_of(location), side):
        yield "sacred_ground", g.facts.tables["popularity_values"]["sacred_ground_defender"]
    bonus = abilities.prestige_bonus(g, location, side, defending=defending)
    if bonus:
        yield abilities.key_of(g, location, side), bonus


def on_sacred_ground(g: Game, space: str, side: str) -> bool:
    """7.2 F Beside the Funeral Cart that the faction controls, or the Tomb in a space that it controls."""
    cart, tomb = g.royals[CART], g.royals[TOMB]
    return space_of(cart.at) == space and cart.seat == side or space_of(tomb.at) == space and g.controller(space) == side


def prestige_parts(g: Game, location: str, side: str, *, defending: bool = False) -> list[tuple[str, int]]:
    """7.2 F Prestige, part by part: Legitimacy now, and Popularity. Independents have none."""
    if side == INDEPENDENT:
        return []
    return [("legitimacy", victory.legitimacy(g, side)), *popularity_parts(g, location, side, defending=defending)]


def prestige(g: Game, location: str, side: str, *, defending: bool = False) -> int:
    """7.2 F Never below 0."""
    return max(0, sum(number for _, number in prestige_parts(g, location, side, defending=defending)))


def compare(g: Game, space: str, sides: Iterable[tuple[str, str, bool]]) -> dict[str, int]:
    """7.2 F The Prestige of each side, told with its parts. A side is (faction, location, is it defending a battle)."""
    compared, values = {}, {}
    for side, location, defending in sides:
        values[side] = prestige(g, location, side, defending=defending)
        compared[side] = {"total": values[side], "parts": prestige_parts(g, location, side, defending=defending)}
    g.tell(ALL, "prestige_compared", space=space, sides=compared)
    return values


# --- Royal Army CUs ----------------------------------------------------------------------------------------------


def has_royals(g: Game, location: str, sides: Iterable[str]) -> bool:
    return any(g.kinds(location, side)["royal"] for side in sides)


def only_royals(g: Game, location: str, side: str) -> bool:
    return set(g.kinds(location, side)) == {"royal"}


@at_once
def royal_army(g: Game, way: Way, foes: list[str]) -> None:
    """10 K A side of nothing but Royal Army CUs that has less Prestige goes over, and no battle takes place. Status
    that was lost at H counts no more (B8).

    Where other CUs stand beside them they are set apart in the battle itself (14.4), once it is known who came out of
    the city and who commands.
    """
    space = space_of(way.target)
    for foe in foes:
        if not (only_royals(g, way.target, way.seat) or only_royals(g, way.target, foe)):
            continue
        values = compare(g, space, [(way.seat, way.target, False), (foe, way.target, True)])
        for side, other in ((way.seat, foe), (foe, way.seat)):
            if side == way.seat and g.rules.royals_alone_desert == "defender":
                continue
            if only_royals(g, way.target, side) and values[side] < values[other]:
                defect(g, side, way.target, other, way.target)
                for one in g.generals_at(way.target, side):
                    ownership.disperse_general(g, one, other)
                break
        if not g.count(way.target, way.seat):
            return


def defect(g: Game, side: str, location: str, to: str, there: str, *, fought: bool = False) -> None:
    """7.2 F The Royal Army CUs of a side go over; with the faction of the activated General they count as moved by him."""
    royals = {unit: number for unit, number in g.units(location, side).items() if unit.kind == "royal"}
    act = g.activation
    mover = act.seat if act is not None else ""
    past = Past(act.key if act is not None and mover == to else FRESH.mover, False, fought)
    g.remove(location, side, royals)
    g.add(there, to, {Unit("royal", past): sum(royals.values())})
    g.tell(ALL, "royals_defected", seat=side, to=to, space=space_of(location), count=sum(royals.values()))
