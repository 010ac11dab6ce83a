"""What a game says without being asked, decided at the desk: when a report is due, a reminder, and where each reader stands."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON, at_window, found
from table import PEOPLE, settings

from pbem.base.clock import stamp
from pbem.desk.ahead import Coming
from pbem.desk.notes import note
from pbem.desk.tray import SeatSettings
from pbem.mail import outbox, resting, speaking
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Bookmark
from pbem.table.events import ALL as ALL_HEAR
from pbem.table.events import Event

DAY = timedelta(days=1)
OPEN = "T2.R1.red.3"                    # Blue and Yellow are asked whether they intercept
ROLLED, MARCHED, ALL = 3, 4, 5          # entries: with the roll and the question after it, with the march, with what it asks
Change = Callable[[MailDesk], Any]


def at_desk(where: Path, *changes: Change, later: timedelta = timedelta()) -> MailDesk:
    at_window(where / "g")
    desk = MailDesk(where / "g", now=NOON + later)
    desk.tray.addresses = {seat: [address] for seat, address in PEOPLE.items()}
    for change in changes:
        change(desk)
    return desk


def wishes(reports: str) -> Change:
    def change(desk: MailDesk) -> None:
        desk.tray.settings = {seat: SeatSettings(reports=reports) for seat in PEOPLE}
    return change


def has_seen_it(desk: MailDesk) -> None:
    desk.mail.shown = dict.fromkeys(PEOPLE, desk.open_as)


def away(desk: MailDesk) -> None:
    note(desk, "absent", seat="black", first="2026-12-01", last="2026-12-05")


def ruled(desk: MailDesk) -> None:
    desk.ruling("so be it", reason="a question of taste")


def both_pass(desk: MailDesk) -> None:
    desk.order("blue", "pass")
    desk.order("yellow", "pass")


def taken_back(desk: MailDesk) -> None:
    desk.undo(MARCHED, "the wrong way", override=True)


def is_over(desk: MailDesk) -> None:
    desk.match.g.over = {"winner": "red"}
    desk.match.table.question = None


HOUR_AGO, DAY_AGO = stamp(NOON - timedelta(hours=1)), stamp(NOON - DAY)


@pytest.mark.parametrize(("seat", "last", "changes", "due"), [
    ("black", Bookmark(ROLLED, HOUR_AGO), [], False),                               # the turn goes on without him
    ("black", Bookmark(ROLLED, HOUR_AGO), [wishes("immediate")], True),
    ("black", Bookmark(ROLLED), [], True),                                          # he has had none yet
    ("black", Bookmark(ROLLED, DAY_AGO), [], True),
    ("black", Bookmark(ROLLED, stamp(NOON - DAY + timedelta(seconds=1))), [], False),
    ("black", Bookmark(ROLLED, HOUR_AGO), [ruled], True),
    ("black", Bookmark(ALL, HOUR_AGO), [away], False),
    ("black", Bookmark(ROLLED, HOUR_AGO), [ruled, wishes("daily")], False),
    ("blue", Bookmark(ROLLED, HOUR_AGO), [], True),                                 # who is asked hears what for
    ("blue", Bookmark(ROLLED, HOUR_AGO), [wishes("daily")], True),
    ("blue", Bookmark(ROLLED, HOUR_AGO), [has_seen_it], True),
    ("blue", Bookmark(ROLLED, HOUR_AGO, OPEN), [wishes("daily")], True),            # something has happened to what he is asked
    ("blue", Bookmark(ALL, HOUR_AGO, OPEN), [away, wishes("daily")], False),
    ("blue", Bookmark(ALL, HOUR_AGO), [away, wishes("daily")], True),
    ("red", Bookmark(ROLLED, HOUR_AGO), [], False),                                 # he is not asked now
    ("red", Bookmark(ROLLED, HOUR_AGO), [both_pass], True),
    ("red", Bookmark(ROLLED, HOUR_AGO), [both_pass, has_seen_it], False),           # his receipts tell the mover
    ("red", Bookmark(ROLLED, ""), [both_pass, has_seen_it], False),
    ("black", Bookmark(ROLLED, HOUR_AGO), [is_over, has_seen_it], True),
    ("black", Bookmark(ALL, HOUR_AGO), [taken_back], True),
])
def test_when_a_report_is_due(tmp_path: Path, seat: str, last: Bookmark, changes: list[Change], due: bool) -> None:
    assert speaking.report_due(at_desk(tmp_path, *changes), seat, last) is due


def test_whoever_comes_next_in_the_midst_of_a_turn_hears_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, last = at_desk(tmp_path), Bookmark(ROLLED, HOUR_AGO)
    for kind, due in (("evasion", True), (speaking.TURN, False)):
        monkeypatch.setattr(speaking, "coming", lambda g, question, kind=kind: [Coming("black", kind)])
        assert (speaking.report_due(desk, "black", last), speaking.report_due(desk, "red", last)) == (due, False)


@pytest.mark.parametrize(("key", "facts", "is_so"), [
    ("reserved", {}, True), ("segment_began", {}, True), ("phase_began", {}, True), ("marched", {}, False),
    ("ruling", {}, False), ("note", {"noted": {"note": "absent"}}, True),
    ("note", {"noted": {"note": "unreachable"}}, False), ("note", {"noted": {}}, False)])
def test_what_is_told_in_passing(key: str, facts: dict[str, Any], is_so: bool) -> None:
    assert speaking.in_passing(Event(key, ALL_HEAR, facts)) is is_so


def test_what_says_nothing_is_no_news(tmp_path: Path) -> None:
    found(tmp_path / "g").order("red", "roll\nactivate Antigonos")
    desk = MailDesk(tmp_path / "g", now=NOON)
    number = len(desk.game.entries)
    assert [speaking.has_news(desk, "black", since) for since in (0, 1, number - 1, number)] == [True, True, False, False]
    desk.undo(number, "never mind", override=True)
    assert speaking.has_news(desk, "black", number)


@pytest.mark.parametrize(("key", "news"), [("marched", True), ("segment_began", False)])
def test_that_a_part_of_a_turn_has_begun_is_no_news(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, news: bool) -> None:
    desk = at_desk(tmp_path)
    found = next(one for one in speaking.reporting.events_for(desk, "black", 1) if one.key == key)
    monkeypatch.setattr(speaking.reporting, "events_for", lambda desk, reader, since: [found])
    assert str(speaking.showing.words(desk).event(found)).strip() and speaking.has_news(desk, "black", 1) is news


def blue_passes(desk: MailDesk) -> None:
    desk.order("blue", "pass")


def held(desk: MailDesk) -> None:
    desk.enter({"hold": "the moderator travels"})


def of_another_window(desk: MailDesk) -> None:
    assert desk.tray.asked is not None
    desk.tray.asked.id = "T2.R1.red.2"


def never_asked(desk: MailDesk) -> None:
    desk.tray.asked = None


@pytest.mark.parametrize(("hours", "changes", "due"), [
    (36, [], True), (35.9, [], False), (47.9, [], True), (48, [], False),
    (40, [blue_passes], False), (40, [held], False), (40, [of_another_window], False), (40, [never_asked], False),
])
def test_when_a_reminder_is_due(tmp_path: Path, hours: float, changes: list[Change], due: bool) -> None:
    """In the last twelve of 48 hours, to who has not answered, and once."""
    desk = at_desk(tmp_path, *changes, later=timedelta(hours=hours))
    question = desk.match.question
    assert question is not None and speaking.reminder_due(desk, "blue", question) is due
    assert due is speaking.reminder_due(desk, "yellow", question) or changes == [blue_passes]
    if due:
        box = outbox.of_game(desk.place)
        box.queue(speaking.letters.reminder(desk, settings(tmp_path), "blue"), desk.now)
        assert (speaking.reminder_due(desk, "blue", question), speaking.reminder_due(desk, "yellow", question)) == (False, True)


def test_where_there_is_no_deadline_nobody_is_reminded(tmp_path: Path) -> None:
    desk = at_desk(tmp_path, later=timedelta(hours=40))
    desk.match.due.clear()
    desk.match.last_due = ""
    assert desk.match.question is not None and not speaking.reminder_due(desk, "blue", desk.match.question)


# --- who is written to, and what is kept of it --------------------------------------------------------------------------


def spoken(desk: MailDesk, where: Path) -> list[tuple[str, str]]:
    """One round: to whom which kind of mail goes; it is kept as a run keeps it."""
    box, made = outbox.of_game(desk.place), speaking.speak(desk, settings(where))
    box.queue(made, desk.now)
    speaking.spoken(desk, settings(where))
    return [(one.seat, one.kind) for one in made]


def test_each_is_written_to_once_for_what_is_new_to_him(tmp_path: Path) -> None:
    desk, box = at_desk(tmp_path), outbox.of_game(tmp_path / "g")
    assert spoken(desk, tmp_path) == [(seat, "report") for seat in ("red", "blue", "yellow", "black")]
    assert spoken(desk, tmp_path) == []
    assert box.bookmarks() == {seat: Bookmark(ALL, stamp(NOON), OPEN if seat in ("blue", "yellow") else "") for seat in PEOPLE}
    away(desk)
    both_pass(desk)
    number = len(desk.game.entries)
    assert spoken(desk, tmp_path) == [("red", "report")]
    assert box.bookmarks()["red"] == Bookmark(number, stamp(NOON), desk.open_as) and desk.open_as != OPEN
    assert box.bookmarks()["black"] == Bookmark(ALL, stamp(NOON))           # he has not heard of it yet


def test_whoever_has_heard_all_is_only_asked_and_whose_mail_was_answered_is_not_asked_twice(tmp_path: Path) -> None:
    desk, box = at_desk(tmp_path), outbox.of_game(tmp_path / "g")
    heard = dict.fromkeys(PEOPLE, Bookmark(MARCHED, HOUR_AGO))      # what came then nobody is told of
    box.mark(heard, outbox.Open("", ()))
    desk.mail.shown = {"yellow": desk.open_as}
    assert spoken(desk, tmp_path) == [("blue", "question")]
    assert box.bookmarks() == {seat: Bookmark(ALL, HOUR_AGO, OPEN if seat in ("blue", "yellow") else "") for seat in PEOPLE}
    desk.now += timedelta(hours=40)
    assert spoken(desk, tmp_path) == [("blue", "reminder"), ("yellow", "reminder")]
    assert spoken(desk, tmp_path) == []


def test_whoever_reads_the_thread_gets_no_mail_and_before_the_first_entry_all_are_invited(tmp_path: Path) -> None:
    desk = at_desk(tmp_path)
    desk.match.seats["blue"]["channel"] = "forum"
    del desk.tray.addresses["yellow"]
    assert [seat for seat, _ in spoken(desk, tmp_path)] == ["red", "black"]
    desk.game.entries.clear()
    assert {(one.seat, one.key) for one in speaking.speak(desk, settings(tmp_path))} == {
        (seat, f"question-invitation_{seat}") for seat in ("red", "black")}


def test_a_report_begins_behind_what_was_told_last(tmp_path: Path) -> None:
    desk, box = at_desk(tmp_path), outbox.of_game(tmp_path / "g")
    desk.tray.observers = [f"f{last}@example.net" for last in (1, 2, 3)]
    box.mark({f"observer f{last}@example.net": Bookmark(last, DAY_AGO) for last in (1, 2, 3)}, outbox.Open("", ()))
    for last in (1, 2, 3):                          # the second entry is the roll, the fourth the march
        box.mark({"black": Bookmark(last, DAY_AGO)})
        (mine,) = [one.text for one in speaking.speak(desk, settings(tmp_path)) if one.seat == "black"]
        assert ("rolled a" in mine, "marched" in mine) == (last == 1, True)
    speaking.spoken(desk, settings(tmp_path))
    assert [("rolled a" in one.text, "marched" in one.text) for one in sorted(box.unsent(), key=lambda one: one.to)] == [
        (True, True), (False, True), (False, True)]


def test_what_is_told_at_once_is_so_once(tmp_path: Path) -> None:
    desk = at_desk(tmp_path, ruled)
    number = next(number for number, entry in enumerate(desk.game.entries, 1) if "ruling" in entry)
    assert [speaking.tells_at_once(desk, "black", since) for since in (number - 2, number - 1, number)] == [True, True, False]


@pytest.mark.parametrize(("changes", "awaited"), [
    ([], ("blue", "yellow")), ([blue_passes], ("yellow",)), ([both_pass], ("red",)), ([is_over], ())])
def test_who_is_still_awaited_is_kept_with_what_goes_out(
        tmp_path: Path, changes: list[Change], awaited: tuple[str, ...]) -> None:
    desk = at_desk(tmp_path, *changes)
    speaking.spoken(desk, settings(tmp_path))
    assert outbox.of_game(desk.place).open() == outbox.Open(desk.open_as, awaited)


def test_a_reader_without_a_seat_hears_when_a_turn_is_over_or_a_day(tmp_path: Path) -> None:
    desk, box, name = at_desk(tmp_path), outbox.of_game(tmp_path / "g"), "observer f@example.net"
    desk.tray.observers = ["f@example.net"]
    for last, changes, comes in (
            (Bookmark(), [], True), (Bookmark(ALL, HOUR_AGO), [], False), (Bookmark(ALL, DAY_AGO), [], False),
            (Bookmark(ROLLED, HOUR_AGO), [], False), (Bookmark(ROLLED, DAY_AGO), [], True),
            (Bookmark(ROLLED, HOUR_AGO), [ruled], True)):
        for change in changes:
            change(desk)
        box.mark({name: last}, outbox.Open("", ()))
        speaking.spoken(desk, settings(tmp_path))
        now = Bookmark(len(desk.game.entries), stamp(desk.now))
        assert box.bookmarks()[name] == (now if comes else last)
        assert [one.to for one in box.unsent()] == ["f@example.net"] * (1 if now.entry == ALL else 2)


# --- when a game is looked at again -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hours", "reported", "until"), [
    (0, {}, 24), (30, {}, 36), (36, {}, 48), (40, {}, 48), (40, {"red": 17}, 41), (40, {"red": 10, "blue": 17}, 41),
    (48, {}, 48), (50, {}, 50)])
def test_until_when_a_game_may_rest(tmp_path: Path, hours: int, reported: dict[str, int], until: int) -> None:
    """Until the reminder after 36 hours, the deadline after 48, a day after somebody's last report; a day at most; and not at
    all while a question stands open whose time is over."""
    desk = at_desk(tmp_path, later=timedelta(hours=hours))
    outbox.of_game(desk.place).mark(
        {seat: Bookmark(1, stamp(NOON + timedelta(hours=at))) for seat, at in reported.items()}, outbox.Open("", ()))
    assert resting.until(desk) == NOON + timedelta(hours=until)


def test_a_game_in_which_nothing_was_asked_rests_until_its_deadline(tmp_path: Path) -> None:
    desk = at_desk(tmp_path, never_asked, later=timedelta(hours=30))
    assert resting.until(desk) == NOON + timedelta(hours=48)
    desk.match.due.clear()
    desk.match.last_due = ""
    assert resting.until(desk) == desk.now + DAY
