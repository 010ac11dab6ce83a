"""What was made ready once: files that were read and sentences that became code, in the user's cache, by the version of both.

Whoever cannot write there, or has none of it yet, makes everything anew. It may be deleted at any time.
"""

import atexit
import marshal
import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

OWN = 0o700
FORMAT = 1                          # of the code: another one where `saying` gives it something else


def place() -> Path:
    """The folder of the cache: one for each version of Python."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return root / "pbem" / str(sys.implementation.cache_tag)


class Shelf:
    """What belongs to one file of sentences: the file as it was read, and the code of those that were said."""

    def __init__(self, path: Path) -> None:
        found = path.stat()
        told = f"{path} {found.st_size} {found.st_mtime_ns} {sys.version} {FORMAT}"
        self.path = path
        self.kept = place() / f"{path.parent.name}-{path.stem}-{sha256(told.encode()).hexdigest()[:16]}"
        self.data: Any = None
        self.codes: dict[str, CodeType] = {}
        self.is_new = False
        with suppress(OSError, ValueError, EOFError, TypeError):
            folder = self.kept.parent.stat()
            if folder.st_uid == os.getuid() and not folder.st_mode & 0o022:     # nobody else puts anything there
                self.data, self.codes = marshal.loads(self.kept.read_bytes())

    @classmethod
    def read(cls, path: Path) -> "Shelf":
        """A file with what it says: read as YAML once for each version of it."""
        shelf = cls(path)
        if shelf.data is None:
            from pbem.base.yamlfile import load

            shelf.data = _plain(load(path))
            shelf.note()
        return shelf

    def note(self) -> None:
        """Something was added: it is kept when the program ends."""
        if not self.is_new:
            self.is_new = True
            atexit.register(self.keep)

    def keep(self) -> None:
        fresh = self.kept.with_name(f"{self.kept.name}.{os.getpid()}.new")
        with suppress(OSError, ValueError):
            self.kept.parent.mkdir(mode=OWN, parents=True, exist_ok=True)
            fresh.write_bytes(marshal.dumps((self.data, self.codes)))
            fresh.replace(self.kept)


def contents(path: Path) -> Any:
    """What a file says that comes with the program."""
    return Shelf.read(path).data


def _plain(value: Any) -> Any:
    """Without the lines on which it stood."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value
