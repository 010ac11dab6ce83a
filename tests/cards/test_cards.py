"""Every card by its cases: a file for each, in the vocabulary of tests/cases/README.md."""

from pathlib import Path

import pytest

from pbem import components
from pbem.dev import cases

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
CARDS = components.facts().cards


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_cases_of_a_card_pass(file: Path) -> None:
    verdicts = cases.run([file])
    assert verdicts and all(one.verdict == "pass" for one in verdicts), cases.show(verdicts)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_about_its_card(file: Path) -> None:
    """Its name begins with the number of a card, and so does every case in it."""
    card = file.stem.partition("-")[0]
    assert card in CARDS
    assert all(str(case["id"]).startswith(f"{card}-") for case in cases.load(file))


def test_every_surprise_card_has_a_file() -> None:
    written = {file.stem.partition("-")[0] for file in FILES}
    assert {card for card, fact in CARDS.items() if fact["kind"] == "surprise"} <= written
