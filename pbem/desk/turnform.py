"""A whole turn as a form: the lines that are likely filled in, the others as remarks to be completed or left."""

from collections.abc import Iterator
from itertools import islice

from pbem.desk import standing, standing_words
from pbem.desk.opengame import OpenGame
from pbem.kernel.procedures import Question
from pbem.orders import Order
from pbem.rules.attrition import CHEAPEST_FIRST
from pbem.rules.prices import REMARKS
from pbem.table.state import SEGMENTS, Game
from pbem.telling.words import Words

MOST = 200                              # orders of a segment that are looked at
OPEN, END = "# ", ("", Order("end"), "")        # to be completed; the end of a segment
ASIDE = ((f"standing: lose {', '.join(CHEAPEST_FIRST)}, until the turn ends, always", "losses"),
         ("standing: honour, until the turn ends, always", "passage_honoured"))


Line = tuple[str, Order, str]           # an order, behind a mark where it is to be completed or left; how it is to be taken


def form(desk: OpenGame, seat: str, said: Words | None = None) -> list[str]:
    """From the segment that is open to the end of the turn, as it could be sent back; empty where it is nobody's turn.

    In the words of whoever reads it; of nobody in particular, as the log would have it.
    """
    question, g = desk.match.question, desk.match.g
    if question is None or question.sides != (seat,) or question.kind not in SEGMENTS or g.activation is not None or g.card:
        return []
    lying = {one.kind for one in standing.of(desk.tray, seat)}
    lines = [line if said is None else standing_words.retold_line(line, said) for line, kind in ASIDE if kind not in lying]
    for segment in SEGMENTS[SEGMENTS.index(question.kind):]:
        part = list(PARTS[segment](desk, question, seat))
        lines += [written(desk, said, *line) for line in part]
        if part[-1:] != [END]:                          # nobody knows yet how it goes on
            break
    return lines


def written(desk: OpenGame, said: Words | None, mark: str, order: Order, manner: str) -> str:
    words = [desk.match.say(order), manner] if said is None else [str(said.order(order)), said.retold(manner)]
    return mark + " ".join(filter(None, words))


def surrender(desk: OpenGame, question: Question, seat: str) -> Iterator[Line]:
    """6.1 PCs that can be had, what is taken so too, and Sieges that cost nothing besides.

    A Siege that brings nothing leaves the rest standing, as its line says.
    """
    offers = list(islice(question.offers(seat), MOST))
    removed = [order.space for order in offers if order.verb == "remove_pc"]
    yield from (("", Order("remove_pc", space=space), "") for space in removed)
    free = next((order.spaces for order in offers if order.verb == "place_pc"), ())
    if spaces := [*removed, *free]:
        yield "", Order("place_pc", spaces=tuple(spaces)), ""
    sieges = {order.space: order for order in reversed(offers) if order.verb == "siege"}
    yield from (("", Order("siege", space=space), "regardless") for space, order in sieges.items()
                if not priced(question, seat, order))
    yield END


def priced(question: Question, seat: str, order: Order) -> bool:
    return question.costs is not None and any(key not in REMARKS for _, key, _ in question.costs(seat, order))


def tyche(desk: OpenGame, question: Question, seat: str) -> Iterator[Line]:
    """6.2 The cards of the hand, each for its points; whoever can play none discards one, and what comes instead decides."""
    g = desk.match.g
    hand = g.secret.hand(seat) if g.secret is not None else ()
    playable = [card for card in hand if g.facts.cards[card]["kind"] != "surprise"]
    yield from ((OPEN, Order("play", card=card, how="ops"), "") for card in playable)
    yield ("", Order("discard", card=min(hand)), "") if hand and not playable else END


def activation(desk: OpenGame, question: Question, seat: str) -> Iterator[Line]:
    """6.3 The roll, and everybody who could lead somebody somewhere."""
    g = desk.match.g
    if g.movement_roll is None:
        yield "", Order("roll"), ""
    for general in leaders(g, seat):
        yield OPEN, Order("march", general=general, path=()), ""
    yield END


def leaders(g: Game, seat: str) -> list[str]:
    return [one.name for one in g.generals_of(seat) if g.on_map(one) and one is g.commander(one.at, seat)]


def forage(desk: OpenGame, question: Question, seat: str) -> Iterator[Line]:
    """6.4 Who can bury Alexander now may say so now."""
    if question.kind == "forage":
        yield OPEN, Order("bury"), ""
        yield END


PARTS = {"surrender": surrender, "tyche": tyche, "activation": activation, "forage": forage}
