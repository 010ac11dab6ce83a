"""What answers the requests of players, besides their orders: one line, one answer. Their table is in `requests`."""

import itertools
import re
from datetime import date, timedelta
from typing import cast

from pbem.base import clock
from pbem.desk import answering, posing
from pbem.desk.notes import note
from pbem.desk.requesting import HOW_OFTEN
from pbem.desk.tray import SeatSettings
from pbem.mail import body, maps, outbox, parts, sending
from pbem.mail.body import Piece
from pbem.mail.issuing import token_now
from pbem.mail.letters import awaited, reply
from pbem.mail.request import BY_POST, NotMet, Request
from pbem.mail.sentences import mailed
from pbem.orders.asking import NUMBER
from pbem.telling import views

LONGEST_ABSENCE = timedelta(days=60)
TOLD = ("report", "question", "post", "message")
DAY = r"\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:\d{4})?"



def status(ask: Request, rest: str) -> str:
    """Who is awaited until when, and how everybody stands."""
    reader = ask.reader or ask.seat
    totals = ask.desk.once(("totals", reader), lambda: ask.said.phrase(
        "totals", standings=views.standings(ask.desk.match.g)))
    return "\n".join([awaited(ask.desk, reader), totals])


def resend(ask: Request, rest: str) -> str | Piece:
    """The last question or report once more."""
    thread = ask.desk.match.seats[ask.seat].get("channel") == "paste"
    out = outbox.of_thread(ask.desk.folder) if thread else outbox.of_game(ask.desk.folder)
    last = [one for one in [*out.past(), *out.unsent()] if one.seat in (ask.seat, "") and one.kind in TOLD]
    if not last:
        return mailed(ask.said, "nothing_sent")
    text = outbox.unfolded(sending.above(last[-1]))
    told = Piece(text, last[-1].html or body.paragraphs(text))
    return body.together([body.piece_of(mailed(ask.said, "resent")), body.EMPTY, told])


def history(ask: Request, rest: str) -> Piece:
    """What happened: from an entry on, or since the present player turn began; `whole` with every piece and all sums."""
    words = rest.strip(" .!?").casefold().split()
    since = next((int(word) for word in words if re.fullmatch(NUMBER, word)), None)
    told = body.whole if "whole" in words else body.report
    return ask.desk.once(("history", ask.seat, since, told), lambda: told(ask.desk, ask.seat, since))


def hand(ask: Request, rest: str) -> str:
    """The cards this seat holds."""
    secret = ask.desk.match.g.secret
    if secret is None:
        return mailed(ask.said, "hand_unknown")
    cards = [ask.said.phrase("hand_card", card=card) for card in secret.hand(ask.seat)]
    if not cards:
        return mailed(ask.said, "hand_empty")
    return "\n".join([mailed(ask.said, "hand", cards=cards), *answering.hand_proof(ask.desk, ask.seat)])


def proof(ask: Request, rest: str) -> str:
    """The public log, as the page that checks it takes it."""
    from pbem.play.proof import log_text

    unfolded = log_text(ask.desk.game).replace(" ", "\\u0020")     # without blanks no mail program breaks a line of it
    return f"{mailed(ask.said, 'proof')}\n\n{unfolded}"


def guide(ask: Request, rest: str) -> str:
    """The player's guide, every order and answer, or the orders on one page."""
    from pbem.telling.guide import PLAYER, TOPICS, as_text, page

    topic = rest.strip(" .!?").casefold()
    return as_text(page(topic if topic in TOPICS else PLAYER, ask.said.language))


def options(ask: Request, rest: str) -> str | Piece:
    """What this seat may answer now; `options all`, `options march`: nothing of it is cut."""
    desk = ask.desk
    if which := rest.strip(" .!?"):
        return posing.all_offers(desk, ask.seat, "" if which.casefold().lstrip("-") == "all" else which)
    if not desk.asks(ask.seat):
        return posing.question_text(desk, ask.seat)
    link = reply(desk, ask.config, ask.said, ask.seat, token_now(desk, ask.seat)) if ask.config is not None else None
    return Piece(posing.question_text(desk, ask.seat, "mail"), posing.question_text(desk, ask.seat, "html", reply=link))


def check(ask: Request, rest: str) -> Piece:
    """What the orders behind the word and below it would do, as far as it can be known."""
    if not rest.strip():
        raise NotMet(mailed(ask.said, "unknown_check"))
    done = [(one, answering.became(ask.said, one)) for one in ask.desk.dry_run(ask.seat, rest.replace(";", "\n"))]
    return body.together([body.piece_of(mailed(ask.said, "tried")), body.outcomes(ask.said, done)])


def absent(ask: Request, rest: str) -> str:
    """Days on which no new deadline falls for this seat. It is public, for deadlines are; running ones stay."""
    days = list(map(read_day, re.findall(DAY, rest), itertools.repeat(ask.desk.now.date())))
    if not 0 < len(days) < 3 or None in days:
        raise NotMet(mailed(ask.said, "absent_unread"))
    first, last = cast(date, days[0]), cast(date, days[-1])
    if last < first or last < ask.desk.now.date():
        raise NotMet(mailed(ask.said, "absent_unread"))
    if last - first > LONGEST_ABSENCE:
        raise NotMet(mailed(ask.said, "absent_long"))
    spans = ask.desk.tray.absences.setdefault(ask.seat, [])
    span = (first.isoformat(), last.isoformat())
    if span not in spans:
        spans.append(span)
        note(ask.desk, "absent", seat=ask.seat, first=span[0], last=span[1])
    return mailed(ask.said, "absent", first=span[0], last=span[1])


def read_day(text: str, today: date) -> date | None:
    """A day as people write it; without a year the next one of that name."""
    try:
        if "." not in text:
            return clock.day(text)
        day, month, year = (*map(int, text.rstrip(".").split(".")), 0)[:3]
        found = date(year or today.year, month, day)
        return found if year or found >= today else found.replace(year=today.year + 1)
    except ValueError:
        return None


def file(ask: Request, rest: str) -> str:
    """Put a card aside for a moment to come: `file battle at Lamia: play 54 as surprise`; `file back 1`; `file` lists."""
    from pbem.desk import filing

    words = rest.split()
    if words[:1] == ["back"] and words[1:] and re.fullmatch(NUMBER, words[1]):
        ask.desk.unfile(ask.seat, int(words[1]))
    elif words:
        ask.desk.file(ask.seat, rest)
    filed = filing.of(ask.desk.tray, ask.seat)
    names = ask.desk.match.names
    lines = [f"{number}  {filing.read_trigger(one.trigger, names).retold(ask.said)}: {ask.said.retold(one.text)}"
             for number, one in enumerate(filed, 1)]
    return "\n".join([mailed(ask.said, "filed", count=len(lines)), *lines])


def reserve(ask: Request, rest: str) -> str:
    """`reserve battle, sea`: to be asked for cards at these moments, which everybody hears; `reserve nothing`; `reserve`."""
    words = rest.casefold().replace(",", " ").replace(" and ", " ").strip(" .!").split()
    if words:
        ask.desk.reserve(ask.seat, [] if words in (["nothing"], ["none"]) else words)
    return mailed(ask.said, "reserved_moments", moments=list(ask.desk.match.reserved.get(ask.seat, ())))


def word(ask: Request, rest: str) -> str:
    """A player's share of the chance; until the first entry it may be mended."""
    from pbem.desk import seeding

    before = (ask.desk.game.header.get("chance") or {}).get("words", {}).get(ask.seat, "")
    seeding.enter_word(ask.desk.folder, ask.seat, rest.strip(), instead=True)
    ask.desk.reread()
    return mailed(ask.said, "word_taken", word=rest.strip(), before=before if before != rest.strip() else "")


def observe(ask: Request, rest: str) -> str:
    """Public reports for somebody else: the moderator decides."""
    address = rest.strip().strip("<>").casefold()
    if address == "stop":
        address = ask.sender.address.casefold()
        ask.desk.tray.observers = [one for one in ask.desk.tray.observers if one.casefold() != address]
        return mailed(ask.said, "observer_gone", address=address)
    if not parts.is_address(address):
        raise NotMet(mailed(ask.said, "observer_unread"))
    if address not in ask.desk.mail.observers_asked:
        ask.desk.mail.observers_asked.append(address)
    return mailed(ask.said, "observer_asked", address=address)


def reports(ask: Request, rest: str) -> str:
    """`reports each turn`, `reports daily` or `reports at once`."""
    if ask.desk.match.seats[ask.seat].get("channel") == "paste":
        raise NotMet(mailed(ask.said, "reports_thread"))
    how = HOW_OFTEN.get(rest.strip(" .!").casefold())
    if how is None:
        raise NotMet(mailed(ask.said, "reports_unread"))
    settings = ask.desk.tray.settings.get(ask.seat, SeatSettings())
    ask.desk.tray.settings[ask.seat] = SeatSettings(how, settings.map)
    return mailed(ask.said, "reports_set", how=how)


def map_(ask: Request, rest: str) -> Piece:
    """`map`, `map Lydia`: the board, or a part of it; `map on`, `map off`, `map focus`: what comes with each report."""
    word = rest.strip(" .!?")
    if word.casefold() in maps.WISHES:
        return map_wish(ask, word.casefold())
    from pbem.desk.desk import Desk
    from pbem.drawing import said
    from pbem.telling.chart import chart

    public = Desk(ask.desk.folder, published=True, now=ask.desk.now)
    log = public.game
    data = chart(public.match, reader=None, since=None, entry=len(log.entries), head=log.head(),
                 title=str(log.header.get("title") or log.header["game"]))
    place = said.named(public.match, word) if word else None
    lines = said.region(data, ask.said, said.within(data, *place)) if place else said.summary(data, ask.said)
    words = body.piece_of(*lines)
    if ask.config is None or not ask.config.pictures or ask.channel == BY_POST:
        return words
    return body.together([maps.shown(ask.desk, ask.said, None, place), words])


def map_wish(ask: Request, word: str) -> Piece:
    """What a seat's reports show from now on."""
    if ask.desk.match.seats[ask.seat].get("channel") == "paste":
        raise NotMet(mailed(ask.said, "reports_thread"))
    settings = ask.desk.tray.settings.get(ask.seat, SeatSettings())
    ask.desk.tray.settings[ask.seat] = SeatSettings(settings.reports, word)
    return body.piece_of(mailed(ask.said, f"map_{word}"))
