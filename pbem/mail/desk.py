"""A moderator's desk that takes in whole mails, many at once: all of each is written, or nothing."""

from collections.abc import Callable, Hashable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from pbem.base.errors import PbemError
from pbem.desk.desk import Desk
from pbem.desk.opengame import keys_of
from pbem.desk.tray import Post
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.log.promise import judge_private
from pbem.orders import Order, read_line
from pbem.telling.offers import lettered

T = TypeVar("T")


class MailDesk(Desk):
    """One game during one run; `commit` writes what was done since the last."""

    pictures: dict[str, bytes]                                  # that mails of this run show, by name
    made: dict[str, Any]                                        # what this run has laid in the queue, as it was made
    _known: tuple[str, dict[Hashable, Any]] = "", {}            # at a head of the log

    def __init__(self, place: Path, *, now: datetime | None = None) -> None:
        super().__init__(place, now=now)
        self.pictures, self.made = {}, {}
        judge_private(self.game)

    def keep(self) -> None:
        """Kept until `commit`."""

    def reread(self) -> None:
        """The header has changed under the same lock, before the game began."""
        added, self._new = self._new, []
        self.game = self._base = gamelog.read_game(self.place)
        self._write(added)
        self.keys = keys_of(self.game.header, self.tray)
        self.match = self._folded()

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What depends on nothing but the position is worked out once for all mails of a run, while nothing is entered."""
        if (head := self.game.head()) != self._known[0]:
            self._known = head, {}
        known = self._known[1]
        if name not in known:
            known[name] = make()
        made: T = known[name]
        return made

    def is_for_later(self, seat: str, text: str) -> bool:
        """Nobody is asked now what it answers; an order of a kind that the open question takes was refused for what it says."""
        question = self.match.question
        try:
            line = read_line(text, self.match.names)
        except PbemError:
            return False
        if line is None or question is None or seat not in question.sides:
            return line is not None
        verbs = self.once(("verbs", seat), lambda: verbs_of(question, seat))
        return not verbs & {order.verb for order in line.orders}

    # --- the mailbox's own part of the tray ------------------------------------------------------------------------

    @property
    def mail(self) -> Post:
        """What the mailbox keeps of this game."""
        return self.tray.mail

    def became(self, id: str) -> str:
        """What became of a mail that this game has dealt with; nothing for one that it has not."""
        return self.mail.taken.get(id, "")

    def dealt_with(self, id: str, state: str) -> None:
        """The mark that this game has had a mail."""
        self.mail.taken[id] = state

    def addresses(self, seat: str) -> list[str]:
        """Where the people of a seat write from; the first is where the game writes to."""
        return self.tray.addresses.get(seat, [])

    # --- windows -----------------------------------------------------------------------------------------------------

    @property
    def window(self) -> str:
        """The id under which those who are asked now were asked: it stays while they are asked the same, also where cards that
        lie aside had their moment."""
        return self._newest("ask")

    @property
    def stretch(self) -> str:
        """The first of the questions that those who are asked now were asked with nobody else between: their mails about
        any of these are about what goes on."""
        return self.match.goes_on or self._newest("ask", "close")

    def _newest(self, *kinds: str) -> str:
        """The question that the last entry of these kinds names; where there is none, the open one."""
        if self.match.question is None:
            return ""
        named = (str(entry[kind]) for entry in reversed(self.game.entries) for kind in kinds if kind in entry)
        return next(named, self.match.question.id)

    @property
    def open_as(self) -> str:
        """The name of the open question; one that is put again after an undo has the same id, and is another question."""
        question = self.match.question
        return "" if question is None else question.id + self.after_undo

    @property
    def after_undo(self) -> str:
        """Set behind the names of what tokens are for: none from before an undo counts after it."""
        undone = self.game.undos
        return f"~{undone}" if undone else ""


def verbs_of(question: Question, seat: str) -> set[str]:
    """How the orders begin that this question takes."""
    answers = (question.silence(seat), *(offer for _, offer in lettered(question, seat)))
    return {order.verb for answer in answers for order in ((answer,) if isinstance(answer, Order) else answer)}
