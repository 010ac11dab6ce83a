"""How a script marches and sails: who goes along, the way that it leaves open, what is put down; and Minor Generals."""

from collections.abc import Mapping

from pbem.base.errors import Refused
from pbem.dev.replay.table import Table
from pbem.orders import Order, Pieces
from pbem.rules import activation
from pbem.table.state import OFF, General, space_of

SEA = ("sea", "trans")


# --- places, and who stands there ---------------------------------------------------------------------------------


def location(run: Table, text: str) -> str:
    """Where exactly in the space: with one's own pieces, if there are any."""
    place = run.spelt.place(text, run.assumed)
    if place.province:
        spaces = [space for space in run.g.board.spaces_of(place.province) if run.g.controller(space) == run.seat]
        return spaces[0] if spaces else run.g.board.spaces_of(place.province)[0]
    return next((one for one in (place.space, *run.g.board.locations_of(place.space.partition("/")[0]))
                 if run.g.count(one, run.seat) or run.g.generals_at(one, run.seat)), place.space)


def fresh_minor(run: Table) -> str | None:
    """A piece off the map that has not marched in this segment: it is another Minor General."""
    free = [one.name for one in run.g.minors if one.seat == run.seat and one.at == OFF]
    return next((name for name in free if name not in run.g.activated), None)


def note_minor(run: Table, name: str, at: str) -> None:
    """The Minor General who is there now is the one whom the script calls so; a piece that has left comes back as another."""
    if name.startswith("minor "):
        places = run.g.board.locations_of(space_of(at))
        here = [one.name for place in places for one in run.g.generals_at(place, run.seat) if one.minor]
        if here and run.spelt.minors.get(name) not in here:
            run.spelt.minors[name] = here[0]


# --- marching and sailing -----------------------------------------------------------------------------------------


def movement_roll(run: Table) -> None:
    run.do(Order("roll"))


def move(run: Table) -> None:
    """By land, unless the script says by sea, or there is no other way."""
    one = mover(run)
    pieces = company(run, one)
    stops = [space for space in run.step["path"] if space]
    spaces = [run.spelt.place(text, run.assumed) for text in stops]
    targets = [place.space for place in spaces if place.space and space_of(place.space) != space_of(one.at)]
    by_sea = run.step.get("mode") == "sea" or run.step["action"] == "naval_move"
    via = run.assumed.get("via")
    for index, target in enumerate(targets):
        taken = pieces if index == 0 else None
        if by_sea:
            voyage(run, one, taken, target)
        else:
            march(run, one, taken, target, run.spelt.id("space", via) if via else "")
        put_down(run, one)
    again = [step for step in run.script.after(run.index) if step.get("general") == run.step["general"]]
    if run.g.activation is not None and not again:
        run.do(Order("end_activation"))


def mover(run: Table) -> General:
    """Who marches; a Minor General whom nobody has seen yet is placed where he sets out."""
    name, step = run.step["general"], run.step
    if name.startswith("minor ") and name not in run.spelt.minors:
        text = run.assumed.get("from") or step["path"][0]
        at = location(run, text)
        run.do(Order("place_minor", at=at, minor=fresh_minor(run)))
        note_minor(run, name, at)
    return run.g.generals[run.spelt.general(name)]


def company(run: Table, one: General) -> Pieces:
    """Who goes along: what the script says, or all that may, but for what it says is left; Royals only if they are named."""
    usual = activation.may_come(run.g, one)
    brings = run.step.get("brings") if run.step.get("brings") is not None else run.assumed.get("brings")
    stays = run.step.get("left_behind") or next(iter((run.assumed.get("left_behind") or {}).values()), None)
    cus = run.spelt.units(brings) if isinstance(brings, Mapping) else dict(usual.cus)
    for kind, number in run.spelt.units(stays).items():
        if not isinstance(brings, Mapping):
            cus[kind] = cus.get(kind, 0) - number
    royals = [run.spelt.royal(name) for name in (brings or {}).get("royals", ())] if isinstance(brings, Mapping) else []
    generals = usual.generals if brings != {} else ()
    return Pieces.of(generals, {kind: number for kind, number in cus.items() if number > 0}, royals)


def march(run: Table, one: General, pieces: Pieces | None, target: str, via: str = "") -> None:
    """The cheapest way; of several that are as cheap the first; where none leads by land, by sea."""
    asked = run.ahead.passage(run.index, target)
    try:
        path = (via, target) if via else (target,)
        run.do(Order("march", general=one.name, pieces=pieces, path=path, passage=asked))
    except Refused as problem:
        if problem.key == "ways_differ":
            run.do(Order("march", general=one.name, pieces=pieces, path=tuple(problem.facts["ways"][0]), passage=asked))
        elif problem.key in ("no_way", "not_connected", "too_few_mps") and run.step.get("mode") != "land":
            if not harbours(run, one, target):
                raise
            voyage(run, one, pieces, target)
        else:
            raise


def voyage(run: Table, one: General, pieces: Pieces | None, target: str) -> None:
    """To the port from which it is shortest, then by sea, and ashore."""
    escort = run.step.get("escort")
    fleets = tuple(run.spelt.names.resolve("fleet", name) for name in escort) if isinstance(escort, list) else ("all",)
    found = harbours(run, one, target)
    named = run.step.get("embarkation")
    port = run.spelt.id("space", named) if named else found[0] if found else space_of(one.at)
    if port != space_of(one.at):
        march(run, one, pieces, port)
        pieces = None
    run.do(Order("embark", general=one.name, pieces=pieces, fleets=fleets))
    run.do(Order("sail", general=one.name, path=sea_way(run, port, target)))
    run.do(Order("disembark", general=one.name, passage=run.ahead.passage(run.index, target)))


def harbours(run: Table, one: General, target: str) -> list[str]:
    """The ports over which the target is within the MPs, the nearest way first."""
    board, left = run.g.board, activation.mps_of(run.g, one.name)
    here = space_of(one.at)
    by_land = board.distances(here, ("land", "mountain", "strait"), None, left)
    ways = {port: spent + at_sea for port, spent in by_land.items() if board.is_port(port)
            for at_sea in [board.distances(port, SEA, None, left - spent).get(target)] if at_sea}
    return sorted(ways, key=lambda port: (ways[port], by_land[port], port))


def sea_way(run: Table, port: str, target: str) -> tuple[str, ...]:
    """The cheapest voyage, port by port."""
    board = run.g.board
    to_go = board.distances(target, SEA, None, None)
    here, path = port, list[str]()
    while here != target:
        nearer = [(price + to_go[near], near) for near, kind, price in board.paths(here) if kind in SEA and near in to_go]
        if here not in to_go or not nearer:
            raise Refused("13.2.3", "no_sea_path", origin=here, target=target, reach=[])
        here = min(nearer)[1]
        path.append(here)
    return tuple(path)


def put_down(run: Table, one: General) -> None:
    """What the script says was dropped where the Army has come to."""
    for text, told in (run.step.get("dropped") or {}).items():
        if run.spelt.id("space", text) != space_of(one.at):
            continue
        minor = str(told.get("general") or "")
        generals = [run.spelt.general(minor)] if minor and not minor.startswith("minor ") else []
        run.do(Order("drop", pieces=Pieces.of(generals, run.spelt.units(told)),
                     minor="any" if minor.startswith("minor ") else None))
        note_minor(run, minor, one.at)


def force_march(run: Table) -> None:
    one = run.g.generals[run.spelt.general(run.step["general"])]
    run.do(Order("force_march", general=one.name, number=run.step.get("mps")))
    move(run)
