"""Is the private file, which keeps what the log promises, where it should be?"""

from pathlib import Path

from pbem.base.errors import NotNow
from pbem.log import gamelog

HEAD = "head.txt"           # stands in a published copy alone


def is_copy(folder: Path) -> bool:
    """The published copy of a game: it never had a private file."""
    return (folder / HEAD).exists() and not (folder / gamelog.PRIVATE).exists()


def is_kept(game: gamelog.GameFile) -> bool:
    """Is what the log promises kept by somebody? Once the deck is opened nothing is left to keep."""
    return "deck" in (game.header.get("chance") or {}) and not game.is_opened


def lacks_private(game: gamelog.GameFile) -> bool:
    """The file that keeps the promise of the log is not here."""
    return not game.path.with_name(gamelog.PRIVATE).exists() and is_kept(game)


def private_is_gone(game: gamelog.GameFile) -> bool:
    """It is missing where the log is written; whoever has a copy of the log never had one."""
    return lacks_private(game) and game.path.with_name(gamelog.MIRROR).exists() and not is_copy(game.path.parent)


def judge_private(game: gamelog.GameFile) -> None:
    """Nothing is drawn, sealed or kept where the secrets should be and are not: a new file would hide that they are gone."""
    if lacks_private(game):
        raise NotNow("private_gone", file=str(game.path.with_name(gamelog.PRIVATE)))
