"""The command that writes the page of a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.base.errors import NotNow, PbemError
from pbem.cli.base import (
    GameCommand,
    Language,
    Seat,
    Since,
    dry_option,
    game_argument,
    in_words,
    json_option,
    kindly,
    look_option,
    looking,
    runtime_option,
    say,
    seat_of,
    since_last,
    unfit,
)
from pbem.cli.files import Made
from pbem.cli.progress import Working, quiet_option

if TYPE_CHECKING:
    from pbem.desk.desk import Desk
    from pbem.page.sections import Waited


@click.command(cls=GameCommand)
@game_argument
@click.option("-o", "--out", type=Made("page", folder=True), required=True, metavar="DIR|FILE.html",
              help="A folder for all its files, or one file with everything inside, for a mail.")
@click.option("--to", "reader", type=Seat("public", "moderator"), default="public", show_default=True,
              help="public, or a seat or the moderator: then with what only that reader knows.")
@click.option("--since", type=Since(), default=None, metavar="N|last", help="It opens with what happened from this entry on.")
@click.option("--language", type=Language(), default="", metavar="CODE",
              help="The language in which it opens, instead of that of the reader's browser; all others are in it.")
@click.option("--desk", "with_desk", is_flag=True,
              help="With an order desk: orders are tried in the reader's browser against the very rules. It needs engine.js.")
@runtime_option
@look_option
@json_option
@dry_option
@quiet_option
@kindly
def page(game: Path, out: Path, reader: str, since: str | int | None, language: str, with_desk: bool, runtime: Path | None,
         look: bool, as_json: bool, dry_run: bool, quiet: bool) -> None:
    """The game as a page for any browser: map, report, the whole course by slider and keys, in all languages.

    It needs nothing else, and opens by double click, from a mail, from any web server.

    Example:  pbem page games/anabasis -o ~/public/anabasis
    """
    from pbem.base.folder import write_secret, write_whole
    from pbem.desk import showing
    from pbem.page.engine import ENGINE, engine
    from pbem.page.order_desk import DESK, order_desk
    from pbem.page.written import files, written

    if with_desk and out.suffix.lower() in (".html", ".htm"):
        raise click.UsageError(in_words(PbemError("desk_wants_a_folder")))
    table = looking(game, look=look, published=reader == showing.PUBLIC)
    if table.match.table is None:
        raise NotNow("not_begun")
    if reader not in (showing.PUBLIC, "moderator"):
        try:
            reader = seat_of(table, reader)
        except PbemError:
            raise unfit(PbemError("no_reader", text=reader), "--to") from None
    first, is_file = since_last(game, table, since), out.suffix.lower() in (".html", ".htm")
    with Working("page", quiet):
        if reader == showing.PUBLIC and not is_file:
            made = {out / name: text for name, text in files(
                table, language, first, to_order=DESK if with_desk else "").items()}
        else:
            waited = waited_for(table) if reader == "moderator" else None
            back = way_back(table, reader) if with_desk and reader in table.match.seats else None
            made = {out if is_file else out / f"{reader}.html": written(table, reader, language, first, waited, back).alone(
                DESK if with_desk else "")}
        beside = {**({DESK: order_desk(table.game)} if with_desk else {}), **({ENGINE: engine(runtime)} if runtime else {})}
    if not dry_run:
        (out.parent if is_file else out).mkdir(parents=True, exist_ok=True)
        for file, text in made.items():
            if reader == showing.PUBLIC:
                write_whole(file, text.encode(), 0o644)
            else:
                write_secret(file, text.encode())
        for name, text in beside.items():
            write_whole(out / name, text.encode(), 0o644)
    made |= {out / name: text for name, text in beside.items()}
    data: dict[str, Any] = {"files": [str(file) for file in made], "reader": reader, "written": not dry_run}
    said, wanting = showing.words(table), with_desk and not runtime and not (out / ENGINE).is_file()
    say(as_json, lambda: data, lambda: "\n".join([
        *(str(said.phrase("published_file", file=str(file), written=not dry_run)) for file in made),
        *([str(said.phrase("no_engine"))] if wanting else [])]))


def waited_for(table: "Desk") -> "Waited":
    """Where the days of a game went: for whom it waited, as far as its mailbox knows."""
    from pbem.mail.waiting import lines, summed_up

    told = summed_up(table.tray.mail.waits)
    return lambda words: lines(words, told)


def way_back(table: "Desk", seat: str) -> dict[str, str]:
    """Where this seat's orders go by mail, if the game has a mailbox."""
    from pbem.mail import entered

    return entered.way_back(table.folder, seat)


COMMANDS = (page,)
