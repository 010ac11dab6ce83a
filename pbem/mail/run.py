"""A run: the mailbox and its games while they are locked, and what is kept from one run to the next."""

import json
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import records
from pbem.base.clock import stamp
from pbem.base.errors import PbemError
from pbem.base.folder import Lock, together, write_whole
from pbem.desk import showing
from pbem.mail import letters, outbox, reading, resting, routing
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import title
from pbem.mail.known import Known, KnownGames
from pbem.mail.ledger import Ledger, Row
from pbem.mail.outbox import Item, Outbox
from pbem.mail.reading import Mail
from pbem.mail.requests import could_be_meant
from pbem.mail.routing import Roster
from pbem.mail.sending import Sent
from pbem.mail.sentences import mailed

MAILBOX_OUT = "out"
MOST_OPEN = 100                 # games in memory at once; the smallest takes a fifth of a megabyte, and a file for its lock


@dataclass
class Summary:
    """What a run did, for the one who reads cron's mail."""

    fetched: int = 0
    left: int = 0                               # mails that still lie on the server
    gone: list[int] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    busy: list[str] = field(default_factory=list)
    clock: str = ""
    problems: list[str] = field(default_factory=list)
    cut_short: bool = False                     # the disk failed, and what was not written is for the next run
    sent: Sent | None = None
    taken_over: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return bool(self.problems)

    def count(self, state: str) -> None:
        self.counts[state] = self.counts.get(state, 0) + 1

    def text(self) -> str:
        parts = [f"{self.fetched} fetched"]
        parts += [f"{number} {state}" for state, number in sorted(self.counts.items())]
        if self.left:
            parts.append(f"{self.left} unread")
        if self.closed:
            parts.append(f"closed: {', '.join(self.closed)}")
        if self.sent is not None:
            parts.append(f"{self.sent.sent} sent, {self.sent.left} waiting" + (
                f", {len(self.sent.failed)} failed" if self.sent.failed else ""))
        return "\n".join(["; ".join(parts), *self.sentences(), *self.problems])

    def sentences(self) -> list[str]:
        """What somebody should look at; an idle run has nothing to say and needs no words."""
        facts = [("busy", {"name": name}) for name in self.busy] + [("taken_over", {"name": name}) for name in self.taken_over]
        facts += [("clock", {"way": self.clock})] if self.clock else []
        return [mailed(showing.plain_words(), f"run_{key}", **more) for key, more in facts]


class State(NamedTuple):
    """What the mailbox remembers between runs besides the ledger."""

    where: str = ""                             # the folder on the server, and how far it was read
    uidvalidity: int = 0
    next: int = 1
    began: str = ""                             # what came before is never answered
    proven: int = 0                             # from this UID on nothing lay there before the first run
    left: int = 0                               # mails that still lie there
    tries: dict[str, int] = {}                  # by UID: how often a mail could not be had
    last_run: str = ""
    good: str = ""                              # the last poll in which the server answered
    back: str = ""                              # the first one after an outage of ours
    made_good: str = ""                         # until when nothing closes because of it
    silent: str = ""                            # the last mail of which our server did not say what it thinks of its sender
    empty: dict[str, dict[str, str]] = {}       # today: sender -> mails with nothing to do in them, and what they said
    refused: dict[str, str] = {}                # today: of which kind a sender was told, and because of which mail

    @classmethod
    def read(cls, folder: Path) -> "State":
        path = folder / "state.json"
        found = records.parsed(path.read_text(), str(path)) if path.exists() else {}
        for once in ("resting", "rests"):       # of older versions: those games are looked at once more
            found.pop(once, None)
        return records.read(cls, found, str(path))

    def save(self, folder: Path) -> None:
        write_whole(folder / "state.json", records.written(self), 0o600)


class Look(NamedTuple):
    """A game as a run sees it first."""

    place: Path
    of: str                                     # by this its files are known
    known: Known | None                         # what was known of these very files


ANYBODY = ("", "")


class Unread(NamedTuple):
    """A mail that still lies on the server and may be that of a seat; without a game it may be anybody's."""

    game: str
    seat: str
    received: datetime


class Run:
    """A run over one mailbox and its games."""

    def __init__(self, config: Config, games: Iterable[Path], now: datetime, stack: ExitStack,
                 summary: Summary | None = None) -> None:
        self.config = config
        self.now = now
        self.stack = stack
        self.summary = summary or Summary()
        config.folder.mkdir(parents=True, exist_ok=True)
        self.lock(config.folder)
        self.ledger = Ledger(config.folder)
        self.state = State.read(config.folder)
        self.own = Outbox(config.folder / MAILBOX_OUT)
        self.says: list[Item] = []                  # the mailbox itself, and no game
        self.rosters: dict[str, Roster] = {}
        self.places: list[Path] = list(games)
        self.is_whole = True                        # every game that has to be known can be read
        self._known: set[Path] = set()
        self._desks: dict[str, MailDesk | None] = {}
        self._locks: dict[str, ExitStack] = {}      # of games that are open
        self._going: list[MailDesk] = []            # on their way to the disk: what they know is not there yet
        self._looks: dict[str, Look] = {}
        self._opened: dict[str, str] = {}           # how the files of a game were before it was opened
        self._left: dict[str, str] = {}             # how they were when they were let go: others may write in them since
        self._rests: dict[str, tuple[str, str]] = {}        # games that were looked at: from when to when they rest
        self.dealt_with: list[Row] = []
        self.fresh: set[str] = set()                # mails that came with this run
        self.of_seats: dict[tuple[str, str], list[str]] | None = None       # game and seat -> mails that seem to be theirs
        self.understood: dict[str, Mail] = {}       # mails that are not dealt with yet
        self.large = ""                             # one of them: of large mails none but this is kept
        self.unread: list[Unread] = []              # nobody is silent of whom one may lie there

    def problem(self, text: str) -> None:
        self.summary.problems.append(text)

    def lock(self, folder: Path) -> ExitStack:
        """Until the run ends, or somebody closes what is given back."""
        held = self.stack.enter_context(ExitStack())
        lock = held.enter_context(Lock(folder))
        if lock.left_by is not None:
            self.summary.taken_over.append(f"{folder.name}, from process {lock.left_by[0]} of {lock.left_by[1]}")
        return held

    @property
    def where(self) -> str:
        return f"{self.config.imap.user}@{self.config.imap.host}/{self.config.imap.folder}"

    def save(self) -> None:
        self.state.save(self.config.folder)
        news = [game for game, look in self._looks.items() if look.known is None or game in self._opened]
        for game in news:
            place, of, known = self._looks[game]
            of = self._left.get(game) or (resting.marks(place) if game in self._opened else of)
            rests = (known.since, known.until) if known is not None and known.of == of else ("", "")
            self.kept.put(Known(str(place), of, self.rosters[game].plain(), *self._rests.get(game, rests)))
        if news:
            self.kept.leave(self.places)

    # --- games -------------------------------------------------------------------------------------------------------

    @cached_property
    def kept(self) -> KnownGames:
        """What was known of the games when the mailbox was left last."""
        return KnownGames(self.config.folder)

    @cached_property
    def looks(self) -> dict[Path, Look]:
        """Its games as this run sees them first."""
        return {place: Look(place, of := resting.marks(place), self.kept.of(place, of)) for place in self.places}

    def know(self, places: Iterable[Path]) -> None:
        """What tells the mails of these games from others."""
        for place in [one for one in places if one not in self._known]:
            self._known.add(place)
            look = self.looks[place]
            try:
                roster = routing.roster(place, look.known)
            except PbemError as problem:
                self.problem(f"{place}: {said(problem)}")
                self.is_whole = False
                continue
            self.rosters[roster.game], self._looks[roster.game] = roster, look

    def awake(self) -> list[str]:
        """The games that may have something to do."""
        now = stamp(self.now)
        looks = [self._looks[game] for game in self._opened]
        changed = {look.place for look in looks if resting.marks(look.place) != look.of}
        places = {place: None for place, _, known in self.looks.values()
                  if self.summary.clock or known is None or not known.since <= now < known.until or place in changed}
        self.know(places)
        return [game for game, look in self._looks.items() if look.place in places]

    def rest(self, desks: Iterable[MailDesk]) -> None:
        """Games in which this run has found nothing to do need not be opened until something is due."""
        for desk in desks:
            has_changed = self._opened[title(desk)] != resting.marks(desk.place)
            self._rests[title(desk)] = ("", "") if has_changed else (stamp(self.now), stamp(resting.until(desk)))

    def desk(self, game: str) -> MailDesk | None:
        """A game, locked until it is let go; None if somebody else is at it, or if it cannot be read."""
        if game not in self._desks:
            place = self.rosters[game].place
            self._desks[game] = None
            try:
                held = self.lock(place)
                self._opened.setdefault(game, resting.marks(place))
                self._left.pop(game, None)
                desk = self._desks[game] = MailDesk(place, now=self.now)
                self._locks[game] = held
                self.hand_over(desk)                # killed before everything was in the outbox
            except PbemError as problem:
                if problem.key == "busy":
                    self.summary.busy.append(game)
                else:
                    self.problem(f"{game}: {said(problem)}")
        return self._desks[game]

    @property
    def is_full(self) -> bool:
        return len(self._locks) >= MOST_OPEN

    def let_go(self) -> None:
        """The games that were written are opened anew if they are wanted once more: memory does not grow with their number."""
        for game in self._locks:
            del self._desks[game]
            self._left[game] = resting.marks(self.rosters[game].place)
            self._locks[game].close()
        self._locks.clear()

    def notice(self, name: str, key: str, commands: Sequence[str] = (), **facts: Any) -> None:
        """Tell the moderator."""
        self.says += letters.notice(self.config, self.now, letters.for_the_moderator(name, key, commands, **facts))

    # --- writing -----------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """What was done since the last time is written: the games, what they say, and only then the ledger."""
        desks = [desk for desk in self._desks.values() if desk is not None]
        for desk in desks:
            outbox.of_game(desk.place).keep(desk.pictures)
        with together():
            for desk in desks:
                if desk.commit():
                    self._going.append(desk)
        with together():
            for desk in self._going:
                self.hand_over(desk)
            if self.says:
                self.own.queue(self.says, self.now)
        self.says.clear()
        self.ledger.settle()
        self._going.clear()

    def forget(self) -> None:
        """After something failed: games and ledger as they are on the disk."""
        for game, desk in self._desks.items():
            if desk is not None and (desk.is_changed or desk in self._going):
                self._desks[game] = anew = MailDesk(desk.place, now=self.now)
                self.rosters[game].learn(anew.tray)
        self._going.clear()
        self.says.clear()
        self.ledger.forget()

    def hand_over(self, desk: MailDesk) -> None:
        """What a game wants to say goes from its private file into its outbox; doing it twice does it once."""
        mails = queued(desk)
        desk.mail.queue.clear()
        desk.made.clear()
        if mails:
            for one in outbox.of_game(desk.place).queue(mails, self.now):
                desk.mail.shown.pop(one.seat, None)          # the question in it must not wait for tomorrow
        self.rosters[title(desk)].learn(desk.tray)


def queue(desk: MailDesk, mails: Iterable[Item]) -> None:
    """Kept in the game's private file until they are in the outbox."""
    for one in mails:
        desk.mail.queue[one.key] = json.dumps(records.plain(one), ensure_ascii=False)
        desk.made[one.key] = one


def queued(desk: MailDesk) -> list[Item]:
    file = str(desk.place)
    return [desk.made.get(key) or records.read(Item, records.parsed(text, file), file) for key, text in desk.mail.queue.items()]


def understood(config: Config, raw: bytes) -> Mail:
    """A mail as this mailbox takes it."""
    return reading.understand(raw, own_domain=config.domain, own_loop=config.address, server=config.authserv,
                              reads=could_be_meant)


def said(fault: Exception) -> str:
    """What is wrong, for the moderator."""
    if isinstance(fault, PbemError):
        return str(showing.sentence(fault))
    return mailed(showing.plain_words(), "run_fault", what=f"{type(fault).__name__}: {fault}"[:300])
