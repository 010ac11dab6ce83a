"""Rules that meet: what comes on top of an open question, and the same movement by another door."""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from the_code import every, trees

from pbem.components.catalogue import facts
from pbem.dev import cases, covered, doors, passing
from pbem.editions import books

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


READINGS = (ROOT / "docs/readings.md").read_text(encoding="utf-8").split("\n## ")
COLUMNS = ["rule", "what is played", "the other reading", "why"]


@pytest.mark.parametrize(("title", "book"), [("The 3rd edition", "third"), ("The draft", "draft")])
def test_every_reading_of_another_book_says_what_else_and_why(title: str, book: str) -> None:
    """One table, each row with its four cells, of sections that the book has; nothing beside it in a list."""
    part = next(part for part in READINGS if part.startswith(f"{title}\n"))
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
    assert table[0] == COLUMNS and not re.search(r"^\s*[*-] ", part, re.MULTILINE)
    rows = table[2:]
    assert rows and [row for row in rows if len(row) != len(COLUMNS) or not all(row)] == []
    assert [row for row in rows if row[1] == row[2]] == []
    for row in rows:
        for rule in row[0].split(", "):
            known = facts().cards if rule.startswith("card ") else books.sections(book).numbers
            assert rule.removeprefix("card ") in known, row[0]


def test_the_readings_are_those_of_the_three_books() -> None:
    assert [part.partition("\n")[0] for part in READINGS] == ["# Readings", "The 3rd edition", "The draft"]


# --- the doors -----------------------------------------------------------------------------------------------------

CHANGES = {"add", "remove", "remove_kinds"}             # of the CUs in the position
HANDS = {"pbem.rules.activation.move_travellers"}       # what only carries: the doors are those who call it


def parsed() -> dict[str, ast.Module]:
    return {path.removesuffix(".py").replace("/", "."): tree for path, tree in trees("pbem/rules/", "pbem/cards/").items()}


def named(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The functions and tables of a module, a table once for each line that adds to it."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                table = target.value if isinstance(target, ast.Subscript) else target
                if isinstance(table, ast.Name):
                    yield table.id, node


def references(modules: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """What each function or table of rules and cards names of others; what a card does is in the table of its module."""
    found = {"pbem.rules.effects.resolve": {f"{module}.EFFECTS" for module in modules if module.startswith("pbem.cards.")}}
    for module, tree in modules.items():
        own = list(named(tree))
        names = {name for name, _ in own}
        known = {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in every(tree, ast.ImportFrom)
                 for alias in node.names}
        for name, node in own:
            used = found.setdefault(f"{module}.{name}", set())
            for part in ast.walk(node):
                if isinstance(part, ast.Name):
                    used.add(f"{module}.{part.id}" if part.id in names else known.get(part.id, ""))
                elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in known:
                    used.add(f"{known[part.value.id]}.{part.attr}")
    return found


def reached(found: Mapping[str, set[str]], starts: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        if (name := waiting.pop()) not in seen:
            seen.add(name)
            waiting += found.get(name, ())
    return seen


def moves_pieces(node: ast.stmt) -> bool:
    """Does this function itself put a piece somewhere?"""
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            targets = [one for target in part.targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
            if any(isinstance(one, ast.Attribute) and one.attr == "at" for one in targets):
                return True
        if (isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGES
                and isinstance(part.func.value, ast.Name) and part.func.value.id == "g"):
            return True
    return False


def doors_in(modules: Mapping[str, ast.Module]) -> set[str]:
    """Whatever moves pieces, and whoever lets a carrier do it."""
    found = references(modules)
    movers = {f"{module}.{name}" for module, tree in modules.items() for name, node in named(tree)
              if isinstance(node, ast.FunctionDef) and moves_pieces(node)}
    callers = {name for name, used in found.items() for hand in HANDS if hand in used}
    return movers - HANDS | callers


def name_of(function: doors.Function) -> str:
    plain = inspect.unwrap(function)
    return f"{plain.__module__}.{plain.__qualname__}"


def test_whatever_moves_a_piece_is_a_door() -> None:
    rows = [name_of(door.moves) for door in doors.DOORS.values()]
    assert len(rows) == len(set(rows))
    assert doors_in(parsed()) | {"pbem.table.position.state"} == set(rows)


def test_a_new_door_is_found() -> None:
    modules = parsed()
    modules["pbem.rules.postern"] = ast.parse(
        "from pbem.rules import activation\n"
        "def sneak(g, one): one.at = 'pella'\n"
        "def smuggle(g): g.add('pella', 'red', {})\n"
        "def tunnel(g): activation.move_travellers(g, 'pella')\n"
        "def look(g): return g.generals['seleukos'].at\n")
    assert doors_in(modules) - doors_in(parsed()) == {f"pbem.rules.postern.{name}" for name in ("sneak", "smuggle", "tunnel")}


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    return references(parsed())


def unasked(door: doors.Door, graph: Mapping[str, set[str]]) -> list[str]:
    """The questions that the table says are asked, and are not: each by the functions that all doors share, and at the end of
    whatever the door is a part of."""
    plain = {**graph, "pbem.rules.effects.resolve": set[str]()}         # what a card does in between counts for nothing
    asked = {"before": reached(plain, map(name_of, door.asks or (door.moves,))),
             "meanwhile": reached(plain, map(name_of, (door.moves, *door.asks)))}
    wanted = {name: set(map(name_of, one.asked)) for name, one in doors.QUESTIONS.items()}
    found = [name for name, one in doors.QUESTIONS.items()
             if name not in door.need_not and name != "end" and not asked[one.when] & wanted[name]]
    for one in door.ends:
        settles = {name_of(one), *graph[name_of(one)]} & wanted["end"]
        if name_of(door.moves) not in reached(graph, [name_of(one)]) or "end" not in door.need_not and not settles:
            found.append(f"end of {name_of(one)}")
    return found


@pytest.mark.parametrize("name", doors.DOORS)
def test_a_door_asks_every_question_or_says_why_not(name: str, graph: dict[str, set[str]]) -> None:
    door = doors.DOORS[name]
    assert door.need_not.keys() <= doors.QUESTIONS.keys() and all(door.need_not.values())
    assert door.ends or "end" in door.need_not
    assert unasked(door, graph) == []


@pytest.mark.parametrize("name, function, left_out, question", [
    ("evasion", "evasion.get_away", "activation.may_be_carried", "royals"),
    ("retreat", "battle_losses.retreat", "activation.keep_inside_limit", "room"),
    ("march", "movement.judge_march", "truce.judge_entering", "enemies"),
    ("dispersed_general", "land_movement.army_vs_general", "victory.attack", "attack"),
    ("shift", "movement.shift", "ownership.end_of_procedure", "end of pbem.rules.movement.shift"),
])
def test_a_question_that_is_left_out_is_found(
    name: str, function: str, left_out: str, question: str, graph: dict[str, set[str]],
) -> None:
    cut = {one: used - {f"pbem.rules.{left_out}"} if one == f"pbem.rules.{function}" else used for one, used in graph.items()}
    assert question in unasked(doors.DOORS[name], cut)


def test_every_door_is_passed_with_every_question_of_its_row_in_a_case() -> None:
    """The cases that `tests/dev/covered.yaml` names are run, and what they come to is noted."""
    kept: dict[str, str] = covered.kept()["doors"]
    assert kept.keys() == set(passing.pairs())
    met = {case["id"]: covered.passed(case) for case in covered.all_cases() if case["id"] in kept.values()}
    assert [pair for pair, case in kept.items() if pair not in met[case]] == []


def test_the_page_is_that_of_the_table() -> None:
    assert (ROOT / "docs/doors.md").read_text(encoding="utf-8") == doors.page()
