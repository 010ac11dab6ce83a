"""Setting up: all is asked for and tried, what fails is told apart, nothing is overwritten unseen."""

import socket
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from table import HOST, PASSWORD, Table

from pbem.base import yamlfile
from pbem.base.errors import PbemError
from pbem.cli.main import main
from pbem.mail import config, settings, trying


def call(table: Table, *words: object, text: str = "") -> Result:
    return CliRunner().invoke(main, ["mail", "--config", str(table.config.path), *map(str, words)], input=text)


def changed(table: Table, **changes: Any) -> config.Config:
    data = dict(table.config.data)
    for name, value in changes.items():
        data[name] = {**data[name], **value} if isinstance(value, dict) and name in data else value
    return config.Config(data, table.config.path)


def said(table: Table, **changes: Any) -> str:
    """What the first thing that fails is told with."""
    return next(step.said for step in trying.tried(changed(table, **changes), 3) if not step.is_good)


def test_all_is_tried_and_told(table: Table) -> None:
    steps = list(trying.tried(table.config, 20))
    assert [step.is_good for step in steps] == [True] * 9
    said = " ".join(step.said for step in steps)
    assert "the server did not say what it thinks of senders" in said and "How many mails a day localhost takes" in said
    assert "smtp.gmail.com takes some 500 mails a day" in trying.limits(changed(table, smtp={"host": "smtp.gmail.com"})).said
    assert call(table, "test").exit_code == 0
    table.started()
    table.run()
    assert not table.states() or set(table.states()) <= {"own", "old"}, "it is answered by nobody"


def test_what_fails_is_told_apart(table: Table, imap: Any) -> None:
    closed = socket.create_server(("127.0.0.1", 0))
    port = closed.getsockname()[1]
    closed.close()
    assert "there is no server nowhere.invalid" in said(table, imap={"host": "nowhere.invalid"})
    assert f"takes nothing on port {port}" in said(table, imap={"port": port})
    assert "certificate of localhost is not good" in said(table, cafile="")
    assert "does not speak TLS" in said(table, imap={"port": table.smtp.port})
    assert "there is no folder Elsewhere" in said(table, imap={"folder": "Elsewhere"})
    assert "there is no folder Nowhere" in said(table, imap={"done": "Nowhere"})
    (table.folder / "wrong").write_text("wrong")
    (table.folder / "wrong").chmod(0o600)
    assert "is not let in. Look at user and password" in said(table, secret={"file": "wrong"})
    table.smtp.refuse_rcpt[HOST] = "550 5.7.1 not from here"
    assert "did not take a mail from host@example.org" in said(table)


def test_a_mail_that_does_not_come_back_is_told(table: Table) -> None:
    before, table.smtp.deliver = table.smtp.deliver, None
    try:
        assert "was not back after 3 s" in said(table)
    finally:
        table.smtp.deliver = before


def test_what_is_not_given_is_asked_for_also_where_the_password_is(table: Table) -> None:
    table.config.path.unlink()
    answers = f"{HOST}\nlocalhost\nlocalhost\nboss@example.net\nfile\npassword\n"
    done = call(table, "setup", "--no-test", text=answers)
    assert done.exit_code == 0, done.output
    made = config.read(table.config.path)
    assert (made.address, made.imap.host, made.moderator, made.secret()) == (HOST, "localhost", "boss@example.net", PASSWORD)
    table.config.path.unlink()
    done = call(table, "setup", "--no-test", "--imap", "a", "--smtp", "b", "--address", HOST)
    assert done.exit_code == 2 and "--secret-keyring" in " ".join(done.output.split())


def test_a_file_that_is_there_is_changed_only_where_it_was_said_and_after_it_was_shown(table: Table) -> None:
    path = table.config.path
    path.write_text("# our table\n" + path.read_text() + "# how much\nlimits: {mails: 50}      # a run\n")
    before = path.read_text()
    done = call(table, "setup", "--no-test", "--authserv", "mx.other.org", text="n\n")
    assert done.exit_code == 1 and "+authserv: mx.other.org" in done.output and path.read_text() == before
    done = call(table, "setup", "--no-test", "--authserv", "mx.other.org", text="y\n")
    assert done.exit_code == 0
    assert path.read_text() == before.replace("authserv: mx.example.org", "authserv: mx.other.org")
    done = call(table, "setup", "--no-test", "--imap-port", "1993", "--yes")
    made = config.read(path)
    assert (made.imap.port, made.moderator, made.limits["mails"]) == (1993, "boss@example.net", 50)
    assert "# our table" in path.read_text() and "# how much" in path.read_text()


# --- where the password is -------------------------------------------------------------------------------------------------


def secret(table: Table, **where: str) -> str:
    return config.Config({**table.config.data, "secret": where}, table.config.path).secret()


def test_a_file_is_looked_for_beside_mail_yaml(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert secret(table, file="password") == PASSWORD


def test_what_a_command_complains_of_is_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table.folder / "token"
    path.write_text("#!/bin/sh\necho 'the refresh token has expired' >&2\nexit 1\n")
    path.chmod(0o700)
    with pytest.raises(PbemError) as problem:
        secret(table, command=str(path))
    assert "refresh token has expired" in str(problem.value.facts["what"])
    monkeypatch.setattr(config, "PATIENCE", 0.2)
    path.write_text("#!/bin/sh\nexec sleep 20\n")
    began = time.monotonic()
    assert "did not answer" in call_fault(table, str(path)) and time.monotonic() - began < 10
    assert "No such file" in call_fault(table, "/nowhere/at/all")


def call_fault(table: Table, command: str) -> str:
    config.write(table.config.path, {**table.config.data, "secret": {"command": command}})
    done = call(table, "run")
    assert done.exit_code == 1 and "fault of the program" not in done.output
    return done.output


def test_the_keyring_is_asked_if_it_is_there(table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(PbemError) as problem:
        secret(table, keyring="pbem")
    assert problem.value.key == "mail_no_keyring"
    (tmp_path / "keyring.py").write_text(
        "def get_password(service, user):\n    return {'pbem host@example.org': '" + PASSWORD + "'}[f'{service} {user}']\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert secret(table, keyring="pbem") == PASSWORD


def test_what_setup_writes_is_for_its_owner_alone(table: Table) -> None:
    assert call(table, "setup", "--no-test", "--name", "Us", "--yes").exit_code == 0
    assert stat.S_IMODE(table.config.path.stat().st_mode) == 0o600


# --- what setup asks for, and what it leaves as it is ------------------------------------------------------------------------

GIVEN = ("--address", HOST, "--imap", "i.example.org", "--smtp", "s.example.org", "--secret-env", "PW")
WHOLE = {"address": HOST, "imap": {"host": "i", "user": "us"}, "smtp": {"host": "s"}, "secret": {"env": "PW"}}


def set_up(folder: Path, *words: str, text: str = "") -> dict[str, Any]:
    """What mail.yaml says then."""
    done = CliRunner().invoke(main, ["mail", "--config", str(folder), "setup", "--no-test", "--yes", *words], input=text)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = yamlfile.load(folder / "mail.yaml")
    return found


@pytest.mark.parametrize(("typed", "secret"), [
    ("file\n\n", {"file": "password"}), ("purse\nfile\nmine\n", {"file": "mine"}), ("ENV\n\nPW\n", {"env": "PW"})])
def test_who_presses_enter_takes_what_is_usual_and_no_name_of_a_password_is_guessed(
        tmp_path: Path, typed: str, secret: dict[str, str]) -> None:
    servers = {kind: {"host": f"{kind}.example.org", "user": HOST} for kind in ("imap", "smtp")}
    assert set_up(tmp_path, text=f"{HOST}\n\n\n\n{typed}") == {
        "address": HOST, "name": "pbem", "moderator": HOST, "games": ["games/*"], "secret": secret, **servers}


def test_who_is_named_as_moderator_is_not_asked_for_again(tmp_path: Path) -> None:
    typed = f"{HOST}\n\n\nfile\n\n"
    assert set_up(tmp_path, "--moderator", "boss@example.net", text=typed)["moderator"] == "boss@example.net"


@pytest.mark.parametrize("before", ["", "imap:\nsmtp:\nsecret:\n"])
def test_a_file_that_says_nothing_yet_is_filled_in(tmp_path: Path, before: str) -> None:
    (tmp_path / "mail.yaml").write_text(before)
    made = set_up(tmp_path, *GIVEN)
    assert (made["imap"]["host"], made["smtp"]["host"], made["secret"]) == ("i.example.org", "s.example.org", {"env": "PW"})


@pytest.mark.parametrize(("words", "typed", "user", "secret"), [
    ((), "", "us", {"env": "PW"}),
    (("--user", "them"), "", "them", {"env": "PW"}),
    (("--oauth",), "", "us", {"env": "PW", "kind": "oauth"}),
    (("--oauth", "--secret-command", "token"), "", "us", {"command": "token", "kind": "oauth"}),
    (("--secret-env", "A", "--secret-file", "b"), "keyring\npbem\n", "us", {"keyring": "pbem"}),
])
def test_what_is_not_said_anew_stays(
        tmp_path: Path, words: tuple[str, ...], typed: str, user: str, secret: dict[str, str]) -> None:
    config.write(tmp_path / "mail.yaml", {**WHOLE, "games": ["ours/*"]})
    made = set_up(tmp_path, *words, text=typed)
    assert (made["imap"]["user"], made["smtp"]["user"], made["secret"]) == (user, user, secret)
    assert made["games"] == ["ours/*"] and "moderator" not in made
    assert set_up(tmp_path, "--games", "theirs", "--games", "*")["games"] == ["theirs", "*"]


def test_of_a_file_that_is_there_the_lines_are_shown_that_change_with_those_beside_them(tmp_path: Path) -> None:
    path = config.write(tmp_path / "mail.yaml", {**WHOLE, "name": "Us", "moderator": "boss@example.net"}).path
    before = path.read_text().splitlines()
    at = before.index("name: Us")
    shown = settings.difference(path, {**yamlfile.load(path), "name": "We"}).splitlines()
    assert shown[3:] == [f" {before[at - 1]}", "-name: Us", "+name: We", f" {before[at + 1]}"] and at > 1
