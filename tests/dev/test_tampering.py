"""Whatever is changed in a published log is found by all three checkers, where it was changed."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from pbem.chance import check, scheme, verify_min
from pbem.dev import honest, tampering
from pbem.dev.tampering import Tampered, changed_bytes, small_game, tampered
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


SEEDS = (4, 27, 293, 2)                 # 293 is held, with a beacon, and adopted; the first three are each of another edition


@pytest.fixture(scope="module")
def played() -> dict[int, Tampered]:
    return {seed: tampered(seed) for seed in SEEDS}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_three_checkers_say_the_same_of_honest_games_and_of_forgeries(seed: int, played: dict[int, Tampered]) -> None:
    assert played[seed].wrong == [] and played[seed].forgeries.total() > 5


def test_honest_games_are_of_all_kinds(played: dict[int, Tampered]) -> None:
    kinds = {kind for one in played.values() for kind in one.kinds}
    assert kinds >= {"fourth", "third", "draft", "held windows", "asked windows", "beacon", "adopted", *honest.STRANGE}


def test_what_an_adopted_deck_has_shown_is_checked_by_all_three() -> None:
    """Cards played from adopted hands are opened like any; a hand as it was sent, and its deck when the game is over."""
    game = next(one for one in map(honest.honest, (2, 11, 12, 30, 58)) if "over" in one.kinds and any(
        "openings" in entry and entry["openings"]["deck"].startswith("adopted") for entry in one.log["log"]))
    log = json.loads(scheme.canonical(game.log))
    right = {what.rpartition(" ")[0] if what.startswith("opening") else what for _, what, state in tampering.seen(log).checks
             if state == check.OK}
    assert {"opening adopted,1", "deck adopted,1"} <= right and tampering.seen(log).apart == []
    hands = [part for part in game.kept if part.get("openings", {}).get("deck") == "adopted,1"]
    assert hands and list(tampering.kept_apart(log, hands, honest=True)) == []
    shown = next(entry for entry in log["log"] if entry.get("openings", {}).get("deck") == "adopted,1")["openings"]["cards"][0]
    shown[1] = "1" if shown[1] != "1" else "2"
    forged = tampering.seen(log)
    assert forged.apart == [] and any(what.startswith("opening adopted,1") for _, what, _ in tampering.failures(forged.checks))


def test_a_count_goes_on_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [tampering.Tampered(9, ("fourth",), Counter({"a sign": 2}), Counter({"die": 1}), []),
           tampering.Tampered(5, ("draft",), Counter({"a shape": 1}), Counter({"deck": 1}), ["that one"])]
    file = tmp_path / "counts.json"
    monkeypatch.setattr(tampering, "tampered", few.__getitem__)
    monkeypatch.setattr(tampering, "in_many", map)
    seen = list[tuple[int, int]]()
    once = tampering.counted(1, file, lambda *so_many: seen.append(so_many))
    both = tampering.counted(2, file, lambda *so_many: seen.append(so_many))
    assert seen == [(1, 1), (2, 2)]
    assert (once.games, both.games, both.entries, both.wrong) == (1, 2, 14, {"1": ["that one"]})
    assert both.forgeries == Counter({"a sign": 2, "a shape": 1}) and "differ or err 1 times" in str(both)
    assert tampering.counted(2, file)._replace(seconds=0) == both._replace(seconds=0)
    few[1].wrong.clear()
    assert tampering.counted(2, file).wrong == {} and tampering.counted(2, file).games == 2


# --- verifiers that look away are found --------------------------------------------------------------------------


def test_a_verifier_that_passes_over_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check.Witnessed, "die_verdict", lambda self, roll: (check.OK, ""))
    assert any("die" in line for line in tampered(4).wrong)


def test_a_short_verifier_that_knows_every_head(monkeypatch: pytest.MonkeyPatch) -> None:
    real = verify_min.verify
    monkeypatch.setattr(verify_min, "verify", lambda log, heads=(), kept=(): (
        (at, what, right or what.startswith("head ")) for at, what, right in real(log, heads, kept)))
    assert changed_bytes([400, 500, 600]).wrong


def test_an_honest_game_found_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_min, "down", lambda game, link, steps: [b""])
    assert any("not open yet" in line for line in tampered(28, 0).wrong)        # one that ends, and opens all
