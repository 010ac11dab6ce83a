"""3.5, 16.1 Capitals: begun with a card, finished in the founder's next Surrender Segment, Major Cities while they are held."""

from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, space_of


def may_found(g: Game, seat: str) -> bool:
    """16.1 Once per player and game: nobody who has a Capital, or has lost one."""
    return seat not in g.capitals and seat not in g.captured


def begin(g: Game, seat: str, space: str) -> None:
    """16.1 The construction marker is placed; one that lies elsewhere is taken along."""
    g.construction[seat] = space
    g.tell(ALL, "capital_begun", seat=seat, space=space)


def attacked(g: Game, seat: str, space: str) -> None:
    """16.1 Whoever is attacked where he builds has to begin anew."""
    if g.construction.get(seat) == space:
        interrupt(g, seat, "attacked")


def interrupt(g: Game, seat: str, why: str) -> None:
    space = g.construction.pop(seat)
    g.tell(ALL, "capital_interrupted", seat=seat, space=space, why=why)


def finish(g: Game, seat: str) -> None:
    """16.1 The marker goes onto the map, and from now on the space is a Major City."""
    if seat in g.construction:
        space = g.construction.pop(seat)
        g.found({**g.capitals, seat: space})
        g.tell(ALL, "capital_completed", seat=seat, space=space)


def fall(g: Game, space: str, by: str) -> None:
    """16.1 A Capital that its founder controls no longer: a Minor City again, its marker is the conqueror's for good."""
    for seat in [founder for founder, place in g.capitals.items() if place == space]:
        g.found({founder: place for founder, place in g.capitals.items() if founder != seat})
        g.captured[seat] = by
        put_outside(g, space)
        g.tell(ALL, "capital_lost", seat=seat, space=space, by=by)


def put_outside(g: Game, space: str) -> None:
    """9.4 There are no walls any more."""
    inside = f"{space}/inside"
    for side in list(g.sides_with_cus(inside)):
        units = dict(g.units(inside, side))
        g.remove(inside, side, units)
        g.add(space, side, units)
    for one in g.generals_at(inside):
        one.at = space
    for royal in g.royals_at(inside):
        royal.at = space
    if space_of(g.helepolis) == space:
        g.helepolis = ""


def watch(g: Game) -> None:
    """16.1 After a Procedure: whoever has lost PC or CU where he builds, or a Capital otherwise than by a Siege."""
    for seat, space in list(g.construction.items()):
        if g.controller(space) != seat:
            interrupt(g, seat, "pc")
        elif not g.has_cus(space, seat):
            interrupt(g, seat, "cu")
    for seat, space in list(g.capitals.items()):
        if g.controller(space) != seat:
            fall(g, space, g.controller(space) or (g.player if g.phase == "strategy" and g.player != seat else INDEPENDENT))
