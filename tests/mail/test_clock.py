"""Deadlines: length, quiet hours, weekdays, zones, absences, grace; clocks that jump."""

import time
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.base import clock
from pbem.base.clock import Reader, Times
from pbem.base.errors import PbemError

WED = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)             # a Wednesday


def due(said: dict[str, object], *readers: Reader, kind: str = "interception", now: datetime = WED) -> datetime:
    return clock.due(clock.times({"rules": {"deadlines": said}}), kind, readers, now)


def test_each_kind_of_question_has_its_length() -> None:
    said = {"default": 48, "interception": 24}
    assert due(said) == WED + timedelta(hours=24)
    assert due(said, kind="evasion") == WED + timedelta(hours=48)
    assert due({}) == WED + timedelta(hours=48)


def test_what_is_not_said_of_times_is_as_usual() -> None:
    said = Times({"default": 48}, earliest=0, grace=0, quiet=None, days=frozenset(range(7)), remind=12, regret=0)
    assert all(clock.times({"rules": rules}) == said == Times({"default": 48}) for rules in ({}, {"deadlines": None}))
    said = Times({"default": 48, "losses": 6}, 1, 2, (22, 7), frozenset({0}), 3, 4)
    assert said == clock.times({"rules": {"deadlines": {
        "losses": 6, "earliest": 1, "grace": 2, "quiet": "22-7", "days": "mo", "remind": 3, "regret": 4}}})


def test_no_deadline_falls_into_quiet_hours_of_anybody_who_is_asked() -> None:
    said = {"default": 12, "quiet": "22-7"}
    assert due(said, Reader("UTC")) == datetime(2026, 11, 19, 7, tzinfo=UTC)
    assert due(said, Reader("America/Los_Angeles")) == datetime(2026, 11, 19, 0, tzinfo=UTC)        # 16:00 there
    assert due(said, Reader("UTC"), Reader("America/Los_Angeles")) == datetime(2026, 11, 19, 15, tzinfo=UTC)
    for hour, quiet in ((22, True), (6, True), (7, False), (21, False)):
        assert clock.is_open(clock.times({"rules": {"deadlines": said}}), Reader(), WED.replace(hour=hour)) is not quiet
    assert due({"default": 12, "quiet": "7-7"}) == WED + timedelta(hours=12), "from seven to seven is no time at all"


def test_deadlines_fall_on_playing_days() -> None:
    assert due({"default": 72, "days": "mo-fr"}) == datetime(2026, 11, 23, 0, tzinfo=UTC)
    assert clock.weekdays("mo we sa") == {0, 2, 5} and clock.weekdays("sa-mo") == {5, 6, 0}
    assert clock.weekdays("") == frozenset(range(7))


def test_everybody_has_so_many_open_hours_at_least() -> None:
    assert due({"default": 2, "quiet": "13-23", "earliest": 3}, Reader("UTC")) == datetime(2026, 11, 19, 1, tzinfo=UTC)


def test_who_is_away_is_waited_for_and_the_length_counts_from_then() -> None:
    away = Reader("UTC", [(date(2026, 11, 17), date(2026, 11, 20))])
    assert due({"default": 24}, away) == datetime(2026, 11, 22, 0, tzinfo=UTC)
    leaving = Reader("UTC", [(date(2026, 11, 19), date(2026, 11, 20))])
    assert due({"default": 24}, leaving) == datetime(2026, 11, 21, 0, tzinfo=UTC)


@given(st.integers(0, 10_000), st.sampled_from(["UTC", "Asia/Tokyo", "America/New_York", "Europe/Athens", "nowhere/else"]),
       st.integers(1, 100))
def test_a_deadline_is_never_before_its_length_and_always_at_an_open_hour(minutes: int, zone: str, hours: int) -> None:
    rules = Times({"default": hours}, quiet=(22, 7), days=clock.weekdays("mo-sa"))
    now = WED + timedelta(minutes=minutes)
    end = clock.due(rules, "x", [Reader(zone)], now)
    assert end >= now.replace(second=0) + timedelta(hours=hours) and clock.is_open(rules, Reader(zone), end)
    assert end - now < timedelta(hours=hours + 40)


@pytest.mark.parametrize(("hours", "said"), [(0.1, ""), (24, ""), (24.1, "forward"), (-0.1, "backward"), (0, "")])
def test_clocks_that_jump(hours: float, said: str) -> None:
    assert clock.jumped(WED, WED + timedelta(hours=hours)) == said
    assert clock.jumped(None, WED) == ""


@pytest.mark.parametrize("text", ["2026-11-18T12:00:00Z", "2026-11-18T12:00", "2026-11-18T14:00+02:00"])
def test_the_time_may_be_told_and_without_a_zone_it_is_universal(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PBEM_NOW", text)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    found = clock.now()
    monkeypatch.undo()
    time.tzset()
    assert (found, str(found.tzinfo)) == (WED, "UTC")


def test_what_is_told_as_the_time_has_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "noon")
    with pytest.raises(PbemError, match="noon"):
        clock.now()
    monkeypatch.setenv("PBEM_NOW", "")
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_deadline_is_moved_if_there_is_one() -> None:
    assert (clock.later("2026-11-18T12:00Z", 90), clock.later("", 90)) == ("2026-11-18T13:30Z", "")


def test_grace_counts_from_the_first_good_poll_after_an_outage() -> None:
    rules = Times({"default": 48}, grace=2)
    assert clock.closes_at(rules, WED, None) == WED + timedelta(hours=2)
    assert clock.closes_at(rules, WED, WED + timedelta(hours=5)) == WED + timedelta(hours=7)
    assert clock.closes_at(rules, WED, WED - timedelta(hours=5)) == WED + timedelta(hours=2)


def test_a_reminder_never_comes_in_the_first_half() -> None:
    rules = Times({"default": 48}, remind=12)
    assert clock.remind_at(rules, WED, WED + timedelta(hours=48)) == WED + timedelta(hours=36)
    assert clock.remind_at(rules, WED, WED + timedelta(hours=8)) == WED + timedelta(hours=4)


def test_days_are_read_as_people_write_them() -> None:
    assert clock.day("2026-11-20") == clock.day("20.11.2026") == clock.day("20/11/2026") == date(2026, 11, 20)
    with pytest.raises(ValueError):
        clock.day("soon")


@pytest.mark.parametrize(("text", "moment"), [
    ("2026-11-18T09:05:07Z", datetime(2026, 11, 18, 9, 5, 7, tzinfo=UTC)),
    ("2026-1-8T9:5:7Z", datetime(2026, 1, 8, 9, 5, 7, tzinfo=UTC)),     # as somebody types it
    ("20261118T090507Z", None), ("2026-11-18T09:05:07+01:00", None), ("2026-11-18", None), ("2026-11-31T09:05:07Z", None),
])
def test_a_moment_is_read_as_it_is_written_and_in_no_other_form(text: str, moment: datetime | None) -> None:
    if moment is None:
        with pytest.raises(ValueError):
            clock.moment(text)
    else:
        assert clock.moment(text) == moment == clock.end_of(f"{text.rpartition(':')[0]}Z") + timedelta(seconds=7)
