"""14 Land Battle, step by step, for two factions whose CUs are in the same location."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING

from pbem.errors import Refused
from pbem.events import ALL
from pbem.kernel import Ask, Poll, Procedure, Question
from pbem.orders import Order, Pieces
from pbem.rules import abilities, activation, capital, cavalry, ownership, prestige, victory
from pbem.rules.attrition import Group, attrition, eliminate, lose
from pbem.state import BOX, DEAD, INDEPENDENT, OFF, Battle, Game, General, Unit, space_of

if TYPE_CHECKING:
    from pbem.rules.land_movement import Way

PASS = (Order("pass"),)
MACEDONIAN = frozenset({"loyal", "royal", "silver"})
OTHERS = frozenset({"mercenary", "elephant", "cavalry"})


# --- 14.1 Attacker and Defender ----------------------------------------------------------------------------------


def land_battle(g: Game, way: "Way", foes: list[str]) -> Procedure[None]:
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


def fight(g: Game, way: "Way", battle: Battle) -> Procedure[None]:
    """14 Who comes out of the city, cards, Royal Army CUs, strength, score; then what follows from it."""
    from pbem.rules import windows

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


def participants(g: Game, battle: Battle, side: str) -> Group:
    """14.4 The CUs of a side that fight: all in the location but Royal Army CUs that were set apart."""
    return Group(battle.at, side, spared=("royal",) if side in battle.apart else ())


def leader(g: Game, location: str, side: str) -> General | None:
    """7.1 A, 14.7 Whose Battle Rating counts: the Commanding General's; of several Independents the best (B36)."""
    if side == INDEPENDENT:
        return max(g.generals_at(location, side), key=lambda one: one.battle, default=None)
    return g.commander(location, side)


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
    for kind, number in pieces.cus:
        if number > inside.number_of(kind):
            raise Refused("14.2", "too_few_cus", kind=kind, has=inside.number_of(kind), wanted=number, at=f"{space}/inside")
    if 0 < pieces.number_of("silver") < inside.number_of("silver"):
        raise Refused("7.2D", "silver_shields_split", has=inside.number_of("silver"))
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
        for unit, number in g.take_kinds(inside, side, dict(pieces.cus), order=lambda unit: unit.past).items():
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
    named = [kind for fact in g.facts.cards.values() if fact["effect_key"] == "mutiny" for kind in fact["params"]["cu_kinds"]]
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
    from pbem.rules import tyche

    while True:
        battle.playing = side
        answers = yield lambda: cards_question(g, battle, side)
        orders = [order for order in (answers.get(side, PASS) if answers else PASS) if order.verb == "play"]
        if not orders:
            break
        for order in orders:
            try:
                order = tyche.judge_surprise(g, side, order)
            except Refused:                                     # the one before has left it nothing to do
                continue
            yield from tyche.surprise(g, side, order)
    battle.playing = ""


def cards_question(g: Game, battle: Battle, side: str) -> Question | None:
    """The window opens for whoever could hold a card that does something here, on public facts."""
    from pbem.rules import tyche

    cards = [card for card, fact in g.facts.cards.items() if fact["effect_key"] in USES]
    useful = [card for card in cards if side in g.seats and g.count(battle.at, side) and tyche.could_hold(g, side, card)
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
            effect = tyche.REGISTRY.get(g.facts.cards[card]["effect_key"])
            for order in effect.targets(g, seat) if effect is not None else ():
                yield (order.but(card=card, how="surprise"),)

    return Poll([side] if useful else [], "battle_cards", "14.3",
                about={"space": space_of(battle.at), "attacker": battle.attacker, "defender": battle.defender,
                       "cards": useful},
                read=read, candidates=candidates, default=PASS)


def judge_battle_card(g: Game, seat: str, order: Order, cards: list[str]) -> Order:
    """14.3 A battle card; one that fits at any time may be played in this moment as well (6.2)."""
    from pbem.rules import tyche

    if order.verb != "play" or order.card not in cards and "any_time_strategy_phase" not in g.facts.cards[order.card]["timing"]:
        raise Refused("14.3", "battle_cards_or_pass", cards=cards)
    return tyche.judge_surprise(g, seat, order.but(how="surprise"))


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


# --- 14.5 Local Troops -------------------------------------------------------------------------------------------


def local_troops(g: Game, battle: Battle, side: str) -> list[tuple[str, int]]:
    """14.5 The Local Troops points of a side, source by source; after a failed evasion none (12.2 B)."""
    act = g.activation
    space = space_of(battle.at)
    if act is not None and side in act.evaders:
        return [("failed_evasion", 0)]
    table = g.facts.tables["local_troops"]
    found = []
    if g.controller(space) == side:
        found.append(("space", table["space"]))
    province = g.board.province_of(space)
    if province and g.province_controller(province) == side:
        found.append((province, table["province"]))
    more = abilities.local_troops(g, battle.at, side, sum(points for _, points in found))
    if more:
        found.append((abilities.key_of(g, battle.at, side), more))
    return found


def tell_local_troops(g: Game, battle: Battle) -> None:
    for side in (battle.attacker, battle.defender):
        found = local_troops(g, battle, side)
        if found:
            g.tell(ALL, "local_troops", seat=side, space=space_of(battle.at), parts=found,
                   points=sum(points for _, points in found))


# --- 14.6 Battle Strength ----------------------------------------------------------------------------------------


def elephant_strength(g: Game, die: int) -> int:
    """7.2 C The Elephant Die, or a normal die less 2, never below 0."""
    return int(g.facts.tables["elephant_die"]["faces"][die - 1])


def roll_elephants(g: Game, battle: Battle, side: str) -> Procedure[None]:
    """7.2 C, 14.6 Each Elephant CU has the strength of its own die."""
    number = participants(g, battle, side).kinds(g)["elephant"]
    if not number or side in battle.harmless:
        battle.elephants[side] = [0] * number
        return
    dice, names = [], []
    for _ in range(number):
        die, name = g.roll("elephant", space_of(battle.at), side)
        dice.append(die)
        names.append(name)
    battle.elephants[side] = [elephant_strength(g, die) for die in dice]
    g.tell(ALL, "elephants_rolled", seat=side, space=space_of(battle.at), dice=dice, names=names,
           strengths=list(battle.elephants[side]))
    for _ in range(abilities.elephant_rerolls(g, battle.at, side)):
        answer = yield lambda: reroll_question(g, battle, side)
        if not answer or answer.verb != "reroll":
            return
        worst = battle.elephants[side].index(min(battle.elephants[side]))
        die, name = g.roll("elephant", space_of(battle.at), side)
        battle.elephants[side][worst] = elephant_strength(g, die)
        g.tell(ALL, "elephants_rolled", seat=side, space=space_of(battle.at), dice=[die], names=[name],
               strengths=list(battle.elephants[side]))


def reroll_question(g: Game, battle: Battle, side: str) -> Question | None:
    """7.1 The weakest Elephant once more, for a General who knows how."""
    if not battle.elephants.get(side):
        return None

    def read(seat: str, answer: Order) -> Order:
        if answer.verb in ("reroll", "pass"):
            return answer
        raise Refused("7.1", "reroll_or_pass")

    return Ask(side, "elephant_reroll", "7.1", about={"space": space_of(battle.at), "strengths": list(battle.elephants[side])},
               read=read, candidates=lambda seat: iter((Order("pass"), Order("reroll"))), default=Order("pass"))


def strength_parts(g: Game, battle: Battle, side: str) -> list[tuple[str, int, int]]:
    """14.6 Battle Strength, part by part: what, how many, what strength together."""
    table = g.facts.tables["strength"]
    found = []
    for kind, number in sorted(participants(g, battle, side).kinds(g).items()):
        each = sum(battle.elephants.get(side, ())) if kind == "elephant" else number * table[kind]
        found.append((kind, number, each))
    points = sum(number for _, number in local_troops(g, battle, side))
    return [*found, ("local_troops", points, points)] if points else found


def strength(g: Game, battle: Battle, side: str) -> int:
    return sum(part for _, _, part in strength_parts(g, battle, side))


# --- 14.7 Battle Score -------------------------------------------------------------------------------------------


def score_of(g: Game, strength: int, roll: int) -> int:
    """14.7 The entry of the Battle Table; strength 0 scores nothing (B28)."""
    table = g.facts.tables["battle"]
    if strength <= 0:
        return int(table["strength_zero_score"])
    row = next(one for one in table["columns"] if one["max"] is None or strength <= one["max"])
    lowest, highest = table["rolls"][0], table["rolls"][-1]
    return int(row["scores"][min(max(roll, lowest), highest) - lowest])


def tell_strength(g: Game, battle: Battle, side: str) -> None:
    """14.6 What each side brings, before any die of the Land Battle roll falls."""
    one = leader(g, battle.at, side)
    g.tell(ALL, "battle_strength", seat=side, space=space_of(battle.at), general=one.name if one is not None else "",
           parts=strength_parts(g, battle, side), total=strength(g, battle, side))


def roll_battle(g: Game, battle: Battle, side: str) -> None:
    """14.7 Two dice, each raised to the Battle Rating of the commander, against the Battle Strength."""
    one, space, total = leader(g, battle.at, side), space_of(battle.at), strength(g, battle, side)
    general, rating = (one.name, one.battle) if one is not None else ("", 0)
    dice, name = g.draw("battle", space, side, count=2)
    raised = [max(die, rating) for die in dice]
    bonus = battle.bonus[side] + cavalry.battle_bonus(g, battle, side)
    battle.total[side] = sum(raised) + bonus
    reading = g.reading(name)
    battle.score[side] = int(reading) if reading is not None else score_of(g, total, battle.total[side])
    g.tell(ALL, "battle_rolled", seat=side, space=space, general=general, dice=dice, name=name, rating=rating, raised=raised,
           bonus=bonus, total=battle.total[side], strength=total, score=battle.score[side])


def winner_of(battle: Battle) -> str:
    """14.7 The higher Battle Score wins; equal scores are a draw."""
    attack, defence = battle.score[battle.attacker], battle.score[battle.defender]
    return "" if attack == defence else battle.attacker if attack > defence else battle.defender


def tell_outcome(g: Game, battle: Battle) -> str:
    winner = winner_of(battle)
    if winner:
        g.tell(ALL, "battle_won", seat=winner, loser=battle.other(winner), space=space_of(battle.at), scores=dict(battle.score))
    else:
        g.tell(ALL, "battle_drawn", attacker=battle.attacker, defender=battle.defender, space=space_of(battle.at),
               scores=dict(battle.score))
    return winner


# --- 14.8 Commanding General Loss --------------------------------------------------------------------------------


def commander_loss(g: Game, battle: Battle, side: str) -> Procedure[None]:
    """14.8 A modified roll of exactly 9 puts the life of a commanding Major General at risk."""
    table = g.facts.tables["commander_loss"]
    one = g.commander(battle.at, side)
    if side not in g.seats or one is None or one.minor or battle.total[side] != table["on_modified_roll"]:
        return
    lost = winner_of(battle) == battle.other(side)
    deadly = list(table["killed_on"]["lost" if lost else "won_or_drew"])
    space = space_of(battle.at)
    die, name = g.roll("general_loss", space, side, one.name)
    g.tell(ALL, "general_loss_rolled", seat=side, general=one.name, space=space, die=die, name=name, killed_on=deadly,
           total=battle.total[side], killed=die in deadly)
    if die in deadly:
        fallen = one.name
        yield from kill(g, fallen)
        if g.generals[fallen].at == DEAD:
            yield from succession(g, battle.at, side)
            pass_on_activation(g, fallen, battle.at, side)


def kill(g: Game, name: str) -> Procedure[None]:
    """7.1 B, 14.8 A Major General is dead for good: his Legitimacy goes at once, and Polyperchon follows Antipatros."""
    from pbem.rules import reinforcements, windows

    if (yield from windows.survives(g, name)):
        return
    one = g.generals[name]
    side, space = one.seat, space_of(one.at)
    one.at, one.seat, one.mover, one.dropped = DEAD, "", "", False
    g.popularity.pop(name, None)
    g.oratory.pop(name, None)
    g.condemned.pop(name, None)
    g.tell(ALL, "general_killed", seat=side, general=name, space=space)
    victory.settle(g)
    if name == "antipatros":
        yield from reinforcements.replace_antipatros(g, side)


def succession(g: Game, at: str, side: str) -> Procedure[None]:
    """14.8 The most senior Major General there takes command, or else a Minor General who is placed for it (7.1 C)."""
    if g.commander(at, side) is None and g.count(at, side):
        answer = yield lambda: replacement_question(g, at, side)
        if answer and answer.verb == "place_minor":
            one = g.generals[answer.minor]
            origin, one.at = one.at, at
            g.arrived.add(one.name)
            g.tell(ALL, "minor_placed", seat=side, minor=one.name, at=at, origin=origin)
    new = g.commander(at, side)
    if new is not None:
        g.tell(ALL, "command_taken", seat=side, general=new.name, space=space_of(at))
    else:
        g.tell(ALL, "command_lost", seat=side, space=space_of(at))


def replacement_question(g: Game, at: str, side: str) -> Question | None:
    """7.1 C From off map in another's turn; in one's own turn from anywhere, as ever."""
    minors = [one for one in g.generals_of(side) if one.minor and (one.at == OFF or side == g.player)]
    if g.commander(at, side) is not None or not g.count(at, side) or not minors:
        return None

    def read(seat: str, order: Order) -> Order:
        if order.verb == "pass":
            return order
        if order.verb != "place_minor":
            raise Refused("14.8", "replacement_wanted", at=at)
        return judge_replacement(g, at, side, order)

    return Ask(side, "replacement", "14.8", about={"space": space_of(at), "at": at, "minors": [one.name for one in minors]},
               read=read, default=Order("place_minor", minor=minors[0].name, at=at, from_=None if minors[0].at == OFF else
                                        minors[0].at),
               candidates=lambda seat: iter((*(Order("place_minor", minor=one.name, at=at) for one in minors), Order("pass"))))


def judge_replacement(g: Game, at: str, side: str, order: Order) -> Order:
    """7.1 C, 14.8 Only to where the General fell."""
    if order.at not in (at, None):
        raise Refused("14.8", "replacement_wanted", at=at)
    found = [one for one in g.generals_of(side) if one.minor and order.minor in (None, "any", one.name)
             and (order.from_ in (one.at, space_of(one.at)) if order.from_ else True)]
    free = [one for one in found if one.at == OFF]
    if not found:
        raise Refused("7.1C", "not_your_minor", general=order.minor or "")
    if side != g.player and not free:
        raise Refused("7.1C", "minor_on_map", minor=found[0].name, at=found[0].at)
    one = (free or found)[0]
    return Order("place_minor", minor=one.name, at=at, from_=None if one.at == OFF else one.at)


def pass_on_activation(g: Game, fallen: str, at: str, side: str) -> None:
    """14.8 The Army of a fallen General stays active under his successor, if that one may still be active."""
    act, new = g.activation, g.commander(at, side)
    if act is None or act.key != fallen or new is None or new.name in g.activated or new.mover not in ("", fallen):
        return
    for there in list(g.cus.values()):
        for units in there.values():
            for unit in [one for one in units if one.past.mover == fallen]:
                units[Unit(unit.kind, unit.past._replace(mover=new.name))] += units.pop(unit)
    for one in g.generals.values():
        if one.mover == fallen:
            one.mover = new.name
    for royal in g.royals.values():
        if royal.mover.partition(" until ")[0] == fallen:
            royal.mover = new.name + royal.mover.removeprefix(fallen)
    new.mover, act.key = new.name, new.name


# --- 14.9 Battle Losses ------------------------------------------------------------------------------------------


def losses(g: Game, battle: Battle, victor: str) -> Procedure[None]:
    """14.9 A draw costs each player 1 CU; a winner 1 CU unless he scored twice as much; a loser nearly everything."""
    winner = winner_of(battle)
    if not winner:
        for side in (battle.attacker, battle.defender):
            if side in g.seats:
                yield from lose(g, side, participants(g, battle, side), 1, False, "draw")
        return
    loser = battle.other(winner)
    battle.pursuit = cavalry.pursuit(g, battle.at, winner, loser)
    if g.rules.royals_desert_battle == "before_losses":
        desert(g, battle, loser, winner)
    if winner in g.seats and battle.score[winner] < 2 * battle.score[loser]:
        yield from lose(g, winner, participants(g, battle, winner), 1, False, "victory")
    yield from beaten(g, loser, battle.at, winner, victor, apart=loser in battle.apart, pursuit=battle.pursuit)
    desert(g, battle, loser, winner)


def desert(g: Game, battle: Battle, loser: str, winner: str) -> None:
    """14.9 Royal Army CUs that stood aside join the winner."""
    if loser in battle.apart and g.kinds(battle.at, loser)["royal"]:
        prestige.defect(g, loser, battle.at, winner, battle.at)


def beaten(
    g: Game, side: str, at: str, by: str, victor: str, *, apart: bool = False, pursuit: int = 0,
) -> Procedure[None]:
    """14.9 What a faction suffers in the location where it lost: also when overrun (10 J) and in a fallen city (15.4)."""
    if side == INDEPENDENT:
        independents_beaten(g, at, victor)
        return
    doomed = {kind: number for kind, number in g.kinds(at, side).items() if kind in OTHERS}
    if doomed:
        eliminate(g, Group(at, side), doomed, "defeat")
    macedonians = Group(at, side, spared=OTHERS | {"royal"} if apart else OTHERS)
    yield from attrition(g, side, at, macedonians, modifier=abilities.attrition_modifier(g, at, side) + pursuit)
    disperse(g, macedonians)
    for one in g.generals_at(at, side):
        ownership.disperse_general(g, one, by)
    for royal in g.royals_at(at, side):
        g.tell(ALL, "royal_lost", royal=royal.name, seat=side, at=royal.at)
        royal.seat, royal.at = "", space_of(at)                 # 8.3 nobody uncontrolled stays inside a city


def disperse(g: Game, group: Group) -> None:
    """14.9 Macedonian CUs that survive Attrition go to the Dispersed Box."""
    units, kinds = group.units(g), group.kinds(g)
    if units:
        g.take(group.location, group.seat, units)
        g.dispersed[group.seat].update(kinds)
        g.tell(ALL, "cus_dispersed", seat=group.seat, at=group.location, cus=dict(kinds), why="beaten")


def independents_beaten(g: Game, at: str, victor: str) -> None:
    """14.9, 7.2 F Back to their box, or out of the game; a Major General who beat them is more popular for life."""
    armies = g.generals_at(at, INDEPENDENT)
    g.take(at, INDEPENDENT, dict(g.units(at, INDEPENDENT)))
    for one in armies:
        to = BOX if g.facts.independents[one.name]["on_defeat"] == "box" else DEAD
        one.at = to
        g.tell(ALL, "independents_beaten", general=one.name, space=space_of(at), to=to)
        hero = g.generals.get(victor)
        if hero is not None and hero.seat in g.seats and not hero.minor:
            g.popularity[victor] += g.facts.tables["independent_armies"]["popularity_for_defeating"]
            g.tell(ALL, "popularity_gained", seat=hero.seat, general=victor, popularity=g.popularity[victor])


def stay_or_disperse(g: Game, battle: Battle) -> None:
    """14.8 CUs without a commander, in a space that is not their own, are dispersed once the battle is over (B29)."""
    for side in (battle.attacker, battle.defender):
        if side in g.seats and not ownership.is_owned(g, battle.at, side):
            ownership.disperse_cus(g, battle.at, side, "leaderless")


def remember(g: Game, battle: Battle) -> None:
    """15.2 A Who took part in a Land Battle besieges nothing any more in this segment."""
    for side in (battle.attacker, battle.defender):
        there = g.cus.get(battle.at, {}).get(side, Counter())
        fighters = participants(g, battle, side).units(g)
        for unit, number in fighters.items():
            if not unit.past.fought:
                del there[unit]
                there[Unit(unit.kind, unit.past._replace(fought=True))] += number


# --- 14.10 Retreat -----------------------------------------------------------------------------------------------


def retreat(g: Game, way: "Way", battle: Battle) -> None:
    """14.10 After a draw the Attacker goes back the way he came; whoever came out of the city goes in again."""
    act, side, space = g.activation, battle.attacker, space_of(battle.at)
    if way.kind == "box":
        into_the_box(g, way)
    else:
        inside = f"{space}/inside"
        back = {kind: min(number, g.kinds(battle.at, side)[kind]) for kind, number in battle.came_out.items()
                if g.controller(space) == side}
        fall_back(g, side, battle.at, inside, Pieces.of(
            [one.name for one in g.generals_at(battle.at, side) if one.name in battle.leaders], back))
        rest = Pieces.of([one.name for one in g.generals_at(battle.at, side)], g.kinds(battle.at, side),
                         [royal.name for royal in g.royals_at(battle.at, side)])
        if [other for other in g.sides_at(way.origin) if other != side]:
            scatter(g, side, battle.at, battle.defender)
        else:
            fall_back(g, side, battle.at, way.origin, rest)
    if act is not None:
        one = g.generals[act.key]
        act.here = one.at if g.on_map(one) else act.here
        act.entered = ""


def fall_back(g: Game, side: str, at: str, to: str, pieces: Pieces) -> None:
    """Pieces go back together, as moved by the activated General."""
    if pieces == Pieces.of():
        return
    mover = g.activation.key if g.activation is not None else ""
    if pieces.cus:
        for unit, number in g.take_kinds(at, side, dict(pieces.cus), order=lambda unit: (unit.past.mover != mover, unit.past)
                                         ).items():
            g.add(to, side, {Unit(unit.kind, unit.past._replace(mover=unit.past.mover or mover)): number})
    for name in pieces.generals:
        g.generals[name].at = to
        g.generals[name].mover = g.generals[name].mover or mover
    for name in pieces.royals:
        g.royals[name].at = to
        g.royals[name].mover = g.royals[name].mover or mover
    lead = g.commander(to, side)
    g.tell(ALL, "retreated", seat=side, general=lead.name if lead is not None else "", space=space_of(at), origin=to,
           cus=dict(pieces.cus))


def scatter(g: Game, side: str, at: str, by: str) -> None:
    """The way back leads to where others stand, a space only passed through (10 C): the text has no answer, they are lost."""
    if side in g.seats:
        ownership.disperse_cus(g, at, side, "no_way_back")
    for one in g.generals_at(at, side):
        ownership.disperse_general(g, one, by)


def into_the_box(g: Game, way: "Way") -> None:
    """14.10 An Independent Army that came from its box is inactive again."""
    one, at = g.generals[way.key], way.target
    cus = g.facts.independents[one.name]["cus"]
    g.take_kinds(at, INDEPENDENT, {INDEPENDENT: min(cus, g.count(at, INDEPENDENT))}, order=lambda unit: unit.past)
    one.at = BOX
    g.tell(ALL, "retreated", seat=INDEPENDENT, general=one.name, space=space_of(at), origin=BOX, cus={INDEPENDENT: cus})


__all__ = [
    "MACEDONIAN", "USES", "beaten", "judge_card", "kill", "land_battle", "leader", "local_troops", "mutinous", "score_of",
    "strength", "strength_parts", "succession", "winner_of",
]
