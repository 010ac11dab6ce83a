"""`pbem demo`: a march that stops for absent people, from the files of an example game."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from pbem import gamelog, showing
from pbem.errors import PbemError
from pbem.folder import Lock, protect, write_whole
from pbem.match import CARD_WINDOWS
from pbem.moderator import Moderator
from pbem.paths import games_dir

GAME = "march"


def play(folder: Path) -> Iterator[str]:
    """Show the open window, the questions, the answers as they come, and the report.

    The game itself is left as it stands at the window; what the answers made of it lies in `played` beside it.
    """
    if (folder / gamelog.GAME).exists():
        raise PbemError("demo_exists", folder=str(folder))
    laid_out(folder)
    desk = Moderator(folder)
    yield heading("The moderator's to-do list: pbem status", folder)
    yield showing.status(desk)
    question = desk.match.question
    assert question is not None
    for seat in question.sides:
        yield heading("What is sent to " + str(showing.words(desk).player(seat)))
        yield showing.question_text(desk, seat)
    played = folder / "played"
    laid_out(played)
    yield heading("The answers come in, each from its file")
    for path in sorted((games_dir() / GAME / "answers").glob("*.txt")):
        yield from answer(played, path.stem.partition("-")[2], path.read_text(encoding="utf-8"))
    yield heading("The report: pbem report", played)
    yield showing.report(Moderator(played), showing.PUBLIC, None, "md")
    yield (f"{folder} still waits at the window. Try another answer and look what comes of it:\n"
           f"  pbem order {folder} blue pass\n  pbem order {folder} yellow pass\n  pbem order {folder} black pass\n"
           f"  pbem report {folder}")


def heading(text: str, place: Path | None = None) -> str:
    line = f"{text} {place}" if place is not None else text
    return f"\n{line}\n{'=' * len(line)}\n"


def laid_out(folder: Path) -> None:
    """A copy of the example, its secrets for the owner only."""
    folder.mkdir(parents=True, exist_ok=True)
    protect(folder)
    for name in (gamelog.GAME, gamelog.PRIVATE):
        write_whole(folder / name, (games_dir() / GAME / name).read_bytes(),
                    gamelog.SECRET if name == gamelog.PRIVATE else None)


def answer(folder: Path, who: str, text: str) -> Iterator[str]:
    """One file: a seat's lines, a card window whose time is over (`clock`), or the moderator's undo."""
    with Lock(folder):
        desk = Moderator(folder)
        if who == "clock":
            yield from windows_closed(desk)
        elif who == "moderator":
            last = max(number for number, entry in enumerate(desk.game.entries, 1) if entry.get("do") == "end activation")
            desk.undo(last, text.strip().partition(": ")[2], consent=["red"])
            yield f"moderator: {text.strip()}"
        else:
            yield f"{who}: {' / '.join(text.split(chr(10))).strip(' /')}"
            yield indented(showing.receipt(desk, desk.order(who, text) + desk.run()))


def windows_closed(desk: Moderator) -> Iterator[str]:
    """The fixed time of the card windows is over."""
    while (question := desk.match.question) is not None and question.kind in CARD_WINDOWS:
        desk.now += timedelta(hours=48)
        yield f"the time for cards is over: {question.id}"
        desk.close(question.id, by="clock")
    desk.run()


def indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
