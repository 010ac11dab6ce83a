"""The command line in this process, as a person types it."""

from collections.abc import Iterator

import click
from click.testing import CliRunner, Result

from pbem.cli.main import main


def pbem(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(one) for one in words])
    assert result.exit_code == code, (result.output, result.exception)
    return result


def said(*words: object, code: int = 0) -> str:
    return pbem(*words, code=code).output


def commands(group: click.Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Each command with the words that call it."""
    for name, one in sorted(group.commands.items()):
        if isinstance(one, click.Group):
            yield from commands(one, (*path, name))
        else:
            yield (*path, name), one
