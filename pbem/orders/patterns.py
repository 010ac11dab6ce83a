"""Patterns: one way to write an order, and the expressions that read it, strictly or as people write."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple


class Form:
    """One way to write an order. What is needed for reading is made when the first such order is met."""

    __slots__ = ("_loose", "_strict", "nodes", "pattern", "slots", "verb")

    def __init__(self, verb: str, pattern: str) -> None:
        self.verb = verb
        self.pattern = pattern
        self.nodes: tuple[Node, ...] = ()
        self.slots: tuple[Slot, ...] = ()
        self._strict: re.Pattern[str] | None = None
        self._loose: re.Pattern[str] | None = None

    def understood(self) -> "Form":
        if not self.nodes:
            self.nodes = _nodes(self.pattern)
            self.slots = tuple(_slots(self.nodes))
        return self

    def strict(self) -> re.Pattern[str]:
        """Reads what `say` writes, and nothing else: this is the way of the log."""
        if self._strict is None:
            self._strict = re.compile(_regex(self.understood().nodes, literally) + r"\Z")
        return self._strict

    def loose(self) -> re.Pattern[str]:
        """Reads what people write."""
        if self._loose is None:
            self._loose = re.compile(_regex(self.understood().nodes, or_synonym) + r"\Z", re.IGNORECASE)
        return self._loose

    def fixed(self) -> int:
        """How many words of it stand there whatever is filled in."""
        return sum(isinstance(node, str) for node in self.understood().nodes)

    def shown(self) -> str:
        """The pattern as a person would like to see it."""
        plain = re.sub(r" ?\{\w+=\w+\}", "", self.pattern)
        return re.sub(r"\{([^}]*)\}", lambda slot: Slot.of(slot[1]).shown(), plain)


class Slot(NamedTuple):
    """Something to fill in: `kind` names its reader; a choice has `words`, a silent constant a `value`."""

    arg: str
    kind: str
    words: tuple[str, ...] = ()
    value: str = ""

    @classmethod
    def of(cls, spec: str) -> "Slot":
        if spec.endswith("!"):
            return cls(spec[:-1], "flag", (spec[:-1],))
        arg, _, value = spec.partition("=")
        if value:
            return cls(arg, "constant", (), value)
        arg, _, kind = spec.partition(":")
        if "|" in kind:
            return cls(arg, "choice", tuple(kind.split("|")))
        return cls(arg, kind or arg)

    def shown(self) -> str:
        return "|".join(self.words) or self.kind.upper()


class Maybe(NamedTuple):
    nodes: "tuple[Node, ...]"


Node = str | Slot | Maybe

# Other words for the words in patterns, as people write them.
SYNONYMS = {
    ">": (">", "to", "into", "toward", "towards"),
    "with": ("with", "taking"),
    "at": ("at", "in", "into"),
    "from": ("from", "out of"),
    "of": ("of", "from"),
    "by": ("by", "from"),
    "on": ("on", "against", "upon"),
    "as": ("as", "for its", "for", "as an", "as a"),
    "under": ("under", "led by"),
    "leaving": ("leaving", "leaving behind"),
    "mercenary": ("mercenary", "merc", "a merc", "a mercenary", "1 mercenary", "1 merc", "one mercenary"),
    "minor": ("minor", "a minor", "minor general", "a minor general"),
    "pc": ("pc", "pcs", "a pc", "the pc"),
    "royal": ("royal", "royals", "ra", "royal army", "royal armies"),
    "segment": ("segment", "turn", "my turn", "the segment"),
    "event": ("event", "its event"),
    "ops": ("ops", "op", "points", "its points", "operations", "operation points", "its ops"),
    "inside": ("inside", "into"),
    "outside": ("outside", "out"),
    "lead": ("lead", "command"),
}


_TOKEN = r"[\[\]]|\{[^}]*\}|[^\s\[\]{}]+"


def _nodes(pattern: str) -> tuple[Node, ...]:
    open_lists: list[list[Node]] = [[]]
    for token in re.findall(_TOKEN, pattern):
        if token == "[":
            open_lists.append([])
        elif token == "]":
            inner = open_lists.pop()
            open_lists[-1].append(Maybe(tuple(inner)))
        else:
            open_lists[-1].append(Slot.of(token[1:-1]) if token[0] == "{" else token)
    return tuple(open_lists[0])


def _slots(nodes: tuple[Node, ...]) -> Iterator[Slot]:
    for node in nodes:
        if isinstance(node, Slot):
            yield node
        elif isinstance(node, Maybe):
            yield from _slots(node.nodes)


def literally(word: str) -> tuple[str, ...]:
    return (word,)


def or_synonym(word: str) -> tuple[str, ...]:
    return SYNONYMS.get(word, (word,))


def one_of(words: Iterable[str], others: Callable[[str], tuple[str, ...]]) -> str:
    spelled = {other for word in words for other in others(word)}
    return "|".join(re.escape(word) for word in sorted(spelled, key=lambda word: (-len(word), word)))


def _regex(nodes: tuple[Node, ...], others: Callable[[str], tuple[str, ...]], lead: str = "") -> str:
    parts = []
    for node in nodes:
        if isinstance(node, Maybe):
            # What starts with a free slot is tried last: `shift with 2 loyal inside` names no General.
            lazy = "?" if isinstance(node.nodes[0], Slot) and not node.nodes[0].words else ""
            parts.append(f"(?:{_regex(node.nodes, others, ' ')})?{lazy}")
        elif isinstance(node, str):
            parts.append(f"{lead}(?:{one_of((node,), others)})")
        elif node.kind == "constant":
            continue
        else:
            parts.append(lead + _slot_regex(node, others))
        lead = " "
    return "".join(parts)


def _slot_regex(slot: Slot, others: Callable[[str], tuple[str, ...]]) -> str:
    if slot.words:
        return f"({one_of(slot.words, others)})"
    if slot.kind == "number":
        return r"\+?(\d{1,3})"
    if slot.kind == "letter":
        return "([a-z])"
    return "(.+?)"
