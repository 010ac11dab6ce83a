"""The pieces as they are drawn: how large each is, and its SVG once it has found its place.

Every piece carries `data-mark`, the one thing of the position that it stands for.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pbem.drawing.lettering import wide
from pbem.drawing.palette import COLOUR, INK, INKED, MARK, OPEN_SEA, PAPER, ROYAL
from pbem.drawing.room import Box
from pbem.drawing.svg import n, path, quoted, rect, text
from pbem.drawing.voice import Voice

Row = Mapping[str, Any]
STRIP = 14.0  # the seat's letter, beside what it leads


class Piece(NamedTuple):
    """What wants a place beside its space: what it stands for, its size, what it says in a list, and how it is painted."""

    mark: str
    seat: str
    width: float
    height: float
    line: str
    paint: Callable[[Box], str]


def army_mark(army: Row) -> str:
    return f"army {army['seat']} {army['space']} {army['part']}"


def marked(mark: str, inside: str, said: str = "") -> str:
    """One thing of the position; whoever points at it reads it in words."""
    title = f"<title>{quoted(said)}</title>" if said else ""
    return f'<g data-mark="{quoted(mark)}">{title}{inside}</g>'


def army(one: Row, voice: Voice) -> Piece:
    """A stack: whose, its total and commander, below them its kinds; walls around it inside a city, waves below it at sea."""
    seat, letter = one["seat"], voice.letter(one["seat"])
    kinds = voice.kinds(one["cus"])
    names = [voice.general(general) for general in one["generals"]]
    lead = f"{names[0]}{f' +{len(names) - 1}' if len(names) > 1 else ''}" if names else ""
    if names and one["total"]:
        rows = [(f"{one['total']} {lead}", 12.5), (kinds, 11.5)]
    elif names:
        rows = [(lead, 12.5)]
    else:
        rows = [(kinds if len(one["cus"]) == 1 else f"{one['total']}: {kinds}", 12.5)]
    frame = 3.0 if one["part"] == "inside" else 0.5
    wave = 4.0 if one["part"] == "sea" else 0.0
    inner = STRIP + 3 + max(wide(said, size, "bold" if row == 0 else "regular") for row, (said, size) in enumerate(rows)) + 4
    high = 16.0 + 13.0 * (len(rows) - 1)
    mark, line = army_mark(one), f"{letter} {voice.army(one)}"

    def paint(box: Box) -> str:
        x, y, w = box[0] + frame, box[1] + frame, inner
        out = []
        if one["part"] == "inside":
            out.append(
                rect(
                    x - 1.2,
                    y - 1.2,
                    w + 2.4,
                    high + 2.4,
                    "none",
                    f' stroke="{INKED}" stroke-width="3.4" stroke-dasharray="5 2"',
                )
            )
        if not one["total"]:
            out.append(rect(x, y, w, high, COLOUR[seat], f' rx="8" stroke="{INKED}"'))
        else:
            out.append(rect(x, y, w, high, COLOUR[seat], f' rx="2" stroke="{PAPER if one["part"] == "inside" else INKED}"'))
        out.append(rect(x + 2, y + 2, STRIP - 2, high - 4, PAPER, ' rx="2"' if one["total"] else ' rx="6"'))
        out.append(text(x + STRIP / 2 + 1, y + high / 2, letter, 11.5, "bold", anchor="middle"))
        for row, (said, size) in enumerate(rows):
            out.append(text(x + STRIP + 3, y + 8 + 13 * row, said, size, "bold" if row == 0 else "regular", fill=INK[seat]))
        if wave:
            d = f"M{n(x)} {n(y + high + 3)}q3-4 6 0" + "t6 0" * int(w / 6 - 1)
            out.append(path(d, "none", f' stroke="{COLOUR["blue"]}" stroke-width="1.6"'))
        return marked(mark, "".join(out), line)

    return Piece(mark, seat, inner + 2 * frame, high + 2 * frame + wave, line, paint)


CROWN = "M0 8V2l2.5 3L5 0l2.5 5L10 2v6z"
WHEEL = "M5 0a5 5 0 1 1 0 10a5 5 0 1 1 0-10M5 0v10M0 5h10M1.5 1.5l7 7M8.5 1.5l-7 7"
STONE = "M1 10V5a4 4 0 0 1 8 0v5z"
SHIP = "M0 6h12l-2 4H2zM5.5 6V0l4.5 4.5z"
TOWER = "M1 11V2h2v2h2V2h2v2h2V2h2v9z"
RAM = "M0 4h9l3 2-3 2H0z"


def glyph(d: str, x: float, y: float, fill: str, stroke: str = "") -> str:
    line = f' stroke="{stroke}"' if stroke else ""
    return path(d, fill, f' transform="translate({n(x)} {n(y)})"{line}')


def tag(mark: str, seat: str, sign: str, hollow: bool, said: str, ink: str, line: str, letter: str) -> Piece:
    """A small white label with a sign: the Royal Family, Fleets, Sieges."""
    lead = STRIP if letter else 2.0
    width = lead + 15 + wide(said, 12, "bold") + 4

    def paint(box: Box) -> str:
        x, y = box[0] + 0.5, box[1] + 0.5
        out = [rect(x, y, width, 16, PAPER, f' rx="3" stroke="{ink}" stroke-width="1.3"')]
        if letter:
            out.append(rect(x + 1.5, y + 1.5, STRIP - 2, 13, COLOUR[seat], ' rx="2"'))
            out.append(text(x + STRIP / 2 + 0.5, y + 8, letter, 11, "bold", anchor="middle", fill=INK[seat]))
        out.append(glyph(sign, x + lead + 1.5, y + 3, "none" if hollow else ink, ink if hollow else ""))
        out.append(text(x + lead + 15, y + 8, said, 12, "bold", fill=ink))
        return marked(mark, "".join(out), line)

    return Piece(mark, seat, width + 1, 17, line, paint)


def royal(one: Row, voice: Voice) -> Piece:
    name, seat = voice.royal(one["royal"]), one["seat"]
    sign, hollow = {"cart": (WHEEL, True), "tomb": (STONE, False)}.get(one["royal"], (CROWN, False))
    letter = voice.letter(seat) if seat else ""
    return tag(f"royal {one['royal']}", seat, sign, hollow, name, ROYAL, f"{letter} {name}".strip(), letter)


def siege(one: Row, voice: Voice) -> Piece:
    """Siege Points so far and needed, with the letter of whose they are."""
    seat = one["points_of"] or next(iter(one["by"]), "")
    said = f"{one['points']}/{one['needed']}"
    letter = voice.letter(seat) if seat else ""
    line = voice.say("siege_line" if one["by"] else "siege_waits", **one)
    return tag(f"siege {one['space']}", seat, RAM, False, said, INKED, line, letter)


def helepolis(space: str, seat: str, voice: Voice) -> Piece:
    letter = voice.letter(seat) if seat else ""
    name = voice.say("helepolis")
    return tag(f"helepolis {space}", seat, TOWER, False, name, INKED, f"{letter} {name}".strip(), letter)


def fleet(one: Row, voice: Voice) -> Piece:
    letter = voice.letter(one["seat"])
    said = f"{one['strength']}{'+' if one['upgraded'] else ''}"
    name = str(voice.words.fleet(one["fleet"]))
    return tag(f"fleet {one['fleet']}", one["seat"], SHIP, False, said, OPEN_SEA, f"{letter} {name} {said}", letter)


def bundle(number: int) -> Callable[[Box], str]:
    """What points at the list beside the map."""

    def paint(box: Box) -> str:
        x, y = box[0], box[1]
        return (
            f'<g data-bundle="{number}">'
            + rect(x + 3, y + 0.5, 26, 14, "#fff", f' rx="2" stroke="{INKED}"')
            + rect(x + 1, y + 2.5, 26, 14, INKED, ' rx="2"')
            + text(x + 14, y + 9.5, str(number), 12.5, "bold", anchor="middle", fill="#fff")
            + "</g>"
        )

    return paint


def badge_size(number: int, carried: str) -> tuple[float, float]:
    """Of the number of something that happened, with what it carries beside it."""
    round_ = 18.0 if number < 100 else 22.0
    return round_ + (wide(carried, 11, "bold") + 5 if carried else 0), round_


def badge(number: int, box: Box, carried: str, seat: str) -> str:
    """The number in a circle; beside it CUs or points in the colour of whose they are, or dice. All are grouped."""
    r = (box[3] - box[1]) / 2 - 1
    x, y = box[0] + r + 1, (box[1] + box[3]) / 2
    flag = "" if not carried else (
        rect(x, y - 7, box[2] - x - 0.5, 14, COLOUR[seat], f' rx="3" stroke="{INKED}"')
        + text((x + r + box[2]) / 2, y, carried, 11, "bold", grouped=True, fill=INK[seat])
    )
    return (
        f'<g data-number="{number}">{flag}<circle cx="{n(x)}" cy="{n(y)}" r="{n(r)}" fill="{PAPER}" stroke="{MARK}" '
        'stroke-width="1.6"/>'
        + text(x, y, str(number), 11, "bold", grouped=True, fill=MARK)
        + "</g>"
    )
