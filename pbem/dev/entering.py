"""Who may intercept and who may evade where somebody comes into a space (11.1, 12.1), by the words of the book that is played:
beside what is asked in real play, and beside what is not asked.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any, NamedTuple

from pbem.dev.brute import INSIDE, OUTSIDE, SEA, Figure, Seen, Stack, parted, without
from pbem.dev.choices import OWN
from pbem.kernel.procedures import Question
from pbem.table.events import Event
from pbem.table.state import Game

COMES = ("marched", "shifted", "disembarked")
# After these the table is not that of the step any more.
CHANGED = frozenset({"ruling", "data_corrected", "surprise_played", "truce_granted", "independent_entered"})
GOES = frozenset({"withdrew", "evaded", "passage_honoured", "intercepted", "interceptor_attacks", "city_sorted"})
FEW = 60                                # of the attempts that can be thought of: those with everything come first


class Step(NamedTuple):
    """An Army or a General has come into a space."""

    army: Stack                         # where it came from
    mover: str                          # its player, or whoever moves the Independents
    target: str
    came_from: str                      # the adjacent space that it left
    moments: tuple[Seen, ...]           # from the beginning of its activation to the moment before
    dropped: Mapping[tuple[str, str, str], int]     # what a voyage has set down where: it came with the Army (11.2 example 2)
    interceptors: Mapping[str, set[str]]            # as the table looked then
    evaders: Mapping[str, set[tuple[str, ...]]]


class Entering:
    """It looks at a game position after position, from the step to the end of the Procedure."""

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict                    # several are asked one after the other
        self.last: Seen | None = None
        self.resolver = ""                      # who was moving Independents then: with the last step of a card nobody does
        self.moments: list[Seen] = []           # since the activation began
        self.step: Step | None = None
        self.kinds: set[str] = set()            # what has been asked since the step
        self.keys: set[str] = set()             # what has been told since
        self.intercepted: set[tuple[str, str]] = set()  # a space, and who has intercepted into it in this activation
        self.dropped: Counter[tuple[str, str, str]] = Counter()         # owner, space and part: CUs dropped off in it
        self.led = 0                            # CUs with which the active General came where he is
        self.latest: int | None = None          # how many of them came last, till who dropped them has come himself

    def look(self, g: Game, seen: Seen, question: Question | None, told: Sequence[Event], words: Any,
             ) -> Iterator[tuple[str, Any, Any]]:
        """What is compared: about what, what the engine says, what the words say."""
        self.follow(g, seen, told, words)
        step, self.last, self.resolver = self.step, seen, g.resolver
        if step is None or question is None:
            return
        if question.kind in OWN:                # the Procedure is over
            if "interception" not in self.kinds and not (evades_first(g) and "evaded" in self.keys):
                yield "11.1 nobody asked", {}, step.interceptors
            if "evasion" not in self.kinds and not self.keys & GOES:
                yield "12.1 nobody asked", {}, step.evaders
            self.step = None
        elif question.kind in ("interception", "evasion") and question.kind not in self.kinds:
            if question.kind == "interception":
                found = interceptors(g, seen, step, words)
                yield "11.1", offered(g, question), {
                    seat: places for seat, places in found.items() if seat in question.sides or not self.strict}
            elif "passage_honoured" not in self.keys and "interceptor_attacks" not in self.keys:
                exits = question.about["exits"]
                yield ("12.1", {seat: set(ways) for seat, ways in exits.items()},
                       self.evaders(g, seen, step, words))
        if question is not None:
            self.kinds.add(question.kind)

    def follow(self, g: Game, seen: Seen, told: Sequence[Event], words: Any) -> None:
        keys = [event.key for event in told]
        if self.last is not None:
            if "activated" in keys:
                self.moments = []
                self.intercepted.clear()
                self.dropped.clear()
                self.led = 0
            self.moments.append(dispersed(self.last, told))
        for event in told:
            if event.key == "dropped":
                self.latest = event.facts["pieces"].count()
                self.dropped[event.facts["seat"], *parted(event.facts["at"])] += self.latest
                self.led -= self.latest
            elif event.key in ("marched", "retreated"):
                self.led = sum(event.facts["cus"].values())
            elif event.key == "embarked":                               # whom he brought to the port and leaves there (R19)
                before, self.led = self.led, sum(event.facts["cus"].values())
                self.dropped[event.facts["seat"], *parted(event.facts["origin"])] += max(0, before - self.led)
            elif event.key == "withdrew" and event.facts["space"] != event.facts["origin"]:    # what came last goes back (R8)
                self.dropped[event.facts["seat"], *parted(event.facts["origin"])] -= self.latest or 0
            if event.key in ("withdrew", *COMES):
                self.latest = None
            if event.key == "intercepted":
                self.intercepted.add((event.facts["space"], event.facts["seat"]))
        if g.truces or g.over or CHANGED & set(keys) or g.activation is not None and g.activation.route:
            self.step = None
        elif moved := [event for event in told if event.key in COMES]:
            self.step = self.made(g, moved[0], words) if len(moved) == 1 and self.moments else None
            self.kinds, self.keys = set(), set(keys)
        self.keys.update(keys)

    def has_set_down(self, side: str, space: str) -> bool:
        """11.3 Who lands, or drops something off, and withdraws leaves there what he dropped off before: it fights (R18)."""
        here = (side, space, OUTSIDE)
        if self.latest is not None:             # the Royal Family alone is no CU
            return self.dropped[here] > self.latest
        return self.step is not None and self.step.army.part == SEA and self.step.dropped.get(here, 0) > 0

    def made(self, g: Game, event: Event, words: Any) -> Step | None:
        facts, before, seat = event.facts, self.moments[-1], event.facts["seat"]
        if event.key == "marched":
            army, target = Stack(seat, *parted(facts["origin"]), sum(dict(facts["cus"]).values())), facts["target"]
            came_from = army.space
        elif event.key == "shifted":
            army, target = Stack(seat, facts["space"], INSIDE, sum(dict(facts["cus"]).values())), facts["space"]
            came_from = ""
            if facts["to"] == INSIDE:
                return None
        else:
            afloat = [stack for stack in before.stacks if stack.owner == seat and stack.part == SEA]
            target, came_from = facts["at"], ""
            army = afloat[0] if afloat else Stack(seat, parted(target)[0], SEA, 0)
        if parted(target)[1] != OUTSIDE:
            return None
        mover = seat if seat in g.seats else self.resolver
        step = Step(army, mover, target, came_from, tuple(self.moments), dict(self.dropped), {}, {})
        now = arrived(before, step, 1 + len(facts.get("generals", ())))
        return step._replace(interceptors=interceptors(g, now, step, words),
                             evaders=self.evaders(g, now, step, words))

    def evaders(self, g: Game, seen: Seen, step: Step, words: Any) -> dict[str, set[tuple[str, ...]]]:
        """12.1 Who may get away, and on which ways; where somebody has intercepted it is the book that says who does not."""
        met = {seat for space, seat in self.intercepted if space == step.target}
        found = {seat: words.evasions(seen, step.army, seat, step.target, step.came_from)
                 for seat in g.seats if seat != step.mover and words.evades_beside(seat, met)}
        return {seat: ways for seat, ways in found.items() if ways}


def dispersed(seen: Seen, told: Sequence[Event]) -> Seen:
    """7.2 A The table when somebody sets out: what an activation that ends with it leaves without an owner is gone before."""
    for event in takewhile(lambda one: one.key not in ("activated", "embarked", *COMES), told):
        if event.key == "cus_dispersed":
            facts = event.facts
            seen = without(seen, Stack(facts["seat"], *parted(facts["at"]), sum(facts["cus"].values())))
    return seen


def arrived(before: Seen, step: Step, generals: int) -> Seen:
    """The table when they have just come, and nothing has come of it yet."""
    army, here = step.army, Figure(step.army.owner, *step.army[1:3])
    table = without(before, army)
    led = sum(one == here for one in before.generals) if army.part == SEA else generals
    rest = [one for one in before.generals if one != here] + [here] * (before.generals.count(here) - led)
    beside = [stack for stack in table.stacks if stack[:3] == (army.owner, step.target, OUTSIDE)]
    own = Stack(army.owner, step.target, OUTSIDE, army.cus + sum(stack.cus for stack in beside))
    return table._replace(stacks=(*(stack for stack in table.stacks if stack not in beside), *([own] if own.cus else [])),
                          generals=(*rest, *[Figure(army.owner, step.target, OUTSIDE)] * led))


def interceptors(g: Game, seen: Seen, step: Step, words: Any) -> dict[str, set[str]]:
    """11.1 Who may intercept, and where from; the player who moves an Independent Army is no one else."""
    moments = (*step.moments[:-1], landed(step.moments[-1], step))
    found = {seat: words.interceptors(moments, landed(seen, step), step.army, seat, step.target)
             for seat in g.seats if seat != step.mover}
    return {seat: places for seat, places in found.items() if places}


def landed(seen: Seen, step: Step) -> Seen:
    """11.2 example 2 The table without what the voyage that lands has dropped off there: it bars nobody."""
    if step.army.part != SEA:
        return seen
    stacks = [stack._replace(cus=stack.cus - step.dropped.get((stack.owner, stack.space, stack.part), 0))
              if stack.space == step.target else stack for stack in seen.stacks]
    return seen._replace(stacks=tuple(stack for stack in stacks if stack.cus > 0))


def evades_first(g: Game) -> bool:
    """In some books who evades has gone, and his CUs keep the space open no longer, before anybody intercepts."""
    steps: tuple[str, ...] = g.rules.land_movement
    return steps.index("evasion") < steps.index("interception")


def offered(g: Game, question: Question) -> dict[str, set[str]]:
    """Where from those who are asked may try it with pieces of their own."""
    found: dict[str, set[str]] = {}
    for side in question.sides:
        for answer in islice(question.candidates(side), FEW):
            for order in answer:
                if order.verb == "intercept" and g.generals[order.general].seat == side:
                    found.setdefault(side, set()).add(order.from_)
    return found
