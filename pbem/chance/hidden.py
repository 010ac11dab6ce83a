"""The hidden side of the cards: the order of the deck and the hands. Only the moderator's runs have it."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from pbem.base.errors import Unknown
from pbem.chance.draws import Keys


class Secret(Protocol):
    """The hidden side of the cards: who holds what. The engine tells it what moves, it never tells the engine why."""

    def holds(self, seat: str, card: str) -> bool: ...

    def draw(self, seat: str) -> str: ...

    def shuffled(self, name: str, cards: tuple[str, ...]) -> None: ...

    def lay_out(self, count: int) -> None: ...

    def play(self, seat: str, card: str) -> None: ...

    def steal(self, thief: str, victim: str, place: int) -> str: ...

    def on_table(self) -> tuple[str, ...]: ...

    def turn_up(self) -> None: ...

    def hand(self, seat: str) -> tuple[str, ...]: ...


class OwnHand:
    """What a player at home knows: his own cards. Of the others' he believes what could be. Nothing is ever drawn."""

    def __init__(self, seat: str, cards: Iterable[str]) -> None:
        self.seat = seat
        self.cards = tuple(cards)

    def holds(self, seat: str, card: str) -> bool:
        return seat != self.seat or card in self.cards

    def hand(self, seat: str) -> tuple[str, ...]:
        return self.cards if seat == self.seat else ()

    def play(self, seat: str, card: str) -> None:
        self.cards = tuple(one for one in self.cards if one != card)

    def draw(self, seat: str) -> str:
        raise Unknown("card_not_drawn", seat=seat)

    def steal(self, thief: str, victim: str, place: int) -> str:
        raise Unknown("card_not_drawn", seat=thief)

    def shuffled(self, name: str, cards: tuple[str, ...]) -> None:
        """A new deck cannot come in a dry run: it has no chance source."""

    def lay_out(self, count: int) -> None:
        """Nor can it be laid out."""

    def on_table(self) -> tuple[str, ...]:
        return ()

    def turn_up(self) -> None:
        """What lies face down is as unknown after as before."""


class Hidden:
    """Follows what the engine does with cards and knows which ones they are."""

    def __init__(self, keys: Keys | None, hands: Mapping[str, Iterable[str]], deck: Iterable[str],
                 face_down: Iterable[str] = ()) -> None:
        self.keys = keys
        self.hands = {seat: list(cards) for seat, cards in hands.items()}
        self.deck = list(deck)
        self.face_down = list(face_down)

    def shuffled(self, name: str, cards: tuple[str, ...]) -> None:
        """5.3 A new deck, and everybody's hand goes back into it."""
        assert self.keys is not None
        deck = self.keys.shuffled(name, cards)
        self.deck = list(deck.cards)
        self.hands = {}
        self.face_down = []

    def draw(self, seat: str) -> str:
        card = self.deck.pop(0)
        self.hands.setdefault(seat, []).append(card)
        return card

    def lay_out(self, count: int) -> None:
        self.face_down, self.deck = self.deck[:count], self.deck[count:]

    def on_table(self) -> tuple[str, ...]:
        """6 The cards dealt face down to the table, the next one to turn up first."""
        return tuple(self.face_down)

    def turn_up(self) -> None:
        self.face_down.pop(0)

    def holds(self, seat: str, card: str) -> bool:
        return card in self.hands.get(seat, ())

    def hand(self, seat: str) -> tuple[str, ...]:
        return tuple(self.hands.get(seat, ()))

    def play(self, seat: str, card: str) -> None:
        self.hands[seat].remove(card)

    def steal(self, thief: str, victim: str, place: int) -> str:
        card = self.hands[victim].pop(place)
        self.hands.setdefault(thief, []).append(card)
        return card
