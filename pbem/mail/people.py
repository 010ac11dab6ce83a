"""Who is reached where: addresses of seats, observers. Kept in the private file, never in the log."""

from collections.abc import Sequence
from pathlib import Path

from pbem.base.errors import PbemError, Refused
from pbem.base.folder import Lock
from pbem.desk import showing
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
        private = gamelog.read_private(place)
        private.setdefault("addresses", {})[seat] = [plain(one) for one in given]
        gamelog.write_private(place, private)
    return mailed(showing.plain_words(), "addresses", seat=seat, addresses=given)


def observer(place: Path, address: str, *, remove: bool = False) -> str:
    folder = place if place.is_dir() else place.parent
    with Lock(folder):
        judge_private(gamelog.read_game(place))
        private = gamelog.read_private(place)
        known = [one for one in private.get("observers") or [] if one.casefold() != address.casefold()]
        private["observers"] = known if remove else [*known, plain(address)]
        asked = (private.get("mail") or {}).get("observers_asked")
        if asked and address in asked:
            asked.remove(address)
        gamelog.write_private(place, private)
    return mailed(showing.plain_words(), "observers", addresses=private["observers"])
