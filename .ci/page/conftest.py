"""The browser in which the pages are tried: Chromium, which asks nobody for anything; and a small game with page and desk."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_the_desk import ROOT, laid_down
from playwright.sync_api import Browser, sync_playwright

sys.path[:0] = [str(ROOT / "tests")]

import small_game  # noqa: E402

from pbem.desk.desk import Desk  # noqa: E402

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as started:
        found = started.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Red, with the die of his Activation Segment thrown, may march from Halikarnassos; the others stand on his ways."""
    desk = small_game.found(tmp_path_factory.mktemp("small") / "g", cards=True)
    desk.order("red", "roll")
    return desk


@pytest.fixture(scope="module")
def index(game: Desk) -> Path:
    """Everybody's page of it, with a desk."""
    return laid_down(small_game.again(game.folder, published=True), game.folder.parent / "out")
