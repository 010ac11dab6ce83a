"""Writes templates/layouts/mail.styles.json from mail.css beside it: for each class what an element of it says of itself.

Mail programs drop style sheets, so each element carries its own style. css-inline (`pip install 'pbem[dev]'`) works that out
when the package is built, never when a mail is written: `python scripts/make_mail.py`. What `@media` says is kept for the head.
"""

import json
import re
from pathlib import Path

import css_inline

LAYOUTS = Path(__file__).parents[1] / "templates/layouts"
MEDIA = "@media"


def styles(sheet: str) -> dict[str, str]:
    """By class; under `@media` what goes into the head."""
    plain = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    rules, media = plain[:plain.index(MEDIA)], plain[plain.index(MEDIA):]
    names = re.findall(r"^\.([a-z]+)", rules, re.MULTILINE)
    page = "".join(f'<p class="{name}">{name}</p>' for name in names)
    inlined = css_inline.inline(f"<html><head><style>{rules}</style></head><body>{page}</body></html>")
    found = dict(re.findall(r'<p class="([a-z]+)" style="([^"]*)">', inlined))
    return {**{name: found[name].replace("&quot;", "'") for name in names}, MEDIA: " ".join(media.split())}


def written() -> str:
    return json.dumps(styles((LAYOUTS / "mail.css").read_text("utf-8")), indent=1) + "\n"


if __name__ == "__main__":
    (LAYOUTS / "mail.styles.json").write_text(written(), "utf-8")
