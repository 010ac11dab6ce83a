"""What happened, on the map: marches as arrows along their paths, fights, sieges, changes of control, each with a number."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

from pbem.components.board import SEA
from pbem.drawing.layout import RADIUS, Layout, Point
from pbem.drawing.palette import COLOUR, FIGHT, INKED, MARK, PAPER
from pbem.drawing.pieces import badge, badge_size
from pbem.drawing.room import Box, Room, beside, centred
from pbem.drawing.svg import n, path
from pbem.drawing.voice import Voice

Row = Mapping[str, Any]
MOST = 30  # changes that are drawn and listed: the last of them
OFF = 23.0  # from where an arrow points to
STAR = "M0-11L3-4 10-6 6 0 11 5 4 5 2 11-2 5-9 8-6 2-11-2-5-4z"


class Told(NamedTuple):
    """A change with its number, its line, and the spaces that it concerns."""

    number: int
    what: str
    line: str
    row: Row
    spaces: tuple[str, ...]


def happenings(changes: Iterable[Row], voice: Voice) -> list[Told]:
    """What is drawn and listed, in the order in which it happened; of a long time only the last."""
    last = list(changes)[-MOST:]
    return [Told(row["number"], row["what"], voice.say(key_of(row), **row, rolled=carried(row)), row, spaces_of(row))
            for row in last]


def spaces_of(row: Row) -> tuple[str, ...]:
    return tuple(row.get("spaces") or row.get("path") or filter(None, [row.get("space")]))


def carried(row: Row) -> str:
    """What is shown beside the number: CUs that went or stayed, the dice of a fight, Siege Points gained."""
    if row["what"] == "siege":
        return f"+{row['points']}" if row["points"] else ""
    return dice_of(row.get("dice") or []) if row["what"] == "fight" else str(row.get("cus") or "")


def dice_of(sides: Iterable[Sequence[int]]) -> str:
    """Of both sides, in their order; of a fight that nobody rolled for there are none."""
    rolled = [" ".join(map(str, dice)) for dice in sides]
    return " / ".join(rolled) if all(rolled) else ""


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


def shaft(one: Told, layout: Layout, aside: float) -> list[tuple[Point, Point, Point]]:
    """The legs of a march, its ends a little off the towns."""
    found = list(legs(one.row["path"], layout, aside, one.row["how"] == "sailed"))
    out = []
    for number, (a, c, b) in enumerate(found):
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1
        end = min(0.4, OFF / length) if number == len(found) - 1 else 0
        out.append(cut(a, c, b, min(0.3, 13 / length) if number == 0 else 0, 1 - end))
    return out


def arrow(one: Told, layout: Layout, room: Room) -> tuple[str, list[Point]]:
    """Shadow below, colour above, a head that covers nothing; dashed where it was only tried."""
    first = (4, -4, 9, -9)[one.number % 4]
    ways = [shaft(one, layout, aside) for aside in (first, -first, 16, -16)]
    if not ways[0]:
        return "", []
    way, corners = next(
        ((way, head) for way in ways for head in heads(way) if room.free(around(head))), (ways[0], None)
    )
    x, y = way[0][0]
    d = f"M{n(x)} {n(y)}" + "".join(f"Q{n(c[0])} {n(c[1])} {n(b[0])} {n(b[1])}" for _, c, b in way)
    how, seat = one.row["how"], one.row["seat"]
    dash = {
        "tried": ' stroke-dasharray="4 5"',
        "sailed": ' stroke-dasharray="14 3"',
        "retreated": ' stroke-dasharray="9 4"',
        "withdrew": ' stroke-dasharray="9 4"',
        "evaded": ' stroke-dasharray="9 4"',
    }.get(how, "")
    edge = INKED if seat != "black" else PAPER
    drawn = (
        path(d, "none", f' stroke="{edge}" stroke-width="6.4" stroke-linejoin="round" stroke-opacity=".85"')
        + path(d, "none", f' stroke="{COLOUR[seat]}" stroke-width="4" stroke-linejoin="round"{dash}')
    )
    if corners is not None:
        room.occupy(around(corners))
        head = "M" + "L".join(f"{n(x)} {n(y)}" for x, y in corners) + "z"
        ink = PAPER if how == "tried" else COLOUR[seat]
        drawn += path(head, ink, f' stroke="{edge}" stroke-width="1.3" data-head="{one.number}"')
    middles = [cut(*leg, 0, t)[2] for leg in way for t in (0.5, 0.3, 0.7)]
    return f'<g data-change="{one.number}">{drawn}</g>', middles


def heads(way: Sequence[tuple[Point, Point, Point]]) -> Iterator[tuple[Point, Point, Point]]:
    """Where the head may sit: at the end, or where something stands there, back along the way."""
    for a, c, b in reversed(way):
        for step in range(10):
            _, over, end = cut(a, c, b, 0, 1 - step / 10)
            size = hypot(end[0] - over[0], end[1] - over[1]) or 1
            dx, dy = (end[0] - over[0]) / size, (end[1] - over[1]) / size
            x, y = end[0] - dx * 3, end[1] - dy * 3
            yield (end[0] + dx * 9, end[1] + dy * 9), (x - dy * 7, y + dx * 7), (x + dy * 7, y - dx * 7)


def around(corners: Iterable[Point]) -> Box:
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


# --- all together ------------------------------------------------------------------------------------------------


def arrows(all_told: Iterable[Told], layout: Layout, room: Room, wanted: dict[int, list[Point]]) -> Iterator[str]:
    """Below the towns; where a number would like to stand is noted."""
    for one in all_told:
        if one.what == "move":
            drawn, wanted[one.number] = arrow(one, layout, room)
            yield drawn


def signs(all_told: Iterable[Told], layout: Layout, wanted: dict[int, list[Point]]) -> Iterator[str]:
    """Stars for fights, rings for sieges and for what changed hands."""
    for one in all_told:
        for space in one.spaces if one.what in ("fight", "siege", "fell", "control", "dropped") else ():
            if space not in layout.towns or not layout.is_shown(space):
                continue
            x, y = layout.at(space)
            r = RADIUS[layout.board["spaces"][space]["kind"]]
            wanted.setdefault(one.number, []).append((x, y))
            if one.what == "dropped":
                continue  # its number with the CUs says it
            if one.what == "fight":
                yield path(
                    STAR,
                    FIGHT,
                    f' transform="translate({n(x)} {n(y)}) scale({n((r + 12) / 10)})" stroke="{MARK}" '
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
                    f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r + 5)}" fill="none" stroke="{MARK}" stroke-width="2.4" '
                    f'stroke-dasharray="4 3" data-change="{one.number}"/>'
                )


def numbers(all_told: Iterable[Told], wanted: Mapping[int, list[Point]], room: Room) -> Iterator[str]:
    """Each number once, where it covers nothing, with what it carries if there is room; what has none is in the list."""
    for one in all_told:
        flag = carried(one.row)
        for said in (flag, "") if flag else ("",):
            width, height = badge_size(one.number, said)
            spots = [centred(x, y, width, height) for x, y in wanted.get(one.number, ())] if one.what == "move" else []
            for x, y in wanted.get(one.number, ()):
                spots += beside(x, y, width, height, 10, 5, 7)
            free = next((box for box in spots if room.free(box)), None)
            if free is not None:
                room.occupy(free)
                yield badge(one.number, free, said, one.row.get("seat", ""))
                break
