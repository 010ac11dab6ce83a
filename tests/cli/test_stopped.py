"""A log that cannot be played to its end, as a line was changed or a rule was: commands say where, and what can be done."""

import re
from pathlib import Path

import pytest
from at_the_shell import pbem

from pbem.base.errors import Refused
from pbem.base.folder import Lock
from pbem.desk.desk import Desk
from pbem.log import gamelog

START = """\
turn: 2
segment: {player: red, kind: activation}
spaces: {halikarnassos: red, pella: blue}
forces:
- {owner: red, at: halikarnassos, generals: [antigonos], cus: {mercenary: 3, loyal: 2}}
- {owner: blue, at: pella, generals: [lysimachos], cus: {loyal: 2}}
"""
OPENING = (["status"], ["report"], ["log"], ["options", "red"], ["position"], ["order", "red", "end"], ["note", "x"], ["run"],
           ["hold", "x"], ["map", "--text", "Lydia"], ["check", "red", "end"], ["undo", "last", "--reason", "x"],
           ["undo", "6", "--reason", "x"], ["rebase", "start.yaml", "--reason", "x"])


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Entry 4 was another march when the game was played: entry 5 goes on from where it ended."""
    monkeypatch.setenv("PBEM_NOW", "2026-11-18T12:00+00:00")
    monkeypatch.chdir(tmp_path)
    Path("start.yaml").write_text(START)
    pbem("new", "g", "--seat", "red=Anna", "--seat", "blue=Bruno", "--position", "start.yaml")
    pbem("order", "g", "red", "roll", "--die", "6", "--reason", "at the table")
    pbem("order", "g", "red", "march Antigonos > Xanthos")
    pbem("order", "g", "red", "march Antigonos > Halikarnassos")
    log = Path("g") / gamelog.GAME
    log.write_text(re.sub("march .* > Xanthos", "activate Antigonos", log.read_text()))
    return Path("g")


@pytest.mark.parametrize("words", OPENING, ids=" ".join)
def test_every_command_says_which_line_was_changed_and_what_can_be_taken_back(stopped, words):
    said = pbem(words[0], stopped, *words[1:], code=1).output
    assert "entry 5 of the log: not allowed" in said and "Traceback" not in said
    assert "entry 4 (line " in said and "> Xanthos" in said and "Put it back." in said and "--accept" not in said
    assert "Already at" not in said
    assert '"pbem undo g 5 --reason ..." takes back that entry and all behind it' in said


def test_what_cannot_be_played_is_taken_back_and_the_game_goes_on(stopped):
    before = (stopped / gamelog.GAME).read_bytes()
    would = pbem("undo", stopped, 5, "--reason", "the line before was changed", "--dry-run").output
    assert "{undo: 5, reason: the line before was changed" in would and (stopped / gamelog.GAME).read_bytes() == before
    said = pbem("undo", stopped, 5, "--reason", "the line before was changed").output
    assert "Entry 5 was taken back by entry 6" in said and "Waiting for Anna (Red)" in said
    pbem("amend", stopped, "--accept", 4, "--reason", "so it was meant")
    assert pbem("order", stopped, "red", "march Antigonos > Ephesos").exit_code == 0
    report = pbem("report", stopped, "--since", 1).output
    assert "from Halikarnassos to Ephesos" in report and "Xanthos" not in report.partition("Entry 4 was changed")[0]


def test_what_became_known_behind_it_needs_the_others_all_the_same(stopped):
    """What stands there cannot be played, and yet everybody has seen its dice."""
    log = stopped / gamelog.GAME
    log.write_text(log.read_text().replace("at the table", "at the club"))
    said = pbem("undo", stopped, 3, "--reason", "all of it", code=1).output
    assert "needs Blue to agree" in said and "the die for movement" in said
    assert "Entries 3 to 5 were taken back" in pbem("undo", stopped, 3, "--reason", "all of it", "--consent", "blue").output


def test_an_entry_before_it_that_plays_is_no_way_out_of_another_fault(stopped):
    """Where the taking back leaves what cannot be played nothing is written."""
    log = stopped / gamelog.GAME
    log.write_text(log.read_text().replace("activate Antigonos", "activate Lysimachos"))
    before = log.read_bytes()
    assert "entry 4 of the log" in pbem("undo", stopped, 5, "--reason", "x", code=1).output and log.read_bytes() == before


def test_the_desk_at_which_it_was_taken_back_knows_what_came_after(stopped):
    with Lock(stopped):
        desk = Desk(stopped, until=4)
        desk.undo(5, "the line before was changed")
        desk.hold("a feast")
        with pytest.raises(Refused):
            desk.enter({"by": "red", "do": "march Antigonos > Pella"})
        assert desk.match.stopped


def test_what_is_wrong_before_the_first_entry_is_no_matter_of_taking_back(stopped):
    log = stopped / gamelog.GAME
    log.write_text(re.sub("(?m)^fixes: .*$", "fixes: 99", log.read_text()))
    said = pbem("status", stopped, code=1).output
    assert "99" in said and "pbem undo" not in said


def test_where_the_position_parted_from_the_log_before_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that still plays leads elsewhere: the first entry that shows it is the one to go back to."""
    monkeypatch.setenv("PBEM_NOW", "2026-11-18T12:00+00:00")
    monkeypatch.chdir(tmp_path)
    Path("start.yaml").write_text(START.replace("pella", "sardeis"))
    pbem("new", "g", "--seat", "red=Anna", "--seat", "blue=Bruno", "--position", "start.yaml")
    pbem("order", "g", "red", "roll", "--die", "6", "--reason", "at the table")
    pbem("order", "g", "red", "march Antigonos with 3 mercenary > Ephesos")
    pbem("order", "g", "blue", "pass")
    pbem("order", "g", "red", "march Antigonos with 3 mercenary > Halikarnassos")
    log = Path("g") / gamelog.GAME
    log.write_text(log.read_text().replace("3 mercenary > Ephesos", "2 mercenary > Ephesos"))
    entries = gamelog.read_whole(Path("g")).entries
    closed = next(number for number, entry in enumerate(entries, 1) if "close" in entry)
    said = pbem("status", "g", code=1).output
    assert f"entry {len(entries)} of the log: not allowed" in said and closed < len(entries)
    assert f"Already at entry {closed} the position is not the one that the log tells." in said
    assert f'"pbem undo g {closed} --reason ..."' in said
    pbem("undo", "g", closed, "--reason", "it went otherwise", "--override")
    assert "interception at Ephesos" in pbem("status", "g").output
