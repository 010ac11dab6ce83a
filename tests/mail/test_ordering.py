"""What becomes of the orders of a mail, at a desk: at once, early, behind an answer, or not without their question."""

from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH as MARCHES
from small_game import NOON, found

from pbem.desk.submission import Outcome
from pbem.mail import ordering
from pbem.mail.desk import MailDesk

LATER = "standing: pass on evasion, always"
UNREAD = "standing: nonsense"
MARCH = "march Lysimachos > Ephesos"


@pytest.fixture
def turn(tmp_path: Path) -> MailDesk:
    """Red is to order."""
    found(tmp_path / "turn")
    return MailDesk(tmp_path / "turn", now=NOON)


def became(outcomes: list[Outcome]) -> list[str]:
    """The state of each line, of one that was refused the reason."""
    return [one.error.key if one.error is not None else one.state for one in outcomes]


@pytest.mark.parametrize(("seat", "lines", "stale", "states", "waits"), [
    ("red", ["roll"], False, ["done"], []), ("red", ["roll"], True, ["done"], []),
    ("red", ["roll", "intercept Demetrios with all"], False, ["done", "not_in_this_segment"], []),
    ("red", ["a", "end"], True, ["stale_letter", "unread"], []),
    ("blue", ["roll", MARCH], False, ["prepared", "prepared"], ["roll", MARCH]),
    ("blue", ["a"], False, ["stale_letter"], []), ("blue", ["pass"], False, ["early_answer"], []),
    ("blue", ["roll", "pass"], False, ["prepared", "prepared"], ["roll", "pass"]),
    ("blue", ["roll", "nonsense", "end"], False, ["prepared", "unreadable_order", "unread"], ["roll"]),
    ("blue", ["T2.R1.red.3: pass"], False, ["not_the_open_question"], []),
    ("blue", [LATER, "roll"], False, ["answered", "prepared"], ["roll"]), ("blue", [LATER], False, ["answered"], []),
])
def test_orders_for_now_are_looked_at_and_early_ones_wait(
        turn: MailDesk, seat: str, lines: list[str], stale: bool, states: list[str], waits: list[str]) -> None:
    assert became(ordering.ordered(turn, seat, lines, "m1", stale)) == states and turn.waiting(seat) == waits
    if waits:
        own = turn.tray.turn(seat)
        assert own is not None and own.since == len(turn.game.entries) + 1


@pytest.mark.parametrize(("seat", "lines", "stale", "states", "waits"), [
    ("blue", ["b"], False, ["sealed"], []), ("blue", ["b"], True, ["refused"], []),
    ("blue", ["T2.R1.red.3: b"], True, ["sealed"], []),
    ("blue", ["pass", "roll", MARCH], False, ["sealed", "prepared", "prepared"], ["roll", MARCH]),
    ("blue", ["roll", MARCH], False, ["refused", "unread"], []),
    ("blue", ["pass", "roll", UNREAD], False, ["refused", "sealed", "prepared"], ["roll"]),
    ("blue", ["b always", "roll", MARCH], False, ["sealed", "answered", "prepared", "prepared"], ["roll", MARCH]),
    ("blue", ["pass always against Red", "roll"], False, ["sealed", "answered", "prepared"], ["roll"]),
    ("blue", [UNREAD, "roll"], False, ["refused", "refused"], []),
    ("blue", [LATER, "roll"], False, ["answered", "prepared"], ["roll"]),
    ("blue", ["pass", "intercept Demetrios with all"], False, ["sealed", "refused"], []),
    ("red", ["march Antigonos > Sardeis"], False, ["prepared"], ["march Antigonos > Sardeis"]),
])
def test_behind_an_answer_wait_the_orders_for_ones_own_turn(
        window: MailDesk, seat: str, lines: list[str], stale: bool, states: list[str], waits: list[str]) -> None:
    assert [one.state for one in ordering.ordered(window, seat, lines, "m1", stale)] == states
    assert window.waiting(seat) == waits


def test_a_line_of_which_something_was_done_does_not_wait(window: MailDesk) -> None:
    outcomes = [Outcome("pass", "sealed"), Outcome("roll; end", "refused", did=["roll"])]
    assert ordering.behind_answer(window, "blue", outcomes) == outcomes and window.waiting("blue") == []


def test_where_nobody_is_asked_anything_all_waits(turn: MailDesk) -> None:
    turn.match.table.question = None
    assert became(ordering.ordered(turn, "red", ["roll"], "m1", stale=False)) == ["prepared"]


def test_a_remark_is_no_card_out_of_turn(turn: MailDesk) -> None:
    assert not ordering.is_interrupt(turn, "red", "# later")


def test_what_cannot_be_read_takes_the_place_of_nothing_that_waits(turn: MailDesk) -> None:
    turn.set_waiting("blue", ["roll"])
    assert became(ordering.ordered(turn, "blue", ["nonsense"], "m1", stale=False)) == ["unreadable_order"]
    assert turn.waiting("blue") == ["roll"]


def test_what_waited_of_others_is_not_told_as_ones_own(window: MailDesk) -> None:
    """Red ends his segment with the same word, as soon as the window is closed."""
    window.set_waiting("red", ["end"])
    ordering.ordered(window, "blue", ["pass"], "m1", stale=False)
    answered, own = ordering.ordered(window, "yellow", ["pass", "end"], "m2", stale=False)
    assert window.match.question.sides == ("blue",) and [answered.state, own.state] == ["sealed", "prepared"]
    assert window.waiting("yellow") == ["end"]


def test_two_lines_of_the_same_words_are_told_each_as_what_it_became() -> None:
    first, second = Outcome("raise mercenary", "done"), Outcome("raise mercenary", "refused")
    waited = [Outcome("pass", "sealed"), *(Outcome("raise mercenary", "waiting") for _ in range(3))]
    assert [one.state for one in ordering.caught_up("", waited, [first, second])] == ["sealed", "done", "refused", "waiting"]


@pytest.mark.parametrize(("told", "later", "states"), [
    (["roll waiting", "end prepared"], ["end done"], ["waiting", "done"]),
    (["pass sealed", "pass waiting"], ["pass done"], ["sealed", "done"])])
def test_a_line_is_told_as_what_became_of_just_this_one(told: list[str], later: list[str], states: list[str]) -> None:
    lines, became = ([Outcome(*one.split()) for one in some] for some in (told, later))
    assert [one.state for one in ordering.caught_up("", lines, became)] == states


@pytest.mark.parametrize(("at", "seat", "lines", "aim"), [
    ("turn", "red", ["roll"], "T2.R1.red.1"), ("turn", "blue", ["roll"], "later"), ("turn", "blue", [LATER], ""),
    ("turn", "blue", [LATER, "roll"], "later"), ("window", "blue", ["pass"], "T2.R1.red.3"),
    ("window", "blue", ["roll"], "later"), ("window", "red", ["end"], "later"),
    ("window", "red", ["nonsense"], "later"), ("window", "blue", ["nonsense"], "T2.R1.red.3"),
])
def test_what_orders_are_for(request: pytest.FixtureRequest, at: str, seat: str, lines: list[str], aim: str) -> None:
    assert ordering.aim(request.getfixturevalue(at), seat, lines) == aim


@pytest.mark.parametrize(("lines", "more", "left", "answered"), [
    (["intercept Lysimachos with all", "end"], {}, ["end"], True), (["march Lysimachos > Pella"], {}, None, False),
    (["intercept Lysimachos with all"], {"held": True}, None, False)])
def test_what_was_sent_ahead_answers_the_window_that_it_fits(
        window: MailDesk, lines: list[str], more: dict[str, Any], left: list[str] | None, answered: bool) -> None:
    window.set_waiting("blue", lines, **more)
    ordering.answer_early(window)
    assert window.waiting("blue") == (lines if left is None else left)
    assert ("blue" in window.sealed(window.match.question)) is answered


def test_of_several_who_sent_something_ahead_each_answers(window: MailDesk) -> None:
    for seat, line in (("blue", "intercept Lysimachos with all"), ("yellow", "pass")):
        window.set_waiting(seat, [line])
    ordering.answer_early(window)
    window.run()
    (closed,) = [entry for entry in window.game.entries if "close" in entry]
    assert [text.split()[0] for text in closed["answers"].values()] == ["intercept", "pass"] and not closed.get("silent")


@pytest.mark.parametrize("is_open", [True, False])
def test_who_answers_another_question_is_told_which_one_is_open(turn: MailDesk, is_open: bool) -> None:
    if not is_open:
        turn.match.table.question = None
    (told,) = ordering.prepared(turn, "blue", ["T2.R1.red.3: pass"])
    assert told.error is not None and told.error.facts == {"id": "T2.R1.red.3", "open": "T2.R1.red.1" if is_open else ""}


def test_who_has_answered_goes_on_waiting_with_his_lines_and_nobody_is_asked_early_in_anothers_turn(
        window: MailDesk, turn: MailDesk) -> None:
    window.order("blue", "pass")
    window.set_waiting("blue", ["intercept Lysimachos with all"])
    ordering.answer_early(window)
    assert window.waiting("blue") and window.sealed(window.match.question)["blue"] == "pass"
    turn.set_waiting("red", ["roll"])
    ordering.answer_early(turn)
    assert turn.waiting("red") == ["roll"]
    turn.match.table.question = None
    ordering.answer_early(turn)


TWO = {**MARCHES, "mp": {"antigonos": 4, "krateros": 4}, "forces": [
    *MARCHES["forces"], {"owner": "red", "at": "xanthos", "generals": ["krateros"], "cus": {"loyal": 3}}]}


def test_a_price_that_comes_up_over_a_line_that_waited_is_paid_by_a_yes_alone(tmp_path: Path) -> None:
    """Blue and Yellow have answered in advance, so that the receipt of the march tells the price of the line behind it."""
    found(tmp_path / "turn", TWO)
    desk = MailDesk(tmp_path / "turn", now=NOON)
    for seat in ("blue", "yellow"):
        desk.order(seat, "standing: pass on interception, always")
    lines = ["march Antigonos > Ephesos", "march Krateros with 1 loyal > Halikarnassos", "end regardless"]
    assert became(ordering.ordered(desk, "red", lines, "m1", False)) == ["done", "costs_unowned", "unread"]
    paid = ordering.ordered(desk, "red", ["yes"], "m2", False)
    assert [(one.line, one.state) for one in paid] == [(f"{lines[1]} yes", "done"), (lines[2], "held")]


def test_nobody_is_told_what_became_of_the_same_words_of_another(tmp_path: Path) -> None:
    """Red has ended his turn, and more lines wait for his next one; Blue's, who is the next, are looked at at once."""
    found(tmp_path / "turn")
    desk = MailDesk(tmp_path / "turn", now=NOON)
    ordering.ordered(desk, "blue", ["end"], "m1", False)
    told = ordering.ordered(desk, "red", ["end", "end"], "m2", False)
    assert [one.state for one in told] == ["done", "waiting"] and desk.waiting("red") == ["end"]
    assert {"by": "blue", "do": "end segment"}.items() <= desk.game.entries[-2].items()


@pytest.mark.parametrize(("seat", "line"), [("blue", "march Lysimachos > Ephesos"), ("yellow", "march Kassandros > Ephesos")])
def test_what_only_passes_by_does_not_hold_a_turn_that_was_sent_ahead(tmp_path: Path, seat: str, line: str) -> None:
    """It waits for its own moment, though its sender is asked something else while Red stands where it leads."""
    found(tmp_path / "turn", {**MARCHES, "mp": {"antigonos": 4}})
    desk = MailDesk(tmp_path / "turn", now=NOON)
    ordering.ordered(desk, seat, [line], "m1", False)
    ordering.ordered(desk, "red", ["march Antigonos > Ephesos > Halikarnassos"], "m2", False)
    assert desk.asks(seat) and desk.run() == [] and not desk.is_held(seat)


@pytest.mark.parametrize(("seat", "general"), [("blue", "Lysimachos"), ("yellow", "Kassandros")])
@pytest.mark.parametrize("news", [False, True])
def test_an_answer_that_was_sent_ahead_waits_for_its_senders_word_after_news(
        turn: MailDesk, seat: str, general: str, news: bool) -> None:
    ordering.ordered(turn, seat, [f"intercept {general} with all"], "m1", False)
    if news:
        turn.ruling("Tyros is black", facts={"spaces": {"tyros": "black"}})
    ordering.ordered(turn, "red", ["roll", "march Antigonos > Ephesos"], "m2", False)
    turn.run()
    ordering.answer_early(turn)
    assert turn.is_held(seat) is news and (seat in turn.sealed(turn.match.question)) is not news


def test_what_was_sent_ahead_behind_an_answer_goes_on_resting_on_what_it_names(turn: MailDesk) -> None:
    """Lysimachos, whom only the answer names, may be anywhere by then."""
    ordering.ordered(turn, "blue", ["intercept Lysimachos with 2 loyal", "place pc at Tyros"], "m1", False)
    ordering.ordered(turn, "red", ["roll", "march Antigonos > Ephesos"], "m2", False)
    ordering.answer_early(turn)
    lies = turn.tray.turn("blue")
    assert "blue" in turn.sealed(turn.match.question) and lies is not None and lies.lines == ["place pc at Tyros"]
    assert lies.since == 2 and lies.named == {"tyros": "nobody"}


def test_the_price_of_an_answer_that_was_sent_ahead_is_not_paid_before_it_was_told(window: MailDesk) -> None:
    window.set_waiting("yellow", ["intercept Kassandros with nothing"])
    ordering.answer_early(window)
    assert window.waiting("yellow")
    assert became(ordering.ordered(window, "yellow", ["yes"], "m1", False)) == ["unreadable_answer"]
    assert became(ordering.ordered(window, "yellow", ["intercept Kassandros with nothing"], "m2", False)) == [
        "costs_lone_interceptor"]
    assert became(ordering.ordered(window, "yellow", ["yes"], "m3", False)) == ["sealed"]
