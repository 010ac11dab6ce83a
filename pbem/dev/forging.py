"""Forgeries of a log, one change each: a sign, a shape, the part of another entry, an entry's place."""

import copy
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import Any

OF_CHANCE = frozenset(("dice", "deck", "openings", "open", "cards", "undo", "beacon", "announce", "position", "facts"))

Log = dict[str, Any]


def forged(log: Log, rng: Random) -> tuple[Log, str]:
    """The log with one thing changed somewhere, and what was done."""
    entries = log["log"]
    at = rng.choice([0, *rng.choices(range(1, len(entries) + 1), k=3), *rng.choices(drawn(log) or [1], k=4)])
    how = rng.choice(("a sign", "a sign", "a shape", "another's part", "its place"))
    if at == 0:
        header = copy.deepcopy({key: value for key, value in log.items() if key != "log"})
        return {**(bent if how == "a sign" else misshapen)(header, rng), "log": entries}, how
    if how == "its place":
        return {**log, "log": moved(entries, at, rng)}, how
    entry = copy.deepcopy(entries[at - 1])
    if how == "another's part":
        part = rng.choice(sorted(entry))
        others = [other[part] for other in entries if part in other and other[part] != entry[part]]
        if others:
            entry[part] = copy.deepcopy(rng.choice(others))
        else:
            entry = bent(entry, rng)
    else:
        part = rng.choice(sorted(entry.keys() & OF_CHANCE) or sorted(entry))
        entry |= (bent if how == "a sign" else misshapen)({part: entry.pop(part)}, rng)
    return {**log, "log": [*entries[:at - 1], entry, *entries[at:]]}, how


def forged_part(part: Log, rng: Random) -> Log:
    """A receipt, a hand or a block with one thing changed."""
    (key, told), = copy.deepcopy(part).items()
    return {key: (bent if rng.random() < 0.6 else misshapen)(told, rng)}


def first_changed(log: Log, forgery: Log) -> int | None:
    """The entry from which on they differ; 0 is the header."""
    if any(log.get(key) != forgery.get(key) for key in log.keys() | forgery.keys() if key != "log"):
        return 0
    pairs = enumerate(zip_longest(log["log"], forgery["log"]), 1)
    return next((at for at, (ours, theirs) in pairs if ours != theirs), None)


def drawn(log: Log) -> list[int]:
    """The entries with something of chance in them."""
    return [at for at, entry in enumerate(log["log"], 1) if entry.keys() & OF_CHANCE]


def moved(entries: Sequence[Any], at: int, rng: Random) -> list[Any]:
    """An entry left out, written twice, or changed for another."""
    one = rng.choice(("out", "twice", "other"))
    if one == "out":
        return [*entries[:at - 1], *entries[at:]]
    if one == "twice":
        return [*entries[:at - 1], rng.choice(entries), *entries[at - 1:]]
    return [*entries[:at - 1], rng.choice(entries), *entries[at:]]


def places(part: Any) -> Iterator[tuple[Any, Any]]:
    """All keys and indices of something, with what they are in."""
    for key in list(part) if isinstance(part, dict) else range(len(part)):
        yield part, key
        if isinstance(part[key], dict | list):
            yield from places(part[key])


def bent(part: Any, rng: Random) -> Any:
    """With one leaf changed."""
    here: Any = part
    while True:
        key: Any = rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
        if not isinstance(here[key], dict | list) or not here[key]:
            here[key] = here[key] + 1 if isinstance(here[key], int) else other(str(here[key] or ""), rng)
            return part
        here = here[key]


def misshapen(part: Any, rng: Random) -> Any:
    """With something left out, written twice, of another kind or put where something else was."""
    here, key = rng.choice(list(places(part)))
    what = here[key]
    now = rng.choice([one for one in (None, [], {}, 0, -1, 7, "", "yes", "T1", "0" * 64, [what], {"x": what}, str(what))
                      if one != what or type(one) is not type(what)])
    how = rng.choice(("out", "twice", "other", "other"))
    if how == "out":
        del here[key]
    elif how == "twice" and isinstance(here, list):
        here.insert(key, what)
    elif how == "twice":
        here[f"{key}x"] = what
    else:
        here[key] = now
    return part


def other(text: str, rng: Random) -> str:
    """A text with one sign changed."""
    at = rng.randrange(len(text)) if text else 0
    return text[:at] + rng.choice([sign for sign in "0123456789abcdef" if sign != text[at:at + 1]]) + text[at + 1:]
