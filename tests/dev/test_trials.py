"""What a trial of a whole turn says is what the order does."""

from pbem.dev import trials


def test_a_trial_says_what_the_order_would_do() -> None:
    found = trials.whole_turns(6, seed=3)               # `pbem dev prove --only trials` tries two thousand
    assert found.failures == []
    assert found.classes.get("all of it", 0) >= 1, found.classes
