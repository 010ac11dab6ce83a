"""The last line of what a page's order desk hands over: which version wrote it, and for which log.

It changes nothing of what becomes of the orders: whoever sent them is told when his page had an older log, or another one.
"""

import re
from collections.abc import Iterable

from pbem import __version__
from pbem.desk.desk import Desk
from pbem.telling.words import Words

LAST = re.compile(r"#\s*pbem (\S{1,20}) (\d{1,6}) ([0-9a-f]{32})", re.IGNORECASE)


def is_one(line: str) -> bool:
    return LAST.fullmatch(line.strip()) is not None


def remarks(desk: Desk, said: Words, lines: Iterable[str]) -> list[str]:
    """What is otherwise now than where these lines were written; before any of them is done."""
    found = [mark for line in lines if (mark := LAST.fullmatch(line.strip()))]
    if not found:
        return []
    version, known, head = found[-1].groups()
    entries, is_ours = len(desk.game.entries), False
    if int(known) <= entries:
        is_ours = desk.game.head(int(known))[:len(head)] == head.casefold()
    told = []
    if not is_ours:
        told.append(said.phrase("page_of_another_log"))
    elif int(known) < entries:
        told.append(said.phrase("page_is_older", known=int(known), entries=entries))
    if version != __version__:
        told.append(said.phrase("page_of_another_pbem", theirs=version, ours=__version__))
    return list(map(str, told))
