"""The files of a game: what is read, what is refused, what survives a kill, and what stands after undoing."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_game import private_of

from pbem.base import yamlfile
from pbem.base.errors import BadLog, PbemError
from pbem.chance import scheme
from pbem.desk.showing import sentence
from pbem.log import gamelog
from pbem.log.entries import kind_of

HEADER = """\
game: anabasis
engine: 1.0.0
rules: {edition: fourth, options: [16.2, 16.7], windows: held}
seats: {red: {name: Anna, language: de}, blue: {name: Bruno}}
chance: {scheme: 1, deck: 7d8e, dice: 78bc, links: 100, words: {red: first snow in Pella, blue: ""}}
"""
LOG = """\
log:
- {by: red, do: play 32 ops}
- {by: red, do: march Kassandros > Lamia, via: 3f2a}
- {ask: T2.R3.red.5, due: 2026-11-20T09:00Z}
- {close: T2.R3.red.5, answers: {green: pass}, dice: [["T2,R3,red,intercept,Lamia", 5]], now: 7f3a}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(HEADER + LOG)
    return tmp_path


def written(folder: Path, text: str, name: str = "game.yaml") -> Path:
    (folder / name).write_text(text)
    return folder


def refusal(folder: Path) -> dict[str, Any]:
    with pytest.raises(BadLog) as caught:
        gamelog.read_game(folder)
    assert caught.value.facts["file"] == str(folder / "game.yaml")
    return {"key": caught.value.key, "told": sentence(caught.value), **caught.value.facts}


# --- Reading a game -----------------------------------------------------------


def test_a_game_is_read(folder: Path) -> None:
    game = gamelog.read_game(folder)
    assert game.header["seats"]["red"] == {"name": "Anna", "language": "de"}
    assert game.header["rules"]["options"] == ["16.2", "16.7"]
    assert "log" not in game.header
    assert [kind_of(entry) for entry in game.entries] == ["by", "by", "ask", "close"]
    assert [entry.line for entry in game.entries] == [7, 8, 9, 10]
    assert game.text == HEADER + LOG
    assert gamelog.read_game(folder / "game.yaml").entries == game.entries


def test_a_game_without_entries(folder: Path) -> None:
    assert gamelog.read_game(written(folder, HEADER + "log:\n")).entries == []


def test_no_newline_at_the_end_is_fine(folder: Path) -> None:
    assert len(gamelog.read_game(written(folder, (HEADER + LOG).rstrip())).entries) == 4


@pytest.mark.parametrize("old, new, key, line, told", [
    ("game: anabasis\n", "", "missing_in_header", 1, 'the header has no "game".'),
    ("game: anabasis", "game: 47", "wrong_type", 1, '"game" has to be text (numbers in quotes).'),
    ("engine:", "engin:", "unknown_in_header", 2, '"engin" is not known in the header; did you mean "engine"?'),
    ("engine: 1.0.0\n", "", "missing_in_header", 1, 'the header has no "engine".'),
    ("game: ", "gmae: x\ngame: ", "unknown_in_header", 1,
     '"gmae" is not known in the header; did you mean "game"?'),
    ("{edition: fourth, ", "{", "missing_in_header", 3, '"rules" of the header has no "edition".'),
    ("windows", "window", "unknown_in_header", 3,
     '"window" is not known in "rules" of the header; did you mean "windows"?'),
    ("{name: Bruno}", "Bruno", "seat_without_name", 4, 'seat "blue" needs {name: ...}.'),
    ("language", "langauge", "unknown_in_header", 4,
     '"langauge" is not known in "seat" of the header; did you mean "language"?'),
    ("first snow in Pella", "42", "wrong_type", 5, '"red" has to be text (numbers in quotes).'),
    ("by: red, do: play", "by: red, dp: play", "unknown_in_entry", 7,
     '"dp" is not known in an entry that begins with "by"; did you mean "do"?'),
    ("by: red, do: play 32 ops", "by: red,\n  do: play 32 ops,\n  va: 3f2a", "unknown_in_entry", 9,
     '"va" is not known in an entry that begins with "by"; did you mean "via"?'),
    ("ask: T2", "aks: T2", "unknown_kind", 9, '"aks" is not known as a kind of entry; did you mean "ask"?'),
    ("{by: red, do: play 32 ops}", "{by: red}", "missing_in_entry", 7, 'an entry with "by" needs "do".'),
    ("{by: red, do: play 32 ops}", "{via: x, by: red, do: play 32 ops}", "unknown_kind", 7,
     '"via" is not known as a kind of entry.'),
    ("do: play 32 ops", "do: 32", "wrong_type", 7, '"do" has to be text (numbers in quotes).'),
    ("{by: red, do: play 32 ops}", "play 32 ops", "not_an_entry", 7,
     "an entry has words with a colon, as in - {note: hello}."),
    ("by: red, do: play 32 ops", "undo: two", "wrong_type", 7, '"undo" has to be the number of an entry.'),
    ("due: 2026-11-20T09:00Z", "due: soon", "wrong_type", 9, '"due" has to be a moment like 2026-11-20T09:00Z.'),
    ("rules: {", "rules: [{", "cut_short", 3, "what is opened here with [ is not closed, or a comma is missing in it."),
    ("seats: {red", "seats: [red] #{", "wrong_type", 4, '"seats" has to be a mapping in { }.'),
    ("options: [16.2, 16.7]", "options: 16.2", "wrong_type", 3, '"options" has to be a list in [ ].'),
    ("via: 3f2a", "sealed: 3f2a", "wrong_type", 8, '"sealed" has to be 64 hex digits.'),
    ("log:\n", "log: [\n", "cut_short", 6,
     "what is opened here with [ is not closed, or a comma is missing in it."),
    ("log:", "entries:", "no_log", 1, "a game is a header and, after it, log: with its entries."),
])
def test_a_wrong_file_is_refused(folder: Path, old: str, new: str, key: str, line: int, told: str) -> None:
    text = HEADER + LOG
    assert old in text
    facts = refusal(written(folder, text.replace(old, new, 1)))
    assert (facts["key"], facts["line"]) == (key, line)
    assert facts["told"] == f"{folder / 'game.yaml'}, line {line}: {told}"


@pytest.mark.parametrize("text", [
    HEADER + "log: []\n", HEADER + "log: none\n", HEADER + "log: {by: red}\n", LOG + HEADER,
    "{" + HEADER.replace("\n", ", ") + "log: []}\n", HEADER + "log:\n  {}\n",
])
def test_the_log_stands_where_it_can_grow(folder: Path, text: str) -> None:
    assert refusal(written(folder, text))["key"] in ("log_not_last", "not_yaml")


def test_where_the_log_stands_in_the_way_its_line_is_told(folder: Path) -> None:
    first, _, more = HEADER.partition("\n")
    assert refusal(written(folder, f"{first}\n{LOG}{more}"))["line"] == 2


def test_a_cut_last_line_is_refused_with_its_line(folder: Path) -> None:
    facts = refusal(written(folder, (HEADER + LOG).rstrip()[:-10]))
    assert (facts["key"], facts["line"]) == ("cut_short", 10)


def test_hostile_files(folder: Path) -> None:
    path = folder / "game.yaml"
    path.write_bytes(b"#" * 20_000_001)
    assert refusal(folder)["key"] == "too_large"
    assert refusal(folder)["told"] == f"{path}: the file is larger than 20 MB."
    path.write_bytes(b"game: x\nengine: \x00\n")
    assert refusal(folder)["line"] == 2
    path.write_bytes(b"game: x\nengine: \xff\n")
    assert (refusal(folder)["key"], refusal(folder)["line"]) == ("not_text", 2)
    assert refusal(folder)["told"] == f"{path}, line 2: this is not text in UTF-8."
    path.write_text("")
    assert refusal(folder)["key"] == "no_log"
    path.unlink()
    assert refusal(folder)["key"] == "no_file"
    assert refusal(folder)["told"] == f"{path}: there is no such file."
    os.mkfifo(path)
    assert refusal(folder)["key"] == "no_file"


def test_the_private_file_is_optional(folder: Path) -> None:
    assert private_of(folder) == {}
    assert private_of(written(folder, "deck: ab\n", "private.yaml")) == {"deck": "ab"}
    with pytest.raises(BadLog) as caught:
        private_of(written(folder, "- x\n", "private.yaml"))
    assert sentence(caught.value).endswith("private.yaml, line 1: the file has to be a mapping: words with a colon.")


def test_overrides_are_a_list(folder: Path) -> None:
    assert gamelog.read_overrides(folder) == []
    line = "- {datum: generals.kassandros.battle, value: 4}\n"
    assert gamelog.read_overrides(written(folder, line, "overrides.yaml"))[0]["value"] == 4
    with pytest.raises(BadLog) as caught:
        gamelog.read_overrides(written(folder, line[2:], "overrides.yaml"))
    assert sentence(caught.value).endswith("line 1: the file has to be a list, each correction with - in front.")
    for other in ("5\n", "true\n", "- 5\n"):
        with pytest.raises(BadLog, match="list"):
            gamelog.read_overrides(written(folder, other, "overrides.yaml"))


# --- Writing ------------------------------------------------------------------


@pytest.mark.parametrize("text, added", [
    (HEADER + LOG, "- {note: hello}\n"),
    (HEADER + "log:\n", "- {note: hello}\n"),
    (HEADER + "log: # from here on\n\n", "- {note: hello}\n"),
    ((HEADER + LOG).rstrip(), "\n- {note: hello}\n"),
    (HEADER + LOG.replace("- {", "   - {"), "   - {note: hello}\n"),
    (HEADER + LOG + "- by: red  # said on the phone\n  do: end\n# so much for today", "\n- {note: hello}\n"),
    (HEADER + LOG + "- note: |\n    two\n    lines\n", "- {note: hello}\n"),
    ("\ufeff" + (HEADER + LOG).replace("\n", "\r\n"), "- {note: hello}\n"),
])
def test_adding_keeps_every_byte(folder: Path, text: str, added: str) -> None:
    path = folder / "game.yaml"
    path.write_bytes(text.encode())
    before = gamelog.read_game(folder).entries
    after = gamelog.append(folder, [{"note": "hello"}])
    assert path.read_bytes() == (text + added).encode()
    again = gamelog.read_game(folder)
    assert again.entries == after.entries == [*before, {"note": "hello"}]
    assert [entry.line for entry in again.entries] == [entry.line for entry in after.entries]
    assert again.text == after.text
    assert gamelog.hand_edits(gamelog.read_game(folder)) == []


def test_a_broken_file_is_never_written(folder: Path) -> None:
    good = gamelog.read_game(folder)
    for broken in ("game: [", HEADER + LOG + "- {by: re", ""):
        written(folder, broken)
        for seen in (None, good):
            with pytest.raises(BadLog):
                gamelog.append(folder, [{"note": "x"}], {"secret": "x"}, seen=seen)
        assert (folder / "game.yaml").read_text() == broken
    assert not (folder / "private.yaml").exists()


@pytest.mark.parametrize("entry", [
    {"by": "red"}, {"dance": "x"}, {"note": True}, {"undo": 9}, {"undo": 5}, {}])
def test_a_wrong_entry_is_not_written(folder: Path, entry: dict[str, Any]) -> None:
    with pytest.raises((BadLog, TypeError)):
        gamelog.append(folder, [entry], {"secret": "x"})
    assert (folder / "game.yaml").read_text() == HEADER + LOG
    assert not (folder / "private.yaml").exists()


def test_a_log_does_not_outgrow_what_can_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlfile, "MOST_BYTES", len(HEADER + LOG) + 9)
    with pytest.raises(BadLog) as caught:
        gamelog.append(folder, [{"note": "x"}])
    assert sentence(caught.value).endswith(": the log would become too large to be read again.")
    assert len(gamelog.read_game(folder).entries) == 4


def test_a_new_game(tmp_path: Path) -> None:
    header = yamlfile.parse(HEADER)
    game = gamelog.create(tmp_path, header, [{"note": "welcome"}], {"deck": "ab"})
    again = gamelog.read_game(tmp_path)
    assert (again.header, again.entries) == (game.header, game.entries) == (header, [{"note": "welcome"}])
    assert private_of(tmp_path) == {"deck": "ab"}
    assert gamelog.hand_edits(gamelog.read_game(tmp_path)) == []
    assert "private.yaml" in (tmp_path / ".gitignore").read_text().splitlines()
    with pytest.raises(BadLog) as caught:
        gamelog.create(tmp_path, header)
    assert sentence(caught.value) == f"{tmp_path / 'game.yaml'}: there is a game in this folder already."


def test_modes(folder: Path) -> None:
    (folder / "game.yaml").chmod(0o664)
    written(folder, "old: x\n", "private.yaml").joinpath("private.yaml").chmod(0o644)
    gamelog.append(folder, [{"note": "x"}], {"secret": "x"})
    for name, mode in (("game.yaml", 0o664), ("private.yaml", 0o600), (".mirror", 0o600)):
        assert (folder / name).stat().st_mode & 0o777 == mode


def test_a_linked_game_is_written_where_it_lies(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "shared.yaml"
    (folder / "game.yaml").rename(elsewhere)
    (folder / "game.yaml").symlink_to(elsewhere)
    gamelog.append(folder, [{"note": "x"}])
    assert (folder / "game.yaml").is_symlink()
    assert elsewhere.read_text() == HEADER + LOG + "- {note: x}\n"


def test_what_git_must_not_take(folder: Path) -> None:
    (folder / ".gitignore").write_text("*.png")
    gamelog.write_private(folder, {"secret": "x"})
    gamelog.write_private(folder, {"secret": "y"})
    lines = (folder / ".gitignore").read_text().splitlines()
    assert lines[0] == "*.png"
    assert {"private.yaml", ".lock", "mail/", ".mirror"} < set(lines)
    assert len(lines) == len(set(lines))


READ = {"a": {"x": 1}, "b": ["y", "z"], "c": 3}
BY_HAND = "a: {x:   1}\nb:\n- y\n- z\nc: 3\n"          # the same, not as it is written here


@pytest.mark.parametrize(("text", "now", "written_anew"), [
    (BY_HAND, {**READ, "c": 4}, "a: {x:   1}\nb:\n- y\n- z\nc: 4\n"),                # what is as it was is not written anew
    (BY_HAND, {**READ, "d": 5}, BY_HAND + "d: 5\n"),
    (BY_HAND, {"b": ["y"], "c": 3}, "b: [y]\nc: 3\n"),
    (BY_HAND + "journal: {to: 3}\n", READ, BY_HAND),                                   # what means nothing any more is left out
    (BY_HAND + "d: 5\n", READ, "a: {x: 1}\nb: [y, z]\nc: 3\n"),                       # keys of which nobody knows
    ("# remark\n" + BY_HAND, READ, "a: {x: 1}\nb: [y, z]\nc: 3\n"),                   # lines of no key
    ("a: {x: 1,\nc: 3}\n" + BY_HAND.partition("\n")[2], READ, "a: {x: 1}\nb: [y, z]\nc: 3\n"),
    ("", READ, "a: {x: 1}\nb: [y, z]\nc: 3\n"),
])
def test_what_is_known_of_the_private_file_stands_there_as_it_stood(
        folder: Path, text: str, now: dict[str, object], written_anew: str) -> None:
    path = written(folder, text, "private.yaml") / "private.yaml"
    known = gamelog.Private(READ, text)
    for _ in range(2):
        gamelog.write_private(folder, now, known)
        assert path.read_text() == written_anew and yamlfile.load(path) == now


# --- Killed anywhere ----------------------------------------------------------


class Killed(BaseException):
    """Not an error that anybody handles."""


def killed_at(at: int, work: Callable[[], object]) -> bool:
    """From call number `at` on nothing reaches the disk; a write that is killed leaves half its bytes."""
    calls = 0

    def dying(name: str, true: Callable[..., Any]) -> Callable[..., Any]:
        def call(*told: Any, **more: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at and name == "write":
                true(told[0], bytes(told[1])[: len(told[1]) // 2])
            if calls >= at:
                raise Killed
            return true(*told, **more)
        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("open", "write", "fsync", "replace", "fchmod", "unlink"):
            patch.setattr(os, name, dying(name, getattr(os, name)))
        try:
            work()
        except Killed:
            return True
    return False


def test_killed_at_any_call_the_game_is_whole(tmp_path: Path) -> None:
    new = [{"note": "one"}, {"note": "two"}]
    for at in range(1, 100):
        folder = tmp_path / str(at)
        folder.mkdir()
        written(folder, HEADER + LOG)
        gamelog.append(folder, [{"note": "zero"}], {"known": 0})
        before = gamelog.read_game(folder).entries
        died = killed_at(at, lambda folder=folder: gamelog.append(folder, new, {"known": 1}))

        game, private = gamelog.read_game(folder), private_of(folder)
        assert game.entries in (before, [*before, *new])
        assert private == {"known": 1} or game.entries == before
        assert gamelog.hand_edits(gamelog.read_game(folder)) == []
        # and it goes on as if nothing had happened
        gamelog.append(folder, [{"note": "three"}], {"known": 2})
        assert gamelog.read_game(folder).entries == [*game.entries, {"note": "three"}]
        assert gamelog.hand_edits(gamelog.read_game(folder)) == []
        assert len((folder / ".mirror").read_bytes().splitlines()) == len(game.entries) + 2
        assert not list(folder.glob(".*.new"))
        if not died:
            break
    assert at > 12


def test_a_new_game_killed_at_any_call(tmp_path: Path) -> None:
    header = yamlfile.parse(HEADER)
    for at in range(1, 100):
        folder = tmp_path / str(at)
        folder.mkdir()
        died = killed_at(at, lambda folder=folder: gamelog.create(folder, header, private={"deck": "ab"}))
        if (folder / "game.yaml").exists():
            assert gamelog.read_game(folder).header == header
            assert private_of(folder) == {"deck": "ab"}
        else:
            gamelog.create(folder, header, private={"deck": "ab"})
        assert gamelog.hand_edits(gamelog.read_game(folder)) == []
        if not died:
            break
    assert at > 12


def test_secrets_are_never_readable_by_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not while they are written, whatever the umask."""
    opened: list[int] = []
    true = os.fsync

    def fsync(handle: int) -> None:
        opened.append(os.fstat(handle).st_mode & 0o777)
        true(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    before = os.umask(0)
    try:
        gamelog.write_private(folder, {})
        opened.clear()
        gamelog.write_private(folder, {"secret": "x"})
    finally:
        os.umask(before)
    assert opened[0] == 0o600


# --- The lock -----------------------------------------------------------------


def test_one_run_at_a_time(folder: Path) -> None:
    with gamelog.Lock(folder) as held:
        assert held.left_by is None
        with pytest.raises(PbemError) as caught, gamelog.Lock(folder):
            pass
        assert caught.value.key == "busy"
        assert caught.value.facts["pid"] == os.getpid()
        assert caught.value.facts["since"].endswith("Z")
    with gamelog.Lock(folder) as held:
        assert held.left_by is None
    assert "private.yaml" in (folder / ".gitignore").read_text().splitlines()


def test_the_lock_of_a_dead_run_is_free(folder: Path) -> None:
    code = "import os, sys; from pathlib import Path; from pbem.log.gamelog import Lock; " \
           "Lock(Path(sys.argv[1])).__enter__(); print(os.getpid(), flush=True); os._exit(9)"
    root = Path(gamelog.__file__).parents[2]
    command = [sys.executable, "-c", code, folder]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 9
    with gamelog.Lock(folder) as held:
        assert held.left_by is not None
        assert held.left_by[0] == int(done.stdout)


# --- Undo ---------------------------------------------------------------------


def log(*entries: str | int) -> list[dict[str, Any]]:
    return [{"undo": entry} if isinstance(entry, int) else {"note": entry} for entry in entries]


@pytest.mark.parametrize("entries, standing", [
    (log(), ""),
    (log("a", "b"), "ab"),
    (log("a", "b", 2), "a"),
    (log("a", "b", 1), ""),
    (log("a", "b", "c", 2, "d"), "ad"),
    (log("a", "b", 2, 3), "ab"),
    (log("a", "b", 2, 3, 4), "a"),
    (log("a", "b", 2, "c", 3), "ab"),
    (log("a", "b", 2, "c", 3, "d"), "abd"),
    (log("a", "b", 2, "c", 1, 5, "d"), "acd"),
])
def test_what_stands(entries: list[dict[str, Any]], standing: str) -> None:
    assert "".join(entries[place]["note"] for place in gamelog.survivors(entries)) == standing


@pytest.mark.parametrize("entries, key", [
    (log(1), "undo_of_nothing"),
    (log("a", 0), "undo_of_nothing"),
    (log("a", -1), "undo_of_nothing"),
    (log("a", 2), "undo_of_nothing"),
    (log("a", 3, "b"), "undo_of_nothing"),
    (log("a", "b", 1, 2), "undone_before"),
    (log("a", "b", 2, "c", 3, 4), "undone_before"),
])
def test_what_cannot_be_undone(folder: Path, entries: list[dict[str, Any]], key: str) -> None:
    text = HEADER + "log:\n" + "".join(f"- {gamelog.dump_entry(entry)}\n" for entry in entries)
    game = gamelog.read_game(written(folder, text))
    with pytest.raises(BadLog) as caught:
        gamelog.survivors(game.entries, str(game.path))
    wrong = max(place for place, entry in enumerate(entries) if "undo" in entry)
    assert (caught.value.key, caught.value.facts["line"]) == (key, 7 + wrong)


@given(st.lists(st.integers(0, 30), max_size=40))
def test_undo_goes_back_to_an_earlier_moment(picks: list[int]) -> None:
    """Against a plain model that keeps a copy of everything at every moment."""
    entries: list[dict[str, Any]] = []
    states: list[list[int]] = [[]]
    for pick in picks:
        live = states[-1]
        if pick and live:
            number = live[pick % len(live)] + 1
            states.append([*states[number - 1], len(entries)])
            entries.append({"undo": number})
        else:
            states.append([*live, len(entries)])
            entries.append({"note": "x"})
        assert gamelog.survivors(entries) == [place for place in states[-1] if "note" in entries[place]]


# --- Heads --------------------------------------------------------------------


def test_heads_that_were_known_are_gone_on_from(folder: Path) -> None:
    """What is appended to a log whose heads somebody has asked for has the heads that it is read with."""
    game = gamelog.read_game(written(folder, HEADER + LOG))
    known = game.heads()
    after = gamelog.append(folder, [{"note": "x", "sealed": "ab" * 32}, {"note": "y"}], seen=game)
    assert after.heads() == gamelog.read_game(folder).heads() and after.heads()[:-2] == known == game.heads()


def test_heads(folder: Path) -> None:
    sealed = "ab" * 32
    game = gamelog.append(folder, [{"note": "x", "sealed": sealed}])
    heads = gamelog.chain(game.header, game.entries)
    assert heads == game.heads() == gamelog.read_game(folder).heads()
    assert len(heads) == len(game.entries) + 1
    head = scheme.first_head("anabasis", game.header)
    assert heads[0] == head.hex()
    for entry, expected in zip(game.entries, heads[1:], strict=True):
        head = scheme.head(head, scheme.canonical(entry), bytes.fromhex(entry.get("sealed", "")))
        assert head.hex() == expected


def test_rewrapping_changes_no_head(folder: Path) -> None:
    heads = gamelog.read_game(folder).heads()
    wrapped = LOG.replace("- {by: red, do: play 32 ops}", "- by: red   # at last\n  do: 'play 32 ops'\n")
    assert gamelog.read_game(written(folder, HEADER + wrapped)).heads() == heads
    changed = LOG.replace("play 32", "play 33")
    others = gamelog.read_game(written(folder, HEADER + changed)).heads()
    assert others[0] == heads[0]
    assert not set(others[1:]) & set(heads)


# --- Changes by hand ----------------------------------------------------------


@pytest.fixture
def kept(folder: Path) -> Path:
    """A game of six entries that has been written to, so that its mirror knows it."""
    gamelog.append(folder, [{"note": "five"}, {"note": "six"}])
    return folder


def change(folder: Path, old: str, new: str) -> None:
    path = folder / "game.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))


def edits(folder: Path) -> list[tuple[int, int, str, str]]:
    return [tuple(edit) for edit in gamelog.hand_edits(gamelog.read_game(folder))]


def test_nothing_changed(kept: Path) -> None:
    assert edits(kept) == []
    change(kept, "- {by: red, do: play 32 ops}", "# his first\n- by: red\n  do: 'play 32 ops'")
    assert edits(kept) == []


def test_what_somebody_else_wrote_meanwhile_is_not_written_over(kept: Path) -> None:
    seen = gamelog.read_game(kept)
    gamelog.append(kept, [{"note": "another's"}])
    written_ = (kept / "game.yaml").read_bytes()
    with pytest.raises(BadLog) as refused:
        gamelog.append(kept, [{"note": "mine"}], seen=seen)
    assert refused.value.key == "changed_meanwhile" and (kept / "game.yaml").read_bytes() == written_


def test_a_changed_header_stands_in_the_first_line(kept: Path) -> None:
    change(kept, "engine: ", "engine: 9")
    assert [(entry, line) for entry, line, _, _ in edits(kept)] == [(0, 1)]


def test_what_was_taken_out_at_the_end_stood_behind_the_last_line(kept: Path) -> None:
    path = kept / "game.yaml"
    path.write_text(path.read_text().rstrip("\n").rpartition("\n")[0] + "\n")
    ((entry, line, was, now),) = edits(kept)
    assert line == path.read_text().count("\n") + 1 and was and not now


def test_a_changed_line_is_shown_with_both_texts(kept: Path) -> None:
    change(kept, "march Kassandros > Lamia", "march Kassandros > Pella")
    was = "{by: red, do: march Kassandros > Lamia, via: 3f2a}"
    assert edits(kept) == [(2, 8, was, was.replace("Lamia", "Pella"))]
    gamelog.append(kept, [{"note": "seven"}])
    assert edits(kept) == [(2, 8, was, was.replace("Lamia", "Pella"))]
    gamelog.append(kept, [{"amend": {"entry": 2}, "was": was, "reason": "typed wrongly"}])
    assert edits(kept) == []
    change(kept, "> Pella", "> Lamia")
    assert edits(kept) == [(2, 8, was.replace("Lamia", "Pella"), was)]


def test_the_header_counts_too(kept: Path) -> None:
    change(kept, "name: Bruno", "name: Bea")
    [(entry, line, was, now)] = edits(kept)
    assert (entry, line) == (0, 1)
    assert "Bruno" in was and "Bea" in now
    gamelog.append(kept, [{"amend": {"entry": 0}, "reason": "new player"}])
    assert edits(kept) == []


def test_lines_put_in_and_taken_out(kept: Path) -> None:
    change(kept, "- {note: five}\n", "")
    assert edits(kept) == [(5, 11, "{note: five}", "")]
    change(kept, "- {ask:", "- {note: forged}\n- {ask:")
    assert edits(kept) == [(3, 9, "", "{note: forged}"), (5, 12, "{note: five}", "")]
    gamelog.append(kept, [{"note": "seven"}])
    assert len(edits(kept)) == 2
    gamelog.append(kept, [{"amend": {"entry": 3}, "reason": "forgotten"}])
    assert edits(kept) == [(6, 12, "{note: five}", "")]
    gamelog.append(kept, [{"amend": {"entry": 6}, "reason": "nonsense"}])
    assert edits(kept) == []
    assert len((kept / ".mirror").read_bytes().splitlines()) == 1 + len(gamelog.read_game(kept).entries)


def test_the_last_lines_taken_out(kept: Path) -> None:
    change(kept, "- {note: five}\n- {note: six}\n", "")
    assert [edit[0] for edit in edits(kept)] == [5, 6]
    gamelog.append(kept, [{"note": "seven"}])
    assert "{note: six}" in [edit[2] for edit in edits(kept)]


def test_a_mirror_behind_the_log_or_lost_is_no_edit(kept: Path) -> None:
    mirror = kept / ".mirror"
    whole = mirror.read_bytes()
    for part in (whole.splitlines(keepends=True)[:3], [whole[:-5]], []):
        mirror.write_bytes(b"".join(part))
        assert edits(kept) == []
    mirror.unlink()
    assert edits(kept) == []
    change(kept, "{note: five}", "{note: fifth}")
    gamelog.append(kept, [{"note": "seven"}])
    assert edits(kept) == []
    change(kept, "{note: fifth}", "{note: five}")
    assert edits(kept) == [(5, 11, "{note: fifth}", "{note: five}")]


def test_half_a_line_in_the_mirror_is_dropped(kept: Path) -> None:
    mirror = kept / ".mirror"
    mirror.write_bytes(mirror.read_bytes() + b'{"note":"se')
    gamelog.append(kept, [{"note": "seven"}])
    assert edits(kept) == []
    assert mirror.read_bytes().splitlines() == gamelog.read_game(kept).lines


def test_an_edit_before_a_lagging_end_is_found(kept: Path) -> None:
    mirror = kept / ".mirror"
    mirror.write_bytes(b"".join(mirror.read_bytes().splitlines(keepends=True)[:-1]))
    change(kept, "play 32 ops", "play 33 ops")
    assert [edit[0] for edit in edits(kept)] == [1]
    gamelog.append(kept, [{"note": "seven"}])
    assert [edit[0] for edit in edits(kept)] == [1]
