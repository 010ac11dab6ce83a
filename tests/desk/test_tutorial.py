"""The tutorial is played as it says, in every language; what is not done is not believed, and everything can be begun again."""

import shlex
from pathlib import Path

import pytest
from at_the_shell import main, said
from click.testing import CliRunner

from pbem.base.paths import languages, templates_dir
from pbem.desk.tutorial import CHECKS, HINT, Lesson
from pbem.telling.guide import Block, blocks, sections


def steps(language: str) -> list[list[Block]]:
    """What each step tells to type, and its hint."""
    pages = sections((templates_dir() / language / "guide" / "tutorial.md").read_text("utf-8"))
    return [list(blocks(page)) for page in pages[1:-1]]


def typed(line: str) -> str:
    """A line as a shell takes it; a refused order is a part of the lesson, and so is a log that does not hold."""
    words, _, file = line.partition(" > ") if "report" in line else (line, "", "")
    told = said(*shlex.split(words)[1:], code=int("Pella" in line or "Пелла" in line or line == "pbem verify forged"))
    if file:
        Path(file).write_text(told, "utf-8")
    return told


@pytest.mark.parametrize("language", languages())
def test_twelve_steps_are_played_as_they_are_told(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = said("tutorial", "-o", "lesson", "--language", language)
    monkeypatch.chdir("lesson")
    found = steps(language)
    assert len(found) == len(CHECKS) == 12
    for number, step in enumerate(found, 1):
        assert step[0].lines[0].startswith(f"{number}.") and step[0].lines[0] in told
        assert said("tutorial").endswith(told[told.index(step[0].lines[0]):])            # nothing is done yet
        (tasks,) = [one.lines for one in step if one.info == "do"]
        (hint,) = [one.lines for one in step if one.info == HINT]
        assert said("tutorial", "--hint").split("\n")[:-1] == [f"    {line}" for line in hint]
        heard = "".join(map(typed, tasks))
        if hint[0].startswith("pbem tutorial"):
            word = hint[0].split()[-1]
            assert word == "9.3A" and "9.3 A" in heard or word == "15" and "entry 15" in heard or number == 1
            told = typed(hint[0])
        else:
            told = said("tutorial")
    assert "pbem new --help" in " ".join(told.split()) and said("tutorial") in told            # it is over, and stays so


@pytest.mark.parametrize(("language", "waits", "asked", "entered"), [
    ("en", "Waiting for Anna", "You may answer", "done"), ("de", "auf Anna (Rot)", "Du kannst antworten", "erledigt"),
    ("it", "Si attende Anna (Rosso)", "Puoi rispondere", "eseguito"), ("ru", "Anna", "Можно ответить", "сделано"),
])
def test_the_game_speaks_the_language_of_the_lesson(language: str, waits: str, asked: str, entered: str, tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    """He has to look for things in what is printed."""
    said("tutorial", "-o", tmp_path / "lesson", "--language", language)
    monkeypatch.chdir(tmp_path / "lesson")
    told = said("order", "game", "red", "roll")
    assert entered in told and waits in " ".join(told.split())
    said("order", "game", "red", "march Antigonos > Ephesos")
    assert asked in said("options", "game", "blue")


def test_what_is_seen_may_be_written_as_it_stands_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said("tutorial", "-o", tmp_path / "lesson")
    monkeypatch.chdir(tmp_path / "lesson")
    said("tutorial", "red")
    said("order", "game", "red", "roll")
    said("tutorial")
    assert "Step 3 is done" in said("tutorial", "9.3", "A")


def test_what_somebody_claims_to_have_seen_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said("tutorial", "-o", tmp_path / "lesson")
    monkeypatch.chdir(tmp_path / "lesson")
    assert "Step 1 is not done yet" in said("tutorial", "blue")
    assert "Step 1 is done" in said("tutorial", "Red!")
    assert "Step 2 is not done yet" in said("tutorial", "red")


def test_a_step_can_be_begun_again_and_gone_back_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said("tutorial", "-o", tmp_path / "lesson")
    monkeypatch.chdir(tmp_path / "lesson")
    said("tutorial", "red")
    said("order", "game", "red", "end segment")                             # not what was meant
    assert "Step 2 is not done yet" in said("tutorial")
    said("tutorial", "--reset")
    said("order", "game", "red", "roll")
    assert "Step 2 is done" in said("tutorial")
    assert "2. An order" in said("tutorial", "--step", "2") and "Step 2 is not done yet" in said("tutorial")
    assert "you have begun 2" in said("tutorial", "--step", "3", code=1)
    assert "2. Un ordine" in said("tutorial", "--language", "it")


AT_STEP = ["tutorial red", "order game red roll", "tutorial 9.3A", "order game red 'march Antigonos > Ephesos'",
           "order game blue b", "order game yellow pass", "order game red withdraw", "", "posted game",
           "undo game last --reason key", "ruling game Yes --reason Agreed", "tutorial 15"]
ELSEWHERE = [["tutorial blue"], ["order game red end"], ["tutorial 9.3"],
             ["order game red 'march Antigonos > Pergamon > Pella'"], ["order game blue a", "order game blue c"],
             ["tutorial yellow"], ["order game red 'stay yes'"], ["tutorial bgg"], ["posted game 2"], ["tutorial last"],
             ["tutorial ruling"], ["tutorial 14"]]


def test_whatever_else_is_done_at_a_step_it_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the next step tells of would not have happened; and each step can be begun again from there."""
    said("tutorial", "-o", tmp_path / "lesson")
    monkeypatch.chdir(tmp_path / "lesson")
    for number, (right, wrong) in enumerate(zip(AT_STEP, ELSEWHERE, strict=True), 1):
        for line in wrong:
            words = shlex.split(line)
            told = CliRunner().invoke(main, words).output
            told = told if words[0] == "tutorial" else said("tutorial")
            assert f"Step {number} is not done yet" in told, (number, line)
        assert said("tutorial", "--reset").startswith(f"{number}. ")
        if right:
            told = said(*shlex.split(right))
        else:
            for name, form in (("report.md", "md"), ("report.txt", "bgg")):
                Path(name).write_text(said("report", "game", "--since", "1", "--format", form), "utf-8")
        told = told if right.startswith("tutorial") else said("tutorial")
        assert f"Step {number} is done" in told
    assert said("tutorial", "--hint") == said("tutorial")


@pytest.mark.parametrize("typed_so", ["9.3A", "9.3\u0410", "9.3 \u0430", "9.3a"])
def test_a_letter_of_a_russian_keyboard_is_the_one_that_it_looks_like(typed_so: str) -> None:
    assert CHECKS[2](Lesson(Path()), typed_so)


def test_a_folder_with_anything_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    assert "is not empty" in said("tutorial", "-o", tmp_path, code=1)
    assert [one.name for one in tmp_path.iterdir()] == ["letter.txt"]
