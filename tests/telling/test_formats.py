"""Tables and seats as each way of writing has them."""

import pytest

from pbem.base.language import Safe
from pbem.telling.formats import FORMATS, css, html_seat, html_table, posts, text_table

HEAD, ROWS = ["player", "cards", "status"], [["Anna", "12", "Champion"], ["Bo", "5", ""]]


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert text_table(HEAD, ROWS).splitlines() == ["player  cards  status", "Anna       12  Champion", "Bo          5"]


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
