"""13.1, 13.2 Naval Movement: embarking, sailing from port to port, picking up, dropping off, disembarking."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from pbem.base.errors import Refused
from pbem.kernel.procedures import Abandon, Procedure, at_once
from pbem.orders import ONE_CU, Order, Pieces
from pbem.rules import activation, cavalry, company, land_movement, movement, ownership, prices, truce
from pbem.rules.activation import is_afloat, mps_left
from pbem.rules.acts import Act
from pbem.rules.attrition import Group
from pbem.rules.naval_battle import available, cards_at_sea, judge_fleets, mover, naval_battles, voyage_of
from pbem.rules.pieces import fits_inside, judge_elephants, judge_named, moved_before, not_in_the_army, parts, room_at
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Activation, Game, General, Unit, Voyage, Way, is_at_sea, is_inside, space_of

SEA_TYPES = ("sea", "trans")


# --- 13.1, 13.2.1, 13.2.2 Embarking ------------------------------------------------------------------------------


def judge_embark(g: Game, seat: str, order: Order) -> Order:
    """13.1, 13.2.1 One Army or General in a segment, with at most 8 CUs; its escort is named now."""
    one = activation.judge_leader(g, seat, order.general, order.pieces)
    if g.naval_used:
        raise Refused("13.1", "one_naval_movement", general=one.name)
    space = space_of(one.at)
    if not g.board.is_port(space):
        raise Refused("13.2.2", "no_port", space=space,
                      reach=[near for near in g.board.adjacent(space) if g.board.is_port(near)])
    pieces = activation.judge_pieces(g, one, order.pieces if order.pieces is not None else activation.may_come(g, one))
    if order.leave is not None:
        pieces = company.without(one, pieces, order.leave)
    if pieces.count() > g.rules.naval_cus:
        raise Refused("13.1", "naval_limit", limit=g.rules.naval_cus, used=0, wanted=pieces.count())
    if one.minor and not pieces.cus:
        raise Refused("7.1C", "no_cu_there", at=one.at)
    company.judge_left_behind(g, one, pieces)
    company.judge_all_leave(g, one, pieces)
    fleets = judge_fleets(g, seat, order.fleets if order.fleets is not None else ("all",), "13.2.1")
    return Order("embark", general=one.name, pieces=pieces, fleets=fleets)


@at_once
def embark(g: Game, order: Order) -> None:
    """13.2.2 From the land location to the sea, for 0 MPs; from now on this is the segment's Naval Movement."""
    one = g.generals[order.general]
    activation.begin(g, one.name)
    activation.set_off(g, one, order.pieces)
    act = g.activation
    assert act is not None
    home = act.here
    act.voyage = Voyage(home, order.fleets, order.pieces.count(), act.spent > 0)
    g.naval_used, act.must_leave = True, ""
    g.tell(ALL, "embarked", seat=one.seat, general=one.name, generals=list(order.pieces.generals),
           cus=dict(order.pieces.cus), royals=list(order.pieces.royals), origin=home, fleets=list(order.fleets))
    activation.move_travellers(g, f"{space_of(home)}/sea")
    ownership.end_of_procedure(g)


# --- 13.2.3 to 13.2.7 From port to port --------------------------------------------------------------------------


def judge_sail(g: Game, seat: str, order: Order) -> Order:
    """13.2.3, 9.3 A One Sea or Trans-Mediterranean path; where the whole way is announced, the first one with it."""
    act, voyage = voyage_of(g)
    judge_member(g, order.general)
    here = space_of(act.here)
    target = order.path[0]
    if voyage.sea and target not in voyage.sea:
        raise Refused("7.4", "not_in_that_sea", target=target,
                      reach=[near for near in g.board.sea_paths(here) if near in voyage.sea])
    judge_announced(g, voyage, here, order)
    truce.judge_entering(g, seat, target, "3.7")                    # or he might not be able to land any more
    if not (g.board.kind(target) == "major" and g.controller(target) == seat):
        movement.judge_meeting(g, seat, target, aboard(g), ())
    cost, _ = sea_cost(g, here, target)
    if cost > mps_left(g):
        raise Refused("9.3A", "too_few_mps", general=act.key, cost=cost, left=mps_left(g), target=target,
                      ends=[space for space, kind, price in g.board.paths(here) if kind in SEA_TYPES and price <= mps_left(g)])
    return Order("sail", general=lead_of(g).name, path=(target,), route=order.route)


def judge_announced(g: Game, voyage: Voyage, here: str, order: Order) -> None:
    """13.2.3 Step by step, or whole before it begins and kept to from then on."""
    whole = (*order.path, *(order.route or ()))
    if not g.rules.voyages_announced or voyage.sea:
        if order.route:
            raise Refused("13.2.3", "sail_step_by_step", target=order.path[0])
        return
    if voyage.announced is not None:
        if order.route or whole[:1] != voyage.announced[:1]:
            raise Refused("13.2.3", "sail_as_announced", route=list(voyage.announced))
        return
    act, cost = g.activation, 0
    assert act is not None
    for place, target in zip((here, *whole), whole, strict=False):
        cost += sea_cost(g, place, target)[0]
    if cost > mps_left(g):
        raise Refused("9.3A", "too_few_mps", general=act.key, cost=cost, left=mps_left(g), target=whole[-1], ends=[])


def aboard(g: Game) -> Pieces:
    """The CUs at sea."""
    return Pieces.of(cus=activation.travelling_kinds(g))


def lead_of(g: Game) -> General:
    """7.1 A Who commands on board."""
    act = g.activation
    assert act is not None
    return activation.commander(g) or g.generals[act.key]


def judge_member(g: Game, general: str | None) -> None:
    """Only who is on board sails and lands."""
    act = g.activation
    assert act is not None
    if general is not None and general != lead_of(g).name and not activation.is_member(g, g.generals[general]):
        raise Refused("13.2", "not_on_board", general=general, active=act.key)


def sea_cost(g: Game, here: str, target: str) -> tuple[int, str]:
    """9.3 A MPs and type of the cheapest path by sea between the two ports."""
    types = [kind for kind in g.board.path_types(here, target) if kind in SEA_TYPES]
    if not types:
        raise Refused("13.2.3", "no_sea_path", origin=here, target=target,
                      reach=[space for space, kind, _ in g.board.paths(here) if kind in SEA_TYPES])
    kind = min(types, key=lambda one: g.rules.path_mps[one])
    return g.rules.path_mps[kind], kind


def sail(g: Game, order: Order) -> Procedure[None]:
    """13.2.3 to 13.2.6 Announce the port, face whoever comes out against it, and enter."""
    act, voyage = voyage_of(g)
    target = order.path[0]
    cost, kind = sea_cost(g, space_of(act.here), target)
    if movement.passes_stronghold(g, kind):                         # 10 A entered by land, left by sea
        seat = act.seat
        yield from cavalry.pass_stronghold(g, seat, act.here, Group(act.here, seat, act.key))
        set_ashore_without_army(g)
    act.spent += cost
    voyage.towards = target
    tell_sailing(g, target, cost)
    met = voyage.announced is not None
    if g.rules.voyages_announced and not voyage.sea and not met:
        voyage.announced = (target, *(order.route or ()))
        if order.route:
            g.tell(ALL, "voyage_announced", seat=act.seat, general=act.key, path=list(voyage.announced))
    try:
        yield from (cards_at_sea if met else naval_battles)(g, target)
    except Abandon:
        voyage.towards = voyage.meets = ""
        raise
    if g.activation is act and voyage.towards == target:
        voyage.towards = ""
        activation.move_travellers(g, f"{target}/sea")
        act.entered, act.must_leave = kind, ""
        if voyage.announced:
            voyage.announced = voyage.announced[1:]
    ownership.end_of_procedure(g)


def set_ashore_without_army(g: Game) -> None:
    """8.4 Royals whose last CU is gone stay behind."""
    act = g.activation
    assert act is not None
    if not activation.travelling_units(g):
        for royal in g.royals_at(act.here):
            royal.at = space_of(act.here)


def tell_sailing(g: Game, target: str, cost: int) -> None:
    act = g.activation
    assert act is not None
    lead = lead_of(g)
    g.tell(ALL, "sailed", seat=lead.seat, general=lead.name, origin=space_of(act.here), target=target, cost=cost,
           left=mps_left(g))


def steps(g: Game, seat: str, order: Order) -> list[Order]:
    """A voyage over several ports as the single steps that the log holds."""
    path: tuple[str, ...] = order.path
    if len(path) > 1 and path[0] == space_of(g.generals[order.general].at):
        path = path[1:]
    begun = g.activation is not None and g.activation.voyage is not None and g.activation.voyage.announced is not None
    ahead = (*path[1:], *(order.route or ())) if g.rules.voyages_announced and not begun else order.route
    return [Order("sail", general=order.general, path=(target,), route=(ahead or None) if index == 0 else None)
            for index, target in enumerate(path)]


# --- 13.2.6 Picking up -------------------------------------------------------------------------------------------


def judge_pick_up(g: Game, seat: str, order: Order) -> Order:
    """13.2.6, 9.1 From any land location of the space; what was ever on board counts among the 8 CUs."""
    act, voyage = voyage_of(g)
    one = lead_of(g)
    space = space_of(act.here)
    pieces = everything_ashore(g, seat, one, space) if order.pieces.everything else order.pieces
    for name in pieces.generals:
        judge_general_ashore(g, seat, one, space, name)
    ashore = ashore_kinds(g, space, seat)
    judge_named(pieces, ashore, moved_before(ashore, space))
    for name in pieces.royals:
        royal = g.royals[name]
        if royal.seat != seat or space_of(royal.at) != space or is_at_sea(royal.at):
            raise Refused("8.4", "royal_not_yours", royal=name, at=royal.at, owner=royal.seat)
        activation.judge_carried(g, name)
        if royal.mover:
            raise Refused("8.4", "royal_has_moved", royal=name, by=royal.moved_by)
    if voyage.cus + pieces.count() > g.rules.naval_cus:
        raise Refused("13.1", "naval_limit", limit=g.rules.naval_cus, used=voyage.cus, wanted=pieces.count())
    if pieces.royals and not (pieces.count() or activation.travelling_units(g)):
        raise Refused("8.4", "royal_needs_army", royal=pieces.royals[0], general=one.name)
    if pieces == Pieces.of():
        raise Refused("9.1", "nothing_to_pick_up", at=space)
    return Order("pick_up", pieces=Pieces.of(pieces.generals, dict(pieces.cus), pieces.royals))


def judge_general_ashore(g: Game, seat: str, one: General, space: str, name: str) -> None:
    """9.1, 9.5 One of one's own, ashore here, unmoved; Minor Generals ride with nobody, Independents neither."""
    other = g.generals[name]
    if other.seat == INDEPENDENT:
        raise Refused("9.5", "independents_ride_alone", general=name)
    if other.seat != seat or space_of(other.at) != space or is_at_sea(other.at):
        raise Refused("9.1", "not_in_the_location", piece=name, at=space)
    if one.minor or other.minor:
        raise Refused("9.1", "minor_with_general", minor=one.name if one.minor else name)
    if other.mover or other.dropped or name in g.activated:
        raise Refused("9.1", "moved_by_another", general=name, by=other.mover)


def land_locations(g: Game, space: str, seat: str) -> list[str]:
    """The land locations of a space where a player's pieces may be, the outside first."""
    return [place for place in g.locations_of(space) if not is_inside(place) or g.controller(space) == seat]


def ashore_kinds(g: Game, space: str, seat: str) -> Counter[str]:
    """The unmoved CUs of a player on land in the space."""
    kinds: Counter[str] = Counter()
    for place in land_locations(g, space, seat):
        kinds.update(activation.fresh_kinds(g, place, seat))
    return kinds


def everything_ashore(g: Game, seat: str, one: General, space: str) -> Pieces:
    places = land_locations(g, space, seat)
    generals = [] if one.minor else [other.name for place in places for other in g.generals_at(place, seat)
                                     if activation.may_join(g, other)]
    royals = [royal.name for place in places for royal in g.royals_at(place, seat)
              if not royal.mover and activation.may_be_carried(g, royal.name)]
    return Pieces.of(generals, ashore_kinds(g, space, seat), royals)


@at_once
def pick_up(g: Game, order: Order) -> None:
    """13.2.6 The pieces come on board; a senior General takes command (9.2 D2)."""
    act, voyage = voyage_of(g)
    old, seat, space = activation.commander(g), mover(g), space_of(act.here)
    wanted = Counter(dict(order.pieces.cus))
    for place in land_locations(g, space, seat):
        part = wanted & activation.fresh_kinds(g, place, seat)
        wanted -= part
        if part:
            taken = g.remove_kinds(place, seat, part, order=lambda unit: (unit.past.mover != "", unit.past))
            g.add(act.here, seat, {Unit(unit.kind, unit.past._replace(mover=act.key)): n for unit, n in taken.items()})
    for name in order.pieces.generals:
        g.generals[name].at, g.generals[name].mover = act.here, act.key
    for name in order.pieces.royals:
        g.royals[name].at, g.royals[name].mover = act.here, act.key
    voyage.cus += order.pieces.count()
    g.tell(ALL, "picked_up", seat=seat, general=act.key, pieces=order.pieces, at=act.here)
    company.tell_command(g, old)
    ownership.end_of_procedure(g)


# --- 13.2.6 Dropping off -----------------------------------------------------------------------------------------


def judge_drop(g: Game, seat: str, order: Order) -> Order:
    """13.2.6, 9.1 On land in the space, where no enemy CU is; a General stays on board."""
    act, _ = voyage_of(g)
    army = [one.name for one in activation.travellers(g)]
    pieces = order.pieces
    for name in pieces.generals:
        if name not in army:
            raise Refused("9.1", "not_in_the_army", piece=name)
    if len(pieces.generals) >= len(army):
        raise Refused("13.2.6", "last_general_dropped")
    aboard = activation.travelling_kinds(g)
    judge_named(pieces, aboard, not_in_the_army)
    carried = [royal.name for royal in g.royals_at(act.here, seat)]
    for name in pieces.royals:
        if name not in carried:
            raise Refused("8.4", "not_in_the_army", piece=name)
    if pieces == Pieces.of():
        raise Refused("9.1", "nothing_to_drop")
    staying = [name for name in carried if name not in pieces.royals]
    if staying and sum(aboard.values()) == pieces.count():
        raise Refused("8.4", "royal_needs_army", royal=staying[0], general=army[0])
    place = landing_place(g, seat, order.loc, dict(pieces.cus), "13.2.6")
    judge_drop_place(g, seat, place)
    truce.judge_entering(g, seat, place, "3.7")
    minor = company.pick_minor(g, seat, order.minor) if order.minor else None
    if (pieces.cus or pieces.royals) and not (pieces.generals or minor or g.generals_at(place, seat)
                                              or g.controller(space_of(place)) == seat):
        raise Refused("9.1", "dropped_without_general", at=place, cus=dict(pieces.cus), royals=list(pieces.royals),
                      minors=[other.name for other in g.minors_off_map(seat)])
    if minor is not None and not (pieces.cus or g.count(place, seat)):
        raise Refused("7.1C", "no_cu_there", at=place)
    return Order("drop", pieces=Pieces.of(pieces.generals, dict(pieces.cus), pieces.royals), loc=loc_of(g, place),
                 minor=minor.name if minor else None)


def judge_drop_place(g: Game, seat: str, place: str) -> None:
    """13.2.6 No dropping beside enemy CUs."""
    foes = [side for side in g.sides_with_cus(place) if side != seat]
    if foes and not (g.rules.drop_beside_enemy and g.count(place, seat)):
        raise Refused("13.2.6", "enemy_cus_there", space=place, owner=foes[0])


def landing_place(g: Game, seat: str, loc: str | None, cus: Mapping[str, int], rule: str) -> str:
    """13.2.6, 13.2.8, 9.4 Where pieces from the sea come to: into a Besieged city of one's own, if there is room."""
    act = g.activation
    assert act is not None
    space = space_of(act.here)
    own_city = g.board.kind(space) == "major" and g.controller(space) == seat
    if loc == "inside" and not own_city:
        raise Refused("9.4", "not_your_city" if g.board.kind(space) == "major" else "no_city_there", space=space,
                      owner=g.controller(space))
    free, count = room_at(g, f"{space}/inside", seat), sum(cus.values())
    behind_walls = own_city and g.besieged(space) and (fits_inside(g, space, seat, cus) or rule == "13.2.6")
    wanted = loc or ("inside" if behind_walls else "outside")
    if wanted == "inside" and count > free:
        raise Refused(rule, "city_is_full", space=space, room=free, wanted=count)
    if wanted == "inside":
        judge_elephants(g, f"{space}/inside", cus)
    return f"{space}/inside" if wanted == "inside" else space


def loc_of(g: Game, place: str) -> str | None:
    """Inside or outside, where there is a difference."""
    if g.board.kind(space_of(place)) != "major":
        return None
    return "inside" if is_inside(place) else "outside"


def drop(g: Game, order: Order) -> Procedure[None]:
    """13.2.6 Their activation is over (9.2 B); landing outside a city or at a Minor City they may be intercepted (11.1)."""
    act, voyage = voyage_of(g)
    old, seat, key = activation.commander(g), mover(g), act.key
    place = f"{space_of(act.here)}/inside" if order.loc == "inside" else space_of(act.here)
    g.add(place, seat, g.remove_kinds(act.here, seat, dict(order.pieces.cus), order=lambda unit: unit.past))
    for name in order.pieces.generals:
        g.generals[name].at = place
    for name in order.pieces.royals:
        g.royals[name].at, g.royals[name].mover = place, key
    if order.minor:
        company.appear(g, order.minor, place)
    g.tell(ALL, "dropped", seat=seat, general=key, pieces=order.pieces, at=place)
    if not is_inside(place):
        yield from landing_party(g, Way(key, seat, voyage.home, place, "sea"), order.minor)
    set_down(g, key)
    company.tell_command(g, old)
    ownership.end_of_procedure(g)


NOT_FOR_DROPPED = frozenset({"city_choice", "free_passage"})


def landing_party(g: Game, way: Way, minor: str | None) -> Procedure[None]:
    """11.1, 11.3 What is dropped off may be intercepted, and then withdraws or fights, while its General waits at sea (R8).

    The Minor General placed with it shares its fate meanwhile; he has not moved for all that (9.1).
    """
    aboard = g.activation
    assert aboard is not None
    party = Activation(way.key, way.seat, way.target, aboard.besieged, 0)
    party.stopped = True
    party.intercepted = aboard.intercepted
    g.activation = party
    if minor:
        g.generals[minor].mover = way.key
    try:
        for step in g.rules.land_movement:
            if step in NOT_FOR_DROPPED:
                continue
            if land_movement.is_over(g, way, step):
                break
            yield from land_movement.STEPS[step](g, way)
    except Abandon:
        ashore(g, aboard, minor)
        set_down(g, way.key)
        raise
    ashore(g, aboard, minor)


def ashore(g: Game, aboard: Activation, minor: str | None) -> None:
    """The General at sea goes on; the Minor General who was placed is free to be activated."""
    g.activation = aboard
    if minor:
        g.generals[minor].mover = ""


def set_down(g: Game, key: str) -> None:
    """9.2 B Everything of this activation that is on land has been dropped off."""
    for location, there in g.cus.items():
        if is_at_sea(location):
            continue
        for seat, units in there.items():
            g.mark(location, seat, {unit: n for unit, n in units.items() if unit.past.mover == key}, dropped=True)
    for one in g.generals.values():
        if one.mover == key and not is_at_sea(one.at):
            one.dropped = True
    for royal in g.royals.values():
        if royal.mover == key and not is_at_sea(royal.at):
            activation.leave_royal(royal, key)


# --- 13.2.8 Disembarking -----------------------------------------------------------------------------------------


def judge_disembark(g: Game, seat: str, order: Order) -> Order:
    """13.2.8, 9.4 On land in the space reached, among enemies too; inside only one's own city."""
    act, voyage = voyage_of(g)
    judge_member(g, order.general)
    if goes_on(g, seat, voyage):
        raise Refused("13.2.3", "sail_as_announced", route=list(voyage.announced or ()))
    place = landing_place(g, seat, order.loc, activation.travelling_kinds(g), "9.4")
    truce.judge_entering(g, seat, place, "3.7")
    left = 0 if ends_ashore(voyage) else mps_left(g)
    for asked in order.passage or ():
        land_movement.judge_passage(g, seat, asked, space_of(place), left, aboard(g).count())
    return Order("disembark", general=lead_of(g).name, loc=loc_of(g, place), passage=order.passage)


def goes_on(g: Game, seat: str, voyage: Voyage) -> bool:
    """13.2.3 Is there a way left that was announced, and can it be sailed?"""
    if not voyage.announced:
        return False
    try:
        judge_sail(g, seat, Order("sail", path=voyage.announced[:1]))
    except Refused:
        return False
    return True


def ends_ashore(voyage: Voyage) -> bool:
    """13.1, 7.4 MPs go on land before the Naval Movement or after it, not both; those of The Pontic Fleet at sea alone."""
    return voyage.after_land or bool(voyage.sea)


def disembark(g: Game, order: Order) -> Procedure[None]:
    """13.2.8 The Naval Movement is over; on open ground the Land Movement Procedure follows (10)."""
    act, voyage = voyage_of(g)
    key, seat = act.key, mover(g)
    place = f"{space_of(act.here)}/inside" if order.loc == "inside" else space_of(act.here)
    voyage.landed = True
    if ends_ashore(voyage):
        act.stopped = True
    g.tell(ALL, "disembarked", seat=seat, general=key, at=place, left=mps_left(g))
    movement.remind_of_burial(g, seat, place)
    activation.move_travellers(g, place)
    if not is_inside(place):
        yield from land_movement.enter(g, Way(key, seat, voyage.home, place, "sea"), tuple(order.passage or ()))
    ownership.end_of_procedure(g)
    leave_map_if_subordinate(g, key)


def leave_map_if_subordinate(g: Game, key: str) -> None:
    """7.1 C A Minor General who has come to a senior one, and cannot move off again, leaves the map."""
    one = g.generals[key]
    if one.minor and g.on_map(one) and g.commander(one.at, one.seat) is not one and not mps_left(g):
        ownership.remove_minor(g, one, "subordinate")


# --- what can be thought of --------------------------------------------------------------------------------------


def candidate_embarkations(g: Game, seat: str) -> Iterator[Order]:
    if g.naval_used:
        return
    own = tuple(fleet.name for fleet in available(g, seat))
    for one in movement.ready(g, seat):
        if g.board.is_port(space_of(one.at)) and not is_at_sea(one.at):
            escorts = dict.fromkeys((own, (), own[:1]))
            for fleets in escorts:
                yield Order("embark", general=one.name, fleets=fleets)
            for pieces in islice(parts(activation.may_come(g, one)), 24):
                yield Order("embark", general=one.name, pieces=pieces, fleets=own)


def candidate_voyages(g: Game, seat: str) -> Iterator[Order]:
    act = g.activation
    if act is not None and is_afloat(g):
        begun = act.voyage is not None and act.voyage.announced is not None
        for space, kind, _ in g.board.paths(space_of(act.here)):
            if kind in SEA_TYPES:
                yield Order("sail", general=lead_of(g).name, path=(space,))
                if g.rules.voyages_announced and not begun:
                    for there in g.board.sea_paths(space):
                        yield Order("sail", general=lead_of(g).name, path=(space,), route=(there,))


def candidate_landings(g: Game, seat: str) -> Iterator[Order]:
    act = g.activation
    if act is not None and is_afloat(g):
        for loc in ("outside", "inside") if g.board.kind(space_of(act.here)) == "major" else (None,):
            yield Order("disembark", loc=loc)
            sides = [side for side in g.sides_at(space_of(act.here)) if side not in (seat, INDEPENDENT)]
            if sides:
                yield Order("disembark", loc=loc, passage=tuple(sides))


def candidate_pick_ups(g: Game, seat: str) -> Iterator[Order]:
    act = g.activation
    assert act is not None
    whole = everything_ashore(g, seat, lead_of(g), space_of(act.here))
    yield Order("pick_up", pieces=whole)
    for pieces in islice(parts(whole), 24):
        yield Order("pick_up", pieces=pieces)
    for kind, _ in whole.cus:
        yield Order("pick_up", pieces=ONE_CU[kind])


def candidate_drops(g: Game, seat: str) -> Iterator[Order]:
    act = g.activation
    assert act is not None
    whole = Pieces.of([one.name for one in activation.travellers(g)], activation.travelling_kinds(g),
                      [royal.name for royal in g.royals_at(act.here, seat)])
    some = [*(Pieces.of([name]) for name in whole.generals), *(Pieces.of(royals=[name]) for name in whole.royals),
            *(Pieces.of(cus={kind: number}) for kind, most in whole.cus for number in range(1, most + 1))]
    for pieces in some:
        for loc in ("outside", "inside") if g.board.kind(space_of(act.here)) == "major" else (None,):
            yield Order("drop", pieces=pieces, loc=loc)
            yield Order("drop", pieces=pieces, loc=loc, minor="any")


ACTS: dict[str, Act] = {
    "embark": Act(judge_embark, embark, candidate_embarkations, prices.unowned),
    "sail": Act(judge_sail, sail, candidate_voyages),
    "disembark": Act(judge_disembark, disembark, candidate_landings, prices.of_landing),
}
ABOARD: dict[str, Act] = {                          # what means another thing on land
    "pick_up": Act(judge_pick_up, pick_up, candidate_pick_ups),
    "drop": Act(judge_drop, drop, candidate_drops),
}
