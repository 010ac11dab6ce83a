"""7.5, 9.5 Independent Armies: who moves them, how far, where they may not go, and what they do where they stop.

A counter is General and CUs in one. On the map it is active; in its holding box it waits for the card that calls it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.base.errors import Refused
from pbem.kernel.procedures import Abandon, Ask, Procedure, Question
from pbem.orders import Order, Pieces
from pbem.rules import activation, land_movement, movement, ownership
from pbem.rules.activation import LAND_TYPES
from pbem.table.events import ALL
from pbem.table.state import BOX, DEAD, FRESH, INDEPENDENT, Game, General, Past, Unit, Way, space_of

PASS = Order("pass")
ENTRY_MPS = 1                           # 9.5 from the holding box over one of its entries


# --- 9.5 Who is active, who may move -----------------------------------------------------------------------------


def armies(g: Game) -> list[General]:
    return [g.generals[name] for name in g.facts.independents]


def is_active(g: Game, one: General) -> bool:
    """9.5 On the map, or just called from its box by a card."""
    return g.on_map(one) or one.at == BOX and one.name == g.called


def active(g: Game) -> list[str]:
    return [one.name for one in armies(g) if is_active(g, one)]


def movable(g: Game) -> list[str]:
    """9.5 When one may move all active ones may, each once."""
    return [name for name in active(g) if name not in g.activated]


def under_way(g: Game) -> General | None:
    """The Independent Army whose movement has begun and is not over."""
    act = g.activation
    return g.generals[act.key] if act is not None and act.key in g.facts.independents else None


def has_set_out(g: Game, one: General) -> bool:
    return under_way(g) is one


def allowance(g: Game) -> int:
    """9.5 MPs of an Independent Army."""
    return int(g.facts.tables["independent_armies"]["mps"])


def left(g: Game, one: General) -> int:
    return activation.mps_left(g) if has_set_out(g, one) else allowance(g)


def size(g: Game, one: General) -> int:
    """7.5 The constant number of its CUs; one that stands alone is as strong as what stands there."""
    if len(g.generals_at(one.at, INDEPENDENT)) == 1:
        return g.count(one.at, INDEPENDENT)
    return int(g.facts.independents[one.name]["cus"])


# --- 9.5 Movement restrictions -----------------------------------------------------------------------------------


def judge_provinces_only(g: Game, one: General, params: Mapping[str, Any], target: str, mps: int) -> None:
    """9.5 Some never leave their Provinces; an island of theirs is out of reach as well."""
    if g.board.province_of(target) not in params["provinces"] or target in params["excluded_spaces"]:
        raise Refused("9.5", "not_his_country", general=one.name, space=target, provinces=list(params["provinces"]))


def judge_further_west(g: Game, one: General, params: Mapping[str, Any], target: str, mps: int) -> None:
    """9.5 A step is allowed as long as the move can still end further west than it began, if it ever could."""
    if west_ends(g, one, start_of(g, one), allowance(g)) and not west_ends(g, one, target, mps):
        raise Refused("9.5", "must_end_further_west", general=one.name, space=target,
                      ends=west_ends(g, one, one.at, left(g, one)))


def start_of(g: Game, one: General) -> str:
    act = g.activation
    return act.start if act is not None and has_set_out(g, one) else one.at


def longitude(g: Game, one: General, place: str) -> float:
    return float(g.facts.independents[one.name]["lon"]) if place == BOX else g.board.lat_lon(space_of(place))[1]


def west_ends(g: Game, one: General, here: str, mps: int) -> list[str]:
    """The spaces further west than its start that it reaches from here."""
    if here == BOX:
        return list(g.facts.independents[one.name]["entries"])
    start = longitude(g, one, start_of(g, one))
    return [space for space in g.board.distances(space_of(here), LAND_TYPES, None, mps)
            if longitude(g, one, space) < start]


def judge_anywhere(g: Game, one: General, params: Mapping[str, Any], target: str, mps: int) -> None:
    """9.5 No restriction of its own."""


RESTRICTIONS: dict[str, Callable[[Game, General, Mapping[str, Any], str, int], None]] = {
    "none": judge_anywhere,
    "provinces_only": judge_provinces_only,
    "must_end_further_west": judge_further_west,
}


def restriction(g: Game, one: General) -> Mapping[str, Any]:
    found: Mapping[str, Any] = g.facts.independents[one.name]["restriction"]
    return found


def judge_may_end(g: Game) -> None:
    """9.5 May the movement end where the Army stands? One that has fought or backed off stays where it is."""
    one, act = under_way(g), g.activation
    if one is None or act is None or act.stopped or not act.spent or not g.on_map(one):
        return
    if restriction(g, one)["key"] == "must_end_further_west" and longitude(g, one, one.at) >= longitude(g, one, act.start):
        ends = west_ends(g, one, one.at, left(g, one))
        if ends:
            raise Refused("9.5", "must_end_further_west", general=one.name, space=one.at, ends=ends)


# --- 9.5 Judging ---------------------------------------------------------------------------------------------------


def judge(g: Game, seat: str, order: Order) -> Order:
    """9.5 One step of one Army, or its whole move for an Independent PC. Returns the order in full."""
    one = g.generals.get(order.general or "")
    if one is None or one.name not in g.facts.independents:
        raise Refused("9.5", "no_independent_army", general=order.general, movable=movable(g))
    if not is_active(g, one):
        raise Refused("9.5", "independent_gone" if one.at == DEAD else "independent_inactive", general=one.name,
                      movable=movable(g))
    if one.name in g.activated:
        raise Refused("9.5", "independent_has_moved", general=one.name, movable=movable(g))
    if not has_set_out(g, one):
        judge_may_end(g)                                        # each completes its movement before another moves
    return judge_sacrifice(g, one, order) if order.space else judge_step(g, one, order)


def judge_step(g: Game, one: General, order: Order) -> Order:
    """9.5 Out of the box over one of its entries, else to a neighbouring space by land."""
    target, mps = order.path[0], left(g, one)
    if one.at == BOX:
        entries = list(g.facts.independents[one.name]["entries"])
        if target not in entries:
            raise Refused("9.5", "not_his_entry", general=one.name, space=target, entries=entries)
        cost = ENTRY_MPS
    else:
        if set(g.board.path_types(one.at, target)) & {"sea", "trans"} and target not in g.board.adjacent(one.at):
            raise Refused("9.5", "independents_stay_ashore", general=one.name, space=target)
        cost, _ = movement.step_cost(g, one.at, target)
    if cost > mps:
        raise Refused("9.5", "too_few_mps", general=one.name, cost=cost, left=mps, target=target,
                      ends=movement.reach(g, one, mps) if g.on_map(one) else [])
    params = restriction(g, one)
    RESTRICTIONS[params["key"]](g, one, params, target, mps - cost)
    return Order("independent_move", general=one.name, path=(target,))


def judge_sacrifice(g: Game, one: General, order: Order) -> Order:
    """9.5 All its MPs, unspent, for an Independent PC in the Minor City or Stronghold where it stands (B35)."""
    if one.at == BOX or order.space != space_of(one.at):
        raise Refused("9.5", "not_in_the_location", piece=one.name, at=order.space)
    if left(g, one) < allowance(g):
        raise Refused("9.5", "only_before_moving", general=one.name)
    if g.board.kind(order.space) not in ("minor", "stronghold"):
        raise Refused("9.5", "no_place_for_independent_pc", space=order.space)
    if g.controller(order.space) == INDEPENDENT:
        raise Refused("9.5", "independent_already", space=order.space)
    return Order("independent_move", general=one.name, space=order.space)


# --- 9.5 Moving --------------------------------------------------------------------------------------------------


def move(g: Game, order: Order) -> Procedure[None]:
    """9.5 A step with the Land Movement Procedure (10), or the PC instead of moving."""
    one = g.generals[order.general]
    if not has_set_out(g, one):
        set_out(g, one)
    if order.space:
        sacrifice(g, order.space)
        complete(g)
        return
    target = order.path[0]
    origin, kind = step_out(g, one, target)
    if g.board.province_of(target) == restriction(g, one).get("remove_on_entering"):
        remove(g, one, target)
        complete(g)
        return
    name = one.name
    yield from land_movement.enter(g, Way(name, INDEPENDENT, origin, target, kind), ())
    back_into_box(g)
    ownership.end_of_procedure(g)
    if not may_go_on(g, name):
        complete(g, returned=g.generals[name].at != target)


def set_out(g: Game, one: General) -> None:
    """9.5 Each completes its movement before another moves."""
    complete(g)
    g.allowance[one.name] = allowance(g)
    activation.begin(g, one.name)


def step_out(g: Game, one: General, target: str) -> tuple[str, str]:
    """Onto the map, or from one space to the next; where from and over what it came."""
    act = g.activation
    assert act is not None
    origin = act.here
    if origin == BOX:
        cost, kind = ENTRY_MPS, "box"
        one.mover, one.at, act.here = one.name, target, target
        g.add(target, INDEPENDENT, {Unit(INDEPENDENT, Past(one.name)): g.facts.independents[one.name]["cus"]})
        act.spent += cost
        g.tell(ALL, "independent_entered", seat=INDEPENDENT, general=one.name, space=target, cost=cost, left=left(g, one))
        return origin, kind
    cost, kind = movement.step_cost(g, origin, target)
    if not one.mover:
        activation.set_off(g, one, Pieces.of(cus={INDEPENDENT: size(g, one)}))
    act.spent += cost
    movement.tell_march(g, activation.move_travellers(g, target), origin, target, cost)
    act.entered = kind
    return origin, kind


def back_into_box(g: Game) -> None:
    """11.3, 14.10 Withdrawn or retreated into its box an Army is inactive, and its CUs are off the map with it."""
    for unit, number in list(g.units(BOX, INDEPENDENT).items()):
        g.remove(BOX, INDEPENDENT, {unit: number})


def may_go_on(g: Game, name: str) -> bool:
    one, act = g.generals[name], g.activation
    return (act is not None and g.on_map(one) and not act.stopped
            and activation.mps_left(g) >= activation.cheapest_exit(g, space_of(one.at)))


def remove(g: Game, one: General, space: str) -> None:
    """9.5 The colonists are home: the Army leaves the game."""
    g.remove(space, INDEPENDENT, dict(activation.travelling_units(g)))
    one.at = DEAD
    g.tell(ALL, "independent_removed", seat=INDEPENDENT, general=one.name, space=space)


def sacrifice(g: Game, space: str) -> None:
    """9.5 The Independent PC replaces a player's (B35)."""
    act = g.activation
    assert act is not None
    act.spent = allowance(g)
    change_pc(g, space, INDEPENDENT)


def change_pc(g: Game, space: str, owner: str) -> None:
    if g.controller(space):
        g.tell(ALL, "pc_removed", seat=INDEPENDENT, owner=g.controller(space), space=space)
    if owner:
        g.tell(ALL, "pc_placed", seat=owner, space=space)
    g.set_pc(space, owner)


def complete(g: Game, *, returned: bool = False) -> None:
    """9.5 Where its activation ends a player's PC goes, but not where it came back to from a drawn battle (B34)."""
    one = under_way(g)
    if one is None:
        return
    space = space_of(one.at)
    if g.on_map(one) and g.board.kind(space) in ("minor", "stronghold") and g.controller(space) in g.seats:
        fought = any(unit.past.fought for unit in activation.travelling_units(g))
        if not (returned and fought):
            change_pc(g, space, "")
    activation.finish(g)


# --- all of them, one after the other ------------------------------------------------------------------------------


def move_all(g: Game, resolver: str, army: str) -> Procedure[None]:
    """9.5 A card calls one Army from its box, if it waits there; then all active ones may move, in any sequence."""
    g.resolver, g.called = resolver, army
    while movable(g):
        try:
            order = yield lambda: question(g)
            if not order or order == PASS:
                break
            if order.verb == "end_activation":
                complete(g)
            else:
                yield from move(g, order)
        except Abandon as abandoned:
            after_abandon(g, abandoned)
    complete(g)
    rest(g)


def after_abandon(g: Game, abandoned: Abandon) -> None:
    """A ruling ended one step or one Army's movement: the others still move."""
    back_into_box(g)
    if abandoned.level not in ("step", "activation"):
        rest(g)
        raise abandoned
    one = under_way(g)
    if one is not None and (abandoned.level == "activation" or not may_go_on(g, one.name)):
        complete(g)
    ownership.end_of_procedure(g)


def rest(g: Game) -> None:
    """The movement of the Independent Armies is over; the next card finds them fresh."""
    if g.activation is not None and g.activation.seat == INDEPENDENT:       # a ruling has cut it short
        activation.close(g)
    for one in armies(g):
        one.mover = ""
        g.allowance.pop(one.name, None)
        g.activated.pop(one.name, None)
    for location in list(g.locations_with_cus(INDEPENDENT)):
        g.mark(location, INDEPENDENT, dict(g.units(location, INDEPENDENT)), **FRESH._asdict())
    g.resolver = g.called = ""


def question(g: Game) -> Question | None:
    """Which Army moves where? None when an interrupt left none to move."""
    if not movable(g):
        return None
    one = under_way(g)

    def read(side: str, order: Order) -> Order:
        if order.verb in ("pass", "end"):
            judge_may_stop_all(g)
            return PASS
        if order.verb == "end_activation":
            if under_way(g) is None:
                raise Refused("9.5", "nobody_active")
            judge_may_end(g)
            return order
        if order.verb == "siege":
            raise Refused("9.5", "independents_lay_no_siege", space=order.space)
        if order.verb not in ("independent_move", "march"):
            raise Refused("9.5", "move_independents_or_pass", movable=movable(g))
        return judge(g, side, order)

    return Ask(g.resolver, "independent_move", "9.5",
               about=lambda: {
                   "called": g.called, "movable": movable(g), "active": one.name if one else "",
                   "left": left(g, one) if one else 0, "mps": allowance(g),
                   "homes": {name: list(restriction(g, g.generals[name])["provinces"]) for name in movable(g)
                             if restriction(g, g.generals[name])["key"] == "provinces_only"},
                   "westward": [name for name in movable(g)
                                if restriction(g, g.generals[name])["key"] == "must_end_further_west"],
                   "places": {name: g.generals[name].at for name in movable(g)}},
               read=read, candidates=lambda side: candidates(g), default=lambda: silence(g))


def judge_may_stop_all(g: Game) -> None:
    """9.5 An Army that has just become active must come onto the board."""
    judge_may_end(g)
    if g.called and g.called not in g.activated and g.generals[g.called].at == BOX:
        raise Refused("9.5", "must_enter", general=g.called, entries=list(g.facts.independents[g.called]["entries"]))


def candidates(g: Game) -> Iterator[Order]:
    yield PASS
    yield Order("end_activation")
    for name in movable(g):
        for target in targets(g, g.generals[name]):
            yield Order("independent_move", general=name, path=(target,))
        if g.on_map(g.generals[name]):
            yield Order("independent_move", general=name, space=space_of(g.generals[name].at))


def targets(g: Game, one: General) -> list[str]:
    return list(g.facts.independents[one.name]["entries"] if one.at == BOX else g.board.adjacent(space_of(one.at)))


def silence(g: Game) -> Order:
    """Nobody moves but who has to: one that has to get further west, then the Army that was called."""
    if may(judge_may_stop_all, g):
        return PASS
    moving = under_way(g)
    one = moving if moving is not None and not may(judge_may_end, g) else g.generals[g.called]
    wanted = (Order("independent_move", general=one.name, path=(target,)) for target in targets(g, one))
    return next((judge(g, g.resolver, order) for order in wanted if may(judge, g, g.resolver, order)), PASS)


def may(judging: Callable[..., object], *about: object) -> bool:
    try:
        judging(*about)
    except Refused:
        return False
    return True


def steps(g: Game, seat: str, order: Order) -> list[Order]:
    """A move of several steps as the single ones that the log holds."""
    one = g.generals.get(order.general or "")
    if one is None or not order.path:
        return [order]
    path = order.path[1:] if len(order.path) > 1 and order.path[0] == one.at else order.path
    return [Order("independent_move", general=one.name, path=(target,)) for target in path]
