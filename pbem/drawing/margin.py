"""What stands beside the map: whose move it is, standings, boxes and cards, the legend; below it what had no room on it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.drawing import pieces
from pbem.drawing.ground import LINES, symbol, symbols
from pbem.drawing.happened import Told
from pbem.drawing.layout import Layout
from pbem.drawing.lettering import Face, cut, wide
from pbem.drawing.palette import COLOUR, DOT, FAINT, INK, INKED, MARK, PAPER
from pbem.drawing.room import Box
from pbem.drawing.svg import alike, lettered, n, path, quoted, rect, text
from pbem.drawing.voice import Voice

if TYPE_CHECKING:
    from pbem.drawing.pieces import Piece

Row = Mapping[str, Any]
Block = list[tuple[str, float, Face, str]]  # lines that stay together: text, indent, face, what it stands for
LINE = 16.0
SIZE = 12.5
COLUMN = 380.0  # pixels, at least


def wrapped(said: str, room: float, size: float = SIZE, face: Face = "regular") -> list[str]:
    """Lines that fit; a word that is longer than a line is cut into pieces."""
    lines, now = [], ""
    for word in said.split():
        longer = f"{now} {word}".strip()
        if wide(longer, size, face) <= room:
            now = longer
            continue
        if now:
            lines.append(now)
        while wide(word, size, face) > room:
            fits = next(k for k in range(len(word), 0, -1) if k == 1 or wide(word[:k], size, face) <= room)
            lines.append(word[:fits])
            word = word[fits:]
        now = word
    return [*lines, now] if now else lines


# --- the panels in the empty parts of the map ----------------------------------------------------------------------


def panels(chart: Row, layout: Layout, voice: Voice, capitals: Mapping[str, str]) -> Iterator[tuple[str, Box]]:
    yield state(chart, layout.made["panels"]["title"], voice)
    yield legend(chart, layout.made["panels"]["legend"], voice)


def heading(chart: Row, voice: Voice) -> str:
    """Where the game stands in the sequence of play."""
    if chart["over"]:
        return voice.say("over")
    return voice.say(
        "turn" if chart["phase"] == "strategy" else "phase",
        **{name: chart[name] for name in ("turn", "round", "player", "segment", "phase")},
    )


def notes(chart: Row, voice: Voice) -> Iterator[tuple[str, str]]:
    """What lies beside the map: a mark and a line for each."""
    cards = chart["cards"]
    yield (
        "cards",
        voice.say(
            "face_down" if cards["face_down"] else "cards",
            deck=cards["deck"],
            discards=len(cards["discards"]),
            face_down=cards["face_down"],
        ),
    )
    for row in chart["boxes"]["dispersed"]:
        what = ", ".join(filter(None, [*(voice.general(one) for one in row["generals"]), voice.kinds(row["cus"])]))
        yield f"dispersed {row['seat']}", voice.say("dispersed", seat=row["seat"], what=what)
    for seat in [one["seat"] for one in chart["seats"]]:
        away = [one["fleet"] for one in chart["fleets"] if one["dispersed"] and one["seat"] == seat]
        if away:
            yield f"fleets {seat}", voice.say("dispersed_fleets", seat=seat, fleets=away)
    free = [one["fleet"] for one in chart["fleets"] if not one["seat"]]
    if free:
        yield "fleets -", voice.say("box_fleets", fleets=free)
    if chart["boxes"]["independents"]:
        yield "box independents", voice.say("box_independents", generals=chart["boxes"]["independents"])
    if chart["boxes"]["royals"]:
        yield "box royals", voice.say("box_royals", royals=chart["boxes"]["royals"])
    if chart["boxes"]["dead"]:
        yield "dead", voice.say("dead", names=", ".join(dead(one, voice) for one in chart["boxes"]["dead"]))


def dead(name: str, voice: Voice) -> str:
    return voice.royal(name) if name in voice.words.facts.royals else voice.general(name)


def state(chart: Row, box: Sequence[float], voice: Voice) -> tuple[str, Box]:
    """Whose move it is, L and VP, cards and boxes; and the head of the log, so that a lone picture proves itself."""
    x, y, right = box[0] + 10, box[1], box[2] - 10
    room = right - x
    out: list[str] = []
    y += 16
    for row in wrapped(chart["title"], room, 17, "bold")[:2]:
        out.append(text(x, y, row, 17, "bold"))
        y += 20
    for row in wrapped(heading(chart, voice), room, 13, "bold"):
        out.append(text(x, y, row, 13, "bold"))
        y += LINE
    for row in wrapped(voice.say("proof", entry=chart["entry"], head=chart["head"][:32]), room, 11):
        out.append(text(x, y, row, 11, fill=FAINT))
        y += LINE
    y += 4
    names = [voice.say("head_L"), voice.say("head_VP"), voice.say("head_cards")]
    for name, at in zip(names, (right - 92, right - 52, right), strict=True):
        out.append(text(at, y, name, 11.5, "bold", anchor="end", fill=FAINT))
    y += LINE
    people = {one["seat"]: one["name"] for one in chart["seats"]}
    for row in chart["standings"]:
        seat = row["seat"]
        mark = voice.say("usurper") if row["usurper"] else voice.say("champion") if row["champion"] else ""
        rest = wide(mark, 11, "italic") + 8 if mark else 0
        name = cut(people.get(seat) or voice.say("seat", seat=seat), right - 120 - x - 20 - rest, 13, "bold")
        line = [
            rect(x, y - 7.5, 15, 15, COLOUR[seat], f' rx="3" stroke="{INKED}"'),
            text(x + 7.5, y, voice.letter(seat), 11.5, "bold", anchor="middle", fill=INK[seat]),
            text(x + 20, y, name, 13, "bold"),
            text(x + 24 + wide(name, 13, "bold"), y, mark, 11, "italic"),
        ]
        line += [
            text(at, y, str(row[what]), 13, "bold", anchor="end")
            for what, at in (("L", right - 92), ("VP", right - 52), ("hand", right))
        ]
        out.append(f'<g data-mark="standing {seat}">{"".join(line)}</g>')
        y += LINE + 3
    y += 3
    for mark, said in notes(chart, voice):
        lines = wrapped(said, room, 11.5)
        out.append(
            f'<g data-mark="{quoted(mark)}">'
            + "".join(text(x, y + number * 14, line, 11.5) for number, line in enumerate(lines))
            + "</g>"
        )
        y += 14 * len(lines) + 2
    whole = (box[0], box[1], box[2], y)
    return rect(
        box[0], box[1], box[2] - box[0], y - box[1], PAPER, f' rx="6" stroke="{INKED}" fill-opacity=".93" data-panel="state"'
    ) + "".join(out), whole


def legend(chart: Row, box: Sequence[float], voice: Voice) -> tuple[str, Box]:
    """The signs of the map, with an example of each."""
    left, top, right, _ = box
    out: list[str] = [text(left + 10, top + 13, voice.say("legend"), 13, "bold")]
    x, y = left + 10, top + 32
    half = (right - left - 20) * 0.45
    for kind in ("major", "minor", "stronghold", "transit"):
        out.append(symbols([symbol(kind, x + 11, y, "#fff" if kind != "transit" else DOT)]))
        out.append(text(x + 28, y, cut(voice.say(f"kind.{kind}"), half - 34, 12), 12))
        y += 21
    for kind in ("land", "mountain", "strait", "sea", "trans"):
        d = f"M{n(x)} {n(y)}h24"
        out += [
            path(d, "none", f' stroke="{ink}" stroke-width="{width}"' + (f' stroke-dasharray="{dash}"' if dash else ""))
            for ink, width, dash in LINES[kind]
        ]
        out.append(text(x + 28, y, cut(voice.say(f"path.{kind}"), half - 34, 12), 12))
        y += 17
    bottom = y
    x, y = left + 12 + half, top + 32
    half = (right - left - 20) * 0.55
    seats = [one["seat"] for one in chart["seats"]]
    for number, seat in enumerate([*seats, "independent"]):
        cx = x + number * 24
        out.append(rect(cx, y - 22, 20, 15, f"url(#h-{seat})", f' stroke="{COLOUR[seat]}" stroke-width="2"'))
        out.append(
            text(
                cx + 10,
                y - 14.5,
                voice.letter(seat),
                11,
                "bold",
                anchor="middle",
                more=' stroke="#fff" stroke-width="2.4" stroke-opacity=".8"',
            )
            + text(cx + 10, y - 14.5, voice.letter(seat), 11, "bold", anchor="middle")
        )
    sample = {"seat": seats[0], "space": "", "part": "outside", "generals": [], "cus": {"mercenary": 2}, "total": 2}
    rows = [({**sample, "part": "inside"}, "inside"), ({**sample, "part": "sea"}, "at_sea")]
    y += 8
    for army, said in rows:
        piece = pieces.army(army, voice)
        out.append(unmarked(piece, (x, y - piece.height / 2)))
        out.append(text(x + 46, y, cut(voice.say(said), half - 50, 12), 12))
        y += 24
    letters = voice.table["cu"]
    for line in wrapped(", ".join(f"{letters[kind]} {voice.words.term(kind, 'cu')}" for kind in letters), half - 6, 11.5):
        out.append(text(x, y - 2, line, 11.5))
        y += 13.5
    y += 5
    for sign, hollow, said in (
        (pieces.RAM, False, "siege_sign"),
        (pieces.SHIP, False, "fleet_sign"),
        (pieces.CROWN, False, "royal_sign"),
    ):
        out.append(pieces.glyph(sign, x + 2, y - 5, "none" if hollow else INKED))
        out.append(text(x + 22, y, cut(voice.say(said), half - 28, 12), 12))
        y += 16
    out.append(rect(x, y - 7, 18, 13, INKED, ' rx="2"') + text(x + 9, y, "1", 11, "bold", anchor="middle", fill="#fff"))
    out.append(text(x + 22, y, cut(voice.say("bundle_sign"), half - 28, 12), 12))
    bottom = max(bottom, y + 12)
    whole = (left, top, right, bottom)
    return rect(
        left, top, right - left, bottom - top, PAPER, f' rx="6" stroke="{INKED}" fill-opacity=".93" data-panel="legend"'
    ) + "".join(out), whole


def unmarked(piece: "Piece", at: tuple[float, float]) -> str:
    """A piece as an example, which stands for nothing in the position."""
    drawn = piece.paint((at[0], at[1], at[0] + piece.width, at[1] + piece.height))
    return "<g>" + drawn.partition("</title>")[2]


# --- the list below ------------------------------------------------------------------------------------------------


def strip(
    chart: Row,
    layout: Layout,
    voice: Voice,
    bundles: Iterable[tuple[int, str, "list[Piece]"]],
    told: Iterable[Told],
    homeless: Iterable[str],
    *,
    whole: bool,
    panelled: bool,
) -> tuple[str, float]:
    """Below the map, in columns: who stands in each bundle, what happened, and in an enlarged picture whose move it is."""
    many = int(layout.width // COLUMN)
    width = (layout.width - 20) / many
    rows: list[Block] = []

    def block(lead: str, lines: Iterable[tuple[str, str]], badge: str = "") -> None:
        made: Block = []
        for number, part in enumerate(wrapped(lead, width - 44, SIZE, "bold")):
            made.append((part, 26, "bold", badge if number == 0 else ""))
        for said, mark in lines:
            for number, part in enumerate(wrapped(said, width - 50)):
                made.append((part, 32, "regular", f"mark {mark}" if number == 0 else "more"))
        rows.append(made)

    if whole and not panelled:
        block(
            f"{chart['title']}: {heading(chart, voice)}",
            [
                (f"{voice.letter(row['seat'])} {voice.say('one_score', **row)}", f"standing {row['seat']}")
                for row in chart["standings"]
            ],
        )
        block(
            voice.say("proof", entry=chart["entry"], head=chart["head"][:32]),
            [(said, mark) for mark, said in notes(chart, voice)],
        )
    for space in homeless:
        block(voice.space(space), [])
    for number, space, pile in bundles:
        block(voice.space(space), [(piece.line, piece.mark) for piece in pile], f"bundle {number}")
    for one in told:
        lines = wrapped(one.line, width - 44)
        rows.append(
            [(part, 26, "regular", f"told {one.number}" if number == 0 else "more") for number, part in enumerate(lines)]
        )
    if not rows:
        return "", 0
    return columns(rows, layout, width, many)


def columns(rows: Sequence[Block], layout: Layout, width: float, many: int) -> tuple[str, float]:
    """Blocks from top to bottom, in columns of much the same height; no block is torn."""
    deep = max(-(-sum(map(len, rows)) // many), *map(len, rows))
    while len(filled(rows, deep)) > many:
        deep += 1
    below = rect(0, layout.height, layout.width, deep * LINE + 20, PAPER)
    out, numbers = list[str](), list[str]()
    for column, lines in enumerate(filled(rows, deep)):
        for number, (said, indent, face, what) in enumerate(lines):
            x, y = 10 + column * width, layout.height + 18 + number * LINE
            kind, _, rest = what.partition(" ")
            drawn = text(
                x + indent,
                y,
                said,
                SIZE,
                face,
                grouped=face == "regular",
                more=f' data-{kind}="{quoted(rest)}"' if kind in ("mark", "told") else "",
            )
            if kind == "bundle":
                out.append(
                    rect(x, y - 7.5, 22, 15, INKED, f' rx="2" data-list="{rest}"')
                    + text(x + 11, y, rest, 12, "bold", anchor="middle", fill="#fff")
                    + drawn
                )
            else:
                if kind == "told":
                    numbers.append(text(x + 20, y, f"{rest}.", 12, "bold", grouped=True))
                out.append(drawn)
    listed = alike(lettered(12, "bold", "end") + f' fill="{MARK}"', numbers) if numbers else ""
    return below + alike(lettered(SIZE), out) + listed, deep * LINE + 20


def filled(rows: Sequence[Block], deep: int) -> list[Block]:
    """Columns of at most so many lines."""
    out: list[Block] = [[]]
    for block in rows:
        if len(out[-1]) + len(block) > deep and out[-1]:
            out.append([])
        out[-1] = [*out[-1], *block]
    return out
