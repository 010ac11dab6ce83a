"""The draft of the 4th edition: what it has otherwise than the final text."""

from dataclasses import replace

from pbem.editions import fourth

RULES = replace(
    fourth.RULES,
    name="draft",
    land_movement=(
        "city_choice", "evasion", "free_passage", "interception", "withdrawal", "general_vs_general",
        "champion_status", "army_vs_general", "overrun", "royal_army", "land_battle",
    ),
    passage_broken_by="both",
    lone_general_intercepts=False,
    abilities=False,
    heirs_counted="chosen",
)
