"""From which entry a report tells, up to which, and to whom; the same in bare facts, as a ledger and for programs."""

from pathlib import Path

import pytest
from small_game import MARCH, Desk, again, at_window, found, go_on

from pbem.components.corrections import as_written
from pbem.desk import reporting
from pbem.desk.showing import PUBLIC
from pbem.table.events import Event

SURRENDER = {**MARCH, "segment": {"player": "red", "kind": "surrender"}, "spaces": {"halikarnassos": "blue", "sardeis": "blue"}}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Game Turn is over, and the first player turn of the next has begun."""
    folder = tmp_path_factory.mktemp("turn") / "g"
    desk = found(folder, {key: value for key, value in MARCH.items() if key != "segment"} | {"phase": "deal"})
    desk.ruling("A point for the host", adjust={"red": {"VP": 1}}, reason="as agreed")
    go_on(desk, 3)
    return folder


def began(desk: Desk) -> list[int]:
    return [number for number, event in desk.match.history if event.key == "player_turn_began"]


def keys(told: list[tuple[int, Event]]) -> list[str]:
    return [event.key for _, event in told]


# --- where it begins -----------------------------------------------------------------------------------------------


def test_the_last_turn_is_the_one_that_ended_while_another_goes_on(played: Path) -> None:
    desk = again(played)
    assert desk.match.g.phase == "strategy" and reporting.last_turn(desk) == began(desk)[-2]


def test_between_player_turns_and_after_the_end_it_is_the_one_that_began_last(played: Path) -> None:
    desk = again(played)
    turn_end = next(number for number, event in desk.match.history if event.key == "turn_began" and number > 1)
    between = desk.at(turn_end)
    assert between.match.g.phase != "strategy" and reporting.last_turn(between) == began(between)[-1]
    over = desk.at(None).trial("")
    over.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert reporting.last_turn(over) == began(over)[-1]


def test_before_anybody_has_ended_a_turn_a_report_tells_all_there_is(tmp_path: Path) -> None:
    """The rules that are played and the words for the dice too, though a player turn begins in the same entry."""
    for number, start in enumerate((MARCH, SURRENDER)):
        desk = found(tmp_path / str(number), start)
        assert reporting.last_turn(desk) == 1
        assert keys(reporting.heard(desk, PUBLIC, None)[1])[:2] == ["rules_in_force", "words_given"]
        assert "This game follows the 4th edition" in reporting.report(desk, PUBLIC, None, "text")


def test_the_next_report_begins_behind_what_was_posted_if_anything_has_happened_since(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    last = len(desk.game.entries)
    assert [reporting.since_posted(desk, posted) for posted in (0, 1, 2, 3, 4, last)] == [None, 2, 3, 4, None, None]
    desk.order("blue", "intercept Lysimachos from Sardeis")
    assert reporting.since_posted(desk, last) is None               # sealed: nobody has heard of anything


def test_a_turn_that_began_with_the_first_order_begins_with_its_name(tmp_path: Path) -> None:
    """What ended the turn before it in the same entry belongs to that turn."""
    desk = found(tmp_path / "g")
    desk.order("red", "end segment")
    assert began(desk) == [2]
    play_until(desk, 2)
    before, told = reporting.heard(desk, PUBLIC, None)
    assert reporting.last_turn(desk) == 2 and keys(told)[0] == "player_turn_began" and (2, "segment_began") in [
        (number, event.key) for number, event in before]


def play_until(desk: Desk, turns: int) -> None:
    """Everybody is silent until so many player turns have begun."""
    while len(began(desk)) < turns:
        question = desk.match.question
        assert question is not None and len(desk.game.entries) < 100
        if question.kind == "activation" and desk.match.g.movement_roll is None:
            desk.order(question.sides[0], "roll")
        else:
            desk.close(question.id, by="moderator")


# --- what is told --------------------------------------------------------------------------------------------------


def test_what_came_before_and_what_is_told_are_all_and_end_where_they_are_to_end(played: Path) -> None:
    desk = again(played)
    first = began(desk)[-2]
    before, told = reporting.heard(desk, PUBLIC, None)
    assert (told[0][0], told[0][1].key) == (first, "player_turn_began") and max(number for number, _ in before) == first
    _, till = reporting.heard(desk, PUBLIC, None, first + 1)
    assert {number for number, _ in till} <= {first, first + 1} and till == told[:len(till)] and len(till) < len(told)
    assert reporting.events_for(desk, PUBLIC, first + 2, first + 1) == []
    ended = reporting.events_for(desk, PUBLIC, first)    # whoever says from where hears what ended the turn before, too
    assert ended[-len(told):] == [event for _, event in told] and len(ended) > len(told)


def test_a_seat_hears_what_is_for_it_alone(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards={"red": ["57", "58"]})
    before = len(desk.game.entries)
    desk.order("red", "discard 57")
    own, other = (keys(reporting.heard(desk, reader, before + 1)[1]) for reader in ("red", "blue"))
    assert len(own) == len(other) + 1 and "card_drawn" in own and own != other


def test_a_question_goes_with_the_report_to_whoever_is_asked(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert "Do you intercept?" in reporting.report(desk, "blue", 1, "text")
    told = reporting.report(desk, "red", 1, "text")
    assert "Do you intercept?" not in told and "is not asked" not in told


def test_what_came_of_entries_stands_in_the_reports_own_sentences(played: Path) -> None:
    desk = again(played)
    first = began(desk)[-1]
    told = reporting.came_of(desk, PUBLIC, first)
    assert any("were dealt 5 cards each" in block for block in told), told
    assert reporting.came_of(desk, PUBLIC, len(desk.game.entries) + 1) == []
    assert all("<" in block for block in reporting.came_of(desk, PUBLIC, first, "html"))


def test_rulings_of_before_have_the_numbers_of_their_entries(played: Path) -> None:
    desk = again(played)
    assert "before this report: entry 2 of the log" in reporting.report(desk, PUBLIC, None, "text")
    assert "before this report" not in reporting.report(desk, PUBLIC, 1, "text")


def test_under_their_headings(played: Path) -> None:
    assert {"Anna (Red), round 1", "Game Turn III"} <= set(reporting.came_of(again(played), PUBLIC, 1))


def test_how_the_totals_went_is_told_when_the_game_is_over(played: Path) -> None:
    desk = again(played).trial("")
    assert "How VP and L went" not in reporting.report(desk, PUBLIC, None, "text")
    desk.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert "How VP and L went" in reporting.report(desk, PUBLIC, None, "text")


def test_a_report_for_a_forum_comes_in_as_many_posts_as_it_takes(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = again(played)
    monkeypatch.setattr("pbem.telling.formats.LONGEST_POST", 1000)
    text, posts = (reporting.posted(desk, PUBLIC, 1, fmt, whole=True) for fmt in ("text", "bgg"))
    assert text == reporting.report(desk, PUBLIC, 1, "text", whole=True)
    assert posts != reporting.report(desk, PUBLIC, 1, "bgg", whole=True) and "1/" in posts


def test_places_are_numbered_as_on_the_map_that_goes_along(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    with_map, without = (reporting.report(desk, PUBLIC, 1, "text", numbered=numbered) for numbered in (True, False))
    assert with_map != without


# --- facts ---------------------------------------------------------------------------------------------------------


def test_the_ledger_is_of_this_game_turn_unless_somebody_says_from_where(played: Path) -> None:
    desk = again(played)
    assert reporting.ledger(desk, PUBLIC, None) == "" and "Red" in reporting.ledger(desk, PUBLIC, 1)
    desk = desk.trial("")
    desk.ruling("A point for the guest", adjust={"blue": {"VP": 1}}, reason="as agreed")
    gain = reporting.ledger(desk, PUBLIC, None)
    assert "Blue" in gain and "Red" not in gain and "\n  " in gain and "\n   " not in gain


def test_the_ledger_of_a_game_turn_that_was_going_on_before_the_log_has_all_of_it(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.ruling("A point for the guest", adjust={"blue": {"VP": 1}}, reason="as agreed")
    play_until(desk, 3)
    assert reporting.last_turn(desk) > 2 and "Blue" in reporting.ledger(desk, PUBLIC, None)
    assert reporting.ledger(desk, PUBLIC, reporting.last_turn(desk)) == ""


def test_a_gain_that_no_act_has_brought_is_told_alone(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "forces": [{**MARCH["forces"][0], "generals": ["leonnatos"]}, *MARCH["forces"][1:]]})
    desk.amend(as_written([{"datum": "generals.leonnatos.legitimacy", "value": 4}]), "read off the card", yes=True)
    (gain,) = reporting.ledger(desk, PUBLIC, None).splitlines()
    assert gain == "Red +3 L"


def test_a_bare_fact_is_a_word_or_json(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert reporting.bare_facts(desk, PUBLIC, 2, 4).splitlines() == [
        '2 movement_rolled seat=red die=2 name="T2,R1,red,activation,movement,1" allowances={"antigonos": 3}',
        "4 activated general=antigonos seat=red",
        '4 marched seat=red general=antigonos generals=[] cus={"loyal": 2, "mercenary": 3} royals=[] origin=halikarnassos '
        "target=ephesos cost=1 left=2"]


def test_pieces_among_bare_facts_have_their_names(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    desk.order("blue", "intercept Lysimachos from Sardeis with 2 loyal")
    desk.order("yellow", "pass")
    assert 'pieces={"generals": [], "cus": [["loyal", 2]]' in reporting.bare_facts(desk, PUBLIC, 5)


def test_programs_read_the_view_and_the_events_with_their_sentences(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    data = reporting.report_data(desk, PUBLIC, 2, 2)
    assert [event["key"] for event in data["events"]] == ["movement_rolled"] and data["view"]["log"]["entries"] == 5
    assert data["events"][0]["text"].startswith("Red rolled a 2 for movement")
