"""How a mail goes over the wire: a head, and parts that are told in plain signs (RFC 2045, 2047, 5322).

Written here because the library understands each line of a head before it writes it, which takes longer than all else that
is done for a mail. What this writes it has to read again: the tests let it.
"""

import hashlib
from base64 import encodebytes
from collections.abc import Mapping, Sequence
from email.header import Header
from email.quoprimime import body_encode
from typing import NamedTuple

LONGEST = 76                            # signs in a line
IDS = frozenset(("Message-ID", "In-Reply-To", "References", "List-Unsubscribe"))       # encoded ones would break threads


class Part(NamedTuple):
    """What is told of it, a line each; and its content in plain signs, each line of it with its end."""

    told: Sequence[str]
    content: str


def text(kind: str, said: str, *told: str) -> Part:
    """A text, in letters of any language."""
    lines = b"\n".join(said.encode().splitlines()).decode("latin-1")
    plain = body_encode(f"{lines}\n", LONGEST, "\r\n")
    return Part((f"Content-Type: {kind}; charset=\"utf-8\"", "Content-Transfer-Encoding: quoted-printable", *told), plain)


def picture(name: str, data: bytes) -> Part:
    """A picture that the page beside it shows."""
    return Part(("Content-Type: image/png", "Content-Transfer-Encoding: base64", f"Content-ID: <{name}@pbem>",
                 f"Content-Disposition: inline; filename=\"{name}.png\""), encodebytes(data).decode().replace("\n", "\r\n"))


def several(kind: str, parts: Sequence[Part]) -> Part:
    """Parts as one; a single one is what it is. The sign between them can stand in no plain text."""
    if len(parts) == 1:
        return parts[0]
    line = f"=_{hashlib.sha256(''.join(one.content for one in parts).encode()).hexdigest()[:24]}"
    inside = "".join([f"--{line}\r\n{shown(one)}\r\n" for one in parts])
    return Part((f"Content-Type: {kind}; boundary=\"{line}\"",), f"{inside}--{line}--\r\n")


def shown(part: Part) -> str:
    return "".join([f"{line}\r\n" for line in part.told]) + "\r\n" + part.content


def mail(head: Mapping[str, str], part: Part) -> bytes:
    """The whole of it."""
    told = "".join([told_of(name, value) for name, value in head.items()])
    return f"{told}MIME-Version: 1.0\r\n{shown(part)}".encode("ascii")


def told_of(name: str, value: str) -> str:
    """A line of the head: nothing in it begins another, whatever stands in it."""
    value = "".join([sign if sign.isprintable() else " " for sign in value])
    if name in IDS:
        value = "\r\n ".join(value.encode("ascii", "replace").decode().split())
    elif not value.isascii() or len(name) + len(value) + 2 > LONGEST:
        value = Header(value, None if value.isascii() else "utf-8", LONGEST - 2, name, errors="replace").encode(linesep="\r\n")
    return f"{name}: {value}\r\n"
