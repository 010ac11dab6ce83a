"""The terminal of the tutorial's page, asked as a browser asks it: the twelve steps by what is typed and clicked there."""

import shutil
import sys
from pathlib import Path

import pytest
from at_the_lesson import Page, hints
from at_the_shell import said

from pbem.base import clock
from pbem.base.paths import languages
from pbem.cli.terminal import read
from pbem.desk.tutorial import CHECKS
from pbem.page import lesson
from pbem.page.engine import NOT_THERE

NOT_IN_A_PAGE = [room for room in NOT_THERE if room not in lesson.ROOMS]


@pytest.mark.parametrize("language", languages())
def test_twelve_steps_are_played_by_what_stands_there(language: str, tmp_path: Path) -> None:
    """What a button types, no more; and the words that a step asks for."""
    page = Page(tmp_path, language)
    own = hints(language)
    for number in range(1, len(CHECKS) + 1):
        assert page.step == number and page.heading.startswith(f"{number}. ")
        assert page.type("pbem tutorial") and page.step == number                   # it is not done yet
        assert page.type("pbem tutorial --hint").split("\n") == [f"    {line}".rstrip() for line in own[number - 1]]
        heard = page.type(*page.tasks)
        assert bool(heard) != (number == 8)                                         # that went into a file
        assert page.found["asks"] == own[number - 1][0].startswith("pbem tutorial")
        told = page.type(own[number - 1][0] if page.found["asks"] else "pbem tutorial")
        assert str(number) in told and "\n" not in told                             # the step itself is shown by the page
    assert page.step == page.found["of"] + 1 and not page.tasks and "pbem new --help" in page.found["blocks"][-1]["lines"][0]


def test_what_is_printed_is_what_the_program_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = clock.now()
    monkeypatch.setattr(clock, "now", lambda: moment)
    page = Page(tmp_path / "page")
    for number, words in enumerate((
            ("order", "game", "red", "roll"), ("order", "game", "red", "march Antigonos > Pella"), ("options", "game"),
            ("status", "game"), ("verify", "forged"), ("tutorial", "--step", "9"))):
        line = " ".join(["pbem", *(f'"{word}"' if " " in word else word for word in words)])
        shell = shutil.copytree(tmp_path / "page", tmp_path / f"shell {number}")
        told = page.ask("type", line=line)
        monkeypatch.chdir(shell)
        assert told["printed"] == said(*words, code=told["code"]).rstrip()


WRONG = {1: ["pbem tutorial blue"], 2: ["pbem order game red end"],
         4: ['pbem order game red "march Antigonos > Pergamon > Pella"'],
         5: ["pbem order game blue a"], 7: ['pbem order game red "stay yes"'],
         8: ["pbem report game --since 1 > report.md", "pbem report game --since 1 > report.txt"], 9: ["pbem posted game 2"],
         12: ["pbem tutorial 14"]}


def test_what_went_wrong_is_begun_again(tmp_path: Path) -> None:
    page = Page(tmp_path)
    for number in range(1, len(CHECKS) + 1):
        for line in WRONG.get(number, []):
            page.type(line)
        assert page.type("pbem tutorial") and page.step == number
        before = page.found["blocks"]
        assert page.type("pbem tutorial --reset") == "" and page.found["blocks"] == before
        page.type(*page.tasks)
        page.type(hints("en")[number - 1][0] if page.found["asks"] else "pbem tutorial")
        assert page.step == number + 1


def test_another_language_is_read_from_then_on_and_nothing_is_lost(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.type("pbem tutorial red")
    page.language = "de"
    assert page.ask("open")["blocks"][0]["lines"] == ["2. Ein Befehl"]
    assert "erledigt" in page.type(*page.tasks)
    assert page.type("pbem tutorial") == "Schritt 2 ist getan."
    assert "Anna (Rot)" in page.type("pbem report game --since 1") and "Anna (Rot)" in page.type("pbem status game")
    assert "Anna (Red)" in page.type("pbem report game --since 1 --language en")
    assert "Zu Schritt 9 geht es nicht zurück" in page.type("pbem tutorial --step 9")
    assert "Eintrag 15" in page.type("pbem verify forged") and "entry 15" in said("verify", tmp_path / "forged", code=1)
    page.language = "ru"
    assert page.ask("open")["blocks"][0]["lines"] == ["3. Отказ"]
    assert "(Красный)" in page.type("pbem status game")


def test_it_goes_on_from_what_was_kept_and_from_nothing_else(tmp_path: Path) -> None:
    page = Page(tmp_path / "a")
    page.type("pbem tutorial red", *page.tasks, "pbem tutorial", "pbem order game red roll", "pbem tutorial")
    assert page.step == 3
    again = Page(tmp_path / "b", kept=page.found["kept"])
    assert again.found["blocks"] == page.found["blocks"] and again.type("pbem status game") == page.type("pbem status game")
    assert again.type("pbem tutorial --step 1") == "" and again.step == 1
    for kept in ("nonsense", "UEsDBBQ=", page.found["kept"][:4000]):
        assert Page(tmp_path / "c", kept=kept).step == 1
    assert again.ask("open", kept=page.found["kept"])["step"] == 3
    assert again.ask("open", anew=True)["step"] == 1


def test_whoever_writes_over_the_state_hears_so_and_begins_anew(tmp_path: Path) -> None:
    page = Page(tmp_path)
    assert "tutorial.yaml" in page.ask("type", line="pbem status game > tutorial.yaml")["error"]
    assert page.ask("open")["step"] == 1 and page.type("pbem tutorial red") == "Step 1 is done."


@pytest.mark.parametrize(("line", "code", "told"), [
    ("ls", 127, "only commands of pbem"), ('pbem order game red "roll', 2, "quotation mark"), ("  ", 0, ""),
    ("pbem nothing", 2, "No such command"), ("pbem page game -o x", 1, "pbem page needs a part of the program"),
    ("pbem mail run", 1, "pbem mail run needs a part"), ("pbem publish game x", 1, "needs a part"),
    ("pbem tutorial --page x", 1, "needs a part"), ("pbem dev play --games 1", 1, "needs a part"),
    ("pbem report game > game", 1, "directory"), ('pbem status "<script>"', 2, "<script> is no game"),
])
def test_what_does_not_work_there_is_said(line: str, code: int, told: str, tmp_path: Path,
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(tmp_path)
    for name in [one for one in sys.modules if one.startswith(tuple(f"pbem.{room}" for room in NOT_IN_A_PAGE))]:
        monkeypatch.delitem(sys.modules, name)
    for room in NOT_IN_A_PAGE:                                  # as in a page
        monkeypatch.setitem(sys.modules, f"pbem.{room}", None)
    found = page.ask("type", line=line)
    assert (found["code"], found["step"]) == (code, 1) and told in " ".join(found["printed"].split())


@pytest.mark.parametrize(("line", "words", "file"), [
    ('pbem order game red "march A > B"', ["pbem", "order", "game", "red", "march A > B"], ""),
    ("pbem report game --since 1 > report.md", ["pbem", "report", "game", "--since", "1"], "report.md"),
    ("pbem report game>report.md", ["pbem", "report", "game"], "report.md"),
    ("pbem undo game last --reason 'the #1 key'", ["pbem", "undo", "game", "last", "--reason", "the #1 key"], ""),
    ("pbem order game red “march A > B”", ["pbem", "order", "game", "red", "march A > B"], ""),
    ("pbem undo game last —reason „the wrong key“", ["pbem", "undo", "game", "last", "--reason", "the wrong key"], ""),
    ('pbem ruling game "He said “no” – so be it"', ["pbem", "ruling", "game", "He said “no” – so be it"], ""),
    ("pbem report >", ["pbem", "report", ">"], ""), ("pbem tutorial 9.3A", ["pbem", "tutorial", "9.3A"], ""),
])
def test_lines_are_read_as_a_shell_reads_them(line: str, words: list[str], file: str) -> None:
    assert read(line) == (words, file)
