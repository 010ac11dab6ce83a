"""SVG by hand: numbers to a tenth, texts that are escaped and as wide as they were measured."""

from collections.abc import Iterable
from html import escape

from pbem.base.language import clean
from pbem.drawing.lettering import Face, wide

FAMILY = "Fira Sans Condensed,DejaVu Sans Condensed,Arial Narrow,sans-serif"
STYLE = {"regular": "", "bold": ' font-weight="700"', "italic": ' font-style="italic"'}


def n(value: float) -> str:
    """A number as short as it can be written."""
    short = f"{value:.1f}"
    return short[:-2] if short.endswith(".0") else short


def quoted(text: str) -> str:
    """Anybody's text, in an attribute or between tags."""
    return escape(clean(text), quote=True)


def text(
    x: float,
    y: float,
    said: str,
    size: float,
    face: Face = "regular",
    *,
    anchor: str = "start",
    fill: str = "",
    spread: float = 0,
    grouped: bool = False,
    more: str = "",
) -> str:
    """A line of text whose middle stands at `y`, as wide as it was measured; `grouped` with its like."""
    if not said:
        return ""
    manner = lettered(0 if grouped else size, "regular" if grouped else face, anchor)
    ink = f' fill="{fill}"' if fill else ""
    length = wide(clean(said), size, face) + spread * max(0, len(said) - 1)
    exact = "" if len(said) < 3 else f' textLength="{n(length)}"'
    return (
        f'<text x="{n(x)}" y="{n(y + size * 0.35)}"{manner}{ink}{exact}{more}>{quoted(said)}</text>'
    )


def lettered(size: float, face: Face = "regular", anchor: str = "start") -> str:
    """How a text is written: of one, or of all that are grouped."""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (f' font-size="{n(size)}"' if size else "") + STYLE[face] + at


def alike(more: str, parts: Iterable[str]) -> str:
    """What is alike in all of them is said once."""
    return f"<g{more}>{''.join(parts)}</g>"


def rect(x: float, y: float, w: float, h: float, fill: str, more: str = "") -> str:
    return f'<rect x="{n(x)}" y="{n(y)}" width="{n(w)}" height="{n(h)}" fill="{fill}"{more}/>'


def path(d: str, fill: str = "none", more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}"{more}/>'
