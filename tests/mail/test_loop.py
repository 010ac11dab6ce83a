"""A game played by mail: questions out, answers in, each human mail answered once."""

import email
import email.policy
import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
from small_game import MARCH
from table import HOST, PASSWORD, PEOPLE, Table, all_of, body, changed, columns, token_of

from pbem.base.folder import Lock
from pbem.desk import standing
from pbem.mail import issuing, tokens

pytestmark = pytest.mark.without_servers


def receipts(table: Table, seat: str) -> list[str]:
    return [str(one["Subject"]) for one in table.inbox(seat) if re.search(r"received|not taken|confirm", str(one["Subject"]))]


@pytest.mark.usefixtures("connected")
def test_the_first_run_asks_whoever_is_to_move_and_answers_nothing_older(table: Table) -> None:
    table.post("red", "roll")
    table.later(minutes=1)
    table.started()
    table.run()
    assert table.states() == [] and table.did() == []
    assert table.subjects("red") == [
        "[small T2.R1.red.1] your turn: orders for the Activation Segment, by Fri 20 Nov, 12:01 UTC"]


def test_a_march_by_mail_stops_for_others_and_goes_on_when_they_have_answered(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos\nend")
    table.run()
    assert table.did() == ["roll", "march Antigonos with 2 loyal, 3 mercenary > Ephesos"]
    assert "T2.R1.red.3] your answer is wanted: interception at Ephesos, by " in table.subjects("blue")[-1]
    table.reply("blue", "a")
    table.reply("yellow", "pass")
    summary = table.run()
    assert summary.counts == {"applied": 2}
    close = next(entry for entry in table.log() if "close" in entry)
    assert close["answers"] == {"blue": "pass", "yellow": "pass"} and "via" not in close
    assert [one["Auto-Submitted"] for one in table.inbox("blue")].count("auto-replied") == 1
    told = body(table.last("blue"))             # his receipt and what came of it are one mail, with one story and one signature
    assert "1  a" in told and told.count("did not intercept") <= 1 and told.count("\n-- \n") == 1
    assert told.count("You may order now") == 1 and told.count("Waiting for Bruno") == 1
    assert "your turn: orders for the Tyche Segment" in table.subjects("blue")[-1]
    assert "nothing to do for you: waiting for Blue" in table.subjects("yellow")[-1]


def test_that_a_segment_ended_with_nothing_in_it_is_no_report(table: Table) -> None:
    table.anew(position={**MARCH, "segment": {"player": "red", "kind": "surrender"}})
    before = len(table.inbox("blue"))
    table.reply("red", "end")
    table.run()
    assert table.did() == ["end segment"] and len(table.inbox("blue")) == before


@pytest.mark.usefixtures("connected")
def test_every_mail_of_ours_is_marked_threaded_and_carries_the_head_of_the_log(table: Table) -> None:
    table.started()
    table.reply("red", "roll")
    table.run()
    mine = table.last("red", "received")
    assert mine["Auto-Submitted"] == "auto-replied" and mine["X-Pbem-Loop"] == HOST
    assert str(mine["In-Reply-To"]).endswith(".red@example.com>")
    roots = {str(one["References"]).split()[0] for one in table.inbox("red")}
    assert len(roots) == 1
    assert mine.get_content_type() == "multipart/alternative"
    assert columns(mine) <= 72
    head = table.desk().game.heads()[-1]
    assert head[:16] in body(mine)
    assert token_of(mine) in body(mine) and len(token_of(mine)) >= 16
    assert token_of(mine) in str(mine["Message-ID"])


def test_each_line_of_an_order_is_answered_and_a_refusal_says_what_would_do(table: Table) -> None:
    table.started()
    table.reply("red", "Hello,\nhere is my turn.\n\nroll\nmarch Antigonos > Pela\nend\n\nBest\nAnna", quote=True)
    table.run()
    mine = table.last("red", "received")
    assert str(mine["Subject"]).startswith("[error] ")
    text = " ".join(body(mine).split())
    assert "1 roll done." in text
    assert '2 march Antigonos > Pela not understood: no space "Pela"' in text
    assert "3 end not looked at yet." in text
    assert "I cut" in text
    assert table.did() == ["roll"]


def test_the_receipt_says_when_removed_text_looked_like_an_order(table: Table) -> None:
    table.started()
    table.post("red", "roll\n\n> march Antigonos > Ephesos", answers=table.last("red"))
    table.run()
    assert "Some of what I cut reads like orders" in " ".join(body(table.last("red", "received")).split())
    assert table.did() == ["roll"]


def test_the_same_mail_twice_is_applied_once_and_answered_once(table: Table) -> None:
    table.started()
    raw = table.reply("red", "roll")
    table.run()
    table.deliver(raw)
    table.run()
    assert table.did() == ["roll"]
    assert len(receipts(table, "red")) == 1


def test_a_message_id_that_comes_back_with_other_content_is_held(table: Table) -> None:
    table.started()
    first = table.last("red")
    table.post("red", "roll", answers=first, message_id="<same@example.com>")
    table.run()
    table.post("red", "march Antigonos > Ephesos", answers=first, message_id="<same@example.com>")
    table.run()
    assert table.states() == ["applied", "held"] and table.did() == ["roll"]


def test_a_stale_answer_never_applies_to_the_next_question(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    asked = table.last("blue")
    for seat in ("blue", "yellow"):
        table.reply(seat, "pass")
    table.run()
    entries = len(table.log())
    table.post("blue", "b", answers=asked)
    table.run()
    assert len(table.log()) == entries
    text = body(table.last("blue", "not taken"))
    assert "T2.R1.red.3 is closed" in text and "Waiting for" in text


def test_a_letter_under_an_older_question_of_ones_own_turn_is_not_taken_for_the_next(table: Table) -> None:
    table.started()
    first = table.last("red")
    table.post("red", "roll", answers=first)
    table.run()
    entries = len(table.log())
    table.post("red", "a", answers=first)
    table.run()
    assert len(table.log()) == entries
    assert str(table.last("red", "received")["Subject"]).startswith("[error]")


def test_a_letter_of_somebody_who_is_not_asked_waits_for_nothing(table: Table) -> None:
    table.started()
    table.reply("blue", "b")
    table.run()
    assert "a letter answers the question it stood under" in " ".join(body(table.last("blue", "received")).split())
    assert table.desk().waiting("blue") == []


@pytest.mark.usefixtures("connected")
def test_what_waits_for_its_sender_s_word_answers_no_window(table: Table) -> None:
    for held in (True, False):
        table.anew()
        with Lock(table.game):
            desk = table.desk()
            desk.set_waiting("blue", ["pass", "end"], held=held)
            desk.commit()
        table.reply("red", "roll\nmarch Antigonos > Ephesos")
        table.run()
        assert table.desk().waiting("blue") == (["pass", "end"] if held else ["end"])


def test_an_older_mail_that_was_long_on_its_way_replaces_no_newer_one(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    early, asked = table.now, table.last("blue")
    table.later(minutes=5)
    table.post("blue", "pass", answers=asked)
    table.run()
    table.deliver(table.write("blue", "b", answers=asked), received=early)
    table.run()
    assert table.states()[1:] == ["applied", "refused"]
    assert table.desk().sealed(table.desk().match.question) == {"blue": "pass"}


def test_a_new_mail_replaces_the_rest_that_waits(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos\nmarch Antigonos > Sardeis")
    table.run()
    assert table.desk().waiting("red") == ["march Antigonos > Sardeis"]
    table.later(minutes=5)
    table.reply("red", "end")
    table.run()
    assert table.desk().waiting("red") == ["end"]


def test_an_older_mail_that_comes_late_never_replaces_a_newer_one(table: Table) -> None:
    table.started()
    first = table.last("red")
    older, newer = table.write("red", "end", answers=first), table.write("red", "roll", answers=first)
    table.later(minutes=5)
    table.deliver(newer)
    table.run()
    table.deliver(older, table.now - timedelta(minutes=2))      # on the way for longer, and seen only now
    table.run()
    assert table.states()[-1] == "refused" and table.did() == ["roll"]
    assert "A later mail of yours" in all_of(table.inbox("red"))


@pytest.mark.parametrize("march", [
    "march Antigonos &gt; Ephesos", "march Antigonos » Ephesos", "march Antigonos ⇒ Ephesos", "**march Antigonos > Ephesos**",
    "`march Antigonos > Ephesos`", "ｍａｒｃｈ　Ａｎｔｉｇｏｎｏｓ　＞　Ｅｐｈｅｓｏｓ", "march Antigonos > Ephesos, thanks!",
])
def test_an_order_that_a_program_made_handsome_is_read_as_it_was_typed(table: Table, march: str) -> None:
    table.started()
    table.reply("red", f"roll\n{march}")
    table.run()
    assert table.did()[-1].startswith("march Antigonos") and len(table.did()) == 2


FULL_MARCH = "march Antigonos with 2 loyal, 3 mercenary > Ephesos"


@pytest.mark.parametrize("lines", [
    "march Antigonos >\nEphesos", "march Antigonos with 2 loyal,\n3 mercenary →\n\nEphesos\nThanks,\nAnna",
    "march Antigonos with\u00a02 loyal, 3 mercenary >\nEphesos\n-- \nAnna"])
def test_an_order_broken_behind_an_arrow_or_a_comma_is_one(table: Table, lines: str) -> None:
    table.started()
    table.reply("red", f"roll\n{lines}")
    table.run()
    assert table.did() == ["roll", FULL_MARCH]


@pytest.mark.parametrize(("lines", "did"), [
    ("roll,\nend", ["roll", "end segment"]), ("march Antigonos >\nend", []), ("march Antigonos >\nNowhere", []),
    ("roll,\nmarch Antigonos > Ephesos", ["roll", FULL_MARCH])])
def test_what_is_no_order_together_is_never_joined(table: Table, lines: str, did: list[str]) -> None:
    table.started()
    table.reply("red", lines)
    table.run()
    assert table.did() == did and ("[error]" in str(table.last("red")["Subject"])) == (not did)


@pytest.mark.parametrize("quoted", ["&gt; roll", "＞ roll", "» roll"])
def test_a_quote_in_other_signs_is_no_order(table: Table, quoted: str) -> None:
    table.started()
    table.reply("red", quoted)
    table.run()
    assert table.did() == []


def test_early_orders_wait_until_their_seat_is_asked(table: Table) -> None:
    table.started()
    table.reply("blue", "intercept Lysimachos with all")
    table.run()
    assert "kept" in body(table.last("blue", "received"))
    assert table.log()[-1].get("by") != "blue"


# --- who may command ----------------------------------------------------------------------------------------------------


def test_a_mail_without_token_that_our_server_vouches_for_is_taken_with_a_note(table: Table) -> None:
    table.started()
    table.post("red", "roll", Authentication_Results="mx.example.org; dmarc=pass header.from=example.com")
    table.run()
    assert table.did() == ["roll"]
    assert "no reference of mine" in body(table.last("red", "received"))


def test_a_mail_that_its_owner_did_not_write_is_turned_away(table: Table) -> None:
    table.started()
    table.post("red", "roll")
    table.run()
    asked = table.last("red", "confirm")
    table.post("red", "what mail?", answers=asked)
    table.run()
    assert 'with "yes" or "no" alone' in " ".join(body(table.last("red", "not taken")).split())
    table.post("red", "No!", answers=asked)
    table.run()
    assert "Then nothing of that mail counts" in body(table.last("red", "not taken"))
    table.post("red", "yes", answers=asked)
    table.run()
    assert table.did() == [] and table.states() == ["rejected", "refused", "refused", "refused"]


def test_who_writes_his_orders_anew_instead_of_yes_is_understood(table: Table) -> None:
    table.started()
    table.post("red", "end")
    table.run()
    table.post("red", "roll\nstatus", answers=table.last("red", "confirm"))
    table.run()
    assert table.did() == ["roll"] and table.states() == ["confirm", "applied"]


def test_a_reply_to_a_mail_of_an_earlier_turn_is_told_what_to_reply_to(table: Table) -> None:
    table.started()
    table.reply("blue", "status")
    table.run()
    raw = table.write("blue", "press red: hello", answers=table.last("blue", "received"))
    desk = table.desk()
    old, now = (tokens.make(issuing.secret(desk), "small", "blue", f"turn:{turn}") for turn in (1, 2))
    with changed(table.game) as tray:
        tray.mail.issued.append(("blue", "turn:1", ""))
    table.deliver(raw.replace(now.encode(), old.encode()))
    table.run()
    assert "send it again as a reply to this one" in " ".join(body(table.last("blue", "not taken")).split())
    table.reply("blue", "press red: hello")
    table.run()
    assert "hello" in body(table.last("red", "from Bruno"))


def test_a_mail_without_token_and_without_vouching_counts_when_its_owner_confirms(table: Table) -> None:
    table.started()
    table.post("red", "roll")
    table.run()
    assert table.did() == [] and table.states() == ["confirm"]
    table.post("red", "yes", answers=table.last("red", "confirm"))
    table.run()
    assert table.did() == ["roll"] and table.states() == ["applied", "applied"]
    table.post("red", "yes", answers=table.last("red", "confirm"))
    table.run()
    assert table.did() == ["roll"]


def test_a_forged_sender_is_held_and_the_address_on_file_is_told(table: Table) -> None:
    table.started()
    table.post("red", "roll", answers=table.last("red"), Authentication_Results="mx.example.org; dmarc=fail")
    table.run()
    assert table.did() == [] and table.states() == ["held"]
    assert "could not be verified" in " ".join(body(table.last("red", "not taken")).split())


def test_a_token_from_a_foreign_address_waits_for_the_moderator(table: Table) -> None:
    table.started()
    table.post("red", "roll", answers=table.last("red"), sender="else@example.net")
    table.run()
    assert table.did() == [] and table.states() == ["held"] and receipts(table, "red") == []


@pytest.mark.usefixtures("connected")
def test_the_token_of_another_seat_is_quarantined(table: Table) -> None:
    table.started()
    table.post("blue", "roll", answers=table.last("red"))
    table.run()
    assert table.did() == [] and table.states() == ["quarantined"]
    assert receipts(table, "blue") == []
    told = next(one.data.decode() for one in table.smtp.messages if one.recipients == ["boss@example.net"])
    assert "from the address of Blue with the reference of Red" in told.replace("=\r\n", "").replace("\r\n", " ")


@pytest.mark.usefixtures("connected")
def test_a_stranger_is_not_answered(table: Table) -> None:
    table.started()
    before = len(table.smtp.messages)
    table.post("someone@example.net", "roll")
    table.run()
    assert table.states() == ["quarantined"]
    assert [one.recipients for one in table.smtp.messages[before:]] in ([], [["boss@example.net"]])


@pytest.mark.parametrize("headers", [
    {"Auto_Submitted": "auto-replied"}, {"X_Pbem_Loop": HOST}, {"sender": "MAILER-DAEMON@example.com"},
])
def test_robots_are_neither_answered_nor_obeyed(table: Table, headers: dict[str, str]) -> None:
    table.started()
    table.post("red", "roll", answers=table.last("red"), **headers)
    table.run()
    assert table.did() == [] and receipts(table, "red") == []


def test_an_out_of_office_reply_without_any_header_is_held(table: Table) -> None:
    table.started()
    table.post("red", "I am away until Monday.", subject="Out of office: anything")
    table.run()
    assert table.states() == ["held"] and receipts(table, "red") == []


# --- requests -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "said"), [
    ("status", "Waiting for"), ("options", "You may order now"), ("history", "Standings"), ("hand", "hand"),
    ("history whole", "Pieces and cards"),
    ("check roll", "Only tried, nothing of this was done: 1 roll cannot be known yet: a die falls here"),
    ("resend", "Sent again below"), ("reports daily", "once a day"),
    ("absent 2026-12-01 to 2026-12-05", "away from Tue 1 Dec to Sat 5 Dec"), ("absent soon", "could not read the days"),
    ("file", "Nothing is put aside"), ("observe friend@example.net", "moderator is asked"),
])
def test_requests_are_answered_and_change_nothing_in_the_game(table: Table, line: str, said: str) -> None:
    table.started()
    table.reply("red", line)
    table.run()
    assert said in " ".join(body(table.last("red")).split())
    assert table.did() == []


@pytest.mark.parametrize(("line", "said"), [
    ("absent soon", "could not read the days"),
    ("absent 2026-12-05 to 2026-12-01", "could not read the days"), ("absent 2025-12-01", "could not read the days"),
    ("absent 2026-12-01 to 2027-12-01", "matter for the moderator"),
    ("reports weekly", "reports daily, or: reports at once"), ("observe my friend", "could not read the address"),
    ("check", "Write the orders to be tried"), ("file back 3", "nothing"),
    ("press green: hello", "there are Blue, Yellow and Black"),
    ("file sunday: play 57", "battle at Larisa"),
])
def test_a_request_that_cannot_be_met_says_how_it_is_written_and_marks_the_receipt(table: Table, line: str, said: str) -> None:
    table.started()
    table.reply("red", line)
    table.run()
    told = body(table.last("red", "received"))
    assert said in " ".join(told.split()) and f"\n{line}\n" in f"\n{told}", "which of his lines it was"
    assert table.subjects("red")[-1].startswith("[error] ") and table.did() == []


def test_nothing_below_a_check_is_done(table: Table) -> None:
    table.started()
    table.reply("red", "check\nroll\nend\nstatus\n")
    table.run()
    text = " ".join(body(table.last("red", "received")).split())
    assert table.did() == [] and "2 end not looked at yet" in text and "Waiting for Anna" in text


def test_a_mail_with_nothing_in_it_is_told_what_could_be(table: Table) -> None:
    table.started()
    table.reply("red", "Hello Desk, see you on Sunday!")
    table.run()
    text = " ".join(body(table.last("red", "received")).split())
    assert "I found nothing in this mail" in text and "help, status, options" in text


def test_an_absence_moves_new_deadlines_and_never_a_running_one(table: Table) -> None:
    table.started()
    table.reply("blue", "absent 2026-11-19 to 2026-11-25")
    table.run()
    running = table.log()[1]["due"]
    assert table.desk().match.due["T2.R1.red.1"] == running
    assert {"note": "Blue is away from Thu 19 Nov to Wed 25 Nov.", "says": {
        "note": "absent", "seat": "blue", "first": "2026-11-19", "last": "2026-11-25"}} in table.log()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    assert table.log()[-1]["due"] >= "2026-11-26"


def test_press_goes_to_those_it_is_for(table: Table) -> None:
    table.started()
    table.reply("blue", "press Chiara: shall we?\nsecond line")
    table.run()
    assert "shall we?" in body(table.last("yellow", "from Bruno"))
    assert not any("shall we" in body(one) for one in table.inbox("red") + table.inbox("black"))


def test_a_letter_keeps_its_paragraphs_and_loses_its_signature(table: Table) -> None:
    table.started()
    letter = "Dear Anna,\n\nfirst thing.\nSecond line.\n\nAnother thing."
    table.reply("blue", f"press red: {letter}\n\nBest,\nBruno\n-- \nBruno B.\nTel. 123")
    table.run()
    text = body(table.last("red", "from Bruno"))
    assert "    Dear Anna,\n\n    first thing.\n    Second line.\n\n    Another thing.\n\n-- \n" in text and "Tel" not in text


def test_an_attachment_that_was_not_looked_at_is_told(table: Table) -> None:
    table.started()
    mail = email.message_from_bytes(table.write("red", "roll", answers=table.last("red")), policy=email.policy.default)
    mail.add_attachment("march Antigonos > Ephesos\n", filename="orders.txt")
    table.deliver(mail.as_bytes())
    table.run()
    text = " ".join(body(table.last("red", "received")).split())
    assert 'Your attachment (1 line, beginning "march Antigonos > Ephesos") was not looked at' in text
    assert table.did() == ["roll"]


def test_held_press_comes_with_the_next_report(table: Table) -> None:
    table.started()
    table.reply("blue", "press all held: fine weather")
    table.run()
    assert not any("fine weather" in body(one) for seat in PEOPLE if seat != "blue" for one in table.inbox(seat))
    table.reply("red", "roll\nend")
    table.run()
    assert "fine weather" in all_of(table.inbox("yellow"))
    text = all_of(table.inbox("red"))
    assert "fine weather" in text and "Bruno (Blue) writes" in text


def test_press_without_a_name_is_only_carried_where_the_game_allows_it(table: Table) -> None:
    table.started()
    table.reply("blue", "press all anonymous: guess who")
    table.run()
    assert "not allowed" in body(table.last("blue", "received"))
    with changed(table.game) as tray:
        tray.press.anonymous = True
    table.reply("blue", "press all anonymous: guess who")
    table.run()
    letter = table.last("red", "without a name")
    assert "Somebody writes:" in body(letter) and "Bruno" not in body(letter).split("-- ")[0]


# --- time ---------------------------------------------------------------------------------------------------------------


def test_silence_closes_a_window_when_its_time_has_come_and_a_reminder_came_before(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.waited(20)
    assert not any("still open" in one for one in table.subjects("blue"))
    table.waited(20)
    assert sum("still open" in one for one in table.subjects("blue")) == 1
    table.waited(6)
    assert sum("still open" in one for one in table.subjects("blue")) == 1
    table.later(hours=2)
    table.run()
    close = next(entry for entry in table.log() if "close" in entry)
    assert close["closed"] == "overdue" and close["silent"] == ["blue", "yellow"]


@pytest.mark.usefixtures("connected")
def test_a_clock_that_jumps_forward_fires_nothing_and_asks(table: Table) -> None:
    table.started()
    table.later(days=5)
    summary = table.run()
    assert "clock jumped forward" in summary.text() and not any("closed" in entry for entry in table.log())
    table.later(minutes=10)
    assert table.run().clock == "forward"
    table.run(clock_ok=True)
    assert table.run().clock == ""


@pytest.mark.usefixtures("connected")
def test_a_clock_that_goes_backward_fires_nothing(table: Table) -> None:
    table.started()
    table.later(hours=47, minutes=59)
    table.now = table.now.replace(second=0)
    table.config.folder.joinpath("state.json").write_text(
        table.config.folder.joinpath("state.json").read_text().replace("2026-11-18T", "2026-12-18T"))
    assert table.run().clock == "backward"


@pytest.mark.usefixtures("connected")
def test_a_mail_that_came_before_the_deadline_counts_although_we_polled_after_it(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.reply("blue", "pass")
    table.reply("yellow", "pass")
    table.later(hours=69)
    table.run(clock_ok=True)
    close = next(entry for entry in table.log() if "close" in entry)
    assert "silent" not in close


@pytest.mark.usefixtures("connected")
def test_without_a_good_poll_no_deadline_fires(table: Table) -> None:
    table.started()
    (table.folder / "password").write_text("wrong")
    for _ in range(3):
        table.later(hours=20)
        summary = table.run()
    assert summary.failed and not any("closed" in entry for entry in table.log())
    (table.folder / "password").write_text(PASSWORD)
    summary = table.run()
    assert not summary.failed


# --- several games in one mailbox ---------------------------------------------------------------------------------------


def test_the_token_tells_the_games_apart(table: Table) -> None:
    other = table.add("other")
    table.started()
    mails = {str(one["Subject"])[1:6]: one for one in table.inbox("red")}
    table.post("red", "roll", answers=mails["other"])
    table.run()
    assert table.did() == [] and [entry["do"] for entry in table.log(other) if "do" in entry] == ["roll"]


@pytest.mark.usefixtures("connected")
def test_one_mail_for_two_games_is_refused_kindly(table: Table) -> None:
    table.add("other")
    table.started()
    one, two = table.inbox("red")
    table.post("red", f"roll\n{token_of(two)}", answers=one)
    table.run()
    assert table.states() == ["refused"] and table.did() == []
    said = body(table.last("red", "[error] not taken")).replace("\n", " ")
    assert "more than one game" in said and "nothing of it was taken" in said and "as a reply to my last mail" in said
    table.post("red", "roll")
    table.run()
    said = body(table.last("red", "for which game?")).replace("\n", " ")
    assert "I cannot tell which one your mail is for" in said and "in the subject: [other]." in said
    table.post("red", "roll", subject="[other]")
    table.run()
    assert table.states() == ["refused", "refused", "confirm"]


@pytest.mark.usefixtures("connected")
def test_a_busy_game_is_left_for_the_next_run(table: Table) -> None:
    from pbem.base.folder import Lock

    table.started()
    table.reply("red", "roll")
    with Lock(table.game):
        summary = table.run()
    assert summary.busy == ["small"] and table.states() == ["received"]
    table.run()
    assert table.did() == ["roll"]


@pytest.mark.usefixtures("connected")
def test_a_giant_for_a_game_that_is_busy_waits_for_the_next_run(table: Table) -> None:
    table.started()
    table.config.limits["size"] = 2000
    table.reply("red", "roll\n" + "word by word\n" * 1000)
    with Lock(table.game):
        table.run()
    assert table.states() == ["received"]
    table.run()
    assert table.states() == ["refused"] and table.did() == []


def test_a_second_run_at_the_same_time_ends_with_busy(table: Table) -> None:
    from pbem.base.errors import PbemError
    from pbem.base.folder import Lock

    table.started()
    with Lock(table.config.folder), pytest.raises(PbemError) as problem:
        table.run()
    assert problem.value.key == "busy"


# --- others -------------------------------------------------------------------------------------------------------------


def test_no_mail_shows_what_its_reader_may_not_see(table: Table) -> None:
    """Blue's and Yellow's sealed answers are in nobody's mail before they are opened, nor that they were given."""
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    before = {seat: len(table.inbox(seat)) for seat in PEOPLE}
    table.reply("blue", "intercept Lysimachos with all")
    table.run()
    assert {seat: len(table.inbox(seat)) - number for seat, number in before.items()} == {
        "red": 0, "blue": 1, "yellow": 0, "black": 0}
    assert "yellow" not in body(table.last("blue", "received")).lower().replace("chiara (yellow)", "")


@pytest.mark.usefixtures("connected")
def test_observers_get_public_reports_and_may_leave(table: Table) -> None:
    with changed(table.game) as tray:
        tray.observers = ["fan@example.net"]
    table.started()
    assert [one.recipients for one in table.smtp.messages if one.recipients == ["fan@example.net"]]
    table.post("fan@example.net", "observe stop")
    table.run()
    assert table.desk().tray.observers == []


def test_a_standing_order_by_mail_answers_for_its_owner(table: Table) -> None:
    table.started()
    table.reply("blue", "standing: intercept Red into Ephesos with Lysimachos, all, once")
    table.run()
    assert "refused" not in body(table.last("blue", "received")) and "[error]" not in table.subjects("blue")[-1]
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.reply("yellow", "pass")
    table.run()
    close = next(entry for entry in table.log() if "close" in entry)
    assert close["answers"]["blue"].startswith("intercept Lysimachos")


# --- cards ----------------------------------------------------------------------------------------------------------------


def test_cards_of_several_in_one_poll_are_played_in_turn_order(table: Table) -> None:
    table.anew(cards=True, windows="held")
    table.reply("black", "status")
    table.reply("yellow", "play 58 as surprise on blue")
    table.later(minutes=1)
    table.reply("red", "play 57 as surprise on Antigonos")
    table.reply("red", "roll")
    table.run()
    assert [entry["by"] for entry in table.log() if "as surprise" in entry.get("do", "")] == ["red", "yellow"]
    assert set(table.states()) == {"applied"}


def test_a_card_in_a_mail_that_may_not_command_is_no_reason_to_wait(table: Table) -> None:
    table.anew(cards=True, windows="held")
    table.reply("yellow", "play 58 as surprise on blue")
    table.later(minutes=1)
    table.reply("red", "play 57 as surprise on Antigonos", sender="else@example.net")
    table.run()
    assert [entry["by"] for entry in table.log() if "as surprise" in entry.get("do", "")] == ["yellow"]


# --- standing orders ------------------------------------------------------------------------------------------------------


def said(table: Table, seat: str, line: str) -> str:
    """What the receipt of a request says."""
    table.reply(seat, line)
    table.run()
    return " ".join(body(table.last(seat, "received")).split())


def test_standing_orders_are_kept_tried_out_listed_and_taken_back_by_mail(table: Table) -> None:
    table.started()
    order = "intercept Red into Ephesos with Lysimachos, all, twice"
    assert "at once" in said(table, "blue", "reports at once")
    assert "Kept as your standing order 1" in said(table, "blue", f"standing: {order}")
    assert "it would not have answered anything. " in said(table, "yellow", "standing: pass on interception, always")
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    report = " ".join(body(table.last("blue", "orders for")).split())
    assert "Your standing order answered for you." in report
    assert "it would have answered once: T2.R1.red.3" in said(table, "yellow", "standing: pass on interception, twice")
    assert f"1 {order} - 1 time left" in said(table, "blue", "standing")
    assert "is taken back: intercept Red" in said(table, "blue", "standing: cancel 1")
    assert "you have no standing order 1" in said(table, "blue", "standing: cancel 1")
    assert not any("version" in one for one in table.subjects("blue")) and not standing.of(table.desk().tray, "blue")


def test_each_standing_order_of_a_list_has_a_line(table: Table) -> None:
    table.started()
    table.reply("blue", "standing: pass on interception, always\nstanding: withdraw\nstanding: list")
    table.run()
    mine = table.last("blue", "received")
    text = body(mine)
    assert "\n   1 pass on interception, always\n" in text and "\n   2 withdraw, once" in text and columns(mine) <= 72


# --- answers as people write them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lines", "read"), [
    ("B", "intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary"),
    ("b\na", "intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary else pass"),
    ("a if yellow passes\nb", "pass if Yellow passes else intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary"),
    ("b 1 loyal", "intercept Lysimachos from Sardeis with 1 loyal"),
])
def test_an_answer_is_sealed_as_it_was_read_and_told_so(table: Table, lines: str, read: str) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.reply("blue", lines)
    table.run()
    assert table.desk().tray.answer("T2.R1.red.3", "blue").text == read
    told = body(table.last("blue", "received"))
    assert f"sealed, read as: {read}; it is opened" in " ".join(told.split())
    assert told.index("Waiting for") < told.index("Keep this receipt"), "what is for a checker stands below"


def test_an_answer_that_nobody_understands_is_an_error_and_the_question_comes_again(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.reply("blue", "I think that one, please")
    table.run()
    assert table.subjects("blue")[-1].startswith("[error]") and "You may answer:" in body(table.last("blue", "received"))


def plainly(mail: EmailMessage) -> str:
    """What we wrote, as a mail program without manners appends it."""
    return "\n\n\n" + body(mail)


def test_a_question_that_comes_back_without_marks_is_no_answer(table: Table) -> None:
    table.started()
    first = table.last("red")
    table.post("red", "roll" + plainly(first), answers=first)
    table.run()
    assert table.did() == ["roll"] and "[error]" not in table.subjects("red")[-1]
    table.reply("red", "march Antigonos > Ephesos")
    table.run()
    asked = table.last("blue")
    table.post("blue", "b" + plainly(asked), answers=asked)
    table.run()
    assert table.desk().tray.answer("T2.R1.red.3", "blue").text.startswith("intercept Lysimachos")
    assert "[error]" not in table.subjects("blue")[-1]


def test_a_mail_that_answers_the_question_of_the_segment_before_counts_while_the_same_player_goes_on(table: Table) -> None:
    table.anew(position={**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards=True)
    first = table.last("red")
    table.post("red", "play 1 as ops\nend", answers=first)
    table.run()
    table.post("red", "roll", answers=first)
    table.run()
    assert table.did()[-1] == "roll" and table.states() == ["applied", "applied"]
