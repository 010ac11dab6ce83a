"""16.9 Cavalry: the rule points, and what eleven cards say with it."""

from collections.abc import Mapping
from types import MappingProxyType as Frozen
from typing import Any

from pbem.editions.record import Ruleset

MIXED = Frozen({"mercenary": 1, "cavalry": 1})
COMPANY = Frozen({"mercenary": 2, "cavalry": 1})
GREEKS = Frozen({"cus_in": Frozen({"thessalia": MIXED})})
MACEDONIANS = Frozen({"either": ({"loyal": 1}, {"cavalry": 1})})

# card -> what stands in its parameters instead
CARD_CHANGES: Mapping[str, Mapping[str, Any]] = Frozen({
    "5": GREEKS,
    "6": GREEKS,
    "7": Frozen({"cus": MIXED}),
    "8": Frozen({"cus": MIXED}),
    "12": MACEDONIANS,
    "13": MACEDONIANS,
    "16": Frozen({"either": ({"mercenary": 2}, {"loyal": 1}, {"cavalry": 1})}),
    "26": Frozen({"cus_now": MIXED}),
    "36": Frozen({"either": ({"cus": {"mercenary": 3, "cavalry": 1}, "minor_general": True, "place": "epeiros"},
                              {"cus": {}, "place": "own_general"})}),
    "37": Frozen({"cus": COMPANY}),
    "38": Frozen({"cus": COMPANY}),
    "39": Frozen({"cus": COMPANY}),
    "54": Frozen({"cu_kinds": ("loyal", "royal", "cavalry")}),
})


def cavalry(rules: Ruleset) -> Ruleset:
    """16.9 Cavalry CUs, where they come from, and what they are good for."""
    return rules._replace(
        card_changes=CARD_CHANGES,
        training=Frozen({**rules.training, "cavalry": 6}),
        starting_cus=Frozen({"cavalry": 1}),
        cavalry_provinces=frozenset(
            {"thessalia", "makedonia", "thrake", "armenia", "kappadokia", "media", "persis", "sousiane"}),
        cavalry_siege_mps=1,
        cavalry_disperses=True,
        cavalry_remove_pc_mps=1,
        cavalry_stronghold_column=1,
        cavalry_reaction=1,
        cavalry_battle=1,
        cavalry_pursuit=2,
    )


ELITE: Mapping[str, Mapping[str, Any]] = Frozen({
    "7": Frozen({"cus": MIXED}),
    "26": Frozen({"cus_now": MIXED}),
    "36": Frozen({"either": ({"cus": {"mercenary": 4, "cavalry": 1}, "minor_general": True, "place": "epeiros"},
                              {"cus": {}, "place": "own_general"})}),
})


def elite_cavalry(rules: Ruleset) -> Ruleset:
    """19.9 of the draft: Elite Cavalry, which counts against those who have none."""
    return rules._replace(
        card_changes=ELITE,
        starting_cus=Frozen({"cavalry": 1}),
        cavalry_swapped=2,
        cavalry_gifts=Frozen({"armenia": ("armenia",), "thessalia_and_thrake": ("thessalia", "thrake")}),
        cavalry_treasures=True,
        cavalry_siege_mps=1,
        cavalry_dies=True,
        cavalry_outdoes=True,
        cavalry_reaction=1,
        cavalry_columns=1,
        cavalry_pursuit_columns=1,
    )
