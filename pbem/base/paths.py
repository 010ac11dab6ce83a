"""Where the files lie that come with the program: in a package, or beside it in a checkout; and what a game keeps where."""

from pathlib import Path

ENGLISH = "en"
PACKAGE = Path(__file__).resolve().parents[1]
PASTED = "out", "paste"                 # in the folder of a game: what is pasted by hand


def templates_dir() -> Path:
    """The sentences and the layouts of reports."""
    return _shipped("templates")


def languages() -> list[str]:
    """Every language in which there are sentences: a folder of them is all that a new one needs."""
    return sorted(path.name for path in templates_dir().iterdir() if (path / "events.yaml").is_file())


def spoken(wish: object) -> str:
    """The language that a reader wishes, or English until there are sentences in it."""
    return str(wish) if wish and wish != ENGLISH and wish in languages() else ENGLISH


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
