"""Simulated people: when they write, and what they are used to. They stand in `data/people.yaml`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from math import exp
from pathlib import Path
from random import Random

from pbem.base import clock, records, yamlfile

FILE = Path(__file__).parents[1] / "data" / "people.yaml"
LONGEST = 600                           # days for which absences are announced
HALF_AN_HOUR = timedelta(minutes=30)


@dataclass(kw_only=True)
class Away:
    """Absences: of so many days, so many days apart."""

    days: int
    apart: int


@dataclass(kw_only=True)
class Habits:
    """One of the people in the file; what the words mean is said there."""

    median: int
    spread: int
    again: int
    zone: str
    quiet: str
    weekend: int
    away: Away
    whole: int
    whole_by_form: int
    ahead: int
    openly: int
    standing: int
    lasting: int
    files: int
    reserves: list[str] = field(default_factory=list)


def load(path: Path = FILE) -> list[Habits]:
    """Everybody in a file, read strictly."""
    return [records.read(Habits, one, str(path)) for one in yamlfile.load(path)["people"]]


class Person:
    """Somebody with his habits, his own dice, and his own calendar."""

    def __init__(self, habits: Habits, rng: Random, begin: datetime) -> None:
        self.habits, self.rng = habits, rng
        self.times = clock.times({"rules": {"deadlines": {"quiet": habits.quiet}}})
        self.away = list(self.absences(begin.date()))
        self.who = clock.Reader(habits.zone, self.away)

    def absences(self, day: date) -> Iterator[clock.Span]:
        """From some day on, one after the other."""
        end, away = day + timedelta(days=LONGEST), self.habits.away
        day += timedelta(days=self.rng.randrange(away.apart))
        while day < end:
            yield day, day + timedelta(days=away.days - 1)
            day += timedelta(days=round(away.apart * self.rng.uniform(0.7, 1.3)))

    def does(self, habit: str) -> bool:
        """Does he do this time what he does so often in a hundred?"""
        share: int = getattr(self.habits, habit)
        return self.rng.random() * 100 < share

    def writes(self, now: datetime, *, again: bool = False) -> datetime:
        """When he writes, having been asked now: not in his quiet hours, and not while he is away."""
        hours = (self.habits.again if again else self.habits.median) * exp(self.rng.gauss(0, self.habits.spread / 100))
        if now.astimezone(clock.zone(self.habits.zone)).weekday() >= 5:
            hours *= self.habits.weekend / 100
        at = now + timedelta(hours=hours)
        if not clock.is_open(self.times, self.who, at):
            while not clock.is_open(self.times, self.who, at):
                at += HALF_AN_HOUR
            at += HALF_AN_HOUR * self.rng.uniform(0, 4)
        return at.replace(microsecond=0)
