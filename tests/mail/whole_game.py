"""A whole game by mail, to be read: `python tests/mail/whole_game.py OUT`; languages behind it are those of the seats.

The people of `pbem dev pace` play from their words to victory through a mailbox, on a real IMAP and a real SMTP server, on a
clock that is set by hand. What somebody writes he writes on a draft, a desk that nobody else sees: to the end of what he would
send at once, as if all the others let him go. All of that is one mail, and the mailbox makes of it what it does with any mail.
OUT gets every mail that went out, one file each, and for each seat the text of all it got, one below the other.
"""

import gc
import logging
import os
import resource
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from smtp_server import SmtpSink  # noqa: E402 - the path has to be set first
from table import HOST, PASSWORD, PEOPLE, Table, body, changed, imap_server  # noqa: E402
from test_killed import MEMORY  # noqa: E402

from pbem.base import clock  # noqa: E402
from pbem.base.folder import Lock  # noqa: E402
from pbem.chance import scheme  # noqa: E402
from pbem.desk import beginning  # noqa: E402
from pbem.desk.submission import Outcome  # noqa: E402
from pbem.desk.tray import Filed  # noqa: E402
from pbem.dev.choices import ruled  # noqa: E402
from pbem.dev.pace import BEGIN, Evening, Mail, Paced, Quick, Setting  # noqa: E402
from pbem.kernel.procedures import Question  # noqa: E402
from pbem.rules.war import MODERATOR  # noqa: E402
from pbem.table.state import SEGMENTS, Game  # noqa: E402

EVERY = timedelta(hours=2)              # the mailbox runs, and after each mail
MOST = 400                              # steps that one mail may take to write
SENT = "sent"                           # no segment: this mail says nothing more
GAME = "anabasis"


class Draft(Quick):
    """Where somebody writes his mail: nothing of it is kept but the lines that were taken."""

    def __init__(self, place: Path, *, now: datetime | None = None) -> None:
        super().__init__(place, now=now)
        self.said: list[tuple[str, str]] = []

    def order(self, seat: str, text: str, **more: Any) -> list[Outcome]:
        outcomes = super().order(seat, text, **more)
        if outcomes[0].error is None:
            self.said.append((seat, text))
        return outcomes

    def file(self, seat: str, text: str) -> Filed:
        made = super().file(seat, text)
        self.said.append((seat, f"file {text}"))
        return made

    def reserve(self, seat: str, moments: Sequence[str]) -> list[int]:
        self.said.append((seat, f"reserve {', '.join(moments)}"))
        return super().reserve(seat, moments)


class Enough(Exception):
    """Nobody wishes to see more."""


class ByMail(Evening):
    """One game of people who write mails."""

    desk: Draft

    def __init__(self, seed: int, table: Table, tongues: Sequence[str] = (),
                 enough: Callable[[Game], bool] = lambda g: False) -> None:
        self.table, self.tongues, self.enough = table, tongues, enough
        self.refused: list[str] = []            # what the mailbox did not take as it was written
        shutil.rmtree(table.game)
        table.game = table.folder / "games" / GAME
        table.now = BEGIN
        super().__init__(seed, len(PEOPLE), Setting("by mail"), table.folder)
        with changed(table.game) as tray:
            tray.absences = dict(self.desk.tray.absences)
        for seat in self.people:
            self.post(seat, [line for one, line in self.desk.said if one == seat])
        self.look()

    def founded(self, folder: Path, header: Mapping[str, Any], secrets: scheme.Secrets) -> Draft:
        """As a moderator does it: invited, a word of each, begun."""
        table = self.table
        seats = {seat: {"name": seat.capitalize(), "zone": person.habits.zone, **({"language": tongue} if tongue else {})}
                 for (seat, person), tongue in zip(self.people.items(), [*self.tongues, *[""] * 4], strict=False)}
        kept = scheme.Secrets(GAME, secrets.deck, secrets.link(secrets.links), secrets.links)
        with mock.patch.object(scheme, "new_secrets", lambda game, links: kept):
            beginning.found(table.game, GAME, seats, header["rules"], by_hand=False, write=True,
                            words_until=clock.stamp(BEGIN + timedelta(days=7)))
        with changed(table.game) as tray:
            tray.addresses = {seat: [PEOPLE[seat]] for seat in seats}
        self.runs(BEGIN)
        for at, seat in sorted((person.writes(BEGIN), seat) for seat, person in self.people.items()):
            self.runs(at)
            self.post(seat, [f"word {at:%A} in {seat}"])
        table.later(hours=1)
        with Lock(table.game), mock.patch.dict(os.environ, PBEM_NOW=clock.stamp(table.now)):
            beginning.begin(table.game, None)
        table.run()
        return Draft(table.game, now=table.now)

    # --- the mailbox ------------------------------------------------------------------------------------------------

    def runs(self, until: datetime) -> None:
        """Time goes by, and cron does what it does."""
        while self.table.now < until:
            self.table.now = min(until, self.table.now + EVERY)
            self.table.run()
        self.table.run()

    def post(self, seat: str, lines: Sequence[str]) -> None:
        """One mail with all of that, in answer to the newest that can be answered."""
        if lines:
            self.table.reply(seat, "\n".join(lines))
            self.table.run()
            if "[error]" in (subject := self.table.subjects(seat)[-1]):
                self.refused.append(f"{self.table.now} {seat}: {subject}\n" + "\n".join(lines))

    def look(self) -> None:
        """How it stands now. A cron job ends after each run: here somebody has to look for what it leaves behind."""
        self.desk = Draft(self.table.game, now=self.table.now)
        gc.collect()

    def play(self) -> Paced:
        """To victory, or as far as one wishes to see."""
        with suppress(Enough):
            self.told = super().play()
        return self.told

    # --- what people do ----------------------------------------------------------------------------------------------

    def wait(self, question: Question) -> None:
        if self.enough(self.desk.match.g):
            raise Enough
        super().wait(question)

    def mail(self, question: Question, side: str) -> None:
        """Written on a draft to its end, and sent."""
        super().mail(question, side)
        self.finish(side, question.kind in SEGMENTS)
        self.post(side, [self.on(line, side) for one, line in self.desk.said if one == side])
        if question.kind in SEGMENTS:
            self.mails[side] = Mail(self.mails[side].turn, SENT, self.table.now)
        self.look()

    def on(self, line: str, side: str) -> str:
        """As the form of a turn has it: what a Siege brings holds nothing up."""
        by_form = side in self.mails and self.mails[side].by_form
        return f"{line} regardless" if by_form and line.startswith("siege") else line

    def finish(self, side: str, in_turn: bool) -> None:
        """All that he sends at once, as if nobody did anything about it."""
        for _ in range(MOST if in_turn else 0):
            self.desk.run()
            question, g = self.desk.match.question, self.desk.match.g
            if question is None or question.sides == (MODERATOR,) or self.mails[side].turn != (g.turn, g.round, g.player):
                return
            if side not in question.sides:
                self.desk.close(question.id, by="clock")
            elif not self.goes_on(question):
                return

    def time_goes_on(self, until: datetime) -> None:
        """Meanwhile some write what they will do when they are asked."""
        ahead = sorted((one.at, *key) for key, one in self.heard.items()
                       if one.at is not None and one.at <= until and key not in self.seen)
        for at, seat, kind in ahead:
            self.runs(at)
            self.write_ahead(seat, kind)
        self.runs(until)
        if len(self.table.log()) != len(self.desk.game.entries) or ahead:
            self.look()
        self.desk.now = self.table.now

    def write_ahead(self, seat: str, kind: str) -> None:
        """On a draft everybody before him is silent, until it is his turn."""
        self.seen[seat, kind] = {next(iter(self.desk.match.g.board.spaces)): SENT}       # so he thinks anew if he is asked
        self.look()
        for _ in range(MOST):
            self.desk.run()
            question = self.desk.match.question
            if question is None or question.sides == (MODERATOR,):
                return
            if seat in question.sides and (question.kind == kind or question.kind in SEGMENTS):
                super().mail(question, seat)
                self.finish(seat, question.kind in SEGMENTS)
                self.post(seat, [self.on(line, seat) for one, line in self.desk.said if one == seat])
                self.mails.pop(seat, None)
                return
            self.desk.close(question.id, by="clock")

    def time_is_over(self, question: Question) -> None:
        """The mailbox closes it, or has."""
        for _ in range(12):
            self.look()
            if self.desk.match.question is None or self.desk.match.question.id != question.id:
                return
            self.table.later(hours=1)
            self.table.run()
        raise AssertionError(f"{question.id} is not closed by {self.table.now}")

    def decide(self, question: Question) -> None:
        step = ruled(self.desk.match.g, question, self.rng)
        with Lock(self.table.game):
            desk = self.table.desk()
            desk.ruling("as the moderator sees it", reason="it is his to say", facts=step.facts, abandon=step.level)
            desk.commit()
        self.table.run()
        self.look()


# --- to be read -------------------------------------------------------------------------------------------------------------


def words(one: EmailMessage) -> int:
    return len(body(one).split())


def told(table: Table, seat: str) -> str:
    """All mails of a seat, one below the other."""
    return "".join(f"{'=' * 20} {number} {'=' * 20}\nDate: {one['Date']}\nSubject: {one['Subject']}\n\n{body(one)}\n"
                   for number, one in enumerate(table.inbox(seat), 1))


def weeks(mails: Sequence[EmailMessage]) -> list[int]:
    """How many came in each week."""
    found = Counter((parsedate_to_datetime(str(one["Date"])) - BEGIN).days // 7 for one in mails)
    return [found[week] for week in range(max(found, default=0) + 1)]


def counted(table: Table) -> str:
    rows = []
    for seat in PEOPLE:
        mails = table.inbox(seat)
        long = sorted(words(one) for one in mails)
        rows.append(f"{seat}: {len(mails)} mails, {sum(long)} words, median {long[len(long) // 2]}, longest {long[-1]}, "
                    f"a week: {weeks(mails)}")
    return "\n".join(rows)


def kept(table: Table, out: Path) -> None:
    for seat in PEOPLE:
        (out / seat).mkdir(parents=True, exist_ok=True)
        for number, one in enumerate(table.inbox(seat), 1):
            (out / seat / f"{number:03}.eml").write_bytes(one.as_bytes())
        (out / f"{seat}.txt").write_text(told(table, seat))
    if table.game.exists():
        shutil.copy(table.game / "game.yaml", out)


def main(out: Path, tongues: Sequence[str], seed: int = 1) -> None:
    logging.disable(logging.CRITICAL)
    out.mkdir(parents=True, exist_ok=True)
    with (imap_server() as imap, tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.exists() else None) as folder,
          SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: PASSWORD}, deliver=imap) as sink):
        table = Table(Path(folder), imap, sink)
        try:
            evening = ByMail(seed, table, tongues)
            paced = evening.play()
            print(f"{paced.days:.0f} days, {paced.turns} player turns, {paced.waits.total()} waits, {paced.silent} silent, "
                  f"{evening.desk.match.g.over}")
            print("\n".join(evening.refused))
        finally:
            kept(table, out)
        print(counted(table))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "MB at most")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
