"""Unrest and Unrest Spreads, cards 17 to 19: Independent PCs, where whoever resolves the event puts them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import siege
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Game

EFFECTS: Effects = {}


def judge_unrest(g: Game, seat: str, order: Order) -> Order:
    """Playable at any time; where the PCs go is asked then."""
    return targets.played(order)


def unrest(g: Game, seat: str, order: Order) -> Procedure[None]:
    """One PC after the other, each in a Province of its own; where there is nothing to choose nobody is asked."""
    params = targets.parameters(g, order)
    if "table" in params:
        yield from by_dice(g, seat, order.card, params)
        return
    named = list(params["provinces"])
    for _ in range(params["count"]):
        province = yield from somewhere(g, seat, order.card, named)
        if not province:
            return
        named.remove(province)


def by_dice(g: Game, seat: str, card: str, params: Mapping[str, Any]) -> Procedure[None]:
    """Two dice say in which Province; some result comes besides another. What spreads goes on in a Province beside it."""
    while True:
        dice, name = g.draw("unrest", count=2)
        row = next(row for row in g.facts.tables[params["table"]]["rows"] if row["roll"] == sum(dice))
        g.tell(ALL, "unrest_rolled", seat=seat, dice=dice, name=name, provinces=list(row["provinces"]))
        province = yield from somewhere(g, seat, card, row["provinces"])
        if not row["reroll"]:
            break
    for _ in range(params["count"] - 1 if province else 0):
        yield from somewhere(g, seat, card, list(g.board.province_neighbours(province)))


def somewhere(g: Game, seat: str, card: str, named: Sequence[str]) -> Procedure[str]:
    """A PC in one of these Provinces; in which, or none where there is no space left."""
    spaces = rebels(g, named)
    if not spaces:
        g.tell(ALL, "nowhere_to_rebel", provinces=list(named))
        return ""
    answer = Order("place_pc", spaces=(next(iter(spaces)),))
    if len(spaces) > 1:
        answer = yield lambda: unrest_question(g, seat, card, named)
    if not answer:
        return ""
    province = rebels(g, named)[answer.spaces[0]]
    yield from rebel(g, answer.spaces[0])
    return province


def rebel(g: Game, space: str) -> Procedure[None]:
    """A player's PC is replaced; what a city held suffers like a beaten Army (9.4)."""
    owner = g.controller(space)
    if owner:
        g.tell(ALL, "pc_removed", seat=INDEPENDENT, owner=owner, space=space)
    g.tell(ALL, "pc_placed", seat=INDEPENDENT, space=space)
    g.set_pc(space, INDEPENDENT)
    if owner in g.seats and g.board.kind(space) == "major":
        yield from siege.garrison_lost(g, space, owner, INDEPENDENT)


# --- where -------------------------------------------------------------------------------------------------------


def open_spaces(g: Game, province: str) -> list[str]:
    """Spaces that may rebel: no Transit Point, no CU, no Independent PC."""
    return [space for space in g.board.spaces_of(province) if not g.board.is_transit(space)
            and g.controller(space) != INDEPENDENT and not any(g.sides_with_cus(at) for at in g.locations_of(space))]


def rebels(g: Game, named: Sequence[str]) -> dict[str, str]:
    """The spaces that may rebel, each with the named Province for which it does.

    Only when all Provinces that the card still has are full their neighbours are looked at (6.2 A).
    """
    found = {space: province for province in named for space in open_spaces(g, province)}
    if found:
        return found
    return {space: province for province in named for near in g.board.province_neighbours(province)
            for space in open_spaces(g, near)}


def unrest_question(g: Game, seat: str, card: str, named: Sequence[str]) -> Question | None:
    """Where does it rebel? None where nothing is left to choose from."""
    spaces = rebels(g, named)
    if not spaces:
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb != "place_pc" or len(order.spaces) != 1 or order.spaces[0] not in spaces:
            raise Refused("6.2A", "unrest_wanted", card=card, spaces=list(spaces))
        return Order("place_pc", spaces=order.spaces)

    def candidates(side: str) -> Iterator[Order]:
        return (Order("place_pc", spaces=(space,)) for space in spaces)

    return Ask(seat, "unrest", "6.2A", read=read, candidates=candidates, default=next(candidates(seat)),
               about={"card": card, "spaces": list(spaces), "provinces": list(dict.fromkeys(spaces.values()))})


EFFECTS["place_independent_pc"] = Card(judge_unrest, unrest, targets.nothing_to_choose)
