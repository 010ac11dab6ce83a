"""A page with an order desk, as it is laid down, opened and tried.

The runtime is the npm package that .ci/run installs; without it the desk's tests fail and say so, for nothing else shows that
it runs.
"""

import os
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pbem.desk.desk import Desk
from pbem.page import written
from pbem.page.engine import ENGINE, RUNTIME, engine
from pbem.page.order_desk import DESK, order_desk

ROOT = Path(__file__).parents[2]
PYODIDE = Path(os.environ.get("PBEM_RUNTIME") or ROOT / ".ci/.node/node_modules/pyodide")
MINUTE = 60.0
WIDE = {"viewport": {"width": 1200, "height": 900}}

# Of the desk: what is wider than it, what is too small for a finger; and is nothing there to press?
TOO_WIDE = """[...document.querySelectorAll('#desk *')].filter(one => one.offsetParent
    && one.getBoundingClientRect().right > document.querySelector('#desk').getBoundingClientRect().right + 1)
    .map(one => one.outerHTML.slice(0, 120))"""
TOO_SMALL = """[...document.querySelectorAll('#desk :is(button, select, input, textarea, summary, a)')]
    .filter(one => one.offsetParent && (one.offsetHeight < 44 || one.offsetWidth < 44))
    .map(one => one.outerHTML.slice(0, 120))"""
NOTHING_TO_PRESS = "[...document.querySelectorAll('#desk :is(button, a)')].every(one => !one.offsetParent)"


@cache
def runtime() -> str:
    """`engine.js`, made once for all tests."""
    assert all((PYODIDE / name).is_file() for name in RUNTIME), f"no runtime in {PYODIDE}: .ci/run installs it (npm, pyodide)"
    return engine(PYODIDE)


def laid_down(public: Desk, out: Path) -> Path:
    """Everybody's page with a desk and its engine."""
    out.mkdir(parents=True, exist_ok=True)
    for name, text in {**written.files(public, to_order=DESK), DESK: order_desk(public.game), ENGINE: runtime()}.items():
        (out / name).write_text(text, encoding="utf-8")
    return out / "index.html"


def shown(browser: Browser, index: Path, **look: Any) -> Page:
    """The page when it has come to life; it complains of nothing."""
    page = browser.new_context(**{"locale": "en-US", **WIDE, **look}).new_page()
    page.on("pageerror", lambda problem: pytest.fail(str(problem)))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(index.as_uri())
    page.wait_for_selector("html.alive")
    return page


def begun(shown: Page) -> None:
    """The desk is open, and its first question told."""
    began = time.monotonic()
    shown.click("[data-desk=begin]")
    is_open(shown)
    print(f"the desk is open after {time.monotonic() - began:.1f} s")


def is_open(shown: Page) -> None:
    wait(shown, "!pbemDesk.made.room.hidden && pbemDesk.made.asked.textContent")


def wait(page: Page, true: str) -> None:
    """Until it holds in the page, which lets nobody evaluate a text but the debugger."""
    end = time.monotonic() + MINUTE
    while not page.evaluate(f"Boolean({true})"):
        assert time.monotonic() < end, (true, page.evaluate("pbemDesk.made.state.textContent"))
        time.sleep(0.05)


def tried(page: Page) -> None:
    wait(page, "!pbemDesk.engine.waiting.size && pbemDesk.made.orders.value.trim() && pbemDesk.made.receipt.textContent")
