"""Set-up, phases, reinforcements, burial and the end of the game, where the rulebook's own cases leave a gap."""

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest
from small_position import BOARD, FACTS, SEATS, Dice, holds, stated, table, told

from pbem.base.errors import Refused
from pbem.cards import EFFECTS
from pbem.chance.hidden import Hidden
from pbem.kernel.procedures import Table
from pbem.orders import Order, Pieces
from pbem.rules import end_game, isolation, reinforcements, turn_end, victory
from pbem.table import position
from pbem.table.state import DEAD, DISPERSED, Game


class Hands(Hidden):
    """Decks shuffled from a seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(None, {}, ())
        self.seed = seed

    def shuffled(self, name: str, cards: tuple[str, ...]) -> None:
        self.deck, self.hands, self.face_down = sorted(cards), {}, []
        Random(f"{self.seed}|{name}").shuffle(self.deck)


def game(players: int = 4, *dice: int, rules: str = "fourth", **given: Any) -> Game:
    return stated(given, edition=rules, seats=SEATS[:players], dice=Dice(dice, seed=1))


# --- 4 Setup -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 3), (4, 2), (5, 2)])
def test_everybody_is_dealt_generals_and_places_them(players: int, each: int) -> None:
    """4.4, 4.6 All Starting Generals are dealt, all stand on the map, and totals are what their cards say."""
    g = game(players, phase="setup", turn=1)
    g.secret = Hands(3)
    desk = table(g)
    while desk.question is not None and g.phase == "setup":
        asked = desk.question
        desk.answer({side: asked.read(side, asked.default) for side in asked.sides})
    assert {len(dealt) for dealt in g.dealt.values()} == {each}
    assert sum(kind == "royal" and number for there in g.cus.values() for units in there.values()
               for (kind, _), number in units.items()) == 8
    for seat in g.seats:
        setups = [FACTS.generals[name]["setup"] for name in g.dealt[seat]]
        assert victory.points(g, seat) >= sum(setup["vp"] for setup in setups)
        assert all(g.on_map(g.generals[name]) for name in g.dealt[seat])
    assert g.controller("komana") == g.controller("apollonia") == "independent"
    assert g.turn_order[0] in g.seats and g.turn == 1


def test_five_players_give_back_in_silence_the_junior_general() -> None:
    """4.4 A General given back may come back; everybody has two again, and nobody a third."""
    g = game(5, phase="setup", turn=1)
    desk = table(g)
    assert desk.question is not None and desk.question.kind == "give_back"
    before = dict(g.dealt)
    desk.answer({side: desk.question.read(side, (Order("pass"),)) for side in g.seats})
    assert sorted(name for dealt in g.dealt.values() for name in dealt) == sorted(
        name for dealt in before.values() for name in dealt)
    assert all(before[seat][0] in g.dealt[seat] for seat in g.seats)


def seated(players: int, *named: str, rules: str = "fourth") -> Game:
    """A game whose players have just named these circles, `pass` or colours to the left."""
    g = game(players, phase="setup", turn=1, step="seating", rules=rules)
    desk = table(g)
    if desk.question is not None and desk.question.kind == "seating":
        answers = [Order("pass") if one == "pass" else Order("sit", seating=tuple(one.split())) for one in named]
        desk.answer({side: desk.question.read(side, (answer,)) for side, answer in zip(SEATS, answers, strict=False)})
    return g


def test_more_than_half_of_the_players_choose_the_seating() -> None:
    """4.4 The same circle may be named from any of its seats; Turn Order goes by it from then on (4.6, 5.1 C)."""
    wanted = "blue black red yellow"
    g = seated(4, "red yellow blue black", wanted, "black red yellow blue", "pass")
    assert g.seats == ("red", "yellow", "blue", "black") and told(g, "seated")[0]["votes"] == 3
    assert position.written(g)["seating"] == ["red", "yellow", "blue", "black"]
    assert g.turn_order == ("red", "yellow", "blue", "black")


@pytest.mark.parametrize("named", [("pass",) * 4, ("red yellow blue black", "yellow blue black red", "pass", "pass")])
def test_without_more_than_half_everybody_sits_as_he_signed_up(named: tuple[str, ...]) -> None:
    assert seated(4, *named).seats == SEATS[:4]


def test_a_seating_names_everybody_once() -> None:
    with pytest.raises(Refused, match="seating wanted"):
        seated(3, "red blue blue", "pass", "pass")


def test_two_players_and_the_older_rules_have_no_seats_to_choose() -> None:
    """4.4 Round a table of two there is one way to sit; the draft and the 3rd edition keep the seats."""
    assert told(seated(2), "seated") == told(seated(4, rules="third"), "seated") == []


# --- 3.1 Instant Victory -----------------------------------------------------------------------------------------


def test_a_total_reached_on_game_turn_one_wins_when_game_turn_two_begins() -> None:
    """3.1 Not on Game Turn I (B4)."""
    g = game(4, turn=1, phase="turn_end", adjust={"blue": {"VP": 23}}, spaces={"larisa": "red"})
    assert table(g).question is None
    assert (g.turn, g.over) == (2, {"winner": "blue", "by": "instant-VP"})


def test_of_two_at_once_the_player_whose_turn_it_is_wins() -> None:
    """3.1 The active player first, then Turn Order (B5)."""
    g = game(4, turn=2, segment={"player": "yellow", "kind": "tyche"},
             adjust={"red": {"VP": 23}, "yellow": {"VP": 25}})
    assert table(g).question is None
    assert g.over["winner"] == "yellow"


def test_the_game_ends_on_top_of_an_open_question() -> None:
    """3.1 A ruling that lifts a total over the threshold ends everything; no question is left."""
    g = game(4, turn=2, segment={"player": "red", "kind": "activation"})
    desk = table(g)
    assert desk.question is not None
    position.state(g, {"adjust": {"black": {"L": 15}}})
    desk.interrupt(victory.settling(g))
    assert desk.question is None and desk.over
    assert g.over == {"winner": "black", "by": "instant-L"}


def test_who_comes_near_is_announced() -> None:
    g = game(4, turn=2)
    victory.settle(g)
    position.state(g, {"adjust": {"red": {"L": 13}, "blue": {"VP": 19}}})
    victory.settle(g)
    assert told(g, "threshold") == [{"seat": "red", "what": "L", "left": 2}]


# --- 3.2, 3.4 Regency and tie-breaks -----------------------------------------------------------------------------


def test_the_editions_differ_in_who_comes_of_age_first() -> None:
    for rules, winner in (("fourth", {}), ("draft", {"winner": "red", "by": "regency"})):
        g = game(4, 6, 5, 4, 3, rules=rules, turn=4, phase="preparations", adjust={"red": {"VP": 9}},
                 spaces={"larisa": "red"}, family={"herakles": {"at": "larisa", "owner": "red"}})
        table(g)
        assert g.over == winner


def test_a_tie_that_nothing_breaks_goes_to_the_highest_die() -> None:
    """3.4, B44 Nobody has Makedonia, Macedonians or a Major General: equal dice are rolled again."""
    g = game(3, 4, 4, 2, 5)
    assert end_game.tie_break(g, ["red", "blue"]) == "blue"
    assert [roll["die"] for roll in told(g, "tie_rolled")] == [4, 4, 2, 5]


def test_the_second_tie_breaker_narrows_the_third() -> None:
    """3.4 The most Senior General decides only among those who tie in Macedonian CUs."""
    g = game(3, forces=[
        {"owner": "red", "at": "larisa", "generals": ["peithon"], "cus": {"loyal": 2, "silver": 1}},
        {"owner": "blue", "at": "lamia", "generals": ["eumenes"], "cus": {"royal": 3}},
        {"owner": "yellow", "at": "pella", "generals": ["perdikkas"], "cus": {"mercenary": 9}}])
    assert end_game.tie_break(g, ["red", "blue", "yellow"]) == "red"


# --- 5.2 Reinforcements ------------------------------------------------------------------------------------------


def reinforcing(**given: Any) -> tuple[Game, Table]:
    g = game(4, turn=2, phase="reinforcements", **{"adjust": {"blue": {"L": 9, "VP": 9}}, **given})
    return g, table(g)


def reinforce(desk: Table, at: str, cus: dict[str, int], minor: str | None = None, generals: tuple[str, ...] = ()) -> None:
    question = desk.question
    assert question is not None
    order = Order("reinforce", location=at, pieces=Pieces.of(generals, cus), minor=minor)
    desk.answer({question.sides[0]: question.read(question.sides[0], order)})


def test_two_in_a_space_over_several_orders() -> None:
    """5.2 The limit counts what has been placed there before."""
    _, desk = reinforcing(spaces={"larisa": "red", "lamia": "red"}, dispersed={"red": {"cus": {"loyal": 2}}})
    reinforce(desk, "larisa", {"mercenary": 1})
    with pytest.raises(Refused) as refusal:
        reinforce(desk, "larisa", {"loyal": 2})
    assert (refusal.value.key, refusal.value.facts["room"]) == ("two_cus_per_space", 1)
    reinforce(desk, "larisa", {"loyal": 1})
    reinforce(desk, "lamia", {"loyal": 1, "mercenary": 1})


def test_a_full_map_overflows_under_a_minor_general() -> None:
    """5.2, B12 Two per Province, led, and only what does not fit anywhere else."""
    g, desk = reinforcing(spaces={"larisa": "red"}, dispersed={"red": {"cus": {"loyal": 3}}})
    with pytest.raises(Refused):
        reinforce(desk, "lamia", {"mercenary": 2}, minor="any")
    reinforce(desk, "larisa", {"mercenary": 2})
    with pytest.raises(Refused) as refusal:
        reinforce(desk, "lamia", {"loyal": 3}, minor="any")
    assert refusal.value.key == "two_cus_per_province"
    reinforce(desk, "lamia", {"loyal": 2}, minor="any")
    with pytest.raises(Refused) as refusal:                 # the same Province
        reinforce(desk, "athenai", {"loyal": 1}, minor="any")
    assert refusal.value.key == "two_cus_per_province"
    assert g.kinds("lamia", "red") == Counter(loyal=2)


def test_overflow_without_a_general_is_dispersed_and_told_as_a_price() -> None:
    g, desk = reinforcing()
    question = desk.question
    assert question is not None and question.costs is not None
    order = question.read("red", Order("reinforce", location="larisa", pieces=Pieces.of(cus={"mercenary": 2})))
    assert question.costs("red", order)[0][1] == "costs_dispersed"
    desk.answer({"red": order})
    assert g.dispersed["red"] == Counter(mercenary=2)


def test_where_there_is_no_ground_at_all_reinforcements_are_dispersed() -> None:
    """5.2 In the very rare case."""
    g, desk = reinforcing(provinces=dict.fromkeys(BOARD.provinces, "blue"), forces=[
        {"owner": "blue", "at": space, "cus": {"mercenary": 1}, "generals": []} for space in BOARD.spaces
        if BOARD.is_transit(space)], dispersed={"red": {"generals": ["krateros"]}}, adjust={"blue": {"VP": -200}})
    assert desk.question is not None and desk.question.sides == ("blue",)
    assert g.dispersed["red"]["mercenary"] == 3             # one of them because all tie at 0 VP
    assert g.generals["krateros"].at == DISPERSED


def test_a_major_general_lifts_the_limit_wherever_he_is_placed_first() -> None:
    g, desk = reinforcing(spaces={"larisa": "red"}, dispersed={"red": {"generals": ["krateros"], "cus": {"loyal": 3}}})
    reinforce(desk, "larisa", {}, generals=("krateros",))
    reinforce(desk, "larisa", {"loyal": 3, "mercenary": 2})
    assert g.count("larisa", "red") == 5


def test_a_general_inside_a_besieged_city_takes_nobody_in() -> None:
    holds("5.2", {"turn": 2, "phase": "reinforcements", "score": {"blue": {"L": 9, "VP": 9}},
                  "spaces": {"pella": {"pc": "red"}, "larisa": {"pc": "red"}}, "forces": [
                      {"owner": "red", "at": "pella", "loc": "inside", "generals": ["krateros"], "cus": {"loyal": 1}},
                      {"owner": "blue", "at": "pella", "loc": "outside", "generals": ["minor"], "cus": {"mercenary": 1}}]},
          [{"by": "red", "do": "reinforce", "at": "pella", "loc": "inside", "cus": {"mercenary": 1}}], {"refused": "5.2"})


def test_a_tie_for_legitimacy_without_major_generals_is_rolled_once() -> None:
    """5.2, B44"""
    g = game(2, 2, 6, turn=2, phase="reinforcements", spaces={"larisa": "red", "pella": "blue"})
    table(g)
    assert len(told(g, "tie_rolled")) == 2
    assert {due["seat"]: due["cus"].get("loyal", 0) for due in told(g, "reinforcements_due")} == {"red": 0, "blue": 1}


# --- 7.1 B, 5.1 A Polyperchon and Demetrios ----------------------------------------------------------------------


def polyperchon(rules: str = "fourth", **given: Any) -> tuple[Game, Table]:
    g = game(4, rules=rules, turn=2, segment={"player": "red", "kind": "tyche"}, hands={"red": 1},
             dealt={"blue": ["antipatros"]}, **given)
    desk = table(g)
    g.generals["antipatros"].at = DEAD
    desk.interrupt(reinforcements.replace_antipatros(g, "blue"))
    return g, desk


def test_polyperchon_comes_at_once_where_his_player_rules() -> None:
    g, desk = polyperchon(spaces={"larisa": "blue"})
    assert desk.question is not None and desk.question.sides == ("blue",)
    reinforce(desk, "larisa", {}, generals=("polyperchon",))
    assert (g.generals["polyperchon"].at, g.generals["polyperchon"].seat) == ("larisa", "blue")


def test_polyperchon_waits_in_the_dispersed_box_where_his_player_rules_nothing() -> None:
    g, desk = polyperchon()
    assert g.generals["polyperchon"].at == DISPERSED
    assert desk.question is not None and desk.question.kind == "tyche"


def test_the_draft_keeps_polyperchon_for_game_turn_three() -> None:
    g, desk = polyperchon("draft", spaces={"larisa": "blue"})
    assert g.generals["polyperchon"].at == "not in play"
    g = game(4, rules="draft", turn=3, phase="preparations", dealt={"blue": ["antipatros"]}, dead=["antipatros"],
             spaces={"larisa": "blue"})
    desk = table(g)
    assert desk.question is not None and desk.question.sides == ("blue",)
    assert g.due_generals["blue"] == ["polyperchon"]


def test_both_come_on_game_turn_three_and_a_besieged_city_hides_the_new_one() -> None:
    g = game(4, turn=3, phase="preparations", dealt={"blue": ["antipatros"], "red": ["antigonos"]},
             spaces={"pella": "blue", "lamia": "red"}, forces=[
                 {"owner": "blue", "at": "pella", "loc": "inside", "generals": ["antipatros"], "cus": {"loyal": 1}}])
    desk = table(g)
    assert g.generals["polyperchon"].at == "pella/inside"
    reinforce(desk, "lamia", {}, generals=("demetrios",))
    assert g.usurper and desk.question is not None and desk.question.kind == "first_player"


# --- 5.1 C Turn Order --------------------------------------------------------------------------------------------


def test_a_second_tie_for_least_points_is_rolled_again_among_the_tied() -> None:
    """5.1 C, B11"""
    g = game(3, 2, 2, 6, 5, 1, turn=2, phase="preparations", adjust={"red": {"VP": 1}},
             forces=[{"owner": "red", "at": "larisa", "generals": ["krateros"], "cus": {"loyal": 1}}])
    desk = table(g)
    assert desk.question is not None and desk.question.sides == ("yellow",)
    assert [roll["seat"] for roll in told(g, "tie_rolled")] == ["blue", "yellow", "blue", "yellow"]


# --- 5.5 Isolation -----------------------------------------------------------------------------------------------


def test_the_report_says_where_a_trace_was_cut() -> None:
    g = game(2, turn=2, spaces={"hekatompylos": "blue", "ekbatana": "blue", "mardoi": "independent"}, forces=[
        {"owner": "independent", "general": "philon", "at": "rhagai", "cus": {"independent": 5}}])
    isolation.remove_isolated(g, "blue")
    lost = told(g, "isolated")[0]
    assert lost["space"] == "hekatompylos"
    assert "rhagai" in lost["cus"] and "mardoi" in lost["pcs"]


# --- 6.1, 6.2, 6.4 Segments --------------------------------------------------------------------------------------


def test_who_stands_only_on_his_own_ground_is_not_asked_to_surrender_anything() -> None:
    g = game(4, turn=2, segment={"player": "red", "kind": "surrender"}, spaces={"larisa": "red"},
             forces=[{"owner": "red", "at": "larisa", "generals": ["krateros"], "cus": {"loyal": 3}}])
    question = table(g).question
    assert question is not None and question.kind == "tyche"


def test_surplus_points_wait_for_the_type_of_the_next_cu() -> None:
    """6.2 B3 Two CUs may be finished with one card."""
    holds("6.2B3", {"segment": {"player": "red", "kind": "tyche"}, "hands": {"red": ["event-4"]},
                    "spaces": {"larisa": {"pc": "red"}}, "training": {"red": {"type": "mercenary", "at": 2}}},
          [{"by": "red", "do": "play_card", "card": "event-4", "as": "ops"},
           {"by": "red", "do": "train", "ops": 4, "type": "mercenary"},
           {"by": "red", "do": "reinforce", "at": "larisa", "cus": {"mercenary": 1}},
           {"by": "red", "do": "train", "ops": 3, "type": "mercenary"},
           {"by": "red", "do": "reinforce", "at": "larisa", "cus": {"mercenary": 1}}],
          {"accepted": True}, {"stack": {"owner": "red", "at": "larisa", "cus": {"mercenary": 2}}})


def test_points_left_over_from_placing_place_more_and_nothing_else() -> None:
    """6.2 B"""
    start = {"segment": {"player": "red", "kind": "tyche"}, "hands": {"red": ["event-3"]}, "spaces": {"lamia": {"pc": "red"}}}
    play = {"by": "red", "do": "play_card", "card": "event-3", "as": "ops"}
    place = {"by": "red", "do": "place_pc", "at": ["larisa"]}
    holds("6.2B", start, [play, place, {"by": "red", "do": "train", "ops": 2, "type": "mercenary"}], {"refused": "6.2B"})
    holds("6.2B2", start, [play, place, {"by": "red", "do": "place_pc", "at": ["athenai"]}], {"accepted": True},
          {"pc": {"larisa": "red", "athenai": "red"}})


def test_inside_and_outside_of_a_city_forage_together() -> None:
    """6.4, B15"""
    g = game(4, turn=2, segment={"player": "red", "kind": "forage"}, spaces={"pella": "red"}, forces=[
        {"owner": "red", "at": "pella", "loc": "inside", "cus": {"loyal": 2}},
        {"owner": "red", "at": "pella", "generals": ["krateros"], "cus": {"mercenary": 7}}])
    desk = table(g)
    question = desk.question
    assert question is not None and (question.kind, question.rule) == ("losses", "6.4")
    desk.answer({"red": question.read("red", Order("lose", pieces=Pieces.of(cus={"loyal": 1}), loc="inside"))})
    assert (g.count("pella/inside", "red"), g.count("pella", "red")) == (1, 7)


def test_raising_a_mercenary_is_instead_of_everything_else() -> None:
    """6.3"""
    holds("6.3", {"segment": {"player": "red", "kind": "activation"}, "spaces": {"larisa": {"pc": "red"}},
                  "mp": {"krateros": 3}, "forces": [{"owner": "red", "at": "lamia", "generals": ["krateros"],
                                                     "cus": {"loyal": 1}}]},
          [{"by": "red", "do": "raise_mercenary", "at": "larisa"}], {"refused": "6.3"})


# --- 6 Revealed cards --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "dealt"), [(2, 10), (3, 5), (4, 0)])
def test_every_face_down_card_is_turned_up_by_the_end_of_the_strategy_phase(players: int, dealt: int) -> None:
    g = whole_game(players, seed=5, turns=1)
    assert len(told(g, "card_revealed")) == dealt and not g.face_down
    assert all(fact["resolver"] in (*g.seats, "") for fact in told(g, "card_revealed"))


def whole_game(players: int, seed: int, turns: int = 5, checks: Any = None) -> Game:
    """A hurried game: silence wherever it is legal, and some other answer now and then."""
    rng = Random(seed)
    g = stated({"phase": "setup", "turn": 1}, seats=SEATS[:players], dice=Dice(seed=seed), secret=Hands(seed))
    desk = table(g)
    while (question := desk.question) is not None and g.turn <= turns:
        if checks is not None:
            checks(g, desk)
        if question.kind == "ruling":
            desk.abandon("segment")
            continue
        answers = {}
        for side in question.sides:
            hurry = question.legal(side, question.default) if rng.random() < 0.6 else None
            answers[side] = hurry if hurry is not None else question.sample(side, rng)
        desk.answer(answers)
    return g


def test_a_game_may_be_taken_up_in_every_phase() -> None:
    """5 Every loop starts where the position stands: the same question, the same answers."""
    seen: Counter[str] = Counter()

    def taken_up(g: Game, desk: Table) -> None:
        if g.phase == "strategy" and desk.question is not None and desk.question.kind != "turn_up":
            return
        again = Game(FACTS, BOARD, g.rules, g.seats, EFFECTS)
        again.chance, again.secret = Dice(seed=1), g.secret
        position.state(again, position.written(g))
        assert position.written(again) == position.written(g)
        mine, its = desk.question, table(again).question
        assert mine is not None and its is not None and (mine.kind, mine.sides) == (its.kind, its.sides)
        side = mine.sides[0]
        assert list(islice(mine.offers(side), 20)) == list(islice(its.offers(side), 20))
        seen[mine.kind] += 1

    for seed, players in ((1, 5), (2, 3)):
        whole_game(players, seed, checks=taken_up)
    assert seen.keys() >= {"give_back", "deployment", "first_player", "reinforcement_choice", "turn_up"}


def test_a_stated_position_knows_no_other_steps() -> None:
    """A step that no phase has would leave the game standing, or begin the phase once more."""
    with pytest.raises(Refused) as refusal:
        game(phase="reinforcements", turn=2, step="plaicing")
    assert (refusal.value.key, refusal.value.facts["text"]) == ("unknown_in_position", "plaicing")


# --- 3.8, 5.6 Burial and Turn End --------------------------------------------------------------------------------


def test_nobody_is_asked_at_a_turn_end_that_cannot_bury() -> None:
    """3.8 On Game Turn I, or before the Cart is in a Major City."""
    for turn, at in ((1, "pella"), (2, "larisa")):
        g = game(4, turn=turn, phase="turn_end", spaces={at: "red"}, cart={"at": at, "owner": "red"},
                 adjust={"red": {"VP": 1}, "blue": {"VP": 2}, "yellow": {"VP": 3}})
        question = table(g).question
        assert question is not None and question.kind != "burial"


def test_alexander_is_buried_only_once() -> None:
    g = game(4, turn=2, phase="turn_end", spaces={"pella": "blue"}, cart={"at": "pella", "owner": "red"},
             forces=[{"owner": "red", "at": "pella", "generals": ["krateros"], "cus": {"loyal": 1}}])
    desk = table(g)
    assert desk.question is not None and desk.question.kind == "burial"
    desk.answer({"red": desk.question.read("red", Order("bury"))})
    assert g.buried_by == "red" and g.royals["cart"].at == DEAD and g.royals["tomb"].at == "pella"
    assert (victory.legitimacy(g, "red"), victory.legitimacy(g, "blue")) == (13, 3)


def test_everybody_sees_the_totals_before_an_heir_comes_of_age() -> None:
    g = game(4, turn=3, family={"alexandros": {"at": "larisa", "owner": "red"}}, spaces={"larisa": "red"})
    turn_end.look_ahead(g)
    assert told(g, "totals_compared")[0]["totals"] == {"red": 8, "blue": 3, "yellow": 3, "black": 3}
