"""When silence may close a question: every reason against it, in its order, for whoever asks."""

from datetime import timedelta
from pathlib import Path

import pytest
import small_game
from at_the_shell import said as pbem
from small_game import MARCH, NOON, again, found

from pbem.desk import deadline, overview, showing
from pbem.desk.deadline import CLOSES, GRACE, JUMPED, OPEN, RULE, STOPPED, UNLOOKED, UNREACHABLE, UNREAD, UNSENT, Post
from pbem.desk.desk import Desk
from pbem.rules.war import MODERATOR

HOURS = {"default": 48, "grace": 2}


def at_window(folder: Path, **rules: object) -> Desk:
    return small_game.at_window(folder, **{"deadlines": HOURS, **rules})


def stands(folder: Path, hours: float, post: Post = deadline.NOT_LOOKED) -> str:
    closing = deadline.closing(again(folder, now=NOON + timedelta(hours=hours)), post)
    assert closing is not None
    return closing.state


def test_deadline_then_grace_then_it_closes(tmp_path: Path) -> None:
    at_window(tmp_path / "g")
    found_ = {hours: stands(tmp_path / "g", hours) for hours in (0, 47.9, 48, 49.9, 50, 500)}
    assert found_ == {0: OPEN, 47.9: OPEN, 48: GRACE, 49.9: GRACE, 50: CLOSES, 500: CLOSES}


def test_what_stands_against_it_comes_in_its_order(tmp_path: Path) -> None:
    """Each reason added to those before it is told only once those have gone."""
    game, late = at_window(tmp_path / "g", silence={"default": "hold"}), 100
    game.tray.mail.unreachable["yellow"] = "2026-11-18T12:00:00Z"
    game.keep()
    everything = Post(back=NOON + timedelta(hours=99), jumped="forward", unread=dict.fromkeys(("blue", "red"), NOON),
                      unsent=frozenset(("blue",)))
    assert stands(tmp_path / "g", late, everything) == JUMPED
    assert stands(tmp_path / "g", late, everything._replace(jumped="")) == GRACE
    assert stands(tmp_path / "g", late, everything._replace(jumped="", back=None)) == RULE
    game = at_window(tmp_path / "h")
    game.tray.mail.unreachable["yellow"] = "2026-11-18T12:00:00Z"
    game.keep()
    assert stands(tmp_path / "h", late, everything._replace(jumped="", back=None)) == UNREAD
    assert stands(tmp_path / "h", late, Post(unread=dict.fromkeys(("red", "black"), NOON))) == UNREACHABLE
    game.tray.mail.unreachable.clear()
    game.keep()
    assert stands(tmp_path / "h", late, everything._replace(jumped="", back=None, unread={})) == UNSENT
    assert stands(tmp_path / "h", late, Post(unread=dict.fromkeys(("red", "black"), NOON))) == CLOSES
    in_time = NOON + timedelta(hours=sum(HOURS.values()))               # to the minute: what has come later is late
    assert stands(tmp_path / "h", late, Post(unread={"blue": in_time})) == UNREAD
    assert stands(tmp_path / "h", late, Post(unread={"blue": in_time + timedelta(minutes=1)})) == CLOSES


def test_by_hand_nobody_who_answers_by_mail_is_silent_for_nobody_has_looked(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_window(tmp_path / "g")
    game.tray.addresses = {"red": ["anna@example.com"], "yellow": [], "blue": ["bruno@example.com"]}
    game.keep()
    assert (stands(tmp_path / "g", 100), stands(tmp_path / "g", 100, Post())) == (UNLOOKED, CLOSES)
    late = again(tmp_path / "g", now=NOON + timedelta(hours=100))
    assert overview.suggestion(late) == "pbem mail run"
    monkeypatch.setenv("PBEM_NOW", late.now.isoformat())
    said = pbem("run", game.folder, "--overdue")
    assert "but Blue may answer by mail" in said and not any("close" in entry for entry in again(game.folder).game.entries)


def test_while_the_clock_stands_still_nothing_closes(tmp_path: Path) -> None:
    at_window(tmp_path / "g").enter({"hold": "holidays"})
    assert stands(tmp_path / "g", 500) == STOPPED


def test_a_question_without_a_deadline_stays_open(tmp_path: Path) -> None:
    found(tmp_path / "g")
    assert stands(tmp_path / "g", 500) == OPEN


def test_where_nobody_is_asked_nothing_can_close(tmp_path: Path) -> None:
    at_window(tmp_path / "g").ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert deadline.closing(again(tmp_path / "g", now=NOON + timedelta(hours=500))) is None
    at_window(tmp_path / "h")
    late = again(tmp_path / "h", now=NOON + timedelta(hours=500))
    assert late.match.question is not None and deadline.closing(late) is not None
    late.match.question.sides = (MODERATOR,)
    assert deadline.closing(late) is None


def test_while_a_round_of_the_beacon_is_awaited_nothing_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_window(tmp_path / "g")
    monkeypatch.setattr(Desk, "awaited", "T2")
    assert stands(tmp_path / "g", 500) == STOPPED


@pytest.mark.parametrize(("silence", "in_turn", "in_window"), [
    ({}, CLOSES, CLOSES), ({"turn": "hold"}, RULE, CLOSES), ({"turn": "quiet"}, CLOSES, CLOSES),
    ({"interception": "hold"}, CLOSES, RULE), ({"default": "hold"}, RULE, RULE),
    ({"default": "hold", "turn": "default"}, CLOSES, RULE), ({"default": "moderator", "interception": "default"}, RULE, CLOSES),
])
def test_what_silence_means_is_said_for_a_kind_for_a_turn_or_for_all(
        tmp_path: Path, silence: dict[str, str], in_turn: str, in_window: str) -> None:
    found(tmp_path / "turn", deadlines=HOURS, silence=silence).order("red", "roll")
    at_window(tmp_path / "window", silence=silence)
    assert (stands(tmp_path / "turn", 500), stands(tmp_path / "window", 500)) == (in_turn, in_window)


def test_an_absence_moves_the_deadline_at_any_desk(tmp_path: Path) -> None:
    game = found(tmp_path / "g", deadlines=HOURS)
    game.tray.absences["yellow"] = [("2026-11-18", "2026-11-24")]
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    assert game.match.question is not None and game.match.due_of(game.match.question) == "2026-11-27T00:00Z"


@pytest.mark.parametrize(("state", "seats", "rule"), [
    (OPEN, (), "default"), (GRACE, (), "default"), (STOPPED, (), "default"), (JUMPED, (), "default"), (RULE, (), "hold"),
    (RULE, (), "moderator"), (UNREACHABLE, ("blue",), "default"), (UNREAD, ("blue", "yellow"), "default"),
    (UNSENT, ("blue",), "default"),
    (UNLOOKED, ("blue",), "default")])
@pytest.mark.parametrize("language", ["en", "de", "it", "ru"])
def test_every_state_is_said(tmp_path: Path, state: str, seats: tuple[str, ...], rule: str, language: str) -> None:
    game = at_window(tmp_path / "g")
    assert game.match.question is not None
    game.language = language
    closing = deadline.Closing(state, game.match.question, NOON, seats, rule)
    told = showing.closing(closing, showing.words(game))
    assert told and ("18" in told) is (state in (OPEN, GRACE))


def test_while_the_clock_stands_still_there_is_no_time_to_be_said(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.enter({"hold": "a holiday"})
    stopped = deadline.closing(game)
    assert stopped is not None and stopped.at is None and "stands still" in showing.closing(stopped, showing.words(game))


def test_the_command_and_the_list_say_why_it_is_still_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_window(tmp_path / "g", deadlines={"default": 1, "grace": 2_000})
    late = again(game.folder, now=NOON + timedelta(hours=5))
    assert "grace lasts until" in overview.status(late)
    assert "--overdue" not in overview.status(late)
    later = again(game.folder, now=NOON + timedelta(hours=2_100))
    assert "grace" not in overview.status(later) and "--overdue" in overview.status(later)
    said = pbem("run", game.folder, "--overdue")
    assert game.match.question is not None and f"{game.match.question.id}: its time" in said
    assert not any("close" in entry for entry in again(game.folder).game.entries)


# --- each question its own time --------------------------------------------------------------------------------------------


def test_each_segment_of_a_player_turn_has_its_own_deadline_and_its_orders_share_it(tmp_path):
    start = {**MARCH, "segment": {"player": "red", "kind": "tyche"}}
    game = found(tmp_path / "g", start, cards=True, deadlines={"default": 48, "activation": 24})
    game.order("red", "play 1 as ops")
    first = game.match.due_of(game.match.question)
    later = again(tmp_path / "g", now=NOON + timedelta(hours=30))
    later.order("red", "end")
    assert later.match.question.kind == "activation"
    assert (first, later.match.due_of(later.match.question)) == ("2026-11-20T12:00Z", "2026-11-20T18:00Z")
    later = again(tmp_path / "g", now=NOON + timedelta(hours=40))
    later.order("red", "roll")
    assert later.match.due_of(later.match.question) == "2026-11-20T18:00Z"
    asked = [entry["ask"] for entry in later.game.entries if "ask" in entry]
    assert len(asked) == 2 and later.match.due[asked[1]] == "2026-11-20T18:00Z"
