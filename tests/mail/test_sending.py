"""What a refusal means, what is tried again, what is given up and what becomes of it then."""

import socket
import threading
from contextlib import closing

import pytest
from table import PEOPLE, Table, Unconnected, all_of, body
from test_outbox import mail
from test_time import asked_for_interception, closed

from pbem.mail import outbox, sending, status
from pbem.mail.loop import boxes
from pbem.mail.outbox import Outbox
from pbem.mail.sending import DATA, FROM, TO, Reply


@pytest.mark.parametrize(("at", "code", "text", "meaning", "final"), [
    (TO, 550, "5.1.1 <anna@example.com>: Recipient address rejected: User unknown in local recipient table", "unknown", True),
    (TO, 550, "5.1.1 The email account that you tried to reach does not exist.", "unknown", True),
    (TO, 550, "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup", "unknown", True),
    (TO, 550, "5.2.1 The email account that you tried to reach is disabled.", "unknown", True),
    (TO, 550, "No such user here", "unknown", True), (TO, 553, "sorry, no mailbox here by that name (#5.7.1)", "unknown", True),
    (DATA, 550, "5.1.1 User doesn't exist: anna@example.com", "unknown", True),
    (TO, 452, "4.2.2 The email account that you tried to reach is over quota.", "full", False),
    (TO, 552, "5.2.2 Mailbox full", "full", False), (TO, 552, "Requested mail action aborted: quota exceeded", "full", False),
    (FROM, 550, "5.4.5 Daily sending limit exceeded.", "limit", False), (DATA, 550, "daily limit exceeded", "limit", False),
    (TO, 550, "5.1.1 Too many recipients this hour", "limit", False),
    (DATA, 421, "4.7.28 Our system has detected an unusual rate of mail", "limit", False),
    (DATA, 554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException", "limit", False),
    (DATA, 550, "5.7.1 Message rejected as spam by Content Filtering.", "policy", False),
    (DATA, 550, "5.7.26 mail is unauthenticated", "policy", False), (TO, 554, "5.7.1 Relay access denied", "policy", False),
    (FROM, 530, "5.7.0 Authentication required", "policy", False), (TO, 550, "blocked using zen.example.org", "policy", False),
    (FROM, 552, "5.3.4 Message size exceeds fixed limit", "too_large", True),
    (DATA, 552, "message exceeds the maximum size", "too_large", True),
    (TO, 550, "Requested action not taken", "other", False), (TO, 451, "4.3.0 try later", "other", False),
    (TO, 450, "4.1.1 mailbox unknown for now", "unknown", False), (FROM, 550, "5.1.1 sender unknown", "unknown", False),
])
def test_a_refusal_is_understood_by_its_code_and_its_words(at: str, code: int, text: str, meaning: str, final: bool) -> None:
    assert (sending.meaning(Reply(at, code, text)), sending.is_final(Reply(at, code, text))) == (meaning, final)


def boss(table: Table) -> list[bytes]:
    return [one.data for one in table.smtp.messages if one.recipients == ["boss@example.net"]]


def test_a_limit_of_our_own_loses_nothing_and_stops_the_round(table: Table) -> None:
    table.smtp.data_replies[:] = ["550 5.4.5 daily limit exceeded"]
    summary = table.run()
    assert "daily limit exceeded" in summary.text() and summary.sent is not None and summary.sent.failed == []
    assert sum(len(table.inbox(seat)) for seat in PEOPLE) == 0
    table.waited(2)
    assert table.subjects("red") == [
        "[small T2.R1.red.1] your turn: orders for the Activation Segment, by Fri 20 Nov, 12:00 UTC"]


def test_what_was_given_up_is_shown_and_goes_again_by_one_command(table: Table) -> None:
    table.smtp.refuse_rcpt["anna@example.com"] = "550 5.1.1 no such user"
    table.started()
    (failed,) = Outbox(table.game / "out").failed()
    assert f"pbem mail resend {failed.key}" in status.text(table.config, table.config.games())
    table.smtp.refuse_rcpt.clear()
    table.run()
    assert failed.message_id not in [one["Message-ID"] for one in table.inbox("red")]
    assert "1 mail on the way again" in status.resend(table.config, table.config.games(), failed.key, table.now)
    table.run()
    assert failed.message_id in [one["Message-ID"] for one in table.inbox("red")] and Outbox(table.game / "out").failed() == []


def test_a_seat_that_a_mail_could_not_reach_is_marked_and_the_others_are_told_once(table: Table) -> None:
    table.started()
    table.smtp.refuse_rcpt["bruno@example.com"] = "550 5.1.1 no such user"
    asked_for_interception(table)
    table.waited(60)
    assert not closed(table) and "mail does not reach Blue" in status.text(table.config, table.config.games())
    assert all_of(table.inbox("yellow")).count("Mail does not reach Blue") == 1
    table.smtp.refuse_rcpt.clear()
    table.post("blue", "pass", answers=table.last("yellow"))
    table.post("blue", "pass", Authentication_Results="mx.example.org; dmarc=pass header.from=example.com")
    table.run()
    assert closed(table) and "blue" not in table.desk().mail.unreachable
    table.run()
    assert "blue" not in table.desk().mail.unreachable, "the same failure marks once"


def test_a_notice_that_cannot_be_sent_makes_no_further_notice(table: Table) -> None:
    table.smtp.refuse_rcpt["boss@example.net"] = "550 5.1.1 no such user"
    table.smtp.refuse_rcpt["anna@example.com"] = "550 5.1.1 no such user"
    for _ in range(6):
        table.waited(2)
    assert len(Outbox(table.config.folder / "out").failed()) == 1


def test_notices_that_became_one_mail_and_cannot_be_sent_make_no_further_notice(table: Table) -> None:
    own = boxes(table.config, [])[0]
    for number in range(2):
        own.put(mail(f"n{number}", kind="notice", to="boss@example.net", seat="")._replace(game=""))
    table.smtp.refuse_rcpt["boss@example.net"] = "550 5.1.1 no such user"
    table.later(hours=9)
    table.run()
    assert [one.kind for one in own.failed()] == ["merged"] and own.unsent() == []


def test_who_was_never_asked_is_not_silent(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.poll()
    for _ in range(30):
        table.later(hours=2)
        table.poll()
    assert not closed(table)
    assert "mail to Blue and Yellow still waits in the outbox" in " ".join(
        status.text(table.config, table.config.games()).split())


def test_whose_question_only_a_receipt_shows_is_not_silent_before_it_went_out(quiet: Unconnected) -> None:
    quiet.started()
    quiet.reply("red", "roll")                  # no question follows: the receipt says what is asked now
    for _ in range(30):
        quiet.poll()
        quiet.later(hours=2)
    assert quiet.did() == ["roll"] and "mail to Red still waits in the outbox" in " ".join(
        status.text(quiet.config, quiet.config.games()).split())
    quiet.run()
    assert quiet.run().closed == ["small T2.R1.red.2"]


def test_whose_question_went_into_one_mail_with_a_later_receipt_is_not_silent_before_it_went_out(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    ours, table.config.smtp.port = table.config.smtp.port, 1
    table.run()
    table.post("blue", "press red: wait", Authentication_Results="mx.example.org; dmarc=pass header.from=example.com")
    table.waited(60)
    assert not closed(table)
    table.config.smtp.port = ours
    table.run()
    assert table.run().closed == ["small T2.R1.red.3"]


def test_a_receipt_that_waits_for_tomorrow_holds_no_question_open(quiet: Unconnected) -> None:
    """What it shows is asked in a mail of its own."""
    quiet.started()
    for place in boxes(quiet.config, quiet.config.games()):
        place.put(mail(kind="receipt")._replace(state="tomorrow", next="2026-12-24T00:00:00Z"))
    quiet.waited(50)
    assert quiet.did() == ["end segment"]


def test_letters_gathered_for_a_report_that_could_not_go_are_read_with_the_next(quiet: Unconnected) -> None:
    quiet.started()
    quiet.reply("red", "roll")
    quiet.run()
    for number in range(2):
        quiet.reply("yellow", f"press blue held: word {number}")
        if number:
            quiet.reply("red", "end")
        quiet.poll()
        for _ in range(14):
            quiet.later(hours=2)
            quiet.poll()
    reports = [one for one in outbox.of_game(quiet.game).unsent("report") if one.kind == "report" and one.seat == "blue"]
    assert len(reports) > 1
    quiet.run()
    (told,) = [body(one) for one in quiet.inbox("blue")[-1:]]
    assert [told.count(f"word {number}") for number in range(2)] == [1, 1]


def test_a_server_that_hangs_costs_two_time_outs_a_round_and_no_mail(table: Table) -> None:
    box = Outbox(table.game / "out")
    for number in range(6):
        box.put(mail(f"m{number}", kind="receipt"))
    table.config.limits["read"] = 1
    ours, taken = table.smtp.port, []
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        def silent() -> None:
            while True:
                try:
                    taken.append(door.accept()[0])
                except OSError:
                    return

        threading.Thread(target=silent, daemon=True).start()
        table.config.smtp.port = door.getsockname()[1]
        done = sending.send(table.config, [box], table.now)
    assert done.problem and len(taken) == 1 and len(box.unsent()) == 6
    table.config.smtp.port = ours
    table.smtp.data_replies[:] = ["drop", "drop", "drop"]
    done = sending.send(table.config, [box], table.now)
    assert done.problem and len(table.smtp.data_replies) == 1 and done.left == 6
    table.smtp.data_replies.clear()
    table.later(minutes=2)
    assert sending.send(table.config, [box], table.now).sent == 6
