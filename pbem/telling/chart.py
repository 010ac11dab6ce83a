"""The position as data, whole and for one reader: what a map needs, and any program that wants to know where things stand.

The form is published in `data/schemas/position.json`. Like a view it is built from public fields of the position alone; what
a reader may know beyond them is not on the board. The board itself goes along as it is played, with all corrections.
"""

from typing import Any

from pbem.play.match import Match
from pbem.rules import siege
from pbem.table.state import BOX, CART, DEAD, NOWHERE, OFF, TOMB, Game, space_of
from pbem.telling import lasting, views
from pbem.telling.changes import changes

FORMAT = 1
Row = dict[str, Any]


def chart(
    match: Match, reader: str | None, *, title: str = "", entry: int = 0, head: str = "", since: int | None = None,
    board: Row | None = None,
) -> Row:
    """The position after the last entry taken in, which is number `entry`; `since` tells what changed from that entry on.

    Whoever wants many positions of one board hands the printed one in again.
    """
    g = match.g
    return {
        "format": FORMAT,
        "title": title,
        "edition": g.rules.name,
        "reader": reader,
        "entry": entry or match.number,
        "since": since,
        "head": head,
        **views.sequence(g),
        "seats": [{"seat": seat, "name": str(who.get("name") or "")} for seat, who in match.seats.items()],
        "standings": views.standings(g),
        "board": printed(g) if board is None else board,
        "control": {
            "spaces": controlled(g),
            "provinces": {p: g.province_controller(p) for p in g.board.provinces if g.province_controller(p)},
        },
        "armies": armies(g),
        "sieges": sieges(g),
        "fleets": fleets(g),
        "royals": royals(g),
        "boxes": boxes(g),
        "cards": {"deck": g.deck, "face_down": g.face_down, "discards": list(g.discards), "out": gone(g)},
        "marks": lasting.lines(g, lasting.MARKS),
        "changes": []
        if since is None
        else list(changes((number, event) for number, event in match.history.since(since) if event.for_seat(reader))),
    }


def gone(g: Game) -> list[str]:
    return [card for row in lasting.out(g) for card in row["cards"]]


def printed(g: Game) -> Row:
    """The board as it is in this game: Capitals are Major Cities, corrections are made."""
    board, facts = g.board, g.facts
    return {
        "provinces": {
            p: {"vp": board.vp(p), "majority": board.majority(p), "region": board.region(p)} for p in board.provinces
        },
        "spaces": {
            s: {"kind": board.kind(s), "province": board.province_of(s), "port": board.is_port(s), **on_earth(board.lat_lon(s))}
            for s in board.spaces
        },
        "paths": [[a, b, kind] for a, b, kind in facts.paths],
    }


def on_earth(where: tuple[float, float]) -> Row:
    """Latitude and longitude; a space that was added without any has zeros in the data."""
    lat, lon = where if any(where) else (None, None)
    return {"lat": lat, "lon": lon}


def controlled(g: Game) -> dict[str, str]:
    """2 Whose PC lies where."""
    return {space: g.pc[space] for space in g.board.spaces if g.pc.get(space)}


def part_of(location: str) -> str:
    """In a Major City pieces are inside or outside; on a voyage they are at sea."""
    return location.partition("/")[2] or "outside"


def armies(g: Game) -> list[Row]:
    """Every stack on the map. The Royal Family has a list of its own."""
    return [
        {
            "seat": one["seat"],
            "space": space_of(one["at"]),
            "part": part_of(one["at"]),
            "generals": one["generals"],
            "cus": one["cus"],
            "total": sum(one["cus"].values()),
        }
        for one in views.armies(g)
    ]


def sieges(g: Game) -> list[Row]:
    """15 Who stands besieged, by whom, with how many Siege Points of how many; and points that wait for a besieger."""
    found = []
    for space in g.board.spaces:
        seat, points = g.siege_points.get(space, ("", 0))
        if not (g.besieged(space) or points):
            continue
        owner = g.controller(space)
        found.append(
            {
                "space": space,
                "owner": owner,
                "by": [
                    side for side in g.sides_at(space) if side != owner and g.has_general(space, side) and g.count(space, side)
                ],
                "points": points,
                "points_of": seat,
                "needed": siege.needed(g, space),
                "helepolis": space_of(g.helepolis) == space,
            }
        )
    return found


def fleets(g: Game) -> list[Row]:
    """13 Every Fleet: whose, which side is up, how strong, and which Province or Major City brings it."""
    return [
        {
            "fleet": one.name,
            "seat": one.seat,
            "upgraded": one.upgraded,
            "dispersed": one.dispersed,
            "strength": g.facts.fleets[one.name]["upgraded" if one.upgraded else "normal"],
            "place": fleet_home(g, one.name),
        }
        for one in g.fleets.values()
    ]


def fleet_home(g: Game, fleet: str) -> str:
    """Which Province or Major City it belongs to; a Fleet that a card brings bears the name of its Province, but the Pontic one
    of older books: that lies in the easternmost port there."""
    control = g.facts.fleets[fleet]["control"]
    if control["type"] != "card":
        return str(control["place"])
    return fleet if fleet in g.board.provinces else max(g.board.pontos, key=lambda port: g.board.lat_lon(port)[1], default="")


def royals(g: Game) -> list[Row]:
    """8 The Royal Family, the Cart and the Tomb that are on the map."""
    return [
        {"royal": one.name, "seat": one.seat, "space": space_of(one.at), "part": part_of(one.at)}
        for one in g.royals.values()
        if one.at in g.board.locations
    ]


def boxes(g: Game) -> Row:
    """What lies beside the map, or left the game for good."""
    return {
        "dispersed": list(lasting.dispersed(g)),
        "royals": [one.name for one in g.royals.values() if one.at not in g.board.locations and one.at not in (NOWHERE, DEAD)],
        "independents": [one.name for one in g.generals.values() if one.at == BOX],
        "off_map": [{"seat": one.seat, "general": one.name} for one in g.generals.values() if one.at == OFF and not one.minor],
        "dead": [one.name for one in g.generals.values() if one.at == DEAD]
        + [one.name for one in g.royals.values() if one.at == DEAD and one.name not in (CART, TOMB)],
    }


def course(match: Match) -> list[Row]:
    """L and VP of every seat, at the start of the game and at the end of each player turn: how they went."""
    g = match.g
    last = {row["seat"]: {"L": row["L"], "VP": row["VP"]} for row in views.standings(g)}
    return [*match.history.course(match.seats), {"turn": g.turn, "round": g.round, "entry": match.number, "seats": last}]
