"""The pieces: CUs with their pasts, Generals, the Royal Family, Fleets, and what is under way with them.

A General and a Royal tell the position where they stand; everything else about it is in `state`.
"""

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple, Protocol

INDEPENDENT = "independent"
NOWHERE = ""
OFF, DISPERSED, DEAD, BOX = "off map", "dispersed box", "removed from the game", "holding box"
NOT_IN_PLAY = "not in play"
HEIRS = ("alexandros", "philippos", "herakles")
FEMALES = ("olympias", "kleopatra", "thessalonike")
CART, TOMB = "cart", "tomb"


class Past(NamedTuple):
    """What happened to a CU in this segment: whose activation moved it, was it dropped off, did it fight."""

    mover: str = ""
    dropped: bool = False
    fought: bool = False


FRESH = Past()


class Unit(NamedTuple):
    kind: str
    past: Past = FRESH


def by_kind(units: Mapping[Unit, int]) -> Counter[str]:
    """CUs without their pasts."""
    kinds: Counter[str] = Counter.__new__(Counter)              # its own __init__ takes longer than all of this
    for unit, number in units.items():
        kinds[unit.kind] = kinds.get(unit.kind, 0) + number
    return kinds


class Whereabouts(Protocol):
    """What the pieces keep up to date of the position when they move or change hands."""

    stands: "dict[str, list[General]]"
    family: "dict[str, list[Royal]]"
    touched: set[str]
    royal_changes: int


class General:
    """A Major, Minor or Independent General. `mover` is the activation that moved him in this segment."""

    __slots__ = ("_at", "_game", "_grade", "battle", "dropped", "initiative", "minor", "mover", "name", "rank", "seat",
                 "seniority")

    def __init__(self, game: "Whereabouts", name: str, seat: str, at: str, initiative: int, battle: int, seniority: int,
                 minor: bool) -> None:
        self.name = name
        self.seat = seat
        self._at = ""
        self._game = game
        self.initiative = initiative
        self.battle = battle
        self.seniority = seniority
        self._grade = seniority
        self.rank = (-seniority, name)              # his place among those who stand together
        self.minor = minor
        self.mover = ""
        self.dropped = False
        self.at = at

    @property
    def grade(self) -> int:
        """He commands those of a lower one."""
        return self._grade

    @grade.setter
    def grade(self, grade: int) -> None:
        self._grade, self.rank = grade, (-grade, self.name)
        self._game.stands[self._at].sort(key=attrgetter("rank"))

    @property
    def at(self) -> str:
        """The location he stands in, or the box or pool he lies in."""
        return self._at

    @at.setter
    def at(self, at: str) -> None:
        game = self._game
        if self._at:
            game.stands[self._at].remove(self)
            game.touched.add(self._at)
        self._at = at
        game.touched.add(at)
        there = game.stands.setdefault(at, [])
        there.append(self)
        if len(there) > 1:
            there.sort(key=attrgetter("rank"))


WHERE = attrgetter("_at")                           # asked a hundred times for each time that somebody moves: no call in Python
General.at = General.at.getter(WHERE)               # type: ignore[attr-defined, method-assign]


class LeftBehind(NamedTuple):
    """Whose activation moved somebody, and where it left him behind (9.2 B): he does not come along any more."""

    by: str
    at: str

    def __str__(self) -> str:
        return f"{self.by} until {self.at}"


class Royal:
    """A Royal Family Member, the Cart or the Tomb; `seat` controls it, empty for uncontrolled."""

    __slots__ = ("_at", "_game", "_seat", "mover", "name", "rank")

    def __init__(self, game: "Whereabouts", name: str, rank: int) -> None:
        self.name = name
        self.rank = rank                            # its place in the lists of the Family
        self._at = NOWHERE
        self._seat = ""
        self._game = game
        self.mover: str | LeftBehind = ""
        game.family.setdefault(NOWHERE, []).append(self)

    @property
    def at(self) -> str:
        return self._at

    @at.setter
    def at(self, at: str) -> None:
        family = self._game.family
        family[self._at].remove(self)
        self._at = at
        there = family.setdefault(at, [])
        there.append(self)
        if len(there) > 1:
            there.sort(key=attrgetter("rank"))
        self._game.touched.add(at)

    @property
    def moved_by(self) -> str:
        """Whose activation moved it in this segment, whether or not it is still with it."""
        return self.mover.by if isinstance(self.mover, LeftBehind) else self.mover

    @property
    def seat(self) -> str:
        return self._seat

    @seat.setter
    def seat(self, seat: str) -> None:
        self._seat = seat
        self._game.touched.add(self._at)
        self._game.royal_changes += 1


class Fleet:
    __slots__ = ("dispersed", "name", "seat", "upgraded")

    def __init__(self, name: str) -> None:
        self.name = name
        self.seat = ""
        self.upgraded = False
        self.dispersed = False


class Voyage:
    """A Naval Movement (13.2), from embarking to the end of the activation."""

    __slots__ = ("after_land", "announced", "bonus", "cus", "escort", "home", "landed", "meets", "sea", "towards")

    def __init__(self, home: str, escort: tuple[str, ...], cus: int, after_land: bool) -> None:
        self.home = home                            # the location left: the Embarkation Port
        self.escort = escort                        # the Fleets named before it began
        self.cus = cus                              # moved by sea so far, dropped ones too (13.1)
        self.after_land = after_land                # MPs were spent on land before (13.1)
        self.landed = False
        self.towards = ""                           # the port announced, as long as nothing stopped the way there
        self.announced: tuple[str, ...] | None = None       # what is left of a way that had to be announced whole
        self.meets = ""                             # whose Naval Battle is due, as long as nothing called it off
        self.sea: frozenset[str] = frozenset()      # the ports that a card confines it to, and nobody meets it there
        self.bonus: Counter[str] = Counter()        # added to a side's roll in it (cards O66, O67)


class Way(NamedTuple):
    """How pieces came into a location: whose activation, whose pieces, from where, to where, over what."""

    key: str            # the activated General
    seat: str           # the faction that moves
    origin: str         # the location left: withdrawals and retreats go back there
    target: str         # the location entered
    kind: str           # a path type, `gate` (out of a city), `sea` (landed) or `box` (an Independent Army's)


class Interceptor(NamedTuple):
    """Who has come by intercepting (11.2), with what, and from where."""

    origin: str
    generals: tuple[str, ...]           # the one who led comes first
    cus: dict[str, int]
    royals: tuple[str, ...]


class Activation:
    """An Army or General on the move (9). `key` is the General who was activated, whoever commands by now."""

    __slots__ = ("asked", "besieged", "entered", "evaders", "fixed", "here", "intercepted", "intercepting",
                 "key", "met", "must_leave", "passage", "raised", "route", "seat", "sieges", "spent", "start", "stopped",
                 "voyage", "withdrawn")

    def __init__(self, key: str, seat: str, here: str, besieged: frozenset[str], fixed: int | None) -> None:
        self.key = key
        self.seat = seat                            # whose Army it is, whatever becomes of that General
        self.start = here
        self.here = here
        self.voyage: Voyage | None = None
        self.fixed = fixed                          # MPs that came from a card: no commander changes them (9.2)
        self.spent = 0
        self.stopped = False                        # fought or withdrew: no MPs left whatever the allowance
        self.besieged = besieged                    # spaces besieged when it began (10 B)
        self.sieges = set(besieged)                 # spaces besieged at any moment of it (11.1 B)
        self.raised = ""                            # the space that its last step has left, if it was besieged till then
        self.entered = ""                           # how the present space was entered: a path type, or nothing yet
        self.must_leave = ""                        # the rule that forbids to stay here: 10C, 10G
        self.intercepted: set[tuple[str, str]] = set()      # spaces intercepted into, and by whom (12.1)
        self.route: tuple[str, ...] = ()            # the steps still to come of a route announced openly
        # of the space entered last
        self.asked: tuple[str, ...] = ()            # whose Free Passage was asked (10 C)
        self.passage: set[str] = set()              # who granted it and is honoured
        self.intercepting: list[Interceptor] = []          # who succeeded in it, the first first
        self.met = False                            # somebody has intercepted into it just now (11.3)
        self.withdrawn = False                      # and the Army has gone back where it came from
        self.evaders: set[str] = set()              # factions that failed to evade: no Local Troops (12.2 B)


class Battle:
    """A Land Battle in progress (14): what its steps have to know of each other, and what battle cards change."""

    __slots__ = ("apart", "at", "attacker", "bonus", "came_out", "defender", "elephants", "harmless", "leaders",
                 "playing", "pursuit", "score", "total")

    def __init__(self, at: str, attacker: str, defender: str) -> None:
        self.at = at
        self.attacker = attacker
        self.defender = defender
        self.came_out: Counter[str] = Counter()     # CUs, by kind, that left the city for this battle (14.2)
        self.leaders: set[str] = set()              # Generals that did
        self.playing = ""                           # whose battle cards are due (14.3)
        self.harmless: set[str] = set()             # sides whose Elephants have no strength today (card 48)
        self.bonus: Counter[str] = Counter()        # added to a side's Land Battle roll (cards O60, O61)
        self.apart: set[str] = set()                # sides whose Royal Army CUs stand aside (14.4)
        self.elephants: dict[str, list[int]] = {}   # strengths as rolled (14.6)
        self.pursuit = 0                            # added to the loser's Attrition die (16.9)
        self.total: dict[str, int] = {}             # modified Land Battle rolls (14.7)
        self.score: dict[str, int] = {}

    def other(self, side: str) -> str:
        return self.defender if side == self.attacker else self.attacker
