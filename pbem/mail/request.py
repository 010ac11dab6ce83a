"""A request by mail, and what it means that it cannot be met."""

from typing import NamedTuple

from pbem.desk import showing
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.outbox import Item
from pbem.telling.words import Words

BY_MAIL, BY_POST, AT_DESK = "mail", "post", "desk"      # how a request came: by mail, in a thread, through the moderator


class Request(NamedTuple):
    """Who asks at which desk, and what comes of it."""

    desk: MailDesk
    config: Config | None               # none where no mailbox is at hand
    sender: Sender
    mails: list[Item]                   # what goes to others because of it
    failed: list[str]                   # requests that could not be met
    channel: str = BY_MAIL
    reader: str = ""                    # who reads the answer, if not the one who asks

    @property
    def seat(self) -> str:
        return self.sender.seat

    @property
    def said(self) -> Words:
        return showing.words(self.desk, self.reader or self.seat)


class NotMet(Exception):
    """A request that cannot be met; the text says why, and how it is written."""
