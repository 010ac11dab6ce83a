"""Pages for players, to read, to attach, to print; and a game to learn it all by playing."""

from pathlib import Path

import click

from pbem.base.kinds import UNKNOWN
from pbem.cli.base import Edition, GameCommand, Language, told
from pbem.cli.files import Made
from pbem.editions import EDITIONS, USUAL

language_option = click.option("--language", type=Language(), default="", metavar="CODE", help="Default: en.")


@click.command(cls=GameCommand)
@click.argument("topic", type=click.Choice(["player", "orders", "card"]), default="player")
@language_option
@click.option("--edition", type=Edition, default=USUAL, show_default=True, help="Whose numbers are cited.")
@click.option("-o", "--out", type=Made("page", UNKNOWN), default=None, metavar="FILE",
              help="FILE.html to read in a browser and to print, any other as text (without it, text to the terminal).")
@told
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
@told
def tutorial(seen: tuple[str, ...], output: Path | None, language: str, hint: bool, reset: bool, step: int | None) -> None:
    """Learn it in twelve steps, in a small game: each is checked. SEEN is what a step asks you to look for.

    Example:  pbem tutorial -o /tmp/lesson
    """
    from pbem.desk.showing import plain_words
    from pbem.desk.tutorial import STATE, opened, printed

    here = Path()
    folder = output or (here if (here / STATE).exists() else Path("pbem-tutorial"))
    is_new = not (folder / STATE).exists()
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


COMMANDS = (guide, tutorial)
