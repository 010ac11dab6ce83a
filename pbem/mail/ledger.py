"""The ledger of a mailbox: what came, what became of it. Made anew at any time from the logs and the raw mails.

Raw mails lie one after the other in a file for each run, each behind a line that says where on the server it lay, what its
content is, when the server received it and how large it is: so nothing that the ledger says of its coming is only there.
What was applied stands in the logs of the games.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.base.clock import stamp
from pbem.base.folder import add_to, flush, write_whole

OPEN = "received"
HELD = ("held", "quarantined", "confirm")
HEAD = re.compile(
    rb"From pbem (?P<uidvalidity>\d+)-(?P<uid>\d+) (?P<id>[0-9a-f]{16}) (?P<at>\S{20}) (?P<size>\d+) (?P<length>\d+)\n")

Line = dict[str, Any]


def ident(raw: bytes) -> str:
    """The name of a mail: the beginning of the digest of its bytes."""
    return hashlib.sha256(raw).hexdigest()[:16]


class Ledger:
    """A line per thing that happened to a mail; the last word counts. `settle` writes what was said since the last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.raw = folder / "raw"
        self.path = folder / "ledger.jsonl"
        self._kept: Path | None = None              # the file to which raw mails are added
        self.forget()

    # --- reading ---------------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Only what is on the disk was said."""
        self.mails: dict[str, Line] = {}
        self.message_ids: dict[str, str] = {}
        self.copies: set[tuple[str, int, int]] = set()
        self._said: list[Line] = []
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data[:data.rfind(b"\n") + 1]
        if whole != data:                       # killed in the middle of a line: it is written again
            write_whole(self.path, whole, 0o600)
        for text in whole.splitlines():
            self._learn(json.loads(text))

    def _learn(self, line: Line) -> None:
        mail = self.mails.setdefault(line["id"], {"n": len(self.mails) + 1})
        mail.update(line)
        if "uid" in line:
            self.copies.add((line["where"], line["uidvalidity"], line["uid"]))
        if line.get("message_id"):
            self.message_ids.setdefault(line["message_id"], line["id"])

    def waiting(self) -> list[Line]:
        """What came and was not dealt with, in the order in which the server received it."""
        return sorted((mail for mail in self.mails.values() if mail["state"] == OPEN), key=lambda one: (one["at"], one["uid"]))

    def held(self) -> list[Line]:
        """What waits for the moderator, or for its sender to confirm."""
        return [mail for mail in self.mails.values() if mail["state"] in HELD]

    def find(self, name: str) -> Line | None:
        """A mail by its number or by the beginning of its id."""
        found = [mail for id, mail in self.mails.items() if id.startswith(name) or str(mail["n"]) == name]
        exact = [mail for mail in found if str(mail["n"]) == name]
        return exact[0] if exact else found[0] if len(found) == 1 else None

    def bytes_of(self, mail: Mapping[str, Any]) -> bytes:
        with (self.raw / str(mail["file"])).open("rb") as stream:
            stream.seek(mail["from"])
            return stream.read(mail["length"])

    # --- writing ---------------------------------------------------------------------------------------------------

    def receive(self, where: str, uidvalidity: int, uid: int, raw: bytes, received: datetime, size: int) -> str | None:
        """Keep a mail before anything on the server changes; None if its content is known. `settle` makes it last."""
        id = ident(raw)
        copy: Line = {"id": id, "where": where, "uidvalidity": uidvalidity, "uid": uid}
        if id in self.mails:
            self.write({**copy, "seen": self.mails[id].get("seen", 1) + 1})
            return None
        if self._kept is None:
            self.raw.mkdir(parents=True, exist_ok=True)
            self._kept = self.raw / f"{uidvalidity}-{uid}-{id}.mbox"
            self._kept.unlink(missing_ok=True)      # of a run that was killed before the ledger knew of it
            self._at = 0
        head = f"From pbem {uidvalidity}-{uid} {id} {stamp(received)} {size} {len(raw)}\n".encode()
        add_to(self._kept, head + raw + b"\n", 0o600)
        self.write({**copy, "state": OPEN, "file": self._kept.name, "from": self._at + len(head), "length": len(raw),
                    "at": stamp(received), "size": size})
        self._at += len(head) + len(raw) + 1
        return id

    def note(self, id: str, state: str, **more: Any) -> None:
        """What became of a mail."""
        self.write({"id": id, "state": state, **more})

    def also(self, id: str, **more: Any) -> None:
        """Something learnt about a mail that changes nothing of its state."""
        self.write({"id": id, **more})

    def write(self, line: Line) -> None:
        self._said.append(line)
        self._learn(line)

    def settle(self) -> None:
        """Mails that were kept are on the disk, and then what was said of them and of others: all of it with two flushes."""
        if self._kept is not None:
            flush(self._kept)
            flush(self.raw)
            self._kept = None
        if self._said:
            self.folder.mkdir(parents=True, exist_ok=True)
            lines = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in self._said]
            add_to(self.path, "".join([line + "\n" for line in lines]).encode(), 0o600)
            flush(self.path)
            self._said.clear()


def rebuild(
    folder: Path, where: str, began: str, taken: Mapping[str, tuple[str, str]], understood: Callable[[bytes], Any]
) -> Ledger:
    """A ledger from the raw mails; `taken` tells by id what became of the mails that stand in a game, and in which.

    Of the others those are dealt with again that anything human may still have to be said to; what was held comes before the
    moderator once more.
    """
    (folder / "ledger.jsonl").unlink(missing_ok=True)
    ledger = Ledger(folder)
    for line in sorted(_kept(ledger.raw), key=lambda one: (one["uidvalidity"], one["uid"])):
        mail = understood(ledger.bytes_of(line))
        id, at = line["id"], line["at"]
        told = {"message_id": mail.message_id, "sender": mail.from_, "subject": mail.subject[:200], "sort": mail.class_}
        ledger.write({"id": id, "where": where, "state": OPEN, **line, **told})
        if id in taken:
            ledger.note(id, taken[id][0], game=taken[id][1])
        elif at < began:
            ledger.note(id, "old")
    ledger.settle()
    return ledger


def _kept(folder: Path) -> Iterator[Line]:
    """Every raw mail that is whole. A file of a run that was killed ends with a part of one."""
    for path in folder.glob("*.mbox"):
        with path.open("rb") as stream:
            while found := HEAD.fullmatch(stream.readline(200)):
                start, length = stream.tell(), int(found["length"])
                if ident(stream.read(length)) == found["id"].decode():
                    yield {"id": found["id"].decode(), "uidvalidity": int(found["uidvalidity"]), "uid": int(found["uid"]),
                           "file": path.name, "from": start, "length": length, "at": found["at"].decode(),
                           "size": int(found["size"])}
                stream.seek(start + length + 1)
