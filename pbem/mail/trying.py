"""Is a mailbox fit? Each thing it needs is tried, and what fails is told with where to look.

A mail goes to the table's own plus address and back: that shows login, sending, delivery, plus addresses, the clock of the
server and whether it says what it thinks of senders. It is ours, so that no run answers it.
"""

import re
import secrets
import socket
import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from imapclient.exceptions import IMAPClientError, LoginError

from pbem.base.errors import PbemError
from pbem.desk import showing
from pbem.mail import outbox, parts, sending
from pbem.mail.box import Box, tls
from pbem.mail.classes import Fields, first
from pbem.mail.config import Config, Server
from pbem.mail.outbox import Letter, Reader
from pbem.mail.sentences import mailed

SKEW = 5 * 60                   # seconds by which clocks may differ

# What a provider takes from one mailbox in a day, by the end of the name of its server.
A_DAY = {"gmail.com": 500, "outlook.com": 300, "office365.com": 10_000, "mail.me.com": 1_000, "mail.yahoo.com": 500}


class Step(NamedTuple):
    """One thing that was tried."""

    is_good: bool
    said: str


def tried(config: Config, patience: float) -> Iterator[Step]:
    """Everything in the order in which a run needs it; what builds on something that failed is not tried."""
    try:
        config.secret()
    except PbemError as problem:
        yield Step(False, showing.sentence(problem))
        return
    servers = [reach(config, kind, server) for kind, server in (("imap", config.imap), ("smtp", config.smtp))]
    yield from servers
    if not servers[0].is_good:
        return
    try:
        with Box(config) as box:
            yield good("login", host=config.imap.host, user=config.imap.user, folder=config.imap.folder)
            yield from folders(config, box)
            if servers[1].is_good:
                yield from round_trip(config, box, patience)
    except PbemError as problem:
        yield login_failed(config, problem)


def good(key: str, **facts: Any) -> Step:
    return Step(True, mailed(showing.plain_words(), f"try_{key}", **facts))


def bad(key: str, **facts: Any) -> Step:
    return Step(False, mailed(showing.plain_words(), f"try_{key}", **facts))


def reach(config: Config, kind: str, server: Server) -> Step:
    """Does the server answer, on this port, with a certificate for this name?"""
    facts = {"kind": kind.upper(), "host": server.host, "port": server.port, "tls": server.tls}
    try:
        with socket.create_connection((server.host, server.port), timeout=config.limits["connect"]) as line:
            if server.tls == "tls":
                with tls(config).wrap_socket(line, server_hostname=server.host):
                    pass
            elif not line.recv(1):
                return bad("silent", **facts)
    except socket.gaierror:
        return bad("no_host", **facts)
    except ConnectionRefusedError:
        return bad("refused", **facts)
    except TimeoutError:
        return bad("silent", **facts)
    except ssl.SSLCertVerificationError as problem:
        return bad("certificate", what=problem.verify_message, **facts)
    except ssl.SSLError:
        return bad("no_tls", **facts)
    except OSError as problem:
        return bad("other", what=sending.said(problem), **facts)
    return good("reached", **facts)


def login_failed(config: Config, problem: PbemError) -> Step:
    """What stands behind a session that could not be opened: the certificate, the password, or the folder."""
    facts = {"host": config.imap.host, "user": config.imap.user, "folder": config.imap.folder}
    cause = problem.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return bad("certificate", kind="IMAP", port=config.imap.port, what=cause.verify_message, host=config.imap.host)
    if isinstance(cause, LoginError):
        return bad("login_refused", **facts)
    if isinstance(cause, IMAPClientError) and re.search(r"select|mailbox|folder|exist", str(cause), re.IGNORECASE):
        return bad("no_folder", **facts)
    return Step(False, showing.sentence(problem))


def folders(config: Config, box: Box) -> Iterator[Step]:
    """Is the folder there to which mails are moved?"""
    if config.imap.done:
        there = box.has_folder(config.imap.done)
        yield (good if there else bad)("done" if there else "no_folder", folder=config.imap.done, host=config.imap.host)


def round_trip(config: Config, box: Box, patience: float) -> Iterator[Step]:
    """A mail to the plus address of the table, and back."""
    mark = secrets.token_hex(8)
    letter = Letter("notice", f"trial-{mark}", f"pbem {mark}", str(mailed(showing.plain_words(), "try_mail")))
    before, began = box.uidnext, time.time()
    for to in (config.plus(mark), config.address):
        one = outbox.addressed(letter._replace(name=f"{letter.name}-{to}"), Reader(to), config, datetime.now(UTC))
        try:
            server = sending.login(config)
            try:
                server.sendmail(config.address, [to], outbox.message(one, config))
            finally:
                server.close()
        except OSError as problem:              # those of smtplib are of this kind too
            yield refused(config, problem)
            return
    yield good("sent", host=config.smtp.host, user=config.smtp.user)
    yield limits(config)
    found = waited_for(box, before, mark, began + patience)
    if not found:
        yield bad("not_back", seconds=round(patience), address=config.address)
        return
    yield good("back", seconds=round(found[0].seen - began))
    plus = [one for one in found if any(f"+{mark}@" in value for value in one.fields.get("to", ()))]
    yield (good if plus else bad)("plus" if plus else "no_plus", address=config.plus("x"))
    skew = abs(found[0].received.timestamp() - found[0].seen)
    yield good("clock") if skew < SKEW else bad("skew", minutes=round(skew / 60))
    yield vouched(config, found[0])
    box.done([one.uid for one in found])


def limits(config: Config) -> Step:
    """How many mails a day go out, as far as the provider says so."""
    host = config.smtp.host
    mails = next((number for end, number in A_DAY.items() if host == end or host.endswith(f".{end}")), 0)
    return good("limits", host=host, mails=mails) if mails else good("limits_unknown", host=host)


def refused(config: Config, problem: OSError) -> Step:
    facts = {"host": config.smtp.host, "user": config.smtp.user, "port": config.smtp.port, "what": sending.said(problem)}
    if isinstance(problem, ssl.SSLCertVerificationError):
        return bad("certificate", kind="SMTP", **(facts | {"what": problem.verify_message}))
    if getattr(problem, "smtp_code", None) in (530, 534, 535):
        return bad("login_refused", **facts)
    return bad("not_sent", **facts)


class Back(NamedTuple):
    """A mail of ours that came back."""

    uid: int
    received: datetime
    fields: Fields
    seen: float


def waited_for(box: Box, first_uid: int, mark: str, until: float) -> list[Back]:
    """Both, or after that time what came."""
    found: list[Back] = []
    while True:
        box.again()
        for one, raw in box.fetch(box.listed(first_uid, {back.uid for back in found}), 100_000):
            fields = parts.fields(parts.header_only(raw or b""))
            if mark in first(fields, "subject"):
                found.append(Back(one.uid, one.received, fields, time.time()))
        left = until - time.time()
        if len(found) >= 2 or left <= 0:
            return found
        time.sleep(min(1, left))


def vouched(config: Config, back: Back) -> Step:
    """What the server says of senders, and under which name: `authserv` has to be that name."""
    value = first(back.fields, "authentication-results")
    name = (value.split(";")[0].split() or [""])[0]
    said = [f"{kind}={result}" for kind, result in re.findall(r"\b(spf|dkim|dmarc)\s*=\s*(\w+)", value.lower())]
    if not name:
        return good("unproven" if config.authserv else "unvouched", name=config.authserv)
    if name.casefold() != config.authserv.casefold():
        return (bad if config.authserv else good)("authserv", name=name, said=said)
    return good("vouched", name=name, said=said)
