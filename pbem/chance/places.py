"""Where each hidden card came from: the moves of the log folded without the rules (docs/chance.md, section 7).

A place is that in the deck from the top; None is one that nobody can know, or not yet.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Place = int | None
Known = Callable[[str, str], Place]             # deck and card -> its place


class Places(NamedTuple):
    """Hands and table as lists of places in the deck."""

    deck: str = ""                              # empty: there is none whose root was promised
    size: int = 0
    next: int = 0
    hands: Mapping[str, tuple[Place, ...]] = {}
    table: tuple[Place, ...] = ()
    due: tuple[tuple[str, str], ...] = ()       # deck and card of what was turned up since the last Game Turn ended
    over: bool = False

    def hand(self, seat: str) -> tuple[Place, ...]:
        return self.hands.get(seat, ())

    def with_hand(self, seat: str, hand: Sequence[Place]) -> "Places":
        return self._replace(hands={**self.hands, seat: tuple(hand)})


class Moved(NamedTuple):
    """How it lies after a move, and what was wrong with it; `sure` where all of it could be looked at."""

    after: Places
    wrong: str = ""                             # names a sentence; `facts` fill it
    facts: Mapping[str, Any] = {}
    sure: bool = True


def stated(before: Places, given: Mapping[str, Any], *, whole: bool) -> Places:
    """What a position or a ruling says of the cards: so many that nobody has promised."""
    after = Places(due=before.due) if whole else before
    for seat, count in (given.get("hands") or {}).items():
        after = after.with_hand(seat, [None] * count)
    if "face_down" in given:
        after = after._replace(table=(None,) * given["face_down"])
    if "deck" in given and not whole:
        after = after._replace(deck="", size=0, next=0)
    return after


def moved(here: Places, move: Sequence[Any], entry: Mapping[str, Any], known: Known) -> Moved:
    """One move of the list; what cannot be read raises."""
    kind, *about = move
    return MOVES[kind](here, about, entry, known)


def _deck(here: Places, about: Sequence[Any], entry: Mapping[str, Any], known: Known) -> Moved:
    (name,) = about
    told = entry.get("deck") or {}
    if told.get("name") != name:
        return Moved(Places(due=here.due), "move_other_deck", {"deck": name})
    return Moved(Places(name, len(told["cards"]), due=here.due))


def _drawn(here: Places, count: int, lying: Callable[[Places, list[Place]], Places]) -> Moved:
    """The next places of the deck go where they lie then; without a deck nobody knows which."""
    if not here.deck:
        return Moved(lying(here, [None] * count))
    drawn: list[Place] = list(range(here.next, min(here.next + count, here.size)))
    after = lying(here._replace(next=here.next + len(drawn)), drawn)
    return Moved(after) if len(drawn) == count else Moved(after, "move_deck_ends", {"count": count})


def _draw(here: Places, about: Sequence[Any], entry: Mapping[str, Any], known: Known) -> Moved:
    seat, count = about
    return _drawn(here, count, lambda after, drawn: after.with_hand(seat, [*after.hand(seat), *drawn]))


def _lay(here: Places, about: Sequence[Any], entry: Mapping[str, Any], known: Known) -> Moved:
    (count,) = about
    return _drawn(here, count, lambda after, drawn: after._replace(table=(*after.table, *drawn)))


def _play(here: Places, about: Sequence[Any], entry: Mapping[str, Any], known: Known) -> Moved:
    seat, card = about
    hand, place = list(here.hand(seat)), known(here.deck, card) if here.deck else None
    after = here._replace(due=(*here.due, (here.deck, card))) if here.deck else here
    if place is not None and place in hand:
        hand.remove(place)
        return Moved(after.with_hand(seat, hand))
    if None in hand:
        hand.remove(None)
        return Moved(after.with_hand(seat, hand), sure=False)
    if place is None and hand:
        return Moved(after.with_hand(seat, [None] * (len(hand) - 1)), sure=False)
    return Moved(after, "move_not_in_hand", {"seat": seat, "card": card, "place": place})


def _up(here: Places, about: Sequence[Any], entry: Mapping[str, Any], known: Known) -> Moved:
    (card,) = about
    after = here._replace(due=(*here.due, (here.deck, card))) if here.deck else here
    if not here.table:
        return Moved(after, "move_nothing_there", {"card": card})
    first, place = here.table[0], known(here.deck, card) if here.deck else None
    after = after._replace(table=here.table[1:])
    if first is None or place is None:
        return Moved(after, sure=False)
    return Moved(after) if first == place else Moved(after, "move_other_card", {"card": card, "place": place, "wanted": first})


def _take(here: Places, about: Sequence[Any], entry: Mapping[str, Any], known: Known) -> Moved:
    thief, victim, number = about
    hand = list(here.hand(victim))
    if not 1 <= number <= len(hand):
        return Moved(here, "move_no_such_card", {"seat": victim, "count": len(hand)})
    taken = hand.pop(number - 1)
    after = here.with_hand(victim, hand)
    after = after.with_hand(thief, [*after.hand(thief), taken])
    for name, value, *marks in entry.get("dice") or ():
        sides = marks[0].get("sides", 6) if marks else 6
        if name.split(",")[4:6] == ["theft", victim] and (value, sides) == (number, len(hand) + 1):
            return Moved(after)
    return Moved(after, "move_other_theft", {"seat": victim, "place": number})


MOVES: Mapping[str, Callable[[Places, Sequence[Any], Mapping[str, Any], Known], Moved]] = {
    "deck": _deck, "deal": _draw, "draw": _draw, "lay": _lay, "play": _play, "up": _up, "take": _take,
}
