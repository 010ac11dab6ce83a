"""Events that let Armies march, in the order of the deck: 11, 20 to 23, 40 to 42."""

from collections.abc import Callable, Iterator

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import Abandon, Procedure, at_once
from pbem.orders import Order
from pbem.rules import activation, burial, marching, naval, ownership, pieces, reinforcements, tyche
from pbem.rules.acts import Act
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import Game, Past, Step, Unit, space_of

EFFECTS: Effects = {}


def orders(g: Game, acts: dict[str, Act], rule: str, over: Callable[[], bool]) -> Procedure[None]:
    """The player's orders within the event, until it is over or he ends the segment."""
    while not over():
        order = yield lambda: None if over() else tyche.orders_question(g, {**acts, **burial.acts(g)}, rule)
        if not order:
            return
        if order.verb == "end":
            g.step = Step.OVER
            return
        try:
            yield from {**acts, **burial.ACTS}[order.verb].do(g, order)
        except Abandon as abandoned:
            activation.after_abandon(g, abandoned)


def close(g: Game) -> None:
    """The event is over: nobody marches on with its MPs."""
    activation.finish(g)
    g.allowance.clear()


def in_motion(g: Game) -> set[str]:
    """Whose activation has begun, or is over."""
    return {*g.activated, *([g.activation.key] if g.activation is not None else [])}


# --- 11 The Pontic Fleet -----------------------------------------------------------------------------------------


def sailors(g: Game, seat: str) -> list[str]:
    """Those who stand in a port of the Black Sea."""
    return [name for name in targets.generals(g, seat)
            if space_of(g.generals[name].at) in g.board.pontos and g.board.is_port(space_of(g.generals[name].at))]


def judge_pontic_fleet(g: Game, seat: str, order: Order) -> Order:
    """One of those Armies or Generals; it is the Naval Movement of the segment (13.1)."""
    return targets.played(order, target=("general", targets.general(g, order, sailors(g, seat))))


def pontic_fleet(g: Game, seat: str, order: Order) -> Procedure[None]:
    """7.4, 13.3 A voyage on that sea alone, which nobody can meet; where it lands it is over."""
    params, name = targets.parameters(g, order), order.target[1]
    g.allowance = {name: params["mps"]}
    g.tell(ALL, "marches_given", seat=seat, count=1, mps=params["mps"])
    yield from orders(g, VOYAGE, "7.4", lambda: has_landed(g, name))
    close(g)


def has_landed(g: Game, name: str) -> bool:
    act = g.activation
    if act is None or act.voyage is None:
        return name in g.activated or not g.on_map(g.generals[name])
    return act.voyage.landed or act.stopped


def embark(g: Game, order: Order) -> Procedure[None]:
    """The ports of that sea are the only ones it may call at."""
    yield from naval.embark(g, order)
    assert g.activation is not None and g.activation.voyage is not None
    g.activation.voyage.sea = frozenset(g.board.pontos)


VOYAGE = {verb: marching.MARCHES[verb] for verb in ("embark", "sail", "pick_up", "drop", "disembark", "end_activation")}
VOYAGE["embark"] = VOYAGE["embark"]._replace(do=embark)
EFFECTS["pontic_naval_move"] = Card(
    judge_pontic_fleet, pontic_fleet, lambda g, seat: targets.on_generals(sailors(g, seat)))


# --- 20 to 23 Major Campaign -------------------------------------------------------------------------------------


def judge_campaign(g: Game, seat: str, order: Order) -> Order:
    """Somebody has to be there to march; who does is said order by order."""
    targets.judge_useful(g, order, targets.generals(g, seat))
    return targets.played(order)


def campaign(g: Game, seat: str, order: Order) -> Procedure[None]:
    """9.1 Two Armies or Generals, one after the other, each with the MPs of the card; one of them may sail (13.1)."""
    params = targets.parameters(g, order)
    g.allowance = {one.name: params["mps"] for one in g.generals_of(seat)}
    g.tell(ALL, "marches_given", seat=seat, count=params["count"], mps=params["mps"])
    acts = {verb: act._replace(do=counted(act, params["count"])) for verb, act in marching.MARCHES.items()}
    yield from orders(g, acts, "9.1", lambda: g.activation is None and len(g.activated) >= params["count"])
    close(g)


def counted(act: Act, most: int) -> Callable[[Game, Order], Procedure[None]]:
    """The act itself; once the last activation has begun the others have no MPs any more."""

    def do(g: Game, order: Order) -> Procedure[None]:
        yield from act.do(g, order)
        begun = in_motion(g)
        if len(begun) >= most:
            g.allowance = {name: mps for name, mps in g.allowance.items() if name in begun}

    return do


EFFECTS["activate_armies"] = Card(judge_campaign, campaign, targets.nothing_to_choose)


# --- 40 to 42 Treasure City Looted -------------------------------------------------------------------------------


def judge_treasure(g: Game, seat: str, order: Order) -> Order:
    """One Army, while a treasure city is left that nobody has looted."""
    rich = [city for city in targets.parameters(g, order)["cities"] if city not in g.looted]
    armies = targets.own_armies(g, seat) if rich else []
    return targets.played(order, target=("general", targets.general(g, order, armies)))


def treasure(g: Game, seat: str, order: Order) -> Procedure[None]:
    """The Army marches, and loots a city during its activation or when that is over."""
    params, name, before = targets.parameters(g, order), order.target[1], len(g.looted)
    g.allowance = {name: params["mps"]}
    g.tell(ALL, "marches_given", seat=seat, count=params["count"], mps=params["mps"])
    activation.begin(g, name)
    loot = Act(lambda g, side, order: judge_loot(g, side, order, before), loot_now, candidate_loots)
    yield from orders(g, {**marching.MARCHES, "loot": loot}, "9.1", lambda: g.activation is None)
    last = g.activation.key if g.activation is not None else next(reversed(g.activated), name)
    if len(g.looted) == before:
        for city in lootable(g, seat, last):
            loot_city(g, seat, last, city)
    close(g)


def leader(g: Game) -> str:
    """Who leads the Army of the event now."""
    one = activation.commander(g)
    return one.name if one is not None else next(iter(g.allowance), "")


def lootable(g: Game, seat: str, name: str) -> list[str]:
    """The treasure city where the Army is alone, if it may be looted: uncontrolled or one's own, never before."""
    one, params = g.generals[name], targets.params_of(g, "loot_treasure_city")
    space, cus = space_of(one.at), sum(params["cus"].values())
    if one.seat != seat or not g.count(one.at, seat) or space not in params["cities"] or space in g.looted:
        return []
    if g.controller(space) not in ("", seat) or reinforcements.enemies_in(g, seat, space):
        return []
    if pieces.room_at(g, one.at, seat) < cus:
        return []
    return [space]


def judge_loot(g: Game, seat: str, order: Order, before: int) -> Order:
    """One city, once: `before` there were so many Looted markers."""
    found = lootable(g, seat, leader(g)) if g.activation is not None and len(g.looted) == before else []
    if not found or order.space not in (None, *found):
        raise Refused("6.2A", "not_lootable", card=g.card, space=order.space or "", looted=sorted(g.looted))
    return Order("loot", space=found[0])


@at_once
def loot_now(g: Game, order: Order) -> None:
    """Then the Army may still march on."""
    loot_city(g, g.player, leader(g), order.space)
    ownership.end_of_procedure(g)


def loot_city(g: Game, seat: str, name: str, city: str) -> None:
    """The treasure pays for Mercenaries, who belong to the Army at once."""
    cus, one = targets.params_of(g, "loot_treasure_city")["cus"], g.generals[name]
    g.looted.add(city)
    g.add(one.at, seat, {Unit(kind, Past(one.mover)): number for kind, number in cus.items()})
    g.tell(ALL, "looted", seat=seat, space=city, cus=dict(cus))


def candidate_loots(g: Game, seat: str) -> Iterator[Order]:
    yield Order("loot")


EFFECTS["loot_treasure_city"] = Card(
    judge_treasure, treasure, lambda g, seat: targets.on_generals(targets.own_armies(g, seat)))
