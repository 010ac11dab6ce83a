"""An undo in a game by mail: everybody is told, what is asked again is another question, and its time begins anew."""

import re

import pytest
from table import PEOPLE, Table, body
from texts import flat

from pbem.desk.tray import lying
from pbem.mail import paste


@pytest.fixture
def undone(table: Table) -> Table:
    """Blue and Yellow have passed and Red goes on; then his march is taken back."""
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    for seat in ("blue", "yellow"):
        table.reply(seat, "pass")
    table.run()
    for _ in range(2):
        table.later(hours=20)
        table.run()
    march = next(number for number, entry in enumerate(table.log(), 1) if entry.get("do", "").startswith("march"))
    desk = table.desk()
    desk.undo(march, "wrong general", override=True)
    desk.commit()
    return table


def test_everybody_is_told_once(undone: Table) -> None:
    before = {seat: len(undone.inbox(seat)) for seat in PEOPLE}
    undone.run()
    for seat in PEOPLE:
        newest = undone.inbox(seat)[before[seat]:]
        told = " ".join(" ".join(map(body, newest)).split())
        assert len(newest) == 1 and re.search(r"were taken back by entry \d+ .*: wrong general", told)
    undone.run()
    assert {seat: len(undone.inbox(seat)) for seat in PEOPLE} == {seat: number + 1 for seat, number in before.items()}


def test_the_thread_is_told_too(undone: Table) -> None:
    desk = undone.desk()
    desk.enter({"seat": "black", "name": "Dora", "channel": "paste"})
    desk.commit()
    told = " ".join(paste.listed(undone.game, undone.now).split())
    assert re.search(r"were taken back by entry \d+ .*: wrong general", told)


def test_the_time_of_what_is_open_again_begins_anew(undone: Table) -> None:
    undone.run()
    assert undone.log()[-1]["ask"] == "T2.R1.red.2" and undone.log()[-1]["due"] > undone.now.strftime("%Y-%m-%dT%H:%MZ")
    undone.later(hours=20)
    undone.run()
    assert not any(entry.get("as") == "silent" for entry in undone.log())


def test_a_question_that_is_put_again_is_asked_and_reminded_of_again(undone: Table) -> None:
    undone.run()
    undone.reply("red", "march Antigonos > Ephesos")
    undone.run()
    assert undone.desk().match.question.id == "T2.R1.red.3"
    assert sum("T2.R1.red.3] your answer is wanted" in one for one in undone.subjects("blue")) == 2
    for _ in range(2):
        undone.later(hours=20)
        undone.run()
    assert "still open" in undone.subjects("blue")[-1]


def test_an_answer_to_the_first_one_is_none_to_the_second(undone: Table) -> None:
    old = undone.last("blue", "interception")
    undone.run()
    undone.reply("red", "march Antigonos > Ephesos")
    undone.run()
    undone.post("blue", "b", answers=old)
    undone.run()
    assert "T2.R1.red.3 is closed" in body(undone.last("blue", "not taken")) and not lying(undone.desk().tray.answers)
    undone.reply("blue", "b")
    undone.run()
    assert undone.desk().tray.answer("T2.R1.red.3", "blue").text.startswith("intercept")


def test_an_order_in_answer_to_a_question_from_before_does_not_count(undone: Table) -> None:
    undone.post("red", "end", answers=undone.last("red", "T2.R1.red.4"))
    undone.run()
    assert undone.states()[-1] == "refused" and "end segment" not in undone.did()


def test_a_turn_sent_ahead_on_a_report_from_before_is_told_the_present_state(undone: Table) -> None:
    old = [one for one in undone.inbox("black") if one["Reply-To"]][-1]
    undone.run()
    undone.post("black", "roll", answers=old)
    undone.run()
    assert undone.states()[-1] == "refused" and not undone.desk().waiting("black")
    assert "answers an older one of mine" in " ".join(body(undone.last("black")).split())
    undone.reply("black", "roll")
    undone.run()
    assert undone.desk().waiting("black") == ["roll"]


def test_who_had_answered_is_told_what_became_of_it_and_nobody_else(undone: Table) -> None:
    undone.run()
    for seat in PEOPLE:
        told = "Your answer to T2.R1.red.3 (pass) does not count any more" in flat(body(undone.last(seat)))
        assert told is (seat in ("blue", "yellow"))
    undone.post("blue", "status", answers=undone.last("blue"))
    undone.run()
    assert "does not count any more" not in body(undone.last("blue"))


def test_lines_that_waited_are_told_to_wait_for_their_senders_word(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos > Halikarnassos\nend")
    table.run()
    march = next(number for number, entry in enumerate(table.log(), 1) if entry.get("do", "").startswith("march"))
    desk = table.desk()
    desk.undo(march, "wrong general", override=True)
    desk.commit()
    table.run()
    text = flat(body(table.last("red")))
    assert "What you had sent before that (march Antigonos > Halikarnassos" in text and "waits for your word" in text
    assert table.did() == ["roll", "march Antigonos with 2 loyal, 3 mercenary > Ephesos"] and table.desk().is_held("red")


def test_in_a_thread_it_is_for_the_player_alone(undone: Table) -> None:
    desk = undone.desk()
    desk.enter({"seat": "blue", "name": "Bruno", "channel": "paste"})
    desk.commit()
    public, *alone = paste.listed(undone.game, undone.now).split("--- ")[1:]
    assert "does not count any more" not in public
    assert any("does not count any more" in flat(one) for one in alone)
    assert paste.listed(undone.game, undone.now).count("does not count any more") == 1
