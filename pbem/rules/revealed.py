"""6 With two or three players cards lie face down on the table; some are turned up after each round."""

from collections.abc import Callable, Iterator
from itertools import islice

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import activation, effects, ownership
from pbem.rules.preparations import least
from pbem.rules.reinforcements import lowest_die
from pbem.rules.war import MODERATOR, unwritten_event
from pbem.table.events import ALL
from pbem.table.state import Game, Step


def still_to_turn(g: Game) -> int:
    """6 How many are still to be turned up after this round: so many a round, from what was dealt to the table."""
    table, players = g.facts.tables["rounds_and_hands"], len(g.seats)
    left = table["face_down"][players] - g.round * table["revealed_per_round"][players]
    return max(0, int(g.face_down - left))


def turn_up_cards(g: Game) -> Procedure[None]:
    """6 One after the other; the marked Bonus cards act, in the order revealed."""
    g.step = g.step or Step.TURNING
    while g.step == Step.RESOLVING or still_to_turn(g):
        if g.step == Step.TURNING:
            order = yield lambda: card_question(g)
            if order:
                turn_up(g, order.card)
        if g.step == Step.RESOLVING:
            yield from resolve(g)
            finish(g)
    g.step = Step.NONE


def card_question(g: Game) -> Question | None:
    """Only the moderator sees the face-down cards: he turns the next one up, and the log keeps it."""
    if not still_to_turn(g):
        return None
    table = g.secret.on_table() if g.secret is not None else ()

    def read(side: str, order: Order) -> Order:
        if order.verb != "turn_up":
            raise Refused("6", "card_wanted")
        if order.card in g.discards or order.card in g.out:
            raise Refused("6.2", "card_elsewhere", card=order.card)
        if table and order.card != table[0]:
            raise Refused("6", "other_card_on_top", card=order.card)
        return Order("turn_up", card=order.card)

    default = Order("turn_up", card=table[0]) if table else Order("pass")
    return Ask(MODERATOR, "turn_up", "6", read=read, default=default, candidates=lambda side: iter((default,)),
               about={"what": "turn_up", "left": still_to_turn(g), "round": g.round})


def turn_up(g: Game, card: str) -> None:
    """6 The card goes face up on the discard pile; who has the least VP resolves a marked one (B46)."""
    if g.secret is not None:
        g.secret.turn_up()
    g.face_down -= 1
    g.moves.append(["up", card])
    g.discards.append(card)
    marked = bool(g.facts.cards[card]["resolved_when_revealed"])
    if marked:
        g.step, g.card, g.chooser = Step.RESOLVING, card, RESOLVERS[g.rules.resolver](g, "revealed_card")
    g.tell(ALL, "card_revealed", card=card, resolver=g.chooser if marked else "")


RESOLVERS: dict[str, Callable[[Game, str], str]] = {
    "least": least,
    "chance": lambda g, why: lowest_die(g, list(g.turn_order), why),
}


def resolve(g: Game) -> Procedure[None]:
    """6 The event, not the points, as if the resolver had played the card."""
    if effects.effect_of(g, g.card) is None:
        yield from unwritten_event(g, g.card, g.chooser)
        return
    found = thinkable(g)
    if not found:
        return
    order = found[0] if len(found) == 1 else (yield lambda: event_question(g))
    if order and order.verb == "play":
        yield from effects.event(g, g.chooser, order)
        effects.leave_game(g, order.card)


def finish(g: Game) -> None:
    g.step, g.card, g.chooser = Step.TURNING, "", ""
    activation.finish(g)
    activation.forget(g)
    ownership.end_of_procedure(g)


def thinkable(g: Game) -> list[Order]:
    """What the event could do, as far as it has to be known: nothing, one thing, or a choice."""
    question = event_question(g)
    return list(islice(question.offers(g.chooser), 2)) if question is not None else []


def event_question(g: Game) -> Question | None:
    """6 The resolver makes the choices that the card asks for."""
    if g.step != Step.RESOLVING:
        return None
    name, effect = g.card, effects.effect_of(g, g.card)
    assert effect is not None

    def read(side: str, order: Order) -> Order:
        if order.verb != "play" or order.card != name:
            raise Refused("6", "revealed_event_wanted", card=name)
        return effect.judge(g, side, order.but(how="event"))

    def candidates(side: str) -> Iterator[Order]:
        for order in effect.targets(g, side):
            yield order.but(card=name, how="event")

    question: Question = Ask(
        g.chooser, "revealed", "6", read=read, candidates=candidates, about={"card": name, "round": g.round},
        default=lambda: next(question.offers(g.chooser), Order("pass")))
    return question
