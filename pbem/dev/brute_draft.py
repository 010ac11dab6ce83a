"""The same second opinion for the draft of the 4th edition, from the words of that text alone.

What is besieged inside a city, and how a table is looked at, is asked of `brute`.
"""

from collections.abc import Collection, Iterable, Mapping

from pbem.dev.brute import INDEPENDENT, INSIDE, OUTSIDE, Figure, Seen, Stack, is_besieged, without

COSTS = {"land": 1, "sea": 1, "mountain": 2, "strait": 2}       # 8.2; new PCs are not counted over the Mediterranean (6.6.3.2)


def shut_in(seen: Seen, stack: Stack) -> bool:
    """4.16 Inside of a city before which enemy CUs stand."""
    return stack.part == INSIDE and is_besieged(seen, stack.space)


def enemy_there(seen: Seen, seat: str, space: str) -> bool:
    """4.7 CUs of whomever else, Independent ones too."""
    return any(stack.space == space and stack.owner != seat for stack in seen.stacks)


def free_cu_there(seen: Seen, seat: str, space: str) -> bool:
    """11.8, 10.5 At least one friendly CU not under Siege."""
    return any((stack.owner, stack.space) == (seat, space) and not shut_in(seen, stack) for stack in seen.stacks)


# --- 11 Land Interception ----------------------------------------------------------------------------------------


def interceptors(moments: Iterable[Seen], now: Seen, army: Stack, seat: str, target: str) -> set[str]:
    """11.1, 11.8 Armies alone, over land; into a friendly or uncontrolled space, or to a friendly CU not under Siege; never
    where enemy CUs are that have not just come. Who is besieged does not come, nor while his besieger takes the step out."""
    before, found = list(moments)[-1], set[str]()
    rest = without(now, army._replace(space=target, part=OUTSIDE))
    allowed = rest.pcs.get(target, seat) == seat or free_cu_there(rest, seat, target)
    if seat == army.owner or not allowed or enemy_there(rest, seat, target):
        return found
    for stack in rest.stacks:
        led = Figure(stack.owner, stack.space, stack.part) in rest.generals
        shut = shut_in(now, stack) or shut_in(before, stack)
        if stack.owner == seat and led and not shut and (stack.space, target, "land") in rest.paths:
            found.add(f"{stack.space}/{stack.part}" if stack.part else stack.space)
    return found


def declines_battle(side: str, cus: int) -> bool:
    """11.7.3 Who is intercepted may go back, but no Independent Army, and no General who moves alone."""
    return side != INDEPENDENT and cus > 0


# --- 10 Avoid Battle ---------------------------------------------------------------------------------------------


def evasions(now: Seen, army: Stack, seat: str, target: str, came_from: str) -> set[tuple[str, ...]]:
    """10.1, 10.2, 10.5 When an Army comes: up to 2 MPs over land, not to where it came from, not to enemy CUs, to an enemy's
    space only where a friendly CU is free; without CUs he passes other Generals but does not stop there (8.3.3)."""
    if seat == army.owner or not army.cus or Figure(seat, target, OUTSIDE) not in now.generals:
        return set()
    alone = not any(stack[:3] == (seat, target, OUTSIDE) for stack in now.stacks)

    def enters(here: str, there: str) -> bool:
        open_to = now.pcs.get(there, seat) == seat or free_cu_there(now, seat, there)
        return ((here, there, "land") in now.paths and there not in (came_from, target) and open_to
                and not enemy_there(now, seat, there))

    def stops(space: str) -> bool:
        return not alone or not any(one.space == space and one.owner != seat for one in now.generals)

    firsts = [space for space in now.spaces if enters(target, space)]
    ways = {(first,) for first in firsts} | {(first, second) for first in firsts for second in now.spaces
                                             if enters(first, second)}
    return {way for way in ways if stops(way[-1])}


def evades_beside(seat: str, interceptors: Collection[str]) -> bool:
    """9.1, 10.5 Whoever gets away does so before anybody intercepts; who has intercepted does not turn round."""
    return seat not in interceptors


# --- 4.22 Provinces, 6.7 Isolation -------------------------------------------------------------------------------


def controllers(seen: Seen) -> dict[str, str]:
    """4.22 More than half of the spaces, Transit Points not counted, with the Major City if there is one."""
    found = {}
    for province in set(seen.ground.provinces.values()):
        spaces = [one for one in seen.spaces if seen.ground.provinces[one] == province and seen.ground.kinds[one] != "transit"]
        owners = [seen.pcs.get(one) for one in spaces]
        city_of = {seen.pcs.get(one) for one in spaces if one in seen.cities}
        found[province] = next((owner for owner in owners if owner and 2 * owners.count(owner) > len(owners)
                                and city_of <= {owner}), "")
    return found


def isolated(seen: Seen, seat: str) -> set[str]:
    """6.7 Without a path to a friendly CU or Major City: through friendly spaces, uncontrolled ones without enemy CUs, and
    enemy ones where a friendly CU is."""
    own = {stack.space for stack in seen.stacks if stack.owner == seat}

    def through(space: str) -> bool:
        owner = seen.pcs.get(space)
        return owner == seat or (space in own if owner else not enemy_there(seen, seat, space))

    found = set()
    for start in (space for space, owner in seen.pcs.items() if owner == seat):
        been, edge = {start}, [start]
        while edge:
            here = edge.pop()
            if here in own or here in seen.cities and seen.pcs.get(here) == seat:
                break
            fresh = [there for there, _ in seen.ground.ways[here] if there not in been and through(there)]
            been.update(fresh)
            edge += fresh
        else:
            found.add(start)
    return found


# --- 6.4 Reinforcements, 6.6 the segments ------------------------------------------------------------------------


def takes_reinforcements(seen: Seen, seat: str, newcomers: Collection[Figure]) -> set[str]:
    """6.4.2, 6.4.3 Friendly spaces without enemy CUs and Generals; where a friendly General has been all the time and meets
    nobody; not inside of a besieged city."""
    found = set()
    for space in seen.spaces:
        foes = enemy_there(seen, seat, space) or any(one.space == space and one.owner != seat for one in seen.generals)
        if seen.pcs.get(space) == seat and not foes:
            found.add(space)
        for part in (OUTSIDE, INSIDE):
            here = Figure(seat, space, part)
            met = any(one[1:3] == here[1:] and one[0] != seat for one in (*seen.stacks, *seen.generals))
            if seen.generals.count(here) > list(newcomers).count(here) and not met and not (part == INSIDE and foes):
                found.add(space)
    return found


def surrenders(seen: Seen, seat: str) -> set[str]:
    """6.6.2, 4.28 Minor Cities of other players, Strongholds that they hold among them, with a friendly CU."""
    own = {stack.space for stack in seen.stacks if stack.owner == seat}
    return {space for space, owner in seen.pcs.items()
            if owner not in (seat, INDEPENDENT) and space not in seen.cities and space in own}


def can_be_taken(seen: Seen, seat: str) -> set[str]:
    """6.6.2 Uncontrolled cities and Strongholds with a friendly CU."""
    return {stack.space for stack in seen.stacks if stack.owner == seat and stack.space not in seen.pcs
            and seen.ground.kinds[stack.space] != "transit"}


def can_be_stormed(seen: Seen, seat: str) -> set[str]:
    """6.6.2, 13.4 Enemy Major Cities and Independent spaces with a friendly Army of 3 CUs before them."""
    found = set()
    for stack in seen.stacks:
        owner = seen.pcs.get(stack.space, seat)
        target = owner == INDEPENDENT or owner != seat and stack.space in seen.cities
        led = Figure(seat, stack.space, OUTSIDE) in seen.generals
        if stack.owner == seat and stack.part == OUTSIDE and stack.cus >= 3 and target and led:
            found.add(stack.space)
    return found


def in_reach(seen: Seen, seat: str, sources: Iterable[str]) -> set[str]:
    """6.6.3.2 Uncontrolled spaces without enemy CUs within 2 MPs of a friendly PC; nothing of an enemy's lies between."""
    near: set[str] = set()
    for source in sources:
        for first, kind in seen.ground.ways[source]:
            if kind in COSTS:
                near.add(first)
            if COSTS.get(kind) == 1 and seen.pcs.get(first, seat) == seat and not enemy_there(seen, seat, first):
                near |= {second for second, other in seen.ground.ways[first] if COSTS.get(other) == 1}
    return {space for space in near if space not in seen.pcs and seen.ground.kinds[space] != "transit"
            and not enemy_there(seen, seat, space)}


def hungry(seen: Seen, seat: str, limits: Mapping[str, int]) -> set[str]:
    """6.6.5 Each group of its own: more than 3 CUs in a Transit Point, more than 8 elsewhere."""
    return {stack.space for stack in seen.stacks if stack.owner == seat
            and stack.cus > limits["transit" if seen.ground.kinds[stack.space] == "transit" else "other"]}
