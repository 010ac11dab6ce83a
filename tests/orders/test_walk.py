"""Every name stands once in every place of every order, condition, answer, standing order and filed card, of all three boxes,
in four languages: what is written so is read as the same. Names have words in them that orders are made of (Haimos pass)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import compress, product
from typing import Any

import pytest

from pbem.components import catalogue
from pbem.desk import standing, standing_words
from pbem.desk.filing import Trigger, read_trigger
from pbem.orders import (
    ALL,
    LETTERS,
    NONE,
    Alternative,
    Line,
    Maybe,
    Order,
    Pieces,
    Slot,
    parse,
    read_answer,
    read_line,
    say,
    say_answer,
)
from pbem.orders.asking import requested, word_of
from pbem.orders.lines import Condition, say_line
from pbem.orders.names import Names
from pbem.orders.slots import Speaker
from pbem.orders.table import STARTS, VERBS
from pbem.orders.tongues import TONGUES
from pbem.play.match import MOMENTS
from pbem.telling.spoken import Spoken
from pbem.telling.words import Words

BOXES = ("", "third", "draft")
LANGUAGES = ("en", *TONGUES)
SEATS = ("red", "blue", "yellow", "black", "green")
COMPARED = ("<", "<=", "=", ">=", ">")
Values = dict[str, list[Any]]


@cache
def names_of(box: str) -> Names:
    return Names(catalogue.facts((), box), {seat: {} for seat in SEATS})


@cache
def speaker(language: str, box: str) -> Speaker:
    names = names_of(box)
    return names if language == "en" else Spoken(Words(language, names, catalogue.facts((), box)))


@cache
def ids(box: str) -> dict[str, list[str]]:
    facts = catalogue.facts((), box)
    return {"seat": [*SEATS, "independent"], "general": [*facts.generals, *facts.minors, *facts.independents],
            "royal": [*facts.royals], "space": [*facts.spaces], "province": [*facts.provinces], "card": [*facts.cards],
            "fleet": [*facts.fleets]}


@cache
def values(box: str) -> Values:
    """What may stand in a slot of each kind."""
    named, facts = ids(box), catalogue.facts((), box)
    spaces = named["space"]
    return {
        **named, "location": [space + part for space in spaces for part in ("", "/inside", "/sea")],
        "pieces": [*(Pieces.of([general], {"loyal": 2}, []) for general in named["general"]),
                   *(Pieces.of(named["general"][:1], {}, [royal]) for royal in named["royal"]),
                   Pieces.of([], {}, [])._replace(everything=True), Pieces.of([], {"mercenary": 1, "elephant": 2}, [])],
        "path": list(zip(spaces, spaces[1:], strict=False)), "spaces": list(zip(spaces, spaces[2:], strict=False)),
        "seats": [*((seat,) for seat in SEATS), SEATS[:3]], "circle": [SEATS[:2], SEATS[2:]], "minor": [*facts.minors, "any"],
        "fleets": [("all",), (), *((fleet,) for fleet in named["fleet"])], "number": [0, 1, 20], "letter": sorted(LETTERS),
        "target": [(kind, id) for kind, every in named.items() for id in every], "flag": [True]}


def slots(nodes: tuple[Any, ...], within: tuple[Maybe, ...] = ()) -> Iterator[tuple[Slot, tuple[Maybe, ...]]]:
    for node in nodes:
        if isinstance(node, Maybe):
            yield from slots(node.nodes, (*within, node))
        elif isinstance(node, Slot):
            yield node, within


def fitting(slot: Slot, given: Values) -> list[Any]:
    if slot.kind == "constant":
        return [ALL if slot.value == "all" else slot.value]
    return list(slot.words) if slot.kind == "choice" else given[slot.kind]


def least(nodes: tuple[Any, ...], used: tuple[Maybe, ...], given: Values) -> dict[str, Any]:
    """The first value for each slot that has to be filled, and for those of the parts that are used."""
    made: dict[str, Any] = {}
    for node in nodes:
        if isinstance(node, Maybe) and node in used:
            made |= least(node.nodes, used, given)
        elif isinstance(node, Slot):
            made[node.arg] = fitting(node, given)[0]
    return made


@cache
def orders(box: str) -> list[Order]:
    """Every value in every slot of every form."""
    given, made = values(box), []
    for form in (form for forms in VERBS.values() for form in forms):
        nodes = form.understood().nodes
        made.append(Order(form.verb, **least(nodes, (), given)))
        for slot, within in slots(nodes):
            rest = least(nodes, within, given)
            made += [Order(form.verb, **{**rest, slot.arg: value}) for value in fitting(slot, given)]
    return list(dict.fromkeys(made))


def parts(nodes: tuple[Any, ...]) -> Iterator[Maybe]:
    for node in nodes:
        if isinstance(node, Maybe):
            yield node
            yield from parts(node.nodes)


def readable() -> Iterator[Order]:
    """Every form that is read, with each choice of its parts; not all of them are written."""
    for form in (form for forms in STARTS.values() for form in forms):
        nodes = form.understood().nodes
        given = [part for part in parts(nodes) if any(isinstance(node, Slot) for node in part.nodes)]
        for chosen in product((False, True), repeat=len(given)):
            yield Order(form.verb, **least(nodes, tuple(compress(given, chosen)), values("")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_can_be_read_can_be_said(language: str) -> None:
    """Lines that wait are told to their owner as he writes them, whatever way they were written."""
    count = 0
    for order in dict.fromkeys(readable()):
        text = say(order, speaker(language, ""))
        assert parse(text, names_of("")) == (order,), text
        count += 1
    assert count > 250


def conditions(box: str) -> Iterator[Condition]:
    named = ids(box)
    yield from (Condition("mp", None, op, 3) for op in COMPARED)
    for op in ("at", "not at"):
        yield from (Condition("general", general, op, "lamia") for general in named["general"])
        yield from (Condition("general", named["general"][0], op, where) for where in values(box)["location"])
    for op in ("is", "is not"):
        yield from (Condition("space", space, op, "uncontrolled") for space in named["space"])
        yield from (Condition("space", named["space"][0], op, seat) for seat in named["seat"])
    yield from (Condition("seat", seat, op) for seat in SEATS for op in ("acts", "passes"))


def each_text_once(language: str, of: Callable[[str], Iterator[Any]], spoken: Callable[[Any, Speaker], str],
                   ) -> Iterator[tuple[Names, Any, str]]:
    """What is written the same for another box was read already."""
    seen: set[str] = set()
    for box in BOXES:
        said = speaker(language, box)
        for one in of(box):
            text = spoken(one, said)
            if text not in seen:
                seen.add(text)
                yield names_of(box), one, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_in_every_place_of_an_order(language: str) -> None:
    count = 0
    for names, order, text in each_text_once(language, lambda box: iter(orders(box)), say):
        assert parse(text, names) == (order,), text
        if order.verb == "letter" or count % 7 == 0:
            assert parse(text.upper(), names) == (order,), text.upper()
        count += 1
    assert count > 9000


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_in_every_condition(language: str) -> None:
    def line(condition: Condition) -> Line:
        return Line((Order("roll"),), condition, regardless=True, confirmed=False, text="")

    count = 0
    for names, one, text in each_text_once(language, conditions, lambda one, said: say_line(line(one), said)):
        read = read_line(text, names)
        assert read is not None and read._replace(text="") == line(one), text
        count += 1
    assert count > 500


def answers(box: str) -> Iterator[tuple[Alternative, ...]]:
    """Each letter first, after another answer, behind another order, at a step of a route; each space as such a step."""
    passes, two = Condition("seat", "blue", "passes"), Pieces.of([], {"loyal": 2}, [])
    for letter in sorted(LETTERS):
        one, few = Order("letter", letter=letter), Order("letter", letter=letter, pieces=two)
        yield from ((Alternative((Order("letter", letter=letter, pieces=pieces),)),) for pieces in (NONE, ALL))
        yield (Alternative((one,), passes), Alternative((few,)))
        yield (Alternative((few,), passes), Alternative((one,)))
        yield (Alternative((one, Order("roll"), few, one)),)
        yield (Alternative((Order("pass"),)), Alternative((few,), None, "lamia"), Alternative((one,), None, "larisa"))
    for space in ids(box)["space"]:
        yield (Alternative((Order("pass"),)), Alternative((Order("roll"),), Condition("seat", "blue", "acts"), space))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_and_every_step_of_an_answer(language: str) -> None:
    count = 0
    for names, one, text in each_text_once(language, answers, say_answer):
        assert read_answer(text, names) == one, text
        count += 1
    assert count > 200


@pytest.mark.parametrize("letter", sorted(LETTERS))
@pytest.mark.parametrize("written", ["{}", "{})", "{}.", "({})", "**{}**", "{} regardless", "{} 2 loyal", "{}: 2 loyal"])
def test_a_letter_is_an_answer_however_it_is_written(letter: str, written: str) -> None:
    names = names_of("")
    for text in (written.format(letter), written.format(letter.upper())):
        read = read_line(text, names)
        assert read is not None and [order.but(pieces=None) for order in read.orders] == [
            Order("letter", letter=letter).but(pieces=None)], text


def standing_orders(box: str) -> Iterator[str]:
    names, named = names_of(box), ids(box)
    for x in (names.say("space", space) for space in named["space"]):
        yield from (f"intercept Red into {x} with Lysimachos, all, once", f"evade Red at {x}, unless I win 60 %, always",
                    f"evade with Lysimachos > {x} > Pella, once", f"stay at {x}, if {x} is Red, yes, once",
                    f"intercept Red with Lysimachos, all, if Lysimachos at {x}, once", f"lose mercenary at {x}, once",
                    f"naval battle with all against Red at {x}, once", f"grant Red at {x}, if {x} is not uncontrolled, twice")
    for x in (names.say("province", province) for province in named["province"]):
        yield f"evade Red at {x}, always"
    for x in (names.say("general", general) for general in named["general"]):
        yield from (f"intercept Red with {x}, 2 loyal, if {x} at Lamia, once", f"evade with {x} > Larisa, once")
    for x in (names.say("fleet", fleet) for fleet in named["fleet"]):
        yield f"naval battle with {x} against Red, once"
    for x in (names.say("seat", seat) for seat in SEATS):
        yield from (f"pass on evasion against {x}, if {x} passes, always", f"refuse {x}, if Larisa is {x}, once")


def with_words(language: str, of: Callable[[str], Iterator[Any]]) -> Iterator[tuple[Words, Any]]:
    """What the boxes have whose names differ, each with the words of its reader; 1,500 or more."""
    readers = [(box, Words(language, names_of(box), catalogue.facts((), box))) for box in BOXES[:2]]
    each = [(words, one) for box, words in readers for one in of(box)]
    assert len(each) > 1500
    yield from each


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_in_a_standing_order(language: str) -> None:
    for words, text in with_words(language, standing_orders):
        meant = standing.read(text, words.names)
        own = meant.text if language == "en" else standing_words.retold(meant.text, words)
        read = standing.read(own, words.names)
        assert replace(read, conditions=[], text="") == replace(meant, conditions=[], text=""), own
        assert standing_words.retold(read.text, words) == standing_words.retold(meant.text, words), own


def triggers(box: str) -> Iterator[Trigger]:
    named = ids(box)
    for moment in MOMENTS:
        yield from (Trigger(moment, ((kind, id),)) for kind in ("general", "space", "card") for id in named[kind])
        yield from (Trigger(moment, (("seat", seat),)) for seat in SEATS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_in_the_moment_of_a_filed_card(language: str) -> None:
    for words, trigger in with_words(language, triggers):
        line = f"{word_of(language, 'file', 'file')} {trigger.retold(words)}: {words.retold('play 54 as surprise')}"
        moment = requested(line)[0].removeprefix("file ").partition(":")[0]
        assert read_trigger(moment, words.names) == trigger, line
