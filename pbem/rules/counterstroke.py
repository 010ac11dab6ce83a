"""23.2 Whoever has intercepted may strike first."""

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import battle, evasion, prestige, prices, victory
from pbem.rules.acts import Price
from pbem.table.events import ALL
from pbem.table.state import Game, Way, space_of


def counterstroke(g: Game, way: Way) -> Procedure[None]:
    """23.2 He attacks at once, or defends as ever. Who is attacked accepts battle or tries to evade, and is stopped."""
    act = g.activation
    if act is None or act.here != way.target or not act.met:
        return
    answer = yield lambda: question(g, way)
    if not answer or answer.verb != "attack":
        return
    first = g.generals[act.intercepting[0].generals[0]]
    back = Way(first.name, first.seat, act.intercepting[0].origin, way.target, "land")
    g.tell(ALL, "interceptor_attacks", seat=back.seat, general=back.key, victim=way.seat, space=space_of(way.target))
    act.stopped, act.must_leave = True, ""
    yield from evasion.evasions(g, back)
    if g.count(way.target, way.seat):
        victory.attack(g, back.seat, way.seat, "23.2", space_of(way.target))
        yield from prestige.royal_army(g, back, [way.seat])
        yield from battle.land_battle(g, back, [way.seat])


def question(g: Game, way: Way) -> Question | None:
    """23.2 Only where CUs stand against CUs, and Independents defend."""
    act = g.activation
    if act is None or not act.intercepting:
        return None
    one = g.generals[act.intercepting[0].generals[0]]
    if one.seat not in g.seats or one.at != way.target or not all(g.count(way.target, side) for side in (one.seat, way.seat)):
        return None

    def read(side: str, answer: Order) -> Order:
        if answer.verb in ("attack", "pass"):
            return answer
        raise Refused("23.2", "attack_or_pass", space=way.target)

    def costs(side: str, answer: Order) -> list[Price]:
        return prices.of_staying(g, side, [way.seat], space_of(way.target)) if answer.verb == "attack" else []

    return Ask(one.seat, "counterstroke", "23.2", about={"general": one.name, "mover": way.seat, "space": way.target},
               read=read, candidates=lambda side: iter((Order("pass"), Order("attack"))), default=Order("pass"), costs=costs)
