"""A request by mail, and what it means that it cannot be met."""

from typing import NamedTuple

from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.outbox import Item


class Request(NamedTuple):
    """Who asks at which desk, and what comes of it."""

    desk: MailDesk
    config: Config
    sender: Sender
    mails: list[Item]                   # what goes to others because of it
    failed: list[str]                   # requests that could not be met

    @property
    def seat(self) -> str:
        return self.sender.seat


class NotMet(Exception):
    """A request that cannot be met; the text says why, and how it is written."""
