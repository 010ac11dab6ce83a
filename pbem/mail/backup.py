"""A copy of what nothing else holds: the private files of the games and the ledger, encrypted by the moderator's own program.

`backup: {file: /mnt/copy/pbem.backup, encrypt: "gpg --batch --encrypt -r ID", decrypt: "gpg --batch --decrypt"}` in mail.yaml:
both programs read what they are given and write what they make of it. A run that cannot make a copy says so and is done.
"""

import io
import shlex
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

from pbem.base.errors import PbemError
from pbem.base.folder import Lock, write_whole
from pbem.log import gamelog
from pbem.mail.config import Config
from pbem.mail.outbox import KEY

PATIENCE = 120
LEDGER = ("ledger.jsonl", "state.json")
MAILBOX = "mailbox"


def copy(config: Config, games: Iterable[Path]) -> Path | None:
    """After a run: a new copy takes the place of the last one; None if no copy is wanted."""
    wanted = config.data.get("backup")
    if not wanted:
        return None
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as packet:
        for place in games:
            if (place / gamelog.PRIVATE).exists():
                packet.add(place / gamelog.PRIVATE, f"{name_of(place)}/{gamelog.PRIVATE}")
        for name in LEDGER:
            if (config.folder / name).exists():
                packet.add(config.folder / name, f"{MAILBOX}/{name}")
    target = config.path.parent / Path(str(wanted.get("file") or "pbem.backup")).expanduser()
    write_whole(target, through(str(wanted.get("encrypt") or ""), data.getvalue()), 0o600)
    return target


def restore(config: Config, games: Iterable[Path], source: Path) -> list[Path]:
    """What is missing is brought back; what is there is never overwritten."""
    wanted = config.data.get("backup") or {}
    command = str(wanted.get("decrypt") or "")
    data = io.BytesIO(through(command, source.read_bytes()))
    targets = {f"{MAILBOX}/{name}": config.folder / name for name in LEDGER}
    targets |= {f"{name_of(place)}/{gamelog.PRIVATE}": place / gamelog.PRIVATE for place in games}
    made: list[Path] = []
    try:
        with tarfile.open(fileobj=data, mode="r:gz") as packet:
            for one in packet:
                target, stream = targets.get(one.name), packet.extractfile(one) if one.isfile() else None
                if target is None or stream is None or target.exists():
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                with Lock(target.parent):
                    write_whole(target, stream.read(), 0o600)
                made.append(target)
    except tarfile.TarError as problem:
        raise PbemError("backup_failed", command=command, what=str(problem)) from problem
    return made


def name_of(place: Path) -> str:
    return KEY.sub("_", place.absolute().name)


def through(command: str, data: bytes) -> bytes:
    """What a program makes of these bytes; nothing is ever written that it has not made."""
    if not command:
        raise PbemError("backup_no_command")
    try:
        done = subprocess.run(shlex.split(command), input=data, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired) as problem:
        raise PbemError("backup_failed", command=command, what=str(problem)) from problem
    if done.returncode or not done.stdout:
        what = " ".join(done.stderr.decode(errors="replace").split())[-300:] or f"exit {done.returncode}"
        raise PbemError("backup_failed", command=command, what=what)
    return done.stdout
