"""Games that have nothing to do. Until the next moment at which something is due of itself they need not be opened, unless
one of their files has changed or a mail has come for them. All of this may be lost at any time: then they are looked at.
"""

from datetime import datetime
from pathlib import Path

from pbem.base import clock
from pbem.base.clock import moment
from pbem.base.folder import which_file
from pbem.log import gamelog
from pbem.mail import outbox
from pbem.mail.desk import MailDesk
from pbem.mail.speaking import DAY

FILES = (gamelog.GAME, gamelog.PRIVATE, gamelog.OVERRIDES, "out/told/last.json")


def marks(place: Path) -> str:
    """By these it is known that its files have not changed."""
    folder = str(place)
    return " ".join([which_file(f"{folder}/{name}") for name in FILES])


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
