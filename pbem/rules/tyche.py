"""6.2 The Tyche Segment: exactly one card, for exactly one of its uses."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Abandon, Ask, Procedure, Question, at_once
from pbem.orders import Order
from pbem.rules import activation, burial, effects, hand, marching, operations, surprise
from pbem.rules.acts import Act, not_in_this_segment, thinkable
from pbem.rules.marching import MARCHES
from pbem.table.state import Game, Step

# --- playing it, or throwing it away -----------------------------------------------------------------------------


def judge_play(g: Game, seat: str, order: Order) -> Order:
    """6.2 Exactly one Event or Bonus card, for exactly one of its uses."""
    fact = g.facts.cards[order.card]
    if fact["kind"] == "surprise":
        raise Refused("6.2", "surprise_any_time", card=order.card)
    if g.card and order.card == g.event_due:
        return judge_event_due(g, seat, order)
    if g.card:
        raise Refused("6.2", "one_card_only", card=g.card)
    hand.judge_holds(g, seat, order.card)
    how = order.how or "ops"
    if how == "surprise" or how == "bonus" and fact["kind"] != "bonus":
        raise Refused("6.2", "no_such_use", card=order.card, how=how, kind=fact["kind"])
    if how == "ops":
        effects.judge_not_only_for_its_points(g, order.card)
    if how == "bonus" and g.rules.points_before_event:
        return Order("play", card=order.card, how=how)          # what its event does is said when it comes
    if how in ("event", "bonus"):
        effect = effects.effect_of(g, order.card)
        if effect is None:
            raise Refused("6.2A", "event_not_written", card=order.card)
        return effect.judge(g, seat, order.but(how=how))
    return Order("play", card=order.card, how="ops")


def judge_event_due(g: Game, seat: str, order: Order) -> Order:
    """6.2 A The event of the Bonus card whose points were spent first; what is left of them is lost."""
    if order.how not in (None, "event"):
        raise Refused("6.2", "event_is_due", card=g.event_due)
    activation.judge_may_stop(g)
    effect = effects.effect_of(g, order.card)
    assert effect is not None
    read = effect.judge(g, seat, order.but(how="event"))
    judge_stays(g, read)
    return read


def judge_stays(g: Game, order: Order) -> None:
    """7.1 C The march ends before the event comes, and a Minor General beside a senior one leaves the map with its end."""
    kind, name = order.target or ("", "")
    if kind != "general" or g.activation is None or not g.rules.event_after_march:
        return
    one = g.generals[name]
    if one.minor and g.commander(one.at, one.seat) is not one:
        raise Refused("7.1C", "leaves_with_march", general=name, at=one.at, card=order.card)


def play(g: Game, order: Order) -> Procedure[None]:
    """6.2, 6.2 A The card is turned up. A Bonus card's event comes before its points, in some books after them."""
    fact = g.facts.cards[order.card]
    if order.card == g.event_due:
        activation.finish(g)
        g.event_due, g.ops, g.allowance = "", 0, {}
    else:
        points_first = order.how == "bonus" and g.rules.points_before_event
        effects.lay_down(g, order.card, "points_first" if points_first else order.how)
    if order.how == "bonus" and g.rules.points_before_event:
        g.event_due = order.card
    elif order.how in ("event", "bonus"):
        yield from effects.event(g, g.player, order)
        effects.leave_game(g, order.card)
    if order.how in ("ops", "bonus"):
        g.ops = fact["ops"]


def judge_discard(g: Game, seat: str, order: Order) -> Order:
    """6.2 A Surprise card that is not wanted; where the book has it so an Event or Bonus card, as the card of the segment."""
    if not g.rules.plain_discard or g.facts.cards[order.card]["kind"] == "surprise":
        return surprise.judge_discard(g, seat, order)
    if g.card:
        raise Refused("6.2", "one_card_only", card=g.card)
    hand.judge_holds(g, seat, order.card)
    effects.judge_not_only_for_its_points(g, order.card)
    return Order("discard", card=order.card)


def discard(g: Game, order: Order) -> Procedure[None]:
    """6.2 A Surprise card is replaced at once; any other was the one card of the segment, and has done nothing."""
    if g.facts.cards[order.card]["kind"] == "surprise":
        yield from surprise.discard(g, g.player, order)
    else:
        effects.lay_down(g, order.card, "discard")


# --- 6.2 B1 Force-March ------------------------------------------------------------------------------------------


def judge_force_march(g: Game, seat: str, order: Order) -> Order:
    """6.2 B1 One Army or General receives as many MPs as OPs are spent."""
    one = activation.own_general(g, seat, order.general)
    if one.name in g.activated:
        raise Refused("9.1", "activation_finished", general=one.name)
    if not g.count(one.at, seat) and not g.rules.lone_general_force_marches:
        raise Refused("6.2B1", "card_moves_armies", general=one.name)
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


# --- what can be thought of --------------------------------------------------------------------------------------


def candidate_plays(g: Game, seat: str) -> Iterator[Order]:
    for name in (hand.possible(g, seat) if not g.card else [g.event_due] if g.event_due else ()):
        fact = g.facts.cards[name]
        if fact["kind"] == "surprise":
            continue
        yield Order("play", card=name, how="ops")
        effect = effects.effect_of(g, name)
        if effect is not None:
            for order in effect.targets(g, seat):
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
    **operations.PLAYS,
}
SPENDINGS: dict[str, Act] = {
    "force_march": Act(judge_force_march, force_march, candidate_force_marches),
    **operations.SPENDINGS,
}
ACTS = {**PLAYS, **SPENDINGS, **MARCHES, **burial.ACTS}


# --- the segment -------------------------------------------------------------------------------------------------


def acts_now(g: Game) -> tuple[dict[str, Act], str]:
    """6.2 B What the player may do at this point of his Tyche Segment, and by which rule."""
    if not g.card:
        return {**PLAYS, **burial.acts(g)}, "6.2"
    due = {**({"play": PLAYS["play"]} if g.event_due else {}), **burial.acts(g)}
    if g.ops:
        return {**({g.spending: SPENDINGS[g.spending]} if g.spending else SPENDINGS), **due}, "6.2B"
    if g.allowance:
        return {**MARCHES, **due}, "6.2B1"
    return due, "6.2"


def tyche_question(g: Game) -> Question:
    return orders_question(g, *acts_now(g))


def orders_question(g: Game, acts: dict[str, Act], rule: str) -> Question:
    """What does the player do next, of the things that his card allows now?"""

    def read(side: str, order: Order) -> Order:
        if order.verb == "end":
            if not g.card and g.hands[side]:
                raise Refused("6.2", "card_must_be_played")
            if must_come_to_pass(g):
                raise Refused("6.2A", "event_must_be", card=g.event_due)
            activation.judge_may_stop(g)
            return order
        if order.verb in acts:
            return acts[order.verb].judge(g, side, order)
        if order.verb in PLAYS:
            return PLAYS[order.verb].judge(g, side, order)
        if order.verb in SPENDINGS or order.verb in MARCHES:
            raise Refused("6.2" if not g.card else "6.2B", "no_ops_for_that", verb=order.verb, card=g.card)
        if order.verb == "bury":
            return burial.judge_bury(g, side, order)
        if order.verb == "independent_move":
            raise Refused("9.5", "no_independents_now", general=order.general)
        raise not_in_this_segment(order.verb, g.segment, acts)

    def about() -> dict[str, object]:
        act = g.activation
        return {"due": g.event_due, "points_first": g.rules.points_before_event, "throws": g.rules.plain_discard,
                "segment": "tyche", "turn": g.turn, "round": g.round, "card": g.card, "ops": g.ops, "roll": None,
                "active": act.key if act else "", "left": activation.mps_left(g) if act else 0,
                "marching": [name for name in g.allowance if g.on_map(g.generals[name]) and name not in g.activated]}

    return Ask(g.player, "tyche", rule, about=about, read=read,
               candidates=lambda side: thinkable(g, acts, side), default=lambda: quiet_turn(g),
               costs=lambda side, order: acts[order.verb].costs(g, side, order) if order.verb in acts else [])


def must_come_to_pass(g: Game) -> bool:
    """6.2 A Is an event still due that has to be, and can be?"""
    return bool(g.event_due) and effects.must_be(g, g.event_due) and next(event_orders(g), None) is not None


def event_orders(g: Game) -> Iterator[Order]:
    """What the event that is due could do."""
    for order in candidate_plays(g, g.player):
        if order.how == "event":
            try:
                yield judge_play(g, g.player, order)
            except Refused:
                continue


def quiet_turn(g: Game) -> Order:
    """The silent player's turn: his lowest Event or Bonus card for its points, nothing done with them; what has to be, is."""
    if must_come_to_pass(g):
        return next(event_orders(g))
    if g.card or not g.hands[g.player] or g.secret is None:
        return marching.silence(g, g.player)
    playable = [card for card in g.secret.hand(g.player) if g.facts.cards[card]["kind"] != "surprise"]
    if not playable:
        return Order("discard", card=min(g.secret.hand(g.player)))
    lowest = min(playable, key=lambda card: (effects.must_be(g, card), g.facts.cards[card]["ops"], card))
    return Order("play", card=lowest, how="bonus" if effects.must_be(g, lowest) else "ops")


def tyche_segment(g: Game) -> Procedure[None]:
    """6.2 One card, one use of it; the segment ends when the player says so."""
    while True:
        order = yield lambda: tyche_question(g)
        if order.verb == "end":
            break
        try:
            yield from ACTS[order.verb].do(g, order)
            if g.step == Step.OVER:
                break
        except Abandon as abandoned:
            activation.after_abandon(g, abandoned)
