"""Figures that stand in the prose of a page are those of the program, or of the table that measured them."""

import re
from pathlib import Path

import pytest

from pbem.chance import scheme
from pbem.dev import between, passing
from pbem.mail import outbox, sending, way
from pbem.telling import formats

ROOT = Path(__file__).resolve().parents[1]
WORDS = {2: "two", 4: "four", 5: "five", 20: "twenty"}


def text_of(page: str) -> str:
    return " ".join((ROOT / page).read_text("utf-8").split())


def measured(players: int) -> tuple[str, str]:
    """The median of days before and now, out of the table of docs/pace.md."""
    lines = (ROOT / "docs/pace.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    head = next(row for row in rows if f"{players} players, before" in row)
    days = next(row for row in rows if row[0] == "days, median")
    column = head.index(f"{players} players, before")
    return days[column], days[column + 1]


before, now = measured(4)
meetings = sum(not between.argued(sort, kind) for sort in between.SORTS for kind in between.FREE)
FIGURES = [
    ("docs/mutation.md", f"each of the {len(passing.pairs())} pairs of a door and a question, and of the {meetings} pairs"),
    ("README.md", f"four of them need {now} days where they needed {before}"),
    ("docs/mail.md", f"Of all other answers a player gets at most {WORDS[outbox.MOST_A_DAY]} a day"),
    ("docs/mail.md", f"are more than {WORDS[way.MOST_EMPTY]} a day are not answered until tomorrow"),
    ("docs/mail.md", f"after {', '.join(map(str, sending.RETRIES[:-1]))} and {sending.RETRIES[-1]} minutes and then every "
                     f"{WORDS[sending.LATER // 60]} hours for {WORDS[sending.GIVE_UP.days]} days"),
    ("docs/mail.md", f"as text, at most {formats.MAILED.width} columns wide"),
    ("docs/chance.md", f"A word is one line, trimmed, NFC, of 1 to {scheme.LONGEST_WORD} characters"),
]


@pytest.mark.parametrize(("page", "sentence"), FIGURES, ids=[f"{page}: {sentence[:40]}" for page, sentence in FIGURES])
def test_the_figure_is_that_of_the_program(page: str, sentence: str) -> None:
    assert re.search(rf"(?<![\w.]){re.escape(sentence)}(?!\w)", text_of(page))
