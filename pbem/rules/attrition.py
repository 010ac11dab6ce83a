"""7.3 Attrition."""

from collections import Counter
from collections.abc import Iterable, Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order, Pieces
from pbem.table.events import ALL
from pbem.table.state import Game, Unit, by_kind


def column_label(g: Game, number: int) -> str:
    """7.3 The column of the Attrition Table for a group of this size."""
    for column in g.facts.tables["attrition"]["columns"]:
        if number >= column["min"] and (column["max"] is None or number <= column["max"]):
            return str(column["label"])
    raise ValueError(number)


def further(g: Game, number: int, columns: int) -> str:
    """7.3 A number of CUs whose column lies so many to the right of that for this one; the last stays the last."""
    table = g.facts.tables["attrition"]["columns"]
    place = next(at for at, one in enumerate(table) if one["label"] == column_label(g, number))
    return str(table[min(place + columns, len(table) - 1)]["min"])


def result_of(g: Game, column: str, die: int) -> str:
    """7.3 The entry of the Attrition Table; two CUs lose no Macedonian on a 4 (14.9 example, B32)."""
    for row in g.facts.tables["attrition"]["columns"]:
        if row["label"] == column:
            return str(row["results"][min(max(die, 1), 6) - 1])
    raise ValueError(column)


def attrition(g: Game, seat: str, location: str, group: "Group", column: str = "", modifier: int = 0) -> Procedure[None]:
    """7.3 A group of CUs rolls on its column and loses that many, an Elephant first where the entry has an e."""
    size = group.count(g)
    if not size:
        return
    result = rolled(g, seat, location, column_label(g, int(column) if column else size), size, modifier)
    yield from lose(g, seat, group, number_of(result), "e" in result, "attrition")


def rolled(g: Game, seat: str, location: str, column: str, size: int, modifier: int, *, least: int = 0) -> str:
    """7.3 One die on a column, for so many CUs."""
    die, name = g.roll("attrition", location, seat)
    result = g.reading(name) or result_of(g, column, die + modifier)
    g.tell(ALL, "attrition_rolled", seat=seat, at=location, column=column, die=die, name=name, modifier=modifier,
           result=result, group=size, least=least)
    return result


def number_of(result: str) -> int:
    """7.3 A number is CUs lost; a dash costs nothing, nor does a lone e where no Elephant dies first."""
    return int(result.rstrip("e").strip("-") or "0")


class Group:
    """Which CUs of a faction may be lost: those in a location, perhaps only the ones an activation moves."""

    __slots__ = ("location", "mover", "seat", "spared")

    def __init__(self, location: str, seat: str, mover: str = "", spared: Iterable[str] = ()) -> None:
        self.location = location
        self.seat = seat
        self.mover = mover
        self.spared = frozenset(spared)

    def units(self, g: Game) -> dict[Unit, int]:
        return {
            unit: number for unit, number in g.units(self.location, self.seat).items()
            if unit.kind not in self.spared and (not self.mover or unit.past.mover == self.mover and not unit.past.dropped)
        }

    def count(self, g: Game) -> int:
        return sum(self.units(g).values())

    def kinds(self, g: Game) -> Counter[str]:
        return by_kind(self.units(g))


def lose(g: Game, seat: str, group: Group, number: int, elephant_first: bool, why: str) -> Procedure[None]:
    """Eliminate CUs of the owner's choice; where there is nothing to choose nobody is asked."""
    kinds = group.kinds(g)
    if elephant_first and kinds["elephant"]:
        eliminate(g, group, {"elephant": 1}, why)
        number -= 1
        kinds = group.kinds(g)
    total = sum(kinds.values())
    if number <= 0 or not total:
        return
    if number >= total:
        eliminate(g, group, +kinds, why)
    elif len(+kinds) == 1:
        eliminate(g, group, {next(iter(+kinds)): number}, why)
    else:
        order = yield lambda: losses_question(g, seat, group, number, why)
        if order:
            eliminate(g, group, dict(order.pieces.cus), why)
        elif g.rules.losses_stay_due:
            yield from lose(g, seat, group, number, False, why)


def losses_question(g: Game, seat: str, group: Group, number: int, why: str) -> Question | None:
    """Which CUs go? None when an interrupt left no choice to make."""
    kinds = +group.kinds(g)
    if sum(kinds.values()) < number or len(kinds) < 2:
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb != "lose":
            raise Refused("7.3", "losses_wanted", number=number, kinds=dict(kinds))
        cus = dict(order.pieces.cus)
        if sum(cus.values()) != number or order.pieces.generals or order.pieces.royals:
            raise Refused("7.3", "losses_number", number=number, given=sum(cus.values()), kinds=dict(kinds))
        for kind, count in cus.items():
            if kind in group.spared and g.kinds(group.location, seat)[kind]:
                raise Refused("14.9", "losses_spared", kind=kind)
            if count > kinds[kind]:
                raise Refused("7.3", "losses_not_there", kind=kind, has=kinds[kind])
        return Order("lose", pieces=Pieces.of(cus=cus))

    def candidates(side: str) -> Iterator[Order]:
        for cus in choices(kinds, number):
            yield Order("lose", pieces=Pieces.of(cus=cus))

    return Ask(seat, "losses", "7.3", about={"number": number, "at": group.location, "why": why, "kinds": dict(kinds)},
               read=read, candidates=candidates, default=Order("lose", pieces=Pieces.of(cus=cheapest(kinds, number))))


CHEAPEST_FIRST = ("mercenary", "cavalry", "elephant", "loyal", "royal", "silver", "independent")


def cheapest(kinds: Counter[str], number: int) -> dict[str, int]:
    """The loss that silence means: Mercenaries first, the best troops last."""
    return next(iter(choices(kinds, number)))


def choices(kinds: Counter[str], number: int) -> Iterator[dict[str, int]]:
    """Every way to take so many CUs out of the kinds, cheapest first."""
    names = [kind for kind in CHEAPEST_FIRST if kinds[kind]]

    def pick(index: int, left: int) -> Iterator[dict[str, int]]:
        if index == len(names):
            if not left:
                yield {}
            return
        kind = names[index]
        for part in range(min(left, kinds[kind]), -1, -1):
            for rest in pick(index + 1, left - part):
                yield {kind: part, **rest} if part else rest

    yield from pick(0, number)


def eliminate(g: Game, group: Group, cus: dict[str, int], why: str) -> None:
    """CUs leave the game's stock or go back to it; Royal Army CUs and the Silver Shields never come back (7.2 D, F)."""
    inside = group.units(g)
    g.remove_kinds(group.location, group.seat, cus,
                 order=lambda unit: (unit not in inside, unit.past.mover == "", unit.past))
    g.tell(ALL, "eliminated", seat=group.seat, at=group.location, cus=cus, why=why)
