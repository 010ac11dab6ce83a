"""`pbem guide`: pages for players, to read, to attach, to print."""

from pathlib import Path

import click

from pbem.cli.base import Language, told


@click.command()
@click.argument("topic", type=click.Choice(["player", "orders", "card"]), default="player")
@click.option("--language", type=Language(), default="en", show_default=True, metavar="CODE")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), default=None, metavar="FILE",
              help="FILE.html to read in a browser and to print, any other as text (without it, text to the terminal).")
@told
def guide(topic: str, language: str, out: Path | None) -> None:
    """Pages for players: the guide, every order and answer, or the orders on one page to print.

    Example:  pbem guide player --language de -o guide.html
    """
    from pbem.base.folder import write_whole
    from pbem.telling.guide import as_html, as_text, page

    source = page(topic, language)
    if out is None:
        click.echo(as_text(source), nl=False)
        return
    text = as_html(source, language, topic) if out.suffix == ".html" else as_text(source)
    write_whole(out, text.encode())


COMMANDS = (guide,)
