"""`pbem mail ...`, `pbem paste` and `pbem handover`: what cron calls, and what the moderator does by hand."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.base.errors import PbemError
from pbem.cli.base import (
    GameCommand,
    GameDir,
    Group,
    Seat,
    clock,
    dry_option,
    game_argument,
    in_private,
    in_words,
    json_option,
    kindly,
    look_option,
    say,
    seat_argument,
)
from pbem.cli.files import Given, Made, text_of
from pbem.cli.progress import Working, quiet_option

if TYPE_CHECKING:
    from pbem.mail.config import Config
    from pbem.mail.run import Summary


def configured(ctx: click.Context) -> "Config":
    from pbem.mail import config

    found: Config = config.read(ctx.obj)
    return found


def finish(summary: "Summary") -> None:
    """0 also with quarantined mails; 1 when login, network or disk failed."""
    click.echo(summary.text())
    if summary.failed:
        sys.exit(1)


games_argument = click.argument("games", nargs=-1, type=GameDir())
clock_option = click.option("--clock-ok", is_flag=True, help="The clock is right, although it jumped: deadlines may fire.")


@click.group(cls=Group)
@click.option("--config", "place", type=click.Path(path_type=Path), default=None,
              help="mail.yaml or its folder (default: $PBEM_MAIL, or here and above).")
@click.pass_context
def mail(ctx: click.Context, place: Path | None) -> None:
    """The mailbox: orders in, answers out, on a schedule, exactly once."""
    ctx.obj = place


@mail.command()
@click.option("--imap", "imap_host", default="", help="Host of the mailbox.")
@click.option("--smtp", "smtp_host", default="", help="Host that takes mail.")
@click.option("--address", default="", help="What players write to.")
@click.option("--user", default="", help="Account (default: the address).")
@click.option("--folder", default="", help="Folder that is read (default: INBOX).")
@click.option("--done", default="", help="Folder for mails that were dealt with (default: they stay, with a keyword).")
@click.option("--name", default="", help="The name beside the address.")
@click.option("--moderator", default="", help="Who is told of what needs a decision.")
@click.option("--authserv", default="", help="The name of your server in Authentication-Results.")
@click.option("--games", "patterns", multiple=True, help="Folders or patterns (default: games/*).")
@click.option("--imap-port", type=click.IntRange(1, 65535), default=None)
@click.option("--smtp-port", type=click.IntRange(1, 65535), default=None)
@click.option("--imap-tls", type=click.Choice(["tls", "starttls"]), default=None, help="Default: tls.")
@click.option("--smtp-tls", type=click.Choice(["tls", "starttls"]), default=None, help="Default: starttls.")
@click.option("--secret-env", default="", metavar="NAME", help="The password is in this environment variable.")
@click.option("--secret-file", default="", metavar="FILE", help="... in this file, which only you can read (0600).")
@click.option("--secret-command", default="", metavar="COMMAND", help="... or this command prints it.")
@click.option("--secret-keyring", default="", metavar="SERVICE", help="... or the keyring has it under this name.")
@click.option("--oauth", is_flag=True, help="What the command prints is an OAuth token.")
@click.option("--cafile", default="", help="Certificates to trust besides the system's.")
@click.option("--wait", type=int, default=60, show_default=True, help="Seconds for a mail to oneself to come back.")
@click.option("--no-test", is_flag=True, help="Do not try anything.")
@click.option("--yes", is_flag=True, help="Change a mail.yaml that is there without asking.")
@click.pass_context
@kindly
def setup(ctx: click.Context, wait: int, no_test: bool, yes: bool, **given: Any) -> None:
    """Ask for server, account and folders, try all of it, write mail.yaml. No secret is written.

    What a mail.yaml that is there says stays unless something else is given, with its comments; the difference is shown first.

    Example:  pbem mail setup --imap imap.example.org --smtp smtp.example.org --address table@example.org
                      --secret-env PBEM_PASSWORD
    """
    from pbem.desk.showing import plain_words
    from pbem.mail import config, settings
    from pbem.mail.sentences import mailed

    path, said = config.find(ctx.obj), plain_words()
    data = settings.settings(path, given, ask)
    made = config.Config(data, path)
    if not no_test and not all_good(made, wait):
        sys.exit(1)
    difference = settings.difference(path, data)
    if difference and path.exists() and not yes:
        click.echo("\n".join([mailed(said, "setup_kept", file=path), "", difference]))
        if not click.confirm(">"):
            click.echo(mailed(said, "setup_same", file=path))
            sys.exit(1)
    config.write(path, data)
    click.echo(mailed(said, "setup_next", file=path))


def ask(question: str, default: str) -> str:
    """What has not been given; where nobody is there to be asked, what is missing is told."""
    try:
        return str(click.prompt(question, default=default or None, show_default=bool(default)))
    except click.Abort:
        raise click.UsageError(in_words(PbemError("give_setting", what=question))) from None


def all_good(made: "Config", wait: int) -> bool:
    """Try everything, and say of each thing how it went."""
    from pbem.mail import trying

    good = True
    for step in trying.tried(made, wait):
        click.echo(f"{'ok  ' if step.is_good else '!!  '}{step.said}")
        good = good and step.is_good
    return good


@mail.command(name="test")
@click.option("--wait", type=int, default=60, show_default=True, help="Seconds for a mail to oneself to come back.")
@click.pass_context
@kindly
def try_out(ctx: click.Context, wait: int) -> None:
    """Try everything that a mailbox needs: servers, login, folders, clock, a mail to oneself and back.

    Example:  pbem mail test
    """
    if not all_good(configured(ctx), wait):
        sys.exit(1)


@mail.command()
@games_argument
@clock_option
@quiet_option
@click.pass_context
@kindly
def poll(ctx: click.Context, games: tuple[Path, ...], clock_ok: bool, quiet: bool) -> None:
    """Fetch, apply, answer, ask, remind, close; the answers wait in the outbox.

    Example:  pbem mail poll
    """
    from pbem.mail import loop

    made = configured(ctx)
    with Working("mail poll", quiet):
        summary = loop.poll(made, made.games(games), clock(), clock_ok=clock_ok)
    finish(summary)


@mail.command()
@games_argument
@quiet_option
@click.pass_context
@kindly
def send(ctx: click.Context, games: tuple[Path, ...], quiet: bool) -> None:
    """Send what waits in the outbox.

    Example:  pbem mail send
    """
    from pbem.mail import loop

    made = configured(ctx)
    with Working("mail send", quiet):
        summary = loop.send(made, made.games(games), clock())
    finish(summary)


@mail.command()
@games_argument
@clock_option
@quiet_option
@click.pass_context
@kindly
def run(ctx: click.Context, games: tuple[Path, ...], clock_ok: bool, quiet: bool) -> None:
    """Both: what cron calls.

    Example:  pbem mail --config ~/table run
    """
    from pbem.mail import loop

    made = configured(ctx)
    with Working("mail run", quiet):
        summary = loop.run(made, made.games(games), clock(), clock_ok=clock_ok)
    finish(summary)


@mail.command()
@games_argument
@json_option
@click.pass_context
@kindly
def status(ctx: click.Context, games: tuple[Path, ...], as_json: bool) -> None:
    """Ledger, outbox, quarantine, and where the days went.

    Example:  pbem mail status
    """
    from pbem.mail import status as seen

    made = configured(ctx)
    places = made.games(games)
    now = clock()
    say(as_json, lambda: seen.data(made, places, now), lambda: seen.text(made, places, now))


@mail.command()
@click.argument("name", metavar="ID")
@click.option("--look", is_flag=True, help="Also what was taken in: the log notes that you read it.")
@click.pass_context
@kindly
def show(ctx: click.Context, name: str, look: bool) -> None:
    """A mail as it was understood. ID is its number or the beginning of its name.

    Example:  pbem mail show 83
    """
    from pbem.mail import status as seen

    made = configured(ctx)
    click.echo(seen.show(made, name, games=made.games(), look=look, now=clock()))


@mail.command()
@click.argument("name", metavar="ID")
@click.option("--game", default="", help="The game it is for, if nobody can tell.")
@click.option("--seat", default="", help="Whose it is, if nobody can tell.")
@click.pass_context
@kindly
def release(ctx: click.Context, name: str, game: str, seat: str) -> None:
    """Let a held mail through.

    Example:  pbem mail release 83
    """
    from pbem.mail import status as seen

    made = configured(ctx)
    click.echo(seen.release(made, made.games(), name, seen.Whose(game, seat), clock()))


@mail.command()
@click.argument("name", metavar="ID")
@click.pass_context
@kindly
def reject(ctx: click.Context, name: str) -> None:
    """Turn a held mail away. Nobody is answered.

    Example:  pbem mail reject 83
    """
    from pbem.mail import status as seen

    click.echo(seen.reject(configured(ctx), name))


@mail.command()
@click.argument("name", metavar="[NAME]", default="")
@click.pass_context
@kindly
def resend(ctx: click.Context, name: str) -> None:
    """Try mails once more that were given up: the one of this NAME (see status), or all.

    Example:  pbem mail resend
    """
    from pbem.mail import status as seen

    made = configured(ctx)
    click.echo(seen.resend(made, made.games(), name, clock()))


@mail.command()
@games_argument
@click.option("--full", is_flag=True, help="With the texts.")
@click.pass_context
@kindly
def preview(ctx: click.Context, games: tuple[Path, ...], full: bool) -> None:
    """What would be sent now. Sends nothing, fetches nothing, writes nothing.

    Example:  pbem mail preview --full
    """
    from pbem.desk.showing import plain_words
    from pbem.mail import preview as looking
    from pbem.mail.sentences import mailed

    said = plain_words()
    made = configured(ctx)
    places = made.games(games)
    unseen = looking.unseen(places)
    for one in looking.mails(made, places, clock()):
        click.echo(mailed(said, "preview_row", kind=one.kind, to=one.to, subject=one.subject))
        if full and one.to not in unseen:
            click.echo(f"\n{one.text}")


@mail.command()
@click.argument("files", nargs=-1, required=True, type=Given("raw"))
@json_option
@kindly
def read(files: tuple[Path, ...], as_json: bool) -> None:
    """How raw mails are understood. Touches nothing.

    Example:  pbem mail read strange.eml --json
    """
    from pbem.mail import shown

    found = [shown.read_file(file) for file in files]
    say(as_json, lambda: {"mails": found}, lambda: shown.show(found))


@mail.command()
@game_argument
@seat_argument
@click.argument("addresses", nargs=-1, required=True)
@kindly
def address(game: Path, seat: str, addresses: tuple[str, ...]) -> None:
    """Where the people of a SEAT write from; the game writes to all of them. They are kept in the private file.

    Example:  pbem mail address games/anabasis red anna@example.com
    """
    from pbem.mail import people

    click.echo(people.addresses(game, seat, addresses))


@mail.command()
@game_argument
@click.argument("address")
@click.option("--remove", is_flag=True)
@kindly
def observer(game: Path, address: str, remove: bool) -> None:
    """Somebody who gets the public reports.

    Example:  pbem mail observer games/anabasis friend@example.net
    """
    from pbem.mail import people

    click.echo(people.observer(game, address, remove=remove))


@mail.command()
@game_argument
@click.option("--daily", type=click.IntRange(0, 100), default=None, help="So many letters a day and seat.")
@click.option("--when", type=click.Choice(["now", "held"]), default=None, help="They go at once, or with the next report.")
@click.option("--anonymous", type=click.Choice(["yes", "no"]), default=None, help="Letters without a name are carried.")
@click.option("--off", type=click.Choice(["yes", "no"]), default=None, help="No letters are carried at all.")
@kindly
def press(game: Path, daily: int | None, when: str | None, anonymous: str | None, off: str | None) -> None:
    """What letters between players a game allows, and how many were sent: their texts are nobody's but their readers'.

    Example:  pbem mail press games/anabasis --daily 3 --when held
    """
    from pbem.base.folder import Lock
    from pbem.mail import press as letters
    from pbem.mail.desk import MailDesk

    with Lock(game if game.is_dir() else game.parent):
        desk = MailDesk(game, now=clock())
        click.echo(letters.ruled(desk, daily, when, anonymous, off))
        desk.commit()


@mail.command()
@click.pass_context
@kindly
def rebuild(ctx: click.Context) -> None:
    """The ledger anew, from the raw mails and from the logs.

    Example:  pbem mail rebuild
    """
    from pbem.desk.showing import plain_words
    from pbem.mail import status as seen
    from pbem.mail.sentences import mailed

    made = configured(ctx)
    click.echo(mailed(plain_words(), "rebuilt", mails=len(seen.rebuild(made, made.games()).mails)))


@mail.command()
@click.option("--every", "minutes", type=click.IntRange(1, 59), default=10, show_default=True, help="Minutes between two runs.")
@click.option("--systemd", "folder", is_flag=False, flag_value="~/.config/systemd/user", default=None,
              type=Made(folder=True), help="Write units for systemd there instead.")
@click.pass_context
@kindly
def schedule(ctx: click.Context, minutes: int, folder: Path | None) -> None:
    """The line for cron, or the units for systemd, that call the mailbox.

    Example:  pbem mail schedule --every 10
    """
    from pbem.desk.showing import plain_words
    from pbem.mail import schedule as calling
    from pbem.mail.sentences import mailed

    made, said = configured(ctx), plain_words()
    if folder is None:
        click.echo(calling.crontab(made, minutes))
        click.echo(mailed(said, "schedule_cron"), err=True)
    else:
        for path in calling.write_units(made, minutes, folder):
            click.echo(path)
        click.echo(mailed(said, "schedule_systemd"), err=True)


@mail.command()
@click.argument("source", type=Given("copy"))
@click.pass_context
@kindly
def restore(ctx: click.Context, source: Path) -> None:
    """Bring lost private files and a lost ledger back from a copy; what is there stays.

    Example:  pbem mail restore /mnt/copy/pbem.backup
    """
    from pbem.desk.showing import plain_words
    from pbem.mail import backup
    from pbem.mail.sentences import mailed

    made = configured(ctx)
    found = backup.restore(made, made.games(), source)
    click.echo(mailed(plain_words(), "restored", files=[str(one) for one in found]))


# --- a thread in a forum -----------------------------------------------------------------------------------------------


@click.command(cls=GameCommand)
@game_argument
@click.argument("seat", type=Seat(), required=False)
@click.option(
    "--post", "number", default="", help="The number of the post: where the orders come from, or where it was pasted."
)
@click.option("--file", "file", type=Given("post", typed=True), default="-", help="The post (default: standard input).")
@click.option("--done", default="", metavar="NAME", help="This text (all: whatever is listed) stands in post --post.")
@kindly
def paste(game: Path, seat: str | None, number: str, file: Path, done: str) -> None:
    """Orders out of a forum post of SEAT: its bold lines outside of quotes; then, and without SEAT, what is to be pasted.

    Example:  pbem paste games/anabasis blue --post 4711 < post.txt
    """
    from pbem.mail import paste as thread

    if done:
        click.echo(thread.tick(game, done, number))
    elif seat is None:
        click.echo(thread.listed(game, clock()))
    elif not number:
        raise click.UsageError(in_words(PbemError("give_post")))
    else:
        click.echo(f"{thread.order(game, seat, number, text_of(file), clock())}\n\n{thread.listed(game, clock())}")
        if thread.may_be_corrected(game, seat, number):
            sys.exit(1)


@click.command(name="ask", cls=GameCommand)
@game_argument
@seat_argument
@click.argument("request", nargs=-1)
@look_option
@json_option
@dry_option
@kindly
def ask_for(game: Path, seat: str, request: tuple[str, ...], look: bool, as_json: bool, dry_run: bool) -> None:
    """A request of SEAT that came by another way, as if it had come by mail. Without one: what SEAT may write now.

    Several lines may be given with \\n between them; docs/requests.md lists all requests.
    Example:  pbem ask games/anabasis blue absent 2026-12-01 to 2026-12-05
    """
    from pbem.mail import entered

    in_private(game, seat, look=look)
    text = " ".join(request).replace("\\n", "\n") or "help"
    done = entered.answered(game, seat, text, clock(), write=not dry_run)
    say(as_json, done._asdict, lambda: done.answer)
    if not done.met:
        sys.exit(1)


def passphrase_of(source: str, *, twice: bool) -> str:
    """It stands in no command line, where others could read it, and is written nowhere."""
    if source == "-":
        return str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=twice))
    if source.startswith("env:"):
        given = os.environ.get(source.removeprefix("env:"), "")
    else:
        given = Given("passphrase").convert(source, None, None).read_text("utf-8").partition("\n")[0].rstrip("\r")
    if not given:
        raise click.UsageError(f"{source} has no passphrase.")
    return given


@click.command(cls=GameCommand)
@click.argument("game", type=GameDir(exists=False))
@click.option("-o", "--output", type=Made("archive", "bytes"), default=None, help="The packet.")
@click.option("--open", "packet", type=Given("packet"), default=None,
              help="Unpack this packet into GAME, a new or empty folder.")
@click.option(
    "--config", "place", type=click.Path(path_type=Path), default=None, help="mail.yaml, for the raw mails of the game."
)
@click.option("--seal", "source", metavar="FILE|env:NAME|-", default="",
              help="The packet is encrypted by gpg with the deputy's passphrase, and opened with it: a file that has it in its "
                   "first line, a variable of the environment, or - to be asked for it.")
@kindly
def handover(game: Path, output: Path | None, packet: Path | None, place: Path | None, source: str) -> None:
    """Pack log, secrets, outbox and deadlines for a substitute moderator; or open such a packet.

    Example:  pbem handover games/anabasis -o anabasis.tar.gz
    """
    from pbem.mail import handover as packing

    passphrase = passphrase_of(source, twice=packet is None) if source else ""
    if packet is not None:
        click.echo(packing.unpack(packet, game, passphrase))
    else:
        GameDir().convert(game, None, None)
        click.echo(packing.pack(game, output or Path(f"{game.name}-handover.tar.gz"), place, clock(), passphrase))


COMMANDS = (mail, paste, ask_for, handover)
