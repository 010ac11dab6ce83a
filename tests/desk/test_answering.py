"""What a receipt says of each line, of what came of it and of whom the game waits for; and what proves a turn and a hand."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH, Desk, again, at_window, found, go_on

from pbem.desk import answering, reporting, showing
from pbem.desk.submission import Outcome
from pbem.desk.tray import Printed
from pbem.table import position

WAITS = ("Waiting for Bruno (Blue) and Chiara (Yellow) (interception at Ephesos) until\nFri 20 Nov, 12:00 UTC.")


def became(desk: Desk, one: Outcome) -> str:
    return answering.became(showing.words(desk), one)


def with_block(lines: list[str]) -> dict[str, Any]:
    """What a checker reads out of these lines."""
    at = next(place for place, line in enumerate(lines) if line.startswith("{"))
    assert lines[0] == "" and all(line[:1] in "{ " for line in lines[at:])
    found: dict[str, Any] = json.loads(" ".join(line.strip() for line in lines[at:]))
    return found


# --- a receipt ---------------------------------------------------------------------------------------------------


def test_each_line_stands_with_its_number_and_what_became_of_it_below(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    outcomes = desk.order("red", "roll\nmarch Antigonos > Ephesos\nmarch Antigonos with all > Sardeis > Pergamon")
    assert answering.receipt(desk, outcomes).splitlines()[:8] == [
        "1  roll", "   done.", "   Whoever rolls for movement cannot raise a Mercenary in this segment", "     (6.3).",
        "2  march Antigonos > Ephesos", "   done: march Antigonos with 2 loyal, 3 mercenary > Ephesos.",
        "3  march Antigonos with all > Sardeis > Pergamon", "   Waiting until T2.R1.red.3 is answered."]


def test_what_happened_stands_between_the_lines_and_whom_the_game_waits_for(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    before = len(desk.game.entries)
    outcomes = desk.order("red", "roll\nmarch Antigonos > Ephesos")
    bare, told = answering.receipt(desk, outcomes), answering.receipt(desk, outcomes, before + 1)
    assert bare.endswith(f"Ephesos.\n{WAITS}") and "rolled" not in bare
    assert "\n\nRed rolled a 2 for movement: Antigonos has 3 MPs.\n\nAntigonos marched from" in told
    assert told.endswith(f"1 MP, 2 left.\n\n{WAITS}")
    assert answering.receipt(desk, [], len(desk.game.entries) + 1) == WAITS


def test_a_long_line_goes_on_under_itself(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    outcomes = desk.order("red", "march Antigonos " + "with all the others " * 4 + "> Ephesos")
    first, second, *_ = answering.receipt(desk, outcomes).splitlines()
    assert first.startswith("1  march Antigonos with") and second.startswith("   ") and second[3] != " "


def test_a_sealed_answer_says_what_it_was_taken_as_and_whose_place_it_took(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    (first,) = desk.order("blue", "b")
    assert became(desk, first) == ("Answer to T2.R1.red.3: intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary: "
                                   "sealed; it is opened together with the other answers.")
    (second,) = desk.order("blue", "pass")
    assert became(desk, second) == ("sealed; it is opened together with the other answers. It takes the place of: intercept "
                                    "Lysimachos from Sardeis with 2 loyal, 2 mercenary.")


def test_a_line_that_asks_is_answered_in_its_receipt(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "standing: lose mercenary, always")
    (one,) = desk.order("red", "standing")
    assert one.state == "answered" and became(desk, one) == "\n".join(one.did) and "lose mercenary" in one.did[-1]


def test_programs_read_the_same_and_the_receipt_of_whoever_has_one(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    sealed = answering.receipt_data(desk, desk.order("blue", "pass"))
    assert (sealed["question"], sealed["sides"]) == ("T2.R1.red.3", ["blue", "yellow"])
    assert sealed["lines"][0]["state"] == "sealed" and sealed["lines"][0]["receipt"]["seat"] == "blue"
    refused = answering.receipt_data(desk, desk.order("yellow", "roll"))["lines"][0]
    assert refused["rule"] == "11.2" and "receipt" not in refused
    desk.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert answering.receipt_data(desk, []) == {"lines": [], "question": None, "sides": []}


# --- how a line was understood ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("did", "told"), [
    (["march A > B", "march A > C", "march A > D"], ["march A > B > C > D"]),
    (["sail 2 > B", "sail 2 > C"], ["sail 2 > B > C"]),
    (["march A > B", "march C > D"], ["march A > B", "march C > D"]),
    (["march A > B", "roll", "march A > C"], ["march A > B", "roll", "march A > C"]),
    (["march A > B > C openly", "march A > D"], ["march A > B > C openly", "march A > D"]),
    (["retreat A > B", "retreat A > C"], ["retreat A > B", "retreat A > C"]),
    (["end segment", "end segment"], ["end segment", "end segment"]),
])
def test_only_the_steps_of_one_march_or_voyage_are_one_order(did: list[str], told: list[str]) -> None:
    assert answering.on_the_way(did) == told


def test_a_refusal_tells_what_was_done_before_it_and_only_then(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    (one,) = desk.order("red", "march Antigonos > Rhodos")
    assert one.error is not None and became(desk, one).startswith("not allowed") and "Then:" not in became(desk, one)


# --- what proves a turn and a hand -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Game Turn is over, and the next has begun."""
    folder = tmp_path_factory.mktemp("turn") / "g"
    desk = found(folder, {key: value for key, value in MARCH.items() if key != "segment"} | {"phase": "deal"})
    go_on(desk, 3)
    return folder


def end_of(desk: Desk) -> int:
    return next(number for number, entry in enumerate(desk.game.entries, 1) if "turn_end" in entry)


def test_the_end_of_a_game_turn_is_proved_to_whoever_hears_of_it_and_once(played: Path) -> None:
    desk = again(played)
    ended = end_of(desk)
    proved = with_block(answering.turn_proof(desk, "red", 1))["turn"]
    assert (proved["turn"], proved["entries"], proved["head"]) == (2, ended, desk.game.head(ended)[:32])
    assert {"epoch", "link"} <= proved.keys()
    for since in (0, ended):
        assert answering.turn_proof(desk, "red", since) == answering.turn_proof(desk, "red", 1)
    assert answering.turn_proof(desk, "red", ended + 1) == []
    assert answering.turn_proof(desk, "red", 1)[1:3] == [
        "Game Turn II is over. This block is the same for everybody: compare it with",
        "another player. Two that differ are two logs."]


def test_an_end_that_was_taken_back_is_not_proved(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "g")
    desk = again(tmp_path / "g")
    ended = end_of(desk)
    desk.undo(ended - 2, "too soon", override=True)
    assert "turn_end" not in desk.game.entries[-1] and answering.turn_proof(desk, "red", 1) == []


def test_what_was_proved_before_is_not_proved_again_because_another_end_was_taken_back(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", secrets=False)
    (ended, *_) = desk.enter({"turn_end": 2, "position": position.written(desk.match.g)})
    (since, *_) = desk.enter({"note": "hello"})
    desk.enter({"turn_end": 3, "position": position.written(desk.match.g)})
    assert with_block(answering.turn_proof(desk, "red", since))["turn"]["turn"] == 3
    desk.undo(since, "too soon", override=True)
    assert answering.turn_proof(desk, "red", since) == answering.turn_proof(desk, "red", ended + 1) == []
    assert with_block(answering.turn_proof(desk, "red", 1))["turn"]["turn"] == 2


def test_where_nothing_was_promised_an_end_opens_nothing(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", secrets=False)
    desk.enter({"turn_end": 2, "position": position.written(desk.match.g)})
    assert with_block(answering.turn_proof(desk, "red", 1))["turn"].keys() == {"game", "turn", "entries", "head"}


def test_a_hand_is_proved_when_a_card_has_come_to_it(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", cards=True)
    before = len(desk.game.entries)
    told = answering.hand_proof(desk, "red")
    assert told[1:3] == [
        "What proves these cards, for the page that checks games; for your eyes only:", told[2]] and told[2].startswith("{")
    assert [card for _, card, *_ in with_block(told)["openings"]["cards"]] == ["1", "57"]
    assert answering.hand_proof(desk, "red", before + 1) == []


def test_what_a_hand_gains_is_proved_to_its_owner_and_what_it_plays_is_not(tmp_path: Path) -> None:
    start = {**MARCH, "segment": {"player": "red", "kind": "tyche"}}
    drawn = found(tmp_path / "g", start, cards={"red": ["57", "58"], "blue": ["50"]})
    before = len(drawn.game.entries)
    drawn.order("red", "discard 57")
    assert drawn.match.g.secret is not None
    assert {card for _, card, *_ in with_block(answering.hand_proof(drawn, "red", before + 1))["openings"]["cards"]} == set(
        drawn.match.g.secret.hand("red"))
    assert answering.hand_proof(drawn, "blue", before + 1) == []
    played = found(tmp_path / "h", start, cards=True)
    played.order("red", "play 1 as ops")
    assert played.match.g.secret is not None and played.match.g.secret.hand("red") == ("57",)
    assert answering.hand_proof(played, "red", before + 1) == []


def test_what_is_for_his_eyes_only_and_no_card_proves_no_hand(tmp_path: Path) -> None:
    """That a standing order has answered for Blue Blue alone is told."""
    desk = found(tmp_path / "g", cards=True)
    desk.order("blue", "standing: intercept Red into Ephesos with Lysimachos, all, once")
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    before = len(desk.game.entries)
    desk.order("yellow", "pass")
    desk.run()
    news = reporting.events_for(desk, "blue", before + 1)
    assert any(event.key == "stood_in" and not event.for_seat("red") for event in news)
    assert answering.hand_proof(desk, "blue") and answering.hand_proof(desk, "blue", before + 1) == []


def test_whoever_has_no_card_and_whoever_looks_from_outside_has_nothing_to_prove(tmp_path: Path) -> None:
    assert answering.hand_proof(found(tmp_path / "g"), "red") == []
    found(tmp_path / "h", cards=True)
    assert answering.hand_proof(again(tmp_path / "h", published=True), "red") == []


def test_what_the_box_says_is_told_of_ones_own_cards_and_generals_as_far_as_its_form_had_it(tmp_path: Path) -> None:
    texts = {"cards.1": "Take two", "cards.50": "Not yours", "generals.antigonos": "He sees", "generals.lysimachos": "Nor he"}
    texts["generals.antigonos"] += " whatever happens to anybody who stands with him or near to him" * 2
    for number, secrets in enumerate((True, False)):
        desk = found(tmp_path / str(number), secrets=secrets, cards=secrets)
        desk.tray.printed = {thing: Printed(text, "00" * 16) for thing, text in texts.items()}
        rows = answering.in_own_words(desk, "red")
        told = "\n".join(rows)
        assert [text in " ".join(rows) for text in texts.values()] == [secrets, False, True, False]
        assert told in "\n".join(answering.hand_proof(desk, "red")) and "\n " not in told
