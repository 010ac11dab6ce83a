"""`pbem mail`, `pbem paste` and `pbem handover` as a person types them."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from table import HOST, PASSWORD, Table, body

from pbem.cli import mail


def test_mails_for_a_game_whose_private_file_is_lost_wait_until_it_is_back(table: Table) -> None:
    table.started()
    kept = table.folder / "kept"
    (table.game / "private.yaml").rename(kept)
    table.reply("red", "roll")
    done = table.run()
    assert done.failed and "private.yaml is missing" in done.text() and table.states() == ["received"]
    kept.rename(table.game / "private.yaml")
    table.run()
    assert table.did() == ["roll"] and table.states() == ["applied"]


def call(table: Table, *words: str, entry: click.Command = mail.mail, **more: object) -> Result:
    options = ["--config", str(table.config.path)] if entry is mail.mail else []
    env = {"PBEM_NOW": table.now.isoformat()}
    return CliRunner().invoke(entry, [*options, *map(str, words)], env=env, **more)  # type: ignore[arg-type]


def test_setup_tests_the_login_and_writes_no_secret(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.config.path.unlink()
    monkeypatch.setenv("TABLE_PASSWORD", PASSWORD)
    words = [
        "setup",
        "--imap",
        "localhost",
        "--imap-port",
        table.imap.ssl_port,
        "--smtp",
        "localhost",
        "--smtp-port",
        table.smtp.port,
        "--address",
        HOST,
        "--cafile",
        table.imap.cafile,
    ]
    assert call(table, *words).exit_code == 2
    done = call(table, *words, "--secret-env", "TABLE_PASSWORD")
    assert done.exit_code == 0, done.output
    for said in ("INBOX is there", "takes mail from host@example.org", "was back after", "Plus addresses", "clocks", "senders"):
        assert said in done.output
    text = table.config.path.read_text()
    assert "env: TABLE_PASSWORD" in text and PASSWORD not in text
    assert table.config.path.stat().st_mode & 0o077 == 0
    assert call(table, "run").exit_code == 0


def test_setup_with_a_wrong_password_writes_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.config.path.unlink()
    monkeypatch.setenv("TABLE_PASSWORD", "no")
    done = call(
        table,
        "setup",
        "--imap",
        "localhost",
        "--imap-port",
        table.imap.ssl_port,
        "--smtp",
        "localhost",
        "--address",
        HOST,
        "--cafile",
        table.imap.cafile,
        "--secret-env",
        "TABLE_PASSWORD",
    )
    assert done.exit_code == 1 and "is not let in. Look at user and password" in done.output and not table.config.path.exists()


def test_run_tells_what_it_did_and_fails_when_the_server_is_not_there(table: Table) -> None:
    done = call(table, "run")
    assert done.exit_code == 0 and "0 fetched" in done.output and "sent" in done.output
    table.reply("red", "roll")
    assert "1 fetched; 1 applied" in call(table, "poll").output
    assert "sent" in call(table, "send").output
    (table.folder / "password").write_text("wrong")
    done = call(table, "run")
    assert done.exit_code == 1 and "Traceback" not in done.output


def test_without_a_configuration_the_way_to_one_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(mail.mail, ["--config", str(tmp_path / "none.yaml"), "run"])
    assert done.exit_code == 1 and "pbem mail setup" in done.output


def test_a_quarantined_mail_is_no_failure_and_is_shown_released_or_rejected(table: Table) -> None:
    table.started()
    for _ in range(2):
        table.post("red", "roll", answers=table.last("red"), sender="phone@example.net")
    done = call(table, "run")
    assert done.exit_code == 0 and "2 held" in done.output
    status = call(table, "status").output
    assert "held 1: phone@example.net" in status and "pbem mail show 1" in status
    found = json.loads(call(table, "status", "--json").output)
    assert [row["n"] for row in found["held"]] == [1, 2]
    assert "roll" in call(table, "show", "1").output
    assert call(table, "release", "1", "--seat", "red").output == "applied\n"
    assert table.did() == ["roll"]
    table.run()
    assert "The moderator let this mail through." in "\n".join(
        str(one.get_content()) for one in table.last("red", "received").iter_parts()
    )
    assert "dealt with before" in call(table, "release", "1").output
    assert "dealt with before" in call(table, "reject", "1").output and table.states() == ["applied", "held"]
    told = call(table, "release", "2", "--game", "small", "--seat", "green").output
    assert "nobody can tell whose mail" in told and table.did() == ["roll"]
    assert call(table, "reject", "2").output == "rejected\n"
    assert "no mail x99" in call(table, "show", "x99").output


def test_a_stranger_who_wants_the_reports_gets_them_when_released(table: Table) -> None:
    table.started()
    table.post("fan@example.net", "observe", subject="[small]")
    table.run()
    assert call(table, "release", "1").exit_code == 0
    table.run()
    assert [one for one in table.smtp.messages if one.recipients == ["fan@example.net"]]


def test_preview_sends_and_writes_nothing(table: Table) -> None:
    before = {path: path.read_bytes() for path in table.folder.rglob("*") if path.is_file()}
    done = call(table, "preview", "--full")
    assert "anna@example.com: [small" in done.output and "You may order now" in done.output
    assert table.smtp.messages == []
    assert {path: path.read_bytes() for path in table.folder.rglob("*") if path.is_file()} == before


def test_read_shows_how_a_mail_is_understood(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "one.eml"
    path.write_bytes(table.write("red", "roll\n\n> quoted"))
    found = json.loads(call(table, "read", str(path), "--json").output)["mails"]
    assert found[0]["class"] == "human" and found[0]["lines"] == ["roll"]
    assert "roll" in call(table, "read", str(path)).output


def test_addresses_and_observers_are_kept_in_the_private_file(table: Table) -> None:
    assert call(table, "address", table.game, "red", "new@example.com", "second@example.com").exit_code == 0
    assert table.desk().addresses("red") == ["new@example.com", "second@example.com"]
    assert "new@example.com" not in (table.game / "game.yaml").read_text()
    assert call(table, "address", table.game, "purple", "x@example.com").exit_code == 1
    assert "fan@example.net" in call(table, "observer", table.game, "fan@example.net").output
    assert "Nobody besides" in call(table, "observer", table.game, "fan@example.net", "--remove").output


def test_what_letters_a_game_allows_is_said_and_shown(table: Table) -> None:
    assert "5 a day and seat, at once, never without a name. Sent so far: none" in call(table, "press", table.game).output
    told = call(table, "press", table.game, "--daily", "3", "--when", "held", "--anonymous", "yes").output
    assert "3 a day and seat, with the next report, also without a name" in told
    assert "not carried" in call(table, "press", table.game, "--off", "yes").output
    table.started()
    table.reply("blue", "press red: hello")
    table.run()
    assert "are not carried in this game" in body(table.last("blue", "received"))
    call(table, "press", table.game, "--off", "no")
    table.reply("blue", "press green: hello")
    table.run()
    assert "there are Red, Yellow and Black" in " ".join(body(table.last("blue", "received")).split())


def test_two_people_on_a_seat_both_get_the_question_and_either_may_answer(table: Table) -> None:
    call(table, "address", table.game, "red", "anna@example.com", "dora@example.com")
    table.started()
    assert sum("T2.R1.red.1" in one for one in table.subjects("black")) == 1
    table.post("black", "roll", answers=table.last("black", "T2.R1.red.1"))
    table.run()
    assert table.did() == ["roll"]


def test_rebuild(table: Table) -> None:
    table.started()
    table.reply("red", "roll")
    table.run()
    assert call(table, "rebuild").output == "1 mail\n"
    assert table.states() == ["applied"]


def test_paste_and_handover(table: Table, tmp_path: Path) -> None:
    done = call(table, str(table.game), "red", "--post", "12", entry=mail.paste, input="so: [b]roll[/b]")
    assert done.exit_code == 0 and table.did() == ["roll"]
    assert call(table, str(table.game), "red", entry=mail.paste).exit_code == 2
    assert "Nothing is to be pasted" in call(table, str(table.game), entry=mail.paste).output
    packet = tmp_path / "p.tar.gz"
    assert call(table, str(table.game), "-o", packet, entry=mail.handover).exit_code == 0
    target = tmp_path / "new"
    target.mkdir()
    assert call(table, str(target), "--open", packet, entry=mail.handover).exit_code == 0


def walk(command: click.Command) -> list[click.Command]:
    return [one for part in command.commands.values() for one in walk(part)] if isinstance(command, click.Group) else [command]


@pytest.mark.parametrize("command", [*walk(mail.mail), mail.paste, mail.handover], ids=lambda one: str(one.name))
def test_every_command_has_an_example(command: click.Command) -> None:
    assert "Example:  pbem " in (command.help or "")


def test_who_plays_reads_no_mail_of_others(table: Table) -> None:
    """`pbem blind`: what would be sent to others, and what they sent, is not shown."""
    from at_the_shell import pbem

    pbem("blind", table.game, "blue")
    told = call(table, "preview", "--full").output
    assert "anna@example.com" in told and "You may order now" not in told
    pbem("blind", table.game, "red")
    assert "You may order now" in call(table, "preview", "--full").output
