"""Pages for players, to read, to attach, to print; and a game to learn it all by playing."""

from pathlib import Path

import click

from pbem.base.errors import PbemError
from pbem.base.kinds import UNKNOWN
from pbem.cli.base import Edition, GameCommand, Language, kindly, runtime_option
from pbem.cli.files import Made
from pbem.editions import EDITIONS, USUAL

language_option = click.option("--language", type=Language(), default="", metavar="CODE", help="Default: en.")


@click.command(cls=GameCommand)
@click.argument("topic", type=click.Choice(["player", "orders", "card"]), default="player")
@language_option
@click.option("--edition", type=Edition, default=USUAL, show_default=True, help="Whose numbers are cited.")
@click.option("-o", "--out", type=Made("page", UNKNOWN), default=None, metavar="FILE",
              help="FILE.html to read in a browser and to print, any other as text (without it, text to the terminal).")
@kindly
def guide(topic: str, language: str, edition: str, out: Path | None) -> None:
    """Pages for players: the guide, every order and answer, or the orders on one page to print.

    Example:  pbem guide player --language de -o guide.html
    """
    from pbem.base.folder import write_whole
    from pbem.base.paths import spoken
    from pbem.telling.guide import as_html, as_text, page

    language = spoken(language)
    source = page(topic, language, EDITIONS[edition].book)
    if out is None:
        click.echo(as_text(source), nl=False)
        return
    text = as_html(source, language, topic) if out.suffix == ".html" else as_text(source)
    write_whole(out, text.encode())


@click.command(cls=GameCommand)
@click.argument("seen", nargs=-1)
@click.option("-o", "--output", type=Made(folder=True), default=None, metavar="FOLDER",
              help="Where it is played (default: here, if it is played here; else pbem-tutorial).")
@language_option
@click.option("--hint", is_flag=True, help="What to type in this step.")
@click.option("--reset", is_flag=True, help="This step once more from its beginning.")
@click.option("--step", type=click.IntRange(1), default=None, metavar="N", help="Back to the beginning of step N.")
@click.option("--page", type=Made(folder=True), default=None, metavar="DIR",
              help="Instead: write tutorial.html there, with the same steps for any browser. It needs engine.js.")
@runtime_option
@kindly
def tutorial(seen: tuple[str, ...], output: Path | None, language: str, hint: bool, reset: bool, step: int | None,
             page: Path | None, runtime: Path | None) -> None:
    """Learn it in twelve steps, in a small game: each is checked. SEEN is what a step asks you to look for.

    Example:  pbem tutorial -o /tmp/lesson
    """
    from pbem.desk.showing import plain_words
    from pbem.desk.tutorial import STATE, opened, printed

    if page is not None:
        as_page(page, language, runtime)
        return
    here = Path()
    folder = output or (here if (here / STATE).exists() else Path("pbem-tutorial"))
    is_new = not (folder / STATE).exists()
    if is_new and step is not None and step > 1:           # before anything is laid down
        raise PbemError("no_step", number=step, last=1)
    lesson = opened(folder, language)
    said = plain_words(lesson.progress.language)
    number = lesson.progress.step
    if reset or step:
        lesson.again(step or number)
    elif hint and not lesson.is_over:
        click.echo(printed(lesson, hints=True), nl=False)
        return
    elif is_new:
        click.echo(printed(lesson, of=0))
        click.echo(f"cd {folder}\n")
    elif not lesson.is_over:
        if not lesson.is_done(" ".join(seen)):
            click.echo(said.phrase("step_not_done", number=number))
            click.echo()
        else:
            lesson.progress.step += 1
            lesson.keep()
            click.echo(said.phrase("step_done", number=number))
            click.echo()
    click.echo(printed(lesson), nl=False)


def as_page(folder: Path, language: str, runtime: Path | None) -> None:
    """The steps for a browser; an engine that lies there for an order desk serves them, too."""
    from pbem.base.folder import write_whole
    from pbem.desk.showing import plain_words
    from pbem.page.engine import ENGINE, engine
    from pbem.page.lesson import files

    made = {**files(language), **({ENGINE: engine(runtime)} if runtime else {})}
    folder.mkdir(parents=True, exist_ok=True)
    said = plain_words(language)
    for name, text in made.items():
        write_whole(folder / name, text.encode(), 0o644)
        click.echo(said.phrase("published_file", file=str(folder / name), written=True))
    if not (folder / ENGINE).is_file():
        click.echo(said.phrase("lesson_no_engine"))


COMMANDS = (guide, tutorial)
