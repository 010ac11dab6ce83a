"""What calls the mailbox every few minutes: a line for cron, or units for systemd, that work in an empty environment."""

import shlex
import sys
from pathlib import Path

from pbem.base.errors import PbemError
from pbem.base.folder import write_whole
from pbem.mail.config import Config

UNITS = Path("~/.config/systemd/user")


def command(config: Config) -> list[str]:
    """With whole paths: neither cron nor systemd knows where anything is."""
    if (config.data.get("secret") or {}).get("env"):
        raise PbemError("schedule_env", file=str(config.path))
    return [sys.executable, "-m", "pbem", "mail", "--config", str(config.path.absolute()), "run"]


def crontab(config: Config, minutes: int) -> str:
    """A line for `crontab -e`; what a run says goes to a file beside mail.yaml."""
    log = shlex.quote(str(config.path.absolute().parent / "run.log"))
    return f"*/{minutes} * * * * {shlex.join(command(config))} >> {log} 2>&1".replace("%", r"\%")


def units(config: Config, minutes: int) -> dict[str, str]:
    """The service, and the timer that starts it."""
    words = " ".join(f'"{one}"' if " " in one else one for one in command(config)).replace("%", "%%").replace("$", "$$")
    return {
        "pbem.service": ("[Unit]\nDescription=pbem mailbox\n\n"
                         f"[Service]\nType=oneshot\nExecStart={words}\nTimeoutStartSec=15min\n"),
        "pbem.timer": (f"[Unit]\nDescription=pbem mailbox every {minutes} minutes\n\n[Timer]\nOnCalendar=*:0/{minutes}\n"
                       "Persistent=true\n\n[Install]\nWantedBy=timers.target\n"),
    }


def write_units(config: Config, minutes: int, folder: Path) -> list[Path]:
    folder = folder.expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in units(config, minutes).items():
        write_whole(folder / name, text.encode())
    return [folder / name for name in units(config, minutes)]
