"""A case's `say`: a line in the players' own words, read and judged as the desk reads it."""

from typing import Any, NamedTuple

from pbem.dev.given import Stage
from pbem.kernel import Procedure, Question, Table
from pbem.match import Match, takes_several
from pbem.orders import Order, read_line
from pbem.rules import routes, tyche
from pbem.rules.generals import FREE_ACTS
from pbem.submission import Submission, reading, spelt_steps


class Bench(NamedTuple):
    """As much of a desk as it takes to read a line."""

    match: Match


def bench(stage: Stage, table: Table) -> Any:
    """The game of a case as a desk sees it."""
    match = Match({"rules": {"options": list(stage.given.get("options", ()))}, "seats": dict.fromkeys(stage.game.seats)})
    match.g, match.table = stage.game, table
    return Bench(match)


def orders(desk: Any, seat: str, text: str) -> list[Order]:
    """The orders of a line, a march as its single steps; none where its condition does not hold."""
    line = reading(desk, seat, read_line, text)
    if not routes.condition_holds(desk.match.g, seat, line.condition, line.orders):
        return []
    return [step for order in line.orders for step in spelt_steps(desk, seat, order)]


def take(desk: Any, seat: str, order: Order) -> None:
    """One order answers what is asked, or comes on top of it."""
    match = desk.match
    how, read = match.read(seat, order)
    if how == "answer":
        match.table.answer({seat: (read,) if takes_several(match.question) else read})
    else:
        match.table.interrupt(on_top(match, seat, read))


def on_top(match: Match, seat: str, order: Order) -> Procedure[None]:
    return tyche.surprise(match.g, seat, order) if order.verb == "play" else FREE_ACTS[order.verb].do(match.g, order)


def answer(desk: Any, seat: str, question: Question, text: str) -> Any:
    """What a side answers that is asked: several orders where a window takes several, else one."""
    if takes_several(question):
        here = (None, question.about.get("space"))
        said = Submission(desk, seat).alternatives(question, text)
        return next((one.orders for one in said if one.at in here), question.silence(seat))
    (order,) = reading(desk, seat, read_line, text).orders
    return desk.match.read(seat, order)[1]
