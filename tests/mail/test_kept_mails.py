"""The ledger: each mail once, its bytes as they came, all of it told by the raw mails again; without any server."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from small_game import NOON

from pbem.base.clock import stamp
from pbem.mail import ledger as ledgers
from pbem.mail import reading
from pbem.mail.ledger import Copy, Ledger, Row, ident

MAILS = [f"From: anna@example.com\r\nMessage-ID: <{number}@example.com>\r\nSubject: roll\r\n\r\nroll {number}\n".encode()
         for number in range(4)]


def came(ledger: Ledger, number: int, uid: int = 0, minutes: int = 0) -> Row | None:
    return ledger.receive(Copy("here", 7, uid or number + 1), MAILS[number], NOON + timedelta(minutes=minutes), 1000 + number)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path)


def test_the_mails_of_a_run_lie_one_behind_the_other_and_each_is_had_again_as_it_came(ledger: Ledger, tmp_path: Path) -> None:
    for number in range(3):
        assert came(ledger, number) is not None
    ledger.settle()
    again = Ledger(tmp_path)
    rows = list(again.mails.values())
    assert [again.bytes_of(row) for row in rows] == MAILS[:3] and len({row.file for row in rows}) == 1
    assert [(row.n, row.uid, row.size, row.at, row.state) for row in rows] == [
        (number + 1, number + 1, 1000 + number, stamp(NOON), "received") for number in range(3)]
    came(again, 3)
    again.settle()
    last = again.mails[ident(MAILS[3])]
    assert again.bytes_of(last) == MAILS[3] and last.n == 4 and last.file != rows[0].file


def test_a_mail_that_came_twice_is_one_and_both_places_are_known(ledger: Ledger, tmp_path: Path) -> None:
    came(ledger, 0)
    assert came(ledger, 0, uid=9) is None
    ledger.settle()
    again = Ledger(tmp_path)
    (row,) = again.mails.values()
    assert (row.seen, row.uid, again.bytes_of(row)) == (2, 9, MAILS[0])
    assert again.copies == {Copy("here", 7, 1), Copy("here", 7, 9)}


def test_what_was_not_settled_was_never_said(ledger: Ledger, tmp_path: Path) -> None:
    came(ledger, 0)
    ledger.forget()
    assert ledger.mails == {} and Ledger(tmp_path).mails == {}
    ledger.settle()
    assert Ledger(tmp_path).mails == {}


def test_mails_of_a_run_that_was_killed_are_kept_once_when_they_come_again(ledger: Ledger, tmp_path: Path) -> None:
    came(ledger, 0)
    came(ledger, 1)                                 # killed before the ledger says so
    again = Ledger(tmp_path)
    for number in range(2):
        came(again, number)
    again.settle()
    assert [again.bytes_of(row) for row in Ledger(tmp_path).mails.values()] == MAILS[:2]
    assert sum(path.read_bytes().count(b"From pbem ") for path in again.raw.iterdir()) == 2


def test_what_came_is_dealt_with_as_the_server_received_it(ledger: Ledger) -> None:
    for number, minutes in ((0, 5), (2, 0), (1, 0)):
        came(ledger, number, minutes=minutes)
    ledger.put(ledger.mails[ident(MAILS[1])]._replace(seen=1))
    assert [row.uid for row in ledger.received()] == [2, 3, 1]
    ledger.put(ledger.received()[0]._replace(state="applied"))
    assert [row.uid for row in ledger.received()] == [3, 1]


def test_what_somebody_has_to_decide_is_held(ledger: Ledger) -> None:
    for state in ("applied", "held", "confirm", "refused", "quarantined", "unclear"):
        ledger.put(Row(f"{state:x<16}", state=state))
    assert [row.state for row in ledger.held()] == ["held", "confirm", "quarantined", "unclear"]


def test_a_mail_is_found_by_its_number_or_by_the_beginning_of_its_name(ledger: Ledger) -> None:
    for id in ("2aaaaaaaaaaaaaaa", "2bbbbbbbbbbbbbbb", "1ccccccccccccccc"):
        ledger.put(Row(id))

    def found(name: str) -> str | None:
        row = ledger.find(name)
        return row.id[:2] if row is not None else None

    assert [found(name) for name in ("1", "2", "3", "2a", "1c", "2aaaaaaaaaaaaaaa", "4", "x")] == [
        "2a", "2b", "1c", "2a", "1c", "2a", None, None]
    ledger.put(Row("4ddddddddddddddd"))
    ledger.put(Row("5eeeeeeeeeeeeeee"))
    ledger.put(Row("5fffffffffffffff"))
    assert found("5") == "5e" and found("5f") == "5f"
    ledger.put(Row("2affffffffffffff"))
    assert found("2a") is None, "two of them begin so"


def test_of_two_mails_with_one_message_id_the_first_has_it(ledger: Ledger, tmp_path: Path) -> None:
    for id in ("a" * 16, "b" * 16):
        ledger.put(Row(id, message_id="<1@example.com>"))
    ledger.put(Row("c" * 16))
    assert ledger.message_ids == {"<1@example.com>": "a" * 16}


def test_a_ledger_to_which_nothing_was_added_has_no_file(ledger: Ledger, tmp_path: Path) -> None:
    ledger.settle()
    assert list(tmp_path.iterdir()) == []


def test_a_mail_keeps_its_number_whatever_becomes_of_it(ledger: Ledger) -> None:
    for id in ("a" * 16, "b" * 16):
        ledger.put(Row(id))
    assert ledger.put(Row("a" * 16, state="held")).n == 1 and [row.n for row in ledger.held()] == [1]


def test_a_mail_is_on_the_disk_before_the_ledger_says_so(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[tuple[str, bool]] = []
    fsync = os.fsync

    def flushed(handle: int) -> None:
        fsync(handle)
        waited.append((Path(f"/proc/self/fd/{handle}").readlink().name, ledger.path.exists()))

    monkeypatch.setattr(os, "fsync", flushed)
    row = came(ledger, 0)
    assert row is not None and waited == []
    ledger.settle()
    assert waited == [(row.file, False), ("raw", False), ("ledger.jsonl", True)]


def test_files_of_mails_are_for_their_owner_alone(ledger: Ledger, tmp_path: Path) -> None:
    came(ledger, 0)
    ledger.settle()
    for _ in range(2):
        assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()} == {0o600}
        ledger.path.write_bytes(ledger.path.read_bytes() + b'{"id": "torn')
        ledger.forget()
    assert ledger.path.read_bytes().endswith(b"}\n") and len(ledger.mails) == 1


def rebuilt(folder: Path, began: str = "", **known: tuple[str, str]) -> Ledger:
    return ledgers.rebuild(folder, "here", began, known, lambda raw: reading.understand(raw, own_domain="example.org"))


def test_a_ledger_is_made_anew_from_the_raw_mails(ledger: Ledger, tmp_path: Path) -> None:
    for uid, number in ((12, 2), (3, 0), (1, 1)):
        came(ledger, number, uid=uid)
    ledger.settle()
    before = ledger.mails
    id = ident(MAILS[0])
    found = rebuilt(tmp_path, **{id: ("applied", "small")})
    assert [row.uid for row in found.mails.values()] == [1, 3, 12]              # numbered as the server numbers them
    for row in found.mails.values():
        assert found.bytes_of(row) == ledger.bytes_of(before[row.id])
        assert row._replace(n=0, state="", game="") == before[row.id]._replace(
            n=0, state="", game="", sender="anna@example.com", subject="roll", sort="human", message_id=row.message_id)
    assert (found.mails[id].state, found.mails[id].game) == ("applied", "small")
    assert {row.state for row in found.mails.values() if row.id != id} == {"received"}
    assert Ledger(tmp_path).mails == found.mails


def test_what_came_before_the_mailbox_began_stays_old_in_a_ledger_made_anew(ledger: Ledger, tmp_path: Path) -> None:
    for number in range(3):
        came(ledger, number, minutes=number)
    ledger.settle()
    assert [row.state for row in rebuilt(tmp_path, stamp(NOON + timedelta(minutes=1))).mails.values()] == [
        "old", "received", "received"]


@pytest.mark.parametrize("cut", [1, 30, 90])
def test_the_torn_end_of_a_file_of_raw_mails_is_no_mail(ledger: Ledger, tmp_path: Path, cut: int) -> None:
    came(ledger, 0)
    came(ledger, 1)
    ledger.settle()
    (path,) = ledger.raw.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut - 1])
    assert [row.id for row in rebuilt(tmp_path).mails.values()] == [ident(MAILS[0])]
    path.write_bytes(whole[:-1])
    assert len(rebuilt(tmp_path).mails) == 2, "of the line behind it nothing is needed"


def test_no_mail_can_write_a_line_that_is_taken_for_the_head_of_another(ledger: Ledger, tmp_path: Path) -> None:
    inner = b"From: anna@example.com\n\nroll\n"
    head = f"From pbem 7-99 {ident(inner)} 2026-11-18T12:00:00Z 9 {len(inner)}\n".encode()
    evil = b"From: x@example.com\n\n" + head + inner
    ledger.receive(Copy("here", 7, 1), evil, NOON, len(evil))
    came(ledger, 1)
    ledger.settle()
    assert set(rebuilt(tmp_path).mails) == {ident(evil), ident(MAILS[1])}
