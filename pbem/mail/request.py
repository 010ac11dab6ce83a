"""A request by mail, and what it means that it cannot be met."""

from datetime import datetime
from typing import NamedTuple

from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Item, Outbox


class Request(NamedTuple):
    """A desk, who asks, and what there is to answer with."""

    desk: MailDesk
    seat: str
    sender: str
    outbox: Outbox
    config: Config
    now: datetime
    id: str
    mails: list[Item]                   # what goes to others because of it
    failed: list[str]                   # requests that could not be met


class NotMet(Exception):
    """A request that cannot be met; the text says why, and how it is written."""
