"""10 The Land Movement Procedure, letter by letter, for an Army or General that has just come into a space."""

from collections.abc import Callable, Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Poll, Procedure, Question, at_once
from pbem.orders import PASS, Order, Pieces
from pbem.rules import (
    battle,
    counterstroke,
    evasion,
    general_loss,
    interception,
    overrun,
    ownership,
    prestige,
    prices,
    reactions,
    truce,
    victory,
)
from pbem.rules.activation import (
    LAND_TYPES,
    NO_WAY,
    keep_inside_limit,
    move_travellers,
    mps_left,
    travellers,
    travelling_units,
    way_out,
)
from pbem.rules.acts import Price
from pbem.rules.pieces import judge_elephants, judge_named, room_at, too_few
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, Way, space_of


def enter(g: Game, way: Way, asked: tuple[str, ...]) -> Procedure[None]:
    """10 Everything that entering a space may set off, in the order of the rules; it ends where one faction is alone."""
    act = g.activation
    assert act is not None
    act.passage, act.evaders, act.met, act.withdrawn = set(), set(), False, False
    act.intercepting = []
    act.asked = asked
    for step in g.rules.land_movement:
        if is_over(g, way, step):
            break
        yield from STEPS[step](g, way)


# --- a route announced openly --------------------------------------------------------------------------------------


def route_question(g: Game, seat: str, key: str, origin: str, path: tuple[str, ...]) -> Question:
    """One poll for all steps of a route announced openly; what is answered stays sealed until the step it is meant for.

    Asked is everybody who could react at any of its steps as the map stands now. The engine itself takes nothing from
    the answers: the windows of the steps open one by one and find them filed.
    """
    ways = {target: Way(key, seat, here, target, _kind(g, here, target))
            for here, target in zip((origin, *path), path, strict=False)}
    sides = [side for side in g.turn_order if side != seat and any(_may_react(g, side, way) for way in ways.values())]

    def ahead(side: str, place: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        way = ways.get(place)
        if way is None:
            raise Refused("10A", "not_on_the_route", space=place, route=list(path))
        if answer and answer[0].verb in ("evade", "pass", "grant", "refuse"):
            return answer
        return interception.judge_attempts(g, side, way, answer)

    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if answer != PASS:
            raise Refused("10A", "say_at_which_step", route=list(path))
        return answer

    comers = {side: next(((target, g.generals_at(near[0], side)[0].name) for target, way in ways.items()
                          if (near := [one for one in interception.origins(g, side, way) if g.generals_at(one, side)])), ())
              for side in sides}
    return Poll(sides, "route", "10A",
                about={"mover": seat, "general": key, "origin": origin, "route": list(path), "comers": comers},
                read=read, ahead=ahead, candidates=lambda side: iter((PASS,)), default=PASS)


def _kind(g: Game, here: str, target: str) -> str:
    return next((kind for kind in g.board.path_types(here, target) if kind in LAND_TYPES), "land")


def _may_react(g: Game, side: str, way: Way) -> bool:
    if side in reactions.payers(g, way):
        return True
    return bool(interception.origins(g, side, way)) or g.commander(way.target, side) is not None


# --- who is there ------------------------------------------------------------------------------------------------


def opponents(g: Game, way: Way) -> list[str]:
    """Factions beside the mover in the location, without those whose Free Passage is being honoured."""
    return against(g, way, g.sides_at(way.target))


def against(g: Game, way: Way, sides: list[str]) -> list[str]:
    granted = g.activation.passage if g.activation is not None else ()
    return [side for side in sides if side != way.seat and side not in granted]


def is_alone(g: Game, way: Way) -> bool:
    """10 D When all pieces in the location belong to one faction the procedure is over."""
    sides = g.sides_at(way.target)
    return len(sides) <= 1 or way.seat in sides and not against(g, way, sides)


def is_over(g: Game, way: Way, step: str) -> bool:
    """10 D Whatever comes from there on needs somebody else."""
    return step in g.rules.ends_where_alone and (is_alone(g, way) or has_gone_back(g, way))


def has_gone_back(g: Game, way: Way) -> bool:
    """11.3 Who lands where he embarked, is met there and withdraws stands where he stood, and nobody fights for it (R3)."""
    return g.rules.withdrawn_never_fight and g.activation is not None and g.activation.withdrawn and way.origin == way.target


# --- 10 B City ---------------------------------------------------------------------------------------------------


def city_choice(g: Game, way: Way) -> Procedure[None]:
    """10 B The owner of an unbesieged enemy Major City sorts his pieces inside and outside."""
    act = g.activation
    assert act is not None
    space = space_of(way.target)
    owner = g.controller(space)
    if not g.is_city_of_player(space) or owner == way.seat or space in act.besieged or not sortable(g, owner, space):
        return
    answer = yield lambda: sorting_question(g, way, owner, space)
    if not answer:
        return
    if answer == PASS:
        g.tell(ALL, "city_unsorted", seat=owner, space=space)
        return
    for order in answer:
        sort_pieces(g, owner, space, order)
    g.tell(ALL, "city_sorted", seat=owner, space=space, inside=_listed(g, owner, f"{space}/inside"),
           outside=_listed(g, owner, space))


def sortable(g: Game, owner: str, space: str) -> bool:
    """Has the city's owner anything in the space that could be put elsewhere?"""
    places = (space, f"{space}/inside")
    return any(g.count(place, owner) or g.generals_at(place, owner) or g.royals_at(place, owner) for place in places)


def sorting_question(g: Game, way: Way, owner: str, space: str) -> Question | None:
    if not sortable(g, owner, space):
        return None
    return Ask(owner, "city_choice", "10B",
               about={"mover": way.seat, "general": way.key, "space": space, "origin": way.origin,
                      "inside": _listed(g, owner, f"{space}/inside"), "outside": _listed(g, owner, space),
                      "limit": g.rules.inside_limit},
               read=lambda side, answer: judge_sorting(g, owner, space, answer),
               candidates=lambda side: candidate_sortings(g, owner, space),
               default=unguarded(g, owner, space) if g.rules.unguarded_go_inside else PASS)


def unguarded(g: Game, owner: str, space: str) -> tuple[Order, ...]:
    """10 B, 10 I, 8.3 Who stands before his city without CUs would be dispersed or taken there: his silence takes him in."""
    outside = _listed(g, owner, space)
    return PASS if outside == Pieces.of() or outside.count() else (Order("sort_inside", pieces=outside),)


def _listed(g: Game, seat: str, location: str) -> Pieces:
    return Pieces.of([one.name for one in g.generals_at(location, seat)], g.kinds(location, seat),
                     [royal.name for royal in g.royals_at(location, seat)])


def judge_sorting(g: Game, owner: str, space: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
    """10 B, 9.4 Any combination, at most 2 CUs inside, the Royal Family without a General too (B18).

    `inside ...` and `outside ...` name what goes there.
    """
    if answer == PASS:
        return answer
    free = room_at(g, f"{space}/inside", owner)
    read = []
    for order in answer:
        if order.verb not in ("sort_inside", "sort_outside"):
            raise Refused("10B", "sorting_wanted", space=space)
        to_inside = order.verb == "sort_inside"
        if not to_inside and g.activation is not None:
            truce.judge(g, owner, g.activation.seat, "3.7")
        here, there = (space, f"{space}/inside") if to_inside else (f"{space}/inside", space)
        pieces = _listed(g, owner, here) if order.pieces.everything else order.pieces
        both = g.kinds(here, owner) + g.kinds(there, owner)         # who is named, but there already, has nowhere to go
        judge_named(pieces, both, too_few("10B", both, here))
        for name in pieces.generals:
            if g.generals[name].seat != owner or space_of(g.generals[name].at) != space:
                raise Refused("10B", "not_in_the_location", piece=name, at=space)
        for name in pieces.royals:
            if g.royals[name].seat != owner or space_of(g.royals[name].at) != space:
                raise Refused("10B", "not_in_the_location", piece=name, at=space)
        pieces = Pieces.of([name for name in pieces.generals if g.generals[name].at == here],
                           {kind: min(number, g.kinds(here, owner)[kind]) for kind, number in pieces.cus},
                           [name for name in pieces.royals if g.royals[name].at == here])
        judge_elephants(g, there, dict(pieces.cus))
        free -= pieces.count() if to_inside else -pieces.count()
        read.append(Order(order.verb, pieces=pieces))
    if free < 0:
        raise Refused("9.4", "city_is_full", space=space, room=g.rules.inside_limit, wanted=g.rules.inside_limit - free)
    moving = [order for order in read if order.pieces != Pieces.of()]
    return tuple(moving) or PASS


def candidate_sortings(g: Game, owner: str, space: str) -> Iterator[tuple[Order, ...]]:
    """As it stands, all out, and every pair of what may go in."""
    yield PASS
    inside, outside = _listed(g, owner, f"{space}/inside"), _listed(g, owner, space)
    if inside != Pieces.of():
        yield (Order("sort_outside", pieces=inside),)
    kinds = dict(outside.cus)
    for cus in pairs(kinds, g.rules.inside_limit - inside.count()):
        yield (Order("sort_inside", pieces=Pieces.of(outside.generals, cus, outside.royals)),)
        if cus:
            yield (Order("sort_inside", pieces=Pieces.of(cus=cus)),)
        if inside != Pieces.of():
            yield (Order("sort_outside", pieces=inside), Order("sort_inside", pieces=Pieces.of(
                outside.generals, cus, outside.royals)))
    for name in outside.royals:
        yield (Order("sort_inside", pieces=Pieces.of(royals=[name])),)


def pairs(kinds: dict[str, int], room: int) -> Iterator[dict[str, int]]:
    """Every way to choose at most `room` CUs."""
    if room >= 2:
        for one in kinds:
            for other in kinds:
                if one < other:
                    yield {one: 1, other: 1}
                elif one == other and kinds[one] >= 2:
                    yield {one: 2}
    if room >= 1:
        yield from ({kind: 1} for kind in kinds)
    yield {}


def sort_pieces(g: Game, owner: str, space: str, order: Order) -> None:
    here, there = (space, f"{space}/inside") if order.verb == "sort_inside" else (f"{space}/inside", space)
    g.add(there, owner, g.remove_kinds(here, owner, dict(order.pieces.cus)))
    for name in order.pieces.generals:
        g.generals[name].at = there
    for name in order.pieces.royals:
        g.royals[name].at = there


# --- 10 C Free Passage -------------------------------------------------------------------------------------------


def judge_passage(g: Game, seat: str, asked: str, target: str, left: int, cus: int) -> None:
    """10 C Asked of a player whose pieces stand there, not at a Major City, and only by who can leave again with all his CUs, a
    lone General too, with the MPs that entering left (B20)."""
    if asked == INDEPENDENT:
        raise Refused("10C", "independents_grant_nothing", space=target)
    if g.board.kind(target) == "major" and not g.rules.passage_in_cities:
        raise Refused("10C", "no_passage_in_cities", space=target)
    if asked == seat or asked not in g.sides_at(target):
        raise Refused("10C", "nobody_to_ask", of=asked, space=target)
    if (needed := way_out(g, target, seat, cus)) == NO_WAY:
        raise Refused("10C", "no_way_out", space=target)
    if left < needed:
        raise Refused("10C", "cannot_leave", space=target, left=left, needed=needed)


def free_passage(g: Game, way: Way) -> Procedure[None]:
    """10 C Those asked grant it or not; whoever it is granted to may still break it, and then has to fight."""
    act = g.activation
    assert act is not None
    asked = [side for side in act.asked if side in g.sides_at(way.target)]
    if not asked:
        return
    act.must_leave = "10C"                                      # nobody slips away while it is asked
    g.tell(ALL, "passage_asked", seat=way.seat, of=asked, space=way.target)
    answers = yield lambda: passage_question(g, way, asked)
    granted = []
    for side, (answer,) in answers.items():
        if answer.verb == "grant":
            granted.append(side)
        g.tell(ALL, "passage_granted" if answer.verb == "grant" else "passage_refused",
               seat=side, mover=way.seat, space=way.target)
    act.must_leave = ""
    if not granted:
        return
    act.must_leave = "10C"
    answer = (yield lambda: honour_question(g, way, granted)) if g.rules.mover_breaks_passage else Order("honour")
    if not answer:
        return
    g.tell(ALL, "passage_honoured" if answer.verb == "honour" else "passage_broken",
           seat=way.seat, of=granted, space=way.target)
    if answer.verb == "honour":
        act.passage = set(granted)
        act.must_leave = "10C"
    else:
        act.must_leave = ""
        act.stopped = True                                      # not honoured: the Army has to stop


def passage_question(g: Game, way: Way, asked: list[str]) -> Question:
    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if len(answer) == 1 and answer[0].verb in ("grant", "refuse"):
            return answer
        if answer == PASS:
            return (Order("refuse"),)
        raise Refused("10C", "grant_or_refuse")

    return Poll([side for side in g.turn_order if side in asked and side in g.sides_at(way.target)], "free_passage", "10C",
                about={"mover": way.seat, "general": way.key, "space": way.target, "left": mps_left(g),
                       "breakable": g.rules.mover_breaks_passage},
                read=read, candidates=lambda side: iter(((Order("refuse"),), (Order("grant"),))), default=(Order("refuse"),))


def honour_question(g: Game, way: Way, granted: list[str]) -> Question | None:
    """Only while those who granted it are still there."""
    if not any(side in g.sides_at(way.target) for side in granted):
        return None

    def read(side: str, answer: Order) -> Order:
        if answer.verb in ("honour", "break"):
            return answer
        raise Refused("10C", "honour_or_break")

    def costs(side: str, answer: Order) -> list[Price]:
        foes = [foe for foe in granted if g.count(way.target, foe)]
        broken = answer.verb == "break" and g.count(way.target, way.seat)
        return prices.of_staying(g, way.seat, foes, space_of(way.target)) if broken else []

    return Ask(way.seat, "passage_honoured", "10C", about={"of": granted, "space": way.target, "general": way.key},
               read=read, candidates=lambda side: iter((Order("honour"), Order("break"))), default=Order("honour"), costs=costs)


# --- 10 D, E Interceptions and Withdrawal ------------------------------------------------------------------------


def withdrawal(g: Game, way: Way) -> Procedure[None]:
    """10 E, 11.3 After a successful interception the moving Army may back up; its General loses his MPs."""
    act = g.activation
    assert act is not None
    if act.here != way.target or not act.met or way.seat == INDEPENDENT and not g.rules.independents_withdraw:
        return
    if not (travelling_units(g) or g.rules.lone_general_withdraws):
        return
    answer = yield lambda: withdrawal_question(g, way)
    if answer and answer.verb == "withdraw":
        withdraw(g, way)
    elif answer:
        g.tell(ALL, "stood", seat=way.seat, space=space_of(way.target))


def withdrawal_question(g: Game, way: Way) -> Question | None:
    if way.seat not in g.sides_at(way.target) or not opponents(g, way):
        return None

    def read(side: str, answer: Order) -> Order:
        if answer.verb in ("withdraw", "stay"):
            return answer
        raise Refused("11.3", "withdraw_or_stay", origin=way.origin)

    def costs(side: str, answer: Order) -> list[Price]:
        return champion_price(g, way) if answer.verb == "stay" else dispersal_price(g, way)

    return Ask(g.speaks_for(way.seat), "withdrawal", "11.3",
               about={"space": way.target, "origin": way.origin, "general": way.key, "against": opponents(g, way)},
               read=read, candidates=lambda side: iter((Order("withdraw"), Order("stay"))),
               default=Order("stay" if dispersal_price(g, way) else "withdraw"), costs=costs)


def champion_price(g: Game, way: Way) -> list[Price]:
    """3.7 What standing here with CUs would cost a Champion."""
    foes = [side for side in opponents(g, way) if g.count(way.target, side)]
    return prices.of_staying(g, way.seat, foes, space_of(way.target)) if g.count(way.target, way.seat) else []


def dispersal_price(g: Game, way: Way) -> list[Price]:
    """7.2 A CUs that go back without a General to where neither he nor a PC shows whose they are."""
    going = sum(travelling_units(g).values())
    if not going or way.seat not in g.seats or travellers(g) or ownership.is_owned(g, way.origin, way.seat):
        return []
    return [("7.2A", "costs_unowned", {"at": way.origin, "count": going})]


def withdraw(g: Game, way: Way) -> None:
    """11.3 Back the way they came, whoever stands there (R3), Independents into their box. Nobody intercepts that."""
    act = g.activation
    assert act is not None
    move_travellers(g, way.origin)
    act.stopped = act.withdrawn = True
    act.must_leave = ""
    act.entered = ""
    g.tell(ALL, "withdrew", seat=way.seat, general=way.key, origin=space_of(way.target), space=way.origin)
    keep_inside_limit(g, way.origin, way.seat)


# --- 10 G to I -----------------------------------------------------------------------------------------------------


@at_once
def general_vs_general(g: Game, way: Way) -> None:
    """10 G Lone Generals may pass each other but not stay: the mover goes on, or backs up where he cannot."""
    act = g.activation
    assert act is not None
    if act.here != way.target or g.sides_with_cus(way.target) or not travellers(g):
        return
    if mps_left(g) >= way_out(g, space_of(way.target), way.seat, 0) or way.kind == "gate":
        act.must_leave = "10G"
        g.tell(ALL, "must_go_on", seat=way.seat, general=way.key, space=way.target)
    else:
        for one in g.generals_at(way.target, way.seat):             # "all faction's Generals"
            if one.mover in ("", act.key) and not one.dropped and not one.minor:
                one.mover = act.key
        withdraw(g, way)                                            # B21: the way back is that of 11.3


@at_once
def champion_status(g: Game, way: Way) -> None:
    """10 H A Champion who stands with CUs before CUs of a Champion that is not the Usurper becomes a Successor now."""
    if g.count(way.target, way.seat) and way.seat in g.seats:       # B7: a lone General attacks nobody
        for side in opponents(g, way):
            if g.count(way.target, side):
                victory.attack(g, way.seat, side, "10H", space_of(way.target))


def army_vs_general(g: Game, way: Way) -> Procedure[None]:
    """10 I Generals without friendly CUs in a location with enemy CUs are dispersed."""
    for side in g.sides_at(way.target):
        if g.count(way.target, side) or not g.generals_at(way.target, side):
            continue
        foes = evasion.caught_by(g, way, side)
        if not foes:
            continue
        majors = [one for one in g.generals_at(way.target, side) if not one.minor]
        by = way.seat if way.seat in foes else foes[0]
        if majors and by == way.seat and g.rules.catching_is_attack and g.segment in ("tyche", "activation"):
            victory.attack(g, by, side, "10I", space_of(way.target))    # B9
        for name in [one.name for one in g.generals_at(way.target, side)]:
            if lone_general_dies(g, name, way):
                yield from general_loss.kill(g, name)
            if g.generals[name].at == way.target:                       # alive, or saved by a card
                ownership.disperse_general(g, g.generals[name], by)


def lone_general_dies(g: Game, name: str, way: Way) -> bool:
    """10 I Where a Major General rolls for his life whom an Army has caught; who goes to one himself has only its word."""
    act, deadly = g.activation, general_loss.deadly_if_caught(g, g.generals[name])
    went_himself = g.generals[name].seat == way.seat and act is not None and not act.met
    if not deadly or went_himself and not g.rules.lone_general_meets_army:
        return False
    if g.rules.lone_general_rolls == "failed" and (act is None or g.generals[name].seat not in act.evaders):
        return False
    die, roll = g.roll("lone_general", space_of(way.target), name)
    g.tell(ALL, "general_loss_rolled", seat=g.generals[name].seat, general=name, space=space_of(way.target), die=die, name=roll,
           total=0, killed_on=deadly, killed=die in deadly)
    return die in deadly


def armies_meet(g: Game, way: Way) -> list[str]:
    """The factions whose CUs stand against the mover's CUs."""
    return [side for side in opponents(g, way) if g.count(way.target, side)] if g.count(way.target, way.seat) else []


STEPS: dict[str, Callable[[Game, Way], Procedure[None]]] = {
    "city_choice": city_choice,
    "free_passage": free_passage,
    "interception": interception.interceptions,
    "counterstroke": counterstroke.counterstroke,
    "withdrawal": withdrawal,
    "evasion": evasion.evasions,
    "general_vs_general": general_vs_general,
    "champion_status": champion_status,
    "army_vs_general": army_vs_general,
    "overrun": lambda g, way: overrun.overrun(g, way, armies_meet(g, way)),
    "royal_army": lambda g, way: prestige.royal_army(g, way, armies_meet(g, way)),
    "land_battle": lambda g, way: battle.land_battle(g, way, armies_meet(g, way)),
}
