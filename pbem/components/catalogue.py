"""Board, generals, family, cards, fleets, tables as plain dicts in engine ids, read once and never changed.

`facts()` reads data/facts.json, which `python -m pbem.components.catalogue` makes of the YAML files beside it. The YAML
alone carries the provenance of every datum (see pbem/components/sources.py).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pbem.base.errors import BadLog, nearest

FACTS_FILE = Path(__file__).parents[1] / "data" / "facts.json"

Table = dict[str, dict[str, Any]]
Override = Mapping[str, Any]


class Facts:
    """What is printed on board, cards and counters. Shared by everybody who asks: nobody may change it."""

    PARTS = ("regions", "provinces", "spaces", "paths", "boxes", "counterparts", "generals", "minors", "independents",
             "royals", "cards", "fleets", "tables")
    __slots__ = (*PARTS, "cards_by_effect", "cards_by_timing")

    regions: Table
    provinces: Table
    spaces: Table
    paths: list[tuple[str, str, str]]
    boxes: Table
    counterparts: list[dict[str, Any]]
    generals: Table
    minors: Table
    independents: Table
    royals: Table
    cards: Table
    fleets: Table
    tables: dict[str, Any]
    cards_by_effect: dict[str, list[str]]       # which cards do it, in the order of the deck
    cards_by_timing: dict[str, list[str]]       # which name this moment

    def __init__(self, tree: Mapping[str, Any]) -> None:
        for part in self.PARTS:
            setattr(self, part, tree[part])
        self.paths = [(a, b, kind) for a, b, kind in tree["paths"]]
        self.tables = _numbered(tree["tables"])
        for general in self.generals.values():
            general["groups"] = _numbered(general["groups"])
        self.cards_by_effect, self.cards_by_timing = {}, {}
        for card, fact in self.cards.items():
            self.cards_by_effect.setdefault(fact["effect_key"], []).append(card)
            for timing in fact["timing"]:
                self.cards_by_timing.setdefault(timing, []).append(card)

    def with_effect(self, effect: str) -> list[dict[str, Any]]:
        """The cards that do this, with what is printed on them."""
        return [self.cards[card] for card in self.cards_by_effect.get(effect, ())]


def facts(overrides: Iterable[Override] = ()) -> Facts:
    """The components, with the corrections of a game: `{datum: generals.kassandros.battle, value: 4}` each.

    A correction may also carry `old` (which must be what is there now), `src` and `reason`.
    """
    corrections = list(overrides)
    if not corrections:
        return _as_shipped()
    tree = _read()
    for correction in corrections:
        correct(tree, correction)
    wrong = problems(tree)
    if wrong:
        raise BadLog("corrections_contradict", problems=wrong, datums=[c.get("datum") for c in corrections])
    return Facts(tree)


@cache
def _as_shipped() -> Facts:
    return Facts(_read())


def _read() -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(FACTS_FILE.read_bytes())
    return tree


def _numbered(node: Any) -> Any:
    """JSON knows only text as keys; tables by die, rating or number of players are asked with numbers."""
    if isinstance(node, dict):
        if node and all(isinstance(key, str) and key.isdigit() for key in node):
            return {int(key): _numbered(value) for key, value in node.items()}
        return {key: _numbered(value) for key, value in node.items()}
    return [_numbered(value) for value in node] if isinstance(node, list) else node


# --- corrections --------------------------------------------------------------------------------------------

def value(datum: str) -> Any:
    """A datum as it is shipped."""
    holder, key = _locate(_read(), datum)
    return holder[key]


def correct(tree: dict[str, Any], correction: Override) -> None:
    """Change one datum in the tree; refused with the nearest names if there is no such datum."""
    strange = set(correction) - {"datum", "value", "old", "src", "reason"}
    if strange or "datum" not in correction or "value" not in correction:
        raise BadLog("correction_form", found=sorted(correction))
    datum = str(correction["datum"])
    if datum.startswith("paths."):
        _correct_path(tree, datum, correction["value"])
        return
    holder, key = _locate(tree, datum)
    now = holder[key]
    if isinstance(now, Mapping) and not isinstance(correction["value"], Mapping):
        raise BadLog("correction_too_wide", datum=datum, parts=sorted(now))
    if "old" in correction and _like(now, correction["old"], datum) != now:
        raise BadLog("correction_of_another_value", datum=datum, old=correction["old"], found=now)
    holder[key] = _like(now, correction["value"], datum)


def _correct_path(tree: dict[str, Any], datum: str, value: Any) -> None:
    """`paths.pella-larisa`: all the path types between the two, as a list, one word, or null for no path."""
    a, _, b = datum.removeprefix("paths.").partition("-")
    for end in (a, b):
        if end not in tree["spaces"]:
            near = [datum.replace(end, space) for space in nearest(end, tree["spaces"])]
            raise BadLog("unknown_datum", datum=datum, nearest=near)
    types = [] if value in (None, "none") else [value] if isinstance(value, str) else list(value)
    others = [p for p in tree["paths"] if {p[0], p[1]} != {a, b}]
    tree["paths"] = others + [[a, b, kind] for kind in types]


def _locate(tree: dict[str, Any], datum: str) -> tuple[Any, Any]:
    """The container and the key that a dotted path means."""
    node: Any = tree
    steps = datum.split(".")
    for depth, step in enumerate(steps):
        keys = _keys(node)
        if step not in keys:
            near = [".".join([*steps[:depth], key]) for key in nearest(step, keys)]
            raise BadLog("unknown_datum", datum=datum, nearest=near or nearest(datum, datums(tree)))
        holder, key = node, keys[step]
        node = holder[key]
    return holder, key


def _keys(node: Any) -> dict[str, Any]:
    """What a step may say here: the keys of a mapping; of table rows their label, roll or key."""
    if isinstance(node, Mapping):
        return {str(key): key for key in node}
    if isinstance(node, list):
        rows = {i: row.get("label", row.get("roll", row.get("key")))
                for i, row in enumerate(node) if isinstance(row, Mapping)}
        return {str(label): i for i, label in rows.items() if label is not None}
    return {}


def datums(tree: Mapping[str, Any]) -> Iterator[str]:
    """Every name that a correction may use for a single value (or list of values)."""
    def below(node: Any, name: str) -> Iterator[str]:
        keys = _keys(node)
        if not keys:
            yield name
        for step, key in keys.items():
            yield from below(node[key], f"{name}.{step}")

    for part, node in tree.items():
        if part == "paths":
            yield from dict.fromkeys(f"paths.{a}-{b}" for a, b, _ in node)
        else:
            yield from below(node, part)


def _like(now: Any, value: Any, datum: str) -> Any:
    """The value in the type of the datum; game files know neither yes nor fractions, these come as text."""
    if isinstance(now, bool):
        words = {"yes": True, "true": True, "no": False, "false": False}
        if not isinstance(value, bool) and str(value).lower() not in words:
            raise BadLog("correction_type", datum=datum, value=value, wanted="bool")
        return value if isinstance(value, bool) else words[str(value).lower()]
    if isinstance(now, float):
        try:
            return float(value)
        except (TypeError, ValueError):
            raise BadLog("correction_type", datum=datum, value=value, wanted="float") from None
    if now is not None and value is not None and type(now) is not type(value):
        raise BadLog("correction_type", datum=datum, value=value, wanted=type(now).__name__)
    return value


# --- validation ---------------------------------------------------------------------------------------------

NUMBER = (int,)
NONE = type(None)

FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "regions": {"name": (str,)},
    "provinces": {"name": (str,), "vp": NUMBER, "majority": NUMBER, "region": (str,), "aliases": (list,)},
    "spaces": {"name": (str,), "kind": (str,), "province": (str,), "port": (bool,), "independent": (list,),
               "hellespont": (bool,), "pontos": (bool,), "siege_modifier": NUMBER, "treasure": (bool,),
               "lat": (float, int), "lon": (float, int), "aliases": (list,)},
    "boxes": {"name": (str,)},
    "generals": {"name": (str,), "seniority": NUMBER, "initiative": NUMBER, "battle": NUMBER,
                 "popularity": NUMBER, "legitimacy": NUMBER, "purple_card": (bool,), "ability": (dict,),
                 "groups": (dict,), "setup": (dict, NONE), "recruit": (dict, NONE), "entry": (str, NONE),
                 "third": (dict, NONE), "aliases": (list,)},
    "minors": {"name": (str,), "color": (str,), "aliases": (list,)},
    "independents": {"name": (str,), "army": (str,), "initiative": NUMBER, "battle": NUMBER, "cus": NUMBER,
                     "start": (str,), "entries": (list,), "active_at_start": (bool,), "card": (str, NONE),
                     "restriction": (dict,), "on_defeat": (str,), "lon": (float, int, NONE),
                     "aliases": (list,)},
    "royals": {"name": (str,), "role": (str,), "legitimacy": NUMBER, "start": (str, NONE),
               "aliases": (list,)},
    "cards": {"number": (str,), "name": (str,), "kind": (str,), "ops": (int, NONE), "optional": (bool,),
              "in_deck_at": (str,), "must_play": (bool,), "timing": (list,), "effect_key": (str,),
              "effect": (str,), "preconditions": (list,), "choices": (list,), "remove_after_event": (bool,),
              "resolved_when_revealed": (bool,), "stand_in": (bool,), "params": (dict,), "cavalry": (str, NONE),
              "clarifications": (list,), "copy_of": (str, NONE), "third": (dict, NONE), "aliases": (list,)},
    "fleets": {"name": (str,), "normal": NUMBER, "upgraded": NUMBER, "control": (dict,), "aliases": (list,)},
}
COUNTS = {"provinces": 33, "spaces": 141, "generals": 20, "minors": 20, "independents": 5, "royals": 8,
          "fleets": 8}
SPACE_KINDS = ("minor", "major", "stronghold", "transit")
PATH_TYPES = ("land", "mountain", "strait", "sea", "trans")
CU_KINDS = ("loyal", "royal", "mercenary", "elephant", "cavalry", "silver", "independent")
FACTIONS = ("red", "blue", "yellow", "black", "green")
GROUPS = ("starting", "reserve", "event", "unavailable")
CARD_KINDS = ("event", "bonus", "surprise")
ABILITIES = frozenset((         # 7.1 what a Special Ability may say so that a rule plays it
    "attrition_roll_mod", "card", "die_mod", "elephant_rerolls", "enemy_evasion_mod", "enemy_siege_mod", "evade_target", "for",
    "intercept_target", "local_troops_bonus", "local_troops_factor", "naval_battle_mod", "prestige_bonus", "province",
    "provinces", "remove_pc_cost", "siege_mod", "target", "when"))


def problems(tree: Mapping[str, Any]) -> list[str]:
    """What does not fit together: unknown or missing keys, types, counts, names that nothing answers to."""
    wrong = [f"{part} is missing" for part in Facts.PARTS if part not in tree]
    wrong += [f"{part}: unknown part" for part in tree if part not in Facts.PARTS]
    if wrong:
        return wrong
    found = [*_wrong_form(tree)]
    return found or [*_wrong_counts(tree), *_wrong_board(tree), *_wrong_pieces(tree), *_wrong_names(tree),
                     *_wrong_tables(tree["tables"])]


def _wrong_form(tree: Mapping[str, Any]) -> Iterator[str]:
    for part, fields in FIELDS.items():
        for entity, datum in tree[part].items():
            for field in sorted(set(fields) ^ set(datum)):
                yield f"{part}.{entity}: {'unknown key' if field in datum else 'no'} {field}"
            for field, types in fields.items():
                value = datum.get(field)
                if field in datum and (not isinstance(value, types) or (value is True or value is False)
                                       and bool not in types):
                    yield f"{part}.{entity}.{field}: {value!r} is no {types[0].__name__}"
    for path in tree["paths"]:
        if len(path) != 3:
            yield f"path {path}: wants two spaces and a type"


def _wrong_counts(tree: Mapping[str, Any]) -> Iterator[str]:
    for part, count in {**COUNTS, "cards": tree["tables"]["deck"]["cards_in_box"]}.items():
        if len(tree[part]) != count:
            yield f"{len(tree[part])} {part}, expected {count}"
    transits = sum(s["kind"] == "transit" for s in tree["spaces"].values())
    if transits != 17:
        yield f"{transits} transit points, expected 17"
    per_faction = [sum(m["color"] == f for m in tree["minors"].values()) for f in FACTIONS]
    if per_faction != [4] * 5:
        yield f"minor generals by faction are {per_faction}, expected 4 each"


def _wrong_board(tree: Mapping[str, Any]) -> Iterator[str]:
    spaces, provinces = tree["spaces"], tree["provinces"]
    for i, p in provinces.items():
        if p["region"] not in tree["regions"]:
            yield f"provinces.{i}: no region {p['region']}"
        countable = [s for s, x in spaces.items() if x["province"] == i and x["kind"] != "transit"]
        majors = [s for s in countable if spaces[s]["kind"] == "major"]
        if p["majority"] != len(countable) // 2 + 1:
            yield f"provinces.{i}: majority {p['majority']}, but {len(countable)} spaces"
        if len(majors) > 1:
            yield f"provinces.{i}: major cities {', '.join(majors)}"
    for i, s in spaces.items():
        if s["province"] not in provinces:
            yield f"spaces.{i}: no province {s['province']}"
        if s["kind"] not in SPACE_KINDS:
            yield f"spaces.{i}: kind {s['kind']}"
        if not set(s["independent"]) <= {2, 3, 4, 5}:
            yield f"spaces.{i}: independent with {s['independent']} players"
    at_sea = {end for a, b, kind in tree["paths"] if kind in ("sea", "trans") for end in (a, b)}
    for i, s in spaces.items():
        if s["port"] != (i in at_sea):
            yield f"spaces.{i}: port is {s['port']}, but it has {'a' if i in at_sea else 'no'} sea path"
    seen = set()
    for a, b, kind in tree["paths"]:
        for end in (a, b):
            if end not in spaces:
                yield f"path {a} - {b}: no space {end}"
        if kind not in PATH_TYPES:
            yield f"path {a} - {b}: type {kind}"
        if a == b or (frozenset((a, b)), kind) in seen:
            yield f"path {a} - {b} ({kind}) is listed twice or leads nowhere"
        seen.add((frozenset((a, b)), kind))


def _wrong_pieces(tree: Mapping[str, Any]) -> Iterator[str]:
    if sorted(g["seniority"] for g in tree["generals"].values()) != list(range(1, 21)):
        yield "generals: seniority is not 1 to 20"
    for i, g in tree["generals"].items():
        if g["initiative"] not in (2, 3, 4) or g["battle"] not in (1, 2, 3, 4):
            yield f"generals.{i}: ratings {g['initiative']}/{g['battle']}"
        for unknown in sorted(set(g["ability"].get("params", {})) - ABILITIES):
            yield f"generals.{i}: no rule plays an ability with {unknown}"
        if not set(g["groups"].values()) <= set(GROUPS):
            yield f"generals.{i}: groups {g['groups']}"
    for i, c in tree["cards"].items():
        if c["kind"] not in CARD_KINDS:
            yield f"cards.{i}: kind {c['kind']}"
        if (c["kind"] == "surprise") != (c["ops"] is None) or c["ops"] not in (None, 1, 2, 3, 4):
            yield f"cards.{i}: a {c['kind']} card with OPs {c['ops']}"
    for i, f in tree["fleets"].items():
        if f["upgraded"] <= f["normal"]:
            yield f"fleets.{i}: upgraded {f['upgraded']}, normal {f['normal']}"


def _wrong_names(tree: Mapping[str, Any]) -> Iterator[str]:
    """Names that nothing answers to, wherever the tree speaks of a space, a card, a CU kind and so on."""
    spaces, provinces = set(tree["spaces"]), set(tree["provinces"])
    known = {
        "spaces": spaces, "cities": spaces, "excluded_spaces": spaces, "entries": spaces, "space": spaces,
        "start": spaces | {"box", "royal_family", None}, "cus": set(CU_KINDS), "cu": set(CU_KINDS),
        "cu_kinds": set(CU_KINDS), "province": provinces, "provinces": provinces,
        "preferred": provinces | {"port"}, "remove_on_entering": provinces,
        "lord_of_asia_provinces": provinces,
        "army": set(tree["independents"]), "royal": set(tree["royals"]), "royals": set(tree["royals"]),
        "card": set(tree["cards"]) | {None}, "copy_of": set(tree["cards"]) | {None},
        "general": set(tree["generals"]), "fleet": set(tree["fleets"]), "color": set(FACTIONS),
    }

    def below(node: Any, where: str) -> Iterator[str]:
        if isinstance(node, list):
            for value in node:
                yield from below(value, where)
        if not isinstance(node, Mapping):
            return
        for key, value in node.items():
            if key in known and not (key == "army" and where.startswith("independents")):
                for name in _names_in(list(value) if key == "cus" and isinstance(value, Mapping) else value):
                    if name not in known[key]:
                        yield f"{where}.{key}: nothing is called {name}"
            yield from below(value, f"{where}.{key}")

    for part in ("spaces", "generals", "minors", "independents", "royals", "cards", "counterparts", "tables"):
        yield from below(tree[part], part)
    for i, f in tree["fleets"].items():
        owners = {"province": provinces, "major_city": spaces, "card": set(tree["cards"])}
        if f["control"].get("place") not in owners.get(f["control"].get("type"), set()):
            yield f"fleets.{i}: control {f['control']}"


def _names_in(value: Any) -> list[str | None]:
    """One name or a list of names; anything else is a structure of its own."""
    if value is None or isinstance(value, str):
        return [value]
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _wrong_tables(tables: Mapping[str, Any]) -> Iterator[str]:
    import re

    big = (("battle", "scores", 11, r"\d+"), ("attrition", "results", 6, r"-|e|\d+e?"))
    for key, row, cells, form in big:
        expect: int | None = 1
        for column in tables[key]["columns"]:
            if column["min"] != expect:
                yield f"tables.{key}: columns leave a gap before {column['label']}"
            if len(column[row]) != cells:
                yield f"tables.{key}: column {column['label']} has {len(column[row])} cells, expected {cells}"
            if not all(re.fullmatch(form, str(cell)) for cell in column[row]):
                yield f"tables.{key}: column {column['label']} holds {column[row]}"
            expect = None if column["max"] is None else column["max"] + 1
        if expect is not None:
            yield f"tables.{key}: the last column is not open"
    if len(tables["elephant_die"]["faces"]) != 6:
        yield "tables.elephant_die: a die has six faces"
    for rating, mps in tables["movement"]["rows"].items():
        if len(mps) != 6:
            yield f"tables.movement: rating {rating} has {len(mps)} cells, expected 6"


# --- facts.json ---------------------------------------------------------------------------------------------

def written(tree: Mapping[str, Any]) -> str:
    """The tree as text: keys sorted, one entity a line, so that a diff of two versions can be read."""
    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    parts = []
    for part in sorted(tree):
        node = tree[part]
        if isinstance(node, Mapping):
            # file order is kept inside a part: it is the order of the board, and what reports list by
            rows = ",\n".join(f"{line(key)}:{line(value)}" for key, value in node.items())
            parts.append(f"{line(part)}:{{\n{rows}}}")
        else:
            rows = ",\n".join(line(value) for value in node)
            parts.append(f"{line(part)}:[\n{rows}]")
    return "{" + ",\n".join(parts) + "}\n"


def main() -> None:
    """Make facts.json anew from the YAML files."""
    from pbem.components.sources import tree

    made = tree()
    wrong = problems(made)
    if wrong:
        raise SystemExit("\n".join(wrong))
    FACTS_FILE.write_text(written(made), encoding="utf-8")


if __name__ == "__main__":
    main()
