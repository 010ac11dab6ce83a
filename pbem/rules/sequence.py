"""5, 6 The sequence of play. Every loop starts where the position stands, so that a game may be taken up anywhere."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.errors import NotNow, Refused
from pbem.events import ALL
from pbem.kernel import Abandon, Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import activation, movement, ownership, tyche, victory
from pbem.rules.movement import Act
from pbem.rules.war import unwritten_phase
from pbem.state import FRESH, SEGMENTS, Game, Unit

PHASES = ("preparations", "reinforcements", "deal", "strategy", "isolation", "turn_end")


def play(g: Game) -> Procedure[None]:
    """The whole game, from the position as it stands to its end."""
    victory.settle(g)
    while not g.over:
        with_phase = PHASE_PROCEDURES.get(g.phase)
        try:
            if with_phase is None:
                yield from unwritten_phase(g, g.phase)
            else:
                yield from with_phase(g)
        except Abandon as abandoned:
            if abandoned.level != "phase":
                continue                                # nothing smaller was running: the phase is taken up anew
            if g.phase == "strategy":
                end_segment(g)
        next_phase(g)


def next_phase(g: Game) -> None:
    """5 One phase after the other; after the Turn End the next Game Turn begins."""
    index = PHASES.index(g.phase) + 1
    if index == len(PHASES):
        g.turn += 1
        g.round = 1
        index = 0
        g.tell(ALL, "turn_began", turn=g.turn)
    g.phase = PHASES[index]
    if g.phase == "strategy":
        g.round, g.player, g.segment, g.begun = 1, g.turn_order[0], SEGMENTS[0], False


# --- 6 Strategy Phase --------------------------------------------------------------------------------------------


def rounds(g: Game) -> int:
    """6 Rounds in a Strategy Phase, by number of players."""
    return int(g.facts.tables["rounds_and_hands"]["rounds"][len(g.seats)])


def strategy_phase(g: Game) -> Procedure[None]:
    """5.4, 6 Rounds of Player Turns, each of four segments."""
    while True:
        try:
            yield from SEGMENT_PROCEDURES[g.segment](g)
        except Abandon as abandoned:
            if abandoned.level == "phase":
                raise
            if g.activation is not None:
                g.activation.must_leave = ""
            if abandoned.level != "segment":
                ownership.end_of_procedure(g)           # no procedure below the segment was running: it is taken up anew
                continue
            activation.finish(g)
        end_segment(g)
        if not next_segment(g):
            return


def next_segment(g: Game) -> bool:
    """6 Segment by segment, player by player in Turn Order, round by round; False after the last."""
    index = SEGMENTS.index(g.segment) + 1
    if index < len(SEGMENTS):
        g.segment = SEGMENTS[index]
        return True
    g.segment = SEGMENTS[0]
    place = g.turn_order.index(g.player) + 1
    if place < len(g.turn_order):
        g.player = g.turn_order[place]
    elif g.round < rounds(g):
        g.round += 1
        g.player = g.turn_order[0]
    else:
        return False
    g.asked = 0
    return True


def begin_segment(g: Game) -> None:
    """A segment announces itself once, however often it is taken up again."""
    if g.begun:
        return
    g.begun = True
    if g.segment == SEGMENTS[0]:
        g.asked = 0
        g.drawn.clear()
        g.tell(ALL, "player_turn_began", seat=g.player, round=g.round)
    g.tell(ALL, "segment_began", seat=g.player, segment=g.segment)


def end_segment(g: Game) -> None:
    """What pieces did in a segment is forgotten when it ends; so are allowances and fine speeches (7.2 F)."""
    activation.finish(g)
    for there in g.cus.values():
        for units in there.values():
            for unit in [one for one in units if one.past is not FRESH and one.past != FRESH]:
                units[Unit(unit.kind)] += units.pop(unit)
    for one in g.generals.values():
        one.mover, one.dropped = "", False
    for royal in g.royals.values():
        royal.mover = ""
    g.movement_roll = None
    g.allowance.clear()
    g.activated.clear()
    g.apart.clear()
    g.oratory.clear()
    g.naval_used = False
    g.naval_declared.clear()
    g.sieges.clear()
    g.fallen.clear()
    g.traitor = ""
    g.card, g.ops = "", 0
    g.begun = False
    ownership.end_of_procedure(g)


def orders_question(g: Game, acts: Mapping[str, Act], rule: str) -> Question:
    """What does the player whose turn it is do next in this segment?"""

    def read(side: str, order: Order) -> Order:
        if order.verb == "end":
            activation.judge_may_stop(g)
            return order
        act = acts.get(order.verb)
        if act is None:
            raise wrong_segment(g, order, acts)
        return act.judge(g, side, order)

    def candidates(side: str) -> Iterator[Order]:
        for act in acts.values():
            yield from act.candidates(g, side)
        yield Order("end")

    return Ask(g.player, g.segment, rule, about=situation(g), read=read, candidates=candidates,
               default=activation.silence(g))


RULE_OF = {
    "place_pc": "6.2B2", "raise_mercenary": "6.3", "siege": "15", "play": "6.2", "force_march": "6.2B1", "discard": "6.2",
}


def wrong_segment(g: Game, order: Order, acts: Mapping[str, Act]) -> Exception:
    """A fine order that this segment does not know, or a rule that is not written yet."""
    if order.verb in RULE_OF and order.verb not in ALL_VERBS and order.verb != "place_pc":
        return Refused(RULE_OF[order.verb], "not_written", verb=order.verb)
    if order.verb == "place_pc":
        return Refused("6.2B2", "not_in_this_segment", verb=order.verb, segment=g.segment, may=list(acts))
    return NotNow("not_in_this_segment", verb=order.verb, segment=g.segment, may=list(acts))


def situation(g: Game) -> dict[str, Any]:
    act = g.activation
    return {"segment": g.segment, "turn": g.turn, "round": g.round, "roll": g.movement_roll,
            "active": act.key if act else "", "left": activation.mps_left(g) if act else 0}


def activation_segment(g: Game) -> Procedure[None]:
    """6.3, 9 Activate Armies and Generals, one at a time, until the player ends the segment."""
    begin_segment(g)
    while True:
        order = yield lambda: orders_question(g, movement.ACTS, "6.3")
        if order.verb == "end":
            return
        try:
            yield from movement.ACTS[order.verb].do(g, order)
        except Abandon as abandoned:
            after_abandon(g, abandoned)


def after_abandon(g: Game, abandoned: Abandon) -> None:
    """A ruling ended the running step or activation; the segment goes on."""
    if abandoned.level not in ("step", "activation"):
        raise abandoned
    if g.activation is not None:
        g.activation.must_leave = ""
    if abandoned.level == "activation":
        activation.finish(g)
    ownership.end_of_procedure(g)


def unwritten_segment(g: Game) -> Procedure[None]:
    """A segment whose rules are not written yet refuses every order but `end`, with its number."""
    begin_segment(g)
    rule = {"surrender": "6.1", "forage": "6.4"}[g.segment]
    order = yield lambda: orders_question(g, {}, rule)
    assert order.verb == "end"


SEGMENT_PROCEDURES: dict[str, Callable[[Game], Procedure[None]]] = {
    "surrender": unwritten_segment,
    "tyche": tyche.tyche_segment,
    "activation": activation_segment,
    "forage": unwritten_segment,
}
PHASE_PROCEDURES: dict[str, Callable[[Game], Procedure[None]]] = {
    "deal": tyche.deal_phase,
    "strategy": strategy_phase,
}
ALL_VERBS = frozenset(movement.ACTS)
