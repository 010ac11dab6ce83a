"""How VP and L went over the game: a line for each seat, each with its own pattern and its letter at the end."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.drawing.palette import COLOUR, GRID, INK, INKED, PAPER
from pbem.drawing.svg import FAMILY, n, path, quoted, rect, text
from pbem.drawing.voice import Voice
from pbem.telling.words import Words

WIDTH, HIGH, LEFT, TOP, GAP = 900.0, 250.0, 60.0, 56.0, 66.0
DASHES = ("", "10 4", "3 4", "12 4 3 4", "6 3")
Row = Mapping[str, Any]


def plot(course: Sequence[Row], title: str, seats: Sequence[str], words: Words) -> str:
    """Two charts, one above the other: Victory Points and Legitimacy after every player turn."""
    voice = Voice(words, "")
    height = TOP + 2 * HIGH + GAP + 60
    head = voice.say("plot_title", title=title)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n(WIDTH)} {n(height)}" width="{n(WIDTH)}" height="{n(height)}" '
        f'font-family="{FAMILY}" fill="{INKED}" role="img"><title>{quoted(head)}</title>',
        rect(0, 0, WIDTH, height, PAPER),
        text(LEFT, 24, head, 17, "bold"),
    ]
    for number, what in enumerate(("VP", "L")):
        out += panel(course, seats, what, voice, TOP + number * (HIGH + GAP))
    for number, seat in enumerate(seats):
        x, y = LEFT + number * 160, height - 16
        out.append(path(f"M{n(x)} {n(y)}h34", "none", stroke(seat, number)))
        out.append(text(x + 40, y, voice.say("seat", seat=seat), 13))
    return "".join([*out, "</svg>\n"])


def stroke(seat: str, number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    return (
        f' stroke="{COLOUR[seat]}" stroke-width="3"'
        + (f' stroke-dasharray="{dash}"' if dash else "")
        + ' stroke-linejoin="round"'
    )


def corners(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Without those in the midst of a level stretch."""
    return [point for before, point, behind in zip([None, *points], points, [*points[1:], None], strict=False)
            if before is None or behind is None or not before[1] == point[1] == behind[1]]


def panel(course: Sequence[Row], seats: Sequence[str], what: str, voice: Voice, top: float) -> Iterable[str]:
    values = [row["seats"][seat][what] for row in course for seat in seats] or [0]
    low, high = min(0, *values), max(10, *values)
    right = WIDTH - 50
    step = (right - LEFT) / max(1, len(course) - 1)

    def y_of(value: float) -> float:
        return float(top + HIGH - (value - low) / (high - low) * HIGH)

    yield text(LEFT, top - 12, voice.say("plot_points" if what == "VP" else "plot_legitimacy"), 13, "bold")
    for value in range(low - low % 5, high + 1, 5):
        if value >= low:
            yield path(f"M{n(LEFT)} {n(y_of(value))}H{n(right)}", "none", f' stroke="{GRID}"')
            yield text(LEFT - 8, y_of(value), str(value), 12, anchor="end")
    before = None
    for place, row in enumerate(course):
        if row["turn"] != before:
            before = row["turn"]
            x = LEFT + place * step
            yield path(f"M{n(x)} {n(top)}v{n(HIGH)}", "none", f' stroke="{GRID}" stroke-dasharray="2 3"')
            yield text(x + 3, top + HIGH + 12, voice.say("plot_turn", turn=row["turn"]), 12)
    ends: list[float] = []
    for number, seat in enumerate(seats):
        points = [(LEFT + place * step, y_of(row["seats"][seat][what])) for place, row in enumerate(course)]
        if not points:
            continue
        line = "L".join(f"{n(x)} {n(y)}" for x, y in corners(points))
        if seat == "yellow":  # too light for paper
            yield path(f"M{line}", "none", stroke(seat, number).replace(COLOUR[seat], INKED).replace('"3"', '"4.4"'))
        yield path(f"M{line}", "none", stroke(seat, number) + f' data-line="{what} {seat}"')
        y = points[-1][1]
        while any(abs(y - other) < 15 for other in ends):
            y -= 3
        ends.append(y)
        yield rect(right + 8, y - 7, 15, 14, COLOUR[seat], f' rx="3" stroke="{INKED}"')
        yield text(right + 15.5, y, voice.letter(seat), 11, "bold", anchor="middle", fill=INK[seat])
