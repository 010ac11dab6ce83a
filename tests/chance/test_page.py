"""docs/chance.md is what others implement: its vectors are those of the program, and of the small verifier."""

import re
from pathlib import Path

from pbem.chance import receipts, scheme, verify_min

PAGE = (Path(__file__).resolve().parents[2] / "docs/chance.md").read_text("utf-8")
GAME, WORDS = "demo-1", {"blue": "", "green": "42 elephants", "red": "first snow in Pella"}
LATER = {"blue": "late rain", "green": "", "red": ""}
SECRETS = scheme.Secrets(GAME, bytes(range(32)), bytes(range(32, 64)), links=3)
CARDS = [f"c{number:02}" for number in range(1, 11)]
AGAIN = ("dice", "T1", "R2", "A3", "intercept", "red")


def test_the_vectors_of_the_page_come_out():
    lines = [line.strip("| ") for line in PAGE.partition("## 13")[2].splitlines() if line.startswith("| ")][1:]
    rows = [line.rsplit(" | ", 1) for line in lines if "receipt" not in line and not line.startswith("its code")]
    mixed = scheme.entropy(GAME, WORDS)
    once = scheme.fresh(mixed, GAME, LATER)
    key, late = scheme.dice_key(SECRETS.link(1), GAME, mixed, 1), scheme.late_dice_key(SECRETS.link(2), GAME, once, 2)
    deck_key, late_deck = scheme.deck_key(SECRETS.deck, GAME, mixed), scheme.late_deck_key(SECRETS.deck, GAME, once)
    deck = scheme.Deck.shuffled(deck_key, GAME, ("main", "1"), CARDS)
    again = scheme.Deck.shuffled(late_deck, GAME, ("main", "1", "2"), CARDS)
    stated = scheme.Deck(deck_key, GAME, ("adopted", "3"), ["c05", "c01", "c03"])
    shown = {"b": [1, -2, None, '"\\\n\x7f é \U0001f418'], "a": {"10": 1, "9": 0}}
    first = scheme.first_head(GAME, {"game": GAME})
    assert [value.strip("`") for _, value in rows] == [
        *SECRETS.commitments().values(), SECRETS.link(1).hex(), mixed.hex(), key.hex(), deck_key.hex(),
        *(", ".join(map(str, scheme.dice(key, GAME, (*AGAIN, attempt), 2))) for attempt in "12"),
        " ".join(deck.cards), deck.opening(0).salt.hex(), deck.root.hex(),
        once.hex(), scheme.fresh(once, GAME, LATER).hex(), late.hex(),
        ", ".join(map(str, scheme.dice(late, GAME, (*AGAIN, "1"), 2))), late_deck.hex(),
        " ".join(again.cards), again.root.hex(), stated.root.hex(), stated.opening(1).salt.hex(),
        scheme.H(scheme.canonical(shown)).hex(), first.hex(), scheme.head(first, scheme.canonical({"note": "hello"})).hex()]


def test_the_labels_of_the_page_are_those_of_both_programs():
    """Whoever types a label wrong gets other numbers: each one stands on the page, and in the small verifier where it looks."""
    labels = set(re.findall(r"pbem/[a-z-]+/\d", PAGE))
    ours = {label for module in (scheme, receipts)
            for label in re.findall(r"pbem/[a-z-]+/\d", Path(module.__file__).read_text("utf-8"))}
    assert labels | {"pbem/receipt-salt/2"} == ours         # which only its giver has to make again
    assert set(re.findall(r"pbem/[a-z-]+/\d", Path(verify_min.__file__).read_text("utf-8"))) <= labels
