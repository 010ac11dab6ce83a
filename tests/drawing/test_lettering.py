"""What is measured is what is painted: widths against the fonts themselves, and no letter without a glyph."""

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from pbem.base.language import sentences
from pbem.base.paths import data_dir, languages
from pbem.drawing.lettering import cut, wide

FONTS = data_dir() / "drawing"
OTHERS = TTFont(FONTS / "dejavu-others.ttf")


def font(face: str) -> TTFont:
    return TTFont(FONTS / f"fira-{face}.ttf")


@pytest.mark.parametrize("face", ["regular", "bold", "italic"])
def test_widths_are_those_of_the_shipped_fonts(face: str) -> None:
    for shipped in (OTHERS, font(face)):
        cmap, metrics, scale = shipped.getBestCmap(), shipped["hmtx"], shipped["head"].unitsPerEm
        strange = {
            chr(code) for code, glyph in cmap.items() if abs(wide(chr(code), 1000, face) - metrics[glyph][0] * 1000 / scale) > 1
        }  # type: ignore[arg-type]
        known = font(face).getBestCmap()
        assert not {letter for letter in strange if shipped is not OTHERS or ord(letter) not in known}


@pytest.mark.parametrize("face", ["regular", "bold", "italic"])
def test_no_pair_of_letters_moves_together(face: str) -> None:
    shipped = font(face)
    assert not {"GPOS", "kern", "GSUB"} & set(shipped.keys())


@pytest.mark.parametrize("language", languages())
def test_every_letter_of_every_language_has_a_glyph(language: str) -> None:
    said = "".join(str(sentences(language, file)) for file in ("drawing", "terms"))
    for face in ("regular", "bold", "italic"):
        known = font(face).getBestCmap().keys() | OTHERS.getBestCmap().keys()
        assert not {letter for letter in said if ord(letter) not in known and not letter.isspace()}


def test_letters_of_other_scripts_are_there() -> None:
    known = OTHERS.getBestCmap().keys()
    assert all(ord(letter) in known for letter in "שלוםسلام")


def test_what_is_too_long_is_cut_to_its_room() -> None:
    assert cut("Pella", 100, 12) == "Pella"
    short = cut("W" * 60, 100, 12)
    assert short.endswith("…") and wide(short, 12) <= 100


def test_licences_go_with_the_fonts() -> None:
    assert "SIL Open Font License" in (FONTS / "OFL-fira-sans.txt").read_text()
    assert "Bitstream Vera" in (FONTS / "LICENSE-dejavu.txt").read_text(encoding="utf-8")
    assert {path.name for path in Path(FONTS).glob("*.ttf")} == {
        "fira-regular.ttf",
        "fira-bold.ttf",
        "fira-italic.ttf",
        "dejavu-others.ttf",
    }
