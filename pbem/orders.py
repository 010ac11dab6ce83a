"""The order language: text -> Order and back.

One table, `VERBS`, holds a pattern per order; the reader and the writer are both made from it. In a pattern,
`{arg}` or `{arg:kind}` is something to fill in, `[...]` may be left out, `{arg=value}` is understood without
being written, `{arg!}` is the word itself, `{arg:one|two}` a choice of words. Where people say the same thing
in other ways, `also` lists patterns that are read and never written.

Expressions stay text until they are used (`re` keeps what it compiled): a program that reads no orders should
not pay for them at its start.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.errors import Ambiguous, PbemError, Unreadable
from pbem.names import Names

Within = Mapping[str, Collection[str]] | None

# --- Orders and pieces ----------------------------------------------------------------------------


class Order:
    """One order: a verb and its arguments. An argument that was not given reads as None."""

    __slots__ = ("args", "verb")

    verb: str
    args: Mapping[str, Any]

    def __init__(self, verb: str, **args: Any) -> None:
        given = {name: value for name, value in args.items() if value is not None and value is not False}
        object.__setattr__(self, "verb", verb)
        object.__setattr__(self, "args", MappingProxyType(given))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy, pickle and templates ask for these and must hear the truth
            raise AttributeError(name)
        return self.args.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an order does not change: use order.but({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an order does not change: use order.but({name}=None)")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Order) and self.verb == other.verb and self.args == other.args

    def __hash__(self) -> int:
        return hash((self.verb, frozenset(self.args.items())))

    def __repr__(self) -> str:
        told = "".join(f", {name}={value!r}" for name, value in self.args.items())
        return f"Order({self.verb!r}{told})"

    def __reduce__(self) -> tuple[Callable[..., "Order"], tuple[str, dict[str, Any]]]:
        return _remade, (self.verb, dict(self.args))

    def but(self, **changes: Any) -> "Order":
        """A copy with some arguments replaced; None takes one away."""
        return Order(self.verb, **{**self.args, **changes})


def _remade(verb: str, args: dict[str, Any]) -> Order:
    return Order(verb, **args)


CU_ORDER = ("loyal", "royal", "silver", "elephant", "mercenary", "cavalry", "independent")


class Pieces(NamedTuple):
    """What an order takes, leaves or loses: generals, CUs by kind, Royal Family Members, or simply all."""

    generals: tuple[str, ...]
    cus: tuple[tuple[str, int], ...]
    royals: tuple[str, ...]
    everything: bool = False

    @classmethod
    def of(
        cls, generals: Iterable[str] = (), cus: Mapping[str, int] | None = None, royals: Iterable[str] = ()
    ) -> "Pieces":
        """Pieces in the one order in which they are always kept."""
        counted = tuple((cu, cus[cu]) for cu in CU_ORDER if cus.get(cu)) if cus else ()
        return cls(tuple(dict.fromkeys(generals)), counted, tuple(dict.fromkeys(royals)))

    def number_of(self, cu: str) -> int:
        """How many CUs of this kind are named."""
        return dict(self.cus).get(cu, 0)

    def count(self, piece: object = None, /) -> int:
        """How many CUs are named; a tuple's own `count`, which looks for a value, is of no use here."""
        return sum(number for _, number in self.cus)


ALL = Pieces((), (), (), True)
NONE = Pieces((), (), ())

# --- The table of orders --------------------------------------------------------------------------


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
            self._strict = re.compile(_regex(self.understood().nodes, _literally) + r"\Z")
        return self._strict

    def loose(self) -> re.Pattern[str]:
        """Reads what people write."""
        if self._loose is None:
            self._loose = re.compile(_regex(self.understood().nodes, _or_synonym) + r"\Z", re.IGNORECASE)
        return self._loose

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

VERBS: dict[str, tuple[Form, ...]] = {}  # every form of a verb that is written
WRITTEN: dict[str, list[Form]] = {}  # first word -> forms that are written
STARTS: dict[str, list[Form]] = {}  # first word -> forms that are read; the written ones come first
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


def _verb(verb: str, *patterns: str, also: tuple[str, ...] = ()) -> None:
    forms = [Form(verb, pattern) for pattern in (*patterns, *also)]
    VERBS[verb] = tuple(forms[: len(patterns)])
    for kept, some in ((WRITTEN, VERBS[verb]), (STARTS, forms)):
        for form in some:
            kept.setdefault(form.pattern.partition(" ")[0], []).append(form)


# 9 Activation
_verb("roll", "roll", also=("roll movement", "roll_movement", "roll for movement", "movement roll"))
_verb("raise_mercenary", "raise mercenary at {location} [under {minor}]")
_verb("activate", "activate {general}")
_MARCH = (
    "{general} [with {pieces}] [leaving {leave:pieces}] > {path}"
    " [asking passage of {passage:seats}] [openly via {route:path}] [{openly!}]"
)
_verb("march", f"march {_MARCH}", also=(f"move {_MARCH}",))
_verb(
    "shift", "shift [{general}] [with {pieces}] {to:inside|outside} [at {at:space}]",
    also=("shift [{general}] [with {pieces}] {to:inside|outside} {at:space}",),
)
_verb("pick_up", "pick up {pieces}", also=("pickup {pieces}",))
_verb(
    "drop", "drop {pieces} [{loc:inside|outside}] [under {minor}]",
    also=("drop off {pieces} [{loc:inside|outside}] [under {minor}]",),
)
_verb("split", "split {location} leaving {pieces} [under {minor}]")
_verb(
    "place_minor", "place minor [{minor}] at {at:location} [from {from_:location}]",
    also=("place {minor} at {at:location} [from {from_:location}]",),
)
_verb("remove_minor", "remove minor at {at:location}", "remove minor {minor}", also=("remove {minor}",))
_verb("disband", "disband {number} royal at {location}")
# 9.5 Independent Armies
_verb("independent_move", "independent {general} > {path}", "independent {general} place pc at {space}",
      also=("independents {general} > {path}", "independent {general} pc at {space}"))

# 13 Naval Movement
_EMBARK = "embark {general} [with {pieces}] [leaving {leave:pieces}]"
_verb("embark", f"{_EMBARK} escorted by {{fleets}}", also=(_EMBARK, f"{_EMBARK} escort {{fleets}}"))
_verb("sail", "sail {general} > {path}")
_verb(
    "disembark", "disembark [{general}] [{loc:inside|outside}] [asking passage of {passage:seats}]",
    also=("land [{general}] [{loc:inside|outside}] [asking passage of {passage:seats}]",),
)
_verb("naval_battle", "naval battle with {fleets}", also=("meet with {fleets}",))
_verb("place_pc", "place pc at {spaces}")
_verb("remove_pc", "remove pc at {space} [with {general}] [using {pieces}]")
_verb(
    "siege", "siege {space} [with {general}] [using {pieces}] [playing {card}]",
    also=("besiege {space} [with {general}] [using {pieces}] [playing {card}]",),
)
_verb("end_activation", "end activation")
_verb("end", "end segment", also=("end",))

# 3.8, 4, 5 The phases
_verb("deploy", "deploy {general} at {at:location}")
_verb("give_back", "give back {general}")
_verb("sit", "sit {seating:circle}", also=("seats {seating:circle}", "seating {seating:circle}"))
_verb("first_player", "first player {seat} {direction:left|right}", also=("first player {seat} going {direction:left|right}",))
_verb(
    "reinforce", "reinforce {location} with {pieces} [under {minor}]",
    also=("reinforcements at {location} with {pieces} [under {minor}]",),
)
_verb("bury", "bury Alexander", also=("bury",))
_verb("turn_up", "turn up {card}")
_verb("loot", "loot [{space}]")

# 6.2 Tyche Segment
_HOW = "{how:event|ops|bonus|surprise} [{number}]"
_CHOICES = (
    "[on {target}] [at {at:location}] [choosing {spaces}] [taking {kind:mercenary|loyal|cavalry}] [under {minor}]"
    " [placing {pc!}]"
)
_verb(
    "play", f"play {{card}} as {_HOW} {_CHOICES}",
    also=(
        f"play {{card}} {_HOW} {_CHOICES}",
        f"play {{card}} as {_HOW} on {{target}}",
        "surprise {card} {how=surprise} [on {target}] [at {at:location}]",
        "surprise {card} {how=surprise} on {target}",
        "surprise {card} {how=surprise}",
    ),
)
_verb(
    "force_march", "force march {general} {number}",
    also=("force march {general} by {number}", "force-march {general} [by] {number}"),
)
_verb("discard", "discard {card}")
_verb("train", "train {kind:mercenary|loyal|cavalry} [{number}] [then {then:mercenary|loyal|cavalry}]")
_verb("finish_cart", "finish cart with {card}", also=("finish the cart with {card}",))
_verb("retrieve_fleet", "retrieve fleet {fleet} with {card}", also=("retrieve {fleet} with {card}",))
_verb("upgrade_fleet", "upgrade fleet {fleet} with {card}", also=("upgrade {fleet} with {card}",))
_verb("recruit", "recruit {general} with {card} at {at:location} [placing {pc!}]")

# 10 Land Movement, 11 Interception, 12 Evasion: answers
_verb("pass", "pass", also=("no", "none", "nothing"))
_verb(
    "intercept",
    "intercept {general} [from {from_:location}] with {pieces} [placing {minor} to {minor_role:lead|stay}]",
    "intercept {general} [from {from_:location}] {discarding!}",
)
_verb("withdraw", "withdraw")
_verb("stay", "stay")
_verb("evade", "evade [{general}] [> {path}]", "evade {general} {discarding!}")
_verb("sort_inside", "inside {pieces}")
_verb("sort_outside", "outside {pieces}")
_verb("grant", "grant")
_verb("refuse", "refuse")
_verb("reroll", "reroll", also=("roll again",))
_verb("honour", "honour", also=("honor",))
_verb("break", "break")
_verb("lose", "lose {pieces} [{loc:inside|outside}]")
_verb("letter", "{letter} [{pieces}]")  # one of the offers that came with a question

# Other words for the words in patterns, as people write them.
SYNONYMS = {
    ">": (">", "to", "into", "toward", "towards"),
    "with": ("with", "taking"),
    "at": ("at", "in"),
    "from": ("from", "out of"),
    "of": ("of", "from"),
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

# --- Patterns -------------------------------------------------------------------------------------

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


def _literally(word: str) -> tuple[str, ...]:
    return (word,)


def _or_synonym(word: str) -> tuple[str, ...]:
    return SYNONYMS.get(word, (word,))


def _one_of(words: Iterable[str], others: Callable[[str], tuple[str, ...]]) -> str:
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
            parts.append(f"{lead}(?:{_one_of((node,), others)})")
        elif node.kind == "constant":
            continue
        else:
            parts.append(lead + _slot_regex(node, others))
        lead = " "
    return "".join(parts)


def _slot_regex(slot: Slot, others: Callable[[str], tuple[str, ...]]) -> str:
    if slot.words:
        return f"({_one_of(slot.words, others)})"
    if slot.kind == "number":
        return r"\+?(\d{1,3})"
    if slot.kind == "letter":
        return "([a-z])"
    return "(.+?)"


# --- What goes into a slot: one reader and one writer per kind ------------------------------------

_AND = r"(?i)\s*(?:,|\+|&|(?<!\S)(?:and|und)(?!\S))\s*|\s+(?=\d)"
_STEP = r"(?i)\s*(?:->|=>|→|>|,|(?<!\S)(?:to|then)(?!\S))\s*"
_ALL = (
    "(?i)(?:all|everything|everybody|the whole army|whole army|alle?s?|tutt[oi]|все|всё)"
    "(?: (?:of )?(?:the )?(?:\\d+ )?(?:cus?|pieces|troops))?"
)
_NO_FLEETS = frozenset(("no fleets", "no fleet", "nobody", "nothing", "none"))
_NOTHING = frozenset(("nothing", "none", "no cus", "nobody"))
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "ein": 1, "eine": 1, "einen": 1, "zwei": 2, "drei": 3, "un": 1, "uno": 1, "una": 1, "due": 2, "tre": 3,
}
_ANY_MINOR = frozenset(("a minor", "any", "any minor", "a minor general", "any minor general"))
TARGETS = ("seat", "general", "royal", "space", "province", "card", "fleet", "cu")
_TARGET_WORDS = {"player": "seat", **{kind: kind for kind in TARGETS}}
_PLAIN_TARGETS = ("seat", "general", "royal", "space")


def _choose(within: Within, kind: str) -> Collection[str] | None:
    return within.get(kind) if within else None


def _read_name(kind: str) -> Callable[[str, Names, Within], str]:
    def read(text: str, names: Names, within: Within) -> str:
        return names.resolve(kind, text, _choose(within, kind))

    return read


def _say_name(kind: str) -> Callable[[str, Names], str]:
    def say(id: str, names: Names) -> str:
        return names.say(kind, id)

    return say


def _split(separator: str, text: str) -> list[str]:
    return [item for item in re.split(separator, text) if item]


def _read_pieces(text: str, names: Names, within: Within) -> Pieces:
    if text == "all":
        return ALL
    if text.lower() in _NOTHING:
        return NONE
    generals: dict[str, None] = {}
    royals: dict[str, None] = {}
    cus: dict[str, int] = {}
    everything = False
    for item in text.split(", "):
        count, _, word = item.partition(" ")
        cu = names.exact("cu", word)
        if cu and count.isdecimal():
            cus[cu] = cus.get(cu, 0) + int(count)
            continue
        for part in (item,) if re.fullmatch(_ALL, item) else _split(_AND, item):
            everything = _add_piece(part, text, names, within, generals, cus, royals) or everything
    if everything and cus:
        raise Unreadable("all_and_some", text=text)
    return Pieces.of(generals, cus, royals)._replace(everything=everything)


def _add_piece(
    item: str, text: str, names: Names, within: Within,
    generals: dict[str, None], cus: dict[str, int], royals: dict[str, None],
) -> bool:
    """Adds one item of a list of pieces; True where it says `all`."""
    if re.fullmatch(_ALL, item):
        return True
    count, _, word = item.partition(" ")
    number = int(count) if count.isdecimal() else _NUMBERS.get(count.lower())
    if number is not None and word:
        cu = names.resolve("cu", word, _choose(within, "cu"))
        cus[cu] = cus.get(cu, 0) + number
        return False
    kind, id = names.resolve_any(("general", "royal", "cu"), item, within)
    if kind == "cu":
        raise Unreadable("how_many", text=text, kind=names.say("cu", id))
    (generals if kind == "general" else royals)[id] = None
    return False


def _say_pieces(pieces: Pieces, names: Names) -> str:
    said = ["all"] if pieces.everything else []
    said += [names.say("general", general) for general in pieces.generals]
    said += [f"{number} {names.say('cu', cu)}" for cu, number in pieces.cus]
    said += [names.say("royal", royal) for royal in pieces.royals]
    return ", ".join(said) or "nothing"


def _some(found: list[str], text: str) -> list[str]:
    """A list that names nothing is no list."""
    if not found:
        raise Unreadable("unreadable_order", text=text, suggestions=[])
    return found


def _read_path(text: str, names: Names, within: Within) -> tuple[str, ...]:
    spaces = _choose(within, "space")
    return tuple(names.resolve("space", step, spaces) for step in _some(_split(_STEP, text), text))


def _read_spaces(text: str, names: Names, within: Within) -> tuple[str, ...]:
    spaces = _choose(within, "space")
    return tuple(names.resolve("space", space, spaces) for space in _some(_split(_AND, text), text))


def _read_seats(text: str, names: Names, within: Within) -> tuple[str, ...]:
    seats = _choose(within, "seat")
    return tuple(names.resolve("seat", seat, seats) for seat in _some(_split(_AND, text), text))


def _read_circle(text: str, names: Names, within: Within) -> tuple[str, ...]:
    """Everybody round the table; blanks will do between the names."""
    return _read_seats(", ".join(text.replace(">", " ").split()) if not re.search(_AND, text) else text, names, within)


def _read_fleets(text: str, names: Names, within: Within) -> tuple[str, ...]:
    """`all` stays a word: which Fleets are there only the position knows."""
    if text.lower() in _NO_FLEETS:
        return ()
    if re.fullmatch(_ALL, text) or text.lower() in ("all fleets", "all my fleets"):
        return ("all",)
    return tuple(names.resolve("fleet", fleet, _choose(within, "fleet")) for fleet in _some(_split(_AND, text), text))


def _say_fleets(fleets: tuple[str, ...], names: Names) -> str:
    return ", ".join(fleet if fleet == "all" else names.say("fleet", fleet) for fleet in fleets) or "no fleets"


def _read_minor(text: str, names: Names, within: Within) -> str:
    if text.lower() in _ANY_MINOR:
        return "any"
    near = _choose(within, "general")
    return names.resolve("general", text, names.minors if near is None else names.minors.intersection(near))


def _read_target(text: str, names: Names, within: Within) -> tuple[str, str]:
    word, _, rest = text.partition(" ")
    kind = _TARGET_WORDS.get(word.lower())
    if kind and rest:
        return kind, names.resolve(kind, rest, _choose(within, kind))
    return names.resolve_any(TARGETS, text, within)


def _say_target(target: tuple[str, str], names: Names) -> str:
    kind, id = target
    name = id if kind == "card" else names.say(kind, id)
    return name if kind in _PLAIN_TARGETS else f"{kind} {name}"


def _read_number(text: str, names: Names, within: Within) -> int:
    return int(text)


def _read_word(text: str, names: Names, within: Within) -> str:
    return text.lower()


def _say_word(word: str, names: Names) -> str:
    return word


_NAMED = ("general", "space", "location", "province", "royal", "card", "fleet", "seat")

READ: dict[str, Callable[[str, Names, Within], Any]] = {
    **{kind: _read_name(kind) for kind in _NAMED},
    "pieces": _read_pieces, "path": _read_path, "spaces": _read_spaces, "seats": _read_seats, "circle": _read_circle,
    "fleets": _read_fleets, "minor": _read_minor, "target": _read_target, "number": _read_number, "letter": _read_word,
}
SAY: dict[str, Callable[[Any, Names], str]] = {
    **{kind: _say_name(kind) for kind in _NAMED},
    "card": _say_word,  # by number: several cards share a name
    "pieces": _say_pieces,
    "path": lambda spaces, names: " > ".join(names.say("space", space) for space in spaces),
    "spaces": lambda spaces, names: ", ".join(names.say("space", space) for space in spaces),
    "seats": lambda seats, names: ", ".join(names.say("seat", seat) for seat in seats),
    "circle": lambda seats, names: ", ".join(names.say("seat", seat) for seat in seats),
    "fleets": _say_fleets,
    "minor": lambda minor, names: "a minor" if minor == "any" else names.say("general", minor),
    "target": _say_target, "number": lambda number, names: str(number), "letter": _say_word,
    "choice": _say_word, "flag": lambda flag, names: "",
}

# --- Text -> Order --------------------------------------------------------------------------------

# In characters. Nobody writes more, and an expression takes its time with a text made to keep it busy.
LONGEST_ORDER = 1000
LONGEST_LINE = 4000
_COMMENT = r"(?:^|\s)#(?!\d).*|^#.*"
_BETWEEN = r"(?i) ?; ?(?:(?:and|then) )?| and (?=intercept )"
_ARROW = r"->|=>|→|>"


def parse(text: str, names: Names, within: Within = None) -> tuple[Order, ...]:
    """The orders of one line. `within` may leave only some ids of a kind to choose from: {'card': hand}."""
    if len(text) <= LONGEST_ORDER and ";" not in text and "#" not in text and " and " not in text:
        return (_order(text, names, within),)
    parts = [part for part in re.split(_BETWEEN, _tidy(text)) if part]
    return tuple(_order(part, names, within) for part in parts)


def _tidy(text: str) -> str:
    """Without the comment at its end, and with single blanks."""
    _check_length(text, LONGEST_LINE)
    return " ".join(re.sub(_COMMENT, "", text).split())


def _check_length(text: str, longest: int) -> None:
    if len(text) > longest:
        raise Unreadable("line_too_long", text=f"{text[:60]}...", longest=longest)


def _order(text: str, names: Names, within: Within) -> Order:
    _check_length(text, LONGEST_ORDER)
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
    args: dict[str, Any] = {}
    texts = iter(found.groups())
    for slot in form.slots:
        if slot.kind == "constant":
            args[slot.arg] = slot.value
            continue
        text = next(texts)
        if text is None:
            continue
        if slot.kind == "choice":
            args[slot.arg] = text if text in slot.words else _meant(text.lower(), slot)
        elif slot.kind == "flag":
            args[slot.arg] = True
        else:
            args[slot.arg] = READ[slot.kind](text, names, within)
    return Order(form.verb, **args)


def _meant(text: str, slot: Slot) -> str:
    return next(word for word in slot.words if text in SYNONYMS.get(word, (word,)))


_DEAL = (r"(?i)(?:give|hand|lend|trade|transfer|swap|exchange|sell)\b.*"
         r"\b(?:cards?|cus?|pcs?|fleets?|loyals?|royals?|mercenar\w+|mercs?|elephants?|ops?)\b.* (?:to|with|for) ")


def _loosely(text: str, names: Names, within: Within) -> Order:
    """Reads what a person wrote: any case, other words, parts in another sequence."""
    tidy = " ".join(re.sub(_ARROW, " > ", _tidy(text)).split()).rstrip(" .,!")
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
        trouble = trouble or here
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
            clauses.append(_one_of(first.words, _or_synonym))
        elif isinstance(first, str) and not isinstance(before, str):
            words = []
            for word in inner:
                if not isinstance(word, str):
                    break
                words.append(f"(?:{_one_of([word], _or_synonym)})")
            clauses.append(" ".join(words))
    return clauses


def _begun(word: str) -> list[str]:
    return [start for start in STARTS if start.startswith(word)] if len(word) > 2 else []


def _patterns_of(start: str) -> list[str]:
    """How the orders that begin with this word are written."""
    verbs = dict.fromkeys(form.verb for form in STARTS[start])
    return [form.shown() for verb in verbs for form in VERBS[verb]][:3]


def _patterns_near(word: str) -> list[str]:
    from difflib import get_close_matches

    near = _begun(word) or get_close_matches(word, STARTS, n=3, cutoff=0.5)
    return list(dict.fromkeys(pattern for start in near for pattern in _patterns_of(start)))[:3]


# --- Order -> text --------------------------------------------------------------------------------


def say(order: Order, names: Names) -> str:
    """The order as the log writes it."""
    for form in VERBS[order.verb]:
        words: list[str] = []
        said = _write(form.understood().nodes, order, names, words)
        if said == len(order.args):
            return " ".join(words)
    raise ValueError(f"no form of '{order.verb}' has room for {order!r}")


def _write(nodes: tuple[Node, ...], order: Order, names: Names, words: list[str]) -> int:
    """Writes the nodes and returns how many arguments that took; -1 where one is missing."""
    said = 0
    for node in nodes:
        if isinstance(node, str):
            words.append(node)
        elif isinstance(node, Maybe):
            inner: list[str] = []
            if (more := _write(node.nodes, order, names, inner)) > 0:
                words += inner
                said += more
        elif node.arg not in order.args:
            return -1
        else:
            words.append(node.arg if node.kind == "flag" else SAY[node.kind](order.args[node.arg], names))
            said += 1
    return said


# --- Lines of one's own turn ----------------------------------------------------------------------


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
_REGARDLESS_FIRST = r"(?i)regardless ?[:,]? (.*)"
_LAST_WORD = r"(?i)(.*[^ ,;])[ ,;]+(regardless|yes)[.!]*"
_COMPARED = {
    ">=": ">=", "≥": ">=", "at least": ">=", "<=": "<=", "≤": "<=", "at most": "<=", "=": "=", "==": "=",
    "is": "=", "are": "=", ">": ">", "more than": ">", "<": "<", "less than": "<", "fewer than": "<",
}
_MP = rf"(?i)mps? ?({_one_of(_COMPARED, _literally)}) ?(\d{{1,2}})"
_DID = (
    r"(.+?) ((?:does|did|do)(?: not|n['’]t)(?: \w+)?|pass(?:es|ed)?"
    r"|(?:does|did|do|acts?|acted|intercepts?|intercepted|evades?|evaded|plays?|played)(?: so| too)?)"
)
_PLACED = r"(?i)(.+?) (?:is )?(not )?(?:at|in) (.+)"
_HELD = r"(?i)(.+?) is (not )?(.+)"
_CONDITIONS = ["if MP >= 3:", "if Kassandros at Lamia:", "if Larisa is blue:"]


def read_line(text: str, names: Names, within: Within = None) -> Line | None:
    """One line of a turn; None where it is blank or only a comment."""
    rest = _tidy(text)
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
            condition, rest = _condition(found[1], names), found[2]
        else:
            break
    return Line(parse(rest, names, within), condition, regardless, confirmed, text)


def say_line(line: Line, names: Names) -> str:
    """The line in its canonical spelling."""
    before = f"if {_say_condition(line.condition, names)}: " if line.condition else ""
    after = (" regardless" if line.regardless else "") + (" yes" if line.confirmed else "")
    return before + _say_orders(line.orders, names) + after


def _condition(text: str, names: Names) -> Condition:
    if found := re.fullmatch(_MP, text):
        return Condition("mp", None, _COMPARED[found[1].lower()], int(found[2]))
    if found := re.fullmatch(f"(?i){_DID}", text):
        return _did(found[1], found[2], names)
    if found := re.fullmatch(_PLACED, text):
        general, place = names.resolve("general", found[1]), names.resolve("location", found[3])
        return Condition("general", general, "not at" if found[2] else "at", place)
    if found := re.fullmatch(_HELD, text):
        holder = "uncontrolled" if found[3].lower() == "uncontrolled" else names.resolve("seat", found[3])
        return Condition("space", names.resolve("space", found[1]), "is not" if found[2] else "is", holder)
    raise Unreadable("unreadable_condition", text=text, suggestions=_CONDITIONS)


def _did(who: str, what: str, names: Names, turned: bool = False) -> Condition:
    what = what.lower()
    passes = what.startswith("pass") or " not" in what or "n't" in what or "n’t" in what
    return Condition("seat", names.resolve("seat", who), "acts" if passes == turned else "passes")


def _say_condition(condition: Condition, names: Names) -> str:
    subject, who, op, value = condition
    if subject == "mp":
        return f"MP {op} {value}"
    said = names.say(subject, who or "")
    if subject == "general":
        return f"{said} {op} {names.say('location', value)}"
    if subject == "space":
        return f"{said} {op} {value if value == 'uncontrolled' else names.say('seat', value)}"
    return f"{said} {op}"


def _say_orders(orders: tuple[Order, ...], names: Names) -> str:
    return "; ".join(say(order, names) for order in orders)


# --- Sealed answers -------------------------------------------------------------------------------


class Alternative(NamedTuple):
    """One of several answers, tried in sequence; `at` is the step of an announced route it is meant for."""

    orders: tuple[Order, ...]
    condition: Condition | None = None
    at: str | None = None


_SEALED_CONDITIONS = ["if Blue passes", "unless Blue acts"]
_ELSE = r"(?i)[ ;,]*(?:\b(?:or )?else\b|\botherwise\b|\|)[ :,]*"
_AT = r"(?i)at ([^:;]+?) ?: ?(.*)"
_NEXT_STEP = r"(?i) ?; ?(?=at [^:;]+:)"
_ONLY_FIRST = rf"(?i)(if|unless) {_DID} ?[:,] ?(.+)"
_ONLY_LAST = rf"(?i)(.+?)[ ,]+(?:but )?(?:only )?(if|unless) {_DID}[.!]*"


def _answered(orders: tuple[Order, ...], text: str) -> tuple[Order, ...]:
    if not orders:
        raise Unreadable("unreadable_order", text=text, suggestions=["pass"])
    return orders


def read_answer(text: str, names: Names, within: Within = None) -> tuple[Alternative, ...]:
    """A sealed answer: `intercept Lysimachos with 2 loyal unless yellow does else pass`."""
    _check_length(text, LONGEST_LINE)
    alternatives = []
    lines = (_tidy(line) for line in text.splitlines())
    for step in re.split(_NEXT_STEP, "; ".join(line for line in lines if line)):
        at = None
        if found := re.fullmatch(_AT, step):
            at, step = names.resolve("space", found[1]), found[2]
        for part in re.split(_ELSE, step):
            condition = None
            if found := re.fullmatch(_ONLY_FIRST, part):
                condition, part = _did(found[2], found[3], names, found[1].lower() == "unless"), found[4]
            elif found := re.fullmatch(_ONLY_LAST, part):
                condition, part = _did(found[3], found[4], names, found[2].lower() == "unless"), found[1]
            elif found := re.search(r"(?i)\b(?:if|unless)\b.*", part):
                raise Unreadable("unreadable_condition", text=found[0], suggestions=_SEALED_CONDITIONS)
            alternatives.append(Alternative(_answered(parse(part, names, within), text), condition, at))
    return tuple(alternatives)


def say_answer(alternatives: Iterable[Alternative], names: Names) -> str:
    """The answer in its canonical spelling; what is meant for no step in particular comes first."""
    steps: dict[str | None, list[str]] = {None: []}
    for orders, condition, at in alternatives:
        only = f" if {_say_condition(condition, names)}" if condition else ""
        steps.setdefault(at, []).append(_say_orders(orders, names) + only)
    starts = {at: f"at {names.say('space', at)}: " if at else "" for at in steps}
    return "; ".join(starts[at] + " else ".join(parts) for at, parts in steps.items() if parts)
