"""What a seat has typed, read as it meant it."""

from collections.abc import Callable
from typing import Any

from pbem.base.errors import PbemError
from pbem.play.match import Match


def reading(match: Match, seat: str, read: Callable[..., Any], text: str) -> Any:
    """Read a text; a card's name that several copies bear means the one in this seat's hand."""
    secret = match.g.secret
    if secret is not None:
        try:
            return read(text, match.names, {"card": secret.hand(seat)})
        except PbemError:                                       # another card, or something else is wrong: say what
            pass
    return read(text, match.names)
