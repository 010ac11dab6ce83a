"""The code of the program as it is written: read once for all tests of a process that look at it."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
Node = TypeVar("Node", bound=ast.AST)


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def trees(*under: str) -> dict[str, ast.Module]:
    """Each module by its path, `pbem/rules/siege.py`: all, or those of which the path begins so."""
    paths = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "pbem").rglob("*.py"))}
    return {name: _parsed(path) for name, path in paths.items() if name.startswith(under or "pbem/")}


@cache
def _sorted(tree: ast.AST) -> dict[type[ast.AST], list[ast.AST]]:
    """What `ast.walk` gives, by kinds: a walk through all of the code takes a second."""
    found = defaultdict[type[ast.AST], list[ast.AST]](list)
    waiting = [tree]
    for node in waiting:
        found[type(node)].append(node)
        for part in vars(node).values():
            if isinstance(part, list):
                waiting += [one for one in part if isinstance(one, ast.AST)]
            elif isinstance(part, ast.AST) and not isinstance(part, ast.expr_context):
                waiting.append(part)
    return found


def every(tree: ast.AST, *kinds: type[Node]) -> list[Node]:
    """The nodes of these kinds in a tree."""
    found = _sorted(tree)
    return [node for kind in kinds for node in found.get(kind, ())]  # type: ignore[misc]
