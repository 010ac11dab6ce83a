"""What a request is called in each language: what is printed in it is understood in a mail that is written in it."""

import re

import pytest

from pbem.base.language import sentences
from pbem.desk import filing, requesting, standing
from pbem.desk.showing import plain_words
from pbem.mail import press
from pbem.orders.asking import END, REQUESTS, requested
from pbem.orders.tongues import TONGUES, WORDS
from pbem.telling import guide

WRITTEN = [text for form in requesting.FORMS.values() for text in form.written]
GUIDED = re.compile(r"`([^`]+)`")
ASKED = re.compile(r"""['"]([^'"]+)['"] \| typed""")


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("text", [text for text in WRITTEN if not text.startswith(("standing", "word ", "check"))])
def test_a_request_is_printed_in_the_words_of_a_language_and_read_again(text: str, language: str) -> None:
    own = str(plain_words(language).typed(text))
    assert requesting.split(own)[0] == requesting.split(text)[0] and requesting.is_whole(own), own
    head, _, tail = requested(own)[0].partition(":")
    names = plain_words(language).names
    if text.startswith("file") and "battle" in text:
        found, wanted = (re.sub(r"^file (54 )?", "", one.partition(":")[0]) for one in (head, text))
        assert filing.read_trigger(found, names) == filing.read_trigger(wanted, names)
    elif text.startswith("press"):
        assert re.findall(r"\ball|held", head) == re.findall(r"\ball|held", text)
    elif text.startswith(("undo", "map")):
        assert re.findall("yes|no|14|off|on|focus", head) == re.findall("yes|no|14|off|on|focus", text.partition(":")[0])
    elif not text.startswith(("absent", "options march")):
        assert head == text.partition(":")[0]
    assert not set(re.findall(r"\b[a-z]{3,}\b", own)) & ENGLISH, own


ENGLISH = {english for row in REQUESTS.values() for english in row if english.isalpha() and len(english) > 2} - {
    "status", "hand", "press", "word"}
EVERY = [(request, english, language) for request, row in REQUESTS.items() for english in row for language in TONGUES]


@pytest.mark.parametrize(("request_", "english", "language"), EVERY)
def test_every_word_of_the_table_is_read_as_what_it_is(request_: str, english: str, language: str) -> None:
    """With all of its forms, in capitals too, and with the letter that people write instead of another."""
    row = REQUESTS[request_][english].split(" | ")[TONGUES.index(language)]
    for own in row.split(", "):
        if own.startswith("="):
            assert row.startswith(own), "what is only printed is what is printed"
        elif english == request_:
            assert requested(own.upper().replace("Ё", "Е"))[0].lower() == request_
        else:
            lead = REQUESTS[request_][request_].split(" | ")[TONGUES.index(language)].split(", ")[0]
            assert requested(f"{lead} {own.capitalize()} x")[0] == f"{request_} {english} x"


@pytest.mark.parametrize("language", TONGUES)
def test_what_the_sentences_show_is_a_request(language: str) -> None:
    shown = {text for file in ("mail", "phrases", "refusals") for one in walked(sentences(language, file))
             for text in ASKED.findall(one)}
    assert len(shown) > 15
    for text in shown - {"if MP >= 3:", "regardless", "yes", "else", "observe"}:     # nothing alone
        own = str(plain_words(language).typed(text))
        assert requesting.split(own)[0] == requesting.split(text)[0] != "", own
        if standing.body(text) is not None:
            assert standing.body(own) is not None


def walked(node: object) -> list[str]:
    return [node] if isinstance(node, str) else [one for below in node.values() for one in walked(below)] if isinstance(
        node, dict) else []


@pytest.mark.parametrize("language", [*TONGUES, "en"])
def test_a_letter_ends_with_its_own_word(language: str) -> None:
    end = str(plain_words(language).typed(f"press {END}")).split()[-1]
    assert end.startswith("/") and press.ends(["press all: one", "two", end, "roll"]) == 3


@pytest.mark.parametrize("language", TONGUES)
def test_a_guide_shows_nothing_to_write_in_english(language: str) -> None:
    """Neither the requests that it names nor its turns; names, and what the program itself is called with, are the same."""
    page = guide.page(guide.PLAYER, language)
    shown = [*GUIDED.findall(re.sub(r"```.*?```", "", page, flags=re.DOTALL)), *(
        line for block in re.findall(r"```turn.*?\n(.*?)```", page, re.DOTALL) for line in block.splitlines()
        if not line.startswith("#"))]
    assert len(shown) > 30
    for one in shown:
        assert not set(re.findall(r"\b[a-z]+\b", one)) & (ENGLISH | ORDERED), one


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("file", ["refusals", "phrases", "mail", "questions", "prices", "events", "orders", "page"])
def test_what_stands_between_quotation_marks_is_not_to_be_typed_in_english(file: str, language: str) -> None:
    """Commands of the program, and what it prints on cards and on tables, are the same for all."""
    own = {"refusals": {"no_ability_to_rule_on", "deal_by_hand"}, "mail": {"yes_or_no"}}.get(file, set())
    quoted = re.compile("„([^“]*)“" if language == "de" else "«([^»]*)»")
    for key, text in sentences(language, file).items():
        for one in (found for said in walked(text) for found in quoted.findall(said)):
            plain = re.sub("{{.*?}}|{%.*?%}", "", one)
            if key not in own and not plain.startswith(("pbem", "-")):
                assert not set(re.findall(r"\b[a-z]+\b", plain)) & (ENGLISH | ORDERED), one


ORDERED = {word for english in WORDS for word in english.split()} - {"in", "as", "a"}
