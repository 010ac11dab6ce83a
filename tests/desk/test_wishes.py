"""What players wish to have taken back: asked for, agreed to, carried out or refused."""

from pathlib import Path

import pytest
from small_game import at_window, found

from pbem.base.errors import NotNow, Refused
from pbem.desk import wishes


def test_a_wish_is_for_ones_own_last_deed_or_for_an_entry_that_stands(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    deeds = [number for number, entry in enumerate(desk.game.entries, 1) if entry.get("by") == "red"]
    assert wishes.survivors(desk) == list(range(1, len(desk.game.entries) + 1))
    assert wishes.wish(desk, "red", 0, "too early").entry == deeds[-1]
    with pytest.raises(NotNow, match="nothing to take back"):
        wishes.wish(desk, "blue", 0, "I have done nothing")
    made = wishes.wish(desk, "blue", deeds[0], "he rolled too early")
    assert (made.seat, made.entry, made.reason) == ("blue", deeds[0], "he rolled too early")
    assert [one.seat for one in wishes.all_open(desk)] == ["red", "blue"]
    with pytest.raises(Refused, match="no such entry"):
        wishes.wish(desk, "red", 99, "x")
    desk.undo(deeds[-1], "so be it", override=True)
    assert [one.seat for one in wishes.all_open(desk)] == ["blue"]      # what it was about is gone
    with pytest.raises(Refused, match="no such entry"):
        wishes.wish(desk, "red", deeds[-1], "once more")


def test_whose_consent_it_may_need_are_the_other_players(tmp_path: Path) -> None:
    """The roll has shown a die to all: nobody has to say yes to his own wish."""
    desk = at_window(tmp_path / "g")
    roll = next(number for number, entry in enumerate(desk.game.entries, 1) if entry.get("do", "").startswith("roll"))
    needed = desk.to_take_back(roll)[2]
    assert needed
    for seat in ("red", "blue"):
        assert wishes.wish(desk, seat, roll, "x").asked == [one for one in needed if one != seat]


def test_the_newest_wish_of_another_is_agreed_to_and_one_may_think_again(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    with pytest.raises(NotNow, match="no wish open"):
        wishes.agree(desk, "blue", True)
    red = wishes.wish(desk, "red", 2, "x")
    with pytest.raises(NotNow, match="no wish open"):
        wishes.agree(desk, "red", True)                                 # his own
    for seat, yes in (("blue", True), ("yellow", True), ("blue", False), ("black", False), ("black", True), ("black", True)):
        assert wishes.agree(desk, seat, yes) is red
    assert (red.agreed, red.against) == (["yellow", "black"], ["blue"])
    assert wishes.command(desk, red) == f"pbem undo {desk.folder} 2 --reason x --consent red --consent yellow --consent black"
    yellow = wishes.wish(desk, "yellow", 3, "my mistake's fruit")
    assert wishes.agree(desk, "blue", True) is yellow and wishes.agree(desk, "yellow", False) is red
    assert wishes.command(desk, yellow).endswith("""3 --reason 'my mistake'"'"'s fruit' --consent yellow --consent blue""")


def test_who_wishes_anew_wishes_that_alone_and_the_moderator_refuses_one(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "roll\nmarch Antigonos > Xanthos")
    for seat, entry in (("red", 2), ("blue", 2), ("red", 3)):
        wishes.wish(desk, seat, entry, "x")
    assert [(one.seat, one.entry) for one in wishes.all_open(desk)] == [("blue", 2), ("red", 3)]
    assert [one.seat for one in wishes.refuse(desk, 2)] == ["blue"]
    assert [(one.seat, one.entry) for one in desk.tray.wishes] == [("red", 3)]
    with pytest.raises(NotNow, match="no wish open"):
        wishes.refuse(desk, 2)
