"""The legal answers to a question as a mail lists them: under letters, or in one's own turn by verb."""

from itertools import islice
from typing import Any

from pbem.kernel.procedures import Question
from pbem.orders import Order

MOST_OFFERS = 3000          # how many legal answers are looked at before a question is written
MOST_LETTERS = 12
# Kinds of questions to which an answer can be made to last: `b always`.
LASTING = frozenset(("interception", "evasion", "free_passage", "passage_honoured", "city_choice", "naval_battle", "losses",
                     "withdrawal"))


def lettered(question: Question, seat: str) -> list[tuple[str, Any]]:
    """The answers under their letters, as the mail shows them; the same question always gives the same letters.

    Interceptions that differ only in how many pieces go along share a letter: that of the one which takes the most.
    """
    found: dict[tuple[Order, ...], Any] = {}
    for answer in islice(question.offers(seat), MOST_OFFERS):
        found.setdefault(_without_pieces(answer), answer)
        if len(found) == MOST_LETTERS:
            break
    return list(zip("abcdefghijklmnopqrstuvwxyz", found.values(), strict=False))


def _without_pieces(answer: Any) -> tuple[Order, ...]:
    given = (answer,) if isinstance(answer, Order) else answer
    return tuple(_bare(order) if order.verb == "intercept" else order for order in given)


def _bare(order: Order) -> Order:
    """Who leads from where; of the Minor Generals that could be placed one is as good as another."""
    lead = "a minor" if order.general == order.minor else order.general
    return order.but(general=lead, pieces=None, minor=None, minor_role=None)


def by_verb(question: Question, seat: str) -> dict[str, list[Order]]:
    """The orders that a player may give next, by verb."""
    found: dict[str, list[Order]] = {}
    for order in islice(question.offers(seat), MOST_OFFERS):
        found.setdefault(order.verb, []).append(order)
    return found
