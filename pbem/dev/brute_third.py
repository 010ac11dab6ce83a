"""The same second opinion for the 3rd edition, from the words of its own book alone.

What is besieged inside a city, and how a table is looked at, is asked of `brute`.
"""

from collections.abc import Collection, Iterable, Mapping

from pbem.dev.brute import INDEPENDENT, INSIDE, OUTSIDE, Figure, Seen, Stack, is_besieged, without

COSTS = {"land": 1, "mountain": 2, "strait": 2, "sea": 1, "trans": 2}       # 9.3


def is_free(seen: Seen, stack: Stack) -> bool:
    """15.1.4 Not besieged: a siege is over as soon as all who besieged have gone."""
    return stack.part != INSIDE or not is_besieged(seen, stack.space)


def own_and_free(seen: Seen, seat: str, space: str) -> bool:
    return any((stack.owner, stack.space) == (seat, space) and is_free(seen, stack) for stack in seen.stacks)


def foreign(seen: Seen, seat: str, space: str) -> bool:
    """CUs of others, Independent Armies too."""
    return any(stack.space == space and stack.owner != seat for stack in seen.stacks)


# --- 10 Interception ---------------------------------------------------------------------------------------------


def interceptors(moments: Iterable[Seen], now: Seen, army: Stack, seat: str, target: str) -> set[str]:
    """10.2, 10.3 Armies alone, over land; into what is one's own, what has no PC of others or Independents, or where an own CU
    stands unbesieged. Never where an unbesieged enemy CU lies. Who is besieged inside a city does not come (15.1.4)."""
    table, found = without(now, army._replace(space=target, part=OUTSIDE)), set[str]()
    strangers = any(stack.space == target and stack.owner != seat and is_free(table, stack) for stack in table.stacks)
    if seat == army.owner or strangers or not (own_and_free(table, seat, target) or table.pcs.get(target, seat) == seat):
        return found
    for stack in table.stacks:
        led = Figure(stack.owner, stack.space, stack.part) in table.generals
        if stack.owner == seat and led and (stack.space, target, "land") in table.paths:
            if stack.part == OUTSIDE:
                found.add(stack.space)
            elif stack.part == INSIDE and is_free(now, stack):
                found.add(f"{stack.space}/{INSIDE}")
    return found


def declines_battle(side: str, cus: int) -> bool:
    """10.1, 10.5 Whatever is intercepted may go back instead of fighting; Independent Armies never do."""
    return side != INDEPENDENT


# --- 11 Avoiding battle ------------------------------------------------------------------------------------------


def evasions(now: Seen, army: Stack, seat: str, target: str, came_from: str) -> set[tuple[str, ...]]:
    """11.1, 11.3 When an Army comes: up to 2 MPs over land, not to where it comes from; to a space without PC and foreign CUs,
    one's own without them, or to an own CU that is not besieged; a General alone stops beside no other (9.9)."""
    if seat == army.owner or not army.cus or Figure(seat, target, OUTSIDE) not in now.generals:
        return set()
    alone = not any(stack[:3] == (seat, target, OUTSIDE) for stack in now.stacks)

    def next_to(here: str) -> list[str]:
        return [there for there, kind in now.ground.ways[here] if kind == "land" and there not in (came_from, target) and (
            own_and_free(now, seat, there) or now.pcs.get(there, seat) == seat and not foreign(now, seat, there))]

    ways = [way for first in next_to(target) for way in ((first,), *((first, second) for second in next_to(first)))]
    return {way for way in ways if not (alone and any(one.space == way[-1] and one.owner != seat for one in now.generals))}


def evades_beside(seat: str, interceptors: Collection[str]) -> bool:
    """11.3 Armies that have intercepted do not turn round."""
    return seat not in interceptors


# --- 20.4 Provinces, 19 Isolation --------------------------------------------------------------------------------


def controllers(seen: Seen) -> dict[str, str]:
    """20.4 Most of the spaces, Transit Points left out, and the Major City where there is one."""
    found = dict.fromkeys(seen.ground.provinces.values(), "")
    for province in found:
        spaces = [one for one in seen.spaces if seen.ground.provinces[one] == province and seen.ground.kinds[one] != "transit"]
        for owner in set(seen.pcs.values()):
            held = [space for space in spaces if seen.pcs.get(space) == owner]
            if len(held) > len(spaces) - len(held) and all(city in held for city in seen.cities if city in spaces):
                found[province] = owner
    return found


def isolated(seen: Seen, seat: str) -> set[str]:
    """19.2 No chain of own and neutral spaces, and of others where an own CU is, to an own CU or Major City. Neutral is what
    has neither PC nor CUs."""
    own = {stack.space for stack in seen.stacks if stack.owner == seat}
    mine = {space for space, owner in seen.pcs.items() if owner == seat}
    links = mine | {space for space in seen.spaces if (space in own if space in seen.pcs else not foreign(seen, seat, space))}
    chain = links & own | mine & seen.cities
    while fresh := {there for here in chain for there, _ in seen.ground.ways[here]} & links - chain:
        chain |= fresh
    return mine - chain


# --- 5.3 Reinforcements, 6 Surrender, 7.5 PCs for points, 9.1 Forage ---------------------------------------------


def takes_reinforcements(seen: Seen, seat: str, newcomers: Collection[Figure]) -> set[str]:
    """5.3 One's own spaces where nobody else stands, and where an own General is who meets nobody; not inside of a besieged
    city."""
    strange = {stack.space for stack in seen.stacks if stack.owner != seat} | {
        one.space for one in seen.generals if one.owner != seat}
    met = {one[1:3] for one in (*seen.stacks, *seen.generals) if one[0] != seat}
    led = {one.space for one in seen.generals if one.owner == seat and one[1:] not in met
           and seen.generals.count(one) > list(newcomers).count(one) and not (one.part == INSIDE and one.space in strange)}
    return led | {space for space, owner in seen.pcs.items() if owner == seat and space not in strange}


def surrenders(seen: Seen, seat: str) -> set[str]:
    """6, 9.12 Minor Cities of other players, and Strongholds that are like them, where one has a CU."""
    return {stack.space for stack in seen.stacks if stack.owner == seat and stack.space not in seen.cities
            and seen.pcs.get(stack.space, seat) not in (seat, INDEPENDENT)}


def can_be_taken(seen: Seen, seat: str) -> set[str]:
    """6, 15.1.1 What has no PC, but no Transit Point, where one has a CU."""
    return {stack.space for stack in seen.stacks if stack.owner == seat and stack.space not in seen.pcs
            and seen.ground.kinds[stack.space] != "transit"}


def can_be_stormed(seen: Seen, seat: str) -> set[str]:
    """6, 15.1.1, 15.4 Major Cities that are not one's own and Independent spaces, with an Army of 3 CUs before them."""
    found = set()
    for one in seen.generals:
        owner = seen.pcs.get(one.space, seat)
        big = any(stack[:3] == (seat, one.space, OUTSIDE) and stack.cus >= 3 for stack in seen.stacks)
        walls = owner == INDEPENDENT or owner != seat and one.space in seen.cities
        if one.owner == seat and one.part == OUTSIDE and big and walls:
            found.add(one.space)
    return found


def in_reach(seen: Seen, seat: str, sources: Iterable[str]) -> set[str]:
    """7.5 Empty spaces within 2 MPs of an own PC, over any path; what lies between holds no enemy CU, no Independent Army and
    no enemy PC. An Independent PC is no enemy's."""
    strange = {stack.space for stack in seen.stacks if stack.owner != seat}
    closed = strange | {space for space, owner in seen.pcs.items() if owner not in (seat, INDEPENDENT)}
    near: set[str] = set()
    for source in sources:
        for first, kind in seen.ground.ways[source]:
            near.add(first)
            if COSTS[kind] == 1 and first not in closed:
                near |= {second for second, other in seen.ground.ways[first] if COSTS[other] == 1}
    return {space for space in near if space not in seen.pcs and space not in strange and seen.ground.kinds[space] != "transit"}


def hungry(seen: Seen, seat: str, limits: Mapping[str, int]) -> set[str]:
    """9.1 Spaces, whatever part of them, with more than 3 of one's CUs in a Transit Point, more than 8 elsewhere."""
    found = set()
    for space in {stack.space for stack in seen.stacks if stack.owner == seat}:
        number = sum(stack.cus for stack in seen.stacks if stack.owner == seat and stack.space == space)
        if number > limits["transit" if seen.ground.kinds[space] == "transit" else "other"]:
            found.add(space)
    return found
