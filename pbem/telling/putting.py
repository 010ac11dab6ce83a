"""How a question is put to whoever is asked: what happens, what may be answered and at what price, what silence means."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pbem.base.language import Safe, fill, wrapped
from pbem.kernel.procedures import Question
from pbem.orders import Order, Pieces
from pbem.telling.formats import css
from pbem.telling.offers import LASTING, by_verb, lettered
from pbem.telling.words import MOST_NAMED, ORDER_KINDS, Facts_, View, Words, about_of, stacks_at

ALL_OF_THEM = Pieces((), (), (), True)
MOST_EXAMPLES = 4           # orders of one kind that are written out


class Offer(NamedTuple):
    """What may be answered: under its letter, or in one's own turn without; what is to be known of it, what it costs."""

    said: Safe
    letter: str = ""
    note: Safe = Safe()
    prices: tuple[Safe, ...] = ()


def put(said: Words, question: Question, seat: str, view: View, layout: str = "question.txt", *, public: bool = False,
             p: Callable[[str], str] = fill, reply: Callable[[str], str] | None = None) -> str:
    """What one who is asked reads: what happens, what may be answered, what silence means, until when.

    In `public` nothing is sealed by itself, and nobody is led to lay down a standing order before all eyes. `p` makes a
    paragraph, `reply` the address of a link that answers.
    """
    facts = {**about_of(view["question"]), "seat": seat, "armies": stacks_at(view, question.about.get("space"))}
    own_turn = question.kind in ORDER_KINDS
    silent = said.order(question.silence(seat))
    rows = _verbs(said, question, seat) if own_turn else _offers(said, question, seat)
    return str(said.layout(layout).render(
        what=said.tell("questions", f"{question.kind}.what", facts),
        rows=rows, lines=[line for row in rows for line in _lines(said, row)],
        hints=[said.phrase("hint_free_acts")] if own_turn else _hints(said, question, seat, public),
        you_may=said.phrase("you_may_order" if own_turn else "you_may"),
        silent=said.phrase("silent_own_turn" if own_turn else "silent", order=silent),
        others=[side for side in question.sides if side != seat], sealed=question.sealed, public=public, own_turn=own_turn,
        odds=[said.phrase(f"odds_{row['key']}", **row["facts"]) for row in view.get("odds", ())],
        not_asked=[_not_asked(said, one) for one in view["question"]["not_asked"]],
        due=view["question"]["due"], stopped=view.get("held", ""), p=p, css=css, reply=reply))


def _lines(said: Words, offer: Offer) -> list[str]:
    """An offer in columns, as wide as its format may be: the letter, the order, what is to be known of it."""
    if not offer.letter:
        return wrapped(f"  {offer.said}", 4, width=said.ink.width)
    start = f"  {offer.letter}  {offer.said}"
    fits = len(start) <= 46
    rows = wrapped(f"{start:<46}  {offer.note}" if fits else start, 5, width=said.ink.width)
    if offer.note and not fits:
        rows.append(Safe(f"     {offer.note}"))
    return rows + [row for price in offer.prices for row in wrapped(f"     {price}", 5, width=said.ink.width)]


def _offers(said: Words, question: Question, seat: str) -> list[Offer]:
    """The answers under their letters, the die that each needs, and what each would cost."""
    offers: list[Offer] = []
    told: set[Safe] = set()
    needed = question.about.get("needed") or {}
    for letter, answer in lettered(question, seat):
        prices: list[Safe] = []
        for rule, key, facts in question.costs(seat, answer) if question.costs is not None else ():
            price = said.price(key, facts, rule)
            prices.append(said.phrase("price_again", rule=rule) if price in told else price)
            told.add(price)
        offers.append(Offer(said.order(answer), letter, Safe(_note(said, question, seat, answer, needed)), tuple(prices)))
    return offers


def _note(said: Words, question: Question, seat: str, answer: Any, needed: Mapping[str, int]) -> str:
    dice = [needed[order.general] for order in answer if order.general in needed] if isinstance(answer, tuple) else []
    if dice:
        return "; ".join(said.phrase("needs", die=die) for die in dice)
    if answer == question.silence(seat):
        return said.phrase("is_default")
    cards = [order.card for order in answer if order.card] if isinstance(answer, tuple) else []
    return "; ".join(map(said.card, cards))


def _hints(said: Words, question: Question, seat: str, public: bool) -> list[str]:
    """How to say more than a letter: part of the CUs, a condition, several steps of an announced route."""
    hints: list[str] = []
    letters = lettered(question, seat)
    tries = [(letter, answer[0]) for letter, answer in letters if isinstance(answer, tuple) and answer[0].verb == "intercept"]
    for letter, first in tries:
        if not first.discarding and first.pieces.count() > 1:
            hints.append(said.phrase("hint_parts", letter=letter, cus={first.pieces.cus[0][0]: 1}))
            break
    others = [side for side in question.sides if side != seat]
    if others and tries:
        hints.append(said.phrase("hint_condition", letter=tries[0][0], other=others[0]))
    if not public and tries and not tries[0][1].discarding:
        hints.append(said.phrase("hint_standing", mover=question.about["mover"], space=question.about["space"],
                                 general=tries[0][1].general))
    if not public and question.kind in LASTING:
        hints.append(said.phrase("hint_lasting", letter=letters[0][0]))
    if question.about.get("route"):
        comes = question.about.get("comers", {}).get(seat)          # an example of what he can do himself
        space, general = comes or (question.about["route"][0], "")
        order = said.order(Order("intercept", general=general, pieces=ALL_OF_THEM)) if general else ""
        hints.append(said.phrase("hint_route", space=space, order=order))
    return hints


def _verbs(said: Words, question: Question, seat: str) -> list[Offer]:
    """What the player may do next in his own turn, verb by verb; a march by where it may go."""
    rows, is_cut = list[Safe](), False
    for verb, found in by_verb(question, seat).items():
        is_cut = is_cut or len(found) > MOST_NAMED
        ends = dict.fromkeys((order.general, order.path[0]) for order in found if verb == "march")
        for general in dict.fromkeys(general for general, _ in ends):
            spaces = [space for one, space in ends if one == general]
            rows.append(said.phrase("may_march", general=general, spaces=spaces))
        if verb == "play":
            rows += [_uses(said, card, [order for order in found if order.card == card])
                     for card in dict.fromkeys(order.card for order in found)]
        elif verb != "march":
            more = len(found) - MOST_EXAMPLES
            some = Safe("; ".join(said.order(order) for order in found[:MOST_EXAMPLES]))
            rows.append(said.phrase("may_more", said=some, count=more) if more > 0 else some)
            is_cut = is_cut or more > 0
    return [Offer(row) for row in (*rows, *([said.phrase("may_all")] if is_cut else []))]


def _uses(said: Words, card: str, found: list[Order]) -> Safe:
    """What one card may be played for, an example of each use, and what its event does."""
    uses = list({order.how: order for order in found}.values())
    return said.phrase("may_play", card=card, uses=uses, effect=said.effect(card),
                       now=said.facts.cards[card].get("effect_now"))


def _not_asked(said: Words, one: Facts_) -> Safe:
    """Why somebody near is not asked."""
    return said.phrase("not_asked", seat=one["seat"], why=said.tell("refusals", one["key"], one["facts"]), rule=one["rule"])
