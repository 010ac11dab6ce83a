"""What a reader of a page does not see is not obeyed, and that it was cut is told."""

import pytest
from table import Table, all_of

from pbem.mail import reading
from pbem.mail.quotes import HIDDEN

ORDER = "march Antigonos &gt; Ephesos"
TRICKS = {
    "white on white": f'<p style="color: #FFFFFF">{ORDER}</p>',
    "nearly white": f'<p style="color:#fdfdfe">{ORDER}</p>',
    "white by name": f'<span style="color:white">{ORDER}</span>',
    "white by numbers": f'<p style="color: rgb(255, 255, 255)">{ORDER}</p>',
    "white in an old way": f'<font color="#ffffff">{ORDER}</font>',
    "black on black": f'<div style="background:#000"><p style="color:black">{ORDER}</p></div>',
    "as the cell": f'<table><tr><td bgcolor="#223344"><font color="#223344">{ORDER}</font></td></tr></table>',
    "transparent": f'<p style="color:transparent">{ORDER}</p>',
    "transparent by numbers": f'<p style="color:rgba(0,0,0,0)">{ORDER}</p>',
    "one pixel": f'<p style="font-size:1px">{ORDER}</p>',
    "a tenth": f'<p style="font-size: 0.1em">{ORDER}</p>',
    "small in small": f'<div style="font-size:50%"><p style="font-size:30%">{ORDER}</p></div>',
    "in one word": f'<p style="font:normal 1px Arial">{ORDER}</p>',
    "off the screen": f'<div style="position:absolute; left:-9999px">{ORDER}</div>',
    "above the screen": f'<div style="position:fixed;top:-500em">{ORDER}</div>',
    "indented away": f'<p style="text-indent:-999px">{ORDER}</p>',
    "moved away": f'<p style="transform:translateX(-2000px)">{ORDER}</p>',
    "shrunk": f'<p style="transform: scale(0, 0)">{ORDER}</p>',
    "clipped": f'<p style="position:absolute;clip:rect(0,0,0,0)">{ORDER}</p>',
    "clipped by a path": f'<p style="clip-path: inset(100%)">{ORDER}</p>',
    "no height": f'<div style="height:0;overflow:hidden">{ORDER}</div>',
    "see-through": f'<p style="opacity:0.0">{ORDER}</p>',
    "not shown": f'<p style="display: none !important">{ORDER}</p>',
    "invisible": f'<p style="visibility:hidden">{ORDER}</p>',
    "hidden": f"<p hidden>{ORDER}</p>",
    "a class": f"<style>.x {{ display: none }}</style><p class='y x'>{ORDER}</p>",
    "a class of a kind": f"<style>body p.x, i {{ color: #fff }}</style><p class=x>{ORDER}</p>",
    "an id": f"<style>/* x */ #q {{ font-size: 0 }}</style><p id=q>{ORDER}</p>",
    "a kind": f"<style>u {{ position: absolute; left: -5000px }}</style><u>{ORDER}</u>",
    "on all screens": f"<style>@media screen {{ .x {{ display: none }} }}</style><p class=x>{ORDER}</p>",
    "a comment": f"<!-- {ORDER} -->",
    "in hidden text": f'<div style="display:none"><b style="color:red; background-color:white">{ORDER}</b></div>',
    "the whole text white": f'<body text="#ffffff">{ORDER}</body>',
    "before black, on glass": f'<div style="background:#000"><p style="color:black; background:#0000">{ORDER}</p></div>',
    "left far enough": f'<p style="left:-200px">{ORDER}</p>',
    "clipped by an overflow": f'<p style="overflow:hidden; max-width:1px">{ORDER}</p>',
    **{style: f'<p style="{style}">{ORDER}</p>' for style in (
        "color:rgb(255 255 255)", "color:rgb(0 0 0 / 0)", "color:rgba(10%, 20%, 30%, 0.01)", "color:rgba(1,2,3,1%)",
        "color:rgb(100%,100%,100%)", "color:rgb(999,999,999)", "color:hsl(0, 0%, 100%)", "color:hsl(0 0% 97%)",
        "color:#00000000", "color:#0000", "color:#ffff", "color:#d8d8d8", "color:aliceblue", "color:AliceBlue !important",
        "-webkit-text-fill-color: transparent", "opacity:.01", "opacity:1%", "opacity:0; color:red", "color:red; opacity:0",
        "font-size:24.9%", "font-size:3px", "font-size:0", "font:400 1px Arial", "font-size:12px; font-size:1px",
        "left:calc(-9999px)", "left:-20em", "transform:translate(3px, -500px)", "color:black; color:white")},
}
SEEN = {
    "plain": "<p>{}</p>", "grey": '<p style="color:#888">{}</p>', "small": '<p style="font-size:8pt">{}</p>',
    "white on blue": '<div style="background-color: navy"><p style="color:#fff">{}</p></div>',
    "white on a dark cell": '<table><tr><td bgcolor="#202020"><font color=white>{}</font></td></tr></table>',
    "indented": '<p style="margin-left:40px; text-indent:-18pt">{}</p>',
    "a style of an office": "<style>p.MsoNormal {{margin:0cm; font-size:11.0pt; color:black}}</style><p class=MsoNormal>{}</p>",
    "of a dark room": "<style>@media (prefers-color-scheme: dark) {{ p {{ color: #fff }} }}</style><p>{}</p>",
    "on paper": "<style>@media print {{ p {{ display: none }} }}</style><p>{}</p>",
    "a link": "<style>a:visited {{ color: white }}</style><p><a href='x'>{}</a></p>",
    "for an office": "<!--[if mso]><p>x</p><![endif]--><p>{}</p>",
    "none taller": '<p style="line-height:1.5; max-width:600px; height:10px">{}</p>',
    "white on glass before blue": '<div style="background:navy"><p style="color:#fff; background:rgba(0,0,0,0)">{}</p></div>',
    **{style: f'<p style="{style}">{{}}</p>' for style in (
        "opacity:1", "opacity:0.5", "opacity:10%", "background-color:transparent", "border-color:transparent", "color:#d7d7d7",
        "backface-visibility:hidden", "visibility:visible", "overflow:hidden", "height:0", "overflow:hidden; height:10px",
        "color:rgb(90,90,90)", "color:rgb(120,120,120)", "color:rgb(0,0,0)", "color:rgba(0,0,0,1)", "color:rgb(0 0 0 / 90%)",
        "color:rgba(200,100,0)", "color:#000000ff", "color:#f00f", "color:#fefe00", "color:#fe00fe", "color:#00fefe",
        "color:#ff0", "color:rgb(255,0,255)", "color:rgb(0,255,255)", "color:rgb(255,255,0)", "color:rgb(80%,80%,80%)",
        "color:hsl(0,0%,50%)",
        "font-size:1", "font-size:25%", "font-size:0.25em", "font-size:1.2em", "font-size:4px", "left:-199px", "left:-150pt",
        "font-size:1px; font-size:12px", "color:white; color:black", "color:windowtext",
        "color:black; background:rgba(0,0,0,0)")},
}


def html(page: str) -> bytes:
    return f"From: anna@example.com\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n{page}\n".encode()


@pytest.mark.parametrize("name", TRICKS)
def test_what_nobody_sees_is_no_order_and_told(name: str) -> None:
    mail = reading.understand(html(f"<html><body><p>pass</p>{TRICKS[name]}</body></html>"))
    assert mail.lines == ("pass",)
    assert [(cut.text, cut.reason) for cut in mail.removed] == [("march Antigonos > Ephesos", HIDDEN)]
    assert mail.looks_like_orders


@pytest.mark.parametrize("name", SEEN)
def test_what_everybody_sees_is_read(name: str) -> None:
    mail = reading.understand(html(f"<html><body>{SEEN[name].format(ORDER)}</body></html>"))
    assert mail.lines == ("march Antigonos > Ephesos",)


def test_its_sender_is_told_what_was_cut(table: Table) -> None:
    table.started()
    asked = table.last("red")
    page = html(f"<p>roll</p>{TRICKS['one pixel']}")
    head = f"To: {asked['Reply-To']}\nMessage-ID: <1@example.com>\nSubject: x\n".encode()
    table.deliver(head + page)
    table.run()
    assert table.did() == ["roll"]
    assert 'like orders, for instance "march Antigonos > Ephesos"' in " ".join(all_of(table.inbox("red")).split())


@pytest.mark.parametrize("text", ["-- \nAnna Example\nTel. 12345\n\npass\n", "--\nAnna\n\npass\n\n> roll\n> -- \n> Host\n"])
def test_an_answer_under_a_signature_on_top_is_read(text: str) -> None:
    mail = reading.understand(f"From: Anna <anna@example.com>\n\n{text}".encode())
    assert mail.lines == ("pass",)


def test_under_an_answer_a_signature_goes_to_the_end() -> None:
    mail = reading.understand(b"From: Anna <anna@example.com>\n\nroll\n-- \nAnna\n\nend segment\n")
    assert mail.lines == ("roll",)
