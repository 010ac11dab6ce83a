"""Second referees: at every position of real play the engine's answers beside those of the words (`brute`).

Of a Procedure that is under way they remember, by what everybody was told, how pieces came where they are: so they know
where to these go back (11.3, 14.10), and that nobody is asked who has no right to be.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from pbem.dev import brute
from pbem.dev.brute import INSIDE, SEA, Figure, Seen
from pbem.dev.entering import Entering
from pbem.dev.silence import Beside, needless
from pbem.kernel.procedures import Question
from pbem.orders import Order
from pbem.rules import forage, isolation, operations, reinforcements
from pbem.table.events import Event
from pbem.table.state import DISPERSED, Game, space_of


@cache
def words_of(book: str) -> Any:
    """The second opinion written from a book, where there is one; else that of the 4th edition."""
    name = f"{brute.__name__}_{book}"
    return import_module(name) if find_spec(name) else brute


Memory = dict[str, Any]


class Came(NamedTuple):
    """How somebody's pieces came into a space: what stood there of his before, and where they go back to."""

    space: str
    leader: str                         # whose activation it is; empty of interceptors
    back: str                           # a location, or the holding box
    before: Counter[str]                # his CUs there, by kind
    beside: frozenset[str] = frozenset()    # his Generals there


class Referees:
    """They look at a game, position after position."""

    def __init__(self, *, strict: bool = False) -> None:
        self.agreed: Counter[str] = Counter()       # how often, about what
        self.ports: dict[str, str] = {}             # side that is at sea, or has come from there -> where it embarked
        self.came: dict[str, Came] = {}             # side -> how its pieces came where they are
        self.joined: dict[str, str] = {}            # who was placed beside an Army of his on its way (7.1 C) -> whose he is
        self.ended: set[tuple[str, str]] = set()    # side and General who have withdrawn, and move no more
        self.met: set[str] = set()                  # sides whose pieces have been intercepted there
        self.cus: dict[tuple[str, str], Counter[str]] = {}      # the CUs of the position before this one
        self.stood: dict[str, tuple[str, str]] = {}             # and its Generals: whose, and where
        self.entering = Entering(strict=strict)
        self.known: dict[int, tuple[Memory, Memory]] = {}       # after so many entries
        self.seen: Seen | None = None
        self.said: dict[Any, tuple[Any, Any]] = {}              # what the words were asked last, and their answer

    def taken_back(self, entry: int) -> int:
        """They know what they knew before an entry that was taken back; after how many entries that was."""
        last = max((number for number in self.known if number < entry), default=0)
        if last:
            for one, memory in zip((self, self.entering), self.known[last], strict=True):
                vars(one).update(kept(memory))
        return last

    def look(self, g: Game, question: Question | None, told: Sequence[Event], after: int = 0) -> list[str]:
        """What they see otherwise than the engine, after so many entries."""
        self.seen = brute.look(g, self.seen)
        found = self.looked(g, self.seen, question, told)
        self.known[after] = kept({name: vars(self)[name] for name in REMEMBERED}), kept(vars(self.entering))
        return found

    def looked(self, g: Game, seen: Seen, question: Question | None, told: Sequence[Event]) -> list[str]:
        found = [*self.places(g, seen), *self.way_back(g, told), *self.asked(g, question)]
        for about, engine, words in self.entering.look(g, seen, question, told, words_of(g.rules.book)):
            found += self.agree(about, engine, words)
        if question is not None:
            found += self.surrender(g, seen, question)
            found += self.silence(g, seen, question)
        self.cus, self.stood = stacks(g), {name: (one.seat, one.at) for name, one in g.generals.items()}
        return found

    def agree(self, what: str, engine: Any, words: Any) -> Iterator[str]:
        self.agreed[what] += 1
        if engine != words:
            yield f"{what}: the engine says {engine}, the words {words}"

    # --- the map -----------------------------------------------------------------------------------------------

    def places(self, g: Game, seen: Seen) -> Iterator[str]:
        """2, 5.2, 5.5, 6.2 B2, 6.4, 15.1 What can be read off the map."""
        words = words_of(g.rules.book)
        yield from self.agree("15.1", {space for space in seen.spaces if g.besieged(space)},
                              self.answer(brute.besieged, seen))
        yield from self.agree("2", {province: g.province_controller(province) for province in g.board.provinces},
                              self.answer(words.controllers, seen._replace(stacks=(), generals=())))
        if SEA in {one.part for one in seen.generals} | {one.part for one in seen.stacks}:     # nothing of this in a voyage
            return
        newcomers = [Figure(g.generals[name].seat, *brute.parted(g.generals[name].at)) for name in g.arrived]
        armed = seen._replace(generals=())
        for seat in g.seats:
            yield from self.agree(
                "5.5", set(isolation.isolated(g, seat, g.pcs_of(seat))), self.answer(words.isolated, armed, seat))
            yield from self.agree("5.2", set(reinforcements.eligible(g, seat)),
                                  self.answer(words.takes_reinforcements, seen, seat, newcomers))
            yield from self.agree("6.4", set(forage.hungry(g, seat)),
                                  self.answer(words.hungry, armed, seat, g.rules.forage_limit) - g.foraged)
        seat = g.player
        start = g.pcs_at_start.get(seat, frozenset(g.pcs_of(seat)))
        sources = [space for space, owner in seen.pcs.items() if owner == seat and space in start]
        ends = set(operations.sources(g, seat))
        yield from self.agree("6.2B2", {
            space for space in g.board.spaces if not g.controller(space) and not g.board.is_transit(space)
            and not isolation.enemy_cus(g, seat, space) and operations.is_in_reach(g, seat, space, ends)},
            self.answer(words.in_reach, armed, seat, sources))

    def answer(self, words: Callable[..., Any], seen: Seen, *more: Any) -> Any:
        """What the words say of a table; what they have said, if all that they can look at is as it was."""
        given = (seen, *more)
        asked, said = self.said.get((words, more[:1]), ((), None))
        if asked != given:
            said = words(*given)
        self.said[words, more[:1]] = given, said
        return said

    def surrender(self, g: Game, seen: Seen, question: Question) -> Iterator[str]:
        """6.1, 15.2 A What may be done first, in each of the three steps; a truce or 16.6 is not seen on the map."""
        if question.kind != "surrender" or g.step or g.truces or not g.rules.royals_always_besiege:
            return
        seat, = question.sides
        words = words_of(g.rules.book)

        def legal(order: Callable[[str], Order]) -> set[str]:
            return {space for space in seen.spaces if question.legal(seat, order(space)) is not None}

        for what, order, said in (("remove", lambda space: Order("remove_pc", space=space), words.surrenders),
                                   ("place", lambda space: Order("place_pc", spaces=(space,)), words.can_be_taken),
                                   ("siege", lambda space: Order("siege", space=space), words.can_be_stormed)):
            yield from self.agree(f"6.1 {what}", legal(order), said(seen, seat))

    # --- 11.3, 14.10 the way back ------------------------------------------------------------------------------

    def way_back(self, g: Game, told: Sequence[Event]) -> Iterator[str]:
        """11.3, 14.10 Where to; nobody stays behind of those who came, and nobody goes who stood there before."""
        gone = set[str]()
        for event in told:
            facts = event.facts
            if event.key in FIGHTS and facts[FIGHTS[event.key]] in gone:
                yield from self.agree("11.3 fights", event.key, "")
            if event.key in ("activated", "independent_entered"):
                self.ended.clear()
                self.came.clear()                           # of what was before nobody goes back any more
            elif event.key == "marched":                            # 10.5 of the 3rd edition says the same
                yield from self.agree("11.3 ends", (facts["seat"], facts["general"]) in self.ended, False)
            if event.key in MOVES:
                self.note(event.key, facts)
            elif event.key in ("minor_placed", "minor_removed"):
                self.swapped(facts)
            elif event.key == "intercepted":
                self.met |= {side for side, came in self.came.items() if came.space == facts["space"] and side != facts["seat"]}
                self.joins(facts)
            elif event.key == "withdrew":
                if not self.entering.has_set_down(facts["seat"], space_of(facts["origin"])):
                    gone.add(facts["seat"])
                if facts["seat"] not in self.ports:         # a General at sea sails on, whoever of his goes back
                    self.ended.add((facts["seat"], facts["general"]))
                yield from self.withdrawn(g, facts)
            elif event.key == "retreated":
                yield from self.retreated(g, facts)

    def swapped(self, facts: Mapping[str, Any]) -> None:
        """7.1 C A Minor General who comes beside an Army of his, or leaves it; its own leader comes back to it."""
        came = self.came.get(facts["seat"])
        stranger = came is not None and came.space == space_of(facts["at"]) and facts["minor"] != came.leader
        if stranger and facts.get("why") is None:
            self.joined[facts["minor"]] = facts["seat"]
        else:
            self.joined.pop(facts["minor"], None)

    def note(self, key: str, facts: Mapping[str, Any]) -> None:
        side = facts["seat"]
        self.joined.clear()
        if key in ("activated", "embarked"):
            self.ports.pop(side, None)
            if key == "embarked":
                self.ports[side] = facts["origin"]
            return
        if key == "dropped" and side not in self.ports:
            return                                                      # on the march nobody meets whom it leaves behind
        if key == "marched":
            at, back = facts["target"], facts["origin"]
        elif key == "shifted":
            at, back = facts["space"], f"{facts['space']}/{INSIDE}"
        elif key == "independent_entered":
            at, back = facts["space"], "holding box"
        else:
            at, back = facts["at"], self.ports.get(side, "")
        space = space_of(at)
        if not back:                                    # an undo has taken back where he embarked
            self.came.pop(side, None)
            return
        beside = frozenset(name for name, where in self.stood.items() if where == (side, at))
        self.came[side] = Came(space, facts["general"], back, Counter(self.cus.get((side, space), Counter())), beside)
        self.met.discard(side)

    def joins(self, facts: Mapping[str, Any]) -> None:
        """23.2, 14.10 Who strikes after an interception goes back where he intercepted from; where to if from several places
        is not followed."""
        side, space = facts["seat"], facts["space"]
        came = self.came.pop(side, None)
        if came is None or came.space != space or came.back == facts["origin"]:
            self.came[side] = Came(space, "", facts["origin"], self.cus.get((side, space), Counter()).copy())

    def withdrawn(self, g: Game, facts: Mapping[str, Any]) -> Iterator[str]:
        """11.3 The way back, all who came and nobody else (7.2 A, 9.4 may take some of them when they are there)."""
        side, came = facts["seat"], self.came.get(facts["seat"])
        if came is None or came.space != space_of(facts["origin"]):
            return
        yield from self.agree("11.3 to", facts["space"], came.back)
        if space_of(came.back) != came.space:
            yield from self.agree("11.3 from", g.kinds(came.space, side) - came.before, Counter())

    def retreated(self, g: Game, facts: Mapping[str, Any]) -> Iterator[str]:
        """14.10 Into the city who came out of it, the others where they came from; nobody of the Attacker stays."""
        side, came = facts["seat"], self.came.get(facts["seat"])
        if came is None or came.space != facts["space"]:
            return
        inside = f"{came.space}/{INSIDE}"
        yield from self.agree("14.10 to", facts["origin"] in (came.back, inside), True)
        if space_of(came.back) != came.space:
            yield from self.agree("14.10 from", (g.kinds(came.space, side), g.generals_at(came.space, side)), (Counter(), []))

    def asked(self, g: Game, question: Question | None) -> Iterator[str]:
        """11.3 Asked is whose pieces have been met by an interceptor, and nobody else."""
        if question is not None and question.kind == "withdrawal":
            side = g.activation.seat if g.activation is not None else ""
            cus = g.count(question.about["space"], side)
            yield from self.agree("11.3 asked", side in self.met and words_of(g.rules.book).declines_battle(side, cus), True)

    # --- silence -----------------------------------------------------------------------------------------------

    def silence(self, g: Game, seen: Seen, question: Question) -> Iterator[str]:
        """What silence means costs nothing that another answer would not cost as well; where to try and fail may kill, and to
        stay disperses, there is no telling."""
        if question.kind == "evasion" and g.rules.lone_general_rolls == "failed":
            return
        for side in question.sides:
            lost = needless(seen, question, side, self.strangers(g, side))
            if lost is not None:
                yield from self.agree(f"silence at {question.kind}", lost, "")

    def strangers(self, g: Game, side: str) -> Beside:
        """What was there before an Army came, and whoever was placed beside it since (7.1 C)."""
        placed, came = {one for one, seat in self.joined.items() if seat == side}, self.came.get(side)
        if came is None:
            return Beside(len(placed))
        stayed = {one for one in came.beside if space_of(g.generals[one].at) == came.space}
        return Beside(len(placed | stayed), came.before.total())

    # --- 3 who has won ---------------------------------------------------------------------------------------------

    def won(self, g: Game, facts: Mapping[str, Any], totals: Mapping[str, tuple[int, int]]) -> Iterator[str]:
        """3.1 to 3.4 Whoever has won, by this count of L and VP; of several only a die may have chosen."""
        seat, by = facts["seat"], facts["by"]
        if by in ("instant-L", "instant-VP"):
            yield from self.agree("3.1", (seat in over(totals), g.turn > 1), (True, True))
            return
        sums = {one: points + legitimate * (by == "regency") for one, (legitimate, points) in totals.items()}
        boxes = {one: Counter(g.dispersed[one]) + Counter(g.due.get(one, {})) for one in g.seats}
        macedonians = {one: sum((g.kinds(at, one)[kind] for at in g.cus for kind in MACEDONIANS), boxes[one].total() - sum(
            number for kind, number in boxes[one].items() if kind not in MACEDONIANS)) for one in g.seats}
        seniority = {one: max((general.seniority for general in g.generals.values() if general.seat == one and not general.minor
                               and (g.on_map(general) or general.at == DISPERSED)), default=0) for one in g.seats}
        first = brute.first_of(brute.leaders(sums), g.province_controller("makedonia"), macedonians, seniority)
        yield from self.agree("3.2" if by == "regency" else "3.3", seat in first, True)

    def unwon(self, g: Game, totals: Mapping[str, tuple[int, int]]) -> Iterator[str]:
        """3.1 The game would be over if anybody had so much."""
        if g.turn > 1:
            yield from self.agree("3.1 nobody", over(totals), [])


def over(totals: Mapping[str, tuple[int, int]]) -> list[str]:
    """3.1 Who has 18 Legitimacy, or the VP that so many players need."""
    return [seat for seat, (legitimate, points) in totals.items()
            if legitimate >= 18 or points >= {5: 20, 4: 23, 3: 26, 2: 29}[len(totals)]]


FIGHTS = {"battle_began": "attacker", "overrun_began": "seat", "champion_lost": "seat"}        # whose doing it is
MACEDONIANS = ("loyal", "royal", "silver")
REMEMBERED = ("ports", "came", "joined", "ended", "met", "cus", "stood")
MOVES = ("activated", "embarked", "marched", "shifted", "disembarked", "dropped", "independent_entered")


def kept(memory: Memory) -> Memory:
    """As it is now, whatever happens to it later."""
    return {name: value.copy() if isinstance(value, dict | set | list) else value for name, value in memory.items()}


def stacks(g: Game) -> dict[tuple[str, str], Counter[str]]:
    """The CUs of every side in every land location."""
    return {(side, at): g.kinds(at, side) for at, there in g.cus.items() for side in there}
