"""The body of a mail: pieces that are text and HTML at once, so that no reader gets less than another."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from pbem.base.language import Safe
from pbem.base.paths import templates_dir
from pbem.desk import answering, posing, reporting
from pbem.desk.desk import Desk
from pbem.desk.posing import Reply
from pbem.desk.submission import Outcome
from pbem.telling.formats import LETTER, MAILED, MEDIA, css, styles
from pbem.telling.words import Words

if TYPE_CHECKING:
    from jinja2 import Template


class Piece(NamedTuple):
    """`text` has a line for each paragraph; it is folded when it is sent."""

    text: str
    html: str
    pictures: tuple[str, ...] = ()              # that the HTML shows, by name


NOTHING = Piece("", "")
EMPTY = Piece("\n", "")                         # an empty line; HTML has its own distances


def piece_of(*lines: str) -> Piece:
    """Sentences, a paragraph each."""
    return Piece("\n".join(lines), paragraphs("\n".join(lines)))


def paragraphs(text: str) -> str:
    """Text whose paragraphs are a line each; what is indented goes together, as it stands."""
    out: list[str] = []
    quoted: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("    "):
            quoted.append(line[4:])
            continue
        if quoted:
            inked = "\n".join(map(LETTER.escape, quoted))
            out.append(f"<blockquote{css('quote')}>{inked}</blockquote>")
            quoted.clear()
        if line.strip():
            out.append(f"<p{css('p')}>{LETTER.escape(line)}</p>")
    return "\n".join(out)


def heading(text: str) -> Piece:
    return Piece(f"\n{text}\n{'-' * len(text)}", f"<h2{css('head')}>{LETTER.escape(text)}</h2>")


def apart(piece: Piece) -> Piece:
    """With an empty line above and below, where programs show the text."""
    return piece._replace(text=f"\n{piece.text}\n") if piece.text else piece


def together(pieces: Iterable[Piece]) -> Piece:
    """One below the other, with no more than one empty line between them."""
    kept = [one for one in pieces if one != NOTHING]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(one.text for one in kept))
    pictures = tuple(dict.fromkeys(name for one in kept for name in one.pictures))
    return Piece(text.strip("\n"), "\n".join(one.html for one in kept if one.html), pictures)


def report(desk: Desk, reader: str, since: int | None, reply: Reply | None = None, *, numbered: bool = False) -> Piece:
    """What happened and how things stand; `numbered` as on the map that goes along."""
    return Piece(reporting.report(desk, reader, since, "mail", numbered=numbered),
                 reporting.report(desk, reader, since, "html", reply=reply, numbered=numbered))


def whole(desk: Desk, reader: str, since: int | None) -> Piece:
    """The same with every piece and all sums."""
    text, html = (reporting.report(desk, reader, since, fmt, whole=True) for fmt in ("mail", "html"))
    return Piece(text, html)


def question(desk: Desk, seat: str, view: dict[str, Any], reply: Reply | None = None) -> Piece:
    """What a seat is asked, as it sees the game; the subject of the mail, or the line above, says that it is asked."""
    text, html = posing.bodies(desk, seat, ("mail", "html"), view, reply)
    return Piece(text, html)


def story(desk: Desk, reader: str, since: int) -> Piece:
    """What has happened from an entry on."""
    text, html = (reporting.came_of(desk, reader, since, fmt) for fmt in ("mail", "html"))
    return Piece("\n\n".join(text), "\n".join(html))


def outcomes(words: Words, done: Sequence[tuple[Outcome, str]]) -> Piece:
    """Each line of a mail with what became of it."""
    text: list[str] = []
    html: list[str] = []
    for number, (one, became) in enumerate(done, 1):
        text += answering.told_of(words, number, one, became, MAILED.width)
        rows = "<br>".join(LETTER.escape(row) for row in answering.rows_of(words, one, became))
        html.append(f"<p{css('p')}><b>{number}&nbsp; {LETTER.escape(answering.line_of(words, one))}</b><br>{rows}</p>")
    return Piece("\n".join(text), "\n".join(html))


def kept(words: Words, done: Sequence[Outcome]) -> Piece:
    """What proves that sealed answers were taken: for a checker, so it stands below all that is to be read."""
    text: list[str] = []
    html: list[str] = []
    for one in done:
        if one.receipt is not None:
            text += ["", *answering.kept_of(words, one, MAILED.width)]
            shown = " ".join(" ".join(answering.block(one.receipt.plain())).split())
            html.append(f"<p{css('p')}>{LETTER.escape(words.phrase('receipt_kept'))}<br><code>{LETTER.escape(shown)}</code></p>")
    return Piece("\n".join(text), "\n".join(html))


def page(subject: str, language: str, html: str, foot: Sequence[str]) -> str:
    """A whole HTML mail; `foot` is what stands below the line of the signature."""
    return _page().render(subject=subject, language=language, media=Safe(styles()[MEDIA]), page=css("page"), body=Safe(html),
                          foot=[line for line in foot if line], foot_style=css("foot"))


@cache
def _page() -> "Template":
    from jinja2 import Environment, StrictUndefined

    source = (templates_dir() / "layouts" / "mail.html.j2").read_text("utf-8")
    return Environment(undefined=StrictUndefined, trim_blocks=True,
                       finalize=lambda value: value if isinstance(value, Safe) else LETTER.escape(value)).from_string(source)


def link(address: str, subject: str, reference: str) -> Reply:
    """The address of a link that opens an answer, with what brings it home in it."""
    def to(text: str) -> str:
        body = quote(f"{text}\r\n\r\n{reference}\r\n")
        return f"mailto:{quote(address, safe='@')}?subject={quote(f'Re: {subject}')}&body={body}"

    return to
