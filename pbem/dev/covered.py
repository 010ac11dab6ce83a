"""By which case each pair is covered: a door with a question of its row, and what comes upon a kind of question.

The table is kept in `tests/dev/covered.yaml`; `python -m pbem.dev.covered` finds it anew from all cases.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from pbem.base import yamlfile
from pbem.base.folder import write_whole
from pbem.dev import between, cases, passing
from pbem.dev.given import Case, NotBuilt, NotKnown, staged
from pbem.dev.when import Driver
from pbem.editions import third as book

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests/dev/covered.yaml"
Place = tuple[Any, ...]                 # a case, the number of its question, that of the thing; `third`: by that book
PATIENCE = 200                          # places that are looked at for a pair


def all_cases() -> Iterator[Case]:
    files = [*sorted((ROOT / "tests/cases").glob("*.yaml")), *sorted((ROOT / "tests/cards").glob("*.yaml"))]
    return chain.from_iterable(map(cases.load, files))


def passed(case: Case) -> set[str]:
    """The doors that pieces pass in a case, each with the questions that were asked there."""
    met = passing.Passing()
    with suppress(NotBuilt, NotKnown):
        run = Driver(staged(case))
        with met:
            run.run()
    doors = {pair for pair in met.met if " " not in pair}
    return {pair for pair in met.met if pair.partition(" ")[0] in doors and " " in pair}


def doors_found(known: Iterable[Case]) -> dict[str, str]:
    """Each pair with the first case that comes to it."""
    found: dict[str, str] = {}
    for case in known:
        for pair in passed(case):
            found.setdefault(pair, str(case["id"]))
    return {pair: found[pair] for pair in passing.pairs() if pair in found}


def between_at(place: Place, known: Mapping[str, Case], sort: str) -> between.Tried | None:
    """What becomes of it there; None where it does not come."""
    name, at, number, *third = place
    case = known[name]
    return between.tried(between.in_third(case) if third else case, at, sort, number)


def between_found(known: Mapping[str, Case]) -> dict[str, Place]:
    """Each pair with the first place of a case where it comes."""
    wanted = {f"{sort} upon {kind}" for sort in between.SORTS for kind in between.FREE if not between.argued(sort, kind)}
    found: dict[str, Place] = {}
    looks = Counter[str]()
    for name, case in known.items():
        for third in ([], [book.RULES.name]):
            with suppress(Exception):                           # what does not exist in the 3rd edition cannot be played there
                for at, kind in enumerate(between.questions(between.in_third(case) if third else case)):
                    for sort in between.SORTS if not third else ("command",):
                        pair = f"{sort} upon {kind}"
                        if sort == "command" and not third and between.FREE[kind] == between.MAY:
                            continue
                        for number in range(6 if pair in wanted - found.keys() and looks[pair] < PATIENCE else 0):
                            looks[pair] += 1
                            one = between_at((name, at, number, *third), known, sort)
                            if one is not None and between.as_told(sort, one):
                                found[pair] = (name, at, number, *third)
                                break
    return {f"{sort} upon {kind}": found[pair] for kind in between.FREE for sort in between.SORTS
            if (pair := f"{sort} upon {kind}") in found}


def missing(table: Mapping[str, Any]) -> list[str]:
    """The pairs that no case covers, and of which nothing says why they cannot come."""
    pairs = [f"{sort} upon {kind}" for sort in between.SORTS for kind in between.FREE if not between.argued(sort, kind)]
    return [*(pair for pair in passing.pairs() if pair not in table["doors"]),
            *(pair for pair in pairs if pair not in table["between"])]


def kept() -> dict[str, Any]:
    table: dict[str, Any] = yamlfile.parse(KEPT.read_text(encoding="utf-8"))
    return table


def main() -> None:
    told = ["# Pairs and the case that covers each; written by `python -m pbem.dev.covered`.", "doors:"]
    known = {str(case["id"]): case for case in all_cases()}
    told += [f"  {pair}: {case}" for pair, case in doors_found(known.values()).items()]
    told += ["between:                    # the case, its question, which of the things that could come there"]
    told += [f"  {pair}: [{', '.join(map(str, place))}]" for pair, place in between_found(known).items()]
    write_whole(KEPT, "\n".join([*told, ""]).encode())


if __name__ == "__main__":
    main()
