"""What the log said when it was written: so a line that was changed by hand can be shown with both texts.

The mirror is a file of canonical JSON: line 0 is the header, line N is entry N. It may be lost (then nothing
is known of earlier changes) or lag behind after a crash (then what is missing is taken from the log).
"""

from collections.abc import Collection, Sequence
from hashlib import sha256
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import NamedTuple

from pbem.base.folder import add_to, write_whole

MODE = 0o600


class Line(NamedTuple):
    """A line as it was written and as it is now; empty for what was put in or taken out.

    `place` is where it stands in the log, or where the line stands before which it was taken out.
    """

    entry: int
    place: int
    was: bytes
    now: bytes


def changes(mirror: Path, log: Sequence[bytes]) -> list[Line]:
    """The lines that are not as they were written."""
    lines, _ = _compared(_kept(mirror)[0], log)
    return [line for line in lines if line.was != line.now]


def follow(
    mirror: Path, log: Sequence[bytes], added: Sequence[bytes], accepted: Collection[int] = (),
) -> None:
    """Note the lines that were added to the log, and the changes in it that were accepted."""
    kept, whole = _kept(mirror)
    if whole and len(kept) == len(log) and not accepted:
        add(mirror, added)
        return
    lines, later = _compared(kept, log)
    noted = [line.now if line.entry in accepted else line.was for line in lines]
    noted += [line.now for line in later]
    write_whole(mirror, _joined([*filter(None, noted), *added]), MODE)


def behind(mirror: Path, known: tuple[int, str]) -> list[bytes] | None:
    """The lines that come after those of which size and digest are known; None where they are not what they were."""
    size, digest = known
    data = mirror.read_bytes() if mirror.is_file() else b""
    *lines, rest = data[size:].split(b"\n")
    return lines if not rest and sha256(memoryview(data)[:size]).hexdigest() == digest else None


def digest(mirror: Path, size: int) -> str:
    """Of so many bytes of it."""
    return sha256(memoryview(mirror.read_bytes())[:size]).hexdigest()


def add(mirror: Path, added: Sequence[bytes]) -> None:
    """Lines that were added to the log."""
    add_to(mirror, _joined(added), MODE)


def _kept(mirror: Path) -> tuple[list[bytes], bool]:
    """The lines of the mirror as far as they are some; False when a run was killed while it wrote the last one, or the disk
    has spoilt one."""
    data = mirror.read_bytes() if mirror.is_file() else b""
    *lines, rest = data.split(b"\n")
    kept = list(takewhile(lambda line: line[:1] == b"{" and line[-1:] == b"}", lines))
    return kept, not rest and len(kept) == len(lines)


def _joined(lines: Sequence[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])


def _compared(kept: Sequence[bytes], log: Sequence[bytes]) -> tuple[list[Line], list[Line]]:
    """Both side by side, and apart from them what the log has after the mirror's end."""
    same = 0
    while same < min(len(kept), len(log)) and kept[same] == log[same]:
        same += 1
    lines = [Line(at, at, line, line) for at, line in enumerate(log[:same])]
    lines += _matched(kept, log, same)
    end = len(lines)
    while end and not lines[end - 1].was:
        end -= 1
    return lines[:end], lines[end:]


def _matched(kept: Sequence[bytes], log: Sequence[bytes], start: int) -> list[Line]:
    from difflib import SequenceMatcher

    lines = []
    for _, old, old_end, new, new_end in SequenceMatcher(None, kept[start:], log[start:]).get_opcodes():
        for was, now in zip_longest(range(start + old, start + old_end), range(start + new, start + new_end)):
            if now is None:
                lines.append(Line(was, start + new_end, kept[was], b""))
            else:
                lines.append(Line(now, now, b"" if was is None else kept[was], log[now]))
    return lines
