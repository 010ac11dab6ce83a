"""The rule cases of tests/cases, and the driver that judges them."""

import copy
from pathlib import Path
from typing import Any

import pytest

from pbem.base.errors import BadLog
from pbem.dev import cases
from pbem.dev.cases import Verdict, judge
from pbem.dev.then import parts, related
from pbem.kernel.procedures import Ask, Procedure
from pbem.rules import interception, land_movement
from pbem.table.state import Game

FOLDER = Path(__file__).parents[1] / "cases"
FILE = FOLDER / "rulebook-4e.yaml"
CASES = cases.load(FILE)
SECTIONS = list(dict.fromkeys(parts(str(case["rule"]))[0] for case in CASES))

@pytest.fixture(scope="module")
def verdicts() -> dict[str, Verdict]:
    return {one.id: one for one in cases.run([FILE, *(FOLDER / f"{name}-4e.yaml" for name in ("own", "peace", "readings"))])}


# --- the rulebook -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("section", SECTIONS)
def test_every_case_passes(section: str, verdicts: dict[str, Verdict]) -> None:
    own = [one for one in verdicts.values() if parts(one.rule)[0] == section]
    lost = [one for one in own if one.verdict != "pass"]
    assert own and not lost, cases.show(lost)


# --- does a passing case say anything? ----------------------------------------------------------------------------


def otherwise(value: Any) -> Any:
    """Anything but this."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [*value, "gaza"]
    if isinstance(value, dict):
        return {key: otherwise(item) for key, item in value.items()} or {"royal": 9}
    return "pella" if value == "gaza" else "gaza"


def spoiled(case: dict[str, Any], name: str, wanted: Any) -> dict[str, Any] | None:
    """The case with one observable turned into something that cannot hold; None where nothing is certain to be wrong."""
    case = copy.deepcopy({**case, "then": [{name: wanted}]})
    if name == "refused":
        case.update(rule="99", also=[])
        case["then"] = [{"refused": "98"}]
    elif name == "stack":
        case["then"] = [{"stack": {**wanted, "cus": {"silver": 7}}}]
    elif name == "battle":
        case["then"] = [{"battle": {"kind": "land", "attacker": "red", "defender": "green"} if wanted == "none" else "none"}]
    elif name == "offered":
        case["then"] = [{"offered": {kind: ["green"] for kind in wanted}}, {"accepted": True}]
    elif name == "not_offered":
        if any(step.get("window") in wanted for step in case["when"]):
            return None
        case["then"] = [{"offered": wanted}]
    elif name in ("reports", "step"):
        return None
    else:
        case["then"] = [{name: otherwise(wanted)}]
    return case


@pytest.mark.parametrize("section", SECTIONS)
def test_every_observable_of_a_passing_case_is_really_compared(section: str, verdicts: dict[str, Verdict]) -> None:
    unheard = []
    for case in CASES:
        if parts(str(case["rule"]))[0] != section or verdicts[case["id"]].verdict != "pass":
            continue
        for item in case["then"]:
            for name, wanted in item.items():
                wrong = spoiled(case, name, wanted)
                if wrong is not None and judge(wrong).verdict == "pass":
                    unheard.append(f"{case['id']}: {name} {wanted}")
    assert not unheard


# --- the driver ---------------------------------------------------------------------------------------------------


def a_case(**changes: Any) -> dict[str, Any]:
    """Red's Minor General enters Larisa; blue tries to intercept from Pella and fails."""
    case: dict[str, Any] = {
        "id": "a", "rule": "11.2", "title": "an interception fails",
        "given": {
            "segment": {"player": "red", "kind": "activation"},
            "forces": [{"owner": "red", "at": "lamia", "generals": ["minor"], "cus": {"mercenary": 2}},
                       {"owner": "blue", "at": "pella", "loc": "outside", "generals": ["minor"], "cus": {"mercenary": 2}}],
            "mp": {"red-minor": 2},
        },
        "when": [
            {"by": "red", "do": "move", "general": "red-minor", "path": ["lamia", "larisa"]},
            {"window": "interception",
             "answers": {"blue": {"from": "pella", "general": "blue-minor", "cus": {"mercenary": 2}}}},
            {"roll": "interception", "by": "blue", "for": "blue-minor", "die": 4},
        ],
        "then": [{"at": {"red-minor": "larisa", "blue-minor": "pella"}}],
    }
    return {**case, **changes}


def with_given(**more: Any) -> dict[str, Any]:
    case = a_case()
    return {**case, "given": {**case["given"], **more}}


def with_steps(*more: dict[str, Any], then: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    case = a_case()
    return {**case, "when": [*case["when"], *more], "then": then or case["then"]}


def test_a_good_case_passes() -> None:
    assert judge(a_case()) == Verdict("a", "11.2", "pass", "")


def test_a_difference_is_told() -> None:
    verdict = judge(a_case(then=[{"at": {"red-minor": "pella"}}]))
    assert verdict.verdict == "fail"
    assert verdict.detail == "at: wanted {'red-minor': 'pella'}, found {'red-minor': 'larisa'}"


@pytest.mark.parametrize("case", [
    a_case(weather="fine"),
    with_given(weather="fine"),
    with_given(spaces={"larisa": {"pc": "red", "walls": 2}}),
    with_given(forces=[{"owner": "red", "at": "lamia", "cus": {"loyal": 1}, "mood": "bad"}]),
    with_given(tokens={"weather": "fine"}),
    with_steps({"by": "red", "do": "dance"}),
    with_steps({"by": "red", "do": "end_activation", "slowly": True}),
    with_steps({"by": "red", "do": "move", "general": "bukephalos", "path": ["larisa", "pella"]}),
    a_case(then=[{"weather": "fine"}]),
    a_case(then=[{"value": {"weather": "fine"}}]),
    a_case(then=[{"at": {"bukephalos": "pella"}}]),
])
def test_what_nobody_knows_is_unknown(case: dict[str, Any]) -> None:
    assert judge(case).verdict == "unknown", judge(case).detail


def test_a_window_that_never_opens_fails_the_case() -> None:
    case = with_steps({"window": "withdrawal", "answers": {"red": "withdraw"}})
    assert judge(case).detail == "the withdrawal window never opened for red"
    assert judge(with_steps({"window": "withdrawal", "answers": {"red": "stay"}})).verdict == "pass"


def test_a_die_too_many_fails_the_case() -> None:
    case = with_steps({"roll": "evasion", "by": "blue", "die": 4})
    assert judge(case).detail == "the evasion die of blue was never rolled"


def test_a_die_too_few_ends_the_case_where_it_is_missing() -> None:
    """What is read then is the position at that point; steps that were still to come fail it."""
    case = a_case(when=a_case()["when"][:2])
    assert judge(case).verdict == "pass"
    case["when"] = [*case["when"], {"by": "red", "do": "end_activation"}]
    assert "no die for interception" in judge(case).detail


def test_a_die_of_another_player_or_general_is_not_taken() -> None:
    for change in ({"by": "red"}, {"for": "seleukos"}, {"roll": "evasion"}):
        case = a_case()
        case["when"] = [*case["when"][:2], {**case["when"][2], **change}]
        assert judge(case).verdict == "fail", change


def test_an_order_refused_fails_a_case_that_expects_none() -> None:
    case = with_steps({"by": "red", "do": "move", "general": "red-minor", "path": ["larisa", "lamia", "larisa"]})
    assert judge(case).detail.startswith("step 4 was refused: too few mps")


@pytest.mark.parametrize("wanted, verdict", [
    ("9.3A", "pass"), ("9.3", "pass"), ("9", "pass"), ("9.3B", "fail"), ("9.4", "fail"),
])
def test_a_refusal_has_to_cite_the_rule_or_a_parent_or_child_of_it(wanted: str, verdict: str) -> None:
    case = with_steps({"by": "red", "do": "move", "general": "red-minor", "path": ["larisa", "lamia", "larisa"]},
                      then=[{"refused": wanted}])
    assert judge(case).verdict == verdict


def test_a_refusal_that_does_not_come_fails_the_case() -> None:
    assert judge(a_case(then=[{"refused": "11.2"}])).detail == "refused: wanted 11.2, nothing was refused"


def test_a_player_may_say_it_in_his_own_words() -> None:
    """A line answers the window that asks its side, and is an order where none does."""
    case = a_case()
    case["when"] = [{"by": "red", "say": "march Philoxenos > Larisa"},
                    {"by": "blue", "say": "intercept Alketas with 2 mercenary"}, case["when"][2]]
    assert judge(case).verdict == "pass"
    case["when"][1]["say"] = "withdraw"
    assert judge(case).detail.startswith("step 2 was refused: intercept or pass")


@pytest.mark.parametrize("key, verdict", [("too_few_mps", "pass"), ("not_connected", "fail")])
def test_a_case_may_name_the_refusal_itself(key: str, verdict: str) -> None:
    case = with_steps({"by": "red", "do": "move", "general": "red-minor", "path": ["larisa", "lamia", "larisa"]},
                      then=[{"refused": "9.3A", "key": key}])
    assert judge(case).verdict == verdict


def test_an_order_out_of_turn_is_refused_by_the_sequence_of_play() -> None:
    case = with_steps({"by": "blue", "do": "end_activation"}, then=[{"refused": "6"}])
    assert judge(case).verdict == "pass"


def no_rule_yet(g: Game, way: land_movement.Way) -> Procedure[None]:
    """A step of the procedure that only a ruling could resolve."""
    yield lambda: Ask("moderator", "ruling", "12", about={}, read=lambda side, answer: answer,
                      candidates=lambda side: iter(()), default=None)


def test_what_comes_after_an_unwritten_rule_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A case that wants no more than what was done up to there passes all the same."""
    monkeypatch.setitem(land_movement.STEPS, "withdrawal", no_rule_yet)
    good = a_case()
    good["when"][2]["die"] = 5
    good["then"] = [{"at": {"blue-minor": "larisa"}}]
    assert judge(good).verdict == "pass"
    for more in ({"then": [{"at": {"blue-minor": "pella"}}]}, {"then": [{"refused": "11"}]},
                 {"when": [*good["when"], {"by": "red", "do": "end_activation"}]}):
        assert judge({**good, **more}) == Verdict("a", "11.2", "unknown", "12 is not written yet")


def test_a_fault_of_the_engine_is_one_failed_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interception, "could_intercept", lambda g, way: 1 / 0)
    verdict = judge(a_case())
    assert verdict.verdict == "fail"
    assert "ZeroDivisionError" in verdict.detail


@pytest.mark.parametrize("fact, verdict", [
    ("lamia -land- larisa", "pass"), ("lamia -sea- larisa", "skip"), ("pella kind major", "pass"),
    ("pella kind minor", "skip"), ("larisa in thessalia", "pass"), ("larisa not in thessalia", "skip"),
    ("xanthos to phaselis 1 MP", "pass"), ("xanthos to phaselis 4 MPs", "skip"), ("it never rains in Babylon", "pass"),
])
def test_a_case_that_leans_on_another_board_is_skipped(fact: str, verdict: str) -> None:
    assert judge(a_case(assume=[fact])).verdict == verdict


def test_placeholders_take_what_the_case_does_not_name() -> None:
    """Lamia's neighbour is not Larisa, which the case names."""
    case = a_case()
    case["given"]["forces"][1] = {"owner": "blue", "at": "land-neighbour-of-lamia", "generals": ["seleukos"]}
    case["when"] = case["when"][:1]
    case["then"] = [{"at": {"seleukos": "land-neighbour-of-lamia"}}]
    assert judge(case).verdict == "pass"
    case["then"] = [{"at": {"seleukos": "larisa"}}]
    assert judge(case).verdict == "fail"


def test_totals_are_padded_with_a_constant() -> None:
    case = with_given(score={"red": {"L": 8, "VP": 5}}, provinces={"makedonia": "red"})
    assert judge({**case, "then": [{"L": {"red": 8}, "VP": {"red": 5}}, {"dL": {"red": 0}}]}).verdict == "pass"


def test_minor_generals_that_are_not_off_map_stand_far_away() -> None:
    case = with_given(minors_off_map={"red": 1})
    assert judge({**case, "then": [{"value": {"minors_off_map": {"red": 1}}}, case["then"][0]]}).verdict == "pass"


def test_a_fleet_may_be_somebodys_without_its_province() -> None:
    case = {**with_given(fleets={"red": ["karia+"]}), "then": [{"fleets": {"red": ["karia+"]}}]}
    assert judge(case).verdict == "pass"


# --- rules, files, telling ----------------------------------------------------------------------------------------


def test_rules_and_their_parts() -> None:
    assert parts("6.2B2") == ["6", "2", "B", "2"]
    assert parts("13.2.6") == ["13", "2", "6"]
    assert related("9.3", "9.3D")
    assert related("6.2B1", "6.2B")
    assert not related("16.1", "16.10")
    assert not related("1", "10A")


def test_only_the_cases_of_one_rule_are_run() -> None:
    assert {one.rule for one in cases.run([FILE], "12.2")} == {"12.2", "12.2A", "12.2B"}
    assert [one.id for one in cases.run([FILE], "9.1-ex1")] == ["9.1-ex1"]


def test_the_report_counts_by_section_and_shows_the_difference() -> None:
    told = cases.show([Verdict("9.1-a", "9.1", "pass", ""), Verdict("10A-a", "10A", "fail", "at: wanted x, found y"),
                       Verdict("10A-b", "10A", "unknown", "nothing shows z")])
    assert told.splitlines() == [
        "   9:    1 pass     0 fail     0 skip     0 unknown",
        "  10:    0 pass     1 fail     0 skip     1 unknown",
        " all:    1 pass     1 fail     0 skip     1 unknown",
        "", "fail:", "  10A-a: at: wanted x, found y",
        "", "unknown:", "  10A-b: nothing shows z",
    ]


@pytest.mark.parametrize("text", ["just a sentence", "- {rule: '9'}", "[", "{id: x}"])
def test_a_file_that_is_no_list_of_cases_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadLog):
        cases.run([file])
