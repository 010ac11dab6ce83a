"""Where a General could march, for how many MPs, and why he cannot elsewhere: judged as the order itself would be."""

from itertools import pairwise
from typing import Any

from pbem.base.errors import PbemError
from pbem.desk import showing
from pbem.desk.desk import Trial
from pbem.desk.submission import spelt_steps
from pbem.orders import Order
from pbem.rules import movement
from pbem.table.state import space_of

Row = dict[str, Any]


def reach(trial: Trial, seat: str, general: str) -> Row:
    """Every space of the map: the way there with its cost and the line that orders it, or the refusal."""
    here = space_of(trial.match.g.generals[general].at)
    found = {space: judged(trial, seat, Order("march", general=general, path=(space,)), here)
             for space in trial.match.g.board.spaces if space != here}
    return {"general": general, "from": here, "spaces": found}


def judged(trial: Trial, seat: str, order: Order, here: str) -> Row:
    """What would be said to this march, before any of it is done."""
    match, said = trial.match, showing.words(trial)
    try:
        steps = spelt_steps(match, seat, order)
        first = next(step for step in steps if step.verb == "march")
        how, read = match.read(seat, steps[0])
        prices = [str(said.price(key, facts, rule)) for rule, key, facts in match.costs(seat, how, read)]
    except PbemError as refusal:
        return {"why": str(said.refusal(refusal))}
    path = [space for step in steps if step.verb == "march" for space in step.path]
    cost = sum(movement.step_cost(match.g, a, b)[0] for a, b in pairwise([here, *path]))
    line = Order("march", general=first.general, path=tuple(path))
    return {"path": path, "cost": cost, "line": str(said.order(line)), "prices": prices}
