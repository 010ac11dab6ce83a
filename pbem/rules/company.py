"""9.1, 9.2 Who goes along: what an Army takes, picks up, drops off, leaves behind, and whose Movement Points count."""

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from pbem.base.errors import Refused
from pbem.kernel.procedures import Procedure, at_once
from pbem.orders import Order, Pieces
from pbem.rules import marriage, victory
from pbem.rules.activation import (
    allowance,
    cheapest_exit,
    commander,
    fresh_kinds,
    is_member,
    is_travelling,
    judge_pieces,
    leave_royal,
    may_be_carried,
    may_join,
    mps_left,
    travellers,
    travelling_kinds,
    travelling_units,
)
from pbem.rules.acts import Act
from pbem.rules.pieces import judge_named, moved_before, not_in_the_army, too_few
from pbem.table import position
from pbem.table.events import ALL
from pbem.table.state import OFF, Activation, Game, General, space_of


def without(one: General, pieces: Pieces, leave: Pieces) -> Pieces:
    """`leaving`: all that may come but these."""
    cus = Counter(dict(pieces.cus))
    judge_named(leave, cus, too_few("7.2", cus, one.at))
    return Pieces.of([name for name in pieces.generals if name not in leave.generals], cus - Counter(dict(leave.cus)),
                     [name for name in pieces.royals if name not in leave.royals])


def leader_of(g: Game, one: General, pieces: Pieces) -> General:
    """7.1 A Whoever is most senior of those who go commands them."""
    return max([one, *map(g.generals.__getitem__, pieces.generals)], key=attrgetter("grade"))


def mps_left_for(g: Game, one: General, lead: General) -> int:
    """9.2 D What is left if `lead` commands the Army that `one` has activated or would activate."""
    act = g.activation
    if act is not None and (act.key == one.name or is_member(g, one)):
        return mps_left(g, lead)
    return g.allowance[one.name] if g.segment == "tyche" else allowance(g, lead)


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
    carried = [royal for royal in g.royals_at(act.here, one.seat) if royal.mover == act.key] if travelling_units(g) else []
    royals = [royal.name for royal in carried if royal.name not in pieces.royals]
    already = sum(n for unit, n in g.units(act.here, one.seat).items() if unit.past.mover == act.key and unit.past.dropped)
    if dropped or royals or already:
        raise Refused("9.1", "dropped_without_general", at=act.here, cus=dict(dropped), royals=royals,
                      minors=[minor.name for minor in g.minors_off_map(one.seat)])


def judge_all_leave(g: Game, one: General, pieces: Pieces) -> None:
    """10 C, 10 G Who honours a Free Passage, or passes a lone General, takes all CUs and Generals along."""
    act = g.activation
    if act is None or not act.must_leave:
        return
    left = Counter(travelling_kinds(g)) - Counter(dict(pieces.cus))
    lead, exit_cost = leader_of(g, one, pieces), cheapest_exit(g, space_of(act.here), g.player)

    def holds_up(other: General) -> bool:
        """9.2 D He stood there before they came, and under his command they could not go on: he may stay (R14)."""
        return not other.mover and other.grade > lead.grade and mps_left(g, other) < exit_cost

    stay = [] if one.minor else [                               # 9.1 nobody comes along with a Minor General
        other.name for other in g.generals_at(act.here, g.player) if other is not one and other.name not in pieces.generals
        and not other.minor and other.mover in ("", act.key) and not other.dropped and other.name not in g.activated
        and not holds_up(other)]
    if left or stay:
        raise Refused(act.must_leave, "all_must_leave", at=act.here, cus=dict(left), generals=stay)


def judge_can_leave(g: Game, left: int) -> None:
    """10 C, 10 G Who has to move on keeps the MPs for it."""
    act = g.activation
    if act is not None and act.must_leave and left < cheapest_exit(g, space_of(act.here), g.player):
        raise Refused(act.must_leave, "must_move_on", general=act.key, at=act.here, left=left)


def judge_active(g: Game) -> General:
    """9.1 Whoever leads the active Army; whom it has left behind, or who has fallen, leads nobody."""
    one = commander(g)
    if one is None:
        raise Refused("9.1", "nobody_active")
    return one


def judge_pick_up(g: Game, seat: str, order: Order) -> Order:
    """9.1 The active Army may pick up pieces of its faction that have not moved."""
    one = judge_active(g)
    for name in order.pieces.generals:
        if g.generals[name].seat == "independent":
            raise Refused("9.5", "independents_ride_alone", general=name)
    pieces, fresh = order.pieces, fresh_kinds(g, one.at, seat)
    if pieces.everything:
        generals = [] if one.minor else [other.name for other in g.generals_at(one.at, seat)
                                         if other is not one and may_join(g, other)]
        family = [r.name for r in g.royals_at(one.at, seat) if not r.mover and may_be_carried(g, r.name)]
        pieces = Pieces.of(generals, fresh, family if fresh or travelling_units(g) else [])
    for name in pieces.generals:
        if g.generals[name].mover:
            raise Refused("9.1", "moved_by_another", general=name, by=g.generals[name].mover)
    judge_named(pieces, fresh, moved_before(fresh, one.at))
    pieces = judge_pieces(g, one, pieces, army_needed=not travelling_units(g))
    if not (pieces.generals or pieces.cus or pieces.royals):
        raise Refused("9.1", "nothing_to_pick_up", at=one.at)
    judge_can_leave(g, mps_left(g, leader_of(g, one, pieces)))
    return Order("pick_up", pieces=pieces)


@at_once
def pick_up(g: Game, order: Order) -> None:
    """9.2 C, D2 Picked up pieces join the Army; a senior General takes command and his allowance counts."""
    act, old = g.activation, commander(g)
    assert act is not None
    one = old or g.generals[act.key]
    one.mover = act.key
    joining = g.chosen(act.here, one.seat, dict(order.pieces.cus), order=lambda unit: unit.past)
    g.mark(act.here, one.seat, joining, mover=act.key)
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
    judge_named(pieces, travelling_kinds(g), not_in_the_army)
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
    staying = g.chosen(act.here, one.seat, dict(order.pieces.cus), order=lambda unit: (
        unit.past.dropped, unit.past.mover != act.key, unit.past))
    g.mark(act.here, one.seat, staying, dropped=True)
    for name in order.pieces.generals:
        g.generals[name].dropped = True
    for name in order.pieces.royals:
        leave_royal(g.royals[name], act.key)
    if order.minor:
        appear(g, order.minor, act.here)
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
    fresh = fresh_kinds(g, order.location, seat)
    judge_named(order.pieces, fresh, moved_before(fresh, order.location))
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
        appear(g, order.minor, order.location)


def appear(g: Game, minor: str, at: str) -> None:
    """7.1 C A Minor General appears in a location, from off map or from elsewhere on it, alone."""
    one = g.generals[minor]
    origin, one.at = one.at, at
    if origin == OFF:
        g.arrived.add(minor)
    g.tell(ALL, "minor_placed", seat=one.seat, minor=minor, at=at, origin=origin)
    if not g.in_procedure:
        follow(g)
    if marriage.weddings(g):                                    # 8.2 he makes the CUs there an Army (R13)
        victory.settle(g)


def follow(g: Game) -> None:
    """7.1 C Of a Minor General who has jumped away the active Army is left where it stands; he goes on with his own MPs
    (9.3 example 1, B17)."""
    act = g.activation
    if act is None or not g.generals[act.key].minor or g.generals[act.key].at in (act.here, OFF):
        return
    goes_on_from_there(g, act)


def stated(g: Game, facts: Mapping[str, Any]) -> None:
    """9.1 What a ruling states is so. The active Army is where it has put its General: whom he has left was dropped off."""
    position.state(g, facts)
    act = g.activation
    if act is None or not g.rules.ruling_moves_army:
        return
    one = g.generals[act.key]
    if one.at == act.here or not g.on_map(one):
        return
    for other in travellers(g):
        other.dropped = True
    for royal in g.royals_at(act.here, act.seat):
        if royal.mover == act.key:
            leave_royal(royal, act.key)
    goes_on_from_there(g, act)


def goes_on_from_there(g: Game, act: Activation) -> None:
    """9.2 B The General of the active Army is elsewhere: his CUs have been dropped off, and he has not entered where he is."""
    g.mark(act.here, act.seat, travelling_units(g), dropped=True)
    act.start = act.here = g.generals[act.key].at
    act.entered = act.must_leave = ""


def to_the_end(act: Act) -> Act:
    """10, 15.2 What an order sets off concerns the Army to its end, even if its Minor General jumps away meanwhile (R2)."""

    def do(g: Game, order: Order) -> Procedure[None]:
        g.in_procedure = True
        try:
            yield from act.do(g, order)
        finally:
            g.in_procedure = False
            follow(g)

    return act._replace(do=do)
