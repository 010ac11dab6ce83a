"""What the rulebooks state or imply about the map, line by line, held against the board the engine plays on.

`pbem/data/examples.yaml` names file and section for each line. Those under `known_conflicts` belong
to other editions and must go on failing; one that holds is to be struck out there.
"""

import re
from collections import Counter

import pytest

from pbem.base import yamlfile
from pbem.base.paths import data_dir
from pbem.components.board import ALL, LAND, Board
from pbem.components.catalogue import facts
from pbem.components.examples import CHECKS, Printed, space_called, transits
from pbem.components.sources import files

FILE = yamlfile.load(data_dir() / "examples.yaml")
CONSTRAINTS = FILE["constraints"]
CONFLICTS = {c["id"] for c in FILE["known_conflicts"]}
FACTS = facts()
BOARD = Board(FACTS)
ON = Printed(FACTS, BOARD)


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda c: c["id"])
def test_board_agrees_with_the_texts(constraint):
    assert CHECKS[constraint["kind"]](ON, **constraint["args"]) is (constraint["id"] not in CONFLICTS), constraint["quote_ref"]


def test_constraints_are_well_formed():
    assert [i for i, n in Counter(c["id"] for c in CONSTRAINTS).items() if n > 1] == []
    by_id = {c["id"]: c for c in CONSTRAINTS}
    assert all(by_id[i]["edition"] != 4 for i in CONFLICTS)
    assert {c["confidence"] for c in CONSTRAINTS} == {"stated", "implied"}


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
    assert [c["name"] for c in YAML["counterparts"] if space_called(ON, c["name"]) != c["space"]] == []


def test_places_lie_between_epeiros_and_hyrkania():
    for space in BOARD.spaces:
        lat, lon = BOARD.lat_lon(space)
        assert 22 < lat < 48 and 17 < lon < 62, space


def test_transit_points_carry_no_mark_of_a_city():
    marks = ("independent", "hellespont", "treasure", "siege_modifier", "pontos")
    assert [t for t in transits(ON) if any(FACTS.spaces[t][mark] for mark in marks)] == []


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
        assert {side: FACTS.fleets[owner][side] for side in ("normal", "upgraded")}.items() <= token.items(), owner


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
