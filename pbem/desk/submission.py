"""What a seat sends: lines in strict sequence, each an answer or orders, until one is refused or has to wait.

A line is judged, its price told, and only then handed to the desk, which applies and writes it.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, product
from typing import Any, cast

from pbem.base.errors import Ambiguous, Costly, NotNow, PbemError, Refused, Unreadable
from pbem.chance.draws import Throw
from pbem.chance.receipts import Receipt
from pbem.desk.foresight import unforeseen
from pbem.desk.opengame import OpenGame
from pbem.desk.tray import Answer
from pbem.desk.typed import addressed, letter, reading
from pbem.kernel.procedures import Question
from pbem.orders import LETTERS, LONGEST_LINE, Alternative, Line, Order, parse, read_answer, read_line, say_answer
from pbem.orders.language import resembles_an_order, tidied
from pbem.play.match import Match, takes_several
from pbem.rules import independents, naval, routes
from pbem.rules.prices import REMARKS
from pbem.table.state import SEGMENTS
from pbem.telling.offers import by_verb, lettered

STEPS = {"march": routes.steps, "sail": naval.steps, "independent_move": independents.steps}


class Outcome:
    """What became of one line: done, waiting for others, refused, not looked at; and what it set off."""

    __slots__ = ("did", "entries", "error", "is_step", "left", "line", "question", "receipt", "remarks", "replaced", "seat",
                 "state", "stops", "waiting")

    def __init__(self, line: str, state: str, error: PbemError | None = None, entries: Sequence[int] = (),
                 waiting: str = "", did: Sequence[str] = (), remarks: Sequence[Costly] = ()) -> None:
        self.line = line if len(line) <= LONGEST_LINE else f"{line[:60]}..."
        self.state = state                  # done answered sealed waiting refused unknown unread condition held prepared
        self.error = error
        self.entries = list(entries)
        self.waiting = waiting              # id of the question that the rest waits for
        self.did = list(did)                # the orders as the log has them
        self.remarks = list(remarks)        # what they cost besides, for the record
        self.receipt: Receipt | None = None     # what proves that a sealed answer was taken
        self.left: list[str] = []           # of a compound line what its price held back
        self.question = ""                  # the question that a bare letter answered
        self.replaced = ""                  # the sealed answer whose place it took
        self.stops = False                  # it was done, and then something happened that holds the rest back
        self.seat = ""                      # whose line it is, if it had waited
        self.is_step = False                # nobody typed it: it was spelt out of a line, as the log has it


class Submission:
    """The lines of one seat at the desk; `via` is the mail they came in, `throws` are dice thrown by hand for the first."""

    def __init__(self, desk: OpenGame, seat: str, via: str = "", throws: Iterable[Throw] = (), reason: str = "") -> None:
        self.desk = desk
        self.seat = seat
        self.via = via
        self.throws = list(throws)
        self.reason = reason
        self.before: list[str] = []             # what lay there already, and stays

    def work_through(self, lines: list[str]) -> list[Outcome]:
        """One line after the other. What has to wait is kept; behind a refusal nothing is looked at."""
        desk, outcomes = self.desk, list[Outcome]()
        self.before, lines = desk.waiting(self.seat), self.as_one_answer(lines)
        for index, text in enumerate(lines):
            rest = lines[index + 1:]
            if index and self.stands_in(outcomes[-1], text) and (asked := self.others_asked()):
                self.wait(lines[index:])
                return outcomes + [Outcome(one, "waiting", waiting=asked) for one in lines[index:]]
            try:
                desk.judge_known()
                done = self.line(text)
            except PbemError as error:
                done = Outcome(text, desk.refused(error), error)
            outcomes.append(done)
            if done.error is not None:
                return [*outcomes, *(Outcome(one, "unread") for one in rest)]
            steps = desk.waiting(self.seat)
            if done.waiting and done.state != "sealed" or done.stops or steps:
                self.wait(steps[len(self.before):] + rest, held=done.stops)
                left = [Outcome(one, "held" if done.stops else "waiting", waiting=done.waiting)
                        for one in (steps + rest if done.stops else rest)]
                for one in left[:len(steps) if done.stops else 0]:
                    one.is_step = True
                return outcomes + left
        return outcomes

    def wait(self, lines: list[str], *, held: bool = False) -> None:
        """The rest of these lines waits, behind what lay there before."""
        if lines or held or not self.before:
            self.desk.set_waiting(self.seat, self.before + lines, held=held or self.desk.is_held(self.seat))

    def stands_in(self, done: Outcome, following: str = "") -> bool:
        """What a line has led to and only its sender is asked, his standing orders answer, if what follows does not."""
        first = len(done.entries)
        while (question := self.desk.match.question) is not None and question.sides == (self.seat,) and not (
                question.sealed or question.kind in SEGMENTS
                or following and self.replies(question, following)):
            if (entries := self.desk.stand_in(question)) is None:
                break
            done.entries += entries
        return len(done.entries) > first

    def replies(self, question: Question, text: str) -> bool:
        """Is this line meant for such a question?"""
        try:
            if takes_several(question):
                return bool(self.alternatives(question, text))
            line = reading(self.desk.match, self.seat, read_line, self.spelt_out(text))
            return line is not None and question.read(self.seat, line.orders[0]) is not None
        except Costly:
            return True
        except PbemError:
            return bool(letter(text))

    def others_asked(self) -> str:
        """The question that is open, if it is not for the sender of these lines."""
        question = self.desk.match.question
        return question.id if question is not None and question.sides != (self.seat,) else ""

    def as_one_answer(self, lines: list[str]) -> list[str]:
        """An answer to a window may fill several lines: as many as can be read together are one, or one else the other."""
        question = self.desk.match.question
        if question is None or not question.sealed or self.seat not in question.sides:
            return lines
        lines = [said if named.casefold() == question.id.casefold() else one
                 for one in lines for named, said in [addressed(one)]]
        for count, joint in product(range(len(lines), 1, -1), ("; ", " else ")):
            try:
                self.alternatives(question, joint.join(lines[:count]))
            except PbemError:
                continue
            return [joint.join(lines[:count]), *lines[count:]]
        return lines

    def line(self, text: str) -> Outcome:
        """One line: for the open question, or for the one that it names; an answer if that asks this seat, else orders."""
        named, said = addressed(text)
        question = self.desk.match.question
        if named and (question is None or question.id.casefold() != named.casefold()):
            raise NotNow("not_the_open_question", id=named, open=question.id if question is not None else "")
        try:
            done = self.answer_or_orders(said)
        except Unreadable as error:
            if question is not None and self.seat in question.sides and not question.ahead:
                self.judge_nonsense(question, said, error)
            raise
        done.line = text
        if question is not None and letter(text) and question.kind not in SEGMENTS:
            done.question = question.id
        return done

    def answer_or_orders(self, text: str) -> Outcome:
        """A sealed answer if a poll asks this seat, else orders one after the other."""
        question = self.desk.match.question
        if question is not None and self.is_answer(question, text):
            return self.answer(question, text)
        try:
            line = reading(self.desk.match, self.seat, read_line, self.spelt_out(text))
        except (Unreadable, Ambiguous):
            self.judge_condition(text)
            raise
        if line is None:
            return Outcome(text, "done")
        if line.condition is not None and not routes.condition_holds(
                self.desk.match.g, self.seat, line.condition, line.orders):
            return Outcome(text, "condition")
        return self.orders(text, line)

    def judge_condition(self, text: str) -> None:
        """What others do in the same window is no condition where nobody else is asked."""
        try:
            conditions = [one.condition for one in reading(self.desk.match, self.seat, read_answer, text)]
        except PbemError:
            return
        if any(conditions):
            raise Refused("9.1", "condition_only_sealed")

    def judge_nonsense(self, question: Question, text: str, error: PbemError) -> None:
        """In the place of what is like no order at all, and of a letter with something behind it, some of what is offered."""
        own, say = question.kind in SEGMENTS, self.desk.match.say
        offers: dict[str, Any] = ({verb: orders[0] for verb, orders in by_verb(question, self.seat).items()} if own
                                  else dict(lettered(question, self.seat)))
        first, known = (tidied(text).split() or [""])[0].casefold(), error.facts.get("suggestions")
        amiss = error.key == "unknown_name" and first in LETTERS and not (first in offers and known)
        if offers and (amiss or error.key == "unreadable_order" and not resembles_an_order(text)):
            raise Unreadable("unreadable_order" if own else "unreadable_answer", text=text, letters=list(offers),
                             suggestions=[say(one) for one in islice(offers.values(), 3 if own else 2)]) from error

    def is_answer(self, question: Question, text: str) -> bool:
        try:
            orders: Sequence[Order] = reading(self.desk.match, self.seat, parse, text)
        except PbemError:                                       # alternatives and conditions are no plain orders
            orders = ()
        return self.desk.match.is_answer(question, self.seat, orders)

    # --- orders ------------------------------------------------------------------------------------------------

    def orders(self, text: str, line: Line) -> Outcome:
        """The orders of a line, compound ones step by step, until somebody else is asked or the unforeseen happens."""
        desk, seat = self.desk, self.seat
        done = Outcome(text, "done")
        how = " regardless" * line.regardless + " yes" * line.confirmed
        todo = [step for order in map(self.of_this_segment, line.orders) for step in spelt_steps(desk.match, seat, order)]
        for index, order in enumerate(todo):
            try:
                self.one(order, line, done)
            except PbemError as error:
                done.state, done.error = desk.refused(error), error     # what stood before it in the line is done
                done.left = [desk.match.say(one) + " regardless" * line.regardless for one in todo[index:]] if done.did else []
                return done
            rest = [desk.match.say(one) + how for one in todo[index + 1:]]
            if rest:
                self.stands_in(done)
            if asked := self.others_asked():
                self.wait(rest)
                done.state, done.waiting = "waiting" if rest else "done", asked
                return done
            done.stops = unforeseen(desk, seat) and not line.regardless
            if done.stops and rest:
                self.wait(rest, held=True)
                return done
        return done

    def of_this_segment(self, order: Order) -> Order:
        """`end tyche` ends the Tyche Segment, and no other."""
        question = self.desk.match.question
        if order.verb == "end" and order.kind and question is not None and question.kind != order.kind:
            raise NotNow("another_segment", said=order.kind, segment=question.kind)
        return order.but(kind=None) if order.verb == "end" else order

    def one(self, order: Order, line: Line, done: Outcome) -> None:
        """One order: judged, its price told, applied, written."""
        match = self.desk.match
        how, read = match.read(self.seat, order)
        for rule, key, facts in match.costs(self.seat, how, read):
            if key in REMARKS:
                done.remarks.append(Costly(rule, key, **facts))
            elif not line.confirmed:
                raise Costly(rule, key, order=match.say(read), **facts)
        said = match.say(read)
        done.entries += self.enter(said)
        done.did.append(said)

    def enter(self, said: str) -> list[int]:
        """Hand an order to the desk, with the mail it came in and the dice that were thrown for it."""
        entry = {"by": self.seat, "do": said, **({"via": self.via} if self.via else {})}
        throws, self.throws = self.throws, []
        return self.desk.enter(entry, throws, self.reason)

    def spelt_out(self, text: str) -> str:
        """One letter stands for the offer that was printed under it."""
        question = self.desk.match.question
        if question is None or self.seat not in question.sides or question.kind in SEGMENTS or not letter(text):
            return text                                     # one's own turn is not lettered
        return self.desk.match.say(self.offered(question, letter(text)))

    def offered(self, question: Question, letter: str) -> Any:
        """What was printed under a letter."""
        offers = dict(lettered(question, self.seat))
        if letter not in offers:
            raise Refused(question.rule, "no_such_letter", letter=letter, known=list(offers))
        return offers[letter]

    # --- answers -----------------------------------------------------------------------------------------------

    def answer(self, question: Question, text: str) -> Outcome:
        """An answer to a window: kept sealed until all are in; it may name alternatives and conditions."""
        alternatives = self.alternatives(question, text)
        if not question.sealed:
            said = self.desk.match.say(question.read(self.seat, alternatives[0].orders))
            return Outcome(text, "done", entries=self.enter(said), did=[said])
        did = [say_answer(alternatives, self.desk.match.names)]
        sealed, earlier = Outcome(text, "sealed", did=did), self.desk.tray.answer(question.id, self.seat)
        sealed.replaced = earlier.text if earlier is not None and earlier.text != did[0] else ""
        sealed.receipt = self.desk.seal(question, Answer(seat=self.seat, question=question.id, text=did[0], via=self.via))
        try:
            if self.desk.complete(question):
                sealed.entries = self.desk.close(question.id, throws=self.throws, reason=self.reason)
        except NotNow as error:
            if error.key != "beacon_awaited":           # it counts all the same, and is opened when the beacon has spoken
                raise
        if not sealed.entries:
            sealed.waiting = question.id
            self.desk.keep()
        return sealed

    def alternatives(self, question: Question, text: str) -> tuple[Alternative, ...]:
        """Read an answer; every alternative for this place has to be legal as far as it can be known."""
        seat, place = self.seat, question.about.get("space")
        text = tidied(text)
        confirmed = text.rstrip(" .!").endswith(" yes")
        if confirmed:
            text = text.rstrip(" .!").removesuffix(" yes")
        out = []
        for one in self.read_alternatives(question, text):
            orders = self.letters(question, one.orders)
            if one.at is not None and question.ahead is not None:
                orders = question.ahead(seat, one.at, orders)
            elif one.at in (None, place):
                orders = question.read(seat, orders)
                prices = question.costs(seat, orders) if question.costs is not None else []
                if prices and not confirmed:
                    raise Costly(prices[0][0], prices[0][1], order=self.desk.match.say(orders), **prices[0][2])
            out.append(one._replace(orders=orders))
        if question.ahead is None and not any(one.at in (None, place) for one in out):
            out.append(Alternative(question.silence(seat)))
        return tuple(out)

    def read_alternatives(self, question: Question, text: str) -> tuple[Alternative, ...]:
        """What is said, step by step where a whole route is asked about."""
        try:
            return cast(tuple[Alternative, ...], reading(self.desk.match, self.seat, read_answer, self.spelt_out(text)))
        except Unreadable as problem:
            if question.ahead is None:
                raise
            names = self.desk.match.names
            steps = [f"at {names.say('space', space)}: pass" for space in question.about["route"]]
            raise Unreadable("unreadable_order", text=text, suggestions=["; ".join(steps)]) from problem

    def letters(self, question: Question, orders: tuple[Order, ...]) -> tuple[Order, ...]:
        """`b with 2 loyal`: the offer that was printed under the letter, with other pieces."""
        out: list[Order] = []
        for order in orders:
            if order.verb != "letter":
                out.append(order)
                continue
            for offered in self.offered(question, order.letter):
                out.append(offered.but(pieces=order.pieces) if order.pieces is not None else offered)
        return tuple(out)


def spelt_steps(match: Match, seat: str, order: Order) -> list[Order]:
    """Compound orders are sugar: a march or a voyage is one step after the other."""
    steps = STEPS.get(order.verb)
    return steps(match.g, seat, order) if steps is not None else [order]


def not_played(outcomes: Sequence[Outcome]) -> list[str]:
    """Of lines that were gone through: those from a refusal on, of the refused one what was not done of it."""
    place = next((place for place, one in enumerate(outcomes) if one.error is not None), len(outcomes))
    return [line for one in outcomes[place:] for line in one.left or [one.line]]


def holds_back(desk: OpenGame, seat: str) -> bool:
    """Does the rest of what this seat sent wait for its word? Not a line that goes on regardless."""
    try:
        line = reading(desk.match, seat, read_line, desk.waiting(seat)[0])
    except PbemError:
        line = None
    return unforeseen(desk, seat) and not (line is not None and line.regardless)
