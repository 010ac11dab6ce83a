"""A whole round, as cron calls it: fetched, dealt with, tended, sent; and what is left out when a part of it fails."""

import errno
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON
from table import Unconnected
from test_lying import Server
from test_rounds_of_sending import Server as Takes
from test_rounds_of_sending import refuses

from pbem.base import clock
from pbem.base.clock import stamp
from pbem.base.errors import PbemError
from pbem.log import gamelog
from pbem.mail import loop, sending, speaking
from pbem.mail import run as runs
from pbem.mail.desk import MailDesk
from pbem.mail.known import KEPT
from pbem.mail.outbox import Outbox, of_game
from pbem.mail.run import Run, State, Summary


class Round:
    """The table with a server that gives mails and one that takes them."""

    def __init__(self, table: Unconnected, patch: pytest.MonkeyPatch) -> None:
        self.table, self.server, self.takes, self.patch = table, Server(), Takes(), patch
        self.is_there = True
        patch.setattr(loop, "Box", self.box)
        patch.setattr(sending, "login", self.takes.login)

    def box(self, config: Any) -> Server:
        if not self.is_there:
            raise PbemError("mail_no_login", server="s", user="u", what="nobody there")
        return self.server

    def run(self, clock_ok: bool = False, **later: float) -> Summary:
        self.table.later(**(later or {"minutes": 5}))
        return loop.run(self.table.config, self.table.config.games(), self.table.now, clock_ok=clock_ok)

    def post(self, seat: str, text: str) -> int:
        newest = next(one for one in reversed(self.table.inbox(seat)) if one["Reply-To"])
        return self.server.take(self.table.write(seat, text, answers=newest), self.table.now)

    def state(self) -> State:
        return State.read(self.table.config.folder)

    def own(self, word: str = "") -> list[str]:
        box = loop.boxes(self.table.config, [])[0]
        return [one.subject for one in [*box.unsent(word), *box.past(word)]]


@pytest.fixture
def round(quiet: Unconnected, monkeypatch: pytest.MonkeyPatch) -> Round:
    found = Round(quiet, monkeypatch)
    found.run()
    return found


def test_a_round_fetches_plays_marks_tells_and_sends(round: Round) -> None:
    uid, before = round.post("red", "roll\nmarch Antigonos > Ephesos"), len(round.takes.took)
    summary = round.run()
    assert (summary.fetched, summary.counts, summary.problems) == (1, {"applied": 1}, [])
    assert summary.sent is not None and summary.sent.sent == len(round.takes.took) - before == 3
    assert round.server.marked[-1] == [uid] and round.table.did()[0] == "roll"
    assert round.state().last_run == round.state().good == stamp(round.table.now)
    assert "interception" in round.table.subjects("blue")[-1]
    assert round.run().counts == {} and round.server.marked[-1] == []


def test_the_time_of_a_round_is_the_clock_s_unless_it_is_given(round: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", (round.table.now + timedelta(minutes=7)).isoformat())
    loop.poll(round.table.config, round.table.config.games())
    assert round.state().last_run == stamp(round.table.now + timedelta(minutes=7))
    loop.poll(round.table.config, round.table.config.games(), round.table.now + timedelta(minutes=9))
    assert round.state().last_run == stamp(round.table.now + timedelta(minutes=9))


def test_mails_are_sent_by_the_clock_unless_the_time_is_given(round: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    box = of_game(round.table.game)
    sent = box.past()[0]
    for name, minutes in (("one", 60), ("two", 120)):
        later = stamp(round.table.now + timedelta(minutes=minutes))
        box.put(sent._replace(key=name, state="queued", next=later, made=later, window=""))
    monkeypatch.setenv("PBEM_NOW", (round.table.now + timedelta(minutes=60)).isoformat())
    games = round.table.config.games()
    done = [loop.send(round.table.config, games).sent, loop.send(round.table.config, games, NOON).sent,
            loop.send(round.table.config, games, round.table.now + timedelta(minutes=120)).sent]
    assert [one and one.sent for one in done] == [1, 0, 1]


def test_while_the_server_cannot_be_asked_nothing_closes_and_nobody_is_asked(round: Round) -> None:
    good = round.state().good
    round.is_there = False
    for _ in range(30):
        summary = round.run(hours=2)
        assert summary.failed and "nobody there" in summary.text() and summary.closed == []
        assert summary.text().partition(";")[0] == "0 fetched" and "unread" not in summary.text()
    assert round.state().good == good and round.state().last_run == stamp(round.table.now)
    round.is_there = True
    assert round.run().closed == [] and round.state().made_good > stamp(round.table.now), "that is made good"


def test_a_disk_that_fails_while_games_are_tended_ends_the_round_and_nothing_is_sent(round: Round) -> None:
    round.post("red", "roll")
    took = len(round.takes.took)

    def full(desk: Any, config: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    with round.patch.context() as patch:
        patch.setattr(speaking, "speak", full)
        summary = round.run()
    assert summary.cut_short and summary.sent is None and len(round.takes.took) == took
    assert round.run().sent is not None and len(round.takes.took) > took


def test_any_other_fault_over_a_file_of_one_game_does_not_stop_the_others(round: Round) -> None:
    other = round.table.add("other")
    speak = speaking.speak

    def faulty(desk: Any, config: Any) -> Any:
        if desk.place == round.table.game:
            raise FileNotFoundError(errno.ENOENT, "a picture")
        return speak(desk, config)

    with round.patch.context() as patch:
        patch.setattr(speaking, "speak", faulty)
        round.post("red", "roll")
        summary = round.run()
    assert not summary.cut_short and [one[:6] for one in summary.problems] == ["small:"]
    assert "T2.R1.red.1" in [one.window for one in Outbox(other / "out").past()]


def test_of_games_that_are_written_together_only_the_one_that_cannot_be_written_is_left(round: Round) -> None:
    """It is the second: what was on its way to the disk of the first is done once more."""
    round.table.add("other")
    round.run()
    append = gamelog.append

    def refuses_small(place: Path, *more: Any) -> Any:
        if place == round.table.game:
            raise PbemError("busy", folder=str(place), pid=1, since="")
        return append(place, *more)

    for _ in range(23):
        round.run(hours=2)
    with round.patch.context() as patch:
        patch.setattr(gamelog, "append", refuses_small)
        summary = round.run(hours=3)
    assert summary.closed == ["other T2.R1.red.1"] and [one[:6] for one in summary.problems] == ["small:"]
    assert round.run().closed == ["small T2.R1.red.1"]


def test_a_copy_that_cannot_be_made_is_told_and_the_round_is_done(round: Round) -> None:
    round.table.config.data["backup"] = {"file": "copy", "encrypt": "false"}
    round.post("red", "roll")
    summary = round.run()
    assert len(summary.problems) == 1 and summary.sent is not None and round.table.did() == ["roll"]


# --- a clock that jumps --------------------------------------------------------------------------------------------------


def test_where_the_clock_has_jumped_nothing_closes_until_somebody_has_looked(round: Round) -> None:
    before = round.state().last_run
    for _ in range(2):
        summary = round.run(days=3)
        assert summary.clock == "forward" and summary.closed == [] and round.state().last_run == before
    assert sum("clock" in one for one in round.own()) == 1
    summary = round.run(clock_ok=True)
    assert summary.clock == "" and round.state().last_run == stamp(round.table.now)
    assert round.run().clock == ""


@pytest.mark.parametrize(("hours", "way"), [(-30, "backward"), (-1, "backward"), (30, "forward")])
def test_a_clock_that_has_jumped_wakes_every_game(round: Round, hours: int, way: str) -> None:
    for _ in range(4):
        round.run()
    opened: list[Path] = []

    def opens(place: Path, **more: Any) -> MailDesk:
        opened.append(place)
        return MailDesk(place, **more)

    round.patch.setattr(runs, "MailDesk", opens)
    assert round.run(hours=2).clock == "" and opened == []
    assert round.run(hours=hours).clock == way and opened == [round.table.game]


# --- nobody looked for a while -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("good", "made_good", "begins"), [
    (None, None, False), (clock.GAP, None, False), (clock.GAP + timedelta(seconds=1), None, True),
    (clock.GAP * 2, clock.GAP * 3, True), (clock.GAP * 2, clock.GAP, False), (clock.GAP * 2, clock.GAP * 2, True),
    (clock.GAP, clock.GAP * 3, False)])
def test_a_while_without_a_look_is_made_good_unless_another_still_is(
        round: Round, good: timedelta | None, made_good: timedelta | None, begins: bool) -> None:
    """The spans are how long ago somebody looked, and how long ago the last outage was made good."""
    config, now = round.table.config, round.table.now
    with ExitStack() as stack:
        run = Run(config, [], now, stack)
        was = run.state._replace(good=stamp(now - good) if good else "", made_good=stamp(now - made_good) if made_good else "",
                                 back="")
        run.state = was
        loop.note_good_poll(run)
        wanted = was._replace(good=stamp(now))
        if begins and good:
            wanted = wanted._replace(back=stamp(now), made_good=stamp(now + good))
        assert run.state == wanted


# --- what is told of it --------------------------------------------------------------------------------------------------


def test_what_could_not_be_sent_is_told_once_and_its_game_looked_at(round: Round) -> None:
    for _ in range(3):
        round.run()
    assert (round.table.config.folder / KEPT).exists()
    sent = of_game(round.table.game).past()[0]
    for name in ("one", "two"):
        of_game(round.table.game).put(sent._replace(key=name, state="queued", to="red@example.com"))
    round.takes.says = [("", refuses(550, "5.1.1 no such user", "rcpt"))] * 2
    done = loop.send(round.table.config, round.table.config.games(), round.table.now)
    assert done.sent is not None and len(done.sent.failed) == 2 and done.problems == []
    assert not (round.table.config.folder / KEPT).exists()
    assert sum("could not be sent" in one for one in round.own()) == 1


def test_that_the_moderator_cannot_be_reached_is_told_to_nobody(round: Round) -> None:
    sent = of_game(round.table.game).past()[0]
    own = loop.boxes(round.table.config, [])[0]
    own.put(sent._replace(key="x", kind="merged", state="queued", to="boss@example.net", seat="", game=""))
    round.takes.says = [("", refuses(550, "5.1.1 no such user", "rcpt"))]
    round.run()
    assert len(own.failed()) == 1 and own.unsent() == []


def test_a_server_that_takes_nothing_is_told_and_all_of_it_waits(round: Round) -> None:
    def nobody(config: Any) -> Any:
        raise ConnectionRefusedError("no mails today")

    round.post("red", "roll")
    with round.patch.context() as patch:
        patch.setattr(sending, "login", nobody)
        summary = round.run()
    assert "no mails today" in summary.text() and summary.sent is not None and summary.sent.left == 1
    assert round.run().sent.sent == 1           # type: ignore[union-attr]
