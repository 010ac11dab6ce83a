"""What the draft and the 3rd edition have otherwise: each case holds there, and not in the 4th."""

import copy
from pathlib import Path
from typing import Any

import pytest

from pbem.dev import cases
from pbem.dev.cases import judge

CASES = cases.load(Path(__file__).parents[1] / "cases" / "other-editions.yaml")


@pytest.mark.parametrize("case", CASES, ids=[str(case["id"]) for case in CASES])
def test_it_holds_where_it_is_played_so(case: dict[str, Any]) -> None:
    found = judge(case)
    assert found.verdict == "pass", cases.show([found])


@pytest.mark.parametrize("case", CASES, ids=[str(case["id"]) for case in CASES])
def test_and_not_in_the_4th_edition(case: dict[str, Any]) -> None:
    fourth = copy.deepcopy(case)
    del fourth["given"]["edition"]
    assert judge(fourth).verdict == "fail"
