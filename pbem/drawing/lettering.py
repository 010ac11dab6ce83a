"""How wide a text is in the font of the drawing: what is measured is what is painted."""

import json
import re
from functools import cache
from typing import Literal

from pbem.base.paths import data_dir

Face = Literal["regular", "bold", "italic"]
STRANGE = 600  # a letter that no font has: about as wide as an N
DIGEST = re.compile(r"\b[0-9a-f]{32}\b")  # takes the same room whatever it says: it hangs on what is not drawn


@cache
def _widths() -> dict[str, dict[str, int]]:
    read: dict[str, dict[str, int]] = json.loads((data_dir() / "drawing/widths.json").read_bytes())
    usual = read["regular"]
    return {face: {**usual, **other} for face, other in read.items()}


def wide(text: str, size: float, face: Face = "regular") -> float:
    """In pixels."""
    widths = _widths()[face]
    if len(text) >= 32:
        text = DIGEST.sub("0" * 32, text)
    return sum(widths.get(letter, STRANGE) for letter in text) * size / 1000


def cut(text: str, room: float, size: float, face: Face = "regular") -> str:
    """As much of it as there is room for."""
    if wide(text, size, face) <= room:
        return text
    while text and wide(f"{text}…", size, face) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
