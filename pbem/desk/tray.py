"""The tray: all that the moderator alone has (private.yaml), as typed records. Nothing typed there is passed over.

What a seat sends and what does not count yet is a slip: an answer sealed until its question closes, the rest of a turn, a card
put aside, a standing order, a letter. Each knows how long the log was when it came and with which entry it went, and so an
undo is one rule for all of them (`Tray.taken_back`): an answer that nobody has seen lies there again, if the same question is
asked; so does what was laid down for moments to come. Of anything else its owner is told.
"""

import copy
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.base import records
from pbem.chance import scheme
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.table import position
from pbem.table.state import Game

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from pbem.base.records import record

FORMAT = 2                              # of the file; without a number it is what was written before there were slips
MOST_GONE = 200                         # slips that an undo can still lay back
SLIPS = ("answers", "turns", "filed", "standing", "letters")        # one list for each kind
ALWAYS = 0                              # what is left of a budget without an end
FLEEING = "escape"                      # the question where to, after an evasion


# --- slips -------------------------------------------------------------------------------------------------------


@record(kw_only=True)
class Slip:
    """Something that a seat has sent."""

    seat: str
    came: int = 0                       # how long the log was when it was laid here as it is
    went: int = 0                       # the entry with which it left; 0 while it lies here
    opened: bool = False                # it left because it was used: others have seen what it says
    laid: int = 0                       # the entry that laid it here, where not its owner did


S = TypeVar("S", bound=Slip)


@record(kw_only=True)
class Answer(Slip):
    """Sealed until its question closes; or filed ahead for later steps of a route that was announced."""

    question: str                       # its id
    text: str
    at: str = ""                        # when it came
    via: str = ""                       # in which mail or post
    subject: str = ""                   # what the question was about, as a hash
    ahead: bool = False                 # its question is closed; it speaks of steps to come
    standing: int = 0                   # the standing order that gave it
    does: str = ""                      # what that order does, if its conditions hold
    number: int = 0                     # of the receipts that its seat has had for this question
    digest: str = ""                    # what the newest one says, and the close will list


@record(kw_only=True)
class Turn(Slip):
    """The rest of what a seat sent: lines that have not been looked at."""

    lines: list[str] = field(default_factory=list)
    held: bool = False                  # until its sender or the moderator lets it go on
    since: int = 0                      # the first entry that its sender could not know
    named: dict[str, str] = field(default_factory=dict)      # sent ahead: what it names on the map, as it was when it came


@record(kw_only=True)
class Filed(Slip):
    """A card put aside for a moment to come."""

    trigger: str
    text: str
    turn: int                           # the Game Turn in which it counts


@record(kw_only=True)
class StandingOrder(Slip):
    """An answer decided in advance."""

    no: int = 0
    kind: str                           # of the question that it answers
    text: str = ""                      # in one spelling, to be echoed
    against: str | None = None
    space: str | None = None
    province: str | None = None
    answer: str = ""
    lose: list[str] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    left: int = 1                       # how often it still answers; 0 is always
    yes: bool = False                   # its price is paid
    until: int = 0                      # the last Game Turn in which it answers; 0 is no such thing
    about: dict[str, str] = field(default_factory=dict)      # what it rests on, as it was when it came
    after: str = ""                     # the question that was open when it came
    off: str = ""                       # what has changed since, so that it answers nothing any more


@record(kw_only=True)
class Letter(Slip):
    """From a player to others; nobody's but its readers'. Without a seat it has no name under it."""

    to: list[str]
    text: str
    waits: list[str]                    # for whose next report


# --- what else lies here -----------------------------------------------------------------------------------------


@record
class Cards:
    """The real cards of an adopted position."""

    hands: dict[str, list[str]] = field(default_factory=dict)
    deck: list[str] = field(default_factory=list)
    table: list[str] = field(default_factory=list)          # face down, the next one to turn up first
    orders: dict[str, list[str]] = field(default_factory=dict)      # by the name of the deck that the log knows them by


@record
class Secrets:
    deck: str
    last_link: str
    links: int


@record
class Printed:
    """What a card of the box says word for word: the log holds only the digest of it, and nobody but its holder reads it."""

    text: str
    salt: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.salt} {self.text}".encode()).hexdigest()[:32]


@record
class Asked:
    """Since when the open question is open."""

    id: str
    at: str


@record
class News:
    """What became of something that a seat had sent, until it has been told so."""

    seat: str
    became: str                         # back, void, held
    undo: int                           # the entry that took something back
    lines: list[str]
    question: str = ""


@record
class SeatSettings:
    reports: str = "turns"              # or immediate, or digest
    map: str = "on"                     # in its reports; off, or focus on where something has happened


@record
class PressRules:
    """Which letters a game allows."""

    off: bool = False
    anonymous: bool = False
    held: bool = False
    daily: int = 5


@record
class Priced:
    """Lines that were not done because nobody had said yes to their price: a `yes` alone is enough while the same is asked."""

    question: str
    lines: list[str]


@record
class Wish:
    """A seat wishes to have something taken back."""

    seat: str
    entry: int
    reason: str
    asked: list[str] = field(default_factory=list)          # whose consent it may need
    agreed: list[str] = field(default_factory=list)
    against: list[str] = field(default_factory=list)


@record
class Journal:
    """What lay here before the log was written, and how long the log is to be: a run killed in between took nothing in."""

    to: int
    before: dict[str, Any] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)    # parts of the tray; of older versions nothing: all that moves change


# --- the mailbox's part ------------------------------------------------------------------------------------------


@record
class Sent:
    """The newest mail of a seat for a window, and how many there were."""

    window: str = ""
    at: str = ""
    version: int = 0


@record
class PressCount:
    day: str = ""
    sent: dict[str, int] = field(default_factory=dict)


@record
class WaitRow:
    """How often and how long a seat was waited for, with one kind of question."""

    count: int = 0
    minutes: int = 0
    silent: int = 0
    default: int = 0
    default_minutes: int = 0


@record
class LastWait:
    id: str = ""
    window: str = ""
    at: str = ""
    minutes: int = 0
    march: str = ""
    later: bool = False


@record
class Waits:
    seats: dict[str, dict[str, WaitRow]] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)         # kind of question -> minutes in which the game stood still
    parts: dict[str, int] = field(default_factory=dict)         # the same for each seat that sent its turns piece by piece
    minutes: int = 0
    last: LastWait = field(default_factory=LastWait)


@record
class Pace:
    """From when on the pace of a game is counted, and how far it was then."""

    at: str
    done: str


@record
class Post:
    """What the mailbox keeps of a game."""

    secret: str = ""                                            # from which its tokens are made
    issued: list[tuple[str, str, str]] = field(default_factory=list)        # seat, window, as what it was asked
    taken: dict[str, str] = field(default_factory=dict)         # mail -> what became of it
    seats: dict[str, Sent] = field(default_factory=dict)
    posts: list[str] = field(default_factory=list)              # of a forum, taken in
    half: dict[str, list[str]] = field(default_factory=dict)    # posts of which some lines were refused: those that were not
    queue: dict[str, str] = field(default_factory=dict)         # mails on their way to the outbox
    shown: dict[str, str] = field(default_factory=dict)         # seat -> the question that it has seen
    reports: dict[str, int] = field(default_factory=dict)       # how many each seat has had
    welcomed: list[str] = field(default_factory=list)           # seats that have had their first mail
    heard: list[str] = field(default_factory=list)              # seats of which a mail has come
    people: dict[str, int] = field(default_factory=dict)        # seat -> how many sat there before
    stuck: str = ""
    unreachable: dict[str, str] = field(default_factory=dict)   # seat -> since when
    given_up: list[str] = field(default_factory=list)           # mails for which a seat was marked
    observers_asked: list[str] = field(default_factory=list)
    press_count: PressCount = field(default_factory=PressCount)
    press_total: dict[str, int] = field(default_factory=dict)
    waits: Waits = field(default_factory=Waits)
    pace: Pace | None = None


# --- the tray ----------------------------------------------------------------------------------------------------


@record
class Tray:
    tray: int = 0                       # the format of the file
    secrets: Secrets | None = None
    cards: Cards | None = None
    printed: dict[str, Printed] = field(default_factory=dict)
    addresses: dict[str, list[str]] = field(default_factory=dict)
    asked: Asked | None = None
    adopts: str = ""                    # the file with the position from which the game is to begin
    blind: str = ""                     # the seat of a moderator who plays: he sees what it knows
    posted: int = 0                     # so far everybody has been told: the last entry of the last report that was posted
    answers: list[Answer] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    filed: list[Filed] = field(default_factory=list)
    standing: list[StandingOrder] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    priced: dict[str, Priced] = field(default_factory=dict)
    wishes: list[Wish] = field(default_factory=list)
    absences: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    observers: list[str] = field(default_factory=list)
    settings: dict[str, SeatSettings] = field(default_factory=dict)
    press: PressRules = field(default_factory=PressRules)
    mail: Post = field(default_factory=Post)
    journal: Journal | None = None

    def __bool__(self) -> bool:
        """Is there a private file, or anything to be written to one?"""
        usual = records.defaults(Tray)
        return any(getattr(self, name) != usual[name] for name in usual)

    def plain(self) -> dict[str, Any]:
        """As it is written."""
        written: dict[str, Any] = records.plain(self)
        return {**written, "tray": FORMAT} if self else {}

    def of_seat(self, seat: str) -> "Tray":
        """As much of it as a seat knows: what it has sent itself, and whose absence was announced."""
        own: dict[str, Any] = {name: [copy.deepcopy(one) for one in getattr(self, name) if one.seat == seat] for name in SLIPS}
        return Tray(tray=FORMAT if self else 0, absences=copy.deepcopy(self.absences), **own)

    def of_player(self, seat: str) -> "Tray":
        """What a moderator who plays this seat needs of it: what the seat knows, and what hides nothing of others."""
        own = self.of_seat(seat)
        own.asked, own.posted, own.wishes, own.addresses = self.asked, self.posted, self.wishes, self.addresses
        own.mail.unreachable = self.mail.unreachable
        return own

    def unheard(self) -> list[str]:
        """Who is to be reached by mail, and has not shown yet that mail reaches him."""
        return [seat for seat, where in self.addresses.items() if where and seat not in self.mail.heard]

    # --- slips ---------------------------------------------------------------------------------------------------

    def slips(self) -> Iterator[list[Any]]:
        """The lists of slips, one for each kind."""
        yield from (getattr(self, name) for name in SLIPS)

    def turn(self, seat: str) -> Turn | None:
        return next((one for one in self.turns if one.seat == seat and not one.went), None)

    def answer(self, question: str, seat: str) -> Answer | None:
        """The sealed answer of a seat to a question."""
        return next((one for one in lying(self.answers)
                     if (one.question, one.seat, one.ahead) == (question, seat, False)), None)

    def ahead(self, seat: str) -> Answer | None:
        """What a seat has answered for later steps of the route."""
        return next((one for one in lying(self.answers) if one.seat == seat and one.ahead), None)

    def use_up(self, seat: str, number: int, entry: int) -> None:
        """A standing order has answered: one less of its budget. Who evades for the last time may still be asked where to."""
        used = next((one for one in lying(self.standing) if (one.seat, one.no) == (seat, number)), None)
        if used is None or used.left == ALWAYS:
            return
        used.went = entry
        if used.left > 1:
            self.standing.append(replace(used, left=used.left - 1, went=0, laid=entry))
        elif used.kind == "evasion" and used.path:
            self.standing.append(replace(used, kind=FLEEING, left=1, went=0, laid=entry))

    def forget(self) -> None:
        """What went long ago no undo lays back."""
        if gone := sorted(one.went for kind in self.slips() for one in kind if one.went)[:-MOST_GONE]:
            for kind in self.slips():
                kind[:] = [one for one in kind if not one.went or one.went > gone[-1]]

    def taken_back(self, entry: int, subject: str, undo: int) -> None:
        """Everything from an entry on is undone, by entry number `undo`; `subject` is what is asked now.

        What nobody has seen lies here again, if it was for the same question. The rest of a turn stays, and waits for its
        sender's word. Of whatever does not come back its owner is told.
        """
        for kind in self.slips():
            kept = []
            for slip in kind:
                if slip.laid >= entry:
                    continue                                    # the log laid it here, and took that back
                if slip.went >= entry:
                    fits = not slip.opened and not (isinstance(slip, Answer) and slip.subject != subject)
                    self._tell("back" if fits else "void", slip, undo)
                    if not fits:
                        continue
                    slip.went = 0
                elif slip.came >= entry:
                    if isinstance(slip, Answer) and slip.subject != subject:
                        self._tell("void", slip, undo)
                        continue
                    if isinstance(slip, Turn) and not slip.held:
                        slip.held = True
                        self._tell("held", slip, undo)
                kept.append(slip)
            kind[:] = kept

    def _tell(self, became: str, slip: Slip, undo: int) -> None:
        """Letters are not part of the game, and a standing order that is as it was has no news."""
        if isinstance(slip, Answer | Filed):
            self.news.append(News(slip.seat, became, undo, [slip.text], slip.question if isinstance(slip, Answer) else ""))
        elif isinstance(slip, Turn):
            self.news.append(News(slip.seat, became, undo, list(slip.lines)))

    def news_for(self, seat: str) -> list[News]:
        return [one for one in self.news if one.seat == seat]

    def forget_news(self, seat: str) -> None:
        """The news have gone out to their seat."""
        self.news[:] = [one for one in self.news if one.seat != seat]


FIXED = frozenset(("secrets", "cards", "addresses", "adopts", "journal"))        # what no move changes


def lying(slips: list[S]) -> list[S]:
    """Those that have not gone."""
    return [one for one in slips if not one.went]


def subject(question: Question | None, g: Game) -> str:
    """What is asked, and in which position: the same only if nothing has changed for anybody who answers."""
    if question is None:
        return ""
    asked = [question.id, question.kind, question.rule, question.sides, question.about, position.fingerprint(g)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=_told).encode()).hexdigest()[:16]


def _told(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def promised(secrets: scheme.Secrets) -> Tray:
    """The tray of a game that has not begun: with its secrets, and nothing else."""
    return Tray(secrets=of({"secrets": secrets.plain()}).secrets)


# --- reading and writing -----------------------------------------------------------------------------------------


def read(place: Path) -> Tray:
    """The private file of a game; an empty tray where there is none."""
    return parsed(place, gamelog.private_text(place))


def parsed(place: Path, text: str) -> Tray:
    """The same of its text."""
    file = str(gamelog.game_path(place).with_name(gamelog.PRIVATE))
    return of(gamelog.private_data(text, file), file)


def of(data: Mapping[str, Any], file: str = gamelog.PRIVATE) -> Tray:
    """The tray that a private file describes."""
    if data and "tray" not in data:
        from pbem.desk.carried_over import carried_over

        data = carried_over(data, file)
    return records.read(Tray, data, file)


def write(place: Path, tray: Tray) -> None:
    gamelog.write_private(place, tray.plain())


def journal(before: Mapping[str, Any], now: Mapping[str, Any], to: int) -> dict[str, Any]:
    """How the tray was before the log gets so long, as far as moves have changed it, as it is written."""
    changed = [key for key in {**before, **now} if key not in FIXED and before.get(key) != now.get(key)]
    kept = {key: before[key] for key in changed if key in before}
    return {"journal": {"to": to, "before": kept, "changed": changed}} if changed else {}


def restored(tray: Tray, entries: int) -> Tray:
    """After a run that was killed between the two files: without its log lines what it changed here never happened.

    Then the journal stays: until the file is written anew it would speak again as soon as the log has got so long otherwise.
    """
    noted = tray.journal
    if noted is None or noted.to <= entries:
        tray.journal = None
        return tray
    before = records.read(Tray, noted.before, gamelog.PRIVATE)
    for one in fields(Tray):
        if one.name in noted.changed or not noted.changed and one.name not in FIXED | {"printed"}:
            setattr(tray, one.name, getattr(before, one.name))
    return tray
