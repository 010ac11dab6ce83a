"""A game opened from the log that a page carries, with nothing of it on any disk."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.base import clock
from pbem.chance.course import Course
from pbem.desk import marking
from pbem.desk.desk import Desk, Trial
from pbem.desk.opengame import blank
from pbem.desk.tray import FORMAT, Tray
from pbem.log.entries import check_entries
from pbem.log.gamelog import GAME, Entry, GameFile, taken_in
from pbem.log.header import check_header, format_of
from pbem.log.mark import Entries, Mark
from pbem.play import mark as fold


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

    def trial(self, seat: str, hand: Sequence[str] | None = None) -> Trial:
        """A seat tries other lines with every click: its desk need not be folded from the beginning each time."""
        if self.game.mark is None:
            self._mark()
        return super().trial(seat, hand)

    def _mark(self) -> None:
        """The position of the last player turn that has begun, for folds that go on from there."""
        entries = self.game.entries
        begun = (number for number, event in reversed([*self.match.history]) if event.key == fold.BEGINNING)
        if (number := next(begun, 0)) < marking.FEWEST or (seen := marking.publicly(self, number)) is None:
            return
        if marking.is_entered(self, seen, hands=False):
            course = Course(self.game.header, entries[:number]).kept()
            self.game.mark = Mark(number, 0, "", fold.written(seen), course, marking.bound(self, hands=False))
            self.game.entries = Entries(number, list(entries[number:]), lambda: list(entries))

    def blank(self, amended: Sequence[Mapping[str, Any]] = (), *, hands: bool = True) -> Any:
        """No private file ever lies beside it."""
        return blank(self.header, [*self.corrections, *amended], None, self.tray)
