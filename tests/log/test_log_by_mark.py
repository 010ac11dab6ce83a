"""A log that is read from its mark on says of itself what all of it says."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.base.errors import BadLog
from pbem.desk import marking
from pbem.log import gamelog, undo
from pbem.log import mark as marks
from pbem.log.gamelog import GameFile

HEADER = {"game": "g", "engine": "1", "format": 3, "rules": {"edition": "fourth"}, "seats": {"red": {"name": "Anna"}}}
BEFORE: list[dict[str, Any]] = [
    {"announce": 1, "at": "2026-12-01T18:00Z"}, {"note": "two"}, {"note": "three", "sealed": "ab" * 32}, {"note": "four"},
    {"undo": 4}, {"undo": 3}, {"note": "seven"}, {"note": "eight"}]
SINCE: list[dict[str, Any]] = [
    {"note": "nine", "sealed": "cd" * 32}, {"announce": 2, "at": "2026-12-02T18:00Z"}, {"undo": 10}, {"note": "twelve"}]
READ, STANDS = 5, 8                 # after so many entries reading goes on; after so many the mark stands
OPENED = {"open": {"epoch": 1, "link": "00", "deck_secret": "00"}}


def marked(folder: Path, since: list[dict[str, Any]], **course: Any) -> Path:
    """A log with entries before its mark and since."""
    folder.mkdir(parents=True)
    gamelog.create(folder, HEADER, [*BEFORE, *since])
    leave(folder, **course)
    return folder


def leave(folder: Path, read: int = READ, stands: int = STANDS, **course: Any) -> None:
    game = gamelog.read_game(folder)
    data = game.text.encode()
    end = marking.start_of(data, game, stands)
    marks.leave(folder / marks.PUBLIC, marks.Mark(stands, end, sha256(data[:end]).hexdigest(), "", {"ended": False, **course}),
                marking.beginning(game, data, read))


SAYS: dict[str, Callable[[GameFile], Any]] = {
    "entries": lambda game: list(game.entries),
    "number of entries": lambda game: len(game.entries),
    "each entry": lambda game: [game.entries[place] for place in range(-len(game.entries), len(game.entries))],
    "some of them": lambda game: [game.entries[first:end] for first in range(-13, 13) for end in (first, first + 2, None)],
    "backwards": lambda game: [game.entries[::-1], game.entries[-1:READ:-2]],
    "lines of the file": lambda game: [entry.line for entry in game.entries],
    "lines": lambda game: game.lines,
    "late ones": lambda game: game.late[READ - len(game.entries):],
    "last head": lambda game: game.head(),
    "heads": lambda game: game.heads(),
    "each head": lambda game: [game.head(number) for number in range(len(game.entries), -1, -1)],
    "heads in order": lambda game: [game.head(number) for number in range(READ, len(game.entries) + 1)],
    "of the whole game": lambda game: [game.speaking_of(key) for key in marks.OF_THE_WHOLE],
    "undos": lambda game: game.undos,
    "opened": lambda game: game.is_opened,
    "edits": gamelog.hand_edits,
    "what stands": lambda game: gamelog.survivors(game.entries),
}


@pytest.mark.parametrize("since", [[], SINCE, [*SINCE, OPENED]], ids=["nothing", "something", "the end"])
@pytest.mark.parametrize("what", SAYS)
def test_it_says_what_all_of_it_says(what: str, since: list[dict[str, Any]], tmp_path: Path) -> None:
    folder, says = marked(tmp_path / "g", since), SAYS[what]
    by_mark, whole = gamelog.read_game(folder), gamelog.read_whole(folder)
    assert by_mark.skipped is not None and whole.skipped is None
    assert says(by_mark) == says(whole)


@pytest.mark.parametrize("what", [what for what in SAYS if what != "late ones"])
def test_who_goes_on_from_a_mark_leaves_the_next_one(what: str, tmp_path: Path) -> None:
    """Of what the first left out nothing is read again; what stands between is left out as well."""
    folder, says = marked(tmp_path / "g", SINCE), SAYS[what]
    leave(folder, READ + 6, STANDS + 4)
    by_mark, whole = gamelog.read_game(folder), gamelog.read_whole(folder)
    assert by_mark.skipped is not None and by_mark.skipped.entries == READ + 6
    assert says(by_mark) == says(whole)
    begun_anew = marking.beginning(whole, whole.text.encode(), READ + 6)
    assert begun_anew is not None and json.dumps(by_mark.skipped) == json.dumps(begun_anew)
    assert len(begun_anew.said) == 2


def test_of_a_log_that_was_changed_by_hand_nothing_is_left_out(tmp_path: Path) -> None:
    """What its mirror says is not what is read: before the mark that there is, or behind it."""
    for name, words in (("g", "seven"), ("h", "two")):
        folder = marked(tmp_path / name, SINCE)
        path = folder / gamelog.GAME
        path.write_text(path.read_text().replace(f"{{note: {words}}}", "{note: changed}"))
        game = gamelog.read_game(folder)
        assert marking.beginning(game, game.text.encode(), READ + 6) is None
    folder = marked(tmp_path / "i", SINCE)
    (folder / gamelog.MIRROR).write_bytes(b"{}\n")
    game = gamelog.read_game(folder)
    assert game.skipped is not None and marking.beginning(game, game.text.encode(), READ + 6) is None


@pytest.mark.parametrize(("since", "ended", "undos", "rounds", "is_opened"), [
    ([], False, 2, [1], False), (SINCE, False, 3, [1, 2], False), ([{"open": {"epoch": 1, "link": "0"}}], False, 2, [1], False),
    ([*SINCE, OPENED, {"note": "so it ends"}], False, 3, [1, 2], True), ([], True, 2, [1], True)])
def test_what_concerns_the_whole_game(since: list[dict[str, Any]], ended: bool, undos: int, rounds: list[int], is_opened: bool,
                                      tmp_path: Path) -> None:
    folder = marked(tmp_path / "g", since, ended=ended)
    for game in [gamelog.read_game(folder), *([gamelog.read_whole(folder)] if not ended else [])]:
        assert (game.undos, game.is_opened) == (undos, is_opened)
        assert [one["announce"] for one in game.speaking_of("announce")] == rounds
    assert gamelog.read_whole(folder).late == gamelog.read_whole(folder).lines[1:]


@pytest.mark.parametrize("known", ["number of entries", "late ones", "lines", "last head", "heads in order", "heads", "edits"])
@pytest.mark.parametrize("what", SAYS)
def test_it_goes_on_saying_so_when_it_grows(what: str, known: str, tmp_path: Path) -> None:
    """Whatever was asked of it before."""
    folder, says = marked(tmp_path / "g", SINCE), SAYS[what]
    game = gamelog.read_game(folder)
    new: list[list[dict[str, Any]]] = [[{"note": "thirteen"}, {"undo": 11}], [{"note": "fifteen"}]]
    for more in new:
        SAYS[known](game)
        game = gamelog.append(folder, more, seen=game)
        assert says(game) == says(gamelog.read_whole(folder))
        assert says(gamelog.read_game(folder)) == says(game)


@pytest.mark.parametrize("what", ["number of entries", "late ones", "last head", "heads in order", "of the whole game", "undos",
                                  "opened", "edits"])
def test_to_say_it_only_what_came_since_is_read(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = marked(tmp_path / "g", SINCE)
    told = SAYS[what](gamelog.read_whole(folder))
    monkeypatch.setattr(gamelog, "_judged", lambda *given: pytest.fail("all of it was read"))
    game = gamelog.read_game(folder)
    assert SAYS[what](game) == told and game.entries[-1] == SINCE[-1]
    for number in range(READ, len(game.entries)):
        assert game.entries[number] == [*BEFORE, *SINCE][number] == game.entries[number:][0]
    after = gamelog.append(folder, [{"note": "thirteen"}, {"note": "fourteen"}], seen=game)
    assert SAYS[what](after) == SAYS[what](gamelog.read_game(folder))


def changed(folder: Path, old: str, new: str) -> list[tuple[int, int, str, str]]:
    path = folder / gamelog.GAME
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return [(*edit,) for edit in gamelog.hand_edits(gamelog.read_game(folder))]


@pytest.mark.parametrize("number", [1, READ + 2, STANDS, STANDS + 1, len([*BEFORE, *SINCE])])
def test_what_is_changed_by_hand_is_found_wherever_it_stands(number: int, tmp_path: Path) -> None:
    folder = marked(tmp_path / "g", SINCE)
    line, was = gamelog.read_whole(folder).entries[number - 1].line, gamelog.dump_entry([*BEFORE, *SINCE][number - 1])
    now = "{note: changed}"
    edits = [(number, line, was, now)]
    assert changed(folder, was, now) == edits
    game = gamelog.append(folder, [{"note": "thirteen"}], seen=gamelog.read_game(folder))
    assert changed(folder, "thirteen", "thirteen") == edits == [(*edit,) for edit in gamelog.hand_edits(game)]
    gamelog.append(folder, [{"amend": {"entry": number}, "reason": "a slip"}])
    assert not changed(folder, now, now)


def test_what_was_not_noted_when_it_was_written_is_noted_with_the_next_entry(tmp_path: Path) -> None:
    """A run was killed between the log and what lies beside it."""
    folder = marked(tmp_path / "g", SINCE)
    mirror = folder / gamelog.MIRROR
    mirror.write_bytes(b"".join(mirror.read_bytes().splitlines(keepends=True)[:-2]))
    game = gamelog.append(folder, [{"note": "thirteen"}])
    assert game.skipped is not None and mirror.read_bytes().splitlines() == gamelog.read_whole(folder).lines


def test_entries_are_alike_where_they_say_the_same(tmp_path: Path) -> None:
    entries = gamelog.read_game(marked(tmp_path / "g", SINCE)).entries
    assert entries == [*BEFORE, *SINCE] and entries != BEFORE and entries != 12


@pytest.mark.parametrize("first", range(len(BEFORE) + len(SINCE) + 1))
def test_what_stands_after_so_many_entries(first: int) -> None:
    """Nobody can say it without those before where one of them is taken back."""
    log = [*BEFORE, *SINCE]
    reaches_back = any(entry["undo"] <= first for entry in log[first:] if "undo" in entry)
    late = [place for place in gamelog.survivors(log) if place >= first]
    assert undo.after(log, first) == (None if reaches_back else late)
    assert undo.after([*log, {"undo": "two"}], first) is None


# --- Changed by hand, cut, spoilt -------------------------------------------------------------------------------------------


def by_both(folder: Path) -> list[Any]:
    """What is said of a log by its mark and of the same without one, each with what is complained of."""
    (other := folder.with_name("whole")).mkdir()
    for name in (gamelog.GAME, gamelog.MIRROR):
        if (folder / name).exists():
            (other / name).write_bytes((folder / name).read_bytes())
    return [said_of(one) for one in (folder, other)]


def said_of(folder: Path) -> list[Any]:
    told: list[Any] = []
    try:
        game = gamelog.read_game(folder)
        for what in ("heads in order", "undos", "edits", "lines of the file", "entries"):
            told.append(SAYS[what](game))
        gamelog.append(folder, [{"note": "and on"}])
        gamelog.append(folder, [{"amend": {"entry": 9}, "reason": "so be it"}])
        told += [gamelog.hand_edits(gamelog.read_game(folder)), (folder / gamelog.MIRROR).read_bytes()]
    except BadLog as error:
        told += [error.key, error.facts["line"]]
    return told


@pytest.mark.parametrize(("old", "new"), [
    ("edition: fourth", "edition:  fourth"), ("{note: two}", "{note: 2nd}"), ("{note: eight}", "{note: 8th}"),
    ("- {note: seven}\n", ""), ("{note: twelve}", "{note: 12th}"), ("- {note: twelve}\n", ""), ("{note: twelve}", "{note: [}"),
    ("{note: twelve}", "{note: 12}"), ("{note: twelve}", "{dance: twelve}"), ("{note: twelve}", "{undo: 99}"),
    ("{note: twelve}", "{note: twelve}\ntitle: x"), ("- {note: twelve}", "- note: |\n    twelve"),
    ("- {note: twelve}", "  - {note: twelve}"),
])
def test_a_log_that_was_changed_by_hand_is_what_it_is_without_a_mark(old: str, new: str, tmp_path: Path) -> None:
    folder = marked(tmp_path / "g", SINCE)
    path = folder / gamelog.GAME
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    by_mark, whole = by_both(folder)
    assert by_mark == whole


@pytest.mark.parametrize("left", [0, 1, 4, READ + 1, READ + 2, STANDS + 1, 12])
def test_a_log_or_what_was_noted_of_it_that_was_cut_is_what_it_is_without_a_mark(left: int, tmp_path: Path) -> None:
    for name in (gamelog.GAME, gamelog.MIRROR):
        folder = marked(tmp_path / name / "g", SINCE)
        whole = (folder / name).read_bytes().splitlines(keepends=True)
        (folder / name).write_bytes(b"".join(whole[:left + (len(HEADER) + 1 if name == gamelog.GAME else 0)]))
        by_mark, whole = by_both(folder)
        assert by_mark == whole


def test_a_log_that_begins_with_an_empty_line_is_what_it_is_without_a_mark(tmp_path: Path) -> None:
    folder = marked(tmp_path / "g", SINCE)
    path = folder / gamelog.GAME
    path.write_text("\n" + path.read_text())
    leave(folder)
    assert gamelog.read_game(folder).skipped is not None
    by_mark, whole = by_both(folder)
    assert by_mark == whole


def test_a_log_without_what_was_noted_of_it_is_what_it_is_without_a_mark(tmp_path: Path) -> None:
    folder = marked(tmp_path / "g", SINCE)
    (folder / gamelog.MIRROR).unlink()
    by_mark, whole = by_both(folder)
    assert by_mark == whole


def test_a_mark_is_of_one_state_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, code = marked(tmp_path / "g", SINCE), tmp_path / "code/room"
    (code / "__pycache__").mkdir(parents=True)
    (code / "module.py").write_text("x = 1\n")
    monkeypatch.setattr(marks, "PACKAGE", code.parent)

    def is_read() -> bool:
        marks.program.cache_clear()
        return gamelog.read_game(folder).skipped is not None

    try:
        assert not is_read()
        leave(folder)
        (code / "__pycache__/module.pyc").write_text("x")
        assert is_read()
        (code / "module.py").write_text("x = 20\n")
        assert not is_read()
    finally:
        marks.program.cache_clear()
