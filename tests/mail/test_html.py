"""Mails as HTML: headings, tables, colours with letters, links that open an answer; and the plain part beside them."""

import importlib.util
import re
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from table import HOST, PEOPLE, Table, body, changed, columns, token_of

from pbem.base.paths import languages, templates_dir
from pbem.drawing.palette import COLOUR, INK
from pbem.mail import outbox
from pbem.telling.formats import MEDIA, styles

MADE = Path(__file__).parents[2] / "scripts/make_mail.py"
ALONE = ("br", "meta", "hr", "img")


class Reader(HTMLParser):
    """What a mail program finds: tags that fit, links, and the text as one reads it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.classes: set[str] = set()
        self.language = ""
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.tags.append(tag)
        self.classes |= set((found.get("class") or "").split())
        self.links += [found["href"] or ""] if "href" in found else []
        self.language = found.get("lang") or self.language
        if tag not in ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)


def page(mail: EmailMessage) -> Reader:
    part = mail.get_body(("html",))
    assert part is not None
    found = Reader(part.get_content())
    assert found.open == []
    return found


@pytest.fixture
def asked(table: Table) -> Table:
    """Blue and Yellow may intercept."""
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos\nend")
    table.run()
    return table


def test_the_styles_are_what_the_script_makes_of_the_sheet() -> None:
    spec = importlib.util.spec_from_file_location("make_mail", MADE)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.written() == (templates_dir() / "layouts/mail.styles.json").read_text("utf-8")


def test_seats_have_the_colours_of_the_map() -> None:
    for seat in ("red", "blue", "yellow", "green", "black", "independent"):
        found = dict(re.findall(r"([a-z-]+): ([^;]+);", styles()[seat]))
        ink = INK[seat]
        assert found["background"] == COLOUR[seat] and found["color"] == (ink if len(ink) == 7 else "#" + 2 * ink[1:])


def test_a_question_is_answered_with_one_click(asked: Table) -> None:
    mail = asked.last("blue")
    found = page(mail)
    letters = [line.split()[0] for line in body(mail).splitlines() if re.match(r"  [a-z]  ", line)]
    answers = [urlsplit(one) for one in found.links]
    assert len(letters) > 1 and all(one.scheme == "mailto" and one.path.endswith("@example.org") for one in answers)
    said = [parse_qs(one.query) for one in answers]
    assert [one["body"][0].split()[0] for one in said][:-1] == letters
    assert all(token_of(mail) in one["body"][0] for one in said) and all(len(one) < 1900 for one in found.links)
    link = answers[letters.index("a")]
    asked.post("blue", parse_qs(link.query)["body"][0], subject=parse_qs(link.query)["subject"][0], to=unquote(link.path))
    asked.run()
    assert asked.states()[-1] == "applied" and "1  a" in body(asked.last("blue"))


def test_a_report_has_headings_and_tables_and_colours_with_letters(asked: Table) -> None:
    found = page(asked.last("black"))
    assert {"h1", "h2", "table", "th", "ul"} <= set(found.tags) and "pre" not in found.tags and found.links == []
    assert {"red", "blue", "yellow", "black"} <= found.classes
    assert found.text.count("R") >= 1 and found.text.count("K") >= 1


def test_nothing_is_fetched_and_dark_and_narrow_windows_are_minded(asked: Table) -> None:
    part = asked.last("blue").get_body(("html",))
    assert part is not None
    text = part.get_content()
    assert not re.search(r"https?:|src=(?!\"cid:)|url\(|@import", text) and len(text) < 60_000
    assert "prefers-color-scheme: dark" in text and 'name="color-scheme" content="light dark"' in text
    assert "width=device-width" in text and styles()[MEDIA] in text and "nowrap" not in text
    assert not re.search(r"width: ?\d{3,}px", text.replace(styles()[MEDIA], ""))


@pytest.mark.parametrize("language", languages())
def test_both_parts_say_the_same_in_the_language_of_the_reader(table: Table, language: str) -> None:
    with changed(table.game):
        pass
    path = table.game / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("{name: Anna", f"{{language: {language}, name: Anna"), "utf-8")
    table.started()
    mail = table.last("red")
    found = page(mail)
    assert found.language == language and columns(mail) <= 72
    html = set(re.findall(r"\w+", " ".join(found.text)))
    text = set(re.findall(r"\w+", body(mail)))
    assert text - html <= {"a"} and len(text) > 40


def test_one_mail_has_one_reference_and_one_head(asked: Table) -> None:
    for seat in PEOPLE:
        for mail in asked.inbox(seat):
            said = body(mail)
            assert said.count("\n-- \n") == 1 and said.count(token_of(mail)) == 1
            head = re.findall(r"\b[0-9a-f]{16}\b", said)
            assert len(head) == len(set(head)), said


def test_text_that_was_folded_is_unfolded_again() -> None:
    sent = outbox.folded("word " * 40 + "\n\n    quoted " + "more " * 30 + "\n" + "x" * 100 + "\n-- \nReference: a b c\n")
    assert max(map(len, sent.splitlines())) <= 72 and sent.endswith("\n-- \nReference: a b c\n")
    assert outbox.unfolded(sent).startswith(("word " * 40).strip() + "\n\n    quoted more")
    assert outbox.unfolded(outbox.folded("one two " * 30)) == ("one two " * 30).strip() + "\n"
    assert HOST in outbox.stuffed(f"> {HOST}") and outbox.stuffed("From x\n>y\n z") == " From x\n >y\n  z"
