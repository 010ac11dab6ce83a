"""10 J to L, 13 to 15: what the war chapters will resolve. Until they stand, each of these rules refuses loudly.

The procedure stops at a question to the moderator that names the rule and what is at stake; only a ruling (which may
abandon the procedure up to a level) goes on from there.
"""

from typing import TYPE_CHECKING, Any

from pbem.errors import Refused
from pbem.events import ALL
from pbem.kernel import Ask, Procedure, Question
from pbem.state import INDEPENDENT, Game, space_of

if TYPE_CHECKING:
    from pbem.rules.land_movement import Way

MODERATOR = "moderator"


def overrun(g: Game, way: "Way", foes: list[str]) -> Procedure[None]:
    """10 J At least 5 to 1 in CUs, counted against each faction apart (B22)."""
    mine = g.count(way.target, way.seat)
    for foe in foes:
        theirs = g.count(way.target, foe)
        if theirs and mine >= g.rules.overrun_ratio * theirs:
            g.tell(ALL, "overrun_began", seat=way.seat, victim=foe, space=space_of(way.target), mover_cus=mine,
                   victim_cus=theirs)
            yield from unwritten(g, "10J", "overrun", mover=way.seat, foe=foe, space=way.target)


def royal_army(g: Game, way: "Way", foes: list[str]) -> Procedure[None]:
    """10 K, 7.2 F A side with Royal Army CUs and less Prestige."""
    sides = [way.seat, *foes]
    if foes and any(g.kinds(way.target, side)["royal"] for side in sides):
        yield from unwritten(g, "10K", "royal_army", mover=way.seat, foe=foes[0], space=way.target)


def land_battle(g: Game, way: "Way", foes: list[str]) -> Procedure[None]:
    """10 L, 14 Resolve a Land Battle: the faction of the activated Army attacks."""
    for foe in foes:
        g.tell(ALL, "battle_began", attacker=way.seat, defender=foe, space=space_of(way.target))
        yield from unwritten(g, "10L", "land_battle", mover=way.seat, foe=foe, space=way.target)


def unwritten(g: Game, rule: str, what: str, **about: Any) -> Procedure[None]:
    """Stop at a question that only a ruling of the moderator can answer."""

    def read(side: str, answer: object) -> object:
        raise Refused(rule, "ruling_needed", what=what)

    def builder() -> Question | None:
        mover, foe, space = about["mover"], about["foe"], about["space"]
        if not (g.count(space, mover) and (g.count(space, foe) or foe == INDEPENDENT)):
            return None
        return Ask(MODERATOR, "ruling", rule, about={"what": what, **about}, read=read,
                   candidates=lambda side: iter(()), default=None)

    yield builder


def unwritten_phase(g: Game, phase: str) -> Procedure[None]:
    """A phase whose rules are not written yet waits for a ruling that abandons it."""
    rule = {"preparations": "5.1", "reinforcements": "5.2", "isolation": "5.5", "turn_end": "5.6"}[phase]

    def read(side: str, answer: object) -> object:
        raise Refused(rule, "ruling_needed", what=phase)

    yield lambda: Ask(MODERATOR, "ruling", rule, about={"what": phase}, read=read, candidates=lambda side: iter(()),
                      default=None)
