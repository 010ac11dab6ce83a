"""The example games that come with the program: what there is, and a copy of one to look at and to try things on."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem.base import mirror
from pbem.base.errors import PbemError
from pbem.base.folder import protect, write_whole
from pbem.base.paths import games_dir
from pbem.log import gamelog
from pbem.play.match import Match

MAILS = "mails.yaml"                            # of a whole game: what its people sent, and when


class Sample(NamedTuple):
    """An example game, in short."""

    name: str
    title: str
    players: int
    turn: int                                   # the Game Turn in which it stands or has ended
    entries: int
    winner: str                                 # nobody where it is still played


def samples() -> Iterator[Sample]:
    """Every example, the shortest first."""
    for place in sorted(games_dir().iterdir(), key=lambda place: (place / gamelog.GAME).stat().st_size):
        game = gamelog.read_whole(place)
        match = Match(game.header)
        match.fold(game.entries, gamelog.survivors(game.entries))
        yield Sample(place.name, str(game.header["title"]), len(match.seats), match.g.turn, len(game.entries),
                     str(match.g.over.get("winner") or ""))


def opened(name: str, folder: Path) -> None:
    """A copy in a folder of its own; nothing there is written over."""
    known = [one.name for one in games_dir().iterdir()]
    if name not in known:
        raise PbemError("no_sample", text=name, known=sorted(known))
    if (folder / gamelog.GAME).exists():
        raise PbemError("demo_exists", folder=str(folder))
    laid_out(name, folder)


def laid_out(name: str, folder: Path) -> None:
    """A copy of an example as its moderator has it, its secrets for the owner only."""
    folder.mkdir(parents=True, exist_ok=True)
    protect(folder)
    for file in (gamelog.GAME, gamelog.PRIVATE, MAILS):
        if (games_dir() / name / file).exists():
            write_whole(folder / file, (games_dir() / name / file).read_bytes(),
                        gamelog.SECRET if file == gamelog.PRIVATE else None)
    mirror.follow(folder / gamelog.MIRROR, [], gamelog.read_whole(folder).lines)
