"""How long a game takes: whole games played by simulated people through the real desk, on a simulated clock.

The people (`data/people.yaml`) decide when mails come and how much stands in one; what is played is decided by a player
with aims (`pbem.dev.aims`) or at random. The desk is the moderator's own, deadlines and all, only that it writes no files.
A mail is lines given to the desk one after the other for as long as its sender could have written them: to the end of what
he sends at once, until somebody else is asked, and on from there unless something happened that he could not foresee
(`desk.foresight`).

A wait is a question for which the game stood still until somebody wrote or its time was over.
"""

import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from pbem.base.errors import Costly, Unreadable
from pbem.base.folder import Lock
from pbem.chance.scheme import Secrets
from pbem.desk import deadline, filing, standing, turnform
from pbem.desk.ahead import TURN, changed, coming, state_of
from pbem.desk.beginning import COLOURS, DEADLINES, SET_UP, WINDOWS, header_of, usual_seating
from pbem.desk.desk import Desk
from pbem.desk.foresight import unforeseen
from pbem.desk.tray import promised
from pbem.dev import people
from pbem.dev.aims import Aims
from pbem.dev.choices import Choices, ruled
from pbem.dev.games import Wanted, beginning
from pbem.dev.processes import in_many
from pbem.editions import USUAL
from pbem.kernel.procedures import Question
from pbem.orders import Order
from pbem.play.match import CARD_WINDOWS
from pbem.rules.attrition import CHEAPEST_FIRST
from pbem.rules.war import MODERATOR
from pbem.table.state import SEGMENTS, Game, space_of

BEGIN = datetime(2026, 1, 5, 18, tzinfo=UTC)
MOST_DAYS = people.LONGEST
OWN = "going on"                        # the next mail of somebody whose own mail has just been played
# What a player decides in the middle of his own mail, without a die or somebody else in between.
FOLLOWS = frozenset(("reinforcement_choice", "unrest", "passage_honoured", "independent_move", "revealed"))
STANDING = (f"standing: lose {', '.join(CHEAPEST_FIRST)}, always", "standing: honour, always")
ROUTE = "route"
# On which terms somebody makes an answer last: what a player with aims would do again.
TERMS = {
    ("interception", "pass"): "unless I win 60 %", ("naval_battle", "pass"): "unless I win 60 %",
    ("evasion", "pass"): "if I win 45 %", ("evasion", "evade"): "unless I win 45 %", ("losses", "lose"): "",
    ("free_passage", "grant"): "against {mover} until the turn ends", ("passage_honoured", "honour"): "",
    ("withdrawal", "withdraw"): "unless I win 50 %", ("withdrawal", "stay"): "if I win 50 %",
}


class Mind(Protocol):
    """Who decides what is played."""

    def answer(self, g: Game, question: Question, side: str) -> Any: ...


class Drifter(Choices):
    """Plays at random, without rulings or cards between; in every segment anew."""

    segment: tuple[Any, ...] = ()

    def answer(self, g: Game, question: Question, side: str) -> Any:
        if self.segment != (here := (g.turn, g.round, g.player, g.segment)):
            self.segment, self.orders = here, 0
        return super().answer(g, question, side)


MINDS: dict[str, Callable[[Random], Mind]] = {"aims": Aims, "random": Drifter}


class Setting(NamedTuple):
    """How a game is set up: rules of its header, and who plays."""

    name: str
    rules: Mapping[str, Any] = {}
    mind: str = "aims"
    without: tuple[str, ...] = ()       # levers that are not offered


class Levers(NamedTuple):
    """What the mails of the program offer to do; each is used as often as its person does such a thing."""

    lasting: bool = True                # an answer can be made to last in the same breath
    ahead: bool = True                  # who is next hears so, and lines sent ahead play if nothing that they name has changed
    form: bool = True                   # the question that invites a turn is a form of it, losses and passage filled in


BEFORE = Setting("before", {"windows": "asked", "deadlines": {"default": 48}}, without=Levers._fields)


class Paced(NamedTuple):
    """What one game took."""

    days: float
    turns: int                          # player turns that were played
    waits: Counter[str]                 # by kind of question
    minutes: Counter[str]               # where they went, by kind of question
    seats: Counter[str]                 # the same by seat: of several, that of the last
    answers: list[float]                # hours until somebody wrote
    silent: Counter[str]                # questions that ended in silence, card windows apart, by kind
    asked: int                          # questions that wanted an answer, card windows apart
    finished: bool


class Quick(Desk):
    """A desk that writes nothing between beginning and end."""

    def keep(self) -> None:
        self.tray.forget()


class Mail(NamedTuple):
    """What somebody has sent at once: all that he orders in a segment, or in a whole turn."""

    turn: tuple[int, int, str]
    segment: str                        # empty for the whole turn
    at: datetime
    by_form: bool = False


NO_MAIL = Mail((0, 0, ""), "", BEGIN)


class Heard(NamedTuple):
    """Somebody has heard that he will be asked, and may write before he is."""

    moment: tuple[Any, ...]
    at: datetime | None                 # when he does, if he does
    entries: int                        # how long the log was


class Evening:
    """One game of people who have other things to do."""

    def __init__(self, seed: int, players: int, setting: Setting, folder: Path) -> None:
        rules = {"edition": USUAL, "options": [], "windows": WINDOWS, "polls": "sealed", "seating": usual_seating(USUAL),
                 "deadlines": DEADLINES, **setting.rules}
        header, secrets = beginning(Wanted(seed, players), rules)
        rng = Random(f"pace {seed} {players}")
        habits = people.load()
        seats = dict(zip(header["seats"], rng.sample(habits, len(habits)), strict=False))
        for seat, one in seats.items():
            header["seats"][seat]["zone"] = one.zone
        self.people = {seat: people.Person(one, Random(f"{seat} {seed}"), BEGIN) for seat, one in seats.items()}
        self.mind = MINDS[setting.mind](rng)
        self.levers = Levers()._replace(**dict.fromkeys(setting.without, False))
        self.rng = rng
        self.desk = self.founded(folder, header, secrets)
        self.desk.now = BEGIN
        for seat, person in self.people.items():
            self.desk.tray.absences[seat] = [(str(first), str(last)) for first, last in person.away]
            if person.does("standing"):
                for line in STANDING:
                    self.desk.order(seat, line)
            if rules["windows"] == "reserved" and person.habits.reserves:
                self.desk.reserve(seat, person.habits.reserves)
        self.mails: dict[str, Mail] = {}
        self.writing: dict[tuple[str, str], datetime] = {}      # question and seat: when the mail comes
        self.told = Paced(0.0, 0, Counter(), Counter(), Counter(), [], Counter(), 0, False)
        self.since: tuple[str, datetime] = ("", BEGIN)          # the question that is waited for, and since when
        self.counted: set[str] = set()
        self.heard: dict[tuple[str, str], Heard] = {}           # seat and what is coming
        self.seen: dict[tuple[str, str], dict[str, str]] = {}   # what his lines rest on, as it was when they came
        self.considered: set[tuple[str, str]] = set()           # Surprise cards that somebody has thought of filing

    def founded(self, folder: Path, header: dict[str, Any], secrets: Secrets) -> Desk:
        """The desk at which they play."""
        with Lock(folder):
            return Quick.found(folder, header, SET_UP, promised(secrets))

    # --- the course of things --------------------------------------------------------------------------------------

    def play(self) -> Paced:
        """To the end, or for as long as nobody has patience for."""
        limit = BEGIN + timedelta(days=MOST_DAYS)
        while self.desk.now < limit:
            self.desk.run()
            question = self.desk.match.question
            if question is None:
                break
            if question.sides == (MODERATOR,):
                self.decide(question)
            elif not self.goes_on(question):
                self.hear(question)
                self.wait(question)
        turns = sum(event.key == "player_turn_began" for _, event in self.desk.match.history)
        return self.told._replace(days=(self.desk.now - BEGIN).total_seconds() / 86400, turns=turns,
                                  finished=self.desk.match.g.over != {})

    def decide(self, question: Question) -> None:
        """What the rules leave to the moderator."""
        step = ruled(self.desk.match.g, question, self.rng)
        self.desk.ruling("as the moderator sees it", reason="pace", facts=step.facts, abandon=step.level)

    def goes_on(self, question: Question) -> bool:
        """Does a mail that has come already say what is done now?"""
        seat = question.sides[0]
        mail = self.mails.get(seat)
        if mail is None or question.sealed:
            return False
        g = self.desk.match.g
        inside = mail.turn == (g.turn, g.round, g.player) and g.player == seat and mail.segment in ("", g.segment)
        if inside and question.kind in FOLLOWS or inside and question.kind in SEGMENTS and (
                mail.by_form and self.has_besieged(seat) or not unforeseen(self.desk, seat)):
            self.give(question, seat)
            return True
        return False

    def has_besieged(self, seat: str) -> bool:
        """Is a Siege the last that he ordered? A form says that its lines go on whatever one brings."""
        last = next((entry["do"] for entry in reversed(self.desk.game.entries) if entry.get("by") == seat), "")
        return last.startswith("siege")

    def hear(self, question: Question) -> None:
        """Who is next hears so, once."""
        g = self.desk.match.g
        for one in coming(g, question) if self.levers.ahead else ():
            moment = (question.id,) if one.kind == "evasion" else (g.turn, g.round, g.player)
            known = self.heard.get(one)
            if known is None or known.moment != moment:
                person = self.people[one.seat]
                at = person.writes(self.desk.now) if person.does("ahead") else None
                self.heard[one] = Heard(moment, at, len(self.desk.game.entries))
                self.seen.pop(one, None)

    def time_goes_on(self, until: datetime) -> None:
        """Mails that are sent ahead come in meanwhile: what they rest on is as it is now."""
        g = self.desk.match.g
        for (seat, kind), one in self.heard.items():
            if one.at is not None and one.at <= until and (seat, kind) not in self.seen:
                own = {space_of(at) for at in g.locations_with_cus(seat)} & set(g.board.spaces)
                near = own | {there for space in own for there in g.board.land_paths(space)}
                self.seen[seat, kind] = {space: state_of(g, space) for space in sorted(near)} if kind == TURN else {}
        self.desk.now = until

    def when(self, question: Question, side: str) -> datetime:
        """When a side that is asked now writes: it may have been about to, or have written ahead what still holds."""
        now, again, g = self.desk.now, self.is_at_it(question, side), self.desk.match.g
        begins = question.kind in SEGMENTS and self.mails.get(side, NO_MAIL).turn != (g.turn, g.round, g.player)
        key = (side, TURN if begins else question.kind)
        one = self.heard.pop(key, None)
        if one is not None and one.at is not None and (begins or question.kind not in SEGMENTS):
            if one.at > now:
                return one.at
            declared = [1 for number, event in self.desk.match.history
                        if number > one.entries and event.key == "interception_declared"]
            if not changed(g, self.seen.get(key, {})) and not (question.kind == "evasion" and declared):
                return now
        at = self.people[side].writes(now, again=again)
        if question.kind not in CARD_WINDOWS and not again:
            self.told.answers.append((at - now).total_seconds() / 3600)
        return at

    def wait(self, question: Question) -> None:
        """Until the next mail comes, or until the time is over."""
        desk, now = self.desk, self.desk.now
        answered = desk.sealed(question)
        open_to = [side for side in question.sides if side not in answered]
        for side in open_to:
            if (question.id, side) not in self.writing:
                self.writing[question.id, side] = self.when(question, side)
        coming = {side: at for side in open_to if (at := self.writing[question.id, side]) >= now}
        closing = deadline.closing(desk)
        closes = closing.at if closing is not None and closing.at is not None else now + timedelta(days=MOST_DAYS)
        side = min(coming, key=coming.__getitem__, default="")
        until = min(closes, coming[side]) if side else closes
        self.note(question, side, until - now)
        self.time_goes_on(max(until, now))
        if side and coming[side] <= closes:
            self.writing[question.id, side] = now - timedelta(days=1)       # he has written
            self.mail(question, side)
            return
        if question.kind not in CARD_WINDOWS:
            self.told.silent[question.kind] += len(open_to)
        self.time_is_over(question)

    def time_is_over(self, question: Question) -> None:
        """Silence closes what is open."""
        self.desk.close(question.id, by="clock")

    def is_at_it(self, question: Question, side: str) -> bool:
        """Has his own mail just been played, so that he can go on as soon as he reads the receipt?"""
        return not question.sealed and side in self.mails and self.mails[side].at == self.desk.now

    def note(self, question: Question, side: str, gone: timedelta) -> None:
        told, kind = self.told, OWN if self.is_at_it(question, side) else question.kind
        if gone and question.id not in self.counted:
            self.counted.add(question.id)
            told.waits[kind] += 1
            if question.kind not in CARD_WINDOWS:
                self.told = told._replace(asked=told.asked + len(question.sides))
        minutes = int(gone.total_seconds() // 60)
        told.minutes[kind] += minutes
        if side:
            told.seats[side] += minutes

    # --- what is written -------------------------------------------------------------------------------------------

    def mail(self, question: Question, side: str) -> None:
        """A mail has come: cards are filed in it, and in one's own turn it says more than the next order."""
        for card, _ in filing.to_file(self.desk.match, self.desk.tray, side):
            if (side, card) not in self.considered and self.people[side].does("files"):
                self.desk.file(side, card)
            self.considered.add((side, card))
        if question.kind in SEGMENTS:
            g = self.desk.match.g
            whole = self.people[side].does("whole_by_form" if self.levers.form else "whole")
            kept = {one.kind for one in standing.of(self.desk.tray, side)}
            for line, kind in turnform.ASIDE if self.levers.form and whole else ():
                if kind not in kept:
                    self.desk.order(side, line)
            self.mails[side] = Mail((g.turn, g.round, g.player), "" if whole else g.segment, self.desk.now,
                                    whole and self.levers.form)
        self.give(question, side)

    def give(self, question: Question, side: str) -> None:
        """One answer or order, through the desk; a price is paid by whoever has thought it over."""
        desk, g = self.desk, self.desk.match.g
        if question.kind == ROUTE:
            self.send(side, self.on_the_way(question, side))
            return
        answer = self.mind.answer(g, question, side)
        if question.kind in CARD_WINDOWS and answer == question.silence(side):
            return                                          # nobody writes a mail to say that he plays nothing
        if not isinstance(answer, Order) or answer.verb != "march":
            answer = question.read(side, answer)
        elif len(answer.path) > 1 and self.people[side].does("openly"):
            answer = answer.but(openly=True)
        said = f"{desk.match.say(answer)}{self.lasting(question, side, answer)}"
        if not self.send(side, said) and desk.match.question is question:
            self.send(side, desk.match.say(question.silence(side)))

    def lasting(self, question: Question, side: str, answer: Any) -> str:
        """What makes this answer last, on the terms on which he would give it again, if he has no order for it yet."""
        terms = TERMS.get((question.kind, (answer[0] if isinstance(answer, tuple) else answer).verb))
        kept = {one.kind for one in standing.of(self.desk.tray, side)}
        if terms is None or question.kind in kept or not self.levers.lasting or not self.people[side].does("lasting"):
            return ""
        return f" always {terms.format(mover=question.about.get('mover', ''))}"

    def send(self, side: str, text: str) -> bool:
        """Is it taken?"""
        for line in (text, f"{text} yes"):
            outcome = self.desk.order(side, line)[0]
            if not isinstance(outcome.error, Costly):
                return outcome.error is None
        return False

    def on_the_way(self, question: Question, side: str) -> str:
        """What somebody says to a whole route: let them go, or let each step ask."""
        g = self.desk.match.g
        provinces = {g.board.province_of(space) for space in question.about["route"]}
        if any(g.controller(space) == side for one in provinces if one for space in g.board.spaces_of(one)):
            return "pass"
        return "; ".join(f"at {self.desk.match.names.say('space', space)}: pass" for space in question.about["route"])


# --- many games --------------------------------------------------------------------------------------------------------


def game(seed: int, players: int, setting: Setting) -> Paced:
    """One whole game: the same seed gives the same days."""
    with tempfile.TemporaryDirectory() as folder:
        return Evening(seed, players, setting, Path(folder)).play()


def one_game(task: tuple[int, int, Setting]) -> Paced:
    """For other processes, which find it by its name."""
    return game(*task)


class Row(NamedTuple):
    """What many games took under one setting: medians of games, and means by kind of question."""

    name: str
    games: int
    days: float
    quartiles: tuple[float, float]
    waits: float
    turns: float
    per_turn: float                     # waits for each player turn
    hours_per_turn: float
    answer: float                       # the median of what an answer took, in hours
    silent: float                       # questions that ended in silence, in a hundred
    kinds: dict[str, tuple[float, float]]       # kind -> waits and days a game


def row_of(setting: Setting, played: Sequence[Paced]) -> Row:
    count = len(played)
    days = sorted(one.days for one in played)
    waits: Counter[str] = sum((one.waits for one in played), Counter())
    minutes: Counter[str] = sum((one.minutes for one in played), Counter())
    turns = sum(one.turns for one in played)
    asked, silent = sum(one.asked for one in played), sum(one.silent.total() for one in played)
    quartiles = statistics.quantiles(days, n=4) if count > 1 else days * 3
    return Row(setting.name, count, statistics.median(days), (quartiles[0], quartiles[2]),
               statistics.median(one.waits.total() for one in played), statistics.median(one.turns for one in played),
               waits.total() / turns, minutes.total() / 60 / turns,
               statistics.median(hours for one in played for hours in one.answers), 100 * silent / asked,
               {kind: (waits[kind] / count, minutes[kind] / 1440 / count) for kind, _ in minutes.most_common()})


def compare(players: int, settings: Sequence[Setting], games: int, seed: int = 0, jobs: int = 1) -> list[Row]:
    """The same seeds under each of these settings."""
    tasks = [(seed + number, players, setting) for setting in settings for number in range(games)]
    played = list(in_many(one_game, tasks, jobs))
    return [row_of(setting, played[place * games:(place + 1) * games]) for place, setting in enumerate(settings)]


PARTED = ("deadlines", "silence")
RULES = (*PARTED, "windows", "polls", "seating", "edition")


def setting_of(words: Iterable[str], mind: str = "aims", base: Mapping[str, Any] | None = None) -> Setting:
    """`windows=held deadlines.interception=24`: rules of a header, under what a new game has."""
    said = [word for text in words for word in text.split()]
    if said == [BEFORE.name]:
        return BEFORE._replace(mind=mind)
    without = tuple(word.removesuffix("=no") for word in said if word.endswith("=no"))
    if unknown := [word for word in without if word not in Levers._fields]:
        raise Unreadable("unreadable_order", text=f"{unknown[0]}=no", suggestions=[f"{lever}=no" for lever in Levers._fields])
    rules: dict[str, Any] = {key: dict(value) if isinstance(value, Mapping) else value for key, value in (base or {}).items()}
    if any(word.startswith("deadlines.") for word in said):
        rules.setdefault("deadlines", dict(DEADLINES))
    for word in [one for one in said if not one.endswith("=no")]:
        path, _, value = word.partition("=")
        key, _, part = path.partition(".")
        if key not in RULES or not value or (part != "") != (key in PARTED):
            known = ["windows=held", "deadlines.losses=12", "silence.turn=hold"]
            raise Unreadable("unreadable_order", text=word, suggestions=known)
        if part:
            rules.setdefault(key, {})[part] = int(value) if value.isdecimal() else value
        else:
            rules[key] = value
    header_of("pace", dict.fromkeys(COLOURS[:2], {"name": ""}), rules)          # refuses what no game could have
    return Setting(" ".join(said) or "as it is", rules, mind, without)


def table(rows: Sequence[Row]) -> str:
    """Side by side, for people: a column for each setting."""
    def line(name: str, cell: Callable[[Row], str]) -> str:
        return f"{name:26}" + "".join(f"{cell(row):>18}" for row in rows)

    kinds = list(dict.fromkeys(kind for row in rows for kind in row.kinds))
    each = [line(kind, lambda row, kind=kind: "{:.1f} {:9.1f}".format(*row.kinds.get(kind, (0.0, 0.0))))    # type: ignore[misc]
            for kind in sorted(kinds, key=lambda kind: -rows[0].kinds.get(kind, (0.0, 0.0))[1])]
    names = [f"{place}: {row.name}" for place, row in enumerate(rows, 1)]
    return "\n".join([
        *names, "", line("", lambda row: str(1 + rows.index(row))),
        line("games", lambda row: str(row.games)), line("days, median", lambda row: f"{row.days:.0f}"),
        line("days, middle half", lambda row: "{:.0f}-{:.0f}".format(*row.quartiles)),
        line("waits, median", lambda row: f"{row.waits:.0f}"), line("player turns, median", lambda row: f"{row.turns:.0f}"),
        line("waits a player turn", lambda row: f"{row.per_turn:.2f}"),
        line("hours a player turn", lambda row: f"{row.hours_per_turn:.1f}"),
        line("hours an answer, median", lambda row: f"{row.answer:.1f}"),
        line("silent, %", lambda row: f"{row.silent:.1f}"), "",
        "waits and days a game, by kind of question", *each])
