"""6.2 Surprise cards: played at any time, shown, perhaps cancelled."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from pbem.base.errors import Refused
from pbem.kernel.procedures import Poll, Procedure, Question, at_once
from pbem.orders import PASS, Order
from pbem.rules import effects, hand, ownership, victory
from pbem.table.events import ALL
from pbem.table.state import Game


def judge(g: Game, seat: str, order: Order) -> Order:
    """6.2 At any time during a Strategy Phase, if this is the moment that the card names."""
    fact = g.facts.cards[order.card]
    if fact["kind"] != "surprise":
        raise Refused("6.2", "no_surprise_card", card=order.card)
    if g.phase != "strategy":
        raise Refused("6.2", "strategy_phase_only", card=order.card)
    hand.judge_holds(g, seat, order.card)
    effect = effects.effect_of(g, order.card)
    if effect is None:
        raise Refused("6.2A", "event_not_written", card=order.card)
    return effect.judge(g, seat, order.but(how="surprise"))


def play(g: Game, seat: str, order: Order) -> Procedure[None]:
    """6.2 The card is shown, may be cancelled, takes effect and is replaced (never Ahura Mazda & Ahriman)."""
    hand.leave_hand(g, seat, order.card)
    g.discards.append(order.card)
    g.tell(ALL, "surprise_played", seat=seat, card=order.card)
    if g.facts.cards[order.card]["effect_key"] not in DRAWS_LATER:
        hand.replace(g, seat)
    cancelled = yield from cancellation(g, seat, order.card)
    if not cancelled:
        yield from effects.resolve(g, seat, order)
    if g.battle is None:
        ownership.end_of_procedure(g)
    else:
        victory.settle(g)                                       # 14.8 in a battle uncommanded CUs wait for its end (B29)


def judge_discard(g: Game, seat: str, order: Order) -> Order:
    """6.2 A Surprise card may be thrown away before the card of one's own Tyche Segment is played (R1), by other books at any
    time; an Event or Bonus card never just like that (B3)."""
    hand.judge_holds(g, seat, order.card)
    if g.facts.cards[order.card]["kind"] != "surprise":
        raise Refused("6.2", "no_plain_discard", card=order.card)
    if g.phase != "strategy":
        raise Refused("6.2", "strategy_phase_only", card=order.card)
    if not g.rules.discards_at_any_time and (g.player != seat or g.segment != "tyche" or g.card):
        raise Refused("6.2", "discard_before_card", card=order.card)
    return Order("discard", card=order.card)


@at_once
def discard(g: Game, seat: str, order: Order) -> None:
    """6.2 It does nothing, and is replaced at once."""
    hand.throw_away(g, seat, order.card)


OUT_OF_TURN: Mapping[str, Callable[[Game, str, Order], Procedure[None]]] = {"play": play, "discard": discard}
DRAWS_LATER = frozenset({"steal_card"})


def cancellation(g: Game, seat: str, card: str) -> Procedure[bool]:
    """A window for the cards that cancel a Surprise card just played; the first in Turn Order does (6.2)."""
    answers = yield lambda: cancellation_question(g, seat, card)
    for side, (answer,) in answers.items():
        if answer.verb == "play" and answer.card not in g.discards:     # not played meanwhile, in a window above this one
            yield from play(g, side, answer)
            if answer.card in g.cancelled:
                g.cancelled.discard(answer.card)
                continue
            g.cancelled.add(card)
            g.tell(ALL, "card_cancelled", seat=seat, card=card, by=side)
            return True
    return False


def cancellation_question(g: Game, seat: str, card: str) -> Question:
    """Asked is everybody but the player who could hold such a card, on public facts."""
    liars = g.facts.cards_by_effect.get("cancel_surprise", [])
    sides = [side for side in g.turn_order if side != seat and any(hand.could_hold(g, side, liar) for liar in liars)]

    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if not answer or answer == PASS:
            return PASS
        order = answer[0]
        if len(answer) > 1 or order.verb != "play" or order.card not in liars:
            raise Refused("6.2", "cancel_or_pass", card=card)
        hand.judge_holds(g, side, order.card)
        return (Order("play", card=order.card, how="surprise"),)

    return Poll(sides, "surprise", "6.2", about={"seat": seat, "card": card, "liars": Counter(liars).keys()}, read=read,
                candidates=lambda side: candidates(liars), default=PASS)


def candidates(cards: Iterable[str]) -> Iterator[tuple[Order, ...]]:
    """To let the moment pass, or each of these cards."""
    yield PASS
    for card in cards:
        yield (Order("play", card=card, how="surprise"),)
