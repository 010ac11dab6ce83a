"""The tutorial is played as it says, in every language; what is not done is not believed, and everything can be begun again."""

import shlex
from pathlib import Path

import pytest
from at_the_shell import main, said
from click.testing import CliRunner

from pbem.base.paths import games_dir, languages, templates_dir
from pbem.desk.desk import Desk
from pbem.desk.tutorial import CHECKS, HINT, WHOLE, Lesson, asked
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
            write_reports()
        told = told if right.startswith("tutorial") else said("tutorial")
        assert f"Step {number} is done" in told
    assert said("tutorial", "--hint") == said("tutorial")


def come_to(step: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything before this step is done as it is told; in the folder of the lesson from now on."""
    said("tutorial", "-o", folder / "lesson")
    monkeypatch.chdir(folder / "lesson")
    for number, line in enumerate(AT_STEP[:step - 1], 1):
        told = said(*shlex.split(line)) if line else write_reports()
        assert f"Step {number} is done" in (told if line.startswith("tutorial") else said("tutorial"))


def write_reports() -> str:
    for name, form in (("report.md", "md"), ("report.txt", "bgg")):
        Path(name).write_text(said("report", "game", "--since", "1", "--format", form), "utf-8")
    return ""


def test_reports_are_forgotten_with_the_step_that_wrote_them_and_not_later(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    come_to(10, tmp_path, monkeypatch)
    assert said("tutorial", "--step", "9").startswith("9. ") and Path("report.md").exists() and Path("report.txt").exists()
    assert said("tutorial", "--step", "8").startswith("8. ")
    assert not Path("report.md").exists() and not Path("report.txt").exists()
    assert "Step 8 is not done yet" in said("tutorial")
    write_reports()
    assert said("tutorial", "--step", "2").startswith("2. ") and not Path("report.md").exists()


@pytest.mark.parametrize("texts", [("the same", "the same"), ("one thing", "another"), (None, None)])
def test_two_files_are_no_two_reports(
        texts: tuple[str | None, str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    come_to(8, tmp_path, monkeypatch)
    report = said("report", "game", "--since", "1")
    for name, text in zip(("report.md", "report.txt"), texts, strict=True):
        Path(name).write_text(report if text is None else text, "utf-8")
    assert "Step 8 is not done yet" in said("tutorial")


def test_whoever_was_quicker_than_the_lesson_is_not_asked_for_it_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    come_to(4, tmp_path, monkeypatch)
    for line in AT_STEP[3:6]:
        said(*shlex.split(line))
    assert [f"Step {step} is done" in said("tutorial") for step in (4, 5, 6)] == [True, True, True]


@pytest.mark.parametrize(("lines", "open_now"), [
    (["order game red withdraw", "undo game last --reason key"], "withdrawal"),
    (["undo game 4 --reason key --override"], "activation"), (["ruling game Agreed --facts 'over: {by: agreement}'"], "")])
def test_who_has_not_gone_back_or_has_taken_it_back_is_not_back(
        lines: list[str], open_now: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    come_to(7, tmp_path, monkeypatch)
    for line in lines:
        said(*shlex.split(line))
    assert asked(Desk(Path("game"))) == open_now
    assert "Step 7 is not done yet" in said("tutorial")


def test_a_game_that_has_ended_is_not_what_the_lesson_goes_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for step in (4, 5):
        (tmp_path / str(step)).mkdir()
        come_to(step, tmp_path / str(step), monkeypatch)
        said("ruling", "game", "Agreed", "--facts", "over: {by: agreement}")
        assert f"Step {step} is not done yet" in said("tutorial")
        assert said("tutorial", "--reset").startswith(f"{step}. ")


def test_what_was_played_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    come_to(10, tmp_path, monkeypatch)
    assert "This log holds" in said("verify", "game", code=3)           # that nobody gave a word is remarked


def test_of_the_forged_game_a_single_die_is_better(tmp_path: Path) -> None:
    said("tutorial", "-o", tmp_path)                                # a folder that is there and empty will do
    played, forged = ((folder / "game.yaml").read_text("utf-8").splitlines() for folder in (
        games_dir() / WHOLE, tmp_path / "forged"))
    ((before, after),) = [pair for pair in zip(played, forged, strict=True) if pair[0] != pair[1]]
    ((old, new),) = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert "do: roll" in before and int(new) == int(old) + 1


@pytest.mark.parametrize("typed_so", ["9.3A", "9.3\u0410", "9.3 \u0430", "9.3a"])
def test_a_letter_of_a_russian_keyboard_is_the_one_that_it_looks_like(typed_so: str) -> None:
    assert CHECKS[2](Lesson(Path()), typed_so)


def test_a_folder_with_anything_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    assert "is not empty" in said("tutorial", "-o", tmp_path, code=1)
    assert [one.name for one in tmp_path.iterdir()] == ["letter.txt"]
