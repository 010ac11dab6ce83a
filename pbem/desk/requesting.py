"""How each request is written, and who may read it: one table for mailbox, thread, moderator and the desk of a page.

A line is a request when its first word is one of the table; everything else is for the order parser. Who answers it stands in
`pbem.mail.requests`: only there a mailbox is at hand.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from pbem.desk import standing
from pbem.orders.asking import requested
from pbem.orders.tongues import in_english

TAKEN, PRIVATE, REFUSED = "taken", "private", "refused"
HOW_OFTEN = {"daily": "digest", "digest": "digest", "once a day": "digest", "at once": "immediate", "now": "immediate",
             "immediately": "immediate", "immediate": "immediate", "each turn": "turns", "turns": "turns", "by turn": "turns"}
STANDING = re.compile(r"(?i)\s*standing(?: orders?)?\s*(?::|\Z)")
LISTED = re.compile(r"(?i)|list|show|(?:cancel|stop|delete)\b.*")         # of standing orders: it speaks of those there are


class Form(NamedTuple):
    """`whole` is what a line says behind its word that is nothing but the request."""

    written: tuple[str, ...]            # examples of how it is written; names of the game stand for others
    whole: str
    post: str = TAKEN                   # in a thread: taken before all eyes, answered in private, refused because it would tell
    mail: str = TAKEN
    desk: str = TAKEN                   # entered for a seat by the moderator
    strict: bool = False                # a line with anything else behind the word is no request


FORMS: dict[str, Form] = {
    "help": Form(("help",), r"\S*", PRIVATE, strict=True),
    "status": Form(("status",), r"\S*", strict=True),
    "options": Form(("options", "options all", "options march"), r"(?:--)?\w*", PRIVATE, strict=True),
    "hand": Form(("hand",), r"\S*", PRIVATE, strict=True),
    "map": Form(("map Lydia", "map", "map off", "map focus", "map on"), r"|\S+(?: \S+){0,2}", strict=True),
    "guide": Form(("guide", "guide orders", "guide card"), r"|player|orders|card", PRIVATE),
    "history": Form(("history", "history 120", "history whole"), r"\d*\s*(?:whole)?", PRIVATE),
    "resend": Form(("resend",), r"\S*", PRIVATE, strict=True),
    "proof": Form(("proof",), r"\S*", PRIVATE, strict=True),
    "check": Form(("check march Kassandros > Lamia",), r".*", REFUSED),
    "standing": Form(
        ("standing: intercept Red into Lamia with Lysimachos, all, once", "standing", "standing: cancel 2"), r":?.*", REFUSED),
    "file": Form(
        ("file battle at Lamia: play 54 as surprise", "file 54", "file 54 battle at Lamia", "file", "file back 1"),
        r"|back \d+|.*:.*|\w{2,3}(?: \w+)*", REFUSED),
    "reserve": Form(("reserve battle, sea", "reserve nothing", "reserve"),
                    r"|nothing|none|(?:battle|sea|card|death|defeat|and|[ ,])+"),
    "undo": Form(("undo: the wrong General", "undo 14: the wrong General", "undo yes", "undo no"),
                 r"(?:last|\d+)?\s*(?::.*)?|yes|no", strict=True),
    "press": Form(("press blue and yellow: ...", "press all held: ..."), r".{1,100}:.*", REFUSED),
    "absent": Form(("absent 2026-12-01 to 2026-12-05",), r".*\d.*"),
    "reports": Form(("reports each turn", "reports daily", "reports at once"), "|".join(HOW_OFTEN)),
    "word": Form(("word first snow in Pella",), r".+"),
    "observe": Form(("observe friend@example.net",), r"stop|\S+@\S+", REFUSED),
}


@lru_cache(2000)                        # a line is looked at from many sides
def split(line: str) -> tuple[str, str]:
    """The word of the table with which a line begins, and what stands behind it; the word of another language only where the
    line is nothing but the request."""
    if standing.body(line) is not None:
        line = in_english(line)
    english, is_translated = requested(line)
    first, rest = (*english.split(maxsplit=1), "", "")[:2]
    name = first.rstrip(":?!.,").casefold()
    rest = f":{rest}" if name == "undo" and first.endswith(":") else rest
    form = FORMS.get(name)
    if form is None or (form.strict or is_translated) and not re.fullmatch(
            form.whole, rest.strip(" .!?"), re.IGNORECASE | re.DOTALL):            # a letter has lines
        return "", line
    return name, rest.strip()


def command_of(line: str) -> str:
    """The request that a line makes, if it makes one; a standing order goes with the orders."""
    name = split(line)[0]
    return "" if name == "standing" else name


def is_whole(line: str) -> bool:
    """Is a line a request as it stands, and no sentence that begins like one?"""
    name, rest = split(line)
    if name == "standing":
        return bool(STANDING.match(in_english(line)))
    return bool(name) and re.fullmatch(FORMS[name].whole, rest.strip(" .!?"), re.IGNORECASE) is not None


def lists_standing(line: str) -> bool:
    """Does it ask for the standing orders, or take one back? What it speaks of lies with the game alone."""
    text = standing.body(line)
    return text is not None and LISTED.fullmatch(in_english(text)) is not None
