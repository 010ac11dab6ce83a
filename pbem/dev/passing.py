"""Which doors were passed in random play, and which questions of their table were asked on the way.

The table says by which functions a door asks; each function that moves a piece or answers a question tells when it is called,
and the interpreter which of the others was at work. Only what is really done is looked at, not what was thought of before.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from inspect import isgeneratorfunction, unwrap
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from pbem.dev.doors import DOORS, QUESTIONS, Function
from pbem.play.match import Match
from pbem.table.pieces import General, Royal
from pbem.table.state import Game

END = "end"                             # asked of whatever has passed since the last time
ENTRY = Match.apply.__code__
MOVES: tuple[Any, ...] = vars(General)["at"].fset, vars(Royal)["at"].fset, Game.add, Game.remove


class Codes(NamedTuple):
    """What the interpreter knows the functions of the table by; a code by its id, since its hash takes in all that it does."""

    passes: dict[int, str]                      # the code that moves the pieces -> its door
    asks: dict[int, tuple[str, ...]]            # a code that asks for them, or moves them -> doors
    told: dict[FunctionType, str]               # a function that answers a question -> the question; or moves a piece -> ""


@cache
def codes() -> Codes:
    asks: dict[int, tuple[str, ...]] = {}
    for name, door in DOORS.items():
        for function in (door.moves, *door.asks):
            for code in whole(code_of(function)):
                asks[id(code)] = (*asks.get(id(code), ()), name)
    return Codes({id(code_of(door.moves)): name for name, door in DOORS.items()}, asks,
                 {**dict.fromkeys(MOVES, ""),
                  **{unwrap(function): name for name, one in QUESTIONS.items() for function in one.asked}})


def code_of(function: Function) -> CodeType:
    code: CodeType = unwrap(function).__code__
    return code


def whole(code: CodeType) -> Iterator[CodeType]:
    """A function with all that is defined in it: a question asks later, by what it was made with."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from whole(one)


def pairs() -> list[str]:
    """Every door, and every question that it asks."""
    return list(labels().values())


class Passing:
    """What was passed and asked so far."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()      # a door, or a door and a question
        self.open: set[str] = set()             # doors passed since a Procedure ended
        self.codes = [(function, code_of(function), telling(function, partial(self.note, code_of(function), question)))
                      for function, question in codes().told.items()]       # as it is, and as it tells

    def __enter__(self) -> None:
        """What happens in here is really done: the functions of the table tell when they are called, also to whoever holds
        them by another name. Outside they are what they were, and cost nothing."""
        for function, _, told in self.codes:
            function.__code__ = told

    def __exit__(self, *fault: object) -> None:
        for function, own, _ in self.codes:
            function.__code__ = own

    def note(self, code: CodeType, question: str) -> None:
        met = self.met
        if not question:
            door = passing(codes().passes, code, sys._getframe(2))
            met[door] = met.get(door, 0) + 1
            self.open.add(door)
            return
        if question == END:
            found = {said for door in self.open if (said := labels().get((door, END)))}
            self.open = set()
        else:
            found = asking(asked(question), code, sys._getframe(2))
        for said in found:
            met[said] = met.get(said, 0) + 1


@cache
def labels() -> dict[tuple[str, str], str]:
    """What is counted where a door asks a question; nothing where it need not."""
    return {(door, question): f"{door} {question}" for door, row in DOORS.items() for question in QUESTIONS
            if question not in row.need_not}


@cache
def asked(question: str) -> dict[int, tuple[str, ...]]:
    """What is counted where this is asked while a code is at work."""
    return {code: said for code, doors in codes().asks.items()
            if (said := tuple(labels()[door, question] for door in doors if (door, question) in labels()))}


# Both look at a code and at all that wait for it, up to the entry: what is outside of it is no door.


def passing(passes: Mapping[int, str], code: CodeType, frame: FrameType | None) -> str:
    """The innermost door at work."""
    while code is not ENTRY:
        if door := passes.get(id(code)):
            return door
        if frame is None:
            break
        code, frame = frame.f_code, frame.f_back
    return ""


def asking(asks: Mapping[int, tuple[str, ...]], code: CodeType, frame: FrameType | None) -> set[str]:
    """What is counted for all that is at work and asks."""
    said: set[str] = set()
    while code is not ENTRY:
        if (here := id(code)) in asks:
            said.update(asks[here])
        if frame is None:
            break
        code, frame = frame.f_code, frame.f_back
    return said


def telling(function: FunctionType, note: Callable[[], None]) -> CodeType:
    """A code to stand in a function's place: it notes the call and goes on with the function as it was."""
    def stand_in(*args: Any, **named: Any) -> Any:
        told: Any = "note"
        work: Any = "function"
        told()
        return work(*args, **named)

    def stand_in_generator(*args: Any, **named: Any) -> Any:
        told: Any = "note"
        work: Any = "function"
        told()
        return (yield from work(*args, **named))

    before = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    before.__kwdefaults__ = function.__kwdefaults__
    held = {"note": note, "function": before}
    code = (stand_in_generator if isgeneratorfunction(before) else stand_in).__code__      # of one kind, as Python wants it
    return code.replace(co_consts=tuple(held.get(one, one) if isinstance(one, str) else one for one in code.co_consts))
