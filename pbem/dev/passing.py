"""Which doors were passed in random play, and which questions of their table were asked on the way.

The table says by which functions a door asks; each function that moves a piece or answers a question tells when it is called,
and the interpreter which of the others was at work. Only what is really done is looked at, not what was thought of before.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from inspect import isgeneratorfunction, unwrap
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from pbem.dev.doors import DOORS, QUESTIONS, Function
from pbem.table.pieces import General, Royal
from pbem.table.state import Game

END = "end"                             # asked of whatever has passed since the last time
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
    return [f"{door} {question}" for door, row in DOORS.items() for question in QUESTIONS if question not in row.need_not]


class Passing:
    """What was passed and asked so far."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()      # a door, or a door and a question
        self.open: set[str] = set()             # doors passed since a Procedure ended
        self.noting = False                     # is what happens now really done?

    @contextmanager
    def listening(self) -> Iterator[None]:
        """In here the functions of the table tell when they are called, also to whoever holds them by another name."""
        own = {function: function.__code__ for function in codes().told}
        for function, code in own.items():
            function.__code__ = telling(function, partial(self.note, code, codes().told[function]))
        try:
            yield
        finally:
            for function, code in own.items():
                function.__code__ = code

    def note(self, code: CodeType, question: str) -> None:
        if not self.noting:
            return
        passes, asks, _ = codes()
        working = callers(code, sys._getframe(2))
        if not question:
            door = next((passes[one] for one in working if one in passes), "")
            self.met[door] += 1
            self.open.add(door)
            return
        if question == END:
            doors, self.open = self.open, set()
        else:
            doors = {door for one in working if one in asks for door in asks[one]}
        self.met.update(f"{door} {question}" for door in doors if door and question not in DOORS[door].need_not)


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


def callers(code: CodeType, frame: FrameType | None) -> list[int]:
    """A code and all that wait for it, by their ids."""
    working = [id(code)]
    while frame is not None:
        working.append(id(frame.f_code))
        frame = frame.f_back
    return working
