"""What would be sent now, looked at without writing or sending anything."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from pbem.base.errors import PbemError
from pbem.mail import speaking
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.loop import MAILBOX_OUT
from pbem.mail.outbox import Item, Outbox


class Looking:
    """As much of a run as is needed to see what it would say."""

    def __init__(self, config: Config, place: Path, now: datetime) -> None:
        self.config, self.now, self.place = config, now, place

    def outbox(self, game: str) -> Outbox:
        return Outbox(self.place / "out")


def mails(config: Config, games: Iterable[Path], now: datetime) -> Iterator[Item]:
    """What waits in the outboxes, and what the games would add to it."""
    now = now.replace(microsecond=0)
    yield from Outbox(config.folder / MAILBOX_OUT).waiting()
    for place in games:
        box = Outbox(place / "out")
        yield from box.waiting()
        with suppress(PbemError):
            desk = MailDesk(place, now=now)
            queued = [json.loads(text) for text in (desk.mail.get("queue") or {}).values()]
            yield from (one for one in [*queued, *speaking.speak(Looking(config, place, now), desk)] if not box.has(one["key"]))
