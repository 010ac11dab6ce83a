"""What the rulebooks state or imply about the map, line by line, held against the board the engine plays on.

tests/data/board-constraints.yaml names file and section for each line. Those under `known_conflicts` belong
to other editions and must go on failing; one that holds is to be struck out there.
"""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from pbem.components.board import ALL, LAND, PLACING, SEA, Board
from pbem.components.catalogue import facts
from pbem.components.sources import files

FILE = yaml.load((Path(__file__).parent / "data" / "board-constraints.yaml").read_bytes(), yaml.CSafeLoader)
CONSTRAINTS = FILE["constraints"]
CONFLICTS = {c["id"] for c in FILE["known_conflicts"]}
FACTS = facts()
BOARD = Board(FACTS)
MODES = {"land": LAND, "sea": SEA, "any": PLACING, "all": ALL}
EVERY_GAME = [2, 3, 4, 5]
CHECKS = {}


def check(*kinds):
    def register(function):
        CHECKS.update(dict.fromkeys(kinds, function))
        return function
    return register


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda c: c["id"])
def test_board_agrees_with_the_texts(constraint):
    holds = CHECKS[constraint["kind"]](**constraint["args"])
    assert holds is (constraint["id"] not in CONFLICTS), constraint["quote_ref"]


def test_constraints_are_well_formed():
    assert [i for i, n in Counter(c["id"] for c in CONSTRAINTS).items() if n > 1] == []
    by_id = {c["id"]: c for c in CONSTRAINTS}
    assert all(by_id[i]["edition"] != 4 for i in CONFLICTS)
    assert {c["confidence"] for c in CONSTRAINTS} == {"stated", "implied"}


# --- small questions ----------------------------------------------------------------------------------------

def space_called(name):
    """The space that a spelling belongs to."""
    for space, fact in FACTS.spaces.items():
        if name.lower() in (space, fact["name"].lower(), *(a.lower() for a in fact["aliases"])):
            return space
    return None


def choices(spec):
    """A space, one of several, or any of some provinces."""
    if isinstance(spec, str):
        return [spec]
    return spec if isinstance(spec, list) else [s for p in spec["provinces"] for s in BOARD.spaces_of(p)]


def distance(a, b, by):
    found = [BOARD.distances(x, MODES[by]).get(y) for x in choices(a) for y in choices(b)]
    return min((d for d in found if d is not None), default=None)


def joined(a, b, kind):
    types = BOARD.path_types(a, b)
    return bool(set(types) & set(LAND)) if kind == "any" else kind in types


def independent(space, players):
    return players in FACTS.spaces[space]["independent"]


def always_independent(province):
    return [s for s in BOARD.spaces_of(province) if all(independent(s, n) for n in EVERY_GAME)]


def free_at_start(province):
    return len(BOARD.spaces_of(province)) - len(always_independent(province))


def controls(province, spaces):
    """2. Would somebody holding exactly these control the Province?"""
    held = [s for s in spaces if s in BOARD.spaces_of(province)]
    return len(held) >= BOARD.majority(province) and BOARD.major_city_of(province) in (None, *held)


def transits():
    return [s for s in BOARD.spaces if BOARD.is_transit(s)]


def fleet(owner):
    return FACTS.fleets.get(owner)


# --- provinces and regions ----------------------------------------------------------------------------------

@check("province_count")
def _(n):
    return len(BOARD.provinces) == n


@check("province_exists")
def _(province):
    return province in BOARD.provinces


@check("province_absent")
def _(name):
    spellings = [n.lower() for p in FACTS.provinces.values() for n in (p["name"], *p["aliases"])]
    return name.lower() not in spellings


@check("region", "region_has")
def _(province, region):
    return BOARD.region(province) == region


@check("region_members")
def _(region, provinces):
    return {p for p in BOARD.provinces if BOARD.region(p) == region} == set(provinces)


@check("region_rest")
def _(region):
    return {BOARD.region(p) for p in BOARD.provinces} <= {"europe", "africa", "islands", region}


@check("vp")
def _(province, n):
    return BOARD.vp(province) == n


@check("vp_sum")
def _(provinces, n):
    return sum(BOARD.vp(p) for p in provinces) == n


@check("majority")
def _(province, n):
    return BOARD.majority(province) == n


@check("province_spaces")
def _(province, n):
    return len(BOARD.spaces_of(province)) == n


@check("province_spaces_min")
def _(province, n):
    return len(BOARD.spaces_of(province)) >= n


@check("province_members", "start_choice")
def _(province, spaces):
    return set(BOARD.spaces_of(province)) == set(spaces)


@check("adjacent_provinces")
def _(a, b, type=None):
    kinds = {kind for x, y, kind in FACTS.paths if {BOARD.province_of(x), BOARD.province_of(y)} == {a, b}}
    return b in BOARD.province_neighbours(a) and (type is None or type in kinds)


@check("lord_of_asia")
def _(provinces):
    return FACTS.tables["vp_bonus"]["lord_of_asia_provinces"] == provinces


@check("no_major")
def _(province):
    return BOARD.major_city_of(province) is None


@check("control_by")
def _(province, spaces):
    return set(spaces) <= set(BOARD.spaces_of(province)) and controls(province, spaces)


@check("control_not_by")
def _(province, spaces):
    return not controls(province, spaces)


@check("control_with")
def _(province, n, without):
    """Some n spaces, none of them in `without`, are enough."""
    enough = len(set(BOARD.spaces_of(province)) - set(without)) >= n >= BOARD.majority(province)
    return enough and BOARD.major_city_of(province) not in without


@check("setup_pcs")
def _(province, n):
    return free_at_start(province) >= n


@check("setup_fills")
def _(province, n):
    return free_at_start(province) == n


# --- spaces -------------------------------------------------------------------------------------------------

@check("space_exists")
def _(space):
    return space in BOARD.spaces


@check("distinct")
def _(names):
    found = {space_called(n) for n in names}
    return len(found) == len(names) and None not in found


@check("province_of")
def _(space, province):
    return BOARD.province_of(space) == province


@check("kind")
def _(space, kind):
    return BOARD.kind(space) == kind


@check("port")
def _(space):
    return BOARD.is_port(space)


@check("only_sea")
def _(space):
    return not BOARD.adjacent(space)


@check("hellespont")
def _(space):
    return space in BOARD.hellespont


@check("hellespont_count")
def _(n):
    return len(BOARD.hellespont) == n and all(BOARD.is_port(s) for s in BOARD.hellespont)


@check("treasure")
def _(space):
    return space in BOARD.treasure_cities


@check("treasure_count")
def _(n):
    return len(BOARD.treasure_cities) == n


@check("siege_modifier")
def _(space, n):
    return BOARD.siege_mod(space) == n


@check("independent")
def _(space, players):
    return [n for n in EVERY_GAME if space in BOARD.independent_at_start(n)] == sorted(players)


@check("not_independent")
def _(space):
    return not any(independent(space, n) for n in EVERY_GAME)


@check("independent_only")
def _(province, spaces, players):
    return all({s for s in BOARD.spaces_of(province) if independent(s, n)} == set(spaces) for n in players)


@check("independent_some")
def _(province, players, besides):
    rest = set(BOARD.spaces_of(province)) - set(besides)
    return all(any(independent(s, n) for s in rest) for n in players)


@check("independents_min")
def _(province, n):
    return len(always_independent(province)) >= n


@check("independent_max")
def _(n):
    return all(len(BOARD.independent_at_start(players)) <= n for players in EVERY_GAME)


@check("independent_bridge")
def _(a, b):
    """An independent space of one province borders the other, or lies between the two."""
    gray = [s for s in BOARD.spaces if FACTS.spaces[s]["independent"]]
    return any({a, b} <= {BOARD.province_of(x) for x in (s, *BOARD.adjacent(s))} for s in gray)


# --- fleets, boxes, armies ----------------------------------------------------------------------------------

@check("fleet_count")
def _(n):
    return len(FACTS.fleets) == n


@check("fleet_owner")
def _(owner):
    return fleet(owner) is not None and fleet(owner)["control"]["place"] == owner


@check("fleet_by_card")
def _(owner):
    return fleet(owner) is not None and fleet(owner)["control"]["type"] == "card"


@check("fleet")
def _(owner, normal=None, upgraded=None):
    token = fleet(owner)
    return normal in (None, token["normal"]) and upgraded in (None, token["upgraded"])


@check("fleet_sum")
def _(owners, side, n):
    return sum(fleet(o)[side] for o in owners) == n


@check("fleet_sum_max")
def _(owners, side, n):
    return sum(fleet(o)[side] for o in owners) <= n


@check("box")
def _(box):
    return box in FACTS.boxes


@check("start_army")
def _(army, space):
    return FACTS.independents[army]["start"] == space


@check("start_army_name")
def _(army, name):
    return FACTS.independents[army]["start"] == (space_called(name) or name)


@check("box_army")
def _(army):
    return FACTS.independents[army]["start"] == "box"


@check("entry_min")
def _(army, n):
    return len(FACTS.independents[army]["entries"]) >= n


@check("entry_reach")
def _(army, province, mp):
    """Leaving its box for 1 MP the army can be in the province within mp."""
    entries = FACTS.independents[army]["entries"]
    near = {s for e in entries for s in BOARD.distances(e, LAND, limit=mp - 1)}
    return bool(near & set(BOARD.spaces_of(province)))


# --- paths and distances ------------------------------------------------------------------------------------

@check("path")
def _(a, b, type):
    return type in BOARD.path_types(a, b)


@check("no_path")
def _(a, b):
    return not BOARD.path_types(a, b)


@check("adjacent")
def _(a, b):
    return b in BOARD.adjacent(a)


@check("transit_between")
def _(a, b, type1, type2):
    return any(joined(a, t, type1) and joined(t, b, type2) for t in transits())


@check("transit_near")
def _(space, type):
    return any(joined(space, t, type) for t in transits())


@check("exits")
def _(space, spaces, transit):
    """Its 1-MP neighbours are these; besides them only a transit point by a path of type `transit`."""
    far = [(t, kind) for t, kind, cost in BOARD.paths(space) if cost > 1]
    return ({t for t, _, cost in BOARD.paths(space) if cost == 1} == set(spaces)
            and all(kind == transit and BOARD.is_transit(t) for t, kind in far))


@check("cost")
def _(a, b, by, mp):
    return distance(a, b, by) == mp


@check("within")
def _(a, b, by, mp):
    found = distance(a, b, by)
    return found is not None and found <= mp


@check("beyond")
def _(a, b, by, mp):
    found = distance(a, b, by)
    return found is None or found > mp


@check("via_within")
def _(a, b, via, by, mp):
    legs = [distance(a, via, by), distance(via, b, by)]
    return None not in legs and sum(legs) <= mp


@check("route")
def _(spaces, by, mp):
    steps = [BOARD.cost(a, b, MODES[by]) for a, b in pairwise(spaces)]
    return None not in steps and sum(steps) == mp


@check("reach_in_province")
def _(from_province, from_spaces, province, by, mp, n):
    """At least n spaces of the province lie within mp of the other province, or of the listed spaces."""
    starts = [*BOARD.spaces_of(from_province), *from_spaces]
    near = {s for start in starts for s in BOARD.distances(start, MODES[by], limit=mp)}
    return len((near & set(BOARD.spaces_of(province))) - set(from_spaces)) >= n


@check("cut")
def _(a, b, spaces):
    """Without these spaces there is no way from a to b, over any path."""
    return BOARD.trace([a], lambda s: s not in spaces, lambda s: s == b) is None


@check("west_of")
def _(a, b):
    return BOARD.west_of(a, b)


@check("pontos_ports_min")
def _(n):
    """n ports or more of the Black Sea, joined to each other by sea."""
    reached = BOARD.distances(BOARD.pontos[0], ("sea",), passable=lambda s: s in BOARD.pontos)
    return len(BOARD.pontos) >= n and set(reached) == set(BOARD.pontos)


# --- board.yaml itself --------------------------------------------------------------------------------------

YAML = files()["board"]


def test_ids_are_the_names_in_plain_letters():
    plain = [x for x in (*YAML["provinces"], *YAML["spaces"]) if x.get("kind") != "transit"]
    assert [x["id"] for x in plain if re.sub(r"[^a-z]+", "_", x["name"].lower()).strip("_") != x["id"]] == []
    assert all(s["id"].startswith("tp_") for s in YAML["spaces"] if s["kind"] == "transit")


@pytest.mark.parametrize("part", ["provinces", "spaces"])
def test_every_spelling_belongs_to_one_thing_only(part):
    owners = Counter(n for x in YAML[part] for n in {n.lower() for n in (x["name"], *x["aliases"])})
    assert [name for name, n in owners.items() if n > 1] == []


def test_names_of_other_editions_are_aliases():
    assert [c["name"] for c in YAML["counterparts"] if space_called(c["name"]) != c["space"]] == []


def test_places_lie_between_epeiros_and_hyrkania():
    for space in BOARD.spaces:
        lat, lon = BOARD.lat_lon(space)
        assert 22 < lat < 48 and 17 < lon < 62, space


def test_transit_points_carry_no_mark_of_a_city():
    marks = ("independent", "hellespont", "treasure", "siege_modifier", "pontos")
    assert [t for t in transits() if any(FACTS.spaces[t][mark] for mark in marks)] == []


def test_the_map_hangs_together():
    assert set(BOARD.distances("pella", ALL)) == set(BOARD.spaces)
    mainland = set(BOARD.distances("pella", LAND))
    assert len(mainland) >= 0.9 * len(BOARD.spaces)
    for cut_off in set(BOARD.spaces) - mainland:
        assert any(BOARD.is_port(s) for s in BOARD.distances(cut_off, LAND)), cut_off


def test_board_and_fleets_file_agree_on_the_tokens():
    on_board = {x["id"]: x["fleet"] for x in (*YAML["provinces"], *YAML["spaces"]) if "fleet" in x}
    assert set(on_board) == set(FACTS.fleets)
    for owner, token in on_board.items():
        assert {side: fleet(owner)[side] for side in ("normal", "upgraded")}.items() <= token.items(), owner


def test_every_source_of_the_board_exists():
    known = {c["id"]: c.get("source", "seed") for c in CONSTRAINTS}
    cited = [(x["id"], field, text) for part in ("provinces", "spaces", "independent_armies")
             for x in YAML[part] for field, text in x["src"].items()]
    cited += [(f"{p['a']}-{p['b']}", p["type"], p["src"]) for p in YAML["paths"]]
    wrong = [where for where in cited if not real_source(where[2], known)]
    assert wrong == []


def real_source(text, known):
    if text in ("reconstructed", "box"):
        return True
    source, _, constraint = text.partition(" ")
    return known.get(constraint) == source
