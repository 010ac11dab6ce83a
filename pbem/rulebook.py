"""The rulebook as an index: number, title, the functions that play it. Read off the code, so that it cannot go stale."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pbem import yamlfile
from pbem.paths import PACKAGE, data_dir

# `9.2 B`, `9.3`, or after a comma a bare `D1`; an A before a small letter is an article
CITATION = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2})?)(?: ?([A-L])(\d?)(?=,| [A-Z0-9]))?|([A-L])(\d?)(?=[ ,]))(, | to | and )?")


@cache
def titles(name: str = "fourth") -> dict[str, str]:
    """4th edition number -> title."""
    return dict(yamlfile.load(data_dir() / f"rulebook.{name}.yaml"))


def shown(rule: str) -> str:
    """A rule number as the rulebook prints it: 9.3D as 9.3 D, 6.2B2 as 6.2 B2."""
    return re.sub(r"(?<=\d)(?=[A-L])", " ", rule)


def cited(docstring: str) -> list[str]:
    """The rules that the first words of a docstring name: `9.2 B, D1 ...` or `11.2, 12.1 ...`."""
    first = docstring.splitlines()[0]
    found: list[str] = []
    base = ""
    while match := CITATION.match(first):
        number, letter, digit, bare, bare_digit, goes_on = match.groups()
        base = number or base
        rule = f"{base}{letter or bare or ''}{digit or bare_digit or ''}"
        if rule not in titles() and rule[:-1] in titles():
            rule = rule[:-1]                                    # 9.2 D1 is part of 9.2 D
        if not base or rule not in titles():
            break
        found.append(rule)
        if not goes_on:
            break
        first = first[match.end():]
    return found


def functions() -> Iterator[tuple[str, str, str]]:
    """Rule, module and function for every function of the rule chapters and cards that names its rule."""
    for folder in ("rules", "cards"):
        for path in sorted((PACKAGE / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and (docstring := ast.get_docstring(node)):
                    for rule in cited(docstring):
                        yield rule, f"{folder}.{path.stem}", node.name


def index() -> list[dict[str, Any]]:
    """One row a rule of the book, in its order; rules without a function have an empty list."""
    rows = {rule: {"rule": rule, "shown": shown(rule), "title": title, "functions": []} for rule, title in titles().items()}
    for rule, module, name in functions():
        place = f"{module}.{name}"
        listed: Any = rows[rule]["functions"]
        if place not in listed:
            listed.append(place)
    return list(rows.values())


# --- what the editions do differently ----------------------------------------------------------------------------

POINT = re.compile(r"^    (\w+): .*?# (?:(\d{1,2}(?:\.\d{1,2})?)(?: ([A-L])(\d)?(?= |$))?"
                   r"(?:, [\d. A-L]+?(?= [a-z]|$))? ?)?(.*)$")


def points() -> dict[str, tuple[str, str]]:
    """Each rule point with its rule and what it says, read off the record's own remarks: `name: type  # 9.3 A words`."""
    found = {}
    for line in (PACKAGE / "editions" / "__init__.py").read_text(encoding="utf-8").splitlines():
        if match := POINT.match(line):
            name, number, letter, digit, words = match.groups()
            found[name] = (f"{number or ''}{letter or ''}{digit or ''}", words or name.replace("_", " "))
    return found


def differences(one: str, other: str) -> list[dict[str, str]]:
    """The rule points in which two editions differ, in the order of the record."""
    from pbem.editions import ruleset

    first, second = ruleset(one), ruleset(other)
    rows = []
    for name, (rule, words) in points().items():
        here, there = getattr(first, name), getattr(second, name)
        if here != there:
            rows.append({"point": name, "rule": rule, "words": words, one: said(here), other: said(there)})
    return rows


def said(value: Any) -> str:
    """A rule point as a person reads it."""
    if callable(value):
        return str(value.__doc__ or value.__name__).splitlines()[0]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {said(one)}" for key, one in value.items()) or "none"
    if isinstance(value, tuple | frozenset):
        return ", ".join(str(one).replace("_", " ") for one in value) or "none"
    return str(value).replace("_", " ")
