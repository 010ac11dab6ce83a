"""Do the data hold together? Judged by what the rules need of them, and never by how many there were when they were written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.base.errors import BadLog, PbemError, nearest
from pbem.components.corrections import Override, Tree, correct, misfitting
from pbem.components.kinds import Kind, Misfit
from pbem.components.schema import ABILITIES, BY_RULING, CONDITIONS, CU_KINDS, MOMENTS, PATH_TYPES, all_kinds, parts_of
from pbem.components.shipped import PARTS, WHOLE, shipped

# Things that rules and cards speak of by name: a box without them would be another game.
NAMED_IN_RULES: Mapping[str, frozenset[str]] = {
    "provinces": frozenset(("makedonia",)),
    "spaces": frozenset(("pella",)),
    "generals": frozenset(("antigonos", "antipatros", "demetrios", "eumenes", "leonnatos", "lysimachos", "perdikkas",
                           "peukestas", "polyperchon", "seleukos")),
    "royals": frozenset(("alexandros", "philippos", "herakles", "olympias", "kleopatra", "thessalonike", "cart", "tomb")),
    "boxes": frozenset(("independent_armies",)),
}

Problems = Iterator[PbemError]


def corrected(tree: Tree, given: Iterable[Override], of: Tree | None = None) -> Tree | None:
    """All corrections come into the tree; refused where they do not fit, each with what is wanted. `of`: as in `problems`.
    Returned are the things that were corrected, if nothing came and nothing went."""
    corrections, before = list(given), names_in(tree)
    kinds = parts_of() if of is None else all_kinds(of)
    for correction in corrections:
        try:
            correct(tree, correction, kinds)
        except PbemError as error:
            if line := getattr(correction, "line", 0):              # of the file that it was read from
                error.facts.setdefault("line", line)
            raise
    changed = only(tree, [c["datum"] for c in corrections]) if names_in(tree) == before else None
    if wrong := problems(tree, of, changed):
        raise BadLog("corrections_contradict", problems=wrong, datums=list(dict.fromkeys(c["datum"] for c in corrections)))
    return changed


def names_in(tree: Mapping[str, Any]) -> dict[str, list[str]]:
    """What there is, by which it can be spoken of."""
    return {part: list(things) for part, things in tree.items() if isinstance(things, Mapping)}


def only(tree: Mapping[str, Any], datums: Iterable[str]) -> dict[str, Any]:
    """Of the tree the things in which something was corrected."""
    found: dict[str, Any] = {}
    for part, thing in (datum.split(".")[:2] if "." in datum else (datum, "") for datum in datums):
        if part in WHOLE:
            found[part] = tree[part]
        else:
            found.setdefault(part, {})[thing] = tree[part][thing]
    return found


def problems(tree: Mapping[str, Any], of: Mapping[str, Any] | None = None,
             changed: Mapping[str, Any] | None = None) -> list[PbemError]:
    """What does not fit, first as single values, then together. `of`: data that say what cards and tables can be like.
    `changed`: where only this is new and the rest was found sound, in which nothing speaks of what is gone."""
    new = tree if changed is None else changed
    missing = [BadLog("part_missing", datum=part) for part in PARTS if part not in tree]
    strange = [BadLog("unknown_datum", datum=part, nearest=nearest(part, PARTS)) for part in tree if part not in PARTS]
    if missing or strange:
        return [*missing, *strange]
    found = [*_wrong_values(new, all_kinds(of) if of is not None else parts_of())]
    found = found or [*_wrong_things(tree)]
    found = found or [*_wrong_names(tree, new)]
    return found or [*_wrong_board(tree), *_wrong_pieces(tree), *_wrong_cards(new.get("cards", {}), tree, of or tree),
                     *_wrong_tables(tree["tables"])]


def _wrong_values(tree: Mapping[str, Any], kinds: Mapping[str, Kind]) -> Problems:
    for part, kind in kinds.items():
        things = {"": tree[part]} if part in tree and part in WHOLE else tree.get(part, {})
        for entity, thing in things.items():
            try:
                kind.read(thing)
            except Misfit as misfit:
                yield misfitting(misfit, f"{part}.{entity}".rstrip("."))
    for path in tree.get("paths", ()):
        if len(path) != 3 or path[2] not in PATH_TYPES:
            yield BadLog("no_path_type", datum=f"paths.{'-'.join(path[:2])}", value=" ".join(path[2:]), known=list(PATH_TYPES))


# --- names -------------------------------------------------------------------------------------------------------


def _wrong_names(tree: Mapping[str, Any], new: Mapping[str, Any]) -> Problems:
    """Names that nothing answers to, wherever what is new speaks of a space, a card, a CU kind and so on."""
    spaces, provinces = [*tree["spaces"]], [*tree["provinces"]]
    known: dict[str, Sequence[str | None]] = {
        "spaces": spaces, "cities": spaces, "excluded_spaces": spaces, "entries": spaces, "space": spaces,
        "start": [*spaces, "box", "royal_family", None], "cus": CU_KINDS, "cu": CU_KINDS, "cu_kinds": CU_KINDS,
        "province": provinces, "provinces": provinces, "region": [*tree["regions"]],
        "preferred": [*provinces, "port"], "remove_on_entering": provinces, "lord_of_asia_provinces": provinces,
        "army": [*tree["independents"]], "royal": [*tree["royals"]], "royals": [*tree["royals"]],
        "card": [*tree["cards"], None], "copy_of": [*tree["cards"], None], "replaced_by": [*tree["cards"], None],
        "general": [*tree["generals"]], "only_after": [*tree["generals"], None], "fleet": [*tree["fleets"]],
    }

    def below(node: Any, where: str) -> Problems:
        if isinstance(node, list):
            for value in node:
                yield from below(value, where)
        if not isinstance(node, Mapping):
            return
        for key, value in node.items():
            if key in known and not (key == "army" and where.startswith("independents")):
                for name in _names_in(list(value) if key == "cus" and isinstance(value, Mapping) else value):
                    if name not in known[key]:
                        names = [one for one in known[key] if one]
                        yield BadLog("names_nothing", datum=f"{where}.{key}", value=name or "null",
                                     nearest=nearest(str(name), names) or names[:3])
            yield from below(value, f"{where}.{key}")

    for part in ("provinces", "spaces", "generals", "minors", "independents", "royals", "cards", "counterparts", "tables"):
        yield from below(new.get(part), part)
    for i, f in tree["fleets"].items():
        owners = {"province": provinces, "major_city": spaces, "card": [*tree["cards"]]}[f["control"]["type"]]
        if f["control"]["place"] not in owners:
            yield BadLog("names_nothing", datum=f"fleets.{i}.control.place", value=f["control"]["place"],
                         nearest=nearest(f["control"]["place"], owners) or owners[:3])
    for a, b, _ in tree["paths"]:
        for end in (a, b):
            if end not in tree["spaces"]:
                yield BadLog("names_nothing", datum=f"paths.{a}-{b}", value=end, nearest=nearest(end, spaces))


def _names_in(value: Any) -> list[str | None]:
    """One name or a list of names; anything else is a structure of its own."""
    if value is None or isinstance(value, str):
        return [value]
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _wrong_things(tree: Mapping[str, Any]) -> Problems:
    """Two things of one name, and things that the rules speak of and that are gone."""
    people = {**tree["generals"], **tree["minors"], **tree["independents"]}
    for part, things in (("spaces", tree["spaces"]), ("provinces", tree["provinces"]), ("generals", people),
                         ("royals", tree["royals"]), ("fleets", tree["fleets"])):
        for name, number in Counter(thing["name"].casefold() for thing in things.values()).items():
            if number > 1:
                both = [one for one, thing in things.items() if thing["name"].casefold() == name]
                yield BadLog("name_shared", datum=f"{part}.{both[1]}.name", others=both, value=things[both[0]]["name"])
    for part, names in NAMED_IN_RULES.items():
        for name in sorted(names - tree[part].keys()):
            yield BadLog("named_in_rules", datum=f"{part}.{name}")


# --- the board ---------------------------------------------------------------------------------------------------


def _wrong_board(tree: Mapping[str, Any]) -> Problems:
    spaces, provinces = tree["spaces"], tree["provinces"]
    for i, p in provinces.items():
        countable = [s for s, x in spaces.items() if x["province"] == i and x["kind"] != "transit"]
        majors = [s for s in countable if spaces[s]["kind"] == "major"]
        if p["majority"] > len(countable):
            yield BadLog("majority_too_high", datum=f"provinces.{i}.majority", value=p["majority"], spaces=len(countable))
        if len(majors) > 1:
            yield BadLog("two_major_cities", datum=f"provinces.{i}", spaces=majors)
    for i, s in spaces.items():
        for mark in ("independent", "hellespont", "pontos", "treasure", "siege_modifier"):
            if s["kind"] == "transit" and s[mark]:
                yield BadLog("mark_of_a_city", datum=f"spaces.{i}.{mark}")
    at_sea = {end for a, b, kind in tree["paths"] if kind in ("sea", "trans") for end in (a, b)}
    for i, s in spaces.items():
        if s["port"] != (i in at_sea):
            there = [b if a == i else a for a, b, kind in tree["paths"] if i in (a, b) and kind in ("sea", "trans")]
            yield BadLog("port_and_sea_path", datum=f"spaces.{i}.port", port=s["port"], paths=[f"paths.{i}-{x}" for x in there],
                         example=f"paths.{i}-{next(iter(at_sea - {i}), 'pella')}")
    seen = set()
    for a, b, kind in tree["paths"]:
        if a == b or (frozenset((a, b)), kind) in seen:
            yield BadLog("path_twice", datum=f"paths.{a}-{b}", value=kind)
        seen.add((frozenset((a, b)), kind))
    yield from _cut_off(tree)


def _cut_off(tree: Mapping[str, Any]) -> Problems:
    """Every space can be come to from every other."""
    near: dict[str, set[str]] = {space: set() for space in tree["spaces"]}
    for a, b, _ in tree["paths"]:
        near[a].add(b)
        near[b].add(a)
    start = max(near, key=lambda one: len(near[one]), default="")
    reached, edge = {start}, {start}
    while edge:
        edge = {there for here in edge for there in near[here]} - reached
        reached |= edge
    for space in near:
        if space not in reached:
            yield BadLog("space_cut_off", datum=f"spaces.{space}", example=f"paths.{space}-{start}")


# --- pieces and cards --------------------------------------------------------------------------------------------


def _wrong_pieces(tree: Mapping[str, Any]) -> Problems:
    generals = tree["generals"]
    by_rank: dict[int, list[str]] = {}
    for i, g in generals.items():
        by_rank.setdefault(g["seniority"], []).append(i)
    for rank, both in by_rank.items():
        if len(both) > 1:
            yield BadLog("seniority_twice", datum=f"generals.{both[1]}.seniority", value=rank, others=both)
    for i, g in generals.items():
        for players, group in g["groups"].items():
            wanted = {"starting": "setup", "reserve": "recruit", "event": "entry"}.get(group)
            if wanted and g[wanted] is None:
                yield BadLog("group_wants", datum=f"generals.{i}.groups.{players}", value=group,
                             wanted=f"generals.{i}.{wanted}")
        yield from _wrong_ability(tree, f"generals.{i}.ability.params", g["ability"]["params"])
    for i, r in tree["royals"].items():
        if r["legitimacy"] != (again := tree["tables"]["legitimacy_values"].get(i, r["legitimacy"])):
            yield BadLog("said_twice", datum=f"royals.{i}.legitimacy", value=r["legitimacy"], found=again,
                         other=f"tables.legitimacy_values.{i}")
    for i, f in tree["fleets"].items():
        if f["upgraded"] < f["normal"]:
            yield BadLog("fleet_upgraded", datum=f"fleets.{i}.upgraded", value=f["upgraded"], normal=f["normal"])


def _wrong_ability(tree: Mapping[str, Any], datum: str, params: Mapping[str, Any]) -> Problems:
    """7.1 Every condition is one that the rule which plays the ability looks at; and nothing that it needs is missing."""
    if params.get("when") == "end_of_activation_segment":
        needed, allowed = {"province"}, {"when", "province"}
    else:
        does = [param for param in params if param in CONDITIONS]
        known = [CONDITIONS[param] for param in does]
        allowed = {*does, *(name for conditions in known for name in conditions)}
        needed = ({"card"} if "die_mod" in does else set()) | ({"for"} if "attrition_roll_mod" in does else set())
        for name, wanted in ((name, wanted) for conditions in known for name, wanted in conditions.items()):
            if wanted and name in params and params[name] != wanted:
                yield BadLog("condition_not_read", datum=f"{datum}.{name}", value=params[name], known=[wanted])
        if "card" in params and tree["cards"].get(params["card"], {}).get("effect_key") != "army_desertion_roll":
            fit = [card for card, fact in tree["cards"].items() if fact["effect_key"] == "army_desertion_roll"]
            yield BadLog("condition_not_read", datum=f"{datum}.card", value=params["card"], known=fit)
    for name in params:
        if name not in allowed:
            yield BadLog("condition_not_read", datum=f"{datum}.{name}", value=name, known=sorted(allowed - params.keys()))
    for name in sorted(needed - params.keys()):
        yield BadLog("param_missing", datum=f"{datum}.{name}", example=ABILITIES[name].example)


def _wrong_cards(cards: Mapping[str, Any], tree: Mapping[str, Any], of: Mapping[str, Any]) -> Problems:
    if not cards:
        return
    known = effects_of(of) if of is not tree else {**effects_of(tree), **effects_of(shipped())}  # a new one measures itself
    for i, c in cards.items():
        if (c["kind"] == "surprise") != (c["ops"] is None):
            yield BadLog("surprise_and_ops", datum=f"cards.{i}.ops", kind=c["kind"],
                         value="null" if c["ops"] is None else c["ops"])
        effect = known[c["effect_key"]]
        if (c["kind"] == "surprise") not in effect.surprise:
            yield BadLog("effect_of_another_kind", datum=f"cards.{i}.effect_key", value=c["effect_key"], kind=c["kind"])
        if c["resolved_when_revealed"] and not effect.revealed:
            yield BadLog("effect_not_revealed", datum=f"cards.{i}.effect_key", value=c["effect_key"],
                         known=[one for one, its in known.items() if its.revealed])
        for timing in c["timing"]:
            if timing not in effect.timing:
                yield BadLog("timing_of_another_effect", datum=f"cards.{i}.timing", value=timing, effect=c["effect_key"],
                             known=list(effect.timing))
        if (c["kind"] != "surprise") != ("own_tyche_segment" in c["timing"]) and c["effect_key"] == BY_RULING:
            yield BadLog("timing_of_another_effect", datum=f"cards.{i}.timing", value=", ".join(c["timing"]), effect=c["kind"],
                         known=[MOMENTS[0]] if c["kind"] != "surprise" else list(MOMENTS[1:]))
        if not c["timing"]:
            yield BadLog("timing_of_another_effect", datum=f"cards.{i}.timing", value="[]", effect=c["effect_key"],
                         known=list(effect.timing))
        for param in c["params"].keys() - effect.params.keys():
            yield BadLog("param_of_another_effect", datum=f"cards.{i}.params.{param}", effect=c["effect_key"],
                         known=list(effect.params))
        for param in effect.needed - c["params"].keys():
            yield BadLog("param_missing", datum=f"cards.{i}.params.{param}", example=str(effect.params[param]))


class Effect:
    """What the cards with one effect say: which kinds they are of, when they are played, with which parameters."""

    def __init__(self) -> None:
        self.surprise: set[bool] = set()
        self.revealed = False                       # may it come to pass when a card is turned up, in nobody's segment?
        self.timing: dict[str, None] = {}
        self.params: dict[str, Any] = {}
        self.needed: frozenset[str] = frozenset()

    def include(self, card: Mapping[str, Any]) -> None:
        self.needed = self.needed & card["params"].keys() if self.surprise else frozenset(card["params"])
        self.surprise.add(card["kind"] == "surprise")
        self.revealed |= card["resolved_when_revealed"]
        self.timing |= dict.fromkeys(card["timing"])
        self.params = {**card["params"], **self.params}


def effects_of(of: Mapping[str, Any]) -> dict[str, Effect]:
    """Effect -> what may be said of it, as the cards that are shipped say it."""
    found: dict[str, Effect] = {}
    for card in of["cards"].values():
        found.setdefault(card["effect_key"], Effect()).include(card)
    ruled = found.setdefault(BY_RULING, Effect())
    ruled.surprise, ruled.revealed, ruled.timing = {True, False}, True, dict.fromkeys(MOMENTS)
    ruled.params, ruled.needed = {"says": "Place 2 mercenaries."}, frozenset(("says",))
    return found


# --- tables ------------------------------------------------------------------------------------------------------


def _wrong_tables(tables: Mapping[str, Any]) -> Problems:
    for key in ("battle", "attrition"):
        yield from _gaps(tables[key]["columns"], f"tables.{key}.columns", "label", 1)
        first, last = (2, 12) if key == "battle" else (1, 6)
        if tables[key]["rolls"] != [*range(first, last + 1)]:
            yield BadLog("rolls_fixed", datum=f"tables.{key}.rolls", example=[*range(first, last + 1)])
    yield from _gaps(tables["siege"]["rows"], "tables.siege.rows", "roll", None)


def _gaps(rows: Sequence[Mapping[str, Any]], datum: str, label: str, expect: int | None) -> Problems:
    """Each row begins where the one before has ended, and the last is open."""
    for number, row in enumerate(rows):
        if row["min"] != expect:
            yield BadLog("table_gap", datum=f"{datum}.{row[label]}.min", value="null" if row["min"] is None else row["min"],
                         wanted="null" if expect is None else expect)
        if (row["max"] is None) != (number == len(rows) - 1) or row["max"] is not None and row["max"] < (row["min"] or -9):
            yield BadLog("table_end", datum=f"{datum}.{row[label]}.max", value="null" if row["max"] is None else row["max"])
        expect = None if row["max"] is None else row["max"] + 1
    if not rows:
        yield BadLog("table_gap", datum=datum, value="null", wanted=1)


