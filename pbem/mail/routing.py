"""Which game a mail is for, and whose: by the token that comes back with it, by the subject, by the address."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from pbem.base import yamlfile
from pbem.base.folder import leave, which_file
from pbem.desk import tray as trays
from pbem.desk.tray import Tray
from pbem.log import gamelog, mark
from pbem.log.promise import judge_private
from pbem.mail import tokens

KEPT = ".mark-mail"                     # beside the marks of the log, and kept as they are
TITLE = re.compile(r"\[\s*([\w.-]{1,60})[^\]]*\]")


class Issued(NamedTuple):
    """A token that was given out: for which game, seat and window; `asked` is the window's id in the log."""

    game: str
    seat: str
    window: str
    asked: str
    token: str


class Roster:
    """What has to be known of a game to tell its mails from others."""

    __slots__ = ("game", "issued", "observers", "owners", "place", "seats")

    def __init__(self, place: Path, game: str, seats: Iterable[str], tray: Tray | None = None) -> None:
        self.place = place
        self.game = game
        self.seats = list(seats)
        self.owners: dict[str, str] = {}
        self.observers: list[str] = []
        self.issued: dict[bytes, Issued] = {}
        if tray is not None:
            self.learn(tray)

    @classmethod
    def read(cls, place: Path) -> Self:
        """As it was left by whoever read it last, if the files of the game are still those; else from these files."""
        of = _bound_to(place)
        if (known := cls._left(place, of)) is not None:
            return known
        made = cls._made(place)
        made._leave(of)
        return made

    @classmethod
    def _left(cls, place: Path, of: list[str]) -> Self | None:
        try:
            kept = json.loads((place / KEPT).read_bytes())
            if kept["of"] != of:
                return None
            made = cls(place, kept["game"], kept["seats"])
            made.owners, made.observers = dict(kept["owners"]), list(kept["observers"])
            made.issued = {blinded(one.token): one for one in (Issued(made.game, *row) for row in kept["issued"])}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None
        return made

    def _leave(self, of: list[str]) -> None:
        kept = {"of": of, "game": self.game, "seats": self.seats, "owners": self.owners, "observers": self.observers,
                "issued": [one[1:] for one in self.issued.values()]}
        leave(self.place / KEPT, json.dumps(kept).encode())

    @classmethod
    def _made(cls, place: Path) -> Self:
        """Of a game whose private file is there the header says enough, however long its log is."""
        tray = trays.read(place)
        header = _header(place) if tray else {}
        if "game" not in header or not isinstance(header.get("seats"), dict):
            game = gamelog.read_game(place)
            judge_private(game)
            header = game.header
        return cls(place, str(header["game"]), header["seats"], tray)

    def learn(self, tray: Tray) -> None:
        """The game has moved on: new questions have new tokens."""
        self.owners = {}
        for seat, addresses in tray.addresses.items():
            for one in addresses:
                self.owners.setdefault(one.casefold(), seat)
        self.observers = [one.casefold() for one in tray.observers]
        if tray.mail.secret:
            for seat, window, asked in tray.mail.issued:
                made = Issued(self.game, seat, window, asked, tokens.make(tray.mail.secret, self.game, seat, window))
                self.issued[blinded(made.token)] = made

    def seat_of(self, address: str) -> str:
        """Whose address this is; only the parsed address counts, never the name beside it."""
        return self.owners.get(address.casefold(), "")

    def find(self, token: str, digest: bytes) -> Issued | None:
        """Looked up by a digest, then compared in constant time: the time taken tells nothing of a token."""
        found = self.issued.get(digest)
        return found if found is not None and hmac.compare_digest(found.token.encode(), token.encode()) else None


def _bound_to(place: Path) -> list[str]:
    """The program, and the two files that say all of it."""
    return [mark.program(), *(which_file(place / name) for name in (gamelog.GAME, gamelog.PRIVATE))]


def _header(place: Path) -> Mapping[str, Any]:
    """What stands before the log; nothing if that cannot be told."""
    path = gamelog.game_path(place)
    text = yamlfile.read(path)
    log = gamelog.LOG_LINE.search(text)
    found = yamlfile.parse(text[:log.start()], str(path)) if log else None
    return found if isinstance(found, dict) else {}


def blinded(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class Route(NamedTuple):
    """Where a mail belongs."""

    games: list[str]                    # more than one: it speaks of several
    token: Issued | None                # the first of ours that it brings back
    seat: str                           # whose address it was sent from, in that game
    named: bool                         # the mail says which games, not only its sender


def route(rosters: Mapping[str, Roster], sender: str, candidates: Iterable[str], subject: str) -> Route:
    """The token decides; then the game's name in the subject; then the only game in which the sender has a seat."""
    digests = {token: blinded(token) for token in candidates}
    found = [issued for token in digests for roster in rosters.values()
             if (issued := roster.find(token, digests[token])) is not None]
    if found:
        games = list(dict.fromkeys(one.game for one in found))
        return Route(games, found[0], rosters[games[0]].seat_of(sender), True)
    named = [name for name in dict.fromkeys(TITLE.findall(subject)) if name in rosters]
    own = [game for game, roster in rosters.items() if roster.seat_of(sender)]
    games = named or own
    return Route(games, None, rosters[games[0]].seat_of(sender) if len(games) == 1 else "", bool(named))
