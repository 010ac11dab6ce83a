"""A moderator who plays: he is shown what his own seat knows. A look at more is noted in the log, and so is whether he does."""

from collections.abc import Sequence

from pbem.base import clock
from pbem.base.errors import NotNow, Refused
from pbem.desk.desk import Desk
from pbem.desk.notes import note
from pbem.desk.submission import Outcome


def go(desk: Desk, seat: str) -> list[int]:
    """From here on he plays this seat, and sees nothing hidden of others; without one he sees all. Everybody hears so."""
    if desk.match.table is None:
        raise NotNow("not_begun")
    by_hand = [one for one, who in desk.match.seats.items() if seat and one != seat and who.get("channel") == "paste"]
    if by_hand:
        raise NotNow("blind_by_hand", seats=by_hand)
    desk.tray.blind = seat
    return note(desk, "blind", seat=seat)


def lifted(desk: Desk) -> list[int]:
    """He has looked at more than his seat knows: everybody hears that he has, not at what."""
    return note(desk, "looked", at=clock.to_the_minute(desk.now))


def seen(desk: Desk) -> Desk:
    """What the moderator is shown: all, or, if he plays, what his own seat knows."""
    seat = desk.tray.blind
    if not seat:
        return desk
    shown = desk.trial(seat)
    shown.tray = desk.tray.of_player(seat)
    return shown


def judge(desk: Desk, seat: str) -> None:
    """What is answered to a seat alone is not for a moderator who plays another one."""
    if desk.tray.blind not in ("", seat):
        raise NotNow("blind", own=desk.tray.blind)


def hooded(desk: Desk, seat: str, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Of lines of others he is told whether they were taken, and not why not, nor what they took the place of."""
    if desk.tray.blind in ("", seat):
        return list(outcomes)
    return [Outcome(one.line, one.state, Refused("0", "blind_line", seat=seat) if one.error is not None else None, one.entries,
                    one.waiting) for one in outcomes]
