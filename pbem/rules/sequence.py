"""5, 6 The sequence of play. Every loop starts where the position stands, so that a game may be taken up anywhere."""

from collections.abc import Callable, Mapping
from typing import Any

from pbem.base.errors import Refused
from pbem.kernel.procedures import Abandon, Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import (
    abilities,
    activation,
    burial,
    capital,
    cavalry,
    effects,
    forage,
    founding,
    hand,
    isolation,
    marching,
    marriage,
    ownership,
    preparations,
    prices,
    reinforcements,
    revealed,
    setup,
    surrender,
    turn_end,
    tyche,
    victory,
)
from pbem.rules.acts import Act, not_in_this_segment, other_segments, thinkable
from pbem.table.events import ALL
from pbem.table.state import PHASES, SEGMENTS, SETUP, Game, Step


def play(g: Game) -> Procedure[None]:
    """The whole game, from the position as it stands to its end."""
    victory.settle(g)
    while not g.over:
        try:
            yield from PHASE_PROCEDURES[g.phase](g)
        except Abandon as abandoned:
            if abandoned.level != "phase":
                continue                                # nothing smaller was running: the phase is taken up anew
            if g.phase == "strategy":
                end_segment(g)
        next_phase(g)


def next_phase(g: Game) -> None:
    """5 One phase after the other; after the Turn End the next Game Turn begins, after the Setup (4) the first."""
    index = 0 if g.phase == SETUP else PHASES.index(g.phase) + 1
    if index == len(PHASES):
        for card in marriage.lapse(g):
            effects.leave_game(g, card)
        g.turn += 1
        g.round = 1
        g.truces.clear()
        index = 0
    if not index:
        g.tell(ALL, "turn_began", turn=g.turn)
    g.phase = PHASES[index]
    g.step, g.chooser, g.asked = Step.NONE, "", 0
    forget_placements(g)
    g.tell(ALL, "phase_began", phase=g.phase, turn=g.turn)
    if g.phase == "strategy":
        g.round, g.player, g.segment, g.begun = 1, g.turn_order[0], SEGMENTS[0], False
    victory.settle(g)                                           # 3.1 a total reached on Game Turn I wins now (B4)


def forget_placements(g: Game) -> None:
    """5.2 How many CUs went where, and who has just come, counts only within a phase or segment."""
    g.placed.clear()
    g.overflowed.clear()
    g.arrived.clear()


# --- 6 Strategy Phase --------------------------------------------------------------------------------------------


def rounds(g: Game) -> int:
    """6 Rounds in a Strategy Phase, by number of players."""
    return int(g.facts.tables["rounds_and_hands"]["rounds"][len(g.seats)])


def strategy_phase(g: Game) -> Procedure[None]:
    """5.4, 6 Rounds of Player Turns, each of four segments."""
    while True:
        try:
            if not g.turns_over:
                begin_segment(g)
                yield from SEGMENT_PROCEDURES[g.segment](g)
                end_segment(g)
            if round_is_over(g):
                yield from revealed.turn_up_cards(g)
        except Abandon as abandoned:
            if abandoned.level != "segment":            # no procedure below the segment was running: it is taken up anew
                activation.after_abandon(g, abandoned)
                continue
            if g.activation is not None:
                g.activation.must_leave = ""
            end_segment(g)
        if not next_segment(g):
            return


def round_is_over(g: Game) -> bool:
    """6 The last segment of the last player."""
    return g.segment == SEGMENTS[-1] and g.player == g.turn_order[-1]


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
    if g.segment == "tyche":
        g.pcs_at_start = {g.player: frozenset(g.pcs_of(g.player))}
    g.tell(ALL, "segment_began", seat=g.player, segment=g.segment)


def end_segment(g: Game) -> None:
    """What pieces did in a segment is forgotten when it ends; so are allowances and fine speeches (7.2 F)."""
    activation.finish(g)
    activation.forget(g)
    g.movement_roll = None
    g.oratory.clear()
    g.sieges.clear()
    g.fallen.clear()
    g.traitor = ""
    g.card, g.ops, g.spending, g.event_due = "", 0, "", ""
    g.step = Step.NONE
    g.foraged.clear()
    forget_placements(g)
    g.begun = False
    ownership.end_of_procedure(g)


def orders_question(g: Game, acts: Mapping[str, Act], rule: str) -> Question:
    """What does the player whose turn it is do next in this segment?"""

    def read(side: str, order: Order) -> Order:
        if order.verb == "end":
            activation.judge_may_stop(g)
            return order
        if order.verb == "bury":
            return burial.judge_bury(g, side, order)
        act = acts.get(order.verb)
        if act is None:
            raise wrong_segment(g, order, acts)
        return act.judge(g, side, order)

    return Ask(g.player, g.segment, rule, about=lambda: situation(g), read=read,
               candidates=lambda side: thinkable(g, acts, side), default=lambda: marching.silence(g, g.player),
               costs=lambda side, order: acts[order.verb].costs(g, side, order) if order.verb in acts else [])


def wrong_segment(g: Game, order: Order, acts: Mapping[str, Act]) -> Exception:
    """A fine order that this segment does not know."""
    if order.verb == "independent_move":
        return Refused("9.5", "no_independents_now", general=order.general)
    if g.step == Step.RAISED and order.verb in marching.ACTS:
        return Refused("6.3", "mercenary_raised")
    if order.verb == "place_pc" and not g.fallen.isdisjoint(order.spaces):
        return Refused("15.4", "pc_in_a_later_segment", space=order.spaces[0], segment=g.segment)
    if order.verb == "place_pc":
        return Refused("6.2B2", "not_in_this_segment", verb=order.verb, segment=g.segment, may=list(acts),
                       when=other_segments(order.verb, g.segment))
    return not_in_this_segment(order.verb, g.segment, acts)


def situation(g: Game) -> dict[str, Any]:
    act = g.activation
    return {"segment": g.segment, "turn": g.turn, "round": g.round, "roll": g.movement_roll,
            "active": act.key if act else "", "left": activation.mps_left(g) if act else 0, "stronghold": before_stronghold(g)}


def before_stronghold(g: Game) -> dict[str, Any]:
    """10 A The Independent Stronghold from which the active Army cannot go on without a roll."""
    act = g.activation
    if act is None or not prices.at_stronghold(g):
        return {}
    return {"space": act.here, "column": cavalry.stronghold_column(g, activation.travelling_kinds(g))}


def orders(g: Game, acts: Callable[[Game], Mapping[str, Act]], rule: str) -> Procedure[None]:
    """Order after order of the player whose turn it is, until he ends the segment."""
    while True:
        order = yield lambda: orders_question(g, acts(g), rule)
        if order.verb == "end":
            return
        try:
            yield from acts(g)[order.verb].do(g, order)
        except Abandon as abandoned:
            activation.after_abandon(g, abandoned)


def surrender_segment(g: Game) -> Procedure[None]:
    """6.1 Remove PCs, place PCs, conduct Sieges; who has no CU in a space that is not his own is not asked."""
    if g.player in g.construction:
        capital.finish(g, g.player)
        ownership.end_of_procedure(g)
    nothing = surrender.nothing_to_do(g, g.player) and not burial.acts(g) and not founding.acts(g)
    if g.step != Step.NONE or not nothing:                          # whoever has begun says when he is done
        yield from orders(g, lambda g: {**surrender.ACTS, **burial.acts(g), **founding.acts(g)}, "6.1")


def activation_segment(g: Game) -> Procedure[None]:
    """6.3, 9 Activate Armies and Generals, one at a time, or raise a Mercenary instead."""
    yield from orders(g, activation_acts, "6.3")
    abilities.end_of_activation_segment(g)


def activation_acts(g: Game) -> Mapping[str, Act]:
    acts, more = reinforcements.RAISING if g.step == Step.RAISED else ACTIVATION_ACTS, burial.acts(g)
    return {**acts, **more} if more else acts


def forage_segment(g: Game) -> Procedure[None]:
    """6.4, 3.8 What the land cannot feed is lost; then Alexander may be buried, and only where he can be is anybody asked."""
    yield from forage.forage(g, g.player)
    while burial.may_bury(g, g.player):
        order = yield lambda: orders_question(g, burial.ACTS, "6.4")
        if order.verb == "end":
            return
        yield from burial.ACTS[order.verb].do(g, order)


ACTIVATION_ACTS = {**marching.ACTS, **reinforcements.RAISING}
SEGMENT_PROCEDURES: dict[str, Callable[[Game], Procedure[None]]] = {
    "surrender": surrender_segment,
    "tyche": tyche.tyche_segment,
    "activation": activation_segment,
    "forage": forage_segment,
}
SEGMENT_ACTS: dict[str, Callable[[Game], Mapping[str, Act]]] = {
    "surrender": lambda g: surrender.ACTS,
    "tyche": lambda g: {**tyche.PLAYS, **tyche.SPENDINGS},
    "activation": activation_acts,
    "forage": lambda g: burial.ACTS,
}
PHASE_PROCEDURES: dict[str, Callable[[Game], Procedure[None]]] = {
    SETUP: setup.setup_phase,
    "preparations": preparations.preparations_phase,
    "reinforcements": reinforcements.reinforcements_phase,
    "deal": hand.deal_phase,
    "strategy": strategy_phase,
    "isolation": isolation.isolation_phase,
    "turn_end": turn_end.turn_end,
}
