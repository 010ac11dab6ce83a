"""Pictures of the board, looked at from outside: what is read here is the finished SVG and nothing else.

No box of any layer covers another, nothing lies outside, and everything in the position is there exactly once, counted by
the marks of the picture against the position as data.
"""

import gzip
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from pbem.base import yamlfile
from pbem.base.paths import languages
from pbem.drawing.lettering import Face, wide
from pbem.drawing.picture import picture
from pbem.log import gamelog
from pbem.play.match import Match
from pbem.telling.chart import chart
from pbem.telling.words import Words

Row = Mapping[str, Any]
SVG = "{http://www.w3.org/2000/svg}"
SMALLEST = 11.0  # pixels of a letter, in a picture 1600 wide
TOUCH = 0.7  # so far two boxes may overlap and only touch
HEAVIEST, MOST = 150_000, 1500  # bytes and elements of a picture
PLACED = ("army", "royal", "fleet", "siege", "helepolis")


class Box(NamedTuple):
    what: str
    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: "Box") -> bool:
        return (
            self.left + TOUCH < other.right
            and other.left + TOUCH < self.right
            and self.top + TOUCH < other.bottom
            and other.top + TOUCH < self.bottom
        )

    def holds(self, other: "Box") -> bool:
        return (
            self.left - TOUCH <= other.left
            and other.right <= self.right + TOUCH
            and self.top - TOUCH <= other.top
            and other.bottom <= self.bottom + TOUCH
        )


# --- what the SVG shows ------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """The boxes of the map, those of the texts below it, what is marked, and the numbers of bundles and of what happened."""

    size: Box
    texts: list[Box]
    panels: list[Box]
    boxes: list[Box]
    below: list[Box]
    marks: Counter[str]
    bundles: Counter[str]
    listed: Counter[str]
    badges: Counter[str]
    told: Counter[str]
    letters: list[float]
    elements: int


def number(element: ElementTree.Element, name: str) -> float:
    return float(element.get(name, "0"))


HANDED_DOWN = ("font-size", "font-weight", "font-style", "text-anchor", "stroke", "stroke-width")


def hand_down(element: ElementTree.Element) -> None:
    """What a group says, all in it say."""
    said = {name: element.attrib[name] for name in HANDED_DOWN if name in element.attrib}
    for inner in element:
        inner.attrib.update({**said, **inner.attrib})
        hand_down(inner)


def text_box(element: ElementTree.Element, what: str = "") -> Box:
    """As wide as it says it is; its letters reach a little above and below their middle."""
    size = number(element, "font-size")
    said = "".join(element.itertext())
    face: Face = "bold" if element.get("font-weight") else "italic" if element.get("font-style") else "regular"
    length = float(element.get("textLength") or wide(said, size, face))
    left = number(element, "x") - {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")] * length
    middle = number(element, "y") - size * 0.35
    return Box(what or said, left, middle - size / 2, left + length, middle + size / 2)


def rect_box(element: ElementTree.Element, what: str) -> Box:
    line = float(element.get("stroke-width", "1")) / 2 if element.get("stroke") else 0
    left, top = number(element, "x"), number(element, "y")
    return Box(what, left - line, top - line, left + number(element, "width") + line, top + number(element, "height") + line)


def around(boxes: Sequence[Box], what: str) -> Box:
    return Box(
        what, min(b.left for b in boxes), min(b.top for b in boxes), max(b.right for b in boxes), max(b.bottom for b in boxes)
    )


def symbol_box(one: ElementTree.Element, what: str) -> Box:
    """The square, hexagon or circle of a town, or the circle of a number."""
    if one.tag == f"{SVG}rect":
        return rect_box(one, what)
    if one.tag == f"{SVG}circle":
        x, y, r = number(one, "cx"), number(one, "cy"), number(one, "r")
        return Box(what, x - r, y - r, x + r, y + r)
    points = [tuple(map(float, point.split(","))) for point in one.get("points", "").split()]
    return around([Box(what, x, y, x, y) for x, y in points], what)


def seen(svg: str, map_height: float) -> Seen:
    """Read a picture."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    size = Box("picture", 0, 0, width, height)
    out = Seen(size, [], [], [], [], Counter(), Counter(), Counter(), Counter(), Counter(), [], 0)
    count = 0
    hand_down(root)
    for one in root.iter():
        count += 1
        if "data-mark" in one.attrib:
            out.marks[one.get("data-mark", "")] += 1
        for name, numbers in (
            ("data-bundle", out.bundles),
            ("data-list", out.listed),
            ("data-number", out.badges),
            ("data-told", out.told),
        ):
            if name in one.attrib:
                numbers[one.get(name, "")] += 1
        mark = one.get("data-mark", "")
        kind = mark.partition(" ")[0]
        if one.tag == f"{SVG}text":
            out.letters.append(number(one, "font-size"))
            box = text_box(one)
            out.texts.append(box)
            if box.top > map_height:
                out.below.append(box)
            if "data-name" in one.attrib:
                out.boxes.append(box._replace(what=f"name {box.what}"))
        elif one.tag == f"{SVG}rect" and ("data-vp" in one.attrib or "data-panel" in one.attrib):
            out.boxes.append(rect_box(one, f"{one.get('data-vp', '')}{one.get('data-panel', '')}"))
            if "data-panel" in one.attrib:
                out.panels.append(out.boxes[-1])
        elif "data-number" in one.attrib:
            parts = [symbol_box(part, "") for part in one if part.tag != f"{SVG}text"]
            out.boxes.append(around(parts, f"number {one.get('data-number')}"))
        elif "data-head" in one.attrib:
            corners = [point.split() for point in one.get("d", "").strip("Mz").split("L")]
            out.boxes.append(around([Box("", float(x), float(y), float(x), float(y)) for x, y in corners],
                                    f"head {one.get('data-head')}"))
        elif kind == "space":
            out.boxes.append(symbol_box(one, mark))
        elif "data-bundle" in one.attrib or kind in PLACED:
            rects = [rect_box(part, mark) for part in one.iter(f"{SVG}rect")]
            if rects:  # a line of the list has none
                out.boxes.append(around(rects, mark or "bundle"))
                inner = [text_box(part) for part in one.iter(f"{SVG}text")]
                out.boxes.extend(
                    box._replace(what=f"{box.what} outside of {mark}") for box in inner if not out.boxes[-1].holds(box)
                )
    return out._replace(elements=count)


# --- what should be there ----------------------------------------------------------------------------------------


def wanted(position: Row) -> Iterator[str]:
    """A mark for everything in the position."""
    control = position["control"]
    for space in position["board"]["spaces"]:
        yield f"space {space} {control['spaces'].get(space, '-')}"
    for province in position["board"]["provinces"]:
        yield f"province {province} {control['provinces'].get(province, '-')}"
    for army in position["armies"]:
        yield f"army {army['seat']} {army['space']} {army['part']}"
    for royal in position["royals"]:
        yield f"royal {royal['royal']}"
    for siege in position["sieges"]:
        yield f"siege {siege['space']}"
    for fleet in position["fleets"]:
        if fleet["seat"] and not fleet["dispersed"]:
            yield f"fleet {fleet['fleet']}"
    for line in position["marks"]:
        if line["what"] in ("helepolis", "capitals"):
            yield f"{'capital' if line['what'] == 'capitals' else 'helepolis'} {line['facts']['space']}"
    for row in position["standings"]:
        yield f"standing {row['seat']}"
    yield "cards"
    for row in position["boxes"]["dispersed"]:
        yield f"dispersed {row['seat']}"
    for seat in dict.fromkeys(fleet["seat"] for fleet in position["fleets"] if fleet["dispersed"] or not fleet["seat"]):
        yield f"fleets {seat or '-'}"
    for box, mark in (("independents", "box independents"), ("royals", "box royals"), ("dead", "dead")):
        if position["boxes"][box]:
            yield mark


def wrong(svg: str, position: Row, map_height: float = 1120) -> list[str]:
    """What is not as it should be with a whole picture."""
    found = seen(svg, map_height)
    faults = [f"{one.what!r} lies outside" for one in (*found.boxes, *found.texts) if not found.size.holds(one)]
    for panel in found.panels:
        written = list(dict.fromkeys(one for one in found.texts if panel.covers(one)))  # a letter lies on its own rim
        faults += [f"{one.what!r} runs out of the {panel.what}" for one in written if not panel.holds(one)]
        faults += [f"{a.what!r} and {b.what!r} collide in the {panel.what}" for a, b in colliding(written)]
    faults += [f"{a.what!r} and {b.what!r} collide" for a, b in colliding(found.boxes)]
    faults += [f"{a.what!r} and {b.what!r} collide below" for a, b in colliding(found.below)]
    should = Counter(wanted(position))
    faults += [
        f"{mark} is there {found.marks[mark]} times, not {times}"
        for mark, times in should.items()
        if found.marks[mark] != times
    ]
    faults += [f"{mark} is nowhere in the position" for mark in found.marks if mark not in should]
    if found.bundles != found.listed or any(times > 1 for times in found.bundles.values()):
        faults.append(f"bundles {sorted(found.bundles)}, lists {sorted(found.listed)}")
    if any(times > 1 for times in (*found.told.values(), *found.badges.values())) or found.badges.keys() - found.told.keys():
        faults.append(f"numbers {sorted(found.badges)}, told {sorted(found.told)}")
    if len([box for box in found.boxes if box.what.startswith("name ")]) != len(position["board"]["spaces"]) + len(
        position["board"]["provinces"]
    ):
        faults.append("a name is missing")
    faults += [f"a text of {size} px" for size in found.letters if size < SMALLEST]
    return faults


def colliding(boxes: Sequence[Box]) -> Iterator[tuple[Box, Box]]:
    """Pairs of boxes that cover each other."""
    cells: dict[tuple[int, int], list[int]] = {}
    for place, box in enumerate(boxes):
        for x in range(int(box.left // 64), int(box.right // 64) + 1):
            for y in range(int(box.top // 64), int(box.bottom // 64) + 1):
                cells.setdefault((x, y), []).append(place)
    pairs = {pair for there in cells.values() for pair in combinations(there, 2)}
    for a, b in sorted(pairs):
        if boxes[a].covers(boxes[b]):
            yield boxes[a], boxes[b]


# --- many positions ----------------------------------------------------------------------------------------------


def positions(log: Path, count: int) -> Iterator[tuple[Match, dict[str, Any]]]:
    """So many positions of a kept game, from its first entry to its last, each with what changed since the one before."""
    entries = yamlfile.parse(gzip.decompress(log.read_bytes()).decode())
    header, lines = {key: value for key, value in entries.items() if key != "log"}, entries["log"]
    match = Match(header)
    standing = gamelog.survivors(lines)
    wanted_at = {standing[int((place + 1) * len(standing) / count) - 1] for place in range(min(count, len(standing)))}
    before = 1
    for place in standing:
        match.apply(lines[place], place + 1)
        if place in wanted_at:
            yield match, chart(match, None, title=str(header["game"]), head="0123456789abcdef" * 4, since=before)
            before = place + 2


def looked_at(log: Path, count: int) -> tuple[int, list[str]]:
    """Pictures of a kept game in all languages: how many, and what is wrong with them."""
    faults: list[str] = []
    done = 0
    for match, position in positions(log, count):
        language = languages()[done % len(languages())]
        words = Words(
            language, match.names, match.g.facts, people={seat: str(who.get("name") or "") for seat, who in match.seats.items()}
        )
        svg = picture(position, words)
        where = f"{log.name}, entry {position['entry']}, {language}"
        faults += [f"{where}: {fault}" for fault in wrong(svg, position)]
        if picture(position, words) != svg:
            faults.append(f"{where}: drawn again it is another picture")
        if len(svg.encode()) > HEAVIEST or seen(svg, 1120).elements > MOST:
            faults.append(f"{where}: {len(svg.encode())} bytes, {seen(svg, 1120).elements} elements")
        done += 1
    return done, faults
