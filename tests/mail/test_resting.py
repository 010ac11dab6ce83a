"""A game that has nothing to do is not opened: until a mail comes, a file changes or a moment comes, and never beyond it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from table import Table

from pbem.base.folder import Lock
from pbem.desk.desk import Desk
from pbem.mail import run
from pbem.mail.desk import MailDesk


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The games that were opened."""
    names: list[str] = []

    def opens(place: Path, **more: Any) -> MailDesk:
        names.append(place.name)
        return MailDesk(place, **more)

    monkeypatch.setattr(run, "MailDesk", opens)
    yield names


def at_rest(table: Table, opened: list[str]) -> None:
    """All is asked and noted, and a run has found nothing more to do."""
    for _ in range(3):
        table.run()
    opened.clear()
    table.run()
    assert opened == []


def test_only_the_game_for_which_a_mail_came_is_opened(table: Table, opened: list[str]) -> None:
    table.add("other")
    at_rest(table, opened)
    table.reply("blue", "status")                           # an answer to the newest question, which is of one game
    assert table.run().counts == {"applied": 1}
    assert len(set(opened)) == 1
    for _ in range(2):                                      # it has changed, so it is looked at again
        table.run()
    assert len(set(opened)) == 1
    opened.clear()
    table.run()
    assert opened == []


def test_what_the_moderator_does_wakes_a_game(table: Table, opened: list[str]) -> None:
    at_rest(table, opened)
    with Lock(table.game):
        Desk(table.game, now=table.now).order("red", "roll")
    table.run()
    assert opened == ["small"] and "Re: " not in table.subjects("blue")[-1]
    at_rest(table, opened)
    path = table.game / "game.yaml"
    path.write_text(path.read_text() + "# a remark\n")
    table.run()
    assert opened == ["small"]


def test_reminder_and_deadline_come_to_their_moment(table: Table, opened: list[str]) -> None:
    table.anew(deadlines={"default": 20, "remind": 2})
    at_rest(table, opened)
    closed: list[str] = []
    woken = []
    for hour in range(1, 21):
        table.later(minutes=59, seconds=59)
        closed += table.run().closed
        woken += [hour] if opened else []
        opened.clear()
    assert woken == [18, 19, 20] and len(closed) == 1       # reminded at 18, which changes the game; closed at 20
    assert sum("still open" in one for one in table.subjects("red")) == 1


def test_a_clock_that_was_put_back_wakes_all(table: Table, opened: list[str]) -> None:
    at_rest(table, opened)
    table.later(days=-1)
    table.run(clock_ok=True)
    assert opened == ["small"]
    at_rest(table, opened)
    table.later(hours=-1)
    assert table.run().clock == "backward" and opened == ["small"]
