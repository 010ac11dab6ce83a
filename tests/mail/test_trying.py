"""What a mailbox is told that does not work, by what the server said."""

import smtplib
import ssl
from pathlib import Path
from typing import Any

import pytest
from imapclient.exceptions import IMAPClientError, LoginError
from small_game import NOON

from pbem.base.errors import PbemError
from pbem.mail import config, trying
from pbem.mail.config import Config
from pbem.mail.trying import Back


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
    step = trying.vouched(known, Back(1, NOON, {"authentication-results": [header]} if header else {}))
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
    ("smtp.office365.com", "10000 mails"), ("gmail.com.example.org", "its provider knows")])
def test_how_many_mails_a_provider_takes(tmp_path: Path, host: str, told: str) -> None:
    assert told in trying.limits(mailbox(tmp_path, smtp={"host": host, "user": "us"})).said


def test_without_a_password_nothing_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("X", raising=False)
    (step,) = trying.tried(mailbox(tmp_path))
    assert not step.is_good and "X" in step.said
