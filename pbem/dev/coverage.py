"""Which of the functions that stand for a numbered rule were called, and which never.

The first line of their docstrings names the rule; the interpreter tells which ran, in a few games only: it costs time.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pbem

CHAPTERS = ("rules", "cards")
ROOT = Path(pbem.__file__).resolve().parent
NUMBERED = re.compile(r"(\d+(?:\.\d+)?(?: [A-Z]\d?)?)\b")
Name = tuple[str, str]                  # module and line, as text


@contextmanager
def noted(wanted: bool) -> Iterator[set[CodeType]]:
    """The code that was called meanwhile."""
    called: set[CodeType] = set()
    if not wanted:
        yield called
        return

    def note(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            called.add(frame.f_code)

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)


def ours(called: Iterable[CodeType]) -> frozenset[Name]:
    """Those of the rule chapters and cards, by module and line."""
    found = set()
    for code in called:
        path = Path(code.co_filename)
        if path.parent.name in CHAPTERS and path.parent.parent == ROOT:
            found.add((f"{path.parent.name}.{path.stem}", str(code.co_firstlineno)))
    return frozenset(found)


@cache
def numbered() -> dict[Name, str]:
    """Every function of the chapters whose docstring begins with a rule's number: where it stands -> number and name."""
    found = {}
    for chapter in CHAPTERS:
        for path in sorted((ROOT / chapter).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and (rule := NUMBERED.match(ast.get_docstring(node) or "")):
                    line = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                    found[f"{chapter}.{path.stem}", str(line)] = f"{rule[1]} {path.stem}.{node.name}"
    return found


def uncalled(called: Iterable[Name]) -> list[str]:
    """The numbered functions that were never called."""
    seen = set(called)
    return sorted((text for where, text in numbered().items() if where not in seen), key=by_number)


def by_number(text: str) -> tuple[float, str]:
    return float(re.findall(r"[\d.]+", text)[0]), text
