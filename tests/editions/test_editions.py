"""The variants that can be played: one line each, words for them, a book that they cite."""

import io
import re
import tokenize
from pathlib import Path

import pytest
from small_position import Dice, stated, table

from pbem import editions
from pbem.base.errors import Refused
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.components import catalogue
from pbem.components.shipped import STATE
from pbem.editions import EDITIONS, USUAL, books
from pbem.editions.options import OPTIONS
from pbem.orders.names import Names
from pbem.play.match import Match
from pbem.rules.setup import starting
from pbem.telling import rulebook
from pbem.telling.words import Words

ROOT = Path(__file__).resolve().parents[2]


# --- the registry ------------------------------------------------------------------------------------------------


def test_each_goes_by_its_own_name() -> None:
    assert all(rules.name == name for name, rules in EDITIONS.items())
    assert Match({"rules": {}, "seats": {"red": {}, "blue": {}}}).g.rules.name == USUAL


def test_each_that_is_written_can_be_played() -> None:
    modules = (ROOT / "pbem/editions").glob("*.py")
    assert {path.stem for path in modules if re.search(r"^RULES\b", path.read_text(), re.MULTILINE)} == EDITIONS.keys()


@pytest.mark.parametrize("name", EDITIONS)
def test_each_cites_a_book_that_there_is(name: str) -> None:
    book = EDITIONS[name].book
    assert rulebook.index(book) and books.printed("9.3A", book)


@pytest.mark.parametrize("language", languages())
def test_each_has_its_term(language: str) -> None:
    assert sentences(language, "terms")["edition"].keys() == EDITIONS.keys()


@pytest.mark.parametrize("name", EDITIONS)
def test_what_it_says_of_options_is_said_of_options(name: str) -> None:
    rules = EDITIONS[name]
    three = rules.standard_options, rules.foreign_options, rules.past_options
    assert frozenset().union(*three) <= {*OPTIONS, "16.1"}
    assert sum(map(len, three)) == len(frozenset().union(*three))


def test_every_point_has_its_rule_and_its_words() -> None:
    """`pbem rules --diff` reads them off the record; what names a variant and its book is no point."""
    named = list(editions.Ruleset._fields)
    assert list(rulebook.points()) == named[named.index("path_mps"):]
    assert named[:named.index("path_mps")] == ["name", "book", "standard_options", "foreign_options", "past_options"]


@pytest.mark.parametrize("name", ["forth", "1st"])
def test_an_edition_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        editions.ruleset(name)
    facts = catalogue.facts()
    said = Words("en", Names(facts, {"red": {}}), facts).refusal(refused.value)
    assert f'"{name}" is no edition' in said and said.endswith("There are fourth, draft and third.")
    assert ("Perhaps fourth" in said) == (name == "forth")


def test_the_book_is_apart_from_the_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variant may play otherwise and cite the book of another."""
    monkeypatch.setitem(EDITIONS, "house", EDITIONS["third"]._replace(name="house", last_turn=3))
    g = Match({"rules": {"edition": "house", "options": ["23.4"]}, "seats": {"red": {}, "blue": {}}}).g
    assert (g.rules.name, g.rules.book, g.rules.options) == ("house", "third", ("16.10",))
    assert Words("en", Names(g.facts, {}), g.facts, book=g.rules.book).rule("9.3A") == "9.3"
    assert rulebook.differences("third", "house") == [
        {"point": "last_turn", "rule": "3.3", "words": "last turn", "third": "5", "house": "3"}]
    assert "house (20.3): 3" in rulebook.differences_told("third", "house")


# --- where their names stand -------------------------------------------------------------------------------------


def test_no_other_code_names_an_edition() -> None:
    """But for the components: what the 3rd edition prints for the same thing is a field of their data; a published game that
    is replayed says by which it was played."""
    named = []
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        if path.parent.name not in ("editions", "components", "replay"):
            tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
            named += [f"{path}:{token.start[0]}" for token in tokens
                      if token.type == tokenize.STRING and token.string.strip("\"'") in EDITIONS]
    assert named == []


def test_nothing_in_the_room_knows_the_registry() -> None:
    """The record and the books, then the options and the variants, then the registry."""
    room = list((ROOT / "pbem/editions").glob("*.py"))
    for path in room:
        for names in re.findall(r"from pbem\.editions import (.+)", path.read_text(encoding="utf-8")):
            assert set(names.split(", ")) <= {other.stem for other in room}, path


def test_the_3rd_edition_has_a_box_of_its_own():
    """22.1, 22.2, 8.5: who begins, who is a card, what is green on the map; a game of before keeps to the other one."""
    header = {"game": "g", "rules": {"edition": "third"}, "seats": {seat: {} for seat in ("red", "blue", "yellow", "black")}}
    new, old = Match({**header, "data": STATE}), Match({**header, "data": 2})
    assert {"lysimachos"} == {*starting(new.g)} - {*starting(old.g)} and {"eumenes"} == {*starting(old.g)} - {*starting(new.g)}
    assert new.g.facts.cards["61"]["params"]["general"] == "eumenes" and "61" not in new.g.out
    assert "61" not in old.g.facts.cards
    assert {*new.g.board.independent_at_start(4)} < {*old.g.board.independent_at_start(4)}
    assert all(new.g.facts.generals[name]["groups"][4] == "unavailable" for name in ("asandros", "menelaos", "kassandros"))


def test_what_a_moderator_reads_off_the_box_of_the_3rd_edition_counts_on_top_of_it():
    header = {"game": "g", "data": STATE, "rules": {"edition": "third"}, "seats": {"red": {}, "blue": {}, "yellow": {}}}
    correction = {"datum": "generals.lysimachos.battle", "value": 4}
    match = Match({**header, "box": {"corrections": [correction]}})
    assert match.g.facts.generals["lysimachos"]["battle"] == 4 and "61" in match.g.facts.cards


def test_the_map_of_the_3rd_edition_has_names_of_its_own():
    """22.1 and the example of play: Smyrna, Miletos, Nikaia, Nikopolis, where Olympias begins; both names are understood."""
    g = Match({"game": "g", "data": STATE, "rules": {"edition": "third"}, "seats": {"red": {}, "blue": {}}}).g
    names = Names(g.facts)
    for id, here, usual in (("pergamon", "Smyrna", "Pergamon"), ("ephesos", "Miletos", "Ephesos"),
                            ("astakos", "Nikaia", "Astakos"), ("molossia", "Nikopolis", "Molossia")):
        assert names.say("space", id) == here and names.resolve("space", here) == names.resolve("space", usual) == id
    assert g.facts.royals["olympias"]["start"] == "molossia"
    assert [Words("ru", names, g.facts, book=book).place("pergamon") for book in ("third", "fourth")] == ["Смирна", "Пергам"]
    assert names.resolve("space", "Смирна") == names.resolve("space", "Пергам") == "pergamon"


@pytest.mark.parametrize(("edition", "first"), [("fourth", "seating"), ("third", "deployment")])
def test_seats_are_chosen_in_the_4th_edition_only(edition: str, first: str) -> None:
    question = table(stated({"phase": "setup", "turn": 1}, edition=edition, dice=Dice(seed=1))).question
    assert question is not None and question.kind == first
