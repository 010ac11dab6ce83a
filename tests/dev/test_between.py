"""What comes on top of an open question: every free act, Surprise card and ruling on every kind of question.

Each pair is tried in the case that `tests/dev/covered.yaml` names; `pbem dev prove --only between` goes through all cases.
"""

import pytest

from pbem.dev import between, covered
from pbem.dev.between import BY_INDEPENDENTS, CANNOT, FREE, MAY, OFF, PHASES, Tried, pairs
from pbem.dev.defaults import DEFAULTS
from pbem.editions import EDITIONS


@pytest.fixture(scope="module")
def found() -> dict[str, Tried | None]:
    """What became of each pair in the case that is named for it."""
    kept = covered.kept()["between"]
    named = {place[0] for place in kept.values()}
    known = {case["id"]: case for case in covered.all_cases() if case["id"] in named}
    return {pair: covered.between_at(tuple(place), known, pair.partition(" ")[0]) for pair, place in kept.items()}


def test_every_kind_of_question_says_what_becomes_of_a_free_act() -> None:
    assert FREE.keys() == DEFAULTS.keys()


def test_of_an_edition_is_counted_what_its_book_knows() -> None:
    """7.1 A, 10 C, 23.2 Who commands among equals, whether a passage is honoured, and who strikes back."""
    strange = {"fourth": ("command upon", "upon counterstroke"), "third": ("upon passage_honoured",), "draft": ("command ",)}
    for edition in EDITIONS:
        assert set(pairs()) - set(pairs(edition)) == {pair for pair in pairs() if any(one in pair for one in strange[edition])}


def test_what_cannot_come_up_is_argued_and_everything_else_is_counted() -> None:
    left_out = {*CANNOT, *PHASES, *BY_INDEPENDENTS}
    assert left_out <= DEFAULTS.keys() and OFF.keys() <= between.FREE_ACTS.keys() and all((*CANNOT.values(), *OFF.values()))
    counted = set(pairs())
    for kind in DEFAULTS.keys() - left_out:
        wanted = {"surprise", "ruling", "undo", "amend", *(between.FREE_ACTS.keys() - OFF.keys() if FREE[kind] == MAY else ())}
        assert {pair.partition(" ")[0] for pair in counted if pair.endswith(f" upon {kind}")} == wanted, kind


def test_every_pair_is_covered_by_a_case_or_says_why_it_cannot_come(found: dict[str, Tried | None]) -> None:
    """There it is done and breaks nothing, or it is refused as `FREE` says."""
    assert covered.missing(covered.kept()) == []
    assert {pair: one for pair, one in found.items()
            if one is None or not between.as_told(pair.partition(" ")[0], one)} == {}


def test_a_free_act_is_done_where_the_table_says_so(found: dict[str, Tried | None]) -> None:
    own = {one.kind for one in found.values() if one is not None and one.what in between.FREE_ACTS and not one.key}
    assert {"withdrawal", "passage_honoured", "losses", "join_battle", "replacement"} <= own
    assert all(FREE[kind] == MAY for kind in own)


def test_whatever_could_come_is_tried_on_each_question_of_a_case() -> None:
    """As many of a sort as is wished, and what breaks is told."""
    known = [case for case in covered.all_cases() if str(case["rule"]).startswith("11.2")][:2]
    one, three = (between.all_tried(known, most) for most in (2, 6))
    assert {tried.what for tried in one} >= {"play", "undo", "amend", "general gone"} and len(three) > len(one)
    assert [tried for tried in three if tried.wrong] == []


def test_a_pair_without_a_case_is_found() -> None:
    kept = covered.kept()
    less = {"doors": {**kept["doors"]}, "between": {**kept["between"]}}
    del less["doors"]["set_ashore end"], less["between"]["undo upon burial"]
    assert covered.missing(less) == ["set_ashore end", "undo upon burial"]
