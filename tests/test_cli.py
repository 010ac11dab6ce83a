"""The command line as a person types it: what it prints, what it returns."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main

START = """\
turn: 2
segment: {player: red, kind: activation}
spaces: {halikarnassos: red, sardeis: blue, pergamon: yellow}
forces:
- {owner: red, at: halikarnassos, generals: [antigonos], cus: {mercenary: 3, loyal: 2}}
- {owner: blue, at: sardeis, generals: [lysimachos], cus: {mercenary: 2, loyal: 2}}
- {owner: yellow, at: pergamon, generals: [kassandros], cus: {mercenary: 2}}
"""
SEATS = ["--seat", "red=Anna", "--seat", "blue=Bruno", "--seat", "yellow=Chiara"]


def pbem(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    assert result.exit_code == code, (result.output, result.exception)
    return result


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", "2026-11-18T12:00+00:00")
    (tmp_path / "start.yaml").write_text(START)
    pbem("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml")
    return tmp_path / "g"


def test_a_march_from_the_order_to_the_report(game):
    said = pbem("order", game, "red", "roll\\nmarch Antigonos > Ephesos").output
    assert "Waiting for Bruno (Blue) and Chiara (Yellow) (interception at Ephesos) until Fri 20 Nov, 12:00 UTC." in said
    to_do = pbem("status", game).output
    assert "Bruno (Blue) (asked 0 h ago)" in to_do and f"pbem options {game}" in to_do.replace("\n          ", " ")
    question = pbem("options", game, "blue").output
    assert "a  pass" in question and "needs 4+ : 50 %" in question and "Answer by Fri 20 Nov, 12:00 UTC." in question
    pbem("order", game, "blue", "pass")
    pbem("order", game, "yellow", "pass")
    report = pbem("report", game).output
    assert "Antigonos marched from Halikarnassos to Ephesos with 5 CUs (2 loyal, 3 mercenary)" in report


def test_a_refusal_is_a_sentence_with_its_rule_and_exit_1(game):
    said = pbem("order", game, "red", "roll\\nmarch Antigonos > Pella", code=1).output
    assert "not allowed, 9.3 A" in said and "Pella" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("text", [
    "march Antigonus > Efesos", "attack!", "march Antigonos", "ümläut ☃", "a", "roll roll roll", "[b]",
])
def test_nonsense_is_answered_kindly(game, text):
    said = pbem("order", game, "red", text, code=1).output
    assert "Traceback" not in said and len(said) > 20


def test_unknown_names_get_suggestions(game):
    said = pbem("order", game, "red", "march Antigonos > Efesus", code=1).output
    assert "Ephesos" in said


def test_misuse_is_exit_2(game):
    pbem("order", game, "red", code=2)
    pbem("report", game, "--to", "purple", code=2)
    pbem("report", game / "nowhere", code=2)


def test_what_programs_read(game):
    receipt = json.loads(pbem("order", game, "red", "roll", "--json").output)
    assert receipt["lines"][0]["state"] == "done" and receipt["sides"] == ["red"]
    status = json.loads(pbem("status", game, "--json").output)
    assert status["turn"] == 2 and len(status["position"]) == 16 and status["entries"] == 3
    options = json.loads(pbem("options", game, "red", "--json").output)
    assert options[0]["kind"] == "activation" and options[0]["offers"]
    assert json.loads(pbem("report", game, "--json").output)["events"]


def test_a_dry_run_leaves_the_files_alone(game):
    before = (game / "game.yaml").read_bytes()
    pbem("order", game, "red", "roll", "--dry-run", code=1)
    pbem("check", game, "red", "roll", code=1)
    assert (game / "game.yaml").read_bytes() == before


def test_dice_from_elsewhere_are_marked_in_every_report(game):
    pbem("order", game, "red", "roll", "--die", "5", "--reason", "rolled at the club")
    assert "rolled at the club" in pbem("report", game).output
    pbem("order", game, "red", "activate Antigonos")
    assert "rolled at the club" in pbem("report", game, "--since", 5).output


def test_undo_ruling_note_hold_resume_seat(game):
    pbem("order", game, "red", "activate Antigonos", code=1)
    pbem("order", game, "red", "roll")
    assert "Became known since: die" in pbem("undo", game, 3, "--reason", "slip", "--consent", "red").output
    pbem("ruling", game, "A gift", "--reason", "to try it", "--adjust", "red.VP=+2")
    pbem("note", game, "Happy new year <b>")
    pbem("hold", game, "holidays")
    assert "holidays" in pbem("status", game).output
    pbem("resume", game, "--due", "2026-12-01T12:00Z")
    pbem("seat", game, "yellow", "--name", "Gero")
    report = pbem("report", game).output
    assert "to try it" in report and "slip" in report and "Gero (Yellow)" in report and "\\<b>" in report
    pbem("verify", game)


def test_a_correction_in_mid_game_and_its_source(game):
    pbem("amend", game, "generals.antigonos.initiative", "4", "--reason", "read off the card")
    assert "generals.antigonos.initiative is 4" in pbem("report", game).output
    said = pbem("amend", game, "generals.antigonus.initiative", "4", code=1).output
    assert "generals.antigonos" in said
    assert "source:" in pbem("components", "show", "generals.antigonos.initiative").output


def test_the_worksheet_is_one_page_of_at_most_sixty_blanks():
    assert 40 <= pbem("components", "worksheet").output.count("____") <= 60


@pytest.mark.parametrize("broken", [
    "log:\n- !!python/object/apply:os.system [ls]\n", "a: &a [x]\nb: *a\n", "game: [", "\x00\x01\x02", "- just a list\n",
    "game: x\nengine: 1\nrules: {}\nseats: {}\nlog:\n- {by: red, do: \n", "{" * 5000,
])
def test_a_broken_or_hostile_file_gets_one_sentence_and_is_left_alone(game, broken):
    (game / "game.yaml").write_text(broken)
    for command in (["status", game], ["order", game, "red", "roll"], ["report", game]):
        said = pbem(*command, code=1).output
        assert "Traceback" not in said and said.count("\n") <= 3 and "game.yaml" in said
    assert (game / "game.yaml").read_text() == broken


def test_a_file_of_50_mb_is_refused_at_once(game):
    (game / "game.yaml").write_bytes(b"# " + b"x" * 50_000_000)
    assert "larger than 20 MB" in pbem("status", game, code=1).output


def test_a_hand_edited_line_is_reported_with_both_texts_and_can_be_accepted(game):
    pbem("note", game, "before")
    path = game / "game.yaml"
    path.write_text(path.read_text().replace("note: before", "note: after"))
    said = pbem("verify", game, code=1).output
    assert "before" in said and "after" in said
    number = len([line for line in path.read_text().splitlines() if line.startswith("- ")])
    pbem("amend", game, "--accept", number, "--reason", "typing error")
    pbem("verify", game)


def test_two_runs_at_once_are_told_apart(game):
    from pbem.folder import Lock

    with Lock(game):
        assert str(os.getpid()) in pbem("note", game, "x", code=1).output


def test_the_demo_runs_and_leaves_a_game_where_another_answer_counts(tmp_path):
    said = pbem("demo", "-o", tmp_path / "d").output
    assert "Lysimachos (Blue) evaded from Sardeis to Kelainai" in said
    for seat in ("blue", "yellow", "black"):
        pbem("order", tmp_path / "d", seat, "pass")
    assert "tried to come over" not in pbem("report", tmp_path / "d").output
    pbem("verify", tmp_path / "d")
    pbem("demo", "-o", tmp_path / "d", code=1)


def test_the_public_copy_plays_the_same_without_any_secret(game, tmp_path):
    pbem("order", game, "red", "roll\\nmarch Antigonos > Ephesos")
    pbem("publish", game, tmp_path / "public")
    assert not (tmp_path / "public/private.yaml").exists()
    assert pbem("report", tmp_path / "public").output == pbem("report", game).output
    ours, theirs = (json.loads(pbem("status", one, "--json").output)["position"] for one in (game, tmp_path / "public"))
    assert ours == theirs
    pbem("check", tmp_path / "public", "blue", "intercept Lysimachos with all")


def test_a_player_at_home_checks_with_his_own_hand(game, tmp_path):
    pbem("publish", game, tmp_path / "public")
    said = pbem("check", tmp_path / "public", "red", "surprise 57 on Antigonos", "--hand", "12 31", code=1).output
    assert "hand" in said and "Traceback" not in said


def test_what_two_editions_do_differently():
    said = pbem("rules", "--diff", "fourth", "third").output
    assert "10 C" in said and "fourth: yes" in said
    assert json.loads(pbem("rules", "11.2", "--json").output)[0]["functions"]


def test_odds_from_the_command_line(game):
    assert "%" in pbem("odds", game, "intercept", "Lysimachos", "Ephesos").output
