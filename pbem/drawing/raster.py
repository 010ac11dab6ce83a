"""The picture as PNG, with the fonts of the package and none of the system: the same bytes on every machine.

resvg and Pillow come with the extra `png`; without them the SVG is what there is.
"""

from io import BytesIO

from pbem.base.errors import PbemError
from pbem.base.paths import data_dir
from pbem.drawing.palette import PAINTED

MAILED = 1600                   # pixels of a picture in a mail
HEAVY = 250_000                 # bytes: what a mail may carry
SHARES = (1.0, 0.9, 0.8)        # of the width of a mail, where the whole would be too heavy


def png(svg: str, width: int) -> bytes:
    """The drawing, so many pixels wide, in its own colours; for a mail smaller where it would be too heavy."""
    try:
        from PIL import Image
        from resvg import render, usvg
    except ImportError:
        raise PbemError("no_png") from None
    options = usvg.Options.default()
    for font in sorted((data_dir() / "drawing").glob("*.ttf")):
        options.load_font_file(str(font))
    tree = usvg.Tree.from_str(svg, options)
    wide, high = tree.int_size()
    few = Image.new("P", (1, 1))
    few.putpalette(b"".join(map(three, PAINTED)))
    for share in SHARES:
        scale = share * width / wide
        made = render(tree, (scale, 0, 0, 0, scale, 0), bg_size=(round(wide * scale), round(high * scale)))
        out = BytesIO()
        painted = Image.open(BytesIO(made)).convert("RGB").quantize(palette=few, dither=Image.Dither.NONE)
        painted.save(out, "PNG", compress_level=6)
        if width > MAILED or out.tell() <= HEAVY:
            break
    return out.getvalue()


def three(colour: str) -> bytes:
    """Red, green and blue of a colour as the drawing writes it."""
    digits = colour.lstrip("#")
    return bytes.fromhex(digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))
