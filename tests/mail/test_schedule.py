"""Called by cron or systemd, in the empty world they start in; and the copy that each run makes."""

import configparser
import shlex
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from table import Table, Unconnected, body

from pbem.base.errors import PbemError
from pbem.cli.main import main
from pbem.mail import backup, config, schedule

BARE = {"HOME": "/", "LOGNAME": "nobody", "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin"}


def call(table: Table, *words: object) -> str:
    done = CliRunner().invoke(main, ["mail", "--config", str(table.config.path), *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.stdout


def started_by(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=BARE, cwd="/", capture_output=True, text=True, check=False)


def test_the_line_for_cron_works_as_it_was_written(table: Table) -> None:
    config.write(table.config.path, {**table.config.data, "secret": {"file": "password"}})
    when, line = call(table, "schedule", "--every", "7").strip().split(" * * * * ")
    assert when == "*/7"
    done = started_by(["/bin/sh", "-c", line.replace(r"\%", "%")])
    log = (table.folder / "run.log").read_text()
    assert done.returncode == 0 and done.stdout == "" and "0 fetched" in log and " sent" in log, log
    assert "orders for the Activation Segment" in str(table.last("red")["Subject"]) and body(table.last("red"))


def test_the_units_for_systemd_work_as_they_were_written(table: Table, tmp_path: Path) -> None:
    shown = call(table, "schedule", "--systemd", tmp_path / "units").split()
    assert [Path(one).name for one in shown] == ["pbem.service", "pbem.timer"]
    service, timer = configparser.ConfigParser(interpolation=None), configparser.ConfigParser(interpolation=None)
    service.optionxform = timer.optionxform = str  # type: ignore[assignment, method-assign]
    service.read(shown[0])
    timer.read(shown[1])
    done = started_by(shlex.split(service["Service"]["ExecStart"]))
    assert done.returncode == 0 and " sent" in done.stdout, done.stderr
    assert timer["Timer"]["OnCalendar"] == "*:0/10" and timer["Install"]["WantedBy"] == "timers.target"


def test_where_there_is_no_environment_no_password_comes_from_it(table: Table) -> None:
    made = config.Config({**table.config.data, "secret": {"env": "PASSWORD"}}, table.config.path)
    with pytest.raises(PbemError) as problem:
        schedule.crontab(made, 10)
    assert problem.value.key == "schedule_env"


def test_a_path_with_signs_of_its_own_stays_whole(tmp_path: Path, quiet: Unconnected) -> None:
    made = config.Config({**quiet.config.data, "secret": None}, tmp_path / "our 100% table" / "mail.yaml")
    assert rf"'{tmp_path}/our 100\% table/mail.yaml'" in schedule.crontab(made, 10)
    service = schedule.units(made, 10)["pbem.service"]
    assert f'ExecStart="{sys.executable}" ' not in service and f'"{tmp_path}/our 100%% table/mail.yaml"' in service


# --- the copy ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def copied(table: Table, tmp_path: Path) -> Table:
    """A mailbox that copies itself after each run."""
    (tmp_path / "phrase").write_text("open sesame")
    how = f"openssl enc -aes-256-cbc -pbkdf2 -pass file:{tmp_path / 'phrase'}"
    wanted = {"file": str(tmp_path / "copy"), "encrypt": how, "decrypt": f"{how} -d"}
    table.config = config.write(table.config.path, {**table.config.data, "backup": wanted})
    return table


def test_after_each_run_there_is_a_copy_that_nobody_else_reads_and_that_brings_all_back(copied: Table, tmp_path: Path) -> None:
    copied.started()
    copied.reply("red", "roll\nmarch Antigonos > Ephesos")
    copied.run()
    copied.reply("blue", "pass")
    copied.run()
    private, ledger = copied.game / "private.yaml", copied.config.folder / "ledger.jsonl"
    before = private.read_bytes(), ledger.read_bytes()
    copy = tmp_path / "copy"
    assert b"anna@example.com" not in copy.read_bytes() and copy.stat().st_mode & 0o077 == 0
    private.unlink()
    ledger.unlink()
    shown = call(copied, "restore", copy)
    assert str(private) in "".join(shown.split()) and (private.read_bytes(), ledger.read_bytes()) == before
    assert private.stat().st_mode & 0o077 == 0
    assert "Nothing was missing" in call(copied, "restore", copy)
    copied.reply("yellow", "pass")
    copied.run()
    assert any("close" in entry for entry in copied.log())


def test_what_is_there_is_never_overwritten(copied: Table, tmp_path: Path) -> None:
    copied.started()
    (copied.game / "private.yaml").write_text("tray: 1\n")
    assert backup.restore(copied.config, copied.config.games(), tmp_path / "copy") == []


def test_a_copy_that_fails_is_told_and_the_run_is_done(copied: Table) -> None:
    copied.config.data["backup"]["encrypt"] = "openssl enc -no-such-word"
    summary = copied.run()
    assert summary.failed and "the copy failed" in summary.text() and copied.subjects("red") != []
    copied.config.data["backup"].pop("encrypt")
    assert "nothing is copied in clear" in copied.run().text()


@pytest.fixture
def in_clear(quiet: Unconnected) -> Unconnected:
    """A mailbox whose copy a test can look into."""
    quiet.config = config.write(quiet.config.path, {**quiet.config.data, "backup": {"encrypt": "cat", "decrypt": "cat"}})
    quiet.started()
    quiet.reply("red", "roll")
    quiet.run()
    return quiet


def test_what_is_there_is_copied_beside_mail_yaml(in_clear: Unconnected) -> None:
    copy = backup.copy(in_clear.config, in_clear.config.games())
    assert copy == in_clear.folder / "pbem.backup" and copy.stat().st_mode & 0o777 == 0o600
    with tarfile.open(copy) as found:
        assert found.getnames() == ["small/private.yaml", "mailbox/ledger.jsonl", "mailbox/state.json"]
    for lost in (in_clear.game / "private.yaml", in_clear.config.folder / "state.json"):
        lost.unlink()
    backup.copy(in_clear.config, in_clear.config.games())
    with tarfile.open(copy) as found:
        assert found.getnames() == ["mailbox/ledger.jsonl"]


def test_a_copy_lies_where_it_is_wanted(in_clear: Unconnected, monkeypatch: pytest.MonkeyPatch) -> None:
    (in_clear.folder / "home").mkdir()
    monkeypatch.setenv("HOME", str(in_clear.folder / "home"))
    in_clear.config.data["backup"]["file"] = "~/copy"
    assert backup.copy(in_clear.config, []) == in_clear.folder / "home/copy"
    del in_clear.config.data["backup"]["encrypt"]
    with pytest.raises(PbemError) as problem:
        backup.copy(in_clear.config, [])
    assert problem.value.key == "backup_no_command"


def test_nothing_is_copied_where_nobody_wants_it(quiet: Unconnected) -> None:
    assert backup.copy(quiet.config, quiet.config.games()) is None
    with pytest.raises(PbemError) as problem:
        backup.restore(quiet.config, quiet.config.games(), quiet.config.path)
    assert problem.value.key == "backup_no_command"


def test_of_a_copy_only_the_files_that_are_missing_here_are_taken(in_clear: Unconnected) -> None:
    config_, games, source = in_clear.config, in_clear.config.games(), in_clear.folder / "copy"
    ledger, private = config_.folder / "ledger.jsonl", in_clear.game / "private.yaml"
    private.unlink()
    with tarfile.open(source, "w:gz") as packet:
        for name, kind in (("small/private.yaml", tarfile.SYMTYPE), ("mailbox/ledger.jsonl", tarfile.REGTYPE),
                           ("mailbox/other", tarfile.REGTYPE), ("../outside", tarfile.REGTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "nowhere"
            packet.addfile(info)
    assert backup.restore(config_, games, source) == [] and not private.exists()
    ledger.unlink()
    assert backup.restore(config_, games, source) == [ledger] and ledger.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("command", "what"), [
    ("sh -c 'echo no luck >&2; exit 3'", "no luck"), ("sh -c 'echo half; exit 3'", "exit 3"), ("true", "exit 0"),
    ("no-such-program", "No such file"), ("cat 'it", "quotation")])
def test_of_a_program_that_fails_nothing_is_kept_and_what_it_says_is_told(
        in_clear: Unconnected, command: str, what: str) -> None:
    in_clear.config.data["backup"]["encrypt"] = command
    with pytest.raises(PbemError) as problem:
        backup.copy(in_clear.config, in_clear.config.games())
    assert problem.value.key == "backup_failed" and what in problem.value.facts["what"]
    assert not (in_clear.folder / "pbem.backup").exists()


def test_what_a_program_makes_of_a_copy_has_to_be_a_packet(in_clear: Unconnected) -> None:
    with pytest.raises(PbemError) as problem:
        backup.restore(in_clear.config, in_clear.config.games(), in_clear.config.path)
    assert problem.value.key == "backup_failed"
