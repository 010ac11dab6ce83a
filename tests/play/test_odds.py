"""Odds: every one of them counted a second time, by rolling all dice that there are."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from small_game import MARCH, again, found
from small_position import Dice, army, stated

from pbem.desk.posing import question_text
from pbem.dev.positions import random_position
from pbem.dev.stages import Bare
from pbem.play import odds
from pbem.rules import battle_score, prestige, siege
from pbem.table import position
from pbem.table.state import Activation, Battle, Game, Unit, Way
from pbem.telling import views


def game(*forces, edition="fourth", options=(), **given) -> Game:
    return stated({"turn": 2, "segment": {"player": "red", "kind": "activation"}, "champions": {"red": False},
                   "forces": list(forces), **given}, edition=edition, options=options)


def test_what_is_supposed_changes_nothing_and_knows_nothing_hidden():
    g = game(army("red", "lamia", "seleukos", loyal=3), army("blue", "sardeis", "lysimachos", loyal=2))
    g.chance = Dice([1])
    before = position.fingerprint(g)
    there = odds.supposed(g)
    assert position.fingerprint(there) == before and there.generals["seleukos"] is not g.generals["seleukos"]
    there.generals["seleukos"].at = "larisa"
    there.remove("lamia", "red", {Unit("loyal"): 1})
    there.champion["red"] = not there.champion["red"]
    assert position.fingerprint(g) == before != position.fingerprint(there)
    assert [one.name for one in there.stands["larisa"]] == ["seleukos"] and not g.stands.get("larisa")
    assert (there.chance, there.secret, there.events) == (None, None, []) and g.chance is not None
    assert there.facts is g.facts and there.board is g.board and there.rules is g.rules


def rolled(g, attacker, defender, at, apart=()):
    """Win, draw, lose and the commanders' deaths, from the engine's own rolls: 1,296 battles without elephants."""
    outcome, falls = Counter(), [Fraction(0), Fraction(0)]
    joined = Battle(at, attacker, defender)
    joined.apart.update(apart)
    joined.elephants = {attacker: [], defender: []}
    for dice in product(range(1, 7), repeat=4):
        g.chance = Dice(dice)
        for side in (attacker, defender):
            battle_score.roll_battle(g, joined, side)
        winner = battle_score.winner_of(joined)
        outcome[winner] += 1
        for place, side in enumerate((attacker, defender)):
            lead = g.commander(at, side)
            if joined.total[side] == 9 and lead is not None and not lead.minor and side in g.seats:
                falls[place] += Fraction(2 if winner == joined.other(side) else 1, 6 * 1296)
    g.chance = None
    return tuple(Fraction(outcome[side], 1296) for side in (attacker, "", defender)), tuple(falls)


# --- battle ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forces", [
    (army("red", "lamia", "krateros", loyal=4, mercenary=2), army("blue", "lamia", "lysimachos", loyal=3)),
    (army("red", "lamia", "minor", mercenary=3), army("blue", "lamia", "kassandros", loyal=1, mercenary=4)),
    (army("red", "lamia", "demetrios", "antigonos", loyal=9), army("independent", "lamia", "leosthenes", independent=3)),
])
def test_a_battle_is_what_1296_battles_make_of_it(forces):
    g = game(*forces)
    other = forces[1]["owner"]
    wanted, falls = rolled(game(*forces), "red", other, "lamia")
    assert tuple(odds.battle(g, "red", other, "lamia")) == wanted and sum(wanted) == 1
    assert odds.commander_loss(g, "red", other, "lamia") == falls


def test_local_troops_help_and_a_failed_evasion_costs_them():
    forces = army("red", "pella", "krateros", loyal=3), army("blue", "pella", "lysimachos", loyal=3)
    g = game(*forces, spaces={"pella": "blue"})
    plain = odds.battle(game(*forces), "red", "blue", "pella")
    assert odds.battle(g, "red", "blue", "pella").win < plain.win
    g.activation = Activation("krateros", "red", "larisa", frozenset(), None)
    g.activation.evaders.add("blue")
    assert odds.battle(g, "red", "blue", "pella") == plain


def test_royal_cus_stand_aside_where_prestige_is_lower():
    forces = army("red", "lamia", "krateros", loyal=2, royal=3), army("blue", "lamia", "lysimachos", loyal=4)
    g = game(*forces, champions={"red": False, "blue": True})
    assert prestige.prestige(g, "lamia", "red") < prestige.prestige(g, "lamia", "blue", defending=True)
    without = game(army("red", "lamia", "krateros", loyal=2), forces[1], champions={"red": False, "blue": True})
    assert odds.battle(g, "red", "blue", "lamia") == odds.battle(without, "red", "blue", "lamia")


def test_prestige_is_weighed_after_the_attack_has_cost_the_champion_his_status():
    """10 H comes before 14.4: six points while he is a Champion, three when the battle begins."""
    forces = army("red", "lamia", "krateros", loyal=2, royal=3), army("blue", "lamia", "lysimachos", loyal=4)
    both = game(*forces, champions={"red": True, "blue": True})
    red = game(*forces, champions={"red": False, "blue": True})
    assert odds.battle(both, "red", "blue", "lamia") == odds.battle(red, "red", "blue", "lamia")
    assert both.champion["red"]


def test_an_overrun_is_no_battle():
    g = game(army("red", "lamia", "krateros", loyal=5), army("blue", "lamia", "minor", mercenary=1))
    assert odds.outlook(g, "red", "blue", "lamia") == odds.Outlook(odds.SURE, 0, 0, "overrun")


def test_nothing_but_royal_cus_go_over():
    g = game(army("red", "lamia", "krateros", royal=3), army("blue", "lamia", "lysimachos", loyal=4),
             champions={"red": False, "blue": True})
    assert odds.outlook(g, "red", "blue", "lamia") == odds.Outlook(odds.HOPELESS, 0, 0, "desertion")


def test_a_running_battle_counts_what_cards_and_dice_have_done():
    g = game(army("red", "lamia", "krateros", loyal=2, elephant=2), army("blue", "lamia", "lysimachos", loyal=4))
    g.battle = Battle("lamia", "red", "blue")
    before = odds.battle(g, "red", "blue", "lamia")
    g.battle.elephants["red"] = [4, 4]
    best = odds.battle(g, "red", "blue", "lamia")
    g.battle.elephants["red"] = [0, 0]
    worst = odds.battle(g, "red", "blue", "lamia")
    del g.battle.elephants["red"]
    g.battle.harmless.add("red")
    assert worst.win < before.win < best.win and odds.battle(g, "red", "blue", "lamia") == worst
    g.battle.bonus["red"] = 2
    assert odds.battle(g, "red", "blue", "lamia").win > worst.win


# --- elephants ---------------------------------------------------------------------------------------------------

FACES = (0, 0, 1, 2, 3, 4)


def test_elephants_are_counted_die_by_die():
    totals = Counter(sum(faces) for faces in product(FACES, repeat=3))
    found = Counter()
    for herd, ways in odds.herds(game(), 3, 0).items():
        found[sum(herd)] += ways
    assert found == totals


def test_who_may_roll_his_weakest_elephant_again_does_so_below_the_mean():
    totals = Counter()
    for first, second, new in product(FACES, repeat=3):
        weak, strong = sorted((first, second))
        totals[strong + (new if weak < Fraction(10, 6) else weak)] += 1
    found = Counter()
    for herd, ways in odds.herds(game(), 2, 1).items():
        found[sum(herd)] += ways
    assert found == totals


def test_elephants_mix_into_the_odds():
    forces = army("red", "lamia", "krateros", loyal=2, elephant=1), army("blue", "lamia", "lysimachos", loyal=3)
    g, mean = game(*forces), Counter()
    for face in FACES:
        there = game(*forces)
        there.battle = Battle("lamia", "red", "blue")
        there.battle.elephants["red"] = [face]
        mean.update(dict(zip("wdl", odds.battle(there, "red", "blue", "lamia"), strict=True)))
    assert tuple(odds.battle(g, "red", "blue", "lamia")) == tuple(mean[key] / 6 for key in "wdl")


# --- one die, sea, siege -----------------------------------------------------------------------------------------


def test_interception_needs_more_than_the_rating_or_what_an_ability_says():
    g = game(army("red", "larisa", "eumenes", loyal=2), army("blue", "pella", "lysimachos", loyal=2))
    assert odds.intercept(g, "eumenes", "lamia") == Fraction(4, 6)
    rating = g.generals["lysimachos"].initiative
    assert odds.intercept(g, "lysimachos", "larisa") == Fraction(6 - rating, 6)


def test_evasion_is_hopeless_without_a_way_out():
    g = game(army("red", "lamia", "krateros", loyal=2), army("blue", "lamia", "lysimachos", loyal=1))
    way = Way("krateros", "red", "larisa", "lamia", "land")
    assert odds.evade(g, "lysimachos", way) == Fraction(4, 6)               # his ability: a 3 is enough
    for space in g.board.land_paths("lamia"):
        g.set_pc(space, "red")
    assert odds.evade(g, "lysimachos", way) == 0


def test_a_naval_battle_is_what_1296_make_of_it():
    g, outcome = game(), Counter()
    for one, two, three, four in product(range(1, 7), repeat=4):
        mine, theirs = battle_score.score_of(g, 4, one + two), battle_score.score_of(g, 3, three + four)
        outcome[(mine > theirs) - (mine < theirs)] += 1
    assert tuple(odds.naval(g, 4, 3)) == tuple(Fraction(outcome[sign], 1296) for sign in (1, 0, -1))
    assert odds.naval(g, 0, 0).draw == 1


def besieged(points, cus, rolls, needed, bonus, g):
    """The same by plain recursion."""
    if not rolls or cus < 3:
        return Fraction(0)
    share = Fraction(0)
    for die in range(1, 7):
        gained, loss = siege.result_of(g, die + bonus)
        fallen = points + gained >= needed
        share += Fraction(1, 6) * (1 if fallen else besieged(points + gained, cus - loss, rolls - 1, needed, bonus, g))
    return share


@pytest.mark.parametrize("cus", [2, 3, 4, 9])
@pytest.mark.parametrize("general", ["krateros", "demetrios"])
def test_a_siege_ends_with_the_third_point_or_with_the_third_cu(cus, general):
    g = game(army("red", "pella", general, loyal=cus), spaces={"pella": "blue"})
    bonus = sum(value for _, value in siege.modifiers(g, "red", "pella"))
    wanted = tuple(besieged(0, cus, rolls, siege.needed(g, "pella"), bonus, g) for rolls in range(1, 5))
    assert odds.siege(g, "red", "pella") == wanted


def test_a_siege_goes_on_from_the_points_there_are():
    forces = army("red", "pella", "krateros", loyal=5)
    fresh = odds.siege(game(forces, spaces={"pella": "blue"}), "red", "pella")
    g = game(forces, spaces={"pella": "blue"}, siege_points={"pella": {"by": "red", "points": 2}})
    assert odds.siege(g, "red", "pella")[0] > fresh[0] and g.siege_points["pella"] == ("red", 2)
    g.siege_points["pella"] = ("yellow", 2)                         # 15.2 B another's points are no help
    assert odds.siege(g, "red", "pella") == fresh


def test_a_traitor_opens_the_gate_once():
    g = game(army("red", "pella", "krateros", loyal=9), spaces={"pella": "blue"})
    plain = odds.siege(g, "red", "pella")
    g.traitor = "red"
    helped = odds.siege(g, "red", "pella")
    assert helped[0] > plain[0] and helped[0] < 1 and g.traitor == "red"


def test_royal_cus_inside_go_over_and_carry_on_the_siege():
    """7.2 F With one more CU the besieger can afford the 1 that costs him one."""
    inside = {"owner": "blue", "at": "pella", "loc": "inside", "cus": {"royal": 1}}
    forces = army("red", "pella", "krateros", loyal=3)
    loyal = odds.siege(game(forces, {**inside, "cus": {"loyal": 1}}, spaces={"pella": "blue"}, champions={"blue": False}),
                       "red", "pella")
    royal = odds.siege(game(forces, inside, spaces={"pella": "blue"}, champions={"blue": False}), "red", "pella")
    assert royal[0] == loyal[0] and royal[2] > loyal[2]


# --- in all positions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_odds_change_nothing_and_add_up(seed):
    rng = Random(f"odds {seed}")
    stage = Bare(random_position(rng, 2 + seed % 4), str(seed))
    g, table = stage.g, stage.table
    for _ in range(25):
        question = table.question
        if question is None or question.sides == ("moderator",):
            break
        before, told = position.fingerprint(g), len(g.events)
        for side in question.sides:
            for row in odds.of_question(g, question, side):
                assert 0 <= row["facts"].get("win", 0) <= 1 - row["facts"].get("draw", 0)
        assert (position.fingerprint(g), len(g.events)) == (before, told)
        for at in list(g.cus):
            sides = g.sides_with_cus(at)
            if len(sides) > 1:
                assert sum(odds.battle(g, sides[0], sides[1], at)) == 1
        table.answer({side: question.sample(side, rng) for side in question.sides})


# --- told --------------------------------------------------------------------------------------------------------


def test_a_question_tells_the_odds_of_the_one_who_reads(at_window):
    g, question = at_window.match.g, at_window.match.question
    (row,) = odds.of_question(g, question, "blue")
    assert (row["key"], row["facts"]["general"]) == ("arrives", "lysimachos")
    assert "Lysimachos with everything, if he arrives" in question_text(at_window, "blue")
    assert odds.of_question(g, question, "red") == []
    assert views.view(g, "red", question)["odds"] == [] and "odds" not in views.view(g, None, question)


def test_the_odds_of_a_question_come_from_the_published_log_alone(at_window, tmp_path):
    open_, closed = again(tmp_path / "g", published=True), at_window
    for seat in closed.match.question.sides:
        assert odds.of_question(open_.match.g, open_.match.question, seat) == odds.of_question(
            closed.match.g, closed.match.question, seat)


def test_who_may_back_off_is_told_what_standing_would_mean(at_window):
    at_window.order("blue", "intercept Lysimachos with all")
    at_window.order("yellow", "pass", throws=[(6, "")], reason="a test")
    assert at_window.match.question.kind == "withdrawal"
    (row,) = odds.of_question(at_window.match.g, at_window.match.question, "red")
    assert (row["key"], row["facts"]["foe"]) == ("fights", "blue")


def test_sieges_that_may_be_ordered_are_told_with_their_chances(tmp_path):
    desk = found(tmp_path / "g", {**MARCH, "spaces": {"pella": "blue"}, "mp": {"antigonos": 4}, "forces": [
        army("red", "pella", "antigonos", loyal=5)]})
    (row,) = odds.of_question(desk.match.g, desk.match.question, "red")
    assert row["facts"]["space"] == "pella" and row["facts"]["falls"][0] < row["facts"]["falls"][3]
    assert "Siege of Pella: it falls at once" in question_text(desk, "red")
