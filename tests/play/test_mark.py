"""A game that goes on from a mark is the game that is folded from the beginning."""

import pytest

from pbem.components import catalogue
from pbem.dev.games import Swift, Wanted, beginning, prepared
from pbem.dev.stages import Step
from pbem.dev.will import Will
from pbem.log import gamelog
from pbem.play import mark
from pbem.play.match import Match
from pbem.telling.chart import course


def played(seed: int, players: int, edition: str, turns: int) -> tuple[Swift, list[dict[str, object]]]:
    """A random game until so many player turns have begun, and what was marked at each."""
    rng, sheet = prepared(Wanted(seed, players, edition))
    game, will, kept = Swift(*beginning(Wanted(seed, players, edition), sheet.rules)), Will(rng), []
    while len(kept) < turns and (question := game.match.question) is not None:
        game.take(will.next_step(game.g, question))
        if mark.can_be_taken(game.match):
            kept.append(mark.read(mark.written(mark.taken(game.match))))
    return game, kept


def folded(game: Swift, kept: dict[str, object] | None = None) -> Match:
    match, first = game.blank(), 0
    if kept is not None:
        mark.entered(match, kept)
        first = match.number
        match.history.before = lambda: folded(game).history
    match.fold(game.entries, [place for place in gamelog.survivors(game.entries) if place >= first], first + 1)
    return match


@pytest.mark.parametrize(("seed", "players", "edition"), [(1, 4, "fourth"), (2, 3, "third"), (3, 2, "draft")])
def test_from_any_mark_it_is_the_same_game(seed: int, players: int, edition: str) -> None:
    game, kept = played(seed, players, edition, 12)
    whole = folded(game)
    assert len(kept) > 8
    for one in kept[::3]:
        match = folded(game, one)
        assert mark.position(match) == mark.position(whole)
        assert match.marks == whole.marks and match.history == whole.history and match.told == whole.told
        assert list(reversed(match.history)) == list(reversed(whole.history))


def test_what_telling_looks_back_on_needs_no_fold() -> None:
    """The last player turns are in the mark, and the last totals of every seat."""
    game, kept = played(1, 4, "fourth", 14)
    whole, match = folded(game), folded(game, kept[-2])

    def never() -> list[object]:
        raise AssertionError("the whole was folded")

    match.history.before = never
    first = match.history.first
    assert 1 < first < match.number
    for entry in range(match.number, first - 1, -1):        # the last of it first: what came before is not read yet
        assert match.history.since(entry) == whole.history.since(entry)
    assert course(match) == course(whole) and len(match.history.rows) > 5
    looked = [told for told in whole.history.up_to(first + 3) if told[1].key == "points_changed"]
    assert {told[1].facts["seat"]: told for told in looked} == {
        told[1].facts["seat"]: told for told in match.history.up_to(first + 3) if told[1].key == "points_changed"}
    with pytest.raises(AssertionError, match="the whole was folded"):
        match.history.since(first - 1)


def test_data_that_were_corrected_are_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, sheet = prepared(Wanted(1, 4))
    game, will = Swift(*beginning(Wanted(1, 4), sheet.rules)), Will(rng)
    game.take(Step("amend", facts={"datum": "generals.peithon.battle", "value": 2}))
    while not mark.can_be_taken(game.match):
        assert game.match.question is not None
        game.take(will.next_step(game.g, game.match.question))
    kept = mark.read(mark.written(mark.taken(game.match)))
    monkeypatch.setattr(catalogue, "_corrected", {})
    monkeypatch.setattr("pbem.components.soundness.corrected", None)
    assert [one["value"] for one in mark.amended(kept)] == [2]
    match = folded(game, kept)
    assert match.g.facts.generals["peithon"]["battle"] == 2 and mark.has_led_there(match, kept)


def test_a_mark_that_leads_elsewhere_is_not_entered() -> None:
    game, (*_, kept) = played(1, 4, "fourth", 5)
    match = game.blank()
    mark.entered(match, kept)
    assert mark.has_led_there(match, kept)
    match.g.asked += 1
    assert not mark.has_led_there(match, kept)
    kept["question"][0] = "T1.R1.red.9"
    with pytest.raises(Exception, match="question"):
        mark.entered(game.blank(), kept)


def test_only_plain_data_come_out_of_a_mark() -> None:
    with pytest.raises(TypeError, match="no plain data"):
        mark.packed([object()])
    with pytest.raises(KeyError):
        mark.unpacked(["Popen", "ls"])
