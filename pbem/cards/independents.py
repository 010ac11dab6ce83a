"""Event cards that move Independent Armies, in the order of the deck: 33, 34, 35."""


from pbem.cards import targets
from pbem.kernel.procedures import Procedure
from pbem.orders import Order
from pbem.rules import independents
from pbem.rules.effects import Card, Effects
from pbem.table.state import Game

EFFECTS: Effects = {}


def judge_call(g: Game, seat: str, order: Order) -> Order:
    """Playable at any time: an Army that has left the game is simply not called."""
    return targets.played(order)


def call(g: Game, seat: str, order: Order) -> Procedure[None]:
    """The card's own Army comes out of its box; then every active one may move, each its 3 MPs or a PC instead."""
    yield from independents.move_all(g, seat, g.facts.cards[order.card]["params"]["army"])


EFFECTS["activate_independent_armies"] = Card(judge_call, call, targets.nothing_to_choose)
