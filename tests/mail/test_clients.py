"""A whole player turn through the mail programs that people use, a real Postfix and a real Dovecot.

Where Postfix is not there, or may not be started because nobody is root, the same turn goes through the servers of all other
tests, and Python writes the replies.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from clients import Client, Station, by_hand, installed, mutt, s_nail, swaks
from imap_server import DovecotServer, empty_port, is_24
from postfix_server import PostfixServer, auth_listener, is_there
from smtp_server import SmtpSink
from table import HOST, PASSWORD, PEOPLE, Table, imap_server

from pbem.mail import loop
from pbem.mail.outbox import Outbox

ACCOUNTS = dict.fromkeys((HOST, *PEOPLE.values()), PASSWORD)
PATIENCE = 60


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Any, Any, dict[str, Client]]]:
    """A mailbox, a way into it, and what each player writes with."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(imap_server())
        if isinstance(server, DovecotServer) and is_there():
            port = empty_port()
            server = stack.enter_context(DovecotServer(ACCOUNTS, extra_config=auth_listener(port, is_24())))
            yield server, stack.enter_context(PostfixServer(server, port)), {
                "red": installed("mutt", mutt), "blue": installed("s-nail", s_nail), "yellow": installed("swaks", swaks)}
        else:
            yield server, stack.enter_context(SmtpSink(
                cert=server.cafile, key=str(server.root / "key.pem"), users=ACCOUNTS, deliver=server)), {}


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


class Play:
    """The host in the time of this machine, and players who answer what lies in their mailboxes."""

    def __init__(self, folder: Path, imap: Any, smtp: Any, programs: dict[str, Client]) -> None:
        self.table, self.programs, self.written = Table(folder, imap, smtp), programs, 0
        self.stations = {
            seat: Station(folder / seat, user, imap.ssl_port, smtp.port, imap.cafile) for seat, user in PEOPLE.items()}
        for one in self.stations.values():
            one.folder.mkdir()

    def lying(self, user: str) -> int:
        maildir = self.table.imap.maildir(user)
        return len([*maildir.glob("new/*"), *maildir.glob("cur/*")])

    def host(self) -> None:
        """A run, until all that it sent lies in the mailboxes."""
        self.table.now = datetime.now(UTC).replace(microsecond=0)
        summary = loop.run(self.table.config, self.table.config.games(), self.table.now)
        assert not summary.failed, summary.text()
        sent = [one.to for one in Outbox(self.table.game / "out").past() if one.state == "sent"]
        until(lambda: all(self.lying(user) == sent.count(user) for user in PEOPLE.values()))

    def answer(self, seat: str, text: str) -> None:
        self.programs.get(seat, by_hand)(self.stations[seat], text)
        self.written += 1
        until(lambda: self.lying(HOST) == self.written)


def test_a_player_turn_through_mail_programs(tmp_path: Path, servers: tuple[Any, Any, dict[str, Client]]) -> None:
    play = Play(tmp_path, *servers)
    play.host()
    play.answer("red", "roll\nmarch Antigonos > Ephesos\n")
    asked: list[str] = []
    for _ in range(30):
        play.host()
        desk = play.table.desk()
        question = desk.match.question
        if question is None or desk.match.g.player != "red":
            break
        for seat in question.sides:
            if not (question.sealed and seat in desk.sealed(question)):
                asked.append(seat)
                default = question.default if question.default is not None else next(question.offers(seat))
                play.answer(seat, f"Hello,\n\n{desk.match.say(default)}\n")
    assert desk.match.g.player == "blue" and {"red", "blue", "yellow"} <= set(asked)
    assert play.table.did()[:2] == ["roll", "march Antigonos with 2 loyal, 3 mercenary > Ephesos"]
    assert play.table.states() == ["applied"] * play.written
    receipts = [one.in_reply_to for one in Outbox(play.table.game / "out").past() if one.kind == "receipt"]
    assert len(receipts) == len(set(receipts)) == play.written
    raw = b"".join(path.read_bytes() for path in (play.table.config.folder / "raw").iterdir())
    marks = {s_nail: b"User-Agent: s-nail", swaks: b"X-Mailer: swaks"}
    assert all(mark in raw for program, mark in marks.items() if program in play.programs.values())
