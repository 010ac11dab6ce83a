"""A published game played again: to the last point; and what is otherwise in it is told, and nothing is passed over."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from at_the_shell import pbem, said

from pbem.base.paths import games_dir, languages
from pbem.dev.replay.acts import ACTIONS
from pbem.dev.replay.facts import WORDS
from pbem.dev.replay.replay import Replayed, replay
from pbem.dev.replay.vocabulary import CANONICAL, SPELLINGS
from pbem.log import gamelog

SCRIPT = Path(__file__).parents[1] / "replays/example-3e-turn1.yaml"
SAMPLE = "example-3e"
EXAMPLES = yaml.load((SCRIPT.parent / "words.yaml").read_bytes(), Loader=yaml.CSafeLoader)
PLAYERS = {"john": "red", "merv": "blue", "nevin": "yellow", "mark": "black"}
FAMILY = ("Alexandros", "Philippos", "Herakles", "Olympias", "Kleopatra", "Thessalonike", "Funeral Cart")


def script_of(example: dict[str, Any]) -> dict[str, Any]:
    """The piece of a game as a whole script: what its steps leave out is of turn 2, round 1, and john's."""
    position, hands = dict(example["position"]), example.get("hands", {})
    if hands:
        position["hands"] = {PLAYERS[player]: len(cards) for player, cards in hands.items()}
    usual = {"turn": 2, "round": 1, "player": "john", "segment": position["segment"]["kind"]}
    return {"replay": "words", "format": 1, "source": {"file": "words"},
            "rules": {"profile": 3, "players": 4, "optional": example.get("options", [])},
            "players": [{"id": player, "colour": colour, "marker": player} for player, colour in PLAYERS.items()],
            "setup": {"players_in_seat_order": list(PLAYERS), "position": position, "hands": hands},
            "names": {"royals": [{"name": name} for name in FAMILY]}, "steps": [{**usual, **step} for step in example["steps"]]}


@pytest.mark.parametrize("example", EXAMPLES, ids=[one["says"][:40] for one in EXAMPLES])
def test_each_example_of_the_page_is_played(example: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(yaml.dump(script_of(example), allow_unicode=True), encoding="utf-8")
    found = replay(tmp_path / "script.yaml")
    assert found.is_faithful and not found.unread, str(found)


def test_every_action_and_every_word_stands_in_an_example_or_in_the_published_game() -> None:
    told = yaml.load(SCRIPT.read_bytes(), Loader=yaml.CSafeLoader)
    steps = [*told["steps"], *(step for one in EXAMPLES for step in one["steps"])]
    assert {CANONICAL[step["action"]] for step in steps} == SPELLINGS.keys() == ACTIONS.keys()
    assert {word for step in steps for part in ("expect", "derived") for word in step.get(part) or {}} >= WORDS.keys()


def test_what_a_step_says_and_nobody_reads_is_told(tmp_path: Path) -> None:
    found = changed(tmp_path, {"t1.usurper.1": {"wether": "fine", "loses": {}}})
    assert [line.split(" (")[0] for line in found.unread] == [
        f"t1.usurper.1 {word}: nobody reads it" for word in ("loses", "wether")]
    assert "perhaps losses" in found.unread[0] and found.refused == [] and "unread    t1.usurper.1 wether" in str(found)


@pytest.fixture(scope="module")
def played() -> Replayed:
    return replay(SCRIPT)


def changed(folder: Path, changes: dict[str, dict[str, Any]]) -> Replayed:
    """The script up to the last of these steps, which say something else there."""
    told = yaml.load(SCRIPT.read_bytes(), Loader=yaml.CSafeLoader)
    steps = [{**one, **changes.get(one["id"], {})} for one in told["steps"]]
    last = max(number for number, one in enumerate(steps) if one["id"] in changes)
    (folder / "script.yaml").write_text(yaml.dump({**told, "steps": steps[:last + 1]}, allow_unicode=True))
    return replay(folder / "script.yaml")


def test_the_example_of_the_rulebook_closes_to_the_last_point(played: Replayed) -> None:
    assert [str(one) for one in (*played.refused, *played.differ)] == []
    assert played.steps == 145 and played.compared > 230
    assert all(reason for _, reason in played.accepted)
    assert str(played).splitlines()[-1] == "145 steps, 0 refused, 0 values differ, 4 accepted deviations"


def test_a_value_that_is_otherwise_is_told(tmp_path: Path) -> None:
    found = changed(tmp_path, {
        "t1.usurper.1": {"expect": {"usurper": "john"}},
        "t1.r1.merv.tyche.2": {"expect": {"fleet_gained": ["Kypros"], "weather": "fine"}, "derived": {"vp": {"merv": 9}}},
        "t1.r1.john.movement.1": {"die": 4}})
    assert [str(one) for one in found.differ] == [
        "t1.usurper.1 expect usurper: wanted john, found mark",
        "t1.r1.merv.tyche.2 expect fleet_gained: wanted kypros, found karia",
        "t1.r1.merv.tyche.2 expect weather: cannot be compared: nothing shows that (line 1141; perhaps pcs_there)",
        "t1.r1.merv.tyche.2 derived vp: wanted merv 9, found merv 8",
        "t1.r1.john.movement.1 expect mps: wanted all generals 2, found all generals 3 4"]
    assert found.refused == []


def test_a_step_that_nobody_may_take_is_refused(tmp_path: Path) -> None:
    refused = {one.step: one.told for one in changed(tmp_path, {
        "t1.r1.merv.surrender.1": {"action": "whistle"}, "t1.r1.merv.tyche.2": {"spaces": ["Pella"]},
        "t1.r1.nevin.tyche.1": {"card": "Kassandros"}, "t1.r1.john.movement.1": {"die": None}}).refused}
    assert refused["t1.r1.merv.surrender.1"] == "nobody knows the action whistle (line 1120; perhaps first_player)"
    assert "pc is there: space pella" in refused["t1.r1.merv.tyche.2"]
    assert refused["t1.r1.nevin.tyche.1"] == "Kassandros is not in the hand of nevin"
    assert refused["t1.r1.john.movement.1"].startswith("no die is told for T1,R1,black,activation,movement")


def test_reactions_and_battles_are_told_behind_the_march_that_they_answer(tmp_path: Path) -> None:
    told = yaml.load(SCRIPT.read_bytes(), Loader=yaml.CSafeLoader)
    places = {"Lysimachos": "Byzantion", "Leonnatos": "Abydos"}
    for one in told["setup"]["general_deployment"]:
        one["space"] = places.get(one["general"], one["space"])
    here = {"turn": 1, "round": 1, "player": "merv", "segment": "movement"}
    number = next(number for number, one in enumerate(told["steps"]) if one["id"] == "t1.r1.merv.movement.1")
    told["steps"] = [*told["steps"][:number], {**here, "id": "roll", "action": "movement_roll", "die": 6}, {
        **here, "id": "march", "action": "move", "general": "Leonnatos", "path": ["Abydos", "Chersonesos"]}, {
        **here, "id": "over", "player": "mark", "action": "intercept", "general": "Lysimachos", "from": "Byzantion", "die": 6,
        "expect": {"success": True, "position": {"Lysimachos": "Byzantion"}}}, {
        **here, "id": "battle", "action": "battle", "dice": {"attacker": [6, 5], "mark": [1, 1]}, "attrition": 1,
        "losses": {"merv": {"mercenary": 1}},
        "expect": {"winner": "merv", "roll": {"merv": 11, "mark": 6}, "champion": {"merv": True},
                   "losses": {"mercenary": 1}}}, {
        **here, "id": "nobody", "player": "mark", "action": "avoid_battle", "general": "Lysimachos", "die": 6}]
    (tmp_path / "script.yaml").write_text(yaml.dump(told, allow_unicode=True))
    found = replay(tmp_path / "script.yaml")
    assert [str(one) for one in found.differ] == [
        "over expect position: wanted Lysimachos byzantion, found Lysimachos dispersed box"]
    assert [str(one) for one in found.refused] == ["nobody: nobody was asked for that"]


def test_what_is_no_such_file_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("format: 1\n")
    assert "no published game" in pbem("dev", "replay", tmp_path / "x.yaml", code=1).stderr


def test_it_ships_as_a_game_that_anybody_may_open_and_look_at_turn_by_turn(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    said("games", SAMPLE, "-o", folder)
    assert not (games_dir() / SAMPLE / gamelog.PRIVATE).exists()
    checked = pbem("verify", folder, "--details", code=3).output
    assert "deck main,1: by hand" in checked
    told = {language: said("report", folder, "--since", "1", "--language", language) for language in languages()}
    assert len(set(told.values())) == len(told) and all(len(one) > 9_000 for one in told.values())
    marks = {"en": "at the table", "de": "am Tisch", "it": "al tavolo", "ru": "за столом"}
    assert all(marks.get(language, "") in text for language, text in told.items())
    log = gamelog.read_game(folder)
    ends = [number for number, entry in enumerate(log.entries, 1) if entry.get("do") == "end segment"]
    for number in ends[::30]:
        assert "Babylon" in said("position", folder, "--at", number)
