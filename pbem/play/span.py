"""How far chances may lie apart while nobody has read the Battle Table from the box.

The rules name a few of its cells. Any table that never falls with a better roll or a greater strength and has these cells
may be the printed one. Tried are those that lie farthest apart: everything from a column on, or from a roll on, as high as
it can be and all before it as low as it can be, and the other way round. Breaks between columns are taken as they are.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from pbem.base import ready
from pbem.base.paths import data_dir

Table = tuple[tuple[int, ...], ...]         # a column for each range of strengths, a score for each roll
Ways = Counter[tuple[int, int]]             # strength and roll -> in how many ways
NO_LIMIT = 100                              # higher than any score that the rules name
NO_COLUMN = -1                              # for whoever has no strength


def known_cells() -> dict[tuple[str, int], int]:
    """The cells that the rules name: column and roll."""
    told = ready.contents(data_dir() / "tables.yaml")["battle_table"]["prov"]
    return {(str(cell["column"]), int(cell["roll"])): int(cell["score"]) for cell in told.get("cells_known", ())}


@cache
def allowed(labels: tuple[str, ...], rolls: tuple[int, ...]) -> tuple[Table, ...]:
    """The tables farthest apart that still have every cell that is known."""
    known = {(labels.index(label), rolls.index(roll)): score
             for (label, roll), score in known_cells().items() if label in labels}
    cells = list(product(range(len(labels)), range(len(rolls))))
    low = {(c, r): max((score for (column, roll), score in known.items() if column <= c and roll <= r), default=0)
           for c, r in cells}
    high = {(c, r): min((score for (column, roll), score in known.items() if column >= c and roll >= r),
                        default=NO_LIMIT + c * len(rolls) + r) for c, r in cells}

    def table(cell: Callable[[int, int], int]) -> Table:
        return tuple(tuple(cell(c, r) for r in range(len(rolls))) for c in range(len(labels)))

    def steep(axis: int, at: int) -> Table:
        return table(lambda c, r: (high if (c, r)[axis] >= at else low)[c, r])

    def flat(axis: int, at: int) -> Table:
        """All before it is high; from there on it rises no more than it has to."""
        def cell(c: int, r: int) -> int:
            before = (min(c, at - 1), r) if axis == 0 else (c, min(r, at - 1))
            return max(low[c, r], high[before]) if at else low[c, r]
        return table(cell)

    return tuple(dict.fromkeys([make(axis, at) for axis, many in ((0, len(labels)), (1, len(rolls)))
                                for at in range(many + 1) for make in (steep, flat)]))


def won(table: Mapping[str, Any], ours: Ways, theirs: Ways) -> tuple[Fraction, Fraction]:
    """The least and the most that one side may win, by strengths and rolls of both."""
    columns: Sequence[Mapping[str, Any]] = table["columns"]
    rolls: list[int] = table["rolls"]
    ours_is = tuple(tuple(map(int, column["scores"])) for column in columns)            # one of those that may be, too
    own, other = cells(columns, rolls, ours), cells(columns, rolls, theirs)
    zero, found = int(table["strength_zero_score"]), []
    for one in (ours_is, *allowed(tuple(str(column["label"]) for column in columns), tuple(rolls))):
        against = scores(one, other, zero).items()
        found.append(sum(number * more for score, number in scores(one, own, zero).items()
                         for less, more in against if score > less))
    total = ours.total() * theirs.total()
    return Fraction(min(found), total), Fraction(max(found), total)


def cells(columns: Sequence[Mapping[str, Any]], rolls: Sequence[int], ways: Ways) -> Ways:
    """Where strengths and rolls are looked up, whatever stands there: many of them in the same cell."""
    column_of = {strength: next(at for at, range_ in enumerate(columns) if range_["max"] is None or strength <= range_["max"])
                 if strength > 0 else NO_COLUMN for strength, _ in ways}
    found = Ways()
    for (strength, roll), number in ways.items():
        found[column_of[strength], min(max(roll, rolls[0]), rolls[-1]) - rolls[0]] += number
    return found


def scores(table: Table, found: Ways, zero: int) -> Counter[int]:
    """What stands in these cells; `zero` is the score of those who have no strength at all."""
    told = Counter[int]()
    for (column, roll), number in found.items():
        told[table[column][roll] if column != NO_COLUMN else zero] += number
    return told
