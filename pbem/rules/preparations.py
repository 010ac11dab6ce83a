"""5.1 The Preparations Phase."""

from collections.abc import Callable, Iterator, Sequence

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question, at_once
from pbem.orders import Order
from pbem.rules import burial, end_game, victory
from pbem.rules.reinforcements import best, dealt_to, lowest_die, place_due, senior
from pbem.table.events import ALL
from pbem.table.state import CART, DEAD, DISPERSED, NOT_IN_PLAY, NOWHERE, Game, Step

HEIR_TURN, EXPIRY_TURN = 3, 4                       # 5.1 A the old age of Antipatros, the loss of the body


def preparations_phase(g: Game) -> Procedure[None]:
    """5.1 Turn events, the Usurper, the Turn Order; it may be taken up again at any of these steps."""
    steps = g.rules.preparations
    for step in steps[steps.index(g.step or steps[0]):]:
        g.step = Step(step)
        yield from STEPS[step](g)


# --- 5.1 A Turn Events and Exceptions ----------------------------------------------------------------------------


@at_once
def turn_events(g: Game) -> None:
    """5.1 A What this Game Turn brings by itself."""
    remind(g)
    if g.turn == HEIR_TURN:
        antipatros_dies(g)
        demetrios_comes(g)
    if g.turn >= EXPIRY_TURN:
        cart_is_lost(g)
    end_game.regency(g)


def arrivals(g: Game) -> Procedure[None]:
    """5.1 A Whoever has just entered the game has to be placed now."""
    for seat in g.turn_order:
        yield from place_due(g, seat)


def remind(g: Game) -> None:
    """What players forget at the start of a Game Turn (3.8, 5.1 A, 3.2)."""
    cart = g.royals[CART]
    if g.turn <= max(g.rules.burial_turns) and cart.at not in (NOWHERE, DEAD):
        staying = "cart_unfinished" if g.rules.finish_cart_ops else "cart_stays"
        last = g.turn == max(g.rules.burial_turns)
        what = staying if g.cart_stays else burial.reminder("cart_last_turn" if last else "cart_may_move", g)
        g.tell(ALL, "reminder", what=what, seat=cart.seat, at=cart.at)
    coming = g.rules.regency_heirs.get(g.turn + 1)
    if coming and g.turn < g.rules.last_turn and g.royals[coming].at not in (NOWHERE, DEAD):
        g.tell(ALL, "reminder", what=f"{coming}_next_turn", seat=g.royals[coming].seat, at=g.royals[coming].at)
    comes = any(fact["params"].get("from_turn") == g.turn for fact in g.facts.with_effect("enter_general"))
    for what, due in (("no_instant_victory", g.turn == 1), ("peukestas", comes),
                      ("recruiting", g.turn == 4 and g.rules.recruit_after == "fewer")):
        if due:
            g.tell(ALL, "reminder", what=what, seat="", at="")


def antipatros_dies(g: Game) -> None:
    """5.1 A Polyperchon takes his place, on the map or in the Dispersed Box, for the player who was dealt Antipatros."""
    old, new = g.generals["antipatros"], g.generals["polyperchon"]
    if not (g.on_map(old) or old.at == DISPERSED):
        if not g.rules.polyperchon_at_once and old.at == DEAD and new.at == NOT_IN_PLAY:
            join(g, "polyperchon", dealt_to(g, "antipatros"))
        if new.at != DISPERSED and not g.on_map(new):
            g.tell(ALL, "reminder", what="no_polyperchon", seat="", at="")
        return
    new.at, new.seat = old.at, dealt_to(g, "antipatros")
    old.at, old.seat = DEAD, ""
    g.condemned.pop(old.name, None)
    g.tell(ALL, "general_succeeded", seat=new.seat, old=old.name, new=new.name, at=new.at)


def demetrios_comes(g: Game) -> None:
    """5.1 A To the player who was dealt Antigonos, whether or not he lives; placed as a Reinforcement."""
    if g.generals["demetrios"].at == NOT_IN_PLAY:
        join(g, "demetrios", dealt_to(g, "antigonos"))
    if g.generals["demetrios"].at == NOT_IN_PLAY:
        g.tell(ALL, "reminder", what="no_demetrios", seat="", at="")


def join(g: Game, general: str, seat: str) -> None:
    """A General enters the game and has to be placed."""
    if seat not in g.seats:
        return
    one = g.generals[general]
    one.at, one.seat = DISPERSED, seat
    g.due_generals[seat] = [*g.due_generals.get(seat, ()), general]
    g.tell(ALL, "general_joined", seat=seat, general=general)


def cart_is_lost(g: Game) -> None:
    """3.8, 5.1 A Whoever has not been buried by now is lost to history."""
    cart = g.royals[CART]
    if cart.at not in (NOWHERE, DEAD):
        g.tell(ALL, "cart_lost", at=cart.at)
        cart.at, cart.seat = DEAD, ""


# --- 5.1 B Label the Usurper -------------------------------------------------------------------------------------


@at_once
def label_usurper(g: Game) -> None:
    """5.1 B Most Victory Points, for the whole Game Turn; of the tied who has the most Senior General."""
    totals = {seat: victory.points(g, seat) for seat in g.seats}
    tied = best(g, totals)
    g.usurper = senior(g, tied)
    g.tell(ALL, "usurper_named", seat=g.usurper, points=totals[g.usurper], tied=tied if len(tied) > 1 else [])


# --- 5.1 C Determine Turn Order ----------------------------------------------------------------------------------


def least(g: Game, why: str) -> str:
    """5.1 C, 6 Who has the least Victory Points; a tie goes to the lowest die."""
    totals = {seat: victory.points(g, seat) for seat in g.turn_order}
    return lowest_die(g, [seat for seat in g.turn_order if totals[seat] == min(totals.values())], why)


def turn_order(g: Game) -> Procedure[None]:
    """5.1 C Who has the least VP names the First Player, and whether it goes round to the left or to the right."""
    if not g.chooser:
        g.chooser = least(g, "first_player")
    order = yield lambda: first_player_question(g, g.chooser)
    g.turn_order = around(g.seats, order.seat, order.direction)
    g.tell(ALL, "first_player_chosen", seat=order.seat, by=g.chooser, direction=order.direction, order=list(g.turn_order))
    g.chooser = ""


def around(seats: Sequence[str], first: str, direction: str) -> tuple[str, ...]:
    """The seats around the table, from one of them on; the next in seating order sits to the left."""
    start = seats.index(first)
    step = 1 if direction == "left" else -1
    return tuple(seats[(start + step * place) % len(seats)] for place in range(len(seats)))


def first_player_question(g: Game, chooser: str) -> Question:
    ways = ["left", "right"] if g.rules.direction_chosen else ["left"]

    def read(side: str, order: Order) -> Order:
        if order.verb != "first_player" or order.seat not in g.seats:
            raise Refused("5.1C", "first_player_wanted", seats=list(g.seats), directions=ways)
        if order.direction not in ways:
            raise Refused("5.1C", "always_to_the_left", seat=order.seat)
        return Order("first_player", seat=order.seat, direction=order.direction)

    def candidates(side: str) -> Iterator[Order]:
        for seat in dict.fromkeys((chooser, *g.seats)):
            for direction in ways:
                yield Order("first_player", seat=seat, direction=direction)

    return Ask(chooser, "first_player", "5.1C", read=read, candidates=candidates,
               default=Order("first_player", seat=chooser, direction="left"),
               about={"turn": g.turn, "points": {seat: victory.points(g, seat) for seat in g.seats},
                      "orders": {way: list(around(g.seats, chooser, way)) for way in ways}})


STEPS: dict[str, Callable[[Game], Procedure[None]]] = {
    "events": turn_events,
    "arrivals": arrivals,
    "usurper": label_usurper,
    "turn_order": turn_order,
}
