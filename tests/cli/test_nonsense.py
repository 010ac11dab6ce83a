"""Nonsense at every command that reads a file or a text: a sentence with what to do, nothing changed, no fault of the program.

The tree of commands is walked: a new command, or a new argument of one, without its row fails.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_the_shell import commands
from click.testing import CliRunner
from small_game import NOON, found

from pbem.cli.main import main

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
}
TEXTS = [
    "", " ", "?", "\0", "\x1b[31mred", "a", "-1", "99999999999999999999", "1e9", "None", "null", "{", "}{", "[1", "'", '"',
    "\\", "\\n\\n",
    "march", "march > >", "march Antigonos > > Pella", "b" * 5000, "\u202eevil", "ümläut ☃ 字", "<script>", "[b]roll[/b]",
    "; ; ;",
    "if", "if if if", "yes", "regardless", "play 999 as ops", "play as", "../../../etc/passwd", "$(ls)", "`ls`", "%s%s%n",
    "{{ 7 * 7 }}",
    "T9.R9.red.9", "red", "red blue", "Ephesos Ephesos", "0", "roll roll", "x=1", "=", "=1", "x=", "a.b.c", "generals..battle",
    "generals.nobody.battle", "2026-13-45", "2026-11-20T25:61Z", "a@b", "@", "last", "press", "standing:", "undo", "help me",
]
TEXTS += [f"{one} {other}" for one, other in zip(TEXTS[8:], TEXTS[20:], strict=False)]         # a hundred
POSITION = b"""\
turn: 2
segment: {player: red, kind: tyche}
spaces: {sardeis: blue}
forces:
- {owner: red, at: pella, cus: {loyal: 2}}
"""
FILES |= {f"cut_{at}": POSITION[:at] for at in range(3, len(POSITION) - 1, 4)}
FILES |= {f"other_{at}": POSITION[:at] + b"}x: {" + POSITION[at + 2:] for at in range(5, len(POSITION) - 1, 2)}


# What stands on the line besides the nonsense. GAME is the game, FILE a file and TEXT a text of nonsense; what is not listed
# reads neither, and says why.
ROWS: dict[str, list[list[str]]] = {
    "order": [["GAME", "red", "TEXT"], ["GAME", "TEXT", "roll"], ["GAME", "red", "--file", "FILE"], ["GAME", "red", "roll",
    "--die", "TEXT"],
              ["GAME", "red", "roll", "--question", "TEXT"]],
    "check": [["GAME", "red", "TEXT"], ["GAME", "red", "roll", "--hand", "TEXT"]],
    "file": [["GAME", "red", "TEXT"]], "run": [["GAME", "--close", "TEXT"], ["GAME", "--release", "TEXT"]],
    "undo": [["GAME", "TEXT", "--reason", "x"], ["GAME", "1", "--reason", "x", "--consent", "TEXT"]],
    "ruling": [["GAME", "x", "--facts", "TEXT"], ["GAME", "x", "--adjust", "TEXT"]],
    "amend": [["GAME", "TEXT", "4"], ["GAME", "--file", "FILE"], ["GAME", "--box", "FILE"]],
    "rebase": [["GAME", "FILE", "--reason", "x"]], "resume": [["GAME", "--due", "TEXT"]],
    "seat": [["GAME", "TEXT", "--name", "X"], ["GAME", "red", "--zone", "TEXT"], ["GAME", "red", "--language", "TEXT"]],
    "report": [["GAME", "--to", "TEXT"], ["GAME", "--since", "TEXT"], ["GAME", "--language", "TEXT"]],
    "posted": [["GAME", "TEXT"]], "blind": [["GAME", "TEXT"]], "log": [["GAME", "--kind", "TEXT"], ["GAME", "--seat", "TEXT"]],
    "position": [["GAME", "--to", "TEXT"], ["GAME", "--at", "TEXT"]], "diff": [["GAME", "TEXT"]],
    "map": [["GAME", "--text", "TEXT"], ["GAME", "--focus", "TEXT"]], "options": [["GAME", "TEXT"]],
    "odds": [["GAME", "battle", "TEXT"], ["GAME", "TEXT"]], "rules": [["TEXT"]],
    "verify": [["GAME", "--explain", "TEXT"], ["GAME", "--witness", "FILE"], ["GAME", "--hand", "FILE"]],
    "new": [["NEW", "--seat", "red=A", "--seat", "blue=B", "--position", "FILE"], ["NEW", "--seat", "red=A", "--seat",
            "blue=B", "--box", "FILE"],
            ["NEW", "--seat", "TEXT", "--seat", "blue=B"], ["NEW", "--seat", "red=A", "--seat", "blue=B", "--option", "TEXT"],
            ["NEW", "--seat", "red=A", "--seat", "blue=B", "--deadline", "TEXT"]],
    "begin": [["GAME", "--position", "FILE"]], "seed word": [["GAME", "TEXT", "x"]],
    "seed beacon": [["GAME", "TEXT", "TEXT"], ["GAME", "1", "TEXT"]],
    "paste": [["GAME", "red", "--post", "TEXT", "--file", "FILE"], ["GAME", "TEXT", "--post", "1", "--file", "FILE"]],
    "handover": [["NEW", "--open", "FILE"]], "ask": [["GAME", "red", "TEXT"], ["GAME", "TEXT", "status"]],
    "components check": [["FILE"]], "components diff": [["FILE", "FILE"]], "components merge": [["FILE", "FILE", "-o", "NEW"]],
    "components show": [["TEXT"], ["generals", "--box", "FILE"]], "status": [["FILE"]],
    "components form": [["--box", "FILE"]], "components print": [["--box", "FILE"]],
    "mail show": [["TEXT"]], "mail release": [["TEXT"], ["1", "--seat", "TEXT"]], "mail reject": [["TEXT"]],
    "mail resend": [["TEXT"]], "mail read": [["FILE"]], "mail restore": [["FILE"]],
    "mail address": [["GAME", "TEXT", "a@example.org"], ["GAME", "red", "TEXT"]], "mail observer": [["GAME", "TEXT"]],
    "mail --config FILE": [["status"]], "mail status": [["FILE"]], "dev sentences": [["--language", "TEXT"]],
}
NEITHER = {
    "note": "any text is a note", "hold": "any text is a reason", "draw": "any text is a reason", "publish": "it writes",
    "plot": "it draws",
    "demo": "it writes", "proof": "a game alone", "reserve": "a game and a seat", "seed new": "a game alone",
    "seed post": "a game alone", "seed status": "a game alone", "mend": "a game alone",
}
ELSEWHERE = ("mail", "dev")         # of these only what reads a file or a text; servers have tests of their own in tests/mail


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    monkeypatch.chdir(tmp_path)
    found(tmp_path / "g").run()
    CliRunner().invoke(main, ["mail", "setup", "--imap", "localhost", "--smtp", "localhost", "--address", "table@example.org",
                              "--secret-env", "NO_SUCH_THING", "--no-test", "--yes"])
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path / "g"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in (".lock", ".gitignore")}


def test_every_command_has_its_row() -> None:
    known = {" ".join(path) for path, _ in commands() if path[0] not in ELSEWHERE}
    assert known == {row for row in ROWS.keys() | NEITHER.keys() if row.split()[0] not in ELSEWHERE}


def typed(row: list[str], nonsense: str, game: Path) -> list[str]:
    return [{"GAME": str(game), "FILE": nonsense, "TEXT": nonsense, "NEW": str(game.parent / "new")}.get(word,
    word) for word in row]


def inputs(command: str) -> Iterator[tuple[list[str], str]]:
    """A hundred texts, one after the other in each place where the command takes one, and the files likewise."""
    for sort, known in (("TEXT", TEXTS), ("FILE", list(FILES))):
        rows = ROWS[command] if sort in command.split() else [
            row for row in ROWS[command] if sort in row and not (sort == "TEXT" and "FILE" in row)]
        yield from ((rows[number % len(rows)], one) for number, one in enumerate(known) if rows)


def test_there_are_a_hundred_of_each() -> None:
    assert len(TEXTS) >= 100 and len(FILES) >= 100


@pytest.mark.parametrize("command", ROWS)
def test_nonsense_gets_a_sentence_and_changes_nothing(game: Path, command: str) -> None:
    before = contents(game.parent)
    for row, nonsense in inputs(command):
        words = typed([*command.split(), *row], nonsense, game)
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
