"""The moderator's desk: one game folder, what comes in, what is written. Everything that writes goes through here."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.base import clock, yamlfile
from pbem.base.errors import BadLog, NotNow, PbemError, Refused
from pbem.chance import scheme
from pbem.chance.draws import Keys, Live, Throw, Unthrown, without_beacon
from pbem.chance.hidden import Hidden, OwnHand
from pbem.desk import filing, publishing, standing
from pbem.desk.submission import Outcome, Submission, holds_back
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.orders import Alternative, read_answer, say_answer
from pbem.play import invariants
from pbem.play.match import CARD_WINDOWS, QUIET, Match, takes_several
from pbem.rules.war import MODERATOR
from pbem.table import position
from pbem.table.state import SEGMENTS
from pbem.telling.words import Words

JOURNAL = "journal"
WAITING = ("sealed", "prepared", "filed", "fallen")
FIXED = ("secrets", "cards", "addresses", JOURNAL)          # what no move changes in the private file
class Desk:
    """A game opened from its folder. Opened `published`, the private file is not even looked at."""

    language = ""                                       # in which all is told here, whatever its readers wish

    def __init__(self, place: Path, *, published: bool = False, now: datetime | None = None) -> None:
        self.place = place
        self.folder = place if place.is_dir() else place.parent
        self.now = now or datetime.now(UTC)
        self.game = gamelog.read_game(place)
        self.private: dict[str, Any] = {} if published else gamelog.read_private(place)
        self._recover()
        self._kept = yamlfile.dump(self.private)
        self._before = self._volatile()
        self.keys = keys_of(self.game.header, self.private)
        self.corrections = gamelog.read_overrides(place)
        self.match = self._folded()
        self.voices: dict[tuple[str, str], Words] = {}  # the words of those who share a language and a time zone

    @classmethod
    def found(cls, folder: Path, header: dict[str, Any], adopted: Mapping[str, Any], private: dict[str, Any],
              reason: str = "") -> "Desk":
        """A new game that begins with an adopted position; the caller holds the lock."""
        entry: dict[str, Any] = {"position": dict(adopted), **({"reason": reason} if reason else {})}
        keys = keys_of(header, private)
        match = blank(header, (), keys, private)
        source = Live(keys, 0)
        match.apply(entry, 1, source)
        if source.made:
            entry["dice"] = source.made
        if source.deck is not None:
            entry["deck"] = source.deck
        gamelog.create(folder, header, [entry], private or None)
        return cls(folder)

    def with_cards(self) -> "Desk":
        """The same desk, once the private file has been told which cards are held."""
        self.match = self._folded()
        return self

    def _folded(self) -> Match:
        match = blank(self.game.header, self.corrections, self.keys, self.private)
        match.fold(self.game.entries, gamelog.survivors(self.game.entries, str(self.game.path)))
        return match

    # --- writing -----------------------------------------------------------------------------------------------

    def _write(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Private file first, then the log. Killed in between, the journal brings back what the private file held."""
        new = list(entries)
        filing.tidy(self, len(self.game.entries) + len(new))
        if self.private and self._volatile() != self._before:
            self.private[JOURNAL] = {"before": self._before, "to": len(self.game.entries) + len(new)}
        self.game = gamelog.append(self.place, new, self._changed(), self.game)
        self.private.pop(JOURNAL, None)
        self._before = self._volatile()

    def _volatile(self) -> dict[str, Any]:
        """What moves use up: sealed answers, lines that wait, cards put aside. As text and back, so that it is a copy."""
        kept = {key: value for key, value in self.private.items() if key not in FIXED}
        copied: dict[str, Any] = yamlfile.parse(yamlfile.dump(kept)) if kept else {}
        return copied

    def _recover(self) -> None:
        """A run that was killed between the two files: without its log lines its private changes never happened."""
        journal = self.private.pop(JOURNAL, None)
        if journal is None or int(journal["to"]) <= len(self.game.entries):
            return
        for key in [one for one in self.private if one not in FIXED]:
            del self.private[key]
        self.private.update(journal["before"] or {})

    def _changed(self) -> dict[str, Any] | None:
        """The private data if they are not as they were written last."""
        now = yamlfile.dump(self.private)
        if now == self._kept:
            return None
        self._kept = now
        return self.private

    def _live(self, throws: Iterable[Throw] = (), reason: str = "") -> Live:
        return Live(self.keys, self.match.opened, throws, reason)

    def take(self, entry: dict[str, Any], throws: Iterable[Throw] = (), reason: str = "") -> list[int]:
        """Apply a new entry with real dice and write it, together with what follows from it at once.

        If anything in it fails nothing is written, and the game is read anew: a half-done move never stays.
        """
        if self.match.table is None and "position" not in entry:
            raise NotNow("not_begun")
        source = self._live(throws, reason)
        new = [entry]
        number = len(self.game.entries) + 1
        try:
            self._apply(entry, number, source)
            new += self._turn_ended(number + 1)
            new += self._skipped(number + len(new))
        except PbemError:
            self.match = self._folded()
            raise
        except Exception as fault:
            self.match = self._folded()
            raise Refused("0", "fault_of_the_program", what=f"{type(fault).__name__}: {fault}") from fault
        new += self._asked(number + len(new))
        if "standing" in entry:
            standing.spend(self.private, entry, number)
        self._forget_answered()
        self._write(new)
        return list(range(number, number + len(new)))

    def _apply(self, entry: dict[str, Any], number: int, source: Live) -> None:
        """A new entry gets what it drew and, where a window closes, the hash of the public position."""
        self.match.apply(entry, number, source)
        if source.made:
            entry["dice"] = source.made
        if source.deck is not None:
            entry["deck"] = source.deck
        if "close" in entry:
            entry["now"] = position.fingerprint(self.match.g)

    def _skipped(self, number: int) -> list[dict[str, Any]]:
        """In a held game no card window waits: each leaves an entry, with what was filed for it."""
        new: list[dict[str, Any]] = []
        while (question := self.match.question) is not None and not filing.waits(self, question):
            entry = {"close": question.id, "answers": self._answers(question)[0], "skipped": "held"}
            self._apply(entry, number + len(new), self._live())
            new += [entry, *self._turn_ended(number + len(new) + 1)]
        return new

    def _turn_ended(self, number: int) -> list[dict[str, Any]]:
        """When a Game Turn has ended the public position is written, and the dice of the turn are opened."""
        turns = [event.facts["turn"] for event in self.match.told if event.key == "turn_began"]
        if not turns:
            return []
        entry: dict[str, Any] = {"turn_end": turns[-1] - 1, "position": position.written(self.match.g)}
        if self.keys is not None:
            epoch = scheme.epoch_of(turns[-1] - 1, self.match.opened)
            entry["open"] = {"epoch": epoch, "link": self.keys.secrets.link(epoch).hex()}
            self.match.opened = epoch
        self.match.apply(entry, number)
        return [entry, *(publishing.openings(self) if self.keys is not None else ())]

    def _asked(self, number: int) -> list[dict[str, Any]]:
        """A question to somebody else than before gets a line with its deadline; after an undo its time begins anew."""
        question = self.match.question
        reopened = bool(self.game.entries) and "undo" in self.game.entries[-1]
        if question is None or not reopened and (
                question.id in self.match.due or not question.sealed and self.match.addressed == question.sides):
            return []
        entry = {"ask": question.id, "due": self.deadline(question)}
        if self.private:
            self.private["asked"] = {"id": question.id, "at": clock.stamp(self.now)}
        self.match.apply(entry, number)
        return [entry]

    def deadline(self, question: Question) -> str:
        """Length, earliest hour, quiet hours, weekdays and absences of those who are asked: all of them public."""
        readers = [clock.Reader(str((self.match.seats.get(seat) or {}).get("zone") or "UTC"), self.away(seat))
                   for seat in question.sides]
        return clock.to_the_minute(clock.due(clock.times(self.game.header), question.kind, readers, self.now))

    def away(self, seat: str) -> list[clock.Span]:
        """Absences are announced to the mailbox; a desk without one knows of none."""
        return []

    # --- orders ------------------------------------------------------------------------------------------------

    def order(self, seat: str, text: str, *, via: str = "", throws: Iterable[Throw] = (), reason: str = "") -> list[Outcome]:
        """Lines from a seat: orders in strict sequence, or the answer to the question it was asked.

        A new submission replaces the rest that waits from an earlier one.
        """
        if seat not in self.match.seats:
            raise Refused("2", "unknown_seat", seat=seat, known=list(self.match.seats))
        lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
        kept, lines = standing.take_lines(self, seat, lines)
        in_advance = [Outcome(line, "refused", became) if isinstance(became, PbemError)
                      else Outcome(line, "answered", did=[became])
                      for line, became in kept]
        if in_advance and not lines:
            self.keep()
            return in_advance
        question = self.match.question
        answers = question is not None and seat in question.sides and question.kind not in SEGMENTS
        dropped = self.waiting(seat)
        if not answers:                                     # an answer on the way leaves the rest of the turn as it is
            self.set_waiting(seat, [])
        outcomes = Submission(self, seat, via, throws, reason).take(lines)
        if dropped and not any(one.state in ("done", "sealed", "waiting", "held") for one in outcomes):
            self.set_waiting(seat, dropped)                # nothing of the new one came through: the old rest stays
        self.keep()
        return in_advance + outcomes

    # --- sealed answers ----------------------------------------------------------------------------------------

    def seal(self, question: Question, seat: str, answer: tuple[Alternative, ...], via: str) -> None:
        """Keep an answer until the window closes; a later one of the same seat takes its place."""
        kept = self.private.setdefault("sealed", {}).setdefault(question.id, {})
        kept[seat] = {"text": say_answer(answer, self.match.names), "at": clock.stamp(self.now)}
        if via:
            kept[seat]["via"] = via

    def sealed(self, question: Question) -> dict[str, str]:
        """The sealed answers to a question: seat -> text; also those filed ahead, for this step of a route or for a card."""
        kept = (self.private.get("sealed") or {}).get(question.id) or {}
        ahead = self.private.get("ahead") or {}
        found = {}
        for seat in question.sides:
            if seat in kept:
                found[seat] = kept[seat]["text"]
            elif seat in ahead and self._is_for(question, seat, ahead[seat]["text"]):
                found[seat] = ahead[seat]["text"]
            elif filed := filing.answer(self, question, seat):
                found[seat] = filed
        return found

    def complete(self, question: Question) -> bool:
        """Have all answered? A card window is never closed before its time, so it is never complete (6.2)."""
        if not question.sealed:
            return set(question.sides) <= self.match.neutral
        return question.kind not in CARD_WINDOWS and set(question.sides) <= self.sealed(question).keys() | self.match.neutral

    def close(self, qid: str, *, by: str = "", throws: Iterable[Throw] = (), reason: str = "") -> list[int]:
        """Close a poll, or answer for a silent seat by the default. `by` says who did: clock or moderator."""
        question = self.match.question
        if question is None or question.id != qid:
            raise NotNow("not_the_open_question", id=qid, open=question.id if question else "")
        if question.sides == (MODERATOR,):
            raise Refused(question.rule, "ruling_needed", what=question.about["what"])
        if question.kind in CARD_WINDOWS and by and by != "clock":
            raise Refused("6.2", "window_runs_its_time", id=qid, due=self.match.due_of(question))
        marks: dict[str, Any] = {"clock": by} if by == "clock" else {"reason": by} if by else {}
        if not question.sealed:
            entry: dict[str, Any] = {"by": question.sides[0], "do": self.match.say(question.silence(question.sides[0])), **(
                {"as": "silent"} if by else {}), **({"reason": by} if by and by != "clock" else {})}
            return self.take(entry, throws, reason)
        answers, silent = self._answers(question)
        if silent and question.kind not in QUIET:
            marks["silent"] = silent
        if stood_in := standing.answered_by(self, question):
            marks["standing"] = stood_in
        return self.take({"close": qid, "answers": answers, **marks}, throws, reason)

    def _answers(self, question: Question) -> tuple[dict[str, str], list[str]]:
        """What was declared, in Turn Order, and who said nothing; of quiet windows only what is really played."""
        declared: dict[str, Any] = {}
        for seat, text in self.sealed(question).items():
            declared[seat] = self._declared(question, seat, read_answer(text, self.match.names), declared)
        answers = {seat: self.match.say(declared.get(seat, question.silence(seat))) for seat in question.sides}
        if question.kind in QUIET:
            answers = {seat: text for seat, text in answers.items() if text != self.match.say(question.silence(seat))}
        return answers, [seat for seat in question.sides if seat not in declared]

    def _declared(self, question: Question, seat: str, alternatives: tuple[Alternative, ...], before: Mapping[str, Any]) -> Any:
        """The first alternative whose condition is met and that is still legal; else what silence means."""
        for one in alternatives:
            if one.at not in (None, question.about.get("space")):
                continue
            if one.condition is not None:
                who = str(one.condition.who)
                acted = before.get(who, question.silence(who)) != question.default
                if acted != (one.condition.op == "acts"):
                    continue
            answer = question.legal(seat, one.orders)
            if answer is not None:
                return answer
        return question.silence(seat)

    def _forget_answered(self) -> None:
        """Sealed answers go when their question is closed; what they say about later steps of a route is kept for those."""
        sealed = self.private.get("sealed") or {}
        question, act = self.match.question, self.match.g.activation
        open_still = {frame.id for frame in self.match.table.stack} if self.match.table is not None else set()
        for qid in [one for one in sealed if one not in open_still]:
            for seat, kept in sealed.pop(qid).items():
                if any(one.at for one in read_answer(kept["text"], self.match.names)):
                    self.private.setdefault("ahead", {})[seat] = kept
        if "sealed" in self.private and not sealed:
            del self.private["sealed"]
        if act is None or not (act.route or question is not None and question.sealed):
            self.private.pop("ahead", None)

    def _is_for(self, question: Question, seat: str, text: str) -> bool:
        space = question.about.get("space")
        return seat in question.sides and any(
            one.at == space and question.legal(seat, one.orders) is not None
            for one in read_answer(text, self.match.names))

    # --- cards filed in advance ----------------------------------------------------------------------------------

    def file(self, seat: str, text: str) -> dict[str, Any]:
        """`battle at Larisa: play 48 as surprise else play O60 as surprise`; what was understood is returned."""
        if seat not in self.match.seats:
            raise Refused("2", "unknown_seat", seat=seat, known=list(self.match.seats))
        made = filing.file(self, seat, text)
        self.keep()
        return made

    def take_back(self, seat: str, number: int) -> None:
        """What a seat has filed under this number is forgotten."""
        filing.take_back(self, seat, number)
        self.keep()

    # --- what waits ----------------------------------------------------------------------------------------------

    def waiting(self, seat: str) -> list[str]:
        """The rest of a seat's submission that has not been looked at."""
        return list(((self.private.get("prepared") or {}).get(seat) or {}).get("lines") or ())

    def is_held(self, seat: str) -> bool:
        return bool(((self.private.get("prepared") or {}).get(seat) or {}).get("held"))

    def set_waiting(self, seat: str, lines: list[str], *, held: bool = False, since: int = 0) -> None:
        """`since`: the first entry that their sender could not know when he sent them ahead."""
        prepared = self.private.setdefault("prepared", {})
        if lines:
            since = since or int((prepared.get(seat) or {}).get("since", 0))
            prepared[seat] = {"lines": lines, **({"held": 1} if held else {}), **({"since": since} if since else {})}
        else:
            prepared.pop(seat, None)
            if not prepared:
                del self.private["prepared"]

    def keep(self) -> None:
        self._before = self._volatile()
        if (changed := self._changed()) is not None:
            gamelog.write_private(self.place, changed)

    def run(self, *, release: str = "") -> list[Outcome]:
        """Go on with whatever can go on: polls that are complete, the rest of submissions, closed clocks.

        Lines held after something unforeseen wait until their sender, or the moderator, releases them.
        """
        outcomes: list[Outcome] = []
        if skipped := self._skipped(len(self.game.entries) + 1):    # an undo may have opened one again
            self._write(skipped)
        if asked := self._asked(len(self.game.entries) + 1):
            self._write(asked)
        while True:
            question = self.match.question
            if question is None:
                break
            if not self.is_held(question.sides[0]) and self.waiting(question.sides[0]) and holds_back(self, question.sides[0]):
                self.set_waiting(question.sides[0], self.waiting(question.sides[0]), held=release != question.sides[0])
            if question.kind == "turn_up" and question.default.verb == "turn_up":
                self.take({"by": MODERATOR, "do": self.match.say(question.default)})
                continue
            if (entries := standing.consult(self)) is not None:
                outcomes.append(Outcome(f"standing {question.id}", "done", entries=entries))
                continue
            if self.complete(question):
                outcomes.append(Outcome(f"close {question.id}", "done", entries=self.close(question.id)))
                continue
            seat = question.sides[0] if len(question.sides) == 1 else ""
            lines = self.waiting(seat)
            if not lines or (self.is_held(seat) and release != seat):
                break
            if takes_several(question):
                break
            self.set_waiting(seat, [])
            done = Submission(self, seat).take(lines)
            if question.kind not in SEGMENTS and done and done[0].state == "refused" and not done[0].did:
                self.set_waiting(seat, lines)              # they are for later: this question is another one
                break
            outcomes += done
            release = ""
            if not any(one.entries for one in done):
                if done and done[0].state == "refused":
                    self.set_waiting(seat, lines, held=True)
                break
            if self.is_held(seat):
                break
        self.keep()
        return outcomes

    def overdue(self) -> Question | None:
        """The open question if its deadline has passed, nobody holds the clock, and silence answers it."""
        question = self.past_due()
        return question if question is not None and self.on_silence(question) == "default" else None

    def on_silence(self, question: Question) -> str:
        """The game's rule for silence: `default`, or it waits: `hold`, `moderator`. For a kind of question, a turn, or all.

        A card window runs its time whatever is said (6.2). The defaults of a whole player turn are the quiet turn.
        """
        said = self.game.header["rules"].get("silence") or {}
        kinds = (question.kind, *(("turn",) if question.kind in SEGMENTS else ()), "default")
        how = str(next((said[kind] for kind in kinds if kind in said), "default"))
        return "default" if how == "quiet" or question.kind in CARD_WINDOWS else how

    def past_due(self) -> Question | None:
        """The open question if its deadline has passed and nobody holds the clock."""
        question = self.match.question
        if question is None or self.match.held:
            return None
        due = self.match.due_of(question)
        if not due or self.now < clock.end_of(due):
            return None
        return question

    # --- the moderator's own acts --------------------------------------------------------------------------------

    def undo(self, entry: int, reason: str, *, consent: Sequence[str] = (), override: bool = False) -> list[int]:
        """Take back everything from an entry on. What became known since stains, and asks those who acted."""
        if not 1 <= entry <= len(self.game.entries):
            raise Refused("0", "no_such_entry", entry=entry, entries=len(self.game.entries))
        while entry > 1 and {"turn_end", "openings"} & self.game.entries[entry - 1].keys():
            entry -= 1                                      # what was written with an entry is taken back with it
        stain, acted = self.stain(entry)
        missing = [seat for seat in acted if seat not in consent]
        if stain and missing and not override:
            raise Refused("0", "consent_needed", entry=entry, stain=stain, seats=missing)
        made: dict[str, Any] = {"undo": entry, "reason": reason}
        if stain:
            made["stain"] = stain
        if consent:
            made["consent"] = list(consent)
        if override:
            made["override"] = "yes"
        before = self.game
        survivors = gamelog.survivors([*before.entries, made], str(before.path))
        probe = blank(self.game.header, self.corrections, self.keys, self.private)
        probe.fold([*before.entries, made], survivors)         # only what can be folded is written
        self.private.pop("sealed", None)
        self.private.pop("prepared", None)
        standing.give_back(self.private, entry)
        filing.give_back(self.private, entry)
        self.match = probe
        self._write([made])
        self._write(self._asked(len(self.game.entries) + 1))
        return [len(before.entries) + 1]

    def stain(self, entry: int) -> tuple[list[str], list[str]]:
        """What became known since an entry, and which seats acted since."""
        standing = {place + 1 for place in gamelog.survivors(self.game.entries, str(self.game.path)) if place + 1 >= entry}
        stain: list[str] = []
        acted: list[str] = []
        for number in sorted(standing):
            one = self.game.entries[number - 1]
            stain += [f"die {item[0]}" for item in one.get("dice", ())]
            acted += [seat for seat in (one.get("by"), *(one.get("answers") or {})) if seat and seat not in acted]
            if one.get("answers"):
                stain.append(f"sealed answers to {one['close']}")
        stain += [f"{event.key.replace('_', ' ')} {event.facts.get('card', '')}".strip() for number, event in self.match.history
                  if number in standing and event.key in ("card_drawn", "card_played", "surprise_played", "card_taken")]
        return stain, acted

    def ruling(self, text: str, *, reason: str = "", facts: Mapping[str, Any] | None = None,
               adjust: Mapping[str, Any] | None = None, abandon: str = "") -> list[int]:
        """State facts, adjust totals, abandon a procedure; judged by the invariants, printed with its reason."""
        entry: dict[str, Any] = {"ruling": text, "reason": reason}
        if facts:
            entry["facts"] = dict(facts)
        if adjust:
            entry["adjust"] = dict(adjust)
        if abandon:
            entry["abandon"] = abandon
        if self.match.table is None:
            raise NotNow("not_begun")
        before = set(invariants.broken(self.match.g))
        probe = self._folded()
        probe.apply({**entry}, len(self.game.entries) + 1, self._live())
        broken = [one for one in invariants.broken(probe.g) if one not in before]
        if broken:
            raise Refused("0", "ruling_breaks", what=broken)
        return self.take(entry)

    def amend(self, datum: str, value: str, reason: str) -> list[int]:
        """Correct a datum of the components from here on."""
        return self.take({"amend": datum, "value": yamlfile.parse(value), "reason": reason})

    def accept(self, entry: int, reason: str) -> list[int]:
        """A line that was edited by hand is accepted as it stands now."""
        edits = [one for one in gamelog.hand_edits(self.game) if one.entry == entry]
        if not edits:
            raise Refused("0", "not_edited", entry=entry)
        return self.take({"amend": {"entry": entry}, "was": edits[0].was, "reason": reason})

    def enter(self, entry: Mapping[str, Any]) -> list[int]:
        """Notes, holds, resumptions, seats, amendments, fixes, rebases: entries that need no dice of their own."""
        return self.take(dict(entry))

    def dry_run(self, seat: str, text: str, hand: Sequence[str] | None = None) -> list[Outcome]:
        """What these lines would do, as far as it can be known; nothing is written.

        A player at home has only the published log and, perhaps, his own `hand`.
        """
        trial = Trial(self)
        if hand is not None:
            trial.match.g.secret = OwnHand(seat, hand)
        return trial.order(seat, text)


def keys_of(header: Mapping[str, Any], private: Mapping[str, Any]) -> Keys | None:
    """The keys of a game, where its secrets are at hand."""
    if "secrets" not in private:
        return None
    without_beacon(header)
    try:
        secrets = scheme.Secrets.from_plain(header["game"], private["secrets"])
    except (ValueError, TypeError, KeyError):
        raise BadLog("secrets_unreadable", file=gamelog.PRIVATE) from None
    words = (header.get("chance") or {}).get("words") or {}
    return Keys(header["game"], secrets, {seat: words.get(seat) or "" for seat in header["seats"]})


def blank(header: Mapping[str, Any], corrections: Iterable[Mapping[str, Any]], keys: Keys | None,
          private: Mapping[str, Any]) -> Match:
    """A game before its first entry; with the hidden side of the cards where the private file tells it."""
    start = private.get("cards") or {}

    def hidden() -> Hidden:
        return Hidden(keys, start.get("hands") or {}, start.get("deck") or ())

    return Match(header, corrections, hidden if keys is not None or start else None)


class Trial(Desk):
    """A desk that writes nothing and has no chance: it stops at the first thing it cannot know."""

    def __init__(self, desk: Desk, *, whole: bool = False) -> None:
        self.place, self.folder, self.now = desk.place, desk.folder, desk.now
        self.game, self.keys, self.corrections = desk.game, desk.keys, desk.corrections
        self.private = {key: value for key, value in desk.private.items() if key not in WAITING}
        if whole:                                           # the moderator's own trial: with what waits in the private file
            self.private |= copy.deepcopy({key: desk.private[key] for key in WAITING if key in desk.private})
        self.made: list[Mapping[str, Any]] = []             # the entries that it would have written
        self.match = self._folded()
        self.language, self.voices = desk.language, desk.voices

    def _write(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Nothing is written."""
        self.made += entries

    def keep(self) -> None:
        """Nothing is kept."""

    def _live(self, throws: Iterable[Throw] = (), reason: str = "") -> Any:
        return Unthrown()

    def _skipped(self, number: int) -> list[dict[str, Any]]:
        """What others have filed cannot be known: the dry run waits where the game would go on."""
        return []
