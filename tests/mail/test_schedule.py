"""Called by cron or systemd, in the empty world they start in; and the copy that each run makes."""

import configparser
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from table import Table, body

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


def test_a_path_with_signs_of_its_own_stays_whole(tmp_path: Path, table: Table) -> None:
    made = config.Config(table.config.data, tmp_path / "our 100% table" / "mail.yaml")
    assert rf"'{tmp_path}/our 100\% table/mail.yaml'" in schedule.crontab(made, 10)
    assert f'"{tmp_path}/our 100%% table/mail.yaml"' in schedule.units(made, 10)["pbem.service"]


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
