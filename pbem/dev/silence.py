"""What silence may cost, by the words alone: no piece, no card, no status that another answer would have kept.

A second opinion on the defaults (`docs/defaults.md`): each answer that could be given has a price here, and silence has to
be among the cheapest. Prices compare answers to one question; between questions they mean nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from pbem.dev.brute import INDEPENDENT, OUTSIDE, Figure, Seen, parted
from pbem.kernel.procedures import Question
from pbem.orders import Order

MOST = 80                               # answers that are looked at
# 7.2 What a CU is worth to whoever has to lose one: by OPs (6.2 B3, 16.9), what only cards bring, what never comes back.
WORTH = {"mercenary": 6, "cavalry": 12, "elephant": 13, "loyal": 14, "royal": 20, "silver": 40, INDEPENDENT: 0}

Price = Callable[[Seen, Question, str, tuple[Order, ...]], int]


class Beside(NamedTuple):
    """What stands beside an Army on its way and has not come with it: it does not go back with it."""

    generals: int = 0
    cus: int = 0


NOBODY = Beside()


def needless(seen: Seen, question: Question, side: str, beside: Beside = NOBODY) -> str | None:
    """What silence costs too much; None where there is nothing to lose."""
    if question.kind in OWN_SEGMENTS:
        return quiet(question, side)
    price = partial(withdrawal, beside=beside) if question.kind == "withdrawal" else PRICES.get(question.kind)
    if price is None:
        return None
    silent = question.silence(side)
    if question.legal(side, silent) is None:
        return f"{silent} is not allowed"
    mine = price(seen, question, side, several(silent))
    for other in islice(question.offers(side), MOST) if mine else ():       # nothing is cheaper than what costs nothing
        if (less := price(seen, question, side, several(other))) < mine:
            return f"{silent} costs {mine}, {other} costs {less}"
    return ""


def several(answer: Any) -> tuple[Order, ...]:
    return answer if isinstance(answer, tuple) else (answer,)


def quiet(question: Question, side: str) -> str:
    """In one's own turn nothing is done where the segment may simply end."""
    silent = question.silence(side)
    nothing = OWN_SEGMENTS[question.kind]
    if question.legal(side, Order(nothing)) is not None:
        return "" if silent.verb == nothing else f"{silent} where {nothing} was allowed"
    return "" if question.legal(side, silent) is not None else f"{silent} is not allowed"


OWN_SEGMENTS = {**dict.fromkeys(("surrender", "tyche", "activation", "forage"), "end"),
                **dict.fromkeys(("independent_move", "burial"), "pass")}


# --- prices ------------------------------------------------------------------------------------------------------


def done(seen: Seen, question: Question, side: str, answer: tuple[Order, ...]) -> int:
    """Whatever is done besides nothing: a card spent, troops taken away, a right given up."""
    return sum(order.verb not in ("pass", "refuse", "honour") for order in answer)


def withdrawal(seen: Seen, question: Question, side: str, answer: tuple[Order, ...], beside: Beside = NOBODY) -> int:
    """11.3 Who stands fights, and a lone General before CUs is dispersed (10 I); who goes back loses MPs, and what nobody
    could claim there (7.2 A)."""
    space, origin = parted(str(question.about["space"])), parted(str(question.about["origin"]))
    own = sum(stack.cus for stack in seen.stacks if stack[:3] == (side, *space))
    if answer[0].verb == "stay":
        return 5 if own else 500
    led = seen.generals.count(Figure(side, *space)) > beside.generals or Figure(side, *origin) in seen.generals
    return 1 if led or seen.pcs.get(origin[0]) == side else 1 + 10 * max(0, own - beside.cus)


def evasion(seen: Seen, question: Question, side: str, answer: tuple[Order, ...]) -> int:
    """12.2 B, 10 I, 16.11 Who fails has no Local Troops; who stays alone before CUs is dispersed; Independents cost a card."""
    space = str(question.about["space"])
    own = any(stack[:3] == (side, space, OUTSIDE) for stack in seen.stacks)
    alone = Figure(side, space, OUTSIDE) in seen.generals and not own
    caught = alone and any(stack[1:3] == (space, OUTSIDE) for stack in seen.stacks)
    tries = any(order.verb == "evade" and not order.discarding for order in answer)
    return 100 * (caught and not tries) + (own and tries) + sum(bool(order.discarding) for order in answer)


def losses(seen: Seen, question: Question, side: str, answer: tuple[Order, ...]) -> int:
    return sum(WORTH[kind] * number for order in answer for kind, number in order.pieces.cus)


def nobody_left(seen: Seen, question: Question, side: str, answer: tuple[Order, ...]) -> int:
    """14.8 CUs without a General are dispersed where no PC shows whose they are."""
    space, part = parted(str(question.about["at"]))
    claimed = seen.pcs.get(space) == side or Figure(side, space, part) in seen.generals
    return 0 if claimed or answer[0].verb == "place_minor" else 1


def passed_by(seen: Seen, question: Question, side: str, answer: tuple[Order, ...]) -> int:
    """5.2 What is not placed is dispersed."""
    return int(answer[0].verb == "pass")


def sorting(seen: Seen, question: Question, side: str, answer: tuple[Order, ...]) -> int:
    """10 I, 8.3 Generals and Family before the city are lost there, if no CU of theirs stays with them."""
    outside, inside = question.about["outside"], question.about["inside"]
    held, there = outside.count(), {*outside.generals, *outside.royals}
    for order in answer:
        if order.verb == "sort_inside":
            pieces = outside if order.pieces.everything else order.pieces
            held, there = held - pieces.count(), there - {*pieces.generals, *pieces.royals}
        elif order.verb == "sort_outside":
            pieces = inside if order.pieces.everything else order.pieces
            held, there = held + pieces.count(), there | {*pieces.generals, *pieces.royals}
    return len(there) if held <= 0 else 0


CARDS = ("surprise", "battle_cards", "naval_cards", "death_cards", "defeat_cards", "reaction_card")
PRICES: Mapping[str, Price] = {
    **dict.fromkeys((*CARDS, "interception", "route", "counterstroke", "naval_battle", "join_battle", "free_passage",
                     "passage_honoured", "truce", "elephant_reroll", "give_back", "seating"), done),
    "withdrawal": withdrawal, "evasion": evasion, "losses": losses, "replacement": nobody_left,
    "city_choice": sorting,
    "reinforcement_choice": passed_by,
}


def judged() -> Iterable[str]:
    """The kinds of questions at which silence could lose something."""
    return (*PRICES, *OWN_SEGMENTS)
