"""9 All that may be ordered with an Army or General: on land, before a city, at sea; and what silence means."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Procedure
from pbem.orders import Order, Pieces
from pbem.rules import movement, naval, siege
from pbem.rules.activation import can_go_on, is_afloat, may_land, travellers, who_joins
from pbem.rules.acts import Act
from pbem.rules.company import to_the_end
from pbem.table.state import Game, space_of


def on_land_or_at_sea(land: Act, sea: Act) -> Act:
    """9.1, 13.2.6 The same order means one thing on the march and another on board."""

    def judge(g: Game, seat: str, order: Order) -> Order:
        return (sea if is_afloat(g) else land).judge(g, seat, order)

    def do(g: Game, order: Order) -> Procedure[None]:
        return (sea if is_afloat(g) else land).do(g, order)

    def candidates(g: Game, seat: str) -> Iterator[Order]:
        return (sea if is_afloat(g) else land).candidates(g, seat)

    return Act(judge, do, candidates)


ACTS: dict[str, Act] = {verb: to_the_end(act) for verb, act in {
    **movement.ACTS,
    "siege": siege.ACT,
    **naval.ACTS,
    **{verb: on_land_or_at_sea(movement.ACTS[verb], act) for verb, act in naval.ABOARD.items()},
}.items()}
MARCHES = {verb: act for verb, act in ACTS.items() if verb != "roll"}          # 6.2 B1 with MPs from a card


def silence(g: Game, seat: str) -> Order:
    """What it means that the player whose turn it is says nothing: the end, once nobody is left where he may not stay."""
    act = g.activation
    if is_afloat(g):
        return next(landfalls(g, seat), None) or next(ways_on(g, seat), Order("end")) if may_land(g) else Order("end")
    if act is not None and act.must_leave and travellers(g) and can_go_on(g):
        for order in departures(g, seat):
            if (legal := judged(g, seat, order)) is not None:
                return legal
    return Order("end")


def departures(g: Game, seat: str) -> Iterator[Order]:
    """10 C, 10 G On with what travels, or first with whoever has to come along; through the gate, where that is the way."""
    act = g.activation
    assert act is not None
    yield from movement.candidate_marches(g, seat)
    yield Order("embark", general=act.key)
    joining = [one.name for one in who_joins(g)]
    for number in range(len(joining)):                          # all, or those only who are not too senior (R14)
        yield Order("pick_up", pieces=Pieces.of(joining[number:]))
    yield Order("shift", general=act.key, to="inside")


def landfalls(g: Game, seat: str) -> Iterator[Order]:
    """13.1 Who may not stay at sea lands here, if nobody else stands here, or goes on to a port where nobody does."""
    act = g.activation
    assert act is not None
    for legal in ways_on(g, seat):
        port = legal.path[0] if legal.path else space_of(act.here)
        if legal.loc == "inside" or not [side for side in g.sides_at(port) if side != seat]:
            yield legal


def ways_on(g: Game, seat: str) -> Iterator[Order]:
    """13.1 To land, or to sail on: where a voyage was announced whole it may be only one of the two."""
    for order in (Order("disembark"), Order("disembark", loc="inside"), *naval.candidate_voyages(g, seat)):
        legal = judged(g, seat, order)
        if legal is not None:
            yield legal


def judged(g: Game, seat: str, order: Order) -> Order | None:
    """The order in full, or None where it is not legal."""
    try:
        return ACTS[order.verb].judge(g, seat, order)
    except Refused:
        return None
