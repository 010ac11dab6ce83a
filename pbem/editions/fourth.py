"""The 4th edition: every rule point."""

from types import MappingProxyType as Frozen

from pbem.components.board import PLACING
from pbem.editions.record import Ruleset


def movement_mps(initiative: int, die: int) -> int:
    """9.2 Lower than the Initiative Rating 2 MPs, equal 3, higher 4 (B37)."""
    return 2 if die < initiative else 3 if die == initiative else 4


def siege_points(kind: str, garrison: int | None) -> int:
    """15.4 By kind of space alone."""
    return {"major": 3, "stronghold": 2, "minor": 1}[kind]


RULES = Ruleset(
    name="fourth",
    book="fourth",
    standard_options=frozenset({"23.1"}),
    foreign_options=frozenset({"23.5", "24.1", "24.2"}),
    path_mps=Frozen({"land": 1, "mountain": 2, "strait": 2, "sea": 1, "trans": 2}),
    movement_mps=movement_mps,
    siege_mps=2,
    remove_pc_mps=2,
    remove_pc_cus=3,
    inside_limit=2,
    march_limit=0,
    land_movement=(
        "city_choice", "free_passage", "interception", "withdrawal", "evasion", "general_vs_general",
        "champion_status", "army_vs_general", "overrun", "royal_army", "land_battle",
    ),
    mover_breaks_passage=True,
    lone_general_intercepts=True,
    passage_in_cities=False,
    lone_general_meets_army=True,
    catching_is_attack=True,
    besieged_bar_interception=True,
    independents_withdraw=True,
    into_transit=0,
    evasion_spaces=2,
    lone_general_killed_on=0,
    stronghold_column=2,
    overrun_ratio=5,
    naval_cus=8,
    naval_reach=2,
    naval_attack="battle",
    drop_beside_enemy=False,
    royals_alone_desert="either",
    royals_desert_battle="after_losses",
    royals_weigh_siege="every",
    prestige_in_sieges=True,
    independents_by_majority=False,
    independents_make_popular=True,
    siege_points=siege_points,
    siege_modifiers=("port_without_fleet", "rhodos", "memphis", "babylon", "helepolis", "traitor_inside_city"),
    garrison_absorbs=False,
    royals_always_besiege=True,
    ranks=False,
    abilities=True,
    groups=Frozen({}),
    set_aside=frozenset(),
    seats_chosen=True,
    preparations=("events", "arrivals", "usurper", "turn_order"),
    direction_chosen=True,
    polyperchon_at_once=True,
    discards_at_any_time=False,
    points_before_event=False,
    plain_discard=False,
    events_that_must_be=False,
    training=Frozen({"mercenary": 3, "loyal": 7}),
    upgrade_ops=(4,),
    recruit_ops=(3, 4),
    recruit_after="fewer",
    recruits_bring_pcs=True,
    lone_general_force_marches=True,
    placing_paths=PLACING,
    pcs_past_independents=False,
    resolver="least",
    forage_limit=Frozen({"transit": 3, "other": 8}),
    champion_legitimacy=3,
    instant_legitimacy=18,
    instant_points=Frozen({2: 29, 3: 26, 4: 23, 5: 20}),
    regency_heirs=Frozen({4: "alexandros", 5: "herakles"}),
    burial_turns=(2, 3),
    burial_segments=("forage",),
    last_turn=5,
    options=(),
    extra_cards=frozenset(),
    card_changes=Frozen({}),
    waiting_royals=Frozen({}),
    finish_cart_ops=(),
    cart_destroyed=False,
    forage_attrition=False,
    fleets_return=True,
    independents_react=False,
    starting_cus=Frozen({}),
    cavalry_provinces=frozenset(),
    cavalry_siege_mps=2,
    cavalry_disperses=False,
    cavalry_remove_pc_mps=2,
    cavalry_stronghold_column=2,
    cavalry_reaction=0,
    cavalry_battle=0,
    cavalry_pursuit=0,
)
