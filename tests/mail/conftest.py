"""A real IMAP server and a real SMTP server for the whole run, and a table that is played through them."""

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from imap_server import DovecotServer
from small_game import NOON, at_window
from smtp_server import SmtpSink
from table import HOST, PASSWORD, Table, Unconnected, imap_server

from pbem.mail.desk import MailDesk


@pytest.fixture(scope="session")
def imap() -> Iterator[DovecotServer]:
    with imap_server() as server:
        yield server


@pytest.fixture(scope="session")
def _sink(imap: DovecotServer) -> Iterator[SmtpSink]:
    with SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: PASSWORD}, deliver=imap) as sink:
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
def quiet(tmp_path) -> Unconnected:
    return Unconnected(tmp_path)


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Table:
    """Played through real servers; where these are not the subject without, but for a test that asks for a `connected` one."""
    is_quiet = request.node.get_closest_marker("without_servers") is not None and "connected" not in request.fixturenames
    found: Table = request.getfixturevalue("quiet" if is_quiet else "connected")
    return found


@pytest.fixture
def window(tmp_path: Path) -> MailDesk:
    """Blue and Yellow are asked whether they intercept."""
    at_window(tmp_path / "g")
    return MailDesk(tmp_path / "g", now=NOON)
