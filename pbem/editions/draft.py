"""The draft of the 4th edition: what it has otherwise than the final text."""

from types import MappingProxyType as Frozen

from pbem.editions import fourth, third

RULES = fourth.RULES._replace(
    name="draft",
    book="draft",
    standard_options=frozenset({"16.5"}),
    foreign_options=frozenset({"16.1", "16.2", "16.9", "23.5", "24.1", "24.2"}),
    past_options=frozenset({"16.4", "16.6", "16.8", "16.12"}),
    land_movement=(
        "city_choice", "evasion", "free_passage", "interception", "withdrawal", "general_vs_general",
        "champion_status", "army_vs_general", "overrun", "royal_army", "land_battle",
    ),
    drop_beside_enemy=True,
    lone_general_intercepts=False,
    abilities=False,
    seats_chosen=False,
    preparations=("events", "arrivals", "turn_order", "usurper"),
    direction_chosen=False,
    polyperchon_at_once=False,
    discards_at_any_time=True,
    recruit_ops=(4,),
    royals_desert_battle="before_losses",
    royals_weigh_siege="first",
    siege_points=third.siege_points,
    siege_modifiers=third.SIEGE_MODIFIERS,
    regency_heirs=Frozen({4: "herakles", 5: "alexandros"}),
)


# What games of before had as in the 4th: mended in all of them that begin now (`fixes`).
WHOLE = Frozen({
    "ends_where_alone": RULES.ends_where_alone - {"evasion"},       # who is alone may be intercepted all the same
    "passage_in_cities": True,
    "lone_general_meets_army": False,
    "lone_general_killed_on": 5,
    "lone_general_rolls": "failed",
    "lone_general_withdraws": False,
    "independents_withdraw": False,
    "prestige_in_sieges": "inside",
    "garrison_leaves": True,
    "independents_make_popular": False,
    "lone_general_force_marches": False,
    "recruit_after": "lost",
    "recruits_arrive": "drawn",
    "minors_reinforce": True,
    "resolver": "chance",
    "burial_segments": ("surrender", "tyche", "activation", "forage"),
})


# Mended after that.
REACTIONS = Frozen({
    "lone_general_evaded": False,
    "lone_evader_passes": True,
    "siege_outlasts": "step",
    "forage_apart": True,
})
