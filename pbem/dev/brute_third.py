"""The same second opinion for the 3rd edition, from the words of its own book alone: 7.5, 9.7, 10.2, 10.3, 10.5, 15.1.4.

What it says no otherwise than the 4th is asked of `brute`.
"""

from collections.abc import Iterable

from pbem.dev.brute import INDEPENDENT, INSIDE, OUTSIDE, Figure, Seen, Stack, is_besieged, without
from pbem.dev.brute import can_be_stormed as can_be_stormed
from pbem.dev.brute import can_be_taken as can_be_taken
from pbem.dev.brute import controllers as controllers
from pbem.dev.brute import evasions as evasions
from pbem.dev.brute import hungry as hungry
from pbem.dev.brute import isolated as isolated
from pbem.dev.brute import surrenders as surrenders
from pbem.dev.brute import takes_reinforcements as takes_reinforcements

COSTS = {"land": 1, "mountain": 2, "strait": 2, "sea": 1, "trans": 2}       # 9.3


def interceptors(moments: Iterable[Seen], now: Seen, army: Stack, seat: str, target: str) -> set[str]:
    """10.2, 10.3 Armies alone, over land; into what is one's own, what has no PC of others or Independents, or where an own CU
    stands unbesieged. Never where an unbesieged enemy CU lies. Who is besieged inside a city does not come (15.1.4)."""
    table = without(list(moments)[-1], army)
    found: set[str] = set()
    if seat == army.owner:
        return found
    walled = is_besieged(table, target)

    def free(stack: Stack) -> bool:
        return stack.space == target and not (walled and stack.part == INSIDE)

    own = any(stack.owner == seat and free(stack) for stack in table.stacks)
    enemy = any(stack.owner != seat and free(stack) for stack in table.stacks)
    if enemy or not (own or table.pcs.get(target, seat) == seat):
        return found
    for stack in table.stacks:
        led = Figure(stack.owner, stack.space, stack.part) in table.generals
        if stack.owner == seat and led and (stack.space, target, "land") in table.paths:
            if stack.part == OUTSIDE:
                found.add(stack.space)
            elif stack.part == INSIDE and not is_besieged(now, stack.space):
                found.add(f"{stack.space}/{INSIDE}")
    return found


def declines_battle(side: str) -> bool:
    """10.5 An intercepted Army may go back instead of fighting; Independent ones never do."""
    return side != INDEPENDENT


def in_reach(seen: Seen, seat: str, sources: Iterable[str]) -> set[str]:
    """7.5 Empty spaces within 2 MPs of an own PC, over any path; what lies between holds no enemy CU, no Independent Army and
    no enemy PC. An Independent PC is no enemy's."""
    foreign = {stack.space for stack in seen.stacks if stack.owner != seat}
    closed = foreign | {space for space, owner in seen.pcs.items() if owner not in (seat, INDEPENDENT)}
    near: set[str] = set()
    for source in sources:
        for first, kind in seen.ground.ways[source]:
            near.add(first)
            if COSTS[kind] == 1 and first not in closed:
                near |= {second for second, other in seen.ground.ways[first] if COSTS[other] == 1}
    return {space for space in near if space not in seen.pcs and space not in foreign and seen.ground.kinds[space] != "transit"}
