"""Tokens that a game gives out: for the question that is open or for the turn, remembered with the game."""


import pytest

from pbem.mail import issuing
from pbem.mail.desk import MailDesk


@pytest.mark.parametrize(("seat", "given"), [
    ("blue", ("blue", "T2.R1.red.3", "T2.R1.red.3")), ("red", ("red", "turn:2", "")), ("black", ("black", "turn:2", ""))])
def test_a_token_is_for_the_open_question_or_for_the_turn(window: MailDesk, seat: str, given: tuple[str, str, str]) -> None:
    assert issuing.token_given(window, seat) == ""
    made = issuing.token_now(window, seat)
    assert window.mail.issued == [given] and issuing.token_given(window, seat) == made != ""
    assert issuing.token_now(window, seat) == made and window.mail.issued == [given]


def test_of_the_tokens_of_a_long_game_the_last_are_known(window: MailDesk) -> None:
    for number in range(issuing.MOST_ISSUED + 3):
        issuing.issue(window, "red", f"confirm:{number}")
    assert len(window.mail.issued) == issuing.MOST_ISSUED and window.mail.issued[0][1] == "confirm:3"


def test_a_game_goes_on_with_the_key_that_it_has(window: MailDesk) -> None:
    key = issuing.secret(window)
    assert key and issuing.secret(window) == key == window.mail.secret
