"""The position as data: in the published form over whole games, and true to the position."""

import json
from collections import Counter
from pathlib import Path

import pytest
import small_game
from at_the_shell import said as pbem
from jsonschema import Draft202012Validator
from small_position import army, stated

from pbem.base.paths import data_dir
from pbem.desk.beginning import header_of
from pbem.dev.pictures import positions
from pbem.editions import EDITIONS, USUAL
from pbem.play.match import Match
from pbem.table.state import BOX, DEAD, OFF, is_at_sea, is_inside, space_of
from pbem.telling.chart import armies, boxes, chart, course, fleets, on_earth, part_of, sieges

KEPT = Path(__file__).parents[1] / "log/kept"
SCHEMA = json.loads((data_dir() / "schemas/position.json").read_text())
VALID = Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["format"]["const"] == 1 and SCHEMA["$id"] == "pbem/position/1"


@pytest.mark.parametrize("log", sorted(KEPT.glob("*.gz")), ids=lambda log: log.name.partition(".")[0])
def test_whole_games_have_the_published_form_and_tell_the_truth(log: Path) -> None:
    kinds = set()
    for match, data in positions(log, 25):
        g = match.g
        plain = json.loads(json.dumps(data))
        assert [error.message for error in VALID.iter_errors(plain)] == []
        assert data["control"]["spaces"] == {space: owner for space, owner in g.pc.items() if owner}
        assert all(
            g.province_controller(province) == data["control"]["provinces"].get(province, "") for province in g.board.provinces
        )
        cus = Counter({(army["seat"], army["space"], army["part"]): army["total"] for army in data["armies"] if army["total"]})
        assert cus == Counter(
            {
                (seat, space_of(at), "inside" if is_inside(at) else "sea" if is_at_sea(at) else "outside"): g.count(at, seat)
                for at, there in g.cus.items()
                for seat in there
            }
        )
        generals = [name for army in data["armies"] for name in army["generals"]]
        assert sorted(generals) == sorted(one.name for one in g.generals.values() if g.on_map(one))
        assert {row["royal"] for row in data["royals"]} == {
            one.name for one in g.royals.values() if one.at in g.board.locations
        }
        assert {row["space"] for row in data["sieges"]} == {
            space for space in g.board.spaces if g.besieged(space) or space in g.siege_points
        }
        kinds |= {row["what"] for row in data["changes"]}
    assert {"move", "fight", "control", "province"} <= kinds


def test_steps_of_one_march_are_one_change(tmp_path: Path) -> None:
    game = small_game.found(tmp_path / "g")
    for line in ("roll", "march Antigonos > Ephesos", "end"):
        game.order("red", line)
        game.run()
    data = chart(game.match, None, since=1)
    moves = [row for row in data["changes"] if row["what"] == "move"]
    assert moves[0]["path"] == ["halikarnassos", "ephesos"] and moves[0]["cus"] == 5 and moves[0]["general"] == "antigonos"
    assert chart(game.match, None)["changes"] == []
    later = chart(game.match, None, since=moves[0]["entry"] + 1)
    assert moves[0] not in later["changes"]


def test_the_commands_give_the_same_position(tmp_path: Path) -> None:
    game = small_game.found(tmp_path / "g", cards=True)
    game.order("red", "roll")
    game.run()
    data = json.loads(pbem("position", tmp_path / "g", "--json"))
    assert [error.message for error in VALID.iter_errors(data)] == []
    assert data["entry"] == len(game.game.entries) and data["head"] == game.game.heads()[-1]
    assert json.loads(pbem("report", tmp_path / "g", "--json"))["position"] == {**data, "since": data["since"]}
    first = json.loads(pbem("position", tmp_path / "g", "--at", 1, "--json"))
    assert (first["entry"], first["head"]) == (1, game.game.heads()[1])
    assert "Antigonos" in pbem("position", tmp_path / "g")


def test_no_hidden_card_touches_it(tmp_path: Path) -> None:
    small_game.found(tmp_path / "a", cards=True)
    small_game.found(tmp_path / "b", cards={"red": ["2", "57"], "blue": ["50", "1"], "yellow": ["58", "5"], "black": ["4"]})
    told = [json.loads(pbem("position", tmp_path / name, "--json", "--to", "red")) for name in "ab"]
    assert {**told[0], "head": ""} == {**told[1], "head": ""}


def test_the_course_goes_from_the_start_to_now() -> None:
    (match, _), *_ = positions(KEPT / "three.yaml.gz", 1)
    rows = course(match)
    assert [row["turn"] for row in rows] == sorted(row["turn"] for row in rows)
    assert rows[-1]["seats"] == {row["seat"]: {"L": row["L"], "VP": row["VP"]} for row in chart(match, None)["standings"]}
    assert len({json.dumps(row["seats"]) for row in rows}) > 3


# --- one thing after the other -----------------------------------------------------------------------------------------

BESIEGED = {
    "turn": 2, "phase": "strategy", "spaces": {"tyros": "blue", "sidon": "yellow", "pella": "red"}, "helepolis": "tyros",
    "siege_points": {"tyros": {"by": "red", "points": 1}, "pella": {"by": "black", "points": 2}},
    "forces": [army("red", "tyros", "seleukos", loyal=3), army("yellow", "tyros", loyal=1), army("black", "tyros", "eumenes"),
               army("blue", "tyros", "krateros", loc="inside", loyal=2), army("red", "pella", "antigonos", loyal=1)],
}


def test_a_siege_is_of_whoever_brings_cus_and_a_general_and_points_wait_for_a_besieger() -> None:
    waiting, besieged = sieges(stated(BESIEGED))
    assert besieged == {"space": "tyros", "owner": "blue", "by": ["red"], "points": 1, "points_of": "red", "needed": 3,
                        "helepolis": True}
    assert (waiting["space"], waiting["by"], waiting["points"], waiting["helepolis"]) == ("pella", [], 2, False)
    (fresh, _) = sieges(stated({**BESIEGED, "siege_points": {"pella": {"by": "black", "points": 2}}, "helepolis": ""}))[::-1]
    assert (fresh["space"], fresh["points"], fresh["points_of"], fresh["helepolis"]) == ("tyros", 0, "", False)


def test_pieces_are_inside_outside_or_at_sea() -> None:
    assert [part_of(at) for at in ("tyros", "tyros/inside", "tyros/sea")] == ["outside", "inside", "sea"]
    assert [(one["seat"], one["part"], one["total"]) for one in armies(stated(BESIEGED)) if one["space"] == "tyros"] == [
        ("red", "outside", 3), ("blue", "inside", 2), ("yellow", "outside", 1), ("black", "outside", 0)]


def test_a_fleet_is_as_strong_as_its_side_and_belongs_where_it_comes_from() -> None:
    g = stated(BESIEGED)
    before = {row["fleet"]: row for row in fleets(g)}
    g.fleets["makedonia"].upgraded = True
    after = {row["fleet"]: row for row in fleets(g)}
    assert after["makedonia"]["strength"] > before["makedonia"]["strength"] and after["athenai"] == before["athenai"]
    by_card = [one for one, fact in g.facts.fleets.items() if fact["control"]["type"] == "card"]
    assert by_card and all(before[one]["place"] == one for one in by_card)
    assert not {row["place"] for row in before.values()} - {*g.board.provinces, *g.board.spaces}
    assert before["athenai"]["place"] == g.facts.fleets["athenai"]["control"]["place"]


def test_what_lies_beside_the_map_is_told_apart() -> None:
    g = stated(BESIEGED)
    g.generals["antigonos"].at = OFF
    g.generals["krateros"].at = DEAD
    g.royals["herakles"].at, g.royals["kleopatra"].at, g.royals["olympias"].at = BOX, DEAD, "pella"
    g.royals["cart"].at = DEAD
    told = boxes(g)
    assert told["royals"] == ["herakles"] and told["off_map"] == [{"seat": "red", "general": "antigonos"}]
    assert told["dead"] == ["krateros", "kleopatra"]
    assert "leosthenes" in told["independents"] and not {"antigonos", "herakles"} & set(told["independents"])
    g.generals["leosthenes"].at = "larisa"
    assert "leosthenes" not in boxes(g)["independents"]


def test_a_space_without_a_place_on_earth_has_none() -> None:
    assert on_earth((0.0, 0.0)) == {"lat": None, "lon": None}
    assert on_earth((0.0, 31.5)) == {"lat": 0.0, "lon": 31.5}


def test_the_moment_is_that_of_the_position_unless_another_is_told(tmp_path: Path) -> None:
    game = small_game.found(tmp_path / "g")
    game.enter({"seat": "yellow", "neutral": "yes", "reason": "left"})
    data = chart(game.match, None)
    assert data["format"] == 1 and data["entry"] == game.match.number == len(game.game.entries)
    assert chart(game.match, None, entry=1)["entry"] == 1
    assert [one["name"] for one in data["seats"]][:2] == ["Anna", "Bruno"] and all(
        isinstance(one["name"], str) for one in data["seats"])
    nameless = small_game.header() | {"seats": {**small_game.SEATS, "blue": {}}}
    assert chart(Match(nameless), None)["seats"][1] == {"seat": "blue", "name": ""}
    assert data["board"]["spaces"]["pella"]["province"] == "makedonia"
    assert chart(game.match, None, board={"printed": 1})["board"] == {"printed": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_fleet_of_every_book_has_a_place_on_the_map(edition: str) -> None:
    """The Pontic Fleet of the draft and the 3rd edition had none: whoever held it could have no map drawn."""
    g = Match(header_of("g", small_game.SEATS, {"edition": edition})).g
    places = {row["fleet"]: row["place"] for row in fleets(g)}
    assert places.keys() == g.fleets.keys() and set(places.values()) <= {*g.board.provinces, *g.board.spaces}
    assert places.get("pontic", "") == ("" if edition == USUAL else "sinope")
