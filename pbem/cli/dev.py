"""The example games, and `pbem dev ...` for those who work on pbem."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.base.kinds import UNKNOWN
from pbem.cli.base import Edition, GameCommand, Group, Typed, completed, json_option, kindly, say
from pbem.cli.files import Given, Made
from pbem.cli.progress import Working, quiet_option
from pbem.editions import USUAL

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@click.command(cls=GameCommand)
@click.option("-o", "--output", type=Made(folder=True), default=Path("pbem-demo"),
              show_default=True, help="Where the game folder is left.")
@kindly
def demo(output: Path) -> None:
    """A march all the way: stops for three absent people, takes their answers, prints the report.

    Example:  pbem demo -o /tmp/demo
    """
    from pbem.desk.demo import play

    for line in play(output):
        click.echo(line)


class Example(Typed):
    """An example game by its name."""

    name = "example"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from pbem.base.paths import games_dir

        return completed(sorted(one.name for one in games_dir().iterdir()), incomplete)


@click.command(cls=GameCommand)
@click.argument("name", type=Example(), required=False)
@click.option("-o", "--output", type=Made(folder=True), default=None, metavar="FOLDER",
              help="Where the copy is left (default: a folder of its name).")
@kindly
def games(name: str | None, output: Path | None) -> None:
    """The example games: which there are, or a copy of one to look at and to try things on.

    Example:  pbem games regency -o /tmp/regency
    """
    from pbem.desk.samples import opened, samples
    from pbem.desk.showing import plain_words

    said = plain_words()
    if name is None:
        for one in samples():
            click.echo(said.phrase("sample", **one._asdict()))
        return
    folder = output or Path(name)
    opened(name, folder)
    click.echo(said.phrase("sample_opened", folder=str(folder)))
    for look in ("report {} --since 1", "log {}", "map {} -o map.svg", "verify {}"):
        click.echo(f"  pbem {look.format(folder)}")


@click.group(cls=Group)
def dev() -> None:
    """For developers: rule cases, random play, full proofs, benchmarks."""


@dev.command()
@click.argument("files", nargs=-1, required=True, type=Given("cases"))
@click.option("--only", default=None, metavar="RULE", help="Only cases of this rule and below.")
@json_option
@kindly
def cases(files: tuple[Path, ...], only: str | None, as_json: bool) -> None:
    """Drive rule cases through the real engine.

    Example:  pbem dev cases tests/cases/rulebook-4e.yaml --only 11
    """
    from pbem.dev import cases as driver

    verdicts = driver.run(files, only)
    say(as_json, lambda: {"cases": [one._asdict() for one in verdicts]}, lambda: driver.show(verdicts))
    if any(one.verdict in ("fail", "unknown") for one in verdicts):
        sys.exit(1)


@dev.command(name="play")
@click.option("--games", default=100, show_default=True)
@click.option("--players", type=click.IntRange(2, 5), default=None, help="Default: all numbers in turn.")
@click.option("--edition", type=Edition, default=USUAL, show_default=True)
@click.option("--seed", "number", default=0, show_default=True)
@click.option("--keep", type=Made(folder=True), default=None, help="Leave the games as folders here.")
@click.option("--options", is_flag=True, help="With optional rules and cards drawn for each game.")
@click.option("--march", is_flag=True, help="Random marches on random positions instead of whole games.")
@click.option("--swift", is_flag=True,
              help="Look at positions only where a phase is over, and read only every eleventh "
              "game again from its log: for what wants many games.")
@click.option("--counts", type=Made("data", UNKNOWN), default=None,
              help="A file of counts: the games in it are not played again, and what is played is added to it.")
@click.option("--jobs", type=int, default=None, help="Processes; default: as many as there are cores.")
@json_option
@quiet_option
@kindly
def dev_play(games: int, players: int | None, edition: str, number: int, keep: Path | None, options: bool, march: bool,
             swift: bool, counts: Path | None, jobs: int | None, as_json: bool, quiet: bool) -> None:
    """Random play: whole games from the set-up to their end, looked at after every entry.

    Example:  pbem dev play --games 10000 --options --swift --counts counts.json
    """
    if march:
        from pbem.dev.play import play

        with Working("dev play", quiet):
            marches = play(games, number, players)
        say(as_json, marches.plain, lambda: marches)
        if marches.wrong:
            sys.exit(1)
        return
    from pbem.dev.many import play_games

    try:
        with Working("dev play", quiet):
            played = play_games(games, players, number, edition, keep, options=options, looks=not swift, counts=counts,
                                jobs=jobs)
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault
    say(as_json, played.plain, lambda: played)
    if played.failures:
        sys.exit(1)


@dev.command()
@click.option("--games", default=5000, show_default=True, help="The scale: 5000 for the full counts.")
@click.option("--only", default="", metavar="TEXT", help="Only parts whose name contains this.")
@click.option("--counts", type=Made(folder=True), default=None,
              help="A folder of counts, for what takes long (whole games, boxes, secrecy, pages, marks, verify): the games in "
                   "it are not looked at again, and what is looked at is added to it.")
@quiet_option
@kindly
def prove(games: int, only: str, counts: Path | None, quiet: bool) -> None:
    """The full counts: cases, whole games, secrecy, both verifiers, fuzz. Takes hours, and can be gone on with.

    Example:  pbem dev prove --counts proved
    """
    from pbem.dev import prove as proofs

    with Working("dev prove", quiet) as work:
        holds = proofs.prove(games, work.echo, only, counts)
    if not holds:
        sys.exit(1)


@dev.command()
@click.option("--games", default=1000, show_default=True, help="Each with ten forgeries.")
@click.option("--counts", type=Made("data", UNKNOWN), default=None,
              help="A file of counts: the games in it are not looked at again, and what is looked at is added to it.")
@quiet_option
@kindly
def tamper(games: int, counts: Path | None, quiet: bool) -> None:
    """Honest games of all kinds, and forgeries of their logs: do the three checkers say the same of each?

    Example:  pbem dev tamper --games 1000 --counts tamper.json
    """
    from pbem.dev import tampering

    with Working("dev tamper", quiet):
        total = tampering.counted(games, counts)
    click.echo(total)
    if total.wrong:
        sys.exit(1)


@dev.command()
@click.argument("by", type=click.Choice(["cases", "tests"]), default="cases")
@click.argument("witnesses", nargs=-1)
@click.option("--only", default=None, metavar="TEXT", help="Only mutants whose line in the list contains this.")
@click.option("--sample", type=int, default=None, help="As many of them, at random.")
@click.option("--seed", default=0, show_default=True)
@quiet_option
@kindly
def mutate(by: str, witnesses: tuple[str, ...], only: str | None, sample: int | None, seed: int, quiet: bool) -> None:
    """Change each refusal and number, one at a time: some case has to notice, or some test of what is not rules.

    Example:  pbem dev mutate tests --only desk/tray
    """
    from pbem.dev.mutate import mutate as try_all

    with Working("dev mutate", quiet) as work:
        work.echo(try_all(by, only, sample=sample, seed=seed, witnesses=witnesses, echo=work.echo))


@dev.command()
@click.option("--entries", default=15000, show_default=True, help="The longest log of the linearity row.")
@quiet_option
def bench(entries: int, quiet: bool) -> None:
    """Ratios, never bare times, each with its goal: start-up, what is asked daily, replay per entry, linearity.

    Example:  pbem dev bench
    """
    from pbem.dev import bench as benchmark

    with Working("dev bench", quiet) as work:
        for row in benchmark.rows(entries):
            work.echo(row)


@dev.command()
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1), default=8, show_default=True, help="As many for each setting.")
@click.option("--seed", default=0, show_default=True)
@click.option("--mind", type=click.Choice(["aims", "random"]), default="aims", show_default=True,
              help="Who decides what is played.")
@click.option("--set", "base", multiple=True, metavar="KEY=VALUE",
              help="A rule of the header: windows=held, deadlines.losses=12.")
@click.option("--compare", "others", multiple=True, metavar="'KEY=VALUE ...'",
              help="One more column, with these rules besides; lasting=no, ahead=no, form=no: as if mails "
                   "offered no such thing; before: nothing of all this.")
@click.option("--jobs", default=1, show_default=True, help="Processes.")
@json_option
@quiet_option
@kindly
def pace(players: int, games: int, seed: int, mind: str, base: tuple[str, ...], others: tuple[str, ...], jobs: int,
         as_json: bool, quiet: bool) -> None:
    """How many days a game takes, and where they go: whole games of simulated people at the real desk.

    Example:  pbem dev pace --players 4 --games 4 --compare windows=held
    """
    from pbem.dev import pace as pacing

    first = pacing.setting_of(base, mind)
    settings = [first, *(pacing.setting_of([one], mind, first.rules) for one in others)]
    with Working("dev pace", quiet):
        rows = pacing.compare(players, settings, games, seed, jobs)
    say(as_json, lambda: {"settings": [row._asdict() for row in rows]}, lambda: pacing.table(rows))


@dev.command(name="sentences")
@click.option("--language", default="en", show_default=True, metavar="XX", help="A folder of templates.")
@click.option("--doubtful", is_flag=True, help="Only what is missing, doubtful or unused; 1 if there is any.")
@kindly
def dev_sentences(language: str, doubtful: bool) -> None:
    """Every sentence of a language with sample facts; what is missing, doubtful or unused.

    Example:  pbem dev sentences --language it --doubtful
    """
    from pbem.dev import sentences

    if not doubtful:
        click.echo(sentences.page(language))
        return
    found = list(dict.fromkeys(f"{one.file}.{one.key}: {what}: {one.said}" for one in sentences.lines(language)
                               for what in one.trouble))
    found += [f"missing: {key}" for key in sentences.missing(language)]
    found += [f"unused: {key}" for key in sentences.unused(language)]
    click.echo("\n".join(found) or "nothing")
    if found:
        sys.exit(1)


@dev.command(name="replay")
@click.argument("file", type=Given("cases"))
@click.option("-o", "--output", type=Made(folder=True), default=None,
              help="Where the game is left as a folder.")
@json_option
@kindly
def dev_replay(file: Path, output: Path | None, as_json: bool) -> None:
    """A published game at the real desk, with its hands, draws and dice; each difference, then the counts. 1 if there is any.

    Example:  pbem dev replay tests/replays/example-3e-turn1.yaml
    """
    from pbem.dev.replay.replay import replay

    played = replay(file, output)
    say(as_json, played.plain, lambda: played)
    if not played.is_faithful:
        sys.exit(1)


COMMANDS = (demo, games, dev)
