"""16.11 Independent Armies that intercept and evade: a player who does not move pays each attempt with a Surprise card."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order, Pieces
from pbem.rules import evasion, interception
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, General, space_of

if TYPE_CHECKING:
    from pbem.rules.land_movement import Way


# --- who may pay -------------------------------------------------------------------------------------------------


def could_pay(g: Game, seat: str) -> bool:
    """16.11 On public facts: a hand in which a Surprise card could be."""
    from pbem.rules import tyche

    return any(tyche.could_hold(g, seat, card) for card, fact in g.facts.cards.items() if fact["kind"] == "surprise")


def payers(g: Game, way: "Way") -> list[str]:
    """16.11 Every player who does not move; who moves Independents himself has none to set against them."""
    if not g.rules.independents_react or way.seat == INDEPENDENT:
        return []
    return [seat for seat in g.turn_order if seat != way.seat and could_pay(g, seat)]


def surprises(g: Game, seat: str) -> list[str]:
    """The Surprise cards of a hand; without the hidden side, those that could be there."""
    from pbem.rules import tyche

    held = g.secret.hand(seat) if g.secret is not None else [card for card in g.facts.cards if tyche.could_hold(g, seat, card)]
    return [card for card in held if g.facts.cards[card]["kind"] == "surprise"]


def judge_payer(g: Game, seat: str, attempts: int) -> None:
    """16.11 One Surprise card for each attempt."""
    held = len(surprises(g, seat))
    if attempts > held or not could_pay(g, seat):
        raise Refused("16.11", "surprise_cards_needed", has=held, wanted=attempts)


def judge_army(g: Game, name: str) -> General:
    one = g.generals[name]
    if not g.rules.independents_react:
        raise Refused("11.1", "independents_do_not_react", general=name)
    if one.seat != INDEPENDENT or not g.on_map(one):
        raise Refused("16.11", "no_independent_army_there", general=name)
    return one


def may_go(g: Game, one: General, space: str) -> bool:
    """9.5 Some never leave their Provinces, by reactions neither."""
    params = g.facts.independents[one.name]["restriction"]
    if params["key"] != "provinces_only":
        return True
    return g.board.province_of(space) in params["provinces"] and space not in params["excluded_spaces"]


# --- 11 Interception ---------------------------------------------------------------------------------------------


def judge_interceptor(g: Game, one: General, way: "Way") -> None:
    """11.1, 16.11 All that is asked of a player's General."""
    interception.judge_open(g, INDEPENDENT, way)
    interception.judge_origin(g, INDEPENDENT, one.at, way)
    if not may_go(g, one, space_of(way.target)):
        raise Refused("9.5", "not_his_country", general=one.name, space=space_of(way.target),
                      provinces=g.facts.independents[one.name]["restriction"]["provinces"])


def interceptors(g: Game, way: "Way") -> list[General]:
    """The Independent Generals that may attempt it."""
    found = []
    for name in g.facts.independents if g.rules.independents_react and way.seat != INDEPENDENT else ():
        one = g.generals[name]
        if g.on_map(one):
            try:
                judge_interceptor(g, one, way)
            except Refused:
                continue
            found.append(one)
    return found


def judge_interceptions(g: Game, seat: str, way: "Way", answer: tuple[Order, ...]) -> tuple[Order, ...]:
    """11.2, 16.11 Instead of one's own attempts: one from each space, each for a card."""
    read: list[Order] = []
    for order in answer:
        if order.verb != "intercept" or g.generals[order.general].seat != INDEPENDENT:
            raise Refused("16.11", "own_or_independent")
        one = judge_army(g, order.general)
        judge_interceptor(g, one, way)
        if one.at in [other.from_ for other in read]:
            raise Refused("11.2", "one_attempt_per_space", space=space_of(one.at))
        read.append(Order("intercept", general=one.name, from_=one.at, discarding=True))
    judge_payer(g, seat, len(read))
    return tuple(read)


def candidate_interceptions(g: Game, seat: str, way: "Way") -> Iterator[tuple[Order, ...]]:
    """Each of them, and all together."""
    found = interceptors(g, way)
    for one in found:
        yield (Order("intercept", general=one.name, from_=one.at, discarding=True),)
    if len(found) > 1:
        yield tuple(Order("intercept", general=one.name, from_=one.at, discarding=True) for one in found)


def army(g: Game, one: General) -> Pieces:
    """16.11 An Independent Army never splits, and no other comes with it."""
    return Pieces.of(cus={INDEPENDENT: min(g.facts.independents[one.name]["cus"], g.count(one.at, INDEPENDENT))})


# --- 12 Evasion --------------------------------------------------------------------------------------------------


def evaders(g: Game, way: "Way") -> list[General]:
    """12.1, 16.11 The Independent Generals in the location, if they may evade at all."""
    if not g.rules.independents_react or way.seat == INDEPENDENT or evasion.may_evade(g, INDEPENDENT, way) is None:
        return []
    return g.generals_at(way.target, INDEPENDENT)


def judge_evasion(g: Game, seat: str, way: "Way", order: Order) -> tuple[Order, ...]:
    """12.2, 16.11 Instead of one's own attempt: one of the Generals there tries for all of them."""
    one = judge_army(g, order.general)
    if one not in evaders(g, way):
        raise Refused("12.1", "may_not_evade", space=way.target)
    judge_payer(g, seat, 1)
    return (Order("evade", general=one.name, discarding=True),)


# --- paying ------------------------------------------------------------------------------------------------------


def pay(g: Game, declared: Mapping[str, tuple[Order, ...]]) -> Procedure[list[tuple[str, str]]]:
    """16.11 In Turn Order the cards are discarded; the first to declare from a space shuts out the others there."""
    paid: list[tuple[str, str]] = []
    for seat, orders in declared.items():
        for order in orders:
            if not order.discarding:
                continue
            space = space_of(g.generals[order.general].at)
            if any(space_of(g.generals[name].at) == space for _, name in paid):
                g.tell(ALL, "reaction_lapsed", seat=seat, general=order.general, space=space)
                continue
            bought = yield from pay_for(g, seat, order.general)
            if bought:
                paid.append((seat, order.general))
    return paid


def is_paid(paid: list[tuple[str, str]], seat: str, order: Order) -> bool:
    """A player's own attempts cost nothing."""
    return not order.discarding or (seat, order.general) in paid


def pay_for(g: Game, seat: str, general: str) -> Procedure[bool]:
    """16.11 Which card goes is said only now: an offer that came too late shows none."""
    from pbem.rules import tyche

    answer = yield lambda: card_question(g, seat, general)
    if not answer or answer.verb != "discard":
        g.tell(ALL, "reaction_lapsed", seat=seat, general=general, space=space_of(g.generals[general].at))
        return False
    tyche.throw_away(g, seat, answer.card)
    g.tell(ALL, "reaction_paid", seat=seat, general=general, space=space_of(g.generals[general].at))
    return True


def card_question(g: Game, seat: str, general: str) -> Question | None:
    """None when the Army or the hand has gone meanwhile."""
    if not g.on_map(g.generals[general]) or not could_pay(g, seat):
        return None

    def read(side: str, order: Order) -> Order:
        from pbem.rules import tyche

        if order.verb == "pass":
            return order
        if order.verb != "discard" or g.facts.cards[order.card]["kind"] != "surprise":
            raise Refused("16.11", "discard_a_surprise", general=general)
        tyche.judge_holds(g, side, order.card)
        return Order("discard", card=order.card)

    return Ask(seat, "reaction_card", "16.11", read=read, default=Order("pass"),
               candidates=lambda side: iter((*(Order("discard", card=card) for card in surprises(g, side)), Order("pass"))),
               about={"general": general, "space": space_of(g.generals[general].at)})
