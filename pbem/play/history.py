"""What has happened in a game: every event with the entry that caused it, in the order of the log.

Where a fold did not begin at the beginning (`pbem.play.mark`) only what was told of late is here, and of what was before the
last word on some things, and how the totals went; whoever asks for more has the game folded from its first entry on.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from pbem.table.events import Event

Told = tuple[int, Event]
TURN = "player_turn_began"
TURNS, MOST = 6, 1000                   # player turns of which a mark keeps everything, and events of these
# Of these telling asks for what was said last, however long ago it was; of the totals for each seat.
TOTALS = {"legitimacy_changed": "L", "points_changed": "VP"}
LAST_WORDS = (*TOTALS, "turn_began", TURN)
Row = dict[str, Any]


def nothing() -> Iterable[Told]:
    return ()


class Kept(NamedTuple):
    """What a mark has kept, read when it is asked for: what was told from an entry on, and the last words from before."""

    since: Callable[[int], list[Told]]
    last_words: Callable[[], list[Told]]


class History:
    """`first` is the entry from which on everything is here."""

    __slots__ = ("_before", "_kept", "_late", "_words", "append", "before", "first", "rows")

    def __init__(self, late: Iterable[Told] = (), first: int = 1, last_words: Iterable[Told] = (),
                 kept: Kept | None = None, rows: Iterable[Row] = ()) -> None:
        self.first = first
        self.rows = list(rows)                                      # of `course`, from before that
        self._words = list(last_words)                              # from before that
        self._kept = kept                                           # as long as nobody has asked for it
        self.before: Callable[[], Iterable[Told]] = nothing         # where all that was told before is to be had
        self._before: list[Told] | None = None
        self._late = list(late)
        self.append = self._late.append

    @property
    def late(self) -> list[Told]:
        """What was told from the first entry on."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            self._late[:0], self._words = kept.since(self.first), kept.last_words()
        return self._late

    @property
    def last_words(self) -> list[Told]:
        _, words = self.late, self._words
        return words

    def sort(self) -> None:
        """What was taken back is told where it was; a mark has kept nothing that comes later."""
        self._late.sort(key=itemgetter(0))

    def whole(self) -> list[Told]:
        if self.first == 1:
            return self.late
        if self._before is None:
            self._before = [told for told in self.before() if told[0] < self.first]
        return [*self._before, *self.late]

    def since(self, entry: int) -> list[Told]:
        """What was told from an entry on."""
        if self._kept is not None and entry > self.first:
            return [*self._kept.since(entry), *(told for told in self._late if told[0] >= entry)]
        return [told for told in (self.late if entry >= self.first else self.whole()) if told[0] >= entry]

    def up_to(self, entry: int) -> list[Told]:
        """What was told before an entry, as far as anybody looks back: everything, or only the last words on some things."""
        if entry < self.first:
            return [told for told in self.whole() if told[0] < entry]
        return [*self.last_words, *(told for told in self.late if told[0] < entry)]

    def course(self, seats: Iterable[str]) -> list[Row]:
        """When each player turn began, and when somebody had won, with what every seat had then."""
        now, rows, turn, round_ = {seat: {"L": 0, "VP": 0} for seat in seats}, list(self.rows), 0, 0
        for entry, one in chain(self.last_words, self.late):
            if one.key in TOTALS:
                now[one.facts["seat"]][TOTALS[one.key]] = one.facts["new"]
            elif one.key == "turn_began":
                turn = one.facts["turn"]
            elif one.key in (TURN, "game_won"):
                round_ = one.facts.get("round", round_)
                if entry >= self.first:
                    rows.append({"turn": turn or 1, "round": round_, "entry": entry,
                                 "seats": {seat: dict(both) for seat, both in now.items()}})
        return rows

    def of_late(self, seats: Iterable[str]) -> "History":
        """What a mark keeps: the last player turns, and the last words and the totals from before."""
        late = self.late
        began = [number for number, event in late if event.key == TURN]
        first = began[-TURNS] if len(began) >= TURNS else self.first
        if len(late) > MOST:
            first = max(first, late[-MOST][0] + 1)
        last = {(event.key, event.facts.get("seat", "") if event.key != TURN else ""): (number, event)
                for number, event in (*self.last_words, *late) if number < first and event.key in LAST_WORDS}
        rows = [row for row in self.course(seats) if row["entry"] < first]
        return History(self.since(first), first, last.values(), rows=rows)

    def __iter__(self) -> Iterator[Told]:
        return iter(self.whole())

    def __reversed__(self) -> Iterator[Told]:
        yield from reversed(self.late)
        if self.first > 1:
            yield from reversed(self.whole()[:len(self) - len(self.late)])

    def __len__(self) -> int:
        return len(self.whole())

    def __getitem__(self, place: Any) -> Any:
        return self.whole()[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and self.whole() == other.whole()

    __hash__ = None  # type: ignore[assignment]
