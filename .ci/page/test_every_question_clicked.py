"""Every kind of question that a player can be asked, answered by clicks in Chromium: the engine in its worker, the buttons of
the desk, its letter; and the program takes it to the effect that the desk has told."""

import json
import os
from typing import Any

import asked_once
import pytest
from at_the_desk import begun, laid_down, tried, wait
from playwright.sync_api import Page
from test_game_page import AXE, RULES

from pbem.desk import answering
from pbem.desk.desk import Desk
from pbem.dev.defaults import DEFAULTS
from pbem.mail import entered, paste

KINDS = sorted(DEFAULTS.keys() - asked_once.MODERATORS)
LANGUAGES = ("en", "de", "it", "ru")                    # one kind after the other
PICTURES = os.environ.get("PBEM_PICTURES")              # a folder for whoever wants to look at it


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, asked_once.Asked]:
    return asked_once.each(tmp_path_factory.mktemp("led"))


@pytest.fixture(scope="module")
def page(browser, asked, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The page of a game of five; its engine is handed one log after the other."""
    out = tmp_path_factory.mktemp("page")
    desk = Desk(asked["give_back"].folder(out / "g"), published=True)
    assert len(desk.match.seats) == 5
    index = laid_down(desk, out / "page")
    shown = browser.new_context(locale="en-US", viewport={"width": 1000, "height": 900}).new_page()
    problems: list[str] = []
    shown.on("pageerror", lambda problem: problems.append(str(problem)))
    shown.problems = problems                           # type: ignore[attr-defined]
    shown.goto(index.resolve().as_uri())
    shown.evaluate("document.addEventListener('pbem:tried', event => { window.told = event.detail; })")
    begun(shown)
    return shown


def opened(page: Page, one: asked_once.Asked, language: str = "en") -> None:
    """The desk has this log, and nothing is written yet."""
    page.fill("#desk textarea >> nth=0", "")
    page.select_option("#language", language)
    page.evaluate("log => { pbemDesk.log = log; return pbemDesk.opened(); }", json.loads(json.dumps(one.log)))
    page.select_option("#desk select >> nth=0", one.seat)
    wait(page, "!pbemDesk.engine.waiting.size && pbemDesk.made.offers.children.length")


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_composed_by_clicks_and_taken(page: Page, asked, kind: str) -> None:
    one = asked[kind]
    opened(page, one, LANGUAGES[KINDS.index(kind) % len(LANGUAGES)])
    group = page.locator("#desk details:has(button)").first
    if group.get_attribute("open") is None:
        group.locator("summary").first.click()
    group.locator("button").first.click()
    tried(page)
    if page.evaluate("pbemDesk.made.prices.children.length"):
        page.evaluate("pbemDesk.made.prices.firstChild.click()")
        wait(page, "!pbemDesk.engine.waiting.size && !pbemDesk.made.prices.children.length")
    text, told = page.input_value("#desk textarea >> nth=0"), page.evaluate("window.told")
    desk = one.desk()
    desk.language = LANGUAGES[KINDS.index(kind) % len(LANGUAGES)]
    assert entered.orders_in(desk, one.seat, page.evaluate("pbemDesk.out.letter()")) == text
    assert paste.orders(page.evaluate("pbemDesk.out.bold()"))[0] == text
    trial = desk.trial(one.seat)
    outcomes = trial.order(one.seat, text)
    assert [outcome.state in ("done", "sealed", "waiting", "unknown") for outcome in outcomes] == [True], told["text"]
    assert told["lines"] == json.loads(json.dumps(answering.receipt_data(trial, outcomes)["lines"]))


def test_what_is_composed_in_advance_is_written_by_clicks(page: Page, asked) -> None:
    """A standing order, a card put aside, a letter: all three in the mail, none of them in the thread."""
    opened(page, asked["activation"])
    page.fill("#desk input >> nth=0", "57")
    page.evaluate("pbemDesk.tried()")
    wait(page, "!pbemDesk.engine.waiting.size")
    page.click("#desk summary[data-desk=advance]")
    for name, start in (("Standing orders", "standing: honour"), ("Cards for their moment", "file battle")):
        wait(page, f"[...document.querySelectorAll('#desk summary')].some(one => one.textContent.startsWith('{name}'))")
        page.click(f"#desk summary:text-matches('^{name}')")
        page.click(f"#desk button:has-text('{start}')")
        tried(page)
    page.fill("#desk textarea >> nth=1", "Shall we march?\nend")
    page.click("[data-desk=add_letter]")
    tried(page)
    page.click("#desk summary:text-matches('^end')")
    page.click("#desk button:text-is('end segment')")
    tried(page)
    lines = page.input_value("#desk textarea >> nth=0").splitlines()
    assert lines == ["standing: honour, always", "file battle: play 57 as surprise", "press all: Shall we march?", "end",
                     "/press", "end segment"]
    assert "57" not in page.evaluate("pbemDesk.out.bold()")
    assert paste.orders(page.evaluate("pbemDesk.out.bold()"))[:-1] == ["end segment"]
    assert "A letter to" in page.evaluate("pbemDesk.made.beside.textContent")
    if PICTURES:
        page.locator("#desk").screenshot(path=f"{PICTURES}/advance.png")


def test_what_was_just_unfolded_stays_so_when_the_engine_answers_at_once(page: Page, asked) -> None:
    """The browser tells of a toggle later than of a click: in between the list may have been made anew."""
    opened(page, asked["activation"])
    page.click("#desk summary[data-desk=advance]")
    stays = page.evaluate("""() => {
      const titles = document.getElementsByTagName("summary");
      const named = () => [...titles].find(one => one.textContent.startsWith("Standing orders"));
      const before = named(), was = before.parentElement.open;
      before.click();
      pbemDesk.advance.follow({}, {ahead: [{sort: "standing", lines: ["standing: honour, always"]}]}, "red");
      return named() !== before && named().parentElement.open !== was;
    }""")
    assert stays
    page.evaluate("pbemDesk.tried()")
    wait(page, "!pbemDesk.engine.waiting.size")


def test_axe_has_nothing_to_say_where_all_is_unfolded(page: Page, asked) -> None:
    opened(page, asked["activation"])
    page.evaluate("document.querySelectorAll('#desk details').forEach(one => { one.open = true; })")
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("rules => axe.run('#desk', {runOnly: {type: 'tag', values: rules}})", RULES)
    assert [one["id"] for one in found["violations"]] == []


def test_no_script_broke(page: Page) -> None:
    assert page.problems == []                          # type: ignore[attr-defined]
