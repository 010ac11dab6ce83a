"""What the game waits for: when silence closes a question, and where the days went.

The ledger of waits is for the moderator alone: how long somebody takes would tell others who has answered.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pbem.base.clock import moment, stamp
from pbem.base.language import Safe
from pbem.desk import standing_words
from pbem.desk.tray import LastWait, Pace, WaitRow, Waits
from pbem.kernel.procedures import Question
from pbem.mail.desk import MailDesk
from pbem.mail.sentences import mailed
from pbem.play.match import CARD_WINDOWS
from pbem.rules import sequence
from pbem.rules.attrition import CHEAPEST_FIRST
from pbem.table.state import SEGMENTS, Game
from pbem.telling.words import Words

# What silence means, said once for all: kind of question -> the standing order for it.
SAID_AHEAD = {
    "interception": "pass on interception", "evasion": "pass on evasion", "city_choice": "pass on the city",
    "naval_battle": "pass on naval battle", "withdrawal": "withdraw", "free_passage": "refuse", "passage_honoured": "honour",
    "losses": f"lose {', '.join(CHEAPEST_FIRST)}",
}
MOST_KINDS = 6                          # of questions that are told
MOST_SAVINGS = 3
SAVINGS = ("standing", "route", "turn", "windows")      # what names a change that would have saved days
LONGEST = 3650                          # days ahead of which a date is told
WORTH_IT = 2                            # answers before a standing order is proposed
MARCHING = "interception"               # the window that an open route asks once for all its steps

Row = dict[str, Any]


# --- the ledger of waits -----------------------------------------------------------------------------------------------


class Wait(NamedTuple):
    """A question as it stood open, before anything answered it."""

    question: Question
    since: datetime
    answered: frozenset[str]            # who had answered already
    march: str                          # whose march it stops, if each of its steps asks for itself
    entries: int
    goes_on: bool                       # the same player has ordered before in this turn, and may order more


def begun(desk: MailDesk) -> Wait | None:
    """What is waited for now, and since when."""
    question, act = desk.match.question, desk.match.g.activation
    if question is None:
        return None
    asked, last = desk.tray.asked, desk.mail.waits.last
    since = moment(asked.at) if asked is not None and asked.id == desk.window else desk.now
    goes_on = not question.sealed and last.window == desk.window
    if goes_on:
        since = max(since, moment(last.at))
    g, march = desk.match.g, ""
    if question.kind == MARCHING and act is not None and not act.route:
        march = f"{g.player} {g.turn}.{g.round}.{act.key}"
    return Wait(question, since, frozenset(desk.sealed(question)), march, len(desk.game.entries), goes_on)


class Waited(NamedTuple):
    """A seat was waited for until then: for an answer, for the one that silence gives, or in vain."""

    seat: str
    until: datetime
    default: bool = True
    silent: bool = False


def note_silent(desk: MailDesk, wait: Wait) -> None:
    """Who let the clock decide."""
    for seat in [one for one in wait.question.sides if one not in wait.answered]:
        _note(desk, wait, Waited(seat, desk.now, silent=True))


def note_answered(desk: MailDesk, wait: Wait, seat: str, at: str) -> None:
    """How long this seat was waited for, once per window."""
    if seat in wait.question.sides and seat not in wait.answered and (said := _said(desk, wait, seat)):
        _note(desk, wait, Waited(seat, moment(at), said == desk.match.say(wait.question.silence(seat))))


def _said(desk: MailDesk, wait: Wait, seat: str) -> str:
    """What a seat has answered, if it has: it lies sealed, or stands in the log by now."""
    question = wait.question
    for entry in desk.game.entries[wait.entries:]:
        if entry.get("close") == question.id:
            return str(entry["answers"].get(seat) or desk.match.say(question.silence(seat)))
        if entry.get("by") == seat and not question.sealed:
            return str(entry["do"])
    return desk.sealed(question).get(seat, "")


def _note(desk: MailDesk, wait: Wait, waited: Waited) -> None:
    kept, last = desk.mail.waits, desk.mail.waits.last
    minutes = max(0, int((waited.until - wait.since).total_seconds() // 60))
    row = kept.seats.setdefault(waited.seat, {}).setdefault(wait.question.kind, WaitRow())
    row.count += 1
    row.minutes += minutes
    row.silent += int(waited.silent)
    row.default += int(waited.default)
    row.default_minutes += minutes * waited.default
    known = last.minutes if last.id == wait.question.id else 0
    more = max(0, minutes - known)                          # several are waited for at the same time
    kept.minutes += more
    kept.kinds[wait.question.kind] = kept.kinds.get(wait.question.kind, 0) + more
    if wait.goes_on and wait.question.kind in SEGMENTS:
        kept.parts[waited.seat] = kept.parts.get(waited.seat, 0) + more
    later = bool(wait.march and last.march == wait.march and (last.id != wait.question.id or last.later))
    if later:
        mover = wait.march.partition(" ")[0]
        kept.steps[mover] = kept.steps.get(mover, 0) + more
    kept.last = LastWait(wait.question.id, desk.window, stamp(waited.until), max(known, minutes), wait.march, later)


# --- what it adds up to ------------------------------------------------------------------------------------------------


def summed_up(waits: Waits, desk: MailDesk | None = None) -> Row:
    """Where the days went, what would have saved them and, of a game that can be opened, how many are still to come."""
    left = days_left(desk, desk.now) if desk is not None else None
    ends = f"{desk.now + timedelta(days=left):%F}" if desk is not None and left is not None and left < LONGEST else ""
    return {"waits": figures(waits), "waited_hours": round(waits.minutes / 60), "where": where(waits),
            "savings": savings(waits, desk.header["rules"] if desk is not None else {}), "days_left": left, "ends": ends}


def lines(said: Words, told: Row) -> list[Safe]:
    """The same for people."""
    found = [mailed(said, "status_pace", **told)] if told["days_left"] is not None else []
    found += [mailed(said, "status_where", rows=told["where"])] if told["where"] else []
    found += [mailed(said, "status_waits", **row) for row in told["waits"]]
    return found + [mailed(said, f"status_{next(one for one in SAVINGS if one in row)}", **_spoken(row, said))
                    for row in told["savings"]]


def _spoken(row: Row, said: Words) -> Row:
    """With a standing order in the reader's words."""
    return row | {"standing": standing_words.retold_line(row["standing"], said)} if "standing" in row else row


def figures(waits: Waits) -> list[Row]:
    """For each seat how often and how long it was waited for, how often in vain, and for what the longest."""
    rows = []
    for seat, kinds in waits.seats.items():
        count = sum(one.count for one in kinds.values())
        minutes = sum(one.minutes for one in kinds.values())
        silent = sum(one.silent for one in kinds.values())
        slowest = max(kinds, key=lambda kind: kinds[kind].minutes / kinds[kind].count)
        rows.append({"seat": seat, "answers": count, "hours": _hours(minutes / count), "silent": silent,
                     "in_time": round(100 * (count - silent) / count), "slowest": slowest,
                     "slowest_hours": _hours(kinds[slowest].minutes / kinds[slowest].count),
                     "total_hours": round(minutes / 60),
                     "kinds": {kind: _hours(one.minutes) for kind, one in kinds.items()}})
    return sorted(rows, key=lambda row: -int(row["total_hours"]))


def where(waits: Waits) -> list[Row]:
    """The kinds of questions for which the game stood still the longest."""
    longest = sorted(waits.kinds.items(), key=lambda row: -row[1])[:MOST_KINDS]
    return [{"kind": kind, "hours": _hours(minutes)} for kind, minutes in longest if minutes >= 60]


def savings(waits: Waits, rules: Mapping[str, Any]) -> list[Row]:
    """The three changes that would have saved most: a standing order where a seat always let things be, a route announced
    openly, a turn sent whole, windows for cards that wait for nobody but who has reserved them."""
    found: list[Row] = [
        {"seat": seat, "standing": f"standing: {SAID_AHEAD[kind]}, always", "answers": one.default,
         "hours": _hours(one.default_minutes)}
        for seat, kinds in waits.seats.items() for kind, one in kinds.items()
        if kind in SAID_AHEAD and one.default >= WORTH_IT and one.default_minutes >= 60]
    found += [{"seat": seat, "route": "march ... openly", "hours": _hours(minutes)}
              for seat, minutes in waits.steps.items() if minutes >= 60]
    found += [{"seat": seat, "turn": "turn_form", "hours": _hours(minutes)}
              for seat, minutes in waits.parts.items() if minutes >= 60]
    cards = sum(minutes for kind, minutes in waits.kinds.items() if kind in CARD_WINDOWS)
    if rules.get("windows", "asked") == "asked" and cards >= 60:
        found.append({"windows": "reserved", "hours": _hours(cards)})
    return sorted(found, key=lambda row: -float(row["hours"]))[:MOST_SAVINGS]


def _hours(minutes: float) -> float:
    return round(minutes / 60, 1)


# --- pace --------------------------------------------------------------------------------------------------------------


def progress(g: Game) -> tuple[float, int]:
    """How many player turns are over, and how many a whole game has."""
    each = len(g.turn_order) * sequence.rounds(g)
    whole = each * g.rules.last_turn
    turns = (g.turn - 1) * each + (g.round - 1) * len(g.turn_order) if g.round else (g.turn - 1) * each
    if g.phase == "strategy" and g.player in g.turn_order:
        part = SEGMENTS.index(g.segment) / len(SEGMENTS) if g.segment in SEGMENTS else 0
        return turns + g.turn_order.index(g.player) + part, whole
    return turns, whole


def note_pace(desk: MailDesk) -> None:
    """From when on the pace is counted: the first run that finds the game begun."""
    if desk.game.entries and desk.mail.pace is None:
        desk.mail.pace = Pace(stamp(desk.now), str(progress(desk.match.g)[0]))


def turn_over(desk: MailDesk) -> int:
    """The Game Turn that ended last, since the pace is counted; none is 0."""
    if (kept := desk.mail.pace) is None:
        return 0
    g = desk.match.g
    counted_from = float(kept.done) // max(1, len(g.turn_order) * sequence.rounds(g))
    return g.turn - 1 if g.turn - 1 > counted_from else 0


def days_left(desk: MailDesk, now: datetime) -> float | None:
    """How many days the game will still take at this pace; None while there is nothing to count from."""
    kept = desk.mail.pace
    done, whole = progress(desk.match.g)
    if kept is None or desk.match.question is None or done <= float(kept.done):
        return None
    days = (now - moment(kept.at)).total_seconds() / 86400
    return round((whole - done) * days / (done - float(kept.done)), 1)
