"""5.5 The Isolation Phase."""

from collections import deque
from collections.abc import Iterable

from pbem.kernel.procedures import at_once
from pbem.rules import ownership
from pbem.table.events import ALL
from pbem.table.state import Game, space_of


@at_once
def isolation_phase(g: Game) -> None:
    """5.5 In Turn Order: who comes later may profit from what has gone before him."""
    for seat in g.turn_order:
        remove_isolated(g, seat)


def remove_isolated(g: Game, seat: str) -> None:
    """5.5 A player takes all his isolated PCs off the map."""
    remove(g, seat, isolated(g, seat, g.pcs_of(seat)))
    ownership.end_of_procedure(g)


def remove(g: Game, seat: str, lost: list[str]) -> None:
    """5.5 Those that were found isolated go together: none of them is joined to others by the going of the first."""
    for space in lost:
        cus, pcs = cut(g, seat, space)
        g.tell(ALL, "isolated", seat=seat, space=space, cus=cus, pcs=pcs)
    for space in lost:
        g.set_pc(space, "")


def isolated(g: Game, seat: str, pcs: Iterable[str]) -> list[str]:
    """5.5 Those of these PCs that no series of spaces joins to a CU or a Major City of their owner."""
    found, ends = [], anchors(g, seat)
    for space in pcs:
        if space not in ends:
            way = g.board.trace([space], lambda there: may_trace(g, seat, there), ends.__contains__)
            if way is None:
                found.append(space)
            else:
                ends.update(way)                        # who reaches one of these is joined as well
    return found


def anchors(g: Game, seat: str) -> set[str]:
    """5.5 Where the player has CUs (a General alone is none), and the Major Cities that he controls."""
    cities = {space for space in g.board.major_cities if g.pc.get(space) == seat}
    return cities | {space_of(location) for location in g.locations_with_cus(seat)}


def may_trace(g: Game, seat: str, space: str) -> bool:
    """5.5 Own spaces always; uncontrolled ones without enemy CUs; those of others, if a CU of one's own is there."""
    owner = g.pc.get(space)
    if owner == seat:
        return True
    return g.has_cus(space, seat) if owner else not enemy_cus(g, seat, space)


def enemy_cus(g: Game, seat: str, space: str) -> bool:
    for location in g.locations_of(space):
        for side in g.cus.get(location, ()):
            if side != seat:
                return True
    return False


def joined(g: Game, seat: str, starts: list[str]) -> set[str]:
    """All spaces that a trace may reach, over paths of every kind."""
    found, waiting = set(starts), deque(starts)
    while waiting:
        for there, _, _ in g.board.paths(waiting.popleft()):
            if there not in found and may_trace(g, seat, there):
                found.add(there)
                waiting.append(there)
    return found


def cut(g: Game, seat: str, space: str) -> tuple[list[str], list[str]]:
    """Where the trace of a PC ends: spaces barred by enemy CUs, and by other PCs."""
    inside = joined(g, seat, [space])
    edge = dict.fromkeys(there for here in sorted(inside) for there, _, _ in g.board.paths(here) if there not in inside)
    return [one for one in edge if not g.controller(one)], [one for one in edge if g.controller(one)]
