"""A moderator's desk that takes in whole mails, many at once: all of each is written, or nothing.

The desk writes line by line; a mail has many lines, and its receipt. Here they are collected. The private file goes first,
with a journal of what it held before, then the log: whoever opens the game after a crash sees by the length of the log
which of the two holds, and no sealed answer of anybody is lost with a log line that was never written.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.base import clock, yamlfile
from pbem.desk.desk import FIXED, JOURNAL, Desk, keys_of
from pbem.log import gamelog
from pbem.log.gamelog import GameFile
from pbem.log.promise import judge_private


class MailDesk(Desk):
    """One game during one run; `commit` writes what was done since the last."""

    def __init__(self, place: Path, *, now: datetime | None = None) -> None:
        super().__init__(place, now=now)
        judge_private(self.game)
        self._pending: list[Mapping[str, Any]] = []
        taken = (self.private.get("mail") or {}).get("taken") or ()
        self._taken: dict[str, str] = dict(one.partition(" ")[::2] for one in taken)
        self._base = self.game

    # --- collecting ------------------------------------------------------------------------------------------------

    def _write(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Kept until `commit`; in memory the log has grown."""
        self._pending += (added := list(entries))
        lines = "".join(f"- {gamelog.dump_entry(entry)}\n" for entry in added)
        read = (yamlfile.parse("log:\n" + lines)["log"] or []) if added else []
        before = self.game
        self.game = GameFile(self._base.header, before.entries + read, self._base.text, self._base.path)
        self.game.follow(before.lines, read)

    def keep(self) -> None:
        """Kept until `commit`."""

    def begin(self) -> None:
        """What is written from here on, or since an earlier beginning, is undone by a crash before `commit`."""
        if JOURNAL not in self.private:
            self.private[JOURNAL] = {"before": {key: _copy(value) for key, value in self.private.items() if key not in FIXED}}

    @property
    def is_begun(self) -> bool:
        return JOURNAL in self.private

    def commit(self) -> None:
        """The private file with its journal, then the log; from then on the journal means nothing."""
        journal = self.private.pop(JOURNAL, {"before": {}})
        changed = self._changed()
        if self._pending:
            private = {**self.private, JOURNAL: {**journal, "to": len(self.game.entries)}}
            self.game = gamelog.append(self.place, self._pending, private, self._base)
            self._base, self._pending = self.game, []
        elif changed is not None:
            gamelog.write_private(self.place, changed)

    def reread(self) -> None:
        """The header has changed under the same lock, before the game began."""
        added, self._pending = self._pending, []
        self.game = self._base = gamelog.read_game(self.place)
        self._write(added)
        self.keys = keys_of(self.game.header, self.private)
        self.match = self._folded()

    # --- the mailbox's own part of the private file ------------------------------------------------------------------

    @property
    def mail(self) -> dict[str, Any]:
        """What the mailbox keeps of this game."""
        found: dict[str, Any] = self.private.setdefault("mail", {})
        return found

    def became(self, id: str) -> str:
        """What became of a mail that this game has dealt with; nothing for one that it has not."""
        return self._taken.get(id, "")

    def dealt_with(self, id: str, state: str) -> None:
        """The mark that this game has had a mail."""
        self._taken[id] = state
        self.mail.setdefault("taken", []).append(f"{id} {state}")

    def addresses(self, seat: str) -> list[str]:
        """Where the people of a seat write from; the first is where the game writes to."""
        found = (self.private.get("addresses") or {}).get(seat) or []
        return [str(one) for one in ([found] if isinstance(found, str) else found)]

    def setting(self, seat: str, name: str, default: str = "") -> str:
        return str(((self.private.get("settings") or {}).get(seat) or {}).get(name) or default)

    def set(self, seat: str, **values: str) -> None:
        self.private.setdefault("settings", {}).setdefault(seat, {}).update(values)

    # --- windows -----------------------------------------------------------------------------------------------------

    @property
    def window(self) -> str:
        """The id under which those who are asked now were asked: it stays while the same player goes on."""
        for number in range(len(self.game.entries), 0, -1):
            entry = self.game.entries[number - 1]
            if "ask" in entry:
                return str(entry["ask"])
            if "close" in entry or "undo" in entry:
                break
        return self.match.question.id if self.match.question is not None else ""

    @property
    def open_as(self) -> str:
        """The name of the open question; one that is put again after an undo has the same id, and is another question."""
        question = self.match.question
        return "" if question is None else question.id + self.after_undo

    @property
    def after_undo(self) -> str:
        """Set behind the names of what tokens are for: none from before an undo counts after it."""
        undone = sum("undo" in entry for entry in self.game.entries)
        return f"~{undone}" if undone else ""

    def asks(self, seat: str) -> bool:
        question = self.match.question
        return question is not None and seat in question.sides

    def away(self, seat: str) -> list[clock.Span]:
        """Announced absences; they stand in the log as notes."""
        spans = (self.private.get("absences") or {}).get(seat) or []
        return [(clock.day(first), clock.day(last)) for first, last in spans]


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    return value
