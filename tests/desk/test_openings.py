"""Which cards everybody has seen, which of them are opened and when; and the openings of a hand, for its owner alone."""

from pathlib import Path
from typing import Any

import pytest
import small_game
from small_game import MARCH, again, found, go_on

from pbem.desk import openings
from pbem.desk.desk import Desk


def turned_up(game: Desk, *, finished: bool) -> dict[str, list[str]]:
    return openings.turned_up(game.game.entries, game.match, finished=finished)


def due(game: Desk) -> list[tuple[str, str]]:
    return [(entry["openings"]["deck"], card[1]) for entry in openings.due(game.game.entries, game.match, game.keys)
            for card in entry["openings"]["cards"]]


@pytest.fixture
def shown(tmp_path: Path) -> Desk:
    """Yellow has played a card, and somebody has drawn one."""
    game = found(tmp_path / "g", cards=True)
    game.order("yellow", "surprise 58 on Black")
    game.close(game.match.question.id, by="clock")
    return game


def test_a_card_is_opened_when_its_game_turn_or_the_game_is_over(shown: Desk) -> None:
    """Before that its place in the deck would tell when it was drawn."""
    assert turned_up(shown, finished=False) == {"adopted,2": ["58"]}
    assert turned_up(shown, finished=True) == {} and due(shown) == []
    shown.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert turned_up(shown, finished=True) == {"adopted,2": ["58"]} and due(shown) == [("adopted,2", "58")]
    for entry in openings.due(shown.game.entries, shown.match, shown.keys):
        shown.enter(entry)
    assert due(shown) == []


@pytest.mark.parametrize("entry", [
    {"rebase": "as the board stands", "position": {"turn": 2, "hands": {"red": 2}}},
    {"ruling": "as it lies at the table", "facts": {"deck": {"name": "main,2", "cards": ["1", "20"], "left": 2}}}])
def test_what_is_turned_up_after_cards_were_stated_comes_from_no_deck(shown: Desk, entry: dict[str, Any]) -> None:
    """Its place in the deck of before, where it lay too, is nobody's business; a hand of now was never promised either."""
    played = [*shown.game.entries, entry, {"by": "red", "do": "play 1 as event", "cards": [["play", "red", "1"]]}]
    assert openings.turned_up(played, shown.match, finished=False) == {"adopted,2": ["58"]}
    assert openings.hand(played, shown.match, shown.keys, "red") is None
    taken_back = [*played, {"undo": len(shown.game.entries) + 1}, played[-1]]
    assert openings.turned_up(taken_back, shown.match, finished=False) == {"adopted,2": ["58", "1"]}


def test_whoever_has_no_secrets_opens_nothing(shown: Desk) -> None:
    shown.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert due(again(shown.folder, published=True)) == []


def test_of_a_log_of_before_everybody_has_seen_what_all_were_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that was drawn its owner alone was told of."""
    usual = small_game.header()
    monkeypatch.setattr(small_game, "header", lambda: {**usual, "format": 2})
    game = found(tmp_path / "g", cards=True)
    game.order("yellow", "surprise 58 on Black")
    game.close(game.match.question.id, by="clock")
    told = [card for what, card in openings.shown_before(game.match) if what == openings.CARD]
    assert set(told) == {"58"} and game.match.g.secret.hand("black") == ("20",)


def test_a_hand_is_opened_from_the_deck_in_which_it_was_promised(shown: Desk) -> None:
    entry = openings.hand(shown.game.entries, shown.match, shown.keys, "red")
    assert entry is not None and entry["openings"]["deck"] == "adopted,2"
    assert {card[1] for card in entry["openings"]["cards"]} == {"1", "57"}


def test_who_holds_nothing_or_is_not_known_to_hold_anything_has_nothing_to_open(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards={"red": ["1"]})
    assert openings.hand(game.game.entries, game.match, game.keys, "blue") is None
    alone = again(tmp_path / "g", published=True)
    assert openings.hand(alone.game.entries, alone.match, alone.keys, "red") is None
    by_hand = found(tmp_path / "h", secrets=False, cards=True)
    assert openings.hand(by_hand.game.entries, by_hand.match, by_hand.keys, "red") is None


def test_a_deck_that_nobody_has_promised_has_nothing_to_open(shown: Desk) -> None:
    assert openings.opened_cards(shown.game.entries, shown.keys, "main,9", ["1"]) == []
    assert openings.opened_cards(shown.game.entries, None, "adopted,2", ["1"]) == []


# --- a deck that was shuffled -----------------------------------------------------------------------------------------


@pytest.fixture(params=[2, 3])
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Desk:
    """Yellow has played a card out of it; in the log of before no entry tells who drew."""
    usual = small_game.header()
    monkeypatch.setattr(small_game, "header", lambda: {**usual, "format": request.param})
    game = found(tmp_path / "g", {
        "turn": 2, "phase": "strategy", "round": 5, "turn_order": [*small_game.SEATS],
        "segment": {"player": "black", "kind": "activation"}, "forces": MARCH["forces"], "spaces": MARCH["spaces"]})
    go_on(game, 3)
    game.order("yellow", "surprise 58 on Black")
    game.close(game.match.question.id, by="clock")
    return game


def test_what_was_turned_up_out_of_a_deck_is_opened_at_the_end_of_its_game_turn(played: Desk) -> None:
    assert turned_up(played, finished=False) == {"main,3": ["58"]}
    assert turned_up(played, finished=True) == {} and due(played) == []
    entry = openings.hand(played.game.entries, played.match, played.keys, "red")
    assert entry is not None and entry["openings"]["deck"] == "main,3"
    assert {card[1] for card in entry["openings"]["cards"]} == {*played.match.g.secret.hand("red")}
    played.ruling("the year is over", abandon="phase", reason="a test")
    go_on(played, 4)
    assert turned_up(played, finished=True) == {"main,3": ["58"]} and due(played) == []
    (opened,) = [entry["openings"] for entry in played.game.entries if "openings" in entry]
    assert (opened["deck"], [card[1] for card in opened["cards"]]) == ("main,3", ["58"])
