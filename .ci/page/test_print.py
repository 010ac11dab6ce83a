"""The pages for players on paper: Chromium prints the guide on two sheets at most, the card on one, in every language."""

import re
import subprocess
from pathlib import Path

import pytest

from pbem.base.paths import languages
from pbem.telling.guide import CARD, PLAYER, as_html, page

SHEETS = {PLAYER: 2, CARD: 1}


@pytest.mark.parametrize("topic", SHEETS)
@pytest.mark.parametrize("language", languages())
def test_a_page_fits_its_sheets(topic: str, language: str, tmp_path: Path) -> None:
    html, pdf = tmp_path / "page.html", tmp_path / "page.pdf"
    html.write_text(as_html(page(topic, language), language, topic), "utf-8")
    subprocess.run(["/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                    f"--print-to-pdf={pdf}", html.as_uri()], capture_output=True, check=True)
    (count,) = re.findall(rb"/Count (\d+)", pdf.read_bytes())
    assert 1 <= int(count) <= SHEETS[topic]
