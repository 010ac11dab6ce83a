"""What `--json` prints has its published form: data/schemas, a definition for each command, over games that begin and that end.

The tree of commands is walked: one with `--json` that has no definition, or no lines here, fails.
"""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from small_game import NOON, at_window, found

from pbem.base.paths import data_dir
from pbem.cli.main import main

TESTS = Path(__file__).parents[1]
SCHEMAS = {name: json.loads((data_dir() / f"schemas/{name}.json").read_text()) for name in ("commands", "position")}
KNOWN = Registry().with_resources((one["$id"], DRAFT202012.create_resource(one)) for one in SCHEMAS.values())
SEATS = ["--seat", "red=Anna", "--seat", "blue=Bruno", "--seat", "yellow=Chiara"]
REASON = ["--reason", "x"]
# Lines of each command. GAME waits at Red's first order, WINDOW for two answers, OVER has ended, NEW is not there yet; FORM
# is a filled form of the box, OUT a file that is not there.
LINES: dict[str, list[list[str]]] = {
    "amend": [["GAME", "generals.antigonos.initiative", "4"], ["GAME", "generals.antigonos.initiative", "4", "--dry-run"]],
    "ask": [["GAME", "red", "status"], ["GAME", "red", "history", "--dry-run"], ["GAME", "red"]],
    "begin": [["FOUNDED", "--silent", "--dry-run"], ["FOUNDED", "--silent"]],
    "blind": [["GAME", "red", "--dry-run"], ["GAME", "red"], ["GAME", "off"]],
    "check": [["GAME", "red", "roll\\nmarch Antigonos > Ephesos"], ["GAME", "red", "march Antigonos > Pella"],
              ["WINDOW", "blue", "pass"]],
    "components check": [["FORM"], ["BROKEN"]], "components diff": [["FORM", "OTHER"]], "components form": [[]],
    "components merge": [["FORM", "OTHER"]], "components print": [[]],
    "components show": [["generals.kassandros.battle"], ["generals.kassandros"], ["paths", "--box", "FORM"]],
    "dev cases": [["CASES", "--only", "9.3"]], "dev pace": [["--games", "1", "--players", "2", "--mind", "random"]],
    "dev play": [["--games", "1", "--players", "2", "--swift", "--jobs", "1"], ["--march", "--games", "3"]],
    "dev replay": [["SCRIPT"]],
    "diff": [["GAME", "1", "1"], ["WINDOW", "1"], ["OVER", "5", "40"]],
    "draw": [["GAME", *REASON, "--dry-run"], ["GAME", *REASON]],
    "file": [["GAME", "blue"], ["GAME", "blue", "card: play 50 as surprise"], ["GAME", "blue", "--take-back", "1"]],
    "hold": [["GAME", "away", "--dry-run"], ["GAME", "away"]],
    "log": [["GAME"], ["WINDOW", "--seat", "red"], ["OVER"]],
    "mail read": [["LETTER"], ["LETTER", "BROKEN"]], "mail status": [[], ["GAME"]],
    "map": [["GAME"], ["GAME", "--text", "Lydia"], ["OVER", "-o", "out.svg", "--dry-run"]],
    "mend": [["OVER", *REASON, "--dry-run"]],
    "new": [["NEW", *SEATS, "--dry-run"], ["NEW", *SEATS], ["NEWER", *SEATS, "--by-hand", "--position", "START"]],
    "note": [["GAME", "hello", "--dry-run"], ["GAME", "hello"]],
    "odds": [["GAME", "intercept", "Lysimachos", "Ephesos"], ["GAME", "battle", "Antigonos", "Lysimachos", "Sardeis"],
             ["GAME", "evade", "Lysimachos"]],
    "options": [["GAME"], ["GAME", "blue"], ["GAME", "red", "march"], ["WINDOW", "--all"], ["OVER"]],
    "order": [["GAME", "red", "roll"], ["GAME", "red", "nonsense"], ["GAME", "red", "march Antigonos > Ephesos", "--dry-run"],
              ["WINDOW", "blue", "pass"], ["WINDOW", "blue", "intercept Lysimachos with all"]],
    "page": [["GAME", "-o", "NEW", "--dry-run"], ["WINDOW", "--to", "blue", "-o", "NEW"]],
    "plot": [["GAME"], ["OVER", "--dry-run", "-o", "out.svg"]],
    "position": [["GAME"], ["WINDOW", "--to", "blue", "--since", "1"], ["OVER"], ["OVER", "--at", "300"],
                 ["GAME", "-o", "OUT", "--dry-run"]],
    "posted": [["GAME", "--dry-run"], ["WINDOW", "2"]],
    "publish": [["GAME", "NEW", "--dry-run"], ["GAME", "NEW"]],
    "rebase": [["GAME", "START", *REASON, "--dry-run"], ["GAME", "START", *REASON]],
    "report": [["GAME"], ["WINDOW", "--to", "blue", "--since", "1"], ["WINDOW", "--to", "moderator"], ["OVER", "--since", "1"],
               ["OVER", "--at", "200", "--since", "150"]],
    "reserve": [["RESERVED", "blue", "battle", "--dry-run"], ["RESERVED", "blue", "battle"]],
    "resume": [["HELD", "--dry-run"], ["HELD"]],
    "rules": [[], ["11.2"], ["8.3", "--edition", "draft"], ["--diff", "fourth", "third"]],
    "ruling": [["GAME", "A gift", "--adjust", "red.VP=+2"], ["GAME", "A gift", "--adjust", "red.VP=+2", "--dry-run"]],
    "run": [["GAME"], ["WINDOW", "--dry-run"], ["WINDOW", "--overdue"]],
    "seat": [["GAME"], ["GAME", "blue", "--name", "Berta"], ["GAME"], ["GAME", "blue", "--neutral", "--dry-run"], ["FOUNDED"]],
    "seed beacon": [["LIT", "1", "5d" * 32, "--dry-run"], ["LIT", "1", "5d" * 32]],
    "seed new": [["UNSEEDED"]], "seed post": [["FOUNDED"]], "seed status": [["FOUNDED"], ["GAME"]],
    "seed word": [["FOUNDED", "red", "snow", "--dry-run"], ["FOUNDED", "red", "snow"]],
    "status": [["GAME"], ["GAME", "--public"], ["WINDOW"], ["FOUNDED"], ["HELD"], ["OVER"]],
    "undo": [["WINDOW", "2", *REASON, "--dry-run"], ["WINDOW", "last", *REASON, "--override"]],
    "verify": [["GAME"], ["OVER"], ["OVER", "--entries"]],
}


def commands(group: click.Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    for name, one in sorted(group.commands.items()):
        if isinstance(one, click.Group):
            yield from commands(one, (*path, name))
        else:
            yield " ".join((*path, name)), one


def speaking() -> set[str]:
    return {name for name, one in commands() if any("--json" in param.opts for param in one.params)}


def valid(command: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"{SCHEMAS['commands']['$id']}#/$defs/{command.replace(' ', '%20')}"}, registry=KNOWN)


class Table:
    """Games and files by the names that the lines have for them, made when they are wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def typed(self, word: str) -> str:
        if not re.fullmatch("[A-Z]{3,}", word):
            return word
        place = self.folder / word.lower()
        if not place.exists():
            getattr(self, word.lower(), lambda _: None)(place)
        return str(TESTS / "cases/rulebook-4e.yaml" if word == "CASES" else place)

    def script(self, place: Path) -> None:
        whole = (TESTS / "replays/example-3e-turn1.yaml").read_text()
        place.write_text(whole[:whole.index("- id: t1.r1.nevin.tyche.2")].replace("direction: clockwise", "direction: back"))

    def game(self, place: Path) -> None:
        found(place, cards=True).run()

    def window(self, place: Path) -> None:
        at_window(place)

    def reserved(self, place: Path) -> None:
        found(place, cards=True, windows="reserved")

    def held(self, place: Path) -> None:
        at_window(place).hold("away")

    def over(self, place: Path) -> None:
        place.mkdir()
        (place / "game.yaml").write_bytes(gzip.decompress((TESTS / "log/kept/two.yaml.gz").read_bytes()))

    def founded(self, place: Path) -> None:
        called("new", str(place), *SEATS)

    def lit(self, place: Path) -> None:
        with pytest.MonkeyPatch.context() as before:
            before.setenv("PBEM_NOW", "2023-08-01T12:00Z")
            called("new", str(place), *SEATS, "--beacon", "drand:quicknet:1")

    def unseeded(self, place: Path) -> None:
        called("new", str(place), *SEATS, "--by-hand")

    def start(self, place: Path) -> None:
        place.write_text("turn: 2\nsegment: {player: red, kind: tyche}\nspaces: {sardeis: blue}\n"
                         "forces:\n- {owner: red, at: pella, generals: [antigonos], cus: {loyal: 2}}\n")

    def form(self, place: Path) -> None:
        called("components", "form", "-o", str(place))

    def other(self, place: Path) -> None:
        self.form(place)
        text = place.read_text()
        place.write_text(text.replace("[ ] Perdikkas     3 3", "[x] Perdikkas     4 3"))
        assert place.read_text() != text

    def broken(self, place: Path) -> None:
        place.write_text("generals: {nobody: {battle: many}}\n")

    def letter(self, place: Path) -> None:
        place.write_bytes(b"From: Anna <anna@example.com>\nSubject: [small] orders\n\nroll\n\n> quoted\n> more\n\n-- \nAnna\n")


def called(*words: str) -> str:
    result = CliRunner().invoke(main, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
    return result.stdout


def outputs(command: str, folder: Path) -> Iterator[tuple[list[str], str]]:
    table = Table(folder)
    for line in LINES[command]:
        words = [*command.split(), *(table.typed(word) for word in line), "--json"]
        yield words, called(*words)


def cut_short(log: str, place: Path, count: int) -> Iterator[None]:
    """A kept game as it stood at so many moments from its first entry to its last."""
    text = gzip.decompress((TESTS / f"log/kept/{log}.yaml.gz").read_bytes()).decode()
    starts = [one.start() for one in re.finditer("^- ", text, re.MULTILINE)]
    place.mkdir()
    for part in range(count):
        (place / "game.yaml").write_text(text[:starts[1 + part * (len(starts) - 2) // count]])
        yield
    (place / "game.yaml").write_text(text)
    yield


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    monkeypatch.chdir(tmp_path)
    called("mail", "setup", "--imap", "localhost", "--smtp", "localhost", "--address", "table@example.org",
           "--secret-env", "NO_SUCH_THING", "--no-test", "--yes")
    return tmp_path


def test_the_schemas_are_schemas() -> None:
    for name, schema in SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        assert schema["$id"] == f"pbem/{name}/1"


def test_every_command_that_speaks_to_programs_has_its_definition_and_its_lines() -> None:
    shared = {name for name in SCHEMAS["commands"]["$defs"] if name[0].isupper()}
    assert speaking() == SCHEMAS["commands"]["$defs"].keys() - shared == LINES.keys()


@pytest.mark.parametrize("command", LINES)
def test_what_a_command_prints_has_the_published_form(command: str, room: Path) -> None:
    judge = valid(command)
    for words, text in outputs(command, room):
        data = json.loads(text)
        assert data["format"] == 1
        assert [f"{error.json_path}: {error.message}"[:400] for error in judge.iter_errors(data)] == [], words


@pytest.mark.parametrize("log", ["five", "options", "third", "war-4"])
def test_so_it_is_from_the_first_entry_of_a_game_to_its_last(log: str, room: Path) -> None:
    kinds = set()
    for _ in cut_short(log, room / "g", 5):
        for words in (["status"], ["options", "--all"], ["report", "--since", "1"], ["seat"]):
            data = json.loads(called(words[0], "g", *words[1:], "--json"))
            assert [f"{error.json_path}: {error.message}"[:400] for error in valid(words[0]).iter_errors(data)] == [], words
            kinds |= {one["kind"] for one in data.get("questions", ()) if one["question"]}
    assert len(kinds) > 2


def test_a_form_that_nobody_knows_is_noticed(room: Path) -> None:
    """The definitions let nothing through that they do not name."""
    data = json.loads(called("status", Table(room).typed("GAME"), "--json"))
    assert valid("status").is_valid(data)
    for other in ({**data, "format": 2}, {**data, "more": 1}, {key: data[key] for key in data if key != "head"}):
        assert not valid("status").is_valid(other)
