"""What players wish to have taken back: asked for before all eyes; the moderator carries it out or refuses.

A wish is a note in the log; who agrees says so in another. What it rests on may be gone: then so is the wish.
"""

import shlex
from collections.abc import Sequence

from pbem.base.errors import NotNow, Refused
from pbem.desk.desk import Desk
from pbem.desk.tray import Wish
from pbem.log import gamelog


def survivors(desk: Desk) -> list[int]:
    """The entries that were not taken back, by number."""
    return [place + 1 for place in gamelog.survivors(desk.game.entries, str(desk.game.path))]


def all_open(desk: Desk) -> list[Wish]:
    """The wishes that the moderator has still to decide on, the newest last."""
    there = set(survivors(desk)) if desk.tray.wishes else ()
    return [one for one in desk.tray.wishes if one.entry in there]


def wish(desk: Desk, seat: str, entry: int, reason: str) -> Wish:
    """A seat wishes to have everything from an entry on taken back; from its own last deed, if it names none."""
    there = survivors(desk)
    own = [number for number in there if desk.game.entries[number - 1].get("by") == seat]
    if entry and entry not in there:
        raise Refused("0", "no_such_entry", entry=entry, entries=len(desk.game.entries))
    if not entry and not own:
        raise NotNow("nothing_to_take_back")
    made = Wish(seat=seat, entry=entry or own[-1], reason=reason)
    made.asked = [one for one in desk.to_take_back(made.entry)[2] if one != seat]
    desk.tray.wishes[:] = [one for one in all_open(desk) if one.seat != seat] + [made]
    return made


def agree(desk: Desk, seat: str, yes: bool) -> Wish:
    """Another seat says what it thinks of the newest wish."""
    found = next((one for one in reversed(all_open(desk)) if one.seat != seat), None)
    if found is None:
        raise NotNow("no_wish_open")
    found.agreed = [one for one in found.agreed if one != seat] + [seat] * yes
    found.against = [one for one in found.against if one != seat] + [seat] * (not yes)
    return found


def refuse(desk: Desk, entry: int) -> list[Wish]:
    """The moderator leaves it as it is."""
    refused = [one for one in all_open(desk) if one.entry == entry]
    if not refused:
        raise NotNow("no_wish_open")
    desk.tray.wishes[:] = [one for one in desk.tray.wishes if one not in refused]
    return refused


def command(desk: Desk, one: Wish) -> str:
    """What carries it out."""
    consent: Sequence[str] = [f"--consent {seat}" for seat in [one.seat, *one.agreed]]
    return f"pbem undo {desk.folder} {one.entry} --reason {shlex.quote(one.reason)} {' '.join(consent)}"
