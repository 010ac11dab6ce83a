"""6.2 Card windows: who is asked, when they close, what may be filed in advance, and that nothing of it shows."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import small_game
from small_game import NOON, SECRETS, again, header

from pbem.base.errors import NotNow, PbemError, Refused
from pbem.base.folder import Lock
from pbem.cards import EFFECTS
from pbem.components import catalogue
from pbem.components.schema import BY_RULING
from pbem.desk import deadline, filing
from pbem.desk.desk import Desk
from pbem.desk.filing import read_trigger
from pbem.desk.overview import status
from pbem.desk.posing import question_text
from pbem.desk.tray import Cards, Filed, Tray, promised
from pbem.kernel.procedures import Ask
from pbem.play.match import CARD_WINDOWS, MOMENTS, Match
from pbem.rules import battle, naval_battle, windows
from pbem.telling.words import Words

FACTS = catalogue.facts()
SURPRISES = {card: fact for card, fact in FACTS.cards.items() if fact["kind"] == "surprise"}

# Red's Seleukos, with Elephants, before Larisa, where Blue's Krateros stands.
START: dict[str, Any] = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"}, "champions": {"red": "no"}, "mp": {"seleukos": 4},
    "forces": [
        {"owner": "red", "at": "lamia", "generals": ["seleukos"], "cus": {"loyal": 2, "elephant": 2}},
        {"owner": "blue", "at": "larisa", "generals": ["krateros"], "cus": {"mercenary": 2}},
    ],
}
HANDS = {"red": ["1"], "blue": ["48", "2"], "yellow": ["4"], "black": ["5"]}
DECK = [str(number) for number in range(20, 40)]
ATTACK = "march Seleukos > Larisa"
DEVICES = "battle at Larisa: surprise 48"


def found(folder: Path, hands: dict[str, list[str]] | None = None, deck: list[str] | None = None,
          seen: tuple[str, ...] = (), **rules: Any) -> Desk:
    """A game with these hidden cards; the log is the same whatever they are."""
    hands, deck = hands or HANDS, deck or DECK
    start = {**START, "hands": {seat: len(cards) for seat, cards in hands.items()},
             "deck": {"name": "main,2", "cards": sorted([*DECK, *(card for hand in HANDS.values() for card in hand)]),
                      "left": len(deck)}, "discards": list(seen)}
    folder.mkdir()
    with Lock(folder):
        Desk.found(folder, header(**rules), start, replace(promised(SECRETS), cards=Cards(hands, deck)))
    return again(folder)


def without_devices(folder: Path, **rules: Any) -> Desk:
    """The same game, but card 48 has changed places with a card in the deck."""
    hands = {**HANDS, "blue": ["27", "2"]}
    return found(folder, hands, ["48" if card == "27" else card for card in DECK], **rules)


@pytest.fixture(scope="module")
def any_game(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """One in which nothing is written."""
    return found(tmp_path_factory.mktemp("any") / "g")


def attacked(game: Desk) -> Desk:
    """Up to the moment before the battle: Blue does not evade."""
    game.order("red", ATTACK)
    game.order("blue", "pass")
    return game


def public(game: Desk) -> tuple[bytes, str]:
    """All that anybody sees: the log, and the status made with the private file, which has to be that without it.

    Digests hang on the order of the deck, and nobody can read them.
    """
    shown = status(game, "public")
    assert shown == status(again(game.folder, published=True), "public")
    return re.sub(rb"[0-9a-f]{64}", b"", (game.folder / "game.yaml").read_bytes()), re.sub(r"head \w+", "", shown)


def closings(game: Desk) -> list[dict[str, Any]]:
    return [dict(entry) for entry in game.game.entries if "close" in entry]


# --- every card has its moment -----------------------------------------------------------------------------------


def test_every_surprise_card_has_a_function() -> None:
    assert {fact["effect_key"] for fact in SURPRISES.values()} <= EFFECTS.keys()


def test_every_function_has_a_card() -> None:
    assert EFFECTS.keys() <= {BY_RULING, *(fact["effect_key"] for fact in FACTS.cards.values())}


def test_every_moment_that_a_card_names_is_known() -> None:
    assert {timing for fact in FACTS.cards.values() for timing in fact["timing"]} == windows.TIMINGS.keys()
    assert {kind for kind in windows.TIMINGS.values() if kind not in ("", "tyche")} == set(CARD_WINDOWS)


def effects(kind: str) -> set[str]:
    return {fact["effect_key"] for fact in SURPRISES.values() if kind in {windows.TIMINGS[one] for one in fact["timing"]}}


def test_every_window_asks_for_all_its_cards() -> None:
    assert effects("battle_cards") == battle.USES.keys() - {BY_RULING}
    assert effects("naval_cards") == naval_battle.CARDS.keys() - {BY_RULING}
    assert effects("surprise") == {"cancel_surprise"}
    assert effects("death_cards") == {"save_general"}
    assert effects("defeat_cards") == {"isolation_check"}


# --- windows that are asked --------------------------------------------------------------------------------------


def test_a_window_looks_the_same_whoever_holds_or_files_what(tmp_path: Path) -> None:
    holds, files, answers, lacks = (found(tmp_path / "holds"), found(tmp_path / "files"), found(tmp_path / "answers"),
                                    without_devices(tmp_path / "lacks"))
    files.file("blue", DEVICES)
    for game in (holds, files, answers, lacks):
        attacked(game)
        assert game.match.question is not None
        assert (game.match.question.kind, game.match.question.sides) == ("battle_cards", ("blue",))
    assert len({public(game) for game in (holds, files, answers, lacks)}) == 1
    assert answers.order("blue", "surprise 48")[0].state == "sealed"
    assert lacks.order("blue", "pass")[0].state == "sealed"
    assert lacks.order("blue", "surprise 48")[0].state == "refused"
    for game in (holds, files, answers, lacks):
        assert game.run() == []
    assert len({public(game) for game in (holds, files, answers, lacks)}) == 1


def test_it_closes_at_its_time_and_only_real_plays_are_written(tmp_path: Path) -> None:
    games = [found(tmp_path / "holds"), found(tmp_path / "files"), found(tmp_path / "answers")]
    for game in games:
        attacked(game)
    holds, files, answers = games
    files.file("blue", DEVICES)
    answers.order("blue", "surprise 48")
    assert deadline.closing(again(tmp_path / "files", now=NOON + timedelta(hours=47))).state == deadline.OPEN
    for game in games:
        late = again(game.folder, now=NOON + timedelta(hours=49))
        assert (stands := deadline.closing(late)) is not None and stands.state == deadline.CLOSES
        late.close(stands.question.id, by="clock")
    holds, files, answers = (again(game.folder) for game in games)
    assert closings(holds)[1]["answers"] == {}
    assert closings(files)[1]["answers"] == closings(answers)[1]["answers"] == {
        "blue": "play 48 as surprise"}
    assert files.match.g.discards == ["48"] and not holds.match.g.discards


def test_a_window_is_asked_with_its_deadline_also_of_one_who_was_silent_just_before(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("red", ATTACK)
    game.close(game.match.question.id, by="clock")
    assert (game.match.question.kind, game.match.question.sides) == ("battle_cards", ("blue",))
    assert game.game.entries[-1] == {"ask": game.match.question.id, "due": "2026-11-20T12:00Z"}


@pytest.mark.parametrize("promised", [True, False])
def test_a_window_in_which_nobody_played_lists_a_receipt_of_every_seat_where_any_are_given(
        tmp_path: Path, promised: bool) -> None:
    """So nobody sees who has answered."""
    game = attacked(found(tmp_path / "g") if promised else small_game.found(
        tmp_path / "g", {**START, "hands": {seat: len(cards) for seat, cards in HANDS.items()}}, secrets=False))
    game.close(game.match.question.id, by="clock", throws=[(3, "")] * 6 * (not promised), reason="a table")
    assert list(closings(game)[-1].get("receipts", ())) == ["blue"] * promised


def test_the_window_of_a_card_that_everybody_has_seen_does_not_open(tmp_path: Path) -> None:
    """47B, O60 and O61 are not in the game; with 48 and 54 in the discard pile nothing is left that anybody could hold."""
    game = attacked(found(tmp_path / "g", {**HANDS, "blue": ["2", "6"]}, seen=("48", "54")))
    assert game.match.question is not None and game.match.question.kind != "battle_cards"
    assert [entry["close"] for entry in closings(game)] == ["T2.R1.red.2"]


def test_a_card_that_cancels_may_be_filed_against_a_player(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**HANDS, "yellow": ["50"]}, windows="held")
    game.file("yellow", "card by blue: surprise 50")
    game.file("blue", DEVICES)
    attacked(game)
    assert game.match.g.discards == ["48", "50"]
    assert not filing.of(game.tray, "blue")


# --- windows that are held ---------------------------------------------------------------------------------------


def test_in_a_held_game_nothing_waits_and_every_window_leaves_its_entry(tmp_path: Path) -> None:
    game = attacked(found(tmp_path / "g", windows="held"))
    last = closings(game)[-1]
    assert (last["answers"], last["skipped"]) == ({}, "held")
    assert game.match.question is not None and game.match.question.kind not in CARD_WINDOWS
    assert last["close"] not in {entry.get("ask") for entry in game.game.entries}
    assert "48" not in game.match.g.discards


def test_where_dice_come_by_hand_every_window_is_asked() -> None:
    by_hand = {key: value for key, value in header(windows="held").items() if key != "chance"}
    assert filing.waits_always(Match(by_hand)) and not filing.waits_always(Match(header(windows="held")))


def test_a_held_log_is_the_same_whoever_holds_what(tmp_path: Path) -> None:
    holds = attacked(found(tmp_path / "holds", windows="held"))
    lacks = attacked(without_devices(tmp_path / "lacks", windows="held"))
    assert public(holds) == public(lacks)


def test_a_card_that_was_filed_acts_at_once_and_replays(tmp_path: Path) -> None:
    game = found(tmp_path / "g", windows="held")
    game.file("blue", DEVICES)
    attacked(game)
    assert any(entry["answers"] == {"blue": "play 48 as surprise"} and entry["skipped"] for entry in closings(game))
    assert game.match.g.hands["blue"] == 2
    assert again(tmp_path / "g", published=True).match.g.discards == ["48"]
    assert not filing.of(again(tmp_path / "g").tray, "blue")


def test_a_dry_run_does_not_learn_what_others_have_filed(tmp_path: Path) -> None:
    told = []
    for name, files in (("a", True), ("b", False)):
        game = found(tmp_path / name, windows="held")
        if files:
            game.file("blue", DEVICES)
        game.order("red", ATTACK)
        told.append([(one.state, str(one.error)) for one in game.dry_run("blue", "pass")])
        told.append([(one.state, str(one.error)) for one in game.dry_run("red", "surprise 1")])
    assert told[:2] == told[2:]


@pytest.mark.parametrize("windows", ["held", "asked"])
def test_what_a_window_would_bring_nobody_knows_where_it_is_closed_at_once(tmp_path: Path, windows: str) -> None:
    """Whoever tries a line behind the battle hears so, and not what others have put aside for it."""
    game = found(tmp_path / "g", windows=windows)
    game.order("red", ATTACK)
    tried = game.trial("blue").order("blue", "pass\nsiege Tarsos")
    assert [one.error.key if one.error else one.state for one in tried][-1] == {
        "held": "put_aside", "asked": "battle_cards_or_pass"}[windows]


def test_what_was_undone_is_asked_again_and_held_again(tmp_path: Path) -> None:
    game = attacked(found(tmp_path / "g", windows="held"))
    number = next(place for place, entry in enumerate(game.game.entries, 1) if entry.get("skipped"))
    game.undo(number, "the moderator's mistake", override=True)
    game.run()
    assert sum(bool(entry.get("skipped")) for entry in game.game.entries) == 2
    assert game.match.question is not None and game.match.question.kind not in CARD_WINDOWS


# --- filing ------------------------------------------------------------------------------------------------------


def test_what_is_filed_is_echoed_in_full(tmp_path: Path) -> None:
    made = found(tmp_path / "g").file("blue", "In the battle at Larisa against Red: surprise anti-elephant devices")
    assert (made.trigger, made.text, made.turn) == ("battle at Larisa by Red", "play 48 as surprise", 2)


@pytest.mark.parametrize("text", ["battle at Pella: surprise 48", "battle by yellow: surprise 48", "sea: surprise 53"])
def test_another_moment_does_not_trigger_it(text: str, tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**HANDS, "blue": ["48", "53"]}, windows="held")
    game.file("blue", text)
    attacked(game)
    assert not game.match.g.discards and len(filing.of(game.tray, "blue")) == 1


def test_an_alternative_that_is_pointless_falls_to_the_next_and_is_not_spent(tmp_path: Path) -> None:
    """Blue's Mutiny would turn a Loyal Macedonian of a player with less Prestige: here Red has more."""
    game = found(tmp_path / "g", {**HANDS, "blue": ["48", "54"]}, windows="held")
    game.ruling("red is legitimate", facts={"champions": {"red": "yes", "blue": "no"}, "adjust": {"red": {"L": 9}}})
    game.file("blue", "battle: surprise 54 else surprise 48")
    attacked(game)
    assert game.match.g.discards == ["48"] and game.match.g.hands["blue"] == 2
    assert game.match.g.secret is not None and game.match.g.secret.holds("blue", "54")
    assert [one.text for one in filing.of(game.tray, "blue")] == ["play 54 as surprise else play 48 as surprise"]


def test_a_card_that_fits_at_any_time_may_be_filed_for_a_battle(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**HANDS, "blue": ["57", "2"]}, windows="held")
    game.file("blue", "battle: surprise 57 on Krateros")
    game.order("red", ATTACK)
    game.order("blue", "pass")
    assert game.match.g.discards == ["57"]


def test_a_filed_card_falls_with_its_hand(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.file("blue", DEVICES)
    (number, *_) = game.ruling("time flies", facts={"turn": 3})
    assert not filing.of(game.tray, "blue") and [one.went for one in game.tray.filed] == [number]


@pytest.mark.parametrize("first, second", [(DEVICES, "card: surprise 50"), ("card: surprise 50", DEVICES)])
def test_an_undo_gives_back_what_was_filed_for_the_window_that_was_undone(first: str, second: str, tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**HANDS, "blue": ["48", "50"]}, windows="held")
    game.file("blue", first)
    game.file("blue", second)
    before = [replace(one) for one in filing.of(game.tray, "blue")]
    attacked(game)
    assert game.match.g.discards == ["48"] and len(filing.of(game.tray, "blue")) == 1
    number = next(place for place, entry in enumerate(game.game.entries, 1) if entry.get("skipped"))
    game.undo(number, "the moderator's mistake", override=True)
    game = again(tmp_path / "g")
    assert filing.of(game.tray, "blue") == before
    game.run()
    assert game.match.g.discards == ["48"] and len(filing.of(game.tray, "blue")) == 1


def test_an_undo_of_something_else_does_not_file_again_what_was_played(tmp_path: Path) -> None:
    game = found(tmp_path / "g", windows="held")
    game.file("blue", DEVICES)
    attacked(game)
    game.enter({"note": "a word"})
    game.undo(len(game.game.entries), "not needed", override=True)
    assert not filing.of(game.tray, "blue")


def test_a_filed_card_goes_with_the_entry_that_takes_it_be_it_in_private(tmp_path: Path) -> None:
    """Three entries are written at once: the second plays 58, which takes 57 in the third, and no others hear which it was."""
    game = found(tmp_path / "g", {**HANDS, "blue": ["58"], "red": ["57"]}, windows="held")
    game.file("blue", "battle: surprise 58 on Red")
    game.file("red", "battle: surprise 57")
    attacked(game)
    played, taken = (next(number for number, event in game.match.history if event.key == key)
                     for key in ("surprise_played", "card_shown"))
    assert played < taken and [(one.seat, one.went) for one in game.tray.filed] == [("blue", played), ("red", taken)]
    game.undo(taken, "the moderator's mistake", override=True)
    assert [one.text for one in filing.of(again(tmp_path / "g").tray, "red")] == ["play 57 as surprise"]
    assert not filing.of(game.tray, "blue")


def test_that_somebody_has_passed_was_not_opened_and_counts_again(tmp_path: Path) -> None:
    """Of a card window the log shows only real plays: who has answered otherwise is asked nothing twice."""
    for text, stays in (("pass", True), ("surprise 48", False)):
        game = attacked(found(tmp_path / text))
        assert game.match.question is not None
        game.order("blue", text)
        sealed = game.sealed(game.match.question)
        game.close(game.match.question.id, by="clock")
        closed = max(number for number, entry in enumerate(game.game.entries, 1) if "close" in entry)
        game.undo(closed, "too early", override=True)
        assert game.match.question is not None and game.match.question.kind == "battle_cards"
        assert game.sealed(game.match.question) == (sealed if stays else {})


def test_who_takes_back_what_he_filed_does_not_get_it_again(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.file("blue", DEVICES)
    game.unfile("blue", 1)
    game.enter({"note": "a word"})
    game.undo(len(game.game.entries), "not needed", override=True)
    assert not filing.of(game.tray, "blue")


def test_taking_back(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.file("blue", DEVICES)
    for number in (0, 2):
        with pytest.raises(Refused, match="nothing filed"):
            game.unfile("blue", number)
    game.file("blue", "battle: surprise 48")
    game.unfile("blue", 1)
    assert [one.trigger for one in filing.of(again(tmp_path / "g").tray, "blue")] == ["battle"]
    game.unfile("blue", 1)
    assert not filing.of(again(tmp_path / "g").tray, "blue")


@pytest.mark.parametrize("text, key", [
    ("surprise 48", "unreadable_trigger"), ("breakfast: surprise 48", "unreadable_trigger"),
    ("battle at Nowhere: surprise 48", "unknown_name"), ("battle: surprise 47B", "card_elsewhere"),
    ("battle: surprise 53", "card_not_in_hand"), ("sea: surprise 48", "card_for_another_moment"),
    ("battle: end segment", "file_surprise_cards"), ("battle: play 2 for ops", "file_surprise_cards"),
])
def test_what_cannot_be_filed_is_said_at_once(text: str, key: str, any_game: Desk) -> None:
    with pytest.raises(PbemError) as caught:
        any_game.file("blue", text)
    assert caught.value.key == key
    assert not filing.of(any_game.tray, "blue")


@pytest.mark.parametrize("text", ["battle", "battle at Larisa by Red", "sea at Gaza", "card 57 by Red", "death of Krateros",
                                  "defeat by Blue"])
def test_a_trigger_is_read_as_it_is_written(text: str, any_game: Desk) -> None:
    names = any_game.match.names
    assert read_trigger(text, names).text(names) == text


@pytest.mark.parametrize(("language", "text", "told"), [
    ("en", "battle at Larisa by Red", "battle at Larisa by Red"),
    ("en", "defeat of Independent", "defeat by Independent"), ("de", "battle at Larisa", "für die Schlacht in Larisa"),
    ("de", "battle", "für die Schlacht"), ("de", "card 57", "für eine Karte 57")])
def test_a_trigger_is_told_as_its_owner_would_write_it(language: str, text: str, told: str, any_game: Desk) -> None:
    match = any_game.match
    assert read_trigger(text, match.names).retold(Words(language, match.names, match.g.facts)) == told


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_filed_answers_its_own_moment_in_its_own_game_turn(moment: str, any_game: Desk) -> None:
    match, turn = any_game.match, any_game.match.g.turn
    filed = [Filed(seat="blue", trigger=trigger, text=trigger, turn=number) for trigger, number in (
        (moment, turn), (f"{moment} at Larisa", turn), (f"{moment} at Pella", turn), (moment, turn - 1))]
    for kind in (*CARD_WINDOWS, "interception"):
        question = Ask("blue", kind, "6.2", about={"space": "larisa", "ways": ["pella"]}, read=lambda side, answer: answer,
                       candidates=lambda side: (), default=())
        assert filing.answer(match, Tray(filed=filed), question, "blue") == (
            f"{moment} else {moment} at Larisa" if kind == MOMENTS[moment] else "")
        assert filing.answer(match, Tray(filed=filed), question, "red") == ""


@pytest.mark.parametrize(("text", "moments", "full"), [
    ("48", ["battle"], "battle: play 48 as surprise"), ("53 sea at Gaza", ["sea"], "sea at Gaza: play 53 as surprise"),
    ("57", ["battle"], "battle: play 57 as surprise"), ("1", [], "1"), ("2 battle", [], "2 battle"), ("99", [], "99")])
def test_a_card_has_the_moments_of_its_text(text: str, moments: list[str], full: str, any_game: Desk) -> None:
    assert filing.moments_of(any_game.match, text.split()[0]) == moments
    assert filing.in_full(any_game.match, text) == full


def test_a_name_that_several_cards_bear_means_the_one_in_hand(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**HANDS, "blue": ["56", "2"]})
    filed = game.file("blue", "sea: play Fog as surprise")
    assert "56" in filed.text and "53" not in filed.text
    with pytest.raises(PbemError):
        game.file("yellow", "sea: play Fog as surprise")


def test_a_card_window_closes_at_its_time_whatever_silence_means_and_whoever_is_not_reached(tmp_path: Path) -> None:
    game = attacked(found(tmp_path / "g", silence={"default": "hold"}))
    game.tray.mail.unreachable["blue"] = "2026-11-18T12:00:00Z"
    game.keep()
    closing = deadline.closing(again(tmp_path / "g", now=NOON + timedelta(hours=500)))
    assert closing is not None and closing.state == deadline.CLOSES


def test_where_cards_are_dealt_at_a_table_whatever_could_be_in_a_hand_may_be_filed(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    folder.mkdir()
    with Lock(folder):
        Desk.found(folder, header(), {**START, "hands": {"blue": 2}}, Tray())
    game = again(folder)
    game.file("blue", DEVICES)
    game.enter({"note": "a word"})
    assert len(filing.of(again(folder).tray, "blue")) == 1


def test_a_filing_of_nobody_is_refused(any_game: Desk) -> None:
    with pytest.raises(Refused, match="unknown seat"):
        any_game.file("green", DEVICES)


def test_the_moderator_does_not_shorten_the_window_of_a_card(tmp_path: Path) -> None:
    game = attacked(found(tmp_path / "g"))
    assert game.match.question is not None
    with pytest.raises(Refused, match="window runs its time"):
        game.close(game.match.question.id, by="all have passed")
    game.close(game.match.question.id, by="clock")


def test_only_the_open_window_can_be_closed(tmp_path: Path) -> None:
    game = attacked(found(tmp_path / "g", windows="held"))
    with pytest.raises(NotNow):
        game.close(closings(game)[-1]["close"], by="clock")


# --- windows that are reserved -----------------------------------------------------------------------------------


def test_a_reserved_window_waits_for_whoever_has_said_so_whatever_he_holds(tmp_path: Path) -> None:
    """Nobody has: it is closed at once, with what was filed. Somebody has, holding something or not: it runs its time."""
    none, holds, lacks = (found(tmp_path / "none", windows="reserved"), found(tmp_path / "holds", windows="reserved"),
                          without_devices(tmp_path / "lacks", windows="reserved"))
    none.file("blue", "48")
    attacked(none)
    assert closings(none)[1]["answers"] == {"blue": "play 48 as surprise"} and closings(none)[1]["skipped"] == "held"
    for game in (holds, lacks):
        game.reserve("blue", ["sea", "battle"])
        attacked(game)
        assert game.match.question is not None and game.match.question.kind == "battle_cards"
        assert game.match.reserved == {"blue": ("battle", "sea")}
        assert game.match.due_of(game.match.question) == "2026-11-20T12:00Z"
    holds.file("blue", "48 battle")
    assert public(holds) == public(lacks)
    holds.reserve("blue", [])                           # what is open runs its time all the same
    lacks.reserve("blue", [])
    assert holds.run() == [] and public(holds) == public(lacks)
    late = again(holds.folder, now=NOON + timedelta(hours=49))
    stands = deadline.closing(late)
    assert stands is not None and stands.state == deadline.CLOSES
    late.close(stands.question.id, by="clock")
    assert closings(again(holds.folder))[1]["answers"] == {"blue": "play 48 as surprise"}


def test_only_in_such_a_game_and_only_moments_that_there_are_can_be_reserved(tmp_path: Path) -> None:
    for name, rules in (("asked", {}), ("held", {"windows": "held"})):
        with pytest.raises(NotNow, match=f"nothing to reserve: windows {name}"):
            found(tmp_path / name, **rules).reserve("blue", ["battle"])
    with pytest.raises(Refused, match="no such moment"):
        found(tmp_path / "reserved", windows="reserved").reserve("blue", ["breakfast"])


def test_a_card_and_its_moment_are_enough_to_file_it(tmp_path: Path) -> None:
    game = found(tmp_path / "g", windows="held")
    assert filing.to_file(game.match, game.tray, "blue") == [("48", "battle")]
    assert game.file("blue", "48").trigger == "battle"
    assert game.file("blue", "48 battle at Larisa").trigger == "battle at Larisa"
    assert filing.to_file(game.match, game.tray, "blue") == []
    assert filing.to_file(found(tmp_path / "asked").match, Tray(), "blue") == []
    assert filing.to_file(again(game.folder, published=True).match, Tray(), "blue") == []               # nobody's hand is known


def test_who_is_asked_about_a_whole_way_is_shown_how_he_comes(tmp_path: Path) -> None:
    """The question offers a letter for pass alone; what he can do at a step stands in its example."""
    game = small_game.found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos > Sardeis openly")
    for seat, general in (("blue", "Lysimachos"), ("yellow", "Kassandros")):
        (example,) = re.findall(r'e\.g\.\s+"(at Ephesos: [^"]+)"', " ".join(question_text(game, seat).split()))
        assert example == f"at Ephesos: intercept {general} with all"
        assert [one.state for one in game.order(seat, example)] == ["sealed"]
