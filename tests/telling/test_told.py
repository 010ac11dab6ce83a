"""What is told, kept as files: a change of a sentence is seen. `python tests/telling/test_told.py` writes them."""

from functools import cache
from pathlib import Path

import pytest

from pbem.base.paths import languages
from pbem.dev import sentences as samples
from pbem.dev.pictures import positions
from pbem.play.match import Match
from pbem.telling.formats import FORMATS
from pbem.telling.report import report
from pbem.telling.views import view
from pbem.telling.words import Words

TOLD = Path(__file__).with_name("told")
KEPT = Path(__file__).parents[1] / "log/kept"
GAME, LAST = "options", 160                 # a game with all optional rules: so many of its events


@cache
def match() -> Match:
    return list(positions(KEPT / f"{GAME}.yaml.gz", 1))[-1][0]


def reported(language: str, fmt: str) -> str:
    """The end of a kept game, as everybody reads it, with the whole position."""
    events = [event for _, event in match().history if event.for_seat(None)]
    said = Words(language, match().names, match().g.facts)
    return report(view(match().g, None), events[-LAST:], (), said, fmt, before=events[:-LAST], whole=True)


def said(language: str) -> str:
    """Every sentence, at its longest."""
    rows: dict[str, str] = {}
    for one in samples.lines(language):
        rows[f"{one.file}.{one.key}"] = max(rows.get(f"{one.file}.{one.key}", ""), one.said, key=len)
    return "\n".join(f"{key}: {said}" for key, said in rows.items()) + "\n"


FILES = {**{f"{language}.sentences": (said, (language,)) for language in languages()},
         **{f"{language}.{fmt}": (reported, (language, fmt)) for language in languages() for fmt in FORMATS}}


@pytest.mark.parametrize("name", sorted(FILES))
def test_what_is_told_is_what_is_kept(name: str) -> None:
    tell, how = FILES[name]
    assert tell(*how) == (TOLD / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    TOLD.mkdir(exist_ok=True)
    for name, (tell, how) in FILES.items():
        (TOLD / name).write_text(tell(*how), encoding="utf-8")
