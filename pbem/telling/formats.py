"""How a report is written down: plain text, Markdown, HTML, or BGG forum markup. The words are the same in all."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from pbem.base.language import PLAIN, WIDTH, Ink, Safe, clean, fill, wrapped
from pbem.base.paths import templates_dir

Cells = Sequence[Sequence[str]]

# What could become markup inside a line of Markdown as people's programs read it: emphasis, code, links and bare
# addresses, tables, HTML, references, formulas, small pictures between colons.
_MARKUP = re.compile(r"[\\`*\[\]<|~$@]|(?<![^\W_])_|_(?![^\W_])|#(?=\w|\s*$)|&(?=#|\w+;)|=(?==)|(?<==)="
                     r"|:(?=//|[\w+-]+:)|(?<=\bwww)\.", re.IGNORECASE)
# What makes a block of what follows, and only at its start: lists, quotes, headings, a line below a table or a title.
_START = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+>#=]))")


def markdown(text: str) -> str:
    """Foreign text with everything taken from it that Markdown would make something of inside a line."""
    return _MARKUP.sub(r"\\\g<0>", clean(text))


def block(text: str) -> Safe:
    """A paragraph of Markdown, whatever it begins with."""
    return Safe(_START.sub(r"\1\\", text))


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
    seat: Callable[[str, str, Safe], Safe]      # a seat in a table, from its id, its letter and how it is said


def text_table(head: Sequence[str], rows: Cells, width: int = WIDTH) -> Safe:
    """Columns, numbers to the right; too wide a table becomes a list of its rows."""
    widths = [max(_broad(row[column]) for row in [head, *rows]) for column in range(len(head))]
    if sum(widths) + 2 * len(widths) - 2 > width:
        lines = [line for row in rows for line in wrapped(f"- {row[0]}: " + "; ".join(
            f"{title} {cell}".strip() for title, cell in zip(head[1:], row[1:], strict=True) if cell), 2, width=width)]
        return Safe("\n".join([f"{head[0]}:", *lines]))
    right = [all(row[column].isdigit() for row in rows) for column in range(len(head))]
    return Safe("\n".join("  ".join(
        " " * (broad - _broad(cell)) + cell if numeric else cell + " " * (broad - _broad(cell))
        for cell, broad, numeric in zip(row, widths, right, strict=True)).rstrip() for row in [head, *rows]))


def _broad(cell: str) -> int:
    """How many columns a cell takes: a colour takes none."""
    return len(_COLOUR.sub("", cell))


def markdown_table(head: Sequence[str], rows: Cells) -> Safe:
    lines = [head, ["---"] * len(head), *rows]
    return Safe("\n".join(f"| {' | '.join(line)} |" for line in lines))


# To be read on white and on dark; the name stands there too.
COLOURS = {"red": "#cc3333", "blue": "#3377cc", "yellow": "#b8860b", "black": "#777777", "green": "#2e8b57"}
_COLOUR = re.compile(r"\[/?color[^\]]*\]")


def bgg_seat(seat: str, letter: str, said: Safe) -> Safe:
    return Safe(f"[color={COLOURS[seat]}]{said}[/color]") if said and seat in COLOURS else said


def as_said(seat: str, letter: str, said: Safe) -> Safe:
    return said


def bgg_table(head: Sequence[str], rows: Cells) -> Safe:
    return Safe(f"[c]{text_table(head, rows, FORUM.width)}[/c]")


# --- HTML, for mails and pages -----------------------------------------------------------------------------------


def html(text: str) -> str:
    """Foreign text of which no reader of HTML makes anything."""
    from html import escape  # brings the names of two thousand characters along

    return escape(clean(text))


MEDIA = "@media"                # what a style sheet says of dark and narrow windows


@cache
def styles() -> dict[str, str]:
    """Written by `scripts/make_mail.py` from `mail.css`: mail programs heed nothing but what stands at each element."""
    import json

    found: dict[str, str] = json.loads((templates_dir() / "layouts" / "mail.styles.json").read_text("utf-8"))
    return found


def css(name: str) -> Safe:
    """How an element of this class looks, for its tag."""
    return Safe(f' class="{name}" style="{styles()[name]}"')


def html_table(head: Sequence[str], rows: Cells) -> Safe:
    """Numbers to the right; the first column names its row."""
    right = ["n" if all(row[column].isdigit() for row in rows) else "c" for column in range(len(head))]
    top = "".join(f'<th scope="col"{css(f"h{kind}")}>{cell}</th>' for cell, kind in zip(head, right, strict=True))
    body = "".join("<tr>" + "".join(f"<td{css(kind)}>{cell}</td>" for cell, kind in zip(row, right, strict=True)) + "</tr>"
                   for row in rows)
    return Safe(f"<table{css('t')}><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


def html_seat(seat: str, letter: str, said: Safe) -> Safe:
    """The colour with its letter, and the name."""
    return Safe(f"<span{css(seat)}>{html(letter)}</span> {said}")


LONGEST_POST = 15_000           # characters that a forum is sure to take
_SET = re.compile(r"\[(/?)(b|i|u|c|q|o|size|color)(?:=[^\]\s]+)?\]")            # what our own texts are set in


def posts(title: str, text: str) -> list[str]:
    """A text in as many posts as it takes, cut before a heading if one is near, each with its tags closed and its number."""
    parts: list[str] = []
    while len(text) > LONGEST_POST:
        end = next(place for sign in ("\n\n[u]", "\n\n", "\n", " ", "")
                   if (place := text.rfind(sign, LONGEST_POST // 2, LONGEST_POST)) > 0)
        opened: list[re.Match[str]] = []
        for tag in _SET.finditer(text, 0, end):
            if tag[1]:
                opened.pop()
            else:
                opened.append(tag)
        parts.append(text[:end].rstrip() + "".join(f"[/{tag[2]}]" for tag in reversed(opened)))
        text = "".join(tag[0] for tag in opened) + text[end:].lstrip("\n")
    parts.append(text.rstrip())
    if len(parts) == 1:
        return parts
    return [f"{FORUM.strong(bgg(title))} ({number}/{len(parts)})\n\n{part}" for number, part in enumerate(parts, 1)]


# Bold is for orders alone: whoever reads a thread for them looks for bold lines.
FORUM = Ink(bgg, lambda text: f"[i]{text}[/i]", lambda text: f"[u]{text}[/u]", lambda text: f"[c]{text}[/c]", 70)
MARKDOWN = Ink(markdown, lambda text: f"*{text}*", lambda text: f"**{text}**", lambda text: f"`{text}`")
LETTER = Ink(html, lambda text: f"<cite>{text}</cite>", lambda text: f"<b>{text}</b>", lambda text: f"<code>{text}</code>")
AS_TEXT = ("question.txt", PLAIN)
# `mail` is text whose paragraphs are a line each: whoever sends it folds them, to no more than this.
MAILED = PLAIN._replace(width=72)
FORMATS = {
    "text": Format("report.txt", AS_TEXT, PLAIN, text_table, fill, Safe, as_said),
    "mail": Format("report.txt", ("question.txt", MAILED), MAILED, lambda head, rows: text_table(head, rows, MAILED.width),
                   Safe, Safe, as_said),
    "html": Format("report.html", ("question.html", LETTER), LETTER, html_table,
                   lambda text: Safe(f"<p{css('p')}>{text}</p>"), Safe, html_seat),
    "md": Format("report.md", AS_TEXT, MARKDOWN, markdown_table, block,
                 lambda text: Safe("\n".join(f"    {line}".rstrip() for line in text.splitlines())), as_said),
    "bgg": Format("report.bgg", ("question.bgg", FORUM), FORUM, bgg_table, Safe, Safe, bgg_seat),
}
