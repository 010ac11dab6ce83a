"""How a question is put: what may be answered and at what price, what else may be said, what silence means."""

from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH, Desk, at_window, found

from pbem.desk import posing, showing
from pbem.telling import putting
from pbem.telling.offers import by_verb

WINDOW = """\
Red marches Antigonos (5 CUs: 2 loyal, 3 mercenary) from Halikarnassos into
Ephesos, which is uncontrolled. Do you intercept? If you arrive, you defend;
Red may then back off.

You may answer:
  a  pass                                       (also if you are silent)
  b  intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary
     needs 4+: 50%
  c  intercept Alketas from Sardeis with 2 loyal, 2 mercenary placing
     Alketas to lead
     needs 5+: 33%

With part of them: the letter and the CUs, e.g. "b 1 loyal".
Only under a condition: e.g. "b if Yellow passes".
A standing order for next time: e.g. "standing: intercept Red into Ephesos
with Lysimachos, all, once".
To answer so from now on: "a always", "a always against Red", "a always
unless I win 60%", "a always until the turn ends".
Lysimachos with everything, if he arrives and nobody backs off: you win 23%,
draw 16%; your commander falls 5%.
Yellow is asked the same. Answers stay sealed until all are in.
If you are silent this counts: pass
Answer by Fri 20 Nov, 12:00 UTC.
"""
TURN = """\
Your Activation Segment, Game Turn II, round 1. You rolled a 2 for movement.

You may order now, one after the other:
  march Antigonos > Ephesos, Maiandros valley or Xanthos
  shift Antigonos with 2 loyal inside at Halikarnassos; shift Antigonos with
    1 loyal inside at Halikarnassos; shift Antigonos with nothing inside at
    Halikarnassos; shift Antigonos with 1 loyal, 1 mercenary inside at
    Halikarnassos; 2 more like these
  split Halikarnassos leaving 1 mercenary under Philoxenos; split
    Halikarnassos leaving 1 loyal under Philoxenos
  activate Antigonos
  embark Antigonos with 2 loyal, 3 mercenary escorted by no fleets; embark
    Antigonos with 2 loyal, 2 mercenary escorted by no fleets; embark
    Antigonos with 2 loyal, 1 mercenary escorted by no fleets; embark
    Antigonos with 2 loyal escorted by no fleets; 8 more like these
  end segment
    Everything: "options all"; or "options march", say, for one kind.

In between, Minor Generals may be placed, moved over or taken off (7.1 C),
and royal CUs disbanded before they move (7.2 F).
If you are silent: end segment
Answer by Fri 20 Nov, 12:00 UTC.
"""
CARDS = ('You may order now, one after the other: "Drink the Hemlock" (1): play 1 as ops. Remove from the game one Royal '
         "Family Member, controlled or not, that is in the same space as at least one of your CUs. The Funeral Cart and the "
         "Tomb cannot be chosen. discard 57 In between,")


def question(desk: Desk, seat: str) -> str:
    """Without the form of a turn."""
    return posing.question_body(desk, seat, "text").partition("\n\nYour whole turn may come")[0] + "\n"


def test_a_window_reads_whole(tmp_path: Path) -> None:
    assert question(at_window(tmp_path / "g"), "blue").rstrip("\n") == WINDOW.rstrip("\n")


def test_ones_own_turn_reads_whole_with_four_examples_of_what_there_is_more_of(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "roll")
    assert question(desk, "red").rstrip("\n") == TURN.rstrip("\n")


def test_where_nothing_is_cut_nothing_more_is_offered(tmp_path: Path) -> None:
    assert "Everything:" not in question(found(tmp_path / "g"), "red")


@pytest.mark.parametrize(("mercenaries", "more", "cut"), [(1, "", False), (3, "", True), (4, "; 1 more like these", True)])
def test_four_orders_of_a_kind_are_written_out_and_of_more_it_is_said_how_many(
        tmp_path: Path, mercenaries: int, more: str, cut: bool) -> None:
    """Marches are told by where they go, however many there are."""
    army = {**MARCH["forces"][0], "cus": {"mercenary": mercenaries}}
    desk = found(tmp_path / "g", {**MARCH, "forces": [army, *MARCH["forces"][1:]]})
    desk.order("red", "roll")
    told = " ".join(question(desk, "red").split())
    assert told.count("more like these") == bool(more) and more in told and ("Everything:" in told) is cut


def test_eight_marches_of_one_kind_are_all_of_them(tmp_path: Path) -> None:
    army = {"owner": "red", "at": "lamia", "generals": ["antigonos"], "cus": {"mercenary": 1}}
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 6}, "spaces": {"lamia": "red"}, "forces": [army]})
    assert desk.match.question is not None and len(by_verb(desk.match.question, "red")["march"]) == 8
    assert "Everything:" not in question(desk, "red")


def test_a_card_is_told_with_its_uses_and_what_it_does(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards={"red": ["1", "57"]})
    assert CARDS in " ".join(question(desk, "red").split())


@pytest.mark.parametrize(("hand", "told"), [
    (["57", "50", "51", "52"], "discard 57; discard 50; discard 51; discard 52 In between,"),
    (["57", "50", "51", "52", "58"],
     'discard 57; discard 50; discard 51; discard 52; 1 more like these Everything: "options all";')])
def test_of_what_is_cut_everything_is_offered(tmp_path: Path, hand: list[str], told: str) -> None:
    desk = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards={"red": hand})
    assert told in " ".join(question(desk, "red").split())


def test_two_cus_are_enough_to_send_a_part_of_them(tmp_path: Path) -> None:
    told = question(at_window(tmp_path / "g"), "yellow")
    assert 'With part of them: the letter and the CUs, e.g. "b 1 mercenary".' in told
    assert "Only under a condition" in told and "Blue is asked the same" in told


def test_whoever_is_asked_alone_and_can_only_pass_is_told_nothing_of_others_or_of_parts(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "forces": [
        MARCH["forces"][0], {"owner": "blue", "at": "sardeis", "generals": ["lysimachos"], "cus": {"mercenary": 1}}]})
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    told = " ".join(question(desk, "blue").split())
    assert "b intercept Lysimachos" in told and "is asked the same" not in told
    assert "With part of them" not in told and "Only under a condition" not in told
    assert "A standing order for next time" in told and "a always" in told


def test_a_way_that_was_announced_is_answered_step_by_step(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})
    desk.order("red", "march Antigonos > Ephesos > Sardeis openly")
    assert 'answers for later steps may come along, e.g. "at Ephesos: intercept Lysimachos with all".' in " ".join(
        question(desk, "blue").split())
    for seat in ("blue", "yellow"):
        desk.order(seat, "pass")
    desk.run()
    told = " ".join(question(desk, "blue").split())
    assert "b intercept Lysimachos" in told and 'later steps may come along, e.g. "at Sardeis: pass".' in told


def test_an_army_that_costs_a_card_is_asked_for_whole_and_each_time(tmp_path: Path) -> None:
    """16.11 It never splits, and no standing order pays for it."""
    desk = found(tmp_path / "g", {**MARCH, "mp": {"seleukos": 4}, "spaces": {}, "forces": [
        {"owner": "red", "at": "trikka", "generals": ["seleukos"], "cus": {"loyal": 3}},
        {"owner": "independent", "general": "leosthenes", "at": "lamia", "cus": {"independent": 6}}]},
        cards=True, options=["16.11"])
    desk.order("red", "march Seleukos > Larisa")
    told = question(desk, "blue")
    assert "  b  intercept Leosthenes from Lamia discarding\n     needs 5+: 33%\n" in told
    assert 'e.g. "b if Yellow passes"' in told
    assert not any(hint in told for hint in ("With part of them", "A standing order for next time"))


AT_SEA = {
    **MARCH, "mp": {"kassandros": 6}, "fleets": {"red": ["kypros"], "blue": ["rhodos", "athenai", "karia", "phoenike"]},
    "spaces": {"paphos": "red", "salamis": "red", **dict.fromkeys(
        ("rhodos", "athenai", "halikarnassos", "ephesos", "tyros", "sidon", "arados"), "blue")},
    "forces": [{"owner": "red", "at": "paphos", "generals": ["kassandros"], "cus": {"loyal": 2}}]}


def sailing(folder: Path, **more: Any) -> Desk:
    """Red is at sea, and Blue may come out."""
    desk = found(folder, {**AT_SEA, **more})
    desk.order("red", "embark Kassandros with 2 loyal escorted by Kypros\nsail Kassandros > Phaselis")
    return desk


def test_who_has_fleets_and_may_not_come_out_is_named_and_nobody_else(tmp_path: Path) -> None:
    """13.3 A Red sails himself, Blue is asked, and Black has no Fleet."""
    seas = {"red": ["kypros"], "blue": ["rhodos"], "yellow": ["athenai"]}
    ports = {"paphos": "red", "salamis": "red", "rhodos": "blue", "athenai": "yellow"}
    told = " ".join(question(sailing(tmp_path / "g", spaces=ports, fleets=seas), "blue").split())
    assert told.count("is not asked") == 1
    assert "Yellow is not asked (13.3 A): no own PC lies within 2 sea paths of Phaselis." in told


def test_a_long_answer_of_which_nothing_is_to_be_known_stands_alone(tmp_path: Path) -> None:
    told = question(sailing(tmp_path / "g", champions={"red": "no", "blue": "no"}), "blue")
    assert "  b  naval battle with Athenai, Karia, Rhodos, Phoenike\n  c  naval battle" in told


def test_a_price_of_several_answers_is_told_once(tmp_path: Path) -> None:
    told = question(sailing(tmp_path / "g"), "blue")
    assert told.count("it makes Blue a Successor") == 1 and told.count("     the same price (3.7)\n") == 10
    assert told.index("it makes Blue a Successor") < told.index("  c  naval battle") < told.index("the same price")


def test_below_an_answer_stands_what_it_costs(tmp_path: Path) -> None:
    army = {"owner": "blue", "at": "ephesos", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}}
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 5}, "spaces": {"halikarnassos": "red", "ephesos": "blue"},
                                  "forces": [MARCH["forces"][0], army, MARCH["forces"][3]]})
    desk.order("red", "march Antigonos > Ephesos asking passage of Blue")
    desk.order("blue", "grant")
    desk.run()
    assert "  b  break\n     This makes Red a Successor (-3 L, from 3 to 0): " in question(desk, "red")


def test_in_public_nobody_is_led_to_say_before_all_eyes_what_he_will_always_do(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    asked = desk.match.question
    assert asked is not None
    said, view = showing.words(desk, "blue"), showing.faced(desk, "blue")
    private, public = (putting.put(said, asked, "blue", view, public=public) for public in (False, True))
    for hint in ("A standing order for next time", "a always"):
        assert hint in private and hint not in public
    assert "With part of them" in public


def test_one_answer_is_what_silence_means_and_no_other(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {
        **MARCH, "mp": {"seleukos": 4}, "spaces": {"pella": "blue"}, "champions": {"red": "no"},
        "forces": [{"owner": "red", "at": "larisa", "generals": ["seleukos"], "cus": {"loyal": 3}},
                   {"owner": "blue", "at": "pella", "generals": ["krateros"], "cus": {"loyal": 1, "mercenary": 1}}]})
    desk.order("red", "march Seleukos > Pella")
    told = question(desk, "blue")
    assert "  c  inside" in told
    assert "b  inside Krateros" in told and told.count("also if you are silent") == 1 and "needs" not in told
    assert "a always" in told and "With part of them" not in told and "A standing order for next time" not in told


def test_a_card_that_may_be_played_stands_with_its_title_and_is_no_answer_that_lasts(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", cards=True, windows="asked")
    desk.order("red", "roll\nsurprise 57 on Antigonos")
    told = question(desk, "blue")
    assert "  b  play 50 as surprise                        \"Cretan Liar\"" in told
    assert "a always" not in told and "Only under a condition" not in told
