"""What stands when all undo entries have done their work. The log is only added to; an undo is an entry."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.base.errors import BadLog

Standing = tuple[int, "Standing"] | None


def survivors(entries: Sequence[Mapping[str, Any]], file: str = "game.yaml") -> list[int]:
    """The places in the list (from 0) of what stands when all undo entries have done their work.

    An undo of entry N takes back everything from N on up to itself. To undo an undo brings back what it took.
    """
    stands: Standing = None
    before: list[Standing] = []  # shares its tails: undoing is to go on from an earlier one
    for place, entry in enumerate(entries):
        before.append(stands)
        if "undo" in entry:
            number = entry["undo"]
            line = getattr(entry, "line", 0)
            if not 0 < number <= place:
                raise BadLog("undo_of_nothing", file=file, line=line, number=number)
            if not _is_among(stands, number - 1):
                raise BadLog("undone_before", file=file, line=line, number=number)
            stands = before[number - 1]
        stands = (place, stands)
    places = []
    while stands:
        place, stands = stands
        if "undo" not in entries[place]:
            places.append(place)
    return places[::-1]


def after(entries: Sequence[Mapping[str, Any]], first: int) -> list[int] | None:
    """The same of what comes after so many entries; None if any of it takes back what was before."""
    late = entries[first:]
    if any(not isinstance(entry["undo"], int) or entry["undo"] <= first for entry in late if "undo" in entry):
        return None
    moved = [{"undo": entry["undo"] - first} if "undo" in entry else {} for entry in late]
    return [first + place for place in survivors(moved)]


def _is_among(stands: Standing, place: int) -> bool:
    while stands and stands[0] > place:
        stands = stands[1]
    return stands is not None and stands[0] == place
