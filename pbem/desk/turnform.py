"""A whole turn as a form: the lines that are likely filled in, the others as remarks to be completed or left."""

from collections.abc import Iterator
from itertools import islice

from pbem.desk import standing
from pbem.desk.opengame import OpenGame
from pbem.kernel.procedures import Question
from pbem.orders import Order
from pbem.rules.attrition import CHEAPEST_FIRST
from pbem.rules.prices import REMARKS
from pbem.table.state import SEGMENTS, Game

MOST = 200                              # orders of a segment that are looked at
ASIDE = ((f"standing: lose {', '.join(CHEAPEST_FIRST)}, until the turn ends, always", "losses"),
         ("standing: honour, until the turn ends, always", "passage_honoured"))


def form(desk: OpenGame, seat: str) -> list[str]:
    """From the segment that is open to the end of the turn, as it could be sent back; empty where it is nobody's turn."""
    question, g = desk.match.question, desk.match.g
    if question is None or question.sides != (seat,) or question.kind not in SEGMENTS or g.activation is not None or g.card:
        return []
    lines = [line for line, kind in ASIDE if not any(one.kind == kind for one in standing.of(desk.tray, seat))]
    for segment in SEGMENTS[SEGMENTS.index(question.kind):]:
        lines += PARTS[segment](desk, question, seat)
        if lines[-1:] != ["end"]:                       # nobody knows yet how it goes on
            break
    return lines


def surrender(desk: OpenGame, question: Question, seat: str) -> Iterator[str]:
    """6.1 PCs that can be had, what is taken so too, and Sieges that cost nothing besides.

    A Siege that brings nothing leaves the rest standing, as its line says.
    """
    if question.kind != "surrender":
        return
    names, offers = desk.match.names, list(islice(question.offers(seat), MOST))
    removed = [order.space for order in offers if order.verb == "remove_pc"]
    yield from (f"remove pc at {names.say('space', space)}" for space in removed)
    free = next((order.spaces for order in offers if order.verb == "place_pc"), ())
    if spaces := [*removed, *free]:
        yield f"place pc at {', '.join(names.say('space', space) for space in spaces)}"
    sieges = {order.space: order for order in reversed(offers) if order.verb == "siege" and not order.card}
    yield from (f"siege {names.say('space', space)} regardless" for space, order in sieges.items()
                if not priced(question, seat, order))
    yield "end"


def priced(question: Question, seat: str, order: Order) -> bool:
    return question.costs is not None and any(key not in REMARKS for _, key, _ in question.costs(seat, order))


def tyche(desk: OpenGame, question: Question, seat: str) -> Iterator[str]:
    """6.2 The cards of the hand, each for its points; whoever can play none discards one, and what comes instead decides."""
    g = desk.match.g
    hand = g.secret.hand(seat) if g.secret is not None else ()
    playable = [card for card in hand if g.facts.cards[card]["kind"] != "surprise"]
    yield from (f"# play {card} as ops" for card in playable)
    yield f"discard {min(hand)}" if hand and not playable else "end"


def activation(desk: OpenGame, question: Question, seat: str) -> Iterator[str]:
    """6.3 The roll, and everybody who could lead somebody somewhere."""
    g, names = desk.match.g, desk.match.names
    if g.movement_roll is None:
        yield "roll"
    for general in leaders(g, seat):
        yield f"# march {names.say('general', general)} > "
    yield "end"


def leaders(g: Game, seat: str) -> list[str]:
    return [one.name for one in g.generals_of(seat) if g.on_map(one) and one is g.commander(one.at, seat)]


def forage(desk: OpenGame, question: Question, seat: str) -> Iterator[str]:
    """6.4 Who can bury Alexander now may say so now."""
    if question.kind == "forage":
        yield "# bury"
        yield "end"


PARTS = {"surrender": surrender, "tyche": tyche, "activation": activation, "forage": forage}
