"""Tables and seats as each way of writing has them."""

import pytest

from pbem.base.language import Safe
from pbem.telling.formats import FORMATS, LONGEST_POST, css, html_seat, html_table, posts, text_table

HEAD, ROWS = ["player", "cards", "status"], [["Anna", "12", "Champion"], ["Bo", "5", ""]]


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert text_table(HEAD, ROWS).splitlines() == ["player  cards  status", "Anna       12  Champion", "Bo          5"]


def test_a_table_that_is_too_wide_is_a_list_of_its_rows_that_goes_on_below_their_beginning() -> None:
    assert text_table(HEAD, ROWS, 23) == text_table(HEAD, ROWS)
    assert text_table(HEAD, ROWS, 22).splitlines() == [
        "player:", "- Anna: cards 12;", "  status Champion", "- Bo: cards 5"]


def test_so_they_do_in_a_page() -> None:
    made = html_table(HEAD, ROWS)
    assert f"<td{css('c')}>Anna</td><td{css('n')}>12</td><td{css('c')}>Champion</td>" in made
    assert f'<th scope="col"{css("hc")}>player</th><th scope="col"{css("hn")}>cards</th>' in made


def test_one_word_among_numbers_makes_a_column_of_words() -> None:
    assert f"<td{css('c')}>12</td>" in html_table(["cards"], [["12"], ["many"]])
    assert text_table(["cards"], [["12"], ["many"]]).splitlines() == ["cards", "12", "many"]


@pytest.mark.parametrize(("seat", "name", "said"), [
    ("red", "Anna", "[color=#cc3333]Anna[/color]"), ("red", "", ""), ("independent", "Nobody", "Nobody")])
def test_a_seat_in_a_forum_has_its_colour_where_there_is_a_seat_and_a_name(seat: str, name: str, said: str) -> None:
    assert FORMATS["bgg"].seat(seat, "R", Safe(name)) == said


def test_a_colour_takes_no_room_in_a_table_of_a_forum() -> None:
    rows = [["[color=#cc3333]Anna[/color]", "1"], ["Bo", "2"]]
    assert FORMATS["bgg"].table(["who", "n"], rows) == "[c]who   n\n[color=#cc3333]Anna[/color]  1\nBo    2[/c]"


def test_a_seat_in_a_page_has_its_letter() -> None:
    assert html_seat("red", "<", Safe("Anna")) == f"<span{css('red')}>&lt;</span> Anna"


def test_a_post_that_is_cut_opens_again_what_was_open() -> None:
    first, second = posts("g", f"[o]{'march ' * 2700}[/o]")
    assert first.endswith(" march[/o]") and second.partition("\n\n")[2].startswith("[o] march ")


def test_what_fits_is_one_post_without_a_number_and_what_does_not_is_numbered() -> None:
    assert posts("g", "x" * LONGEST_POST) == ["x" * LONGEST_POST]
    first, second = posts("g", "x" * (LONGEST_POST + 1))
    assert first.startswith("[u]g[/u] (1/2)\n\nxx") and second == "[u]g[/u] (2/2)\n\nx"


def test_a_post_that_is_cut_opens_nothing_that_was_closed() -> None:
    first, second = posts("g", f"[i]on[/i] {'march ' * 2700}[u]end[/u]")
    assert first.endswith(" march") and second.startswith("[u]g[/u] (2/2)\n\n march") and second.endswith("[u]end[/u]")
