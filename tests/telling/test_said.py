"""What is said with names, numbers, pieces and requests, word for word: a language where it shows."""

from typing import Any

import pytest
from small_position import FACTS, SEATS

from pbem.base.errors import Refused, Unreadable
from pbem.base.language import sentences
from pbem.orders import NONE, Pieces
from pbem.orders.names import Names
from pbem.telling.formats import FORMATS
from pbem.telling.words import Words, about_of

NAMES = Names(FACTS, {seat: {} for seat in SEATS})
PEOPLE = {"red": "Anna", "blue": "BLUE", "yellow": "Gelb"}


def words(language: str, **more: Any) -> Words:
    return Words(language, NAMES, FACTS, people=PEOPLE, **more)


@pytest.mark.parametrize(("chance", "told"), [
    (0, "0%"), (0.004, "<1%"), (0.01, "1%"), (0.5, "50%"), (0.98, "98%"), (0.99, "99%"), (0.996, ">99%"), (1, "100%")])
def test_what_is_nearly_certain_is_not_called_certain(chance: float, told: str) -> None:
    assert words("en").percent(chance) == told


@pytest.mark.parametrize(("needed", "told"), [
    (0, "100%"), (1, "100%"), (2, "83%"), (3, "67%"), (4, "50%"), (5, "33%"), (6, "17%"), (7, "0%"), (9, "0%")])
def test_how_likely_a_die_is(needed: int, told: str) -> None:
    assert words("en").chance(needed) == told


@pytest.mark.parametrize(("who", "verb"), [
    ("red", "goes"), ("independent", "go"), (["red"], "goes"), (["independent"], "go"), (["red", "blue"], "go"), ([], "go")])
def test_a_verb_agrees_with_who_does_it(who: str | list[str], verb: str) -> None:
    assert words("en").agree(who, "goes", "go") == verb


@pytest.mark.parametrize(("language", "seat", "told"), [
    ("en", "red", "Anna (Red)"), ("en", "blue", "Blue"), ("en", "green", "Green"),
    ("en", "yellow", "Gelb (Yellow)"), ("de", "yellow", "Gelb")])
def test_who_is_called_as_his_colour_is_not_called_so_twice(language: str, seat: str, told: str) -> None:
    assert words(language).player(seat) == told


def test_a_seat_has_its_cases_and_what_it_owns() -> None:
    assert words("ru").seat("red", "dat") == "Красному" and words("en").seat("red", "dat") == "Red"
    assert [words("en").whose(seat) for seat in ("red", "independent")] == ["Red's", "the Independents'"]


@pytest.mark.parametrize(("number", "told"), [
    (0, ""), (1, "a"), (2, "a and b"), (9, "a, b, c, d, e, f, g, h and i"), (10, "a, b, c, d, e, f, g, h and 2 more")])
def test_one_more_name_is_told_and_several_are_counted(number: int, told: str) -> None:
    assert words("en").all("abcdefghij"[:number]) == told


def test_spaces_in_a_row_share_what_stands_before_them() -> None:
    assert words("de").places(["ake", "gaza", "rhodos"], form="at") == "in Ake, Gaza und auf Rhodos"
    assert words("ru").places(["ake", "gaza", "rhodos"], form="at") == "в Аке, Газе и на Родосе"
    assert words("de").places(["ake", "off map", "gaza"], form="at") == "in Ake, abseits des Spielbretts und in Gaza"
    assert words("de").places(["off map", "ake"]) == "abseits des Spielbretts und Ake"


@pytest.mark.parametrize(("days", "told"), [
    ("sa su", "Saturdays and Sundays"), ("mo tu we", "Mondays to Wednesdays"), ("mo we", "Mondays and Wednesdays")])
def test_two_days_in_a_row_are_named_and_three_told_by_the_first_and_the_last(days: str, told: str) -> None:
    assert words("en").days(days.split()) == told


def test_italian_names_and_joints_mind_the_vowel_behind_them() -> None:
    said = words("it")
    assert [said.general(id, "to") for id in ("antigonos", "lysimachos")] == ["ad Antigonos", "a Lysimachos"]
    assert [said.texts(["x", next_one]) for next_one in ("Ephesos", "Lamia")] == ["x ed Ephesos", "x e Lamia"]


def test_a_place_may_be_a_part_of_a_space() -> None:
    assert [words("de").place(f"lamia{part}") for part in ("", "/inside", "/sea")] == [
        "Lamia", "in der Stadt Lamia", "auf See vor Lamia"]


def test_one_is_counted_otherwise_than_none_and_several() -> None:
    assert [words("en").of(number, "cu") for number in (0, 1, 2)] == ["0 CUs", "1 CU", "2 CUs"]
    assert [words("ru").of(number, "mp") for number in (1, 2, 5)] == [
        words("ru").of(21, "mp")[1:], words("ru").of(22, "mp")[1:], words("ru").of(25, "mp")[1:]]


@pytest.mark.parametrize(("number", "book", "told"), [
    ("9.3A", "fourth", "9.3 A"), ("9.3A", "third", "9.3"), ("99.9", "third", "")])
def test_a_rule_that_the_book_in_play_lacks_is_one_of_the_fourth(number: str, book: str, told: str) -> None:
    said = words("en", book=book)
    assert said.rule(number) == (told or said.phrase("rule_of_the_fourth", number="99.9"))
    assert told or "4th" in said.rule(number)


def test_a_card_does_what_the_book_in_play_says_in_the_readers_language() -> None:
    german = words("de")
    assert german.effect("12") == "Platziere 1 KV Loyale Makedonen als Nachschub."
    assert words("en").effect("12") == FACTS.cards["12"]["effect"]
    assert words("de", book="third").effect("1") == sentences("de", "terms")["effect_in"]["third"]["1"] != german.effect("1")


def test_a_space_has_the_name_that_the_book_in_play_gives_it() -> None:
    names = sentences("ru", "terms")["name"]["space"]
    assert words("ru", book="third").named("space", "pergamon") == names["pergamon third"][0]
    assert words("ru").named("space", "pergamon") == names["pergamon"][0] != names["pergamon third"][0]


def test_where_a_number_comes_from_is_told_by_name() -> None:
    said = words("en")
    assert [said.source(name) for name in ("tomb", "champion", "lydia", "lamia")] == [
        "Tomb", "Champion", "Lydia", "Lamia"]
    assert words("de").source("tomb") == "Grabmal"


def test_a_draw_of_nobody_names_nobody() -> None:
    assert words("en").draw("T2,R1,,movement,1") == "movement, Game Turn II, round 1"


def test_what_is_set_off_already_is_not_set_off_once_more() -> None:
    assert words("en").inked(FORMATS["html"].ink).texts(["a & b"]) == "a &amp; b"


def test_who_asks_is_told_apart_from_who_reads() -> None:
    question = {"about": {"seat": "red", "space": "lamia"}, "id": "x", "rule": "9.3", "sides": ["blue"]}
    assert about_of(question) == {"by": "red", "space": "lamia", "id": "x", "rule": "9.3", "sides": ["blue"]}


def test_a_name_that_may_have_been_meant_is_told_as_it_is_written() -> None:
    refused = Unreadable("unknown_name", kind="space", text="Pas", suggestions=["Pass", "March"])
    assert "Pass" in words("de").refusal(refused) and "March" in words("de").refusal(refused)


def test_flaws_are_told_up_to_a_number_and_then_counted() -> None:
    flaw, more = Refused("0", "no_act"), "(1 more.)"
    assert " more" not in words("en").flaws([flaw] * 8) and words("en").flaws([flaw] * 9).endswith(more)
    assert words("en").flaws([flaw] * 9).count("Nobody") == 8


@pytest.mark.parametrize(("key", "example", "told"), [
    ("unreadable_order", "march Antigonos > Lamia", "marschieren Antigonos > Lamia"),
    ("unreadable_trigger", "battle at Lamia: play 12 as surprise",
     "hinterlege für die Schlacht in Lamia: spielen 12 als Überraschung")])
def test_an_example_of_how_it_is_written_is_in_the_readers_words(key: str, example: str, told: str) -> None:
    assert words("de").refusal(Unreadable(key, text="x", suggestions=[example])).endswith(f" {told}.")


# --- pieces ------------------------------------------------------------------------------------------------------


def test_pieces_are_everything_nothing_or_a_list() -> None:
    said = words("en")
    assert said.pieces(Pieces((), (), (), True)) == "everything" and said.pieces(NONE) == "nothing"
    assert said.pieces(Pieces(("antigonos",), (("loyal", 2),), ())) == "Antigonos and 2 loyal CUs"
    assert said.company([], {"loyal": 0}, ["kleopatra"]) == "Kleopatra"
    assert said.along(NONE) == "alone" and words("ru").along(Pieces(("antigonos",), (), ())) == "с Антигоном"


def test_a_force_is_its_number_and_its_kinds() -> None:
    said = words("en")
    assert [said.force(cus) for cus in ({}, {"loyal": 2}, {"loyal": 2, "mercenary": 3})] == [
        "0 CUs", "2 loyal CUs", "5 CUs (2 loyal, 3 mercenary)"]


def test_a_strength_tells_what_counts_otherwise_than_its_number() -> None:
    assert words("en").weighed([("loyal", 4, 8), ("mercenary", 3, 3), ("local_troops", 2, 2)]) == (
        "4 loyal (8) + 3 mercenary + Local Troops 2")


@pytest.mark.parametrize(("piece", "told"), [("loyal", "верные"), ("antigonos", "Антигон"), ("kleopatra", "Клеопатра")])
def test_a_piece_is_a_kind_a_general_or_a_royal(piece: str, told: str) -> None:
    assert words("ru").piece(piece) == told


def test_who_moved_it_is_a_general_of_any_kind_or_another_army() -> None:
    said = words("en")
    for known in (FACTS.generals, FACTS.minors, FACTS.independents):
        one = next(iter(known))
        assert said.mover(one) == said.general(one)
    assert said.mover("") == "another Army"


def test_generals_and_spaces_stand_in_one_list() -> None:
    assert words("ru").about(["lamia", "antigonos"]) == "Ламия или Антигон"


def test_who_can_go_as_far_is_told_together() -> None:
    assert words("en").allowances({"philoxenos": 3, "kassandros": 4, "krateros": 4}) == (
        "Kassandros and Krateros have 4 MPs each; Philoxenos has 3 MPs")
    assert words("en").allowances({"kassandros": 4, "krateros": 4, "antigonos": 4}).endswith(" have 4 MPs each")


@pytest.mark.parametrize(("stain", "told"), [
    ("die T2,R1,red,activation,movement,1", "the die for movement, Game Turn II, round 1, Red"),
    ("take blue", "which card Blue took"), ("draw yellow 1", "the card that Yellow drew"), ("link 2", "the link 2"),
    ("card 12", '"Macedonian Reinforcements"'), ("whatever", "whatever"), ("", "")])
def test_what_became_known_before_an_undo_is_named(stain: str, told: str) -> None:
    assert words("en").known([stain]) == told


# --- cards, formats and zones --------------------------------------------------------------------------------------


def test_a_title_is_set_off_by_the_format_or_quoted() -> None:
    said = words("de")
    assert said.card("12") == "„Makedonische Verstärkung“"
    assert said.inked(FORMATS["md"].ink).card("12") == "*Makedonische Verstärkung*"


def test_a_card_that_nobody_plays_for_its_points_has_none() -> None:
    bare = next(card for card, known in FACTS.cards.items() if not known["ops"])
    assert words("en").ops(bare) == 0 and words("en").ops("12") == FACTS.cards["12"]["ops"]


def test_the_same_words_serve_another_format_and_another_zone() -> None:
    said = words("en", zone="Europe/Rome")
    other = said.inked(FORMATS["md"].ink)
    assert said.inked(said.ink) is said and other is said.inked(FORMATS["md"].ink) and other.zone == "Europe/Rome"
    assert said.inked(said.ink, "Europe/Berlin").date("2026-11-20T08:00Z") == "Fri 20 Nov, 09:00 (Berlin)"
    assert other.player("red") == "Anna (Red)"


def test_a_day_has_no_time() -> None:
    assert words("en").day("2026-12-01") == "Tue 1 Dec"


@pytest.mark.parametrize(("text", "told"), [("so", "so."), ("so.", "so."), ("so!", "so!"), ("so?", "so?"), ("so…", "so…")])
def test_what_somebody_wrote_ends_as_a_sentence(text: str, told: str) -> None:
    assert words("en").ended(text) == told


# --- what is to be typed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("english", "own"), [
    ("check march Antigonos > Lamia", "проверь идти Антигоном > Ламия"), ("check", "проверь"),
    ("standing: cancel 2", "постоянный приказ: отменить 2"),
    ("standing: evade, once", "постоянный приказ: уклониться, один раз"),
    ("options Lamia", "варианты Lamia"), ("options all", "варианты все"), ("options", "варианты"),
    ("undo 14: why march", "отмени 14: why march"), ("word first march", "слово first march"),
    ("word Lamia pass", "слово Lamia pass"), ("intercept Lysimachos with 2 loyal if Yellow passes else pass",
                                              "перехватить Лисимахом с 2 верными если Жёлтый пасует иначе пас"),
    ("march Antigonos > Lamia regardless", "идти Антигоном > Ламия несмотря ни на что"),
    ("observe friend@example.net", "наблюдатель friend@example.net"),
    ("march Antigonos > Lamia", "идти Антигоном > Ламия"), ("at Lamia: pass", "в Ламии: пас"),
    ("b if Yellow passes", "b если Жёлтый пасует"), ("intercept ...", "перехватить ..."),
    ("file battle at Lamia: play 12 as surprise", "отложи на бой в Ламии: сыграть 12 как сюрприз"),
    ("file", "отложи"), ("file back 1", "отложи назад 1"), ("map Lydia", "карта Лидия"), ("map Antigonos", "карта Антигон"),
    ("press blue and yellow: let us march", "письмо Синему и Жёлтому: let us march"), ("reports daily", "отчёты раз в день"),
    ("guide player", "руководство игрок"), ("history 4", "история 4")])
def test_what_is_to_be_typed_is_told_in_the_readers_words(english: str, own: str) -> None:
    assert words("ru").typed(english) == own and words("en").typed(english) == english


@pytest.mark.parametrize("english", ["march Antigonos > Lamia", "b if Yellow passes", "intercept ..."])
def test_who_reads_english_reads_orders_as_the_log_has_them(english: str) -> None:
    assert words("en").retold(english) == english
