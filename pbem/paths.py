"""Where the files lie that come with the program: in an installed package, and beside it in a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def templates_dir() -> Path:
    """The sentences and the layouts of reports."""
    return _shipped("templates")


def games_dir() -> Path:
    """The example games of `pbem demo`."""
    return _shipped("games")


def data_dir() -> Path:
    """Board, cards, generals, fleets and tables."""
    return PACKAGE / "data"


def _shipped(name: str) -> Path:
    beside = PACKAGE.parent / name
    # A wheel has them inside the package; in a checkout they stand at the top level, where people look.
    return beside if (PACKAGE.parent / "pyproject.toml").is_file() else PACKAGE / name
