"""Where there is still room: boxes of everything drawn so far, and the first spot of several that covers none of them."""

from collections.abc import Iterable
from math import cos, pi, sin

Box = tuple[float, float, float, float]
CELL = 48


class Room:
    """All layers in one: what was taken first stays where it is."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.cells: dict[tuple[int, int], list[Box]] = {}

    def _cells(self, box: Box) -> Iterable[tuple[int, int]]:
        x0, y0, x1, y1 = (int(edge // CELL) for edge in box)
        return [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]

    def occupy(self, box: Box) -> Box:
        for cell in self._cells(box):
            self.cells.setdefault(cell, []).append(box)
        return box

    def leave(self, box: Box) -> None:
        for cell in self._cells(box):
            self.cells[cell].remove(box)

    def free(self, box: Box) -> bool:
        """Inside of the picture, and nothing else there."""
        x0, y0, x1, y1 = box
        if x0 < 2 or y0 < 2 or x1 > self.width - 2 or y1 > self.height - 2:
            return False
        return not any(
            x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for cell in self._cells(box) for b in self.cells.get(cell, ())
        )


def centred(x: float, y: float, w: float, h: float) -> Box:
    return x - w / 2, y - h / 2, x + w / 2, y + h / 2


# East, west, below and above before the corners; near before far.
TURNS = [turn / 16 * 2 * pi for turn in (0, 8, 4, 12, 1, 15, 7, 9, 2, 14, 6, 10, 3, 5, 11, 13)]
ROUND = [(cos(turn), sin(turn)) for turn in TURNS]


def beside(x: float, y: float, w: float, h: float, gap: float, rings: int = 6, step: float = 8) -> Iterable[Box]:
    """Boxes of this size around a point, the nearest first."""
    for ring in range(rings):
        reach = gap + ring * step
        for dx, dy in ROUND:
            yield centred(x + dx * (reach + w / 2), y + dy * (reach + h / 2), w, h)
