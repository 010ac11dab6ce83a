"""The fonts of the drawing, and their widths: made once, the result is kept in pbem/data/drawing.

    npm pack @fontsource/fira-sans-condensed@5.3.0 && tar xzf fontsource-fira-sans-condensed-5.3.0.tgz
    pip install fonttools
    python scripts/make_font.py package /usr/share/fonts/truetype/dejavu

Fira Sans Condensed (OFL-1.1) comes in one file an alphabet; they are put together, without kerning, so that a text is as
wide as the sum of its letters. What Fira has no letters for (Hebrew, Arabic and their kin) is taken from DejaVu Sans
Condensed, in a file of its own.
"""

import json
import sys
from pathlib import Path

from fontTools import merge, subset
from fontTools.ttLib import TTFont

DATA = Path(__file__).resolve().parents[1] / "pbem/data/drawing"
FACES = {"regular": "400-normal", "bold": "600-normal", "italic": "400-italic"}
ALPHABETS = ("latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext")
OTHERS = [
    *range(0x590, 0x600),
    *range(0x600, 0x700),
    *range(0xFB1D, 0xFB50),
    *range(0xFB50, 0xFDFE),
    *range(0xFE70, 0xFEFD),
    *range(0x1F00, 0x2000),
    *range(0x10A0, 0x1100),
    *range(0x530, 0x590),
    *range(0x2190, 0x2200),
]


def bare(font, unicodes=None):
    """Outlines and widths, the joining of letters where a script needs it, and nothing else."""
    options = subset.Options(
        layout_features=["ccmp", "init", "medi", "fina", "isol", "rlig"],
        hinting=False,
        name_IDs=[0, 1, 2, 4, 6, 13, 14],
        notdef_outline=True,
    )
    shaper = subset.Subsetter(options)
    shaper.populate(unicodes=unicodes if unicodes is not None else list(font.getBestCmap()))
    shaper.subset(font)
    for table in ("GPOS", "kern", "DSIG", "FFTM", "GDEF") if unicodes is None else ("GPOS", "kern", "FFTM"):
        if table in font:
            del font[table]
    if unicodes is None and "GSUB" in font:
        del font["GSUB"]
    font.flavor = None
    return font


def widths(font):
    scale, metrics = font["head"].unitsPerEm, font["hmtx"]
    return {chr(code): round(metrics[glyph][0] * 1000 / scale) for code, glyph in sorted(font.getBestCmap().items())}


def main(fira, dejavu):
    measured = {}
    for face, file in FACES.items():
        parts = []
        for alphabet in ALPHABETS:
            path = DATA / f".{alphabet}.ttf"
            bare(TTFont(fira / "files" / f"fira-sans-condensed-{alphabet}-{file}.woff")).save(path)
            parts.append(path)
        font = merge.Merger().merge([str(path) for path in parts])
        for path in parts:
            path.unlink()
        for name in font["name"].names:
            if name.nameID in (1, 16):
                name.string = "Fira Sans Condensed"
        font["OS/2"].usWeightClass = 700 if face == "bold" else 400
        font["head"].macStyle = {"regular": 0, "bold": 1, "italic": 2}[face]
        font["OS/2"].fsSelection = {"regular": 64, "bold": 32, "italic": 1}[face]
        font["head"].modified = font["head"].created
        font.recalcTimestamp = False
        font.save(DATA / f"fira-{face}.ttf")
        measured[face] = widths(font)
    other = bare(TTFont(dejavu / "DejaVuSansCondensed.ttf"), OTHERS)
    other["head"].modified = other["head"].created
    other.recalcTimestamp = False
    other.save(DATA / "dejavu-others.ttf")
    extra = widths(other)
    for face in measured:
        measured[face] = {**extra, **measured[face]}
    usual = measured["regular"]
    short = {
        "regular": usual,
        **{
            face: {letter: width for letter, width in measured[face].items() if usual.get(letter) != width}
            for face in ("bold", "italic")
        },
    }
    (DATA / "widths.json").write_text(json.dumps(short, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    for face in FACES:
        print(face, len(measured[face]), (DATA / f"fira-{face}.ttf").stat().st_size)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
