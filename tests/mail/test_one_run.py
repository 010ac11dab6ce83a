"""One run: one mail never stops the others, a full disk stops all, nothing is written twice, what is left is told."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient
from imapclient.tls import IMAP4_TLS
from table import HOST, Table, body, empty

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.log import gamelog
from pbem.log.gamelog import GameFile
from pbem.mail import requests, speaking, status
from pbem.mail.box import Box
from pbem.mail.run import State


def orders(table: Table) -> None:
    """Three good mails of three players."""
    table.reply("red", "roll")
    table.reply("blue", "status")
    table.reply("yellow", "press red: hello")


@pytest.mark.parametrize("fault", [ZeroDivisionError("by nought"), PermissionError(errno.EACCES, "not yours")])
def test_a_mail_that_the_program_cannot_bear_is_held_and_all_others_count(
        table: Table, monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    table.started()
    orders(table)
    table.reply("black", "hand")
    answer = requests.COMMANDS["hand"]

    def faulty(ask: Any, rest: str) -> str:
        raise fault

    monkeypatch.setitem(requests.COMMANDS, "hand", answer._replace(answer=faulty))
    summary = table.run()
    assert summary.counts == {"applied": 3, "held": 1} and table.did() == ["roll"]
    assert [one["Auto-Submitted"] for one in table.inbox("yellow")].count("auto-replied") == 1
    assert "hello" in body(table.last("red", "from Chiara"))
    (held,) = table.ledger().held()
    assert type(fault).__name__ in held.why
    monkeypatch.setitem(requests.COMMANDS, "hand", answer)
    assert table.run().counts == {} and table.did() == ["roll"]


def test_where_one_game_cannot_be_written_nothing_of_the_others_is_lost(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are written together: what a game took in that was on its way to the disk is taken in once more."""
    other, append = table.add("other"), gamelog.append
    table.started()
    for name in ("small", "other"):
        table.post("red", "roll", answers=table.last("red", f"[{name}"))

    def refuses(place: Path, *more: Any) -> GameFile:
        if place == other:
            raise PbemError("busy", folder=str(place), pid=1, since="")
        return append(place, *more)

    monkeypatch.setattr(gamelog, "append", refuses)
    assert table.run().counts == {"applied": 1, "held": 1}
    assert table.did() == ["roll"] and not [entry for entry in table.log(other) if "do" in entry]
    assert "received" in table.last("red", "[small")["Subject"]


def test_a_disk_that_is_full_changes_nothing_and_the_next_run_goes_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    orders(table)
    write = os.write

    def full(handle: int, data: Any) -> int:
        if b"applied" in bytes(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data)

    with monkeypatch.context() as patch:
        patch.setattr("os.write", full)
        summary = table.run()
    assert summary.failed and "No space left" in summary.text()
    assert table.did() == [] and table.states() == ["received"] * 3
    assert table.run().counts == {"applied": 3} and table.did() == ["roll"]


def test_a_game_that_cannot_be_tended_does_not_stop_the_others(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    other = table.add("other")
    speak = speaking.speak

    def faulty(desk: Any, config: Any) -> Any:
        if desk.place == other:
            raise ZeroDivisionError("by nought")
        return speak(desk, config)

    with monkeypatch.context() as patch:
        patch.setattr(speaking, "speak", faulty)
        summary = table.run()
    assert summary.failed and "other: fault of the program: ZeroDivisionError" in summary.text()
    assert [subject[:6] for subject in table.subjects("red")] == ["[small"]
    table.run()
    assert [subject[:6] for subject in table.subjects("red")] == ["[small", "[other"]


def test_a_disk_that_is_full_while_games_are_tended_ends_the_run(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.add("other")
    asked: list[str] = []

    def full(desk: Any, config: Any) -> Any:
        asked.append(desk.place.name)
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(speaking, "speak", full)
        summary = table.run()
    assert "No space left" in summary.text() and asked == ["other"] and table.inbox("red") == []
    table.run()
    assert [subject[:6] for subject in table.subjects("red")] == ["[other", "[small"]


def test_a_receipt_waits_for_the_run_that_has_the_question_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fails when games and outboxes are written and the ledger is not."""
    table.started()
    orders(table)
    write = os.write

    def full(handle: int, data: Any) -> int:
        if b'"state":"applied"' in bytes(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data)

    before = len(table.inbox("red"))
    with monkeypatch.context() as patch:
        patch.setattr("os.write", full)
        summary = table.run()
    assert summary.cut_short and summary.sent is None and len(table.inbox("red")) == before and table.did() == ["roll"]
    table.run()
    assert len(table.inbox("red")) > before


def test_the_lock_of_a_dead_process_is_taken_over_with_a_note(table: Table) -> None:
    table.started()
    dead = ("import os, sys; from pathlib import Path; from pbem.base.folder import Lock\n"
            "Lock(Path(sys.argv[1])).__enter__(); os._exit(9)")
    for place in (table.config.folder, table.game):
        subprocess.run([sys.executable, "-c", dead, str(place)], check=False)
    text = table.run().text()
    assert text.count("The lock of a run that died was taken over") == 2 and "small" in text and "process" in text
    assert "died" not in table.run().text()


def refusing(monkeypatch: pytest.MonkeyPatch, uid: int, how: Any) -> list[int]:
    """A server that gives only the head of one of its mails; returns what is asked for."""
    asked: list[int] = []
    fetch = IMAPClient.fetch

    def refuses(client: IMAPClient, messages: Any, data: Any, *more: Any) -> Any:
        if "BODY.PEEK[]" in data[0]:
            asked.extend(messages)
            if messages == [uid]:
                return how(client)
        return fetch(client, messages, data, *more)

    monkeypatch.setattr(IMAPClient, "fetch", refuses)
    return asked


def hangs_up(client: IMAPClient) -> None:
    client.shutdown()
    raise ConnectionResetError


@pytest.mark.parametrize("how", [hangs_up, lambda client: {}])
def test_a_mail_that_cannot_be_fetched_does_not_stop_the_others_and_is_asked_for_again_and_again(
        table: Table, monkeypatch: pytest.MonkeyPatch, how: Any) -> None:
    table.started()
    table.reply("yellow", "status")
    with Box(table.config) as box:
        (uid,) = [one.uid for one in box.listed(1)]
    table.reply("red", "roll")
    asked = refusing(monkeypatch, uid, how)
    summary = table.run()
    assert (summary.fetched, summary.gone) == (1, [uid]) and table.did() == ["roll"]
    assert [table.run().gone for _ in range(5)] == [[uid]] * 5
    told = [one.data for one in table.smtp.messages if one.recipients == ["boss@example.net"]]
    assert len(told) == 1 and b"a mail cannot be fetched" in told[0]
    shown = status.text(table.config, table.config.games())
    assert f"1 still on the server; not to be had so far: number {uid}" in shown
    table.reply("blue", "status")
    asked.clear()
    assert table.run().fetched == 1 and asked[0] == uid + 2 and set(asked[1:]) == {uid}
    monkeypatch.undo()
    assert table.run().fetched == 1 and table.ledger().mails and table.states() == ["applied"] * 3
    assert "still on the server" not in status.text(table.config, table.config.games())


def test_a_mail_that_is_taken_off_the_server_is_asked_for_no_more(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    table.reply("yellow", "status")
    with Box(table.config) as box:
        (uid,) = [one.uid for one in box.listed(1)]
    refusing(monkeypatch, uid, lambda client: {})
    assert table.run().gone == [uid]
    empty(table.imap, HOST)
    assert table.run().gone == [] and State.read(table.config.folder).tries == {}


def test_a_mailbox_without_uidvalidity_is_left_alone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    table.reply("red", "roll")
    select = IMAPClient.select_folder
    with monkeypatch.context() as patch:
        patch.setattr(IMAPClient, "select_folder", lambda client, folder: {**select(client, folder), b"UIDVALIDITY": 0})
        summary = table.run()
    assert summary.failed and table.states() == [] and table.did() == []
    table.run()
    assert table.did() == ["roll"]


def test_raw_mails_lie_in_one_file_for_each_run_and_only_their_owner_reads_them(table: Table) -> None:
    table.started()
    posted = [table.reply("red", "roll"), table.reply("blue", "status")]
    table.run()
    (path,) = (table.config.folder / "raw").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    kept = [table.ledger().bytes_of(mail).replace(b"\r\n", b"\n") for mail in table.ledger().mails.values()]
    assert sorted(kept) == sorted(one.replace(b"\r\n", b"\n") for one in posted)


def test_the_server_is_told_only_after_the_mail_is_kept_and_nothing_is_marked_as_seen(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    table.reply("red", "roll")
    said: list[tuple[Any, ...]] = []
    add = IMAPClient.add_flags

    def adds(client: IMAPClient, messages: Any, flags: Any, silent: bool = False) -> Any:
        said.append((list(flags), table.states(), [one.state for one in table.ledger().mails.values()]))
        return add(client, messages, flags, silent)

    monkeypatch.setattr(IMAPClient, "add_flags", adds)
    table.run()
    assert said == [(["$PbemDone"], ["applied"], ["applied"])]


def test_of_a_mail_that_stays_for_the_next_run_the_server_is_told_nothing(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    table.reply("red", "roll")
    said: list[list[int]] = []
    monkeypatch.setattr(Box, "done", lambda box, uids: said.append(uids))
    with Lock(table.game):
        table.run()
    table.run()
    assert [len(uids) for uids in said] == [0, 1]


def test_what_is_said_to_the_server(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """By UID, the validity first, sizes before bodies, one body at a time, without charset or text, and never IDLE."""
    table.started()
    table.reply("red", "roll")
    table.reply("blue", "status")
    sent: list[bytes] = []
    send = IMAP4_TLS.send
    with monkeypatch.context() as patch:
        patch.setattr(IMAP4_TLS, "send", lambda session, data: (sent.append(data), send(session, data)))
        table.run()
    said = [line.partition(" ")[2].upper() for line in b"".join(sent).decode().splitlines()]
    names = [name for one in said if (name := re.match(r"(?:UID )?[A-Z]+", one)[0]) != "CAPABILITY"]
    assert names[names.index("SELECT"):] == ["SELECT", "UID SEARCH", *["UID FETCH"] * 3, "UID STORE", "LOGOUT"]
    search, sizes, first, second, store = [one for one in said if one.startswith("UID")]
    assert "CHARSET" not in search and re.search(r"UID \d+:\*", search)
    assert "RFC822.SIZE" in sizes and "BODY" not in sizes
    assert all(re.search(r"FETCH \d+ \(BODY\.PEEK\[\]\)", one) for one in (first, second)) and first != second
    assert "SEEN" not in store


def test_results_of_the_server_may_hold_more_and_less_than_was_asked_for(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    fetch, search = IMAPClient.fetch, IMAPClient.search
    monkeypatch.setattr(IMAPClient, "fetch", lambda client, messages, data: {
        **fetch(client, messages, data), 1: {b"FLAGS": ()}, 999_999: {b"BODY[]": b"From: x@example.net\r\n\r\nroll"}})
    monkeypatch.setattr(IMAPClient, "search", lambda client, criteria: [1, *search(client, criteria), 999_998])
    table.reply("red", "roll")
    summary = table.run()
    assert (summary.fetched, summary.gone) == (1, [999_998])
    assert table.states() == ["applied"] and table.did() == ["roll"]


@pytest.mark.parametrize(("more", "state"), [
    ({}, "refused"), ({"Auto_Submitted": "auto-replied"}, "robot"), ({"sender": "else@example.net"}, "quarantined")])
def test_a_giant_is_first_asked_whether_a_human_wrote_it(table: Table, more: dict[str, str], state: str) -> None:
    table.started()
    table.reply("red", "roll\n" + "x" * table.config.limits["size"], **more)
    table.run()
    assert table.states() == [state] and table.did() == []
    assert sum("not taken" in one for one in table.subjects("red")) == (state == "refused")


def test_the_moderator_is_asked_about_a_clock_that_jumps_once(table: Table) -> None:
    table.started()
    before = len(table.smtp.messages)
    table.later(days=5)
    for _ in range(3):
        table.run()
    told = [one.data for one in table.smtp.messages[before:] if one.recipients == ["boss@example.net"]]
    assert len(told) == 1 and b"the clock jumped forward" in told[0] and b"--clock-ok" in told[0]
    table.run(clock_ok=True)
    table.later(days=5)
    table.run()
    assert len([one for one in table.smtp.messages[before:] if one.recipients == ["boss@example.net"]]) == 2
