"""Special Abilities (7.1) as one writes them on a line: `battle 4 in Aigyptos`, `siege +1 against independents`."""

import re
from collections.abc import Callable, Mapping
from typing import Any

# What an ability does -> the parameter that says it; `+` where it is added to something.
DOES = {
    "battle": "battle_rating", "siege": "siege_mod+", "enemy siege": "enemy_siege_mod+", "evade on": "evade_target",
    "intercept on": "intercept_target", "local troops": "local_troops_bonus+", "local troops x": "local_troops_factor",
    "prestige": "prestige_bonus+", "attrition": "attrition_roll_mod+", "naval battle": "naval_battle_mod+",
    "elephant rerolls": "elephant_rerolls", "remove pc for": "remove_pc_cost", "enemy evasion": "enemy_evasion_mod+",
    "die": "die_mod+",
}
# When it counts -> the parameter and its word.
WHEN = {
    "against independents": ("target", "independent"), "in surrender": ("segment", "surrender"),
    "when defending": ("when", "defending"), "when inside": ("when", "inside"), "for macedonians": ("for", "macedonian_cus"),
}
GARRISONS = "garrisons"
BY_RULING = re.compile(r'by ruling:\s*"?(.+?)"?', re.IGNORECASE)       # the moderator plays it
EXAMPLES = ("battle 4 in Aigyptos", "siege +1", "siege +1 against independents", "enemy siege -1 when inside", "evade on 3",
            "intercept on 3", "local troops +1 in Karia", "local troops x 2 in Media, Persis", "prestige +1 when defending",
            "attrition -1 for macedonians", "naval battle +1", "elephant rerolls 1", "remove pc for 1", "enemy evasion -1",
            "die +1 of card 24", "garrisons in Hellas", 'by ruling: "He may retire before a battle."', "none")


def written(params: Mapping[str, Any], province: Callable[[str], str]) -> str:
    """An ability as a line has it."""
    if "says" in params:
        return f'by ruling: "{params["says"]}"'
    if params.get("when") == "end_of_activation_segment":
        return f"{GARRISONS} in {province(params['province'])}"
    said = []
    for words, param in DOES.items():
        name = param.rstrip("+")
        if name in params:
            value = params[name]
            said.append(f"{words} {value:+d}" if param.endswith("+") else f"{words} {value}")
    text = " ".join(said)
    for words, (name, word) in WHEN.items():
        if params.get(name) == word:
            text += f" {words}"
    if "card" in params:
        text += f" of card {params['card']}"
    if "provinces" in params:
        text += f" in {', '.join(map(province, params['provinces']))}"
    return text or "none"


def read(text: str, province: Callable[[str], str]) -> dict[str, Any]:
    """The parameters that a line says; ValueError where it says something else."""
    rest = " ".join(text.split())
    if rest.casefold() in ("none", "-"):
        return {}
    if said := BY_RULING.fullmatch(rest):
        return {"says": said[1]}
    found: dict[str, Any] = {}
    for words, (name, word) in WHEN.items():
        shorter = re.sub(rf"\b{words}\b", " ", rest, flags=re.IGNORECASE)
        if shorter != rest:
            found[name], rest = word, " ".join(shorter.split())
    if cut := re.search(r"\bin\b (.+)$", rest, re.IGNORECASE):
        found["provinces"] = [province(one) for one in cut[1].split(",")]
        rest = rest[:cut.start()].strip()
    rest = rest.casefold()
    if rest == GARRISONS and len(found.get("provinces", ())) == 1:
        return {"province": found["provinces"][0], "when": "end_of_activation_segment"}
    if cut := re.search(r" of card (\w+)$", rest):
        found["card"] = cut[1].upper()
        rest = rest[:cut.start()]
    done = re.fullmatch(r"(.*?)\s*([+-]?\d+)", " ".join(rest.split()))
    if done is None:
        raise ValueError(text)
    name = DOES.get(done[1], "")
    if not name:
        raise ValueError(text)
    if done[1] == "local troops" and done[2][0] not in "+-":
        raise ValueError(text)
    return {name.rstrip("+"): int(done[2]), **found}
