"""Mutation: every refusal of pbem/rules and every number, changed one at a time, has to make a case fail.

A refusal's condition is made never true, or a refusal without one left out. Numbers go up and down by one, comparisons
take in the border or leave it out, points of the Ruleset are turned round. What no case notices survives: it wants a case.

The cases run once while it is written down which lines each of them reaches. A mutant then meets only those that reach
it, in a fork in which the code of the functions concerned has been exchanged, and is dead at the first that ends otherwise.
"""

import ast
import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from pbem.dev import cases
from pbem.editions import USUAL
from pbem.telling.rulebook import cited

PACKAGE = Path(__file__).parents[1]
SOURCES = ("rules/*.py", f"editions/{USUAL}.py")      # this variant states every point
CASES = ("tests/cases/*.yaml", "tests/cards/*.yaml")
SECONDS = 20                            # longer than any case takes: what runs on has noticed the change
BORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
ERRORS = frozenset({"Refused", "Costly", "NotNow"})

Line = tuple[str, int]
Parents = dict[ast.AST, ast.AST]
Change = Callable[[Any], None]


class Mutant(NamedTuple):
    """One change of the node that stands at this place of the tree; a case has to reach one of the lines to notice it."""

    kind: str                           # refusal | border | number | point
    file: str                           # within the package
    line: int
    rule: str
    text: str
    lines: range                        # none: everywhere
    place: int
    change: Change

    def __str__(self) -> str:
        return f"{self.file}:{self.line}  {self.rule or '-'}  {self.kind}  {self.text}"


class Summary(NamedTuple):
    """How many changes the cases notice, and those that they do not. No case ever comes to the lines of `unreached`."""

    killed: int
    survived: list[Mutant]
    unreached: list[Mutant]

    def __str__(self) -> str:
        number = self.killed + len(self.survived) + len(self.unreached)
        return "\n".join([
            f"{number} mutants: {self.killed} killed, {len(self.survived)} survived, {len(self.unreached)} never reached",
            *(f"  survived       {mutant}" for mutant in self.survived),
            *(f"  never reached  {mutant}" for mutant in self.unreached)])


# --- what can be changed -----------------------------------------------------------------------------------------


def mutants(file: Path) -> Iterator[Mutant]:
    """Every change of a module, in the order of its lines."""
    tree = ast.parse(source(file))
    parents: Parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    places = {node: place for place, node in enumerate(ast.walk(tree))}
    found = [change for node in places if isinstance(node, ast.expr | ast.stmt) for change in changes(node, parents)]
    for kind, told, node, changed, change in sorted(found, key=lambda one: one[2].lineno):
        whole = statement(node, parents)
        lines = range(whole.lineno, getattr(header(whole), "end_lineno", whole.lineno) + 1)
        yield Mutant(kind, file.relative_to(PACKAGE).as_posix(), node.lineno, rule_of(node, parents), told,
                     range(0) if in_module(node, parents) else lines, places[changed], change)


@cache
def source(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def changes(node: ast.expr | ast.stmt, parents: Parents) -> Iterator[tuple[str, str, ast.expr | ast.stmt, ast.AST, Change]]:
    """Kind, words, where it is said, the node that is changed, and how."""
    if isinstance(node, ast.Raise) and refusal(node) is not None:
        above = parents[node]
        if isinstance(above, ast.If):
            yield "refusal", short(node), node, above, never if node in above.body else always
        else:
            yield "refusal", short(node), node, above, left_out(node)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in BORDERS:
        yield "border", short(node), node, node, other_border
    elif isinstance(node, ast.Constant) and not is_index(node, parents):
        point = point_of(node, parents)
        if point and isinstance(node.value, bool):
            yield "point", f"{point}: not {node.value}", node, node, turned
        elif point and isinstance(node.value, str):
            yield "point", f"{point}: not {node.value}", node, node, nonsense
        elif isinstance(node.value, int) and not isinstance(node.value, bool):
            for step in (1, -1):
                where = point or short(header(statement(node, parents)))
                yield "point" if point else "number", f"{node.value + step} for {node.value}: {where}", node, node, plus(step)


def short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:90]


def refusal(node: ast.Raise) -> ast.Call | None:
    call = node.exc
    return call if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ERRORS else None


def statement(node: ast.AST, parents: Parents) -> ast.stmt:
    while not isinstance(node, ast.stmt):
        node = parents[node]
    return node


def header(node: ast.stmt) -> ast.AST:
    """A compound statement without what stands under it."""
    if isinstance(node, ast.If | ast.While):
        return node.test
    return node.iter if isinstance(node, ast.For) else node


def is_index(node: ast.Constant, parents: Parents) -> bool:
    """`rows[0]` names a part, and no rule has that number."""
    above = parents[node]
    while isinstance(above, ast.UnaryOp | ast.Slice):
        above = parents[above]
    return isinstance(above, ast.Subscript)


def in_module(node: ast.AST, parents: Parents) -> bool:
    """Is this done when the module is loaded, and not in a function? So are the defaults of its parameters."""
    while node in parents:
        below, node = node, parents[node]
        if isinstance(node, ast.FunctionDef | ast.Lambda) and below is not node.args:
            return False
    return True


def point_of(node: ast.AST, parents: Parents) -> str:
    """The name of the Ruleset's point that a value belongs to."""
    while node in parents:
        above = parents[node]
        if isinstance(node, ast.keyword) and isinstance(above, ast.Call) and ast.unparse(above.func) == "Ruleset":
            return (node.arg or "") if node.arg != "name" else ""
        node = above
    return ""


def rule_of(node: ast.AST, parents: Parents) -> str:
    """The rule that is cited, or the one that the function is about."""
    if isinstance(node, ast.Raise) and (call := refusal(node)) is not None and call.args:
        first = call.args[0]
        return str(first.value) if isinstance(first, ast.Constant) else ast.unparse(first)
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.FunctionDef) and (rules := cited(ast.get_docstring(node) or " ")):
            return rules[0]
    return ""


# --- the changes -------------------------------------------------------------------------------------------------


def never(node: ast.If) -> None:
    node.test = ast.copy_location(ast.Constant(False), node.test)


def always(node: ast.If) -> None:
    node.test = ast.copy_location(ast.Constant(True), node.test)


def left_out(refused: ast.Raise) -> Change:
    def change(node: ast.AST) -> None:
        for field in ("body", "orelse", "finalbody"):
            block: Any = getattr(node, field, None)
            for index, one in enumerate(block if isinstance(block, list) else ()):
                if isinstance(one, ast.Raise) and one.lineno == refused.lineno:
                    block[index] = ast.copy_location(ast.Pass(), one)
    return change


def other_border(node: ast.Compare) -> None:
    node.ops = [BORDERS[type(node.ops[0])]()]


def turned(node: ast.Constant) -> None:
    node.value = not node.value


def nonsense(node: ast.Constant) -> None:
    node.value = f"not {node.value!s}"


def plus(step: int) -> Change:
    def change(node: ast.Constant) -> None:
        node.value = int(str(node.value)) + step
    return change


# --- putting a change in force -----------------------------------------------------------------------------------


def put_in_force(mutant: Mutant) -> None:
    """In this process: whatever function has the code that has changed gets the new one; a module's value is made anew."""
    file = PACKAGE / mutant.file
    tree = ast.parse(source(file))
    node = next(one for place, one in enumerate(ast.walk(tree)) if place == mutant.place)
    old = compile(ast.parse(source(file)), str(file), "exec", dont_inherit=True)
    mutant.change(node)
    new = compile(tree, str(file), "exec", dont_inherit=True)
    pairs = {mark(before): after for before, after in changed(old, new)}
    for function in functions():
        if function.__code__.co_filename == str(file) and mark(function.__code__) in pairs:
            function.__code__ = pairs[mark(function.__code__)]
    if not mutant.lines:
        remake(mutant.file, tree, node)


@cache
def functions() -> list[FunctionType]:
    """All functions of the package: asked for before the forks, which share them."""
    found = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
    return [one for one in found if one.__code__.co_filename.startswith(str(PACKAGE))]


def mark(code: CodeType) -> tuple[str, bytes]:
    """What tells a function from all others of its module, two lambdas of one line too."""
    return code.co_qualname, code.co_linetable


def changed(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions of a module that are not what they were, with what they are now."""
    if old == new:
        return
    yield old, new
    for before, after in zip(inner(old), inner(new), strict=True):
        yield from changed(before, after)


def inner(code: CodeType) -> list[CodeType]:
    """What is defined inside. A comprehension is not: it may have gone together with a condition."""
    return [one for one in code.co_consts
            if isinstance(one, CodeType) and (one.co_name == "<lambda>" or not one.co_name.startswith("<"))]


def remake(file: str, tree: ast.Module, node: ast.AST) -> None:
    """A value that a module makes when it is loaded, wherever it has been imported to."""
    module = importlib.import_module("pbem." + file.removesuffix(".py").replace("/", "."))
    whole = next(one for one in tree.body if node in ast.walk(one))
    known = dict(vars(module))
    exec(compile(ast.Module([whole], []), file, "exec"), known)
    for name, value in known.items():
        before = vars(module).get(name)
        if value is not before and name != "__builtins__":
            for other in [one for key, one in sys.modules.items() if key.startswith("pbem")]:
                if vars(other).get(name) is before:
                    setattr(other, name, value)


# --- the cases ---------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """A case that passes, and the lines of the rules that it reaches."""

    case: dict[str, Any]
    lines: frozenset[Line]


def known_cases() -> list[Known]:
    found = []
    for pattern in CASES:
        for file in sorted(PACKAGE.parent.glob(pattern)):
            for case in cases.load(file):
                lines, verdict = traced(case)
                if verdict == "pass":
                    found.append(Known(case, lines))
    return sorted(found, key=lambda one: len(one.lines))


def traced(case: dict[str, Any]) -> tuple[frozenset[Line], str]:
    """Which lines of the sources a case reaches."""
    files = {str(file): file.relative_to(PACKAGE).as_posix() for pattern in SOURCES for file in PACKAGE.glob(pattern)}
    reached: set[Line] = set()

    def in_function(frame: FrameType, event: str, value: object) -> Callable[..., Any]:
        reached.add((files[frame.f_code.co_filename], frame.f_lineno))
        return in_function

    def on_call(frame: FrameType, event: str, value: object) -> Callable[..., Any] | None:
        return in_function if frame.f_code.co_filename in files else None

    sys.settrace(on_call)
    try:
        verdict = cases.judge(case).verdict
    finally:
        sys.settrace(None)
    return frozenset(reached), verdict


def witnesses(mutant: Mutant, known: list[Known]) -> list[Known]:
    wanted = {(mutant.file, line) for line in mutant.lines}
    return [one for one in known if not wanted or not wanted.isdisjoint(one.lines)]


def is_noticed(mutant: Mutant, some: list[Known]) -> bool:
    put_in_force(mutant)
    for one in some:
        signal.alarm(SECONDS)
        if cases.judge(one.case).verdict != "pass":
            return True
    return False


# --- the run -----------------------------------------------------------------------------------------------------


def mutate(only: str | None = None, jobs: int = 2, echo: Callable[[str], None] = print) -> Summary:
    """Try every mutant, or those whose line in the list contains a text, and list those that no case notices."""
    chosen = [mutant for pattern in SOURCES for file in sorted(PACKAGE.glob(pattern)) for mutant in mutants(file)
              if only is None or only in str(mutant)]
    known = known_cases()
    echo(f"{len(chosen)} mutants, {len(known)} cases that pass")
    survived, unreached, running, killed = list[Mutant](), list[Mutant](), dict[int, Mutant](), 0
    functions()
    gc.freeze()
    for number, mutant in enumerate(chosen, 1):
        some = witnesses(mutant, known)
        if not some:
            unreached.append(mutant)
            continue
        while len(running) >= jobs:
            killed += ended(running, survived)
        running[started(mutant, some)] = mutant
        if number % 200 == 0:
            echo(f"  {number} of {len(chosen)}, {len(survived)} survived")
    while running:
        killed += ended(running, survived)
    gc.unfreeze()
    return Summary(killed, sorted(survived, key=lambda one: (one.file, one.line)), unreached)


def started(mutant: Mutant, some: list[Known]) -> int:
    """The number of a new process in which the mutant meets the cases; it ends with 0 where none has noticed it."""
    child = os.fork()
    if child:
        return child
    code = 2
    try:
        signal.signal(signal.SIGALRM, lambda number, frame: os._exit(1))
        code = int(is_noticed(mutant, some))
    finally:
        os._exit(code)


def ended(running: dict[int, Mutant], survived: list[Mutant]) -> int:
    """Wait until one of the processes is done; 1 if its mutant was killed."""
    child, status = os.waitpid(-1, 0)
    mutant = running.pop(child)
    code = os.waitstatus_to_exitcode(status)
    if code == 2:
        raise AssertionError(f"no verdict on {mutant}")
    if code == 0:
        survived.append(mutant)
    return int(code != 0)
