"""The rulebook as an index: number, title, the functions that play it or why there is none. Read off the code."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pbem.base import yamlfile
from pbem.base.paths import PACKAGE, data_dir
from pbem.editions import EDITIONS
from pbem.editions.books import BOOK, elsewhere, printed, shown, titles

# `9.2 B`, `9.3`, or after a comma a bare `D1`; an A before a small letter is an article
CITATION = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2})?)(?: ?([A-L])(\d?)(?=,| [A-Z0-9]))?|([A-L])(\d?)(?=[ ,]))(, | to | and )?")


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
    """Rule, module and function for every function of the rule chapters, cards and variants that names its rule."""
    for folder in ("rules", "cards", "editions"):
        for path in sorted((PACKAGE / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and (docstring := ast.get_docstring(node)):
                    for rule in cited(docstring):
                        yield rule, f"{folder}.{path.stem}", node.name


@cache
def needless() -> dict[str, str]:
    """Rule -> why it has no function of its own."""
    return dict(yamlfile.load(data_dir() / "needless.yaml"))


def index(book: str = BOOK) -> list[dict[str, Any]]:
    """One row a rule that the book has, in the order of the ids: its functions, or why it needs none."""
    known = {rule: (shown(rule), title) for rule, title in titles().items()} if book == BOOK else elsewhere(book)
    rows = {rule: {"rule": rule, "shown": number, "title": title, "functions": [], "needless": needless().get(rule, "")}
            for rule, (number, title) in known.items()}
    for rule, module, name in functions():
        place = f"{module}.{name}"
        listed: Any = rows[rule]["functions"] if rule in rows else []
        if place not in listed:
            listed.append(place)
    return list(rows.values())


def found(number: str, book: str) -> list[dict[str, Any]]:
    """The rows of a rule and of what is below it, by the number that the book prints; without a number all of them."""
    wanted = number.replace(" ", "").upper()
    return [row for row in index(book) if belongs(row["shown"].replace(" ", ""), wanted)]


def belongs(rule: str, wanted: str) -> bool:
    """Is this rule the one that is meant, or a part of it? 1 means 1.2 and never 11."""
    rest = rule.removeprefix(wanted)
    return not wanted or rule == wanted or rest != rule and not (wanted[-1].isdigit() and rest[0].isdigit())


def listed(rows: list[dict[str, Any]], book: str) -> str:
    """The rows as a table; beside the numbers of another book those of the 4th edition."""
    lines = []
    for row in rows:
        here = "" if book == BOOK else f"{shown(row['rule']):<8} "
        lines.append(f"{row['shown']:<8} {row['title']:<44} {here}{', '.join(row['functions']) or row['needless']}")
    return "\n".join(lines)


# --- what the editions do differently ----------------------------------------------------------------------------

POINT = re.compile(r"^    (\w+): .*?# (?:(\d{1,2}(?:\.\d{1,2})?)(?: ([A-L])(\d)?(?= |$))?"
                   r"(?:, [\d. A-L]+?(?= [a-z]|$))? ?)?(.*)$")


def points() -> dict[str, tuple[str, str]]:
    """Each rule point with its rule and what it says, read off the record's own remarks: `name: type  # 9.3 A words`."""
    found = {}
    for line in (PACKAGE / "editions" / "record.py").read_text(encoding="utf-8").splitlines():
        if match := POINT.match(line):
            name, number, letter, digit, words = match.groups()
            found[name] = (f"{number or ''}{letter or ''}{digit or ''}", words or name.replace("_", " "))
    return found


def differences(one: str, other: str) -> list[dict[str, str]]:
    """The rule points in which two editions differ, in the order of the record."""
    first, second = EDITIONS[one], EDITIONS[other]
    rows = []
    for name, (rule, words) in points().items():
        here, there = getattr(first, name), getattr(second, name)
        if here != there:
            rows.append({"point": name, "rule": rule, "words": words, one: said(here), other: said(there)})
    return rows


def numbered(row: Mapping[str, str], book: str) -> str:
    number = printed(row["rule"], book) or f"{shown(row['rule'])} of the 4th edition"
    return f" ({number})" if row["rule"] and book != BOOK else ""


def differences_told(one: str, other: str) -> str:
    """The same as text, by the ids and the numbers of the books that the two cite."""
    lines = []
    for row in differences(one, other):
        lines.append(f"{shown(row['rule']):<7} {row['words']}")
        lines += [f"        {edition}{numbered(row, EDITIONS[edition].book)}: {row[edition]}" for edition in (one, other)]
    return "\n".join(lines) or f"{one} and {other} do nothing differently."


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
