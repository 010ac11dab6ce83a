"""A game of four that is played by mail, for tests: each has a mailbox, the host has one, time is set by hand."""

import email
import email.policy
import itertools
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from typing import Any

from imap_server import DOVECOT, DovecotServer
from pymap_server import PymapServer
from small_game import HANDS, MARCH, NOON, header
from smtp_server import SmtpSink

from pbem.base.clock import moment, stamp
from pbem.base.folder import Lock
from pbem.chance import scheme
from pbem.desk import tray as trays
from pbem.desk.desk import Desk
from pbem.desk.tray import Cards, Tray, promised
from pbem.log import gamelog
from pbem.mail import config, loop, outbox, sending, way
from pbem.mail.desk import MailDesk
from pbem.mail.ledger import Copy, Ledger
from pbem.mail.outbox import Item, Outbox
from pbem.mail.run import MAILBOX_OUT, Run, Summary

HOST = "host@example.org"
PASSWORD = "sarissa-under-the-bed"            # of every account; found nowhere by chance, where it must not stand
PEOPLE = {"red": "anna@example.com", "blue": "bruno@example.com", "yellow": "chiara@example.com", "black": "dora@example.com"}
_number = itertools.count(1)


def settings(where: Path, **more: str) -> config.Config:
    """The mailbox of a host whose servers nobody asks."""
    server = {"host": "localhost", "user": HOST}
    return config.Config({"address": HOST, "imap": server, "smtp": server, "pictures": "no", **more}, where / "mail.yaml")


def imap_server() -> DovecotServer | PymapServer:
    """Dovecot if it is there, else pymap; with an account for the host and for each player."""
    users = dict.fromkeys((HOST, *PEOPLE.values()), PASSWORD)
    wanted = os.environ.get("PBEM_IMAP", "dovecot" if Path(DOVECOT).exists() else "pymap")
    return DovecotServer(users) if wanted == "dovecot" else PymapServer(users)


class Table:
    """Folder, servers and clock of a game played by mail."""

    def __init__(self, folder: Path, imap: DovecotServer, smtp: SmtpSink) -> None:
        self.folder, self.imap, self.smtp = folder, imap, smtp
        self.now = NOON
        self._read: dict[Path, EmailMessage] = {}
        empty(imap, HOST)
        for address in PEOPLE.values():
            empty(imap, address)
        secret = folder / "password"
        secret.write_text(f"{PASSWORD}\n")
        secret.chmod(0o600)
        self.config = config.write(folder / "mail.yaml", {
            "address": HOST, "name": "The table", "imap": {"host": "localhost", "port": imap.ssl_port, "user": HOST},
            "smtp": {"host": "localhost", "port": smtp.port, "user": HOST}, "secret": {"file": str(secret)},
            "games": ["games/*"], "moderator": "boss@example.net", "authserv": "mx.example.org", "cafile": imap.cafile,
            "pictures": "no"})
        self.game = self.add("small")

    def add(self, name: str, position: dict[str, Any] | None = None, *, cards: bool = False, **more: Any) -> Path:
        """A game whose players can be reached; with `cards` they hold some."""
        place = self.folder / "games" / name
        place.mkdir(parents=True)
        secrets = scheme.Secrets(name, bytes(range(32)), bytes(range(32, 64)), links=12)
        head = header(**more)
        head.update(game=name, chance={**head["chance"], **secrets.commitments()})
        start, tray = dict(position or MARCH), promised(secrets)
        if cards:
            deck = [str(number) for number in range(20, 40)]
            start |= {"hands": {seat: len(hand) for seat, hand in HANDS.items()},
                      "deck": {"name": "main,2", "cards": deck, "left": len(deck)}}
            tray.cards = Cards(HANDS, deck)
        with Lock(place):
            Desk.found(place, head, start, tray)
        with changed(place) as tray:
            tray.addresses = {seat: [address] for seat, address in PEOPLE.items()}
        return place

    def anew(self, **more: Any) -> "Table":
        """The same game by other rules, its first question asked."""
        shutil.rmtree(self.game)
        self.game = self.add("small", **more)
        return self.started()

    # --- what players do ---------------------------------------------------------------------------------------------

    def inbox(self, seat: str) -> list[EmailMessage]:
        """What a player got, oldest first."""
        maildir = self.imap.maildir(PEOPLE[seat])
        paths = sorted(maildir.glob("new/*"), key=lambda path: int(path.name.partition(".")[0]))
        for path in paths:
            if path not in self._read:
                self._read[path] = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        return [self._read[path] for path in paths]

    def last(self, seat: str, start: str = "") -> EmailMessage:
        """The newest mail of a player whose subject has a word in it."""
        return next(one for one in reversed(self.inbox(seat)) if start in str(one["Subject"]))

    def write(self, seat: str, text: str, *, answers: EmailMessage | None = None, quote: bool = False, **headers: str) -> bytes:
        """A player's mail to the host, as a reply if it answers something."""
        mail = EmailMessage()
        mail["From"] = f"Somebody <{headers.pop('sender', PEOPLE.get(seat, seat))}>"
        mail["To"] = headers.pop("to", str(answers["Reply-To"]) if answers is not None and answers["Reply-To"] else HOST)
        mail["Subject"] = headers.pop("subject", f"Re: {answers['Subject']}" if answers is not None else "orders")
        mail["Message-ID"] = headers.pop("message_id", f"<{next(_number)}.{seat}@example.com>")
        mail["Date"] = self.now.strftime("%a, %d %b %Y %H:%M:%S +0000")
        if answers is not None:
            mail["In-Reply-To"] = mail["References"] = str(answers["Message-ID"])
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(
            text + ("\n\n" + "".join(f"> {line}\n" for line in body(answers).splitlines()) if quote and answers else "")
        )
        return mail.as_bytes()

    def post(self, seat: str, text: str, **more: Any) -> bytes:
        """Written and delivered to the host."""
        raw = self.write(seat, text, **more)
        self.deliver(raw)
        return raw

    def deliver(self, raw: bytes, received: datetime | None = None) -> None:
        """The server's receive time is the table's time, not this machine's."""
        self.imap.deliver(HOST, raw, received=(received or self.now).timestamp())

    def reply(self, seat: str, text: str, **more: Any) -> bytes:
        """An answer to the newest mail that can be answered."""
        newest = next(one for one in reversed(self.inbox(seat)) if one["Reply-To"])
        return self.post(seat, text, answers=newest, **more)

    # --- what the host does ------------------------------------------------------------------------------------------

    def later(self, **span: float) -> None:
        self.now += timedelta(**span)

    def poll(self, **more: Any) -> Summary:
        self.later(seconds=1)
        return loop.poll(self.config, self.config.games(), self.now, **more)

    def run(self, **more: Any) -> Summary:
        self.later(seconds=1)
        return loop.run(self.config, self.config.games(), self.now, **more)

    def waited(self, hours: int) -> None:
        """Time goes by, with a run every two hours."""
        for span in [2] * (hours // 2) + [1] * (hours % 2):
            self.later(hours=span)
            self.run()

    def started(self) -> "Table":
        """The mailbox is known, and red has his first question."""
        self.run()
        return self

    def ledger(self) -> Ledger:
        return Ledger(self.config.folder)

    def states(self) -> list[str]:
        return [row.state for row in self.ledger().mails.values()]

    def desk(self, place: Path | None = None, now: datetime | None = None) -> MailDesk:
        return MailDesk(place or self.game, now=now or self.now)

    def log(self, place: Path | None = None) -> list[dict[str, Any]]:
        return [dict(entry) for entry in gamelog.read_game(place or self.game).entries]

    def did(self) -> list[str]:
        return [entry["do"] for entry in self.log() if "do" in entry]

    def subjects(self, seat: str) -> list[str]:
        return [str(one["Subject"]) for one in self.inbox(seat)]


class Unconnected(Table):
    """The same without servers, in a fraction of the time: a mail that is delivered has come with the next run, and whatever is
    to go out by then has gone. For what is decided about mails and games, not for how they travel."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, NOON
        self._read, self._coming = {}, list[tuple[bytes, datetime]]()
        self.config = config.write(folder / "mail.yaml", {
            "address": HOST, "name": "The table", "imap": {"host": "localhost", "user": HOST},
            "smtp": {"host": "localhost", "user": HOST}, "secret": {"env": "PBEM_PASSWORD"},
            "games": ["games/*"], "moderator": "boss@example.net", "authserv": "mx.example.org", "pictures": "no"})
        self.game = self.add("small")

    def inbox(self, seat: str) -> list[EmailMessage]:
        gone = [one for place in self.config.games() for one in outbox.of_game(place).past() if one.state == "sent"]
        return [self._parsed(one) for one in sorted(gone, key=lambda one: one.sent) if one.to == PEOPLE[seat]]

    def _parsed(self, one: Item) -> EmailMessage:
        name = Path(one.game) / one.key
        if name not in self._read:
            self._read[name] = email.message_from_bytes(outbox.message(one, self.config), policy=email.policy.default)
        return self._read[name]

    def notices(self, start: str = "") -> list[Item]:
        """What the moderator was written."""
        return [one for one in Outbox(self.config.folder / MAILBOX_OUT).past() if start in one.subject]

    def deliver(self, raw: bytes, received: datetime | None = None) -> None:
        self._coming.append((re.sub(rb"\r?\n", b"\r\n", raw), received or self.now))         # as a server gives it out

    def poll(self, **more: Any) -> Summary:
        self.later(seconds=1)
        with ExitStack() as stack:
            run = Run(self.config, self.config.games(), self.now, stack)
            for raw, received in self._coming:
                row = run.ledger.receive(Copy("here", 1, next(_number)), raw, received, len(raw))
                run.fresh |= {row.id} if row is not None else set()
            self._coming.clear()
            run.ledger.settle()
            loop.note_good_poll(run)
            way.deal_with_all(run)
            loop.tend(run)
            run.save()
        return run.summary

    def run(self, **more: Any) -> Summary:
        summary = self.poll(**more)
        for box in loop.boxes(self.config, self.config.games()):
            sending.drop_pointless(box)
            sending.merge(box, self.config, self.now)
            for one in box.unsent():
                if moment(one.next) <= self.now:
                    box.change(one._replace(state="sent", sent=stamp(self.now)))
        return summary


@contextmanager
def changed(place: Path) -> Iterator[Tray]:
    """The tray of a game, to be changed by hand."""
    tray = trays.read(place)
    yield tray
    trays.write(place, tray)


@lru_cache(maxsize=2048)
def body(mail: EmailMessage | None) -> str:
    """The plain text of a mail."""
    assert mail is not None
    part = mail.get_body(("plain",))
    assert part is not None
    assert part.get_content_type() == "text/plain" and part["Content-Type"].params["format"] == "flowed"
    rows = [row.removeprefix(" ") for row in str(part.get_content()).splitlines()]
    return "".join(row if row.endswith(" ") and row != "-- " else f"{row}\n" for row in rows)


def columns(mail: EmailMessage) -> int:
    """How broad the plain text is as it was sent."""
    part = mail.get_body(("plain",))
    assert part is not None
    return max(len(row) for row in str(part.get_content()).splitlines() or [""])


def token_of(mail: EmailMessage) -> str:
    found = re.search(r"\+([^@]+)@", str(mail["Reply-To"]))
    assert found
    return found[1]


def empty(imap: DovecotServer, user: str) -> None:
    """No mail, and UIDs as before: what a mailbox looks like after everything was deleted."""
    maildir = imap.maildir(user)
    for path in [*maildir.glob("new/*"), *maildir.glob("cur/*")]:
        path.unlink()
    for path in maildir.glob(".*/"):
        shutil.rmtree(path, ignore_errors=True)


def all_of(mails: Iterable[EmailMessage]) -> str:
    return "\n".join(body(one) for one in mails)
