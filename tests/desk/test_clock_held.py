"""The clock is stopped and goes on: everybody has as much time left as before."""

from datetime import timedelta
from pathlib import Path

import pytest
from at_the_shell import said
from small_game import NOON, again, at_window, found

from pbem.base.errors import NotNow, Refused
from pbem.desk import deadline


def test_every_running_deadline_is_moved_by_the_time_the_clock_stood(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    question = game.match.question
    assert question is not None and game.match.due_of(question) == "2026-11-20T12:00Z"
    again(game.folder, now=NOON + timedelta(hours=10)).hold("holidays")
    late = again(game.folder, now=NOON + timedelta(days=30, hours=10, minutes=5))
    assert (stands := deadline.closing(late)) is not None and stands.state == deadline.STOPPED
    late.resume()
    assert late.game.entries[-1]["moved"] == 30 * 24 * 60 + 5
    after = again(game.folder, published=True, now=late.now)
    assert after.match.question is not None and after.match.due_of(after.match.question) == "2026-12-20T12:05Z"
    assert (stands := deadline.closing(after)) is not None and stands.state == deadline.OPEN


def test_a_question_below_a_card_keeps_its_time_too(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    below = game.match.question
    assert below is not None
    assert [one.state for one in game.order("yellow", "play 58 as surprise on red")] == ["done"]
    above = game.match.question
    assert above is not None and above.id != below.id and below.id in game.match.due
    game.hold("a storm")
    late = again(game.folder, now=NOON + timedelta(hours=6))
    late.resume()
    assert late.match.due[below.id] == "2026-11-20T18:00Z" == late.match.due_of(above)


def test_what_the_clock_does_already_is_refused(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    with pytest.raises(NotNow, match="clock runs"):
        game.resume()
    game.hold("holidays")
    with pytest.raises(NotNow, match="clock stands still"):
        game.hold("again")
    with pytest.raises(Refused, match="due has passed"):
        game.resume("2020-01-01T12:00Z")
    game.resume("2026-12-01T12:00Z")
    assert game.match.question is not None and game.match.due_of(game.match.question) == "2026-12-01T12:00Z"


def test_a_deadline_that_is_given_is_the_one_that_counts(tmp_path: Path) -> None:
    for name, held in (("a", {"hold": "holidays", "since": "2026-11-18T10:00Z"}), ("b", {"hold": "as it was written before"})):
        game = at_window(tmp_path / name)
        game.enter(held)
        with pytest.raises(Refused, match="due has passed"):
            game.resume("2026-11-18T12:00Z")
        game.resume("2026-12-01T12:00Z")
        assert game.game.entries[-1] == {"resume": "", "due": "2026-12-01T12:00Z"}


def test_where_no_time_has_passed_or_nobody_is_asked_nothing_is_moved(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.hold("a moment")
    game.resume()
    assert game.game.entries[-1] == {"resume": ""}
    game.enter({"hold": "as it was written before"})
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    game.resume()
    assert {"resume": ""} in game.game.entries[-2:]


def test_where_nobody_wrote_down_when_it_was_stopped_the_time_begins_anew(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    game.enter({"hold": "as it was written before"})
    late = again(game.folder, now=NOON + timedelta(days=30))
    late.resume()
    assert late.match.question is not None and late.match.due_of(late.match.question) == "2026-12-20T12:00Z"


def test_nobody_is_told_a_deadline_while_the_clock_stands_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    game = at_window(tmp_path / "g").folder
    asked, told = said("options", game, "blue"), said("status", game)
    assert "Answer by Fri 20 Nov" in asked and "due Fri 20 Nov" in told
    assert "Fri 20 Nov" not in said("hold", game, "a storm")
    for words in (["order", game, "blue", "a"], ["options", game, "yellow"], ["status", game], ["report", game],
                  ["ask", game, "red", "status"]):
        assert "20 Nov" not in said(*words), words
    assert "The clock stands still: a storm" in said("options", game, "yellow")
    assert "20 Nov" in said("resume", game)
