"""Legitimacy and Victory Points counted a second time, from the public position as it is written down (3.5, 3.6, 3.8, 16.1).

Nothing here is shared with the chapter that counts in play: the numbers are those of the rulebook, and what a faction
has is looked up in the same lines that everybody finds at the end of a Game Turn.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pbem.components.catalogue import Facts

HEIRS = {"alexandros": 5, "philippos": 4, "herakles": 2}
FEMALES = {"olympias": 3, "kleopatra": 3, "thessalonike": 2}
LORD_OF_ASIA = ("phrygia", "syria", "babylonia")
PERSIAN_POPULAR_SUPPORT = "26"
Public = Mapping[str, Any]
Totals = dict[str, tuple[int, int]]


class Recount:
    """Counts for one set of components: which spaces make a Province, and what it is worth."""

    def __init__(self, facts: Facts, *, capitals_score: bool = True) -> None:
        self.fleets = {name: fact if self.counts(facts, fact) else {**fact, "normal": 0, "upgraded": 0}
                       for name, fact in facts.fleets.items()}
        self.capitals_score = capitals_score                    # 19.8 of the draft: they bring nothing
        self.worth = {province: fact["vp"] for province, fact in facts.provinces.items()}
        self.spaces: dict[str, list[str]] = {province: [] for province in facts.provinces}
        self.cities: dict[str, list[str]] = {province: [] for province in facts.provinces}
        self.province = {space: fact["province"] for space, fact in facts.spaces.items()}
        for space, fact in facts.spaces.items():
            if fact["kind"] != "transit":                       # 2 a Transit Point belongs to no majority
                self.spaces[fact["province"]].append(space)
            if fact["kind"] == "major":
                self.cities[fact["province"]].append(space)
        self.last: tuple[Public, Public, dict[str, str]] = {}, {}, {}       # PCs, Capitals, and whose Provinces these make
        self.hellespont = [space for space, fact in facts.spaces.items() if fact["hellespont"]]

    @staticmethod
    def counts(facts: Facts, fleet: Mapping[str, Any]) -> bool:
        """3.5 All but the one of which its card says that it never does."""
        card = facts.cards.get(fleet["control"].get("place", ""), {"params": {}})
        return bool(card["params"].get("largest_fleet", True))

    def totals(self, public: Public, seats: tuple[str, ...]) -> Totals:
        """L and VP of every seat."""
        provinces = self.provinces(public)
        largest = self.largest_fleet(public, seats)
        return {seat: (legitimacy(public, seat, provinces), self.points(public, seat, provinces, largest)) for seat in seats}

    def provinces(self, public: Public) -> dict[str, str]:
        """2, 16.1 More than half of the spaces, and every Major City; a Capital is one."""
        pcs, capitals, held = public.get("spaces", {}), public.get("capitals", {}), {}
        if self.last[:2] == (pcs, capitals):
            return self.last[2]
        for (province, owner), number in Counter((self.province[space], owner) for space, owner in pcs.items()).items():
            founded = [space for space in capitals.values() if self.province[space] == province]
            if 2 * number > len(self.spaces[province]) and all(
                    pcs.get(city) == owner for city in (*self.cities[province], *founded)):
                held[province] = owner
        self.last = pcs, capitals, held
        return held

    def largest_fleet(self, public: Public, seats: tuple[str, ...]) -> str:
        """3.5 At least 3, more than anybody else has, those in the Dispersed Box included."""
        strength = dict.fromkeys(seats, 0)
        for seat, names in public.get("fleets", {}).items():
            for name in names:
                strength[seat] += self.fleets[name.rstrip("+")]["upgraded" if name.endswith("+") else "normal"]
        for seat, there in public.get("dispersed", {}).items():
            if seat in strength:
                strength[seat] += sum(self.fleets[name]["normal"] for name in there.get("fleets", ()))
        best = max(strength.values())
        first = [seat for seat in seats if strength[seat] == best]
        return first[0] if best >= 3 and len(first) == 1 else ""

    def points(self, public: Public, seat: str, provinces: Mapping[str, str], largest: str) -> int:
        """3.5, 16.1 Provinces, Lord of Asia, Largest Fleet, Hellespont, Capitals."""
        pcs = public.get("spaces", {})
        total: int = sum(self.worth[province] for province, owner in provinces.items() if owner == seat)
        if all(provinces.get(province) == seat for province in LORD_OF_ASIA):
            total += 4
        if largest == seat:
            total += 3
        if all(pcs.get(port) == seat for port in self.hellespont):
            total += 2
        if seat in public.get("capitals", {}) and self.capitals_score:
            total += 2
        total += list(public.get("captured_capitals", {}).values()).count(seat) * self.capitals_score
        return max(0, total + int(public.get("adjust", {}).get(seat, {}).get("VP", 0)))


def legitimacy(public: Public, seat: str, provinces: Mapping[str, str]) -> int:
    """3.6, 3.8 One Heir, all Females, status, Makedonia, the Tomb, two Generals, cards; never below 0."""
    family = public.get("family", {})
    own = [name for name, place in family.items() if place["owner"] == seat]
    total: int = max([HEIRS[name] for name in own if name in HEIRS], default=0)
    total += sum(FEMALES[name] for name in own if name in FEMALES)
    if public["champions"][seat] == "yes":
        total += 3
    if provinces.get("makedonia") == seat:
        total += 2
    if public.get("buried_by") == seat:
        total += 10
    tomb = public.get("tomb", {}).get("at", "pella")
    if tomb != "pella" and public.get("spaces", {}).get(tomb) == seat:
        total += 2
    generals = generals_of(public, seat)
    total += ("perdikkas" in generals) + ("leonnatos" in generals)
    if public.get("oracle") == seat:
        total += 1
    if public.get("kept", {}).get(PERSIAN_POPULAR_SUPPORT) == seat:
        total -= 2
    total -= sum(lost for name, lost in public.get("condemned", {}).items() if name in generals)
    return max(0, total + int(public.get("adjust", {}).get(seat, {}).get("L", 0)))


def generals_of(public: Public, seat: str) -> set[str]:
    """7.1 The living: on the map or in the Dispersed Box."""
    there = {name for force in public.get("forces", ()) if force["owner"] == seat for name in force.get("generals", ())}
    return there | set(public.get("dispersed", {}).get(seat, {}).get("generals", ()))
