"""Tokens: what a mail brings back to show that its writer got the question.

One for each seat and window, made from the game's secret, so that there is nothing to keep; it is dead as soon as nobody
has that window open any more. In lower case and without signs, because mail programs change both.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.mail.reading import Mail

LENGTH = 22                     # of 5 bits each: 110, beyond the 80 that nobody guesses
CHECK = 2                       # letters by which a token is told from a long word
_SHAPE = re.compile(rf"(?<![a-z0-9])[a-z2-7]{{{LENGTH + CHECK}}}(?![a-z0-9])")


@lru_cache(4096)
def make(secret: str, game: str, seat: str, window: str) -> str:
    """The token of a seat for a window; `window` may also name a Game Turn, for what answers no question."""
    said = "\0".join((game, seat, window)).encode()
    body = _letters(hmac.new(secret.encode(), said, hashlib.sha256).digest())[:LENGTH]
    return body + _check(body)


def _letters(data: bytes) -> str:
    return base64.b32encode(data).decode().lower()


@lru_cache(4096)
def _check(body: str) -> str:
    return _letters(hashlib.sha256(body.encode()).digest())[:CHECK]


def in_text(text: str) -> list[str]:
    """Every token that stands in a text, in sequence. Whether it is valid, only the game knows."""
    return list(dict.fromkeys(one for one in _SHAPE.findall(text.casefold()) if one[LENGTH:] == _check(one[:LENGTH])))


def brought(mail: "Mail", domain: str) -> list[str]:
    """The tokens a mail brings back, the surest place first: the address it was sent to, our ids that it answers, its text.

    Of several ids the youngest comes first: a thread carries the tokens of all its earlier questions.
    """
    ids = [mail.in_reply_to, *reversed(mail.references)]
    ours = [one for one in ids if one.rstrip(">").rpartition("@")[2].casefold() == domain.casefold()]
    cuts = [cut.text for cut in mail.removed]
    places: Iterable[str] = (*mail.tags, *ours, *mail.lines, *cuts, *mail.attached)
    return list(dict.fromkeys(token for place in places for token in in_text(place)))
