"""Our own rule cases pass, and they are noticed: what `pbem.dev.mutate` changes makes one of them fail."""

from pathlib import Path

import pytest

from pbem.dev import cases, mutate

OWN, *MORE = (Path(__file__).parents[1] / "cases" / f"{name}-4e.yaml" for name in ("own", "forms", "offers", "numbers"))


def test_our_own_cases_pass() -> None:
    lost = [one for one in cases.run([OWN, *MORE]) if one.verdict != "pass"]
    assert not lost, cases.show(lost)


def test_every_kind_of_change_is_found() -> None:
    found = [mutant for name in ("rules/movement.py", "editions/fourth.py") for mutant in mutate.mutants(mutate.PACKAGE / name)]
    assert {mutant.kind for mutant in found} == {"refusal", "border", "number", "point"}
    three = [mutant for mutant in found if "three_cus_needed" in mutant.text]
    assert [(mutant.kind, mutant.rule) for mutant in three] == [("refusal", "9.3D")]
    assert "2 for 3: remove_pc_cus" in [mutant.text for mutant in found]


def test_a_change_is_noticed_and_leaves_this_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutate, "CASES", ("tests/cases/own-4e.yaml",))
    told: list[str] = []
    summary = mutate.mutate("city_needs_siege", jobs=1, echo=told.append)
    assert (summary.killed, summary.survived) == (1, [])
    assert {mutant.file for mutant in summary.unreached} == {"rules/surrender.py"}
    assert told[0].startswith("2 mutants")
    assert all(one.verdict == "pass" for one in cases.run([OWN], "own-9.3D-a"))
