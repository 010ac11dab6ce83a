"""The page that checks games, in a real browser: a log by file and by paste, what a player kept, each language, keyboard, dark.

Run by .ci/run, which installs what it needs; the tests of the README do without a browser.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import ROOT
from playwright.sync_api import Browser, Page
from small_game import at_window

from pbem.base.paths import languages
from pbem.chance import check, scheme
from pbem.desk import answering
from pbem.dev import tampering
from pbem.play import proof

FILE = ROOT / "pbem/data/verifier.html"


@pytest.fixture(scope="module")
def log() -> str:
    desk = tampering.small_game()
    return scheme.canonical({**desk.game.header, "log": desk.game.entries}).decode()


def opened(browser: Browser, file: Path = FILE, **look: Any) -> Page:
    """The page, and a list of all that it has asked for and complained of."""
    page = browser.new_context(**{"locale": "en-US", **look}).new_page()
    own = file.resolve().as_uri()
    page.on("request", lambda request: None if request.url == own else pytest.fail(f"asked for {request.url}"))
    page.on("pageerror", lambda problem: pytest.fail(str(problem)))
    page.goto(file.resolve().as_uri())
    return page


def checked(page: Page) -> str:
    page.click("button")
    page.wait_for_selector(".verdict")
    return page.inner_text("#result")


def rows(page: Page) -> list[tuple[str, ...]]:
    page.click("summary")
    return [tuple(row.split("\t")) for row in page.inner_text("tbody").split("\n")]


def test_a_log_by_paste_gives_what_the_program_says(browser: Browser, log: str) -> None:
    page = opened(browser)
    page.fill("#log-text", log)
    told = checked(page)
    assert told.startswith("It holds") and "You gave nothing to compare with" in told
    assert len(rows(page)) == len(list(check.check_game(json.loads(log))))


def test_a_forged_log_by_file_is_found(browser: Browser, log: str, tmp_path: Path) -> None:
    forged = json.loads(log)
    entry = next(entry for entry in forged["log"] if "dice" in entry)
    entry["dice"][0][1] = entry["dice"][0][1] % 6 + 1
    (tmp_path / "proof.json").write_text(json.dumps(forged))
    page = opened(browser)
    page.set_input_files("#log-file", tmp_path / "proof.json")
    told = checked(page)
    assert told.startswith("It does not hold. Failed: 1") and "the promise gives" in told
    (tmp_path / "proof.json").write_text("{")
    page.set_input_files("#log-file", tmp_path / "proof.json")
    page.click("button")
    page.wait_for_selector("text=cannot be read")


def test_what_a_player_kept_is_compared(browser: Browser, tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    (outcome,) = desk.order("blue", "intercept Lysimachos from Sardeis with 2 loyal")
    mail = answering.receipt(desk, [outcome]) + f"\n17 entries in the log, head {desk.game.heads()[-1][:32]}."
    desk.order("yellow", "pass")
    page = opened(browser)
    page.fill("#log-text", proof.log_text(desk.game))
    page.fill("#kept-text", mail)
    assert "heads: 1, openings of a hand: 0, receipts: 1" in checked(page)
    page.fill("#kept-text", mail.replace("2 loyal", "1 loyal"))
    page.click("button")
    page.wait_for_selector("text=It does not hold")


@pytest.mark.parametrize("language", languages())
def test_it_speaks_the_readers_language_and_changes_it_without_a_word_left(browser: Browser, log: str, language: str) -> None:
    page = opened(browser, locale=language)
    assert page.input_value("#language") == language and page.evaluate("document.documentElement.lang") == language
    page.fill("#log-text", log)
    checked(page)
    seen = set()
    for code in languages():
        page.select_option("#language", code)
        seen.add(page.inner_text("body"))
        assert "undefined" not in page.inner_text("body") and "{" not in page.inner_text("#result")
    assert len(seen) == len(languages())


def test_it_can_be_used_with_the_keyboard_alone_and_names_what_it_has(browser: Browser, log: str) -> None:
    page = opened(browser)
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.type"))
    assert {"language", "log-file", "log-text", "kept-files", "kept-text", "submit"} <= set(reached)
    page.focus("#log-text")
    page.keyboard.insert_text(log)
    page.focus("button")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    unnamed = page.evaluate("""[...document.querySelectorAll('input, textarea, select, button')].filter(one => {
        const by = document.getElementById(one.getAttribute('aria-labelledby'));
        return ![by || one, ...(one.labels || [])].some(label => label.innerText.trim());
    }).map(one => one.id)""")
    assert unnamed == []
    assert page.get_attribute("#result", "aria-live") == "polite"


@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}}, {"color_scheme": "dark"}])
def test_it_fits_a_telephone_and_the_dark(browser: Browser, log: str, look: dict[str, Any]) -> None:
    page = opened(browser, **look)
    page.fill("#log-text", log)
    checked(page)
    page.click("summary")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ratio = page.evaluate("""(() => {
        const part = x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4;
        const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(x => part(x / 255)).reduce(
            (sum, x, i) => sum + x * [.2126, .7152, .0722][i], 0);
        const paper = light(getComputedStyle(document.body).backgroundColor);
        return Math.min(...['body', '.verdict', '.help', 'tbody tr'].map(one => {
            const ink = light(getComputedStyle(document.querySelector(one)).color);
            return (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
        }));
    })()""")
    assert ratio >= 4.5
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark == "rgb(22, 23, 26)") is (look.get("color_scheme") == "dark")


def test_a_copy_with_the_log_inside_says_that_it_proves_nothing(browser: Browser, tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    desk.enter({"note": "</script><img src=x onerror=alert(1)>"})
    copy = tmp_path / "look.html"
    copy.write_text(proof.with_log(desk.game))
    page = opened(browser, copy)
    assert page.is_visible("#warning") and "proves nothing" in page.inner_text("#warning")
    assert checked(page).startswith("It ")
    assert not opened(browser).is_visible("#warning")
