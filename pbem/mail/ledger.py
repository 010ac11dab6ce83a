"""The ledger of a mailbox: what came, what became of it. Made anew at any time from the logs and the raw mails.

Raw mails lie one after the other in a file for each run, each behind a line that says where on the server it lay, what its
content is, when the server received it and how large it is: so nothing that the ledger says of its coming is only there.
What was applied stands in the logs of the games.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem.base import records
from pbem.base.clock import stamp
from pbem.base.folder import add_to, flush, write_whole
from pbem.mail.reading import Mail

RECEIVED = "received"
HELD = ("held", "quarantined", "confirm", "unclear")
HEAD = re.compile(
    rb"From pbem (?P<uidvalidity>\d+)-(?P<uid>\d+) (?P<id>[0-9a-f]{16}) (?P<at>\S{20}) (?P<size>\d+) (?P<length>\d+)\n")


class Row(NamedTuple):
    """A mail in the ledger: how it came, where its bytes lie, who sent it, what became of it."""

    id: str
    n: int = 0
    where: str = ""                     # the folder on the server, and its place there: of several copies the last
    uidvalidity: int = 0
    uid: int = 0
    file: str = ""                      # its bytes begin there at `begins`; of a giant they are only the head
    begins: int = 0
    length: int = 0
    at: str = ""                        # when the server received it
    size: int = 0                       # as the server tells it
    state: str = RECEIVED
    why: str = ""                       # it is in this state, for the moderator
    message_id: str = ""
    sender: str = ""
    subject: str = ""
    sort: str = ""                      # human, robot, bounce ...; nothing before somebody has looked
    game: str = ""
    seat: str = ""
    games: tuple[str, ...] = ()         # it speaks of several
    confirmed_by: str = ""              # the mail of its owner that says so
    seen: int = 1                       # copies of it that came

    def looked_at(self, mail: Mail) -> "Row":
        return self._replace(message_id=mail.message_id, sender=mail.from_, subject=mail.subject[:200], sort=mail.class_)


class Copy(NamedTuple):
    """Where on the server a mail lies."""

    where: str
    uidvalidity: int
    uid: int


def ident(raw: bytes) -> str:
    """The name of a mail: the beginning of the digest of its bytes."""
    return hashlib.sha256(raw).hexdigest()[:16]


class Ledger:
    """A line per thing that happened to a mail; the last word counts. `settle` writes what was said since the last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.raw = folder / "raw"
        self.path = folder / "ledger.jsonl"
        self._file: Path | None = None              # to which raw mails are added
        self.forget()

    # --- reading ---------------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Only what is on the disk was said."""
        self.mails: dict[str, Row] = {}
        self.message_ids: dict[str, str] = {}
        self.copies: set[Copy] = set()
        self._lines: list[str] = []
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data[:data.rfind(b"\n") + 1]
        if whole != data:                       # killed in the middle of a line: it is written again
            write_whole(self.path, whole, 0o600)
        for text in whole.splitlines():
            line = records.parsed(text, str(self.path))
            if "from" in line:                  # so it was called once
                line["begins"] = line.pop("from")
            known = records.values(Row, line, str(self.path))
            self._learn(self.mails.get(line["id"], Row(line["id"], len(self.mails) + 1))._replace(**known))

    def _learn(self, row: Row) -> None:
        self.mails[row.id] = row
        self.copies.add(Copy(row.where, row.uidvalidity, row.uid))
        if row.message_id:
            self.message_ids.setdefault(row.message_id, row.id)

    def received(self) -> list[Row]:
        """What came and was not dealt with, in the order in which the server received it."""
        return sorted((row for row in self.mails.values() if row.state == RECEIVED), key=lambda row: (row.at, row.uid))

    def held(self) -> list[Row]:
        """What is for the moderator to decide, or for its sender to confirm."""
        return [row for row in self.mails.values() if row.state in HELD]

    def find(self, name: str) -> Row | None:
        """A mail by its number or by the beginning of its id."""
        exact = [row for row in self.mails.values() if str(row.n) == name]
        found = exact or [row for id, row in self.mails.items() if id.startswith(name)]
        return found[0] if len(found) == 1 else None

    def bytes_of(self, row: Row) -> bytes:
        handle = os.open(self.raw / row.file, os.O_RDONLY)
        try:
            return os.pread(handle, row.length, row.begins)
        finally:
            os.close(handle)

    # --- writing ---------------------------------------------------------------------------------------------------

    def receive(self, copy: Copy, raw: bytes, received: datetime, size: int) -> Row | None:
        """Keep a mail before anything on the server changes; None if its content is known. `settle` makes it last."""
        id = ident(raw)
        if id in self.mails:
            self.put(self.mails[id]._replace(**copy._asdict(), seen=self.mails[id].seen + 1))
            return None
        if self._file is None:
            self.raw.mkdir(parents=True, exist_ok=True)
            self._file = self.raw / f"{copy.uidvalidity}-{copy.uid}-{id}.mbox"
            self._file.unlink(missing_ok=True)      # of a run that was killed before the ledger knew of it
            self._at = 0
        head = f"From pbem {copy.uidvalidity}-{copy.uid} {id} {stamp(received)} {size} {len(raw)}\n".encode()
        add_to(self._file, head + raw + b"\n", 0o600)
        row = Row(id, **copy._asdict(), file=self._file.name, begins=self._at + len(head), length=len(raw),
                  at=stamp(received), size=size)
        self._at += len(head) + len(raw) + 1
        return self.put(row)

    def put(self, row: Row) -> Row:
        """What is known of a mail by now; what is new in it becomes a line."""
        before = self.mails.get(row.id, Row(""))
        row = row._replace(n=before.n or len(self.mails) + 1)
        changed = {name: value for name, value, known in zip(Row._fields, row, before, strict=True)
                   if value != known and name != "n"}
        if changed:
            self._lines.append(json.dumps({"id": row.id, **changed}, ensure_ascii=False, separators=(",", ":")))
            self._learn(row)
        return row

    def settle(self) -> None:
        """Mails that were kept are on the disk, and then what was said of them and of others: all of it with two flushes."""
        if self._file is not None:
            flush(self._file)
            flush(self.raw)
            self._file = None
        if self._lines:
            self.folder.mkdir(parents=True, exist_ok=True)
            add_to(self.path, "".join([line + "\n" for line in self._lines]).encode(), 0o600)
            flush(self.path)
            self._lines.clear()


def rebuild(
    folder: Path, where: str, began: str, known: Mapping[str, tuple[str, str]], understood: Callable[[bytes], Mail]
) -> Ledger:
    """A ledger from the raw mails; `known` tells by id what became of the mails that stand in a game, and in which.

    Of the others those are dealt with again that anything human may still have to be said to; what was held comes before the
    moderator once more.
    """
    (folder / "ledger.jsonl").unlink(missing_ok=True)
    ledger = Ledger(folder)
    for row in sorted(_raw(ledger.raw), key=lambda one: (one.uidvalidity, one.uid)):
        state, game = known.get(row.id, ("old" if row.at < began else RECEIVED, ""))
        ledger.put(row._replace(where=where, state=state, game=game).looked_at(understood(ledger.bytes_of(row))))
    ledger.settle()
    return ledger


def _raw(folder: Path) -> Iterator[Row]:
    """Every raw mail that is whole. A file of a run that was killed ends with a part of one."""
    for path in folder.glob("*.mbox"):
        with path.open("rb") as stream:
            while found := HEAD.fullmatch(stream.readline(200)):
                id, begins, length = found["id"].decode(), stream.tell(), int(found["length"])
                if ident(stream.read(length)) == id:
                    yield Row(id, uidvalidity=int(found["uidvalidity"]), uid=int(found["uid"]), file=path.name, begins=begins,
                              length=length, at=found["at"].decode(), size=int(found["size"]))
                stream.seek(begins + length + 1)
