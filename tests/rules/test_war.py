"""Battle, overrun, siege and abilities, where the rulebook's own cases leave a gap."""

from pathlib import Path
from typing import Any

import pytest
import small_position
from small_position import army, stated

from pbem.base.errors import BadLog
from pbem.cards import raids
from pbem.components import catalogue
from pbem.components.schema import ABILITIES
from pbem.dev import cases
from pbem.rules import abilities, battle_score, prestige, siege
from pbem.table import position
from pbem.table.state import Game

CASES = Path(__file__).parents[1] / "cases" / "war-4e.yaml"
ACTIVATION = {"player": "red", "kind": "activation"}
MARCH = {"by": "red", "do": "move", "path": ["lamia", "larisa"]}
STAND = {"window": "evasion", "answers": {"blue": "none"}}


def holds(rule: str, given: dict[str, Any], when: list[dict[str, Any]], *then: dict[str, Any]) -> None:
    small_position.holds(rule, {"champions": {"red": False}, **given}, when, *then)


def dice(side: str, pair: list[int], reads: int) -> dict[str, Any]:
    return {"roll": "battle", "by": side, "dice": pair, "reads": reads}


def game(edition: str = "fourth", corrections: tuple[dict[str, Any], ...] = (), **given: Any) -> Game:
    return stated(given, edition=edition, facts=catalogue.facts(corrections))


def test_the_cases_of_war_pass() -> None:
    lost = [one for one in cases.run([CASES]) if one.verdict != "pass"]
    assert not lost, cases.show(lost)


# --- 14.8 Commanding General Loss --------------------------------------------------------------------------------


def test_the_army_of_a_fallen_general_stays_active_under_the_next() -> None:
    """10 L, 14.8 It has no MPs left, but may still go through its own gate."""
    holds("14.8",
          {"segment": ACTIVATION, "spaces": {"pella": {"pc": "red"}}, "mp": {"krateros": 3, "demetrios": 3},
           "forces": [army("red", "larisa", "krateros", "demetrios", loyal=4),
                      army("blue", "pella", "minor", mercenary=2, loc="outside")]},
          [{"by": "red", "do": "move", "general": "krateros", "path": ["larisa", "pella"]}, STAND,
           dice("red", [4, 5], 6), dice("blue", [1, 1], 0), {"roll": "general_loss", "by": "red", "for": "krateros", "die": 6},
           {"by": "red", "do": "shift", "general": "demetrios", "at": "pella", "to": "inside", "cus": {"loyal": 2}}],
          {"accepted": True}, {"dead": ["krateros"]}, {"active": "demetrios"}, {"mp_left": {"demetrios": 0}},
          {"stack": {"owner": "red", "at": "pella", "loc": "inside", "cus": {"loyal": 2}, "generals": ["demetrios"]}})


def test_an_army_that_nobody_takes_over_is_dispersed_and_its_activation_over() -> None:
    """14.8 No Minor General wanted, and no PC of its own in the space."""
    holds("14.8",
          {"segment": ACTIVATION, "mp": {"krateros": 3, "demetrios": 3},
           "forces": [army("red", "lamia", "krateros", loyal=4), army("red", "pella", "demetrios", loyal=1),
                      army("blue", "larisa", "minor", mercenary=2)]},
          [{**MARCH, "general": "krateros"}, STAND, dice("red", [4, 5], 6), dice("blue", [1, 1], 0),
           {"roll": "general_loss", "by": "red", "for": "krateros", "die": 6},
           {"window": "replacement", "answers": {"red": "none"}},
           {"by": "red", "do": "activate", "general": "demetrios"}],
          {"result": "red"}, {"active": "demetrios"}, {"dispersed": {"red": {"cus": {"loyal": 4}}}})


def test_who_drew_dies_on_a_six_only() -> None:
    holds("14.8",
          {"segment": ACTIVATION, "mp": {"krateros": 3},
           "forces": [army("red", "lamia", "krateros", loyal=4), army("blue", "larisa", "minor", mercenary=2)]},
          [{**MARCH, "general": "krateros"}, STAND, dice("red", [4, 5], 3), dice("blue", [6, 6], 3),
           {"roll": "general_loss", "by": "red", "for": "krateros", "die": 5}],
          {"result": "draw"}, {"at": {"krateros": "lamia"}})


# --- 14.2, 14.10 the city ----------------------------------------------------------------------------------------


def test_after_a_draw_relief_and_garrison_part_again() -> None:
    """14.2, 14.10 Everybody goes back the way he came."""
    holds("14.10",
          {"segment": ACTIVATION, "mp": {"seleukos": 3}, "spaces": {"pella": {"pc": "red"}},
           "forces": [army("red", "larisa", "seleukos", loyal=3), army("red", "pella", mercenary=2, loc="inside"),
                      army("blue", "pella", "minor", mercenary=6, loc="outside")]},
          [{"by": "red", "do": "move", "general": "seleukos", "path": ["larisa", "pella"]}, STAND,
           {"window": "join_battle", "answers": {"red": {"cus": {"mercenary": 2}}}},
           dice("red", [3, 3], 4), dice("blue", [3, 3], 4), {"window": "losses", "answers": {"red": {"loyal": 1}}}],
          {"strength": {"red": 9, "blue": 6}}, {"result": "draw"},
          {"stack": {"owner": "red", "at": "pella", "loc": "inside", "cus": {"mercenary": 2}}},
          {"stack": {"owner": "red", "at": "larisa", "cus": {"loyal": 2}, "generals": ["seleukos"]}})


def test_royals_set_apart_follow_their_side_after_a_draw() -> None:
    """14.9 They change sides only with a defeat."""
    holds("14.9",
          {"segment": ACTIVATION, "mp": {"red-minor": 3}, "score": {"red": {"L": 2}, "blue": {"L": 6}},
           "forces": [army("red", "lamia", "minor", royal=2, mercenary=3),
                      army("blue", "larisa", "minor", mercenary=3)]},
          [{**MARCH, "general": "red-minor"}, STAND, dice("red", [3, 3], 2), dice("blue", [3, 3], 2)],
          {"strength": {"red": 3, "blue": 3}}, {"value": {"set_apart": {"red": {"royal": 2}}}},
          {"stack": {"owner": "red", "at": "lamia", "cus": {"royal": 2, "mercenary": 2}, "generals": ["minor"]}})


# --- 10 J, 7.2 F Independents ------------------------------------------------------------------------------------


def test_who_overruns_an_independent_army_has_beaten_it() -> None:
    """10 J, 7.2 F, 14.9 The Scythians go back to their box."""
    holds("10J",
          {"segment": ACTIVATION, "mp": {"seleukos": 3},
           "forces": [army("red", "lamia", "seleukos", mercenary=30),
                      {"owner": "independent", "general": "seuthes", "at": "larisa", "cus": {"independent": 6}}]},
          [{**MARCH, "general": "seleukos"}],
          {"battle": "none"}, {"mp_left": {"seleukos": 2}},
          {"value": {"popularity": {"seleukos": 1}, "holding_box": ["seuthes"]}})


# --- 14.3 Battle cards -------------------------------------------------------------------------------------------


ELEPHANTS = {"segment": ACTIVATION, "mp": {"red-minor": 3}, "hands": {"blue": ["anti-elephant-devices"]},
             "forces": [army("red", "lamia", "minor", elephant=2, mercenary=1),
                        army("blue", "larisa", "minor", mercenary=2)]}


def test_a_battle_card_is_played_before_the_elephants_are_rolled() -> None:
    holds("14.3", ELEPHANTS,
          [{**MARCH, "general": "red-minor"}, STAND,
           {"by": "blue", "do": "play_card", "card": "anti-elephant-devices", "as": "surprise"}],
          {"strength": {"red": 1, "blue": 2}},
          {"offered": {"battle_cards": ["blue"]}}, {"not_offered": {"battle_cards": ["red"]}})


def test_a_battle_card_needs_a_battle() -> None:
    holds("14.3", {**ELEPHANTS, "segment": {"player": "blue", "kind": "activation"}},
          [{"by": "blue", "do": "play_card", "card": "anti-elephant-devices", "as": "surprise"}], {"refused": "14.3"})


# --- 15.2 A Sieges -----------------------------------------------------------------------------------------------


SIX = {"segment": ACTIVATION, "mp": {"seleukos": 2, "demetrios": 3}, "spaces": {"pella": {"pc": "black"}},
       "fleets": {"red": ["karia"]},
       "forces": [army("red", "pella", "seleukos", "demetrios", loyal=3, mercenary=3, loc="outside")]}
NOTHING = {"roll": "siege", "by": "red", "die": 2, "reads": "-/-"}


def test_a_siege_ties_down_three_cus_only() -> None:
    """9.3 C The cheapest three, where the order names none; the others may still march under somebody else."""
    holds("9.3C", SIX,
          [{"by": "red", "do": "siege", "at": "pella", "general": "seleukos"}, NOTHING,
           {"by": "red", "do": "end_activation"},
           {"by": "red", "do": "move", "general": "demetrios", "path": ["pella", "larisa"], "cus": {"loyal": 3}}],
          {"accepted": True}, {"stack": {"owner": "red", "at": "larisa", "cus": {"loyal": 3}, "generals": ["demetrios"]}})


def test_the_besieging_cus_do_not_march_under_somebody_else() -> None:
    holds("9.1", SIX,
          [{"by": "red", "do": "siege", "at": "pella", "general": "seleukos", "cus": {"loyal": 3}}, NOTHING,
           {"by": "red", "do": "end_activation"},
           {"by": "red", "do": "move", "general": "demetrios", "path": ["pella", "larisa"], "cus": {"loyal": 3}}],
          {"refused": "9.1"})


def test_a_traitor_helps_once() -> None:
    g = game(spaces={"pella": "black"}, forces=[army("red", "pella", "demetrios", loyal=3)])
    g.traitor = "red"
    assert dict(siege.modifiers(g, "red", "pella")) == {"port_without_fleet": -1, "traitor_inside_city": 3, "besieger": 1}
    assert siege.result_of(g, 9) == (3, 0)
    assert siege.result_of(g, -1) == (0, 1)


def test_polyarchos_holds_a_city_from_inside() -> None:
    given: dict[str, Any] = {"spaces": {"memphis": "black"}, "forces": [army("red", "memphis", "seleukos", loyal=3)]}
    outside = game(**given)
    assert dict(siege.modifiers(outside, "red", "memphis")) == {"memphis": 1}
    position.state(outside, {"forces": [army("black", "memphis", "polyarchos", loyal=1, loc="inside")]})
    assert dict(siege.modifiers(outside, "red", "memphis")) == {"memphis": 1, "stubborn_garrison": -1}


# --- 7.1 Special Abilities ---------------------------------------------------------------------------------------


CONFIRMED = {"datum": "generals.peithon.ability.on_by_default", "value": True}
PEITHON: dict[str, Any] = {"spaces": {"elymaioi": "independent"}, "forces": [army("red", "elymaioi", "peithon", loyal=3)]}


def test_a_guessed_ability_waits_for_the_moderator() -> None:
    assert not list(siege.modifiers(game(**PEITHON), "red", "elymaioi"))
    assert dict(siege.modifiers(game(corrections=(CONFIRMED,), **PEITHON), "red", "elymaioi")) == {"pacifier": 1}


@pytest.mark.parametrize("parameter", sorted(ABILITIES))
def test_every_parameter_of_an_ability_is_played(parameter: str) -> None:
    files = [*Path(abilities.__file__).parent.glob("*.py"), Path(raids.__file__)]
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    assert f'"{parameter}"' in code


def test_an_ability_that_no_rule_plays_is_refused() -> None:
    with pytest.raises(BadLog, match="unknown part: datum generals.peithon.ability.params.flies"):
        game(corrections=({"datum": "generals.peithon.ability.params", "value": {"flies": 1}},))


def test_ptolemaios_fights_better_at_home() -> None:
    """7.1, his card: Battle Rating 4 in Aigyptos."""
    g = game(forces=[army("red", "memphis", "ptolemaios", loyal=3)])
    assert abilities.battle_rating(g, g.generals["ptolemaios"]) == 4
    g.generals["ptolemaios"].at = "gaza"
    assert abilities.battle_rating(g, g.generals["ptolemaios"]) == 3


def test_an_ability_to_evade_or_intercept_may_end_at_a_border() -> None:
    params = {"evade_target": 3, "provinces": ["thrake"]}
    g = game(corrections=({"datum": "generals.lysimachos.ability.params", "value": params},),
             forces=[army("red", "byzantion", "lysimachos", loyal=3)])
    assert abilities.lowest(g, g.generals["lysimachos"], "evade_target") == 3
    g.generals["lysimachos"].at = "pella"
    assert abilities.lowest(g, g.generals["lysimachos"], "evade_target") == 4


def test_a_subordinate_lends_his_ability_to_nobody() -> None:
    g = game(spaces={"pella": "black"}, forces=[army("red", "pella", "demetrios", "krateros", loyal=3)])
    assert abilities.siege_modifier(g, "pella", "red") == 0
    g.generals["krateros"].at = "lamia"
    assert abilities.siege_modifier(g, "pella", "red") == 1


def test_no_abilities_where_the_rules_have_none() -> None:
    g = game("third", spaces={"pella": "black"}, forces=[army("red", "pella", "demetrios", loyal=3)])
    assert abilities.siege_modifier(g, "pella", "red") == 0


def test_kassandros_leaves_garrisons_in_hellas() -> None:
    given: dict[str, Any] = {"segment": ACTIVATION, "forces": [army("red", "lamia", "kassandros", loyal=1)]}
    for space, after in (("independent", "red"), ("blue", "red"), ("", "")):
        g = game(spaces={"lamia": space or None}, **given)
        abilities.end_of_activation_segment(g)
        assert g.controller("lamia") == after


# --- numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("strength", "roll", "score"), [
    (8, 7, 4), (5, 12, 7), (8, 9, 6), (11, 6, 5), (12, 6, 5), (3, 6, 1), (2, 10, 3), (0, 12, 0), (30, 13, 20), (1, 1, 0)])
def test_battle_table(strength: int, roll: int, score: int) -> None:
    assert battle_score.score_of(game(), strength, roll) == score


def test_the_best_of_several_independents_leads_them() -> None:
    """B36"""
    g = game(forces=[army("independent", "larisa", "philon", "leosthenes", independent=11)])
    lead = battle_score.leader(g, "larisa", "independent")
    assert lead is not None
    assert lead.name == "leosthenes"


def test_siege_points_by_rules() -> None:
    city: dict[str, Any] = {"spaces": {"pella": "black", "elymaioi": "independent", "lamia": "independent"},
            "forces": [army("black", "pella", "minor", loyal=1, loc="inside")]}
    needed = {edition: [siege.needed(game(edition, **city), space) for space in ("pella", "elymaioi", "lamia")]
              for edition in ("fourth", "draft", "third")}
    assert needed == {"fourth": [3, 2, 1], "draft": [2, 3, 1], "third": [2, 3, 1]}


def test_prestige_of_independents_is_none() -> None:
    g = game(forces=[{"owner": "independent", "general": "leosthenes", "at": "lamia", "cus": {"independent": 6}}])
    g.popularity["leosthenes"] = 3
    assert prestige.prestige(g, "lamia", "independent") == 0
