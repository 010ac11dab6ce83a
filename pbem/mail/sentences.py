"""The sentences of the mailbox."""

from typing import Any

from pbem.base.language import Safe
from pbem.desk import showing
from pbem.mail.parts import Why
from pbem.telling.words import Words


def mailed(words: Words, key: str, /, **facts: Any) -> Safe:
    """A sentence of the mailbox."""
    return words.tell("mail", key, facts)


def why(reason: str, **facts: Any) -> str:
    """Why a mail is where it is, for the moderator."""
    return mailed(showing.plain_words(), f"why_{reason}", **facts)


def why_of_class(reason: Why) -> str:
    """Why a mail is of its class."""
    return mailed(showing.plain_words(), f"class_{reason.key}", of=reason.of)
