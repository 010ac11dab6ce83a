"""What an entry looks like, as far as it tells of chance (docs/chance.md, section 1). What does not is not read at all.

So three checkers that share no code need not agree about what half of a broken entry might have meant.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from pbem.chance.beacon import MINUTE

Fits = Callable[[Any], bool]
MOST = 999_999
DIGEST = re.compile(r"[0-9a-f]{64}")
DIE = re.compile(r"T(?:0|[1-9][0-9]{0,3})(?:,.*)?", re.DOTALL)
DECK = re.compile(r"[^,]*,(?:0|[1-9][0-9]{0,3})(?:,.*)?", re.DOTALL)
PAIRS = re.compile(r"(?:[0-9a-f]{2})*")


def anything(value: Any) -> bool:
    return True


def text(value: Any) -> bool:
    return isinstance(value, str)


def number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST


def like(pattern: re.Pattern[str]) -> Fits:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def each(fits: Fits, least: int = 0) -> Fits:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(fits, value))


def keyed(fits: Fits) -> Fits:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def row(*parts: Fits) -> Fits:
    return lambda value: (isinstance(value, list) and len(value) == len(parts)
                          and all(fits(one) for fits, one in zip(parts, value, strict=True)))


def record(needs: Mapping[str, Fits], may: Mapping[str, Fits] = {}) -> Fits:     # noqa: B006  (it is never changed)
    """A mapping with these keys at least; those in `may` fit if they are there, others mean nothing."""
    return lambda value: (isinstance(value, dict) and needs.keys() <= value.keys()
                          and all({**needs, **may}.get(key, anything)(one) for key, one in value.items()))


digest = like(DIGEST)


def roll(value: Any) -> bool:
    """A die, or several of one name, with its marks."""
    shown = value[:2] if isinstance(value, list) else value
    marks = record({}, {"sides": lambda sides: number(sides) and sides > 0, "by": text, "reason": text})
    return (row(like(DIE), lambda faces: number(faces) or each(number, 1)(faces))(shown)
            and len(value) in (2, 3) and all(map(marks, value[2:])))


MOVES: Mapping[str, Fits] = {
    "deck": row(text), "deal": row(text, number), "draw": row(text, number), "lay": row(number), "play": row(text, text),
    "up": row(text), "take": row(text, text, number)}


def move(value: Any) -> bool:
    return isinstance(value, list) and value != [] and text(value[0]) and value[0] in MOVES and MOVES[value[0]](value[1:])


def opened(value: Any) -> bool:
    """A link with its epoch, the deck secret, or both."""
    parts = {"epoch": number, "link": digest, "deck_secret": digest, "orders": keyed(each(text))}
    return (record({}, parts)(value) and ("epoch" in value) == ("link" in value)
            and ("link" in value or "deck_secret" in value))


counts = record({}, {"hands": keyed(number), "face_down": number})
OPENING = row(number, text, digest, each(digest))
SHOWN = record({"deck": text, "cards": each(OPENING)})
ENTRY = record({}, {
    "undo": number, "stain": each(text), "consent": each(text), "words": keyed(text), "by": text, "seat": text, "neutral": text,
    "dice": each(roll), "deck": record({"name": like(DECK), "cards": each(text, 1)}), "cards": each(move),
    "openings": SHOWN, "open": opened, "turn_end": number, "position": counts,
    "facts": lambda facts: facts is None or counts(facts),
    "beacon": record({"epoch": number, "id": text, "value": like(PAIRS)}), "announce": number, "close": text,
    "answers": keyed(anything), "receipts": keyed(text), "sealed": digest, "blinds": keyed(digest), "private": keyed(anything)})


CHANCE = record({"scheme": number, "deck": digest, "dice": digest, "links": number, "words": keyed(text)},
                {"beacon": text, "entropy": digest})
HEADER = record({"game": text, "seats": keyed(anything)}, {"chance": CHANCE, "format": number})


BLOCK = record({"game": text, "turn": number, "entries": lambda value: number(value) and value > 0,
                "head": like(re.compile(r"[0-9a-f]{32,64}"))}, {"epoch": number, "link": digest})


def entry(value: Any, at: int, *, promised: bool) -> bool:
    """Is entry number `at` of this form? An undo names one before itself; an announcement has its minute, a deck its root."""
    if not ENTRY(value) or not value.get("undo", 1) > 0 or value.get("undo", 0) >= at:
        return False
    if promised and "deck" in value and not digest(value["deck"].get("root")):
        return False
    if "announce" in value and not minute(value.get("at")):
        return False
    return set(value.get("private", ())) <= set(value.get("blinds", ()))


def minute(value: Any) -> bool:
    with suppress(TypeError, ValueError):
        return bool(datetime.strptime(value, MINUTE).strftime(MINUTE) == value)
    return False
