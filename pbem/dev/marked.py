"""Is a game that is opened by its mark the game that is folded from its beginning? Looked at from every side, on the way."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from pbem.base.folder import Lock
from pbem.desk import overview, posing, reporting, showing
from pbem.desk.beginning import SET_UP
from pbem.desk.desk import Desk
from pbem.desk.tray import promised
from pbem.dev.games import Kept, Wanted, beginning, chosen, on, prepared
from pbem.dev.stages import Step
from pbem.editions import EDITIONS
from pbem.log import mark as marks
from pbem.rules.war import MODERATOR
from pbem.table import position
from pbem.table.events import Event
from pbem.telling.chart import course


def seen(folder: Path) -> dict[str, Any]:
    """All that anybody could be shown of a game as it lies there."""
    found: dict[str, Any] = {}
    for published in (False, True):
        desk = Desk(folder, published=published, now=NOW)
        match, question = desk.match, desk.match.question
        readers = (showing.PUBLIC,) if published else (MODERATOR, *match.seats)
        found[f"published {published}"] = {
            "position": position.fingerprint(match.g), "written": position.written(match.g), "head": desk.game.head(),
            "question": question and [question.id, question.kind, question.sides, question.rule, dict(question.about)],
            "hands": {seat: match.g.secret.hand(seat) for seat in match.seats} if match.g.secret is not None else None,
            "on the table": match.g.secret.on_table() if match.g.secret is not None else None,
            "tray": desk.tray.plain(), "due": question and match.due_of(question), "stretch": match.goes_on,
            "course": {**desk.course.kept(), "stands": desk.course.standing and desk.course.standing.number},
            "corrections": match.corrections, "seats": match.seats, "held": match.held, "marks": match.marks,
            "totals": course(match),
            "reports": {(reader, since): reporting.report(desk, reader, since, "text") for reader in readers
                        for since in (None, max(1, len(desk.game.entries) - 3))},
            "to do": overview.to_do(desk, readers[0]), "asked": {
                seat: posing.question_text(desk, seat, "text") for seat in (question.sides if question is not None else ())
                if seat in match.seats}}
    return found


def told_apart(folder: Path) -> list[str]:
    """What is otherwise when no mark is read."""
    by_mark = seen(folder)
    with mock.patch.object(marks, "read", lambda path: {}):
        whole = seen(folder)
    return [f"{part} {what}" for part in whole for what in whole[part] if by_mark[part][what] != whole[part][what]]


NOW = datetime(2026, 1, 2, tzinfo=UTC)


class Marked(Kept):
    """The moderator's desk; after some of the steps the game is opened anew, by its mark and without."""

    def __init__(self, desk: Desk, every: int, always: Sequence[str] = ("ruling", "amend", "surprise", "free")) -> None:
        super().__init__(desk)
        self.every, self.always, self.steps = every, always, 0
        self.looked = self.by_mark = 0
        self.wrong: list[str] = []

    def look(self) -> None:
        self.looked += 1
        desk = Desk(self.desk.folder)
        self.by_mark += desk.match.history.first > 1 or desk.course.first > 0
        self.wrong += [f"after entry {len(self.entries)}: {what} is not what it is without a mark"
                       for what in told_apart(self.desk.folder)]

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


def marked_game(seed: int) -> list[str]:
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
            on(scene, rng, [], sheet, 0, looks=False)
    return [*sheet.met.wrong, *scene.wrong, *([] if scene.by_mark else ["no mark was ever read"])]
