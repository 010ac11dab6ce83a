"""The public copy: what publishing writes besides it, and what it looks for before."""

from pathlib import Path

from small_game import SECRETS, again, found

from pbem.desk import publishing
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
