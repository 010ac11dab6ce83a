"""Notes of the program itself: in the log in the words of the game, told to each reader in his own."""

from pathlib import Path
from typing import Any

import pytest
from small_game import again, found

from pbem.base.paths import languages
from pbem.desk import showing
from pbem.desk.notes import note
from pbem.play.notes import FORMS, SAYS

FACTS: dict[str, Any] = {"seat": "blue", "first": "2026-12-01", "last": "2026-12-05", "at": "2026-11-18T12:00Z", "entry": 1,
                         "reason": "the wrong General", "asked": ["red", "black"], "yes": "no"}


def facts_of(what: str) -> dict[str, Any]:
    return {key: FACTS[key] for key in sorted(SAYS[what])}


def told(folder: Path, language: str) -> str:
    game = again(folder)
    game.language = language
    (event,) = [event for _, event in game.match.history if event.key == "note"]
    return str(showing.words(game).event(event))


@pytest.mark.parametrize("what", sorted(SAYS))
def test_each_reader_is_told_it_in_his_language(tmp_path: Path, what: str) -> None:
    """And whoever reads the log in that of the game."""
    game = found(tmp_path / "g")
    note(game, what, **facts_of(what))
    said = {}
    for language in languages():
        game.language = language
        said[language] = str(showing.words(game).phrase(f"note_{what}", **facts_of(what)))
        assert told(game.folder, language).endswith(said[language])
    written = [entry["note"] for entry in again(game.folder).game.entries if "note" in entry]
    assert written == [said["en"]] and len(set(said.values())) == len(said)


@pytest.mark.parametrize("what", sorted(SAYS))
@pytest.mark.parametrize("value", ["purple", "2026-13-01", "noon", [["red"]], {"a": 1}, None, "{{ seat }}"])
def test_what_cannot_be_said_is_told_as_it_stands(tmp_path: Path, what: str, value: Any) -> None:
    """A log may be written by hand, and a newer program may have more to say."""
    for number, key in enumerate(sorted(SAYS[what] - {"reason"})):
        game = found(tmp_path / str(number))
        game.enter({"note": "He is away", "says": {"note": what, **facts_of(what), key: value}})
        assert told(game.folder, "it") == "Nota: He is away."


@pytest.mark.parametrize("says", [{}, {"note": "nothing"}, {"note": "absent"}, {"note": "absent", **FACTS}, {"note": ["x"]}])
def test_so_is_what_is_not_known_at_all(tmp_path: Path, says: dict[str, Any]) -> None:
    game = found(tmp_path / "g")
    game.enter({"note": "He is away", "says": says})
    assert told(game.folder, "de") == "Anmerkung: He is away."


def test_every_fact_has_its_form() -> None:
    assert FORMS.keys() == frozenset().union(*SAYS.values()) == FACTS.keys()
