"""The layout of the drawn board: made once, the result is kept as pbem/data/drawing/layout.json.

    pip install -e . shapely numpy
    python scripts/make_layout.py

Towns and coast are first stretched by longitude and latitude, more where towns are dense. Then towns push each other
apart, and what they push flows: coast, rivers and towns move with the same smooth field in small steps, so that nothing
ever crosses a coast. What is left is geometry: Provinces around their towns, curves for paths, places for names.
Everything ends in whole or half pixels of a picture 1600 wide, with its sources named in the file.
"""

import json
import math
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from shapely import LineString, MultiPolygon, Point, Polygon, box, voronoi_polygons
from shapely.geometry import MultiPoint, shape
from shapely.ops import linemerge, nearest_points, polygonize, unary_union

from pbem.base.language import sentences
from pbem.components.catalogue import facts
from pbem.drawing.lettering import wide

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "pbem/data/drawing/layout.json"
WIDTH, HEIGHT = 1600, 1120
WEST, EAST, SOUTH, NORTH = 18.6, 55.6, 28.9, 45.1
LEFT, RIGHT, TOP, BOTTOM = 64, 84, 40, 60
APART = (84, 62)  # how far apart towns shall be, across and down
STEPS, REACH = 500, 46.0  # of the flow; how far a push is felt

# Where a town of the ancient map stands on today's coast: the island or the shore that it belongs to.
ON_ISLAND = {
    "chalkis": (23.75, 38.6),
    "kyklades": (25.45, 37.05),
    "rhodos": (28.1, 36.3),
    "lesbos": (26.3, 39.2),
    "byzantion": (28.7, 41.1),
    "chersonesos": (26.6, 40.45),
    "abydos": (26.5, 40.05),
    "astakos": (29.95, 40.65),
    "korinthos": (22.9, 37.85),
    "athenai": (23.75, 38.0),
}
INLAND = 0.09  # degrees that a town without port stays away from the coast
RIVERS = {
    "Istros": [
        (19.0, 45.2),
        (20.4, 44.85),
        (21.5, 44.7),
        (22.5, 44.6),
        (22.7, 44.1),
        (24.0, 43.75),
        (25.5, 43.7),
        (26.8, 44.1),
        (27.6, 44.35),
        (28.3, 44.9),
        (29.2, 45.0),
        (29.8, 44.9),
    ],
    "Neilos": [
        (32.7, 24.5),
        (32.8, 25.9),
        (31.8, 26.8),
        (31.1, 27.9),
        (30.85, 28.9),
        (31.25, 29.8),
        (31.2, 30.2),
        (30.9, 30.7),
        (30.4, 31.45),
    ],
    "Neilos ": [(31.2, 30.2), (31.5, 30.8), (31.85, 31.45)],
    "Euphrates": [
        (39.6, 39.7),
        (38.8, 38.9),
        (38.4, 38.2),
        (38.4, 37.4),
        (38.0, 36.7),
        (38.3, 35.95),
        (39.4, 35.55),
        (40.3, 34.9),
        (41.5, 34.3),
        (42.8, 33.6),
        (43.9, 33.2),
        (44.35, 32.5),
        (45.2, 31.6),
        (46.4, 31.0),
        (47.6, 30.9),
        (48.3, 30.1),
        (48.7, 29.9),
    ],
    "Tigris": [
        (39.9, 38.4),
        (40.2, 37.9),
        (41.2, 37.7),
        (42.3, 37.1),
        (43.1, 36.4),
        (43.4, 35.5),
        (43.9, 34.6),
        (44.5, 33.6),
        (45.4, 32.7),
        (46.8, 32.0),
        (47.4, 31.0),
    ],
    "Halys": [(38.0, 39.8), (36.5, 39.3), (35.2, 38.8), (34.0, 39.2), (33.4, 40.1), (34.3, 40.9), (35.5, 41.2), (35.9, 41.75)],
    "Araxes": [(41.3, 39.9), (43.6, 40.1), (45.0, 39.4), (46.6, 38.9), (48.0, 39.6), (49.2, 39.4)],
}
# Where the names of the seas stand.
SEAS = {"pontos": (34.2, 43.6), "aigaion": (26.1, 36.5), "mesogeios": (25.6, 33.9)}
LANGUAGES = ("en", "de", "it", "ru")


# --- where things are on earth -----------------------------------------------------------------------------------


def earth(board):
    """Land as it is, and every town on it: ports on their coast, others a little away from it."""
    land = unary_union([shape(f["geometry"]).buffer(0) for f in json.loads((HERE / "coastline.json").read_text())["features"]])
    parts = list(land.geoms)
    inner = land.buffer(-INLAND)
    towns = {}
    for name, space in board.spaces.items():
        here = Point(space["lon"], space["lat"])
        if name in ON_ISLAND:
            there = Point(*ON_ISLAND[name])
            part = min(parts, key=lambda one: one.distance(there))
            here = here if part.contains(here) else nearest_points(part, here)[0]
            if name == "kyklades":
                here = part.representative_point()
        if space["port"] and name != "kyklades":
            part = min((one for one in parts if one.area > 0.01), key=lambda one: one.distance(here))
            coast = nearest_points(part.boundary, here)[0]
            core = part.buffer(-0.05)
            here = nearest_points(core, coast)[0] if not core.is_empty else part.representative_point()
        elif not space["port"] and not inner.contains(here):
            here = nearest_points(inner, here)[0]
        towns[name] = (here.x, here.y)
    return land, towns


def stretch(values, low, high, size, power):
    """A coordinate by how many towns lie beside it."""
    n, broad = 800, 1.5
    grid = [
        (0.33 + sum(math.exp(-(((v - p) / broad) ** 2) / 2) for v in values) / len(values) * (high - low) / (broad * 2.5))
        ** power
        for p in (low + (high - low) * (i + 0.5) / n for i in range(n))
    ]
    total = np.concatenate([[0.0], np.cumsum(grid)])

    def at(v):
        u = (v - low) / (high - low) * n
        if u <= 0:
            return u * grid[0] / total[-1] * size
        if u >= n:
            return size + (u - n) * grid[-1] / total[-1] * size
        i = int(u)
        return (total[i] + (u - i) * grid[i]) / total[-1] * size

    return at


def flow(towns, carried):
    """Towns push each other apart; all that is carried moves with them, in small smooth steps."""
    at = np.array(list(towns.values()))
    base = at.copy()
    scale = np.array(APART)
    for _ in range(STEPS):
        gap = at[None, :, :] - at[:, None, :]
        far = np.sqrt(((gap / scale) ** 2).sum(-1)) + np.eye(len(at)) * 9
        push = np.where(far < 1, (1 - far), 0)[..., None] * gap / (np.sqrt((gap**2).sum(-1)) + 1e-6)[..., None]
        force = -push.sum(1) * 9.0 + (base - at) * 0.004
        edge = np.array([[LEFT, TOP], [WIDTH - RIGHT, HEIGHT - BOTTOM]])
        force += np.clip(edge[0] - at, 0, None) * 0.3 - np.clip(at - edge[1], 0, None) * 0.3

        def field(points, at=at, force=force):
            out = np.zeros_like(points)
            for start in range(0, len(points), 4000):
                some = points[start : start + 4000]
                weight = np.exp(-((some[:, None, :] - at[None, :, :]) ** 2).sum(-1) / (2 * REACH**2))
                out[start : start + 4000] = weight @ force / (weight.sum(1) + 0.15)[:, None]
            return out

        pull = field(at)
        size = np.abs(pull).max()
        by = min(1.0, 1.6 / size) if size else 1
        # what is near a town moves as the town does: else friends would be smeared over each other
        carried = [points + by * field(points) for points in carried]
        at = at + by * pull
    return dict(zip(towns, map(tuple, at), strict=True)), carried


def dense(ring, step):
    line = LineString(ring)
    return np.array(line.segmentize(step).coords)


# --- the parts of the layout -------------------------------------------------------------------------------------


def drawn_land(rings, towns, board):
    """The coast in pixels; a town never stands in the sea that its own symbol would hide."""
    polygons = [Polygon(ring).buffer(0) for ring in rings]
    land = unary_union([p for p in polygons if not p.is_empty]).intersection(box(-12, -12, WIDTH + 12, HEIGHT + 12))
    land = land.buffer(1.1).buffer(-1.1)
    parts = [p for p in (land.geoms if isinstance(land, MultiPolygon) else [land]) if p.area > 26]
    land = unary_union([p.simplify(0.75) for p in parts]).buffer(0)
    moved = {}
    for name, (x, y) in towns.items():
        here, port = Point(x, y), board.spaces[name]["port"]
        core = land.buffer(-2 if port else -7)
        if not core.contains(here):
            here = nearest_points(core, here)[0]
        elif port and land.boundary.distance(here) > 7:
            coast = nearest_points(land.boundary, here)[0]
            far = land.boundary.distance(here)
            here = Point(coast.x + (here.x - coast.x) * 5 / far, coast.y + (here.y - coast.y) * 5 / far)
        moved[name] = (round(here.x * 2) / 2, round(here.y * 2) / 2)
    return land, moved


def provinces(towns, board, paths):
    """33 shapes around their towns and the paths between those, no farther than an army would care."""
    points, owner = [], []
    for name, (x, y) in towns.items():
        points.append((x, y))
        owner.append(board.spaces[name]["province"])
    for a, b, kind in paths:
        if kind in ("land", "mountain", "strait") and board.spaces[a]["province"] == board.spaces[b]["province"]:
            for part in (0.2, 0.35, 0.5, 0.65, 0.8):
                points.append(
                    (towns[a][0] + (towns[b][0] - towns[a][0]) * part, towns[a][1] + (towns[b][1] - towns[a][1]) * part)
                )
                owner.append(board.spaces[a]["province"])
    frame = box(-40, -40, WIDTH + 40, HEIGHT + 40)
    near = unary_union([Point(p).buffer(104) for p in points]).buffer(40).buffer(-62).intersection(frame)
    cells = voronoi_polygons(MultiPoint(points), extend_to=frame)
    of = {}
    for cell in cells.geoms:
        inside = [owner[i] for i, p in enumerate(points) if cell.covers(Point(p))]
        if inside:
            of.setdefault(inside[0], []).append(cell)
    areas = {p: unary_union(cells).intersection(near) for p, cells in of.items()}
    lines = linemerge(unary_union([area.boundary for area in areas.values()]))
    smooth = [chaikin(line) for line in (lines.geoms if hasattr(lines, "geoms") else [lines])]
    faces = list(polygonize(unary_union(smooth)))
    out = {}
    for province, area in areas.items():
        own = [face for face in faces if area.contains(face.representative_point())]
        whole = unary_union(own).buffer(-1.6, join_style="mitre")
        whole = max(whole.geoms, key=lambda one: one.area) if isinstance(whole, MultiPolygon) else whole
        out[province] = Polygon(whole.exterior).simplify(0.9)
    return out


def chaikin(line, rounds=3):
    """A line with its corners cut, its ends where they were."""
    points = list(line.simplify(7).coords)
    closed = points[0] == points[-1]
    for _ in range(rounds):
        cut = [] if closed else [points[0]]
        for (ax, ay), (bx, by) in zip(points, points[1:], strict=False):
            cut += [(ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25), (ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75)]
        points = [*cut, cut[0]] if closed else [*cut, points[-1]]
    return LineString(points)


def curve(a, b, bend):
    """The control point of a bent path."""
    (x1, y1), (x2, y2) = a, b
    return (x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend


def along(a, c, b, n=24):
    return LineString(
        [
            (
                (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * c[0] + t * t * b[0],
                (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * c[1] + t * t * b[1],
            )
            for t in (i / n for i in range(n + 1))
        ]
    )


def bends(towns, paths, land):
    """How far each path bends aside: away from foreign towns, and at sea away from land and from each other."""
    chosen, drawn = [], []
    inner = land.buffer(-3)
    order = sorted(
        range(len(paths)), key=lambda i: (paths[i][2] in ("sea", "trans"), math.dist(towns[paths[i][0]], towns[paths[i][1]]))
    )
    result = [0.0] * len(paths)
    for i in order:
        a, b, kind = paths[i]
        at_sea = kind in ("sea", "trans")
        best = None
        for bend in (
            (0, 0.1, -0.1, 0.18, -0.18, 0.28, -0.28, 0.4, -0.4, 0.55, -0.55)
            if at_sea
            else (0, 0.07, -0.07, 0.14, -0.14, 0.22, -0.22)
        ):
            if any({a, b} == {p, q} and abs(bend - r) < 0.1 for (p, q, _), r in chosen):
                continue
            line = along(towns[a], curve(towns[a], towns[b], bend), towns[b])
            cost = abs(bend) * (40 if at_sea else 90)
            for name, (x, y) in towns.items():
                if name not in (a, b):
                    far = line.distance(Point(x, y))
                    cost += max(0, 17 - far) * 6
            if at_sea:
                cost += line.intersection(inner).length * 1.3
            cost += sum(28 for other, ends in drawn if not {a, b} & ends and line.crosses(other))
            x0, y0, x1, y1 = line.bounds
            cost += 400 * (x0 < 4 or y0 < 4 or x1 > WIDTH - 4 or y1 > HEIGHT - 4)
            if best is None or cost < best[0]:
                best = (cost, bend, line)
        result[i] = best[1]
        chosen.append(((a, b, kind), best[1]))
        drawn.append((best[2], {a, b}))
    return result


# --- names -------------------------------------------------------------------------------------------------------


def spellings(kind, name, plain):
    """How wide a name may be: in any language, in any edition."""
    out = [plain]
    for language in LANGUAGES:
        found = sentences(language, "terms").get("name", {}).get(kind, {}).get(name)
        if found:
            out.append(str(found))
    import yaml

    for edition in yaml.safe_load((OUT.parent / "names.yaml").read_text()).values():
        if name in edition.get(kind, {}):
            out.append(edition[kind][name])
    return out


SIZES = {"major": 15, "minor": 12.5, "stronghold": 12.5, "transit": 11}
RADII = {"major": 10.5, "minor": 8, "stronghold": 9, "transit": 4}
FACE = {"major": "bold", "minor": "regular", "stronghold": "regular", "transit": "italic"}
BUNDLE = (30, 17)


def name_spots(x, y, kind, w, h):
    """Where a name may stand beside its town: an anchor, its place, its box."""
    r = RADII[kind] + 2.5
    spots = []
    for ring, more in enumerate((0, 5, 11)):
        for anchor, dx, dy in (
            ("start", r, 0),
            ("end", -r, 0),
            ("middle", 0, -r - h / 2),
            ("middle", 0, r + h / 2),
            ("start", r * 0.6, -r * 0.75 - 3),
            ("start", r * 0.6, r * 0.75 + 3),
            ("end", -r * 0.6, -r * 0.75 - 3),
            ("end", -r * 0.6, r * 0.75 + 3),
        ):
            k = 1 if not dx else math.copysign(1, dx)
            ax = x + dx + (k * more if dx else 0)
            ay = y + dy + math.copysign(more, dy) * (dy != 0)
            left = {"start": ax, "end": ax - w, "middle": ax - w / 2}[anchor]
            spots.append((ring * 7 + (0 if dy == 0 else 2), anchor, ax, ay, (left, ay - h / 2, left + w, ay + h / 2)))
    return spots


def bundle_spots(x, y, kind):
    w, h = BUNDLE
    spots = []
    for ring in range(4):
        r = RADII[kind] + 3 + ring * 7
        for n in range(16):
            angle = n / 16 * 2 * math.pi
            cx, cy = x + math.cos(angle) * (r + w / 2), y + math.sin(angle) * (r + h / 2)
            spots.append((ring * 5 + 1, "bundle", cx, cy, (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)))
    return spots


def province_spots(area, w, h, land):
    """Inside the Province, where there is room."""
    x0, y0, x1, y1 = area.bounds
    middle = area.representative_point()
    spots = []
    inside = area.intersection(land)
    for gx in np.arange(max(x0, 4), min(x1, WIDTH - w - 4), 7):
        for gy in np.arange(max(y0, 4), min(y1, HEIGHT - h - 4), 5):
            spot = box(gx, gy, gx + w, gy + h)
            part = area.intersection(spot).area / spot.area
            if part > 0.5:
                wet = 1 - inside.intersection(spot).area / spot.area
                spots.append(
                    (
                        (1 - part) * 60 + wet * 14 + spot.centroid.distance(middle) * 0.05,
                        "middle",
                        gx + w / 2,
                        gy + h / 2,
                        (gx, gy, gx + w, gy + h),
                    )
                )
    spots.sort()
    return spots[:160]


def clash(a, b, pad=1.0):
    return a[0] < b[2] + pad and b[0] < a[2] + pad and a[1] < b[3] + pad and b[1] < a[3] + pad


def over(a, b):
    return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))


def arrange(items, fixed, lines, rounds=60):
    """Each thing on one of its spots so that none covers another: again and again the best for each."""
    rng = np.random.default_rng(1)
    own_cost = []
    for _, spots in items:
        costs = []
        for cost, _, _, _, b in spots:
            if b[0] < 3 or b[1] < 3 or b[2] > WIDTH - 3 or b[3] > HEIGHT - 3:
                cost += 5000
            cost += sum(900 + over(b, f) for f in fixed if clash(b, f))
            spot = box(*b)
            cost += sum(line.intersection(spot).length for line in lines.query_near(spot)) * 0.16
            costs.append(cost)
        own_cost.append(costs)
    at = [int(np.argmin(costs)) for costs in own_cost]
    near = []
    reach = [
        (min(s[4][0] for s in spots), min(s[4][1] for s in spots), max(s[4][2] for s in spots), max(s[4][3] for s in spots))
        for _, spots in items
    ]
    for i in range(len(items)):
        near.append([j for j in range(len(items)) if j != i and clash(reach[i], reach[j])])
    for _ in range(rounds):
        changed = False
        for i in rng.permutation(len(items)):
            spots = items[i][1]
            others = [items[j][1][at[j]][4] for j in near[i]]
            best = min(
                range(len(spots)),
                key=lambda k: own_cost[i][k] + sum(700 + over(spots[k][4], o) * 3 for o in others if clash(spots[k][4], o)),
            )
            if best != at[i]:
                at[i], changed = best, True
        if not changed:
            break
    left = [
        (items[i][0], items[j][0])
        for i in range(len(items))
        for j in near[i]
        if i < j and clash(items[i][1][at[i]][4], items[j][1][at[j]][4], 0)
    ]
    stuck = [items[i][0] for i in range(len(items)) if own_cost[i][at[i]] >= 900]
    return at, left, stuck


class Lines:
    def __init__(self, lines):
        from shapely import STRtree

        self.lines, self.tree = lines, STRtree(lines)

    def query_near(self, spot):
        return [self.lines[i] for i in self.tree.query(spot)]


# --- all together ------------------------------------------------------------------------------------------------


def rounded(points):
    return [[round(float(x) * 2) / 2, round(float(y) * 2) / 2] for x, y in points]


def path_of(polygon):
    """A shape as the path of an SVG, in steps from point to point."""
    out = []
    for ring in (polygon.exterior, *polygon.interiors):
        points = [(round(x), round(y)) for x, y in ring.coords]
        px, py = points[0]
        text, steps = f"M{px} {py}l", []
        for x, y in points[1:-1]:
            if (x, y) != (px, py):
                steps.append(f"{x - px} {y - py}")
                px, py = x, y
        out.append(text + " ".join(steps).replace(" -", "-") + "z")
    return "".join(out)


def main():
    board = facts()
    land, geo = earth(board)
    lons, lats = [p[0] for p in geo.values()], [p[1] for p in geo.values()]
    fx = stretch(lons, WEST, EAST, WIDTH - LEFT - RIGHT, 0.78)
    fy = stretch(lats, SOUTH, NORTH, HEIGHT - TOP - BOTTOM, 0.62)

    def project(points):
        return np.array([(LEFT + fx(lon), HEIGHT - BOTTOM - fy(lat)) for lon, lat in points])

    rings = [project(dense(part.exterior.coords, 0.12)) for part in land.geoms]
    rivers = [project(dense(points, 0.2)) for points in RIVERS.values()]
    labels = [project([point]) for point in SEAS.values()]
    towns = {name: tuple(project([point])[0]) for name, point in geo.items()}
    towns, carried = flow(towns, [*rings, *rivers, *labels])
    rings, rest = carried[: len(rings)], carried[len(rings) :]
    rivers, labels = rest[: len(rivers)], rest[len(rivers) :]
    land, towns = drawn_land(rings, towns, board)
    areas = provinces(towns, board, board.paths)
    bent = bends(towns, board.paths, land)
    lines = Lines(
        [along(towns[a], curve(towns[a], towns[b], bend), towns[b]) for (a, b, _), bend in zip(board.paths, bent, strict=True)]
    )
    fixed = [
        (x - RADII[k] - 1, y - RADII[k] - 1, x + RADII[k] + 1, y + RADII[k] + 1)
        for (x, y), k in ((at, board.spaces[name]["kind"]) for name, at in towns.items())
    ]
    panels = json.loads((HERE / "panels.json").read_text())
    fixed += [tuple(one) for one in panels.values()]
    for sea, places in zip(SEAS, labels, strict=True):
        w = max(wide(sentences(language, "drawing")["sea"][sea], 17, "italic") for language in LANGUAGES) / 2 + 3
        fixed.append((places[0][0] - w, places[0][1] - 11, places[0][0] + w, places[0][1] + 11))
    items = []
    for name, (x, y) in towns.items():
        kind = board.spaces[name]["kind"]
        w = max(wide(text, SIZES[kind], FACE[kind]) for text in spellings("space", name, board.spaces[name]["name"])) + 2
        items.append((("name", name), name_spots(x, y, kind, w, SIZES[kind] * 1.02)))
    for name, (x, y) in towns.items():
        items.append((("bundle", name), bundle_spots(x, y, board.spaces[name]["kind"])))
    for name, area in areas.items():
        w = (
            max(
                wide(text.upper(), 13, "bold") + 1.6 * len(text)
                for text in spellings("province", name, board.provinces[name]["name"])
            )
            + 36
        )
        spots = province_spots(area, w, 17, land)
        items.append((("province", name), spots))
    at, left, stuck = arrange(items, fixed, lines)
    chosen = {what: spots[k] for (what, spots), k in zip(items, at, strict=True)}
    print("overlaps:", left, "stuck:", stuck)
    wet = [name for name, p in towns.items() if not land.contains(Point(p))]
    far = [name for name, p in towns.items() if board.spaces[name]["port"] and land.boundary.distance(Point(p)) > 10]
    gaps = sorted((round(math.dist(towns[a], towns[b])), a, b) for a, b in combinations(towns, 2))[:8]
    print("in the sea:", wet, "ports off the coast:", far, "nearest:", gaps)
    parts = sorted(land.geoms, key=lambda one: -one.area)
    layout = {
        "format": 1,
        "src": {
            "coast": "scripts/coastline.json: Natural Earth 4.1, 1:10m land, public domain, taken from world-atlas 2.0.2 (ISC)",
            "rivers": "reconstructed: drawn by hand in scripts/make_layout.py",
            "towns": "pbem/data/board.yaml: lat and lon, all reconstructed",
            "made": "python scripts/make_layout.py",
        },
        "width": WIDTH,
        "height": HEIGHT,
        "panels": panels,
        "land": "".join(path_of(part) for part in parts),
        "rivers": [
            "M" + " ".join(f"{round(x)} {round(y)}" for x, y in chaikin(LineString(points), 2).simplify(0.7).coords)
            for points in rivers
        ],
        "seas": {name: rounded(points)[0] for name, points in zip(SEAS, labels, strict=True)},
        "provinces": {
            name: {"shape": path_of(area), "name": rounded([chosen["province", name][2:4]])[0]} for name, area in areas.items()
        },
        "spaces": {
            name: {
                "at": rounded([p])[0],
                "kind": board.spaces[name]["kind"],
                "province": board.spaces[name]["province"],
                "anchor": chosen["name", name][1],
                "name": rounded([chosen["name", name][2:4]])[0],
                "bundle": rounded([chosen["bundle", name][2:4]])[0],
            }
            for name, p in towns.items()
        },
        "bends": {f"{a} {b} {kind}": bend for (a, b, kind), bend in zip(board.paths, bent, strict=True) if bend},
    }
    OUT.write_text(
        json.dumps(layout, ensure_ascii=False, indent=None, separators=(",", ":")).replace('},"', '},\n"') + "\n", "utf-8"
    )
    print(OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    sys.exit(main())
