"""What is offered in a language is the same order when it is typed."""

import gzip
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbem.base import yamlfile
from pbem.components import catalogue
from pbem.desk import standing, standing_words
from pbem.dev.sentences import miscounted
from pbem.log import gamelog
from pbem.orders import Order, Pieces, parse, read_answer, read_condition, read_line, say_answer, say_line
from pbem.orders.lines import say_condition
from pbem.orders.names import Names
from pbem.orders.order import NONE
from pbem.orders.table import VERBS
from pbem.orders.tongues import TONGUES, in_english, in_words_of
from pbem.play.match import Match
from pbem.telling.spoken import Spoken
from pbem.telling.words import Words

KEPT = Path(__file__).parents[1] / "log/kept"
SEATS: dict[str, Any] = {seat: {} for seat in ("red", "blue", "yellow", "black", "green")}
NAMES = Names(catalogue.facts(), SEATS)
EVERY = 23                                  # entry of a game whose question is looked at


def words(language: str) -> Words:
    return Words(language, NAMES, catalogue.facts())


@pytest.mark.parametrize("log", sorted(KEPT.glob("*.gz")), ids=lambda log: log.name.partition(".")[0])
def test_every_offer_in_every_language_is_read_as_the_same_order(log: Path) -> None:
    kept = yamlfile.parse(gzip.decompress(log.read_bytes()).decode())
    match = Match({key: value for key, value in kept.items() if key != "log"})
    speakers = [Words(language, match.names, match.g.facts) for language in TONGUES]
    offered: set[Order] = set()
    for number, place in enumerate(gamelog.survivors(kept["log"])):
        match.apply(kept["log"][place], place + 1)
        question = match.question
        if number % EVERY == 0 and question is not None:
            for side in question.sides:
                for answer in islice(question.offers(side), 20):
                    offered.update((answer,) if isinstance(answer, Order) else answer)
    for order in offered:
        for said in speakers:
            own = str(said.order(order))
            assert parse(own, match.names) == (order,), own
    assert len(offered) > 50


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("kind", ["space", "general", "province", "fleet", "royal", "seat"])
def test_every_name_in_every_form_is_read(language: str, kind: str) -> None:
    said = words(language)
    for id in {"space": NAMES_OF.spaces, "general": {**NAMES_OF.generals, **NAMES_OF.minors, **NAMES_OF.independents},
               "province": NAMES_OF.provinces, "fleet": NAMES_OF.fleets, "royal": NAMES_OF.royals, "seat": SEATS}[kind]:
        for case in Spoken(said).terms["cases"]:
            assert NAMES.resolve(kind, Spoken(said, case).say(kind, id)) == id


NAMES_OF = catalogue.facts()


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("answer", [
    "b if Yellow passes", "intercept Lysimachos from Sardeis with 2 loyal, 1 mercenary if Red acts else pass",
    "pass; at Larisa: intercept Kassandros with all; at Lesbos: pass", "inside Kassandros, 1 elephant; outside 2 royal"])
def test_so_is_an_answer_with_all_that_it_depends_on(answer: str, language: str) -> None:
    own = say_answer(read_answer(answer, NAMES), Spoken(words(language)))
    assert say_answer(read_answer(own, NAMES), NAMES) == answer and words(language).retold(answer) == own


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("line", [
    "march Antigonos > Ephesos > Sardeis regardless", "if MP >= 3: march Antigonos with 2 loyal > Ephesos regardless",
    "if Antigonos at Ephesos: siege Kyrtioi with Peithon yes", "if Ephesos is not Red: sail Antigonos > Kyrene regardless yes",
    "if Sardeis is uncontrolled: end activation", "play 37 as ops regardless"])
def test_so_is_a_line_of_ones_own_turn_that_waits(line: str, language: str) -> None:
    """Who is told which of his lines wait is told so in his words, and may send them again as they stand there."""
    own = words(language).retold(line)
    read = read_line(own, NAMES)
    assert own != line and read is not None and say_line(read, NAMES) == line and words(language).retold(own) == own


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("text", ["MP >= 3", "Kassandros at Lamia", "Kassandros not at inside Pella", "Larisa is Blue",
                                  "Larisa is not uncontrolled", "Blue passes"])
def test_so_is_a_condition(text: str, language: str) -> None:
    condition = read_condition(text, NAMES)
    own = say_condition(condition, Spoken(words(language)))
    assert read_condition(in_english(own), NAMES) == condition, own


@pytest.mark.parametrize("language", TONGUES)
def test_so_are_the_hints_below_a_question(language: str) -> None:
    said = words(language)
    quoted = re.compile({"de": "„(.+?)“"}.get(language, "«(.+?)»"))

    def hint(key: str, **facts: Any) -> str:
        return quoted.findall(said.phrase(key, **facts))[0]

    assert say_answer(read_answer(hint("hint_parts", letter="b", cus={"loyal": 1}), NAMES), NAMES) == "b 1 loyal"
    assert say_answer(read_answer(hint("hint_condition", letter="b", other="yellow"), NAMES), NAMES) == "b if Yellow passes"
    for space in NAMES_OF.spaces:
        meant = read_answer(f"at {NAMES.say('space', space)}: pass", NAMES)
        assert read_answer(hint("hint_route", space=space, order=""), NAMES) == meant
    own = said.order(Order("intercept", general="lysimachos", pieces=Pieces((), (), (), True)))
    meant = read_answer("at Lamia: intercept Lysimachos with all", NAMES)
    assert read_answer(hint("hint_route", space="lamia", order=own), NAMES) == meant
    march = str(said.phrase("may_march", general="kassandros", spaces=["lamia"]))
    assert parse(march, NAMES) == parse("march Kassandros > Lamia", NAMES)


STANDING = [
    "intercept Red into Lamia with Lysimachos, all, once", "intercept with any General, all, always",
    "intercept Red into Sardeis with any General, all, if a 3 is enough, once",
    "intercept Red with Lysimachos from Pella, 2 loyal, 1 mercenary, unless I would lose, twice",
    "evade Red at Lamia, unless I win 60 %, always", "evade with Lysimachos > Larisa > Pella, once",
    "grant Red at Lamia, if he has at most 3 CUs, 4 times", "refuse, always", "refuse Red, once",
    "outside all against Red at Pella, once", "naval battle with all against Red at Rhodos, once",
    "lose mercenary, elephant, always", "stay at Lamia, if Larisa is Red, yes, once",
    "pass on interception against Red, always", "pass on naval battle, once", "pass on the city, once",
    "pass on evasion at Lydia, if Yellow passes, until the turn ends, always",
    "evade Red, unless his odds are better than a third, always", "evade, if they win 50 %, if MP >= 3, once", "honour, always"]


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("text", STANDING)
def test_so_is_a_standing_order(text: str, language: str) -> None:
    own = standing_words.retold(text, words(language))
    assert set(re.findall("[A-Za-z]+", own)) & ENGLISH == set(), own
    meant, read = standing.read(text, NAMES), standing.read(own, NAMES)
    assert (read.conditions and standing_words.retold(read.text, words(language)) or read.text) == (
        read.conditions and own or meant.text), own
    assert standing.body(standing_words.retold_line(f"standing: {text}", words(language))) is not None
    assert standing_words.retold(text, words("en")) == text


@pytest.mark.parametrize(("text", "own"), [
    ("lose mercenary, elephant at Lamia, always", "verlieren Söldner, Elefanten in Lamia, immer"),
    ("stay at Lamia, yes, twice", "bleiben in Lamia, ja, zweimal"),
    ("grant Red until the turn ends, once", "gewähren Rot, bis der Spielzug endet, einmal"),
    ("refuse, every time", "verweigern, immer"),
    ("intercept with any General, all, 4 times", "abfangen mit irgendeinem General, allem, 4 Mal"),
    ("intercept with Lysimachos from Pella, 2 loyal, once", "abfangen mit Lysimachos von Pella, 2 loyalen, einmal"),
    ("evade, if I win 60 %, once", "ausweichen, wenn Siegchance 60 %, einmal"),
    ("evade, if they win 60 %, once", "ausweichen, wenn Gegenchance 60 %, einmal"),
    ("evade, if my odds are better than 40 %, once", "ausweichen, wenn Siegchance über 40 %, einmal"),
    ("evade, if his odds are better than half, once", "ausweichen, wenn Gegenchance über 50 %, einmal"),
    ("evade, if we win at least 60 %, once", "ausweichen, wenn Siegchance 60 %, einmal"),
    ("evade, if his odds are better than 100 %, once", "ausweichen, wenn Gegenchance über 100 %, einmal"),
    ("evade, if we would probably lose, once", "ausweichen, wenn Niederlage droht, einmal"),
    ("evade, if I would lose, once", "ausweichen, wenn Niederlage droht, einmal"),
    ("evade, if I need a 4 or better, once", "ausweichen, wenn 4 reicht, einmal"),
    ("evade, if she comes with fewer than 2 CUs, once", "ausweichen, wenn Gegner mit unter 2 KV, einmal"),
    ("evade, if Larisa is Red, once", "ausweichen, wenn Larisa ist Rot, einmal"),
])
def test_a_standing_order_is_told_as_its_owner_would_write_it(text: str, own: str) -> None:
    assert standing_words.retold(standing.read(text, NAMES).text, words("de")) == own
    assert standing_words.retold_line(f"standing: {text}", words("de")).endswith(f": {own}")


def test_what_is_no_standing_order_any_more_is_told_between_its_names() -> None:
    assert standing_words.retold("evade Nobody, once", words("de")) == "ausweichen Nobody, einmal"


ENGLISH = set("intercept into with once twice always evade unless refuse grant outside against lose mercenary pass on until the"
              " turn ends odds better than win times stay honour cancel standing".split())


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize(("lasts", "terms"), list(enumerate(["", "against Red", "unless I win 60 %", "until the turn ends"])))
def test_so_is_an_answer_that_lasts(lasts: int, terms: str, language: str) -> None:
    question = match_with("interception")
    quoted = re.compile({"de": "„(.+?)“"}.get(language, "«(.+?)»"))
    said = quoted.findall(words(language).phrase("hint_lasting", letter="b"))[lasts]
    found = standing.lasting(question, said)
    assert found is not None and found.answer == "b"
    kept = standing.read(f"pass on interception {found.terms}, always", NAMES)
    assert kept.text.replace("%", " %").replace("  ", " ") == standing.read(f"pass on interception {terms}, always", NAMES).text


def match_with(kind: str) -> Any:
    return type("Asked", (), {"kind": kind})()


@pytest.mark.parametrize("language", TONGUES)
def test_so_is_the_standing_order_that_a_hint_shows(language: str) -> None:
    quoted = re.compile({"de": "„(.+?)“"}.get(language, "«(.+?)»"))
    for space in NAMES_OF.spaces:
        said = words(language).phrase("hint_standing", mover="red", space=space, general="lysimachos")
        own = standing.body(quoted.findall(said)[0])
        assert own is not None
        name = NAMES.say("space", space)
        meant = standing.read(f"intercept Red into {name} with Lysimachos, all, once", NAMES)
        assert standing.read(own, NAMES) == meant


@pytest.mark.parametrize("language", TONGUES)
def test_what_is_to_be_filled_in_has_a_name_in_each_language(language: str) -> None:
    for forms in VERBS.values():
        for form in forms:
            own = in_words_of(language, form.shown())
            assert not set(re.findall("[A-Z]{4,}", form.shown())) - {"GENERAL"} & set(re.findall("[A-Z]{4,}", own)), own


def test_the_log_and_whoever_reads_english_keep_the_english_words() -> None:
    order = parse("march Kassandros with 2 loyal > Lamia", NAMES)
    assert words("en").order(order) == "march Kassandros with 2 loyal > Lamia" == words("en").retold(words("en").order(order))
    assert words("ru").order(order) == "идти Кассандром с 2 верными > Ламия"
    assert words("de").order(order) == "marschieren Kassandros mit 2 loyalen > Lamia"
    assert words("it").order(order) == "marcia Kassandros con 2 Leali > Lamia"


@pytest.mark.parametrize("language", TONGUES)
@pytest.mark.parametrize("number", [1, 2, 5, 21])
@pytest.mark.parametrize("order", [
    "disband {} royal at Pella", "march Antigonos with {} loyal, {} elephant > Ephesos", "lose {} mercenary, {} royal",
    "pick up {} royal", "drop {} independent", "split Pella leaving {} cavalry"])
def test_a_noun_in_an_order_goes_with_its_number(order: str, number: int, language: str) -> None:
    english = order.replace("{}", str(number))
    said = words(language).retold(english)
    assert list(miscounted(language, said)) == []
    assert read_answer(said, NAMES) == read_answer(english, NAMES)


@pytest.mark.parametrize(("language", "said"), [
    ("de", "marschieren Antigonos mit nichts > Ephesos"), ("it", "marcia Antigonos con niente > Ephesos"),
    ("ru", "идти Антигоном ни с чем > Эфес")])
def test_with_nothing_may_be_no_two_words(language: str, said: str) -> None:
    order = Order("march", general="antigonos", pieces=NONE, path=("ephesos",))
    assert words(language).order(order) == said and parse(said, NAMES) == (order,)


@pytest.mark.parametrize(("english", "russian"), [
    ("march Antigonos with all > Pella", "идти Антигоном с полным составом > Пелла"),
    ("march Antigonos with Alexandros, 5 loyal > Lamia", "идти Антигоном с 5 верными, Александром IV > Ламия"),
    ("march Antigonos with cart > Lamia asking passage of Blue",
     "идти Антигоном с погребальной колесницей > Ламия прося прохода у Синего"),
    ("play O63 as event on Blue", "сыграть O63 как событие цель Синий"),
    ("raise mercenary at Pella", "сформировать наёмную БЧ в Пелле"),
])
def test_what_is_named_stands_in_the_form_that_the_word_before_it_asks_for(english: str, russian: str) -> None:
    (order,) = parse(english, NAMES)
    assert str(words("ru").order(order)) == russian
    assert parse(russian, NAMES) == (order,)


@pytest.mark.parametrize(("language", "kind", "id", "said"), [
    ("de", "location", "pella", "Pella"), ("de", "location", "pella/inside", "Pella drinnen"),
    ("ru", "location", "pella", "Пелла"), ("ru", "seat", "blue", "Синий"), ("de", "cu", "loyal", "loyale"),
    ("ru", "royal", "cart", "погребальная колесница"), ("ru", "royal", "alexandros", "Александр IV"),
    ("ru", "general", "antigonos", "Антигон")])
def test_a_thing_is_called_as_its_reader_calls_it(language: str, kind: str, id: str, said: str) -> None:
    assert Spoken(words(language)).say(kind, id) == said
