"""The command line: parses, calls, prints. A command is imported when it is named, and what is heavy inside it."""

import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from io import TextIOWrapper

import click

from pbem import __version__

# Where the commands are: of each module its `COMMANDS`, by their names.
ROOMS = {name: words.split() for name, words in {
    "components": "components",
    "look": "status report posted log options odds rules verify proof publish",
    "drawing": "position diff map plot",
    "page": "page",
    "start": "new begin seed",
    "desk": "order check file reserve run undo ruling amend mend rebase note hold resume blind seat draw",
    "guide": "guide tutorial",
    "dev": "demo games dev",
    "mail": "mail paste ask handover",
}.items()}


class Commands(MutableMapping[str, click.Command]):
    """All commands by name; each module is imported when one of its own is asked for."""

    def __init__(self) -> None:
        self.room = {word: name for name, words in ROOMS.items() for word in words}
        self.known: dict[str, click.Command] = {}

    def __getitem__(self, word: str) -> click.Command:
        if word not in self.known:
            self.known |= {str(one.name): one for one in import_module(f"pbem.cli.{self.room[word]}").COMMANDS}
        return self.known[word]

    def __setitem__(self, word: str, command: click.Command) -> None:
        self.room[word], self.known[word] = "", command

    def __delitem__(self, word: str) -> None:
        del self.room[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self.room)

    def __len__(self) -> int:
        return len(self.room)


@click.group(commands=Commands(), context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pbem")
def main() -> None:
    """Runs games of Successors by e-mail or in a forum thread.

    GAME is always a folder with a game.yaml (or that file); in that folder it may be left
    out. Exit code 0 is fine, 1 is refused, 2 is misused.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")        # a terminal with fewer letters shows a mark for the others
