"""Games that have nothing to do. Until the next moment at which something is due of itself they need not be opened, unless
one of their files has changed or a mail has come for them. All of this may be lost at any time: then they are looked at.
"""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem import __version__
from pbem.base import clock
from pbem.base.clock import moment
from pbem.base.folder import which_file
from pbem.log import gamelog
from pbem.mail import outbox
from pbem.mail.desk import MailDesk
from pbem.mail.speaking import DAY

FILES = (gamelog.GAME, gamelog.PRIVATE, gamelog.OVERRIDES, "out/told/last.json")


class Rest(NamedTuple):
    """A game that rests."""

    since: str
    until: str
    marks: str


def marks(place: Path) -> str:
    """By these it is known that neither files nor program have changed."""
    return " ".join([__version__, *(which_file(f"{place}/{name}") for name in FILES)])


def rests(rest: Rest | None, marks: str, now: str) -> bool:
    """Has the game still nothing to do?"""
    return rest is not None and rest.since <= now < rest.until and rest.marks == marks


def until(desk: MailDesk) -> datetime:
    """The next moment at which something is due of itself: a deadline, a reminder, a gathered report; a day at most."""
    question, now = desk.match.question, desk.now
    reported = [one.at for one in outbox.of_game(desk.place).bookmarks().values() if one.at]
    moments = [now + DAY, *(moment(at) + DAY for at in reported)]
    if question is not None and (due := desk.match.due_of(question)):
        end = clock.end_of(due)
        if end <= now:
            return now
        moments.append(end)
        if (asked := desk.tray.asked) is not None:
            moments.append(clock.remind_at(clock.times(desk.game.header), moment(asked.at), end))
    return min(one for one in moments if one > now)
