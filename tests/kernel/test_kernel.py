"""The kernel knows no game: these procedures ask about apples."""

import pytest

from pbem.base.errors import Refused
from pbem.kernel.procedures import GONE, Abandon, Ask, Poll, Procedure, Table, at_once


class Orchard:
    def __init__(self) -> None:
        self.apples = {"ann": 2, "bob": 1, "cid": 3}
        self.heard: list[object] = []
        self.number = 0

    def next(self) -> str:
        self.number += 1
        return f"q{self.number}"

    def read(self, side: str, wanted: int) -> int:
        if not 0 <= wanted <= self.apples[side]:
            raise Refused("1", "too_many", has=self.apples[side])
        return wanted

    def ask(self, side: str):
        if side not in self.apples:
            return None
        return Ask(side, "give", "1", about={}, read=self.read, candidates=lambda one: range(9), default=0)

    def poll(self):
        return Poll(list(self.apples), "offer", "1", about={}, read=self.read, candidates=lambda one: range(9), default=0)


def giving(orchard: Orchard, side: str) -> Procedure[None]:
    answer = yield lambda: orchard.ask(side)
    orchard.heard.append(answer)
    if answer is not GONE:
        orchard.apples[side] -= answer


def offers(orchard: Orchard) -> Procedure[None]:
    answers = yield lambda: orchard.poll()
    orchard.heard.append(dict(answers))


def both(orchard: Orchard) -> Procedure[None]:
    yield from giving(orchard, "ann")
    yield from offers(orchard)


@at_once
def theft(orchard: Orchard, side: str) -> None:
    del orchard.apples[side]


def test_an_answer_is_judged_before_the_procedure_moves():
    orchard = Orchard()
    table = Table(both(orchard), orchard.next)
    with pytest.raises(Refused):
        table.question.read("ann", 5)
    assert (table.question.id, orchard.heard) == ("q1", [])
    table.answer({"ann": table.question.read("ann", 2)})
    assert (table.question.kind, table.question.id, orchard.apples["ann"]) == ("offer", "q2", 0)


def test_offers_are_exactly_what_the_reader_accepts():
    orchard = Orchard()
    question = orchard.poll()
    assert list(question.offers("bob")) == [0, 1]
    assert question.legal("bob", 2) is None


def test_offers_are_found_once_as_far_as_anybody_asks():
    read: list[tuple[str, int]] = []
    orchard = Orchard()
    question = Poll(list(orchard.apples), "offer", "1", about={}, default=0, candidates=lambda one: range(9),
                    read=lambda side, wanted: read.append((side, wanted)) or orchard.read(side, wanted))
    first, second = question.offers("ann"), question.offers("ann")
    assert (next(first), next(second), next(second), read) == (0, 0, 1, [("ann", 0), ("ann", 1)])
    assert (list(first), list(second), list(question.offers("ann"))) == ([1, 2], [2], [0, 1, 2])
    assert read == [("ann", number) for number in range(9)]
    assert list(question.offers("bob")) == [0, 1]


def test_a_poll_gives_all_answers_together_in_the_order_of_its_sides():
    orchard = Orchard()
    table = Table(offers(orchard), orchard.next)
    table.answer({"cid": 3, "ann": 1, "bob": 0})
    assert list(orchard.heard[0].items()) == [("ann", 1), ("bob", 0), ("cid", 3)]
    assert table.over and table.question is None


def test_a_strict_game_asks_one_side_after_the_other_and_the_later_know():
    orchard = Orchard()
    table = Table(offers(orchard), orchard.next, strict=True)
    asked = []
    while not table.over:
        asked.append((table.question.id, table.question.sides, dict(table.declared())))
        table.answer({table.question.sides[0]: 1})
    assert asked == [("q1", ("ann",), {}), ("q2", ("bob",), {"ann": 1}), ("q3", ("cid",), {"ann": 1, "bob": 1})]
    assert orchard.heard == [{"ann": 1, "bob": 1, "cid": 1}]


def test_a_poll_of_nobody_is_not_put():
    orchard = Orchard()
    orchard.apples.clear()
    assert Table(offers(orchard), orchard.next).over
    assert orchard.heard == [{}] and orchard.number == 0


def test_an_interrupt_runs_on_top_and_the_question_is_made_anew():
    orchard = Orchard()
    table = Table(offers(orchard), orchard.next)
    table.interrupt(theft(orchard, "bob"))
    assert (table.question.id, table.question.sides) == ("q1", ("ann", "cid"))


def test_an_interrupt_may_ask_and_the_first_question_keeps_its_name():
    orchard = Orchard()
    table = Table(offers(orchard), orchard.next)
    table.interrupt(giving(orchard, "cid"))
    assert (table.question.id, table.question.kind) == ("q2", "give")
    table.answer({"cid": 1})
    assert (table.question.id, table.question.kind) == ("q1", "offer")
    with pytest.raises(Refused):
        table.question.read("cid", 3)


def test_a_procedure_whose_subject_has_gone_hears_so():
    orchard = Orchard()
    table = Table(both(orchard), orchard.next)
    table.interrupt(theft(orchard, "ann"))
    assert orchard.heard == [GONE]
    assert table.question.kind == "offer"


def levels(orchard: Orchard) -> Procedure[None]:
    while len(orchard.heard) < 3:
        try:
            yield from giving(orchard, "ann")
        except Abandon as abandoned:
            if abandoned.level != "gift":
                raise
            orchard.heard.append("abandoned")


def test_abandon_ends_the_procedure_up_to_the_level_that_owns_it():
    orchard = Orchard()
    table = Table(levels(orchard), orchard.next)
    table.abandon("gift")
    assert orchard.heard == ["abandoned"] and table.question.kind == "give"
    table.interrupt(offers(orchard))
    table.abandon("gift")
    assert orchard.heard == ["abandoned", "abandoned"] and table.question.kind == "give"


def test_abandon_above_everything_ends_the_game():
    orchard = Orchard()
    table = Table(levels(orchard), orchard.next)
    table.abandon("everything")
    assert table.over and table.question is None
