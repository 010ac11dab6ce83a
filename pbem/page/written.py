"""The files of a page: `index.html`, which is read without any script, and `game.js`, which makes it move; or both in one.

Everything that a player wrote goes into HTML through jinja2, which escapes it, or into the data, of which the scripts make
text and nothing else. The data stand compressed in the script, for a page on a disk may fetch nothing.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from pbem import __version__
from pbem.base.language import Safe
from pbem.base.paths import data_dir, languages, templates_dir
from pbem.desk import reporting, showing
from pbem.desk.desk import Desk
from pbem.drawing import happened, palette, said
from pbem.drawing.layout import Layout
from pbem.drawing.picture import layers
from pbem.drawing.svg import FAMILY, n, quoted
from pbem.drawing.voice import Voice
from pbem.page.course import Step, steps
from pbem.page.packed import packed, stripped
from pbem.page.sections import Waited, parts
from pbem.page.speech import own, speech
from pbem.play import proof
from pbem.telling import guide
from pbem.telling.chart import chart, course
from pbem.telling.formats import html
from pbem.telling.words import Words

Row = dict[str, Any]
FORMAT = 1
SCRIPTS = ("lzma", "unpack", "course", "svg", "room", "look", "said", "pieces", "arrows", "board", "walk", "story", "time",
           "tables", "zoom", "fresh", "page")
LAYERS = ("arrows", "signs", "towns", "names", "worth", "pieces", "numbers")
MARK = re.compile(r' data-(?:mark|change|number|bundle|head)="[^"]*"|<title>[^<]*</title>')     # said in the lists below
TOPICS = {guide.PLAYER: "guide", guide.ORDERS: "orders"}
PAGE, SCRIPT, MODERATOR = "index.html", "game.js", "moderator"


class Written(NamedTuple):
    """A page: what is read without scripts, but for the line that calls the script, and what the script has."""

    frame: Row
    data: Row

    @property
    def script(self) -> str:
        return script(self.data)

    def alone(self, desk: str = "") -> str:
        """All of it in one file, for a mail; but for an order desk, which lies beside it."""
        return rendered(self.frame, inside=self.script, desk=desk)

    def beside(self, script: str, desk: str = "") -> str:
        """The page that calls the script which lies beside it."""
        return rendered(self.frame, beside=script, desk=desk)


def files(desk: Desk, language: str = "", since: int | None = None, *, to_order: str = "") -> dict[str, str]:
    """All files of everybody's page by their names, a folder for any web server: with what proves the game, and guides.
    The desk has been opened on the published log."""
    page = written(desk, showing.PUBLIC, language, since)
    guides = {name(topic, code): guide.as_html(guide.page(topic, code), code, topic)
              for code in languages() for topic in TOPICS}
    return {PAGE: page.beside(SCRIPT, to_order), SCRIPT: page.script, proof.PAGE: proof.page(),
            proof.LOG: proof.log_text(desk.game), **guides}


def names() -> list[str]:
    """What they will be."""
    return [PAGE, SCRIPT, proof.PAGE, proof.LOG, *(name(topic, code) for code in languages() for topic in TOPICS)]


def name(topic: str, language: str) -> str:
    return f"{TOPICS[topic]}-{language}.html"


def written(
    desk: Desk, reader: str, language: str = "", since: int | None = None, waited: Waited | None = None,
    way_back: Row | None = None,
) -> Written:
    """The page of a reader, in all languages and first in one; what is not everybody's is one file, handed to him alone.
    `way_back` is where the orders of a seat go by mail."""
    first = reporting.last_turn(desk) if since is None else since
    before, desk.language = desk.language, language or desk.language
    mother = showing.words(desk, reader).language
    board = chart(desk.match, None, title=title(desk), head=desk.game.heads()[-1], entry=len(desk.game.entries), since=first)
    found: dict[str, Row] = {}
    spoken: list[Words] = []
    for place, desk.language in enumerate(languages()):
        words = showing.words(desk, reader)
        spoken.append(words)
        found[words.language] = {
            **speech(words, board, desk.match.g.generals), "place": place, "title": window_title(words, board, reader),
            "parts": parts(desk, reader, words, board, first, waited)}
    desk.language = before
    words = spoken[list(found).index(mother)]
    log = list(steps(desk, None if reader in (showing.PUBLIC, MODERATOR) else reader))
    data = {"format": FORMAT, "engine": __version__, "game": str(desk.game.header["game"]), "title": board["title"],
            "language": mother, "reader": None if reader == showing.PUBLIC else reader, "since": first, "head": board["head"],
            **course_of(log, spoken), "words": found, "totals": course(desk.match), "layout": layout(board),
            "palette": colours()}
    if language:                                        # else a browser may ask for another
        data["chosen"] = True
    if reader in desk.match.seats:                      # for the order desk
        data["way_back"] = way_back or {}
        if desk.match.g.secret is not None:
            data["hand"] = list(desk.match.g.secret.hand(reader))
    return Written({
        "language": mother, "title": found[mother]["title"], "own": own(mother), "parts": found[mother]["parts"],
        "languages": {code: found[code]["ui"]["own_name"] for code in found}, "private": reader != showing.PUBLIC,
        "reader": reader, "game": board["title"], "entries": len(log), "since": first, "head": board["head"][:32],
        "engine": __version__, **drawn(board, words)}, data)


def title(desk: Desk) -> str:
    return str(desk.game.header.get("title") or desk.game.header["game"])


def window_title(words: Words, board: Row, reader: str) -> str:
    """What the window is called: whose page it is stands in front."""
    if reader == showing.PUBLIC:
        return str(board["title"])
    return own(words.language)["private_title"].format(seat=words.cap(words.seat(reader)), title=board["title"])


# --- the data ----------------------------------------------------------------------------------------------------


def course_of(log: Iterable[Step], spoken: list[Words]) -> Row:
    """The entries, what each put on the board, and their sentences in all languages, each of them once.

    In rows as short as can be: what is usual stands for itself by not being there.
    """
    texts: dict[tuple[str, ...], int] = {}
    entries, puts = [], []
    for step in log:
        lines = []
        for line in step.lines:
            text = tuple(line.say(words) for words in spoken)
            again = texts.get(text, -1) + 1             # 0: it has not been said before
            texts.setdefault(text, len(texts))
            usual = line.shown[0].get("path", []) if line.shown else []
            lines.append(short([line.what, again, line.shown, line.places if line.places != usual else []]))
        entries.append(short([step.kind, lines, step.says, step.seats, step.dice, step.window, step.undone]))
        puts.append(step.put)
    return {"entries": entries, "puts": puts, "texts": [list(said) for said in zip(*texts, strict=True)]}


def short(row: list[Any]) -> list[Any]:
    """Without what is empty at its end."""
    while row and not row[-1]:
        row = row[:-1]
    return row


def layout(board: Row) -> Row:
    """Where everything lies on the picture."""
    found = Layout(board["board"])
    return {"size": [found.width, found.height], "bends": found.made["bends"],
            "seats": [one["seat"] for one in board["seats"]],
            "places": {space: {"at": list(town.at), "bundle": list(town.bundle)} for space, town in found.towns.items()}}


def colours() -> Row:
    return {"colour": palette.COLOUR, "ink": palette.INK, "tint": palette.TINT, "edge": palette.EDGE, "hatch": palette.HATCH}


# --- the files ---------------------------------------------------------------------------------------------------


@cache
def code() -> str:
    """The scripts as one, without what only readers want: they share their names with each other and with nobody else."""
    return stripped("\n".join((data_dir() / "page" / f"{name}.js").read_text("utf-8") for name in SCRIPTS))


def script(data: Row) -> str:
    """What the page does, and what it does it with."""
    text, size = packed(data)
    return f'(() => {{\n"use strict";\n{code()}\nstart("{text}", {size});\n}})();\n'


def drawn(board: Row, words: Words) -> Row:
    """The last map with what happened, and the lists that belong to it."""
    voice, found = Voice(words, board["edition"]), Layout(board["board"])
    happenings = happened.happenings(board["changes"], voice)
    made = layers(board, found, voice, happenings, panelled=False)
    inside = "".join(f'<g data-layer="{name}">{MARK.sub("", getattr(made, name))}</g>' for name in LAYERS)
    svg = (f'<svg viewBox="0 0 {n(found.width)} {n(found.height)}" font-family="{FAMILY}" fill="{palette.INKED}" '
           f'stroke-linejoin="round" role="img" aria-label="{quoted(said.sentence(board, words))}">{made.ground}{inside}</svg>')
    bundles = [f"{voice.space(space)}: {'; '.join(piece.line for piece in group)}" for _, space, group in made.bundles]
    return {"svg": Safe(svg), "bundles": Safe("".join(f"<li>{html(line)}</li>" for line in bundles)),
            "happened": Safe("".join(f'<li value="{one.number}">{html(one.line)}</li>' for one in happenings))}


def rendered(frame: Row, *, inside: str = "", beside: str = "", desk: str = "") -> str:
    """The whole file. Nothing runs or looks otherwise than it was made here: the policy names script and style. An order desk
    starts its engine out of a blob; it may fetch as little as the rest."""
    from jinja2 import Environment, StrictUndefined

    css = (data_dir() / "page/page.css").read_text("utf-8")
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    source = (templates_dir() / "layouts/page.html.j2").read_text("utf-8")
    runs = [*([f"'{digest(inside)}'"] if inside else []), *(["'self'"] if beside or desk else [])]
    return made.from_string(source).render(
        frame, css=css, inside=inside, beside=beside, desk=desk, policy=policy(css, runs, with_engine=bool(desk))) + "\n"


def policy(css: str, runs: Iterable[str], *, with_engine: bool) -> str:
    """What a page may do: its own style, these scripts, and where it has one an engine out of a blob."""
    may = {"default-src": "'none'", "script-src": " ".join([*runs, *(["'wasm-unsafe-eval'", "blob:"] if with_engine else [])]),
           **({"worker-src": "blob:"} if with_engine else {}),
           "style-src": f"'{digest(css)}'", "base-uri": "'none'", "form-action": "'none'"}
    return "; ".join(f"{name} {value}" for name, value in may.items())


def digest(text: str) -> str:
    """By which a policy knows a script or a style."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
