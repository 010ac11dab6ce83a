"""In the folder of a game its name may be left out; what is not a game, or no packet, is refused by its name."""

from pathlib import Path

import pytest
from at_the_shell import pbem, said
from small_game import NOON, at_window, found

from pbem.desk.tray import read
from pbem.log.gamelog import read_game


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    found(tmp_path / "g")
    monkeypatch.chdir(tmp_path / "g")
    return tmp_path / "g"


@pytest.mark.parametrize("words", [
    ["status"], ["report", "--since", "1"], ["options"], ["options", "red"], ["log", "--kind", "ask"], ["position", "--json"],
    ["diff", "1"], ["verify"], ["order", "red", "roll", "--dry-run"], ["check", "red", "roll"], ["note", "hello"],
    ["hold", "a feast"], ["undo", "last", "--reason", "x", "--dry-run"], ["seat"], ["map", "--text", "Lydia"], ["posted"],
    ["seed", "status"], ["odds", "intercept", "Lysimachos", "Ephesos"], ["amend", "generals.antigonos.initiative", "4"],
])
def test_the_name_of_the_game_may_be_left_out(here: Path, words: list[str]) -> None:
    code = {"undo": 1, "verify": 3}.get(words[0], 0)                # nothing has been done yet; words are missing
    assert "Usage" not in said(*words, code=code)


def test_with_its_name_it_is_the_same(here: Path) -> None:
    assert said("report").splitlines()[2:] == said("report", here).splitlines()[2:]
    assert said("report") == said("report", here / "game.yaml") == said("report", "game.yaml")


def test_a_seat_or_a_text_is_never_taken_for_a_game_nor_a_game_for_a_text(here: Path) -> None:
    (here / "red").mkdir()
    assert "Red rolled a" in said("order", "red", "roll")
    before = len(read_game(here).entries)
    assert "TEXT" in said("note", here, code=2)                     # no note that is called like the folder
    assert "no game.yaml" in said("status", "elsewhere", code=2) or "unexpected" in said("status", "elsewhere", code=2)
    assert len(read_game(here).entries) == before


def test_elsewhere_a_game_has_to_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "GAME" in said("status", code=2)


# --- posts and packets -------------------------------------------------------------------------------------------


def test_a_refused_post_is_exit_1_and_comes_again_corrected(here: Path) -> None:
    (here / "post.txt").write_text("[b]roll\nmarch Antigonos > Pella[/b]")
    pbem("paste", "red", "--post", "7", "--file", "post.txt", code=1)
    assert [entry["do"] for entry in read_game(here).entries if "do" in entry] == ["roll"]
    (here / "post.txt").write_text("[b]march Antigonos > Ephesos[/b]")
    assert "roll" in said("paste", "red", "--post", "7", "--file", "post.txt", code=1)
    (here / "post.txt").write_text("[b]roll\nmarch Antigonos > Ephesos[/b]")
    pbem("paste", "red", "--post", "7", "--file", "post.txt")
    does = [entry["do"] for entry in read_game(here).entries if "do" in entry]
    assert does[0] == "roll" and does[1].startswith("march Antigonos") and len(does) == 2
    assert "7" in said("paste", "red", "--post", "7", "--file", "post.txt", code=1)
    tray = read(here).mail
    assert tray.posts == ["red post-7"] and tray.half == {}


def test_what_is_no_packet_is_refused_by_its_name_and_nothing_is_left(here: Path, tmp_path: Path) -> None:
    packet = said("handover", here, "-o", tmp_path / "whole.tar.gz") and (tmp_path / "whole.tar.gz").read_bytes()
    for number, data in enumerate((b"", b"hello", packet[:len(packet) // 2], b"\x1f\x8b" + packet[100:])):
        (tmp_path / "odd.tar.gz").write_bytes(data)
        target = tmp_path / f"n{number}"
        told = said("handover", target, "--open", tmp_path / "odd.tar.gz", code=2 if number < 2 else 1)
        assert ("odd.tar.gz is a plain text" if number < 2 else "odd.tar.gz is no packet") in " ".join(told.split())
        assert not target.exists()
    said("handover", tmp_path / "n", "--open", tmp_path / "whole.tar.gz")
    assert read_game(tmp_path / "n").heads() == read_game(here).heads()


# --- what was done is said ---------------------------------------------------------------------------------------


def test_a_close_says_whose_silence_was_played(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    desk.order("blue", "pass")
    question = desk.match.question
    assert question is not None
    told = said("run", tmp_path / "g", "--close", question.id, "--reason", "on holiday")
    assert "Yellow" in told and "on holiday" in told and "Blue" not in told.partition("Waiting")[0].partition("silen")[2]


@pytest.mark.parametrize(("words", "sentence"), [
    (["note", "hello"], "Note: hello."), (["hold", "a feast"], "The clock stands still: a feast."),
    (["ruling", "A gift", "--adjust", "red.VP=+2", "--reason", "why not"], "Ruling"),
    (["amend", "generals.antigonos.initiative", "4"], "From here on generals.antigonos.initiative is 4"),
    (["seat", "blue", "--name", "Berta"], "is played by Berta"), (["seat", "blue", "--neutral"], "Blue"),
    (["draw", "--reason", "all agreed"], "all agreed"), (["posted"], "Posted up to entry"),
    (["position", "-o", "here.yaml"], "Written: here.yaml"), (["seed", "status"], "no word from Blue"),
])
def test_every_act_says_what_it_did(here: Path, words: list[str], sentence: str) -> None:
    assert sentence in " ".join(said(*words).split())


def test_the_clock_goes_on_and_says_until_when(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said("hold", "a feast")
    monkeypatch.setenv("PBEM_NOW", "2026-11-19T12:00Z")
    assert "has passed already" in said("resume", "--due", "2020-01-01", code=1)
    told = " ".join(said("resume").split())
    assert "The game goes on." in told and "until Sat 21 Nov, 12:00 UTC" in told


# --- a beginning tried out ---------------------------------------------------------------------------------------


def test_a_beginning_can_be_tried_without_dealing(tmp_path: Path) -> None:
    seats = ["--seat", "red=Anna", "--seat", "blue=Bruno", "--seat", "yellow=Chiara"]
    said("new", tmp_path / "g", *seats)
    before = {path.name: path.read_bytes() for path in (tmp_path / "g").iterdir()}
    tries = [said("begin", tmp_path / "g", "--dry-run") for _ in range(2)]
    assert all("Nothing is dealt or written yet" in one and "Waiting for" in one for one in tries)
    assert {path.name: path.read_bytes() for path in (tmp_path / "g").iterdir()} == before
    said("seed", "word", tmp_path / "g", "red", "first snow")
    assert "first snow" in said("seed", "word", tmp_path / "g", "red", "second thoughts", code=1)
    said("seed", "word", tmp_path / "g", "red", "second thoughts", "--instead")
    said("begin", tmp_path / "g")
    assert read_game(tmp_path / "g").header["chance"]["words"] == {"red": "second thoughts"}
