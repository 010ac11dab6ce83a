"""The outbox against a real SMTP server: states, retries, refusals, merging, and what the mails look like."""

import email
import email.policy
import re
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_game import NOON
from table import HOST, PASSWORD, Table, body

from pbem.mail import outbox, sending
from pbem.mail.config import Config
from pbem.mail.outbox import Bookmark, Item, Letter, Open, Outbox, Reader

CONFIG = Config({"address": HOST, "imap": {"host": "i"}, "smtp": {"host": "s"}}, Path("mail.yaml"))


def mail(name: str = "one", to: str = "anna@example.com", kind: str = "question", seat: str = "red", **more: Any) -> Item:
    letter = Letter(kind, name, f"[small] {name}", f"text of {name}", "a" * 24, "T2.R1.red.1")._replace(**more)
    return outbox.addressed(letter, Reader(to, seat, "small"), CONFIG, NOON)


@pytest.fixture
def box(table: Table) -> Outbox:
    return Outbox(table.game / "out")


def send(table: Table, box: Outbox, **later: float) -> sending.Sent:
    table.later(**later)
    return sending.send(table.config, [box], table.now)


def test_a_mail_goes_from_queued_to_sent_with_tls_and_login_to_one_recipient(table: Table, box: Outbox) -> None:
    box.put(mail())
    assert box.unsent()[0].state == "queued"
    assert send(table, box).sent == 1
    assert box.unsent() == [] and box.past()[0].state == "sent"
    got = table.smtp.messages[0]
    assert got.tls and got.user == HOST and got.recipients == ["anna@example.com"] and got.sender == HOST


def test_the_same_mail_is_queued_and_sent_once(table: Table, box: Outbox) -> None:
    assert box.put(mail()) and not box.put(mail())
    send(table, box)
    assert not box.put(mail()) and send(table, box).sent == 0


def test_what_says_the_same_is_not_written_again(table: Table, box: Outbox) -> None:
    table.started()
    sent = box.past()[0]
    files = [box.sent / f"{sent.key}.json", box.folder / "told/last.json"]
    before = [path.stat().st_ctime_ns for path in files]
    box.change(sent)
    box.mark(box.bookmarks())
    assert [path.stat().st_ctime_ns for path in files] == before
    box.change(sent._replace(state="merged"))
    box.mark({"red": Bookmark(99)})
    assert not {path.stat().st_ctime_ns for path in files} & set(before)
    assert box.past()[0].state == "merged" and box.bookmarks()["red"].entry == 99


def test_the_message_id_is_made_with_the_mail_and_stays(table: Table, box: Outbox) -> None:
    assert mail().message_id == mail().message_id != mail("two").message_id
    box.put(mail())
    table.smtp.data_replies[:] = ["drop"]
    send(table, box)
    assert box.unsent()[0].state == "queued"
    send(table, box, minutes=1)
    assert [email.message_from_bytes(one.data)["Message-ID"] for one in table.smtp.messages] == [mail().message_id]


def test_temporary_refusals_are_tried_again_later_and_later_for_two_days(table: Table, box: Outbox) -> None:
    box.put(mail())
    tries = []
    start = table.now
    for _ in range(60 * 60):
        before = box.unsent()
        if not before:
            break
        table.now = outbox.moment(before[0].next)
        table.smtp.data_replies[:] = ["451 4.3.0 try later"]
        tries.append(int((table.now - start).total_seconds() // 60))
        done = sending.send(table.config, [box], table.now)
    assert tries[:6] == [0, 1, 6, 21, 81, 81 + 240]
    assert timedelta(days=2) < table.now - start < timedelta(days=2, hours=5)
    assert len(done.failed) == 1 and box.failed()[0].error.startswith("451")


def test_a_login_that_fails_is_no_try_of_any_mail(table: Table, box: Outbox) -> None:
    box.put(mail())
    (table.folder / "password").write_text("wrong")
    assert "Authentication" in send(table, box).problem
    (one,) = box.unsent()
    assert (one.state, one.tries, one.error) == ("queued", 0, "")
    (table.folder / "password").write_text(PASSWORD)
    assert send(table, box).sent == 1


def test_a_permanent_refusal_stops_and_the_moderator_is_told(table: Table) -> None:
    table.smtp.refuse_rcpt["anna@example.com"] = "550 5.1.1 no such user"
    table.started()
    assert [one.error[:3] for one in Outbox(table.game / "out").failed()] == ["550"]
    table.run()
    notice = [one for one in table.smtp.messages if one.recipients == ["boss@example.net"]]
    assert len(notice) == 1 and b"could not be sent" in notice[0].data
    table.run()
    assert len([one for one in table.smtp.messages if one.recipients == ["boss@example.net"]]) == 1


def test_one_refused_recipient_does_not_stop_the_others(table: Table, box: Outbox) -> None:
    table.smtp.refuse_rcpt["gone@example.com"] = "450 4.2.1 later"
    box.put(mail("one", to="gone@example.com"))
    box.put(mail("two"))
    assert send(table, box)[:2] == (1, 1)


def test_a_server_that_cannot_be_reached_changes_nothing(table: Table, box: Outbox) -> None:
    box.put(mail())
    table.config.smtp.port = 1
    done = send(table, box)
    assert done.problem and box.unsent()[0].tries == 0 and box.unsent()[0].state == "queued"


def test_a_mail_left_in_sending_by_a_crash_goes_again_as_the_same_mail(table: Table, box: Outbox) -> None:
    box.put(mail())
    box.change(box.unsent()[0]._replace(state="sending"))
    box.put(mail("two"))
    table.later(hours=9)
    assert send(table, box).sent == 2
    ids = [email.message_from_bytes(one.data)["Message-ID"] for one in table.smtp.messages]
    assert mail().message_id in ids


def test_after_an_outage_one_mail_tells_the_present_state(table: Table, box: Outbox) -> None:
    for name, kind in (("r1", "receipt"), ("q1", "question"), ("old", "report"), ("r2", "receipt"), ("new", "report")):
        box.put(mail(name, kind=kind)._replace(made=outbox.stamp(NOON + timedelta(minutes=len(box.unsent())))))
    assert send(table, box, hours=9).sent == 1
    text = email.message_from_bytes(table.smtp.messages[0].data, policy=email.policy.default).get_body(("plain",)).get_content()
    assert all(f"text of {name}" in text for name in ("r1", "r2", "q1", "new")) and "text of old" not in text
    assert {one.state for one in box.past()} == {"merged", "sent"}


@pytest.mark.parametrize("hours", [0, 9])
def test_what_is_pointless_by_now_is_not_sent(table: Table, box: Outbox, hours: int) -> None:
    for name, kind in (("late", "reminder"), ("over", "question"), ("answer", "receipt"), ("news", "report")):
        box.put(mail(name, kind=kind))
    box.put(mail("answered", kind="reminder", window="T2.R1.red.2"))
    box.put(mail("still", kind="reminder", window="T2.R1.red.2", seat="blue"))
    box.mark({}, Open("T2.R1.red.2", ("blue",)))
    send(table, box, hours=hours)
    texts = " ".join(one.data.decode() for one in table.smtp.messages)
    assert {name for name in ("late", "over", "answer", "news", "answered", "still") if f"text of {name}\r" in texts} == {
        "answer", "news", "still"}
    assert {one.key for one in box.past() if one.state == "dropped"} == {
        "reminder-late", "question-over", "reminder-answered"}


def test_a_question_is_not_sent_after_it_was_closed(table: Table) -> None:
    table.poll()
    box = Outbox(table.game / "out")
    box.put(mail("gone", kind="question", window="T1.R1.red.9"))
    box.put(mail("open", kind="question", window="T2.R1.red.1"))
    table.run()
    assert {one.key: one.state for one in box.past() if one.kind == "question"} == {
        "question-gone": "dropped", "question-open": "sent"}


def test_five_questions_a_day_whether_a_mail_is_his_and_they_use_up_none_of_his_answers(table: Table, box: Outbox) -> None:
    asked = [mail(f"confirm-{number}", kind="answer", refusal=outbox.CONFIRM) for number in range(7)]
    box.queue([*asked, *(mail(f"answer-{number:02}", kind="receipt") for number in range(20))], table.now)
    send(table, box)
    subjects = [str(email.message_from_bytes(one.data)["Subject"]) for one in table.smtp.messages]
    assert sum("confirm-" in one for one in subjects) == 5 and sum("answer-" in one for one in subjects) == 20


def test_more_than_twenty_answers_a_day_come_as_one_the_next_day(table: Table, box: Outbox) -> None:
    box.queue([mail(f"r{number:02}", kind="receipt") for number in range(25)], table.now)
    assert send(table, box).sent == 20
    assert send(table, box, hours=3).sent == 0
    assert send(table, box, hours=10).sent == 1
    last = email.message_from_bytes(table.smtp.messages[-1].data, policy=email.policy.default)
    assert all(f"text of r{number}" in last.get_body(("plain",)).get_content() for number in range(20, 25))


@pytest.mark.parametrize("after", range(6))
def test_killed_while_answers_are_queued_each_goes_on_its_day_all_the_same(
        table: Table, box: Outbox, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """What is counted today is on the disk before the mails that are counted."""
    def answers() -> list[Item]:
        return [mail(f"r{number}", kind="receipt", refusal=refusal) for number, refusal in enumerate(["a", "a", "b", "a"])]

    left = list(range(after))
    replace = Path.replace

    def killed(self: Path, path: Path) -> Path:
        left.pop()
        return replace(self, path)

    with monkeypatch.context() as patch, suppress(IndexError):
        patch.setattr(Path, "replace", killed)
        box.queue(answers(), table.now)
    assert {one.key for one in box.queue(answers(), table.now)} == {"receipt-r1", "receipt-r3"}
    assert [one.state for one in box.unsent()] == ["queued", "tomorrow", "queued", "tomorrow"]


def test_a_question_never_waits_for_tomorrow_with_the_answer_that_shows_it(table: Table) -> None:
    table.started()
    for _ in range(21):
        table.reply("red", "status")
        table.run()
    before = len(table.inbox("red"))
    table.reply("red", "roll")
    table.run()
    newest = table.inbox("red")[before:]
    assert len(newest) == 1 and "You are asked now (T2.R1.red.2)" in body(newest[0])


# --- what a mail looks like -----------------------------------------------------------------------------------------------


def test_a_mail_is_text_and_page_threaded_and_marked() -> None:
    made = email.message_from_bytes(outbox.message(mail(reply_to="player.1@example.com"), CONFIG), policy=email.policy.default)
    assert made.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in made.iter_parts()] == ["text/plain", "text/html"]
    assert made["In-Reply-To"] == "<player.1@example.com>"
    assert str(made["References"]).split()[-1] == "<player.1@example.com>"
    assert made["Auto-Submitted"] == "auto-generated" and made["X-Pbem-Loop"] == HOST
    assert made["Reply-To"] == f"host+{'a' * 24}@example.org"


def test_long_ids_are_not_encoded() -> None:
    long = "x" * 150 + "@example.com"
    raw = outbox.message(mail(reply_to=long), CONFIG)
    assert f"In-Reply-To: <{long}>".encode() in raw and b"=?utf-8" not in raw.split(b"\r\n\r\n")[0]


def page_of(text: str) -> str:
    return outbox.page(outbox.addressed(Letter("report", "x", "x", text), Reader("a@example.com"), CONFIG, NOON))


@pytest.mark.parametrize("words", ["нужен твой ответ (кто как сидит за столом)", "sonst für dich nichts zu tun", "all is well"])
def test_no_blank_of_a_subject_is_lost_where_it_is_broken(words: str) -> None:
    for length in range(1, 40):
        subject = f"[regency T1] {'я' * length} {words} {words}".replace("я", "a" if words.isascii() else "я")
        letter = outbox.addressed(Letter("report", "x", subject, "x"), Reader("anna@example.com"), CONFIG, NOON)
        made = email.message_from_bytes(outbox.message(letter, CONFIG), policy=email.policy.default)
        assert made["Subject"] == letter.subject and words in letter.subject


OUR_TAGS = set(re.findall(r"<[^<>]*>", page_of("x\n    y\n\n-- \nz")))


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300))
def test_nothing_that_is_put_into_a_mail_becomes_a_header_or_markup(subject: str, text: str, reply: str) -> None:
    letter = Letter("report", "x", subject, text, reply_to=reply)
    one = outbox.addressed(letter, Reader("anna@example.com", "red", "small"), CONFIG, NOON)
    made = email.message_from_bytes(outbox.message(one, CONFIG), policy=email.policy.default)
    assert set(made.keys()) <= {"From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
                                "X-Pbem-Loop", "MIME-Version", "Content-Type"}
    page = made.get_body(("html",)).get_content()
    tags = re.findall(r"<[^<>]*>", page)
    assert page.count("<") == page.count(">") == len(tags) and set(tags) <= OUR_TAGS, set(tags) - OUR_TAGS
    assert max(len(line) for line in made.get_body(("plain",)).get_content().splitlines() or [""]) <= 73


@given(st.text(max_size=200))
def test_a_key_is_always_a_harmless_file_name(text: str) -> None:
    made = outbox.key("question", text)
    assert "/" not in made and len(made) <= 120
    assert (Path("/a") / made).parent == Path("/a")
