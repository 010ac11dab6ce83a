"""Our own rule cases pass, and they are noticed: what `pbem.dev.mutate` changes makes one of them fail."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.dev import cases, changes, mutate

ROOT = Path(__file__).parents[2]
OWN, *MORE = (ROOT / "tests/cases" / f"{name}-4e.yaml" for name in ("own", "forms", "offers", "numbers"))


def test_our_own_cases_pass() -> None:
    lost = [one for one in cases.run([OWN, *MORE]) if one.verdict != "pass"]
    assert not lost, cases.show(lost)


def test_every_kind_of_change_is_found() -> None:
    files = [changes.PACKAGE / name for name in ("rules/movement.py", "editions/fourth.py")]
    found = [mutant for file in files for mutant in changes.mutants(file)]
    assert {mutant.kind for mutant in found} == {"refusal", "condition", "part", "border", "number", "point"}
    three = [mutant for mutant in found if "three_cus_needed" in mutant.text]
    assert [(mutant.kind, mutant.rule) for mutant in three] == [("refusal", "9.3D")]
    assert "2 for 3: remove_pc_cus" in [mutant.text for mutant in found]


def test_a_function_that_goes_with_a_condition_leaves_the_others() -> None:
    """Behind a refusal that always comes the compiler makes no lambda."""
    text = "def f(x):\n    if {}:\n        raise ValueError\n    def g(): return 1\n    return min(x, key=lambda one: one)\n"
    was, now = (compile(text.format(condition), "x.py", "exec") for condition in ("not x", "True"))
    assert [one.co_name for one, _ in changes.changed(was, now)] == ["<module>", "f"]


def test_a_function_goes_on_knowing_what_it_knew_of_the_one_around_it() -> None:
    """Else its code could not be exchanged: of who won a fight a row asks by a name that is given where the row is made."""
    file = changes.PACKAGE / "telling/changes.py"
    old = compile(changes.source(file), str(file), "exec", dont_inherit=True)
    for mutant in changes.mutants(file):
        tree = ast.parse(changes.source(file))
        mutant.change(next(one for place, one in enumerate(ast.walk(tree)) if place == mutant.place))
        pairs = list(changes.changed(old, compile(tree, str(file), "exec", dont_inherit=True)))
        assert pairs and all(was.co_freevars == now.co_freevars for was, now in pairs), mutant


def test_a_change_is_noticed_and_leaves_this_process_alone() -> None:
    told: list[str] = []
    summary = mutate.mutate("cases", "city_needs_siege", witnesses=("tests/cases/own-4e.yaml",), jobs=1, echo=told.append)
    assert (len(summary.killed), summary.survived) == (1, [])
    assert {mutant.file for mutant in summary.unreached} == {"rules/surrender.py"}
    assert told[0].startswith("2 mutants")
    assert all(one.verdict == "pass" for one in cases.run([OWN], "own-9.3D-a"))


def test_a_point_of_the_rules_is_changed_in_the_games_that_are_played() -> None:
    summary = mutate.mutate("cases", "2 for 3: remove_pc_cus", witnesses=("tests/cases/readings-4e.yaml",), jobs=1, echo=str)
    assert (len(summary.killed), summary.survived, summary.unreached) == (1, [], [])


def test_what_is_argued_stands_in_the_program() -> None:
    assert mutate.without_mutant() == []
    assert len(set(mutate.argued().values())) > 1


def test_a_reason_stands_for_what_nobody_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, third, *_ = changes.mutants(changes.PACKAGE / "rules/siege.py")
    monkeypatch.setattr(mutate, "argued", lambda: {one.name: "only told", third.name: "a floor"})
    told = str(mutate.Summary([third], [one, other], []))
    assert "3 mutants: 1 killed, 2 survived, 0 never reached, 1 of these argued" in told
    assert str(one) not in told and f"survived       {other}" in told
    assert f"noticed, in spite of 'a floor': {third}" in told


def test_two_changes_of_one_statement_have_two_names() -> None:
    names = [mutant.name for mutant in mutate.COURTS["cases"].mutants()]
    assert len(set(names)) == len(names)
    assert any(name.endswith(" (2)") for name in names)


@pytest.mark.parametrize(("witness", "only", "told"), [
    ("base/test_records.py", "raise unknown(", "2 mutants: 1 killed, 0 survived, 1 never reached"),
    ("base/test_records.py", "no_moment", "1 mutants: 0 killed, 0 survived, 1 never reached"),
    # The module cannot be loaded any more; the default of a method, of which its class knows nothing.
    ("base/test_records.py", "4 for 3: TOKEN, SEAT", "1 mutants: 1 killed, 0 survived, 0 never reached"),
    ("desk/test_acts.py", "1 for 0: def ruling", "2 mutants: 2 killed, 0 survived, 0 never reached"),
])
def test_tests_notice_as_cases_do(witness: str, only: str, told: str) -> None:
    """In a process of its own, as pytest runs in it."""
    command = [sys.executable, "-m", "pbem", "dev", "mutate", "tests", f"tests/{witness}", "--only", only]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told in done.stdout, done.stdout + done.stderr


def test_the_page_has_a_row_for_every_module_that_can_be_changed() -> None:
    """docs/mutation.md says so of the rooms around the rules; a room that stands there alone stands for all of its modules."""
    rows = re.findall(r"^\| (`.*?) \| \d", (mutate.ROOT / "docs/mutation.md").read_text(encoding="utf-8"), re.MULTILINE)
    told = set[str]()
    for row in rows:
        room = ""
        for name in re.findall(r"`([^`]+)`", row):
            room = name.rpartition("/")[0] or room
            told |= {name, f"{room}/{name}"}
    files = {mutant.file.removesuffix(".py") for mutant in mutate.COURTS["tests"].mutants()}
    assert sorted(file for file in files if not {file, file.partition("/")[0]} & told) == []
