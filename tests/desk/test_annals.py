"""The log in words: what each entry says, what was taken back, which one is meant, what has changed between two."""

import json
import re
from pathlib import Path

import pytest
from at_the_shell import said
from small_game import MARCH, SEATS, again, at_window, found, go_on
from texts import flat

from pbem.base.errors import Refused
from pbem.desk import annals, beginning
from pbem.log import gamelog
from pbem.log.entries import TOLD

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    desk = at_window(tmp_path / "g")
    desk.order("blue", "intercept Lysimachos from Sardeis with all")
    desk.order("yellow", "pass")
    desk.run()
    return tmp_path / "g"


def numbers(text: str) -> list[int]:
    return [int(line.split()[0]) for line in text.splitlines() if line[:1].isdigit()]


def test_every_entry_stands_in_the_log_with_what_came_of_it(game: Path) -> None:
    text = said("log", game)
    assert numbers(text) == list(range(1, len(again(game).game.entries) + 1))
    assert "order (Red): roll Red rolled a" in flat(text)
    assert "Blue: intercept Lysimachos from Sardeis" in flat(text) and "Lysimachos (Blue)" in flat(text)
    for row in annals.rows(again(game)):
        assert len(flat(said("log", game, "--since", row.number))) > 5
    assert max(map(len, text.splitlines())) <= 80


def test_filters(game: Path) -> None:
    by = {row.number: row for row in annals.rows(again(game))}
    assert numbers(said("log", game, "--seat", "Bruno")) == [n for n, row in by.items() if "blue" in row.seats] != []
    assert numbers(said("log", game, "--kind", "by")) == [n for n, row in by.items() if row.kind == "by"] != []
    assert numbers(said("log", game, "--turn", 2)) == list(by)
    assert "No entry" in said("log", game, "--turn", 3)
    said("posted", game, 3)
    assert numbers(said("log", game, "--since", "last")) == [n for n in by if n > 3]
    assert "there are position, by" in flat(said("log", game, "--kind", "nonsense", code=2))


def test_what_was_taken_back_is_marked_and_told_once_where_it_was(game: Path) -> None:
    last = len(again(game).game.entries)
    said("undo", game, "march Antigonos", "--reason", "wrong road", "--override")
    rows = {row.number: row for row in annals.rows(again(game))}
    assert [n for n, row in rows.items() if row.undone] == list(range(4, last + 1))
    assert {rows[n].undone for n in range(4, last + 1)} == {last + 1}
    told = flat(said("report", game))
    sentence = f"Entries 4 to {last} were taken back by entry {last + 1} (Wed 18 Nov, 12:00 UTC): wrong road"
    assert told.count(sentence) == 1 and "rulings and corrections" not in told.casefold()
    assert told.index("for movement") < told.index(sentence)
    said("order", game, "red", "march Antigonos > Ephesos")
    later = flat(said("report", game, "--since", last + 2))
    assert "wrong road" not in later
    assert f"### Rulings and corrections - before this report: entry {last + 1} of the log." in later
    assert sentence in flat(said("report", game, "--since", last + 2, "--whole"))


def test_the_last_act_is_meant_whatever_was_written_because_of_it(game: Path) -> None:
    desk = again(game)
    entries = desk.game.entries
    assert "ask" in entries[-1]
    number = annals.meant(desk, "last")
    assert "close" in entries[number - 1] and all("ask" in one for one in entries[number:])
    desk.undo(number, "a slip", override=True)
    before = again(game)
    again_meant = annals.meant(before, "last")
    assert "do" in before.game.entries[again_meant - 1] and again_meant < number


@pytest.mark.parametrize(("text", "key"), [
    ("Antigonos", "entries_show"), ("Babylon", "no_entry_shows"), ("a", "no_entry_shows"), ("", "no_entry_shows"),
    ("-3", "no_entry_shows"), ("9" * 5000, "no_entry_shows"), ("T2.R1.red.1", "no_entry_shows")])
def test_words_that_mean_no_entry_or_several(game: Path, text: str, key: str) -> None:
    with pytest.raises(Refused) as problem:
        annals.meant(again(game), text)
    assert problem.value.key == key


def test_nothing_to_take_back(tmp_path: Path) -> None:
    found(tmp_path / "g")
    assert "nobody has done anything" in flat(said("undo", tmp_path / "g", "last", "--reason", "x", code=1))


def test_the_position_of_two_entries_side_by_side(game: Path) -> None:
    text = said("diff", game, 3, 4)
    assert "- Halikarnassos (Major City, port): Red; R 5 Antigonos (3m 2L)." in text or "- Halikarnassos" in text
    assert "+ Ephesos" in text and "Pella" not in text
    data = json.loads(said("diff", game, 3, 4, "--json"))
    assert {row["path"] for row in data["changes"]} == {"forces.halikarnassos.red", "forces.ephesos.red"}
    assert "is that after entry" in said("diff", game, 4, 4)
    assert json.loads(said("diff", game, 4, 4, "--json"))["changes"] == []
    assert "there is no entry 99" in flat(said("diff", game, 1, 99, code=1))


def test_the_log_for_programs(game: Path) -> None:
    data = json.loads(said("log", game, "--json"))
    assert [row["number"] for row in data["entries"]] == list(range(1, data["last"] + 1))
    assert {row["kind"] for row in data["entries"]} <= set(TOLD)
    assert data["head"] == again(game).game.heads()[-1]


def test_nobody_reads_in_the_log_what_only_one_hand_may_know(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards={"red": ["57", "58"]})
    desk.order("red", "discard 57")
    assert desk.match.g.secret is not None and any(event.key == "card_drawn" for _, event in desk.match.history)
    assert not [event for row in annals.rows(desk) for event in row.events if not event.for_seat(None)]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Game Turn II is over, and the first player turn of the next has begun."""
    folder = tmp_path_factory.mktemp("turn") / "g"
    go_on(found(folder, {key: value for key, value in MARCH.items() if key != "segment"} | {"phase": "deal"}), 3)
    return folder


def test_every_entry_has_its_game_turn_and_its_round(played: Path) -> None:
    desk = again(played)
    at = [(row.turn, row.round) for row in annals.rows(desk)]
    assert at[0] == (2, 1) and at[-1] == (3, 1)
    assert list(dict.fromkeys(at))[:5] == [(2, 1), (2, 2), (2, 3), (2, 4), (2, 5)]
    assert annals.chosen(desk) == list(annals.rows(desk))
    assert {row.turn for row in annals.chosen(desk, turn=3)} == {3}


@pytest.mark.parametrize(("start", "at"), [({}, (2, 1)), ({"round": 3}, (2, 3))])
def test_a_game_that_was_adopted_begins_where_it_stands(tmp_path: Path, start: dict[str, int], at: tuple[int, int]) -> None:
    desk = found(tmp_path / "g", {**MARCH, **start})
    desk.order("red", "roll")
    assert {(row.turn, row.round) for row in annals.rows(desk)} == {at}


def test_a_position_that_says_no_game_turn_is_of_the_first(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {key: value for key, value in MARCH.items() if key != "turn"})
    assert {(row.turn, row.round) for row in annals.rows(desk)} == {(1, 1)} and desk.match.g.turn == 1


def test_a_game_that_begins_at_the_beginning_is_in_its_first_game_turn(tmp_path: Path) -> None:
    beginning.found(tmp_path / "g", "new", SEATS, {"edition": "fourth"}, by_hand=False, words_until="", write=True)
    assert list(annals.rows(again(tmp_path / "g"))) == []
    desk = beginning.begin(tmp_path / "g", None)
    assert {(row.turn, row.round) for row in annals.rows(desk)} == {(1, 1)}


def test_what_was_taken_back_begins_with_the_entry_that_is_named_and_no_other(game: Path) -> None:
    desk = again(game)
    desk.undo(2, "all of it", override=True)
    undo = next(row.number for row in annals.rows(desk) if row.kind == "undo")
    assert [row.undone for row in annals.rows(desk)][:undo] == [0, *[undo] * (undo - 2), 0]


def test_what_an_undo_was_taken_back_of_stands_again(game: Path) -> None:
    desk = again(game)
    (number, *_) = desk.undo(2, "all of it", override=True)
    desk.undo(number, "after all not", override=True)
    assert [row.number for row in annals.rows(desk) if row.undone and row.number < number] == []


def test_an_entry_says_what_no_event_tells(game: Path) -> None:
    desk = again(game)
    says = {row.number: row.says for row in annals.rows(desk)}
    by_kind = {next(iter(entry)): says[number] for number, entry in reversed(list(enumerate(desk.game.entries, 1)))}
    assert by_kind["by"] == "roll" and by_kind["ask"].startswith("T2.R1.red.") and by_kind["position"] == ""
    assert by_kind["close"].startswith("T2.R1.red.3; blue: intercept Lysimachos from Sardeis")
    desk.enter({"note": "hello"})
    assert list(annals.rows(desk))[-1].says == ""


def test_a_close_of_another_hand_may_leave_out_that_everybody_was_silent(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    desk.close("T2.R1.red.3", by="moderator")
    path = tmp_path / "g" / gamelog.GAME
    written = path.read_text(encoding="utf-8")
    answers = next(line for line in written.splitlines() if "close:" in line)
    path.write_text(written.replace(answers, re.sub(r", answers: \{.*?\}", "", answers)), encoding="utf-8")
    (closed,) = [row for row in annals.rows(again(tmp_path / "g", published=True)) if row.kind == "close"]
    assert closed.says == "T2.R1.red.3" and closed.seats == []


def test_an_entry_is_meant_by_its_number_or_by_three_letters_of_it(game: Path) -> None:
    desk = again(game)
    assert annals.meant(desk, "2") == 2 and annals.meant(desk, "3") == 3
    assert annals.meant(desk, ": r") == 2
    with pytest.raises(Refused) as short:
        annals.meant(desk, ":r")
    assert short.value.key == "no_entry_shows"


def test_what_came_of_an_entry_stands_below_it_and_is_set_in(game: Path) -> None:
    desk = again(game)
    told = [annals.shown(desk, row) for row in annals.rows(desk)]
    assert told[0][:3] == ["1 adopted position", "      This game follows the 4th edition, with no optional rules and no",
                           "      optional cards (16). Whoever may react is asked at once; the answers"]
    assert told[5][:2] == ["6 answers: T2.R1.red.3; Blue: intercept Lysimachos from Sardeis with 2",
                           "      loyal, 2 mercenary; Yellow: pass"]
