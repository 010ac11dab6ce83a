"""Lines of one's own turn: conditions, `regardless`, the `yes` to a price."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pbem.base.errors import Ambiguous, PbemError, Unreadable
from pbem.orders.language import parse, say, tidied
from pbem.orders.names import Names
from pbem.orders.order import Order
from pbem.orders.patterns import literally, one_of
from pbem.orders.slots import Speaker, Within


class Condition(NamedTuple):
    """What must hold for an order to count.

    Subject 'mp': an op and a number. 'general': who is `at` or `not at` a location. 'space': which `is` or
    `is not` in the hands of a seat, 'independent' or 'uncontrolled'. 'seat': who `acts` or `passes`.
    """

    subject: str
    who: str | None
    op: str
    value: Any = None


class Line(NamedTuple):
    """One line of a turn: its orders and what its sender said about when they count."""

    orders: tuple[Order, ...]
    condition: Condition | None
    regardless: bool
    confirmed: bool
    text: str


_BULLET = r"(?:[-*•]|\d+[.)]) "
_IF = r"(?i)if ([^:]+?) ?: ?(.*)"
_IF_LAST = r"(?i)(.*?[^ ,;])[ ,;]+(?:but )?(?:only )?if ([^:]+)"
_REGARDLESS_FIRST = r"(?i)regardless ?[:,]? (.*)"
_LAST_WORD = r"(?i)(.*[^ ,;])[ ,;]+(regardless|yes)[.!]*"
_COMPARED = {
    ">=": ">=", "≥": ">=", "at least": ">=", "<=": "<=", "≤": "<=", "at most": "<=", "=": "=", "==": "=",
    "is": "=", "are": "=", ">": ">", "more than": ">", "<": "<", "less than": "<", "fewer than": "<",
}
_MP = rf"(?i)mps? ?({one_of(_COMPARED, literally)}) ?(\d{{1,2}})"
DEED = (
    r"(.+?) ((?:does|did|do)(?: not|n['’]t)(?: \w+)?|pass(?:es|ed)?"
    r"|(?:does|did|do|acts?|acted|intercepts?|intercepted|evades?|evaded|plays?|played)(?: so| too)?)"
)
_PLACED = r"(?i)(.+?) (?:is )?(not )?(?:at|in|into) (.+)"
_HELD = r"(?i)(.+?) is (not )?(.+)"
_CONDITIONS = ["if MP >= 3:", "if Kassandros at Lamia:", "if Larisa is blue:"]


def read_line(text: str, names: Names, within: Within = None) -> Line | None:
    """One line of a turn; None where it is blank or only a comment."""
    rest = tidied(text)
    if bullet := re.match(_BULLET, rest):
        rest = rest[bullet.end() :]
    if not rest:
        return None
    condition: Condition | None = None
    regardless = confirmed = False
    while True:
        if found := re.fullmatch(_LAST_WORD, rest):
            rest = found[1]
            regardless |= found[2].lower() == "regardless"
            confirmed |= found[2].lower() == "yes"
        elif found := re.fullmatch(_REGARDLESS_FIRST, rest):
            regardless, rest = True, found[1]
        elif condition is None and (found := re.fullmatch(_IF, rest)):
            condition, rest = read_condition(found[1], names), found[2]
        elif condition is None and (found := re.fullmatch(_IF_LAST, rest)):
            condition, rest = read_condition(found[2], names), found[1]
        else:
            break
    return Line(parse(rest, names, within), condition, regardless, confirmed, text)


def say_line(line: Line, names: Speaker) -> str:
    """The line in its canonical spelling."""
    before = f"{names.word('if')} {say_condition(line.condition, names)}: " if line.condition else ""
    after = (f" {names.word('regardless')}" if line.regardless else "") + (f" {names.word('yes')}" if line.confirmed else "")
    return before + say_orders(line.orders, names) + after


def read_condition(text: str, names: Names) -> Condition:
    """What stands between `if` and the colon. Of readings that do not fit the first says why."""
    trouble: PbemError | None = None
    for pattern, read in _READINGS:
        if found := re.fullmatch(pattern, text):
            try:
                return read(found, names)
            except (Unreadable, Ambiguous) as problem:
                trouble = trouble or problem
    raise trouble or Unreadable("unreadable_condition", text=text, suggestions=_CONDITIONS)


def _placed(found: re.Match[str], names: Names) -> Condition:
    general, place = names.resolve("general", found[1]), names.resolve("location", found[3])
    return Condition("general", general, "not at" if found[2] else "at", place)


def _held(found: re.Match[str], names: Names) -> Condition:
    holder = "uncontrolled" if found[3].lower() == "uncontrolled" else names.resolve("seat", found[3])
    return Condition("space", names.resolve("space", found[1]), "is not" if found[2] else "is", holder)


def deed(who: str, what: str, names: Names, turned: bool = False) -> Condition:
    what = what.lower()
    passes = what.startswith("pass") or " not" in what or "n't" in what or "n’t" in what
    return Condition("seat", names.resolve("seat", who), "acts" if passes == turned else "passes")


# In their sequence: `Perdikkas at Haimos pass` also ends like what somebody does.
_READINGS: tuple[tuple[str, Callable[[re.Match[str], Names], Condition]], ...] = (
    (_MP, lambda found, names: Condition("mp", None, _COMPARED[found[1].lower()], int(found[2]))),
    (_PLACED, _placed),
    (f"(?i){DEED}", lambda found, names: deed(found[1], found[2], names)),
    (_HELD, _held),
)


def say_condition(condition: Condition, names: Speaker) -> str:
    subject, who, op, value = condition
    if subject == "mp":
        return f"{names.word('MP')} {op} {value}"
    said = names.say(subject, who or "")
    if subject == "general":
        return f"{said} {names.word(op)} {names.after('at').say('location', value)}"
    if subject == "space":
        return f"{said} {names.word(op)} {names.word(value) if value == 'uncontrolled' else names.after(op).say('seat', value)}"
    return f"{said} {names.word(op)}"


def say_orders(orders: tuple[Order, ...], names: Speaker) -> str:
    return "; ".join(say(order, names) for order in orders)
