"""Nobody is ever stuck: where the "must" of one rule meets the "may not" of another everybody can still go on."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pbem import editions
from pbem.base.errors import Refused
from pbem.dev.play import stuck
from pbem.dev.tight import SCENES, walked
from pbem.kernel.procedures import Ask
from pbem.orders import Order
from pbem.rules import activation, marching, reinforcements

SEEDS = range(100)


@pytest.mark.parametrize("edition", editions.EDITIONS)
@pytest.mark.parametrize("scene", SCENES)
def test_everybody_can_go_on_from_tight_positions(scene: str, edition: str) -> None:
    assert [found for seed in SEEDS if (found := walked(seed, edition, scene))] == []


def test_they_meet_what_they_are_drawn_for() -> None:
    told: Counter[str] = Counter()
    assert not [found for seed in range(600) if (found := walked(seed, told=told))]
    assert {"passage_honoured", "must_go_on", "embarked", "returned_to_port", "intercepted", "evaded",
            "stays_beside"} <= told.keys()


WRONG: list[tuple[str, Any, str, Callable[..., Any]]] = [
    ("march", activation, "can_go_on", lambda g: True),                             # R15
    ("march", activation, "may_land", lambda g: True),                              # R16
    ("march", marching, "departures", lambda g, seat: iter(())),
    ("placing", reinforcements, "smallest", lambda due: 1),                         # R17
]


@pytest.mark.parametrize(("scene", "module", "name", "wrong"), WRONG, ids=[name for _, _, name, _ in WRONG])
def test_they_notice_rules_under_which_somebody_is_stuck(
        scene: str, module: Any, name: str, wrong: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, name, wrong)

    def is_lost(seed: int) -> bool:
        try:
            return bool(walked(seed, scene=scene))
        except (StopIteration, RuntimeError):               # nothing at all can be answered
            return True

    assert any(is_lost(seed) for seed in range(800))


def test_whose_silence_means_what_he_may_not_do_is_found() -> None:
    def refused(side: str, answer: Order) -> Order:
        raise Refused("9.1", "nobody_active")

    fine, lost = (Ask("red", "activation", "6.3", about={}, read=read, candidates=lambda side: iter(()), default=Order("end"))
                  for read in (lambda side, answer: answer, refused))
    assert [len(list(stuck(one))) for one in (fine, lost)] == [0, 1]
