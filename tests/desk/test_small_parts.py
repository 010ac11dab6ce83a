"""Small parts of the desk: a moderator who plays, a page of another log, requests in a line, the example games."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_game import NOON, again, at_window, found

from pbem import __version__
from pbem.base.errors import NotNow, PbemError
from pbem.base.paths import games_dir
from pbem.desk import blind, last_line, requesting, samples, showing, typed
from pbem.desk.desk import Desk
from pbem.log import gamelog

# --- a moderator who plays -------------------------------------------------------------------------------------------


def test_who_plays_sees_what_his_seat_knows_and_who_does_not_sees_all(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("blue", "standing: grant red")
    assert blind.seen(game) is game
    blind.go(game, "red")
    shown = blind.seen(again(game.folder))
    assert shown is not game and not shown.tray.standing and shown.match.g.secret.hand("blue") != ("50", "2")
    blind.go(game, "")
    assert blind.seen(game) is game


def test_nobody_begins_to_play_before_the_game_does(tmp_path: Path) -> None:
    from small_game import header

    gamelog.create(tmp_path, header())
    with pytest.raises(NotNow, match="not begun"):
        blind.go(again(tmp_path), "red")


@pytest.mark.parametrize(("channel", "seat", "refused"), [("blue", "red", True), ("red", "red", False), ("blue", "", False)])
def test_whoever_posts_what_others_are_told_in_private_plays_no_other_seat(
        tmp_path: Path, channel: str, seat: str, refused: bool) -> None:
    game = found(tmp_path / "g")
    game.enter({"seat": channel, "name": "Anna", "channel": "paste"})
    if refused:
        with pytest.raises(NotNow, match="blind by hand"):
            blind.go(game, seat)
    else:
        assert blind.go(game, seat) and game.tray.blind == seat


@pytest.mark.parametrize(("plays", "asks", "refused"), [("", "blue", False), ("red", "red", False), ("red", "blue", True)])
def test_what_is_answered_to_another_seat_alone_is_not_for_him(tmp_path: Path, plays: str, asks: str, refused: bool) -> None:
    game = at_window(tmp_path / "g")
    game.tray.blind = plays
    told = game.order("blue", "intercept Lysimachos with 9 loyal")
    hooded = blind.hooded(game, "red" if asks == "red" else "blue", told)
    if refused:
        with pytest.raises(NotNow, match="blind"):
            blind.judge(game, asks)
        assert hooded[0].error.key == "blind_line" and hooded[0].state == "refused"
        assert blind.hooded(game, "blue", game.order("blue", "intercept Lysimachos with all"))[0].error is None
        assert blind.hooded(game, "blue", game.order("yellow", "pass"))[0].did == []
    else:
        blind.judge(game, asks)
        assert hooded == told


# --- a page of another log ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "told"), [
    (lambda game: mark(game, 2), ["page_is_older"]), (lambda game: mark(game, 3), []),
    (lambda game: mark(game, 0), ["page_is_older"]),
    (lambda game: f"# pbem {__version__} 2 {'0' * 32}", ["page_of_another_log"]),
    (lambda game: f"# pbem {__version__} 4 {game.game.head()[:32]}", ["page_of_another_log"]),
    (lambda game: mark(game, 3, "9.9"), ["page_of_another_pbem"]),
    (lambda game: mark(game, 2, "9.9"), ["page_is_older", "page_of_another_pbem"]),
    (lambda game: mark(game, 3).upper(), []), (lambda game: "# pbem is fine", []), (lambda game: "roll", [])])
def test_the_last_line_of_a_page_says_what_is_otherwise_now(
        tmp_path: Path, line: Callable[[Desk], str], told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    game = found(tmp_path / "g")
    game.order("red", "roll")
    game.run()
    game = at_three(game)
    words = showing.words(game)
    monkeypatch.setattr(type(words), "phrase", lambda self, key, **facts: key)
    assert last_line.remarks(game, words, ["roll", f"  {line(game)} "]) == told


def at_three(game: Desk) -> Desk:
    while len(game.game.entries) < 3:
        game.enter({"note": "a word"})
    assert len(game.game.entries) == 3
    return game


def mark(game: Desk, entries: int, version: str = __version__) -> str:
    return f"# pbem {version} {entries} {game.game.head(entries)[:32]}"


def test_the_newest_of_several_last_lines_counts(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    older, newer = mark(game, 0), mark(game, 1)
    words = showing.words(game)
    assert last_line.remarks(game, words, [older, newer]) == [] != last_line.remarks(game, words, [newer, older])
    assert last_line.is_one(f" {newer} ") and not last_line.is_one(f"{newer} and more")


# --- requests ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "name", "rest", "whole"), [
    ("help", "help", "", True), ("help!", "help", "", True), ("Status:", "status", "", True),
    ("help me please", "", "help me please", False), ("undo: the wrong one", "undo", ": the wrong one", True),
    ("undo 14: why", "undo", "14: why", True), ("file back 1", "file", "back 1", True), ("roll", "", "roll", False),
    ("guide me through this", "guide", "me through this", False), ("press blue: hello", "press", "blue: hello", True),
    ("standing: grant red", "standing", ": grant red", True), ("", "", "", False),
    ("reports daily.", "reports", "daily.", True), ("press", "press", "", False),
    ("Anleitung", "guide", "", True), ("Anleitung lesen wir später", "", "Anleitung lesen wir später", False),
    ("word: x", "word", "x", True), ("Dauerbefehl: grant Rot", "standing", "grant Rot", True),
    ("standing in the rain", "standing", "in the rain", False)])
def test_a_line_is_a_request_by_its_first_word_and_talk_is_none(line: str, name: str, rest: str, whole: bool) -> None:
    found_name, found_rest = requesting.split(line)
    assert (found_name, found_rest.strip(": ")) == (name, rest.strip(": ")) and requesting.is_whole(line) is whole
    assert requesting.command_of(line) == ("" if name == "standing" else name)


@pytest.mark.parametrize(("line", "said"), [
    ("undo: the wrong one", ("undo", ":the wrong one")), ("undo 14: why", ("undo", "14: why")), ("undo yes", ("undo", "yes")),
    ("word: first snow", ("word", "first snow")), ("Status:", ("status", "")), ("würfeln", ("", "würfeln")),
    ("press blue: ziehe nach Pella", ("press", "blue: ziehe nach Pella"))])
def test_what_stands_behind_the_word_is_left_as_it_was_written(line: str, said: tuple[str, str]) -> None:
    """An undo that names no entry keeps the colon before its reason."""
    assert requesting.split(line) == said


@pytest.mark.parametrize(("line", "lists"), [
    ("standing", True), ("standing: cancel 2", True), ("standing: list", True), ("standing: grant red", False),
    ("help", False)])
def test_what_asks_for_the_standing_orders_or_takes_one_back_speaks_of_those_there_are(line: str, lists: bool) -> None:
    assert requesting.lists_standing(line) is lists


# --- what a line names -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "question", "said", "letter"), [
    ("T2.R1.red.4: b", "T2.R1.red.4", "b", "b"), ("  T2.R1.red.4 : (B)", "T2.R1.red.4", "(B)", "b"), ("b.", "", "b.", "b"),
    ("T2.R1.red.4:", "", "T2.R1.red.4:", ""), ("T2.R1.red.4: bc", "T2.R1.red.4", "bc", ""), ("roll", "", "roll", ""),
    ("", "", "", "")])
def test_a_line_may_name_its_question_and_be_nothing_but_a_letter(line: str, question: str, said: str, letter: str) -> None:
    assert typed.addressed(line) == (question, said) and typed.letter(line) == letter


# --- the example games --------------------------------------------------------------------------------------------------


def test_an_example_is_laid_out_whole_and_over_nothing(tmp_path: Path) -> None:
    name = min(games_dir().iterdir(), key=lambda place: (place / gamelog.GAME).stat().st_size).name
    assert next(iter(samples.samples())).name == name
    samples.opened(name, tmp_path / "g")
    assert len(Desk(tmp_path / "g", now=NOON).game.entries) == next(iter(samples.samples())).entries
    for text, folder, key in ((name, "g", "demo_exists"), ("atlantis", "h", "no_sample")):
        with pytest.raises(PbemError) as refused:
            samples.opened(text, tmp_path / folder)
        assert refused.value.key == key
    samples.opened("march", tmp_path / "march")
    assert (tmp_path / "march" / gamelog.PRIVATE).stat().st_mode & 0o777 == 0o600
    (tmp_path / "any").write_text("as any other file\n", encoding="utf-8")
    assert (tmp_path / "march" / gamelog.GAME).stat().st_mode == (tmp_path / "any").stat().st_mode


def test_an_example_that_was_played_to_its_end_says_who_has_won() -> None:
    assert {one.name: one.winner for one in samples.samples()} == {
        "march": "", "example-3e": "", "duel": "blue", "regency": "yellow"}
