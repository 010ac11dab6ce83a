"""A game in play as plain data, at a moment at which its sequence can be entered, as an adopted position is: where a player
turn begins. From there a fold goes on without what came before.

Procedures cannot be written down. So a mark is taken only where entering the position leads to the very same question; that
is tried out before it is kept. Events of before are not part of it, but those on which later telling looks back.
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from json import dumps, loads
from operator import attrgetter
from typing import Any

from pbem import editions
from pbem.base.errors import Diverged
from pbem.chance.hidden import Hidden
from pbem.components import catalogue
from pbem.components.board import board
from pbem.orders import Pieces
from pbem.play.history import History, Kept, Told
from pbem.play.match import Match
from pbem.rules import victory
from pbem.table.events import Event
from pbem.table.pieces import FRESH, LeftBehind, Past, Unit
from pbem.table.state import Game, Step

BEGINNING = "player_turn_began"
# Of a game what is made anew: by its header and corrections, by its pieces, by what reads the log.
MADE = frozenset("""
    rules effects facts printed board counting chance secret events moves settled generals royals fleets stands family minors
    doubted capitals activation battle
""".split())
PIECES = {"generals": ("at", "seat", "mover", "dropped", "grade"), "royals": ("at", "seat", "mover"),
          "fleets": ("seat", "upgraded", "dispersed")}
PARTS = {kind: attrgetter(*names) for kind, names in PIECES.items()}
OF_MATCH = ("number", "last_due", "addressed", "asked_kind", "is_silent", "goes_on", "stopped", "stopped_since", "reserved",
            "seats", "corrections", "began_with", "confirmed", "ended", "moves")

# What a value is made of, besides texts, numbers and mappings of texts: each by its name; nothing else comes out of a file.
KINDS: Mapping[str, Any] = {
    "list": lambda *parts: list(parts), "tuple": lambda *parts: parts, "set": lambda *parts: set(parts),
    "frozenset": lambda *parts: frozenset(parts),
    "dict": lambda *pairs: dict(pairs), "Counter": lambda *pairs: Counter(dict(pairs)),
    "Past": lambda *parts: FRESH if parts == FRESH else Past(*parts),
    "Unit": Unit, "LeftBehind": LeftBehind, "Pieces": Pieces, "Event": Event}
PLAIN = frozenset((str, int, bool, type(None)))


def packed(value: Any) -> Any:
    """The value as JSON keeps it: what is made of several parts begins with its name."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is list or kind is tuple:                       # asked first: most that is not plain is one of these
        return [kind.__name__, *[one if type(one) in PLAIN else packed(one) for one in value]]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        if kind is not Counter and all(type(key) is str for key in value):
            return {key: one if type(one) in PLAIN else packed(one) for key, one in value.items()}
        return ["Counter" if kind is Counter else "dict", *(["tuple", packed(key), packed(one)] for key, one in value.items())]
    if kind.__name__ not in KINDS:
        raise TypeError(f"{kind.__name__} is no plain data")
    parts = [one if type(one) in PLAIN else packed(one) for one in value]
    return [kind.__name__, *(sorted(parts, key=repr) if isinstance(value, set | frozenset) else parts)]


def unpacked(value: Any) -> Any:
    if type(value) is dict:
        return {key: one if type(one) in PLAIN else unpacked(one) for key, one in value.items()}
    if type(value) is list:
        return KINDS[value[0]](*[one if type(one) in PLAIN else unpacked(one) for one in value[1:]])
    return value


# --- as text -----------------------------------------------------------------------------------------------------


def written(kept: Mapping[str, Any]) -> str:
    """The position in one line, and of the history one for each event: mostly nobody asks for more than the last of them."""
    first, last_words, late = kept["history"]
    return f"{dumps({**kept, 'history': [first, last_words]}, separators=(',', ':'), ensure_ascii=False)}\n{late}"


def read(text: str) -> dict[str, Any]:
    position, _, late = text.partition("\n")
    kept: dict[str, Any] = loads(position)
    kept["history"].append(late)
    return kept


def line_of(told: Told) -> str:
    number, event = told
    return f"{number} {dumps(packed(event), separators=(',', ':'), ensure_ascii=False)}"


def told_since(late: str, entry: int) -> list[Told]:
    """What was told from an entry on, of what is in the order of the entries."""
    found = list[Told]()
    for line in reversed(late.split("\n") if late else ()):
        number, _, event = line.partition(" ")
        if int(number) < entry:
            break
        found.append((int(number), unpacked(loads(event))))
    return found[::-1]


# --- taking it ---------------------------------------------------------------------------------------------------


def can_be_taken(match: Match) -> bool:
    """Has a player turn just begun, with nothing else under way?"""
    g, table, question = match.g, match.table, match.question
    return (any(one.key == BEGINNING for one in match.told) and table is not None and len(table.stack) == 1
            and question is not None and question.kind == g.segment and not table.stack[0].partial
            and g.activation is None and g.battle is None and g.settled == victory.sources(g))


def taken(match: Match) -> dict[str, Any]:
    """All that a fold needs to go on from here, and all that telling looks back on."""
    late = match.history.of_late(match.seats)
    return {**position(match), "marks": packed(match.marks), "told": packed(match.told), "course": late.rows,
            "data": [match.box, catalogue.things(match.corrections, match.box)],
            "history": [late.first, packed(late.last_words), "\n".join(map(line_of, late.since(late.first)))]}


def position(match: Match) -> dict[str, Any]:
    """What the fold needs alone."""
    g, question = match.g, match.question
    assert question is not None
    secret = g.secret
    return {
        "game": {name: packed(value) for name, value in vars(g).items() if name not in MADE},
        "step": g.step.value, "fixes": g.rules.fixes, "capitals": packed(g.capitals),
        "pieces": {kind: {one.name: packed(list(parts(one))) for one in getattr(g, kind).values()}
                   for kind, parts in PARTS.items()},
        "match": {name: packed(getattr(match, name)) for name in OF_MATCH},
        "due": {question.id: match.due[question.id]} if question.id in match.due else {},
        "question": [question.id, question.kind, *question.sides],
        "secret": packed([secret.hands, secret.deck, secret.face_down]) if isinstance(secret, Hidden) else None,
    }


# --- going on from it --------------------------------------------------------------------------------------------


def amended(kept: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The corrections that the log has brought. None of the data need be judged again: what came of it is here."""
    corrections: list[Mapping[str, Any]] = unpacked(kept["match"]["corrections"])
    box, things = kept["data"]
    if things:
        catalogue.known(corrections, box, things)
    return corrections[kept["match"]["began_with"]:]


def entered(match: Match, kept: Mapping[str, Any]) -> None:
    """A match before its first entry becomes the one that was marked."""
    for name, value in kept["match"].items():
        setattr(match, name, unpacked(value))
    if match.g.rules.fixes != kept["fixes"]:
        match.g.rules = editions.ruleset(match.g.rules.name, match.g.rules.options, kept["fixes"])
    old, facts = match.g, catalogue.facts(match.corrections, match.box)
    match.take_names(facts)
    match.mark_doubts()
    match.g = g = Game(facts, board(facts), old.rules, old.seats, old.effects)
    g.doubted, g.secret = old.doubted, old.secret
    g.found(unpacked(kept["capitals"]))
    for kind, names in PIECES.items():
        pieces = {name: getattr(g, kind)[name] for name in kept["pieces"][kind]}
        setattr(g, kind, pieces)                            # in the order that they had
        for name, values in kept["pieces"][kind].items():
            for part, value in zip(names, unpacked(values), strict=True):
                setattr(pieces[name], part, value)
    for name, value in kept["game"].items():
        setattr(g, name, unpacked(value))
    g.step = Step(kept["step"])
    if isinstance(g.secret, Hidden):
        g.secret.hands, g.secret.deck, g.secret.face_down = unpacked(kept["secret"])
    g.settled = victory.sources(g)
    id, *about = kept["question"]
    g.asked -= 1                                            # the question gets the number that it had
    match.begin()
    question = match.question
    if g.events or g.moves or question is None or [question.id, question.kind, *question.sides] != [id, *about]:
        raise Diverged("other_question", entry=match.number, wanted=id, found=question and question.id)
    match.due = dict(kept["due"])
    match.told, match.marks = unpacked(kept.get("told", ["list"])), unpacked(kept.get("marks", ["list"]))
    first, last_words, late = kept.get("history", (match.number + 1, ["list"], ""))
    match.history = History(first=first, kept=Kept(partial(told_since, late), lambda: unpacked(last_words)),
                            rows=kept.get("course", ()))


def has_led_there(match: Match, kept: Mapping[str, Any]) -> bool:
    """Has entering this mark led to where it was taken? Taken again it is the same."""
    return dumps(taken(match)) == dumps(kept)
