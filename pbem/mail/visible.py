"""What a reader of a page sees: colours, sizes, positions and style sheets, as far as they hide text.

Only a few of a browser's rules, and in doubt text is hidden: what is cut is told, what is obeyed though nobody saw it is not.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

SMALLEST = 4.0                  # pixels: letters below are no letters
FAR = 200.0                     # pixels to the left or above of the page
NEAR = 40                       # two colours whose parts differ by less are one
UNITS = {"px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "%": 0.16, "in": 96.0, "cm": 38.0, "mm": 3.8, "vw": 10.0,
         "vh": 8.0, "": 1.0}
NAMED = {"white": "ffffff", "snow": "fffafa", "ivory": "fffff0", "black": "000000", "red": "ff0000", "ghostwhite": "f8f8ff",
         "whitesmoke": "f5f5f5", "floralwhite": "fffaf0", "yellow": "ffff00", "blue": "0000ff", "green": "008000",
         "gray": "808080", "grey": "808080", "silver": "c0c0c0", "azure": "f0ffff", "mintcream": "f5fffa", "navy": "000080",
         "window": "ffffff", "aliceblue": "f0f8ff", "beige": "f5f5dc", "cornsilk": "fff8dc", "gainsboro": "dcdcdc",
         "honeydew": "f0fff0", "lavender": "e6e6fa", "lavenderblush": "fff0f5", "lightcyan": "e0ffff", "lightyellow": "ffffe0",
         "linen": "faf0e6", "oldlace": "fdf5e6", "seashell": "fff5ee"}
NEARLY_NONE = r"(?:0*\.?0*|0*\.0*1|0*1%)%?"
GLASS = rf"transparent|#(?:[0-9a-f]{{6}}0[0-9a-f]|[0-9a-f]{{3}}0)\b|rgba?\([^)]*,[^)]*,[^)]*[,/]{NEARLY_NONE}\)"
GONE = re.compile(
    rf"display:none|(?:\A|;)(?:content-)?visibility:(?:hidden|collapse)|(?:\A|;)opacity:{NEARLY_NONE}(?:;|\Z)|mso-hide:all"
    r"|opacity\(0|scale[xy3d]*\(0[,)]|clip:rect\((?:0|1px)|clip-path:(?:inset\((?:50|100)%|circle\(0|polygon\(0,?0)"
    rf"|(?:\A|;)(?:-webkit-text-fill-)?color:(?:{GLASS})")
SHUT = re.compile(r"(?:\A|;)(?:max-)?(?:height|width):0*[01]?(?:px|pt|em|%)?(?:;|\Z)")
AWAY = re.compile(r"(?:(?:\A|;)(?:left|top|right|bottom|text-indent|margin(?:-left|-top)?):(?:calc\()?|translate[xy3d]*\([^)]*)"
                  r"-(\d*\.?\d+)([a-z%]*)")
BLANK = re.compile(r"(?<=[\d%])\s+(?=\d)")      # of the new way to write `rgb(0, 0, 0)`

SIZE = re.compile(r"(?:\A|;)font(?:-size)?:(?:[^;]*?[^\d.;])??(\d*\.?\d+)(px|pt|em|rem|ex|%|v[wh])?(?=;|/|\Z|[a-z'\"])")

Rgb = tuple[int, int, int]


def _rgb(code: str) -> Rgb:
    red, green, blue = bytes.fromhex(code)
    return red, green, blue


WHITE = _rgb(NAMED["white"])


class Look(NamedTuple):
    """How text looks inside of an element."""

    ink: Rgb = _rgb(NAMED["black"])
    paper: Rgb = WHITE
    size: float = 16.0
    is_hidden: bool = False


PLAIN = Look()


class Sheet:
    """The rules of the page's own style sheets, by the last name of their selector."""

    def __init__(self) -> None:
        self.rules: dict[str, str] = {}

    def read(self, text: str) -> None:
        text = re.sub(r"/\*.*?\*/|<!--|-->", "", text[:20_000], flags=re.DOTALL)
        text = re.sub(r"@media[^{]*(?:prefers-color-scheme|print)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)
        for selectors, declared in re.findall(r"([^{}]{1,500})\{([^{}]*)\}", text)[:500]:
            for one in selectors.split(","):
                for name in one.replace("*", " * ").lower().split()[-1:]:
                    self.rules[name] = f"{self.rules.get(name, '')};{declared}"[:1_000]

    def of(self, tag: str, attributes: Mapping[str, str]) -> str:
        """What is declared for an element, the nearest last."""
        if not self.rules:
            return attributes.get("style", "")
        marks = [f".{one}" for one in attributes.get("class", "").lower().split()]
        marks += [f"#{attributes['id'].lower()}"] if attributes.get("id") else []
        names: Sequence[str] = ["*", tag, *marks, *(f"{tag}{mark}" for mark in marks)]
        return ";".join([*(self.rules[one] for one in names if one in self.rules), attributes.get("style", "")])


def look_of(before: Look, attributes: Mapping[str, str], declared: str) -> Look:
    """How text looks in an element inside of another."""
    ink, paper = attributes.get("color") or attributes.get("text") or "", attributes.get("bgcolor", "")
    if "hidden" in attributes:
        return before._replace(is_hidden=True)
    return _look(before, declared, ink, paper) if declared or ink or paper else before


@lru_cache(5_000)
def _look(before: Look, declared: str, colour: str, ground: str) -> Look:
    said = re.sub(r"\s", "", BLANK.sub(",", declared)).lower().replace("!important", "")
    ink = _last(said, "color") or _colour(colour)
    paper = _last(said, "background-color") or _last(said, "background") or _colour(ground)
    now = before._replace(ink=ink or before.ink, paper=paper or before.paper, size=_size(said, before.size))
    is_gone = bool(GONE.search(said)) or (bool(SHUT.search(said)) and "hidden" in said)
    return now._replace(is_hidden=before.is_hidden or is_gone or _is_far(said))


def is_seen(now: Look) -> bool:
    return not now.is_hidden and now.size >= SMALLEST and any(
        abs(one - other) >= NEAR for one, other in zip(now.ink, now.paper, strict=True))


def _last(said: str, name: str) -> Rgb | None:
    found = re.findall(rf"(?:\A|;){name}:([^;]+)", said)
    return _colour(found[-1]) if found else None


def _colour(text: str) -> Rgb | None:
    text = text.strip().lower()
    if re.search(GLASS, text):
        return None
    if found := re.search(r"#?\b([0-9a-f]{6})(?:[0-9a-f]{2})?\b", text):
        return _rgb(found[1])
    if found := re.search(r"#([0-9a-f]{3})[0-9a-f]?\b", text):
        return _rgb("".join(one * 2 for one in found[1]))
    if found := re.search(r"rgba?\((\d{1,3})(%?),(\d{1,3})%?,(\d{1,3})", text):
        most = 2.55 if found[2] else 1
        red, green, blue = (min(255, int(int(found[part]) * most)) for part in (1, 3, 4))
        return red, green, blue
    if re.search(r"hsla?\([^)]*,(?:9[5-9]|100)%", text):
        return WHITE
    return next((_rgb(NAMED[one]) for one in re.findall(r"[a-z]+", text) if one in NAMED), None)


def _size(said: str, before: float) -> float:
    found = SIZE.findall(said)
    if not found or (not found[-1][1] and float(found[-1][0])):
        return before
    number, unit = float(found[-1][0]), found[-1][1]
    return number * before / (100 if unit == "%" else 1) if unit in ("em", "%") else number * UNITS[unit]


def _is_far(said: str) -> bool:
    return any(float(number) * UNITS.get(unit, 1.0) >= FAR for number, unit in AWAY.findall(said))
