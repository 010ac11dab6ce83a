"""Games that have nothing to do. Until the next moment at which something is due of itself they need not be opened, unless
one of their files has changed or a mail has come for them. All of this may be lost at any time: then they are looked at.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.base import clock
from pbem.base.clock import moment, stamp
from pbem.log import gamelog
from pbem.mail.desk import MailDesk
from pbem.mail.speaking import DAY

FILES = (gamelog.GAME, gamelog.PRIVATE, gamelog.OVERRIDES, "out/told/last.json")

Marks = list[Any]


def marks(place: Path) -> Marks:
    """By these it is known that neither files nor program have changed."""
    return [__version__, *(_mark(place / name) for name in FILES)]


def _mark(path: Path) -> list[int]:
    try:
        found = path.stat()
    except OSError:
        return []
    return [found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def note(place: Path, until: datetime, now: datetime) -> dict[str, Any]:
    """A game that rests, as it is kept."""
    return {"since": stamp(now), "until": stamp(until), "marks": marks(place)}


def rests(kept: Mapping[str, Any] | None, place: Path, now: datetime) -> bool:
    """Has the game still nothing to do?"""
    return kept is not None and moment(kept["since"]) <= now < moment(kept["until"]) and kept["marks"] == marks(place)


def until(desk: MailDesk, told: Mapping[str, Any]) -> datetime:
    """The next moment at which something is due of itself: a deadline, a reminder, a gathered report; a day at most."""
    question, now = desk.match.question, desk.now
    moments = [now + DAY, *(moment(one["at"]) + DAY for one in told.values() if one.get("at"))]
    if question is not None and (due := desk.match.due_of(question)):
        end = clock.end_of(due)
        if end <= now:
            return now
        moments.append(end)
        if asked := (desk.private.get("asked") or {}).get("at"):
            moments.append(clock.remind_at(clock.times(desk.game.header), moment(asked), end))
    return min(one for one in moments if one > now)
