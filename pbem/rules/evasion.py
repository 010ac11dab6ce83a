"""12 Evasion."""

from collections.abc import Iterable, Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Poll, Procedure, Question
from pbem.orders import PASS, Order
from pbem.rules import abilities, cavalry, ownership, reactions
from pbem.rules.activation import may_be_carried
from pbem.rules.attrition import Group
from pbem.rules.interception import modifier
from pbem.table.events import ALL
from pbem.table.pieces import Activation
from pbem.table.state import INDEPENDENT, Game, General, Way, space_of

# --- 12.1 Requirements -------------------------------------------------------------------------------------------


def judge_step(g: Game, seat: str, way: Way, here: str, there: str, *, army: bool | None = None, onwards: bool = False) -> None:
    """12.1, 12.2 A May the evading pieces of this player go from one space to the next, to stop there or to go onwards?"""
    target = space_of(way.target)
    if there not in g.board.land_paths(here):
        raise Refused("12.1", "no_land_path", origin=here, space=there)
    if there == target:
        raise Refused("12.2A", "not_back_again", space=there)
    if there == barred_space(g, way):
        raise Refused("12.2A", "not_towards_the_enemy", space=there)
    if seat == INDEPENDENT and not all(reactions.may_go(g, one, there) for one in runners(g, way)):
        raise Refused("9.5", "independents_stay_at_home", space=there)
    foes = [side for location in g.locations_of(there) for side in g.cus.get(location, ()) if side != seat]
    if foes and (g.rules.besieged_bar_evasion or not besieges(g, seat, there)):
        raise Refused("12.1", "enemy_cus_there", space=there, owner=foes[0])
    owner = g.controller(there)
    if owner not in ("", seat) and not g.has_cus(there, seat):
        raise Refused("12.1", "foreign_space", space=there, owner=owner)
    if not (g.count(way.target, seat) if army is None else army) and not (onwards and g.rules.lone_evader_passes):
        others = [one for place in g.locations_of(there) for one in g.generals_at(place) if one.seat != seat]
        if others:
            raise Refused("12.1", "enemy_general_there", space=there, general=others[0].name)


def besieges(g: Game, seat: str, space: str) -> bool:
    """12.1 Are this player's CUs all that stands before the city?"""
    return g.cus.get(space, {}).keys() == {seat}


def runners(g: Game, way: Way) -> list[General]:
    """16.11 The Independent Generals that evade together."""
    return [one for one in map(g.generals.__getitem__, g.facts.independents)
            if g.on_map(one) and (one.at == way.target or one.mover == EVADING)]


def barred_space(g: Game, way: Way) -> str:
    """12.2 A The adjacent space that the mover came from; nothing is barred when he came by sea or out of a gate (B26)."""
    origin = space_of(way.origin)
    return origin if way.kind in ("land", "mountain", "strait") else ""


def judge_path(g: Game, seat: str, way: Way, path: tuple[str, ...]) -> None:
    """12.2 A One or two spaces, each of them allowed."""
    if len(path) > g.rules.evasion_spaces:
        raise Refused("12.2A", "too_far", spaces=g.rules.evasion_spaces)
    here = space_of(way.target)
    for number, there in enumerate(path, 1):
        judge_step(g, seat, way, here, there, onwards=number < len(path))
        here = there


def destinations(g: Game, seat: str, way: Way) -> Iterator[tuple[str, ...]]:
    """Every way an evading General may take."""
    yield from _onwards(g, seat, way, (space_of(way.target),))


def _onwards(g: Game, seat: str, way: Way, been: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for there in g.board.land_paths(been[-1]):
        if there not in been and is_allowed(g, seat, way, (*been[1:], there)):
            yield (*been[1:], there)
        if there not in been and len(been) < g.rules.evasion_spaces:
            yield from _onwards(g, seat, way, (*been, there))


def is_allowed(g: Game, seat: str, way: Way, path: tuple[str, ...]) -> bool:
    try:
        judge_path(g, seat, way, path)
    except Refused:
        return False
    return True


def may_evade(g: Game, seat: str, way: Way) -> General | None:
    """12.1 The commander of a faction in the location, if he is eligible to attempt it; public facts only."""
    act = g.activation
    if act is None or seat in (way.seat, g.speaks_for(way.seat)) or seat in act.passage:
        return None
    if seat not in g.seats and not g.rules.independents_react:
        return None
    if barred_by_interception(g, act, seat, way) if way.key == act.key else seat != act.seat:    # 23.2 who is struck gets away
        return None
    if not (g.rules.lone_general_evaded or brings_cus(g, act, way)):
        return None
    one = g.commander(way.target, seat)
    if one is None or next(destinations(g, seat, way), None) is None:
        return None
    return one


def brings_cus(g: Game, act: Activation, way: Way) -> bool:
    """12.1 Is it an Army that has come? Who strikes after an interception always is one (23.2)."""
    return way.key != act.key or any(
        unit.past.mover == way.key and (way.kind == "sea" or not unit.past.dropped) for unit in g.units(way.target, way.seat))


def barred_by_interception(g: Game, act: Activation, seat: str, way: Way) -> bool:
    """12.1 Where somebody has intercepted nobody evades, or at least not he."""
    met = {side for space, side in act.intercepted if space == space_of(way.target)}
    return seat in met if g.rules.intercepted_evade == "others" else bool(met)


def could_evade(g: Game, way: Way) -> dict[str, General | None]:
    """12.2 Who is asked, and which of his Generals he could evade with: with none of his own he may pay for others."""
    paying = reactions.payers(g, way) if independents_at(g, way) else []
    able = {seat: may_evade(g, seat, way) for seat in g.turn_order}
    return {seat: one for seat, one in able.items() if one is not None or seat in paying}


# --- 16.11 Independents that evade -------------------------------------------------------------------------------


def independents_at(g: Game, way: Way) -> list[General]:
    """12.1, 16.11 The Independent Generals in the location, if they may evade at all."""
    if not g.rules.independents_react or way.seat == INDEPENDENT or may_evade(g, INDEPENDENT, way) is None:
        return []
    return g.generals_at(way.target, INDEPENDENT)


def judge_independents(g: Game, seat: str, way: Way, order: Order) -> tuple[Order, ...]:
    """12.2, 16.11 Instead of one's own attempt: one of the Generals there tries for all of them."""
    one = reactions.judge_army(g, order.general)
    if one not in independents_at(g, way):
        raise Refused("12.1", "may_not_evade", space=way.target)
    reactions.judge_payer(g, seat, 1)
    return (Order("evade", general=one.name, discarding=True),)


# --- 12.2 Declare and resolve ------------------------------------------------------------------------------------


def number_needed(g: Game, one: General, way: Way, paths: Iterable[tuple[str, ...]]) -> int:
    """12.2 Higher than the Initiative Rating, by the easiest of these ways; a Special Ability may name a lower number."""
    needed = abilities.lowest(g, one, "evade_target") - abilities.enemy_evasion_modifier(g, way.target, way.seat)
    easiest = max((modifier(g, path[0], g.rules.evasion_into_transit) for path in paths), default=0)
    return needed - easiest - cavalry.reaction(g, one, way.target)


def declaration(g: Game, way: Way) -> Question:
    sides = could_evade(g, way)
    generals = {seat: one for seat, one in sides.items() if one is not None}

    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if not answer or answer == PASS:
            return PASS
        one = may_evade(g, side, way)
        if len(answer) != 1 or answer[0].verb != "evade":
            raise Refused("12.2", "evade_or_pass")
        if answer[0].general and g.generals[answer[0].general].seat == INDEPENDENT:
            return judge_independents(g, side, way, answer[0])
        if one is None:
            raise Refused("12.1", "may_not_evade", space=way.target)
        if answer[0].general not in (None, one.name):
            raise Refused("12.2A", "commander_evades", general=answer[0].general, lead=one.name)
        return (Order("evade", general=one.name),)

    def candidates(side: str) -> Iterator[tuple[Order, ...]]:
        yield PASS
        one = may_evade(g, side, way)
        if one is not None:
            yield (Order("evade", general=one.name),)
        for other in independents_at(g, way):
            yield (Order("evade", general=other.name, discarding=True),)

    def about() -> dict[str, object]:
        return {"mover": way.seat, "general": way.key, "space": way.target, "origin": way.origin,
                "generals": {seat: one.name for seat, one in generals.items()},
                "needed": {one.name: number_needed(g, one, way, destinations(g, one.seat, way))
                           for one in (*generals.values(), *independents_at(g, way))},
                "exits": {seat: list(destinations(g, seat, way)) for seat in generals}}

    return Poll(sides, "evasion", "12.2", about=about, read=read, candidates=candidates, default=PASS,
                own_defaults=lost_otherwise(g, way, generals))


def lost_otherwise(g: Game, way: Way, generals: dict[str, General]) -> dict[str, tuple[Order, ...]]:
    """10 I A lone General who stays before CUs is dispersed: his silence means the attempt, which costs nothing."""
    if g.rules.lone_general_rolls == "failed":                                          # there the attempt may kill him
        return {}
    mover = [way.seat] if g.count(way.target, way.seat) else []
    return {seat: (Order("evade", general=one.name),) for seat, one in generals.items() if not g.count(way.target, seat)
            and (caught_by(g, way, seat) if g.rules.anybody_catches else mover)}


def caught_by(g: Game, way: Way, side: str) -> list[str]:
    """10 I Whose CUs disperse the Generals of this side who stay there without CUs: not those of who lets the other pass."""
    granted = g.activation.passage if g.activation is not None else set()
    return [foe for foe in g.sides_at(way.target) if foe != side and g.count(way.target, foe)
            and not (side == way.seat and foe in granted) and not (foe == way.seat and side in granted)]


def evasions(g: Game, way: Way) -> Procedure[None]:
    """12.2, 10 F All declare before any die falls; then each rolls, and goes where it succeeds, in Turn Order."""
    if g.activation is None or g.activation.here != way.target:     # 12.1 not from who withdraws
        return
    declared = yield lambda: declaration(g, way)
    paid = yield from reactions.pay(g, declared)
    runaways = [(seat, order.general) for seat, (order,) in declared.items()
                if order.verb == "evade" and reactions.is_paid(paid, seat, order)]
    for seat, name in runaways:
        one = leader(g, seat, name, way)
        if one is not None:
            g.tell(ALL, "evasion_declared", seat=one.seat, general=one.name, space=space_of(way.target))
    for seat, name in runaways:
        yield from attempt(g, seat, name, way)


def faction(g: Game, asker: str, general: str) -> str:
    """Who evades: the player who decides, or the Independents for whom he has paid (16.11)."""
    return INDEPENDENT if general in g.facts.independents else asker


def leader(g: Game, asker: str, general: str, way: Way) -> General | None:
    """12.2 A The commander of a player's pieces; of Independents the one who was named."""
    if general in g.facts.independents:
        one = g.generals[general]
        return one if one.at == way.target else None
    return g.commander(way.target, asker)


def attempt(g: Game, asker: str, general: str, way: Way) -> Procedure[None]:
    """12.2 One die, by whoever decides for the General."""
    space, seat = space_of(way.target), faction(g, asker, general)
    one = leader(g, asker, general, way)
    if one is None or may_evade(g, seat, way) is None:              # a piece moved in has closed the last way out
        return
    cavalry.tell_reaction(g, one, way.target)
    die, name = g.roll("evasion", space, asker, one.name)
    needed = number_needed(g, one, way, destinations(g, seat, way))
    succeeded = die >= needed
    g.tell(ALL, "evasion_rolled", seat=seat, general=one.name, space=space, die=die, name=name, needed=needed,
           succeeded=succeeded)
    if succeeded:
        yield from evade(g, asker, one.name, way, die)
    else:
        lose_local_troops(g, seat)


def lose_local_troops(g: Game, seat: str) -> None:
    """12.2 B Who tried to evade and failed has no Local Troops in a battle of this Procedure."""
    if g.activation is not None:
        g.activation.evaders.add(seat)


EVADING = "evading"             # marks the pieces on the run, so that those they pass are not counted with them


def evade(g: Game, asker: str, general: str, way: Way, die: int) -> Procedure[None]:
    """12.2 A Everything of the faction in the location goes, one space or two."""
    answer = yield lambda: escape(g, asker, general, way, die)
    seat, lead = faction(g, asker, general), leader(g, asker, general, way)
    if not answer or lead is None:
        return
    get_away(g, seat, way.target)
    at, path = way.target, list[str]()
    for there in answer.path:
        if path and seat != INDEPENDENT and passes_stronghold(g, at):
            yield from cavalry.pass_stronghold(g, seat, at, Group(at, seat, EVADING))
        if path and not may_go_on(g, seat, way, at, there):     # the last CU was lost on the way
            break
        move_on(g, seat, at, there)
        for other in g.generals_at(there):
            if other.seat != seat and g.count(there, seat):     # 12.2 A no attack in the sense of 3.7
                ownership.disperse_general(g, other, seat)
        at = there
        path.append(there)
    settle_down(g, seat, at)
    g.tell(ALL, "evaded", seat=seat, general=lead.name, origin=space_of(way.target), path=path)


def passes_stronghold(g: Game, space: str) -> bool:
    """10 A Evading through an Independent Stronghold counts as entering and leaving it."""
    return g.board.kind(space) == "stronghold" and g.controller(space) == INDEPENDENT


def may_go_on(g: Game, seat: str, way: Way, here: str, there: str) -> bool:
    try:
        judge_step(g, seat, way, here, there, army=bool(Group(here, seat, EVADING).count(g)))
    except Refused:
        return False
    return True


def get_away(g: Game, seat: str, here: str) -> None:
    """12.2 A All Generals, CUs and Royal Family Members of the faction in the location set off, but who may not (8.4)."""
    g.mark(here, seat, dict(g.units(here, seat)), mover=EVADING, dropped=False)
    for one in g.generals_at(here, seat):
        one.mover = EVADING
    for royal in g.royals_at(here, seat):
        if may_be_carried(g, royal.name):
            royal.mover = EVADING


def move_on(g: Game, seat: str, here: str, there: str) -> None:
    units = Group(here, seat, EVADING).units(g)
    if units:
        g.remove(here, seat, units)
        g.add(there, seat, units)
    for one in g.generals_at(here, seat):
        if one.mover == EVADING:
            one.at = there
    for royal in g.royals_at(here, seat):
        if royal.mover == EVADING and units:                    # 8.4 without an Army they stay behind
            royal.at = there


def settle_down(g: Game, seat: str, at: str) -> None:
    """The run is over: who evaded may evade or intercept again; the mover, if it was he, stands here now (23.2)."""
    act = g.activation
    mover = act.key if act is not None and act.seat == seat else ""
    if act is not None and mover:
        act.here, act.entered = at, ""
    g.mark(at, seat, Group(at, seat, EVADING).units(g), mover=mover, dropped=False)
    for one in g.generals.values():
        if one.mover == EVADING:
            one.mover = mover
    for royal in g.royals.values():
        if royal.mover == EVADING:
            royal.mover = mover


def escape(g: Game, asker: str, general: str, way: Way, die: int) -> Question | None:
    """12.2 A Where to? Decided only after the roll has succeeded."""
    seat, one = faction(g, asker, general), leader(g, asker, general, way)
    if one is None:
        return None
    paths = [path for path in destinations(g, seat, way) if die >= number_needed(g, one, way, [path])]
    if not paths:
        return None

    def read(side: str, answer: Order) -> Order:
        if answer.verb != "evade" or not answer.path:
            raise Refused("12.2A", "say_where_to", paths=paths)
        if answer.pieces is not None and not answer.pieces.everything:
            raise Refused("12.2A", "all_must_come", at=way.target)
        path = answer.path[1:] if answer.path[0] == space_of(way.target) else answer.path
        if not path:
            raise Refused("12.2A", "say_where_to", paths=paths)
        judge_path(g, seat, way, path)
        if path not in paths:
            raise Refused("12.2", "die_not_enough", space=path[0], die=die)
        return Order("evade", path=path)

    return Ask(asker, "escape", "12.2A",
               about={"general": one.name, "space": way.target, "mover": way.seat, "paths": paths, "die": die},
               read=read, candidates=lambda side: (Order("evade", path=path) for path in paths),
               default=Order("evade", path=paths[0]))
