"""The course of a game, entry by entry: what each of them changed on the board, and what there is to say of it.

Entries that were taken back are told as well, with the position as it was before anybody took them back.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem.base.errors import PbemError
from pbem.desk.annals import seats_of, taken_back
from pbem.desk.desk import Desk
from pbem.desk.opengame import blank
from pbem.desk.showing import numbered
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.log.entries import kind_of
from pbem.page.parts import difference, parts
from pbem.play.match import Match, undone
from pbem.table.events import Event
from pbem.table.state import space_of
from pbem.telling import views
from pbem.telling.changes import traced
from pbem.telling.chart import chart, printed
from pbem.telling.story import BREAKS, HEADINGS, UNSAID, Told, joined
from pbem.telling.words import Words

Row = dict[str, Any]
PLACES = ("path", "origin", "target", "space", "spaces", "at")         # where a fact names spaces
AIMED = 8                               # so many declarations may wait for their dice
HEADING, SEGMENT, SENTENCE, ASKED, PRIVATE = range(5)
TITLES = {"segment_began": (SEGMENT, "segment"), "phase_began": (SEGMENT, "phase")}


class Line(NamedTuple):
    """A sentence: what it is, how it is said, which spaces it speaks of, what of it can be drawn."""

    what: int
    say: Callable[[Words], str]
    places: list[str]
    shown: list[Row]


class Step(NamedTuple):
    """An entry. `undone` is the entry that took it back; `put` is what is otherwise on the board behind it; `window` is the
    question that it asks or closes."""

    number: int
    kind: str
    undone: int
    seats: list[str]
    says: str
    put: Row
    lines: list[Line]
    dice: list[list[Any]]
    window: Row


def steps(desk: Desk, reader: str | None) -> Iterator[Step]:
    """All entries as one reader may know them, the first with the whole board."""
    entries, gone = desk.game.entries, taken_back(desk)
    spaces = desk.match.g.facts.spaces
    aimed: list[Event] = []
    before: Row = {}
    match = fresh(desk)
    is_lost = False
    board, drawn = match.g.board, printed(match.g)
    for number, entry in enumerate(entries, 1):
        told: list[Event] = []
        question = match.question
        if "undo" in entry:
            match, is_lost = fresh(desk), False
            match.fold(entries[:number], gamelog.survivors(entries[:number], str(desk.game.path)))
            told = [undone(entry, number)]
        elif not is_lost:
            try:
                match.apply(entry, number)
                told = match.told
            except PbemError:
                if number not in gone:
                    raise
                is_lost = True                          # nobody has to be able to play again what was taken back
        if match.g.board is not board:
            board, drawn = match.g.board, printed(match.g)
        now = before if is_lost else parts(chart(match, None, board=drawn))
        heard = [numbered(number, event) for event in told if event.for_seat(reader)]
        aimed = aimed[-AIMED:]
        lines = list(asked(match)) if "ask" in entry and not is_lost else list(lines_of(number, heard, aimed, spaces))
        yield Step(number, kind_of(entry), gone.get(number, 0), seats_of(entry), says(entry), difference(before, now), lines,
                   dice(entry, heard), window(entry, question if "close" in entry else match.question, match))
        before = now


def fresh(desk: Desk) -> Match:
    return blank(desk.game.header, desk.corrections, desk.keys, desk.tray)


def says(entry: Mapping[str, Any]) -> str:
    """The order as it was given, or the answers that were declared."""
    answers = entry.get("answers") or {}
    return str(entry.get("do") or "; ".join(f"{seat}: {text}" for seat, text in answers.items()))


def lines_of(number: int, events: Iterable[Event], aimed: list[Event], spaces: Mapping[str, Any]) -> Iterator[Line]:
    """Headings where they stand, and between them as much in one sentence as makes one."""
    run: list[Event] = []
    for event in events:
        if event.key in HEADINGS or event.key in TITLES:
            yield from sentences(number, run, aimed, spaces)
            run = []
            what, key = TITLES.get(event.key, (HEADING, event.key))
            yield Line(what, titler(key, event.facts), [], [])
        elif event.key not in BREAKS | UNSAID:
            run.append(event)
    yield from sentences(number, run, aimed, spaces)


def sentences(number: int, events: list[Event], aimed: list[Event], spaces: Mapping[str, Any]) -> Iterator[Line]:
    """What of them can be drawn goes with the sentence that tells it; `aimed` are Interceptions that were declared before."""
    aimed += [event for event in events if event.key == "interception_declared"]
    drawn = traced([(number, event) for event in (*aimed, *(event for event in events if event not in aimed))])
    shown = [{name: value for name, value in row.items() if name not in ("entry", "number")} for row, _ in drawn]
    places = {id(event): place for place, (_, made) in enumerate(drawn) for event in made}
    for one in joined(events, places):
        yield Line(PRIVATE if one.private else SENTENCE, teller(one), spaces_of(one.facts, spaces),
                   [shown[place] for place in dict.fromkeys(one.numbers)])


def teller(one: Told) -> Callable[[Words], str]:
    def tell(words: Words) -> str:
        sentence = words.tell("events", one.key, one.facts)
        return str(words.phrase("private", said=sentence) if one.private else sentence)

    return tell


def titler(key: str, facts: Mapping[str, Any]) -> Callable[[Words], str]:
    return lambda words: str(words.tell("phrases", key, facts))


def spaces_of(facts: Mapping[str, Any], spaces: Mapping[str, Any]) -> list[str]:
    """The spaces of a sentence, in the order in which somebody came through them."""
    found: list[str] = []
    for key in PLACES:
        value = facts.get(key)
        found += [space_of(str(one)) for one in (value if isinstance(value, list | tuple) else [value]) if one]
    return [space for space in dict.fromkeys(found) if space in spaces]


def asked(match: Match) -> Iterator[Line]:
    """A question as everybody may know it."""
    question = match.question
    if question is not None:
        told = views.asked(match.g, question, match.told_due(question))
        space = told["about"].get("space")
        yield Line(ASKED, lambda words: str(words.phrase(
            "waiting_for", sides=told["sides"], what=words.waiting(told), due=told["due"])), [space] if space else [], [])


def dice(entry: Mapping[str, Any], events: Iterable[Event]) -> list[list[Any]]:
    """Each die: its name, what it showed, and where a single one decides what was needed and whether it was enough."""
    needed = {
        event.facts["name"]: (event.facts["needed"], event.facts.get("succeeded"))
        for event in events
        if "name" in event.facts and "needed" in event.facts
    }
    return [[str(die[0]), die[1], *needed.get(str(die[0]), (0, None))] for die in entry.get("dice") or ()]


def window(entry: Mapping[str, Any], question: Question | None, match: Match) -> Row:
    """Which question an entry asks or closes: of whom, until when; how it was closed, and who was silent."""
    if question is None or not ("ask" in entry or "close" in entry):
        return {}
    row = {"id": question.id, "kind": question.kind, "sides": list(question.sides), "sealed": question.sealed}
    if "ask" in entry:
        return {**row, "due": match.told_due(question)}
    return {**row, "how": str(entry.get("skipped") or entry.get("closed") or ""), "silent": list(entry.get("silent") or ())}
