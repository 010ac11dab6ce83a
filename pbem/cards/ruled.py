"""Cards that the moderator plays: what is printed on them is said, and he decides what comes of it by one ruling (6.2 A)."""

from collections.abc import Callable

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import Procedure
from pbem.orders import Order
from pbem.rules import battle, ruled, windows
from pbem.rules.effects import Card, Effects
from pbem.table.state import Game

EFFECTS: Effects = {}


def judge_any_time(g: Game, seat: str, card: str) -> None:
    """Whenever one likes, in a Strategy Phase."""


def judge_battle(g: Game, seat: str, card: str) -> None:
    battle.judge_card(g, seat, card)


# The moment that the card names -> is it now?
MOMENTS: dict[str, Callable[[Game, str, str], None]] = {
    "own_tyche_segment": judge_any_time, "any_time_strategy_phase": judge_any_time, "before_land_battle": judge_battle,
    "when_general_killed": windows.judge_death,
}


def judge_by_ruling(g: Game, seat: str, order: Order) -> Order:
    """6.2 A In one of the moments that the card names; on what, its player tells the moderator."""
    refusals = []
    for moment in g.facts.cards[order.card]["timing"]:
        try:
            MOMENTS[moment](g, seat, order.card)
        except Refused as refused:
            refusals.append(refused)
        else:
            return targets.played(order)
    raise refusals[0]


def by_ruling(g: Game, seat: str, order: Order) -> Procedure[None]:
    """6.2 A Everything stops until the moderator has ruled on it."""
    return ruled.awaited(g, seat, str(g.facts.cards[order.card]["params"]["says"]), card=order.card)


EFFECTS["by_ruling"] = Card(judge_by_ruling, by_ruling, targets.nothing_to_choose)
