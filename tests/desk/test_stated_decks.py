"""The cards of an adopted position are promised in its entry, so that they can be proved as if they had been dealt."""

from pathlib import Path
from typing import Any

import pytest
import small_game
from small_game import MARCH, SECRETS, again, header

from pbem.base.folder import Lock
from pbem.chance import scheme
from pbem.chance.check import CLOSED, FAILED
from pbem.desk.desk import Desk
from pbem.desk.tray import Cards, Tray, promised
from pbem.play.verify import verify


def adopted(folder: Path, cards: Cards | None, *, secrets: bool = True, **position: Any) -> Desk:
    """A game that begins with these cards, of which the position says so much."""
    tray = promised(SECRETS) if secrets else Tray()
    tray.cards = cards
    folder.mkdir()
    with Lock(folder):
        Desk.found(folder, small_game.header(), {**MARCH, **position}, tray)
    return again(folder)


def stated(desk: Desk) -> Any:
    return desk.game.entries[0].get("deck")


def test_the_order_is_hand_after_hand_then_the_table_then_the_deck_and_only_its_root_is_public(tmp_path: Path) -> None:
    cards = Cards({"blue": ["9"], "red": ["57", "1"], "black": []}, ["30", "20"], ["24"])
    game = adopted(tmp_path / "g", cards, hands={"red": 2, "blue": 1, "yellow": 0}, face_down=1)
    order = ["57", "1", "9", "24", "30", "20"]
    assert game.keys is not None and game.keys.orders == {"adopted,2": order} and game.tray.cards.orders == game.keys.orders
    root = scheme.Deck(game.keys.deck, "small", ("adopted", "2"), order).root.hex()
    assert stated(game) == {"name": "adopted,2", "cards": sorted(order), "root": root, "stated": "yes"}


def test_a_position_that_says_no_game_turn_has_the_deck_of_the_first(tmp_path: Path) -> None:
    start = {key: value for key, value in MARCH.items() if key != "turn"}
    tray = promised(SECRETS)
    tray.cards = Cards({}, ["20"])
    (tmp_path / "g").mkdir()
    with Lock(tmp_path / "g"):
        Desk.found(tmp_path / "g", header(), start, tray)
    assert stated(again(tmp_path / "g"))["name"] == "adopted,1"


@pytest.mark.parametrize(("cards", "position"), [
    (None, {}), (Cards(), {}),
    (Cards({"red": ["1"]}, ["20"]), {"hands": {"red": 2}}), (Cards({"red": ["1"]}, ["20"]), {"hands": {"blue": 1}}),
    (Cards({}, ["20"], ["24"]), {"face_down": 2}), (Cards({}, ["20"], ["24"]), {})])
def test_where_there_are_no_cards_or_others_than_the_position_counts_nothing_is_promised(
        tmp_path: Path, cards: Cards | None, position: dict[str, Any]) -> None:
    assert stated(adopted(tmp_path / "g", cards, **position)) is None


def test_what_nobody_has_secrets_for_is_not_promised(tmp_path: Path) -> None:
    assert stated(adopted(tmp_path / "g", Cards({}, ["20"]), secrets=False)) is None


def test_a_log_of_before_promised_no_cards_of_a_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = header()
    monkeypatch.setattr(small_game, "header", lambda: {**usual, "format": 2})
    assert stated(adopted(tmp_path / "g", Cards({}, ["20"]))) is None


def test_a_position_that_mends_a_running_game_leaves_its_deck_as_it_was_promised(tmp_path: Path) -> None:
    game = adopted(tmp_path / "g", Cards({"red": ["1"]}, ["20"]), hands={"red": 1})
    before = game.keys.orders
    (number, *_) = game.enter({"rebase": "from the photo", "position": {
        **MARCH, "hands": {"red": 1}, "deck": {"name": "adopted,2", "cards": ["1", "20"], "left": 1}}, "reason": "a photo"})
    assert "deck" not in game.game.entries[number - 1] and game.keys.orders == before
    game.enter({"note": "and on"})
    assert "deck" not in game.game.entries[-1]


def test_what_is_begun_with_again_has_a_name_of_its_own_unless_it_is_the_same(tmp_path: Path) -> None:
    game = adopted(tmp_path / "g", Cards({"red": ["1"]}, ["20"]), hands={"red": 1})
    names = []
    for hand in ("13", "14", "1", "13"):
        number = max(place for place, entry in enumerate(game.game.entries, 1) if "position" in entry)
        game.undo(number, "other cards were meant", override=True)
        game.tray.cards.hands["red"] = [hand]
        (number, *_) = game.with_cards().enter({"position": {**MARCH, "hands": {"red": 1}}})
        names.append(game.game.entries[number - 1]["deck"]["name"])
    assert names == ["adopted,2,2", "adopted,2,3", "adopted,2", "adopted,2,2"]
    assert again(tmp_path / "g").keys.orders == {
        "adopted,2": ["1", "20"], "adopted,2,2": ["13", "20"], "adopted,2,3": ["14", "20"]}
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert not {one.state for one in verify(tmp_path / "g")} & {CLOSED, FAILED}
