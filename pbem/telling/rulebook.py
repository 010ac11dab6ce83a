"""The rulebook as an index: number, title, the functions that play it or why there is none. Read off the code."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import Any

from pbem.base import yamlfile
from pbem.base.language import sentences
from pbem.base.paths import ENGLISH, PACKAGE, data_dir
from pbem.editions import EDITIONS, ruleset
from pbem.editions.books import BOOK, Differing, differing, elsewhere, known, printed, sections, shown, titles
from pbem.orders.tongues import latin

# `9.2 B`, `9.3`, or after a comma a bare `D1`; an A before a small letter is an article
CITATION = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2}){0,2})(?: ?([A-L])(\d?)(?=,| [A-Z0-9]))?|([A-L])(\d?)(?=[ ,]))(, | to | and )?")


def cited(docstring: str) -> list[str]:
    """The rules that the first words of a docstring name: `9.2 B, D1 ...` or `11.2, 12.1 ...`."""
    first = docstring.splitlines()[0]
    found: list[str] = []
    base = ""
    while match := CITATION.match(first):
        number, letter, digit, bare, bare_digit, goes_on = match.groups()
        base = number or base
        rule = f"{base}{letter or bare or ''}{digit or bare_digit or ''}"
        if rule not in known():
            rule = rule[:-1]                                    # 9.2 D1 is part of 9.2 D
        if rule not in known():
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


def headings(book: str, language: str) -> Mapping[str, str]:
    """The titles of the sections of another book: its own where it is in this language, else in our words."""
    said: Mapping[str, str] = sections(book).printed.get(language) or sentences(language, "sections")[book]
    return said


def index(book: str = BOOK, language: str = ENGLISH) -> list[dict[str, Any]]:
    """One row a rule that the book has, in its order: its functions, or why it needs none. Only in English has a rule of
    another book a title of its own; else it goes by that of its section.
    """
    if book == BOOK:
        return [row_of((rule,), shown(rule), title, needless().get(rule, "")) for rule, title in titles().items()]
    whole, named = sections(book), headings(book, language)
    by_number: dict[str, list[tuple[str, str]]] = {}
    for rule, (number, title) in elsewhere(book).items():
        by_number.setdefault(number, []).append((rule, title))
    rows = []
    for number in whole.numbers:
        above = whole.needless.get(number, "")
        if number not in by_number:
            rows.append(row_of(tuple(whole.rules.get(number, ())), number, named[number], above))
        rows += [row_of((rule,), number, own if language == ENGLISH else named[number], needless().get(rule, ""))
                 for rule, own in by_number.get(number, ())]
    return rows


def row_of(rules: tuple[str, ...], number: str, title: str, why: str) -> dict[str, Any]:
    found = list(dict.fromkeys(place for rule in rules for place in played().get(rule, ())))
    return {"rule": ", ".join(rules), "shown": number, "title": title, "functions": found, "needless": why}


@cache
def played() -> dict[str, list[str]]:
    """Rule -> the functions that play it."""
    found: dict[str, list[str]] = {}
    for rule, module, name in functions():
        found.setdefault(rule, []).append(f"{module}.{name}")
    return found


def rows_of(number: str, book: str, language: str = ENGLISH) -> list[dict[str, Any]]:
    """The rows of a rule and of what is below it, by the number that the book prints; without a number all of them."""
    wanted = latin(number.replace(" ", "").upper())
    return [row for row in index(book, language) if belongs(row["shown"].replace(" ", ""), wanted)]


def belongs(rule: str, wanted: str) -> bool:
    """Is this rule the one that is meant, or a part of it? 1 means 1.2 and never 11."""
    rest = rule.removeprefix(wanted)
    return not wanted or rule == wanted or rest != rule and not (wanted[-1].isdigit() and rest[0].isdigit())


def listed(rows: list[dict[str, Any]], book: str, language: str = ENGLISH, *, whole: bool = True) -> str:
    """The rows as a table; beside the numbers of another book those of the 4th edition, below them what it has otherwise."""
    lines = []
    for number, group in groupby(rows, lambda row: str(row["shown"])):
        for row in group:
            here = "" if book == BOOK else f"{', '.join(map(shown, row['rule'].split(', '))):<8} "
            by = ", ".join(row["functions"]) or row["needless"]
            lines.append(f"{number:<8} {row['title']:<44} {here}{by}")
        lines += [line for one in differing(book) if whole and one.section == number for line in told_of(one, book, language)]
    return "\n".join(lines)


def text_of(one: Differing, book: str, language: str) -> Mapping[str, str]:
    """A row of the table in words: its title, what the 4th says, what this book says."""
    said: Mapping[str, str] = sentences(language, "editions")[book][one.key]
    return said


def told_of(one: Differing, book: str, language: str) -> list[str]:
    """A row of the table of differing rules, below its section."""
    said, words = text_of(one, book, language), sentences(language, "terms")
    other = words["edition"][BOOK]
    lines = [f"{'':<8} {said['title']} [{', '.join(one.cases) or '-'}; {', '.join(one.by)}]",
             f"{'':<10} {other} ({shown(one.rule)}): {said['usual']}",
             f"{'':<10} {words['edition'][book]} ({one.section}): {said['here']}"]
    return lines if one.cases else [*lines, f"{'':<10} {words['not_played']}"]


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


def differences(one: str, other: str, language: str = ENGLISH) -> list[dict[str, str]]:
    """The rules in which two editions differ: row by row as their books have it, then the points of which no row speaks."""
    books = {edition: EDITIONS[edition].book for edition in (one, other)}
    tables = {edition: differing(book) for edition, book in books.items()}
    rows: list[dict[str, str]] = []
    spoken, beside = set[str](), set[tuple[str, str]]()       # points, and rows of the other that stand beside one of the first
    for edition, table in tables.items():
        rest = other if edition == one else one
        for row in table:
            said = text_of(row, books[edition], language)
            twins = {twin.key: text_of(twin, books[rest], language) for twin in tables[rest]
                     if (twin.rule, twin.by) == (row.rule, row.by)}
            key = next((key for key, twin in twins.items() if twin["here"] == said["here"]), next(iter(twins), ""))
            spoken.update(row.by)
            beside.add((rest, key))
            if not twins or twins[key]["here"] != said["here"] and (edition, row.key) not in beside:
                rows.append({"point": ", ".join(row.by), "rule": row.rule, "words": said["title"], "of": edition, "section":
                             row.section, edition: said["here"], rest: twins[key]["here"] if twins else said["usual"]})
    first, second = ruleset(one), ruleset(other)
    for name, (rule, words) in points().items():
        here, there = getattr(first, name), getattr(second, name)
        if here != there and name not in spoken:
            rows.append({"point": name, "rule": rule, "words": words, one: as_text(here), other: as_text(there)})
    return rows


def numbered(row: Mapping[str, str], edition: str, language: str) -> str:
    book = EDITIONS[edition].book
    own = row["section"] if row.get("of") == edition else printed(row["rule"], book)
    number = own or f"{shown(row['rule'])}, {sentences(language, 'terms')['edition'][BOOK]}"
    return f" ({number})" if row["rule"] and book != BOOK else ""


def differences_told(one: str, other: str, language: str = ENGLISH) -> str:
    """The same as text, by the ids and the numbers of the books that the two cite."""
    lines = []
    for row in differences(one, other, language):
        lines.append(f"{shown(row['rule']):<7} {row['words']}")
        lines += [f"        {edition}{numbered(row, edition, language)}: {row[edition]}" for edition in (one, other)]
    return "\n".join(lines) or str(sentences(language, "terms")["nothing_differs"])


def as_text(value: Any) -> str:
    """A rule point as a person reads it."""
    if callable(value):
        return str(value.__doc__ or value.__name__).splitlines()[0]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {as_text(one)}" for key, one in value.items()) or "none"
    if isinstance(value, tuple | frozenset):
        return ", ".join(str(one).replace("_", " ") for one in value) or "none"
    return str(value).replace("_", " ")
