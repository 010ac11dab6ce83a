"""What was posted: where the next report begins, what it never leaves out; a report as it was, with no later secret."""

import json
from pathlib import Path

import pytest
from at_the_shell import said
from small_game import again, at_window, found, go_on
from texts import flat

from pbem.desk import reporting
from pbem.desk.tray import read

pytestmark = pytest.mark.usefixtures("noon")


def test_a_report_begins_behind_what_was_posted(tmp_path: Path) -> None:
    at_window(tmp_path / "g")
    game = tmp_path / "g"
    last = len(again(game).game.entries)
    assert f"pbem report {game}" in flat(said("status", game)) and f"pbem posted {game} {last}" in flat(said("status", game))
    assert "marched from Halikarnassos to Ephesos" in said("report", game)
    assert f"entry {last}" in said("posted", game, last)
    assert "to post nothing" in flat(said("status", game))
    said("order", game, "blue", "pass")
    said("order", game, "yellow", "pass")
    said("order", game, "red", "end")
    told = said("report", game)
    assert "marched from Halikarnassos" not in told and "Red's Forage Segment" in told or "Blue" in told
    assert f"entries {last + 1} to" in flat(said("status", game))


def test_what_was_posted_is_told_again_where_nothing_has_happened_since(tmp_path: Path) -> None:
    at_window(tmp_path / "g")
    told = said("report", tmp_path / "g")
    said("posted", tmp_path / "g")
    assert said("report", tmp_path / "g") == told


def test_where_nothing_was_posted_the_turn_that_ended_last_is_in_the_report(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", cards=True)
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    for seat in ("blue", "yellow"):
        desk.order(seat, "pass")
    desk.run()
    while desk.match.g.player == "red" and desk.match.question is not None:
        desk.close(desk.match.question.id, by="moderator")
    assert desk.match.g.player != "red"
    told = said("report", tmp_path / "g")
    assert "marched from Halikarnassos to Ephesos" in told
    assert reporting.last_turn(desk) <= 2


def test_a_mark_may_be_corrected_and_a_dry_run_marks_nothing(tmp_path: Path) -> None:
    at_window(tmp_path / "g")
    said("posted", tmp_path / "g", "--dry-run")
    assert read(tmp_path / "g").posted == 0
    said("posted", tmp_path / "g", 3)
    said("posted", tmp_path / "g", 0)
    assert read(tmp_path / "g").posted == 0
    assert "there is no entry 99" in flat(said("posted", tmp_path / "g", 99, code=1))
    assert json.loads(said("posted", tmp_path / "g", 2, "--json"))["entry"] == 2


def test_until_tells_nothing_later(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    rolled = next(number for number, event in desk.match.history if event.key == "movement_rolled")
    told = said("report", tmp_path / "g", "--until", rolled)
    assert "for movement" in told and "marched" not in told


def test_report_and_position_as_they_were(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "roll")
    number = len(desk.game.entries)
    before = said("report", tmp_path / "g", "--since", 1), said("position", tmp_path / "g")
    desk.order("red", "march Antigonos > Ephesos")
    assert said("report", tmp_path / "g", "--since", 1) != before[0]
    assert (said("report", tmp_path / "g", "--since", 1, "--at", number),
            said("position", tmp_path / "g", "--at", number)) == before
    assert "there is no entry 99" in flat(said("report", tmp_path / "g", "--at", 99, code=1))
    assert "there is no entry 99" in flat(said("position", tmp_path / "g", "--at", 99, code=1))


def test_a_report_of_before_an_undo_knows_nothing_of_it(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    number = len(desk.game.entries)
    before = said("report", tmp_path / "g", "--since", 1)
    desk.undo(3, "a slip", consent=("red",))
    assert "a slip" in said("report", tmp_path / "g", "--since", 1)
    assert said("report", tmp_path / "g", "--since", 1, "--at", number) == before


def test_no_later_secret_in_a_report_to_a_seat(tmp_path: Path) -> None:
    """Cards that were drawn later, an answer that is sealed now, what a seat was told by cards alone."""
    desk = found(tmp_path / "g", cards=True)
    desk.order("red", "roll")
    number = len(desk.game.entries)
    seats = ("red", "blue", "moderator")
    before = [said("report", tmp_path / "g", "--since", 1, "--to", seat, "--json") for seat in seats]
    hand = again(tmp_path / "g").match.g.secret.hand("red")
    go_on(again(tmp_path / "g"), 3)
    now = again(tmp_path / "g")
    assert now.match.g.secret.hand("red") != hand
    assert [said("report", tmp_path / "g", "--since", 1, "--to", seat, "--at", number, "--json") for seat in seats] == before


def test_who_has_answered_now_had_not_then(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    number, open_now = len(desk.game.entries), desk.match.question
    before = said("report", tmp_path / "g", "--to", "moderator", "--at", number, "--json")
    desk.order("blue", "intercept Lysimachos from Sardeis with all")
    assert desk.match.question is not None and open_now is not None and desk.match.question.id == open_now.id
    assert said("report", tmp_path / "g", "--to", "moderator", "--at", number, "--json") == before
