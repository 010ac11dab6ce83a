"""A player with aims: he weighs Victory Points, Legitimacy, threats and cards plainly, and finishes a game sensibly.

The one interface is `Aims(rng).next_step(g, question)`: what is done next about an open question, as a `Step` that any
stage takes, so that it stands where `Choices` or `Will` stand (`pbem.dev.games`). Whoever has several people at a desk asks
`answer(g, question, side)` for each: a legal answer, which `question.read` completes. A march names its whole way, as
people write it; read by the question it is the first step. `unasked(g, side)` is a card that he plays out of turn.

All that he proposes are offers of the engine, and everything is judged by the question itself. He knows what everybody
sees, and his own hand. He is no good player, but he plays towards something: he takes Provinces, besieges cities, fights
where he is likely to win, gets out of the way where he is not, stops whoever leads, and buries Alexander.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from pbem.base.errors import PbemError
from pbem.dev.choices import ruled
from pbem.dev.stages import Step
from pbem.kernel.procedures import Question
from pbem.orders import PASS, Order
from pbem.play import odds
from pbem.play.match import CARD_WINDOWS
from pbem.rules import activation, effects, operations, surprise, victory
from pbem.rules.naval import SEA_TYPES
from pbem.rules.prices import REMARKS
from pbem.rules.war import MODERATOR
from pbem.table.state import INDEPENDENT, SEGMENTS, Game, General, is_at_sea, is_inside, space_of

MOST_ORDERS = 60                        # of a segment, before only its end is given
LOOKED_AT = 60                          # candidates of one use of a card, or of an answer
SIEGE_CUS = 3
FIGHTS = 0.5                            # he fights where he wins so often,
FLEES = 0.55                            # and gets away where he loses so often
# What the event of a card is worth to him beside points to spend: one is about a PC in a Province of two VP.
EVENTS = {
    "enter_general": 4.0, "place_olympias": 3.5, "enter_silver_shields": 3.0, "place_elephants": 2.5, "activate_armies": 2.5,
    "place_cus": 2.0, "place_cus_choice": 2.0, "place_reinforcement": 1.5, "persian_support": 1.5, "gain_fleet": 1.5,
    "condemn_general": 2.0, "convert_minor_city": 2.0, "steal_minor_army": 2.5, "gain_legitimacy": 2.0,
    "loot_treasure_city": 2.0, "marriage": 2.5, "place_philippos": 2.0, "found_capital": 2.0,
}
PLAIN_EVENT = 1.0
UPGRADE, RECRUIT, TRAIN, FORCE = 1.5, 3.0, 0.3, 0.9     # the last two for each point, and for the march


def won_by(g: Game, question: Question, side: str, answer: Any) -> Fraction | None:
    """How likely the battle that an answer leads to is won as things stand; None where there is none in sight."""
    found = odds.odds_of(g, question, side, answer)
    return found.win if found is not None else None


class Aims:
    """Plays any seat; what he remembers is only how much he has ordered in this segment."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.segment: tuple[Any, ...] = ()
        self.orders = 0
        self.tried: set[str] = set()            # Generals who have nothing more to do in this segment

    def next_step(self, g: Game, question: Question) -> Step:
        """What is done next about the open question, whoever is asked."""
        if question.kind == "turn_up":
            return Step("answer", {MODERATOR: question.default})
        if question.sides == (MODERATOR,):
            return ruled(g, question, self.rng)
        if question.kind in SEGMENTS and (card := self.unasked(g, question.sides[0])) is not None:
            return Step("surprise", seat=question.sides[0], order=card)
        return Step("answer", {side: question.read(side, self.answer(g, question, side)) for side in question.sides})

    def unasked(self, g: Game, side: str) -> Order | None:
        """A card that may be played at any time, before the card of his own turn, and against somebody else."""
        if g.secret is None or g.phase != "strategy" or g.segment != "tyche" or g.player != side or g.card:
            return None
        for card in g.secret.hand(side):
            effect = effects.effect_of(g, card)
            if effect is None or g.facts.cards[card].get("effect_key") != "steal_card":
                continue
            wished = sorted(islice(effect.targets(g, side), LOOKED_AT), key=lambda order: -self.against(g, side, order))
            for order in wished:
                try:
                    return surprise.judge(g, side, order.but(card=card))
                except PbemError:
                    continue
        return None

    def answer(self, g: Game, question: Question, side: str) -> Any:
        """What this side answers; legal, and where there is a choice without a price."""
        if question.kind in SEGMENTS:
            self.count_orders(g)
            if self.orders > MOST_ORDERS:
                return question.silence(side)
        if question.kind in CARD_WINDOWS:
            return self.card_window(g, question, side)
        decide = DECIDES.get(question.kind)
        found = decide(self, g, question, side) if decide is not None else None
        return question.silence(side) if found is None else found

    def count_orders(self, g: Game) -> None:
        here = (g.turn, g.round, g.player, g.segment)
        if here != self.segment:
            self.segment, self.orders = here, 0
            self.tried.clear()
        self.orders += 1

    # --- what is worth something ---------------------------------------------------------------------------------

    def lead(self, g: Game, seat: str) -> float:
        """How near a player is to winning, from 0 to 1; whoever is nobody's threat counts nothing."""
        if seat not in g.seats:
            return 0.0
        wanted = g.rules.instant_points[len(g.seats)], g.rules.instant_legitimacy
        return float(max(victory.points(g, seat) / wanted[0], victory.legitimacy(g, seat) / wanted[1]))

    def worth(self, g: Game, seat: str, space: str) -> float:
        """What a PC of this player's would be worth in a space: its share of the Province, more if it makes or breaks one."""
        owner, province = g.controller(space), g.board.province_of(space)
        if owner == seat or not province or g.board.is_transit(space):
            return 0.0
        spaces = g.board.spaces_of(province)
        own = 1 + sum(g.controller(one) == seat for one in spaces)
        value = 0.3 + g.board.vp(province) * own / len(spaces)
        if own >= g.board.majority(province):
            value += g.board.vp(province) / 2
        if g.board.kind(space) == "major":
            value *= 1.5
        return value * (1 + self.lead(g, owner))

    def against(self, g: Game, side: str, order: Order) -> float:
        """Whom an order is aimed at: better whoever leads, never oneself."""
        struck = set[str]()
        if (target := order.args.get("target")) is not None:
            struck.add(g.generals[target[1]].seat if target[0] == "general" else
                       g.controller(target[1]) if target[0] == "space" else target[1])
        for at in (*(order.args.get("spaces") or ()), *([order.args["at"]] if order.args.get("at") else ())):
            if space_of(at) in g.board.index:
                struck |= {*g.sides_at(at), g.controller(space_of(at))}
        return sum(0.2 + self.lead(g, one) for one in struck if one not in ("", side)) - 2.0 * (side in struck)

    def power(self, g: Game, location: str, side: str) -> float:
        """The strength of an Army as far as anybody counts at a glance."""
        lead = g.commander(location, side)
        return g.count(location, side) * (1.0 + 0.15 * (lead.battle if lead is not None else 0))

    # --- his own turn ----------------------------------------------------------------------------------------------

    def free(self, question: Question, side: str, orders: Iterable[Order]) -> Order | None:
        """The first of them that is legal and costs nothing that is easily overlooked."""
        for order in orders:
            read = question.legal(side, order)
            if read is not None and not (question.costs is not None and any(
                    key not in REMARKS for _, key, _ in question.costs(side, read))):
                return order
        return None

    def surrender(self, g: Game, question: Question, side: str) -> Any:
        """Everything that is to be had: PCs removed, PCs placed, Sieges."""
        wished = islice(question.candidates(side), LOOKED_AT * 2)
        return self.free(question, side, (order for order in wished if order.verb != "end")) or Order("end")

    def tyche(self, g: Game, question: Question, side: str) -> Any:
        if not g.card:
            return self.card(g, question, side)
        if g.ops:
            return self.spending(g, question, side)
        return self.march(g, question, side) or question.silence(side)

    def card(self, g: Game, question: Question, side: str) -> Any:
        """The best use of the best card: points, event, or both."""
        uses: dict[tuple[str, str], list[Order]] = {}
        for order in islice(question.candidates(side), 3000):
            if order.card:
                several = uses.setdefault((order.card, order.how or order.verb), [])
                if len(several) < LOOKED_AT:
                    several.append(order)
        points = {ops: self.points_worth(g, side, ops) for ops in range(1, 5)}

        def value(use: tuple[str, str]) -> float:
            card, how = use
            fact = g.facts.cards[card]
            ops = points.get(fact["ops"] or 0, 0.0)
            event = EVENTS.get(fact["effect_key"], PLAIN_EVENT)
            return self.rng.random() * 0.3 + {
                "ops": ops, "event": event, "bonus": ops + event, "upgrade_fleet": UPGRADE, "recruit": RECRUIT}.get(how, 0.0)

        for use in sorted(uses, key=value, reverse=True):
            wished = sorted(uses[use], key=lambda order: -self.against(g, side, order))
            if (found := self.free(question, side, wished)) is not None:
                return found
        return None

    def points_worth(self, g: Game, side: str, ops: int) -> float:
        return max(ops * TRAIN, FORCE, sum(value for value, _ in self.placings(g, side)[:ops]))

    def placings(self, g: Game, side: str) -> list[tuple[float, str]]:
        """6.2 B2 Where PCs could go, the best first."""
        free = [space for space in operations.in_reach(g, side) if not g.controller(space) and not g.board.is_transit(space)]
        return sorted(((self.worth(g, side, space), space) for space in free), reverse=True)

    def spending(self, g: Game, question: Question, side: str) -> Any:
        best = [space for _, space in self.placings(g, side)][:g.ops]
        wished = [Order("place_pc", spaces=tuple(best[:number])) for number in range(len(best), 0, -1)]
        kind = min(g.rules.training, key=g.rules.training.__getitem__)
        trained = g.training.get(side)
        wished += [Order("train", kind=trained[0] if trained else kind, number=g.ops)]
        return self.free(question, side, wished) or Order("end")

    def activate(self, g: Game, question: Question, side: str) -> Any:
        """Roll, then one General after the other; whoever stands before a city besieges it."""
        if g.movement_roll is None and g.segment == "activation":
            return self.free(question, side, [Order("roll")])
        act = g.activation
        if act is not None and is_at_sea(act.here):
            return self.at_sea(g, question, side)
        if act is not None and not act.must_leave and (siege := self.siege(g, question, side)) is not None:
            return siege
        return self.march(g, question, side) or (Order("end") if act is None or not act.must_leave else None)

    def siege(self, g: Game, question: Question, side: str) -> Order | None:
        act = g.activation
        assert act is not None
        if g.count(act.here, side) < SIEGE_CUS or g.controller(space_of(act.here)) in ("", side):
            return None
        return self.free(question, side, [Order("siege", space=space_of(act.here), general=act.key)])

    def march(self, g: Game, question: Question, side: str) -> Order | None:
        """The General who is on his way first, then the others, each to where he is wanted most."""
        active = g.activation.key if g.activation is not None else ""
        for one in sorted(g.generals_of(side), key=lambda one: (one.name != active, -g.count(one.at, side), one.name)):
            if not g.on_map(one) or one.name in self.tried or is_at_sea(one.at):
                continue
            if (order := self.way_of(g, question, side, one)) is not None:
                return order
            self.tried.add(one.name)
        return None

    def way_of(self, g: Game, question: Question, side: str, one: General) -> Order | None:
        """His march, voyage or way out of the city, if there is anything better than to stay."""
        try:
            left = activation.mps_of(g, one.name)
            activation.judge_activation(g, side, one.name)
        except PbemError:
            return None
        cus, here = g.count(one.at, side), space_of(one.at)
        moving = g.activation is not None and activation.is_travelling(g, one)
        if left <= 0 or not cus and not moving or not moving and one is not g.commander(one.at, side):
            return None
        stay = self.stand(g, side, one, here) + 0.2
        found = [(self.stand(g, side, one, space) - 0.1 * cost, space)
                 for space, cost in g.board.distances(here, activation.LAND_TYPES, None, left).items() if cost]
        for value, space in sorted(found, reverse=True)[:4]:
            if value <= stay:
                break
            if is_inside(one.at):
                return self.free(question, side, [Order("shift", general=one.name, to="outside")])
            for path in g.board.cheapest_paths(here, space, left)[:2]:
                if (order := self.free(question, side, self.steps(g, side, one, tuple(path)))) is not None:
                    return order
        if g.board.is_port(here) and not g.naval_used and not moving:
            best = max(self.ports(g, side, one, here, left), default=(0.0, ""))[0]
            if best > max(stay, max(found, default=(0.0, ""))[0]) + 0.1:
                return self.free(question, side, [Order("embark", general=one.name)])
        return None

    def steps(self, g: Game, side: str, one: General, path: tuple[str, ...]) -> Iterator[Order]:
        """The way as it stands; past others with their leave."""
        others = tuple(dict.fromkeys(foe for space in path[:-1] for foe in g.sides_at(space) if foe not in (side, INDEPENDENT)))
        first = tuple(foe for foe in others if foe in g.sides_at(path[0]))
        if first and len(path) > 1:
            yield Order("march", general=one.name, path=path, passage=first)
        elif not others:
            yield Order("march", general=one.name, path=path)

    def stand(self, g: Game, side: str, one: General, space: str) -> float:
        """What it is worth to be in a space with this Army when the next turn begins."""
        mine = self.power(g, one.at, side)
        foes = [foe for foe in g.sides_at(space) if foe not in (side, "")]
        value = 0.0
        if g.count(one.at, side) >= 1 and (g.board.kind(space) != "major" and g.controller(space) != INDEPENDENT
                                           or g.count(one.at, side) >= SIEGE_CUS):
            value = self.worth(g, side, space)
        for foe in foes:
            theirs = self.power(g, space, foe)
            if not theirs:
                value += 0.5
            elif mine > 1.15 * theirs:
                value += 1.0 + 2 * self.lead(g, foe)
            else:
                value -= 3.0
        value += sum(1.5 for royal in g.royals_at(space) if not royal.seat)
        near = {foe for at in g.board.land_paths(space) for foe in g.sides_with_cus(at) if foe not in (side, INDEPENDENT)
                and self.power(g, at, foe) > 1.4 * mine}
        return value - 0.3 * len(near)

    # --- at sea ------------------------------------------------------------------------------------------------------

    def ports(self, g: Game, side: str, one: General, here: str, left: int) -> list[tuple[float, str]]:
        """The ports within reach where nobody else stands, the best first."""
        reach = g.board.distances(here, SEA_TYPES, None, left)
        return sorted(((self.stand(g, side, one, port) - 0.1 * cost, port) for port, cost in reach.items()
                       if cost and not [foe for foe in g.sides_with_cus(port) if foe != side]), reverse=True)

    def at_sea(self, g: Game, question: Question, side: str) -> Any:
        """On towards the best port, or ashore."""
        act = g.activation
        assert act is not None
        one, here = g.generals[act.key], space_of(act.here)
        left = activation.mps_left(g)
        best = next(iter(self.ports(g, side, one, here, left)), (0.0, here))
        if best[1] != here and best[0] > self.stand(g, side, one, here):
            steps = [near for near in g.board.sea_paths(here)
                     if near == best[1] or best[1] in g.board.distances(near, SEA_TYPES, None, left)]
            steps.sort(key=lambda near: g.board.distances(near, SEA_TYPES, None, left).get(best[1], left))
            ways = [Order("sail", general=one.name, path=(near,)) for near in steps]
            if (order := self.free(question, side, ways)) is not None:
                return order
        return self.free(question, side, [Order("disembark")])

    # --- what others do ----------------------------------------------------------------------------------------------

    def intercept(self, g: Game, question: Question, side: str) -> Any:
        """Where he would win, and something of his own is at stake or the mover leads."""
        about = question.about
        province = g.board.province_of(space_of(about["space"]))
        mine = any(g.controller(space) == side for space in g.board.spaces_of(province)) if province else False
        if not mine and self.lead(g, about["mover"]) < 0.6:
            return PASS
        for answer in islice(question.candidates(side), 6):
            if answer == PASS or (read := question.legal(side, answer)) is None:
                continue
            if question.costs is not None and question.costs(side, read) or not read[0].pieces:
                continue
            chance = won_by(g, question, side, read)
            if chance is not None and chance >= 0.6:
                return read
        return PASS

    def evade(self, g: Game, question: Question, side: str) -> Any:
        chance = won_by(g, question, side, question.silence(side))
        if chance is not None and chance > 1 - FLEES or not g.count(question.about["space"], question.about["mover"]):
            return question.silence(side)
        name = question.about["generals"].get(side)
        return (Order("evade", general=name),) if name else question.silence(side)

    def passage(self, g: Game, question: Question, side: str) -> Any:
        """Whoever is weaker than the other, and does not lead the race against him, lets him through."""
        chance = won_by(g, question, side, PASS)
        grant = chance is None or chance < FIGHTS or self.lead(g, question.about["mover"]) < self.lead(g, side)
        return (Order("grant" if grant else "refuse"),)

    def withdraw(self, g: Game, question: Question, side: str) -> Any:
        chance = won_by(g, question, side, Order("stay"))
        stays = Order("stay")
        if chance is not None and chance >= FIGHTS and not (question.costs is not None and question.costs(side, stays)):
            return stays
        return question.silence(side)

    def sort_city(self, g: Game, question: Question, side: str) -> Any:
        """Behind the walls when somebody stronger comes."""
        space, mover = question.about["space"], question.about["mover"]
        if 0 < self.power(g, space, side) < self.power(g, g.generals[question.about["general"]].at, mover):
            for answer in islice(question.candidates(side), LOOKED_AT):
                if answer[0].verb == "sort_inside" and question.legal(side, answer) is not None:
                    return answer
        return question.silence(side)

    def sea_battle(self, g: Game, question: Question, side: str) -> Any:
        answer = (Order("naval_battle", fleets=("all",)),)
        read = question.legal(side, answer)
        if read is None or question.costs is not None and question.costs(side, read):
            return PASS
        chance = won_by(g, question, side, read)
        bold = 0.45 if self.lead(g, question.about["mover"]) > 0.5 else 0.6
        return read if chance is not None and chance >= bold else PASS

    def card_window(self, g: Game, question: Question, side: str) -> Any:
        """A card of his own that fits this moment, against somebody else."""
        if g.secret is None:
            return question.silence(side)
        if question.kind == "surprise" and self.rng.random() < 0.5:
            return question.silence(side)
        if question.kind == "battle_cards" and side not in (question.about["attacker"], question.about["defender"]):
            return question.silence(side)
        for answer in islice(question.candidates(side), LOOKED_AT):
            if answer != PASS and g.secret.holds(side, answer[0].card) and (read := question.legal(side, answer)) is not None:
                return read
        return question.silence(side)

    # --- between turns -------------------------------------------------------------------------------------------------

    def reinforce(self, g: Game, question: Question, side: str) -> Any:
        """As many as possible to the General who is most in need of them or leads most."""
        best: tuple[float, Order] | None = None
        for order in islice(question.offers(side), LOOKED_AT):
            at = order.location
            lead = g.commander(at, side)
            value = (order.pieces.count() + 2 * len(order.pieces.generals)) * (
                1.0 + (0.2 * lead.battle if lead is not None else 0.0)) + 0.05 * g.count(at, side)
            if question.costs is not None and question.costs(side, order):
                continue
            if best is None or value > best[0]:
                best = value, order
        return best[1] if best is not None else None

    def rebels(self, g: Game, question: Question, side: str) -> Any:
        offers = list(islice(question.offers(side), LOOKED_AT))
        return max(offers, key=lambda order: self.against(g, side, order), default=None)

    def bury(self, g: Game, question: Question, side: str) -> Any:
        return question.legal(side, Order("bury")) or question.silence(side)

    def place(self, g: Game, question: Question, side: str) -> Any:
        return self.rng.choice(list(question.offers(side)))


DECIDES: dict[str, Callable[[Aims, Game, Question, str], Any]] = {
    "surrender": Aims.surrender, "tyche": Aims.tyche, "activation": Aims.activate, "forage": Aims.bury, "burial": Aims.bury,
    "interception": Aims.intercept, "evasion": Aims.evade, "free_passage": Aims.passage, "withdrawal": Aims.withdraw,
    "city_choice": Aims.sort_city, "naval_battle": Aims.sea_battle, "reinforcement_choice": Aims.reinforce,
    "unrest": Aims.rebels, "revealed": Aims.rebels, "deployment": Aims.place,
}
