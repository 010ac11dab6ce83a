"""7.2 Which pieces an order may name: are they there, may they be parted, and every way to take some of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import compress, product
from typing import Any

from pbem.base.errors import Refused
from pbem.orders import Pieces
from pbem.table.state import Game, is_inside, space_of

Lacking = Callable[[str, int], Refused]             # why so many CUs of a kind are not to be had


def judge_named(pieces: Pieces, there: Counter[str], lacking: Lacking) -> None:
    """7.2 D Of the CUs that are named, are they there, and may they be parted? The Silver Shields go whole or not at all."""
    for kind, number in pieces.cus:
        if number > there[kind]:
            raise lacking(kind, number)
        if kind == "silver" and number < there[kind]:
            raise Refused("7.2D", "silver_shields_split", has=there[kind])


def too_few(rule: str, there: Counter[str], at: str) -> Lacking:
    """Not so many are there."""
    return lambda kind, number: Refused(rule, "too_few_cus", kind=kind, has=there[kind], wanted=number, at=at)


def moved_before(fresh: Counter[str], at: str) -> Lacking:
    """9.1 Not so many of those there are free to go along."""
    return lambda kind, number: Refused("9.1", "cus_have_moved", kind=kind, free=fresh[kind], wanted=number, at=at)


def not_in_the_army(kind: str, number: int) -> Refused:
    """9.1 Not so many travel with the active Army."""
    return Refused("9.1", "not_in_the_army", piece=kind)


# --- 9.4 Room in a city ------------------------------------------------------------------------------------------

ANY_NUMBER = 99


def room_at(g: Game, location: str, seat: str) -> int:
    """9.4 How many more CUs find room there: inside a city two in all, elsewhere any number."""
    if not is_inside(location):
        return ANY_NUMBER
    return inside_limit(g, space_of(location)) - g.count(location, seat)


def inside_limit(g: Game, space: str) -> int:
    """9.4 How many CUs a city holds."""
    limit: int = g.rules.capital_inside if space in g.capitals.values() else g.rules.inside_limit
    return limit


def judge_elephants(g: Game, location: str, cus: Mapping[str, int]) -> None:
    """9.4, 19.10 of the draft: they can besiege, but not be besieged."""
    if g.rules.elephants_stay_outside and is_inside(location) and cus.get("elephant"):
        raise Refused("9.4", "elephants_stay_outside", space=space_of(location))


def fits_inside(g: Game, space: str, seat: str, cus: Mapping[str, int]) -> bool:
    """9.4 Have all of these room inside the city, and may they be there?"""
    inside = f"{space}/inside"
    stays_outside = g.rules.elephants_stay_outside and cus.get("elephant")
    return sum(cus.values()) <= room_at(g, inside, seat) and not stays_outside


# --- every way to take some --------------------------------------------------------------------------------------


def parts(whole: Pieces) -> Iterator[Pieces]:
    """Every way to take some of the pieces, all of them first."""
    names = [kind for kind, _ in whole.cus]
    alone = not (whole.generals or whole.royals)
    for numbers in product(*(range(number, -1, -1) for _, number in whole.cus)):
        cus = taken(names, numbers)
        if alone:
            yield Pieces((), cus, ())
            continue
        for generals in subsets(whole.generals):
            for royals in subsets(whole.royals):
                yield Pieces(generals, cus, royals)


def taken(names: list[str], numbers: Iterable[int]) -> tuple[tuple[str, int], ...]:
    """So many of each kind; what the whole has in order stays so."""
    return tuple([(kind, number) for kind, number in zip(names, numbers, strict=True) if number])


def subsets(items: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    whole = tuple(items)
    for kept in product((True, False), repeat=len(whole)):
        yield tuple(compress(whole, reversed(kept)))


HANDFUL = 4                     # CUs: so many of a stack may be offered in every mixture


def handfuls(whole: Pieces) -> Iterator[Pieces]:
    """Every way to take a handful of the CUs, with any of the others or none."""
    names = [kind for kind, _ in whole.cus]
    companies = list(product(subsets(whole.generals), subsets(whole.royals)))
    for numbers in product(*(range(min(number, HANDFUL), -1, -1) for _, number in whole.cus)):
        if sum(numbers) <= HANDFUL:
            cus = taken(names, numbers)
            for generals, royals in companies:
                yield Pieces(generals, cus, royals)
