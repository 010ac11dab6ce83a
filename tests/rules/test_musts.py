"""Every must beside every may-not: a case where they meet, a reason where they cannot."""

from pathlib import Path
from typing import Any

import pytest

from pbem.dev import covered
from pbem.dev.musts import MAY_NOTS, MUSTS, page

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    return {str(case["id"]): case for case in covered.all_cases()}


@pytest.mark.parametrize("name", MUSTS)
def test_a_must_has_a_case_or_a_reason_for_every_may_not(name: str, known: dict[str, Any]) -> None:
    must = MUSTS[name]
    assert sorted([*must.cases, *must.cannot]) == sorted(MAY_NOTS)
    assert must.cases.keys() <= MAY_NOTS.keys() and all(must.cannot.values())
    for one, case in must.cases.items():
        rules = {str(known[case]["rule"]), *map(str, known[case].get("also", ()))}
        meeting = [rule for rule in (*must.rule.split(", "), MAY_NOTS[one].rule) if rule]
        assert any(cited.startswith(rule) for cited in rules for rule in meeting), (one, case)


def test_the_page_is_that_of_the_table() -> None:
    assert (ROOT / "docs/musts.md").read_text(encoding="utf-8") == page()
