"""What can go wrong at a moment of a run: servers that hang up, hang or refuse, disks that are full, signals, kills.

A `Door` stands before a server and reads along: it fails at the n-th command of a run, in the way that it was told. A `Disk`
does the same to the writes of the process it haunts. Both count; what fails once fails at no other moment.
"""

import contextlib
import errno
import os
import resource
import signal
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

# What a door does with a command.
CUT, LOST, HANG, LATER, NEVER = "cut", "answer lost", "hang", "refused for now", "refused for good"
KILLED, SIGNALLED = "killed", "signalled"
FULL, LIMIT = "disk full", "size limit"
AT_SERVERS = (CUT, LOST, HANG, LATER, NEVER, KILLED, SIGNALLED)
AT_WRITES = (FULL, LIMIT, KILLED, SIGNALLED)
LONGEST = 10                    # seconds after which nobody waits for a guest any more


class Moment:
    """The n-th command or write, and what happens there. At 0 nothing does, and all are counted."""

    def __init__(self, what: str = "", at: int = 0) -> None:
        self.what, self.at = what, at
        self.names: list[str] = []
        self.victim = 0                         # the process that is killed or gets the signal
        self._lock = threading.Lock()

    def is_here(self, name: str) -> bool:
        with self._lock:
            self.names.append(name)
            return len(self.names) == self.at


class Door:
    """Stands before a server, and speaks TLS from the first byte on. Its guests find that server, until the moment has come."""

    def __init__(self, port: int, cert: str, key: str, replies: Callable[[bytes, bool], bytes], *, takes_mail: bool) -> None:
        self.behind, self.replies, self.takes_mail = port, replies, takes_mail
        self.moment = Moment()
        self._inner = ssl.create_default_context(cafile=cert)
        self._inner.check_hostname = False
        self._outer = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._outer.load_cert_chain(cert, key)
        self._sock = socket.create_server(("127.0.0.1", 0))
        self.port = self._sock.getsockname()[1]
        threading.Thread(target=self._open, daemon=True).start()

    def close(self) -> None:
        self._sock.close()

    def _open(self) -> None:
        while True:
            try:
                guest, _ = self._sock.accept()
            except OSError:
                return
            threading.Thread(target=self._host, args=(guest,), daemon=True).start()

    def _host(self, guest: socket.socket) -> None:
        guest.settimeout(LONGEST)
        with (contextlib.suppress(OSError, EOFError), guest, self._outer.wrap_socket(guest, server_side=True) as line,
              socket.create_connection(("127.0.0.1", self.behind), timeout=LONGEST) as raw):
            bare = raw.makefile("rb", buffering=0)
            for word in (b"", b"EHLO door\r\n", b"STARTTLS\r\n") if self.takes_mail else ():
                self._answer(word, raw, bare, b"")
            with self._inner.wrap_socket(raw, server_hostname="localhost") as server:
                self._serve(line, server)

    def _serve(self, guest: socket.socket, server: socket.socket) -> None:
        said, heard = guest.makefile("rb"), server.makefile("rb")
        moment = self.moment
        self._passed(moment, "greeting", b"", guest, server, heard, b"* ", b"220 door\r\n" if self.takes_mail else b"")
        while line := said.readline():
            text = line
            if self.takes_mail and line.upper().startswith(b"DATA"):
                if not self._passed(moment, "DATA", b"", guest, server, heard, b"", b"354 go on\r\n"):
                    continue
                while line and line != b".\r\n":
                    line = said.readline()
                    text += line
                self._passed(moment, "a mail", text, guest, server, heard, b"")
            else:
                words = line.split()
                name = words[0] if self.takes_mail else b" ".join(words[1:3] if words[1:2] == [b"UID"] else words[1:2])
                self._passed(moment, name.decode(), line, guest, server, heard, words[0] + b" ")

    def _passed(self, moment: Moment, name: str, text: bytes, guest: socket.socket, server: socket.socket, heard: Any,
                tag: bytes, own: bytes = b"") -> bool:
        """A command goes through, and its answer comes back; or not. `own` is what the door itself says to it."""
        what = moment.what if moment.is_here(name) else ""
        if what == CUT:
            raise EOFError
        if what in (LATER, NEVER):
            guest.sendall(self.replies(tag, what == LATER))
            return False
        if what == KILLED:
            os.kill(moment.victim, signal.SIGKILL)
        if what == SIGNALLED:
            os.kill(moment.victim, signal.SIGINT)
        if what in (KILLED, SIGNALLED, HANG):
            while guest.recv(1000):             # until the guest has gone
                pass
            raise EOFError
        answer = own or self._answer(text, server, heard, tag)
        if what == LOST:
            guest.sendall(answer[:len(answer) // 2])
            raise EOFError
        guest.sendall(answer)
        return True

    def _answer(self, text: bytes, server: socket.socket, heard: Any, tag: bytes) -> bytes:
        """All that the server says to a command, to the line that ends it."""
        if self.takes_mail and text.upper().startswith(b"DATA"):
            head, _, mail = text.partition(b"\r\n")
            server.sendall(head + b"\r\n")
            heard.readline()
            text = mail
        if text:
            server.sendall(text)
        found = b""
        while line := heard.readline():
            found += line
            if line[3:4] == b" " if self.takes_mail else line.startswith(tag):
                return found
            while not self.takes_mail and line.rstrip().endswith(b"}"):         # so many bytes follow, then the line goes on
                found += heard.read(int(line.rpartition(b"{")[2].rstrip(b"}\r\n")))
                line = heard.readline()
                found += line
        raise EOFError


def imap_replies(tag: bytes, is_for_now: bool) -> bytes:
    if tag == b"* ":
        return b"* BYE " + (b"[UNAVAILABLE] try later" if is_for_now else b"[CONTACTADMIN] no") + b"\r\n"
    return tag + (b"NO [UNAVAILABLE] try later" if is_for_now else b"NO [CANNOT] no") + b"\r\n"


def smtp_replies(tag: bytes, is_for_now: bool) -> bytes:
    return b"451 4.3.0 try later\r\n" if is_for_now else b"554 5.7.1 refused\r\n"


class Disk:
    """The disk of the process that it haunts; from the moment on it is full, or files stay small."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self._is_full = False

    def haunt(self) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._write, self._open = os.write, os.open
        os.write, os.open = self.write, self.open
        for owner, names in ((os, ("fsync", "sync", "pwrite")), (Path, ("replace", "unlink", "mkdir"))):
            for name in names:
                setattr(owner, name, self._before(getattr(owner, name), name))

    def write(self, target: int, data: Any) -> int:
        if self._is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        if not self.moment.is_here("write"):
            return self._write(target, data)
        if self.moment.what == LIMIT:           # for this and all other files, as `ulimit -f` does
            size = os.fstat(target).st_size + len(data) // 2
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
            return self._write(target, data)
        self._write(target, bytes(data)[:len(data) // 2])
        self._fail()
        return 0

    def open(self, path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & os.O_CREAT:
            self._strike("open")
        return self._open(path, flags, *more, **named)

    def _before(self, function: Any, name: str) -> Any:
        def haunted(*args: Any, **more: Any) -> Any:
            self._strike(name)
            return function(*args, **more)
        return haunted

    def _strike(self, name: str) -> None:
        if self._is_full and name not in ("unlink", "sync"):
            raise OSError(errno.ENOSPC, "No space left on device")
        if not self._is_full and self.moment.is_here(name):
            self._fail()

    def _fail(self) -> None:
        match self.moment.what:
            case "killed":
                os._exit(9)
            case "signalled":
                os.kill(os.getpid(), signal.SIGINT)
            case "disk full":
                self._is_full = True
                raise OSError(errno.ENOSPC, "No space left on device")
