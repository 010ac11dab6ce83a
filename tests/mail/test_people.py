"""Somebody else takes a seat: the new one is asked, the old one gets nothing any more."""

import shutil

import pytest
from at_the_shell import said
from click.testing import CliRunner
from table import PEOPLE, Table, Unconnected, body

from pbem.cli.main import main
from pbem.desk import beginning
from pbem.mail import outbox, people, status
from pbem.mail.outbox import Outbox

NEW = "gero@example.com"


def taken(table: Table, *more: str) -> str:
    done = CliRunner().invoke(main, ["seat", str(table.game), "blue", "--name", "Gero", *more])
    assert done.exit_code == 0, done.output
    return done.output


def asked(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()


def to(table: Table, address: str) -> list[bytes]:
    return [one.data for one in table.smtp.messages if one.recipients == [address]]


def test_the_new_person_gets_the_open_question_and_the_old_one_nothing(table: Table) -> None:
    asked(table)
    old = table.last("blue")
    assert NEW in taken(table, "--mail", NEW)
    before = len(to(table, PEOPLE["blue"]))
    table.run()
    assert len(to(table, PEOPLE["blue"])) == before and any(b"T2.R1.red.3" in one for one in to(table, NEW))
    table.post("blue", "hand", answers=old)
    table.run()
    assert len(to(table, PEOPLE["blue"])) == before and table.states()[-1] == "held"
    table.post("blue", "pass", answers=old, sender=NEW)
    table.run()
    assert table.states()[-1] == "applied" and len(to(table, PEOPLE["blue"])) == before
    table.waited(40)
    assert sum(b"still open" in one for one in to(table, NEW)) <= 1 and len(to(table, PEOPLE["blue"])) == before


def test_without_an_address_nobody_is_written_to(table: Table) -> None:
    asked(table)
    assert "has no address now" in taken(table)
    before = len(to(table, PEOPLE["blue"]))
    table.reply("red", "status")
    table.waited(6)
    assert len(to(table, PEOPLE["blue"])) == before


def test_what_lay_in_the_outbox_for_the_old_one_is_not_sent(table: Table) -> None:
    table.started()
    table.smtp.messages.clear()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.poll()
    taken(table, "--mail", NEW)
    table.run()
    assert to(table, PEOPLE["blue"]) == [] and len(to(table, NEW)) == 1
    dropped = [one for one in Outbox(table.game / "out").past() if one.to == PEOPLE["blue"] and one.window == "T2.R1.red.3"]
    assert {one.state for one in dropped} == {"dropped"}


def test_other_changes_of_a_seat_leave_its_address(table: Table) -> None:
    table.started()
    done = CliRunner().invoke(main, ["seat", str(table.game), "blue", "--zone", "Europe/Berlin"])
    assert done.exit_code == 0 and table.desk().addresses("blue") == [PEOPLE["blue"]]


def test_the_first_mail_says_what_this_is_and_status_shows_of_whom_nothing_has_come(table: Table) -> None:
    table.started()
    what, who, how, helps, spam, nothing, *_ = body(table.last("red")).splitlines()
    assert 'The table "small"' in what and "You are Red" in what and "Bruno (Blue)" in who
    assert "Reply" in how and "letter" in how and '"help"' in helps and "spam" in spam and not nothing
    assert all(len(line) <= 76 for line in (what, who, how, helps, spam))
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    assert ["The table " in body(one) for one in table.inbox("red")][:2] == [True, False]
    assert "The table " in body(table.inbox("blue")[0])
    shown = status.text(table.config, table.config.games())
    assert "no mail has come yet from Blue, Yellow and Black" in shown
    table.reply("blue", "status")
    table.run()
    assert "no mail has come yet from Yellow and Black" in status.text(table.config, table.config.games())
    taken(table, "--mail", NEW)
    table.run()
    assert b"The table " in to(table, NEW)[0]


def test_before_it_begins_every_seat_is_asked_to_answer_and_who_has_not_is_shown(table: Table) -> None:
    shutil.rmtree(table.game)
    seats = {seat: {"name": seat.title()} for seat in PEOPLE}
    beginning.found(table.game, "small", seats, {}, by_hand=True, words_until="", write=True)
    for seat, address in PEOPLE.items():
        people.addresses(table.game, seat, [address])
    table.run()
    table.run()
    for seat in PEOPLE:
        (first,) = table.inbox(seat)
        assert "reply once with" in " ".join(body(first).split())
    table.reply("red", "status")
    table.reply("blue", "status")
    table.run()
    assert "no mail has come yet from Yellow and Black" in status.text(table.config, table.config.games())
    position = table.folder / "position.yaml"
    position.write_text("turn: 2\nsegment: {player: red, kind: activation}\n")
    done = CliRunner().invoke(main, ["begin", str(table.game), "--position", str(position), "--dry-run"])
    assert done.exit_code == 0 and "No mail has come yet from Yellow and Black" in " ".join(done.output.split()), done.output


# --- where a seat is written to ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["anna", "anna@example@com", "änna@example.com", "anna @example.com", "<anna@example.com"])
def test_what_is_no_bare_address_is_refused_and_changes_nothing(quiet: Unconnected, address: str) -> None:
    assert address in said("mail", "address", quiet.game, "red", address, code=1)
    assert address in said("mail", "observer", quiet.game, address, code=1)
    assert quiet.desk().addresses("red") == [PEOPLE["red"]] and quiet.desk().tray.observers == []


def test_a_second_person_on_a_seat_is_no_new_one(quiet: Unconnected) -> None:
    quiet.started()
    before = len(quiet.inbox("red"))
    said("mail", "address", quiet.game / "game.yaml", "red", PEOPLE["red"], NEW)
    quiet.run()
    assert len(quiet.inbox("red")) == before and "red" in quiet.desk().mail.welcomed
    assert "the seats are Red, Blue, Yellow and Black" in said("mail", "address", quiet.game, "purple", NEW, code=1)


def test_who_watches_is_entered_once_and_his_wish_is_settled(quiet: Unconnected) -> None:
    quiet.started()
    quiet.reply("red", "observe fan@example.net")
    quiet.run()
    assert quiet.desk().mail.observers_asked == ["fan@example.net"]
    for address in ("other@example.net", "fan@example.net", "Fan@example.net"):
        assert quiet.desk().mail.observers_asked == ([] if address == "Fan@example.net" else ["fan@example.net"])
        said("mail", "observer", quiet.game, address)
    assert quiet.desk().mail.observers_asked == [] and quiet.desk().tray.observers == ["other@example.net", "Fan@example.net"]
    said("mail", "observer", quiet.game, "fan@example.net", "--remove")
    assert quiet.desk().tray.observers == ["other@example.net"]


def test_only_what_waits_for_the_one_before_on_this_seat_is_dropped_and_who_is_new_is_asked(quiet: Unconnected) -> None:
    quiet.started()
    quiet.reply("red", "roll\nmarch Antigonos > Ephesos")
    quiet.poll()
    said("seat", quiet.game, "blue", "--name", "Gero", "--mail", NEW)
    box = outbox.of_game(quiet.game)
    assert [one.to for one in box.unsent() if one.window] == [PEOPLE["yellow"]]
    assert [one.to for one in box.past() if one.state == "dropped"] == [PEOPLE["blue"]]
    quiet.run()
    assert [one.state for one in outbox.of_game(quiet.game).past() if one.to == NEW and one.window] == ["sent"]


def test_who_is_new_at_an_address_is_asked_though_nothing_has_happened(quiet: Unconnected) -> None:
    quiet.started()
    quiet.reply("red", "roll\nmarch Antigonos > Ephesos")
    quiet.run()
    for number, address in enumerate((NEW, "next@example.com"), 1):
        said("mail", "address", quiet.game, "blue", address)
        quiet.run()
        assert quiet.desk().mail.people == {"blue": number}
        assert [one.state for one in outbox.of_game(quiet.game).past() if one.to == address and one.window] == ["sent"]
