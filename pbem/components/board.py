"""The map, built once from the facts: spaces, provinces, paths and distances. Nothing here changes in play.

Everything speaks of spaces by id; inside, outside and at sea are matters of the position. Rule numbers are
those of the 4th edition.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from copy import copy
from functools import lru_cache
from heapq import heappop, heappush

from pbem.components.catalogue import Facts

LAND = ("land", "mountain", "strait")
SEA = ("sea", "trans")
PLACING = (*LAND, "sea")
ALL = (*LAND, *SEA)

MOST_PATHS = 32

Path = tuple[str, ...]


class Board:
    """2. What is printed on the map: spaces, provinces, and the ways from one space to another."""

    def __init__(self, facts: Facts) -> None:
        spaces = facts.spaces
        self.spaces: Path = tuple(spaces)
        self.provinces: Path = tuple(facts.provinces)
        self.regions: Path = tuple(facts.regions)
        self.COST: dict[str, int] = dict(facts.tables["path_costs"])
        self.hellespont: Path = tuple(s for s in spaces if spaces[s]["hellespont"])
        self.pontos: Path = tuple(s for s in spaces if spaces[s]["pontos"])
        self.treasure_cities: Path = tuple(s for s in spaces if spaces[s]["treasure"])
        self.major_cities: Path = tuple(s for s in spaces if spaces[s]["kind"] == "major")
        self._kind: dict[str, str] = {s: x["kind"] for s, x in spaces.items()}
        self._port = frozenset(s for s, x in spaces.items() if x["port"])
        self._siege_mod: dict[str, int] = {s: x["siege_modifier"] for s, x in spaces.items()}
        self._independent = {s: frozenset(x["independent"]) for s, x in spaces.items()}
        self._lat_lon: dict[str, tuple[float, float]] = {s: (x["lat"], x["lon"]) for s, x in spaces.items()}
        self.cities = frozenset(self.major_cities)
        self.index: dict[str, int] = {s: i for i, s in enumerate(spaces)}
        self.locations = frozenset(f"{space}{part}" for space in spaces for part in ("", "/inside", "/sea"))
        self._parts: dict[str, Path] = {s: (s, f"{s}/inside") if s in self.major_cities else (s,) for s in spaces}
        self._join(facts.paths)
        self._settle_provinces(facts)
        self._reach: dict[tuple[str, int], frozenset[str]] = {}
        self._marches: dict[tuple[str, int], Path] = {}
        self._ways: dict[tuple[str, Path, int], tuple[Path, ...]] = {}

    def with_capitals(self, spaces: Iterable[str]) -> "Board":
        """16.1 The same map with Capitals on it: Minor Cities that are Major Cities as long as they last."""
        founded = tuple(space for space in self.spaces if space in set(spaces))
        board = copy(self)
        board._kind = {**self._kind, **dict.fromkeys(founded, "major")}
        board.major_cities = (*self.major_cities, *founded)
        board.cities = frozenset(board.major_cities)
        board._parts = {**self._parts, **{space: (space, f"{space}/inside") for space in founded}}
        board._cities = {**self._cities}
        for space in founded:
            board._cities[self._province[space]] = (*board._cities.get(self._province[space], ()), space)
        return board

    def _join(self, paths: Iterable[tuple[str, str, str]]) -> None:
        """Every path from both of its ends, in the order of the spaces: no list ever changes its order."""
        self._types: dict[tuple[str, str], Path] = {}
        out: dict[str, list[tuple[str, str, int]]] = {s: [] for s in self.spaces}
        for a, b, kind in paths:
            for here, there in ((a, b), (b, a)):
                out[here].append((there, kind, self.COST[kind]))
                self._types[here, there] = (*self._types.get((here, there), ()), kind)
        self._out = {s: tuple(sorted(ways, key=lambda way: (self.index[way[0]], way[2])))
                     for s, ways in out.items()}
        self._land_types = {ends: tuple(kind for kind in kinds if kind in LAND) for ends, kinds in self._types.items()}
        self._land = {s: self._ends(s, ("land",)) for s in self.spaces}
        self._adjacent = {s: self._ends(s, LAND) for s in self.spaces}
        self._sea = {s: self._ends(s, ("sea",)) for s in self.spaces}
        self._beside = {s: tuple(location for there in self._adjacent[s] for location in (there, f"{there}/inside"))
                        for s in self.spaces}

    def _ends(self, space: str, types: Collection[str]) -> Path:
        return tuple(dict.fromkeys(there for there, kind, _ in self._out[space] if kind in types))

    def _settle_provinces(self, facts: Facts) -> None:
        self._province: dict[str, str] = {s: x["province"] for s, x in facts.spaces.items()}
        self._vp: dict[str, int] = {p: x["vp"] for p, x in facts.provinces.items()}
        self._majority: dict[str, int] = {p: x["majority"] for p, x in facts.provinces.items()}
        self._region: dict[str, str] = {p: x["region"] for p, x in facts.provinces.items()}
        countable = [s for s in self.spaces if not self.is_transit(s)]
        self._members: dict[str, Path] = {
            p: tuple(s for s in countable if self._province[s] == p) for p in self.provinces}
        self._major: dict[str, str] = {self._province[s]: s for s in self.major_cities}
        self._cities: dict[str, Path] = {province: (city,) for province, city in self._major.items()}
        near: dict[str, set[str]] = {p: set() for p in self.provinces}
        for here in self.spaces:
            near[self._province[here]].update(self._province[there] for there in self._adjacent[here])
        self._neighbours: dict[str, Path] = {
            p: tuple(q for q in self.provinces if q in near[p] and q != p) for p in self.provinces}

    # --- 2. spaces ------------------------------------------------------------------------------------------

    def kind(self, space: str) -> str:
        """2. `minor`, `major`, `stronghold` or `transit`."""
        return self._kind[space]

    def locations_of(self, space: str) -> Path:
        """9.4 Where pieces may stand in the space: in a Major City inside or outside."""
        return self._parts[space]

    def is_transit(self, space: str) -> bool:
        """2. A Transit Point never carries a PC and never counts for a Province."""
        return self._kind[space] == "transit"

    def is_port(self, space: str) -> bool:
        """2. Can be embarked and disembarked in."""
        return space in self._port

    def province_of(self, space: str) -> str:
        """2. The Province the space lies in; a Transit Point has one too, for adjacency and local troops."""
        return self._province[space]

    def lat_lon(self, space: str) -> tuple[float, float]:
        """Where the place is on earth, for the drawn map."""
        return self._lat_lon[space]

    def west_of(self, a: str, b: str) -> bool:
        """9.5 Is `a` further west than `b`?"""
        return self._lat_lon[a][1] < self._lat_lon[b][1]

    def siege_mod(self, space: str) -> int:
        """15.2 B What the city itself adds to a Siege roll."""
        return self._siege_mod[space]

    def independent_at_start(self, players: int) -> Path:
        """4.1 E The spaces that carry an Independent PC when so many play."""
        return tuple(s for s in self.spaces if players in self._independent[s])

    # --- 2. provinces ---------------------------------------------------------------------------------------

    def spaces_of(self, province: str) -> Path:
        """2. The spaces that count for control of the Province: all but Transit Points."""
        return self._members[province]

    def major_city_of(self, province: str) -> str | None:
        """2. Its Major City, without which nobody controls the Province."""
        return self._major.get(province)

    def cities_of(self, province: str) -> Path:
        """2, 16.1 All that have to be controlled to control it: its Major City, and any Capital."""
        return self._cities.get(province, ())

    def majority(self, province: str) -> int:
        """2. How many of its spaces control of the Province takes."""
        return self._majority[province]

    def vp(self, province: str) -> int:
        """3.5 What control of the Province is worth."""
        return self._vp[province]

    def region(self, province: str) -> str:
        """2. `europe`, `islands`, `africa` or `asia`."""
        return self._region[province]

    def province_neighbours(self, province: str) -> Path:
        """2. Provinces joined to it by a land, mountain or strait path; those across the sea are none."""
        return self._neighbours[province]

    # --- 9.3 A paths ----------------------------------------------------------------------------------------

    def path_types(self, a: str, b: str) -> Path:
        """9.3 A The types of the paths between the two; two spaces may be joined by more than one."""
        return self._types.get((a, b), ())

    def land_types(self, a: str, b: str) -> Path:
        """2. The types of those paths between the two that are no sea paths."""
        return self._land_types.get((a, b), ())

    def paths(self, a: str) -> tuple[tuple[str, str, int], ...]:
        """9.3 A Every path out of the space: where to, its type, its cost in MPs."""
        return self._out[a]

    def land_paths(self, a: str) -> Path:
        """9.3 A The spaces at the end of a plain land path, which costs 1 MP."""
        return self._land[a]

    def adjacent(self, a: str) -> Path:
        """2. The spaces joined to it by land, mountain or strait."""
        return self._adjacent[a]

    def locations_beside(self, a: str) -> Path:
        """2. The locations, inside and outside, of all adjacent spaces."""
        return self._beside[a]

    def sea_paths(self, a: str) -> Path:
        """13.1 The ports one Sea path away (Trans-Mediterranean paths not among them)."""
        return self._sea[a]

    def cost(self, a: str, b: str, types: Collection[str] = LAND) -> int | None:
        """9.3 A The MPs of the cheapest path of these types between two neighbours; None if there is none."""
        return min((self.COST[kind] for kind in self.path_types(a, b) if kind in types), default=None)

    # --- distances ------------------------------------------------------------------------------------------

    def distances(self, start: str, types: Collection[str] = PLACING,
                  passable: Callable[[str], bool] | None = None, limit: int | None = None) -> dict[str, int]:
        """6.2 B2 The cheapest cost from `start` to every space in reach."""
        return self.distances_from((start,), types, passable, limit)

    def distances_from(self, starts: Iterable[str], types: Collection[str],
                       passable: Callable[[str], bool] | None, limit: int | None) -> dict[str, int]:
        """6.2 B2 The cheapest cost from whichever start is nearest to every space in reach.

        The starts always count; a space that is not passable can be neither entered nor crossed.
        """
        found: dict[str, int] = {}
        waiting = sorted((0, start) for start in starts)
        while waiting:
            spent, here = heappop(waiting)
            if here in found:
                continue
            found[here] = spent
            for there, kind, step in self._out[here]:
                if kind not in types or there in found or (limit is not None and spent + step > limit):
                    continue
                if passable is None or passable(there):
                    heappush(waiting, (spent + step, there))
        return found

    def short_ways(self, start: str, types: Path, limit: int) -> tuple[Path, ...]:
        """6.2 B2 All ways of so few MPs, the shortest first: the spaces entered."""
        known = self._ways.get((start, types, limit))
        if known is None:
            found: list[tuple[Path, int]] = [((), 0)]
            for way, spent in found:
                found += [((*way, there), spent + step) for there, kind, step in self._out[way[-1] if way else start]
                          if kind in types and there not in (start, *way) and spent + step <= limit]
            known = self._ways[start, types, limit] = tuple(way for way, _ in found[1:])
        return known

    def land_reach(self, start: str, mps: int) -> Path:
        """9.3 A Where a march could end with so many MPs, as far as the map goes."""
        known = self._marches.get((start, mps))
        if known is None:
            known = self._marches[start, mps] = tuple(
                space for space, cost in self.distances(start, LAND, None, mps).items() if cost)
        return known

    def sea_reach(self, space: str, n: int) -> frozenset[str]:
        """13.3 A The spaces within `n` Sea paths, itself among them; Trans-Mediterranean ones are none."""
        known = self._reach.get((space, n))
        if known is None:
            reached = edge = {space}
            for _ in range(n):
                edge = {there for here in edge for there in self._sea[here]} - reached
                reached = reached | edge
            known = self._reach[space, n] = frozenset(reached)
        return known

    def trace(self, starts: Iterable[str], passable: Callable[[str], bool],
              goal: Callable[[str], bool]) -> list[str] | None:
        """5.5 A shortest series of connected spaces from a start to a goal, by any paths; None if cut off.

        The start itself is not asked whether it is passable; a goal is.
        """
        came_from: dict[str, str | None] = dict.fromkeys(starts)
        waiting = deque(came_from)
        while waiting:
            here = waiting.popleft()
            if goal(here):
                return self._way_back(here, came_from)
            for there, _, _ in self._out[here]:
                if there not in came_from and passable(there):
                    came_from[there] = here
                    waiting.append(there)
        return None

    def _way_back(self, end: str, came_from: dict[str, str | None]) -> list[str]:
        way = [end]
        while (before := came_from[way[-1]]) is not None:
            way.append(before)
        return way[::-1]

    def cheapest_paths(self, a: str, b: str, budget: int) -> list[Path]:
        """9.3 A The cheapest ways by land from `a` to `b`, within `budget` MPs: the spaces entered, `b` last.

        More than 32 are not listed: nobody reads them.
        """
        to_go = self._costs_to(b, budget)
        if a == b or a not in to_go:
            return []
        found: list[Path] = []
        open_ways: list[tuple[str, Path]] = [(a, ())]
        while open_ways and len(found) < MOST_PATHS:
            here, way = open_ways.pop()
            if here == b:
                found.append(way)
                continue
            steps = [(there, (*way, there)) for there in self._adjacent[here] if there in to_go
                     and to_go[here] == to_go[there] + (self.cost(here, there) or 0)]
            open_ways.extend(reversed(steps))
        return found

    def _costs_to(self, b: str, budget: int) -> dict[str, int]:
        """What is left to pay from each space to `b`: searched backwards."""
        found: dict[str, int] = {}
        waiting = [(0, b)]
        while waiting:
            left, here = heappop(waiting)
            if here in found:
                continue
            found[here] = left
            for before, kind, step in self._out[here]:
                if kind in LAND and before not in found and left + step <= budget:
                    heappush(waiting, (left + step, before))
        return found


@lru_cache(maxsize=4)
def board(facts: Facts) -> Board:
    """One board for all games that are played with the same components: nothing on it ever changes."""
    return Board(facts)
