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
    ({"imap": {}}, "server_incomplete"), ({"imap": None}, "server_incomplete"), ({"smtp": None}, "server_incomplete"),
    ({"imap": "i"}, "server_incomplete"), ({"imap": {"host": "i", "port": "many"}}, "server_incomplete"),
    ({"smtp": {"host": "s", "tls": "none", "port": 25}}, "server_incomplete"),
    ({"address": None}, "no_plain_address"), ({"address": "host,x@example.org"}, "no_plain_address"),
    ({"smtp": {"host": "s", "tls": "none"}}, "server_incomplete"),
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


def test_what_is_said_is_taken(tmp_path: Path) -> None:
    made = config.Config({
        "address": "host@example.org", "name": "Us", "moderator": "boss@example.net", "authserv": "mx", "cafile": "ca",
        "imap": {"host": "i", "user": "u", "port": 10, "tls": "starttls", "folder": "Games", "done": "Done"},
        "smtp": {"host": "s", "user": "v", "port": "20", "tls": "tls"}, "limits": {"mails": 7}, "state": "box",
        "secret": {"kind": "oauth"}, "pictures": "no", "pages": "https://example.org/{game}/"}, tmp_path / "mail.yaml")
    assert [(one.host, one.user, one.port, one.tls, one.folder, one.done) for one in (made.imap, made.smtp)] == [
        ("i", "u", 10, "starttls", "Games", "Done"), ("s", "v", 20, "tls", "INBOX", "")]
    assert (made.name, made.moderator, made.authserv, made.cafile, made.pictures, made.is_oauth, made.page("small")) == (
        "Us", "boss@example.net", "mx", "ca", False, True, "https://example.org/small/")
    assert made.folder == tmp_path / "box" and made.limits == {**config.LIMITS, "mails": 7}
    usual = config.Config({**PLAIN, "limits": None, "secret": None, "name": None, "pages": None}, tmp_path / "mail.yaml")
    assert (usual.name, usual.moderator, usual.authserv, usual.cafile, usual.pictures, usual.is_oauth, usual.page("small")) == (
        "pbem", "", "", "", True, False, "")
    assert (usual.imap.user, usual.smtp.user, usual.imap.done, usual.limits) == ("u", "", "", config.LIMITS)
    with pytest.raises(PbemError, match="secret nowhere"):
        usual.secret()


def test_which_games_are_played_through_it(tmp_path: Path) -> None:
    for name in ("games/b", "games/a", "other/c", "games/none"):
        (tmp_path / name).mkdir(parents=True)
        if not name.endswith("none"):
            (tmp_path / name / "game.yaml").touch()
    a, b, c = tmp_path / "games" / "a", tmp_path / "games" / "b", tmp_path / "other" / "c"
    usual, said = (config.Config({**PLAIN, **more}, tmp_path / "mail.yaml") for more in (
        {}, {"games": ["other/*", "games/a", "games/*"]}))
    assert (usual.games(), said.games()) == ([a, b], [c, a, b])
    assert said.games((b, c / "game.yaml")) == [b, c]


@pytest.mark.parametrize(("said", "beside"), [
    ({}, []), ({"state": "box"}, ["/box"]), ({"state": "."}, []), ({"state": "/elsewhere"}, []),
    ({"secret": {"file": "password"}, "backup": {"file": "../copy"}}, ["/password"]),
    ({"secret": {"env": "X"}, "backup": {"file": "copies/mail"}}, ["/copies/mail"])])
def test_what_lies_beside_it_is_kept_from_others(tmp_path: Path, said: dict[str, Any], beside: list[str]) -> None:
    assert config.Config({**PLAIN, **said}, tmp_path / "mail.yaml").beside == beside


def test_what_is_changed_in_it_keeps_the_rest_with_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "mail.yaml"
    assert config.text_of({"name": "Us"}, path) == "name: Us\n"
    path.write_text("")
    assert config.text_of({"name": "Us"}, path) == "name: Us\n"
    path.write_text('"name": Us\n')
    assert config.text_of({"name": "Us"}, path) == "name: Us\n"
    path.write_text("# ours\n\n# who we are\nname: Us   # all of us\nimap:\n  # new\n  host: i\n")
    assert config.text_of({"name": "Us", "imap": {"host": "j"}, "state": "box"}, path) == (
        "# ours\n\n# who we are\nname: Us   # all of us\n# new\nimap: {host: j}\nstate: box\n")


@pytest.mark.parametrize(("text", "key"), [("- a\n", "no_mapping"), ("", "no_plain_address")])
def test_a_file_that_says_something_else_is_refused(tmp_path: Path, text: str, key: str) -> None:
    (tmp_path / "mail.yaml").write_text(text)
    with pytest.raises(PbemError) as caught:
        config.read(tmp_path)
    assert caught.value.key == key and caught.value.facts.get("line", 1) == 1


def test_a_password_that_others_can_read_is_none(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("pw")
    for mode, key in ((0o640, "mail_secret_open"), (0o604, "mail_secret_open"), (0o601, "mail_secret_open"), (0o600, "")):
        (tmp_path / "password").chmod(mode)
        made = config.Config({**PLAIN, "secret": {"file": "password"}}, tmp_path / "mail.yaml")
        try:
            assert made.secret() == "pw" and not key
        except PbemError as problem:
            assert problem.key == key


def test_what_a_command_says_of_its_failure_is_told_or_how_it_ended(tmp_path: Path) -> None:
    for command, what in (("sh -c 'echo no luck >&2; exit 3'", "no luck"), ("false", "exit 1")):
        with pytest.raises(PbemError) as caught:
            config.Config({**PLAIN, "secret": {"command": command}}, tmp_path / "mail.yaml").secret()
        assert caught.value.facts["what"] == what


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
