"""A game goes on from its mark: what is told of a fold that need not begin at the beginning, and who leaves the next one.

Whoever writes entries leaves a mark when a player turn has begun in them: one of the position with its hands, for folds that
know these; and one that was made from the public log alone, for all others. Each is entered once before it is kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from pbem.base import mirror, records
from pbem.base.errors import PbemError
from pbem.chance.course import Course
from pbem.chance.draws import Keys
from pbem.chance.scheme import canonical
from pbem.desk.tray import Tray
from pbem.log import gamelog, undo
from pbem.log import mark as marks
from pbem.log.mark import Entries, Mark, Skipped
from pbem.play import mark as fold
from pbem.play.history import Told
from pbem.play.match import Match

FEWEST = 100                        # entries of a log that is worth a mark
Log = Sequence[Mapping[str, Any]]


class Opened(Protocol):
    """A game that is open, with as much of what is private as whoever opened it knows."""

    game: gamelog.GameFile
    tray: Tray
    keys: Keys | None
    corrections: Sequence[Mapping[str, Any]]

    def blank(self, amended: Log = (), *, hands: bool = True) -> Match: ...

    def told_in(self, entries: Log, *, hands: bool = True) -> Iterable[Told]: ...


class Taken(NamedTuple):
    """A mark that was taken on the way, as long as nothing is written."""

    number: int
    fold: dict[str, Any]
    course: dict[str, Any]


def knows_hands(game: Opened) -> bool:
    return game.keys is not None or game.tray.cards is not None


def bound(game: Opened, *, hands: bool) -> str:
    """What every fold rests on besides the log: corrections that lie beside it; and what the hands rest on."""
    tray = game.tray
    private = [records.plain(one) for one in (tray.secrets, tray.cards) if one is not None] if hands else []
    return sha256(canonical([[dict(one) for one in game.corrections], private])).hexdigest()


# --- going on from it --------------------------------------------------------------------------------------------


def own_mark(game: Opened) -> Mark | None:
    """The mark of those who know as much as whoever opens this game."""
    public, hands = game.game.mark, knows_hands(game)
    if public is None:
        return None
    mark = public
    if hands:
        kept = marks.read(game.game.path.with_name(marks.OWN))
        if not kept:
            return None
        mark = Mark(**kept["mark"])
    return mark if mark[:3] == public[:3] and mark.bound == bound(game, hands=hands) else None


def gone_on(game: Opened, entries: Log) -> tuple[Match, Course] | None:
    """The game after these entries, from its mark on; None where it has to be folded from the beginning."""
    if (mark := own_mark(game)) is None or (late := undo.after(entries, mark.entries)) is None:
        return None
    assert isinstance(entries, Entries)                     # as is every log that has a mark
    course = Course.going_on(game.game.header, mark.course, entries + [], mark.entries)
    if game.keys is not None:
        game.keys.late = course.late_decks
    kept = fold.read(mark.fold)
    match = game.blank(fold.amended(kept))
    fold.entered(match, kept)
    match.history.before = lambda: game.told_in(entries[:mark.entries])
    match.fold(entries, late, mark.entries + 1)
    return match, course


# --- leaving it --------------------------------------------------------------------------------------------------


def leave(game: Opened, taken: Taken) -> None:
    """The log has grown, and a player turn has begun in it: whoever opens it next begins there."""
    log, number = game.game, taken.number
    if number < FEWEST:
        return
    data = log.text.encode()
    end, skipped = start_of(data, log, number), beginning(log, data, number - marks.READ_BACK)
    if skipped is None or log.speaking_of("overrides") or not is_entered(game, taken.fold, hands=knows_hands(game)):
        return
    seen, digest = taken.fold, sha256(memoryview(data)[:end]).hexdigest()
    if knows_hands(game):
        marks.leave(log.path.with_name(marks.OWN), Mark(
            number, end, digest, fold.written(seen), taken.course, bound(game, hands=True)))
        public = publicly(game, number)
        if public is None or not is_entered(game, public, hands=False):
            return
        seen = public
    marks.leave(log.path.with_name(marks.PUBLIC),
                Mark(number, end, digest, fold.written(seen), taken.course, bound(game, hands=False)), skipped)


def is_entered(game: Opened, kept: Mapping[str, Any], *, hands: bool) -> bool:
    """Does it lead to where it was taken?"""
    match = game.blank(hands=hands)
    try:
        fold.entered(match, kept)
    except PbemError:
        return False
    return fold.has_led_there(match, kept)


def publicly(game: Opened, number: int) -> dict[str, Any] | None:
    """The same made without anything that is private, from the last such mark on."""
    entries, match, first = game.game.entries, game.blank(hands=False), 0
    mark = game.game.mark
    if mark is not None and mark.bound == bound(game, hands=False) and (after := undo.after(entries, mark.entries)) is not None:
        fold.entered(match, fold.read(mark.fold))
        first, standing = mark.entries, after
        match.history.before = lambda: game.told_in(entries[:first], hands=False)
    else:
        standing = gamelog.survivors(entries)
    match.fold(entries, [place for place in standing if place < number], first + 1, number)
    return fold.taken(match) if fold.can_be_taken(match) else None


def start_of(data: bytes, log: gamelog.GameFile, number: int) -> int:
    """The byte at which the entry after so many begins."""
    if number >= len(log.entries):
        return len(data)
    line, at = (log.skipped.lines, log.skipped.begin) if log.skipped is not None else (0, 0)
    for _ in range(log.entries[number].line - 1 - line):
        at = data.index(b"\n", at) + 1
    return at


def beginning(log: gamelog.GameFile, data: bytes, number: int) -> Skipped | None:
    """What of a log need not be read any more; None where it is not what its mirror says."""
    before, first = log.skipped, log.skipped.entries if log.skipped is not None else 0
    known = before.mirror if before is not None else (0, sha256(b"").hexdigest())
    lines = log.late[:number - first] if before is not None else log.lines[:number + 1]
    if (behind := mirror.behind(log.path.with_name(gamelog.MIRROR), known)) is None or behind[:len(lines)] != lines:
        return None
    size = known[0] + sum(len(line) + 1 for line in lines)
    begin = start_of(data, log, number)
    new = log.entries[first:number]
    return Skipped(
        number, begin, data.count(b"\n", 0, begin), log.head(number), (before.undos if before is not None else 0)
        + sum("undo" in entry for entry in new), [*(before.said if before is not None else ()), *marks.said_in(new)],
        (size, mirror.digest(log.path.with_name(gamelog.MIRROR), size)))
