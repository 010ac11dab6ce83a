"""What can be shown on a map: as it happened, numbered alike on the map and in a report."""

import re
from pathlib import Path

import pytest

from pbem.dev.pictures import positions
from pbem.drawing.happened import carried
from pbem.table.events import ALL, Event, event
from pbem.telling import views
from pbem.telling.changes import changes, numbers
from pbem.telling.report import report
from pbem.telling.words import Words

KEPT = Path(__file__).parents[1] / "log/kept"


def marched(origin: str, target: str, general: str = "antigonos") -> Event:
    return event("marched", ALL, {"seat": "red", "general": general, "generals": [], "cus": {"loyal": 2}, "royals": [],
                                  "origin": origin, "target": target, "cost": 1, "left": 3})


def placed(seat: str, space: str) -> Event:
    return event("pc_placed", ALL, {"seat": seat, "space": space})


def test_steps_of_one_march_are_one_change_until_somebody_else_marches() -> None:
    steps = [marched("pella", "larisa"), marched("larisa", "lamia"), marched("lamia", "aitolia", "krateros"),
             marched("pella/inside", "pella")]
    assert [(row["general"], row["path"]) for row in changes(enumerate(steps, 1))] == [
        ("antigonos", ["pella", "larisa", "lamia"]), ("krateros", ["lamia", "aitolia"])]


def test_what_one_seat_takes_in_a_row_is_one_change() -> None:
    taken = [placed("red", "pella"), placed("red", "lamia"), placed("blue", "sparta")]
    rows = changes(enumerate(taken, 1))
    assert [(row["number"], row["seat"], row["spaces"]) for row in rows] == [
        (1, "red", ["pella", "lamia"]), (2, "blue", ["sparta"])]
    assert [numbers(enumerate(taken, 1))[id(one)] for one in taken] == [1, 1, 2]


def test_an_interception_that_failed_is_told_from_where_it_was_tried() -> None:
    told = [event("interception_declared", ALL, {"seat": "blue", "general": "krateros", "origin": "lamia", "space": "larisa",
                                                 "pieces": None}),
            event("interception_rolled", ALL, {"seat": "blue", "general": "krateros", "space": "larisa", "die": 1, "name": "x",
                                               "needed": 4, "succeeded": False})]
    (row,) = changes(enumerate(told, 1))
    assert (row["how"], row["path"]) == ("tried", ["lamia", "larisa"])


def test_a_fight_has_the_dice_of_both_sides_or_none() -> None:
    def rolled(seat: str, *dice: int) -> Event:
        return event("battle_rolled", ALL, {"seat": seat, "space": "pella/inside", "general": "", "dice": list(dice),
                                            "name": "x", "rating": 0, "raised": list(dice), "bonus": 0, "total": 7,
                                            "strength": 4, "score": 3})

    won = event("battle_won", ALL, {"seat": "blue", "loser": "red", "space": "pella", "scores": {"red": 1, "blue": 2}})
    rows = changes(enumerate([rolled("red", 1, 2), rolled("blue", 4, 6), won, won], 1))
    assert [(row["sides"], row["dice"]) for row in rows] == [(["blue", "red"], [[4, 6], [1, 2]]), (["blue", "red"], [[], []])]
    assert [carried(row) for row in rows] == ["4 6 / 1 2", ""]


@pytest.mark.parametrize("log", sorted(KEPT.glob("*.gz")), ids=lambda log: log.name.partition(".")[0])
def test_a_report_carries_the_numbers_of_the_map(log: Path) -> None:
    match, _ = list(positions(log, 1))[-1]
    told = [(entry, one) for entry, one in match.history if one.for_seat(None)][-300:]
    rows = changes(told)
    events = [one for _, one in told]
    words = Words("en", match.names, match.g.facts)
    seen = views.view(match.g, None)
    numbered, plain = (report(seen, events, (), words, "text", known) for known in (numbers(told), {}))
    found = {int(number) for group in re.findall(r"\((\d+(?:,\s\d+)*)\)\s", numbered) for number in group.split(",")}
    assert found >= {row["number"] for row in rows}
    assert re.sub(r"\s+", " ", re.sub(r"\(\d+(?:,\s\d+)*\)\s", "", numbered)) == re.sub(
        r"\s+", " ", re.sub(r"\(\d+(?:,\s\d+)*\)\s", "", plain))
