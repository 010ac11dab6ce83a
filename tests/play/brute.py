"""Who may intercept and who may evade, worked out the slow way from the words of 11.1 and 12.1, space by space.

Nothing here comes from the rules package: a second opinion is worth something only if it is one. A table is seen as a
person sees it - PCs, stacks, Generals, each in a space and a part of it - and every question is answered by looking at
every space of the board.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

OUTSIDE, INSIDE = "", "inside"


class Stack(NamedTuple):
    owner: str
    space: str
    part: str
    cus: int


class Figure(NamedTuple):
    owner: str
    space: str
    part: str


class Seen(NamedTuple):
    """The table at one moment."""

    spaces: tuple[str, ...]
    paths: frozenset[tuple[str, str, str]]          # both ways
    pcs: dict[str, str]
    stacks: tuple[Stack, ...]
    generals: tuple[Figure, ...]


def look(g: Any) -> Seen:
    """What lies on the table now."""
    return Seen(
        tuple(g.facts.spaces),
        frozenset(way for a, b, kind in g.facts.paths for way in ((a, b, kind), (b, a, kind))),
        dict(g.pc),
        tuple(Stack(owner, *parted(at), sum(units.values())) for at, there in g.cus.items()
              for owner, units in there.items() if sum(units.values())),
        tuple(Figure(one.seat, *parted(one.at)) for one in g.generals.values()
              if one.at.partition("/")[0] in g.facts.spaces))


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
    """15.1 An Army that is enemy to the controlled city stands in the space, outside."""
    if space not in seen.pcs:
        return False
    for stack in seen.stacks:
        if stack.space == space and stack.part == OUTSIDE and stack.owner != seen.pcs[space]:
            for one in seen.generals:
                if one == Figure(stack.owner, space, OUTSIDE):
                    return True
    return False


# --- 11.1 Interception -------------------------------------------------------------------------------------------


def interceptors(moments: Iterable[Seen], army: Stack, seat: str, target: str) -> set[str]:
    """The locations from which a player may intercept an Army that moves into the target space.

    `moments` are how the table looked since the activation began, the last just before this step.
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
