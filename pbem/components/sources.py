"""The YAML of the data folder: made into the tree that facts.json holds, and asked where a datum comes from.

Nothing in play reads YAML (parsing it takes longer than everything else at start-up). This module serves
`python -m pbem.components.catalogue`, the worksheet and the tests.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"
FILES = ("board", "cards", "generals", "fleets", "tables", "royals", "otherwise")

Tree = dict[str, Any]

# The files were written with the words of the counters; the engine has one word for each piece.
ENGINE_WORDS = {
    "loyal_macedonian": "loyal",
    "royal_army": "royal",
    "silver_shields": "silver",
    "independent_cu": "independent",
    "funeral_cart": "cart",
    "holding_box": "box",
    "Pontos Euxeinos": "pontos",
    "any port": "port",
    "trans_mediterranean": "trans",
    "options": "either",                            # rule code has another use for the word
    "cu_options": "cu_kinds",
}
PROVINCE_FIELDS = {"province", "provinces", "preferred", "place", "remove_on_entering",
                   "lord_of_asia_provinces"}
SPACE_FIELDS = {"spaces", "cities", "excluded_spaces"}
PROVENANCE_FIELDS = {"src", "ref", "prov", "name_prov", "faction_src", "loss_src"}


@cache
def files() -> Mapping[str, Any]:
    """Every data file by its name, as parsed."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {name: yaml.load((DATA / f"{name}.yaml").read_bytes(), loader) for name in FILES}


# --- the tree of facts --------------------------------------------------------------------------------------

def tree() -> Tree:
    """All data in engine ids and without provenance: what facts.json holds."""
    board, generals, fleets = files()["board"], files()["generals"], files()["fleets"]
    name = Translator(board)
    return {
        "regions": {r["id"]: {"name": r["name"]} for r in board["regions"]},
        "provinces": {p["id"]: _province(p) for p in board["provinces"]},
        "spaces": {s["id"]: _space(s) for s in board["spaces"]},
        "paths": [[p["a"], p["b"], p["type"]] for p in board["paths"]],
        "boxes": {b["id"]: {"name": b["name"]} for b in board["holding_boxes"]},
        "counterparts": [{k: c[k] for k in ("name", "space", "editions")} for c in board["counterparts"]],
        "generals": {g["id"]: _general(g, name) for g in generals["major_generals"]},
        "minors": {m["id"]: _minor(m) for m in generals["minor_generals"]},
        "independents": dict(_independents(name)),
        "royals": {r["id"]: _royal(r) for r in files()["royals"]["royals"]},
        "cards": dict(_cards(name)),
        "fleets": {f["id"]: _fleet(f, name) for f in fleets["fleets"]},
        "tables": _tables(name),
    }


class Translator:
    """Display names and counter words of the files -> engine ids."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.provinces = _by_spelling(board["provinces"])
        self.spaces = _by_spelling(s for s in board["spaces"] if s["kind"] != "transit")
        self.province_of = {s["id"]: s["province"] for s in board["spaces"]}

    def __call__(self, value: Any, field: str = "") -> Any:
        """The value without provenance and in ids; `field` says what a bare name means."""
        if isinstance(value, Mapping):
            return {self.word(k): self(v, k) for k, v in value.items() if k not in PROVENANCE_FIELDS}
        if isinstance(value, list):
            return list(dict.fromkeys(self(v, field) for v in value)) if field in PROVINCE_FIELDS else [
                self(v, field) for v in value]
        if not isinstance(value, str):
            return value
        if field in PROVINCE_FIELDS:
            return self.province(value)
        if field in SPACE_FIELDS:
            return self.space(value)
        return self.word(value)

    def word(self, text: str) -> str:
        return ENGINE_WORDS.get(text, text)

    def province(self, text: str) -> str:
        """A province by any spelling; the 3rd edition also has provinces that became a space of another."""
        key = text.lower()
        if key in self.provinces:
            return self.provinces[key]
        return self.province_of[self.spaces[key]] if key in self.spaces else self.word(text)

    def space(self, text: str) -> str:
        return self.spaces.get(text.lower(), self.word(text))

    def start_spaces(self, texts: list[str], province: str) -> list[str]:
        """4.6: named spaces, or `any in Thrake`, or `any in Kappadokia except Komana`."""
        if not texts[0].startswith("any"):
            return [self.space(t) for t in texts]
        _, _, barred = texts[0].partition(" except ")
        return [s for s in self.spaces_of(province) if s != self.space(barred)]

    def spaces_of(self, province: str) -> list[str]:
        return [s for s in dict.fromkeys(self.spaces.values()) if self.province_of[s] == province]


def _by_spelling(things: Any) -> dict[str, str]:
    return {text.lower(): x["id"] for x in things for text in (x["name"], *x["aliases"])}


def _aliases(thing: Mapping[str, Any]) -> list[str]:
    """All spellings besides the name in one flat list, whatever edition or language."""
    given = thing.get("aliases") or []
    spellings = list(given.values()) if isinstance(given, Mapping) else list(given)
    third = (thing.get("third_edition") or {}).get("name")
    everything = [a.removesuffix(" (counter name)") for a in (*spellings, *([third] if third else []))]
    return [a for a in dict.fromkeys(everything) if a != thing.get("name")]


def _province(p: Mapping[str, Any]) -> Tree:
    return {"name": p["name"], "vp": p["vp"], "majority": p["majority"], "region": p["region"],
            "aliases": _aliases(p)}


def _space(s: Mapping[str, Any]) -> Tree:
    return {
        "name": s["name"],
        "kind": s["kind"],
        "province": s["province"],
        "port": s["port"],
        "independent": s.get("independent", []),
        "hellespont": s.get("hellespont", False),
        "pontos": s.get("pontos", False),
        "siege_modifier": s.get("siege_modifier", 0),
        "treasure": s.get("treasure", False),
        "lat": s["lat"],
        "lon": s["lon"],
        "aliases": _aliases(s),
    }


def _general(g: Mapping[str, Any], name: Translator) -> Tree:
    made = {key: g[key] for key in ("name", "seniority", "initiative", "battle", "popularity", "legitimacy",
                                    "purple_card")}
    ability = g["ability"]
    made["ability"] = {"key": ability["key"], "params": name(ability["params"]), "text": ability["text"],
                       "on_by_default": ability["on_by_default"]}
    made["groups"] = dict(g["group_by_players"])
    made["setup"] = _setup(g["setup"], name) if "setup" in g else None
    made["recruit"] = name(g["recruit"]) if "recruit" in g else None
    made["entry"] = g["entry"]["how"] if "entry" in g else None
    made["third"] = _general_of_third(g["third_edition"], name) if g["third_edition"] else None
    made["aliases"] = _aliases(g)
    if made["recruit"]:
        made["recruit"]["only_after"] = "antipatros" if "only_after" in g["recruit"] else None
    return made


def _setup(setup: Mapping[str, Any], name: Translator) -> Tree:
    """4.6. What comes with control of a province (its Fleet, the L of Makedonia) is derived, not listed."""
    province = name.province(setup["province"])
    royals = [name.word(x) for x in setup["extras"] if ":" not in x and x != "makedonia_legitimacy"]
    return {"spaces": name.start_spaces(setup["spaces"], province), "province": province, "pcs": setup["pcs"],
            "cus": name(setup["cus"]), "royals": royals, "vp": setup["vp"], "legitimacy": setup["legitimacy"]}


def _general_of_third(third: Mapping[str, Any], name: Translator) -> Tree:
    made = {key: third[key] for key in ("name", "initiative", "battle", "prestige", "legitimacy")}
    made["stars"] = third["rank_stars"]
    made["notes"] = third.get("notes", "")
    start = third.get("start")
    if start and "province" in start:
        province = name.province(start["province"])
        made["start"] = {"spaces": name.start_spaces([start["space"]], province), "province": province,
                         "cus": name(start["cus"])}
    else:
        made["start"] = None
    return made


def _minor(m: Mapping[str, Any]) -> Tree:
    return {"name": m["name"], "color": m["faction"], "aliases": _aliases(m)}


def _independents(name: Translator) -> Iterator[tuple[str, Tree]]:
    """9.5. The ratings stand in generals.yaml, where the army starts and enters in board.yaml."""
    on_board = {a["id"]: a for a in files()["board"]["independent_armies"]}
    for army in files()["generals"]["independent_armies"]:
        place = on_board[army["id"]]
        yield army["id"], {
            "name": army["general"],
            "army": army["army"],
            "initiative": army["initiative"],
            "battle": army["battle"],
            "cus": army["cus"],
            "start": place["start"],
            "entries": place.get("entries", []),
            "active_at_start": army["active_at_start"],
            "card": army["activation_card"],
            "restriction": name(army["restriction"]),
            "on_defeat": "remove" if army["on_defeat"] == "remove_from_game" else "box",
            "lon": place.get("lon"),
            "aliases": [army["army"], *_aliases(army)],
        }


def _royal(r: Mapping[str, Any]) -> Tree:
    return {**{key: r[key] for key in ("name", "role", "legitimacy", "start")}, "aliases": _aliases(r)}


def _cards(name: Translator) -> Iterator[tuple[str, Tree]]:
    first_of: dict[str, str] = {}
    for card in files()["cards"]["cards"]:
        made = {key: card[key] for key in (
            "number", "name", "kind", "ops", "optional", "in_deck_at", "must_play", "timing", "effect_key",
            "effect", "preconditions", "choices", "remove_after_event", "resolved_when_revealed")}
        made["params"] = name(card["params"])
        made["cavalry"] = card.get("cavalry_rule")
        made["clarifications"] = card.get("clarifications", [])
        made["copy_of"] = first_of.get(card["name"]) if "copy" in card["prov"] else None
        first_of.setdefault(card["name"], card["id"])
        made["stand_in"] = card["prov"]["effect"]["src"] == "reconstructed"
        third = card["third_edition"]
        made["third"] = third and {key: third.get(key) for key in (
            "number", "name", "kind", "ops", "must_play", "remove_after_event", "effect_difference")}
        made["aliases"] = _aliases(card)
        yield card["id"], made


def _fleet(f: Mapping[str, Any], name: Translator) -> Tree:
    control = f["control"]
    place = control["place"]
    if control["type"] == "province":
        place = name.province(place)
    elif control["type"] == "major_city":
        place = name.space(place)
    return {"name": f["name"], "normal": f["normal"], "upgraded": f["upgraded"],
            "control": {"type": control["type"], "place": place}, "aliases": _aliases(f)}


SHORT_NAMES = {"combat_strength": "strength", "training_costs": "training", "mp_action_costs": "mp_costs",
               "inside_major_city_max_cus": "inside_limit", "movement_allowance_table": "movement"}


def _table_name(key: str) -> str:
    return SHORT_NAMES.get(key, key.removesuffix("_table"))


def _tables(name: Translator) -> Tree:
    """Every table under its own name (`battle_table` is `battle`), and the small rules of the other files."""
    given = files()["tables"]
    left_out = {"format", "sources", "text_variants"}
    made = {_table_name(key): name(value) for key, value in given.items() if key not in left_out}
    for key, table in made.items():
        if set(table) == {"value"}:
            made[key] = table["value"]
        else:
            table.pop("what", None)
    made["deck"] = name(files()["cards"]["deck"])
    made["fleets"] = name(files()["fleets"]["rules"])
    made["generals"] = name(files()["generals"]["rules"])
    made["independent_armies"] = name(files()["generals"]["independent_army_rules"])
    ratings = files()["generals"]["minor_generals"][0]      # 7.1 C: all alike
    made["minor_general"] = {key: ratings[key] for key in ("initiative", "battle", "seniority")}
    made["third_edition"] = {
        "cards": [name(c) for c in files()["cards"]["third_edition_only"]["cards"]],
        "fleets": [name({**f, "aliases": []}) for f in files()["fleets"]["third_edition_only"]],
    }
    return made


# --- where a datum comes from -------------------------------------------------------------------------------

FIRM = ("box", "seed", "public")
WEAKEST_FIRST = ("reconstructed", "recalled", "public", "seed", "box")

# `seed E4-008` in board.yaml; {src, ref, carried, designed_parts} in the others; or several of them by field
Source = Any


def provenance(datum: str) -> str:
    """Where a datum (`generals.kassandros.battle`) comes from: its src, then what the file says about it.

    An entity without a field (`cards.10`) answers with its weakest field. KeyError if there is no such datum.
    """
    group, _, rest = datum.partition(".")
    if group == "paths":
        return _spelt(_path_source(rest))
    if group == "tables":
        return _spelt(_table_source(rest.split(".")))
    entity, _, field = rest.partition(".")
    sources = _sources_of(group, entity)
    return _spelt(sources[field.partition(".")[0]] if field else sources)


def is_firm(datum: str) -> bool:
    """Is the datum read in a text, and not only its gist?"""
    source = provenance(datum)
    return source.split()[0] in FIRM and "(gist only)" not in source


def _spelt(source: Source) -> str:
    """A source as one line; of several the weakest."""
    if isinstance(source, str):
        return source
    if "src" not in source:
        return min((_spelt(s) for s in source.values()), key=lambda s: WEAKEST_FIRST.index(s.split()[0]))
    parts = [source["src"]]
    parts += ["(carried from the 3rd edition)"] if source.get("carried") else []
    parts += ["(gist only)"] if source.get("designed_parts") else []
    return " ".join([*parts, str(source.get("ref", ""))]).strip()


def _find(things: list[Any], entity: str) -> Any:
    for thing in things:
        if thing["id"] == entity:
            return thing
    raise KeyError(entity)


def _sources_of(group: str, entity: str) -> dict[str, Source]:
    """field -> source, for the fields that facts hold."""
    board, generals = files()["board"], files()["generals"]
    match group:
        case "regions":
            return {"name": next(p["src"]["region"] for p in board["provinces"] if p["region"] == entity)}
        case "provinces":
            src = _find(board["provinces"], entity)["src"]
            return {key: src[key] for key in ("name", "vp", "majority", "region")} | {"aliases": src["name"]}
        case "spaces":
            return _space_sources(_find(board["spaces"], entity)["src"])
        case "boxes":
            return {"name": _find(board["holding_boxes"], entity)["src"]}
        case "counterparts":
            return {c["name"]: c["src"] for c in board["counterparts"]}
        case "generals":
            return _general_sources(_find(generals["major_generals"], entity))
        case "minors":
            named = _find(generals["minor_generals"], entity)["name_prov"]
            color = {**named, "src": named.get("faction_src", named["src"])}
            return {"name": named, "aliases": named, "color": color}
        case "independents":
            return _independent_sources(entity)
        case "royals":
            prov = _find(files()["royals"]["royals"], entity)["prov"]
            return {**prov, "aliases": prov["name"]}
        case "cards":
            return _card_sources(_find(files()["cards"]["cards"], entity))
        case "fleets":
            prov = _find(files()["fleets"]["fleets"], entity)["prov"]
            return {"normal": prov["normal"], "upgraded": prov["upgraded"],
                    **dict.fromkeys(("name", "control", "aliases"), prov["existence"])}
    raise KeyError(group)


def _space_sources(src: Mapping[str, str]) -> dict[str, Source]:
    """A mark that a space does not carry was not read anywhere either."""
    read = ("name", "kind", "province", "port", "independent", "hellespont", "treasure")
    return {
        **{key: src.get(key, "reconstructed") for key in read},
        **dict.fromkeys(("pontos", "lat", "lon"), "reconstructed"),
        "siege_modifier": src.get("siege", "reconstructed"),
        "aliases": src["name"],
    }


def _general_sources(g: Mapping[str, Any]) -> dict[str, Source]:
    """What a general lacks (a place to start, a card that brings him) follows from the group he is in."""
    prov = g["prov"]
    made = dict.fromkeys(("groups", "purple_card", "setup", "recruit", "entry"), prov["group_by_players"])
    made |= dict.fromkeys(("aliases", "third"), prov["name"])
    made |= {key: prov[key] for key in prov if key != "group_by_players"}
    made |= {key: g[key] for key in ("ability", "setup", "recruit", "entry") if key in g}
    if g["third_edition"]:
        made["third"] = g["third_edition"]["prov"]
    return made


def _independent_sources(entity: str) -> dict[str, Source]:
    prov = _find(files()["generals"]["independent_armies"], entity)["prov"]
    src = _find(files()["board"]["independent_armies"], entity)["src"]
    return {
        **dict.fromkeys(("name", "army", "active_at_start", "card", "restriction", "on_defeat", "aliases"),
                        prov["rest"]),
        **{key: prov[key] for key in ("initiative", "battle", "cus")},
        "start": src["start"],
        "entries": src.get("entries", prov["rest"]),
        "lon": "reconstructed",
    }


def _card_sources(card: Mapping[str, Any]) -> dict[str, Source]:
    prov = card["prov"]
    by_text = ("effect", "effect_key", "params", "timing", "preconditions", "choices", "must_play",
               "remove_after_event", "resolved_when_revealed", "in_deck_at", "cavalry", "clarifications", "stand_in")
    return {
        **dict.fromkeys(by_text, prov["effect"]),
        **{key: prov[key] for key in ("name", "number", "kind", "ops")},
        "optional": prov["number"],
        "aliases": prov["name"],
        "copy_of": prov.get("copy", prov["name"]),
        "third": card["third_edition"]["prov"] if card["third_edition"] else prov["number"],
    }


def _path_source(ends: str) -> Source:
    a, _, b = ends.partition("-")
    found = {p["type"]: p["src"] for p in files()["board"]["paths"] if {p["a"], p["b"]} == {a, b}}
    if not found:
        raise KeyError(f"paths.{ends}")
    return found


def _table_source(steps: list[str]) -> Source:
    """The innermost source on the way to the datum: of its row, else of its table."""
    node = _raw_table(steps[0])
    source: Source = {str(i): each for i, each in enumerate(_all_sources(node))}
    if len(steps) == 1 or steps[0] == "third_edition":
        return source
    if steps[0] in ("battle", "attrition"):
        return _column_source(*steps)
    source = node.get("prov", source)
    for step in steps[1:]:
        parent, node = node, _below(node, step)
        if isinstance(node, Mapping) and ("src" in node or "prov" in node):
            source = node.get("prov", node)
        elif isinstance(parent, Mapping) and f"{step}_src" in parent:
            source = {**parent, "src": parent[f"{step}_src"]}
        elif "src" not in source and step in source:
            source = source[step]
    return source


def _all_sources(node: Any) -> Iterator[Source]:
    if isinstance(node, Mapping) and "src" in node:
        yield node
    elif isinstance(node, (Mapping, list)):
        for value in node.values() if isinstance(node, Mapping) else node:
            yield from _all_sources(value)


def _below(node: Any, step: str) -> Any:
    if isinstance(node, list):
        return next(x for x in node if str(x.get("roll", x.get("key"))) == step)
    return next(value for key, value in node.items() if ENGINE_WORDS.get(str(key), str(key)) == step)


def _raw_table(key: str) -> Any:
    """The table as its file has it; tables.yaml calls some of them by a longer name."""
    cards, generals, fleets = files()["cards"], files()["generals"], files()["fleets"]
    match key:
        case "deck":
            return cards["deck"]
        case "fleets":
            return fleets["rules"]
        case "generals":
            return generals["rules"]
        case "independent_armies":
            return generals["independent_army_rules"]
        case "minor_general":
            return {**generals["minor_generals"][0], "prov": generals["minor_generals_prov"]["ratings"]}
        case "third_edition":
            return {"cards": cards["third_edition_only"]["cards"], "fleets": fleets["third_edition_only"]}
    return next(table for name, table in files()["tables"].items() if _table_name(name) == key)


def _column_source(table: str, *inner: str) -> Source:
    """No column of the two big tables is known whole; their breaks and a few cells are."""
    prov = files()["tables"][f"{table}_table"]["prov"]
    match table, inner:
        case "battle", ("columns", label, "label" | "min" | "max"):
            known = re.search(rf"\b{re.escape(label)}\b", prov["columns_known"]["ref"])
            return prov["columns_known" if known else "columns_other"]
        case "battle", ("strength_zero_score",):
            return prov["strength_zero"]
        case "attrition", ("columns", "1" | "2" | "3" | "4", "label" | "min" | "max"):
            return prov["columns_1_to_4"]
        case "attrition", ("columns", "1", "results"):
            return prov["col1_roll5_e"]
        case "attrition", ("special",):
            return {str(i): rule for i, rule in enumerate(files()["tables"]["attrition_table"]["special"])}
    return prov["cells_default"]
