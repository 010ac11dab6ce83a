"""What a reader of a page sees: colours, sizes, positions and style sheets, as far as they hide text.

Only a few of a browser's rules, and in doubt text is hidden: what is cut is told, what is obeyed though nobody saw it is not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

SMALLEST = 4.0                  # pixels: letters below are no letters
FAR = 200.0                     # pixels to the left or above of the page
NEAR = 40                       # two colours whose parts differ by less are one
UNITS = {"px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "%": 0.16, "in": 96.0, "cm": 38.0, "mm": 3.8, "vw": 10.0,
         "vh": 8.0, "": 1.0}
NAMED = {"white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240), "black": (0, 0, 0), "red": (255, 0, 0),
         "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245), "floralwhite": (255, 250, 240), "yellow": (255, 255, 0),
         "blue": (0, 0, 255), "green": (0, 128, 0), "gray": (128, 128, 128), "grey": (128, 128, 128), "silver": (192, 192, 192),
         "azure": (240, 255, 255), "mintcream": (245, 255, 250), "navy": (0, 0, 128), "window": (255, 255, 255)}
GONE = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0*\.?0*[01]?(?:%|;|!|\Z)|mso-hide:all|opacity\(0|scale[xy3d]*\(0[,)]"
    r"|clip:rect\((?:0|1px)|clip-path:(?:inset\((?:50|100)%|circle\(0|polygon\(00)|content-visibility:hidden|color:transparent"
    r"|text-fill-color:transparent")
SHUT = re.compile(r"(?:\A|;)(?:max-)?(?:height|width):0*[01]?(?:px|pt|em|%)?(?:;|!|\Z)")
AWAY = re.compile(r"(?:\A|;)(?:left|top|right|bottom|text-indent|margin(?:-left|-top)?|translate[xy]?)[:(]-([\d.]+)([a-z%]*)"
                  r"|translate[xy3d]*\([^)]*-([\d.]+)([a-z%]*)")

SIZE = re.compile(r"(?:\A|;)font(?:-size)?:(?:[^;]*?[^\d.;])??(\d*\.?\d+)(px|pt|em|rem|ex|%|v[wh])?(?:;|/|\Z|[a-z'\"])")

Rgb = tuple[int, int, int]


class Look(NamedTuple):
    """How text looks inside of an element."""

    ink: Rgb = (0, 0, 0)
    paper: Rgb = (255, 255, 255)
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
                name = one.replace("*", " * ").split()[-1:] or [""]
                if name[0] and ":" not in name[0]:
                    key = name[0].lower()
                    self.rules[key] = f"{self.rules.get(key, '')};{declared}"[:1_000]

    def of(self, tag: str, attributes: Mapping[str, str]) -> str:
        """What is declared for an element, the nearest last."""
        if not self.rules:
            return attributes.get("style", "")
        marks = [f".{one}" for one in attributes.get("class", "").lower().split()]
        marks += [f"#{attributes['id'].lower()}"] if attributes.get("id") else []
        names: Sequence[str] = ["*", tag, *marks, *(f"{tag}{mark}" for mark in marks)]
        return ";".join([*(self.rules[one] for one in names if one in self.rules), attributes.get("style", "")])


def look(before: Look, attributes: Mapping[str, str], declared: str) -> Look:
    """How text looks in an element inside of another."""
    ink, paper = attributes.get("color") or attributes.get("text") or "", attributes.get("bgcolor", "")
    if "hidden" in attributes:
        return before._replace(is_hidden=True)
    return _look(before, declared, ink, paper) if declared or ink or paper else before


@lru_cache(5_000)
def _look(before: Look, declared: str, colour: str, ground: str) -> Look:
    said = re.sub(r"\s", "", declared).lower().replace("!important", "")
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
    if (name := re.match(r"[a-z]+\Z", text)) and name[0] in NAMED:
        return NAMED[name[0]]
    if found := re.search(r"#?\b([0-9a-f]{6})(?:[0-9a-f]{2})?\b", text):
        return _rgb(found[1][place:place + 2] for place in (0, 2, 4))
    if found := re.search(r"#([0-9a-f]{3})[0-9a-f]?\b", text):
        return _rgb(one * 2 for one in found[1])
    if found := re.search(r"rgba?\((\d{1,3})%?,(\d{1,3})%?,(\d{1,3})%?(?:,0*(\.?\d*))?", text):
        if found[4] in ("0", "", ".0", ".00") and "rgba" in text and re.search(r",0*\.?0*\)", text):
            return (255, 255, 255)
        most = 2.55 if "%" in text else 1
        red, green, blue = (min(255, int(int(found[part]) * most)) for part in (1, 2, 3))
        return red, green, blue
    if re.search(r"hsla?\([^)]*,(?:9[5-9]|100)%", text):
        return (255, 255, 255)
    return next((NAMED[one] for one in re.findall(r"[a-z]+", text) if one in NAMED), None)


def _rgb(parts: Iterable[str]) -> Rgb:
    red, green, blue = (int(one, 16) for one in parts)
    return red, green, blue


def _size(said: str, before: float) -> float:
    found = SIZE.findall(said)
    if not found or (not found[-1][1] and float(found[-1][0])):
        return before
    number, unit = float(found[-1][0]), found[-1][1]
    return number * before / (100 if unit == "%" else 1) if unit in ("em", "%") else number * UNITS[unit]


def _is_far(said: str) -> bool:
    return any(float(number or other or 0) * UNITS.get(unit or unit2, 1.0) >= FAR
               for number, unit, other, unit2 in AWAY.findall(said) if re.fullmatch(r"\d*\.?\d*", number or other) and (
                   number or other) != ".")
