"""What comes on top of an open question: every free act, Surprise card and ruling on every kind of question."""

from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest

from pbem.dev import between, cases
from pbem.dev.between import BY_INDEPENDENTS, CANNOT, FREE, MAY, NEVER, OFF, PHASES, SORTS, WAITS, Tried, pairs
from pbem.dev.defaults import DEFAULTS

FOLDER = Path(__file__).parents[1]
FILES = [*sorted((FOLDER / "cases").glob("*.yaml")), *sorted((FOLDER / "cards").glob("*.yaml"))]
MOST = 6                                                # of a sort on a kind of question

# Kinds of questions on which no case lets it come: those cases have no piece on the map, or nothing is asked there at all
# (no Elephants are rolled again, and no event waits for a ruling); a ruling is about a space where somebody stands.
BARE = {"card_ruling", "elephant_reroll", "give_back", "revealed", "ruling", "ruling_choice", "seating", "truce"}
UNMET = {
    "free act": BARE,
    "card": BARE | {"turn_up"},
    "ruling": BARE | {"turn_up", "deployment", "first_player", "forage", "surrender", "unrest"},
}


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
        if FREE[kind] == WAITS:
            assert seen == {"others_are_asked"}, kind
        elif FREE[kind] == NEVER:
            assert seen <= {"others_are_asked", "own_turn_only", "player_turns_over"}, kind
    own = {kind for kind, seen in keys.items() if "" in seen}
    assert {"withdrawal", "passage_honoured", "losses", "join_battle", "replacement"} <= own
    assert all(FREE[kind] == MAY for kind in own)


def test_every_sort_has_met_every_kind_of_question(found: list[Tried]) -> None:
    met = {sort: {one.kind for one in found if sort_of(one) == sort} for sort in SORTS}
    assert {sort: DEFAULTS.keys() - met[sort] for sort in SORTS} == UNMET


def sort_of(one: Tried) -> str:
    return "free act" if one.what in between.FREE_ACTS else "card" if one.what == "play" else "ruling"
