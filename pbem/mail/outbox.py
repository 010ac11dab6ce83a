"""What goes out: kept as files until it is sent, and after. queued -> sending -> sent, each step on disk before the next.

A mail is named by what it is about (`receipt-<mail>`, `question-<id>-<seat>`): making it twice makes it once. Its Message-ID
is made with it and stays, so that a mail repeated after a crash is the same mail for whoever got it.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from email.utils import format_datetime, formataddr
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.base import records
from pbem.base.clock import moment, stamp
from pbem.base.folder import write_together
from pbem.base.language import clean, wrapped
from pbem.base.paths import PASTED, spoken
from pbem.mail import body, wire
from pbem.mail.config import Config

MOST_A_DAY = 20                         # automatic answers per seat and day, besides those to what moved the game
CONFIRM, MOST_CONFIRMED = "confirm", 5  # questions whether a mail is his, per seat and day
ANSWERS = ("receipt", "answer")
UNSENT = ("queued", "sending", "tomorrow")
OPEN = "_game"                         # beside the readers: what the game waits for
SIGNATURE = "-- "                       # below it programs look for no answer
WIDEST = 72                             # columns of a text
LOOP = "X-Pbem-Loop"
STOP = "observe stop"                   # what a reader of the public reports writes to have no more of them
KEY = re.compile(r"[^A-Za-z0-9.]+")
_ID = re.compile(r"<[!-;=?-~]{3,200}>")


class Letter(NamedTuple):
    """What is to be told, to whomever it goes."""

    kind: str                           # question, reminder, report, receipt, answer, press, notice
    name: str                           # what it is about: of one name there is one for each reader
    subject: str
    text: str
    token: str = ""                     # that an answer brings back
    window: str = ""                    # the question that it puts, or shows
    reply_to: str = ""                  # the Message-ID of the mail that it answers
    refusal: str = ""                   # of one kind there is one a day
    entries: int = 0                    # how far in the log a report goes
    html: str = ""                      # what it says above the signature; without it the text is shown
    language: str = ""
    failed: bool = False                # some of what it answers could not be done
    moved: bool = False                 # the log has grown by what it answers, which no loop of mails does for ever
    story: str = ""                     # of a receipt what a report tells too; of a report or question what no later one tells
    story_html: str = ""
    pictures: tuple[str, ...] = ()      # that the HTML shows
    guide: bool = False                 # the player's guide goes with it


class Reader(NamedTuple):
    """Whom a letter goes to: somebody's seat in a game, or just an address."""

    address: str
    seat: str = ""
    game: str = ""


class Item(NamedTuple):
    """A mail for one reader, as it lies in the outbox."""

    key: str
    kind: str
    to: str
    subject: str
    text: str
    made: str
    next: str                           # not to be tried before
    state: str = "queued"               # sending, sent; tomorrow, merged, dropped, failed
    tries: int = 0
    game: str = ""
    seat: str = ""
    window: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: str = ""
    reply_to: str = ""
    auto: str = ""
    refusal: str = ""
    entries: int = 0
    first: str = ""                     # when it was tried first
    error: str = ""                     # what the server said
    sent: str = ""
    into: str = ""                      # the mail that tells it too
    post: str = ""                      # the number of the post that shows it
    html: str = ""
    language: str = ""
    failed: bool = False
    moved: bool = False
    story: str = ""
    story_html: str = ""
    pictures: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()         # the mails that this one tells
    guide: bool = False


class Bookmark(NamedTuple):
    """How far a reader has been told of a game."""

    entry: int = 0                      # the last that was reported
    at: str = ""                        # when
    question: str = ""                  # the last that he was asked


class Open(NamedTuple):
    """What a game waits for."""

    question: str
    awaited: tuple[str, ...] = ()


class Today(NamedTuple):
    """The automatic answers of a day: for each reader what he was given, by its key, and of what kind it was."""

    day: str
    answers: dict[str, dict[str, str]]


def key(kind: str, *parts: str) -> str:
    """The name of a mail, fit to be a file's name whatever it is made of."""
    made = "-".join(KEY.sub("_", part) for part in (kind, *parts))
    return made if len(made) <= 120 else f"{made[:100]}-{hashlib.sha256(made.encode()).hexdigest()[:12]}"


def message_id(domain: str, name: str, token: str = "") -> str:
    """From game, window, audience and version, all of which are in the name; with the token that answers bring back."""
    digest = hashlib.sha256(f"{token}/{name}".encode()).hexdigest()[:16]
    return f"<{token + '.' if token else ''}{digest}@{domain}>"


def addressed(letter: Letter, reader: Reader, config: Config, now: datetime) -> Item:
    """A mail for one reader, complete; nothing in it depends on when it will be sent."""
    made = key(letter.kind, letter.name)
    reply_to = letter.reply_to.strip("<>")
    reply_to = f"<{reply_to}>" if _ID.fullmatch(f"<{reply_to}>") else ""
    root = message_id(config.domain, f"{reader.game}/{reader.seat or reader.address}/thread")
    return Item(
        made, letter.kind, reader.address, clean(letter.subject)[:200], folded(letter.text), stamp(now), stamp(now),
        game=reader.game, seat=reader.seat, window=letter.window, refusal=letter.refusal, entries=letter.entries,
        message_id=message_id(config.domain, f"{reader.game}/{made}/{reader.address}", letter.token),
        in_reply_to=reply_to or root, references=" ".join([root, reply_to] if reply_to else [root]),
        reply_to=config.plus(letter.token) if letter.token else "", html=letter.html, language=letter.language,
        failed=letter.failed, moved=letter.moved, story=folded(letter.story).strip("\n"), story_html=letter.story_html,
        pictures=letter.pictures, guide=letter.guide, auto="auto-replied" if letter.kind in ANSWERS else "auto-generated")


def folded(text: str) -> str:
    """Lines that every mail program shows as they are; one that ends with a space goes on in the next (RFC 3676)."""
    return "\n".join([_rows(line) for line in text.splitlines()]) + "\n"


@lru_cache(2000)                        # many readers are told the same
def _rows(line: str) -> str:
    if line == SIGNATURE:
        return line
    plain = (line if line.isprintable() else "".join(
        sign if sign == "\t" or sign.isprintable() else " " for sign in line)).rstrip()
    if len(plain) <= WIDEST:
        return plain
    indent = len(plain) - len(plain.lstrip())
    soft = "" if indent else " "                            # what is indented stays as it stands
    return f"{soft}\n".join(wrapped(plain, indent, width=WIDEST - 1, whole=False))


def unfolded(text: str) -> str:
    """With a line for each paragraph again."""
    return re.sub(r"(?<!^--) \n", " ", text, flags=re.MULTILINE)


def stuffed(text: str) -> str:
    """As a flowed text is sent: what could be taken for a quote, or for the start of a mail, has a space before it."""
    return re.sub(r"^(?=[ >]|From )", " ", text, flags=re.MULTILINE)


def message(one: Item, config: Config, pictures: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
    """The mail as it goes over the wire: plain text and HTML with its pictures, marked as automatic, threaded."""
    head = {
        "From": formataddr((config.name, config.address)), "To": one.to, "Subject": one.subject,
        "Date": format_datetime(moment(one.made)), "Message-ID": one.message_id, "In-Reply-To": one.in_reply_to,
        "References": one.references, **({"Reply-To": one.reply_to} if one.reply_to else {}), "Auto-Submitted": one.auto}
    if one.kind == "report" and not one.seat:   # a reader without a seat may leave with one click
        head["List-Id"] = f"{one.game} <{KEY.sub('-', one.game)}.{config.domain}>"
        stop = STOP.replace(" ", "%20")
        head["List-Unsubscribe"] = f"<mailto:{config.address}?subject={stop}&body={stop}>"
    head[LOOP] = config.address
    html = wire.several("multipart/related", [
        wire.text("text/html", page(one)), *(wire.picture(name, picture) for name, picture in pictures.items())])
    whole = wire.several("multipart/alternative", [wire.text("text/plain; format=\"flowed\"", stuffed(one.text)), html])
    if not one.guide:
        return wire.mail(head, whole)
    from pbem.telling.guide import PLAYER, as_html
    from pbem.telling.guide import page as guide

    language = spoken(one.language)
    hangs = wire.text("text/html", as_html(guide(PLAYER, language), language, PLAYER),
                      f"Content-Disposition: attachment; filename=\"guide-{language}.html\"")
    return wire.mail(head, wire.several("multipart/mixed", [whole, hangs]))


def page(one: Item) -> str:
    """The same as HTML; nothing is fetched from anywhere when it is shown."""
    text, line, foot = unfolded(one.text).rpartition(f"\n{SIGNATURE}\n")
    return body.page(one.subject, one.language or "en", one.html or body.paragraphs(text if line else foot),
                     foot.splitlines() if line else [])


class Outbox:
    """The mails of one game, or of the mailbox itself, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent = folder / "sent"
        self._bookmarks = folder / "told" / "last.json"

    # --- pictures: they lie here until no mail shows them any more -----------------------------------------------------

    def keep(self, pictures: Mapping[str, bytes]) -> None:
        for name, picture in pictures.items():
            if not self._picture(name).exists():
                self._write({self._picture(name): picture})

    def pictures_of(self, one: Item) -> dict[str, bytes]:
        """What is not here any more is told by its alternative."""
        return {name: self._picture(name).read_bytes() for name in one.pictures if self._picture(name).exists()}

    def tidy(self) -> None:
        wanted = {self._picture(name) for one in [*self.unsent(), *self.failed()] for name in one.pictures}
        for path in set((self.folder / "pictures").glob("*.png")) - wanted:
            path.unlink()

    def _picture(self, name: str) -> Path:
        return self.folder / "pictures" / f"{KEY.sub('_', name)}.png"

    def put(self, one: Item) -> bool:
        """Queue a mail unless it was queued before."""
        new = not self.has(one.key)
        if new:
            self.change(one)
        return new

    def queue(self, mails: Iterable[Item], now: datetime) -> list[Item]:
        """Queue mails, note which report and question each reader has got, count what is answered today; all of it in one go.

        Of automatic answers the second refusal of a kind, and all beyond the day's number, wait for tomorrow together; these
        are given back, whether they are new or not. Those to orders by which the game went on are not counted.
        """
        path, day = self.folder / "told" / "today.json", stamp(now)[:10]
        today = records.load(Today, path) if path.exists() else Today(day, {})
        answers = today.answers if today.day == day else {}
        bookmarks, waits_for = self.progress()
        late: list[Item] = []
        fresh: list[Item] = []
        for one in mails:
            known = self.get(one.key)
            if known is None:
                if one.kind in ANSWERS and not one.moved and _is_too_much(answers.setdefault(one.seat or one.to, {}), one):
                    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0)
                    one = one._replace(state="tomorrow", next=stamp(tomorrow))
                fresh.append(one)
            if (known or one).state == "tomorrow":
                late.append(one)
            if one.kind in ("report", "question") and one.seat:
                before = bookmarks.get(one.seat, Bookmark())
                reported = before._replace(entry=one.entries, at=one.made) if one.kind == "report" else before
                bookmarks[one.seat] = reported._replace(question=one.window or before.question)
        self._write({path: records.written(Today(day, answers)), self._bookmarks: self._marked(bookmarks, waits_for),
                     **{self.folder / f"{one.key}.json": records.written(one) for one in fresh}})
        return late

    def _write(self, files: Mapping[Path, bytes]) -> None:
        """Those of them that say something else than what lies there."""
        new = {path: data for path, data in files.items() if not (path.exists() and path.read_bytes() == data)}
        for folder in dict.fromkeys(path.parent for path in new):
            folder.mkdir(parents=True, exist_ok=True)
        write_together(new, 0o600)

    def has(self, name: str) -> bool:
        return (self.folder / f"{name}.json").exists() or (self.sent / f"{name}.json").exists()

    def get(self, name: str) -> Item | None:
        found = [path for folder in (self.sent, self.folder) if (path := folder / f"{name}.json").exists()]
        return records.load(Item, found[0]) if found else None

    def unsent(self, word: str = "") -> list[Item]:
        """What is to go out, oldest first; only what has this word in it, for there may be much."""
        return [one for one in _all(self.folder, word) if one.state in UNSENT and not self._is_sent(one)]

    def failed(self) -> list[Item]:
        return [one for one in _all(self.folder, "failed") if one.state == "failed"]

    def past(self, word: str = "") -> list[Item]:
        """What was sent, oldest first; only what has this word in it, for there may be much."""
        return _all(self.sent, word)

    def newest(self) -> Iterator[Item]:
        """Whatever was sent or is to go out, what was written last first; each is read when it is asked for."""
        paths = [(path.stat().st_mtime_ns, path) for folder in (self.folder, self.sent) for path in folder.glob("*.json")]
        return (records.load(Item, path) for _, path in sorted(paths, reverse=True))

    def _is_sent(self, one: Item) -> bool:
        """Killed between writing down that it is sent and taking it out of the queue."""
        if not (self.sent / f"{one.key}.json").exists():
            return False
        (self.folder / f"{one.key}.json").unlink()
        return True

    def change(self, one: Item) -> None:
        """What became of a mail is written down."""
        is_over = one.state in ("sent", "merged", "dropped")
        self._write({(self.sent if is_over else self.folder) / f"{one.key}.json": records.written(one)})
        if is_over:
            (self.folder / f"{one.key}.json").unlink(missing_ok=True)

    # --- what a reader got last --------------------------------------------------------------------------------------

    def _last(self) -> dict[str, Any]:
        if not self._bookmarks.exists():
            return {}
        found: dict[str, Any] = records.parsed(self._bookmarks.read_text(), str(self._bookmarks))
        return found

    def progress(self) -> tuple[dict[str, Bookmark], Open | None]:
        """How far each reader has been told (a seat, an observer, the thread), and what the game waited for then."""
        file, last = str(self._bookmarks), self._last()
        waits_for = last.pop(OPEN, None)
        if waits_for is not None:
            waits_for.pop("entries", None)      # it was written once, and never read
            waits_for = records.read(Open, waits_for, file)
        return {name: records.read(Bookmark, found, file) for name, found in last.items()}, waits_for

    def bookmarks(self) -> dict[str, Bookmark]:
        return self.progress()[0]

    def open(self) -> Open | None:
        return self.progress()[1]

    def mark(self, bookmarks: Mapping[str, Bookmark], waits_for: Open | None = None) -> None:
        """How far these readers have been told by now, and what the game waits for."""
        before, waited_for = self.progress()
        self._write({self._bookmarks: self._marked({**before, **bookmarks}, waits_for or waited_for)})

    def _marked(self, bookmarks: Mapping[str, Bookmark], waits_for: Open | None) -> bytes:
        return records.written({**bookmarks, OPEN: waits_for})


def of_game(place: Path) -> Outbox:
    return Outbox(place / "out")


def of_thread(place: Path) -> Outbox:
    """What is pasted by hand."""
    return Outbox((place if place.is_dir() else place.parent).joinpath(*PASTED))


def _is_too_much(given: dict[str, str], one: Item) -> bool:
    """Is this answer, the next of what its reader was given today, to wait? Asked twice it counts once."""
    if one.key in given:
        earlier = list(given.values())[:list(given).index(one.key)]
    else:
        earlier = list(given.values())
        given[one.key] = one.refusal or one.kind
    if given[one.key] == CONFIRM:               # anybody can write in his name: that uses up none of his own answers
        return earlier.count(CONFIRM) >= MOST_CONFIRMED
    return len(earlier) - earlier.count(CONFIRM) >= MOST_A_DAY or one.refusal in earlier


def _all(folder: Path, word: str = "") -> list[Item]:
    """Oldest first; only what has this word in its file, for there may be many."""
    texts = [(path, path.read_text()) for path in folder.glob("*.json")]
    found = [records.read(Item, records.parsed(text, str(path)), str(path)) for path, text in texts if word in text]
    return sorted(found, key=lambda one: (one.made, one.key))
