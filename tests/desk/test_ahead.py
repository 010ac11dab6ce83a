"""Who is next hears so in time, and what he sends ahead plays if nothing that it names has changed."""

from pathlib import Path

import pytest
from small_game import MARCH, again, found

from pbem.desk import ahead
from pbem.desk.ahead import Coming
from pbem.desk.desk import Desk

START = {**MARCH, "mp": {"antigonos": 4}}
TURN = ["play 2 as ops", "end", "roll", "march Lysimachos > Ephesos"]


def sent_ahead(folder: Path, lines: list[str]) -> Desk:
    """Blue sends his turn while Red is still on the march."""
    game = found(folder, START, cards=True)
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
    """What others do among themselves, elsewhere, is no news to it."""
    game = sent_ahead(tmp_path / "g", TURN)
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
    behind = [one.seat for one in ahead.coming(scene.g, question)]
    assert behind and set(behind) <= set(scene.g.turn_order[1:])
    assert all(one.kind == "deployment" for one in ahead.coming(scene.g, question))
