"""Which doors were passed in random play, and which questions of their table were asked on the way.

The table says by which functions a door asks; the interpreter tells which of them was at work when a question was asked.
Only what is really done is looked at, not what was thought of before.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from inspect import unwrap
from types import CodeType, FrameType
from typing import Any, NamedTuple

from pbem.dev.doors import DOORS, QUESTIONS, Function
from pbem.table.pieces import General, Royal
from pbem.table.state import Game

END = "end"                             # asked of whatever has passed since the last time
MOVED = {one.__code__ for one in (vars(General)["at"].fset, vars(Royal)["at"].fset, Game.add, Game.remove)}


class Codes(NamedTuple):
    """What the interpreter knows the functions of the table by."""

    passes: dict[CodeType, str]                 # the code that moves the pieces -> its door
    asks: dict[CodeType, tuple[str, ...]]       # a code that asks for them, or moves them -> doors
    questions: dict[CodeType, str]              # a code that answers a question -> the question


@cache
def codes() -> Codes:
    asks: dict[CodeType, tuple[str, ...]] = {}
    for name, door in DOORS.items():
        for function in (door.moves, *door.asks):
            for code in whole(code_of(function)):
                asks[code] = (*asks.get(code, ()), name)
    return Codes({code_of(door.moves): name for name, door in DOORS.items()}, asks,
                 {code_of(function): name for name, one in QUESTIONS.items() for function in one.asked})


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

    @contextmanager
    def noting(self) -> Iterator[None]:
        """What is done in here is noted, unless somebody else is listening."""
        if sys.getprofile() is not None:
            yield
            return
        passes, asks, questions = codes()

        def note(frame: FrameType, event: str, arg: Any) -> None:
            if event != "call":
                return
            code = frame.f_code
            if code in MOVED:
                door = next((passes[one] for one in callers(frame) if one in passes), "")
                self.met[door] += 1
                self.open.add(door)
            elif code in questions:
                question = questions[code]
                if question == END:
                    doors, self.open = self.open, set()
                else:
                    doors = {door for one in callers(frame) for door in asks.get(one, ())}
                self.met.update(f"{door} {question}" for door in doors if door and question not in DOORS[door].need_not)

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)


def callers(frame: FrameType | None) -> Iterator[CodeType]:
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back
