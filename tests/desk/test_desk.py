"""The moderator's desk: orders, windows, undo, rulings, files."""

from datetime import timedelta
from pathlib import Path

import pytest
import small_game
from small_game import MARCH, NOON, SECRETS, again, found, go_on

from pbem.base.errors import BadLog, Costly, NotNow, Refused
from pbem.base.folder import Lock
from pbem.desk import answering, deadline, showing, standing, submission
from pbem.desk.answering import became
from pbem.desk.desk import Desk
from pbem.desk.showing import words
from pbem.desk.tray import Tray
from pbem.log import gamelog
from pbem.orders import LONGEST_LINE
from pbem.play import verify
from pbem.table import position
from pbem.telling.offers import lettered

HEADER = small_game.header
TO_EPHESOS = "roll\nmarch Antigonos > Ephesos"


def states(outcomes):
    return [one.state for one in outcomes]


def same(one, other):
    return position.fingerprint(one.match.g) == position.fingerprint(other.match.g)


# --- a march that stops ------------------------------------------------------------------------------------------


def test_a_march_stops_for_those_who_may_intercept(at_window):
    question = at_window.match.question
    assert (question.kind, question.sides) == ("interception", ("blue", "yellow"))
    assert at_window.game.entries[-1] == {"ask": question.id, "due": "2026-11-20T12:00Z"}


def test_answers_stay_sealed_until_all_are_in(at_window, tmp_path):
    lines = len(at_window.game.entries)
    outcome = at_window.order("blue", "intercept Lysimachos with 2 loyal")
    assert states(outcome) == ["sealed"] and len(at_window.game.entries) == lines
    assert "ysimachos" not in (tmp_path / "g/game.yaml").read_text().split("ask:")[-1]
    at_window.order("yellow", "pass")
    close = next(entry for entry in at_window.game.entries if "close" in entry)
    assert close["answers"] == {"blue": "intercept Lysimachos from Sardeis with 2 loyal", "yellow": "pass"}
    assert close["dice"][0][0] == "T2,R1,red,activation,interception,ephesos,blue,lysimachos,1"


def test_the_published_log_alone_gives_the_same_public_position(at_window, tmp_path):
    at_window.order("blue", "a")
    at_window.order("yellow", "b")
    public = again(tmp_path / "g", published=True)
    assert not public.tray and same(public, at_window)
    assert public.match.question.id == at_window.match.question.id


def test_a_letter_stands_for_the_offer_it_was_printed_with(at_window):
    offers = dict(lettered(at_window.match.question, "yellow"))
    at_window.order("blue", "pass")
    at_window.order("yellow", "b")
    close = next(entry for entry in at_window.game.entries if "close" in entry)
    assert close["answers"]["yellow"] == at_window.match.say(offers["b"])


def test_a_letter_is_nothing_to_whoever_was_shown_none(tmp_path):
    game = found(tmp_path / "g")
    assert game.order("red", "a")[0].error.key == "not_in_this_segment" and len(game.game.entries) == 1
    game.order("red", TO_EPHESOS)
    assert game.order("red", "b")[0].error.key == "not_your_question"


def test_an_order_is_entered_with_the_mail_it_came_in_if_it_came_in_one(tmp_path):
    game = found(tmp_path / "g")
    game.order("red", "roll", via="3f2a")
    game.order("red", "activate Antigonos")
    assert [(entry["do"], entry.get("via")) for entry in game.game.entries if "do" in entry] == [
        ("roll", "3f2a"), ("activate Antigonos", None)]
    assert "via" not in game.game.entries[-1]


def test_what_is_said_for_another_place_is_not_judged_here_and_means_silence_here(at_window):
    (answer,) = at_window.order("blue", "at Pella: intercept Lysimachos with all")
    assert answer.did == ["pass; at Pella: intercept Lysimachos with all"]


def test_whoever_sorts_his_pieces_does_it_at_once(tmp_path):
    """10 B"""
    game = found(tmp_path / "g", {
        "turn": 2, "segment": {"player": "red", "kind": "activation"}, "mp": {"antigonos": 4}, "champions": {"blue": "no"},
        "spaces": {"sippara": "red", "babylon": "blue"}, "forces": [
            {"owner": "red", "at": "sippara", "generals": ["antigonos"], "cus": {"mercenary": 3, "loyal": 2}},
            {"owner": "blue", "at": "babylon", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}}]})
    game.order("red", "march Antigonos > Babylon")
    (done,) = game.order("blue", "inside 2 loyal; outside all")
    assert (done.state, done.did) == ("done", ["inside 2 loyal"])
    assert {"by": "blue", "do": "inside 2 loyal"} in game.game.entries


def test_the_receipt_says_what_a_letter_stood_for(at_window):
    meant = at_window.match.say(dict(lettered(at_window.match.question, "yellow"))["b"])
    receipt = " ".join(answering.receipt(at_window, at_window.order("yellow", "b")).split())
    assert receipt.startswith(f"1 b Answer to {at_window.match.question.id}: {meant}: sealed; it is opened together")


@pytest.mark.parametrize(("typed", "told"), [
    ("march Antigonos > Ephesos > Halikarnassos > Xanthos",
     "march Antigonos with 2 loyal, 3 mercenary > Ephesos > Halikarnassos > Xanthos"),
    ("march Antigonos > Ephesos; end activation", "march Antigonos with 2 loyal, 3 mercenary > Ephesos; end activation")])
def test_the_receipt_tells_a_march_as_one_order_that_does_the_same(tmp_path, typed, told):
    start = {**MARCH, "mp": {"antigonos": 4}, "forces": MARCH["forces"][:1]}
    games = [found(tmp_path / name, start) for name in ("typed", "told")]
    (outcome,) = games[0].order("red", typed)
    assert f"done: {told}." in " ".join(answering.receipt(games[0], [outcome]).split())
    (again_,) = games[1].order("red", told)
    assert again_.did == outcome.did and len(outcome.did) >= 2


def test_a_condition_looks_at_what_was_declared_before(at_window):
    at_window.order("yellow", "intercept Kassandros with all unless blue does else pass")
    at_window.order("blue", "intercept Lysimachos with all")
    close = next(entry for entry in at_window.game.entries if "close" in entry)
    assert close["answers"]["yellow"] == "pass"


def test_a_condition_that_is_met_counts(at_window):
    at_window.order("yellow", "intercept Kassandros with all unless blue does")
    at_window.order("blue", "pass")
    close = next(entry for entry in at_window.game.entries if "close" in entry)
    assert close["answers"]["yellow"].startswith("intercept Kassandros")


@pytest.mark.parametrize(("form", "more"), [("{}", ""), ("{}", "\nbanana"), ("{id}: {}", ""), ("{ID}: {}", "")])
def test_an_answer_may_fill_several_lines(tmp_path, form, more):
    forces = [*MARCH["forces"], {"owner": "blue", "at": "pergamon", "generals": ["peithon"],
                                 "cus": {"loyal": 1}}]
    forces = [force for force in forces if force["owner"] != "yellow"]
    game = found(tmp_path / "g", {**MARCH, "forces": forces})
    game.order("red", TO_EPHESOS)
    ident = game.match.question.id
    lines = [form.format(line, id=ident, ID=ident.upper())
             for line in ("intercept Lysimachos with 2 loyal", "intercept Peithon with all")]
    outcome = game.order("blue", "\n".join(lines) + more)
    assert states(outcome) == ["sealed", *["refused"] * bool(more)]
    close = next(entry for entry in game.game.entries if "close" in entry)
    assert close["answers"]["blue"].count("intercept") == 2


def test_a_strict_game_asks_in_turn_order(tmp_path):
    game = found(tmp_path / "g", polls="strict")
    game.order("red", TO_EPHESOS)
    assert game.match.question.sides == ("blue",)
    with pytest.raises(NotNow):
        game.match.read("yellow", game.match.question.default[0])
    game.order("blue", "pass")
    assert game.match.question.sides == ("yellow",)
    game.order("yellow", "pass")
    assert game.match.question.kind == "activation"
    assert same(again(tmp_path / "g"), game)


def test_silence_means_the_default_and_is_named(at_window):
    at_window.order("blue", "intercept Lysimachos with all")
    with pytest.raises(NotNow):
        at_window.close("T1.R1.red.1", by="clock")
    at_window.close(at_window.match.question.id, by="clock")
    close = next(entry for entry in at_window.game.entries if "close" in entry)
    assert close["silent"] == ["yellow"] and close["closed"] == "overdue" and close["answers"]["yellow"] == "pass"


def is_overdue(desk):
    return deadline.closing(desk).state == deadline.CLOSES


def test_the_clock_closes_nothing_before_its_time_nor_on_hold(at_window, tmp_path):
    due = NOON + timedelta(hours=49)
    assert not is_overdue(at_window)
    assert is_overdue(again(tmp_path / "g", now=due))
    at_window.enter({"hold": "holidays"})
    assert not is_overdue(again(tmp_path / "g", now=due))
    at_window.enter({"resume": "", "due": "2026-12-01T12:00Z"})
    assert not is_overdue(again(tmp_path / "g", now=due))


# --- whole turns in one mail -------------------------------------------------------------------------------------


def test_what_comes_after_the_window_waits_and_goes_on(tmp_path):
    game = found(tmp_path / "g")
    outcome = game.order("red", TO_EPHESOS + " > Halikarnassos\nend activation")
    assert states(outcome) == ["done", "waiting", "waiting"]
    game.order("blue", "pass")
    game.order("yellow", "pass")
    game.run()
    assert game.match.g.generals["antigonos"].at == "halikarnassos"
    assert game.match.g.activation is None and game.waiting("red") == []


def come_over(folder: Path, line: str) -> Desk:
    """Lysimachos comes with one CU; Antigonos stays as he has said he would, and rides him down."""
    game = found(folder, {**MARCH, "mp": {"antigonos": 4}, "champions": {"red": "no"}})
    game.order("red", "standing: stay at Ephesos, once")
    game.order("red", f"{line}\nactivate Antigonos")
    game.order("blue", "intercept Lysimachos with 1 mercenary")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    game.run()
    return game


def test_what_comes_after_the_unforeseen_is_held(tmp_path):
    game = come_over(tmp_path / "g", "march Antigonos > Ephesos > Halikarnassos")
    assert game.is_held("red") and game.waiting("red") == ["march Antigonos > Halikarnassos", "activate Antigonos"]
    game.run(release="red")
    assert game.waiting("red") == [] and game.match.g.generals["antigonos"].at == "halikarnassos"


def test_a_line_that_cannot_be_read_is_held_like_any_other(tmp_path):
    game = come_over(tmp_path / "g", "march Antigonos > Ephesos\nbanana")
    assert game.is_held("red") and game.waiting("red") == ["banana", "activate Antigonos"]


def test_a_step_that_is_held_is_shown_as_its_reader_writes_it(tmp_path, monkeypatch):
    """Nobody typed it; what was typed stands as it came."""
    game = found(tmp_path / "g")
    monkeypatch.setattr(submission, "unforeseen", lambda desk, seat: True)
    game.language = "de"
    outcomes = game.order("red", "roll regardless\nmarch Antigonos > Xanthos > Halikarnassos\nend activation")
    assert [one.state for one in outcomes] == ["done", "done", "held", "held"]
    shown = [answering.line_of(showing.words(game, "red"), one) for one in outcomes]
    assert shown[:2] == ["roll regardless", "march Antigonos > Xanthos > Halikarnassos"]
    assert shown[2:] == ["marschieren Antigonos > Halikarnassos", "end activation"]


def test_what_comes_after_a_line_that_stops_is_held_as_it_was_typed(tmp_path, monkeypatch):
    game = found(tmp_path / "g")
    monkeypatch.setattr(submission, "unforeseen", lambda desk, seat: True)
    outcomes = game.order("red", "roll\nmarch Antigonos > Xanthos\nend activation")
    assert states(outcomes) == ["done", "held", "held"] and not any(one.is_step for one in outcomes)
    assert game.is_held("red") and game.waiting("red") == ["march Antigonos > Xanthos", "end activation"]


def test_what_comes_after_a_line_that_waits_is_shown_as_it_was_typed(tmp_path):
    game = found(tmp_path / "g")
    game.language = "de"
    outcomes = game.order("red", TO_EPHESOS + " > Halikarnassos\nend activation\nend")
    assert states(outcomes) == ["done", "waiting", "waiting", "waiting"]
    assert [answering.line_of(showing.words(game, "red"), one) for one in outcomes[2:]] == ["end activation", "end"]


@pytest.mark.parametrize(("first", "told", "waits"), [
    ([], ["refused", "unread"], []),
    (["march Antigonos > Halikarnassos"], ["done", "refused", "unread"], []),
    (["if MP >= 9: march Antigonos > Xanthos"], ["condition", "refused", "unread"], []),
    (["march Antigonos > Halikarnassos; siege Halikarnassos"], ["refused", "unread", "unread"], ["siege Halikarnassos"]),
])
def test_what_is_refused_of_lines_that_waited_and_what_stands_behind_it_are_held(tmp_path, first, told, waits):
    """Whoever sent it was not there: nobody has told him yet."""
    game = found(tmp_path / "g")
    lines = [*first, "march Antigonos > Lamia", "end"]
    game.order("red", "\n".join([TO_EPHESOS, *lines]))
    for seat in ("blue", "yellow"):
        game.order(seat, "pass")
    assert states(game.run()) == told
    assert game.is_held("red") and game.waiting("red") == [*waits, "march Antigonos > Lamia", "end"]


@pytest.mark.parametrize(("more", "stops", "told"), [
    ("\nactivate Antigonos", False, ["done", "waiting"]), ("\nactivate Antigonos", True, ["done", "held", "held", "held"]),
    ("", True, ["done", "held", "held"])])
def test_what_comes_behind_an_answer_waits_behind_what_was_sent_before(tmp_path, monkeypatch, more, stops, told):
    game = found(tmp_path / "g")
    game.order("red", TO_EPHESOS + " > Halikarnassos\nend activation")
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    if stops:
        monkeypatch.setattr(submission, "unforeseen", lambda desk, seat: True)
    assert states(game.order("red", "withdraw" + more)) == told
    assert game.waiting("red") == ["march Antigonos > Halikarnassos", "end activation", *more.split("\n")[1:]]


@pytest.mark.parametrize(("between", "told"), [("\n", ["done", "waiting"]), ("; ", ["waiting"])])
def test_what_another_has_said_in_advance_is_done_when_the_mail_is(tmp_path, between, told):
    """The lines behind it wait for it, as if he had been asked."""
    desk = found(tmp_path / "g", {
        "turn": 2, "segment": {"player": "red", "kind": "activation"}, "spaces": {"boiotia": "red"}, "mp": {"seleukos": 3},
        "forces": [{"owner": "red", "at": "boiotia", "generals": ["seleukos"], "cus": {"mercenary": 2}},
                   {"owner": "blue", "at": "chalkis", "generals": ["demetrios"], "cus": {"mercenary": 4}}]})
    desk.order("blue", "standing: grant red")
    assert states(desk.order("red", f"march Seleukos > Chalkis asking passage of Blue{between}end activation")) == told
    assert desk.match.question.sides == ("blue",) and desk.waiting("red") == ["end activation"]


def test_what_comes_behind_a_sealed_answer_is_looked_at_at_once(at_window):
    assert states(at_window.order("blue", "pass\nbanana")) == ["sealed", "refused"] and at_window.waiting("blue") == []


@pytest.mark.parametrize(("more", "shown"), [(0, 4000), (1, 63)])
def test_a_line_is_shown_whole_up_to_a_length(tmp_path, more, shown):
    game = found(tmp_path / "g")
    line = "roll" + "l" * (LONGEST_LINE - 4 + more)
    assert len(game.order("red", line)[0].line) == shown
@pytest.mark.parametrize(("text", "stays"), [
    ("siege Tarsos", True), ("# later", True), ("if MP >= 9: march Antigonos > Ephesos", True), ("roll; siege Tarsos", False),
    ("roll", False)])
def test_a_new_submission_takes_the_place_of_the_rest_if_anything_of_it_comes_through(tmp_path, text, stays):
    game = found(tmp_path / "g")
    game.set_waiting("red", ["end activation regardless"], held=True, since=2, named={"antigonos": "halikarnassos"})
    rest = game.tray.turn("red")
    game.order("red", text)
    assert game.tray.turn("red") == (rest if stays else None)


@pytest.mark.parametrize(("seat", "text"), [
    ("red", "surprise 57 on Antigonos"), ("red", "siege Tarsos"), ("blue", "pass"), ("blue", "b always"),
    ("yellow", "surprise 58 on Black"), ("yellow", "siege Tarsos")])
def test_an_answer_or_a_card_in_the_turn_of_others_leaves_the_rest_of_ones_own_turn_as_it_is(tmp_path, seat, text):
    game = found(tmp_path / "g", cards=True)
    game.order("red", TO_EPHESOS)
    game.set_waiting(seat, ["end activation"], since=4, named={"antigonos": "ephesos"})
    rest = game.tray.turn(seat)
    game.order(seat, text)
    assert game.tray.turn(seat) is rest


def test_what_waits_behind_a_card_waits_behind_what_lies_there(tmp_path):
    game = found(tmp_path / "g", cards=True)
    game.order("red", TO_EPHESOS)
    game.set_waiting("yellow", ["roll"], held=True, since=4)
    assert states(game.order("yellow", "surprise 58 on Black\nend activation")) == ["done", "waiting"]
    assert game.waiting("yellow") == ["roll", "end activation"] and game.is_held("yellow")


def test_blank_lines_and_remarks_are_no_lines(tmp_path):
    assert states(found(tmp_path / "g").order("red", "\n  \nroll\n  # and no more\n")) == ["done"]
    assert again(tmp_path / "g").order("blue", "# nothing yet") == []


def test_what_an_undo_has_held_waits_for_its_sender_whatever_else_he_sends_that_is_refused(at_window):
    at_window.set_waiting("red", ["end activation regardless"])
    march = next(number for number, one in enumerate(at_window.game.entries, 1) if str(one.get("do", "")).startswith("march"))
    at_window.undo(march, "misread", override=True)
    at_window.order("red", "siege Tarsos")
    at_window.run()
    assert at_window.waiting("red") == ["end activation regardless"]


def test_regardless_goes_on(tmp_path):
    game = found(tmp_path / "g")
    game.order("red", "roll\nsplit Halikarnassos leaving 1 mercenary regardless\nactivate Antigonos")
    assert game.match.g.activation.key == "antigonos"


def test_regardless_goes_on_after_a_window_too(tmp_path):
    """That he would be met was not to be foreseen, but the line said so; the one behind it did not."""
    game = come_over(tmp_path / "g", "march Antigonos > Ephesos > Halikarnassos regardless")
    assert game.waiting("red") == [] and game.match.g.generals["antigonos"].at == "halikarnassos"
    assert game.match.g.activation.key == "antigonos"


def test_a_condition_on_mps_means_the_general_who_is_named(tmp_path):
    """9.2 A die of 2 gives Antigonos 3 MPs and Krateros 2."""
    army = {"owner": "red", "cus": {"loyal": 1}}
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 3, "krateros": 2}, "forces": [
        {**army, "at": "tarsos", "generals": ["krateros"]}, {**army, "at": "halikarnassos", "generals": ["antigonos"]}]})
    outcome = game.order("red", "if MP >= 3: march Krateros > Issos\nif MP >= 3: march Antigonos > Ephesos")
    assert states(outcome) == ["condition", "done"]


def test_conditions_of_ones_own_turn(tmp_path):
    game = found(tmp_path / "g")
    outcome = game.order("red", "roll\nif MP >= 5: march Antigonos > Ephesos\nif MP >= 2: activate Antigonos")
    assert states(outcome) == ["done", "condition", "done"]


def test_a_refusal_changes_nothing_and_stops_the_rest(tmp_path):
    game = found(tmp_path / "g")
    before = position.fingerprint(game.match.g), len(game.game.entries)
    outcome = game.order("red", "march Antigonos > Pella\nroll")
    assert states(outcome) == ["refused", "unread"]
    assert (position.fingerprint(game.match.g), len(game.game.entries)) == before


def test_what_stood_before_a_refusal_in_its_line_is_told_as_done(tmp_path):
    """Else its sender would send it again, and a line that had waited would be done twice."""
    desk = found(tmp_path / "game")
    first, second = desk.order("red", "roll; siege Tarsos\nend")
    assert (first.state, first.did, second.state) == ("refused", ["roll"], "unread")
    assert [entry["do"] for entry in desk.game.entries if "do" in entry] == ["roll"]
    assert became(words(desk), first).startswith("done: roll. Then: not allowed")


def test_a_destination_alone_takes_the_cheapest_way(tmp_path):
    game = found(tmp_path / "g", {**game_without_others(), "mp": {"antigonos": 4}})
    game.order("red", "march Antigonos > Sardeis")
    assert [entry["do"] for entry in game.game.entries if "do" in entry][-2:] == [
        "march Antigonos with 2 loyal, 3 mercenary > Ephesos", "march Antigonos with 2 loyal, 3 mercenary > Sardeis"]


def test_two_ways_that_risk_different_things_are_not_chosen_between(tmp_path):
    start = game_without_others()
    start["spaces"] = {"halikarnassos": "red"}
    start["forces"] = [{**start["forces"][0], "at": "abydos"}, {"owner": "blue", "at": "pergamon", "generals": ["lysimachos"],
                                                                "cus": {"loyal": 1}}]
    game = found(tmp_path / "g", {**start, "mp": {"antigonos": 4}})
    ways = game.match.g.board.cheapest_paths("abydos", "astakos", 4)
    outcome = game.order("red", "march Antigonos > Astakos")
    assert len(ways) < 2 or outcome[0].state in ("done", "refused")


def game_without_others():
    from small_game import MARCH

    return {**MARCH, "forces": MARCH["forces"][:1], "spaces": {"halikarnassos": "red"}}


def test_an_open_route_asks_once_for_all_its_steps(tmp_path):
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos > Halikarnassos openly")
    question = game.match.question
    assert (question.kind, question.about["route"]) == ("route", ["ephesos", "halikarnassos"])
    (unread,) = game.order("blue", "Ephesos: pass")
    assert unread.error.facts["suggestions"] == ["at Ephesos: pass; at Halikarnassos: pass"]
    for line, key in (("at Ephesos: intercept Lysimachos with 9 loyal", "too_few_cus"), ("at Pella: pass", "not_on_the_route")):
        assert game.order("blue", line)[0].error.key == key
    for line in ("pass", "at Halikarnassos: pass"):
        assert game.order("blue", line)[0].did == [line]
    game.order("blue", "at Ephesos: pass; at Halikarnassos: pass")
    game.order("yellow", "at Ephesos: pass")
    game.run()
    assert game.match.g.generals["antigonos"].at == "halikarnassos"
    asked = [entry["ask"] for entry in game.game.entries if "ask" in entry]
    assert len(asked) == len(set(asked)) and not any(game.tray.ahead(seat) for seat in question.sides)


# --- surprise cards and free acts --------------------------------------------------------------------------------


def test_a_surprise_card_runs_on_top_of_the_open_window(tmp_path):
    game = found(tmp_path / "g", cards=True)
    game.order("red", TO_EPHESOS)
    window = game.match.question.id
    game.order("yellow", "surprise Ahura Mazda on Black")
    assert game.match.question.kind == "surprise"                    # who could cancel it is asked
    assert set(game.match.question.sides) == {"red", "blue", "black"}
    game.close(game.match.question.id, by="clock")
    assert game.match.question.id == window
    g = game.match.g
    assert g.secret.hand("yellow") == ("4", "5") and g.secret.hand("black") == ("20",)
    assert (g.hands["yellow"], g.hands["black"], g.deck) == (2, 1, 19)
    assert same(again(tmp_path / "g", published=True), game)
    for seat in ("blue", "yellow"):
        game.order(seat, "pass")
    order = standing.read("pass on interception, always", game.match.names)
    assert [one.question for one in standing.rehearsal(game, "blue", order)] == [window]           # one window, not two


@pytest.mark.parametrize(("number", "told"), [(2, False), (3, True)])
def test_which_cards_move_is_told_in_logs_from_a_format_on(tmp_path, monkeypatch, number, told):
    monkeypatch.setattr(small_game, "header", lambda **rules: {**HEADER(**rules), "format": number})
    game = found(tmp_path / "g", cards=True)
    game.order("red", TO_EPHESOS)
    game.order("yellow", "surprise Ahura Mazda on Black")
    game.close(game.match.question.id, by="clock")
    assert any("cards" in entry for entry in game.game.entries) is told


def test_a_cancelled_card_does_nothing_and_both_are_replaced(tmp_path):
    game = found(tmp_path / "g", cards=True)
    game.order("red", "surprise The Gift of Oratory on Antigonos")
    game.order("blue", "surprise 50")
    game.close(game.match.question.id, by="clock")
    while game.match.question.kind == "surprise":
        game.close(game.match.question.id, by="clock")
    g = game.match.g
    assert not g.oratory and g.discards == ["57", "50"]
    assert len(g.secret.hand("red")) == 2 and len(g.secret.hand("blue")) == 2


def test_a_card_window_is_never_closed_before_its_time(tmp_path):
    game = found(tmp_path / "g", cards=True)
    game.order("red", "surprise The Gift of Oratory on Antigonos")
    for seat in game.match.question.sides:
        game.order(seat, "pass")
    assert game.run() == [] and game.match.question.kind == "surprise"


def test_nobody_plays_what_is_not_in_his_hand(tmp_path):
    game = found(tmp_path / "g", cards=True)
    outcome = game.order("blue", "surprise The Gift of Oratory on Lysimachos")
    assert (outcome[0].error.rule, outcome[0].error.key) == ("6.2", "card_not_in_hand")


def test_fog_is_refused_where_there_is_no_naval_battle(tmp_path):
    game = found(tmp_path / "g", cards=True)
    outcome = game.order("red", "surprise 53")
    assert isinstance(outcome[0].error, Refused)


def test_free_acts_wait_while_others_are_asked(at_window):
    outcome = at_window.order("red", "place minor at Ephesos")
    assert outcome[0].error.key == "others_are_asked"


# --- undo, rulings, amendments -----------------------------------------------------------------------------------


def test_undo_takes_back_with_the_consent_of_every_other_seat(at_window, tmp_path):
    at_window.order("blue", "intercept Lysimachos with all")
    at_window.order("yellow", "pass")
    roll = next(number for number, entry in enumerate(at_window.game.entries, 1) if entry.get("do") == "roll")
    with pytest.raises(Refused) as refused:
        at_window.undo(roll + 2, "wrong general")
    assert refused.value.facts["seats"] == ["blue", "yellow", "black"] and refused.value.facts["stain"]
    at_window.undo(roll + 2, "wrong general", consent=["blue", "yellow", "black"])
    assert at_window.match.g.generals["antigonos"].at == "halikarnassos"
    assert at_window.match.g.movement_roll is not None
    assert same(again(tmp_path / "g"), at_window)


def test_an_undo_says_no_more_than_there_is_to_say(at_window):
    at_window.enter({"note": "a slip"})
    number = len(at_window.game.entries)
    assert at_window.undo(number, "not meant", override=True) == [number + 1]
    assert at_window.game.entries[number] == {"undo": number, "reason": "not meant", "at": "2026-11-18T12:00Z"}
    at_window.undo(2, "misread", consent=["blue", "yellow", "black"])
    told = next(entry for entry in reversed(at_window.game.entries) if "undo" in entry)
    assert told.keys() == {"undo", "reason", "at", "stain", "consent"} and told["consent"] == ["blue", "yellow", "black"]


def test_what_never_was_is_not_taken_back_nor_looked_at(at_window):
    last = len(at_window.game.entries)
    for act, numbers in ((at_window.to_take_back, (0, last + 1)), (at_window.at, (-1, last + 1)),
                         (at_window.mark_posted, (-1, last + 1))):
        for number in numbers:
            with pytest.raises(Refused, match="no such entry"):
                act(number)
    assert at_window.to_take_back(1)[0] == 1
    assert at_window.at(0).match.table is None and at_window.at(None) is at_window
    assert [at_window.mark_posted(number)["entry"] for number in (0, last, None)] == [0, last, last]


def test_what_was_written_with_an_entry_is_taken_back_with_it(tmp_path):
    """The end of a Game Turn, and what is opened then."""
    game = found(tmp_path / "g", cards=True)
    go_on(game, 3)
    ended = next(number for number, entry in enumerate(game.game.entries, 1) if "turn_end" in entry)
    assert "openings" in game.game.entries[ended]
    assert [game.to_take_back(number)[0] for number in (ended - 2, ended - 1, ended, ended + 1)] == [
        ended - 2, ended - 1, ended - 1, ended - 1]
    assert game.wants_words(ended) and not game.wants_words(ended + 2)
    consent = ["red", "blue", "yellow", "black"]
    with pytest.raises(Refused, match="fresh words needed"):
        game.undo(ended, "too late", consent=consent, words=dict.fromkeys(consent[1:], "rain"))
    with pytest.raises(Refused, match="unknown seat"):
        game.undo(ended, "too late", consent=consent, words={"green": "rain"})
    game.undo(ended, "too late", consent=consent, words=dict.fromkeys(consent, "rain"))
    told = next(entry for entry in reversed(game.game.entries) if "undo" in entry)
    assert told["words"] == dict.fromkeys(consent, "rain") and "override" not in told


def test_before_the_game_nothing_is_ruled_amended_or_mended(tmp_path):
    gamelog.create(tmp_path, small_game.header())
    game = again(tmp_path)
    for act in (lambda: game.ruling("no"), lambda: game.amend([], "no"), lambda: game.mend("no")):
        with pytest.raises(NotNow, match="not begun"):
            act()


def test_a_ruling_and_an_amendment_say_no_more_than_there_is_to_say(tmp_path):
    game = found(tmp_path / "g")
    first = len(game.game.entries)
    game.ruling("so be it")
    game.amend([{"datum": "generals.antigonos.initiative", "value": 4}], "off the card")
    game.amend([{"datum": "generals.antigonos.initiative", "value": value} for value in (3, 2)], "off the card")
    assert [entry for entry in game.game.entries[first:] if "ask" not in entry] == [
        {"ruling": "so be it", "reason": ""},
        {"amend": "generals.antigonos.initiative", "value": 4, "reason": "off the card"},
        {"amend": [{"datum": "generals.antigonos.initiative", "value": value} for value in (3, 2)], "reason": "off the card"}]


def test_a_seat_that_nobody_has_reserves_nothing(tmp_path):
    with pytest.raises(Refused, match="unknown seat"):
        found(tmp_path / "g", windows="reserved").reserve("green", [])


def test_the_same_act_after_an_undo_meets_the_same_die(at_window):
    at_window.order("blue", "intercept Lysimachos with all")
    at_window.order("yellow", "pass")
    first = [entry["dice"] for entry in at_window.game.entries if "close" in entry]
    entry = next(number for number, one in enumerate(at_window.game.entries, 1) if str(one.get("do", "")).startswith("march"))
    at_window.undo(entry, "misread", override=True)
    at_window.order("red", "march Antigonos > Ephesos")
    at_window.order("blue", "intercept Lysimachos with all")
    at_window.order("yellow", "pass")
    assert [one["dice"] for one in at_window.game.entries if "close" in one][1:] == first


def test_an_undo_can_be_undone(tmp_path):
    game = found(tmp_path / "g")
    game.order("red", "activate Antigonos")
    game.order("red", "roll")
    state = position.fingerprint(game.match.g)
    number = len(game.game.entries)
    game.undo(number, "slip", override=True)
    game.undo(number + 1, "it was right", override=True)
    assert position.fingerprint(game.match.g) == state


def test_a_ruling_states_facts_and_is_judged(tmp_path):
    game = found(tmp_path / "g")
    with pytest.raises(Refused) as refused:
        game.ruling("Nonsense", facts={"forces": [{"owner": "blue", "at": "memphis", "cus": {"royal": 9}}]})
    assert refused.value.key == "ruling_breaks"
    game.ruling("Yellow loses a CU", reason="misplaced", adjust={"red": {"VP": 2}},
                facts={"forces": [{"owner": "yellow", "at": "pergamon", "cus": {"mercenary": 1}}]})
    assert game.match.g.count("pergamon", "yellow") == 1 and game.match.g.tallies["red"][1] == 2
    assert same(again(tmp_path / "g"), game)


def test_a_ruling_may_abandon_the_running_procedure(at_window, tmp_path):
    at_window.ruling("The march does not take place", abandon="activation",
                     facts={"forces": [{"owner": "red", "at": "ephesos", "cus": {}},
                                       {"owner": "red", "at": "halikarnassos", "generals": ["antigonos"],
                                        "cus": {"mercenary": 3, "loyal": 2}}]})
    assert at_window.match.question.kind == "activation" and at_window.match.g.activation is None
    assert same(again(tmp_path / "g"), at_window)


def test_an_amendment_counts_from_here_on(tmp_path):
    game = found(tmp_path / "g")
    assert game.match.g.generals["antigonos"].initiative == 2
    game.amend([{"datum": "generals.antigonos.initiative", "value": 4}], "read off the card")
    assert game.match.g.generals["antigonos"].initiative == 4
    assert again(tmp_path / "g").match.g.generals["antigonos"].initiative == 4


def test_a_rebase_states_the_hands_that_there_are_and_deals_nothing_anew(tmp_path):
    desk = found(tmp_path / "g", cards=True)
    desk.enter({"rebase": "as it stands", "position": {**MARCH, "hands": HANDS}})
    assert "deck" not in desk.game.entries[-1] and not again(tmp_path / "g").match.g.over


HANDS = {"red": 2, "blue": 2, "yellow": 2, "black": 1}


def rebased(desk, hands):
    desk.enter({"rebase": "as it stands", "position": {**MARCH, "hands": hands}})


def ruled(desk, hands):
    desk.ruling("So they lie", facts={"hands": hands})


def test_hands_are_stated_as_the_private_file_has_them_or_empty(tmp_path):
    """Else somebody could not play a card that he is counted, and the game could not go on."""
    desk = found(tmp_path / "g", cards=True)
    lines = len(desk.game.entries)
    more = {**HANDS, "red": 3, "blue": 1}
    for hands, state in (({**HANDS, "red": 1}, rebased), (more, rebased), (more, ruled)):
        with pytest.raises(Refused) as refused:
            state(desk, hands)
        assert (refused.value.key, refused.value.facts) == ("other_hand", {"seat": "red", "count": 2, "number": hands["red"]})
    assert len(again(tmp_path / "g").game.entries) == lines
    ruled(desk, HANDS)
    desk.enter({"rebase": "before the deal", "position": MARCH})
    assert not any(desk.match.g.hands.values())


def test_a_log_of_before_with_other_hands_goes_on_and_so_does_one_whose_hands_nobody_knows(tmp_path):
    found(tmp_path / "g", cards=True)
    gamelog.append(tmp_path / "g", [{"rebase": "as it stood", "position": {**MARCH, "hands": {**HANDS, "red": 1}}}])
    desk = again(tmp_path / "g")
    desk.enter({"note": "and on"})
    assert desk.match.g.hands["red"] == 1
    by_hand = found(tmp_path / "h", secrets=False)
    rebased(by_hand, HANDS)
    assert by_hand.match.g.hands == HANDS


def test_rebase_goes_on_from_a_stated_position(at_window, tmp_path):
    from small_game import MARCH

    at_window.enter({"rebase": "the log and the board had parted", "position": MARCH})
    assert at_window.match.question.kind == "activation" and at_window.match.g.movement_roll is None
    assert same(again(tmp_path / "g"), at_window)


def test_an_entry_that_would_do_nothing_is_refused_and_nothing_written(tmp_path):
    game = found(tmp_path / "g")
    lines = len(game.game.entries)
    for entry in ({"interrupt": "17", "do": "roll"}, {"windows": "held", "engine": "9.9.9"}):
        with pytest.raises(BadLog):
            game.enter(entry)
    assert len(again(tmp_path / "g").game.entries) == lines


# --- dice rolled elsewhere ---------------------------------------------------------------------------------------


def test_dice_rolled_elsewhere_are_taken_and_marked(tmp_path):
    game = found(tmp_path / "g", secrets=False)
    outcome = game.order("red", "roll")
    assert outcome[0].error.key == "die_needed"
    game.order("red", "roll", throws=[(5, "")], reason="rolled at the club")
    entry = next(one for one in game.game.entries if one.get("do") == "roll")
    assert entry["dice"][0][1:] == [5, {"by": "hand", "reason": "rolled at the club"}]
    assert (len(game.game.entries) - 1, "hand_dice") in game.match.marks or game.match.marks
    assert same(again(tmp_path / "g"), game)


def test_too_many_dice_are_refused_and_nothing_written(tmp_path):
    game = found(tmp_path / "g", secrets=False)
    outcome = game.order("red", "roll", throws=[(5, ""), (6, "")])
    assert outcome[0].state == "refused" and game.match.g.movement_roll is None
    assert showing.sentence(outcome[0].error) == (
        "not done: 2 dice were given, and only 1 was rolled. Give it again with the first die alone.")
    assert len(again(tmp_path / "g").game.entries) == 1


# --- dry runs and faults -----------------------------------------------------------------------------------------


def test_a_dry_run_writes_nothing_and_stops_at_the_unknown(tmp_path):
    game = found(tmp_path / "g")
    text = (tmp_path / "g/game.yaml").read_text()
    outcome = game.dry_run("red", "roll\nactivate Antigonos")
    assert states(outcome) == ["unknown", "unread"] and outcome[0].error.key == "die_not_thrown"
    assert (tmp_path / "g/game.yaml").read_text() == text


def test_a_fault_in_the_rules_writes_nothing(tmp_path, monkeypatch):
    from pbem.rules.sequence import ACTIVATION_ACTS as acts

    game = found(tmp_path / "g")
    monkeypatch.setitem(acts, "roll", acts["roll"]._replace(do=lambda g, order: 1 / 0))
    outcome = game.order("red", "roll")
    assert outcome[0].error.key == "fault_of_the_program"
    assert len(again(tmp_path / "g").game.entries) == 1
    monkeypatch.undo()
    game.order("red", "roll")
    assert game.match.g.movement_roll


def test_a_price_is_told_before_it_is_paid(tmp_path):
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    outcome = game.order("blue", "intercept Lysimachos with 1 loyal")
    assert outcome[0].state == "sealed"                              # Sardeis is blue's: nothing is lost
    outcome = game.order("yellow", "intercept Kassandros with nothing")
    assert isinstance(outcome[0].error, Costly)
    assert states(game.order("yellow", "intercept Kassandros with nothing yes")) == ["sealed"]


@pytest.fixture
def before_battle(at_window):
    """Blue has come to Ephesos; Red alone decides whether he stays."""
    at_window.order("blue", "intercept Lysimachos with all")
    at_window.order("yellow", "pass", throws=[(6, "")], reason="a test")
    assert at_window.match.question.sides == ("red",) and not at_window.match.question.sealed
    return at_window


def test_what_one_player_alone_decides_is_written_at_once(before_battle):
    asked = before_battle.match.question.id
    (done,) = before_battle.order("red", f"{asked}: withdraw")
    assert (done.state, done.line, done.did) == ("done", f"{asked}: withdraw", ["withdraw"])
    assert {"by": "red", "do": "withdraw"}.items() <= before_battle.game.entries[done.entries[0] - 1].items()
    assert before_battle.match.question.id != asked


def test_silence_of_one_player_alone_is_written_as_his(before_battle):
    (number, *_) = before_battle.close(before_battle.match.question.id, by="clock")
    entry = before_battle.game.entries[number - 1]
    assert (entry["by"], entry["as"]) == ("red", "silent") and "close" not in entry


def test_a_price_of_ones_own_turn_is_told_before_it_is_paid(tmp_path):
    game = found(tmp_path / "g", {**MARCH, "spaces": {"sardeis": "blue", "pergamon": "yellow"}})
    refused = game.order("red", "roll\nmarch Antigonos with 1 mercenary > Ephesos")[1]
    assert isinstance(refused.error, Costly) and refused.error.key == "costs_unowned" and refused.did == []
    assert len(game.order("red", "march Antigonos with 1 mercenary > Ephesos yes")[0].did) == 1


def test_a_letter_that_was_not_offered_is_refused(at_window):
    outcome = at_window.order("blue", "z")[0]
    assert outcome.error.key == "no_such_letter" and outcome.error.facts["known"][0] == "a"


def test_a_seat_that_nobody_has_gives_no_orders(at_window):
    with pytest.raises(Refused, match="unknown seat"):
        at_window.order("green", "roll")


def test_where_nobody_is_asked_nothing_closes_and_a_standing_order_is_kept_all_the_same(at_window):
    asked = at_window.match.question.id
    at_window.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert at_window.match.question is None
    with pytest.raises(NotNow, match="not the open question"):
        at_window.close(asked, by="clock")
    (late,), (nonsense,) = at_window.order("blue", f"{asked}: b"), at_window.order("blue", "banana")
    assert states(at_window.order("red", "end tyche")) == ["refused"]
    assert (late.error.key, late.error.facts["open"], nonsense.error.key) == ("not_the_open_question", "", "unreadable_order")
    assert states(at_window.order("blue", "standing: grant red")) == ["answered"]


def test_only_what_was_edited_by_hand_can_be_accepted(at_window):
    with pytest.raises(Refused, match="not edited: entry 1"):
        at_window.accept(1, "why not")


# --- files -------------------------------------------------------------------------------------------------------


def test_secrets_are_for_the_moderator_only(at_window, tmp_path):
    at_window.order("blue", "intercept Lysimachos with 2 loyal")
    private = tmp_path / "g/private.yaml"
    assert private.stat().st_mode & 0o777 == 0o600
    assert SECRETS.plain()["deck"] in private.read_text()
    assert SECRETS.plain()["deck"] not in (tmp_path / "g/game.yaml").read_text()
    assert "private.yaml" in (tmp_path / "g/.gitignore").read_text()


def test_a_game_is_named_by_its_folder_or_by_its_file(at_window, tmp_path):
    by_file = again(tmp_path / "g/game.yaml")
    assert by_file.folder == again(tmp_path / "g").folder == tmp_path / "g" and same(by_file, at_window)


@pytest.mark.parametrize("reason", ["", "from the photo"])
def test_a_game_that_has_nothing_to_hide_has_no_private_file_and_says_why_it_began(tmp_path, reason):
    with Lock(tmp_path):
        Desk.found(tmp_path, HEADER(), MARCH, Tray(), reason)
    assert not (tmp_path / "private.yaml").exists()
    assert [entry.get("reason") for entry in again(tmp_path).game.entries] == [reason or None]


def test_a_game_that_has_not_begun_takes_no_entries(tmp_path):
    gamelog.create(tmp_path, HEADER())
    with pytest.raises(NotNow) as refused:
        again(tmp_path).enter({"note": "hello"})
    assert refused.value.key == "not_begun" and gamelog.read_game(tmp_path).entries == []


def test_a_changed_die_stops_loudly(at_window, tmp_path):
    path = tmp_path / "g/game.yaml"
    path.write_text(path.read_text().replace("activation,movement,1", "activation,movement,2"))
    with pytest.raises(gamelog.BadLog.__mro__[1]) as found_out:
        again(tmp_path / "g")
    assert found_out.value.key == "other_dice" and found_out.value.facts["entry"] == 2


# --- seats -------------------------------------------------------------------------------------------------------


def test_for_a_neutral_seat_silence_answers_at_once(tmp_path):
    game = found(tmp_path / "g")
    game.enter({"seat": "yellow", "neutral": "yes", "reason": "resigned"})
    game.order("red", TO_EPHESOS)
    assert game.match.question.sides == ("blue", "yellow")
    game.order("blue", "pass")
    assert game.match.question.kind == "activation"
    assert same(again(tmp_path / "g"), game)


def test_an_agreed_draw_ends_the_game(at_window, tmp_path):
    at_window.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert at_window.match.question is None
    assert again(tmp_path / "g").match.g.over == {"by": "agreement"}
    assert states(at_window.order("red", "roll")) == ["refused"]


def test_who_marches_on_without_a_slow_commander_is_not_held_back_by_him(tmp_path):
    """9.2 D1 Antipatros has spent his only MP; Antigonos, whom he brought along, has two more."""
    desk = found(tmp_path / "g", {
        "turn": 2, "segment": {"player": "red", "kind": "activation"}, "spaces": {"larisa": "red", "lamia": "red"},
        "mp": {"antipatros": 1, "antigonos": 3},
        "forces": [{"owner": "red", "at": "larisa", "generals": ["antipatros", "antigonos"], "cus": {"loyal": 2}}]})
    states = [one.state for one in desk.order("red", "march Antipatros with Antigonos, 2 loyal > Lamia\n"
                                                     "march Antigonos with 1 loyal > Boiotia")]
    assert states == ["done", "done"] and desk.match.g.generals["antigonos"].at == "boiotia"
    assert desk.match.g.generals["antipatros"].at == "lamia"


def test_a_deal_that_is_done_again_is_the_same_deal(tmp_path):
    """5.3 Whoever takes a deal back gets no other one."""
    desk = found(tmp_path / "g", {"turn": 2, "phase": "deal", "turn_order": ["red", "blue", "yellow", "black"]})
    with Lock(desk.folder):
        desk.enter({"note": "before the deal"})
        shuffled = next((number for number, one in enumerate(desk.game.entries, 1) if "deck" in one), 0)
        desk.undo(shuffled, "a slip", override=True)
        desk.enter({"position": {"turn": 2, "phase": "deal", "turn_order": ["red", "blue", "yellow", "black"]}})
    first, second = (one["deck"] for one in desk.game.entries if "deck" in one)
    assert first == second and first["name"] == "main,2"
    assert [one for one in verify.verify(desk.folder) if one.state == "failed"] == []


def test_whoever_is_called_back_from_the_sea_comes_to_the_port_he_left(tmp_path):
    """13.3 D A ruling ends the segment; the port left is Blue's, who let him through, and nobody fights for it (R3)."""
    desk = found(tmp_path / "g", {
        "turn": 2, "segment": {"player": "red", "kind": "activation"}, "spaces": {"boiotia": "red"}, "mp": {"seleukos": 3},
        "forces": [{"owner": "red", "at": "boiotia", "generals": ["seleukos"], "cus": {"mercenary": 2}},
                   {"owner": "blue", "at": "chalkis", "generals": ["demetrios"], "cus": {"mercenary": 4}}]})
    desk.run()
    desk.order("red", "march Seleukos > Chalkis asking passage of Blue")
    desk.order("blue", "grant")
    desk.order("red", "honour\nembark Seleukos")
    assert desk.match.g.generals["seleukos"].at == "chalkis/sea"
    desk.ruling("the segment is over", reason="by agreement", abandon="segment")
    assert sorted(desk.match.g.sides_at("chalkis")) == ["blue", "red"] and not desk.match.g.dispersed.get("red")


def test_an_answer_that_lasts_is_not_given_once_more_with_the_yes_to_a_price_behind_it(tmp_path):
    """The line that was made to last is no line below the one whose price was told."""
    start = {**MARCH, "mp": {"antigonos": 4, "krateros": 4}, "forces": [
        *MARCH["forces"], {"owner": "red", "at": "xanthos", "generals": ["krateros"], "cus": {"loyal": 3}}]}
    game = found(tmp_path / "g", start)
    game.order("red", "march Antigonos > Ephesos")
    game.order("blue", "intercept Lysimachos with all")
    game.order("yellow", "pass", throws=[(6, "")], reason="a test")
    costly = "march Krateros with 1 loyal > Halikarnassos"
    assert states(game.order("red", f"withdraw always\n{costly}")) == ["done", "refused", "answered"]
    assert [(one.line, one.state) for one in game.order("red", "yes")] == [(f"{costly} yes", "done")]


def test_a_price_over_which_lines_that_waited_stopped_is_paid_by_a_yes_alone_and_all_behind_it_goes_on(tmp_path):
    """Others answered when it came up; with his next question its sender reads it."""
    game = found(tmp_path / "g")
    game.order("red", TO_EPHESOS + "\nmarch Antigonos > Pergamon\nend activation")
    for seat in ("blue", "yellow"):
        game.order(seat, "pass")
    game.run()
    assert game.is_held("red") and game.waiting("red") == ["march Antigonos > Pergamon", "end activation"]
    told = [(one.line, one.state) for one in game.order("red", "yes")]
    assert told == [("march Antigonos > Pergamon yes", "done"), ("end activation", "waiting")]


@pytest.mark.parametrize("between", ["\n", "; "])
def test_what_is_refused_of_lines_that_waited_is_held_with_all_that_stands_behind_it(tmp_path, between):
    """It happens in the mail of somebody else, or at a deadline: nobody would tell their sender."""
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})
    game.order("red", f"march Antigonos > Ephesos\nend activation{between}siege Tarsos\nend")
    game.order("blue", "pass")
    game.order("yellow", "pass")
    assert "refused" in states(game.run())
    assert game.match.g.activation is None
    assert (game.waiting("red"), game.is_held("red")) == (["siege Tarsos", "end"], True)
