"""By which case each pair is covered: a door with a question of its row, and what comes upon a kind of question.

The table is kept in `tests/dev/covered.yaml`; `python -m pbem.dev.covered` finds it anew from all cases, and `docs/pairs.md` shows it.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from pbem.base import yamlfile
from pbem.base.folder import write_whole
from pbem.dev import cases, passing
from pbem.dev.given import Case, NotBuilt, NotKnown, staged
from pbem.dev.when import Driver

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests/dev/covered.yaml"
Covered = Mapping[str, str]


def all_cases() -> Iterator[Case]:
    files = [*sorted((ROOT / "tests/cases").glob("*.yaml")), *sorted((ROOT / "tests/cards").glob("*.yaml"))]
    return chain.from_iterable(map(cases.load, files))


def passed(case: Case) -> set[str]:
    """The doors that pieces pass in a case, each with the questions that were asked there."""
    met = passing.Passing()
    with met.listening(), suppress(NotBuilt, NotKnown):
        run = Driver(staged(case))
        met.noting = True
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


def kept() -> dict[str, Any]:
    table: dict[str, Any] = yamlfile.parse(KEPT.read_text(encoding="utf-8"))
    return table


def main() -> None:
    told = ["# Pairs and the case that covers each; written by `python -m pbem.dev.covered`.", "doors:"]
    told += [f"  {pair}: {case}" for pair, case in doors_found(all_cases()).items()]
    write_whole(KEPT, "\n".join([*told, ""]).encode())


if __name__ == "__main__":
    main()
