"""Where a General could march or sail, for how many MPs, past what; why he cannot elsewhere: judged as the order would be."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from pbem.base.errors import PbemError
from pbem.browser import way
from pbem.desk import showing
from pbem.desk.desk import Trial
from pbem.desk.submission import spelt_steps
from pbem.orders import Order
from pbem.rules import movement, naval
from pbem.rules.activation import is_afloat, mps_of
from pbem.table.state import Game, General, space_of

Row = dict[str, Any]


def reach(trial: Trial, seat: str, general: str) -> Row:
    """Every space of the map: the ways there, each with its cost, the lines that order it and what it would meet; or the
    refusal of the march."""
    here = space_of(trial.match.g.generals[general].at)
    known: way.Known = {}
    found = {space: there(trial, seat, Order("march", general=general, path=(space,)), here, known)
             for space in trial.match.g.board.spaces if space != here}
    for port, voyage in voyages(trial, seat, trial.match.g.generals[general], known):
        found[port] = {"ways": [*found[port].get("ways", ()), voyage]}
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
    return {"path": path, "cost": cost, "line": str(said.order(line)), "prices": prices, "by": "land",
            "risks": way.risks(match.g, seat, steps, said, known).told}


# --- 13 by sea -------------------------------------------------------------------------------------------------------


def voyages(trial: Trial, seat: str, one: General, known: way.Known) -> Iterator[tuple[str, Row]]:
    """The cheapest voyage to each port where he may land, with all that may come and every Fleet as escort."""
    match, g, said = trial.match, trial.match.g, showing.words(trial)
    begin, prices = list[Order](), list[str]()
    try:
        if not is_afloat(g):
            how, read = match.read(seat, Order("embark", general=one.name))
            begin = [Order("embark", general=one.name, fleets=read.fleets)]
            prices = [str(said.price(key, facts, rule)) for rule, key, facts in match.costs(seat, how, read)]
        most = mps_of(g, one.name)
    except PbemError:
        return
    for cost, path in lanes(g, space_of(one.at), most):
        orders = [*begin, Order("sail", general=one.name, path=path), Order("disembark", general=one.name)]
        walked = way.risks(g, seat, [step for order in orders for step in spelt_steps(match, seat, order)], said, known)
        if not walked.refused:
            yield path[-1], {"path": list(path), "cost": cost, "line": "\n".join(str(said.order(order)) for order in orders),
                             "prices": prices, "by": "sea", "risks": walked.told}


def lanes(g: Game, here: str, most: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """9.3 A The cheapest way by sea to each port within so many MPs, over as few ports as can be."""
    found, waiting = {here}, [(0, 0, tuple[str, ...]())]
    while waiting:
        spent, ports, path = heappop(waiting)
        at = path[-1] if path else here
        if path and at in found:
            continue
        if path:
            found.add(at)
            yield spent, path
        for near in g.board.sea_paths(at):
            cost, _ = naval.sea_cost(g, at, near)
            if near not in found and spent + cost <= most:
                heappush(waiting, (spent + cost, ports + 1, (*path, near)))
