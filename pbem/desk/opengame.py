"""A game opened from its folder: its log, its tray, the position; and everything that writes an entry.

The tray goes to the disk before the log, with a journal: whoever opens the game after a crash sees by the length of the log
which of the two holds, so that nothing a seat has sent is lost with a line that was never written.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from pbem.base import clock, records, yamlfile
from pbem.base.errors import BadLog, NotNow, PbemError, Refused
from pbem.chance import receipts, scheme
from pbem.chance.beacon import Listening, Round, Unannounced, announced, not_public, waits
from pbem.chance.course import Course
from pbem.chance.draws import Keys, Live, Throw
from pbem.chance.hidden import Hidden
from pbem.chance.receipts import Receipt
from pbem.desk import filing, marking, openings
from pbem.desk import tray as trays
from pbem.desk.marking import Taken
from pbem.desk.tray import Answer, Asked, Cards, Tray, Turn
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.log.entries import kind_of
from pbem.log.gamelog import GameFile
from pbem.log.header import TELLING, format_of
from pbem.orders import read_answer
from pbem.play import mark as fold
from pbem.play.history import Told
from pbem.play.match import CARD_WINDOWS, QUIET, Match, declaration
from pbem.rules.war import MODERATOR
from pbem.table import position
from pbem.telling.words import Words


class OpenGame:
    """Opened `published`, the private file is not even looked at. `until` an entry, what comes behind it is not played: so what
    cannot be played can be taken back."""

    language = ""                                       # in which all is told here, whatever its readers wish
    taken: Taken | None = None                          # the mark for whoever opens the game next
    until: int | None = None

    def __init__(self, place: Path, *, published: bool = False, now: datetime | None = None, until: int | None = None) -> None:
        self.place, self.until = place, until
        self.folder = place if place.is_dir() else place.parent
        self.now = now or clock.now()
        self.game = gamelog.read_game(place)
        private = "" if published else gamelog.private_text(place)
        self.tray = trays.restored(trays.parsed(place, private), len(self.game.entries))
        self._base, self._new = self.game, list[Mapping[str, Any]]()        # the log on the disk, and what has come since
        self._private = gamelog.Private(self.tray.plain(), private)         # the tray on the disk
        self.keys = keys_of(self.game.header, self.tray, [*self.game.speaking_of("announce"), *self.game.speaking_of("beacon")])
        self.judge_printed()
        self.corrections = gamelog.corrections(self.game)
        try:
            self.match = self._folded()
        except PbemError as error:
            if "line" in error.facts:                   # of the file: what stands in the log has the number of its entry
                error.facts.setdefault("file", gamelog.OVERRIDES)
            if error.entry:
                error.place, error.parted, error.edits = str(self.folder), self._parted(), gamelog.hand_edits(self.game)
            raise
        self.voices: dict[tuple[str, str], Words] = {}  # the words of those who share a language and a time zone

    def _parted(self) -> int:
        """Of a log that cannot be played to its end: the entry at which it and the rules part."""
        match = self.blank()
        match.check_positions = True
        try:
            match.fold(self.game.entries, gamelog.survivors(self.game.entries, str(self.game.path)))
        except PbemError as error:
            return error.entry
        raise AssertionError("it was played to its end")

    def judge_printed(self) -> None:
        """What cards of the box say word for word in the private file is what the log binds."""
        digests: dict[str, str] = {}
        for box in (self.game.header.get("box") or {}, *(entry["box"] for entry in self.game.speaking_of("box"))):
            digests.update(box.get("printed") or {})
        for card, one in self.tray.printed.items():
            if digests.get(card) != one.digest:
                raise BadLog("printed_changed", file=gamelog.PRIVATE, datum=card)

    @classmethod
    def found(cls, folder: Path, header: dict[str, Any], adopted: Mapping[str, Any], tray: Tray, reason: str = "") -> Self:
        """A new game that begins with an adopted position; the caller holds the lock."""
        entry: dict[str, Any] = {"position": dict(adopted), **({"reason": reason} if reason else {})}
        keys = keys_of(header, tray)
        match, course = blank(header, (), keys, tray), Course(header)
        bind_cards(entry, header, keys, tray, course)
        taken_in(match, entry, 1, Live(keys, course))
        gamelog.create(folder, header, [entry], tray.plain() or None)
        return cls(folder)

    def with_cards(self) -> Self:
        """The same game, once the tray has been told which cards are held."""
        self.match = self._folded()
        return self

    def _folded(self, entries: Sequence[Mapping[str, Any]] | None = None) -> Match:
        """The game after these entries; all that are written, if none are given, or until where it was opened."""
        known = self.game.entries if entries is None else entries
        entries = known if self.until is None or entries is not None else known[:self.until]
        self.taken = None
        with suppress(Exception):                       # whatever is wrong with a mark, or behind it, is told of the whole
            if gone_on := marking.gone_on(self, entries):
                match, self.course = gone_on
                return match
        standing = gamelog.survivors(entries, str(self.game.path))
        self.course = Course(self.game.header, known)
        if self.keys is not None:
            self.keys.late = self.course.late_decks
        match = self.blank()
        match.fold(entries, standing)
        return match

    def blank(self, amended: Sequence[Mapping[str, Any]] = (), *, hands: bool = True) -> Match:
        """The game before its first entry, as far as it is known here, or as it is known to everybody; played with data that
        were `amended` since."""
        corrections = [*self.corrections, *amended]
        return blank(self.header, corrections, self.keys, self.tray) if hands else blank(self.header, corrections, None, Tray())

    def told_in(self, entries: Sequence[Mapping[str, Any]], *, hands: bool = True) -> Iterable[Told]:
        """What was told in the beginning of the log, for whoever looks back that far."""
        match = self.blank(hands=hands)
        match.fold(entries, gamelog.survivors(entries, str(self.game.path)))
        return match.history

    @property
    def listening(self) -> Listening | None:
        """What has been heard of the beacon, where one was chosen and the secrets are at hand."""
        return self.keys.listening if self.keys is not None else None

    @property
    def awaited(self) -> Round | None:
        """The round of the beacon for which everything waits."""
        return None if self.listening is None or self.match.g.over else self.listening.awaited

    def awaits_public(self) -> Round:
        """The round that is awaited, if it has come."""
        if (awaited := self.awaited) is None:
            raise Refused("0", "beacon_none_awaited", game=str(self.header["game"]))
        if self.now < awaited.at:
            raise not_public(awaited)
        return awaited

    def hear(self, number: int, value: str, *, write: bool = True) -> list[int]:
        """The value of a round, now that it is public: one entry for each epoch that it goes into."""
        listening = self.listening
        if listening is None:
            raise Refused("0", "no_beacon_announced", game=str(self.header["game"]))
        entries = listening.entries(number, value, self.now)
        if not write:
            return []
        for entry in entries:
            self._apply(entry)
            listening.take_in(entry)
        first = len(self.game.entries) + 1
        self._write(entries)
        return list(range(first, first + len(entries)))

    def _announce(self, wanted: Unannounced) -> NotNow:
        """A die was wanted whose round nobody could know yet: from now on everybody knows which one it will be."""
        listening = self.listening
        assert listening is not None                    # nobody else wants a round
        entry = {"announce": wanted.epoch, "at": clock.to_the_minute(self.now)}
        self._apply(entry)
        listening.take_in(entry)
        self._write([entry])
        return waits(listening.rounds[wanted.epoch])

    def asks(self, seat: str) -> bool:
        """Is this seat asked something now?"""
        question = self.match.question
        return question is not None and seat in question.sides

    @property
    def header(self) -> Mapping[str, Any]:
        """By what rules, by whom and with which promises the game is played."""
        return self.game.header

    # --- writing -----------------------------------------------------------------------------------------------

    def _write(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """The log has grown."""
        added = list(entries)
        filing.tidy(self.match, self.tray, len(self.game.entries) + 1)
        lines = "".join(f"- {gamelog.dump_entry(entry)}\n" for entry in added)
        read = yamlfile.parse("log:\n" + lines)["log"] or []
        before = self.game
        self.game = GameFile(before.header, before.entries + read, self._base.text, before.path, before)
        self.game.follow(before, read)
        self._new += added
        self.keep()

    def keep(self) -> None:
        """What was done is written; a desk that takes in many things at once does so later."""
        self.commit()

    def commit(self) -> bool:
        """The tray, with what lay there before, and then the log; then the journal means nothing. Was there any need?"""
        self.tray.forget()
        self.tray.journal = None
        was, now, is_new = self._private.data, self.tray.plain(), bool(self._new)
        has_changed = now != was
        if is_new:
            private = {**now, **trays.journal(was, now, len(self.game.entries))} if has_changed else None
            self.game = gamelog.append(self.place, self._new, private, self._base, self._private)
            self._base, self._new = self.game, []
            if self.taken is not None:
                marking.leave(self, self.taken)
                self.taken = None
        elif has_changed:
            gamelog.write_private(self.place, now, self._private)
        self._private.data = now
        return is_new or has_changed

    @property
    def is_changed(self) -> bool:
        """Is there anything that has not been written?"""
        return bool(self._new) or self.tray.plain() != self._private.data

    def _live(self, throws: Iterable[Throw] = (), reason: str = "") -> Live:
        return Live(self.keys, self.course, throws, reason)

    def enter(self, entry: Mapping[str, Any], throws: Iterable[Throw] = (), reason: str = "") -> list[int]:
        """Apply a new entry with real dice and write it, together with what follows from it at once.

        If anything in it fails nothing is written, and the game is read anew: a half-done move never stays.
        """
        if self.match.table is None and "position" not in entry:
            raise NotNow("not_begun")
        source, entry = self._live(throws, reason), dict(entry)
        new = [entry]
        number = len(self.game.entries) + 1
        try:
            bind_cards(entry, self.game.header, self.keys, self.tray, self.course)
            was_over = bool(self.match.g.over)
            self._apply(entry, source)
            judge_hands(self.match, entry)
            new += [*self._turn_ended(), *self._skipped(), *self._finished(was_over)]
        except Unannounced as wanted:
            self.match = self._folded()
            raise self._announce(wanted) from None
        except PbemError:
            self.match = self._folded()
            raise
        except Exception as fault:
            self.match = self._folded()
            raise Refused("0", "fault_of_the_program", what=f"{type(fault).__name__}: {fault}") from fault
        new += self._asked()
        self._answered(new, number)
        self._write(new)
        return list(range(number, number + len(new)))

    def _apply(self, entry: dict[str, Any], source: Live | None = None) -> None:
        """The next entry; without a source it draws nothing."""
        taken_in(self.match, entry, len(self.course.entries) + 1, source or Live(None, None))
        self.course.take_in(entry)
        if fold.can_be_taken(self.match):
            self.taken = Taken(self.match.number, fold.taken(self.match), self.course.kept())

    def _skipped(self) -> list[dict[str, Any]]:
        """In a held game no card window waits: each leaves an entry, with what was filed for it."""
        new: list[dict[str, Any]] = []
        while (question := self.match.question) is not None and not filing.waits(self.match, question):
            entry = {"close": question.id, "answers": self._answers(question)[0], "skipped": "held"}
            self._apply(entry, self._live())
            new += [entry, *self._turn_ended()]
        return new

    def _turn_ended(self) -> list[dict[str, Any]]:
        """When a Game Turn has ended the public position is written, and its dice are opened, if they are not open yet."""
        turns = [event.facts["turn"] for event in self.match.told if event.key == "turn_began"]
        if not turns:
            return []
        ended = turns[-1] - 1
        entry: dict[str, Any] = {"turn_end": ended, "position": position.written(self.match.g)}
        if self.keys is not None and ended > self.course.spent:
            entry["open"] = {"epoch": ended, "link": self.keys.secrets.link(ended).hex()}
        self._apply(entry)
        shown = openings.due(self.course.entries, self.match, self.keys)
        for one in shown:
            self._apply(one)
        return [entry, *shown]

    def _finished(self, was_over: bool) -> list[dict[str, Any]]:
        """When the game is over nothing stays closed: the last link, the deck secret, the order of decks that were stated.

        An end that was taken back has opened nothing of what was played since.
        """
        last = max(self.course.used, self.match.g.turn)
        if not self.match.g.over or self.keys is None or was_over and self.course.ended and last <= self.course.spent:
            return []
        secrets = self.keys.secrets
        opened: dict[str, Any] = {"epoch": last, "link": secrets.link(last).hex()} if last > self.course.spent else {}
        opened["deck_secret"] = secrets.deck.hex()
        if self.keys.orders:
            opened["orders"] = {name: list(cards) for name, cards in self.keys.orders.items()}
        entry = {"open": opened}
        self._apply(entry)
        return [entry]

    def _asked(self) -> list[dict[str, Any]]:
        """A question to somebody else than before, or of another kind, gets a line with its deadline; after an undo its time
        begins anew. The orders of a segment are one question; who was silent is not waited for again in the same turn."""
        question = self.match.question
        reopened = bool(self.game.entries) and "undo" in self.game.entries[-1]
        if question is None or not reopened and (
                question.id in self.match.due or not question.sealed and self.match.addressed == question.sides
                and (self.match.asked_kind == question.kind or self.match.is_silent)):
            return []
        entry = {"ask": question.id, "due": self.deadline(question)}
        if self.tray:
            self.tray.asked = Asked(question.id, clock.stamp(self.now))
        self._apply(entry)
        return [entry]

    def deadline(self, question: Question) -> str:
        """Length, earliest hour, quiet hours, weekdays and absences of those who are asked: all of them public."""
        readers = [clock.Reader(str((self.match.seats.get(seat) or {}).get("zone") or "UTC"), self.away(seat))
                   for seat in question.sides]
        return clock.to_the_minute(clock.due(clock.times(self.game.header), question.kind, readers, self.now))

    def away(self, seat: str) -> list[clock.Span]:
        """Announced absences; they stand in the log as notes."""
        return [(clock.day(first), clock.day(last)) for first, last in self.tray.absences.get(seat) or ()]

    # --- sealed answers ----------------------------------------------------------------------------------------

    def seal(self, question: Question, answer: Answer) -> Receipt | None:
        """Keep an answer until the window closes; a later one of the same seat takes its place, and its receipt says so."""
        answer.at, answer.came = clock.stamp(self.now), len(self.game.entries)
        answer.subject = trays.subject(question, self.match.g)
        if (earlier := self.tray.answer(question.id, answer.seat)) is not None:
            self.tray.answers.remove(earlier)
        self.tray.answers.append(answer)
        if self.keys is None:
            return None                                     # nothing was promised that could vouch for it
        answer.number, before = (earlier.number + 1, earlier.digest) if earlier is not None else (1, "")
        receipt = receipts.given(self.keys.secrets, Receipt(
            self.game.header["game"], question.id, answer.seat, answer.number, answer.came, self.game.head()[:32],
            answer.at, answer.text, "", before, "", ""))
        answer.digest = receipt.digest
        return receipt

    def _digests(self, question: Question) -> dict[str, str]:
        """What the close lists: the digest of each answer; where nobody may see who answered one of every seat."""
        if self.keys is None:
            return {}
        found = {}
        for seat in question.sides:
            answer = self.tray.answer(question.id, seat)
            if answer is None and (ahead := self.tray.ahead(seat)) is not None and self._is_for(question, seat, ahead.text):
                answer = ahead
            if answer is not None and answer.digest:
                found[seat] = answer.digest
            elif question.kind in QUIET:
                found[seat] = receipts.nobodys(self.keys.secrets, self.game.header["game"], question.id, seat,
                                               len(self.game.entries))
        return found

    def sealed(self, question: Question) -> dict[str, str]:
        """The sealed answers to a question: seat -> text; also those filed ahead, for this step of a route or for a card."""
        found = {}
        for seat in question.sides if question.sealed else ():
            if (answer := self.tray.answer(question.id, seat)) is not None:
                found[seat] = answer.text
            elif (ahead := self.tray.ahead(seat)) is not None and self._is_for(question, seat, ahead.text):
                found[seat] = ahead.text
            elif filed := filing.answer(self.match, self.tray, question, seat):
                found[seat] = filed
        return found

    def complete(self, question: Question) -> bool:
        """Have all answered? A card window is never closed before its time, so it is never complete (6.2)."""
        return question.kind not in CARD_WINDOWS and set(question.sides) <= self.sealed(question).keys() | self.match.neutral

    def close(self, qid: str, *, by: str = "", throws: Iterable[Throw] = (), reason: str = "") -> list[int]:
        """Close a poll, or answer for a silent seat by the default. `by` says who did: clock or moderator."""
        question = self.match.question
        if question is None or question.id != qid:
            raise NotNow("not_the_open_question", id=qid, open=question.id if question else "")
        if question.sides == (MODERATOR,):
            about = question.about
            if question.kind == "card_ruling":
                raise Refused(question.rule, "card_ruling_needed", card=about["card"], general=about["general"])
            raise Refused(question.rule, "ruling_needed", what=about["what"])
        if question.kind in CARD_WINDOWS and by != "clock":
            raise Refused("6.2", "window_runs_its_time", id=qid, due=self.match.due_of(question))
        marks: dict[str, Any] = {"closed": self._allowed(question, by), **({"reason": by} if by not in ("", "clock") else {})}
        if not question.sealed:
            entry: dict[str, Any] = {"by": question.sides[0], "do": self.match.say(question.silence(question.sides[0])),
                                     **({"as": "silent", **marks} if by else {})}
            return self.enter(entry, throws, reason)
        answers, silent = self._answers(question)
        if silent and question.kind not in QUIET:
            marks["silent"] = silent
        if stood_in := self._stood_in(question):
            marks["standing"] = stood_in
        if digests := self._digests(question):
            marks["receipts"] = digests
        return self.enter({"close": qid, "answers": answers, **marks}, throws, reason)

    def _allowed(self, question: Question, by: str) -> str:
        """By which rule a question closes: all are in, its deadline and the grace are past, or the moderator says so."""
        if by in ("", "clock"):
            return "overdue" if by else "complete"
        due = self.match.due_of(question)
        return "early" if due and self.now < clock.end_of(due) else "moderator"

    def _stood_in(self, question: Question) -> list[str]:
        """The seats whose standing orders are what is going to be opened: the closing entry names them."""
        given = [self.tray.answer(question.id, seat) for seat in question.sides]
        return [one.seat for one in given if one is not None and one.standing]

    def _answers(self, question: Question) -> tuple[dict[str, str], list[str]]:
        """What was declared, in Turn Order, and who said nothing; of quiet windows only what is really played."""
        declared: dict[str, Any] = {}
        for seat, text in self.sealed(question).items():
            declared[seat] = declaration(question, seat, read_answer(text, self.match.names), declared)
        answers = {seat: self.match.say(declared.get(seat, question.silence(seat))) for seat in question.sides}
        if question.kind in QUIET:
            answers = {seat: text for seat, text in answers.items() if text != self.match.say(question.silence(seat))}
        return answers, [seat for seat in question.sides if seat not in declared]

    def _answered(self, entries: list[dict[str, Any]], number: int) -> None:
        """Sealed answers go when their question is closed; what they say about later steps of a route is kept for those.

        What the log does not show of them nobody has seen: in a card window, that somebody has answered.
        """
        open_still = {frame.id for frame in self.match.table.stack} if self.match.table is not None else set()
        closed = {entry["close"]: (place, entry["answers"]) for place, entry in enumerate(entries, number) if "close" in entry}
        for one in trays.lying(self.tray.answers):
            if one.ahead or one.question in open_still:
                continue
            one.went, shown = closed.get(one.question, (number, {}))
            one.opened = one.seat in shown
            if one.standing and one.opened and shown[one.seat] == one.does:
                self.tray.use_up(one.seat, one.standing, one.went)
            if any(step.at for step in read_answer(one.text, self.match.names)):
                self._keep_ahead(one)
        question, act = self.match.question, self.match.g.activation
        if act is None or not (act.route or question is not None and question.sealed):
            for one in trays.lying(self.tray.answers):
                if one.ahead:
                    one.went = number

    def _keep_ahead(self, answer: Answer) -> None:
        """What an answer says of later steps lies there for them; it takes the place of what was said before."""
        if (earlier := self.tray.ahead(answer.seat)) is not None:
            earlier.went = answer.went
        self.tray.answers.append(Answer(
            seat=answer.seat, question=answer.question, text=answer.text, at=answer.at, via=answer.via, ahead=True,
            came=answer.came, laid=answer.went, number=answer.number, digest=answer.digest))

    def _is_for(self, question: Question, seat: str, text: str) -> bool:
        space = question.about.get("space")
        return any(one.at == space and question.legal(seat, one.orders) is not None
                   for one in read_answer(text, self.match.names))

    def judge_known(self) -> None:
        """Is it known here what a line would meet? At the desk it is, but for a beacon that has not spoken yet."""
        if (awaited := self.awaited) is not None:
            raise waits(awaited)

    def stand_in(self, question: Question) -> list[int] | None:
        """The entries by which the open question was answered in advance; without a tray nobody has."""
        return None

    def refused(self, error: PbemError) -> str:
        """What becomes of a line over which this came up."""
        return "refused"

    # --- what waits ----------------------------------------------------------------------------------------------

    def waiting(self, seat: str) -> list[str]:
        """The rest of a seat's submission that has not been looked at."""
        turn = self.tray.turn(seat)
        return list(turn.lines) if turn is not None else []

    def is_held(self, seat: str) -> bool:
        turn = self.tray.turn(seat)
        return turn is not None and turn.held

    def set_waiting(self, seat: str, lines: list[str], *, held: bool = False, since: int = 0,
                    named: Mapping[str, str] | None = None) -> None:
        """`since`: the first entry that their sender could not know when he sent them ahead; `named`: what they rest on."""
        turn = self.tray.turn(seat)
        if turn is not None:
            self.tray.turns.remove(turn)
        if lines:
            since = since or (turn.since if turn is not None else 0)
            if named is None and turn is not None and turn.lines == lines:
                named = turn.named
            self.tray.turns.append(Turn(seat=seat, lines=lines, held=held, since=since, came=len(self.game.entries),
                                        named=dict(named or {})))


def taken_in(match: Match, entry: dict[str, Any], number: int, source: Live) -> None:
    """What a new entry gets from its draws; besides, a closed window gets the hash of the position."""
    drawn_in(match, entry, number, source)
    if "close" in entry:
        entry["now"] = position.fingerprint(match.g)


def drawn_in(match: Match, entry: dict[str, Any], number: int, source: Live) -> None:
    """A new entry gets what it drew, which cards it moved, how it ended the game."""
    match.apply(entry, number, source)
    if source.made:
        entry["dice"] = source.made
    if source.deck is not None:
        entry["deck"] = source.deck
    if match.tells:
        entry |= {**({"cards": match.moves} if match.moves else {}), **({"over": match.ended} if match.ended else {})}


def judge_hands(match: Match, entry: Mapping[str, Any]) -> None:
    """6 Hands are stated as the private file knows them, or empty where cards are dealt next: who could not play a card that is
    counted, or held one that is not, could not go on."""
    g = match.g
    if ("rebase" in entry or "hands" in (entry.get("facts") or ())) and isinstance(g.secret, Hidden) and any(g.hands.values()):
        for seat in g.seats:
            if g.hands[seat] != (count := len(g.secret.hand(seat))):
                raise Refused("0", "other_hand", seat=seat, count=count, number=g.hands[seat])


def bind_cards(entry: dict[str, Any], header: Mapping[str, Any], keys: Keys | None, tray: Tray, course: Course) -> None:
    """The cards of an adopted position are promised like any deck: the hands, seat after seat, the table, then what is left."""
    if kind_of(entry) != "position" or keys is None or tray.cards is None or format_of(header) < TELLING:
        return
    hands, table, given = tray.cards.hands, tray.cards.table, entry["position"]
    counted = {seat: count for seat, count in (given.get("hands") or {}).items() if count}
    if {seat: len(hand) for seat, hand in hands.items() if hand} != counted or len(table) != given.get("face_down", 0):
        return
    order = [*(card for seat in header["seats"] for card in hands.get(seat, ())), *table, *tray.cards.deck]
    base = f"adopted,{entry['position'].get('turn', 1)}"
    for name in (base, *(f"{base},{number}" for number in range(2, len(course.decks.get(base, ())) + 2))) if order else ():
        root = scheme.Deck(keys.deck, keys.game, name.split(","), order).root.hex()
        if course.deck_name(base, order, root) == name:
            entry["deck"] = {"name": name, "cards": sorted(order), "root": root, "stated": "yes"}
            tray.cards.orders[name] = order
            break
    keys.orders = tray.cards.orders


def keys_of(header: Mapping[str, Any], tray: Tray, entries: Sequence[Mapping[str, Any]] = ()) -> Keys | None:
    """The keys of a game, where its secrets are at hand."""
    if tray.secrets is None:
        return None
    first = announced(header)
    try:
        secrets = scheme.Secrets.from_plain(header["game"], records.plain(tray.secrets))
    except (ValueError, TypeError, KeyError):
        raise BadLog("secrets_unreadable", file=gamelog.PRIVATE) from None
    words = (header.get("chance") or {}).get("words") or {}
    keys = Keys(header["game"], secrets, {seat: words.get(seat) or "" for seat in header["seats"]},
                Listening(first, entries) if first is not None else None)
    if tray.cards is not None:
        keys.orders = tray.cards.orders
    return keys


def blank(header: Mapping[str, Any], corrections: Iterable[Mapping[str, Any]], keys: Keys | None,
          tray: Tray) -> Match:
    """A game before its first entry; with the hidden side of the cards where the tray tells it."""
    start = tray.cards or Cards()

    def hidden() -> Hidden:
        return Hidden(keys, start.hands, start.deck, start.table)

    return Match(header, corrections, hidden if keys is not None or tray.cards is not None else None)
