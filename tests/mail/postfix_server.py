"""A real Postfix in front of the tests' Dovecot: submission with STARTTLS and passwords that Dovecot judges, plus addresses.

Everything lives below one directory that is removed again; only root can start it. Mail comes in at one port of 127.0.0.1,
from the host and from the players alike, and goes straight into the maildirs of the Dovecot that stands beside it. Of the host
it strips nothing and adds what every server adds: Received, Return-Path, Delivered-To.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from imap_server import DovecotServer, empty_port

POSTFIX = "/usr/sbin/postfix"

MAIN = """
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
myhostname = mx.example.org
mydestination =
alias_maps =
mynetworks =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
maillog_file = {root}/log
maillog_file_prefixes = {root}
recipient_delimiter = +
virtual_mailbox_domains = example.org, example.com, example.net
virtual_mailbox_base = {mail}
virtual_mailbox_maps = inline:{{ {users} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_tls_cert_file = {cert}
smtpd_tls_key_file = {key}
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth}
smtpd_sender_login_maps = inline:{{ {logins} }}
smtpd_recipient_restrictions = reject_sender_login_mismatch, permit_sasl_authenticated, reject
smtpd_client_connection_count_limit = 0
smtpd_peername_lookup = no
"""
MASTER = """
{port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
{services}
"""
SERVICES = {
    "pickup": "60 1", "cleanup": "- 0", "qmgr": "300 1", "rewrite": "- -", "bounce": "- 0", "defer": "- 0", "trace": "- 0",
    "verify": "- 1", "flush": "1000? 0", "error": "- -", "retry": "- -", "virtual": "- -", "anvil": "- 1", "scache": "- 1",
    "tlsmgr": "1000? 1", "proxymap": "- -"}
PUBLIC = ("pickup", "cleanup", "qmgr", "flush")
PROGRAMS = {"rewrite": "trivial-rewrite", "defer": "bounce", "trace": "bounce", "retry": "error"}
PRIVILEGED = ("virtual",)


def is_there() -> bool:
    return Path(POSTFIX).exists() and os.getuid() == 0


class PostfixServer:
    """Postfix for the accounts of a Dovecot that was started with `auth_listener(port)` as its further settings."""

    host = "127.0.0.1"

    def __init__(self, imap: DovecotServer, auth_port: int) -> None:
        self.imap, self.auth_port = imap, auth_port

    def __enter__(self) -> Self:
        self.root = Path(tempfile.mkdtemp(prefix="pf-"))
        self.root.chmod(0o755)
        self.port = empty_port()
        for name in ("etc", "queue", "data"):
            (self.root / name).mkdir()
        shutil.chown(self.root / "data", "postfix")
        host = self.imap.maildir(next(iter(self.imap.users))).stat()
        (self.root / "etc" / "main.cf").write_text(MAIN.format(
            root=self.root, mail=self.imap.root / "mail", uid=host.st_uid, gid=host.st_gid, cert=self.imap.cafile,
            key=self.imap.root / "key.pem", auth=self.auth_port,
            users=", ".join(f"{{ {user} = {user}/Maildir/ }}" for user in self.imap.users),
            logins=", ".join(f"{{ {user} = {user} }}" for user in self.imap.users)))
        services = "\n".join(
            f"{name} unix {'n' if name in PUBLIC else '-'} {'n' if name in PRIVILEGED else '-'} n {more} "
            f"{PROGRAMS.get(name, name)}" for name, more in SERVICES.items())
        (self.root / "etc" / "master.cf").write_text(MASTER.format(port=self.port, services=services))
        self._do("start")
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection((self.host, self.port), timeout=2) as line:
                if line.recv(100).startswith(b"220"):
                    return self
            time.sleep(0.05)
        raise RuntimeError(f"postfix did not come up:\n{self.log()}")

    def __exit__(self, *problem: object) -> None:
        self._do("abort")
        shutil.rmtree(self.root, ignore_errors=True)

    def _do(self, what: str) -> None:
        done = subprocess.run([POSTFIX, "-c", str(self.root / "etc"), what], capture_output=True, text=True, check=False)
        if done.returncode and what == "start":
            raise RuntimeError(f"postfix: {done.stderr}{self.log()}")

    def log(self) -> str:
        path = self.root / "log"
        return path.read_text() if path.exists() else ""


def auth_listener(port: int, is_24: bool) -> str:
    """What Dovecot has to be told, so that it judges passwords for Postfix."""
    listener = f"inet_listener postfix {{\n    listen = 127.0.0.1\n    port = {port}\n  }}" if is_24 else (
        f"inet_listener {{\n    address = 127.0.0.1\n    port = {port}\n  }}")
    return f"\nservice auth {{\n  {listener}\n}}\n"
