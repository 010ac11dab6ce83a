"""Corrections of the data: read, judged one by one as values, and all together as data that hold together.

    {datum: generals.kassandros.battle, value: 4}           one value
    {datum: generals.kassandros.ability, value: {...}}      a structure
    {datum: paths.pella-larisa, value: [land, sea]}         all paths between two spaces; null for none
    {datum: spaces.onchestos, value: {...}}                 a new space, Province, General, card
    {datum: spaces.onchestos, value: null}                  one that the box does not have, with the paths to it

A correction may also carry `old` (which must be what is there now), `src` and `reason`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.base.errors import BadLog, PbemError, nearest
from pbem.components.kinds import NO_KIND, Kind, Misfit, Strange
from pbem.components.schema import PATH_TYPES

Override = Mapping[str, Any]
Tree = dict[str, Any]


def correct(tree: Tree, correction: Override, kinds: Mapping[str, Kind]) -> None:
    """Change one datum in the tree, whether or not it fits the others."""
    strange = set(correction) - {"datum", "value", "old", "src", "reason"}
    if strange or "datum" not in correction or "value" not in correction:
        raise BadLog("correction_form", found=sorted(correction), example="{datum: generals.kassandros.battle, value: 4}")
    datum = str(correction["datum"])
    part, _, rest = datum.partition(".")
    if part == "paths":
        _correct_path(tree, datum, correction)
        return
    steps = rest.split(".") if rest else []
    if part in kinds and part != "tables" and len(steps) == 1 and part != "counterparts":
        _correct_entity(tree, datum, kinds[part], correction)
        return
    holder, key, kind = place(tree, datum, kinds)
    now = holder[key] if key in _keys(holder).values() else None
    if "old" in correction and fitting(kind, correction["old"], datum) != now:
        raise BadLog("correction_of_another_value", datum=datum, old=correction["old"], found=now)
    holder[key] = fitting(kind, correction["value"], datum)


def _correct_entity(tree: Tree, datum: str, kind: Kind, correction: Override) -> None:
    """A whole space, Province, General ...: one more, another one in its place, or one less."""
    part, _, entity = datum.partition(".")
    value, found = correction["value"], tree[part].get(entity)
    if "old" in correction and (correction["old"] and fitting(kind, correction["old"], datum)) != found:
        raise BadLog("correction_of_another_value", datum=datum, old=correction["old"], found=found)
    if value is None:
        if found is None:
            raise unknown(tree, datum)
        del tree[part][entity]
        if part == "spaces":
            tree["paths"] = [path for path in tree["paths"] if entity not in path[:2]]
            tree["counterparts"] = [one for one in tree["counterparts"] if one["space"] != entity]
        return
    if not entity.isascii() or not entity.replace("_", "").isalnum():
        raise BadLog("correction_name", datum=datum, example=f"{part}.onchestos")
    if isinstance(value, Mapping) and found is not None:
        value = {**found, **value}                          # what is not named stays
    tree[part][entity] = fitting(kind, value, datum)


def _correct_path(tree: Tree, datum: str, correction: Override) -> None:
    a, b = ends_of(tree, datum)
    value = correction["value"]
    types = [] if value in (None, "none", "null") else [value] if isinstance(value, str) else value
    if not isinstance(types, list) or any(kind not in PATH_TYPES for kind in types) or len(set(types)) < len(types):
        raise BadLog("correction_type", datum=datum, wanted="path", value=value, known=list(PATH_TYPES), least=None, most=None,
                     example="[land, sea]")
    if "old" in correction and sorted(correction["old"] or ()) != sorted(types_between(tree, a, b)):
        raise BadLog("correction_of_another_value", datum=datum, old=correction["old"], found=types_between(tree, a, b))
    if sorted(types) == sorted(types_between(tree, a, b)):
        return
    old = [i for i, p in enumerate(tree["paths"]) if {p[0], p[1]} == {a, b}]
    first = old[0] if old else len(tree["paths"])
    a, b = tree["paths"][first][:2] if old else (a, b)
    rest = [p for i, p in enumerate(tree["paths"]) if i not in old]
    tree["paths"] = [*rest[:first], *([a, b, kind] for kind in types), *rest[first:]]


def ends_of(tree: Mapping[str, Any], datum: str) -> tuple[str, str]:
    """The two spaces of `paths.pella-larisa`."""
    a, _, b = datum.removeprefix("paths.").partition("-")
    for end in (a, b):
        if end not in tree["spaces"]:
            near = [datum.replace(end, space) for space in nearest(end, tree["spaces"])] if end else ["paths.pella-larisa"]
            raise BadLog("unknown_datum", datum=datum, nearest=near)
    return a, b


def types_between(tree: Mapping[str, Any], a: str, b: str) -> list[str]:
    ways = (a, b), (b, a)
    return [kind for here, there, kind in tree["paths"] if (here, there) in ways]


def fitting(kind: Kind, value: Any, datum: str) -> Any:
    """The value as the data hold it; what is none is refused with what is wanted and an example."""
    try:
        return kind.read(value)
    except Misfit as misfit:
        raise misfitting(misfit, datum) from None


def misfitting(misfit: Misfit, datum: str) -> PbemError:
    kind, where = misfit.kind, f"{datum}.{misfit.below}" if misfit.below else datum
    if isinstance(misfit, Strange):
        last = where.rpartition(".")[2]
        return BadLog("unknown_part", datum=where, nearest=nearest(last, kind.known) or list(kind.known))
    value = "" if misfit.value is None else shown(misfit.value)
    return BadLog("correction_type", datum=where, wanted=kind.word, value=value, known=list(kind.known), least=kind.least,
                  most=kind.most, example=shown(kind.example))


def shown(value: Any) -> str:
    """As one would write it in a file."""
    from pbem.base.yamlfile import dump

    try:
        return dump(as_written(value))
    except (TypeError, ValueError):
        return str(value)


def as_written(value: Any) -> Any:
    """Files of a game know neither yes nor fractions: these are written as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): as_written(one) for key, one in value.items()}
    return [as_written(one) for one in value] if isinstance(value, list | tuple) else value


# --- names of data -----------------------------------------------------------------------------------------------


def place(tree: Mapping[str, Any], datum: str, kinds: Mapping[str, Kind]) -> tuple[Any, Any, Kind]:
    """The container and the key that a dotted path means, and what may stand there.

    The last step may be one that is not there yet, where there could be one: `generals.x.setup.cus.elephant`.
    """
    steps = datum.split(".")
    if steps[0] == "counterparts":
        if len(steps) > 1:
            raise BadLog("unknown_datum", datum=datum, nearest=["counterparts"])
        return tree, "counterparts", kinds["counterparts"]
    if len(steps) < 2 or steps[0] not in kinds:
        raise unknown(tree, datum)
    holder: Any = tree
    node: Any = tree[steps[0]]
    kind = kinds[steps[0]]
    key: Any = steps[0]
    for depth, step in enumerate(steps[1:], 1):
        keys, inner = _keys(node), kind
        if depth > 1 or steps[0] == "tables":           # a thing of a part is of the kind that the part has
            inner = kind.below(step) or NO_KIND
        could_be = depth == len(steps) - 1 and isinstance(node, dict)
        if inner is NO_KIND or step not in keys and not could_be:
            raise unknown(tree, datum)
        holder, key, kind = node, keys.get(step, step), inner
        node = holder[key] if step in keys else None
    return holder, key, kind


def unknown(tree: Mapping[str, Any], datum: str) -> PbemError:
    """There is no such datum: with the nearest names."""
    node: Any = tree
    steps = datum.split(".")
    near: list[str] = []
    for depth, step in enumerate(steps):
        keys = _keys(node)
        if step not in keys:
            near = [".".join([*steps[:depth], key]) for key in nearest(step, keys)]
            break
        node = node[keys[step]]
    else:
        near = [f"{datum}.{key}" for key in list(_keys(node))[:3]]
    if not near:                                        # it may be a part of one: `sardeis.name`
        near = nearest(datum, [one for one in datums(tree) if any(step and step in one for step in steps)])
    return BadLog("unknown_datum", datum=datum, nearest=near)


def _keys(node: Any) -> dict[str, Any]:
    """What a step may say here: the keys of a mapping; of table rows their label, roll or key."""
    if isinstance(node, Mapping):
        return {str(key): key for key in node}
    if isinstance(node, list):
        rows = {i: row.get("label", row.get("roll", row.get("key")))
                for i, row in enumerate(node) if isinstance(row, Mapping)}
        return {str(label): i for i, label in rows.items() if label is not None}
    return {}


def value_of(tree: Mapping[str, Any], datum: str) -> Any:
    """A datum, a structure, a whole thing, or the paths between two spaces."""
    if datum.startswith("paths."):
        return types_between(tree, *ends_of(tree, datum))
    node: Any = tree
    for step in datum.split("."):
        keys = _keys(node)
        if step not in keys:
            raise unknown(tree, datum)
        node = node[keys[step]]
    return node


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
        elif part == "counterparts":
            yield part
        else:
            yield from below(node, part)
