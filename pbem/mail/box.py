"""The mailbox on the server: IMAP over TLS, by UID, one mail at a time, never without a time-out."""

import ssl
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, NamedTuple, Self

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from pbem.base.errors import PbemError
from pbem.mail.config import Config

LOST = (IMAPClientError, OSError)           # all three ways in which a connection shows that it is gone
KEYWORD = "$PbemDone"
HEAD = 65_536                               # what is fetched of a mail that is too large to be read
RECONNECTS = 6
TRIES = 2                                   # of one mail: a server may hang up over one and give all the others
UNKNOWN = -1                                # the size of a mail of which the server tells nothing


class Listed(NamedTuple):
    """A mail that lies on the server."""

    uid: int
    size: int
    received: datetime


def tls(config: Config) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=config.cafile or None)


class Box:
    """A session with the folder opened. After a lost connection `again` builds a new one."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.uidvalidity = 0
        self.uidnext = 0
        self._client: Any = None

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self._drop(clean=kind is None)

    def _open(self) -> None:
        server, limits = self.config.imap, self.config.limits
        wait = SocketTimeout(connect=limits["connect"], read=limits["read"])
        try:
            client = IMAPClient(server.host, server.port, ssl=server.tls == "tls", ssl_context=tls(self.config), timeout=wait)
            self._client = client
            if server.tls == "starttls":
                client.starttls(tls(self.config))
            client.normalise_times = False
            secret = self.config.secret()
            if self.config.is_oauth:
                client.oauth2_login(server.user, secret)
            else:
                client.login(server.user, secret)
            found = client.select_folder(server.folder)
        except LOST as problem:
            self._drop(clean=False)
            raise PbemError("mail_no_login", server=server.host, user=server.user, what=_said(problem)) from problem
        self.uidvalidity = int(found.get(b"UIDVALIDITY") or 0)
        self.uidnext = int(found.get(b"UIDNEXT") or 0)
        if not self.uidvalidity:
            self._drop(clean=False)
            raise PbemError("mail_no_uidvalidity", server=server.host, folder=server.folder)

    def _drop(self, *, clean: bool) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        with suppress(*LOST):
            client.logout() if clean else client.shutdown()

    def again(self) -> None:
        """The object of a lost connection is unusable: a new one, and the folder has to be the same."""
        before = self.uidvalidity
        self._drop(clean=False)
        self._open()
        if self.uidvalidity != before:
            raise PbemError("mail_no_uidvalidity", server=self.config.imap.host, folder=self.config.imap.folder)

    # --- reading ---------------------------------------------------------------------------------------------------

    def listed(self, first: int, most: int | None = None, known: Container[int] = ()) -> list[Listed]:
        """What lies there from a UID on, oldest first. `n:*` always names the last one, so it is filtered."""
        try:
            listed: list[int] = self._client.search(["UID", f"{max(first, 1)}:*"])
            uids = sorted(uid for uid in listed if uid >= first and uid not in known)[:most]
            found = self._client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE"]) if uids else {}
        except LOST as problem:
            raise PbemError("mail_lost", server=self.config.imap.host, what=_said(problem)) from problem
        facts = [(uid, found.get(uid, {})) for uid in uids]
        return [Listed(uid, int(one.get(b"RFC822.SIZE", UNKNOWN)), _moment(one.get(b"INTERNALDATE"))) for uid, one in facts]

    def fetch(self, wanted: Iterable[Listed], largest: int) -> Iterator[tuple[Listed, bytes | None]]:
        """Each mail as it came, one at a time; None for one that is gone or cannot be had. Of a giant only its head."""
        lost = 0
        for one in wanted:
            raw: bytes | None = None
            for _ in range(TRIES if one.size != UNKNOWN else 0):
                try:
                    raw = self._body(one, largest)
                    break
                except LOST as problem:
                    lost += 1
                    if lost > RECONNECTS:
                        raise PbemError("mail_lost", server=self.config.imap.host, what=_said(problem)) from problem
                    self.again()
            yield one, raw

    def _body(self, one: Listed, largest: int) -> bytes | None:
        part = f"BODY.PEEK[]<0.{HEAD}>" if one.size > largest else "BODY.PEEK[]"
        found: dict[bytes, Any] = self._client.fetch([one.uid], [part]).get(one.uid, {})
        return next((value for key, value in found.items() if key.startswith(b"BODY[")), None)

    # --- courtesy --------------------------------------------------------------------------------------------------

    def done(self, uids: list[int]) -> bool:
        """Say on the server that mails were dealt with. Nothing of ours depends on it."""
        if not uids:
            return True
        try:
            if self.config.imap.done:
                if self._client.has_capability("MOVE"):
                    self._client.move(uids, self.config.imap.done)
                else:
                    self._client.copy(uids, self.config.imap.done)
                    self._client.add_flags(uids, [b"\\Deleted"], silent=True)
                    if self._client.has_capability("UIDPLUS"):      # a plain EXPUNGE would take other people's deletions along
                        self._client.uid_expunge(uids)
            else:
                self._client.add_flags(uids, [KEYWORD], silent=True)
        except LOST:
            return False
        return True


def _moment(found: object) -> datetime:
    if isinstance(found, datetime):
        return found.astimezone(UTC)
    return datetime.now(UTC)


def _said(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"[:200]
