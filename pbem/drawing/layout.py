"""Where everything lies on the picture: the layout as it was made by `scripts/make_layout.py`, for the board that is played.

A corrected board is drawn as corrected: what it lacks is not drawn, what it has in addition finds its place beside its
neighbours or by its coordinates. A focus is the same layout, enlarged around some spaces.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from math import dist
from typing import Any, NamedTuple

from pbem.base.paths import data_dir
from pbem.drawing.room import beside

RADIUS = {"major": 10.5, "minor": 8.0, "stronghold": 9.0, "transit": 4.0}
SIZE = {"major": 15.0, "minor": 12.5, "stronghold": 12.5, "transit": 11.0}
BUNDLE = (30.0, 17.0)
NEAR = 1.5  # how much larger than usual signs and letters are in an enlarged picture
NEAREST = 46.0  # so far an added space stays from all others
BESIDE = (84.0, 20.0)           # and so far, across or down, from every name
Point = tuple[float, float]


class Town(NamedTuple):
    """A space on the picture: where, and where its name and its bundle stand; `strange` is what the layout did not foresee."""

    at: Point
    anchor: str
    name: Point
    bundle: Point
    strange: bool


@cache
def made() -> dict[str, Any]:
    """The layout as the script wrote it."""
    read: dict[str, Any] = json.loads((data_dir() / "drawing/layout.json").read_bytes())
    return read


class Layout:
    """The layout of one board; `scale` and `origin` say which part of it the picture shows."""

    def __init__(self, board: Mapping[str, Any], focus: Collection[str] = ()) -> None:
        self.made = made()
        self.width, self.height = float(self.made["width"]), float(self.made["height"])
        self.board = board
        self.towns = self._settled()
        self.moved = [
            space
            for space, fact in board["spaces"].items()
            if fact["province"] != self.made["spaces"].get(space, {}).get("province")
        ]
        self.scale, self.origin = 1.0, (0.0, 0.0)
        self.enlarged = bool(focus)
        if focus:
            self._enlarge([self.towns[space].at for space in focus])

    def _settled(self) -> dict[str, Town]:
        known = self.made["spaces"]
        towns: dict[str, Town] = {}
        for space, fact in self.board["spaces"].items():
            if space in known:
                one = known[space]
                towns[space] = Town(
                    tuple(one["at"]), one["anchor"], tuple(one["name"]), tuple(one["bundle"]), fact["kind"] != one["kind"]
                )
        for space in self.board["spaces"]:
            if space not in towns:
                at = self._placed(space, towns)
                towns[space] = Town(at, "", at, at, True)
        return towns

    def _placed(self, space: str, towns: Mapping[str, Town]) -> Point:
        """An added space: by its coordinates among the nearest towns, else amid its neighbours; never upon another."""
        fact, spaces = self.board["spaces"][space], self.board["spaces"]
        if fact.get("lat") is not None:
            near = sorted((dist((fact["lat"], fact["lon"]), (spaces[one]["lat"], spaces[one]["lon"])), one) for one in towns)[
                :4
            ]
            weights = [1 / (far + 0.05) for far, _ in near]
            guesses = [
                (
                    towns[one].at[0] + (fact["lon"] - spaces[one]["lon"]) * 42,
                    towns[one].at[1] - (fact["lat"] - spaces[one]["lat"]) * 58,
                )
                for _, one in near
            ]
        else:
            ends = [b if a == space else a for a, b, _ in self.board["paths"] if space in (a, b)]
            guesses = [towns[one].at for one in ends if one in towns] or [(self.width / 2, self.height / 2)]
            weights = [1.0] * len(guesses)
        x = sum(one[0] * weight for one, weight in zip(guesses, weights, strict=True)) / sum(weights)
        y = sum(one[1] * weight for one, weight in zip(guesses, weights, strict=True)) / sum(weights)
        spots = [(x, y), *(((a + c) / 2, (b + d) / 2) for a, b, c, d in beside(x, y, 8, 8, 4, 24, 8))]
        labels = [tuple(shape["name"]) for shape in self.made["provinces"].values()] + [town.name for town in towns.values()]
        fits = [
            spot
            for spot in spots
            if 30 < spot[0] < self.width - 30
            and 30 < spot[1] < self.height - 30
            and all(dist(spot, town.at) >= NEAREST for town in towns.values())
            and all(abs(spot[0] - x) > BESIDE[0] or abs(spot[1] - y) > BESIDE[1] for x, y in labels)
        ]
        return fits[0]

    def _enlarge(self, points: Collection[Point]) -> None:
        left, right = min(x for x, _ in points) - 70, max(x for x, _ in points) + 70
        top, bottom = min(y for _, y in points) - 50, max(y for _, y in points) + 50
        scale = min(self.width / (right - left), self.height / (bottom - top), 4.0 * NEAR)
        near = min(NEAR, max(1.0, scale / 1.3))
        self.width, self.height, self.scale = self.width / near, self.height / near, scale / near
        wide, high = self.width / self.scale, self.height / self.scale
        x = min(max((left + right) / 2 - wide / 2, 0), self.made["width"] - wide)
        y = min(max((top + bottom) / 2 - high / 2, 0), self.made["height"] - high)
        self.origin = (x, y)

    def place(self, point: Iterable[float]) -> Point:
        """A point of the layout on the picture."""
        x, y = point
        return (x - self.origin[0]) * self.scale, (y - self.origin[1]) * self.scale

    def beside_town(self, town: Town, point: Point) -> Point:
        """What stands beside a town keeps its distance however the map is enlarged."""
        x, y = self.place(town.at)
        return x + point[0] - town.at[0], y + point[1] - town.at[1]

    def at(self, space: str) -> Point:
        return self.place(self.towns[space].at)

    def is_shown(self, space: str) -> bool:
        x, y = self.at(space)
        return 12 <= x <= self.width - 12 and 12 <= y <= self.height - 12

    def curve(self, a: str, b: str, kind: str) -> tuple[Point, Point, Point]:
        """A path from end to end over its control point."""
        bends = self.made["bends"]
        bend = bends.get(f"{a} {b} {kind}")
        if bend is None:
            bend = -bends.get(f"{b} {a} {kind}", 0)
        (x1, y1), (x2, y2) = self.at(a), self.at(b)
        return (x1, y1), ((x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend), (x2, y2)
