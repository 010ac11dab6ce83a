"""mail.yaml: server, account, folders, games. It holds no secret; it says where the secret is."""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from os.path import exists
from pathlib import Path
from typing import Any

from pbem.base import yamlfile
from pbem.base.errors import BadLog, PbemError
from pbem.base.folder import KEPT_OUT_OF_GIT, git_line, protect, write_whole

FILE = "mail.yaml"
# A key with what belongs to it, and the comments before it.
PART = re.compile(r"(?m)(?:^[ \t]*(?:#.*)?\n)*^(\w+):.*\n?(?:^[ \t-].*\n?)*")
PORTS = {("imap", "tls"): 993, ("imap", "starttls"): 143, ("smtp", "tls"): 465, ("smtp", "starttls"): 587}
KNOWN = frozenset(
    ("address", "name", "imap", "smtp", "secret", "games", "state", "moderator", "authserv", "limits", "cafile", "backup",
     "pictures", "pages"))
WEB = re.compile(r"https?://[^\s<>\"{}]+(?:\{game\}[^\s<>\"{}]*)?")
PATIENCE = 60                   # seconds for a command that prints a password or a token
LIMITS = {"mails": 200, "seconds": 300, "size": 1_000_000, "connect": 20, "read": 60}


def text(data: Mapping[str, Any], key: str, usual: str = "") -> str:
    """What is said under a key; nothing is as usual."""
    return str(data.get(key) or usual)


class Server:
    """One server: where it is and who logs in."""

    __slots__ = ("done", "folder", "host", "port", "tls", "user")

    def __init__(self, kind: str, data: object, file: str) -> None:
        if not isinstance(data, Mapping):
            raise BadLog("server_incomplete", file=file, kind=kind)
        self.host = text(data, "host")
        self.user = text(data, "user")
        self.tls = text(data, "tls", "tls" if kind == "imap" else "starttls")
        port = text(data, "port", str(PORTS.get((kind, self.tls), "")))
        if not self.host or (kind, self.tls) not in PORTS or not port.isdecimal():
            raise BadLog("server_incomplete", file=file, kind=kind)
        self.port = int(port)
        self.folder = text(data, "folder", "INBOX")
        self.done = text(data, "done")


class Config:
    """What mail.yaml says."""

    __slots__ = ("address", "authserv", "cafile", "data", "folder", "imap", "limits", "moderator", "name", "pages", "path",
                 "pictures", "smtp")

    def __init__(self, data: Mapping[str, Any], path: Path) -> None:
        file = str(path)
        for key in data:
            if key not in KNOWN:
                raise BadLog("unknown_setting", file=file, found=key)
        self.path = path
        self.data = data
        self.address = text(data, "address")
        if self.address.count("@") != 1 or any(sign.isspace() or sign in "<>,;\"" for sign in self.address):
            raise BadLog("no_plain_address", file=file)
        self.name = text(data, "name", "pbem")
        self.imap = Server("imap", data.get("imap"), file)
        self.smtp = Server("smtp", data.get("smtp"), file)
        self.moderator = text(data, "moderator")
        self.authserv = text(data, "authserv")
        self.cafile = text(data, "cafile")
        self.pictures = str(data.get("pictures", "yes")) != "no"
        self.pages = text(data, "pages")                    # where the pages of games lie, with {game} for the name of one
        if self.pages and not WEB.fullmatch(self.pages):
            raise BadLog("no_web_address", file=file)
        self.limits: dict[str, int] = {**LIMITS, **{key: int(value) for key, value in (data.get("limits") or {}).items()}}
        self.folder = path.parent / text(data, "state", "mailbox")

    def page(self, game: str) -> str:
        """Where the page of a game lies, if it does anywhere."""
        return self.pages.replace("{game}", game)

    @property
    def domain(self) -> str:
        return self.address.partition("@")[2].casefold()

    def plus(self, tag: str) -> str:
        """The account's address with a tag that comes back with the answer."""
        local, _, domain = self.address.partition("@")
        return f"{local}+{tag}@{domain}"

    def games(self, chosen: tuple[Path, ...] = ()) -> list[Path]:
        """The folders of the games that are played through this mailbox."""
        if chosen:
            return [one if one.is_dir() else one.parent for one in chosen]
        found: list[Path] = []
        for pattern in self.data.get("games") or ["games/*"]:
            folders = sorted(self.path.parent.glob(str(pattern)), key=str)
            found += [one for one in folders if exists(f"{one}/game.yaml")]     # noqa: PTH110 - asked of many
        return list(dict.fromkeys(found))

    @property
    def beside(self) -> list[str]:
        """What lies beside this file by names of its own, and is nobody else's business."""
        named = [self.data.get("state"), *((self.data.get(key) or {}).get("file") for key in ("secret", "backup"))]
        paths = ((self.path.parent / Path(str(one)).expanduser()).resolve() for one in named if one)
        home = self.path.parent.resolve()
        return [git_line(str(one.relative_to(home))) for one in paths if one.is_relative_to(home) and one != home]

    @property
    def is_oauth(self) -> bool:
        """Does the secret's command print a token, made anew for each login?"""
        return bool((self.data.get("secret") or {}).get("kind") == "oauth")

    def secret(self) -> str:
        """Password or token, from where the file says it is; never printed, never kept."""
        said = self.data.get("secret") or {}
        if name := said.get("env"):
            found = os.environ.get(str(name), "")
        elif name := said.get("file"):
            found = _guarded(self.path.parent / Path(str(name)).expanduser())
        elif name := said.get("command"):
            found = _output(str(name), self.path.parent)
        elif name := said.get("keyring"):
            found = _from_keyring(str(name), self.imap.user)
        else:
            raise BadLog("secret_nowhere", file=str(self.path))
        if not found:
            raise PbemError("mail_no_secret", where=str(name))
        return found


def _guarded(path: Path) -> str:
    """A secret in a file that others can read is no secret."""
    if not path.exists():
        return ""
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise PbemError("mail_secret_open", file=str(path))
    return path.read_text().strip()


def _output(command: str, folder: Path) -> str:
    """What a command prints; what it complains of is told, for it knows best."""
    import shlex
    import subprocess

    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=folder)
    except subprocess.TimeoutExpired:
        raise PbemError("mail_secret_slow", command=command, seconds=PATIENCE) from None
    except (OSError, ValueError) as problem:
        raise PbemError("mail_secret_command", command=command, what=str(problem)) from problem
    if done.returncode or not done.stdout.strip():
        what = " ".join(done.stderr.split())[-300:] or f"exit {done.returncode}"
        raise PbemError("mail_secret_command", command=command, what=what)
    return done.stdout.strip()


def _from_keyring(service: str, user: str) -> str:
    """From the keyring of the desktop, if the package is installed."""
    try:
        import keyring
    except ImportError:
        raise PbemError("mail_no_keyring") from None
    return str(keyring.get_password(service, user) or "")


def find(given: Path | None = None) -> Path:
    """The configuration: named, from the environment, or here or above."""
    if given is not None:
        return given / FILE if given.is_dir() else given
    if named := os.environ.get("PBEM_MAIL"):
        return Path(named)
    return next((folder / FILE for folder in _upwards(Path.cwd()) if (folder / FILE).exists()), Path(FILE))


def _upwards(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.parents


def read(given: Path | None = None) -> Config:
    path = find(given)
    if not path.exists():
        raise PbemError("mail_not_set_up", file=str(path))
    said = yamlfile.load(path) or {}
    if not isinstance(said, Mapping):
        raise BadLog("no_mapping", file=str(path), line=1)
    return Config(said, path)


def write(path: Path, data: Mapping[str, Any]) -> Config:
    """Checked before it is written; there is nothing secret in it."""
    made = Config(data, path)
    protect(path.parent, (*KEPT_OUT_OF_GIT, *made.beside))
    write_whole(path, text_of(data, path).encode(), 0o600)
    return made


def text_of(data: Mapping[str, Any], path: Path) -> str:
    """What the file is to say: of one that is there the parts that stay as they are, with all comments."""
    before = path.read_text() if path.exists() else ""
    parts = {found[1]: found[0] for found in PART.finditer(before)}
    said = yamlfile.parse(before, str(path)) or {}
    head = before[:next((found.start() for found in PART.finditer(before)), 0)]
    return head + "".join(
        parts[key] if key in parts and said.get(key) == value
        else remarks(parts.get(key, "")) + yamlfile.dump_file({key: value}) for key, value in data.items())


def remarks(part: str) -> str:
    """The comments before and inside of a part that is written anew."""
    return "".join(line.lstrip() for line in part.splitlines(keepends=True) if line.lstrip().startswith("#"))
