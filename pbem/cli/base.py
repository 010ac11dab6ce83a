"""What the commands share: how a game, a seat, a card is named and completed, what goes wrong, what a receipt shows."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.base.errors import PbemError, clipped
from pbem.base.paths import PACKAGE
from pbem.editions import EDITIONS

if TYPE_CHECKING:
    from datetime import datetime

    from click.shell_completion import CompletionItem

    from pbem.desk.desk import Desk
    from pbem.desk.submission import Outcome
    from pbem.telling.words import Words

    Typed = click.ParamType[Any]
else:
    Typed = click.ParamType                                 # older versions have no kinds of it

Command = Callable[..., Any]
READ_IN = ContextVar("READ_IN", default="")                 # the language of a page, whatever seats wish; else each his own
Edition = click.Choice(list(EDITIONS))
ASKED = "pbem.language"             # of a line: the language that was asked for


def language_here() -> str:
    """Of what is said of a game: the page's language or the one that was asked for, else that of the game on the line. Before
    any game, none."""
    context = click.get_current_context(silent=True)        # none while the shell completes a line
    if context is None:
        return READ_IN.get()
    asked, game = context.meta.get(ASKED) or READ_IN.get(), context.params.get("game")
    if asked or not isinstance(game, Path):
        return str(asked)
    from pbem.log.gamelog import language_of

    return language_of(game)


def words_here() -> "Words":
    """Words for what is said of a game that nobody has opened."""
    from pbem.desk.showing import plain_words

    return plain_words(language_here())


def in_words(error: PbemError) -> str:
    """What went wrong, in the sentence that the templates have for it."""
    from pbem.desk.showing import sentence

    return sentence(error, words_here())


def unfit(error: PbemError, param: str) -> click.BadParameter:
    """Something that was typed and cannot be."""
    return click.BadParameter(in_words(error), param_hint=param)


def kindly(command: Command) -> Command:
    """What went wrong is one kind sentence on stderr and exit code 1."""

    @wraps(command)
    def kindly(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except PbemError as error:
            said = in_words(error)
        except UnicodeDecodeError as error:
            said = in_words(PbemError("not_readable", byte=error.start))
        except BrokenPipeError:
            raise                                           # whoever read us has seen enough
        except OSError as error:
            said = in_words(not_carried() if is_lacking(error)
                            else PbemError("not_possible", file=error.filename or "", why=str(error.strerror or error).lower()))
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as fault:
            if "PBEM_TRACE" in os.environ:
                raise
            said = in_words(not_carried() if is_lacking(fault)
                            else PbemError("program_fault", what=f"{type(fault).__name__}: {fault}"))
        click.echo(said, err=True)
        sys.exit(1)

    return kindly


def is_lacking(fault: Exception) -> bool:
    """A page has not all rooms of the program, nor all of its files."""
    module, file = str(getattr(fault, "name", "")), str(getattr(fault, "filename", ""))
    return module.startswith("pbem.") or file.startswith(f"{PACKAGE}/")


def not_carried() -> PbemError:
    return PbemError("not_carried", command=click.get_current_context().command_path)


# --- what is typed -----------------------------------------------------------------------------------------------


def completed(words: Iterable[str], incomplete: str, helps: Mapping[str, str] | None = None) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    return [CompletionItem(word, help=(helps or {}).get(word)) for word in words
            if word.casefold().startswith(incomplete.casefold())]


class GameDir(click.Path):
    """A game is named by its folder or by its game.yaml."""

    name = "game"

    def __init__(self, *, exists: bool = True) -> None:
        super().__init__(exists=exists, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if self.exists and not is_game(str(value)):
            self.fail(in_words(PbemError("no_game", text=str(value))), param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        found = sorted(str(path.parent) for depth in ("*", "*/*") for path in Path().glob(f"{incomplete}{depth}/game.yaml"))
        return [CompletionItem(one) for one in found] or [CompletionItem(incomplete, type="dir")]


class Seat(Typed):
    """A seat by its colour, or by who sits there; the game says which there are."""

    name = "seat"

    def __init__(self, *besides: str) -> None:
        self.besides = besides                              # other readers that may be named in its place

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        return completed([*seats_on(ctx), *self.besides], incomplete)


def game_on(ctx: click.Context) -> Path:
    """The game that stands on a line which is not finished: an option without its value leaves the words as they are."""
    return Path(ctx.params.get("game") or next(iter(ctx.args), ""))


def seats_on(ctx: click.Context) -> list[str]:
    from pbem.log.gamelog import read_game

    try:
        return list(read_game(game_on(ctx)).header["seats"])
    except (PbemError, OSError):
        return []


class Cards(Typed):
    """Cards by number, with blanks or commas between."""

    name = "cards"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        from pbem.components.catalogue import facts

        known = {number.casefold(): number for number in facts().cards}
        cards = str(value).replace(",", " ").split()
        for card in cards:
            if card.casefold() not in known:
                self.fail(in_words(PbemError("no_such_card", card=card)), param, ctx)
        return [known[card.casefold()] for card in cards]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from pbem.components.catalogue import facts

        before, _, last = incomplete.rpartition(" ")
        lead = f"{before} " if before else ""
        cards = facts().cards
        return completed([lead + number for number in cards], lead + last,
                         {lead + number: str(card["name"]) for number, card in cards.items()})


class Datum(Typed):
    """A datum of board, cards, generals or tables, step by step."""

    name = "datum"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from pbem.components.corrections import datums
        from pbem.components.shipped import shipped

        depth = incomplete.count(".") + 1
        steps = dict.fromkeys(".".join(datum.split(".")[:depth]) for datum in datums(shipped()))
        return completed(steps, incomplete)


class Language(Typed):
    """A language in which there are sentences."""

    name = "language"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from pbem.base.paths import languages

        return completed(languages(), incomplete)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from pbem.base.paths import languages

        if value and value not in languages():
            self.fail(in_words(PbemError("no_language", text=str(value), known=languages())), param, ctx)
        if value and ctx is not None:
            ctx.meta[ASKED] = value
        return str(value)


class Moment(Typed):
    """A moment in UTC, e.g. 2026-11-20T09:00Z; a day alone means its end."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from datetime import UTC, datetime

        from pbem.base.clock import to_the_minute

        text = str(value).strip()
        try:
            told = datetime.fromisoformat(f"{text}T23:59" if len(text) == len("2026-11-20") else text)
        except ValueError:
            self.fail(in_words(PbemError("no_moment", text=text)), param, ctx)
        return to_the_minute(told if told.tzinfo else told.replace(tzinfo=UTC))


class Since(Typed):
    """The number of an entry, or `last`: behind what was posted last."""

    name = "entry"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | int:
        if value == LAST:
            return LAST
        if not str(value).isdecimal() or not 1 <= int(value) < 10**6:
            self.fail(in_words(PbemError("no_entry_number", text=str(value))), param, ctx)
        return int(value)


def pairs(items: tuple[str, ...], param: str) -> dict[str, str]:
    for item in items:
        if not all(item.partition("=")):
            raise unfit(PbemError("no_pair", text=item), param)
    found = dict(item.split("=", 1) for item in items)
    if len(found) < len(items):
        raise unfit(PbemError("name_twice"), param)
    return found


def number(text: str, param: str) -> int:
    """A small whole number, with or without a sign."""
    if not text.lstrip("+-").isdecimal() or len(text) > 6:
        raise unfit(PbemError("no_number", text=text), param)
    return int(text)


LAST = "last"
FORMAT = 1                          # of what `--json` prints: data/schemas, a definition for each command
at_option = click.option("--at", type=click.IntRange(0), default=None, metavar="N",
                         help="After this entry (default: the last).")
game_argument = click.argument("game", type=GameDir())
seat_argument = click.argument("seat", type=Seat())
json_option = click.option("--json", "as_json", is_flag=True, help="For programs.")
language_option = click.option("--language", type=Language(), default="", metavar="CODE",
                               help="In this language, whoever reads it.")
look_option = click.option("--look", is_flag=True, help="Show also what `pbem blind` hides; the log notes it.")
runtime_option = click.option(
    "--runtime", type=click.Path(path_type=Path, file_okay=False, exists=True), default=None, metavar="FOLDER",
    help="The unpacked npm package pyodide (npm pack pyodide): makes engine.js. Once per release.")
dry_option = click.option("--dry-run", is_flag=True, help="Show what would happen; write nothing.")


def is_game(text: str) -> bool:
    place = Path(text)
    try:
        return (place / "game.yaml").is_file() or place.name == "game.yaml" and place.is_file()
    except OSError:                                         # no file can have such a name
        return False


class GameCommand(click.Command):
    """A command that works on a game: in the folder of one its name may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return self.read(ctx, args)
        except click.UsageError:
            if not is_game(".") or any(is_game(word) for word in given) or not any(one.name == "game" for one in self.params):
                raise
            ctx.params.clear()
            return self.read(ctx, [".", *given])

    def read(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Of what was typed a complaint repeats no more than helps."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            said = error.format_message()
            if clipped(said) == said:
                raise
            raise click.UsageError(clipped(said), ctx) from None


class Group(click.Group):
    command_class = GameCommand


# --- the desk ----------------------------------------------------------------------------------------------------


def clock() -> "datetime":
    from pbem.base.clock import now

    return now()


def desk(place: Path, *, published: bool = False, before: int | None = None) -> "Desk":
    """`before`: what cannot be played from this entry on is about to be taken back."""
    from pbem.desk.desk import Desk
    from pbem.desk.overview import noticed

    try:
        opened = Desk(place, published=published, now=clock())
    except PbemError:
        if not before:
            raise
        opened = Desk(place, published=published, now=clock(), until=before - 1)
    context = click.get_current_context(silent=True)        # none while the shell completes a line
    opened.language = READ_IN.get()
    said = context.meta.setdefault("pbem.noticed", set()) if context is not None else set()
    for line in noticed(opened) if context is not None else ():
        if line not in said:                                # a command may open its game twice
            click.echo(line, err=True)
            said.add(line)
    return opened


def looking(place: Path, *, look: bool = False, published: bool = False) -> "Desk":
    """The desk as the moderator may see it: one who plays sees what his seat knows. If he looks all the same it is noted."""
    from pbem.desk import blind

    table = desk(place, published=published)
    if published or not look or not table.tray.blind:
        return blind.seen(table)
    with locked(place):
        table = desk(place)
        blind.lifted(table)
    return table


def in_private(place: Path, seat: str, *, look: bool = False) -> "Desk":
    """The desk for what is answered to a seat alone: a moderator who plays another one has to look."""
    from pbem.desk import blind

    table = looking(place, look=True) if look else desk(place)
    if not look:
        blind.judge(table, seat_of(table, seat))
    return table


def since_last(place: Path, table: "Desk", since: str | int | None) -> int | None:
    """`last` as the number of an entry. How far was posted is all that is taken from what is private."""
    from pbem.desk import reporting

    if since != LAST:
        return None if since is None else int(since)
    return reporting.since_posted(table, posted_up_to(place)) or reporting.last_turn(table)


def posted_up_to(place: Path) -> int:
    from pbem.desk import tray as trays

    return trays.read(place).posted


def locked(place: Path, *, to_play: bool = False) -> Any:
    """The folder for one writer; a published copy is for readers. `to_play` takes what is private as well."""
    from pbem.base.errors import NotNow
    from pbem.base.folder import Lock
    from pbem.log.gamelog import read_game
    from pbem.log.promise import is_copy, judge_private

    folder = place if place.is_dir() else place.parent
    if is_copy(folder):
        raise NotNow("published_copy")
    if to_play:
        judge_private(read_game(place))
    return Lock(folder)


def seat_of(table: "Desk", text: str) -> str:
    """A seat as a person names it: the colour, or who sits there."""
    return table.match.names.resolve("seat", text)


def act(game: Path, do: Callable[["Desk"], Any], *, as_json: bool, dry_run: bool, before: int | None = None) -> None:
    """One act of the moderator: done at the desk, or at one that writes nothing and shows what it would."""
    if not dry_run:
        with locked(game):
            table = desk(game, before=before)
            first = len(table.game.entries) + 1
            do(table)
            say_outcomes(table, [], as_json, since=first)
        return
    from pbem.desk.blind import seen
    from pbem.desk.desk import Trial
    from pbem.log.gamelog import dump_entry

    trial = Trial(seen(desk(game, before=before)))
    do(trial)
    say(as_json, lambda: {"would_write": trial.made},
        lambda: "\n".join([words_here().phrase("would_be_written"), *(f"- {dump_entry(one)}" for one in trial.made)]
                          if trial.made else ()))


# --- what is printed ---------------------------------------------------------------------------------------------


def say(as_json: bool, data: Callable[[], dict[str, Any]], text: Callable[[], object]) -> None:
    """The same for a program or for a person."""
    click.echo(json.dumps({"format": FORMAT, **data()}, ensure_ascii=False, indent=1, default=str) if as_json else text())


def say_outcomes(table: "Desk", outcomes: "list[Outcome]", as_json: bool,
                 afterwards: "Sequence[Outcome]" = (), since: int = 0) -> None:
    """The receipt: each line with what became of it, what came of all from an entry on, and what the game waits for now.
    The exit code is that of the lines."""
    from pbem.desk.answering import receipt, receipt_data

    shown = [*outcomes, *afterwards]
    say(as_json, lambda: receipt_data(table, shown), lambda: receipt(table, shown, since))
    if any(one.state == "refused" for one in outcomes):
        sys.exit(1)
