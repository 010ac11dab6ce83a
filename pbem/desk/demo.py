"""`pbem demo`: a march that stops for absent people, from the files of an example game."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.base.paths import games_dir
from pbem.desk import answering, overview, posing, reporting, showing
from pbem.desk.desk import Desk
from pbem.desk.samples import laid_out
from pbem.log import gamelog
from pbem.play.match import CARD_WINDOWS

GAME = "march"


def play(folder: Path) -> Iterator[str]:
    """Show the open window, the questions, the answers as they come, and the report.

    The game itself is left as it stands at the window; what the answers made of it lies in `played` beside it.
    """
    if (folder / gamelog.GAME).exists():
        raise PbemError("demo_exists", folder=str(folder))
    laid_out(GAME, folder)
    desk = Desk(folder)
    said = showing.words(desk)
    yield heading(said.phrase("demo_status", command=f"pbem status {folder}"))
    yield overview.status(desk)
    question = desk.match.question
    assert question is not None
    for seat in question.sides:
        yield heading(said.phrase("demo_sent", seat=seat))
        yield posing.question_text(desk, seat)
    played = folder / "played"
    laid_out(GAME, played)
    yield heading(said.phrase("demo_answers"))
    for path in sorted((games_dir() / GAME / "answers").glob("*.txt")):
        yield from answer(played, path.stem.partition("-")[2], path.read_text(encoding="utf-8"))
    yield heading(said.phrase("demo_report", command=f"pbem report {played}"))
    yield reporting.report(Desk(played), showing.PUBLIC, None, "md")
    commands = [*(f"pbem order {folder} {seat} pass" for seat in question.sides), f"pbem report {folder}"]
    yield "\n  ".join([said.phrase("demo_over", folder=folder), *commands])


def heading(line: str) -> str:
    return f"\n{line}\n{'=' * len(line)}\n"


def answer(folder: Path, who: str, text: str) -> Iterator[str]:
    """One file: a seat's lines, a card window whose time is over (`clock`), or the moderator's undo."""
    with Lock(folder):
        desk = Desk(folder)
        if who == "clock":
            yield from windows_closed(desk)
        elif who == "moderator":
            last = max(number for number, entry in enumerate(desk.game.entries, 1) if entry.get("do") == "end activation")
            desk.undo(last, text.strip().partition(": ")[2], consent=["red"])
            yield f"moderator: {text.strip()}"
        else:
            yield f"{who}: {' / '.join(text.splitlines())}"
            yield indented(answering.receipt(desk, desk.order(who, text) + desk.run()))


def windows_closed(desk: Desk) -> Iterator[str]:
    """The fixed time of the card windows is over."""
    while (question := desk.match.question) is not None and question.kind in CARD_WINDOWS:
        desk.now += timedelta(hours=48)
        yield showing.words(desk).phrase("demo_clock", id=question.id)
        desk.close(question.id, by="clock")
    desk.run()


def indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
