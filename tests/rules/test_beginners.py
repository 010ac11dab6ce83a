"""The wrong orders that beginners send: each is refused by the rule that forbids it, and hears when it would be allowed."""

from pathlib import Path

from pbem.base.language import sentences
from pbem.dev import cases
from pbem.rules import burial, founding, sequence, surrender, tyche
from pbem.rules.acts import SEGMENTS_OF

FILE = Path(__file__).parents[1] / "cases/beginners-4e.yaml"


def test_a_hundred_wrong_orders_are_refused_by_their_rule() -> None:
    verdicts = cases.run([FILE])
    assert len(verdicts) >= 100
    lost = [one for one in verdicts if one.verdict != "pass"]
    assert not lost, cases.show(lost)


def test_each_names_the_refusal_it_means() -> None:
    for case in cases.load(FILE):
        (wanted,) = case["then"]
        assert wanted["refused"] == case["rule"] and wanted["key"] in sentences("en", "refusals"), case["id"]


def test_an_order_in_another_segment_is_told_its_time() -> None:
    """6.1 to 6.4 What a segment knows is said to belong to it; marches in the Tyche Segment are those of a card (6.2 B1)."""
    acts = {"surrender": [*surrender.ACTS, *founding.ACTS], "tyche": [*tyche.PLAYS, *tyche.SPENDINGS],
            "activation": [*sequence.ACTIVATION_ACTS], "forage": [*burial.ACTS]}
    found = {verb: tuple(segment for segment in acts if verb in acts[segment]) for verbs in acts.values() for verb in verbs}
    assert found == SEGMENTS_OF
