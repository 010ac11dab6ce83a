"""The first player turns of a whole game by mail; `python tests/mail/whole_game.py OUT` plays on to victory."""

import logging
from itertools import pairwise

import pytest
from table import PEOPLE, Table, body
from whole_game import ByMail


@pytest.fixture
def evening(table: Table) -> ByMail:
    logging.disable(logging.WARNING)            # the SMTP server has a complaint for each of hundreds of log-ins
    evening = ByMail(1, table, ("", "de", "it", "ru"), lambda g: g.player == "black")
    evening.play()
    logging.disable(logging.NOTSET)
    return evening


def test_from_the_words_to_the_third_player_turn_every_mail_counts(evening: ByMail) -> None:
    """What people write who read what they are offered is played as they meant it, and everybody hears of it, once."""
    table, g = evening.table, evening.desk.match.g
    assert (g.turn, g.round, g.player) == (1, 1, "black")
    assert not evening.refused
    assert set(table.states()) == {"applied"}
    for seat in PEOPLE:
        mails = table.inbox(seat)
        assert all(one != other for one, other in pairwise(str(one["Date"]) for one in mails)), "two mails of one run"
        told = [paragraph for one in mails for paragraph in body(one).split("\n\n") if " 1 > " in paragraph]
        assert len(set(told)) == len(told)
