"""Where random play happens: the engine alone, or a log that is written, read and folded as in a real game.

Dice and decks follow from a seed and their names, so that the same choices give the same game anywhere.
"""

import hashlib
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from pbem import editions
from pbem.base import yamlfile
from pbem.cards import EFFECTS
from pbem.chance.draws import Live
from pbem.chance.hidden import Hidden
from pbem.components.shipped import STATE
from pbem.dev.positions import Given, printed, seats_of
from pbem.kernel.procedures import Table
from pbem.log import gamelog
from pbem.orders import Order
from pbem.play.match import Match
from pbem.rules import company, sequence, surprise, victory
from pbem.rules.generals import FREE_ACTS
from pbem.table import position
from pbem.table.events import Event
from pbem.table.state import Game

SURPRISES = ("48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59")  # oftener in hand than by chance


class Step(NamedTuple):
    """One thing that happens: answers to the open question, something in between, a ruling, a correction of the data."""

    kind: str                                   # answer | free | surprise | ruling | amend
    answers: Mapping[str, Any] = {}             # side -> answer as the question has read it
    seat: str = ""                              # whose free act or Surprise card
    order: Order | None = None
    facts: Given = {}
    level: str = ""                             # how far a ruling abandons; empty: the question is only made anew

    def __str__(self) -> str:
        if self.kind == "ruling":
            return f"ruling {self.facts}, abandoned: {self.level or 'nothing'}"
        if self.kind == "amend":
            return f"amend {self.facts}"
        if self.order is not None:
            return f"{self.kind} of {self.seat}: {self.order}"
        return "; ".join(f"{side}: {answer}" for side, answer in self.answers.items())


class Shown(Protocol):
    """A game that can be looked at."""

    @property
    def g(self) -> Game: ...

    @property
    def table(self) -> Table: ...


class Stage(Shown, Protocol):
    """Does what was chosen, and can do it all again."""

    def take(self, step: Step) -> Sequence[Event]:
        """Do it, and hand over what it told."""
        ...

    def again(self) -> "Again":
        """The same game from the beginning, without the hidden side of the cards."""
        ...


class Again(Protocol):
    """A game played for the second time."""

    @property
    def g(self) -> Game: ...

    def repeat(self, number: int) -> None: ...

    def finish(self) -> None:
        """Complains if anything recorded was not needed."""
        ...


# --- chance and cards --------------------------------------------------------------------------------------------


class Dice(Live):
    """Dice and decks from a seed, recorded in `made` and `deck` as an entry keeps them."""

    def __init__(self, seed: str) -> None:
        super().__init__(None, None)
        self.seed = seed

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        text = ",".join(name)
        rng = Random(f"{self.seed}|{text}")
        values = [rng.randint(1, sides) for _ in range(count)]
        item = [text, values if count > 1 else values[0]]
        self.made.append([*item, {"sides": sides}] if sides != 6 else item)
        return values

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        root = hashlib.sha256(f"{self.seed}|{name}|{cards}".encode()).hexdigest()
        self.deck = {"name": name, "cards": list(cards), "root": root}
        return root


class Hands(Hidden):
    """Hidden cards for a game without secrets: decks follow from a seed, the first hands hold surprises."""

    def __init__(self, given: Given, seed: str) -> None:
        self.seed = seed
        rng = Random(f"{seed}|hands")
        known = {*given["discards"], *given["out"]}
        deck = [card for card in given["deck"]["cards"] if card not in known and card not in SURPRISES]
        rng.shuffle(deck)
        first = [card for card in SURPRISES if card not in known]
        hands: dict[str, list[str]] = {seat: [] for seat in given["hands"]}
        for seat in rng.sample(list(hands), len(hands)):
            for _ in range(given["hands"][seat]):
                hands[seat].append(first.pop() if first and rng.random() < 0.5 else deck.pop())
        super().__init__(None, hands, [*first, *deck])
        self.lay_out(given["face_down"])

    def shuffled(self, name: str, cards: tuple[str, ...]) -> None:
        self.deck = sorted(cards)
        Random(f"{self.seed}|{name}").shuffle(self.deck)
        self.hands, self.face_down = {}, []


# --- the engine alone --------------------------------------------------------------------------------------------


class Bare:
    """The engine alone. Played again, every answer is read once more: what was taken has to be taken as it is."""

    def __init__(self, given: Given, seed: str, *, hidden: bool = True) -> None:
        self.given, self.seed = given, seed
        facts, board = printed()
        self.g = Game(facts, board, editions.EDITIONS[editions.USUAL], seats_of(given), EFFECTS)
        self.dice = Dice(seed)
        self.g.chance = self.dice
        self.g.secret = Hands(given, seed) if hidden else None
        self.steps: list[Step] = []
        position.state(self.g, given)
        self.table = Table(sequence.play(self.g), self.g.next_question)

    def take(self, step: Step) -> Sequence[Event]:
        self.steps.append(step)
        perform(self.g, self.table, step)
        told, self.g.events = self.g.events, []
        return told

    def again(self) -> "BareAgain":
        return BareAgain(Bare(self.given, self.seed, hidden=False), self)


class BareAgain:
    """The answers of another stage, one after the other; the dice have to be asked for in the same sequence."""

    def __init__(self, stage: Bare, first: Bare) -> None:
        self.stage, self.first = stage, first

    @property
    def g(self) -> Game:
        return self.stage.g

    def repeat(self, number: int) -> None:
        self.stage.take(self.first.steps[number])

    def finish(self) -> None:
        same(self.stage.dice.made, self.first.dice.made)


def perform(g: Game, table: Table, step: Step) -> None:
    """A step done by hand, as the log would have it done."""
    if step.kind == "answer":
        question = table.question
        assert question is not None
        table.answer({side: same(question.read(side, answer), answer) for side, answer in step.answers.items()})
    elif step.kind == "ruling":
        company.stated(g, step.facts)
        table.interrupt(victory.settling(g))
        if step.level:
            table.abandon(step.level)
        else:
            table.remake()
    else:
        assert step.order is not None
        if step.kind == "surprise":
            order = same(surprise.judge(g, step.seat, step.order), step.order)
            table.interrupt(surprise.play(g, step.seat, order))
        else:
            act = FREE_ACTS[step.order.verb]
            table.interrupt(act.do(g, same(act.judge(g, step.seat, step.order), step.order)))


def same(read: Any, answer: Any) -> Any:
    """What was taken once is taken as it is: the log holds it, and replay reads it again."""
    if read != answer:
        raise AssertionError(f"{answer} is read as {read}")
    return read


# --- through the log ---------------------------------------------------------------------------------------------


class Logged:
    """The same game as entries of a public log: every answer is said, and read back from what was said."""

    def __init__(self, given: Given, seed: str) -> None:
        self.seed = seed
        self.header = {"game": "random", "data": STATE, "rules": {"edition": editions.USUAL},
                       "seats": {seat: {} for seat in seats_of(given)}}
        self.match = Match(self.header, hidden=lambda: Hands(given, seed))
        self.entries: list[dict[str, Any]] = []
        self.ends: list[int] = []                           # how many entries there are after each step
        self.enter({"position": given})

    @property
    def g(self) -> Game:
        return self.match.g

    @property
    def table(self) -> Table:
        assert self.match.table is not None
        return self.match.table

    def enter(self, entry: dict[str, Any]) -> Sequence[Event]:
        dice = Dice(self.seed)
        self.match.apply(entry, len(self.entries) + 1, dice)
        if dice.made:
            entry["dice"] = dice.made
        if dice.deck:
            entry["deck"] = dice.deck
        self.entries.append(entry)
        return self.match.told

    def take(self, step: Step) -> Sequence[Event]:
        question, say = self.table.question, self.match.say
        assert question is not None
        if step.kind == "ruling":
            told = self.enter({"ruling": "as the moderator sees it", "facts": step.facts, "abandon": step.level or None})
        elif step.kind != "answer":
            told = self.enter({"by": step.seat, "do": say(step.order)})
        elif question.sealed:
            self.enter({"ask": question.id})
            told = self.enter({"close": question.id, "answers": {
                side: say(answer) for side, answer in step.answers.items() if answer != question.default}})
        else:
            (side, answer), = step.answers.items()
            told = self.enter({"by": side, "do": say(answer)})
        self.ends.append(len(self.entries))
        return told

    def again(self) -> "LoggedAgain":
        return LoggedAgain(self)


class LoggedAgain:
    """The log written to a file's text, read from it, and folded without the private side."""

    def __init__(self, first: Logged) -> None:
        text = "log:\n" + "".join(f"- {gamelog.dump_entry(entry)}\n" for entry in first.entries)
        self.entries: Sequence[Mapping[str, Any]] = yamlfile.parse(text)["log"]
        self.ends = first.ends
        self.match = Match(first.header)
        self.done = 0
        self.fold(1)

    @property
    def g(self) -> Game:
        return self.match.g

    def fold(self, end: int) -> None:
        for number in range(self.done, end):
            self.match.apply(self.entries[number], number + 1)
        self.done = end

    def repeat(self, number: int) -> None:
        self.fold(self.ends[number])

    def finish(self) -> None:
        """Left-over dice are complained of by every entry itself."""
