"""What the rulebooks state or imply about the map, line by line: by their own words, and by what happens in their examples.

`data/examples.yaml` names the file and the section of each line, and of which kind it is; here stands what a kind means.
Where one space is wanted a list means one of these, and `{provinces: [...]}` any space of these Provinces.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.paths import data_dir
from pbem.components.board import ALL, LAND, PLACING, SEA, Board
from pbem.components.catalogue import Facts

MODES = {"land": LAND, "sea": SEA, "any": PLACING, "all": ALL}
EVERY_GAME = [2, 3, 4, 5]
Check = Callable[..., bool]
CHECKS: dict[str, Check] = {}


class Printed(NamedTuple):
    """The board and the pieces that are looked at."""

    facts: Facts
    board: Board


def examples() -> list[Mapping[str, Any]]:
    """All of them, those of other editions too."""
    return list(yamlfile.load(data_dir() / "examples.yaml")["constraints"])


def broken(facts: Facts) -> Iterator[Mapping[str, Any]]:
    """Those of the 4th edition that do not hold on a board."""
    on = Printed(facts, Board(facts))
    return (one for one in examples() if one["edition"] == 4 and not is_true(on, one))


def is_true(on: Printed, example: Mapping[str, Any]) -> bool:
    """What speaks of something that this board does not have, does not hold."""
    try:
        return CHECKS[example["kind"]](on, **example["args"])
    except (KeyError, TypeError):
        return False


def check(*kinds: str) -> Callable[[Check], Check]:
    def register(function: Check) -> Check:
        CHECKS.update(dict.fromkeys(kinds, function))
        return function
    return register


# --- small questions ----------------------------------------------------------------------------------------

def space_called(on: Printed, name: str) -> str | None:
    """The space that a spelling belongs to."""
    for space, fact in on.facts.spaces.items():
        if name.lower() in (space, fact["name"].lower(), *(a.lower() for a in fact["aliases"])):
            return space
    return None


def choices(on: Printed, spec: Any) -> list[str]:
    """A space, one of several, or any of some provinces."""
    if isinstance(spec, str):
        return [spec]
    return spec if isinstance(spec, list) else [s for p in spec["provinces"] for s in on.board.spaces_of(p)]


def distance(on: Printed, a: Any, b: Any, by: str) -> int | None:
    found = [on.board.distances(x, MODES[by]).get(y) for x in choices(on, a) for y in choices(on, b)]
    return min((d for d in found if d is not None), default=None)


def joined(on: Printed, a: Any, b: Any, kind: str) -> bool:
    types = on.board.path_types(a, b)
    return bool(set(types) & set(LAND)) if kind == "any" else kind in types


def independent(on: Printed, space: str, players: int) -> bool:
    return players in on.facts.spaces[space]["independent"]


def always_independent(on: Printed, province: str) -> list[str]:
    return [s for s in on.board.spaces_of(province) if all(independent(on, s, n) for n in EVERY_GAME)]


def free_at_start(on: Printed, province: str) -> int:
    return len(on.board.spaces_of(province)) - len(always_independent(on, province))


def controls(on: Printed, province: str, spaces: list[str]) -> bool:
    """2. Would somebody holding exactly these control the Province?"""
    held = [s for s in spaces if s in on.board.spaces_of(province)]
    return len(held) >= on.board.majority(province) and on.board.major_city_of(province) in (None, *held)


def transits(on: Printed) -> list[str]:
    return [s for s in on.board.spaces if on.board.is_transit(s)]


def fleet(on: Printed, owner: str) -> dict[str, Any]:
    return on.facts.fleets[owner]


# --- provinces and regions ----------------------------------------------------------------------------------

@check("province_count")
def _(on: Printed, n: int) -> bool:
    return len(on.board.provinces) == n


@check("province_exists")
def _(on: Printed, province: str) -> bool:
    return province in on.board.provinces


@check("province_absent")
def _(on: Printed, name: str) -> bool:
    spellings = [n.lower() for p in on.facts.provinces.values() for n in (p["name"], *p["aliases"])]
    return name.lower() not in spellings


@check("region", "region_has")
def _(on: Printed, province: str, region: str) -> bool:
    return on.board.region(province) == region


@check("region_members")
def _(on: Printed, region: str, provinces: list[str]) -> bool:
    return {p for p in on.board.provinces if on.board.region(p) == region} == set(provinces)


@check("region_rest")
def _(on: Printed, region: str) -> bool:
    return {on.board.region(p) for p in on.board.provinces} <= {"europe", "africa", "islands", region}


@check("vp")
def _(on: Printed, province: str, n: int) -> bool:
    return on.board.vp(province) == n


@check("vp_sum")
def _(on: Printed, provinces: list[str], n: int) -> bool:
    return sum(on.board.vp(p) for p in provinces) == n


@check("majority")
def _(on: Printed, province: str, n: int) -> bool:
    return on.board.majority(province) == n


@check("province_spaces")
def _(on: Printed, province: str, n: int) -> bool:
    return len(on.board.spaces_of(province)) == n


@check("province_spaces_min")
def _(on: Printed, province: str, n: int) -> bool:
    return len(on.board.spaces_of(province)) >= n


@check("province_members", "start_choice")
def _(on: Printed, province: str, spaces: list[str]) -> bool:
    return set(on.board.spaces_of(province)) == set(spaces)


@check("adjacent_provinces")
def _(on: Printed, a: Any, b: Any, type: str | None = None) -> bool:
    kinds = {kind for x, y, kind in on.facts.paths if {on.board.province_of(x), on.board.province_of(y)} == {a, b}}
    return b in on.board.province_neighbours(a) and (type is None or type in kinds)


@check("lord_of_asia")
def _(on: Printed, provinces: list[str]) -> bool:
    return bool(on.facts.tables["vp_bonus"]["lord_of_asia_provinces"] == provinces)


@check("no_major")
def _(on: Printed, province: str) -> bool:
    return on.board.major_city_of(province) is None


@check("control_by")
def _(on: Printed, province: str, spaces: list[str]) -> bool:
    return set(spaces) <= set(on.board.spaces_of(province)) and controls(on, province, spaces)


@check("control_not_by")
def _(on: Printed, province: str, spaces: list[str]) -> bool:
    return not controls(on, province, spaces)


@check("control_with")
def _(on: Printed, province: str, n: int, without: list[str]) -> bool:
    """Some n spaces, none of them in `without`, are enough."""
    enough = len(set(on.board.spaces_of(province)) - set(without)) >= n >= on.board.majority(province)
    return enough and on.board.major_city_of(province) not in without


@check("setup_pcs")
def _(on: Printed, province: str, n: int) -> bool:
    return free_at_start(on, province) >= n


@check("setup_fills")
def _(on: Printed, province: str, n: int) -> bool:
    return free_at_start(on, province) == n


# --- spaces -------------------------------------------------------------------------------------------------

@check("space_exists")
def _(on: Printed, space: str) -> bool:
    return space in on.board.spaces


@check("distinct")
def _(on: Printed, names: list[str]) -> bool:
    found = {space_called(on, n) for n in names}
    return len(found) == len(names) and None not in found


@check("province_of")
def _(on: Printed, space: str, province: str) -> bool:
    return on.board.province_of(space) == province


@check("kind")
def _(on: Printed, space: str, kind: str) -> bool:
    return on.board.kind(space) == kind


@check("port")
def _(on: Printed, space: str) -> bool:
    return on.board.is_port(space)


@check("only_sea")
def _(on: Printed, space: str) -> bool:
    return not on.board.adjacent(space)


@check("hellespont")
def _(on: Printed, space: str) -> bool:
    return space in on.board.hellespont


@check("hellespont_count")
def _(on: Printed, n: int) -> bool:
    return len(on.board.hellespont) == n and all(on.board.is_port(s) for s in on.board.hellespont)


@check("treasure")
def _(on: Printed, space: str) -> bool:
    return space in on.board.treasure_cities


@check("treasure_count")
def _(on: Printed, n: int) -> bool:
    return len(on.board.treasure_cities) == n


@check("siege_modifier")
def _(on: Printed, space: str, n: int) -> bool:
    return on.board.siege_mod(space) == n


@check("independent")
def _(on: Printed, space: str, players: list[int]) -> bool:
    return [n for n in EVERY_GAME if space in on.board.independent_at_start(n)] == sorted(players)


@check("not_independent")
def _(on: Printed, space: str) -> bool:
    return not any(independent(on, space, n) for n in EVERY_GAME)


@check("independent_only")
def _(on: Printed, province: str, spaces: list[str], players: list[int]) -> bool:
    return all({s for s in on.board.spaces_of(province) if independent(on, s, n)} == set(spaces) for n in players)


@check("independent_some")
def _(on: Printed, province: str, players: list[int], besides: list[str]) -> bool:
    rest = set(on.board.spaces_of(province)) - set(besides)
    return all(any(independent(on, s, n) for s in rest) for n in players)


@check("independents_min")
def _(on: Printed, province: str, n: int) -> bool:
    return len(always_independent(on, province)) >= n


@check("independent_max")
def _(on: Printed, n: int) -> bool:
    return all(len(on.board.independent_at_start(players)) <= n for players in EVERY_GAME)


@check("independent_bridge")
def _(on: Printed, a: Any, b: Any) -> bool:
    """An independent space of one province borders the other, or lies between the two."""
    gray = [s for s in on.board.spaces if on.facts.spaces[s]["independent"]]
    return any({a, b} <= {on.board.province_of(x) for x in (s, *on.board.adjacent(s))} for s in gray)


# --- fleets, boxes, armies ----------------------------------------------------------------------------------

@check("fleet_count")
def _(on: Printed, n: int) -> bool:
    return len(on.facts.fleets) == n


@check("fleet_owner")
def _(on: Printed, owner: str) -> bool:
    return fleet(on, owner) is not None and fleet(on, owner)["control"]["place"] == owner


@check("fleet_by_card")
def _(on: Printed, owner: str) -> bool:
    return fleet(on, owner) is not None and fleet(on, owner)["control"]["type"] == "card"


@check("fleet")
def _(on: Printed, owner: str, normal: int | None = None, upgraded: int | None = None) -> bool:
    token = fleet(on, owner)
    return normal in (None, token["normal"]) and upgraded in (None, token["upgraded"])


@check("fleet_sum")
def _(on: Printed, owners: list[str], side: str, n: int) -> bool:
    return bool(sum(fleet(on, o)[side] for o in owners) == n)


@check("fleet_sum_max")
def _(on: Printed, owners: list[str], side: str, n: int) -> bool:
    return bool(sum(fleet(on, o)[side] for o in owners) <= n)


@check("box")
def _(on: Printed, box: str) -> bool:
    return box in on.facts.boxes


@check("start_army")
def _(on: Printed, army: str, space: str) -> bool:
    return bool(on.facts.independents[army]["start"] == space)


@check("start_army_name")
def _(on: Printed, army: str, name: str) -> bool:
    return bool(on.facts.independents[army]["start"] == (space_called(on, name) or name))


@check("box_army")
def _(on: Printed, army: str) -> bool:
    return bool(on.facts.independents[army]["start"] == "box")


@check("entry_min")
def _(on: Printed, army: str, n: int) -> bool:
    return len(on.facts.independents[army]["entries"]) >= n


@check("entry_reach")
def _(on: Printed, army: str, province: str, mp: int) -> bool:
    """Leaving its box for 1 MP the army can be in the province within mp."""
    entries = on.facts.independents[army]["entries"]
    near = {s for e in entries for s in on.board.distances(e, LAND, limit=mp - 1)}
    return bool(near & set(on.board.spaces_of(province)))


# --- paths and distances ------------------------------------------------------------------------------------

@check("path")
def _(on: Printed, a: Any, b: Any, type: str) -> bool:
    return type in on.board.path_types(a, b)


@check("no_path")
def _(on: Printed, a: Any, b: Any) -> bool:
    return not on.board.path_types(a, b)


@check("adjacent")
def _(on: Printed, a: Any, b: Any) -> bool:
    return b in on.board.adjacent(a)


@check("transit_between")
def _(on: Printed, a: Any, b: Any, type1: str, type2: str) -> bool:
    return any(joined(on, a, t, type1) and joined(on, t, b, type2) for t in transits(on))


@check("transit_near")
def _(on: Printed, space: str, type: str) -> bool:
    return any(joined(on, space, t, type) for t in transits(on))


@check("exits")
def _(on: Printed, space: str, spaces: list[str], transit: str) -> bool:
    """Its 1-MP neighbours are these; besides them only a transit point by a path of type `transit`."""
    far = [(t, kind) for t, kind, cost in on.board.paths(space) if cost > 1]
    return ({t for t, _, cost in on.board.paths(space) if cost == 1} == set(spaces)
            and all(kind == transit and on.board.is_transit(t) for t, kind in far))


@check("cost")
def _(on: Printed, a: Any, b: Any, by: str, mp: int) -> bool:
    return distance(on, a, b, by) == mp


@check("within")
def _(on: Printed, a: Any, b: Any, by: str, mp: int) -> bool:
    found = distance(on, a, b, by)
    return found is not None and found <= mp


@check("beyond")
def _(on: Printed, a: Any, b: Any, by: str, mp: int) -> bool:
    found = distance(on, a, b, by)
    return found is None or found > mp


@check("via_within")
def _(on: Printed, a: Any, b: Any, via: Any, by: str, mp: int) -> bool:
    legs = [distance(on, a, via, by), distance(on, via, b, by)]
    return sum(one for one in legs if one is not None) <= mp and None not in legs


@check("route")
def _(on: Printed, spaces: list[str], by: str, mp: int) -> bool:
    steps = [on.board.cost(a, b, MODES[by]) for a, b in pairwise(spaces)]
    return sum(one for one in steps if one is not None) == mp and None not in steps


@check("reach_in_province")
def _(on: Printed, from_province: str, from_spaces: list[str], province: str, by: str, mp: int, n: int) -> bool:
    """At least n spaces of the province lie within mp of the other province, or of the listed spaces."""
    starts = [*on.board.spaces_of(from_province), *from_spaces]
    near = {s for start in starts for s in on.board.distances(start, MODES[by], limit=mp)}
    return len((near & set(on.board.spaces_of(province))) - set(from_spaces)) >= n


@check("cut")
def _(on: Printed, a: Any, b: Any, spaces: list[str]) -> bool:
    """Without these spaces there is no way from a to b, over any path."""
    return on.board.trace([a], lambda s: s not in spaces, lambda s: s == b) is None


@check("west_of")
def _(on: Printed, a: Any, b: Any) -> bool:
    return on.board.west_of(a, b)


@check("pontos_ports_min")
def _(on: Printed, n: int) -> bool:
    """n ports or more of the Black Sea, joined to each other by sea."""
    reached = on.board.distances(on.board.pontos[0], ("sea",), passable=lambda s: s in on.board.pontos)
    return len(on.board.pontos) >= n and set(reached) == set(on.board.pontos)
