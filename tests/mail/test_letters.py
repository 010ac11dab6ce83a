"""What each letter says and what it does not, at a desk: by whom it is read, what he is asked, what he has sent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON, at_window, found
from table import PEOPLE, settings

from pbem.base.errors import NotNow
from pbem.desk import beginning, showing
from pbem.desk.submission import Outcome
from pbem.desk.tray import News, PressRules
from pbem.mail import letters, press
from pbem.mail.body import piece_of
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Done, Sender
from pbem.mail.outbox import Item

Change = Callable[[MailDesk], Any]
OPEN = "T2.R1.red.3"                    # Blue and Yellow are asked whether they intercept
PAGES = "https://example.org/{game}"


def reached(folder: Path) -> MailDesk:
    desk = MailDesk(folder, now=NOON)
    desk.tray.addresses = {seat: [address] for seat, address in PEOPLE.items()}
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> MailDesk:
    """Blue and Yellow are asked whether they intercept."""
    at_window(tmp_path / "window")
    return reached(tmp_path / "window")


@pytest.fixture
def turn(tmp_path: Path) -> MailDesk:
    """Red is to order, Blue is next."""
    found(tmp_path / "g")
    return reached(tmp_path / "g")


def asked(desk: MailDesk, seat: str, **more: str) -> Item:
    return letters.question(desk, settings(desk.folder, **more), seat)[0]


def report(desk: MailDesk, seat: str, *press: str, **more: str) -> Item:
    return letters.report(desk, settings(desk.folder, **more), seat, 1, press)[0]


def plain(item: Item) -> str:
    """Its text, however it is broken into lines."""
    return " ".join(item.text.split())


def receipt(desk: MailDesk, seat: str, *outcomes: Outcome, **more: Any) -> Item:
    done = Done(outcomes, **{"answers": (), "notes": (), "version": 0, "answered": OPEN, "failed": False, "since": 0, **more})
    return letters.receipt(desk, settings(desk.folder), Sender(seat, "m1", PEOPLE[seat], "<1@example.com>"), done)[0]


# --- what stands below ------------------------------------------------------------------------------------------------------


def test_below_a_mail_stands_what_brings_its_answer_home_and_the_head_where_the_story_has_none(desk: MailDesk) -> None:
    head = f"5 entries in the log, head {desk.game.head()[:32]}."
    foot = asked(desk, "blue").text.rpartition("\n-- \n")[2].splitlines()
    assert foot[0] == head and foot[1].startswith("Reference for your answer: ") and len(foot) == 2
    assert report(desk, "black").text.rpartition("\n-- \n")[2].startswith("Reference for your answer: ")
    watched = letters.public_report(desk, settings(desk.folder), "fan@example.net", 1).text.rpartition("\n-- \n")[2]
    assert head in watched and "Reference" not in watched


# --- what of one's own still waits ------------------------------------------------------------------------------------------

NEXT = "The next player turn is yours"
FILE = "Your Surprise cards act only if they are filed"


@pytest.mark.parametrize(("seat", "lines", "held", "there"), [
    ("blue", [], False, [NEXT]), ("black", [], False, []), ("red", [], False, []),
    ("blue", ["roll", "end"], False, ["Waiting for their moment: roll"]),
    ("blue", ["roll"], True, ["Held, because something happened that you could not foresee: roll."])])
def test_a_seat_reads_what_of_its_own_waits_and_that_it_is_next(
        turn: MailDesk, seat: str, lines: list[str], held: bool, there: list[str]) -> None:
    turn.set_waiting(seat, lines, held=held)
    told = plain(report(turn, seat))
    found = [one for one in (NEXT, "Waiting for their moment: roll",
                             "Held, because something happened that you could not foresee: roll.") if one in told]
    assert found == there


@pytest.mark.parametrize(("lines", "held", "there"), [
    (["march Antigonos > Lamia", "end"], True,
     ["this one cannot be played as things are: march Antigonos > Lamia. Not allowed, 9.2: the movement die has not fallen",
      "What stands behind it waits: end. Send what you want to do now."]),
    (["march Antigonos > Lamia"], True,
     ["march Antigonos > Lamia. Not allowed, 9.2: ", '"roll" first. Send what you want to do now.']),
    (["roll", "end"], True, ["Held, because something happened that you could not foresee: roll and end."]),
    (["march Antigonos > Lamia"], False, ["Waiting for their moment: march Antigonos > Lamia."]),
    (["end"], True, ["Held, because something happened that you could not foresee: end."])])
def test_who_is_asked_for_orders_reads_why_the_next_of_his_own_that_are_held_is_not_played(
        turn: MailDesk, lines: list[str], held: bool, there: list[str]) -> None:
    turn.set_waiting("red", lines, held=held)
    told = plain(asked(turn, "red"))
    assert [one for one in there if one in told] == there
    assert ("stands behind it" in told) == any("stands behind it" in one for one in there)


@pytest.mark.parametrize(("line", "there"), [
    ("intercept Demetrios with all", "cannot be played as things are: intercept Demetrios with all. Not allowed, 11.2: "),
    ("intercept Lysimachos from Pergamon with all", "as things are: intercept Lysimachos from Pergamon with all. Not allowed"),
    ("roll", "Waiting for their moment: roll."), ("march Lysimachos > Ephesos", "Waiting for their moment: march")])
def test_who_is_asked_about_a_window_reads_why_what_he_sent_ahead_is_no_answer_to_it(
        desk: MailDesk, line: str, there: str) -> None:
    desk.set_waiting("blue", [line])
    assert there in plain(asked(desk, "blue"))


def test_of_what_waits_behind_an_answer_only_that_it_waits_is_told(desk: MailDesk) -> None:
    desk.order("blue", "pass")
    desk.set_waiting("blue", ["intercept Demetrios with all"])
    assert "Waiting for their moment: intercept Demetrios with all." in plain(asked(desk, "blue"))


def test_who_is_asked_is_not_told_that_he_is_next(desk: MailDesk) -> None:
    assert NEXT not in plain(asked(desk, "blue"))


@pytest.mark.parametrize(("windows", "there"), [("filed", True), ("asked", False)])
def test_cards_that_act_only_if_filed_are_told_to_whom_holds_them(tmp_path: Path, windows: str, there: bool) -> None:
    found(tmp_path / "g", cards=True, windows=windows)
    desk = reached(tmp_path / "g")
    assert [FILE in plain(report(desk, seat)) for seat in ("blue", "black")] == [there, False]


def test_standing_orders_are_listed_for_their_owner_alone(desk: MailDesk) -> None:
    desk.order("black", "standing: pass on evasion, always")
    assert [("Your standing orders" in plain(report(desk, seat))) for seat in ("black", "red")] == [True, False]


# --- what one is asked ------------------------------------------------------------------------------------------------------


def test_only_who_is_asked_reads_the_question_and_that_he_has_is_kept(desk: MailDesk) -> None:
    said_ = showing.words(desk, "red")
    assert letters.question_body(desk, settings(desk.folder), said_, "red", "x").text == ""
    assert "Do you intercept?" in plain(asked(desk, "blue")) and desk.mail.shown == {"blue": desk.open_as}


@pytest.mark.parametrize(("more", "there"), [({}, False), ({"pages": PAGES}, True)])
def test_where_the_game_lies_as_a_page_is_said_if_it_does(desk: MailDesk, more: dict[str, str], there: bool) -> None:
    for letter in (asked(desk, "blue", **more), report(desk, "black", **more)):
        assert ("https://example.org/small" in plain(letter), "as a page" in plain(letter)) == (there, there)


def test_an_answer_that_lies_here_is_told_and_leaves_nothing_to_do(desk: MailDesk) -> None:
    first = asked(desk, "blue")
    desk.order("blue", "pass")
    again, other = asked(desk, "blue"), asked(desk, "yellow")
    assert [f"[small {OPEN}] {what}" in one.subject for one, what in (
        (first, "your answer is wanted"), (again, "nothing to do for you: your answer is here"),
        (other, "your answer is wanted"))] == [True] * 3
    assert "You have answered" not in plain(first) + plain(other)
    assert ["You have answered this already: pass." in plain(one) for one in (first, again, other)] == [False, True, False]


@pytest.mark.parametrize(("state", "subject"), [
    ("turn", "[small T2.R1.red.1] your turn: orders for the Activation Segment"),
    ("told", "[small] nothing to do for you: waiting for Red (orders for the Activation Segment)"),
    ("over", "[small] the game is over")])
def test_a_subject_says_what_there_is_to_do(turn: MailDesk, state: str, subject: str) -> None:
    if state == "over":
        turn.match.g.over = {"winner": "red", "by": "points"}
        turn.match.table.question = None
    letter = report(turn, "red" if state == "turn" else "blue")
    assert letter.subject.startswith(subject)
    assert ("mailto:" in letter.html, letter.window) == ((True, turn.open_as) if state == "turn" else (False, ""))


def test_who_plays_is_welcomed_once_with_the_guide(turn: MailDesk) -> None:
    for first in (True, False):
        letter = asked(turn, "red")
        assert ('The table "small"' in plain(letter), letter.guide) == (first, first)
    assert report(turn, "blue").guide and not report(turn, "blue").guide


def test_letters_and_new_numbers_stand_in_a_report(turn: MailDesk) -> None:
    one, two = report(turn, "blue"), report(turn, "blue", "Anna writes:")
    assert ("Letters\n-------" in one.text, "Letters\n-------\n\nAnna writes:" in two.text) == (False, True)
    assert [item.key for item in (one, two)] == ["report-1_blue", "report-2_blue"]


def test_a_reminder_says_that_all_wait_where_one_alone_is_asked(turn: MailDesk, desk: MailDesk) -> None:
    alone = [plain(letters.reminder(one, settings(one.folder), seat)[0]) for one, seat in ((turn, "red"), (desk, "blue"))]
    assert ["Everybody waits for you" in one for one in alone] == [True, False]


def test_a_new_person_on_a_seat_is_told_what_the_one_before_was_told(turn: MailDesk) -> None:
    def keys() -> list[str]:
        return [asked(turn, "red").key, letters.reminder(turn, settings(turn.folder), "red")[0].key]

    before = keys()
    turn.mail.people["red"] = 1
    assert set(before).isdisjoint(keys())


# --- what answers a mail ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "outcomes", "answers", "told"), [
    ("blue", ["sealed"], 0, {"change"}), ("blue", ["refused"], 0, {"asked", "wrong"}), ("blue", [], 1, {"silence"}),
    ("blue", ["refused"], 1, {"asked", "wrong"}), ("blue", [], 0, {"asked"}), ("black", ["done"], 0, {"moved"}),
    ("black", [], 1, set())])
def test_a_receipt_says_what_is_still_open(
        desk: MailDesk, seat: str, outcomes: list[str], answers: int, told: set[str]) -> None:
    done = [Outcome("pass", state, NotNow("stale_letter") if state == "refused" else None) for state in outcomes]
    item = receipt(desk, seat, *done, answers=[piece_of("hello")] * answers)
    found = {key for key, words in (
        ("change", "You may change this until Fri 20 Nov"), ("asked", f"You are asked now ({OPEN})"),
        ("silence", "If nothing more comes from you until Fri 20 Nov, 12:00 UTC, this counts: pass.")) if words in plain(item)}
    found |= {key for key, holds in (("wrong", item.failed), ("moved", item.moved)) if holds}
    assert found == told and item.subject.startswith("[error]") is item.failed
    assert (f" {OPEN}]" in item.subject) is (seat == "blue")


def test_what_was_answered_before_the_question_of_now_is_no_answer_to_it(desk: MailDesk) -> None:
    told = plain(receipt(desk, "blue", Outcome("pass", "sealed"), answered="T2.R1.red.1"))
    assert f"You are asked now ({OPEN})" in told and "You may change this" not in told


def test_what_no_later_letter_says_again_is_told_apart_from_what_the_next_will_say_too(desk: MailDesk) -> None:
    desk.tray.news.append(News("blue", "void", 3, ["march Demetrios > Nowhere"]))
    told = report(desk, "blue", "Anna writes: wait.")
    once = " ".join(told.story.split())
    for words in ('The table "small"', "Antigonos marched", "Letters ------- Anna writes: wait.", "march Demetrios > Nowhere"):
        assert words in once and once.count(words) == plain(told).count(words) == 1
    assert "interception" in plain(told) and "Waiting for" not in once and "-- " not in told.story.splitlines()
    assert "Anna writes: wait." in told.story_html and "mailto:" not in told.story_html
    watched = letters.public_report(desk, settings(desk.folder), "fan@example.net", 1)
    assert "Antigonos marched" in watched.story and "Waiting for" not in watched.story


def test_of_a_question_only_a_welcome_and_what_became_of_old_orders_is_not_said_again(turn: MailDesk) -> None:
    first = asked(turn, "red")
    assert 'The table "small"' in first.story and "Activation" not in first.story and asked(turn, "red").story == ""
    turn.tray.news.append(News("red", "void", 3, ["march Demetrios > Nowhere"]))
    third = asked(turn, "red")
    assert "march Demetrios > Nowhere" in plain(third._replace(text=third.story)) in plain(third)
    assert asked(turn, "red").story == ""


def test_the_invitation_welcomes_whatever_comes_instead_of_it(tmp_path: Path) -> None:
    seats = {seat: {"name": seat.title()} for seat in PEOPLE}
    beginning.found(tmp_path / "g", "small", seats, {}, by_hand=False, words_until="", write=True)
    made = reached(tmp_path / "g")
    assert 'The table "small"' in letters.invitation(made, settings(made.folder), "red")[0].story


def test_a_receipt_that_shows_the_open_question_is_known_by_it(desk: MailDesk) -> None:
    refused = letters.refusal(desk, settings(desk.folder), Sender("blue", "m1"), "x", "It was too large.")[0]
    assert receipt(desk, "blue").window == refused.window == desk.open_as == OPEN
    other = letters.refusal(desk, settings(desk.folder), Sender("black", "m1"), "x", "It was too large.")[0]
    assert receipt(desk, "black").window == other.window == receipt(desk, "blue", answers=[piece_of("hello")]).window == ""


def test_without_a_deadline_none_is_told(desk: MailDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(desk.match), "told_due", lambda match, question: None)
    for one in (receipt(desk, "blue", Outcome("pass", "sealed")), receipt(desk, "blue", answers=[piece_of("hello")])):
        assert "You may change this" not in plain(one) and "If nothing more comes" not in plain(one)


@pytest.mark.parametrize(("seat", "there"), [("blue", True), ("black", False)])
def test_a_mail_that_does_not_count_is_answered_with_the_question_to_whom_it_is_put(
        desk: MailDesk, seat: str, there: bool) -> None:
    (item,) = letters.refusal(desk, settings(desk.folder), Sender(seat, "m1"), "x", "It was too large.")
    assert plain(item).startswith("It was too large. Waiting for Bruno (Blue) and Chiara (Yellow)") and item.failed
    assert (f"You are asked now ({OPEN})" in plain(item)) is there


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_word_for_the_dice_is_wanted_where_the_program_deals(tmp_path: Path, by_hand: bool) -> None:
    seats = {seat: {"name": seat.title()} for seat in PEOPLE}
    beginning.found(tmp_path / "g", "small", seats, {}, by_hand=by_hand, words_until="", write=True)
    made = reached(tmp_path / "g")
    told = plain(letters.invitation(made, settings(made.folder), "red")[0])
    assert ('Reply with a line like "word first snow' in told) is not by_hand


def test_before_the_game_has_begun_nobody_has_anything_to_do(tmp_path: Path) -> None:
    seats = {seat: {"name": seat.title()} for seat in PEOPLE}
    beginning.found(tmp_path / "g", "small", seats, {}, by_hand=False, words_until="", write=True)
    made = reached(tmp_path / "g")
    assert letters.subject_told(made, showing.words(made), "red") == "[small] nothing to do for you"


def test_a_request_that_could_not_be_met_is_an_error_and_who_waits_is_told_once(desk: MailDesk) -> None:
    waits = letters.awaited(desk, "black")
    item = receipt(desk, "black", failed=True, answers=[piece_of(waits)])
    assert item.failed and plain(item).count(plain(item._replace(text=waits))) == 1
    assert plain(item._replace(text=waits)) in plain(receipt(desk, "black", answers=[piece_of("hello")]))


def test_what_has_happened_because_of_a_mail_is_told_with_it(desk: MailDesk) -> None:
    assert ["Antigonos marched" in plain(receipt(desk, "red", since=since)) for since in (0, 4)] == [False, True]


@pytest.mark.parametrize(("answered", "subject"), [
    (False, "your answer is wanted (interception"), (True, "nothing more to do")])
def test_the_subject_of_a_receipt_says_what_is_left_to_do(desk: MailDesk, answered: bool, subject: str) -> None:
    if answered:
        desk.order("blue", "pass")
    assert subject in receipt(desk, "blue").subject and "nothing more to do" in receipt(desk, "black").subject


def test_in_ones_own_turn_the_subject_of_a_receipt_says_so(turn: MailDesk) -> None:
    assert "your turn (orders for the Activation Segment" in receipt(turn, "red").subject


# --- to whom it goes --------------------------------------------------------------------------------------------------------


def test_a_letter_goes_to_all_on_a_seat_and_an_answer_to_whoever_wrote(desk: MailDesk) -> None:
    desk.tray.addresses["blue"] = ["anna@example.org", "Both@example.org"]
    mails = letters.question(desk, settings(desk.folder), "blue")
    assert [one.to for one in mails] == ["anna@example.org", "Both@example.org"] and len({one.key for one in mails}) == 2
    done = Done((), (), (), 0, OPEN, False, 0)
    for wrote, to in (("both@example.org", "Both@example.org"), ("gone@example.org", "anna@example.org")):
        (item,) = letters.receipt(desk, settings(desk.folder), Sender("blue", "m", wrote), done)
        assert item.to == to
    desk.tray.addresses["blue"] = []
    assert letters.receipt(desk, settings(desk.folder), Sender("blue", "m", "x@example.org"), done) == []


def test_the_moderator_is_written_to_if_he_wants_mail_with_the_commands_if_there_are_any(desk: MailDesk) -> None:
    letter = letters.for_the_moderator("pace", "pace", ["pbem status"], game="small", turn=2)
    assert letter.text.endswith("\n\npbem status\n")
    assert letters.for_the_moderator("pace", "pace", game="small", turn=2).text == letter.text.removesuffix("\npbem status\n")
    assert letters.notice(settings(desk.folder), NOON, letter) == []
    (notice,) = letters.notice(settings(desk.folder, moderator="boss@example.net"), NOON, letter)
    assert notice.to == "boss@example.net"


@pytest.mark.parametrize(("named", "kind"), [(True, "several_games"), (False, "which_game")])
def test_who_names_two_games_is_told_so_and_who_names_none_that_too(named: bool, kind: str) -> None:
    letter = letters.which_game(["small", "other"], named, "m1")
    assert (letter.refusal, "I cannot tell which one" in letter.text) == (kind, not named)


# --- what the moderator allows ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "rules"), [
    ((None, None, None, None), (3, True, True, True)), ((7, None, None, None), (7, True, True, True)),
    ((None, "now", "no", "no"), (3, False, False, False)), ((0, "held", "yes", "yes"), (0, True, True, True))])
def test_what_is_not_said_of_letters_stays_as_it_was(desk: MailDesk, given: tuple[Any, ...], rules: tuple[Any, ...]) -> None:
    desk.tray.press = PressRules(daily=3, held=True, anonymous=True, off=True)
    press.ruled(desk, *given)
    own = desk.tray.press
    assert (own.daily, own.held, own.anonymous, own.off) == rules
