"""What of the mails that lie on a server is fetched, in which order, and whose may still lie there; the server is a list."""

import itertools
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import cast

import pytest
from table import Unconnected

from pbem.base.errors import PbemError
from pbem.mail import fetching
from pbem.mail.box import Box, Listed
from pbem.mail.run import Run, State, Unread

Lies = list[tuple[Listed, bytes]]


class Server:
    """A mailbox on a server: what lies there, what of it cannot be had, and when the line breaks."""

    def __init__(self, uidvalidity: int = 7) -> None:
        self.uidvalidity, self.uidnext = uidvalidity, 1
        self.lies: Lies = []
        self.refused: set[int] = set()
        self.breaks_at = 0
        self.asked: list[int] = []
        self.marked: list[list[int]] = []

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *problem: object) -> None:
        pass

    def done(self, uids: list[int]) -> bool:
        self.marked.append(uids)
        return True

    def take(self, raw: bytes, received: datetime, size: int = 0) -> int:
        self.lies.append((Listed(self.uidnext, size or len(raw), received), raw))
        self.uidnext += 1
        return self.uidnext - 1

    def listed(self, first: int, known: Container[int] = ()) -> list[Listed]:
        return [one for one, _ in self.lies if one.uid >= first and one.uid not in known]

    def heads(self, wanted: Sequence[Listed], seconds: float) -> Iterator[tuple[Listed, bytes | None]]:
        raws = dict(self.lies)
        return ((one, None if one.uid in self.headless else raws[one].partition(b"\n\n")[0] + b"\n\n") for one in wanted)

    headless: frozenset[int] = frozenset()

    def fetch(self, wanted: Iterable[Listed], largest: int) -> Iterator[tuple[Listed, bytes | None]]:
        raws = dict(self.lies)
        for one in wanted:
            self.asked.append(one.uid)
            if one.uid == self.breaks_at:
                raise PbemError("mail_lost", server="s", what="x")
            yield one, None if one.uid in self.refused else raws[one]


class Mailbox:
    """The table and its server, one run after the other."""

    def __init__(self, table: Unconnected) -> None:
        self.table, self.server = table, Server()
        self.table.started()

    def post(self, seat: str, number: int = 1, **more: str) -> list[int]:
        wrote = [self.table.write(seat, f"status {next(_count)}", **more) for _ in range(number)]
        return [self.server.take(raw, self.table.now) for raw in wrote]

    def run(self) -> tuple[list[int], list[Unread]]:
        """Which mails were asked for, and whose may still lie there."""
        self.table.later(minutes=5)
        self.server.asked.clear()
        with ExitStack() as stack:
            self.last = Run(self.table.config, self.table.config.games(), self.table.now, stack)
            fetching.fetch(self.last, cast(Box, self.server))
            self.last.own.queue(self.last.says, self.table.now)
            return list(self.server.asked), self.last.unread

    def state(self) -> State:
        return State.read(self.table.config.folder)

    def kept(self) -> list[int]:
        return [row.uid for row in self.table.ledger().mails.values()]


_count = itertools.count(1)


@pytest.fixture
def mailbox(quiet: Unconnected) -> Mailbox:
    found = Mailbox(quiet)
    found.run()
    return found


def test_what_lay_there_before_the_first_run_is_never_asked_for(quiet: Unconnected) -> None:
    mailbox = Mailbox(quiet)
    mailbox.post("red", 3)
    assert mailbox.run()[0] == [] and mailbox.kept() == []
    mailbox.post("red")
    assert mailbox.run()[0] == [4] and mailbox.run()[0] == []


def test_a_server_that_does_not_say_its_next_number_is_begun_with_the_first(quiet: Unconnected) -> None:
    mailbox = Mailbox(quiet)
    mailbox.server.uidnext = 0
    mailbox.run()
    assert (mailbox.state().next, mailbox.state().proven) == (1, 1)
    mailbox.server.uidnext = 1
    mailbox.post("red")
    assert mailbox.run()[0] == [1]


def test_every_mail_is_fetched_once_and_the_next_run_asks_from_there(mailbox: Mailbox) -> None:
    mailbox.post("red", 2)
    assert mailbox.run() == ([1, 2], []) and mailbox.kept() == [1, 2]
    assert (mailbox.last.summary.fetched, mailbox.last.summary.left, mailbox.state().left) == (2, 0, 0)
    assert mailbox.state().next == 3 and mailbox.last.fresh == set(mailbox.table.ledger().mails)
    mailbox.server.lies.clear()
    assert mailbox.run() == ([], []) and mailbox.state().next == 3
    mailbox.post("red")
    assert mailbox.run()[0] == [3]


def test_a_mail_that_came_by_two_ways_is_new_once(mailbox: Mailbox) -> None:
    mailbox.post("red")
    mailbox.run()
    mailbox.server.take(mailbox.server.lies[0][1], mailbox.table.now)
    assert mailbox.run()[0] == [2] and mailbox.last.fresh == set() and mailbox.last.summary.fetched == 1


def test_what_cannot_be_had_is_counted_told_once_and_holds_nothing_up(mailbox: Mailbox) -> None:
    mailbox.post("red", 3)
    mailbox.server.refused = {2}
    assert mailbox.run()[0] == [1, 2, 3] and mailbox.last.summary.gone == [2]
    assert (mailbox.state().tries, mailbox.state().next, mailbox.state().left) == ({"2": 1}, 4, 1)
    mailbox.post("blue")
    assert mailbox.run()[0] == [4, 2] and mailbox.state().tries == {"2": 2} and mailbox.kept() == [1, 3, 4]
    assert len(mailbox.table.notices("")) == 0 and len(mailbox.last.own.unsent("unfetched")) == 1
    mailbox.server.refused = set()
    assert mailbox.run() == ([2], []) and mailbox.state().tries == {} and mailbox.state().next == 5


def test_a_mail_that_is_gone_from_the_server_is_forgotten(mailbox: Mailbox) -> None:
    mailbox.post("red")
    mailbox.server.refused = {1}
    mailbox.run()
    mailbox.server.lies.clear()
    assert mailbox.run() == ([], []) and mailbox.state().tries == {} and mailbox.state().next == 2


def test_of_what_could_not_be_had_the_least_tried_is_asked_for_and_only_two(mailbox: Mailbox) -> None:
    mailbox.post("red", 2)
    mailbox.server.refused = {1, 2, 3, 4}
    mailbox.run()
    mailbox.post("red", 2)
    mailbox.run()
    assert mailbox.run()[0] == [3, 4] and mailbox.run()[0] == [1, 2]


def test_what_is_left_of_a_line_that_broke_is_asked_for_first(mailbox: Mailbox) -> None:
    mailbox.post("red", 3)
    mailbox.server.breaks_at = 2
    with pytest.raises(PbemError):
        mailbox.run()
    assert mailbox.kept() == [1] and (mailbox.state().next, mailbox.state().left, mailbox.state().tries) == (2, 2, {})
    mailbox.server.breaks_at = 0
    assert mailbox.run()[0] == [2, 3]


@pytest.mark.parametrize(("seconds", "asked"), [(0, [1]), (100, [1, 2, 3])])
def test_a_run_that_has_taken_its_time_leaves_the_rest_for_the_next(mailbox: Mailbox, seconds: int, asked: list[int]) -> None:
    mailbox.post("blue", 3)
    mailbox.table.config.limits["seconds"] = seconds
    found, unread = mailbox.run()
    assert found == asked
    assert [(one.game, one.seat) for one in unread] == [("small", "blue")] * (3 - len(asked))
    assert mailbox.state().next == len(asked) + 1


# --- more than one run takes -----------------------------------------------------------------------------------------------


def test_tokens_go_before_addresses_and_both_before_strangers_each_as_they_came(mailbox: Mailbox) -> None:
    mailbox.table.config.limits["mails"] = 3
    mailbox.post("stranger@example.net", 2)
    mailbox.post("blue")
    (uid,) = mailbox.post("phone@example.net", answers=mailbox.table.last("red"))
    mailbox.post("stranger@example.net", 2)
    assert mailbox.run()[0] == [uid, 3, 1] and mailbox.state().next == 2
    mailbox.post("stranger@example.net")
    assert mailbox.run()[0] == [2, 5, 6] and mailbox.run()[0] == [7]


def test_as_many_as_one_run_takes_are_no_flood(mailbox: Mailbox) -> None:
    mailbox.table.config.limits["mails"] = 3
    mailbox.post("stranger@example.net", 2)
    mailbox.post("blue")
    assert mailbox.run()[0] == [1, 2, 3]


def test_of_a_mail_that_is_left_it_is_known_whose_it_may_be(mailbox: Mailbox) -> None:
    mailbox.table.add("other")
    mailbox.table.config.limits["mails"] = 1
    mailbox.server.refused = {1}
    mailbox.post("phone@example.net", answers=mailbox.table.last("red"))
    came = mailbox.table.now
    mailbox.post("stranger@example.net")
    mailbox.post("yellow")
    mailbox.post("stranger@example.net")
    mailbox.server.headless = frozenset({4})
    assert set(mailbox.run()[1]) == {
        Unread("small", "red", came), Unread("small", "yellow", came), Unread("other", "yellow", came), Unread("", "", came)}


@pytest.mark.parametrize(("more", "is_unread"), [(0, True), (1, False)])
def test_a_giant_that_would_not_be_read_in_any_case_blocks_nothing(mailbox: Mailbox, more: int, is_unread: bool) -> None:
    mailbox.server.take(mailbox.table.write("blue", "pass"), mailbox.table.now, mailbox.table.config.limits["size"] + more)
    mailbox.server.refused = {1}
    assert bool(mailbox.run()[1]) is is_unread


# --- a server that numbers anew --------------------------------------------------------------------------------------------


def test_where_the_server_numbers_anew_only_what_is_older_than_the_first_run_is_old(mailbox: Mailbox) -> None:
    began = mailbox.state().began
    mailbox.post("red")
    mailbox.run()
    known, first = mailbox.server.lies[0][1], mailbox.table.now - timedelta(days=1)
    mailbox.server = Server(8)
    mailbox.server.take(mailbox.table.write("blue", "older than the mailbox"), first)
    mailbox.server.take(known, first)
    mailbox.post("yellow")
    mailbox.server.take(mailbox.table.write("black", "as old as the mailbox"), fetching.moment(began))
    assert mailbox.run()[0] == [1, 2, 3, 4]
    assert [row.state for row in mailbox.table.ledger().mails.values()] == ["received", "old", "received", "received"]
    assert (mailbox.state().uidvalidity, mailbox.state().proven, mailbox.state().next) == (8, 5, 5)
    (told,) = mailbox.last.own.unsent("release")
    assert "pbem mail release 2" in told.text
    mailbox.server.take(mailbox.table.write("red", "on its way for very long"), first)
    assert mailbox.run()[0] == [5] and mailbox.table.states().count("old") == 1


def test_where_the_server_numbers_anew_nothing_counts_as_tried(mailbox: Mailbox) -> None:
    mailbox.post("red", 2)
    mailbox.server.refused = {1, 2}
    mailbox.run()
    mailbox.server = Server(8)
    mailbox.post("red")
    assert mailbox.run() == ([1], []) and mailbox.state().tries == {}


def test_another_folder_is_a_mailbox_never_seen_before(mailbox: Mailbox) -> None:
    mailbox.post("red", 2)
    mailbox.run()
    mailbox.table.config.imap.folder = "Else"
    assert mailbox.run()[0] == [] and mailbox.state().where.endswith("/Else") and mailbox.state().proven == 3
    assert mailbox.post("red") == [3] and mailbox.run()[0] == [3]
