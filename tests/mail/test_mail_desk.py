"""One game during one run of the mailbox: under which names its questions are asked, what is worked out once."""

from datetime import timedelta
from pathlib import Path

import pytest
from small_game import MARCH, NOON, found
from table import Unconnected

from pbem.base.folder import Lock
from pbem.mail import speaking
from pbem.mail.desk import MailDesk


def names(desk: MailDesk) -> tuple[str, str, str]:
    return desk.window, desk.stretch, desk.open_as


def test_a_question_keeps_its_name_while_it_is_open(window: MailDesk) -> None:
    assert names(window) == ("T2.R1.red.3", "T2.R1.red.3", "T2.R1.red.3")
    window.enter({"note": "hello"})
    assert names(window) == ("T2.R1.red.3", "T2.R1.red.3", "T2.R1.red.3")
    for seat in ("blue", "yellow"):
        window.order(seat, "pass")
    window.run()
    assert names(window) == ("T2.R1.red.4", "T2.R1.red.4", "T2.R1.red.4")


def test_what_is_ordered_in_between_leaves_those_who_are_asked_under_their_window(tmp_path: Path) -> None:
    found(tmp_path / "g")
    desk = MailDesk(tmp_path / "g", now=NOON)
    desk.run()
    desk.order("red", "roll")
    assert names(desk) == ("T2.R1.red.1", "T2.R1.red.1", "T2.R1.red.2")


def test_what_one_seat_is_asked_with_nobody_else_between_is_one_stretch_though_its_window_is_another(tmp_path: Path) -> None:
    found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards=True)
    desk = MailDesk(tmp_path / "g", now=NOON)
    assert names(desk) == ("T2.R1.red.1", "T2.R1.red.1", "T2.R1.red.1"), "before it was put"
    desk.run()
    desk.order("red", "play 1 as ops\nend")
    desk.run()
    assert names(desk) == ("T2.R1.red.3", "T2.R1.red.1", "T2.R1.red.3")


SAILS = {**MARCH, "fleets": {"red": ["rhodos"]}, "mp": {"antigonos": 9}, "spaces": {**MARCH["spaces"], "rhodos": "red"}}


def test_who_passes_cards_that_lie_aside_is_asked_as_before_and_reminded(tmp_path: Path) -> None:
    """Where windows are held, sailing closes one at once: nobody else was asked, but what was on its way may be of before."""
    found(tmp_path / "g", SAILS, cards=True, windows="held")
    with Lock(tmp_path / "g"):
        desk = MailDesk(tmp_path / "g", now=NOON)
        desk.run()
        told = list[tuple[str, str, str]]()
        for line in ("embark Antigonos with 2 loyal", "sail Antigonos > Xanthos", "disembark Antigonos"):
            desk.order("red", line)
            desk.run()
            told.append(names(desk))
        desk.commit()
    (passed,) = [entry["close"] for entry in desk.game.entries if "close" in entry]
    assert told == [("T2.R1.red.1", "T2.R1.red.1", "T2.R1.red.2"), ("T2.R1.red.1", passed, "T2.R1.red.4"),
                    ("T2.R1.red.1", passed, "T2.R1.red.5")]
    for hours, is_due in ((12, False), (40, True)):
        late = MailDesk(tmp_path / "g", now=NOON + timedelta(hours=hours))
        assert late.match.question is not None
        assert speaking.reminder_due(late, "red", late.match.question) == is_due


def test_what_is_asked_again_after_an_undo_is_another_question(window: MailDesk) -> None:
    assert window.after_undo == ""
    place = next(number for number, entry in enumerate(window.game.entries, 1) if "march" in str(entry.get("do")))
    window.undo(place, "the wrong way", consent=list(window.match.seats), override=True)
    assert window.after_undo == "~1" and window.open_as.endswith("~1") and window.window == window.open_as.removesuffix("~1")


def test_where_nobody_is_asked_there_is_no_name(tmp_path: Path) -> None:
    found(tmp_path / "g")
    desk = MailDesk(tmp_path / "g", now=NOON)
    desk.match.table.question = None
    assert names(desk) == ("", "", "")


@pytest.mark.parametrize(("seat", "line", "is_later"), [
    ("blue", "pass", False), ("blue", "roll", True), ("blue", "", False), ("red", "", False), ("red", "roll", True),
    ("blue", "nonsense", False)])
def test_what_answers_no_open_question_is_for_later(window: MailDesk, seat: str, line: str, is_later: bool) -> None:
    assert window.is_for_later(seat, line) == is_later
    window.match.table.question = None
    assert window.is_for_later(seat, line) == (line in ("pass", "roll"))


def test_what_depends_on_the_position_is_worked_out_once_until_something_is_entered(window: MailDesk) -> None:
    made = []
    for number in range(2):
        assert window.once("x", lambda: made.append("x") or len(made)) == 1, number
    window.once("y", lambda: made.append("y"))
    window.enter({"note": "hello"})
    assert window.once("x", lambda: made.append("x") or len(made)) == 3 and made == ["x", "y", "x"]


def test_nothing_stands_on_the_disk_before_all_of_a_mail_is_done(tmp_path: Path) -> None:
    found(tmp_path / "g", MARCH)
    with Lock(tmp_path / "g"):
        desk = MailDesk(tmp_path / "g", now=NOON)
        desk.order("red", "roll")
        desk.dealt_with("m1", "applied")
        assert MailDesk(tmp_path / "g", now=NOON).became("m1") == ""
        desk.commit()
    again = MailDesk(tmp_path / "g", now=NOON)
    assert (again.became("m1"), again.became("m2"), again.addresses("red")) == ("applied", "", [])
    assert len(again.game.entries) == len(desk.game.entries)


def test_an_entry_that_changes_nothing_private_wants_to_be_written_as_well(window: MailDesk) -> None:
    window.commit()
    assert not window.is_changed
    window.enter({"note": "hello"})
    assert window.is_changed and window.commit() and not window.is_changed and not window.commit()


def test_two_replies_to_the_receipt_of_a_voyage_both_count(quiet: Unconnected) -> None:
    quiet.anew(position=SAILS, cards=True, windows="held")
    quiet.reply("red", "embark Antigonos with 2 loyal\nsail Antigonos > Xanthos")
    quiet.run()
    receipt = quiet.last("red", "received")
    for line in ("disembark Antigonos", "end activation"):
        quiet.post("red", line, answers=receipt)
        quiet.run()
    assert [entry["do"].split()[0] for entry in quiet.log() if "do" in entry] == ["embark", "sail", "disembark", "end"]
    assert quiet.states() == ["applied"] * 3
