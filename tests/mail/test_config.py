"""mail.yaml: what it has to say, and where the password is looked for."""

from pathlib import Path
from typing import Any

import pytest

from pbem.base.errors import PbemError
from pbem.mail import config

PLAIN: dict[str, Any] = {"address": "host@example.org", "imap": {"host": "i", "user": "u"}, "smtp": {"host": "s"}}


def refused(folder: Path, **said: Any) -> PbemError:
    with pytest.raises(PbemError) as caught:
        config.write(folder / "mail.yaml", {**PLAIN, **said})
    assert not (folder / "mail.yaml").exists()
    return caught.value


@pytest.mark.parametrize(("said", "key"), [
    ({"imap": {}}, "server_incomplete"), ({"smtp": {"host": "s", "tls": "none"}}, "server_incomplete"),
    ({"adress": "x"}, "unknown_setting"), ({"address": ""}, "no_plain_address"),
    ({"address": "host at example.org"}, "no_plain_address"), ({"address": "a@b@example.org"}, "no_plain_address"),
    ({"pages": "example.org"}, "no_web_address"), ({"pages": "https://example.org/{seat}"}, "no_web_address"),
    ({"address": "Host <host@example.org>"}, "no_plain_address"), ({"address": "a b@example.org"}, "no_plain_address"),
])
def test_what_is_wrong_in_it_is_told_before_it_is_written(tmp_path: Path, said: dict[str, Any], key: str) -> None:
    assert refused(tmp_path, **said).key == key


def test_what_is_not_said_is_as_usual(tmp_path: Path) -> None:
    made = config.write(tmp_path / "mail.yaml", PLAIN)
    assert (made.imap.port, made.smtp.port, made.imap.folder, made.name) == (993, 587, "INBOX", "pbem")
    assert made.limits == config.LIMITS and made.folder == tmp_path / "mailbox"
    assert (tmp_path / "mail.yaml").stat().st_mode & 0o777 == 0o600
    assert made.domain == "example.org" and made.plus("red-7") == "host+red-7@example.org"


@pytest.mark.parametrize(("secret", "key"), [
    ({}, "secret_nowhere"), ({"env": "PBEM_NO_SUCH_NAME"}, "mail_no_secret"), ({"file": "/nowhere/password"}, "mail_no_secret"),
    ({"command": "false"}, "mail_secret_command"), ({"command": "true"}, "mail_secret_command"),
    ({"command": "sh -c 'echo pw; false'"}, "mail_secret_command"),
])
def test_without_a_password_nobody_logs_in(tmp_path: Path, secret: dict[str, str], key: str) -> None:
    made = config.write(tmp_path / "mail.yaml", {**PLAIN, "secret": secret})
    with pytest.raises(PbemError) as caught:
        made.secret()
    assert caught.value.key == key


def test_a_password_may_stand_in_the_environment_or_in_a_file_or_be_printed(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLE_PASSWORD", "pw")
    (tmp_path / "password").write_text("pw\n")
    (tmp_path / "password").chmod(0o600)
    for secret in ({"env": "TABLE_PASSWORD"}, {"file": str(tmp_path / "password")}, {"command": "echo 'pw'"}):
        assert config.write(tmp_path / "mail.yaml", {**PLAIN, "secret": secret}).secret() == "pw"


def test_it_is_found_where_it_is_named_here_or_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "games" / "one"
    here.mkdir(parents=True)
    config.write(tmp_path / "mail.yaml", PLAIN)
    monkeypatch.delenv("PBEM_MAIL", raising=False)
    monkeypatch.chdir(here)
    assert config.find() == config.find(tmp_path) == config.find(tmp_path / "mail.yaml") == tmp_path / "mail.yaml"
    monkeypatch.setenv("PBEM_MAIL", "/elsewhere/mail.yaml")
    assert config.find() == Path("/elsewhere/mail.yaml")
    with pytest.raises(PbemError, match="mail not set up"):
        config.read()
