"""Rules that meet: what comes on top of an open question, and the same movement by another door."""

import re
from pathlib import Path

from pbem.dev import cases

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/cases/doors-4e.yaml"
CITED = re.compile(r"\bR(\d+)\b")


def test_the_cases_of_rules_that_meet_pass() -> None:
    lost = [one for one in cases.run([CASES]) if one.verdict != "pass"]
    assert not lost, cases.show(lost)


# --- docs/readings.md --------------------------------------------------------------------------------------------


def listed() -> list[str]:
    rows = re.findall(r"^\| R(\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$",
                      (ROOT / "docs/readings.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert all(all(cell.strip() for cell in row) for row in rows)
    return [row[0] for row in rows]


def test_every_reading_is_listed_once_and_in_order() -> None:
    assert listed() == [str(number) for number in range(1, len(listed()) + 1)]


def test_every_reading_has_a_case_and_no_case_has_another() -> None:
    assert {number for case in cases.load(CASES) for number in CITED.findall(case["title"])} == set(listed())


def test_the_code_cites_only_what_is_listed() -> None:
    cited = {number for part in ("rules", "cards") for file in (ROOT / "pbem" / part).glob("*.py")
             for number in re.findall(r"[(, ]R(\d+)[),]", file.read_text(encoding="utf-8"))}
    assert cited and cited <= set(listed())
