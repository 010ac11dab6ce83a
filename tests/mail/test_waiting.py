"""Where the days of a game went: what is counted when somebody answers, and what it adds up to."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON, at_window, found

from pbem.base.clock import stamp
from pbem.desk import showing
from pbem.desk.tray import Asked, LastWait, Pace, WaitRow, Waits
from pbem.mail import waiting
from pbem.mail.desk import MailDesk
from pbem.mail.waiting import Wait

FIRST = waiting.SEGMENTS[0]


def hours(number: float) -> datetime:
    return NOON + timedelta(hours=number)


@pytest.fixture
def desk(tmp_path: Path) -> MailDesk:
    """Blue and Yellow are asked at noon whether they intercept."""
    at_window(tmp_path / "g")
    return MailDesk(tmp_path / "g", now=hours(5))


def now(desk: MailDesk) -> Wait:
    wait = waiting.begun(desk)
    assert wait is not None
    return wait


# --- since when a question is waited for ---------------------------------------------------------------------------------


def test_what_is_waited_for_and_since_when(desk: MailDesk) -> None:
    wait = now(desk)
    assert (wait.since, wait.answered, wait.march, wait.entries, wait.goes_on) == (NOON, set(), "red 2.1.antigonos", 5, False)
    desk.order("blue", "pass")
    assert now(desk).answered == {"blue"}
    desk.mail.waits.last = LastWait(window=desk.window, at=stamp(hours(3)))
    assert now(desk) == now(desk)._replace(since=NOON, goes_on=False), "who answers a poll orders nothing more"
    assert desk.tray.asked is not None and desk.match.g.activation is not None
    desk.match.g.activation.route = ["ephesos"]
    assert now(desk).march == "", "an open route asks once"
    desk.match.g.activation = None
    assert now(desk).march == ""
    desk.tray.asked.id = "another"
    assert now(desk).since == hours(5)
    desk.tray.asked = None
    assert now(desk).since == hours(5)
    desk.match.table.question = None
    assert waiting.begun(desk) is None


def at_its_first_order(where: Path) -> MailDesk:
    """Red has been asked at noon."""
    found(where / "g")
    desk = MailDesk(where / "g", now=hours(5))
    desk.tray.asked = Asked(desk.window, stamp(NOON))
    return desk


@pytest.mark.parametrize(("window", "at", "since", "goes_on"), [
    ("T2.R1.red.1", 3, 3, True), ("T2.R1.red.1", -3, 0, True), ("T2.R1.red.0", 3, 0, False)])
def test_who_goes_on_is_waited_for_since_he_has_ordered(
        tmp_path: Path, window: str, at: int, since: int, goes_on: bool) -> None:
    desk = at_its_first_order(tmp_path)
    desk.mail.waits.last = LastWait(window=window, at=stamp(hours(at)))
    assert (now(desk).since, now(desk).goes_on, now(desk).march) == (hours(since), goes_on, "")


# --- who was waited for --------------------------------------------------------------------------------------------------


def rows(desk: MailDesk, seat: str) -> list[int]:
    """Count, minutes, silent, default, minutes of those."""
    found = desk.mail.waits.seats.get(seat, {}).get("interception")
    return [] if found is None else [found.count, found.minutes, found.silent, found.default, found.default_minutes]


def test_each_answer_is_counted_once_and_what_two_are_waited_for_together_once(desk: MailDesk) -> None:
    wait = now(desk)
    waiting.note_answered(desk, wait, "blue", stamp(hours(1)))
    assert rows(desk, "blue") == [], "he has said nothing yet"
    desk.order("blue", "intercept Lysimachos with all")
    waiting.note_answered(desk, wait, "blue", stamp(hours(1)))
    waiting.note_answered(desk, now(desk), "blue", stamp(hours(2)))
    waiting.note_answered(desk, wait, "red", stamp(hours(2)))
    assert (rows(desk, "blue"), rows(desk, "red")) == ([1, 60, 0, 0, 0], [])
    wait = now(desk)
    desk.order("yellow", "pass")
    waiting.note_answered(desk, wait, "yellow", stamp(hours(4)))
    for seat in ("red", "black", "blue"):
        waiting.note_answered(desk, wait, seat, stamp(hours(4)))
    assert (rows(desk, "yellow"), rows(desk, "red"), rows(desk, "black")) == ([1, 240, 0, 1, 240], [], [])
    assert rows(desk, "blue")[0] == 1 and now(desk).march == "", "the march goes on, but nobody may intercept"
    kept = desk.mail.waits
    assert (kept.minutes, kept.kinds, kept.parts, kept.steps) == (240, {"interception": 240}, {}, {})
    assert (kept.last.minutes, kept.last.later, kept.last.at) == (240, False, stamp(hours(4)))


def test_an_answer_that_came_before_its_question_took_no_time(desk: MailDesk) -> None:
    desk.order("blue", "pass")
    wait = now(desk)._replace(answered=frozenset())
    waiting.note_answered(desk, wait, "blue", stamp(hours(-1)))
    assert rows(desk, "blue") == [1, 0, 0, 1, 0]


def test_who_answered_sooner_than_another_was_not_waited_for_beside_him(desk: MailDesk) -> None:
    wait = now(desk)
    for seat, until in (("blue", 2), ("yellow", 1)):
        desk.order(seat, "pass")
        waiting.note_answered(desk, wait, seat, stamp(hours(until)))
    assert (desk.mail.waits.minutes, desk.mail.waits.kinds, desk.mail.waits.last.minutes) == (120, {"interception": 120}, 120)


def test_what_closed_a_question_tells_what_was_answered_or_what_silence_means(desk: MailDesk) -> None:
    wait = now(desk)
    desk.enter({"note": "a remark"})
    desk.order("blue", "intercept Lysimachos with all")
    desk.close("T2.R1.red.3", by="clock")
    for seat in ("blue", "yellow"):
        waiting.note_answered(desk, wait, seat, stamp(hours(1)))
    assert (rows(desk, "blue"), rows(desk, "yellow")) == ([1, 60, 0, 0, 0], [1, 60, 0, 1, 60])


def test_where_nobody_answered_silence_did(desk: MailDesk) -> None:
    wait = now(desk)
    desk.close("T2.R1.red.3", by="clock")
    waiting.note_answered(desk, wait, "yellow", stamp(hours(1)))
    assert rows(desk, "yellow") == [1, 60, 0, 1, 60]


def test_what_stands_in_no_log_of_a_window_for_cards_is_silence(desk: MailDesk) -> None:
    """Of such a window the log tells only what is played."""
    wait = now(desk)
    desk.game.entries.append({"close": "T2.R1.red.3", "answers": {}})
    waiting.note_answered(desk, wait, "yellow", stamp(hours(1)))
    assert rows(desk, "yellow") == [1, 60, 0, 1, 60]


@pytest.mark.parametrize("by", ["blue", "red"])
def test_what_is_done_beside_a_poll_answers_nothing(desk: MailDesk, by: str) -> None:
    wait = now(desk)
    desk.game.entries.append({"by": by, "do": "pass"})
    waiting.note_answered(desk, wait, "blue", stamp(hours(1)))
    assert rows(desk, "blue") == []


def test_who_let_the_clock_decide(desk: MailDesk) -> None:
    desk.order("blue", "pass")
    waiting.note_silent(desk, now(desk))
    assert (rows(desk, "blue"), rows(desk, "yellow")) == ([], [1, 300, 1, 1, 300])


@pytest.mark.parametrize(("last", "more"), [
    (LastWait("before", "w", "", 60, "red 2.1.antigonos", False), {"red": 300}),
    (LastWait("T2.R1.red.3", "w", "", 60, "red 2.1.antigonos", True), {"red": 240}),
    (LastWait("T2.R1.red.3", "w", "", 60, "red 2.1.antigonos", False), {}),
    (LastWait("before", "w", "", 60, "red 2.1.demetrios", False), {}), (LastWait("before", "w", "", 60, "", False), {})])
def test_the_later_steps_of_a_march_are_what_an_open_route_would_have_saved(
        desk: MailDesk, last: LastWait, more: dict[str, int]) -> None:
    desk.mail.waits.last = last
    waiting.note_silent(desk, now(desk)._replace(answered=frozenset({"blue"})))
    assert desk.mail.waits.steps == more and desk.mail.waits.last.later is bool(more)
    desk.mail.waits.last = LastWait("before")
    waiting.note_silent(desk, now(desk)._replace(march="", goes_on=True))
    assert (desk.mail.waits.steps, desk.mail.waits.parts) == (more, {})


def test_a_turn_in_parts_is_counted_for_whoever_goes_on(tmp_path: Path) -> None:
    desk = at_its_first_order(tmp_path)
    for goes_on, parts in ((False, {}), (True, {"red": 300})):
        desk.mail.waits.last = LastWait()
        wait = now(desk)._replace(goes_on=goes_on)
        waiting.note_silent(desk, wait)
        assert desk.mail.waits.parts == parts
    wait = now(desk)
    desk.enter({"note": "a remark"})
    desk.order("red", "roll")
    waiting.note_answered(desk, wait, "red", stamp(hours(2)))
    assert desk.mail.waits.seats["red"]["activation"].count == 3
    waiting.note_answered(desk, wait, "blue", stamp(hours(2)))
    assert "blue" not in desk.mail.waits.seats


# --- what it adds up to --------------------------------------------------------------------------------------------------


def test_the_figures_of_each_seat() -> None:
    waits = Waits(seats={
        "red": {"activation": WaitRow(1, 60, 1, 1, 60)},
        "blue": {"evasion": WaitRow(2, 120, 0, 1, 30), "interception": WaitRow(1, 90, 1, 0, 0)}})
    assert waiting.figures(waits) == [
        {"seat": "blue", "answers": 3, "hours": 1.2, "silent": 1, "in_time": 67, "slowest": "interception",
         "slowest_hours": 1.5, "total_hours": 4, "kinds": {"evasion": 2.0, "interception": 1.5}},
        {"seat": "red", "answers": 1, "hours": 1.0, "silent": 1, "in_time": 0, "slowest": "activation", "slowest_hours": 1.0,
         "total_hours": 1, "kinds": {"activation": 1.0}}]
    (many,) = waiting.figures(Waits(seats={"red": {"activation": WaitRow(100, 6000, 1, 1, 60)}}))
    assert (many["in_time"], many["total_hours"], waiting.summed_up(Waits(minutes=6000))["waited_hours"]) == (99, 100, 100)


def test_only_what_lasted_an_hour_is_told_and_six_kinds_at_most() -> None:
    assert waiting.where(Waits(kinds={"a": 59, "b": 60})) == [{"kind": "b", "hours": 1.0}]
    assert [row["kind"] for row in waiting.where(Waits(kinds={kind: 60 + ord(kind) for kind in "abcdefg"}))] == list("gfedcb")


def kinds(found: Iterable[dict[str, Any]]) -> set[str]:
    return {one for row in found for one in waiting.SAVINGS if one in row}


@pytest.mark.parametrize("minutes", [59, 60])
@pytest.mark.parametrize(("name", "waits"), [
    ("standing", lambda minutes: Waits(seats={"red": {"evasion": WaitRow(3, 900, 0, 2, minutes)}})),
    ("route", lambda minutes: Waits(steps={"red": minutes})), ("turn", lambda minutes: Waits(parts={"red": minutes})),
    ("windows", lambda minutes: Waits(kinds={"surprise": minutes}))])
def test_a_change_that_would_have_saved_an_hour_is_told(name: str, waits: Any, minutes: int) -> None:
    assert kinds(waiting.savings(waits(minutes), {})) == ({name} if minutes == 60 else set())


def test_one_answer_is_no_habit_and_three_changes_are_enough() -> None:
    one = {kind: WaitRow(1, 900, 0, 1, 900) for kind in ("evasion", "interception")}
    assert waiting.savings(Waits(seats={"red": one}), {}) == []
    assert waiting.savings(Waits(seats={"red": {"activation": WaitRow(2, 900, 0, 2, 900)}}), {}) == []
    many = Waits(steps={"red": 60, "blue": 120}, parts={"red": 180, "blue": 240})
    assert [row["hours"] for row in waiting.savings(many, {})] == [4.0, 3.0, 2.0]


# --- how far a game is, and how fast ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turn", "round_", "phase", "player", "segment", "done"), [
    (1, 1, "strategy", "red", FIRST, 0), (2, 1, "strategy", "red", FIRST, 20), (2, 0, "peace", "", "", 20),
    (2, 2, "strategy", "red", FIRST, 24), (2, 1, "strategy", "blue", FIRST, 21), (2, 1, "strategy", "black", "", 23),
    (2, 1, "peace", "blue", FIRST, 20), (2, 1, "strategy", "nobody", FIRST, 20)])
def test_how_far_a_game_is(
        desk: MailDesk, turn: int, round_: int, phase: str, player: str, segment: str, done: float) -> None:
    g = desk.match.g
    g.turn, g.round, g.phase, g.player, g.segment = turn, round_, phase, player, segment
    assert waiting.progress(g) == (done, 100)
    for place, g.segment in enumerate(waiting.SEGMENTS if segment else ()):
        counts = phase == "strategy" and player in g.turn_order
        assert waiting.progress(g)[0] == done + counts * place / len(waiting.SEGMENTS)


def test_the_pace_is_counted_from_the_first_look_at_a_game_that_has_begun(desk: MailDesk) -> None:
    waiting.note_pace(desk)
    assert desk.mail.pace == Pace(stamp(hours(5)), "20.5")
    desk.now = hours(9)
    waiting.note_pace(desk)
    assert desk.mail.pace == Pace(stamp(hours(5)), "20.5")
    desk.mail.pace = None
    desk.game.entries.clear()
    waiting.note_pace(desk)
    assert desk.mail.pace is None


@pytest.mark.parametrize(("pace", "turn", "over"), [
    (None, 3, 0), (Pace("", "20.5"), 2, 0), (Pace("", "20.5"), 3, 2), (Pace("", "19.5"), 2, 1), (Pace("", "20.0"), 2, 0),
    (Pace("", "0.0"), 1, 0), (Pace("", "0.0"), 2, 1)])
def test_which_game_turn_is_over(desk: MailDesk, pace: Pace | None, turn: int, over: int) -> None:
    """Only one that was counted from its beginning, or from its middle."""
    desk.mail.pace, desk.match.g.turn = pace, turn
    assert waiting.turn_over(desk) == over


def test_before_anybody_s_turn_none_is_over(desk: MailDesk) -> None:
    desk.mail.pace, desk.match.g.turn, desk.match.g.turn_order = Pace("", "0.0"), 1, []
    assert waiting.turn_over(desk) == 0


@pytest.mark.parametrize(("done", "days", "left"), [
    ("10.5", 10, 79.5), ("20.5", 10, None), ("21", 10, None), ("20.4", 1, 795.0), ("10.2", 10, 77.2), ("20.49", 460, 3657e3)])
def test_how_many_days_are_left(desk: MailDesk, done: str, days: int, left: float | None) -> None:
    desk.mail.pace, desk.now = Pace(stamp(NOON), done), NOON + timedelta(days=days)
    told, found = waiting.summed_up(Waits(minutes=90), desk), waiting.days_left(desk, desk.now)
    assert found == (None if left is None else pytest.approx(left, rel=1e-6)) and told["days_left"] == found
    assert told["ends"] == (f"{desk.now + timedelta(days=left):%F}" if left is not None and left < 3650 else "")
    assert told["waited_hours"] == 2


def test_only_what_there_is_is_told(desk: MailDesk) -> None:
    said = showing.words(desk)
    assert waiting.lines(said, waiting.summed_up(Waits())) == []
    assert len(waiting.lines(said, waiting.summed_up(Waits(kinds={"interception": 90})))) == 1
    desk.mail.pace = Pace(stamp(NOON), "10.5")
    assert len(waiting.lines(said, waiting.summed_up(Waits(), desk))) == 1


def test_what_would_have_saved_days_is_told_in_the_words_of_its_reader() -> None:
    told = waiting.summed_up(Waits(seats={"red": {"evasion": WaitRow(2, 900, 0, 2, 600)}}, steps={"red": 120}))
    order, route = waiting.lines(showing.plain_words("de"), told)[1:]
    assert "„Dauerbefehl: passe beim Ausweichen, immer“" in order and "2,0 h" in route


def test_of_a_game_that_cannot_be_opened_or_waits_for_nobody_nothing_is_foretold(desk: MailDesk) -> None:
    told = waiting.summed_up(Waits(kinds={"surprise": 600}))
    assert (told["days_left"], told["ends"], kinds(told["savings"])) == (None, "", {"windows"})
    desk.game.header["rules"]["windows"] = "reserved"
    assert waiting.summed_up(Waits(kinds={"surprise": 600}), desk)["savings"] == []
    assert waiting.days_left(desk, desk.now) is None
    desk.mail.pace, desk.match.table.question = Pace(stamp(NOON), "10"), None
    assert waiting.days_left(desk, desk.now) is None
