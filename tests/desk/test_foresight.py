"""What holds the rest of a seat's lines back, and that a trial does what the order would do."""

from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH, again, found

from pbem.desk import ahead, foresight
from pbem.desk.desk import Desk
from pbem.table.events import ALL, Event, events

SIDES = ("seat", "loser", "attacker", "defender", "victim", "owner", "mover", "by", "to")


def happened(key: str, **facts: Any) -> Event:
    return Event(key, ALL, {name: facts.get(name, "" if name in SIDES else 0) for name in events()[key]})


def test_no_event_stands_in_both_tables() -> None:
    assert foresight.OTHERS_DID | foresight.AGAINST.keys() <= events().keys()
    assert not foresight.OTHERS_DID & foresight.AGAINST.keys()


@pytest.mark.parametrize("key", sorted(foresight.AGAINST))
def test_what_goes_against_a_seat_holds_its_lines_and_nobody_elses(key: str) -> None:
    named = next((name for name in ("loser", "attacker", "victim", "owner", "seat") if name in events()[key]), "seat")
    event = happened(key, **{named: "red"}, points=0, lost=1, killed=True, winner="blue", **({"mover": "blue"} if (
        "mover" in events()[key]) else {}))
    assert foresight.holds_back(event, "red") and not foresight.holds_back(event, "yellow")


@pytest.mark.parametrize(("key", "facts"), [
    ("siege_rolled", {"seat": "red", "points": 1}), ("naval_battle_fought", {"seat": "blue", "mover": "red", "winner": "red"}),
    ("battle_won", {"seat": "red", "loser": "blue"}), ("desertions_rolled", {"seat": "red", "lost": 0}),
    ("treachery_rolled", {"seat": "red", "succeeded": True}), ("failure_rolled", {"owner": "red", "killed": False}),
    ("reinforced", {"seat": "red"}), ("mercenary_raised", {"seat": "red"}), ("cus_placed", {"seat": "red"}),
    ("eliminated", {"seat": "red"}), ("surprise_played", {"seat": "red"}),
])
def test_what_goes_well_holds_nothing(key: str, facts: dict[str, Any]) -> None:
    assert not foresight.holds_back(happened(key, **facts), "red")


@pytest.mark.parametrize("key", sorted(foresight.OTHERS_DID))
def test_what_others_did_holds_the_lines_of_everybody_else(key: str) -> None:
    event = happened(key, seat="blue")
    assert foresight.holds_back(event, "red") and ("seat" not in events()[key] or not foresight.holds_back(event, "blue"))


# --- At the desk --------------------------------------------------------------


def test_what_was_told_before_a_seats_own_last_order_it_knows(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("red", "roll")
    assert not foresight.unforeseen(game, "red")
    game.ruling("Tyros is black", facts={"spaces": {"tyros": "black"}})
    assert foresight.unforeseen(game, "red")
    game.order("red", "march Antigonos > Xanthos")
    assert not foresight.unforeseen(game, "red") and foresight.unforeseen(game, "blue")
    since = len(game.game.entries) + 1                                  # Blue sends his turn ahead: all that he knows
    game.set_waiting("blue", ["roll"], since=since)
    assert not foresight.unforeseen(game, "blue")
    game.set_waiting("blue", ["roll"], since=since, named={"ephesos": "red"})
    assert foresight.unforeseen(game, "blue")                           # it is nobody's, and not what it was
    game.set_waiting("red", ["end"], since=since - 2, named={"ephesos": "red"})
    assert not foresight.unforeseen(game, "red")                        # he has gone on since: that is no longer looked at


def test_a_seat_knows_what_was_before_its_own_order_and_not_what_was_before_one_in_its_name(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.ruling("Tyros is black", facts={"spaces": {"tyros": "black"}})
    game.order("red", "roll")
    for word in ("a fine morning", "a fine evening"):
        game.enter({"note": word})
        assert not foresight.unforeseen(game, "red")
    game.ruling("Tyros is blue", facts={"spaces": {"tyros": "blue"}})
    game.close(game.match.question.id, by="clock")
    assert any("as" in entry for entry in game.game.entries[-2:])
    assert foresight.unforeseen(game, "red")


@pytest.mark.parametrize(("line", "named"), [("roll", False), ("march Lysimachos > Abydos", True)])
def test_what_others_do_among_themselves_is_no_news_to_what_was_sent_ahead_be_it_of_nothing_on_the_map(
        tmp_path: Path, line: str, named: bool) -> None:
    """It rests on what it names; what waits of other lines rests on everything."""
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})
    rests_on = ahead.named(game.match, [line])
    assert bool(rests_on) is named
    game.set_waiting("blue", [line], since=len(game.game.entries) + 1, named=rests_on)
    game.order("red", "march Antigonos > Ephesos")
    game.order("blue", "pass")
    game.order("yellow", "intercept Kassandros with all", throws=[(6, "")], reason="a test")
    game.run()
    assert "intercepted" in {event.key for _, event in game.match.history}
    assert not foresight.unforeseen(game, "blue")
    game.set_waiting("blue", [])
    game.set_waiting("blue", [line])
    assert foresight.unforeseen(game, "blue")


def test_an_order_that_was_carried_out_is_never_said_to_be_held(tmp_path: Path) -> None:
    """What stands in the log is done; what is held lies in the tray."""
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos > Halikarnassos\nend activation")
    game.order("blue", "pass")
    game.order("yellow", "pass")
    for outcome in game.run():
        assert (outcome.state == "done") is bool(outcome.did or outcome.entries or outcome.line.startswith("close"))
    game = found(tmp_path / "h")
    game.order("red", "roll\nmarch Antigonos > Ephesos\nend activation")
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    held = game.run()
    assert game.waiting("red") == ["end activation"] and game.is_held("red")
    assert not any(one.state == "held" and one.entries for one in held)


def test_a_trial_of_a_whole_turn_says_what_the_order_would_do(tmp_path: Path) -> None:
    text = "march Antigonos > Halikarnassos"
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})
    lines = "split Halikarnassos leaving 1 mercenary\nend activation\nend segment"
    tried = game.dry_run("red", lines)
    done = again(tmp_path / "g").order("red", lines)
    assert [(one.line, one.state, one.did) for one in tried] == [(one.line, one.state, one.did) for one in done], text


def test_a_trial_stops_at_a_die_and_calls_it_no_refusal(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    tried = game.dry_run("red", "roll\nmarch Antigonos > Ephesos")
    assert [one.state for one in tried] == ["unknown", "unread"]
    assert [one.state for one in game.dry_run("red", "dance")] == ["refused"]


SIEGE = {"turn": 2, "segment": {"player": "red", "kind": "surrender"},
         "spaces": {"halikarnassos": "red", "elymaioi": "independent"},
         "forces": [{"owner": "red", "at": "elymaioi", "generals": ["antigonos"], "cus": {"mercenary": 3, "loyal": 2}}]}


@pytest.mark.parametrize(("line", "lost"), [("", "1 mercenary"), ("lose 1 loyal\n", "1 loyal"), ("**\n", "1 mercenary")])
def test_a_standing_order_answers_on_the_way_through_a_mail_that_does_not(tmp_path: Path, line: str, lost: str) -> None:
    """15.2 B The Siege costs a CU: which one was said in advance, or is said in the next line; then the mail goes on."""
    game = found(tmp_path / "g", SIEGE)
    game.order("red", "standing: lose mercenary, loyal, always")
    outcomes = game.order("red", f"siege Elymaioi\n{line}end segment\nend segment", throws=[(3, "")], reason="a test")
    assert [one.state for one in outcomes] == ["done"] * len(outcomes)
    assert f"lose {lost}" in [entry.get("do") for entry in game.game.entries] and game.match.g.segment == "activation"


def test_a_standing_order_answers_between_the_orders_of_one_line(tmp_path: Path) -> None:
    game = found(tmp_path / "g", SIEGE)
    game.order("red", "standing: lose mercenary, loyal, always")
    (outcome,) = game.order("red", "siege Elymaioi; end segment; end segment", throws=[(3, "")], reason="a test")
    assert outcome.state == "done" and len(outcome.did) == 3 and game.match.g.segment == "activation"


# --- attempts that fail ------------------------------------------------------------------------------------------------

THERE_AND_BACK = "march Antigonos > Ephesos > Halikarnassos\nmarch Antigonos > Xanthos\nend activation"
AWAY: dict[str, Any] = {**MARCH, "mp": {"antigonos": 4}, "champions": {"red": "no"}}


def stands(*there: dict[str, Any]) -> dict[str, Any]:
    """Red's Antigonos before Ephesos, and these."""
    return {**AWAY, "forces": [MARCH["forces"][0], *there]}


BLUE, YELLOW = MARCH["forces"][1:3]
# What others try against him, with a die of 1 for each: where, by which optional rules, what each of them answers.
TRIED: dict[str, tuple[dict[str, Any], list[str], dict[str, str]]] = {
    "interception": (stands(BLUE, YELLOW), [], {"blue": "intercept Lysimachos with all"}),
    "by two": (stands(BLUE, YELLOW), [], {"blue": "intercept Lysimachos with all", "yellow": "intercept Kassandros with all"}),
    "with cavalry": (stands({**BLUE, "cus": {"cavalry": 1, "loyal": 1}}), ["16.9"], {"blue": "intercept Lysimachos with all"}),
    "by Independents": (stands({"owner": "independent", "general": "glaukias", "at": "pergamon", "cus": {"independent": 6}}),
                        ["16.11"], {"blue": "intercept Glaukias"}),
    "evasion": (stands({**BLUE, "at": "ephesos", "generals": ["lysimachos"], "cus": {"mercenary": 1}}), [], {"blue": "evade"}),
}


def marched(folder: Path, row: str, answers: dict[str, str], die: int) -> Desk:
    """Red's lines, and what the others do about them; each who tries something throws this."""
    start, options, _ = TRIED[row]
    game = found(folder, start, cards=True, windows="held", options=options)
    game.order("red", THERE_AND_BACK)
    while (question := game.match.question) is not None and question.sides != ("red",):
        if question.sealed:
            said = {seat: answers.get(seat, "pass") for seat in question.sides}
        else:
            (seat,) = question.sides
            said = {seat: "discard 50" if question.kind == "reaction_card" else game.match.say(question.silence(seat))}
        falls = question.kind == "reaction_card" or question.sealed and row != "by Independents"    # who are paid first
        thrown = [(die, "") for text in said.values() if text != "pass"] if falls else []
        for number, (seat, text) in enumerate(said.items(), 1):
            last = thrown if number == len(said) else []
            assert game.order(seat, text, throws=last, reason="a test" if last else "")[0].error is None
        game.run()
    return game


def red_did(game: Desk) -> list[str]:
    return [entry["do"] for entry in game.game.entries if entry.get("by") == "red"]


@pytest.mark.parametrize("row", TRIED)
def test_an_attempt_that_fails_holds_nothing(tmp_path: Path, row: str) -> None:
    """11.2, 12.2 Whoever tried stands where he stood: what the mover has written goes on as if nobody had tried."""
    tried, passed = marched(tmp_path / "tried", row, TRIED[row][2], 1), marched(tmp_path / "passed", row, {}, 1)
    known = {event.key for _, event in tried.match.history}
    assert known & {"interception_rolled", "evasion_rolled"} and not known & {"intercepted", "evaded"}
    assert red_did(tried) == red_did(passed) and red_did(tried)[-1] == "end activation" and not tried.waiting("red")


def test_a_minor_general_who_was_placed_for_it_is_news(tmp_path: Path) -> None:
    """7.1 C He stays on the map though the attempt has failed."""
    attempt = "intercept Lysimachos with 2 loyal placing a minor to stay"
    assert marched(tmp_path / "g", "interception", {"blue": attempt}, 1).is_held("red")


def test_whoever_gets_away_is_news(tmp_path: Path) -> None:
    """12.2 The space that was meant to be fought for is empty."""
    game = marched(tmp_path / "g", "evasion", TRIED["evasion"][2], 6)
    assert game.is_held("red") and red_did(game) == red_did(game)[:1]
