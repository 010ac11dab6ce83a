"""Events that are in the deck only where the players have agreed on them, in the order of the deck: O62 to O65, O68."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import Ask, Procedure, Question, at_once
from pbem.orders import Order
from pbem.rules import capital, general_loss, pieces, prestige, truce
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import DISPERSED, Game, General, Unit, space_of

EFFECTS: Effects = {}

# --- O62 Foundation of a Capital ---------------------------------------------------------------------------------


def sites(g: Game, seat: str) -> list[str]:
    """Minor Cities of one's own with a CU of one's own."""
    return [space for space in g.board.spaces if targets.is_minor_city(g, space) and g.controller(space) == seat
            and g.has_cus(space, seat)]


def judge_foundation(g: Game, seat: str, order: Order) -> Order:
    """Once in a game, and only where one stands with PC and CU."""
    if not capital.may_found(g, seat):
        raise Refused("16.1", "capital_once", card=order.card, space=g.capitals.get(seat, ""))
    return targets.played(order, target=("space", targets.space(g, order, sites(g, seat))))


@at_once
def foundation(g: Game, seat: str, order: Order) -> None:
    """The construction marker is placed; kept until the next Surrender Segment of its owner the Capital is finished."""
    capital.begin(g, seat, order.target[1])


EFFECTS["found_capital"] = Card(judge_foundation, foundation, lambda g, seat: targets.on_spaces(sites(g, seat)))


# --- O63 Diplomatic Marriage -------------------------------------------------------------------------------------


def judge_marriage(g: Game, seat: str, order: Order) -> Order:
    """With another player."""
    kind, partner = order.target or ("", "")
    if kind != "seat" or partner == seat or partner not in g.seats:
        raise Refused("6.2", "name_another_player", card=order.card)
    return targets.played(order, target=("seat", partner))


def marriage(g: Game, seat: str, order: Order) -> Procedure[None]:
    """If the other agrees, neither attacks the other until the Game Turn ends."""
    partner = order.target[1]
    g.tell(ALL, "truce_offered", seat=seat, to=partner)
    answer = yield lambda: truce_question(g, seat, partner)
    if answer.verb == "grant":
        truce.conclude(g, seat, partner)
        g.tell(ALL, "truce_made", seat=seat, to=partner)
    else:
        g.tell(ALL, "truce_refused", seat=seat, to=partner)


def truce_question(g: Game, seat: str, partner: str) -> Question:
    def read(side: str, answer: Order) -> Order:
        if answer.verb in ("grant", "refuse"):
            return answer
        raise Refused("6.2A", "accept_truce_or_not", seat=seat)

    return Ask(partner, "truce", "6.2A", about={"seat": seat, "turn": g.turn}, read=read,
               candidates=lambda side: iter((Order("refuse"), Order("grant"))), default=Order("refuse"))


EFFECTS["truce"] = Card(
    judge_marriage, marriage, lambda g, seat: (Order("play", target=("seat", other)) for other in g.others(seat)))


# --- O64 Oracle --------------------------------------------------------------------------------------------------


@at_once
def oracle(g: Game, seat: str, order: Order) -> None:
    """A little more Legitimacy for the rest of the game (3.6)."""
    g.oracle = seat
    g.tell(ALL, "oracle_spoke", seat=seat, legitimacy=targets.parameters(g, order)["legitimacy"])


EFFECTS["gain_legitimacy"] = Card(lambda g, seat, order: targets.played(order), oracle, targets.nothing_to_choose)


# --- O65 Alexander's Ghost ---------------------------------------------------------------------------------------


def haunted(g: Game, seat: str, one: General, mps: int) -> list[str]:
    """The leaders of Armies of other players with a Royal Army CU in reach of a Commanding General, and less Prestige."""
    reach = targets.near(g, seat, one.at, mps)
    own = prestige.prestige(g, one.at, seat)
    found = [g.generals[name] for name in targets.other_armies(g, seat)]
    return [other.name for other in found if space_of(other.at) in reach and g.kinds(other.at, other.seat)["royal"]
            and prestige.prestige(g, other.at, other.seat) < own]


def callers(g: Game, seat: str, mps: int) -> dict[str, list[str]]:
    """The Commanding Generals with room for one more CU, and whose Armies each of them can haunt."""
    found = {}
    for name in targets.generals(g, seat):
        one = g.generals[name]
        full = not pieces.room_at(g, one.at, seat)
        if g.commander(one.at, seat) is one and not full and (armies := haunted(g, seat, one, mps)):
            found[name] = armies
    return found


def judge_ghost(g: Game, seat: str, order: Order) -> Order:
    """One's own Commanding General, named with `on`; the Army, where there is a choice, with `at`."""
    possible = callers(g, seat, targets.parameters(g, order)["range_mps"])
    name = targets.general(g, order.but(at=None), possible)
    armies = [g.generals[one] for one in possible[name]]
    places = [one.at for one in armies if order.at is None or order.at in (one.at, space_of(one.at))]
    if len(places) != 1:
        raise Refused("6.2A", "card_wants_space", card=order.card, what=targets.effect(g, order),
                      space=space_of(order.at or ""), spaces=[space_of(one.at) for one in armies])
    return targets.played(order, target=("general", name), at=places[0])


@at_once
def ghost(g: Game, seat: str, order: Order) -> None:
    """Royal Army CUs go over to whom the dead king seems to favour."""
    one, count = g.generals[order.target[1]], targets.parameters(g, order)["count"]
    victim = next(side for side in g.sides_with_cus(order.at) if side != seat and g.kinds(order.at, side)["royal"])
    g.remove_kinds(order.at, victim, {"royal": count}, order=lambda unit: unit.past)
    g.add(one.at, seat, {Unit("royal"): count})
    g.tell(ALL, "ghost_called", seat=seat, general=one.name, victim=victim, at=order.at)
    g.tell(ALL, "royals_defected", seat=victim, to=seat, space=space_of(order.at), count=count)


def hauntings(g: Game, seat: str) -> Iterator[Order]:
    for fact in g.facts.with_effect("royal_army_defects"):
        for name, armies in callers(g, seat, fact["params"]["range_mps"]).items():
            for other in armies:
                yield Order("play", target=("general", name), at=g.generals[other].at)


EFFECTS["royal_army_defects"] = Card(judge_ghost, ghost, hauntings)


# --- O68 Price of Failure ----------------------------------------------------------------------------------------


def failures(g: Game, seat: str) -> list[str]:
    """The Major Generals of other players in the Dispersed Box."""
    return [one.name for side in g.others(seat) for one in g.generals_of(side) if not one.minor and one.at == DISPERSED]


def judge_failure(g: Game, seat: str, order: Order) -> Order:
    """One of them."""
    return targets.played(order, target=("general", targets.general(g, order, failures(g, seat))))


def failure(g: Game, seat: str, order: Order) -> Procedure[None]:
    """A high die, and he is killed."""
    name, deadly = order.target[1], list(targets.parameters(g, order)["killed_on"])
    owner = g.generals[name].seat
    die, roll = g.roll("failure", seat, name)
    g.tell(ALL, "failure_rolled", seat=seat, general=name, owner=owner, die=die, name=roll, killed_on=deadly,
           killed=die in deadly)
    if die in deadly:
        yield from general_loss.kill(g, name)


EFFECTS["kill_dispersed_general"] = Card(
    judge_failure, failure, lambda g, seat: targets.on_generals(failures(g, seat)))
