"""The log in words: what each entry says, what was taken back, which one is meant, what has changed between two."""

import json
from pathlib import Path

import pytest
from at_the_shell import said
from small_game import NOON, again, at_window, found

from pbem.base.errors import Refused
from pbem.desk import annals
from pbem.log.entries import TOLD


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())


@pytest.fixture
def game(tmp_path: Path) -> Path:
    desk = at_window(tmp_path / "g")
    desk.order("blue", "intercept Lysimachos from Sardeis with all")
    desk.order("yellow", "pass")
    desk.run()
    return tmp_path / "g"


def flat(text: str) -> str:
    return " ".join(text.split())


def numbers(text: str) -> list[int]:
    return [int(line.split()[0]) for line in text.splitlines() if line[:1].isdigit()]


def test_every_entry_stands_in_the_log_with_what_came_of_it(game: Path) -> None:
    text = said("log", game)
    assert numbers(text) == list(range(1, len(again(game).game.entries) + 1))
    assert "order (Red): roll Red rolled a" in flat(text)
    assert "Blue: intercept Lysimachos from Sardeis" in flat(text) and "Lysimachos (Blue)" in flat(text)
    for row in annals.rows(again(game)):
        assert len(flat(said("log", game, "--since", row.number))) > 5
    assert max(map(len, text.splitlines())) <= 80


def test_filters(game: Path) -> None:
    by = {row.number: row for row in annals.rows(again(game))}
    assert numbers(said("log", game, "--seat", "Bruno")) == [n for n, row in by.items() if "blue" in row.seats] != []
    assert numbers(said("log", game, "--kind", "by")) == [n for n, row in by.items() if row.kind == "by"] != []
    assert numbers(said("log", game, "--turn", 2)) == list(by)
    assert "No entry" in said("log", game, "--turn", 3)
    said("posted", game, 3)
    assert numbers(said("log", game, "--since", "last")) == [n for n in by if n > 3]
    assert "there are position, by" in flat(said("log", game, "--kind", "nonsense", code=2))


def test_what_was_taken_back_is_marked_and_told_once_where_it_was(game: Path) -> None:
    last = len(again(game).game.entries)
    said("undo", game, "march Antigonos", "--reason", "wrong road", "--override")
    rows = {row.number: row for row in annals.rows(again(game))}
    assert [n for n, row in rows.items() if row.undone] == list(range(4, last + 1))
    assert {rows[n].undone for n in range(4, last + 1)} == {last + 1}
    told = flat(said("report", game))
    sentence = f"Entries 4 to {last} were taken back by entry {last + 1} (Wed 18 Nov, 12:00 UTC): wrong road"
    assert told.count(sentence) == 1 and "rulings and corrections" not in told.casefold()
    assert told.index("for movement") < told.index(sentence)
    said("order", game, "red", "march Antigonos > Ephesos")
    later = flat(said("report", game, "--since", last + 2))
    assert "wrong road" not in later
    assert f"### Rulings and corrections - before this report: entry {last + 1} of the log." in later
    assert sentence in flat(said("report", game, "--since", last + 2, "--whole"))


def test_the_last_act_is_meant_whatever_was_written_because_of_it(game: Path) -> None:
    desk = again(game)
    entries = desk.game.entries
    assert "ask" in entries[-1]
    number = annals.meant(desk, "last")
    assert "close" in entries[number - 1] and all("ask" in one for one in entries[number:])
    desk.undo(number, "a slip", override=True)
    before = again(game)
    again_meant = annals.meant(before, "last")
    assert "do" in before.game.entries[again_meant - 1] and again_meant < number


@pytest.mark.parametrize(("text", "key"), [
    ("Antigonos", "entries_show"), ("Babylon", "no_entry_shows"), ("a", "no_entry_shows"), ("", "no_entry_shows"),
    ("-3", "no_entry_shows"), ("T2.R1.red.1", "no_entry_shows")])
def test_words_that_mean_no_entry_or_several(game: Path, text: str, key: str) -> None:
    with pytest.raises(Refused) as problem:
        annals.meant(again(game), text)
    assert problem.value.key == key


def test_nothing_to_take_back(tmp_path: Path) -> None:
    found(tmp_path / "g")
    assert "nobody has done anything" in flat(said("undo", tmp_path / "g", "last", "--reason", "x", code=1))


def test_the_position_of_two_entries_side_by_side(game: Path) -> None:
    text = said("diff", game, 3, 4)
    assert "- Halikarnassos (Major City, port): Red; R 5 Antigonos (3m 2L)." in text or "- Halikarnassos" in text
    assert "+ Ephesos" in text and "Pella" not in text
    data = json.loads(said("diff", game, 3, 4, "--json"))
    assert {row["path"] for row in data["changes"]} == {"forces.halikarnassos.red", "forces.ephesos.red"}
    assert "is that after entry" in said("diff", game, 4, 4)
    assert json.loads(said("diff", game, 4, 4, "--json"))["changes"] == []
    assert "there is no entry 99" in flat(said("diff", game, 1, 99, code=1))


def test_the_log_for_programs(game: Path) -> None:
    data = json.loads(said("log", game, "--json"))
    assert [row["number"] for row in data["entries"]] == list(range(1, data["last"] + 1))
    assert {row["kind"] for row in data["entries"]} <= set(TOLD)
    assert data["head"] == again(game).game.heads()[-1]
