"""Writes into each section of a translated guide which English it is of: `python scripts/make_guides.py`.

Do so when it is up to date. It names the sections that were not, so that nobody does this without having read them.
"""

from collections.abc import Iterator
from pathlib import Path

from pbem.base.paths import ENGLISH, languages, templates_dir
from pbem.telling.guide import SOURCE, digest, sections, stale


def marked(english: Path, own: Path) -> Iterator[str]:
    """The sections of a translation with what they are of."""
    for source, section in zip(*(sections(page.read_text("utf-8")) for page in (english, own)), strict=True):
        head, _, rest = SOURCE.sub("", section).partition("\n")
        yield f"{head}\n<!-- en: {digest(source)} -->\n{rest}"


if __name__ == "__main__":
    for page in sorted((templates_dir() / ENGLISH / "guide").glob("*.md")):
        for language in set(languages()) - {ENGLISH}:
            for section in stale(page.name, language):
                print(f"{language}/{page.name}: {section}")
            own = templates_dir() / language / "guide" / page.name
            own.write_text("".join(marked(page, own)), "utf-8")
