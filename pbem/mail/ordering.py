"""What the orders of a mail do: those for an open question are looked at now, early ones wait, a letter needs its question."""

import re
from collections.abc import Iterable, Sequence

from pbem.base.errors import NotNow, PbemError, Unknown
from pbem.desk import ahead, standing
from pbem.desk.submission import Outcome
from pbem.desk.typed import addressed
from pbem.mail.desk import MailDesk
from pbem.orders import parse, read_line
from pbem.orders.language import tidied
from pbem.table.state import SEGMENTS

# An answer that fits any question: without one it says nothing.
BARE = re.compile(r"\s*(?:pass|no|none|nothing|yes)\W*", re.IGNORECASE)


def ordered(desk: MailDesk, seat: str, lines: Sequence[str], via: str, stale: bool) -> list[Outcome]:
    """Orders for a question that is open are looked at now; for later ones they wait."""
    question = desk.match.question
    if stale and any(is_letter(one) for one in lines):
        return [Outcome(lines[0], "refused", NotNow("stale_letter")), *(Outcome(one, "unread") for one in lines[1:])]
    if question is not None and (seat in question.sides or is_interrupt(desk, seat, lines[0])):
        outcomes = desk.order(seat, "\n".join(lines), via=via)
        if question.kind not in SEGMENTS:
            outcomes = behind_answer(desk, seat, outcomes)
        return caught_up(seat, outcomes, desk.run())
    in_advance = [one for one in lines if standing.body(one) is not None]
    early = [one for one in lines if one not in in_advance]
    outcomes = desk.order(seat, "\n".join(in_advance))
    return outcomes + prepared(desk, seat, early)


def behind_answer(desk: MailDesk, seat: str, outcomes: list[Outcome]) -> list[Outcome]:
    """Orders for one's own turn that stand behind an answer to a window wait like those of any early mail."""
    count = next((place for place, one in enumerate(outcomes) if one.state == "refused" and standing.body(one.line) is None),
                 None)
    is_behind = any(one.state != "refused" for one in outcomes[:count])
    if count is None or not is_behind or outcomes[count].did or not desk.is_for_later(seat, outcomes[count].line):
        return outcomes
    later = [one for one in outcomes[count:] if one.state in ("refused", "unread")]
    return [one for one in outcomes if one not in later] + prepared(desk, seat, [one.line for one in later])


def is_letter(text: str) -> bool:
    """An answer by its letter means nothing without the question it stood under; a line may name that."""
    return not addressed(text)[0] and bool(re.match(r"\W*[A-Za-z](?![A-Za-z])", tidied(text)))


def answer_early(desk: MailDesk) -> None:
    """A window has opened: what a seat sent ahead for it answers now, if it can be an answer; the rest goes on waiting."""
    question = desk.match.question
    if question is None or not question.sealed:
        return
    for seat in [
        one for one in question.sides if one not in desk.sealed(question) and desk.waiting(one) and not desk.is_held(one)
    ]:
        first, *rest = desk.waiting(seat)
        turn = desk.tray.turn(seat)
        done = desk.order(seat, first)
        desk.note_price(seat, ())                       # nobody has been told of one
        if turn is not None and done[0].state in ("done", "sealed"):
            named = ahead.named(desk.match, rest)
            desk.set_waiting(seat, rest, named={name: was for name, was in turn.named.items() if name in named})
        if desk.match.question is None or desk.match.question.id != question.id:
            return


def is_interrupt(desk: MailDesk, seat: str, text: str) -> bool:
    """A card that may be played out of turn, or a free act, is for now."""
    try:
        orders = parse(text, desk.match.names)
        return bool(orders) and desk.match.read(seat, orders[0])[0] == "interrupt"
    except PbemError:
        return False


def aim(desk: MailDesk, seat: str, lines: Sequence[str]) -> str:
    """What orders are for: the open question or player turn, or one to come; a card out of turn is for its own moment alone."""
    first = next((one for one in lines if standing.body(one) is None), "")
    if not first or is_interrupt(desk, seat, first):
        return ""
    return desk.open_as if desk.asks(seat) and not desk.is_for_later(seat, first) else "later"


def throws(desk: MailDesk, seat: str, lines: Sequence[str]) -> bool:
    """Would these orders roll or draw, so that they can never be taken back?"""
    return any(isinstance(one.error, Unknown) for one in desk.dry_run(seat, "\n".join(lines)))


def caught_up(seat: str, outcomes: list[Outcome], later: Iterable[Outcome]) -> list[Outcome]:
    """Lines that waited and were looked at before the mail was answered are told as what they became, each as its own; of
    others the same words may have waited, too."""
    left, told = [one for one in later if one.seat == seat], list[Outcome]()
    for one in outcomes:
        became = next((other for other in left if other.line == one.line and one.state in ("waiting", "prepared")), None)
        if became is not None:
            left.remove(became)
        told.append(became or one)
    return told


def prepared(desk: MailDesk, seat: str, lines: Sequence[str]) -> list[Outcome]:
    """Early mails wait; what cannot be read is told at once."""
    outcomes: list[Outcome] = []
    good: list[str] = []
    for text in lines:
        try:
            if is_letter(text):
                raise NotNow("stale_letter")
            if named := addressed(text)[0]:
                raise NotNow("not_the_open_question", id=named, open=desk.match.question.id if desk.match.question else "")
            if not good and BARE.fullmatch(text):
                raise NotNow("early_answer", text=text.strip())
            read_line(text, desk.match.names)
        except PbemError as error:
            outcomes.append(Outcome(text, "refused", error))
            break
        good.append(text)
        outcomes.append(Outcome(text, "prepared"))
    outcomes += [Outcome(text, "unread") for text in lines[len(outcomes):]]
    if good:
        desk.set_waiting(seat, good, since=len(desk.game.entries) + 1, named=ahead.named(desk.match, good))
    return outcomes
