"""What a command says of a game is in the game's language, or in the one that was asked for; what programs read is not."""

import json
import re
from pathlib import Path
from shutil import copytree

import pytest
from at_the_shell import pbem, said

from pbem.base.paths import games_dir, languages
from pbem.log.gamelog import language_of

# Of each command that a moderator types: how it comes out well, then a refusal or several.
SAYS = (
    "status", "report --since 600", "log --since 560", "log --kind close", "options", "odds siege red Sardeis",
    "verify --details", "verify --entries", "verify --explain T1,R1,red,activation,movement,1", "diff 40 52", "position",
    "posted 600 --dry-run", "note X --dry-run", "publish {folder} --dry-run",
)
REFUSES = (
    "undo 5000 --reason X", "undo nobody-said-this --reason X", "amend --accept 3", "order red X", "report --to mauve",
    "verify --explain T9,R9,nobody", "odds battle X Y Z", "resume", "order mauve X", "report --since 600 --to mauve",
)
# What no language has of its own: what is typed or named in files, and what somebody wrote.
OWN = re.compile(r"pbem [^«»\n]*|[\w./-]+\.yaml|--\w+|«[^»]*»|printf [^\n]*|[\w,]*,[\w,]+|Bruno wrote [^.]*")
ENGLISH = re.compile(r"\b[A-Za-z]{2,}(?:[ ,;:]+[A-Za-z]{2,}){2,}")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game whose moderator reads Russian: an alphabet in which nothing English goes unseen."""
    folder, shipped = tmp_path_factory.mktemp("games") / "duel", games_dir() / "duel"
    folder.mkdir()
    (folder / "game.yaml").write_text((shipped / "game.yaml").read_text("utf-8").replace(
        "title: A duel", "title: Дуэль\nlanguage: ru"), "utf-8")
    (folder / "private.yaml").write_bytes((shipped / "private.yaml").read_bytes())
    return folder


def words_of(line: str, game: Path) -> list[str]:
    command, *rest = line.split()
    return [command, str(game), *(word.format(folder=game.parent / "public") for word in rest)]


def untranslated(text: str, game: Path) -> list[str]:
    return ENGLISH.findall(OWN.sub("", text.replace(str(game.parent), "")))


@pytest.mark.parametrize("line", SAYS)
def test_a_command_speaks_the_language_of_its_game(game: Path, line: str) -> None:
    assert untranslated(said(*words_of(line, game)), game) == []


@pytest.mark.parametrize("line", REFUSES)
def test_a_refusal_speaks_the_language_of_its_game(game: Path, line: str) -> None:
    result = pbem(*words_of(line, game), code=2 if "mauve" in line and "report" in line else 1)
    told = result.output.rpartition("--to: ")[2]        # before it stands what says that a line was typed wrong
    assert re.search("[а-я]", told) and untranslated(told, game) == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("command", [
    "status", "report --since 680", "log --since 670", "odds siege red Sardeis", "verify --epoch 1", "position"])
def test_a_language_that_is_asked_for_is_spoken(game: Path, command: str, language: str) -> None:
    text = said(*words_of(command, game), "--language", language)
    assert bool(re.search("[а-я]{3}", text.replace("Дуэль", ""))) == (language == "ru")


def test_a_refusal_is_in_the_language_that_was_asked_for(game: Path) -> None:
    assert said("odds", game, "battle", "X", "--language", "de", code=1).startswith("nicht ")


def test_a_log_that_cannot_be_read_is_refused_in_its_own_language(game: Path, tmp_path: Path) -> None:
    broken = tmp_path / "game.yaml"
    broken.write_text((game / "game.yaml").read_text("utf-8") + "- {dooo: march}\n", "utf-8")
    for command in ("status", "log"):
        assert "строка" in said(command, tmp_path, code=1)
    assert "этот журнал не сходится" in said("verify", tmp_path, code=1).casefold()


@pytest.mark.parametrize(("header", "language"), [
    ("game: g\nlanguage: ru\nlog:\n", "ru"), ("", ""), ('language: "de"\nlog:\n', "de"),
    ("game: g\nlog:\n- {language: it}\nlanguage: it\n", ""), ("\0", "")])
def test_the_language_of_a_log_is_that_of_its_header(tmp_path: Path, header: str, language: str) -> None:
    (tmp_path / "game.yaml").write_text(header, "utf-8")
    assert language_of(tmp_path) == language


def test_what_programs_read_is_the_same_whatever_is_spoken(game: Path) -> None:
    told = said("verify", game, "--json")
    assert told == said("verify", game, "--json", "--language", "it") and not re.search("[а-я]", told)
    assert {one["detail"] for one in json.loads(told)["checks"]} >= {"2", "59 cards"}
    assert said("log", game, "--json") == said("log", game, "--json", "--language", "it")


@pytest.mark.parametrize("line", ["address {game} red anna@example.org", "observer {game} friend@example.net"])
def test_so_are_the_addresses_of_a_game(game: Path, tmp_path: Path, line: str) -> None:
    copied = Path(copytree(game, tmp_path / "duel"))
    text = said("mail", *line.format(game=copied).split())
    assert re.search("[а-я]", text) and untranslated(text, copied) == []
