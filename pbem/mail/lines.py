"""Which lines of a mail are meant: requests and orders, told from talk and from our own words that came back."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.base.errors import PbemError
from pbem.desk import last_line, posing, reporting, showing, standing
from pbem.desk.desk import Desk
from pbem.desk.requesting import command_of, is_whole
from pbem.desk.typed import addressed
from pbem.desk.typed import letter as typed_letter
from pbem.mail import outbox, press, quotes, reading, tokens
from pbem.mail.desk import MailDesk
from pbem.mail.quotes import Cut
from pbem.mail.reading import Mail
from pbem.mail.requests import could_be_meant
from pbem.mail.sentences import mailed
from pbem.orders import read_answer, read_line
from pbem.orders.language import resembles_an_order
from pbem.telling.offers import lettered
from pbem.telling.words import Words

TELLING = 20                            # a line of ours that nobody writes by chance
BROKEN = re.compile(r"(?:>|&gt;|[,→⇒➔➙➜➝➞➡⟶»])\s*\Z")      # no order ends like this
MOST_BROKEN = 6                         # lines of one order
ENDS, GOES_ON = "a", "b"                # its sender's word where a letter could end


class Lines(NamedTuple):
    """The lines of a mail: requests, orders, and the talk around them; and what is to be said of how they were found."""

    requests: Sequence[str] = ()
    orders: Sequence[str] = ()
    talk: Sequence[str] = ()
    removed: Sequence[Cut] = ()         # what was cut out
    like_an_order: str = ""             # a line of that which looks like one, and is none of ours
    attached: Sequence[str] = ()        # lines of attachments
    are_attached: bool = False          # it is they that count, for the mail has none of its own
    unclear: Sequence[str] = ()         # they belong to a letter or not: nothing counts until its sender has said it

    def counts(self) -> bool:
        """Do its orders take the place of earlier ones? Standing orders replace nothing."""
        return any(standing.body(one) is None for one in self.orders)


def meant(desk: MailDesk, seat: str, mail: Mail, word: str = "") -> Lines:
    """What a mail of this seat says; `word` is its sender's, on where a letter in it ends."""
    mail = without_our_words(mail, desk)
    given = mail.paragraphs if any(command_of(one) == "press" for one in mail.lines) else mail.orders
    found = sort(desk, seat, given, word)
    are_attached = bool(mail.attached and not found.orders and not found.requests)
    if are_attached:
        found = sort(desk, seat, mail.attached, word)
    return found._replace(removed=mail.removed, attached=mail.attached, are_attached=are_attached,
                          like_an_order=like_an_order(desk, seat, mail) if mail.looks_like_orders else "")


def without_our_words(mail: Mail, desk: MailDesk) -> Mail:
    """A mail of ours that came back without any marks of quoting is cut out: by the reference at its end, and its lines."""
    ends = [place for place, line in enumerate(mail.lines) if tokens.in_text(line)]
    feet = [cut.text for cut in mail.removed if cut.reason == quotes.SIGNATURE and tokens.in_text(cut.text)]
    if not ends and not feet:
        return mail
    end = ends[-1] + 1 if ends else len(mail.lines)
    token = tokens.in_text(mail.lines[end - 1] if ends else feet[-1])[0]
    ours = " ".join(one.text for one in outbox.of_game(desk.place).past(token) if token in one.message_id).split()
    whole = " ".join(ours)                      # however the mail program has broken its lines
    begin = next((place for place, line in enumerate(mail.lines[:end])
                  if len(line) >= TELLING and " ".join(line.split()) in whole and not reading.could_be_order(line)), end)
    kept = (*mail.lines[:begin], *mail.lines[end:])
    cut = Cut("\n".join(mail.lines[begin:end]), quotes.QUOTED)
    return mail._replace(lines=kept, paragraphs=kept, removed=(*mail.removed, cut)) if begin < end else mail


def like_an_order(desk: MailDesk, seat: str, mail: Mail) -> str:
    """A line that was cut out and looks like an order, if it is none of what this seat was told: that is only quoted."""
    newest = set(map(str.strip, next(quotable(desk, seat)).splitlines()))       # mostly no more is quoted, and that as it was
    found = [(line, words_of(line)) for cut in mail.removed for line in reading.unmarked(cut) if line not in newest
             and (quotes.is_ticked(line) or could_be_meant(quotes.filled_in(line)))]
    for text in quotable(desk, seat) if found else ():
        lines, whole = {words_of(line) for line in text.splitlines()}, f" {words_of(text)} "
        found = [(line, words) for line, words in found
                 if words not in lines and not (words.count(" ") > 1 and f" {words} " in whole)]       # broken otherwise
        if not found:
            break
    return found[0][0] if found else ""


def quotable(desk: MailDesk, seat: str) -> Iterator[str]:
    """All that this seat can quote of us, the likeliest first: its mails, the thread, the open question, the report that
    everybody may read."""
    for box in (outbox.of_game(desk.place), outbox.of_thread(desk.place)):
        yield from (one.text for one in box.newest() if one.seat in (seat, ""))
    yield posing.question_text(desk, seat)
    yield reporting.report(Desk(desk.folder, published=True, now=desk.now), showing.PUBLIC, None, "text")


def words_of(text: str) -> str:
    """However it was broken into lines."""
    return " ".join(re.findall(r"[\w>]+", text.casefold()))


def remarks(said: Words, lines: Lines) -> list[str]:
    """What the sender should know about how his mail was read."""
    notes: list[str] = []
    if lines.talk:
        notes.append(mailed(said, "line_prose", count=len(lines.talk), text=lines.talk[0][:40]))
    if lines.removed:
        cut = [one for piece in lines.removed for one in piece.text.splitlines() if one.strip()]
        if lines.like_an_order:
            notes.append(mailed(said, "removed_orders", text=lines.like_an_order[:70]))
        elif cut:
            notes.append(mailed(said, "removed_none", count=len(cut)))
    return notes


# --- sorting -----------------------------------------------------------------------------------------------------------


def trial(lines: Sequence[str]) -> list[str]:
    """The lines that are only to be tried: up to the next request."""
    end = next((place for place, line in enumerate(lines) if place and command_of(line)), len(lines))
    return list(lines[:end])


def sort(desk: Desk, seat: str, lines: Sequence[str], word: str = "") -> Lines:
    """Tell requests and orders from greetings. What stands between two orders is never taken for talk."""
    requests: list[str] = []
    rest: list[str] = []
    lines = [one for one in lines if not last_line.is_one(one)]
    at = 0
    while at < len(lines):
        name = command_of(lines[at])
        if name == "press":
            count, closed = letter(desk, seat, lines[at:], word)
            if not closed:
                return Lines(lines[at:at + count], unclear=[line for line in lines[at + count:] if line.strip()])
        elif name == "check":                       # what stands below belongs to it: nothing of a trial is done
            count = len(trial(lines[at:]))
        elif name:
            count = 1
        else:
            broken = in_one(desk, seat, lines[at:at + MOST_BROKEN])
            if not quotes.is_pleasantry(line := quotes.filled_in(" ".join(broken))):
                rest.append(quotes.as_typed(line))
            at += len(broken)
            continue
        requests.append("\n".join(lines[at:at + count]))
        at += count
    meant = [place for place, line in enumerate(rest) if is_order(desk, seat, line)]
    if not meant:
        near = [line for line in rest if is_meant(line)]
        return Lines(requests, near, [line for line in rest if line not in near])
    first, last = meant[0], meant[-1]
    while first and is_meant(rest[first - 1]):
        first -= 1
    while last + 1 < len(rest) and is_meant(rest[last + 1]):
        last += 1
    return Lines(requests, rest[first:last + 1], rest[:first] + rest[last + 1:])


def letter(desk: Desk, seat: str, lines: Sequence[str], word: str) -> tuple[int, bool]:
    """How many lines a letter has, and whether that is sure. `/press` ends it; without one so does, behind an empty line, what
    could be for us: then only its sender knows. The next letter he is asked about in any case."""
    end = press.ends(lines)
    for place in range(2, end or len(lines)) if word != GOES_ON else ():
        is_next = command_of(lines[place]) == "press"
        if lines[place - 1].strip() or end and not is_next or not is_for_us(desk, seat, lines[place]):
            continue
        if "".join(lines[:place]).partition(":")[2].strip():
            return place, word == ENDS
    return end or len(lines), True


def is_for_us(desk: Desk, seat: str, line: str) -> bool:
    """Is a line as a whole a request or an order of this seat?"""
    return is_whole(line) or standing.body(line) is None and is_order(desk, seat, quotes.filled_in(line))


def in_one(desk: Desk, seat: str, lines: Sequence[str]) -> Sequence[str]:
    """The lines that a mail program made of one order, broken behind an arrow or a comma: where together they are an order."""
    for count in range(1, len(lines)):
        if not BROKEN.search(lines[count - 1]):
            break
        if command_of(lines[count]) or is_order(desk, seat, quotes.as_typed(lines[count])):
            break
        if not BROKEN.search(lines[count]) and is_order(desk, seat, quotes.as_typed(" ".join(lines[:count + 1]))):
            return lines[:count + 1]
    return lines[:1]


def is_order(desk: Desk, seat: str, line: str) -> bool:
    """Can the line be read, as an order or as an answer with its letter?"""
    text = addressed(line.strip())[1]
    if standing.body(line) is not None or desk.is_price(seat, line):
        return True
    text = made_to_last(desk, seat, text)
    if desk.asks(seat) and typed_letter(text):
        return True
    for read in (read_line, read_answer):
        try:
            if read(text, desk.match.names):
                return True
        except PbemError:
            continue
    return False


def made_to_last(desk: Desk, seat: str, text: str) -> str:
    """Of an answer that is to last its first part, if that can be one: `b always`, but not `I always thought so`."""
    question = desk.match.question
    if question is None or not desk.asks(seat) or (lasts := standing.lasting(question, text)) is None:
        return text
    by_letter = typed_letter(lasts.answer)
    return text if by_letter and by_letter not in dict(lettered(question, seat)) else lasts.answer


def is_meant(line: str) -> bool:
    """It cannot be read, but begins like an order: a slip of the pen, to be told rather than passed over."""
    return len(line) < 200 and resembles_an_order(line)
