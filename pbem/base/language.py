"""Sentences before any game: the templates of a language, the ink of a format, and how lines are filled.

Nothing here knows what a sentence is about; `words` does, which puts names and numbers of a game into them.
"""

import re
from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.base import saying
from pbem.base.paths import templates_dir
from pbem.base.ready import Shelf

if TYPE_CHECKING:
    from jinja2 import Environment

WIDTH = 76

# Through what names and numbers go on their way into a sentence: the methods of `Words`.
FILTERS = tuple("""
    about agree all allowances along at bare cap card cards chance change checks cus date day days digest draw ended flaws fleet
    fleets force general generals known leaked mover of ops order path percent piece pieces place places player players
    province provinces roman royal royals rule seat
    seats short signed source sources strength term terms texts totals touched typed verb weighed whose
""".split())

# What has no business inside a line of text: control signs, line ends, marks that turn the reading direction.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ue000-\uf8ff]+")


class Safe(str):
    """Text that is ready for its format: nothing in it has to be escaped any more."""

    __slots__ = ()


def clean(text: str) -> str:
    """One line of visible text, whatever a player typed."""
    return text if text.isprintable() else _UNSEEN.sub(" ", text)


@cache
def blank() -> "Environment":
    """How sentences are read, whatever they will be written with."""
    from jinja2 import Environment, StrictUndefined, pass_context

    @pass_context
    def finalize(context: object, value: object) -> str:
        raise AssertionError("only what is compiled for all formats is compiled here")

    made = Environment(undefined=StrictUndefined, finalize=finalize, trim_blocks=True, lstrip_blocks=True,
                       keep_trailing_newline=True, optimized=False)
    made.filters.update(dict.fromkeys(FILTERS, str))
    return made


def compiled(source: str, shelf: Shelf) -> CodeType:
    """A sentence made ready for all formats, once for all times: its names and its ink are looked up when it is said."""
    code = shelf.codes.get(source)
    if code is None:
        text: str = blank().compile(source, raw=True)
        text = text.replace("from jinja2.runtime", f"from {saying.__name__}", 1)
        code = shelf.codes[source] = compile(text, "sentence", "exec")
        shelf.note()
    return code


@cache
def shelf_of(language: str, file: str) -> Shelf:
    path = templates_dir() / language / file
    return Shelf.read(path) if path.suffix == ".yaml" else Shelf(path)


class Ink(NamedTuple):
    """How a format writes foreign text, and how it sets off the title of a card, a heading and a digest."""

    escape: Callable[[str], str]
    title: Callable[[str], str]
    strong: Callable[[str], str]
    code: Callable[[str], str]
    width: int = WIDTH


PLAIN = Ink(clean, str, str, str)           # titles stand between the quotation marks of the language


@cache
def sentences(language: str, file: str) -> dict[str, Any]:
    """One file of a language: key -> sentence."""
    read: dict[str, Any] = shelf_of(language, f"{file}.yaml").data
    return read


@cache
def plural(language: str) -> Callable[..., Any]:
    """Which form of a noun goes with a number `n`, from 0."""
    source = "{{ " + sentences(language, "terms")["plural"] + " }}"
    return saying.Environment({}, {}, str).saying(compiled(source, shelf_of(language, "terms.yaml"))).render


def wrapped(line: str, indent: int, lead: str = "", width: int = WIDTH, *, whole: bool = True) -> list[str]:
    """A line that fits behind its `lead`, and what goes below it; `whole` words are never broken."""
    from textwrap import wrap

    if len(lead) + len(line) <= width and line.isprintable() and not line.isspace():
        return [Safe(f"{lead}{line}".rstrip())] if line else []
    together = re.sub(r"(?<=\d) (?=%|[A-L]\b)", "\xa0", line)                # `50 %` and `10 J` stay on one line
    rows = wrap(together, width, initial_indent=lead, subsequent_indent=" " * indent, break_long_words=not whole,
                break_on_hyphens=False)
    return [Safe(row.replace("\xa0", " ")) for row in rows]


def fill(text: str) -> Safe:
    """A paragraph."""
    return Safe("\n".join(wrapped(text, 0)))
