"""Every command that README, docs and --help print is run as it stands there, in a folder where it has a meaning.

A block of commands is one evening: it is run from its first line to its last. Words in capitals are filled in. What cannot
be run here stands in one table with the reason, and has to name commands and options that there are all the same.
"""

import re
import shlex
import shutil
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from at_the_shell import commands, said
from click.testing import CliRunner
from small_game import NOON

from pbem.cli.main import main
from pbem.log.gamelog import read_game
from pbem.mail import backup, config

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
GAME = "games/anabasis"
ALL = {" ".join(path): command for path, command in commands()}
NO_RUN = {
    **dict.fromkeys(("mail setup", "mail test", "mail run", "mail poll", "mail send"),
                    "wants servers; tests/mail has some, and its tests call these"),
    **dict.fromkeys(("mail show", "mail release", "mail reject"), "wants a mail that came: tests/mail"),
    **dict.fromkeys((name for name in ALL if name.startswith("dev ") and name != "dev sentences"),
                    "takes minutes to hours: tests/dev plays a small part of each"),
    "seed beacon games/lit --fetch": "wants the net: tests/desk/test_beacon.py",
    **dict.fromkeys(("dev sentences --language xx", "report GAME --language xx", "new --language public=xx"),
                    "a language that there is not yet"),
}
# Words that stand for something; what is behind ... is left to the reader.
STANDS_FOR = {
    r"GAME|FOLDER|games/(?:x|lit)": GAME, "SEAT": "blue", "ADDRESS": "a@example.org", "NEW": "Gero", "MAIL": "last-mail.eml",
    r"ID|T2\.R3\.red\.5": "{open}", "ROUND|9876543": "{round}", r"RANDOMNESS|5d2b\.\.\.": "5d" * 32, r"\[[A-Z]+\]": "",
    "N": "{edited}", "A": "Kassandros", "B": "Lamia", "C": "Larisa", "/mnt/copy/pbem": "pbem", "~/table": "table",
}
POSITION = """\
turn: 2
mp: {kassandros: 5}
segment: {player: red, kind: activation}
spaces: {boiotia: red, pella: blue, trikka: green}
hands: {red: [12, 57], blue: [54], green: [5]}
forces:
- {owner: red, at: boiotia, generals: [kassandros], cus: {mercenary: 3, loyal: 3}}
- {owner: blue, at: pella, generals: [lysimachos], cus: {mercenary: 2, loyal: 2}}
- {owner: green, at: trikka, generals: [demetrios], cus: {loyal: 3}}
"""
MARCH = "march Kassandros > Lamia > Larisa"
SEATS = "--seat red=Anna --seat blue=Bruno --seat green=Gina"
NEW = f"new {GAME} {SEATS}"
# The moments of which commands speak: which one comes before it, and what leads from there to it.
MADE: dict[str, tuple[str, list[str]]] = {
    "nothing": ("", []), "by_hand": ("", [f"{NEW} --by-hand"]), "invited": ("", [f"{NEW} --words-until 2026-12-01"]),
    "beacon": ("", [f"{NEW} --words-until 2026-11-18T13:00Z --beacon drand:quicknet:2026-11-18T14:00Z"]),
    "turn": ("", [f"{NEW} --position turn.yaml --windows reserved", *(f"note {GAME} {number}" for number in range(132))]),
    "blue": ("", [f"{NEW} --position blue.yaml --windows reserved"]),
    "worded": ("invited", [f"seed word {GAME} {seat} 'a word of {seat}'" for seat in ("red", "blue", "green")]),
    "older": ("invited", [f"begin {GAME} --silent --position turn.yaml"]),
    "window": ("turn", [f"order {GAME} red '{MARCH}'"]), "held": ("turn", [f"hold {GAME} travels"]), "edited": ("turn", []),
}
AT = {
    "new": "nothing", "seed new": "by_hand", "seed word": "invited", "seed status": "invited", "seed post": "invited",
    "begin": "worded", "seed beacon": "beacon", "check": "turn", "options": "blue", "resume": "held", "rebase": "turn",
    "order games/x red": "turn", "mail status": "turn", "components form": "nothing", "mend": "older",
    f"amend {GAME} --accept": "edited",
}
FILE = {"begin": "turn.yaml", "new": "turn.yaml", "amend": "list.yaml", "handover": "packet.tar.gz", "map": "new.yaml",
        "position": "new.yaml"}


class Printed(NamedTuple):
    """Commands that belong together, and where they stand; in prose some are only named."""

    where: str
    lines: tuple[str, ...]
    prose: bool = False


def printed() -> Iterator[Printed]:
    for page in PAGES:
        text = page.read_text("utf-8")
        for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
            lines = [found[1] for line in block.replace("\\\n", " ").splitlines()
                     if (found := re.match(r"(?:[A-Z_]+=\S+ )?(pbem .*)", line.strip()))]
            if lines:
                yield Printed(page.name, tuple(lines))
        prose = " ".join(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split())
        for line in re.findall(r"`(?:[A-Z_]+=\S+ )?(pbem [^`]+)`", prose):
            yield Printed(page.name, (line,), prose=True)
    for path, command in ALL.items():
        lines = re.findall(r"Example:\s+(pbem .*)", command.help or "")
        assert lines, f"{path} has no example"
        for line in lines:
            yield Printed(f"{path} --help", (line,))


EVERY = list({one.lines: one for one in sorted(printed(), key=lambda one: not one.prose)}.values())


def words_of(line: str) -> list[str]:
    return shlex.split(line, comments=True)[1:]


def command_of(words: list[str]) -> tuple[str, list[str]]:
    """The command that a line calls, and its own words; `mail --config FILE ...` is one of mail."""
    path: list[str] = []
    rest = list(words)
    while rest and (" ".join([*path, rest[0]]) in ALL or any(one.startswith(" ".join([*path, rest[0]]) + " ") for one in ALL)):
        path.append(rest.pop(0))
        if path == ["mail"] and rest[:1] == ["--config"]:
            del rest[:2]
    return " ".join(path), rest


def options_of(command: click.Command) -> set[str]:
    return {option for param in command.params for option in param.opts} | {"--help", "-h"}


def test_every_command_that_is_printed_is_there() -> None:
    """In sentences, too: what a refusal or the to-do list tells to type."""
    texts = [(path.name, line) for path in sorted((ROOT / "templates").glob("*/*.yaml"))
             for line in re.findall(r"[\"'„“«`]pbem ([a-z][^\"„“«»().,;:`'\\]*)", path.read_text("utf-8"))]
    for where, line in [*((one.where, line.removeprefix("pbem ")) for one in EVERY for line in one.lines), *texts]:
        words = line.split("#")[0].split()
        path, rest = command_of([word for word in words if word != "COMMAND"])
        known = options_of(ALL[path]) if path in ALL else {"--help", "--config"}
        assert path or words[0] == "COMMAND", (where, line)
        assert {word for word in rest if re.match(r"--[a-z]", word)} <= known, (where, line)


# --- where they have a meaning -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Each moment in a folder of its own, with the files that commands name."""
    at, files = tmp_path_factory.mktemp("stages"), tmp_path_factory.mktemp("files")
    numbers = count(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_NOW", NOON.isoformat())
        patch.setattr("secrets.token_bytes", lambda size: bytes((next(numbers) * 7 + one) % 256 for one in range(size)))
        patch.chdir(files)
        said("components", "form", "-o", "box.yaml")
        for name in ("annas.yaml", "brunos.yaml"):
            shutil.copy("box.yaml", name)
        for name, text in {
            "turn.yaml": POSITION, "turn3.yaml": POSITION.replace("[12, 57]", "2").replace("[54]", "1").replace("[5]", "1"),
            "blue.yaml": POSITION.replace("player: red", "player: blue").replace("mp: {kassandros: 5}\n", ""),
            "post.txt": "I come.\n**b**\n", "list.yaml": "- {datum: generals.kassandros.battle, value: 4}\n",
            "strange.eml": "From: Anna <a@example.org>\nMessage-ID: <1@example.org>\nSubject: orders\n\nroll\n",
        }.items():
            Path(name).write_text(text, "utf-8")
        Path("password").touch(0o600)
        said("mail", "setup", "--imap", "localhost", "--smtp", "localhost", "--address", "table@example.org",
             "--secret-file", "password", "--no-test", "--yes")
        with Path("mail.yaml").open("a") as settings:
            settings.write("backup: {file: pbem.backup, encrypt: cat, decrypt: cat}\n")
        Path("table").mkdir()
        shutil.copy("mail.yaml", "table/mail.yaml")

        def edit(what: str, by: str) -> None:
            log = Path(GAME, "game.yaml")
            log.write_text(re.sub(what, by, log.read_text("utf-8")), "utf-8")

        for name, (before, lines) in MADE.items():
            shutil.copytree(at / before if before else files, at / name)
            patch.chdir(at / name)
            for line in lines:
                said(*shlex.split(line))
                if name == "older":
                    edit(r"(?m)^fixes: \d+", "fixes: 0")
            if name == "edited":
                edit(r'note: "7"}', "note: edited}")
            if name == "window":
                Path("last-mail.eml").write_text(said("order", GAME, "green", "pass") + said("status", GAME))
                said("handover", GAME, "-o", "packet.tar.gz")
                backup.copy(config.read(Path()), [Path(GAME)])
                Path(GAME, "overrides.yaml").write_text(Path("list.yaml").read_text())
        yield at


def filled(words: list[str], path: str) -> list[str]:
    """What stands for something is what it stands for, in this folder."""
    game = read_game(Path(GAME)) if Path(GAME).exists() else None
    facts = {"open": "", "round": "", "edited": ""}
    if game is not None:
        facts["open"] = next((str(one["ask"]) for one in reversed(game.entries) if "ask" in one), "")
        facts["edited"] = str(next((place for place, one in enumerate(game.entries, 1) if one.get("note") == "edited"), ""))
        facts["round"] = str((game.header.get("chance") or {}).get("beacon", "")).rpartition(":")[2]
    out = []
    for word in words:
        for pattern, meaning in {**STANDS_FOR, "FILE": FILE.get(path, "")}.items():
            word = re.sub(rf"(?<![\w{{])(?:{pattern})(?![\w}}])", meaning, word)
        if word:
            out.append(word.format_map(facts) if word.strip("{}") in facts else word)
    return ["games/other" if "--open" in words and word == GAME else word for word in out]


def reason_not_to(line: str) -> str:
    path, rest = command_of(words_of(line))
    typed = f"{path} {' '.join(rest)} "
    return next((reason for start, reason in NO_RUN.items() if typed.startswith(f"{start} ")), "")


def whole(line: str) -> str:
    """What is left to the reader."""
    line = line.replace("--seat ...", SEATS)
    return re.sub(r'\s"?\.\.\."?', "", re.sub(r'--reason "?\.\.\."?', "--reason x", line))


def run(line: str, tmp: Path, patch: pytest.MonkeyPatch) -> None:
    line, _, typed = whole(line).partition(" < ")
    path, rest = command_of(words_of(line))
    words = [*path.split(), *filled(rest, path)]
    command = ALL[path]
    if path == "new" and rest[0].startswith("-"):
        words[1:1] = ["games/new", *SEATS.split()]
    elif any(one.name == "game" and one.required for one in command.params) and not any(GAME in word for word in words):
        patch.chdir(GAME)                               # where its name may be left out
        words = [str(Path("../..", word)) if Path("../..", word).is_file() else word for word in words]
    words = [word.replace("/tmp/", f"{tmp}/").replace("~", str(tmp)) for word in words]
    if "--box" in words and path == "amend" and not read_game(Path(GAME)).entries:
        said("begin", GAME, "--silent")                 # the game is under way, and more of the box has been read
        Path("box.yaml").write_text(Path("box.yaml").read_text().replace("[ ]", "[x]", 1))
    if path == "seed beacon":
        patch.setenv("PBEM_NOW", "2026-12-02T00:00Z")
    for option, name in pairwise(words):
        if option in ("-o", "--out"):
            Path(name).unlink(missing_ok=True)
    result = CliRunner().invoke(main, words, input=Path(typed).read_text() if typed else "")
    assert result.exit_code in ((0, 3) if path == "verify" else (0,)), (words, result.output, result.exception)


def is_run(line: str) -> bool:
    return command_of(words_of(line))[0] in ALL and not reason_not_to(line)


def is_only_named(one: Printed) -> bool:
    """In prose: a command, or a command with an option and without what belongs to it."""
    path, rest = command_of(words_of(one.lines[0]))
    wanting = {option for param in ALL[path].params if isinstance(param, click.Option) and not param.is_flag
               for option in param.opts} if path in ALL else set()
    return one.prose and (not rest or len(rest) == 1 and rest[0] in wanting)


RUN = [one for one in EVERY if any(map(is_run, one.lines)) and not is_only_named(one)]


@pytest.mark.parametrize("one", RUN, ids=lambda one: f"{one.where}: {one.lines[0]}"[:70])
def test_it_runs_as_it_is_printed(one: Printed, stages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    first = one.lines[0].removeprefix("pbem ")
    moment = next((at for start, at in AT.items() if f"{first} ".startswith(f"{start} ")), "window")
    shutil.copytree(stages / moment, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    for line in filter(is_run, one.lines):
        run(line, tmp_path, monkeypatch)
