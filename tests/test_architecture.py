"""What keeps the code as it was meant: ruff, types, layers, and rules that only the syntax tree shows."""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from the_code import ROOT, every, trees

# Rules and cards are reached by the game and know the position, not where it is kept nor how it is told.
RULE_CODE = ("pbem.rules", "pbem.cards")
STRANGE_TO_RULES = (
    "pbem.log", "pbem.base.yamlfile", "pbem.base.folder", "pbem.base.mirror", "pbem.base.paths", "pbem.chance",
    "yaml", "json", "jinja2", "click", "email", "pathlib", "os", "io", "shutil", "subprocess",
    "random", "secrets", "time", "datetime",
)
SPEAKERS = ("pbem.__main__", "pbem.cli", "pbem.dev", "pbem.chance.verify_min")

# A procedure may be called for these, which run it themselves; everywhere else it stands after `yield from`.
STARTERS = {"interrupt", "Table"}

Modules = Mapping[str, ast.Module]


def run(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_ruff() -> None:
    run(sys.executable, "-m", "ruff", "check", "--quiet", ".")


def test_ruff_reads_all_of_it() -> None:
    """It passes over what .gitignore names, as the tool does that builds the release."""
    seen = run(sys.executable, "-m", "ruff", "check", "--show-files", ".").splitlines()
    there = {str(path) for room in ("pbem", "tests", "scripts", ".ci/page") for path in (ROOT / room).rglob("*.py")}
    assert there - set(seen) == set()


def test_types() -> None:
    run(sys.executable, "-m", "mypy", "--strict", "pbem")


def test_layers() -> None:
    run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")


# --- Reading the code ---------------------------------------------------------


def texts() -> dict[str, str]:
    """Each module of the package by its dotted name."""
    found = {}
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text()
    return found


def parsed(code: Mapping[str, str]) -> Modules:
    return {module: ast.parse(text) for module, text in code.items()}


@pytest.fixture(scope="module")
def modules() -> Modules:
    return dict(zip(texts(), trees().values(), strict=True))


def is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name that a module has from elsewhere, and what it stands for, dotted: type hints and late imports too."""
    for plain in every(tree, ast.Import):
        yield from ((name.asname or name.name.partition(".")[0], name.name) for name in plain.names)
    for node in every(tree, ast.ImportFrom):
        assert node.module and not node.level, "imports are absolute"
        yield from ((name.asname or name.name, f"{node.module}.{name.name}") for name in node.names)


def imported(tree: ast.Module) -> dict[str, str]:
    return dict(imports(tree))


@cache
def functions(tree: ast.Module) -> list[tuple[ast.FunctionDef, bool]]:
    """Every function, and whether it is a method."""
    methods = {part for one in every(tree, ast.ClassDef) for part in one.body}
    return [(one, one in methods) for one in every(tree, ast.FunctionDef)]


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a module, class or function itself, not in functions and classes inside it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


# --- Procedures are called with `yield from` ----------------------------------

# A plain generator is annotated Iterator; a procedure says what it is, or has a decorator that makes it one.
PROCEDURE = re.compile(r"'?(\w+\.)*Procedure\b.*")
MAKES_PROCEDURES = re.compile(r".*Callable\[.*, (\w+\.)*Procedure\b.*")


def says(pattern: re.Pattern[str], annotation: ast.expr | None) -> bool:
    return annotation is not None and bool(pattern.fullmatch(ast.unparse(annotation)))


def holds_procedures(node: ast.AST) -> bool:
    """A field, a name or a table of functions that are procedures."""
    return isinstance(node, ast.AnnAssign) and says(MAKES_PROCEDURES, node.annotation)


def last(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case other:
            return ast.unparse(other).rpartition(".")[2]


class Procedures:
    """Whatever hands back a procedure when called: functions, methods, and names that hold functions."""

    def __init__(self, modules: Modules) -> None:
        everything = [(module, function, is_method) for module, tree in modules.items()
                      for function, is_method in functions(tree)]
        self.makers = {function.name for _, function, _ in everything
                       if says(MAKES_PROCEDURES, function.returns)}
        self.functions = {f"{module}.{function.name}" for module, function, is_method in everything
                          if not is_method and self.is_made(function)}
        self.plain = {f"{module}.{function.name}" for module, function, is_method in everything
                      if not is_method and not self.is_made(function)}
        self.members = {function.name for _, function, is_method in everything
                        if is_method and self.is_made(function)}
        self.plain_of: dict[str, set[str]] = {}
        for tree in modules.values():
            self.members |= {last(node.target) for node in every(tree, ast.AnnAssign) if holds_procedures(node)}
            for one in every(tree, ast.ClassDef):
                plain = [part.name for part in one.body if isinstance(part, ast.FunctionDef) and not self.is_made(part)]
                self.plain_of.setdefault(one.name, set()).update(plain)
        self.bare: dict[str, list[str]] = {}
        for name in self.functions:
            self.bare.setdefault(name.rpartition(".")[2], []).append(name)

    def is_made(self, function: ast.FunctionDef) -> bool:
        return says(PROCEDURE, function.returns) or any(
            last(decorator) in self.makers for decorator in function.decorator_list)

    def is_called(
        self, call: ast.Call, module: str, known: Mapping[str, str], types: Mapping[str, str],
    ) -> bool:
        called = call.func
        if isinstance(called, ast.Name):
            return self.is_one(known.get(called.id, f"{module}.{called.id}"))
        if isinstance(called, ast.Subscript):
            return last(called.value) in self.members
        if not isinstance(called, ast.Attribute):
            return False
        owner = called.value.id if isinstance(called.value, ast.Name) else ast.unparse(called.value)
        if owner in known:
            return self.is_one(f"{known[owner]}.{called.attr}")
        if called.attr in self.plain_of.get(types.get(owner, ""), ()):
            return False
        # A rule point of the game (`g.rules.interceptions`) may be a whole procedure.
        return called.attr in self.members or (called.attr in self.bare and last(called.value) == "rules")

    def is_one(self, name: str) -> bool:
        """A name may also come through the package that hands it on."""
        if name in self.functions or name in self.plain:
            return name in self.functions
        package, _, bare = name.rpartition(".")
        return any(is_in(one, (package,)) for one in self.bare.get(bare, ()))


def loose_calls(modules: Modules) -> list[str]:
    """Calls of procedures that nobody runs: they would do nothing at all, without a word."""
    procedures = Procedures(modules)
    return [f"{module}:{call.lineno}: {ast.unparse(call)}" for module, tree in modules.items()
            for call in unrun(tree, module, procedures)]


def unrun(tree: ast.Module, module: str, procedures: Procedures) -> Iterator[ast.Call]:
    known = imported(tree)
    run = run_by_others(tree)
    for scope, types in scopes(tree, {}):
        calls = [node for node in own_nodes(scope) if isinstance(node, ast.Call) and node not in run]
        yield from (call for call in calls if procedures.is_called(call, module, known, types))


def run_by_others(tree: ast.Module) -> set[ast.AST]:
    """The expressions whose procedure is run by `yield from`, by a starter, or by whoever called for it."""
    found: set[ast.AST] = set()
    for node in every(tree, ast.YieldFrom, ast.Call, ast.AnnAssign, ast.FunctionDef):
        if isinstance(node, ast.YieldFrom):
            found.add(node.value)
        elif isinstance(node, ast.Call) and last(node.func) in STARTERS:
            found |= {*node.args, *(keyword.value for keyword in node.keywords)}
        elif holds_procedures(node):
            found |= {part.body for part in ast.walk(node) if isinstance(part, ast.Lambda)}
        elif isinstance(node, ast.FunctionDef) and says(PROCEDURE, node.returns):
            found |= {part.value for part in own_nodes(node) if isinstance(part, ast.Return) and part.value}
    for one in every(tree, ast.FunctionDef):
        parts = list(own_nodes(one))
        handed_on = {part.id for part in parts if isinstance(part, ast.Name) and part in found}
        found |= {part.value for part in parts
                  if isinstance(part, ast.Assign) and {last(target) for target in part.targets} <= handed_on}
    branches = {part for node in found if isinstance(node, ast.IfExp) for part in (node.body, node.orelse)}
    return found | branches


Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.Lambda


def scopes(scope: Scope, types: Mapping[str, str]) -> Iterator[tuple[Scope, Mapping[str, str]]]:
    """Module, classes and functions, each with the names whose class is known there."""
    if isinstance(scope, ast.FunctionDef):
        named = {arg.arg: ast.unparse(arg.annotation) for arg in scope.args.args if arg.annotation}
        types = {**types, **{name: text.strip("'") for name, text in named.items()}}
    yield scope, types
    inside = {**types, "self": scope.name} if isinstance(scope, ast.ClassDef) else types
    for node in own_nodes(scope):
        if isinstance(node, Scope):
            yield from scopes(node, inside)


def test_no_procedure_is_called_without_yield_from(modules: Modules) -> None:
    assert loose_calls(modules) == []


def test_generators_of_rules_and_kernel_say_what_they_are(modules: Modules) -> None:
    """A generator is a Procedure or a plain Iterator: otherwise the test above could not tell them apart."""
    vague = [
        f"{module}:{function.lineno}: {function.name}"
        for module, tree in modules.items() if is_in(module, (*RULE_CODE, "pbem.editions", "pbem.kernel"))
        for function, _ in functions(tree)
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function))
        and not says(PROCEDURE, function.returns)
        and not re.match(r"(Iterator|Iterable)\b", ast.unparse(function.returns) if function.returns else "")
    ]
    assert vague == []


SAMPLE = {
    "pbem.kernel": """
class Game:
    def ask(self, side: str) -> Procedure[str]: yield side
    def again(self) -> None:
        self.begin()
    def begin(self) -> None: ...
class Segment:
    def begin(self) -> Procedure[None]: yield self
def at_once(act: Callable[P, None]) -> Callable[P, Procedure[None]]: ...
""",
    "pbem.rules": "from pbem.rules.naval import sail",
    "pbem.rules.naval": """
def sail(g) -> Procedure[None]: yield g
def ports(g) -> Iterator[str]: yield g
@at_once
def land(g) -> None: g.landed = True
class Ruleset:
    embarkation: Callable[[Game], Procedure[None]]
""",
}


@pytest.mark.parametrize("line", [
    "naval.sail(g)", "sail(g)", "sailing(g)", "x = sail(g)", "list(sail(g))", "yield sail(g)", "g.ask(side)",
    "g.rules.embarkation(g)", "g.rules.sail(g)", "yield lambda: sail(g)", "return sail(g)", "ours(g)",
    "yield from ports(sail(g))", "STEPS['sail'](g)", "naval.land(g)", "g.segment.begin()",
    "def inner(game: Game) -> None: segment.begin()",
])
def test_a_loose_call_is_found(line: str) -> None:
    assert len(loose_calls(with_line(line, "Iterator[None]"))) == 1


@pytest.mark.parametrize("line", [
    "yield from naval.sail(g)", "x = yield from sail(g)", "g.interrupt(sail(g))", "Table(main=sail(g))",
    "yield from g.rules.embarkation(g)", "list(naval.ports(g))", "g.sail(g)", "return sail(g)",
    "start = sail", "more: dict[str, Callable[[Game], Procedure[None]]] = {'sail': lambda g: naval.sail(g)}",
    "yield from STEPS['sail'](g)", "yield from naval.land(g)",
    "act = sail(g) if g.fleet else naval.land(g); g.interrupt(act)",
    "def inner(game: Game) -> None: game.begin()",
])
def test_a_proper_call_is_not(line: str) -> None:
    assert loose_calls(with_line(line, "Procedure[None]")) == []


def with_line(line: str, returned: str) -> Modules:
    return parsed(SAMPLE | {"pbem.rules.sequence": f"""
from pbem.rules import naval, sail
from pbem.rules.naval import sail as sailing
STEPS: dict[str, Callable[[Game], Procedure[None]]] = {{}}
def ours(g) -> Procedure[None]: yield g
def segment(g) -> {returned}:
    {line}
"""})


# --- What travels is a record -------------------------------------------------

FEW = 5                                                 # what a reader of a call keeps in mind
RECORDS = ("pbem.mail",)
OUTSIDE = ("pbem.mail.records", "pbem.mail.desk")       # what reads files of any content


def parameters(function: ast.FunctionDef | ast.Lambda, is_method: bool) -> int:
    """How many things a function is given, whatever way."""
    given = function.args
    return (len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs) + (given.vararg is not None)
            + (given.kwarg is not None) - is_method)


def test_functions_are_given_records_and_not_their_parts(modules: Modules) -> None:
    found = [
        f"{module}:{function.lineno}: {function.name} takes {count}"
        for module, tree in modules.items() if is_in(module, RECORDS)
        for function, is_method in functions(tree) if (count := parameters(function, is_method)) > FEW
    ]
    assert found == []


def test_nothing_in_the_mailbox_is_of_any_type_as_a_whole(modules: Modules) -> None:
    """`Any` stands for what a file or a sentence may hold, never for what a function is given or gives back."""
    found = [
        f"{module}:{function.lineno}: {function.name}"
        for module, tree in modules.items() if is_in(module, RECORDS) and module not in OUTSIDE
        for function, _ in functions(tree)
        for hint in (function.returns, *(arg.annotation for arg in (*function.args.args, *function.args.kwonlyargs)))
        if hint is not None and ast.unparse(hint) == "Any"
    ]
    assert found == []


# --- Words and names ----------------------------------------------------------


def test_rule_code_does_not_speak_of_editions() -> None:
    """Numbers and sequences that differ are asked of `g.rules`."""
    word = re.compile(r"(?<![a-z])(edition|option)s?(?![a-z])", re.IGNORECASE)
    found = [
        f"{module}:{token.start[0]}: {token.string}"
        for module, text in texts().items() if is_in(module, RULE_CODE)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type != tokenize.COMMENT and word.search(token.string)
    ]
    assert found == []


def test_rule_code_knows_no_files_and_no_wording(modules: Modules) -> None:
    found = [
        f"{module}: {name}"
        for module, tree in modules.items() if is_in(module, RULE_CODE)
        for name in imported(tree).values() if is_in(name, STRANGE_TO_RULES)
    ]
    assert found == []


def test_kernel_and_chance_know_nothing_of_the_game(modules: Modules) -> None:
    allowed = {"pbem.kernel.procedures": ("pbem.base.errors",), "pbem.chance.scheme": (), "pbem.chance.verify_min": ()}
    found = [
        f"{module}: {name}"
        for module, tree in modules.items() if module in allowed
        for name in imported(tree).values() if is_in(name, ("pbem",)) and not is_in(name, allowed[module])
    ]
    assert found == []


def test_only_commands_print(modules: Modules) -> None:
    found = [
        f"{module}:{node.lineno}"
        for module, tree in modules.items() if not is_in(module, SPEAKERS)
        for node in every(tree, ast.Call) if isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert found == []


def test_rule_code_reads_no_prose(modules: Modules) -> None:
    """Where a game stands is a typed value; only what a moderator copies off a table is taken apart."""
    apart = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "strip"}
    found = {
        f"{module}.{function.name}"
        for module, tree in modules.items() if is_in(module, RULE_CODE)
        for function, _ in functions(tree)
        for node in ast.walk(function) if isinstance(node, ast.Attribute) and node.attr in apart
    }
    assert found == {"pbem.rules.siege.read", "pbem.rules.attrition.number_of"}


# --- One word for one thing ---------------------------------------------------

MANY = 8                                                # modules that share a name without its standing in the table


def shared(modules: Modules) -> dict[str, set[str]]:
    """The name of a function or method -> the modules that have one; those of Python and what is a module's own left out."""
    found: dict[str, set[str]] = {}
    for module, tree in modules.items():
        for scope in (tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))):
            for node in scope.body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, set()).add(module)
    return found


def test_a_name_that_many_modules_share_means_what_the_page_says(modules: Modules) -> None:
    """Whoever reads `take` in a module that he does not know should not have to guess which of nine things is taken."""
    table = DESIGN.partition("| name | in all of them |")[2].partition("\n\n")[0]
    said = {name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    many = {name for name, by in shared(modules).items() if len(by) >= MANY}
    assert sorted(many - said) == [] and sorted(said - many) == []


def test_a_name_is_counted_once_a_module_and_methods_too() -> None:
    code = {"a": "def take(): ...\nclass A:\n    def take(self): ...\n    def __init__(self): ...\ndef _own(): ...",
            "b": "class B:\n    def take(self):\n        def inside(): ..."}
    assert shared(parsed(code)) == {"take": {"a", "b"}}


# --- What the program does not need -------------------------------------------

# Who calls it is not written in Python of ours: the page's worker, a terminal's shell, a library that asks its like.
CALLED_FROM_OUTSIDE = {
    "Engine": "pbem/data/desk/run.js", "Terminal": "pbem/data/desk/run.js", "Undefined": "what jinja2 made of a sentence",
    "str_join": "what jinja2 made of a sentence", "resolve_or_missing": "what jinja2 made of a sentence",
    "shell_complete": "click", "redirect_request": "urllib"}


def unneeded(modules: Modules, elsewhere: str) -> list[str]:
    """Functions and classes that nothing of the program names; `pbem.dev` is no use, words of templates are."""
    named = set(re.findall(r"\w+", elsewhere))
    program = [tree for module, tree in modules.items() if not is_in(module, ("pbem.dev",))]
    for tree in program:
        named |= {node.id for node in every(tree, ast.Name)} | {node.attr for node in every(tree, ast.Attribute)}
        named |= {node.value for node in every(tree, ast.Constant) if isinstance(node.value, str)}
    return [node.name for tree in program for node in every(tree, ast.FunctionDef, ast.ClassDef)
            if node.name not in named and not node.name.startswith("__") and not is_command(node)]


def is_command(node: ast.AST) -> bool:
    """click has it by its decorator."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(one, ast.Call) and last(one.func) in ("command", "group") for one in node.decorator_list)


def test_what_only_tests_and_proofs_call_is_not_the_program(modules: Modules) -> None:
    """A case that passes by a function which no game ever comes to proves nothing of games."""
    templates = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.*") if path.is_file())
    assert sorted(set(unneeded(modules, templates)) - CALLED_FROM_OUTSIDE.keys()) == []


def test_what_is_not_needed_is_found() -> None:
    code = {"pbem.a": "def used(): ...\ndef proved(): ...\n@click.command()\ndef told(): ...\nclass Idle: ...",
            "pbem.b": "from pbem.a import used\nused()", "pbem.dev.c": "from pbem.a import proved\nproved()"}
    assert unneeded(parsed(code), "") == ["proved", "Idle"]
    assert unneeded(parsed(code), "{{ x | proved }}") == ["Idle"]


# --- Knots --------------------------------------------------------------------

def needs(modules: Modules) -> dict[str, set[str]]:
    """Module -> the modules that it has anything from."""
    return {module: {name if name in modules else name.rpartition(".")[0] for _, name in imports(tree)}
            & modules.keys() - {module} for module, tree in modules.items()}


def knots(needed: Mapping[str, set[str]]) -> list[set[str]]:
    """The groups of modules each of which needs every other, by whatever way round."""
    reached = {module: reach(needed, module) for module in needed}
    groups = {frozenset({module, *(other for other in reached[module] if module in reached[other])}) for module in needed}
    return [set(group) for group in groups if len(group) > 1]


def reach(needed: Mapping[str, set[str]], start: str) -> set[str]:
    """The modules that one needs, and those that these need."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = needed[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_no_modules_need_each_other(modules: Modules) -> None:
    """Who wants to understand one module must not have to understand twenty."""
    assert [sorted(knot) for knot in knots(needs(modules))] == []


def test_a_knot_is_found_wherever_the_import_stands() -> None:
    circle = {
        "pbem.a": "from pbem import b",
        "pbem.b": "def late():\n    from pbem.c import something",
        "pbem.c": "if TYPE_CHECKING:\n    from pbem.d import Something",
        "pbem.d": "import pbem.a\nfrom pbem.e import thing",
        "pbem.e": "import re",
    }
    assert knots(needs(parsed(circle))) == [{"pbem.a", "pbem.b", "pbem.c", "pbem.d"}]


# --- Each table is its module's own -------------------------------------------

CHANGES = {"add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault",
           "sort", "update", "setattr", "delattr"}


def root(node: ast.AST) -> str:
    """The name that a target or a call begins with: `a` of `a.b[c].d`."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def patches(tree: ast.Module) -> Iterator[str]:
    """What a module changes, while it is loaded, in something that it has from elsewhere in the package."""
    strange = {name for name, meaning in imported(tree).items() if is_in(meaning, ("pbem",))}
    nodes = [node for scope in every(tree, ast.Module, ast.ClassDef) for node in own_nodes(scope)]
    for node in nodes:                              # other names for the same things
        if isinstance(node, ast.For) and any(isinstance(part, ast.Name) and part.id in strange for part in ast.walk(node.iter)):
            strange |= {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.Assign) and root(node.value) in strange:
            strange |= {one.id for one in node.targets if isinstance(one, ast.Name)}
    for node in nodes:
        changed: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            changed = [one for one in node.targets if not isinstance(one, ast.Name)]
        elif isinstance(node, ast.AugAssign) or isinstance(node, ast.AnnAssign) and not isinstance(node.target, ast.Name):
            changed = [node.target]
        elif isinstance(node, ast.Call) and last(node.func) in CHANGES:
            changed = [node.func] if isinstance(node.func, ast.Attribute) else node.args[:1]
        yield from (ast.unparse(node) for one in changed if root(one) in strange)


def test_no_module_changes_anothers_table_when_it_is_loaded(modules: Modules) -> None:
    """What a game is played with is put together where it is read, whoever was loaded first."""
    assert {module: found for module, tree in modules.items() if (found := list(patches(tree)))} == {}


@pytest.mark.parametrize("line, found", [
    ("movement.ACTS['siege'] = ACT", 1), ("ACTS |= {'siege': ACT}", 1), ("movement.ACTS.update(OWN)", 1),
    ("setattr(movement, 'x', 1)", 1),
    ("for table in (movement.ACTS, OWN): table.update(OWN)", 1), ("TABLE = movement.ACTS; TABLE['siege'] = ACT", 1),
    ("del movement.ACTS['roll']", 1), ("OWN['siege'] = ACT", 0), ("OWN = {**ACTS}; OWN.update(ACTS)", 0),
    ("def later(): movement.ACTS['siege'] = ACT", 0), ("OWN: dict = {}", 0),
])
def test_a_patch_is_found(line: str, found: int) -> None:
    tree = ast.parse(f"from pbem.rules import movement\nfrom pbem.rules.movement import ACTS\nOWN = {{}}\n{line}")
    assert len(list(patches(tree))) == found


# --- The page that shows the rooms --------------------------------------------

DESIGN = (ROOT / "docs/design.md").read_text(encoding="utf-8")
ROOMS = sorted(path.parent.name for path in (ROOT / "pbem").glob("*/__init__.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_lives_there_and_what_it_may_touch(room: str, modules: Modules) -> None:
    said = (ast.get_docstring(modules[f"pbem.{room}"]) or "").split("\n\n")
    assert len(said) >= 2 and all(said[:2])
    row = re.search(rf"^\| .*`{room}`.* \| \S.* \| \S.* \|$", DESIGN, re.MULTILINE)
    assert row is not None and re.search(rf"\b{room}\b", DESIGN.partition("```")[2].partition("```")[0])


def test_what_the_page_points_at_is_there(modules: Modules) -> None:
    """Each `pbem/file.py:name` and `pbem/file.py`."""
    found = re.findall(r"`(pbem/[\w/.]+)(?::(\w+))?`", DESIGN)
    assert len(found) > 10
    for path, name in found:
        assert (ROOT / path).exists(), path
        if name:
            tree = modules[path.removesuffix(".py").replace("/", ".")]
            named = {one.name for one in every(tree, ast.FunctionDef, ast.ClassDef)}
            named |= {last(one.target) for one in every(tree, ast.AnnAssign)}
            named |= {last(target) for one in every(tree, ast.Assign) for target in one.targets}
            assert name in named, f"{path}:{name}"
