"""The course of a game's chance: what was drawn, dealt, opened and taken back so far, in the order of the log.

Needs neither rules nor secrets: whoever has the public log comes to the same (docs/chance.md).
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

from pbem.chance import scheme

HAND = "hand"


class Standing(NamedTuple):
    """The newest entry that stands, and the seats that nobody plays any more. The one before it goes by its number: a chain
    of objects as long as a log is more than a browser's stack bears, when it is let go."""

    number: int
    before: int
    given_up: frozenset[str]


class Course:
    """Entries are taken in one after the other, also those that are taken back later: what was seen stays seen."""

    def __init__(self, header: Mapping[str, Any], entries: Iterable[Mapping[str, Any]] = ()) -> None:
        self.header = header
        promised = header.get("chance") or {}
        self.game: str = header["game"]
        self.promises = "chance" in header                          # else dice and cards lie on a table elsewhere
        self.seats: list[str] = list(header["seats"])
        self.version: int = promised.get("scheme", 2 if header.get("format", 1) >= 3 else 1)
        words = promised.get("words") or {}
        self.mixed = scheme.entropy(self.game, {seat: words.get(seat) or "" for seat in self.seats})
        self.fresh = self.mixed                                     # F, with the words given since
        self.spent = 0                                              # the highest epoch that was opened
        self.used = 0                                               # the highest one of which there is a die
        self.ended = False                                          # the deck secret is open
        self.over = False                                           # the game was over once
        self.decks: dict[str, list[Any]] = {}                       # kind and turn -> what each different deck was
        self.late_decks: dict[str, bytes] = {}                      # those shuffled with F -> which it was
        self.entries: Any = []
        self.standing: Standing | None = None
        self.first = 0                                              # so many entries were taken in elsewhere (`going_on`)
        self._after: list[Standing | None] = [None]                 # what stood after so many entries from there on
        for entry in entries:
            self.take_in(entry)

    def kept(self) -> dict[str, Any]:
        """All that is not an entry, as plain data."""
        decks = {base: [[cards, key.hex(), root] for cards, key, root in known] for base, known in self.decks.items()}
        return {"fresh": self.fresh.hex(), "spent": self.spent, "used": self.used, "ended": self.ended, "decks": decks,
                "late_decks": {name: key.hex() for name, key in self.late_decks.items()},
                "given_up": sorted(self.standing.given_up) if self.standing is not None else []}

    @classmethod
    def going_on(cls, header: Mapping[str, Any], kept: Mapping[str, Any], entries: Any, first: int) -> Self:
        """The course after so many of these entries, as it was kept, and on from there."""
        course = cls(header)
        course.fresh, course.spent, course.used = bytes.fromhex(kept["fresh"]), kept["spent"], kept["used"]
        course.ended = kept["ended"]
        course.decks = {base: [(cards, bytes.fromhex(key), root) for cards, key, root in known]
                        for base, known in kept["decks"].items()}
        course.late_decks = {name: bytes.fromhex(key) for name, key in kept["late_decks"].items()}
        course.entries, course.first = entries, first
        course.standing = Standing(first, 0, frozenset(kept["given_up"]))
        course._after = [course.standing]
        for entry in entries[first:]:
            course._take_in(entry)
        return course

    def _reaching(self, number: int) -> None:
        """Whoever looks at what stood before the entries that were taken in here takes in all of them."""
        if self.first and number <= self.first:
            self.__dict__.update(Course(self.header, list(self.entries)).__dict__)

    def take_in(self, entry: Mapping[str, Any]) -> None:
        if "undo" in entry:
            self._reaching(entry["undo"])
        self.entries.append(entry)
        self._take_in(entry)

    def _take_in(self, entry: Mapping[str, Any]) -> None:
        if "undo" in entry:
            if self.version > 1 and self.opens(entry["undo"]):
                words = entry.get("words") or {}
                self.fresh = scheme.fresh(self.fresh, self.game, {seat: words.get(seat) or "" for seat in self.seats})
            self.standing = self._after[entry["undo"] - 1 - self.first]
        for name, _, *marks in entry.get("dice") or ():
            if not (marks and "by" in marks[0]):
                self.used = max(self.used, self.epoch(turn_of(name)))
        if told := entry.get("deck"):
            self.note(told)
        if opened := entry.get("open"):
            self.spent = max(self.spent, opened.get("epoch", 0))
            self.ended = self.ended or "deck_secret" in opened
        self.over = self.over or "over" in entry
        given_up = self.standing.given_up if self.standing is not None else frozenset()
        if "seat" in entry:
            given_up = (given_up | {entry["seat"]}) if entry.get("neutral") else (
                given_up - {entry["seat"]} if entry.keys() & {"name", "people"} else given_up)
        before = self.standing.number if self.standing is not None else 0
        self.standing = Standing(self.first + len(self._after), before, given_up)
        self._after.append(self.standing)

    # --- which key -----------------------------------------------------------------------------------------------

    def is_late(self, turn: int) -> bool:
        """Has this Game Turn no secret link any more?"""
        return self.version > 1 and turn <= self.spent

    def epoch(self, turn: int) -> int:
        return scheme.epoch_of(turn, self.spent)

    def deck_name(self, base: str, cards: Iterable[str], root: str = "") -> str:
        """The same deck has the same name, however often it is dealt: its cards, its key and, if it was stated, its order."""
        what = (sorted(cards), self.key_of(base), root)
        known = self.decks.get(base, [])
        place = known.index(what) if what in known else len(known)
        return f"{base},{place + 1}" if place else base

    def key_of(self, base: str) -> bytes:
        turn = base.split(",")[1:2]
        return self.fresh if turn and turn[0].isdecimal() and self.is_late(int(turn[0])) else self.mixed

    def note(self, told: Mapping[str, Any]) -> None:
        base = ",".join(told["name"].split(",")[:2])
        what = (sorted(told["cards"]), self.key_of(base), told["root"] if "stated" in told else "")
        known = self.decks.setdefault(base, [])
        if what not in known:
            known.append(what)
        if "stated" not in told and what[1] != self.mixed:
            self.late_decks[told["name"]] = what[1]

    @property
    def adopts(self) -> bool:
        """Does an entry stand that adopts a position?"""
        return any("position" in self.entries[one - 1] and "turn_end" not in self.entries[one - 1] for one in self.taken(1))

    # --- taking back ---------------------------------------------------------------------------------------------

    def taken(self, number: int) -> list[int]:
        """The entries from this one on that stand."""
        self._reaching(number)
        found, here = list[int](), self.standing
        while here is not None and here.number >= number:
            found.append(here.number)
            here = self._after[here.before - self.first] if here.before else None
        return found[::-1]

    def opens(self, number: int) -> bool:
        """Does what stands from this entry on open a link or the deck secret?"""
        return any("open" in self.entries[one - 1] for one in self.taken(number))

    def stain(self, number: int) -> list[str]:
        """What became known in the entries from this one on."""
        return [what for one in self.taken(number) for what in became_known(self.entries[one - 1])]

    def to_consent(self, number: int) -> list[str]:
        """Every seat but that whose act it was, and but those that nobody plays."""
        given_up = self.standing.given_up if self.standing is not None else frozenset()
        return [seat for seat in self.seats if seat != self.entries[number - 1].get("by") and seat not in given_up]


def turn_of(name: str) -> int:
    return int(name.split(",")[0].removeprefix("T"))


def became_known(entry: Mapping[str, Any]) -> list[str]:
    """What an entry let somebody see: dice, cards, answers, links. An undo brings back what it took."""
    opened = entry.get("open") or {}
    moves = [" ".join(map(str, move)) for move in entry.get("cards") or ()]
    return [
        *(entry["stain"] if "undo" in entry and "stain" in entry else ()),
        *(f"die {roll[0]}" for roll in entry.get("dice") or ()),
        *(moves or ([f"deck {entry['deck']['name']}"] if "deck" in entry else [])),
        *([f"sealed answers to {entry['close']}"] if entry.get("answers") else ()),
        *([f"link {opened['epoch']}"] if "epoch" in opened else ()),
        *(["deck secret"] if "deck_secret" in opened else ()),
    ]
