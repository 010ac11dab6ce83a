"""A request of a seat that came by another way, a private message or a word at the table: entered by the moderator."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem.base.errors import NotNow, PbemError, Refused
from pbem.base.folder import Lock
from pbem.base.language import fill
from pbem.desk import requesting, showing
from pbem.desk.desk import Desk
from pbem.mail import config, letters, lines, quotes, requests
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import token_given
from pbem.mail.ledger import ident
from pbem.mail.letters import Sender
from pbem.mail.request import AT_DESK, Request
from pbem.mail.run import queue
from pbem.mail.sentences import mailed


class Entered(NamedTuple):
    """What was asked for whom, and what came of it."""

    seat: str
    request: str
    answer: str
    met: bool


def answered(place: Path, who: str, text: str, now: datetime, *, write: bool) -> Entered:
    """Answer a request of a seat; what goes to others because of it goes out with the next run of the mailbox."""
    folder = place if place.is_dir() else place.parent
    with Lock(folder):
        desk = MailDesk(folder, now=now)
        seat = desk.match.names.resolve("seat", who)
        if seat not in desk.match.seats:
            raise Refused("2", "unknown_seat", seat=seat, known=list(desk.match.seats))
        word = requesting.split(text)[0]
        if not word:
            start = text.splitlines()[0][:60]
            raise NotNow("no_request", text=start, known=list(requests.COMMANDS), game=str(place), seat=seat)
        rows = text.splitlines()
        if word == "press" and lines.letter(desk, seat, rows, "") != (len(rows), True):
            raise NotNow("letter_has_no_end")
        if word == "word" and not write:
            raise NotNow("word_not_tried")
        name = f"desk-{now:%Y%m%d%H%M%S}-{ident(f'{seat} {text}'.encode())}"      # several may be entered in one second
        ask = Request(desk, mailbox(folder), Sender(seat, name), [], [], AT_DESK)
        answer = requests.answer(ask, text)
        queue(desk, ask.mails)
        if write:
            desk.commit()
    return Entered(seat, text, "\n".join(map(fill, answer.text.splitlines())), not ask.failed)


def orders_in(desk: Desk, who: str, text: str) -> str:
    """The orders of a letter: greetings, quotes and signatures are passed over; requests have a way of their own."""
    seat = desk.match.names.resolve("seat", who)
    own, _ = quotes.own_lines(quotes.rows_of(text), requests.could_be_meant)
    found = lines.sort(desk, seat, own)
    if found.requests:
        raise NotNow("requests_apart", requests=[one.partition("\n")[0] for one in found.requests], seat=seat)
    return "\n".join(found.orders)


def way_back(place: Path, seat: str) -> dict[str, str]:
    """Where a seat's orders go by mail, under which subject, with which reference: for a page that is his alone."""
    desk = MailDesk(place)
    config = mailbox(desk.folder)
    if config is None:
        return {}
    said, token = showing.words(desk, seat), token_given(desk, seat)
    return {"address": config.plus(token) if token else config.address,
            "subject": f"Re: {letters.subject_asked(desk, said, seat)}" if desk.asks(seat) else "",
            "reference": mailed(said, "reference", token=token) if token else ""}


def mailbox(folder: Path) -> Config | None:
    """The mailbox that serves this game, if there is one."""
    try:
        found = config.read()
        return found if folder.resolve() in [one.resolve() for one in found.games()] else None
    except PbemError:
        return None
