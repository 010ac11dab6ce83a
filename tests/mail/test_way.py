"""What is decided about a mail: from all that is known of it, and without touching anything."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH
from table import Table, Unconnected
from test_killed import letters

from pbem.desk.tray import Tray
from pbem.mail import fetching, reading, rights, way
from pbem.mail.box import Box
from pbem.mail.ledger import Row
from pbem.mail.routing import Roster, Route
from pbem.mail.run import Run
from pbem.mail.way import Apply, Case, Choose, Confirmed, Doubt, Leave, Note, Refuse, Stay, Suspect, Unreachable

NOWHERE = Route([], None, "", named=False)
BOUNCE = """\
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; anna@example.com
Action: failed
Status: 5.1.1

--x--
"""


def roster(game: str, **private: Any) -> Roster:
    return Roster(Path(game), game, Tray(addresses={"red": ["anna@example.com"]}, **private))


def case(text: str = "\npass", sender: str = "anna@example.com", **known: Any) -> Case:
    mail = reading.understand(f"From: {sender}\nSubject: x\n{text}\n".encode(), own_domain="example.org")
    more = {"route": NOWHERE, "rosters": {}, "largest": 1000, **known}
    return Case(row=Row("a" * 16, 1, size=more.pop("size", 100)), mail=mail, **more)


SEVERAL = {"route": Route(["small", "other"], None, "", named=False), "rosters": {
    "small": roster("small", observers=["Friend@example.net"]), "other": roster("other")}}


@pytest.mark.parametrize(("known", "decision", "state"), [
    (case(), Note, "quarantined"), (case(is_whole=False), Stay, ""),
    (case("\nobserve stop", "friend@example.net", rosters=SEVERAL["rosters"]), Leave, ""),
    (case("Precedence: bulk\n\npass"), Note, "robot"), (case("List-Id: x\n\npass"), Note, "list"),
    (case("X-Pbem-Loop: x\n\npass"), Note, "own"), (case(double=Row("b" * 16, 7)), Note, "held"),
    (case(sender="a@example.net, b@example.net"), Note, "held"),
    (case(size=1001), Note, "quarantined"), (case(size=1001, route=Route(["small"], None, "red", named=False)), Stay, ""),
    (case(**SEVERAL), Choose, ""), (case(sender="who@example.net", **SEVERAL), Note, "quarantined"),
    (case(route=Route(["small"], None, "red", named=False)), Stay, ""),
    (case(BOUNCE, rosters=SEVERAL["rosters"]), Suspect, ""), (case(BOUNCE), Suspect, ""),
])
def test_decided_without_a_game(known: Case, decision: type, state: str) -> None:
    found = way.decide(known)
    assert isinstance(found, decision) and getattr(found, "state", "") == state


def test_of_a_bounce_that_anybody_could_write_only_known_addresses_are_told() -> None:
    assert way.decide(case(BOUNCE, rosters=SEVERAL["rosters"])) == Suspect(
        {"anna@example.com": ["small", "other"]}, "5.1.1")
    assert way.decide(case(BOUNCE)) == Suspect({}, "5.1.1")


def test_an_observer_leaves_the_games_whose_reports_he_gets() -> None:
    assert way.decide(case("\nObserve Stop", "FRIEND@example.net", rosters=SEVERAL["rosters"])) == Leave(["small"])


def cases(table: Table) -> dict[str, Any]:
    """What would be decided about each mail that lies on the server, in one run that decides and does nothing else."""
    with ExitStack() as stack:
        run = Run(table.config, table.config.games(), table.now, stack)
        fetching.fetch(run, stack.enter_context(Box(table.config)))
        run.know(run.places)
        found = {}
        for row in run.ledger.received():
            known = way.case_of(run, row.id)
            before = known.desk and (known.desk.tray.plain(), known.desk.game.heads())
            found[row.id] = way.decide(known)
            assert way.decide(known) == found[row.id], "decided twice it is the same"
            assert before == (known.desk and (known.desk.tray.plain(), known.desk.game.heads()))
            assert run.ledger.mails[row.id].state == "received" and run.says == []
        return found


def test_to_decide_touches_nothing_whatever_comes(table: Table) -> None:
    table.add("other")
    table.started()
    table.post("red", "status", subject="[other]")
    table.run()
    letters(table, 40)
    table.later(minutes=1)
    found = cases(table)
    assert {type(one) for one in found.values()} == {Apply, Note, Refuse, Choose, Doubt, Confirmed, Unreachable}
    assert {one.state for one in found.values() if isinstance(one, Note)} == {"robot", "quarantined", "held"}


def test_what_is_decided_follows_the_table_of_rights(table: Table) -> None:
    table.started()
    table.reply("red", "roll")
    table.later(seconds=1)
    table.post("red", "roll")
    table.later(seconds=1)
    table.post("red", "roll", sender="phone@example.net", answers=table.last("red"))
    table.later(seconds=1)
    table.post("blue", "pass", answers=table.last("red"))
    assert [type(one) for one in cases(table).values()] == [Apply, Doubt, Note, Note]
    assert [(one.state, one.seat) for one in cases(table).values() if isinstance(one, Note)] == [
        ("held", "red"), ("quarantined", "blue")]


def test_a_mail_that_was_let_through_asks_no_more_for_its_right(table: Table) -> None:
    table.started()
    table.post("red", "roll")
    (id,) = cases(table)
    with ExitStack() as stack:
        run = Run(table.config, table.config.games(), table.now, stack)
        run.know(run.places)
        known = way.case_of(run, id, released="red")
        assert (known.verdict, known.seat, known.lines.orders) == (rights.RELEASED, "red", ["roll"])
        assert way.decide(known) == Apply()


# --- Surprise cards of several, which are played in Turn Order whoever wrote first (6.2) --------------------------------------


VOUCHED = {"subject": "[small]", "Authentication_Results": "mx.example.org; dmarc=pass header.from=example.com"}


def played(table: Unconnected, *mails: tuple[str, str, bool]) -> list[str]:
    """Who did what, one after the other, where all these mails came before a run; some of them bring no token back."""
    for seat, text, is_reply in mails:
        table.later(minutes=1)
        if is_reply:
            table.reply(seat, text)
        else:
            table.post(seat, text, **VOUCHED)
    table.run()
    assert set(table.states()) == {"applied"}
    return [f"{entry['by']} {entry['do']}" for entry in table.log() if "do" in entry]


@pytest.mark.parametrize(("text", "is_reply"), [
    ("play 57 as surprise on Antigonos", True), ("play 57 as surprise on Antigonos", False),
    ("Please play 57 as surprise on Antigonos", True), ("spiele 57 als Überraschung Ziel Antigonos", True),
    ("сыграть 57 как сюрприз цель Antigonos", True)])
def test_of_several_cards_that_of_the_earlier_in_turn_order_is_played_first(
        quiet: Unconnected, text: str, is_reply: bool) -> None:
    quiet.anew(cards=True, windows="held")
    assert played(quiet, ("yellow", "play 58 as surprise on blue", True), ("red", text, is_reply)) == [
        "red play 57 as surprise on Antigonos", "yellow play 58 as surprise on Blue"]


def test_a_card_that_is_played_in_ones_own_turn_waits_for_what_came_before(quiet: Unconnected) -> None:
    quiet.anew(position={**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards=True, windows="held")
    assert played(quiet, ("yellow", "play 58 as surprise on blue", True), ("red", "play 1 as ops", True)) == [
        "yellow play 58 as surprise on Blue", "red play 1 as ops"]
