"""A second opinion, worked out the slow way from the words of the rulebook, space by space.

Who may intercept and evade (11.1, 12.1), what is besieged (15.1), which PCs are isolated (5.5), what can be taken and
reached (6.1, 6.2 B2, 6.4), where Reinforcements may go (5.2), who controls a Province (2), who has won (3).

Nothing here comes from the rules package: a second opinion is worth something only if it is one. A table is seen as a
person sees it - PCs, stacks, Generals, each in a space and a part of it - and every question is answered by looking at
every space of the board.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

OUTSIDE, INSIDE, SEA = "", "inside", "sea"
INDEPENDENT = "independent"


class Stack(NamedTuple):
    owner: str
    space: str
    part: str
    cus: int


class Figure(NamedTuple):
    owner: str
    space: str
    part: str


class Ground(NamedTuple):
    """What is printed on the map."""

    spaces: tuple[str, ...]
    paths: frozenset[tuple[str, str, str]]          # both ways
    provinces: Mapping[str, str]                    # of each space
    kinds: Mapping[str, str]                        # minor, stronghold, major, transit
    ways: Mapping[str, tuple[tuple[str, str], ...]]     # from a space: where to, over what


class Seen(NamedTuple):
    """The table at one moment."""

    ground: Ground
    cities: frozenset[str]                          # Major Cities, founded ones too (16.1)
    pcs: Mapping[str, str]
    stacks: tuple[Stack, ...]
    generals: tuple[Figure, ...]

    @property
    def spaces(self) -> tuple[str, ...]:
        return self.ground.spaces

    @property
    def paths(self) -> frozenset[tuple[str, str, str]]:
        return self.ground.paths


@lru_cache(maxsize=4)
def ground(facts: Any) -> Ground:
    both = [way for a, b, kind in facts.paths for way in ((a, b, kind), (b, a, kind))]
    return Ground(tuple(facts.spaces), frozenset(both), {space: fact["province"] for space, fact in facts.spaces.items()},
                  {space: fact["kind"] for space, fact in facts.spaces.items()},
                  {space: tuple((b, kind) for a, b, kind in both if a == space) for space in facts.spaces})


def look(g: Any, last: Seen | None = None) -> Seen:
    """What lies on the table now. What lay there so the last time too is the same thing, so that this is seen at once."""
    printed = ground(g.facts)
    seen = Seen(
        printed, frozenset([*(space for space, kind in printed.kinds.items() if kind == "major"), *g.capitals.values()]),
        dict(g.pc),
        tuple(Stack(owner, *parted(at), number) for at, there in g.cus.items()
              for owner, units in there.items() if (number := sum(units.values()))),
        tuple(Figure(one.seat, *parted(one.at)) for one in g.generals.values()
              if one.at.partition("/")[0] in g.facts.spaces))
    return seen if last is None else Seen._make(old if old == new else new for old, new in zip(last, seen, strict=True))


def parted(at: str) -> tuple[str, str]:
    space, _, part = at.partition("/")
    return space, part


def without(seen: Seen, army: Stack) -> Seen:
    """The table while the moving Army is in its owner's hand."""
    left = []
    for stack in seen.stacks:
        if stack[:3] == army[:3]:
            stack = stack._replace(cus=stack.cus - army.cus)
        if stack.cus:
            left.append(stack)
    return seen._replace(stacks=tuple(left))


# --- questions that 11 and 12 have in common ---------------------------------------------------------------------


def has_own_cu(seen: Seen, seat: str, space: str) -> bool:
    return any(stack.space == space and stack.owner == seat for stack in seen.stacks)


def has_enemy_cu(seen: Seen, seat: str, space: str) -> bool:
    return any(stack.space == space and stack.owner != seat for stack in seen.stacks)


def has_enemy_general(seen: Seen, seat: str, space: str) -> bool:
    return any(one.space == space and one.owner != seat for one in seen.generals)


def is_open_to(seen: Seen, seat: str, space: str) -> bool:
    """With his PC, uncontrolled, or occupied by his CU."""
    return space not in seen.pcs or seen.pcs[space] == seat or has_own_cu(seen, seat, space)


def is_besieged(seen: Seen, space: str) -> bool:
    """15.1 A controlled Major City or an Independent space with an enemy Army in it; nothing else of a player's can be."""
    owner = seen.pcs.get(space, "")
    if not owner or owner != INDEPENDENT and space not in seen.cities:
        return False
    for stack in seen.stacks:
        if stack.space == space and stack.part == OUTSIDE and stack.owner != owner:
            for one in seen.generals:
                if one == Figure(stack.owner, space, OUTSIDE):
                    return True
    return False


def besieged(seen: Seen) -> set[str]:
    return {space for space in seen.spaces if is_besieged(seen, space)}


# --- 11.1 Interception -------------------------------------------------------------------------------------------


def interceptors(moments: Iterable[Seen], now: Seen, army: Stack, seat: str, target: str) -> set[str]:
    """The locations from which a player may intercept an Army that moves into the target space.

    `moments` are how the table looked since the activation began, the last just before this step; `now` the Army has come.
    """
    moments = list(moments)
    before = without(moments[-1], army)
    found: set[str] = set()
    if seat == army.owner or not is_open_to(before, seat, target) or has_enemy_cu(before, seat, target):
        return found
    for one in moments[-1].generals:
        if one.owner != seat or (one.space, target, "land") not in before.paths:
            continue
        besieged = one.part == INSIDE and any(is_besieged(moment, one.space) for moment in moments)
        if not besieged:
            found.add(f"{one.space}/{one.part}" if one.part else one.space)
    return found


# --- 12.1, 12.2 A Evasion ----------------------------------------------------------------------------------------


def evasions(now: Seen, army: Stack, seat: str, target: str, came_from: str) -> set[tuple[str, ...]]:
    """The ways out of the target space for a player whose General stands there when the Army has arrived.

    `came_from` is the adjacent space that the Army left, empty where it came from none.
    """
    found: set[tuple[str, ...]] = set()
    if seat == army.owner or Figure(seat, target, OUTSIDE) not in now.generals:
        return found
    with_cus = any(stack[:3] == (seat, target, OUTSIDE) for stack in now.stacks)
    for first in now.spaces:
        if not may_go(now, seat, target, first, target, came_from, with_cus):
            continue
        found.add((first,))
        for second in now.spaces:
            if may_go(now, seat, first, second, target, came_from, with_cus):
                found.add((first, second))
    return found


def may_go(now: Seen, seat: str, here: str, there: str, target: str, came_from: str, with_cus: bool) -> bool:
    if (here, there, "land") not in now.paths:
        return False
    if there in (target, came_from):
        return False
    if has_enemy_cu(now, seat, there) or not is_open_to(now, seat, there):
        return False
    return with_cus or not has_enemy_general(now, seat, there)


# --- 2 Control of Provinces --------------------------------------------------------------------------------------


def controllers(seen: Seen) -> dict[str, str]:
    """2 Each Province: by whom it is controlled, empty for nobody."""
    found = {}
    for province in set(seen.ground.provinces.values()):
        spaces = [one for one in seen.spaces if seen.ground.provinces[one] == province and seen.ground.kinds[one] != "transit"]
        held = [seen.pcs.get(one, "") for one in spaces]
        cities = [seen.pcs.get(one, "") for one in spaces if one in seen.cities]
        first = [owner for owner in set(held) if owner and held.count(owner) > len(spaces) / 2]
        found[province] = first[0] if first and all(owner == first[0] for owner in cities) else ""
    return found


# --- 5.2 Reinforcements ------------------------------------------------------------------------------------------


def takes_reinforcements(seen: Seen, seat: str, newcomers: Collection[Figure]) -> set[str]:
    """5.2 Spaces with an own PC and no enemies, or with an own General who was there before and is not besieged.

    Besieged is who is inside a city before which enemies stand (B40); beside a foreign General nobody comes (10 I).
    """
    others = {one[1:3] for one in (*seen.generals, *seen.stacks) if one[0] != seat}
    foes = {space for space, _ in others}
    found = {space for space, owner in seen.pcs.items() if owner == seat and space not in foes}
    for one in seen.generals:
        alone = one[1:] not in others and not (one.part == INSIDE and one.space in foes)
        if one.owner == seat and alone and seen.generals.count(one) > list(newcomers).count(one):
            found.add(one.space)
    return found


# --- 5.5 Isolation -----------------------------------------------------------------------------------------------


def isolated(seen: Seen, seat: str) -> set[str]:
    """5.5 The PCs from which no series of connected spaces leads to an own CU or Major City.

    A space of the series is one's own, or uncontrolled without enemy CUs, or enemy with a CU of one's own.
    """
    foes = {stack.space for stack in seen.stacks if stack.owner != seat}
    own = {stack.space for stack in seen.stacks if stack.owner == seat}
    mine = {space for space, owner in seen.pcs.items() if owner == seat}
    links = mine | {space for space in seen.spaces if (space in own if space in seen.pcs else space not in foes)}
    joined = edge = links & own | mine & seen.cities
    while edge:
        edge = {there for here in edge for there, _ in seen.ground.ways[here]} & links - joined
        joined = joined | edge
    return mine - joined - own


# --- 6.1 Surrender, 6.2 B2 PCs by points, 6.4 Forage -------------------------------------------------------------


def surrenders(seen: Seen, seat: str) -> set[str]:
    """6.1 Step 1: PCs of other players in Minor Cities (and Strongholds, which are treated as such) where one has a CU."""
    return {space for space, owner in seen.pcs.items() if owner not in (seat, INDEPENDENT) and space not in seen.cities
            and has_own_cu(seen, seat, space)}


def can_be_taken(seen: Seen, seat: str) -> set[str]:
    """6.1 Step 2: uncontrolled spaces, but no Transit Points, where one has a CU."""
    return {space for space in seen.spaces if space not in seen.pcs and seen.ground.kinds[space] != "transit"
            and has_own_cu(seen, seat, space)}


def can_be_stormed(seen: Seen, seat: str) -> set[str]:
    """6.1 Step 3, 15.2 A Where one besieges with an Army of three CUs at least."""
    found = set()
    for stack in seen.stacks:
        army = stack.owner == seat and stack.part == OUTSIDE and Figure(seat, stack.space, OUTSIDE) in seen.generals
        if army and stack.cus >= 3 and seen.pcs.get(stack.space) != seat and is_besieged(seen, stack.space):
            found.add(stack.space)
    return found


def in_reach(seen: Seen, seat: str, sources: Iterable[str]) -> set[str]:
    """6.2 B2 Where a PC may be placed for a point: within 2 MPs of one of these, not traced through what is an enemy's."""
    costs = {"land": 1, "sea": 1, "mountain": 2, "strait": 2}

    foes = {stack.space for stack in seen.stacks if stack.owner != seat}

    def barred(space: str) -> bool:
        return space in foes or seen.pcs.get(space, seat) != seat

    found = set()
    for source in sources:
        for first, kind in seen.ground.ways[source]:
            if costs.get(kind, 9) <= 2:
                found.add(first)
            if costs.get(kind, 9) == 1 and not barred(first):
                found |= {second for second, other in seen.ground.ways[first] if costs.get(other, 9) == 1}
    return {space for space in found - foes if space not in seen.pcs and seen.ground.kinds[space] != "transit"}


def hungry(seen: Seen, seat: str, limits: Mapping[str, int]) -> set[str]:
    """6.4 Spaces with more of one's own CUs, inside and outside together (B15), than they feed."""
    there = Counter[str]()
    for stack in seen.stacks:
        if stack.owner == seat:
            there[stack.space] += stack.cus
    return {space for space, number in there.items()
            if number > limits["transit" if seen.ground.kinds[space] == "transit" else "other"]}


# --- 3 Who has won -----------------------------------------------------------------------------------------------


def leaders(totals: Mapping[str, int]) -> list[str]:
    return [seat for seat, number in totals.items() if number == max(totals.values())]


def first_of(tied: list[str], makedonia: str, macedonians: Mapping[str, int], seniority: Mapping[str, int]) -> list[str]:
    """3.4 Who of the tied may have won: more than one only where a die had to decide."""
    if makedonia in tied:
        return [makedonia]
    tied = leaders({seat: macedonians[seat] for seat in tied})
    return leaders({seat: seniority[seat] for seat in tied})


def declines_battle(side: str, cus: int) -> bool:
    """11.3 Whoever is intercepted may go back, Independent Armies into their box."""
    return True


def evades_beside(seat: str, interceptors: Collection[str]) -> bool:
    """12.1 Nobody evades where another General has intercepted in the same activation."""
    return not interceptors
