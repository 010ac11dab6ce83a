"""Events that give and take what a Faction has beside the map, in the order of the deck: 15, 28, 37, 38."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import at_once
from pbem.orders import Order, Pieces
from pbem.rules import reinforcements, victory
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import DISPERSED, NOT_IN_PLAY, Game, space_of

EFFECTS: Effects = {}

# --- 15 Condemnation ---------------------------------------------------------------------------------------------


def famous(g: Game, seat: str) -> list[str]:
    """The living Major Generals of other players."""
    return [one.name for side in g.others(seat) for one in g.generals_of(side)
            if not one.minor and (g.on_map(one) or one.at == DISPERSED)]


def judge_condemnation(g: Game, seat: str, order: Order) -> Order:
    """A Major General of another player, the one who is condemned now not excepted."""
    return targets.played(order, target=("general", targets.general(g, order, famous(g, seat))))


@at_once
def condemnation(g: Game, seat: str, order: Order) -> None:
    """While he is condemned his Faction has less Legitimacy: as much as it really had to lose (3.6, B38)."""
    one = g.generals[order.target[1]]
    lost = min(-targets.parameters(g, order)["legitimacy"], victory.legitimacy(g, one.seat))
    g.condemned[one.name] = lost
    g.tell(ALL, "condemned", seat=one.seat, general=one.name, lost=lost)


def lift(g: Game) -> None:
    """6.2 A Whenever the card is used again what was lost comes back first, and may win the game (3.1)."""
    for name, lost in list(g.condemned.items()):
        del g.condemned[name]
        g.tell(ALL, "condemnation_lifted", seat=g.generals[name].seat, general=name, regained=lost)
    victory.settle(g)


EFFECTS["condemn_general"] = Card(
    judge_condemnation, condemnation, lambda g, seat: targets.on_generals(famous(g, seat)), lift)


# --- 28 Kilikia Pirates ------------------------------------------------------------------------------------------


def judge_pirates(g: Game, seat: str, order: Order) -> Order:
    """From anywhere but from oneself."""
    fleet = g.fleets[targets.parameters(g, order)["fleet"]]
    if fleet.seat == seat:
        raise Refused("7.4", "fleet_is_yours", fleet=fleet.name, card=order.card)
    return targets.played(order)


@at_once
def pirates(g: Game, seat: str, order: Order) -> None:
    """The Fleet comes over on its normal side; where it is dispersed it stays so (7.4)."""
    fleet = g.fleets[targets.parameters(g, order)["fleet"]]
    g.tell(ALL, "fleet_changed", fleet=fleet.name, old=fleet.seat, new=seat)
    fleet.seat, fleet.upgraded = seat, False
    victory.settle(g)


EFFECTS["gain_fleet"] = Card(judge_pirates, pirates, targets.nothing_to_choose)


# --- 37 Kassandros, 38 Peukestas ---------------------------------------------------------------------------------


def judge_arrival(g: Game, seat: str, order: Order) -> Order:
    """7.1 B He is not in the game yet, and comes where the card says; perhaps with a PC."""
    params = targets.parameters(g, order)
    one = g.generals[params["general"]]
    if g.turn < params.get("from_turn", 1):
        raise Refused("5.1A", "card_too_early", card=order.card, turn=g.turn, first=params["from_turn"])
    if one.at != NOT_IN_PLAY:
        raise Refused("7.1B", "event_general_in_game", card=order.card, general=one.name, at=one.at)
    home = [space for space in g.board.spaces if g.board.province_of(space) in params["spaces"]["provinces"]
            and not reinforcements.enemies_in(g, seat, space)]
    if params["spaces"].get("or") == "reinforcement" and order.at and space_of(order.at) not in home:
        due = Pieces.of([one.name], params["cus"])
        reinforcements.judge_reinforce(g, seat, Order("reinforce", location=order.at, pieces=due), due)
        return targets.played(order, at=order.at)
    at = targets.location(g, seat, order, home, params["cus"])
    if order.pc and (not params.get("place_pc") or g.board.is_transit(at)):
        raise Refused("6.2A", "card_brings_no_pc", card=order.card)
    return targets.played(order, at=at, pc=order.pc)


@at_once
def arrival(g: Game, seat: str, order: Order) -> None:
    """He joins the Faction with his troops."""
    params = targets.parameters(g, order)
    reinforcements.arrive(g, seat, params["general"], order.at)
    g.tell(ALL, "general_arrived", seat=seat, general=params["general"], at=order.at)
    targets.put(g, seat, order.at, params["cus"])
    if order.pc:
        targets.put_pc(g, seat, space_of(order.at))


def arrivals(g: Game, seat: str) -> Iterator[Order]:
    spaces = dict.fromkeys(
        space for fact in g.facts.with_effect("enter_general")
        for space in g.board.spaces if g.board.province_of(space) in fact["params"]["spaces"]["provinces"])
    for space in spaces:
        yield Order("play", at=space, pc=True)
        yield Order("play", at=space)
    for at in targets.locations(g, reinforcements.eligible(g, seat)):
        yield Order("play", at=at)


EFFECTS["enter_general"] = Card(judge_arrival, arrival, arrivals)
