"""Event cards that move Independent Armies, in the order of the deck: 33, 34, 35."""

from collections.abc import Iterator

from pbem.kernel.procedures import Procedure
from pbem.orders import Order
from pbem.rules import independents
from pbem.rules.effects import Card, Effects
from pbem.table.state import Game

EFFECTS: Effects = {}


def judge_call(g: Game, seat: str, order: Order) -> Order:
    """Playable at any time: an Army that has left the game is simply not called."""
    return Order("play", card=order.card, how=order.how)


def call(g: Game, seat: str, order: Order) -> Procedure[None]:
    """The card's own Army comes out of its box; then every active one may move, each its 3 MPs or a PC instead."""
    yield from independents.move_all(g, seat, g.facts.cards[order.card]["params"]["army"])


def nothing_to_choose(g: Game, seat: str) -> Iterator[Order]:
    yield Order("play")


EFFECTS["activate_independent_armies"] = Card(judge_call, call, nothing_to_choose)
