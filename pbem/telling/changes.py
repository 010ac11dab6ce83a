"""What of all that happened can be shown on a map: marches, fights, sieges, changes of control, each with a number.

The numbers are those of the picture, of the list below it, and of the sentences of a report that is told to carry them.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any

from pbem.table.events import Event
from pbem.table.state import BOX, space_of

Row = dict[str, Any]
Facts = Mapping[str, Any]
History = Iterable[tuple[int, Event]]           # each event with the entry that caused it

ROUTES: dict[str, Callable[[Facts], list[str]]] = {
    "marched": lambda facts: [facts["origin"], facts["target"]],
    "sailed": lambda facts: [facts["origin"], facts["target"]],
    "evaded": lambda facts: [facts["origin"], *facts["path"]],
    "retreated": lambda facts: [facts["space"], facts["origin"]],       # he goes back to where he came from
    "intercepted": lambda facts: [facts["origin"], facts["space"]],
    "withdrew": lambda facts: [facts["origin"], facts["space"]],
}
TRIED = "tried"                                 # an Interception whose die failed


def changes(history: History) -> list[Row]:
    """In the order in which it happened."""
    return [row for row, _ in traced(history)]


def numbers(history: History) -> dict[int, int]:
    """Which event, by its identity, has which number."""
    return {id(event): row["number"] for row, events in traced(history) for event in events}


def traced(history: History) -> list[tuple[Row, list[Event]]]:
    """Each change with the events that it is made of: steps of one march are one, so is what one seat takes in a row."""
    found: list[tuple[Row, list[Event]]] = []
    aimed: dict[tuple[str, str], str] = {}                              # who declared an Interception from where
    rolled: dict[tuple[str, str], list[int]] = {}                       # what a side rolled in a fight, where
    for entry, one in history:
        if one.key == "interception_declared":
            aimed[one.facts["general"], one.facts["space"]] = one.facts["origin"]
        elif one.key in ("battle_rolled", "naval_battle_rolled"):
            rolled[one.facts["seat"], space_of(one.facts["space"])] = list(one.facts["dice"])
        row = change(entry, one, aimed)
        if row is not None and row["what"] == "fight":
            row = {**row, "dice": [rolled.pop((side, row["space"]), []) for side in row["sides"]]}
        if row is None:
            continue
        longer = together(found[-1][0], row) if found else None
        if longer is not None:
            found[-1] = (longer, [*found[-1][1], one])
        else:
            found.append((row, [one]))
    return [({**row, "number": number}, events) for number, (row, events) in enumerate(found, 1)]


def together(first: Row, then: Row) -> Row | None:
    """Both as one, where the second goes on with the first."""
    if first["what"] == then["what"] == "control" and first["seat"] == then["seat"]:
        return {**first, "entry": then["entry"], "spaces": [*first["spaces"], *then["spaces"]]}
    if (first["what"] == then["what"] == "move" and first["how"] == then["how"] != TRIED
            and all(first[name] == then[name] for name in ("seat", "general", "cus")) and first["path"][-1] == then["path"][0]):
        return {**first, "entry": then["entry"], "path": [*first["path"], *then["path"][1:]]}
    return None


def change(entry: int, one: Event, aimed: Mapping[tuple[str, str], str]) -> Row | None:
    """What an event changed, if that can be shown."""
    facts = one.facts
    if one.key in ROUTES:
        return move(entry, one.key, facts, ROUTES[one.key](facts))
    if one.key == "interception_rolled" and not facts["succeeded"]:
        return move(entry, TRIED, facts, [aimed.get((facts["general"], facts["space"]), ""), facts["space"]])
    shown = SHOWN[one.key](facts) if one.key in SHOWN else None
    return {"entry": entry, **shown} if shown is not None else None


def move(entry: int, how: str, facts: Facts, way: Iterable[str]) -> Row | None:
    """From space to space; into a city or out of it is no way that could be drawn, and neither is one into a box."""
    path = [space for space, _ in groupby(map(space_of, way))]
    if len(path) < 2 or BOX in path or "" in path:
        return None
    cus = facts.get("cus")
    return {"what": "move", "entry": entry, "how": how, "seat": facts["seat"], "general": facts["general"],
            "cus": sum(cus.values()) if isinstance(cus, Mapping) else None, "path": path}


def fight(how: str, winner: str, sides: tuple[str, str]) -> Callable[[Facts], Row]:
    return lambda facts: {"what": "fight", "how": how, "space": space_of(facts["space"]), "winner": facts.get(winner) or "",
                          "sides": [facts[side] for side in sides]}


def left_behind(facts: Facts) -> Row | None:
    """9.2 CUs, Generals and Royal Family that an Army went on without; a Minor General is drawn with his CUs."""
    pieces = facts["pieces"]
    if not (pieces.cus or pieces.generals or pieces.royals):
        return None
    return {"what": "dropped", "space": space_of(facts["at"]), "seat": facts["seat"], "cus": pieces.count(),
            "generals": list(pieces.generals), "royals": list(pieces.royals)}


SHOWN: dict[str, Callable[[Facts], Row | None]] = {
    "dropped": left_behind,
    "battle_won": fight("land", "seat", ("seat", "loser")),
    "battle_drawn": fight("land", "", ("attacker", "defender")),
    "naval_battle_fought": fight("sea", "winner", ("seat", "mover")),
    "siege_rolled": lambda facts: {"what": "siege", "space": facts["space"], "seat": facts["seat"], "points": facts["points"]},
    "siege_completed": lambda facts: {"what": "fell", "space": facts["space"], "seat": facts["seat"]},
    "pc_placed": lambda facts: {"what": "control", "spaces": [facts["space"]], "seat": facts["seat"]},
    "pc_removed": lambda facts: {"what": "control", "spaces": [facts["space"]], "seat": ""},
    "province_changed": lambda facts: {"what": "province", "province": facts["province"], "old": facts["old"],
                                       "seat": facts["new"]},
}
