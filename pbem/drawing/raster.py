"""The picture as PNG, with the fonts of the package and none of the system: the same bytes on every machine.

resvg and Pillow come with the extra `png`; without them the SVG is what there is.
"""

from io import BytesIO

from pbem.base.errors import PbemError
from pbem.base.paths import data_dir

COLOURS = (64, 48, 32)          # enough for tints, hatches and soft edges; fewer only where a mail would be too heavy
HEAVY = 250_000                 # bytes


def png(svg: str, width: int) -> bytes:
    """The drawing, so many pixels wide."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise PbemError("no_png") from None
    fonts = [str(path) for path in sorted((data_dir() / "drawing").glob("*.ttf"))]
    made = resvg_py.svg_to_bytes(svg_string=svg, font_files=fonts, skip_system_fonts=True, width=width)
    painted = Image.open(BytesIO(made)).convert("RGB")
    for colours in COLOURS:
        out = BytesIO()
        few = painted.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(out, "PNG", compress_level=6)
        if out.tell() <= HEAVY:
            break
    return out.getvalue()
