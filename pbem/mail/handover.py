"""A game goes to a substitute moderator: one packet with everything, and what is due when."""

import io
import json
import shutil
import tarfile
import zlib
from datetime import datetime
from pathlib import Path

from pbem.base import records
from pbem.base.errors import PbemError
from pbem.base.folder import Lock, protect, write_secret, write_whole
from pbem.base.language import fill
from pbem.desk import overview, showing
from pbem.desk.desk import Desk
from pbem.log import gamelog
from pbem.log.promise import lacks_private
from pbem.mail import config as configs
from pbem.mail.backup import through
from pbem.mail.ledger import Ledger
from pbem.mail.sentences import mailed

FILES = (gamelog.GAME, gamelog.PRIVATE, gamelog.OVERRIDES, gamelog.MIRROR)
LARGEST = 200_000_000


def pack(place: Path, output: Path, config: Path | None, now: datetime, passphrase: str = "") -> str:
    """Log, sealed secrets, outbox, mails and deadlines in one file that only its owner can read."""
    folder = gamelog.game_path(place).parent
    with Lock(folder):
        desk = Desk(folder, now=now)
        todo = deadlines(desk)
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w:gz") as packet:
            for name in FILES:
                if (folder / name).exists():
                    packet.add(folder / name, name)
            if (folder / "out").exists():
                packet.add(folder / "out", "out")
            for name, raw in mails(config, str(desk.game.header["game"])):
                _add(packet, f"mail/{name}", raw)
            _add(packet, "HANDOVER.txt", todo.encode())
            _add(packet, "head", desk.game.head().encode())
        packed = sealed(passphrase, "--symmetric", data.getvalue()) if passphrase else data.getvalue()
        write_secret(output, packed)
    said = mailed(showing.words(desk), "packed_without" if lacks_private(desk.game) else "packed", file=output)
    return f"{todo}\n{fill(said)}"


def sealed(passphrase: str, way: str, data: bytes) -> bytes:
    """A packet closed with a passphrase, or opened: whoever takes over needs GnuPG and the passphrase alone.

    GnuPG reads the passphrase in the first line of what it gets, and the packet behind it.
    """
    command = "gpg --batch --quiet --no-symkey-cache --pinentry-mode loopback --cipher-algo AES256 --passphrase-fd 0"
    return through(f"{command} {way}", passphrase.encode() + b"\n" + data)


def _add(packet: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o600
    packet.addfile(info, io.BytesIO(data))


def deadlines(desk: Desk) -> str:
    """What the substitute has to know first."""
    question, said = desk.match.question, showing.words(desk)
    game = desk.game
    lines = [mailed(said, "handover", game=game.header["game"], entries=len(game.entries), head=game.head())]
    if question is not None:
        lines.append(mailed(said, "handover_open", id=question.id, seats=question.sides, due=desk.match.due_of(question)))
    lines += [mailed(said, "handover_waiting", seat=seat, count=len(desk.waiting(seat)), held=desk.is_held(seat))
              for seat in desk.match.seats if desk.waiting(seat)]
    return "\n".join([*map(fill, lines), "", overview.status(desk)])


def mails(config: Path | None, game: str) -> list[tuple[str, bytes]]:
    """The raw mails of this game, and what the ledger says of them."""
    try:
        made = configs.read(config)
    except PbemError:
        return []
    ledger = Ledger(made.folder)
    own = [row for row in ledger.mails.values() if row.game == game and (ledger.raw / row.file).exists()]
    rows = "".join(json.dumps(records.plain(row), ensure_ascii=False) + "\n" for row in own)
    return [("ledger.jsonl", rows.encode()), *((f"raw/{row.file}", ledger.bytes_of(row)) for row in own)]


def unpack(packet: Path, folder: Path, passphrase: str = "") -> str:
    """Into a new or empty folder; the head of the log has to be the one that was packed."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise PbemError("handover_not_empty", folder=str(folder))
    try:
        raw = packet.read_bytes()
        return opened(packet, sealed(passphrase, "--decrypt", raw) if passphrase else raw, folder)
    except (tarfile.TarError, EOFError, OSError, ValueError, zlib.error, PbemError) as problem:
        for path in folder.iterdir():                   # nothing half-made stays behind
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if is_new:
            folder.rmdir()
        if isinstance(problem, PbemError):
            raise
        raise PbemError("handover_no_packet", file=str(packet)) from None


def opened(packet: Path, raw: bytes, folder: Path) -> str:
    protect(folder)
    head, size = "", 0
    with tarfile.open(fileobj=io.BytesIO(raw), mode="r:gz") as found:
        for one in found:
            parts = Path(one.name).parts
            if not one.isfile():
                continue
            size += one.size
            if Path(one.name).is_absolute() or ".." in parts or size > LARGEST:
                raise PbemError("handover_damaged", file=str(packet), what=one.name)
            stream = found.extractfile(one)
            data = stream.read() if stream is not None else b""
            if one.name == "head":
                head = data.decode()
                continue
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, data, 0o644 if one.name == gamelog.GAME else 0o600)
    if not head or gamelog.read_whole(folder).head() != head:
        raise PbemError("handover_damaged", file=str(packet), what="head")
    return (folder / "HANDOVER.txt").read_text()
