"""Is a position that somebody has written down understood, every word of it? What is not is refused with its line.

The fold takes what stands in a log; here, before anything is written, each part is read by its form: a name is one of the
names that there are, a number is a number, and no piece and no card stands in two places.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from pbem.base.errors import BadLog, meant, nearest
from pbem.base.yamlfile import line_of
from pbem.components.catalogue import Facts
from pbem.table.position import KEYS
from pbem.table.state import INDEPENDENT, PHASES, SEGMENTS, SETUP, Step

KINDS = ("loyal", "royal", "silver", "elephant", "mercenary", "cavalry", "independent")
NOBODY = ("none", "", None)
YES = (True, False, "yes", "no", "true", "false", "champion", 0, 1)
LOCS = ("inside", "outside", "sea")
MINOR = "minor"                         # any Minor General of the owner
PRIVATE = frozenset(("deck_order",))    # what goes into the private file


Read = Callable[["Stated", Any, str, int], None]


class Stated:
    """The names that a game knows, and what has been read so far."""

    def __init__(self, facts: Facts, seats: Collection[str], file: str) -> None:
        generals = {**facts.generals, **facts.minors, **facts.independents}
        self.names: Mapping[str, Collection[str]] = {
            "seat": seats, "space": facts.spaces, "province": facts.provinces, "general": generals, "royal": facts.royals,
            "fleet": facts.fleets, "card": facts.cards, "cu": KINDS, "person": {**generals, **facts.royals}}
        self.file = file
        self.seen: set[tuple[str, str]] = set()

    def name(self, kind: str, value: Any, path: str, line: int, besides: Collection[Any] = ()) -> None:
        if value in besides:
            return
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise self.wrong(path, line, "str")
        if str(value) not in self.names[kind]:
            raise BadLog("unknown_name", file=self.file, line=line, kind="general" if kind == "person" else kind,
                         text=str(value), suggestions=nearest(str(value), [*self.names[kind], *filter(None, besides)]))

    def once(self, kind: str, value: str, line: int) -> None:
        """No piece and no card stands in two places."""
        if (kind, value) in self.seen:
            raise BadLog("stands_twice", file=self.file, line=line, kind=kind, text=value)
        self.seen.add((kind, value))

    def wrong(self, path: str, line: int, wanted: str) -> BadLog:
        return BadLog("wrong_type", file=self.file, line=line, found=path, wanted=wanted)


# --- the forms ---------------------------------------------------------------------------------------------------


def number(read: Stated, value: Any, path: str, line: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise read.wrong(path, line, "int")


def count(read: Stated, value: Any, path: str, line: int) -> None:
    number(read, value, path, line)
    if value < 0:
        raise read.wrong(path, line, "count")


def one_word(read: Stated, value: Any, path: str, line: int) -> None:
    if not isinstance(value, str | int):
        raise read.wrong(path, line, "str")


def free(read: Stated, value: Any, path: str, line: int) -> None:
    """What the program has written of a game that is over."""
    if not isinstance(value, Mapping):
        raise read.wrong(path, line, "mapping")


def one_of(*words: Any) -> Read:
    def look(read: Stated, value: Any, path: str, line: int) -> None:
        if value not in words:
            raise BadLog("unknown_in_record", file=read.file, line=line, found=str(value), part=path,
                         nearest=meant(str(value), [one for one in words if isinstance(one, str)]))
    return look


def named(kind: str, *besides: Any, once: bool = False) -> Read:
    def look(read: Stated, value: Any, path: str, line: int) -> None:
        plain = value.rstrip("+") if kind == "fleet" and isinstance(value, str) else value
        read.name(kind, plain, path, line, besides)
        if once and plain not in besides:
            read.once("general" if kind == "person" else kind, str(plain), line)
    return look


def located(read: Stated, value: Any, path: str, line: int) -> None:
    """A space, or a part of one: `pella/inside`."""
    space, _, part = value.partition("/") if isinstance(value, str) else (value, "", "")
    read.name("space", space, path, line)
    if part:
        one_of("inside", "sea")(read, part, path, line)


def list_of(each: Read) -> Read:
    def look(read: Stated, value: Any, path: str, line: int) -> None:
        if not isinstance(value, list | tuple):
            raise read.wrong(path, line, "sequence")
        for one in value:
            each(read, one, path, line_of(one, line=line))
    return look


def mapping(key: Read, each: Read) -> Read:
    def look(read: Stated, value: Any, path: str, line: int) -> None:
        if not isinstance(value, Mapping):
            raise read.wrong(path, line, "mapping")
        for name, inner in value.items():
            here = line_of(value, name, line)
            key(read, name, path, here)
            each(read, inner, f"{path}.{name}", line_of(inner, line=here))
    return look


def record(**parts: Read) -> Read:
    """A mapping with these keys alone; those that end in an underscore have to be there."""
    known = {name.rstrip("_"): read for name, read in parts.items()}
    needed = [name.rstrip("_") for name in parts if name.endswith("_")]

    def look(read: Stated, value: Any, path: str, line: int) -> None:
        if not isinstance(value, Mapping):
            raise read.wrong(path, line, "mapping")
        for name in value:
            if name not in known:
                raise BadLog("unknown_in_record", file=read.file, line=line_of(value, name, line), found=str(name), part=path,
                             nearest=meant(str(name), known))
        for name in needed:
            if name not in value:
                raise BadLog("missing_in_record", file=read.file, line=line_of(value, line=line), found=name, part=path)
        for name, inner in value.items():
            known[name](read, inner, f"{path}.{name}", line_of(inner, line=line_of(value, name, line)))
    return look


def either(*forms: tuple[type | tuple[type, ...], Read]) -> Read:
    """By what it is; what is none of them is judged as the last."""
    def look(read: Stated, value: Any, path: str, line: int) -> None:
        next((form for kind, form in forms if isinstance(value, kind)), forms[-1][1])(read, value, path, line)
    return look


SEAT, OWNER = named("seat"), named("seat", INDEPENDENT, *NOBODY)
SIDE = named("seat", INDEPENDENT)
GENERALS, CUS = list_of(named("general", MINOR, once=True)), mapping(named("cu"), count)
PLACE = record(at_=located, loc=one_of(*LOCS), owner=OWNER)
ROYAL = either((str, one_of("none")), (type(None), one_of(None)), (Mapping, PLACE))
CARDS = list_of(named("card", once=True))
FORMS: Mapping[str, Read] = {
    "turn": number, "round": number, "movement_roll": number,
    "segment": record(player_=SEAT, kind_=one_of(*SEGMENTS)), "phase": one_of(SETUP, *PHASES),
    "turn_order": list_of(SEAT), "seating": list_of(SEAT), "champions": mapping(SEAT, one_of(*YES)),
    "usurper": named("seat", *NOBODY),
    "spaces": mapping(named("space"), either((Mapping, record(pc_=OWNER)), (object, OWNER))),
    "provinces": mapping(named("province"), OWNER),
    "forces": list_of(record(owner_=SIDE, at_=located, loc=one_of(*LOCS), general=named("general", MINOR, once=True),
                             generals=GENERALS, cus=CUS, family=list_of(named("royal", once=True)))),
    "family": mapping(named("royal", once=True), ROYAL), "cart": ROYAL, "tomb": ROYAL,
    "fleets": mapping(SEAT, list_of(named("fleet", once=True))),
    "dispersed": mapping(SIDE, record(generals=GENERALS, cus=CUS, fleets=list_of(named("fleet", once=True)))),
    "dead": list_of(named("person", once=True)), "not_in_play": list_of(named("general", once=True)),
    "dealt": mapping(SEAT, list_of(named("general"))), "ranks": list_of(named("general", once=True)),
    "popularity": mapping(named("general"), number),
    "siege_points": mapping(located, record(by_=SEAT, points_=count)),
    "training": mapping(SEAT, record(type_=named("cu"), at_=number)),
    "hands": mapping(SEAT, either((list, CARDS), (object, count))), "face_down": either((list, CARDS), (object, count)),
    "deck": record(name=one_word, cards=list_of(named("card")), left_=count), "deck_order": CARDS,
    "discards": CARDS, "out": list_of(named("card")), "shown": mapping(named("card"), SEAT),
    "kept": mapping(named("card"), SEAT), "looted": list_of(named("space")),
    "helepolis": either((str, located)), "helepolis_by": SEAT, "mp": mapping(named("person"), count),
    "moved": list_of(named("person")), "naval_used": one_of(*YES),
    "condemned": mapping(named("general"), number), "adjust": mapping(SEAT, record(L=number, VP=number)),
    "minors": mapping(SEAT, mapping(named("general"), one_word)), "buried_by": SEAT, "offers": mapping(named("royal"), SEAT),
    "step": one_of(*(step.value for step in Step)), "chooser": named("seat", ""),
    "due": mapping(SEAT, record(cus=CUS, generals=list_of(named("general")))),
    "placed": mapping(named("space"), count), "overflowed": mapping(named("province"), count),
    "arrived": list_of(named("person")), "foraged": list_of(named("space")), "over": free, "revealed": named("card", ""),
    "capitals": mapping(SEAT, named("space")), "construction": mapping(SEAT, named("space")),
    "captured_capitals": mapping(SEAT, SIDE), "cart_finished": one_of(*YES), "truces": list_of(list_of(SEAT)),
    "oracle": named("seat", ""),
}


PUBLIC = {"hands": mapping(SEAT, count), "face_down": count}          # publicly a hand is a number of cards


def understood(given: Mapping[str, Any], facts: Facts, seats: Iterable[str], file: str, *, public: bool = False) -> None:
    """Every word of it; the first that is not is told with its line. A `public` position lists no hidden card."""
    read = Stated(facts, list(seats), file)
    forms = {key: form for key, form in {**FORMS, **PUBLIC}.items() if key not in PRIVATE} if public else FORMS
    for key, value in given.items():
        line = line_of(given, key)
        if key not in forms:
            raise BadLog("unknown_in_record", file=file, line=line, found=str(key), part="", nearest=meant(str(key), forms))
        if value is not None:
            forms[key](read, value, key, line_of(value, line=line))


assert FORMS.keys() == KEYS | PRIVATE, sorted(FORMS.keys() ^ (KEYS | PRIVATE))
