"""What people type, taken as they mean it: letters with marks around them, own words, prices, conditions at the end."""

import pytest
from at_the_shell import pbem, said
from small_game import MARCH, again, found
from texts import flat

from pbem.base.errors import PbemError
from pbem.desk import answering, showing, standing
from pbem.desk.desk import Desk
from pbem.mail import entered, paste, quotes


def did(desk: Desk) -> list[str]:
    return [entry["do"] for entry in desk.game.entries if "do" in entry]


def sealed(desk: Desk, seat: str) -> str:
    question = desk.match.question
    assert question is not None
    return desk.sealed(question).get(seat, "")


LYSIMACHOS = "intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary"


@pytest.mark.parametrize(("text", "answer"), [
    ("intercept Lysimachos", LYSIMACHOS), ("(b)", LYSIMACHOS), ('"b"', LYSIMACHOS), ("“b”", LYSIMACHOS), ("«B».", LYSIMACHOS),
    ("b)", LYSIMACHOS), ("[b]", LYSIMACHOS), ("**b**", LYSIMACHOS), ("\ufeffb", LYSIMACHOS), ("b !", LYSIMACHOS),
    ("b with 2 loyal", "intercept Lysimachos from Sardeis with 2 loyal"),
    ("B, 2 loyal", "intercept Lysimachos from Sardeis with 2 loyal"),
    ("I intercept with Lysimachos", ""), ("I pass", "pass"), ("we pass", "pass"), ("ich passe", "pass"), ("io passo", "pass"),
    ("(pass)", "pass"), ("please pass.", "pass"), ("b unless yellow does", f"{LYSIMACHOS} if Yellow passes"),
    ('"intercept Lysimachos with all"', LYSIMACHOS), ("I'll intercept Lysimachos with 1 loyal",
                                                      "intercept Lysimachos from Sardeis with 1 loyal"),
])
def test_an_answer_is_taken_as_people_write_it(at_window: Desk, text: str, answer: str) -> None:
    outcome = at_window.order("blue", text)[0]
    assert (outcome.state == "sealed") == bool(answer)
    assert sealed(at_window, "blue") == answer


@pytest.mark.parametrize("text", ["banana", "I like it there", "b b", "??", "**"])
def test_nonsense_where_an_answer_is_wanted_is_told_what_would_be_one(at_window: Desk, text: str) -> None:
    outcome = at_window.order("blue", text)[0]
    told = flat(answering.became(showing.words(at_window), outcome))
    assert "by a letter, a to c, or in words" in told and f'"pass" or "{LYSIMACHOS}".' in told


def test_nonsense_of_somebody_who_is_not_asked_is_no_answer(at_window: Desk) -> None:
    assert at_window.order("red", "banana")[0].error.key == "unreadable_order"


@pytest.mark.parametrize(("text", "key"), [("b with 2 loyl", "unknown_name"), ("intercpt Lysimachos", "unreadable_order"),
                                           ("z with 2 loyal", "no_such_letter"), ("b with loyal", "how_many")])
def test_a_slip_of_the_pen_is_told_as_what_it_is(at_window: Desk, text: str, key: str) -> None:
    assert at_window.order("blue", text)[0].error.key == key


def test_nonsense_in_ones_own_turn_is_told_what_could_be_done(tmp_path) -> None:
    """One order of each kind, and a few kinds."""
    desk = found(tmp_path / "g")
    error = desk.order("red", "banana")[0].error
    assert error.key == "unreadable_order"
    assert [one.split()[0] for one in error.facts["suggestions"]] == ["roll", "split", "raise"]
    desk.order("red", "roll")
    told = flat(answering.became(showing.words(desk), desk.order("red", "banana")[0]))
    assert "march Antigonos" in told and "naval battle" not in told


@pytest.mark.parametrize(("text", "done"), [
    ("roll if MP >= 0", False), ("roll, but only if Larisa is uncontrolled", True), ("roll if Larisa is red", False),
    ("I roll", True), ("please roll", True), ("**roll**", True), ('"roll"', True), ("\ufeffroll", True), ("(roll)", True)])
def test_an_order_is_taken_as_people_write_it(tmp_path, text: str, done: bool) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", text)
    assert (did(desk) == ["roll"]) == done


@pytest.mark.parametrize("text", ["march with Antigonos to Ephesos", "I move with Antigonos > Ephesos, but only if MP >= 0",
                                  "I'll march Antigonos to Ephesos"])
def test_a_march_is_taken_as_people_write_it(tmp_path, text: str) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "roll")
    desk.order("red", text)
    assert did(desk)[-1] == "march Antigonos with 2 loyal, 3 mercenary > Ephesos"


def test_of_an_order_that_cannot_be_read_it_is_said_what_of_it(tmp_path) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "roll")
    assert desk.order("red", "I march with Antigon0s to Nowhere")[0].error.key == "unknown_name"


def test_a_segment_is_ended_by_its_name_and_no_other_is(tmp_path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards=True)
    desk.order("red", "play 1 as ops")
    refused = desk.order("red", "end surrender")[0]
    assert refused.error.key == "another_segment" and "Tyche Segment" in answering.became(showing.words(desk), refused)
    assert desk.order("red", "train mercenary")[0].did == ["train mercenary 2"]         # what else has a kind is no segment
    assert desk.order("red", "end the tyche segment")[0].state == "done" and did(desk)[-1] == "end segment"


def test_a_yes_alone_pays_the_price_that_was_told_while_the_same_is_asked(tmp_path) -> None:
    """What Red leaves behind would leave Halikarnassos to nobody: that wants a yes."""
    desk = found(tmp_path / "g", {**MARCH, "spaces": {"sardeis": "blue", "pergamon": "yellow"}})
    refused = desk.order("red", "roll\nmarch Antigonos with 1 mercenary > Ephesos\nend")
    assert [one.state for one in refused] == ["done", "refused", "unread"]
    assert desk.order("blue", "yes")[0].state == "refused"              # the price is not his
    assert again(tmp_path / "g").order("red", "ja!")[0].state == "done"
    desk = again(tmp_path / "g")
    assert did(desk)[-1] == "march Antigonos with 1 mercenary > Ephesos" and desk.waiting("red") == ["end"]


def test_a_yes_alone_pays_for_what_is_left_of_a_line(tmp_path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "spaces": {"sardeis": "blue", "pergamon": "yellow"}})
    (_, refused) = desk.order("red", "roll\nactivate Antigonos; march Antigonos with 1 mercenary > Ephesos")
    assert (refused.state, refused.did) == ("refused", ["activate Antigonos"])
    assert desk.order("red", "yes")[0].state == "done"
    assert did(desk) == ["roll", "activate Antigonos", "march Antigonos with 1 mercenary > Ephesos"]


def test_a_yes_alone_is_no_order_once_something_else_was_sent(tmp_path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "spaces": {"sardeis": "blue", "pergamon": "yellow"}})
    desk.order("red", "roll\nmarch Antigonos with 1 mercenary > Ephesos")
    desk.order("red", "march Antigonos > Nowhere")
    assert desk.order("red", "yes")[0].state == "refused" and did(desk) == ["roll"]


def test_the_price_of_an_answer_is_paid_by_a_yes_alone(at_window: Desk) -> None:
    assert at_window.order("yellow", "intercept Kassandros with nothing")[0].state == "refused"
    assert at_window.order("yellow", "Yes.")[0].state == "sealed"


def test_a_refusal_names_the_space_and_not_the_general_that_was_not_meant(tmp_path) -> None:
    desk = found(tmp_path / "g")
    outcome = desk.order("red", "place pc at Lesvos")[0]
    assert outcome.error.key == "unknown_name" and outcome.error.facts["kind"] == "space"
    assert "Lesvos" in answering.became(showing.words(desk), outcome)


@pytest.mark.parametrize("hand", [["50", "51"], ["50", "2"]])
def test_two_copies_of_one_card_are_one(tmp_path, hand: list[str]) -> None:
    desk = found(tmp_path / "g", cards={"red": ["1"], "blue": hand, "yellow": [], "black": []})
    outcome = desk.order("blue", "play Cretan Liar as surprise")[0]
    assert outcome.error.key != "ambiguous_name"
    outcome = desk.order("yellow", "play Cretan Liar as surprise")[0]
    assert outcome.error.key != "ambiguous_name"


def test_a_line_of_two_megabytes_is_not_echoed(tmp_path) -> None:
    found(tmp_path / "g")
    told = said("order", tmp_path / "g", "red", "march " + "x" * 2_000_000, code=1)
    assert len(told) < 1000 and "..." in told


def test_seats_may_be_named_with_a_capital(tmp_path) -> None:
    said("new", tmp_path / "g", "--seat", "Red=Anna", "--seat", "Blue=Bruno", "--zone", "RED=Europe/Berlin")
    assert "red: {name: Anna" in flat((tmp_path / "g/game.yaml").read_text()).replace("'", "")


LETTER = "\ufeffHello Bruno,\n\nhere is my turn:\n\nroll\nmarch Antigonos > Ephesos\n\nBest,\nAnna\n-- \nAnna A.\nend\n"


def test_a_file_may_be_a_whole_letter(tmp_path) -> None:
    found(tmp_path / "g")
    (tmp_path / "turn.txt").write_text(LETTER, encoding="utf-8")
    said("order", tmp_path / "g", "red", "--file", tmp_path / "turn.txt")
    assert did(again(tmp_path / "g"))[0] == "roll" and len(did(again(tmp_path / "g"))) == 2


def test_requests_in_a_file_are_not_lost_in_silence(tmp_path) -> None:
    found(tmp_path / "g")
    (tmp_path / "turn.txt").write_text("roll\nabsent 2026-12-01 to 2026-12-05\n")
    told = flat(pbem("order", tmp_path / "g", "red", "--file", tmp_path / "turn.txt", code=1).output)
    assert "pbem ask GAME red" in told and did(again(tmp_path / "g")) == []
    assert entered.orders_in(again(tmp_path / "g"), "red", "Hi\nroll\n") == "roll"


@pytest.mark.parametrize(("post", "lines"), [
    ("**roll**", ["roll"]), ("Hello\n**roll**\n**march A > B**\nbye", ["roll", "march A > B"]), ("2 ** 3 ** 4", []),
    ("**roll", []), ("[b]**roll**[/b]", ["roll"])])
def test_stars_make_bold_in_a_post(post: str, lines: list[str]) -> None:
    assert paste.orders(post) == lines


@pytest.mark.parametrize(("line", "typed"), [
    ("**march** A > B", "march A > B"), ("**roll**", "roll"), ("a ** b ** c", "a ** b ** c")])
def test_stars_are_no_part_of_a_line_in_a_mail(line: str, typed: str) -> None:
    assert quotes.as_typed(line) == typed


def test_a_condition_on_others_is_told_to_be_pointless_where_nobody_else_is_asked(tmp_path) -> None:
    desk = found(tmp_path / "g")
    for line in ("b unless blue does", "roll unless blue does", "march Antigonos > Ephesos if yellow passes"):
        (refused,) = desk.order("red", line)
        assert refused.error.key == "condition_only_sealed"
        assert "sealed answer" in answering.became(showing.words(desk), refused)
    assert desk.order("red", "roll else end")[0].error.key == "unreadable_order"
    assert did(desk) == []


# --- which question --------------------------------------------------------------------------------------------------------


def test_a_bare_letter_says_which_question_it_answered(at_window: Desk, tmp_path) -> None:
    ident = at_window.match.question.id
    assert f"Answer to {ident}: " in flat(said("order", tmp_path / "g", "blue", "b"))
    assert "Answer to" not in flat(said("order", tmp_path / "g", "blue", "pass"))


def test_an_answer_that_names_its_question_answers_that_or_is_refused(at_window: Desk, tmp_path) -> None:
    ident = at_window.match.question.id
    assert at_window.order("blue", f"{ident}: b")[0].state == "sealed"
    late = at_window.order("blue", "T1.setup.1: b")[0]
    assert late.state == "refused" and late.error.key == "not_the_open_question" and late.error.facts["open"] == ident
    assert sealed(at_window, "blue") == LYSIMACHOS
    assert "is not open" in flat(said("order", tmp_path / "g", "blue", "pass", "--question", "T1.setup.1", code=1))
    said("order", tmp_path / "g", "blue", "pass", "--question", ident)
    assert sealed(again(tmp_path / "g"), "blue") == "pass"


def test_a_second_sealed_answer_says_whose_place_it_takes(at_window: Desk, tmp_path) -> None:
    said("order", tmp_path / "g", "blue", "pass")
    assert "It takes the place of: pass." in flat(said("order", tmp_path / "g", "blue", "b"))
    assert "It takes" not in flat(said("order", tmp_path / "g", "blue", "b"))


# --- everything behind "and 15 more" --------------------------------------------------------------------------------------


def test_all_options_are_shown_on_request(tmp_path) -> None:
    desk = found(tmp_path / "g")
    desk.order("red", "roll")
    offers = [desk.match.say(one) for one in desk.match.question.offers("red")]
    short, full = (flat(said("options", tmp_path / "g", "red", *more)) for more in ((), ("--all",)))
    assert all(flat(one) in full for one in offers) and "options all" in short
    marches = flat(said("options", tmp_path / "g", "red", "march"))
    assert all((flat(one) in marches) == one.startswith("march") for one in offers)
    assert flat(said("ask", tmp_path / "g", "red", "options", "march")) == marches
    assert flat(said("ask", tmp_path / "g", "red", "options all")) == full
    assert all(len(line) <= 80 for line in said("options", tmp_path / "g", "red", "--all").splitlines())


# --- thresholds of standing orders ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "stands"), [
    ("standing: intercept red into Ephesos with Lysimachos, all, at 6 or better", True),
    ("standing: intercept red into Ephesos with Lysimachos, all, at 1 or better", False),
    ("standing: intercept red into Ephesos with Lysimachos, all, if I need a 6 or less", True),
    ("standing: intercept red into Ephesos with Lysimachos, all, unless a 6 is enough", False),
    ("standing: intercept red into Ephesos with Lysimachos, all, if I would lose", None),
    ("standing: intercept red into Ephesos with Lysimachos, all, unless I would lose", None),
])
def test_standing_orders_know_a_threshold(tmp_path, text: str, stands: bool | None) -> None:
    desk = found(tmp_path / "g")
    assert desk.order("blue", text)[0].state == "answered"
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    desk.run()
    if stands is not None:
        assert bool(sealed(desk, "blue")) == stands
        return
    other = found(tmp_path / "h")
    both = (text, text.replace("unless", "if") if "unless" in text else text.replace("if", "unless"))
    other.order("blue", both[1])
    other.order("red", "roll\nmarch Antigonos > Ephesos")
    other.run()
    assert bool(sealed(desk, "blue")) != bool(sealed(other, "blue"))


def test_a_needed_die_is_no_condition_where_none_falls(tmp_path) -> None:
    desk = found(tmp_path / "g")
    with pytest.raises(PbemError) as refused:
        standing.file(desk, "blue", "grant red at Sardeis, at 3 or better")
    assert refused.value.key == "no_die_needed"
