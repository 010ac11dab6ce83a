"""Text -> Order, forgiving; Order -> text, strict."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

from pbem.base.errors import Ambiguous, PbemError, Unreadable
from pbem.orders.names import Names
from pbem.orders.order import ALL, Order
from pbem.orders.patterns import SYNONYMS, Form, Maybe, Node, Slot, one_of, or_synonym
from pbem.orders.slots import READ, SAY, Reader, Speaker, Within
from pbem.orders.table import LETTERS, NOTHING, STARTS, VERBS, WRITTEN
from pbem.orders.tongues import JOINING, in_english

# --- Text -> Order --------------------------------------------------------------------------------

# In characters. Nobody writes more, and an expression takes its time with a text made to keep it busy.
LONGEST_ORDER = 1000
LONGEST_LINE = 4000
_COMMENT = r"(?:^|\s)#(?!\d).*|^#.*"
_SET_OFF = r"""["'“”„«»‘’](.+?)["'“”„«»‘’][.!]?|\(([^()]+)\)[.!]?"""           # the whole of it, between marks
_MYSELF = r"(?i)(?:i(?:['’]ll| will| would like to)?|we(?: will)?|please|let me|ich|wir|bitte|io|noi|я|мы) (?:please |to )?(.+)"
_DEEDS = STARTS.keys() - {*NOTHING}
_ARROW = r"->|=>|→|>"
# Written with nothing to fill in: the same text is always the same order.
PLAIN = {form.pattern: Order(form.verb) for forms in WRITTEN.values() for form in forms
         if "{" not in form.pattern and "[" not in form.pattern}


def parse(text: str, names: Names, within: Within = None) -> tuple[Order, ...]:
    """The orders of one line. `within` may leave only some ids of a kind to choose from: {'card': hand}."""
    if len(text) <= LONGEST_ORDER and ";" not in text and "#" not in text and " and " not in text:
        return (_order(text, names, within),)
    parts = [part for part in _between().split(tidied(text)) if part]
    return tuple(_order(part, names, within) for part in parts)


@cache
def _between() -> re.Pattern[str]:
    """Before an order the Italian `e` is no letter."""
    verbs = "|".join(map(re.escape, _DEEDS))
    return re.compile(rf"(?i) ?; ?(?:(?:and|then|e(?= (?:{verbs})\b)) )?| and (?=intercept )")


def tidied(text: str) -> str:
    """Without the comment at its end, with single blanks, and with English words between the names."""
    check_length(text, LONGEST_LINE)
    plain = " ".join(re.sub(_COMMENT, "", text.lstrip("\ufeff")).replace("**", "").split())
    if found := re.fullmatch(_SET_OFF, plain):
        plain = found[1] or found[2]
    words = in_english(plain)
    found = re.fullmatch(_MYSELF, words)
    return found[1] if found and found[1].split()[0].lower().rstrip(",:.") in _DEEDS else words


def check_length(text: str, longest: int) -> None:
    if len(text) > longest:
        raise Unreadable("line_too_long", text=f"{text[:60]}...", longest=longest)


def _order(text: str, names: Names, within: Within) -> Order:
    if text in PLAIN:
        return PLAIN[text]
    check_length(text, LONGEST_ORDER)
    word = text.partition(" ")[0]
    for form in WRITTEN.get("{letter}" if word in LETTERS else word, ()):
        found = form.strict().match(text)
        if found:
            try:
                return _filled(form, found, names, within)
            except PbemError:
                break
    return _loosely(text, names, within)


def _filled(form: Form, found: re.Match[str], names: Names, within: Within) -> Order:
    constants, readers = _readers(form)
    args: dict[str, Any] = dict(constants)
    for (arg, read), text in zip(readers, found.groups(), strict=True):
        if text is not None:
            args[arg] = read(text, names, within)
    return Order(form.verb, **args)


@cache
def _readers(form: Form) -> tuple[dict[str, Any], list[tuple[str, Reader]]]:
    """What an order of this form says without being asked, and who reads each of its slots."""
    constants = {slot.arg: ALL if slot.value == "all" else slot.value for slot in form.slots if slot.kind == "constant"}
    return constants, [(slot.arg, _reader(slot)) for slot in form.slots if slot.kind != "constant"]


def _reader(slot: Slot) -> Reader:
    if slot.kind == "choice":
        return lambda text, names, within: text if text in slot.words else _meant(text.lower(), slot)
    return READ[slot.kind]


def _meant(text: str, slot: Slot) -> str:
    return next(word for word in slot.words if text in SYNONYMS.get(word, (word,)))


_DEAL = (r"(?i)(?:give|hand|lend|trade|transfer|swap|exchange|sell)\b.*"
         r"\b(?:cards?|cus?|pcs?|fleets?|loyals?|royals?|mercenar\w+|mercs?|elephants?|ops?)\b.* (?:to|with|for) ")


def _loosely(text: str, names: Names, within: Within) -> Order:
    """Reads what a person wrote: any case, other words, parts in another sequence."""
    tidy = " ".join(re.sub(_ARROW, " > ", tidied(text)).split()).rstrip(" .,!")
    word, _, rest = tidy.partition(" ")
    word = word.lower()
    if word.rstrip(":).,") in LETTERS:
        word, tidy = "{letter}", f"{word[0]} {rest}".strip()
    starts = [word] if word in STARTS else _begun(word)
    if re.match(_DEAL, tidy):
        raise Unreadable("nothing_changes_hands", text=text)
    if len(starts) != 1:
        raise Unreadable("unreadable_order", text=text, suggestions=_patterns_near(word))
    if word not in STARTS:
        tidy = f"{starts[0]} {rest}".strip()
    trouble: PbemError | None = None
    of_most = -1
    for form in STARTS[starts[0]]:
        here: PbemError | None = None
        for attempt in _sequences(form, tidy):
            found = form.loose().match(attempt)
            if found is None:
                continue
            try:
                return _filled(form, found, names, within)
            except (Unreadable, Ambiguous) as problem:
                here = problem
        if here and form.fixed() > of_most:                     # what is told is of the form that says most itself
            trouble, of_most = here, form.fixed()
    if trouble:
        raise trouble
    raise Unreadable("unreadable_order", text=text, suggestions=_patterns_of(starts[0]))


def _sequences(form: Form, text: str) -> Iterator[str]:
    """The text as it stands, then with its parts in the pattern's sequence (`march A > B with C`)."""
    yield text
    clauses = _clauses(form.understood().nodes)
    if len(clauses) > 1:
        known = "|".join(f"(?P<c{number}>{clause})" for number, clause in enumerate(clauses))
        marks = list(re.finditer(rf"(?<!\S)(?:{known})(?!\S)", text, re.IGNORECASE))
        if not marks:
            return
        parts = [text[: marks[0].start()].strip()]
        by_clause: dict[int, list[str]] = {}
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        for mark, end in zip(marks, ends, strict=True):
            number = int((mark.lastgroup or "c0")[1:])
            by_clause.setdefault(number, []).append(text[mark.start() : end].strip())
        parts += [part for number in sorted(by_clause) for part in by_clause[number]]
        if (sorted_text := " ".join(parts)) != text:
            yield sorted_text


def _clauses(nodes: tuple[Node, ...]) -> list[str]:
    """The words that open each part of a pattern after its head, as expressions."""
    clauses = []
    for number, node in enumerate(nodes[1:], start=1):
        before = nodes[number - 1]
        inner = node.nodes if isinstance(node, Maybe) else nodes[number:]
        first = inner[0]
        if isinstance(first, Slot) and first.words:
            clauses.append(one_of(first.words, or_synonym))
        elif isinstance(first, str) and not isinstance(before, str):
            words = []
            for word in inner:
                if not isinstance(word, str):
                    break
                words.append(f"(?:{one_of([word], or_synonym)})")
            clauses.append(" ".join(words))
    return clauses


def _begun(word: str) -> list[str]:
    """What a word may be cut from; one that joins names, like `with`, is none."""
    return [start for start in STARTS if start.startswith(word)] if len(word) > 2 and word not in JOINING else []


def _patterns_of(start: str) -> list[str]:
    """How the orders that begin with this word are written."""
    verbs = dict.fromkeys(form.verb for form in STARTS[start])
    return [form.shown() for verb in verbs for form in VERBS[verb]][:3]


def _patterns_near(word: str) -> list[str]:
    from difflib import get_close_matches

    near = _begun(word) or get_close_matches(word, STARTS, n=3, cutoff=0.5)
    return list(dict.fromkeys(pattern for start in near for pattern in _patterns_of(start)))[:3]


def resembles_an_order(text: str) -> bool:
    """Does a line begin like an order, if only by a slip of the pen?"""
    from difflib import get_close_matches

    first = (tidied(text).split() or [""])[0].casefold().strip(":,.!")
    return len(first) > 2 and bool(get_close_matches(first, VERBS, 1, 0.8))


# --- Order -> text --------------------------------------------------------------------------------


def say(order: Order, names: Speaker) -> str:
    """The order as the log writes it, or as somebody who speaks another language reads it."""
    for form in VERBS[order.verb]:
        words: list[str] = []
        said = _write(form.understood().nodes, order, names, words, "")
        if said == len(vars(order)) - 1:                         # its verb is no argument
            return names.line(words)
    raise ValueError(f"no form of '{order.verb}' has room for {order!r}")


def _write(nodes: tuple[Node, ...], order: Order, names: Speaker, words: list[str], before: str) -> int:
    """Writes the nodes and returns how many arguments that took; -1 where one is missing. What stands `before` governs."""
    said, given, number = 0, vars(order), 0
    for between, part in groupby(nodes, lambda node: isinstance(node, str)):
        if between:
            before = " ".join(map(str, part))
            words.append(names.word(before, number))
            continue
        for node in part:
            if isinstance(node, Maybe):
                inner: list[str] = []
                if (more := _write(node.nodes, order, names, inner, before)) > 0:
                    words += inner
                    said += more
            elif isinstance(node, Slot):
                if node.arg not in given:
                    return -1
                here = names.after(before)
                words.append(here.word(node.arg) if node.kind == "flag" else SAY[node.kind](given[node.arg], here))
                number = given[node.arg] if node.kind == "number" else 0
                said += 1
    return said
