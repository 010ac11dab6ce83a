"""6.2 A What a card does: its effect, written once however many cards have it, and handed to the game with the others."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, cast

from pbem.base.errors import Refused
from pbem.kernel.procedures import Procedure
from pbem.orders import Order
from pbem.rules import hand, ownership
from pbem.table.events import ALL
from pbem.table.state import Game


def just_leaves(g: Game) -> None:
    """Most cards just leave."""


class Card(NamedTuple):
    """What a card does: may it be played like that (returns the order in full), and what follows.

    `leaving` is what happens whenever it leaves a hand, whatever it is played for.
    """

    judge: Callable[[Game, str, Order], Order]
    do: Callable[[Game, str, Order], Procedure[None]]
    targets: Callable[[Game, str], Iterator[Order]]
    leaving: Callable[[Game], None] = just_leaves


Effects = dict[str, Card]                           # by the key that the data of the cards name


def effect_of(g: Game, card: str) -> Card | None:
    """None where nobody has written it yet."""
    return cast(Card | None, g.effects.get(g.facts.cards[card]["effect_key"]))


def lay_down(g: Game, card: str, use: str) -> None:
    """6.2 The one card of a Tyche Segment is turned up, for exactly one of its uses."""
    hand.leave_hand(g, g.player, card)
    g.discards.append(card)
    g.card = card
    g.tell(ALL, "card_played", seat=g.player, card=card, way=use)
    if effect := effect_of(g, card):
        effect.leaving(g)


def must_be(g: Game, card: str) -> bool:
    """6.2 A Does the card say that its event has to come to pass, in a book that keeps to it?"""
    return bool(g.rules.events_that_must_be and g.facts.cards[card]["must_play"])


def judge_not_only_for_its_points(g: Game, card: str) -> None:
    if must_be(g, card):
        raise Refused("6.2A", "event_must_be", card=card)


def leave_game(g: Game, card: str) -> None:
    """6.2 A Some cards leave the game with their event; an offer of marriage (8.2) when it lies open no more."""
    if g.facts.cards[card]["remove_after_event"] and card in g.discards:
        g.discards.remove(card)
        g.out.append(card)
        g.tell(ALL, "card_left_game", card=card)


def resolve(g: Game, seat: str, order: Order) -> Procedure[None]:
    """6.2 A What the card says comes to pass."""
    if g.facts.cards[order.card]["stand_in"]:
        g.tell(ALL, "stand_in", card=order.card)
    effect = effect_of(g, order.card)
    assert effect is not None
    yield from effect.do(g, seat, order)


def event(g: Game, seat: str, order: Order) -> Procedure[None]:
    """6.2 A The event of a card, played or turned up."""
    yield from resolve(g, seat, order)
    ownership.end_of_procedure(g)
