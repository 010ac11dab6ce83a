"""What goes into a slot: one reader and one writer per kind."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from pbem.base.errors import Unreadable
from pbem.orders.names import Names
from pbem.orders.order import ALL, NONE, Pieces


class Speaker(Protocol):
    """Who says an order: the log in English, or a reader in his own words."""

    def say(self, kind: str, id: str) -> str: ...

    def word(self, english: str, number: int = 0) -> str: ...

    def line(self, words: Sequence[str]) -> str: ...

    def count(self, number: int, cu: str) -> str: ...

    def after(self, english: str) -> "Speaker": ...


Within = Mapping[str, Collection[str]] | None
Reader = Callable[[str, Names, Within], Any]

_AND = r"(?i)\s*(?:,|\+|&|(?<!\S)(?:and|und)(?!\S))\s*|\s+(?=\d)"
_STEP = r"(?i)\s*(?:->|=>|→|>|,|(?<!\S)(?:to|then)(?!\S))\s*"
_ALL = (
    "(?i)(?:all|everything|everybody|the whole army|whole army|alle?s?|tutt[oi]|все|всё)"
    "(?: (?:of )?(?:the )?(?:\\d+ )?(?:cus?|pieces|troops))?"
)
_NO_FLEETS = frozenset(("no fleets", "no fleet", "nobody", "nothing", "none"))
_NOTHING = frozenset(("nothing", "none", "no cus", "nobody"))
_NUMBERS = {word: number for number, words in enumerate((
    "a an one ein eine einen einem einer un uno una один одна одну одного одним одной",
    "two zwei due два две двух двумя",
    "three drei tre три трёх трех тремя",
    "four vier quattro четыре четырёх четырех четырьмя",
    "five fünf cinque пять пяти пятью",
    "six sechs sei шесть шести шестью",
    "seven sieben sette семь семи семью",
    "eight acht otto восемь восьми восемью",
    "nine neun nove девять девяти девятью",
    "ten zehn dieci десять десяти десятью"), start=1) for word in words.split()}
_ANY_MINOR = frozenset(("a minor", "any", "any minor", "a minor general", "any minor general"))
TARGETS = ("seat", "general", "royal", "space", "province", "card", "fleet", "cu")
_TARGET_WORDS = {"player": "seat", **{kind: kind for kind in TARGETS}}
_PLAIN_TARGETS = ("seat", "general", "royal", "space")


def _choose(within: Within, kind: str) -> Collection[str] | None:
    return within.get(kind) if within else None


def _read_name(kind: str) -> Callable[[str, Names, Within], str]:
    def read(text: str, names: Names, within: Within) -> str:
        return names.resolve(kind, text, _choose(within, kind))

    return read


def _say_name(kind: str) -> Callable[[str, Speaker], str]:
    def say(id: str, names: Speaker) -> str:
        return names.say(kind, id)

    return say


def _split(separator: str, text: str) -> list[str]:
    return [item for item in re.split(separator, text) if item]


def _read_pieces(text: str, names: Names, within: Within) -> Pieces:
    if text == "all":
        return ALL
    if text.lower() in _NOTHING:
        return NONE
    generals: dict[str, None] = {}
    royals: dict[str, None] = {}
    cus: dict[str, int] = {}
    everything = False
    for item in text.split(", "):
        count, _, word = item.partition(" ")
        cu = names.exact("cu", word)
        if cu and count.isdecimal():
            cus[cu] = cus.get(cu, 0) + int(count)
            continue
        if within is None and (general := names.exact("general", item)):
            generals[general] = None
            continue
        for part in (item,) if re.fullmatch(_ALL, item) else _split(_AND, item):
            everything = _add_piece(part, text, names, within, generals, cus, royals) or everything
    if everything and cus:
        raise Unreadable("all_and_some", text=text)
    pieces = Pieces.of(generals, cus, royals)
    return pieces._replace(everything=True) if everything else pieces


def _add_piece(
    item: str, text: str, names: Names, within: Within,
    generals: dict[str, None], cus: dict[str, int], royals: dict[str, None],
) -> bool:
    """Adds one item of a list of pieces; True where it says `all`."""
    if re.fullmatch(_ALL, item):
        return True
    count, _, word = item.partition(" ")
    number = int(count) if count.isdecimal() else _NUMBERS.get(count.lower())
    if number is not None and word:
        cu = names.resolve("cu", word, _choose(within, "cu"))
        cus[cu] = cus.get(cu, 0) + number
        return False
    kind, id = names.resolve_any(("general", "royal", "cu"), item, within)
    if kind == "cu":
        raise Unreadable("how_many", text=text, kind=names.say("cu", id))
    (generals if kind == "general" else royals)[id] = None
    return False


def _say_pieces(pieces: Pieces, names: Speaker) -> str:
    said = [names.word("all")] if pieces.everything else []
    said += [names.say("general", general) for general in pieces.generals]
    said += [names.count(number, cu) for cu, number in pieces.cus]
    said += [names.say("royal", royal) for royal in pieces.royals]
    return ", ".join(said) or names.word("nothing")


def _some(found: list[str], text: str) -> list[str]:
    """A list that names nothing is no list."""
    if not found:
        raise Unreadable("unreadable_order", text=text, suggestions=[])
    return found


def _read_path(text: str, names: Names, within: Within) -> tuple[str, ...]:
    if within is None and (space := names.exact("space", text)):
        return (space,)
    spaces = _choose(within, "space")
    return tuple(names.resolve("space", step, spaces) for step in _some(_split(_STEP, text), text))


def _read_spaces(text: str, names: Names, within: Within) -> tuple[str, ...]:
    spaces = _choose(within, "space")
    return tuple(names.resolve("space", space, spaces) for space in _some(_split(_AND, text), text))


def _read_seats(text: str, names: Names, within: Within) -> tuple[str, ...]:
    seats = _choose(within, "seat")
    return tuple(names.resolve("seat", seat, seats) for seat in _some(_split(_AND, text), text))


def _read_circle(text: str, names: Names, within: Within) -> tuple[str, ...]:
    """Everybody round the table; blanks will do between the names."""
    return _read_seats(", ".join(text.replace(">", " ").split()) if not re.search(_AND, text) else text, names, within)


def _read_fleets(text: str, names: Names, within: Within) -> tuple[str, ...]:
    """`all` stays a word: which Fleets are there only the position knows."""
    if text.lower() in _NO_FLEETS:
        return ()
    if re.fullmatch(_ALL, text) or text.lower() in ("all fleets", "all my fleets"):
        return ("all",)
    return tuple(names.resolve("fleet", fleet, _choose(within, "fleet")) for fleet in _some(_split(_AND, text), text))


def _say_fleets(fleets: tuple[str, ...], names: Speaker) -> str:
    said = [names.word("all") if fleet == "all" else names.say("fleet", fleet) for fleet in fleets]
    return ", ".join(said) or names.word("no fleets")


def _read_minor(text: str, names: Names, within: Within) -> str:
    if text.lower() in _ANY_MINOR:
        return "any"
    near = _choose(within, "general")
    return names.resolve("general", text, names.minors if near is None else names.minors.intersection(near))


def _read_target(text: str, names: Names, within: Within) -> tuple[str, str]:
    word, _, rest = text.partition(" ")
    kind = _TARGET_WORDS.get(word.lower())
    if kind and rest:
        return kind, names.resolve(kind, rest, _choose(within, kind))
    return names.resolve_any(TARGETS, text, within)


def _say_target(target: tuple[str, str], names: Speaker) -> str:
    kind, id = target
    name = id if kind == "card" else names.say(kind, id)
    return name if kind in _PLAIN_TARGETS else f"{names.word(kind)} {name}"


def _read_number(text: str, names: Names, within: Within) -> int:
    return int(text)


def _read_word(text: str, names: Names, within: Within) -> str:
    return text.lower()


def _say_word(word: str, names: Speaker) -> str:
    return word


_NAMED = ("general", "space", "location", "province", "royal", "card", "fleet", "seat")

READ: dict[str, Reader] = {
    **{kind: _read_name(kind) for kind in _NAMED},
    "pieces": _read_pieces, "path": _read_path, "spaces": _read_spaces, "seats": _read_seats, "circle": _read_circle,
    "fleets": _read_fleets, "minor": _read_minor, "target": _read_target, "number": _read_number, "letter": _read_word,
    "flag": lambda text, names, within: True,
}
SAY: dict[str, Callable[[Any, Speaker], str]] = {
    **{kind: _say_name(kind) for kind in _NAMED},
    "card": _say_word,  # by number: several cards share a name
    "pieces": _say_pieces,
    "path": lambda spaces, names: " > ".join(names.say("space", space) for space in spaces),
    "spaces": lambda spaces, names: ", ".join(names.say("space", space) for space in spaces),
    "seats": lambda seats, names: ", ".join(names.say("seat", seat) for seat in seats),
    "circle": lambda seats, names: ", ".join(names.say("seat", seat) for seat in seats),
    "fleets": _say_fleets,
    "minor": lambda minor, names: names.word("a minor") if minor == "any" else names.say("general", minor),
    "target": _say_target, "number": lambda number, names: str(number), "letter": _say_word,
    "choice": lambda word, names: names.word(word), "flag": lambda flag, names: "",
}
