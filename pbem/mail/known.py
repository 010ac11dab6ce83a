"""What a mailbox knew of its games when it was left: whose mails are whose, and until when a game rests. A line for each; like
the marks of a log it may be deleted at any time, and then all of them are looked at.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base.folder import leave, left
from pbem.log import mark

KEPT = ".mark-mail"


class Known(NamedTuple):
    """A game as it was left; it counts for nothing but these very files."""

    place: str
    of: str                             # by this its files are known
    roster: dict[str, Any]
    since: str = ""                     # it rests
    until: str = ""


class KnownGames:
    """By place; none of them if another program or somebody has written the file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / KEPT
        program, *lines = left(self.path).decode().split("\n")
        found = json.loads(f"[{','.join(lines)}]") if program == mark.program() else []
        self._lines = {one[0]: line for one, line in zip(found, lines, strict=False)}
        self._games = {one[0]: Known(*one) for one in found}

    def of(self, place: Path, files: str) -> Known | None:
        """What was known of a game, if its files are still those."""
        known = self._games.get(str(place))
        return known if known is not None and known.of == files else None

    def put(self, one: Known) -> None:
        self._games[one.place], self._lines[one.place] = one, json.dumps(one, separators=(",", ":"))

    def leave(self, places: Iterable[Path]) -> None:
        """Only what is known of these games."""
        lines = [line for place in places if (line := self._lines.get(str(place))) is not None]
        leave(self.path, "\n".join([mark.program(), *lines]).encode())


def forget(folder: Path) -> None:
    """All games are to be looked at."""
    with suppress(OSError):
        (folder / KEPT).unlink()
