"""Files that are given to a command or made by one: each says what it wants; what is of another kind is refused by its name."""

from pathlib import Path
from typing import Any

import click

from pbem.base.errors import PbemError
from pbem.base.kinds import UNKNOWN, kind_of
from pbem.cli.base import in_words

# What is wanted -> the kinds that may be it.
WANTED: dict[str, tuple[str, ...]] = {
    "orders": (UNKNOWN,), "post": (UNKNOWN,), "passphrase": (UNKNOWN, "bytes"),
    "position": (UNKNOWN, "position", "data"), "corrections": (UNKNOWN, "data"), "box": (UNKNOWN, "form", "data"),
    "cases": (UNKNOWN, "data"), "kept": (UNKNOWN, "mail", "page", "data", "proof"), "raw": (UNKNOWN, "mail", "page", "bytes"),
    "packet": ("archive", "bytes"), "copy": (UNKNOWN, "archive", "bytes"),
}
STDIN = Path("-")


class Given(click.Path):
    """A file for a purpose, or - for what is typed, where a text is wanted."""

    def __init__(self, wanted: str, *besides: str, typed: bool = False) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path, allow_dash=typed)
        self.wanted, self.besides = wanted, besides         # words that may stand in its place

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in self.besides:
            return value
        path = Path(str(super().convert(value, param, ctx)))
        if path != STDIN:
            try:
                if not path.is_file():                      # whoever writes into a pipe would be waited for
                    self.fail(in_words(PbemError("no_plain_file", file=str(path))), param, ctx)
                if (found := kind_of(path)) not in WANTED[self.wanted]:
                    self.fail(in_words(PbemError("wrong_file", file=str(path), found=found, wanted=self.wanted)), param, ctx)
            except OSError as error:
                self.fail(in_words(not_possible(path, error)), param, ctx)
        return path


class Made(click.Path):
    """What a command writes: a folder, or a file in whose place nothing of another kind may lie, and of its own kind only what
    can be made again."""

    def __init__(self, *kinds: str, folder: bool = False) -> None:
        super().__init__(file_okay=bool(kinds), dir_okay=folder, path_type=Path)
        self.kinds = kinds                                  # of what it may replace

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail(in_words(PbemError("no_target")), param, ctx)
        path = Path(str(super().convert(value, param, ctx)))
        try:
            if not self.dir_okay:
                path.parent.stat()                              # told before the work, not after it
            if lies_there(path) and not path.is_dir():
                if not path.is_file():
                    self.fail(in_words(PbemError("no_plain_target", file=str(path))), param, ctx)
                if path.stat().st_size and (found := kind_of(path)) not in self.kinds:
                    self.fail(in_words(PbemError("not_over", file=str(path), found=found)), param, ctx)
        except OSError as error:
            self.fail(in_words(not_possible(path, error)), param, ctx)
        return path


def lies_there(path: Path) -> bool:
    """Is there anything? A name that cannot be, and a link in a circle or to nowhere, raises what the system says of it, which
    `exists` keeps to itself."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    path.stat()
    return True


def not_possible(path: Path, error: OSError) -> PbemError:
    """What the system says of a file."""
    return PbemError("not_possible", file=str(path), why=str(error.strerror or error).lower())


def text_of(path: Path) -> str:
    """What stands in a file, or what is typed."""
    with click.open_file(str(path), encoding="utf-8-sig") as stream:
        return str(stream.read())
