"""The books that are cited: what each prints as the number and the title of a rule."""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from pbem.base import ready
from pbem.base.paths import data_dir

BOOK = "fourth"             # the numbers that this one prints are the ids of rules here


@cache
def titles() -> dict[str, str]:
    """Rule -> title, in the order of the book."""
    return dict(ready.contents(data_dir() / f"rulebook.{BOOK}.yaml"))


@cache
def known() -> frozenset[str]:
    """Every rule that is cited: those of the 4th, and those that only another book has, by the number that it prints."""
    others = {path.name.split(".")[1] for path in data_dir().glob("rulebook.*.yaml")} - {BOOK}
    return frozenset(titles()).union(*(elsewhere(book) for book in others))


@cache
def elsewhere(book: str) -> dict[str, tuple[str, str]]:
    """Rule -> number and title in another book; what that book does not have is missing."""
    numbered = {rule: text.partition(" ") for rule, text in ready.contents(data_dir() / f"rulebook.{book}.yaml").items()}
    return {rule: (number, title) for rule, (number, _, title) in numbered.items()}


class Sections(NamedTuple):
    """A book from its first section to its last: their numbers, the rules that a section answers to, why nothing plays it."""

    numbers: list[str]
    rules: dict[str, list[str]]
    needless: dict[str, str]
    cites: dict[str, str] = {}          # the section in which this book says what a refusal tells, if its rule lies in another
    printed: dict[str, dict[str, str]] = {}         # by language, the headings that it has in its own


@cache
def sections(book: str) -> Sections:
    """What another book prints; the rules are those of the 4th, of the sections that no rule is cited by."""
    return Sections(**ready.contents(data_dir() / f"sections.{book}.yaml"))


class Differing(NamedTuple):
    """A rule that a book has otherwise than the 4th: where it prints it, what plays it, the cases that hold only there."""

    key: str
    section: str
    rule: str
    by: tuple[str, ...]
    cases: tuple[str, ...]


@cache
def differing(book: str) -> tuple[Differing, ...]:
    """The table of data/differs.yaml; what is told of its rows stands in templates/*/editions.yaml."""
    rows = ready.contents(data_dir() / "differs.yaml").get(book, {})
    return tuple(Differing(key, key.rstrip("abcdefghij"), row["rule"], tuple(row["by"]), tuple(row["cases"]))
                 for key, row in rows.items())


def shown(rule: str) -> str:
    """A rule number as the rulebook prints it: 9.3D as 9.3 D, 6.2B2 as 6.2 B2."""
    return re.sub(r"(?<=\d)(?=[A-L])", " ", rule)


def printed(rule: str, book: str, key: str = "") -> str:
    """A rule as a book prints its number, if it has it; a step that has no number of its own goes by that of the whole. What a
    refusal tells may stand elsewhere in it."""
    if book == BOOK:
        return shown(rule)
    if key in sections(book).cites:
        return sections(book).cites[key]
    step = re.fullmatch(r"(\d+\.\d+)(?:\.\d+|[A-L]\d?)|(\d+)[A-L]", rule)       # 13.2.4 is part of 13.2, 16.9 none of 16
    for whole in (rule, *(part for part in (step.groups() if step else ()) if part)):
        if whole in elsewhere(book):
            return elsewhere(book)[whole][0]
    return ""


# Rules between parentheses, as sentences cite them: (7.2 A), (4.6, 5.1 C)
_IN_PARENTHESES = re.compile(r"\((\d+(?:\.\d+| [A-L])[\dA-L. ]*(?:, \d+[\dA-L. ]*)*)\)")


def recited(text: str, cite: Callable[[str], str]) -> str:
    """A text that cites rules by the numbers of the 4th edition, with others in their place."""
    return _IN_PARENTHESES.sub(
        lambda found: f"({', '.join(cite(rule.replace(' ', '')) for rule in found[1].split(', '))})", text)
