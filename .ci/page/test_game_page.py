"""The page of a game in a real browser: its course, map and sentences, languages, looks; what axe, a screen reader, paper see.

Run by .ci/run, which installs what it needs; the tests of the README do without a browser.
"""

import gzip
import json
import re
import socketserver
import threading
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import small_game
from at_the_desk import ROOT
from playwright.sync_api import Browser, Page

from pbem.base.paths import languages
from pbem.desk.desk import Desk
from pbem.page import written
from pbem.telling.chart import chart

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
EVIL = "<img src=x onerror=alert(1)>"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game of five players, as it is laid down."""
    folder = tmp_path_factory.mktemp("five")
    (folder / "game.yaml").write_bytes(gzip.decompress((ROOT / "tests/log/kept/five.yaml.gz").read_bytes()))
    return laid(folder, written.files(Desk(folder, published=True)))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that waits, with something taken back, and with a name that would be markup."""
    folder = tmp_path_factory.mktemp("short")
    desk = small_game.found(folder / "g", cards=True)
    desk.order("red", "roll")
    desk.undo(2, reason=EVIL, override=True)
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    desk.enter({"seat": "blue", "name": EVIL})
    desk.enter({"note": f"</script>{EVIL}"})
    desk.enter({"amend": "spaces.tarsos.name", "value": EVIL, "old": "Tarsos", "reason": EVIL})
    desk.enter({"ruling": EVIL, "reason": EVIL})
    return laid(folder, written.files(small_game.again(folder / "g", published=True)))


def laid(folder: Path, made: dict[str, str]) -> Path:
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "index.html"


def opened(browser: Browser, file: Path, at: str = "", **look: Any) -> Page:
    """The page when it has come to life; it may ask for its own script alone, and complain of nothing."""
    page = browser.new_context(**{"locale": "en-US", "viewport": {"width": 1200, "height": 900}, **look}).new_page()
    own = {file.resolve().as_uri(), file.resolve().with_name("game.js").as_uri()}
    page.on("request", lambda asked: None if asked.url.partition("#")[0] in own else pytest.fail(f"asked for {asked.url}"))
    page.on("pageerror", lambda problem: pytest.fail(str(problem)))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.set_default_timeout(6000)
    page.goto(file.resolve().as_uri() + at)
    page.wait_for_selector("html.alive")
    return page


def entry(page: Page) -> int:
    return int(re.findall(r"e(\d+)$", page.url)[0])


# --- the course ----------------------------------------------------------------------------------------------------------


def test_the_course_by_buttons_slider_and_address(browser: Browser, long: Path) -> None:
    page = opened(browser, long)
    last = int(page.get_attribute("#when", "max") or 0)
    assert entry(page) == last and f"of {last}" in page.inner_text("#moment")
    page.click("#first")
    assert entry(page) == 1 and page.is_visible("#caption")
    page.focus("#when")
    page.keyboard.press("ArrowRight")
    assert entry(page) == 2 and "Entry 2 of" in (page.get_attribute("#when", "aria-valuetext") or "")
    page.keyboard.press("PageDown")
    turn = entry(page)
    assert turn > 2
    page.click("#turnforth")
    page.click("#turnback")
    assert entry(page) == turn
    page.click("#last")
    address = page.url
    again = opened(browser, long, "#t1.r1.e300")
    assert entry(again) == 300 and "Entry 300" in again.inner_text("#moment") and entry(page) == last
    again.evaluate("location.hash = '#e41'")
    again.wait_for_selector("#moment:has-text('Entry 41 ')")
    assert address.endswith(f"e{last}")


def test_the_keys_of_the_slider_and_what_others_hear(browser: Browser, short: Path) -> None:
    """Left and right an entry, up and down a player turn; each moment and each language is told to whoever listens."""
    page = opened(browser, short)
    page.evaluate("""() => {
        window.heard = [];
        for (const name of ['pbem:shown', 'pbem:language', 'pbem:place'])
            document.addEventListener(name, event => heard.push([name, event.detail]));
    }""")
    page.focus("#when")
    page.keyboard.press("ArrowUp")
    assert entry(page) == 1
    page.keyboard.press("ArrowDown")
    last = page.evaluate("pbem.data.entries.length")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert entry(page) == last - 1
    page.select_option("#language", "it")
    page.evaluate("pbem.page.choose('sardeis')")
    heard = page.evaluate("heard")
    assert ["pbem:shown", 1] in [[name, told.get("entry")] for name, told in heard]
    assert ["pbem:language", {"language": "it"}] in heard and ["pbem:place", {"space": "sardeis"}] in heard
    said = page.evaluate("(said => [said.language, said.ui('report'), said.space('sardeis'), said.seat('red')])(pbem.said)")
    assert said == ["it", "Resoconto", "Sardeis", "Anna (Rosso)"]
    assert {"game", "head", "reader", "engine", "entries"} <= set(page.evaluate("Object.keys(pbem.data)"))


def test_the_map_is_made_larger_and_its_colours_patterns(browser: Browser, short: Path) -> None:
    page = opened(browser, short)
    wide = "document.querySelector('#board svg').clientWidth"
    before = page.evaluate(wide)
    page.click("#larger")
    assert page.evaluate(wide) > before * 1.3
    page.click("#smaller")
    assert page.evaluate(wide) == pytest.approx(before, abs=2)
    drawn = page.evaluate("document.querySelector('#board svg').innerHTML")
    page.check("#patterns")
    assert page.evaluate("document.querySelector('#board svg').innerHTML") != drawn


def test_it_plays_by_itself_until_it_is_stopped(browser: Browser, long: Path) -> None:
    page = opened(browser, long, "#e100")
    assert page.get_attribute("#play", "aria-label") == "play"
    page.click("#play")
    assert page.get_attribute("#play", "aria-label") == "pause"
    page.wait_for_selector("#moment:not(:has-text('Entry 100 '))")
    page.click("#play")
    stopped = entry(page)
    page.wait_for_timeout(1500)
    assert entry(page) == stopped > 100


def test_what_happened_since_an_entry_is_drawn_and_listed(browser: Browser, long: Path) -> None:
    page = opened(browser, long)
    page.fill("#since", "2100")
    page.click("text=show")
    assert ".s2100.e" in page.url and "Since entry 2100" in page.inner_text("#caption")
    listed = page.locator("#caption ol > li").count()
    assert 10 < listed <= 60
    assert 0 < page.locator("[data-layer=numbers] [data-number]").count() <= listed
    page.click("#lastturn")
    assert "Since entry" in page.inner_text("#caption")


def test_a_reader_who_comes_back_sees_what_is_new_to_him(browser: Browser, short: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(short.as_uri())
    page.wait_for_selector("html.alive")
    assert not page.is_visible("#lastvisit")
    page.evaluate("localStorage.setItem('pbem small ', '2'); sessionStorage.clear()")
    page.reload()
    page.click("#lastvisit")
    assert ".s3.e" in page.url


def test_what_was_taken_back_is_marked_and_has_its_position(browser: Browser, short: Path) -> None:
    page = opened(browser, short, "#e2")
    assert "Taken back by entry" in page.inner_text("#caption") and page.locator("#entries li.undone").count() >= 1
    assert "rolled" in page.inner_text("#caption")


# --- map and sentences -----------------------------------------------------------------------------------------------------


def test_sentences_and_map_lead_to_each_other(browser: Browser, short: Path) -> None:
    page = opened(browser, short)
    sentence = page.locator("#entries button.sentence", has_text="marched from Halikarnassos").first
    for point, leave in ((sentence.hover, lambda: page.mouse.move(0, 0)), (sentence.focus, lambda: page.focus("#when"))):
        point()
        marked = page.locator(".place.marked").evaluate_all("all => all.map(one => one.dataset.space)")
        assert set(marked) == {"halikarnassos", "ephesos"}
        leave()
        assert page.locator(".place.marked").count() == 0
    sentence.click()
    assert page.locator("[data-layer=arrows] [data-change]").count() == 1 and page.locator("[aria-current=step]").count() == 1
    page.locator("[role=button][data-space=ephesos]").click(force=True)
    assert "Ephesos" in page.inner_text("#here h3") and "marched from Halikarnassos" in page.inner_text("#here")
    page.click("#first")
    page.locator("#here button.sentence", has_text="marched from Halikarnassos").click()
    assert page.locator("[data-layer=arrows] [data-change]").count() == 1


def test_by_touch_a_place_tells_of_itself(browser: Browser, short: Path) -> None:
    page = opened(browser, short, **PHONE)
    page.locator("[role=button][data-space=sardeis]").scroll_into_view_if_needed()
    page.locator("[role=button][data-space=sardeis] .target").tap()
    assert "Sardeis" in page.inner_text("#here h3") and "Lysimachos" in page.inner_text("#here")


def test_the_map_as_a_table_follows_the_course(browser: Browser, long: Path) -> None:
    page = opened(browser, long, "#e1000")
    page.click("#places summary")
    page.wait_for_selector("#places tbody tr")
    rows = page.locator("#places tbody tr")
    assert rows.count() == 141
    before = page.inner_text("#places tbody")
    page.click("#last")
    assert page.inner_text("#places tbody") != before and "Yellow" in before


def test_nothing_that_stands_on_the_board_is_left_out(browser: Browser, long: Path) -> None:
    page = opened(browser, long)
    for number in (50, 900, 1700, 2200):
        page.evaluate(f"window.pbem.show({number})")
        wanted, drawn = page.evaluate("""() => {
            const chart = pbem.course.at(Number(document.querySelector('#when').value));
            const fleets = chart.fleets.filter(one => one.seat && !one.dispersed).length;
            const single = document.querySelectorAll('[data-layer=pieces] [data-space]').length - pbem.board.bundles.length;
            const bundled = pbem.board.bundles.reduce((sum, one) => sum + one.group.length, 0);
            return [chart.armies.length + chart.royals.length + chart.sieges.length + fleets
                    + chart.marks.filter(one => one.what === 'helepolis').length, single + bundled];
        }""")
        assert wanted == drawn > 20


def test_any_position_of_the_published_form_can_be_drawn(browser: Browser, tmp_path: Path) -> None:
    """As an engine has it that lies on the page: with its changes, and back to the log."""
    desk = small_game.at_window(tmp_path / "g")
    page = opened(browser, laid(tmp_path, written.files(desk)))
    position = chart(desk.match, None, since=1)
    page.evaluate("told => { pbem.draw(told, told.changes); }", {**position, "armies": position["armies"][1:]})
    assert page.locator("[data-layer=pieces] [data-space]").count() == len(position["armies"]) - 1
    assert page.locator("[data-layer=arrows] [data-change]").count() == 1
    heard = page.evaluate("""() => new Promise(told => {
        document.addEventListener('pbem:general', event => told(event.detail), {once: true});
        document.querySelector('[data-layer=pieces] [data-general]').dispatchEvent(new MouseEvent('click', {bubbles: true}));
    })""")
    assert heard["general"] in {one for army in position["armies"] for one in army["generals"]}
    page.evaluate("pbem.show(pbem.course.last)")
    assert page.locator("[data-layer=pieces] [data-space]").count() == len(position["armies"])
    page.evaluate("for (const row of pbem.position().armies) if (!row.seat) throw row")


def test_the_keyboard_walks_along_the_paths(browser: Browser, long: Path) -> None:
    page = opened(browser, long)
    focused = "document.activeElement.dataset.space"
    page.locator("[role=button][data-space=larisa]").focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) in page.evaluate("""pbem.course.at(1).board.paths.filter(way => way.includes('larisa'))
        .map(([a, b]) => a === 'larisa' ? b : a)""")
    page.keyboard.press("y")
    first = page.evaluate(focused)
    page.keyboard.press("y")
    assert page.evaluate(focused) != first
    armies = f"pbem.position().armies.some(one => one.seat === 'yellow' && one.space === {focused})"
    assert page.evaluate(armies)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "here"
    page.keyboard.press("Escape")
    assert page.evaluate(focused) and page.locator("[role=button][data-space][tabindex='0']").count() == 1


def test_the_tree_has_every_place_with_control_pieces_siege_and_ways(browser: Browser, long: Path) -> None:
    page = opened(browser, long, "#e1000")
    tree = page.locator("#board").aria_snapshot()
    chart = page.evaluate("pbem.course.at(1000)")
    names = re.findall(r'button "((?:[^"\\]|\\.)*)"', tree)
    assert len(names) == len(chart["board"]["spaces"])
    said = page.evaluate("Object.fromEntries(Object.keys(pbem.position().board.spaces).map(id => [id, pbem.said.space(id)]))")
    by_place = {name.partition(":")[0]: name for name in names}
    for space, seat in chart["control"]["spaces"].items():
        assert f"Control: {page.evaluate(f'pbem.said.seat({json.dumps(seat)})')}" in by_place[said[space]]
    for army in chart["armies"]:
        name = by_place[said[army["space"]]]
        assert (f"{army['total']} CU" in name or not army["total"]) and all(
            page.evaluate(f"pbem.said.name('general', '{one}')") in name for one in army["generals"])
    assert chart["sieges"] and all("Siege" in by_place[said[one["space"]]] for one in chart["sieges"])
    assert all(("Ways: " in name) for name in names)


# --- languages, looks, limits ------------------------------------------------------------------------------------------------


def test_four_languages_in_place(browser: Browser, long: Path) -> None:
    page = opened(browser, long, "#e1000")
    page.locator("[role=button][data-space=sardeis]").click(force=True)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    seen = set()
    for code in languages():
        page.select_option("#language", code)
        text = page.inner_text("body")
        assert page.evaluate("document.documentElement.lang") == code and entry(page) == 1000
        assert "undefined" not in text and "{" not in text and "[object" not in text
        seen.add(text)
    assert len(seen) == len(languages()) and "Пергам" in page.evaluate("document.querySelector('#board svg').textContent")


STATES = {
    "begun": ("", "", {}),
    "place": ("#e1000", "pbem.page.choose('sardeis')", {}),
    "tables": ("#s2000.e2260", "for (const one of document.querySelectorAll('details')) one.open = true", {}),
    "dark": ("#e700", "", {"color_scheme": "dark"}),
    "phone": ("#e300", "", PHONE),
    "patterns": ("#e1500", "document.querySelector('#patterns').click()", {"locale": "ru"}),
}


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(browser: Browser, long: Path, state: str) -> None:
    at, act, look = STATES[state]
    page = opened(browser, long, at, **look)
    page.evaluate(act or "0")
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run({runOnly: {type: 'tag', values: rules}})", RULES)
    assert [(one["id"], one["nodes"][0]["html"][:200], len(one["nodes"])) for one in found["violations"]] == []


def test_it_fits_a_telephone(browser: Browser, long: Path) -> None:
    page = opened(browser, long, **PHONE)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate("""[...document.querySelectorAll('button:not(.number):not(.sentence), select, summary')]
        .filter(one => one.offsetParent && (one.offsetHeight < 44 || one.offsetWidth < 44)).map(one => one.outerHTML)""")
    assert small == []
    assert page.evaluate("document.querySelector('#board svg').clientWidth > 2 * innerWidth")
    for space in ("babylon", "pella", "memphis"):
        number = page.evaluate(f"pbem.course.of('{space}')[0].number")
        page.evaluate(f"pbem.show({number})")
        there = page.evaluate("""() => {
            const frame = document.querySelector('#board').getBoundingClientRect();
            const lines = pbem.data.entries[Number(document.querySelector('#when').value) - 1].lines;
            return lines.flatMap(line => line.places).some(space => {
                const box = document.querySelector(`[role=button][data-space=${space}] .target`).getBoundingClientRect();
                return box.left < frame.right && box.right > frame.left && box.top < frame.bottom && box.bottom > frame.top;
            });
        }""")
        assert there, space
    page.click("#fit")
    assert page.evaluate("document.querySelector('#board svg').clientWidth <= innerWidth")


def test_on_paper_the_map_and_the_texts_are_there_and_no_buttons(browser: Browser, long: Path) -> None:
    page = opened(browser, long)
    page.emulate_media(media="print")
    assert page.is_visible("#board svg") and page.is_visible("#report") and page.is_visible("#totals svg")
    assert not any(page.is_visible(one) for one in ("#time", "#tools", "#choices", "#story", "#sinceform"))


def test_without_scripts_it_is_read(browser: Browser, short: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(short.as_uri())
    assert page.is_visible("#board svg") and page.is_visible("#report") and not page.is_visible("#time")
    text = page.inner_text("body")
    assert "Waiting for" in text and "Standings" in text and EVIL in text and page.locator("img").count() == 0


def test_motion_is_less_where_less_is_wished_and_colours_may_be_forced(browser: Browser, short: Path) -> None:
    moving = "getComputedStyle(document.querySelector('.place.marked .ring')).animationName"
    for wish, wanted in (("no-preference", "pulse"), ("reduce", "none")):
        page = opened(browser, short, reduced_motion=wish)
        page.locator("#entries button.sentence", has_text="marched from").first.focus()
        assert page.evaluate(moving) == wanted
    page = opened(browser, short, forced_colors="active")
    assert page.is_visible("#board svg") and page.evaluate(
        "getComputedStyle(document.querySelector('[data-layer=towns] rect')).fill") == "rgb(255, 255, 255)"


def test_one_file_is_enough(browser: Browser, tmp_path: Path) -> None:
    desk = small_game.at_window(tmp_path / "g")
    (tmp_path / "blue.html").write_text(written.written(desk, "blue").alone(), encoding="utf-8")
    page = opened(browser, tmp_path / "blue.html")
    assert "Private" in page.inner_text("header") and page.title().startswith("Bruno") or page.title().startswith("Blue")
    page.select_option("#language", "de")
    assert "Vertraulich" in page.inner_text("header") and "vertraulich" in page.title()


def test_what_players_wrote_stays_text(browser: Browser, short: Path) -> None:
    page = opened(browser, short)
    for number in range(1, int(page.get_attribute("#when", "max") or 0) + 1):
        page.evaluate(f"window.pbem.show({number})")
    page.locator("[role=button][data-space=sardeis]").click(force=True)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for code in languages():
        page.select_option("#language", code)
    assert page.locator("img").count() == 0 and EVIL in page.inner_text("body")


WAYS = """url => {
    const made = (name, facts) => document.body.append(Object.assign(document.createElement(name), facts));
    const ways = [
        () => fetch(url + 1),
        () => { const asked = new XMLHttpRequest(); asked.open('GET', url + 2); asked.send(); },
        () => { new Image().src = url + 3; },
        () => navigator.sendBeacon(url + 4, 'x'),
        () => new WebSocket(url.replace('http', 'ws') + 5),
        () => new EventSource(url + 6),
        () => made('script', {src: url + 7}),
        () => made('iframe', {src: url + 8}),
        () => { made('form', {action: url + 9, target: '_blank', id: 'out'}); document.getElementById('out').submit(); },
        () => made('link', {rel: 'stylesheet', href: url + 10}),
        () => new Worker(URL.createObjectURL(new Blob([`fetch('${url}11')`]))),
        () => import(url + 12),
    ];
    for (const way of ways) {
        try { Promise.resolve(way()).catch(() => 0); } catch (error) { /* shut */ }
    }
}"""


class Counter(socketserver.BaseRequestHandler):
    seen: list[bytes] = []
    timeout = 3

    def handle(self) -> None:
        """What was sent: for a frame or a form Chromium opens a connection before it asks the policy, and is silent."""
        self.request.settimeout(self.timeout)
        with suppress(OSError):
            if asked := self.request.recv(200):
                self.seen.append(asked.split(b"\r\n")[0])
            self.request.sendall(b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


def test_nothing_leaves_the_page(browser: Browser, short: Path, tmp_path: Path) -> None:
    """Tried in twelve ways; a page without the policy shows that the counter sees them."""
    with Server(("127.0.0.1", 0), Counter) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        open_page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", short.read_text("utf-8"))
        (tmp_path / "open.html").write_text(open_page, encoding="utf-8")
        (tmp_path / "game.js").write_text(short.with_name("game.js").read_text("utf-8"), encoding="utf-8")
        for file, least, most in ((short, 0, 0), (tmp_path / "open.html", 8, 99)):
            Counter.seen.clear()
            page = browser.new_context().new_page()
            page.goto(file.as_uri())
            page.wait_for_selector("html.alive")
            page.evaluate(WAYS, url)
            page.wait_for_timeout(1200)
            assert least <= len(Counter.seen) <= most, Counter.seen
        server.shutdown()
