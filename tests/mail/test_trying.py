"""What a mailbox is told that does not work, by what the server said."""

import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from imapclient.exceptions import IMAPClientError, LoginError
from small_game import NOON
from test_sessions import Client, Server

from pbem.base.errors import PbemError
from pbem.mail import box as boxes
from pbem.mail import config, sending, trying
from pbem.mail.box import Box
from pbem.mail.config import Config
from pbem.mail.trying import Back, Step


def mailbox(place: Path, **more: Any) -> Config:
    return config.write(place / "mail.yaml", {
        "address": "host@example.org", "imap": {"host": "i.example.org", "user": "us"},
        "smtp": {"host": "s.example.org", "user": "us"}, "secret": {"env": "X"}, "games": ["g"], **more})


CERTIFICATE = ssl.SSLCertVerificationError("bad")
CERTIFICATE.verify_message = "self-signed"


@pytest.mark.parametrize(("authserv", "header", "is_good", "told"), [
    ("", "", True, "nobody is vouched for"), ("mx.example.org", "", True, "authserv is mx.example.org, but"),
    ("", "mx.example.org; spf=pass; dkim=none", True, "as mx.example.org (spf=pass, dkim=none): set authserv"),
    ("mx.other.org", "mx.example.org; dmarc = fail", False, "as mx.example.org (dmarc=fail): set authserv"),
    ("MX.example.org", "mx.Example.org 1; x=1 spf=pass", True, "vouches for senders as mx.Example.org (spf=pass)"),
])
def test_under_which_name_the_server_vouches(tmp_path: Path, authserv: str, header: str, is_good: bool, told: str) -> None:
    known = mailbox(tmp_path, **({"authserv": authserv} if authserv else {}))
    step = trying.vouched(known, Back(1, NOON, {"authentication-results": [header]} if header else {}, 0))
    assert step.is_good == is_good and told in step.said


@pytest.mark.parametrize(("problem", "told"), [
    (smtplib.SMTPAuthenticationError(535, b"no"), "not let in"), (smtplib.SMTPSenderRefused(530, b"no", "x"), "not let in"),
    (smtplib.SMTPAuthenticationError(534, b"no"), "us is not let in"), (smtplib.SMTPDataError(550, b"no"), "did not take"),
    (CERTIFICATE, "SMTP: the certificate of s.example.org is not good (self-signed)"),
    (ConnectionResetError("cut"), "did not take a mail from us (ConnectionResetError: cut)"),
])
def test_why_a_mail_did_not_go_out(tmp_path: Path, problem: OSError, told: str) -> None:
    step = trying.refused(mailbox(tmp_path), problem)
    assert not step.is_good and told in step.said


@pytest.mark.parametrize(("cause", "told"), [
    (CERTIFICATE, "IMAP: the certificate of i.example.org is not good (self-signed)"), (LoginError("x"), "us is not let in"),
    (IMAPClientError("SELECT failed"), "there is no folder INBOX"), (IMAPClientError("Mailbox does not exist"), "no folder"),
    (IMAPClientError("too many connections"), "out of order"), (None, "out of order"),
    (OSError("no mailbox"), "out of order")])
def test_why_nobody_is_let_in(tmp_path: Path, cause: Exception | None, told: str) -> None:
    problem = PbemError("mail_lost", server="i", what="out of order")
    problem.__cause__ = cause
    step = trying.login_failed(mailbox(tmp_path), problem)
    assert not step.is_good and told in step.said


@pytest.mark.parametrize(("host", "told"), [
    ("smtp.gmail.com", "500 mails"), ("gmail.com", "500 mails"), ("notgmail.com", "its provider knows"),
    ("smtp.office365.com", "10000 mails"), ("smtp-mail.outlook.com", "300 mails"), ("smtp.mail.me.com", "1000 mails"),
    ("smtp.mail.yahoo.com", "500 mails"), ("gmail.com.example.org", "its provider knows")])
def test_how_many_mails_a_provider_takes(tmp_path: Path, host: str, told: str) -> None:
    assert told in trying.limits(mailbox(tmp_path, smtp={"host": host, "user": "us"})).said


def test_without_a_password_nothing_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("X", raising=False)
    (step,) = trying.tried(mailbox(tmp_path), 60)
    assert not step.is_good and "X" in step.said


# --- does a server answer --------------------------------------------------------------------------------------------------


@contextmanager
def listening(greeting: bytes | None) -> Iterator[int]:
    """A port at which whoever calls is greeted; with no words it is hung up, and with None nothing is said at all."""
    guests = list[socket.socket]()
    with socket.create_server(("127.0.0.1", 0)) as door:
        def answer() -> None:
            with suppress(OSError):
                while True:
                    guests.append(door.accept()[0])
                    if greeting == b"":
                        guests[-1].close()
                    elif greeting is not None:
                        guests[-1].sendall(greeting)

        host = threading.Thread(target=answer)
        host.start()
        try:
            yield int(door.getsockname()[1])
        finally:
            door.shutdown(socket.SHUT_RDWR)
            host.join()
            for one in guests:
                one.close()


GREETING = b"* OK here\r\n"


@pytest.mark.parametrize(("tls", "greeting", "is_good", "told"), [
    ("starttls", GREETING, True, "answers on port"), ("starttls", b"", False, "does not answer"),
    ("starttls", None, False, "(starttls) do not belong together"), ("tls", None, False, "(tls) do not belong together"),
    ("tls", GREETING, False, "does not speak TLS")])
def test_what_a_server_says_first(tmp_path: Path, tls: str, greeting: bytes | None, is_good: bool, told: str) -> None:
    with listening(greeting) as port:
        known = mailbox(tmp_path, imap={"host": "127.0.0.1", "port": port, "tls": tls})
        known.limits["connect"] = 0.2
        step = trying.reach(known, "imap", known.imap)
    assert step.is_good == is_good and told in step.said and step.said.startswith("IMAP: 127.0.0.1")


# --- a mail to oneself and back --------------------------------------------------------------------------------------------


class Post:
    """Takes a mail and lets it come back some time later, by a clock that goes on only while somebody waits."""

    def __init__(self) -> None:
        self.imap = Client.server = Server()
        self.plus: float | None = 0             # seconds that a mail to the plus address takes; None: it never comes
        self.plain: float | None = 0
        self.ahead = 0                          # seconds of the server's clock
        self.waited: float = 0
        self.underway: list[tuple[float, bytes]] = []

    def time(self) -> float:
        return NOON.timestamp() + self.waited

    def sleep(self, seconds: float) -> None:
        assert seconds > 0, "nobody waits so for anything"
        self.waited += seconds
        self._deliver()

    def login(self, config: Config) -> "Post":
        return self

    def sendmail(self, sender: str, to: list[str], data: bytes) -> None:
        takes = self.plus if "+" in to[0] else self.plain
        if takes is not None:
            self.underway.append((self.waited + takes, data))
            self._deliver()

    def close(self) -> None:
        pass

    def _deliver(self) -> None:
        for one in [one for one in self.underway if one[0] <= self.waited]:
            self.underway.remove(one)
            came = datetime.fromtimestamp(NOON.timestamp() + one[0], UTC) + timedelta(seconds=self.ahead)
            self.imap.take(max([2, *self.imap.mails]) + 1, one[1], INTERNALDATE=came)


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Post:
    found = Post()
    monkeypatch.setattr(boxes, "IMAPClient", Client)
    monkeypatch.setattr(sending, "login", found.login)
    monkeypatch.setattr(trying, "time", found)
    monkeypatch.setenv("X", "pw")
    return found


def sent_round(place: Path, patience: float = 3) -> list[Step]:
    known = mailbox(place)
    with Box(known) as box:
        return list(trying.round_trip(known, box, patience))


@pytest.mark.parametrize(("plus", "plain", "waited", "back", "is_good", "told"), [
    (0, 0, 0, 0, True, "host+x@example.org arrive"), (1, 1, 1, 1, True, "arrive"), (2, 1, 2, 1, True, "arrive"),
    (0, None, 3, 0, True, "arrive"), (None, 0, 3, 0, False, "host+x@example.org did not arrive"),
    (None, 3, 3, 3, False, "every answer of a player goes to one"), (3, 4, 3, 3, True, "arrive")])
def test_a_mail_to_oneself_comes_back_and_to_a_plus_address_as_well(
        post: Post, tmp_path: Path, plus: float | None, plain: float | None, waited: float, back: int, is_good: bool,
        told: str) -> None:
    post.plus, post.plain = plus, plain
    sent, limits, came, of_plus, clock, vouched = sent_round(tmp_path)
    assert sent.is_good and limits.is_good and came.is_good and clock.is_good and vouched.is_good
    assert came.said.endswith(f"was back after {back} s.") and post.waited == waited
    assert of_plus.is_good == is_good and told in of_plus.said


@pytest.mark.parametrize("after", [None, 4])
def test_a_mail_that_is_not_back_in_time_is_told_and_nothing_of_it_any_more(
        post: Post, tmp_path: Path, after: float | None) -> None:
    post.plus = post.plain = after
    found = sent_round(tmp_path)
    assert [step.is_good for step in found] == [True, True, False]
    assert "host@example.org was not back after 3 s" in found[-1].said and post.waited == 3
    assert not any(one.startswith("flag") for one in post.imap.said)


def test_what_somebody_else_has_written_meanwhile_is_left_alone(post: Post, tmp_path: Path) -> None:
    post.imap.take(3, b"From: anna@example.com\r\nSubject: pbem\r\n\r\nroll")
    post.imap.take(4)
    del post.imap.mails[4][b"BODY[]"]                   # it was moved away
    assert all(step.is_good for step in sent_round(tmp_path))
    assert [one for one in post.imap.said if one.startswith("flag")] == ["flag [5, 6] $PbemDone"]


@pytest.mark.parametrize(("ahead", "is_good", "told"), [
    (299, True, "agree"), (-299, True, "agree"), (300, False, "by 5 minutes"), (-18_000, False, "by 300 minutes")])
def test_clocks_that_differ_are_told(post: Post, tmp_path: Path, ahead: int, is_good: bool, told: str) -> None:
    post.ahead = ahead
    clock = sent_round(tmp_path)[4]
    assert clock.is_good == is_good and told in clock.said


# --- all of it -------------------------------------------------------------------------------------------------------------


SENT = ["takes mail from us", "How many mails a day", "was back after 0 s", "arrive", "agree", "nobody is vouched for"]


@pytest.mark.parametrize(("imap", "smtp", "done", "told"), [
    (b"", GREETING, "", ["IMAP: 127.0.0.1 does not answer", "SMTP: 127.0.0.1 answers"]),
    (GREETING, b"", "", ["IMAP: 127.0.0.1 answers", "SMTP: 127.0.0.1 does not answer", "us is let in; INBOX is there"]),
    (GREETING, GREETING, "", ["IMAP: 127.0.0.1 answers", "SMTP: 127.0.0.1 answers", "us is let in", *SENT]),
    (GREETING, GREETING, "Done", ["IMAP", "SMTP", "us is let in", "go to Done, which is there", *SENT]),
    (GREETING, GREETING, "Nowhere", ["IMAP", "SMTP", "us is let in", "there is no folder Nowhere", *SENT])])
def test_what_builds_on_something_that_failed_is_not_tried(
        post: Post, tmp_path: Path, imap: bytes, smtp: bytes, done: str, told: list[str]) -> None:
    post.imap.can = {"MOVE"}
    with listening(imap) as first, listening(smtp) as second:
        of_both = {"host": "127.0.0.1", "user": "us", "tls": "starttls"}
        known = mailbox(tmp_path, imap={**of_both, "port": first, "done": done}, smtp={**of_both, "port": second})
        steps = list(trying.tried(known, 3))
    assert len(steps) == len(told) and all(word in step.said for word, step in zip(told, steps, strict=True))
    assert [step.said for step in steps if not step.is_good] == [
        step.said for step in steps if "not answer" in step.said or "no folder" in step.said]
