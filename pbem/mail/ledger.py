"""The ledger of a mailbox: what came, what became of it. Made anew at any time from the logs and the raw mails.

A raw mail is named by the place it had on the server and by its content, and carries the server's receive time: so
nothing that the ledger says of its coming is only there. What was applied stands in the logs of the games.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.folder import write_whole

OPEN = "received"
FEW, BATCH = 20, 200             # mails that are flushed one by one, and at most together
HELD = ("held", "quarantined", "confirm")
RAW = re.compile(r"(\d+)-(\d+)-([0-9a-f]{16})\.eml")

Line = dict[str, Any]


def ident(raw: bytes) -> str:
    """The name of a mail: the beginning of the digest of its bytes."""
    return hashlib.sha256(raw).hexdigest()[:16]


class Ledger:
    """A line per thing that happened to a mail; the last word counts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.raw = folder / "raw"
        self.path = folder / "ledger.jsonl"
        self.mails: dict[str, Line] = {}
        self.message_ids: dict[str, str] = {}
        self.copies: set[tuple[str, int, int]] = set()
        self._unsettled: list[tuple[Path, Path]] = []
        self._lines: list[Line] = []
        self._handle = -1
        self._load()

    # --- reading ---------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        if not self.path.exists():
            return
        data = self.path.read_bytes()
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
        return (self.raw / str(mail["file"])).read_bytes()

    # --- writing ---------------------------------------------------------------------------------------------------

    def receive(self, where: str, uidvalidity: int, uid: int, raw: bytes, received: datetime, size: int) -> str | None:
        """Keep a mail before anything on the server changes; None if its content is known. `settle` makes it last."""
        id = ident(raw)
        copy: Line = {"id": id, "where": where, "uidvalidity": uidvalidity, "uid": uid}
        if id in self.mails:
            self.settle()
            self.write({**copy, "seen": self.mails[id].get("seen", 1) + 1})
            return None
        self.raw.mkdir(parents=True, exist_ok=True)
        name = f"{uidvalidity}-{uid}-{id}.eml"
        fresh = self.raw / f".{name}.new"
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            view = memoryview(raw)
            while view:
                view = view[os.write(handle, view):]
            os.utime(handle, (received.timestamp(), received.timestamp()))
        finally:
            os.close(handle)
        self._unsettled.append((fresh, self.raw / name))
        self._lines.append({**copy, "state": OPEN, "file": name, "at": stamp(received), "size": size})
        self._learn(self._lines[-1])
        if len(self._unsettled) >= BATCH:
            self.settle()
        return id

    def note(self, id: str, state: str, **more: Any) -> None:
        """What became of a mail."""
        self.write({"id": id, "state": state, **more})

    def also(self, id: str, **more: Any) -> None:
        """Something learnt about a mail that changes nothing of its state."""
        self.write({"id": id, **more})

    def write(self, line: Line) -> None:
        if self._handle < 0:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        data = memoryview(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        while data:
            data = data[os.write(self._handle, data):]
        self._learn(line)

    def settle(self) -> None:
        """Mails that were written are on the disk, then have their names, then their lines in the ledger.

        Many at once are flushed together: one by one that would take longer than fetching them.
        """
        files, self._unsettled = self._unsettled, []
        lines, self._lines = self._lines, []
        if len(files) > FEW:
            os.sync()
        for fresh, final in files:
            if len(files) <= FEW:
                _flush(fresh)
            fresh.replace(final)
        if files:
            _flush(self.raw)
        for line in lines:
            self.write(line)
        if self._handle >= 0:
            os.fsync(self._handle)

    def close(self) -> None:
        if self._handle >= 0:
            self.settle()
            os.close(self._handle)
            self._handle = -1


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def rebuild(
    folder: Path, where: str, began: str, taken: Mapping[str, tuple[str, str]], understood: Callable[[bytes], Any]
) -> Ledger:
    """A ledger from the raw mails; `taken` tells by id what became of the mails that stand in a game, and in which.

    Of the others those are dealt with again that anything human may still have to be said to; what was held comes before the
    moderator once more.
    """
    (folder / "ledger.jsonl").unlink(missing_ok=True)
    ledger = Ledger(folder)
    for path, uidvalidity, uid, id in sorted(_kept(folder / "raw"), key=lambda one: (one[1], one[2])):
        raw = path.read_bytes()
        at = stamp(datetime.fromtimestamp(path.stat().st_mtime, UTC))
        mail = understood(raw)
        ledger.write(
            {
                "id": id,
                "where": where,
                "uidvalidity": uidvalidity,
                "uid": uid,
                "state": OPEN,
                "file": path.name,
                "at": at,
                "size": len(raw),
                "message_id": mail.message_id,
                "sender": mail.from_,
                "subject": mail.subject[:200],
                "sort": mail.class_,
            }
        )
        if id in taken:
            ledger.note(id, taken[id][0], game=taken[id][1])
        elif at < began:
            ledger.note(id, "old")
    ledger.settle()
    return ledger


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _kept(folder: Path) -> Iterator[tuple[Path, int, int, str]]:
    for path in folder.glob("*.eml") if folder.exists() else ():
        if (found := RAW.fullmatch(path.name)) and ident(path.read_bytes()) == found[3]:
            yield path, int(found[1]), int(found[2]), found[3]
