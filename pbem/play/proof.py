"""What a player needs to check a game without this program: the log as data, and the page that checks it."""

from pbem.base.paths import data_dir
from pbem.log.gamelog import GameFile

PAGE, LOG = "verifier.html", "proof.json"
PLACE = '<script type="application/json" id="inside">'


def log_text(game: GameFile) -> str:
    """The log as docs/chance.md has it: JSON, header and entries in canonical form, a line each."""
    header, *entries = (line.decode() for line in game.lines)
    return header[:-1] + ',"log":[\n' + ",\n".join(entries) + "\n]}\n"


def page() -> str:
    """The same for every game, byte for byte: its SHA-256 stands in the README."""
    return (data_dir() / PAGE).read_text("utf-8")


def with_log(game: GameFile) -> str:
    """The page with a log in it, which says of itself that this is only a convenience."""
    before, _, after = page().partition(PLACE)
    return before + PLACE + log_text(game).replace("<", "\\u003c") + after
