"""Nonsense at every command that reads a file or a text: a sentence with what to do, nothing changed, no fault of the program.

The tree of commands is walked: each place of each command that takes a text, a number or a word of a list, that names a file
to read or to write, gets its share, and what stands beside it is sound. A new command is among them as soon as it is there.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from at_the_shell import commands, pbem
from click.testing import CliRunner
from small_game import NOON, found

from pbem.cli.files import Made
from pbem.cli.main import main
from pbem.dev.prove import PARTS

FILES = {
    "empty": b"", "noise": bytes(range(256)), "zeros": b"\0" * 64, "not_utf8": b"\xff\xfe\x00a",
    "text": b"Dear moderator,\nhello\n",
    "list": b"[1, 2, {a: b}]", "scalar": b"42", "null": b"null\n", "open": b"{a: [",
    "tag": b"!!python/object/apply:os.system [ls]",
    "anchor": b"a: &a [*a]\n", "twice": b"{a: 1, a: 2}", "deep": b"[" * 3000, "long": b"x" * 200_000, "keys": b"1: 2\n[3]: 4\n",
    "html": b"<html><b>roll</b></html>", "nested": b"log:\n- {by: red, do: {}}\n", "numbers": b"turn: soon\nhands: [1]\n",
    "half_log": b"game: x\nengine: 1\nrules: {}\nseats: {}\nlog:\n- {by: ",
    "servers": b"address: a@b.c\nimap: 5\n",
    "ports": b"address: a@b.c\nimap: {host: h, port: x}\nsmtp: {host: h}\n",
    "gzip": b"\x1f\x8b\x08\x00rest of it",
    "bomb": b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "mark": b"\xef\xbb\xbf",
    "marks": b"\xef\xbb\xbf\xef\xbb\xbfturn: 2\n",
    "ends": b"turn: 2\r\nspaces: {\r\n", "utf16": "march\n".encode("utf-16"),
    "deep_map": b"a: {" * 200, "huge": b"- x\n" * 50_000,
    "own_log": b"game: x\nformat: 3\nengine: 1\nrules: {}\nseats: {red: {name: A}}\nlog:\n", "own_tray": b"tray: 2\n",
}
TEXTS = [
    "", " ", "?", "\x01", "\x1b[31mred", "a", "-1", "99999999999999999999", "1e9", "None", "null", "{", "}{", "[1", "'", '"',
    "\\", "\\n\\n",
    "march", "march > >", "march Antigonos > > Pella", "b" * 5000, "\u202eevil", "ümläut ☃ 字", "<script>", "[b]roll[/b]",
    "; ; ;",
    "if", "if if if", "yes", "regardless", "play 999 as ops", "play as", "../../../etc/passwd", "$(ls)", "`ls`", "%s%s%n",
    "{{ 7 * 7 }}",
    "T9.R9.red.9", "red", "red blue", "Ephesos Ephesos", "0", "roll roll", "x=1", "=", "=1", "x=", "a.b.c", "generals..battle",
    "generals.nobody.battle", "2026-13-45", "2026-11-20T25:61Z", "a@b", "@", "last", "press", "standing:", "undo", "help me",
]
TEXTS += [f"{one} {other}" for one, other in zip(TEXTS[8:], TEXTS[20:], strict=False)]         # a hundred
# What goes into a place for a number or for one word of a list; and the names of what is no file at all, or none to be read.
WORDS = ["", " ", "nonsense", "None", "1.5", "1e3", "0x10", "NaN", "inf", "½", "-", "--", "1 2", "1,2", "\x01", "\x1b[31m",
         "ünï", "'", "{}", "*", "../x", "b" * 5000]
NUMBERS = ["-1", "0", "99999999999999999999", "9" * 400]
NO_FILES = ["", "missing", "folder", "fifo", "circle", "nowhere", "x" * 300, "/dev/null", "/proc/self/mem"]
# Where nothing can be written, or nothing must be: "GAME/..." is of the game itself.
NO_TARGETS = ["", "fifo", "circle", "x" * 300 + ".svg", "/proc/no/x.svg", "GAME/game.yaml", "GAME/private.yaml", "mail.yaml"]
POSITION = b"""\
turn: 2
segment: {player: red, kind: tyche}
spaces: {sardeis: blue}
forces:
- {owner: red, at: pella, cus: {loyal: 2}}
"""
FILES |= {f"cut_{at}": POSITION[:at] for at in range(3, len(POSITION) - 1, 3)}
FILES |= {f"other_{at}": POSITION[:at] + b"}x: {" + POSITION[at + 2:] for at in range(3, len(POSITION) - 1, 3)}

# What stands in the other places of a line, by the name of the place; and what a command wants besides, or otherwise.
SOUND = {
    "game": "GAME", "seat": "red", "text": "roll", "entry": "1", "reason": "x", "folder": "NEW", "target": "NEW", "number": "1",
    "value": "x", "address": "a@example.org", "addresses": "a@example.org", "name": "x", "first": "1", "words": "battle",
}
BESIDES: dict[str, dict[str, str]] = {
    "order": {"text": "roll"}, "amend": {"datum": "map.sardeis.name", "value": "Sardes"},
    "paste": {"seat": "red", "number": "1"}, "new": {"seats": "red=A"}, "seat": {"who": "red"},
    "handover": {"output": "NEW"}, "components form": {"out": "NEW"},
    "components merge": {"out": "NEW"}, "components print": {"out": "NEW"}, "mail schedule": {"folder": "NEW"},
    "dev play": {"games": "0"}, "dev tamper": {"games": "0"}, "map": {"out": "NEW.svg"}, "page": {"out": "NEW.html"},
    "plot": {"out": "NEW.svg"}, "games": {"output": "NEW"}, "demo": {"output": "NEW"},
    "dev mutate": {"by": "cases", "sample": "0"}, "dev pace": {"games": "1"}, "dev prove": {"games": "0"},
    "mail setup": {"imap_host": "localhost", "smtp_host": "localhost", "address": "a@b.c", "secret_env": "X", "no_test": "",
                   "yes": ""},
}
INTEGER = type(click.INT)
# Where a text that is none would set hours of work going, or each takes a second.
LONG: dict[str, Callable[[str, str], bool]] = {
    "dev prove": lambda place, text: any(text in one.name for one in PARTS), "dev pace": lambda place, text: not text.strip(),
    "dev mutate": lambda place, text: place == "only" and text not in ("[1", "march"),
}


def takes(param: click.Parameter) -> tuple[str, ...]:
    """What sorts of nonsense go into a place."""
    kind = param.type
    if isinstance(param, click.Option) and param.is_flag:
        return ()
    if isinstance(kind, Made):
        return ("TARGET",)
    if isinstance(kind, (click.Choice, INTEGER)):
        return ("WORD", "NUMBER") if isinstance(kind, INTEGER) else ("WORD",)
    return ("TEXT", "FILE", "NO_FILE") if isinstance(kind, click.Path) else ("TEXT",)


def line(path: tuple[str, ...], command: click.Command, place: click.Parameter, nonsense: str) -> list[str]:
    """A line that is sound but for one place."""
    besides = BESIDES.get(" ".join(path), {})
    words, options = [], []
    last = command.params.index(place) if isinstance(place, click.Argument) else 0
    for number, one in enumerate(command.params):
        name = str(one.name)
        given = nonsense if one is place else besides.get(name) or (SOUND.get(name, "FILE") if one.required else None)
        if isinstance(one, click.Argument):
            if given is not None or number < last:
                words.append(SOUND[name] if given is None else given)
        elif one is place or name in besides or one.required:
            options += [one.opts[0]] if isinstance(one, click.Option) and one.is_flag else [one.opts[0], str(given)]
    return [*path, *words, *options]


def inputs(path: tuple[str, ...], command: click.Command) -> Iterator[list[str]]:
    """A hundred texts, one after the other in each place where the command takes one; and a hundred files likewise. What no
    place may take goes into each of its sort."""
    for sort, known in (("TEXT", TEXTS), ("FILE", [f"FILES/{name}" for name in FILES])):
        places = [one for one in command.params if sort in takes(one)]
        for number, nonsense in enumerate(known if places else ()):
            place = places[number % len(places)]
            if not LONG.get(" ".join(path), lambda place, text: False)(str(place.name), nonsense):
                yield line(path, command, place, nonsense)
    for sort, known in (("WORD", WORDS), ("NUMBER", NUMBERS), ("NO_FILE", NO_FILES), ("TARGET", NO_TARGETS)):
        for place in command.params:
            if sort in takes(place) and (sort != "NUMBER" or path[0] != "dev"):         # there a number is hours of work
                yield from (line(path, command, place, nonsense) for nonsense in known)


ALL = {" ".join(path): (path, command) for path, command in commands()}
READING = [name for name, (_, command) in ALL.items() if any(takes(one) for one in command.params)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nonsense")
    for name, data in {**FILES, "FILE": POSITION}.items():
        (folder / name).write_bytes(data)
    return folder


def lay(folder: Path) -> None:
    """What is no file to be read, under the names that are typed."""
    (folder / "folder").mkdir()
    os.mkfifo(folder / "fifo")
    (folder / "circle").symlink_to("circle")
    (folder / "nowhere").symlink_to("missing")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    monkeypatch.chdir(tmp_path)
    found(tmp_path / "g").run()
    CliRunner().invoke(main, ["mail", "setup", "--imap", "localhost", "--smtp", "localhost", "--address", "table@example.org",
                              "--secret-env", "NO_SUCH_THING", "--no-test", "--yes"])
    lay(tmp_path)
    return tmp_path / "g"


def contents(folder: Path) -> dict[str, tuple[int, ...]]:
    """When each file was written, and how long it is: whatever is written anew is another file."""
    files = [os.path.join(above, name) for above, _, names in os.walk(folder) for name in names  # noqa: PTH118 - each time
             if name not in (".lock", ".gitignore")]
    looked = [(path, os.lstat(path)) for path in sorted(files)]
    return {path: (seen.st_mtime_ns, seen.st_size, seen.st_ino) for path, seen in looked if stat.S_ISREG(seen.st_mode)}


def test_there_are_a_hundred_of_each() -> None:
    assert len(TEXTS) >= 100 and len(FILES) >= 100


@pytest.mark.parametrize("name", READING)
def test_nonsense_gets_a_sentence_and_changes_nothing(game: Path, files: Path, name: str) -> None:
    given, before = contents(files), contents(game.parent)
    for number, typed in enumerate(inputs(*ALL[name])):
        places = {"GAME": str(game), "FILE": str(files / "FILE"), "NEW": str(game.parent / f"new{number}"),
                  "NEW.svg": str(game.parent / f"new{number}.svg")}
        words = [re.sub("^(FILES|GAME)/", lambda named: f"{files if named[1] == 'FILES' else game}/", places.get(word, word))
                 for word in typed]
        result: Any = CliRunner().invoke(main, words)
        told = result.output
        assert "fault of the program" not in told and "Traceback" not in told, (words, told)
        assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
        if result.exit_code in (1, 2):
            assert re.search(r"\w{2,}.*\w{2,}", told), (words, told)
            assert len(told) < 4000, (words, len(told))
            after = contents(game.parent)
            assert [path for path in after | before if after.get(path) != before.get(path)] == [], words
        else:
            before = contents(game.parent)                      # some of it is none: `roll roll`, a zone, a note
    assert contents(files) == given


@pytest.mark.parametrize("name", ["game.yaml", "private.yaml", "overrides.yaml", ".mirror", ".mark", ".mark-public"])
def test_a_spoilt_file_of_the_game_itself_is_no_fault_of_the_program(game: Path, name: str) -> None:
    sound = {one: one.read_bytes() for one in game.iterdir() if one.is_file()}
    for data in [data for kind, data in FILES.items() if not kind.startswith(("cut", "other"))] + [
            sound.get(game / name, b"")[:at] for at in range(1, 200, 7)]:
        for one in game.iterdir():
            one.unlink()
        for one, whole in sound.items():
            one.write_bytes(whole)
        (game / name).write_bytes(data)
        result: Any = CliRunner().invoke(main, ["status", str(game)])
        assert result.exit_code in (0, 1) and isinstance(result.exception, SystemExit | None), (data[:40], result.exception)
        told = result.output
        assert "fault of the program" not in told and re.search(r"\w{2,}.*\w{2,}", told), (data[:40], told)


def test_nonsense_as_the_mailbox_of_a_command(game: Path, files: Path) -> None:
    """The one place for a file that belongs to a group."""
    for name in FILES:
        told = pbem("mail", "--config", files / name, "status", code=1).output
        assert re.search(r"\w{2,}.*\w{2,}", told) and "fault" not in told
