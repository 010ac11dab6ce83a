"""6.4 The Forage Segment."""

from collections import Counter
from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import ONE_CU, Order
from pbem.rules import ownership
from pbem.rules.attrition import CHEAPEST_FIRST, Group, column_label, eliminate, lose, number_of, rolled
from pbem.table.state import Game, space_of


def limit(g: Game, space: str) -> int:
    """6.4 How many CUs of one faction a space can feed."""
    return int(g.rules.forage_limit["transit" if g.board.is_transit(space) else "other"])


def hungry(g: Game, seat: str) -> list[str]:
    """6.4 Spaces with more of one's own CUs, inside and outside together (B15) or each, that have not been looked at yet."""
    there: dict[str, list[int]] = {}
    for at in g.locations_with_cus(seat):
        there.setdefault(space_of(at), []).append(g.count(at, seat))
    number = max if g.rules.forage_apart else sum
    return [space for space, counts in there.items() if number(counts) > limit(g, space) and space not in g.foraged]


def forage(g: Game, seat: str) -> Procedure[None]:
    """6.4 Every such space loses one CU of its owner's choice, or what Attrition takes (16.7)."""
    while spaces := hungry(g, seat):
        space = spaces[0]
        g.foraged.add(space)
        number, elephant_first = toll(g, seat, space)
        inside, outside = g.count(f"{space}/inside", seat), g.count(space, seat)
        if inside and outside and not g.rules.forage_apart:
            yield from lose_in_city(g, seat, space, number, elephant_first)
        else:
            group = Group(space if outside else f"{space}/inside", seat)
            yield from lose(g, seat, group, number, elephant_first, "forage")
        ownership.end_of_procedure(g)


def toll(g: Game, seat: str, space: str) -> tuple[int, bool]:
    """6.4, 16.7 How many CUs the space costs, and whether an Elephant goes first; a dash counts as 1."""
    if not g.rules.forage_attrition:
        return 1, False
    kinds = g.kinds(space, seat) + (g.kinds(f"{space}/inside", seat) if not g.rules.forage_apart else Counter())
    number = kinds.total()
    result = rolled(g, seat, space, column_label(g, number), number, 0, least=1)
    return max(1, number_of(result)), "e" in result


def lose_in_city(g: Game, seat: str, space: str, number: int, elephant_first: bool) -> Procedure[None]:
    """6.4 Inside and outside count together, and each CU may go from either."""
    for at in (space, f"{space}/inside"):
        if elephant_first and g.kinds(at, seat)["elephant"]:
            eliminate(g, Group(at, seat), {"elephant": 1}, "forage")
            elephant_first, number = False, number - 1
    for _ in range(number):
        order = yield lambda: choice(g, seat, space)
        if order:
            at = f"{space}/inside" if order.loc == "inside" else space
            eliminate(g, Group(at, seat), dict(order.pieces.cus), "forage")
        else:
            yield from lose(g, seat, Group(space if g.count(space, seat) else f"{space}/inside", seat), 1, False, "forage")


def choice(g: Game, seat: str, space: str) -> Question | None:
    """One CU, from inside or outside the city."""
    parts = {"outside": g.kinds(space, seat), "inside": g.kinds(f"{space}/inside", seat)}
    if not all(parts.values()):
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb != "lose" or order.pieces.count() != 1 or order.pieces.generals or order.pieces.royals:
            raise Refused("6.4", "losses_wanted", number=1, kinds=dict(parts["outside"] + parts["inside"]))
        kind = order.pieces.cus[0][0]
        for loc in [order.loc] if order.loc else list(parts):
            if parts[loc][kind]:
                return Order("lose", pieces=order.pieces, loc=loc)
        raise Refused("6.4", "losses_not_there", kind=kind, has=0)

    def candidates(side: str) -> Iterator[Order]:
        for kind in CHEAPEST_FIRST:
            for loc in parts:
                yield Order("lose", pieces=ONE_CU[kind], loc=loc)

    default = next(order for order in candidates(seat) if parts[order.loc][order.pieces.cus[0][0]])
    return Ask(seat, "losses", "6.4", read=read, candidates=candidates, default=default, about={
        "number": 1, "at": space, "why": "forage", "kinds": dict(parts["outside"] + parts["inside"])})
