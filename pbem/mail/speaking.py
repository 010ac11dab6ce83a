"""What a game has to say without being asked: questions, reminders, reports; each reader's own, and each once."""

from datetime import datetime, timedelta
from typing import Any, Protocol

from pbem.base import clock
from pbem.base.clock import moment
from pbem.desk import showing
from pbem.desk.desk import Desk
from pbem.kernel.procedures import Question
from pbem.mail import letters, outbox, press
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Item, Outbox

DAY = timedelta(days=1)


class Speaking(Protocol):
    """As much of a run as is needed to say what is due."""

    config: Config
    now: datetime

    def outbox(self, game: str) -> Outbox: ...


def speak(run: Speaking, desk: MailDesk) -> list[Item]:
    """Questions, reminders and reports that are due, each reader's own."""
    told = run.outbox(letters.title(desk)).told()
    question = desk.match.question
    rules = clock.times(desk.game.header)
    mails: list[Item] = []
    for seat in desk.match.seats:
        if not press.reads_mail(desk, seat):
            continue
        if not desk.game.entries:
            if (desk.game.header.get("chance") or {}).get("deck"):
                mails += letters.invitation(desk, run.config, seat, run.now)
            continue
        last = told.get(seat) or {}
        since = int(last.get("entry", 0))
        if has_news(desk, seat, since) and report_due(run, desk, seat, last):
            mails += letters.report(desk, run.config, seat, since + 1, run.now, press.for_reader(desk, seat))
            press.delivered(desk, seat)
        elif question is not None and desk.asks(seat) and last.get("question") != desk.open_as and not answered_by_mail(
                run, desk, seat, question):
            mails += letters.question(desk, run.config, seat, run.now)
        elif question is not None and desk.asks(seat) and reminder_due(run, desk, rules, seat, question):
            mails += letters.reminder(desk, run.config, seat, run.now)
    return mails


def has_news(desk: Desk, reader: str, since: int) -> bool:
    """Has anything happened since the last report that this reader may hear of? That something was taken back is news too."""
    return any("undo" in entry for entry in desk.game.entries[since:]) or bool(showing.told(desk, reader, since + 1))


def report_due(run: Speaking, desk: MailDesk, seat: str, last: dict[str, Any]) -> bool:
    """At once; for who wants them gathered, when he is asked and once a day. The mover reads his receipts while he goes on."""
    question = desk.match.question
    if question is not None and not question.sealed and answered_by_mail(run, desk, seat, question):
        return False
    if desk.setting(seat, "reports", "immediate") != "digest" or desk.asks(seat):
        return True
    before = last.get("at")
    return not before or run.now - moment(before) >= DAY


def answered_by_mail(run: Speaking, desk: MailDesk, seat: str, question: Question) -> bool:
    """The receipt of this seat's own mail has shown it the question already."""
    shown = (desk.mail.get("shown") or {}).get(seat)
    return bool(shown == desk.open_as)


def reminder_due(run: Speaking, desk: MailDesk, rules: clock.Times, seat: str, question: Question) -> bool:
    """Once per deadline, to those who have not answered."""
    if desk.match.held or (question.sealed and seat in desk.sealed(question)):
        return False
    due = desk.match.due_of(question)
    asked = desk.private.get("asked") or {}
    if (
        not due
        or asked.get("id") != desk.window
        or run.outbox(letters.title(desk)).has(outbox.key("reminder", letters.reminder_name(desk, seat)))
    ):
        return False
    end = clock.end_of(due)
    start = moment(asked["at"])
    return clock.remind_at(rules, start, end) <= run.now < end


def spoken(run: Speaking, desk: MailDesk) -> None:
    """Where each reader stands now is kept with what was sent; observers get what is public."""
    box = run.outbox(letters.title(desk))
    told = box.told()
    question, number = desk.match.question, len(desk.game.entries)
    now: dict[str, dict[str, Any]] = {"_game": {"question": "", "awaited": [], "entries": number}}
    if question is not None:
        answered = desk.sealed(question) if question.sealed else ()
        now["_game"].update(question=desk.open_as, awaited=[seat for seat in question.sides if seat not in answered])
    for seat in desk.match.seats:
        if not has_news(desk, seat, int((told.get(seat) or {}).get("entry", 0))):
            now[seat] = {"entry": number}
        if question is not None and desk.asks(seat):
            now.setdefault(seat, {})["question"] = desk.open_as
    for address in desk.private.get("observers") or []:
        since = int((told.get(f"observer {address}") or {}).get("entry", 0))
        if number > since:
            box.put(letters.public_report(desk, run.config, address, since + 1, run.now))
            now[f"observer {address}"] = {"entry": number}
    box.tell(now)
