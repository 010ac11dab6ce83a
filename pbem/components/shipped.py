"""The data as they are shipped: one JSON file, made of the YAML files beside it by `python -m pbem.components.catalogue`.

What is learnt about the box changes the data; a game keeps those that it began with. So each state of them has a number, and
for every earlier one there are the corrections that lead back to it.
"""

import json
from pathlib import Path
from typing import Any

from pbem.base.errors import BadLog

FACTS_FILE = Path(__file__).parents[1] / "data" / "facts.json"
EARLIER_FILE = FACTS_FILE.with_name("earlier.json")
PARTS = ("regions", "provinces", "spaces", "paths", "boxes", "counterparts", "generals", "minors", "independents",
         "royals", "cards", "fleets", "tables")
WHOLE = ("tables", "counterparts", "paths")         # parts that are no things by their names
STATE = 3                           # of the data; 1 is that of games that name none
OWN_BOXES = 3                       # the first state in which other editions have boxes of their own
OTHERWISE_FILE = FACTS_FILE.with_name("otherwise.json")


def shipped(edition: str = "") -> dict[str, Any]:
    """The tree of all data, with texts as keys: whoever asks gets one of his own. Without an edition that of the 4th."""
    from pbem.components.otherwise import applied

    tree: dict[str, Any] = json.loads(FACTS_FILE.read_bytes())
    return applied(tree, otherwise(edition)) if edition else tree


def otherwise(edition: str) -> list[dict[str, Any]]:
    """What the box of another edition has otherwise."""
    told: dict[str, list[dict[str, Any]]] = json.loads(OTHERWISE_FILE.read_bytes())
    return told.get(edition, [])


def box_of(edition: str, state: int) -> str:
    """The box that a game is played with, by the state of the data that it began with."""
    return edition if state >= OWN_BOXES and otherwise(edition) else ""


def back_to(state: int) -> list[dict[str, Any]]:
    """The corrections that lead from the data of today to an earlier state of them."""
    if not 1 <= state <= STATE:
        raise BadLog("other_data", found=state, known=STATE)
    if state == STATE:
        return []
    earlier: dict[str, list[dict[str, Any]]] = json.loads(EARLIER_FILE.read_bytes())
    return [one for number in range(STATE - 1, state - 1, -1) for one in earlier[str(number)]]
