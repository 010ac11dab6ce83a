"""What takes long shows on a terminal that it goes on, and nowhere else."""

import io
import os
import pty
import subprocess
import sys
import time

import pytest

from pbem.cli.progress import CLEAR, Working


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def worked(stream: io.StringIO, capsys: pytest.CaptureFixture[str], *, quiet: bool = False, after: float = 0.005) -> str:
    with Working("verify", quiet, stream=stream, after=after) as work:
        for _ in work.counted(range(3), 3):
            time.sleep(0.02)
        work.echo("said meanwhile")
        time.sleep(0.02)
    assert capsys.readouterr().out == "said meanwhile\n"
    return stream.getvalue()


def test_a_terminal_shows_how_far_it_is_and_is_left_clean(capsys: pytest.CaptureFixture[str]) -> None:
    told = worked(Terminal(), capsys)
    assert "pbem verify  0 s  3/3" in told and told.endswith(CLEAR)
    assert "\033" not in told.replace(CLEAR, "")           # no colours, whatever NO_COLOR says


def test_pipes_quiet_and_what_is_quick_show_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert worked(io.StringIO(), capsys) == worked(Terminal(), capsys, quiet=True) == worked(Terminal(), capsys, after=5) == ""


def test_a_command_at_a_real_terminal_says_what_it_works_on() -> None:
    """The line goes to the terminal, the result into the pipe, without a mark of the line in it."""
    code = ("import sys, time; import pbem.cli.progress as p; p.AFTER = 0.01\n"
            "with p.Working('verify', after=0.01) as work:\n    time.sleep(0.1)\nprint('right')")
    leader, follower = pty.openpty()
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=follower, check=True)
    os.close(follower)
    assert done.stdout == b"right\n" and b"pbem verify  0 s" in os.read(leader, 10_000)
    os.close(leader)
