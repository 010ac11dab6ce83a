"""The kinds of entries, the forms of their keys, and the number of the log format."""

from pathlib import Path
from typing import Any

import pytest

from pbem.base import yamlfile
from pbem.base.errors import BadLog
from pbem.chance import scheme
from pbem.chance.check import check_game
from pbem.desk.showing import sentence
from pbem.log import gamelog
from pbem.log.entries import ALLOWED, CHANCE, EVERYWHERE, FIRST_ALLOWED, FORMS, KINDS, NOWHERE, PLAY, UNDO, bound, kind_of
from pbem.log.forms import DIGEST, MOMENT, TYPES, WRITTEN, fits
from pbem.log.header import FORMAT
from pbem.play.match import HANDLERS, Match

SECRETS = scheme.Secrets("g", bytes(32), bytes(range(32)), 4)
SEATS = "seats: {red: {name: Anna}, blue: {name: Bruno}}\n"
HEADER = "game: g\nengine: 0.1.0\nrules: {edition: fourth}\n" + SEATS
IDLE = [word for word, kind in KINDS.items() if kind.effect == NOWHERE]


def read(folder: Path, header: str, *entries: str) -> gamelog.GameFile:
    (folder / "game.yaml").write_text(header + "log:\n" + "".join(f"- {entry}\n" for entry in entries))
    return gamelog.read_game(folder)


def refused(folder: Path, header: str, *entries: str) -> BadLog:
    with pytest.raises(BadLog) as caught:
        read(folder, header, *entries)
    return caught.value


# --- The table ----------------------------------------------------------------


def test_kinds_are_told_by_the_keys_alone() -> None:
    """Heads do not see the order of keys; if two kinds allowed each other, one head would fit two entries."""
    assert [(a, b) for a in KINDS for b in KINDS if a != b and b in FIRST_ALLOWED[a] and a in FIRST_ALLOWED[b]] == []
    assert EVERYWHERE.keys().isdisjoint(KINDS)


def test_every_kind_takes_effect_in_one_room_or_says_what_is_said_instead() -> None:
    assert {kind.effect for kind in KINDS.values()} == {PLAY, CHANCE, UNDO, NOWHERE}
    for kind in KINDS.values():
        assert bool(kind.says) == bool(kind.effect) == (not kind.instead)
        assert not kind.instead or KINDS[kind.instead].effect
    assert [word for word, kind in KINDS.items() if kind.effect == UNDO] == ["undo"]


def test_a_kind_without_a_handler_or_a_handler_without_a_kind_is_told_when_the_program_starts() -> None:
    assert bound(PLAY, HANDLERS) is HANDLERS
    for wrong in ({**HANDLERS, "dance": print}, {word: HANDLERS[word] for word in HANDLERS if word != "note"}):
        with pytest.raises(LookupError, match="dance|note"):
            bound(PLAY, wrong)


@pytest.mark.parametrize("entry", [
    {"open": {"epoch": 1, "link": SECRETS.link(1).hex()}}, {"openings": {"deck": "main,1", "cards": [[0, "1", "00", []]]}},
    {"blinds": {"1": "00"}}, {"beacon": {"epoch": 0, "id": "x", "value": "00"}},
    {"announce": 2, "at": "2026-12-01T18:00Z"}], ids=lambda entry: next(iter(entry)))
def test_what_takes_effect_in_the_check_of_chance_is_checked_there(entry: dict[str, Any]) -> None:
    log = {"game": "g", "seats": {"red": {}}, "log": [entry],
           "chance": {"scheme": 1, **SECRETS.commitments(), "links": 4, "words": {}, "beacon": "none"}}
    assert [check.entry for check in check_game(log) if check.what.split()[0] not in ("chance", "words", "head")] == [1]
    assert KINDS[kind_of(entry)].effect == CHANCE


def test_the_check_of_chance_knows_every_kind_that_takes_effect_there() -> None:
    [mark] = test_what_takes_effect_in_the_check_of_chance_is_checked_there.pytestmark
    assert {kind_of(entry) for entry in mark.args[1]} == {word for word, kind in KINDS.items() if kind.effect == CHANCE}


# --- Formats ------------------------------------------------------------------


def test_a_log_without_a_number_has_the_first_format(tmp_path: Path) -> None:
    """Its entries that do nothing are read, and do nothing."""
    entries = ["{position: {turn: 2, segment: {player: red, kind: activation}}}", "{interrupt: a card, do: roll}",
               "{word: red, text: snow}", "{start: 1}"]
    game = read(tmp_path, HEADER, *entries)
    match, once = Match(game.header), Match(game.header)
    once.fold(game.entries[:1], [0])
    for number, entry in enumerate(game.entries, 1):
        match.apply(entry, number)
    assert match.question is not None and once.question is not None
    assert match.question.id == once.question.id and match.history == once.history


def test_in_the_first_format_such_an_entry_is_what_its_other_key_says() -> None:
    assert kind_of({"interrupt": "17", "by": "red", "do": "roll"}) == "by"
    assert kind_of({"start": "1", "position": {}}) == "position"
    assert kind_of({"interrupt": "17", "do": "roll"}) == "interrupt" and kind_of({"dance": "17"}) == "dance"


@pytest.mark.parametrize("word", IDLE)
def test_in_a_new_log_an_entry_that_does_nothing_is_refused_with_what_was_meant(word: str, tmp_path: Path) -> None:
    entry = f"{{{word}: x{', do: roll' if KINDS[word].needs else ''}}}"
    assert len(read(tmp_path, HEADER, "{note: hello}", entry).entries) == 2
    error = refused(tmp_path, "format: 2\n" + HEADER, "{note: hello}", entry)
    assert sentence(error) == (f'{tmp_path / "game.yaml"}, line 8: an entry that begins with "{word}" would do nothing; '
                               f'did you mean "{KINDS[word].instead}"?')


@pytest.mark.parametrize("entry, key", [
    ("{turn_end: 2}", "missing_in_entry"), ("{rebase: once more}", "missing_in_entry"),
    ("{close: T2.R1.red.1, answers: [pass]}", "wrong_type"), ("{note: 12}", "wrong_type"),
    ("{ruling: so be it, facts: nothing}", "wrong_type"), ("{turn_end: two, position: {}}", "wrong_type"),
    ("{hold: holidays, until: 2026-12-01}", "unknown_in_entry"), ("{by: red, do: roll, yes: 1}", "unknown_in_entry")])
def test_in_a_new_log_more_is_judged(entry: str, key: str, tmp_path: Path) -> None:
    assert len(read(tmp_path, HEADER, entry).entries) == 1
    error = refused(tmp_path, "format: 2\n" + HEADER, entry)
    assert (error.key, error.facts["line"]) == (key, 7)


def test_every_form_is_one_and_belongs_to_a_key() -> None:
    assert FORMS.keys() <= {key for keys in ALLOWED.values() for key in keys}
    assert set(FORMS.values()) <= {*TYPES, *WRITTEN}
    assert [fits("", MOMENT), fits(None, MOMENT), fits("", DIGEST), fits(None, DIGEST)] == [True, True, False, False]


@pytest.mark.parametrize("number, told", [
    ("4", "the log has format 4, and this version reads formats 1 to 3. It was begun with pbem 0.1.0: take that version or "
          "a later one."),
    ("0", "the log has format 0"), ("two", '"format" has to be a whole number.')])
def test_a_format_that_is_not_known_is_told_before_anything_else(number: str, told: str, tmp_path: Path) -> None:
    error = refused(tmp_path, HEADER.replace("rules:", "laws: {}\nrules:") + f"format: {number}\n", "{dance: x}")
    assert sentence(error).startswith(f"{tmp_path / 'game.yaml'}, line 6: {told}")


def test_what_is_added_is_judged_by_the_format_of_the_log(tmp_path: Path) -> None:
    idle = {"interrupt": "17", "do": "roll"}
    read(tmp_path, HEADER)
    assert len(gamelog.append(tmp_path, [idle]).entries) == 1
    read(tmp_path, "format: 2\n" + HEADER)
    with pytest.raises(BadLog):
        gamelog.append(tmp_path, [idle])
    assert gamelog.read_game(tmp_path).entries == []


@pytest.mark.parametrize("entry", ["{windows: held, engine: 9.9.9}", "{engine: 9.9.9, windows: held}"])
def test_a_kind_that_is_no_more_is_told_with_its_line(entry: str, tmp_path: Path) -> None:
    error = refused(tmp_path, HEADER, entry)
    assert (error.key, error.facts["line"]) == ("unknown_kind", 6)


def test_a_new_game_has_the_newest_format(tmp_path: Path) -> None:
    from pbem.desk.beginning import header_of

    header = header_of("g", {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}}, {})
    assert header["format"] == FORMAT
    assert gamelog.create(tmp_path, header).heads() != gamelog.chain({**header, "format": 1}, [])
    assert yamlfile.load(tmp_path / "game.yaml")["format"] == FORMAT
