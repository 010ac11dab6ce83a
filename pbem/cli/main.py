"""The command line: parses, calls, prints. Everything heavy is imported inside the command that needs it."""

import sys
from io import TextIOWrapper

import click

from pbem import __version__
from pbem.cli import components, desk, dev, drawing, guide, look, page, start
from pbem.cli.mail import ask_for, handover, mail, paste


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pbem")
def main() -> None:
    """Runs games of Successors by e-mail or in a forum thread.

    GAME is always a folder with a game.yaml (or that file); in that folder it may be left
    out. Exit code 0 is fine, 1 is refused, 2 is misused.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")        # a terminal with fewer letters shows a mark for the others


ROOMS = (components, look, drawing, page, start, desk, guide, dev)
for command in (*(one for room in ROOMS for one in room.COMMANDS), mail, paste, ask_for, handover):
    main.add_command(command)
