"""One run, in the order of the contract: lock, clock, fetch, keep, deal with, tend, send.

What becomes of each mail is in `way`; here is what becomes of the games: what is overdue, asked, reminded, reported.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from pbem.base import clock
from pbem.base.clock import moment, stamp
from pbem.base.errors import PbemError
from pbem.base.folder import Lock, together
from pbem.desk import deadline, showing
from pbem.desk.deadline import Closing, Post
from pbem.mail import backup, fetching, known, letters, outbox, sending, speaking, waiting, way
from pbem.mail.box import Box
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import title
from pbem.mail.ordering import answer_early
from pbem.mail.outbox import Outbox
from pbem.mail.run import MAILBOX_OUT, MOST_OPEN, Run, Summary, queue, said
from pbem.mail.sentences import mailed
from pbem.rules.war import MODERATOR

STUCK = (deadline.RULE, deadline.UNREACHABLE, deadline.UNREAD, deadline.UNSENT)     # the moderator is shown why


def poll(config: Config, games: Iterable[Path], now: datetime | None = None, *, clock_ok: bool = False) -> Summary:
    """Fetch, apply, answer, ask, remind, close; nothing is sent."""
    now = (now or clock.now()).replace(microsecond=0)
    summary = Summary()
    with ExitStack() as stack, told_of_the_disk(summary):
        run = Run(config, games, now, stack, summary)
        before = run.state.last_run
        if not clock_ok and (jumped := clock.jumped(moment(before) if before else None, now)):
            summary.clock = jumped
            run.notice(f"clock-{before}", "clock", ["pbem mail run --clock-ok"], way=jumped, before=before, this=stamp(now))
        box = collect(run)
        if box is not None:
            note_good_poll(run)
        way.deal_with_all(run)
        if box is not None:
            box.done(sorted({row.uid for row in run.dealt_with if row.uidvalidity == box.uidvalidity}))
            tend(run)
        if not summary.clock:
            run.state = run.state._replace(last_run=stamp(now))
        run.save()
    return summary


@contextmanager
def told_of_the_disk(summary: Summary) -> Iterator[None]:
    """A disk that fails ends the run where it is; what was not written is done by the next one."""
    try:
        yield
    except OSError as trouble:
        summary.cut_short = True
        summary.problems.append(mailed(showing.plain_words(), "run_disk", what=trouble))


def collect(run: Run) -> Box | None:
    """Fetch what is new and keep it. The session stays open for the courtesies; None if the server could not be asked."""
    try:
        box = run.stack.enter_context(Box(run.config))
        fetching.fetch(run, box)
    except PbemError as problem:
        run.problem(said(problem))
        return None
    return box


def note_good_poll(run: Run) -> None:
    """A while without polls is made good by one of the same length: that nobody looked was not the players' fault.

    Who looks once a day is not away for ever: while one outage is made good no other begins.
    """
    state, now = run.state, run.now
    away = now - moment(state.good) if state.good else clock.GAP
    if away > clock.GAP and not (state.made_good and moment(state.good) < moment(state.made_good)):
        state = state._replace(back=stamp(now), made_good=stamp(now + away))
    run.state = state._replace(good=stamp(now))


# --- the games ---------------------------------------------------------------------------------------------------------


def tend(run: Run) -> None:
    """Every game: what is overdue, what is to be asked, who is to be reminded, who gets a report; all written together."""
    games = run.awake()
    for start in range(0, len(games), MOST_OPEN):
        again: Sequence[str] = games[start:start + MOST_OPEN]
        while again:
            again = tend_together(run, again)
        if len(games) > MOST_OPEN:
            run.let_go()


def tend_together(run: Run, games: Sequence[str]) -> Sequence[str]:
    """All of these games, or none: then that over which the program failed is told, and the others are to be tended again."""
    closed, at = len(run.summary.closed), ""
    try:
        desks = []
        for at in games:
            if (desk := run.desk(at)) is not None:
                desks.append(desk)
                close_overdue(run, desk)
                waiting.note_pace(desk)
                tell_pace(run, desk)
                queue(desk, speaking.speak(desk, run.config))
        at = games[0] if len(games) == 1 else ""
        run.settle()
        with together():
            for desk in desks:
                speaking.spoken(desk, run.config)
        run.rest(desks)
    except Exception as fault:                  # one game never stops the others
        run.forget()
        del run.summary.closed[closed:]
        if isinstance(fault, OSError) and fault.errno in way.DISK:
            raise
        if not at:                              # they could not be written, and nobody knows because of which
            return [one for game in games for one in tend_together(run, [game])]
        run.problem(f"{at}: {said(fault)}")
        return [game for game in games if game != at]
    return []


def tell_pace(run: Run, desk: MailDesk) -> None:
    """At the end of each Game Turn the moderator hears where its days went."""
    over = waiting.turn_over(desk)
    name = f"pace-{title(desk)}-{over}"
    if over and desk.mail.waits.minutes and not run.own.has(outbox.key("notice", name)):
        told = waiting.lines(showing.plain_words(), waiting.summed_up(desk.mail.waits, desk))
        run.notice(name, "pace", told, game=title(desk), turn=over)


def close_overdue(run: Run, desk: MailDesk) -> None:
    """Windows whose time has come, by the rule that the game has for silence."""
    desk.mail.stuck = ""
    way.mark_unreached(run, desk)
    for _ in range(100):
        desk.run()
        answer_early(desk)
        stands, wait = deadline.closing(desk, fitness(run, desk)), waiting.begun(desk)
        if stands is None or wait is None:
            return
        if stands.state in STUCK:
            desk.mail.stuck = f"{stands.question.id}: {showing.closing(stands, showing.words(desk))}"
            ask_the_moderator(run, desk, stands)
        if stands.state != deadline.CLOSES:
            return
        waiting.note_silent(desk, wait)
        desk.close(stands.question.id, by="clock")
        run.summary.closed.append(f"{title(desk)} {stands.question.id}")


def fitness(run: Run, desk: MailDesk) -> Post:
    """What we cannot be sure of: an outage while this question was open, mails that nobody has read, questions not sent."""
    state, asked = run.state, desk.tray.asked
    was_open = asked is not None and bool(state.made_good) and moment(asked.at) < moment(state.back)
    unread: dict[str, datetime] = {}
    for one in run.unread:
        for seat in {"": desk.match.seats, title(desk): [one.seat]}.get(one.game, ()):
            unread[seat] = min(one.received, unread.get(seat, one.received))
    put = outbox.of_game(desk.place).unsent(f'"window": "{desk.open_as}"')
    unsent = [one.seat for one in put if one.window == desk.open_as and one.kind != "reminder" and one.state != "tomorrow"]
    return Post(moment(state.made_good) if was_open else None, run.summary.clock, unread, frozenset(unsent))


def ask_the_moderator(run: Run, desk: MailDesk, stands: Closing) -> None:
    """Where silence is his to decide, or a mail cannot be read for a day, he is asked, once for each question."""
    if stands.state == deadline.UNREAD and stands.at is not None and run.now - stands.at >= clock.JUMP:
        game, id = title(desk), stands.question.id
        run.notice(f"unread-{game}-{id}", "unread", [f'pbem run {desk.folder} --close {id} --reason "..."'], game=game, id=id,
                   seats=list(stands.seats))
    if stands.state == deadline.RULE and stands.rule == MODERATOR:
        game, id = title(desk), stands.question.id
        run.notice(f"silence-{game}-{id}", "silence", [f'pbem run {desk.folder} --close {id} --reason "..."'], game=game, id=id)


# --- sending -----------------------------------------------------------------------------------------------------------


def send(config: Config, games: Iterable[Path], now: datetime | None = None, summary: Summary | None = None) -> Summary:
    """Send what is due from every outbox."""
    now = (now or clock.now()).replace(microsecond=0)
    summary = summary or Summary()
    with ExitStack() as stack, told_of_the_disk(summary):
        config.folder.mkdir(parents=True, exist_ok=True)
        stack.enter_context(Lock(config.folder))
        own, *others = boxes(config, games)
        summary.sent = sending.send(config, [own, *others], now)
        for one in summary.sent.failed:
            if one.to != config.moderator:      # who cannot be reached cannot be told of it
                letter = letters.for_the_moderator(f"failed-{one.to}-{now:%F}", "unsent", [f"pbem mail resend {one.key}"],
                                                   subject=one.subject, to=one.to, error=one.error)
                own.queue(letters.notice(config, now, letter), now)
        if summary.sent.failed:                 # their seats cannot be reached: those games are to be looked at
            known.forget(config.folder)
        summary.problems += map(said, summary.sent.faults)
        if summary.sent.problem:
            summary.problems.append(mailed(showing.plain_words(), "run_unsent", what=summary.sent.problem))
    return summary


def boxes(config: Config, games: Iterable[Path]) -> list[Outbox]:
    """That of the mailbox itself, and that of each game."""
    return [Outbox(config.folder / MAILBOX_OUT), *(outbox.of_game(place) for place in games)]


def run(config: Config, games: Iterable[Path], now: datetime | None = None, *, clock_ok: bool = False) -> Summary:
    """What cron calls: poll, then send."""
    places = list(games)
    summary = poll(config, places, now, clock_ok=clock_ok)
    if not summary.cut_short:                   # else a receipt would go alone where its question comes in the same mail
        send(config, places, now, summary)
    try:
        backup.copy(config, places)
    except (PbemError, OSError) as problem:
        summary.problems.append(said(problem))
    return summary
