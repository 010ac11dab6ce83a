"""What the README's day at the desk prints, and its turn. That all its commands run is held by test_printed."""

import re
import shlex
from pathlib import Path

import pytest
from at_the_shell import said

from pbem.components.catalogue import facts
from pbem.orders import read_line
from pbem.orders.names import Names

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(after: str, kind: str) -> str:
    """The first such block behind a text."""
    found = re.search(rf"```{kind}\n(.*?)```", README[README.index(after):], re.DOTALL)
    assert found is not None
    return found[1]


def commands(text: str) -> list[list[str]]:
    """What is typed, line by line; a backslash goes on."""
    return [shlex.split(line, comments=True)[1:] for line in text.replace("\\\n", " ").splitlines() if line.startswith("pbem ")]


def test_the_day_at_the_desk_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = {words[0]: said(*words) for words in commands(block("## A day at the moderator's desk", "sh"))}
    assert list(told) == ["new", "seed", "ask", "begin", "status", "options", "order", "report", "posted"]
    assert "all words are in" in said("seed", "status", "games/anabasis")
    assert "T1.setup.1" in told["status"] and "sealed" in told["order"] and "sit Red, Green, Blue" in told["options"]


def test_the_turn_of_the_readme_can_be_read() -> None:
    names = Names(facts(), {seat: {} for seat in ("red", "blue")})
    assert all(read_line(line, names) for line in block("A seat's orders may be a whole turn", "").splitlines() if line)
