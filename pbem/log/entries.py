"""The kinds of entries: one table of what a line of the log may say, where it takes effect, and how docs/log.md tells it.

An entry begins with its kind. No two kinds may allow each other: so the keys alone tell the kind, whatever their
order, and heads (which do not see the order) vouch for it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pbem.base.errors import BadLog
from pbem.base.yamlfile import Mapping as Entry
from pbem.log.forms import DIGEST, LIST, MAPPING, MOMENT, NUMBER, TEXT, WHOLE, check_types, nearest

# Where a kind takes effect: in the fold, in the check of all chance, in what stands; or nowhere.
PLAY, CHANCE, UNDO, NOWHERE = "pbem/play", "pbem/chance", "pbem/log/undo", ""

T = TypeVar("T")


class Kind(NamedTuple):
    """A kind of entry: the keys it needs and may have, and those it `once` had, which never meant anything.

    `by_rules`: played again, it is found wrong if it does not fit the rules.

    What takes effect nowhere is read in logs of format 1 alone; `instead` is the kind that says it, and that it is
    where it has that key too.
    """

    word: str
    effect: str
    needs: frozenset[str]
    may: frozenset[str]
    once: frozenset[str]
    says: str
    by_rules: bool = False
    instead: str = ""


def _kind(word: str, effect: str, needs: str, may: str, says: str, **more: Any) -> Kind:
    may, _, once = may.partition("|")
    return Kind(word, effect, frozenset(needs.split()), frozenset(may.split()), frozenset(once.split()), says, **more)


KINDS = {kind.word: kind for kind in (
    _kind("position", PLAY, "", "deck reason",
          "a position adopted (`docs/position.md`); `{phase: setup, turn: 1}` is the main scenario"),
    _kind("by", PLAY, "do", "as reason deck openings | of yes",
          "an order, an answer to one's own question, a card out of turn, a free act; `as` is `silent` where silence "
          "answered, `standing` where a standing order did", by_rules=True),
    _kind("ask", PLAY, "", "due | kind to", "a question is put to somebody else than before", by_rules=True),
    _kind("close", PLAY, "", "answers clock standing skipped silent reason deck openings | by",
          "a poll is opened: what was declared, in Turn Order; `silent`, `clock` or `reason` say who did not answer and "
          "why it was closed; of card windows only real plays", by_rules=True),
    _kind("undo", UNDO, "", "reason stain consent override | by",
          "everything from that entry on is taken back; undoing an undo brings it back; `stain` is what became known "
          "since, `consent` who agreed"),
    _kind("ruling", PLAY, "", "facts adjust abandon reason deck openings | by",
          "`facts` in the position vocabulary, `adjust: {red: {VP: 1}}`, `abandon: step, activation, segment or phase`; "
          "printed with its `reason`"),
    _kind("amend", PLAY, "", "was value old new src reason box | is by",
          "a datum corrected from here on, or a list `[{datum: ..., value: ...}]` of several that go together; `box` is the "
          "file that they come from; or `{amend: {entry: 14}}`: a hand-edited line accepted"),
    _kind("turn_end", PLAY, "position", "open openings deck reason",
          "the public position after a Game Turn, and the link that opens its dice", by_rules=True),
    _kind("rebase", PLAY, "position", "reason", "go on from a stated position; marked in every later report"),
    _kind("seat", PLAY, "", "name people language channel zone neutral reason | due",
          "somebody else sits there, or nobody any more (`neutral`)"),
    _kind("hold", PLAY, "", "since | reason until due", "the clock stands still, `since` when"),
    _kind("resume", PLAY, "", "due moved",
          "the clock goes on: all running deadlines are `moved` by so many minutes, or the open question gets a new one"),
    _kind("note", PLAY, "", "| to by", "said to everybody, and printed in the next report"),
    _kind("open", CHANCE, "", "openings blinds private",
          "`{epoch: 2, link: ...}` opens the dice of a Game Turn, `{deck_secret: ...}` all cards"),
    _kind("openings", CHANCE, "", "reason", "proofs of the cards turned up in a finished Game Turn"),
    _kind("blinds", CHANCE, "", "private", "what opens the `sealed` parts of earlier entries"),
    _kind("beacon", CHANCE, "", "reason", "the public number that an announced beacon gave for an epoch"),
    _kind("start", NOWHERE, "", "position deck reason", "", instead="position"),
    _kind("interrupt", NOWHERE, "do", "by of deck openings reason", "", instead="by"),
    _kind("deck", NOWHERE, "", "reason", "", instead="position"),
    _kind("word", NOWHERE, "", "text", "", instead="note"),
)}
EVERYWHERE = {
    "dice": "`[name, value]`, or `[name, value, {by: hand, reason: ..., reads: ...}]` for dice rolled elsewhere",
    "via": "the mail or post it came by",
    "now": "the fingerprint of the public position after it",
    "sealed": "the digest of a private part",
}
TOLD = [word for word, kind in KINDS.items() if kind.effect]
ALLOWED = {word: kind.needs | kind.may | EVERYWHERE.keys() | {word} for word, kind in KINDS.items()}
FIRST_ALLOWED = {word: ALLOWED[word] | kind.once for word, kind in KINDS.items()}

# What is judged in logs of every format, and what in those of today.
FIRST_NEEDS = frozenset(("do",))
FIRST_FORMS = dict.fromkeys(("by", "do", "ask", "close", "via", "now"), TEXT) | {
    "sealed": DIGEST, "undo": NUMBER, "dice": LIST, "due": MOMENT}
FORMS = {
    **FIRST_FORMS,
    **dict.fromkeys("""as clock skipped reason override ruling abandon was rebase seat name people language channel zone
                    neutral hold resume note""".split(), TEXT),
    **dict.fromkeys("answers facts adjust position deck open openings blinds private beacon box".split(), MAPPING),
    **dict.fromkeys("standing silent stain consent".split(), LIST),
    "turn_end": WHOLE, "moved": WHOLE, "since": MOMENT,
}


def kind_of(entry: Mapping[str, Any]) -> str:
    """What sort of entry it is, by its first key; {interrupt: a card, by: red, do: ...} has always been an order."""
    word = next(iter(entry), "")
    if word in KINDS and not KINDS[word].effect and KINDS[word].instead in entry:
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
            raise BadLog("unknown_kind", file=file, line=before, found=word, nearest=nearest(word, TOLD))
        kind = KINDS[word]
        if not kind.effect and not first:
            raise BadLog("idle_kind", file=file, line=before, found=word, nearest=kind.instead)
        if not entry.keys() <= allowed[word]:
            odd = next(key for key in entry if key not in allowed[word])
            raise BadLog("unknown_in_entry", file=file, line=before, found=odd, nearest=nearest(odd, sorted(allowed[word])),
                         kind=word)
        if lacking := (kind.needs & FIRST_NEEDS if first else kind.needs) - entry.keys():
            raise BadLog("missing_in_entry", file=file, line=before, found=min(lacking), kind=word)
        check_types(entry, forms, file, before)
