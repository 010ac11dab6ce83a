"""The books for people say what the program says."""

from pathlib import Path

import pytest
from walked import BLOCK, PAGES, walked

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", PAGES)
def test_every_output_of_a_book_is_what_the_program_says(page: str, tmp_path: Path) -> None:
    """`python tests/test_docs.py` writes them anew."""
    text = (ROOT / page).read_text("utf-8")
    assert BLOCK.search(text) and walked(text, tmp_path) == text
