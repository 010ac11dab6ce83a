"""The layout: towns on land, ports on their coast, Provinces as shapes; and a corrected board without the layout script."""

import re
from math import dist, hypot
from typing import Any

import pytest

from pbem.components.board import board
from pbem.components.catalogue import facts
from pbem.drawing.layout import NEAREST, Layout, made
from pbem.editions import USUAL, ruleset
from pbem.table.state import Game
from pbem.telling.chart import printed as board_of

STEP = re.compile(r"-?\d+")
Point = tuple[float, float]


def rings(d: str) -> list[list[Point]]:
    """The rings of a path in relative steps."""
    out = []
    for part in d.split("M")[1:]:
        start, steps = part.rstrip("z").split("l")
        x, y = map(int, STEP.findall(start))
        ring = [(float(x), float(y))]
        numbers = list(map(int, STEP.findall(steps)))
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            ring.append((float(x), float(y)))
        out.append(ring)
    return out


LAND = rings(made()["land"])


def inside(point: Point, shapes: list[list[Point]]) -> bool:
    """By the number of edges that a ray to the right crosses."""
    x, y = point
    crossed = 0
    for ring in shapes:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                crossed += 1
    return crossed % 2 == 1


def to_coast(point: Point) -> float:
    """How far it is to the nearest edge of any land."""
    x, y = point
    best = 1e9
    for ring in LAND:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            length = (x2 - x1) ** 2 + (y2 - y1) ** 2
            t = max(0, min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length)) if length else 0
            best = min(best, hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1)))
    return best


SPACES = facts().spaces


def test_the_layout_is_of_the_shipped_board() -> None:
    found = made()
    assert {name: (one["kind"], one["province"]) for name, one in found["spaces"].items()} == {
        name: (one["kind"], one["province"]) for name, one in SPACES.items()
    }
    assert sorted(found["provinces"]) == sorted(facts().provinces) and len(found["provinces"]) == 33
    assert set(found["src"]) == {"coast", "rivers", "towns", "made"}


@pytest.mark.parametrize("space", SPACES)
def test_towns_stand_on_land_and_ports_at_its_coast(space: str) -> None:
    at = tuple(made()["spaces"][space]["at"])
    assert inside(at, LAND)  # type: ignore[arg-type]
    if SPACES[space]["port"]:
        assert to_coast(at) <= 10  # type: ignore[arg-type]


@pytest.mark.parametrize("space", SPACES)
def test_a_town_stands_in_the_shape_of_its_province(space: str) -> None:
    shape = made()["provinces"][SPACES[space]["province"]]["shape"]
    assert inside(tuple(made()["spaces"][space]["at"]), rings(shape))  # type: ignore[arg-type]


def test_towns_keep_their_distance() -> None:
    spots = [one["at"] for one in made()["spaces"].values()]
    assert min(dist(a, b) for i, a in enumerate(spots) for b in spots[:i]) > 50


# --- corrected boards --------------------------------------------------------------------------------------------


def printed(*corrections: dict[str, Any]) -> dict[str, Any]:
    """The board as data, as it stands in a game with these corrections."""
    mended = facts(corrections)
    return board_of(Game(mended, board(mended), ruleset(USUAL), ("red", "blue")))


def test_a_space_that_was_removed_has_no_place() -> None:
    assert "megalopolis" not in Layout(printed({"datum": "spaces.megalopolis", "value": None})).towns


@pytest.mark.parametrize("where", [{"lat": 39.55, "lon": 32.0}, {}])
def test_an_added_space_stands_by_its_coordinates_or_by_its_neighbours(where: dict[str, float]) -> None:
    more = printed({"datum": "spaces.ankyra", "value": {"name": "Ankyra", "kind": "minor", "province": "phrygia", **where}},
                   {"datum": "paths.ankyra-gordion", "value": "land"}, {"datum": "paths.ankyra-mazaka", "value": "land"})
    assert (more["spaces"]["ankyra"]["lat"] is None) == (not where)
    layout = Layout(more)
    spot = layout.at("ankyra")
    assert all(dist(spot, town.at) >= NEAREST for name, town in layout.towns.items() if name != "ankyra")
    assert dist(spot, layout.at("gordion")) < 160
    assert layout.towns["ankyra"].strange and layout.moved == ["ankyra"]


def test_a_corrected_path_is_drawn_in_its_kind() -> None:
    changed = printed({"datum": "paths.pella-larisa", "value": "mountain"})
    assert [kind for a, b, kind in changed["paths"] if {a, b} == {"pella", "larisa"}] == ["mountain"]
    start, _, end = Layout(changed).curve("pella", "larisa", "mountain")
    assert (start, end) == (tuple(made()["spaces"]["pella"]["at"]), tuple(made()["spaces"]["larisa"]["at"]))


def test_a_focus_is_the_same_layout_enlarged() -> None:
    near = Layout(printed(), ["sardeis", "pergamon", "ephesos"])
    whole = Layout(printed())
    assert near.scale > 1.5
    assert dist(near.at("sardeis"), near.at("pergamon")) == pytest.approx(
        near.scale * dist(whole.at("sardeis"), whole.at("pergamon"))
    )
    assert near.is_shown("sardeis") and not near.is_shown("persepolis")
