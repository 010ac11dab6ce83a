"""10 J Overruns: they are no battles, and Prestige has no say in them."""


from pbem.kernel.procedures import Procedure
from pbem.rules import battle_losses, capital, cavalry
from pbem.table.events import ALL
from pbem.table.state import Game, Way, space_of


def is_overrun(g: Game, way: Way, foe: str) -> bool:
    """10 J The mover has at least five times as many CUs, counted against each faction apart (B22)."""
    mine, theirs = g.count(way.target, way.seat), g.count(way.target, foe)
    return bool(mine >= g.rules.overrun_ratio * theirs)


def overrun(g: Game, way: Way, foes: list[str]) -> Procedure[None]:
    """10 J The overrun suffer as if they had lost a Land Battle; it costs no MPs, and the mover is never overrun."""
    for foe in foes:
        if not is_overrun(g, way, foe):
            continue
        g.tell(ALL, "overrun_began", seat=way.seat, victim=foe, space=space_of(way.target),
               mover_cus=g.count(way.target, way.seat), victim_cus=g.count(way.target, foe))
        capital.attacked(g, foe, space_of(way.target))
        lead = g.commander(way.target, way.seat)
        yield from battle_losses.beaten(g, foe, way.target, way.seat, lead.name if lead is not None else "",
                                 pursuit=cavalry.pursuit(g, way.target, way.seat, foe),
                                 columns=cavalry.pursuit_columns(g, way.target, way.seat, foe))
