"""Where a letter between players ends: where its sender says so, and he is asked where nobody else can know."""

import pytest
from table import PEOPLE, Table, all_of, body
from texts import flat

SWALLOWED = """press yellow: Let us march on Antigonos together.

standing: intercept Red into Ephesos with Lysimachos, all
absent 2026-12-01 to 2026-12-05
hand
"""


pytestmark = pytest.mark.without_servers


def letters(table: Table, seat: str) -> str:
    return flat("\n".join(body(one) for one in table.inbox(seat) if "from " in str(one["Subject"])))


def test_where_a_letter_could_end_nothing_is_sent_or_done_until_its_sender_has_said_so(table: Table) -> None:
    table.started()
    table.reply("blue", SWALLOWED)
    table.run()
    asked = body(table.last("blue", "confirm"))
    assert "a  The letter ends above these lines" in asked and "b  They belong to the letter too" in asked
    assert "    absent 2026-12-01 to 2026-12-05\n" in asked
    desk = table.desk()
    assert letters(table, "yellow") == "" and not desk.tray.absences and not desk.tray.standing
    assert table.states() == ["unclear"]


def test_requests_below_the_name_under_a_letter_are_no_signature(table: Table) -> None:
    table.started()
    table.reply("blue", "press yellow: hello\n\nBest,\nBruno\n\nabsent 2026-12-01 to 2026-12-05")
    table.run()
    assert "    absent 2026-12-01 to 2026-12-05\n" in body(table.last("blue", "confirm"))


def test_one_letter_cuts_it_and_all_is_done(table: Table) -> None:
    table.started()
    table.reply("blue", SWALLOWED)
    table.run()
    table.post("blue", "a", answers=table.last("blue", "confirm"))
    table.run()
    assert letters(table, "yellow").count("Let us march on Antigonos together.") == 1
    assert "absent" not in letters(table, "yellow") and "standing" not in letters(table, "yellow")
    desk = table.desk()
    assert desk.tray.absences["blue"] and len(desk.tray.standing) == 1
    receipt = flat(body(table.last("blue")))
    assert 'Your letter goes to Yellow: 1 line, ending "Let us march on Antigonos together.".' in receipt
    assert "The moderator let this mail through" not in receipt and table.states() == ["applied", "applied"]


def test_the_other_letter_says_that_all_of_it_is_the_letter(table: Table) -> None:
    table.started()
    table.reply("blue", SWALLOWED)
    table.run()
    table.post("blue", "B.", answers=table.last("blue", "confirm"))
    table.run()
    assert "absent 2026-12-01" in letters(table, "yellow") and not table.desk().tray.absences


def test_whoever_answers_something_else_is_told_what_is_wanted_and_orders_written_anew_count(table: Table) -> None:
    table.started()
    table.reply("red", "press blue: hello\n\nroll")
    table.run()
    asked = table.last("red", "confirm")
    table.post("red", "yes", answers=asked)
    table.run()
    assert '"a" or "b" alone' in flat(body(table.last("red", "not taken"))) and table.did() == []
    table.post("red", "status\nroll", answers=asked)
    table.run()
    assert table.did() == ["roll"] and letters(table, "blue") == ""


@pytest.mark.parametrize(("text", "sent"), [
    ("press yellow: hello\n\nhand\n/press\nstatus", "hello hand"),
    ("press yellow: hello\n\nBest,\nBruno\n/press\n\nstatus", "hello Best, Bruno"),
    ("press yellow: I march tomorrow.\n\nMarch with me to Ephesos, and help is near.\nHistory is on our side.\n\n"
     "Standing by, Bruno",
     "I march tomorrow. March with me to Ephesos, and help is near. History is on our side. Standing by, Bruno"),
    ("press yellow: my plan:\nmarch Lysimachos > Ephesos\nend", "my plan: march Lysimachos > Ephesos end"),
])
def test_a_letter_may_speak_of_marches_and_of_help(table: Table, text: str, sent: str) -> None:
    table.started()
    table.reply("blue", text)
    table.run()
    assert sent in letters(table, "yellow")
    assert table.states() == ["applied"] and "Waiting for" in body(table.last("blue", "received"))


def test_the_next_letter_ends_the_one_before_only_when_its_sender_says_so(table: Table) -> None:
    table.started()
    table.reply("blue", "press yellow: I trust you.\n\npress red: Yellow is a snake.\n/press")
    table.run()
    assert letters(table, "yellow") == letters(table, "red") == ""
    table.post("blue", "a", answers=table.last("blue", "confirm"))
    table.run()
    assert "snake" not in letters(table, "yellow") and "snake" in letters(table, "red")


def test_a_letter_without_text_is_not_sent(table: Table) -> None:
    table.started()
    table.reply("blue", "press yellow:\n\nhand")
    table.run()
    assert "    hand\n" in body(table.last("yellow", "from Bruno"))           # the first line of it may stand below
    table.reply("blue", "press yellow:\n/press\nhand")
    table.run()
    assert "no text in this letter" in flat(body(table.last("blue", "received")))


@pytest.mark.parametrize("answer", ["status", "roll"])
def test_quoting_any_of_our_texts_is_no_alarm(table: Table, answer: str) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos\nstanding: evade blue at Ephesos, always")
    table.run()
    for seat in PEOPLE:
        for mail in table.inbox(seat):
            if mail["Reply-To"]:
                table.post(seat, answer if seat == "red" else "status", answers=mail, quote=True)
    table.run()
    assert "reads like orders" not in flat(all_of([one for seat in PEOPLE for one in table.inbox(seat)]))


def test_orders_that_stand_in_a_quote_and_are_none_of_ours_are_still_told(table: Table) -> None:
    table.started()
    table.reply("red", "status\n\n> march Antigonos > Ephesos with 2 mercenary\n")
    table.run()
    assert "reads like orders" in flat(body(table.last("red", "received")))
