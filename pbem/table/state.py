"""The position: facts and small queries, no decisions.

Everything public about a game lies in `Game`. What is secret (who holds which card) lies in `Game.secret`, which is
absent wherever only the published log was read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

from pbem.chance.draws import Chance
from pbem.chance.hidden import Secret
from pbem.components.board import Board
from pbem.components.catalogue import Facts
from pbem.table.events import ALL, Event, event
from pbem.table.pieces import (
    BOX,
    CART,
    DEAD,
    DISPERSED,
    FEMALES,
    FRESH,
    HEIRS,
    INDEPENDENT,
    NOT_IN_PLAY,
    NOWHERE,
    OFF,
    TOMB,
    Activation,
    Battle,
    Fleet,
    General,
    Interceptor,
    LeftBehind,
    Past,
    Royal,
    Unit,
    Voyage,
    Way,
    by_kind,
)

SETUP = "setup"
PHASES = ("preparations", "reinforcements", "deal", "strategy", "isolation", "turn_end")
SEGMENTS = ("surrender", "tyche", "activation", "forage")


class Step(StrEnum):
    """How far a phase or segment has come, where it matters. Positions and logs hold these words."""

    NONE = ""
    DEAL, SWAP, SEATING = "deal", "swap", "seating"                         # 4 Setup
    EVENTS, ARRIVALS, USURPER, TURN_ORDER = "events", "arrivals", "usurper", "turn_order"       # 5.1
    PLACING = "placing"                                                     # 5.2 everybody has collected
    REMOVE, PLACE, SIEGE = "remove", "place", "siege"                       # 6.1; in the Setup Generals are placed (4.6)
    OVER = "over"                                                           # 6.2 the player has ended the segment in an event
    RAISED = "raised"                                                       # 6.3 a Mercenary instead of all activations
    TURNING, RESOLVING = "turning up", "turning up: resolving"              # 6 after a round


NOTHING: Mapping[Unit, int] = {}
NOBODY: Mapping[str, Mapping[Unit, int]] = {}


STAR = 100                                      # more than any seniority


class Game:
    """One position and the little history that the rules look back on."""

    def __init__(self, facts: Facts, board: Board, rules: Any, seats: Iterable[str],
                 effects: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.rules = rules
        self.effects = effects                                      # what cards do, by the key that their data name
        self.capitals: dict[str, str] = {}                          # whose completed Capital stands where (16.1)
        self._provinces: dict[str, str] = {}                        # who controls each, as last counted
        self._ruled: dict[str, list[str]] = {}                      # the same by who controls them
        self._recount: set[str] = set()                             # Provinces in which a PC has changed since then
        self._news: set[str] = set()                                # and since it was last told
        self._control_changes = 0                                   # how often one changed, or a space that counts by itself
        self.use_facts(facts, board)
        self.seats = tuple(seats)                                   # in seating order, next = to the left
        self.chance: Chance | None = None
        self.secret: Secret | None = None
        self.events: list[Event] = []
        self.moves: list[list[Any]] = []                            # of hidden cards, as the log tells them
        # the sequence of play
        self.turn_order = self.seats
        self.turn, self.round = 1, 1
        self.phase, self.player, self.segment = "strategy", self.seats[0], "surrender"
        self.step = Step.NONE                                       # how far a phase or segment has come, where it matters
        self.chooser = ""                                           # who decides in a phase: first player, revealed event
        self.begun = False                                          # the present segment has announced itself
        self.in_procedure = False                                   # what an order of an Army's sets off is not over yet
        self.asked = 0                                              # questions put in this player turn
        self.drawn: Counter[tuple[str, ...]] = Counter()            # how often a named draw was made
        # the board
        self.touched: set[str] = set()                              # locations where anything changed since 7.1 C was looked at
        self.pc: dict[str, str] = {}
        self.royal_changes = 0                                      # how often a Royal changed hands
        self._last_told: dict[str, str] = {}                             # who controlled each when it was last told
        self.cus: dict[str, dict[str, dict[Unit, int]]] = {}        # never an empty stack, nor an empty location
        self.lived: set[str] = set()                                # locations where CUs have had a past since all were fresh
        self.generals: dict[str, General] = {}
        self.stands: dict[str, list[General]] = {}                  # the same Generals by where they are, senior first
        self.royals: dict[str, Royal] = {}
        self.family: dict[str, list[Royal]] = {}                    # the same by where they are
        self.fleets: dict[str, Fleet] = {}
        self.dispersed: dict[str, Counter[str]] = {seat: Counter() for seat in self.seats}
        self.siege_points: dict[str, tuple[str, int]] = {}
        self.helepolis = ""
        self.helepolis_by = ""                                      # who brought it there by a card
        self.looted: set[str] = set()                               # treasure cities with a Looted marker
        self.buried_by = ""                                         # who buried Alexander in Pella (3.8)
        # the factions
        self.champion = dict.fromkeys(self.seats, True)
        self.usurper = ""
        self.dealt: dict[str, tuple[str, ...]] = {}
        self.popularity: Counter[str] = Counter()                   # earned, beyond the printed points
        self.oratory: Counter[str] = Counter()                      # until the end of the segment
        self.condemned: dict[str, int] = {}                         # general -> L that were really lost
        self.adjusted: Counter[tuple[str, str]] = Counter()         # by rulings: seat and L or VP -> how much
        self.training: dict[str, tuple[str, int]] = {}
        self.due: dict[str, Counter[str]] = {}                      # CUs that still have to be placed (5.2)
        self.due_generals: dict[str, list[str]] = {}                # and Generals
        self.placed: Counter[str] = Counter()                       # CUs placed as Reinforcements now, by space
        self.overflowed: Counter[str] = Counter()                   # CUs placed without an eligible space, by Province
        self.arrived: set[str] = set()                              # Generals who came onto the map in this phase or segment
        self.offers: dict[str, str] = {}                            # marriage offers of this turn: bride -> seat
        self.truces: set[tuple[str, str]] = set()                   # who may not attack whom in this turn, both ways (card O63)
        self.oracle = ""                                            # whom the Oracle favours (card O64)
        self.construction: dict[str, str] = {}                      # who is building a Capital where (card O62)
        self.captured: dict[str, str] = {}                          # whose Capital was lost to whom (16.1)
        self.cart_finished = False                                  # 16.3 the Funeral Cart may move in Game Turn I
        self.kept: dict[str, str] = {}                              # cards that act for the rest of the game: card -> seat
        self.settled: tuple[object, ...] = ()                       # what they were counted from
        self.tallies: dict[str, tuple[int, int]] = {}               # L and VP as last settled
        self.doubted: frozenset[str] = frozenset()                  # tables that nobody has read from the box
        # the activation segment
        self.movement_roll: int | None = None
        self.allowance: dict[str, int] = {}                         # MPs fixed for this segment, by General
        self.activation: Activation | None = None
        self.activated: dict[str, int] = {}                         # finished activations: key -> MPs left
        self.apart: dict[str, Counter[str]] = {}                    # CUs set aside by a split, by location
        self.naval_used = False
        self.naval_declared: set[str] = set()                       # who has declared a Naval Battle (13.3 A)
        self.resolver = ""                                          # who moves the Independent Armies now (9.5)
        self.called = ""                                            # which of them a card has called from its box
        self.battle: Battle | None = None
        self.dying = ""                                             # the General whose death a card may still turn away
        self.defeated = ("", "")                                    # who has just lost a Land Battle, and where
        self.sieges: dict[str, tuple[str, int]] = {}                # this segment: space -> whose activation, how many
        self.fallen: set[str] = set()                               # spaces whose Siege was completed in this segment
        self.traitor = ""                                           # who has a traitor inside, for his next Siege roll
        self.pcs_at_start: dict[str, frozenset[str]] = {}           # 6.2 B2: PCs on the map when the segment began
        self.foraged: set[str] = set()                              # spaces looked at in this Forage Segment
        # the cards, as everybody sees them
        self.card = ""                                              # the one played in this Tyche Segment
        self.ops = 0                                                # its Operation Points, not yet spent
        self.spending = ""                                          # the one way in which they are spent (6.2 B)
        self.event_due = ""                                         # the Bonus card whose event follows its points (6.2 A)
        self.cancelled: set[str] = set()                            # Surprise cards cancelled while in play
        self.ruled: set[str] = set()                                # cards on which the moderator has just ruled
        self.hands: dict[str, int] = dict.fromkeys(self.seats, 0)
        self.face_down = 0                                          # on the table, for two and three players
        self.deck = 0
        self.deck_name = ""
        self.deck_cards: tuple[str, ...] = ()                       # what the last shuffle put into the deck
        self.discards: list[str] = []
        self.out: list[str] = []                                    # cards out of the game or left out of it
        self.shown: dict[str, str] = {}                             # cards lying open before a seat
        self.over: dict[str, Any] = {}
        self._pieces(facts)

    def _pieces(self, facts: Facts) -> None:
        for name, fact in facts.generals.items():
            self.generals[name] = General(
                self, name, "", NOT_IN_PLAY, fact["initiative"], fact["battle"], fact["seniority"], False)
        minor = facts.tables["minor_general"]
        for name, fact in facts.minors.items():
            if fact["color"] in self.seats:
                self.generals[name] = General(
                    self, name, fact["color"], OFF, minor["initiative"], minor["battle"], minor["seniority"], True)
        for name, fact in facts.independents.items():
            self.generals[name] = General(self, name, INDEPENDENT, BOX, fact["initiative"], fact["battle"], 0, False)
        self.out = [name for name, fact in facts.cards.items() if self.begins_out(name, fact)]
        self.minors = [one for one in self.generals.values() if one.minor]
        self.take_grades()
        for rank, name in enumerate(facts.royals):
            self.royals[name] = Royal(self, name, rank)
        for name in facts.fleets:
            self.fleets[name] = Fleet(name)

    def begins_out(self, card: str, fact: Mapping[str, Any]) -> bool:
        """4.1 B, 16.1 Not in the deck at the start: 47B, optional cards that were not agreed on, and Generals' cards where he
        is dealt or waits in reserve."""
        whose = fact["params"].get("general", "") if fact["effect_key"] == "enter_general" else ""
        return card not in self.rules.extra_cards and (fact["optional"] or fact["in_deck_at"] != "start") or (
            whose != "" and self.group(whose) != "event")

    def take_grades(self) -> None:
        """7.1 A By what Generals command each other: their seniority alone, or the stars on their counters first."""
        for name, grade in self.grades().items():
            self.generals[name].grade = grade

    def grades(self) -> dict[str, int]:
        """The grades with which a game begins; its owner may exchange those of Generals of one rank."""
        return {name: STAR * self.stars(name) + self.generals[name].seniority for name in self.facts.generals}

    def stars(self, general: str) -> int:
        """7.1 A The rank that is printed on a counter, where it counts."""
        return self.facts.stars(general) if self.rules.ranks else 0

    def group(self, general: str) -> str:
        """4.3 Where a Major General comes from, for so many players: starting | reserve | event | unavailable."""
        players = len(self.seats)
        found = self.rules.groups.get(players, {}).get(general) or self.facts.generals[general]["groups"][players]
        return "reserve" if found == "event" and general in self.rules.set_aside else str(found)

    # --- what is printed, and what was founded ---------------------------------------------------------------------

    def use_facts(self, facts: Facts, board: Board) -> None:
        """The components as printed, but what the rules in force make cards say; the map with its Capitals."""
        if self.rules.card_changes:
            facts = copy(facts)
            facts.cards = facts.cards | {
                card: {**facts.cards[card], "params": {**facts.cards[card]["params"], **change},
                       "effect_now": facts.cards[card]["cavalry"]} for card, change in self.rules.card_changes.items()}
        self.facts = facts
        self.printed = board
        controls = [fact["control"] for fact in facts.fleets.values()]
        self.counting = {*board.hellespont, *(control["place"] for control in controls if control["type"] == "major_city")}
        self.found(self.capitals)

    def found(self, capitals: Mapping[str, str]) -> None:
        """16.1 Whose Capital stands where: such a space is a Major City."""
        self.capitals = dict(capitals)
        self.board = self.printed.with_capitals(self.capitals.values()) if self.capitals else self.printed
        self._provinces = {province: self._provinces.get(province, "") for province in self.board.provinces}
        self._recount = set(self.board.provinces)
        self._news = set(self.board.provinces)

    # --- telling -----------------------------------------------------------------------------------------------

    def tell(self, audience: tuple[str, ...], key: str, **facts: Any) -> None:
        self.events.append(event(key, audience, facts))

    # --- chance ------------------------------------------------------------------------------------------------

    def draw(self, purpose: str, *about: str, count: int = 1, sides: int = 6) -> tuple[list[int], str]:
        """A named draw and its name. The name holds only facts of the rules; the same name gives the same result."""
        assert self.chance is not None
        if self.phase == "strategy":
            moment = (f"T{self.turn}", f"R{self.round}", self.player, self.segment)
        else:
            moment = (f"T{self.turn}", "R0", "all", self.phase)
        base = (*moment, purpose, *about)
        self.drawn[base] += 1
        name = (*base, str(self.drawn[base]))
        return self.chance.draw(name, count, sides), ",".join(name)

    def roll(self, purpose: str, *about: str) -> tuple[int, str]:
        values, name = self.draw(purpose, *about)
        return values[0], name

    def reading(self, name: str) -> str | None:
        """The table reading that a moderator stated for a named roll, if any."""
        assert self.chance is not None
        return self.chance.reading(tuple(name.split(",")))

    def shuffle(self, base: str, cards: tuple[str, ...]) -> str:
        """A new deck: its order is secret, its root is not. Its name has a number where another one had this name before."""
        assert self.chance is not None
        self.deck_name, self.deck_cards, self.deck = self.chance.deck_name(base, cards), cards, len(cards)
        root = self.chance.shuffle(self.deck_name, cards)
        self.moves.append(["deck", self.deck_name])
        if self.secret is not None:
            self.secret.shuffled(self.deck_name, cards)
        return root

    # --- spaces, control, enemies (2) --------------------------------------------------------------------------

    def set_pc(self, space: str, owner: str) -> None:
        """2 Each space holds at most one PC; an empty owner leaves it uncontrolled."""
        if owner:
            self.pc[space] = owner
        else:
            self.pc.pop(space, None)
        self.touched.update((space, f"{space}/inside"))
        province = self.board.province_of(space)
        self._recount.add(province)
        self._news.add(province)
        self._control_changes += space in self.counting or space == space_of(self.royals[TOMB].at)

    def controller(self, space: str) -> str:
        """2 The faction that controls the space, empty for uncontrolled."""
        return self.pc.get(space, "")

    def province_controller(self, province: str) -> str:
        """2 The faction that controls the Province: its Major City, if it has one, and more than half of its spaces."""
        return self._counted()[province]

    def provinces_of(self, seat: str) -> list[str]:
        self._counted()
        return self._ruled.get(seat, [])

    def provinces_changed(self) -> list[tuple[str, str, str]]:
        """The Provinces that changed hands since this was asked last: which, who had it, who has it."""
        if not self._news:
            return []
        now, told = self._counted(), self._last_told
        changed = [(province, told[province], now[province]) for province in self.board.provinces
                   if province in self._news and told and told[province] != now[province]]
        self._news.clear()
        told.update(now)
        return changed

    def control_changes(self) -> int:
        """How often anything has changed hands that totals ask for: a Province, or a space that counts by itself."""
        if self._recount:
            self._counted()
        return self._control_changes

    def _counted(self) -> dict[str, str]:
        if self._recount:
            before = list(self._provinces.values())
            self._provinces.update((province, self._count_province(province)) for province in self._recount)
            self._recount.clear()
            if before != list(self._provinces.values()):
                self._control_changes += 1
                self._ruled = {}
                for province, ruler in self._provinces.items():
                    self._ruled.setdefault(ruler, []).append(province)
        return self._provinces

    def _count_province(self, province: str) -> str:
        board = self.board
        cities = board.cities_of(province)
        spaces = board.spaces_of(province)
        owners = {self.pc.get(city, "") for city in cities} if cities else {self.pc.get(space, "") for space in spaces}
        if len(cities) > 1 and len(owners) > 1:
            return ""
        for owner in owners:
            if owner and sum(self.pc.get(space) == owner for space in spaces) >= board.majority(province):
                return owner
        return ""

    def besieged(self, space: str) -> bool:
        """15.1 An Army that is enemy to a controlled Major City, or to an Independent space, stands in the space."""
        owner = self.pc.get(space, "")
        others = [side for side in self.cus.get(space, ()) if side != owner] if owner else ()
        return (bool(others) and (owner == INDEPENDENT or self.board.kind(space) == "major")
                and any(self.has_general(space, side) for side in others))

    def pcs_of(self, seat: str) -> list[str]:
        """The spaces that a faction controls, in the order of the board."""
        return sorted([space for space, owner in self.pc.items() if owner == seat], key=self.board.index.__getitem__)

    def is_city_of_player(self, space: str) -> bool:
        return self.board.kind(space) == "major" and self.pc.get(space, "") in self.seats

    # --- pieces ------------------------------------------------------------------------------------------------

    def generals_at(self, location: str, seat: str | None = None) -> list[General]:
        """The Generals in a location, most senior first."""
        there = self.stands.get(location, ())
        return [one for one in there if one.seat == seat] if seat is not None else list(there)

    def has_general(self, location: str, seat: str) -> bool:
        """Does a General of this faction stand there?"""
        return self.commander(location, seat) is not None

    def generals_of(self, seat: str) -> list[General]:
        return [one for one in self.generals.values() if one.seat == seat]

    @property
    def turns_over(self) -> bool:
        """6 The last Player Turn of a round is over before cards are turned up."""
        return self.step in (Step.TURNING, Step.RESOLVING)

    def on_map(self, general: General) -> bool:
        return general.at in self.board.locations

    def commander(self, location: str, seat: str) -> General | None:
        """7.1 A The most senior General of a faction in a location commands."""
        for one in self.stands.get(location, ()):
            if one.seat == seat:
                return one
        return None

    def minors_off_map(self, seat: str) -> list[General]:
        return [one for one in self.minors if one.seat == seat and one.at == OFF]

    def units(self, location: str, seat: str) -> Mapping[Unit, int]:
        return self.cus.get(location, NOBODY).get(seat, NOTHING)

    def count(self, location: str, seat: str) -> int:
        """How many CUs a faction has in a location."""
        own = self.cus.get(location, NOBODY).get(seat)
        return sum(own.values()) if own else 0

    def has_cus(self, space: str, seat: str) -> bool:
        """Has a faction a CU anywhere in a space?"""
        return seat in self.cus.get(space, NOBODY) or seat in self.cus.get(f"{space}/inside", NOBODY)

    def kinds(self, location: str, seat: str) -> Counter[str]:
        """A faction's CUs in a location, by kind."""
        return by_kind(self.units(location, seat))

    def sides_with_cus(self, location: str) -> list[str]:
        return list(self.cus.get(location, NOBODY))

    def sides_at(self, location: str) -> list[str]:
        """Factions with a CU or General in a location, the players in Turn Order, the Independents last."""
        armed, stands = self.cus.get(location, NOBODY), self.stands.get(location)
        if not stands and len(armed) < 2:                   # mostly nobody is there
            return list(armed)
        there = dict.fromkeys(armed)
        for one in stands or ():
            there[one.seat] = None
        return [side for side in (*self.turn_order, INDEPENDENT) if side in there] if len(there) > 1 else list(there)

    def royals_at(self, location: str, seat: str | None = None) -> list[Royal]:
        there = self.family.get(location, ())
        return [one for one in there if seat is None or one.seat == seat]

    def beside(self, space: str) -> set[str]:
        """The factions with a General in or before a place that is joined to the space by land."""
        stands = self.stands
        return {one.seat for location in self.board.locations_beside(space) for one in stands.get(location, ())}

    def locations_of(self, space: str) -> tuple[str, ...]:
        return self.board.locations_of(space)

    def locations_with_cus(self, seat: str) -> Iterator[str]:
        return (location for location, there in self.cus.items() if seat in there)

    # --- moving pieces: the only places where CUs change -------------------------------------------------------

    def add(self, location: str, seat: str, units: Mapping[Unit, int]) -> None:
        if not units:
            return
        self.touched.add(location)
        there = self.cus.setdefault(location, {}).setdefault(seat, {})
        for unit, number in units.items():
            there[unit] = there.get(unit, 0) + number
            if unit.past is not FRESH:
                self.lived.add(location)

    def remove(self, location: str, seat: str, units: Mapping[Unit, int]) -> None:
        if not units:
            return
        self.touched.add(location)
        there = self.cus[location][seat]
        for unit, number in units.items():
            left = there.get(unit, 0) - number
            if left > 0:
                there[unit] = left
            elif left:
                raise ValueError(f"{seat} has no {number} {unit.kind} at {location}")
            else:
                del there[unit]
        if not there:
            del self.cus[location][seat]
            if not self.cus[location]:
                del self.cus[location]

    def mark(self, location: str, seat: str, units: Mapping[Unit, int], **past: Any) -> None:
        """CUs stay where they are, and have another past."""
        there = self.cus[location][seat] if units else {}
        for unit, number in units.items():
            there[unit] -= number
            if not there[unit]:
                del there[unit]
            now = Unit(unit.kind, unit.past._replace(**past))
            there[now] = there.get(now, 0) + number
            self.lived.add(location)

    def forget_pasts(self) -> None:
        """All CUs are fresh again."""
        for location in self.lived & self.cus.keys():
            for seat, there in self.cus[location].items():
                self.cus[location][seat] = {Unit(kind): number for kind, number in by_kind(there).items()}
        self.lived.clear()

    def remove_kinds(self, location: str, seat: str, kinds: Mapping[str, int], order: Any = None) -> dict[Unit, int]:
        """Remove CUs by kind; where pasts differ, those that `order` puts first. Returns which went."""
        taken = self.chosen(location, seat, kinds, order)
        self.remove(location, seat, taken)
        return taken

    def chosen(self, location: str, seat: str, kinds: Mapping[str, int], order: Any = None) -> dict[Unit, int]:
        """CUs by kind; where pasts differ, those that `order` puts first."""
        taken: dict[Unit, int] = {}
        own = self.units(location, seat)
        for kind, number in kinds.items():
            found = [one for one in own if one.kind == kind]
            if len(found) > 1:
                found.sort(key=order)
            for unit in found:
                part = min(number, own[unit])
                if part:
                    taken[unit] = part
                    number -= part
            if number:
                raise ValueError(f"{seat} lacks {number} {kind} at {location}")
        return taken

    # --- seats -------------------------------------------------------------------------------------------------

    def speaks_for(self, side: str) -> str:
        """Who decides for a faction: its player, or for the Independents whoever moves them."""
        return side if side in self.seats else self.resolver

    @property
    def cart_stays(self) -> bool:
        """5.1 A, 16.3 The Funeral Cart is still being built."""
        return self.turn == 1 and not self.cart_finished

    def others(self, seat: str) -> list[str]:
        return [other for other in self.turn_order if other != seat]

    def next_question(self) -> str:
        """The id of the next question: turn, round, whose player turn, number in it."""
        self.asked += 1
        if self.phase != "strategy":
            return f"T{self.turn}.{self.phase}.{self.asked}"
        return f"T{self.turn}.R{self.round}.{self.player}.{self.asked}"


# There are few locations, and each is asked of more often than anything else.


@cache
def space_of(location: str) -> str:
    """The space that a location is part of."""
    return location.partition("/")[0]


@cache
def is_inside(location: str) -> bool:
    return location.endswith("/inside")


@cache
def is_at_sea(location: str) -> bool:
    return location.endswith("/sea")


__all__ = [
    "ALL", "BOX", "CART", "DEAD", "DISPERSED", "FEMALES", "FRESH", "HEIRS", "INDEPENDENT", "NOT_IN_PLAY", "NOWHERE",
    "OFF", "PHASES", "SEGMENTS", "SETUP", "TOMB", "Activation", "Battle", "Fleet", "Game", "General", "Interceptor",
    "LeftBehind", "Past", "Royal", "Step", "Unit", "Voyage", "Way", "by_kind", "is_at_sea", "is_inside", "space_of",
]
