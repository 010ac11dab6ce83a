"""A session with the mailbox on the server, command by command; what the server says is written down here."""

import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from imapclient.exceptions import IMAPClientError
from small_game import NOON

from pbem.base.errors import PbemError
from pbem.mail import box as boxes
from pbem.mail.box import KEYWORD, Box, Listed
from pbem.mail.config import Config

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class Server:
    """What lies there, and over which of it the line breaks."""

    def __init__(self) -> None:
        self.mails: dict[int, dict[bytes, Any]] = {}
        self.breaks: list[tuple[str, int]] = []             # at which command about which mail; each as often as it stands here
        self.sessions: list[str] = []
        self.said: list[str] = []
        self.can: set[str] = set()
        self.is_down = False
        self.folder: dict[bytes, int] = {b"UIDVALIDITY": 7, b"UIDNEXT": 3}

    def take(self, uid: int, raw: bytes = b"From: a@example.com\r\n\r\nroll", **facts: Any) -> None:
        self.mails[uid] = {b"RFC822.SIZE": len(raw), b"INTERNALDATE": NOON, b"BODY[]": raw} | {
            name.encode(): value for name, value in facts.items()}


class Client:
    """As imapclient's."""

    server: Server

    def __init__(self, host: str, port: int, *, ssl: bool, ssl_context: ssl.SSLContext, timeout: Any) -> None:
        assert ssl_context.check_hostname and timeout.connect and timeout.read
        self.normalise_times = True
        if self.server.is_down:
            raise ConnectionRefusedError("nobody there")
        self.server.sessions.append("tls" if ssl else "clear")

    def _says(self, what: str, uids: Sequence[int] = ()) -> None:
        self.server.said.append(what)
        for uid in [*uids, 0]:
            if (what.partition(" ")[0], uid) in self.server.breaks:
                self.server.breaks.remove((what.partition(" ")[0], uid))
                raise ConnectionResetError("gone")

    def starttls(self, context: ssl.SSLContext) -> None:
        self.server.sessions[-1] = "starttls"

    def login(self, user: str, secret: str) -> None:
        if secret == "wrong":
            raise IMAPClientError("no such user")
        self._says(f"login {user} {secret} {self.server.sessions[-1]}")

    def oauth2_login(self, user: str, secret: str) -> None:
        self._says(f"oauth {user} {secret} {self.server.sessions[-1]}")

    def select_folder(self, name: str) -> dict[bytes, int]:
        self._says(f"select {name}")
        return self.server.folder

    def search(self, what: list[str]) -> list[int]:
        self._says(f"search {what[1]}")
        first = int(what[1].partition(":")[0])
        assert first > 0, "no server knows a mail number 0"
        return [uid for uid in reversed(self.server.mails) if uid >= first] or list(self.server.mails)[-1:]

    def fetch(self, uids: list[int], what: list[str]) -> dict[int, dict[bytes, Any]]:
        kinds = {"FIELDS": "heads", "SIZE": "facts", "<0.": "start", "PEEK[]": "body"}
        kind = next(kind for word, kind in kinds.items() if word in what[0])
        self._says(f"{kind} {len(uids)}", uids)
        found = {uid: dict(self.server.mails[uid]) for uid in uids if uid in self.server.mails}
        for mail in found.values():
            raw = mail.pop(b"BODY[]", None)
            if kind in ("body", "start") and raw is not None:
                assert not mail.get(b"hidden")
                mail[b"BODY[]" if kind == "body" else b"BODY[]<0>"] = raw if kind == "body" else raw[:65_536]
            elif kind == "heads" and raw is not None:
                mail[b"BODY[HEADER.FIELDS (FROM)]<0>"] = raw.partition(b"\r\n\r\n")[0]
        return found

    def logout(self) -> None:
        self._says("logout")

    def shutdown(self) -> None:
        self._says("shutdown")

    def folder_exists(self, name: str) -> bool:
        self._says(f"exists {name}")
        return name == "Done"

    def has_capability(self, name: str) -> bool:
        return name in self.server.can

    def move(self, uids: list[int], folder: str) -> None:
        self._says(f"move {uids} {folder}")

    def copy(self, uids: list[int], folder: str) -> None:
        self._says(f"copy {uids} {folder}")

    def add_flags(self, uids: list[int], flags: list[Any], silent: bool = False) -> None:
        self._says(f"flag {uids} {flags[0] if isinstance(flags[0], str) else flags[0].decode()}")

    def uid_expunge(self, uids: list[int]) -> None:
        self._says(f"expunge {uids}")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    Client.server = Server()
    monkeypatch.setattr(boxes, "IMAPClient", Client)
    monkeypatch.setenv("PBEM_PASSWORD", "pw")
    return Client.server


def config(kind: str = "", **imap: str) -> Config:
    return Config({"address": "host@example.org", "imap": {"host": "i", "user": "u", **imap}, "smtp": {"host": "s"},
                   "secret": {"env": "PBEM_PASSWORD", "kind": kind}}, Path("mail.yaml"))


@pytest.mark.parametrize(("imap", "kind", "said"), [
    ({}, "", "login u pw tls"), ({"tls": "starttls"}, "", "login u pw starttls"), ({}, "oauth", "oauth u pw tls")])
def test_nothing_is_said_in_clear(server: Server, imap: dict[str, str], kind: str, said: str) -> None:
    with Box(config(kind, **imap)) as box:
        assert (box.uidvalidity, box.uidnext) == (7, 3)
    assert server.said == [said, "select INBOX", "logout"]


def test_whoever_is_not_let_in_is_told_by_which_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSWORD", "wrong")
    with pytest.raises(PbemError) as problem:
        Box(config()).__enter__()
    assert problem.value.key == "mail_no_login" and "no such user" in problem.value.facts["what"]
    assert server.said == ["shutdown"]


def test_that_nobody_answers_is_told(server: Server) -> None:
    server.is_down = True
    with pytest.raises(PbemError) as problem:
        Box(config()).__enter__()
    assert problem.value.key == "mail_no_login" and "nobody there" in problem.value.facts["what"] and server.said == []


def test_a_folder_without_numbers_that_last_is_not_read(server: Server) -> None:
    server.folder = {}
    with pytest.raises(PbemError) as problem:
        Box(config()).__enter__()
    assert problem.value.key == "mail_no_uidvalidity" and server.said[-1] == "shutdown"


def test_a_server_that_does_not_say_its_next_number_is_asked_all_the_same(server: Server) -> None:
    server.folder = {b"UIDVALIDITY": 7}
    with Box(config()) as box:
        assert box.uidnext == 0


def test_a_session_over_which_something_failed_is_not_said_good_bye_to(server: Server) -> None:
    with pytest.raises(ZeroDivisionError), Box(config()):
        raise ZeroDivisionError
    assert server.said[-1] == "shutdown"
    server.breaks = [("logout", 0)]
    with Box(config()):
        pass


# --- what lies there -------------------------------------------------------------------------------------------------------


def test_what_lies_there_is_listed_oldest_first_from_a_number_on_without_what_is_known(server: Server) -> None:
    for uid in (2, 3, 4, 5):
        server.take(uid)
    with Box(config()) as box:
        assert [one.uid for one in box.listed(3, {4})] == [3, 5]
        assert box.listed(6) == [], "the last is always named"
        assert [one.uid for one in box.listed(0)] == [2, 3, 4, 5]
    assert "search 3:*" in server.said and "search 1:*" in server.said


def test_of_each_mail_size_and_time_are_known_or_that_they_are_not(server: Server) -> None:
    server.take(1, INTERNALDATE=NOON.astimezone(timezone(timedelta(hours=5))))
    server.take(2)
    server.mails[2] = {}
    server.take(3)
    del server.mails[3][b"RFC822.SIZE"]
    with Box(config()) as box:
        found = box.listed(1)
    assert found[:2] == [Listed(1, 27, NOON), Listed(2, -1, NEVER)] and found[2].size == -1
    assert found[0].received.tzinfo is UTC


def test_a_mail_of_which_the_server_does_not_say_when_it_came_came_now(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    server.take(1, INTERNALDATE=None)
    with Box(config()) as box:
        assert box.listed(1) == [Listed(1, 27, NOON)]


def test_many_are_asked_for_at_once_and_over_which_the_line_breaks_is_found_out(server: Server) -> None:
    for uid in range(1, 402):
        server.take(uid)
    with Box(config()) as box:
        assert len(box.listed(1)) == 401
        assert [one for one in server.said if one.startswith("facts")] == ["facts 200", "facts 200", "facts 1"]
        server.said.clear()
        server.breaks = [("facts", 3)] * 2
        found = {one.uid: one.size for one in box.listed(202)} | {one.uid: one.size for one in box.listed(1)}
    assert len(found) == 401 and [uid for uid, size in found.items() if size == -1] == [3]
    assert len(server.sessions) == 3 and server.said.count("facts 1") > 200


def test_who_wrote_is_asked_of_many_and_only_for_a_while(server: Server) -> None:
    for uid in (1, 2, 3):
        server.take(uid, f"From: {uid}@example.com\r\nSubject: x\r\n\r\nroll".encode())
    server.mails[2].pop(b"BODY[]")
    with Box(config()) as box:
        lying = [*box.listed(1), Listed(9, 1, NOON)]
        assert [(one.uid, head and head[:7]) for one, head in box.heads(lying, 100)] == [
            (1, b"From: 1"), (2, None), (3, b"From: 3"), (9, None)]
        assert [head for _, head in box.heads(lying, 0)] == [None] * 4


# --- mails -----------------------------------------------------------------------------------------------------------------


def fetched(server: Server, largest: int = 1000) -> list[tuple[int, int]]:
    """The mails that could be had, with how much of each."""
    with Box(config()) as box:
        return [(one.uid, -1 if raw is None else len(raw)) for one, raw in box.fetch(box.listed(1), largest)]


def test_a_mail_is_fetched_whole_and_of_a_giant_only_the_beginning(server: Server) -> None:
    for uid, size in ((1, 1000), (2, 1001), (3, 70_000)):
        server.take(uid, b"x" * size)
    assert fetched(server) == [(1, 1000), (2, 1001), (3, 65_536)]
    assert [one for one in server.said if one.startswith(("body", "start"))] == ["body 1", "start 1", "start 1"]


@pytest.mark.parametrize(("losses", "found"), [(1, [(1, 27), (2, 27), (3, 27)]), (2, [(1, 27), (2, -1), (3, 27)])])
def test_a_mail_over_which_the_line_breaks_is_tried_once_more(
        server: Server, losses: int, found: list[tuple[int, int]]) -> None:
    for uid in (1, 2, 3):
        server.take(uid)
    server.breaks = [("body", 2)] * losses
    assert fetched(server) == found and len(server.sessions) == 1 + losses


def test_what_is_gone_or_unknown_is_not_had_and_what_is_unknown_not_asked_for(server: Server) -> None:
    for uid in (1, 2, 3):
        server.take(uid)
    server.mails[1] = {}
    with Box(config()) as box:
        lying = box.listed(1)
        del server.mails[2]
        assert [raw is None for _, raw in box.fetch(lying, 1000)] == [True, True, False]
    assert server.said.count("body 1") == 2 and len(server.sessions) == 1


@pytest.mark.parametrize(("losses", "breaks_off"), [(6, False), (7, True)])
def test_after_so_many_lost_lines_the_run_goes_without(server: Server, losses: int, breaks_off: bool) -> None:
    for uid in range(1, 9):
        server.take(uid)
    server.breaks = [("body", uid) for uid in range(1, losses + 1)]
    if breaks_off:
        with pytest.raises(PbemError) as problem:
            fetched(server)
        assert problem.value.key == "mail_lost" and "gone" in problem.value.facts["what"]
    else:
        assert fetched(server) == [(uid, 27) for uid in range(1, 9)]
    assert len(server.sessions) == 7


def test_a_folder_that_was_numbered_anew_meanwhile_is_not_read_on(server: Server) -> None:
    server.take(1)
    server.breaks = [("body", 1)]
    with Box(config()) as box, pytest.raises(PbemError) as problem:
        lying = box.listed(1)
        server.folder = {b"UIDVALIDITY": 8}
        list(box.fetch(lying, 1000))
    assert problem.value.key == "mail_no_uidvalidity"


def test_a_line_that_breaks_before_anything_is_listed_is_told(server: Server) -> None:
    server.breaks = [("search", 0)]
    with Box(config()) as box, pytest.raises(PbemError) as problem:
        box.listed(1)
    assert problem.value.key == "mail_lost"


# --- courtesy --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("done", "can", "said"), [
    ("", set(), [f"flag [1, 2] {KEYWORD}"]), ("Done", {"MOVE", "UIDPLUS"}, ["move [1, 2] Done"]),
    ("Done", {"UIDPLUS"}, ["copy [1, 2] Done", "flag [1, 2] \\Deleted", "expunge [1, 2]"]),
    ("Done", set(), ["copy [1, 2] Done", "flag [1, 2] \\Deleted"])])
def test_what_was_dealt_with_is_marked_or_moved_and_nobody_else_s_mail_goes(
        server: Server, done: str, can: set[str], said: list[str]) -> None:
    server.can = can
    with Box(config(done=done)) as box:
        server.said.clear()
        assert box.done([]) and server.said == []
        assert box.done([1, 2]) and server.said == said


def test_that_it_cannot_be_said_does_no_harm(server: Server) -> None:
    server.breaks = [("flag", 0), ("exists", 0)]
    with Box(config()) as box:
        assert not box.done([1]) and not box.has_folder("Done")
        assert box.has_folder("Done") and not box.has_folder("Else")


def test_without_a_file_of_certificates_those_of_the_machine_count() -> None:
    assert boxes.tls(config()).get_ca_certs() == ssl.create_default_context().get_ca_certs()
    with pytest.raises(FileNotFoundError):
        boxes.tls(Config({**config().data, "cafile": "no such file"}, Path("mail.yaml")))


