"""What comes on top of an open question: every free act, Surprise card and ruling on every kind of question."""

from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest

from pbem.dev import between, cases, covered
from pbem.dev.between import BY_INDEPENDENTS, CANNOT, FREE, MAY, OFF, PHASES, REFUSED, Tried, pairs
from pbem.dev.defaults import DEFAULTS

FOLDER = Path(__file__).parents[1]
FILES = [*sorted((FOLDER / "cases").glob("*.yaml")), *sorted((FOLDER / "cards").glob("*.yaml"))]
MOST = 2                                                # of a sort on a kind of question

@pytest.fixture(scope="module")
def found() -> list[Tried]:
    return between.all_tried(chain.from_iterable(map(cases.load, FILES)), MOST)


def test_every_kind_of_question_says_what_becomes_of_a_free_act() -> None:
    assert FREE.keys() == DEFAULTS.keys()


def test_what_cannot_come_up_is_argued_and_everything_else_is_counted() -> None:
    left_out = {*CANNOT, *PHASES, *BY_INDEPENDENTS}
    assert left_out <= DEFAULTS.keys() and OFF.keys() <= between.FREE_ACTS.keys() and all((*CANNOT.values(), *OFF.values()))
    counted = set(pairs())
    for kind in DEFAULTS.keys() - left_out:
        wanted = {"surprise", "ruling", "undo", "amend", *(between.FREE_ACTS.keys() - OFF.keys() if FREE[kind] == MAY else ())}
        assert {pair.partition(" ")[0] for pair in counted if pair.endswith(f" upon {kind}")} == wanted, kind


def test_nothing_that_comes_between_breaks_anything(found: list[Tried]) -> None:
    assert [one for one in found if one.wrong] == []


def test_a_free_act_is_done_or_waits_as_the_table_says(found: list[Tried]) -> None:
    keys: dict[str, set[str]] = defaultdict(set)
    for one in found:
        if one.what in between.FREE_ACTS:
            keys[one.kind].add(one.key)
    for kind, seen in keys.items():
        if FREE[kind] != MAY:
            assert seen <= REFUSED[FREE[kind]], kind
    own = {kind for kind, seen in keys.items() if "" in seen}
    assert {"withdrawal", "passage_honoured", "losses", "join_battle", "replacement"} <= own
    assert all(FREE[kind] == MAY for kind in own)


def test_every_pair_is_covered_by_a_case_or_says_why_it_cannot_come() -> None:
    """The cases that `tests/dev/covered.yaml` names are run, and there it is done, or refused as `FREE` says."""
    kept = covered.kept()
    assert covered.missing(kept) == []
    named = {place[0] for place in kept["between"].values()}
    known = {case["id"]: case for case in covered.all_cases() if case["id"] in named}
    assert [pair for pair, place in kept["between"].items()
            if not covered.comes_between(tuple(place), known, pair.partition(" ")[0])] == []


def test_a_pair_without_a_case_is_found() -> None:
    kept = covered.kept()
    less = {"doors": {**kept["doors"]}, "between": {**kept["between"]}}
    del less["doors"]["set_ashore end"], less["between"]["undo upon burial"]
    assert covered.missing(less) == ["set_ashore end", "undo upon burial"]
