"""What no chapter plays yet: such a phase refuses loudly and waits for a ruling that abandons it."""

from pbem.errors import Refused
from pbem.kernel import Ask, Procedure
from pbem.state import Game

MODERATOR = "moderator"


def unwritten_phase(g: Game, phase: str) -> Procedure[None]:
    """A phase whose rules are not written yet waits for a ruling that abandons it."""
    rule = {"preparations": "5.1", "reinforcements": "5.2", "isolation": "5.5", "turn_end": "5.6"}[phase]

    def read(side: str, answer: object) -> object:
        raise Refused(rule, "ruling_needed", what=phase)

    yield lambda: Ask(MODERATOR, "ruling", rule, about={"what": phase}, read=read, candidates=lambda side: iter(()),
                      default=None)
