"""A case's `say`: a line in the players' own words, read and judged as the desk reads it."""

from typing import Any, NamedTuple, cast

from pbem.base.errors import Costly
from pbem.components.shipped import STATE
from pbem.desk.submission import Submission, spelt_steps
from pbem.desk.typed import reading
from pbem.dev.given import Stage
from pbem.kernel.procedures import Question, Table
from pbem.orders import Line, Order, read_line
from pbem.play.match import Match, takes_several
from pbem.rules import routes
from pbem.rules.prices import REMARKS


class Bench(NamedTuple):
    """As much of a desk as it takes to read a line."""

    match: Match


def bench(stage: Stage, table: Table) -> Any:
    """The game of a case as a desk sees it."""
    rules = {name: stage.given[name] for name in ("edition", "options") if name in stage.given}
    match = Match({"data": STATE, "rules": rules, "seats": dict.fromkeys(stage.game.seats)})
    match.g, match.table = stage.game, table
    return Bench(match)


def line(desk: Any, seat: str, text: str) -> Line:
    return cast(Line, reading(desk.match, seat, read_line, text))


def orders(desk: Any, seat: str, said: Line) -> list[Order]:
    """The orders of a line, a march as its single steps; none where its condition does not hold."""
    if not routes.condition_holds(desk.match.g, seat, said.condition, said.orders):
        return []
    return [step for order in said.orders for step in spelt_steps(desk.match, seat, order)]


def obey(desk: Any, seat: str, order: Order, said: Line) -> None:
    """One order, once its price is agreed to, answers what is asked or comes on top of it."""
    match = desk.match
    how, read = match.read(seat, order)
    for rule, key, facts in match.costs(seat, how, read):
        if key not in REMARKS and not said.confirmed:
            raise Costly(rule, key, **facts)
    if how == "answer":
        match.table.answer({seat: (read,) if takes_several(match.question) else read})
    else:
        match.table.interrupt(match.on_top(seat, read))


def answer(desk: Any, seat: str, question: Question, text: str) -> Any:
    """What a side answers that is asked: several orders where a window takes several, else one."""
    if takes_several(question):
        here = (None, question.about.get("space"))
        said = Submission(desk, seat).alternatives(question, text)
        return next((one.orders for one in said if one.at in here), question.silence(seat))
    (order,) = line(desk, seat, text).orders
    return desk.match.read(seat, order)[1]
