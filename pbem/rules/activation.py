"""9.1, 9.2 Activation: who is active, who travels with him, and with how many Movement Points."""

from collections import Counter
from typing import NamedTuple

from pbem.base.errors import Refused
from pbem.kernel.procedures import Abandon
from pbem.orders import Pieces
from pbem.rules import ownership, truce
from pbem.rules.pieces import fits_inside, judge_named, moved_before, room_at, too_few
from pbem.table.events import ALL
from pbem.table.state import (
    CART,
    TOMB,
    Activation,
    Game,
    General,
    LeftBehind,
    Royal,
    Unit,
    by_kind,
    is_at_sea,
    space_of,
)

NO_CUS: Counter[str] = Counter()
LAND_TYPES = ("land", "mountain", "strait")
NO_WAY = 99                                                     # MPs that nobody has


# --- 9.1 Activation ----------------------------------------------------------------------------------------------


def own_general(g: Game, seat: str, name: str | None) -> General:
    """7.2, 9.1 Movement needs a General of one's own on the map."""
    if not name:
        raise Refused("7.2", "general_needed")
    one = g.generals[name]
    if one.seat != seat:
        raise Refused("9.1", "general_not_yours", general=name, owner=one.seat)
    if not g.on_map(one):
        raise Refused("9.1", "general_not_on_map", general=name, at=one.at)
    return one


def judge_activation(g: Game, seat: str, name: str | None) -> General:
    """9.1 One at a time; nobody who was moved by another Army, and no finished activation is resumed."""
    one = own_general(g, seat, name)
    act = g.activation
    if one.dropped:
        raise Refused("9.1", "moved_by_another", general=one.name, by=one.mover)
    if act is not None and (one.name == act.key or is_member(g, one)):
        return g.generals[act.key] if is_on_the_march(g, g.generals[act.key]) else one
    if one.name in g.activated:
        raise Refused("9.1", "activation_finished", general=one.name)
    if one.mover or one.dropped:
        raise Refused("9.1", "moved_by_another", general=one.name, by=one.mover)
    if g.segment == "tyche" and one.name not in g.allowance:
        raise Refused("9.1", "not_the_marching_general", general=one.name)
    if g.segment == "activation" and one.name not in g.allowance and g.movement_roll is None:
        raise Refused("9.2", "roll_first")
    if act is not None:
        judge_may_stop(g)
    return one


def judge_leader(g: Game, seat: str, name: str | None, pieces: Pieces | None) -> General:
    """9.2 D1 Who sets off: the activated General, or another of his Army who is named and does not take him along."""
    one = judge_activation(g, seat, name)
    named = g.generals[name or one.name]
    left = pieces is not None and not pieces.everything and one.name not in pieces.generals
    return named if left and is_member(g, named) else one


def is_member(g: Game, one: General) -> bool:
    """Does this General travel with the active Army?"""
    act = g.activation
    return act is not None and one.mover == act.key and not one.dropped and one.at == act.here


def army_key(g: Game, one: General) -> str:
    """9.1 By whose activation this General moves: that of the active Army he is with, or else his own."""
    act = g.activation
    return act.key if act is not None and is_member(g, one) else one.name


def is_travelling(g: Game, one: General) -> bool:
    """Has this General taken a step with the active Army, and is he still with it?"""
    return bool(one.mover) and is_member(g, one)


def is_on_the_march(g: Game, one: General) -> bool:
    return g.activation is not None and one.at == g.activation.here and not one.dropped


def judge_may_stop(g: Game) -> None:
    """10 C, 10 G An Army under honoured passage, or a General beside another, has to move on if there is a way (R15);
    13.1 nobody stays at sea."""
    act = g.activation
    if act is not None and is_afloat(g) and may_land(g):
        raise Refused("13.1", "nobody_stays_at_sea", general=act.key, at=act.here)
    if act is not None and act.must_leave and travellers(g) and can_go_on(g):
        raise Refused(act.must_leave, "must_move_on", general=act.key, at=act.here, left=mps_left(g))


def may_land(g: Game) -> bool:
    """3.7 Nobody lands beside a partner of his truce, but behind his own walls; who cannot goes back to his port (13.3 D)."""
    act = g.activation
    assert act is not None
    space, seat = space_of(act.here), act.seat
    city = g.board.kind(space) == "major" and g.controller(space) == seat
    return (not truce.stands_at(g, seat, space)
            or city and fits_inside(g, space, seat, travelling_kinds(g)))


def can_go_on(g: Game) -> bool:
    """10 C, 10 G Is there a way for all who have to leave, with the MPs of one who would lead them? (R15)"""
    act = g.activation
    assert act is not None
    space, army = space_of(act.here), travellers(g)
    if act.must_leave == "10G" and g.board.kind(space) == "major" and g.controller(space) == act.seat:
        return True                                             # through the gate, for 0 MPs
    leads = [army[0], *(one for one in who_joins(g) if one.grade > army[0].grade)]
    cost = cheapest_exit(g, space, act.seat, lone=not travelling_units(g), taken=travelling_kinds(g).total())
    return max(mps_left(g, one) for one in leads) >= cost


def who_joins(g: Game) -> list[General]:
    """10 C The Major Generals who stood here before and may leave with the Army; nobody joins a Minor one (9.1)."""
    act, army = g.activation, travellers(g)
    if act is None or not army or army[0].minor:
        return []
    return [one for one in g.generals_at(act.here, act.seat) if one not in army and may_join(g, one)]


def judge_ashore(g: Game, one: General, *, spends: bool = True) -> None:
    """13.1 At sea nothing is done on land; MPs go on land before the Naval Movement or after it, not both."""
    act = g.activation
    if is_at_sea(one.at):
        raise Refused("13.1", "at_sea", general=one.name, at=one.at)
    voyage = act.voyage if act is not None and (act.key == one.name or is_member(g, one)) else None
    if spends and voyage is not None and voyage.landed and voyage.after_land:
        raise Refused("13.1", "land_before_or_after", general=one.name, at=one.at)


def is_afloat(g: Game) -> bool:
    """13.2 Is the active Army at sea?"""
    act = g.activation
    return act is not None and is_at_sea(act.here) and bool(travellers(g) or travelling_units(g))


def begin(g: Game, general: str) -> Activation:
    """9.1 Activation starts by indicating the Army or General."""
    if (act := g.activation) is not None and (general == act.key or g.generals[general] in travellers(g)):
        return act
    closed, one = close(g), g.generals[general]
    besieged = frozenset(filter(g.besieged, g.board.cities & g.cus.keys()))
    g.activation = Activation(general, one.seat, one.at, besieged, g.allowance[general] if g.segment == "tyche" else None)
    if closed:
        ownership.end_of_procedure(g)   # of the one before; the Minor General who is to move off now stays (7.1 C)
    g.tell(ALL, "activated", general=general, seat=one.seat)
    return g.activation


def finish(g: Game) -> None:
    """9.1 The activation is over and is not resumed."""
    if close(g):
        ownership.end_of_procedure(g)


def close(g: Game) -> bool:
    act = g.activation
    if act is None:
        return False
    if is_at_sea(act.here):
        return_to_port(g)                                       # 13.1 whatever cut the Naval Movement short
    if act.must_leave and travellers(g) and len(g.sides_at(act.here)) > 1:
        g.tell(ALL, "stays_beside", seat=act.seat, general=act.key, space=space_of(act.here))         # R15
    g.activated[act.key] = mps_left(g)
    g.activation = None
    g.apart.clear()
    g.tell(ALL, "activation_ended", general=act.key, seat=act.seat)
    return True


def after_abandon(g: Game, abandoned: Abandon) -> None:
    """A ruling ended the running step or activation; the segment goes on."""
    if abandoned.level not in ("step", "activation"):
        raise abandoned
    if g.activation is not None:
        g.activation.must_leave = ""
    if abandoned.level == "activation":
        finish(g)
    ownership.end_of_procedure(g)


def forget(g: Game) -> None:
    """9.1 A new segment, or the event of another card: who has moved, fought or sailed counts no longer."""
    g.forget_pasts()
    for one in g.generals.values():
        if one.mover or one.dropped:
            one.mover, one.dropped = "", False
    for royal in g.royals.values():
        royal.mover = ""
    g.allowance.clear()
    g.activated.clear()
    g.apart.clear()
    g.naval_used = False
    g.naval_declared.clear()


# --- who travels -------------------------------------------------------------------------------------------------


def travellers(g: Game) -> list[General]:
    """The Generals of the active Army, most senior first."""
    act = g.activation
    if act is None:
        return []
    seat = act.seat
    return [one for one in g.stands.get(act.here, ())
            if one.seat == seat and not one.dropped and (one.mover == act.key or one.name == act.key)]


def travelling_units(g: Game) -> dict[Unit, int]:
    act = g.activation
    if act is None:
        return {}
    return {unit: number for unit, number in g.units(act.here, act.seat).items()
            if unit.past.mover == act.key and not unit.past.dropped}


def travelling_kinds(g: Game) -> Counter[str]:
    """The CUs of the active Army, by kind."""
    return by_kind(travelling_units(g))


def commander(g: Game) -> General | None:
    """9.2 The most senior General of the active Army: his MPs count."""
    army = travellers(g)
    return army[0] if army else None


def may_come(g: Game, one: General) -> Pieces:
    """9.1 Everything that comes along when an order does not say otherwise.

    The Army as it travels; where it has not left its first location, also all pieces there that have not moved and are
    not set aside, without Generals senior to the one who leads.
    """
    act, cus = g.activation, NO_CUS
    travelling = act is not None and is_travelling(g, one)
    generals = [other.name for other in travellers(g) if other is not one] if travelling else []
    royals = [royal.name for royal in g.royals_at(one.at, one.seat) if travelling and royal.mover == one.mover]
    if travelling:
        cus = travelling_kinds(g)
    if not travelling or act is not None and act.here == act.start and not act.entered:
        fresh = fresh_kinds(g, one.at, one.seat)
        if one.at in g.apart:
            fresh -= g.apart[one.at]
        cus = cus + fresh if cus else fresh
        generals += [] if one.minor else [
            other.name for other in g.generals_at(one.at, one.seat)
            if other is not one and may_join(g, other) and other.grade < one.grade]
        royals += [royal.name for royal in g.royals_at(one.at, one.seat) if not royal.mover and may_be_carried(g, royal.name)]
    return Pieces.of(generals, cus, royals if cus else [])


def may_join(g: Game, one: General) -> bool:
    """9.1 A Major General who has neither been active nor moved in this segment."""
    active = g.activation is not None and one.name == g.activation.key
    return not (one.minor or one.mover or one.dropped or active or one.name in g.activated)


def fresh_kinds(g: Game, location: str, seat: str) -> Counter[str]:
    """The CUs in a location that nobody has moved in this segment."""
    return by_kind({unit: number for unit, number in g.units(location, seat).items() if not unit.past.mover})


def may_be_carried(g: Game, royal: str) -> bool:
    """8.4 The Tomb never moves, the Cart not in Game Turn I."""
    return royal != TOMB and not (royal == CART and g.cart_stays)


def judge_carried(g: Game, royal: str) -> None:
    """8.4 Why it stays where it is, and with 16.3 what would finish it."""
    if not may_be_carried(g, royal):
        raise Refused("8.4", "royal_never_moves" if royal == TOMB else "cart_not_yet", royal=royal,
                      ops=list(g.rules.finish_cart_ops))


def judge_pieces(g: Game, one: General, pieces: Pieces, *, army_needed: bool = True) -> Pieces:
    """9.1, 8.4 May these pieces go with this General? Returns them in full."""
    if pieces.everything:
        pieces = may_come(g, one)
    act, key = g.activation, army_key(g, one)
    for name in pieces.generals:
        other = own_general(g, one.seat, name)
        if other is one:
            continue
        if other.at != one.at:
            raise Refused("9.1", "not_in_the_location", piece=name, at=one.at)
        if one.minor or other.minor:
            raise Refused("9.1", "minor_with_general", minor=one.name if one.minor else name)
        if name in g.activated or act is not None and name == act.key != key:     # whose activation would end with this
            raise Refused("9.1", "activation_finished", general=name)
        if other.mover not in ("", key) or other.dropped:
            raise Refused("9.1", "moved_by_another", general=name, by=other.mover)
    judge_units(g, one, pieces, key)
    for name in pieces.royals:
        judge_royal(g, one, name, key)
    if pieces.royals and army_needed and not pieces.count():
        raise Refused("8.4", "royal_needs_army", royal=pieces.royals[0], general=one.name)
    if one.name not in pieces.generals:
        return pieces
    return pieces._replace(generals=tuple(name for name in pieces.generals if name != one.name))


def judge_units(g: Game, one: General, pieces: Pieces, key: str) -> None:
    """9.1, 9.2 B CUs that another Army moved, or that were dropped off, stay where they are."""
    free: Counter[str] = Counter()
    for unit, number in g.units(one.at, one.seat).items():
        if not unit.past.dropped and unit.past.mover in ("", key):
            free[unit.kind] += number

    def lacking(kind: str, number: int) -> Refused:
        there = g.kinds(one.at, one.seat)
        why = too_few("7.2", there, one.at) if number > there[kind] else moved_before(free, one.at)
        return why(kind, number)

    judge_named(pieces, free, lacking)
    judge_march_limit(g, pieces)


def judge_march_limit(g: Game, pieces: Pieces) -> None:
    """16.8 No more than so many CUs move or intercept together."""
    limit = g.rules.march_limit
    if limit and pieces.count() > limit:
        raise Refused("16.8", "march_limit", limit=limit, wanted=pieces.count())


def judge_royal(g: Game, one: General, name: str, key: str) -> None:
    """8.4 A Royal Family Member travels with an Army of the faction that controls it, once per segment."""
    royal = g.royals[name]
    if royal.seat != one.seat or royal.at != one.at:
        raise Refused("8.4", "royal_not_yours", royal=name, at=royal.at, owner=royal.seat)
    judge_carried(g, name)
    if royal.mover not in ("", key):
        raise Refused("8.4", "royal_has_moved", royal=name, by=royal.moved_by)


def set_off(g: Game, one: General, pieces: Pieces) -> Activation:
    """Mark who travels with this activation; what travelled until now and is left behind has been dropped off."""
    act = begin(g, one.name)
    seat, here = one.seat, act.here
    if dict(pieces.cus) != dict(travelling_kinds(g)):           # else no CU joins and none stays behind
        going = g.chosen(here, seat, dict(pieces.cus), order=lambda unit: (
            unit.past.dropped, unit.past.mover not in ("", act.key), unit.past.mover == "", unit.past))
        g.mark(here, seat, Counter(travelling_units(g)) - Counter(going), dropped=True)
        g.mark(here, seat, going, mover=act.key)
    for other in travellers(g):
        if other is not one and other.name not in pieces.generals:
            other.dropped = True
    for name in (one.name, *pieces.generals):
        g.generals[name].mover = act.key
    for royal in g.royals_at(here, seat):
        if royal.name in pieces.royals:
            royal.mover = act.key
        elif royal.mover == act.key:
            leave_royal(royal, act.key)
    g.apart.pop(here, None)
    return act


def leave_royal(royal: Royal, key: str) -> None:
    """9.2 B Whom the active Army leaves behind has moved, and does not come along any more."""
    royal.mover = LeftBehind(key, royal.at)


class Moved(NamedTuple):
    """What has gone from one location to another together."""

    generals: list[General]
    units: dict[Unit, int]
    royals: list[Royal]


def move_travellers(g: Game, target: str) -> Moved:
    """All pieces of the active Army change their location together."""
    act = g.activation
    assert act is not None
    seat, origin = act.seat, act.here
    act.raised = space_of(origin) if g.besieged(space_of(origin)) else ""
    if act.raised:
        act.sieges.add(act.raised)
    units = travelling_units(g)
    carried = [royal for royal in g.royals_at(origin, seat) if royal.mover == act.key]
    army = travellers(g)
    if units:
        g.remove(origin, seat, units)
        g.add(target, seat, units)
    for one in army:
        one.at = target
    if not units and space_of(origin) != space_of(target):      # 8.4 without an Army they stay behind
        carried = []
    for royal in carried:
        royal.at = target
    act.here = target
    return Moved(army, units, carried)


def return_to_port(g: Game) -> None:
    """13.3 D Everything that travels by sea goes back to the location left, whoever stands there by now (R3), even Royals
    whose last CU is gone."""
    act = g.activation
    assert act is not None and act.voyage is not None
    seat, home = act.seat, act.voyage.home
    g.tell(ALL, "returned_to_port", seat=seat, general=act.key, space=home)
    carried = [royal for royal in g.royals_at(act.here, seat) if royal.mover == act.key]
    move_travellers(g, home)
    for royal in carried:
        royal.at = home
    act.stopped = True
    act.entered = act.must_leave = ""
    keep_inside_limit(g, home, seat)


def keep_inside_limit(g: Game, location: str, seat: str) -> None:
    """9.4 What has no room inside the city after a way back stands outside, the lesser troops first (R6)."""
    surplus = -room_at(g, location, seat)
    for kind in ("mercenary", "cavalry", "elephant", "loyal", "royal", "silver"):
        number = min(max(surplus, 0), g.kinds(location, seat)[kind])
        if number:
            taken = g.remove_kinds(location, seat, {kind: number}, order=lambda unit: unit.past)
            surplus -= number
            if [side for side in g.sides_with_cus(space_of(location)) if side != seat]:
                g.dispersed[seat][kind] += number                       # a besieger stands where they would have to
                g.tell(ALL, "cus_dispersed", seat=seat, at=location, cus={kind: number}, why="no_room")
            else:
                g.add(space_of(location), seat, taken)


# --- 9.2 Movement Points -----------------------------------------------------------------------------------------


def allowance(g: Game, one: General) -> int:
    """9.2 The MPs of a General in this segment."""
    if one.name in g.allowance:
        return g.allowance[one.name]
    if g.movement_roll is None:
        raise Refused("9.2", "roll_first")
    return int(g.rules.movement_mps(one.initiative, g.movement_roll))


def mps_left(g: Game, led_by: General | None = None) -> int:
    """9.2 What the commander's allowance leaves after the MPs that the Army has spent."""
    act = g.activation
    if act is None or act.stopped:
        return 0
    if act.fixed is not None:
        return max(0, act.fixed - act.spent)
    one = led_by or commander(g) or g.generals[act.key]
    return max(0, allowance(g, one) - act.spent)


def cheapest_exit(g: Game, space: str, seat: str = "", *, lone: bool = False, taken: int | None = None) -> int:
    """The MPs that leaving a space takes at least: by land, or by sea while the segment's Naval Movement is to come (13.1); for
    a General without CUs where no enemy CU stands, if the book keeps him from those (10 I). `taken`: with so many CUs, who may
    be too many to leave together (13.1, 16.8), and not to a partner of a truce (3.7)."""
    by_sea, shy = seat in g.seats and not g.naval_used, lone and not g.rules.lone_general_meets_army
    if taken is not None:
        if taken > (g.rules.march_limit or taken):
            return NO_WAY
        by_sea = by_sea and taken <= g.rules.naval_cus
    return min((cost for there, kind, cost in g.board.paths(space) if (by_sea or kind in LAND_TYPES)
                and not (shy and set(g.sides_with_cus(there)) - {seat})
                and not (taken is not None and truce.stands_at(g, seat, there))), default=NO_WAY)


def way_out(g: Game, space: str, seat: str, cus: int) -> int:
    """10 C, 10 G The MPs that an Army with so many CUs needs to leave again, or a General without any."""
    return cheapest_exit(g, space, seat, lone=not cus, taken=cus if g.rules.open_exits_only else None)


def mps_of(g: Game, general: str) -> int:
    """The MPs that a General has left, active or not."""
    act = g.activation
    one = g.generals[general]
    if act is not None and (act.key == general or is_member(g, one)):
        return 0 if act.stopped else mps_left(g, one if act.fixed is None else None)
    if general in g.activated:
        return g.activated[general]
    return 0 if one.mover else allowance(g, one)
