"""A mail as it lies in the outbox and as it goes out, and what the outbox keeps of it; without any server."""

import email
import email.policy
import os
import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON

from pbem.base.clock import stamp
from pbem.mail import outbox
from pbem.mail.config import Config
from pbem.mail.outbox import Bookmark, Item, Letter, Open, Outbox, Reader

CONFIG = Config({"address": "host@example.org", "imap": {"host": "i"}, "smtp": {"host": "s"}}, Path("mail.yaml"))
TOKEN = "a" * 24
RED = Reader("anna@example.com", "red", "small")


def written(kind: str = "report", *, to: Reader = RED, **more: Any) -> Item:
    letter = Letter(kind, "one", "[small] one", "what it says\n\n-- \nbelow\n")._replace(**more)
    return outbox.addressed(letter, to, CONFIG, NOON)


def sent(one: Item) -> EmailMessage:
    return email.message_from_bytes(outbox.message(one, CONFIG), policy=email.policy.default)


# --- names ---------------------------------------------------------------------------------------------------------------


def test_a_name_is_kept_as_it_is_as_long_as_a_file_can_bear_it() -> None:
    assert outbox.key("question", "x" * 111) == f"question-{'x' * 111}"
    long, other = (outbox.key("question", "x" * 112 + end) for end in ("", "y"))
    assert len(long) <= 120 and long.startswith("question-xxx") and long != other


def test_a_mail_without_a_token_has_none_in_its_id() -> None:
    assert re.fullmatch(r"<[0-9a-f]{16}@example\.org>", written().message_id)
    assert re.fullmatch(rf"<{TOKEN}\.[0-9a-f]{{16}}@example\.org>", written(token=TOKEN).message_id)


def test_where_no_token_goes_along_an_answer_goes_to_the_mailbox_itself() -> None:
    assert written(token=TOKEN).reply_to == f"host+{TOKEN}@example.org" and written().reply_to == ""
    assert sent(written(token=TOKEN))["Reply-To"] == f"host+{TOKEN}@example.org" and sent(written())["Reply-To"] is None


# --- threads -------------------------------------------------------------------------------------------------------------


def test_all_that_goes_to_a_seat_is_one_thread_and_each_reader_without_a_seat_has_his_own() -> None:
    seat, same, other = (written(to=Reader(address, name, "small")).references for address, name in (
        ("anna@example.com", "red"), ("anna@example.net", "red"), ("bruno@example.com", "blue")))
    assert seat == same != other
    one, two = (written(to=Reader(address, game="small")).references for address in ("a@example.com", "b@example.com"))
    assert one != two


@pytest.mark.parametrize(("id", "is_one"), [("<1.x@example.com>", True), ("1.x@example.com", True), ("two words@x", False),
                                            ("", False), ("x" * 201, False), ("a\nBcc: b@example.com", False)])
def test_what_answers_a_mail_names_it_if_its_id_is_one(id: str, is_one: bool) -> None:
    mine = written("receipt", reply_to=id)
    root = written().references
    assert (mine.in_reply_to, mine.references) == (
        ("<1.x@example.com>", f"{root} <1.x@example.com>") if is_one else (root, root))


@pytest.mark.parametrize(("kind", "auto"), [("receipt", "auto-replied"), ("answer", "auto-replied"),
                                            ("report", "auto-generated"), ("press", "auto-generated")])
def test_a_mail_says_whether_it_answers_one(kind: str, auto: str) -> None:
    assert sent(written(kind))["Auto-Submitted"] == auto


# --- lines ---------------------------------------------------------------------------------------------------------------


def test_a_paragraph_is_broken_softly_and_what_is_indented_hard() -> None:
    rows = outbox.folded("word " * 30).splitlines()
    assert [row.endswith(" ") for row in rows] == [True, True, False] and all(len(row) <= 72 for row in rows)
    assert outbox.unfolded(outbox.folded("word " * 30)) == ("word " * 30).rstrip() + "\n"
    rows = outbox.folded("    " + "word " * 30).splitlines()
    assert len(rows) == 3 and all(row.startswith("    ") and not row.endswith(" ") for row in rows)


def test_what_just_fits_is_not_broken() -> None:
    assert outbox.folded(f"{'x' * 35} {'y' * 36}") == f"{'x' * 35} {'y' * 36}\n"
    assert outbox.folded(f"{'x' * 35} {'y' * 37}") == f"{'x' * 35} \n{'y' * 37}\n"
    assert outbox.folded(f"{'x' * 35} {'y' * 35} z") == f"{'x' * 35} {'y' * 35} \nz\n"
    assert outbox.folded(f"{'x' * 35} {'y' * 36} z") == f"{'x' * 35} \n{'y' * 36} z\n", "the blank at its end counts too"


def test_blanks_at_an_end_go_but_those_of_the_signature_and_what_no_program_shows_becomes_one() -> None:
    assert outbox.folded("a  \n-- \nb\tc\x07d\x1b") == "a\n-- \nb\tc d\n"


# --- as it goes out ------------------------------------------------------------------------------------------------------


def test_only_who_reads_along_without_a_seat_may_leave_with_one_click() -> None:
    along = sent(written(to=Reader("friend@example.net", game="small")))
    assert along["List-Unsubscribe"] == "<mailto:host@example.org?subject=observe%20stop&body=observe%20stop>"
    assert along["List-Id"] == "small <small.example.org>"
    for other in (written(), written("notice", to=Reader("boss@example.net"))):
        assert sent(other)["List-Unsubscribe"] is None and sent(other)["List-Id"] is None


def test_the_guide_hangs_at_a_mail_that_says_so_in_its_language() -> None:
    assert [part.get_filename() for part in sent(written(guide=True, language="de")).iter_attachments()] == ["guide-de.html"]
    assert list(sent(written(language="de")).iter_attachments()) == []


@pytest.mark.parametrize(("language", "shown"), [("", "en"), ("de", "de")])
def test_a_page_names_its_language(language: str, shown: str) -> None:
    assert f'lang="{shown}"' in outbox.page(written(language=language))


def test_a_page_shows_the_signature_apart_and_only_where_there_is_one() -> None:
    shown = outbox.page(written())
    assert shown.index("what it says") < shown.index("below") and "-- " not in shown
    assert shown.count("what it says") == shown.count("below") == 1
    assert outbox.page(written(text="what it says")).count("what it says") == 1


def test_a_page_shows_what_was_made_for_it_else_the_text() -> None:
    shown = outbox.page(written(html="<b>made</b>"))
    assert "<b>made</b>" in shown and "what it says" not in shown


# --- what is kept --------------------------------------------------------------------------------------------------------


@pytest.fixture
def box(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "out")


def test_pictures_lie_there_as_long_as_a_mail_shows_them(box: Outbox) -> None:
    box.keep({"map": b"a map", "old": b"an old one", "given up": b"another"})
    box.keep({"map": b"the same name"})
    shows = written(pictures=("map", "lost"))
    box.put(shows)
    box.put(written("question", pictures=("given up",))._replace(state="failed"))
    box.tidy()
    assert box.pictures_of(shows) == {"map": b"a map"}
    assert sorted(path.name for path in (box.folder / "pictures").iterdir()) == ["given_up.png", "map.png"]
    box.change(shows._replace(state="sent"))
    box.tidy()
    assert box.pictures_of(shows) == {}


def test_what_was_written_down_as_sent_when_all_was_cut_off_is_not_sent_again(box: Outbox) -> None:
    one = written()
    box.put(one)
    box.change(one._replace(state="sent"))
    box.put(written("question"))
    (box.folder / f"{one.key}.json").write_bytes((box.sent / f"{one.key}.json").read_bytes().replace(b'"sent"', b'"queued"'))
    assert [found.kind for found in box.unsent()] == ["question"] and [found.state for found in box.past()] == ["sent"]
    found = box.get(one.key)
    assert found is not None and found.state == "sent" and not (box.folder / f"{one.key}.json").exists()


@pytest.mark.parametrize("state", ["sent", "merged", "dropped"])
def test_what_is_over_is_not_queued_again(box: Outbox, state: str) -> None:
    box.put(written())
    box.change(written()._replace(state=state))
    assert box.has(written().key) and not box.put(written()) and box.queue([written()], NOON) == []
    assert (box.unsent(), [one.state for one in box.past()]) == ([], [state])


def test_what_was_tried_is_not_begun_anew_when_it_is_made_once_more(box: Outbox) -> None:
    for state in ("queued", "failed"):
        tried = written()._replace(state=state, tries=3)
        box.change(tried)
        assert not box.put(written()) and box.queue([written()], NOON) == [] and box.get(tried.key) == tried


def test_only_what_was_given_up_has_failed(box: Outbox) -> None:
    """A text may speak of what failed."""
    box.put(written(text="the interception failed"))
    assert box.failed() == []
    box.change(written()._replace(state="failed"))
    assert [one.key for one in box.failed()] == ["report-one"] and box.unsent() == []


def test_the_oldest_goes_out_first_and_the_newest_is_looked_at_first(box: Outbox) -> None:
    for number, (name, minutes) in enumerate((("b", 5), ("a", 5), ("c", 0))):
        box.put(written(name=name)._replace(made=stamp(NOON + timedelta(minutes=minutes))))
        os.utime(box.folder / f"report-{name}.json", ns=(number, number))
    assert [one.key for one in box.unsent()] == ["report-c", "report-a", "report-b"]
    assert [one.key for one in box.newest()] == ["report-c", "report-a", "report-b"]
    assert [one.key for one in box.unsent("report-a")] == ["report-a"]


# --- how far each has been told ------------------------------------------------------------------------------------------


def test_a_report_and_a_question_are_noted_with_their_reader(box: Outbox) -> None:
    box.mark({"red": Bookmark(3, "2026-11-17T12:00:00Z", "T1.R1.red.1")}, Open("T2.R1.red.1", ("red",)))
    box.queue([written("question", window="T2.R1.red.1")], NOON)
    assert box.bookmarks() == {"red": Bookmark(3, "2026-11-17T12:00:00Z", "T2.R1.red.1")}
    box.queue([written(entries=9)], NOON)
    assert box.bookmarks() == {"red": Bookmark(9, stamp(NOON), "T2.R1.red.1")}
    for other in (written("reminder", window="T2.R1.red.2"), written("receipt", window="T2.R1.red.2", name="two"),
                  written(to=Reader("friend@example.net", game="small"), name="three", entries=12)):
        box.queue([other], NOON)
    assert box.bookmarks() == {"red": Bookmark(9, stamp(NOON), "T2.R1.red.1")} and box.open() == Open("T2.R1.red.1", ("red",))


def test_who_has_been_told_nothing_begins_at_the_first_entry(box: Outbox) -> None:
    assert (box.progress(), box.open()) == (({}, None), None)
    box.queue([written("question", window="T2.R1.red.1")], NOON)
    assert box.bookmarks() == {"red": Bookmark(0, "", "T2.R1.red.1")}


# --- how much a day ------------------------------------------------------------------------------------------------------


def receipts(number: int, start: int = 0, **more: Any) -> list[Item]:
    return [written("receipt", name=f"{start + one}", **more) for one in range(number)]


def test_the_answers_of_a_day_are_counted_for_each_reader_and_anew_each_day(box: Outbox) -> None:
    assert len(box.queue(receipts(25), NOON)) == 5
    assert box.queue(receipts(20, to=Reader("bruno@example.com", "blue", "small"), start=100), NOON) == []
    strangers = [Reader(f"{name}@example.net") for name in "ab"]
    assert [len(box.queue(receipts(20, to=one, start=200 + 100 * at), NOON)) for at, one in enumerate(strangers)] == [0, 0]
    assert len(box.queue(receipts(1, start=50, to=RED._replace(address="anna@example.net")), NOON)) == 1
    assert box.queue(receipts(20, start=60), NOON + timedelta(days=1)) == []


def test_answers_that_are_counted_but_were_lost_before_they_were_kept_are_not_counted_twice(box: Outbox) -> None:
    for _ in range(2):
        for _ in range(2):
            assert [one.key for one in box.queue(receipts(22), NOON)] == ["receipt-20", "receipt-21"]
        for path in box.folder.glob("*.json"):
            path.unlink()


def test_what_waits_goes_with_the_first_minute_of_the_next_day(box: Outbox) -> None:
    (late,) = box.queue(receipts(21), NOON.replace(hour=23, minute=59, second=58))[-1:]
    found = box.get(late.key)
    assert found is not None and (found.state, found.next) == ("tomorrow", "2026-11-19T00:00:00Z")


def test_what_moved_the_game_and_what_answers_nothing_is_never_counted(box: Outbox) -> None:
    assert box.queue(receipts(30, moved=True), NOON) == []
    assert box.queue([written(name=f"{number}") for number in range(30)], NOON) == []
    assert box.queue(receipts(20, start=50), NOON) == []


def test_of_one_kind_of_refusal_there_is_one_a_day(box: Outbox) -> None:
    kinds = ["late", "late", "large", "", "", "late"]
    mails = [written("receipt", name=f"{number}", refusal=kind) for number, kind in enumerate(kinds)]
    assert [one.key for one in box.queue(mails, NOON)] == ["receipt-1", "receipt-5"]


def test_questions_whether_a_mail_is_his_are_counted_apart(box: Outbox) -> None:
    asked = [written("answer", name=f"confirm-{number}", refusal=outbox.CONFIRM) for number in range(7)]
    assert [one.key for one in box.queue(asked, NOON)] == ["answer-confirm_5", "answer-confirm_6"]
    assert [one.key for one in box.queue(receipts(21), NOON)] == ["receipt-20"]


def test_the_files_of_an_outbox_are_for_its_owner_alone(box: Outbox) -> None:
    box.keep({"map": b"a map"})
    box.queue([written()], NOON)
    assert {path.stat().st_mode & 0o777 for path in box.folder.rglob("*") if path.is_file()} == {0o600}


def test_what_is_pasted_by_hand_lies_beside_the_log(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("")
    assert outbox.of_thread(tmp_path).folder == outbox.of_thread(tmp_path / "game.yaml").folder
    assert outbox.of_thread(tmp_path).folder.is_relative_to(tmp_path)
