"""The board in mails: a picture, one a report, each distinct one painted once a run; words for whoever sees none.

What is drawn is what everybody knows. Pictures lie beside the outbox until the last mail that shows them has gone out.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.base.errors import PbemError
from pbem.desk.desk import Desk
from pbem.desk.tray import SeatSettings
from pbem.mail import body
from pbem.mail.body import Piece
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.sentences import mailed
from pbem.telling.formats import LETTER, css
from pbem.telling.words import Words

if TYPE_CHECKING:
    from pbem.drawing.drawn import Drawn

PLOT = 900                                      # pixels
SOMEWHERE = "https://.../"                      # where a forum's readers can fetch a picture
ON, OFF, FOCUS = WISHES = ("on", "off", "focus")
PICTURES = ("map", "plot")                       # what lies beside a post, each with its line in the list
Place = tuple[str, str]                         # a kind, region, province or space, and its id


def wanted(desk: MailDesk, config: Config, seat: str) -> str:
    """Does a seat have a map in its reports: of the whole board, of where something has happened, or none?"""
    return desk.tray.settings.get(seat, SeatSettings()).map if config.pictures else OFF


def in_report(desk: MailDesk, config: Config, said: Words, seat: str, since: int) -> Piece:
    """The map of a report, with the numbers that stand in its story; where to find more of it."""
    wish = wanted(desk, config, seat)
    if wish == OFF:
        return body.NOTHING
    board = shown(desk, said, since, where(desk, since) if wish == FOCUS else None)
    return body.together([board, course(desk, said)]) if board.pictures and desk.match.g.over else board


def course(desk: MailDesk, said: Words) -> Piece:
    """How VP and L went: at the end of the game."""
    made, picture = desk.once(("plot", said.language), lambda: plotted(desk, said))
    return pictured(desk, made, picture, body.piece_of(mailed(said, "plot_here", name=f"{name_of(made, picture)}.png")))


def shown(desk: MailDesk, said: Words, since: int | None, focus: Place | None) -> Piece:
    """A picture with its text alternative, and a line about it for whoever reads text."""
    try:
        made, picture = desk.once(("map", said.language, since, focus), lambda: painted(desk, said, since, focus))
    except PbemError:                           # nothing here that paints: there are the words
        return body.apart(body.piece_of(mailed(said, "map_words")))
    return pictured(desk, made, picture, body.piece_of(mailed(said, "map_here", name=f"{name_of(made, picture)}.png")))


def pictured(desk: MailDesk, made: "Drawn", picture: bytes, line: Piece) -> Piece:
    """The picture, and a line about it."""
    name = name_of(made, picture)
    desk.pictures[name] = picture
    image = f'<p{css("p")}><img src="cid:{name}@pbem" alt="{LETTER.escape(made.sentence)}" width="100%"{css("map")}></p>'
    return body.apart(Piece(line.text, f"{image}\n{line.html}", (name,)))


def name_of(made: "Drawn", picture: bytes) -> str:
    """Of one name there is one picture."""
    return f"{made.name}-{hashlib.sha256(picture).hexdigest()[:8]}"


def painted(desk: MailDesk, said: Words, since: int | None, focus: Place | None) -> "tuple[Drawn, bytes]":
    from pbem.drawing.drawn import drawn

    log = desk.game
    made = drawn(desk.match, said, title=str(log.header.get("title") or log.header["game"]), entry=len(log.entries),
                 head=log.head(), since=since, focus=focus)
    return made, made.png()


def plotted(desk: MailDesk, said: Words) -> "tuple[Drawn, bytes]":
    from pbem.drawing import drawn

    made = drawn.plotted(desk.match, said, title=str(desk.game.header.get("title") or desk.game.header["game"]))
    return made, made.png(PLOT)


def laid_down(desk: Desk, said: Words, since: int, folder: Path) -> None:
    """The map of a report to be posted, at the end the plot too, in files whose names stay."""
    from pbem.drawing import drawn, raster

    log = desk.game
    title, entry = str(log.header.get("title") or log.header["game"]), len(log.entries)
    board = drawn.drawn(desk.match, said, title=title, entry=entry, head=log.head(), since=since)
    lay(board, raster.MAILED, folder / board.name)
    if desk.match.g.over:
        lay(drawn.plotted(desk.match, said, title=title), PLOT, folder / f"plot-{entry}-{said.language}")


def lay(made: "Drawn", width: int, path: Path) -> None:
    """As PNG, or as SVG where nothing paints."""
    from pbem.base.folder import write_whole

    try:
        ending, data = ".png", made.png(width)
    except PbemError:
        ending, data = ".svg", made.svg.encode()
    write_whole(path.with_name(path.name + ending), data)


def of_entry(folder: Path, entry: int) -> list[Path]:
    """The map that was laid down with a report up to an entry, and the plot of a game that ended there."""
    return sorted(path for what in PICTURES for path in folder.glob(f"{what}-{entry}-*")) if entry else []


def in_words(said: Words, path: Path) -> str:
    """Where a picture lies, and the line that shows it in a post."""
    return mailed(said, "paste_plot" if path.name.startswith("plot-") else "paste_map", file=path, line=in_a_post(path))


def in_a_post(path: Path) -> str:
    """The line that shows it, once it lies where a forum's readers can fetch it."""
    return f"[img]{SOMEWHERE}{path.name}[/img]"


def where(desk: MailDesk, since: int) -> Place | None:
    """The region where most has happened since an entry."""
    from collections import Counter

    from pbem.telling.ledger import touched

    board = desk.match.g.board
    spaces = touched(event for _, event in desk.match.history.since(since) if event.for_seat(None))
    found = Counter(board.region(board.province_of(one)) for one in sorted(spaces) if one in board.spaces)
    return ("region", found.most_common()[0][0]) if found else None
