"""The tutorial in a browser: its twelve steps by clicks and by keys, to the end; gone on with, translated, on a telephone."""

import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import MINUTE, ROOT, runtime
from firefox import ENTER, TAB, Firefox, until
from playwright.sync_api import Browser, Page
from test_game_page import AXE, RULES

sys.path[:0] = [str(ROOT / "tests")]

from at_the_lesson import hints  # noqa: E402

from pbem.base.language import sentences  # noqa: E402
from pbem.page import lesson  # noqa: E402
from pbem.page.engine import ENGINE  # noqa: E402

BUSY = "pbemLesson.engine.waiting.size"
WIDE = {"width": 1200, "height": 900}
OF_ANOTHER_VERSION = """window.pbemEngine = { version: "9", size: 1, parts: {},
    start: () => new Worker(URL.createObjectURL(new Blob(["onmessage = () => postMessage({ready: true})"]))) };"""
GENERAL = {"de": "Lysimachos", "it": "Lysimachos", "ru": "Лисимах"}        # who may come over


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("lesson")
    for name, text in {**lesson.files(), ENGINE: runtime()}.items():
        (out / name).write_text(text, encoding="utf-8")
    return out / lesson.LESSON


@pytest.fixture(scope="module")
def page(browser: Browser, place: Path) -> Iterator[Page]:
    """The lesson, begun; at its end it has asked for nothing but its own files."""
    shown = browser.new_context(locale="en-US", viewport=WIDE).new_page()
    own = {place.with_name(name).resolve().as_uri() for name in (lesson.LESSON, lesson.SCRIPT, ENGINE)}
    strange: list[str] = []
    shown.on("request", lambda asked: None if asked.url in own or asked.url.startswith("blob:") else strange.append(asked.url))
    shown.on("pageerror", lambda problem: strange.append(str(problem)))
    shown.goto(place.resolve().as_uri())
    assert sound(shown)
    begun(shown)
    yield shown
    assert strange == []


def begun(page: Page, button: str = "#begin") -> None:
    page.click(button)
    stands(page, "pbemLesson.found.step")
    assert page.evaluate("document.activeElement.id") == "step-title"


def stands(page: Page, true: str) -> None:
    """Until it holds, and nothing is under way."""
    wanted = f"Boolean({true}) && !{BUSY} && document.querySelector('#printed').getAttribute('aria-busy') !== 'true'"
    end = time.monotonic() + 2 * MINUTE
    while not page.evaluate(wanted):
        assert time.monotonic() < end, (true, page.inner_text("#state"), page.inner_text("#printed")[-800:])
        time.sleep(0.05)


def printed(page: Page) -> int:
    return int(page.evaluate("document.querySelectorAll('#printed pre').length"))


def click(page: Page, button: str) -> str:
    """A button, and what is printed for it."""
    before = printed(page)
    page.click(button)
    stands(page, f"document.querySelectorAll('#printed pre').length === {before + 2}")
    return str(page.evaluate("document.querySelector('#printed pre:last-child').textContent"))


def key_in(page: Page, line: str) -> str:
    """A line by keys alone."""
    before = printed(page)
    page.focus("#line")
    page.keyboard.type(line)
    page.keyboard.press("Enter")
    stands(page, f"document.querySelectorAll('#printed pre').length === {before + 2}")
    return str(page.evaluate("document.querySelector('#printed pre:last-child').textContent"))


def sound(page: Page) -> bool:
    """To axe; nothing is wider than the page, nothing too small for a finger."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("rules => axe.run({runOnly: {type: 'tag', values: rules}})", RULES)
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    small = page.evaluate("""[...document.querySelectorAll('button, input, select')].filter(one => one.offsetParent)
        .filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)""")
    assert small == []
    return True


def on_the_map(page: Page, place: str) -> bool:
    """It can be seen."""
    return bool(page.evaluate("""name => {
        const inside = document.querySelector('#map svg').getBoundingClientRect();
        const one = [...document.querySelectorAll('#map text')].find(text => text.textContent === name).getBoundingClientRect();
        return inside.left < one.left && one.right < inside.right && inside.top < one.top && one.bottom < inside.bottom;
    }""", place))


def language(page: Page, code: str) -> None:
    page.select_option("#language", code)
    stands(page, f"document.documentElement.lang === '{code}'")


def test_twelve_steps_by_clicks_and_by_keys(page: Page) -> None:
    """Odd ones are clicked, even ones typed; what is not done is not believed, and everything can be begun again."""
    for number, hint in enumerate(hints("en"), 1):
        assert page.inner_text("#step-title").startswith(f"{number}. ") and page.inner_text("#count") == f"Step {number} of 12"
        assert f"Step {number} is not done yet" in click(page, "[data-lesson=check]")
        asks = hint[0].startswith("pbem tutorial")
        assert page.is_visible("#seen") == asks
        if number % 2:
            for button in range(page.locator(".do button").count()):
                click(page, f".do >> nth={button} >> button")
                assert page.evaluate("Boolean(document.activeElement.closest('.do'))")       # one goes on from there
        else:
            for line in page.locator(".do code").all_inner_texts():
                key_in(page, line)
        if number == 2:                                     # once more, by way of the button
            click(page, "#reset")
            assert page.evaluate("document.activeElement.id") == "step-title"
            assert "not done" in click(page, "[data-lesson=check]")
            page.focus("#line")
            page.keyboard.press("ArrowUp")
            while page.input_value("#line") != 'pbem order game red "roll"':
                page.keyboard.press("ArrowUp")
            page.keyboard.press("Enter")
            stands(page, "document.querySelector('#line').value === ''")
        if number == 5:
            assert click(page, "#hint").split() == " ".join(hint).split()
        if asks:
            page.fill("#seen", hint[0].split()[-1])
        done = click(page, "[data-lesson=check]") if number % 2 or asks else key_in(page, "pbem tutorial")
        assert done == f"Step {number} is done."
        assert page.evaluate("document.activeElement.id") == "step-title"
        if number in (1, 4, 8):
            assert sound(page)
    assert all(map(partial(on_the_map, page), ("Ephesos", "Sardeis", "Pergamon", "Halikarnassos", "Kelainai")))
    assert page.inner_text("#count") == "All 12 steps are done" and not page.is_visible("#seen-form")
    assert "pbem new --help" in page.inner_text("#told") and sound(page)


def test_what_it_does_not_have_is_said_with_the_way_to_it(page: Page) -> None:
    assert "works in a terminal" in " ".join(key_in(page, "pbem page game -o x").split())
    assert "<b>no</b>" in key_in(page, 'pbem status "<b>no</b>"')
    assert page.locator("#printed b").count() == 0


@pytest.mark.parametrize("code", ["de", "it", "ru"])
def test_another_language_in_place_and_on_a_telephone(page: Page, code: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    language(page, code)
    assert page.title() == page.inner_text("h1") == lesson.words(code)["title"]
    step, own = page.evaluate("pbemLesson.found.step"), sentences(code, "lesson")
    assert page.inner_text("#count") == own["all_done" if step > 12 else "count"].format(of=12, step=step)
    key_in(page, "pbem tutorial --step 5")
    assert page.inner_text("#step-title").startswith("5. ")
    told = click(page, ".do button")
    assert page.evaluate("document.querySelector('#map').dataset.drawn").endswith(f" {code}")
    assert GENERAL[code] in told and sound(page)
    for _ in page.locator(".do button").all()[1:]:
        click(page, ".do >> nth=1 >> button")
    click(page, "[data-lesson=check]")
    assert page.inner_text("#step-title").startswith("6. ")
    page.set_viewport_size(WIDE)


def test_it_goes_on_where_it_was_left_and_begins_anew(page: Page) -> None:
    language(page, "it")
    before = page.inner_text("#step-title")
    page.reload()
    assert page.inner_text("#begin") == sentences("it", "lesson")["go_on"].format(step=6)
    begun(page)
    assert page.inner_text("#step-title") == before
    assert "Bruno (Blu)" in key_in(page, "pbem status game")
    begun(page, "#anew")
    assert page.inner_text("#step-title").startswith("1. ") and printed(page) == 0
    language(page, "en")
    assert "Step 1 is done." in key_in(page, "pbem tutorial red")


def test_where_nothing_may_be_kept_it_says_so(browser: Browser, place: Path) -> None:
    shown = browser.new_context(locale="en-US", viewport=WIDE, forced_colors="active").new_page()
    shown.add_init_script("Storage.prototype.setItem = () => { throw new Error('not here'); };")
    shown.goto(place.as_uri())
    begun(shown)
    assert shown.inner_text("#state") == sentences("en", "lesson")["ready_not_kept"] and sound(shown)
    assert "Step 1 is done." in key_in(shown, "pbem tutorial red")
    shown.reload()
    assert shown.inner_text("#begin") == sentences("en", "lesson")["begin"] and shown.is_hidden("#anew")
    shown.close()


def test_without_an_engine_it_says_what_to_do_instead(browser: Browser, place: Path, tmp_path: Path) -> None:
    for engine, told in (("", "no_engine"), (runtime()[:5000], "damaged"), (OF_ANOTHER_VERSION, "another_engine")):
        folder = tmp_path / told
        folder.mkdir()
        for file in (lesson.LESSON, lesson.SCRIPT):
            (folder / file).write_text(place.with_name(file).read_text("utf-8"), "utf-8")
        if engine:
            (folder / ENGINE).write_text(engine)
        shown = browser.new_page()
        shown.goto((folder / lesson.LESSON).as_uri())
        shown.click("#begin")
        wait_text(shown, sentences("en", "lesson")[told].partition("{")[0])
        assert "pbem tutorial" in shown.inner_text("#state") and shown.is_enabled("#begin") and shown.is_hidden("#terminal")
        shown.close()


def wait_text(page: Page, begins: str) -> None:
    page.locator("#state", has_text=begins).wait_for(timeout=20_000)


def test_the_first_steps_in_firefox_by_keys_alone(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with Firefox(tmp_path_factory.mktemp("profile")) as firefox:
        firefox.open(place.as_uri())
        firefox.run("window.wrong = []; addEventListener('error', told => wrong.push(told.message));")
        to(firefox, "one.id === 'begin'", ENTER)
        until(lambda: firefox.run("return document.activeElement.id === 'step-title'"), 120)
        to(firefox, "one.closest('.do')", ENTER)
        shows(firefox, "#printed", "includes('Anna')")
        to(firefox, "one.id === 'seen'", *"red", ENTER)
        shows(firefox, "#step-title", "startsWith('2. ')")
        to(firefox, "one.closest('.do')", ENTER)
        shows(firefox, "#printed", "includes('rolled')")
        to(firefox, "one.dataset.lesson === 'check'", ENTER)
        shows(firefox, "#step-title", "startsWith('3. ')")
        assert firefox.run("return wrong") == []


def shows(firefox: Any, where: str, what: str) -> None:
    until(lambda: firefox.run(f"return document.querySelector('{where}').textContent.{what}"), 120)


def to(firefox: Any, found: str, *keys: str, most: int = 30) -> None:
    """On by keys to what is looked for, and these pressed there."""
    for _ in range(most):
        firefox.press(TAB)
        if firefox.run(f"return Boolean((one => {found})(document.activeElement))"):
            for key in keys:
                firefox.press(key)
            return
    raise AssertionError(f"{found} is not reached by keys")
