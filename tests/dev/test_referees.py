"""Second referees: they agree in real play, and each would notice an engine that is wrong."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from small_position import stated

from pbem.dev import between, brute, brute_draft, brute_third, cases, games
from pbem.dev.entering import Entering, Step, evades_first, landed
from pbem.dev.games import Wanted, whole_game
from pbem.dev.referees import Referees
from pbem.editions import EDITIONS
from pbem.kernel.procedures import Ask, Poll, Question
from pbem.orders import PASS, Order, Pieces
from pbem.rules import evasion, forage, interception, isolation, operations, reinforcements, surrender
from pbem.table.events import ALL, Event, event
from pbem.table.state import Game

ROOT = Path(__file__).parents[2]


def always(value: Any) -> Callable[..., Any]:
    return lambda *args, **more: value


WRONG = [
    ("15.1", Game, "besieged", always(False)), ("15.1", Game, "besieged", always(True)),
    ("2", Game, "province_controller", always("")),
    ("5.2", reinforcements, "is_eligible", always(True)),
    ("5.5", isolation, "anchors", always(set())), ("5.5", isolation, "may_trace", always(False)),
    ("6.2B2", operations, "is_open", always(True)),
    ("6.4", forage, "limit", always(0)),
    ("6.1 remove", surrender, "judge_cu", always(None)),
]


def test_they_agree_in_real_play_and_notice_an_engine_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """At every tenth position of a game, and at every Surrender Segment, each wrong engine is asked as well."""
    seen: list[set[str]] = [set() for _ in WRONG]
    real, count = Referees.look, iter(range(10_000))

    def look(self: Referees, g: Game, question: Any, told: Any, after: int = 0) -> list[str]:
        if next(count) % 10 == 0 or question is not None and question.kind == "surrender":
            for lines, (_, owner, name, wrong) in zip(seen, WRONG, strict=True):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(owner, name, wrong)
                    lines.update(real(Referees(), g, question, ()))
        return real(self, g, question, told, after)

    monkeypatch.setattr(Referees, "look", look)
    one = whole_game(Wanted(71, 3, most=330))
    assert one.met.wrong == []
    assert {"2", "5.2", "5.5", "6.2B2", "6.4", "15.1", "6.1 siege", "silence at activation"} <= one.agreed.keys()
    assert [what for lines, (what, *_) in zip(seen, WRONG, strict=True)
            if not any(line.startswith(f"{what}:") for line in lines)] == []


WINDOWS = [
    ("11.1 nobody asked", interception, "origins", always([])), ("11.1", interception, "judge_open", always(None)),
    ("12.1 nobody asked", evasion, "may_evade", always(None)), ("12.1", evasion, "barred_space", always(""))]


@pytest.mark.parametrize("edition", ["fourth", "third", "draft"])
@pytest.mark.parametrize(("what", "module", "name", "wrong"), WINDOWS, ids=[one[0] for one in WINDOWS])
def test_they_notice_who_is_not_asked_or_may_do_too_much(
        edition: str, what: str, module: Any, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """11.1, 12.1 A window that never opens, and one that lets in whom the book of that edition does not."""
    monkeypatch.setattr(module, name, wrong)
    assert any(line.startswith(f"{what}:") for seed in range(8) for line in whole_game(
        Wanted(seed, 3, edition, most=150)).met.wrong)


# --- the way back ------------------------------------------------------------------------------------------------


def a_game() -> Game:
    return stated({"turn": 2, "segment": {"player": "red", "kind": "activation"}, "spaces": {"lamia": "red"}, "forces": [
        {"owner": "red", "at": "larisa", "generals": ["kassandros"], "cus": {"loyal": 2}},
        {"owner": "blue", "at": "larisa", "generals": ["seleukos"], "cus": {"loyal": 2}}]})


def back(g: Game, *, to: str, who: str = "withdrew") -> list[str]:
    """Red has marched from Lamia to Larisa, was intercepted there, and goes back."""
    one, facts = Referees(), {"seat": "red", "general": "kassandros"}
    way = {"generals": [], "cus": {"loyal": 2}, "royals": [], "origin": "lamia", "target": "larisa", "cost": 1, "left": 1}
    found = one.look(g, None, [event("marched", ALL, {**facts, **way})])
    if who == "withdrew":
        told = event(who, ALL, {**facts, "origin": "larisa", "space": to})
    else:
        told = event(who, ALL, {**facts, "space": "larisa", "origin": to, "cus": {"loyal": 2}})
    return [*found, *one.look(g, None, [told])]


@pytest.mark.parametrize("who, rule", [("withdrew", "11.3"), ("retreated", "14.10")])
def test_who_goes_back_goes_where_he_came_from_and_leaves_nobody(who: str, rule: str) -> None:
    g = a_game()
    assert [line.partition(":")[0] for line in back(g, to="lamia", who=who)] == [f"{rule} from"]
    g.add("lamia", "red", g.remove_kinds("larisa", "red", {"loyal": 2}))
    g.generals["kassandros"].at = "lamia"
    assert back(g, to="lamia", who=who) == []
    assert [line.partition(":")[0] for line in back(g, to="pella", who=who)] == [f"{rule} to"]


def test_who_has_withdrawn_moves_no_more_and_who_may_go_back_is_said_by_each_book() -> None:
    """11.3; 10.5 of the 3rd edition, 11.7.3 of the draft."""
    g, one = a_game(), Referees()
    march = event("marched", ALL, {"seat": "red", "general": "kassandros", "generals": [], "cus": {"loyal": 2}, "royals": [],
                                   "origin": "lamia", "target": "larisa", "cost": 1, "left": 1})
    left = event("withdrew", ALL, {"seat": "red", "general": "kassandros", "origin": "pella", "space": "lamia"})
    assert list(one.way_back(g, [march])) == []
    assert [line.partition(":")[0] for line in one.way_back(g, [left, march])] == ["11.3 ends"]
    assert [[words.declines_battle(*who) for who in (("red", 2), ("red", 0), (brute.INDEPENDENT, 9))]
            for words in (brute, brute_third, brute_draft)] == [[True, True, True], [True, True, False], [True, False, False]]


def test_nobody_fights_who_has_just_withdrawn() -> None:
    g = a_game()
    g.add("lamia", "red", g.remove_kinds("larisa", "red", {"loyal": 2}))
    told = [event("withdrew", ALL, {"seat": "red", "general": "kassandros", "origin": "larisa", "space": "lamia"}),
            event("champion_lost", ALL, {"seat": "red", "against": "blue", "rule": "10H", "space": "lamia"})]
    assert [line.partition(":")[0] for line in Referees().look(g, None, told)] == ["11.3 fights"]


def test_who_was_placed_beside_an_army_on_its_way_does_not_lead_it_back() -> None:
    """7.1 C, 7.2 A Where its leader has jumped away and another stands in his place, CUs that go back are nobody's; himself, he
    may come back to them."""
    stay, away = (asked("withdrawal", Order(one), Order("stay"), Order("withdraw"), about={**AWAY, "origin": "pella"})
                  for one in ("stay", "withdraw"))
    led, back = ([event("marched", ALL, {"seat": "red", "general": leader, "generals": [], "cus": {"loyal": 2}, "royals": [],
                                         "origin": "pella", "target": "larisa", "cost": 1, "left": 1})]
                 for leader in ("antigonos", "kassandros"))
    swap = event("minor_placed", ALL, {"seat": "red", "minor": "kassandros", "at": "larisa", "origin": "off"})
    gone = event("minor_removed", ALL, {"seat": "red", "minor": "kassandros", "at": "larisa", "why": "removed"})
    for events, wrong in ((led, stay), ([*led, swap], away), ([*led, swap, gone], stay), ([*back, swap], stay)):
        one = Referees()
        one.met.add("red")
        list(one.way_back(a_game(), events))
        right = away if wrong is stay else stay
        assert [len(list(one.silence(a_game(), brute.look(a_game()), each))) for each in (wrong, right)] == [1, 0]


def test_who_stood_there_before_does_not_lead_an_army_back_and_does_not_go_with_it() -> None:
    """7.2 A, 11.3 Kassandros was at Larisa before two CUs came whose leader has jumped away; or they, too, were there."""
    stay, away = (asked("withdrawal", Order(one), Order("stay"), Order("withdraw"), about={**AWAY, "origin": "pella"})
                  for one in ("stay", "withdraw"))
    came = event("marched", ALL, {"seat": "red", "general": "antigonos", "generals": [], "cus": {"loyal": 2}, "royals": [],
                                  "origin": "pella", "target": "larisa", "cost": 1, "left": 1})
    alone = a_game()
    alone.remove_kinds("larisa", "red", {"loyal": 2})
    for before, wrong, right in ((alone, away, stay), (a_game(), stay, away)):
        one = Referees()
        one.look(before, None, [])
        list(one.way_back(a_game(), [came]))
        assert [len(list(one.silence(a_game(), brute.look(a_game()), each))) for each in (wrong, right)] == [1, 0]


def marched(origin: str, target: str) -> Event:
    return event("marched", ALL, {"seat": "red", "general": "kassandros", "generals": [], "cus": {"loyal": 2}, "royals": [],
                                  "origin": origin, "target": target, "cost": 1, "left": 1})


def retreated(to: str, seat: str = "red") -> Event:
    facts = {"seat": seat, "general": "kassandros", "space": "larisa", "origin": to}
    return event("retreated", ALL, {**facts, "cus": {"loyal": 2}})


def intercepted(origin: str) -> Event:
    return event("intercepted", ALL, {"seat": "blue", "general": "seleukos", "origin": origin, "space": "larisa",
                                      "pieces": Pieces.of(cus={"loyal": 2})})


def rules(lines: Iterable[str]) -> list[str]:
    return [line.partition(":")[0] for line in lines]


def test_after_an_undo_they_know_what_they_knew_before() -> None:
    """14.10 Whoever has come to Larisa goes back to where he came from then, whatever he did in what was taken back."""
    g, one = a_game(), Referees()
    assert one.look(g, None, [marched("lamia", "larisa")], 5) == []
    assert one.look(g, None, [marched("larisa", "pella")], 7) == []
    assert [one.taken_back(entry) for entry in (7, 6)] == [5, 5]
    assert one.look(g, None, (), 8) == []
    assert one.taken_back(9) == 8 and rules(one.way_back(g, [retreated("lamia")])) == ["14.10 from"]
    assert rules(one.way_back(g, [retreated("pella")])) == ["14.10 to", "14.10 from"]
    assert Referees().taken_back(1) == 0


def test_they_agree_where_much_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here an undo leads back into an interception that failed, and succeeds then: who came is asked whether he stands."""
    monkeypatch.setattr(games, "UNDONE_OF", 40)
    one = whole_game(Wanted(10, 3, most=150))
    assert one.met.wrong == [] and one.undone > 10 and one.agreed["11.3 asked"]


def test_who_strikes_after_an_interception_goes_back_where_he_came_from() -> None:
    """23.2, 14.10 Whatever way he took to that space in a turn of before; from several places at once it is not followed."""
    g, began = a_game(), event("activated", ALL, {"general": "kassandros", "seat": "red"})
    way = {"seat": "blue", "general": "seleukos", "generals": [], "cus": {}, "royals": []}
    before = event("marched", ALL, {**way, "origin": "lamia", "target": "larisa", "cost": 1, "left": 1})
    g.remove_kinds("larisa", "blue", {"loyal": 2})
    g.generals["seleukos"].at = "pella"
    one_of, both = ["pella"], ["pella", "dion"]
    for origins, back, wrong in (one_of, "pella", []), (one_of, "lamia", ["14.10 to"]), (both, "lamia", []):
        one = Referees()
        list(one.way_back(g, [before, began, *map(intercepted, origins)]))
        assert rules(one.way_back(g, [retreated(back, "blue")])) == wrong


def test_what_a_voyage_has_set_down_bars_nobody_from_its_landing() -> None:
    """11.2 example 2: the CU inside Athenai came with Demetrios, and Kassandros may intercept his landing."""
    seen = brute.look(a_game())
    march = Step(brute.Stack("blue", "larisa", "", 1), "blue", "larisa", "", (seen,), {("blue", "larisa", ""): 2}, {}, {})
    landing = march._replace(army=brute.Stack("blue", "larisa", brute.SEA, 1))
    assert [{stack.owner for stack in landed(seen, step).stacks} for step in (march, landing)] == [{"red", "blue"}, {"red"}]
    one_more = landing._replace(dropped={("blue", "larisa", ""): 1})
    assert [stack.cus for stack in landed(seen, one_more).stacks if stack.owner == "blue"] == [1]


def test_what_a_voyage_has_set_down_and_took_back_is_not_there_when_it_lands() -> None:
    """R8: the CU that Alketas led ashore withdraws from Amphoteros, and Polemon, who had set it down, lands after it. Where it
    withdraws to the port in which it is, it stays."""
    g, facts = a_game(), {"seat": "blue", "general": "seleukos"}
    dropped = event("dropped", ALL, {**facts, "pieces": Pieces.of(cus={"loyal": 1}), "at": "larisa"})
    landed = event("disembarked", ALL, {**facts, "at": "larisa", "left": 1})
    went, stays = (event("withdrew", ALL, {**facts, "origin": "larisa", "space": port}) for port in ("pella", "larisa"))
    for told, left in (([dropped], 1), ([dropped, went], 0), ([dropped, stays], 1), ([dropped, landed, went], 1),
                       ([dropped, dropped, went], 1)):
        one = Entering()
        assert list(one.look(g, brute.look(g), None, told, brute)) == []
        assert one.dropped["blue", "larisa", ""] == left


def test_whom_a_general_brought_to_a_port_and_left_there_bars_nobody_from_his_landing() -> None:
    """R19: of the two CUs with which he came he has set one down, and takes the other along, or not; or he came with none."""
    g, facts = a_game(), {"seat": "blue", "general": "seleukos"}
    way = {**facts, "generals": [], "royals": []}
    came = event("marched", ALL, {**way, "cus": {"loyal": 2}, "origin": "pella", "target": "larisa", "cost": 1, "left": 1})
    back = event("retreated", ALL, {**facts, "space": "pella", "origin": "larisa", "cus": {"loyal": 2}})
    dropped = event("dropped", ALL, {**facts, "pieces": Pieces.of(cus={"loyal": 1}), "at": "larisa"})
    alone, with_one = (event("embarked", ALL, {**way, "cus": cus, "origin": "larisa", "fleets": []})
                       for cus in ({}, {"loyal": 1}))
    for told, left in ([came, dropped, alone], 2), ([came, dropped, with_one], 1), ([back, alone], 2), ([with_one], 0):
        one = Entering()
        assert list(one.look(g, brute.look(g), None, told, brute)) == []
        assert one.dropped["blue", "larisa", ""] == left


def test_what_a_voyage_set_down_before_fights_when_the_next_goes_back() -> None:
    """R18: the CU under Philoxenos stays when the one under Amphoteros, or Herakles, set down after it, withdraws."""
    g, facts = a_game(), {"seat": "red", "general": "kassandros"}
    dropped, herakles = (event("dropped", ALL, {**facts, "pieces": pieces, "at": "larisa"})
                         for pieces in (Pieces.of(cus={"loyal": 1}), Pieces.of(royals=("herakles",))))
    told = [event("withdrew", ALL, {**facts, "origin": "larisa", "space": "lamia"}),
            event("champion_lost", ALL, {"seat": "red", "against": "blue", "rule": "10H", "space": "larisa"})]
    alone = ["11.3 fights"]
    for before, wrong in ([dropped, dropped], []), ([dropped, herakles], []), ([dropped], alone), ([herakles], alone):
        one = Referees()
        list(one.entering.look(g, brute.look(g), None, before, brute))
        assert rules(one.way_back(g, told)) == wrong


def test_what_has_dispersed_when_an_activation_ended_bars_nobody_from_what_comes_next() -> None:
    """7.2 A, 11.1: the CU that Alketas left without an owner is gone before Kassandros sets out, and Blue may intercept him."""
    g = stated({"turn": 2, "segment": {"player": "red", "kind": "activation"}, "forces": [
        {"owner": "red", "at": "lamia", "generals": ["kassandros"], "cus": {"loyal": 2}},
        {"owner": "red", "at": "larisa", "cus": {"mercenary": 1}},
        {"owner": "blue", "at": "trikka", "generals": ["seleukos"], "cus": {"loyal": 2}}]})
    kassandros = {"general": "kassandros", "seat": "red"}
    gone = event("cus_dispersed", ALL, {"seat": "red", "at": "larisa", "cus": {"mercenary": 1}, "why": "unowned"})
    came = event("marched", ALL, {**kassandros, "generals": [], "cus": {"loyal": 2}, "royals": [], "origin": "lamia",
                                  "target": "larisa", "cost": 1, "left": 1})
    before = brute.look(g)
    g.remove_kinds("larisa", "red", {"mercenary": 1})
    g.add("larisa", "red", g.remove_kinds("lamia", "red", {"loyal": 2}))
    g.generals["kassandros"].at = "larisa"
    sets_out = event("activated", ALL, kassandros)
    for told, asked in ([gone, sets_out, came], {"blue": {"trikka"}}), ([sets_out, came], {}), ([sets_out, gone, came], {}):
        one = Entering()
        list(one.look(g, before, None, [], brute))
        list(one.look(g, brute.look(g), None, told, brute))
        assert one.step is not None and one.step.interceptors == asked


def test_who_has_evaded_before_anybody_intercepts_is_known_of_each_book() -> None:
    """10 of the draft: he is gone, and his CUs keep the space open no longer."""
    assert {edition: evades_first(stated({}, edition=edition)) for edition in EDITIONS} == {
        "fourth": False, "third": False, "draft": True}


# --- silence -----------------------------------------------------------------------------------------------------


def asked(kind: str, default: Any, *offers: Any, about: dict[str, Any] | None = None, side: str = "red") -> Question:
    make = Poll if isinstance(default, tuple) else Ask
    return make([side] if make is Poll else side, kind, "6", about=about or {}, read=lambda side, answer: answer,
                candidates=lambda side: iter(offers), default=default)


LOSE = [Order("lose", pieces=Pieces.of(cus={kind: 1})) for kind in ("mercenary", "loyal")]
AWAY = {"space": "larisa", "origin": "pella", "general": "kassandros", "against": ["blue"]}


@pytest.mark.parametrize("fine, wrong", [
    (asked("surprise", PASS, (Order("play"),)), asked("surprise", (Order("play"),), PASS)),
    (asked("losses", LOSE[0], *LOSE), asked("losses", LOSE[1], *LOSE)),
    (asked("free_passage", (Order("refuse"),), (Order("grant"),)),
     asked("free_passage", (Order("grant"),), (Order("refuse"),))),
    (asked("withdrawal", Order("withdraw"), Order("stay"), about=AWAY),
     asked("withdrawal", Order("stay"), Order("withdraw"), about=AWAY)),
    (asked("evasion", PASS, (Order("evade"),), about=AWAY), asked("evasion", (Order("evade"),), PASS, about=AWAY)),
    (asked("replacement", Order("place_minor"), Order("pass"), about={"at": "pella"}),
     asked("replacement", Order("pass"), Order("place_minor"), about={"at": "pella"})),
    (asked("reinforcement_choice", Order("reinforce"), Order("pass")),
     asked("reinforcement_choice", Order("pass"), Order("reinforce"))),
    (asked("tyche", Order("end")), asked("tyche", Order("play"), Order("end"))),
    (asked("independent_move", Order("pass")), asked("independent_move", Order("independent_move"), Order("pass"))),
])
def test_silence_that_loses_what_another_answer_would_have_kept_is_noticed(fine: Question, wrong: Question) -> None:
    g = a_game()
    assert silence(g, fine) == []
    assert len(silence(g, wrong)) == 1


def test_who_may_not_stay_picks_up_whom_he_has_to_take_along() -> None:
    """10 C Nobody of his may be left behind: his silence takes him up first, and then goes on."""
    case = next(one for one in cases.load(ROOT / "tests/cases/doors-4e.yaml") if one["id"] == "door-10C-z")
    run = between.tried_run(case, 10_000, "free act", 0)
    assert run is not None and run.table is not None and run.table.question is not None
    silent = run.table.question.default
    assert silent.verb == "pick_up" and silent.pieces.generals == ("antigonos",)
    run.table.answer({"red": silent})
    assert run.table.question.default.verb == "march"


def silence(g: Game, question: Question) -> list[str]:
    return list(Referees().silence(g, brute.look(g), question))


# --- who has won -------------------------------------------------------------------------------------------------


def winner(by: str, seat: str, **totals: tuple[int, int]) -> list[str]:
    return list(Referees().won(a_game(), {"seat": seat, "by": by, "total": 0}, totals))


def test_who_has_won_by_the_words() -> None:
    """3.1 Two players need 29 VP. 3.3 The end counts VP, 3.2 a Regency L and VP. 3.4 The senior General breaks a tie."""
    near = {"red": (0, 29), "blue": (17, 28)}
    assert winner("instant-VP", "red", **near) == [] != winner("instant-VP", "blue", **near)
    assert winner("instant-L", "blue", red=(0, 0), blue=(18, 0)) == []
    assert winner("end", "red", red=(0, 9), blue=(9, 8)) == [] != winner("regency", "red", red=(0, 9), blue=(9, 8))
    assert [bool(winner("end", seat, red=(0, 9), blue=(0, 9))) for seat in ("red", "blue")].count(True) == 1
    assert list(Referees().unwon(a_game(), {"red": (18, 0), "blue": (0, 0)}))
