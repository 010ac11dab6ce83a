"""How a raw mail is understood. Touches nothing, believes nothing, never fails: what is unreadable is `broken`."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from pbem.mail import classes, page, parts, quotes, tongues
from pbem.mail.classes import BROKEN, Bounce, Class, Fields, first
from pbem.mail.parts import Why
from pbem.mail.quotes import Cut

EMBEDDED, NO_TEXT = "mail inside of the mail", "not a text"
MOST_SHOWN = 20_000             # of one removed text
MOST_ATTACHED = 500
LONGEST_STUB = 250
QUOTING = re.compile(r"[\s>|»]+")                                  # before a line that is quoted


class Mail(NamedTuple):
    class_: str                     # human, robot, bounce, list, own, broken
    why: Why                        # it is of this class
    from_: str                      # the address, in lower case; no display name
    name: str                       # the display name, which proves nothing
    subject: str
    message_id: str                 # in brackets; empty if there is none
    in_reply_to: str
    references: tuple[str, ...]
    date: datetime | None           # as its sender says: the server's time decides
    to: tuple[str, ...]             # every address it may have come to, plus tags included
    lines: tuple[str, ...]          # the sender's own
    attached: tuple[str, ...]
    removed: tuple[Cut, ...]
    looks_like_orders: bool         # something removed could be an order
    dmarc: str                      # pass, fail, none
    size: int
    hold: bool = False              # for the moderator's eyes, though nothing is answered
    bounce: Bounce | None = None
    paragraphs: tuple[str, ...] = ()        # the own lines with the empty ones between them, for letters
    voucher: str = ""               # our server's word stands above or below the first Received; or it said nothing

    @property
    def tags(self) -> tuple[str, ...]:
        """The plus parts of the addresses it came to."""
        return tuple(tag for one in self.to for tag in [one.rpartition("@")[0].partition("+")[2]] if tag)

    @property
    def orders(self) -> tuple[str, ...]:
        """The own lines as the order language takes them: forms reduced to what was filled in, greetings left out."""
        said = (quotes.filled_in(line) for line in self.lines if not quotes.is_pleasantry(line, names=(self.name,)))
        return tuple(line for line in said if line)


def understand(raw: bytes, *, own_domain: str = "", own_loop: str = "", server: str = "",
               reads: Callable[[str], bool] | None = None) -> Mail:
    """The mail as pbem takes it. `reads` tells whether a line could be an order, `server` whose word on senders is believed."""
    size = len(raw)
    reads = reads or could_be_order
    raw = raw[:parts.MOST_BYTES + 1].removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    try:
        return _understood(raw, own_domain, own_loop, server, reads)._replace(size=size)
    except Exception as fault:      # a stranger's bytes against a large library: one mail must never stop the others
        return broken(Why("fault", type(fault).__name__))._replace(size=size)


def broken(why: Why) -> Mail:
    """A mail of which nothing is known."""
    return Mail(BROKEN, why, "", "", "", "", "", (), None, (), (), (), (), False, "none", 0)


def _understood(raw: bytes, own_domain: str, own_loop: str, server: str, reads: quotes.Reads) -> Mail:
    too_much = None
    try:
        tree = parts.parsed(raw)
        found = parts.parts_of(tree)
    except parts.TooMuch as problem:
        too_much, tree, found = problem.why, parts.header_only(raw), parts.Parts(None, "", (), (), ())
    fields = parts.fields(tree)
    senders = [one for value in fields.get("from", ()) for one in parts.addresses(value)]
    judged = classes.class_of(tree, fields, senders, own_domain=own_domain, own_loop=own_loop)
    if too_much and judged.class_ == classes.HUMAN:
        judged = Class(BROKEN, too_much)
    if not fields:
        judged = Class(BROKEN, Why("no_header"))
    name, address = senders[0] if len(senders) == 1 else ("", "")
    paragraphs, removed = own_text(found, reads, names_of(name))
    lines = [line for line in paragraphs if line]
    attached, cut = attachments(found)
    if judged.class_ == classes.HUMAN:
        robot = (Class(classes.ROBOT, Why("away_text"), hold=True) if quotes.is_away(lines)
                 else Class(classes.ROBOT, Why("calendar")) if classes.is_calendar_answer(tree)
                 else None)
        if robot is not None and not any(reads(quotes.filled_in(line)) for line in lines):
            judged = robot
    removed = [Cut(one.text[:MOST_SHOWN], one.reason) for one in (*removed, *cut)]
    could_be = any(quotes.is_ticked(line) or reads(quotes.filled_in(line)) for one in removed for line in unmarked(one))
    return Mail(
        judged.class_, judged.why, address, name, parts.decoded(first(fields, "subject")), _id(fields, "message-id"),
        _id(fields, "in-reply-to"), parts.ids(" ".join(fields.get("references", ()))), _date(first(fields, "date")),
        _addressed(fields), tuple(lines), tuple(attached), tuple(removed), could_be, dmarc(fields, server, address), 0,
        judged.hold, judged.bounce, tuple(paragraphs), voucher(tree, server))


def content(raw: bytes) -> bytes:
    """What makes a mail the mail it is, by whatever way it came: who wrote what about what, and nothing that servers add."""
    head = parts.header_of(raw)
    fields = parts.fields(parts.header_only(raw))
    said = [first(fields, name) for name in ("from", "subject", "date", "in-reply-to")]
    return "\n".join(said).encode() + b"\n".join(line.rstrip() for line in raw[len(head):].strip().splitlines())


# --- Header ---------------------------------------------------------------------------------------


def _id(fields: Fields, name: str) -> str:
    return next(iter(parts.ids(first(fields, name))), "")


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value[:200])
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _addressed(fields: Fields) -> tuple[str, ...]:
    names = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")
    values = [value for name in names for value in fields.get(name, ())[:20]]
    return tuple(dict.fromkeys(one for value in values for _, one in parts.addresses(value)))


def names_of(name: str) -> tuple[str, ...]:
    """How somebody may sign: with the whole display name, its first word, or the first name after a comma."""
    words = re.split(r"[\s,]+", name.strip())
    return tuple(dict.fromkeys(one for one in (name.strip(), words[0], words[-1]) if one))


ABOVE, BELOW, SAID_NOTHING = "above", "below", ""


def voucher(tree: parts.Mime, server: str) -> str:
    """Where our server's word on the sender stands. What stands above the first Received nobody else can have written."""
    place = ABOVE
    for name, value in tree.raw_items():
        if name.lower() == "received":
            place = BELOW
        elif name.lower() == "authentication-results":
            return place if str(value).partition(";")[0].lower().split()[:1] == [server.lower()] else SAID_NOTHING
    return SAID_NOTHING


def dmarc(fields: Fields, server: str, sender: str) -> str:
    """What our own server found out about the sender. Only the topmost result counts, and only with our server's name on it."""
    value = re.sub(r"\"(?:[^\"\\]|\\.)*\"", '""', first(fields, "authentication-results")[:5_000])
    for _ in range(10):                                         # comments may stand in comments
        value = re.sub(r"\([^()]*\)", " ", value)
    name, *results = value.split(";")
    if name.lower().split()[:1] != [server.strip().lower()]:
        return "none"
    results = [one for one in results if re.match(r"\s*dmarc\s*=", one, re.IGNORECASE)]
    if len(results) != 1:
        return "none"
    verdict = results[0].partition("=")[2].lower().split()[:1]
    domain = re.search(r"header\.from\s*=\s*([^\s;]+)", results[0])
    if domain and domain[1].lower().rpartition("@")[2] != sender.rpartition("@")[2]:
        return "none"
    return verdict[0] if verdict in (["pass"], ["fail"]) else "none"


# --- Text -----------------------------------------------------------------------------------------


def own_text(found: parts.Parts, reads: quotes.Reads, names: Sequence[str]) -> tuple[list[str], list[Cut]]:
    """Own lines and cuts. The plain part says what was written; the page may say better where it ends.

    The page is believed only if every word that it calls the sender's own stands in the plain part too, in this
    sequence: nobody reads there what the plain part does not show. In exchange its lines are not broken.
    """
    plain = found.plain if found.plain is not None and not _is_stub(found.plain.text) else None
    if plain is None:
        text = found.plain.text if found.plain is not None else ""
        return quotes.own_lines(page.rows_of(found.page) if found.page else quotes.rows_of(text), reads, names)
    rows = quotes.rows_of(plain.text, flowed=plain.flowed, delsp=plain.delsp)
    lines, removed = quotes.own_lines(rows, reads, names)
    if not found.page:
        return lines, removed
    shown = page.rows_of(found.page)
    of_page, cut = quotes.own_lines(shown, reads, names)
    marked = any(row.why for row in shown)
    if _words(of_page) == _words(lines) or (marked and _in_sequence(_words(of_page), _words(row.text for row in rows))):
        return of_page, cut
    return lines, removed


def _is_stub(text: str) -> bool:
    """The plain part of a mail that exists only as a page."""
    words = text.split(None, LONGEST_STUB // 2)             # where there are more the rest of the text is the last of them
    bare = " ".join(words).casefold() if len(words) <= LONGEST_STUB // 2 else ""
    return len(bare) < LONGEST_STUB and any(re.match(pattern, bare) for pattern in tongues.NO_HTML_SHOWN)


_WORD = re.compile(r"\w+")


def _words(lines: Iterable[str]) -> list[str]:
    return _WORD.findall("\n".join(lines).casefold())


def _in_sequence(some: Sequence[str], all_: Sequence[str]) -> bool:
    rest = iter(all_)
    return all(word in rest for word in some)


def attachments(found: parts.Parts) -> tuple[list[str], list[Cut]]:
    """Lines of attached texts, and what was not read. A mail inside of the mail is never an order."""
    rows = [row for one in found.attached for row in quotes.rows_of(one.text, flowed=one.flowed, delsp=one.delsp)]
    lines = [row.text.strip()[:quotes.LONGEST_LINE] for row in rows if row.text.strip()]
    cuts = [Cut("\n".join(lines[MOST_ATTACHED:]), quotes.TOO_LONG)] if len(lines) > MOST_ATTACHED else []
    for one in found.embedded:
        cuts.append(Cut("\n".join(quotes.clean(line) for line in one.splitlines() if line.strip()), EMBEDDED))
    cuts += [Cut(name, NO_TEXT) for name in found.unread]
    return lines[:MOST_ATTACHED], cuts


def unmarked(cut: Cut) -> Iterable[str]:
    """The lines of something removed, as they would be without marks of quoting."""
    if cut.reason in (NO_TEXT, quotes.LEAD, quotes.EMPTY_FIELD):
        return
    for line in cut.text.splitlines():
        bare = line[marks.end():] if (marks := QUOTING.match(line)) else line
        if bare and bare != "END":
            yield bare


def could_be_order(text: str) -> bool:
    """Does a line begin like an order, or is it an answer of one letter or word? For where no game is at hand to ask."""
    from pbem.orders import STARTS
    from pbem.orders.tongues import in_english

    words = re.findall(r"[\w-]+", in_english(text).casefold())
    if not words or len(text) > 300:
        return False
    return words[0] in STARTS and (len(words) > 1 or words[0] in ALONE) and not text.rstrip().endswith("?")


ALONE = frozenset("bury end evade grant honour honor no none nothing pass refuse reroll roll stay withdraw break".split())
