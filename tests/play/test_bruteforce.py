"""Interception and Evasion against a second opinion, on thousands of positions and steps."""

from collections import Counter
from random import Random

import pytest
from small_position import stated

from pbem.dev import brute
from pbem.dev.positions import random_position, seats_of
from pbem.dev.referees import words_of
from pbem.orders import Pieces
from pbem.rules import activation, evasion, interception, movement
from pbem.table.state import Game, General, Way, is_inside, space_of

STEPS = 3


def a_game(rng: Random, edition: str = "fourth") -> Game:
    given = random_position(rng, rng.randint(2, 5))
    g = stated(given, seats=seats_of(given), edition=edition)
    g.turn, g.segment, g.movement_roll = 1, "activation", 6           # nobody wins at once on Game Turn I
    return g


def some_pieces(g: Game, one: General, rng: Random) -> Pieces:
    """All that may come along, or some of it."""
    whole = activation.may_come(g, one)
    if rng.random() < 0.5:
        return whole
    cus = {kind: number if kind == "silver" else rng.randint(0, number) for kind, number in whole.cus}
    return Pieces.of([name for name in whole.generals if rng.random() < 0.5], cus)


def step(g: Game, one: General, rng: Random) -> tuple[Way, brute.Stack] | None:
    """Out of the gate or into a neighbouring space, as far as the pieces go: what this sets off is not played."""
    origin = one.at
    if is_inside(origin):
        target, kind = space_of(origin), "gate"
    else:
        ways = [(space, kind) for space, kind, _ in g.board.paths(origin) if kind in activation.LAND_TYPES]
        if not ways:
            return None
        target, kind = rng.choice(ways)
    pieces = some_pieces(g, one, rng)
    army = brute.Stack(one.seat, *brute.parted(origin), pieces.count())
    activation.set_off(g, one, pieces)
    activation.move_travellers(g, target)
    return Way(one.name, one.seat, origin, target, movement.step_cost(g, origin, target)[1] if kind != "gate" else kind), army


@pytest.mark.parametrize(("edition", "seed"), [*(("fourth", seed) for seed in range(5)), *(
    (edition, seed) for edition in ("third", "draft") for seed in range(3))])
def test_who_may_intercept_and_evade(edition: str, seed: int) -> None:
    """Each edition against the words of its own book."""
    rng, words = Random(f"brute {seed}"), words_of(edition)
    met: Counter[str] = Counter()
    for _ in range(250):
        g = a_game(rng, edition)
        movers = [one for seat in g.seats for one in g.generals_of(seat) if g.on_map(one) and not one.mover]
        if not movers:
            continue
        one = rng.choice(movers)
        g.player = one.seat
        activation.begin(g, one.name)
        moments = [brute.look(g)]
        for _ in range(STEPS):
            taken = step(g, one, rng)
            if taken is None:
                break
            way, army = taken
            target = space_of(way.target)
            now = brute.look(g)
            came_from = "" if way.kind == "gate" else space_of(way.origin)
            for seat in g.seats:
                wanted = words.interceptors(moments, now, army, seat, target)
                assert set(interception.origins(g, seat, way)) == wanted, (seat, way, army)
                ways = words.evasions(now, army, seat, target, came_from)
                evader = evasion.may_evade(g, seat, way)
                assert (evader is not None) == bool(ways), (seat, way, army)
                if evader is not None:
                    assert set(evasion.destinations(g, seat, way)) == ways, (seat, way, army)
                met["interceptors"] += len(wanted)
                met["evaders"] += bool(ways)
            moments.append(now)
    assert met["interceptors"] > 30 and met["evaders"] > 20


def test_nobody_evades_after_an_interception_or_under_honoured_passage() -> None:
    """12.1, 10 C What the table does not show: what happened in this activation."""
    rng = Random("brute: marked")
    closed = 0
    for _ in range(150):
        g = a_game(rng)
        movers = [one for seat in g.seats for one in g.generals_of(seat) if g.on_map(one) and not one.mover]
        if not movers:
            continue
        one = rng.choice(movers)
        act = activation.begin(g, one.name)
        taken = step(g, one, rng)
        if taken is None:
            continue
        way, _ = taken
        could = [seat for seat in g.seats if evasion.may_evade(g, seat, way) is not None]
        for seat in could:
            act.passage = {seat}
            assert evasion.may_evade(g, seat, way) is None
            act.passage = set()
        act.intercepted.add((space_of(way.target), one.seat))
        assert evasion.could_evade(g, way) == {}
        closed += len(could)
    assert closed > 5
