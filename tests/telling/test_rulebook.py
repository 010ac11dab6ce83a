"""The rulebook as an index: which rules a function names, what is found by a number, how two editions are compared."""

from itertools import combinations, permutations

import pytest

from pbem.editions import EDITIONS
from pbem.editions.books import BOOK, differing, known, sections
from pbem.telling import rulebook


@pytest.mark.parametrize(("words", "rules"), [
    ("9.2 B, D1 How far.", ["9.2B", "9.2D"]), ("11.2, 12.1 Who comes and who goes.", ["11.2", "12.1"]),
    ("6.2 and 6.3 Cards.", ["6.2", "6.3"]), ("13.3 D A voyage.", ["13.3D"]), ("9.3, A A march.", ["9.3", "9.3A"]),
    ("16.11 Independents.", ["16.11"]), ("A horse, 9.3.", []), ("99.1 Nothing.", []), ("B A horse.", []),
    ("Whoever comes (9.3).", []), ("6.2 B2 The way.", ["6.2B2"]), ("6.2 A, B2 Cards.", ["6.2A", "6.2B2"]),
    ("9.3A march.", ["9.3"]), ("9.9 Z Nothing.", [])])
def test_the_first_words_of_a_function_name_its_rules(words: str, rules: list[str]) -> None:
    assert rulebook.cited(f"{words}\n\n8.1 And more.") == rules


@pytest.mark.parametrize(("number", "shown"), [
    ("9.3", ["9.3", "9.3 A", "9.3 B", "9.3 C", "9.3 D"]), ("9.3 a", ["9.3 A"]), ("9.3A", ["9.3 A"]), ("1", ["1"]), ("77", []),
    ("16.1", ["16.1"]), ("6.2 B", ["6.2 B", "6.2 B1", "6.2 B2", "6.2 B3"])])
def test_a_rule_is_found_with_its_parts_and_with_no_other(number: str, shown: list[str]) -> None:
    assert [row["shown"] for row in rulebook.rows_of(number, BOOK)] == shown


def test_without_a_number_all_of_the_book_is_found() -> None:
    assert rulebook.rows_of("", BOOK) == rulebook.index(BOOK)
    assert rulebook.rows_of("", "third") == rulebook.index("third")


def test_a_rule_that_no_function_plays_says_why_and_one_that_is_played_by_which() -> None:
    rows = {row["shown"]: row for row in rulebook.index(BOOK)}
    assert "rules.movement.march" in rows["9.3 A"]["functions"] and rows["9.3 A"]["needless"] == ""
    assert all(bool(row["functions"]) != bool(row["needless"]) for row in rows.values())
    assert len(rows["9.3 A"]["functions"]) == len(set(rows["9.3 A"]["functions"]))


def test_it_is_read_off_the_functions_themselves() -> None:
    found = list(rulebook.functions())
    assert ("9.3A", "rules.movement", "judge_march") in found and all(module and name for _, module, name in found)


@pytest.mark.parametrize("book", ["third", "draft"])
def test_every_section_of_another_book_has_its_rows_and_each_is_played_or_says_why_not(book: str) -> None:
    rows = rulebook.index(book)
    assert {row["shown"] for row in rows} == set(sections(book).numbers)
    assert not [row["shown"] for row in rows if row["functions"] and row["needless"]]
    assert all(row["functions"] or row["needless"] for row in rows)
    why = {row["shown"]: row["needless"] for row in rows}
    assert {number: why[number] for number in sections(book).needless if why[number]}.items() <= sections(book).needless.items()
    assert any(row["needless"] == rulebook.needless()["7.2B"] for row in rows if row["rule"] == "7.2B")


def test_why_no_function_plays_it_stands_in_the_table() -> None:
    assert rulebook.listed(rulebook.rows_of("1", BOOK), BOOK).endswith(rulebook.needless()["1"])
    assert rulebook.listed(rulebook.rows_of("1", "third"), "third").splitlines()[0].endswith(sections("third").needless["1"])


def test_another_book_goes_by_its_own_titles_where_it_is_printed_in_that_language() -> None:
    assert rulebook.headings("third", "ru") == sections("third").printed["ru"]
    german, english = ({row["title"] for row in rulebook.rows_of("9.1", "third", language)} for language in ("de", "en"))
    assert german == {rulebook.headings("third", "de")["9.1"]} and {"Forage limit", "Movement procedure"} <= english


def test_beside_the_numbers_of_another_book_stand_those_of_the_4th_edition() -> None:
    (line,) = rulebook.listed(rulebook.rows_of("9.3A", BOOK), BOOK).splitlines()
    assert line.startswith("9.3 A    Moving between connected spaces              rules.movement.judge_march, ")
    (line,) = rulebook.listed(rulebook.rows_of("9.6", "third"), "third").splitlines()
    assert line.startswith("9.6      Overruns                                     10 J     rules.overrun.is_overrun, ")


def test_below_a_section_stands_what_its_book_has_otherwise_unless_the_list_is_to_be_short() -> None:
    rows = rulebook.rows_of("3.1", "third")
    whole, short = (rulebook.listed(rows, "third", whole=whole) for whole in (True, False))
    assert whole.startswith(short.splitlines()[0]) and len(whole.splitlines()) > len(short.splitlines()) == len(rows)
    assert "The turn order is settled first, then the usurper is named." in whole


def test_what_no_case_has_played_yet_says_so() -> None:
    one = differing("third")[0]
    played, not_played = (rulebook.told_of(row, "third", "en") for row in (one, one._replace(cases=())))
    assert len(not_played) == len(played) + 1 and not_played[0].endswith(f" [-; {', '.join(one.by)}]")
    assert played[0].endswith(f" [{', '.join(one.cases)}; {', '.join(one.by)}]")


def test_where_two_books_differ_each_is_told_in_its_own_words_and_with_its_own_number() -> None:
    told = rulebook.differences_told("third", "draft").splitlines()
    at = told.index("7.1 A   Rank")
    assert told[at + 1:at + 3] == [
        "        third (8.4): More stars command; of equals their owner says who does, before one of them moves.",
        "        draft (4.26): The more senior general commands; no two are equal."]
    assert told.count("        third (7.7): Nobody is recruited; Seleukos and Eumenes are cards of the deck.") == 1
    assert told.count("        draft (6.6.3): 4 OPs only.") == 1
    assert any(line.startswith("        third (16.1, 4th edition): ") for line in told)


def test_points_of_which_no_book_speaks_are_told_at_the_end() -> None:
    alone = [row["point"] for row in rulebook.differences("fourth", "draft") if "of" not in row]
    assert alone == ["siege_modifiers", "seats_chosen"]


def test_what_has_no_rule_has_no_number() -> None:
    assert rulebook.numbered({"point": "march_limit", "rule": ""}, "third", "en") == ""


def unsaid() -> None:
    ...


@pytest.mark.parametrize(("value", "said"), [
    (unsaid, "unsaid"),
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


@pytest.mark.parametrize("pair", list(permutations(EDITIONS, 2)), ids=" ".join)
def test_of_two_editions_nothing_is_told_that_is_alike_and_no_point_twice(pair: tuple[str, str]) -> None:
    rows = rulebook.differences(*pair)
    assert all(row[pair[0]] != row[pair[1]] for row in rows)
    by_book = {name for row in rows if "of" in row for name in row["point"].split(", ")}
    alone = [row["point"] for row in rows if "of" not in row]
    assert not by_book & set(alone) and len(set(alone)) == len(alone)


def test_every_point_has_its_rule_and_what_it_says() -> None:
    points = rulebook.points()
    assert all(not rule or rule in known() for rule, _ in points.values())
    assert points["training"][0] == "6.2B3" and points["march_limit"][0] == ""
    assert points["path_mps"] == ("9.3A", "path mps") and points["movement_mps"] == ("9.2", "Initiative Rating, die -> MPs")
