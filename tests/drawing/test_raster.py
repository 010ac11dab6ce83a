"""The PNG: the same bytes again, no letter missing, small enough for a mail; and a kind word without the extra."""

import re
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pbem.base.errors import PbemError
from pbem.dev.pictures import positions
from pbem.drawing import raster
from pbem.drawing.drawn import drawn, plotted
from pbem.drawing.palette import COLOUR, LAND, PAINTED, PAPER, SEA, TINT
from pbem.drawing.svg import FAMILY, text
from pbem.telling.words import Words

KEPT = Path(__file__).parents[1] / "log/kept"


@pytest.fixture(scope="module")
def svg() -> str:
    match, _ = list(positions(KEPT / "five.yaml.gz", 2))[-1]
    return drawn(match, Words("en", match.names, match.g.facts), title="five", head="0" * 64).svg


def test_a_png_is_the_same_again_and_fits_into_a_mail(svg: str) -> None:
    made = raster.png(svg, 1600)
    assert made == raster.png(svg, 1600) and len(made) <= 250_000
    assert Image.open(BytesIO(made)).size[0] == 1600
    assert Image.open(BytesIO(raster.png(svg, 800))).size[0] == 800


def test_a_part_of_the_board_fills_its_picture() -> None:
    match, _ = list(positions(KEPT / "five.yaml.gz", 2))[-1]
    made = drawn(match, Words("en", match.names, match.g.facts), focus=("province", "lydia")).svg
    _, _, width, height = (float(one) for one in re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', made)[0])
    painted = Image.open(BytesIO(raster.png(made, 800))).convert("RGB")
    assert painted.size == (800, round(800 * height / width))
    assert all(painted.getpixel((x, painted.size[1] - 2)) == tuple(raster.three(PAPER)) for x in (1, 400, 798))


def test_a_picture_that_is_too_heavy_for_a_mail_is_a_little_smaller(svg: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "HEAVY", len(raster.png(svg, 1600)) - 1)
    assert Image.open(BytesIO(raster.png(svg, 1600))).size[0] == 1440
    assert Image.open(BytesIO(raster.png(svg, 1700))).size[0] == 1700


def test_every_colour_of_a_drawing_is_in_its_png(svg: str) -> None:
    used = set(re.findall(r'"(#[0-9a-f]+)"', svg))
    assert len(used) > 25 and used <= set(PAINTED)
    painted = Image.open(BytesIO(raster.png(svg, 1600))).convert("RGB").getcolors()
    assert {raster.three(one) for one in (SEA, LAND, COLOUR["red"], TINT["blue"])} <= {bytes(one) for _, one in painted}


def test_letters_are_painted_from_the_shipped_fonts() -> None:
    def ink(said: str) -> int:
        page = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40" font-family="{FAMILY}">'
        made = raster.png(f'{page}<rect width="200" height="40" fill="#fff"/>{text(5, 20, said, 20)}</svg>', 200)
        return sum(value < 128 for value in Image.open(BytesIO(made)).convert("L").tobytes())

    assert ink("") == 0
    assert all(ink(said) > 60 for said in ("Pella", "Пелла", "Πέλλα", "שלום", "سلام"))


def test_the_plot_has_a_line_for_every_seat() -> None:
    match, _ = list(positions(KEPT / "five.yaml.gz", 2))[-1]
    made = plotted(match, Words("de", match.names, match.g.facts), title="five")
    assert all(f'data-line="{what} {seat}"' in made.svg for what in ("VP", "L") for seat in match.seats)
    assert len(raster.png(made.svg, 900)) < 100_000


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    with pytest.raises(PbemError) as refused:
        raster.png("<svg/>", 100)
    assert refused.value.key == "no_png"
