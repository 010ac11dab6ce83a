"""Data as a text for a script: packed as small as the standard library can, in signs that stand as they are in any script.

The page has a decoder of its own (data/page/lzma.js): not every browser has one, and theirs pack worse.
"""

import json
import lzma
import re
from typing import Any

PACKER = {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 23, "lc": 3, "lp": 0, "pb": 0, "nice_len": 273, "mf": lzma.MF_BT4,
          "mode": lzma.MODE_NORMAL}
SIGNS = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"<\\')      # 91 of them: two hold thirteen bits
BITS = 13
TYPES = re.compile(r"/\*\*.*?\*/", re.DOTALL)


def stripped(text: str) -> str:
    """Scripts without what only readers of them want."""
    lines = [line.strip() for line in TYPES.sub("", text).splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def packed(data: Any) -> tuple[str, int]:
    """The text, and how many bytes it stands for."""
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return text(lzma.compress(plain, format=lzma.FORMAT_RAW, filters=[PACKER])), len(plain)


def text(data: bytes) -> str:
    """Two signs for every thirteen bits; what is wanting at the end is filled up."""
    rest = -8 * len(data) % BITS
    whole, many = int.from_bytes(data, "big") << rest, (8 * len(data) + rest) // BITS
    pairs = [f"{SIGNS[value // 91]}{SIGNS[value % 91]}" for value in digits(whole, many)]
    return "".join(pairs)


def digits(whole: int, many: int) -> list[int]:
    """Thirteen bits at a time, from the left; halved again and again, for a number so long is slow to cut from one end."""
    if many <= 64:
        return [whole >> BITS * place & (1 << BITS) - 1 for place in reversed(range(many))]
    low = many // 2
    return digits(whole >> BITS * low, many - low) + digits(whole & (1 << BITS * low) - 1, low)
