"""How long the form of a box takes, counted: what has to be looked at, and what has to be typed.

`python -m pbem.dev.minutes` prints the table of docs/box.md. Two boxes are filled in: one that is as we have it, where every
line only gets its x, and one that differs from ours wherever a box may, so that nearly every word is typed anew. A real box
lies between them.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import chain
from typing import Any, NamedTuple

from pbem.components import form
from pbem.components.lines import SECTIONS
from pbem.components.shipped import shipped
from pbem.dev.boxes import any_box

# Seconds, as the keystroke-level model of office work has them: a key of somebody who types without haste, and what it takes to
# see that something has to be done and to bring the cursor there. A word is found on the board or on a piece and compared with
# that of the line; of prose two versions are read, four words a second.
KEY, SPOT, WORD, READ = 0.28, 2.5, 1.2, 0.25
BOXES = 5                               # of the drawn ones, whose mean is told


class Effort(NamedTuple):
    """What one section asks of whoever fills it in."""

    words: int                          # compared with the box
    prose: int                          # words of our wording of a card, read beside the card's own
    spots: int                          # places where something is typed
    keys: int

    @property
    def minutes(self) -> float:
        return (self.words * WORD + 2 * self.prose * READ + self.spots * SPOT + self.keys * KEY) / 60


def effort(before: str, after: str) -> Effort:
    """From the section as `form` writes it to the same as the box has it."""
    lines, wanted = before.splitlines(), after.splitlines()
    matched = SequenceMatcher(a=[line[6:] for line in lines], b=[line[6:] for line in wanted], autojunk=False)
    spots = keys = 0
    for what, a, b, c, d in matched.get_opcodes():
        pairs = list(zip(lines[a:b], wanted[c:d], strict=False)) if what in ("equal", "replace") else []
        for old, new in pairs:
            changes = [typed for typed in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes() if typed[0] != "equal"]
            spots += len(changes)
            keys += sum(max(j - i, m - k) for _, i, j, k, m in changes)
        fresh = wanted[c + len(pairs):d] if what != "equal" else []
        spots += len(fresh)
        keys += sum(len(line) + 1 for line in fresh)
    asked = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    prose = [line.lstrip(" #") for line in lines if line.startswith("      #")]
    words = (line[5:].split(" #")[0].split() for line in asked)
    return Effort(sum(map(len, words)), sum(len(line.split()) for line in prose), spots, keys)


def sections(text: str) -> dict[str, str]:
    """What stands under each heading of a form."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.endswith(": |") and line[0] != " ":
            found[line[:-3]] = []
        elif found:
            list(found.values())[-1].append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def efforts(tree: Mapping[str, Any]) -> dict[str, Effort]:
    """Our form made into that of this box, all of it confirmed."""
    ours = shipped()
    before = sections(form.written(ours, ours))
    after = sections(form.written(dict(tree), ours, confirmed=lambda datum: True))
    return {name: effort(before[name], after[name]) for name in before}


def table() -> Iterator[str]:
    """A line for each section that has its minutes."""
    same, drawn = efforts(shipped()), [efforts(any_box(seed)) for seed in range(BOXES)]
    yield from ("| section | planned, minutes | all as ours | keys | all differs | keys |", "|---|--:|--:|--:|--:|--:|")
    rows = []
    for section in (one for one in SECTIONS if one.minutes):
        least, most = same[section.key], [one[section.key] for one in drawn]
        rows.append((section.minutes, least.minutes, least.keys, sum(one.minutes for one in most) / BOXES,
                     sum(one.keys for one in most) // BOXES))
        yield f"| `{section.key}` | {row_text(rows[-1])}"
    yield f"| together | {row_text([sum(column) for column in zip(*rows, strict=True)])}"


def row_text(row: Sequence[float]) -> str:
    return " | ".join(f"{one:.0f}" for one in row) + " |"


if __name__ == "__main__":
    print(*chain(table()), sep="\n")
