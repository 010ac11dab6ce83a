"""What goes on by itself at the desk, and what a line leaves alone that is not about it."""

from dataclasses import replace
from pathlib import Path

import pytest
from small_game import MARCH, SEATS, SECRETS, again, at_window, found, header

from pbem.base.folder import Lock
from pbem.desk.desk import Desk
from pbem.desk.submission import Outcome
from pbem.desk.tray import Cards, Tray, promised
from pbem.rules.war import MODERATOR

COSTLY = "march Antigonos with 1 mercenary > Ephesos"
UNOWNED = {**MARCH, "mp": {"antigonos": 4}, "spaces": {"sardeis": "blue", "pergamon": "yellow"}}


def states(outcomes: list[Outcome]) -> list[str]:
    return [one.state for one in outcomes]


@pytest.fixture
def priced(tmp_path: Path) -> Desk:
    """Red has been told what his march costs."""
    game = found(tmp_path / "g", UNOWNED)
    assert states(game.order("red", COSTLY)) == ["refused"] and game.is_price("red", "yes")
    return game


# --- a price ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["standing: grant blue", "# I think about it", ""])
def test_what_is_no_line_leaves_the_price_that_was_told(priced: Desk, text: str) -> None:
    priced.order("red", text)
    assert [(one.line, one.state) for one in priced.order("red", "yes")] == [(f"{COSTLY} yes", "done")]


def test_a_yes_to_a_price_means_nothing_when_something_else_is_asked(priced: Desk) -> None:
    priced.close(priced.match.question.id, by="moderator")
    assert not priced.is_price("red", "yes") and priced.order("red", "yes")[0].line == "yes"


def test_a_yes_to_a_price_means_nothing_when_nothing_is_asked(priced: Desk) -> None:
    priced.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert [(one.line, one.state) for one in priced.order("red", "yes")] == [("yes", "refused")]


def test_only_a_yes_alone_pays_a_price(priced: Desk) -> None:
    split = "split Halikarnassos leaving 1 loyal"
    assert [(one.line, one.did) for one in priced.order("red", split)] == [(split, [split])]


def test_of_a_line_of_which_a_part_is_done_the_price_is_that_of_the_rest(tmp_path: Path) -> None:
    game = found(tmp_path / "g", UNOWNED)
    split = "split Halikarnassos leaving 1 loyal"
    (outcome,) = game.order("red", f"{split}; {COSTLY}")
    assert (outcome.did, outcome.state) == ([split], "refused")
    assert [(one.line, one.state) for one in game.order("red", "yes")] == [(f"{COSTLY} yes", "done")]


def test_what_has_waited_and_does_nothing_now_leaves_the_price_that_was_told(priced: Desk) -> None:
    priced.set_waiting("red", ["if MP >= 9: roll"], held=True)
    (outcome,) = priced.run(release="red")
    assert outcome.state == "condition" and not priced.waiting("red") and priced.is_price("red", "yes")


# --- lines ------------------------------------------------------------------------------------------------------------


def test_what_has_waited_and_stops_for_others_once_more_waits_on(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 6}})
    game.order("red", "march Antigonos > Ephesos\nmarch Antigonos > Halikarnassos\nmarch Antigonos > Ephesos\nend activation")
    for seat in ("blue", "yellow"):
        game.order(seat, "pass")
    game.run()
    assert game.match.question.kind == "interception" and game.waiting("red") == ["end activation"]


def test_an_order_that_ends_the_game_leaves_nobody_to_be_asked(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {
        "turn": 5, "phase": "strategy", "round": 5, "turn_order": [*SEATS], "forces": MARCH["forces"],
        "spaces": MARCH["spaces"], "segment": {"player": "black", "kind": "activation"}})
    outcomes = game.order("black", "end\nroll")
    assert states(outcomes) == ["done", "refused"] and game.match.question is None and game.match.g.over


@pytest.mark.parametrize(("line", "held"), [("withdraw", True), ("roll", False)])
def test_what_was_sent_ahead_and_answers_what_is_asked_waits_for_a_word_after_the_unforeseen(
        tmp_path: Path, line: str, held: bool) -> None:
    """Blue has come over; what is for another moment is looked at in that one."""
    game = at_window(tmp_path / "g")
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    game.set_waiting("red", [line], since=2)
    game.run()
    assert game.match.question.kind == "withdrawal" and (game.waiting("red"), game.is_held("red")) == ([line], held)


def test_a_standing_order_that_cannot_be_read_is_refused_and_the_lines_behind_it_are_looked_at(tmp_path: Path) -> None:
    (order, roll) = found(tmp_path / "g").order("red", "standing: dance\nroll")
    assert (order.state, order.did, roll.state) == ("refused", [], "done") and order.error is not None


def test_a_card_in_the_turn_of_another_leaves_what_waits_of_ones_own(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.set_waiting("yellow", ["roll"], since=2)
    assert states(game.order("yellow", "surprise 58 on Black")) == ["done"] and game.waiting("yellow") == ["roll"]


def test_an_always_of_somebody_who_is_not_asked_is_told_as_he_typed_it(tmp_path: Path) -> None:
    (outcome,) = at_window(tmp_path / "g").order("red", "pass always")
    assert (outcome.line, outcome.state) == ("pass always", "refused")


@pytest.mark.parametrize("line", ["if MP >= 9: withdraw always", "withdraw; siege Tarsos always"])
def test_what_was_not_answered_whole_does_not_last(tmp_path: Path, line: str) -> None:
    game = at_window(tmp_path / "g")
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    assert len(game.order("red", line)) == 1 and not game.tray.standing


# --- going on ---------------------------------------------------------------------------------------------------------


def test_the_first_question_of_a_game_is_put_when_it_goes_on(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    assert game.run() == [] and game.game.entries[-1]["ask"] == game.match.question.id
    number = len(game.game.entries)
    assert game.run() == [] and len(again(tmp_path / "g").game.entries) == number


def test_a_game_that_is_over_does_not_go_on(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.set_waiting("red", ["roll"])
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert game.run() == [] and game.match.question is None


@pytest.mark.parametrize(("release", "goes_on"), [("", False), ("blue", False), ("red", True)])
def test_what_is_held_goes_on_for_its_own_seat_alone(tmp_path: Path, release: str, goes_on: bool) -> None:
    game = found(tmp_path / "g")
    game.set_waiting("red", ["roll"], held=True)
    assert states(game.run(release=release)) == ["done"] * goes_on and game.is_held("red") is not goes_on


def test_what_is_let_go_on_is_held_no_more_by_what_its_sender_has_seen(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.ruling("Tyros is black", facts={"spaces": {"tyros": "black"}})
    game.set_waiting("red", ["roll"], since=2)
    assert game.run() == [] and game.is_held("red")
    assert states(game.run(release="red")) == ["done"]


def test_a_card_that_was_sent_ahead_with_a_turn_waits_for_its_senders_word_after_news(tmp_path: Path) -> None:
    """It answers no question, but it is what the turn begins with."""
    game = found(tmp_path / "g", cards=True)
    game.ruling("Tyros is black", facts={"spaces": {"tyros": "black"}})
    game.set_waiting("red", ["surprise 57 on Antigonos"], since=2)
    assert game.run() == [] and game.is_held("red")


def test_lines_for_a_window_are_not_opened_before_all_have_answered(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.set_waiting("blue", ["roll", "end"])
    assert game.run() == [] and game.waiting("blue") == ["roll", "end"] and not game.sealed(game.match.question)


def test_lines_for_a_later_turn_wait_behind_a_question_that_they_do_not_answer(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    game.set_waiting("red", ["end regardless"])
    assert game.match.question.kind == "withdrawal" and game.run() == []
    assert (game.waiting("red"), game.is_held("red")) == (["end regardless"], False)


def test_lines_of_the_next_turn_go_on_when_the_turn_before_has_ended(tmp_path: Path) -> None:
    """All in one: Red's turn ends by what waited, and Blue's begins by what he sent ahead."""
    game = found(tmp_path / "g")
    game.set_waiting("red", ["end regardless"])
    game.set_waiting("blue", ["end regardless", "roll regardless"])
    done = game.run()
    assert [(one.seat, one.line, one.state) for one in done] == [
        ("red", "end regardless", "done"), ("blue", "end regardless", "done"), ("blue", "roll regardless", "done")]
    assert game.waiting("red") == game.waiting("blue") == []


def test_lines_that_have_been_played_are_no_more_told_of_than_once(tmp_path: Path) -> None:
    """An undo says of what went on that it does not count any more; of what did nothing there is nothing to be said."""
    game = found(tmp_path / "g")
    game.run()
    before = len(game.game.entries)
    game.set_waiting("red", ["roll"])
    game.run()
    gone = [one for one in game.tray.turns if one.went]
    assert [(one.lines, one.came, one.went, one.opened) for one in gone] == [(["roll"], before, before + 1, True)]
    game.undo(before + 1, "misread", override=True)
    assert [(one.became, one.lines) for one in game.tray.news_for("red")] == [("void", ["roll"])]


def test_of_lines_that_did_nothing_an_undo_has_nothing_to_say(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})
    game.set_waiting("red", ["if MP >= 9: march Antigonos > Ephesos"])
    assert states(game.run()) == ["condition"] and game.tray.turns == []


@pytest.mark.parametrize("table", [["24", "25"], []])
def test_cards_that_lie_face_down_are_turned_up_unless_the_moderator_has_them_before_him(
        tmp_path: Path, table: list[str]) -> None:
    """6 At the end of a round; where nothing knows them he says which they are."""
    start = {"turn": 2, "phase": "strategy", "round": 5, "turn_order": [*SEATS], "face_down": 2,
             "segment": {"player": "black", "kind": "forage"}, "forces": MARCH["forces"], "spaces": MARCH["spaces"]}
    tray = replace(promised(SECRETS), cards=Cards({}, ["30"], table)) if table else Tray()
    (tmp_path / "g").mkdir()
    with Lock(tmp_path / "g"):
        Desk.found(tmp_path / "g", header(), start, tray)
    game = again(tmp_path / "g")
    game.run()
    assert [entry["do"] for entry in game.game.entries if entry.get("by") == MODERATOR] == [f"turn up {one}" for one in table]
    assert bool(table) is (game.match.question.kind != "turn_up")


# --- standing orders --------------------------------------------------------------------------------------------------


def test_where_nobody_has_decided_anything_nothing_stands_in(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    assert game.stand_in(game.match.question) is None and not game.sealed(game.match.question)


def test_a_standing_answer_to_a_poll_lies_sealed_and_one_of_him_alone_is_entered(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.order("blue", "standing: intercept Red with Lysimachos, all, once")
    game.order("red", "standing: withdraw, twice")
    assert not game.sealed(game.match.question)             # it was open already when the order came
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    first = len(game.game.entries) + 1
    (done,) = game.run()
    assert done.entries[0] == first and {"by": "red", "do": "withdraw", "as": "standing"}.items() <= game.game.entries[
        first - 1].items()
    used = [(one.left, one.went, one.laid) for one in game.tray.standing if one.seat == "red"]
    assert used == [(2, first, 0), (1, 0, first)]
