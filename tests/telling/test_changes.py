"""What can be shown on a map: as it happened, numbered alike on the map and in a report."""

import re
from pathlib import Path

import pytest

from pbem.dev.pictures import positions
from pbem.drawing.happened import carried
from pbem.orders.order import Pieces
from pbem.table.events import ALL, Event, event
from pbem.table.state import BOX
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


@pytest.mark.parametrize("then", [
    marched("lamia", "aitolia"), marched("larisa", "lamia", "krateros"),
    event("withdrew", ALL, {"seat": "red", "general": "antigonos", "origin": "larisa", "space": "lamia"})])
def test_what_does_not_go_on_with_a_march_is_a_change_of_its_own(then: Event) -> None:
    """Somebody else, from elsewhere, or not as a march."""
    assert [row["path"][0] for row in changes(enumerate([marched("pella", "larisa"), then], 1))] == [
        "pella", then.facts["origin"]]


def test_a_march_is_drawn_with_its_cus_and_what_is_no_way_is_not_drawn() -> None:
    (row,) = changes([(7, marched("pella/inside", "larisa"))])
    assert (row["entry"], row["how"], row["cus"], row["path"]) == (7, "marched", 2, ["pella", "larisa"])
    evaded = event("evaded", ALL, {"seat": "red", "general": "antigonos", "origin": "pella", "path": ["larisa"]})
    (row,) = changes([(7, evaded)])
    assert (row["cus"], row["path"]) == (None, ["pella", "larisa"])
    withdrew = event("withdrew", ALL, {"seat": "red", "general": "antigonos", "origin": "larisa", "space": "lamia"})
    assert [row["how"] for row in changes([(7, evaded), (8, withdrew)])] == ["evaded", "withdrew"]
    assert changes([(7, marched("pella", "pella/inside")), (8, marched(BOX, "pella"))]) == []


@pytest.mark.parametrize(("pieces", "shown"), [
    (Pieces.of(cus={"loyal": 2}), (2, [], [])), (Pieces.of(["krateros"]), (0, ["krateros"], [])),
    (Pieces.of(royals=["kleopatra"]), (0, [], ["kleopatra"])), (Pieces.of(), None)])
def test_what_an_army_leaves_behind_is_drawn_if_it_is_anything(pieces: Pieces, shown: tuple[object, ...] | None) -> None:
    """9.2"""
    dropped = event("dropped", ALL, {"seat": "red", "general": "antigonos", "at": "pella/inside", "pieces": pieces})
    assert [(row["space"], (row["cus"], row["generals"], row["royals"])) for row in changes([(1, dropped)])] == (
        [("pella", shown)] if shown is not None else [])


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
    assert changes(enumerate([*told, *told], 1))[1:] == [{**row, "entry": 4, "number": 2}]      # once more from there
    assert changes(enumerate(told[1:], 1)) == []                                # nobody knows from where
    succeeded = told[1]._replace(facts={**told[1].facts, "succeeded": True})    # what came of it is told of him who comes
    assert changes(enumerate([told[0], succeeded], 1)) == []


@pytest.mark.parametrize(("fought", "how", "winner", "sides"), [
    (event("battle_drawn", ALL, {"attacker": "red", "defender": "blue", "space": "pella", "scores": {}}),
     "land", "", ["red", "blue"]),
    (event("naval_battle_fought", ALL, {"seat": "blue", "mover": "red", "winner": "blue", "space": "pella/sea", "scores": {}}),
     "sea", "blue", ["blue", "red"])])
def test_a_fight_is_shown_with_who_won_it(fought: Event, how: str, winner: str, sides: list[str]) -> None:
    (row,) = changes([(1, fought)])
    assert (row["how"], row["space"], row["winner"], row["sides"]) == (how, "pella", winner, sides)


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
