"""What the benchmark measures."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.dev import bench


def test_the_program_is_measured_that_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Started in the folder of another checkout, too."""
    (tmp_path / "pbem").mkdir()
    (tmp_path / "pbem/__main__.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert bench.cpu("-m", "pbem", "--version", times=1) > 0


@pytest.mark.parametrize("play", [bench.plainly, bench.swiftly])
def test_a_game_is_played_to_its_end_whoever_looks(monkeypatch: pytest.MonkeyPatch, play: Callable[[int], int]) -> None:
    monkeypatch.setattr(bench, "SEEDS", (3,))
    assert play(3) > 100 and bench.a_decision(play) > 0
