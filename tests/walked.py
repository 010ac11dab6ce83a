"""Pages with real outputs: what stands behind `$` is typed, at the moment that the block names; the answer stands below.

A block is ```` ```console 2026-12-01T18:00Z ````; with a number behind it the first so many lines of each answer stand there,
and three dots for the rest. All commands of a page are typed in one folder, from top to bottom, with chance that is none.
"""

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from itertools import count
from pathlib import Path
from unittest import mock

from click.testing import CliRunner

from pbem.cli.main import main

BLOCK = re.compile(r"(```console (\S+)(?: (\d+))?\n)(.*?)(```)", re.DOTALL)
PAGES = ("README.md", "docs/moderator.md")


def walked(page: str, folder: Path) -> str:
    """The page with what its commands say now."""
    numbers = count(1)

    def drawn(size: int) -> bytes:
        return bytes((next(numbers) * 7 + one) % 256 for one in range(size))

    with chdir(folder), mock.patch("secrets.token_bytes", drawn):
        return BLOCK.sub(lambda found: found[1] + "".join(answers(found[2], int(found[3] or 0), found[4])) + found[5], page)


def answers(at: str, most: int, block: str) -> Iterator[str]:
    """Each command with its answer."""
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        with mock.patch.dict(os.environ, {"PBEM_NOW": at}):
            result = CliRunner().invoke(main, shlex.split(line)[2:])
        assert result.exit_code == 0, (line, result.output, result.exception)
        rows = result.output.rstrip().splitlines()
        cut = [*rows[:most], "..."] if most and len(rows) > most else rows
        yield "\n".join([line, *(row.rstrip() for row in cut)]) + "\n"
