"""Who is who has to be told apart by every eye, on grey paper, and without any colour."""

from itertools import combinations

import pytest
from coloraide import Color

from pbem.base.paths import languages
from pbem.components.catalogue import facts
from pbem.components.schema import FACTIONS
from pbem.drawing.palette import COLOUR, EDGE, HATCH, INK, TINT
from pbem.drawing.plot import DASHES
from pbem.drawing.voice import Voice
from pbem.orders.names import Names
from pbem.telling.words import Words

SIDES = [*FACTIONS, "independent"]
PAIRS = list(combinations(SIDES, 2))


@pytest.mark.parametrize(("eye", "least"), [("protan", 12), ("deutan", 12), ("tritan", 12), ("grayscale", 7)])
def test_every_pair_of_colours_is_told_apart(eye: str, least: float) -> None:
    seen = {side: Color(COLOUR[side]).filter(eye) for side in SIDES}
    near = min((seen[a].delta_e(seen[b], method="2000"), a, b) for a, b in PAIRS)
    assert near[0] >= least, near


def test_the_old_sketch_fails_this_measure() -> None:
    red, green = (Color(one).filter("deutan") for one in ("#b3261e", "#2f7d32"))
    assert red.delta_e(green, method="2000") < 12


@pytest.mark.parametrize("side", ["", *SIDES])
def test_ink_can_be_read_on_its_colour(side: str) -> None:
    assert Color(COLOUR[side]).contrast(INK[side], method="wcag21") >= 4.5


@pytest.mark.parametrize("side", ["", *SIDES])
def test_names_can_be_read_on_every_tint(side: str) -> None:
    assert Color(TINT[side]).contrast("#1a1a1a", method="wcag21") >= 7
    assert Color(TINT[side]).contrast("#4a3410", method="wcag21") >= 4.5


@pytest.mark.parametrize("side", SIDES)
def test_borders_and_hatches_show_on_their_tint_for_every_eye(side: str) -> None:
    for eye in ("protan", "deutan", "tritan", "grayscale"):
        edge, tint = (Color(one[side]).filter(eye) for one in (EDGE, TINT))
        assert edge.contrast(tint, method="wcag21") >= 2, eye


def test_no_colour_stands_alone() -> None:
    assert len({HATCH[side] for side in SIDES}) == len(SIDES)
    assert len(set(DASHES)) == len(FACTIONS)
    for language in languages():
        voice = Voice(Words(language, Names(facts(), {}), facts()), "fourth")
        assert len({voice.letter(side) for side in SIDES}) == len(SIDES), language
