"""5.3, 6.2 The deck and the hands.

Two words are kept apart: a seat *could hold* a card as far as everybody knows; it *holds* it as only the hidden side
knows. Windows open on the first, plays are judged by the second.
"""

from collections.abc import Sequence

from pbem.base.errors import Refused
from pbem.kernel.procedures import at_once
from pbem.table.events import ALL
from pbem.table.state import Game

# --- 5.3 Shuffle and deal ----------------------------------------------------------------------------------------


@at_once
def deal_phase(g: Game) -> None:
    """5.3 All cards but those out of play are shuffled, then dealt face down."""
    cards = tuple(sorted(card for card in g.facts.cards if card not in g.out))
    g.discards.clear()
    root = g.shuffle(f"main,{g.turn}", cards)
    g.tell(ALL, "deck_shuffled", deck=g.deck_name, count=len(cards), root=root)
    table = g.facts.tables["rounds_and_hands"]
    for seat in g.turn_order:
        g.hands[seat] = 0
        for _ in range(table["hand"][len(g.seats)]):
            draw(g, seat)
        g.moves.append(["deal", seat, g.hands[seat]])
        g.tell(ALL, "dealt", seat=seat, count=g.hands[seat])
    g.face_down = table["face_down"][len(g.seats)]
    g.deck -= g.face_down
    if g.face_down:
        g.moves.append(["lay", g.face_down])
    if g.secret is not None:
        g.secret.lay_out(g.face_down)


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
        g.moves.append(["draw", seat, 1])
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


def possible(g: Game, seat: str) -> Sequence[str]:
    """The cards of a hand; without the hidden side, those that could be there."""
    if g.secret is not None:
        return g.secret.hand(seat)
    return [card for card in g.facts.cards if could_hold(g, seat, card)]


def leave_hand(g: Game, seat: str, card: str) -> None:
    g.hands[seat] -= 1
    g.moves.append(["play", seat, card])
    if g.secret is not None:
        g.secret.play(seat, card)


def throw_away(g: Game, seat: str, card: str) -> None:
    """6.2 A Surprise card goes face up onto the pile, and its owner draws another."""
    leave_hand(g, seat, card)
    g.discards.append(card)
    g.tell(ALL, "card_discarded", seat=seat, card=card)
    replace(g, seat)
