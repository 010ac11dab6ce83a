"""A game that is opened from its folder: who is asked and until when, what lies sealed or waits, what is opened at the end."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import small_game
from small_game import MARCH, NOON, SECRETS, again, at_window, found

from pbem.base.errors import BadLog, NotNow, Refused
from pbem.base.folder import Lock
from pbem.chance import scheme
from pbem.chance.check import CLOSED, FAILED
from pbem.components.corrections import as_written
from pbem.desk import showing
from pbem.desk.desk import Desk
from pbem.desk.tray import Answer, Cards, Tray, promised
from pbem.log import gamelog
from pbem.play.verify import verify
from pbem.rules.war import MODERATOR


def asked(desk: Desk) -> list[str]:
    return [entry["ask"] for entry in desk.game.entries if "ask" in entry]


@pytest.fixture
def withdrawal(tmp_path: Path) -> Desk:
    """Blue has come over, and Red alone is asked whether he stays."""
    game = at_window(tmp_path / "g")
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    return game


# --- opening ---------------------------------------------------------------------------------------------------------


def test_a_game_is_opened_at_its_moment_or_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = found(tmp_path / "g").folder
    monkeypatch.setenv("PBEM_NOW", "2026-11-19T08:00Z")
    assert Desk(folder, now=NOON).now == NOON and Desk(folder).now == NOON + timedelta(hours=20)


def test_a_game_is_opened_by_its_folder_or_by_its_log(tmp_path: Path) -> None:
    folder = found(tmp_path / "g").folder
    assert Desk(folder).folder == Desk(folder / gamelog.GAME).folder == folder


def test_secrets_that_are_none_are_told_with_their_file(tmp_path: Path) -> None:
    folder = found(tmp_path / "g").folder
    private = folder / gamelog.PRIVATE
    private.write_text(private.read_text().replace(SECRETS.plain()["deck"], "x" * 64))
    with pytest.raises(BadLog) as refused:
        Desk(folder)
    assert refused.value.key == "secrets_unreadable" and gamelog.PRIVATE in showing.sentence(refused.value)


def test_words_of_seats_go_into_the_dice_and_a_seat_without_one_has_none(tmp_path: Path) -> None:
    keys = found(tmp_path / "g").keys
    words = {"red": "first snow", "blue": "", "yellow": "grapes", "black": ""}
    assert keys is not None and keys.mixed == scheme.entropy("small", words)
    assert found(tmp_path / "h", secrets=False).keys is None


@pytest.mark.parametrize("chance", [{"words": {"red": "first snow"}}, {"words": {}}, {}, None])
def test_who_has_given_no_word_yet_has_an_empty_one(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chance: dict[str, Any] | None) -> None:
    usual = small_game.header()
    promise = {key: value for key, value in usual.pop("chance").items() if key != "words"}
    more = {"chance": {**promise, **chance}} if chance is not None else {}
    monkeypatch.setattr(small_game, "header", lambda: {**usual, **more})
    keys = found(tmp_path / "g").keys
    given = {"red": (chance or {}).get("words", {}).get("red", ""), "blue": "", "yellow": "", "black": ""}
    assert keys is not None and keys.mixed == scheme.entropy("small", given)


@pytest.mark.parametrize(("secrets", "cards", "knows"), [
    (True, True, True), (True, False, True), (False, True, True), (False, False, False)])
def test_hands_are_known_where_secrets_or_cards_are(tmp_path: Path, secrets: bool, cards: bool, knows: bool) -> None:
    secret = found(tmp_path / "g", secrets=secrets, cards=cards).match.g.secret
    assert (secret is not None) is knows and (not cards or secret.hand("yellow") == ("58", "4"))
    assert again(tmp_path / "g", published=True).match.g.secret is None


@pytest.mark.parametrize("reason", ["", "as it stood on the table"])
def test_a_game_begins_with_a_reason_where_one_is_given_and_without_a_private_file_where_nothing_is_private(
        tmp_path: Path, reason: str) -> None:
    with Lock(tmp_path):
        game = Desk.found(tmp_path, small_game.header(), MARCH, Tray(), reason)
    assert game.game.entries[0] == {"position": MARCH, **({"reason": reason} if reason else {})}
    assert not (tmp_path / gamelog.PRIVATE).exists()


def test_what_waits_of_a_turn_rests_on_what_its_sender_knew_until_he_sends_other_lines(tmp_path: Path) -> None:
    game, found_ = found(tmp_path / "g"), []
    for lines, more in ((["roll"], {}), (["roll"], {"since": 5, "named": {"ephesos": "red"}}), (["roll"], {}), (["end"], {}),
                        (["end"], {"since": 7})):
        game.set_waiting("red", lines, **more)
        turn = game.tray.turn("red")
        assert turn is not None and turn.lines == lines
        found_.append((turn.since, turn.named))
    assert found_ == [(0, {}), (5, {"ephesos": "red"}), (5, {"ephesos": "red"}), (5, {}), (7, {})]
    game.set_waiting("red", [])
    assert game.tray.turn("red") is None


# --- who is asked ----------------------------------------------------------------------------------------------------


def test_the_orders_of_a_segment_are_one_question_and_every_other_seat_is_asked_anew(withdrawal: Desk) -> None:
    assert len(asked(withdrawal)) == 3                      # his orders, the window, and whether he stays
    withdrawal.order("red", "withdraw")
    assert withdrawal.match.question.kind == "activation" and len(asked(withdrawal)) == 4
    withdrawal.order("red", "end activation")
    assert len(asked(withdrawal)) == 4
    withdrawal.order("red", "end")
    assert withdrawal.match.question.sides == ("blue",) and len(asked(withdrawal)) == 5


def test_whoever_was_silent_is_not_waited_for_again_in_the_same_turn(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "surrender"}})
    game.run()
    game.close(game.match.question.id, by="clock")
    assert game.match.question.sides == ("red",) and game.match.question.kind != "surrender" and len(asked(game)) == 1


def test_a_window_has_its_own_time_though_whoever_is_asked_was_silent_just_before(tmp_path: Path) -> None:
    """9.3, 12.2 Blue has not said who stays in the city; whether he runs he is asked all the same."""
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 6}, "champions": {"red": "no"}, "forces": MARCH["forces"][:2]})
    game.order("red", "march Antigonos > Ephesos")
    game.order("blue", "pass")
    game.order("red", "march Antigonos > Sardeis")
    game.close(game.match.question.id, by="clock")
    assert game.match.question.kind == "evasion" and game.match.question.sides == ("blue",)
    assert game.game.entries[-1].get("ask") == game.match.question.id


def test_only_the_sides_of_a_question_are_asked(withdrawal: Desk) -> None:
    assert [seat for seat in withdrawal.header["seats"] if withdrawal.asks(seat)] == ["red"]


def test_after_an_undo_the_time_begins_anew(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.run()
    game.order("red", "split Halikarnassos leaving 1 mercenary")
    later = again(tmp_path / "g", now=NOON + timedelta(days=1))
    later.undo(len(later.game.entries), "misread", override=True)
    assert later.game.entries[-1] == {"ask": later.match.question.id, "due": "2026-11-21T12:00Z"}


@pytest.mark.parametrize("published", [True, False])
def test_since_when_somebody_is_asked_is_kept_where_there_is_a_private_file(tmp_path: Path, published: bool) -> None:
    found(tmp_path / "g")
    game = again(tmp_path / "g", published=published)
    game.run()
    assert (game.tray.asked is None) is published


@pytest.mark.parametrize(("zone", "due"), [(None, "2026-11-20T14:00Z"), ("America/New_York", "2026-11-20T12:00Z")])
def test_a_quiet_night_is_that_of_whoever_is_asked_or_of_nobody(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str | None, due: str) -> None:
    seats = {seat: {**who, **({"zone": zone} if zone else {})} for seat, who in small_game.SEATS.items()}
    monkeypatch.setattr(small_game, "SEATS", seats)
    game = found(tmp_path / "g", deadlines={"quiet": "10-14"})
    game.run()
    assert game.game.entries[-1]["due"] == due


def test_a_window_that_is_open_is_not_asked_again_by_what_comes_in_between(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    before = asked(game)
    game.enter({"note": "a fine morning"})
    assert asked(game) == before


def test_whoever_comes_behind_one_who_was_silent_is_asked(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "surrender"}})
    game.run()
    while game.match.question.sides == ("red",):
        game.close(game.match.question.id, by="clock")
    assert game.match.question.sides == ("blue",) and asked(game)[-1] == game.match.question.id


def test_the_first_entry_of_a_log_asks_too(tmp_path: Path) -> None:
    gamelog.create(tmp_path, small_game.header())
    game = again(tmp_path)
    game.enter({"position": MARCH})
    assert asked(game) == [game.match.question.id]


# --- what lies sealed, what waits --------------------------------------------------------------------------------------


def test_the_newest_answer_counts_and_has_the_next_number(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    receipts = [game.order("blue", line)[0].receipt for line in ("pass", "intercept Lysimachos with all")]
    assert [one.number for one in receipts] == [1, 2] and [one.before for one in receipts] == ["", receipts[0].digest]
    assert len(game.tray.answers) == 1 and game.sealed(game.match.question).keys() == {"blue"}


def test_where_nothing_is_promised_an_answer_has_no_receipt_and_a_close_no_digests(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}}, secrets=False)
    game.order("red", "march Antigonos > Ephesos")
    assert game.order("blue", "pass")[0].receipt is None
    game.order("yellow", "pass")
    close = next(entry for entry in game.game.entries if "close" in entry)
    assert close.keys() >= {"close", "answers", "closed", "now"} and "receipts" not in close and "silent" not in close


def test_lines_that_wait_are_replaced_and_keep_since_when_unless_it_is_said(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    assert game.waiting("red") == [] and not game.is_held("red")
    game.set_waiting("red", ["roll", "end"], since=3, named={"ephesos": "nobody"})

    def lies() -> Any:
        one = game.tray.turn("red")
        return one and (one.lines, one.held, one.since, one.named)

    game.set_waiting("red", ["roll", "end"], held=True)
    assert lies() == (["roll", "end"], True, 3, {"ephesos": "nobody"}) and game.is_held("red")
    game.set_waiting("red", ["end"])
    assert lies() == (["end"], False, 3, {}) and len(game.tray.turns) == 1
    game.set_waiting("red", ["end"], since=7, named={"tyros": "red"})
    assert lies() == (["end"], False, 7, {"tyros": "red"})
    game.set_waiting("red", [])
    assert lies() is None
    game.set_waiting("red", ["roll"])
    assert lies() == (["roll"], False, 0, {})


# --- what becomes of answers -------------------------------------------------------------------------------------------


def test_a_sealed_answer_stays_while_a_card_is_played_on_top_of_its_window(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    window = game.match.question.id
    game.order("blue", "pass")
    game.order("yellow", "surprise 58 on Black")
    assert game.match.question.kind == "surprise"
    game.close(game.match.question.id, by="clock")
    assert game.match.question.id == window and game.sealed(game.match.question) == {"blue": "pass"}


@pytest.mark.parametrize("text", ["pass", "intercept Lysimachos with all"])
def test_an_answer_has_gone_with_the_entry_that_shows_it(tmp_path: Path, text: str) -> None:
    game = at_window(tmp_path / "g")
    game.order("blue", text)
    (number, *_) = game.close(game.match.question.id, by="moderator", throws=[(6, "")] * (text != "pass"), reason="a test")
    assert [(one.seat, one.went, one.opened, one.ahead) for one in game.tray.answers] == [("blue", number, True, False)]


def test_what_was_said_ahead_lies_until_the_way_is_over_and_an_undo_meanwhile_is_no_news_of_it(route: Desk) -> None:
    route.order("blue", "at Ephesos: pass")
    route.close(route.match.question.id)

    def lying() -> list[str]:
        return [one.text for one in route.tray.answers if one.ahead and not one.went]

    assert lying() == ["at Ephesos: pass"]
    (note, *_) = route.enter({"note": "a fine morning"})
    route.undo(note, "a slip", override=True)
    assert lying() == ["at Ephesos: pass"] and route.tray.news_for("blue") == []
    route.run(release="red")
    assert lying() == ["at Ephesos: pass"] and route.match.question.about["space"] == "pergamon"
    route.close(route.match.question.id, by="moderator")
    assert lying() == []


def test_what_was_said_of_one_place_alone_does_not_lie_ahead(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.order("blue", "pass")
    game.close(game.match.question.id, by="moderator")
    assert not [one for one in game.tray.answers if one.ahead]


def test_a_standing_order_is_used_up_by_what_it_has_answered(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("blue", "standing: intercept Red with Lysimachos, all, twice")
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    game.run()
    assert [one.left for one in game.tray.standing if not one.went] == [1]
    assert [entry.get("standing") for entry in game.game.entries if "close" in entry] == [["blue"]]


def test_a_standing_order_that_passed_because_somebody_else_acted_is_not_used_up(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("yellow", "standing: intercept Red with Kassandros, all, unless Blue acts, twice")
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    game.order("blue", "intercept Lysimachos with all", throws=[(1, "")], reason="a test")
    game.run()
    close = next(entry for entry in game.game.entries if "close" in entry)
    assert close["answers"]["yellow"] == "pass" and close["standing"] == ["yellow"]
    assert [one.left for one in game.tray.standing if not one.went] == [2]


def test_a_newer_word_about_later_steps_takes_the_place_of_the_older(route: Desk) -> None:
    route.order("blue", "at Ephesos: pass")
    route.close(route.match.question.id)
    route.run()
    route.order("blue", "at Pergamon: pass")
    assert [one.text for one in route.tray.answers if one.ahead] == ["at Ephesos: pass", "at Pergamon: pass"]
    assert not [one for one in route.tray.answers if not one.went]


def test_a_newer_word_on_the_way_counts_at_the_steps_behind_it(tmp_path: Path) -> None:
    others = {"owner": "yellow", "at": "abydos", "generals": ["kassandros"], "cus": {"mercenary": 2}}
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 6}, "forces": [*MARCH["forces"][:2], others], "spaces": {
        "halikarnassos": "red", "sardeis": "blue", "abydos": "yellow"}})
    game.order("red", "march Antigonos > Ephesos > Pergamon > Ephesos openly")
    game.order("blue", "at Ephesos: pass; at Pergamon: pass")
    game.close(game.match.question.id, by="moderator")
    game.run()
    game.order("blue", "at Pergamon: pass; at Ephesos: intercept Lysimachos with all")
    game.order("yellow", "pass")
    game.run()
    closes = [entry for entry in game.game.entries if "close" in entry]
    assert closes[-1]["answers"] == {"blue": "intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary"}


def test_an_answer_before_anybody_is_activated_stays_while_something_else_is_written(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("yellow", "surprise 58 on Black")
    game.order("blue", "pass")
    game.enter({"note": "a fine morning"})
    assert game.match.question.kind == "surprise" and game.sealed(game.match.question) == {"blue": "pass"}


def test_a_game_may_end_on_the_march(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})
    game.order("red", "march Antigonos > Xanthos")
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert game.match.g.over and game.match.question is None


def test_a_standing_order_in_the_place_of_which_something_else_was_played_is_not_used_up(tmp_path: Path) -> None:
    """He answered himself after all."""
    game = found(tmp_path / "g")
    game.order("blue", "standing: intercept Red with Lysimachos, all, twice")
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    game.order("blue", "pass")
    game.order("yellow", "pass")
    game.run()
    assert [one.left for one in game.tray.standing if not one.went] == [2]


def test_whoever_is_asked_alone_has_answered_nothing_by_what_he_said_ahead_of_the_place(tmp_path: Path) -> None:
    """12.2 A He has said that he runs, and is asked where to."""
    few = {"owner": "blue", "at": "pergamon", "generals": ["eumenes"], "cus": {"mercenary": 1}}
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 6}, "champions": {"red": "no"},
                                  "forces": [*MARCH["forces"][:2], few], "spaces": {"halikarnassos": "red", "sardeis": "blue"}})
    game.order("red", "march Antigonos > Ephesos > Pergamon > Ephesos openly")
    game.order("blue", "at Ephesos: pass; at Pergamon: evade")
    game.close(game.match.question.id, by="moderator")
    game.run()
    game.close(game.match.question.id, by="moderator")
    game.close(game.match.question.id, by="moderator", throws=[(6, "")], reason="a test")
    assert game.match.question.kind == "escape" and game.tray.ahead("blue") is not None
    assert game.sealed(game.match.question) == {}


# --- which receipts a close lists -------------------------------------------------------------------------------------


@pytest.fixture
def route(tmp_path: Path) -> Desk:
    """Red tells the way that he takes, and Blue alone could come."""
    game = found(tmp_path / "g", {
        **MARCH, "mp": {"antigonos": 6}, "forces": MARCH["forces"][:2], "spaces": {"halikarnassos": "red", "sardeis": "blue"}})
    game.order("red", "march Antigonos > Ephesos > Pergamon openly")
    return game


def listed(game: Desk) -> list[Any]:
    return [entry.get("receipts") for entry in game.game.entries if "close" in entry]


def test_an_answer_for_all_of_a_route_is_listed_with_each_step_of_it(route: Desk) -> None:
    digest = route.order("blue", "at Ephesos: pass; at Pergamon: pass")[0].receipt.digest
    route.run()
    assert listed(route) == [{"blue": digest}] * 3


def test_what_was_said_of_the_last_step_counts_however_often_others_were_asked_on_the_way(tmp_path: Path) -> None:
    there = {"owner": "blue", "at": "abydos", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}}
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 6}, "forces": [MARCH["forces"][0], there], "spaces": {
        "halikarnassos": "red", "abydos": "blue"}})
    game.order("red", "march Antigonos > Ephesos > Pergamon > Daskyleion openly")
    game.order("blue", "at Pergamon: pass; at Daskyleion: intercept Lysimachos with all")
    game.run()
    assert [entry["answers"] for entry in game.game.entries if "close" in entry] == [
        {}, {"blue": "pass"}, {"blue": "intercept Lysimachos from Abydos with 2 loyal, 2 mercenary"}]
    assert [entry["do"].partition(" > ")[2] for entry in game.game.entries if " > " in entry.get("do", "")] == [
        "Ephesos openly via Pergamon > Daskyleion", "Pergamon openly via Daskyleion", "Daskyleion"]


def test_what_was_said_of_one_step_is_not_listed_with_another(route: Desk) -> None:
    digest = route.order("blue", "at Ephesos: pass")[0].receipt.digest
    route.run()
    assert route.match.question.kind == "interception" and route.match.question.about["space"] == "pergamon"
    route.close(route.match.question.id, by="moderator")
    assert listed(route) == [{"blue": digest}, {"blue": digest}, None]


def test_what_was_said_of_a_step_and_is_not_allowed_any_more_there_is_no_answer(route: Desk) -> None:
    digest = route.order("blue", "at Ephesos: pass; at Pergamon: intercept Lysimachos with 2 loyal")[0].receipt.digest
    route.ruling("They have left him", facts={"forces": [{**MARCH["forces"][1], "cus": {"mercenary": 2}}]})
    route.run()
    route.run(release="red")
    question = route.match.question
    assert (question.kind, question.sides, question.about["space"]) == ("interception", ("blue",), "pergamon")
    assert route.sealed(question) == {} and not route.complete(question)
    route.close(question.id, by="moderator")
    assert listed(route) == [{"blue": digest}, {"blue": digest}, None]


def test_a_new_answer_to_a_step_is_listed_in_the_place_of_what_was_said_ahead(tmp_path: Path) -> None:
    others = {"owner": "yellow", "at": "abydos", "generals": ["kassandros"], "cus": {"mercenary": 2}}
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 6}, "forces": [*MARCH["forces"][:2], others], "spaces": {
        "halikarnassos": "red", "sardeis": "blue", "abydos": "yellow"}})
    game.order("red", "march Antigonos > Ephesos > Pergamon openly")
    ahead = game.order("blue", "at Ephesos: pass; at Pergamon: pass")[0].receipt.digest
    game.close(game.match.question.id, by="moderator")
    game.run()
    assert game.match.question.sides == ("blue", "yellow")          # Yellow has said nothing of it yet
    newer = game.order("blue", "pass")[0].receipt.digest
    game.order("yellow", "pass")
    game.run()
    assert [one["blue"] for one in listed(game)] == [ahead, ahead, newer]


def test_an_answer_that_was_taken_before_receipts_were_given_is_not_listed(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.tray.answers.append(Answer(seat="blue", question=game.match.question.id, text="pass"))
    game.close(game.match.question.id, by="moderator")
    assert listed(game) == [None]


# --- the end of a Game Turn -------------------------------------------------------------------------------------------


def at_the_end(folder: Path, *, secrets: bool = True) -> Desk:
    """Two cards that lie face down are turned up, then the Game Turn is over."""
    tray = promised(SECRETS) if secrets else Tray()
    tray.cards = Cards({}, ["30"], ["24", "25"]) if secrets else None
    folder.mkdir()
    with Lock(folder):
        Desk.found(folder, small_game.header(), {
            "turn": 2, "phase": "strategy", "round": 5, "turn_order": [*small_game.SEATS], "face_down": 2,
            "segment": {"player": "black", "kind": "forage"}, "forces": MARCH["forces"], "spaces": MARCH["spaces"]}, tray)
    return again(folder)


def told_at_the_end(game: Desk) -> list[dict[str, Any]]:
    place = next(place for place, entry in enumerate(game.game.entries) if "turn_end" in entry)
    return [dict(entry) for entry in game.game.entries[place:place + 2]]


def test_a_game_turn_ends_with_its_position_its_link_and_the_cards_that_were_turned_up(tmp_path: Path) -> None:
    game = at_the_end(tmp_path / "g")
    game.run()
    ended, shown = told_at_the_end(game)
    assert (ended["turn_end"], ended["position"]["turn"]) == (2, 3)
    assert ended["open"] == {"epoch": 2, "link": SECRETS.link(2).hex()}
    assert (shown["openings"]["deck"], [card[1] for card in shown["openings"]["cards"]]) == ("adopted,2", ["24", "25"])


def test_what_is_open_is_not_opened_again_when_the_game_turn_ends(tmp_path: Path) -> None:
    game = at_the_end(tmp_path / "g")
    game.enter({"open": {"epoch": 2, "link": SECRETS.link(2).hex()}})
    game.run()
    assert "open" not in told_at_the_end(game)[0]


def test_where_nothing_is_promised_a_game_turn_ends_with_its_position_alone(tmp_path: Path) -> None:
    game = at_the_end(tmp_path / "g", secrets=False)
    game.enter({"by": MODERATOR, "do": "turn up 24"})
    game.enter({"by": MODERATOR, "do": "turn up 25"}, [(die, "") for die in (1, 2, 3, 4)], "a table elsewhere")
    ended, asks = told_at_the_end(game)
    assert ended.keys() == {"turn_end", "position"} and asks.keys() == {"ask", "due"}


# --- closing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("by", "late", "marks"), [
    ("clock", True, {"closed": "overdue", "as": "silent"}), ("moderator", False, {
        "closed": "early", "as": "silent", "reason": "moderator"}),
    ("moderator", True, {"closed": "moderator", "as": "silent", "reason": "moderator"})])
def test_an_answer_in_the_name_of_one_says_by_what_right(withdrawal: Desk, by: str, late: bool, marks: dict[str, str]) -> None:
    game = again(withdrawal.folder, now=NOON + timedelta(days=9 if late else 0))
    (number, *_) = game.close(game.match.question.id, by=by)
    assert {key: game.game.entries[number - 1].get(key) for key in ("closed", "as", "reason") if key in marks or key in
            game.game.entries[number - 1]} == marks


def test_a_question_that_nobody_was_put_yet_is_not_closed_early(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    (number, *_) = game.close(game.match.question.id, by="moderator")
    assert game.game.entries[number - 1]["closed"] == "moderator"


def test_for_a_seat_that_nobody_plays_the_default_is_played_and_nobody_was_silent(withdrawal: Desk) -> None:
    withdrawal.enter({"seat": "red", "neutral": "yes", "reason": "resigned"})
    before = len(withdrawal.game.entries)
    withdrawal.run()
    (answered, *_) = [entry for entry in withdrawal.game.entries[before:] if "by" in entry]
    assert answered["by"] == "red" and not answered.keys() & {"as", "closed"}


def test_an_early_close_ends_where_the_deadline_is(withdrawal: Desk) -> None:
    due = NOON + timedelta(hours=48)
    game = again(withdrawal.folder, now=due)
    (number, *_) = game.close(game.match.question.id, by="moderator")
    assert game.game.entries[number - 1]["closed"] == "moderator"


def test_what_nobody_asks_now_is_not_closed_and_the_moderator_is_not_silent(withdrawal: Desk) -> None:
    with pytest.raises(NotNow, match="open T2"):
        withdrawal.close("T9.R9.red.9")
    says = {"text": "He may retire.", "params": {"says": "He may retire."}, "key": "retire", "on_by_default": True}
    withdrawal.close(withdrawal.match.question.id, by="moderator")
    withdrawal.order("red", "end activation")
    withdrawal.amend(as_written([{"datum": "generals.antigonos.ability", "value": says}]), "read off the card")
    withdrawal.order("red", "use ability of Antigonos")
    assert withdrawal.match.question.sides == (MODERATOR,)
    with pytest.raises(Refused) as refused:
        withdrawal.close(withdrawal.match.question.id)
    assert "Antigonos" in showing.sentence(refused.value)


def test_when_the_game_is_over_no_question_is_closed_any_more(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    asked_last = game.match.question.id
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    with pytest.raises(NotNow) as refused:
        game.close(asked_last, by="clock")
    assert refused.value.key == "not_the_open_question" and refused.value.facts["open"] == ""


def test_the_card_that_the_moderator_has_to_turn_up_is_not_closed_either(tmp_path: Path) -> None:
    """6 At the end of a round, where nothing knows which card it is."""
    game = found(tmp_path / "g", {
        **MARCH, "phase": "strategy", "round": 5, "turn_order": [*small_game.SEATS], "face_down": 2,
        "segment": {"player": "black", "kind": "forage"}}, secrets=False)
    assert game.match.question.kind == "turn_up"
    for by in ("clock", "moderator"):
        with pytest.raises(Refused) as refused:
            game.close(game.match.question.id, by=by)
        assert refused.value.key == "ruling_needed" and game.match.question.kind == "turn_up"


def test_when_the_game_is_over_all_that_was_closed_is_opened_once(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    game.run()
    opened = [entry["open"] for entry in game.game.entries if "open" in entry]
    assert [one["deck_secret"] for one in opened] == [SECRETS.plain()["deck"]]
    assert (opened[0]["epoch"], opened[0]["link"]) == (2, SECRETS.link(2).hex())
    assert again(tmp_path / "g").run() == [] and len(again(tmp_path / "g").game.entries) == len(game.game.entries)
    by_hand = found(tmp_path / "h", secrets=False)
    by_hand.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert not any("open" in entry for entry in by_hand.game.entries)


def judged(game: Desk) -> set[str]:
    return {one.state for one in verify(game.folder)}


def test_an_end_that_was_taken_back_opens_what_was_drawn_since_when_it_comes_again(tmp_path: Path) -> None:
    """Without the link of these dice the log of an honest moderator would be proved wrong."""
    game = found(tmp_path / "g", cards=True)
    (end, *_) = game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    game.undo(end, "a misunderstanding", override=True)
    assert game.match.question is not None and CLOSED not in judged(game)
    game.order("red", "roll")
    assert CLOSED in judged(game)
    (again_over, opened) = game.ruling("Agreed now", facts={"over": {"by": "agreement"}})
    assert game.game.entries[opened - 1]["open"].keys() == {"epoch", "link", "deck_secret", "orders"}
    assert not {CLOSED, FAILED} & judged(game)
    game.undo(again_over, "nothing was played in between", override=True)
    game.ruling("Agreed for good", facts={"over": {"by": "agreement"}})
    assert game.game.entries[-1]["open"].keys() == {"deck_secret", "orders"} and FAILED not in judged(game)


def test_a_die_that_falls_after_the_end_is_opened_at_once(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    game.enter({"note": "well played"})
    assert game.game.entries[-1] == {"note": "well played"}
    game.ruling("Who keeps the board?", roll=1)
    assert game.game.entries[-1]["open"]["epoch"] == 3 and CLOSED not in judged(game)


def test_whoever_has_the_secrets_opens_what_an_end_without_them_left_closed(tmp_path: Path) -> None:
    """The game was ended where the private file was not at hand; its last link had been opened before."""
    found(tmp_path / "g").enter({"open": {"epoch": 2, "link": SECRETS.link(2).hex()}})
    again(tmp_path / "g", published=True).enter({"ruling": "Agreed", "facts": {"over": {"by": "agreement"}}})
    assert "deck_secret" not in again(tmp_path / "g").game.entries[-1].get("open", ())
    again(tmp_path / "g").run()
    assert again(tmp_path / "g").game.entries[-1]["open"].keys() == {"deck_secret"}


def test_what_a_game_begins_with_again_after_its_end_is_proved_too(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    game.undo(1, "other cards were meant", override=True)
    game.tray.cards = Cards({"red": ["13"]}, ["20"])
    game.with_cards().enter({"position": {**MARCH, "hands": {"red": 1}, "deck": {
        "name": "main,2", "cards": ["20"], "left": 1}}})
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert game.game.entries[-1]["open"]["orders"]["adopted,2,2"] == ["13", "20"] and FAILED not in judged(game)


def test_what_was_not_changed_is_not_written(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.run()
    assert not game.commit() and not game.is_changed
    before = (game.folder / gamelog.PRIVATE).stat().st_mtime_ns
    game.keep()
    assert (game.folder / gamelog.PRIVATE).stat().st_mtime_ns == before
    game.set_waiting("red", ["roll"])
    assert game.is_changed and game.commit() and not game.commit() and again(game.folder).waiting("red") == ["roll"]


@pytest.mark.parametrize("zone", [{"zone": "UTC"}, {"zone": ""}, {"zone": None}, {}])
def test_whoever_has_left_out_where_he_lives_is_waited_for_by_the_common_clock(tmp_path: Path, zone: dict[str, Any]) -> None:
    """In a header that was edited by hand as well, where nothing stands behind `zone:`."""
    game = at_window(tmp_path / "g", deadlines={"default": 48, "quiet": "22-7"})
    game.match.seats = {seat: {"name": seat, **zone} for seat in game.match.seats}
    question = game.match.question
    assert question is not None and game.deadline(question) == "2026-11-20T12:00Z"
