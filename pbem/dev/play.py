"""Random play: positions, legal answers, things that come in between, rulings - and nothing may ever break.

`march_game` plays one game and looks at everything after every answer, then plays it again; `play` plays many, in
several processes. `Choices` decides what happens, a stage does it: the engine alone, or the engine behind a log.
"""

import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pbem.base.errors import PbemError
from pbem.dev.choices import OWN, Choices
from pbem.dev.positions import random_position
from pbem.dev.processes import in_many
from pbem.dev.stages import Bare, Logged, Shown, Stage, Step
from pbem.kernel.procedures import Question
from pbem.orders import Order
from pbem.play import invariants
from pbem.table import position
from pbem.table.events import Event
from pbem.table.state import is_at_sea

MOST_STEPS = 120                    # of a game
MOST_QUESTIONS = 60                 # in a row that are not the player's own
# After these a Procedure is over; after those that are loose pieces may stand as no Procedure leaves them.
PROCEDURES = frozenset("""
    march shift remove_pc siege disembark end_activation end independent_move place_pc recruit raise_mercenary
""".split())
LOOSE = frozenset("place_minor remove_minor disband split drop pick_up embark".split())
BY_HAND = ("ruling", "card_ruling")     # there only the moderator goes on


class Result(NamedTuple):
    """What one game met; `wrong` is empty unless something is."""

    seed: int
    players: int
    logged: bool
    steps: int
    kinds: Counter[str]             # questions by kind
    verbs: Counter[str]             # orders taken, and what came in between
    refused: Counter[str]           # refusal keys
    events: Counter[str]            # event keys
    wrong: list[str]
    trace: list[str]                # the last steps, for whoever has to look


# --- one game ----------------------------------------------------------------------------------------------------


def march_game(seed: int, players: int, *, logged: bool = False) -> Result:
    """One game of marches from a random position, looked at after every answer, then played again."""
    rng = Random(f"march {seed} {players}")
    given = random_position(rng, players)
    result = Result(seed, players, logged, 0, Counter(), Counter(), Counter(), Counter(), [], [])
    steps: list[Step] = []
    try:
        stage: Stage = Logged(given, str(seed)) if logged else Bare(given, str(seed))
        prints = live(stage, Choices(rng), steps, result)
        if not result.wrong:
            result.wrong.extend(again(stage, steps, prints))
    except Exception as fault:      # whatever it is, it has to be told together with its seed
        where = traceback.extract_tb(fault.__traceback__)[-1]
        result.wrong.append(f"{type(fault).__name__} in {Path(where.filename).name}:{where.lineno}: {fault}")
    result.trace.extend(str(step) for step in steps[-6:])
    return result._replace(steps=len(steps))


def live(stage: Stage, choices: Choices, steps: list[Step], result: Result) -> list[str]:
    """Play some segments; the position's fingerprint after every step."""
    judge, prints = Judge(stage, result), list[str]()
    judge.look(Step("ruling"), ())
    segments = choices.rng.randint(1, 3)
    while not result.wrong and len(steps) < MOST_STEPS and segments:
        g, question = stage.g, stage.table.question
        if question is None:                            # 3.1 somebody has won
            break
        segment = (g.turn, g.round, g.player, g.segment)
        try:
            step = choices.next_step(g, question)
        except PbemError as refusal:
            result.wrong.append(f"no way on from a {question.kind} question: {refusal}")
            break
        steps.append(step)
        judge.look(step, stage.take(step))
        result.wrong.extend(choices.wrong)
        prints.append(position.fingerprint(stage.g))
        if segment != (stage.g.turn, stage.g.round, stage.g.player, stage.g.segment):
            choices.orders = 0
            segments -= segment[3] == "activation"
    result.refused.update(choices.refused)
    return prints


def again(stage: Stage, steps: list[Step], prints: list[str]) -> Iterator[str]:
    """The same answers and dice from the same position give the same game, after every step."""
    second = stage.again()
    for number, wanted in enumerate(prints):
        second.repeat(number)
        if position.fingerprint(second.g) != wanted:
            yield f"played again, step {number} ({steps[number]}) gives another position"
            return
    second.finish()


class Judge:
    """Looks at the position after every step and counts what happened."""

    def __init__(self, shown: Shown, result: Result) -> None:
        self.shown = shown
        self.result = result
        self.looks = True                   # at every position; else only those who count look on
        self.settled = True                 # nothing was done since a Procedure ended
        self.apart = 0                      # questions since the player's own one
        self.open = ""                      # the kind of the question that the next step answers, or comes on top of
        self.beside: set[str] = set()       # where somebody has gone back to, whoever stood there

    def look(self, step: Step, told: Sequence[Event]) -> None:
        g, table, result = self.shown.g, self.shown.table, self.result
        for event in told:
            result.events[event.key] += 1
        self.beside |= invariants.gone_back(told)
        for verb in verbs(step):
            result.verbs[verb] += 1
        if step.kind != "answer" and self.open:
            what = step.order.verb if step.kind == "free" and step.order is not None else step.kind
            result.verbs[f"{what} upon {self.open}"] += 1
        question = table.question
        self.open = question.kind if question is not None else ""
        if question is None:
            if not g.over:
                result.wrong.append("nobody is asked, and nobody has won")
            return
        result.kinds[question.kind] += 1
        self.settle(step, over=self.apart > 0)
        own = question.kind in OWN and len(table.stack) == 1
        at_sea = g.activation is not None and is_at_sea(g.activation.here)      # 13.2: one Procedure up to the landing
        self.apart = 0 if own else self.apart + 1
        if self.apart > MOST_QUESTIONS:
            result.wrong.append(f"{self.apart} questions and no end, now {question.kind}")
        if self.looks:
            result.wrong.extend(invariants.broken(g, settled=own and self.settled and not at_sea, beside=self.beside))
        if not question.sides or not question.id:
            result.wrong.append(f"a {question.kind} question without {'id' if question.sides else 'sides'}")
        result.wrong.extend(stuck(question))

    def settle(self, step: Step, *, over: bool) -> None:
        """Has a Procedure ended now? `over`: others were asked before, so one was under way."""
        verb = step.order.verb if step.order is not None else next(
            (answer.verb for answer in step.answers.values() if isinstance(answer, Order)), "")
        if verb in LOOSE or step.kind == "ruling" and step.facts and not step.level:
            self.settled = False
        elif over or verb in PROCEDURES or step.level:
            self.settled = True


def stuck(question: Question) -> Iterator[str]:
    """Whoever is asked can always go on: at least what his silence means he may do."""
    for side in question.sides if question.kind not in BY_HAND else ():
        if question.legal(side, question.silence(side)) is None:
            yield f"{side} cannot go on from a {question.kind} question: {question.silence(side)} is not allowed"


def verbs(step: Step) -> Iterator[str]:
    if step.kind == "ruling":
        yield f"ruling: {step.level or 'facts'}"
    elif step.order is not None:
        yield f"{step.kind}: {step.order.verb}"
    for answer in step.answers.values():
        for order in answer if isinstance(answer, tuple) else (answer,):
            yield order.verb


# --- many games --------------------------------------------------------------------------------------------------


class Summary(NamedTuple):
    """What many games met."""

    games: int
    steps: int
    kinds: Counter[str]
    verbs: Counter[str]
    refused: Counter[str]
    events: Counter[str]
    wrong: list[Result]

    def plain(self) -> dict[str, Any]:
        """For programs."""
        counted = {name: dict(value.most_common()) for name, value in self._asdict().items() if isinstance(value, Counter)}
        return {"games": self.games, "steps": self.steps, **counted,
                "failures": [{"seed": one.seed, "players": one.players, "wrong": one.wrong, "last": one.trace}
                             for one in self.wrong]}

    def __str__(self) -> str:
        lines = [f"{self.games} games, {self.steps} steps, {len(self.wrong)} games went wrong"]
        for title, counts in (("questions", self.kinds), ("orders", self.verbs), ("refusals", self.refused),
                              ("events", self.events)):
            lines.append(f"{title:10}" + ", ".join(f"{name} {number}" for name, number in counts.most_common()))
        for result in self.wrong[:20]:
            lines.append(f"march_game({result.seed}, {result.players}{', logged=True' * result.logged}): "
                         + "; ".join(result.wrong))
            lines += [f"    {line}" for line in result.trace]
        return "\n".join(lines)


Task = tuple[int, int, bool]


def one_game(task: Task) -> Result:
    """For other processes, which find it by its name."""
    seed, players, logged = task
    return march_game(seed, players, logged=logged)


def play(games: int, seed: int = 0, players: int | None = None, *, logged: bool = False, jobs: int | None = None) -> Summary:
    """Play many games, each with its own seed, in as many processes as there are cores."""
    tasks = [(seed + number, players or 2 + number % 4, logged) for number in range(games)]
    total = Summary(0, 0, Counter(), Counter(), Counter(), Counter(), [])
    for result in in_many(one_game, tasks, jobs):
        for mine, its in ((total.kinds, result.kinds), (total.verbs, result.verbs), (total.refused, result.refused),
                          (total.events, result.events)):
            mine.update(its)
        total = total._replace(games=total.games + 1, steps=total.steps + result.steps,
                               wrong=[*total.wrong, result] if result.wrong else total.wrong)
    return total
