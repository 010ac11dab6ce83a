"""Killed at every write and every server command: nothing is lost, nothing applied twice, every human answered exactly once.

The run is a child process that ends itself, without a word, in the middle of its n-th write (half of the bytes are out) or
instead of its n-th command to a server. Then the table is polled again, as cron would, and compared with one that nobody
killed.
"""

import email
import os
import shutil
import smtplib
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient
from table import Table, body, token_of

from pbem import gamelog
from pbem.mail import config, loop
from pbem.mail.ledger import Ledger

KILLS = int(os.environ.get("PBEM_KILLS", 6))            # kill points tried, spread over the whole run; thousands try them all
MAILS = 60 if KILLS > 100 else 12
DEAD = 9


def letters(table: Table, number: int) -> int:
    """Mails of all kinds: orders, answers early and late, requests, refusals, press, doubles, robots, strangers."""
    asked = {seat: [one for one in table.inbox(seat) if one["Reply-To"]][-1] for seat in ("red", "blue", "yellow", "black")}
    humans = 0

    def post(seat: str, text: str, human: int = 1, **more: Any) -> bytes:
        nonlocal humans
        humans += human
        table.later(seconds=7)
        return table.post(seat, text, answers=asked[seat], **more)

    post("blue", "status")
    post("yellow", "press all: good luck\nto everybody")
    post("red", "roll\nmarch Antigonos > Ephesos\nmarch Antigonos > Sardeis")
    post("red", "roll", human=0, Auto_Submitted="auto-replied")
    post("blue", "intercept Lysimachos with all")
    twice = post("yellow", "pass")
    table.deliver(twice)
    post("black", "march Demetrios > Nowhere")
    post("blue", "history\nhand")
    post("black", "absent 2026-12-01 to 2026-12-03")
    table.post("stranger@example.net", "roll")
    more = ("status", "hand", "march Demetrios > Nowhere", "press red: more", "history 3", "pass", "check roll", "options")
    for count in range(number - 12):
        seat = ("black", "blue", "yellow", "red")[count % 4]
        if count % 13 == 12:
            post(seat, "away", human=0, Auto_Submitted="auto-replied")
        else:
            post(seat, more[count % len(more)])
    return humans


class Death:
    """Counts what a run does to the disk and to the servers, and ends it at one of these points."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.count = 0

    def is_here(self) -> bool:
        self.count += 1
        return self.count == self.at

    def before(self, function: Any) -> Any:
        def dying(*args: Any, **more: Any) -> Any:
            if self.is_here():
                os._exit(DEAD)
            return function(*args, **more)
        return dying

    def in_the_middle(self, write: Any) -> Any:
        def dying(target: int, data: Any) -> int:
            if self.is_here():
                write(target, bytes(data)[:len(data) // 2])
                os._exit(DEAD)
            return int(write(target, data))
        return dying

    def haunt(self) -> None:
        os.write = self.in_the_middle(os.write)
        points = {os: ("fsync",), Path: ("replace", "unlink"), smtplib.SMTP: ("login", "mail", "data", "quit"),
                  IMAPClient: ("login", "select_folder", "search", "fetch", "add_flags")}
        for owner, name in [(owner, name) for owner, names in points.items() for name in names]:
            setattr(owner, name, self.before(getattr(owner, name)))


def run_killed(table: Table, folder: Path, at: int) -> tuple[bool, int]:
    """A run in a child process; was it killed, and how many points did it pass?"""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")         # newer Pythons warn of forks beside threads; the child uses none of them
        child = os.fork()
    if child == 0:
        death = Death(at)
        try:
            real = os.write
            death.haunt()
            run(table, folder)
            real(write, str(death.count).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == DEAD, int(told or 0)


def run(table: Table, folder: Path) -> None:
    made = config.read(folder / "mail.yaml")
    loop.run(made, made.games(), table.now)


def outcome(table: Table, folder: Path) -> dict[str, Any]:
    """What matters in the end: the log, what is kept sealed and prepared, what became of each mail."""
    private = gamelog.read_private(folder / "games" / "small")
    return {"log": [dict(entry) for entry in gamelog.read_game(folder / "games" / "small").entries],
            "sealed": private.get("sealed"), "prepared": private.get("prepared"), "absences": private.get("absences"),
            "queue": (private.get("mail") or {}).get("queue"), "journal": private.get("journal"),
            "states": {id: line["state"] for id, line in Ledger(folder / "mailbox").mails.items()},
            "answers": Counter(answered(table).values())}


def answered(table: Table) -> dict[str, str]:
    """Our answers by Message-ID (the same mail may have gone twice): which mail each of them answers."""
    mails = [email.message_from_bytes(one.data) for one in table.smtp.messages]
    return {one["Message-ID"]: one["In-Reply-To"] for one in mails if one["Auto-Submitted"] == "auto-replied"}


@pytest.fixture
def crashed(table: Table, tmp_path_factory: pytest.TempPathFactory):
    table.started()
    humans = letters(table, MAILS)
    table.later(minutes=1)
    table.smtp.deliver = None
    yield table, humans, tmp_path_factory.mktemp("trials")
    table.smtp.deliver = table.imap


def test_killed_anywhere_the_table_ends_as_if_nothing_had_happened(crashed: Any) -> None:
    table, humans, trials = crashed

    def trial(name: str) -> Path:
        table.smtp.messages.clear()
        return Path(shutil.copytree(table.folder, trials / name, symlinks=True))

    folder = trial("whole")
    dead, points = run_killed(table, folder, 0)
    assert not dead and points > 200
    run(table, folder)
    wanted = outcome(table, folder)
    assert sum(wanted["answers"].values()) == humans and set(wanted["answers"].values()) == {1}
    assert any("close" in entry for entry in wanted["log"])
    for at in range(1, points + 1, max(1, points // KILLS)):
        folder = trial(f"at-{at}")
        assert run_killed(table, folder, at)[0], at
        run(table, folder)
        run(table, folder)
        assert outcome(table, folder) == wanted, at
        shutil.rmtree(folder)


def test_a_mail_cut_off_while_it_is_sent_is_repeated_as_the_same_mail(table: Table) -> None:
    table.smtp.data_replies.append("drop")
    table.started()
    table.later(minutes=2)
    table.run()
    ids = [email.message_from_bytes(one.data)["Message-ID"] for one in table.smtp.messages]
    assert len(ids) == len(set(ids)) + 0 and len(table.inbox("red")) == 1


def test_the_ledger_is_made_anew_from_logs_and_raw_mails(table: Table) -> None:
    from pbem.mail import status

    table.started()
    table.reply("red", "roll")
    table.reply("blue", "status")
    table.run()
    before = table.states()
    (table.config.folder / "ledger.jsonl").unlink()
    status.rebuild(table.config, table.config.games())
    assert table.states() == before
    table.run()
    assert table.did() == ["roll"] and table.states() == before


def test_a_torn_last_line_of_the_ledger_is_repaired(table: Table) -> None:
    table.started()
    table.reply("red", "roll")
    table.run()
    path = table.config.folder / "ledger.jsonl"
    path.write_bytes(path.read_bytes() + b'{"id": "abc", "sta')
    assert table.states() == ["applied"]
    table.run()
    assert table.did() == ["roll"]


def test_a_new_uidvalidity_brings_nothing_back(table: Table) -> None:
    table.started()
    table.reply("red", "roll")
    table.run()
    receipts = len(table.inbox("red"))
    table.imap.break_uidvalidity("host@example.org")
    table.reply("red", "march Antigonos > Ephesos")
    table.run()
    assert table.did() == ["roll", "march Antigonos with 2 loyal, 3 mercenary > Ephesos"]
    assert table.states() == ["applied", "applied"]
    assert len(table.inbox("red")) > receipts
    assert body(table.last("red")) and token_of(table.last("red"))
