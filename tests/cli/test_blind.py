"""A moderator who plays is shown nothing hidden that is not his own seat's; what he looks at all the same is noted."""

import json
from pathlib import Path
from typing import Any

import pytest
from at_the_shell import pbem, said
from click.testing import CliRunner
from small_game import MARCH, Desk, again, found

from pbem.cli.main import main

HANDS = {
    "one": {"red": ["1", "57"], "blue": ["50", "2"], "yellow": ["58", "4"], "black": ["5"]},
    "other": {"red": ["1", "57"], "blue": ["58", "11"], "yellow": ["3", "50"], "black": ["12"]},
}
# Everything that shows something of a seat, of the moderator, or of what lies in the tray.
LINES: list[list[str]] = [
    ["status"], ["status", "--json"], ["seat"], ["log"], ["verify", "--details"],
    ["odds", "intercept", "Lysimachos", "Ephesos"],
    ["report"], *(["report", "--to", reader, *more] for reader in ("red", "blue", "yellow", "moderator")
                  for more in ([], ["--json"], ["--whole"], ["--facts"], ["--since", "1"], ["--at", "2"])),
    ["options"], ["options", "--json"], ["options", "--all"],
    *(["options", seat, "--all"] for seat in ("red", "blue", "yellow")),
    *(["position", "--to", reader, "--json"] for reader in ("public", "blue")), ["position", "-o", "p.yaml"],
    ["position", "-o", "p.yaml", "--cards"], ["map", "--to", "blue", "--text", "Lydia"],
    *(["check", seat, text] for seat in ("blue", "yellow") for text in ("play 50 as surprise", "pass", "hand")),
    ["order", "blue", "play 50 as surprise", "--dry-run"], ["file", "blue"], ["file", "blue", "card: play 50 as surprise"],
    *(["ask", "blue", request] for request in ("status", "hand", "standing", "options", "history")),
    ["run", "--dry-run"], ["run", "--dry-run", "--overdue"], ["run"], ["undo", "last", "--reason", "x", "--dry-run"],
    ["note", "hello", "--dry-run"], ["order", "blue", "nonsense"], ["order", "yellow", "play 999 as ops"],
]


def table(folder: Path, which: str, *, blind: bool) -> Desk:
    """Red has marched; Blue has sealed an answer and Yellow given a standing order, or neither. What is public is the same."""
    folder.mkdir()
    desk = found(folder / "g", MARCH, cards=HANDS[which], windows="asked")
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    if which == "one":
        assert [one.state for one in desk.order("blue", "intercept Lysimachos with all")] == ["sealed"]
        assert [one.state for one in desk.order("yellow", "standing: pass on interception, always")] == ["answered"]
    desk.keep()
    if blind:
        pbem("blind", folder / "g", "red")
    return again(folder / "g")


def told(folder: Path, line: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.chdir(folder)
    result: Any = CliRunner().invoke(main, [line[0], "g", *line[1:]])
    assert result.exception is None or isinstance(result.exception, SystemExit), (line, result.exception)
    made = folder / "p.yaml"
    return result.exit_code, result.output + (made.read_text() if made.exists() else "")


def without_heads(folder: Path, text: str) -> str:
    """The heads bind what was drawn and dealt, and so do the promises: they are other in another game."""
    for number, head in enumerate(again(folder / "g").game.heads()):
        for digits in (len(head), 32, 16):
            text = text.replace(head[:digits], f"head {number}")
    return text


pytestmark = pytest.mark.usefixtures("noon")


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_whatever_others_have_hidden_he_is_shown_the_same(line: list[str], tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    for which in HANDS:
        table(tmp_path / which, which, blind=True)
        code, text = told(tmp_path / which, line, monkeypatch)
        shown.append((code, without_heads(tmp_path / which, text)))
    assert shown[0] == shown[1]


def test_the_lines_can_tell_the_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who does not play blind is shown it: else the comparison would compare nothing."""
    for which in HANDS:
        table(tmp_path / which, which, blind=False)
    differ = {line[0] for line in LINES if line[:2] != ["order", "blue"] and len({
        without_heads(tmp_path / which, told(tmp_path / which, line, monkeypatch)[1]) for which in HANDS}) > 1}
    assert {"status", "report", "check", "ask", "position", "file"} <= differ


def test_a_look_shows_it_and_is_noted(tmp_path: Path) -> None:
    table(tmp_path / "t", "one", blind=True)
    game, before = tmp_path / "t/g", len(again(tmp_path / "t/g").game.entries)
    assert "--look" in said("ask", game, "blue", "hand", code=1)
    shown = said("ask", game, "blue", "hand", "--look")
    assert "50" in shown or "Cretan Liar" in shown
    entries = again(game).game.entries
    assert len(entries) == before + 1 and "has looked" in entries[-1]["note"] and "50" not in entries[-1]["note"]
    assert "has looked" in said("log", game)
    said("report", game, "--to", "blue", "--look")
    assert len(again(game).game.entries) == before + 2


def test_his_own_seat_he_sees_and_plays(tmp_path: Path) -> None:
    table(tmp_path / "t", "one", blind=True)
    game = tmp_path / "t/g"
    data = json.loads(said("report", game, "--to", "red", "--json"))
    assert data["view"]["hand"] == ["1", "57"]
    said("ask", game, "red", "hand")
    assert "blind" not in said("status", game) and len(said("status", game)) > 100


def test_for_others_he_enters_orders_and_hears_no_more_than_whether_they_were_taken(tmp_path: Path) -> None:
    """As docs/moderator.md says."""
    table(tmp_path / "t", "one", blind=True)
    game = tmp_path / "t/g"
    refused = said("order", game, "blue", "intercept Antigonos with all", code=1)
    assert "not yours" not in refused and "Lysimachos" not in refused
    assert "intercept" not in said("order", game, "blue", "pass").replace("interception", "")
    for words in (["ask", game, "blue", "hand"], ["ask", game, "blue", "standing"], ["file", game, "blue"]):
        assert "--look" in said(*words, code=1)
    said("ruling", game, "He may.", "--reason", "as agreed", "--adjust", "blue.L=+1")


def test_everybody_hears_of_it_and_of_its_end(tmp_path: Path) -> None:
    table(tmp_path / "t", "one", blind=True)
    game = tmp_path / "t/g"
    assert "plays Red and is shown nothing hidden" in " ".join(said("log", game).split())
    pbem("blind", game, "off")
    assert "is shown what is hidden of all seats" in " ".join(said("log", game).split())
    pbem("ask", game, "blue", "hand")
    assert "is not" in said("blind", game, "purple", code=1) or again(game).tray.blind == ""


def test_who_posts_the_private_messages_of_others_cannot_play_blind(tmp_path: Path) -> None:
    game = tmp_path / "g"
    found(game)
    pbem("seat", game, "blue", "--channel", "paste")
    assert "yourself" in said("blind", game, "red", code=1) and again(game).tray.blind == ""
