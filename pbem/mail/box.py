"""The mailbox on the server: IMAP over TLS, by UID, one mail at a time, never without a time-out."""

import ssl
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, NamedTuple, Self, cast

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from pbem.base.clock import now
from pbem.base.errors import PbemError
from pbem.mail.config import Config

LOST = (IMAPClientError, OSError)           # all three ways in which a connection shows that it is gone
KEYWORD = "$PbemDone"
HEAD = 65_536                               # what is fetched of a mail that is too large to be read
RECONNECTS = 6
TOGETHER = 200                              # mails of which the facts or the heads are asked for at once
# Of each head what tells whom a mail may be from; a list of addressees may be long.
ADDRESSED = "BODY.PEEK[HEADER.FIELDS (FROM TO CC DELIVERED-TO X-ORIGINAL-TO IN-REPLY-TO REFERENCES)]<0.16384>"
TRIES = 2                                   # of one mail: a server may hang up over one and give all the others
UNKNOWN = -1                                # the size of a mail of which the server tells nothing
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)         # and when it came: nobody can say that it was too late


class Listed(NamedTuple):
    """A mail that lies on the server."""

    uid: int
    size: int
    received: datetime


def tls(config: Config) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=config.cafile)


class Box:
    """A session with the folder opened. After a lost connection `again` builds a new one."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.uidvalidity = 0
        self.uidnext = 0
        self._client: Any = None
        self._losses = 0

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self._drop(clean=kind is None)

    def _open(self) -> None:
        server, limits = self.config.imap, self.config.limits
        secret = self.config.secret()
        wait = SocketTimeout(connect=limits["connect"], read=limits["read"])
        try:
            client = IMAPClient(server.host, server.port, ssl=server.tls == "tls", ssl_context=tls(self.config), timeout=wait)
            self._client = client
            if server.tls == "starttls":
                client.starttls(tls(self.config))
            client.normalise_times = False
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

    def listed(self, first: int, known: Container[int] = ()) -> list[Listed]:
        """What lies there from a UID on, oldest first. `n:*` always names the last one, so it is filtered."""
        try:
            listed: list[int] = self._client.search(["UID", f"{max(first, 1)}:*"])
        except LOST as problem:
            raise self._lost(problem) from problem
        uids = sorted(uid for uid in listed if uid >= first and uid not in known)
        found = dict(self._asked(uids, ["RFC822.SIZE", "INTERNALDATE"]))
        return [_listed(uid, found.get(uid)) for uid in uids]

    def heads(self, wanted: Sequence[Listed], seconds: float) -> Iterator[tuple[Listed, bytes | None]]:
        """Of each mail who wrote it to whom, in answer to what; None if that cannot be had, or not in this time."""
        until, found = time.monotonic() + seconds, self._asked([one.uid for one in wanted], [ADDRESSED])
        for one in wanted:
            facts = next(found)[1] if time.monotonic() < until else None
            yield one, next((value for key, value in (facts or {}).items() if key.startswith(b"BODY[")), None)

    def _asked(self, uids: Sequence[int], what: Sequence[str]) -> Iterator[tuple[int, Mapping[bytes, Any] | None]]:
        """The same of many mails, many at a time; over which of them the server hangs up is found out one by one."""
        for start in range(0, len(uids), TOGETHER):
            some = uids[start:start + TOGETHER]
            try:
                found = self._client.fetch(some, what)
            except LOST as problem:
                self._again(problem)
                found = {uid: self._asked_of_one(uid, what) for uid in some}
            yield from ((uid, found.get(uid)) for uid in some)

    def _asked_of_one(self, uid: int, what: Sequence[str]) -> Mapping[bytes, Any] | None:
        try:
            return cast(Mapping[bytes, Any] | None, self._client.fetch([uid], what).get(uid))
        except LOST as problem:
            self._again(problem)
            return None

    def fetch(self, wanted: Iterable[Listed], largest: int) -> Iterator[tuple[Listed, bytes | None]]:
        """Each mail as it came, one at a time; None for one that is gone or cannot be had. Of a giant only its head."""
        for one in wanted:
            raw: bytes | None = None
            for _ in range(TRIES if one.size != UNKNOWN else 0):
                try:
                    raw = self._body(one, largest)
                    break
                except LOST as problem:
                    self._again(problem)
            yield one, raw

    def _again(self, problem: BaseException) -> None:
        """A new session after a lost one, a few times in a run."""
        self._losses += 1
        if self._losses > RECONNECTS:
            raise self._lost(problem) from problem
        self.again()

    def _lost(self, problem: BaseException) -> PbemError:
        return PbemError("mail_lost", server=self.config.imap.host, what=_said(problem))

    def _body(self, one: Listed, largest: int) -> bytes | None:
        part = f"BODY.PEEK[]<0.{HEAD}>" if one.size > largest else "BODY.PEEK[]"
        found: dict[bytes, Any] = self._client.fetch([one.uid], [part]).get(one.uid, {})
        return next((value for key, value in found.items() if key.startswith(b"BODY[")), None)

    def has_folder(self, name: str) -> bool:
        with suppress(*LOST):
            return bool(self._client.folder_exists(name))
        return False

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


def _listed(uid: int, facts: Mapping[bytes, Any] | None) -> Listed:
    if not facts:
        return Listed(uid, UNKNOWN, LONG_AGO)
    return Listed(uid, int(facts.get(b"RFC822.SIZE", UNKNOWN)), _moment(facts.get(b"INTERNALDATE")))


def _moment(found: object) -> datetime:
    if isinstance(found, datetime):
        return found.astimezone(UTC)
    return now()


def _said(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"[:200]
