"""Where a General could march, for how many MPs, past what; and why he cannot elsewhere: judged as the order would be."""

from itertools import pairwise
from typing import Any

from pbem.base.errors import PbemError
from pbem.browser import way
from pbem.desk import showing
from pbem.desk.desk import Trial
from pbem.desk.submission import spelt_steps
from pbem.orders import Order
from pbem.rules import movement
from pbem.table.state import space_of

Row = dict[str, Any]


def reach(trial: Trial, seat: str, general: str) -> Row:
    """Every space of the map: the ways there, each with its cost, the line that orders it and what it would meet; or the
    refusal."""
    here = space_of(trial.match.g.generals[general].at)
    known: way.Known = {}
    found = {space: there(trial, seat, Order("march", general=general, path=(space,)), here, known)
             for space in trial.match.g.board.spaces if space != here}
    return {"general": general, "from": here, "spaces": found}


def there(trial: Trial, seat: str, order: Order, here: str, known: way.Known) -> Row:
    """The cheapest way, or all of those among which the player has to choose, for they risk different things."""
    try:
        return {"ways": [judged(trial, seat, order, here, known)]}
    except PbemError as refusal:
        ways, found = refusal.facts.get("ways", ()) if refusal.key == "ways_differ" else (), list[Row]()
        for path in ways:
            try:
                found.append(judged(trial, seat, order.but(path=tuple(path)), here, known))
            except PbemError:
                continue
        return {"ways": found} if found else {"why": str(showing.words(trial).refusal(refusal))}


def judged(trial: Trial, seat: str, order: Order, here: str, known: way.Known) -> Row:
    """What would be said to this march, before any of it is done, and what it would meet."""
    match, said = trial.match, showing.words(trial)
    steps = spelt_steps(match, seat, order)
    first = next(step for step in steps if step.verb == "march")
    how, read = match.read(seat, steps[0])
    prices = [str(said.price(key, facts, rule)) for rule, key, facts in match.costs(seat, how, read)]
    path = [space for step in steps if step.verb == "march" for space in step.path]
    cost = sum(movement.step_cost(match.g, a, b)[0] for a, b in pairwise([here, *path]))
    line = Order("march", general=first.general, path=tuple(path))
    return {"path": path, "cost": cost, "line": str(said.order(line)), "prices": prices,
            "risks": way.risks(match.g, seat, steps, said, known)}
