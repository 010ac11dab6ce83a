"""Whole random games on other boxes than ours: filled into the form, checked, loaded, played to the end, verified, reported."""

from pathlib import Path

import pytest
from any_box import OURS, any_box

from pbem.base.paths import languages
from pbem.components import box, form
from pbem.components.schema import BY_RULING
from pbem.desk import showing
from pbem.desk.desk import Desk
from pbem.dev.games import Wanted, whole_game
from pbem.play import verify

SEEDS = range(4)


def filled(seed: int) -> box.Box:
    return box.judged(form.written(any_box(seed), OURS, confirmed=lambda datum: True, by="Anna", on="2026-11-20"))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_whole_game_is_played_on_any_box(seed: int, tmp_path: Path) -> None:
    found = filled(seed)
    assert found.faults == [] and sum(c["effect_key"] == BY_RULING for c in found.tree["cards"].values()) > 9
    folder = tmp_path / "g" if seed == 0 else None
    played = whole_game(Wanted(seed, 2 + seed % 4, folder=str(folder or ""), box=found.header()))
    assert played.met.wrong == [], played.met.trace
    if folder is not None:
        desk = Desk(folder)
        assert [one.what for one in verify.verify(folder) if one.state == "failed"] == []
        for language in languages():
            desk.language = language
            assert desk.match.g.facts.spaces.keys() == found.tree["spaces"].keys() and showing.report(desk, "public", 1, "md")
