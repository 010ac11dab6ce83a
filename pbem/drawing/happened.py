"""What happened, on the map: marches as arrows along their paths, fights, sieges, changes of control, each with a number."""

from collections.abc import Iterable, Iterator, Mapping
from math import hypot
from typing import Any, NamedTuple

from pbem.components.board import SEA
from pbem.drawing.layout import RADIUS, Layout, Point
from pbem.drawing.palette import COLOUR, INKED, PAPER
from pbem.drawing.pieces import badge
from pbem.drawing.room import Room, beside
from pbem.drawing.svg import n, path
from pbem.drawing.voice import Voice

Row = Mapping[str, Any]
MOST = 60  # changes that are drawn and listed: the last of them
STAR = "M0-11L3-4 10-6 6 0 11 5 4 5 2 11-2 5-9 8-6 2-11-2-5-4z"


class Told(NamedTuple):
    """A change with its number, its line, and the spaces that it concerns."""

    number: int
    what: str
    line: str
    row: Row
    spaces: tuple[str, ...]


def told(changes: Iterable[Row], voice: Voice) -> list[Told]:
    """What is drawn and listed, in the order in which it happened; of a long time only the last."""
    last = list(changes)[-MOST:]
    return [Told(row["number"], row["what"], voice.say(key_of(row), **row), row, spaces_of(row)) for row in last]


def spaces_of(row: Row) -> tuple[str, ...]:
    return tuple(row.get("spaces") or row.get("path") or filter(None, [row.get("space")]))


def key_of(row: Row) -> str:
    if row["what"] == "fight":
        return f"fight_{row['how']}"
    return str(row["how"] if row["what"] == "move" else row["what"])


# --- arrows ------------------------------------------------------------------------------------------------------


def cut(a: Point, c: Point, b: Point, start: float, end: float) -> tuple[Point, Point, Point]:
    """The part of a bent line between two of its moments."""

    def at(p: Point, q: Point, t: float) -> Point:
        return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t

    def point(t: float) -> Point:
        return at(at(a, c, t), at(c, b, t), t)

    return point(start), at(at(a, c, start), at(c, b, start), end), point(end)


def legs(way: Iterable[str], layout: Layout, aside: float, at_sea: bool) -> Iterator[tuple[Point, Point, Point]]:
    """The march along the paths of the board, a little beside them."""
    spaces = list(way)
    kinds = {(a, b): kind for a, b, kind in layout.board["paths"] if (kind in SEA) == at_sea}
    for a, b in zip(spaces, spaces[1:], strict=False):
        if a not in layout.towns or b not in layout.towns:
            continue
        if (a, b) in kinds:
            start, over, end = layout.curve(a, b, kinds[a, b])
        elif (b, a) in kinds:
            end, over, start = layout.curve(b, a, kinds[b, a])
        else:
            start, end = layout.at(a), layout.at(b)
            over = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        length = hypot(end[0] - start[0], end[1] - start[1]) or 1
        across = (-(end[1] - start[1]) / length * aside, (end[0] - start[0]) / length * aside)
        yield start, (over[0] + 2 * across[0], over[1] + 2 * across[1]), end


def arrow(one: Told, layout: Layout, aside: float) -> tuple[str, list[Point]]:
    """Shadow below, colour above, a head that stays off the town; dashed where it was only tried."""
    found = list(legs(one.row["path"], layout, aside, one.row["how"] == "sailed"))
    if not found:
        return "", []
    d, middles = "", []
    for number, (a, c, b) in enumerate(found):
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1
        last = number == len(found) - 1
        a, c, b = cut(a, c, b, min(0.3, 13 / length) if number == 0 else 0, 1 - (min(0.4, 19 / length) if last else 0))
        d += (
            f"M{n(a[0])} {n(a[1])}Q{n(c[0])} {n(c[1])} {n(b[0])} {n(b[1])}"
            if number == 0
            else (f"Q{n(c[0])} {n(c[1])} {n(b[0])} {n(b[1])}")
        )
        middles += [cut(a, c, b, 0, t)[2] for t in (0.5, 0.3, 0.7)]
    dx, dy = b[0] - c[0], b[1] - c[1]
    size = hypot(dx, dy) or 1
    dx, dy = dx / size, dy / size
    head = (
        f"M{n(b[0] + dx * 9)} {n(b[1] + dy * 9)}L{n(b[0] - dx * 3 - dy * 7)} {n(b[1] - dy * 3 + dx * 7)}"
        f"L{n(b[0] - dx * 3 + dy * 7)} {n(b[1] - dy * 3 - dx * 7)}z"
    )
    how, seat = one.row["how"], one.row["seat"]
    dash = {
        "tried": ' stroke-dasharray="4 5"',
        "sailed": ' stroke-dasharray="14 3"',
        "retreated": ' stroke-dasharray="9 4"',
        "withdrew": ' stroke-dasharray="9 4"',
        "evaded": ' stroke-dasharray="9 4"',
    }.get(how, "")
    edge = INKED if seat != "black" else PAPER
    return (
        f'<g data-change="{one.number}">'
        + path(d, "none", f' stroke="{edge}" stroke-width="6.4" stroke-linejoin="round" stroke-opacity=".85"')
        + path(d, "none", f' stroke="{COLOUR[seat]}" stroke-width="4" stroke-linejoin="round"{dash}')
        + path(head, PAPER if how == "tried" else COLOUR[seat], f' stroke="{edge}" stroke-width="1.3"')
        + "</g>"
    ), middles


# --- all together ------------------------------------------------------------------------------------------------


def arrows(all_told: Iterable[Told], layout: Layout, wanted: dict[int, list[Point]]) -> Iterator[str]:
    """Below the towns; where a number would like to stand is noted."""
    for one in all_told:
        if one.what == "move":
            drawn, wanted[one.number] = arrow(one, layout, (4, -4, 9, -9)[one.number % 4])
            yield drawn


def signs(all_told: Iterable[Told], layout: Layout, wanted: dict[int, list[Point]]) -> Iterator[str]:
    """Stars for fights, rings for sieges and for what changed hands."""
    for one in all_told:
        for space in one.spaces if one.what in ("fight", "siege", "fell", "control") else ():
            if space not in layout.towns or not layout.shown(space):
                continue
            x, y = layout.at(space)
            r = RADIUS[layout.board["spaces"][space]["kind"]]
            wanted.setdefault(one.number, []).append((x, y))
            if one.what == "fight":
                yield path(
                    STAR,
                    "#ffe14d",
                    f' transform="translate({n(x)} {n(y)}) scale({n((r + 12) / 10)})" stroke="#9c1458" '
                    f'stroke-width="1.4" data-change="{one.number}"',
                )
            elif one.what == "control":
                ink = COLOUR[one.row["seat"] or "independent"]
                yield (
                    f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r + 5)}" fill="none" stroke="{ink}" '
                    f'stroke-width="3" data-change="{one.number}"/>'
                )
            else:
                yield (
                    f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r + 5)}" fill="none" stroke="#9c1458" stroke-width="2.4" '
                    f'stroke-dasharray="4 3" data-change="{one.number}"/>'
                )


def numbers(all_told: Iterable[Told], wanted: Mapping[int, list[Point]], room: Room) -> Iterator[str]:
    """Each number once, where it covers nothing; what has no room is in the list all the same."""
    for one in all_told:
        size = 18 if one.number < 100 else 22
        half = size / 2
        spots = [(x - half, y - half, x + half, y + half) for x, y in wanted.get(one.number, ())] if one.what == "move" else []
        for x, y in wanted.get(one.number, ()):
            spots += list(beside(x, y, size, size, 10, 5, 7))
        free = next((box for box in spots if room.free(box)), None)
        if free is not None:
            room.take(free)
            yield badge(one.number, (free[0] + free[2]) / 2, (free[1] + free[3]) / 2)
