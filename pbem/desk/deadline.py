"""When silence may close a question: one judgement for the mailbox, `pbem run --overdue` and status alike.

Only the mailbox knows whether a mail lies there unread: by hand no silence of somebody who answers by mail counts.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from pbem.base import clock
from pbem.desk.opengame import OpenGame
from pbem.kernel.procedures import Question
from pbem.play.match import CARD_WINDOWS
from pbem.rules.war import MODERATOR
from pbem.table.state import SEGMENTS

OPEN, GRACE, STOPPED, JUMPED, RULE, UNREACHABLE, UNREAD, UNLOOKED, UNSENT, CLOSES = (
    "open", "grace", "stopped", "jumped", "rule", "unreachable", "unread", "unlooked", "unsent", "closes")
DEFAULT = "default"


class Post(NamedTuple):
    """What the mailbox knows of its own fitness, when it has just looked."""

    back: datetime | None = None        # since when it polls again after an outage of ours
    jumped: str = ""                    # the machine's clock: forward or backward
    unread: Mapping[str, datetime] = {}         # seats of which a mail may lie there that nobody has read, and since when
    unsent: frozenset[str] = frozenset()        # seats whose question still lies in the outbox


NOT_LOOKED = Post()


class Closing(NamedTuple):
    """Whether silence closes the open question now, and what stands against it."""

    state: str
    question: Question
    at: datetime | None = None          # from when on silence may close it
    seats: tuple[str, ...] = ()         # whom it waits for, though their time is over
    rule: str = DEFAULT                 # what silence means here

    @property
    def is_past_due(self) -> bool:
        """Its deadline has passed, and nobody holds the clock."""
        return self.state not in (OPEN, STOPPED)


def closing(game: OpenGame, post: Post = NOT_LOOKED) -> Closing | None:
    """How it stands with the open question; None where nothing is asked, or nobody but the moderator.

    The order matters: what a player may rely on comes first, what only we know comes last. It is the same whoever has
    answered. A card window runs its time, neither less nor more (6.2), so that nothing but our own outage delays it.
    """
    question = game.match.question
    if question is None or question.sides == (MODERATOR,):
        return None
    due = game.match.due_of(question)
    rule = on_silence(game, question)
    if game.match.stopped or game.awaited or not due:
        return Closing(STOPPED if game.match.stopped or game.awaited else OPEN, question, rule=rule)
    end = clock.end_of(due)
    at = clock.closes_at(clock.times(game.header), end, post.back)
    if game.now < end:
        return Closing(OPEN, question, at, rule=rule)
    if post.jumped:
        return Closing(JUMPED, question, at, rule=rule)
    if game.now < at:
        return Closing(GRACE, question, at, rule=rule)
    if rule != DEFAULT:
        return Closing(RULE, question, at, rule=rule)
    if post is NOT_LOOKED and (reached := _among(question, [seat for seat, where in game.tray.addresses.items() if where])):
        return Closing(UNLOOKED, question, at, reached)
    if unread := _among(question, [seat for seat, came in post.unread.items() if came <= at]):
        return Closing(UNREAD, question, at, unread)
    gone = _among(question, game.tray.mail.unreachable)
    if gone and question.kind not in CARD_WINDOWS:
        return Closing(UNREACHABLE, question, at, gone)
    if unsent := _among(question, post.unsent):             # who was never asked is not silent
        return Closing(UNSENT, question, at, unsent)
    return Closing(CLOSES, question, at)


def on_silence(game: OpenGame, question: Question) -> str:
    """The game's rule for silence: `default`, or it waits: `hold`, `moderator`. For a kind of question, a turn, or all.

    A card window runs its time whatever is said (6.2). The defaults of a whole player turn are the quiet turn.
    """
    said = game.header["rules"].get("silence") or {}
    kinds = (question.kind, *(("turn",) if question.kind in SEGMENTS else ()), "default")
    how = str(next((said[kind] for kind in kinds if kind in said), DEFAULT))
    return DEFAULT if how == "quiet" or question.kind in CARD_WINDOWS else how


def _among(question: Question, seats: Iterable[str]) -> tuple[str, ...]:
    return tuple(seat for seat in question.sides if seat in seats)
