"""What a script of a published game can say: its actions, by all the words that they go by, what a step has, words for dice.

`docs/replay.md` shows each with an example, which `tests/dev/test_replay.py` plays.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.base.errors import meant

# An action -> what else it is called.
SPELLINGS: dict[str, tuple[str, ...]] = {
    # phases
    "choose_first_player": ("first_player", "turn_order"), "label_usurper": ("usurper",), "deal_cards": ("deal",), "skip": (),
    "reinforce": ("place_reinforcements", "reinforcements", "place_reinforcement"), "isolation": ("remove_isolated",),
    "end_turn": ("turn_end", "advance_turn"), "score": ("scores", "count"), "none": ("nothing", "pass"), "stay": ("stays",),
    # cards
    "play_card": ("play",), "bonus_event": ("event",), "marriage": ("marry", "wed"),
    "discard_card": ("discard",), "discard_surprise": ("replace_surprise",), "surprise": ("play_surprise", "surprise_card"),
    "train_troops": ("train", "training"), "upgrade_fleet": ("strengthen_fleet",), "retrieve_fleet": ("return_fleet",),
    "recruit": ("recruit_general", "recruit_major_general"),
    # PCs, sieges, pieces
    "place_pc": ("place_pcs", "place_control"), "surrender_pc": ("surrender", "take_surrender"),
    "remove_pc": ("remove_control", "remove_enemy_pc"), "siege": ("besiege", "siege_roll"), "subjugate": ("subjugation",),
    "raise_mercenary": ("raise_mercenaries", "levy"), "place_units": ("place_troops", "gain_units"),
    "place_minor": ("place_minor_general",), "remove_minor": ("remove_minor_general",), "disband": ("disband_units",),
    "bury": ("burial", "bury_alexander"),
    # moving
    "movement_roll": ("roll_movement", "roll_for_movement"), "move": ("march", "land_move"),
    "naval_move": ("sail", "voyage", "sea_move"),
    "force_march": ("forced_march",), "go_inside": ("move_inside", "enter_city"), "come_out": ("move_outside", "leave_city"),
    "independent_move": ("move_independent", "independent_army", "move_independent_army", "activate_independent"),
    # what others answer
    "intercept": ("interception", "land_interception"), "avoid_battle": ("evade", "evasion"),
    "naval_interception": ("naval_intercept", "intercept_at_sea"), "decline_battle": ("withdraw", "withdrawal", "back_off"),
    "grant_passage": ("friendly_passage", "allow_passage"), "refuse_passage": ("deny_passage",),
    "declare_inside": ("city_choice", "stay_inside"), "sortie": ("join_battle",),
    "counterattack": ("interceptor_attacks", "attack"),
    "replace_commander": ("replacement", "take_command"),
    # how it went
    "battle": ("land_battle",), "naval_battle": ("sea_battle", "battle_at_sea"), "losses": ("battle_losses", "lose_units"),
    "retreat": ("retreats",), "unrest": ("unrest_roll", "unrest_table"),
    "general_loss": ("leader_loss", "commander_loss", "commander_check", "death", "general_dies"),
    "attrition": ("attrition_roll",), "capture": ("captured", "capture_royal"), "result": ("roll", "outcome"),
    "overrun": ("overruns",), "elephants": ("elephant_roll",),
    "royals_defect": ("royal_army", "defection"), "lose_champion": ("champion_lost", "becomes_successor"),
    "place_independent_pc": ("place_independent",), "dispersal": ("disperse", "dispersed"), "game_over": ("victory", "win"),
}
CANONICAL = {word: action for action, words in SPELLINGS.items() for word in (action, *words)}

# What a step can say beside expect and derived.
FIELDS = frozenset("""
    id turn round player segment phase action expect derived assume see note text
    general army armies brings units type owner source path mode embarkation escort dropped picked_up left_behind mps mp_cost
    spaces_moved where space spaces target placements placed from card use ops operation effect victim target_general
    random_card draw replaces by bride move_royal hands first direction fleet place_pc inside outside granted
    die dice roll rolls result losses removed marker_to
""".split())

# A purpose for which the rules throw dice -> the words under which a step tells them, beside `dice` and `die` of that purpose;
# those of the last column may also stand under `die`, `dice`, `roll` or `rolls`.
DICE: dict[str, tuple[str, ...]] = {
    "battle": ("battle_rolls",), "naval": ("naval_battle", "sea_battle"), "elephant": ("elephants", "elephant_rolls"),
    "general_loss": ("leader_loss", "commander_loss", "commander_check", "leader"), "lone_general": ("general_check", "caught"),
    "attrition": ("attrition_rolls",), "siege": ("subjugation",), "movement": (), "interception": ("intercept",),
    "evasion": ("avoid_battle",), "unrest": ("unrest_rolls",), "treachery": (), "desertions": (), "failure": (), "ruling": (),
    "province": (), "tie": ("ties",),
}
# Dice that stand beside others in one step are told by their own word only, but in a step of their own.
OWN_STEP = {"elephant": "elephants", "general_loss": "general_loss", "lone_general": "general_loss", "attrition": "attrition"}


def words_for(purpose: str, step: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the dice for this stand in a step, the most particular word first."""
    own = (purpose, f"{purpose}_dice", f"{purpose}_die", f"{purpose}_roll", f"{purpose}_rolls", *DICE.get(purpose, ()))
    shared = ("die", "dice", "roll", "rolls")
    return (*own, *shared) if OWN_STEP.get(purpose, step["action"]) == step["action"] else own


def asked(word: str, known: Iterable[str], line: int) -> str:
    """Where a word stands that nobody knows, and which is the nearest."""
    near = meant(word, known)
    return f"line {line}" + (f"; perhaps {near}" if near else "")


def unread(step: Mapping[str, Any]) -> list[str]:
    """Words of a step that nobody reads."""
    dice = {word for purpose in DICE for word in words_for(purpose, {"action": ""})}
    return [word for word in step if word not in FIELDS and word not in dice]
