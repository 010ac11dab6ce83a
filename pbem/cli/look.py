"""Commands that only look: at a game, at the odds, at the rules, at the proofs; and the public copy."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.base.errors import PbemError
from pbem.cli.base import (
    LAST,
    Edition,
    GameCommand,
    Language,
    Seat,
    Since,
    Typed,
    at_option,
    completed,
    desk,
    dry_option,
    game_argument,
    in_words,
    json_option,
    kindly,
    language_option,
    locked,
    look_option,
    looking,
    posted_up_to,
    say,
    seat_of,
    since_last,
    unfit,
    words_here,
)
from pbem.cli.files import Given, Made
from pbem.cli.progress import Working, quiet_option
from pbem.editions import EDITIONS, USUAL

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from pbem.desk.desk import Desk


@click.command(cls=GameCommand)
@game_argument
@look_option
@language_option
@json_option
@click.option("--public", is_flag=True, help="As everybody may see it: from the published log alone.")
@kindly
def status(game: Path, look: bool, language: str, as_json: bool, public: bool) -> None:
    """The moderator's to-do list: who waits for what since when, what to post, what to rule.

    Example:  pbem status games/anabasis
    """
    from pbem.desk import overview

    table = looking(game, look=look, published=public)
    table.language = language or table.language
    say(as_json, lambda: overview.status_data(table), lambda: overview.status(table))


@click.command(cls=GameCommand)
@game_argument
@click.option("--to", "reader", type=Seat("public", "moderator"), default="public", help="public, moderator or a seat.",
              show_default=True)
@click.option("--since", type=Since(), default=LAST, show_default=True, metavar="N|last",
              help="From this entry on; last: behind what was posted, or with the player turn that ended last.")
@click.option("--until", type=click.IntRange(1), default=None, metavar="N", help="Tell nothing of what came after this entry.")
@at_option
@click.option("--format", "fmt", type=click.Choice(["md", "text", "bgg"]), default="md", show_default=True)
@language_option
@click.option("--whole", is_flag=True, help="With the whole position: all sums, pieces and cards, all rulings.")
@click.option("--ledger", is_flag=True, help="Instead: who gained what by which act, since the Game Turn began.")
@click.option("--facts", is_flag=True, help="Instead: every event as a bare line, its entry, its key, its facts.")
@look_option
@json_option
@kindly
def report(game: Path, reader: str, since: str | int, until: int | None, at: int | None, fmt: str, language: str,
           whole: bool, ledger: bool, facts: bool, look: bool, as_json: bool) -> None:
    """Who is awaited until when, what has changed, what happened, where everybody stands.

    Example:  pbem report games/anabasis --to blue --since 12 --format text
    """
    from pbem.desk import reporting, showing

    table = looking(game, look=look, published=reader == showing.PUBLIC).at(at)
    table.language = language or table.language
    if reader not in (showing.PUBLIC, "moderator"):
        try:
            reader = seat_of(table, reader)
        except PbemError:
            raise unfit(PbemError("no_reader", text=reader), "--to") from None
    first = reporting.since_posted(table, posted_up_to(game)) if since == LAST else int(since)
    say(as_json, lambda: {**reporting.report_data(table, reader, first, until), "position": chart_for(table, reader, first)},
        lambda: reporting.ledger(table, reader, None if since == LAST else first, until) if ledger
        else reporting.bare_facts(table, reader, first, until) if facts
        else reporting.posted(table, reader, first, fmt, until=until, whole=whole) + (linked(table) if fmt == "md" else ""))


def linked(table: "Desk") -> str:
    """The pictures that were laid down with the report to be posted, from where the game lies."""
    from pbem.base.paths import PASTED

    if not table.folder.joinpath(*PASTED).is_dir():         # nobody has ever pasted anything here
        return ""
    from pbem.mail import maps, outbox

    kept = outbox.of_thread(table.folder).folder
    laid = maps.of_entry(kept, len(table.game.entries))
    return "".join(f"\n\n![{path.stem}]({path.relative_to(kept.parents[1]).as_posix()})" for path in laid)


def chart_for(table: "Desk", reader: str, since: int | None) -> dict[str, Any]:
    """The position as data, for whom the report is."""
    from pbem.cli.drawing import facts_of
    from pbem.telling.chart import chart

    return chart(table.match, **facts_of(table, reader if reader in table.match.seats else None, since))


@click.command(cls=GameCommand)
@game_argument
@click.argument("entry", type=click.IntRange(0), required=False)
@json_option
@dry_option
@kindly
def posted(game: Path, entry: int | None, as_json: bool, dry_run: bool) -> None:
    """The report up to ENTRY stands in the thread now (without a number: up to the last): the next one begins behind it.

    Example:  pbem posted games/anabasis 40
    """
    from pbem.desk import showing

    with locked(game, to_play=True):
        table = desk(game)
        data = table.mark_posted(entry, write=not dry_run)
    say(as_json, lambda: data, lambda: showing.words(table).phrase("posted_to", **data))


class EntryKind(Typed):
    """A kind of entry, as docs/log.md lists them."""

    name = "kind"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from pbem.log.entries import TOLD

        if value and value not in TOLD:
            self.fail(in_words(PbemError("no_kind", text=str(value), known=TOLD)), param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from pbem.log.entries import TOLD

        return completed(TOLD, incomplete)


@click.command(name="log", cls=GameCommand)
@game_argument
@click.option("--seat", type=Seat(), default="", metavar="SEAT", help="Only what this seat did, or what speaks of it.")
@click.option("--kind", type=EntryKind(), default="", metavar="KIND", help="Only entries of this kind (docs/log.md).")
@click.option("--turn", type=click.IntRange(1), default=None, metavar="N", help="Only those of this Game Turn.")
@click.option("--since", type=Since(), default=1, metavar="N|last", help="From this entry on; last: behind what was posted.")
@language_option
@json_option
@kindly
def entries(game: Path, seat: str, kind: str, turn: int | None, since: str | int, language: str, as_json: bool) -> None:
    """The entries of the log by their numbers, in words, with what came of each; what was taken back is marked.

    Example:  pbem log games/anabasis --seat red --turn 2
    """
    from pbem.desk import annals

    table = desk(game, published=True)
    table.language = language or table.language
    found = annals.chosen(table, seat=seat_of(table, seat) if seat else "", kind=kind, turn=turn or 0,
                          since=since_last(game, table, since) or 1)
    say(as_json, lambda: annals.data(table, found), lambda: annals.log_text(table, found))


@click.command(cls=GameCommand)
@game_argument
@click.argument("seat", type=Seat(), required=False)
@click.argument("which", metavar="[ORDER]", default="")
@click.option("--all", "in_full", is_flag=True, help="Every answer there is; with ORDER every one of that kind.")
@look_option
@language_option
@json_option
@kindly
def options(game: Path, seat: str | None, which: str, in_full: bool, look: bool, language: str, as_json: bool) -> None:
    """The open question as it is sent to a seat: what it may answer, the die needed, the default, the deadline.

    Example:  pbem options games/anabasis blue march
    """
    from pbem.desk.posing import all_offers, question_data, question_text

    table = looking(game, look=look)
    table.language = language or table.language
    question = table.match.question
    seats = [seat_of(table, seat)] if seat else list(question.sides) if question is not None else [""]
    if in_full or which:
        say(as_json, lambda: {"questions": [question_data(table, one, in_full=True) for one in seats if one]},
            lambda: "\n\n".join(all_offers(table, one, which) for one in seats))
        return
    say(as_json, lambda: {"questions": [question_data(table, one) for one in seats if one]},
        lambda: "\n\n".join(question_text(table, one) for one in seats))


@click.command(cls=GameCommand)
@game_argument
@click.argument("words", nargs=-1, required=True)
@language_option
@json_option
@kindly
def odds(game: Path, words: tuple[str, ...], language: str, as_json: bool) -> None:
    """Exact chances: battle A B PLACE, intercept GENERAL PLACE, evade GENERAL, siege SEAT PLACE.

    Example:  pbem odds games/anabasis battle Kassandros Lysimachos Lamia
    """
    from pbem.desk import chances, showing

    table = looking(game)
    table.language = language or table.language
    found = chances.rows(table, words)
    say(as_json, lambda: {"odds": [{"what": key, **facts} for key, facts in found]},
        lambda: chances.said(table, found, showing.words(table)))


@click.command(cls=GameCommand)
@click.argument("number", required=False)
@click.option("--edition", type=Edition, default=USUAL, show_default=True, help="Whose numbers and titles.")
@click.option("--diff", nargs=2, type=Edition, default=None, metavar="A B", help="What two editions do differently.")
@click.option("--language", type=Language(), default="en", show_default=True, metavar="CODE", help="In this language.")
@json_option
@kindly
def rules(number: str | None, edition: str, diff: tuple[str, str] | None, language: str, as_json: bool) -> None:
    """Which rule is where: printed number, title, the functions that play it or why none does; in another book also what it
    has otherwise than the 4th. Or how two editions differ.

    Example:  pbem rules 11.2
    """
    from pbem.telling import rulebook

    if diff:
        say(as_json, lambda: {"differences": rulebook.differences(*diff, language)},
            lambda: rulebook.differences_told(*diff, language))
        return
    book = EDITIONS[edition].book
    rows = rulebook.rows_of(number or "", book, language)
    if not rows:
        raise unfit(PbemError("no_such_rule", number=number), "NUMBER")
    say(as_json, lambda: {"rules": rows}, lambda: rulebook.listed(rows, book, language, whole=bool(number)))


# --- what anyone can check ---------------------------------------------------------------------------------------


@click.command(cls=GameCommand)
@game_argument
@click.option("--witness", type=Given("kept"), multiple=True,
              help="A mail or post that shows heads of the log.")
@click.option("--epoch", type=click.IntRange(0, 10_000), default=None, help="Only the dice of this epoch.")
@click.option("--hand", type=Given("kept"), default=None,
              help="A file with the openings of your own cards.")
@click.option("--receipt", type=Given("kept"), multiple=True,
              help="A mail with the receipt of a sealed answer: it was taken, it is listed, it is what was played.")
@click.option("--explain", default="", metavar="DRAW", help="Show one die by hand.")
@click.option("--entries", is_flag=True,
              help="A row for each entry: its kind, and what was checked of it. Not with --epoch or --explain.")
@click.option("--details", is_flag=True, help="Every check, not only what is wrong or needs a remark.")
@click.option("--json-log", is_flag=True, help="Print the log as JSON, for pbem/chance/verify_min.py.")
@language_option
@json_option
@quiet_option
@kindly
def verify(game: Path, witness: tuple[Path, ...], epoch: int | None, hand: Path | None, receipt: tuple[Path, ...], explain: str,
           entries: bool, details: bool, json_log: bool, language: str, as_json: bool, quiet: bool) -> None:
    """Check everything that can be checked: positions, dice, decks, who drew what, undos, openings, the chain of heads.

    Exit 0: it holds. 3: it holds, with remarks: something rests on the moderator's word. 1: it does not hold.

    Example:  pbem verify games/anabasis --witness last-mail.eml
    """
    from pbem.chance.check import FAILED, REMARKS
    from pbem.desk import checking, showing
    from pbem.play import verify as checks
    from pbem.play.receipts import receipt_checks

    if json_log:
        click.echo(checks.json_log(game))
        return
    said = showing.plain_words() if as_json else words_here()          # what programs read is in one language
    with Working("verify", quiet) as work:
        found = [*work.counted(checks.verify(game, epoch=epoch, witness=witness, hand=hand, explain=explain or None,
                                             entries=entries)),
                 *(receipt_checks(game, receipt) if receipt else ())]
    if not as_json:
        if not explain and not entries:
            click.echo("\n".join(checking.summary(checks.summary(found), said, more=not details)))
        every = details or entries or explain or epoch is not None
        for one in found:
            if every or one.state in (FAILED, *REMARKS):
                click.echo(checking.check(one, said))
    else:
        say(True, lambda: {"checks": [{"entry": one.entry, "what": one.what, "state": one.state,
                                       "detail": checking.facts_of(one, said)} for one in found]}, str)
    if code := checks.exit_code(found):
        sys.exit(code)


@click.command(name="proof", cls=GameCommand)
@game_argument
@click.option("-o", "--output", type=Made("proof", "page"), default=None, metavar="FILE",
              help="Where to; else it is printed.")
@click.option("--page", is_flag=True, help="The page that checks it, with the log inside: only a convenience, and it says so.")
@kindly
def prove(game: Path, output: Path | None, page: bool) -> None:
    """The log as the page and other checkers take it (JSON); with --page a copy of that page with the log inside.

    Example:  pbem proof games/anabasis -o proof.json
    """
    from pbem.log.gamelog import read_whole
    from pbem.play import proof

    text = proof.with_log(read_whole(game)) if page else proof.log_text(read_whole(game))
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, "utf-8")


@click.command(cls=GameCommand)
@game_argument
@click.argument("target", type=Made(folder=True))
@json_option
@dry_option
@kindly
def publish(game: Path, target: Path, as_json: bool, dry_run: bool) -> None:
    """Copy what is public to TARGET, after looking that nothing secret is in it; report, map and plot are made of the copy.

    Example:  pbem publish games/anabasis ~/public/anabasis
    """
    from pbem.cli.drawing import beside
    from pbem.desk.publishing import publish as copy
    from pbem.desk.showing import published

    with locked(game):
        made = copy(game, target, write=not dry_run)
        made = made._replace(files=[*made.files, *beside(target, write=not dry_run)])
    say(as_json, made._asdict, lambda: published(made, words_here()))


COMMANDS = (status, report, posted, entries, options, odds, rules, verify, prove, publish)
