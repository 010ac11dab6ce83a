"""The board as a picture: the position as data becomes SVG. The same position gives the same bytes.

One collision pass for everything, in the order of importance: towns, their names, Provinces, panels, heads of arrows,
sieges, armies, the Royal Family, Fleets, numbers. Nothing is left out: what finds no room beside its space stands in the
list below the map, under the number of a bundle that always has room.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from pbem.drawing import ground, happened, margin, pieces
from pbem.drawing.layout import BUNDLE, RADIUS, Layout
from pbem.drawing.palette import COLOUR, INKED
from pbem.drawing.pieces import Piece
from pbem.drawing.room import Box, Room, beside
from pbem.drawing.svg import FAMILY, alike, lettered, n, path, quoted
from pbem.drawing.voice import Voice
from pbem.telling.words import Words

Row = Mapping[str, Any]
MOST = 4  # pieces that stand beside a space; more are a bundle


class Layers(NamedTuple):
    """The picture in the order in which it is painted; what found no place on it stands in `bundles` and `homeless`."""

    ground: str
    arrows: str
    signs: str
    towns: str
    names: str
    worth: str
    pieces: str
    numbers: str
    panels: str
    told: list[happened.Told]
    bundles: list[tuple[int, str, list[Piece]]]
    homeless: list[str]


def picture(chart: Row, words: Words, *, focus: Collection[str] = (), plain: bool = False, described: str = "") -> str:
    """The whole picture. `focus` are the spaces to enlarge; `plain` is the map without panels and lists of what happened."""
    voice = Voice(words, chart["edition"])
    layout = Layout(chart["board"], focus)
    told = [] if plain else happened.happenings(chart["changes"], voice)
    made = layers(chart, layout, voice, told, panelled=not plain and not focus)
    strip, height = margin.strip(
        chart, layout, voice, made.bundles, told, made.homeless, whole=not plain, panelled=bool(made.panels)
    )
    w, whole = n(layout.width), n(layout.made["width"])
    h, high = n(layout.height + height), n((layout.height + height) * layout.made["width"] / layout.width)
    title = described or voice.words.tell("drawing", "map_title", {"title": chart["title"]})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{whole}" height="{high}" '
        f'font-family="{FAMILY}" fill="{INKED}" stroke-linejoin="round" role="img" data-format="1">'
        f"<title>{quoted(chart['title'])}</title><desc>{quoted(title)}</desc>{''.join(made[:9])}{strip}</svg>\n"
    )


def layers(chart: Row, layout: Layout, voice: Voice, told: list[happened.Told], *, panelled: bool) -> Layers:
    """Everything on the board, where it covers nothing else."""
    room = Room(layout.width, layout.height)
    marks = {line["facts"]["space"]: line["facts"]["seat"] for line in chart["marks"] if line["what"] == "capitals"}
    shown = [space for space in chart["board"]["spaces"] if layout.is_shown(space)]
    for space in shown:
        room.occupy(ground.town_box(layout, space, chart["board"]["spaces"][space]["kind"]))
    panels = list(margin.panels(chart, layout, voice, marks)) if panelled else []
    for _, box in panels:
        room.occupy(box)
    labels, homeless = ground.names(chart, layout, voice, room)
    named, worth = ground.province_names(chart, layout, voice, room)
    wanted: dict[int, list[tuple[float, float]]] = {}
    groups = {space: group for space, group in by_space(chart, voice).items() if space in layout.towns and space in shown}
    kept = {space: room.occupy(slot(layout, space, room)) for space in groups}
    arrows = "".join(happened.arrows(told, layout, room, wanted))
    signs = "".join(happened.signs(told, layout, wanted))
    placed, leaders, bundles = settle(chart, layout, room, groups, kept)
    numbers = alike(lettered(11, "bold", "middle"), happened.numbers(told, wanted, room))
    seats = [*(one["seat"] for one in chart["seats"]), "independent"]
    lying = [ground.defs(seats, layout.scale), *ground.ground(chart, layout), *ground.sea_names(layout, voice),
             *ground.paths(layout)]
    standing = [ground.ports(chart, layout),
                *(path(way, "none", f' stroke="{ink}" stroke-width="1.6"') for ink, way in leaders.items()),
                *ground.spaces(chart, layout, voice, marks)]
    halo = f'<g stroke="{ground.HALO}" stroke-width="3.2" paint-order="stroke">'
    return Layers("".join(lying), arrows, signs, "".join(standing), "".join([halo, *labels, *named, "</g>"]), "".join(worth),
                  "".join(placed), numbers, "".join(drawn for drawn, _ in panels), told, bundles, homeless)


def by_space(chart: Row, voice: Voice) -> dict[str, list[Piece]]:
    """What wants to stand beside each space, the most important first."""
    found: dict[str, list[Piece]] = {}
    for row in chart["sieges"]:
        found.setdefault(row["space"], []).append(pieces.siege(row, voice))
    for line in chart["marks"]:
        if line["what"] == "helepolis":
            found.setdefault(line["facts"]["space"], []).append(
                pieces.helepolis(line["facts"]["space"], line["facts"]["seat"], voice)
            )
    for row in chart["armies"]:
        found.setdefault(row["space"], []).append(pieces.army(row, voice))
    for row in chart["royals"]:
        found.setdefault(row["space"], []).append(pieces.royal(row, voice))
    for row in chart["fleets"]:
        if row["seat"] and not row["dispersed"]:
            found.setdefault(home(row, chart), []).append(pieces.fleet(row, voice))
    return found


def home(fleet: Row, chart: Row) -> str:
    """Beside which space a Fleet is drawn: its Major City, or the first port of its Province."""
    spaces = chart["board"]["spaces"]
    if fleet["place"] in spaces:
        return str(fleet["place"])
    own: list[str] = [space for space, fact in spaces.items() if fact["province"] == fleet["place"]]
    ports = [space for space in own if spaces[space]["port"]]
    return next((space for space in ports if spaces[space]["kind"] == "major"), next(iter([*ports, *own]), ""))


def settle(
    chart: Row, layout: Layout, room: Room, groups: Mapping[str, list[Piece]], kept: Mapping[str, Box]
) -> tuple[list[str], dict[str, str], list[tuple[int, str, list[Piece]]]]:
    """Every piece beside its space, or in a bundle: what is painted, the lines that lead to it by their ink, the bundles."""
    placed: list[str] = []
    leaders: dict[str, str] = {}
    bundles: list[tuple[int, str, list[Piece]]] = []
    for space in sorted(groups, key=lambda one: (len(groups[one]), list(layout.towns).index(one))):
        room.leave(kept[space])
        kind = chart["board"]["spaces"][space]["kind"]
        found = places(groups[space], layout, space, kind, room) if len(groups[space]) <= MOST else None
        if found is None:
            room.occupy(kept[space])
            bundles.append((0, space, groups[space]))
            continue
        x, y = layout.at(space)
        for piece, box in zip(groups[space], found, strict=True):
            placed.append(piece.paint(box))
            near = min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])
            ink = COLOUR[piece.seat] if piece.seat else INKED
            leaders[ink] = leaders.get(ink, "") + f"M{n(x)} {n(y)}L{n(near[0])} {n(near[1])}"
    order = {space: rank for rank, space in enumerate(layout.towns)}
    numbered = [
        (number, space, group) for number, (_, space, group) in enumerate(sorted(bundles, key=lambda one: order[one[1]]), 1)
    ]
    for number, space, _ in numbered:
        placed.append(pieces.bundle(number)(kept[space]))
    return placed, leaders, numbered


def slot(layout: Layout, space: str, room: Room) -> Box:
    """Where the bundle of a space stands: the layout has kept a place for it."""
    town, (w, h) = layout.towns[space], BUNDLE
    x, y = layout.beside_town(town, town.bundle)
    box = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    if town.strange or layout.enlarged:
        at = layout.at(space)
        return next((one for one in (box, *beside(*at, w, h, 12, 30, 6)) if room.free(one)), box)
    return box


def places(group: list[Piece], layout: Layout, space: str, kind: str, room: Room) -> list[Box] | None:
    """A box for each piece, or none if one of them finds no room."""
    x, y = layout.at(space)
    found: list[Box] = []
    for piece in group:
        spot = next((box for box in beside(x, y, piece.width, piece.height, RADIUS[kind] + 3) if room.free(box)), None)
        if spot is None:
            for box in found:
                room.leave(box)
            return None
        found.append(room.occupy(spot))
    return found
