"""Who is reached where: addresses of seats, observers. Kept in the private file, never in the log."""

from collections.abc import Sequence
from pathlib import Path

from pbem.base import records
from pbem.base.errors import PbemError, Refused
from pbem.base.folder import Lock
from pbem.desk import showing
from pbem.desk import tray as trays
from pbem.log import gamelog
from pbem.log.promise import judge_private
from pbem.mail import outbox
from pbem.mail.sentences import mailed


def bare(address: str) -> str:
    """A bare address, or a kind refusal: nothing else may come near a header."""
    if address.count("@") != 1 or not address.isascii() or any(sign.isspace() or sign in '<>,;:"()[]\\' for sign in address):
        raise PbemError("mail_address", address=address)
    return address


def addresses(place: Path, seat: str, given: Sequence[str]) -> str:
    folder = gamelog.game_path(place).parent
    with Lock(folder):
        game = gamelog.read_game(place)
        judge_private(game)
        seats = list(game.header["seats"])
        if seat not in seats:
            raise Refused("2", "unknown_seat", seat=seat, known=seats)
        settle_in(place, seat, given)
    return mailed(showing.plain_words(gamelog.language_of(place)), "addresses", seat=seat, addresses=given)


def handed_over(place: Path, seat: str, given: Sequence[str]) -> str:
    """Somebody else sits there: without an address nobody is written to, least of all whoever sat there before."""
    settle_in(place, seat, given)
    said = showing.plain_words(gamelog.language_of(place))
    return mailed(said, "addresses" if given else "no_address", seat=seat, addresses=given, game=place)


def settle_in(place: Path, seat: str, given: Sequence[str]) -> None:
    """These addresses and no others; a new first one is asked what is open, and what waits for old ones is dropped."""
    tray, box = trays.read(place), outbox.of_game(gamelog.game_path(place).parent)
    before, now = tray.addresses.get(seat, []), [bare(one) for one in given]
    tray.addresses[seat] = now
    if before[:1] != now[:1]:
        tray.mail.people[seat] = tray.mail.people.get(seat, 0) + bool(before)
        tray.mail.shown.pop(seat, None)
        tray.mail.unreachable.pop(seat, None)
        tray.mail.welcomed = [one for one in tray.mail.welcomed if one != seat]
        tray.mail.heard = [one for one in tray.mail.heard if one != seat]
        if (last := box.bookmarks().get(seat)) is not None:
            box.mark({seat: last._replace(question="")})
    for key, text in list(tray.mail.queue.items()):         # it would be noted again with the next run
        one = records.read(outbox.Item, records.parsed(text, str(place)), str(place))
        if one.seat == seat and one.to not in now:
            del tray.mail.queue[key]
    trays.write(place, tray)
    for one in [*box.unsent(), *box.failed()]:
        if one.seat == seat and one.to not in now:
            box.change(one._replace(state="dropped"))


def reached(place: Path, seat: str) -> list[str]:
    """Where a seat is written to."""
    return trays.read(place).addresses.get(seat, [])


def observer(place: Path, address: str, *, remove: bool = False) -> str:
    folder = gamelog.game_path(place).parent
    with Lock(folder):
        judge_private(gamelog.read_game(place))
        tray = trays.read(place)
        known = [one for one in tray.observers if one.casefold() != address.casefold()]
        tray.observers = known if remove else [*known, bare(address)]
        tray.mail.observers_asked = [one for one in tray.mail.observers_asked if one.casefold() != address.casefold()]
        trays.write(place, tray)
    return mailed(showing.plain_words(gamelog.language_of(place)), "observers", addresses=tray.observers)
