"""Several mails of one seat in one run, the same mail by two ways, answers before their question."""

import pytest
from table import HOST, Table, all_of, body
from test_time import asked_for_interception

pytestmark = pytest.mark.without_servers


def test_of_two_mails_to_the_same_turn_the_last_by_arrival_is_played_and_nothing_of_the_first(table: Table) -> None:
    table.started()
    first = table.last("red")
    table.post("red", "roll\nmarch Antigonos > Sardeis\npress blue: hello", answers=first)
    table.later(minutes=1)
    table.post("red", "status\nroll\nmarch Antigonos > Ephesos", answers=first)
    table.run()
    assert table.did() == ["roll", "march Antigonos with 2 loyal, 3 mercenary > Ephesos"]
    assert table.states() == ["applied", "applied"]
    assert "hello" in body(table.last("blue", "from")), "letters of both count"
    assert " ".join(all_of(table.inbox("red")).split()).count("the orders in this one change") == 1


def test_of_two_answers_the_last_counts_though_it_would_complete_the_question(table: Table) -> None:
    asked_for_interception(table.started())
    table.reply("yellow", "pass")
    table.run()
    table.reply("blue", "intercept Lysimachos with all")
    table.later(minutes=1)
    table.reply("blue", "pass")
    table.run()
    (close,) = [entry for entry in table.log() if "close" in entry]
    assert close["answers"] == {"blue": "pass", "yellow": "pass"}


def test_a_mail_for_another_moment_takes_nobodys_place(table: Table) -> None:
    asked_for_interception(table.started())
    table.reply("blue", "pass")
    table.later(minutes=1)
    table.reply("blue", "roll\nmarch Lysimachos > Kallipolis")
    table.run()
    assert table.desk().sealed(table.desk().match.question)["blue"] == "pass" and table.states()[-2:] == ["applied"] * 2


@pytest.mark.parametrize("forged", [{"sender": "phone@example.net"}, {
    "Authentication_Results": "mx.example.org; dmarc=fail header.from=example.com"}])
def test_a_later_mail_that_does_not_count_takes_nobodys_place(table: Table, forged: dict[str, str]) -> None:
    table.started()
    first = table.last("red")
    table.post("red", "roll", answers=first)
    table.later(minutes=1)
    table.post("red", "roll\nend", answers=first, **forged)
    table.run()
    assert table.did() == ["roll"] and sorted(table.states()) == ["applied", "held"]


def test_a_mail_that_came_by_two_ways_is_one(table: Table) -> None:
    table.started()
    asked = table.last("red")
    raw = table.write("red", "roll", answers=asked, Cc=HOST)
    for way in (b"Delivered-To: host+x@example.org\nReceived: by a.example.com; now\n", b"Received: by b.example.com; then\n"):
        table.deliver(way + raw)
        table.later(seconds=2)
    table.run()
    assert table.did() == ["roll"] and sorted(table.states()) == ["applied", "duplicate"]
    assert sum("received" in one for one in table.subjects("red")) == 1
    table.deliver(b"Received: by c.example.com; later\n" + raw)
    table.run()
    assert sorted(table.states()) == ["applied", "duplicate", "duplicate"] and table.did() == ["roll"]


@pytest.mark.parametrize("text", ["pass", "No.", "no thanks", "none"])
def test_a_bare_answer_before_there_is_a_question_answers_none(table: Table, text: str) -> None:
    table.started()
    table.reply("blue", text)
    table.run()
    asked_for_interception(table)
    assert "blue" not in table.desk().sealed(table.desk().match.question)
    if text == "pass":
        assert "alone answers a question that stands above it" in " ".join(body(table.last("blue", "received")).split())
