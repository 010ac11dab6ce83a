"""Random play of marches: a few hundred games here, thousands with `pbem dev prove`."""

from collections import Counter
from random import Random

import pytest
from small_position import stated

from pbem.dev.choices import Choices
from pbem.dev.play import Result, again, live, march_game, play
from pbem.dev.positions import random_position, seats_of
from pbem.dev.stages import Bare, Logged, Stage, Step
from pbem.play import invariants
from pbem.rules import ownership, victory
from pbem.table import position
from pbem.table.state import Game

GAMES = 20                              # a chunk: small, so that several processes share the work


@pytest.mark.parametrize("chunk", range(5))
def test_nothing_breaks(chunk: int) -> None:
    summary = play(GAMES, chunk * GAMES, jobs=1)
    assert not summary.wrong, summary
    assert summary.steps > 20 * GAMES


@pytest.mark.parametrize("chunk", range(3))
def test_nothing_breaks_through_the_log(chunk: int) -> None:
    """Every order said, written, read and folded again, without the private side."""
    summary = play(GAMES, 10_000 + chunk * GAMES, logged=True, jobs=1)
    assert not summary.wrong, summary


def test_random_play_meets_what_it_is_for() -> None:
    summary = play(50, 20_000, jobs=1)
    assert {"activation", "interception", "evasion", "escape", "withdrawal", "free_passage", "city_choice",
            "surprise"} <= {*summary.kinds}
    assert {"intercepted", "evaded", "withdrew", "general_dispersed", "champion_lost", "royal_gained",
            "minor_removed", "cus_dispersed"} <= {*summary.events}
    assert {"free: place_minor", "surprise: play", "ruling: step", "ruling: facts"} <= {*summary.verbs}
    assert len(summary.refused) > 20


def test_a_seed_is_a_game() -> None:
    assert march_game(7, 4) == march_game(7, 4)
    assert march_game(7, 4).verbs != march_game(8, 4).verbs


def test_log_and_engine_play_the_same_game() -> None:
    for seed in range(12):
        bare, logged = march_game(seed, 3), march_game(seed, 3, logged=True)
        assert (bare.steps, bare.verbs, bare.kinds, bare.refused) == (logged.steps, logged.verbs, logged.kinds, logged.refused)


# --- random play would notice ------------------------------------------------------------------------------------


def played(stage: Stage) -> tuple[list[Step], list[str]]:
    steps: list[Step] = []
    result = Result(0, 4, False, 0, Counter(), Counter(), Counter(), Counter(), [], [])
    return steps, live(stage, Choices(Random(3)), steps, result)


def test_another_die_is_another_game() -> None:
    stage = Bare(random_position(Random(3), 4), "3")
    steps, prints = played(stage)
    assert stage.dice.made and list(again(stage, steps, prints)) == []
    stage.dice.made.pop()
    with pytest.raises(AssertionError):
        list(again(stage, steps, prints))


def test_another_answer_is_another_game() -> None:
    stage = Bare(random_position(Random(3), 4), "3")
    steps, prints = played(stage)
    number = next(place for place, step in enumerate(steps) if step.kind == "answer")
    prints[number] = "0" * 16
    assert list(again(stage, steps, prints)) == [f"played again, step {number} ({steps[number]}) gives another position"]


def test_a_log_without_a_die_does_not_fold() -> None:
    stage = Logged(random_position(Random(3), 4), "3")
    steps, prints = played(stage)
    del next(entry for entry in stage.entries if "dice" in entry)["dice"]
    with pytest.raises(Exception, match="other_dice|other dice"):
        list(again(stage, steps, prints))


# --- the positions it starts from --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_positions_are_legal_and_settled(players: int) -> None:
    """No Procedure would change anything, and what is written of them is read as the same position."""
    for seed in range(60):
        given = random_position(Random(f"{players} {seed}"), players)
        g = adopted(given)
        assert invariants.broken(g) == []
        before = position.fingerprint(g)
        ownership.end_of_procedure(g)
        assert position.fingerprint(g) == before
        assert position.written(adopted(position.written(g))) == position.written(g)


def adopted(given: dict[str, object]) -> Game:
    g = stated({**given, "turn": 1}, seats=seats_of(given))                 # nobody wins at once on Game Turn I
    victory.settle(g)
    return g
