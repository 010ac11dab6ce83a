"""Pages for people who have nobody to ask: the player's guide, the reference of orders, the card to print.

A page is Markdown of the plainest sort: headings, paragraphs, lists, blocks of lines, **strong** words and `code`. The guides
stand in `templates/LANGUAGE/guide`, a section of a translation with the digest of its English source; the reference is made
from the table of orders. As text a page is what it is, without its marks; as HTML it can be printed.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from typing import Any, NamedTuple

from pbem.base.language import fill, sentences, wrapped
from pbem.base.paths import ENGLISH, data_dir, templates_dir
from pbem.base.yamlfile import load
from pbem.components.catalogue import facts
from pbem.editions.books import BOOK
from pbem.orders import VERBS
from pbem.orders.names import SEAT_WORDS, Names
from pbem.orders.tongues import in_words_of
from pbem.telling.words import Words

PLAYER, ORDERS, CARD = TOPICS = ("player", "orders", "card")
SOURCE = re.compile(r"<!-- en: (\w+) -->\n?")
DIGEST = 8                                  # letters of a digest that a section shows
_CODE, _STRONG = re.compile(r"`([^`]+)`"), re.compile(r"\*\*([^*]+)\*\*")


class Block(NamedTuple):
    """A heading of a level from 1, a paragraph, the items of a list, or lines that stand as they are."""

    kind: str
    lines: list[str]
    level: int = 0
    info: str = ""                          # what stands behind the marks of a block of lines: where its orders are played


def page(topic: str, language: str, book: str = BOOK) -> str:
    """A page as Markdown, with the numbers of a book."""
    if topic == PLAYER:
        return written(f"{topic}.md", language)
    return "\n".join(card(language) if topic == CARD else reference(language, book)) + "\n"


def written(name: str, language: str) -> str:
    """A page of the templates; in English where nobody has translated it."""
    own = templates_dir() / language / "guide" / name
    return (own if own.exists() else templates_dir() / ENGLISH / "guide" / name).read_text("utf-8")


# --- what it is made of ------------------------------------------------------------------------------------------------


def sections(source: str) -> list[str]:
    """What stands before the first heading of the second level, and what from each on."""
    return re.split(r"(?m)^(?=## )", source)


def digest(section: str) -> str:
    """By which a translation says what it was made from."""
    return sha256(section.strip().encode()).hexdigest()[:DIGEST]


def stale(name: str, language: str) -> Iterator[str]:
    """The headings of sections whose English source is not the one that they were made from."""
    english, own = (sections(written(name, one)) for one in (ENGLISH, language))
    for place, section in enumerate(english):
        there = own[place] if place < len(own) else ""
        found = SOURCE.search(there)
        if found is None or found[1] != digest(section):
            yield f"{section.splitlines()[0]} [{digest(section)}]"


def blocks(source: str) -> Iterator[Block]:
    """From top to bottom."""
    for part in re.split(r"\n\s*\n(?=(?:[^`]|`(?!``)|```[^`]*```)*\Z)", SOURCE.sub("", source).strip()):
        lines = part.split("\n")
        if part.startswith("```"):
            yield Block("lines", lines[1:-1], info=lines[0].strip("`").strip())
        elif found := re.match(r"(#+) (.*)", part):
            yield Block("heading", [found[2]], len(found[1]))
        elif part.startswith("- "):
            yield Block("list", [" ".join(one.split()) for one in re.split(r"(?m)^- ", part) if one.strip()])
        else:
            yield Block("text", [" ".join(lines)])


def as_text(source: str) -> str:
    """For a mail and a terminal."""
    return laid(blocks(source))


def laid(parts: Iterable[Block]) -> str:
    """Parts of a page as text."""
    said = []
    for one in parts:
        quoted = r"\1" if one.kind == "heading" else r'"\1"'
        plain = [_STRONG.sub(r"\1", _CODE.sub(quoted, line)) for line in one.lines]
        if one.kind == "heading":
            mark = "=-"[one.level - 1] * len(plain[0]) if one.level <= 2 else ""
            said.append(f"{plain[0]}\n{mark}".strip())
        elif one.kind == "list":
            said.append("\n".join(line for item in plain for line in wrapped(item, 2, "- ")))
        elif one.kind == "lines":
            said.append("\n".join(f"    {line}".rstrip() for line in one.lines))
        else:
            said.append(fill(plain[0]))
    return "\n\n".join(said) + "\n"


PRINTED = {PLAYER: "font-size: 9.6pt; line-height: 1.27", ORDERS: "font-size: 8.5pt; line-height: 1.25",
           CARD: "font-size: 9pt; line-height: 1.25"}


def as_html(source: str, language: str, topic: str) -> str:
    """A page of its own, for a screen and for paper; nothing in it is fetched from elsewhere."""
    def inside(line: str) -> str:
        return _STRONG.sub(r"<strong>\1</strong>", _CODE.sub(r"<code>\1</code>", escape(line, quote=False)))

    body, title = [], ""
    for one in blocks(source):
        if one.kind == "heading":
            title = title or one.lines[0]
            body.append(f"<h{one.level}>{inside(one.lines[0])}</h{one.level}>")
        elif one.kind == "list":
            body.append(f"<ul>{''.join(f'<li>{inside(item)}</li>' for item in one.lines)}</ul>")
        elif one.kind == "lines":
            body.append(f"<pre>{escape(chr(10).join(one.lines), quote=False)}</pre>")
        else:
            body.append(f"<p>{inside(one.lines[0])}</p>")
    style = (templates_dir() / "layouts" / "guide.css").read_text("utf-8").replace("SIZE", PRINTED[topic])
    return "\n".join([f'<!doctype html>\n<html lang="{language}">', '<meta charset="utf-8">',
                      '<meta name="viewport" content="width=device-width">', f"<title>{escape(title)}</title>",
                      f"<style>{style}</style>", *body, "</html>", ""])


# --- the orders --------------------------------------------------------------------------------------------------------


def known() -> dict[str, dict[str, Any]]:
    """By verb: rule, group, examples."""
    found: dict[str, dict[str, Any]] = load(data_dir() / "orders.yaml")
    return found


def grouped() -> Iterable[tuple[str, list[str]]]:
    """The verbs, group by group, in the order of the data."""
    by_group: dict[str, list[str]] = {}
    for verb, one in known().items():
        by_group.setdefault(one["group"], []).append(verb)
    return by_group.items()


def forms(verb: str, language: str) -> list[str]:
    """Every form of an order, in the words of a language; the log has the English ones."""
    return [in_words_of(language, form.shown()) for form in VERBS[verb]]


def reference(language: str, book: str = BOOK) -> Iterator[str]:
    """Each order: how it is written, what it does, by which rule, examples."""
    said, data = sentences(language, "orders"), known()
    words = Words(language, Names(facts(), dict.fromkeys(SEAT_WORDS, {})), facts(), book=book)
    yield from (f"# {said['title']}", "", said["lead"], "")
    for group, verbs in grouped():
        yield from (f"## {said['group'][group]}", "")
        for verb in verbs:
            yield from (f"### {' / '.join(f'`{form}`' for form in forms(verb, language))}", "",
                        f"{words.cited(said['does'][verb])} ({said['rule']} {words.rule(data[verb]['rule'])})", "",
                        "```", *map(words.retold, data[verb]["examples"]), "```", "")
    yield from filled_in(said, language)


def card(language: str) -> Iterator[str]:
    """The forms alone, to lie beside the board."""
    said = sentences(language, "orders")
    yield from (f"# {said['card_title']}", "", said["lead"], "")
    for group, verbs in grouped():
        lines = [form for verb in verbs for form in forms(verb, language)]
        yield from (f"## {said['group'][group]}", "", "```", *lines, "```", "")
    yield from filled_in(said, language)


def filled_in(said: dict[str, Any], language: str) -> Iterator[str]:
    """What the words in capitals stand for."""
    yield from (f"## {said['filled']}", "")
    yield from (f"- {in_words_of(language, slot)}: {what}" for slot, what in said["slot"].items())
