"""Page and order desk in Firefox, from a disk: course, languages, the map by keys; a turn by keys alone; no way out; what axe
finds in each state, a telephone, dark, forced colours, paper, and scripts off."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import NOTHING_TO_PRESS, TOO_SMALL, TOO_WIDE
from firefox import ENTER, TAB, Firefox, until
from test_desk_for_all import MARCH, STATES
from test_game_page import AXE, RULES, WAYS, Counter, Server

from pbem.desk.desk import Desk
from pbem.mail import entered


@pytest.fixture(scope="module")
def firefox(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with Firefox(tmp_path_factory.mktemp("profile")) as found:
        found.open(index.as_uri())
        until(lambda: found.run("return document.documentElement.classList.contains('alive')"))
        found.run("window.wrong = []; addEventListener('error', told => wrong.push(told.message));")
        yield found


def to(firefox: Firefox, found: str, most: int = 60) -> None:
    for _ in range(most):
        firefox.press(TAB)
        if firefox.run(f"return (one => {found})(document.activeElement)"):
            return
    raise AssertionError(f"{found} is not reached by keys")


def test_the_course_and_the_map_by_keys(firefox: Firefox) -> None:
    firefox.run("document.querySelector('#when').focus()")
    firefox.press("\ue012")                                 # left
    assert firefox.run("return document.querySelector('#moment').textContent").startswith("Entry 2 of 3")
    firefox.press("\ue014")
    firefox.run("document.querySelector('[role=button][data-space][tabindex=\"0\"]').focus()")
    firefox.press("r")
    assert firefox.run("return document.activeElement.dataset.space") == "halikarnassos"
    firefox.press(ENTER)
    assert "Antigonos" in firefox.run("return document.querySelector('#here').textContent")


def test_a_turn_by_keys_alone_is_taken_by_the_program(firefox: Firefox, game: Desk) -> None:
    firefox.run("navigator.clipboard.writeText = async told => { window.told = told; }; document.activeElement.blur();")
    to(firefox, "one.dataset.desk === 'begin'")
    firefox.press(ENTER)
    until(lambda: firefox.run("return !pbemDesk.made.room.hidden && pbemDesk.made.asked.textContent"))
    assert firefox.run("return document.activeElement === pbemDesk.made.seat")
    to(firefox, "one.textContent === 'Antigonos'")
    firefox.press(ENTER)
    until(lambda: firefox.run("return pbemDesk.made.reached.children.length"))
    to(firefox, "one.textContent.startsWith('Sardeis (2)')")
    firefox.press(ENTER)
    until(lambda: firefox.run("return !pbemDesk.engine.waiting.size && pbemDesk.made.receipt.textContent"))
    assert firefox.run("return document.activeElement === pbemDesk.made.receipt")
    to(firefox, "one.dataset.desk === 'copy'")
    firefox.press(ENTER)
    lines = entered.orders_in(game, "red", until(lambda: firefox.run("return window.told")))
    assert lines == "march Antigonos > Ephesos > Sardeis"
    assert [one.state for one in game.trial("red").order("red", lines)] == ["waiting"]


def test_the_desk_speaks_the_readers_language(firefox: Firefox) -> None:
    firefox.run("""const chosen = document.querySelector('#language');
        chosen.value = 'de';
        chosen.dispatchEvent(new Event('change'));""")
    until(lambda: "marschier" in firefox.run("return pbemDesk.made.receipt.textContent"))
    assert firefox.run("return document.querySelector('#desk h2').textContent") == "Befehlstisch"


# --- looks -----------------------------------------------------------------------------------------------------------


LOOKS: dict[str, dict[str, Any]] = {                        # those of Chromium's states, as Firefox has them
    "empty": {}, "reach and refusal, dark": {"dark": True}, "tried, telephone": {"width": 360},
    "Russian, telephone": {"width": 360}, "forced colours": {"forced": True}}
MATCHES = """return [innerWidth, ...['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print']
    .map(one => matchMedia(one).matches)]"""


def spoken(firefox: Firefox, language: str) -> None:
    firefox.run("""const chosen = document.querySelector('#language');
        chosen.value = arguments[0];
        chosen.dispatchEvent(new Event('change'));""", language)
    quiet(firefox)


def quiet(firefox: Firefox) -> None:
    until(lambda: firefox.run("return !pbemDesk.engine.waiting.size"))


def nothing_wrong(firefox: Firefox) -> None:
    firefox.run(AXE + "; window.wrappedJSObject ? window.wrappedJSObject.axe = axe : window.axe = axe;")
    found = firefox.wait_for(f"axe.run({{runOnly: {{type: 'tag', values: {json.dumps(RULES)}}}}})")
    assert ([(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]],
            firefox.run(f"return {TOO_WIDE}"), firefox.run(f"return {TOO_SMALL}")) == ([], [], [])
    assert firefox.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_look_is_what_the_page_sees(firefox: Firefox) -> None:
    firefox.look(360, dark=True)
    assert firefox.run(MATCHES) == [360, True, False, False]
    firefox.look(forced=True, paper=True)
    assert firefox.run(MATCHES)[1:] == [False, True, True]
    firefox.look()
    wide, *others = firefox.run(MATCHES)
    assert wide > 1000 and others == [False, False, False]


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_and_nothing_is_too_wide_or_too_small(firefox: Firefox, state: str) -> None:
    orders, chosen, look = STATES[state]
    firefox.run("pbemDesk.made.orders.value = arguments[0]; pbemDesk.tried();", orders)
    spoken(firefox, look.get("language", "en"))
    if chosen:
        firefox.run("pbemDesk.general({ general: 'antigonos' });")
        until(lambda: firefox.run("return pbemDesk.made.reached.children.length"))
        firefox.run("for (const one of document.querySelectorAll('#desk details')) one.open = true;")
    firefox.look(**LOOKS[state])
    try:
        nothing_wrong(firefox)
    finally:
        firefox.look()
        spoken(firefox, "en")


def test_on_paper_are_the_orders_the_map_and_nothing_to_press(firefox: Firefox) -> None:
    firefox.run("pbemDesk.made.orders.value = arguments[0]; pbemDesk.tried();", MARCH)
    quiet(firefox)
    firefox.look(paper=True)
    try:
        assert firefox.run(f"return {NOTHING_TO_PRESS}")
        there = "return ['#board svg', '#desk textarea', '#report'].map(one => document.querySelector(one).checkVisibility())"
        assert firefox.run(there) == [True, True, True]
    finally:
        firefox.look()


def test_nothing_leaves_the_page_while_the_desk_runs(firefox: Firefox) -> None:
    with Server(("127.0.0.1", 0), Counter) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        Counter.seen.clear()
        firefox.run(f"({WAYS})('http://127.0.0.1:{server.server_address[1]}/')")
        until(lambda: firefox.run("return !pbemDesk.engine.waiting.size"))
        firefox.ask("WebDriver:ExecuteAsyncScript", script="setTimeout(arguments[0], 1500)", args=[])
        assert Counter.seen == []
        server.shutdown()
    assert firefox.run("return wrong") == []


def test_without_scripts_it_is_read(firefox: Firefox, index: Path) -> None:
    """The last of these tests: the page is opened anew."""
    firefox.look(scripts=False)
    firefox.open(index.as_uri())
    there = "return ['#board svg', '#report', '#desk', '#time'].map(one => document.querySelector(one).checkVisibility())"
    assert firefox.run(there) == [True, True, False, False]
    assert "Waiting for" in firefox.run("return document.body.innerText")
