"""Hands come with what proves them, wherever their owner reads them; and whoever has the log can check it."""

import json
import re
from pathlib import Path

import pytest
from small_game import MARCH, found, go_on

from pbem.chance.check import FAILED, OK
from pbem.mail import config, letters, paste, requests
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.outbox import Bookmark
from pbem.mail.request import Request
from pbem.play.verify import hand_checks, json_of


@pytest.fixture
def desk(tmp_path: Path) -> MailDesk:
    """Cards have been dealt by the game's own deck."""
    start = {key: value for key, value in MARCH.items() if key != "segment"} | {"phase": "deal"}
    go_on(found(tmp_path / "g", start), 2)
    made = MailDesk(tmp_path / "g")
    made.tray.addresses = {"red": ["anna@example.com"]}
    return made


def checked(desk: MailDesk, text: str) -> list[str]:
    """What a player finds who saves the text and has the public log."""
    kept = desk.folder / "kept.txt"
    kept.write_text(text)
    return [check.state for check in hand_checks(desk.game, kept)]


def mailbox(desk: MailDesk) -> config.Config:
    return config.write(desk.folder / "mail.yaml", {
        "address": "host@example.org", "imap": {"host": "localhost"}, "smtp": {"host": "localhost"}, "games": ["."]})


def test_a_hand_is_proved_by_mail_on_request_and_in_the_letter_of_a_forum_seat(desk: MailDesk) -> None:
    cards = len(desk.match.g.secret.hand("red"))
    ask = Request(desk, mailbox(desk), Sender("red", "m1", "anna@example.com", "<1@example.com>"), [], [])
    (report,) = letters.report(desk, mailbox(desk), "red", 1)
    message = paste.message(desk, "red", {"red": Bookmark()})
    for text in (requests.answer(ask, "hand").text, report.text, message, re.sub("(?m)^", "> ", report.text)):
        assert checked(desk, text) == [OK] * cards
    assert "[c]" in message and max(map(len, report.text.splitlines())) < 80


def test_it_comes_when_a_card_has_come_and_never_to_others(desk: MailDesk) -> None:
    later = len(desk.game.entries) + 1
    (report,) = letters.report(desk, mailbox(desk), "red", later)
    assert "openings" not in report.text
    (report,) = letters.report(desk, mailbox(desk), "red", 1)
    salts = set(re.findall("[0-9a-f]{64}", report.text))
    desk.tray.addresses["blue"] = ["bruno@example.com"]
    (other,) = letters.report(desk, mailbox(desk), "blue", 1)
    assert len(salts & set(re.findall("[0-9a-f]{64}", other.text))) < len(salts) / 2        # nodes near the root are shared
    assert all(card[2] not in other.text for card in own(desk))


def own(desk: MailDesk) -> list[list[object]]:
    from pbem.desk import openings

    return list(openings.hand(desk.game.entries, desk.match, desk.keys, "red")["openings"]["cards"])


def test_an_exchanged_card_is_found(desk: MailDesk) -> None:
    (report,) = letters.report(desk, mailbox(desk), "red", 1)
    (_, card, *_), *_ = own(desk)
    other = "1" if card != "1" else "2"
    assert FAILED in checked(desk, report.text.replace(f'"{card}"', f'"{other}"'))


def test_where_nothing_was_promised_there_is_nothing_to_prove(tmp_path: Path) -> None:
    made = MailDesk(found(tmp_path / "g", secrets=False, cards=True).folder)
    ask = Request(made, mailbox(made), Sender("red", "m1", "anna@example.com", "<1@example.com>"), [], [])
    told = requests.answer(ask, "hand").text
    assert told.startswith("Your hand") and "openings" not in told


def test_the_log_that_is_asked_for_is_the_log_however_long_its_lines_are(desk: MailDesk) -> None:
    desk.enter({"note": "a note of several words, which a mail program would fold " * 30})
    ask = Request(desk, mailbox(desk), Sender("red", "m1", "anna@example.com", "<1@example.com>"), [], [])
    text = requests.answer(ask, "proof").text
    log = text[text.index("{"):]
    assert not any(" " in line for line in log.splitlines()) and json.loads(log) == json.loads(json_of(desk.game))
