"""Time as players live through it: outages of ours, regret, silence, bounces, gathered reports."""

from datetime import timedelta
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

import pytest
from small_game import MARCH
from table import HOST, PEOPLE, Table, Unconnected, all_of, body

from pbem.base.folder import Lock
from pbem.desk import deadline, showing, standing
from pbem.desk.tray import WaitRow, Waits
from pbem.kernel.procedures import Poll
from pbem.mail import letters, loop, press, status, waiting
from pbem.mail.outbox import Outbox
from pbem.mail.run import State
from pbem.play.match import CARD_WINDOWS
from pbem.rules.war import MODERATOR

pytestmark = pytest.mark.without_servers


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


def test_a_hard_bounce_holds_the_deadline_of_its_seat_and_tells_the_moderator(table: Unconnected) -> None:
    table.started()
    asked_for_interception(table)
    table.deliver(bounce(table, "blue", "5.1.1"))
    table.run()
    assert table.states()[-1] == "bounce" and "mail does not reach Blue" in status.text(table.config, table.config.games())
    assert any("mail does not reach Blue" in one.subject for one in table.notices())
    for _ in range(3):
        table.waited(20)
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
        table.waited(20)
    assert "bounce" in table.states() and any("close" in entry for entry in table.log())


def test_grace_is_added_to_every_deadline(table: Table) -> None:
    table.anew(deadlines={"default": 12, "grace": 5})
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


def closed(table: Table) -> bool:
    return any("close" in entry for entry in table.log())


def test_blind_hours_of_ours_are_made_good_by_a_hold_of_the_same_length(table: Table) -> None:
    table.anew(deadlines={"default": 12, "grace": 3})
    asked_for_interception(table)
    table.later(hours=20)
    table.run()
    assert not closed(table)
    table.waited(19)
    table.reply("blue", "pass")
    table.waited(2)
    assert not closed(table)
    table.waited(3)
    assert next(entry for entry in table.log() if "close" in entry)["silent"] == ["yellow"]


def test_three_hours_in_which_nobody_looked_are_no_outage(table: Table) -> None:
    table.started()
    for more, is_one in ((timedelta(hours=3), False), (timedelta(hours=3, seconds=1), True)):
        table.now += more - timedelta(seconds=1)            # a run comes a second later
        table.run()
        assert bool(State.read(table.config.folder).made_good) is is_one


def test_what_was_asked_after_an_outage_has_its_own_time_and_no_other(table: Table) -> None:
    table.anew(deadlines={"default": 5})
    table.later(hours=20)
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.waited(6)
    assert closed(table)


def test_where_somebody_looks_once_a_day_silence_closes_all_the_same(table: Table) -> None:
    table.anew(deadlines={"default": 12})
    asked_for_interception(table)
    for _ in range(3):
        table.later(hours=22)
        table.run()
    assert closed(table)


@pytest.mark.parametrize("rule", ["hold", "moderator"])
def test_where_silence_does_not_count_the_moderator_is_asked(table: Table, rule: str) -> None:
    table.anew(silence={"default": rule})
    for _ in range(4):
        table.waited(20)
    assert not any(entry.get("closed") == "overdue" for entry in table.log())
    said = {"hold": "the game waits for the answer", "moderator": "the moderator decides when to go on"}[rule]
    told = status.text(table.config, table.config.games())
    assert f"silence does not close T2.R1.red.1: its time is over, and {said}" in told


def test_within_the_regret_delay_a_newer_mail_takes_the_place_of_an_older_one(table: Table) -> None:
    table.anew(deadlines={"regret": 30})
    first = table.last("red")
    table.post("red", "roll", answers=first)
    table.run()
    assert table.states() == ["received"] and table.did() == []
    table.later(minutes=5)
    table.post("red", "status\nroll\nmarch Antigonos > Ephesos", answers=first)
    table.run()
    assert table.states() == ["refused", "received"]
    assert "Your newer mail came before" in all_of(table.inbox("red"))
    table.later(minutes=1)
    table.run()
    assert table.states() == ["refused", "applied"], "at most until the next run"
    assert table.did() == ["roll", "march Antigonos with 2 loyal, 3 mercenary > Ephesos"]


def test_the_regret_delay_holds_nothing_that_can_still_be_changed(table: Table) -> None:
    table.anew(deadlines={"regret": 30})
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.run()
    for text in ("pass", "intercept Lysimachos with all"):
        table.reply("blue", text)
        table.run()
        assert table.states()[-1] == "applied"
    table.reply("black", "press red: hello\nstatus")
    table.run()
    assert table.states()[-1] == "applied" and table.desk().sealed(table.desk().match.question)["blue"].startswith("intercept")


@pytest.mark.parametrize("later", [
    {"seat": "red", "text": "end", "subject": "[small]"}, {"seat": "blue", "text": "end"},
    {"seat": "red", "text": "end", "subject": "[small]", "Authentication_Results": "mx.example.org; dmarc=pass"},
    {"seat": "red", "text": "end", "is_answer": True, "Authentication_Results": "mx.example.org; dmarc=fail"},
    {"seat": "red", "text": "hand", "is_answer": True},
    {"seat": "red", "text": "end", "is_answer": True, "Auto_Submitted": "auto-replied"},
], ids=["without a reference", "of another seat", "only vouched for", "forged", "a request", "a robot"])
def test_nothing_else_takes_the_place_of_a_mail_that_may_be_regretted(table: Table, later: dict[str, Any]) -> None:
    table.anew(deadlines={"regret": 30})
    first = table.last("red")
    table.post("red", "roll", answers=first)
    table.run()
    table.later(minutes=5)
    table.post(later.pop("seat"), later.pop("text"), answers=first if later.pop("is_answer", False) else None, **later)
    table.run()
    table.later(minutes=31)
    table.run()
    assert table.did()[:1] == ["roll"]


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


def test_whoever_is_not_asked_reads_a_player_turn_when_it_is_over(table: Table) -> None:
    """And within a day; at once whoever wishes so, and what does not belong to the turn."""
    table.started()
    table.reply("yellow", "reports at once")
    table.run()
    before = {seat: len(table.inbox(seat)) for seat in ("yellow", "black")}
    asked_for_interception(table)
    assert len(table.inbox("yellow")) == before["yellow"] + 1 and len(table.inbox("black")) == before["black"]
    for seat in ("blue", "yellow"):
        table.reply(seat, "pass")
        table.run()
    assert len(table.inbox("black")) == before["black"]
    table.reply("red", "end activation\nend")
    table.run()
    told = table.inbox("black")[before["black"]:]
    assert len(told) == 1 and "Antigonos marched" in body(told[0])
    for text in ("reports each turn", "reports at once"):
        table.reply("black", text)
        table.run()
        assert "from now on" in body(table.last("black"))


def test_within_a_turn_everybody_hears_within_a_day_and_of_a_ruling_at_once(table: Table) -> None:
    asked_for_interception(table.started())
    before = len(table.inbox("black"))
    table.waited(22)
    assert len(table.inbox("black")) == before
    table.waited(4)
    assert len(table.inbox("black")) == before + 1 and "Antigonos marched" in body(table.last("black"))
    desk = table.desk()
    desk.ruling("so be it", reason="a question of taste")
    desk.commit()
    table.run()
    assert "so be it" in body(table.last("black"))


def test_nobody_hears_that_somebody_was_activated_and_no_more(table: Table) -> None:
    """A report says nothing of it: where nothing else has happened within a day it would be empty."""
    table.anew(deadlines={"default": 96})
    table.reply("red", "roll")
    table.waited(26)
    assert "rolled" in body(table.last("black"))
    before = {seat: len(table.inbox(seat)) for seat in ("blue", "yellow", "black")}
    table.reply("red", "activate Antigonos")
    table.waited(26)
    assert table.did()[-1] == "activate Antigonos" and before == {seat: len(table.inbox(seat)) for seat in before}


@pytest.mark.parametrize(("said", "told"), [
    ("reserve battle", "Black wishes to be asked"), ("absent 2026-12-01 to 2026-12-05", "Black is away from")])
def test_nobody_is_written_to_or_asked_again_because_somebody_reserves_to_be_asked_or_will_be_away(
        table: Table, said: str, told: str) -> None:
    asked_for_interception(table.anew(windows="reserved"))
    before = {seat: table.subjects(seat) for seat in ("red", "blue", "yellow")}
    table.reply("black", said)
    table.run()
    assert {seat: table.subjects(seat) for seat in before} == before
    table.reply("blue", "pass")
    table.reply("yellow", "pass")
    table.waited(26)
    assert any(told in " ".join(body(one).split()) for one in table.inbox("blue"))


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
        table.waited(20)
    found = {row["seat"]: row for row in status.data(table.config, table.config.games())["games"][0]["waits"]}
    assert found["blue"]["hours"] == 10.0 and found["blue"]["silent"] == 0
    assert found["yellow"]["silent"] == 1 and found["yellow"]["hours"] > 45
    assert "slowest: an interception" in status.text(table.config, table.config.games())


def test_a_held_game_closes_nothing(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    desk = table.desk()
    desk.enter({"hold": "the moderator travels"})
    desk.commit()
    for _ in range(4):
        table.waited(20)
    assert not any("close" in entry for entry in table.log())
    assert not any("still open" in one for one in table.subjects("blue"))


def test_what_was_sent_ahead_answers_when_its_window_opens(table: Table) -> None:
    table.started()
    table.reply("blue", "intercept Lysimachos with all")
    table.run()
    asked_for_interception(table)
    asked = " ".join(body(table.last("blue")).split())
    assert "You have answered this already: intercept Lysimachos" in asked
    table.reply("yellow", "pass")
    table.run()
    close = [entry for entry in table.log() if "close" in entry]
    assert close and close[0]["answers"]["blue"].startswith("intercept Lysimachos")


@pytest.mark.parametrize("before", ["standing: pass on interception, always", "intercept Lysimachos with all", ""])
def test_whose_answer_lies_here_has_nothing_to_do(table: Table, before: str) -> None:
    """Given in advance, or sent before a report comes that has the question once more."""
    table.started()
    if before:
        table.reply("blue", before)
        table.run()
    asked_for_interception(table)
    assert ("your answer is wanted" in table.subjects("blue")[-1]) is not bool(before)
    assert "your answer is wanted" in table.subjects("yellow")[-1]
    if not before:
        table.reply("blue", "pass")
        table.run()
    with Lock(table.game):
        desk = table.desk()
        desk.enter({"note": "Anna buys the next round"})
        desk.commit()
    table.run()
    assert "Anna buys" in body(table.last("blue")) and "You have answered this already" in body(table.last("blue"))
    assert "nothing to do for you: your answer is here (interception at Ephesos)" in table.subjects("blue")[-1]
    assert "your answer is wanted" in table.subjects("yellow")[-1]


@pytest.mark.parametrize("kind", [*CARD_WINDOWS, "interception"])
def test_the_subject_of_a_card_window_is_the_same_whatever_was_put_aside(
        table: Table, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """6.2 Subjects stand in the outbox, and a moderator who plays sees them there."""
    asked_for_interception(table.started())
    desk = table.desk()
    said, question = showing.words(desk, "blue"), desk.match.question
    assert question is not None
    monkeypatch.setattr(letters, "subject_asked", lambda desk, said, seat: "wanted")
    question.kind = kind
    assert letters.subject_of(desk, said, "blue") == "wanted"
    monkeypatch.setattr(desk, "sealed", lambda question: {"blue": "pass"})
    assert (letters.subject_of(desk, said, "blue") == "wanted") is (kind in CARD_WINDOWS)


@pytest.mark.parametrize("order", [("blue", "yellow"), ("yellow", "blue")])
def test_orders_behind_an_answer_wait_for_their_turn(table: Table, order: tuple[str, str]) -> None:
    """Whether the window stays open for others or closes with this answer."""
    asked_for_interception(table.started())
    for seat in order:
        table.reply(seat, "pass\nroll\nmarch Antigonos > Ephesos")
        table.run()
        assert "[error]" not in table.last(seat, "received")["Subject"]
        assert body(table.last(seat, "received")).count("kept: it is looked at when you are asked") == 2
        assert table.desk().waiting(seat) == ["roll", "march Antigonos > Ephesos"]
    assert table.did()[-1].startswith("march") and table.desk().match.question.sides == ("red",)


def test_a_second_answer_that_is_not_allowed_is_refused_and_not_kept(table: Table) -> None:
    asked_for_interception(table.started())
    table.reply("blue", "pass\nintercept Lysimachos with 9 loyal")
    table.run()
    assert "not allowed" in body(table.last("blue", "received")) and not table.desk().waiting("blue")


def test_the_number_of_letters_a_day_is_limited(table: Table) -> None:
    table.started()
    with Lock(table.game):
        desk = table.desk()
        press.ruled(desk, 2, None, None, None)
        desk.commit()
    for number in range(4):
        table.reply("blue", f"press red: letter {number}")
        table.run()
    assert sum("from Bruno" in one for one in table.subjects("red")) == 2
    assert "the rest has to wait for tomorrow" in " ".join(all_of(table.inbox("blue")).split())
    assert "letters: Blue 2" in status.text(table.config, table.config.games())


# --- silence -----------------------------------------------------------------------------------------------------------


def wait(table: Table, times: int = 3) -> None:
    """Time goes by, with a run now and then."""
    for _ in range(times):
        table.waited(20)


TYCHE = {**MARCH, "segment": {"player": "red", "kind": "tyche"}}


@pytest.mark.parametrize("rule", [{}, {"turn": "quiet", "default": "hold"}])
def test_a_silent_player_has_a_quiet_turn(table: Table, rule: dict[str, str]) -> None:
    table.anew(position=TYCHE, cards=True, silence=rule)
    wait(table)
    done = [(entry["by"], entry["do"], entry.get("as")) for entry in table.log() if "by" in entry]
    assert done[:2] == [("red", "play 1 as ops", "silent"), ("red", "end segment", "silent")]
    assert table.desk().match.question.sides == ("blue",) and table.desk().match.g.facts.cards["1"]["kind"] != "surprise"
    report = " ".join(body(table.last("red", "orders for")).split())
    assert report.count("Red did not answer in time; what silence means was done.") == 1


def test_a_turn_may_wait_while_single_questions_do_not(table: Table) -> None:
    table.anew(silence={"turn": "hold"})
    wait(table)
    assert table.did() == [] and "the game waits for the answer" in status.text(table.config, table.config.games())
    asked_for_interception(table)
    wait(table)
    assert any("close" in entry for entry in table.log())


def test_where_the_moderator_decides_he_is_asked_once_and_what_he_does_is_told_to_its_owner(table: Unconnected) -> None:
    table.anew(silence={"interception": "moderator"})
    asked_for_interception(table)
    wait(table, 5)
    (notice,) = table.notices("nobody answers T2.R1.red.3")
    assert '--close T2.R1.red.3 --reason "..."' in " ".join(notice.text.split())
    assert not any("close" in entry for entry in table.log())
    desk = table.desk()
    desk.close("T2.R1.red.3", by="they told me by telephone")
    desk.commit()
    table.run()
    assert "the moderator went on (they told me by telephone)" in " ".join(body(table.last("blue")).split())


@pytest.mark.parametrize("answers", [[], ["blue"]])
def test_whether_an_unreachable_seat_has_answered_changes_nothing_that_others_see(table: Table, answers: list[str]) -> None:
    table.started()
    asked_for_interception(table)
    for seat in answers:
        table.reply(seat, "pass")
        table.run()
    table.deliver(bounce(table, "blue", "5.1.1"))
    wait(table)
    assert not any("close" in entry for entry in table.log())


@pytest.mark.parametrize("kind", [*CARD_WINDOWS, "interception"])
def test_a_card_window_closes_at_its_time_whatever_the_rule_and_whoever_can_be_reached(table: Table, kind: str) -> None:
    desk = table.anew(silence={"default": "hold"}).desk()
    desk.mail.unreachable["blue"] = "2026-11-18T12:00:00Z"
    question = Poll(["blue"], kind, "6.2", about={}, read=lambda side, answer: answer, candidates=lambda side: (), default=())
    question.id, desk.match.table.question = "T9.x", question
    desk.match.due["T9.x"], desk.now = "2026-11-18T12:00Z", table.now + timedelta(hours=1)
    stands = deadline.closing(desk, deadline.Post())        # a mailbox that has been looked into
    assert stands is not None and stands.state == (deadline.RULE if kind == "interception" else deadline.CLOSES)


def test_one_reminder_a_deadline_also_when_a_turn_was_begun(table: Table) -> None:
    table.started()
    table.reply("red", "roll")
    table.run()
    for _ in range(7):
        table.later(hours=6)
        table.run()
    assert sum("still open" in one for one in table.subjects("red")) == 1
    assert "Answer by Fri 20 Nov" in body(table.last("red", "still open"))
    assert "Everybody waits for you" in " ".join(body(table.last("red", "still open")).split())


def test_a_reminder_of_a_poll_does_not_say_who_has_answered(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    table.reply("yellow", "pass")
    for _ in range(7):
        table.later(hours=6)
        table.run()
    said = body(table.last("blue", "still open"))
    assert "still open for you" in said and "Everybody waits" not in said


def test_a_reminder_that_could_not_be_sent_keeps_no_question_open(table: Unconnected) -> None:
    asked_for_interception(table.started())
    for _ in range(30):
        table.later(hours=2)
        table.poll()                            # nothing is sent any more
    unsent = Outbox(table.game / "out").unsent()
    assert any(one.kind == "reminder" and one.seat == "blue" for one in unsent) and closed(table)


def test_a_notice_of_what_cannot_be_read_comes_when_a_question_is_a_day_overdue(table: Unconnected) -> None:
    asked_for_interception(table.started())
    due = table.now + timedelta(days=2)
    desk, run = table.desk(), SimpleNamespace(now=due, notices=[])
    run.notice = lambda name, key, commands, **facts: run.notices.append((name, key))
    for state, hours, rule, told in (
            (deadline.UNREAD, 24, "", ["unread"]), (deadline.UNREAD, 23.9, "", []), (deadline.UNREAD, None, "", []),
            (deadline.RULE, 1, MODERATOR, ["silence"]), (deadline.RULE, 1, "hold", []), (deadline.CLOSES, 30, MODERATOR, [])):
        at = None if hours is None else due - timedelta(hours=hours)
        loop.ask_the_moderator(run, desk, deadline.Closing(state, desk.match.question, rule=rule, at=at))
        assert [key for _, key in run.notices] == told
        run.notices.clear()


# --- where the days went -----------------------------------------------------------------------------------------------


def test_who_answers_last_was_waited_for_too(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    for seat in ("blue", "yellow"):
        table.later(hours=10)
        table.reply(seat, "pass")
        table.run()
    found = status.data(table.config, table.config.games(), table.now)["games"][0]
    hours = {row["seat"]: row["hours"] for row in found["waits"]}
    assert hours["blue"] == 10.0 and hours["yellow"] == 20.0 and found["waited_hours"] == 20


def test_the_ledger_names_the_standing_order_and_the_route_that_would_have_saved_the_days(table: Table) -> None:
    table.anew(position={**MARCH, "spaces": {"halikarnassos": "red", "pergamon": "yellow"},
                         "forces": [force for force in MARCH["forces"] if force["owner"] != "blue"]})
    table.reply("red", "roll\nmarch Antigonos > Ephesos > Sardeis")
    table.run()
    for _ in range(2):
        table.later(hours=9)
        table.reply("yellow", "pass")
        table.run()
    found = status.data(table.config, table.config.games(), table.now)["games"][0]
    orders = {(row["seat"], row["standing"]): row["hours"] for row in found["savings"] if "standing" in row}
    assert orders["yellow", "standing: pass on interception, always"] == 18.0
    assert [(row["seat"], row["hours"]) for row in found["savings"] if "route" in row] == [("red", 9.0)]
    text = status.text(table.config, table.config.games(), table.now)
    assert 'up to 18.0 h saved by "standing: pass on interception, always", which is what Yellow did 2 times' in text
    assert "Red announcing marches openly" in text


def test_the_ledger_tells_for_what_the_game_stood_still_and_names_three_changes_at_most(table: Table) -> None:
    table.started()
    for line in ("roll", "activate Antigonos"):                 # piece by piece, with four hours between
        table.later(hours=4)
        table.reply("red", line)
        table.run()
    found = status.data(table.config, table.config.games(), table.now)["games"][0]
    assert found["where"] == [{"kind": "activation", "hours": 8.0}]
    assert [row for row in found["savings"] if "turn" in row] == [{"seat": "red", "turn": "turn_form", "hours": 4.0}]
    text = status.text(table.config, table.config.games(), table.now)
    assert "the game stood still for" in text and "4.0 h saved by Red sending whole turns" in text


def test_card_windows_that_ran_their_time_are_a_change_worth_telling() -> None:
    waits = Waits(kinds={"battle_cards": 2880, "surprise": 600, "interception": 30}, parts={"red": 120, "blue": 90},
                  steps={"red": 300}, seats={"blue": {"evasion": WaitRow(3, 900, 0, 3, 900)}})
    assert [row["hours"] for row in waiting.savings(waits, {})] == [58.0, 15.0, 5.0]
    assert waiting.savings(waits, {})[0] == {"windows": "reserved", "hours": 58.0}
    assert all("windows" not in row for row in waiting.savings(waits, {"windows": "reserved"}))
    assert [row["kind"] for row in waiting.where(waits)] == ["battle_cards", "surprise"]


@pytest.mark.parametrize("kind", waiting.SAID_AHEAD)
def test_every_standing_order_that_is_proposed_can_be_given(table: Table, kind: str) -> None:
    record = standing.read(f"{waiting.SAID_AHEAD[kind]}, always", table.desk().match.names)
    assert (record.kind, record.left) == (kind, standing.ALWAYS)


def test_the_pace_tells_how_many_days_are_still_to_come(table: Table) -> None:
    table.started()
    assert status.data(table.config, table.config.games(), table.now)["games"][0]["days_left"] is None
    first = waiting.progress(table.desk().match.g)
    wait(table)
    done, whole = waiting.progress(table.desk().match.g)
    assert done > first[0] and whole == first[1]
    left = status.data(table.config, table.config.games(), table.now)["games"][0]["days_left"]
    assert left == pytest.approx((whole - done) * 2.5 / (done - first[0]), rel=0.01)
    assert f"at this pace {left} days to go" in status.text(table.config, table.config.games(), table.now)


def test_nobody_but_the_moderator_learns_who_was_waited_for(table: Table) -> None:
    table.started()
    asked_for_interception(table)
    table.later(hours=10)
    table.reply("blue", "pass")
    table.reply("yellow", "status")
    table.run()
    assert not any("10.0" in body(one) or "on average" in body(one) for seat in PEOPLE for one in table.inbox(seat))
