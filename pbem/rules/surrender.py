"""6.1 The Surrender Segment: cities of other players give in, empty ones are taken, others are besieged."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Procedure, at_once
from pbem.orders import Order
from pbem.rules import ownership, siege
from pbem.rules.acts import Act
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, Step, space_of

STEPS = {"remove_pc": Step.REMOVE, "place_pc": Step.PLACE, "siege": Step.SIEGE}
ORDER = (Step.NONE, *STEPS.values())


def judge_step(g: Game, verb: str) -> None:
    """6.1 Three steps, in this order; a PC on a city just taken by a Siege belongs to the Siege."""
    wanted = STEPS[verb]
    if ORDER.index(wanted) < ORDER.index(g.step) and not (wanted == Step.PLACE and g.fallen):
        raise Refused("6.1", "step_is_over", verb=verb, step=g.step)


def enter_step(g: Game, verb: str) -> None:
    """6.1 From here on there is no way back to an earlier step."""
    g.step = max(g.step, STEPS[verb], key=ORDER.index)


def nothing_to_do(g: Game, seat: str) -> bool:
    """On public facts: no CU of this player stands where the PC is not his own. Then nobody is asked."""
    return all(g.controller(space_of(at)) == seat or g.board.is_transit(space_of(at)) for at in g.locations_with_cus(seat))


# --- 1. Remove enemy player PCs ----------------------------------------------------------------------------------


def judge_remove_pc(g: Game, seat: str, order: Order) -> Order:
    """6.1 Step 1: players' PCs, in Minor Cities and Strongholds where one has a CU; no General is needed."""
    judge_step(g, "remove_pc")
    space = order.space
    owner = g.controller(space)
    if owner == INDEPENDENT:
        raise Refused("6.1", "independent_needs_siege", space=space)
    if not owner or owner == seat:
        raise Refused("6.1", "no_enemy_pc", space=space, owner=owner)
    if g.board.kind(space) == "major":
        raise Refused("6.1", "city_needs_siege", space=space)
    judge_cu(g, seat, space)
    return Order("remove_pc", space=space)


def judge_cu(g: Game, seat: str, space: str) -> None:
    """6.1 At least one CU of one's own in the space."""
    if not g.has_cus(space, seat):
        raise Refused("6.1", "cu_needed_there", space=space)


@at_once
def remove_pc(g: Game, order: Order) -> None:
    """6.1 Step 1: the space is uncontrolled now, and may be taken in step 2."""
    enter_step(g, "remove_pc")
    g.tell(ALL, "pc_removed", seat=g.player, owner=g.controller(order.space), space=order.space)
    g.set_pc(order.space, "")
    ownership.end_of_procedure(g)


# --- 2. Place PCs ------------------------------------------------------------------------------------------------


def judge_free(g: Game, seat: str, space: str) -> None:
    """2 A PC goes on an uncontrolled space, never on a Transit Point."""
    if g.board.is_transit(space):
        raise Refused("2", "no_pc_on_transit_point", space=space)
    if g.controller(space):
        raise Refused("2", "pc_is_there", space=space, owner=g.controller(space))


def judge_place_pc(g: Game, seat: str, order: Order) -> Order:
    """6.1 Step 2: uncontrolled spaces of any kind where one has a CU. Step 3: cities one has just taken."""
    judge_step(g, "place_pc")
    spaces = tuple(dict.fromkeys(order.spaces))
    for space in spaces:
        judge_free(g, seat, space)
        judge_cu(g, seat, space)
        if g.step == Step.SIEGE and space not in g.fallen:
            raise Refused("6.1", "step_is_over", verb="place_pc", step=g.step)
    return Order("place_pc", spaces=spaces)


@at_once
def place_pc(g: Game, order: Order) -> None:
    """6.1 Step 2, and at the end of a Siege."""
    enter_step(g, "place_pc")
    for space in order.spaces:
        g.set_pc(space, g.player)
        g.tell(ALL, "pc_placed", seat=g.player, space=space)
    ownership.end_of_procedure(g)


# --- 3. Conduct Sieges -------------------------------------------------------------------------------------------


def in_step_three(act: Act) -> Act:
    """6.1 Step 3: a Siege (15) as it is conducted in this segment."""

    def judge(g: Game, seat: str, order: Order) -> Order:
        judge_step(g, "siege")
        return act.judge(g, seat, order)

    def do(g: Game, order: Order) -> Procedure[None]:
        enter_step(g, "siege")
        yield from act.do(g, order)

    return Act(judge, do, act.candidates, act.costs, act.rare)


# --- what can be thought of --------------------------------------------------------------------------------------


def spaces_with_cus(g: Game, seat: str) -> list[str]:
    """The spaces where a faction has CUs, each once."""
    return list(dict.fromkeys(space_of(at) for at in g.locations_with_cus(seat)))


def candidate_removals(g: Game, seat: str) -> Iterator[Order]:
    return (Order("remove_pc", space=space) for space in spaces_with_cus(g, seat))


def candidate_placements(g: Game, seat: str) -> Iterator[Order]:
    spaces = [space for space in spaces_with_cus(g, seat) if not g.controller(space) and not g.board.is_transit(space)]
    if len(spaces) > 1:
        yield Order("place_pc", spaces=tuple(spaces))
    for space in spaces:
        yield Order("place_pc", spaces=(space,))


ACTS: dict[str, Act] = {
    "remove_pc": Act(judge_remove_pc, remove_pc, candidate_removals),
    "place_pc": Act(judge_place_pc, place_pc, candidate_placements),
    "siege": in_step_three(siege.ACT),
}
