"""Is the game that is opened by its mark the game that is folded from its beginning? Looked at from every side, on the way.

Each look opens the game by its mark from the disk, and reads the whole log. Whoever has folded it from its first entry on for
one look goes on from there for the next, as long as nothing was taken back; and at the end all is folded once more.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from pbem.base.folder import Lock
from pbem.chance.course import Course
from pbem.desk import marking, overview, posing, reporting, showing
from pbem.desk.beginning import SET_UP
from pbem.desk.desk import Desk
from pbem.desk.tray import promised
from pbem.dev.games import Kept, Wanted, beginning, chosen, on, prepared
from pbem.dev.stages import Step
from pbem.editions import EDITIONS
from pbem.log import gamelog, undo
from pbem.play.match import Match
from pbem.rules.war import MODERATOR
from pbem.table import position
from pbem.table.events import Event
from pbem.telling.chart import course


class Unmarked(Desk):
    """A game without marks, folded from its first entry on; one that was opened in the same way `before` is gone on with."""

    def __init__(self, folder: Path, before: "Unmarked | None" = None, *, published: bool = False) -> None:
        self.before = before
        super().__init__(folder, published=published, now=NOW)

    def _folded(self, entries: Sequence[Mapping[str, Any]] | None = None) -> Match:
        before, self.before = self.before, None
        late = self.later(before) if before is not None else None
        if before is None or late is None:
            return super()._folded(entries)
        self.keys, self.course = before.keys, Course(self.header, self.game.entries)
        if self.keys is not None:
            self.keys.late = self.course.late_decks
        before.match.fold(self.game.entries, late, len(before.game.entries) + 1)
        return before.match

    def later(self, before: "Unmarked") -> list[int] | None:
        """What stands of what has come since; None if anything else than that has changed."""
        is_longer = self.game.text.startswith(before.game.text)
        is_same = is_longer and marking.bound(self, hands=True) == marking.bound(before, hands=True)
        return undo.after(self.game.entries, len(before.game.entries)) if is_same else None


Opened = Mapping[bool, Desk]                # published, and not


def by_mark(folder: Path) -> Opened:
    return {published: Desk(folder, published=published, now=NOW) for published in (False, True)}


def whole(folder: Path, before: Mapping[bool, Unmarked]) -> dict[bool, Unmarked]:
    """The log is read once for both, and no mark has a say in it."""
    with mock.patch.object(gamelog, "read_game", return_value=gamelog.read_whole(folder)):
        return {published: Unmarked(folder, before.get(published), published=published) for published in (False, True)}


def seen(opened: Opened) -> dict[str, Any]:
    """All that anybody could be shown of a game as it lies there."""
    found: dict[str, Any] = {}
    for published, desk in opened.items():
        match, question = desk.match, desk.match.question
        readers = (showing.PUBLIC,) if published else (MODERATOR, *match.seats)
        found[f"published {published}"] = {
            "position": position.fingerprint(match.g), "written": position.written(match.g), "head": desk.game.head(),
            "question": question and [question.id, question.kind, question.sides, question.rule, dict(question.about)],
            "hands": {seat: match.g.secret.hand(seat) for seat in match.seats} if match.g.secret is not None else None,
            "on the table": match.g.secret.on_table() if match.g.secret is not None else None,
            "tray": desk.tray.plain(), "due": question and match.due_of(question), "stretch": match.goes_on,
            "course": {**desk.course.kept(), "stands": desk.course.standing and desk.course.standing.number},
            "corrections": match.corrections, "seats": match.seats, "held": match.stopped, "marks": match.marks,
            "totals": course(match),
            "reports": {(reader, since): reporting.report(desk, reader, since, "text") for reader in readers
                        for since in (None, max(1, len(desk.game.entries) - 3))},
            "to do": overview.to_do(desk, readers[0]), "asked": {       # a seat's own report asks it in the same words
                seat: posing.question_text(desk, seat, "text") for seat in (question.sides if question is not None else ())
                if seat in match.seats and seat not in readers}}
    return found


def told_apart(folder: Path) -> list[str]:
    """What is otherwise when no mark is read."""
    return compared(by_mark(folder), whole(folder, {}))


def compared(one: Opened, other: Opened) -> list[str]:
    here, there = seen(one), seen(other)
    return [f"{part} {what}" for part in there for what in there[part] if here[part][what] != there[part][what]]


NOW = datetime(2026, 1, 2, tzinfo=UTC)


class Marked(Kept):
    """The moderator's desk; after some of the steps the game is opened anew, by its mark and without."""

    def __init__(self, desk: Desk, every: int, always: Sequence[str] = ("ruling", "amend", "surprise", "free")) -> None:
        super().__init__(desk)
        self.every, self.always, self.steps = every, always, 0
        self.looked = self.by_mark = 0
        self.whole: dict[bool, Unmarked] = {}
        self.wrong: list[str] = []

    def look(self) -> None:
        self.looked += 1
        marked, folder = by_mark(self.desk.folder), self.desk.folder
        self.by_mark += marked[False].match.history.first > 1 or marked[False].course.first > 0
        self.whole = whole(folder, self.whole)
        self.note("without a mark", compared(marked, self.whole))

    def end(self) -> None:
        """What was gone on with from look to look is what it is when all of it is folded."""
        self.look()
        self.note("folded at once", compared(self.whole, whole(self.desk.folder, {})))

    def note(self, otherwise: str, found: Sequence[str]) -> None:
        self.wrong += [f"after entry {len(self.entries)}: {what} is not what it is {otherwise}" for what in found]

    def take(self, step: Step) -> list[Event]:
        told = super().take(step)
        self.steps += 1
        if self.steps % self.every == 0 or step.kind in self.always:
            self.look()
        return told

    def undo(self, entry: int) -> None:
        super().undo(entry)
        self.look()


WHOLE = 40                              # every so many games are looked at after each entry, the others after some


def marked_game(seed: int, most: int = 0) -> list[str]:
    """A whole game at the desk, by any edition, opened anew after its rulings, corrections, interrupts and undos, and besides
    after every step of some games and after thirty or so of the others."""
    edition = list(EDITIONS)[seed % len(EDITIONS)]
    wanted = Wanted(seed, sorted(EDITIONS[edition].instant_points)[seed // 3 % 3], edition, chosen(seed, edition))
    rng, sheet = prepared(wanted)
    header, secrets = beginning(wanted, sheet.rules)
    with TemporaryDirectory() as place:
        folder = Path(place)
        with Lock(folder):
            scene = Marked(Desk.found(folder, header, SET_UP, promised(secrets)), 1 if seed % WHOLE == 0 else 45)
            on(scene, rng, [], sheet, most, looks=False)
            scene.end()
    return [*sheet.met.wrong, *scene.wrong, *([] if scene.by_mark else ["no mark was ever read"])]
