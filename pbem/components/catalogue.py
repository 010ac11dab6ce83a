"""Board, generals, family, cards, fleets, tables as plain dicts in engine ids, read once and never changed.

`facts()` reads data/facts.json, which `python -m pbem.components.catalogue` makes of the YAML files beside it. The YAML
alone carries the provenance of every datum (see pbem/components/sources.py).
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from pbem.components.shipped import FACTS_FILE, OTHERWISE_FILE, PARTS, WHOLE, shipped

Table = dict[str, dict[str, Any]]
Override = Mapping[str, Any]


class Facts:
    """What is printed on board, cards and counters. Shared by everybody who asks: nobody may change it."""

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
        for part in PARTS:
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

    def stars(self, general: str) -> int:
        """The rank on the counter of a Major General, as the 3rd edition prints it; none where it has no counter of him."""
        return int((self.generals[general]["third"] or {"stars": 0})["stars"] or 0)

    def with_effect(self, effect: str) -> list[dict[str, Any]]:
        """The cards that do this, with what is printed on them."""
        return [self.cards[card] for card in self.cards_by_effect.get(effect, ())]


def facts(overrides: Iterable[Override] = (), box: str = "") -> Facts:
    """The components of a box, with the corrections of a game: `{datum: generals.kassandros.battle, value: 4}` each."""
    given = list(overrides)
    return _made(given, box).facts if given else _as_shipped(box)


def things(overrides: Iterable[Override], box: str = "") -> str:
    """What the corrections of a game have made of the data, to be kept beside its log; nothing where things came or went."""
    given = list(overrides)
    return _made(given, box).things if given else ""


def known(overrides: Iterable[Override], box: str, things: str) -> None:
    """These corrections were judged before: this is what they have made of the data."""
    key = _key(overrides, box)
    if key not in _corrected:
        tree = shipped(box)
        for part, made in json.loads(things).items():
            tree[part] = made if part in WHOLE else tree[part] | made
        _keep(key, tree, things)


class Corrected(NamedTuple):
    facts: Facts
    things: str


MOST_BOXES = 8                                      # that are kept ready at a time
_corrected: dict[str, Corrected] = {}               # a game is folded again and again with the same corrections


def _made(given: list[Override], box: str) -> Corrected:
    key = _key(given, box)
    if key not in _corrected:
        from pbem.components.soundness import corrected  # a game without corrections needs none of it

        tree = shipped(box)
        changed = corrected(tree, given, shipped(box) if box else None)
        _keep(key, tree, "" if changed is None else json.dumps(changed, ensure_ascii=False))
    return _corrected[key]


def _key(given: Iterable[Override], box: str) -> str:
    return json.dumps([box, *given], sort_keys=True)


def _keep(key: str, tree: dict[str, Any], things: str) -> None:
    if len(_corrected) >= MOST_BOXES:
        _corrected.clear()
    _corrected[key] = Corrected(Facts(tree), things)


@cache
def _as_shipped(box: str) -> Facts:
    return Facts(shipped(box))


def _numbered(node: Any) -> Any:
    """JSON knows only text as keys; tables by die, rating or number of players are asked with numbers."""
    if isinstance(node, dict):
        if node and all(isinstance(key, str) and key.isdigit() for key in node):
            return {int(key): _numbered(value) for key, value in node.items()}
        return {key: _numbered(value) for key, value in node.items()}
    return [_numbered(value) for value in node] if isinstance(node, list) else node


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
    """Make facts.json and otherwise.json anew from the YAML files."""
    from pbem.components.otherwise import of_edition
    from pbem.components.soundness import problems
    from pbem.components.sources import files, tree

    made = tree()
    if wrong := problems(made, made):
        raise SystemExit("\n".join(map(str, wrong)))
    FACTS_FILE.write_text(written(made), encoding="utf-8")
    told = {edition: of_edition(made, edition, files()["otherwise"]) for edition in files()["otherwise"]}
    OTHERWISE_FILE.write_text(written(told), encoding="utf-8")


if __name__ == "__main__":
    main()
