"""What is decided about a mail: from all that is known of it, and without touching anything."""

import email
import email.policy
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH
from table import Table, Unconnected, body, changed, token_of
from test_killed import letters
from test_outbox import mail as outbox_mail
from test_time import asked_for_interception, bounce

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.desk.tray import Tray
from pbem.mail import fetching, outbox, reading, rights, status, tokens, way
from pbem.mail.box import Box
from pbem.mail.desk import MailDesk
from pbem.mail.ledger import Row
from pbem.mail.routing import Roster, Route, route
from pbem.mail.run import Run
from pbem.mail.status import Whose
from pbem.mail.way import Apply, Case, Choose, Confirmed, Doubt, Leave, Note, Refuse, Stay, Suspect, Unreachable

WITH_ROYALS: dict[str, Any] = {**MARCH, "forces": [{**MARCH["forces"][0], "cus": {"royal": 2}}, *MARCH["forces"][1:]]}
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
    (case(size=1001, route=Route(["small"], None, "", named=True)), Note, "quarantined"),
    (case(size=1001, sender="a@example.net, b@example.net"), Note, "quarantined"),
    (case(size=1001, route=Route(["small", "other"], None, "red", named=True)), Note, "quarantined"),
    (case("Precedence: bulk\n\npass", verdict=rights.RELEASED, route=Route(["small"], None, "red", named=True)), Stay, ""),
])
def test_decided_without_a_game(known: Case, decision: type, state: str) -> None:
    found = way.decide(known)
    assert isinstance(found, decision) and getattr(found, "state", "") == state


def test_a_mail_as_large_as_is_allowed_is_read() -> None:
    assert [case(size=size).is_giant for size in (1000, 1001)] == [False, True]
def test_a_token_that_nobody_gave_out_leads_nowhere() -> None:
    assert route(SEVERAL["rosters"], "who@example.net", ["abc"], "x") == NOWHERE


def test_of_a_bounce_that_anybody_could_write_only_known_addresses_are_told() -> None:
    assert way.decide(case(BOUNCE, rosters=SEVERAL["rosters"])) == Suspect(
        {"anna@example.com": ["small", "other"]}, "5.1.1")
    assert way.decide(case(BOUNCE)) == Suspect({}, "5.1.1")


def test_of_a_bounce_that_tells_of_a_reader_without_a_seat_his_games_are_told() -> None:
    known = case(BOUNCE.replace("anna@example.com", "friend@example.net"), rosters=SEVERAL["rosters"])
    assert way.decide(known) == Suspect({"friend@example.net": ["small"]}, "5.1.1")


def test_the_moderator_sees_which_stranger_wishes_for_reports() -> None:
    wishes, other = (way.decide(case(f"\n{text}", "who@example.net")) for text in ("Observe, please", "pass"))
    assert isinstance(wishes, Note) and isinstance(other, Note) and "reports" in wishes.why and "reports" not in other.why


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


# --- who may command, by what his mail brings back -------------------------------------------------------------------------


VOUCHED = {"subject": "[small]", "Authentication_Results": "mx.example.org; dmarc=pass header.from=example.com"}
FORGED = {"Authentication_Results": "mx.example.org; dmarc=fail header.from=example.com"}
UNKNOWN = {"subject": "[small]", "text": f"end\n\n> Ref: {tokens.make('9f' * 20, 'small', 'red', 'turn:1')}"}


@pytest.mark.parametrize(("seat", "is_reply", "more", "state", "told"), [
    ("red", True, {}, "refused", "T2.R1.red.1 is closed"), ("red", True, FORGED, "confirm", ""),
    ("blue", True, {}, "quarantined", ""), ("red", True, {"sender": "who@example.net"}, "quarantined", ""),
    ("red", False, {"In_Reply_To": "<x@example.org>"}, "refused", "answers an older one of mine"),
    ("red", False, {"In_Reply_To": "<X@Example.ORG>"}, "refused", "answers an older one of mine"),
    ("red", False, {"In_Reply_To": "<x@example.org>", **FORGED}, "confirm", ""),
    ("red", False, {"In_Reply_To": "<x@example.net>"}, "confirm", ""),
    ("red", False, UNKNOWN, "refused", "answers an older one of mine"),
    ("red", False, {"sender": "who@example.net", **UNKNOWN}, "quarantined", ""),
    ("red", False, VOUCHED, "confirm", ""), ("blue", False, VOUCHED, "applied", "no reference of mine"),
])
def test_what_becomes_of_a_mail_that_brings_back_nothing_that_is_open(
        quiet: Unconnected, seat: str, is_reply: bool, more: dict[str, str], state: str, told: str) -> None:
    first = quiet.started().last("red")
    asked_for_interception(quiet)
    before = quiet.log()
    quiet.post(seat, **{"text": "end", **more}, answers=first if is_reply else None)
    quiet.run()
    assert quiet.states() == ["applied", state] and quiet.log() == before
    assert told in " ".join(body(quiet.last(seat)).split())
    assert ["the reference of Red" in " ".join(one.text.split()) for one in quiet.notices()] == (
        [True] if seat == "blue" and is_reply else [])


def test_whoever_plays_in_two_games_is_asked_whether_a_mail_without_a_reference_is_his(quiet: Unconnected) -> None:
    quiet.add("other")
    quiet.started()
    quiet.post("red", "roll", **VOUCHED)
    quiet.run()
    assert quiet.states() == ["confirm"] and quiet.did() == []


def nobody_is_asked(desk: MailDesk) -> None:
    desk.match.table.question = None


def only_yellow_is_asked(desk: MailDesk) -> None:
    desk.match.question.sides = ("yellow",)


@pytest.mark.parametrize("regret", [0, 30])
def test_orders_for_ones_own_turn_are_taken_while_nobody_is_asked(quiet: Unconnected, regret: int) -> None:
    quiet.anew(deadlines={"regret": regret}).reply("black", "status")
    quiet.run()
    quiet.reply("black", "roll")
    with Lock(quiet.game):
        quiet.run()
    with ExitStack() as stack:
        run = Run(quiet.config, quiet.config.games(), quiet.now, stack)
        run.know(run.places)
        (row,) = run.ledger.received()
        run.fresh.add(row.id)
        nobody_is_asked(run.desk("small"))
        assert way.deal_with(run, row.id) == "applied"


@pytest.mark.parametrize("change", [nobody_is_asked, only_yellow_is_asked])
def test_an_answer_of_somebody_who_is_asked_no_more_is_too_late(quiet: Unconnected, change: Callable[[MailDesk], None]) -> None:
    asked_for_interception(quiet.started())
    quiet.reply("blue", "pass")
    with Lock(quiet.game):
        quiet.run()
    with ExitStack() as stack:
        run = Run(quiet.config, quiet.config.games(), quiet.now, stack)
        run.know(run.places)
        change(run.desk("small"))
        found = way.decide(way.case_of(run, run.ledger.received()[0].id))
    assert isinstance(found, Refuse) and found.kind == "late T2.R1.red.3"


def test_an_answer_to_a_window_is_none_to_the_next_one_of_the_same_march(quiet: Unconnected) -> None:
    quiet.anew(position={**MARCH, "spaces": {"halikarnassos": "red", "pergamon": "yellow"},
                         "forces": [force for force in MARCH["forces"] if force["owner"] != "blue"]})
    quiet.reply("red", "roll\nmarch Antigonos > Ephesos > Sardeis")
    quiet.run()
    first = quiet.last("yellow")
    for _ in range(2):
        quiet.post("yellow", "pass", answers=first)
        quiet.run()
    assert quiet.states()[1:] == ["applied", "refused"] and quiet.desk().asks("yellow")


def test_a_word_for_a_mail_that_nobody_knows_confirms_nothing(quiet: Unconnected) -> None:
    quiet.started()
    with changed(quiet.game) as tray:
        tray.mail.issued.append(("red", "confirm:0123456789abcdef", ""))
        token = tokens.make(tray.mail.secret, "small", "red", "confirm:0123456789abcdef")
    quiet.post("red", f"yes\n\n> Ref: {token}")
    quiet.run()
    assert quiet.states() == ["refused"] and "Nothing waits to be confirmed" in body(quiet.last("red"))


def test_a_word_that_a_run_was_cut_off_over_is_taken_as_it_was_the_first_time(quiet: Unconnected) -> None:
    quiet.started()
    quiet.post("red", "roll", subject="[small]")
    quiet.run()
    quiet.post("red", "yes", answers=quiet.last("red", "confirm"))
    quiet.run()
    ledger = quiet.ledger()
    ledger.put(ledger.find("2")._replace(state="received"))
    ledger.settle()
    assert quiet.run().counts == {"applied": 1} and quiet.did() == ["roll"]


@pytest.mark.parametrize(("text", "whose", "games", "became"), [
    ("roll", Whose("small", "red"), 2, "applied"), ("roll", Whose("", "red"), 1, "applied"),
    ("roll", Whose("", "red"), 2, "refusal"), ("roll", Whose("small", ""), 1, "refusal"),
    ("roll", Whose("small", "green"), 1, "refusal"),
    ("roll", Whose("third", "red"), 1, "refusal"),
    ("Observe, please", Whose("small", ""), 2, "observer"),
    ("Observe, please", Whose("", ""), 1, "observer"),
    ("Observe, please", Whose("", ""), 2, "refusal"),
    ("observe who@example.net", Whose("small", "red"), 1, "applied"),
])
def test_what_is_let_through_is_a_seats_or_a_wish_for_reports(
        quiet: Unconnected, text: str, whose: Whose, games: int, became: str) -> None:
    if games > 1:
        quiet.add("other")
    quiet.started().post("who", text, sender="who@example.net")
    quiet.run()
    assert quiet.states() == ["quarantined"]
    if became == "refusal":
        with pytest.raises(PbemError, match="mail whose"):
            status.release(quiet.config, quiet.config.games(), "1", whose, quiet.now)
    else:
        status.release(quiet.config, quiet.config.games(), "1", whose, quiet.now)
    assert quiet.states() == ["quarantined" if became == "refusal" else "applied"]
    assert quiet.desk().tray.observers == (["who@example.net"] if became == "observer" else [])
    assert quiet.did() == (["roll"] if became == "applied" and text == "roll" else [])


@pytest.mark.parametrize(("asked_about", "answer", "states", "did"), [
    ("roll", "a", ["confirm", "applied"], []), ("roll", "status", ["confirm", "applied"], []),
    ("end", "roll", ["confirm", "applied"], ["roll"]), ("roll", "maybe", ["confirm", "refused"], []),
    ("press blue: hello\n\nroll", "status", ["unclear", "applied"], []),
    ("press blue: hello\n\nroll", "yes\nroll", ["unclear", "applied"], ["roll"]),
    ("press blue: hello\n\nroll", "no", ["rejected", "refused"], []), ("roll", "no", ["rejected", "refused"], []),
])
def test_what_may_be_answered_to_a_question_about_a_mail(
        quiet: Unconnected, asked_about: str, answer: str, states: list[str], did: list[str]) -> None:
    first = quiet.started().last("red")
    quiet.post("red", asked_about, answers=first if "press" in asked_about else None)
    quiet.run()
    asked = quiet.last("red", "confirm")
    assert "roll" in body(asked) or asked_about == "end"
    quiet.post("red", answer, answers=asked)
    quiet.run()
    assert quiet.states() == states and quiet.did() == did


def test_what_was_declined_can_not_be_confirmed_any_more(quiet: Unconnected) -> None:
    quiet.started().post("red", "roll")
    quiet.run()
    asked = quiet.last("red", "confirm")
    for text in ("no", "yes"):
        quiet.post("red", text, answers=asked)
        quiet.run()
    assert quiet.states() == ["rejected", "refused", "refused"] and quiet.did() == []
    assert "Nothing waits to be confirmed" in body(quiet.last("red"))


def test_only_of_what_brought_no_reference_it_is_said_and_not_where_its_sender_confirmed_it(quiet: Unconnected) -> None:
    quiet.started().reply("red", "status")
    quiet.run()
    quiet.post("red", "roll")
    quiet.run()
    quiet.post("red", "yes", answers=quiet.last("red", "confirm"))
    quiet.run()
    assert quiet.did() == ["roll"]
    told = " ".join(" ".join(body(one) for one in quiet.inbox("red")).split())
    assert "no reference of mine" not in told and "let this mail through" not in told


@pytest.mark.parametrize(("second", "states"), [("roll", ["applied", "duplicate"]), ("end", ["applied", "held"])])
def test_a_mail_that_came_by_two_ways_counts_once_and_another_under_its_name_waits(
        quiet: Unconnected, second: str, states: list[str]) -> None:
    raw = quiet.started().post("red", "roll", answers=quiet.last("red"))
    quiet.later(seconds=1)
    quiet.deliver(b"Received: by list.example.net\n" + raw.replace(b"\nroll", b"\n" + second.encode()))
    quiet.run()
    assert quiet.states() == states and quiet.did() == ["roll"]


@pytest.mark.parametrize("mails", [1, 3])
def test_a_mail_because_of_which_nothing_can_be_written_is_held_alone(
        quiet: Unconnected, monkeypatch: pytest.MonkeyPatch, mails: int) -> None:
    """Only at the end of a run it shows, and then nobody knows at first which mail it was."""
    real = MailDesk.commit

    def commit(desk: MailDesk) -> bool:
        if any(entry.get("do") == "roll" for entry in desk.game.entries):
            raise RuntimeError("something nobody thought of")
        return real(desk)

    quiet.started()
    monkeypatch.setattr(MailDesk, "commit", commit)
    for seat, text in (("red", "roll"), ("blue", "status"), ("black", "status"))[:mails]:
        quiet.reply(seat, text)
        quiet.later(seconds=1)
    quiet.run()
    assert quiet.states() == ["held", "applied", "applied"][:mails] and quiet.did() == []
    assert "The moderator has it" in " ".join(body(quiet.last("red", "not taken")).split())


def attached(raw: bytes, text: str) -> bytes:
    """With these lines in a file that hangs on a mail."""
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    mail.add_attachment(text, filename="orders.txt")
    return mail.as_bytes()


def test_orders_that_are_attached_are_asked_about_and_confirm_nothing_themselves(quiet: Unconnected) -> None:
    quiet.started()
    quiet.deliver(attached(quiet.write("red", ""), "roll\n"))
    quiet.run()
    asked = quiet.last("red", "confirm")
    assert "roll" in body(asked)
    quiet.deliver(attached(quiet.write("red", "What mail?", answers=asked), "end\n"))
    quiet.run()
    assert quiet.states() == ["confirm", "refused"]
    quiet.post("red", "yes", answers=asked)
    quiet.run()
    assert quiet.did() == ["roll"] and "attach" in body(quiet.last("red"))


def test_of_forged_mails_a_player_is_told_once_a_day(quiet: Unconnected) -> None:
    asked = quiet.started().last("red")
    for _ in range(2):
        quiet.post("red", "roll", answers=asked, **FORGED)
        quiet.run()
    assert quiet.states() == ["held", "held"] and sum("not taken" in one for one in quiet.subjects("red")) == 1
    quiet.later(days=1)
    quiet.post("red", "roll", answers=asked, **FORGED)
    quiet.run()
    assert sum("not taken" in one for one in quiet.subjects("red")) == 2


def test_that_a_mail_of_his_was_let_through_does_not_show_that_mail_reaches_a_seat(quiet: Unconnected) -> None:
    asked_for_interception(quiet.started())
    asked = quiet.last("blue")
    quiet.deliver(bounce(quiet, "blue", "5.1.1"))
    quiet.post("blue", "pass", answers=asked, sender="phone@example.net")
    quiet.run()
    (notice,) = quiet.notices("waits for you")
    assert "phone@example.net" in notice.text and "pbem mail release 3" in notice.text
    (notice,) = [one for one in quiet.notices() if "pbem mail release 3" in one.text]
    assert "phone@example.net" in notice.text
    because = quiet.ledger().find("3").why
    status.release(quiet.config, quiet.config.games(), "3", now=quiet.now)
    quiet.run()
    assert "The moderator let this mail through" in body(quiet.last("blue")) and quiet.ledger().find("3").why == because
    assert "blue" in quiet.desk().mail.unreachable and "blue" in quiet.desk().sealed(quiet.desk().match.question)
    quiet.post("blue", "status", answers=asked)
    quiet.run()
    assert not quiet.desk().mail.unreachable


def test_a_bounce_that_was_dealt_with_marks_nobody_who_has_written_since(quiet: Unconnected) -> None:
    """Killed before the ledger knew of it."""
    asked_for_interception(quiet.started())
    for code in ("5.1.1", "5.2.1", "4.2.2"):
        quiet.deliver(bounce(quiet, "blue", code))
        quiet.run()
    hard, _, soft = [row for row in quiet.ledger().mails.values() if row.state == "bounce"]
    assert hard.why != soft.why and str(quiet.log()).count("does not reach Blue") == 1
    quiet.reply("blue", "status")
    quiet.run()
    ledger = quiet.ledger()
    ledger.put(hard._replace(state="received"))
    ledger.settle()
    assert quiet.run().counts == {"bounce": 1} and not quiet.desk().mail.unreachable


def test_a_bounce_waits_for_its_game(quiet: Unconnected) -> None:
    asked_for_interception(quiet.started())
    quiet.deliver(bounce(quiet, "blue", "5.1.1"))
    with Lock(quiet.game):
        quiet.run()
    assert quiet.states()[-1] == "received"
    quiet.run()
    assert quiet.states()[-1] == "bounce" and quiet.desk().mail.unreachable


# --- which mail of a seat counts -------------------------------------------------------------------------------------------


def came_late(table: Unconnected, seat: str, text: str, answers: EmailMessage, seconds: int = 0, newer: str = "pass") -> str:
    """A mail of somebody who wrote another one in the meantime, of which the server says that it came before that;
    says what becomes of it."""
    late, came = table.write(seat, text, answers=answers), table.now
    table.later(minutes=5)
    table.post(seat, newer, answers=table.last(seat))
    table.run()
    table.deliver(late, came + timedelta(seconds=seconds))
    table.run()
    return table.states()[-1]


@pytest.mark.parametrize(("text", "seconds", "told"), [
    ("b", 0, "A later mail of yours"), ("b", 299, "A later mail of yours"), ("b", 300, "version 2"), ("b", 301, "version 2"),
    ("status", 0, "Waiting for"), ("standing: withdraw", 0, "Kept as your standing order 1")])
def test_what_came_before_a_mail_that_counts_replaces_none_of_its_answers(
        quiet: Unconnected, text: str, seconds: int, told: str) -> None:
    asked_for_interception(quiet.started())
    state = came_late(quiet, "blue", text, quiet.last("blue"), seconds)
    said = " ".join(f"{quiet.last('blue')['Subject']} {body(quiet.last('blue'))}".split())
    assert told in said and ("A later mail" in said) == (state == "refused")


def test_what_came_before_a_question_of_his_counts(quiet: Unconnected) -> None:
    asked_for_interception(quiet.started())
    assert came_late(quiet, "blue", "b", quiet.last("blue"), newer="status") == "applied"
    assert quiet.desk().tray.answer("T2.R1.red.3", "blue").text.startswith("intercept")


def test_what_came_before_an_answer_is_kept_for_ones_own_turn_all_the_same(quiet: Unconnected) -> None:
    quiet.started()
    quiet.reply("yellow", "status")
    quiet.run()
    report = quiet.last("yellow")
    asked_for_interception(quiet)
    quiet.reply("blue", "pass")
    quiet.run()
    assert came_late(quiet, "yellow", "roll", report) == "applied" and quiet.desk().waiting("yellow") == ["roll"]


@pytest.mark.parametrize("deadlines", [{}, {"regret": 30}])
def test_of_a_mail_whose_orders_do_not_count_its_requests_do(quiet: Unconnected, deadlines: dict[str, int]) -> None:
    first = quiet.anew(deadlines=deadlines).last("red")
    for text in ("status\nroll\nmarch Antigonos > Ephesos", "raise mercenary at Halikarnassos"):
        quiet.post("red", text, answers=first)
        quiet.later(seconds=1)
    quiet.run()
    assert quiet.states() == ["applied", "applied"] and "march" not in " ".join(quiet.did())
    told = " ".join(" ".join(body(one) for one in quiet.inbox("red")).split())
    assert "Your newer mail came before" in told and told.count("march Antigonos > Ephesos") == 0


def test_a_mail_that_speaks_of_two_games_takes_nobodys_place(quiet: Unconnected) -> None:
    quiet.add("other")
    one, two = quiet.started().inbox("red")
    place = quiet.folder / "games" / str(one["Subject"])[1:6]
    quiet.post("red", "roll", answers=one)
    quiet.later(seconds=1)
    quiet.post("red", f"end\n{token_of(two)}", answers=one)
    quiet.run()
    assert quiet.states() == ["applied", "refused"] and [entry["do"] for entry in quiet.log(place) if "do" in entry] == ["roll"]


@pytest.mark.parametrize(("deadlines", "minutes", "state"), [
    ({"regret": 30}, 29.9, "received"), ({"regret": 30}, 30, "applied"), ({}, -5, "applied"), ({"regret": 30}, -5, "received"),
    ({"regret": 30, "default": 1}, 20, "applied")])
def test_how_long_orders_that_roll_wait_for_second_thoughts(
        quiet: Unconnected, deadlines: dict[str, int], minutes: float, state: str) -> None:
    """Counted from when the server received them; and not when their question is overdue: they came in time."""
    mail = quiet.anew(deadlines=deadlines).write("red", "roll", answers=quiet.last("red"))
    quiet.later(minutes=70 if "default" in deadlines else 40)
    quiet.deliver(mail, quiet.now + timedelta(seconds=1) - timedelta(minutes=minutes))
    quiet.run()
    assert quiet.states() == [state] and ("roll" in quiet.did()) == (state == "applied")


def test_two_acts_out_of_turn_are_both_done(quiet: Unconnected) -> None:
    quiet.anew(position=WITH_ROYALS, cards=True, windows="held")
    assert played(quiet, ("red", "play 57 as surprise on Antigonos", True),
                  ("red", "disband 1 royal at Halikarnassos", True)) == [
        "red play 57 as surprise on Antigonos", "red disband 1 royal at Halikarnassos"]


# --- Surprise cards of several, which are played in Turn Order whoever wrote first (6.2) --------------------------------------


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


@pytest.mark.parametrize("text", ["play 1 as ops", "disband 1 royal at Halikarnassos\nplay 1 as ops"])
def test_a_card_that_is_played_in_ones_own_turn_waits_for_what_came_before(quiet: Unconnected, text: str) -> None:
    quiet.anew(position={**WITH_ROYALS, "segment": {"player": "red", "kind": "tyche"}}, cards=True, windows="held")
    assert played(quiet, ("yellow", "play 58 as surprise on blue", True), ("red", text, True)) == [
        "yellow play 58 as surprise on Blue", *(f"red {line}" for line in text.splitlines())]


def test_who_could_not_be_written_to_is_marked_until_he_writes(quiet: Unconnected) -> None:
    """And only where he is written to now."""
    quiet.started()
    box = outbox.of_game(quiet.game)
    for name, seat, address in (
            ("one", "red", "anna@example.com"), ("other", "red", "anna@example.com"), ("old", "blue", "before@example.com")):
        given_up = outbox_mail(name, address, "report", seat)
        box.put(given_up)
        box.change(given_up._replace(state="failed"))
    quiet.run()
    assert set(quiet.desk().mail.unreachable) == {"red"}
    assert [entry["says"] for entry in quiet.log() if "note" in entry] == [{"note": "unreachable", "seat": "red"}], "once"
    quiet.reply("red", "status")
    for _ in range(2):
        quiet.run()
        assert not quiet.desk().mail.unreachable
