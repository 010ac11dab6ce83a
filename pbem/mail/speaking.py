"""What a game has to say without being asked: questions, reminders, reports; each reader's own, and each once."""

from datetime import timedelta

from pbem.base import clock
from pbem.base.clock import moment
from pbem.desk import reporting, showing
from pbem.desk.ahead import TURN, coming
from pbem.desk.desk import Desk
from pbem.desk.tray import SeatSettings
from pbem.kernel.procedures import Question
from pbem.mail import letters, outbox, press
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Bookmark, Item, Open
from pbem.table.events import Event
from pbem.telling.story import BREAKS, UNSAID

DAY = timedelta(days=1)
HEADINGS = ("segment_began", "phase_began")     # that one has ended and another begun is told with what happens in it
UNTOLD = frozenset((*HEADINGS, *BREAKS, *UNSAID))       # alone no news: a report would have nothing to say
# Where the report of a turn ends; and what does not belong to one.
AT_ONCE = frozenset("""
    player_turn_began phase_began turn_began seated ruling note held resumed seat_changed seat_neutral rebased line_accepted
    data_corrected datum_corrected rules_mended undone
""".split())
IN_PASSING = frozenset((*HEADINGS, "reserved"))


def speak(desk: MailDesk, config: Config) -> list[Item]:
    """Questions, reminders and reports that are due, each reader's own."""
    bookmarks = outbox.of_game(desk.place).bookmarks()
    mails: list[Item] = []
    for seat in desk.match.seats:
        if not press.reads_mail(desk, seat):
            continue
        if not desk.game.entries:
            mails += letters.invitation(desk, config, seat)
            continue
        last = bookmarks.get(seat, Bookmark())
        asked = desk.match.question if desk.asks(seat) else None
        if has_news(desk, seat, last.entry) and report_due(desk, seat, last):
            mails += letters.report(desk, config, seat, last.entry + 1, press.for_reader(desk, seat))
            press.delivered(desk, seat)
        elif asked is not None and last.question != desk.open_as and not answered_by_mail(desk, seat):
            mails += letters.question(desk, config, seat)
        elif asked is not None and reminder_due(desk, seat, asked):
            mails += letters.reminder(desk, config, seat)
    return mails


def has_news(desk: Desk, reader: str, since: int) -> bool:
    """Has anything happened since the last report that this reader may hear of? That something was taken back is news too."""
    return any(event.key not in UNTOLD for event in reporting.events_for(desk, reader, since + 1))


def report_due(desk: MailDesk, seat: str, last: Bookmark) -> bool:
    """When he is asked, when a player turn is over, and once a day at least; at once, or only once a day, for who wishes so.
    The mover reads his receipts while he goes on."""
    question = desk.match.question
    if question is not None and not question.sealed and answered_by_mail(desk, seat):
        return False
    wish = desk.tray.settings.get(seat, SeatSettings()).reports
    if wish == "immediate" or not last.at or desk.now - moment(last.at) >= DAY:
        return True
    if desk.asks(seat) and (
            last.question != desk.open_as or not all(map(in_passing, reporting.events_for(desk, seat, last.entry + 1)))):
        return True
    return wish == "turns" and (tells_at_once(desk, seat, last.entry) or comes_next(desk, seat))


def in_passing(event: Event) -> bool:
    """No reason to write to anybody, or to ask once more: it is told with what happens. So is who will be away."""
    return event.key in IN_PASSING or event.key == "note" and event.facts["noted"].get("note") == "absent"


def tells_at_once(desk: Desk, reader: str, since: int) -> bool:
    """Is a player turn over, or the game? Or did something happen that does not belong to a turn?"""
    return bool(desk.match.g.over) or any(
        event.key in AT_ONCE and not in_passing(event) for event in reporting.events_for(desk, reader, since + 1))


def comes_next(desk: Desk, seat: str) -> bool:
    """Will he be asked in the midst of this turn, so that he may answer now?"""
    return any(one.seat == seat and one.kind != TURN for one in coming(desk.match.g, desk.match.question))


def answered_by_mail(desk: MailDesk, seat: str) -> bool:
    """The receipt of this seat's own mail has shown it the question already."""
    return desk.mail.shown.get(seat) == desk.open_as


def reminder_due(desk: MailDesk, seat: str, question: Question) -> bool:
    """Once per deadline, to those who have not answered."""
    if desk.match.stopped or seat in desk.sealed(question):
        return False
    due = desk.match.due_of(question)
    asked = desk.tray.asked
    if (
        not due
        or asked is None or asked.id != desk.window
        or outbox.of_game(desk.place).has(outbox.key("reminder", letters.reminder_name(desk, seat)))
    ):
        return False
    end = clock.end_of(due)
    start = moment(asked.at)
    return clock.remind_at(clock.times(desk.game.header), start, end) <= desk.now < end


def spoken(desk: MailDesk, config: Config) -> None:
    """Where each reader stands now is kept with what was sent; observers get what is public."""
    box = outbox.of_game(desk.place)
    bookmarks = box.bookmarks()
    question, number = desk.match.question, len(desk.game.entries)
    for seat in desk.match.seats:
        before = bookmarks.get(seat, Bookmark())
        bookmarks[seat] = before._replace(entry=before.entry if has_news(desk, seat, before.entry) else number,
                                          question=desk.open_as if desk.asks(seat) else before.question)
    for address in desk.tray.observers:
        before = bookmarks.get(f"observer {address}", Bookmark())
        if number > before.entry and (not before.at or tells_at_once(desk, showing.PUBLIC, before.entry) or (
                desk.now - moment(before.at) >= DAY)):
            box.put(letters.public_report(desk, config, address, before.entry + 1))
            bookmarks[f"observer {address}"] = before._replace(entry=number, at=clock.stamp(desk.now))
    answered = desk.sealed(question) if question is not None else ()
    awaited = tuple(seat for seat in desk.match.seats if desk.asks(seat) and seat not in answered)
    box.mark(bookmarks, Open(desk.open_as, awaited))
