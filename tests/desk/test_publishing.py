"""The public copy: what publishing writes besides it, and what it looks for before."""

from datetime import timedelta
from pathlib import Path

import pytest
import small_game
from small_game import NOON, SECRETS, again, found

from pbem.base.folder import Lock
from pbem.chance import beacon, scheme
from pbem.desk import beginning, publishing
from pbem.desk.desk import Desk
from pbem.log import gamelog


def test_openings_that_are_due_are_written_into_the_log_unless_one_only_looks(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("yellow", "surprise 58 on Black")
    game.close(game.match.question.id, by="clock")
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    before = len(game.game.entries)
    assert publishing.publish(game.folder, tmp_path / "copy", write=False).opened == 1
    assert len(again(game.folder).game.entries) == before and not (tmp_path / "copy").exists()
    assert publishing.publish(game.folder, tmp_path / "copy").opened == 1
    assert "openings" in again(game.folder).game.entries[-1] and "openings" in gamelog.read_game(tmp_path / "copy").entries[-1]
    assert publishing.publish(game.folder, tmp_path / "copy").opened == 0


def test_overrides_that_are_there_still_are_not_taken_away(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    (game.folder / gamelog.OVERRIDES).write_text("[]\n")
    for _ in range(2):
        assert publishing.publish(game.folder, tmp_path / "copy").removed == []
    assert (tmp_path / "copy" / gamelog.OVERRIDES).exists()


def test_a_game_with_dice_from_a_table_has_no_numbers_to_look_for(tmp_path: Path) -> None:
    game = found(tmp_path / "g", secrets=False)
    assert list(publishing.secret_numbers(game)) == [] and publishing.publish(game.folder, tmp_path / "copy").written


def test_where_the_deck_alone_is_open_every_link_is_looked_for(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.enter({"open": {"deck_secret": SECRETS.deck.hex()}})
    links = [leak.of for leak, _ in publishing.secret_numbers(game) if leak.what == "dice_secret"]
    assert links == list(range(1, 13))


def test_an_address_is_private_also_where_something_is_counted_by_it() -> None:
    assert list(publishing.private_texts({"mail": {"sent": {"anna@example.org": 3, "red": 2}}})) == [
        ("mail.sent", "anna@example.org")]


def test_whoever_is_called_by_his_address_may_be_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log says it itself."""
    for name, found_out in (("anna@example.org", []), ("Anna", [publishing.Leak("private_text", "addresses.red")])):
        monkeypatch.setattr(small_game, "SEATS", {**small_game.SEATS, "red": {"name": name}})
        game = found(tmp_path / name)
        game.tray.addresses = {"red": ["anna@example.org"]}
        assert list(publishing.leaks(game, f"{game.game.text}# anna@example.org")) == found_out


def test_what_the_beacon_has_not_made_yet_is_not_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of its numbers goes into the deck and the first dice, another one into those of each other Game Turn."""
    monkeypatch.setenv("PBEM_NOW", f"{NOON:%Y-%m-%dT%H:%MZ}")
    first = beacon.first_after("quicknet", NOON + timedelta(hours=2))
    beginning.found(tmp_path / "g", "lit", {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}}, {"edition": "fourth"},
                    by_hand=False, words_until="", write=True, beacon=str(first))

    def looked_for() -> set[publishing.Leak]:
        return {leak for leak, _ in publishing.secret_numbers(Desk(tmp_path / "g")) if leak.what != "dice_secret"}

    assert looked_for() == {publishing.Leak("deck_secret")}
    with Lock(tmp_path / "g"):
        Desk(tmp_path / "g", now=first.at).hear(first.number, scheme.H(b"the first").hex())
    assert looked_for() == {publishing.Leak("deck_secret"), publishing.Leak("deck_key"), publishing.Leak("dice_key", 1)}
