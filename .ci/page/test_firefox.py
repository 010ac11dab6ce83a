"""Page and order desk in Firefox, from a disk: course, languages, the map by keys; a turn by keys alone; no way out."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from firefox import ENTER, TAB, Firefox, until
from test_game_page import WAYS, Counter, Server

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
