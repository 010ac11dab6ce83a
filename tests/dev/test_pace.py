"""Simulated people at the real desk: what their games take is the same for the same seed, and comes to an end."""

from random import Random

import pytest

from pbem.base import clock
from pbem.base.errors import Unreadable
from pbem.desk.beginning import DEADLINES
from pbem.dev import pace, people
from pbem.dev.aims import Aims
from pbem.dev.games import Swift, Wanted, Watch, beginning, prepared
from pbem.dev.pace import Setting


def test_a_player_with_aims_finishes_his_games_and_takes_provinces() -> None:
    """Looked at after every answer, as random games are."""
    wanted = Wanted(2, 3)
    _, played = prepared(wanted)
    scene, aims = Swift(*beginning(wanted, {**played.rules, "windows": "held"})), Aims(Random(1))
    watch, steps = Watch(scene, played.met), 0
    while (question := scene.match.question) is not None:
        step = aims.next_step(scene.g, question)
        watch.look(step, scene.take(step))
        steps += 1
        assert not played.met.wrong and steps < 3000
    assert scene.g.over and scene.g.turn >= 2
    assert sum(points for _, points in scene.g.tallies.values()) > 20
    assert played.met.verbs["answer: march"] + played.met.verbs["march"] > 40


def test_the_same_seed_gives_the_same_days() -> None:
    setting = Setting("held", {"windows": "held"})
    first = pace.game(3, 2, setting)
    assert first == pace.game(3, 2, setting) != pace.game(4, 2, setting)
    assert first.finished and first.days > 10
    assert sum(first.minutes.values()) == pytest.approx(first.days * 1440, abs=first.waits.total())
    assert sum(first.seats.values()) <= sum(first.minutes.values())


def test_card_windows_run_their_time_and_are_told_apart() -> None:
    asked, held = pace.compare(2, [Setting("asked", {"windows": "asked"}), Setting("held", {"windows": "held"})], 2, seed=5)
    assert any(kind in asked.kinds for kind in ("battle_cards", "naval_cards", "surprise"))
    assert not any(kind in held.kinds for kind in ("battle_cards", "naval_cards", "surprise"))
    table = pace.table([asked, held])
    assert "1: asked" in table and "2: held" in table and "waits a player turn" in table


def test_settings_are_words_of_the_header() -> None:
    base = pace.setting_of(["deadlines.default=36"]).rules
    more = pace.setting_of(["windows=held deadlines.losses=12 form=no"], "random", base)
    assert more.rules == {"windows": "held", "deadlines": {**DEADLINES, "default": 36, "losses": 12}}
    assert (more.mind, more.without) == ("random", ("form",))
    assert base == {"deadlines": {**DEADLINES, "default": 36}}
    assert pace.setting_of(["before"]) == pace.BEFORE
    with pytest.raises(Unreadable):
        pace.setting_of(["breakfast=no"])


def test_people_write_when_they_are_awake_and_there() -> None:
    habits = people.load()
    assert len(habits) == 5
    person = people.Person(habits[0], Random(1), pace.BEGIN)
    for _ in range(200):
        at = person.writes(pace.BEGIN)
        assert at > pace.BEGIN and clock.is_open(person.times, person.who, at)
