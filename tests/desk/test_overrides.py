"""Corrected data are part of the public game: taken in by an entry; a changed file or line is told by the next command."""

from pathlib import Path

import pytest
from at_the_shell import said
from small_game import found
from texts import flat

from pbem.base.errors import PbemError, Refused
from pbem.desk.desk import Desk
from pbem.desk.showing import sentence
from pbem.log.gamelog import read_game

SEATS = ["--seat", "red=Anna", "--seat", "blue=Bruno", "--seat", "yellow=Chiara"]
LIST = "- {datum: generals.antigonos.initiative, value: 4, src: box}\n"


def initiative(game: Path) -> int:
    return int(Desk(game).match.g.generals["antigonos"].initiative)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    said("new", tmp_path / "g", *SEATS, "--box", "none")
    (tmp_path / "g/overrides.yaml").write_text(LIST)
    said("begin", tmp_path / "g")
    return tmp_path / "g"


def test_a_beginning_takes_them_in_and_the_report_tells_them(game: Path) -> None:
    entry = next(one for one in read_game(game).entries if "amend" in one)
    assert entry["amend"][0]["datum"] == "generals.antigonos.initiative" and len(entry["overrides"]) == 64
    assert "generals.antigonos.initiative" in said("report", game, "--since", 1)
    assert "overrides.yaml" not in said("status", game).replace("(reason: overrides.yaml)", "")
    assert initiative(game) == 4
    said("verify", game, code=3)


@pytest.mark.parametrize("command", [["status"], ["report"], ["note", "hello"], ["log"], ["map", "--text", "Lydia"]])
def test_a_changed_or_deleted_file_is_told_by_the_next_command_and_changes_nothing(game: Path, command: list[str]) -> None:
    file = game / "overrides.yaml"
    file.write_text(LIST.replace("4", "2"))
    assert flat(said(command[0], game, *command[1:])).count("is not what the log took in") == 1
    assert initiative(game) == 4
    file.unlink()
    assert flat(said(command[0], game, *command[1:])).count("overrides.yaml is gone") == 1
    assert initiative(game) == 4


def test_a_newer_file_counts_from_the_entry_that_takes_it_in(game: Path) -> None:
    (game / "overrides.yaml").write_text(LIST.replace("4", "2"))
    before = len(read_game(game).entries)
    said("amend", game, "--overrides", "--yes")
    assert initiative(game) == 2 and len(read_game(game).entries) > before
    assert Desk(game).at(before).match.g.generals["antigonos"].initiative == 4
    assert "overrides.yaml is" not in said("status", game)
    said("verify", game, code=3)


@pytest.mark.parametrize("reason", ["", "read off the card"])
def test_what_is_not_there_or_taken_in_already_is_not_taken_in(tmp_path: Path, reason: str) -> None:
    desk = found(tmp_path / "g")
    with pytest.raises(Refused, match="nothing to amend"):
        desk.take_in(reason)
    (tmp_path / "g/overrides.yaml").write_text(LIST)
    desk = Desk(tmp_path / "g")
    (number, *_) = desk.take_in(reason, yes=True)
    told = desk.game.entries[number - 1]
    assert told["reason"] == (reason or "overrides.yaml") and [one["value"] for one in told["amend"]] == [4]
    with pytest.raises(Refused, match="nothing to amend"):
        Desk(tmp_path / "g").take_in(reason)


def test_a_file_that_differs_in_its_blanks_alone_is_the_same(game: Path) -> None:
    (game / "overrides.yaml").write_text("# from the box\n" + LIST.replace(", ", ",  "))
    assert "overrides.yaml is" not in said("status", game)


def test_a_game_of_before_still_opens_and_is_told_how_to_bind_its_file(tmp_path: Path) -> None:
    found(tmp_path / "g")
    (tmp_path / "g/overrides.yaml").write_text(LIST)
    assert initiative(tmp_path / "g") == 4
    assert "is in no head of the log yet" in flat(said("status", tmp_path / "g"))
    said("amend", tmp_path / "g", "--overrides")
    assert "overrides.yaml is" not in said("status", tmp_path / "g") and initiative(tmp_path / "g") == 4
    (tmp_path / "g/overrides.yaml").unlink()
    assert initiative(tmp_path / "g") == 4 == Desk(tmp_path / "g").at(1).match.g.generals["antigonos"].initiative


def test_a_file_that_corrects_nothing_or_waits_for_the_beginning_is_no_complaint(tmp_path: Path) -> None:
    found(tmp_path / "g")
    (tmp_path / "g/overrides.yaml").write_text("# nothing yet\n")
    said("new", tmp_path / "h", *SEATS, "--box", "none")
    (tmp_path / "h/overrides.yaml").write_text(LIST)
    for game in (tmp_path / "g", tmp_path / "h"):
        assert "is in no head" not in flat(said("status", game))


def test_a_line_that_was_changed_by_hand_is_told_at_once_and_accepted_in_public(game: Path) -> None:
    said("note", game, "see you at noon")
    file = game / "game.yaml"
    number = len(read_game(game).entries)
    file.write_text(file.read_text().replace("at noon", "at nine"))
    for command in (["status"], ["report"], ["log", "--kind", "note"]):
        told = flat(said(command[0], game, *command[1:]))
        assert f"entry {number} (line" in told and "see you at noon" in told
    said("amend", game, "--accept", number, "--reason", "a slip of the keyboard")
    told = flat(said("report", game, "--since", number))
    assert f"Entry {number} was changed by hand" in told and "slip of the keyboard" in told and "is not as it was" not in told


def test_a_correction_of_the_file_that_nothing_is_corrected_by_is_told_with_its_line(tmp_path: Path) -> None:
    """A game of before, whose file no entry took in."""
    game = found(tmp_path / "g").folder
    (game / "overrides.yaml").write_text("- {datum: generals.antigonus.battle, value: 4}\n")
    with pytest.raises(PbemError) as caught:
        Desk(game)
    assert sentence(caught.value).startswith("overrides.yaml, line 1: ") and "antigonos" in sentence(caught.value)
