"""What is kept of a log so that not all of it has to be read and folded again: two files beside it, one of what everybody may
know and one with the hands, made anew by whoever writes entries.

They may be deleted at any time, and are never believed: each is bound to the program and to the bytes of the log that it
stands for. What does not fit is as if it were not there.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, overload

from pbem.base import folder
from pbem.base.paths import PACKAGE
from pbem.base.yamlfile import Mapping as Entry

PUBLIC, OWN = ".mark-public", ".mark"
READ_BACK = 40                      # entries before the mark that are read all the same: the last question, the last orders
# Entries that speak of the whole game, wherever they stand, are kept word by word.
OF_THE_WHOLE = ("box", "announce", "beacon", "overrides")


class Mark(NamedTuple):
    """A log up to an entry, at a moment from which its fold goes on (`pbem.play.mark`)."""

    entries: int
    end: int                        # bytes of the log up to there
    digest: str                     # of these bytes
    fold: str                       # text for whoever goes on from it: of two marks that are looked at one is gone on from
    course: dict[str, Any]
    bound: str = ""                 # to what is private, where the hands are kept


class Skipped(NamedTuple):
    """The beginning of a log that need not be read."""

    entries: int
    begin: int                      # the byte at which the rest begins
    lines: int                      # lines before it
    head: str                       # after these entries
    undos: int                      # among them
    said: list[dict[str, Any]]      # of the whole game
    mirror: tuple[int, str]         # how many bytes of the mirror are these lines, and their digest


@cache
def program() -> str:
    """By this it is known that the program is the one that left a mark: names, sizes and times of its files."""
    told = sha256()
    waiting = [str(PACKAGE)]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for one in sorted(found, key=lambda one: one.name):
                if one.is_dir():
                    if one.name != "__pycache__":
                        waiting.append(one.path)
                else:
                    seen = one.stat()
                    told.update(f"{one.path} {seen.st_size} {seen.st_mtime_ns}\n".encode())
    return told.hexdigest()


def read(path: Path) -> dict[str, Any]:
    """What lies there, if this program has left it and nobody has changed it."""
    try:
        head, _, fold = folder.left(path).partition(b"\n")
        kept = json.loads(head)
        kept["mark"]["fold"] = fold.decode()
    except ValueError:
        return {}
    return kept if kept["program"] == program() else {}


def leave(path: Path, mark: Mark, skipped: Skipped | None = None) -> None:
    """Put in place whole; whoever cannot write here leaves none."""
    kept = {"program": program(), "mark": mark._replace(fold="")._asdict(),
            **({"skipped": skipped._asdict()} if skipped is not None else {})}
    text = b"\n".join((json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode(), mark.fold.encode()))
    folder.leave(path, text)


class Entries(Sequence[Entry]):
    """The entries of a log of which only the later ones were read; whoever asks for an earlier one has all of it read."""

    __slots__ = ("_all", "_late", "_whole", "skipped")

    def __init__(self, skipped: int, late: list[Entry], whole: Any) -> None:
        self.skipped, self._late, self._whole = skipped, late, whole
        self._all: list[Entry] | None = None

    def whole(self) -> list[Entry]:
        if self._all is None:
            self._all = [*self._whole()[:self.skipped], *self._late]
        return self._all

    def __len__(self) -> int:
        return self.skipped + len(self._late)

    @overload
    def __getitem__(self, place: int) -> Entry: ...

    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...

    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:
        if isinstance(place, slice):
            first, *_ = place.indices(len(self))
            if place.step is None and first >= self.skipped:
                end = place.indices(len(self))[1]
                return self._late[first - self.skipped:max(first, end) - self.skipped]
            return self.whole()[place]
        at = place + len(self) if place < 0 else place
        return self._late[at - self.skipped] if at >= self.skipped else self.whole()[place]

    def append(self, entry: Entry) -> None:
        self._late.append(entry)
        self._all = None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.whole())

    def __add__(self, more: Sequence[Entry]) -> "Entries":
        return Entries(self.skipped, [*self._late, *more], self.whole)

    def __radd__(self, before: list[Entry]) -> list[Entry]:
        return [*before, *self.whole()]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.whole() == list(other)

    __hash__ = None  # type: ignore[assignment]


def said_in(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Those that speak of the whole game."""
    return [dict(entry) for entry in entries if any(key in entry for key in OF_THE_WHOLE)]
