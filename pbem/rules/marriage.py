"""8.2 Marriage offers: a card that lies open before its player until the end of the Game Turn, and the wedding."""

from pbem.table.events import ALL
from pbem.table.state import DEAD, NOWHERE, Game


def offer(g: Game, seat: str, bride: str, card: str) -> None:
    """8.2 The card is placed in front of the player as a reminder."""
    g.discards.remove(card)
    g.shown[card] = seat
    g.offers[bride] = seat
    g.tell(ALL, "marriage_offered", seat=seat, royal=bride, card=card)


def weddings(g: Game) -> bool:
    """8.2 Whoever meets all conditions gains the bride; True where that has happened."""
    couples = [(bride, seat) for bride, seat in g.offers.items() if may_wed(g, bride, seat)]
    for bride, seat in couples:
        royal = g.royals[bride]
        royal.seat = seat
        del g.offers[bride]
        g.tell(ALL, "married", seat=seat, royal=bride, at=royal.at)
    return bool(couples)


def may_wed(g: Game, bride: str, seat: str) -> bool:
    """8.2 She is uncontrolled, an Army of the suitor's is in her location, and no enemy CU but of who lets it pass."""
    royal = g.royals[bride]
    if not g.count(royal.at, seat) or royal.seat or royal.at in (NOWHERE, DEAD) or not g.has_general(royal.at, seat):
        return False
    return all(side == seat or granted(g, seat, side, royal.at) for side in g.sides_with_cus(royal.at))


def granted(g: Game, seat: str, side: str, at: str) -> bool:
    """10 C Has this side granted Free Passage to the Army that is there, and is it honoured?"""
    act = g.activation
    return act is not None and act.here == at and act.seat == seat and side in act.passage


def lapse(g: Game) -> list[str]:
    """8.2 The marriage must take place during the Game Turn of the card: the cards that do not lie open any more."""
    for bride, seat in g.offers.items():
        g.tell(ALL, "offer_lapsed", seat=seat, royal=bride)
    g.offers.clear()
    closed = [one for one in g.shown if g.facts.cards[one]["effect_key"] == "marriage"]
    for card in closed:
        del g.shown[card]
        g.discards.append(card)
    return closed
