"""Files that are given to a command: each command says what it wants, and a file of another kind is refused by what it is."""

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
        if path != STDIN and (found := kind_of(path)) not in WANTED[self.wanted]:
            self.fail(in_words(PbemError("wrong_file", file=str(path), found=found, wanted=self.wanted)), param, ctx)
        return path


def text_of(path: Path) -> str:
    """What stands in a file, or what is typed."""
    with click.open_file(str(path), encoding="utf-8-sig") as stream:
        return str(stream.read())
