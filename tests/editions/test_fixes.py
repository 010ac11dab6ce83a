"""Rules that were mended: a game plays by those it began with, until an entry takes in the others."""

from pathlib import Path
from typing import Any

import pytest
import small_game

from pbem.base.errors import NotNow, Refused
from pbem.base.folder import Lock
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.desk.beginning import header_of
from pbem.desk.desk import Desk
from pbem.desk.tray import promised
from pbem.dev import cases, given
from pbem.editions import EDITIONS, NEWEST, books, mended, ruleset
from pbem.editions.fixes import FIXES
from pbem.orders import PASS

CASES = sorted((Path(__file__).parents[2] / "tests/cases").glob("*.yaml"))

# Blue's Seleukos stands before Athenai, his own, alone; Red's Army is about to come.
ALONE: dict[str, Any] = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"}, "spaces": {"athenai": "blue"},
    "forces": [{"owner": "red", "at": "boiotia", "generals": ["kassandros"], "cus": {"loyal": 4}},
               {"owner": "blue", "at": "athenai", "generals": ["seleukos"], "cus": {}}]}


@pytest.mark.parametrize("language", languages())
def test_every_fix_is_told_in_every_language(language: str) -> None:
    assert sentences(language, "terms")["mended"].keys() == {str(number) for number in range(1, NEWEST + 1)}


@pytest.mark.parametrize("name", EDITIONS)
def test_each_replaces_what_it_says_and_nothing_else(name: str) -> None:
    before, now = ruleset(name, fixes=0), ruleset(name)
    changed = {point for point in before._fields if getattr(before, point) != getattr(now, point)}
    told = {point for fix in FIXES if not fix.books or EDITIONS[name].book in fix.books for point in fix.points}
    assert changed == {"fixes", *told}
    assert mended(before, NEWEST) == now
    with pytest.raises(Refused, match="unknown fix"):
        mended(now, NEWEST - 1)
    with pytest.raises(Refused, match="unknown fix"):
        ruleset(name, fixes=NEWEST + 1)


# The case that fails as it was before; those points that a row of pbem/data/differs.yaml is of have theirs there.
HELD_BY = {"unguarded_go_inside": "door-10B-a", "withdrawn_never_fight": "door-11.3-z",
           "placed_after_turns": "14.8-w-turned-on-map", "shift_takes_all": "war-10G-gate",
           "open_exits_only": "doors-10G-truce", "losses_stay_due": "numbers-7.3-a",
           "anybody_catches": "doors-10I-out", "ruling_moves_army": "own-9.1-ruled"}


def test_each_point_that_was_mended_has_its_case() -> None:
    of_other_books = {by for rules in EDITIONS.values() for row in books.differing(rules.book) for by in row.by}
    assert {point for fix in FIXES for point in fix.points} - of_other_books == HELD_BY.keys()


@pytest.mark.parametrize("point", HELD_BY)
def test_that_case_fails_as_it_was_before(point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = [one for file in CASES for one in cases.load(file) if one["id"] == HELD_BY[point]]
    assert cases.judge(case).verdict == "pass"
    before, now = getattr(ruleset("fourth", fixes=0), point), given.editions.ruleset
    monkeypatch.setattr(given.editions, "ruleset", lambda *what: now(*what)._replace(**{point: before}))
    assert cases.judge(case).verdict == "fail"


def test_a_new_game_has_all_of_them() -> None:
    assert header_of("g", {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}}, {})["fixes"] == NEWEST


def asked(folder: Path, **header: int) -> Desk:
    """Red has come to Athenai, and Blue is asked who goes inside."""
    folder.mkdir()
    with Lock(folder):
        Desk.found(folder, {**small_game.header(), **header}, ALONE, promised(small_game.SECRETS))
    desk = small_game.again(folder)
    desk.run()
    desk.order("red", "roll")
    desk.order("red", "march Kassandros > Athenai yes")
    return desk


def test_a_game_that_began_before_plays_as_it_did_until_an_entry_says_so(tmp_path: Path) -> None:
    desk = asked(tmp_path / "g")
    assert desk.match.question is not None and desk.match.question.default == PASS
    desk.mend("the list of what silence means")
    inside = desk.match.question.default
    assert desk.match.say(inside) == "inside Seleukos"
    assert desk.match.history[-1][1].key == "rules_mended"
    again = Desk(tmp_path / "g")
    assert again.match.question is not None and again.match.question.default == inside
    with pytest.raises(NotNow):
        again.mend("")
    again.undo(len(again.game.entries), "not yet", override=True)
    assert again.match.question.default == PASS


def test_a_game_that_begins_now_plays_by_all_of_them(tmp_path: Path) -> None:
    question = asked(tmp_path / "g", fixes=NEWEST).match.question
    assert question is not None and question.default != PASS
