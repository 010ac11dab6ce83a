"""Time as players live through it: outages of ours, regret, silence, bounces, gathered reports."""

from email.message import EmailMessage

import pytest
from table import HOST, PEOPLE, Table, all_of, body

from pbem import gamelog
from pbem.mail import status


def ruled(table: Table, **deadlines: object) -> Table:
    """The same game with other times."""
    import shutil

    shutil.rmtree(table.game)
    table.game = table.add("small", deadlines=deadlines)
    return table.started()


def bounce(table: Table, seat: str, code: str) -> bytes:
    """What a mail server sends back when it cannot deliver our newest mail to a player."""
    ours = table.last(seat)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "MAILER-DAEMON@mx.example.com", HOST, "Undelivered Mail Returned to Sender"
    mail["Message-ID"], mail["Auto-Submitted"] = f"<{code}.{seat}@mx.example.com>", "auto-replied"
    mail.set_content("I am sorry.")
    raw = mail.as_bytes().replace(b"Content-Type: text/plain; charset=\"utf-8\"\n", b"")
    head, _, _ = raw.partition(b"\n\n")
    head = b"\n".join(line for line in head.split(b"\n") if not line.startswith((b"Content-", b"MIME")))
    return head + b"\n" + f"""MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

I am sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; {PEOPLE[seat]}
Action: {'failed' if code[0] == '5' else 'delayed'}
Status: {code}

--b
Content-Type: message/rfc822

""".encode() + b"Message-ID: " + str(ours["Message-ID"]).encode() + b"\nSubject: x\n\nx\n--b--\n"


def asked_for_interception(table: Table) -> None:
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()


def test_a_hard_bounce_holds_the_deadline_of_its_seat_and_tells_the_moderator(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    table.deliver(bounce(table, "blue", "5.1.1"))
    table.run()
    assert table.states()[-1] == "bounce" and "mail does not reach blue" in status.text(table.config, table.config.games())
    assert any(b"mail does not reach blue" in one.data for one in table.smtp.messages if one.recipients == ["boss@example.net"])
    for _ in range(3):
        table.later(hours=20)
        table.run()
    assert not any("close" in entry for entry in table.log())
    assert "silence does not close T2.R1.red.3" in status.text(table.config, table.config.games())
    table.reply("blue", "pass")
    table.run()
    assert any("close" in entry for entry in table.log())


def test_a_soft_bounce_is_only_noted(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    table.deliver(bounce(table, "blue", "4.2.2"))
    for _ in range(3):
        table.later(hours=20)
        table.run()
    assert "bounce" in table.states() and any("close" in entry for entry in table.log())


def test_grace_is_added_to_every_deadline(table: Table) -> None:
    ruled(table, default=12, grace=5)
    asked_for_interception(table)
    for _ in range(7):
        table.later(hours=2)
        table.run()
    table.reply("blue", "pass")
    table.later(hours=2)
    table.run()
    assert not any("close" in entry for entry in table.log())
    table.later(hours=2)
    table.run()
    assert next(entry for entry in table.log() if "close" in entry)["silent"] == ["yellow"]


def test_after_an_outage_of_ours_the_grace_begins_with_the_first_good_poll(table: Table) -> None:
    ruled(table, default=12, grace=3)
    asked_for_interception(table)
    table.later(hours=20)
    table.run()
    assert not any("close" in entry for entry in table.log())
    table.later(hours=2)
    table.run()
    assert not any("close" in entry for entry in table.log())
    table.later(hours=2)
    table.run()
    assert any("close" in entry for entry in table.log())


@pytest.mark.parametrize("rule", ["hold", "moderator"])
def test_where_silence_does_not_count_the_moderator_is_asked(table: Table, rule: str) -> None:
    import shutil

    shutil.rmtree(table.game)
    table.game = table.add("small", silence={"default": rule})
    table.started()
    for _ in range(4):
        table.later(hours=20)
        table.run()
    assert not any("clock" in entry or entry.get("as") == "silent" for entry in table.log())
    assert f"the rule for silence is {rule}" in status.text(table.config, table.config.games())


def test_within_the_regret_delay_a_newer_mail_takes_the_place_of_an_older_one(table: Table) -> None:
    ruled(table, regret=30)
    first = table.last("red")
    table.post("red", "end", answers=first)
    table.run()
    assert table.states() == ["received"] and table.did() == []
    table.later(minutes=5)
    table.post("red", "roll", answers=first)
    table.run()
    assert table.states() == ["refused", "received"]
    assert "your newer mail came before" in all_of(table.inbox("red"))
    table.later(minutes=31)
    table.run()
    assert table.states() == ["refused", "applied"] and table.did() == ["roll"]


def test_gathered_reports_come_once_a_day_but_questions_at_once(table: Table) -> None:
    table.started()
    table.reply("black", "reports daily")
    table.reply("blue", "reports daily")
    table.run()
    before = len(table.inbox("black"))
    asked_for_interception(table)
    assert len(table.inbox("black")) == before
    assert "T2.R1.red.3" in table.subjects("blue")[-1]
    table.later(hours=23)
    table.run()
    table.later(hours=2)
    table.run()
    assert len(table.inbox("black")) == before + 1
    assert "Antigonos marched" in body(table.last("black"))


def test_each_seat_reads_deadlines_in_its_own_time(table: Table) -> None:
    table.started()
    text = (table.game / "game.yaml").read_text().replace("blue: {name: Bruno}", "blue: {name: Bruno, zone: Europe/Berlin}")
    (table.game / "game.yaml").write_text(text)
    asked_for_interception(table)
    assert "13:00 (Berlin)" in body(table.last("blue")) and "12:00 UTC" in body(table.last("yellow"))


def test_the_waiting_ledger_says_whom_the_days_went_to(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    table.later(hours=10)
    table.reply("blue", "pass")
    table.run()
    for _ in range(2):
        table.later(hours=20)
        table.run()
    found = {row["seat"]: row for row in status.data(table.config, table.config.games())["games"][0]["waits"]}
    assert found["blue"]["hours"] == 10.0 and found["blue"]["silent"] == 0
    assert found["yellow"]["silent"] == 1 and found["yellow"]["hours"] > 45
    assert "slowest interception" in status.text(table.config, table.config.games())


def test_a_held_game_closes_nothing(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    desk = table.desk()
    desk.begin()
    desk.enter({"hold": "the moderator travels"})
    desk.commit()
    for _ in range(4):
        table.later(hours=20)
        table.run()
    assert not any("close" in entry for entry in table.log())
    assert not any("still open" in one for one in table.subjects("blue"))


def test_what_was_sent_ahead_answers_when_its_window_opens(table: Table) -> None:
    table.started()
    table.reply("blue", "intercept Lysimachos with all")
    table.reply("yellow", "pass")
    table.run()
    asked_for_interception(table)
    close = [entry for entry in table.log() if "close" in entry]
    assert close and close[0]["answers"]["blue"].startswith("intercept Lysimachos")


def test_the_number_of_letters_a_day_is_limited(table: Table) -> None:
    table.started()
    private = gamelog.read_private(table.game)
    private["settings"] = {"press": {"daily": 2}}
    gamelog.write_private(table.game, private)
    for number in range(4):
        table.reply("blue", f"press red: letter {number}")
        table.run()
    assert sum("from Bruno" in one for one in table.subjects("red")) == 2
    assert "the rest has to wait for tomorrow" in " ".join(all_of(table.inbox("blue")).split())
    assert "letters blue 2" in status.text(table.config, table.config.games())
