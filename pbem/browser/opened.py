"""A game opened from the log that a page carries, with nothing of it on any disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.base import clock
from pbem.desk.desk import Desk
from pbem.desk.opengame import blank
from pbem.desk.tray import FORMAT, Tray
from pbem.log.entries import check_entries
from pbem.log.gamelog import GAME, Entry, GameFile, taken_in
from pbem.log.header import check_header, format_of


def lined(plain: dict[str, Any]) -> Entry:
    """As if it stood in a file, where everything has its line."""
    made = Entry(plain)
    made.line = 1
    return made


def log_of(game: GameFile) -> dict[str, Any]:
    """A log as data: what the page carries. The keys of an entry keep their order, for the first of them is its kind."""
    return {**game.header, "log": [dict(entry) for entry in game.entries]}


class FromPage(Desk):
    """What `pbem check` opens from a published folder; here its log has come as data."""

    def __init__(self, log: Mapping[str, Any]) -> None:
        entries, header = log["log"], lined({key: value for key, value in log.items() if key != "log"})
        check_header(header, GAME)
        check_entries(entries, format_of(header), GAME, 1)
        self.place = self.folder = Path(GAME)
        self.now = clock.now()
        self.game = self._base = GameFile(header, entries, "", Path(GAME))
        self._new = []
        self.tray, self.keys = Tray(tray=FORMAT), None         # what a seat lays down lies there while it is tried
        taken = taken_in(self.game)
        self.corrections = taken[0]["amend"] if taken else []
        self.voices = {}
        self.match = self._folded()

    def blank(self, *, hands: bool = True) -> Any:
        """No private file ever lies beside it."""
        return blank(self.header, self.corrections, None, self.tray)
