"""Unrest and Unrest Spreads, cards 17 to 19: Independent PCs, where whoever resolves the event puts them."""

from collections.abc import Collection, Iterator

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
    card, done = order.card, list[str]()
    for _ in range(targets.parameters(g, order)["count"]):
        spaces = rebels(g, card, done)
        if not spaces:
            g.tell(ALL, "nowhere_to_rebel", provinces=targets.parameters(g, order)["provinces"])
            return
        answer = Order("place_pc", spaces=(next(iter(spaces)),))
        if len(spaces) > 1:
            answer = yield lambda: unrest_question(g, seat, card, done)
        if answer:
            space = answer.spaces[0]
            done.append(rebels(g, card, done)[space])
            yield from rebel(g, space)


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


def rebels(g: Game, card: str, done: Collection[str]) -> dict[str, str]:
    """The spaces that may rebel, each with the named Province for which it does.

    Only when all Provinces that the card still has are full their neighbours are looked at (6.2 A).
    """
    named = [one for one in g.facts.cards[card]["params"]["provinces"] if one not in done]
    found = {space: province for province in named for space in open_spaces(g, province)}
    if found:
        return found
    return {space: province for province in named for near in g.board.province_neighbours(province)
            for space in open_spaces(g, near)}


def unrest_question(g: Game, seat: str, card: str, done: Collection[str]) -> Question | None:
    """Where does it rebel? None where nothing is left to choose from."""
    spaces = rebels(g, card, done)
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
