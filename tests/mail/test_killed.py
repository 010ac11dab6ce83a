"""Killed at every write and every server command: nothing is lost, nothing applied twice, every human answered exactly once.

The run is a child process that ends itself, without a word, in the middle of its n-th write (half of the bytes are out) or
instead of its n-th command to a server. Then the table is polled again, as cron would, and compared with one that nobody
killed. The tests try a few of these points; `python tests/mail/test_killed.py` tries them all, with 60 mails.
"""

import email
import logging
import os
import shutil
import smtplib
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from imapclient import IMAPClient  # noqa: E402
from smtp_server import SmtpSink  # noqa: E402
from table import HOST, PASSWORD, PEOPLE, Table, body, imap_server, token_of  # noqa: E402

from pbem.mail import config, loop  # noqa: E402
from pbem.mail.ledger import Ledger  # noqa: E402

SAMPLE = 7                      # kill points tried in the tests, spread over the whole run
DEAD = 9
MEMORY = Path("/dev/shm")       # a disk would be made to wait hundreds of thousands of times
BOUNCE = """\
From: MAILER-DAEMON@example.com
To: {host}
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; dora@example.com
Action: failed
Status: 5.1.1

--x
Content-Type: text/rfc822-headers

Message-ID: {about}

--x--
"""


def letters(table: Table, number: int) -> int:
    """Mails of all kinds for two games: orders, answers early and late, requests, refusals, press, doubles, robots, strangers,
    bounces, giants, broken ones, one that has to be confirmed and one that confirms. Says how many humans wrote."""
    asked = {(seat, game): [one for one in table.inbox(seat) if one["Reply-To"] and f"[{game}" in str(one["Subject"])][-1]
             for seat in PEOPLE for game in ("small", "other")}
    humans = 0

    def post(seat: str, text: str, human: int = 1, game: str = "small", **more: Any) -> bytes:
        nonlocal humans
        humans += human
        table.later(seconds=7)
        return table.post(seat, text, answers=asked[seat, game], **more)

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
    table.post("red", "yes", answers=table.last("red", "confirm"))
    table.post("black", "end", subject="[other]")
    table.deliver(BOUNCE.format(host=HOST, about=asked["black", "other"]["Message-ID"]).encode())
    table.deliver(b"From: a@example.net, b@example.net\nMessage-ID: <broken@example.net>\n\nroll\n")
    post("yellow", "x" * table.config.limits["size"])
    post("blue", f"status\n{token_of(asked['blue', 'other'])}")
    humans += 1                                     # black's; who confirms is answered with what was confirmed
    more = ("status", "hand", "march Demetrios > Nowhere", "press red: more", "history 3", "pass", "check roll", "options")
    for count in range(number - 18):
        seat, game = ("black", "blue", "yellow", "red")[count % 4], ("small", "other")[count % 3 == 2]
        if count % 13 == 12:
            post(seat, "away", human=0, game=game, Auto_Submitted="auto-replied")
        else:
            post(seat, more[count % len(more)], game=game)
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
        points = {os: ("fsync", "sync"), Path: ("replace", "unlink", "mkdir"), smtplib.SMTP: ("login", "mail", "data", "quit"),
                  IMAPClient: ("login", "select_folder", "search", "fetch", "add_flags", "logout")}
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
    """What matters in the end: the logs, what is kept sealed and prepared, what became of each mail, and every mail of ours.

    Our mails are told by their Message-IDs: the same one may have gone twice.
    """
    mails = [email.message_from_bytes(one.data) for one in table.smtp.messages]
    left = [one for box in loop.boxes(config.read(folder / "mail.yaml"), [*folder.glob("games/*")])
            for one in [*box.unsent(), *box.failed()]]
    answers = {one["Message-ID"]: one["In-Reply-To"] for one in mails
               if one["Auto-Submitted"] == "auto-replied" and "confirm" not in one["Subject"]}
    answers |= {one.message_id: one.in_reply_to for one in left}         # tomorrow
    found: dict[str, Any] = {
        "states": {id: row.state for id, row in Ledger(folder / "mailbox").mails.items()},
        "sent": {one["Message-ID"]: f"{one['To']}: {one['Subject']}" for one in mails},
        "answers": Counter(answers.values()), "left": {one.key: one.state for one in left}}
    for place in folder.glob("games/*"):
        desk = table.desk(place)
        kept = ("answers", "turns", "absences", "filed", "standing", "letters")
        found[place.name] = {"log": table.log(place), **{key: getattr(desk.tray, key) for key in kept},
                             **{key: getattr(desk.mail, key) for key in ("queue", "unreachable", "taken")}}
    return found


def set_up(table: Table) -> None:
    """Two games that have begun, and a mail whose sender was asked to confirm it."""
    table.add("other")
    table.started()
    table.post("red", "status", subject="[other]")
    table.run()


def trials(table: Table, mails: int, folder: Path, chosen: Any) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Each chosen point, what came of a run that was killed there, and what came of one that was not."""
    humans = letters(table, mails)
    table.later(minutes=1)
    table.smtp.deliver = None

    def trial(name: str) -> Path:
        table.smtp.messages.clear()
        return Path(shutil.copytree(table.folder, folder / name, symlinks=True))

    place = trial("whole")
    dead, points = run_killed(table, place, 0)
    assert not dead
    run(table, place)
    wanted = outcome(table, place)
    assert sum(wanted["answers"].values()) == humans and set(wanted["answers"].values()) == {1}
    for at in chosen(points):
        place = trial(f"at-{at}")
        assert run_killed(table, place, at)[0], at
        run(table, place)
        run(table, place)
        yield at, outcome(table, place), wanted
        shutil.rmtree(place)


def test_killed_anywhere_the_table_ends_as_if_nothing_had_happened(table: Table, tmp_path_factory: Any) -> None:
    set_up(table)
    some = trials(table, 22, tmp_path_factory.mktemp("trials"), lambda points: range(1, points + 1, points // SAMPLE))
    try:
        for at, became, wanted in some:
            assert any("close" in entry for entry in wanted["small"]["log"])
            assert became == wanted, at
    finally:
        table.smtp.deliver = table.imap


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
    table.post("yellow", "x" * table.config.limits["size"], answers=table.last("yellow"))
    table.run()
    before = table.states()
    sizes = [row.size for row in table.ledger().mails.values()]
    (table.config.folder / "ledger.jsonl").unlink()
    for path in (table.config.folder / "raw").iterdir():
        path.write_bytes(path.read_bytes() + b"From pbem 1-99 0123456789abcdef 2026-11-18T12:00:00Z 500 500\nFrom: anna@exam")
    status.rebuild(table.config, table.config.games())
    assert table.states() == before and [row.size for row in table.ledger().mails.values()] == sizes
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


# --- all points -----------------------------------------------------------------------------------------------------------


def differences(became: Any, wanted: Any, name: str = "") -> Iterator[str]:
    """Where the two part, down to the last mapping."""
    if isinstance(became, dict) and isinstance(wanted, dict):
        for key in became.keys() | wanted.keys():
            yield from differences(became.get(key), wanted.get(key), f"{name} {key}")
    elif became != wanted:
        yield f"   {name}: {became!r} instead of {wanted!r}"[:1000]


def main(mails: int, share: int, of: int) -> int:
    """Every point, or a share of them, for several processes: `... 60 1 4` tries the first, fifth, ninth ..."""
    logging.disable(logging.WARNING)
    wrong = tried = 0
    with (imap_server() as imap, tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.exists() else None) as folder,
          SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: PASSWORD}, deliver=imap) as smtp):
        places = [Path(folder) / name for name in ("table", "trials")]
        for place in places:
            place.mkdir()
        table = Table(places[0], imap, smtp)
        set_up(table)
        for at, became, wanted in trials(table, mails, places[1], lambda points: range(share, points + 1, of)):
            tried += 1
            if became != wanted:
                wrong += 1
                print(f"killed at {at}:", *differences(became, wanted), sep="\n", flush=True)
            if tried % 50 == 0:
                print(f"{tried} tried, the last at {at}, {wrong} wrong", flush=True)
    print(f"{mails} mails: killed at {tried} points, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(*[int(word) for word in sys.argv[1:]] or (60, 1, 1))))
