"""Procedures that stop and ask. The kernel knows nothing of any game.

A procedure is a generator with one yield primitive: it yields a *builder*, a function that makes a question from the
position as it is now, and receives the answer. Because the builder can be called again, anything may happen on top of
an open question (a card out of turn, a ruling, a free act): the driver runs it, then makes the question anew. If its
subject has gone the builder returns None and the procedure receives `GONE`.

Only ids may live in a procedure's locals across a yield, never numbers or lists derived from the position.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import partial, wraps
from itertools import count, islice
from random import Random
from typing import Any, Generic, ParamSpec, TypeVar

from pbem.base.errors import PbemError

Answer = Any
T = TypeVar("T")
P = ParamSpec("P")
SAMPLED = 32, 32, 512                   # how far along the candidates random play looks
Reader = Callable[[str, Answer], Answer]


class Gone:
    """What a procedure receives when the thing it asked about is no longer there."""

    def __repr__(self) -> str:
        return "GONE"

    def __bool__(self) -> bool:
        return False


GONE = Gone()


class Abandon(Exception):
    """Thrown into the procedures when a ruling ends the running one, up to a named level."""

    def __init__(self, level: str) -> None:
        super().__init__(level)
        self.level = level


class Finished(Exception):
    """Raised in a procedure when there is nothing more to do: it ends everything that is in progress."""


class Once(Generic[T]):
    """What an iterator gives, for whoever asks, as often as he likes; it is gone through once."""

    __slots__ = ("_found", "_more")

    def __init__(self, more: Iterator[T]) -> None:
        self._more, self._found = more, list[T]()

    def __iter__(self) -> Iterator[T]:
        for place in count():
            if place == len(self._found):
                try:
                    self._found.append(next(self._more))
                except StopIteration:
                    return
            yield self._found[place]


class Question:
    """Something one side (`Ask`) or several sides (`Poll`) have to answer before a procedure goes on.

    `read(side, answer)` is the one legality function: it judges, completes and returns the answer, or raises.
    `candidates(side)` lists a superset of the legal answers, most usual first; whatever of them `read` accepts is
    offered. `default` is what silence means, `own_defaults` where it means something else for a side. `costs(side,
    answer)` lists what a legal answer would cost that is easily overlooked. `ahead(side, place, answer)` judges an
    answer given now for a place that is still to come.

    `about` and `default` may be handed over as functions: a replay, which asks nobody, then never works them out.
    """

    __slots__ = ("_about", "_default", "_offered", "ahead", "candidates", "costs", "id", "kind", "own_defaults", "read", "rule",
                 "sealed", "sides")

    def __init__(
        self, sides: str | Iterable[str], kind: str, rule: str, *, about: Mapping[str, Any] | Callable[[], Mapping[str, Any]],
        read: Reader, candidates: Callable[[str], Iterable[Answer]], default: Answer | Callable[[], Answer], sealed: bool,
        costs: Callable[[str, Answer], list[Any]] | None = None,
        ahead: Callable[[str, str, Answer], Answer] | None = None, own_defaults: Mapping[str, Answer] | None = None,
    ) -> None:
        self.kind = kind
        self.rule = rule
        self.sides = (sides,) if isinstance(sides, str) else tuple(sides)
        self._about = about
        self.read = read
        self.candidates = candidates
        self._default = default
        self.own_defaults = own_defaults or {}
        self.sealed = sealed
        self.costs = costs
        self.ahead = ahead
        self.id = ""
        self._offered: dict[str, Once[Answer]] | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        """What the question is about, for the sentences that put it."""
        if callable(self._about):
            self._about = self._about()
        return self._about

    @property
    def default(self) -> Answer:
        if callable(self._default):
            self._default = self._default()
        return self._default

    def silence(self, side: str) -> Answer:
        """What it means that this side says nothing."""
        return self.own_defaults.get(side, self.default)

    def offers(self, side: str) -> Iterator[Answer]:
        """The legal answers, each once, in the order of the candidates. They are found once, as far as anybody asks for them:
        where the position changes the question is made anew."""
        if self._offered is None:
            self._offered = {}
        if side not in self._offered:
            self._offered[side] = Once(self._found(side))
        return iter(self._offered[side])

    def _found(self, side: str) -> Iterator[Answer]:
        seen = set()
        for candidate in self.candidates(side):
            answer = self.legal(side, candidate)
            if answer is not None and answer not in seen:
                seen.add(answer)
                yield answer

    def legal(self, side: str, answer: Answer) -> Answer | None:
        """The answer as it would be taken, or None where it may not be given."""
        try:
            return self.read(side, answer)
        except PbemError:
            return None

    def sample(self, side: str, rng: Random) -> Answer:
        """Some legal answer, for random play: not even, but every offered one can come up."""
        pool = list(islice(self.candidates(side), rng.choice(SAMPLED)))
        for candidate in islice(in_any_order(pool, rng), SAMPLED[0]):
            answer = self.legal(side, candidate)
            if answer is not None:
                return answer
        return self.read(side, self.silence(side))


def in_any_order(items: list[T], rng: Random) -> Iterator[T]:
    """One after the other until somebody has what he looked for: a list is seldom gone through, and never shuffled whole."""
    draw = rng.random
    for last in range(len(items) - 1, -1, -1):
        place = int(draw() * (last + 1))
        items[place], items[last] = items[last], items[place]
        yield items[last]


Ask = partial(Question, sealed=False)       # one side answers, openly
Poll = partial(Question, sealed=True)       # several answer in any order, sealed; the answers come back together


Builder = Callable[[], Question | None]
Procedure = Generator[Builder, Any, T]


def at_once(act: Callable[P, None]) -> Callable[P, Procedure[None]]:
    """A procedure that never asks, written as a plain function."""

    @wraps(act)
    def procedure(*args: P.args, **kwargs: P.kwargs) -> Procedure[None]:
        act(*args, **kwargs)
        return
        yield  # makes it a generator; nothing ever gets here

    return procedure


class Frame:
    """A procedure on the stack, the builder it waits at, and what strict games have collected so far."""

    __slots__ = ("builder", "id", "partial", "procedure")

    def __init__(self, procedure: Procedure[Any]) -> None:
        self.procedure = procedure
        self.builder: Builder | None = None
        self.id = ""
        self.partial: dict[str, Answer] = {}


class Table:
    """The procedures in progress, one on top of the other, and the question the top one waits at.

    `number` names a question when it is put for the first time. In a `strict` game a poll is put to one side after
    the other, each knowing what was declared before.
    """

    def __init__(self, main: Procedure[Any], number: Callable[[], str], *, strict: bool = False) -> None:
        self.number = number
        self.strict = strict
        self.stack = [Frame(main)]
        self.question: Question | None = None
        self._run(None)

    @property
    def over(self) -> bool:
        return not self.stack

    def declared(self) -> Mapping[str, Answer]:
        """What was declared before in the poll that a strict game puts side by side."""
        return self.stack[-1].partial if self.stack else {}

    def answer(self, answers: Mapping[str, Answer]) -> None:
        """Go on with answers that the question has read."""
        frame = self.stack[-1]
        question = self.question
        assert question is not None
        if not question.sealed and not (self.strict and frame.partial):
            self._run(answers[question.sides[0]])
            return
        frame.partial.update(answers)
        self._put(frame, first=True)

    def interrupt(self, procedure: Procedure[Any]) -> None:
        """Run a procedure on top of the open question, then make that question anew."""
        self.stack.append(Frame(procedure))
        self._run(None)

    def abandon(self, level: str) -> None:
        """End the running procedures up to the named level; whoever owns that level goes on after it."""
        while self.stack:
            frame = self.stack[-1]
            try:
                goes_on = self._step(frame, partial(frame.procedure.throw, Abandon(level)))
            except Abandon:
                self.stack.pop()
                continue
            if goes_on:
                self._put(frame, first=True)
            return
        self.question = None

    def remake(self) -> None:
        """Make the open question anew, after the position was changed from outside."""
        if self.stack:
            self._put(self.stack[-1], first=False)

    def finish(self) -> None:
        """End every procedure in progress; nothing is asked any more."""
        while self.stack:
            self.stack.pop().procedure.close()
        self.question = None

    def _run(self, value: Any) -> None:
        while self.stack:
            frame = self.stack[-1]
            if not self._step(frame, partial(frame.procedure.send, value)) or self._made(frame, first=True):
                return
            value = self._value(frame)

    def _step(self, frame: Frame, step: Callable[[], Builder]) -> bool:
        """Let a procedure go on to its next question. False where its end, or that of the game, has come instead."""
        try:
            frame.builder = step()
        except StopIteration:
            self._ended()
            return False
        except Finished:
            self.finish()
            return False
        frame.partial = {}
        return True

    def _ended(self) -> None:
        """The top procedure is done: what it interrupted is asked anew."""
        self.stack.pop()
        self.question = None
        if self.stack:
            self._put(self.stack[-1], first=False)

    def _put(self, frame: Frame, *, first: bool) -> None:
        if not self._made(frame, first=first):
            self._run(self._value(frame))

    def _made(self, frame: Frame, *, first: bool) -> bool:
        """Make the question; True when somebody has to answer it."""
        assert frame.builder is not None
        question = frame.builder()
        self.question = question
        if question is None:
            return False
        if not question.sealed:
            if first or not frame.id:
                frame.id = self.number()
            question.id = frame.id
            return True
        waiting = [side for side in question.sides if side not in frame.partial]
        if not waiting:
            frame.partial = {side: frame.partial[side] for side in question.sides}
            return False
        if first or not frame.id:
            frame.id = self.number()
        question.id = frame.id
        if self.strict:
            question.sides = (waiting[0],)
        return True

    def _value(self, frame: Frame) -> Any:
        return GONE if self.question is None else frame.partial
