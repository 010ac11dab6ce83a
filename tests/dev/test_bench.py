"""What the benchmark measures."""

from pathlib import Path

import pytest

from pbem.dev import bench


def test_the_program_is_measured_that_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Started in the folder of another checkout, too."""
    (tmp_path / "pbem").mkdir()
    (tmp_path / "pbem/__main__.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert bench.cpu("-m", "pbem", "--version", times=1) > 0
