"""What comes by another way than mail: a request or orders of a seat, and where its orders go from a page of its own."""

from pathlib import Path

import pytest
from small_game import NOON, again
from table import PEOPLE, Unconnected

from pbem.base.errors import PbemError
from pbem.mail import config, entered


@pytest.fixture
def served(quiet: Unconnected, monkeypatch: pytest.MonkeyPatch) -> Unconnected:
    """The command line knows its mailbox."""
    monkeypatch.setenv("PBEM_MAIL", str(quiet.config.path))
    return quiet


def test_where_the_orders_of_a_seat_go_from_its_page(served: Unconnected) -> None:
    assert entered.way_back(served.game, "red") == {
        "address": "host@example.org", "reference": "",
        "subject": "Re: [small T2.R1.red.1] your turn: orders for the Activation Segment"}
    served.started()
    for place in (served.game, served.game / "game.yaml"):
        back = entered.way_back(place, "red")
        token = back["reference"].split()[-1]
        assert back["address"] == f"host+{token}@example.org" and back["subject"].startswith("Re: [small T2.R1.red.1")
    back = entered.way_back(served.game, "blue")
    assert back["subject"] == "" and back["address"].startswith("host+")


def test_without_a_mailbox_that_serves_the_game_a_page_has_no_way_back(
        quiet: Unconnected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_MAIL", str(tmp_path / "none.yaml"))
    assert entered.way_back(quiet.game, "red") == {} and entered.mailbox(quiet.game) is None
    (tmp_path / "other").mkdir()
    other = config.write(tmp_path / "other/mail.yaml", {**quiet.config.data, "games": ["elsewhere/*"]})
    monkeypatch.setenv("PBEM_MAIL", str(other.path))
    assert entered.mailbox(quiet.game) is None
    monkeypatch.setenv("PBEM_MAIL", str(quiet.config.path))
    found = entered.mailbox(quiet.game)
    assert found is not None and found.path == quiet.config.path


@pytest.mark.parametrize("write", [True, False])
def test_what_is_entered_for_a_seat_by_colour_or_name_counts_unless_it_is_only_tried(served: Unconnected, write: bool) -> None:
    served.started()
    for place, who in ((served.game, "Anna"), (served.game / "game.yaml", "red")):
        found = entered.answered(place, who, "press blue: hello\n/press", served.now, write=write)
        assert (found.seat, found.met) == ("red", True) and "Your letter goes to Blue" in found.answer
        served.later(seconds=1)
    served.run()
    assert sum("from Anna" in one for one in served.subjects("blue")) == (2 if write else 0)


@pytest.mark.parametrize(("text", "key"), [
    ("press blue: hello\n\nstatus", "letter_has_no_end"), ("press blue: hello\n/press\nmore", "letter_has_no_end"),
    ("roll", "no_request"), ("word salt", "word_not_tried")])
def test_what_cannot_be_entered_is_refused(quiet: Unconnected, text: str, key: str) -> None:
    with pytest.raises(PbemError) as problem:
        entered.answered(quiet.game, "red", text, quiet.now, write=False)
    assert problem.value.key == key


def test_only_of_a_letter_it_is_asked_where_it_ends(quiet: Unconnected) -> None:
    assert "taken back" in entered.answered(quiet.game, "red", "undo: the wrong way\n\nroll", quiet.now, write=False).answer


@pytest.mark.parametrize(("who", "key"), [("green", "unknown_name"), ("independent", "unknown_seat")])
def test_nobody_enters_anything_for_whom_is_no_player(quiet: Unconnected, who: str, key: str) -> None:
    with pytest.raises(PbemError) as problem:
        entered.answered(quiet.game, who, "status", quiet.now, write=True)
    assert problem.value.key == key


def test_of_a_letter_the_orders_are_taken_and_a_request_in_it_is_sent_its_own_way(quiet: Unconnected) -> None:
    desk = again(quiet.game, now=NOON)
    assert entered.orders_in(desk, "Anna", "Hello!\n\nroll\nend\n\nBest,\nAnna\n> end") == "roll\nend"
    with pytest.raises(PbemError) as problem:
        entered.orders_in(desk, "red", "roll\npress blue: hello\nthere\n/press")
    assert problem.value.key == "requests_apart" and problem.value.facts["requests"] == ["press blue: hello"]
    assert PEOPLE["red"] not in str(problem.value.facts)
