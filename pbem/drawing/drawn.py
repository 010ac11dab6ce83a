"""A picture to be sent or laid down: with its name, its PNG, and what stands in its place where there are no pictures."""

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from pbem.drawing import raster, said
from pbem.drawing.picture import picture
from pbem.play.match import Match
from pbem.telling.chart import chart, course
from pbem.telling.words import Words


class Drawn(NamedTuple):
    """`name` has no ending: `.svg` and `.png` go with it. `alternative` is for whoever sees no picture."""

    name: str
    svg: str
    sentence: str
    alternative: str

    def png(self, width: int = raster.MAILED) -> bytes:
        return painted(self.svg, width)

    def bbcode(self) -> str:
        """The line for a forum post, to be completed by where the PNG lies."""
        return f"[img]{self.name}.png[/img]"


@lru_cache(maxsize=32)
def painted(svg: str, width: int) -> bytes:
    """Each distinct picture is painted once a run."""
    return raster.png(svg, width)


def drawn(
    match: Match,
    words: Words,
    *,
    reader: str | None = None,
    title: str = "",
    entry: int = 0,
    head: str = "",
    since: int | None = None,
    focus: tuple[str, str] | None = None,
    plain: bool = False,
) -> Drawn:
    """The board of a game after the last entry taken in; `focus` is a kind, region, province or space, and its id."""
    data = chart(match, reader, title=title, entry=entry, head=head, since=since)
    shown: Collection[str] = ()
    if focus:
        shown = said.around(data, *focus)
    line = said.sentence(data, words)
    svg = picture(data, words, focus=shown, plain=plain, described=line)
    name = "-".join(["map", str(data["entry"]), *([focus[1]] if focus else []), words.language])
    return Drawn(name, svg, line, "\n".join(said.summary(data, words)))


def plotted(match: Match, words: Words, *, title: str = "") -> Drawn:
    """How VP and L went."""
    from pbem.drawing.plot import plot

    svg = plot(course(match), title, list(match.seats), words)
    line = str(words.tell("drawing", "plot_title", {"title": title}))
    return Drawn(f"plot-{words.language}", svg, line, line)
