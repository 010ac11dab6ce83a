"""The tutorial as a page: the same twelve steps, played in the reader's browser by the very commands.

`tutorial.html` has the words in all languages, `tutorial.js` the scripts with what the engine of an order desk lacks for it
(the commands, their library, the map, the words of the steps, the game with a forged die): so one `engine.js` serves both.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from pbem import __version__
from pbem.base.language import sentences
from pbem.base.paths import PACKAGE, data_dir, games_dir, languages, spoken, templates_dir
from pbem.desk.demo import GAME as DEMO
from pbem.desk.tutorial import PAGE, WHOLE
from pbem.page.engine import as_text, below, files_of, zipped
from pbem.page.packed import stripped
from pbem.page.written import policy
from pbem.telling.guide import blocks, sections, written

LESSON, SCRIPT = "tutorial.html", "tutorial.js"
SCRIPTS = ("desk/runtime.js", "lesson/lesson.js")
ROOMS = ("cli", "drawing")              # of the program, that no question of an order desk reaches
STYLES = ("page/page.css", "lesson/lesson.css")


def files(language: str = "") -> dict[str, str]:
    """The page by its files; it opens in a language, and has all of them."""
    return {LESSON: page(spoken(language)), SCRIPT: script()}


def page(language: str) -> str:
    """What is read without scripts, too: what it is, and how to do without them."""
    from jinja2 import Environment, StrictUndefined

    css = "".join((data_dir() / name).read_text("utf-8") for name in STYLES)
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    source = (templates_dir() / "layouts/lesson.html.j2").read_text("utf-8")
    return made.from_string(source).render(
        language=language, engine=__version__, css=css, policy=policy(css, ["'self'"], with_engine=True), script=SCRIPT,
        own=words(language), languages={one: sentences(one, "page")["own_name"] for one in languages()}) + "\n"


def words(language: str) -> dict[str, str]:
    """All that the page says itself: the tutorial's title and first words among it."""
    title, intro = blocks(sections(written(PAGE, language))[0])
    return {**sentences(language, "lesson"), "title": title.lines[0], "intro": intro.lines[0]}


def script() -> str:
    """What the page does, and what it does it with."""
    code = stripped("\n".join((data_dir() / name).read_text("utf-8") for name in SCRIPTS))
    said = json.dumps({language: words(language) for language in languages()}, ensure_ascii=False)
    safe = said.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    brought = json.dumps({"lesson.zip": as_text(zipped(carried()))})
    return f'(() => {{\n"use strict";\n{code}\nlesson({safe}, {brought}, "{__version__}");\n}})();\n'


def carried() -> Iterator[tuple[str, Path]]:
    """Every file that the engine lacks, by the name that it has there."""
    yield from ((f"pbem/{file.relative_to(PACKAGE).as_posix()}", file)
                for room in (*ROOMS, "data/drawing") for file in below(PACKAGE / room))
    yield from ((f"pbem/templates/{language}/guide/{file.name}", file)
                for language in languages() for file in (templates_dir() / language / "guide").glob("*.md"))
    yield from ((f"pbem/games/{file.relative_to(games_dir()).as_posix()}", file)
                for game in (WHOLE, DEMO) for file in (games_dir() / game).rglob("*") if file.suffix in (".yaml", ".txt"))
    yield from files_of("click")
