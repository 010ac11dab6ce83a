"""Who is reached where: addresses of seats, observers. Kept in the private file, never in the log."""

from collections.abc import Sequence
from pathlib import Path

from pbem.base.errors import PbemError, Refused
from pbem.base.folder import Lock
from pbem.desk import showing
from pbem.desk import tray as trays
from pbem.log import gamelog
from pbem.log.promise import judge_private
from pbem.mail.sentences import mailed


def plain(address: str) -> str:
    """A bare address, or a kind refusal: nothing else may come near a header."""
    if address.count("@") != 1 or not address.isascii() or any(sign.isspace() or sign in '<>,;:"()[]\\' for sign in address):
        raise PbemError("mail_address", address=address)
    return address


def addresses(place: Path, seat: str, given: Sequence[str]) -> str:
    folder = place if place.is_dir() else place.parent
    with Lock(folder):
        game = gamelog.read_game(place)
        judge_private(game)
        seats = list(game.header["seats"])
        if seat not in seats:
            raise Refused("2", "unknown_seat", seat=seat, known=seats)
        tray = trays.read(place)
        tray.addresses[seat] = [plain(one) for one in given]
        trays.write(place, tray)
    return mailed(showing.plain_words(), "addresses", seat=seat, addresses=given)


def observer(place: Path, address: str, *, remove: bool = False) -> str:
    folder = place if place.is_dir() else place.parent
    with Lock(folder):
        judge_private(gamelog.read_game(place))
        tray = trays.read(place)
        known = [one for one in tray.observers if one.casefold() != address.casefold()]
        tray.observers = known if remove else [*known, plain(address)]
        if address in tray.mail.observers_asked:
            tray.mail.observers_asked.remove(address)
        trays.write(place, tray)
    return mailed(showing.plain_words(), "observers", addresses=tray.observers)
