"""Random legal positions: somebody is about to move, everything else is as a game could have left it."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from pbem.components import catalogue
from pbem.components.board import LAND, Board
from pbem.components.catalogue import Facts
from pbem.play.invariants import controlled
from pbem.table.state import CART, FEMALES, HEIRS, INDEPENDENT, TOMB, space_of

SEATS = ("red", "blue", "yellow", "black", "green")
KINDS = ("mercenary",) * 5 + ("loyal",) * 4 + ("royal",) * 2 + ("elephant",)
ROYALS = 8
STATUS = ("champion", "champion", "successor")

Given = dict[str, Any]


@cache
def printed() -> tuple[Facts, Board]:
    """Facts and map as printed: made once in a process."""
    facts = catalogue.facts()
    return facts, Board(facts)


def seats_of(given: Given) -> tuple[str, ...]:
    """Who plays, in seating order."""
    return tuple(seat for seat in SEATS if seat in given["turn_order"])


def random_position(rng: Random, players: int) -> Given:
    """What `pbem.position.state` reads: mostly an Activation Segment of Game Turn I to V, with Armies close together."""
    seats = sorted(rng.sample(SEATS, players), key=SEATS.index)
    scene = Scene(rng, seats)
    scene.control()
    scene.independents()
    scene.sieges()
    scene.armies()
    scene.garrisons()
    scene.family()
    return {**scene.moment(), "spaces": dict(scene.pcs), "forces": scene.forces(), "siege_points": scene.points(),
            **scene.away(), **scene.cards()}


class Scene:
    """A position in the making. `stacks` holds everything on the map: location -> owner, generals, CUs."""

    def __init__(self, rng: Random, seats: list[str]) -> None:
        self.rng = rng
        self.facts, self.board = printed()
        self.seats = seats
        self.pcs: dict[str, str] = {}
        self.stacks: dict[str, tuple[str, list[str], Counter[str]]] = {}
        self.royals_left = ROYALS
        self.silver = rng.random() < 0.3
        self.relatives: dict[str, dict[str, str]] = {}
        centre = rng.choice(self.board.spaces)
        near = self.board.distances(centre, LAND, None, rng.choice((3, 5, 8)))
        self.near = [space for space in self.board.spaces if space in near] if len(near) > 5 else list(self.board.spaces)
        self.majors = self._majors()
        self.present = {name for names in self.majors.values() for name in names}      # in play, on the map or not
        self.minors = {seat: [name for name, fact in self.facts.minors.items() if fact["color"] == seat]
                       for seat in seats}

    def _majors(self) -> dict[str, list[str]]:
        names = list(self.facts.generals)
        self.rng.shuffle(names)
        return {seat: [names.pop() for _ in range(self.rng.randint(1, 8 // len(self.seats) + 1))] for seat in self.seats}

    # --- the board ---------------------------------------------------------------------------------------------

    def control(self) -> None:
        """2 Most Provinces lean to one faction; nothing on Transit Points."""
        for province in self.board.provinces:
            leader = self.rng.choice([*self.seats, *self.seats, INDEPENDENT, ""])
            for space in self.board.spaces_of(province):
                owner = leader if self.rng.random() < 0.55 else self.rng.choice([*self.seats, INDEPENDENT, "", ""])
                if owner:
                    self.pcs[space] = owner

    def independents(self) -> None:
        """7.5 Some Independent Armies are about, two of them perhaps in one space."""
        for name, fact in self.facts.independents.items():
            where = [space for space in self.near if self.is_free(space) or self.owner(space) == INDEPENDENT]
            if where and self.rng.random() < 0.3:
                self.put(self.rng.choice(where), INDEPENDENT, [name], {"independent": fact["cus"]})

    def sieges(self) -> None:
        """15.1 Cities with something inside, perhaps with somebody before the gate."""
        for city in self.board.major_cities:
            owner = self.pcs.get(city, "")
            if owner not in self.seats or city not in self.near or self.rng.random() < 0.4:
                continue
            self.put(f"{city}/inside", owner, self.leaders(owner, 0.5), self.cus(self.rng.randint(0, 2), inside=True))
            if self.is_free(city) and self.rng.random() < 0.5:
                foe = self.rng.choice([seat for seat in self.seats if seat != owner])
                self.army(city, foe)

    def armies(self) -> None:
        """7.1 Everybody has Armies and lone Generals, mostly where the others are."""
        for seat in self.seats:
            for _ in range(self.rng.randint(1, 4)):
                where = [space for space in self.near if self.is_free(space)]
                if where:
                    self.army(self.rng.choice(where), seat)

    def army(self, at: str, seat: str) -> None:
        generals = self.leaders(seat, 0.7)
        number = 0 if self.rng.random() < 0.15 else self.rng.choice((1, 1, 2, 2, 3, 4, 5, 7, 10))
        if generals and (number or generals[0] in self.facts.generals):
            self.put(at, seat, generals, self.cus(number))

    def leaders(self, seat: str, chance: float) -> list[str]:
        """One Major General or several, or a Minor one; nobody when there is nobody left."""
        majors, minors = self.majors[seat], self.minors[seat]
        if majors and self.rng.random() < chance:
            several = 1 if self.rng.random() < 0.7 else min(len(majors), 2)
            return [majors.pop() for _ in range(several)]
        return [minors.pop()] if len(minors) > 2 and self.rng.random() < 0.8 else []

    def cus(self, number: int, *, inside: bool = False) -> Counter[str]:
        found: Counter[str] = Counter()
        if self.silver and number >= 2 and self.rng.random() < 0.4:
            self.silver = False
            found["silver"] = self.rng.randint(1, 2)
            number -= found["silver"]
        for _ in range(number):
            kind = self.rng.choice(KINDS)
            if kind == "royal" and not self.royals_left:
                kind = "loyal"
            self.royals_left -= kind == "royal"
            found[kind] += 1
        return found

    def garrisons(self) -> None:
        """7.2 A CUs without a General, shown to be somebody's by his PC."""
        for space, owner in self.pcs.items():
            if owner in self.seats and self.is_free(space) and self.rng.random() < 0.08:
                self.put(space, owner, [], self.cus(self.rng.randint(1, 4)))

    def is_free(self, at: str) -> bool:
        return at not in self.stacks

    def owner(self, at: str) -> str:
        return self.stacks[at][0] if at in self.stacks else ""

    def put(self, at: str, owner: str, generals: list[str], cus: dict[str, int]) -> None:
        """A Minor General never stands alone (7.1 C)."""
        generals = [name for name in generals if sum(cus.values()) or name not in self.facts.minors]
        if not generals and not sum(cus.values()):
            return
        _, others, standing = self.stacks.setdefault(at, (owner, [], Counter()))
        others.extend(generals)
        standing.update(cus)

    def forces(self) -> list[Given]:
        out = []
        for at, (owner, generals, cus) in self.stacks.items():
            force: Given = {"at": space_of(at), "owner": owner, "generals": generals, "cus": dict(cus)}
            out.append({**force, "loc": "inside"} if "/" in at else force)
        return out

    def points(self) -> Given:
        """15.2 Siege Points of those who stand before a foreign city or Stronghold."""
        found = {}
        for at, (owner, _, cus) in self.stacks.items():
            pc, kind = self.pcs.get(at, ""), self.board.kind(space_of(at))
            if (owner in self.seats and cus and pc not in ("", owner) and self.rng.random() < 0.5
                    and (kind == "major" or kind == "stronghold" and pc == INDEPENDENT)):
                found[at] = {"by": owner, "points": self.rng.randint(1, 2) if kind == "major" else 1}
        return found

    # --- the family --------------------------------------------------------------------------------------------

    def family(self) -> None:
        """8.2, 8.3 Heirs and Cart are whose General or PC is there; women only where somebody could hold them."""
        buried = self.rng.random() < 0.3
        for name in (*HEIRS, *FEMALES, TOMB if buried else CART):
            if self.rng.random() < 0.2:
                continue
            at = self.rng.choice([*self.stacks, *self.near])
            generals = self.stacks[at][1] if at in self.stacks else []
            player = self.owner(at) if generals and self.owner(at) in self.seats else self.pcs.get(space_of(at), "")
            holder = player if player in self.seats else "none"
            if name == TOMB or name in FEMALES and self.rng.random() < 0.4:
                holder = "none"
            if holder == "none" and "/" in at:
                at = space_of(at)
                continue
            place = {"at": space_of(at), "owner": holder}
            self.relatives[name] = {**place, "loc": "inside"} if "/" in at else place

    # --- beside the map ----------------------------------------------------------------------------------------

    def moment(self) -> Given:
        """6 When it is, and whose turn."""
        rng, order = self.rng, list(self.seats)
        if rng.random() < 0.5:
            order.reverse()
        first = rng.randrange(len(order))
        order = order[first:] + order[:first]
        rounds = self.facts.tables["rounds_and_hands"]["rounds"][len(order)]
        kind = rng.choice(("activation",) * 8 + ("tyche", "surrender"))
        return {
            "turn": rng.randint(1, 5), "round": rng.randint(1, rounds), "turn_order": order,
            "segment": {"player": rng.choice(order), "kind": kind},
            "champions": {seat: rng.choice(STATUS) for seat in order},
            "usurper": rng.choice(["", *order]),
        }

    def away(self) -> Given:
        """What is not on the map or only marked: the Dispersed Box, Fleets, markers, and who has moved."""
        rng = self.rng
        out: Given = {"family": {name: place for name, place in self.relatives.items() if name not in (CART, TOMB)},
                      **{name: self.relatives[name] for name in (CART, TOMB) if name in self.relatives}}
        box: Given = {}
        for seat in self.seats:
            generals = [name for name in self.majors[seat] if rng.random() < 0.6]
            box[seat] = {"generals": generals, "cus": dict(Counter(rng.choices(("mercenary", "loyal"), k=rng.randint(0, 3))))}
        out["dispersed"] = box
        out["fleets"] = self.fleets()
        present = [name for _, generals, _ in self.stacks.values() for name in generals if name in self.facts.generals]
        out["popularity"] = {name: 1 for name in present if rng.random() < 0.1}
        out["moved"] = [name for name in present if rng.random() < 0.04]
        out["adjust"] = {seat: {"L": rng.randint(-2, 3), "VP": rng.randint(0, 2)} for seat in self.seats if rng.random() < 0.1}
        return out

    def fleets(self) -> dict[str, list[str]]:
        provinces = controlled(self.board, self.pcs)
        found: dict[str, list[str]] = {}
        for name, fact in self.facts.fleets.items():
            control = fact["control"]
            owner = {"province": provinces.get(control["place"], ""), "major_city": self.pcs.get(control["place"], ""),
                     "card": self.rng.choice(["", *self.seats])}[control["type"]]
            if owner in self.seats:
                found.setdefault(owner, []).append(name + "+" * (self.rng.random() < 0.3))
        return found

    def cards(self) -> Given:
        """5.3 Hands and deck as numbers; the discards lie open."""
        rng, table = self.rng, self.facts.tables["rounds_and_hands"]
        out = ["47A" if any(cus["silver"] for _, _, cus in self.stacks.values()) else "47B"]       # 7.2 D
        out += [name for name, card in self.facts.cards.items() if card["optional"] and rng.random() < 0.5
                or card["params"].get("general") in self.present]
        cards = sorted(name for name in self.facts.cards if name not in out)
        hands = {seat: rng.randint(0, table["hand"][len(self.seats)]) for seat in self.seats}
        down = rng.randint(0, table["face_down"][len(self.seats)])
        discards = [name for name in rng.sample(cards, rng.randint(0, 20)) if name not in ("57", "58")]
        left = len(cards) - len(discards) - down - sum(hands.values())
        return {"hands": hands, "deck": {"name": f"main,{rng.randint(1, 5)}", "cards": cards, "left": left},
                "discards": discards, "out": out, "face_down": down}
