"""Polling against the bare fetch of the same mails: `python tests/mail/bench.py [mails [games [rounds]]]`. Ratios, never a
timed test; of several rounds the best is told, for whatever else a machine does only adds.

The bare fetch is imapclient's, one mail at a time with BODY.PEEK[], nothing done with it; the poll keeps the mails, understands
them, plays them, and puts a receipt for each into the outbox. Both are told side by side for a server in the same machine and
for servers that are some milliseconds away, for that is where time goes when a real mailbox is polled.
"""

import logging
import os
import resource
import select
import socket
import ssl
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from imap_server import empty_port  # noqa: E402 - the path has to be set first
from imapclient import IMAPClient  # noqa: E402
from smtp_server import SmtpSink  # noqa: E402
from table import HOST, PASSWORD, PEOPLE, Table, empty, imap_server  # noqa: E402

from pbem.mail import loop, outbox  # noqa: E402
from pbem.mail.run import Run  # noqa: E402

AWAY = (0, 5, 20)               # milliseconds to the server and back
LINES = ("status", "press red: hello", "march Antigonos > Ephesos", "history 1")


def bare(port: int, cafile: str) -> int:
    """The same mails, one at a time, with nothing done to them."""
    context = ssl.create_default_context(cafile=cafile)
    with IMAPClient("localhost", port, ssl_context=context, timeout=20) as client:
        client.login(HOST, PASSWORD)
        client.select_folder("INBOX", readonly=True)
        uids = client.search(["UID", "1:*"])
        for uid in uids:
            client.fetch([uid], ["BODY.PEEK[]"])
    return len(uids)


def took(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


# --- a server that is far away ---------------------------------------------------------------------------------------------


@contextmanager
def away(port: int, milliseconds: int) -> Iterator[int]:
    """The same server, so much farther away: what is asked of it comes later."""
    if not milliseconds:
        yield port
        return
    door = empty_port()
    relay = get_context("fork").Process(target=relayed, args=(door, port, milliseconds / 1000), daemon=True)
    relay.start()
    try:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", door), timeout=1):
                break
        yield door
    finally:
        relay.terminate()
        relay.join()


def relayed(door: int, port: int, delay: float) -> None:
    """One guest at a time."""
    with socket.create_server(("127.0.0.1", door)) as sock:
        while True:
            guest, _ = sock.accept()
            with suppress(OSError), guest, socket.create_connection(("127.0.0.1", port)) as server:
                for one in (guest, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while data := _passed(guest, server, delay):
                    del data


def _passed(guest: socket.socket, server: socket.socket, delay: float) -> bytes:
    for source in select.select([guest, server], [], [])[0]:
        data = source.recv(65536)
        if source is guest:
            time.sleep(delay)
        (server if source is guest else guest).sendall(data)
        if not data:
            return b""
    return b"."


# --- the bench -------------------------------------------------------------------------------------------------------------


def posted(table: Table, mails: int) -> None:
    """So many mails of players, each an answer to what they were asked; the games in turn."""
    empty(table.imap, HOST)
    asked = {seat: [one for one in table.inbox(seat) if one["Reply-To"]] for seat in PEOPLE}
    for number in range(mails):
        seat, line = list(PEOPLE)[number % 4], LINES[number // 4 % 4]
        question = asked[seat][number // 4 % len(asked[seat])]
        table.imap.deliver(HOST, table.write(seat, f"{line}\n\n-- \n{seat}\n", answers=question))


@contextmanager
def flushes() -> Iterator[list[str]]:
    """How often the disk is waited for."""
    waited: list[str] = []
    fsync, sync = os.fsync, os.sync
    os.fsync = lambda handle: (waited.append("fsync"), fsync(handle))[1]
    os.sync = lambda: (waited.append("sync"), sync())[1]
    try:
        yield waited
    finally:
        os.fsync, os.sync = fsync, sync


class Measured(NamedTuple):
    """One round, in seconds; how many times the bare fetch takes it, is what counts."""

    bare: float
    kept: float
    answered: float
    written: float                      # answered, and each answer made as it goes over the wire, in text and HTML
    computed: float
    flushes: int
    megabytes: int

    def __str__(self) -> str:
        kept, answered, written = (f"{one / self.bare:5.2f} x" for one in (self.kept, self.answered, self.written))
        return (f"bare fetch {self.bare:6.2f} s; kept {kept}; answered too {answered}; written as mails too {written}; "
                f"{self.computed:.2f} ms of computing a mail, {self.flushes} flushes, +{self.megabytes} MB")


def measured(table: Table, mails: int, port: int) -> Measured:
    posted(table, mails)
    fetched = min(took(lambda: bare(port, table.imap.cafile)) for _ in range(2))
    table.config.imap.port = port
    before = megabytes()
    with flushes() as waited:
        computed = time.process_time()
        with ExitStack() as stack:
            kept = Run(table.config, table.config.games(), table.now, stack)
            fetching = took(lambda: loop.collect(kept))
        assert kept.summary.fetched == mails
        polling = fetching + took(table.poll)
        computed = time.process_time() - computed
    assert set(table.states()) <= {"applied", "refused"}
    queued = [one for place in table.config.games() for one in outbox.of_game(place).unsent()]
    writing = took(lambda: [outbox.message(one, table.config) for one in queued]) * mails / len(queued)
    return Measured(fetched, fetching, polling, polling + writing, 1000 * computed / mails, len(waited), megabytes() - before)


def main(mails: int, games: int, rounds: int) -> None:
    logging.disable(logging.WARNING)
    for count, rules in ((1, {}), (1, {"deadlines": {"regret": 10}}), (games, {})):
        with (imap_server() as imap,
              SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: PASSWORD}, deliver=imap) as smtp,
              tempfile.TemporaryDirectory() as folder):
            table = Table(Path(folder), imap, smtp)
            if rules:
                table.anew(**rules)
            for number in range(1, count):
                table.add(f"game-{number}")
            table.run()
            table.config.limits["mails"] = mails
            print(f"{mails} mails of players, {count} game{'s' if count > 1 else ''}{', regret delay' if rules else ''}")
            for milliseconds in AWAY:
                with away(table.imap.ssl_port, milliseconds) as port:
                    found = [measured(table, mails, port) for _ in range(rounds)]
                print(f"{milliseconds:3} ms away: {min(found, key=lambda one: one.answered / one.bare)}", flush=True)
            table.config.imap.port = imap.ssl_port
            for _ in range(2):
                table.poll()                    # what has changed is looked at again
            print(f"a poll with nothing new: {took(table.poll):.2f} s", flush=True)


if __name__ == "__main__":
    main(*([int(word) for word in sys.argv[1:]] + [1000, 100, 3][len(sys.argv) - 1:]))
