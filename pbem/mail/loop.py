"""One run, in the order of the contract: lock, clock, fetch, store, classify, apply, queue, close, send.

Nothing on the server is changed before a mail is kept here, nothing is answered before it stands in its game, and whatever
is cut off in the middle is done again by the next run with the same outcome.
"""

import errno
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.base import clock
from pbem.base.clock import moment, stamp
from pbem.base.errors import PbemError
from pbem.base.folder import Lock, together, write_whole
from pbem.base.language import fill
from pbem.desk import showing
from pbem.kernel.procedures import Question
from pbem.mail import ledger as ledgers
from pbem.mail import letters, outbox, resting, speaking, taking, waiting
from pbem.mail.box import Box
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.ledger import Ledger
from pbem.mail.outbox import Item, Outbox, Sent
from pbem.mail.routing import Roster

MAILBOX_OUT = "out"
TRIES = 3
TOGETHER = 1000                 # mails that are written together: so many are done again at most after a crash
DISK = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS))


class Summary:
    """What a run did, for the one who reads cron's mail."""

    __slots__ = ("busy", "clock", "closed", "counts", "fetched", "gone", "problems", "sent", "taken_over")

    def __init__(self) -> None:
        self.fetched = 0
        self.gone: list[int] = []
        self.counts: dict[str, int] = {}
        self.closed: list[str] = []
        self.busy: list[str] = []
        self.clock = ""
        self.problems: list[str] = []
        self.sent: Sent | None = None
        self.taken_over: list[str] = []

    @property
    def failed(self) -> bool:
        return bool(self.problems)

    def count(self, state: str) -> None:
        self.counts[state] = self.counts.get(state, 0) + 1

    def text(self) -> str:
        parts = [f"{self.fetched} fetched"]
        parts += [f"{number} {state}" for state, number in sorted(self.counts.items())]
        if self.gone:
            parts.append(f"{len(self.gone)} unfetched")
        if self.closed:
            parts.append(f"closed: {', '.join(self.closed)}")
        if self.sent is not None:
            parts.append(f"{self.sent.sent} sent, {self.sent.waiting} waiting" + (
                f", {len(self.sent.failed)} failed" if self.sent.failed else ""))
        return "\n".join(["; ".join(parts), *self.sentences(), *self.problems])

    def sentences(self) -> list[str]:
        """What somebody should look at; an idle run has nothing to say and needs no words."""
        facts = [("busy", {"name": name}) for name in self.busy] + [("taken_over", {"name": name}) for name in self.taken_over]
        facts += [("clock", {"way": self.clock})] if self.clock else []
        return [letters.mailed(showing.plain_words(), f"run_{key}", **more) for key, more in facts]


class State:
    """What the mailbox remembers between runs besides the ledger."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "state.json"
        self.data: dict[str, Any] = json.loads(self.path.read_text()) if self.path.exists() else {}

    def time(self, name: str) -> datetime | None:
        return moment(self.data[name]) if self.data.get(name) else None

    def save(self) -> None:
        write_whole(self.path, json.dumps(self.data, indent=1).encode(), 0o600)


class Run:
    """A run over one mailbox and its games."""

    def __init__(self, config: Config, games: Iterable[Path], now: datetime, stack: ExitStack,
                 summary: Summary | None = None) -> None:
        self.config = config
        self.now = now
        self.stack = stack
        self.summary = summary or Summary()
        config.folder.mkdir(parents=True, exist_ok=True)
        self.lock(config.folder)
        self.ledger = Ledger(config.folder)
        self.state = State(config.folder)
        self.own = Outbox(config.folder / MAILBOX_OUT)
        self.says: list[Item] = []                  # the mailbox itself, and no game
        self.rosters: dict[str, Roster] = {}
        self.places: list[Path] = list(games)
        self.is_whole = True                        # every game that has to be known can be read
        self._known: set[Path] = set()
        self._desks: dict[str, MailDesk | None] = {}
        self._found: dict[str, resting.Marks] = {}  # how the files of a game were before it was opened
        self.dealt_with: list[dict[str, Any]] = []
        self.glimpsed: dict[str, Any] = {}          # mails that were read before their turn came

    def problem(self, text: str) -> None:
        self.summary.problems.append(text)

    def lock(self, folder: Path) -> None:
        lock = self.stack.enter_context(Lock(folder))
        if lock.left_by is not None:
            self.summary.taken_over.append(f"{folder.name}, from process {lock.left_by[0]} of {lock.left_by[1]}")

    @property
    def where(self) -> str:
        return f"{self.config.imap.user}@{self.config.imap.host}/{self.config.imap.folder}"

    # --- games -------------------------------------------------------------------------------------------------------

    def know(self, places: Iterable[Path]) -> None:
        """Read what tells the mails of these games from others."""
        for place in [one for one in places if one not in self._known]:
            self._known.add(place)
            try:
                roster = Roster.read(place)
            except PbemError as problem:
                self.problem(f"{place}: {said(problem)}")
                self.is_whole = False
                continue
            self.rosters[roster.game] = roster

    def awake(self) -> list[str]:
        """The games that may have something to do."""
        kept = self.state.data.get("resting") or {}
        places = [one for one in self.places if self.summary.clock or not resting.rests(kept.get(str(one)), one, self.now)]
        self.know(places)
        return [game for game, roster in self.rosters.items() if roster.place in places]

    def rest(self, desks: Iterable[MailDesk]) -> None:
        """Games in which this run has found nothing to do need not be opened until something is due."""
        kept = self.state.data.get("resting") or {}
        self.state.data["resting"] = kept = {str(one): kept[str(one)] for one in self.places if str(one) in kept}
        for desk in desks:
            game = letters.title(desk)
            kept.pop(str(desk.place), None)
            if self._found[game] == resting.marks(desk.place):
                until = resting.until(desk, self.outbox(game).told())
                kept[str(desk.place)] = resting.note(desk.place, until, self.now)

    def desk(self, game: str) -> MailDesk | None:
        """A game, locked until the run ends; None if somebody else is at it, or if it cannot be read."""
        if game not in self._desks:
            place = self.rosters[game].place
            self._desks[game] = None
            try:
                self.lock(place)
                self._found[game] = resting.marks(place)
                desk = self._desks[game] = MailDesk(place, now=self.now)
                self.hand_over(desk)                # killed before everything was in the outbox
            except PbemError as problem:
                if problem.key == "busy":
                    self.summary.busy.append(game)
                else:
                    self.problem(f"{game}: {said(problem)}")
        return self._desks[game]

    def notice(self, name: str, key: str, commands: Sequence[str] = (), **facts: Any) -> None:
        """Tell the moderator."""
        self.says += notice(self.config, name, key, self.now, commands, **facts)

    # --- writing -----------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """What was done since the last time is written: the games, what they say, and only then the ledger."""
        desks = [desk for desk in self._desks.values() if desk is not None and desk.is_begun]
        with together():
            for desk in desks:
                desk.commit()
        with together():
            for desk in desks:
                self.hand_over(desk)
            if self.says:
                self.own.take(self.says, self.now)
        self.says.clear()
        self.ledger.settle()

    def forget(self) -> None:
        """After something failed: games and ledger as they are on the disk."""
        for game, desk in self._desks.items():
            if desk is not None and desk.is_begun:
                self._desks[game] = MailDesk(desk.place, now=self.now)
        self.says.clear()
        self.ledger.forget()

    def outbox(self, game: str) -> Outbox:
        return Outbox(self.rosters[game].place / "out") if game in self.rosters else self.own

    def hand_over(self, desk: MailDesk) -> None:
        """What a game wants to say goes from its private file into its outbox; doing it twice does it once."""
        queue: list[Item] = [json.loads(text) for text in (desk.mail.pop("queue", None) or {}).values()]
        if queue:
            for one in self.outbox(letters.title(desk)).take(queue, self.now):
                desk.mail.get("shown", {}).pop(one["seat"], None)       # the question in it must not wait for tomorrow
        self.rosters[letters.title(desk)].learn(desk)


# --- fetching --------------------------------------------------------------------------------------------------------


def collect(run: Run) -> Box | None:
    """Fetch what is new and keep it. The session stays open for the courtesies; None if the server could not be asked."""
    try:
        box = run.stack.enter_context(Box(run.config))
        fetch(run, box)
    except PbemError as problem:
        run.problem(said(problem))
        return None
    return box


def fetch(run: Run, box: Box) -> None:
    """A bounded number of mails, one at a time; what cannot be had is asked for again, three times in all."""
    limits, state, ledger = run.config.limits, run.state.data, run.ledger
    first = starting_point(run, box)
    tries = {int(uid): number for uid, number in state["tries"].items()}
    known = {uid for where, uidvalidity, uid in ledger.copies if where == run.where and uidvalidity == box.uidvalidity}
    known |= {uid for uid, number in tries.items() if number >= TRIES}
    got: list[int] = []
    gone: list[int] = []
    started, began = time.monotonic(), moment(state["began"])
    try:
        for one, raw in box.fetch(box.waiting(first, limits["mails"], known), limits["size"]):
            (gone if raw is None else got).append(one.uid)
            if raw is not None:
                id = ledger.receive(run.where, box.uidvalidity, one.uid, raw, one.received, one.size)
                if id is not None and one.received < began:
                    ledger.note(id, "old")
            if time.monotonic() - started > limits["seconds"]:
                break
    finally:
        ledger.settle()
        for uid in gone:
            tries[uid] = tries.get(uid, 0) + 1
            if tries[uid] == TRIES:
                run.notice(f"unfetched-{box.uidvalidity}-{uid}", "unfetched", uid=uid, where=run.where)
        again = [uid for uid in gone if tries[uid] < TRIES]
        following = min([*again, max([*got, *gone], default=first - 1) + 1])
        state.update(next=following, tries={str(uid): number for uid, number in tries.items() if uid >= following})
        run.state.save()
        run.summary.fetched, run.summary.gone = len(got), gone


def courtesy(run: Run, box: Box) -> None:
    """Say on the server what was dealt with, after everything is on our own disk."""
    box.done(sorted({int(line["uid"]) for line in run.dealt_with if line["uidvalidity"] == box.uidvalidity}))


def starting_point(run: Run, box: Box) -> int:
    """The UID to begin with. On a mailbox never seen before that is the next one: nothing older is answered."""
    state = run.state.data
    if state.get("where") != run.where:
        state.update(where=run.where, uidvalidity=box.uidvalidity, next=box.uidnext or 1, began=stamp(run.now), tries={})
        run.state.save()
    elif state.get("uidvalidity") != box.uidvalidity:
        state.update(uidvalidity=box.uidvalidity, next=1, tries={})     # known mails are recognised by their content
    return int(state["next"])


# --- the run -----------------------------------------------------------------------------------------------------------


def poll(config: Config, games: Iterable[Path], now: datetime | None = None, *, clock_ok: bool = False) -> Summary:
    """Fetch, apply, answer, ask, remind, close; nothing is sent."""
    now = (now or datetime.now(UTC)).replace(microsecond=0)
    summary = Summary()
    with ExitStack() as stack, told_of_the_disk(summary):
        run = Run(config, games, now, stack, summary)
        if not clock_ok and (jumped := clock.jumped(run.state.time("last_run"), now)):
            summary.clock = jumped
            before = run.state.data["last_run"]
            run.notice(f"clock-{before}", "clock", ["pbem mail run --clock-ok"], way=jumped, before=before, this=stamp(now))
        box = collect(run)
        if box is not None:
            note_good_poll(run)
        take_in(run)
        if box is not None:
            courtesy(run, box)
            tend(run)
        if not summary.clock:
            run.state.data["last_run"] = stamp(now)
        run.state.save()
    return summary


@contextmanager
def told_of_the_disk(summary: Summary) -> Iterator[None]:
    """A disk that fails ends the run where it is; what was not written is done by the next one."""
    try:
        yield
    except OSError as trouble:
        summary.problems.append(letters.mailed(showing.plain_words(), "run_disk", what=trouble))


def note_good_poll(run: Run) -> None:
    """After a while without polls, grace counts from here: that nobody looked was not the players' fault."""
    before = run.state.time("good")
    if before is not None and run.now - before > clock.GAP:
        run.state.data["back"] = stamp(run.now)
    run.state.data["good"] = stamp(run.now)


def take_in(run: Run) -> None:
    """Every mail that came and was not dealt with, in the order in which the server received them, many written at once."""
    waits = [line["id"] for line in run.ledger.waiting()]
    run.know(run.places if waits else ())
    for start in range(0, len(waits), TOGETHER):
        again: Sequence[str] = waits[start:start + TOGETHER]
        while again:
            again = take_together(run, again)


def take_together(run: Run, ids: Sequence[str]) -> Sequence[str]:
    """All of these mails, or none: then that over which the program failed is held, and the others are to be taken again."""
    left = [run.ledger.mails[id] for id in ids]
    states: dict[str, str] = {}
    at = ""
    try:
        while left:
            line = taking.next_of(run, left)
            left.remove(line)
            at = line["id"]
            states[at] = taking.take(run, line)
        at = ids[0] if len(ids) == 1 else ""
        run.settle()
    except Exception as fault:                  # one mail never stops the others
        run.forget()
        if isinstance(fault, OSError) and fault.errno in DISK:
            raise
        if not at:                              # they could not be written, and nobody knows because of which
            return [one for id in ids for one in take_together(run, [id])]
        states = {at: taking.failed(run, run.ledger.mails[at], said(fault))}
        run.settle()
    for id, state in states.items():
        run.summary.count(state)
        if state != ledgers.OPEN:
            run.dealt_with.append(run.ledger.mails[id])
    return [id for id in ids if id not in states]


def tend(run: Run) -> None:
    """Every game: what is overdue, what is to be asked, who is to be reminded, who gets a report; all written together."""
    again: Sequence[str] = run.awake()
    while again:
        again = tend_together(run, again)


def tend_together(run: Run, games: Sequence[str]) -> Sequence[str]:
    """All of these games, or none: then that over which the program failed is told, and the others are to be tended again."""
    closed, at = len(run.summary.closed), ""
    try:
        desks = []
        for at in games:
            if (desk := run.desk(at)) is not None:
                desks.append(desk)
                desk.begin()
                close_overdue(run, desk)
                waiting.note_pace(desk)
                taking.queue(desk, speaking.speak(run, desk))
        at = games[0] if len(games) == 1 else ""
        run.settle()
        with together():
            for desk in desks:
                speaking.spoken(run, desk)
        run.rest(desks)
    except Exception as fault:                  # one game never stops the others
        run.forget()
        del run.summary.closed[closed:]
        if isinstance(fault, OSError) and fault.errno in DISK:
            raise
        if not at:                              # they could not be written, and nobody knows because of which
            return [one for game in games for one in tend_together(run, [game])]
        run.problem(f"{at}: {said(fault)}")
        return [game for game in games if game != at]
    return []


def said(fault: Exception) -> str:
    """What is wrong, for the moderator."""
    if isinstance(fault, PbemError):
        return str(showing.sentence(fault))
    return letters.mailed(showing.plain_words(), "run_fault", what=f"{type(fault).__name__}: {fault}"[:300])


def close_overdue(run: Run, desk: MailDesk) -> None:
    """Windows whose time has come, by the rule that the game has for silence."""
    rules = clock.times(desk.game.header)
    desk.mail.pop("stuck", None)
    for _ in range(100):
        desk.run()
        taking.answer_early(desk)
        question, wait = desk.past_due(), waiting.begun(desk)
        if question is None or wait is None or question.sides == ("moderator",) or run.summary.clock:
            return
        end = clock.end_of(desk.match.due_of(question))
        if not clock.may_close(rules, end, desk.now, run.state.time("back")):
            return
        if why := waiting.stays_open(desk, question):
            desk.mail["stuck"] = f"{question.id}: {why}"
            ask_the_moderator(run, desk, question)
            return
        waiting.note_silent(desk, wait)
        desk.close(question.id, by="clock")
        run.summary.closed.append(f"{letters.title(desk)} {question.id}")


def ask_the_moderator(run: Run, desk: MailDesk, question: Question) -> None:
    """Where silence is his to decide he is asked, once for each question."""
    if desk.on_silence(question) == "moderator":
        game, id = letters.title(desk), question.id
        run.notice(f"silence-{game}-{id}", "silence", [f'pbem run {desk.folder} --close {id} --reason "..."'], game=game, id=id)


def send(config: Config, games: Iterable[Path], now: datetime | None = None, summary: Summary | None = None) -> Summary:
    """Send what is due from every outbox."""
    now = (now or datetime.now(UTC)).replace(microsecond=0)
    summary = summary or Summary()
    with ExitStack() as stack, told_of_the_disk(summary):
        config.folder.mkdir(parents=True, exist_ok=True)
        stack.enter_context(Lock(config.folder))
        own, *others = boxes(config, games)
        summary.sent = outbox.send(config, [own, *others], now)
        for one in summary.sent.failed:
            own.take(notice(config, f"failed-{one['key']}", "unsent", now, subject=one["subject"], to=one["to"],
                            error=one["error"]), now)
        if summary.sent.problem:
            summary.problems.append(letters.mailed(showing.plain_words(), "run_unsent", what=summary.sent.problem))
    return summary


def boxes(config: Config, games: Iterable[Path]) -> list[Outbox]:
    """That of the mailbox itself, and that of each game."""
    return [Outbox(config.folder / MAILBOX_OUT), *(Outbox(place / "out") for place in games)]


def notice(config: Config, name: str, key: str, now: datetime, commands: Sequence[str] = (), **facts: Any) -> list[Item]:
    """For the moderator, if he wants mail: what happened, and the commands that go on from there."""
    if not config.moderator:
        return []
    said = showing.plain_words()
    subject = letters.mailed(said, "subject_notice", what=letters.mailed(said, f"notice_{key}", **facts))
    text = "\n".join([fill(letters.mailed(said, f"notice_text_{key}", **facts)), *(["", *commands] if commands else []), ""])
    return [outbox.item(config, "notice", name, config.moderator, subject, text, now)]


def run(config: Config, games: Iterable[Path], now: datetime | None = None, *, clock_ok: bool = False) -> Summary:
    """What cron calls: poll, then send."""
    places = list(games)
    return send(config, places, now, poll(config, places, now, clock_ok=clock_ok))
