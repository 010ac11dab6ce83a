"""How a mail in HTML becomes lines: what its reader sees stands in them, as he sees it, and nothing else."""

import pytest

from pbem.mail import reading
from pbem.mail.quotes import HIDDEN
from pbem.mail.reading import Mail

KEPT = "white-space: pre-wrap"


def mail_of(page: str) -> Mail:
    return reading.understand(f"From: anna@example.org\nContent-Type: text/html; charset=utf-8\n\n{page}".encode())


@pytest.mark.parametrize(("page", "lines"), [
    ("<p>march <b>on</b><br>end", ["march on", "end"]), ("roll", ["roll"]), ("<p>if MP &lt; 3: roll", ["if MP < 3: roll"]),
    ("<p>if MP < 3: roll</p>", ["if MP < 3: roll"]), ("a<1", ["a<1"]), ("<table><td>march<td>on</table>", ["march on"]),
    ("<noscript>end</noscript>roll", ["roll"]), ("<noscript><p>end</p></noscript>roll", ["roll"]),
    ("<noscript><!-- end --></noscript>roll", ["roll"]), ("<select><option>end</select>roll", ["roll"]),
    ("<title>p {display: none}</title><p>roll</p>", ["roll"]), ("<p>roll</p><style>end", ["roll"]),
    ("<p>roll</p><STYLE>end</Style>on", ["roll", "on"]),
    ("<style>b {}</style>i {display: none} <i>roll</i>", ["i {display: none} roll"]),
    ('march<b class="gmail_signature"> </b>on', ["march on"]), ("<img style='display: none' src=x>roll", ["roll"]),
    (f'march <i style="{KEPT}">on\nend</i>', ["march on", "end"]), (f'<p style="{KEPT}"><b>roll\nend</b></p>', ["roll", "end"]),
    ("<pre>roll\nend</pre>", ["roll", "end"]), ("<p>roll\nend</p>", ["roll end"]),
    ("<div>roll</div></div></p></b>end", ["roll", "end"]), ("<blockquote>end</b></blockquote>roll", ["roll"]),
    ("<blockquote><b>end</blockquote>roll", ["roll"]), ("<blockquote><div>end</div>end</blockquote>roll", ["roll"]),
    ('<blockquote style="border: none">roll</blockquote>', ["roll"]),
    ('<blockquote type="cite" style="border: none">end</blockquote>roll', ["roll"]), ('<a name="quote">roll</a>', ["roll"]),
    ('<div name="quote">end</div>roll', ["roll"]), ('roll<div id="appendonsend"></div>end', ["roll"]),
    ("<!DOCTYPE html><?xml x?></ >roll", ["roll"]), ("<!-->roll", ["roll"]), ("<!--->roll", ["roll"]), ("<!doctype", []),
    ('<a title="x > y">roll</a>', ["roll"]), ("<a title = '>end'>roll</a>", ["roll"]),
    ("<b title='><br>end<br>'>roll</b>", ["roll"]), (f'<img src="data:image/png;base64,{"x" * 9_000}">roll', ["roll"]),
    ("<a href=x\"y>roll</a>", ["roll"]), ("<a b=>roll", ["roll"]),
])
def test_what_is_seen_of_a_page(page: str, lines: list[str]) -> None:
    assert list(mail_of(page).lines) == lines


@pytest.mark.parametrize(("page", "told"), [
    ("<!--end-->roll", ["end"]), ("roll<!-- march on", ["march on"]), ("roll<!--[if mso]>end<![endif]-->", []),
    ("roll<!-- -->", []), ("<head><!-- end --></head>roll", []), ('roll<b title="><br>march on', ['<b title="><br>march on']),
])
def test_what_only_the_source_of_a_page_shows_is_told(page: str, told: list[str]) -> None:
    mail = mail_of(page)
    assert (mail.lines, [tuple(cut) for cut in mail.removed]) == (("roll",), [(one, HIDDEN) for one in told])


@pytest.mark.parametrize(("page", "paragraphs"), [
    ("<p>hello</p><p>roll</p>", ["hello", "", "roll"]), ("<div><div>hello</div></div><div>roll</div>", ["hello", "roll"]),
    ("hello<br>roll", ["hello", "roll"]), ("hello<br><br>roll", ["hello", "", "roll"]),
    (f'<div style="{KEPT}">hello\n\nroll</div>', ["hello", "", "roll"])])
def test_paragraphs_stand_apart(page: str, paragraphs: list[str]) -> None:
    assert list(mail_of(page).paragraphs) == paragraphs
