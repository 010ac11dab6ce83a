"""Orders in the words of four languages are the orders that the log has."""

import re
import sys
from collections.abc import Iterator
from itertools import groupby

import pytest
from small_position import FACTS

from pbem.base.errors import Unreadable
from pbem.components import catalogue
from pbem.desk import standing
from pbem.desk.tray import ALWAYS
from pbem.orders.answers import read_answer, say_answer
from pbem.orders.language import parse, say
from pbem.orders.lines import read_line
from pbem.orders.names import Names
from pbem.orders.patterns import Maybe, Node, Slot
from pbem.orders.table import VERBS
from pbem.orders.tongues import PLAIN, WORDS, in_english

NAMES = Names(FACTS, {seat: {} for seat in ("red", "blue", "yellow")})


@pytest.mark.parametrize(("own", "english"), [
    ("passe", "pass"), ("passo", "pass"), ("пас", "pass"), ("würfeln", "roll"), ("бросок", "roll"), ("tira", "roll"),
    ("abfangen Lysimachos von Sardeis mit 2 loyale", "intercept Lysimachos from Sardeis with 2 loyal"),
    ("intercetta Lysimachos da Sardeis con 2 Leali", "intercept Lysimachos from Sardeis with 2 loyal"),
    ("перехват Лисимах из Сарды с 2 loyal", "intercept Lysimachos from Sardeis with 2 loyal"),
    ("marschiere Kassandros > Lamia", "march Kassandros > Lamia"), ("марш Кассандр > Ламия", "march Kassandros > Lamia"),
    ("b 2 loyale", "b 2 loyal")])
def test_an_order_may_be_written_in_one_s_own_words(own: str, english: str) -> None:
    assert [say(order, NAMES) for order in parse(own, NAMES)] == [say(order, NAMES) for order in parse(english, NAMES)]


@pytest.mark.parametrize("own", ["b wenn Gelb passt", "b se Giallo passa", "b если Жёлтый пас", "b if Yellow passes"])
def test_so_may_a_condition(own: str) -> None:
    assert say_answer(read_answer(own, NAMES), NAMES) == "b if Yellow passes"


@pytest.mark.parametrize("own", ["roll ja", "roll да", "roll yes"])
def test_so_may_the_yes_to_a_price(own: str) -> None:
    line = read_line(own, NAMES)
    assert line is not None and line.confirmed


@pytest.mark.parametrize(("typed", "meant"), [
    ("а", "a"), ("с", "c"), ("А)", "A)"), ("С.", "C."), ("α", "a"), ("с 2 loyal", "c 2 loyal"), ("е", "e"),
    ("Е 2 Leali", "e 2 loyal")])
def test_a_letter_that_looks_alike_is_the_letter_that_was_meant(typed: str, meant: str) -> None:
    assert parse(typed, NAMES) == parse(meant, NAMES)


@pytest.mark.parametrize("own", ["b if Yellow passes else c 2 loyal", "b wenn Gelb passt sonst с 2 loyale",
                                 "b se Giallo passa altrimenti, C 2 Leali", "b если Жёлтый пасует иначе: с 2 верных"])
def test_so_it_is_where_another_answer_begins(own: str) -> None:
    assert say_answer(read_answer(own, NAMES), NAMES) == "b if Yellow passes else c 2 loyal"


@pytest.mark.parametrize(("own", "english"), [
    ("intercetta Lysimachos con 2 Leali e 1 Elefante", "intercept Lysimachos with 2 loyal, 1 elephant"),
    ("перехват Лисимах с 2 loyal и 1 elephant", "intercept Lysimachos with 2 loyal, 1 elephant"),
    ("draussen 2 loyale", "outside 2 loyal"), ("DRAUẞEN 2 LOYALE", "outside 2 loyal"),
    ("DRAUSSEN 2 LOYALE", "outside 2 loyal")])
def test_a_word_of_one_letter_joins_and_a_capital_changes_none(own: str, english: str) -> None:
    assert parse(own, NAMES) == parse(english, NAMES)


def test_it_joins_two_orders_as_well() -> None:
    assert parse("tira; e marcia Kassandros > Lamia", NAMES) == parse("roll; march Kassandros > Lamia", NAMES)


@pytest.mark.parametrize("text", ["with", "с чем", "mit", "not", "with 2 loyal"])
def test_a_word_that_joins_names_is_the_beginning_of_no_order(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text, NAMES)


def test_no_word_stands_for_two_and_none_is_a_name_or_english() -> None:
    words = [word.lower() for row in WORDS.values() for own in row.split(" | ") for word in own.split(", ") if word[0] != "="]
    assert len(words) == len(set(words))
    english = {word for row in WORDS for word in row.split()}
    assert not set(words) & {*WORDS, *english, "a", "of", "in", "at", "by", "under", "taking", "leaving", "placing"}
    for kind in (catalogue.facts().spaces, catalogue.facts().generals, catalogue.facts().minors, catalogue.facts().provinces):
        assert not set(words) & {name.lower() for one in kind.values() for name in str(one.get("name", "")).split()}


def test_whatever_a_pattern_says_every_language_has_a_word_for() -> None:
    for form in (form for forms in VERBS.values() for form in forms):
        for said in fixed(form.understood().nodes):
            assert said == ">" or said in WORDS, (form.pattern, said)


def fixed(nodes: tuple[Node, ...]) -> Iterator[str]:
    """What stands in an order whatever is filled in, as it is written: words in a row as one."""
    for between, part in groupby(nodes, lambda node: isinstance(node, str)):
        if between:
            yield " ".join(map(str, part))
            continue
        for node in part:
            if isinstance(node, Maybe):
                yield from fixed(node.nodes)
            elif isinstance(node, Slot):
                yield from node.words


@pytest.mark.parametrize("text", ["march Kassandros > Lamia", "intercept Red into Lamia with Lysimachos, all, once", "end"])
def test_english_is_left_as_it_is(text: str) -> None:
    assert in_english(text) is text


def test_no_letter_is_one_of_a_word_s_only_where_case_is_ignored() -> None:
    """Patterns ignore case, and the tables behind them have small letters."""
    small = "[a-zа-яёßàäèéìòöùü]"
    found = [one for one in map(chr, range(sys.maxunicode + 1)) if re.fullmatch(small, one, re.IGNORECASE)]
    assert len(found) > 130 and not [one for one in found if not re.fullmatch(small, one.translate(PLAIN).lower())]


@pytest.mark.parametrize(("text", "meant"), [
    ("drop 2 loyal outsıde", "drop 2 loyal outside"), ("play 32 as opſ", "play 32 as ops"), ("броᲃок", "roll"),
    ("İntercept Lysimachos with all", "intercept Lysimachos with all"),
    ("first player Blue rıght", "first player Blue right")])
def test_with_such_letters_an_order_is_what_it_looks_like(text: str, meant: str) -> None:
    assert parse(text, NAMES) == parse(meant, NAMES)


@pytest.mark.parametrize("line", ["if MP ıs 3: roll", "if MP leſs than 3: roll", "if MP is 3: roll"])
def test_so_is_a_condition(line: str) -> None:
    read = read_line(line, NAMES)
    assert read is not None and read.condition is not None and read.condition.value == 3


@pytest.mark.parametrize("amount", ["twıce", "TWİCE", "every tıme"])
def test_so_is_a_standing_order(amount: str) -> None:
    assert standing.read(f"evade Red, {amount}", NAMES).left == (2 if "w" in amount.lower() else ALWAYS)
