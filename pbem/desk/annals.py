"""The log in words: its entries by their numbers with what came of each, and the one that somebody means."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.base.errors import Refused
from pbem.base.language import wrapped
from pbem.desk import showing
from pbem.desk.desk import Desk
from pbem.log import gamelog
from pbem.log.entries import kind_of
from pbem.orders.asking import NUMBER
from pbem.table.events import Event
from pbem.telling.story import BREAKS, HEADINGS, UNSAID, joined

LAST = "last"
# What somebody did; every other entry was written because of one of these.
ACTS = frozenset(("by", "close", "ruling", "amend", "rebase", "seat", "hold", "resume", "note"))
SILENT = HEADINGS | BREAKS | UNSAID | {"segment_began", "phase_began"}
FEWEST = 3                          # letters of a text by which an entry is looked for


class Row(NamedTuple):
    """An entry as it is listed. `undone` is the entry that took it back; of what is taken back nothing came."""

    number: int
    kind: str
    turn: int
    round: int
    seats: list[str]
    says: str
    undone: int
    events: list[Event]


def rows(desk: Desk) -> Iterator[Row]:
    """Every entry of the log, with what everybody may know of what came of it."""
    came: dict[int, list[Event]] = {}
    for number, event in desk.match.history:
        if event.for_seat(None):
            came.setdefault(number, []).append(event)
    undone = taken_back(desk)
    turn, round_ = begins(desk.game.entries)
    for number, entry in enumerate(desk.game.entries, 1):
        for event in came.get(number, ()):
            turn = event.facts.get("turn", turn)
            round_ = event.facts["round"] if event.key == "player_turn_began" else round_
        yield Row(number, kind_of(entry), turn, round_, seats_of(entry), says(entry), undone.get(number, 0),
                  came.get(number, []))


def begins(entries: Sequence[Any]) -> tuple[int, int]:
    """Game Turn and round in which the log begins."""
    position = entries[0].get("position") or {} if entries else {}
    return position.get("turn", 1), position.get("round", 1)


def taken_back(desk: Desk) -> dict[int, int]:
    """The entries that do not stand, each with the undo that took it back last."""
    stands = {place + 1 for place in gamelog.survivors(desk.game.entries, str(desk.game.path))}
    found = {}
    for number, entry in enumerate(desk.game.entries, 1):
        if "undo" in entry:
            found.update({one: number for one in range(entry["undo"], number) if one not in stands})
    return found


def seats_of(entry: Mapping[str, Any]) -> list[str]:
    """Whose deed it is, or of whom it speaks."""
    return [str(seat) for seat in (entry.get("by"), entry.get("seat"), *(entry.get("answers") or {})) if seat]


def says(entry: Mapping[str, Any], seat: Callable[[str], str] = str, order: Callable[[str], str] = str) -> str:
    """What stands in it that no event tells: the order, the question, the answers, what is taken back."""
    if "close" in entry:
        answers = (entry.get("answers") or {}).items()
        return "; ".join([str(entry["close"]), *(f"{seat(one)}: {order(text)}" for one, text in answers)])
    return order(str(entry["do"])) if "do" in entry else str(entry.get("ask") or "")


# --- as it is shown ----------------------------------------------------------------------------------------------


def chosen(desk: Desk, *, seat: str = "", kind: str = "", turn: int = 0, since: int = 1) -> list[Row]:
    return [row for row in rows(desk) if row.number >= since and (not seat or seat in row.seats)
            and (not kind or row.kind == kind) and (not turn or row.turn == turn)]


def log_text(desk: Desk, found: list[Row]) -> str:
    """A line each, in the words of its reader, and below it what came of it in the report's own sentences."""
    return "\n".join(line for row in found for line in shown(desk, row)) or str(showing.words(desk).phrase("log_nothing"))


def shown(desk: Desk, row: Row) -> list[str]:
    said = showing.words(desk)
    own = says(desk.game.entries[row.number - 1], said.seat, said.retold)
    lead = said.phrase("log_row", number=row.number, kind=said.term(f"entry {row.kind}", "checked"), says=own,
                       seat=row.seats[0] if row.kind == "by" else "", undone=row.undone)
    came = [said.tell("events", one.key, one.facts) for one in joined(event for event in row.events if event.key not in SILENT)]
    return [*wrapped(lead, 6), *wrapped(" ".join(came), 6, " " * 6)]


def data(desk: Desk, found: list[Row]) -> dict[str, Any]:
    """The same for programs."""
    return {"game": str(desk.game.header["game"]), "head": desk.game.head(),
            "last": len(desk.game.entries), "entries": [as_data(row) for row in found]}


def as_data(row: Row) -> dict[str, Any]:
    return {**row._asdict(), "events": [{"key": event.key, "facts": event.facts} for event in row.events]}


# --- which one is meant ------------------------------------------------------------------------------------------


def number(text: str) -> int | None:
    """An entry that was named by its number."""
    return int(text) if re.fullmatch(NUMBER, text) else None


def meant(desk: Desk, text: str) -> int:
    """An entry by its number, by `last` (what somebody did last), or by words that it shows, if no other that stands does."""
    if (entry := number(text)) is not None:
        return entry
    stand = [row for row in rows(desk) if not row.undone and row.kind in ACTS]
    if text == LAST:
        if not stand:
            raise Refused("0", "no_act")
        return stand[-1].number
    wanted = text.casefold()
    found = [row for row in stand if wanted in " ".join(" ".join([*shown(desk, row), row.says]).split()).casefold()]
    if len(wanted) < FEWEST or not found:
        raise Refused("0", "no_entry_shows", text=text)
    if len(found) > 1:
        raise Refused("0", "entries_show", text=text, numbers=[row.number for row in found][-9:])
    return found[0].number
