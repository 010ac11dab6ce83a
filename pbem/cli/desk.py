"""Commands of a game under way: orders and answers, what goes on by itself, the moderator's own acts."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.base.errors import NotNow, PbemError
from pbem.cli.base import (
    Cards,
    Datum,
    GameCommand,
    Moment,
    Seat,
    Typed,
    act,
    completed,
    desk,
    dry_option,
    game_argument,
    game_on,
    in_private,
    in_words,
    json_option,
    kindly,
    locked,
    look_option,
    looking,
    number,
    pairs,
    say,
    say_outcomes,
    seat_argument,
    seat_of,
    unfit,
)
from pbem.cli.files import STDIN, Given, text_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from pbem.desk.desk import Desk
    from pbem.desk.submission import Outcome


# --- orders ------------------------------------------------------------------------------------------------------


class Throw(Typed):
    """A die rolled elsewhere: 4, or 4=1e with the table's entry as it was read off the box."""

    name = "die"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str]:
        pips, _, reads = str(value).partition("=")
        if not pips.isdecimal() or not 1 <= number(pips, "--die") <= 6:
            self.fail(in_words(PbemError("no_die", text=str(value))), param, ctx)
        return int(pips), reads


class OpenQuestion(Typed):
    """The id of the question that is open now."""

    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        try:
            question = desk(game_on(ctx)).match.question
        except (PbemError, OSError):
            return []
        return completed([question.id] if question is not None else [], incomplete)


@click.command(cls=GameCommand)
@game_argument
@seat_argument
@click.argument("text", required=False)
@click.option("--file", "file", type=Given("orders", typed=True), default=None,
              help="Orders from a file, - for stdin; greetings, quotes and a signature around them are passed over.")
@click.option("--question", type=OpenQuestion(), default="", metavar="ID", help="Only if this is the question that is open.")
@click.option("--die", "dice", type=Throw(), multiple=True, metavar="N[=READING]",
              help="A die rolled elsewhere, with the table's entry if it was read off the box; marked in every report.")
@click.option("--reason", default="", help="Why the dice were rolled elsewhere.")
@click.option("--via", default="", help="Where the orders came from, e.g. a post's number.")
@look_option
@json_option
@dry_option
@kindly
def order(game: Path, seat: str, text: str | None, file: Path | None, question: str, dice: tuple[tuple[int, str], ...],
          reason: str, via: str, look: bool, as_json: bool, dry_run: bool) -> None:
    """Orders of a SEAT, or its answer to the open question.

    Several lines may be given with \\n between them, or in a file.
    Example:  pbem order games/anabasis blue "intercept Lysimachos with all"
    """
    given = text_of(file) if file is not None else (text or "").replace("\\n", "\n")
    lines = _meant(game, seat, given, file) if file is not None else given
    if not lines.strip():
        raise click.UsageError(in_words(PbemError("give_orders")))
    lines = f"{question}: {lines.lstrip()}" if question else lines
    if dry_run:
        in_private(game, seat, look=look)
        _tried(desk(game), seat, lines, as_json=as_json)
        return
    if look:
        looking(game, look=True)
    from pbem.desk import last_line
    from pbem.desk.blind import hooded
    from pbem.desk.showing import words

    with locked(game, to_play=True):
        table = desk(game)
        first = len(table.game.entries) + 1
        seat = seat_of(table, seat)
        for remark in last_line.remarks(table, words(table), given.splitlines()) if not as_json else ():
            click.echo(remark)
        outcomes = table.order(seat, lines, via=via, throws=dice, reason=reason)
        went_on = table.run()
        if table.tray.blind and not look:
            outcomes, went_on = hooded(table, seat, outcomes), []
        say_outcomes(table, outcomes, as_json, went_on, first)


def _meant(game: Path, seat: str, text: str, file: Path) -> str:
    """The orders of a whole letter: what stands around them is passed over, as in a mail."""
    from pbem.mail import entered

    found = entered.orders_in(desk(game), seat, text)
    if not found and (text.strip() or file != STDIN):
        raise PbemError("no_orders_in_file", file=str(file))
    return found


@click.command(cls=GameCommand)
@game_argument
@seat_argument
@click.argument("text")
@click.option("--hand", type=Cards(), default="", help="Your own cards, by number, where only the published log is at hand.")
@look_option
@json_option
@kindly
def check(game: Path, seat: str, text: str, hand: list[str], look: bool, as_json: bool) -> None:
    """Try orders without giving them; stops at the first thing nobody can know yet.

    Works on the published log alone.
    Example:  pbem check games/anabasis red "march Kassandros > Lamia > Larisa" --hand "12 57"
    """
    _tried(in_private(game, seat, look=look), seat, text.replace("\\n", "\n"), hand, as_json=as_json)


def _tried(table: "Desk", seat: str, text: str, hand: Sequence[str] = (), *, as_json: bool) -> None:
    """What an order would print, from a desk that writes nothing."""
    seat, first = seat_of(table, seat), len(table.game.entries) + 1
    trial = table.trial(seat, list(hand) or None)
    say_outcomes(trial, trial.order(seat, text), as_json, since=first)


@click.command(name="file", cls=GameCommand)
@game_argument
@seat_argument
@click.argument("text", required=False)
@click.option("--take-back", type=click.IntRange(1), default=None, metavar="N", help="Take back the Nth card put aside.")
@look_option
@json_option
@dry_option
@kindly
def file_card(game: Path, seat: str, text: str | None, take_back: int | None, look: bool, as_json: bool,
              dry_run: bool) -> None:
    """Put a card of SEAT aside for a moment to come: it acts by itself when its window closes. Without TEXT, the list.

    Example:  pbem file games/anabasis blue "battle at Lamia: play 54 as surprise"
    """
    from pbem.desk import filing
    from pbem.desk.showing import words

    in_private(game, seat, look=look)
    with locked(game, to_play=True):
        table = desk(game)
        seat = seat_of(table, seat)
        table = table.trial(seat) if dry_run else table
        if take_back is not None:
            table.unfile(seat, take_back)
        elif text:
            table.file(seat, text)
        filed = filing.of(table.tray, seat)
    say(as_json, lambda: {"filed": [{"trigger": one.trigger, "text": one.text, "turn": one.turn} for one in filed]},
        lambda: "\n".join(f"{place}  {one.trigger}: {one.text}" for place, one in enumerate(filed, 1))
        or words(table).phrase("filed_none"))


@click.command(cls=GameCommand)
@game_argument
@seat_argument
@click.argument("moments", nargs=-1, type=click.Choice(["battle", "sea", "card", "death", "defeat", "nothing"]))
@json_option
@dry_option
@kindly
def reserve(game: Path, seat: str, moments: tuple[str, ...], as_json: bool, dry_run: bool) -> None:
    """SEAT is asked for Surprise cards at these moments, and at no others (`--windows reserved`). Everybody hears so.

    Example:  pbem reserve games/anabasis blue battle sea
    """
    wanted = [moment for moment in moments if moment != "nothing"]
    act(game, lambda table: table.reserve(seat_of(table, seat), wanted), as_json=as_json, dry_run=dry_run)


@click.command(cls=GameCommand)
@game_argument
@click.option("--release", type=Seat(), default="", metavar="SEAT", help="Go on with this seat's held lines.")
@click.option("--close", "close", type=OpenQuestion(), default="", metavar="ID",
              help="Close this question now; silence means its default.")
@click.option("--overdue", is_flag=True, help="Close the open question if its time and the grace are over.")
@click.option("--reason", default="", help="Why it is closed before its time.")
@json_option
@dry_option
@kindly
def run(game: Path, release: str, close: str, overdue: bool, reason: str, as_json: bool, dry_run: bool) -> None:
    """Go on with whatever can go on: complete windows, lines that waited, deadlines.

    Example:  pbem run games/anabasis --close T2.R3.red.5 --reason "answered by phone"
    """
    from pbem.desk import deadline, showing
    from pbem.desk.blind import seen
    from pbem.desk.desk import Trial

    with locked(game, to_play=True):
        table = Trial(seen(desk(game))) if dry_run else desk(game)
        outcomes, first = [], len(table.game.entries) + 1
        if close:
            outcomes = _closed(table, close, reason or "closed by the moderator")
        elif overdue and (stands := deadline.closing(table)) is not None:
            if stands.state == deadline.CLOSES:
                outcomes = _closed(table, stands.question.id, "clock")
            elif not as_json:
                click.echo(f"{stands.question.id}: {showing.closing(stands, showing.words(table))}")
        went_on = table.run(release=seat_of(table, release) if release else "")
        outcomes += [] if table.tray.blind else went_on             # the report's own sentences tell what is public
        say_outcomes(table, outcomes, as_json, since=first)


def _closed(table: "Desk", ident: str, by: str) -> "list[Outcome]":
    from pbem.desk.submission import Outcome

    return [Outcome(f"close {ident}", "done", entries=table.close(ident, by=by))]


# --- the moderator's own acts ------------------------------------------------------------------------------------


@click.command(cls=GameCommand)
@game_argument
@click.argument("entry")
@click.option("--reason", required=True)
@click.option("--consent", type=Seat(), multiple=True, metavar="SEAT", help="A seat that has agreed.")
@click.option("--word", "fresh", multiple=True, metavar="SEAT=TEXT", help="A seat's fresh word, where a link is open.")
@click.option("--override", is_flag=True, help="Without the consent of all whom it takes; told in every later report.")
@click.option("--refuse", is_flag=True, help="Instead: leave it, though a player asked for it; everybody is told.")
@json_option
@dry_option
@kindly
def undo(game: Path, entry: str, reason: str, consent: tuple[str, ...], fresh: tuple[str, ...], override: bool, refuse: bool,
         as_json: bool,
         dry_run: bool) -> None:
    """Take back everything from ENTRY on: a number, last, or words that the log shows of it. The log keeps it.

    Of what became known since every other seat has to say yes.
    Example:  pbem undo games/anabasis last --reason "wrong general" --consent green --consent blue
    """
    from pbem.desk import annals, wishes
    from pbem.desk.answering import news
    from pbem.desk.notes import note
    from pbem.desk.showing import words

    def leave(table: "Desk") -> None:
        refused = wishes.refuse(table, annals.meant(table, entry))[-1]
        note(table, "undo_refused", seat=refused.seat, entry=refused.entry, reason=reason)

    if refuse:
        act(game, leave, as_json=as_json, dry_run=dry_run)
        return

    def take_back(table: "Desk") -> None:
        (first, stain, needed), last = table.to_take_back(annals.meant(table, entry)), len(table.game.entries)
        agreed = [seat_of(table, seat) for seat in consent]
        spoken = {seat_of(table, seat): word for seat, _, word in (one.partition("=") for one in fresh)}
        if not as_json:
            click.echo(words(table).phrase(
                "takes_back", first=first, last=last, stain=stain, seats=[seat for seat in needed if seat not in agreed],
                words=table.wants_words(first)))
        if dry_run and not override and not set(needed) <= set(agreed):
            return                                      # it tells whom to ask, and invents no consent
        table.undo(first, reason, consent=agreed, override=override, words=spoken)
        if not as_json:
            for seat in [table.tray.blind] if table.tray.blind else table.match.seats:
                for told in news(table, seat):
                    click.echo(words(table).phrase("slip_news", seat=seat, told=told))

    act(game, take_back, as_json=as_json, dry_run=dry_run, before=annals.number(entry))


@click.command(cls=GameCommand)
@game_argument
@click.argument("text")
@click.option("--reason", default="", help="Printed in the report.")
@click.option("--facts", default="", help="Facts in the position vocabulary, as YAML: '{spaces: {larisa: red}}'.")
@click.option("--adjust", multiple=True, metavar="SEAT.L=+1", help="Change a total, SEAT.L or SEAT.VP.")
@click.option("--abandon", type=click.Choice(["step", "activation", "segment", "phase"]), default=None,
              help="End the running procedure up to this level.")
@click.option("--roll", type=click.IntRange(1, 12), default=None, metavar="DICE",
              help="Throw so many dice first; another ruling decides.")
@click.option("--ask", default="", metavar="SEAT=ONE|OTHER", help="Ask a seat first; silence means what is named first.")
@json_option
@dry_option
@kindly
def ruling(game: Path, text: str, reason: str, facts: str, adjust: tuple[str, ...], abandon: str | None,
           roll: int | None, ask: str,
           as_json: bool, dry_run: bool) -> None:
    """The moderator decides: state facts, adjust totals, end a procedure. Always printed with its reason.

    Before that it may throw dice or ask a seat: TEXT is then the question.

    Example:  pbem ruling games/anabasis "The battle was fought on the table" --facts '{dead: [kassandros]}' --abandon step
    """
    from pbem.base import yamlfile
    from pbem.table.stated import understood

    given = yamlfile.parse(facts, "--facts") if facts else {}
    if not isinstance(given, dict):
        raise unfit(PbemError("no_facts", example="'{spaces: {larisa: red}}'"), "--facts")
    changes = {item: number(value, "--adjust") for item, value in pairs(adjust, "--adjust").items()}
    asked, _, said = ask.partition("=")
    choices = [one.strip() for one in said.split("|") if one.strip()]
    if ask and len(choices) < 2:
        raise unfit(PbemError("no_choices", example="--ask \"red=he stays|he leaves\""), "--ask")

    def decide(table: "Desk") -> None:
        understood(given, table.match.g.facts, table.match.seats, "--facts", public=True)
        by_seat: dict[str, dict[str, int]] = {}
        for item, value in changes.items():
            seat, _, total = item.partition(".")
            if total.upper() not in ("L", "VP"):
                raise unfit(PbemError("no_total", text=item), "--adjust")
            by_seat.setdefault(seat_of(table, seat), {})[total.upper()] = value
        choice = {"seat": seat_of(table, asked), "of": choices} if ask else None
        table.ruling(text, reason=reason, facts=given, adjust=by_seat, abandon=abandon or "", roll=roll or 0, choice=choice)

    act(game, decide, as_json=as_json, dry_run=dry_run)


@click.command(cls=GameCommand)
@game_argument
@click.argument("datum", type=Datum(), required=False)
@click.argument("value", required=False)
@click.option("--file", "listed", type=Given("corrections"), default=None,
              help="Several data that go together: a list of {datum: ..., value: ...}.")
@click.option("--box", type=Given("box"), default=None,
              help="Whatever this filled form has otherwise than the game.")
@click.option("--reason", default="")
@click.option("--yes", is_flag=True, help="Although it changes the position in the way that was told.")
@click.option("--overrides", "from_file", is_flag=True, help="Take overrides.yaml into the log, as it is now.")
@click.option("--accept", type=click.IntRange(1), default=None, metavar="ENTRY", help="Accept a line that was edited by hand.")
@json_option
@dry_option
@kindly
def amend(game: Path, datum: str | None, value: str | None, listed: Path | None, box: Path | None, reason: str, yes: bool,
          from_file: bool, accept: int | None, as_json: bool, dry_run: bool) -> None:
    """Correct data of board, cards, generals or tables from here on; or accept a hand-edited line.

    Example:  pbem amend games/anabasis generals.kassandros.battle 4 --reason "read off the card"
    """
    from pbem.base import yamlfile
    from pbem.desk import boxes

    def correct(table: "Desk") -> None:
        if accept is not None:
            table.accept(accept, reason)
        elif from_file:
            table.take_in(reason, yes=yes)
        elif box is not None:
            boxes.change_to(table, box, reason, yes=yes)
        elif listed is not None:
            table.amend(boxes.listed(table, listed), reason, yes=yes)
        elif datum and value:
            table.amend([{"datum": datum, "value": yamlfile.parse(value)}], reason, yes=yes)
        else:
            raise click.UsageError(in_words(PbemError("give_datum")))

    act(game, correct, as_json=as_json, dry_run=dry_run)


@click.command(cls=GameCommand)
@game_argument
@click.option("--reason", default="")
@json_option
@dry_option
@kindly
def mend(game: Path, reason: str, as_json: bool, dry_run: bool) -> None:
    """Play by the rules that were mended since the game began, from here on; --dry-run tells which.

    Example:  pbem mend games/anabasis --dry-run
    """
    act(game, lambda table: table.mend(reason), as_json=as_json, dry_run=dry_run)


@click.command(cls=GameCommand)
@game_argument
@click.argument("position", type=Given("position"))
@click.option("--reason", required=True)
@json_option
@dry_option
@kindly
def rebase(game: Path, position: Path, reason: str, as_json: bool, dry_run: bool) -> None:
    """Go on from a stated POSITION (a YAML file), whatever the log would give; marked in every later report.

    Example:  pbem rebase games/anabasis turn3.yaml --reason "the log and the board had parted"
    """
    from pbem.desk.adopting import stated_in

    act(game, lambda table: table.enter({"rebase": reason, "position": stated_in(position, table.match, public=True)}),
        as_json=as_json, dry_run=dry_run)


@click.command(cls=GameCommand)
@game_argument
@click.argument("text")
@json_option
@dry_option
@kindly
def note(game: Path, text: str, as_json: bool, dry_run: bool) -> None:
    """A public note in the log and the next report.

    Example:  pbem note games/anabasis "Happy new year to all"
    """
    act(game, lambda table: table.enter({"note": text}), as_json=as_json, dry_run=dry_run)


@click.command(cls=GameCommand)
@game_argument
@click.argument("reason")
@json_option
@dry_option
@kindly
def hold(game: Path, reason: str, as_json: bool, dry_run: bool) -> None:
    """Stop the clock: no deadline closes anything until `resume`.

    Example:  pbem hold games/anabasis "the moderator travels"
    """
    act(game, lambda table: table.hold(reason), as_json=as_json, dry_run=dry_run)


@click.command(cls=GameCommand)
@game_argument
@click.option("--due", type=Moment(), default=None, help="A new deadline of the open question instead, e.g. 2026-11-20T09:00Z.")
@json_option
@dry_option
@kindly
def resume(game: Path, due: str | None, as_json: bool, dry_run: bool) -> None:
    """Let the clock go on: all deadlines are moved by the time it stood.

    Example:  pbem resume games/anabasis
    """
    act(game, lambda table: table.resume(due or ""), as_json=as_json, dry_run=dry_run)


@click.command(name="seat", cls=GameCommand)
@game_argument
@click.argument("who", metavar="[SEAT]", type=Seat(), required=False)
@click.option("--name", default="", help="Who sits there from now on.")
@click.option("--mail", "addresses", multiple=True, help="Where that person is written to; you are asked if it is missing.")
@click.option("--people", default="", help="Two or more on one seat: their names.")
@click.option("--language", default="", help="In which language that seat is written to, e.g. en.")
@click.option("--channel", type=click.Choice(["mail", "paste"]), default=None, help="Mails, or posts that are pasted.")
@click.option("--zone", default="", help="Time zone of the dates in this seat's mails, e.g. Europe/Berlin.")
@click.option("--neutral", is_flag=True, help="Nobody plays it any more: silence answers at once.")
@click.option("--reason", default="", help="Printed in the report.")
@json_option
@dry_option
@kindly
def take_seat(game: Path, who: str | None, name: str, addresses: tuple[str, ...], people: str, language: str,
              channel: str | None, zone: str,
              neutral: bool, reason: str, as_json: bool, dry_run: bool) -> None:
    """Who sits where, and who did; or somebody else takes a SEAT, or nobody does after a resignation.

    Example:  pbem seat games/anabasis green --name Gero --reason "Gina has no time"
    """
    from pbem.desk import beginning, showing

    given = {"name": name, "people": people, "language": language, "channel": channel, "zone": zone}
    changes = beginning.checked({key: value for key, value in given.items() if value})
    if who is None or not (changes or neutral):
        table = desk(game)
        say(as_json, lambda: {"seats": showing.seats_data(table)}, lambda: showing.seats(table))
        return
    table = desk(game)
    seat = seat_of(table, who)
    new = None if dry_run else new_addresses(game, seat, bool(name or people or neutral), addresses)
    if table.match.table is None and not neutral:
        with locked(game):
            beginning.reseat(table.folder, seat, changes, write=not dry_run)
            told_where(game, seat, new, as_json)
        table = desk(game)
        say(as_json, lambda: {"seats": showing.seats_data(table)}, lambda: showing.seats(table))
        return
    entry = {"seat": seat, **changes, **({"neutral": "yes"} if neutral else {}), **({"reason": reason} if reason else {})}
    act(game, lambda table: table.enter(entry), as_json=as_json, dry_run=dry_run)
    with locked(game):
        told_where(game, seat, new, as_json)


def new_addresses(game: Path, seat: str, is_new: bool, given: tuple[str, ...]) -> list[str] | None:
    """Where the new person on a seat is written to; None if nothing changes. The old one gets nothing any more."""
    from pbem.mail import people

    known = people.reached(game, seat)
    if given or not is_new or not known:
        return [people.bare(one) for one in given] or None
    if not sys.stdin.isatty():
        return []
    asked = str(click.prompt(f"{seat}: {', '.join(known)} >", default="", show_default=False))
    return [people.bare(one) for one in asked.replace(",", " ").split()]


def told_where(game: Path, seat: str, new: list[str] | None, as_json: bool) -> None:
    from pbem.mail import people

    if new is not None:
        click.echo(people.handed_over(game, seat, new), err=as_json)


@click.command(cls=GameCommand)
@game_argument
@click.argument("seat", type=Seat("off"), metavar="SEAT|off")
@json_option
@dry_option
@kindly
def blind(game: Path, seat: str, as_json: bool, dry_run: bool) -> None:
    """A moderator who plays SEAT is shown nothing hidden of others by any command; `off` ends it. Everybody hears of both.

    With --look a command shows all of it once more, and the log notes that it did.
    Example:  pbem blind games/anabasis red
    """
    from pbem.desk.blind import go

    act(game, lambda table: go(table, "" if seat == "off" else seat_of(table, seat)), as_json=as_json, dry_run=dry_run)


@click.command(name="draw", cls=GameCommand)
@game_argument
@click.option("--reason", required=True, help="Who agreed to what.")
@json_option
@dry_option
@kindly
def agreed_draw(game: Path, reason: str, as_json: bool, dry_run: bool) -> None:
    """The players end the game by agreement: nobody wins.

    Example:  pbem draw games/anabasis --reason "all four agreed by mail"
    """
    def agree(table: "Desk") -> None:
        if table.match.g.over:
            raise NotNow("game_over")
        table.ruling("The game ends by agreement; nobody wins.", reason=reason, facts={"over": {"by": "agreement"}})

    act(game, agree, as_json=as_json, dry_run=dry_run)


COMMANDS = (
    order, check, file_card, reserve, run, undo, ruling, amend, mend, rebase, note, hold, resume, blind, take_seat,
    agreed_draw)
