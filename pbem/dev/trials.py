"""Trials: whole turns of random games, tried and then ordered. Up to the first thing nobody can know both say the same."""

import random
from collections import Counter
from itertools import islice

from pbem.desk.submission import Outcome
from pbem.dev.fuzz import Findings, asked, under_way
from pbem.dev.games import told_of
from pbem.dev.secrecy import Glass

MOST_LINES = 8
Told = tuple[str, str, tuple[str, ...], str]        # line, state, what was done, what is wrong


def whole_turns(count: int, seed: int = 0) -> Findings:
    """So many turns, each of a random game that has come somewhere."""
    chance = random.Random(seed)
    failures: list[str] = []
    ends: Counter[str] = Counter()
    for number in range(count):
        desk = under_way(chance)
        seat = chance.choice(asked(desk).sides)
        text = "\n".join(turn_of(chance, desk, seat))
        try:
            tried, done = desk.trial(seat).order(seat, text), desk.order(seat, text)
            ends[compared(tried, done)] += 1
        except Exception as fault:
            failures.append(f"{number}: {seat}: {text!r}: {told_of(fault)}")
    return Findings("whole turns tried", count, failures[:20], dict(ends))


def turn_of(chance: random.Random, desk: Glass, seat: str) -> list[str]:
    """Orders as a player would send them at once: each is offered once those before it are done, as far as that is known."""
    trial, lines = desk.trial(seat), list[str]()
    while len(lines) < MOST_LINES:
        question = trial.match.question
        if question is None or seat not in question.sides or question.sealed:
            break
        offers = list(islice(question.offers(seat), 30))
        if not offers:
            break
        lines.append(f"{trial.match.say(chance.choice(offers))} yes")
        if any(one.state != "done" for one in trial.order(seat, lines[-1])):
            break
    return [*lines, chance.choice(("end", "end segment", "dance"))]


def compared(tried: list[Outcome], done: list[Outcome]) -> str:
    """How far they could be compared: to the end, or to a die, a draw, a card that somebody may have put aside."""
    for one, other in zip(map(summary, tried), map(summary, done), strict=False):
        if "unknown" in one[1]:
            return "a die or a draw"
        if one[1] == "waiting" and other[1] != "waiting":
            return "what others have put aside"
        assert one == other, f"tried {one}, done {other}"
    assert len(tried) == len(done), f"{len(tried)} tried, {len(done)} done"
    return "all of it"


def summary(one: Outcome) -> Told:
    return one.line, one.state, tuple(one.did), one.error.key if one.error is not None else ""
