"""The order desk for everyone: a turn by keys alone, the tree of names that a screen reader has, axe in each of its states, a
telephone, paper, forced colours, less motion, a start that leaves the map alone, and a sentence wherever it cannot start."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import NOTHING_TO_PRESS, TOO_SMALL, TOO_WIDE, begun, is_open, runtime, shown, tried, wait
from playwright.sync_api import Browser, Page
from test_game_page import AXE, RULES

from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.desk.desk import Desk
from pbem.mail import entered
from pbem.page.engine import ENGINE

MARCH = "march Antigonos > Ephesos > Sardeis"
MOST = 8.0                          # processor seconds


@pytest.fixture(scope="module")
def page(browser: Browser, index: Path) -> Page:
    found = shown(browser, index)
    begun(found)
    return found


def text(page: Page, words: str) -> None:
    """The orders are these, and have been tried."""
    page.fill("#desk textarea", "")
    wait(page, "!pbemDesk.engine.waiting.size && !pbemDesk.made.receipt.textContent")
    if words:
        page.fill("#desk textarea", words)
        tried(page)


def reach(page: Page) -> None:
    page.evaluate("pbemDesk.general({ general: 'antigonos' })")
    wait(page, "pbemDesk.reach && pbemDesk.made.reached.children.length")


# --- keys and names --------------------------------------------------------------------------------------------------


def to(page: Page, found: str, most: int = 60) -> None:
    """By the tabulator alone to what holds of the element with the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"(one => {found})(document.activeElement)"):
            return
    raise AssertionError(f"{found} is not reached by keys")


def test_a_turn_is_played_by_keys_alone_and_each_step_is_said(browser: Browser, index: Path, game: Desk) -> None:
    """From the head of the page to the copied text; after each key the focus is somewhere, and a live line has told."""
    page = shown(browser, index)
    page.evaluate("navigator.clipboard.writeText = async told => { window.told = told; }")
    to(page, "one.matches('#to-desk a')", 6)
    page.keyboard.press("Enter")
    to(page, "one.dataset.desk === 'begin'", 2)
    page.keyboard.press("Enter")
    is_open(page)
    assert page.evaluate("document.activeElement === pbemDesk.made.seat")
    assert "Ready" in page.inner_text("#desk [role=status] >> nth=0")
    to(page, "one.textContent === 'Antigonos'")
    page.keyboard.press("Enter")
    wait(page, "pbemDesk.made.reached.children.length")
    assert "Where Antigonos can go" in page.evaluate("pbemDesk.made.told.textContent")
    assert page.evaluate("document.activeElement.textContent") == "Antigonos"
    to(page, "one.textContent.startsWith('Sardeis (2)')")
    page.keyboard.press("Enter")
    tried(page)
    assert page.input_value("#desk textarea") == MARCH
    assert page.evaluate("document.activeElement === pbemDesk.made.receipt")        # what was said to it
    to(page, "one.dataset.desk === 'copy'")
    page.keyboard.press("Enter")
    wait(page, "window.told")
    assert page.evaluate("pbemDesk.made.sent.textContent")
    lines = entered.orders_in(game, "red", page.evaluate("window.told"))
    assert lines == MARCH and [one.state for one in game.trial("red").order("red", lines)] == ["waiting"]


def test_a_march_is_composed_on_the_map_by_keys_alone(page: Page) -> None:
    page.locator("[role=button][data-space][tabindex='0']").focus()
    page.keyboard.press("r")                                # the reader's next Army
    assert page.evaluate("document.activeElement.dataset.space") == "halikarnassos"
    page.keyboard.press("Enter")
    wait(page, "pbemDesk.reach")
    page.keyboard.press("Escape")
    way = page.evaluate("pbem.position().board.paths.filter(one => one.includes('halikarnassos')).map(one => one.join(' '))")
    assert any("ephesos" in one for one in way)
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.dataset.space") == "ephesos":
            break
        page.locator("[role=button][data-space=halikarnassos]").focus()
    page.keyboard.press("Enter")
    tried(page)
    assert page.input_value("#desk textarea") == "march Antigonos > Ephesos"


def test_going_back_by_keys_leaves_the_focus_where_one_can_go_on(page: Page) -> None:
    text(page, "pass")
    page.focus("[data-desk=undo]")
    for _ in range(12):
        page.keyboard.press("Enter")
        wait(page, "!pbemDesk.engine.waiting.size")
        assert page.evaluate("document.activeElement !== document.body && pbemDesk.made.room.contains(document.activeElement)")
        if page.evaluate("pbemDesk.made.undo.disabled"):
            break
    assert page.evaluate("pbemDesk.made.undo.disabled")


NAMED = ("You are", "Your cards, by number", "Orders, one a line", "Back", "Forth", "Address of the game", "Copy as mail",
         "Copy in bold for the thread", "Save as .eml")


def test_the_tree_of_names_has_all_that_the_desk_has(page: Page) -> None:
    """As a screen reader goes through it: everything that can be used has a name, everything that is told is text in it."""
    text(page, "march Antigonos > Pella")
    reach(page)
    tree = page.locator("#desk").aria_snapshot()
    used = re.findall(r"- (button|textbox|combobox|link|group)(?: \"((?:[^\"\\]|\\.)*)\")?", tree)
    assert [kind for kind, name in used if not name and kind != "group"] == []
    for name in (*NAMED, "Antigonos", "Ephesos (1)"):
        assert name in tree, name
    assert tree.count("- status") >= 3 and "Where Antigonos can go" in tree
    asked, said = page.evaluate("[pbemDesk.made.asked.textContent, pbemDesk.made.receipt.textContent]")
    plain = re.sub(r"\W+", "", tree)
    assert all(re.sub(r"\W+", "", line) in plain for line in (*asked.splitlines(), *said.splitlines()))


# --- looks -----------------------------------------------------------------------------------------------------------


STATES: dict[str, tuple[str, bool, dict[str, Any]]] = {       # the orders, a General chosen, how it is looked at
    "empty": ("", False, {}),
    "reach and refusal, dark": ("march Antigonos > Pella", True, {"color_scheme": "dark"}),
    "tried, telephone": (MARCH, False, {"width": 360}),
    "Russian, telephone": ("pass", True, {"width": 360, "language": "ru"}),
    "forced colours": (MARCH, False, {"forced_colors": "active"}),
}
USUAL = {"color_scheme": "light", "forced_colors": "none"}


def looked_at(page: Page, width: int = 1200, language: str = "en", **media: Any) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(**{**USUAL, **media})
    page.select_option("#language", language)
    wait(page, "!pbemDesk.engine.waiting.size")


def nothing_wrong(page: Page) -> None:
    """To axe; nothing is wider than the page, nothing too small for a finger."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)                                  # as the page's own policy lets the debugger do
    found = page.evaluate("rules => axe.run({runOnly: {type: 'tag', values: rules}})", RULES)
    wide, small = page.evaluate(TOO_WIDE), page.evaluate(TOO_SMALL)
    assert ([(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]], wide, small) == ([], [], [])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_and_nothing_is_too_wide_or_too_small(page: Page, state: str) -> None:
    orders, chosen, look = STATES[state]
    looked_at(page)
    text(page, orders)
    looked_at(page, **look)
    if chosen:
        reach(page)
        page.evaluate("for (const one of document.querySelectorAll('#desk details')) one.open = true")
    try:
        nothing_wrong(page)
    finally:
        looked_at(page)


def test_neither_where_the_desk_is_not_begun(browser: Browser, index: Path) -> None:
    nothing_wrong(shown(browser, index))


def test_on_paper_are_the_orders_and_what_is_said_to_them_and_nothing_to_press(page: Page) -> None:
    text(page, MARCH)
    page.emulate_media(media="print")
    try:
        assert page.is_visible("#desk textarea") and page.is_visible("#desk pre[role=status]")
        assert page.evaluate(NOTHING_TO_PRESS)
    finally:
        page.emulate_media(media="screen")


def test_nothing_of_the_desk_moves_where_less_is_wished(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    text(page, "")
    assert page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length") == 0
    page.emulate_media(reduced_motion="no-preference")


def test_without_scripts_the_page_with_a_desk_is_read_like_any_other(browser: Browser, index: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(index.as_uri())
    assert page.is_visible("#board svg") and page.is_visible("#report")
    assert not page.is_visible("#desk") and not page.is_visible("#to-desk")


# --- the start -------------------------------------------------------------------------------------------------------


def test_the_map_can_be_used_while_the_engine_starts_and_megabytes_tell_how_far_it_is(browser: Browser, index: Path) -> None:
    """How long it takes depends on who else is at work here; how much the processors do for it hardly does."""
    page = shown(browser, index)
    page.evaluate("""() => {
        window.seen = [];
        new MutationObserver(() => {
            const said = pbemDesk.made.state.textContent;
            document.querySelector(seen.length % 2 ? '#last' : '#first').click();
            seen.push([said, document.querySelector('#moment').textContent, pbemDesk.made.room.hidden]);
        }).observe(pbemDesk.made.state, { childList: true });
    }""")
    before = worked()
    begun(page)
    spent = worked() - before
    print(f"processor seconds for the start: {spent:.1f}")
    assert spent < MOST
    seen = page.evaluate("seen")
    told = [re.search(r"(\d+\.\d) of (\d+\.\d) MB", said) for said, _, _ in seen]
    read = [(float(one[1]), float(one[2])) for one in told if one]
    assert read == sorted(read) and len(read) >= 3
    assert read[-1][0] == read[-1][1] == pytest.approx(len(runtime()) / 1e6, abs=0.2)
    drawn = {moment.partition(".")[0] for said, moment, hidden in seen if hidden and " MB" in said}
    assert len(drawn) == 2                                  # the first entry and the last
    page.close()


def worked() -> float:
    """Processor seconds of all that was started here and of what that has started."""
    facts = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, rest = file.read_text().rpartition(")")
            facts[name.partition(" ")[0]] = rest.split()
    mine = {str(os.getpid())}
    while more := {one for one, found in facts.items() if found[1] in mine} - mine:
        mine |= more
    return sum(int(facts[one][11]) + int(facts[one][12]) for one in mine) / os.sysconf("SC_CLK_TCK")


CANNOT: dict[str, tuple[str, str, Callable[[str], str | None]]] = {         # what is said, of which browser, of which engine
    "no WebAssembly": ("too_old", "delete window.WebAssembly", str),
    "no way to unpack": ("too_old", "delete window.DecompressionStream", str),
    "cut off": ("damaged", "", lambda engine: engine[:len(engine) // 2]),
    "a part spoilt": ("damaged", "", lambda engine: engine.replace('"pyodide.asm.wasm": "', '"pyodide.asm.wasm": "AAAA')),
    "not there": ("no_engine", "", lambda engine: None),
}


@pytest.mark.parametrize("case", CANNOT)
def test_where_it_cannot_start_it_says_so_in_each_language_and_the_page_goes_on(
    browser: Browser, index: Path, tmp_path: Path, case: str,
) -> None:
    key, act, spoilt = CANNOT[case]
    for file in index.parent.glob("*.*s"):
        if file.name != ENGINE:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / index.name).write_bytes(index.read_bytes())
    if (engine := spoilt(runtime())) is not None:
        (tmp_path / ENGINE).write_text(engine)
    page = browser.new_page()
    page.add_init_script(act)
    page.goto((tmp_path / index.name).as_uri())
    page.wait_for_selector("html.alive")
    page.click("[data-desk=begin]")
    wait(page, "!pbemDesk.made.begin.disabled")
    for language in languages():
        page.select_option("#language", language)
        assert page.evaluate("pbemDesk.made.state.textContent") == sentences(language, "desk")[key]
    page.click("#first")
    assert "1" in page.inner_text("#moment")
    page.close()
