"""14.9, 14.10 What a Land Battle costs, and the Retreat after a draw."""

from collections.abc import Iterator

from pbem.kernel.procedures import Procedure
from pbem.orders import Pieces
from pbem.rules import abilities, cavalry, ownership, prestige
from pbem.rules.activation import keep_inside_limit, may_be_carried
from pbem.rules.attrition import Group, attrition, eliminate, further, lose
from pbem.rules.battle_score import participants, winner_of
from pbem.table.events import ALL
from pbem.table.state import BOX, DEAD, INDEPENDENT, Battle, Game, Unit, Way, space_of

OTHERS = frozenset({"mercenary", "elephant", "cavalry"})


# --- 14.9 Battle Losses ------------------------------------------------------------------------------------------


def losses(g: Game, battle: Battle, victor: str) -> Procedure[None]:
    """14.9 A draw costs each player 1 CU; a winner 1 CU unless he scored twice as much; a loser nearly everything.

    Independent Armies lose no CU in a battle that they survive (7.5, B31).
    """
    winner = winner_of(battle)
    if not winner:
        for side in (battle.attacker, battle.defender):
            if side in g.seats:
                yield from lose(g, side, participants(g, battle, side), 1, False, "draw")
        return
    loser = battle.other(winner)
    battle.pursuit = cavalry.pursuit(g, battle.at, winner, loser)
    columns = cavalry.pursuit_columns(g, battle.at, winner, loser)
    if g.rules.royals_desert_battle == "before_losses":
        desert(g, battle, loser, winner)
    if winner in g.seats and battle.score[winner] < 2 * battle.score[loser]:
        yield from lose(g, winner, participants(g, battle, winner), 1, False, "victory")
    yield from beaten(g, loser, battle.at, winner, victor, apart=loser in battle.apart, pursuit=battle.pursuit,
                      columns=columns)
    desert(g, battle, loser, winner)


def desert(g: Game, battle: Battle, loser: str, winner: str) -> None:
    """14.9 Royal Army CUs that stood aside join the winner."""
    if loser in battle.apart and g.kinds(battle.at, loser)["royal"]:
        prestige.defect(g, loser, battle.at, winner, battle.at)


def beaten(
    g: Game, side: str, at: str, by: str, victor: str, *, apart: bool = False, pursuit: int = 0, columns: int = 0,
) -> Procedure[None]:
    """14.9 What a faction suffers in the location where it lost: also when overrun (10 J) and in a fallen city (15.4)."""
    if side == INDEPENDENT:
        independents_beaten(g, at, victor)
        return
    doomed = {kind: number for kind, number in g.kinds(at, side).items() if kind in OTHERS}
    if doomed:
        eliminate(g, Group(at, side), doomed, "defeat")
    macedonians = Group(at, side, spared=OTHERS | {"royal"} if apart else OTHERS)
    size = macedonians.count(g)
    yield from attrition(g, side, at, macedonians, column=further(g, size, columns) if columns and size else "",
                         modifier=abilities.attrition_modifier(g, at, side) + pursuit)
    disperse(g, macedonians)
    for one in g.generals_at(at, side):
        ownership.disperse_general(g, one, by)
    for royal in g.royals_at(at, side):
        g.tell(ALL, "royal_lost", royal=royal.name, seat=side, at=royal.at)
        royal.seat, royal.at = "", space_of(at)                 # 8.3 nobody uncontrolled stays inside a city


def disperse(g: Game, group: Group) -> None:
    """14.9 Macedonian CUs that survive Attrition go to the Dispersed Box."""
    units, kinds = group.units(g), group.kinds(g)
    if units:
        g.remove(group.location, group.seat, units)
        g.dispersed[group.seat].update(kinds)
        g.tell(ALL, "cus_dispersed", seat=group.seat, at=group.location, cus=dict(kinds), why="beaten")


def independents_beaten(g: Game, at: str, victor: str) -> None:
    """14.9, 7.2 F Back to their box, or out of the game; a Major General who beat them is more popular for life."""
    armies = g.generals_at(at, INDEPENDENT)
    g.remove(at, INDEPENDENT, dict(g.units(at, INDEPENDENT)))
    for one in armies:
        to = BOX if g.facts.independents[one.name]["on_defeat"] == "box" else DEAD
        one.at = to
        g.tell(ALL, "independents_beaten", general=one.name, space=space_of(at), to=to)
        hero = g.generals.get(victor)
        if hero is not None and hero.seat in g.seats and not hero.minor and g.rules.independents_make_popular:
            g.popularity[victor] += g.facts.tables["independent_armies"]["popularity_for_defeating"]
            g.tell(ALL, "popularity_gained", seat=hero.seat, general=victor, popularity=g.popularity[victor])


def stay_or_disperse(g: Game, battle: Battle) -> None:
    """14.8 CUs without a commander, in a space that is not their own, are dispersed once the battle is over (B29); those that
    go back after a draw only where they come to (9.1, R7)."""
    for side in (battle.attacker, battle.defender) if winner_of(battle) else (battle.defender,):
        if side in g.seats and not ownership.is_owned(g, battle.at, side):
            ownership.disperse_cus(g, battle.at, side, "leaderless")


def remember(g: Game, battle: Battle) -> None:
    """15.2 A Who took part in a Land Battle besieges nothing any more in this segment."""
    for side in (battle.attacker, battle.defender):
        g.mark(battle.at, side, participants(g, battle, side).units(g), fought=True)


# --- 14.10 Retreat -----------------------------------------------------------------------------------------------


def retreat(g: Game, way: Way, battle: Battle) -> None:
    """14.10 After a draw the Attacker goes back the way he came, whoever stands there by now (R3); whoever came out of the city
    goes in again, and the Cart stays where it may not be carried (8.4)."""
    act, side, space = g.activation, battle.attacker, space_of(battle.at)
    if way.kind == "box":
        into_the_box(g, way)
    else:
        inside = f"{space}/inside"
        back = {kind: min(number, g.kinds(battle.at, side)[kind]) for kind, number in battle.came_out.items()
                if g.controller(space) == side}
        fall_back(g, side, battle.at, inside, Pieces.of(
            [one.name for one in g.generals_at(battle.at, side) if one.name in battle.leaders], back))
        parts = list(later_parts(g, battle))
        for origin, pieces in parts:
            fall_back(g, side, battle.at, origin, pieces)
        fall_back(g, side, battle.at, way.origin, Pieces.of(
            [one.name for one in g.generals_at(battle.at, side)], g.kinds(battle.at, side),
            [royal.name for royal in g.royals_at(battle.at, side) if may_be_carried(g, royal.name)]))
        for city in dict.fromkeys((inside, *[origin for origin, _ in parts], way.origin)):
            keep_inside_limit(g, city, side)
        if act is not None and act.seat == side:
            act.here = way.origin
    if act is not None and act.seat == side:
        act.entered = ""


def later_parts(g: Game, battle: Battle) -> Iterator[tuple[str, Pieces]]:
    """14.10 with 23.2 Where those came from who intercepted behind the first, and what goes back there: of what is left the
    first has his own before they have theirs."""
    act, at = g.activation, battle.at
    if act is None or act.seat == battle.attacker or not g.rules.each_part_goes_back:
        return
    left = g.kinds(at, battle.attacker)
    for place, one in enumerate(act.intercepting):
        cus = {kind: min(number, left[kind]) for kind, number in one.cus.items()}
        left.subtract(cus)
        if place:
            yield one.origin, Pieces.of(
                [name for name in one.generals if g.generals[name].at == at], cus,
                [name for name in one.royals if g.royals[name].at == at and may_be_carried(g, name)])


def fall_back(g: Game, side: str, at: str, to: str, pieces: Pieces) -> None:
    """Pieces go back together, as moved by the activated General."""
    if pieces == Pieces.of():
        return
    mover = g.activation.key if g.activation is not None and g.activation.seat == side else ""
    if pieces.cus:
        for unit, number in g.remove_kinds(at, side, dict(pieces.cus), order=lambda unit: (unit.past.mover != mover, unit.past)
                                         ).items():
            g.add(to, side, {Unit(unit.kind, unit.past._replace(mover=unit.past.mover or mover)): number})
    for name in pieces.generals:
        g.generals[name].at = to
        g.generals[name].mover = g.generals[name].mover or mover
    for name in pieces.royals:
        g.royals[name].at = to
        g.royals[name].mover = g.royals[name].mover or mover
    lead = g.commander(to, side)
    g.tell(ALL, "retreated", seat=side, general=lead.name if lead is not None else "", space=space_of(at), origin=to,
           cus=dict(pieces.cus))


def into_the_box(g: Game, way: Way) -> None:
    """14.10 An Independent Army that came from its box is inactive again."""
    one, at = g.generals[way.key], way.target
    cus = g.facts.independents[one.name]["cus"]
    g.remove_kinds(at, INDEPENDENT, {INDEPENDENT: min(cus, g.count(at, INDEPENDENT))}, order=lambda unit: unit.past)
    one.at = BOX
    g.tell(ALL, "retreated", seat=INDEPENDENT, general=one.name, space=space_of(at), origin=BOX, cus={INDEPENDENT: cus})
