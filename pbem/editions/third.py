"""The 3rd edition: what it has otherwise than the 4th."""

from types import MappingProxyType as Frozen

from pbem.components.board import PLACING
from pbem.editions import fourth

SIEGE_MODIFIERS = ("port_without_fleet", "city_map_modifier", "helepolis", "traitor_inside_city")


def siege_points(kind: str, garrison: int | None) -> int:
    """A player's city is worth one Siege Point and one for each CU inside; Independent ones go by their kind."""
    if garrison is None:
        return {"major": 3, "stronghold": 3, "minor": 1}[kind]
    return 1 + garrison


RULES = fourth.RULES._replace(
    name="third",
    book="third",
    standard_options=frozenset({"16.5", "19.3.1", "19.5"}),
    foreign_options=frozenset({"16.1", "16.9", "19.2", "19.8", "19.9", "19.10", "19.12"}),
    past_options=frozenset({"16.2", "16.3", "16.4", "16.6", "16.7", "16.8", "16.12"}),
    land_movement=(
        "city_choice", "free_passage", "interception", "withdrawal", "evasion", "general_vs_general",
        "champion_status", "army_vs_general", "overrun", "royal_army", "land_battle",
    ),
    mover_breaks_passage=False,
    naval_attack="declaration",
    drop_beside_enemy=True,
    lone_general_intercepts=False,
    into_transit=-1,
    evasion_into_transit=-1,
    lone_general_killed_on=5,
    abilities=False,
    instant_points=Frozen({2: 29, 3: 26, 4: 23}),
    seats_chosen=False,
    preparations=("events", "arrivals", "turn_order", "usurper"),
    direction_chosen=False,
    discards_at_any_time=True,
    recruit_ops=(4,),
    royals_alone_desert="defender",
    royals_weigh_siege="first",
    siege_points=siege_points,
    siege_modifiers=SIEGE_MODIFIERS,
    regency_heirs=Frozen({4: "herakles", 5: "alexandros"}),
)


# What games of before had as in the 4th: mended in all of them that begin now (`fixes`).
WHOLE = Frozen({
    "ranks": True,
    "passage_in_cities": True,
    "lone_general_meets_army": False,
    "catching_is_attack": False,
    "besieged_bar_interception": False,
    "siege_outlasts": "nothing",
    "independents_withdraw": False,
    "voyages_announced": True,
    "naval_attack": "uncancelled",
    "prestige_in_sieges": "neither",
    "independents_by_majority": True,
    "independents_make_popular": False,
    "lone_general_force_marches": False,
    "placing_paths": (*PLACING, "trans"),
    "pcs_past_independents": True,
    "resolver": "chance",
    "recruit_ops": (),
    "recruit_after": "killed",
    "recruits_bring_pcs": False,
    "burial_segments": ("surrender", "tyche", "activation", "forage"),
})


# Mended after that.
REACTIONS = Frozen({
    "lone_general_evaded": False,
    "lone_evader_passes": True,
    "besieged_bar_evasion": False,
    "intercepted_evade": "others",
})
