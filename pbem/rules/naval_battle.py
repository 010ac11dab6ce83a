"""13.2.4, 13.2.5, 13.3 Naval Battle: who may meet a Naval Movement, with what, and what comes of it."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from pbem.base.errors import Refused
from pbem.kernel.procedures import Poll, Procedure, Question
from pbem.orders import PASS, Order
from pbem.rules import abilities, activation, battle_score, hand, prices, surprise, truce, victory, windows
from pbem.rules.activation import is_afloat
from pbem.rules.acts import Price
from pbem.rules.attrition import Group, attrition
from pbem.table.events import ALL
from pbem.table.state import Activation, Fleet, Game, Voyage, space_of

# --- who is at sea, and with which Fleets ------------------------------------------------------------------------


def voyage_of(g: Game) -> tuple[Activation, Voyage]:
    """The active Army and its Naval Movement, while it is at sea."""
    act = g.activation
    if act is None or act.voyage is None or not is_afloat(g):
        raise Refused("13.2", "embark_first")
    return act, act.voyage


def mover(g: Game) -> str:
    act = g.activation
    assert act is not None
    return act.seat


def available(g: Game, seat: str) -> list[Fleet]:
    """7.4 The Fleets that a player controls and that are not dispersed."""
    return [fleet for fleet in g.fleets.values() if fleet.seat == seat and not fleet.dispersed]


def judge_fleets(g: Game, seat: str, fleets: Iterable[str], rule: str) -> tuple[str, ...]:
    """7.4 Available Fleets, each once; `all` means every one of them."""
    own = [fleet.name for fleet in available(g, seat)]
    named = set(own) if "all" in fleets else set(fleets)
    for name in sorted(named):
        if name not in own:
            raise Refused(rule, "fleet_not_available", fleet=name, available=own)
    return tuple(name for name in own if name in named)


# --- 13.2.4, 13.3 A Declaring a Naval Battle ---------------------------------------------------------------------


def judge_reach(g: Game, seat: str, target: str) -> None:
    """13.3 A An available Fleet, a PC near enough along Sea paths, and no declaration before in this segment."""
    act = g.activation
    assert act is not None
    if seat == act.seat:
        raise Refused("13.3A", "own_naval_movement")
    truce.judge(g, seat, act.seat, "13.3A")
    if not available(g, seat):
        raise Refused("13.3A", "no_fleet")
    if seat in g.naval_declared:
        raise Refused("13.3A", "declared_before")
    if not any(g.controller(space) == seat for space in in_reach(g, target)):
        raise Refused("13.3A", "no_port_in_reach", space=target, reach=g.rules.naval_reach)


def in_reach(g: Game, target: str) -> list[str]:
    """13.3 A The spaces near enough to the port announced, or to any port of a way that was announced whole."""
    act = g.activation
    ports = (act.voyage.announced if act is not None and act.voyage is not None else None) or (target,)
    return list(dict.fromkeys(space for port in ports for space in g.board.sea_reach(port, g.rules.naval_reach)))


def could_declare(g: Game, target: str) -> list[str]:
    """13.2.4 Who is asked, in Turn Order; nobody where a card lets the Army pass (13.3)."""
    found: list[str] = []
    if g.activation is not None and g.activation.voyage is not None and g.activation.voyage.sea:
        return found
    for seat in g.turn_order:
        try:
            judge_reach(g, seat, target)
        except Refused:
            continue
        found.append(seat)
    return found


def declaration(g: Game, target: str) -> Question | None:
    act = g.activation
    if act is None or act.voyage is None or act.voyage.towards != target:
        return None
    seat = mover(g)
    sides = could_declare(g, target)

    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if not answer or answer == PASS:
            return PASS
        if len(answer) != 1 or answer[0].verb != "naval_battle":
            raise Refused("13.3A", "declare_or_pass")
        judge_reach(g, side, target)
        fleets = judge_fleets(g, side, answer[0].fleets, "13.3A")
        if not fleets:
            raise Refused("13.3A", "commit_a_fleet", available=[fleet.name for fleet in available(g, side)])
        return (Order("naval_battle", fleets=fleets),)

    def candidates(side: str) -> Iterator[tuple[Order, ...]]:
        yield PASS
        own = [fleet.name for fleet in available(g, side)]
        for number in range(len(own), 0, -1):
            for fleets in combinations(own, number):
                yield (Order("naval_battle", fleets=fleets),)

    def costs(side: str, answer: tuple[Order, ...]) -> list[Price]:
        return prices.of_naval_battle(g, side, seat, target) if answer[0].verb == "naval_battle" else []

    def about() -> dict[str, object]:
        return {"mover": seat, "general": act.key, "space": target, "origin": space_of(act.here),
                "cus": sum(activation.travelling_units(g).values()), "escort": list(escort(g)),
                "strength": strength(g, escort(g)),
                "fleets": {side: [fleet.name for fleet in available(g, side)] for side in sides},
                "route": list(act.voyage.announced[1:]) if act.voyage is not None and act.voyage.announced else [],
                "ports": {side: [space for space in in_reach(g, target) if g.controller(space) == side] for side in sides}}

    return Poll(sides, "naval_battle", "13.2.4", about=about, read=read, candidates=candidates, default=PASS, costs=costs)


def escort(g: Game) -> tuple[str, ...]:
    """13.2.1 Of the Fleets named before the movement, those that are still there."""
    act = g.activation
    assert act is not None and act.voyage is not None
    return still(g, act.seat, act.voyage.escort)


def still(g: Game, seat: str, fleets: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in fleets if g.fleets[name].seat == seat and not g.fleets[name].dispersed)


def strength(g: Game, fleets: Iterable[str]) -> int:
    """13.3 C The numbers on the faceup sides; no Fleets make 0."""
    return sum(g.facts.fleets[name]["upgraded" if g.fleets[name].upgraded else "normal"] for name in fleets)


# --- 13.2.5, 13.3 B to D Naval Battles ---------------------------------------------------------------------------


def naval_battles(g: Game, target: str) -> Procedure[None]:
    """13.2.4, 13.2.5 All declare at once; the battles come in Turn Order, until one stops the movement."""
    moving, by_card = mover(g), False
    declared = yield lambda: declaration(g, target)
    attackers = [(seat, order.fleets) for seat, (order,) in (declared or {}).items() if order.verb == "naval_battle"]
    for seat, fleets in attackers:
        g.naval_declared.add(seat)
        g.tell(ALL, "naval_battle_declared", seat=seat, mover=mover(g), space=target, fleets=list(fleets))
        if g.rules.naval_attack == "declaration":
            victory.attack(g, seat, moving, "13.3B", target)
    if not attackers:
        yield from cards_at_sea(g, target)
    for seat, fleets in attackers:
        if not heads_for(g, target):
            g.tell(ALL, "naval_battle_cancelled", seat=seat, space=target)
            declared_in_earnest(g, seat, moving, target, by_card=by_card)
            continue
        voyage_of(g)[1].meets = seat
        voyage_of(g)[1].bonus.clear()
        yield from cards_at_sea(g, target)
        by_card = not heads_for(g, target) or voyage_of(g)[1].meets != seat
        declared_in_earnest(g, seat, moving, target, by_card=by_card)
        if heads_for(g, target) and voyage_of(g)[1].meets == seat:
            yield from naval_battle(g, seat, fleets, target)
        if heads_for(g, target):
            voyage_of(g)[1].meets = ""


def declared_in_earnest(g: Game, seat: str, moving: str, target: str, *, by_card: bool) -> None:
    """13.3 B Where the declaration is the attack: it was none if a card called the battle off, but is if an earlier one did."""
    if g.rules.naval_attack == "uncancelled" and not by_card:
        victory.attack(g, seat, moving, "13.3B", target)


def heads_for(g: Game, target: str) -> bool:
    """Is the active Army still on its way to the port announced?"""
    act = g.activation
    return act is not None and act.voyage is not None and act.voyage.towards == target and is_afloat(g)


# effect -> does it need a declared battle?
CARDS = {"cancel_naval_battle": True, "abort_naval_move": False, "naval_roll_bonus": True}


def cards_at_sea(g: Game, target: str) -> Procedure[None]:
    """13.3 D A pause for the cards that meet a Naval Movement, before any dice; the first in Turn Order counts."""
    yield from windows.plays(g, lambda: cards_question(g, target))


def cards_question(g: Game, target: str) -> Question | None:
    """Asked is everybody who could hold such a card, on public facts; nobody once nothing is left to stop."""
    if not heads_for(g, target):
        return None
    act, voyage = voyage_of(g)
    useful = [card for effect, in_battle in CARDS.items() if in_battle <= bool(voyage.meets) and effect in g.effects
              for card in g.facts.cards_by_effect.get(effect, ())]
    could = {side: [card for card in useful if hand.could_hold(g, side, card) and may_play_at_sea(g, side, card)]
             for side in g.turn_order}

    return Poll([side for side in g.turn_order if could[side]], "naval_cards", "13.3B",
                about={"mover": mover(g), "general": act.key, "space": target, "against": voyage.meets, "liars": useful},
                read=lambda side, answer: windows.read_play(
                    g, side, answer, could[side], Refused("13.3B", "sea_card_or_pass", cards=could[side])),
                candidates=lambda side: surprise.candidates(could[side]), default=PASS)


def may_play_at_sea(g: Game, side: str, card: str) -> bool:
    """Storms strike only other players' Naval Movements; an admiral helps only who has Fleets in the battle."""
    effect = g.facts.cards[card]["effect_key"]
    return (effect != "abort_naval_move" or side != mover(g)) and (effect != "naval_roll_bonus" or commits(g, side))


def commits(g: Game, side: str) -> bool:
    """13.3 A Does this side bring Fleets into the Naval Battle that is due? Who declared it does."""
    act = g.activation
    if act is None or act.voyage is None or not act.voyage.meets:
        return False
    return side == act.voyage.meets or side == mover(g) and bool(escort(g))


def judge_admiral(g: Game, seat: str, card: str) -> None:
    """13.3 D A Naval Battle is due in which this player has committed a Fleet."""
    judge_meeting(g, card)
    if not commits(g, seat):
        raise Refused("13.3D", "no_fleet_committed", card=card)


def judge_meeting(g: Game, card: str) -> Voyage:
    """13.3 B A Naval Battle has been declared, and its dice have not fallen."""
    act = g.activation
    if act is None or act.voyage is None or not act.voyage.meets:
        raise Refused("13.3B", "no_naval_battle", card=card)
    return act.voyage


def call_off(g: Game) -> None:
    """13.3 B The Naval Battle that was due does not take place; nobody's status suffers (B10)."""
    act = g.activation
    if act is not None and act.voyage is not None and act.voyage.meets:
        g.tell(ALL, "naval_battle_cancelled", seat=act.voyage.meets, space=act.voyage.towards)
        act.voyage.meets = ""


def judge_storm(g: Game, seat: str, card: str) -> None:
    """13.2.4 Another player's Army or General is at sea."""
    if not is_afloat(g) or mover(g) == seat:
        raise Refused("13.2.4", "nobody_at_sea", card=card)


def break_off(g: Game) -> None:
    """13.2.4 The Naval Movement goes back to its port, and the activation is over."""
    act = g.activation
    if act is None or act.voyage is None or not is_afloat(g):
        return
    call_off(g)
    act.voyage.towards = ""
    go_home(g)


def naval_battle(g: Game, seat: str, fleets: tuple[str, ...], target: str) -> Procedure[None]:
    """13.3 C, D Two dice and the Battle Table for each side, the moving player first."""
    if g.rules.naval_attack == "battle":
        victory.attack(g, seat, mover(g), "13.3B", target)
    committed = {mover(g): escort(g), seat: still(g, seat, fleets)}
    g.tell(ALL, "naval_battle_began", seat=seat, mover=mover(g), space=target,
           fleets={side: list(names) for side, names in committed.items()},
           strengths={side: strength(g, names) for side, names in committed.items()})
    scores = {side: roll(g, side, strength(g, names), target) for side, names in committed.items()}
    mine, theirs = scores[mover(g)], scores[seat]
    winner = "" if mine == theirs else mover(g) if mine > theirs else seat
    g.tell(ALL, "naval_battle_fought", seat=seat, mover=mover(g), space=target, scores=scores, winner=winner)
    if winner == mover(g):
        disperse_fleets(g, committed[seat], target)
    elif winner:
        disperse_fleets(g, committed[mover(g)], target)
        yield from defeat(g)


def roll(g: Game, side: str, number: int, target: str) -> int:
    """13.3 D The Battle Score of one side; Fleet Strength 0 scores nothing (B27)."""
    act = g.activation
    assert act is not None and act.voyage is not None
    bonus = act.voyage.bonus[side] + (abilities.naval_modifier(g, act.here, side) if side == act.seat else 0)
    dice, name = g.draw("naval", target, side, count=2)
    reading, total = g.reading(name), sum(dice) + bonus
    score = int(reading) if reading is not None else battle_score.score_of(g, number, total)
    g.tell(ALL, "naval_battle_rolled", seat=side, space=target, dice=dice, name=name, bonus=bonus, total=total,
           strength=number, score=score)
    return score


def disperse_fleets(g: Game, fleets: tuple[str, ...], space: str) -> None:
    """7.4 A dispersed Fleet lies in the Dispersed Box, on its normal side."""
    for name in fleets:
        g.fleets[name].dispersed, g.fleets[name].upgraded = True, False
        g.tell(ALL, "fleet_dispersed", fleet=name, seat=g.fleets[name].seat, space=space)


def defeat(g: Game) -> Procedure[None]:
    """13.3 D All CUs on board suffer Attrition, then everybody on board goes back to the Embarkation Port."""
    act, voyage = voyage_of(g)
    voyage.towards = voyage.meets = ""
    yield from attrition(g, mover(g), act.here, Group(act.here, mover(g), act.key))
    if g.activation is act:
        go_home(g)


def go_home(g: Game) -> None:
    """13.3 D The Retreat costs all MPs and ends the activation; what was dropped before stays where it is."""
    act = g.activation
    assert act is not None
    activation.return_to_port(g)
    activation.finish(g)
