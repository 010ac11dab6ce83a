"""9.3, 9.4 Movement: what the active player may order in a Tyche or Activation Segment, step by step."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from typing import Any, NamedTuple

from pbem.errors import Refused
from pbem.events import ALL
from pbem.kernel import Procedure, at_once
from pbem.orders import Order, Pieces
from pbem.rules import abilities, cavalry, land_movement, ownership, prices, truce
from pbem.rules.activation import (
    LAND_TYPES,
    allowance,
    begin,
    commander,
    finish,
    fresh_kinds,
    is_afloat,
    is_member,
    is_travelling,
    judge_activation,
    judge_ashore,
    judge_may_stop,
    judge_pieces,
    judge_units,
    may_be_carried,
    may_come,
    move_travellers,
    mps_left,
    set_off,
    travellers,
    travelling_units,
)
from pbem.rules.attrition import Group
from pbem.rules.land_movement import Way
from pbem.state import CART, OFF, Game, General, Unit, is_at_sea, is_inside, space_of


def none(g: Game, seat: str) -> Iterator[Order]:
    """No further orders of this verb."""
    return iter(())


class Act(NamedTuple):
    """What an order of the active player means: may he, what happens, which ones are thinkable, what would it cost.

    `rare` are the thinkable orders that come after all usual ones of every verb.
    """

    judge: Callable[[Game, str, Order], Order]
    do: Callable[[Game, Order], Procedure[None]]
    candidates: Callable[[Game, str], Iterator[Order]]
    costs: Callable[[Game, str, Order], list[prices.Price]] = prices.nothing
    rare: Callable[[Game, str], Iterator[Order]] = none


# --- 9.1, 9.2 The roll, activating, ending ---------------------------------------------------------------------


def judge_roll(g: Game, seat: str, order: Order) -> Order:
    """9.2 One movement die per Activation Segment."""
    if g.segment != "activation":
        raise Refused("9.2", "no_movement_roll", segment=g.segment)
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
    one = judge_activation(g, seat, order.general)
    judge_ashore(g, one)
    if is_inside(one.at):
        raise Refused("9.4", "outside_first", general=one.name, space=space_of(one.at))
    target = order.path[0]
    truce.judge_entering(g, seat, target, "3.7")
    pieces = judge_pieces(g, one, order.pieces if order.pieces is not None else may_come(g, one))
    if order.leave is not None:
        pieces = without(g, one, pieces, order.leave)
    cost, _ = step_cost(g, one.at, target)
    lead = leader_of(g, one, pieces)
    left = mps_left_for(g, one, lead)
    if cost > left:
        rule = "9.3A" if lead is one else "9.2"
        raise Refused(rule, "too_few_mps", general=lead.name, cost=cost, left=left, target=target, ends=reach(g, one, left))
    judge_left_behind(g, one, pieces)
    judge_all_leave(g, pieces)
    for asked in order.passage or ():
        land_movement.judge_passage(g, seat, asked, target, left - cost)
    return order.but(general=one.name, pieces=pieces, leave=None, path=(target,))


def without(g: Game, one: General, pieces: Pieces, leave: Pieces) -> Pieces:
    """`leaving`: all that may come but these."""
    for kind, number in leave.cus:
        if pieces.number_of(kind) < number:
            raise Refused("7.2", "too_few_cus", kind=kind, has=pieces.number_of(kind), wanted=number, at=one.at)
    cus = Counter(dict(pieces.cus)) - Counter(dict(leave.cus))
    judge_units(g, one, dict(cus), g.activation.key if g.activation is not None else one.name)
    return Pieces.of([name for name in pieces.generals if name not in leave.generals], cus,
                     [name for name in pieces.royals if name not in leave.royals])


def leader_of(g: Game, one: General, pieces: Pieces) -> General:
    """7.1 A Whoever is most senior of those who go commands them."""
    return max((g.generals[name] for name in (one.name, *pieces.generals)), key=lambda other: other.seniority)


def mps_left_for(g: Game, one: General, lead: General) -> int:
    """9.2 D What is left if `lead` commands the Army that `one` has activated or would activate."""
    act = g.activation
    if act is not None and (act.key == one.name or is_member(g, one)):
        return mps_left(g, lead)
    return g.allowance[one.name] if g.segment == "tyche" else allowance(g, lead)


def step_cost(g: Game, here: str, target: str) -> tuple[int, str]:
    """9.3 A MPs and path type of the step: the cheapest path by land between the two spaces."""
    types = [kind for kind in g.board.path_types(here, target) if kind in LAND_TYPES]
    if not types:
        raise Refused("9.3A", "not_connected", origin=here, target=target,
                      reach=[space for space, kind, _ in g.board.paths(here) if kind in LAND_TYPES])
    kind = min(types, key=lambda one: g.rules.path_mps[one])
    return g.rules.path_mps[kind], kind


def reach(g: Game, one: General, left: int) -> list[str]:
    """Where a march could end with so many MPs, as far as the map goes."""
    return [space for space, cost in g.board.distances(one.at, LAND_TYPES, None, left).items() if cost]


def judge_left_behind(g: Game, one: General, pieces: Pieces) -> None:
    """9.1 What the Army drops in a space that is not its owner's needs a General beside it."""
    act = g.activation
    if act is None or not is_travelling(g, one):
        return
    if g.controller(space_of(act.here)) == one.seat:
        return
    staying = [other for other in g.generals_at(act.here, one.seat) if other is not one and other.name not in pieces.generals]
    if staying:
        return
    dropped = travelling_kinds(g) - Counter(dict(pieces.cus))
    royals = [royal.name for royal in g.royals_at(act.here, one.seat)
              if royal.mover == act.key and royal.name not in pieces.royals]
    already = sum(n for unit, n in g.units(act.here, one.seat).items() if unit.past.mover == act.key and unit.past.dropped)
    if dropped or royals or already:
        raise Refused("9.1", "dropped_without_general", at=act.here, cus=dict(dropped), royals=royals,
                      minors=[minor.name for minor in g.minors_off_map(one.seat)])


def judge_all_leave(g: Game, pieces: Pieces) -> None:
    """10 C, 10 G Who honours a Free Passage, or passes a lone General, takes all CUs and Generals along."""
    act = g.activation
    if act is None or not act.must_leave:
        return
    left = Counter(travelling_kinds(g)) - Counter(dict(pieces.cus))
    lead = commander(g)
    stay = [one.name for one in g.generals_at(act.here, g.player) if one is not lead and one.name != act.key
            and one.name not in pieces.generals and not one.minor and one.mover in ("", act.key) and not one.dropped]
    if left or stay:
        raise Refused(act.must_leave, "all_must_leave", at=act.here, cus=dict(left), generals=stay)


def travelling_kinds(g: Game) -> Counter[str]:
    """The CUs of the active Army, by kind."""
    kinds: Counter[str] = Counter()
    for unit, number in travelling_units(g).items():
        kinds[unit.kind] += number
    return kinds


def march(g: Game, order: Order) -> Procedure[None]:
    """9.3 A One step, and with it the Land Movement Procedure (10)."""
    one = g.generals[order.general]
    begin(g, one.name)
    set_off(g, one, order.pieces)
    act = g.activation
    assert act is not None
    origin, target = act.here, order.path[0]
    if order.route and not act.route:
        yield lambda: land_movement.route_question(g, one.seat, one.name, origin, (target, *order.route))
    act.route = tuple(order.route or ())
    cost, kind = step_cost(g, origin, target)
    act.spent += cost
    act.must_leave = ""
    if passes_stronghold(g, kind):
        yield from cavalry.pass_stronghold(g, one.seat, origin, Group(origin, one.seat, act.key))
    tell_march(g, origin, target, cost)
    move_travellers(g, target)
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


def tell_march(g: Game, origin: str, target: str, cost: int) -> None:
    act = g.activation
    assert act is not None
    lead = commander(g) or g.generals[act.key]
    royals = [royal.name for royal in g.royals_at(origin, lead.seat) if royal.mover == act.key]
    g.tell(ALL, "marched", seat=lead.seat, general=lead.name, generals=[one.name for one in travellers(g) if one is not lead],
           cus=dict(travelling_kinds(g)), royals=royals, origin=origin, target=target, cost=cost, left=mps_left(g))
    remind_of_burial(g, lead.seat, target)


def remind_of_burial(g: Game, seat: str, target: str) -> None:
    """3.8 The Cart comes to a Major City: when may Alexander be buried there?"""
    act, cart = g.activation, g.royals[CART]
    if act is not None and cart.mover == act.key and g.board.kind(space_of(target)) == "major":
        g.tell(ALL, "reminder", what="cart_at_city", seat=seat, at=target)


# --- 9.1, 9.2 Picking up, dropping off, splitting ----------------------------------------------------------------


def judge_active(g: Game) -> General:
    if g.activation is None:
        raise Refused("9.1", "nobody_active")
    return commander(g) or g.generals[g.activation.key]


def judge_pick_up(g: Game, seat: str, order: Order) -> Order:
    """9.1 The active Army may pick up pieces of its faction that have not moved."""
    one = judge_active(g)
    for name in order.pieces.generals:
        if g.generals[name].seat == "independent":
            raise Refused("9.5", "independents_ride_alone", general=name)
    pieces = order.pieces
    if pieces.everything:
        generals = [] if one.minor else [other.name for other in g.generals_at(one.at, seat)
                                         if other is not one and not other.minor and not other.mover]
        pieces = Pieces.of(generals, fresh_kinds(g, one.at, seat),
                           [r.name for r in g.royals_at(one.at, seat) if not r.mover and may_be_carried(g, r.name)])
    for name in pieces.generals:
        if g.generals[name].mover:
            raise Refused("9.1", "moved_by_another", general=name, by=g.generals[name].mover)
    for kind, number in pieces.cus:
        fresh = fresh_kinds(g, one.at, seat)[kind]
        if number > fresh:
            raise Refused("9.1", "cus_have_moved", kind=kind, free=fresh, wanted=number, at=one.at)
    pieces = judge_pieces(g, one, pieces, army_needed=False)
    if not (pieces.generals or pieces.cus or pieces.royals):
        raise Refused("9.1", "nothing_to_pick_up", at=one.at)
    judge_can_leave(g, mps_left(g, leader_of(g, one, pieces)))
    return Order("pick_up", pieces=pieces)


def judge_can_leave(g: Game, left: int) -> None:
    """10 C, 10 G Who has to move on keeps the MPs for it."""
    act = g.activation
    if act is not None and act.must_leave and left < land_movement.cheapest_exit(g, space_of(act.here), g.player):
        raise Refused(act.must_leave, "must_move_on", general=act.key, at=act.here, left=left)


@at_once
def pick_up(g: Game, order: Order) -> None:
    """9.2 C, D2 Picked up pieces join the Army; a senior General takes command and his allowance counts."""
    act, old = g.activation, commander(g)
    assert act is not None
    one = old or g.generals[act.key]
    one.mover = act.key
    taken = g.take_kinds(act.here, one.seat, dict(order.pieces.cus), order=lambda unit: unit.past)
    g.add(act.here, one.seat, {Unit(unit.kind, unit.past._replace(mover=act.key)): n for unit, n in taken.items()})
    for name in order.pieces.generals:
        g.generals[name].mover = act.key
    for name in order.pieces.royals:
        g.royals[name].mover = act.key
    g.tell(ALL, "picked_up", seat=one.seat, general=one.name, pieces=order.pieces, at=act.here)
    tell_command(g, old)


def judge_drop(g: Game, seat: str, order: Order) -> Order:
    """9.1, 9.2 B Dropping off ends the pieces' activation; in a foreign space a General has to stay with them."""
    judge_active(g)
    act = g.activation
    assert act is not None
    pieces = order.pieces
    if act.must_leave and (pieces.generals or pieces.cus):
        raise Refused(act.must_leave, "all_must_leave", at=act.here, cus=dict(pieces.cus), generals=list(pieces.generals))
    army = [other.name for other in travellers(g)]
    for name in pieces.generals:
        if name not in army:
            raise Refused("9.1", "not_in_the_army", piece=name)
    if len(pieces.generals) == len(army):
        raise Refused("9.1", "last_general_dropped")
    units = travelling_kinds(g)
    for kind, number in pieces.cus:
        if number > units[kind]:
            raise Refused("9.1", "not_in_the_army", piece=kind)
    if 0 < pieces.number_of("silver") < units["silver"]:
        raise Refused("7.2D", "silver_shields_split", has=units["silver"])
    for name in pieces.royals:
        if g.royals[name].mover != act.key or g.royals[name].at != act.here:
            raise Refused("8.4", "not_in_the_army", piece=name)
    if order.loc:
        raise Refused("9.3B", "shift_instead", space=space_of(act.here))
    minor = pick_minor(g, seat, order.minor) if order.minor else None
    if not (pieces.generals or pieces.cus or pieces.royals):
        raise Refused("9.1", "nothing_to_drop")
    stays = [other for other in g.generals_at(act.here, seat) if other.name not in army or other.name in pieces.generals]
    if (pieces.cus or pieces.royals) and not stays and minor is None and g.controller(space_of(act.here)) != seat:
        raise Refused("9.1", "dropped_without_general", at=act.here, cus=dict(pieces.cus), royals=list(pieces.royals),
                      minors=[other.name for other in g.minors_off_map(seat)])
    return Order("drop", pieces=pieces, minor=minor.name if minor else None)


def pick_minor(g: Game, seat: str, wanted: str) -> General:
    """7.1 C A Minor General from off map: the one named, or any."""
    free = g.minors_off_map(seat)
    if wanted != "any":
        one = g.generals[wanted]
        if one.seat != seat or not one.minor:
            raise Refused("7.1C", "not_your_minor", general=wanted)
        if one not in free:
            raise Refused("7.1C", "minor_on_map", minor=wanted, at=one.at)
        return one
    if not free:
        raise Refused("7.1C", "no_minor_left", minors=[one.name for one in g.generals_of(seat) if one.minor])
    return free[0]


@at_once
def drop(g: Game, order: Order) -> None:
    """9.2 B, D1 The Army goes on without them; if its commander stays, the next senior commands at once."""
    act, old = g.activation, commander(g)
    assert act is not None
    one = old or g.generals[act.key]
    units = g.take_kinds(act.here, one.seat, dict(order.pieces.cus), order=lambda unit: (
        unit.past.dropped, unit.past.mover != act.key, unit.past))
    g.add(act.here, one.seat, {Unit(unit.kind, unit.past._replace(dropped=True)): n for unit, n in units.items()})
    for name in order.pieces.generals:
        g.generals[name].dropped = True
    for name in order.pieces.royals:
        g.royals[name].mover = f"{act.key} until {act.here}"
    if order.minor:
        place(g, order.minor, act.here)
    g.tell(ALL, "dropped", seat=one.seat, general=one.name, pieces=order.pieces, at=act.here)
    tell_command(g, old)


def tell_command(g: Game, old: General | None) -> None:
    """9.2 Who commands now, and what his allowance leaves of the MPs: those that were spent stay spent."""
    new, act = commander(g), g.activation
    if new is None or act is None:
        return
    mps = allowance(g, new) if act.fixed is None else act.fixed
    if old is not None and new is not old:
        g.tell(ALL, "command_changed", seat=new.seat, old=old.name, new=new.name, mps=mps, spent=act.spent, left=mps_left(g))
    else:
        g.tell(ALL, "mps_counted", seat=new.seat, general=new.name, mps=mps, spent=act.spent, left=mps_left(g))


def judge_split(g: Game, seat: str, order: Order) -> Order:
    """9.1 Before an activation a stack may be parted into Armies of their own."""
    kinds = fresh_kinds(g, order.location, seat)
    for kind, number in order.pieces.cus:
        if number > kinds[kind]:
            raise Refused("9.1", "cus_have_moved", kind=kind, free=kinds[kind], wanted=number, at=order.location)
    if 0 < order.pieces.number_of("silver") < kinds["silver"]:
        raise Refused("7.2D", "silver_shields_split", has=kinds["silver"])
    if not order.pieces.cus:
        raise Refused("9.1", "nothing_to_split", at=order.location)
    minor = pick_minor(g, seat, order.minor) if order.minor else None
    return Order("split", location=order.location, pieces=Pieces.of(cus=dict(order.pieces.cus)),
                 minor=minor.name if minor else None)


@at_once
def split(g: Game, order: Order) -> None:
    """9.1 Some CUs are set aside, perhaps under a Minor General placed there."""
    g.apart[order.location] = Counter(dict(order.pieces.cus))
    g.tell(ALL, "split", seat=g.player, at=order.location, pieces=order.pieces)
    if order.minor:
        place(g, order.minor, order.location)


def place(g: Game, minor: str, at: str) -> None:
    """7.1 C A Minor General appears in a location, from off map or from elsewhere on it, alone.

    If he leads the active Army, it is left where it stands, and he goes on with his own MPs (9.3 example 1, B17).
    """
    one, act = g.generals[minor], g.activation
    if act is not None and act.key == minor:
        left = travelling_units(g)
        g.take(act.here, one.seat, left)
        g.add(act.here, one.seat, {Unit(unit.kind, unit.past._replace(dropped=True)): n for unit, n in left.items()})
        act.here, act.entered, act.must_leave = at, "", ""
    origin, one.at = one.at, at
    if origin == OFF:
        g.arrived.add(minor)
    g.tell(ALL, "minor_placed", seat=one.seat, minor=minor, at=at, origin=origin)


# --- 9.3 B, 9.4 Inside and outside -------------------------------------------------------------------------------


def judge_shift(g: Game, seat: str, order: Order) -> Order:
    """9.3 B, 9.4 Between the inside and the outside of one's own Major City, at no MPs, led by a General."""
    if not order.general:
        named = order.pieces.royals if order.pieces is not None else ()
        raise Refused("8.4" if named else "9.1", "shift_needs_general", royals=list(named))
    one = judge_activation(g, seat, order.general)
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
        room = g.rules.inside_limit - g.count(f"{space}/inside", seat)
        if pieces.count() > room:
            raise Refused("9.4", "city_is_full", space=space, room=room, wanted=pieces.count())
    judge_left_behind(g, one, pieces)
    return Order("shift", general=one.name, pieces=pieces, to=order.to, at=space)


def may_shift(g: Game, one: General, to: str) -> Pieces:
    """All that may come, as far as there is room inside: the best troops first."""
    pieces = may_come(g, one)
    if to != "inside":
        return pieces
    room = g.rules.inside_limit - g.count(f"{space_of(one.at)}/inside", one.seat)
    cus: dict[str, int] = {}
    for kind, number in pieces.cus:
        cus[kind] = min(number, room)
        room -= cus[kind]
    return Pieces.of(pieces.generals, cus, pieces.royals)


def shift(g: Game, order: Order) -> Procedure[None]:
    """9.3 B Through the gate: inwards just so, outwards with the Land Movement Procedure (10)."""
    one = g.generals[order.general]
    begin(g, one.name)
    set_off(g, one, order.pieces)
    act = g.activation
    assert act is not None
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
    act = g.activation
    name = order.general or (act.key if act is not None else None)
    one = judge_activation(g, seat, name)
    judge_ashore(g, one)
    space = order.space or space_of(one.at)
    if space != space_of(one.at):
        raise Refused("9.3D", "not_in_the_location", piece=one.name, at=space)
    owner = g.controller(space)
    if owner == "independent":
        raise Refused("9.3D", "independent_needs_siege", space=space)
    if g.board.kind(space) == "major":
        raise Refused("9.3D", "city_needs_siege", space=space)
    if not owner or owner == seat:
        raise Refused("9.3D", "no_enemy_pc", space=space, owner=owner)
    cus = named_cus(g, one, order.pieces)
    if cus.total() < g.rules.remove_pc_cus:
        raise Refused("9.3D", "three_cus_needed", space=space, has=cus.total(), needed=g.rules.remove_pc_cus)
    lead = max(travellers(g) or [one], key=lambda other: other.seniority)
    left = mps_left_for(g, one, lead)
    cost = remove_pc_mps(g, one, cus)
    if left < cost:
        raise Refused("9.3D", "too_few_mps", general=one.name, cost=cost, left=left, target=space, ends=[])
    judge_can_leave(g, left - cost)
    pieces = Pieces.of(cus=cus) if order.pieces is not None and order.pieces.cus else None
    return Order("remove_pc", space=space, general=one.name, pieces=pieces)


def named_cus(g: Game, one: General, pieces: Pieces | None) -> Counter[str]:
    """9.3 D The CUs that take the PC away: those named, else all there that have not fought."""
    fit: Counter[str] = Counter()
    for unit, number in g.units(one.at, one.seat).items():
        if not unit.past.fought:
            fit[unit.kind] += number
    if pieces is None or not pieces.cus:
        return fit
    for kind, number in pieces.cus:
        if number > fit[kind]:
            raise Refused("9.3D", "too_few_cus", kind=kind, has=fit[kind], wanted=number, at=one.at)
    return Counter(dict(pieces.cus))


def remove_pc_mps(g: Game, one: General, cus: Counter[str]) -> int:
    """9.3 D What it costs; with Cavalry among them perhaps less (16.9)."""
    cost = abilities.remove_pc_mps(g, one)
    return min(cost, g.rules.horse_remove_pc_mps) if cavalry.rides(cus) else cost


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
    key = lead.name if lead is not None else ""
    ready_ones = [one for one in g.generals_of(seat) if g.on_map(one) and (one.name == key or not one.mover)
                  and one.name not in g.activated]
    return sorted(ready_ones, key=lambda one: one.name != key)


def candidate_marches(g: Game, seat: str) -> Iterator[Order]:
    """Every General to every neighbour: with all that may come, then with parts of it."""
    for one in ready(g, seat):
        if is_inside(one.at) or is_at_sea(one.at):
            continue
        targets = [space for space, kind, _ in g.board.paths(one.at) if kind in LAND_TYPES]
        for target in targets:
            yield Order("march", general=one.name, path=(target,))
            sides = [side for side in g.sides_at(target) if side not in (seat, "independent")]
            if sides:
                yield Order("march", general=one.name, path=(target,), passage=tuple(sides))
        for pieces in islice(parts(may_come(g, one)), 24):
            for target in targets:
                yield Order("march", general=one.name, pieces=pieces, path=(target,))


def parts(whole: Pieces) -> Iterator[Pieces]:
    """Every way to take some of the pieces, all of them first."""
    names = [kind for kind, _ in whole.cus]
    for numbers in product(*(range(number, -1, -1) for _, number in whole.cus)):
        cus = {kind: number for kind, number in zip(names, numbers, strict=True) if number}
        for generals in subsets(whole.generals):
            for royals in subsets(whole.royals):
                yield Pieces.of(generals, cus, royals)


def subsets(items: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    whole = tuple(items)
    for mask in range(2 ** len(whole) - 1, -1, -1):
        yield tuple(item for index, item in enumerate(whole) if mask >> index & 1)


HANDFUL = 4                     # CUs: so many of a stack may be offered in every mixture


def handfuls(whole: Pieces) -> Iterator[Pieces]:
    """Every way to take a handful of the CUs, with any of the others or none."""
    names = [kind for kind, _ in whole.cus]
    companies = list(product(subsets(whole.generals), subsets(whole.royals)))
    for numbers in product(*(range(min(number, HANDFUL), -1, -1) for _, number in whole.cus)):
        if sum(numbers) <= HANDFUL:
            for generals, royals in companies:
                yield Pieces.of(generals, dict(zip(names, numbers, strict=True)), royals)


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
                found.append(judge_activation(g, seat, one.name))
            except Refused:
                continue
    return list(dict.fromkeys(found))


def silence(g: Game, seat: str) -> Order:
    """What it means that the player whose turn it is says nothing: the end, once nobody is left where he may not stay."""
    act = g.activation
    if is_afloat(g):
        return Order("disembark")
    if act is not None and act.must_leave and travellers(g):
        for order in (*candidate_marches(g, seat), Order("embark", general=act.key)):
            try:
                return ACTS[order.verb].judge(g, seat, order)
            except Refused:
                continue
    return Order("end")


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
        targets = dict.fromkeys(space for space, kind, _ in g.board.paths(one.at) if kind in LAND_TYPES)
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
    for one in leaders(g, seat):
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
            yield Order("pick_up", pieces=Pieces.of(cus={kind: 1}))


def candidate_drops(g: Game, seat: str) -> Iterator[Order]:
    for other in travellers(g):
        yield Order("drop", pieces=Pieces.of([other.name]))
    for kind in travelling_kinds(g):
        yield Order("drop", pieces=Pieces.of(cus={kind: 1}))
        yield Order("drop", pieces=Pieces.of(cus={kind: 1}), minor="any")
    if g.activation is not None:
        for royal in g.royals_at(g.activation.here, seat):
            yield Order("drop", pieces=Pieces.of(royals=[royal.name]))


def candidate_splits(g: Game, seat: str) -> Iterator[Order]:
    for location in list(g.locations_with_cus(seat)):
        for kind in fresh_kinds(g, location, seat):
            yield Order("split", location=location, pieces=Pieces.of(cus={kind: 1}), minor="any")


def candidate_removals(g: Game, seat: str) -> Iterator[Order]:
    for one in ready(g, seat):
        yield Order("remove_pc", general=one.name, space=space_of(one.at))


def only(verb: str) -> Callable[[Game, str], Iterator[Order]]:
    """The one order of a verb that has nothing to choose."""
    return lambda g, seat: iter((Order(verb),))


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
