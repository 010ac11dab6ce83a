"""The command line as a person types it: what it prints, what it returns."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from at_the_shell import pbem
from click.shell_completion import ShellComplete

from pbem.cli.main import ROOMS, main
from pbem.editions import EDITIONS, books
from pbem.editions.options import OPTIONS
from pbem.log import gamelog
from pbem.telling import rulebook

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


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", "2026-11-18T12:00+00:00")
    (tmp_path / "start.yaml").write_text(START)
    pbem("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml")
    return tmp_path / "g"


def test_a_march_from_the_order_to_the_report(game):
    said = pbem("order", game, "red", "roll\\nmarch Antigonos > Ephesos").output
    waiting = "Waiting for Bruno (Blue) and Chiara (Yellow) (interception at Ephesos) until Fri 20 Nov, 12:00 UTC."
    assert waiting in said.replace("\n", " ")
    to_do = pbem("status", game).output
    assert "Bruno (Blue) (just asked)" in to_do and f"pbem options {game}" in to_do.replace("\n          ", " ")
    question = pbem("options", game, "blue").output
    assert "a  pass" in question and "needs 4+: 50%" in question and "Answer by Fri 20 Nov, 12:00 UTC." in question
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
    options = json.loads(pbem("options", game, "red", "--json").output)["questions"]
    assert options[0]["kind"] == "activation" and options[0]["offers"]
    assert json.loads(pbem("report", game, "--json").output)["events"]


def test_a_dry_run_leaves_the_files_alone(game):
    before = (game / "game.yaml").read_bytes()
    pbem("order", game, "red", "roll", "--dry-run")
    assert "cannot be known yet" in " ".join(pbem("check", game, "red", "roll").output.split())
    assert (game / "game.yaml").read_bytes() == before


def test_dice_from_elsewhere_are_marked_in_every_report(game):
    pbem("order", game, "red", "roll", "--die", "5", "--reason", "rolled at the club")
    assert "rolled at the club" in pbem("report", game).output
    pbem("order", game, "red", "activate Antigonos")
    later = pbem("report", game, "--since", 5).output
    assert "### Rulings and corrections\n\n- before this report: entry 3 of the log." in later and "the club" not in later
    assert "rolled at the club" in pbem("report", game, "--since", 5, "--whole").output


def test_undo_ruling_note_hold_resume_seat(game):
    pbem("order", game, "red", "activate Antigonos", code=1)
    pbem("order", game, "red", "roll")
    undone = pbem("undo", game, 3, "--reason", "slip", "--consent", "blue", "--consent", "yellow").output
    assert "Became known since: the die for movement, Game Turn II, round 1, Red." in undone
    pbem("ruling", game, "A gift", "--reason", "to try it", "--adjust", "red.VP=+2")
    pbem("note", game, "Happy new year <b>")
    pbem("hold", game, "holidays")
    assert "holidays" in pbem("status", game).output
    pbem("resume", game, "--due", "2026-12-01T12:00Z")
    pbem("seat", game, "yellow", "--name", "Gero")
    report = pbem("report", game).output
    assert "to try it" in report and "slip" in report and "Gero (Yellow)" in report and "\\<b>" in report
    pbem("verify", game, code=3)


def test_a_correction_in_mid_game_and_its_source(game):
    pbem("amend", game, "generals.antigonos.initiative", "4", "--reason", "read off the card")
    assert "generals.antigonos.initiative is 4" in pbem("report", game).output
    said = pbem("amend", game, "generals.antigonus.initiative", "4", code=1).output
    assert "generals.antigonos" in said
    assert "source:" in pbem("components", "show", "generals.antigonos.initiative").output


def test_the_box_of_the_3rd_edition_has_a_form_of_its_own(tmp_path: Path) -> None:
    mine, ours = tmp_path / "third.yaml", tmp_path / "ours.yaml"
    pbem("components", "form", "--edition", "third", "-o", str(mine))
    pbem("components", "form", "-o", str(ours))
    mine.write_text(mine.read_text().replace("[ ] generals.perdikkas.third.stars: 3", "[x] generals.perdikkas.third.stars: 2"))
    assert "1 datum differs" in pbem("components", "check", str(mine)).output
    assert "--edition fourth" in pbem("components", "diff", str(ours), str(mine), code=1).output
    assert "--edition third" in pbem("components", "form", "--edition", "third", "--box", str(ours), code=1).output
    both = pbem("components", "merge", str(mine), str(mine)).output
    assert "edition: third" in both and "perdikkas.third: {" in both
    assert ": 2   source: box" in pbem("components", "show", "generals.perdikkas.third.stars", "--box", str(mine)).output
    assert "recalled" in pbem("components", "show", "generals.perdikkas.third.stars", "--edition", "third").output


def test_an_evening_with_the_box(tmp_path: Path) -> None:
    """A form, a slip in it, the slip mended; two people's forms compared and put together."""
    mine, yours, both = tmp_path / "box.yaml", tmp_path / "yours.yaml", tmp_path / "both.yaml"
    pbem("components", "form", "-o", str(mine))
    assert "already" in pbem("components", "form", "-o", str(mine), code=1).output
    assert "0% confirmed" in pbem("components", "check", str(mine)).output
    blank = mine.read_text()
    mine.write_text(blank.replace("[ ] Polemon       blue", "[x] Polemon pink"))
    said = pbem("components", "check", str(mine), code=1).output
    line = blank[:blank.index("[ ] Polemon")].count("\n") + 1
    assert f"box.yaml, line {line}: minors.polemon.color needs one of the words" in said and "for example red" in said
    assert "pink" in pbem("components", "show", "minors.polemon.color", "--box", str(mine), code=1).output
    mine.write_text(blank.replace("[ ] Polemon       blue", "[x] Polemon green"))
    assert "1 datum differs" in pbem("components", "check", str(mine)).output
    assert "green   source: box" in pbem("components", "show", "minors.polemon.color", "--box", str(mine)).output
    yours.write_text(blank.replace("[ ] Polemon       blue", "[x] Polemon red"))
    assert "green (confirmed) against red (confirmed)" in pbem("components", "diff", str(mine), str(yours)).output
    pbem("components", "merge", str(mine), str(yours), "-o", str(both))
    assert "[x] Polemon       green" in both.read_text()
    assert json.loads(pbem("components", "check", str(both), "--json").output)["corrections"] == [
        {"datum": "minors.polemon.color", "value": "green"}]


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
    pbem("verify", game, code=3)


def test_two_runs_at_once_are_told_apart(game):
    from pbem.base.folder import Lock

    with Lock(game):
        assert str(os.getpid()) in pbem("note", game, "x", code=1).output


def test_the_demo_runs_and_leaves_a_game_where_another_answer_counts(tmp_path):
    said = pbem("demo", "-o", tmp_path / "d").output
    assert "Lysimachos (Blue) evaded from Sardeis to Kelainai" in said
    assert "\nred: march Antigonos > Sardeis yes\n" in said and "\nyellow: a\n" in said
    entries = gamelog.read_game(tmp_path / "d/played").entries
    assert [entries[entry["undo"] - 1]["do"] for entry in entries if "undo" in entry] == ["end activation"]
    assert "changes by hand: ok" in pbem("verify", tmp_path / "d", "--details", code=3).output
    for seat in ("blue", "yellow", "black"):
        pbem("order", tmp_path / "d", seat, "pass")
    assert "tried to come over" not in pbem("report", tmp_path / "d").output
    pbem("verify", tmp_path / "d", code=3)
    pbem("demo", "-o", tmp_path / "d", code=1)


def test_the_public_copy_plays_the_same_without_any_secret(game, tmp_path):
    pbem("order", game, "red", "roll\\nmarch Antigonos > Ephesos")
    pbem("publish", game, tmp_path / "public")
    assert not (tmp_path / "public/private.yaml").exists()
    assert pbem("report", tmp_path / "public").output == pbem("report", game).output
    ours, theirs = (json.loads(pbem("status", one, "--json").output)["position"] for one in (game, tmp_path / "public"))
    assert ours == theirs
    pbem("check", tmp_path / "public", "blue", "intercept Lysimachos with all")
    for command in (["order", "blue", "pass"], ["note", "x"], ["run"]):
        assert "published copy" in pbem(command[0], tmp_path / "public", *command[1:], code=1).output


def test_a_lost_private_file_is_told_and_no_new_one_takes_its_place(game, tmp_path):
    kept = tmp_path / "kept"
    (game / "private.yaml").rename(kept)
    assert "private.yaml is missing here" in pbem("status", game).output
    assert "private.yaml is missing here" in json.loads(pbem("status", game, "--json").output)["secrets"]
    assert "private file: failed: it is missing" in pbem("verify", game, code=1).output
    for command in (["order", "red", "roll"], ["run"], ["file", "red"], ["paste", "red", "--post", "1"], ["paste"],
                    ["mail", "address", "red", "anna@example.com"], ["mail", "observer", "friend@example.net"]):
        place = 2 if command[0] == "mail" else 1
        said = pbem(*command[:place], game, *command[place:], code=1).output.replace("\n", " ")
        assert "g/private.yaml is missing" in said and "from a backup" in said, command
    assert not (game / "private.yaml").exists()
    pbem("check", game, "red", "end")
    pbem("ruling", game, "Larisa is red's", "--facts", "{spaces: {larisa: red}}")
    pbem("undo", game, 3, "--reason", "not yet")
    kept.rename(game / "private.yaml")
    pbem("order", game, "red", "roll")
    assert "secrets" not in pbem("status", game).output
    pbem("verify", game, code=3)


def test_without_a_backup_the_game_goes_on_by_hand(game):
    (game / "private.yaml").write_text("")
    assert "none of those that were promised: dice" in pbem("status", game).output
    pbem("order", game, "red", "roll", "--die", 5)
    assert "by hand: rolled elsewhere" in pbem("verify", game, code=3).output
    assert ": order: by hand: rules; die T2,R1,red,activation,movement,1 by hand (rolled elsewhere)" in pbem(
        "verify", game, "--entries", code=3).output


def test_who_has_the_log_alone_is_told_what_it_is_good_for(game, tmp_path):
    pbem("publish", game, tmp_path / "public")
    said = pbem("status", tmp_path / "public").output
    assert "No private file here" in said and "private file" not in pbem("verify", tmp_path / "public", code=3).output
    assert said.count("\n") > pbem("status", game, "--public").output.count("\n")
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "game.yaml").write_bytes((game / "game.yaml").read_bytes())
    assert "No private file here" in pbem("status", alone).output
    pbem("verify", alone, code=3)
    assert "private.yaml is missing" in pbem("order", alone, "red", "end", code=1).output
    assert not (alone / "private.yaml").exists()


def test_every_command_is_where_it_is_looked_for() -> None:
    for room, words in ROOMS.items():
        assert [one.name for one in import_module(f"pbem.cli.{room}").COMMANDS] == words


def test_the_version_is_told_at_once_as_it_is_told_by_the_command() -> None:
    told = subprocess.run([sys.executable, "-X", "importtime", "-m", "pbem", "--version"], capture_output=True, text=True,
                          check=True)
    assert told.stdout == pbem("--version").output and "click" not in told.stderr


def test_every_command_of_the_desk_speaks_json_and_every_writer_may_be_tried():
    """Those of mail, for developers, to learn from have their own ways; `proof` is nothing but data."""
    commands = {name: one for name, one in main.commands.items()
                if name not in ("demo", "games", "guide", "tutorial", "dev", "mail", "paste", "handover", "proof")}
    for name in ("components", "seed"):
        commands |= {f"{name} {inner}": one for inner, one in commands.pop(name).commands.items()}
    flags = {name: {option for param in one.params for option in param.opts} for name, one in commands.items()}
    assert [name for name in flags if "--json" not in flags[name]] == []
    looking = {"status", "report", "options", "odds", "rules", "check", "verify", "log", "diff", "components check",
               "components diff", "components form", "components merge", "components print", "components show",
               "seed status", "seed post",
               "seed new"}                                          # a trial of drawing secrets would show nothing
    assert {name for name in flags if "--dry-run" not in flags[name]} == looking


def test_a_player_at_home_checks_with_his_own_hand(tmp_path):
    (tmp_path / "start.yaml").write_text(START.replace("kind: activation", "kind: tyche") + (
        'hands: {red: ["12", "31", "57"], blue: ["50"]}\ndeck: {name: "main,2", cards: ["20"], left: 1}\ndeck_order: ["20"]\n'))
    pbem("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml")
    pbem("publish", tmp_path / "g", tmp_path / "public")
    mine = ["--hand", "12, 31 57"]
    at_home = [pbem("check", tmp_path / "public", "red", "play 12 as ops\\nplace pc at Xanthos", *more).output
               for more in (mine, [])]
    assert at_home[0] == at_home[1] == pbem("order", tmp_path / "g", "red", "play 12 as ops\\nplace pc at Xanthos").output
    assert "is not in your hand" in pbem("check", tmp_path / "public", "red", "play 32 as ops", *mine, code=1).output
    assert "done" in pbem("check", tmp_path / "public", "red", "play 32 as ops").output     # as far as the public knows


def test_what_two_editions_do_differently():
    said = pbem("rules", "--diff", "fourth", "third").output
    assert "10 C" in said and "fourth: The usurper is named first, then the turn order." in said
    assert len({pbem("rules", number).output for number in ("9.3A", "9.3 a", "9.3А")}) == 1         # the last А is Russian
    assert json.loads(pbem("rules", "11.2", "--json").output)["rules"][0]["functions"]


def test_odds_from_the_command_line(game):
    assert "%" in pbem("odds", game, "intercept", "Lysimachos", "Ephesos").output


# --- what somebody may type --------------------------------------------------------------------------------------


WRITERS = {
    "note": ["hello"], "hold": ["holidays"], "resume": [], "draw": ["--reason", "all agreed"], "seat": ["blue", "--neutral"],
    "ruling": ["A gift", "--adjust", "red.VP=+2"], "amend": ["generals.antigonos.initiative", "4"], "run": [],
    "undo": ["2", "--reason", "slip"], "file": ["blue"],
    "rebase": ["../start.yaml", "--reason", "the board had parted"], "order": ["red", "activate Antigonos"],
}


@pytest.mark.parametrize("command", WRITERS)
def test_whatever_writes_can_be_tried_and_read_by_a_program(game, command, monkeypatch):
    monkeypatch.chdir(game)
    if command == "resume":
        pbem("hold", game, "holidays")
    before = {path.name: path.read_bytes() for path in game.iterdir() if path.name != ".lock"}
    code = 1 if command == "order" else 0                   # an order that is refused in the trial as well
    assert json.loads(pbem(command, game, *WRITERS[command], "--dry-run", "--json", code=code).output) is not None
    assert {path.name: path.read_bytes() for path in game.iterdir() if path.name != ".lock"} == before


LOOKERS = [["status"], ["report"], ["options"], ["seat"], ["verify"], ["odds", "intercept", "Lysimachos", "Ephesos"]]


@pytest.mark.parametrize("command", LOOKERS, ids=lambda command: command[0])
def test_whatever_looks_has_json(game, command):
    code = 3 if command == ["verify"] else 0                # nobody has given a word
    assert json.loads(pbem(command[0], game, *command[1:], "--json", code=code).output)


@pytest.mark.parametrize(("words", "code", "said"), [
    (["undo", "99999", "--reason", "x"], 1, "there is no entry 99999"),
    (["undo", "0", "--reason", "x"], 1, "there is no entry 0"),
    (["ruling", "x", "--facts", "{spaces: [x]}"], 1, '"spaces" has to be a mapping'),
    (["ruling", "x", "--facts", "{turn: soon}"], 1, '"turn" has to be a whole number'),
    (["ruling", "x", "--facts", "{hands: {red: [1]}}"], 1, '"hands.red" has to be a whole number'),
    (["ruling", "x", "--facts", "{forces: [{owner: red}]}"], 1, '"at" is missing'),
    (["ruling", "x", "--facts", "{phase: lunch}"], 1, "lunch"),
    (["ruling", "x", "--facts", "{bad"], 1, "not closed"),
    (["ruling", "x", "--facts", "bad"], 2, "mapping"),
    (["ruling", "x", "--adjust", "red.L=many"], 2, "not a number"),
    (["ruling", "x", "--adjust", "red.Q=1"], 2, "no total"),
    (["ruling", "x", "--adjust", "purple.L=1"], 1, "purple"),
    (["resume", "--due", "tomorrow"], 2, "2026-11-20T09:00Z"),
    (["order", "red", "roll", "--die", "7"], 2, "not a die"),
    (["order", "purple", "roll"], 1, "purple"),
    (["order", "red", "--file", "noise.bin"], 2, "no text in UTF-8"),
    (["check", "red", "roll", "--hand", "12 nonsense"], 2, "there is no card nonsense"),
    (["run", "--close", "T9.x"], 1, "T9.x is not open"),
    (["rebase", "noise.bin", "--reason", "x"], 2, "no text in UTF-8"),
    (["verify", "--explain", "nonsense"], 1, "no die is called nonsense"),
    (["publish", "/proc/nowhere"], 1, "not possible"),
    (["report", "--since", "0"], 2, "its number (from 1)"),
])
def test_nonsense_on_the_command_line_gets_one_kind_answer(game, words, code, said, monkeypatch):
    monkeypatch.chdir(game)
    (game / "noise.bin").write_bytes(b"\x00\xff\xfe\x80")
    output = pbem(words[0], game, *words[1:], code=code).output
    assert said in output and "Traceback" not in output and "Error(" not in output


@pytest.mark.parametrize(("line", "said"), [
    ("{by: purple, do: roll}", "entry 3 of the log"), ("{by: red, do: dance}", "entry 3 of the log"),
    ("{ruling: x, adjust: {red: 5}}", "entry 3 cannot be played"), ("{rebase: x}", 'an entry with "rebase" needs "position"'),
    ("{seat: purple, name: X}", "entry 3 of the log"), ("{ruling: x, facts: [1]}", '"facts" has to be a mapping'),
    ("{resume: x, due: whenever}", "game.yaml, line"), ("{close: T9.x, answers: {}}", "entry 3 speaks of T9.x"),
])
def test_a_line_that_cannot_be_played_is_named(game, line, said):
    with (game / "game.yaml").open("a") as log:
        log.write(f"- {line}\n")
    for command in (["status", game], ["order", game, "red", "roll"], ["run", game]):
        assert said in pbem(*command, code=1).output


@pytest.mark.parametrize(("broken", "said"), [
    ("secrets: 5\n", "has to be a mapping"), ("secrets: {deck: x}\n", "in \"secrets\" \"last_link\" is missing"),
    ("secrets: {deck: x, last_link: y, links: 3}\n", "secrets in it cannot be read"),
    ("- 1\n", "has to be a mapping"), ("sealed: [1]\n", "has to be a mapping"),
    ("journal: {x: 1}\n", "\"x\" is not known in \"journal\""),
])
def test_a_private_file_that_is_none_is_told_without_a_traceback(game, broken, said):
    (game / "private.yaml").write_text(broken)
    assert said in pbem("status", game, code=1).output


def test_a_draw_by_agreement_ends_the_game_and_can_be_taken_back(game):
    assert "nobody has won (by agreement" in pbem("draw", game, "--reason", "all three agreed").output
    assert "The game is over" in pbem("status", game).output and "all three agreed" in pbem("report", game).output
    assert "has ended" in pbem("draw", game, "--reason", "again", code=1).output
    asked = pbem("undo", game, 3, "--reason", "they changed their minds", code=1).output
    assert "the link 2 and every card of every deck. Still has to agree: Red, Blue and Yellow, each with a new word." in asked
    agreed = [part for seat in ("red", "blue", "yellow") for part in ("--consent", seat, "--word", f"{seat}=rain on {seat}")]
    pbem("undo", game, 3, "--reason", "they changed their minds", *agreed)
    assert "Waiting for Anna" in pbem("run", game).output


def test_a_seat_is_left_and_taken_again_and_remembers_its_people(game):
    pbem("seat", game, "Bruno", "--neutral", "--reason", "no time")
    pbem("seat", game, "blue", "--name", "Berta", "--people", "Berta and Bob")
    history = json.loads(pbem("seat", game, "--json").output)["seats"]["blue"]
    assert [one["name"] for one in history["history"]] == ["Bruno", "", "Berta"] and "neutral" not in history
    assert "Bruno from the start, then nobody since entry 3, then Berta since entry 4" in pbem("seat", game).output


def test_silence_may_be_the_moderators_to_judge(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_NOW", "2026-11-18T12:00+00:00")
    (tmp_path / "start.yaml").write_text(START)
    game = tmp_path / "g"
    pbem("new", game, *SEATS, "--position", tmp_path / "start.yaml", "--silence", "interception=moderator")
    pbem("order", game, "red", "roll\\nmarch Antigonos > Ephesos")
    monkeypatch.setenv("PBEM_NOW", "2026-12-18T12:00+00:00")
    assert "interception" in pbem("run", game, "--overdue").output
    assert "you decide" in pbem("status", game).output
    pbem("run", game, "--close", json.loads(pbem("status", game, "--json").output)["question"], "--reason", "long enough")


# --- completion --------------------------------------------------------------------------------------------------


def completed(*words: object) -> list[str]:
    shell = ShellComplete(main, {}, "pbem", "_PBEM_COMPLETE")
    *before, last = [str(one) for one in words]
    return [item.value for item in shell.get_completions(before, last)]


def test_games_seats_cards_and_more_are_completed(game, monkeypatch):
    monkeypatch.chdir(game.parent)
    assert completed("stat") == ["status"]
    assert completed("status", "") == ["g"]
    assert completed("order", "g", "") == ["red", "blue", "yellow"] and completed("order", "g", "y") == ["yellow"]
    assert completed("report", "g", "--to", "") == ["red", "blue", "yellow", "public", "moderator"]
    assert completed("check", "g", "red", "roll", "--hand", "12 4") == ["12 4", *(f"12 {card}" for card in (
        "40", "41", "42", "43", "44", "45", "46", "47A", "47B", "48", "49"))]
    assert completed("run", "g", "--close", "") == ["T2.R1.red.1"]
    assert "generals.antigonos" in completed("components", "show", "generals.ant")
    assert completed("order", "nowhere", "") == []
    assert completed("handover", "") == ["g"]
    assert completed("paste", "g", "b") == completed("mail", "address", "g", "b") == ["blue"]


# --- the books ---------------------------------------------------------------------------------------------------


def test_a_refusal_cites_the_number_of_the_book_that_is_played(tmp_path):
    (tmp_path / "start.yaml").write_text(START)
    for edition, number in (("fourth", "9.3 A"), ("draft", "8.2"), ("third", "9.3")):
        game = tmp_path / edition
        pbem("new", game, *SEATS, "--position", tmp_path / "start.yaml", "--edition", edition)
        assert f"not allowed, {number}: " in pbem("order", game, "red", "roll\\nmarch Antigonos > Pella", code=1).output


def test_the_other_books_have_a_number_for_every_rule_that_may_be_cited():
    rules = books.titles()
    for book in {edition.book for edition in EDITIONS.values()} - {books.BOOK}:
        known = books.elsewhere(book)
        assert known.keys() <= rules.keys() | OPTIONS.keys()        # some options only one book has
        assert [rule for rule in rules if "." in rule and not rule.startswith("16.") and not books.printed(rule, book)] == []
        assert all(re.fullmatch(r"\d+(\.\d+)*", number) and title for number, title in known.values())
    assert books.printed("13.2.4", "third") == "9.14" and books.printed("16.9", "third") == ""
    assert rulebook.numbered({"rule": "16.9"}, "third", "de") == " (16.9, 4. Edition)"


def test_the_rules_are_listed_by_the_numbers_of_each_book():
    assert "Entering occupied spaces" in pbem("rules", "9.5", "--edition", "third").output
    assert "Independent Armies" in pbem("rules", "9.5").output
    rows = json.loads(pbem("rules", "8.3", "--edition", "draft", "--json").output)["rules"]
    assert {row["shown"] for row in rows} >= {"8.3.6", "8.3.11"} and not any(row["shown"].startswith("8.31") for row in rows)
    assert re.search("^4.5 +Hand Out Player Pieces +Colours are chosen", pbem("rules", "4.5").output)
    assert "editions.options.march_limit" in pbem("rules", "16.8").output
    assert "cards.raids.helepolis" in pbem("rules", "7.2G").output
    pbem("rules", "99", code=2)
    assert "nothing differently" in pbem("rules", "--diff", "third", "third").output
    assert "fourth: yes" in pbem("rules", "--diff", "fourth", "draft").output
