"""What a seat reads when it is asked, in each format, and what is said of whom the game waits for."""

from pathlib import Path
from typing import Any

import pytest
from small_game import SEATS, again, at_window, found, header

from pbem.base.folder import Lock
from pbem.components.corrections import as_written
from pbem.desk import posing, showing
from pbem.desk.desk import Desk
from pbem.log import gamelog

# Blue's Krateros stands before a city and inside of it; Red comes to fight.
AT_THE_GATE: dict[str, Any] = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"}, "mp": {"seleukos": 4}, "spaces": {"pella": "blue"},
    "forces": [{"owner": "red", "at": "larisa", "generals": ["seleukos"], "cus": {"loyal": 3}},
               {"owner": "blue", "at": "pella", "generals": ["krateros"], "cus": {"loyal": 1, "mercenary": 1}}]}


def waited_for(desk: Desk) -> str:
    return posing.waits(desk, showing.words(desk))


def test_only_a_player_who_is_asked_is_asked(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert [one for one in ("red", "blue", "yellow", "black", "moderator") if posing.is_asked(desk, one)] == ["blue", "yellow"]
    desk.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert not posing.is_asked(desk, "blue")


def test_who_is_not_asked_reads_who_is(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    told = "Red is not asked anything now; Blue and Yellow are."
    assert posing.question_text(desk, "red") == posing.all_offers(desk, "red") == told
    assert posing.question_data(desk, "red") == {"seat": "red", "question": None}
    desk.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert posing.question_text(desk, "red") == posing.all_offers(desk, "red") == "Nobody is awaited."
    assert posing.question_data(desk, "red") == {"seat": "red", "question": None}


def test_the_moderator_has_his_own_questions_and_nothing_under_letters(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    says = {"text": "He may retire.", "params": {"says": "He may retire."}, "key": "retire", "on_by_default": True}
    desk.amend(as_written([{"datum": "generals.antigonos.ability", "value": says}]), "read off the card")
    desk.order("red", "use ability of Antigonos")
    assert desk.match.question is not None and desk.match.question.sides == ("moderator",)
    assert posing.question_data(desk, "moderator") == {"seat": "moderator", "question": None}


@pytest.mark.parametrize(("fmt", "lead"), [
    ("text", "[small T2.R1.red.3: interception at Ephesos]\n"), ("mail", "[small T2.R1.red.3: interception at Ephesos]\n"),
    ("html", "<b>small T2.R1.red.3: interception at Ephesos</b>\n"),
    ("bgg", "[u]small T2.R1.red.3: interception at Ephesos[/u]\n")])
def test_the_subject_stands_over_the_question_as_its_format_has_it(tmp_path: Path, fmt: str, lead: str) -> None:
    assert posing.question_text(at_window(tmp_path / "g"), "blue", fmt).startswith(lead)


def test_a_paragraph_is_broken_for_a_terminal_and_left_whole_for_a_mail(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert "from Halikarnassos into\nEphesos, which is" in posing.question_text(desk, "blue")
    assert "from Halikarnassos into Ephesos, which is uncontrolled. Do" in posing.question_text(desk, "blue", "mail")
    mine = found(tmp_path / "h")
    assert "lines without quotation\nmarks" in posing.question_text(mine, "red")
    assert "lines without quotation marks before them, complete" in posing.question_text(mine, "red", "mail")


def test_a_view_that_is_at_hand_is_not_made_again_and_is_what_is_said(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    view = {**showing.seen(desk, "blue"), "title": "Another"}
    assert posing.question_text(desk, "blue", view=view).startswith("[Another T2.R1.red.3:")
    late = {**view, "question": {**view["question"], "due": ""}}
    assert "Answer by" in posing.question_body(desk, "blue", "text")
    assert "Answer by" not in posing.question_body(desk, "blue", "text", late)


def test_only_where_all_is_said_before_all_eyes_nothing_is_sealed(tmp_path: Path) -> None:
    """A copy of the log alone, in a forum: without a moderator who takes mails."""
    desk = at_window(tmp_path / "g")
    alone = again(tmp_path / "g", published=True)
    for told in (posing.question_text(desk, "blue", "bgg"), posing.question_text(alone, "blue", "text")):
        assert "Answers stay sealed" in told and "A standing order for next time" in told
    before_all = posing.question_text(alone, "blue", "bgg")
    assert "Answers stay sealed" not in before_all and "A standing order for next time" not in before_all


def test_the_form_of_a_turn_is_for_private_eyes_at_a_desk_that_takes_it(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    told = {fmt: posing.question_text(desk, "red", fmt) for fmt in ("text", "mail", "html", "bgg")}
    assert [fmt for fmt, text in told.items() if "Your whole turn may come in one mail" in text] == ["text", "mail", "html"]
    assert told["html"].endswith("</pre>\n") and "\nroll\n# march Antigonos &gt; \nend segment</pre>" in told["html"]
    assert told["text"].endswith("\nstanding: honour, until the turn ends, always\nroll\n# march Antigonos > \nend segment")
    assert "<pre>" not in told["text"] + told["mail"]
    alone = again(tmp_path / "g", published=True)
    assert "whole turn" not in posing.question_text(alone, "red") and "# march" not in posing.question_text(alone, "red")
    window = at_window(tmp_path / "h")
    assert "whole turn" not in posing.question_text(window, "blue")


def test_of_several_formats_that_of_a_forum_has_no_form_of_a_turn(tmp_path: Path) -> None:
    private, public = posing.bodies(found(tmp_path / "g", cards=True), "red", ("mail", "bgg"))
    assert "# march Antigonos > " in private and "# march" not in public


def test_all_offers_are_written_out_under_the_letters_that_the_question_has(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    head, *rows = posing.all_offers(desk, "blue").splitlines()
    assert head == "All that can be answered to T2.R1.red.3: 55."
    assert rows[:4] == ["  a  pass", "  b  intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary",
                        "     intercept Lysimachos from Sardeis with 2 loyal, 1 mercenary",
                        "     intercept Lysimachos from Sardeis with 2 loyal"]
    assert rows[10:12] == ["  c  intercept Alketas from Sardeis with 2 loyal, 2 mercenary placing", "      Alketas to lead"]


def test_of_the_offers_those_of_one_kind_may_be_asked_for(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert posing.all_offers(desk, "blue", "pass").splitlines() == [
        'All that can be answered to T2.R1.red.3, beginning with "pass": 1.', "  a  pass"]
    assert posing.all_offers(desk, "blue", "Intercept Lysimachos").splitlines()[:2] == [
        'All that can be answered to T2.R1.red.3, beginning with "intercept', 'lysimachos": 18.']


def test_in_ones_own_turn_the_offers_have_no_letters(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    head, *rows = posing.all_offers(desk, "red").splitlines()
    assert head == "All that can be answered to T2.R1.red.1: 6." and rows[0] == "  roll" and rows[-1] == "  end segment"


def test_an_offer_is_found_by_the_word_that_it_begins_with(tmp_path: Path) -> None:
    """9.3 Who sorts his pieces writes `inside Krateros ...`: that is what he asks for."""
    desk = found(tmp_path / "g", AT_THE_GATE)
    desk.order("red", "march Seleukos > Pella yes")
    assert desk.match.question is not None and desk.match.question.kind == "city_choice"
    head, *rows = posing.all_offers(desk, "blue", "inside").splitlines()
    assert head.endswith('beginning with "inside": 7.') and all(row[5:].startswith("inside ") for row in rows)


def test_programs_read_what_is_asked_and_on_demand_all_that_can_be_answered(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    asked = posing.question_data(desk, "blue")
    assert asked["question"] == "T2.R1.red.3" and asked["default"] == "pass" and list(asked["offers"]) == ["a", "b", "c"]
    assert "all" not in asked
    assert len(posing.question_data(desk, "blue", in_full=True)["all"]) == 55


def test_it_is_said_for_whom_the_game_waits_until_when(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert waited_for(desk) == ("Waiting for Bruno (Blue) and Chiara (Yellow) (interception at Ephesos) until Fri 20 Nov, "
                                "12:00 UTC.")
    desk.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert waited_for(desk).startswith("The game is over: nobody has won (")


@pytest.mark.parametrize(("chance", "told"), [
    ({"words": {"blue": "grapes"}}, "Waiting for a word from Red, Yellow and Black."),
    ({}, "Waiting for a word from Red, Blue, Yellow and Black."),
    ({"words": {}}, "Waiting for a word from Red, Blue, Yellow and Black."),
    ({"words": dict.fromkeys(SEATS, "snow")}, "All words are in: the game can begin."),
    (None, "Nobody is awaited."),
])
def test_before_a_game_its_words_are_awaited_where_anything_is_promised(tmp_path: Path, chance: Any, told: str) -> None:
    head = header()
    promised = {key: value for key, value in head.pop("chance").items() if key != "words"}
    if chance is not None:
        head["chance"] = {**promised, **chance}
    with Lock(tmp_path):
        gamelog.create(tmp_path, head)
    assert waited_for(again(tmp_path)) == told
