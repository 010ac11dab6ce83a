"""A game folder on disk: one writer at a time, whole files only, secrets kept out of git."""

import fcntl
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.base.errors import PbemError

# Standing orders, secrets, mails and addresses stay with the moderator; what is sent out may hold a hand of cards.
KEPT_OUT_OF_GIT = ("private.yaml", ".mark*", ".mirror", ".lock", "*.new", "mail/", "out/", "raw/", "ledger.jsonl", "state.json",
                   "mail.yaml", "pbem.backup", "*-handover.tar.gz", "HANDOVER.txt")

SECRET = 0o600
FEW = 8                                 # files or folders that are flushed one by one


class Together:
    """Files that are replaced in one go. Each folder has its steps, one after the other; all take them at the same time."""

    def __init__(self) -> None:
        self.steps: dict[Path, list[dict[Path, Path]]] = {}
        self.fresh: dict[Path, dict[Path, Path]] = {}
        self.tails: list[tuple[Path, bytes, int]] = []

    def step(self, files: Mapping[Path, bytes], mode: int | None) -> None:
        """The next step of the folder of the first: what is to take the place of these files is written beside them."""
        step: dict[Path, Path] = {}
        for given, data in files.items():
            path = given.resolve() if given.is_symlink() else given
            self.fresh.get(path, {}).pop(path, None)            # written anew before it took its place
            step[path] = _beside(path, data, mode)
            self.fresh[path] = step
        if step:
            self.steps.setdefault(next(iter(step)).parent, []).append(step)

    def finish(self) -> None:
        _flush([new for steps in self.steps.values() for step in steps for new in step.values()])
        for at_once in zip_longest(*self.steps.values(), fillvalue={}):
            for step in at_once:
                for path, new in step.items():
                    new.replace(path)
            _flush(list(dict.fromkeys(path.parent for step in at_once for path in step)))
        for tail in self.tails:
            add_to(*tail)


_open: Together | None = None           # what is written now waits for the end of it


@contextmanager
def together() -> Iterator[Together]:
    """What is written in here is on the disk at the end, all of it with a few flushes, for a disk is slow to answer.

    If anything fails in here nothing is replaced. What is read in here is as it was before.
    """
    global _open
    if _open is not None:
        yield _open
        return
    _open = made = Together()
    try:
        yield made
    finally:
        _open = None
    made.finish()


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace the file at once: whoever looks, or is killed, finds the old or the new one, never a part.

    `mode` is enforced when given; otherwise an existing file keeps its own.
    """
    write_together({path: data}, mode)


def write_together(files: Mapping[Path, bytes], mode: int | None = None) -> None:
    """Several files, each replaced at once, one after the other, and flushed together."""
    with together() as going:
        going.step(files, mode)


def _beside(path: Path, data: bytes, mode: int | None) -> Path:
    """The new file, complete, beside the one whose place it will take."""
    fresh = path.with_name(f".{path.name.lstrip('.')}.new")
    if mode is None and path.exists():
        mode = path.stat().st_mode & 0o7777
    flags, given = os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode
    try:
        target = os.open(fresh, flags, given)
    except FileExistsError:         # left by a run that was killed
        fresh.unlink()
        target = os.open(fresh, flags, given)
    try:
        if mode is not None:
            os.fchmod(target, mode)
        _write(target, data)
    finally:
        os.close(target)
    return fresh


def add_to(path: Path, data: bytes, mode: int) -> None:
    """Add to the end of a file of which the last part may be lost; while files are replaced together, behind them."""
    if _open is not None:
        _open.tails.append((path, data, mode))
        return
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, mode)
    try:
        _write(target, data)
    finally:
        os.close(target)


def _write(target: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(target, rest):]


def _flush(paths: Sequence[Path]) -> None:
    if len(paths) > FEW:
        os.sync()
        return
    for path in paths:
        flush(path)


def flush(path: Path) -> None:
    """What was written to a file, or which files stand in a folder, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def leave(path: Path, data: bytes) -> None:
    """Put in place whole what can be made again, under its digest: whoever cannot write here leaves none, and nobody waits for
    the disk."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with suppress(OSError):
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, SECRET), "wb") as stream:
            stream.write(sha256(data).hexdigest().encode() + b"\n" + data)
        fresh.replace(path)


def left(path: Path) -> bytes:
    """What was left there, if nobody has changed it; else nothing."""
    try:
        digest, _, data = path.read_bytes().partition(b"\n")
    except OSError:
        return b""
    return data if sha256(data).hexdigest().encode() == digest else b""


def which_file(path: Path | str) -> str:
    """What tells this file, as it is now, from any other and from what it was before; of none a dash."""
    try:
        found = os.stat(path)                   # noqa: PTH116 - asked of each file of many games
    except OSError:
        return "-"
    return f"{found.st_ino}/{found.st_size}/{found.st_ctime_ns}"      # the last also changes with every other time of it


def protect(folder: Path, names: Sequence[str] = KEPT_OUT_OF_GIT) -> None:
    """Tell git what not to take from this folder, before there is anything to take."""
    path = folder / ".gitignore"
    given = path.read_text() if path.exists() else ""
    missing = [line for line in names if line not in given.splitlines()]
    if missing:
        joined = "\n" if given and not given.endswith("\n") else ""
        write_whole(path, (given + joined + "\n".join(missing) + "\n").encode())


def git_line(path: str) -> str:
    """What tells git not to take this file of a folder, whatever its name."""
    return "/" + re.sub(r"[][\\*? ]", r"\\\g<0>", path)


def write_secret(path: Path, data: bytes) -> None:
    """A file of which somebody chose name and place, and that is not for everybody: nor is it for git, which goes on taking
    what else there is, for the place need not be a game's."""
    protect(path.parent, [git_line(path.name)])
    write_whole(path, data, SECRET)


class Lock:
    """Only one run at a time writes in a folder; the system takes the lock from a dead one.

    `left_by` tells of a run that ended without unlocking: its number and the time at which it began.
    """

    __slots__ = ("_handle", "folder", "left_by")

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.left_by: tuple[int, str] | None = None
        self._handle = -1

    def __enter__(self) -> Self:
        handle = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.left_by = _holder(handle)
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()} {now}\n".encode(), 0)
            protect(self.folder)
        except BlockingIOError:
            pid, since = _holder(handle) or (0, "")
            os.close(handle)
            raise PbemError("busy", folder=str(self.folder), pid=pid, since=since) from None
        except BaseException:
            os.close(handle)
            raise
        self._handle = handle
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None,
    ) -> None:
        os.ftruncate(self._handle, 0)
        os.close(self._handle)


def _holder(handle: int) -> tuple[int, str] | None:
    pid, _, since = os.pread(handle, 100, 0).decode(errors="replace").strip().partition(" ")
    return (int(pid), since) if pid.isdecimal() else None
