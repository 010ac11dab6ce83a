"""The kinds of entries: what a line of the log may say and where it takes effect, as data/entries.yaml has it.

An entry begins with its kind. No two kinds may allow each other: so the keys alone tell the kind, whatever their
order, and heads (which do not see the order) vouch for it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pbem.base import ready
from pbem.base.errors import BadLog, meant
from pbem.base.paths import data_dir
from pbem.base.yamlfile import Mapping as Entry
from pbem.base.yamlfile import line_of
from pbem.log.forms import check_types

# Where a kind takes effect: in the fold, in the check of all chance, in what stands; or nowhere.
PLAY, CHANCE, UNDO, NOWHERE = "pbem/play", "pbem/chance", "pbem/log/undo", ""

T = TypeVar("T")


class Kind(NamedTuple):
    """A kind of entry: the keys it needs and may have, and those it `once` had, which never meant anything.

    `by_rules`: played again, it is found wrong if it does not fit the rules. `instead`, of what takes effect nowhere,
    is the kind that says it.
    """

    word: str
    effect: str
    needs: frozenset[str]
    may: frozenset[str]
    once: frozenset[str]
    says: str
    by_rules: bool
    instead: str


def _kind(word: str, *, effect: str = NOWHERE, needs: str = "", may: str = "", once: str = "", says: str = "",
          instead: str = "") -> Kind:
    needed, more, idle = (frozenset(part.split()) for part in (needs, may, once))
    return Kind(word, effect, needed, more, idle, says, word in TABLE["by_rules"].split(), instead)


TABLE = ready.contents(data_dir() / "entries.yaml")
KINDS = {word: _kind(word, **row) for word, row in TABLE["kinds"].items()}
EVERYWHERE: Mapping[str, str] = TABLE["everywhere"]
TOLD = [word for word, kind in KINDS.items() if kind.effect]
ALLOWED = {word: kind.needs | kind.may | EVERYWHERE.keys() | {word} for word, kind in KINDS.items()}
FORMS = {key: form for form, keys in TABLE["forms"].items() for key in keys.split()}

# What is judged in logs of the first format.
FIRST_ALLOWED = {word: ALLOWED[word] | kind.once for word, kind in KINDS.items()}
FIRST_NEEDS = frozenset(("do",))
FIRST_FORMS = {key: FORMS[key] for key in ("by", "do", "ask", "close", "via", "now", "sealed", "undo", "dice", "due")}


def kind_of(entry: Mapping[str, Any]) -> str:
    """What sort of entry it is, by its first key; {interrupt: a card, by: red, do: ...} has always been an order."""
    word = next(iter(entry), "")
    if word in KINDS and KINDS[word].instead in entry:
        return KINDS[word].instead
    return word


def bound(room: str, handlers: Mapping[str, T]) -> Mapping[str, T]:
    """One handler for each kind that takes effect in a room, and none besides: told when the program starts."""
    if odd := handlers.keys() ^ {word for word, kind in KINDS.items() if kind.effect == room}:
        raise LookupError(f"{room}: a kind without handler or a handler without kind: {sorted(odd)}")
    return handlers


def check_entries(entries: Sequence[Entry], format: int, file: str, before: int) -> None:
    """Logs of format 1 may have entries and keys that do nothing, and less is judged in them."""
    first = format == 1
    forms, allowed = (FIRST_FORMS, FIRST_ALLOWED) if first else (FORMS, ALLOWED)
    for entry in entries:
        if not isinstance(entry, Entry) or not entry:
            line = getattr(entry, "line", before + 1)
            raise BadLog("not_an_entry", file=file, line=line, example="- {note: hello}")
        before = entry.line
        word = next(iter(entry))
        if word not in KINDS:
            raise BadLog("unknown_kind", file=file, line=before, found=word, nearest=meant(word, TOLD))
        kind = KINDS[word]
        if not kind.effect and not first:
            raise BadLog("idle_kind", file=file, line=before, found=word, nearest=kind.instead)
        if more := entry.keys() - allowed[word]:
            odd = next(key for key in entry if key in more)
            raise BadLog("unknown_in_entry", file=file, line=line_of(entry, odd), found=odd,
                         nearest=meant(odd, sorted(allowed[word])), kind=word)
        if lacking := (kind.needs & FIRST_NEEDS if first else kind.needs) - entry.keys():
            raise BadLog("missing_in_entry", file=file, line=before, found=min(lacking), kind=word)
        check_types(entry, forms, file)
