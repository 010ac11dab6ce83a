"""3.7, 16.1 A truce between two players: until the Game Turn ends neither attacks the other (card Diplomatic Marriage)."""

from pbem.base.errors import Refused
from pbem.table.state import Game


def holds(g: Game, one: str, other: str) -> bool:
    return tuple(sorted((one, other))) in g.truces


def conclude(g: Game, one: str, other: str) -> None:
    first, second = sorted((one, other))
    g.truces.add((first, second))


def judge(g: Game, seat: str, other: str, rule: str) -> None:
    """3.7 What would be, or lead to, an attack on the other."""
    if holds(g, seat, other):
        raise Refused(rule, "truce", seat=seat, other=other, turn=g.turn)


def judge_entering(g: Game, seat: str, place: str, rule: str) -> None:
    """3.7 Where pieces of the other stand, to come would be to attack."""
    for other in g.sides_at(place) if g.truces else ():
        judge(g, seat, other, rule)


def stands_at(g: Game, seat: str, place: str) -> bool:
    """3.7 Has somebody pieces there whom a truce protects from this player?"""
    return bool(g.truces) and any(holds(g, seat, other) for other in g.sides_at(place))
