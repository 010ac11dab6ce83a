"""6.2 B to D What the one card of a Tyche Segment is good for besides its event: PCs, troops, Fleets, Generals."""

from collections import Counter
from collections.abc import Container, Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Procedure, at_once
from pbem.orders import Order, Pieces
from pbem.rules import hand, ownership, recruiting
from pbem.rules.acts import Act
from pbem.rules.effects import judge_not_only_for_its_points, lay_down
from pbem.rules.isolation import enemy_cus
from pbem.rules.reinforcements import (
    arrive,
    disperse_due,
    due_pieces,
    eligible,
    enemies_in,
    judge_location,
    judge_reinforce,
    living,
    place_due,
)
from pbem.rules.surrender import judge_free
from pbem.table.events import ALL
from pbem.table.state import CART, DEAD, INDEPENDENT, NOT_IN_PLAY, Game, Unit, space_of

REACH = 2                                           # 6.2 B2 MPs from a PC that was there


# --- 6.2 B2 Place PCs --------------------------------------------------------------------------------------------


def sources(g: Game, seat: str) -> list[str]:
    """6.2 B2 The PCs that were on the map when the segment began, and still are."""
    start = g.pcs_at_start.get(seat)
    return [space for space in g.pcs_of(seat) if start is None or space in start]


def in_reach(g: Game, seat: str) -> dict[str, int]:
    """6.2 B2 What can be traced to, over any path but Trans-Mediterranean ones, past no enemy CU or PC (B16)."""
    return g.board.distances_from(sources(g, seat), g.rules.placing_paths, lambda space: is_open(g, seat, space), REACH)


def is_in_reach(g: Game, seat: str, space: str, ends: Container[str]) -> bool:
    """6.2 B2 The same for one space, traced back to the next of these PCs."""
    return any(way[-1] in ends and all(there in ends or is_open(g, seat, there) for there in way[:-1])
               for way in g.board.short_ways(space, g.rules.placing_paths, REACH))


def is_open(g: Game, seat: str, space: str) -> bool:
    free = ("", seat, INDEPENDENT) if g.rules.pcs_past_independents else ("", seat)
    return g.controller(space) in free and not enemy_cus(g, seat, space)


def judge_place_pc(g: Game, seat: str, order: Order) -> Order:
    """6.2 B2 One OP each: uncontrolled, without enemy CUs, within 2 MPs of an own PC that was there before."""
    spaces, ends = tuple(dict.fromkeys(order.spaces)), set(sources(g, seat))
    if len(spaces) > g.ops:
        raise Refused("6.2B2", "too_few_ops", ops=g.ops, wanted=len(spaces))
    for space in spaces:
        judge_free(g, seat, space)
        if enemy_cus(g, seat, space):
            others = [side for side in g.sides_with_cus(space) if side != seat]
            raise Refused("6.2B2", "enemy_cu_there", space=space, sides=others)
        if not is_in_reach(g, seat, space, ends):
            raise out_of_reach(g, seat, space)
    return Order("place_pc", spaces=spaces)


def out_of_reach(g: Game, seat: str, space: str) -> Refused:
    """6.2 B2 Too far whatever stands on the way, or barred: by which spaces."""
    plain = {source: g.board.distances(source, g.rules.placing_paths, None, REACH) for source in sources(g, seat)}
    near = [source for source, found in plain.items() if space in found]
    if not near:
        return Refused("6.2B2", "pc_too_far", space=space, limit=REACH, near=nearest(g, seat, space))
    barred = [one for one in plain[near[0]] if one not in (space, near[0]) and not is_open(g, seat, one)]
    return Refused("6.2B2", "pc_way_barred", space=space, source=near[0], by=barred)


def nearest(g: Game, seat: str, space: str) -> str:
    """The own PC that lies nearest, for a refusal."""
    away = g.board.distances(space, g.rules.placing_paths)
    own = [source for source in sources(g, seat) if source in away]
    return min(own, key=lambda source: away[source], default="")


@at_once
def place_pc(g: Game, order: Order) -> None:
    """6.2 B2 The PCs are placed; what is left of the OPs may place more, and nothing else (6.2 B)."""
    g.spending = "place_pc"
    g.ops -= len(order.spaces)
    for space in order.spaces:
        g.set_pc(space, g.player)
        g.tell(ALL, "pc_placed", seat=g.player, space=space)
    ownership.end_of_procedure(g)


def candidate_placements(g: Game, seat: str) -> Iterator[Order]:
    free = [space for space in in_reach(g, seat) if not g.controller(space) and not g.board.is_transit(space)]
    if len(free) >= g.ops > 1:
        yield Order("place_pc", spaces=tuple(free[:g.ops]))
    for space in free:
        yield Order("place_pc", spaces=(space,))


# --- 6.2 B3 Train Troops -----------------------------------------------------------------------------------------


def judge_train(g: Game, seat: str, order: Order) -> Order:
    """6.2 B3 One CU at a time, of one type until it is ready."""
    kind, number = order.kind, order.number or g.ops
    judge_trainable(g, kind)
    if number > g.ops:
        raise Refused("6.2B3", "too_few_ops", ops=g.ops, wanted=number)
    training = g.training.get(seat)
    if training is not None and training[0] != kind:
        raise Refused("6.2B3", "other_cu_in_training", kind=training[0], at=training[1], wanted=kind)
    left = number - (g.rules.training[kind] - (training[1] if training else 0))
    if order.then is not None:
        judge_trainable(g, order.then)
        if left <= 0:
            raise Refused("6.2B3", "nothing_left_to_train", kind=kind, missing=-left)
    return Order("train", kind=kind, number=number, then=order.then)


def judge_trainable(g: Game, kind: str) -> None:
    if kind not in g.rules.training:
        raise Refused("6.2B3", "not_trainable", kind=kind, kinds=list(g.rules.training))


def train(g: Game, order: Order) -> Procedure[None]:
    """6.2 B3 The CU goes up the Track; when it is ready it is placed at once, and what is left trains the next.

    The points not used yet stay in `g.ops`: while the first CU is being placed, and until the next type is named.
    """
    g.spending = "train"
    g.ops = order.number
    advance(g, order.kind)
    while ready(g):
        yield from place_due(g, g.player)
        if g.ops and order.then:
            advance(g, order.then)
    ownership.end_of_procedure(g)


def advance(g: Game, kind: str) -> None:
    """6.2 B3 As far as the points go, or until the CU is ready."""
    seat, needed = g.player, g.rules.training[kind]
    before = g.training.pop(seat, (kind, 0))[1]
    step = min(g.ops, needed - before)
    g.ops -= step
    at = before + step
    if at < needed:
        g.training[seat] = (kind, at)
    else:
        g.due.setdefault(seat, Counter())[kind] += 1
    g.tell(ALL, "training_advanced", seat=seat, kind=kind, at=at, missing=needed - at)


def ready(g: Game) -> bool:
    return bool(due_pieces(g, g.player).count())


def candidate_trainings(g: Game, seat: str) -> Iterator[Order]:
    for kind in g.rules.training:
        for number in range(g.ops, 0, -1):
            yield Order("train", kind=kind, number=number)
            for then in g.rules.training:
                yield Order("train", kind=kind, number=number, then=then)


# --- 6.2 C Upgrade a Fleet ---------------------------------------------------------------------------------------


def judge_card(g: Game, seat: str, card: str, ops: tuple[int, ...], rule: str) -> None:
    """6.2 The one card of this segment, with as many points as this use of it wants."""
    if g.card:
        raise Refused("6.2", "one_card_only", card=g.card)
    fact = g.facts.cards[card]
    if fact["kind"] == "surprise" or fact["ops"] not in ops:
        raise Refused(rule, "other_card_wanted", card=card, ops=fact["ops"] or 0, wanted=list(ops))
    hand.judge_holds(g, seat, card)
    judge_not_only_for_its_points(g, card)


def judge_upgrade(g: Game, seat: str, order: Order) -> Order:
    """6.2 C A Fleet that one controls, not dispersed, still on its normal side."""
    fleet = g.fleets[order.fleet]
    judge_card(g, seat, order.card, g.rules.upgrade_ops, "6.2C")
    if fleet.seat != seat:
        raise Refused("6.2C", "fleet_not_yours", fleet=fleet.name, owner=fleet.seat)
    if fleet.dispersed:
        raise Refused("6.2C", "fleet_dispersed", fleet=fleet.name)
    if fleet.upgraded:
        raise Refused("6.2C", "fleet_is_upgraded", fleet=fleet.name)
    return Order("upgrade_fleet", fleet=fleet.name, card=order.card)


@at_once
def upgrade_fleet(g: Game, order: Order) -> None:
    """6.2 C The card is spent, the Fleet turned; the Largest Fleet is looked at again (3.5)."""
    lay_down(g, order.card, "upgrade")
    g.fleets[order.fleet].upgraded = True
    g.tell(ALL, "fleet_upgraded", seat=g.player, fleet=order.fleet, strength=g.facts.fleets[order.fleet]["upgraded"])
    ownership.end_of_procedure(g)


def cards_for(g: Game, seat: str, ops: tuple[int, ...]) -> list[str]:
    """The cards of a hand that would do; without the hidden side, those that could be there."""
    facts = g.facts.cards
    return [card for card in hand.possible(g, seat) if facts[card]["kind"] != "surprise" and facts[card]["ops"] in ops]


def candidate_upgrades(g: Game, seat: str) -> Iterator[Order]:
    for card in cards_for(g, seat, g.rules.upgrade_ops):
        for fleet in g.fleets.values():
            if fleet.seat == seat and not fleet.upgraded and not fleet.dispersed:
                yield Order("upgrade_fleet", fleet=fleet.name, card=card)


# --- 16.3, 16.10 Further uses that may have been agreed on -------------------------------------------------------


def judge_finish_cart(g: Game, seat: str, order: Order) -> Order:
    """16.3 In Game Turn I, for whoever controls the Cart: it may move from the coming Activation Segment on."""
    if not g.rules.finish_cart_ops:
        raise Refused("16.3", "use_not_played_with", verb=order.verb)
    cart = g.royals[CART]
    if cart.seat != seat:
        raise Refused("16.3", "cart_not_yours", owner=cart.seat)
    if not g.cart_stays:
        raise Refused("16.3", "cart_is_ready", turn=g.turn)
    judge_card(g, seat, order.card, g.rules.finish_cart_ops, "16.3")
    return Order("finish_cart", card=order.card)


@at_once
def finish_cart(g: Game, order: Order) -> None:
    """16.3 Alexander still cannot be buried in Game Turn I."""
    lay_down(g, order.card, "finish_cart")
    g.cart_finished = True
    g.tell(ALL, "cart_finished", seat=g.player)
    ownership.end_of_procedure(g)


def candidate_cart(g: Game, seat: str) -> Iterator[Order]:
    if g.cart_stays and g.royals[CART].seat == seat:
        for card in cards_for(g, seat, g.rules.finish_cart_ops):
            yield Order("finish_cart", card=card)


def judge_retrieve(g: Game, seat: str, order: Order) -> Order:
    """16.10 One Dispersed Fleet of one's own, for any Event or Bonus card."""
    if g.rules.fleets_return:
        raise Refused("16.10", "use_not_played_with", verb=order.verb)
    fleet = g.fleets[order.fleet]
    judge_card(g, seat, order.card, any_ops(g), "16.10")
    if fleet.seat != seat:
        raise Refused("16.10", "fleet_not_yours", fleet=fleet.name, owner=fleet.seat)
    if not fleet.dispersed:
        raise Refused("16.10", "fleet_not_dispersed", fleet=fleet.name)
    return Order("retrieve_fleet", fleet=fleet.name, card=order.card)


def any_ops(g: Game) -> tuple[int, ...]:
    """The points that Event and Bonus cards carry."""
    return tuple(sorted({fact["ops"] for fact in g.facts.cards.values() if fact["kind"] != "surprise"}))


@at_once
def retrieve_fleet(g: Game, order: Order) -> None:
    """16.10 It is available again at once, on its normal side."""
    lay_down(g, order.card, "retrieve_fleet")
    fleet = g.fleets[order.fleet]
    fleet.dispersed = fleet.upgraded = False
    g.tell(ALL, "fleet_retrieved", seat=g.player, fleet=fleet.name)
    ownership.end_of_procedure(g)


def candidate_retrievals(g: Game, seat: str) -> Iterator[Order]:
    if not g.rules.fleets_return:
        for card in cards_for(g, seat, any_ops(g)):
            for fleet in g.fleets.values():
                if fleet.seat == seat and fleet.dispersed:
                    yield Order("retrieve_fleet", fleet=fleet.name, card=card)


# --- 6.2 D Recruit a Major General -------------------------------------------------------------------------------


def judge_recruit(g: Game, seat: str, order: Order) -> Order:
    """6.2 D A Reserve General, for 3 or 4 OPs, for a faction that has lost one; from Game Turn IV also for a full one."""
    if not g.rules.recruit_ops:
        raise Refused("6.2D", "nobody_is_recruited", general=order.general)
    judge_card(g, seat, order.card, g.rules.recruit_ops, "6.2D")
    one = g.generals[order.general]
    recruit = g.facts.generals.get(one.name, {}).get("recruit")
    if one.minor or recruit is None or g.group(one.name) != "reserve":
        raise Refused("6.2D", "no_reserve_general", general=one.name, reserve=reserve(g))
    if one.at != NOT_IN_PLAY:
        raise Refused("6.2D", "general_not_available", general=one.name, at=one.at, reserve=reserve(g))
    judge_strength(g, seat)
    after = recruit["only_after"]
    if after and g.generals[after].at != DEAD:
        raise Refused("6.2D", "only_after_death", general=one.name, after=after)
    return judge_arrival(g, seat, Order("recruit", general=one.name, card=order.card, at=order.at, pc=order.pc))


def judge_arrival(g: Game, seat: str, order: Order) -> Order:
    """6.2 D In his preferred Province, perhaps with a PC; or like any Reinforcement, and then without one."""
    if g.rules.recruits_arrive == "drawn":
        return recruiting.judge(g, seat, order)
    if not order.at:
        raise Refused("6.2D", "recruit_where", general=order.general)
    due = company(g, order.general)
    if order.pc and not g.rules.recruits_bring_pcs:
        raise Refused("6.2D", "card_brings_no_pc", card=order.card)
    if in_preferred_province(g, order.general, space_of(order.at)) and not enemies_in(g, seat, space_of(order.at)):
        judge_location(g, seat, order.at, dict(due.cus))
        return order
    if order.pc:
        raise Refused("6.2D", "recruit_not_there", general=order.general, at=order.at,
                      preferred=g.facts.generals[order.general]["recruit"]["preferred"],
                      enemies=enemies_in(g, seat, space_of(order.at)))
    try:
        judge_reinforce(g, seat, Order("reinforce", location=order.at, pieces=due), due)
    except Refused as refusal:
        raise Refused("6.2D", refusal.key, **refusal.facts) from refusal
    return order


def company(g: Game, general: str) -> Pieces:
    """6.2 D The General with the CUs he brings."""
    return Pieces.of([general], g.facts.generals[general]["recruit"]["cus"])


def judge_strength(g: Game, seat: str) -> None:
    """6.2 D Why nobody may be recruited for this faction now."""
    if needs_general(g, seat):
        return
    if g.rules.recruit_after != "fewer":
        raise Refused("6.2D", "nobody_has_fallen", seat=seat)
    raise Refused("6.2D", "enough_generals", dealt=len(g.dealt.get(seat, ())), alive=len(living(g, seat)), turn=g.turn)


def needs_general(g: Game, seat: str) -> bool:
    """6.2 D Dealt, living, needed: event Generals and dispersed ones count as living (B14)."""
    if g.rules.recruit_after != "fewer":
        return fallen(g, seat) > (recruited(g, seat) if g.rules.recruit_after == "killed" else 0)
    dealt, alive = len(g.dealt.get(seat, ())), len(living(g, seat))
    return alive < dealt or (alive == dealt and g.turn >= 4)


def fallen(g: Game, seat: str) -> int:
    """6.2 D How many Major Generals of those that were dealt to a faction are dead; whose death another makes good counts as
    his (7.1 B), and Demetrios goes with Antigonos (5.1 A)."""
    names = {"polyperchon" if name == "antipatros" else name for name in g.dealt.get(seat, ())}
    names |= {"demetrios"} if "antigonos" in names else set()
    return sum(g.generals[name].at == DEAD for name in names)


def recruited(g: Game, seat: str) -> int:
    """6.2 D The Generals whom a faction has recruited, and who live."""
    return sum(one.seat == seat for name, one in g.generals.items() if name in g.facts.generals and g.group(name) == "reserve")


def reserve(g: Game) -> list[str]:
    """4.3 The Reserve Generals that nobody has recruited yet."""
    return [name for name in g.facts.generals if g.group(name) == "reserve" and g.generals[name].at == NOT_IN_PLAY]


def in_preferred_province(g: Game, general: str, space: str) -> bool:
    """6.2 D Where he likes to arrive: a Province, or any port."""
    preferred = g.facts.generals[general]["recruit"]["preferred"]
    return g.board.is_port(space) if preferred == "port" else g.board.province_of(space) == preferred


def recruit(g: Game, order: Order) -> Procedure[None]:
    """6.2 D He comes with his CUs, and may bring a PC that replaces any other; or to a Province that is drawn, which is his."""
    seat, at, province = g.player, order.at, ""
    brought = company(g, order.general)
    lay_down(g, order.card, "recruit")
    if not at:
        province = recruiting.draw(g, seat, order.general)
        at = yield from recruiting.where_to(g, seat, order.general, province)
        if not at:
            g.due[seat], g.due_generals[seat] = Counter(dict(brought.cus)), [order.general]
            disperse_due(g, seat)
            return
    g.tell(ALL, "general_recruited", seat=seat, general=order.general, at=at, cus=dict(brought.cus),
           alive=len(living(g, seat)), dealt=len(g.dealt.get(seat, ())))
    arrive(g, seat, order.general, at)
    g.add(at, seat, {Unit(kind): number for kind, number in brought.cus})
    if order.pc and g.controller(space_of(at)) != seat:
        g.set_pc(space_of(at), seat)
        g.tell(ALL, "pc_placed", seat=seat, space=space_of(at))
    if province:
        recruiting.go_over(g, seat, province)
    ownership.end_of_procedure(g)


def candidate_recruits(g: Game, seat: str) -> Iterator[Order]:
    cards = cards_for(g, seat, g.rules.recruit_ops) if g.rules.recruit_ops and needs_general(g, seat) else []
    for card in cards:
        for general in reserve(g):
            yield Order("recruit", general=general, card=card)
            for space in g.board.spaces:
                if g.board.is_transit(space) or not in_preferred_province(g, general, space):
                    continue
                if g.rules.recruits_bring_pcs:
                    yield Order("recruit", general=general, card=card, at=space, pc=True)
                yield Order("recruit", general=general, card=card, at=space)
            for space in eligible(g, seat):
                yield Order("recruit", general=general, card=card, at=space)


PLAYS: dict[str, Act] = {
    "upgrade_fleet": Act(judge_upgrade, upgrade_fleet, candidate_upgrades),
    "finish_cart": Act(judge_finish_cart, finish_cart, candidate_cart),
    "retrieve_fleet": Act(judge_retrieve, retrieve_fleet, candidate_retrievals),
    "recruit": Act(judge_recruit, recruit, candidate_recruits),
}
SPENDINGS: dict[str, Act] = {
    "place_pc": Act(judge_place_pc, place_pc, candidate_placements),
    "train": Act(judge_train, train, candidate_trainings),
}
