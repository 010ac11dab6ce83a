"""What cards share: their parameters, the troops they bring, and what they are played on.

Each choice is refused with what the card needs and with what would do.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.base.errors import Refused
from pbem.components.board import PLACING
from pbem.orders import Order
from pbem.rules import company, reinforcements
from pbem.rules.isolation import enemy_cus
from pbem.table.events import ALL
from pbem.table.state import Game, General, Unit, is_at_sea, space_of


def parameters(g: Game, order: Order) -> Mapping[str, Any]:
    """The numbers and names of the card that is played."""
    params: Mapping[str, Any] = g.facts.cards[order.card]["params"]
    return params


def params_of(g: Game, effect: str) -> Mapping[str, Any]:
    """The parameters of the card with this effect: all its copies have the same, and a box may have none of them."""
    cards = g.facts.with_effect(effect)
    params: Mapping[str, Any] = cards[0]["params"] if cards else {}
    return params


def effect(g: Game, order: Order) -> str:
    return str(g.facts.cards[order.card]["effect_key"])


def played(order: Order, **choices: Any) -> Order:
    """The play in full: how, and with which choices."""
    return Order("play", card=order.card, how=order.how, **choices)


def put_pc(g: Game, seat: str, space: str) -> None:
    """A PC that a card brings, whosever lay there."""
    if g.controller(space) != seat:
        g.set_pc(space, seat)
        g.tell(ALL, "pc_placed", seat=seat, space=space)


def nothing_to_choose(g: Game, seat: str) -> Iterator[Order]:
    """The one way to play a card that asks for nothing."""
    yield Order("play")


def put(g: Game, seat: str, at: str, cus: Mapping[str, int], minor: str | None = None) -> None:
    """CUs come onto the map, perhaps under a Minor General."""
    g.add(at, seat, {Unit(kind): number for kind, number in cus.items()})
    g.tell(ALL, "cus_placed", seat=seat, at=at, cus=dict(cus))
    if minor:
        company.appear(g, minor, at)


# --- choosing one of several -------------------------------------------------------------------------------------


def judge_useful(g: Game, order: Order, possible: Iterable[str]) -> list[str]:
    """6.2 A The conditions of an event must be met: something has to be there to choose."""
    found = list(dict.fromkeys(possible))
    if not found:
        raise Refused("6.2A", "card_not_playable", card=order.card, what=effect(g, order))
    return found


def space(g: Game, order: Order, possible: Iterable[str]) -> str:
    """A space, named with `on` or `at`."""
    found = judge_useful(g, order, possible)
    kind, named = order.target or ("", space_of(order.at or ""))
    if kind not in ("", "space") or named not in found:
        raise Refused("6.2A", "card_wants_space", card=order.card, what=effect(g, order),
                      space=named if kind in ("", "space") else "", spaces=found)
    return str(named)


def general(g: Game, order: Order, possible: Iterable[str]) -> str:
    """A General, by name or as the only one in a space."""
    found = judge_useful(g, order, possible)
    kind, named = order.target or ("space", order.at or "")
    if kind == "space":
        there = [name for name in found if named and named in (g.generals[name].at, space_of(g.generals[name].at))]
        named = there[0] if len(there) == 1 else ""
    elif kind != "general":
        named = ""
    if named not in found:
        raise Refused("6.2A", "card_wants_general", card=order.card, what=effect(g, order), general=named, generals=found)
    return str(named)


def royal(g: Game, order: Order, possible: Iterable[str]) -> str:
    """A Royal Family Member."""
    found = judge_useful(g, order, possible)
    kind, named = order.target or ("", "")
    if kind != "royal" or named not in found:
        raise Refused("6.2A", "card_wants_royal", card=order.card, what=effect(g, order),
                      royal=named if kind == "royal" else "", royals=found)
    return str(named)


def several(g: Game, order: Order, possible: Iterable[str], most: int) -> tuple[str, ...]:
    """Up to so many different spaces, named with `choosing`; one may stand behind `at`."""
    found = judge_useful(g, order, possible)
    named: tuple[str, ...] = order.spaces or ((space_of(order.at),) if order.at else ())
    wrong = [one for one in named if one not in found]
    if wrong or not named:
        raise Refused("6.2A", "card_wants_space", card=order.card, what=effect(g, order), space=wrong[0] if wrong else "",
                      spaces=found)
    if len(set(named)) > most:
        raise Refused("6.2A", "too_many_spaces", card=order.card, most=most, wanted=len(set(named)))
    return tuple(dict.fromkeys(named))


def location(g: Game, seat: str, order: Order, spaces: Iterable[str], cus: Mapping[str, int]) -> str:
    """Where pieces are placed: a space that the card allows, inside a city only one's own and with room (9.4)."""
    found = judge_useful(g, order, spaces)
    if not order.at or space_of(order.at) not in found:
        raise Refused("6.2A", "card_wants_space", card=order.card, what=effect(g, order), space=space_of(order.at or ""),
                      spaces=found)
    reinforcements.judge_location(g, seat, order.at, cus)
    return str(order.at)


def minor(g: Game, seat: str, order: Order, *, needed: bool) -> str | None:
    """7.1 C A Minor General from off map, where the card brings one or may be joined by one."""
    wanted = order.minor or ("any" if needed else None)
    return company.pick_minor(g, seat, wanted).name if wanted else None


def locations(g: Game, spaces: Iterable[str]) -> Iterator[str]:
    """The outside of each space, then the inside."""
    for one in spaces:
        yield from g.locations_of(one)


# --- who is there ------------------------------------------------------------------------------------------------


def armies(g: Game, is_meant: Callable[[str], bool]) -> list[str]:
    """Who leads the Armies of the players that are meant."""
    found = [lead for at, there in g.cus.items() for side in there
             if side in g.seats and is_meant(side) and (lead := g.commander(at, side)) is not None]
    return [one.name for one in sorted(found, key=lambda one: (g.turn_order.index(one.seat), -one.seniority, one.name))]


def own_armies(g: Game, seat: str) -> list[str]:
    return armies(g, lambda side: side == seat)


def other_armies(g: Game, seat: str) -> list[str]:
    """Armies of other players; Independent ones are not meant."""
    return armies(g, lambda side: side != seat)


def generals(g: Game, seat: str) -> list[str]:
    """The Generals of a player on land, the most senior first."""
    found = [one for one in g.generals_of(seat) if g.on_map(one) and not is_at_sea(one.at)]
    return [one.name for one in sorted(found, key=lambda one: (-one.seniority, one.name))]


def size(g: Game, one: General) -> int:
    return g.count(one.at, one.seat)


def is_minor_city(g: Game, space: str) -> bool:
    """2 A Stronghold of a player's is a Minor City; an Independent one is none."""
    return g.board.kind(space) == "minor" or g.board.kind(space) == "stronghold" and g.controller(space) in g.seats


def hostile_minor_cities(g: Game, seat: str) -> list[str]:
    """Minor Cities of others without enemy CUs, in some books without any."""
    own = params_of(g, "convert_minor_city").get("own_cus_allowed", True)
    return [space for space in g.board.spaces if g.controller(space) not in ("", seat) and is_minor_city(g, space)
            and not enemy_cus(g, seat, space) and (own or not g.has_cus(space, seat))]


def near(g: Game, seat: str, origin: str, mps: int) -> set[str]:
    """Within so many MPs, over all but Trans-Mediterranean paths, and not through spaces with enemy CUs or PCs."""
    found = g.board.distances(space_of(origin), PLACING,
                              lambda space: g.controller(space) in ("", seat) and not enemy_cus(g, seat, space), mps)
    edge = {there for here, spent in found.items() for there, kind, cost in g.board.paths(here)
            if kind in PLACING and spent + cost <= mps}
    return {*found, *edge}


def on_generals(found: Iterable[str]) -> Iterator[Order]:
    return (Order("play", target=("general", name)) for name in found)


def on_spaces(found: Iterable[str]) -> Iterator[Order]:
    return (Order("play", target=("space", one)) for one in found)
