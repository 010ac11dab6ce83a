"""A game under way is adopted: a position that somebody has written down, with whatever is known of its cards.

The public part goes into the log. The real cards are for the private file alone: what is listed counts as it is, and what is
only counted is dealt, by the secrets that were promised, from all cards that are nowhere else.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import BadLog, Refused, Unknown
from pbem.chance.draws import Keys, Unthrown
from pbem.chance.hidden import Hidden
from pbem.desk.tray import Cards
from pbem.play.match import Match
from pbem.table import position
from pbem.table.state import Game
from pbem.table.stated import understood

DICE = range(1, 7)


class Adopted(NamedTuple):
    """What the log begins with; and the real cards, where there are any."""

    position: dict[str, Any]
    cards: Cards | None


def stated_in(path: Path, match: Match, *, public: bool = False) -> dict[str, Any]:
    """A position that somebody has written down, every word of it understood; a `public` one lists no hidden card."""
    given = yamlfile.load(path)
    if not isinstance(given, Mapping):
        raise BadLog("no_mapping", file=str(path), line=1)
    understood(given, match.g.facts, match.seats, str(path), public=public)
    return dict(given)


def adopted(path: Path, header: Mapping[str, Any], keys: Keys | None,
            corrections: Sequence[Mapping[str, Any]] = ()) -> Adopted:
    """What can be gone on with; refused, before anything is made, if it cannot."""
    match = Match(header, corrections)
    given = stated_in(path, match)
    listed = known_cards(given)
    public = counted(given)
    g = match.g
    position.state(g, public)
    public |= rolled(g, given)
    cards = None if keys is None else dealt(g, listed, keys)
    settled = Match(header, corrections)
    with suppress(Unknown):                             # it goes as far as the first die
        settled.apply({"position": public}, 1, Unthrown())
    judge_fleets(given, settled.g)
    return Adopted(public, cards)


# --- the cards ---------------------------------------------------------------------------------------------------


def known_cards(given: Mapping[str, Any]) -> Cards:
    """Those that are listed one by one."""
    hands = {seat: numbers(hand) for seat, hand in (given.get("hands") or {}).items() if isinstance(hand, list)}
    table = given.get("face_down")
    return Cards(hands, numbers(given.get("deck_order") or ()), numbers(table) if isinstance(table, list) else [])


def numbers(cards: Sequence[Any]) -> list[str]:
    """12 and "12" are the same card."""
    return [str(card) for card in cards]


def counted(given: Mapping[str, Any]) -> dict[str, Any]:
    """The position as everybody may know it: of hands, deck and table only how many cards there are."""
    public = {key: value for key, value in given.items() if key != "deck_order"}
    for key in ("discards", "out"):
        if key in public:
            public[key] = numbers(public[key])
    if "hands" in given:
        public["hands"] = {seat: len(hand) if isinstance(hand, list) else hand for seat, hand in given["hands"].items()}
    if isinstance(given.get("face_down"), list):
        public["face_down"] = len(given["face_down"])
    if "deck" in given:
        deck = given["deck"]
        public["deck"] = {"name": str(deck.get("name") or f"main,{given.get('turn', 1)}"),
                          "cards": numbers(deck.get("cards") or ()), "left": deck["left"]}
    return public


def dealt(g: Game, listed: Cards, keys: Keys) -> Cards | None:
    """Every card where it lies: those that are listed, and the others dealt from what is nowhere else."""
    if not (any(g.hands.values()) or g.deck or g.face_down):
        return None
    if listed.deck and len(listed.deck) != g.deck:
        raise Refused("0", "deck_of_another_size", left=g.deck, listed=len(listed.deck))
    if not g.deck_cards:
        g.deck_cards = tuple(sorted(card for card in g.facts.cards if card not in g.out))
    elsewhere = {*g.discards, *g.out, *g.shown, *g.kept, g.card, *listed.deck, *listed.table,
                 *(card for hand in listed.hands.values() for card in hand)}
    order = keys.shuffled(f"main,{g.turn},adopted", g.deck_cards).cards
    free = [card for card in order if card not in elsewhere]
    missing = (sum(count for seat, count in g.hands.items() if seat not in listed.hands)
               + (0 if listed.deck else g.deck) + (0 if listed.table else g.face_down))
    if missing > len(free) or g.deck and missing < len(free):
        raise Refused("0", "cards_do_not_add_up", counted=missing, free=len(free))

    def dealt(count: int) -> list[str]:
        taken, free[:count] = free[:count], []
        return taken

    hands = {seat: listed.hands[seat] if seat in listed.hands else dealt(count) for seat, count in g.hands.items()}
    table = listed.table or dealt(g.face_down)
    return Cards(hands, listed.deck or dealt(g.deck), table)


# --- what the rules say of it ------------------------------------------------------------------------------------


def rolled(g: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """9.2 MPs that are stated were rolled for: the die is one that gives them, if all who are there read it alike."""
    if g.segment != "activation" or not given.get("mp") or given.get("movement_roll") is not None:
        return {}
    dice = [die for die in DICE if all(g.rules.movement_mps(g.generals[name].initiative, die) == mps
                                       for name, mps in given["mp"].items() if name in g.generals)]
    others = [one for one in g.generals_of(g.player) if g.on_map(one) and one.name not in given["mp"]]
    if not dice and others or len({tuple(g.rules.movement_mps(one.initiative, die) for one in others) for die in dice}) > 1:
        raise Refused("9.2", "movement_roll_missing", word="movement_roll", generals=[one.name for one in others])
    return {"movement_roll": dice[0] if dice else DICE[0]}


def judge_fleets(given: Mapping[str, Any], g: Game) -> None:
    """13 A Fleet follows from who controls its home: what is stated otherwise would be lost without a word."""
    for seat, names in (given.get("fleets") or {}).items():
        for name in names:
            fleet = g.fleets[name.rstrip("+")]
            if fleet.seat != seat:
                raise Refused("13", "fleet_of_another", fleet=fleet.name, seat=seat, owner=fleet.seat)


# --- and the other way -------------------------------------------------------------------------------------------


def as_file(g: Game, *, cards: bool) -> str:
    """The position as such a file; with the real `cards`, if they are wanted."""
    written = dict(position.written(g))
    if cards and isinstance(g.secret, Hidden):
        written["hands"] = {seat: list(g.secret.hand(seat)) for seat in g.seats if g.hands[seat]}
        written["face_down"], written["deck_order"] = g.secret.face_down, g.secret.deck
    return yamlfile.dump_file({key: value for key, value in written.items() if value})
