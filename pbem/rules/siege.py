"""15 Sieges: of Major Cities of other players, and of Independent spaces. 9.3 C on the march, 6.1 step 3 for free."""

from collections import Counter
from collections.abc import Callable, Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Procedure
from pbem.orders import Order, Pieces
from pbem.rules import (
    abilities,
    activation,
    battle_losses,
    capital,
    cavalry,
    company,
    hand,
    movement,
    ownership,
    prestige,
    prices,
    surprise,
    truce,
    victory,
)
from pbem.rules.acts import Act
from pbem.rules.attrition import CHEAPEST_FIRST, Group, lose
from pbem.rules.pieces import handfuls, judge_named
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, General, Unit, by_kind, is_inside, space_of

# --- 15.1 Besieged and besieging ---------------------------------------------------------------------------------


def may_be_besieged(g: Game, space: str, seat: str) -> bool:
    """15.1 Another player's Major City, or any Independent space."""
    owner = g.controller(space)
    return owner == INDEPENDENT or owner not in ("", seat) and g.board.kind(space) == "major"


def judge_target(g: Game, seat: str, space: str) -> None:
    """15, 9.3 C What can be besieged at all."""
    owner = g.controller(space)
    if not owner:
        raise Refused("15.1", "nothing_to_besiege", space=space)
    if owner == seat:
        raise Refused("15.1", "own_space", space=space)
    if not may_be_besieged(g, space, seat):
        raise Refused("15.1", "minor_city_is_not_besieged", space=space, owner=owner)
    truce.judge(g, seat, owner, "3.7")


# --- 15.2 A Requirements -----------------------------------------------------------------------------------------


def judge_siege(g: Game, seat: str, order: Order) -> Order:
    """15.2 A, 9.3 C An Army with 3 CUs (B33) that nobody else moved, that were not dropped off and did not fight."""
    one = besieger(g, seat, order)
    if g.segment != "surrender":
        activation.judge_ashore(g, one)
    space = order.space or space_of(one.at)
    if space_of(one.at) != space:
        raise Refused("15.2A", "not_in_the_location", piece=one.name, at=space)
    if is_inside(one.at):
        raise Refused("15.2A", "outside_first", general=one.name, space=space)
    judge_target(g, seat, space)
    judge_times(g, space, one.name)
    judge_cus(g, one, order.pieces)
    if g.segment != "surrender":
        judge_mps(g, one, order.pieces)
    if order.card:
        judge_traitor(g, seat, space, order.card)
    pieces = order.pieces
    return Order("siege", space=space, general=one.name, pieces=pieces if pieces is not None and pieces.cus else None,
                 card=order.card)


def judge_traitor(g: Game, seat: str, space: str, card: str) -> None:
    """15.2 B Of the Surprise cards the one that opens a gate of a Major City; it comes with the Siege, just before its die."""
    if g.facts.cards[card]["effect_key"] != "siege_bonus":
        raise Refused("15.2B", "no_siege_card", card=card)
    if g.board.kind(space) != "major":
        raise Refused("15.2B", "traitor_needs_city", card=card, space=space)
    hand.judge_holds(g, seat, card)


def besieger(g: Game, seat: str, order: Order) -> General:
    """15.2 A Who conducts it: the General named, the active one, or whoever commands before the city."""
    if g.segment == "surrender":
        one = g.generals.get(order.general) if order.general else g.commander(order.space or "", seat)
        if one is None:
            raise Refused("15.2A", "general_before_it", space=order.space)
        return activation.own_general(g, seat, one.name)
    act = g.activation
    one = activation.judge_activation(g, seat, order.general or movement.leader_at(g, seat, order.space))
    if act is not None and one.name == act.key:
        activation.judge_may_stop(g)
    return one


def judge_times(g: Game, space: str, general: str) -> None:
    """15.2 A Once in a Surrender Segment, else twice, and both times by the same Army."""
    key = activation.army_key(g, g.generals[general])
    by, times = g.sieges.get(space, (key, 0))
    most = g.facts.tables["siege"]["attempts_per_segment"][g.segment]
    if times >= most:
        raise Refused("15.2A", "besieged_enough", space=space, times=times)
    if by != key:
        raise Refused("15.2A", "another_army_besieged", space=space, by=by)


def fit_units(g: Game, one: General) -> dict[Unit, int]:
    """15.2 A The CUs that may be counted: not moved by another General, not dropped off, and they did not fight (B23)."""
    key = activation.army_key(g, one)
    return {unit: number for unit, number in g.units(one.at, one.seat).items()
            if unit.past.mover in ("", key) and not unit.past.dropped and not unit.past.fought}


def fit_kinds(g: Game, one: General) -> Counter[str]:
    fit = by_kind(fit_units(g, one))
    return fit - g.apart[one.at] if one.at in g.apart else fit


def judge_cus(g: Game, one: General, pieces: Pieces | None) -> None:
    """15.2 A Three of them besiege."""
    fit, wanted = fit_kinds(g, one), g.facts.tables["siege"]["min_cus"]
    there = g.kinds(one.at, one.seat)
    if pieces is not None and pieces.cus:
        judge_named(pieces, fit, lambda kind, number: Refused(
            "15.2A", "cus_not_fit", kind=kind, fit=fit[kind], has=there[kind]))
        fit = Counter(dict(pieces.cus))
    number = fit.total()
    loyal = number - fit["royal"]
    if loyal < min(number, wanted) and not g.rules.royals_always_besiege and not royals_besiege(g, one, space_of(one.at)):
        raise Refused("16.6", "royals_do_not_besiege", space=space_of(one.at), has=loyal, needed=wanted)
    if number < wanted:
        raise Refused("15.2A", "cus_needed", space=space_of(one.at), has=number, needed=wanted, there=there.total())


def royals_besiege(g: Game, one: General, space: str) -> bool:
    """16.6 Royal Army CUs of a besieger with less Prestige than the city do not count."""
    return prestige.prestige(g, one.at, one.seat) >= prestige.prestige(g, f"{space}/inside", g.controller(space))


def least(fresh: Counter[str], missing: int) -> Counter[str]:
    """Of the CUs that nobody has moved, the cheapest; the Silver Shields are never split (7.2 D)."""
    cus: Counter[str] = Counter()
    for kind in CHEAPEST_FIRST:
        if missing > 0:
            cus[kind] = fresh[kind] if kind == "silver" else min(missing, fresh[kind])
            missing -= cus[kind]
    return +cus


def judge_mps(g: Game, one: General, pieces: Pieces | None) -> None:
    """9.3 C A Siege costs 2 MPs, with Cavalry perhaps less (16.9)."""
    lead = max(activation.travellers(g) or [one], key=lambda other: other.grade) if is_active(g, one) else one
    left, cost = company.mps_left_for(g, one, lead), cavalry.siege_mps(g, space_of(one.at), pieces)
    if cost > left:
        raise Refused("9.3C", "too_few_mps", general=one.name, cost=cost, left=left, target=space_of(one.at), ends=[])


def is_active(g: Game, one: General) -> bool:
    act = g.activation
    return act is not None and (act.key == one.name or activation.is_member(g, one))


# --- 15.2 Conducting a Siege -------------------------------------------------------------------------------------


def siege(g: Game, order: Order) -> Procedure[None]:
    """15.2 Champion status first (3.7), then the die, the Siege Points, and what they cost."""
    one, space = g.generals[order.general], order.space
    seat, at = one.seat, one.at
    besiegers = dict(order.pieces.cus) if order.pieces is not None else dict(fit_kinds(g, one))
    if g.segment != "surrender":
        engage(g, one, order.pieces)
    key = activation.army_key(g, one)
    g.sieges[space] = (key, g.sieges.get(space, (key, 0))[1] + 1)
    owner = g.controller(space)
    if g.board.kind(space) == "major":
        victory.attack(g, seat, owner, "15.2", space)
    if order.card:
        yield from traitor(g, seat, space, order.card)
    rides_off = cavalry.storms(g, owner, space, order.pieces)
    points, loss = roll(g, order.general, seat, space, besiegers, rides_off)
    if points:
        yield from add_points(g, seat, space, points)
    if loss and rides_off and not g.rules.cavalry_dies:
        cavalry.ride_off(g, at, seat, loss)
    else:
        if loss and rides_off:
            loss -= cavalry.fall(g, at, seat)
        if loss:
            yield from lose(g, seat, Group(at, seat), loss, False, "siege")
    ownership.end_of_procedure(g)


def traitor(g: Game, seat: str, space: str, card: str) -> Procedure[None]:
    """15.2 B The card is played like any Surprise card, and may be cancelled before the die falls (6.2)."""
    yield from surprise.play(g, seat, Order("play", card=card, how="surprise", target=("space", space)))


def engage(g: Game, one: General, pieces: Pieces | None) -> None:
    """9.3 C, 15.2 A The besieging CUs count as moved by their General, who spends 2 MPs."""
    act = activation.begin(g, one.name)
    act.spent += cavalry.siege_mps(g, space_of(one.at), pieces)
    one.mover = act.key
    moved = by_kind({unit: number for unit, number in fit_units(g, one).items() if unit.past.mover})
    if pieces is not None:
        joining = Counter(dict(pieces.cus)) - moved
    else:
        joining = least(fit_kinds(g, one) - moved, g.facts.tables["siege"]["min_cus"] - moved.total())
    if joining:
        g.mark(one.at, one.seat, g.chosen(one.at, one.seat, joining, order=lambda unit: (
            unit.past.mover != "" or unit.past.fought or unit.past.dropped, unit.past)), mover=act.key)


def roll(g: Game, general: str, seat: str, space: str, cus: dict[str, int], rides_off: bool) -> tuple[int, int]:
    """15.2 B One die with its modifiers on the Siege Table: points gained, CUs lost."""
    die, name = g.roll("siege", space, seat)
    given = list(modifiers(g, seat, space))
    total = die + sum(number for _, number in given)
    if g.board.kind(space) == "major" and g.traitor == seat:
        g.traitor = ""
    reading = g.reading(name)
    points, loss = read(reading) if reading is not None else result_of(g, total)
    g.tell(ALL, "siege_rolled", seat=seat, general=general, space=space, cus=cus, die=die, name=name, modifiers=given,
           total=total, result=f"{points or '-'}/{loss or '-'}", points=points, loss=loss, rides_off=rides_off)
    return points, loss


def read(text: str) -> tuple[int, int]:
    """`1/-` as it is printed."""
    points, _, loss = text.replace("-", "0").partition("/")
    return int(points), int(loss or 0)


def result_of(g: Game, total: int) -> tuple[int, int]:
    """15.2 B The entry of the Siege Table."""
    for row in g.facts.tables["siege"]["rows"]:
        if (row["min"] is None or total >= row["min"]) and (row["max"] is None or total <= row["max"]):
            return row["points"], row["loss"]
    raise ValueError(total)


# --- 15.2 B Modifiers --------------------------------------------------------------------------------------------


def without_fleet(g: Game, seat: str, space: str) -> bool:
    """15.2 B A Major City with a port cannot be sealed off without a Fleet that is available (7.4)."""
    return g.board.kind(space) == "major" and g.board.is_port(space) and not any(
        fleet.seat == seat and not fleet.dispersed for fleet in g.fleets.values())


APPLIES: dict[str, Callable[[Game, str, str], bool]] = {
    "port_without_fleet": without_fleet,
    "rhodos": lambda g, seat, space: space == "rhodos",
    "memphis": lambda g, seat, space: space == "memphis",
    "babylon": lambda g, seat, space: space == "babylon",
    "city_map_modifier": lambda g, seat, space: g.board.siege_mod(space) != 0,
    "helepolis": lambda g, seat, space: (                           # 7.2 G (B2): a piece that stays, and no CU
        g.board.kind(space) == "major" and space_of(g.helepolis) == space and g.helepolis_by in ("", seat)),
    "traitor_inside_city": lambda g, seat, space: g.board.kind(space) == "major" and g.traitor == seat,
}


def modifiers(g: Game, seat: str, space: str) -> Iterator[tuple[str, int]]:
    """15.2 B What is added to the die, each with its reason."""
    values = {one["key"]: one["value"] for one in g.facts.tables["siege"]["modifiers"]}
    for key in g.rules.siege_modifiers:
        if APPLIES[key](g, seat, space):
            yield key, g.board.siege_mod(space) if values[key] == "map" else values[key]
    bonus = abilities.siege_modifier(g, space, seat)
    if bonus:
        yield abilities.key_of(g, space, seat), bonus
    owner = g.controller(space)
    against = abilities.enemy_siege_modifier(g, space, owner)
    if against:
        yield abilities.key_of(g, f"{space}/inside", owner), against


# --- 15.2 to 15.4 Siege Points -----------------------------------------------------------------------------------


def needed(g: Game, space: str) -> int:
    """15.4 How many Siege Points take the space."""
    owner = g.controller(space)
    if g.rules.capital_points and space in g.capitals.values():
        return int(g.rules.capital_points)
    garrison = None if owner == INDEPENDENT else g.count(f"{space}/inside", owner)
    return int(g.rules.siege_points(g.board.kind(space), garrison))


def add_points(g: Game, seat: str, space: str, points: int) -> Procedure[None]:
    """15.2 B The Siege goes on; Royal Army CUs inside weigh their loyalty, then the space may fall."""
    by, old = g.siege_points.get(space, (seat, 0))
    old = old if by == seat else 0
    absorbing = g.rules.garrison_absorbs and g.board.kind(space) == "major"
    free = min(points, max(0, needed(g, space) - 1 - old)) if absorbing else points
    if free:
        mark(g, seat, space, old, old + free)
        if g.rules.royals_weigh_siege == "every" or not old:
            weigh_loyalty(g, seat, space)
    if points > free:
        rest = yield from absorbed(g, space, points - free)
        mark(g, seat, space, old + free, old + free + rest)
    if g.siege_points.get(space, ("", 0))[1] >= needed(g, space):
        yield from complete(g, seat, space)


def mark(g: Game, seat: str, space: str, old: int, new: int) -> None:
    """15.2 B The marker beside the space."""
    g.siege_points[space] = (seat, new)
    g.tell(ALL, "siege_points_changed", seat=seat, space=space, old=old, new=new, needed=needed(g, space))


def absorbed(g: Game, space: str, points: int) -> Procedure[int]:
    """16.5 Instead of each point that would take the city a CU inside dies (B41). How many points are left to be added?"""
    owner = g.controller(space)
    for left in range(points, 0, -1):
        if not g.count(f"{space}/inside", owner):
            return left
        yield from lose(g, owner, Group(f"{space}/inside", owner), 1, False, "siege")
    return 0


def weigh_loyalty(g: Game, seat: str, space: str) -> None:
    """7.2 F Royal Army CUs inside go over at once to a besieger with more Prestige when a Siege Point is added (R10)."""
    owner, inside = g.controller(space), f"{space}/inside"
    if owner not in g.seats or not g.kinds(inside, owner)["royal"]:
        return
    if g.rules.prestige_in_sieges == "both":
        values = prestige.compare(g, space, [(owner, inside, False), (seat, space, False)])
    else:
        values = {side: victory.legitimacy(g, side) for side in (owner, seat)}
        if g.rules.prestige_in_sieges == "inside":
            values[owner] = prestige.prestige(g, inside, owner)
        g.tell(ALL, "legitimacy_compared", space=space, totals=values)
    if values[owner] < values[seat]:
        prestige.defect(g, owner, inside, seat, space)


def complete(g: Game, seat: str, space: str) -> Procedure[None]:
    """15.4 Whatever is inside suffers like a beaten Army, PC and Siege Points go; points to spare are lost."""
    owner = g.controller(space)
    g.tell(ALL, "siege_completed", seat=seat, space=space, owner=owner, segment=g.segment)
    g.siege_points.pop(space, None)
    if g.helepolis and space_of(g.helepolis) == space:
        g.helepolis = g.helepolis_by = ""
    yield from garrison_lost(g, space, owner, seat)
    g.fallen.add(space)
    g.set_pc(space, "")
    capital.fall(g, space, seat)


def garrison_lost(g: Game, space: str, side: str, by: str) -> Procedure[None]:
    """9.4, 15.4 Whoever is inside a city that is his no longer suffers as if he had lost a Land Battle (14.9)."""
    inside = f"{space}/inside"
    if g.count(inside, side) or g.generals_at(inside, side) or g.royals_at(inside, side):
        if by == INDEPENDENT and g.rules.garrison_leaves:
            leave_city(g, side, space)
            return
        g.tell(ALL, "garrison_lost", seat=side, space=space)
        yield from battle_losses.beaten(g, side, inside, by, "")


def leave_city(g: Game, side: str, space: str) -> None:
    """9.4 Everybody inside comes out before the walls."""
    inside = f"{space}/inside"
    g.tell(ALL, "garrison_left", seat=side, space=space)
    g.add(space, side, g.remove_kinds(inside, side, dict(g.kinds(inside, side))))
    for general in g.generals_at(inside, side):
        general.at = space
    for royal in g.royals_at(inside, side):
        royal.at = space


# --- what can be thought of --------------------------------------------------------------------------------------


def candidates(g: Game, seat: str) -> Iterator[Order]:
    """Each General before something that can be besieged."""
    for one in movement.ready(g, seat):
        space = space_of(one.at)
        if g.on_map(one) and not is_inside(one.at) and may_be_besieged(g, space, seat):
            yield Order("siege", space=space, general=one.name)
            if cavalry.may_storm(g, g.controller(space), space) and (rider := one_rider(g, one)).number_of(cavalry.CAVALRY):
                yield Order("siege", space=space, general=one.name, pieces=rider)
            for card in g.secret.hand(seat) if g.secret is not None and g.board.kind(space) == "major" else ():
                if g.facts.cards[card]["effect_key"] == "siege_bonus":
                    yield Order("siege", space=space, general=one.name, card=card)


def one_rider(g: Game, one: General) -> Pieces:
    """16.9 One Cavalry CU among those who besiege."""
    fit = fit_kinds(g, one)
    rider = Counter({"cavalry": min(1, fit["cavalry"])})
    return Pieces.of(cus=rider + least(fit - rider, g.facts.tables["siege"]["min_cus"] - rider.total()))


def rare(g: Game, seat: str) -> Iterator[Order]:
    """Every handful of CUs that could besiege."""
    for one in g.generals_of(seat):
        space = space_of(one.at)
        if g.on_map(one) and not is_inside(one.at) and may_be_besieged(g, space, seat):
            for pieces in handfuls(Pieces.of(cus=g.kinds(one.at, seat))):
                yield Order("siege", space=space, general=one.name, pieces=pieces)


ACT = Act(judge_siege, siege, candidates, prices.of_siege, rare)
