"""The pages for players: their orders are played, their translations are of the English that stands there now."""

import gzip
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from at_the_shell import said

from pbem.base import yamlfile
from pbem.base.language import sentences
from pbem.base.paths import ENGLISH, games_dir, languages, templates_dir
from pbem.components.catalogue import facts
from pbem.desk import requesting
from pbem.desk.desk import Desk
from pbem.desk.tray import Tray
from pbem.editions import books
from pbem.log import gamelog
from pbem.mail import requests
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.request import AT_DESK, Request
from pbem.orders import VERBS, parse, say
from pbem.orders.names import Names
from pbem.orders.tongues import WORDS
from pbem.telling import guide

ROOT = Path(__file__).parents[2]
# No whole game has needed these; cases of the rules and of cards do.
IN_CASES = {"attack", "build_capital", "command", "use_ability", "loot", "finish_cart", "retrieve_fleet", "reroll", "choose",
            "letter"}
TRANSLATED = [(path.name, language) for path in sorted((templates_dir() / ENGLISH / "guide").glob("*.md"))
              for language in languages() if language != ENGLISH and (templates_dir() / language / "guide").is_dir()]
NAMES = Names(facts(), {seat: {} for seat in ("red", "blue", "yellow", "green", "black")})


def at(game: str, entry: int, folder: Path) -> Desk:
    """A whole game as it stood after an entry, with its secrets: what is ordered now is really played."""
    whole = gamelog.read_game(games_dir() / game)
    head, log = whole.text.split("\nlog:\n")
    folder.mkdir(exist_ok=True)
    (folder / gamelog.GAME).write_text(f"{head}\nlog:\n" + "\n".join(log.splitlines()[:entry]) + "\n", "utf-8")
    gamelog.write_private(folder, Tray(secrets=Desk(games_dir() / game).tray.secrets).plain())
    return Desk(folder)


def orders(language: str) -> list[tuple[str, list[str]]]:
    """The blocks of orders of the player's guide: where they are played, and the lines without remarks."""
    return [(one.info, [line for line in one.lines if not line.startswith("#")])
            for one in guide.blocks(guide.page(guide.PLAYER, language)) if one.kind == "lines"]


@pytest.mark.parametrize("language", languages())
def test_the_ten_turns_of_the_players_guide_are_played(language: str, tmp_path: Path) -> None:
    english, played = (orders(one) for one in (ENGLISH, language))
    assert len(played) == 10 and [info for info, _ in played] == [info for info, _ in english]
    for number, (info, lines) in enumerate(played):
        if language != ENGLISH and (info, lines) in english:
            continue                            # played with the English page
        _, game, entry, seat = info.split()
        outcomes = at(game, int(entry), tmp_path / str(number)).order(seat, "\n".join(["# a remark", *lines]))
        assert len(outcomes) == len(lines)
        assert all(each.state in ("done", "sealed", "answered") for each in outcomes), (lines, outcomes)


@pytest.mark.parametrize("name, language", TRANSLATED)
def test_no_section_of_a_translation_is_stale(name: str, language: str) -> None:
    english, own = (guide.sections((templates_dir() / one / "guide" / name).read_text("utf-8")) for one in (ENGLISH, language))
    assert len(own) == len(english) and list(guide.stale(name, language)) == []


def test_a_section_whose_english_has_changed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for language in (ENGLISH, "de"):
        (tmp_path / language / "guide").mkdir(parents=True)
        text = (templates_dir() / language / "guide/player.md").read_text("utf-8")
        changed = text.replace("ends with a line that is only", "ends with")
        (tmp_path / language / "guide/player.md").write_text(changed, "utf-8")
    monkeypatch.setattr(guide, "templates_dir", lambda: tmp_path)
    (named,) = guide.stale("player.md", "de")
    assert named.startswith("## Letters")


@pytest.mark.parametrize("verb", VERBS)
def test_every_order_is_in_the_reference_with_its_rule_and_examples_that_were_played(verb: str) -> None:
    one = guide.known()[verb]
    assert one["rule"] in books.titles() and one["examples"]
    for example in one["examples"]:
        (order,) = parse(example, NAMES)
        assert (order.verb, say(order, NAMES)) == (verb, example)
        assert verb in IN_CASES or example in played_ones()


@cache
def played_ones() -> frozenset[str]:
    """Every order of the whole games and of the logs that are kept, which other tests fold."""
    texts = [path.read_text("utf-8") for path in games_dir().glob("*/game.yaml")]
    texts += [gzip.decompress(path.read_bytes()).decode() for path in (ROOT / "tests/log/kept").glob("*.gz")]
    found = set[str]()
    for text in texts:
        for entry in yamlfile.parse(text)["log"]:
            said_ = [entry["do"]] if "do" in entry else list((entry.get("answers") or {}).values())
            found.update(part for one in said_ for part in re.split(r"; | else | if ", str(one)))
    for path in games_dir().glob("*/mails.yaml"):
        found.update(line.strip() for line in path.read_text("utf-8").splitlines())
    return frozenset(found)


@pytest.mark.parametrize("lead", [one for one in WORDS if one.endswith((" at", " via", " to")) and one != "not at"])
def test_a_name_behind_these_words_is_in_its_case_in_russian(lead: str) -> None:
    assert sentences("ru", "terms")["after"][lead] in ("loc", "acc", "dat")


def test_nothing_is_in_the_reference_that_is_no_order() -> None:
    assert guide.known().keys() == VERBS.keys()


class Page(HTMLParser):
    """What a page would fetch, and whether its elements close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [str(value) for key, value in attrs if key in ("src", "href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("topic", guide.TOPICS)
@pytest.mark.parametrize("language", languages())
def test_each_page_is_there_as_text_and_to_print(topic: str, language: str, tmp_path: Path) -> None:
    text = said("guide", topic, "--language", language)
    assert not re.search(r"```|\*\*|<!--|\{|^#", text, re.MULTILINE)
    said("guide", topic, "--language", language, "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    looked = Page()
    looked.feed(page)
    assert looked.open == [] and looked.fetched == [] and f'<html lang="{language}">' in page and "@media print" in page
    every = {form for verb in VERBS for form in guide.forms(verb, language)}
    assert topic == guide.PLAYER or all(form in " ".join(text.split()) for form in every)
    assert topic != guide.CARD or len(text.splitlines()) < 130


@pytest.mark.parametrize("language", languages())
def test_requests_that_the_players_guide_names_are_met(language: str, tmp_path: Path) -> None:
    """What stands in it as a request is one; letters find their readers by the colours of the language."""
    named = re.findall(r"`([^`\n]+)`", guide.page(guide.PLAYER, language))
    asked = [one for one in named if requesting.split(one)[0] not in ("", "standing")]
    assert {requesting.split(one)[0] for one in asked} >= {
        "guide", "absent", "file", "reserve", "press", "proof", "help", "options", "status", "map", "undo", "check"}
    at("regency", 226, tmp_path)
    for one in asked:
        text = one.replace(": ...", ": hello\n/press").replace("all: hello", "held all: hello")
        text += " march Antigonos > Kelainai" if requesting.split(one)[0] == "check" else ""
        ask = Request(MailDesk(tmp_path), None, Sender("black", "desk"), [], [], AT_DESK)
        requests.answer(ask, text)
        assert not ask.failed or requesting.split(one)[0] == "file", (one, ask.failed)      # that card he does not hold


@pytest.mark.parametrize("language", languages())
def test_the_subjects_that_the_guide_names_are_those_that_mails_have(language: str) -> None:
    """The first thing that it says: what stands in the subject of a mail."""
    page = (templates_dir() / language / "guide/player.md").read_text("utf-8")
    first = next(line for line in page.splitlines() if line.startswith("- "))
    for key in ("subject_turn", "subject_question", "subject_report"):
        found = re.search(r"\] ([^:{]+)", sentences(language, "mail")[key])
        assert found is not None and found[1].strip() in first, key


@pytest.mark.parametrize("language", languages())
def test_the_reference_cites_the_numbers_of_the_book_that_is_played(language: str) -> None:
    """9.3 D is 9.8 in the 3rd edition; what it does not have is cited as of the 4th."""
    usual, third = guide.page("orders", language), guide.page("orders", language, "third")
    rule = sentences(language, "orders")["rule"]
    assert f"({rule} 9.3 D)" in usual and f"({rule} 9.8)" in third and f"({rule} 9.3 D)" not in third


@pytest.mark.parametrize(("own", "headings"), [
    ("{b}# A\n\n## B{a}", ["# A", "# B"]), ("# A\n\n## B", ["# A", "# B"]), ("{a}# A", ["# B"]), ("{a}# A\n\n## B{b}", [])])
def test_a_section_is_stale_whose_source_is_another_or_that_is_not_there(
        monkeypatch: pytest.MonkeyPatch, own: str, headings: list[str]) -> None:
    english = "# A\n\n## B"
    marks = {name: f"<!-- en: {guide.digest(part)} -->\n" for name, part in zip("ab", guide.sections(english), strict=True)}
    monkeypatch.setattr(guide, "written", lambda name, language: english if language == ENGLISH else own.format(**marks))
    assert [one.split(" [")[0].replace("##", "#") for one in guide.stale("player.md", "de")] == headings


SOURCE = """# Title

Some **strong** `a & b`.

## Two

### Three

- one
- two
  more

```rules
a & b
  c
```
"""


def test_a_page_is_text_without_its_marks_and_html_with_all_of_it() -> None:
    text = 'Title\n=====\n\nSome strong "a & b".\n\nTwo\n---\n\nThree\n\n- one\n- two more\n\n    a & b\n      c\n'
    assert guide.as_text(SOURCE) == text
    rows = guide.as_text(f"- {'long ' * 30}").splitlines()
    assert len(rows) > 1 and all(row.startswith("  long") for row in rows[1:])
    made = guide.as_html(SOURCE, "en", guide.CARD)
    assert "<title>Title</title>" in made and made.endswith("</html>\n")
    assert made.partition("</style>\n")[2].removesuffix("\n</html>\n") == (
        "<h1>Title</h1>\n<p>Some <strong>strong</strong> <code>a &amp; b</code>.</p>\n<h2>Two</h2>\n<h3>Three</h3>\n"
        "<ul><li>one</li><li>two more</li></ul>\n<pre>a &amp; b\n  c</pre>")


def test_a_page_that_nobody_has_translated_is_the_english_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en/guide").mkdir(parents=True)
    (tmp_path / "en/guide/player.md").write_text("# Read this\n")
    monkeypatch.setattr(guide, "templates_dir", lambda: tmp_path)
    assert guide.written("player.md", "de") == guide.page(guide.PLAYER, "de") == "# Read this\n"
    (tmp_path / "de/guide").mkdir(parents=True)
    (tmp_path / "de/guide/player.md").write_text("# Lies das\n")
    assert guide.written("player.md", "de") == guide.page(guide.PLAYER, "de") == "# Lies das\n"


def test_an_order_is_quoted_in_a_sentence_and_not_in_a_heading() -> None:
    assert guide.as_text("### `march A > B`\n\nWrite `march A > B`.") == 'march A > B\n\nWrite "march A > B".\n'
