"""14 Land Battle for two factions whose CUs are in the same location: 14.1 to 14.4, what comes before the dice.

Strength and score follow in `battle_score`, a fallen commander in `general_loss`, losses and Retreat in `battle_losses`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Poll, Procedure, Question
from pbem.orders import PASS, Order, Pieces
from pbem.rules import activation, capital, effects, hand, ownership, prestige, surprise, windows
from pbem.rules.battle_losses import losses, remember, retreat, stay_or_disperse
from pbem.rules.battle_score import roll_battle, roll_elephants, tell_local_troops, tell_outcome, tell_strength
from pbem.rules.general_loss import commander_loss
from pbem.rules.pieces import judge_named, too_few
from pbem.table.events import ALL
from pbem.table.state import DEAD, Battle, Game, Unit, Way, space_of

# --- 14.1 Attacker and Defender ----------------------------------------------------------------------------------


def land_battle(g: Game, way: Way, foes: list[str]) -> Procedure[None]:
    """10 L, 14.1 The faction of the activated Army attacks; its General loses his MPs, but is not done yet."""
    act = g.activation
    for foe in foes:
        if not (g.count(way.target, way.seat) and g.count(way.target, foe)):
            continue
        if act is not None:
            act.stopped = True
            act.must_leave = ""
        g.battle = Battle(way.target, way.seat, foe)
        g.tell(ALL, "battle_began", attacker=way.seat, defender=foe, space=space_of(way.target), ratio=g.rules.overrun_ratio,
               attackers=g.count(way.target, way.seat), defenders=g.count(way.target, foe))
        try:
            yield from fight(g, way, g.battle)
        finally:
            g.battle = None
    if act is not None and g.generals[act.key].at == DEAD:
        activation.close(g)                                     # nobody is left to go on with it


def fight(g: Game, way: Way, battle: Battle) -> Procedure[None]:
    """14 Who comes out of the city, cards, Royal Army CUs, strength, score; then what follows from it."""
    yield from out_of_the_city(g, battle)
    for side in (battle.attacker, battle.defender):
        yield from battle_cards(g, battle, side)
    if is_off(g, battle):
        return
    capital.attacked(g, battle.defender, space_of(battle.at))
    set_apart(g, battle)
    tell_local_troops(g, battle)
    for side in (battle.attacker, battle.defender):
        yield from roll_elephants(g, battle, side)
    for side in (battle.attacker, battle.defender):
        tell_strength(g, battle, side)
    for side in (battle.attacker, battle.defender):
        roll_battle(g, battle, side)
    winner = tell_outcome(g, battle)
    victor = g.commander(battle.at, winner) if winner else None
    victor_name = victor.name if victor is not None else ""
    for side in (battle.attacker, battle.defender):
        yield from commander_loss(g, battle, side)
    yield from losses(g, battle, victor_name)
    stay_or_disperse(g, battle)
    remember(g, battle)
    if winner:
        yield from windows.after_battle(g, battle.other(winner), battle.at)
    else:
        retreat(g, way, battle)


def is_off(g: Game, battle: Battle) -> bool:
    """A card may have left one side without a CU: then there is nobody to fight, and its Generals are dispersed (10 I)."""
    for side in (battle.attacker, battle.defender):
        if not g.count(battle.at, side):
            g.tell(ALL, "battle_off", seat=side, space=space_of(battle.at))
            if g.count(battle.at, battle.other(side)):
                for one in g.generals_at(battle.at, side):
                    ownership.disperse_general(g, one, battle.other(side))
            return True
    return False


# --- 14.2 Battle and Major Cities --------------------------------------------------------------------------------


def out_of_the_city(g: Game, battle: Battle) -> Procedure[None]:
    """14.2 Whoever has pieces inside and outside decides what comes out to fight; what stays inside is not touched."""
    space = space_of(battle.at)
    side = g.controller(space)
    if g.board.kind(space) != "major" or side not in (battle.attacker, battle.defender):
        return
    answer = yield lambda: joining_question(g, battle, side)
    if not answer:
        return
    if answer.verb == "pass":
        g.tell(ALL, "stayed_inside", seat=side, space=space)
        return
    come_out(g, battle, side, answer.pieces)


def joining_question(g: Game, battle: Battle, side: str) -> Question | None:
    space = space_of(battle.at)
    inside = those_inside(g, space, side)
    if inside == Pieces.of():
        return None

    def read(seat: str, order: Order) -> Order:
        if order.verb == "pass":
            return order
        if order.verb != "sort_outside":
            raise Refused("14.2", "who_comes_out", space=space)
        return judge_joining(g, space, side, order)

    return Ask(side, "join_battle", "14.2",
               about={"space": space, "attacker": battle.attacker, "defender": battle.defender, "inside": inside},
               read=read, candidates=lambda seat: candidate_joinings(inside), default=Order("pass"))


def those_inside(g: Game, space: str, side: str) -> Pieces:
    inside = f"{space}/inside"
    return Pieces.of([one.name for one in g.generals_at(inside, side)], g.kinds(inside, side))


def judge_joining(g: Game, space: str, side: str, order: Order) -> Order:
    """14.2 Any or all CUs and Generals inside; the Royal Family does not fight."""
    inside = those_inside(g, space, side)
    pieces = inside if order.pieces.everything else order.pieces
    if pieces.royals:
        raise Refused("14.2", "family_stays_inside", royal=pieces.royals[0])
    for name in pieces.generals:
        if name not in inside.generals:
            raise Refused("14.2", "not_in_the_location", piece=name, at=f"{space}/inside")
    there = Counter(dict(inside.cus))
    judge_named(pieces, there, too_few("14.2", there, f"{space}/inside"))
    if pieces == Pieces.of():
        return Order("pass")
    return Order("sort_outside", pieces=Pieces.of(pieces.generals, dict(pieces.cus)))


def candidate_joinings(inside: Pieces) -> Iterator[Order]:
    """Nobody, everybody, and every part of them."""
    yield Order("pass")
    for numbers in product(*(range(number, -1, -1) for _, number in inside.cus)):
        cus = {kind: part for (kind, _), part in zip(inside.cus, numbers, strict=True)}
        for mask in range(2 ** min(len(inside.generals), 4) - 1, -1, -1):
            generals = [name for index, name in enumerate(inside.generals) if mask >> index & 1]
            yield Order("sort_outside", pieces=Pieces.of(generals, cus))


def come_out(g: Game, battle: Battle, side: str, pieces: Pieces) -> None:
    """14.2 Those of the activated Army's faction count as moved by its General."""
    inside, act = f"{space_of(battle.at)}/inside", g.activation
    mover = act.key if act is not None and side == battle.attacker else ""
    if pieces.cus:
        for unit, number in g.remove_kinds(inside, side, dict(pieces.cus), order=lambda unit: unit.past).items():
            past = unit.past._replace(mover=mover, dropped=False) if mover else unit.past
            g.add(battle.at, side, {Unit(unit.kind, past): number})
    for name in pieces.generals:
        g.generals[name].at = battle.at
        if mover:
            g.generals[name].mover, g.generals[name].dropped = mover, False
    battle.came_out = Counter(dict(pieces.cus))
    battle.leaders = set(pieces.generals)
    g.tell(ALL, "joined_battle", seat=side, space=space_of(battle.at), pieces=pieces)


# --- 14.3 Battle Cards -------------------------------------------------------------------------------------------


def mutinous(g: Game, battle: Battle, side: str) -> list[str]:
    """14.3 The kinds of CUs on the other side that a Mutiny could turn: those that the card names, as far as they are there."""
    there = g.kinds(battle.at, battle.other(side))
    named = [kind for fact in g.facts.with_effect("mutiny") for kind in fact["params"]["cu_kinds"]]
    return [kind for kind in named if there[kind]]


def could_mutiny(g: Game, battle: Battle, side: str) -> bool:
    foe, at = battle.other(side), battle.at
    return bool(foe in g.seats and mutinous(g, battle, side)
                and prestige.prestige(g, at, side, defending=side == battle.defender)
                > prestige.prestige(g, at, foe, defending=foe == battle.defender))


# effect -> could it do anything for this side in this battle, as far as everybody can see?
USES: dict[str, Callable[[Game, Battle, str], bool]] = {
    "nullify_elephants": lambda g, battle, side: g.kinds(battle.at, battle.other(side))["elephant"] > 0,
    "steal_silver_shields": lambda g, battle, side: g.kinds(battle.at, battle.other(side))["silver"] > 0,
    "mutiny": could_mutiny,
    "battle_roll_bonus": lambda g, battle, side: True,
    "by_ruling": lambda g, battle, side: True,
}


def judge_card(g: Game, seat: str, card: str) -> Battle:
    """14.3 Is this the moment for a battle card of this player? The cards themselves ask."""
    battle = g.battle
    if battle is None:
        raise Refused("14.3", "no_battle", card=card)
    if battle.playing != seat:
        raise Refused("14.3", "not_your_battle_cards", card=card, seat=battle.playing)
    if not USES[g.facts.cards[card]["effect_key"]](g, battle, seat):
        raise Refused("14.3", "no_use_in_battle", card=card, space=space_of(battle.at))
    return battle


def battle_cards(g: Game, battle: Battle, side: str) -> Procedure[None]:
    """14.3 A player with CUs in the battle plays cards until he has had enough; the Attacker comes first."""
    battle.playing = side
    yield from windows.plays(g, lambda: cards_question(g, battle, side))
    battle.playing = ""


def cards_question(g: Game, battle: Battle, side: str) -> Question | None:
    """The window opens for whoever could hold a card that does something here, on public facts."""
    cards = [card for effect in USES for card in g.facts.cards_by_effect.get(effect, ())
             if "before_land_battle" in g.facts.cards[card]["timing"]]
    fights = side in g.seats and g.count(battle.at, side)
    useful = [card for card in cards if fights and hand.could_hold(g, side, card)
              and USES[g.facts.cards[card]["effect_key"]](g, battle, side)]

    def read(seat: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if not answer or answer == PASS:
            return PASS
        if len({order.card for order in answer}) < len(answer):
            raise Refused("14.3", "battle_cards_or_pass", cards=cards)
        return tuple(judge_battle_card(g, seat, order, cards) for order in answer)

    def candidates(seat: str) -> Iterator[tuple[Order, ...]]:
        yield PASS
        for card in useful:
            effect = effects.effect_of(g, card)
            for order in effect.targets(g, seat) if effect is not None else ():
                yield (order.but(card=card, how="surprise"),)

    return Poll([side] if useful else [], "battle_cards", "14.3",
                about={"space": space_of(battle.at), "attacker": battle.attacker, "defender": battle.defender,
                       "cards": useful},
                read=read, candidates=candidates, default=PASS)


def judge_battle_card(g: Game, seat: str, order: Order, cards: list[str]) -> Order:
    """14.3 A battle card; one that fits at any time may be played in this moment as well (6.2)."""
    if order.verb != "play" or order.card not in cards and "any_time_strategy_phase" not in g.facts.cards[order.card]["timing"]:
        raise Refused("14.3", "battle_cards_or_pass", cards=cards)
    return surprise.judge(g, seat, order.but(how="surprise"))


# --- 14.4 Royal Army CUs -----------------------------------------------------------------------------------------


def set_apart(g: Game, battle: Battle) -> None:
    """14.4 Where a side's Prestige is lower its Royal Army CUs stand aside: they neither fight nor die."""
    sides = (battle.attacker, battle.defender)
    if not prestige.has_royals(g, battle.at, sides):
        return
    space = space_of(battle.at)
    values = prestige.compare(g, space, [(side, battle.at, side == battle.defender) for side in sides])
    for side in sides:
        number = g.kinds(battle.at, side)["royal"]
        if number and values[side] < values[battle.other(side)]:
            battle.apart.add(side)
            g.tell(ALL, "royals_set_apart", seat=side, space=space, count=number)
