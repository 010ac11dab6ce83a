"""Sealed answers: alternatives, conditions on what others do, places of a route."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.base.errors import Unreadable
from pbem.orders.language import LONGEST_LINE, check_length, parse, tidied
from pbem.orders.lines import DEED, Condition, deed, say_condition, say_orders
from pbem.orders.names import Names
from pbem.orders.order import Order
from pbem.orders.slots import Speaker, Within


class Alternative(NamedTuple):
    """One of several answers, tried in sequence; `at` is the step of an announced route it is meant for."""

    orders: tuple[Order, ...]
    condition: Condition | None = None
    at: str | None = None


_SEALED_CONDITIONS = ["if Blue passes", "unless Blue acts"]
_ELSE = r"(?i)[ ;,]*(?:\b(?:or )?else\b|\botherwise\b|\|)[ :,]*"
_AT = r"(?i)(?:at|in|into) ([^:;]+?) ?: ?(.*)"
_NEXT_STEP = r"(?i) ?; ?(?=(?:at|in|into) [^:;]+:)"
_ONLY_FIRST = rf"(?i)(if|unless) {DEED} ?[:,] ?(.+)"
_ONLY_LAST = rf"(?i)(.+?)[ ,]+(?:but )?(?:only )?(if|unless) {DEED}[.!]*"


def _answered(orders: tuple[Order, ...], text: str) -> tuple[Order, ...]:
    if not orders:
        raise Unreadable("unreadable_order", text=text, suggestions=["pass"])
    return orders


def read_answer(text: str, names: Names, within: Within = None) -> tuple[Alternative, ...]:
    """A sealed answer: `intercept Lysimachos with 2 loyal unless yellow does else pass`."""
    check_length(text, LONGEST_LINE)
    alternatives = []
    lines = (tidied(line) for line in text.splitlines())
    for step in re.split(_NEXT_STEP, "; ".join(line for line in lines if line)):
        at = None
        if found := re.fullmatch(_AT, step):
            at, step = names.resolve("space", found[1]), found[2]
        for part in re.split(_ELSE, step):
            condition = None
            if found := re.fullmatch(_ONLY_FIRST, part):
                condition, part = deed(found[2], found[3], names, found[1].lower() == "unless"), found[4]
            elif found := re.fullmatch(_ONLY_LAST, part):
                condition, part = deed(found[3], found[4], names, found[2].lower() == "unless"), found[1]
            elif found := re.search(r"(?i)\b(?:if|unless)\b.*", part):
                raise Unreadable("unreadable_condition", text=found[0], suggestions=_SEALED_CONDITIONS)
            alternatives.append(Alternative(_answered(parse(part, names, within), text), condition, at))
    return tuple(alternatives)


def say_answer(alternatives: Iterable[Alternative], names: Speaker) -> str:
    """The answer in its canonical spelling, or in somebody's own; what is meant for no step in particular comes first."""
    steps: dict[str | None, list[str]] = {None: []}
    for orders, condition, at in alternatives:
        only = f" {names.word('if')} {say_condition(condition, names)}" if condition else ""
        steps.setdefault(at, []).append(say_orders(orders, names) + only)
    starts = {at: f"{names.word('at')} {names.after('at').say('space', at)}: " if at else "" for at in steps}
    return "; ".join(starts[at] + f" {names.word('else')} ".join(parts) for at, parts in steps.items() if parts)
