"""Commands that show the board: as data, as a picture, in words; and how the totals went."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.base.errors import PbemError
from pbem.cli.base import (
    GameCommand,
    Seat,
    Since,
    at_option,
    desk,
    dry_option,
    game_argument,
    json_option,
    kindly,
    language_option,
    say,
    seat_of,
    since_last,
    unfit,
    words_here,
)
from pbem.cli.files import Made

if TYPE_CHECKING:
    from pbem.desk.desk import Desk
    from pbem.drawing.drawn import Drawn
    from pbem.play.match import Match
    from pbem.telling.words import Words

to_option = click.option("--to", "reader", type=Seat("public"), default="public", show_default=True, help="public or a seat.")
since_option = click.option("--since", type=Since(), default=None, metavar="N|last", help="What happened from this entry on.")
out_option = click.option(
    "-o",
    "--out",
    type=Made("picture"),
    default=None,
    metavar="FILE",
    help="FILE.svg or FILE.png (without it, SVG to the terminal).",
)
width_option = click.option("--width", type=click.IntRange(200, 6400), default=1600, show_default=True, help="Pixels of a PNG.")


def title(table: "Desk") -> str:
    return str(table.game.header.get("title") or table.game.header["game"])


def facts_of(table: "Desk", reader: str | None, since: int | None = None) -> dict[str, Any]:
    """What the position as data has to be told besides the game. `reader` is a seat, or nobody in particular."""
    return {"reader": reader, "since": since, "entry": len(table.game.entries), "head": table.game.head(),
            "title": title(table)}


def opened(
    game: Path, reader: str, language: str, at: int | None, since: str | int | None
) -> tuple["Match", "Words", dict[str, Any]]:
    """A game as everybody may read it, in the words of one reader."""
    from pbem.desk.showing import PUBLIC, words

    table = desk(game, published=True).at(at)
    table.language = language or table.language
    if reader != PUBLIC:
        try:
            reader = seat_of(table, reader)
        except PbemError:
            raise unfit(PbemError("no_reader", text=reader), "--to") from None
    facts = facts_of(table, None if reader == PUBLIC else reader, since_last(game, table, since))
    return table.match, words(table, reader), facts


def region_named(match: "Match", text: str, param: str) -> tuple[str, str]:
    """A region, a Province or a space by its name."""
    from pbem.drawing.said import named

    try:
        return named(match, text)
    except PbemError as error:
        raise unfit(error, param) from None


def laid_down(made: "Drawn", out: Path | None, width: int, *, dry_run: bool) -> None:
    """To the terminal, or into a file whose ending says in which form."""
    from pbem.base.folder import write_whole

    if out is None:
        click.echo(made.svg, nl=False)
        return
    form = out.suffix.lower()
    if form not in (".svg", ".png"):
        raise unfit(PbemError("no_picture_form", file=out.name), "-o")
    data = made.png(width) if form == ".png" else made.svg.encode()
    if not dry_run:
        write_whole(out, data)


def said_of(made: "Drawn", out: Path | None) -> dict[str, Any]:
    """A picture for programs: its file, and what goes with it where it is shown."""
    return {"file": str(out or ""), "name": made.name, "sentence": made.sentence, "alternative": made.alternative,
            "bbcode": made.bbcode()}


def beside(target: Path, *, write: bool) -> list[Path]:
    """What stands beside a published log, made of nothing but it: the page, with an order desk where
    one lies there, the last report with its map, and the plot."""
    from pbem.base.folder import write_whole
    from pbem.desk import reporting, showing
    from pbem.drawing.drawn import drawn, plotted
    from pbem.page.order_desk import DESK, order_desk
    from pbem.page.written import files as paged
    from pbem.page.written import names
    from pbem.telling.changes import numbers
    from pbem.telling.formats import markdown
    from pbem.telling.report import report

    files = [target / name for name in ("map.svg", "plot.svg", "report.md")]
    to_order = [DESK] if (target / DESK).is_file() else []
    page = [target / name for name in (*names(), *to_order)]
    if write:
        table = desk(target, published=True)
        match, facts = table.match, facts_of(table, None, reporting.last_turn(table))
        words = showing.words(table)
        board = drawn(match, words, **facts)
        totals = plotted(match, words, title=facts["title"])
        pictures = [f"![{markdown(one.sentence)}]({file.name})" for one, file in zip((board, totals), files, strict=False)]
        happened = [(number, event) for number, event in match.history if number >= facts["since"]]
        told = report(showing.seen(table, showing.PUBLIC), [event for _, event in happened], (), words, "md", numbers(happened))
        texts = (board.svg, totals.svg, "\n\n".join([told.rstrip("\n"), *pictures]) + "\n")
        laid = [*paged(table, to_order="".join(to_order)).values(), *(order_desk(table.game) for _ in to_order)]
        for file, text in (*zip(files, texts, strict=True), *zip(page, laid, strict=True)):
            write_whole(file, text.encode())
    return files + page


@click.command(cls=GameCommand)
@game_argument
@to_option
@at_option
@since_option
@language_option
@click.option("-o", "--out", type=Made("position"), default=None, metavar="FILE",
              help="As a file from which another game can go on: pbem new ... --position FILE (docs/position.md).")
@click.option("--cards", is_flag=True, help="With -o: the real cards too, out of the private file. Keep it to yourself.")
@json_option
@dry_option
@kindly
def position(game: Path, reader: str, at: int | None, since: str | int | None, language: str, out: Path | None, cards: bool,
             as_json: bool, dry_run: bool) -> None:
    """Where everything stands, at any entry: in words by Province, as data for programs, or as a file to go on from.

    Example:  pbem position games/anabasis --at 120 -o turn3.yaml
    """
    from pbem.desk.blind import judge
    from pbem.drawing import said
    from pbem.telling.chart import chart

    if out is not None:
        table = desk(game, published=not cards)
        if cards:
            judge(table, "")
        made = written_down(table.at(at), out, cards=cards, write=not dry_run)
        say(as_json, lambda: made, lambda: words_here().phrase("position_written", **made))
        return

    match, words, facts = opened(game, reader, language, at, since)
    data = chart(match, **facts)
    say(as_json, lambda: data, lambda: "\n".join(said.summary(data, words)))


@click.command(cls=GameCommand)
@game_argument
@click.argument("one", type=click.IntRange(0))
@click.argument("other", type=click.IntRange(0), required=False)
@language_option
@json_option
@kindly
def diff(game: Path, one: int, other: int | None, language: str, as_json: bool) -> None:
    """What is otherwise after entry OTHER (without it: now) than after entry ONE: what goes with a -, what comes with a +.

    Example:  pbem diff games/anabasis 120 134
    """
    from difflib import unified_diff

    from pbem.table.position import differences, written

    other = len(desk(game, published=True).game.entries) if other is None else other
    before, after = (opened(game, "public", language, at, None) for at in (one, other))
    words = after[1]

    def text() -> str:
        lines = list(unified_diff(every_line(*before), every_line(*after), n=0, lineterm=""))[2:]
        told = [f"{line[0]} {line[1:]}" for line in lines if not line.startswith("@@")]
        return "\n".join([words.phrase("differs" if told else "alike", one=one, other=other), *told])

    changes = differences(written(before[0].g), written(after[0].g))
    say(as_json, lambda: {"from": one, "to": other, "changes": changes}, text)


def written_down(table: "Desk", out: Path, *, cards: bool, write: bool) -> dict[str, Any]:
    """A file to go on from; with cards in it nobody else may read it."""
    from pbem.base.folder import write_secret, write_whole
    from pbem.desk.adopting import as_file

    text = as_file(table.match.g, cards=cards)
    if write:
        if cards:
            write_secret(out, text.encode())
        else:
            write_whole(out, text.encode(), 0o644)
    return {"file": str(out), "entry": len(table.game.entries), "cards": cards, "written": write}


def every_line(match: "Match", words: "Words", facts: dict[str, Any]) -> list[str]:
    """A position, a line for each thing in it."""
    from pbem.drawing.said import every_space
    from pbem.telling import lasting
    from pbem.telling.chart import chart
    from pbem.telling.report import lasting as told

    places = {what: rows for what, rows in lasting.PLACES.items() if what != "control"}        # each space has said so
    return [*every_space(chart(match, **facts), words),
            *(str(line) for table in (lasting.MARKS, places) for line in told(lasting.lines(match.g, table), words))]


@click.command(name="map", cls=GameCommand)
@game_argument
@out_option
@to_option
@at_option
@since_option
@click.option("--focus", default="", metavar="PLACE", help="Enlarge a region, a Province or a space, with its neighbours.")
@click.option("--text", "region", default="", metavar="PLACE",
              help="A region, Province or space in words: control, pieces, neighbours; or `all`.")
@language_option
@width_option
@click.option("--plain", is_flag=True, help="The map alone, without standings, legend and what happened.")
@json_option
@dry_option
@kindly
def map_(game: Path, out: Path | None, reader: str, at: int | None, since: str | int | None, focus: str, region: str,
         language: str, width: int, plain: bool, as_json: bool, dry_run: bool) -> None:
    """The board as a picture, SVG or PNG, or a region of it in words.

    Example:  pbem map games/anabasis -o map.png --since last --focus Lydia
    """
    from pbem.drawing import said
    from pbem.drawing.drawn import drawn
    from pbem.telling.chart import chart

    match, words, facts = opened(game, reader, language, at, since)
    if region:
        data = chart(match, **facts)
        spaces = list(data["board"]["spaces"]) if region == "all" else said.within(data, *region_named(match, region, "--text"))
        lines = said.region(data, words, spaces)
        say(as_json, lambda: {"lines": lines}, lambda: "\n".join(lines))
        return
    made = drawn(match, words, focus=region_named(match, focus, "--focus") if focus else None, plain=plain, **facts)
    if out is not None or not as_json:
        laid_down(made, out, width, dry_run=dry_run)
    if as_json:
        say(True, lambda: said_of(made, out), str)


@click.command(cls=GameCommand)
@game_argument
@out_option
@language_option
@width_option
@json_option
@dry_option
@kindly
def plot(game: Path, out: Path | None, language: str, width: int, as_json: bool, dry_run: bool) -> None:
    """Victory Points and Legitimacy over the turns, as SVG or PNG; with --json as numbers.

    Example:  pbem plot games/anabasis -o plot.svg
    """
    from pbem.drawing.drawn import plotted
    from pbem.telling.chart import course

    match, words, facts = opened(game, "public", language, None, None)
    if out is not None or not as_json:
        laid_down(plotted(match, words, title=facts["title"]), out, width, dry_run=dry_run)
    if as_json:
        say(True, lambda: {"turns": course(match)}, str)


COMMANDS = (position, diff, map_, plot)
