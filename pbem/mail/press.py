"""Letters between players: to one, some or all; at once or with the next report; without a name where the game allows it.

`press blue yellow: text`, `press all held: text`, `press blue anonymous: text`. What follows on the next lines belongs to it,
up to a line that is only `/press`, or to the end; where it could end before, its sender is asked (`lines.sort`). The moderator
is shown counts, not texts.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import cast

from pbem.base.errors import PbemError
from pbem.base.language import PLAIN, Safe
from pbem.desk import showing
from pbem.desk import tray as trays
from pbem.desk.tray import PressCount
from pbem.mail import body
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import title, token_now
from pbem.mail.letters import footer, to_all, written
from pbem.mail.outbox import Letter
from pbem.mail.request import NotMet, Request
from pbem.mail.sentences import mailed
from pbem.orders.asking import ends_a_letter
from pbem.telling.words import Words

LONGEST = 6000                          # characters of a letter
LEAD = re.compile(r"press\s+([^:\n]{1,100}):[ \t]*(.*)", re.IGNORECASE | re.DOTALL)
LAST_WORDS = 6                          # of a letter, in its receipt


def ends(lines: Sequence[str]) -> int:
    """How many lines a letter has with the one that closes it; 0 where none does."""
    return next((number for number, line in enumerate(lines, 1) if ends_a_letter(line)), 0)


def ruled(desk: MailDesk, daily: int | None, when: str | None, anonymous: str | None, off: str | None) -> str:
    """The moderator says what this game allows; what he leaves out stays as it is."""
    rules = desk.tray.press
    if daily is not None:
        rules.daily = daily
    rules.held = rules.held if when is None else when == "held"
    rules.anonymous = rules.anonymous if anonymous is None else anonymous == "yes"
    rules.off = rules.off if off is None else off == "yes"
    return mailed(showing.words(desk), "press_ruled", **asdict(rules), sent=dict(desk.mail.press_total))


def write(ask: Request, rest: str) -> str:
    """Take a letter and pass it on."""
    desk = ask.desk
    said = showing.words(desk, ask.seat)
    allowed = desk.tray.press
    if allowed.off:
        raise NotMet(mailed(said, "press_off"))
    found = LEAD.fullmatch(f"press {rest}".strip())
    to, flags = _readers(desk, ask.seat, found[1]) if found else ([], set())
    if found is None or not to:
        raise NotMet(mailed(said, "press_unread", known=[seat for seat in desk.match.seats if seat != ask.seat]))
    anonymous = "anonymous" in flags
    if anonymous and not allowed.anonymous:
        raise NotMet(mailed(said, "press_no_anonymous"))
    text = "\n".join(line for line in found[2].splitlines() if not ends_a_letter(line)).strip()
    if not text:
        raise NotMet(mailed(said, "press_empty"))
    if len(text) > LONGEST:
        raise NotMet(mailed(said, "press_long", signs=len(text), most=LONGEST))
    day = f"{ask.desk.now:%Y-%m-%d}"
    if desk.mail.press_count.day != day:
        desk.mail.press_count = PressCount(day)
    today = desk.mail.press_count.sent
    today[ask.seat] = today.get(ask.seat, 0) + 1
    if today[ask.seat] > allowed.daily:
        raise NotMet(mailed(said, "press_limit", limit=allowed.daily))
    gathered = "held" in flags or (allowed.held and "now" not in flags)
    letter = trays.Letter(seat="" if anonymous else ask.seat, to=to, text=text, waits=[], came=len(desk.game.entries))
    at_once = [] if gathered or ask.config is None else [seat for seat in to if reads_mail(desk, seat)]
    carry(ask, letter, at_once)
    letter.waits = [seat for seat in to if seat not in at_once]
    if letter.waits:
        desk.tray.letters.append(letter)
    total = desk.mail.press_total
    total[ask.seat] = total.get(ask.seat, 0) + 1
    return mailed(said, "press_sent", to=to, held=gathered or ask.config is None, anonymous=anonymous,
                       lines=len(text.splitlines()),
                       last=" ".join(text.split()[-LAST_WORDS:]))


def reads_mail(desk: MailDesk, seat: str) -> bool:
    """Can a letter go at once? Who reads the thread finds it in the list of what is to be pasted."""
    return (desk.match.seats[seat].get("channel") or "mail") == "mail" and bool(desk.addresses(seat))


def carry(ask: Request, letter: trays.Letter, to: Sequence[str]) -> None:
    """Letters that go at once: one mail for each reader. Without a mailbox they wait for the next report."""
    assert ask.config is not None or not to
    for place, seat in enumerate(to):
        said = showing.words(ask.desk, seat)
        token = token_now(ask.desk, seat)
        subject = mailed(said, "subject_press", title=title(ask.desk), who=letter.seat)
        name = f"{ask.sender.id}-{len(ask.mails)}-{place}-{seat}"
        ask.mails.extend(to_all(ask.desk, cast(Config, ask.config), seat, written(
            Letter("press", name, subject, "", token), said, [body.piece_of(shown(ask.desk, letter, seat))],
            footer(ask.desk, said, token))))


def opening(said: Words, letter: trays.Letter) -> Safe:
    """Who writes to whom."""
    named = bool(letter.seat) and len(letter.to) > 1         # who is not on the list could be the one who has no name
    return mailed(said, "press_from", who=letter.seat, to=letter.to if named else [])


def shown(desk: MailDesk, letter: trays.Letter, reader: str) -> str:
    """A letter as its reader sees it."""
    lead = opening(showing.words(desk, reader), letter)
    lines = [f"    {PLAIN.escape(line)}".rstrip() for line in letter.text.splitlines()]
    return "\n".join([lead, "", *lines, ""])


def for_reader(desk: MailDesk, seat: str, written: Callable[[MailDesk, trays.Letter, str], str] = shown) -> list[str]:
    """The letters that wait for this reader's next report."""
    return [written(desk, letter, seat) for letter in desk.tray.letters if seat in letter.waits]


def delivered(desk: MailDesk, seat: str) -> None:
    """They went out with a report."""
    for letter in desk.tray.letters:
        letter.waits = [one for one in letter.waits if one != seat]
    desk.tray.letters[:] = [letter for letter in desk.tray.letters if letter.waits]


def _readers(desk: MailDesk, seat: str, text: str) -> tuple[list[str], set[str]]:
    """Whom it is for, by colour or by name; and what else is said of how it goes."""
    words = re.findall(r"\w+", text.casefold())
    flags = {word for word in words if word in ("held", "now", "anonymous")}
    seats = desk.match.seats
    if "all" in words:
        return [one for one in seats if one != seat], flags
    to = [seat_of(desk, word) for word in words if word not in flags and word not in ("to", "and")]
    if any(one not in seats for one in to):
        return [], flags
    return [one for one in dict.fromkeys(to) if one != seat], flags


def seat_of(desk: MailDesk, word: str) -> str:
    """A seat by its colour, in any language, or by its player's name."""
    with suppress(PbemError):
        return desk.match.names.resolve("seat", word)
    return ""
