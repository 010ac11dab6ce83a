"""One run, in the order of the contract: lock, clock, fetch, store, classify, apply, queue, close, send.

Nothing on the server is changed before a mail is kept here, nothing is answered before it stands in its game, and whatever
is cut off in the middle is done again by the next run with the same outcome.
"""

import json
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem import clock, gamelog
from pbem.errors import PbemError
from pbem.folder import Lock, write_whole
from pbem.kernel import Question
from pbem.mail import letters, outbox, speaking, taking, waiting
from pbem.mail.box import Box
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.ledger import Ledger, moment, stamp
from pbem.mail.outbox import Item, Outbox, Sent
from pbem.mail.routing import Roster

MAILBOX_OUT = "out"
TRIES = 3


class Summary:
    """What a run did, for the one who reads cron's mail."""

    __slots__ = ("answered", "busy", "clock", "closed", "counts", "fetched", "gone", "problems", "sent")

    def __init__(self) -> None:
        self.fetched = 0
        self.gone: list[int] = []
        self.counts: dict[str, int] = {}
        self.closed: list[str] = []
        self.busy: list[str] = []
        self.clock = ""
        self.problems: list[str] = []
        self.sent: Sent | None = None
        self.answered = 0

    @property
    def failed(self) -> bool:
        return bool(self.problems)

    def count(self, state: str) -> None:
        self.counts[state] = self.counts.get(state, 0) + 1

    def text(self) -> str:
        parts = [f"{self.fetched} fetched"]
        parts += [f"{number} {state}" for state, number in sorted(self.counts.items())]
        if self.gone:
            parts.append(f"{len(self.gone)} could not be had")
        if self.closed:
            parts.append(f"closed: {', '.join(self.closed)}")
        if self.sent is not None:
            parts.append(f"{self.sent.sent} sent, {self.sent.waiting} waiting" + (
                f", {len(self.sent.failed)} failed" if self.sent.failed else ""))
        lines = ["; ".join(parts)]
        lines += [f"busy, left for the next run: {name}" for name in self.busy]
        if self.clock:
            lines.append(f"The clock jumped {self.clock}: no deadline was fired. Look, then run once with --clock-ok.")
        return "\n".join([*lines, *self.problems])


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

    def __init__(self, config: Config, games: Iterable[Path], now: datetime, stack: ExitStack) -> None:
        self.config = config
        self.now = now
        self.stack = stack
        self.summary = Summary()
        config.folder.mkdir(parents=True, exist_ok=True)
        stack.enter_context(Lock(config.folder))
        self.ledger = Ledger(config.folder)
        stack.callback(self.ledger.close)
        self.state = State(config.folder)
        self.own = Outbox(config.folder / MAILBOX_OUT)
        self.rosters: dict[str, Roster] = {}
        self.places: list[Path] = list(games)
        for place in self.places:
            try:
                roster = Roster.read(place)
            except PbemError as problem:
                self.problem(f"{place}: {problem}")
                continue
            self.rosters[roster.game] = roster
        self._desks: dict[str, MailDesk | None] = {}
        self.dealt_with: list[dict[str, Any]] = []
        self.glimpsed: dict[str, Any] = {}          # mails that were read before their turn came

    def problem(self, text: str) -> None:
        self.summary.problems.append(text)

    @property
    def where(self) -> str:
        return f"{self.config.imap.user}@{self.config.imap.host}/{self.config.imap.folder}"

    # --- games -------------------------------------------------------------------------------------------------------

    def desk(self, game: str) -> MailDesk | None:
        """A game, locked until the run ends; None if somebody else is at it, or if it cannot be read."""
        if game not in self._desks:
            place = self.rosters[game].place
            self._desks[game] = None
            try:
                self.stack.enter_context(Lock(place))
                desk = self._desks[game] = MailDesk(place, now=self.now)
                self.hand_over(desk)                # killed before everything was in the outbox
            except PbemError as problem:
                if problem.key == "busy":
                    self.summary.busy.append(game)
                else:
                    self.problem(f"{game}: {problem}")
        return self._desks[game]

    def notice(self, name: str, what: str, text: str) -> None:
        """Tell the moderator."""
        notice(self.config, self.own, name, what, text, self.now)

    def again(self, game: str) -> None:
        """Read a game anew after something failed in it."""
        self._desks[game] = MailDesk(self.rosters[game].place, now=self.now)

    def outbox(self, game: str) -> Outbox:
        return Outbox(self.rosters[game].place / "out") if game in self.rosters else self.own

    def hand_over(self, desk: MailDesk) -> None:
        """What a game wants to say goes from its private file into its outbox; doing it twice does it once."""
        game = letters.title(desk)
        box = self.outbox(game)
        told: dict[str, Item] = {}
        for text in (desk.mail.pop("queue", None) or {}).values():
            one = json.loads(text)
            if one["kind"] in outbox.ANSWERS:
                if not box.answer(one, self.now):       # the question in it must not wait for tomorrow
                    desk.mail.get("shown", {}).pop(one["seat"], None)
            else:
                box.put(one)
            if one["kind"] == "report" and one["seat"]:
                told[one["seat"]] = {"entry": one["entries"], "at": one["made"]}
        box.tell(told)
        self.rosters[game].learn(desk)


# --- fetching --------------------------------------------------------------------------------------------------------


def collect(run: Run) -> Box | None:
    """Fetch what is new and keep it. The session stays open for the courtesies; None if the server could not be asked."""
    try:
        box = run.stack.enter_context(Box(run.config))
        fetch(run, box)
    except PbemError as problem:
        from pbem.showing import sentence

        run.problem(sentence(problem))
        return None
    finally:
        run.ledger.settle()
    return box


def fetch(run: Run, box: Box) -> None:
    """A bounded number of mails, one at a time; what cannot be had is asked for again, three times in all."""
    limits, state, ledger = run.config.limits, run.state.data, run.ledger
    first = starting_point(run, box)
    wanted = [one for one in box.waiting(first) if (run.where, box.uidvalidity, one.uid) not in ledger.copies][:limits["mails"]]
    got: set[int] = set()
    started = time.monotonic()
    for one, raw in box.fetch(wanted, limits["size"]):
        if raw is not None:
            got.add(one.uid)
            id = ledger.receive(run.where, box.uidvalidity, one.uid, raw, one.received, one.size)
            if id is not None and one.received < moment(state["began"]):
                ledger.settle()
                ledger.note(id, "old")
        if time.monotonic() - started > limits["seconds"]:
            break
    run.summary.fetched = len(got)
    last = max(got, default=first - 1)
    run.summary.gone = [one.uid for one in wanted if one.uid not in got and one.uid < last]
    tries = {uid: state["tries"].get(str(uid), 0) + 1 for uid in run.summary.gone}
    again = [uid for uid, number in tries.items() if number < TRIES]
    state.update(tries={str(uid): tries[uid] for uid in again}, next=min([*again, last + 1]))
    ledger.settle()
    run.state.save()


def courtesy(run: Run, box: Box) -> None:
    """Say on the server what was dealt with, after everything is on our own disk."""
    ledger = run.ledger
    ledger.settle()
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
    with ExitStack() as stack:
        run = Run(config, games, now, stack)
        before = run.state.time("last_run")
        run.summary.clock = "" if clock_ok else clock.jumped(before, now)
        box = collect(run)
        if box is not None:
            note_good_poll(run)
        take_in(run)
        if box is not None:
            courtesy(run, box)
            tend(run)
        if not run.summary.clock:
            run.state.data["last_run"] = stamp(now)
        run.state.save()
        return run.summary


def note_good_poll(run: Run) -> None:
    """After a while without polls, grace counts from here: that nobody looked was not the players' fault."""
    before = run.state.time("good")
    if before is not None and run.now - before > clock.GAP:
        run.state.data["back"] = stamp(run.now)
    run.state.data["good"] = stamp(run.now)


def take_in(run: Run) -> None:
    """Every mail that came and was not dealt with, in the order in which the server received them."""
    waiting = run.ledger.waiting()
    while waiting:
        line = taking.next_of(run, waiting)
        waiting.remove(line)
        try:
            state = taking.take(run, line)
        except Exception as fault:              # one mail never stops the others
            game = str(line.get("game") or "")
            if run._desks.get(game) is not None:
                run.again(game)
            state = taking.failed(run, line, f"fault of the program: {type(fault).__name__}: {fault}"[:300])
        run.summary.count(state)
        if state != "received":
            run.dealt_with.append(line)


def tend(run: Run) -> None:
    """Every game: what is overdue, what is to be asked, who is to be reminded, who gets a report."""
    for game in run.rosters:
        desk = run.desk(game)
        if desk is None:
            continue
        try:
            desk.begin()
            close_overdue(run, desk)
            waiting.note_pace(desk)
            for one in speaking.speak(run, desk):
                desk.mail.setdefault("queue", {})[one["key"]] = json.dumps(one, ensure_ascii=False)
            desk.commit()
            run.hand_over(desk)
            speaking.spoken(run, desk)
        except PbemError as problem:
            run.again(game)
            from pbem.showing import sentence

            run.problem(f"{game}: {sentence(problem)}")


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
        end = datetime.strptime(desk.match.due_of(question), "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
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
        game, place = letters.title(desk), desk.folder
        run.notice(f"silence-{game}-{question.id}", f"{game}: nobody answers {question.id}",
                   f"Its time is over, and by the rule of the game you decide what happens. To let silence count:\n\n"
                   f"pbem run {place} --close {question.id} --reason \"...\"\n")


def send(config: Config, games: Iterable[Path], now: datetime | None = None, summary: Summary | None = None) -> Summary:
    """Send what is due from every outbox."""
    now = (now or datetime.now(UTC)).replace(microsecond=0)
    summary = summary or Summary()
    places = list(games)
    config.folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(Lock(config.folder))
        boxes = [Outbox(config.folder / MAILBOX_OUT), *(Outbox(place / "out") for place in places)]
        closed = Pointless(places)
        summary.sent = outbox.send(config, boxes, now, closed)
        own = boxes[0]
        for one in summary.sent.failed:
            notice(config, own, f"failed-{one['key']}", f"could not be sent: {one['subject']}",
                   f"To {one['to']}: {one['error']}\n", now)
        if summary.sent.problem:
            summary.problems.append(f"Sending failed: {summary.sent.problem}. It is tried again with the next run.")
    return summary


def notice(config: Config, own: Outbox, name: str, what: str, text: str, now: datetime) -> None:
    """Tell the moderator."""
    if config.moderator:
        own.put(outbox.item(config, "notice", name, config.moderator, f"pbem: {what}", text, now))


class Pointless:
    """Questions and reminders about what is closed need not go out any more."""

    def __init__(self, places: Iterable[Path]) -> None:
        self.places = {path: path for path in places}
        self._open: dict[str, str] | None = None

    def __call__(self, one: Item) -> bool:
        if one["kind"] not in outbox.TIMELY or not one["window"]:
            return False
        if self._open is None:
            self._open = dict(self._read())
        return bool(self._open.get(one["game"], one["window"]) != one["window"])

    def _read(self) -> Iterable[tuple[str, str]]:
        for place in self.places:
            told = Outbox(place / "out").told()
            header: Mapping[str, Any] = gamelog.read_game(place).header
            yield str(header["game"]), str((told.get("_game") or {}).get("question", ""))


def run(config: Config, games: Iterable[Path], now: datetime | None = None, *, clock_ok: bool = False) -> Summary:
    """What cron calls: poll, then send."""
    places = list(games)
    return send(config, places, now, poll(config, places, now, clock_ok=clock_ok))
