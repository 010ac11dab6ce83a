"""Every word of page and desk follows the language that is chosen: whatever state they are in, after a change all that can be
seen or heard is what stands there when the reader has come to it in that language."""

import difflib
from pathlib import Path

import pytest
from at_the_desk import begun, shown, tried, wait
from playwright.sync_api import Browser, Page
from test_game_page import short  # noqa: F401  (a game with something taken back)

from pbem.base.paths import languages
from pbem.desk.desk import Desk
from pbem.desk.showing import PUBLIC
from pbem.page import written
from pbem.page.order_desk import DESK

# All that is seen, and all that only a screen reader hears.
WORDS = """() => {
    const seen = [...document.querySelectorAll('body *')].filter(one => one.checkVisibility());
    const own = seen.flatMap(one => [...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()));
    const heard = seen.flatMap(one => ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'lang']
        .filter(name => one.hasAttribute(name)).map(name => `${name}: ${one.getAttribute(name)}`));
    return [document.title, document.documentElement.lang, ...own.filter(Boolean), ...heard];
}"""
UNFOLDED = "for (const one of document.querySelectorAll('details')) one.open = true"

ON_THE_PAGE = {                                             # what is done, in a browser that knows the page
    "as it opens": "0",
    "something taken back": "pbem.show(2)",
    "the first entry": "pbem.show(1)",
    "since an entry": "pbem.show(pbem.course.last, 1)",
    "since nothing": "pbem.show(pbem.course.last, pbem.course.last)",
    "a place": "pbem.page.choose('ephesos')",
    "all unfolded": UNFOLDED,
    "in patterns": "document.querySelector('#patterns').click()",
    "it plays": "pbem.show(1); pbem.page.time.play(); clearInterval(pbem.page.time.playing)",
    "stopped": "pbem.page.time.stop()",
    **{f"pasted: {name}": "((one, value) => { one.value = value; one.dispatchEvent(new Event('input')); })"
                          f"(document.querySelector('#fresh'), `{text}`)" for name, text in {
        "no head": "hello", "an older one": f"1 {'a' * 32}", "a newer one": f"9999 {'a' * 32}",
        "another": "${pbem.course.last} " + "a" * 32, "the same": "${pbem.course.last} ${pbem.data.head}"}.items()},
}
AT_THE_DESK = {                                             # the orders, and what is done besides
    "nothing written": ("", "0"),
    "his ways": ("", "pbemDesk.general({ general: 'antigonos' })"),
    "what is met on them": ("", f"pbemDesk.general({{ general: 'antigonos' }}).then(() => {{ {UNFOLDED} }})"),
    "a place too far": ("", "pbemDesk.general({ general: 'antigonos' }).then(() => pbemDesk.chosen('pella'))"),
    "no way at all": ("end segment", "pbemDesk.general({ general: 'antigonos' })"),
    "a refusal": ("march Antigonos > Pella", "0"),
    "a word nobody knows": ("marhc Antigonos > Pella", "0"),
    "others are asked": ("march Antigonos > Ephesos > Sardeis", "0"),
    "a price": ("if Antigonos at Ephesos: march Antigonos > Sardeis\nmarch Antigonos > Ephesos\nend", "0"),
    "beside the orders": ("standing: honour, always\nfile battle: play 57 as surprise\npress blue: hello\n/press\nreserve sea\n"
                          "observe friend@example.net\npress blue: hi", "0"),
    "copied": ("end segment", "pbemDesk.out.copied(pbemDesk.out.letter())"),
    "copied without": ("standing: honour, always\nend segment", "pbemDesk.out.posted()"),
    "all unfolded": ("", UNFOLDED),
    "another seat": ("", "pbemDesk.made.seat.value = 'blue'; pbemDesk.tried()"),
    "the log is refused": ("", "pbemDesk.made.room.hidden = true; pbemDesk.log = { pbem: 99, log: [] }; pbemDesk.opened()"),
}


def reading(page: Page, language: str) -> None:
    page.select_option("#language", language)
    quiet(page)


def quiet(page: Page) -> None:
    """Whatever was asked has been answered; what follows from an answer is asked at once."""
    page.wait_for_timeout(30)
    wait(page, "!window.pbemDesk || !pbemDesk.engine.waiting.size")
    page.wait_for_timeout(30)
    wait(page, "!window.pbemDesk || !pbemDesk.engine.waiting.size")


def differences(changed: list[str], wanted: list[str]) -> list[str]:
    return list(difflib.unified_diff(changed, wanted, "after the change", "come to in it", n=0, lineterm=""))[:12]


def follows(page: Page, act: str, begin: str) -> None:
    """Done in each language, and changed from each into the next: the same words."""
    done: dict[str, list[str]] = {}
    for language in languages():
        reading(page, language)
        page.evaluate(begin)
        quiet(page)
        page.evaluate(act)
        quiet(page)
        done[language] = page.evaluate(WORDS)
    last = list(languages())[-1]
    for language in (*languages(), last):
        reading(page, language)
        assert (language, "\n".join(differences(page.evaluate(WORDS), done[language]))) == (language, "")
    assert len({tuple(words) for words in done.values()}) == len(done)


@pytest.fixture(scope="module")
def played(browser: Browser, short: Path) -> Page:  # noqa: F811
    return shown(browser, short)


AGAIN = """(() => {
    pbem.page.time.stop();
    for (const one of document.querySelectorAll('details')) one.open = false;
    const patterns = document.querySelector('#patterns'), fresh = document.querySelector('#fresh');
    if (patterns.checked) patterns.click();
    fresh.value = '';
    fresh.dispatchEvent(new Event('input'));
    pbem.page.story.space = '';
    document.querySelector('#here').hidden = true;
    pbem.show(pbem.course.last, pbem.data.since);
})()"""


@pytest.mark.parametrize("state", ON_THE_PAGE)
def test_every_word_of_the_page_follows(played: Page, state: str) -> None:
    follows(played, ON_THE_PAGE[state], AGAIN)


@pytest.fixture(scope="module")
def page(browser: Browser, index: Path) -> Page:
    found = shown(browser, index)
    found.evaluate("navigator.clipboard.writeText = async () => {}")
    begun(found)
    return found


@pytest.mark.parametrize("state", AT_THE_DESK)
def test_every_word_of_the_desk_follows(page: Page, state: str) -> None:
    text, act = AT_THE_DESK[state]
    begin = """text => {
        for (const one of document.querySelectorAll('details')) one.open = false;
        const { seat, hand, orders, room, sent } = pbemDesk.made;
        pbemDesk.unfolded.clear();
        room.hidden = false;
        seat.value = 'red';
        hand.value = '57';
        sent.textContent = '';
        sent.removeAttribute('data-desk');
        orders.value = text;
        return pbemDesk.tried();
    }"""
    follows(page, act, f"({begin})({text!r})")
    if text:
        tried(page)


@pytest.mark.parametrize(("locale", "language"), [("it-CH", "it"), ("ru", "ru"), ("fr-FR", "en")])
def test_everybodys_page_opens_in_the_readers_language_and_a_private_one_in_its_owners(
        browser: Browser, short: Path, game: Desk, tmp_path: Path, locale: str, language: str) -> None:  # noqa: F811
    page = shown(browser, short, locale=locale)
    assert page.evaluate("[document.documentElement.lang, document.querySelector('#language').value]") == [language, language]
    file = tmp_path / "own.html"
    file.write_text(written.written(game, "red").alone(), "utf-8")
    assert shown(browser, file, locale=locale).evaluate("document.documentElement.lang") == "en"
    file.write_text(written.written(game, PUBLIC, "de").alone(), "utf-8")
    assert shown(browser, file, locale=locale).evaluate("document.documentElement.lang") == "de"


@pytest.mark.parametrize("reader", ["red", "moderator"])
def test_every_word_of_a_private_page_follows(browser: Browser, game: Desk, tmp_path: Path, reader: str) -> None:
    file = tmp_path / "own.html"
    file.write_text(written.written(game, reader).alone(DESK if reader == "red" else ""), "utf-8")
    if reader == "red":
        (tmp_path / DESK).write_text("", "utf-8")
    follows(shown(browser, file), UNFOLDED, "0")
