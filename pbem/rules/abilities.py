"""7.1 Special Abilities: they work in the space of a Major General, and only while he commands there.

What a General's card says is data; here stands what each kind of parameter means. An ability that is only somebody's
guess is marked so in the data and does nothing until a moderator has confirmed it from the card.
"""

from collections.abc import Mapping
from typing import Any

from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game, General, space_of


def ability(g: Game, one: General | None) -> Mapping[str, Any]:
    """The ability of a General that is in force, empty if there is none."""
    if one is None or not g.rules.abilities:
        return {}
    found = g.facts.generals.get(one.name, {}).get("ability") or {}
    return found if found.get("on_by_default") else {}


def parameters(g: Game, one: General | None, space: str) -> Mapping[str, Any]:
    """What an ability does in a space; nothing where its Provinces do not reach."""
    found: Mapping[str, Any] = ability(g, one).get("params", {})
    provinces = found.get("provinces")
    return {} if provinces is not None and g.board.province_of(space) not in provinces else found


def leading(g: Game, location: str, side: str) -> Mapping[str, Any]:
    """7.1 The ability of whoever commands a side in a location: Subordinates lend theirs to nobody."""
    return parameters(g, g.commander(location, side), space_of(location))


def by_ruling(g: Game, one: General) -> str:
    """7.1 What his card says where no rule plays it: the moderator does."""
    return str(ability(g, one).get("params", {}).get("says", ""))


def key_of(g: Game, location: str, side: str) -> str:
    return str(ability(g, g.commander(location, side)).get("key", ""))


# --- in battle ---------------------------------------------------------------------------------------------------


def battle_rating(g: Game, one: General) -> int:
    """14.7 The Battle Rating of a General where he stands."""
    return int(parameters(g, one, space_of(one.at)).get("battle_rating", one.battle))


def prestige_bonus(g: Game, location: str, side: str, *, defending: bool) -> int:
    """7.2 F Added to a side's Prestige."""
    found = leading(g, location, side)
    if found.get("when") == "defending" and not defending:
        return 0
    return int(found.get("prestige_bonus", 0))


def local_troops(g: Game, location: str, side: str, points: int) -> int:
    """14.5 The Local Troops points that an ability adds to those that there are already."""
    found = leading(g, location, side)
    return points * (int(found.get("local_troops_factor", 1)) - 1) + (int(found.get("local_troops_bonus", 0)) if points else 0)


def attrition_modifier(g: Game, location: str, side: str) -> int:
    """14.9 Added to the Attrition die for the Macedonian CUs of the loser."""
    found = leading(g, location, side)
    return int(found["attrition_roll_mod"]) if found.get("for") == "macedonian_cus" else 0


def elephant_rerolls(g: Game, location: str, side: str) -> int:
    """14.6 How many Elephant Dice may be rolled again."""
    return int(leading(g, location, side).get("elephant_rerolls", 0))


# --- in a Siege --------------------------------------------------------------------------------------------------


def siege_modifier(g: Game, space: str, side: str) -> int:
    """15.2 B What the besieging commander adds to the die."""
    found = leading(g, space, side)
    if found.get("target") == INDEPENDENT and g.controller(space) != INDEPENDENT:
        return 0
    if found.get("segment", g.segment) != g.segment:
        return 0
    return int(found.get("siege_mod", 0))


def enemy_siege_modifier(g: Game, space: str, owner: str) -> int:
    """15.2 B What the commander inside the city adds to the die of the besieger."""
    found = leading(g, f"{space}/inside", owner)
    return int(found.get("enemy_siege_mod", 0))


# --- on the march ------------------------------------------------------------------------------------------------


def lowest(g: Game, one: General, target: str) -> int:
    """11.2, 12.2 Higher than the Initiative Rating, or the number that an ability names if that is lower."""
    needed = one.initiative + 1
    return min(needed, int(parameters(g, one, space_of(one.at)).get(target, needed)))


def remove_pc_mps(g: Game, one: General) -> int:
    """9.3 D What taking a PC away costs the Army that this General's commander leads."""
    return int(leading(g, one.at, one.seat).get("remove_pc_cost", g.rules.remove_pc_mps))


def enemy_evasion_modifier(g: Game, location: str, side: str) -> int:
    """12.2 Added to the dice of those who evade from an Army."""
    return int(leading(g, location, side).get("enemy_evasion_mod", 0))


def naval_modifier(g: Game, location: str, side: str) -> int:
    """13.3 Added to the Naval Battle roll of the one who sails."""
    return int(leading(g, location, side).get("naval_battle_mod", 0))


def end_of_activation_segment(g: Game) -> None:
    """7.1 A commander whose garrisons take over a Minor City of one Province where he ends the segment."""
    for one in g.generals_of(g.player):
        found = ability(g, one)
        given = found.get("params", {})
        if given.get("when") != "end_of_activation_segment" or not g.on_map(one) or g.commander(one.at, one.seat) is not one:
            continue
        space = space_of(one.at)
        if g.board.province_of(space) != given["province"]:
            continue
        owner = g.controller(space)
        if g.board.kind(space) == "minor" and owner not in ("", one.seat):
            g.tell(ALL, "ability_used", seat=one.seat, general=one.name, ability=found["key"], space=space)
            g.set_pc(space, one.seat)
