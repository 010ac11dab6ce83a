"""Four players and a host, from the start words to the end of Game Turn I, all of it by mail through real servers."""

import email
import email.policy
import logging
import shutil
from dataclasses import replace

import pytest
from table import PEOPLE, Table, body

from pbem.base.folder import Lock
from pbem.chance import scheme
from pbem.desk import beginning
from pbem.desk import tray as trays
from pbem.log import gamelog
from pbem.play import verify


def test_a_game_turn_by_mail(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = scheme.Secrets("whole", bytes(range(32)), bytes(range(32, 64)), 100)
    monkeypatch.setattr(scheme, "new_secrets", lambda game, links: fixed)
    logging.disable(logging.WARNING)            # the SMTP server has a complaint for each of hundreds of log-ins
    shutil.rmtree(table.game)
    table.game = table.folder / "games" / "whole"
    names = {"red": "Anna", "blue": "Bruno", "yellow": "Chiara", "black": "Dora"}
    seats = {seat: {"name": name} for seat, name in names.items()}
    beginning.found(table.game, "whole", seats, {}, by_hand=False, words_until="2026-12-01T00:00Z", write=True)
    with Lock(table.game):
        tray = trays.read(table.game)
        trays.write(table.game, replace(tray, addresses={seat: [address] for seat, address in PEOPLE.items()}))
    table.run()
    for seat in PEOPLE:
        assert "Now each of you adds a word" in body(table.last(seat, "about to begin"))
        table.reply(seat, f"Hello!\nword wine for {seat}")
        table.run()
        assert ("All words are in" if seat == "black" else "Waiting for a word from") in body(table.last(seat, "received"))
    assert gamelog.read_game(table.game).header["chance"]["words"] == {seat: f"wine for {seat}" for seat in PEOPLE}
    with Lock(table.game):
        beginning.begin(table.game, None)
    written = 4
    for _ in range(200):
        table.later(hours=1)
        table.run()
        desk = table.desk()
        question = desk.match.question
        if question is None or desk.match.g.turn > 1:
            break
        for seat in question.sides:
            if not (question.sealed and seat in desk.sealed(question)):
                told = [body(one) + str(one["Subject"]) for one in table.inbox(seat)[-3:]]
                assert any(question.id in one for one in told), (question.id, seat)
                said = question.default if question.default is not None else next(question.offers(seat))
                table.reply(seat, desk.match.say(said), quote=written % 3 == 0)
                written += 1
    logging.disable(logging.NOTSET)
    assert desk.match.g.turn == 2 and written > 40
    assert set(table.states()) == {"applied"} and len(table.states()) == written
    receipts = [
        str(one["In-Reply-To"]) for seat in PEOPLE for one in table.inbox(seat) if one["Auto-Submitted"] == "auto-replied"
    ]
    assert len(receipts) == len(set(receipts)) == written
    assert not [one for one in verify.verify(table.game) if one.state == verify.FAILED]
    entries = gamelog.read_game(table.game).entries
    assert sum("via" in entry for entry in entries) > 30 and any("turn_end" in entry for entry in entries)
    table.run()
    sent = [email.message_from_bytes(one.data, policy=email.policy.default) for one in table.smtp.messages
            if one.recipients == ["boss@example.net"]]
    (told,) = [body(mail) for mail in sent if "where its days went" in str(mail["Subject"])]
    assert "the game stood still for" in told and "on average" in told
