"""The moderator's own acts: what they write, what they refuse, and what a trial knows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import small_game
from small_game import HANDS, MARCH, again, at_window, found, go_on

from pbem import editions
from pbem.base.errors import NotNow, Refused
from pbem.components.corrections import as_written
from pbem.desk.desk import Desk
from pbem.log import gamelog

OTHERS = ["blue", "yellow", "black"]


def last(desk: Desk, key: str) -> dict[str, Any]:
    return dict(next(entry for entry in reversed(desk.game.entries) if key in entry))


# --- undo ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def second_turn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Game Turn has ended: its dice are open."""
    game = found(tmp_path_factory.mktemp("second") / "g", cards=True)
    go_on(game, 3)
    return game.folder


@pytest.fixture
def over_a_turn(second_turn: Path, tmp_path: Path) -> tuple[Desk, int]:
    """That game, and the entry with which the Game Turn ended."""
    folder = tmp_path / "g"
    folder.mkdir()
    for name in (gamelog.GAME, gamelog.PRIVATE):
        (folder / name).write_bytes((second_turn / name).read_bytes())
    game = again(folder)
    return game, next(number for number, entry in enumerate(game.game.entries, 1) if "turn_end" in entry)


@pytest.mark.parametrize(("consent", "words"), [(True, True), (True, False), (False, True), (False, False)])
def test_an_undo_over_open_dice_is_overridden_where_consent_or_words_are_missing(
        over_a_turn: tuple[Desk, int], consent: bool, words: bool) -> None:
    game, ended = over_a_turn
    everybody = [*OTHERS, "red"]
    game.undo(ended, "too late", consent=everybody if consent else (), override=not (consent and words),
              words=dict.fromkeys(everybody, "rain") if words else None)
    told = last(game, "undo")
    assert [key in told for key in ("consent", "words", "override")] == [consent, words, not (consent and words)]


@pytest.mark.parametrize(("made", "wants"), [(1, False), (2, True)])
def test_in_a_game_of_before_an_open_link_wants_no_words(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: int, wants: bool) -> None:
    usual = small_game.header()
    monkeypatch.setattr(small_game, "header", lambda: {**usual, "chance": {**usual["chance"], "scheme": made}})
    game = found(tmp_path / "g")
    (slip, *_) = game.enter({"note": "a slip"})
    game.enter({"open": {"epoch": 2, "link": small_game.SECRETS.link(2).hex()}})
    assert game.wants_words(slip) is wants
    if not wants:
        (number,) = game.undo(slip, "too early", consent=[*OTHERS, "red"], words={"blue": "rain"})
        assert not {"words", "override"} & game.game.entries[number - 1].keys()


def test_words_that_no_undo_wants_are_not_written(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.undo(2, "misread", consent=OTHERS, words={"blue": "rain"})
    assert "words" not in last(game, "undo")


def test_the_rest_of_a_turn_goes_with_the_entry_of_the_undo(tmp_path: Path) -> None:
    """What an undo took back says which one it was."""
    game = found(tmp_path / "g")
    game.order("red", "roll")
    game.set_waiting("red", ["end activation"])
    number = len(game.game.entries)
    (undone,) = game.undo(number, "misread", consent=OTHERS)
    assert undone == number + 1 and [one.undo for one in game.tray.news_for("red")] == [undone]


# --- rulings and corrections -----------------------------------------------------------------------------------------


def test_a_ruling_says_what_it_states_and_no_more(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    (number, *_) = game.ruling("Who comes first?", roll=2, reason="a tie")
    assert game.game.entries[number - 1].keys() == {"ruling", "reason", "roll", "dice"}
    (number, *_) = game.ruling("And so be it")
    assert game.game.entries[number - 1].keys() == {"ruling", "reason"}


@pytest.mark.parametrize("more", [{}, {"box": {"sources": ["mine"]}}, {"overrides": "00" * 32}])
def test_one_correction_alone_is_one_line_unless_it_came_with_more(tmp_path: Path, more: dict[str, Any]) -> None:
    game = found(tmp_path / "g")
    game.amend(as_written([{"datum": "generals.antigonos.initiative", "value": 4}]), "off the card", **more)
    told = last(game, "amend")
    assert isinstance(told["amend"], list) is bool(more) and told.keys() == {"amend", "reason", *(more or {"value"})}


def test_a_correction_that_changes_who_rules_is_told_before_it_is_made(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "spaces": {"larisa": "red"}})
    given = as_written([{"datum": "provinces.thessalia.majority", "value": 1}])
    before = len(game.game.entries)
    with pytest.raises(Refused, match="amend touches"):
        game.amend(given, "read off the board")
    assert len(game.game.entries) == before
    (number, *_) = game.amend(given, "read off the board", yes=True)
    assert game.game.entries[number - 1]["value"] == 1


def test_what_is_corrected_in_no_file_is_not_taken_in(tmp_path: Path) -> None:
    """It was once, and the file is gone."""
    game = found(tmp_path / "g")
    path = game.folder / gamelog.OVERRIDES
    path.write_text("- {datum: generals.krateros.battle, value: 2}\n")
    game.take_in(yes=True)
    path.unlink()
    with pytest.raises(Refused, match="nothing to amend"):
        again(game.folder).take_in()


def test_what_was_posted_is_noted_unless_one_only_looks(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    assert game.mark_posted(2, write=False)["written"] is False and again(game.folder).tray.posted == 0
    assert game.mark_posted(2)["written"] is True and again(game.folder).tray.posted == 2


def test_rules_are_mended_once(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    (number, *_) = game.mend("as they are now")
    assert {"fixes": editions.NEWEST, "reason": "as they are now"}.items() <= game.game.entries[number - 1].items()
    with pytest.raises(NotNow, match="nothing to mend"):
        again(tmp_path / "g").mend("")


@pytest.mark.parametrize("act", [
    lambda game: game.mend("no"), lambda game: game.ruling("no"), lambda game: game.amend([], "no")])
def test_before_the_first_entry_there_is_nothing_to_act_on(tmp_path: Path, act: Callable[[Desk], Any]) -> None:
    gamelog.create(tmp_path, {**small_game.header(), "fixes": editions.NEWEST})
    with pytest.raises(NotNow, match="not begun"):
        act(again(tmp_path))


def test_what_nobody_sits_at_reserves_nothing_in_a_game_in_which_one_can(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="unknown seat"):
        found(tmp_path / "g", windows="reserved").reserve("green", ["battle"])


@pytest.mark.parametrize("choice", [None, {"seat": "blue", "of": ["the gates stay shut", "they open"]}])
def test_a_ruling_asks_a_seat_only_if_it_says_so(tmp_path: Path, choice: dict[str, Any] | None) -> None:
    game = found(tmp_path / "g")
    says = {"text": "He may retire.", "params": {"says": "He may retire."}, "key": "retire", "on_by_default": True}
    game.amend(as_written([{"datum": "generals.antigonos.ability", "value": says}]), "read off the card")
    game.order("red", "use ability of Antigonos")
    game.ruling("So be it", choice=choice)
    assert ("choice" in last(game, "ruling"), game.match.question.sides == ("blue",)) == (bool(choice),) * 2


def test_in_a_log_of_before_the_events_say_what_became_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entries did not say who drew; to know no more than a question takes nobody's consent."""
    usual = small_game.header()
    monkeypatch.setattr(small_game, "header", lambda: {**usual, "format": 2})
    game = found(tmp_path / "g", cards=True)
    game.order("yellow", "surprise 58 on Black")
    assert game.to_take_back(2) == (2, ["surprise played 58"], ["red", "blue", "black"])
    assert game.to_take_back(3) == (3, [], [])
    assert not any("cards" in entry for entry in game.game.entries)
    game = found(tmp_path / "h")
    game.order("red", "split Halikarnassos leaving 1 mercenary")
    assert game.to_take_back(2) == (2, [], [])


def test_what_became_known_is_what_the_entries_say(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("yellow", "surprise 58 on Black")
    assert game.to_take_back(2) == (2, ["play yellow 58"], ["red", "blue", "black"])


# --- a trial ---------------------------------------------------------------------------------------------------------


def test_when_the_game_is_over_a_trial_says_so(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    (outcome,) = game.dry_run("red", "roll")
    assert isinstance(outcome.error, NotNow) and outcome.error.key == "game_over"


def test_a_trial_knows_what_its_seat_knows_and_the_moderators_what_he_knows(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards=True)
    game.order("blue", "standing: grant red")
    game.order("yellow", "standing: grant red")
    of_blue, of_all = game.trial("blue"), game.trial("")
    assert {one.seat for one in of_blue.tray.standing} == {"blue"} and len(of_all.tray.standing) == 2
    assert of_blue.keys is None and of_all.keys is game.keys and of_blue.hand is not None
    assert of_blue.match.g.secret.hand("blue") == tuple(HANDS["blue"])
    assert of_all.match.g.secret.hand("yellow") == tuple(HANDS["yellow"])
    assert list(game.trial("blue", ["50"]).match.g.secret.hand("blue")) == ["50"]
    alone = again(tmp_path / "g", published=True).trial("blue")
    assert alone.hand is None and alone.match.g.secret is None


def test_a_trial_changes_nothing_of_the_tray_it_was_made_from(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.set_waiting("red", ["roll"])
    game.trial("").set_waiting("red", [])
    game.trial("red").set_waiting("red", [])
    assert game.waiting("red") == ["roll"]


def test_a_trial_tells_a_refusal_from_what_nobody_can_know(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}})
    assert [one.state for one in game.dry_run("red", "siege Tarsos")] == ["refused"]
    assert [one.state for one in small_game.found(tmp_path / "h").dry_run("red", "roll")] == ["unknown"]


def test_the_line_that_was_edited_is_the_one_that_is_accepted(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g")
    game.enter({"note": "a word"})
    path = game.folder / gamelog.GAME
    path.write_text(path.read_text().replace("a word", "another word"))
    game = again(game.folder)
    game.enter({"note": "and one more"})
    (edit,) = gamelog.hand_edits(game.game)
    game.accept(edit.entry, "a slip of the pen")
    assert last(game, "amend") == {"amend": {"entry": edit.entry}, "was": edit.was, "reason": "a slip of the pen"}
