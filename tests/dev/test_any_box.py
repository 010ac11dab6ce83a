"""Whole random games on other boxes than ours: filled into the form, checked, loaded, played to the end, verified, reported.

`pbem dev prove --only boxes` plays five hundred.
"""

import pytest

from pbem.components.schema import BY_RULING
from pbem.dev.boxes import any_box, box_game


@pytest.mark.parametrize("seed", (11, 22))      # an Army in a Province of its own; no card that others ask for
def test_a_whole_game_is_played_on_any_box(seed: int) -> None:
    assert box_game(seed) == []


def test_a_drawn_box_has_cards_that_the_moderator_plays() -> None:
    assert all(sum(card["effect_key"] == BY_RULING for card in any_box(seed)["cards"].values()) > 9 for seed in range(9))

