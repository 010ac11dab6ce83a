"""The rulebook as an index: which rules a function names, what is found by a number, how two editions are compared."""

from itertools import combinations

import pytest

from pbem.editions import EDITIONS
from pbem.editions.books import BOOK
from pbem.telling import rulebook


@pytest.mark.parametrize(("words", "rules"), [
    ("9.2 B, D1 How far.", ["9.2B", "9.2D"]), ("11.2, 12.1 Who comes and who goes.", ["11.2", "12.1"]),
    ("6.2 and 6.3 Cards.", ["6.2", "6.3"]), ("13.3 D A voyage.", ["13.3D"]), ("9.3, A A march.", ["9.3", "9.3A"]),
    ("16.11 Independents.", ["16.11"]), ("A horse, 9.3.", []), ("99.1 Nothing.", []), ("B A horse.", []),
    ("Whoever comes (9.3).", [])])
def test_the_first_words_of_a_function_name_its_rules(words: str, rules: list[str]) -> None:
    assert rulebook.cited(f"{words}\n\n8.1 And more.") == rules


@pytest.mark.parametrize(("number", "shown"), [
    ("9.3", ["9.3", "9.3 A", "9.3 B", "9.3 C", "9.3 D"]), ("9.3 a", ["9.3 A"]), ("9.3A", ["9.3 A"]), ("1", ["1"]), ("77", []),
    ("16.1", ["16.1"])])
def test_a_rule_is_found_with_its_parts_and_with_no_other(number: str, shown: list[str]) -> None:
    assert [row["shown"] for row in rulebook.found(number, BOOK)] == shown


def test_without_a_number_all_of_the_book_is_found() -> None:
    assert rulebook.found("", BOOK) == rulebook.index(BOOK)
    assert rulebook.found("", "third") == rulebook.index("third")


def test_a_rule_that_no_function_plays_says_why_and_one_that_is_played_by_which() -> None:
    rows = {row["shown"]: row for row in rulebook.index(BOOK)}
    assert "rules.movement.march" in rows["9.3 A"]["functions"] and rows["9.3 A"]["needless"] == ""
    assert all(bool(row["functions"]) != bool(row["needless"]) for row in rows.values())
    assert len(rows["9.3 A"]["functions"]) == len(set(rows["9.3 A"]["functions"]))


def test_beside_the_numbers_of_another_book_stand_those_of_the_4th_edition() -> None:
    (line,) = rulebook.listed(rulebook.found("9.3A", BOOK), BOOK).splitlines()
    assert line.startswith("9.3 A    Moving between connected spaces              rules.movement.judge_march, ")
    (line,) = rulebook.listed(rulebook.found("9.6", "third"), "third").splitlines()
    assert line.startswith("9.6      Overruns                                     10 J     rules.overrun.is_overrun, ")


def test_below_a_section_stands_what_its_book_has_otherwise_unless_the_list_is_to_be_short() -> None:
    rows = rulebook.found("3.1", "third")
    whole, short = (rulebook.listed(rows, "third", whole=whole) for whole in (True, False))
    assert whole.startswith(short.splitlines()[0]) and len(whole.splitlines()) > len(short.splitlines()) == len(rows)
    assert "The turn order is settled first, then the usurper is named." in whole


@pytest.mark.parametrize(("value", "said"), [
    (True, "yes"), (False, "no"), ({}, "none"), ({"a": True}, "a yes"), ((), "none"), (("a_b", "c"), "a b, c"), ("a_b", "a b"),
    (3, "3"), (rulebook.as_text, "A rule point as a person reads it.")])
def test_a_point_is_told_as_a_person_reads_it(value: object, said: str) -> None:
    assert rulebook.as_text(value) == said


def test_two_editions_are_compared_by_the_numbers_that_their_books_have() -> None:
    assert rulebook.differences_told("fourth", "fourth") == "They do nothing differently."
    first, usual, other = rulebook.differences_told("fourth", "third").splitlines()[:3]
    assert (first, usual) == ("5.1     Turn order before the usurper",
                              "        fourth: The usurper is named first, then the turn order.")
    assert other == "        third (3.1): The turn order is settled first, then the usurper is named."
    one, two = (rulebook.differences_told(*pair) for pair in (("fourth", "third"), ("third", "fourth")))
    assert {line.strip() for line in one.splitlines()} == {line.strip() for line in two.splitlines()}


@pytest.mark.parametrize("pair", list(combinations(EDITIONS, 2)), ids=" ".join)
def test_two_editions_differ_in_the_same_places_whichever_comes_first(pair: tuple[str, str]) -> None:
    """Where a book says in two places what the other says in one, both are told."""
    one, two = (rulebook.differences(*names) for names in (pair, pair[::-1]))
    assert sorted((row["rule"], row["point"]) for row in one) == sorted((row["rule"], row["point"]) for row in two)


def test_every_point_has_its_rule_and_what_it_says() -> None:
    points = rulebook.points()
    assert points["path_mps"] == ("9.3A", "path mps") and points["movement_mps"] == ("9.2", "Initiative Rating, die -> MPs")
