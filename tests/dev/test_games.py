"""Whole random games: a few here, thousands with `pbem dev prove`."""

import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pbem.components import catalogue
from pbem.desk.desk import Desk
from pbem.desk.overview import status_data
from pbem.dev import coverage, doors, games, many, passing, prove, tampering, underway
from pbem.dev.games import Swift, Wanted, Watch, beginning, prepared, whole_game
from pbem.dev.many import play_games
from pbem.dev.recount import Recount
from pbem.editions import EDITIONS, NEWEST
from pbem.rules import forage, hand, victory
from pbem.table import position

SEATS = ("red", "blue")
SHORT = Wanted(8, 2)                   # a game that is decided early


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_from_the_set_up_on(players: int) -> None:
    """Invariants and recount after every entry, then the log alone."""
    one = whole_game(Wanted(players, players, most=120))
    assert not one.met.wrong, one
    assert one.met.steps == 120 and one.entries > 120


@pytest.mark.parametrize("edition", ["draft", "third"])
def test_a_game_by_other_rules(edition: str) -> None:
    one = whole_game(Wanted(1, 3, edition, games.chosen(1, edition), most=80))
    assert not one.met.wrong, one


@pytest.mark.parametrize("number", [0, 1, 2, 19, 23, 44])
def test_a_game_that_began_before_rules_were_mended_is_played_to_its_end(number: int) -> None:
    wanted = underway.earlier(number)
    header, _ = beginning(wanted, prepared(wanted)[1].rules)
    assert header["fixes"] == wanted.fixes < NEWEST
    assert underway.earlier_game(number) == []


def test_every_variant_is_played_with_every_number_of_mended_rules() -> None:
    games = [underway.earlier(number) for number in range(300)]
    assert {(one.edition, one.fixes) for one in games} == {(name, fixes) for name in EDITIONS for fixes in range(NEWEST)}
    assert {(one.edition, one.players) for one in games} == {
        (name, players) for name, rules in EDITIONS.items() for players in rules.instant_points}


def test_optional_rules_of_a_seed_go_together() -> None:
    chosen = {games.chosen(seed, "fourth") for seed in range(40)}
    assert len(chosen) > 30
    assert {"16.2", "16.9", "16.12", "O62", "O69"} <= {number for numbers in chosen for number in numbers}
    one = whole_game(Wanted(3, 4, options=("16.5", "16.9", "O62"), most=80))
    assert not one.met.wrong, one


def test_desk_and_memory_play_the_same_game(tmp_path: Path) -> None:
    """The desk asks, seals and closes; what comes of it is what the orders alone give, and opens at the same place."""
    folder = tmp_path / "game"
    swift = whole_game(Wanted(4, 4, most=60))
    kept = whole_game(Wanted(4, 4, folder=str(folder), most=60))
    assert not swift.met.wrong and not kept.met.wrong, kept
    assert swift.met.verbs == kept.met.verbs
    assert swift.cards == kept.cards
    desk = Desk(folder)
    assert status_data(desk)["position"] == kept.position
    assert len(desk.game.entries) == kept.entries


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_option_of_a_book_is_played_alone_and_all_of_them_together(edition: str) -> None:
    each = games.known(edition)
    for number, some in enumerate([*((one,) for one in each), tuple(each)]):
        one = whole_game(Wanted(number, 2 + number % 3, edition, some, most=40))
        assert set(one.rules["options"]) == set(some)
        assert not one.met.wrong, (some, one.met.wrong)


def test_only_what_a_book_has_a_use_for_can_be_missed() -> None:
    """6.2 A In the 3rd edition points come before the event, and what has to come to pass is never played for its points."""
    uses = {edition: set(many.uses(many.EMPTY._replace(edition=edition))) for edition in ("fourth", "third")}
    assert {"1 bonus", "17 ops"} <= uses["fourth"] and "1 points_first" not in uses["fourth"]
    assert "1 points_first" in uses["third"] and not {"1 bonus", "17 ops"} & uses["third"]


def test_what_many_games_met_is_counted(tmp_path: Path) -> None:
    summary = play_games(1, players=2, seed=SHORT.seed, keep=tmp_path, jobs=1)
    assert not summary.failures, summary
    (folder, kept), = summary.plain()["kept"].items()
    assert status_data(Desk(Path(folder)))["position"] == kept
    assert sum(summary.won.values()) == 1 and "nobody" not in summary.won
    assert summary.cards.total() > 10 and summary.plain()["unmet"]["asked"]
    assert "never asked" in str(summary)


def test_a_game_that_went_wrong_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, wrong = tmp_path / "counts.json", ["odd"]

    def played(wanted: Wanted) -> games.Played:
        _, sheet = prepared(wanted)
        sheet.met.wrong.extend(wrong)
        return sheet

    monkeypatch.setattr(many, "whole_game", played)
    assert [len(play_games(2, players=2, counts=file, jobs=1).failures) for _ in range(2)] == [2, 2]
    wrong.clear()
    for _ in range(2):
        mended = play_games(2, players=2, counts=file, jobs=1)
        assert (mended.games, mended.failures) == (2, ())


def test_a_run_goes_on_from_its_counts(tmp_path: Path) -> None:
    """Broken off after one game, it plays the second only; other games are not added to these."""
    file = tmp_path / "counts.json"
    one, both = (play_games(games, players=2, seed=SHORT.seed, looks=False, counts=file, jobs=1) for games in (1, 2))
    assert (one.games, both.games) == (1, 2) and both.steps > one.steps
    again = play_games(2, players=2, seed=SHORT.seed, looks=False, counts=file, jobs=1)
    assert again == both._replace(seconds=again.seconds)
    straight = play_games(2, players=2, seed=SHORT.seed, looks=False, jobs=1)
    assert straight == both._replace(seconds=straight.seconds)
    with pytest.raises(ValueError, match="counts other games"):
        play_games(2, players=3, counts=file, jobs=1)


def test_a_game_without_looks_is_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the hashes of positions are missing in its log, where orders stand as they are, nothing wild is tried, and no doors
    are counted."""
    real, scenes = games.on, []
    monkeypatch.setattr(games, "on", lambda scene, *rest, **named: scenes.append(scene) or real(scene, *rest, **named))
    looked, swift = (whole_game(SHORT._replace(most=150, looks=looks)) for looks in (True, False))
    assert swift == looked._replace(agreed=swift.agreed, passed=Counter(), met=looked.met._replace(refused=swift.met.refused))
    assert looked.passed["march end"] > 0 and looked.met.refused.total() > 2 * swift.met.refused.total()
    (hashed, unread), say = (scene.entries for scene in scenes), scenes[1].match.say
    for entry in unread:
        if "do" in entry:
            entry["do"] = say(entry["do"])
        if "answers" in entry:
            entry["answers"] = {seat: say(answer) for seat, answer in entry["answers"].items()}
    assert sum(bool(entry.pop("now", "")) for entry in hashed) and hashed == unread


def test_without_looks_every_eleventh_game_is_read_again_from_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """By all numbers of players, in every edition."""
    monkeypatch.setattr(games, "alone", lambda scene, here: ["read again"])
    again = [seed for seed in range(23) if whole_game(Wanted(seed, 2, most=2, looks=False)).met.wrong]
    assert again == [0, 11, 22] and whole_game(Wanted(1, 2, most=2)).met.wrong
    for edition, rules in EDITIONS.items():
        wanted = [many.wanted(seed, None, edition, None, options=False) for seed in range(200) if games.is_read_again(seed)]
        assert {one.players for one in wanted} == set(rules.instant_points)


def test_a_question_counts_for_the_door_that_asks_it() -> None:
    """Of a march what its row names, and nothing that no row does."""
    passed = whole_game(SHORT._replace(most=150)).passed
    assert {f"march {question}" for question in ("leader", "enemies", "whole", "end")} <= passed.keys() <= {
        *passing.pairs(), *doors.DOORS, ""}


def test_an_undo_that_leads_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = games.Swift.undo

    def one_too_many(self: games.Swift, entry: int) -> None:
        real(self, entry - 2)

    monkeypatch.setattr(games.Swift, "undo", one_too_many)
    monkeypatch.setattr(games, "to_undo", lambda scene, rng: len(scene.entries) if len(scene.entries) > 30 else 0)
    monkeypatch.setattr(games, "UNDONE_OF", 20)
    assert any("taken back" in line for line in whole_game(Wanted(4, 3, most=150)).met.wrong)


def test_coverage_knows_what_was_called() -> None:
    with coverage.noted(True) as called:
        whole_game(Wanted(2, 2, most=30))
    missing = coverage.uncalled(coverage.ours(called))
    assert not any(text.endswith(" setup.place_generals") for text in missing)
    assert any(text.endswith(" end_game.macedonians") for text in missing)


# --- random play would notice ------------------------------------------------------------------------------------


def test_a_wrong_total_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = victory.points_parts
    monkeypatch.setattr(victory, "points_parts", lambda g, seat: [*real(g, seat), *([("gift", 1)] if seat == "red" else [])])
    wrong = whole_game(Wanted(2, 3, most=50)).met.wrong
    assert any("the recount gives" in line for line in wrong)


def test_an_error_in_a_rule_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(g: object, seat: str) -> None:
        raise KeyError("no such thing")

    monkeypatch.setattr(forage, "forage", broken)
    one = whole_game(Wanted(2, 3, most=100))
    assert "KeyError" in one.met.wrong[0] and one.met.trace


def test_a_rule_that_reads_what_is_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log alone has no hands: what depends on them comes out otherwise."""
    real = hand.leave_hand

    def peeking(g, seat, card):
        real(g, seat, card)
        if g.secret is not None:
            g.popularity["perdikkas"] += 1

    monkeypatch.setattr(hand, "leave_hand", peeking)
    assert whole_game(Wanted(1, 2, most=80)).met.wrong


# --- the second recount ------------------------------------------------------------------------------------------

PLAIN = {"champions": {"red": "no", "blue": "no"}}


def totals(**public: object) -> tuple[tuple[int, int], tuple[int, int]]:
    found = Recount(catalogue.facts()).totals({**PLAIN, **public}, SEATS)
    return found["red"], found["blue"]


def spaces_of(*provinces: str) -> dict[str, str]:
    facts = catalogue.facts()
    return {space: "red" for space, fact in facts.spaces.items()
            if fact["province"] in provinces and fact["kind"] != "transit"}


def at(owner: str) -> dict[str, str]:
    return {"at": "pella", "owner": owner}


def test_nobody_has_anything() -> None:
    assert totals() == ((0, 0), (0, 0))


def test_recount_of_legitimacy() -> None:
    assert totals(champions={"red": "yes", "blue": "no"})[0] == (3, 0)
    assert totals(family={"alexandros": at("red"), "philippos": at("red"), "kleopatra": at("red"),
                          "thessalonike": at("red")})[0] == (10, 0)                  # one Heir, all Females
    assert totals(buried_by="red", tomb=at("none"), spaces={"pella": "red"})[0] == (10, 0)
    assert totals(tomb={"at": "babylon", "owner": "none"}, spaces={"babylon": "red"})[0] == (2, 0)
    assert totals(spaces=spaces_of("makedonia"))[0] == (2, 3)
    assert totals(forces=[{"owner": "red", "generals": ["perdikkas"]}],
                  dispersed={"red": {"generals": ["leonnatos"]}})[0] == (2, 0)
    assert totals(champions={"red": "yes", "blue": "no"}, kept={"26": "red"})[0] == (1, 0)
    assert totals(kept={"26": "red"})[0] == (0, 0)                                     # never below 0


def test_recount_of_victory_points() -> None:
    worth = {province: fact["vp"] for province, fact in catalogue.facts().provinces.items()}
    asia = ("phrygia", "syria", "babylonia")
    assert totals(spaces=spaces_of(*asia))[0][1] == sum(worth[one] for one in asia) + 4
    hellespont = dict.fromkeys(("byzantion", "chersonesos", "abydos", "daskyleion", "astakos"), "red")
    assert totals(spaces=hellespont)[0][1] == totals(spaces={**hellespont, "byzantion": "blue"})[0][1] + 2
    assert totals(fleets={"red": ["athenai", "rhodos+"]})[0][1] == 3
    assert totals(fleets={"red": ["athenai"], "blue": []})[0][1] == 0                 # less than 3
    assert totals(capitals={"red": "ephesos"}, captured_capitals={"blue": "red"})[0][1] == 3


def test_a_capital_has_to_be_held_with_its_province() -> None:
    minor = "ephesos"
    province = catalogue.facts().spaces[minor]["province"]
    most = spaces_of(province)
    assert totals(spaces=most)[0][1] > 0
    assert totals(spaces={**most, minor: "blue"}, capitals={"blue": minor})[0][1] == 0


def test_what_the_recount_reads_is_written() -> None:
    assert {"captured_capitals", "capitals", "kept", "condemned", "adjust", "oracle", "buried_by", "tomb"} <= position.KEYS


# --- proofs ------------------------------------------------------------------------------------------------------


def test_a_proof_goes_on_from_its_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that was looked at is not looked at again, but for one in which something was wrong: it may have been mended."""
    looked, odd = list[int](), {1, 3}

    def some_game(seed: int) -> list[str]:
        looked.append(seed)
        return ["odd"] if seed in odd else []

    monkeypatch.setattr(prove, "in_many", lambda run, seeds: map(run, seeds))
    monkeypatch.setattr(many, "program", iter(["one", "other", "other"]).__next__)
    seeds, counts, quiet = prove.each(some_game, "games"), tmp_path / "counts.json", list[str]().append
    assert seeds(2, quiet, counts) == ("2 games; state one", ["some_game(1): odd"])
    assert seeds(4, quiet, counts) == ("4 games; states one (2), other (2)", ["some_game(1): odd", "some_game(3): odd"])
    odd.remove(1)
    assert seeds(4, quiet, counts) == ("4 games; states one (2), other (2)", ["some_game(3): odd"])
    assert looked == [0, 1, 1, 2, 3, 1, 3]


def test_every_long_proof_goes_on_from_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[Path | None] = []

    def noted(*given: Any, counts: Path | None = None, **more: Any) -> Any:
        files.append(counts)
        return many.EMPTY

    def tampered(count: int, counts: Path | None, progress: Any) -> Any:
        files.append(counts)
        return tampering.Counted()

    monkeypatch.setattr(many, "play_games", noted)
    monkeypatch.setattr(tampering, "counted", tampered)
    monkeypatch.setattr(prove, "in_many", lambda run, seeds: ([] for seed in seeds))
    for what in ("whole games", "games under way", "verify", "boxes", "secrecy", "pages", "marks"):
        assert prove.prove(1, list[str]().append, what, tmp_path / "new")
    names = ("whole-games", "whole-games-with-options", "whole-games-draft", "whole-games-third", "verify",
             "games-under-way", "boxes", "secrecy", "pages", "marks")
    assert {*files, *(tmp_path / "new").iterdir()} == {tmp_path / "new" / f"{name}.json" for name in names}


def test_properties_are_looked_for_in_as_many_texts_as_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the suite, which tries the same few always, has never met."""
    (tmp_path / "conftest.py").write_text((prove.TESTS / "conftest.py").read_text())
    (tmp_path / "test_rare.py").write_text(
        "from hypothesis import given, strategies as st\n"
        "@given(st.integers(0, 999))\ndef test_rare(number): assert number != 7\n"
        "@given(st.integers())\ndef test_sure(number): assert number == number\n"
        "def test_other(): assert False\n")
    monkeypatch.setattr(prove, "TESTS", tmp_path)
    did, wrong = prove.properties(1, list[str]().append, None)
    assert did.startswith("1 texts each: 2 passed") and wrong == []
    did, wrong = prove.properties(5000, list[str]().append, None)
    assert "1 failed, 1 passed" in did and any("number=7" in line for line in wrong)


# --- what is taken back ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("later", "wrong"), [
    ([], True), ([{"ask": "T1.R1.red.2"}], True), ([{"by": "moderator", "do": "turn up 43"}, {"ask": "T1.R1.red.2"}], False)])
def test_a_position_is_that_of_before_an_undo_but_where_a_desk_has_gone_on_by_itself(
        later: list[dict[str, Any]], wrong: bool) -> None:
    """A desk turns up again at once what had been turned up: then it is not the moment that there was before."""
    wanted = Wanted(4, 3)
    _, sheet = prepared(wanted)
    scene = Swift(*beginning(wanted, sheet.rules))
    watch = Watch(scene, sheet.met)
    entry = len(scene.entries) + 1
    watch.kept[entry - 1] = pickle.dumps(({"turn": 9}, {}))
    scene.course.entries += [{"undo": entry}, *later]
    watch.taken_back(entry)
    assert [line for line in sheet.met.wrong if "taken back" in line] == (
        [f"entry {entry} taken back, the position is another one than before it"] if wrong else [])
