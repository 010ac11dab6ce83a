"""7.1, 7.2 F The free acts of the player whose turn it is: Minor Generals come, go and jump, Royals are disbanded, and the
ability of a General that no rule plays is put to the moderator."""

from collections.abc import Iterator

from pbem.base.errors import NotNow, Refused
from pbem.kernel.procedures import Procedure, at_once
from pbem.orders import Order
from pbem.rules import abilities, ownership, prices, ruled
from pbem.rules.activation import is_member, mps_left
from pbem.rules.acts import Act
from pbem.rules.company import appear, pick_minor
from pbem.table.events import ALL
from pbem.table.state import OFF, Game, General, is_at_sea, space_of


def judge_own_turn(g: Game, seat: str, rule: str) -> None:
    """Free acts belong to one's own Player Turn in a Strategy Phase; the last one is over before cards are turned up (6)."""
    if g.turns_over:
        raise NotNow("player_turns_over", rule=rule)
    if seat != g.player or g.phase != "strategy":
        raise NotNow("own_turn_only", seat=seat, player=g.player, rule=rule)


def judge_place_minor(g: Game, seat: str, order: Order) -> Order:
    """7.1 C From off map, or from elsewhere on it, to a location with a CU of one's own."""
    judge_own_turn(g, seat, "7.1C")
    at = order.at
    if not g.count(at, seat):
        raise Refused("7.1C", "no_cu_there", at=at)
    minor = to_reposition(g, seat, order) if order.from_ else None
    judge_not_needed(g, minor)
    if minor is None and order.minor not in (None, "any"):
        minor = g.generals[order.minor]
        if minor.seat != seat or not minor.minor:
            raise Refused("7.1C", "not_your_minor", general=order.minor)
    if minor is None:
        minor = pick_minor(g, seat, "any")
    if minor.at == at:
        raise Refused("7.1C", "already_there", general=minor.name, to=at)
    judge_not_at_sea(g, minor, at)
    return Order("place_minor", minor=minor.name, at=at, from_=minor.at if minor.at != OFF else None)


def judge_not_needed(g: Game, minor: General | None) -> None:
    """10 C, 10 G The leader of an Army that has to move on does not leave it where it may not stay."""
    act = g.activation
    if act is not None and act.must_leave and minor is not None and is_member(g, minor):
        raise Refused(act.must_leave, "must_move_on", general=act.key, at=act.here, left=mps_left(g))


def judge_not_at_sea(g: Game, minor: General, at: str) -> None:
    """13.1 Nobody comes to an Army at sea but who is picked up, and its leader does not leave it there."""
    if is_at_sea(minor.at) or is_at_sea(at):
        raise Refused("13.1", "at_sea", general=minor.name, at=minor.at if is_at_sea(minor.at) else at)


def to_reposition(g: Game, seat: str, order: Order) -> General:
    """The Minor General who stands at the location that the order names."""
    found = [one for one in g.generals.values() if one.minor and one.seat == seat and one.at != OFF
             and order.from_ in (one.at, space_of(one.at)) and order.minor in (None, "any", one.name)]
    if not found:
        raise Refused("7.1C", "no_minor_there", at=order.from_)
    return found[0]


@at_once
def place_minor(g: Game, order: Order) -> None:
    """7.1 C He takes nothing along."""
    appear(g, order.minor, order.at)


def judge_remove_minor(g: Game, seat: str, order: Order) -> Order:
    """7.1 C Off the map again."""
    judge_own_turn(g, seat, "7.1C")
    found = [one for one in g.generals.values() if one.minor and one.seat == seat and one.at != OFF
             and order.minor in (None, "any", one.name) and order.at in (None, one.at)]
    if not found:
        raise Refused("7.1C", "no_minor_there", at=order.at or "")
    judge_not_needed(g, found[0])
    judge_not_at_sea(g, found[0], found[0].at)
    return Order("remove_minor", minor=found[0].name)


@at_once
def remove_minor(g: Game, order: Order) -> None:
    """7.1 C The Minor General goes back off map."""
    ownership.remove_minor(g, g.generals[order.minor], "removed")


def judge_disband(g: Game, seat: str, order: Order) -> Order:
    """7.2 F Royal Army CUs may be disbanded in one's own Player Turn before they move."""
    judge_own_turn(g, seat, "7.2F")
    fresh = sum(number for unit, number in g.units(order.location, seat).items()
                if unit.kind == "royal" and not unit.past.mover and not unit.past.fought)
    if not fresh and g.kinds(order.location, seat)["royal"]:
        raise Refused("7.2F", "royals_have_moved", at=order.location)
    if not 0 < order.number <= fresh:
        raise Refused("7.2F", "too_few_cus", kind="royal", has=fresh, wanted=order.number, at=order.location)
    return order


@at_once
def disband(g: Game, order: Order) -> None:
    """7.2 F Disbanded Royal Army CUs leave the game for good."""
    g.remove_kinds(order.location, g.player, {"royal": order.number}, order=lambda unit: unit.past.mover != "")
    g.tell(ALL, "disbanded", seat=g.player, at=order.location, count=order.number)


def candidate_placements(g: Game, seat: str) -> Iterator[Order]:
    for location in list(g.locations_with_cus(seat)):
        yield Order("place_minor", at=location, minor="any")
        for one in g.generals_of(seat):
            if one.minor and one.at not in (OFF, location):
                yield Order("place_minor", minor=one.name, at=location, from_=one.at)


def candidate_removals(g: Game, seat: str) -> Iterator[Order]:
    return (Order("remove_minor", minor=one.name) for one in g.generals_of(seat) if one.minor and one.at != OFF)


def candidate_disbandings(g: Game, seat: str) -> Iterator[Order]:
    for location in list(g.locations_with_cus(seat)):
        for number in range(1, g.kinds(location, seat)["royal"] + 1):
            yield Order("disband", location=location, number=number)


def judge_command(g: Game, seat: str, order: Order) -> Order:
    """7.1 A Of Generals of one rank the owner says who commands, in his own turn and before one of them has moved."""
    judge_own_turn(g, seat, "7.1A")
    one = g.generals[order.general]
    if not g.rules.ranks or one.minor:
        raise Refused("7.1A", "command_by_seniority", general=one.name)
    if one.seat != seat:
        raise Refused("7.1A", "general_not_yours", general=one.name, owner=one.seat)
    lead = g.commander(one.at, seat) if g.on_map(one) else None
    if lead is None or lead is one:
        raise Refused("7.1A", "commands_already" if lead else "general_not_on_map", general=one.name, at=one.at)
    if lead.minor or g.stars(lead.name) != g.stars(one.name):
        raise Refused("7.1A", "outranked", general=one.name, lead=lead.name)
    if lead.mover and one.mover:
        raise Refused("7.1A", "command_before_moving", general=one.name, lead=lead.name)
    return Order("command", general=one.name)


@at_once
def command(g: Game, order: Order) -> None:
    """7.1 A The two exchange their places."""
    one = g.generals[order.general]
    lead = g.commander(one.at, one.seat)
    assert lead is not None
    one.grade, lead.grade = lead.grade, one.grade
    g.tell(ALL, "command_chosen", seat=one.seat, general=one.name, lead=lead.name, at=one.at)


def candidate_commands(g: Game, seat: str) -> Iterator[Order]:
    return (Order("command", general=one.name) for one in g.generals_of(seat)
            if g.rules.ranks and not one.minor and g.on_map(one))


def judge_use_ability(g: Game, seat: str, order: Order) -> Order:
    """7.1 An own Major General who leads where he stands, and whose card says what no rule plays."""
    judge_own_turn(g, seat, "7.1")
    one = g.generals[order.general]
    if one.seat != seat:
        raise Refused("7.1", "general_not_yours", general=one.name, owner=one.seat)
    if not g.on_map(one):
        raise Refused("7.1", "general_not_on_map", general=one.name, at=one.at)
    if not abilities.by_ruling(g, one):
        raise Refused("7.1", "no_ability_to_rule_on", general=one.name)
    if (lead := g.commander(one.at, seat)) is not one:
        raise Refused("7.1", "ability_of_commander", general=one.name, lead=lead.name if lead is not None else "")
    return order


def use_ability(g: Game, order: Order) -> Procedure[None]:
    """7.1 What his card says; the moderator decides what comes of it."""
    one = g.generals[order.general]
    g.tell(ALL, "ability_called", seat=one.seat, general=one.name)
    yield from ruled.awaited(g, one.seat, abilities.by_ruling(g, one), general=one.name)


def candidate_abilities(g: Game, seat: str) -> Iterator[Order]:
    return (Order("use_ability", general=one.name) for one in g.generals_of(seat) if abilities.by_ruling(g, one))


FREE_ACTS: dict[str, Act] = {
    "place_minor": Act(judge_place_minor, place_minor, candidate_placements, prices.of_leaving_minor),
    "remove_minor": Act(judge_remove_minor, remove_minor, candidate_removals, prices.of_leaving_minor),
    "disband": Act(judge_disband, disband, candidate_disbandings),
    "command": Act(judge_command, command, candidate_commands),
    "use_ability": Act(judge_use_ability, use_ability, candidate_abilities),
}
