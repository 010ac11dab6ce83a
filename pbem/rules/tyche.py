"""5.3, 6.2 Tyche cards: the deck, the hands, the one card of a Tyche Segment, Surprise cards at any time.

Two words are kept apart: a seat *could hold* a card as far as everybody knows; it *holds* it as only the hidden side
knows. Windows open on the first, plays are judged by the second.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from pbem.base.errors import NotNow, Refused
from pbem.kernel.procedures import Abandon, Ask, Poll, Procedure, Question, at_once
from pbem.orders import Order
from pbem.rules import activation, movement, ownership, siege, victory
from pbem.rules.acts import Act
from pbem.table.events import ALL
from pbem.table.state import Game, Step

PASS = (Order("pass"),)


class Card(NamedTuple):
    """What a card does: may it be played like that (returns the order in full), and what follows."""

    judge: Callable[[Game, str, Order], Order]
    do: Callable[[Game, str, Order], Procedure[None]]
    targets: Callable[[Game, str], Iterator[Order]]


REGISTRY: dict[str, Card] = {}


# --- 5.3 Shuffle and deal ----------------------------------------------------------------------------------------


@at_once
def deal_phase(g: Game) -> None:
    """5.3 All cards but those out of play are shuffled, then dealt face down."""
    cards = tuple(sorted(card for card in g.facts.cards if card not in g.out))
    g.discards.clear()
    g.deck_name, g.deck_cards, g.deck = unspoilt_name(g), cards, len(cards)
    root = g.shuffle(g.deck_name, cards)
    g.tell(ALL, "deck_shuffled", deck=g.deck_name, count=len(cards), root=root)
    table = g.facts.tables["rounds_and_hands"]
    for seat in g.turn_order:
        g.hands[seat] = 0
        for _ in range(table["hand"][len(g.seats)]):
            draw(g, seat)
        g.tell(ALL, "dealt", seat=seat, count=g.hands[seat])
    g.face_down = table["face_down"][len(g.seats)]
    g.deck -= g.face_down
    if g.secret is not None:
        g.secret.lay_out(g.face_down)


def unspoilt_name(g: Game) -> str:
    """A deck that was undone has given its name away: another set of cards under it would bring its salts back."""
    names = (f"main,{g.turn}{again}" for again in ("", *(f",{number}" for number in range(2, 99))))
    return next(name for name in names if name not in g.spoilt_decks)


def draw(g: Game, seat: str) -> None:
    """The top card of the deck goes to a hand; what it is only its owner may hear."""
    if not g.deck:
        return
    g.deck -= 1
    g.hands[seat] += 1
    if g.secret is not None:
        g.tell((seat,), "card_seen", seat=seat, card=g.secret.draw(seat))


def replace(g: Game, seat: str) -> None:
    """6.2 A new card for the one that left the hand, as long as there is a deck."""
    if g.deck:
        draw(g, seat)
        g.tell(ALL, "card_drawn", seat=seat)


# --- who could hold what -----------------------------------------------------------------------------------------


def could_hold(g: Game, seat: str, card: str) -> bool:
    """On public facts: the seat has a card in hand, and this one is neither out, nor face up, nor left out."""
    return bool(g.hands.get(seat)) and card not in g.out and card not in g.discards and card not in g.shown


def judge_holds(g: Game, seat: str, card: str) -> None:
    """6.2 One plays what one has. Without the hidden side, what could be there is believed."""
    if not could_hold(g, seat, card):
        raise Refused("6.2", "card_elsewhere", card=card)
    if g.secret is not None and not g.secret.holds(seat, card):
        raise Refused("6.2", "card_not_in_hand", card=card)


def leave_hand(g: Game, seat: str, card: str) -> None:
    g.hands[seat] -= 1
    if g.secret is not None:
        g.secret.play(seat, card)


# --- 6.2 The Tyche Segment ---------------------------------------------------------------------------------------


def judge_play(g: Game, seat: str, order: Order) -> Order:
    """6.2 Exactly one Event or Bonus card, for exactly one of its uses."""
    fact = g.facts.cards[order.card]
    if fact["kind"] == "surprise":
        raise Refused("6.2", "surprise_any_time", card=order.card)
    if g.card:
        raise Refused("6.2", "one_card_only", card=g.card)
    judge_holds(g, seat, order.card)
    how = order.how or "ops"
    if how == "surprise" or how == "bonus" and fact["kind"] != "bonus":
        raise Refused("6.2", "no_such_use", card=order.card, how=how, kind=fact["kind"])
    if how in ("event", "bonus"):
        card = REGISTRY.get(fact["effect_key"])
        if card is None:
            raise Refused("6.2A", "event_not_written", card=order.card)
        return card.judge(g, seat, order.but(how=how))
    return Order("play", card=order.card, how="ops")


def play(g: Game, order: Order) -> Procedure[None]:
    """6.2, 6.2 A The card is turned up; a Bonus card's event comes before its points."""
    fact = g.facts.cards[order.card]
    leave_hand(g, g.player, order.card)
    g.discards.append(order.card)
    g.card = order.card
    g.tell(ALL, "card_played", seat=g.player, card=order.card, way=order.how)
    LEAVING.get(fact["effect_key"], nothing)(g)
    if order.how in ("event", "bonus"):
        yield from event(g, g.player, order)
        if fact["remove_after_event"]:
            leave_game(g, order.card)
    if order.how in ("ops", "bonus"):
        g.ops = fact["ops"]


# What happens whenever a card with this effect leaves a hand, whatever it is played for.
LEAVING: dict[str, Callable[[Game], None]] = {}


def nothing(g: Game) -> None:
    """Most cards just leave."""


def event(g: Game, seat: str, order: Order) -> Procedure[None]:
    """6.2 A The event of a card, played or turned up."""
    fact = g.facts.cards[order.card]
    if fact["stand_in"]:
        g.tell(ALL, "stand_in", card=order.card)
    yield from REGISTRY[fact["effect_key"]].do(g, seat, order)
    ownership.end_of_procedure(g)


def leave_game(g: Game, card: str) -> None:
    """6.2 A Some cards leave the game with their event."""
    g.discards.remove(card)
    g.out.append(card)
    g.tell(ALL, "card_left_game", card=card)


def judge_discard(g: Game, seat: str, order: Order) -> Order:
    """6.2 Only who has nothing but Surprise cards discards; an Event or Bonus card is never just thrown away (B3)."""
    judge_holds(g, seat, order.card)
    if g.facts.cards[order.card]["kind"] != "surprise":
        raise Refused("6.2", "no_plain_discard", card=order.card)
    if g.secret is not None and any(g.facts.cards[card]["kind"] != "surprise" for card in g.secret.hand(seat)):
        raise Refused("6.2", "playable_card_in_hand", card=order.card)
    return Order("discard", card=order.card)


@at_once
def discard(g: Game, order: Order) -> None:
    """6.2 A discarded Surprise card is replaced at once."""
    throw_away(g, g.player, order.card)


def throw_away(g: Game, seat: str, card: str) -> None:
    """6.2 A Surprise card goes face up onto the pile, and its owner draws another."""
    leave_hand(g, seat, card)
    g.discards.append(card)
    g.tell(ALL, "card_discarded", seat=seat, card=card)
    replace(g, seat)


def judge_force_march(g: Game, seat: str, order: Order) -> Order:
    """6.2 B1 One Army or General receives as many MPs as OPs are spent."""
    one = activation.own_general(g, seat, order.general)
    if one.name in g.activated:
        raise Refused("9.1", "activation_finished", general=one.name)
    number = order.number or g.ops
    if number > g.ops:
        raise Refused("6.2B1", "too_few_ops", ops=g.ops, wanted=number)
    return Order("force_march", general=one.name, number=number)


@at_once
def force_march(g: Game, order: Order) -> None:
    """6.2 B1 The General is activated with MPs from the card."""
    g.allowance = {order.general: order.number}
    g.ops = 0
    activation.begin(g, order.general)


def candidate_plays(g: Game, seat: str) -> Iterator[Order]:
    hand = g.secret.hand(seat) if g.secret is not None else tuple(card for card in g.facts.cards if could_hold(g, seat, card))
    for name in hand:
        fact = g.facts.cards[name]
        if fact["kind"] == "surprise":
            continue
        yield Order("play", card=name, how="ops")
        card = REGISTRY.get(fact["effect_key"])
        if card is not None:
            for order in card.targets(g, seat):
                yield order.but(card=name, how="event")
                if fact["kind"] == "bonus":
                    yield order.but(card=name, how="bonus")


def candidate_discards(g: Game, seat: str) -> Iterator[Order]:
    return (Order("discard", card=card) for card in (g.secret.hand(seat) if g.secret is not None else ()))


def candidate_force_marches(g: Game, seat: str) -> Iterator[Order]:
    return (Order("force_march", general=one.name, number=g.ops) for one in g.generals_of(seat) if g.on_map(one))


PLAYS: dict[str, Act] = {
    "play": Act(judge_play, play, candidate_plays),
    "discard": Act(judge_discard, discard, candidate_discards),
}
SPENDINGS: dict[str, Act] = {"force_march": Act(judge_force_march, force_march, candidate_force_marches)}
MARCHES = {**{verb: act for verb, act in movement.ACTS.items() if verb != "roll"}, "siege": siege.ACT}


def acts_now(g: Game) -> tuple[dict[str, Act], str]:
    """6.2 B What the player may do at this point of his Tyche Segment, and by which rule."""
    if not g.card:
        return PLAYS, "6.2"
    if g.ops:
        return {g.spending: SPENDINGS[g.spending]} if g.spending else SPENDINGS, "6.2B"
    if g.allowance:
        return MARCHES, "6.2B1"
    return {}, "6.2"


def tyche_question(g: Game) -> Question:
    return orders_question(g, *acts_now(g))


def orders_question(g: Game, acts: dict[str, Act], rule: str) -> Question:
    """What does the player do next, of the things that his card allows now?"""

    def read(side: str, order: Order) -> Order:
        if order.verb == "end":
            if not g.card and g.hands[side]:
                raise Refused("6.2", "card_must_be_played")
            activation.judge_may_stop(g)
            return order
        if order.verb in acts:
            return acts[order.verb].judge(g, side, order)
        if order.verb in PLAYS:
            return PLAYS[order.verb].judge(g, side, order)
        if order.verb in SPENDINGS or order.verb in MARCHES:
            raise Refused("6.2" if not g.card else "6.2B", "no_ops_for_that", verb=order.verb, card=g.card)
        if order.verb == "independent_move":
            raise Refused("9.5", "no_independents_now", general=order.general)
        raise NotNow("not_in_this_segment", verb=order.verb, segment=g.segment, may=list(acts))

    def candidates(side: str) -> Iterator[Order]:
        for act in acts.values():
            yield from act.candidates(g, side)
        yield Order("end")
        for act in acts.values():
            yield from act.rare(g, side)

    def about() -> dict[str, object]:
        act = g.activation
        return {"segment": "tyche", "turn": g.turn, "round": g.round, "card": g.card, "ops": g.ops, "roll": None,
                "active": act.key if act else "", "left": activation.mps_left(g) if act else 0,
                "marching": [name for name in g.allowance if g.on_map(g.generals[name]) and name not in g.activated]}

    return Ask(g.player, "tyche", rule, about=about, read=read, candidates=candidates, default=lambda: quiet_turn(g),
               costs=lambda side, order: acts[order.verb].costs(g, side, order) if order.verb in acts else [])


def quiet_turn(g: Game) -> Order:
    """The silent player's turn: his lowest Event or Bonus card for its points, nothing done with them."""
    if g.card or not g.hands[g.player] or g.secret is None:
        return movement.silence(g, g.player)
    playable = [card for card in g.secret.hand(g.player) if g.facts.cards[card]["kind"] != "surprise"]
    if not playable:
        return Order("discard", card=min(g.secret.hand(g.player)))
    return Order("play", card=min(playable, key=lambda card: (g.facts.cards[card]["ops"], card)), how="ops")


def tyche_segment(g: Game) -> Procedure[None]:
    """6.2 One card, one use of it; the segment ends when the player says so."""
    while True:
        order = yield lambda: tyche_question(g)
        if order.verb == "end":
            break
        try:
            acts = {**PLAYS, **SPENDINGS, **MARCHES}
            yield from acts[order.verb].do(g, order)
            if g.step == Step.OVER:
                break
        except Abandon as abandoned:
            if abandoned.level not in ("step", "activation"):
                raise
            if g.activation is not None:
                g.activation.must_leave = ""
            if abandoned.level == "activation":
                activation.finish(g)
            ownership.end_of_procedure(g)


# --- 6.2 Surprise cards ------------------------------------------------------------------------------------------


def judge_surprise(g: Game, seat: str, order: Order) -> Order:
    """6.2 At any time during a Strategy Phase, if this is the moment that the card names."""
    fact = g.facts.cards[order.card]
    if fact["kind"] != "surprise":
        raise Refused("6.2", "no_surprise_card", card=order.card)
    if g.phase != "strategy":
        raise Refused("6.2", "strategy_phase_only", card=order.card)
    judge_holds(g, seat, order.card)
    card = REGISTRY.get(fact["effect_key"])
    if card is None:
        raise Refused("6.2A", "event_not_written", card=order.card)
    return card.judge(g, seat, order.but(how="surprise"))


def at_the_same_time(g: Game, plays: Mapping[str, Order]) -> Procedure[None]:
    """6.2 Of several who want to play at the same time the earlier in Turn Order goes first; who is too late keeps his."""
    for seat in [side for side in g.turn_order if side in plays]:
        try:
            order = judge_surprise(g, seat, plays[seat])
        except Refused:
            continue
        yield from surprise(g, seat, order)


def surprise(g: Game, seat: str, order: Order) -> Procedure[None]:
    """6.2 The card is shown, may be cancelled, takes effect and is replaced (never Ahura Mazda & Ahriman)."""
    fact = g.facts.cards[order.card]
    leave_hand(g, seat, order.card)
    g.discards.append(order.card)
    g.tell(ALL, "surprise_played", seat=seat, card=order.card)
    if fact["effect_key"] not in DRAWS_LATER:
        replace(g, seat)
    cancelled = yield from cancellation(g, seat, order.card)
    if not cancelled:
        if fact["stand_in"]:
            g.tell(ALL, "stand_in", card=order.card)
        yield from REGISTRY[fact["effect_key"]].do(g, seat, order)
    if g.battle is None:
        ownership.end_of_procedure(g)
    else:
        victory.settle(g)                                       # 14.8 in a battle uncommanded CUs wait for its end (B29)


DRAWS_LATER = frozenset({"steal_card"})


def cancellation(g: Game, seat: str, card: str) -> Procedure[bool]:
    """A window for the cards that cancel a Surprise card just played; the first in Turn Order does (6.2)."""
    answers = yield lambda: cancellation_question(g, seat, card)
    for side, (answer,) in answers.items():
        if answer.verb == "play" and answer.card not in g.discards:     # not played meanwhile, in a window above this one
            yield from surprise(g, side, answer)
            if answer.card in g.cancelled:
                g.cancelled.discard(answer.card)
                continue
            g.cancelled.add(card)
            g.tell(ALL, "card_cancelled", seat=seat, card=card, by=side)
            return True
    return False


def cancelling(g: Game) -> list[str]:
    return g.facts.cards_by_effect["cancel_surprise"]


def cancellation_question(g: Game, seat: str, card: str) -> Question:
    """Asked is everybody but the player who could hold such a card, on public facts."""
    liars = cancelling(g)
    sides = [side for side in g.turn_order if side != seat and any(could_hold(g, side, liar) for liar in liars)]

    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if not answer or answer == PASS:
            return PASS
        order = answer[0]
        if len(answer) > 1 or order.verb != "play" or order.card not in liars:
            raise Refused("6.2", "cancel_or_pass", card=card)
        judge_holds(g, side, order.card)
        return (Order("play", card=order.card, how="surprise"),)

    def candidates(side: str) -> Iterator[tuple[Order, ...]]:
        yield PASS
        for liar in liars:
            yield (Order("play", card=liar, how="surprise"),)

    return Poll(sides, "surprise", "6.2", about={"seat": seat, "card": card, "liars": Counter(liars).keys()}, read=read,
                candidates=candidates, default=PASS)
