"""What would be sent now, looked at without writing or sending anything."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from pbem.base.errors import PbemError
from pbem.desk import tray
from pbem.mail import outbox, run, speaking
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Item, Outbox
from pbem.mail.run import MAILBOX_OUT


def unseen(games: Iterable[Path]) -> set[str]:
    """To whom the mails go that a moderator who plays is not shown: the people of other seats."""
    trays = [tray.read(place) for place in games]
    return {where for one in trays if one.blind for seat, own in one.addresses.items() if seat != one.blind for where in own}


def mails(config: Config, games: Iterable[Path], now: datetime) -> Iterator[Item]:
    """What waits in the outboxes, and what the games would add to it."""
    now = now.replace(microsecond=0)
    yield from Outbox(config.folder / MAILBOX_OUT).unsent()
    for place in games:
        box = outbox.of_game(place)
        yield from box.unsent()
        with suppress(PbemError):
            desk = MailDesk(place, now=now)
            yield from (one for one in [*run.queued(desk), *speaking.speak(desk, config)] if not box.has(one.key))
