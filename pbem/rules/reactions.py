"""16.11 Independent Armies that intercept and evade: a player who does not move pays each attempt with a Surprise card."""

from collections.abc import Mapping

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import hand
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, General, Way, space_of

# --- who may pay, and for whom -----------------------------------------------------------------------------------


def could_pay(g: Game, seat: str) -> bool:
    """16.11 On public facts: a hand in which a Surprise card could be."""
    return any(hand.could_hold(g, seat, card) for card, fact in g.facts.cards.items() if fact["kind"] == "surprise")


def payers(g: Game, way: Way) -> list[str]:
    """16.11 Every player who does not move; who moves Independents himself has none to set against them."""
    if not g.rules.independents_react or way.seat == INDEPENDENT:
        return []
    return [seat for seat in g.turn_order if seat != way.seat and could_pay(g, seat)]


def surprises(g: Game, seat: str) -> list[str]:
    """The Surprise cards of a hand; without the hidden side, those that could be there."""
    return [card for card in hand.possible(g, seat) if g.facts.cards[card]["kind"] == "surprise"]


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
    answer = yield lambda: card_question(g, seat, general)
    if not answer or answer.verb != "discard":
        g.tell(ALL, "reaction_lapsed", seat=seat, general=general, space=space_of(g.generals[general].at))
        return False
    hand.throw_away(g, seat, answer.card)
    g.tell(ALL, "reaction_paid", seat=seat, general=general, space=space_of(g.generals[general].at))
    return True


def card_question(g: Game, seat: str, general: str) -> Question | None:
    """None when the Army or the hand has gone meanwhile."""
    if not g.on_map(g.generals[general]) or not could_pay(g, seat):
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb == "pass":
            return order
        if order.verb != "discard" or g.facts.cards[order.card]["kind"] != "surprise":
            raise Refused("16.11", "discard_a_surprise", general=general)
        hand.judge_holds(g, side, order.card)
        return Order("discard", card=order.card)

    return Ask(seat, "reaction_card", "16.11", read=read, default=Order("pass"),
               candidates=lambda side: iter((*(Order("discard", card=card) for card in surprises(g, side)), Order("pass"))),
               about={"general": general, "space": space_of(g.generals[general].at)})
