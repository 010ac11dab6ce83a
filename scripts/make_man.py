"""Writes docs/pbem.1, the manual page, from the help of the commands: `python scripts/make_man.py`."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from pbem import __version__
from pbem.cli.main import main

PAGE = Path(__file__).parents[1] / "docs/pbem.1"


def said(text: str) -> str:
    """Foreign text in a line of a manual page."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq").replace('"', "\\(dq")
    return re.sub(r"^\.", "\\&.", plain)


def commands(group: click.Group, path: str = "pbem") -> Iterator[tuple[str, click.Command]]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def named(argument: click.Argument) -> str:
    name = argument.metavar or (argument.name or "").upper()
    return f"{name if argument.required else f'[{name}]'}{' ...' if argument.nargs != 1 else ''}"


def value(option: click.Option) -> str:
    """What stands behind an option."""
    if option.is_flag:
        return ""
    kind = option.type
    return option.metavar or ("|".join(kind.choices) if isinstance(kind, click.Choice) else kind.name.upper())


def lines() -> Iterator[str]:
    yield from (f'.TH PBEM 1 "" "pbem {__version__}" "User Commands"', ".SH NAME",
                "pbem \\- runs games of Successors by e\\-mail or in a forum thread", ".SH SYNOPSIS", ".B pbem",
                ".I COMMAND", "[\\fIGAME\\fR] ...", ".SH DESCRIPTION")
    yield from (said(" ".join(one.split())) for one in (main.help or "").split("\n\n")[1:])
    yield ".SH COMMANDS"
    for path, command in commands(main):
        arguments = [one for one in command.params if isinstance(one, click.Argument)]
        yield ".SS " + said(" ".join([path, *map(named, arguments)]))
        text, _, example = (command.help or "").partition("Example:")
        yield from (f"{said(' '.join(one.split()))}\n.PP" for one in text.strip().split("\n\n"))
        yield from (".nf", said(" ".join(example.split())), ".fi")
        for option in command.params:
            if isinstance(option, click.Option):
                yield from (".TP", f"\\fB{said(', '.join(option.opts))}\\fR {said(value(option))}",
                            said(option.help or "") or "\\&")
    yield from (
        ".SH EXIT STATUS", "0 is fine, 1 is refused, 2 is misused. Of", ".B pbem verify",
        "3 says that the game holds, with remarks.", ".SH ENVIRONMENT",
        ".TP", ".B PBEM_MAIL", "The mail.yaml that is used.",
        ".TP", ".B PBEM_NOW", "The moment that counts as now, for trying things out.",
        ".TP", ".B PBEM_TRACE", "Set, a fault of the program is shown where it happens.", ".SH FILES",
        ".TP", ".I game.yaml", "The public log of a game; it is the game.", ".TP", ".I private.yaml",
        "What the moderator alone has.", ".TP", ".I ~/.config/pbem/box.yaml", "What the box says, for all new games.")


def written() -> str:
    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
