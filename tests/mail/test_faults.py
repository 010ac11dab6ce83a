"""Whatever fails, and whenever: nothing is lost, nothing comes twice, every human is answered once.

A run over mails of all kinds in two games meets one fault: at one of its commands to a server the line is cut, its answer is
lost, the server hangs or refuses, the process is killed or gets a signal; or at one of its writes the disk is full, files may
grow no larger, the process is killed or gets a signal. Then cron goes on, and the table has to end like one that met nothing.

The tests try each fault once, spread evenly over the run. `python tests/mail/test_faults.py FILE` tries all, with 60 mails;
FILE keeps what was tried, so that it goes on from there when started again; `... FILE 1 2` tries half, for two processors.
"""

import contextlib
import logging
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import pytest  # noqa: E402 - the path has to be set first
from faults import AT_SERVERS, AT_WRITES, LIMIT, Disk, Door, Moment, imap_replies, smtp_replies  # noqa: E402
from smtp_server import SmtpSink  # noqa: E402
from table import HOST, PASSWORD, Table, imap_server  # noqa: E402
from test_killed import MEMORY, differences, letters, outcome, set_up  # noqa: E402

from pbem.mail import config, loop  # noqa: E402

SERVERS, WRITES = "servers", "writes"
KINDS = [(SERVERS, what) for what in AT_SERVERS] + [(WRITES, what) for what in AT_WRITES]
RUNS = 5
AGAIN = (2, 10, 30)             # minutes after which what was refused is tried once more


class Trials:
    """A table with a run's worth of mail behind two doors; each trial is played on a copy of it."""

    def __init__(self, table: Table, doors: Iterable[Door], mails: int, folder: Path) -> None:
        self.table, self.doors, self.folder = table, list(doors), folder
        data = table.config.data
        imap, smtp = (door.port for door in self.doors)
        self.humans = letters(table, mails)
        table.later(minutes=1)
        table.smtp.deliver = None
        config.write(table.config.path, {
            **data, "imap": {**data["imap"], "port": imap}, "smtp": {**data["smtp"], "port": smtp, "tls": "tls"},
            "limits": {"read": 2}})
        self.names: dict[str, list[str]] = {}
        self.wanted = self._of_a_quiet_run()

    def _of_a_quiet_run(self) -> dict[str, Any]:
        for place in (SERVERS, WRITES):
            moment, folder = Moment(), self._copy(place)
            self._met(place, moment, folder)
            self.names[place] = moment.names
        found = self._end(folder)
        assert sum(found["answers"].values()) == self.humans and set(found["answers"].values()) == {1}
        return found

    def moments(self, place: str, what: str) -> list[int]:
        """Where such a fault can happen: the size of files matters to writes alone."""
        return [at for at, name in enumerate(self.names[place], 1) if what != LIMIT or name == "write"]

    def tried(self, place: str, what: str, at: int) -> list[str]:
        """What is not as it should be after such a fault. A run in which a busy machine lost time may never come to it."""
        for _ in range(RUNS):
            folder = self._copy(f"{place}-{at}")
            try:
                moment = Moment(what, at)
                self._met(place, moment, folder)
                if moment.names[at - 1:] or (place == WRITES and not moment.names):
                    return list(differences(self._end(folder), self.wanted))
            finally:
                shutil.rmtree(folder)
        return [f"   it never came to this in {RUNS} runs"]

    def _copy(self, name: str) -> Path:
        self.table.smtp.messages.clear()
        return Path(shutil.copytree(self.table.folder, self.folder / name, symlinks=True))

    def _met(self, place: str, moment: Moment, folder: Path) -> None:
        """A run in a child process that meets its moment; the names of what it did are told to this one."""
        for door in self.doors:
            door.moment = moment if place == SERVERS else Moment()
        read, write = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")     # newer Pythons warn of forks beside threads; the child uses none of them
            child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException), Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), 2)
                tell, disk = os.write, Disk(moment if place == WRITES else Moment())
                try:
                    disk.haunt()
                    self._run(folder)
                finally:
                    tell(write, " ".join(disk.moment.names).encode())
            os._exit(0)
        moment.victim = child
        os.close(write)
        with os.fdopen(read) as stream:
            told = stream.read()
        os.waitpid(child, 0)
        if place == WRITES:
            moment.names = told.split()

    def _run(self, folder: Path) -> None:
        made = config.read(folder / "mail.yaml")
        loop.run(made, made.games(), self.table.now)

    def _end(self, folder: Path) -> dict[str, Any]:
        """Cron goes on, and what was refused is tried again; what the moderator alone was told is no matter."""
        for door in self.doors:
            door.moment = Moment()
        self._run(folder)
        self._run(folder)
        made = config.read(folder / "mail.yaml")
        for minutes in AGAIN:
            loop.send(made, made.games(), self.table.now + timedelta(minutes=minutes))
        found = outcome(self.table, folder)
        found["sent"] = {id: what for id, what in found["sent"].items() if not what.startswith("boss@")}
        found["answers"] = dict(found["answers"])
        return found


def evenly(moments: list[int]) -> list[int]:
    """In such an order that each beginning of it is spread over the whole."""
    bits = len(moments).bit_length()
    turned = sorted(range(1 << bits), key=lambda number: int(f"{number:0{bits}b}"[::-1], 2))
    return [moments[number] for number in turned if number < len(moments)]


@contextlib.contextmanager
def trials(table: Table, mails: int, folder: Path) -> Iterator[Trials]:
    cert, key = table.imap.cafile, str(table.imap.root / "key.pem")
    doors = [Door(table.imap.ssl_port, cert, key, imap_replies, takes_mail=False),
             Door(table.smtp.port, cert, key, smtp_replies, takes_mail=True)]
    try:
        yield Trials(table, doors, mails, folder)
    finally:
        table.smtp.deliver = table.imap
        for door in doors:
            door.close()


def seated(folder: Path, imap: Any, sink: SmtpSink) -> Table:
    sink.messages.clear()
    table = Table(folder, imap, sink)
    set_up(table)
    return table


@pytest.fixture(scope="module")
def some(imap: Any, _sink: SmtpSink, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trials]:
    with trials(seated(tmp_path_factory.mktemp("table"), imap, _sink), 22, tmp_path_factory.mktemp("trials")) as found:
        yield found


@pytest.mark.parametrize(("place", "what"), KINDS, ids=[" ".join(one) for one in KINDS])
def test_whatever_fails_the_table_ends_as_if_nothing_had_happened(some: Trials, place: str, what: str) -> None:
    at = evenly(some.moments(place, what))[KINDS.index((place, what))]          # each kind at another place of the run
    assert some.tried(place, what, at) == [], (at, some.names[place][at - 1])


def test_the_run_that_is_disturbed_does_all_that_a_run_does(some: Trials) -> None:
    assert {"GREETING", "SELECT", "UID SEARCH", "UID FETCH", "UID STORE", "LOGOUT", "MAIL", "RCPT", "DATA", "A MAIL",
            "QUIT"} <= {name.upper() for name in some.names[SERVERS]}
    assert {"open", "write", "replace", "unlink", "mkdir", "pwrite"} <= set(some.names[WRITES])


def test_a_share_is_spread_over_the_whole() -> None:
    assert evenly(list(range(10))) == [0, 8, 4, 2, 6, 1, 9, 5, 3, 7]


# --- all of them ----------------------------------------------------------------------------------------------------------


def main(kept: Path, share: int, of: int) -> int:
    logging.disable(logging.CRITICAL)
    before = kept.read_text().splitlines() if kept.exists() else []
    done = {name: became for name, _, became in (line.rpartition(": ") for line in before)}
    with (imap_server() as imap, tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.exists() else None) as folder,
          SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: PASSWORD}, deliver=imap) as sink):
        for name in ("table", "trials"):
            (Path(folder) / name).mkdir()
        with trials(seated(Path(folder) / "table", imap, sink), 60, Path(folder) / "trials") as all_, kept.open("a") as file:
            queues = [[(place, what, at) for at in evenly(all_.moments(place, what))] for place, what in KINDS]
            total = sum(map(len, queues))
            order = [queue[number] for number in range(max(map(len, queues))) for queue in queues if number < len(queue)]
            for place, what, at in order[share - 1::of]:
                name = f"{place} {what} {at}"
                if name not in done:
                    wrong = all_.tried(place, what, at)
                    done[name] = "wrong" if wrong else "right"
                    file.write(f"{name}: {done[name]}\n")
                    file.flush()
                    if wrong:
                        print(f"{name} ({all_.names[place][at - 1]}):", *wrong, sep="\n", flush=True)
    wrongs = sum(one == "wrong" for one in done.values())
    print(f"60 mails: {len(done)} of {total} moments tried, {wrongs} wrong")
    return wrongs


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]), *([int(word) for word in sys.argv[2:]] or (1, 1)))))
