"""Surprise cards of a Land Battle, in the order of the deck: before its dice, when a General falls, and after it."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import at_once
from pbem.orders import Order
from pbem.rules import battle, isolation, prestige, windows
from pbem.rules.attrition import Group, eliminate
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import FRESH, Game, Past, Unit, space_of

EFFECTS: Effects = {}


def judge_in_battle(g: Game, seat: str, order: Order) -> Order:
    """14.3 In one's own turn to play battle cards, where it does something."""
    battle.judge_card(g, seat, order.card)
    return targets.played(order)


def change_sides(g: Game, seat: str, kind: str, number: int) -> None:
    """CUs of the enemy in the battle are this player's from now on; the attacker's count as moved with his Army."""
    fight, act = g.battle, g.activation
    assert fight is not None
    past = Past(act.key) if act is not None and seat == fight.attacker else FRESH
    g.remove_kinds(fight.at, fight.other(seat), {kind: number}, order=lambda unit: unit.past)
    g.add(fight.at, seat, {Unit(kind, past): number})
    g.tell(ALL, "changed_sides", seat=fight.other(seat), to=seat, space=space_of(fight.at), cus={kind: number})


# --- 47B Silver Shields ------------------------------------------------------------------------------------------


@at_once
def silver_shields(g: Game, seat: str, order: Order) -> None:
    """One CU of the enemy's Silver Shields is eliminated; if the other is left it fights for the player of the card."""
    fight = g.battle
    assert fight is not None
    foe = fight.other(seat)
    there = g.kinds(fight.at, foe)["silver"]
    gone = min(there, g.facts.cards[order.card]["params"]["eliminate"])
    if gone:
        eliminate(g, Group(fight.at, foe), {"silver": gone}, "card")
    if there > gone:
        change_sides(g, seat, "silver", there - gone)


EFFECTS["steal_silver_shields"] = Card(judge_in_battle, silver_shields, targets.nothing_to_choose)


# --- 48 Anti-Elephant Devices ------------------------------------------------------------------------------------


@at_once
def anti_elephant_devices(g: Game, seat: str, order: Order) -> None:
    """The Elephant CUs of the other side are in the battle, but have no strength and roll no dice."""
    fight = g.battle
    assert fight is not None
    foe = fight.other(seat)
    fight.harmless.add(foe)
    g.tell(ALL, "elephants_harmless", seat=foe, space=space_of(fight.at), count=g.kinds(fight.at, foe)["elephant"])


EFFECTS["nullify_elephants"] = Card(judge_in_battle, anti_elephant_devices, targets.nothing_to_choose)


# --- 52 Only a Flesh Wound ---------------------------------------------------------------------------------------


def judge_flesh_wound(g: Game, seat: str, order: Order) -> Order:
    """For one's own Major General, in the moment of his death."""
    windows.judge_death(g, seat, order.card)
    return targets.played(order)


@at_once
def flesh_wound(g: Game, seat: str, order: Order) -> None:
    """He lives, keeps his command, and shares the fate of his side."""
    g.tell(ALL, "general_saved", seat=seat, general=g.dying, space=space_of(g.generals[g.dying].at))
    g.dying = ""


EFFECTS["save_general"] = Card(judge_flesh_wound, flesh_wound, targets.nothing_to_choose)


# --- 54 Mutiny ---------------------------------------------------------------------------------------------------


def judge_mutiny(g: Game, seat: str, order: Order) -> Order:
    """Against a player with less Prestige there; which of his CUs only has to be said where there is a choice."""
    kinds = battle.mutinous(g, battle.judge_card(g, seat, order.card), seat)
    _, kind = order.target or ("cu", kinds[0] if len(kinds) == 1 else "")
    if kind not in kinds:
        raise Refused("14.3", "name_a_kind_of_cu", card=order.card, kinds=kinds)
    return targets.played(order, target=("cu", kind))


@at_once
def mutiny(g: Game, seat: str, order: Order) -> None:
    """One CU of the side with less Prestige goes over; the Silver Shields never do."""
    fight, kind = g.battle, order.target[1]
    assert fight is not None
    values = prestige.compare(g, space_of(fight.at), [
        (side, fight.at, side == fight.defender) for side in (fight.attacker, fight.defender)])
    if kind in battle.mutinous(g, fight, seat) and values[seat] > values[fight.other(seat)]:
        change_sides(g, seat, kind, g.facts.cards[order.card]["params"]["count"])


def mutineers(g: Game, seat: str) -> Iterator[Order]:
    for kind in battle.mutinous(g, g.battle, seat) if g.battle is not None else ():
        yield Order("play", target=("cu", kind))


EFFECTS["mutiny"] = Card(judge_mutiny, mutiny, mutineers)


# --- 59 Repercussions of Defeat ----------------------------------------------------------------------------------


def judge_repercussions(g: Game, seat: str, order: Order) -> Order:
    """Right after another player has lost a Land Battle that leaves PCs of his without supply."""
    windows.judge_defeat(g, seat, order.card)
    return targets.played(order)


@at_once
def repercussions(g: Game, seat: str, order: Order) -> None:
    """His isolated PCs in the Province of the battle and in those beside it go at once; Independent ones stay (5.5)."""
    isolation.remove(g, g.defeated[0], windows.cut_off(g))


EFFECTS["isolation_check"] = Card(judge_repercussions, repercussions, targets.nothing_to_choose)


# --- O60, O61 Cavalry Superiority --------------------------------------------------------------------------------


@at_once
def cavalry_superiority(g: Game, seat: str, order: Order) -> None:
    """More on the Land Battle roll of one's side, after its dice were raised to the Battle Rating."""
    fight = g.battle
    assert fight is not None
    points = g.facts.cards[order.card]["params"]["battle_roll_mod"]
    fight.bonus[seat] += points
    g.tell(ALL, "battle_bonus", seat=seat, space=space_of(fight.at), bonus=points)


EFFECTS["battle_roll_bonus"] = Card(judge_in_battle, cavalry_superiority, targets.nothing_to_choose)
