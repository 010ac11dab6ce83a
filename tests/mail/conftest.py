"""A real IMAP server and a real SMTP server for the whole run, and a table that is played through them."""

import ssl
from collections.abc import Iterator

import pytest
from imap_server import DovecotServer
from smtp_server import SmtpSink
from table import HOST, Table, Unconnected, imap_server


@pytest.fixture(scope="session")
def imap() -> Iterator[DovecotServer]:
    with imap_server() as server:
        yield server


@pytest.fixture(scope="session")
def _sink(imap: DovecotServer) -> Iterator[SmtpSink]:
    with SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: "pw"}, deliver=imap) as sink:
        sink.context = ssl.create_default_context(cafile=imap.cafile)
        yield sink


@pytest.fixture
def smtp(_sink: SmtpSink) -> SmtpSink:
    _sink.messages.clear()
    _sink.data_replies.clear()
    _sink.refuse_rcpt.clear()
    return _sink


@pytest.fixture
def connected(tmp_path, imap: DovecotServer, smtp: SmtpSink) -> Table:
    return Table(tmp_path, imap, smtp)


@pytest.fixture
def table(connected: Table) -> Table:
    return connected


@pytest.fixture
def quiet(tmp_path) -> Unconnected:
    return Unconnected(tmp_path)
