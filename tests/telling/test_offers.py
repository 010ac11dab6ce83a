"""What may be ordered is offered: for positions from play every thinkable order is legal if and only if it is among
the offers. Thinkable are all orders of a kind over Generals, spaces, and up to four CUs with or without companions.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from pbem.dev.choices import OWN, Choices
from pbem.dev.positions import random_position
from pbem.dev.stages import Bare
from pbem.kernel.procedures import Ask, Question
from pbem.orders import CU_ORDER, Order, Pieces
from pbem.table.state import Game, General, space_of
from pbem.telling.offers import MOST_LETTERS, lettered

MOST_CUS = 4
GENERALS = 3                    # looked at in each question, of all that the player has
OWN_VERBS = ("march", "shift", "remove_pc", "siege")


# --- what can be thought of --------------------------------------------------------------------------------------


def stacks(g: Game, at: str, seat: str) -> Iterator[dict[str, int]]:
    """Every handful of up to four CUs of a location, and none at all."""
    there = g.kinds(at, seat)
    kinds = [kind for kind in CU_ORDER if there[kind]]
    for numbers in product(*(range(min(there[kind], MOST_CUS) + 1) for kind in kinds)):
        if sum(numbers) <= MOST_CUS:
            yield dict(zip(kinds, numbers, strict=True))


def companies(g: Game, one: General, at: str) -> Iterator[Pieces]:
    """The CUs with nobody, with each other General there, and with each Royal Family Member there."""
    others = [other.name for other in g.generals_at(at, one.seat) if other is not one]
    royals = [royal.name for royal in g.royals_at(at, one.seat)]
    for cus in stacks(g, at, one.seat):
        yield Pieces.of((), cus)
        yield from (Pieces.of((name,), cus) for name in others)
        yield from (Pieces.of((), cus, (name,)) for name in royals)
        if others and royals:
            yield Pieces.of(others, cus, royals)


def own_orders(g: Game, one: General) -> Iterator[Order]:
    """9.3 March, shift, remove a PC, besiege: with this General, here and in all spaces around."""
    here = space_of(one.at)
    around = list(g.board.adjacent(here))
    for pieces in companies(g, one, one.at):
        for space in (here, *around):
            yield Order("march", general=one.name, path=(space,), pieces=pieces)
        for to in ("inside", "outside"):
            yield Order("shift", general=one.name, to=to, pieces=pieces)
    for cus in stacks(g, one.at, one.seat):
        for space in (here, *around[:1]):
            for verb in ("remove_pc", "siege"):
                yield Order(verb, general=one.name, space=space, pieces=Pieces.of((), cus))


def attempts(g: Game, seat: str, one: General, target: str) -> Iterator[tuple[Order, ...]]:
    """11.2 Interceptions of one General from all around the space entered, and from where he stands."""
    here = [one.at] if g.on_map(one) else []
    for at in dict.fromkeys([*here, *(loc for space in g.board.adjacent(target) for loc in g.locations_of(space))]):
        if not g.generals_at(at, seat):
            continue
        for pieces in companies(g, one, at):
            yield (Order("intercept", general=one.name, from_=at, pieces=pieces),)


# --- comparing ---------------------------------------------------------------------------------------------------


def offered(question: Question, side: str, verbs: tuple[str, ...]) -> set[Any]:
    """The offers of these verbs; the others are not even judged, there are so many of them."""
    found = set()
    for candidate in question.candidates(side):
        verb = candidate[0].verb if isinstance(candidate, tuple) else candidate.verb
        if verb in verbs and (answer := question.legal(side, candidate)) is not None:
            found.add(answer)
    return found


def compare(question: Question, side: str, thinkable: Iterator[Any], verbs: tuple[str, ...], met: Counter[str]) -> None:
    offers = offered(question, side, verbs)
    for answer in thinkable:
        legal = question.legal(side, answer)
        assert legal is None or legal in offers, f"{legal} may be answered at {question.id} and is not offered"
        verb = answer[0].verb if isinstance(answer, tuple) else answer.verb
        met[f"{verb} {'refused' if legal is None else 'legal'}"] += 1
    for offer in offers:
        assert question.legal(side, offer) == offer, f"{offer} is offered at {question.id} and not taken as it is"


def look(g: Game, question: Question, rng: Random, met: Counter[str]) -> None:
    """Compare at the open question, if it is of a kind that is looked at."""
    if question.kind == "independent_move":
        some = [one for one in g.generals_of("independent") if g.on_map(one)]
        thinkable = (order for one in some for order in own_orders(g, one))
        compare(question, question.sides[0], thinkable, (*OWN_VERBS, question.kind), met)
    elif question.kind in OWN:
        mine = [one for one in g.generals_of(g.player) if g.on_map(one)]
        theirs = [one for one in g.generals.values() if g.on_map(one) and one.seat != g.player]
        some = rng.sample(mine, min(GENERALS, len(mine))) + rng.sample(theirs, min(1, len(theirs)))
        compare(question, g.player, (order for one in some for order in own_orders(g, one)), OWN_VERBS, met)
    elif question.kind == "interception":
        for side in question.sides:
            them = g.generals_of(side)
            some = rng.sample(them, min(GENERALS, len(them)))
            target = space_of(question.about["space"])
            compare(question, side, (tried for one in some for tried in attempts(g, side, one, target)), ("intercept",), met)
    elif question.kind == "evasion":
        for side in question.sides:
            compare(question, side, ((Order("evade", general=one.name),) for one in g.generals.values() if g.on_map(one)),
                    ("evade",), met)
    elif question.kind == "escape":
        here = space_of(question.about["space"])
        paths = [(first, *more) for first in g.board.adjacent(here)
                 for more in ((), *((second,) for second in g.board.adjacent(first)))]
        compare(question, question.sides[0], (Order("evade", path=path) for path in paths), ("evade",), met)


def games(name: str, number: int) -> Counter[str]:
    """Play so many games for a while, and compare on the way."""
    met: Counter[str] = Counter()
    for seed in range(number):
        rng = Random(f"offers {name} {seed}")
        stage = Bare(random_position(rng, 2 + seed % 4), f"offers {name} {seed}")
        choices = Choices(rng)
        for _ in range(40):
            question = stage.table.question
            if question is None:
                break
            if question.kind not in OWN or rng.random() < 0.15:
                look(stage.g, question, rng, met)
            stage.take(choices.next_step(stage.g, question))
    return met


def test_what_is_legal_is_offered() -> None:
    """9, 10, 11, 12, 15 In the questions of random play, whoever is asked and however far an Army has come."""
    met = games("few", 36)
    assert all(met[f"{verb} legal"] and met[f"{verb} refused"] for verb in (*OWN_VERBS, "intercept", "evade")), met


def test_nothing_is_looked_for_where_it_cannot_be() -> None:
    """9.3 D A PC is taken away only where another player has one: elsewhere nobody thinks of it."""
    thought = 0
    for seed in range(12):
        rng = Random(f"thought of {seed}")
        stage = Bare(random_position(rng, 2 + seed % 4), f"thought of {seed}")
        for _ in range(15):
            question = stage.table.question
            if question is None:
                break
            for order in question.candidates(question.sides[0]) if question.kind == "activation" else ():
                if order.verb == "remove_pc":
                    thought += 1
                    assert stage.g.controller(order.space) in stage.g.others(question.sides[0])
            stage.take(Choices(rng).next_step(stage.g, question))
    assert thought


# --- letters ---------------------------------------------------------------------------------------------------------------


def poll(*offers: Order) -> Ask:
    return Ask("blue", "interception", "11.2", about={}, read=lambda side, answer: answer, default=offers[0],
               candidates=lambda side: ((one,) for one in offers))


def test_only_interceptions_share_a_letter_with_those_of_other_pieces() -> None:
    few, many = (Pieces.of(cus={"loyal": number}) for number in (1, 2))
    inside = [Order("inside", pieces=pieces) for pieces in (few, many)]
    assert [answer for _, (answer,) in lettered(poll(*inside), "blue")] == inside
    coming = [Order("intercept", general="krateros", from_="pella", pieces=pieces) for pieces in (many, few)]
    other = Order("intercept", general="kassandros", from_="pella", pieces=few)
    assert lettered(poll(*coming, other), "blue") == [("a", (coming[0],)), ("b", (other,))]


def test_there_are_so_many_letters_and_no_more() -> None:
    ways = [Order("evade", path=(str(number),)) for number in range(MOST_LETTERS + 5)]
    assert lettered(poll(*ways), "blue") == [(letter, (way,)) for letter, way in zip("abcdefghijkl", ways, strict=False)]
