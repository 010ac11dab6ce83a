"""Every change of one condition, refusal or number that can be made in a module, and how it is put in force.

A refusal's condition is made never true, or a refusal without one left out; a condition is always or never true; of what
is joined by and/or one part is left out. Comparisons take in the border or leave it out, numbers go up and down by one,
points of the Ruleset are turned round.
"""

import ast
import gc
import importlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from pbem.editions import EDITIONS
from pbem.telling.rulebook import cited

PACKAGE = Path(__file__).parents[1]
BORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
NO_REFUSALS = frozenset({"AssertionError", "GameOver", "ValueError"})   # the program is at fault, the end, what is caught again

Parents = dict[ast.AST, ast.AST]
Change = Callable[[Any], None]


class Mutant(NamedTuple):
    """One change of the node that stands at this place of the tree; one of the lines has to be reached to notice it."""

    kind: str                           # refusal | condition | part | border | number | point
    file: str                           # within the package
    line: int
    rule: str
    function: str                       # none: the module
    text: str
    lines: range                        # none: everywhere
    place: int
    change: Change

    def __str__(self) -> str:
        return f"{self.file}:{self.line}  {self.rule or '-'}  {self.kind}  {self.said}"

    @property
    def said(self) -> str:
        return f"{self.function}: {self.text}" if self.function else self.text

    @property
    def name(self) -> str:
        """Without the line, which is another one tomorrow."""
        return f"{self.file} {self.said}"


# --- what can be changed -----------------------------------------------------------------------------------------


def mutants(file: Path) -> Iterator[Mutant]:
    """Every change of a module, in the order of its lines."""
    tree = ast.parse(source(file))
    parents: Parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    places = {node: place for place, node in enumerate(ast.walk(tree))}
    found = [change for node in places if isinstance(node, ast.expr | ast.stmt) for change in changes(node, parents)]
    said = Counter[tuple[str, str]]()
    for kind, told, node, changed, change in sorted(found, key=lambda one: one[2].lineno):
        whole = statement(node, parents)
        lines = range(whole.lineno, getattr(header(whole), "end_lineno", whole.lineno) + 1)
        function = function_of(node, parents)
        said[function, told] += 1
        if (again := said[function, told]) > 1:
            told = f"{told} ({again})"
        yield Mutant(kind, file.relative_to(PACKAGE).as_posix(), node.lineno, rule_of(node, parents), function, told,
                     range(0) if in_module(node, parents) else lines, places[changed], change)


@cache
def source(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def changes(node: ast.expr | ast.stmt, parents: Parents) -> Iterator[tuple[str, str, ast.expr | ast.stmt, ast.AST, Change]]:
    """Kind, words, where it is said, the node that is changed, and how."""
    if isinstance(node, ast.Raise) and is_refusal(node):
        above = parents[node]
        if isinstance(above, ast.If):
            yield "refusal", short(node), node, above, never if node in above.body else always
        else:
            yield "refusal", short(node), node, above, left_out(node)
    elif isinstance(node, ast.If | ast.While | ast.IfExp) and not in_module(node, parents):
        yield "condition", f"never {short(node.test)}", node.test, node, never
        if not isinstance(node, ast.While):
            yield "condition", f"always {short(node.test)}", node.test, node, always
    elif isinstance(node, ast.BoolOp):
        for index, value in enumerate(node.values):
            yield "part", f"without {short(value)}: {short(node)}", node, node, without(index)
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


def is_refusal(node: ast.Raise) -> bool:
    what = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return not (isinstance(what, ast.Name) and what.id in NO_REFUSALS)


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
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
        first = node.exc.args[0]
        return str(first.value) if isinstance(first, ast.Constant) else ast.unparse(first)
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.FunctionDef) and (rules := cited(ast.get_docstring(node) or " ")):
            return rules[0]
    return ""


def function_of(node: ast.AST, parents: Parents) -> str:
    """With the functions and classes around it."""
    names = list[str]()
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.insert(0, node.name)
    return ".".join(names)


# --- the changes -------------------------------------------------------------------------------------------------


def instead(value: ast.expr, of: ast.expr) -> ast.expr:
    """What a function inside of another knows of that one it goes on knowing: else its code could not be exchanged."""
    return ast.fix_missing_locations(ast.copy_location(ast.IfExp(ast.Constant(True), value, of), of))


def never(node: ast.If | ast.While | ast.IfExp) -> None:
    node.test = instead(ast.Constant(False), node.test)


def always(node: ast.If | ast.IfExp) -> None:
    node.test = instead(ast.Constant(True), node.test)


def left_out(refused: ast.Raise) -> Change:
    def change(node: ast.AST) -> None:
        for field in ("body", "orelse", "finalbody"):        # a `case` and an `except` have a body too
            block: Any = getattr(node, field, None)
            for index, one in enumerate(block if isinstance(block, list) else ()):
                if isinstance(one, ast.Raise) and one.lineno == refused.lineno:
                    block[index] = ast.fix_missing_locations(ast.copy_location(ast.If(ast.Constant(False), [one], []), one))
    return change


def without(index: int) -> Change:
    def change(node: ast.BoolOp) -> None:
        gone = node.values.pop(index)
        if len(node.values) == 1:
            node.values.append(node.values[0])
        node.values[0] = instead(node.values[0], gone)
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
    for known in remembered():
        if known.__module__ == module_of(mutant.file):
            known.cache_clear()


@cache
def functions() -> list[FunctionType]:
    """All functions of the package: asked for before the forks, which share them."""
    found = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
    return [one for one in found if one.__code__.co_filename.startswith(str(PACKAGE))]


@cache
def remembered() -> "list[_lru_cache_wrapper[Any]]":
    """What remembers its results, which a change may concern."""
    return [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]


def module_of(file: str) -> str:
    return "pbem." + file.removesuffix(".py").replace("/", ".")


def mark(code: CodeType) -> tuple[str, bytes]:
    """What tells a function from all others of its module, two lambdas of one line too."""
    return code.co_qualname, code.co_linetable


def changed(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions of a module that are not what they were, with what they are now."""
    if old == new:
        return
    yield old, new
    before, after = inner(old), inner(new)
    if len(before) == len(after):           # else one has gone with what was changed here, and the others are as they were
        for one, other in zip(before, after, strict=True):
            yield from changed(one, other)


def inner(code: CodeType) -> list[CodeType]:
    """What is defined inside. A comprehension is not: it may have gone together with a condition."""
    return [one for one in code.co_consts
            if isinstance(one, CodeType) and (one.co_name == "<lambda>" or not one.co_name.startswith("<"))]


def remake(file: str, tree: ast.Module, node: ast.AST) -> None:
    """A value that a module makes when it is loaded, wherever it has been imported to; a variant also where it is chosen."""
    module = importlib.import_module(module_of(file))
    whole = next(one for one in tree.body if node in ast.walk(one))
    known = dict(vars(module))
    exec(compile(ast.Module([whole], []), file, "exec"), known)
    if any(node in ast.walk(one.args) for one in ast.walk(whole) if isinstance(one, ast.FunctionDef | ast.Lambda)):
        take_defaults(file)
        return
    for name, value in known.items():
        before = vars(module).get(name)
        if value is not before and name != "__builtins__":
            for other in [one for key, one in sys.modules.items() if key.startswith("pbem")]:
                if vars(other).get(name) is before:
                    setattr(other, name, value)
            EDITIONS.update({edition: value for edition, rules in EDITIONS.items() if rules is before})


def take_defaults(file: str) -> None:
    """The functions that there are get the defaults of those just made, by which their classes are known to nobody."""
    made = {one.__code__.co_qualname: one for one in gc.get_objects()
            if isinstance(one, FunctionType) and one.__code__.co_filename == file}
    for function in functions():
        fresh = made.get(function.__code__.co_qualname) if function.__code__.co_filename == str(PACKAGE / file) else None
        if fresh is not None:
            function.__defaults__, function.__kwdefaults__ = fresh.__defaults__, fresh.__kwdefaults__
