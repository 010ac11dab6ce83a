"""Events that bring troops onto the map, in the order of the deck: 5 to 8, 12, 13, 16, 25, 26, 39, 46, 47A."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import Procedure, at_once
from pbem.orders import Order, Pieces
from pbem.rules import pieces, reinforcements
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import Game, space_of

EFFECTS: Effects = {}


def fitting(g: Game, seat: str, wanted: Mapping[str, Any]) -> list[str]:
    """The spaces that a card names; closed, as for Reinforcements (5.2), where enemy CUs or Generals are."""
    return [space for space in g.board.spaces if g.board.province_of(space) in wanted["provinces"]
            and (g.controller(space) == seat or not wanted["needs_own_pc"])
            and (g.board.is_port(space) or not wanted.get("ports_only"))
            and not reinforcements.enemies_in(g, seat, space)]


def under_minors(g: Game, seat: str, params: Mapping[str, Any], orders: Iterable[Order]) -> Iterator[Order]:
    """The same placings, each alone and led by a Minor General where the card allows him."""
    for order in orders:
        if params["minor_general"] != "required":
            yield order
        if g.minors_off_map(seat):
            yield order.but(minor="any")


# --- 5 to 8, 39, 46 ----------------------------------------------------------------------------------------------


def judge_mercenaries(g: Game, seat: str, order: Order) -> Order:
    """In one of the Provinces named, as a rule in a space that one controls."""
    params = targets.parameters(g, order)
    at = targets.location(g, seat, order, fitting(g, seat, params["spaces"]), params["cus"])
    if order.pc and (not params.get("place_pc") or g.board.is_transit(at)):
        raise Refused("6.2A", "card_brings_no_pc", card=order.card)
    minor = targets.minor(g, seat, order, needed=params["minor_general"] == "required")
    return targets.played(order, at=at, pc=order.pc, minor=minor)


@at_once
def mercenaries(g: Game, seat: str, order: Order) -> None:
    """All the CUs come together, in one place."""
    targets.put(g, seat, order.at, brought(g, targets.parameters(g, order), order.at), order.minor)
    if order.pc:
        targets.put_pc(g, seat, space_of(order.at))


def brought(g: Game, params: Mapping[str, Any], at: str) -> Mapping[str, int]:
    """The CUs of a card, which in one Province may be of another sort."""
    cus: Mapping[str, int] = params.get("cus_in", {}).get(g.board.province_of(space_of(at)), params["cus"])
    return cus


def places_for(g: Game, seat: str, effect: str) -> Iterator[Order]:
    for fact in g.facts.with_effect(effect):
        if fact["copy_of"] is None:
            spaces = targets.locations(g, fitting(g, seat, fact["params"]["spaces"]))
            with_pc = (True, False) if fact["params"].get("place_pc") else (False,)
            yield from under_minors(g, seat, fact["params"], (Order("play", at=at, **({"pc": True} if pc else {}))
                                                              for pc in with_pc for at in spaces))


EFFECTS["place_cus"] = Card(judge_mercenaries, mercenaries, lambda g, seat: places_for(g, seat, "place_cus"))


# --- 12, 13 Macedonian Reinforcements ----------------------------------------------------------------------------


def judge_reinforcement(g: Game, seat: str, order: Order) -> Order:
    """Like Reinforcements (5.2); where it goes may be said at once, or when it is asked."""
    cus, kind = reinforcing(g, order)
    if not order.at:
        return targets.played(order, kind=kind)
    due = Pieces.of(cus=cus)
    placing = reinforcements.judge_reinforce(g, seat, Order("reinforce", location=order.at, pieces=due, minor=order.minor), due)
    return targets.played(order, at=placing.location, minor=placing.minor, kind=kind)


def reinforcing(g: Game, order: Order) -> tuple[Mapping[str, int], str | None]:
    """What the card brings; where it has several sorts of troops to offer, the one named with `taking` (16.9)."""
    params = targets.parameters(g, order)
    if "either" not in params:
        return params["cus"], None
    chosen = colonists_of(params, order)
    if chosen is None:
        raise Refused("6.2A", "card_wants_kind", card=order.card, kinds=[kind for one in params["either"] for kind in one])
    return chosen, order.kind


def reinforcement(g: Game, seat: str, order: Order) -> Procedure[None]:
    """The CUs are placed; if there is nowhere to place them they go to the Dispersed Box."""
    cus, _ = reinforcing(g, order)
    if order.at:
        reinforcements.put(g, seat, order.at, Pieces.of(cus=cus), order.minor or "")
        return
    g.due.setdefault(seat, Counter()).update(cus)
    yield from reinforcements.place_due(g, seat)


def reinforcement_places(g: Game, seat: str) -> Iterator[Order]:
    sorts = {kind: None for fact in g.facts.with_effect("place_reinforcement")
             for one in fact["params"].get("either", ()) for kind in one}
    for kind in sorts or (None,):
        yield Order("play", kind=kind)
        for at in targets.locations(g, reinforcements.eligible(g, seat)):
            yield Order("play", at=at, kind=kind)


EFFECTS["place_reinforcement"] = Card(judge_reinforcement, reinforcement, reinforcement_places)


# --- 16 Egyptian Military Colonists ------------------------------------------------------------------------------


def judge_colonists(g: Game, seat: str, order: Order) -> Order:
    """One of the two sorts of troops, named with `taking`."""
    params = targets.parameters(g, order)
    spaces = targets.judge_useful(g, order, fitting(g, seat, params["spaces"]))
    if colonists_of(params, order) is None:
        raise Refused("6.2A", "card_wants_kind", card=order.card, kinds=[kind for one in params["either"] for kind in one])
    at = targets.location(g, seat, order, spaces, colonists_of(params, order) or {})
    return targets.played(order, at=at, kind=order.kind, minor=targets.minor(g, seat, order, needed=False))


def colonists_of(params: Mapping[str, Any], order: Order) -> Mapping[str, int] | None:
    return next((one for one in params["either"] if order.kind in one), None)


@at_once
def colonists(g: Game, seat: str, order: Order) -> None:
    """Mercenaries, or fewer Macedonians."""
    targets.put(g, seat, order.at, colonists_of(targets.parameters(g, order), order) or {}, order.minor)


def colonist_places(g: Game, seat: str) -> Iterator[Order]:
    kinds = [kind for fact in g.facts.with_effect("place_cus_choice")
             for one in fact["params"]["either"] for kind in one]
    for order in places_for(g, seat, "place_cus_choice"):
        for kind in kinds:
            yield order.but(kind=kind)


EFFECTS["place_cus_choice"] = Card(judge_colonists, colonists, colonist_places)


# --- 25 Indian Elephant Corps ------------------------------------------------------------------------------------


def stables(g: Game, seat: str, wanted: Mapping[str, Any]) -> list[str]:
    """Own spaces without enemies in those Provinces, and those where an own General stands on open ground."""
    return [space for space in g.board.spaces if g.board.province_of(space) in wanted["provinces"]
            and (g.controller(space) == seat and not reinforcements.enemies_in(g, seat, space)
                 or g.commander(space, seat) is not None)]


def judge_elephants(g: Game, seat: str, order: Order) -> Order:
    """With a PC or a General of one's own in the Provinces named."""
    params = targets.parameters(g, order)
    at = targets.location(g, seat, order, stables(g, seat, params["spaces"]), params["cus"])
    return targets.played(order, at=at, minor=targets.minor(g, seat, order, needed=False))


def elephant_places(g: Game, seat: str) -> Iterator[Order]:
    for fact in g.facts.with_effect("place_elephants"):
        places = (Order("play", at=space) for space in stables(g, seat, fact["params"]["spaces"]))
        yield from under_minors(g, seat, fact["params"], places)


EFFECTS["place_elephants"] = Card(judge_elephants, mercenaries, elephant_places)


# --- 26 Persian Popular Support ----------------------------------------------------------------------------------


def judge_support(g: Game, seat: str, order: Order) -> Order:
    """One space for all the CUs, or one for each."""
    params = targets.parameters(g, order)
    spaces = targets.several(g, order, fitting(g, seat, params["spaces"]), sum(params["cus_now"].values()))
    return targets.played(order, spaces=spaces)


@at_once
def support(g: Game, seat: str, order: Order) -> None:
    """The CUs come now; the Legitimacy is gone, and one more CU comes with each Reinforcements Phase, for good."""
    shares: dict[str, Counter[str]] = {space: Counter() for space in order.spaces}
    coming = Counter(targets.parameters(g, order)["cus_now"]).elements()
    for index, kind in enumerate(coming):
        shares[order.spaces[index % len(order.spaces)]][kind] += 1
    for space, share in shares.items():
        targets.put(g, seat, space, share)
    g.kept[order.card] = seat
    g.tell(ALL, "kept_for_good", seat=seat, card=order.card)


def support_places(g: Game, seat: str) -> Iterator[Order]:
    for fact in g.facts.with_effect("persian_support"):
        spaces = fitting(g, seat, fact["params"]["spaces"])
        yield from (Order("play", spaces=(space,)) for space in spaces)
        yield from (Order("play", spaces=pair) for pair in combinations(spaces, 2))


EFFECTS["persian_support"] = Card(judge_support, support, support_places)


# --- 47A Silver Shields ------------------------------------------------------------------------------------------


def camps(g: Game, seat: str, cus: int) -> list[str]:
    """The own Generals on the map beside whom there is room for so many CUs (9.4)."""
    return [name for name in targets.generals(g, seat) if pieces.room_at(g, g.generals[name].at, seat) >= cus]


def judge_silver_shields(g: Game, seat: str, order: Order) -> Order:
    """With an own General on the map."""
    name = targets.general(g, order, camps(g, seat, targets.parameters(g, order)["cus"]))
    return targets.played(order, target=("general", name))


@at_once
def silver_shields(g: Game, seat: str, order: Order) -> None:
    """The counter comes at full strength; the card that steals it is shuffled in from the next deal on (7.2 D)."""
    params = targets.parameters(g, order)
    targets.put(g, seat, g.generals[order.target[1]].at, {params["counter"]: params["cus"]})
    if params["replaced_by"] in g.out:
        g.out.remove(params["replaced_by"])
        g.discards.append(params["replaced_by"])
        g.tell(ALL, "card_joined_deck", card=params["replaced_by"])


EFFECTS["enter_silver_shields"] = Card(
    judge_silver_shields, silver_shields, lambda g, seat: targets.on_generals(targets.generals(g, seat)))
