"""Who leaves a mark of a game, and who goes on from which: small games, in which a player turn has just begun."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH, SECRETS, again, found, go_on

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.desk import marking, openings
from pbem.desk.desk import Desk
from pbem.dev.marked import told_apart
from pbem.log import gamelog
from pbem.log import mark as marks
from pbem.play import mark
from pbem.play.match import Match


def long(folder: Path, entries: int = 99, **more: Any) -> Desk:
    """Red has his turn, after so many entries."""
    found(folder, **more)
    gamelog.append(folder, [{"note": f"note {number}"} for number in range(2, entries + 1)])
    return again(folder)


def ended(game: Desk) -> Path:
    """Whoever has his turn is silent, and the turn of the next begins."""
    player = game.match.g.player
    while (question := game.match.question) is not None and game.match.g.player == player:
        game.close(question.id, by="clock")
    return game.folder


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    return ended(long(tmp_path / "g", cards=True))


def goes_on(folder: Path) -> list[bool]:
    """By its mark: with what is private, and without it."""
    return [again(folder, published=published).course.first > 0 for published in (False, True)]


def left(folder: Path) -> list[str]:
    return [name for name in (marks.OWN, marks.PUBLIC) if (folder / name).exists()]


# --- who leaves one ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("entries", "number"), [(98, 0), (99, 100), (100, 101)])
def test_a_log_of_a_hundred_entries_gets_a_mark_where_a_player_turn_begins(tmp_path: Path, entries: int, number: int) -> None:
    folder = ended(long(tmp_path / "g", entries))
    assert left(folder) == ([marks.OWN, marks.PUBLIC] if number else [])
    assert [again(folder, published=published).course.first for published in (False, True)] == [number, number]


@pytest.mark.parametrize(("secrets", "cards", "knows"), [
    (True, True, True), (True, False, True), (False, True, True), (False, False, False)])
def test_hands_are_in_a_mark_of_its_own_where_secrets_or_cards_are(
        tmp_path: Path, secrets: bool, cards: bool, knows: bool) -> None:
    folder = ended(long(tmp_path / "g", secrets=secrets, cards=cards))
    assert left(folder) == [*([marks.OWN] if knows else []), marks.PUBLIC] and goes_on(folder) == [True, True]
    secret = again(folder).match.g.secret
    assert (secret is not None) is knows and (not cards or secret.hand("yellow") == ("58", "4"))
    assert not told_apart(folder)


def test_a_log_that_was_edited_by_hand_gets_none_before_that_is_accepted(tmp_path: Path) -> None:
    folder = long(tmp_path / "g").folder
    path = folder / gamelog.GAME
    path.write_text(path.read_text().replace("{note: note 7}", "{note: seven}"))
    game = again(ended(again(folder)))
    assert not left(folder) and [edit.entry for edit in gamelog.hand_edits(game.game)] == [7]
    game.accept(7, "it was meant so")
    assert left(ended(again(folder))) == [marks.OWN, marks.PUBLIC] and goes_on(folder) == [True, True]


@pytest.mark.parametrize("number", [7, 62])
def test_where_another_line_was_noted_than_stands_in_the_log_the_old_mark_stays(marked: Path, number: int) -> None:
    mirror, before = marked / gamelog.MIRROR, [(marked / name).read_bytes() for name in left(marked)]
    mirror.write_text(mirror.read_text().replace(f'"note {number}"', '"nothing"'))
    game = again(ended(again(marked)))
    assert [edit.entry for edit in gamelog.hand_edits(game.game)] == [number]
    assert [(marked / name).read_bytes() for name in left(marked)] == before and goes_on(marked) == [True, True]


def test_a_log_that_took_its_corrections_in_gets_none(tmp_path: Path) -> None:
    folder = long(tmp_path / "g").folder
    (folder / gamelog.OVERRIDES).write_text("- {datum: generals.krateros.battle, value: 2}\n")
    again(folder).take_in(yes=True)
    assert not left(ended(again(folder)))


@pytest.mark.parametrize(("everywhere", "expected"), [(True, []), (False, [marks.OWN])])
def test_what_cannot_be_entered_again_as_it_was_is_not_kept(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, everywhere: bool, expected: list[str]) -> None:
    game, real = long(tmp_path / "g"), mark.entered

    def elsewhere(match: Match, kept: Mapping[str, Any]) -> None:
        real(match, kept)
        match.g.asked += everywhere or match.g.secret is None

    monkeypatch.setattr(mark, "entered", elsewhere)
    assert left(ended(game)) == expected


def test_where_no_player_turn_has_just_begun_there_is_no_position_to_go_on_from(marked: Path) -> None:
    game = again(marked)
    assert marking.publicly(game, 100) is not None
    assert marking.publicly(game, 101) is None


def test_a_second_mark_is_made_of_what_was_taken_back_too(marked: Path) -> None:
    game = again(marked)
    (slip,) = game.undo(*game.enter({"note": "a slip"}), "misread")
    ended(game)
    assert goes_on(marked) == [True, True] and again(marked).course.first > 102
    (all_of_that,) = again(marked).undo(40, "all of that", override=True)
    assert goes_on(marked) == [False, False] and not told_apart(marked)
    ended(again(marked))
    assert goes_on(marked) == [True, True] and not told_apart(marked)
    alone = again(marked, published=True)
    assert [number for number, one in alone.match.marks if one.key == "undone"] == [slip, all_of_that]


# --- who goes on from it ----------------------------------------------------------------------------------------------


def test_hands_of_another_course_of_the_game_are_not_gone_on_with(tmp_path: Path) -> None:
    """A folder was brought back from a copy, but for what lies hidden in it."""
    folder, other = long(tmp_path / "g", cards=True).folder, tmp_path / "h"
    shutil.copytree(folder, other)
    again(other).ruling("so be it", facts={"dead": ["krateros"]})
    for one in (folder, other):
        ended(again(one))
    shutil.copy(other / marks.OWN, folder / marks.OWN)
    assert goes_on(folder) == [False, True] and goes_on(other) == [True, True]
    assert not told_apart(folder)


def test_other_secrets_make_other_hands(marked: Path) -> None:
    private = marked / gamelog.PRIVATE
    private.write_text(private.read_text().replace(SECRETS.deck.hex(), "ab" * 32))
    assert goes_on(marked) == [False, True]


def test_a_game_goes_on_from_a_mark_of_its_own_corrections(marked: Path) -> None:
    path = marked / gamelog.OVERRIDES
    path.write_text("- {datum: generals.krateros.battle, value: 2}\n")
    assert goes_on(marked) == [False, False]
    ended(again(marked))
    assert goes_on(marked) == [True, True]
    assert [again(marked, published=published).match.g.generals["krateros"].battle for published in (False, True)] == [2, 2]
    assert not told_apart(marked)
    again(marked).take_in(yes=True)
    assert goes_on(marked) == [True, True] and not told_apart(marked)
    path.write_text("- {datum: generals.krateros.battle, value: 1}\n")
    assert again(marked).take_in(yes=True) and not told_apart(marked)


def test_where_something_before_it_is_taken_back_a_mark_is_passed_by(marked: Path) -> None:
    again(marked).undo(99, "misread", override=True)
    assert goes_on(marked) == [False, False] and not told_apart(marked)


def test_a_hand_out_of_a_deck_that_was_shuffled_with_fresh_words_is_proved_after_a_mark_too(tmp_path: Path) -> None:
    """The link of its Game Turn was open before, so everybody gave a word once more."""
    folder = tmp_path / "g"
    game = found(folder, {
        "turn": 2, "phase": "strategy", "round": 5, "turn_order": ["red", "blue", "yellow", "black"],
        "segment": {"player": "black", "kind": "activation"}, "forces": MARCH["forces"], "spaces": MARCH["spaces"]})
    (slip, *_), words = game.enter({"note": "a slip"}), {"red": "rain", "blue": "hail", "yellow": "snow", "black": "frost"}
    game.enter({"open": {"epoch": 3, "link": SECRETS.link(3).hex()}})
    game.undo(slip, "too early", consent=[*words], words=words)
    gamelog.append(folder, [{"note": "on"}] * 100)
    go_on(again(folder), 3)
    game = again(folder)
    hand = openings.hand(game.game.entries, game.match, game.keys, "red")
    assert game.course.first == len(game.game.entries) - 1 and game.course.late_decks.keys() == {"main,3"}
    for name in left(folder):
        (folder / name).unlink()
    game = again(folder)
    assert game.course.first == 0 and hand == openings.hand(game.game.entries, game.match, game.keys, "red")
    assert hand is not None and {card[1] for card in hand["openings"]["cards"]} == {*game.match.g.secret.hand("red")}


def test_of_what_is_taken_back_as_it_cannot_be_played_all_is_known_that_was_seen(marked: Path) -> None:
    with Lock(marked):
        number = again(marked).ruling("A die decides.", roll=1)[0]
        gamelog.append(marked, [{"by": "blue", "do": "march Antigonos > Pella"}])
    with pytest.raises(PbemError):
        again(marked)
    _, stain, needed = again(marked, until=number - 1).to_take_back(number)
    assert len(stain) == 1 and set(needed) == {"red", "blue", "yellow", "black"}
