"""Whose word the private file keeps, and when nothing is left to keep."""

from pathlib import Path

import pytest
from small_game import SECRETS, found

from pbem.base.errors import NotNow
from pbem.log import gamelog, promise


def test_the_private_file_is_missed_until_the_deck_has_been_opened(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    game = gamelog.read_game(tmp_path / "g")
    promise.judge_private(game)
    (tmp_path / "g/private.yaml").unlink()
    assert promise.private_is_gone(game)
    with pytest.raises(NotNow, match="private gone"):
        promise.judge_private(game)
    gamelog.append(desk.folder, [{"open": {"deck_secret": SECRETS.deck.hex()}}])
    game = gamelog.read_game(tmp_path / "g")
    assert not promise.private_is_gone(game)
    promise.judge_private(game)


def test_a_published_copy_and_a_copy_of_the_log_alone_miss_nothing(tmp_path: Path) -> None:
    found(tmp_path / "g")
    head = tmp_path / "g" / promise.HEAD
    head.write_text("small: 1 entries\n")
    assert not promise.is_copy(tmp_path / "g")
    (tmp_path / "g" / gamelog.PRIVATE).unlink()
    game = gamelog.read_game(tmp_path / "g")
    assert promise.lacks_private(game) and promise.is_copy(tmp_path / "g") and not promise.private_is_gone(game)
    head.unlink()
    assert promise.private_is_gone(game)
    (tmp_path / "g" / gamelog.MIRROR).unlink()
    assert not promise.private_is_gone(game)


def test_a_game_that_promised_nothing_keeps_no_private_file(tmp_path: Path) -> None:
    for chance in ("", "chance: {beacon: none}\n"):
        (tmp_path / "game.yaml").write_text(
            f"game: x\nengine: 0.1.0\nrules: {{edition: fourth}}\nseats: {{red: {{name: Anna}}}}\n{chance}log:\n")
        promise.judge_private(gamelog.read_game(tmp_path))
