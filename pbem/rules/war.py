"""What is not written yet: such an event refuses loudly and waits for a ruling that abandons it."""

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.table.state import Game

MODERATOR = "moderator"


def unwritten_event(g: Game, card: str, seat: str) -> Procedure[None]:
    """The event of a card that is not written yet waits for a ruling."""

    def read(side: str, answer: object) -> object:
        raise Refused("6.2A", "ruling_needed", what="event")

    def builder() -> Question | None:
        if g.card != card:
            return None
        return Ask(MODERATOR, "ruling", "6.2A", about={"what": "event", "card": card, "seat": seat}, read=read,
                   candidates=lambda side: iter(()), default=None)

    yield builder
