"""When silence closes a question is decided in one place: the round of the mailbox, `pbem run --overdue`, both lists and the
mails that ask say the same, in every case in which time does not simply run."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from at_the_shell import said as pbem
from table import Table, body, changed
from test_one_run import refusing
from test_time import bounce
from test_unread import last_uid

from pbem.base import clock
from pbem.desk import deadline, overview, showing
from pbem.desk.deadline import CLOSES, GRACE, JUMPED, OPEN, RULE, STOPPED, UNLOOKED, UNREACHABLE, UNREAD, UNSENT
from pbem.desk.desk import Desk
from pbem.mail import status
from pbem.mail.loop import STUCK

Happens = Callable[[Table, pytest.MonkeyPatch], None]
ASKED = "roll\nmarch Antigonos > Ephesos"


class Row(NamedTuple):
    """What stands against silence, or moves the time at which it counts."""

    rules: dict[str, object]            # of the header
    hour: float                         # after the question was asked: when one looks
    mailbox: str                        # what a round of the mailbox finds then
    by_hand: str                        # what is found where everybody posts, and nobody has to look for mails
    before: Happens = lambda table, patch: None         # the question is asked
    after: Happens = lambda table, patch: None          # it is open
    wire: bool = False                  # it is about what comes over the wire, or about a round that does not come


def absent(table: Table, patch: pytest.MonkeyPatch) -> None:
    table.reply("blue", "absent 2026-11-18 to 2026-11-19")
    table.run()


def held(table: Table, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("PBEM_NOW", table.now.isoformat())
    pbem("hold", table.game, "holidays")


def resumed(table: Table, patch: pytest.MonkeyPatch) -> None:
    held(table, patch)
    table.waited(10)
    patch.setenv("PBEM_NOW", table.now.isoformat())
    pbem("resume", table.game)


def written(table: Table, patch: pytest.MonkeyPatch) -> None:
    """An answer that the server does not give out."""
    table.reply("blue", "pass", subject="x")
    refusing(patch, last_uid(table), lambda client: {})


def written_while_nobody_looked(table: Table, patch: pytest.MonkeyPatch) -> None:
    """An outage of ours; his answer comes behind the deadline, while that is made good, and the server does not give it out."""
    table.later(hours=20)
    table.run()
    table.waited(10)
    written(table, patch)


def bounced(table: Table, patch: pytest.MonkeyPatch) -> None:
    table.deliver(bounce(table, "blue", "5.1.1"))
    table.run()


def away(hours: float) -> Happens:
    """Nobody looks."""
    def happens(table: Table, patch: pytest.MonkeyPatch) -> None:
        table.later(hours=hours)
    return happens


def no_server(table: Table, patch: pytest.MonkeyPatch) -> None:
    """Mails are written, and none can be sent."""
    table.run = table.poll              # type: ignore[method-assign]


SHORT = {"default": 12}
ROWS = {
    "its time runs": Row(SHORT, 11, OPEN, OPEN),
    "its time is over": Row(SHORT, 12, CLOSES, CLOSES),
    "grace": Row({**SHORT, "grace": 3}, 14, GRACE, GRACE),
    "grace is over": Row({**SHORT, "grace": 3}, 15, CLOSES, CLOSES),
    "quiet hours": Row({**SHORT, "quiet": "22-7"}, 18, OPEN, OPEN),
    "quiet hours are over": Row({**SHORT, "quiet": "22-7"}, 19, CLOSES, CLOSES),
    "no playing day": Row({"default": 72, "days": "mo-fr"}, 107, OPEN, OPEN),
    "a playing day": Row({"default": 72, "days": "mo-fr"}, 108, CLOSES, CLOSES),
    "away": Row(SHORT, 47, OPEN, OPEN, before=absent),
    "back": Row(SHORT, 48, CLOSES, CLOSES, before=absent),
    "the clock stands still": Row(SHORT, 100, STOPPED, STOPPED, after=held),
    "it stood still": Row(SHORT, 21, OPEN, OPEN, after=resumed),
    "it stood still for as long": Row(SHORT, 22, CLOSES, CLOSES, after=resumed),
    "nobody looked": Row(SHORT, 43, GRACE, CLOSES, after=away(20), wire=True),
    "that is made good": Row(SHORT, 44.001, CLOSES, CLOSES, after=away(20), wire=True),
    "the clock has jumped": Row(SHORT, 30, JUMPED, CLOSES, after=away(30), wire=True),
    "silence is no answer": Row(SHORT, 50, RULE, RULE),
    "silence is for the moderator": Row(SHORT, 50, RULE, RULE),
    "mail does not reach him": Row(SHORT, 50, UNREACHABLE, UNREACHABLE, after=bounced, wire=True),
    "his mail was not read": Row(SHORT, 13, UNREAD, CLOSES, after=written, wire=True),
    "nor what came while nobody looked": Row({**SHORT, "grace": 1}, 42, UNREAD, CLOSES, after=written_while_nobody_looked,
                                             wire=True),
    "he was never asked": Row(SHORT, 13, UNSENT, CLOSES, before=no_server, wire=True),
}
SILENCE = {"silence is no answer": {"default": "hold"}, "silence is for the moderator": {"interception": "moderator"}}


def asked(table: Table, row: Row, name: str, patch: pytest.MonkeyPatch) -> datetime:
    """Blue and Yellow are asked, and time goes by; when they were."""
    table.anew(deadlines=row.rules, **({"silence": SILENCE[name]} if name in SILENCE else {}))
    row.before(table, patch)
    table.reply("red", ASKED)
    table.run()
    begun = table.now
    row.after(table, patch)
    until = begun + timedelta(hours=row.hour)
    while table.now < until - timedelta(hours=2):
        table.later(hours=2)
        table.run()
    table.now = until
    return begun


def is_closed(table: Table, place: Path | None = None) -> bool:
    return any("close" in entry for entry in table.log(place))


def by_hand(table: Table, patch: pytest.MonkeyPatch, name: str) -> None:
    """The same game where all of them post: what the list says next is what the command does."""
    row, place = ROWS[name], table.game.parent / "posted"
    place.mkdir()
    for file in ("game.yaml", "private.yaml"):
        (place / file).write_bytes((table.game / file).read_bytes())
    (place / "private.yaml").chmod(0o600)
    with changed(place) as tray:
        tray.addresses = {}
    patch.setenv("PBEM_NOW", table.now.isoformat())
    desk = Desk(place, now=table.now)
    stands = deadline.closing(desk)
    assert stands is not None and stands.state == row.by_hand
    assert (overview.suggestion(desk) == f"pbem run {place} --overdue") is (row.by_hand == CLOSES)
    why = showing.closing(stands, showing.words(desk)) if row.by_hand != CLOSES else ""
    assert (" ".join(why.split()) in " ".join(overview.status(desk).split())) or row.by_hand in (OPEN, STOPPED)
    told = pbem("run", place, "--overdue")
    assert " ".join(why.split()) in " ".join(told.split()) and is_closed(table, place) is (row.by_hand == CLOSES)


@pytest.mark.parametrize("name", ROWS)
def test_mailbox_command_and_lists_say_the_same(
        request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    row = ROWS[name]
    table: Table = request.getfixturevalue("connected" if row.wire else "quiet")
    begun = asked(table, row, name, monkeypatch)
    assert not is_closed(table)
    desk = table.desk()
    known = deadline.closing(desk)
    assert known is not None and known.state == (row.by_hand if row.by_hand in (OPEN, GRACE, STOPPED, RULE) else UNLOOKED)
    assert (overview.suggestion(desk) == "pbem mail run") is (known.state == UNLOOKED)
    due = desk.match.told_due(known.question)
    for mail in [table.last(seat, "answer is wanted") for seat in ("blue", "yellow") if row.mailbox != UNSENT]:
        told = str(mail["Subject"]) + body(mail)
        assert not due or row.after in (resumed,) or clock.end_of(due) >= begun and due[8:10] in told
    by_hand(table, monkeypatch, name)
    closed = table.run().closed
    assert bool(closed) is is_closed(table) is (row.mailbox == CLOSES)
    listed = " ".join(status.text(table.config, [table.game]).split())
    assert ("silence does not close" in listed) is (row.mailbox in STUCK)
    if row.mailbox in STUCK:
        words = showing.words(table.desk())
        seats = {UNREAD: ("blue",), UNREACHABLE: ("blue",), UNSENT: ("blue", "yellow")}.get(row.mailbox, ())
        stands = deadline.Closing(row.mailbox, known.question, known.at, seats, known.rule)
        assert " ".join(showing.closing(stands, words).split()) in listed


def test_every_state_has_its_row() -> None:
    states = {value for key, value in vars(deadline).items() if key.isupper() and isinstance(value, str)} - {
        deadline.DEFAULT, deadline.MODERATOR}
    assert states <= {state for row in ROWS.values() for state in (row.mailbox, row.by_hand)} | {UNLOOKED}
