"""The board: look-ups, path costs, blocking, sea reach, traces, and the ways an army may take."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.components.board import ALL, LAND, MOST_PATHS, PLACING, Board
from pbem.components.catalogue import facts

B = Board(facts())
spaces = st.sampled_from(B.spaces)
some_spaces = st.frozensets(spaces, max_size=25)


# --- 2. spaces and provinces --------------------------------------------------------------------------------

def test_kypros_is_one_minor_and_one_major_city():
    """2, example"""
    assert set(B.spaces_of("kypros")) == {"paphos", "salamis"}
    assert B.major_city_of("kypros") == "salamis"
    assert (B.kind("paphos"), B.kind("salamis")) == ("minor", "major")
    assert B.majority("kypros") == 2


def test_straits_make_provinces_adjacent():
    """2, example of Thrake"""
    assert {"mikra_phrygia", "bithynia"} <= set(B.province_neighbours("thrake"))


def test_provinces_joined_only_by_sea_are_not_adjacent():
    assert B.province_neighbours("kypros") == ()


def test_transit_points_do_not_count_for_their_province():
    transit = next(s for s in B.spaces if B.is_transit(s) and B.province_of(s) == "karia")
    assert transit not in B.spaces_of("karia")
    assert len(B.spaces_of("karia")) == 2


def test_province_without_a_major_city():
    assert B.major_city_of("thrake") is None


def test_what_a_province_is_worth():
    """4.6"""
    assert [B.vp(p) for p in ("aigyptos", "babylonia", "makedonia", "koile_syria")] == [6, 4, 3, 1]
    assert {p for p in B.provinces if B.region(p) == "africa"} == {"aigyptos", "libye"}


def test_marks_of_cities():
    """3.5, 15.2 B, card Treasure City Looted"""
    modified = {s: B.siege_mod(s) for s in B.spaces if B.siege_mod(s)}
    assert modified == {"rhodos": -1, "memphis": 1, "babylon": 1}
    assert set(B.treasure_cities) == {"babylon", "sousa", "ekbatana"}
    assert set(B.hellespont) == {"abydos", "daskyleion", "chersonesos", "byzantion", "astakos"}
    assert all(B.is_port(s) for s in (*B.hellespont, *B.pontos))


def test_apollonia_alone_is_independent_in_thrake_with_three_or_five():
    """4.1 E"""
    for players in (3, 5):
        assert [s for s in B.independent_at_start(players) if B.province_of(s) == "thrake"] == ["apollonia"]
    assert set(B.spaces_of("thrake")) <= set(B.independent_at_start(4))


def test_philon_goes_west():
    """9.5"""
    assert B.west_of("ekbatana", "hekatompylos")
    assert not B.west_of("hekatompylos", "ekbatana")
    assert not B.west_of("pella", "pella")


def test_lists_follow_the_board():
    assert B.spaces[0] == "pella"
    for province in B.provinces:
        assert list(B.spaces_of(province)) == sorted(B.spaces_of(province), key=B.index.__getitem__)


# --- 9.3 A paths --------------------------------------------------------------------------------------------

def test_path_costs():
    assert B.COST == {"land": 1, "mountain": 2, "strait": 2, "sea": 1, "trans": 2}


@pytest.mark.parametrize(("a", "b", "cost"), [
    ("lamia", "larisa", 1), ("larisa", "pella", 1), ("halikarnassos", "ephesos", 1),
    ("ephesos", "sardeis", 1), ("ikonion", "dana", 1), ("pisidai", "aspendos", 1), ("tyros", "ake", 1),
    ("abydos", "chersonesos", 2), ("byzantion", "astakos", 2), ("aspendos", "tp_isauria", 2),
    ("halikarnassos", "tp_maiandros", 1), ("tp_maiandros", "pisidai", 1),
])
def test_what_a_step_costs_by_land(a, b, cost):
    assert B.cost(a, b) == B.cost(b, a) == cost


def test_two_paths_between_the_same_spaces():
    """13.2: across the Hellespont by strait for 2 or by sea for 1"""
    assert set(B.path_types("abydos", "chersonesos")) == {"strait", "sea"}
    assert B.cost("abydos", "chersonesos", ALL) == 1


def test_no_path_no_cost():
    assert B.cost("pella", "babylon") is None
    assert B.path_types("pella", "babylon") == ()


def test_kinds_of_neighbours():
    assert "chersonesos" in B.adjacent("abydos")
    assert "chersonesos" not in B.land_paths("abydos")
    assert "kyklades" in B.sea_paths("athenai")
    assert B.adjacent("kyklades") == ()
    assert "alexandria" not in B.sea_paths("rhodos")
    assert ("alexandria", "trans", 2) in B.paths("rhodos")


# --- 6.2 B2 distances ---------------------------------------------------------------------------------------

def test_placing_pcs_from_kelainai():
    """6.2 B2, example: through the Transit Point, but neither past Sardeis nor as far as Lesbos"""
    reached = B.distances("kelainai", passable=lambda s: s != "sardeis", limit=2)
    assert {"ephesos", "halikarnassos", "xanthos"} <= set(reached)
    assert not {"sardeis", "pergamon", "lesbos"} & set(reached)
    assert "pergamon" in B.distances("kelainai", limit=2)


def test_the_start_counts_even_where_nobody_may_pass():
    assert B.distances("kelainai", passable=lambda s: False) == {"kelainai": 0}


def test_distance_never_crosses_the_open_sea():
    assert "alexandria" not in B.distances("rhodos", limit=2)
    assert B.distances("rhodos", ALL, limit=2)["alexandria"] == 2


def test_limit_cuts_a_costly_step():
    assert "chersonesos" not in B.distances("abydos", LAND, limit=1)
    assert B.distances("abydos", LAND, limit=2)["chersonesos"] == 2


# --- 13.3 A sea reach ---------------------------------------------------------------------------------------

def test_naval_battles_reach_two_spaces():
    assert B.sea_reach("gaza", 0) == {"gaza"}
    assert B.sea_reach("gaza", 1) == {"gaza", "ake", "pelousion"}
    assert B.sea_reach("gaza", 2) == {"gaza", "ake", "pelousion", "tyros", "alexandria"}


def test_sea_reach_ignores_trans_mediterranean_and_land():
    assert "alexandria" not in B.sea_reach("rhodos", 2)
    assert B.sea_reach("sardeis", 2) == {"sardeis"}


# --- 5.5 isolation ------------------------------------------------------------------------------------------

def at(*goals):
    return lambda space: space in goals


def not_at(*barred):
    return lambda space: space not in barred


def test_philon_cuts_hekatompylos_off():
    """5.5, example"""
    assert B.trace(["hekatompylos"], not_at("rhagai", "mardoi"), at("ekbatana")) is None
    way = B.trace(["hekatompylos"], not_at("mardoi"), at("ekbatana"))
    assert way == ["hekatompylos", "rhagai", "ekbatana"]


def test_trace_uses_paths_of_every_kind():
    across = B.trace(["knossos"], not_at("kydonia", "kyklades", "rhodos"), at("alexandria"))
    assert across == ["knossos", "alexandria"]
    assert B.trace(["abydos"], not_at(), at("chersonesos")) == ["abydos", "chersonesos"]


def test_trace_asks_of_the_start_nothing_but_whether_it_is_the_goal():
    assert B.trace(["pella"], lambda s: False, at("pella")) == ["pella"]
    assert B.trace(["pella"], lambda s: s == "larisa", at("larisa")) == ["pella", "larisa"]


def test_trace_does_not_end_where_it_may_not_pass():
    assert B.trace(["pella"], not_at("larisa"), at("larisa")) is None


def test_trace_from_the_nearest_start():
    assert B.trace(["babylon", "lamia"], not_at(), at("pella")) == ["lamia", "larisa", "pella"]


# --- marching to a destination ------------------------------------------------------------------------------

def test_the_only_cheapest_way():
    assert B.cheapest_paths("lamia", "pella", 4) == [("larisa", "pella")]


def test_no_way_within_the_budget():
    assert B.cheapest_paths("lamia", "pella", 1) == []
    assert B.cheapest_paths("abydos", "chersonesos", 1) == []


def test_staying_is_no_march():
    assert B.cheapest_paths("pella", "pella", 4) == []


def test_two_equal_ways_are_both_shown():
    """They differ in what they risk: one crosses a Transit Point, the other Dana."""
    ways = B.cheapest_paths("kelainai", "mazaka", 4)
    assert ways == [("ikonion", "tp_tatta", "mazaka"), ("ikonion", "dana", "mazaka")]


def test_never_by_sea():
    assert B.cheapest_paths("athenai", "kyklades", 9) == []


def test_long_marches_list_no_more_than_anybody_reads():
    assert len(B.cheapest_paths("tp_palmyra", "taulantioi", 99)) == MOST_PATHS


# --- against slow and simple versions -----------------------------------------------------------------------

def slow_distances(start, types, barred):
    """Walk on and on until nothing gets cheaper."""
    found, before = {start: 0}, None
    while found != before:
        before = dict(found)
        for here, spent in before.items():
            for there, kind, cost in B.paths(here):
                if kind in types and there not in barred:
                    found[there] = min(found.get(there, 999), spent + cost)
    return found


@given(spaces)
def test_what_borders_is_bordered(space):
    assert all(space in B.adjacent(s) for s in B.adjacent(space))
    assert all(space in B.sea_paths(s) for s in B.sea_paths(space))
    assert all(space in B.land_paths(s) for s in B.land_paths(space))
    assert all(B.path_types(space, s) == B.path_types(s, space) for s, _, _ in B.paths(space))


@given(st.sampled_from(B.provinces))
def test_neighbouring_provinces_know_of_each_other(province):
    assert province not in B.province_neighbours(province)
    assert all(province in B.province_neighbours(p) for p in B.province_neighbours(province))


@given(spaces, some_spaces, st.sampled_from([LAND, PLACING, ALL, ("sea",)]), st.none() | st.integers(0, 8))
def test_distances_agree_with_a_slow_search(start, barred, types, limit):
    slow = slow_distances(start, types, barred)
    wanted = {s: d for s, d in slow.items() if limit is None or d <= limit}
    assert B.distances(start, types, lambda s: s not in barred, limit) == wanted


@given(spaces, spaces)
def test_distances_are_the_same_both_ways(a, b):
    assert B.distances(a).get(b) == B.distances(b).get(a)


@given(spaces, spaces, some_spaces)
def test_trace_finds_a_way_if_there_is_one(start, goal, barred):
    way = B.trace([start], not_at(*barred), at(goal))
    reachable = goal in slow_distances(start, ALL, barred)
    assert (way is not None) == reachable
    if way:
        assert (way[0], way[-1]) == (start, goal)
        assert all(B.path_types(a, b) for a, b in pairwise(way))
        assert not set(way[1:]) & barred


@given(spaces, spaces, st.integers(0, 8))
def test_cheapest_paths_are_cheapest(a, b, budget):
    ways = B.cheapest_paths(a, b, budget)
    least = B.distances(a, LAND, limit=budget).get(b)
    assert bool(ways) == (least is not None and a != b)
    assert len(set(ways)) == len(ways)
    for way in ways:
        assert sum(B.cost(x, y) for x, y in pairwise((a, *way))) == least


@given(spaces, st.integers(0, 3))
def test_sea_reach_agrees_with_distances(space, n):
    assert B.sea_reach(space, n) == {s for s, d in slow_distances(space, ("sea",), ()).items() if d <= n}
