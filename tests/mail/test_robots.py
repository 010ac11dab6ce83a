"""Robots that do not say that they are, bounces of ten kinds, and a way out for observers."""

import email
import email.policy
from datetime import timedelta

import pytest
from table import HOST, PEOPLE, Table, Unconnected, all_of, changed
from test_time import asked_for_interception, bounce

from pbem.mail import reading, status

TALK = "Thank you for your message.\nWe will look at it as soon as we can.\n"


pytestmark = pytest.mark.without_servers


def answers(table: Unconnected, seat: str) -> int:
    return sum("received" in one for one in table.subjects(seat))


def told(table: Unconnected, what: str) -> list[str]:
    return [one.subject for one in table.notices() if what in one.subject]


def test_a_robot_without_marks_that_repeats_itself_is_answered_once_and_told_of_once(table: Unconnected) -> None:
    table.started()
    for _ in range(8):
        table.later(minutes=5)
        table.reply("blue", TALK)
        table.run()
    assert answers(table, "blue") == 1 and len(told(table, "a robot writes from bruno@example.com")) == 1
    table.later(minutes=5)
    table.reply("blue", "status")
    table.run()
    assert answers(table, "blue") == 2, "what somebody wants counts as ever"


def test_a_robot_that_says_something_else_each_time_is_too_fast_or_too_much(table: Unconnected) -> None:
    table.started()
    for number in range(12):
        table.reply("blue", f"{TALK}Ticket {number}\n")
        table.run()
    assert answers(table, "blue") == 1
    for number in range(12):
        table.later(minutes=10)
        table.reply("red", f"{TALK}Ticket {number}\n")
        table.run()
    assert answers(table, "red") == 5 and len(told(table, "a robot writes")) == 2


def test_who_answers_the_same_each_time_is_no_robot(table: Unconnected) -> None:
    table.started()
    for _ in range(7):
        table.reply("blue", "status")
        table.run()
    assert answers(table, "blue") == 7 and told(table, "a robot") == []


@pytest.mark.parametrize("text", ["roll", "status"])
def test_who_wants_something_a_moment_after_a_mail_with_nothing_in_it_gets_it(quiet: Unconnected, text: str) -> None:
    quiet.started()
    for one in (TALK, text):
        quiet.reply("red", one)
        quiet.run()
    assert quiet.states() == ["applied", "applied"] and answers(quiet, "red") == 2


@pytest.mark.parametrize(("seconds", "is_robot"), [(59, True), (60, False)])
def test_nobody_answers_within_a_minute_that_there_was_nothing_in_his_mail(
        quiet: Unconnected, seconds: int, is_robot: bool) -> None:
    quiet.started().reply("red", TALK)
    quiet.run()
    raw = quiet.write("red", f"{TALK}Ticket 2", answers=quiet.last("red"))
    quiet.deliver(raw, quiet.now + timedelta(seconds=seconds))
    quiet.run()
    assert quiet.states() == ["applied", "robot" if is_robot else "applied"]


def test_requests_are_no_mails_with_nothing_in_them_and_whoever_answers_no_mail_of_ours_was_not_too_fast(
        quiet: Unconnected) -> None:
    quiet.started()
    for _ in range(5):
        quiet.reply("blue", "status")
        quiet.run()
    vouched = {"subject": "[small]", "Authentication_Results": "mx.example.org; dmarc=pass"}
    quiet.reply("red", TALK)
    quiet.run()
    for seat, more in (("blue", {"answers": quiet.last("blue")}), ("red", vouched)):
        quiet.post(seat, f"{TALK}Ticket", **more)
        quiet.run()
    assert set(quiet.states()) == {"applied"}


def test_what_the_moderator_lets_through_is_no_robots(quiet: Unconnected) -> None:
    asked = quiet.started().last("red")
    for more in ({}, {"Authentication_Results": "mx.example.org; dmarc=fail header.from=example.com"}):
        quiet.post("red", TALK, answers=asked, **more)
        quiet.run()
    assert quiet.states() == ["applied", "held"]
    status.release(quiet.config, quiet.config.games(), "2", now=quiet.now)
    assert quiet.states() == ["applied", "applied"]


@pytest.mark.parametrize("headers", [
    "Precedence: first-class\nPrecedence: bulk", "Auto-Submitted: no\nAuto-Submitted: auto-replied",
    "X-Autoreply: no\nX-Autoreply: yes", "Precedence: normal\nPrecedence: (x) y\nprecedence: LIST"])
def test_every_header_is_read_however_many_there_are(headers: str) -> None:
    assert reading.understand(f"From: anna@example.com\n{headers}\n\npass\n".encode()).class_ in ("robot", "list")


# --- bounces -------------------------------------------------------------------------------------------------------------

PLAIN = {
    "qmail": ("MAILER-DAEMON@mx.example.com", "failure notice", """\
Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{to}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Message-ID: {id}
Subject: x
"""),
    "exim": ("Mail Delivery System <Mailer-Daemon@mx.example.com>", "Mail delivery failed: returning message to sender", """\
This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.
The following address(es) failed:

  {to}
    550 5.1.1 unknown user

------ This is a copy of the message's headers. ------
Message-ID: {id}
"""),
    "a postmaster": ("postmaster@example.com", "Your mail", """\
Your message could not be delivered:
    {to}: 550 5.1.1 no such user here

Message-Id: {id}
"""),
    "groupware": ("Postmaster <postmaster@mail.example.com>", "DELIVERY FAILURE: User unknown", """\
Your message was not delivered to {to} because: 550 5.1.1 User unknown
Message-ID: {id}
"""),
    "an old unix": ("Mail Delivery Subsystem <MAILER-DAEMON@example.com>", "Returned mail: see transcript for details", """\
   ----- The following addresses had permanent fatal errors -----
<{to}>
    (reason: 550 5.1.1 <{to}>... User unknown)
   ----- Original message -----
Message-Id: {id}
"""),
    "in German": ("postmaster@example.de", "Unzustellbar: Ihre Nachricht", """\
Ihre Nachricht konnte nicht zugestellt werden: {to} (5.1.1)
Message-ID: {id}
"""),
}


def text_bounce(table: Unconnected, name: str, seat: str = "blue") -> bytes:
    sender, subject, text = PLAIN[name]
    ours = table.last(seat)
    head = f"From: {sender}\nTo: {HOST}\nSubject: {subject}\nReturn-Path: <>\nMessage-ID: <{len(name)}@mx.example.com>\n\n"
    return (head + text.format(to=PEOPLE[seat], id=ours["Message-ID"])).encode()


@pytest.mark.parametrize("name", PLAIN)
def test_a_bounce_in_plain_words_marks_its_seat(table: Unconnected, name: str) -> None:
    asked_for_interception(table.started())
    table.deliver(text_bounce(table, name))
    table.run()
    assert table.states()[-1] == "bounce" and list(table.desk().mail.unreachable) == ["blue"]
    assert len(told(table, "mail does not reach Blue")) == 1


@pytest.mark.parametrize("subject", ["Delivery delayed: still being retried", "Warning: message delayed 4 hours"])
def test_a_warning_of_a_delay_stops_no_clock(table: Unconnected, subject: str) -> None:
    asked_for_interception(table.started())
    raw = text_bounce(table, "exim").replace(b"Mail delivery failed: returning message to sender", subject.encode())
    table.deliver(raw)
    table.run()
    assert table.states()[-1] == "bounce" and table.desk().mail.unreachable == {}


def test_a_bounce_about_another_reader_or_another_mail_or_from_a_player_stops_no_clock(table: Unconnected) -> None:
    asked_for_interception(table.started())
    good = bounce(table, "blue", "5.1.1")
    table.deliver(good.replace(b"rfc822; bruno@example.com", b"rfc822; chiara@example.com").replace(b"5.1.1.blue@", b"1@"))
    table.deliver(good.replace(b"MAILER-DAEMON@mx.example.com", b"bruno@example.com").replace(b"5.1.1.blue@", b"2@"))
    ours = str(table.last("blue")["Message-ID"]).encode()
    table.deliver(good.replace(ours, ours.replace(b"@", b"0@")).replace(b"5.1.1.blue@", b"3@"))
    table.run()
    assert table.desk().mail.unreachable == {} and set(table.states()[-3:]) == {"bounce"}
    assert len(told(table, "mail may not reach")) == 3
    table.deliver(good)
    table.run()
    assert list(table.desk().mail.unreachable) == ["blue"]


def test_a_bounce_is_one_however_large(quiet: Unconnected) -> None:
    asked_for_interception(quiet.started())
    quiet.config.limits["size"] = 300
    quiet.deliver(bounce(quiet, "blue", "5.1.1"))
    quiet.run()
    assert quiet.states()[-1] == "bounce" and list(quiet.desk().mail.unreachable) == ["blue"]


def test_a_bounce_that_names_nobody_is_about_whom_the_mail_was_for(quiet: Unconnected) -> None:
    asked_for_interception(quiet.started())
    quiet.deliver(bounce(quiet, "blue", "5.1.1").replace(b"Final-Recipient: rfc822; bruno@example.com\n", b""))
    quiet.run()
    assert quiet.states()[-1] == "bounce" and list(quiet.desk().mail.unreachable) == ["blue"]


def test_of_a_report_about_several_each_is_told(table: Unconnected) -> None:
    table.started()
    raw = bounce(table, "blue", "5.1.1").replace(str(table.last("blue")["Message-ID"]).encode(), b"<x@y.example>")
    more = b"Final-Recipient: rfc822; dora@example.com\nAction: failed\nStatus: 5.1.1\n\n"
    table.deliver(raw.replace(b"Final-Recipient", more + b"Final-Recipient", 1))
    table.run()
    assert len(told(table, "mail may not reach")) == 2


# --- observers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [{"subject": "observe stop"}, {"text": "observe stop"}])
def test_an_observer_gets_list_headers_and_leaves_with_one_click(connected: Table, how: dict[str, str]) -> None:
    with changed(connected.game) as tray:
        tray.observers = ["friend@example.net"]
    connected.started()
    (mine,) = [email.message_from_bytes(one.data, policy=email.policy.default) for one in connected.smtp.messages
               if one.recipients == ["friend@example.net"]]
    assert mine["List-Id"] == "small <small.example.org>"
    assert mine["List-Unsubscribe"] == f"<mailto:{HOST}?subject=observe%20stop&body=observe%20stop>"
    assert all(one["List-Id"] is None for seat in PEOPLE for one in connected.inbox(seat)) and "Reference" not in all_of([mine])
    connected.post("friend@example.net", how.get("text", ""), subject=how.get("subject", "x"))
    connected.run()
    assert connected.desk().tray.observers == []
