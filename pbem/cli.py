"""The command line: parses, calls, prints. Everything heavy is imported inside the command that needs it."""

import json
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem import __version__
from pbem.cli_mail import handover, mail, paste
from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.moderator import Moderator
    from pbem.submission import Outcome

Command = Callable[..., Any]


class GameDir(click.Path):
    """A game is named by its folder or by its game.yaml."""

    name = "game"

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(str(path.parent)) for path in Path().glob(f"{incomplete}*/game.yaml")] or [
            CompletionItem(incomplete, type="dir")]


def told(command: Command) -> Command:
    """What went wrong is one kind sentence on stderr and exit code 1."""

    @wraps(command)
    def kindly(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except PbemError as error:
            from pbem.showing import sentence

            click.echo(sentence(error), err=True)
            sys.exit(1)

    return kindly


def desk(place: Path, *, published: bool = False) -> "Moderator":
    import os
    from datetime import UTC, datetime

    from pbem.moderator import Moderator

    told = os.environ.get("PBEM_NOW")                   # a fixed clock, for examples that print the same every time
    now = datetime.fromisoformat(told).astimezone(UTC) if told else None
    return Moderator(place, published=published, now=now)


def locked(place: Path) -> Any:
    from pbem.folder import Lock

    return Lock(place if place.is_dir() else place.parent)


def say_outcomes(game: "Moderator", outcomes: "list[Outcome]", as_json: bool,
                 afterwards: "Sequence[Outcome]" = ()) -> None:
    """The receipt: each line with what became of it, and what the game waits for now. The exit code is that of the lines."""
    from pbem.showing import receipt, receipt_data

    shown = [*outcomes, *afterwards]
    click.echo(json.dumps(receipt_data(game, shown), ensure_ascii=False, indent=1) if as_json else receipt(game, shown))
    if any(one.state == "refused" for one in outcomes):
        sys.exit(1)


game_argument = click.argument("game", type=GameDir())
json_option = click.option("--json", "as_json", is_flag=True, help="For programs.")
dry_option = click.option("--dry-run", is_flag=True, help="Show what would happen; write nothing.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pbem")
def main() -> None:
    """Runs games of Successors by e-mail or in a forum thread.

    GAME is always a folder with a game.yaml (or that file).
    """


# --- looking -----------------------------------------------------------------------------------------------------


@main.command()
@game_argument
@json_option
@click.option("--public", is_flag=True, help="As everybody may see it: from the published log alone.")
@told
def status(game: Path, as_json: bool, public: bool) -> None:
    """The moderator's to-do list: who waits for what since when, what to post, what to rule.

    Example:  pbem status games/anabasis
    """
    from pbem import showing

    table = desk(game, published=public)
    click.echo(json.dumps(showing.status_data(table), ensure_ascii=False, indent=1) if as_json else showing.status(table))


@main.command()
@game_argument
@click.option("--to", "reader", default="public", help="public, moderator or a seat.", show_default=True)
@click.option("--since", type=int, default=None, help="From this entry on (default: the last player turn).")
@click.option("--format", "fmt", type=click.Choice(["md", "text"]), default="md", show_default=True)
@json_option
@told
def report(game: Path, reader: str, since: int | None, fmt: str, as_json: bool) -> None:
    """What happened, where everybody stands, who is awaited until when.

    Example:  pbem report games/anabasis --to blue --since 12 --format text
    """
    from pbem import showing

    table = desk(game, published=reader == showing.PUBLIC)
    if reader not in (showing.PUBLIC, "moderator", *table.match.seats):
        raise click.BadParameter(f"{reader} is not public, moderator or a seat of this game", param_hint="--to")
    click.echo(json.dumps(showing.report_data(table, reader, since), ensure_ascii=False, indent=1, default=str) if as_json
               else showing.report(table, reader, since, fmt))


@main.command()
@game_argument
@click.argument("seat", required=False)
@json_option
@told
def options(game: Path, seat: str | None, as_json: bool) -> None:
    """The open question as it is sent to a seat: what it may answer, the die needed, the default, the deadline.

    Example:  pbem options games/anabasis blue
    """
    from pbem.showing import question_data, question_text

    table = desk(game)
    question = table.match.question
    seats = [seat] if seat else list(question.sides) if question is not None else []
    if as_json:
        click.echo(json.dumps([question_data(table, one) for one in seats], ensure_ascii=False, indent=1))
    else:
        click.echo("\n\n".join(question_text(table, one) for one in seats))


@main.command()
@game_argument
@click.argument("words", nargs=-1, required=True)
@told
def odds(game: Path, words: tuple[str, ...]) -> None:
    """Exact chances: battle A B PLACE, intercept GENERAL PLACE, evade GENERAL, siege SEAT PLACE.

    Example:  pbem odds games/anabasis battle Kassandros Lysimachos Lamia
    """
    from pbem.odds import command

    click.echo(command(desk(game), words))


@main.command()
@click.argument("number", required=False)
@click.option("--diff", nargs=2, type=click.Choice(["fourth", "draft", "third"]), default=None, metavar="A B",
              help="What two editions do differently.")
@json_option
@told
def rules(number: str | None, diff: tuple[str, str] | None, as_json: bool) -> None:
    """Which rule is where: printed number, title, the functions that play it; or how two editions differ.

    Example:  pbem rules 11.2
    """
    from pbem import rulebook

    rows = rulebook.differences(*diff) if diff else [
        row for row in rulebook.index() if not number or row["rule"].startswith(number.replace(" ", ""))]
    if not rows:
        raise click.BadParameter(f"there is no rule {number}; `pbem rules` lists them", param_hint="NUMBER")
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    for row in rows:
        if diff:
            both = "\n".join(f"        {edition}: {row[edition]}" for edition in diff)
            click.echo(f"{rulebook.shown(row['rule']):<7} {row['words']}\n{both}")
        else:
            click.echo(f"{row['shown']:<8} {row['title']:<44} {', '.join(row['functions'])}")


@main.group()
def components() -> None:
    """Board, cards, generals and tables: where each datum comes from, what to check with the box at hand."""


@components.command()
@click.option("--limit", default=60, show_default=True, help="How many blanks.")
@told
def worksheet(limit: int) -> None:
    """One page of doubtful data to fill in from the box, most decisive first.

    Example:  pbem components worksheet > check-me.md
    """
    from pbem.worksheet import worksheet as make

    click.echo(make(limit))


@components.command()
@click.argument("datum")
@told
def show(datum: str) -> None:
    """A datum and its source.

    Example:  pbem components show generals.kassandros.battle
    """
    from pbem import components as data
    from pbem.sources import provenance

    click.echo(f"{datum}: {data.value(datum)}   source: {provenance(datum)}")


# --- a game begins -----------------------------------------------------------------------------------------------


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seat", "seats", multiple=True, required=True, metavar="COLOUR=NAME", help="In seating order.")
@click.option("--game", "ident", default=None, help="The game's id (default: the folder's name).")
@click.option("--windows", type=click.Choice(["asked", "held"]), default="asked", show_default=True,
              help="Card windows: everybody is asked, or cards are filed in advance.")
@click.option("--polls", type=click.Choice(["sealed", "strict"]), default="sealed", show_default=True,
              help="Reactions: all at once, or one player after the other.")
@click.option("--option", "chosen", multiple=True, help="An optional rule, by number or slug.")
@click.option("--deadline", "deadlines", multiple=True, metavar="KIND=HOURS", help="Hours to answer; KIND or default.")
@click.option("--silence", multiple=True, metavar="KIND=RULE",
              help="What silence means: default, quiet (for KIND turn), hold, moderator.")
@click.option("--words-until", default="", help="Until when players may add their word to the dice.")
@click.option("--by-hand", is_flag=True, help="No secrets: dice and cards come from a table elsewhere.")
@click.option("--position", "adopted", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None,
              help="Begin at once from this position (see `pbem begin`).")
@dry_option
@told
def new(folder: Path, seats: tuple[str, ...], ident: str | None, windows: str, polls: str, chosen: tuple[str, ...],
        deadlines: tuple[str, ...], silence: tuple[str, ...], words_until: str, by_hand: bool, adopted: Path | None,
        dry_run: bool) -> None:
    """A new game in FOLDER: header, secrets, and what to post. `pbem begin` then opens it.

    Example:  pbem new games/anabasis --seat red=Anna --seat blue=Bruno --words-until 2026-12-01
    """
    from pbem.beginning import begin as open_game
    from pbem.beginning import found

    rules = {"windows": windows, "polls": polls, "options": list(chosen), "silence": _pairs(silence, "--silence"),
             "deadlines": {kind: int(hours) for kind, hours in _pairs(deadlines, "--deadline").items()}}
    click.echo(found(folder, ident or folder.name, _pairs(seats, "--seat"), rules, by_hand=by_hand,
                     words_until=words_until, write=not dry_run))
    if adopted is not None and not dry_run:
        with locked(folder):
            say_outcomes(open_game(folder, adopted), [], False)


@main.command()
@game_argument
@click.option("--position", "adopted", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None,
              help="A position to go on from (YAML, see docs/position.md) instead of the set-up.")
@told
def begin(game: Path, adopted: Path | None) -> None:
    """Open the game: set-up and first deal, or an adopted position. Words are closed from here on.

    Example:  pbem begin games/anabasis
    """
    from pbem.beginning import begin as open_game

    with locked(game):
        say_outcomes(open_game(game, adopted), [], False)


def _pairs(items: tuple[str, ...], option: str) -> dict[str, str]:
    for item in items:
        if "=" not in item:
            raise click.BadParameter(f"{item!r} is not of the form NAME=VALUE", param_hint=option)
    return dict(item.split("=", 1) for item in items)


# --- orders ------------------------------------------------------------------------------------------------------


@main.command()
@game_argument
@click.argument("seat")
@click.argument("text", required=False)
@click.option("--file", "file", type=click.File("r", encoding="utf-8"), default=None, help="Orders from a file, - for stdin.")
@click.option("--die", "dice", multiple=True, metavar="N[=READING]",
              help="A die rolled elsewhere, with the table's entry if it was read off the box; marked in every report.")
@click.option("--reason", default="", help="Why the dice were rolled elsewhere.")
@click.option("--via", default="", help="Where the orders came from, e.g. a post's number.")
@json_option
@dry_option
@told
def order(game: Path, seat: str, text: str | None, file: Any, dice: tuple[str, ...], reason: str, via: str, as_json: bool,
          dry_run: bool) -> None:
    """Orders of a SEAT, or its answer to the open question.

    Several lines may be given with \\n between them, or in a file.
    Example:  pbem order games/anabasis blue "intercept Lysimachos with all"
    """
    lines = file.read() if file is not None else (text or "").replace("\\n", "\n")
    if not lines.strip():
        raise click.UsageError("Give the orders as TEXT or with --file.")
    if dry_run:
        table = desk(game)
        say_outcomes(table, table.dry_run(seat, lines), as_json)
        return
    with locked(game):
        table = desk(game)
        outcomes = table.order(seat, lines, via=via, throws=[_throw(one) for one in dice], reason=reason)
        say_outcomes(table, outcomes, as_json, table.run())


def _throw(text: str) -> tuple[int, str]:
    value, _, reads = text.partition("=")
    if not value.isdigit():
        raise click.BadParameter(f"{text!r} is not a die; write 4 or 4=1e", param_hint="--die")
    return int(value), reads


@main.command()
@game_argument
@click.argument("seat")
@click.argument("text")
@click.option("--hand", default="", help="Your own cards, by number, where only the published log is at hand.")
@json_option
@told
def check(game: Path, seat: str, text: str, hand: str, as_json: bool) -> None:
    """Try orders without giving them; stops at the first thing nobody can know yet.

    Works on the published log alone.
    Example:  pbem check games/anabasis red "march Kassandros > Lamia > Larisa" --hand "12 57"
    """
    table = desk(game)
    cards = hand.replace(",", " ").split()
    say_outcomes(table, table.dry_run(seat, text.replace("\\n", "\n"), cards or None), as_json)


@main.command(name="file")
@game_argument
@click.argument("seat")
@click.argument("text", required=False)
@click.option("--take-back", type=int, default=None, metavar="N", help="Take back the Nth card put aside.")
@told
def file_card(game: Path, seat: str, text: str | None, take_back: int | None) -> None:
    """Put a card of SEAT aside for a moment to come: it acts by itself when its window closes. Without TEXT, the list.

    Example:  pbem file games/anabasis blue "battle at Lamia: play 54 as surprise"
    """
    from pbem import filing

    with locked(game):
        table = desk(game)
        if take_back is not None:
            table.take_back(seat, take_back)
        elif text:
            table.file(seat, text)
        for number, one in enumerate(filing.of(table.private, seat), 1):
            click.echo(f"{number}  {one['trigger']}: {one['text']}")


@main.command()
@game_argument
@click.option("--release", default="", metavar="SEAT", help="Go on with this seat's held lines.")
@click.option("--close", "close", default="", metavar="ID", help="Close this question now; silence means its default.")
@click.option("--overdue", is_flag=True, help="Close the open question if its deadline has passed.")
@click.option("--reason", default="", help="Why it is closed before its time.")
@json_option
@told
def run(game: Path, release: str, close: str, overdue: bool, reason: str, as_json: bool) -> None:
    """Go on with whatever can go on: complete windows, lines that waited, deadlines.

    Example:  pbem run games/anabasis --close T2.R3.red.5 --reason "answered by phone"
    """
    with locked(game):
        table = desk(game)
        outcomes = []
        if close:
            outcomes = _closed(table, close, reason or "closed by the moderator")
        elif overdue and (question := table.overdue()) is not None:
            outcomes = _closed(table, question.id, "clock")
        say_outcomes(table, outcomes + table.run(release=release), as_json)


def _closed(table: "Moderator", ident: str, by: str) -> "list[Outcome]":
    from pbem.submission import Outcome

    return [Outcome(f"close {ident}", "done", entries=table.close(ident, by=by))]


# --- the moderator's own acts ------------------------------------------------------------------------------------


@main.command()
@game_argument
@click.argument("entry", type=int)
@click.option("--reason", required=True)
@click.option("--consent", multiple=True, metavar="SEAT", help="A seat that has agreed.")
@click.option("--override", is_flag=True, help="Without the consent of those who acted.")
@dry_option
@told
def undo(game: Path, entry: int, reason: str, consent: tuple[str, ...], override: bool, dry_run: bool) -> None:
    """Take back everything from ENTRY on. The log keeps it; what became known since is named.

    Example:  pbem undo games/anabasis 14 --reason "wrong general" --consent green
    """
    with locked(game):
        table = desk(game)
        stain, acted = table.stain(entry)
        click.echo(f"Takes back entries {entry} to {len(table.game.entries)}."
                   + (f" Became known since: {', '.join(stain)}. Acted since: {', '.join(acted)}." if stain else ""))
        if not dry_run:
            table.undo(entry, reason, consent=consent, override=override)
            say_outcomes(table, [], False)


@main.command()
@game_argument
@click.argument("text")
@click.option("--reason", default="", help="Printed in the report.")
@click.option("--facts", default="", help="Facts in the position vocabulary, as YAML: '{spaces: {larisa: red}}'.")
@click.option("--adjust", multiple=True, metavar="SEAT.L=+1", help="Change a total, SEAT.L or SEAT.VP.")
@click.option("--abandon", type=click.Choice(["step", "activation", "segment", "phase"]), default=None,
              help="End the running procedure up to this level.")
@dry_option
@told
def ruling(game: Path, text: str, reason: str, facts: str, adjust: tuple[str, ...], abandon: str | None,
           dry_run: bool) -> None:
    """The moderator decides: state facts, adjust totals, end a procedure. Always printed with its reason.

    Example:  pbem ruling games/anabasis "The battle was fought on the table" --facts '{dead: [kassandros]}' --abandon step
    """
    from pbem import yamlfile

    given = yamlfile.parse(facts, "--facts") if facts else {}
    changes: dict[str, dict[str, int]] = {}
    for item, value in _pairs(adjust, "--adjust").items():
        seat, _, what = item.partition(".")
        changes.setdefault(seat, {})[what] = int(value)
    with locked(game):
        table = desk(game)
        table.ruling(text, reason=reason, facts=given, adjust=changes, abandon=abandon or "", write=not dry_run)
        say_outcomes(table, [], False)


@main.command()
@game_argument
@click.argument("datum", required=False)
@click.argument("value", required=False)
@click.option("--reason", default="")
@click.option("--accept", type=int, default=None, metavar="ENTRY", help="Accept a line that was edited by hand.")
@told
def amend(game: Path, datum: str | None, value: str | None, reason: str, accept: int | None) -> None:
    """Correct a datum of board, cards, generals or tables from here on; or accept a hand-edited line.

    Example:  pbem amend games/anabasis generals.kassandros.battle 4 --reason "read off the card"
    """
    with locked(game):
        table = desk(game)
        if accept is not None:
            table.accept(accept, reason)
        elif datum and value:
            table.amend(datum, value, reason)
        else:
            raise click.UsageError("Give DATUM and VALUE, or --accept ENTRY.")
        say_outcomes(table, [], False)


@main.command()
@game_argument
@click.argument("position", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--reason", required=True)
@told
def rebase(game: Path, position: Path, reason: str) -> None:
    """Go on from a stated POSITION (a YAML file), whatever the log would give; marked in every later report.

    Example:  pbem rebase games/anabasis turn3.yaml --reason "the log and the board had parted"
    """
    from pbem import yamlfile

    with locked(game):
        table = desk(game)
        table.enter({"rebase": reason, "position": dict(yamlfile.load(position))})
        say_outcomes(table, [], False)


@main.command()
@game_argument
@click.argument("text")
@told
def note(game: Path, text: str) -> None:
    """A public note in the log and the next report.

    Example:  pbem note games/anabasis "Happy new year to all"
    """
    _enter(game, {"note": text})


@main.command()
@game_argument
@click.argument("reason")
@told
def hold(game: Path, reason: str) -> None:
    """Stop the clock: no deadline closes anything until `resume`.

    Example:  pbem hold games/anabasis "the moderator travels"
    """
    _enter(game, {"hold": reason})


@main.command()
@game_argument
@click.option("--due", default="", help="New deadline of the open question, e.g. 2026-11-20T09:00Z.")
@told
def resume(game: Path, due: str) -> None:
    """Let the clock go on.

    Example:  pbem resume games/anabasis --due 2026-11-20T09:00Z
    """
    _enter(game, {"resume": "", **({"due": due} if due else {})})


@main.command()
@game_argument
@click.argument("seat", required=False)
@click.option("--name", default="", help="Who sits there from now on.")
@click.option("--people", default="", help="Two or more on one seat: their names.")
@click.option("--language", default="")
@click.option("--channel", default="", help="mail or paste.")
@click.option("--zone", default="", help="Time zone of the dates in this seat's mails, e.g. Europe/Berlin.")
@click.option("--neutral", is_flag=True, help="Nobody plays it any more: silence answers at once.")
@click.option("--reason", default="")
@told
def seat(game: Path, seat: str | None, name: str, people: str, language: str, channel: str, zone: str, neutral: bool,
         reason: str) -> None:
    """Who sits where; or somebody else takes a SEAT, or nobody does after a resignation.

    Example:  pbem seat games/anabasis green --name Gero --reason "Gina has no time"
    """
    given = {"name": name, "people": people, "language": language, "channel": channel, "zone": zone,
             "neutral": "yes" if neutral else "", "reason": reason}
    if seat is None or not any(given.values()):
        from pbem.showing import seats

        click.echo(seats(desk(game)))
        return
    _enter(game, {"seat": seat, **{key: value for key, value in given.items() if value}})


@main.command(name="draw")
@game_argument
@click.option("--reason", required=True, help="Who agreed to what.")
@told
def agreed_draw(game: Path, reason: str) -> None:
    """The players end the game by agreement: nobody wins.

    Example:  pbem draw games/anabasis --reason "all four agreed by mail"
    """
    with locked(game):
        table = desk(game)
        table.ruling("The game ends by agreement; nobody wins.", reason=reason, facts={"over": {"by": "agreement"}})
        say_outcomes(table, [], False)


def _enter(game: Path, entry: dict[str, Any]) -> None:
    with locked(game):
        table = desk(game)
        table.enter(entry)
        say_outcomes(table, [], False)


# --- chance that anyone can check --------------------------------------------------------------------------------


@main.command()
@game_argument
@click.option("--witness", type=click.Path(exists=True, dir_okay=False, path_type=Path), multiple=True,
              help="A mail or post that shows heads of the log.")
@click.option("--epoch", type=int, default=None, help="Only the dice of this epoch.")
@click.option("--hand", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None,
              help="A file with the openings of your own cards.")
@click.option("--explain", default="", metavar="DRAW", help="Show one die by hand.")
@click.option("--json-log", is_flag=True, help="Print the log as JSON, for pbem/verify_min.py.")
@told
def verify(game: Path, witness: tuple[Path, ...], epoch: int | None, hand: Path | None, explain: str, json_log: bool) -> None:
    """Check everything that can be checked: positions, dice, decks, openings, the chain of heads.

    Example:  pbem verify games/anabasis --witness last-mail.eml
    """
    from pbem import verify as checks
    from pbem.chance_check import FAILED

    if json_log:
        click.echo(checks.json_log(game))
        return
    failed = False
    for one in checks.verify(game, epoch=epoch, witness=witness, hand=hand, explain=explain or None):
        click.echo(one)
        failed = failed or one.state == FAILED
    if failed:
        sys.exit(1)


@main.command()
@game_argument
@click.argument("target", type=click.Path(path_type=Path, file_okay=False))
@dry_option
@told
def publish(game: Path, target: Path, dry_run: bool) -> None:
    """Copy what is public to TARGET, after looking that nothing secret is in it.

    Example:  pbem publish games/anabasis ~/public/anabasis
    """
    from pbem.publishing import publish as copy

    with locked(game):
        click.echo(copy(game, target, write=not dry_run))


@main.group()
def seed() -> None:
    """The start ceremony: secrets, commitments, the players' words."""


@seed.command(name="new")
@game_argument
@click.option("--links", default=100, show_default=True, help="How many Game Turns the dice will last, undos included.")
@told
def seed_new(game: Path, links: int) -> None:
    """Draw the secrets of a game and print what to post before anybody gives a word.

    Example:  pbem seed new games/anabasis
    """
    from pbem.seeding import new as draw

    with locked(game):
        click.echo(draw(game, links))


@seed.command()
@game_argument
@click.argument("seat")
@click.argument("text")
@told
def word(game: Path, seat: str, text: str) -> None:
    """Enter a player's word.

    Example:  pbem seed word games/anabasis red "first snow in Pella"
    """
    from pbem.seeding import word as enter

    with locked(game):
        click.echo(enter(game, seat, text))


@seed.command(name="status")
@game_argument
@told
def seed_status(game: Path) -> None:
    """Which words are in, which are missing.

    Example:  pbem seed status games/anabasis
    """
    from pbem.seeding import status as words_in

    click.echo(words_in(game))


# --- showing off, developing -------------------------------------------------------------------------------------


@main.command()
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), default=Path("pbem-demo"),
              show_default=True, help="Where the game folder is left.")
@told
def demo(output: Path) -> None:
    """A march all the way: stops for three absent people, takes their answers, prints the report.

    Example:  pbem demo -o /tmp/demo
    """
    from pbem.demo import play

    for line in play(output):
        click.echo(line)


@main.group()
def dev() -> None:
    """For developers: rule cases, random play, full proofs, benchmarks."""


@dev.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--only", default=None, metavar="RULE", help="Only cases of this rule and below.")
@json_option
def cases(files: tuple[Path, ...], only: str | None, as_json: bool) -> None:
    """Drive rule cases through the real engine.

    Example:  pbem dev cases tests/cases/rulebook-4e.yaml --only 11
    """
    from pbem.dev import cases as driver

    verdicts = driver.run(files, only)
    if as_json:
        click.echo(json.dumps([one._asdict() for one in verdicts], ensure_ascii=False, indent=1))
    else:
        click.echo(driver.show(verdicts))
    if any(one.verdict in ("fail", "unknown") for one in verdicts):
        sys.exit(1)


@dev.command(name="play")
@click.option("--games", default=100, show_default=True)
@click.option("--players", type=click.IntRange(2, 5), default=None, help="Default: all numbers in turn.")
@click.option("--edition", type=click.Choice(["fourth", "draft", "third"]), default="fourth", show_default=True)
@click.option("--seed", "number", default=0, show_default=True)
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), default=None, help="Leave the games as folders here.")
@click.option("--march", is_flag=True, help="Random marches on random positions instead of whole games.")
@json_option
@told
def dev_play(games: int, players: int | None, edition: str, number: int, keep: Path | None, march: bool, as_json: bool) -> None:
    """Random play: whole games from the set-up to their end, looked at after every entry.

    Example:  pbem dev play --games 20 --players 4 --seed 7 --keep /tmp/kept
    """
    if march:
        from pbem.dev.play import play

        marches = play(games, number, players)
        click.echo(marches)
        if marches.wrong:
            sys.exit(1)
        return
    from pbem.dev.games import play_games

    played = play_games(games, players, number, edition, keep)
    click.echo(json.dumps(played.plain(), indent=1) if as_json else played)
    if played.failures:
        sys.exit(1)


@dev.command()
@click.option("--games", default=5000, show_default=True, help="The scale: 5000 for the full counts.")
@click.option("--only", default="", metavar="TEXT", help="Only parts whose name contains this.")
def prove(games: int, only: str) -> None:
    """The full counts: cases, whole games, secrecy, both verifiers, fuzz. Takes hours.

    Example:  pbem dev prove --only secrecy --games 250
    """
    from pbem.dev import prove as proofs

    if not proofs.prove(games, click.echo, only):
        sys.exit(1)


@dev.command()
@click.option("--only", default=None, metavar="TEXT", help="Only mutants whose line in the list contains this.")
@told
def mutate(only: str | None) -> None:
    """Change each refusal and number of the rules, one at a time: some case has to notice.

    Example:  pbem dev mutate --only interception
    """
    from pbem.dev.mutate import mutate as try_all

    click.echo(try_all(only, echo=click.echo))


@dev.command()
@click.option("--entries", default=15000, show_default=True, help="The longest log of the linearity row.")
def bench(entries: int) -> None:
    """Ratios, never bare times: start-up, report against its floor, replay per entry, linearity.

    Example:  pbem dev bench
    """
    from pbem.dev import bench as benchmark

    for row in benchmark.rows(entries):
        click.echo(row)


# --- mail --------------------------------------------------------------------------------------------------------

for command in (mail, paste, handover):
    main.add_command(command)
