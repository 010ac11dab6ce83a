"""A game from the invitation to the first question."""

from pathlib import Path

from click.testing import CliRunner

from pbem.cli import main


def pbem(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def seats(players: int) -> list[str]:
    people = {"red": "Anna", "blue": "Bruno", "yellow": "Chiara", "black": "Dora", "green": "Emil"}
    return [part for colour, name in list(people.items())[:players] for part in ("--seat", f"{colour}={name}")]


def test_words_come_before_the_deal_and_never_after(tmp_path: Path) -> None:
    said = pbem("new", tmp_path / "g", *seats(4), "--words-until", "2026-12-01")
    assert "Anna (Red)" in said and "2026-12-01T23:59Z" in said
    pbem("seed", "word", tmp_path / "g", "red", "first snow in Pella")
    assert "no word from blue, yellow, black" in pbem("seed", "status", tmp_path / "g")
    assert "pbem begin" in pbem("status", tmp_path / "g")
    assert "no word for the dice yet from Blue, Yellow and Black" in pbem("begin", tmp_path / "g", code=1)
    pbem("begin", tmp_path / "g", "--silent")
    assert "before the first" in pbem("seed", "word", tmp_path / "g", "blue", "too late", code=1)
    assert "begun" in pbem("begin", tmp_path / "g", code=1)
    assert pbem("verify", tmp_path / "g").count("ok") >= 4


def test_games_of_two_to_five_begin_and_ask_somebody(tmp_path: Path) -> None:
    for players in (2, 3, 4, 5):
        place = tmp_path / str(players)
        pbem("new", place, *seats(players))
        said = pbem("begin", place)
        assert "Waiting for" in said
        assert pbem("options", place)


def test_one_or_six_players_are_refused_and_no_folder_is_left(tmp_path: Path) -> None:
    assert "2 to 5" in pbem("new", tmp_path / "g", *seats(1), code=1)
    assert not (tmp_path / "g/game.yaml").exists()
    assert "purple" in pbem("new", tmp_path / "g", "--seat", "purple=X", "--seat", "red=Y", code=1)


def test_a_folder_with_a_game_is_never_overwritten(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(2))
    before = (tmp_path / "g/game.yaml").read_bytes()
    pbem("new", tmp_path / "g", *seats(3), code=1)
    assert (tmp_path / "g/game.yaml").read_bytes() == before


def test_dice_by_hand_promise_nothing(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", *seats(2), "--by-hand")
    assert "secrets" not in (tmp_path / "g/game.yaml").read_text()
    assert not (tmp_path / "g/private.yaml").exists()


def test_an_unwritten_rule_of_the_table_is_refused_with_its_number(tmp_path: Path) -> None:
    assert "16" in pbem("new", tmp_path / "g", *seats(2), "--option", "16.99", code=1)
    assert not (tmp_path / "g/game.yaml").exists()


def test_the_invitation_says_in_words_what_was_agreed_in_the_order_of_the_book(tmp_path: Path) -> None:
    said = " ".join(pbem("new", tmp_path / "a", *seats(3), "--option", "16.10", "--option", "oracle").split())
    assert "These play: Anna (Red), Bruno (Blue), Chiara (Yellow). How you sit" in said
    assert 'besides the book: O64 ("Oracle" is in the deck); 16.10 (Dispersed Fleets come back' in said
    assert "with no optional rules and no optional cards" in " ".join(pbem("new", tmp_path / "b", *seats(3)).split())


def test_a_rule_for_silence_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["new", str(tmp_path / "g"), *seats(2), "--silence", "losses=holt"])
    assert done.exit_code == 1 and 'silence cannot mean "holt"; it may be default, quiet, hold or moderator' in done.output
