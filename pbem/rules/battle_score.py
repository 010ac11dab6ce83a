"""14.5 to 14.7 Local Troops, Battle Strength and Battle Score: what each side of a Land Battle brings, and how it rolls."""

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import abilities, cavalry
from pbem.rules.attrition import Group
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Battle, Game, General, space_of

# --- 14.4, 14.7 Who fights, and under whom -----------------------------------------------------------------------


def participants(g: Game, battle: Battle, side: str) -> Group:
    """14.4 The CUs of a side that fight: all in the location but Royal Army CUs that were set apart."""
    return Group(battle.at, side, spared=("royal",) if side in battle.apart else ())


def leader(g: Game, location: str, side: str) -> General | None:
    """7.1 A, 14.7 Whose Battle Rating counts: the Commanding General's; of several Independents the best (B36)."""
    if side == INDEPENDENT:
        return max(g.generals_at(location, side), key=lambda one: one.battle, default=None)
    return g.commander(location, side)


# --- 14.5 Local Troops -------------------------------------------------------------------------------------------


def local_troops(g: Game, battle: Battle, side: str) -> list[tuple[str, int]]:
    """14.5 The Local Troops points of a side, source by source; after a failed evasion none (12.2 B)."""
    act = g.activation
    space = space_of(battle.at)
    if act is not None and side in act.evaders:
        return [("failed_evasion", 0)]
    table = g.facts.tables["local_troops"]
    found = []
    if g.controller(space) == side:
        found.append(("space", table["space"]))
    province = g.board.province_of(space)
    if province and holds(g, province, side):
        found.append((province, table["province"]))
    more = abilities.local_troops(g, battle.at, side, sum(points for _, points in found))
    if more:
        found.append((abilities.key_of(g, battle.at, side), more))
    return found


def holds(g: Game, province: str, side: str) -> bool:
    """14.5 A Province that the side controls; in some books Independents need no more than most of its spaces."""
    if side != INDEPENDENT or not g.rules.independents_by_majority:
        return g.province_controller(province) == side
    spaces = [space for space in g.board.spaces if g.board.province_of(space) == province and not g.board.is_transit(space)]
    return 2 * sum(g.controller(space) == side for space in spaces) > len(spaces)


def tell_local_troops(g: Game, battle: Battle) -> None:
    for side in (battle.attacker, battle.defender):
        found = local_troops(g, battle, side)
        if found:
            g.tell(ALL, "local_troops", seat=side, space=space_of(battle.at), parts=found,
                   points=sum(points for _, points in found))


# --- 14.6 Battle Strength ----------------------------------------------------------------------------------------


def elephant_strength(g: Game, die: int) -> int:
    """7.2 C The Elephant Die, or a normal die less 2, never below 0."""
    return int(g.facts.tables["elephant_die"]["faces"][die - 1])


def roll_elephants(g: Game, battle: Battle, side: str) -> Procedure[None]:
    """7.2 C, 14.6 Each Elephant CU has the strength of its own die."""
    number = participants(g, battle, side).kinds(g)["elephant"]
    if not number or side in battle.harmless:
        battle.elephants[side] = [0] * number
        return
    dice, names = [], []
    for _ in range(number):
        die, name = g.roll("elephant", space_of(battle.at), side)
        dice.append(die)
        names.append(name)
    battle.elephants[side] = [elephant_strength(g, die) for die in dice]
    g.tell(ALL, "elephants_rolled", seat=side, space=space_of(battle.at), dice=dice, names=names,
           strengths=list(battle.elephants[side]))
    for _ in range(abilities.elephant_rerolls(g, battle.at, side)):
        answer = yield lambda: reroll_question(g, battle, side)
        if not answer or answer.verb != "reroll":
            return
        worst = battle.elephants[side].index(min(battle.elephants[side]))
        die, name = g.roll("elephant", space_of(battle.at), side)
        battle.elephants[side][worst] = elephant_strength(g, die)
        g.tell(ALL, "elephants_rolled", seat=side, space=space_of(battle.at), dice=[die], names=[name],
               strengths=list(battle.elephants[side]))


def reroll_question(g: Game, battle: Battle, side: str) -> Question | None:
    """7.1 The weakest Elephant once more, for a General who knows how."""
    if not battle.elephants.get(side):
        return None

    def read(seat: str, answer: Order) -> Order:
        if answer.verb in ("reroll", "pass"):
            return answer
        raise Refused("7.1", "reroll_or_pass")

    return Ask(side, "elephant_reroll", "7.1", about={"space": space_of(battle.at), "strengths": list(battle.elephants[side])},
               read=read, candidates=lambda seat: iter((Order("pass"), Order("reroll"))), default=Order("pass"))


def strength_parts(g: Game, battle: Battle, side: str) -> list[tuple[str, int, int]]:
    """14.6 Battle Strength, part by part: what, how many, what strength together."""
    table = g.facts.tables["strength"]
    found = []
    for kind, number in sorted(participants(g, battle, side).kinds(g).items()):
        each = sum(battle.elephants.get(side, ())) if kind == "elephant" else number * table[kind]
        found.append((kind, number, each))
    points = sum(number for _, number in local_troops(g, battle, side))
    return [*found, ("local_troops", points, points)] if points else found


def strength(g: Game, battle: Battle, side: str) -> int:
    return sum(part for _, _, part in strength_parts(g, battle, side))


# --- 14.7 Battle Score -------------------------------------------------------------------------------------------


def score_of(g: Game, strength: int, roll: int, columns: int = 0) -> int:
    """14.7 The entry of the Battle Table, perhaps some columns to the right; strength 0 scores nothing (B28)."""
    table = g.facts.tables["battle"]
    if strength <= 0:
        return int(table["strength_zero_score"])
    place = next(at for at, one in enumerate(table["columns"]) if one["max"] is None or strength <= one["max"])
    row = table["columns"][min(place + columns, len(table["columns"]) - 1)]
    lowest, highest = table["rolls"][0], table["rolls"][-1]
    return int(row["scores"][min(max(roll, lowest), highest) - lowest])


def tell_strength(g: Game, battle: Battle, side: str) -> None:
    """14.6 What each side brings, before any die of the Land Battle roll falls."""
    one = leader(g, battle.at, side)
    g.tell(ALL, "battle_strength", seat=side, space=space_of(battle.at), general=one.name if one is not None else "",
           parts=strength_parts(g, battle, side), total=strength(g, battle, side))


def roll_battle(g: Game, battle: Battle, side: str) -> None:
    """14.7 Two dice, each raised to the Battle Rating of the commander, against the Battle Strength."""
    one, space, total = leader(g, battle.at, side), space_of(battle.at), strength(g, battle, side)
    general, rating = (one.name, abilities.battle_rating(g, one)) if one is not None else ("", 0)
    dice, name = g.draw("battle", space, side, count=2)
    raised = [max(die, rating) for die in dice]
    bonus = battle.bonus[side] + cavalry.battle_bonus(g, battle, side)
    battle.total[side] = sum(raised) + bonus
    reading, columns = g.reading(name), cavalry.columns(g, battle, side)
    if columns:
        g.tell(ALL, "cavalry_columns", seat=side, space=space, columns=columns)
    battle.score[side] = int(reading) if reading is not None else score_of(g, total, battle.total[side], columns)
    g.tell(ALL, "battle_rolled", seat=side, space=space, general=general, dice=dice, name=name, rating=rating, raised=raised,
           bonus=bonus, total=battle.total[side], strength=total, score=battle.score[side])


def winner_of(battle: Battle) -> str:
    """14.7 The higher Battle Score wins; equal scores are a draw."""
    attack, defence = battle.score[battle.attacker], battle.score[battle.defender]
    return "" if attack == defence else battle.attacker if attack > defence else battle.defender


def tell_outcome(g: Game, battle: Battle) -> str:
    winner = winner_of(battle)
    if winner:
        g.tell(ALL, "battle_won", seat=winner, loser=battle.other(winner), space=space_of(battle.at), scores=dict(battle.score))
    else:
        g.tell(ALL, "battle_drawn", attacker=battle.attacker, defender=battle.defender, space=space_of(battle.at),
               scores=dict(battle.score))
    return winner
