"""What saves waiting changes no decision: asked and answered so, the game is the same; and how fast it goes shows nothing."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from asked_once import truce
from small_game import MARCH, NOON, again, found

from pbem.desk import ahead
from pbem.desk.desk import Desk
from pbem.table import position

START = {**MARCH, "mp": {"antigonos": 4}}
# Blue's Lysimachos, before whom Red's Elephants come.
FIGHT = {**START, "champions": {"red": "no"}, "forces": [
    {"owner": "red", "at": "halikarnassos", "generals": ["antigonos"], "cus": {"loyal": 2, "elephant": 2}},
    {"owner": "blue", "at": "ephesos", "generals": ["lysimachos"], "cus": {"mercenary": 2}}]}
MARKS = ("due", "via", "clock", "silent", "standing", "skipped", "as", "closed", "receipts")


def bare(game: Desk) -> list[Mapping[str, Any]]:
    """The log without what is asked, until when, by which way it came, and how it closed."""
    return [{key: value for key, value in entry.items() if key not in MARKS}
            for entry in game.game.entries if "ask" not in entry]


def same(one: Desk, other: Desk) -> None:
    """The same decisions, dice, position and hidden facts."""
    assert bare(one) == bare(other)
    assert position.fingerprint(one.match.g) == position.fingerprint(other.match.g)
    assert one.match.g.secret is not None and other.match.g.secret is not None
    assert {seat: one.match.g.secret.hand(seat) for seat in one.match.g.seats} == {
        seat: other.match.g.secret.hand(seat) for seat in other.match.g.seats}


def marched(game: Desk) -> Desk:
    game.order("red", "roll\nmarch Antigonos > Ephesos\nmarch Antigonos > Halikarnassos")
    return game


@pytest.mark.parametrize("answer", ["pass", "intercept Lysimachos with all"])
def test_an_answer_that_was_made_to_last_is_the_answer_that_would_have_been_given(tmp_path: Path, answer: str) -> None:
    """11.2 Asked twice and answered twice, or once for both."""
    asked, lasting = found(tmp_path / "asked", START, cards=True), found(tmp_path / "lasting", START, cards=True)
    kept = "pass on interception" if answer == "pass" else "intercept with Lysimachos, all"
    lasting.order("blue", f"standing: {kept}, always")
    for game in (asked, lasting):
        marched(game)
        for _ in range(3):
            question = game.match.question
            if question is None or not question.sealed:
                break
            for seat in question.sides:
                if seat not in game.sealed(question) and game.match.question is question:
                    game.order(seat, answer if seat == "blue" and question.kind == "interception" else "pass")
        game.run()
    assert any("close" in entry and entry["answers"].get("blue") for entry in bare(asked))
    same(asked, lasting)


def test_a_turn_sent_ahead_is_the_turn_that_would_have_been_sent(tmp_path: Path) -> None:
    turn = ["play 2 as ops", "end", "roll", "end"]
    asked, sent = found(tmp_path / "asked", START, cards=True), found(tmp_path / "sent", START, cards=True)
    sent.set_waiting("blue", turn, since=len(sent.game.entries) + 1, named=ahead.named(sent.match, turn))
    for game in (asked, sent):
        game.order("red", "roll\nend")
        game.run()
        question = game.match.question
        assert question is not None
        if question.sides == ("blue",) and game is asked:
            game.order("blue", "\n".join(turn))
    assert asked.match.g.player == "yellow"
    same(asked, sent)


def test_a_turn_sent_ahead_lies_there_as_it_came_while_its_sender_is_asked_something_else(tmp_path: Path) -> None:
    """What he could not know when he sent it, and what it rests on, is looked at when its moment comes."""
    game = truce(tmp_path / "g")
    assert game.match.question is not None and game.match.question.sides == ("blue",)
    game.set_waiting("blue", ["roll", "end"], since=len(game.game.entries) + 1, named={"ptolemaios": "lamia"})
    sent = replace(game.tray.turn("blue") or pytest.fail())
    assert game.run() == [] and game.tray.turn("blue") == sent


@pytest.mark.parametrize("how", ["reserved", "held"])
def test_a_card_that_was_filed_is_the_card_that_would_have_been_played(tmp_path: Path, how: str) -> None:
    """6.2, 14.3 A window that waits for nobody closes as one that was asked and answered so."""
    hands = {"red": ["1"], "blue": ["48", "2"], "yellow": ["4"], "black": ["5"]}
    asked, filed = (found(tmp_path / "asked", FIGHT, cards=hands, windows="asked"),
                    found(tmp_path / "filed", FIGHT, cards=hands, windows=how))
    filed.file("blue", "48")
    for game in (asked, filed):
        game.order("red", "roll\nmarch Antigonos > Ephesos")
        for _ in range(12):
            question = game.match.question
            if question is None or question.kind in ("activation", "surrender"):
                break
            if question.kind == "battle_cards" and "blue" in question.sides:
                game.order("blue", "play 48 as surprise")
            if game.match.question is question:
                game.close(question.id, by="clock")
    assert asked.match.g.discards == ["48"]
    same(asked, filed)


def test_the_same_mails_at_the_same_times_give_the_same_public_moments_whatever_is_held(tmp_path: Path) -> None:
    """6.2 Hands exchanged: a mail about a card moves no moment, and a window closes at the time fixed when it opened."""
    moments = []
    for name, blue, yellow in (("holds", ["48", "2"], ["4"]), ("lacks", ["3", "2"], ["48"])):
        hands = {"red": ["1"], "blue": blue, "yellow": yellow, "black": ["5"]}
        game = found(tmp_path / name, FIGHT, cards=hands, windows="reserved")
        game.reserve("blue", ["battle"])
        told: list[Any] = []
        for hour in range(0, 150, 6):
            game = again(game.folder, now=NOON + timedelta(hours=hour))
            question = game.match.question
            if hour == 0:
                game.order("red", "roll\nmarch Antigonos > Ephesos")
            elif question is not None and question.kind == "battle_cards" and "blue" in question.sides:
                game.order("blue", "play 48 as surprise" if name == "holds" and hour % 12 == 0 else "pass")
            elif question is not None and question.kind == "evasion":
                game.order("blue", "pass")
            close_overdue(game)
            question = game.match.question
            told.append((hour, len(game.game.entries), question and (question.id, game.match.due_of(question))))
            if question is not None and question.kind == "battle_cards":
                told.append("open")
            if question is not None and told.count("open") and question.kind != "battle_cards":
                break
        moments.append(told)
    assert "open" in moments[0]
    assert moments[0][:moments[0].index("open") + 2 * moments[0].count("open")] == (
        moments[1][:moments[1].index("open") + 2 * moments[1].count("open")])
    assert moments[0].count("open") == moments[1].count("open") > 1


def close_overdue(game: Desk) -> None:
    from pbem.desk import deadline

    stands = deadline.closing(game)
    if stands is not None and stands.state == deadline.CLOSES:
        game.close(stands.question.id, by="clock")
