"""Who is next hears so in time, and what he sends ahead plays if nothing that it names has changed."""

from pathlib import Path

import pytest
from pytest import MonkeyPatch
from small_game import MARCH, again, found

from pbem.base.errors import Unreadable
from pbem.desk import ahead, filing, standing
from pbem.desk.ahead import Coming
from pbem.desk.desk import Desk
from pbem.kernel.procedures import Ask
from pbem.orders import NONE, Pieces, read_line
from pbem.rules import reinforcements, sequence
from pbem.telling.words import Words

START = {**MARCH, "mp": {"antigonos": 4}}
TURN = ["play 2 as ops", "end", "roll", "march Lysimachos > Ephesos"]


def sent_ahead(folder: Path, lines: list[str], ruling: str = "") -> Desk:
    """Blue sends his turn while Red is still on the march."""
    game = found(folder, START, cards=True)
    if ruling:
        game.ruling(ruling, facts={"spaces": {"tyros": "black"}})
    assert ahead.coming(game.match.g, game.match.question) == [Coming("blue", ahead.TURN)]
    game.set_waiting("blue", lines, since=len(game.game.entries) + 1, named=ahead.named(game.match, lines))
    game.keep()
    return again(folder)


def done_by_blue(game: Desk) -> list[str]:
    return [entry["do"] for entry in game.game.entries if entry.get("by") == "blue"]


def to_blues_turn(game: Desk, *orders: str) -> None:
    for order in orders:
        outcome = game.order("red", order)[0]
        assert outcome.error is None, outcome.error
        while (question := game.match.question) is not None and question.sealed:
            game.close(question.id, by="moderator")
    game.order("red", "end")
    while game.match.question is not None and game.match.question.sides == ("red",):
        game.close(game.match.question.id, by="moderator")
    game.run()


def test_a_turn_sent_ahead_is_played_when_its_moment_comes(tmp_path: Path) -> None:
    """What others do among themselves, elsewhere, is no news to it, and neither is what its sender knew when he wrote."""
    game = sent_ahead(tmp_path / "g", TURN, "Lysimachos was misplaced")
    to_blues_turn(game, "roll", "march Antigonos > Xanthos")
    assert game.match.g.player == "blue"
    assert done_by_blue(game)[:2] == ["play 2 as ops", "end segment"]
    assert not game.is_held("blue")


@pytest.mark.parametrize("order", ["march Antigonos > Ephesos", "march Antigonos with 3 mercenary > Ephesos"])
def test_it_waits_for_its_senders_word_where_something_that_it_names_has_changed(tmp_path: Path, order: str) -> None:
    game = sent_ahead(tmp_path / "g", TURN)
    to_blues_turn(game, "roll", order)
    assert game.match.g.player == "blue"
    assert done_by_blue(game) == [] and game.is_held("blue") and game.waiting("blue") == TURN
    assert ahead.changed(game.match.g, game.tray.turn("blue").named) == ["ephesos"]
    game.run(release="blue")
    assert done_by_blue(game)[:1] == ["play 2 as ops"]


def test_who_may_have_to_run_hears_so_while_others_are_asked_whether_they_intercept(tmp_path: Path) -> None:
    """12.2 after 11.2: the same answer, given before it is asked for."""
    start = {**START, "forces": [*START["forces"], {"owner": "black", "at": "ephesos", "generals": ["peithon"]}]}
    game = found(tmp_path / "g", start)
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    question = game.match.question
    assert question is not None and question.kind == "interception"
    assert Coming("black", "evasion") in ahead.coming(game.match.g, question)
    assert [one.kind for one in ahead.coming(game.match.g, again(game.folder).match.question)].count("evasion") == 1
    act, game.match.g.activation = game.match.g.activation, None
    assert Coming("black", "evasion") not in ahead.coming(game.match.g, question)
    game.match.g.activation = act
    game.close(question.id, by="moderator")
    assert game.match.question.kind == "evasion" and game.match.g.activation is not None
    assert Coming("black", "evasion") not in ahead.coming(game.match.g, game.match.question)


def test_what_is_coming_is_known_from_the_published_log(tmp_path: Path) -> None:
    """It shows nothing of what anybody holds."""
    game = found(tmp_path / "g", START, cards=True)
    published = Desk(game.folder, published=True)
    assert ahead.coming(published.match.g, published.match.question) == ahead.coming(game.match.g, game.match.question)


def test_in_the_set_up_everybody_behind_hears_that_he_may_place_his_generals(tmp_path: Path) -> None:
    from pbem.dev.games import Swift, Wanted, beginning, prepared

    wanted = Wanted(2, 4)
    scene = Swift(*beginning(wanted, {**prepared(wanted)[1].rules, "windows": "held", "seating": "fixed"}))
    question = scene.match.question
    assert question is not None and question.kind == "deployment"
    assert question.sides == ("black",) and scene.g.turn_order == ("yellow", "black", "red", "blue")
    assert ahead.coming(scene.g, question) == [Coming("red", "deployment"), Coming("blue", "deployment")]
    scene.g.generals["krateros"].at = "pella"                           # and Blue's other one can stand in one space only
    assert ahead.coming(scene.g, question) == [Coming("red", "deployment")]


def test_the_turn_that_comes_is_the_next_of_this_game_turn(tmp_path: Path) -> None:
    game = found(tmp_path / "g", START, cards=True)
    g, question = game.match.g, game.match.question
    assert g.turn_order == ("red", "blue", "yellow", "black") and sequence.rounds(g) == 5
    told = {}
    for player, round_, phase in (("red", 1, "strategy"), ("red", 5, "strategy"), ("black", 4, "strategy"),
                                  ("black", 5, "strategy"), ("black", 4, "isolation")):
        g.player, g.round, g.phase = player, round_, phase
        told[player, round_, phase] = [one.seat for one in ahead.coming(g, question) if one.kind == ahead.TURN]
    assert list(told.values()) == [["blue"], ["blue"], ["red"], [], []]
    assert ahead.coming(g, None) == []
    assert list(ahead.after(g, "independent")) == []


def test_who_gets_reinforcements_behind_another_hears_so_in_their_phase_alone(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    game = found(tmp_path / "g", START, cards=True)
    g, asked = game.match.g, Ask("red", "reinforcement_choice", "5.1", about={}, read=lambda side, answer: answer,
                                 candidates=lambda side: (), default=())
    monkeypatch.setattr(reinforcements, "due_pieces", lambda g, seat: Pieces.of(cus={"loyal": 1}) if seat == "yellow" else NONE)
    assert [one.kind for one in ahead.coming(g, asked)] == [ahead.TURN]
    g.phase = "reinforcements"
    assert ahead.coming(g, asked) == [Coming("yellow", "reinforcement_choice")]
    assert ahead.coming(g, game.match.question) == []


def test_lines_rest_on_all_that_they_name_and_on_nothing_that_cannot_be_read(tmp_path: Path) -> None:
    match = found(tmp_path / "g", START).match
    lines = ["# a word", "no order", "march Antigonos with Kassandros, 2 loyal > Ephesos", "place pc at Sardeis", "roll"]
    assert ahead.named(match, lines) == {"antigonos": "halikarnassos", "kassandros": "pergamon", "ephesos": "nobody",
                                         "sardeis": "blue blue"}


@pytest.mark.parametrize("line", ["roll; embark Antigonos", "roll; embark Antigonos with 2 loyal", "roll; end forage",
                                  "roll; surprise 57", "roll; land Antigonos"])
@pytest.mark.parametrize("language", ["en", "de", "it", "ru"])
def test_a_line_of_several_orders_is_told_whatever_form_they_were_written_in(tmp_path: Path, line: str, language: str) -> None:
    game = found(tmp_path / "g", cards=True)
    words = Words(language, game.match.names, game.match.g.facts)
    (done,) = game.order("red", line)
    assert done.did[:1] == ([] if "forage" in line else ["roll"])           # another Segment than this one
    own = words.retold(line)
    assert read_line(own, game.match.names)._replace(text="") == read_line(line, game.match.names)._replace(text="")


def test_the_rest_of_a_line_waits_without_the_fleets_that_it_did_not_name(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos; embark Antigonos")
    assert game.waiting("red") == ["embark Antigonos"]


@pytest.mark.parametrize("line", [
    "march Ophellas > Lamia", "siege Lamia with Leonidas", "use ability of Ophellas", "march Antigonos with Ophellas > Ephesos",
    "if Ophellas is at Lamia: roll"])
def test_who_is_not_in_the_game_is_told_so_wherever_he_is_named(tmp_path: Path, line: str) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("red", "roll")
    (done,) = game.order("red", line)
    assert done.state == "refused" and done.error is not None and done.error.key == "nobody_plays_him"
    with pytest.raises(Unreadable, match="nobody plays him"):
        standing.file(game, "red", "intercept Blue with Ophellas, all, once")
    with pytest.raises(Unreadable, match="nobody plays him"):
        filing.file(game.match, game.tray, "red", "death of Ophellas: play 57 as surprise", 1)
