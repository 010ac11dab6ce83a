"""9.3, 9.4 Movement: what the active player may order in a Tyche or Activation Segment, step by step."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from pbem.base.errors import Refused
from pbem.kernel.procedures import Procedure, at_once
from pbem.orders import ONE_CU, Order, Pieces
from pbem.rules import abilities, burial, cavalry, land_movement, ownership, prices, truce
from pbem.rules.activation import (
    LAND_TYPES,
    Moved,
    allowance,
    begin,
    commander,
    finish,
    fresh_kinds,
    is_member,
    judge_activation,
    judge_ashore,
    judge_leader,
    judge_may_stop,
    judge_pieces,
    may_come,
    move_travellers,
    mps_left,
    set_off,
    travellers,
    travelling_kinds,
    travelling_units,
)
from pbem.rules.acts import Act, only
from pbem.rules.attrition import Group
from pbem.rules.company import (
    drop,
    judge_all_leave,
    judge_can_leave,
    judge_drop,
    judge_left_behind,
    judge_pick_up,
    judge_split,
    leader_of,
    mps_left_for,
    pick_up,
    split,
    without,
)
from pbem.rules.pieces import handfuls, judge_elephants, judge_named, parts, room_at, too_few
from pbem.table.events import ALL
from pbem.table.state import CART, INDEPENDENT, Game, General, Way, by_kind, is_at_sea, is_inside, space_of

# --- 9.1, 9.2 The roll, activating, ending ---------------------------------------------------------------------


def judge_roll(g: Game, seat: str, order: Order) -> Order:
    """9.2 One movement die per Activation Segment."""
    if g.movement_roll is not None:
        raise Refused("9.2", "already_rolled", die=g.movement_roll)
    return Order("roll")


@at_once
def roll(g: Game, order: Order) -> None:
    """9.2 One die for every Commanding General."""
    g.movement_roll, name = g.roll("movement")
    mps = {one.name: allowance(g, one) for one in g.generals_of(g.player) if g.on_map(one)}
    g.tell(ALL, "movement_rolled", seat=g.player, die=g.movement_roll, name=name, allowances=mps)


def judge_activate(g: Game, seat: str, order: Order) -> Order:
    return Order("activate", general=judge_activation(g, seat, order.general).name)


@at_once
def activate(g: Game, order: Order) -> None:
    """9.1 Say who moves next."""
    begin(g, order.general)


def judge_end_activation(g: Game, seat: str, order: Order) -> Order:
    if g.activation is None:
        raise Refused("9.1", "nobody_active")
    judge_may_stop(g)
    return Order("end_activation")


@at_once
def end_activation(g: Game, order: Order) -> None:
    """9.1 The active Army is done for this segment."""
    finish(g)


# --- 9.3 A Moving between spaces ---------------------------------------------------------------------------------


def judge_march(g: Game, seat: str, order: Order) -> Order:
    """9.3 A, 9.1 One step of an Army or General along a path. Returns the order in full."""
    one = judge_leader(g, seat, order.general, order.pieces)
    judge_ashore(g, one)
    if is_inside(one.at):
        raise Refused("9.4", "outside_first", general=one.name, space=space_of(one.at))
    target = order.path[0]
    truce.judge_entering(g, seat, target, "3.7")
    pieces = judge_pieces(g, one, order.pieces if order.pieces is not None else may_come(g, one))
    if order.leave is not None:
        pieces = without(one, pieces, order.leave)
    cost, _ = step_cost(g, one.at, target)
    lead = leader_of(g, one, pieces)
    left = mps_left_for(g, one, lead)
    if cost > left:
        rule = "9.3A" if lead is one else "9.2"
        raise Refused(rule, "too_few_mps", general=lead.name, cost=cost, left=left, target=target, ends=reach(g, one, left))
    judge_left_behind(g, one, pieces)
    judge_all_leave(g, one, pieces)
    judge_meeting(g, seat, target, pieces, order.passage or ())
    for asked in order.passage or ():
        land_movement.judge_passage(g, seat, asked, target, left - cost, pieces.count())
    return order.but(general=one.name, pieces=pieces, leave=None, path=(target,))


def judge_meeting(g: Game, seat: str, target: str, pieces: Pieces, asked: tuple[str, ...]) -> None:
    """10 I Some books let nobody without CUs go where enemy CUs stand, but with their leave or to an Army of his own."""
    foes = [side for side in g.sides_with_cus(target) if side != seat and side not in asked]
    if foes and not pieces.cus and not g.count(target, seat) and not g.rules.lone_general_meets_army:
        raise Refused("10I", "army_stands_there", space=target, owner=foes[0])


def step_cost(g: Game, here: str, target: str) -> tuple[int, str]:
    """9.3 A MPs and path type of the step: the cheapest path by land between the two spaces."""
    types = g.board.land_types(here, target)
    if not types:
        raise Refused("9.3A", "not_connected", origin=here, target=target,
                      reach=[space for space, kind, _ in g.board.paths(here) if kind in LAND_TYPES])
    kind = min(types, key=g.rules.path_mps.__getitem__)
    return g.rules.path_mps[kind], kind


def reach(g: Game, one: General, left: int) -> list[str]:
    """Where a march could end with so many MPs, as far as the map goes."""
    return list(g.board.land_reach(space_of(one.at), left))


def march(g: Game, order: Order) -> Procedure[None]:
    """9.3 A One step, and with it the Land Movement Procedure (10)."""
    one = g.generals[order.general]
    act = set_off(g, one, order.pieces)
    origin, target = act.here, order.path[0]
    if order.route and not act.route:
        yield lambda: land_movement.route_question(g, one.seat, one.name, origin, (target, *order.route))
    act.route = tuple(order.route or ())
    cost, kind = step_cost(g, origin, target)
    act.spent += cost
    act.must_leave = ""
    if passes_stronghold(g, kind):
        yield from cavalry.pass_stronghold(g, one.seat, origin, Group(origin, one.seat, act.key))
    tell_march(g, move_travellers(g, target), origin, target, cost)
    act.entered = kind
    yield from land_movement.enter(g, Way(act.key, one.seat, origin, target, kind), tuple(order.passage or ()))
    ownership.end_of_procedure(g)


def passes_stronghold(g: Game, kind: str) -> bool:
    """10 A Entered and left in one activation, at least once by land, while Independent."""
    act = g.activation
    assert act is not None
    space = space_of(act.here)
    return (g.board.kind(space) == "stronghold" and g.controller(space) == "independent" and act.entered != ""
            and (act.entered in LAND_TYPES or kind in LAND_TYPES) and bool(travelling_units(g)))


def tell_march(g: Game, moved: Moved, origin: str, target: str, cost: int) -> None:
    act = g.activation
    assert act is not None
    lead = moved.generals[0] if moved.generals else g.generals[act.key]
    g.tell(ALL, "marched", seat=lead.seat, general=lead.name, generals=[one.name for one in moved.generals if one is not lead],
           cus=dict(by_kind(moved.units)), royals=[royal.name for royal in moved.royals], origin=origin, target=target,
           cost=cost, left=mps_left(g, lead))
    remind_of_burial(g, lead.seat, target)


def remind_of_burial(g: Game, seat: str, target: str) -> None:
    """3.8 The Cart comes to a Major City: when may Alexander be buried there?"""
    act, cart = g.activation, g.royals[CART]
    if act is not None and cart.mover == act.key and g.board.kind(space_of(target)) == "major":
        g.tell(ALL, "reminder", what=burial.reminder("cart_at_city", g), seat=seat, at=target)


# --- 9.3 B, 9.4 Inside and outside -------------------------------------------------------------------------------


def judge_shift(g: Game, seat: str, order: Order) -> Order:
    """9.3 B, 9.4 Between the inside and the outside of one's own Major City, at no MPs, led by a General."""
    if not order.general:
        named = order.pieces.royals if order.pieces is not None else ()
        raise Refused("8.4" if named else "9.1", "shift_needs_general", royals=list(named))
    one = judge_leader(g, seat, order.general, order.pieces)
    judge_ashore(g, one, spends=False)
    space = order.at or space_of(one.at)
    if space != space_of(one.at):
        raise Refused("9.1", "not_in_the_location", piece=one.name, at=space)
    if g.board.kind(space) != "major":
        raise Refused("9.4", "no_city_there", space=space)
    if g.controller(space) != seat:
        raise Refused("9.4", "not_your_city", space=space, owner=g.controller(space))
    if is_inside(one.at) == (order.to == "inside"):
        raise Refused("9.4", "already_there", general=one.name, to=order.to)
    if order.to == "outside":
        truce.judge_entering(g, seat, space, "3.7")
    pieces = judge_pieces(g, one, order.pieces if order.pieces is not None else may_shift(g, one, order.to),
                          army_needed=False)
    if order.to == "inside":
        free = room_at(g, f"{space}/inside", seat)
        if pieces.count() > free:
            raise Refused("9.4", "city_is_full", space=space, room=free, wanted=pieces.count())
        judge_elephants(g, f"{space}/inside", dict(pieces.cus))
    judge_left_behind(g, one, pieces)
    if g.rules.shift_takes_all:
        judge_all_leave(g, one, pieces)
    return Order("shift", general=one.name, pieces=pieces, to=order.to, at=space)


def may_shift(g: Game, one: General, to: str) -> Pieces:
    """All that may come, as far as there is room inside: the best troops first."""
    pieces = may_come(g, one)
    if to != "inside":
        return pieces
    free = room_at(g, f"{space_of(one.at)}/inside", one.seat)
    cus: dict[str, int] = {}
    for kind, number in pieces.cus:
        if kind != "elephant" or not g.rules.elephants_stay_outside:
            cus[kind] = min(number, free)
            free -= cus[kind]
    return Pieces.of(pieces.generals, cus, pieces.royals)


def shift(g: Game, order: Order) -> Procedure[None]:
    """9.3 B Through the gate: inwards just so, outwards with the Land Movement Procedure (10)."""
    one = g.generals[order.general]
    act = set_off(g, one, order.pieces)
    origin, target = act.here, order.at if order.to == "outside" else f"{order.at}/inside"
    g.tell(ALL, "shifted", seat=one.seat, general=one.name, generals=list(order.pieces.generals),
           cus=dict(order.pieces.cus), royals=list(order.pieces.royals), space=order.at, to=order.to)
    act.must_leave = ""
    move_travellers(g, target)
    if order.to == "outside":
        yield from land_movement.enter(g, Way(act.key, one.seat, origin, target, "gate"), ())
    ownership.end_of_procedure(g)


# --- 9.3 D Removing a PC -----------------------------------------------------------------------------------------


def judge_remove_pc(g: Game, seat: str, order: Order) -> Order:
    """9.3 D An Army of 3 CUs removes another player's PC from a Minor City for 2 MPs."""
    one = judge_activation(g, seat, order.general or leader_at(g, seat, order.space))
    judge_ashore(g, one)
    space = order.space or space_of(one.at)
    if space != space_of(one.at):
        raise Refused("9.3D", "not_in_the_location", piece=one.name, at=space)
    owner = g.controller(space)
    if owner == INDEPENDENT:
        raise Refused("9.3D", "independent_needs_siege", space=space)
    if g.board.kind(space) == "major":
        raise Refused("9.3D", "city_needs_siege", space=space)
    if not owner or owner == seat:
        raise Refused("9.3D", "no_enemy_pc", space=space, owner=owner)
    cus = named_cus(g, one, order.pieces)
    if cus.total() < g.rules.remove_pc_cus:
        raise Refused("9.3D", "three_cus_needed", space=space, has=cus.total(), needed=g.rules.remove_pc_cus)
    lead = max(travellers(g) or [one], key=lambda other: other.grade)
    left = mps_left_for(g, one, lead)
    cost = remove_pc_mps(g, one, cus)
    if left < cost:
        raise Refused("9.3D", "too_few_mps", general=one.name, cost=cost, left=left, target=space, ends=[])
    judge_can_leave(g, left - cost)
    pieces = Pieces.of(cus=cus) if order.pieces is not None and order.pieces.cus else None
    return Order("remove_pc", space=space, general=one.name, pieces=pieces)


def has_loose_pc(g: Game, seat: str, space: str) -> bool:
    """9.3 D Is there another player's PC that an Army could take away?"""
    return g.controller(space) not in ("", seat, INDEPENDENT) and g.board.kind(space) != "major"


def leader_at(g: Game, seat: str, space: str | None) -> str | None:
    """Who is meant where no General is named: the active one, or else the commander in that space."""
    if g.activation is not None:
        return g.activation.key
    one = g.commander(space or "", seat)
    return one.name if one is not None else None


def named_cus(g: Game, one: General, pieces: Pieces | None) -> Counter[str]:
    """9.3 D The CUs that take the PC away: those named, else all there that have not fought (B23)."""
    fit: Counter[str] = Counter()
    for unit, number in g.units(one.at, one.seat).items():
        if not unit.past.fought:
            fit[unit.kind] += number
    if pieces is None or not pieces.cus:
        return fit
    judge_named(pieces, fit, too_few("9.3D", fit, one.at))
    return Counter(dict(pieces.cus))


def remove_pc_mps(g: Game, one: General, cus: Counter[str]) -> int:
    """9.3 D What it costs; with Cavalry among them perhaps less (16.9)."""
    cost = abilities.remove_pc_mps(g, one)
    return min(cost, g.rules.cavalry_remove_pc_mps) if cavalry.rides(cus) else cost


@at_once
def remove_pc(g: Game, order: Order) -> None:
    """9.3 D The PC goes; it is not replaced, and nobody's Champion status is touched."""
    act = begin(g, order.general)
    one = g.generals[order.general]
    act.spent += remove_pc_mps(g, one, named_cus(g, one, order.pieces))
    one.mover = act.key
    g.tell(ALL, "pc_removed", seat=one.seat, owner=g.controller(order.space), space=order.space)
    g.set_pc(order.space, "")
    ownership.end_of_procedure(g)


# --- what can be thought of --------------------------------------------------------------------------------------


def ready(g: Game, seat: str) -> list[General]:
    """The active Army's General, or all who could still be activated."""
    lead = commander(g)
    key, on_map, activated = lead.name if lead is not None else "", g.board.locations, g.activated
    found = [one for one in g.generals.values() if one.seat == seat and (not one.mover or one.name == key)
             and one.at in on_map and one.name not in activated]
    return sorted(found, key=lambda one: one.name != key) if key else found


def candidate_marches(g: Game, seat: str) -> Iterator[Order]:
    """Every General to every neighbour: with all that may come, then with parts of it."""
    for one in ready(g, seat):
        if is_inside(one.at) or is_at_sea(one.at):
            continue
        targets = g.board.adjacent(one.at)
        for target in targets:
            yield Order("march", general=one.name, path=(target,))
            sides = [side for side in g.sides_at(target) if side not in (seat, "independent")]
            if sides:
                yield Order("march", general=one.name, path=(target,), passage=tuple(sides))
        for pieces in islice(parts(may_come(g, one)), 24):
            for target in targets:
                yield Order("march", general=one.name, pieces=pieces, path=(target,))


def around(g: Game, one: General) -> Pieces:
    """9.1 All that an order could name to go with a General, even seniors, who would lead then."""
    there = [] if one.minor else g.generals_at(one.at, one.seat)
    others = [other.name for other in there if other is not one and not other.minor]
    return Pieces.of(others, g.kinds(one.at, one.seat), [royal.name for royal in g.royals_at(one.at, one.seat)])


def leaders(g: Game, seat: str) -> list[General]:
    """9.1 Whoever is or may be activated now."""
    found = []
    for one in g.generals_of(seat):
        if g.on_map(one):
            try:
                found += [judge_activation(g, seat, one.name), *([one] if is_member(g, one) else ())]
            except Refused:
                continue
    return list(dict.fromkeys(found))


def candidate_shifts(g: Game, seat: str) -> Iterator[Order]:
    for one in ready(g, seat):
        if g.board.kind(space_of(one.at)) == "major":
            to = "outside" if is_inside(one.at) else "inside"
            yield Order("shift", general=one.name, to=to)
            for pieces in islice(parts(may_shift(g, one, to)), 12):
                yield Order("shift", general=one.name, to=to, pieces=pieces)


def rare_marches(g: Game, seat: str) -> Iterator[Order]:
    """Every handful of what stands there, with whomever."""
    for one in leaders(g, seat):
        if is_inside(one.at) or is_at_sea(one.at):
            continue
        targets = g.board.adjacent(one.at)
        for pieces in handfuls(around(g, one)):
            for target in targets:
                yield Order("march", general=one.name, pieces=pieces, path=(target,))


def rare_shifts(g: Game, seat: str) -> Iterator[Order]:
    for one in leaders(g, seat):
        if g.board.kind(space_of(one.at)) == "major":
            for pieces in handfuls(around(g, one)):
                yield Order("shift", general=one.name, to="outside" if is_inside(one.at) else "inside", pieces=pieces)


def rare_removals(g: Game, seat: str) -> Iterator[Order]:
    """9.3 D Which CUs do it matters where Cavalry makes it cheaper (16.9)."""
    if not any(has_loose_pc(g, seat, space_of(one.at)) for one in g.generals_of(seat) if g.on_map(one)):
        return                                              # mostly there is none, and nobody need be looked at
    for one in leaders(g, seat):
        if has_loose_pc(g, seat, space_of(one.at)):
            for pieces in handfuls(Pieces.of(cus=g.kinds(one.at, seat))):
                yield Order("remove_pc", general=one.name, space=space_of(one.at), pieces=pieces)


def candidate_pick_ups(g: Game, seat: str) -> Iterator[Order]:
    if g.activation is not None:
        yield Order("pick_up", pieces=Pieces((), (), (), True))
        one = g.generals[g.activation.key]
        for other in g.generals_at(one.at, seat):
            if other is not one:
                yield Order("pick_up", pieces=Pieces.of([other.name]))
        for kind in fresh_kinds(g, one.at, seat):
            yield Order("pick_up", pieces=ONE_CU[kind])


def candidate_drops(g: Game, seat: str) -> Iterator[Order]:
    for other in travellers(g):
        yield Order("drop", pieces=Pieces.of([other.name]))
    for kind in travelling_kinds(g):
        yield Order("drop", pieces=ONE_CU[kind])
        yield Order("drop", pieces=ONE_CU[kind], minor="any")
    if g.activation is not None:
        for royal in g.royals_at(g.activation.here, seat):
            yield Order("drop", pieces=Pieces.of(royals=[royal.name]))


def candidate_splits(g: Game, seat: str) -> Iterator[Order]:
    for location in list(g.locations_with_cus(seat)):
        for kind in fresh_kinds(g, location, seat):
            yield Order("split", location=location, pieces=ONE_CU[kind], minor="any")


def candidate_removals(g: Game, seat: str) -> Iterator[Order]:
    for one in ready(g, seat):
        if has_loose_pc(g, seat, space_of(one.at)):
            yield Order("remove_pc", general=one.name, space=space_of(one.at))


def candidate_activations(g: Game, seat: str) -> Iterator[Order]:
    return (Order("activate", general=one.name) for one in ready(g, seat))


ACTS: dict[str, Act] = {
    "roll": Act(judge_roll, roll, only("roll"), prices.of_roll),
    "march": Act(judge_march, march, candidate_marches, prices.of_march, rare_marches),
    "shift": Act(judge_shift, shift, candidate_shifts, rare=rare_shifts),
    "pick_up": Act(judge_pick_up, pick_up, candidate_pick_ups),
    "drop": Act(judge_drop, drop, candidate_drops),
    "split": Act(judge_split, split, candidate_splits),
    "remove_pc": Act(judge_remove_pc, remove_pc, candidate_removals, rare=rare_removals),
    "activate": Act(judge_activate, activate, candidate_activations),
    "end_activation": Act(judge_end_activation, end_activation, only("end_activation")),
}
