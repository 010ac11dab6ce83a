"""What the texts say about cards, generals, tables and fleets, line by line, held against the data.

tests/data/table-constraints.yaml names file and section for each line; it keeps superseded ones.
Tables are read as the engine reads them (facts), the rest as the YAML has it, 3rd edition values included.
"""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from pbem.components.catalogue import facts
from pbem.components.sources import files

CONSTRAINTS = yaml.load((Path(__file__).parent / "data" / "table-constraints.yaml").read_bytes(),
                        yaml.CSafeLoader)["constraints"]
ACTIVE = [c for c in CONSTRAINTS if c.get("status") != "superseded"]
TABLES = facts().tables
RAW = files()["tables"]
CARDS = files()["cards"]["cards"]
CARD = {c["id"]: c for c in CARDS}
GENERAL = {g["id"]: g for g in files()["generals"]["major_generals"]}
MINORS = files()["generals"]["minor_generals"]
ARMY = {a["id"]: a for a in files()["generals"]["independent_armies"]}
FLEET = {f["id"]: f for f in files()["fleets"]["fleets"]}
CHECKS = {}


def check(function):
    CHECKS[function.__name__.removeprefix("check_")] = function
    return function


@pytest.mark.parametrize("constraint", ACTIVE, ids=lambda c: c["id"])
def test_data_agree_with_the_texts(constraint):
    assert CHECKS[constraint["kind"]](constraint["args"], editions(constraint)), constraint["quote_ref"]


def test_constraints_are_well_formed():
    assert [i for i, n in Counter(c["id"] for c in CONSTRAINTS).items() if n > 1] == []
    assert {c["edition"] for c in CONSTRAINTS} == {"4", "3", "both", "draft4"}
    assert {c["confidence"] for c in CONSTRAINTS} <= {"high", "medium", "low"}
    assert {c.get("status", "active") for c in CONSTRAINTS} == {"active", "superseded"}


def editions(constraint):
    """Which editions' data a constraint speaks about; the draft stands for the 4th."""
    wanted = constraint.get("check", constraint["edition"])
    return {"both": ["4", "3"], "draft4": ["4"]}.get(wanted, [wanted])


# --- reading tables -----------------------------------------------------------------------------------------

def column(table, count):
    return next(c for c in TABLES[table]["columns"]
                if c["min"] <= count and (c["max"] is None or count <= c["max"]))


def spans(table):
    return [(c["min"], c["max"]) for c in TABLES[table]["columns"]]


def battle_score(strength, roll):
    if strength <= 0:
        return TABLES["battle"]["strength_zero_score"]
    return column("battle", strength)["scores"][max(2, min(12, roll)) - 2]


def attrition_result(count, roll):
    return column("attrition", count)["results"][max(1, min(6, roll)) - 1]


def losses(result):
    return int(re.sub(r"\D", "", result) or 0)


def siege_row(modified):
    return next(r for r in TABLES["siege"]["rows"] if (r["min"] is None or r["min"] <= modified)
                and (r["max"] is None or modified <= r["max"]))


def elephant(roll):
    return TABLES["elephant_die"]["faces"][roll - 1]


def movement_points(initiative, roll):
    return TABLES["movement"]["rows"][initiative][roll - 1]


def rises(rows):
    """Never less with a better roll, nor in a higher column."""
    return (all(row == sorted(row) for row in rows)
            and all(x <= y for low, high in pairwise(rows) for x, y in zip(low, high, strict=True)))


def dig(data, path):
    for key in path.split("."):
        data = data[key]
    return data


# --- tables -------------------------------------------------------------------------------------------------

@check
def check_battle_score(a, _):
    return battle_score(a["strength"], a["roll"]) == a["score"]


@check
def check_battle_max(a, _):
    return max(battle_score(a["strength"], roll) for roll in range(2, 13)) == a["score"]


@check
def check_battle_column(a, _):
    return (a["min"], a["max"]) in spans("battle")


@check
def check_battle_zero(a, _):
    return all(battle_score(0, roll) == a["score"] for roll in range(2, 13))


@check
def check_battle_monotone(a, _):
    return rises([c["scores"] for c in TABLES["battle"]["columns"]])


@check
def check_score_ratio_spares_cu(a, _):
    return (a["winner"] >= 2 * a["loser"]) == a["spared"]


@check
def check_battle_rating(a, of):
    rating = a.get("rating") or general_value(a["rating_of"], "battle", of[0])
    return sum(max(die, rating) for die in a["dice"]) == a["sum"]


@check
def check_battle_strength(a, _):
    strength = RAW["combat_strength"]
    total = sum(strength[cu] * n for cu, n in a["cus"].items()) + a["local"]
    total += sum(map(elephant, a.get("elephant_dice", []))) + sum(a.get("elephant_strengths", []))
    return total == a["total"]


@check
def check_local_troops(a, _):
    points = TABLES["local_troops"]["space"] * a["space"] + TABLES["local_troops"]["province"] * a["province"]
    return points * a["factor"] == a["points"]


@check
def check_combat_strength(a, _):
    return RAW["combat_strength"][a["cu"]] == a["strength"]


@check
def check_elephant(a, _):
    return elephant(a["roll"]) == a["strength"]


@check
def check_elephant_faces(a, _):
    return set(a["contains"]) <= set(TABLES["elephant_die"]["faces"])


@check
def check_attrition(a, _):
    return losses(attrition_result(a["count"], a["roll"])) == a["losses"]


@check
def check_attrition_result(a, _):
    return attrition_result(a["count"], a["roll"]) == a["result"]


@check
def check_attrition_column(a, _):
    return (a["count"], a["count"]) in spans("attrition")


@check
def check_attrition_special(a, _):
    rules = [rule for rule in TABLES["attrition"]["special"] if a["when"] in rule["when"]]
    key = "dash_reads" if "dash_reads" in a else "column"
    return any(rule.get(key) == a[key] for rule in rules)


@check
def check_attrition_has_e(a, _):
    return any("e" in result for c in TABLES["attrition"]["columns"] for result in c["results"])


@check
def check_attrition_has_dash(a, _):
    return any("-" in c["results"] for c in TABLES["attrition"]["columns"])


@check
def check_attrition_monotone(a, _):
    return rises([[losses(result) for result in c["results"]] for c in TABLES["attrition"]["columns"]])


@check
def check_siege(a, _):
    row = siege_row(a["modified"])
    return row["points"] == a["points"] and row["loss"] == a.get("loss", row["loss"])


@check
def check_siege_min(a, _):
    return siege_row(a["modified"])["points"] >= a["points"]


@check
def check_siege_row(a, _):
    return any((row["points"], row["loss"]) == (a["points"], a["loss"]) for row in TABLES["siege"]["rows"])


@check
def check_siege_run(a, _):
    """A whole siege: enough CUs at every roll, and done at the roll that the text says."""
    cus, points = a["start_cus"], 0
    for step, roll in enumerate(a["rolls"], 1):
        if cus < a["min_cus"]:
            return False
        row = siege_row(roll)
        points, cus = points + row["points"], cus - row["loss"]
        if points >= a["needed"]:
            return step == a["done_at"]
    return False


@check
def check_siege_modifier(a, of):
    found = next(m for m in TABLES["siege"]["modifiers"] if m["key"] == a["key"])
    return found["value"] == a["value"] and found["edition"] in ("both", *of)


@check
def check_siege_points_needed(a, of):
    return all(TABLES["siege"]["points_needed"][int(e)][a["target"]] == a["points"] for e in of)


@check
def check_siege_general(a, _):
    return TABLES["siege"][a["field"]] == a["value"]


@check
def check_unrest(a, _):
    return a["province"] in RAW["unrest_table"]["rows"][a["roll"] - 2]["provinces"]


@check
def check_unrest_reroll(a, _):
    return [row["roll"] for row in TABLES["unrest"]["rows"] if row["reroll"]] == [a["roll"]]


@check
def check_unrest_some_pair(a, _):
    return any(len(row["provinces"]) == 2 for row in TABLES["unrest"]["rows"])


@check
def check_unrest_contains(a, _):
    return any(a["province"] in row["provinces"] for row in RAW["unrest_table"]["rows"])


@check
def check_movement(a, _):
    return movement_points(a["initiative"], a["roll"]) == a["mps"]


@check
def check_general_movement(a, of):
    def initiative(edition):
        if a["general"] == "minor":
            return TABLES["minor_general"]["initiative"]
        return general_value(a["general"], "initiative", edition)
    return all(movement_points(initiative(e), a["roll"]) == a["mps"] for e in of)


@check
def check_value(a, _):
    return dig(RAW, a["path"]) == a["value"]


@check
def check_generals_value(a, _):
    return dig(files()["generals"], a["path"]) == a["value"]


@check
def check_commander_loss_case(a, _):
    deadly = TABLES["commander_loss"]["killed_on"]["won_or_drew" if a["won"] else "lost"]
    return (a["roll"] in deadly) == a["killed"]


@check
def check_legitimacy_sum(a, _):
    return sum(TABLES["legitimacy_values"][i] for i in a["items"]) == a["total"]


@check
def check_prestige_sum(a, _):
    return a["legitimacy"] + sum(TABLES["popularity_values"][i] for i in a["popularity"]) == a["total"]


@check
def check_vp_chain(a, _):
    return sum(a["provinces"].values()) == a["end"]


@check
def check_text_variant(a, _):
    return any(v["key"] == a["key"] and v["reading"] for v in RAW["text_variants"])


# --- cards --------------------------------------------------------------------------------------------------

def cards_named(name, edition="4"):
    if edition == "3":
        return [c for c in CARDS if c["third_edition"] and c["third_edition"]["name"] == name]
    return [c for c in CARDS if c["name"] == name]


def card_value(card, field, edition):
    return card["third_edition"][field] if edition == "3" else card[field]


def every(name, holds, edition="4"):
    """Is there such a card, and does this hold for all copies?"""
    named = cards_named(name, edition)
    return bool(named) and all(holds(c) for c in named)


def same(a, of, field, wanted):
    return all(every(a["name"], lambda c, e=e: card_value(c, field, e) == wanted, e) for e in of)


@check
def check_deck_count(a, _):
    groups = {"all": CARDS, "optional": [c for c in CARDS if c["optional"]],
              "basic": [c for c in CARDS if not c["optional"]],
              "first_deck": [c for c in CARDS if c["in_deck_at"] == "start"]}
    return len(groups[a["what"]]) == a["count"]


@check
def check_deck_kind_count(a, _):
    return sum(c["kind"] == a["kind"] for c in CARDS if c["in_deck_at"] == "start") == a["count"]


@check
def check_deck_value(a, _):
    return dig(files()["cards"], a["path"]) == a["value"]


@check
def check_highest_basic_number(a, _):
    return max(int(re.match(r"\d+", c["number"])[0]) for c in CARDS if not c["optional"]) == a["number"]


@check
def check_card_exists(a, of):
    return all(cards_named(a["name"], e) for e in of)


@check
def check_card_number(a, of):
    if "name" not in a:
        return a["number"] in CARD
    return all(any(card_value(c, "number", e) == a["number"] for c in cards_named(a["name"], e)) for e in of)


@check
def check_card_name_contains(a, _):
    return a["text"] in CARD[a["number"]]["name"]


@check
def check_third_only_number(a, _):
    return (a["name"], a["number"]) in [(c["name"], c["number"]) for c in TABLES["third_edition"]["cards"]]


@check
def check_card_ops(a, of):
    return same(a, of, "ops", a["ops"])


@check
def check_card_kind(a, of):
    return same(a, of, "kind", a["kind"])


@check
def check_card_not_kind(a, of):
    return all(card_value(c, "kind", e) != a["kind"] for e in of for c in cards_named(a["name"], e))


@check
def check_card_kind_by_id(a, _):
    return CARD[a["id"]]["kind"] == a["kind"]


@check
def check_card_revealed(a, _):
    listed = a["name"] in TABLES["rounds_and_hands"]["reveal_names"]
    return listed and every(a["name"], lambda c: c["resolved_when_revealed"])


@check
def check_card_copies(a, of):
    return all(len(cards_named(a["name"], e)) == a["count"] for e in of)


@check
def check_card_copies_min(a, of):
    return all(len(cards_named(a["name"], e)) >= a["count"] for e in of)


@check
def check_card_optional(a, _):
    return every(a["name"], lambda c: c["optional"])


@check
def check_card_timing(a, _):
    return every(a["name"], lambda c: a["window"] in c["timing"])


@check
def check_card_timing_by_id(a, _):
    return a["window"] in CARD[a["id"]]["timing"]


@check
def check_card_param(a, _):
    return every(a["name"], lambda c: a["param"] in c["params"] and c["params"][a["param"]] == a["value"])


@check
def check_card_param_length(a, _):
    return every(a["name"], lambda c: len(c["params"][a["param"]]) == a["length"])


@check
def check_card_param_min(a, _):
    return every(a["name"], lambda c: c["params"][a["param"]] >= a["min"])


@check
def check_card_needs_own_pc(a, _):
    return every(a["name"], lambda c: c["params"]["spaces"]["needs_own_pc"] is True)


@check
def check_card_param_by_id(a, _):
    params = CARD[a["id"]]["params"]
    return a["param"] in params and params[a["param"]] == a["value"]


@check
def check_olympias_epeiros_cus(a, _):
    return any(o["place"] == "Epeiros" and o["cus"] == a for o in CARD["36"]["params"]["options"])


@check
def check_card_provinces(a, _):
    return every(a["name"], lambda c: set(c["params"]["spaces"]["provinces"]) == set(a["provinces"]))


@check
def check_card_removed(a, of):
    return same(a, of, "remove_after_event", True)


@check
def check_card_removed_by_id(a, _):
    return CARD[a["id"]]["remove_after_event"] is True


@check
def check_card_must_play(a, _):
    return CARD[a["id"]]["must_play"] is True


@check
def check_card_cavalry(a, _):
    return every(a["name"], lambda c: a["contains"] in c.get("cavalry_rule", ""))


@check
def check_card_alias(a, _):
    return every(a["name"], lambda c: c["aliases"].get(a["lang"]) == a["alias"])


# --- generals and armies ------------------------------------------------------------------------------------

def general_value(general, field, edition):
    if edition == "3" and field in ("initiative", "battle", "rank_stars", "prestige"):
        return GENERAL[general]["third_edition"][field]
    return GENERAL[general][field]


def stars(general):
    return general_value(general, "rank_stars", "3")


@check
def check_general(a, of):
    return all(general_value(a["id"], a["field"], e) == a["value"] for e in of)


@check
def check_general_in(a, of):
    return all(general_value(a["id"], a["field"], e) in a["values"] for e in of)


@check
def check_general_better(a, _):
    return (general_value(a["id"], "initiative", "3") < a["than_initiative"]
            or general_value(a["id"], "battle", "3") > a["than_battle"])


@check
def check_general_same(a, of):
    return all(general_value(a["a"], field, e) == general_value(a["b"], field, e)
               for field in ("initiative", "battle") for e in of)


@check
def check_rank_equal(a, _):
    return stars(a["a"]) == stars(a["b"])


@check
def check_rank_above(a, _):
    return stars(a["a"]) > stars(a["b"])


@check
def check_general_order(a, _):
    return all(GENERAL[high]["seniority"] > GENERAL[low]["seniority"] for high, low in pairwise(a["ids"]))


@check
def check_general_seniority_set(a, _):
    return sorted(g["seniority"] for g in GENERAL.values()) == list(range(a["min"], a["max"] + 1))


@check
def check_general_count(a, _):
    return len(GENERAL) == a["count"]


@check
def check_general_group(a, _):
    return {g for g in GENERAL if GENERAL[g]["group_by_players"][a["players"]] == a["group"]} == set(a["ids"])


@check
def check_general_setup(a, _):
    setup = GENERAL[a["id"]]["setup"]
    return all(setup[field] == value for field, value in a.items() if field != "id")


@check
def check_general_recruit(a, _):
    recruit = GENERAL[a["id"]]["recruit"]
    return (recruit["cus"], recruit["preferred"]) == (a["cus"], a["preferred"])


@check
def check_general_ability(a, _):
    ability = GENERAL[a["id"]]["ability"]
    return ability["key"] == a["key"] and ability["params"].get(a["param"]) == a["value"]


@check
def check_minor_ratings(a, _):
    return all(m[field] == value for m in MINORS for field, value in a.items())


@check
def check_minor_count(a, _):
    per_faction = Counter(m["faction"] for m in MINORS)
    return len(MINORS) == a["total"] and set(per_faction.values()) == {a["per_faction"]}


@check
def check_minor_name(a, _):
    return any(m["name"] == a["name"] and a["faction"] in (None, m["faction"]) for m in MINORS)


@check
def check_independent_count(a, _):
    return len(ARMY) == a["count"]


@check
def check_independent(a, _):
    return ARMY[a["id"]][a["field"]] == a["value"]


@check
def check_independent_strength_vs(a, _):
    return ARMY[a["id"]]["cus"] * TABLES["strength"]["independent"] == a["opponent"]


@check
def check_independent_digits(a, _):
    army = ARMY[a["id"]]
    return sorted(army[field] for field in ("initiative", "battle", "cus")) == sorted(a["digits"])


@check
def check_independent_start(a, _):
    return ARMY[a["id"]]["start"]["space"] == a["space"]


@check
def check_independent_card(a, _):
    return CARD[ARMY[a["id"]]["activation_card"]]["params"]["army"] == a["army_param"]


@check
def check_independent_restriction(a, _):
    return ARMY[a["id"]]["restriction"]["key"] == a["key"]


# --- fleets -------------------------------------------------------------------------------------------------

def fleet_side(fleet, side, edition):
    return FLEET[fleet]["third_edition"][side] if edition == "3" else FLEET[fleet][side]


@check
def check_fleet_count(a, _):
    return len(FLEET) == a["count"]


@check
def check_fleet(a, _):
    return FLEET[a["id"]][a["field"]] == a["value"]


@check
def check_fleet_sum(a, of):
    return all(sum(fleet_side(f, a["side"], e) for f in a["ids"]) == a["value"] for e in of)


@check
def check_fleet_sum_max(a, of):
    return all(sum(fleet_side(f, a["side"], e) for f in a["ids"]) <= a["value"] for e in of)


@check
def check_fleet_control(a, _):
    return FLEET[a["id"]]["control"] == {"type": a["type"], "place": a["place"]}


@check
def check_fleet_upgrade_higher(a, _):
    return all(f["upgraded"] > f["normal"] for f in FLEET.values())


@check
def check_fleet_pontic_third(a, _):
    return TABLES["third_edition"]["fleets"][0]["counts_for_largest_fleet"] is a["counts"]


# --- the YAML files themselves ------------------------------------------------------------------------------

def sources_below(node):
    if isinstance(node, dict):
        if "src" in node:
            yield node["src"]
        node = list(node.values())
    for value in node if isinstance(node, list) else []:
        yield from sources_below(value)


@pytest.mark.parametrize("name", ["cards", "generals", "tables", "fleets", "royals"])
def test_every_source_is_of_a_known_kind(name):
    body = {key: value for key, value in files()[name].items() if key != "sources"}
    assert set(sources_below(body)) <= {"seed", "public", "recalled", "reconstructed", "box"}


def test_card_numbers():
    wanted = [str(n) for n in range(1, 60) if n != 47] + ["47A", "47B"] + [f"O{n}" for n in range(60, 70)]
    assert sorted(CARD) == sorted(wanted)


@pytest.mark.parametrize("card", CARDS, ids=lambda c: c["id"])
def test_card_is_complete(card):
    assert card["effect"] and card["effect_key"] and card["timing"]
    assert set(card["timing"]) <= set(files()["cards"]["vocabulary"]["timing"])
    assert card["optional"] == card["id"].startswith("O")
    assert card["kind"] != "surprise" or "own_tyche_segment" not in card["timing"]
    assert {"name", "number", "kind", "ops", "effect"} <= set(card["prov"])
    assert all(set(choice) == {"by", "pick", "from"} for choice in card["choices"])
    if card["third_edition"]:
        assert {"number", "kind", "ops", "effect"} <= set(card["third_edition"]["prov"])


def test_copies_are_alike_and_say_why_they_are_there():
    for name in {c["name"] for c in CARDS} - {"Silver Shields"}:
        first, *further = cards_named(name)
        assert all("copy" in card["prov"] for card in further), name
        alike = ("kind", "ops") if name == "Unrest" else ("kind", "ops", "effect")
        assert all(card[field] == first[field] for card in further for field in alike), name


def test_guessed_abilities_are_off_until_confirmed():
    guessed = [g["id"] for g in GENERAL.values() if g["ability"]["src"] in ("reconstructed", "recalled")]
    assert guessed and not any(GENERAL[g]["ability"]["on_by_default"] for g in guessed)


def test_generals_have_what_their_group_needs():
    needed = {"starting": "setup", "reserve": "recruit", "event": "entry"}
    for general in GENERAL.values():
        wanted = {needed[group] for group in general["group_by_players"].values() if group in needed}
        assert wanted <= set(general), general["id"]


def test_known_cells_of_the_battle_table():
    for cell in RAW["battle_table"]["prov"]["cells_known"]:
        known = next(c for c in TABLES["battle"]["columns"] if c["label"] == cell["column"])
        assert known["scores"][cell["roll"] - 2] == cell["score"]


def test_siege_table_never_falls_with_a_better_roll():
    points = [siege_row(modified)["points"] for modified in range(-3, 14)]
    assert points == sorted(points)


@pytest.mark.parametrize("initiative", [2, 3, 4])
def test_movement_table_says_the_same_as_its_rule(initiative):
    below, equal, above = 2, 3, 4
    assert [movement_points(initiative, die) for die in range(1, 7)] == [
        below if die < initiative else equal if die == initiative else above for die in range(1, 7)]


def test_elephant_die_is_the_die_less_two():
    assert [elephant(die) for die in range(1, 7)] == [max(0, die - 2) for die in range(1, 7)]
