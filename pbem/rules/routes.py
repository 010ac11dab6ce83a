"""9.3 A Marches of several steps, and to a destination only: which steps, and what they risk on the way."""

from collections.abc import Sequence
from typing import Any

from pbem.base.errors import Refused
from pbem.orders import Condition, Order
from pbem.rules import activation, company, movement
from pbem.table.state import INDEPENDENT, Game, General, Step, is_inside, space_of


def steps(g: Game, seat: str, order: Order) -> list[Order]:
    """A march as the single steps that the log holds, judged as a whole before the first is taken; one that nobody may order
    now is left as it is, for whoever judges it to say why."""
    if not is_marching_time(g, seat):
        return [order]
    one = activation.judge_leader(g, seat, order.general, order.pieces)
    activation.judge_ashore(g, one)
    out: list[Order] = []
    if is_inside(one.at):                                       # 9.4 the way out leads through the outside
        out.append(Order("shift", general=one.name, pieces=order.pieces, to="outside", at=space_of(one.at)))
    here = space_of(one.at)
    path = order.path[1:] if order.path[0] == here else order.path
    if not path:
        raise Refused("9.3A", "not_connected", origin=here, target=here, reach=list(g.board.adjacent(here)))
    if len(path) == 1 and path[0] not in g.board.adjacent(here):
        path = cheapest(g, seat, one.name, here, path[0], order)
    judge_length(g, one.name, here, path, order)
    for index, target in enumerate(path):
        asked = tuple(side for side in order.passage or () if side in g.sides_at(target)) or None
        first = index == 0 and not out
        rest = (*path[index + 1:], *(order.route or ()))
        out.append(Order("march", general=one.name, pieces=order.pieces if first else None,
                         leave=order.leave if first else None, path=(target,), passage=asked,
                         route=rest if (order.openly or order.route) and rest else None))
    if order.passage and not any(step.passage for step in out):
        raise Refused("10C", "nobody_to_ask", of=order.passage[0], space=path[-1])
    return out


def is_marching_time(g: Game, seat: str) -> bool:
    """6.2 B1, 6.3 In one's own Activation Segment, if no Mercenary was raised instead, or with MPs that a card has given."""
    if seat != g.player or g.step == Step.RAISED:
        return False
    return g.segment == "activation" or g.segment == "tyche" and bool(g.allowance)


def judge_length(g: Game, general: str, here: str, path: tuple[str, ...], order: Order) -> None:
    """9.3 A The whole path has to be within the MPs, as far as they are known now."""
    one = g.generals[general]
    lead, left = led_by(g, one, order)
    total, at = 0, here
    for target in path:
        cost, _ = movement.step_cost(g, at, target)
        total += cost
        at = target
    if total > left:
        raise Refused("9.3A" if lead is one else "9.2", "too_few_mps", general=lead.name, cost=total, left=left,
                      target=path[-1], ends=movement.reach(g, one, left))


def led_by(g: Game, one: General, order: Order) -> tuple[General, int]:
    """9.2 Who commands those that go, and the MPs that he has for it."""
    pieces = order.pieces if order.pieces is not None and not order.pieces.everything else activation.may_come(g, one)
    lead = company.leader_of(g, one, pieces)
    return lead, company.mps_left_for(g, one, lead)


def cheapest(g: Game, seat: str, general: str, here: str, target: str, order: Order) -> tuple[str, ...]:
    """9.3 A The cheapest way to a destination; two that risk different things are for the player to choose from."""
    one = g.generals[general]
    _, left = led_by(g, one, order)
    found = g.board.cheapest_paths(here, target, left)
    if not found:
        raise Refused("9.3A", "no_way", general=general, target=target, left=left, ends=movement.reach(g, one, left))
    risks = {path: risk(g, seat, here, path) for path in found}
    best = [path for path in found if risks[path] == risks[found[0]]]
    if len(best) < len(found):
        raise Refused("9.3A", "ways_differ", general=general, target=target, ways=[list(path) for path in found])
    return tuple(found[0])


def risk(g: Game, seat: str, here: str, path: tuple[str, ...]) -> Any:
    """What a way may meet: windows, attrition, PCs and enemies passed."""
    met = []
    for space in path:
        others = sorted(side for side in g.sides_at(space) if side != seat)
        neighbours = sorted({general.seat for near in g.board.land_paths(space) for place in g.locations_of(near)
                             for general in g.generals_at(place) if general.seat not in (seat, INDEPENDENT)})
        stronghold = g.board.kind(space) == "stronghold" and g.controller(space) == INDEPENDENT
        owner = g.controller(space) if g.controller(space) not in ("", seat) else ""
        met.append((others, neighbours, stronghold, owner))
    return sorted(met, key=repr)


def mps_meant(g: Game, seat: str, orders: Sequence[Order]) -> int:
    """9.2 The MPs of the General whom the orders name, or else of the active Army, or the most that anybody has."""
    named = next((g.generals[order.general] for order in orders if order.general), None)
    if named is not None and named.seat == seat and g.on_map(named):
        return activation.mps_of(g, named.name)
    if g.activation is not None:
        return activation.mps_left(g)
    return max((activation.allowance(g, one) for one in g.generals_of(seat) if g.on_map(one)), default=0)


def condition_holds(g: Game, seat: str, condition: Condition | None, orders: Sequence[Order] = ()) -> bool:
    """Does what a line of orders was made to depend on hold now?"""
    if condition is None:
        return True
    if condition.subject == "mp":
        left = mps_meant(g, seat, orders)
        return {">=": left >= condition.value, "<=": left <= condition.value, "=": left == condition.value,
                ">": left > condition.value, "<": left < condition.value}[condition.op] is True
    if condition.subject == "general":
        there: str = g.generals[str(condition.who)].at
        return (there == condition.value) is (condition.op == "at")
    if condition.subject == "space":
        owner: str = g.controller(str(condition.who)) or "uncontrolled"
        return (owner == condition.value) is (condition.op == "is")
    raise Refused("9.1", "condition_only_sealed")
