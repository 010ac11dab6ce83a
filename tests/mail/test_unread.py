"""What lies on the server and was not read yet: nobody is silent of whom a mail may lie there; strangers stop nobody."""

import errno
import os
import subprocess
import sys
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from flood import flooded
from imapclient import IMAPClient
from table import HOST, PEOPLE, Table
from test_one_run import refusing

from pbem.mail import status
from pbem.mail.box import Box
from pbem.mail.run import State


def asked_for_interception(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()


def strangers(table: Table, number: int, **headers: Any) -> None:
    for one in range(number):
        table.post(f"stranger{one}@example.net", "buy this", **headers)


def closes(table: Table) -> list[dict[str, Any]]:
    return [entry for entry in table.log() if "close" in entry]


def last_uid(table: Table) -> int:
    with Box(table.config) as box:
        return max(one.uid for one in box.listed(1))


def told(table: Table, what: str) -> list[bytes]:
    return [one.data for one in table.smtp.messages if one.recipients == ["boss@example.net"] and what.encode() in one.data]


def test_players_go_before_a_flood_of_strangers(table: Table) -> None:
    asked_for_interception(table)
    table.config.limits["mails"] = 5
    table.waited(47)
    strangers(table, 25)
    table.reply("blue", "pass")
    table.post("yellow", "pass", answers=table.last("yellow"), sender="phone@example.net")
    table.later(hours=2)
    assert table.run().fetched == 5
    assert closes(table)[0]["silent"] == ["yellow"] and closes(table)[0]["answers"]["blue"] == "pass"
    assert [row.sender for row in table.ledger().held() if row.state == "held"] == ["phone@example.net"], "its token went first"
    for _ in range(5):
        table.run()
    assert len(table.states()) == 28 and table.ledger().received() == []


def test_in_a_flood_nobody_who_has_answered_is_silent_and_memory_stays_flat(table: Table) -> None:
    _, megabytes, said = flooded(table, 400)
    assert megabytes < 40 and "200 fetched" in said and "202 unread" in said


def test_an_unread_mail_of_before_the_deadline_keeps_only_its_own_question_open(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for_interception(table)
    other = table.add("other")
    table.run()
    table.waited(46)
    table.reply("blue", "pass", subject="x")
    refusing(monkeypatch, last_uid(table), lambda client: {})
    table.waited(4)
    assert closes(table) == []
    assert any(entry.get("closed") == "overdue" for entry in table.log(other)), "the other game goes on"
    shown = status.text(table.config, table.config.games())
    assert "silence does not close T2.R1.red.3: its time is over, but a mail that may come from Blue" in " ".join(shown.split())
    assert told(table, "--close") == []
    table.waited(24)
    assert len(told(table, "--close T2.R1.red.3")) == 1
    desk = table.desk()
    desk.close("T2.R1.red.3", by="the mail is lost")
    desk.commit()
    assert closes(table)[0]["silent"] == ["blue", "yellow"] and "the mail is lost" in str(closes(table)[0])


@pytest.mark.parametrize("why", ["too late", "a stranger", "too large", "of a seat that is not asked"])
def test_no_other_mail_keeps_a_question_open(table: Table, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    asked_for_interception(table)
    table.waited(46)
    if why == "too late":
        table.deliver(table.write("blue", "pass"), table.now + timedelta(hours=3))
    elif why == "a stranger":
        table.post("stranger@example.net", "pass")
    elif why == "too large":
        table.config.limits["size"] = 3_000
        table.post("blue", "pass\n" + "x" * 5_000)
    else:
        table.post("black", "pass")
    refusing(monkeypatch, last_uid(table), lambda client: {})
    table.waited(4)
    assert len(closes(table)) == 1


def test_of_a_mail_of_which_nothing_can_be_had_nobody_knows_that_it_was_not_his(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for_interception(table)
    table.waited(46)
    strangers(table, 1)
    fetch, uid = IMAPClient.fetch, last_uid(table)
    with monkeypatch.context() as patch:
        patch.setattr(IMAPClient, "fetch", lambda client, uids, what, *more: {
            one: facts for one, facts in fetch(client, uids, what, *more).items() if one != uid})
        table.waited(4)
    assert closes(table) == []
    table.run()
    assert len(closes(table)) == 1


# --- nothing is lost ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", [OSError(errno.EFBIG, "too large"), OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
@pytest.mark.parametrize("at", range(1, 9))
def test_a_mail_counts_as_fetched_only_when_it_is_kept(
        table: Table, monkeypatch: pytest.MonkeyPatch, trouble: BaseException, at: int) -> None:
    table.started()
    for seat in PEOPLE:
        table.reply(seat, "status")
    write, count = os.write, iter(range(1, 10_000))

    def failing(target: int, data: Any) -> int:
        if next(count) == at:
            write(target, bytes(data)[:len(data) // 2])
            raise trouble
        return write(target, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing)
        with suppress(KeyboardInterrupt):
            assert table.run().failed or next(count) <= at
    table.run()
    table.run()
    assert sorted(table.states()) == ["applied"] * 4
    assert all(sum("received" in one for one in table.subjects(seat)) == 1 for seat in PEOPLE)


def test_under_a_limit_for_the_size_of_files_nothing_is_lost(table: Table) -> None:
    table.started()
    for seat in PEOPLE:
        table.reply(seat, "status\n" + "x" * 3000)
    code = ("import resource, sys; n = int(sys.argv[1]); resource.setrlimit(resource.RLIMIT_FSIZE, (n, n));"
            "from pathlib import Path; from datetime import datetime; from pbem.mail import config, loop;"
            "made = config.read(Path(sys.argv[2])); loop.poll(made, made.games(), datetime.fromisoformat(sys.argv[3]))")
    for size in (2_000, 4_000, 6_000, 9_000, 12_000):
        table.later(minutes=1)
        subprocess.run([sys.executable, "-B", "-c", code, str(size), str(table.config.path), table.now.isoformat()],
                       check=False, capture_output=True)
    table.run()
    assert sorted(table.states()) == ["applied"] * 4
    assert all(sum("received" in one for one in table.subjects(seat)) == 1 for seat in PEOPLE)


# --- new is what its number proves to be new -----------------------------------------------------------------------------


def test_a_clock_of_the_server_that_is_days_behind_loses_no_order(table: Table) -> None:
    table.started()
    table.deliver(table.write("red", "roll", answers=table.last("red")), table.now - timedelta(days=3))
    table.run()
    assert table.did() == ["roll"]


def test_when_the_server_numbers_anew_what_is_older_than_the_first_run_is_left_alone_and_told(table: Table) -> None:
    table.post("red", "roll")
    table.later(minutes=1)
    table.started()
    table.reply("red", "status")
    table.run()
    table.later(minutes=1)
    table.reply("blue", "status")
    table.imap.break_uidvalidity(HOST)
    table.run()
    assert sorted(table.states()) == ["applied", "applied", "old"] and table.did() == []
    (letter,) = told(table, "from before the first run")
    old = next(row for row in table.ledger().mails.values() if row.state == "old")
    assert f"pbem mail release {old.n}".encode() in letter
    status.release(table.config, table.config.games(), str(old.n), status.Whose("small", "red"), table.now)
    assert table.did() == ["roll"]
    assert State.read(table.config.folder).left == 0
