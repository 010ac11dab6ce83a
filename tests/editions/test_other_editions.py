"""What the draft and the 3rd edition have otherwise: each case holds there, and not in the 4th."""

import copy
from pathlib import Path
from typing import Any

import pytest
from small_position import Dice, stated

from pbem.base.errors import Refused
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.components import catalogue, shipped
from pbem.dev import cases, given
from pbem.dev.cases import judge
from pbem.editions import EDITIONS, books, ruleset
from pbem.editions.options import slug
from pbem.kernel.procedures import GONE
from pbem.orders import Order
from pbem.orders.names import Names
from pbem.rules import operations, recruiting, tyche
from pbem.table.state import DISPERSED, Unit
from pbem.telling import rulebook
from pbem.telling.putting import put
from pbem.telling.views import view
from pbem.telling.words import Words

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests/cases").glob("*-edition*.yaml"))
BOOKS = sorted({rules.book for rules in EDITIONS.values()} - {books.BOOK})
CASES = [case for file in FILES for case in cases.load(file)]


@pytest.mark.parametrize("case", CASES, ids=[str(case["id"]) for case in CASES])
def test_it_holds_where_it_is_played_so(case: dict[str, Any]) -> None:
    found = judge(case)
    assert found.verdict == "pass", cases.show([found])


@pytest.mark.parametrize("case", CASES, ids=[str(case["id"]) for case in CASES])
def test_and_not_in_the_4th_edition(case: dict[str, Any]) -> None:
    fourth = copy.deepcopy(case)
    del fourth["given"]["edition"]
    assert judge(fourth).verdict in ("fail", *(["unknown"] if cards_of_its_own(case) else []))


POINTS = [(row, by) for book in BOOKS for row in books.differing(book) for by in row.by
          if hasattr(ruleset(book), by) and getattr(ruleset(book), by) != getattr(ruleset(books.BOOK), by)]


@pytest.mark.parametrize(("row", "by"), POINTS, ids=[f"{row.cases[0]}-{by}" for row, by in POINTS])
def test_each_point_of_a_row_has_a_case_that_fails_without_it(
        row: books.Differing, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With this point alone as the 4th has it, and all the rest of the edition: whoever is not asked there would be asked."""
    usual, real = getattr(ruleset(books.BOOK), by), given.editions.ruleset
    monkeypatch.setattr(given.editions, "ruleset", lambda *what: real(*what)._replace(**{by: usual}))
    named = cases_of(row)
    by_tests = not named and all("::" in one for one in row.cases)
    assert "fail" in {judge(case).verdict for case in named} or by_tests or optional(row)


def cases_of(row: books.Differing) -> list[dict[str, Any]]:
    return [case for case in CASES if case["id"] in row.cases]


def optional(row: books.Differing) -> bool:
    """A row of which all cases are of those who have agreed on it."""
    return bool(cases_of(row)) and all(case["given"].get("options") for case in cases_of(row))


OPTIONAL = [row for book in BOOKS for row in books.differing(book) if optional(row)]


@pytest.mark.parametrize("row", OPTIONAL, ids=[row.cases[0] for row in OPTIONAL])
def test_what_is_an_option_has_a_case_that_fails_without_it(row: books.Differing) -> None:
    without = copy.deepcopy(cases_of(row))
    for case in without:
        case["given"]["options"] = []
    assert "fail" in {judge(case).verdict for case in without}


def cards_of_its_own(case: dict[str, Any]) -> bool:
    """A card that is in no box of the 4th: nobody can hold it there."""
    names = {card["name"] for card in shipped.shipped(case["given"]["edition"])["cards"].values()} - {
        card["name"] for card in shipped.shipped()["cards"].values()}
    return any(slug(name) in hand for name in names for hand in case["given"].get("hands", {}).values())


@pytest.mark.parametrize("book", BOOKS)
def test_each_row_of_the_table_is_told_in_each_language(book: str) -> None:
    keys = {row.key for row in books.differing(book)}
    assert all(sentences(language, "editions")[book].keys() == keys for language in languages())


@pytest.mark.parametrize("book", BOOKS)
def test_what_plays_a_row_is_there(book: str) -> None:
    """A rule point that has another value here, if only with an option, a datum of its box, or a function."""
    fourth, here = ruleset(books.BOOK), ruleset(book)
    boxed = {one["datum"] for one in shipped.otherwise(book)}
    functions = {f"{module}.{name}" for _, module, name in rulebook.functions()}
    for row in books.differing(book):
        for by in row.by:
            assert (by in functions or any(datum.startswith(by) for datum in boxed)
                    or getattr(fourth, by) != getattr(here, by)), (row.key, by)


@pytest.mark.parametrize("book", BOOKS)
def test_its_cases_are_cases_of_that_edition(book: str) -> None:
    """Or tests, where a case cannot show it."""
    known = {case["id"] for case in CASES if case["given"]["edition"] == book}
    for named in {case for row in books.differing(book) for case in row.cases} - known:
        file, _, name = named.partition("::")
        assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8"), named


@pytest.mark.parametrize("book", ["third"])
def test_no_difference_is_without_a_row(book: str) -> None:
    fourth, here = ruleset(books.BOOK), ruleset(book)
    differing = {point for point in rulebook.points() if getattr(fourth, point) != getattr(here, point)}
    named = {by for row in books.differing(book) for by in row.by}
    assert differing - named == {"siege_modifiers"}         # a city's modifier is printed on the map, and the same


@pytest.mark.parametrize("book", BOOKS)
def test_every_section_of_the_book_is_found(book: str) -> None:
    """Each with functions or a reason, and each number by which a rule is cited among them."""
    whole = books.sections(book)
    assert {number for number, _ in books.elsewhere(book).values()} <= set(whole.numbers)
    assert {row.section for row in books.differing(book)} <= set(whole.numbers)
    assert whole.rules.keys() | whole.needless.keys() <= set(whole.numbers)
    assert {rule for rules in whole.rules.values() for rule in rules} <= books.titles().keys()
    assert [row["shown"] for row in rulebook.index(book) if not row["functions"] and not row["needless"]] == []
    assert list(dict.fromkeys(row["shown"] for row in rulebook.index(book))) == whole.numbers


def test_the_3rd_edition_has_its_own_headings_in_russian() -> None:
    """Its book is in Russian."""
    own = books.sections("third").printed["ru"]
    assert rulebook.headings("third", "ru") == own and "third" not in sentences("ru", "sections")


# Words that a language shares with English, names besides.
SHARED = {"de": {"Champion", "Region", "Prestige"}, "it": set(), "ru": set()}
NAMES = {"Demetrios"}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("book", BOOKS)
def test_every_section_has_a_title_in_each_language(book: str, language: str) -> None:
    """None is left over, and none is still English."""
    english, here = (rulebook.headings(book, one) for one in ("en", language))
    assert list(here) == list(english) == books.sections(book).numbers and all(here.values())
    if language != "en":
        same = {title for number, title in here.items() if title == english[number]}
        assert same - NAMES <= SHARED[language]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("book", BOOKS)
def test_a_section_is_listed_by_its_title_in_the_language_of_the_reader(book: str, language: str) -> None:
    """As text and as data; in English a rule that has a title of its own goes by that."""
    titles, own = rulebook.headings(book, language), {title for _, title in books.elsewhere(book).values()}
    rows = rulebook.rows_of("", book, language)
    lines = rulebook.listed(rows, book, language, whole=False).splitlines()
    for row, line in zip(rows, lines, strict=True):
        title = titles[row["shown"]]
        assert row["title"] == title or language == "en" and row["title"] in own
        assert line.startswith(f"{row['shown']:<8} {row['title']}")


@pytest.mark.parametrize(("key", "facts", "section"), [
    ("event_must_be", {"card": "17"}, "7.2"), ("surprise_any_time", {"card": "53"}, "7.3"),
    ("sail_as_announced", {"route": []}, "13.4")])
@pytest.mark.parametrize("language", languages())
def test_a_refusal_cites_the_section_that_says_so(language: str, key: str, facts: dict[str, Any], section: str) -> None:
    """7.1 and 9.14 of the 3rd edition, where the rules of the 4th lie, say nothing of it."""
    box = catalogue.facts(box="third")
    assert f"{section}:" in Words(language, Names(box), box, book="third").refusal(Refused("6.2A", key, **facts))


@pytest.mark.parametrize("language", languages())
def test_cards_say_what_they_do_in_this_edition(language: str) -> None:
    """Each card whose data are others, and those that no other box has."""
    usual, box = catalogue.facts(), catalogue.facts(box="third")
    here, there = (Words(language, Names(one), one, book=book) for one, book in ((box, "third"), (usual, books.BOOK)))
    before = {card: fact["params"] for card, fact in usual.cards.items()}
    changed = {card for card, fact in box.cards.items() if before.get(card) != fact["params"]}
    assert changed == {"1", "2", "3", "4", "11", "17", "18", "19", "37", "38", "61", "62", "63", "64"}
    assert all(len(here.effect(card)) > 20 and (card not in usual.cards or here.effect(card) != there.effect(card))
               for card in changed)


@pytest.mark.parametrize(("edition", "said"), [
    ("fourth", "the event comes before the points"),
    ("third", "or throw one away; of a Bonus card the points come before the event")])
def test_the_question_for_a_card_says_in_which_order_it_is_played(edition: str, said: str) -> None:
    """7.2, 7.7 of the 3rd edition, 6.2 of the 4th."""
    g = stated({"segment": {"player": "red", "kind": "tyche"}, "hands": {"red": 1}}, edition=edition)
    question = tyche.tyche_question(g)
    words = Words("en", Names(g.facts, dict.fromkeys(g.seats, {})), g.facts)
    assert said in " ".join(put(words, question, "red", view(g, "red", question)).split())


def test_a_recruit_whose_province_a_ruling_has_filled_waits_in_the_dispersed_box() -> None:
    """6.2 D He is asked for as long as there is a space for him; then nobody is asked any more, and nothing breaks."""
    g = stated({"turn_order": ["red", "blue"]}, edition="draft", seats=("red", "blue"))
    g.chance = Dice([1])
    (province, *_), general = recruiting.provinces(g, "red"), "nearchos"
    recruit = operations.recruit(g, Order("recruit", general=general, card="1"))
    builder = next(recruit)
    question = builder()
    assert question is not None and question.about["spaces"][general] == recruiting.spaces(g, "red", province)
    for space in recruiting.spaces(g, "red", province):
        g.add(space, "blue", {Unit("mercenary"): 1})
    assert builder() is None
    with pytest.raises(StopIteration):
        recruit.send(GONE)
    assert (g.generals[general].at, g.generals[general].seat) == (DISPERSED, "red") and g.dispersed["red"].total() == 2
