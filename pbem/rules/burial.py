"""3.8 Burying Alexander."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question, at_once
from pbem.orders import Order
from pbem.rules import ownership
from pbem.rules.acts import Act
from pbem.table.events import ALL
from pbem.table.state import CART, DEAD, NOWHERE, TOMB, Game, is_at_sea, space_of


def judge_bury(g: Game, seat: str, order: Order) -> Order:
    """3.8 The five conditions: the Cart, a Major City on land, no enemy CU beside it, the turn, the moment."""
    cart = g.royals[CART]
    if cart.seat != seat or cart.at in (NOWHERE, DEAD):
        raise Refused("3.8", "cart_not_yours", owner=cart.seat)
    if g.turn not in g.rules.burial_turns:
        raise Refused("3.8", "no_burial_this_turn", turn=g.turn, turns=list(g.rules.burial_turns))
    if g.phase == "strategy" and (g.segment not in g.rules.burial_segments or g.player != seat):
        raise Refused("3.8", "bury_later", segment=g.segment, at=cart.at, anytime=anytime(g))
    if g.board.kind(space_of(cart.at)) != "major" or is_at_sea(cart.at):
        raise Refused("3.8", "no_major_city", at=cart.at)
    enemies = [side for side in g.sides_with_cus(cart.at) if side != seat]
    if enemies:
        raise Refused("3.8", "enemy_beside_cart", at=cart.at, sides=enemies)
    return Order("bury")


def anytime(g: Game) -> bool:
    """3.8 Does the book leave him time before the Forage Segment?"""
    return bool(g.rules.burial_segments != ("forage",))


def may_bury(g: Game, seat: str) -> bool:
    """Could this player bury Alexander now? Public facts only."""
    try:
        judge_bury(g, seat, Order("bury"))
    except Refused:
        return False
    return True


def entomb(g: Game, seat: str) -> None:
    """3.8 The Cart becomes the Tomb, outside the city; at Pella it is worth 10 L that are never lost."""
    cart, tomb = g.royals[CART], g.royals[TOMB]
    tomb.at, tomb.seat = space_of(cart.at), ""
    cart.at, cart.seat = DEAD, ""
    if tomb.at == "pella":
        g.buried_by = seat
    g.tell(ALL, "buried", seat=seat, at=tomb.at)
    ownership.end_of_procedure(g)


@at_once
def bury(g: Game, order: Order) -> None:
    """3.8 In one's own Forage Segment."""
    entomb(g, g.player)


def candidate_burials(g: Game, seat: str) -> Iterator[Order]:
    if may_bury(g, seat):
        yield Order("bury")


ACTS: dict[str, Act] = {"bury": Act(judge_bury, bury, candidate_burials)}


def reminder(what: str, g: Game) -> str:
    """Which reminder it is, by when the book lets him be buried."""
    return f"{what}_anytime" if anytime(g) else what


def acts(g: Game) -> dict[str, Act]:
    """3.8 Beside what else may be done in a segment, where the book leaves him time before the Forage Segment."""
    return ACTS if g.segment in g.rules.burial_segments and g.segment != "forage" and may_bury(g, g.player) else {}


# --- 5.6 Turn End ------------------------------------------------------------------------------------------------


def at_turn_end(g: Game) -> Procedure[None]:
    """3.8, 5.6 Only whoever controls the Cart can bury, so no order among players is needed (B45)."""
    order = yield lambda: burial_question(g)
    if order and order.verb == "bury":
        entomb(g, g.royals[CART].seat)


def burial_question(g: Game) -> Question | None:
    """Is Alexander buried at this Turn End? Asked only where he could be."""
    seat = g.royals[CART].seat
    if not seat or not may_bury(g, seat):
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb == "pass":
            return order
        if order.verb != "bury":
            raise Refused("3.8", "bury_or_pass", at=g.royals[CART].at)
        return judge_bury(g, side, order)

    return Ask(seat, "burial", "3.8", read=read, default=Order("pass"),
               candidates=lambda side: iter((Order("pass"), Order("bury"))),
               about={"at": g.royals[CART].at, "turn": g.turn, "pella": space_of(g.royals[CART].at) == "pella",
                      "last": g.turn == max(g.rules.burial_turns)})
