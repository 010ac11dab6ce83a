"""The way of a mail: fetched, kept, understood, routed, judged, decided, carried out, answered, noted.

Nothing on the server is changed before a mail is kept here, nothing is answered before it stands in its game, and whatever
is cut off in the middle is done again by the next run with the same outcome. Many mails are written together, or none.
"""

import errno
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from pbem.base import clock
from pbem.base.clock import moment, stamp
from pbem.base.errors import PbemError
from pbem.base.language import Safe
from pbem.desk import deadline, last_line, showing
from pbem.desk.notes import note
from pbem.desk.tray import Sent
from pbem.mail import letters, ordering, outbox, reading, requests, rights, routing, tokens, waiting
from pbem.mail.classes import BOUNCE, HUMAN, LIST, OWN, ROBOT, Bounce
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import title, turn_window
from pbem.mail.ledger import RECEIVED, Row, ident
from pbem.mail.letters import Done, Sender
from pbem.mail.lines import ENDS, GOES_ON, Lines, meant, remarks
from pbem.mail.outbox import Item, Reader
from pbem.mail.reading import Mail
from pbem.mail.request import Request
from pbem.mail.routing import Roster, Route
from pbem.mail.run import Run, queue, said, understood
from pbem.mail.sentences import mailed, why, why_of_class
from pbem.orders import parse
from pbem.orders.language import tidied
from pbem.orders.tongues import in_english

TOGETHER = 1000                 # mails that are written together: so many are done again at most after a crash
DISK = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EFBIG))
MOST_EMPTY = 5                  # mails of one sender with nothing in them that are answered in a day
HASTE = timedelta(minutes=1)    # nobody reads a question and answers it in less
CONFIRM, UNCLEAR = ASKED = ("confirm", "unclear")        # mails whose sender was asked: is it his, where does its letter end
SMALL = 50_000                  # of what is larger only one is kept in memory, the one that was looked at last
YES = re.compile(r"^\W*(yes|ja|sì|si|да|oui|sí|y|ok|okay|confirm(ed)?)\W*$", re.IGNORECASE)
NO = re.compile(r"^\W*(no|nein|нет|non|nee|nie|n)\W*$", re.IGNORECASE)
CARD = re.compile(r"\s*(?:pla|sur)", re.IGNORECASE)          # how an order to play a card begins


# --- all that were kept, in their order ----------------------------------------------------------------------------------


def deal_with_all(run: Run) -> None:
    """Every mail that came and was not dealt with, in the order in which the server received them, many written at once."""
    ids = [row.id for row in run.ledger.received()]
    run.know(run.places if ids else ())
    for start in range(0, len(ids), TOGETHER):
        again: Sequence[str] = ids[start:start + TOGETHER]
        while again:
            again = deal_with_together(run, again)


def deal_with_together(run: Run, ids: Sequence[str]) -> Sequence[str]:
    """All of these mails, or none: then that over which the program failed is held, and the others come again. So do those
    for which there is no room any more."""
    left = list(ids)
    states: dict[str, str] = {}
    at = ""
    try:
        while left and not run.is_full:
            at = next_of(run, left)
            left.remove(at)
            states[at] = deal_with(run, at)
        at = ids[0] if len(ids) == 1 else ""
        run.settle()
    except Exception as fault:                  # one mail never stops the others
        run.forget()
        if isinstance(fault, OSError) and fault.errno in DISK:
            raise
        if not at:                              # they could not be written, and nobody knows because of which
            return [one for id in ids for one in deal_with_together(run, [id])]
        states = {at: failed(run, at, said(fault))}
        run.settle()
    if run.is_full:
        run.let_go()
    for id, state in states.items():
        run.summary.count(state)
        if state != RECEIVED:
            run.dealt_with.append(run.ledger.mails[id])
    return [id for id in ids if id not in states]


def next_of(run: Run, ids: Sequence[str]) -> str:
    """The first mail that came; but of several players who play a Surprise card the earlier in Turn Order goes first (6.2)."""
    found = card_played(run, ids[0]) if len(ids) > 1 else None
    if found is None:
        return ids[0]
    players: dict[str, str] = {}
    for id in ids:
        if (other := card_played(run, id)) is not None and other[0] is found[0]:
            players.setdefault(other[1], id)
    return players[min(players, key=found[0].match.g.turn_order.index)]


def card_played(run: Run, id: str) -> tuple[MailDesk, str] | None:
    """Does a mail that counts play a card out of turn? The desk of its game, and who plays it."""
    try:
        if not any(CARD.match(tidied(one)) for one in looked_at(run, id).orders):
            return None
        case = case_of(run, id)
        if case.desk is None or not case.lines.orders:
            return None
        first = case.lines.orders[0]
        if not ordering.is_interrupt(case.desk, case.seat, first) or parse(first, case.desk.match.names)[0].verb != "play":
            return None
        return case.desk, case.seat
    except Exception:                           # whatever is wrong with it will show when it is dealt with
        return None


def deal_with(run: Run, id: str, *, released: str = "", word: str = "") -> str:
    """One mail from here to its end; says what became of it. `released` names the seat for which it is let through, `word`
    is what its sender said of the end of his letter."""
    case = case_of(run, id, released, word)
    state = carry_out(run, case, decide(case))
    run.understood.pop(id, None)
    return state


# --- understood, routed, judged ------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A mail, and all that has to be known to decide what becomes of it."""

    row: Row
    mail: Mail
    rosters: Mapping[str, Roster]       # the games of this run
    route: Route
    largest: int                        # mail that is read; of a giant there is only the head
    is_whole: bool = True               # every game is known
    double: Row | None = None           # the mail that has its Message-ID
    is_copy: bool = False               # and its content: it came by two ways
    desk: MailDesk | None = None        # of the one game that it is for, if that can be had
    seat: str = ""                      # whose mail it is
    verdict: str = ""                   # what the table of rights says
    lines: Lines = Lines()              # what is meant in it, if it counts
    confirms: Row | None = None         # the mail of which it says whether it counts
    word: str = ""                      # what its sender said of that
    passed_over: str = ""               # its orders do not count: another mail of its seat takes their place
    is_echo: bool = False               # nobody writes like that: it is not answered
    is_fresh: bool = False              # it came with this very run

    @property
    def is_giant(self) -> bool:
        return self.row.size > self.largest and self.mail.class_ != BOUNCE


def case_of(run: Run, id: str, released: str = "", word: str = "") -> Case:
    """What is known of a mail, worked out once. A game is opened only for a mail that may be for it."""
    mail = looked_at(run, id)
    row = run.ledger.mails[id]
    double = double_of(run, id, mail)
    case = Case(
        row, mail, run.rosters, routed(run, mail), run.config.limits["size"], run.is_whole, seat=released,
        verdict=rights.RELEASED if released else "", word=word, double=double,
        is_copy=double is not None and len({reading.content(run.ledger.bytes_of(one)) for one in (row, double)}) == 1)
    if len(case.route.games) != 1 or by_kind(case) is not None:
        return case
    desk = run.desk(case.route.games[0])
    if desk is None or case.is_giant or mail.class_ == BOUNCE or desk.became(id):
        return case._replace(desk=desk, seat=case.route.seat)
    return judged(run, case, desk)


def double_of(run: Run, id: str, mail: Mail) -> Row | None:
    """The earlier mail with the same Message-ID."""
    other = run.ledger.message_ids.get(mail.message_id, id)
    return run.ledger.mails[other] if other != id else None


def looked_at(run: Run, id: str) -> Mail:
    """Read a mail; what everybody asks for first is kept in the ledger."""
    row = run.ledger.mails[id]
    mail = run.understood.get(id) or vouched(run, understood(run.config, run.ledger.bytes_of(row)))
    if row.size > SMALL:
        run.understood.pop(run.large, None)
        run.large = id
    run.understood[id] = mail
    if not row.sort:
        run.ledger.put(row.looked_at(mail))
    return mail


def vouched(run: Run, mail: Mail) -> Mail:
    """A server that keeps silent about some senders may have been silent here: a good word below its Received may be forged."""
    if run.config.authserv and mail.class_ == HUMAN and mail.voucher == reading.SAID_NOTHING:
        run.state = run.state._replace(silent=stamp(run.now))
    is_doubtful = mail.voucher == reading.BELOW and mail.dmarc == rights.PASS and bool(run.state.silent)
    return mail._replace(dmarc=rights.NONE) if is_doubtful else mail


def routed(run: Run, mail: Mail) -> Route:
    """Which game it is for: a bounce for that of the mail that did not arrive, whoever sends it."""
    brought = tokens.brought(mail, run.config.domain)
    if mail.bounce is not None:
        return routing.route(run.rosters, "", [*tokens.in_text(mail.bounce.message_id), *brought], "")
    return routing.route(run.rosters, mail.from_, brought, mail.subject)


def judged(run: Run, case: Case, desk: MailDesk) -> Case:
    """Whose mail it is, what the table of rights says, and what it means if it counts."""
    token, case = case.route.token, case._replace(desk=desk)
    if token is not None and token.window.startswith("confirm:"):
        case = case._replace(confirms=run.ledger.mails.get(token.window.partition(":")[2]))
    if not case.verdict:
        seat, verdict = right(run, case, desk)
        case = case._replace(seat=seat, verdict=verdict)
    if case.verdict not in rights.COUNT:
        return case
    case = case._replace(lines=meant(desk, case.seat, case.mail, case.word), is_fresh=case.row.id in run.fresh)
    return case._replace(passed_over=passed_over(run, case, desk), is_echo=is_echo(run, case, desk))


def right(run: Run, case: Case, desk: MailDesk) -> tuple[str, str]:
    """Whose mail it is, and what may be done with it."""
    mail, domain, (_, token, seat, _) = case.mail, run.config.domain, case.route
    state = token_state(case, desk) if token is not None else rights.NONE
    if token is None and (tokens.brought(mail, domain) or mail.in_reply_to.casefold().rstrip(">").endswith(f"@{domain}")):
        state = "dead"                      # it answers a mail of ours, but which one nobody can say any more
    if seat and state in ("closed", "dead") and mail.dmarc != rights.FAIL:
        return seat, rights.LATE if token is None or token.seat == seat else rights.QUARANTINE_AND_TELL
    if state in ("closed", "dead"):
        state = rights.NONE
    elif token is not None and seat and token.seat != seat:
        state = rights.OTHER
    games = sum(1 for one in case.rosters.values() if one.seat_of(mail.from_))
    verdict = rights.judge(bool(seat), state, mail.dmarc, int(games == 1 and desk.asks(seat)))
    return (seat or (token.seat if token is not None else "")), verdict


def token_state(case: Case, desk: MailDesk) -> str:
    """Is the token alive: for the turn, for a mail to be confirmed, for the question that is open?"""
    token, question = case.route.token, desk.match.question
    assert token is not None
    if token.window.startswith("turn:"):
        return rights.VALID if token.window == turn_window(desk) else "closed"
    if token.window.startswith("confirm:"):
        asked = case.confirms
        return rights.VALID if asked and (asked.state in ASKED or asked.confirmed_by == case.row.id) else "closed"
    if question is None or token.seat not in question.sides:
        return "closed"
    since_undo = token.window.partition("~")[2] == desk.open_as.partition("~")[2]
    if token.window == desk.open_as or (since_undo and not question.sealed and token.asked == desk.stretch):
        return rights.VALID
    return "closed"


def passed_over(run: Run, case: Case, desk: MailDesk) -> str:
    """Do its orders count no more? The last mail by arrival says what a seat wants, before anything is played."""
    if not case.lines.counts() or case.verdict == rights.RELEASED:
        return ""
    before = last_of(desk, case.seat)
    if before.window == window_of(desk, case.seat) and before.at > case.row.at:
        return "crossed"
    others = [lines.orders for lines in later(run, case, desk) if lines.counts()]
    aim = ordering.aim(desk, case.seat, case.lines.orders) if others else ""
    return "superseded" if aim and any(aim == ordering.aim(desk, case.seat, orders) for orders in others) else ""


def later(run: Run, case: Case, desk: MailDesk) -> Iterable[Lines]:
    """What the same seat says in mails that came after this one, and have not been dealt with, as far as they count."""
    row = case.row
    for id in of_seat(run, title(desk), case.seat):
        other = run.ledger.mails[id]
        if other.state == RECEIVED and (other.at, other.uid) > (row.at, row.uid):
            mail = looked_at(run, id)
            known = case._replace(row=other, mail=mail, route=routed(run, mail))
            if known.route.token is not None and right(run, known, desk)[1] in rights.COUNT:
                yield meant(desk, case.seat, mail)


def is_echo(run: Run, case: Case, desk: MailDesk) -> bool:
    """A robot without marks: nothing to do in it, and the same words again, or too fast for people, or too many in a day."""
    if not is_empty(case):
        return False
    before = [said for id, said in run.state.empty.get(of_today(run, case), {}).items() if id != case.row.id]
    return bool(before) and (said_in(case) in before or len(before) >= MOST_EMPTY or is_too_fast(case, desk))


def is_empty(case: Case) -> bool:
    """Is there nothing in a mail that somebody could want?"""
    return not (case.lines.orders or case.lines.requests) and case.verdict != rights.RELEASED


def is_too_fast(case: Case, desk: MailDesk) -> bool:
    """Does it answer a mail of ours that has just gone out?"""
    id = case.mail.in_reply_to
    asked = next((one for one in outbox.of_game(desk.place).past(id) if one.message_id == id), None) if id else None
    return asked is not None and asked.sent != "" and moment(case.row.at) - moment(asked.sent) < HASTE


def said_in(case: Case) -> str:
    return ident("\n".join(case.mail.lines).casefold().encode())


def of_today(run: Run, case: Case) -> str:
    return f"{run.now:%Y-%m-%d} {case.mail.from_.casefold()}"


def of_seat(run: Run, game: str, seat: str) -> Sequence[str]:
    """The mails of this run that seem to come from a seat; found out once for all of them."""
    if run.of_seats is None:
        run.of_seats = {}
        for row in run.ledger.received():
            with suppress(Exception):           # whatever is wrong with it will show when it is dealt with
                mail = looked_at(run, row.id)
                found = routed(run, mail)
                if mail.class_ == HUMAN and len(found.games) == 1 and double_of(run, row.id, mail) is None:
                    run.of_seats.setdefault((found.games[0], found.seat), []).append(row.id)
    return run.of_seats.get((game, seat), ())


# --- decided -------------------------------------------------------------------------------------------------------------


class Stay(NamedTuple):
    """It stays as it came, for a later run: its game cannot be had, or it may still be regretted."""


class Note(NamedTuple):
    """Nobody is answered; the ledger says what it was, or for whom it is held. `is_told`: its seat is told once a day."""

    state: str
    why: str = ""
    game: str = ""
    seat: str = ""
    is_told: bool = False


class Refuse(NamedTuple):
    """Nothing in it counts; its sender is told why, and how things stand."""

    kind: str                           # of which there is one a day
    said: Safe
    declines: Row | None = None         # the mail that its owner did not write


class Choose(NamedTuple):
    """It is for one game, and nobody knows which: its sender is asked. Without a game the mailbox itself answers."""


class Doubt(NamedTuple):
    """It comes from a known address, but nothing vouches for it: the owner of the address is asked."""


class Unclear(NamedTuple):
    """Nobody but its sender knows where a letter in it ends: he is asked, and until then nothing is sent or done."""


class Confirmed(NamedTuple):
    """The owner's word: another mail counts, and where a letter in it ends."""

    row: Row
    word: str = ""


class Apply(NamedTuple):
    """Its orders, answers and requests are its seat's."""


class Unreachable(NamedTuple):
    """Mail does not reach a seat: its clock stands still, the moderator is told."""

    seat: str
    is_for_good: bool


class Suspect(NamedTuple):
    """A bounce of no mail of ours. Anybody could write it: the moderator is told of the addresses that we know."""

    addresses: Mapping[str, Sequence[str]]      # and the games they belong to
    status: str = ""


class Leave(NamedTuple):
    """A reader without a seat gets no more reports."""

    games: Sequence[str]


Decision = Stay | Note | Refuse | Choose | Doubt | Unclear | Confirmed | Apply | Unreachable | Suspect | Leave


def decide(case: Case) -> Decision:
    """What is to become of a mail, and why. Touches nothing."""
    games = case.route.games
    if (found := by_kind(case)) is not None:
        return found
    if case.mail.class_ == BOUNCE:
        return of_bounce(case)
    if case.is_giant:
        return of_giant(case)
    if len(games) > 1:
        if not any(case.rosters[game].seat_of(case.mail.from_) for game in games):
            return Note("quarantined", why("stranger"))
        return Choose()
    if not games:
        return of_stranger(case) if case.is_whole else Stay()       # it may be for the game that cannot be read now
    if case.desk is None:
        return Stay()                           # the game is busy: next time
    if became := case.desk.became(case.row.id):                     # killed after the game had it
        return Note(became, game=games[0])
    return by_right(case, case.desk)


def by_kind(case: Case) -> Note | None:
    """What needs no game: what no human wrote, and what cannot be read."""
    mail = case.mail
    if case.verdict == rights.RELEASED:
        return None
    if case.double is not None:
        return Note("duplicate", why("duplicate", n=case.double.n)) if case.is_copy else Note("held", why("other_content"))
    if mail.class_ == OWN:
        return Note(OWN, why_of_class(mail.why))
    if mail.class_ == BOUNCE:
        return None
    if mail.hold or (mail.class_ not in (HUMAN, ROBOT, LIST) and not case.is_giant):
        return Note("held", why_of_class(mail.why))
    return Note(mail.class_, why_of_class(mail.why)) if mail.class_ in (ROBOT, LIST) else None


def of_bounce(case: Case) -> Decision:
    """A hard bounce of a mail of ours concerns its seat: of one that was sent, to whom it was sent, not written by a player."""
    token, bounce = case.route.token, case.mail.bounce
    assert bounce is not None
    if case.desk is not None and not is_of_ours(case.desk, bounce, case.mail.from_, case.rosters):
        token = None
    if token is None:
        known = {address: [game for game, one in case.rosters.items() if one.seat_of(address) or address in one.observers]
                 for address in bounce.recipients}
        return Suspect({address: games for address, games in known.items() if games}, bounce.status)
    return Stay() if case.desk is None else Unreachable(token.seat, bounce.hard)


def is_of_ours(desk: MailDesk, bounce: Bounce, sender: str, rosters: Mapping[str, Roster]) -> bool:
    """Is it about a mail that lies among those that were sent?"""
    if any(one.seat_of(sender) for one in rosters.values()):
        return False
    sent = [one for one in outbox.of_game(desk.place).past() if same_id(one.message_id, bounce.message_id)]
    return any(not bounce.recipients or one.to.casefold() in bounce.recipients for one in sent)


def same_id(one: str, other: str) -> bool:
    """The domain of an id has no capital letters of its own, and some servers change them."""
    return one.casefold() == other.casefold()


def of_giant(case: Case) -> Decision:
    """Only its head was fetched. Who sends one from a seat's address is told."""
    if len(case.route.games) != 1 or not case.route.seat:
        return Note("quarantined", why("too_large"))
    if case.desk is None:
        return Stay()
    said, size, most = showing.words(case.desk, case.route.seat), case.row.size // 1000, case.largest // 1000
    return Refuse("too_large", mailed(said, "too_large", size=size, most=most))


def of_stranger(case: Case, game: str = "") -> Decision:
    """Somebody without a seat: a subscriber may end his reports; everybody else waits for the moderator, unanswered."""
    first, sender = next((one.strip().casefold() for one in case.mail.lines if one.strip()), ""), case.mail.from_.casefold()
    if outbox.STOP in (first, case.mail.subject.strip().casefold()):
        return Leave([game for game, roster in case.rosters.items() if sender in roster.observers])
    return Note("quarantined", why("observe" if first.startswith("observe") else "stranger"), game)


def by_right(case: Case, desk: MailDesk) -> Decision:
    """What the table of rights means."""
    token, seat, verdict = case.route.token, case.seat, case.verdict
    if verdict == rights.LATE:
        return too_late(case, desk)
    if verdict == rights.CONFIRM:
        return Doubt()
    if verdict == rights.QUARANTINE:
        return of_stranger(case, title(desk))
    if verdict not in rights.COUNT:
        state = "quarantined" if verdict == rights.QUARANTINE_AND_TELL else "held"
        because = why(verdict, seat=seat, other=token.seat if token is not None else "")
        return Note(state, because, title(desk), seat, is_told=verdict == rights.HOLD_AND_ANSWER)
    if case.confirms is not None:
        return of_answer_to_confirm(case, desk, case.confirms)
    return of_orders(case, desk)


def too_late(case: Case, desk: MailDesk) -> Refuse:
    """What it answers is closed."""
    said, token = showing.words(desk, case.seat), case.route.token
    if token is None or token.window.startswith("turn:"):
        return Refuse("older", mailed(said, "older"))
    if token.window.startswith("confirm:"):
        return Refuse("not_confirmed", mailed(said, "not_confirmed"))
    return Refuse(f"late {token.window}", mailed(said, "late", id=token.window.partition("~")[0]))


def of_answer_to_confirm(case: Case, desk: MailDesk, asked: Row) -> Decision:
    """The reply to whether a mail was his. Who writes his orders anew instead is believed: that they are his is sure now."""
    first, said, lines = next(iter(case.mail.orders), ""), showing.words(desk, case.seat), case.lines
    is_unclear = asked.state == UNCLEAR
    if is_unclear and (word := in_english(first).casefold().strip(" .)(:!\"'")) in (ENDS, GOES_ON):
        return Confirmed(asked, word)
    if is_unclear and not (lines.requests or lines.orders):
        return Refuse("a_or_b", mailed(said, "cut_unread"))
    if NO.match(first):
        return Refuse("declined", mailed(said, "declined"), asked)
    if YES.match(first) and not is_unclear:
        return Confirmed(asked)
    if not lines.are_attached and (lines.requests or lines.orders):
        return of_orders(case, desk)
    return Refuse("yes_or_no", mailed(said, "yes_or_no"))


def of_orders(case: Case, desk: MailDesk) -> Decision:
    """Orders that another mail takes the place of are passed over, and only they; what rolls or draws may be regretted."""
    if case.is_echo:
        return Note("robot", why("echo"), title(desk), case.seat)
    if case.lines.unclear:
        return Unclear()
    if case.passed_over and not case.lines.requests:
        return Refuse(case.passed_over, mailed(showing.words(desk, case.seat), f"passed_over_{case.passed_over}"))
    return Stay() if not case.passed_over and may_be_regretted(case, desk) else Apply()


def may_be_regretted(case: Case, desk: MailDesk) -> bool:
    """Within the game's regret delay, and until the next run at most, orders wait that would roll or draw.

    An answer that lies sealed may be changed until its question closes in any case.
    """
    delay, question = clock.times(desk.game.header).regret, desk.match.question
    if not delay or not case.is_fresh or question is None:
        return False
    if desk.now - moment(case.row.at) >= timedelta(minutes=delay):
        return False
    stands = deadline.closing(desk)
    return not (stands is not None and stands.is_past_due) and ordering.throws(desk, case.seat, case.lines.orders)


def last_of(desk: MailDesk, seat: str) -> Sent:
    """For which window, when, and for which time a seat has sent orders last."""
    return desk.mail.seats.get(seat, Sent())


def window_of(desk: MailDesk, seat: str) -> str:
    return desk.stretch if desk.asks(seat) else turn_window(desk)


# --- carried out, answered, noted ----------------------------------------------------------------------------------------


def carry_out(run: Run, case: Case, decision: Decision) -> str:
    """What was decided is done: in the game, towards its people, in the ledger. Says what became of the mail."""
    row, mail, desk, seat = case.row, case.mail, case.desk, case.seat
    match decision:
        case Stay():
            return RECEIVED
        case Leave(games):
            return leave(run, case, games)
        case Choose():
            return choose(run, case)
        case Suspect(addresses, status):
            for address, games in addresses.items():
                run.notice(f"bounce-{row.id}-{address}", "maybe", games=games, address=address, status=status)
            return noted(run, row, Note("bounce", why("bounce_unknown")))
        case Note():
            if case.is_echo:
                game = case.route.games[0]
                run.notice(f"robot-{of_today(run, case)}", "robot", sender=mail.from_, game=game, seat=seat)
            if decision.is_told and desk is not None and first_today(run, f"held {seat}", case):
                queue(desk, letters.held_for_host(desk, run.config, Sender(seat, row.id)))
            return noted(run, row, decision)
    assert desk is not None                     # all else happens in a game
    sender = Sender(seat, row.id, mail.from_, mail.message_id)
    match decision:
        case Unreachable():
            return unreachable(run, case, desk, decision)
        case Refuse(kind, because, declined):
            if declined is not None:
                run.ledger.put(declined._replace(state="rejected", why=why("declined")))
            made = letters.refusal(desk, run.config, sender, kind, because)
            return answered(run, case, desk, made, Note("refused", str(because)[:200]))
        case Doubt():
            queue(desk, letters.confirm(desk, run.config, sender, mail.orders or mail.attached))
            return noted(run, row, Note(CONFIRM, why("to_confirm"), title(desk), seat))
        case Unclear():
            queue(desk, letters.where_it_ends(desk, run.config, sender, case.lines.requests, case.lines.unclear))
            return noted(run, row, Note(UNCLEAR, why("to_cut"), title(desk), seat))
        case Confirmed(asked, word):
            run.ledger.put(asked._replace(confirmed_by=row.id))
            deal_with(run, asked.id, released=seat, word=word)
            return noted(run, row, Note("applied", why("confirms", id=asked.id), title(desk), seat))
        case Apply():
            return applied(run, case, desk, sender)


def applied(run: Run, case: Case, desk: MailDesk, sender: Sender) -> str:
    """Orders, answers and requests of a seat are taken in; one receipt says what became of each line."""
    row, lines, seat, token = case.row, case.lines, case.seat, case.route.token
    if is_empty(case):
        today, day = of_today(run, case), f"{run.now:%Y-%m-%d} "
        kept = {name: mails for name, mails in run.state.empty.items() if name.startswith(day)}
        run.state = run.state._replace(empty={**kept, today: {**kept.get(today, {}), row.id: said_in(case)}})
    if case.passed_over:
        lines = lines._replace(orders=())
    said, notes = showing.words(desk, seat), list[str]()
    if lines.are_attached:
        notes.append(mailed(said, "attached"))
    elif lines.attached:
        notes.append(mailed(said, "attached_unread", count=len(lines.attached), text=lines.attached[0][:40]))
    question, wait, first = desk.match.question, waiting.begun(desk), len(desk.game.entries) + 1
    if case.verdict != rights.RELEASED:
        desk.mail.unreachable.pop(seat, None)    # a seat that writes can be reached
        desk.mail.heard = list(dict.fromkeys([*desk.mail.heard, seat]))
    window, before, version = window_of(desk, seat), last_of(desk, seat), 0
    if lines.counts():
        version = before.version + 1 if before.window == window else 1
    if version > 1 and desk.waiting(seat):
        notes.append(mailed(said, "replaced", version=version - 1))
    if case.passed_over:
        notes.append(mailed(said, f"passed_over_{case.passed_over}"))
    notes += last_line.remarks(desk, said, (*case.mail.lines, *case.mail.attached))
    stale = token is not None and token.window not in (desk.open_as, turn_window(desk))
    outcomes = ordering.ordered(desk, seat, lines.orders, row.id, stale) if lines.orders else []
    if version:
        desk.mail.seats[seat] = Sent(window, row.at, version)
        if wait is not None:
            waiting.note_answered(desk, wait, seat, row.at)
    ask = Request(desk, run.config, sender, [], [])
    answers = [requests.answer(ask, one) for one in lines.requests]
    if case.verdict in (rights.APPLY_WITH_NOTE, rights.RELEASED) and not row.confirmed_by:
        notes.append(mailed(said, "released" if case.verdict == rights.RELEASED else "without_token"))
    if not outcomes and not answers:
        notes.append(mailed(said, "nothing_in_it", known=list(map(said.typed, requests.COMMANDS))))
    done = Done(outcomes, answers, [*notes, *remarks(said, lines)], version, question.id if question is not None else "",
                bool(ask.failed) or not (outcomes or answers), first if outcomes else 0)
    return answered(run, case, desk, [*letters.receipt(desk, run.config, sender, done), *ask.mails], Note("applied"))


def answered(run: Run, case: Case, desk: MailDesk, mails: Iterable[Item], note: Note) -> str:
    """What a mail did, its mark, and what is said because of it are written as one, by `settle`; then the ledger."""
    desk.dealt_with(case.row.id, note.state)
    queue(desk, mails)
    return noted(run, case.row, note._replace(game=title(desk), seat=case.seat))


def mark_unreached(run: Run, desk: MailDesk) -> None:
    """A mail to a seat was given up: nobody there knows what he was asked."""
    for one in outbox.of_game(desk.place).failed():
        if one.to in desk.addresses(one.seat) and one.key not in desk.mail.given_up:
            desk.mail.given_up.append(one.key)
            mark(run, desk, one.seat)


def mark(run: Run, desk: MailDesk, seat: str) -> None:
    """Mail does not reach a seat: its clock stands still, and the others are told why they wait."""
    if seat not in desk.mail.unreachable:
        note(desk, "unreachable", seat=seat)
    desk.mail.unreachable[seat] = stamp(run.now)


def unreachable(run: Run, case: Case, desk: MailDesk, found: Unreachable) -> str:
    """A hard bounce marks the seat and tells the moderator; a soft one is only noted."""
    id, bounce, game = case.row.id, case.mail.bounce, title(desk)
    assert bounce is not None
    if found.is_for_good:
        if not desk.became(id):                 # else it was killed after this, and perhaps the seat has written since
            mark(run, desk, found.seat)
            desk.dealt_with(id, "bounce")
        run.notice(f"bounce-{id}", "bounce", game=game, seats=[found.seat], status=bounce.status,
                   recipients=bounce.recipients)
    return noted(run, case.row, Note("bounce", why("bounce_hard" if found.is_for_good else "bounce_soft"), game, found.seat))


def choose(run: Run, case: Case) -> str:
    """One mail, one game; without a game of its own the answer goes through the mailbox's outbox."""
    games = case.route.games
    letter = letters.which_game(games, case.route.named, case.row.id)._replace(reply_to=case.mail.message_id)
    run.says.append(outbox.addressed(letter, Reader(case.mail.from_), run.config, run.now))
    return noted(run, case.row._replace(games=tuple(games)), Note("refused", why("several_games")))


def leave(run: Run, case: Case, games: Iterable[str]) -> str:
    sender = case.mail.from_.casefold()
    for desk in [found for game in games if (found := run.desk(game)) is not None]:
        desk.tray.observers = [one for one in desk.tray.observers if one.casefold() != sender]
    return noted(run, case.row, Note("applied", why("observer_left")))


def first_today(run: Run, kind: str, case: Case) -> bool:
    """One such answer per sender, kind and day."""
    day = f"{run.now:%Y-%m-%d} "
    refused = {name: id for name, id in run.state.refused.items() if name.startswith(day)}
    first = refused.setdefault(f"{day}{kind} {case.mail.from_.casefold()}", case.row.id)
    run.state = run.state._replace(refused=refused)
    return first == case.row.id


def noted(run: Run, row: Row, note: Note) -> str:
    """What became of a mail; of what needs a decision the moderator is told, of strangers only the quarantine knows."""
    if note.state == "held" or note.seat and note.state == "quarantined":
        run.notice(f"mail-{row.id}", "held", [f"pbem mail {verb} {row.n}" for verb in ("show", "release", "reject")],
                   n=row.n, sender=row.sender if row.sort else "?", subject=row.subject, why=note.why, game=note.game,
                   seat=note.seat)
    run.ledger.put(row._replace(
        state=note.state, why=note.why or row.why, game=note.game or row.game, seat=note.seat or row.seat))
    return note.state


# --- what does not go this way -------------------------------------------------------------------------------------------


def failed(run: Run, id: str, fault: str) -> str:
    """The program failed over a mail: the moderator has it, and if it is a player's, he is told so."""
    game = seat = ""
    with suppress(Exception):                               # whatever failed before may fail again
        mail = looked_at(run, id)
        route = routed(run, mail)
        desk = run.desk(route.games[0]) if mail.class_ == HUMAN and len(route.games) == 1 and route.seat else None
        if desk is not None:
            sender = Sender(route.seat, f"failed-{id}", mail.from_, mail.message_id)
            because = mailed(showing.words(desk, route.seat), "fault")
            queue(desk, letters.refusal(desk, run.config, sender, "fault", because))
            game, seat = title(desk), route.seat
    return noted(run, run.ledger.mails[id], Note("held", fault, game, seat))


def let_through(run: Run, row: Row, game: str, seat: str) -> str:
    """The moderator releases a mail: for a subscriber's first mail the reports begin, for a seat's its orders count."""
    mail = understood(run.config, run.ledger.bytes_of(row))
    desk = run.desk(game) if game in run.rosters else None
    if desk is None and len(run.rosters) == 1 and not game:
        desk = run.desk(next(iter(run.rosters)))
    if desk is not None and not seat and next(iter(mail.lines), "").casefold().startswith("observe"):
        desk.tray.observers = list(dict.fromkeys([*desk.tray.observers, mail.from_]))
        return noted(run, row, Note("applied", why("observer"), title(desk)))
    if desk is None or seat not in desk.match.seats:
        raise PbemError("mail_whose", name=row.n)
    route = Route([title(desk)], None, seat, named=True)
    case = Case(row, mail, run.rosters, route, run.config.limits["size"], seat=seat, verdict=rights.RELEASED)
    case = judged(run, case, desk)
    return carry_out(run, case, of_orders(case, desk))
