"""Whatever is changed in a published log is found by both verifiers, where it was changed."""

import re
from random import Random

import pytest

from pbem.chance import check, verify_min
from pbem.dev import tampering
from pbem.dev.tampering import changed_bytes, small_game, verified_game
from pbem.log import gamelog

# Everything in a log that somebody might want to be otherwise.
SPANS = {
    "promises": r"(?:deck|dice): [0-9a-f]{64}", "words": r"words:.*",
    "dice": r"dice: \[\[.*?\]\]", "deck": r"deck: \{name.*?\}",
    "an order": r"do: \"march.*?\"", "answers": r"answers: \{.*?\}", "the hash of a position": r"now: .*?\}",
    "an undo": r"undo: .*?\}", "a written position": r"turn_end: .*?champions", "openings": r"openings: .*",
    "a link": r"open: \{epoch: .*?\}", "the deck secret": r"deck_secret: .*?\}",
}


@pytest.fixture(scope="module")
def text() -> str:
    desk = small_game()
    lines = "".join(f"- {gamelog.dump_entry(entry)}\n" for entry in desk.game.entries)
    return gamelog.yamlfile.dump_file(dict(desk.game.header), width=110) + "log:  # all of it\n" + lines


@pytest.mark.parametrize("what", SPANS)
def test_no_byte_can_be_changed_where_it_means_something(text: str, what: str) -> None:
    spans = list(re.finditer(SPANS[what], text))
    assert spans
    places = [len(text[:at].encode()) for span in spans for at in range(*span.span())]
    done = changed_bytes(Random(what).sample(places, min(160, len(places))))
    assert done.wrong == []
    assert done.idle.keys() <= {"a blank"}
    assert done.found > 0


def test_what_may_be_changed_is_how_a_log_looks(text: str) -> None:
    """Blanks that become line breaks, and comments: nobody's head of the log is another one for them."""
    done = changed_bytes([at for at, sign in enumerate(text.encode()) if sign in b" #\n" or at % 9 == 0])
    assert done.wrong == []
    assert done.idle.keys() == {"a blank", "a comment", "the end of a line"}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_both_verifiers_agree_on_random_games_and_on_forgeries(seed: int) -> None:
    assert verified_game(seed) == []


# --- verifiers that look away are found --------------------------------------------------------------------------


def test_a_verifier_that_passes_over_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check.Witnessed, "die_verdict", lambda self, roll: (check.OK, ""))
    assert any("die" in line for seed in range(3) for line in verified_game(seed))


def test_a_short_verifier_that_knows_every_head(monkeypatch: pytest.MonkeyPatch) -> None:
    real = verify_min.verify
    monkeypatch.setattr(verify_min, "verify", lambda log, heads=(): (
        (at, what, right or what.startswith("head ")) for at, what, right in real(log, heads)))
    assert changed_bytes([400, 500, 600]).wrong


def test_an_honest_game_found_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_min, "down", lambda game, link, steps: [b""])
    assert any("link" in line for line in tampering.verified_game(3))          # one that ends
