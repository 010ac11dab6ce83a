"""A game that has nothing to do is not opened: until a mail comes, a file changes or a moment comes, and never beyond it."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from table import Table, Unconnected, token_of

from pbem.base.folder import Lock
from pbem.desk.desk import Desk
from pbem.mail import lines, loop, people, resting, routing, run
from pbem.mail.desk import MailDesk
from pbem.mail.known import KEPT, Known, KnownGames
from pbem.mail.routing import Roster

pytestmark = pytest.mark.without_servers


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


@pytest.mark.parametrize("more", [
    {"Auto_Submitted": "auto-replied"}, {"sender": "who@example.net"}, {"subject": "Out of office"}])
def test_for_what_no_player_wrote_no_game_is_opened(quiet: Unconnected, opened: list[str], more: dict[str, str]) -> None:
    at_rest(quiet, opened)
    quiet.post("blue", "I am away.", **more)
    (state,) = quiet.run().counts
    assert (state, opened) in [("robot", []), ("quarantined", []), ("held", [])] and len(quiet.notices()) == (state == "held")


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


@pytest.mark.usefixtures("connected")
def test_a_clock_that_was_put_back_wakes_all(table: Table, opened: list[str]) -> None:
    at_rest(table, opened)
    table.later(days=-1)
    table.run(clock_ok=True)
    assert opened == ["small"]
    at_rest(table, opened)
    table.later(hours=-1)
    assert table.run().clock == "backward" and opened == ["small"]


def test_no_more_than_so_many_games_are_in_memory_at_once(
        table: Table, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is written, let go and opened again for what is still to be said."""
    monkeypatch.setattr(run, "MOST_OPEN", 2)
    monkeypatch.setattr(loop, "MOST_OPEN", 2)
    most: list[int] = []
    real = run.Run.settle
    monkeypatch.setattr(run.Run, "settle", lambda self: (most.append(len(self._locks)), real(self))[1])
    names = ["small", *(f"other{number}" for number in range(4))]
    for name in names[1:]:
        table.add(name)
    at_rest(table, opened)
    most.clear()
    for name in names:
        table.post("blue", "status", answers=table.last("blue", f"[{name}"))
    assert table.run().counts == {"applied": 5}
    assert len(most) == 6 and max(most) <= 3               # 2, 2 and 1 with their mails, and the same once more
    assert set(opened) == set(names) and len(opened) <= 10      # the last one may still be open
    assert sum("received" in one for one in table.subjects("blue")) == 5
    for name in names:
        with Lock(table.game.with_name(name)):
            pass                                            # nobody is at it any more
    at_rest(table, opened)
    assert sum("received" in one for one in table.subjects("blue")) == 5


# --- whose mails are whose: read anew only where something has changed ---------------------------------------------------


def known(table: Table) -> Roster:
    """As a run would know it."""
    return routing.roster(table.game, KnownGames(table.config.folder).of(table.game, resting.marks(table.game)))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are read to know whose a mail is."""
    found: list[str] = []
    real = Roster.read
    monkeypatch.setattr(Roster, "read", lambda place: (found.append(place.name), real(place))[1])
    return found


def test_of_games_that_have_not_changed_nothing_is_read_to_know_whose_a_mail_is(
        table: Table, opened: list[str], read: list[str]) -> None:
    for name in ("other", "third"):
        table.add(name)
    at_rest(table, opened)
    assert sorted(read) == ["other", "small", "third"]
    read.clear()
    for _ in range(2):                          # of what was written because of a mail a run knows all by itself
        table.post("blue", "status", answers=table.last("blue", "[small"))
        assert table.run().counts == {"applied": 1} and read == []
    opened.clear()
    at_rest(table, opened)
    people.addresses(table.add("fourth"), "red", ["anna@example.net"])
    table.post("blue", "status", answers=table.last("blue", "[small"))
    assert table.run().counts == {"applied": 1} and read == ["fourth"]
    assert (table.config.folder / KEPT).stat().st_mode & 0o777 == 0o600


def test_what_a_run_keeps_is_what_the_files_say(table: Table) -> None:
    table.started()
    table.add("other")
    table.reply("red", "roll")
    table.run()
    for place in table.config.games():
        marks = resting.marks(place)
        found = KnownGames(table.config.folder).of(place, marks)
        assert found is not None
        assert found._replace(since="", until="") == Known(str(place), marks, Roster.read(place).plain())
    assert known(table).issued and not (table.config.folder / KEPT).read_bytes().count(token_of(table.last("red")).encode())


@pytest.mark.parametrize("spoilt", [
    lambda data: b"", lambda data: data[:-9], lambda data: data.replace(b"red", b"blue"), lambda data: data.partition(b"\n")[2],
    lambda data: (text := b"another program\n" + data.split(b"\n", 2)[2]) and sha256(text).hexdigest().encode() + b"\n" + text])
def test_what_is_kept_of_it_is_never_needed(table: Table, read: list[str], spoilt: Callable[[bytes], bytes]) -> None:
    table.started()
    path, right = table.config.folder / KEPT, Roster.read(table.game).plain()
    read.clear()
    assert known(table).plain() == right and not read
    path.write_bytes(spoilt(path.read_bytes()))
    assert known(table).plain() == right and read.pop()
    path.unlink()
    path.mkdir()
    assert known(table).plain() == right and read.pop()
    table.reply("red", "roll")
    assert table.run().counts == {"applied": 1}


def test_an_address_given_anew_counts_at_once(table: Table) -> None:
    table.started()
    assert known(table).seat_of("anna@example.com") == "red"
    people.addresses(table.game, "red", ["anna@example.net"])
    found = known(table)
    assert (found.seat_of("anna@example.com"), found.seat_of("anna@example.net")) == ("", "red")


def test_what_is_quoted_is_looked_for_in_the_newest_mails_first(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quote of ours needs no other mail, and no report made for it."""
    table.started()
    table.reply("red", "roll")
    table.run()
    looked: list[str] = []
    like = lines.like_an_order
    monkeypatch.setattr(lines, "like_an_order", lambda desk, seat, mail: (looked.append(seat), like(desk, seat, mail))[1])
    monkeypatch.setattr(lines, "Desk", None)
    table.reply("red", "march Antigonos > Ephesos", quote=True)
    assert table.run().counts == {"applied": 1} and looked == ["red"]
