"""The moderator's desk: what comes in from the seats, and his own acts. Everything that writes goes through here."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem import editions
from pbem.base import clock
from pbem.base.errors import Costly, NotNow, PbemError, Refused, Unknown
from pbem.base.yamlfile import Mapping as Entry
from pbem.chance.beacon import Unannounced
from pbem.chance.draws import Throw, Unthrown
from pbem.chance.hidden import OwnHand
from pbem.desk import filing, standing, standing_words
from pbem.desk import tray as trays
from pbem.desk.opengame import OpenGame
from pbem.desk.seeding import fit_word
from pbem.desk.submission import Outcome, Submission, holds_back, not_played
from pbem.desk.tray import Answer, Filed, Priced, Tray, Turn
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.log.gamelog import GameFile
from pbem.orders.language import tidied
from pbem.play import amending, invariants
from pbem.play.match import Match, takes_several
from pbem.rules import hand
from pbem.rules.war import MODERATOR
from pbem.table.state import SEGMENTS

KNOWN = ("card_drawn", "card_played", "surprise_played", "card_taken")     # events by which a card became known


class Desk(OpenGame):
    """Orders are taken, windows closed, deeds undone."""

    # --- orders ------------------------------------------------------------------------------------------------

    def order(self, seat: str, text: str, *, via: str = "", throws: Iterable[Throw] = (), reason: str = "") -> list[Outcome]:
        """Lines from a seat: orders in strict sequence, or the answer to the question it was asked.

        In one's own turn a new submission replaces the rest that waits from an earlier one.
        """
        if seat not in self.match.seats:
            raise Refused("2", "unknown_seat", seat=seat, known=list(self.match.seats))
        lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
        kept, lines = standing_words.from_lines(self, seat, lines)
        in_advance = [Outcome(line, "refused", became) if isinstance(became, PbemError)
                      else Outcome(line, "answered", did=[became])
                      for line, became in kept]
        if not lines:
            self.keep()
            return in_advance
        question, lines = self.match.question, self.with_price(seat, lines)
        is_own_turn = question is not None and question.sides == (seat,) and question.kind in SEGMENTS
        before = self.tray.turn(seat) if is_own_turn else None         # an answer, or a card on the way, leaves it as it is
        if before is not None:
            self.tray.turns.remove(before)
        lasts = standing.lasting(question, lines[0]) if lines and self.asks(seat) else None
        if lasts is not None:
            line, lines = lines[0], [lasts.answer, *lines[1:]]
        outcomes = Submission(self, seat, via, throws, reason).work_through(lines)
        self.note_price(seat, outcomes)
        if lasts is not None and question is not None and outcomes[0].error is None and outcomes[0].did:
            outcomes.append(self._made_to_last(question, seat, line, outcomes[0].did[0], lasts.terms))
        if before is not None and not any(one.did for one in outcomes):
            self.tray.turns.append(before)                 # nothing of the new one came through: the old rest stays
        self.keep()
        return in_advance + outcomes

    def _made_to_last(self, question: Question, seat: str, line: str, said: str, terms: str) -> Outcome:
        """What was just answered answers from now on: a standing order, made in the same breath."""
        try:
            text = standing.made_to_last(self.match, question, said, terms)
            return Outcome(line, "answered", did=[standing_words.answered(self, seat, text)])
        except PbemError as error:
            return Outcome(line, "refused", error)

    def is_price(self, seat: str, text: str) -> bool:
        """Is a line the `yes` alone that the price of an earlier one wants?"""
        priced, question = self.tray.priced.get(seat), self.match.question
        return priced is not None and question is not None and priced.question == question.id and (
            tidied(text).casefold().strip(" .!") == "yes")

    def with_price(self, seat: str, lines: list[str]) -> list[str]:
        """A `yes` alone stands for the lines whose price had just been told."""
        if not lines or not self.is_price(seat, lines[0]):
            return lines
        first, *rest = self.tray.priced[seat].lines
        return [f"{first} yes", *rest, *lines[1:]]

    def note_price(self, seat: str, outcomes: Sequence[Outcome]) -> None:
        """What has not been done because of its price, and what stood below it."""
        self.tray.priced.pop(seat, None)
        question = self.match.question
        for place, one in enumerate(outcomes):
            if isinstance(one.error, Costly) and question is not None:
                below = [other.line for other in outcomes[place + 1:]]
                self.tray.priced[seat] = Priced(question=question.id, lines=[*(one.left or [one.line]), *below])

    # --- cards filed in advance ----------------------------------------------------------------------------------

    def file(self, seat: str, text: str) -> Filed:
        """`battle at Larisa: play 48 as surprise else play O60 as surprise`; what was understood is returned."""
        if seat not in self.match.seats:
            raise Refused("2", "unknown_seat", seat=seat, known=list(self.match.seats))
        made = filing.file(self.match, self.tray, seat, text, len(self.game.entries))
        self.keep()
        return made

    def unfile(self, seat: str, number: int) -> None:
        """What a seat has filed under this number is forgotten."""
        filing.unfile(self.tray, seat, number)
        self.keep()

    def reserve(self, seat: str, moments: Sequence[str]) -> list[int]:
        """A seat wishes to be asked for cards at these moments, and at no others: everybody hears so, whatever it holds."""
        filing.judge_moments(self.match, moments)
        return self.enter({"reserve": seat, "moments": list(moments)})

    # --- going on ------------------------------------------------------------------------------------------------

    def run(self, *, release: str = "") -> list[Outcome]:
        """Go on with whatever can go on: polls that are complete, the rest of submissions, closed clocks.

        Lines held after something unforeseen wait until their sender, or the moderator, releases them.
        """
        outcomes: list[Outcome] = []
        if self.awaited is None:
            try:
                self._go_on(outcomes, release)
            except NotNow as error:
                if error.key != "beacon_awaited":
                    raise
        self.keep()
        return outcomes

    def _go_on(self, outcomes: list[Outcome], release: str) -> None:
        was_over = bool(self.match.g.over)
        if skipped := [*self._skipped(), *self._finished(was_over)]:        # an undo may have opened one again
            self._answered(skipped, len(self.game.entries) + 1)
            self._write(skipped)
        if asked := self._asked():
            self._write(asked)
        while True:
            question = self.match.question
            if question is None:
                break
            self._hold_back(question)
            turn = self.tray.turn(question.sides[0])
            if question.kind == "turn_up" and question.default.verb == "turn_up":
                self.enter({"by": MODERATOR, "do": self.match.say(question.default)})
                continue
            if (entries := self.stand_in(question)) is not None:
                outcomes.append(Outcome(f"standing {question.id}", "done", entries=entries))
                continue
            if self.complete(question):
                outcomes.append(Outcome(f"close {question.id}", "done", entries=self.close(question.id)))
                continue
            if turn is None or turn.held and turn.seat != release or takes_several(question):
                break
            first = len(self.game.entries) + 1
            self.tray.turns.remove(turn)
            done = Submission(self, turn.seat).work_through(turn.lines)
            for one in done:
                one.seat = turn.seat
            left = not_played(done)
            if done[0].error is not None and not done[0].did:
                self.tray.turns.append(turn)
                if question.kind not in SEGMENTS:          # the lines are for later: this question is another one
                    break
                turn.held = self.awaited is None
            elif left:
                self.set_waiting(turn.seat, left, held=self.awaited is None)        # nobody may be there to be told of it
            if left:
                self.note_price(turn.seat, done)
            outcomes += done
            release = ""
            if len(self.game.entries) >= first:
                self.tray.turns.append(Turn(seat=turn.seat, lines=turn.lines, came=first - 1, went=first, opened=True))
            if left:
                break

    def _hold_back(self, question: Question) -> None:
        """What whoever is asked has sent waits for his word, if something has happened that he could not foresee; what he has
        sent ahead for another moment is looked at in that one."""
        for turn in filter(None, map(self.tray.turn, question.sides)):
            is_for_later = turn.since > 0 and question.kind not in SEGMENTS and (
                not Submission(self, turn.seat).replies(question, turn.lines[0]))
            turn.held = turn.held or not is_for_later and holds_back(self, turn.seat)

    def stand_in(self, question: Question) -> list[int] | None:
        """Answer the open question from the standing orders: polls are filed like any sealed answer, and close when all
        are in; what one player alone decides is done at once. The entries written, None where nothing was."""
        if not self.tray.standing:
            return None
        standing.disarm(self.match, self.tray)
        for seat, order, found in standing.replies(self, question):
            if question.sealed:
                self.seal(question, Answer(seat=seat, question=question.id, text=found.text, standing=order.no,
                                           does=self.match.say(found.orders)))
                continue
            before = copy.deepcopy(self.tray.standing)
            if order.kind == question.kind:                 # an evasion was used when it was declared, not by running
                self.tray.use_up(seat, order.no, len(self.game.entries) + 1)
            try:
                return self.enter({"by": seat, "do": found.text, "as": "standing"})
            except PbemError:
                self.tray.standing = before
                return None
        return None

    # --- the moderator's own acts --------------------------------------------------------------------------------

    def undo(self, entry: int, reason: str, *, consent: Sequence[str] = (), override: bool = False,
             words: Mapping[str, str] | None = None) -> list[int]:
        """Take back everything from an entry on. Where anything became known, every other seat has to agree."""
        entry, stain, needed = self.to_take_back(entry)
        missing = [seat for seat in needed if seat not in consent]
        spoken = {seat: self._fresh_word(seat, word) for seat, word in (words or {}).items()}
        if missing and not override:
            raise Refused("0", "consent_needed", entry=entry, stain=stain, seats=missing)
        silent = [seat for seat in needed if not spoken.get(seat)] if self.wants_words(entry) else []
        if silent and not override:
            raise Refused("0", "fresh_words_needed", entry=entry, seats=silent)
        made: dict[str, Any] = {
            "undo": entry, "reason": reason, "at": clock.to_the_minute(self.now), **({"stain": stain} if stain else {}),
            **({"consent": list(consent)} if consent else {}), **({"override": "yes"} if missing or silent else {}),
            **({"words": spoken} if spoken and self.wants_words(entry) else {})}
        before = self.game
        try:
            self.match = self._folded(before.entries + [Entry(made)])      # only what can be folded is written
            self.until = None
        except PbemError:
            self.match = self._folded()
            raise
        self.tray.taken_back(entry, trays.subject(self.match.question, self.match.g), len(before.entries) + 1)
        self._write([made])
        self._write(self._asked())
        return [len(before.entries) + 1]

    def to_take_back(self, entry: int) -> tuple[int, list[str], list[str]]:
        """The first entry that goes with this one, what became known since, and who has to agree to it."""
        if not 1 <= entry <= len(self.game.entries):
            raise Refused("0", "no_such_entry", entry=entry, entries=len(self.game.entries))
        while entry > 1 and {"turn_end", "openings", "open"} & self.game.entries[entry - 1].keys():
            entry -= 1                                      # what was written with an entry is taken back with it
        stain = self.course.stain(entry)
        if not self.match.tells:                            # before entries told who drew, what was told did
            standing = self.course.taken(entry)
            stain += [f"{event.key.replace('_', ' ')} {event.facts.get('card', '')}".strip() for number, event in
                      self.match.history if number in standing and event.key in KNOWN]
        return entry, stain, self.course.to_consent(entry) if stain else []

    def wants_words(self, entry: int) -> bool:
        """Back across an open link the opponents' new words make the dice: nobody can foresee them."""
        return self.course.version > 1 and self.course.opens(entry)

    def _fresh_word(self, seat: str, word: str) -> str:
        if seat not in self.header["seats"]:
            raise Refused("2", "unknown_seat", seat=seat, known=list(self.header["seats"]))
        return fit_word(seat, word)

    def ruling(self, text: str, *, reason: str = "", facts: Mapping[str, Any] | None = None,
               adjust: Mapping[str, Any] | None = None, abandon: str = "", roll: int = 0,
               choice: Mapping[str, Any] | None = None) -> list[int]:
        """State facts, adjust totals, abandon a procedure, or have dice thrown or a seat asked before one decides.

        It is judged by the invariants and printed with its reason.
        """
        entry: dict[str, Any] = {"ruling": text, "reason": reason}
        if facts:
            entry["facts"] = dict(facts)
        if adjust:
            entry["adjust"] = dict(adjust)
        if abandon:
            entry["abandon"] = abandon
        if roll:
            entry["roll"] = roll
        if choice:
            entry["choice"] = dict(choice)
        if self.match.table is None:
            raise NotNow("not_begun")
        before = set(invariants.broken(self.match.g))
        probe = self._tried(entry)
        beside = invariants.gone_back(event for _, event in probe.history)
        broken = [one for one in invariants.broken(probe.g, beside=beside) if one not in before]
        if broken:
            raise Refused("0", "ruling_breaks", what=broken)
        return self.enter(entry)

    def _tried(self, entry: Mapping[str, Any]) -> Match:
        """The game as it would be with one more entry."""
        probe = self._folded()
        try:
            probe.apply({**entry}, len(self.game.entries) + 1, self._live())
        except Unannounced as wanted:
            raise self._announce(wanted) from None
        return probe

    def amend(self, corrections: Sequence[Mapping[str, Any]], reason: str, *, box: Mapping[str, Any] | None = None,
              overrides: str = "", yes: bool = False) -> list[int]:
        """Correct data of the components from here on; what it does to the position is told before it is done."""
        if self.match.table is None:
            raise NotNow("not_begun")
        several = len(corrections) > 1 or box is not None or bool(overrides)
        entry: dict[str, Any] = {"amend": [dict(one) for one in corrections]} if several else {
            "amend": corrections[0]["datum"], "value": corrections[0]["value"]}
        entry |= {"reason": reason, **({"box": dict(box)} if box is not None else {}),
                  **({"overrides": overrides} if overrides else {})}
        before = amending.as_it_is(self.match.g, self.match.question)
        probe = self._tried(entry)
        touched = list(amending.touches(before, amending.as_it_is(probe.g, probe.question), probe.g))
        if touched and not yes:
            raise Refused("0", "amend_touches", touched=touched)
        return self.enter(entry)

    def mend(self, reason: str) -> list[int]:
        """Rules that were mended since the game began count from here on."""
        if self.match.table is None:
            raise NotNow("not_begun")
        if self.match.g.rules.fixes == editions.NEWEST:
            raise NotNow("nothing_to_mend")
        return self.enter({"fixes": editions.NEWEST, "reason": reason})

    def take_in(self, reason: str = "", *, yes: bool = False) -> list[int]:
        """What overrides.yaml says becomes a part of the log, bound by its head; what it says now counts from here on."""
        given = gamelog.read_overrides(self.place)
        if not given or gamelog.overrides_are(self.game) == "":
            raise Refused("0", "nothing_to_amend", file=str(self.folder / gamelog.OVERRIDES))
        return self.amend(given, reason or gamelog.OVERRIDES, overrides=gamelog.digest(given), yes=yes)

    def accept(self, entry: int, reason: str) -> list[int]:
        """A line that was edited by hand is accepted as it stands now."""
        edits = [one for one in gamelog.hand_edits(self.game) if one.entry == entry]
        if not edits:
            raise Refused("0", "not_edited", entry=entry)
        return self.enter({"amend": {"entry": entry}, "was": edits[0].was, "reason": reason})

    def hold(self, reason: str) -> list[int]:
        """Stop the clock: no deadline closes anything until it goes on."""
        if self.match.stopped:
            raise NotNow("clock_stands_still", reason=self.match.stopped)
        return self.enter({"hold": reason, "since": clock.to_the_minute(self.now)})

    def resume(self, due: str = "") -> list[int]:
        """Let it go on: all running deadlines are moved by the time it stood, or the open question gets a new one."""
        if not self.match.stopped:
            raise NotNow("clock_runs")
        if due and clock.end_of(due) <= self.now:
            raise Refused("0", "due_has_passed", due=due)
        question, since = self.match.question, self.match.stopped_since
        if not due and not since and question is not None:
            due = self.deadline(question)                   # nobody wrote down when it was stopped
        moved = int((self.now - clock.end_of(since)).total_seconds() // 60) if since and not due else 0
        return self.enter({"resume": "", **({"moved": moved} if moved else {}), **({"due": due} if due else {})})

    def mark_posted(self, entry: int | None = None, *, write: bool = True) -> dict[str, Any]:
        """Everybody has been told what happened up to an entry: the last one, if nobody says which."""
        entry = len(self.game.entries) if entry is None else entry
        self.judge_number(entry)
        head = self.game.head(entry)
        if write:
            self.tray.posted = entry
            self.keep()
        return {"entry": entry, "head": head, "written": write}

    # --- looking ---------------------------------------------------------------------------------------------------

    def at(self, entry: int | None) -> "Desk":
        """The desk as it was after an entry; without one, as it is."""
        if entry is None:
            return self
        self.judge_number(entry)
        return Earlier(self, entry)

    def judge_number(self, entry: int) -> None:
        """Was there such a moment?"""
        if not 0 <= entry <= len(self.game.entries):
            raise Refused("0", "no_such_entry", entry=entry, entries=len(self.game.entries))

    def dry_run(self, seat: str, text: str, hand: Sequence[str] | None = None) -> list[Outcome]:
        """What these lines would do, as far as it can be known; nothing is written."""
        return self.trial(seat, hand).order(seat, text)

    def trial(self, seat: str, hand: Sequence[str] | None = None) -> "Trial":
        """A desk on which a seat may try what it likes. At home it has only the published log and, perhaps, its own `hand`."""
        secret = self.match.g.secret
        return Trial(self, seat, hand if hand is not None or secret is None else secret.hand(seat))


class Trial(Desk):
    """A desk that writes nothing and has no dice: it stops at the first thing it cannot know.

    The moderator's knows what he knows. That of a seat knows the log, what this seat has sent, and its own `hand`: no card
    of others ever shows on it, and none of the deck. Without a hand it believes of any card that it could be there.
    """

    def __init__(self, desk: Desk, seat: str = "", hand: Sequence[str] | None = None) -> None:
        self.place, self.folder, self.now, self.until = desk.place, desk.folder, desk.now, desk.until
        self.game, self.corrections = desk.game, desk.corrections
        self.seat, self.hand = seat, hand
        self.keys = None if seat else desk.keys
        self.tray = desk.tray.of_seat(seat) if seat else copy.deepcopy(desk.tray)
        self._base = self.game
        self._new = self.made = list[Mapping[str, Any]]()   # the entries that it would have written
        self.match = self._folded()
        self.language, self.voices = desk.language, desk.voices

    def _folded(self, entries: Sequence[Mapping[str, Any]] | None = None) -> Match:
        """What has left the hand by now lies face up, or is out of the game."""
        match = super()._folded(entries)
        if self.seat and self.hand is not None:
            match.g.secret = OwnHand(self.seat, [card for card in self.hand if hand.could_hold(match.g, self.seat, card)])
        return match

    def keep(self) -> None:
        """Nothing is kept."""

    def refused(self, error: PbemError) -> str:
        """What nobody can know yet is no refusal."""
        return "unknown" if isinstance(error, Unknown) else super().refused(error)

    def _live(self, throws: Iterable[Throw] = (), reason: str = "") -> Any:
        return Unthrown()

    def judge_known(self) -> None:
        """In a held game a card window is over at once, with what others have put aside for it: nobody may know that here."""
        question = self.match.question
        if question is not None and not filing.waits(self.match, question):
            raise Unknown("put_aside", id=question.id)

    def _skipped(self) -> list[dict[str, Any]]:
        """What others have filed cannot be known: the dry run waits where the game would go on."""
        return []


class Earlier(Trial):
    """A desk as it was after an entry: the log up to there, whatever was taken back later.

    Cards are those that were held then. What lay in the tray then nobody wrote down, and what lies there now is of another
    time: so it is empty.
    """

    def __init__(self, desk: Desk, entry: int) -> None:
        self.place, self.folder, self.now = desk.place, desk.folder, desk.now
        self.keys, self.corrections, self.seat, self.hand = desk.keys, desk.corrections, "", None
        self.tray = Tray(secrets=desk.tray.secrets, cards=desk.tray.cards)
        self.game = self._base = GameFile(desk.game.header, desk.game.entries[:entry], desk.game.text, desk.game.path)
        self._new = self.made = list[Mapping[str, Any]]()
        self.match = self._folded()
        self.language, self.voices = desk.language, desk.voices
