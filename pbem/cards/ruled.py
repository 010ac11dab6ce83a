"""Cards that the moderator plays: what is printed on them is said, and he decides what comes of it by one ruling (6.2 A)."""

from collections.abc import Callable

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import battle, windows
from pbem.rules.effects import Card, Effects
from pbem.rules.war import MODERATOR
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
    g.ruled.discard(order.card)
    yield lambda: ruling_question(g, seat, order.card)
    g.ruled.discard(order.card)


def ruling_question(g: Game, seat: str, card: str) -> Question | None:
    """What comes of the card? A ruling answers, whatever facts and totals it states."""
    if card in g.ruled:
        return None

    def read(side: str, answer: object) -> object:
        raise Refused("6.2A", "card_ruling_needed", card=card)

    return Ask(MODERATOR, "card_ruling", "6.2A", read=read, candidates=lambda side: iter(()), default=None,
               about={"card": card, "seat": seat, "says": str(g.facts.cards[card]["params"]["says"])})


EFFECTS["by_ruling"] = Card(judge_by_ruling, by_ruling, targets.nothing_to_choose)
