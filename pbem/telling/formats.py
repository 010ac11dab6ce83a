"""How a report is written down: plain text of 76 columns, Markdown, or BGG forum markup. The words are the same in all."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbem.base.language import PLAIN, WIDTH, Ink, Safe, clean, wrapped

Cells = Sequence[Sequence[str]]

# What could become markup in Markdown as people's programs read it: emphasis, code, links and bare addresses, tables,
# HTML, references, formulas, small pictures between colons.
_MARKUP = re.compile(r"[\\`*_{}\[\]<#|~&$@^=]|:(?=//|[\w+-]+:)|(?<=\bwww)\.", re.IGNORECASE)
_START = re.compile(r"^(\d+(?=[.)])|(?=[-+>]))")


def markdown(text: str) -> str:
    """Foreign text with everything taken from it that Markdown would make something of."""
    return _START.sub(r"\1\\", _MARKUP.sub(r"\\\g<0>", clean(text)))


# Between colons, and after them, a BGG forum sees small pictures; an empty pair of tags breaks such a sequence.
_PICTURE = re.compile(r"[:;](?=[\w+-]+:|[()DpPoO|/])")


def bgg(text: str) -> str:
    """Foreign text in which a BGG forum finds no tag, no picture, and no sign that swallows the rest of a post."""
    plain = clean(text).replace("[", "(").replace("]", ")").replace("<", "\u2039")
    return _PICTURE.sub(r"\g<0>[c][/c]", plain)


class Format(NamedTuple):
    """A way to write: its ink for words, its layouts, its tables, and how a question is set into a report."""

    layout: str
    question: tuple[str, Ink]
    ink: Ink
    table: Callable[[Sequence[str], Cells], Safe]
    paragraph: Callable[[str], Safe]
    fixed: Callable[[str], Safe]


def text_table(head: Sequence[str], rows: Cells) -> Safe:
    """Columns, numbers to the right; too wide a table becomes a list of its rows."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    if sum(widths) + 2 * len(widths) - 2 > WIDTH:
        lines = [line for row in rows for line in wrapped(f"- {row[0]}: " + "; ".join(
            f"{title} {cell}".strip() for title, cell in zip(head[1:], row[1:], strict=True) if cell), 2)]
        return Safe("\n".join([f"{head[0]}:", *lines]))
    right = [all(row[column].isdigit() for row in rows) for column in range(len(head))]
    return Safe("\n".join("  ".join(
        cell.rjust(width) if numeric else cell.ljust(width) for cell, width, numeric in zip(row, widths, right, strict=True)
    ).rstrip() for row in [head, *rows]))


def markdown_table(head: Sequence[str], rows: Cells) -> Safe:
    lines = [head, ["---"] * len(head), *rows]
    return Safe("\n".join(f"| {' | '.join(line)} |" for line in lines))


FORUM = Ink(bgg, lambda text: f"[i]{text}[/i]", lambda text: f"[b]{text}[/b]", lambda text: f"[c]{text}[/c]")
MARKDOWN = Ink(markdown, lambda text: f"*{text}*", lambda text: f"**{text}**", lambda text: f"`{text}`")
AS_MAILED = ("question.txt", PLAIN)
FORMATS = {
    "text": Format("report.txt", AS_MAILED, PLAIN, text_table, lambda text: Safe("\n".join(wrapped(text, 0))), Safe),
    "md": Format("report.md", AS_MAILED, MARKDOWN, markdown_table, Safe,
                 lambda text: Safe("\n".join(f"    {line}".rstrip() for line in text.splitlines()))),
    "bgg": Format("report.bgg", ("question.bgg", FORUM), FORUM,
                  lambda head, rows: Safe(f"[c]{text_table(head, rows)}[/c]"), Safe, Safe),
}
