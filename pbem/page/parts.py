"""A position by its parts, and what is otherwise from one to the next: the small steps of which the page makes any of them."""

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]
# The lists of a position, and by what their rows are told apart.
NAMED = {
    "armies": ("seat", "space", "part"),
    "sieges": ("space",),
    "fleets": ("fleet",),
    "royals": ("royal",),
    "standings": ("seat",),
}
# What does not belong to a moment: it stands on the page once.
ONCE = frozenset(("format", "title", "edition", "reader", "entry", "since", "head", "changes"))


def parts(chart: Mapping[str, Any]) -> Row:
    """Its rows by their names."""
    return {
        name: {" ".join([row[key] for key in NAMED[name]]): row for row in value} if name in NAMED else value
        for name, value in {**chart, "standings": list(map(lean, chart["standings"]))}.items()
        if name not in ONCE and value is not None
    }


def lean(row: Mapping[str, Any]) -> Row:
    """Where totals come from is told of the last position alone."""
    return {name: value for name, value in row.items() if not name.endswith("_parts")}


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> Row:
    """What has to be put in; None is what goes."""
    found: Row = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if value == before and name in old:
            continue
        nested = isinstance(value, Mapping) and isinstance(before, Mapping)
        found[name] = difference(before, value) if nested else value  # type: ignore[arg-type]
    return found
