"""Somebody who has only the docs, on a machine that has nothing: no home, no locale, nothing set. He sees the demo, begins the
tutorial, and runs a game of three by mail up to the first report, by the commands that stand in the docs.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from table import Table, body
from walked import BLOCK

from pbem.base.clock import stamp

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BOOK = (ROOT / "docs/moderator.md").read_text("utf-8")


class Newcomer:
    """He types what he reads."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table, self.folder = table, folder

    def types(self, line: str, at: str = "") -> str:
        """A line as it stands in the docs, in an empty environment."""
        done = subprocess.run(
            [sys.executable, "-m", "pbem", *shlex.split(line)[1:]], cwd=self.folder, capture_output=True, check=False,
            env={"PATH": os.defpath, "PYTHONPATH": str(ROOT), "PBEM_NOW": at or stamp(self.table.now)})
        assert done.returncode == 0, (line, done.stderr.decode())
        return done.stdout.decode("utf-8")

    def at(self, line: str) -> str:
        """A command of the moderator's book, at the moment of its block."""
        (block,) = [one for one in BLOCK.finditer(BOOK) if f"$ {line}" in one[4]]
        (whole,) = [one for one in block[4].splitlines() if one.startswith(f"$ {line}")]
        return self.types(whole.removeprefix("$ "), block[2])


def test_from_the_docs_alone_to_the_first_report_of_a_game_by_mail(table: Table) -> None:
    folder = table.folder
    shutil.rmtree(table.game)
    newcomer = Newcomer(table, folder)

    (demo,) = re.findall(r"\.venv/bin/(pbem demo -o) /tmp/pbem-demo", README)
    assert "Waiting for" in newcomer.types(f"{demo} demo")
    assert "pbem status game" in newcomer.types(re.findall(r"`(pbem tutorial)[ `]", README)[0])
    assert "waiting" in newcomer.types("pbem status pbem-tutorial/game")
    assert "2. An order" in newcomer.types("pbem tutorial -o pbem-tutorial red")

    table.now = table.now.replace(year=2026, month=12, day=1, hour=18)
    assert "anabasis: a game of Successors" in newcomer.at("pbem new games/anabasis")
    (address,) = re.findall(r"`(pbem mail address games/anabasis red\nanna@example.com)`", BOOK)
    newcomer.types(address.replace("\n", " "))
    newcomer.types("pbem mail address games/anabasis blue bruno@example.com")
    newcomer.types("pbem mail run")
    first = body(table.last("red"))
    assert "guide" in first and "word" in first
    table.reply("red", "word first snow in Pella\nguide card")
    table.reply("blue", "wort Salz und Eisen")
    table.later(minutes=5)
    newcomer.types("pbem mail run")
    assert "Orders on one page" in body(table.last("red")) and "Salz und Eisen" in body(table.last("blue"))

    table.now = table.now.replace(day=3, hour=20)
    newcomer.at("pbem seed word games/anabasis Dora")
    newcomer.at("pbem begin games/anabasis")
    newcomer.types("pbem mail run")
    for seat in ("red", "blue"):
        table.reply(seat, "a")
    newcomer.types("pbem order games/anabasis black a")
    table.later(minutes=5)
    newcomer.types("pbem mail run")
    report = newcomer.types("pbem report games/anabasis --format text")
    assert "Round the table, to the left, sit Red, Blue and Black" in report and "Waiting for" in report
    for seat, told in (("red", "Round the table, to the left, sit"), ("blue", "Um den Tisch sitzen, nach links herum,")):
        assert any(told in body(one) for one in table.inbox(seat)), seat
    newcomer.types("pbem verify games/anabasis")


def test_the_players_guide_is_attached_to_the_first_mail_and_to_no_other(table: Table) -> None:
    table.started()
    table.reply("red", "status")
    table.run()
    guides = [[part.get_filename() for part in one.iter_attachments()] for one in table.inbox("red")]
    assert guides == [["guide-en.html"], *([[]] * (len(guides) - 1))] and len(guides) > 1
    (page,) = table.inbox("red")[0].iter_attachments()
    assert page.get_content_type() == "text/html" and "How to write a turn" in page.get_content()
