"""Openings: what proves, card by card, that a deck was the one that was promised; and when each may be shown."""

from typing import Any

from pbem.chance.draws import Keys
from pbem.log.gamelog import GameFile
from pbem.play.match import Match
from pbem.table.events import ALL


def turned_up(match: Match, *, finished: bool) -> dict[str, list[str]]:
    """The cards that everybody has seen, by the deck they came from; if wanted only those of finished Game Turns."""
    deck, cards, before = "", dict[str, list[str]](), dict[str, list[str]]()
    for _, event in match.history:
        if event.key == "deck_shuffled":
            deck = event.facts["deck"]
        elif event.key == "turn_began":
            before = {name: list(there) for name, there in cards.items()}
        elif event.audience == ALL and "card" in event.facts and deck:
            there = cards.setdefault(deck, [])
            if event.facts["card"] not in there:
                there.append(event.facts["card"])
    return before if finished and not match.g.over else cards


def due(game: GameFile, match: Match, keys: Keys | None) -> list[dict[str, Any]]:
    """One entry for each deck of which cards were turned up in finished Game Turns and have not been opened yet.

    Not earlier: the place of a card in the deck tells when it was drawn.
    """
    opened = opened_before(game)
    made = []
    for name, cards in turned_up(match, finished=True).items():
        missing = [card for card in cards if (name, card) not in opened]
        if shown := opened_cards(game, keys, name, missing):
            made.append({"openings": {"deck": name, "cards": shown}})
    return made


def opened_before(game: GameFile) -> set[tuple[str, str]]:
    """Deck and card of all openings of the log. What was taken back later has been seen all the same."""
    told = [entry["openings"] for entry in game.entries if "openings" in entry]
    return {(one["deck"], card[1]) for one in told for card in one["cards"]}


def hand(game: GameFile, match: Match, keys: Keys | None, seat: str) -> dict[str, Any] | None:
    """The openings of a hand, for its owner alone: nobody can exchange these cards any more."""
    g = match.g
    shown = opened_cards(game, keys, g.deck_name, list(g.secret.hand(seat))) if g.secret is not None else []
    return {"openings": {"deck": g.deck_name, "cards": shown}} if shown else None


def opened_cards(game: GameFile, keys: Keys | None, name: str, cards: list[str]) -> list[Any]:
    """By their place in the deck, which says nothing of the order in which they were played."""
    shuffled = decks(game).get(name)
    if keys is None or shuffled is None:
        return []
    deck = keys.shuffled(name, shuffled)
    return [deck.opening(place).plain() for place, card in enumerate(deck.cards) if card in cards]


def decks(game: GameFile) -> dict[str, list[str]]:
    """The cards of each deck whose root stands in the log; a deck that came from elsewhere has none."""
    told = [entry["deck"] for entry in game.entries if "deck" in entry]
    return {one["name"]: list(one["cards"]) for one in told}
