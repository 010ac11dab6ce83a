"""The order desk in Chromium, from a disk: the engine starts, a march is composed by clicks, tried, taken back, sent, and taken
by the program; nothing leaves the page, and axe has nothing to say.
"""

import email
import email.policy
import threading
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import small_game
from at_the_desk import begun, runtime, tried, wait
from playwright.sync_api import Browser, Page
from test_game_page import AXE, RULES, WAYS, Counter, Server, laid

from pbem import __version__
from pbem.desk import answering
from pbem.desk.desk import Desk
from pbem.mail import entered, paste
from pbem.page import written
from pbem.page.engine import ENGINE
from pbem.page.order_desk import DESK, order_desk

LARGEST = 12_000_000
WORKER = """async url => {
    const asked = new XMLHttpRequest(), nested = `fetch('${url}33')`;
    const ways = [() => WorkerGlobalScope.prototype.fetch.call(self, url + 21), () => self.fetch(url + 22),
        () => importScripts(url + 23), () => import(url + 24), () => { asked.open("GET", url + 25, false); asked.send(); },
        () => new WebSocket(url.replace("http", "ws") + 26), () => new EventSource(url + 27),
        () => new Worker(URL.createObjectURL(new Blob([nested])))];
    for (const way of ways) try { await way(); } catch { /* shut */ }
}"""
AN_EMPTY_ONE = "new Worker(URL.createObjectURL(new Blob([''])))"


@pytest.fixture(scope="module")
def page(browser: Browser, index: Path) -> Page:
    assert len(runtime()) < LARGEST
    shown = browser.new_context(locale="en-US", viewport={"width": 1200, "height": 900}).new_page()
    own = {index.with_name(name).resolve().as_uri() for name in ("index.html", "game.js", DESK, ENGINE)}
    strange: list[str] = []
    shown.on("request", lambda asked: None if asked.url in own or asked.url.startswith("blob:") else strange.append(asked.url))
    shown.on("pageerror", lambda problem: strange.append(str(problem)))
    shown.strange = strange                             # type: ignore[attr-defined]
    shown.goto(index.resolve().as_uri())
    begun(shown)
    return shown


def test_a_march_is_composed_by_clicks_and_taken_by_the_program(page: Page, game: Desk) -> None:
    page.click("#desk button:text-is('Antigonos')")
    page.click("#desk button:has-text('Sardeis (2)')")
    tried(page)
    assert page.input_value("#desk textarea") == "march Antigonos > Ephesos > Sardeis"
    trial = small_game.again(game.folder, published=True).trial("red")
    said = answering.receipt(trial, trial.order("red", "march Antigonos > Ephesos > Sardeis"), 4)
    told = page.evaluate("pbemDesk.made.receipt.textContent")
    assert told.rpartition("until")[0] == said.rpartition("until")[0]       # whose clock is another one
    assert "Ephesos" in page.evaluate("pbem.board.chart.armies.find(one => one.seat === 'red').space").title()
    letter = page.evaluate("pbemDesk.out.letter()")
    assert game.game.head()[:32] in letter
    lines = entered.orders_in(game, "red", letter)
    assert lines == "march Antigonos > Ephesos > Sardeis"
    assert [one.state for one in game.trial("red").order("red", lines)] == ["waiting"]


def test_a_seats_own_page_knows_the_way_home_and_the_thread_does_not(browser, page: Page, game: Desk) -> None:
    back = {"address": "host+abc@example.org", "subject": "Re: [small T2.R1.red.2] Твой ход: приказы на сегмент активации",
            "reference": "Reference for your answer: abc"}
    file = Path(unquote(urlsplit(page.url).path)).with_name("red.html")
    file.write_text(written.written(game, "red", way_back=back).alone(DESK), "utf-8")
    own = browser.new_context(accept_downloads=True).new_page()
    own.add_init_script("navigator.share = async told => { window.told = told; };")
    own.goto(file.as_uri())
    begun(own)
    own.fill("#desk textarea", "march Antigonos > Ephesos")
    tried(own)
    wait(own, "!pbemDesk.made.mail.hidden")
    text = own.evaluate("pbemDesk.out.letter()")
    assert text.endswith(f"\n# pbem {__version__} 3 {game.game.head()[:32]}\n\n{back['reference']}\n")
    link = urlsplit(own.get_attribute("#desk a[href^=mailto]", "href") or "")
    assert unquote(link.path) == back["address"]
    assert parse_qs(link.query) == {"subject": [back["subject"]], "body": [text.replace("\n", "\r\n")]}
    with own.expect_download() as loaded:
        own.click("[data-desk=file]")
    mail = email.message_from_bytes(loaded.value.path().read_bytes(), policy=email.policy.default)
    assert (mail["To"], mail["Subject"], mail.get_content().replace("\r\n", "\n")) == (back["address"], back["subject"], text)
    own.click("[data-desk=share]")
    assert own.evaluate("window.told") == {"title": back["subject"], "text": text}
    bold = own.evaluate("pbemDesk.out.bold()")
    assert "Reference" not in bold and paste.orders(bold) == text.split("\n")[:2]
    own.fill("#desk textarea", "march Antigonos > Ephesos  # идём\n" * 30)
    wait(own, "pbemDesk.made.mail.hidden")
    own.close()


def test_undo_goes_back_and_forth(page: Page) -> None:
    page.fill("#desk textarea", "march Antigonos > Xanthos")
    wait(page, "!pbemDesk.made.undo.disabled")
    page.click("[data-desk=undo]")
    assert page.input_value("#desk textarea") != "march Antigonos > Xanthos"
    page.click("[data-desk=redo]")
    assert page.input_value("#desk textarea") == "march Antigonos > Xanthos"


def test_a_place_out_of_reach_says_why(page: Page) -> None:
    page.fill("#desk textarea", "")
    wait(page, "!pbemDesk.engine.waiting.size && !pbemDesk.made.receipt.textContent")
    page.click("#desk button:text-is('Antigonos')")
    wait(page, "pbemDesk.reach")
    page.evaluate("document.dispatchEvent(new CustomEvent('pbem:place', { detail: { space: 'pella' } }))")
    wait(page, "pbemDesk.made.told.textContent.includes('9.3 A')")
    assert page.input_value("#desk textarea") == ""


def test_another_language_is_spoken_by_the_engine_too(page: Page) -> None:
    page.select_option("#language", "de")
    wait(page, "pbemDesk.made.asked_more.textContent.includes('marschieren')")
    assert page.inner_text("#desk h2") == "Befehlstisch"
    page.select_option("#language", "en")


def test_axe_has_nothing_to_say_of_the_desk(page: Page) -> None:
    page.evaluate(AXE)                                  # as the page's own policy lets the debugger do
    found = page.evaluate("rules => axe.run({runOnly: {type: 'tag', values: rules}})", RULES)
    assert [one["id"] for one in found["violations"]] == []


def test_nothing_strange_was_asked_for(page: Page) -> None:
    assert page.strange == []                           # type: ignore[attr-defined]


def test_nothing_can_leave_the_page_nor_the_engines_own_worker(browser, page: Page, tmp_path: Path) -> None:
    """While the desk runs, which goes on afterwards; without the policy the counter sees them."""
    with Server(("127.0.0.1", 0), Counter) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        (tmp_path / "open.html").write_text("<!doctype html><title>open</title>")
        free = browser.new_page()
        free.goto((tmp_path / "open.html").as_uri())
        with free.expect_worker():
            free.evaluate(f"() => {{ window.kept = {AN_EMPTY_ONE}; }}")
        for shown, least, most in ((page, 0, 0), (free, 14, 99)):
            Counter.seen.clear()
            shown.workers[0].evaluate(WORKER, url)
            shown.evaluate(WAYS, url)
            shown.wait_for_timeout(1200)
            assert least <= len(Counter.seen) <= most, Counter.seen
        server.shutdown()
    page.fill("#desk textarea", "march Antigonos > Ephesos")
    tried(page)


def test_without_the_engine_it_says_how_to_get_it(browser, game: Desk, tmp_path: Path) -> None:
    public = small_game.again(game.folder, published=True)
    index = laid(tmp_path, {**written.files(public, to_order=DESK), DESK: order_desk(public.game)})
    shown = browser.new_page()
    shown.goto(index.resolve().as_uri())
    shown.click("[data-desk=begin]")
    wait(shown, "pbemDesk.made.state.textContent.includes('npm pack pyodide')")
