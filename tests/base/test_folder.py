"""Files are replaced whole; many of them together with few flushes, in each folder in the sequence of their writing. What is
not for everybody is not for git."""

import os
import subprocess
from pathlib import Path

import pytest

from pbem.base.folder import FEW, add_to, together, write_secret, write_together, write_whole


def folders(tmp_path: Path, count: int) -> list[Path]:
    made = [tmp_path / str(number) for number in range(count)]
    for folder in made:
        folder.mkdir()
        (folder / "private").write_text("old")
        (folder / "game").write_text("old")
    return made


def test_many_folders_take_their_steps_together_and_each_in_sequence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    replace, sync = Path.replace, os.sync
    monkeypatch.setattr(Path, "replace", lambda self, path: (done.append(path.name), replace(self, path)))
    monkeypatch.setattr(os, "sync", lambda: (done.append("flushed"), sync()))
    many = folders(tmp_path, FEW + 1)
    with together():
        for folder in many:
            write_whole(folder / "private", b"new")
            write_whole(folder / "game", b"new")
            add_to(folder / "mirror", b"a line", 0o600)
            assert (folder / "game").read_text() == "old" and not (folder / "mirror").exists()
    assert done == ["flushed", *["private"] * len(many), "flushed", *["game"] * len(many), "flushed"]
    assert {path.read_text() for folder in many for path in folder.iterdir()} == {"new", "a line"}


def test_what_fails_on_the_way_replaces_nothing(tmp_path: Path) -> None:
    (folder,) = folders(tmp_path, 1)
    with pytest.raises(ZeroDivisionError), together():
        write_whole(folder / "private", b"new")
        raise ZeroDivisionError
    assert (folder / "private").read_text() == "old"
    write_whole(folder / "game", b"new")
    assert (folder / "private").read_text() == "old" and (folder / "game").read_text() == "new"


def test_of_a_file_that_is_written_twice_the_last_counts(tmp_path: Path) -> None:
    (folder,) = folders(tmp_path, 1)
    with together():
        write_whole(folder / "private", b"first")
        write_together({folder / "private": b"second", folder / "game": b"new"}, 0o600)
    assert (folder / "private").read_text() == "second" and (folder / "game").read_text() == "new"
    assert [path.name for path in sorted(folder.iterdir())] == ["game", "private"]
    assert (folder / "game").stat().st_mode & 0o777 == 0o600


def test_files_of_one_step_are_replaced_in_their_sequence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    replace = Path.replace
    monkeypatch.setattr(Path, "replace", lambda self, path: (done.append(path.name), replace(self, path)))
    (tmp_path / "told").mkdir()
    names = ["told/today", *"zyxabc", "told/last", "m"]
    write_together({tmp_path / name: b"new" for name in names})
    assert done == [name.removeprefix("told/") for name in names]


def test_of_the_folder_of_a_secret_file_git_takes_all_the_rest(tmp_path: Path) -> None:
    others = {"mail/way.py", "out/red.html", "state.json"}           # somebody's project, and no game's folder
    for name in others:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    for name in ("red.html", "hand [1]*?.html", "!red", "#red", "red\\", " red "):
        write_secret(tmp_path / name, b"a hand")
        assert (tmp_path / name).read_text() == "a hand"
    for args in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *args], cwd=tmp_path, check=True)
    staged = subprocess.run(["git", "ls-files"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert set(staged.splitlines()) == {".gitignore", *others}
