"""An IMAP server from the package index, for people who cannot install Dovecot: the same tests run on it.

pymap keeps Maildirs as Dovecot does, but speaks TLS only by STARTTLS and knows no bearer tokens: a door in front of it
offers TLS from the first byte, and turns a token that it has given out into a log-in.
"""

import base64
import contextlib
import hashlib
import itertools
import os
import secrets
import select
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

_serial = itertools.count(1)
RUN = "from pymap.main import main; main()"


class PymapServer:
    """What `DovecotServer` offers, as far as the tests use it."""

    host = "127.0.0.1"

    def __init__(self, users: dict[str, str]) -> None:
        self.users = users
        self.tokens: dict[str, str] = {}

    def __enter__(self) -> "PymapServer":
        self.root = Path(tempfile.mkdtemp(prefix="pm-"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", str(self.root / "key.pem"), "-out", str(self.root / "cert.pem")], check=True, capture_output=True)
        self.cafile = str(self.root / "cert.pem")
        base = self.root / "mail"
        base.mkdir()
        (base / "pymap-etc-passwd").write_text("".join(f"{user}:x::::{user}:\n" for user in self.users))
        (base / "pymap-etc-shadow").write_text(
            "".join(f"{user}:{hashed(password)}:::::::\n" for user, password in self.users.items())
        )
        (base / "pymap-etc-group").touch()
        for user in self.users:
            self.maildir(user)
        self.port = free_port()
        with (self.root / "log").open("wb") as log:
            self.proc = subprocess.Popen(
                [sys.executable, "-c", RUN, "--host", self.host, "--port", str(self.port), "--cert", self.cafile,
                 "--key", str(self.root / "key.pem"), "maildir", str(base)], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(500):
            with contextlib.suppress(OSError), socket.create_connection((self.host, self.port), timeout=2) as knock:
                if knock.recv(100).startswith(b"* OK"):
                    break
            time.sleep(0.02)
        else:
            raise RuntimeError((self.root / "log").read_text())
        self.door = TlsDoor(self)
        self.ssl_port = self.door.port
        return self

    def __exit__(self, *problem: object) -> None:
        self.door.close()
        self.proc.terminate()
        self.proc.wait(5)
        shutil.rmtree(self.root, ignore_errors=True)

    def maildir(self, user: str, mailbox: str = "INBOX") -> Path:
        path = self.root / "mail" / user
        if mailbox != "INBOX":
            path = path / f".{mailbox}"
        for sub in ("cur", "new", "tmp"):
            (path / sub).mkdir(parents=True, exist_ok=True)
        return path

    def deliver(self, user: str, raw: bytes, mailbox: str = "INBOX", *, received: float | None = None) -> None:
        path = self.maildir(user, mailbox)
        tmp = path / "tmp" / f"{next(_serial)}.P{os.getpid()}.localhost"
        tmp.write_bytes(raw.replace(b"\r\n", b"\n"))
        if received is not None:
            os.utime(tmp, (received, received))
        tmp.rename(path / "new" / tmp.name)

    def break_uidvalidity(self, user: str, mailbox: str = "INBOX") -> None:
        path = self.maildir(user, mailbox)
        (path / "dovecot-uidlist").write_text(f"3 V{int(time.time()) + 1000 + next(_serial)} N1 G{secrets.token_hex(16)}\r\n")

    def oauth_token(self, user: str, lifetime: int = 3600) -> str:
        made = secrets.token_hex(16)
        if lifetime > 0:
            self.tokens[made] = user
        return made


class TlsDoor:
    """TLS outside, plain inside."""

    def __init__(self, server: PymapServer) -> None:
        self.server = server
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(server.cafile, str(server.root / "key.pem"))
        self.sock = socket.create_server((server.host, 0))
        self.port = self.sock.getsockname()[1]
        self._closing = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                guest, _ = self.sock.accept()
            except OSError:
                return
            threading.Thread(target=self._relay, args=(guest,), daemon=True).start()

    def _relay(self, guest: socket.socket) -> None:
        with contextlib.suppress(OSError), guest, self.context.wrap_socket(guest, server_side=True) as safe, \
                socket.create_connection((self.server.host, self.server.port)) as inside:
            for one in (safe, inside):          # else each answer waits 40 ms for the last one to be acknowledged
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            tag = b""                           # of the log-in whose token is still to come
            while not self._closing.is_set():
                for source in [safe] if safe.pending() else select.select([safe, inside], [], [], 0.1)[0]:
                    data = source.recv(65536)
                    if not data:
                        return
                    if source is inside:
                        safe.sendall(data.replace(b" AUTH=PLAIN", b" AUTH=PLAIN AUTH=XOAUTH2"))
                    elif tag:
                        inside.sendall(tag + self._opened(data))
                        tag = b""
                    elif data.endswith(b" AUTHENTICATE XOAUTH2\r\n"):
                        tag = data.split()[0]
                        safe.sendall(b"+ \r\n")
                    else:
                        inside.sendall(data)

    def _opened(self, data: bytes) -> bytes:
        """A token that was given out becomes a log-in, any other one a wrong password."""
        told = base64.b64decode(data.strip()).decode()
        user, token = told.split("\x01")[0].removeprefix("user="), told.split("auth=Bearer ")[1].split("\x01")[0]
        password = self.server.users[user] if self.server.tokens.get(token) == user else "no"
        return f" LOGIN {user} {password}\r\n".encode()

    def close(self) -> None:
        self._closing.set()
        self.sock.close()


def hashed(password: str) -> str:
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), b"salt", 1)
    return f"$pbkdf2-sha256$1${base64.b64encode(b'salt').decode()}${base64.b64encode(digest).decode()}"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
