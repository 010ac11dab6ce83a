"""The parts of the page that are there without any script: HTML, escaped where it is made, in one language."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pbem.base.language import Safe, sentences
from pbem.desk import reporting, showing
from pbem.desk.beginning import agreement
from pbem.desk.desk import Desk
from pbem.drawing.plot import plot
from pbem.drawing.said import summary
from pbem.play import proof
from pbem.telling.chart import course
from pbem.telling.formats import html
from pbem.telling.report import ranked, waiting
from pbem.telling.words import Words

Row = Mapping[str, Any]
Waited = Callable[[Words], Sequence[str]]       # for whom the game has waited how long, in somebody's language
STYLED = re.compile(r' style="[^"]*"| class="(?:p|list|item|head|c|hc|wait|t)"')     # as mail programs want it
TITLE = re.compile(r"<h1[^>]*>.*?</h1>", re.DOTALL)


def parts(desk: Desk, reader: str, words: Words, chart: Row, since: int, waited: Waited | None) -> dict[str, str]:
    """Each part by its name."""
    said = {
        "waiting": html(str(waiting(showing.seen(desk, reader), words))),
        "report": report(desk, reader, since),
        "totals": totals(desk, words, chart),
        "board": listed(html(line) for line in summary(chart, words)),
        "rules": rules(desk, words),
        "doubts": doubts(desk, words),
        "glossary": glossary(words.language),
        "links": links(words.language),
    }
    if reader == "moderator":
        said["answers"] = answers(desk, words) + listed(html(line) for line in (waited(words) if waited is not None else ()))
    return said


def report(desk: Desk, reader: str, since: int) -> str:
    """As it is sent, below a heading of the page."""
    made = STYLED.sub("", TITLE.sub("", reporting.report(desk, reader, since, "html")))
    return made.replace("<h2", "<h3").replace("</h2>", "</h3>").strip()


def totals(desk: Desk, words: Words, chart: Row) -> str:
    """How VP and L went, and where they come from; the numbers are in a table that the scripts make."""
    sums = [html(str(words.phrase("sums", **row))) for row in ranked(showing.seen(desk, showing.PUBLIC))]
    return plot(course(desk.match), chart["title"], [one["seat"] for one in chart["seats"]], words).strip() + listed(sums)


def rules(desk: Desk, words: Words) -> str:
    """By what is played."""
    header, played = desk.game.header, desk.match.g.rules
    return "".join(f"<p>{html(str(line))}</p>" for line in agreement(header, played, words))


def doubts(desk: Desk, words: Words) -> str:
    """Which data somebody has read off the box, and which not."""
    match, own = desk.match, sentences(words.language, "page")
    lines: list[Safe | str] = []
    if box := match.header.get("box"):
        lines.append(words.phrase("plays_with_box", by=box["by"], on=box["on"], hash=box["hash"],
                                  count=len(box["corrections"])))
    if tables := match.unconfirmed():
        lines.append(words.phrase("doubtful_tables", tables=tables))
    corrected = [str(one["datum"]) for one in desk.corrections]
    if corrected:
        lines.append(own["corrected"].format(what=", ".join(corrected)))
    return "".join(f"<p>{html(str(line))}</p>" for line in lines or [own["no_doubts"]])


def glossary(language: str) -> str:
    """The words of the game that nobody knows from elsewhere."""
    rows = [said.split(": ", 1) for said in sentences(language, "page")["glossary"].values()]
    return "<dl>" + "".join(f"<dt>{html(term)}</dt><dd>{html(said)}</dd>" for term, said in rows) + "</dl>"


def links(language: str) -> str:
    """What checks the game, and what teaches it, in files beside the page."""
    own = sentences(language, "page")
    found = {proof.PAGE: "verifier", proof.LOG: "log", f"guide-{language}.html": "guide", f"orders-{language}.html": "orders"}
    return " · ".join(f'<a href="{file}">{html(own[key])}</a>' for file, key in found.items())


def answers(desk: Desk, words: Words) -> str:
    """Who has answered the open question, and when: for the moderator alone."""
    question = desk.match.question
    given = {one.seat: one.at for one in desk.tray.answers if question is not None and one.question == question.id}
    own = sentences(words.language, "page")
    rows = [[str(words.player(seat)), str(words.date(given[seat])) if seat in given else own["still_open"]]
            for seat in (question.sides if question is not None else ()) if seat in desk.match.seats]
    if not rows:
        return f"<p>{html(str(words.phrase('nobody_awaited')))}</p>"
    return table([own["head_seat"], own["head_answered"]], rows)


def listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that may be wider than the screen."""
    head = "".join(f'<th scope="col">{html(one)}</th>' for one in heads)
    body = "".join("<tr>" + "".join(f"<td>{html(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
