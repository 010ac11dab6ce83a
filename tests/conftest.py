import gc
import gettext
import os
import secrets
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings

# Fixed seeds: the same tests pass or fail everywhere. `pbem dev prove --only properties` searches wider.
settings.register_profile("tests", derandomize=True, deadline=None, database=None)
settings.register_profile("prove", deadline=None, database=None, max_examples=int(os.environ.get("PBEM_EXAMPLES", "5000")))
settings.load_profile("tests")

# Where nothing may lie beside the code, what is compiled lies in the tests' own cache: else each run compiles all of it anew.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(Path(__file__).parents[1] / ".pytest_cache/compiled")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The dice of a game that is founded here fall as they did the last time: its secrets are drawn anew for each test."""
    secrets.token_bytes = Random(item.nodeid).randbytes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files stand beside this one: they are begun first, and at the end no process waits for the other."""
    items.sort(key=lambda item: item.path.parent != Path(__file__).parent)


def pytest_collection_finish() -> None:
    """What was imported and gathered stays to the end: nobody need look through it again and again for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)        # as in every command


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `-n` the tests of a file go to one process: what they share is made once. The long ones are not left for the end."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    """Tests end processes, not machines: what the system has taken is safe, and the disk is slow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda handle: None)
        patch.setattr("gettext.find", cache(gettext.find))          # which click asks for each of its words
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    """Programs that tests start find compiled what others have read before them, too."""
    with pytest.MonkeyPatch.context() as patch:
        if sys.pycache_prefix:
            patch.setenv("PYTHONPYCACHEPREFIX", sys.pycache_prefix)
            patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


@pytest.fixture
def at_window(tmp_path: Path) -> Any:
    """The small game, waiting for those who may intercept."""
    import small_game

    return small_game.at_window(tmp_path / "g")


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """For every command it is the noon at which the small game is played."""
    import small_game

    monkeypatch.setenv("PBEM_NOW", small_game.NOON.isoformat())
