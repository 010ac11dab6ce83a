"""What lies below the pieces: sea and land, the Provinces by who controls them, rivers, paths, towns and their names."""

from collections.abc import Iterable, Iterator, Mapping
from math import cos, pi, sin
from typing import Any

from pbem.drawing.layout import RADIUS, SIZE, Layout, Town
from pbem.drawing.lettering import Face, wide
from pbem.drawing.palette import (
    BORDER,
    COAST,
    COLOUR,
    DOT,
    EDGE,
    HALO,
    HATCH,
    INK,
    INKED,
    LAND,
    LANE,
    NAME,
    OPEN_SEA,
    PAPER,
    PASS,
    RIVER,
    ROAD,
    SEA,
    SEA_NAME,
    TINT,
)
from pbem.drawing.room import Box, Room, beside
from pbem.drawing.svg import alike, lettered, n, path, rect, text
from pbem.drawing.voice import Voice

Row = Mapping[str, Any]
FACE: dict[str, Face] = {"major": "bold", "minor": "regular", "stronghold": "regular", "transit": "italic"}
PATCH = 30.0  # around a space that has changed its Province


def defs(seats: list[str], scale: float) -> str:
    """Tints with their hatches."""
    shrunk = f' patternTransform="scale({1 / scale:.4g})"' if scale != 1 else ""
    made = "".join(
        f'<pattern id="h-{seat}" width="10" height="10" patternUnits="userSpaceOnUse"{shrunk}>'
        + rect(0, 0, 10, 10, TINT[seat])
        + path(
            HATCH[seat],
            "none",
            f' stroke="{EDGE[seat]}" stroke-width="{2.4 if seat == "yellow" else 1.1}" '
            f'stroke-linecap="{"round" if seat == "yellow" else "butt"}" stroke-opacity="{".4" if seat == "black" else ".62"}"',
        )
        + "</pattern>"
        for seat in seats
    )
    return f"<defs>{made}</defs>"


def ground(chart: Row, layout: Layout) -> Iterator[str]:
    """Land, Provinces, and the sea over them: what is not land; rivers. Enlarged as one."""
    x, y = layout.origin
    yield f'<g transform="scale({layout.scale:.4g}) translate({n(-x)} {n(-y)})">' if layout.enlarged else "<g>"
    yield rect(x, y, layout.width / layout.scale, layout.height / layout.scale, LAND)
    control, provinces = chart["control"]["provinces"], layout.board["provinces"]
    shapes = {province: shape["shape"] for province, shape in layout.made["provinces"].items()}
    for province, shape in shapes.items():
        mark = f' data-mark="province {province} {control.get(province, "-")}"' if province in provinces else ""
        yield area(shape, control.get(province, ""), layout.scale, mark)
    told = set(shapes)
    for space in layout.moved:
        at, province = layout.towns[space].at, layout.board["spaces"][space]["province"]
        ring = f"M{n(at[0] - PATCH)} {n(at[1])}a{PATCH} {PATCH} 0 1 0 {2 * PATCH} 0a{PATCH} {PATCH} 0 1 0 {-2 * PATCH} 0z"
        mark = "" if province in told else f' data-mark="province {province} {control.get(province, "-")}"'
        told.add(province)
        yield area(ring, control.get(province, ""), layout.scale, f' data-patch="{space}"{mark}')
    rivers = "".join(layout.made["rivers"])
    yield path(rivers, "none", f' stroke="{RIVER}" stroke-width="{n(1.8 / layout.scale)}" stroke-linecap="round"')
    sea = f"M-30-30H{n(layout.made['width'] + 30)}V{n(layout.made['height'] + 30)}H-30z{layout.made['land']}"
    yield path(sea, SEA, f' fill-rule="evenodd" stroke="{COAST}" stroke-width="{n(1.4 / layout.scale)}"')
    yield "</g>"


def area(shape: str, seat: str, scale: float, more: str) -> str:
    fill = f"url(#h-{seat})" if seat else TINT[""]
    edge = (EDGE[seat], 3) if seat else (BORDER, 1.2)
    return path(shape, fill, f' stroke="{edge[0]}" stroke-width="{n(edge[1] / scale)}"{more}')


# --- paths -------------------------------------------------------------------------------------------------------

# How each kind is drawn, lower line first: told apart by its pattern alone.
LINES = {
    "land": ((ROAD, 1.8, ""),),
    "mountain": ((PASS, 5.4, "1.6 3.4"), (PASS, 1.6, "")),
    "strait": ((INKED, 6, ""), (PAPER, 3.4, ""), (INKED, 3.4, "1.5 4")),
    "sea": ((LANE, 1.7, "6 4"),),
    "trans": ((OPEN_SEA, 2, "14 4 2 4"),),
}


def paths(layout: Layout) -> Iterator[str]:
    """All paths of a kind in one line."""
    found: dict[str, list[str]] = {kind: [] for kind in LINES}
    for a, b, kind in layout.board["paths"]:
        if layout.is_shown(a) or layout.is_shown(b):
            start, over, end = layout.curve(a, b, kind)
            bent = abs((start[0] + end[0]) / 2 - over[0]) + abs((start[1] + end[1]) / 2 - over[1]) > 0.5
            way = f"Q{n(over[0])} {n(over[1])} {n(end[0])} {n(end[1])}" if bent else f"L{n(end[0])} {n(end[1])}"
            found[kind].append(f"M{n(start[0])} {n(start[1])}{way}")
    for kind in ("sea", "trans", "land", "mountain", "strait"):
        for number, (ink, width, dash) in enumerate(LINES[kind] if found[kind] else ()):
            more = f' stroke="{ink}" stroke-width="{width}"' + (f' stroke-dasharray="{dash}"' if dash else "")
            many = f' data-path="{kind}" data-count="{len(found[kind])}"' if not number else ""
            yield path("".join(found[kind]), "none", more + many)


# --- towns -------------------------------------------------------------------------------------------------------


def symbol(kind: str, x: float, y: float, fill: str, more: str = "") -> str:
    """Square, hexagon, circle, dot: as the kinds of spaces are."""
    r = RADIUS[kind]
    line = (' stroke-width="2"' if kind == "major" else "") + more
    if kind == "major":
        return rect(x - r + 1, y - r + 1, 2 * r - 2, 2 * r - 2, fill, line)
    if kind == "stronghold":
        corners = " ".join(f"{n(x + r * cos(pi / 3 * k))},{n(y + r * sin(pi / 3 * k))}" for k in range(6))
        return f'<polygon points="{corners}" fill="{fill}"{line}/>'
    return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r - (0 if kind == "transit" else 0.5))}" fill="{fill}"{line}/>'


def symbols(drawn: Iterable[str]) -> str:
    """The signs of spaces, in one ink."""
    return alike(f' stroke="{INKED}" stroke-width="1.5"', drawn)


def spaces(chart: Row, layout: Layout, voice: Voice, capitals: Mapping[str, str]) -> Iterator[str]:
    """Every space with the letter of who controls it; a Capital in a second square."""
    control = chart["control"]["spaces"]
    signs, letters = list[str](), list[str]()
    for space, fact in chart["board"]["spaces"].items():
        if not layout.is_shown(space):
            continue
        x, y = layout.at(space)
        kind, seat = fact["kind"], control.get(space, "")
        fill = COLOUR[seat] if kind != "transit" else DOT
        signs.append(symbol(kind, x, y, fill, f' data-mark="space {space} {seat or "-"}"'))
        if space in capitals:
            signs.append(rect(x - 12.5, y - 12.5, 25, 25, "none", f' stroke-width="1.2" data-mark="capital {space}"'))
        if seat:
            letters.append(text(x, y, voice.letter(seat), 11, grouped=True, fill=INK[seat]))
    yield symbols(signs)
    yield alike(lettered(11, "bold", "middle"), letters)


def ports(chart: Row, layout: Layout) -> str:
    """A wave below every port."""
    waves = []
    for space, fact in chart["board"]["spaces"].items():
        if fact["port"] and layout.is_shown(space):
            x, y = layout.at(space)
            waves.append(f"M{n(x - 4)} {n(y + RADIUS[fact['kind']] + 2)}q2 3 4 0q2 3 4 0")
    return path("".join(waves), "none", f' stroke="{LANE}" stroke-width="1.6"')


def town_box(layout: Layout, space: str, kind: str) -> Box:
    (x, y), r = layout.at(space), RADIUS[kind]
    return x - r, y - r, x + r, y + r


def names(chart: Row, layout: Layout, voice: Voice, room: Room) -> tuple[list[str], list[str]]:
    """The names of spaces and Provinces where the layout has put them, and room taken for them; then what found none."""
    homeless = []
    board = chart["board"]["spaces"]
    out: dict[str, list[str]] = {kind: [] for kind in SIZE}
    late: list[tuple[str, str, Town]] = []
    for space, fact in board.items():
        if not layout.is_shown(space):
            continue
        town = layout.towns[space]
        said, size, face = voice.space(space), SIZE[fact["kind"]], FACE[fact["kind"]]
        if town.strange:
            late.append((space, said, town))
            continue
        x, y = layout.beside_town(town, town.name)
        w = wide(said, size, face)
        left = {"start": x, "middle": x - w / 2, "end": x - w}[town.anchor]
        box = (left, y - size / 2, left + w, y + size / 2)
        if layout.enlarged and not room.free(box):
            late.append((space, said, town))
            continue
        room.occupy(box)
        out[fact["kind"]].append(text(x, y, said, size, face, anchor=town.anchor, grouped=True, more=f' data-name="{space}"'))
    for space, said, _ in late:
        kind = board[space]["kind"]
        size, face = SIZE[kind], FACE[kind]
        x, y = layout.at(space)
        w = wide(said, size, face)
        spot = next((box for box in beside(x, y, w, size, RADIUS[kind] + 2, 12, 5) if room.free(box)), None)
        if spot is None:
            homeless.append(space)
            continue
        room.occupy(spot)
        out[kind].append(text(spot[0], (spot[1] + spot[3]) / 2, said, size, face, grouped=True, more=f' data-name="{space}"'))
    return [alike(lettered(SIZE[kind], FACE[kind]), found) for kind, found in out.items() if found], homeless


def label_of(province: str, layout: Layout) -> tuple[float, float] | None:
    """Where its name belongs: in its shape, or below the first space of a Province that was added."""
    if province in layout.made["provinces"]:
        return layout.place(layout.made["provinces"][province]["name"])
    own = [layout.at(space) for space in layout.moved if layout.board["spaces"][space]["province"] == province]
    return (own[0][0], own[0][1] + 20) if own else None


def province_names(chart: Row, layout: Layout, voice: Voice, room: Room) -> tuple[list[str], list[str]]:
    """Name, VP, and the letter of who controls it."""
    control = chart["control"]["provinces"]
    named, worth = [], []
    for province, fact in chart["board"]["provinces"].items():
        home = label_of(province, layout)
        if home is None:
            continue
        x, y = home
        said, seat = voice.province(province).upper(), control.get(province, "")
        spread = wide(said, 13, "bold") + 1.6 * len(said)
        points = f"{voice.letter(seat)} {fact['vp']}" if seat else str(fact["vp"])
        pill = wide(points, 12, "bold") + 8
        w = spread + 3 + pill
        box = (x - w / 2, y - 8.5, x + w / 2, y + 8.5)
        if layout.enlarged or province not in layout.made["provinces"]:
            spots = ((box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy) for dy in range(0, 120, 12)
                     for dx in (0, 30, -30, 60, -60, 100, -100))
            spot = next((one for one in spots if room.free(one)), None)
            if spot is None or not (0 <= x <= layout.width and 0 <= y <= layout.height):
                continue
            box = spot
        room.occupy(box)
        x, y = box[0], (box[1] + box[3]) / 2
        named.append(text(x, y, said, 13, "bold", spread=1.6, grouped=True, more=f' data-name="{province}"'))
        worth.append(
            rect(x + spread + 2, y - 8, pill, 16, COLOUR[seat], f' rx="8" stroke="{INKED}" data-vp="{province}"')
            + text(x + spread + 2 + pill / 2, y, points, 12, "bold", grouped=True, fill=INK[seat])
        )
    return (
        [alike(lettered(13, "bold") + f' fill="{NAME}"', named)] if named else [],
        [alike(lettered(12, "bold", "middle"), worth)] if worth else [],
    )


def sea_names(layout: Layout, voice: Voice) -> Iterator[str]:
    if not layout.enlarged:
        for sea, (x, y) in layout.made["seas"].items():
            yield text(x, y, voice.say(f"sea.{sea}"), 17, "italic", anchor="middle", fill=SEA_NAME, more=f' data-sea="{sea}"')


__all__ = ["HALO", "SEA", "defs", "ground", "names", "paths", "province_names", "sea_names", "spaces", "symbol", "symbols",
           "town_box"]
