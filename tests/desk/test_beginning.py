"""A game from the invitation to the first question."""

import json
from pathlib import Path

import pytest
from at_the_shell import said as pbem

from pbem.base.clock import LONGEST
from pbem.base.errors import Refused
from pbem.desk import beginning
from pbem.desk.beginning import DEADLINES, WINDOWS
from pbem.desk.desk import Desk
from pbem.log.gamelog import read_game


def seats(players: int) -> list[str]:
    people = {"red": "Anna", "blue": "Bruno", "yellow": "Chiara", "black": "Dora", "green": "Emil"}
    return [part for colour, name in list(people.items())[:players] for part in ("--seat", f"{colour}={name}")]


def test_words_come_before_the_deal_and_never_after(tmp_path: Path) -> None:
    said = pbem("new", tmp_path / "g", *seats(4), "--words-until", "2026-12-01")
    assert "Anna (Red)" in said and "until Tue 1 Dec, 23:59 UTC" in said
    pbem("seed", "word", tmp_path / "g", "red", "first snow in Pella")
    assert "no word from Blue, Yellow and Black" in pbem("seed", "status", tmp_path / "g")
    assert "pbem begin" not in pbem("status", tmp_path / "g")          # it would be refused
    assert "no word for the dice yet from Blue, Yellow and Black" in pbem("begin", tmp_path / "g", code=1)
    pbem("begin", tmp_path / "g", "--silent")
    assert "before the first" in pbem("seed", "word", tmp_path / "g", "blue", "too late", code=1)
    assert "begun" in pbem("begin", tmp_path / "g", code=1)
    assert pbem("verify", tmp_path / "g", "--details", code=3).count("ok") >= 3


def test_games_of_two_to_five_begin_and_ask_somebody(tmp_path: Path) -> None:
    for players in (2, 3, 4, 5):
        place = tmp_path / str(players)
        pbem("new", place, *seats(players))
        said = pbem("begin", place)
        assert "Waiting for" in said
        assert pbem("options", place)
        assert read_game(place).entries[0]["position"] == {"phase": "setup", "turn": 1}


def test_a_beginning_that_is_only_looked_at_shows_who_is_asked_and_is_not_written(tmp_path: Path) -> None:
    """With other secrets than the real ones, or, where dice lie on a table, with none."""
    pbem("new", tmp_path / "g", *seats(4))
    before = [(tmp_path / "g" / name).read_bytes() for name in ("game.yaml", "private.yaml")]
    looked, real = beginning.begin(tmp_path / "g", None, write=False), Desk(tmp_path / "g")
    assert looked.match.question is not None and looked.match.g.turn == 1
    assert [(tmp_path / "g" / name).read_bytes() for name in ("game.yaml", "private.yaml")] == before
    assert looked.keys is not None and real.keys is not None and looked.keys.secrets.deck != real.keys.secrets.deck
    (tmp_path / "start.yaml").write_text("turn: 2\nsegment: {player: red, kind: tyche}\nspaces: {sardeis: red}\n")
    pbem("new", tmp_path / "h", *seats(2), "--by-hand")
    by_hand = beginning.begin(tmp_path / "h", tmp_path / "start.yaml", write=False)
    assert by_hand.keys is None and by_hand.match.question is not None and not Desk(tmp_path / "h").game.entries


def test_one_or_six_players_are_refused_and_no_folder_is_left(tmp_path: Path) -> None:
    assert "2 to 5" in pbem("new", tmp_path / "g", *seats(1), code=1)
    assert not (tmp_path / "g/game.yaml").exists()
    told = pbem("new", tmp_path / "g", "--seat", "purple=X", "--seat", "red=Y", code=1)
    assert "purple" in told and "Green" in told


def test_a_folder_with_a_game_is_never_overwritten(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(2))
    before = (tmp_path / "g/game.yaml").read_bytes()
    pbem("new", tmp_path / "g", *seats(3), code=1)
    assert "there is a game" in pbem("new", tmp_path / "g", *seats(3), "--dry-run", code=1)
    assert (tmp_path / "g/game.yaml").read_bytes() == before


def test_dice_by_hand_promise_nothing(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(2), "--by-hand")
    assert "chance" not in (tmp_path / "g/game.yaml").read_text()
    assert "secrets" not in (tmp_path / "g/private.yaml").read_text()
    assert "who has whom" in pbem("begin", tmp_path / "g", code=1)
    (tmp_path / "deal.yaml").write_text(
        "{phase: setup, turn: 1, dealt: {red: [perdikkas, antipatros, krateros, ptolemaios],"
        " blue: [leonnatos, peithon, antigonos, eumenes]}}")
    assert "where Krateros begins" in pbem("begin", tmp_path / "g", "--position", tmp_path / "deal.yaml")
    assert "Anna (Red)" in pbem("status", tmp_path / "g")


def test_an_unwritten_rule_of_the_table_is_refused_with_its_number(tmp_path: Path) -> None:
    assert "16" in pbem("new", tmp_path / "g", *seats(2), "--option", "16.99", code=1)
    assert not (tmp_path / "g/game.yaml").exists()


def test_the_invitation_says_in_words_what_was_agreed_in_the_order_of_the_book(tmp_path: Path) -> None:
    said = " ".join(pbem("new", tmp_path / "a", *seats(3), "--option", "16.10", "--option", "oracle").split())
    assert "These play: Anna (Red), Bruno (Blue), Chiara (Yellow). How you sit" in said
    assert 'besides the book: O64 ("Oracle" is in the deck); 16.10 (Dispersed Fleets come back' in said
    assert "with no optional rules and no optional cards" in " ".join(pbem("new", tmp_path / "b", *seats(3)).split())


def test_the_invitation_cites_the_book_that_is_played(tmp_path: Path) -> None:
    said = " ".join(pbem("new", tmp_path / "a", *seats(3), "--edition", "third", "--option", "fleets-by-card").split())
    assert "follows the 3rd edition, and besides the book: 23.4 (Dispersed Fleets come back" in said


def test_the_invitation_names_the_times_and_what_silence_means(tmp_path: Path) -> None:
    said = " ".join(pbem("new", tmp_path / "a", *seats(3), "--deadline", "city_choice=24", "--deadline", "quiet=22-7",
                         "--deadline", "days=sa-su", "--silence", "naval_battle=hold").split())
    assert "after 48 hours; " in said and "what stands inside the city and what outside: 24 hours" in said
    assert "Nothing falls due between 22:00" in said
    assert "on Saturdays and Sundays only" in said
    assert "the answer that the question names counts; a Naval Battle: the game waits for the answer." in said


@pytest.mark.parametrize(("players", "edition", "chosen"), [(2, "fourth", False), (3, "fourth", True), (3, "third", False)])
def test_how_you_sit_is_asked_only_where_it_is_chosen_and_can_differ(
        tmp_path: Path, players: int, edition: str, chosen: bool) -> None:
    assert ("How you sit" in " ".join(pbem("new", tmp_path / "g", *seats(players), "--edition", edition).split())) is chosen


def test_the_invitation_says_whether_reminders_come(tmp_path: Path) -> None:
    for name, more in (("a", []), ("b", ["--deadline", "remind=12"])):
        told = " ".join(pbem("new", tmp_path / name, *seats(2), *more).split())
        assert ("A reminder comes 12 hours before the end." in told) == bool(more)


@pytest.mark.parametrize(("kind", "hours", "fits"), [
    ("default", 1, True), ("default", 0, False), ("interception", 1, True), ("interception", 0, False), ("earliest", 0, True),
    ("earliest", -1, False), ("default", LONGEST, True), ("default", LONGEST + 1, False)])
def test_an_answer_has_an_hour_at_least_and_other_times_may_be_none(kind: str, hours: int, fits: bool) -> None:
    if fits:
        beginning.judge_times({kind: hours})
    else:
        with pytest.raises(Refused, match="unfit time"):
            beginning.judge_times({kind: hours})


def test_a_game_has_the_language_that_was_wished(tmp_path: Path) -> None:
    people = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}}
    assert [beginning.header_of("g", people, {}, language).get("language") for language in ("", "de")] == [None, "de"]


def test_a_new_game_that_is_only_tried_leaves_no_folder(tmp_path: Path) -> None:
    assert "Bruno (Blue)" in pbem("new", tmp_path / "g", *seats(2), "--dry-run")
    assert not (tmp_path / "g").exists()


def test_a_rule_for_silence_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    assert 'silence cannot mean "holt"; it may be default, quiet, hold or moderator' in pbem(
        "new", tmp_path / "g", *seats(2), "--silence", "losses=holt", code=1)


def test_before_the_game_the_to_do_list_is_the_ceremony(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(3), "--words-until", "2099-12-01")
    pbem("seed", "word", tmp_path / "g", "Anna", "first snow in Pella")
    said = pbem("status", tmp_path / "g")
    assert "not begun" in said and "seed word" in said and "blue \"...\"" in said and "red \"...\"" not in said
    assert json.loads(pbem("status", tmp_path / "g", "--json"))["ceremony"]["missing"] == ["blue", "yellow"]
    assert "The chance of g" in pbem("seed", "post", tmp_path / "g")
    for command in (["note", "x"], ["hold", "x"], ["ruling", "x"], ["draw", "--reason", "x"]):
        assert "has not begun" in pbem(command[0], tmp_path / "g", *command[1:], code=1)


def test_before_the_game_a_seat_changes_hands_in_the_header(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(3))
    with (tmp_path / "g/game.yaml").open() as file:
        before = file.read()
    pbem("seat", tmp_path / "g", "blue", "--name", "Berta", "--zone", "Europe/Berlin", "--dry-run")
    assert (tmp_path / "g/game.yaml").read_text() == before
    pbem("seat", tmp_path / "g", "blue", "--name", "Berta", "--zone", "Europe/Berlin")
    told = pbem("seat", tmp_path / "g")
    assert "Berta (Blue): Berta from the start; Europe/Berlin" in told and "Anna (Red): Anna from the start\n" in told
    pbem("begin", tmp_path / "g")
    pbem("verify", tmp_path / "g", code=3)


def test_an_undo_of_the_beginning_lets_it_begin_again(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(4))
    first = pbem("begin", tmp_path / "g")
    pbem("undo", tmp_path / "g", "1", "--reason", "one more player", "--override")
    assert "pbem begin" in pbem("status", tmp_path / "g")
    assert pbem("begin", tmp_path / "g") == first           # the same words, the same deal: nothing is gained by it


def test_everything_about_a_seat_is_said_at_once_and_judged(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(2), "--language", "red=en", "--channel", "blue=paste", "--zone", "red=Europe/Athens",
         "--deadline", "default=24", "--deadline", "interception=36", "--deadline", "quiet=22-7", "--silence", "turn=hold",
         "--edition", "third", "--windows", "held", "--polls", "strict")
    header = read_game(tmp_path / "g").header
    assert header["seats"] == {"red": {"name": "Anna", "language": "en", "zone": "Europe/Athens"},
                               "blue": {"name": "Bruno", "channel": "paste"}}
    assert header["rules"] == {"edition": "third", "seating": "fixed", "windows": "held", "polls": "strict",
                               "silence": {"turn": "hold"}, "deadlines": {"default": 24, "interception": 36, "quiet": "22-7"}}


@pytest.mark.parametrize(("more", "code", "said"), [
    (["--seat", "red=Xenia"], 2, "twice"), (["--language", "red=xx"], 1, "language"), (["--language", "green=en"], 1, "green"),
    (["--zone", "red=Mars/Base"], 1, "Europe/Berlin"), (["--channel", "red=pigeon"], 1, "channel"),
    (["--deadline", "default=-5"], 1, "number from 1"), (["--deadline", "default=soon"], 1, "number from 1"),
    (["--deadline", "quiet=always"], 1, "22-7"), (["--deadline", "days=someday"], 1, "mo-fr"),
    (["--deadline", "interceptoin=5"], 1, "interceptoin"), (["--silence", "interception=never"], 1, "never"),
    (["--silence", "interceptoin=hold"], 1, "interceptoin"),
    (["--edition", "third", "--seating", "chosen"], 1, "sit as they are entered"), (["--seat", "blue"], 2, "NAME=VALUE"),
    (["--words-until", "soon"], 2, "no moment"), (["--position", "turn.yaml"], 1, '"turn" has to be a whole number'),
    (["--position", "list.yaml"], 1, "list.yaml, line 1"), (["--position", "noise.yaml"], 2, "UTF-8"),
    (["--game", ""], 0, "a game of"),
])
def test_what_cannot_be_is_said_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], code: int, said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "turn.yaml").write_text("{turn: soon}")
    (tmp_path / "list.yaml").write_text("[1, 2]")
    (tmp_path / "noise.yaml").write_bytes(b"\x00\xff")
    assert said in pbem("new", "g", *seats(2), *more, code=code)
    assert (tmp_path / "g").exists() == (code == 0)


def test_a_new_game_waits_for_no_cards_and_gives_turns_more_time(tmp_path: Path) -> None:
    """docs/pace.md: the defaults are what was measured."""
    pbem("new", tmp_path / "a", *seats(3))
    rules = read_game(tmp_path / "a").header["rules"]
    assert (rules["seating"], beginning.usual_seating("third")) == ("chosen", "fixed")
    assert (rules["windows"], rules["deadlines"]) == (WINDOWS, DEADLINES) == ("reserved", {
        "default": 48, "surrender": 72, "tyche": 72, "activation": 72, "reinforcement_choice": 72, "earliest": 24})
    pbem("new", tmp_path / "b", *seats(3), "--by-hand", "--deadline", "default=36")
    assert read_game(tmp_path / "b").header["rules"] | {"windows": "asked", "deadlines": {"default": 36}} == read_game(
        tmp_path / "b").header["rules"]


def test_the_invitation_says_what_is_proved_and_what_rests_on_somebodys_word(tmp_path: Path) -> None:
    seats = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}}
    promised = beginning.found(tmp_path / "g", "g", seats, {}, by_hand=False, words_until="", write=True)
    assert "anybody can check them" in " ".join(promised.invitation.split())
    by_hand = beginning.found(tmp_path / "h", "h", seats, {}, by_hand=True, words_until="", write=True)
    assert "anybody can check them" not in " ".join(by_hand.invitation.split())
