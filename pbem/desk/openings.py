"""Openings: what proves, card by card, that a deck was the one that was promised; and when each may be shown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.chance.draws import Keys
from pbem.log import gamelog
from pbem.play.match import Match
from pbem.table.events import ALL

DECK, CARD, TURN = "deck", "card", "turn"


def turned_up(entries: Sequence[Mapping[str, Any]], match: Match, *, finished: bool) -> dict[str, list[str]]:
    """The cards that everybody has seen, by the deck they came from; if wanted only those of finished Game Turns."""
    deck, cards, before = "", dict[str, list[str]](), dict[str, list[str]]()
    for what, card in (brought_to_light(entries) if match.tells else shown_before(match)):
        if what == DECK:
            deck = card
        elif what == TURN:
            before = {name: list(there) for name, there in cards.items()}
        elif deck and card not in (there := cards.setdefault(deck, [])):
            there.append(card)
    return before if finished and not match.g.over else cards


def brought_to_light(entries: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Decks, cards that were turned up, ends of Game Turns, as the log tells them. Where a position or the deck is stated
    nobody has promised what is turned up: then it is no deck."""
    for entry in (entries[place] for place in gamelog.survivors(entries)):
        if "turn_end" in entry:
            yield TURN, ""
        elif "position" in entry or DECK in (entry.get("facts") or ()):
            yield DECK, ""
        for kind, *about in entry.get("cards") or ():
            if kind in (DECK, "play", "up"):
                yield (DECK if kind == DECK else CARD), about[-1]


def shown_before(match: Match) -> Iterator[tuple[str, str]]:
    """The same of a log from before entries told who drew."""
    for _, event in match.history:
        if event.key == "deck_shuffled":
            yield DECK, event.facts["deck"]
        elif event.key == "turn_began":
            yield TURN, ""
        elif event.audience == ALL and "card" in event.facts:
            yield CARD, event.facts["card"]


def due(entries: Sequence[Mapping[str, Any]], match: Match, keys: Keys | None) -> list[dict[str, Any]]:
    """One entry for each deck of which cards were turned up in finished Game Turns and have not been opened yet.

    Not earlier: the place of a card in the deck tells when it was drawn.
    """
    opened = opened_before(entries)
    made = []
    for name, cards in turned_up(entries, match, finished=True).items():
        missing = [card for card in cards if (name, card) not in opened]
        if found := opened_cards(entries, keys, name, missing):
            made.append({"openings": {"deck": name, "cards": found}})
    return made


def opened_before(entries: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """Deck and card of all openings of the log. What was taken back later has been seen all the same."""
    told = [entry["openings"] for entry in entries if "openings" in entry]
    return {(one["deck"], card[1]) for one in told for card in one["cards"]}


def deck_of_hands(entries: Sequence[Mapping[str, Any]], match: Match) -> str:
    """The deck from which the cards now held were drawn."""
    if not match.tells:
        return match.g.deck_name
    return next((name for what, name in reversed(list(brought_to_light(entries))) if what == DECK), "")


def hand(entries: Sequence[Mapping[str, Any]], match: Match, keys: Keys | None, seat: str) -> dict[str, Any] | None:
    """The openings of a hand, for its owner alone: nobody can exchange these cards any more."""
    g, name = match.g, deck_of_hands(entries, match)
    found = opened_cards(entries, keys, name, list(g.secret.hand(seat))) if g.secret is not None else []
    return {"openings": {"deck": name, "cards": found}} if found else None


def opened_cards(entries: Sequence[Mapping[str, Any]], keys: Keys | None, name: str, cards: list[str]) -> list[Any]:
    """By their place in the deck, which says nothing of the order in which they were played."""
    shuffled = decks(entries).get(name)
    if keys is None or shuffled is None or not cards:          # nothing to open: no deck is made for it
        return []
    deck = keys.shuffled(name, shuffled)
    return [deck.opening(place).plain() for place, card in enumerate(deck.cards) if card in cards]


def decks(entries: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The cards of each deck whose root stands in the log; a deck that came from elsewhere has none."""
    told = [entry["deck"] for entry in entries if "deck" in entry]
    return {one["name"]: list(one["cards"]) for one in told}
