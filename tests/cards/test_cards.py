"""Every card by its cases: a file for each, in the vocabulary of tests/cases/README.md."""

from pathlib import Path
from types import ModuleType

import pytest

from pbem import cards
from pbem.base.language import sentences
from pbem.cards import EFFECTS
from pbem.components import catalogue
from pbem.components.schema import BY_RULING
from pbem.dev import cases

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
CARDS = catalogue.facts().cards


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


def test_every_card_has_a_file() -> None:
    assert {file.stem.partition("-")[0] for file in FILES} == CARDS.keys()


def test_every_card_has_a_function_and_every_function_a_card() -> None:
    """6.2 A A card without its event, or an event that no card calls, is noticed before anybody plays."""
    assert {fact["effect_key"] for fact in CARDS.values()} | {BY_RULING} == set(EFFECTS)     # that one is for any box


def test_no_effect_is_written_twice() -> None:
    """Of two with one key the later would silently take the place of the earlier."""
    tables = [one.EFFECTS for one in vars(cards).values() if isinstance(one, ModuleType) and hasattr(one, "EFFECTS")]
    assert len(tables) == 11 and sum(map(len, tables)) == len(EFFECTS)


def test_a_card_that_nobody_has_read_says_so() -> None:
    assert {card for card, fact in CARDS.items() if fact["stand_in"]} == {
        "10", "43", "44", "45", "46", "O63", "O65", "O66", "O67", "O69"}


@pytest.mark.parametrize("card", [card for card, fact in CARDS.items() if fact["kind"] != "surprise" and not fact["optional"]])
def test_what_a_card_needs_can_be_said(card: str) -> None:
    """An event that may be refused for want of a target has words for what it needs."""
    choosing = bool(CARDS[card]["preconditions"]) and CARDS[card]["effect_key"] not in WITHOUT_TARGET
    assert not choosing or CARDS[card]["effect_key"] in sentences("en", "terms")["needs"]


# These refuse by rules of their own: a Fleet that is one's own already, a bride that is dead.
WITHOUT_TARGET = ("gain_fleet", "marriage")
