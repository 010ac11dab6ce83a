"""What the boxes of other editions have otherwise, as the data files tell it: corrections to the data of the 4th.

`python -m pbem.components.catalogue` writes them into data/otherwise.json; a game by such a book is played on them.
"""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

Tree = dict[str, Any]
PRINTED = ("kind", "ops", "must_play", "remove_after_event")        # what a card says of itself beside its text
RATED = ("initiative", "battle")


def of_edition(tree: Tree, edition: str, listed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The corrections that make another edition's box of a tree; where a file says it by hand, that counts."""
    by_hand = [{"datum": one["datum"], "value": one["value"]} for one in listed[edition]]
    told = [one for part in BLOCKS.get(edition, ()) for one in part(tree)]
    return [*({one["datum"]: one for one in (*told, *by_hand)}.values())]


def _generals(tree: Tree) -> Iterator[dict[str, Any]]:
    for id, one in tree["generals"].items():
        third = one["third"] or {}
        yield from ({"datum": f"generals.{id}.{key}", "value": third[key]} for key in RATED
                    if third.get(key) is not None and third[key] != one[key])


def _cards(tree: Tree) -> Iterator[dict[str, Any]]:
    """The optional cards are in no other box, and stay out of the deck as they do in the 4th."""
    for id, card in tree["cards"].items():
        third = card["third"] or {}
        yield from ({"datum": f"cards.{id}.{key}", "value": third[key]} for key in PRINTED
                    if key in third and third[key] is not None and third[key] != card[key] and id not in ("47A", "47B"))


def _new_cards(tree: Tree) -> Iterator[dict[str, Any]]:
    """8.5 of the 3rd edition: Generals who are cards of the deck."""
    model = tree["cards"]["37"]
    for number, card in zip(count(61), tree["tables"]["third_edition"]["cards"], strict=False):
        general = tree["generals"][card["general"]]
        start = general["third"]["start"]
        params = {"general": card["general"], "cus": start["cus"],
                  "spaces": {"or": "reinforcement", "provinces": [start["province"]]},
                  **({"place_pc": True} if "only" in card else {})}
        yield {"datum": f"cards.{number}", "value": {
            **model, "number": str(number), "name": card["name"], "ops": 4, "effect": "", "params": params, "third": None,
            "cavalry": None, "aliases": [], "in_deck_at": "start", "preconditions": [], "choices": [], "clarifications": []}}


# What generals.yaml and cards.yaml say of an edition under its own key.
BLOCKS = {"third": (_generals, _cards, _new_cards)}


def applied(tree: Tree, corrections: list[dict[str, Any]]) -> Tree:
    """The tree of another box. These are our own data: nobody else's corrections come this way."""
    for one in corrections:
        *steps, last = one["datum"].split(".")
        holder = tree
        for step in steps:
            holder = holder[step]
        holder[last] = one["value"]
    return tree
