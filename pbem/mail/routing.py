"""Which game a mail is for, and whose: by the token that comes back with it, by the subject, by the address."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Self

from pbem.base import yamlfile
from pbem.desk import tray as trays
from pbem.desk.tray import Tray
from pbem.log import gamelog
from pbem.log.promise import judge_private
from pbem.mail import tokens
from pbem.mail.known import Known

TITLE = re.compile(r"\[\s*([\w.-]{1,60})[^\]]*\]")


class Issued(NamedTuple):
    """A token that was given out: for which game, seat and window; `asked` is the window's id in the log."""

    game: str
    seat: str
    window: str
    asked: str


class Roster:
    """What has to be known of a game to tell its mails from others."""

    __slots__ = ("game", "issued", "observers", "owners", "place")

    def __init__(self, place: Path, game: str, tray: Tray | None = None) -> None:
        self.place = place
        self.game = game
        self.owners: dict[str, str] = {}
        self.observers: list[str] = []
        self.issued: dict[str, Sequence[str]] = {}      # by the digest of the token: its seat, window, id in the log
        if tray is not None:
            self.learn(tray)

    @classmethod
    def read(cls, place: Path) -> Self:
        """From the files of the game. Of one whose private file is there the header says enough, however long its log is."""
        tray = trays.read(place)
        header = _header(place) if tray else {}
        if "game" not in header or not isinstance(header.get("seats"), dict):
            game = gamelog.read_game(place)
            judge_private(game)
            header = game.header
        return cls(place, str(header["game"]), tray)

    def plain(self) -> dict[str, Any]:
        """As it is kept."""
        return {"game": self.game, "owners": self.owners, "observers": self.observers, "issued": self.issued}

    def learn(self, tray: Tray) -> None:
        """The game has moved on: new questions have new tokens."""
        self.owners = {}
        for seat, addresses in tray.addresses.items():
            for one in addresses:
                self.owners.setdefault(one.casefold(), seat)
        self.observers = [one.casefold() for one in tray.observers]
        self.issued = {blinded(tokens.make(tray.mail.secret, self.game, seat, window)): [seat, window, asked]
                       for seat, window, asked in tray.mail.issued if tray.mail.secret}

    def seat_of(self, address: str) -> str:
        """Whose address this is; only the parsed address counts, never the name beside it."""
        return self.owners.get(address.casefold(), "")

    def find(self, digest: str) -> Issued | None:
        """Looked up by its digest alone: the time taken tells nothing of a token, and what is kept gives none away."""
        found = self.issued.get(digest)
        return Issued(self.game, *found) if found is not None else None


def roster(place: Path, known: Known | None) -> Roster:
    """From what was known of the very files that the game has; else from these."""
    if known is None:
        return Roster.read(place)
    was, made = known.roster, Roster(place, known.roster["game"])
    made.owners, made.observers, made.issued = was["owners"], was["observers"], was["issued"]
    return made


def _header(place: Path) -> Mapping[str, Any]:
    """What stands before the log; nothing if that cannot be told."""
    path = gamelog.game_path(place)
    text = yamlfile.read(path)
    log = gamelog.LOG_LINE.search(text)
    found = yamlfile.parse(text[:log.start()], str(path)) if log else None
    return found if isinstance(found, dict) else {}


def blinded(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def issued_for(rosters: Mapping[str, Roster], brought: Iterable[str]) -> Iterator[Issued]:
    """What these tokens were given out for, as far as they were."""
    for digest in map(blinded, dict.fromkeys(brought)):
        yield from (issued for roster in rosters.values() if (issued := roster.find(digest)) is not None)


class Route(NamedTuple):
    """Where a mail belongs."""

    games: list[str]                    # more than one: it speaks of several
    token: Issued | None                # the first of ours that it brings back
    seat: str                           # whose address it was sent from, in that game
    named: bool                         # the mail says which games, not only its sender


def route(rosters: Mapping[str, Roster], sender: str, candidates: Iterable[str], subject: str) -> Route:
    """The token decides; then the game's name in the subject; then the only game in which the sender has a seat."""
    found = list(issued_for(rosters, candidates))
    if found:
        games = list(dict.fromkeys(one.game for one in found))
        return Route(games, found[0], rosters[games[0]].seat_of(sender), True)
    named = [name for name in dict.fromkeys(TITLE.findall(subject)) if name in rosters]
    own = [game for game, roster in rosters.items() if roster.seat_of(sender)]
    games = named or own
    return Route(games, None, rosters[games[0]].seat_of(sender) if len(games) == 1 else "", bool(named))
