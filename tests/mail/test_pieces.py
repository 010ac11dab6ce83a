"""The pieces of a mail: text and HTML at once."""

import re

import pytest

from pbem.mail import body


@pytest.mark.parametrize(("text", "shown"), [
    ("one\n\ntwo", ["<p>one</p>", "<p>two</p>"]),
    ("one\n    a\n    b\ntwo", ["<p>one</p>", "<blockquote>a", "b</blockquote>", "<p>two</p>"]),
    ("    a <b>", ["<blockquote>a &lt;b&gt;</blockquote>"]), ("", [])])
def test_what_is_indented_is_shown_as_it_stands(text: str, shown: list[str]) -> None:
    assert re.sub(r" (?:class|style)=\"[^\"]*\"", "", body.paragraphs(text)).splitlines() == shown


def test_an_empty_piece_takes_no_room() -> None:
    assert body.apart(body.NOTHING) == body.NOTHING and body.apart(body.piece_of("x")).text == "\nx\n"


def test_a_page_shows_what_is_text_as_text() -> None:
    page = body.page("a <b>", "en", "<p>x</p>", ["", "c & d"])
    assert "a &lt;b&gt;" in page and "<p>x</p>" in page and "c &amp; d" in page
