"""Which kind of value stands for each datum of the components.

What is printed on the board and the counters is listed here. The tables, and what a card says in `params`, are of the kind
of what is shipped: a rule that reads a number there can read another number, and a word only where some card says it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pbem.components.kinds import (
    YES_NO,
    Kind,
    Misfit,
    Strange,
    keyed,
    like,
    maybe,
    name_of,
    one_of,
    real,
    record,
    several,
    text,
    whole,
)
from pbem.components.shipped import shipped

SPACE_KINDS = ("minor", "major", "stronghold", "transit")
PATH_TYPES = ("land", "mountain", "strait", "sea", "trans")
CU_KINDS = ("loyal", "royal", "mercenary", "elephant", "cavalry", "silver", "independent")
FACTIONS = ("red", "blue", "yellow", "black", "green")
GROUPS = ("starting", "reserve", "event", "unavailable")
CARD_KINDS = ("event", "bonus", "surprise")
PLAYERS = ("2", "3", "4", "5")
BY_RULING = "by_ruling"             # the effect of a card that the moderator plays
MOMENTS = ("own_tyche_segment", "any_time_strategy_phase", "before_land_battle", "when_general_killed")     # when he can

NAME = text()
NAMES = several(text("Pella"))
SPACE, SPACES = name_of("spaces", "pella"), several(name_of("spaces", "pella"))
PROVINCE, PROVINCES = name_of("provinces", "hellas"), several(name_of("provinces", "hellas"))
CUS = keyed(CU_KINDS, whole(0, 20, 2))
MODIFIER = whole(-5, 5, 1)

# 7.1 What a Special Ability may say so that a rule plays it
ABILITIES: Mapping[str, Kind] = {
    "attrition_roll_mod": MODIFIER, "battle_rating": whole(0, 6, 4), "card": name_of("cards", "24"), "die_mod": MODIFIER,
    "elephant_rerolls": whole(0, 9, 1), "enemy_evasion_mod": MODIFIER, "enemy_siege_mod": MODIFIER,
    "evade_target": whole(1, 6, 3), "for": one_of("macedonian_cus"), "intercept_target": whole(1, 6, 3),
    "local_troops_bonus": MODIFIER, "local_troops_factor": whole(1, 5, 2), "naval_battle_mod": MODIFIER,
    "prestige_bonus": MODIFIER, "province": PROVINCE, "provinces": PROVINCES, "remove_pc_cost": whole(0, 4, 1),
    "says": text("He may retire before a battle."), "segment": one_of("surrender"), "siege_mod": MODIFIER,
    "target": one_of("independent"),
    "when": one_of("defending", "inside", "end_of_activation_segment"),
}
# Under which conditions each of them can work: the rule that plays it looks at no others.
CONDITIONS: Mapping[str, Mapping[str, str | None]] = {
    "battle_rating": {"provinces": None}, "siege_mod": {"provinces": None, "target": "independent", "segment": "surrender"},
    "enemy_siege_mod": {"provinces": None, "when": "inside"}, "evade_target": {"provinces": None},
    "intercept_target": {"provinces": None}, "local_troops_bonus": {"provinces": None},
    "local_troops_factor": {"provinces": None}, "prestige_bonus": {"provinces": None, "when": "defending"},
    "naval_battle_mod": {"provinces": None}, "attrition_roll_mod": {"provinces": None, "for": "macedonian_cus"},
    "elephant_rerolls": {"provinces": None}, "remove_pc_cost": {"provinces": None}, "enemy_evasion_mod": {"provinces": None},
    "die_mod": {"card": None}, "says": {},
}


def loose(fields: Mapping[str, Kind]) -> Kind:
    """A mapping that may have any of these fields."""
    def convert(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ValueError
        made = {}
        for key, one in value.items():
            if key not in fields:
                raise Strange(kind, one, str(key))
            try:
                made[str(key)] = fields[key].read(one)
            except Misfit as misfit:
                raise misfit.inside(str(key)) from None
        return made

    example = {key: one.example for key, one in list(fields.items())[:1]}
    kind = Kind("dict", example, convert, known=tuple(fields), fields=dict(fields))
    return kind


def either(*kinds: Kind) -> Kind:
    """Of one kind or another."""
    def convert(value: Any) -> Any:
        for kind in kinds:
            try:
                return kind.read(value)
            except Misfit:
                continue
        raise ValueError

    wide = next((kind for kind in kinds if kind.is_wide), kinds[0])
    return replace(kinds[0], convert=convert, fields=wide.fields, each=wide.each)


ABILITY = record({"key": text("besieger"), "text": text("adds 1 to his Siege rolls", empty=True), "params": loose(ABILITIES),
                  "on_by_default": YES_NO}, {"text": "", "on_by_default": True})
START = record({"spaces": SPACES, "province": PROVINCE, "cus": CUS})
SETUP = record({"spaces": SPACES, "province": PROVINCE, "pcs": whole(0, 20, 4), "cus": CUS,
                "royals": several(name_of("royals", "alexandros")), "vp": whole(0, 40, 3), "legitimacy": whole(0, 20, 0)},
               {"royals": []})
RECRUIT = record({"cus": CUS, "preferred": name_of("provinces", "hellas", "port"),
                  "only_after": maybe(name_of("generals", "antipatros"))}, {"only_after": None})
THIRD_GENERAL = record({"name": NAME, "initiative": maybe(whole(1, 5, 3)), "battle": maybe(whole(0, 6, 3)),
                        "prestige": whole(-9, 9, 0), "legitimacy": whole(-9, 12, 0), "stars": maybe(whole(0, 5, 2)),
                        "notes": text(empty=True), "start": maybe(START)}, {"notes": "", "start": None})
THIRD_CARD = record({"number": text("12"), "name": NAME, "kind": one_of(*CARD_KINDS), "ops": maybe(whole(1, 4, 3)),
                     "must_play": YES_NO, "remove_after_event": YES_NO,
                     "effect_difference": maybe(text("as printed", empty=True))}, {"effect_difference": None})
GROUP = record({players: one_of(*GROUPS) for players in PLAYERS})
RESTRICTION = loose({"key": text("provinces_only"), "provinces": PROVINCES, "excluded_spaces": SPACES,
                     "remove_on_entering": PROVINCE})
CONTROL = record({"type": one_of("province", "major_city", "card"), "place": text("karia")})
CHOICES = several(record({"by": text("player"), "pick": text("space"), "from": text("own spaces")}))


def entity(fields: Mapping[str, Kind], usual: Mapping[str, Any] | None = None) -> Kind:
    """A thing of the box: everything that is said of it."""
    return record(fields, {"aliases": [], **(usual or {})} if "aliases" in fields else usual, "entity")


def the_kinds(of: Mapping[str, Any]) -> Mapping[str, Kind]:
    """Part -> the kind of each thing in it; `of` are the data that say what tables and cards can be like."""
    return {
        "regions": entity({"name": NAME}),
        "provinces": entity({"name": NAME, "vp": whole(0, 20, 3), "majority": whole(1, 40, 3),
                             "region": name_of("regions", "asia"), "aliases": NAMES}),
        "spaces": entity(
            {"name": NAME, "kind": one_of(*SPACE_KINDS), "province": PROVINCE, "port": YES_NO,
             "independent": several(whole(2, 5)), "hellespont": YES_NO, "pontos": YES_NO, "siege_modifier": whole(-5, 5, -1),
             "treasure": YES_NO, "lat": real(-90, 90, 40.76), "lon": real(-180, 180, 22.52), "aliases": NAMES},
            {"port": False, "independent": [], "hellespont": False, "pontos": False, "siege_modifier": 0, "treasure": False,
             "lat": 0.0, "lon": 0.0}),
        "boxes": entity({"name": NAME}),
        "generals": entity(
            {"name": NAME, "seniority": whole(1, 99, 7), "initiative": whole(1, 5, 3), "battle": whole(0, 6, 4),
             "popularity": whole(-9, 9, 0), "legitimacy": whole(-9, 12, 0), "purple_card": YES_NO, "ability": ABILITY,
             "groups": GROUP, "setup": maybe(SETUP), "recruit": maybe(RECRUIT), "entry": maybe(text("event of card 37")),
             "third": maybe(THIRD_GENERAL), "aliases": NAMES},
            {"popularity": 0, "legitimacy": 0, "purple_card": False, "setup": None, "recruit": None, "entry": None,
             "third": None, "groups": dict.fromkeys(PLAYERS, "unavailable"),
             "ability": {"key": "none", "text": "", "params": {}, "on_by_default": True}}),
        "minors": entity({"name": NAME, "color": one_of(*FACTIONS), "aliases": NAMES}),
        "independents": entity(
            {"name": NAME, "army": NAME, "initiative": whole(1, 5, 3), "battle": whole(0, 6, 2), "cus": whole(1, 30, 5),
             "start": name_of("spaces", "lamia", "box"), "entries": SPACES, "active_at_start": YES_NO,
             "card": maybe(name_of("cards", "35")), "restriction": RESTRICTION, "on_defeat": one_of("remove", "box"),
             "lon": maybe(real(-180, 180, 22.5)), "aliases": NAMES}),
        "royals": entity({"name": NAME, "role": one_of("heir", "female", "cart", "tomb"), "legitimacy": whole(-9, 20, 3),
                          "start": maybe(name_of("spaces", "pella", "royal_family")), "aliases": NAMES}),
        "cards": entity(
            {"number": text("12"), "name": NAME, "kind": one_of(*CARD_KINDS), "ops": maybe(whole(1, 4, 3)), "optional": YES_NO,
             "in_deck_at": one_of("start", "after_47A_event", "if_chosen"), "must_play": YES_NO,
             "timing": several(one_of(*_seen(of, "timing"))), "effect_key": one_of(*_effects(of)),
             "effect": text("Place 2 mercenaries.", empty=True), "preconditions": several(text("an own PC is there")),
             "choices": CHOICES, "remove_after_event": YES_NO, "resolved_when_revealed": YES_NO, "stand_in": YES_NO,
             "params": loose(_params(of)), "cavalry": maybe(text("may be cavalry")), "clarifications": several(text("see 9.3")),
             "copy_of": maybe(name_of("cards", "20")), "third": maybe(THIRD_CARD), "aliases": NAMES},
            {"optional": False, "in_deck_at": "start", "must_play": False, "timing": ["own_tyche_segment"], "preconditions": [],
             "choices": [], "remove_after_event": False, "resolved_when_revealed": False, "stand_in": False, "params": {},
             "cavalry": None, "clarifications": [], "copy_of": None, "third": None}),
        "fleets": entity({"name": NAME, "normal": whole(0, 9, 1), "upgraded": whole(0, 9, 2), "control": CONTROL,
                          "aliases": NAMES}),
    }


COUNTERPARTS = several(record({"name": NAME, "space": SPACE, "editions": several(one_of(3, "draft"))}))


def _seen(of: Mapping[str, Any], field: str) -> list[str]:
    return list(dict.fromkeys(word for card in of["cards"].values() for word in card[field]))


def _effects(of: Mapping[str, Any]) -> list[str]:
    return [*dict.fromkeys(card["effect_key"] for card in of["cards"].values()), BY_RULING]


# --- kinds of what is shipped ------------------------------------------------------------------------------------

# A word in one of these fields names a thing of the box.
NAMING: Mapping[str, Kind] = {
    "province": PROVINCE, "provinces": PROVINCE, "lord_of_asia_provinces": PROVINCE, "cities": SPACE,
    "general": name_of("generals", "kassandros"), "royal": name_of("royals", "olympias"), "fleet": name_of("fleets", "kilikia"),
    "army": name_of("independents", "philon"), "replaced_by": name_of("cards", "47B"), "except": name_of("cards", "58"),
    "left_out_at_start": name_of("cards", "47B"),
}


def _params(of: Mapping[str, Any]) -> dict[str, Kind]:
    """What cards say -> the kind of it."""
    samples: dict[str, list[Any]] = {}
    for card in of["cards"].values():
        for key, value in card["params"].items():
            samples.setdefault(key, []).append(value)
    return {**{key: alike(values, key, seen=True) for key, values in samples.items()}, "says": text("Place 2 mercenaries.")}


def alike(samples: Iterable[Any], field: str = "", *, seen: bool = False) -> Kind:
    """The kind of these values; with `seen`, a word is one of those that stand there."""
    kinds: list[Kind] = []
    nothing = False
    groups: dict[type, list[Any]] = {}
    for value in samples:
        groups.setdefault(type(value), []).append(value)
    for sort, values in groups.items():
        if sort is type(None):
            nothing = True
        if sort is bool:
            kinds.append(YES_NO)
        elif sort is int:
            kinds.append(whole(min(-20, *values, 0), max(99, *values, 0), values[0]))
        elif sort is float:
            kinds.append(real(-999, 999, values[0]))
        elif sort is str and field in NAMING:
            kinds.append(NAMING[field])
        elif sort is str:
            kinds.append(one_of(*dict.fromkeys(values)) if seen else text(values[0], empty=True))
        elif sort is list:
            inner = [one for value in values for one in value]
            kinds.append(several(alike(inner or [""], field, seen=seen and bool(inner))))
        elif sort is dict:
            kinds.append(_mapping(values, field, seen=seen))
    made = kinds[0] if len(kinds) == 1 else either(*kinds) if kinds else text("none", empty=True)
    return maybe(made) if nothing else made


def _mapping(values: list[Any], field: str, *, seen: bool) -> Kind:
    parts: dict[str, list[Any]] = {}
    for value in values:
        for key, one in value.items():
            parts.setdefault(str(key), []).append(one)
    if parts and set(parts) <= set(CU_KINDS) and seen:
        return CUS
    fields = {key: alike(samples, key if key != "either" else field, seen=seen) for key, samples in parts.items()}
    return loose(fields) if seen or len(values) > 1 else record(fields)


# --- tables ------------------------------------------------------------------------------------------------------

LABEL = like(r"\d{1,2}(-\d{1,2}|\+)?", "11-12")
RESULT = like(r"-|e|\d{1,2}e?", "1e")


def column(cells: str, each: Kind, number: int) -> Kind:
    """A column of the two big tables: its bounds are what its label says, unless they are named."""
    fields = {"label": LABEL, "min": whole(1, 99, 8), "max": maybe(whole(1, 99, 8)), cells: several(each, number)}
    plain = record(fields)

    def convert(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ValueError
        label = str(value.get("label", ""))
        low, _, high = label.rstrip("+").partition("-")
        bounds = {"min": low or None, "max": None if label.endswith("+") else high or low or None}
        return dict(plain.read({**bounds, **value}))

    return Kind("dict", {"label": "8", cells: [each.example] * number}, convert, known=plain.known, fields=fields)


def table_kinds(of: Mapping[str, Any]) -> Kind:
    """All tables, each of the kind of what is shipped."""
    made = {}
    for key, table in of["tables"].items():
        made[key] = alike([_plain(table)], key)
    battle, attrition = made["battle"], made["attrition"]
    made["battle"] = record({**battle.fields, "columns": several(column("scores", whole(0, 99, 4), 11))})
    made["attrition"] = record({**attrition.fields, "columns": several(column("results", RESULT, 6))})
    rows = {rating: several(whole(0, 9, 2), 6) for rating in map(str, of["tables"]["movement"]["rows"])}
    made["movement"] = record({**made["movement"].fields, "rows": record(rows)})
    made["elephant_die"] = record({**made["elephant_die"].fields, "faces": several(whole(0, 20, 0), 6)})
    siege = made["siege"]
    row = record({"roll": text(">=8"), "min": maybe(whole(-9, 20, 8)), "max": maybe(whole(-9, 20, 8)),
                  "points": whole(0, 9, 1), "loss": whole(0, 9, 1)})
    modifier = record({"key": text("rhodos"), "value": either(MODIFIER, one_of("map")), "when": text(empty=True),
                       "edition": one_of("both", "4", "3")})
    made["siege"] = record({**siege.fields, "rows": several(row), "modifiers": several(modifier)})
    made["third_edition"] = record({key: several(alike(rows, key) if key != "cards" else _third_cards(rows))
                                    for key, rows in of["tables"]["third_edition"].items()})
    return record(made)


def _third_cards(rows: list[Any]) -> Kind:
    return loose({"number": maybe(text("61")), "name": NAME, "kind": one_of(*CARD_KINDS),
                  "general": name_of("generals", "eumenes"), "only": text("2 player option 2")})


def _plain(node: Any) -> Any:
    """Keys as texts, as JSON has them."""
    if isinstance(node, Mapping):
        return {str(key): _plain(value) for key, value in node.items()}
    return [_plain(value) for value in node] if isinstance(node, list) else node


def parts_of() -> Mapping[str, Kind]:
    """The kinds of the shipped data."""
    return parts_of_box("")


@cache
def parts_of_box(edition: str) -> Mapping[str, Kind]:
    """The kinds of the data of another edition's box."""
    return all_kinds(shipped(edition))


def all_kinds(of: Mapping[str, Any]) -> Mapping[str, Kind]:
    return {**the_kinds(of), "tables": table_kinds(of), "counterparts": COUNTERPARTS}
