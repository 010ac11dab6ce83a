"""A file of the wrong kind is refused by what it is, by each command that reads one, and by each that would write over it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from at_the_shell import commands, pbem, said
from small_game import found

from pbem.base.kinds import BEGINNINGS, DATA, KEYS, kind_of
from pbem.cli.base import GameDir
from pbem.cli.files import WANTED, Given, Made

MADE = {
    "picture": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-1.7\n\xe2\xe3", "archive": b"PK\x03\x04\xff",
    "page": b"<!DOCTYPE html>\n<p>roll",
    "mail": b"Received: from a\r\nFrom: a@example.org\r\nMessage-ID: <1@a>\r\n\r\nroll\r\n",
    "proof": b'{"chance":{"deck":"00"}}',
    "settings": b"address: a@example.org\nimap: {host: h}\n", "position": b"turn: 2\nspaces: {sardeis: blue}\n",
    "utf16": "roll\n".encode("utf-16"), "bytes": "würfeln\n".encode("latin-1"), "": b"Hello: I march.\nroll\n",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of each kind, with a name that tells nothing."""
    folder = tmp_path_factory.mktemp("files")
    found(folder / "g", cards=True)
    said("components", "form", "-o", folder / "form")
    shutil.copy(folder / "g/game.yaml", folder / "log")
    shutil.copy(folder / "g/private.yaml", folder / "private")
    (folder / "data.yaml").write_text("- {datum: map.sardeis.name, value: Sardes}\n")
    for kind, data in MADE.items():
        (folder / (kind or "plain")).write_bytes(data)
    return {kind: folder / (kind or "plain") for kind in (*MADE, "form", "log", "private")} | {"data": folder / "data.yaml"}


def test_a_file_is_known_by_what_stands_in_it(files: dict[str, Path]) -> None:
    assert {kind: kind_of(path) for kind, path in files.items()} == {kind: kind for kind in files}
    assert files.keys() >= {kind for kind, _ in (*BEGINNINGS, *KEYS)} and DATA


def given() -> Iterator[tuple[tuple[str, ...], click.Parameter, Given]]:
    """Each place where a command takes a file."""
    for path, command in commands():
        for param in command.params:
            if isinstance(param.type, Given):
                yield path, param, param.type


PLACES = list(given())
TARGETS = [(path, param, param.type) for path, command in commands() for param in command.params
           if isinstance(param.type, Made) and param.type.kinds]


def test_each_file_that_a_command_reads_or_writes_is_judged() -> None:
    """What else names a file is a game, settings that `setup` makes, or a folder to read from."""
    others = {(" ".join(path), param.name) for path, command in commands() for param in command.params
              if isinstance(param.type, (click.File, click.Path)) and not isinstance(param.type, (Given, Made, GameDir))}
    assert others == {("handover", "place"), ("page", "runtime"), ("tutorial", "runtime")}
    assert len(PLACES) > 15 and len(TARGETS) > 8


@pytest.mark.parametrize(("path", "param", "made"), TARGETS, ids=["_".join(path) for path, *_ in TARGETS])
def test_nothing_of_another_kind_is_written_over(files: dict[str, Path], path: tuple[str, ...], param: click.Parameter,
                                                 made: Made) -> None:
    context = click.Context(click.Command("x"))
    assert not {"log", "private", "settings", "mail"} & set(made.kinds)
    for kind, file in files.items():
        if kind in made.kinds:
            assert made.convert(str(file), param, context) == file
            continue
        with pytest.raises(click.BadParameter, match="not written over"):
            made.convert(str(file), param, context)


def test_what_a_command_has_written_it_may_write_anew(files: dict[str, Path], tmp_path: Path) -> None:
    game = files["log"].parent / "g"
    for words in (["map", game, "-o", tmp_path / "a.svg"], ["map", game, "-o", tmp_path / "a.png"],
                  ["plot", game, "-o", tmp_path / "b.svg"], ["proof", game, "-o", tmp_path / "c.json"],
                  ["proof", game, "--page", "-o", tmp_path / "d.html"], ["position", game, "-o", tmp_path / "e.yaml"],
                  ["page", game, "-o", tmp_path / "f.html"], ["page", game, "-o", tmp_path / "g"],
                  ["guide", "-o", tmp_path / "h.html"], ["guide", "-o", tmp_path / "i.txt"],
                  ["handover", game, "-o", tmp_path / "k.tar.gz"]):
        for _ in range(2):
            said(*words)


@pytest.mark.parametrize(("path", "param", "wanted"), PLACES, ids=["_".join(path) for path, *_ in PLACES])
def test_the_wrong_kind_is_refused_by_name(files: dict[str, Path], path: tuple[str, ...], param: click.Parameter,
                                           wanted: Given) -> None:
    context = click.Context(click.Command("x"))
    for kind, file in files.items():
        if kind in WANTED[wanted.wanted]:
            assert wanted.convert(str(file), param, context) == file
            continue
        with pytest.raises(click.BadParameter, match="Wanted here is"):
            wanted.convert(str(file), param, context)


def test_it_is_said_what_it_is(files: dict[str, Path]) -> None:
    game = files["log"].parent / "g"
    for kind, told in (("log", "the log of a game"), ("private", "the private file of a game"), ("picture", "a picture"),
                       ("data", "a file of data"), ("utf16", "a text in UTF-16")):
        refused = " ".join(pbem("order", game, "red", "--file", files[kind], code=2).output.split())
        assert f"is {told}" in refused and "Wanted here is a text with orders" in refused
    talk = files["log"].parent / "talk"
    talk.write_text("Hello Anna,\nhow are you?\n")
    assert "there is no order in" in said("order", game, "red", "--file", talk, code=1)
    talk.write_text("")
    assert "there is no order in" in said("order", game, "red", "--file", talk, code=1)
    assert said("order", game, "red", "--file", files[""])
