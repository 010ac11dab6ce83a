"""Standing orders: read, kept, answering, used up, disarmed, tried out. And what silence means without them.

`PYTHONPATH=tests python tests/desk/test_standing.py` writes docs/defaults.md.
"""

import ast
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_game import MARCH, SEATS, again, found
from the_code import every, trees

from pbem.base.errors import PbemError, Refused, Unreadable
from pbem.components import catalogue
from pbem.desk import standing
from pbem.desk.showing import PUBLIC
from pbem.desk.tray import FLEEING
from pbem.dev.defaults import DEFAULTS, page
from pbem.dev.positions import random_position
from pbem.dev.secrecy import texts
from pbem.dev.stages import Bare
from pbem.kernel.procedures import Ask
from pbem.orders import Order, Pieces, parse
from pbem.orders.names import Names
from pbem.play import odds
from pbem.rules.attrition import Group, losses_question
from pbem.table.position import fingerprint
from pbem.table.state import Unit
from pbem.telling.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]
NAMES = Names(catalogue.facts(), SEATS)
INTERCEPT = "standing: intercept red into Ephesos with Lysimachos, all, once"


def kept(desk, seat="blue"):
    return standing.of(desk.tray, seat)


def told(desk, text, seat="blue"):
    (outcome,) = desk.order(seat, text)
    if outcome.error is not None:
        raise outcome.error
    return outcome.did[0]


def march(desk, path="Ephesos"):
    desk.order("red", f"roll\nmarch Antigonos > {path}")
    desk.run()


def closings(desk):
    return [entry for entry in desk.game.entries if "close" in entry]


@pytest.fixture
def desk(tmp_path):
    return found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})


# --- reading -----------------------------------------------------------------------------------------------------

WRITTEN = {
    "intercept red into Lamia with Lysimachos, all, once": "intercept Red into Lamia with Lysimachos, all, once",
    "intercept Red into Sardeis": "intercept Red into Sardeis with any General, all, once",
    "intercept red with all, always": "intercept Red with any General, all, always",
    "intercept red into sardeis with anybody at 3 or better":
        "intercept Red into Sardeis with any General, all, if a 3 is enough, once",
    "INTERCEPT anybody with lysimachos": "intercept with Lysimachos, all, once",
    "intercept red with Lysimachos, 2 loyal, 1 mercenary twice": "intercept Red with Lysimachos, 2 loyal, 1 mercenary, twice",
    "intercept red into lamia with Lysimachos from Pella, all":
        "intercept Red into Lamia with Lysimachos from Pella, all, once",
    "evade red at Lamia unless I win 60 %, always": "evade Red at Lamia, unless I win 60 %, always",
    "evade with Lysimachos > Larisa > Pella": "evade with Lysimachos > Larisa > Pella, once",
    "grant red in Lamia if he has at most 3 CUs, 4 times": "grant Red at Lamia, if he has at most 3 CUs, 4 times",
    "refuse always": "refuse, always",
    "inside 2 loyal at Pella": "inside 2 loyal at Pella, once",
    "outside all at Pella against red": "outside all against Red at Pella, once",
    "naval battle with all against red at Rhodos": "naval battle with all against Red at Rhodos, once",
    "naval battle against red": "naval battle with all against Red, once",
    "lose mercs then elephants, always": "lose mercenary, elephant, always",
    "withdraw": "withdraw, once",
    "stay at Lamia if Larisa is red yes": "stay at Lamia, if Larisa is red, yes, once",
    "pass on interception against red always": "pass on interception against Red, always",
    "pass on naval battle": "pass on naval battle, once",
    "intercept red with Lysimachos if yellow passes, if MP >= 3":
        "intercept Red with Lysimachos, all, if yellow passes, if MP >= 3, once",
    "honour, always": "honour, always",
    "honour to red in Lydia": "honour against Red at Lydia, once",
    "naval battle with Rhodian Fleet": "naval battle with Rhodos, once",
    "lose mercenary, then loyal > elephant": "lose mercenary, loyal, elephant, once",
    "pass on evasion, until the turn ends": "pass on evasion, until the turn ends, once",
    "stay at Lamia always yes": "stay at Lamia, yes, always",
    "withdraw if MP >= 3 unless Larisa is red if MP >= 4 twice":
        "withdraw, if MP >= 3, unless Larisa is red, if MP >= 4, twice",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_standing_order_is_echoed_in_one_spelling_that_reads_the_same(text):
    record = standing.read(text, NAMES)
    assert record.text == WRITTEN[text] and bool(record.until) is ("until" in text)
    assert standing.read(record.text, NAMES) == record


@pytest.mark.parametrize("text, key", [
    ("foo", "unreadable_order"), ("", "unreadable_order"), ("foo at Nowhere", "unreadable_order"),
    ("intercept mauve", "unknown_name"), ("intercept red into Pela with Lysimachos", "unknown_name"),
    ("evade red if he dances", "unreadable_condition"),
    ("lose everything twice", "unknown_name"),
    ("withdraw, 0 times", "unreadable_order"), ("lose mercenary if yellow passes", "conduct_not_asked"),
    ("pass on tyche", "unreadable_order"), ("pass", "unreadable_order"), ("inside", "unreadable_order"),
    ("grant mauve", "unknown_name"), ("withdraw if a 3 is enough", "no_die_needed"),
    ("withdraw > Larisa", "unreadable_order"), ("stay with Lysimachos", "unreadable_order"),        # nothing is passed over
    ("inside Lysimachos with 2 loyal at Pella", "unreadable_order"), ("grant red on Lamia", "unreadable_order"),
    ("intercept red against yellow", "unknown_name"), ("lose at Lamia, always", "unreadable_order"),
    ("lose mercenary against red", "unreadable_order"),
])
def test_what_cannot_be_kept_is_said_at_once(text, key):
    with pytest.raises(PbemError) as caught:
        standing.read(text, NAMES)
    assert caught.value.key == key


@given(st.text(alphabet=st.sampled_from("abcdeilnoprstw ,>%5if unless with at red always"), max_size=60))
def test_whatever_is_typed_is_read_or_refused(text):
    with suppress(PbemError):
        assert standing.read(f"intercept {text}", NAMES).text


# --- answering ---------------------------------------------------------------------------------------------------


def test_a_window_finds_its_answer_and_the_log_hears_of_it_when_it_closes(desk, tmp_path):
    before = len(desk.game.entries), fingerprint(desk.match.g)
    assert "standing order 1" in told(desk, INTERCEPT)
    assert (len(desk.game.entries), fingerprint(desk.match.g)) == before
    march(desk)
    question = desk.match.question
    assert question.kind == "interception" and list(desk.sealed(question)) == ["blue"] and closings(desk) == []
    assert kept(desk)[0].left == 1                               # not used before it is opened
    desk.order("yellow", "pass")
    desk.run()
    (closing,) = closings(desk)
    assert closing["standing"] == ["blue"] and closing["answers"]["blue"].startswith("intercept Lysimachos from Sardeis")
    assert kept(desk) == []
    assert fingerprint(again(tmp_path / "g").match.g) == fingerprint(desk.match.g)
    assert not kept(again(tmp_path / "g"))


def test_when_all_have_decided_in_advance_the_window_closes_at_once(desk):
    told(desk, INTERCEPT)
    told(desk, "standing: pass on interception, always", "yellow")
    march(desk)
    assert closings(desk)[0]["standing"] == ["blue", "yellow"]
    assert kept(desk) == [] and kept(desk, "yellow")[0].left == standing.ALWAYS


def test_where_no_general_is_named_the_one_who_needs_the_least_comes_with_all(tmp_path):
    """Kassandros, with an Initiative of 3, needs less than Polyperchon."""
    forces = [one for one in MARCH["forces"] if one["owner"] != "yellow"]
    both = {"owner": "yellow", "at": "pergamon", "generals": ["polyperchon", "kassandros"], "cus": {"mercenary": 2}}
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "forces": [*forces, both]})
    said = told(desk, "standing: intercept Red into Ephesos", "yellow")
    assert "intercept Red into Ephesos with any General, all, once" in said
    march(desk)
    needed = desk.match.question.about["needed"]
    answer = desk.sealed(desk.match.question)["yellow"]
    lead = min(("polyperchon", "kassandros"), key=needed.get)
    assert needed["polyperchon"] != needed["kassandros"]
    assert answer.startswith(f"intercept {lead.capitalize()} from Pergamon with") and "2 mercenary" in answer


def test_a_named_die_goes_with_whoever_can(desk):
    told(desk, "standing: intercept red at 1 or better")
    march(desk)
    assert desk.sealed(desk.match.question) == {} and kept(desk)[0].left == 1


def test_an_answer_by_hand_counts_and_uses_nothing_up(desk):
    told(desk, INTERCEPT)
    march(desk)
    desk.order("blue", "pass")
    desk.run()                                                          # nor does it answer again
    assert desk.sealed(desk.match.question) == {"blue": "pass"}
    desk.order("yellow", "pass")
    desk.run()
    (closing,) = closings(desk)
    assert closing["answers"]["blue"] == "pass" and "standing" not in closing and len(kept(desk)) == 1


def test_an_order_does_not_answer_the_window_that_was_open_when_it_came(desk):
    march(desk)
    told(desk, INTERCEPT)
    desk.run()
    assert desk.sealed(desk.match.question) == {}


@pytest.mark.parametrize("condition, answers", [
    ("if he has at most 4 CUs", False), ("if he has at least 5 CUs", True), ("unless he has more than 4 CUs", False),
    ("if I win 20 %", True), ("if I win 60 %", False), ("unless I win 60 %", True), ("if Ephesos is uncontrolled", True),
    ("if Antigonos at Ephesos", True), ("unless Demetrios at Tarsos", False),
])
def test_conditions_are_looked_at_when_the_window_opens(desk, condition, answers):
    told(desk, INTERCEPT.replace(", once", f" {condition}, once"))
    march(desk)
    assert (list(desk.sealed(desk.match.question)) == ["blue"]) is answers


@pytest.mark.parametrize("what, acts", [("intercept Kassandros with all", False), ("pass", True)])
def test_a_condition_on_what_others_do_is_seen_when_all_is_opened(tmp_path, what, acts):
    """11.2 Blue comes later in Turn Order than Yellow and may know."""
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "turn_order": ["red", "yellow", "blue", "black"]})
    told(desk, INTERCEPT.replace("once", "if yellow passes, once"))
    march(desk)
    desk.order("yellow", what)
    desk.run()
    assert (closings(desk)[0]["answers"]["blue"] != "pass") is acts
    assert (kept(desk) == []) is acts


def test_a_budget_is_counted_down(desk):
    told(desk, "standing: pass on interception, twice")
    told(desk, "standing: pass on interception, always", "yellow")
    march(desk, "Ephesos > Halikarnassos")
    desk.run(release="red")
    assert len(closings(desk)) >= 1 and kept(desk)[0].left == 2 - len(closings(desk))


def undone(desk):
    """What happened since the window opened is taken back."""
    entry = max(number for number, entry in enumerate(desk.game.entries, 1) if "close" in entry)
    desk.undo(entry, "wrong general", override=True)


@pytest.mark.parametrize("budget", ["once", "twice"])
def test_an_undo_gives_back_the_budget_of_what_had_answered(desk, budget):
    told(desk, INTERCEPT.replace("once", budget))
    before = [replace(order) for order in kept(desk)]
    march(desk)
    desk.order("yellow", "pass")
    desk.run()
    assert kept(desk) != before
    undone(desk)
    assert kept(desk) == before
    desk.run()
    desk.order("yellow", "pass")
    desk.run()
    assert len(closings(desk)) == 2 and closings(desk)[1]["standing"] == ["blue"]


def test_what_its_owner_has_taken_back_since_stays_away(desk):
    told(desk, INTERCEPT.replace("once", "twice"))
    march(desk)
    desk.order("yellow", "pass")
    told(desk, "standing: cancel 1")
    undone(desk)
    assert kept(desk) == []


def test_what_comes_back_takes_no_number_from_another(desk):
    told(desk, INTERCEPT)
    march(desk)
    desk.order("yellow", "pass")
    told(desk, "standing: pass on evasion, once")
    undone(desk)
    assert [(record.no, record.kind) for record in kept(desk)] == [(1, "interception"), (2, "evasion")]


def test_what_one_player_alone_decides_is_done_at_once_and_marked(desk):
    told(desk, "standing: withdraw at Ephesos", "red")
    march(desk)
    desk.order("blue", "intercept Lysimachos with all")
    desk.order("yellow", "pass", throws=[(6, "")], reason="a test")
    desk.run()
    entry = next(one for one in desk.game.entries if one.get("do") == "withdraw")
    assert (entry["by"], entry["as"]) == ("red", "standing") and kept(desk, "red") == []
    assert desk.match.g.generals["antigonos"].at == "halikarnassos"
    past = standing.rehearsal(desk, "red", standing.read("withdraw, always", NAMES))
    assert [one.answer for one in past] == ["withdraw"]                 # once, though several entries stand there
    desk.undo(desk.game.entries.index(entry) + 1, "too early", override=True)
    assert [order.left for order in kept(desk, "red")] == [1]


def test_what_was_done_in_a_player_s_name_he_has_not_foreseen(desk):
    """The rest of his turn waits for him, as after any interception."""
    told(desk, "standing: withdraw at Ephesos", "red")
    march(desk, "Ephesos > Halikarnassos > Ephesos")
    desk.order("blue", "intercept Lysimachos with all")
    desk.order("yellow", "pass", throws=[(6, "")], reason="a test")
    desk.run()
    assert desk.is_held("red") and len(desk.waiting("red")) == 2


@pytest.mark.parametrize("yes, stays", [("", False), (" yes", True)])
def test_a_price_is_paid_only_by_who_said_yes(desk, yes, stays):
    """3.7 Standing against a Champion costs Red his own status."""
    told(desk, f"standing: stay at Ephesos{yes}", "red")
    march(desk)
    desk.order("blue", "intercept Lysimachos with all")
    desk.order("yellow", "pass", throws=[(6, "")], reason="a test")
    desk.run()
    assert (desk.match.question.kind == "withdrawal") is not stays and desk.match.g.champion["red"] is not stays
    if not stays:                                                       # and whoever says so now hears of it
        assert "As things stand" in told(desk, "standing: stay at Ephesos", "red")
        for free in ("stay at Ephesos yes", "withdraw at Ephesos", "stay at Pella"):
            assert "As things stand" not in told(desk, f"standing: {free}", "red")


@pytest.mark.parametrize("condition", ["", " if 6 is enough", " if he wins 1 %", " unless I win 90 %",
                                       " if he has at least 5 CUs"])
def test_who_evades_knows_where_to_on_the_conditions_on_which_he_evades(tmp_path, condition):
    forces = [MARCH["forces"][0], {**MARCH["forces"][1], "at": "ephesos"}]
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "forces": forces})
    told(desk, f"standing: evade red with Lysimachos > Sardeis{condition}")
    desk.order("red", "march Antigonos > Ephesos yes")
    assert desk.match.question.kind == "evasion"
    desk.stand_in(desk.match.question)
    desk.close(desk.match.question.id, throws=[(6, "")], reason="a test")
    desk.run()
    assert desk.match.g.generals["lysimachos"].at == "sardeis" and kept(desk) == []
    past = standing.rehearsal(desk, "blue", standing.read("evade red > Sardeis, always", NAMES))
    assert len(past) == 1                                               # he evades once, wherever to


def test_to_run_where_he_said_uses_up_no_second_evasion(tmp_path):
    forces = [MARCH["forces"][0], {**MARCH["forces"][1], "at": "ephesos"}]
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "forces": forces})
    told(desk, "standing: evade red with Lysimachos > Sardeis, twice")
    desk.order("red", "march Antigonos > Ephesos yes")
    desk.stand_in(desk.match.question)
    desk.close(desk.match.question.id, throws=[(6, "")], reason="a test")
    desk.run()
    assert desk.match.g.generals["lysimachos"].at == "sardeis"
    assert [one.left for one in standing.of(desk.tray, "blue")] == [1]


def test_a_city_sorts_itself(tmp_path):
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "forces": MARCH["forces"][:2]})
    told(desk, "standing: inside Lysimachos, 2 loyal at Sardeis against red")
    told(desk, "standing: pass on interception, always")
    march(desk)
    desk.order("red", "march Antigonos > Sardeis yes")
    desk.run()
    assert desk.match.g.kinds("sardeis/inside", "blue") == Counter(loyal=2)
    assert desk.match.g.generals["lysimachos"].at == "sardeis/inside"


def test_losses_go_by_preference():
    g = Bare(random_position(Random(1), 2), "1").g
    seat = g.turn_order[0]
    g.cus["tp_maiandros"] = {}
    g.add("tp_maiandros", seat, {Unit("loyal"): 2, Unit("mercenary"): 1, Unit("elephant"): 1})
    question = losses_question(g, seat, Group("tp_maiandros", seat), 2, "attrition")
    record = standing.read("lose elephant, loyal, always", NAMES)
    assert standing.fits(record, question, g)
    assert standing.answer_of(record, question, NAMES, seat) == Order("lose", pieces=Pieces.of(cus={"elephant": 1, "loyal": 1}))
    assert standing.fits(replace(record, against="black"), question, g)         # in a tray of before: nobody has looked at it
    record = standing.read("lose royal, always", NAMES)               # he has none: as if nothing were said
    assert standing.answer_of(record, question, NAMES, seat) == Order(
        "lose", pieces=Pieces.of(cus={"mercenary": 1, "elephant": 1}))
    record = standing.read("lose elephant at Pella, always", NAMES)
    assert not standing.fits(record, question, g)


@pytest.fixture(scope="module")
def anywhere():
    return Bare(random_position(Random(1), 2), "1").g


# --- disarmed ----------------------------------------------------------------------------------------------------


def test_an_order_whose_general_has_moved_answers_nothing(desk):
    told(desk, INTERCEPT)
    desk.ruling("Lysimachos was misplaced", facts={"forces": [
        {"owner": "blue", "at": "sardeis", "cus": {}},
        {"owner": "blue", "at": "kelainai", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}}]})
    march(desk)
    assert kept(desk)[0].off == "lysimachos" and desk.sealed(desk.match.question) == {}
    assert "disarmed: Lysimachos has changed place or hands" in told(desk, "standing: list")


def test_an_order_whose_space_has_changed_hands_answers_nothing(desk):
    told(desk, INTERCEPT)
    desk.ruling("Ephesos is black", facts={"spaces": {"ephesos": "black"}})
    desk.run()
    assert kept(desk)[0].off == "ephesos"


def test_an_order_goes_with_its_turn_and_a_flight_with_its_battle(desk):
    order = standing.read("evade > Sardeis, always", NAMES)
    order.seat = "blue"
    flight, gone = replace(order, kind=FLEEING), replace(order, kind=FLEEING, until=1, went=1)
    this, past, ever = (replace(order, until=until) for until in (2, 1, 0))
    desk.tray.standing[:] = [flight, gone, this, past, ever]
    standing.disarm(desk.match, desk.tray)
    assert desk.tray.standing == [gone, this, ever]                     # what has gone an undo may still lay back
    march(desk)
    desk.tray.standing[:] = [flight]
    standing.disarm(desk.match, desk.tray)
    assert desk.tray.standing == [flight]                               # somebody is still to intercept
    desk.match.table = None
    standing.disarm(desk.match, desk.tray)
    assert desk.tray.standing == []
    assert standing.file(desk, "blue", "withdraw").after == ""          # and one may file where nothing is asked


def test_who_files_another_order_loses_those_that_answer_nothing_any_more(desk):
    told(desk, INTERCEPT)
    told(desk, "standing: pass on evasion", "yellow")
    used, (theirs,) = replace(kept(desk)[0], no=5, went=3, off="ephesos"), kept(desk, "yellow")
    kept(desk)[0].off = theirs.off = "ephesos"
    desk.tray.standing.append(used)
    told(desk, "standing: withdraw")
    assert [(one.no, one.text) for one in kept(desk)] == [(6, "withdraw, once")]
    assert theirs in desk.tray.standing and used in desk.tray.standing
    assert (kept(desk)[0].until, kept(desk)[0].after) == (0, desk.match.question.id)


def test_what_is_disarmed_answers_nothing_and_what_is_named_is_what_comes(desk):
    told(desk, INTERCEPT.replace("all", "1 mercenary"))
    march(desk)
    question, (order,) = desk.match.question, kept(desk)
    assert desk.sealed(question) == {"blue": "intercept Lysimachos from Sardeis with 1 mercenary"}
    assert standing.reply(desk.match, "blue", question, order) is not None
    assert standing.reply(desk.match, "blue", question, replace(order, off="ephesos")) is None


# --- kept --------------------------------------------------------------------------------------------------------


def test_nothing_public_shows_what_is_kept(desk, tmp_path):
    def public():
        there = again(tmp_path / "g", published=True)
        return [texts(there, PUBLIC, fmt, 0) for fmt in FORMATS], there.game.heads()[-1]

    before = public()
    told(desk, INTERCEPT)
    assert public() == before
    march(desk)
    shown = public()
    assert desk.tray.answers                                    # it has answered, and nobody else can tell
    desk.tray.answers.clear()
    assert public() == shown


def test_lists_and_farewells(desk):
    assert told(desk, "standing") == "You have no standing orders."
    told(desk, INTERCEPT)
    told(desk, "Standing order: lose mercenary always")
    assert told(desk, "standing: list").splitlines() == [
        "1 intercept Red into Ephesos with Lysimachos, all, once", "2 lose mercenary, always"]
    assert told(desk, "standing: cancel 1").startswith("Your standing order is taken back")
    assert [one.no for one in kept(desk)] == [2]
    with pytest.raises(Refused):
        told(desk, "standing: cancel 1")
    for odd in ("them", "2 3", "9" * 5000):
        with pytest.raises(Unreadable):
            told(desk, f"standing: cancel {odd}")
    assert [one.no for one in kept(desk)] == [2]


@pytest.mark.parametrize(("turn", "since"), [(1, "I"), (2, "I"), (3, "II")])
def test_what_an_order_would_have_done_is_told_of_two_game_turns(tmp_path, turn, since):
    desk = found(tmp_path / "g", {**MARCH, "turn": turn})
    assert f"Since Game Turn {since} it would not have answered anything." in told(desk, INTERCEPT)


def test_a_standing_order_is_acknowledged_in_its_owners_language(tmp_path, monkeypatch):
    monkeypatch.setitem(SEATS, "blue", {"name": "Bruno", "language": "de"})
    desk = found(tmp_path / "g")
    assert told(desk, "Dauerbefehl: verweigern, immer").startswith("Gemerkt als dein Dauerbefehl 1: verweigern, immer.")
    desk.language = "it"
    assert told(desk, "standing: list") == "1 nego, sempre"


def test_foreign_generals_and_too_many_orders_are_refused(desk):
    with pytest.raises(Refused) as refused:
        told(desk, "standing: intercept red with Antigonos")
    assert refused.value.key == "general_not_yours"
    with pytest.raises(Refused, match="general not yours: general antigonos"):
        told(desk, "standing: intercept red with Lysimachos, Antigonos")
    for _ in range(standing.MOST_ORDERS):
        told(desk, "standing: refuse")
    with pytest.raises(Refused) as refused:
        told(desk, "standing: refuse")
    assert refused.value.key == "standing_orders_full"


def test_a_standing_order_leaves_what_waits_where_it_is(desk):
    march(desk, "Ephesos > Halikarnassos")
    waits = desk.waiting("red")
    assert waits
    desk.order("red", "standing: withdraw")
    assert desk.waiting("red") == waits


def test_standing_orders_and_others_come_in_one_mail(desk):
    outcomes = desk.order("red", "standing: withdraw\nroll\nstanding: foo")
    assert [(one.line, one.state) for one in outcomes] == [
        ("standing: withdraw", "answered"), ("standing: foo", "refused"), ("roll", "done")]


def test_a_dry_run_keeps_nothing(desk):
    (outcome,) = desk.dry_run("blue", INTERCEPT)
    assert outcome.state == "answered" and kept(desk) == []


def test_without_the_private_file_nothing_can_be_kept(desk, tmp_path):
    (outcome,) = again(tmp_path / "g", published=True).order("blue", INTERCEPT)
    assert outcome.error.key == "published_only"


# --- tried out ---------------------------------------------------------------------------------------------------


def test_past_windows_tell_what_it_would_have_done(desk):
    march(desk)
    desk.order("blue", "pass")
    desk.order("yellow", "pass")
    desk.run()
    desk.order("red", "march Antigonos > Halikarnassos\nmarch Antigonos > Ephesos regardless")
    for _ in range(3):
        question = desk.match.question
        if question.kind == "interception":
            desk.close(question.id, by="clock")
            desk.run(release="red")
    answer = told(desk, INTERCEPT.replace("once", "always"))
    number = sum(entry.get("answers", {}).get("blue") is not None for entry in closings(desk))
    assert number >= 2 and f"it would have answered {'twice' if number == 2 else f'{number} times'}: T2.R1.red." in answer
    assert len(standing.rehearsal(desk, "blue", standing.read(INTERCEPT[10:], NAMES))) == 1         # once is once
    assert standing.rehearsal(desk, "blue", standing.read("intercept yellow with Lysimachos", NAMES)) == []
    everywhere = standing.read("pass on interception, always", NAMES)
    assert standing.rehearsal(desk, "black", everywhere) == []                                      # nobody has asked Black
    assert len(standing.rehearsal(desk, "blue", everywhere)) == number
    desk.match.g.turn += 1                                              # this Game Turn and the one before
    assert len(standing.rehearsal(desk, "blue", everywhere)) == number
    desk.match.g.turn += 1
    assert standing.rehearsal(desk, "blue", everywhere) == []


def test_what_would_be_refused_as_things_stand_is_said(desk):
    assert "As things stand: not allowed, 11.1" in told(desk, "standing: intercept red into Pella with Lysimachos")
    assert "As things stand" not in told(desk, INTERCEPT)
    assert "As things stand: not allowed, 11.1" in told(desk, "standing: intercept into Pella with Lysimachos")
    for nothing in ("evade red at Pella", "intercept red into Pella", "pass on interception at Pella"):
        assert "As things stand" not in told(desk, f"standing: {nothing}")


def test_where_the_window_is_open_the_order_is_judged_by_it(desk):
    march(desk)
    assert "As things stand" in told(desk, "standing: intercept red with Lysimachos, 3 elephant")
    assert "As things stand" not in told(desk, "standing: intercept red with Lysimachos, 1 mercenary")
    assert "As things stand" not in told(desk, "standing: intercept red with Demetrios", "black")       # who is not asked
    assert "As things stand" not in told(desk, "standing: evade red > Sardeis")                         # nor whether he runs
    desk.match.table = None
    assert standing.doubt(desk.match, "blue", standing.read("pass on interception", NAMES)) is None


def test_against_somebody_without_a_general_nothing_can_be_judged_yet(tmp_path):
    desk = found(tmp_path / "g", {**MARCH, "forces": MARCH["forces"][:3]})
    assert "As things stand" not in told(desk, "standing: intercept black into Pella with Lysimachos")


# --- what silence means ------------------------------------------------------------------------------------------


def test_the_printed_table_is_the_table():
    assert (ROOT / "docs/defaults.md").read_text(encoding="utf-8") == page()


def test_every_kind_of_question_has_its_row_and_no_row_is_left_over():
    kinds = set()
    for tree in trees().values():
        for node in every(tree, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("Ask", "Poll"):
                kind = node.args[1]
                kinds |= {kind.value} if isinstance(kind, ast.Constant) else {"surrender", "activation", "forage"}
    assert kinds == DEFAULTS.keys()


def defaults_of(question):
    given_ = question.default if isinstance(question.default, tuple) else (question.default,)
    return {order.verb for order in given_}


PIECES_GONE = ("cus_dispersed", "general_dispersed", "general_killed", "disbanded", "royals_defected", "garrison_lost",
               "fleet_dispersed", "champion_lost", "siege_completed")


@pytest.mark.parametrize("seed", range(60))
def test_a_whole_turn_on_defaults_loses_nothing_that_was_not_forced(seed):
    stage = Bare(random_position(Random(f"silence {seed}"), 2 + seed % 4), str(seed))
    g, table, turn = stage.g, stage.table, stage.g.turn
    while (question := table.question) is not None and g.turn == turn:
        if question.sides == ("moderator",) and question.kind == "ruling":
            return
        assert defaults_of(question) <= set(DEFAULTS[question.kind].verbs.split()), question.kind
        revealed = question.kind in ("turn_up", "revealed", "unrest", "independent_move")
        table.answer({side: question.read(side, question.default) for side in question.sides})
        told_, g.events = g.events, []
        if revealed or any(event.key in ("battle_began", "overrun_began") for event in told_):
            continue                                                # a revealed event, Independents: nobody's silence
        assert [event for event in told_ if event.key in PIECES_GONE] == []
        for event in told_:
            assert event.key != "eliminated" or event.facts["why"] in ("forage", "draw", "victory", "attrition")
            if event.key == "eliminated" and question.kind == "losses" and event.facts["why"] == question.about["why"]:
                assert sum(event.facts["cus"].values()) == question.about["number"] or event.facts["at"] != question.about["at"]


if __name__ == "__main__":
    (ROOT / "docs/defaults.md").write_text(page(), encoding="utf-8")


# --- an answer that lasts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "kept_as"), [
    ("pass always", "pass on interception, always"),
    ("a always against Red", "pass on interception against Red, always"),
    ("pass always unless I win 60 %", "pass on interception, unless I win 60 %, always"),
    ("pass, always unless his odds are better than a third",
     "pass on interception, unless his odds are better than a third, always"),
    ("pass always in Lydia until the turn ends", "pass on interception at Lydia, until the turn ends, always"),
    ("intercept Lysimachos with 1 mercenary, always against Red", "intercept Red with Lysimachos, 1 mercenary, always"),
])
def test_an_answer_is_made_to_last_in_the_same_breath(desk, typed, kept_as):
    march(desk)
    first, last = desk.order("blue", typed)
    assert first.error is None and first.did and last.state == "answered", last.error
    assert [one.text for one in kept(desk)] == [kept_as]
    again_read = standing.read(kept_as, NAMES)
    assert again_read.text == kept_as


def test_what_is_not_taken_does_not_last_and_what_cannot_last_is_taken_all_the_same(desk):
    march(desk)
    (refused,) = desk.order("blue", "grant always")
    assert refused.state == "refused" and not kept(desk)
    taken, refused = desk.order("blue", "intercept Lysimachos with all else pass always")
    assert taken.error is None and refused.state == "refused" and not kept(desk)


def test_every_kind_that_can_last_says_so():
    from pbem.telling.offers import LASTING

    assert set(standing.KINDS.values()) == LASTING


def test_until_the_turn_ends_and_in_a_province(desk):
    march(desk)
    desk.order("blue", "pass always in Lydia until the turn ends")
    (order,) = kept(desk)
    assert (order.space, order.province, order.until) == (None, "lydia", desk.match.g.turn)
    desk.match.g.turn += 1
    standing.disarm(desk.match, desk.tray)
    assert kept(desk) == []


@pytest.mark.parametrize(("condition", "holds"), [
    ("if his odds are better than a third", True), ("unless his odds are better than 97 %", True),
    ("if he wins 99 %", False), ("unless my odds are better than half", True), ("if I win 1 %", True)])
def test_a_pass_may_depend_on_the_best_that_he_could_do(desk, condition, holds):
    march(desk)
    question = desk.match.question
    assert standing.met(desk.match, "blue", question, (Order("pass"),), condition) is holds


def window(kind, about, *offers):
    question = Ask("blue", kind, "0", about=about, read=lambda side, answer: answer, candidates=lambda side: offers, default=())
    question.id = "now"
    return question


@pytest.mark.parametrize(("kind", "said", "terms", "kept_as"), [
    ("interception", "pass", "against Red", "pass on interception against Red, always"),
    ("evasion", "pass", "", "pass on evasion , always"),
    ("free_passage", "pass", "in Lydia", "refuse in Lydia, always"), ("free_passage", "grant", "", "grant , always"),
    ("losses", "lose 1 mercenary, 1 elephant", "at Lamia", "lose mercenary, elephant at Lamia, always"),
    ("interception", "intercept Lysimachos from Pella with 2 loyal", "", "intercept with Lysimachos, 2 loyal , always"),
    ("evasion", "evade Lysimachos", "", "evade , always"), ("withdrawal", "stay", "", "stay , always"),
    ("city_choice", "inside 2 loyal", "", "inside 2 loyal , always"), ("city_choice", "inside 2 loyal; outside all", "", None),
    ("losses", "pass", "", None), ("losses", "dance", "", None)])
def test_what_an_answer_becomes_or_cannot_become(desk, kind, said, terms, kept_as):
    if kept_as is None:
        with pytest.raises(Refused) as refused:
            standing.made_to_last(desk.match, window(kind, {}), said, terms)
        assert refused.value.key == "cannot_last"
    else:
        assert standing.made_to_last(desk.match, window(kind, {}), said, terms) == kept_as
        assert standing.read(kept_as, NAMES).kind == kind


def test_only_what_can_be_answered_in_advance_can_last():
    assert standing.lasting(window("losses", {}), "a always at Lamia") == ("a", "at Lamia")
    assert standing.lasting(window("activation", {}), "march Antigonos > Lamia always") is None
    assert standing.lasting(window("losses", {}), "a") is None and standing.lasting(None, "a always") is None


def test_where_nobody_can_come_whoever_comes_with_all_does_not():
    """A Minor General is not sent for whoever named nobody, and the order lets the window be asked."""
    minor = (Order("intercept", general="alketas", minor="alketas", pieces=Pieces.of(cus={"loyal": 1})),)
    with pytest.raises(Refused, match="intercept or pass"):
        standing.likeliest(window("interception", {"needed": {"alketas": 3}}, (Order("pass"),), minor), "blue")


ODDS = odds.Odds(Fraction(1, 2), Fraction(1, 6), Fraction(1, 3))


@pytest.mark.parametrize(("condition", "holds"), [
    ("I win 50 %", True), ("I win 51 %", False), ("he wins 33 %", True), ("he wins 34 %", False),
    ("my odds are better than half", False), ("my odds are better than 49 %", True), ("my odds are better than a third", True),
    ("his odds are better than a third", True), ("his odds are better than 34 %", False),
    ("her odds are better than a quarter", True), ("my odds are better than two thirds", False), ("I would lose", False)])
def test_chances_are_weighed_to_the_percent_and_unless_is_the_contrary(desk, monkeypatch, condition, holds):
    """A third is not rounded: it is more than 33 %."""
    march(desk)
    question, answer = desk.match.question, (Order("pass"),)
    for known, wanted in ((ODDS, holds), (None, False)):              # of no battle nobody knows that it would be won
        monkeypatch.setattr(odds, "odds_of", lambda *about, known=known: known)
        assert standing.met(desk.match, "blue", question, answer, f"if {condition}") is wanted
        assert standing.met(desk.match, "blue", question, answer, f"unless {condition}") is not wanted
    almost = odds.Odds(Fraction(499, 1000), Fraction(1, 500), Fraction(499, 1000))
    monkeypatch.setattr(odds, "odds_of", lambda *about: almost)
    for half in ("I win 50 %", "he wins 50 %", "my odds are better than 49 %", "his odds are better than half"):
        assert standing.met(desk.match, "blue", question, answer, f"if {half}") is ("49" in half)
    for word, percent in (("a quarter", 25), ("a third", 33), ("half", 50), ("two thirds", 66)):
        for more in (-1, 1):
            share = Fraction(2 * percent + more, 200)
            monkeypatch.setattr(odds, "odds_of", lambda *about, share=share: odds.Odds(share, 1 - share, Fraction(0)))
            assert standing.met(desk.match, "blue", question, answer, f"if my odds are better than {word}") is (more > 0)
    for loss, lost in ((Fraction(1, 2), False), (Fraction(3, 5), True)):
        known = odds.Odds(1 - loss, Fraction(0), loss)
        monkeypatch.setattr(odds, "odds_of", lambda *about, known=known: known)
        assert standing.met(desk.match, "blue", question, answer, "if I would lose") is lost


@pytest.mark.parametrize(("condition", "holds"), [
    ("he has at least 5 CUs", True), ("he has at least 6 CUs", False), ("he has at most 5 CUs", True),
    ("he has at most 4 CUs", False), ("they have more than 4 CUs", True), ("they have more than 5 CUs", False),
    ("they have fewer than 6 CUs", True), ("they have fewer than 5 CUs", False),
    ("{} is enough", True), ("{under} is enough", False)])
def test_numbers_are_compared_with_what_stands_there_and_with_the_die_that_is_needed(desk, condition, holds):
    march(desk)
    question = desk.match.question
    needed = question.about["needed"]["lysimachos"]
    answer = question.read("blue", parse("intercept Lysimachos with all", NAMES))
    condition = condition.format(needed, under=needed - 1)
    for word, wanted in (("if", holds), ("unless", not holds)):
        assert standing.met(desk.match, "blue", question, answer, f"{word} {condition}") is wanted
    passing = standing.met(desk.match, "blue", question, (Order("pass"),), "if 6 is enough")
    assert passing is False                                             # who passes needs no die, and none is enough


@pytest.mark.parametrize(("text", "kind", "about", "fits"), [
    ("pass on interception", "interception", {"mover": "red", "space": "lamia"}, True),
    ("pass on interception against red at Lamia", "interception", {"mover": "red", "space": "lamia"}, True),
    ("pass on interception against red at Pella", "interception", {"mover": "red", "space": "lamia"}, False),
    ("pass on interception against yellow", "interception", {"mover": "red", "space": "lamia"}, False),
    ("pass on interception", "evasion", {"mover": "red", "space": "lamia"}, False),
    ("withdraw against red", "withdrawal", {"against": ["red", "black"], "space": "lamia"}, True),
    ("withdraw against yellow", "withdrawal", {"against": ["red", "black"], "space": "lamia"}, False),
    ("honour black", "passage_honoured", {"of": ["red", "black"], "space": "lamia"}, True),
    ("honour yellow", "passage_honoured", {"of": ["red", "black"], "space": "lamia"}, False),
    ("withdraw", "withdrawal", {"space": "lamia"}, True), ("withdraw against red", "withdrawal", {"space": "lamia"}, False),
    ("lose mercenary at Lamia", "losses", {"at": "lamia/inside"}, True),
    ("lose mercenary at Pella", "losses", {"at": "lamia"}, False),
    ("evade > Lamia", "escape", {"mover": "red", "space": "pella"}, True),
    ("evade", "escape", {"mover": "red", "space": "pella"}, False),
    ("refuse at Macedonia", "free_passage", {"mover": "red", "space": "pella"}, True),
    ("refuse at Macedonia", "free_passage", {"mover": "red", "space": "sardeis"}, False),
    ("refuse at Macedonia", "free_passage", {"mover": "red"}, False)])
def test_an_order_fits_the_window_that_it_was_written_for_and_no_other(anywhere, text, kind, about, fits):
    question, order, g = window(kind, about), standing.read(text, NAMES), anywhere
    assert standing.fits(order, question, g) is fits
    assert standing.fits(replace(order, after="now"), question, g) is False
    assert standing.fits(replace(order, after="before"), question, g) is fits
