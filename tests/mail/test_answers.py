"""How often people are answered: once each, never in floods, and kindly also when the program fails."""

import re
from datetime import timedelta

import pytest
from table import Table, body

from pbem.mail import letters, outbox, status
from pbem.mail.desk import MailDesk

pytestmark = pytest.mark.without_servers


def late(table: Table, times: int) -> None:
    """Blue answers a closed question, more than once."""
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    asked = table.last("blue")
    for seat in ("blue", "yellow"):
        table.reply(seat, "pass")
    table.run()
    for _ in range(times):
        table.post("blue", "b", answers=asked)
        table.run()


def tomorrow(table: Table) -> None:
    table.now = table.now.replace(hour=0, minute=10) + timedelta(days=1)


def test_of_one_kind_of_refusal_a_sender_gets_one_a_day_and_the_others_together_the_next(table: Table) -> None:
    late(table.started(), 3)
    assert sum("not taken" in one for one in table.subjects("blue")) == 1
    tomorrow(table)
    table.run()
    newest = table.inbox("blue")[-1]
    assert sum("not taken" in one for one in table.subjects("blue")) == 2
    assert body(newest).count("your answer came too late") == 2 and table.states().count("refused") == 3


def test_refusals_of_another_kind_are_told_at_once(table: Table) -> None:
    late(table.started(), 1)
    big = table.write("blue", "pass", answers=table.last("blue"))
    table.deliver(big + b"x" * table.config.limits["size"])
    table.run()
    assert sum("not taken" in one for one in table.subjects("blue")) == 2


def test_twenty_answers_a_day_and_the_rest_as_one_mail_the_next(table: Table) -> None:
    table.started()
    for _ in range(outbox.MOST_A_DAY + 4):
        table.reply("red", "status")
    table.run()
    assert len([one for one in table.subjects("red") if "received" in one]) == outbox.MOST_A_DAY
    tomorrow(table)
    table.run()
    assert len([one for one in table.subjects("red") if "received" in one]) == outbox.MOST_A_DAY + 1
    assert body(table.inbox("red")[-1]).count("Waiting for Anna (Red)") == 4
    table.reply("red", "status")
    table.run()
    assert "(+" not in table.subjects("red")[-1]


def test_what_moves_the_game_is_answered_however_often_a_day(table: Table) -> None:
    """Four people who play on one evening write more than twenty mails each, and wait for each receipt."""
    table.started()
    table.reply("red", "roll")
    table.run()
    place = "outside"
    for _ in range(outbox.MOST_A_DAY + 2):
        place = {"outside": "inside", "inside": "outside"}[place]
        raw = table.reply("red", f"shift Antigonos {place} at Halikarnassos")
        ident = re.search(rb"(?im)^message-id: *(<.*>)", raw)
        table.run()
        assert ident and table.inbox("red")[-1]["In-Reply-To"] == ident[1].decode()
    assert len(table.did()) > outbox.MOST_A_DAY
    for _ in range(outbox.MOST_A_DAY):
        before = len(table.inbox("red"))
        table.reply("red", "status")
        table.run()
        assert len(table.inbox("red")) == before + 1


def test_mails_that_others_write_in_his_name_use_up_none_of_his_answers(table: Table) -> None:
    table.started()
    for _ in range(outbox.MOST_A_DAY + 5):
        table.post("red", "end")
    table.run()
    assert sum("confirm" in one for one in table.subjects("red")) == outbox.MOST_CONFIRMED
    table.post("red", "roll", answers=table.last("red", "T2.R1.red.1"))
    table.run()
    assert "received" in table.subjects("red")[-1] and table.did() == ["roll"]


@pytest.fixture
def failing(connected: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The program cannot deal with red's mails."""
    real = MailDesk.order

    def order(desk: MailDesk, seat: str, *more: object, **named: object) -> object:
        if seat == "red":
            raise RuntimeError("something nobody thought of")
        return real(desk, seat, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(MailDesk, "order", order)
    return connected.started()


def test_a_mail_over_which_the_program_fails_is_held_its_sender_told_and_the_run_goes_on(failing: Table) -> None:
    failing.reply("red", "roll")
    failing.reply("blue", "status")
    summary = failing.run()
    assert summary.counts == {"held": 1, "applied": 1} and failing.did() == []
    mine = body(failing.last("red", "not taken"))
    assert "The moderator has it and is told" in " ".join(mine.split()) and "something nobody" not in mine
    assert any(b"waits for you" in one.data for one in failing.smtp.messages if one.recipients == ["boss@example.net"])
    assert "something nobody thought of" in status.text(failing.config, failing.config.games())


def test_when_the_program_is_mended_such_a_mail_is_let_through_and_answered(
        failing: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    failing.reply("red", "roll")
    failing.run()
    monkeypatch.undo()
    assert status.release(failing.config, failing.config.games(), "1", now=failing.now) == "applied"
    failing.run()
    assert failing.did() == ["roll"] and "let this mail through" in body(failing.last("red", "received"))


def test_failing_over_the_answer_too_only_holds_the_mail(failing: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "refusal", lambda *more, **named: 1 / 0)
    failing.reply("red", "roll")
    assert failing.run().counts == {"held": 1}
