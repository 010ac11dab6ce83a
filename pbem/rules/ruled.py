"""What no rule plays: the moderator rules on it, and may have dice thrown or a player asked before he does (6.2 A)."""

from collections.abc import Sequence

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules.war import MODERATOR
from pbem.table.events import ALL
from pbem.table.state import Game


def awaited(g: Game, seat: str, says: str, *, card: str = "", general: str = "") -> Procedure[None]:
    """Everything stops until the moderator has ruled on a card, or on the ability of a General."""
    g.ruled.discard(card or general)
    yield lambda: question(g, seat, says, card, general)
    g.ruled.discard(card or general)


def question(g: Game, seat: str, says: str, card: str, general: str) -> Question | None:
    """What comes of it? A ruling answers, whatever facts and totals it states."""
    if (card or general) in g.ruled:
        return None

    def read(side: str, answer: object) -> object:
        raise Refused("6.2A", "card_ruling_needed", card=card, general=general)

    return Ask(MODERATOR, "card_ruling", "6.2A", read=read, candidates=lambda side: iter(()), default=None,
               about={"card": card, "general": general, "seat": seat, "says": says})


def settles(g: Game, question: Question | None) -> None:
    """A ruling that decides something answers what waits for one."""
    if question is not None and question.kind == "card_ruling":
        g.ruled.add(question.about["card"] or question.about["general"])


# --- what a ruling may ask for -----------------------------------------------------------------------------------


def throw(g: Game, count: int) -> None:
    """Dice for whatever the moderator will make of them."""
    thrown = [g.roll("ruling") for _ in range(count)]
    if thrown:
        g.tell(ALL, "ruling_rolled", dice=[die for die, _ in thrown], names=[name for _, name in thrown])


def choice(g: Game, seat: str, text: str, choices: Sequence[str]) -> Procedure[None]:
    """A player chooses, before the moderator decides what comes of it."""
    answer = yield lambda: choice_question(seat, text, choices)
    g.tell(ALL, "ruling_chosen", seat=seat, number=answer.number, choice=choices[answer.number - 1])


def choice_question(seat: str, text: str, choices: Sequence[str]) -> Question:
    def read(side: str, answer: Order) -> Order:
        if answer.verb != "choose" or not 0 < answer.number <= len(choices):
            raise Refused("6.2A", "choose_one", choices=list(choices))
        return answer

    return Ask(seat, "ruling_choice", "6.2A", about={"text": text, "choices": list(choices)}, read=read,
               candidates=lambda side: (Order("choose", number=number + 1) for number in range(len(choices))),
               default=Order("choose", number=1))
