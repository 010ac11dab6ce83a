"""What a whole random game is played for: cards in each of their uses, Armies where somebody is, ends of every kind.

Left alone, random play seldom stands before a city with a siege card in hand. So each game has a few wished cards:
where somebody holds one in the segment in which it could act, a ruling makes the scene for it, and the next orders
aim at it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from pbem.dev.choices import (
    OWN,
    Choices,
    acts_now,
    drawn,
    first_legal,
    neighbours,
    place,
    ruled,
    some_act,
    some_orders,
    some_ruling,
    whole_marches,
)
from pbem.dev.positions import Given
from pbem.dev.stages import Step
from pbem.kernel.procedures import Question, in_any_order
from pbem.orders import ALL, Order
from pbem.play.match import CARD_WINDOWS
from pbem.rules import effects, hand, movement, naval_battle, prestige, victory
from pbem.rules.war import MODERATOR
from pbem.table.state import DEAD, HEIRS, NOWHERE, Game, General, space_of

HEIRS_DIE = 3                           # the Game Turn in which fate takes them where it wants a long game
FATES = ("", "", "long", "level", "level", "near")
GRAVE = ("siege", "upgrade_fleet", "recruit", "bury", "remove_pc", "train")
WAYS = ("ops", "event", "bonus")        # to play a card; it can be spent for other things
WISHES = 4                              # cards of a game for which scenes are made
PATIENCE = 1500                         # candidates that are looked at



class Aim(NamedTuple):
    """What the next orders are looked for: of which verbs, and what they have to say."""

    verbs: tuple[str, ...]
    fits: Callable[[Order], bool]


Found = tuple[Given, Aim] | None
Scene = Callable[[Game, str, str, Random], Found]


class Will(Choices):
    """Legal answers with a will."""

    def __init__(self, rng: Random, *, wild: bool = True) -> None:
        super().__init__(rng, wild=wild)
        self.fate = rng.choice(FATES)
        self.fated = 0                                          # the last Game Turn that fate has taken a hand in
        drawn = rng.sample([card for card in SCENES if card not in NEEDED.values()] + list(HARD), WISHES)
        self.wished = list(dict.fromkeys([*drawn, *(NEEDED[card] for card in drawn if card in NEEDED)]))
        self.begin_segment()

    def begin_segment(self) -> None:
        self.orders = 0
        self.staged = False                                     # has this segment been looked at for a scene?
        self.aim: Aim | None = None

    def next_step(self, g: Game, question: Question) -> Step:
        rng = self.rng
        if question.kind == "turn_up":
            return Step("answer", {MODERATOR: question.default})
        if question.sides == (MODERATOR,):
            return ruled(g, question, rng)
        if question.kind == g.segment and not self.staged and (scene := self.scene(g)) is not None:
            return scene
        if (meeting := self.meets(g, question)) is not None:
            return meeting
        if rng.random() < (0.0005 if question.kind in OWN else 0.005):
            return some_correction(g, rng)
        if self.aim is not None and rng.random() < 0.3 and (play := self.surprise(g)) is not None:
            return play
        if g.phase == "strategy" and (chance := rng.random()) < 0.06:
            between = (self.surprise(g) if chance < 0.03 else self.free_act(g, question) if chance < 0.048
                       else self.turn_of_fate(g) if chance < 0.057 else some_ruling(g, rng))
            if between is not None:
                return between
        self.try_wild_order(g, question, 0.05)
        return Step("answer", {side: self.answer(g, question, side) for side in question.sides})

    def turn_of_fate(self, g: Game) -> Step | None:
        """Left alone most games end with an Heir coming of age: some rulings make the other ends come up."""
        if self.fated == g.turn:
            return None
        facts: dict[str, Any] = {}
        if self.fate in ("long", "level") and g.turn == HEIRS_DIE:
            facts = {"dead": [name for name in HEIRS if g.royals[name].at not in (NOWHERE, DEAD)]}
        elif self.fate == "level" and g.turn == g.rules.last_turn and g.round > 3:
            best = max(victory.points(g, seat) for seat in g.seats)
            facts = {"adjust": {seat: {"VP": g.adjusted[seat, "VP"] + best - victory.points(g, seat)} for seat in g.seats}}
        elif self.fate == "near" and g.turn > 1:
            seat, what = self.rng.choice(g.seats), self.rng.choice(("L", "VP"))
            wanted = g.rules.instant_legitimacy if what == "L" else g.rules.instant_points[len(g.seats)]
            now = (victory.legitimacy if what == "L" else victory.points)(g, seat)
            facts = {"adjust": {seat: {what: g.adjusted[seat, what] + wanted - 1 - now}}}
        if not facts:
            return None
        self.fated = g.turn
        return Step("ruling", facts=facts)

    def scene(self, g: Game) -> Step | None:
        """The first wished card for which there is something to arrange at the beginning of this segment."""
        assert g.secret is not None
        self.staged = True
        for card in self.wished:
            segment, arrange = SCENES[card]
            holder = next((seat for seat in g.seats if g.secret.holds(seat, card)), "")
            if (holder == g.player or holder and card in ANYBODYS) and segment == g.segment and (
                    found := arrange(g, holder, card, self.rng)) is not None:
                facts, self.aim = found
                return Step("ruling", facts=facts) if facts else None
        return None

    def answer(self, g: Game, question: Question, side: str) -> Any:
        """Who holds a card of which this is the moment mostly plays it."""
        return some_act(question, side, self.rng) if question.kind in CARD_WINDOWS else super().answer(g, question, side)

    def own_order(self, g: Game, question: Question, side: str) -> Any:
        rng = self.rng
        if self.aim is not None and (order := self.any_of(question, side, list(aimed(g, question, side, self.aim)))):
            return order
        if question.kind == "tyche" and not g.card and (order := self.card(g, question, side)) is not None:
            return order
        if rng.random() < 0.4 and (order := self.attack(g, question, side)) is not None:
            return order
        order = super().own_order(g, question, side)
        if order is not None and order.verb == "split" and rng.random() < 0.8:      # else all Armies fall to pieces
            return super().own_order(g, question, side)
        return order

    def card(self, g: Game, question: Question, side: str) -> Order | None:
        """Any card of the hand, any use of it: an event with many targets is not likelier than one with few."""
        acts = acts_now(g, question)
        uses = [(card, use) for card in hand.possible(g, side) for use in (*WAYS, *acts) if use != "play"]
        for card, use in self.rng.sample(uses, len(uses)):
            orders = list(islice(plays(g, side, card, use) if use in WAYS else
                                 (order for order in acts[use].candidates(g, side) if order.card == card), PATIENCE))
            if (found := self.any_of(question, side, orders)) is not None:
                return found
        return None

    def attack(self, g: Game, question: Question, side: str) -> Order | None:
        """Besiege, or go with everybody to where somebody else is, or where he rules a city."""
        acts = acts_now(g, question)
        nobody_else: tuple[list[str], ...] = [], [side]

        def foreign(space: str) -> bool:
            return g.sides_at(space) not in nobody_else or (
                g.board.kind(space) == "major" and g.controller(space) not in ("", side))

        def onslaughts(verb: str) -> Iterator[Order]:
            if verb == "march":
                for one in movement.ready(g, side):
                    for space in filter(foreign, neighbours(g, one)):
                        yield from whole_marches(g, side, one, space)
            else:
                yield from (order for order in some_orders(g, acts[verb], side, self.rng)
                            if verb in GRAVE or order.path and foreign(order.path[-1]))

        attacks = {verb: acts[verb] for verb in acts if verb in ("march", "sail", *GRAVE)}
        return next((found for verb in drawn(attacks, self.rng)
                     if (found := self.any_of(question, side, list(onslaughts(verb)))) is not None), None)

    def any_of(self, question: Question, side: str, wished: list[Order]) -> Order | None:
        found: Order | None = first_legal(question, side, in_any_order(wished, self.rng))
        return found


def aimed(g: Game, question: Question, side: str, aim: Aim) -> Iterator[Order]:
    acts = acts_now(g, question)
    for verb in aim.verbs:
        if verb in acts:
            yield from filter(aim.fits, islice(acts[verb].candidates(g, side), PATIENCE))


def plays(g: Game, side: str, card: str, how: str) -> Iterator[Order]:
    """6.2 What can be thought of with one use of a card."""
    if how == "ops":
        yield Order("play", card=card, how=how)
    elif (effect := effects.effect_of(g, card)) is not None:
        yield from (order.but(card=card, how=how) for order in effect.targets(g, side))


def some_correction(g: Game, rng: Random) -> Step:
    """What the box says of a Major General is something else than was thought."""
    name = rng.choice(list(g.facts.generals))
    return Step("amend", facts={"datum": f"generals.{name}.battle", "value": rng.randint(2, 4)})


# --- scenes ------------------------------------------------------------------------------------------------------
# Each puts somebody where the card of the holder could act in the segment that begins; None where nobody is at hand.


def for_card(card: str) -> Aim:
    """What the card says, not its points."""
    return Aim(("play", "siege"), lambda order: order.card == card and order.how != "ops")


def all_to(space: str) -> Aim:
    return Aim(("march",), lambda order: order.path[-1:] == (space,) and order.pieces in (None, ALL))


def free_general(g: Game, seat: str, rng: Random) -> General | None:
    """One whom a ruling can take elsewhere: no Royal Family goes with him, and his CUs stay without him (7.2 A)."""
    def is_free(one: General) -> bool:
        return g.on_map(one) and not one.minor and not g.royals_at(one.at, seat) and (
            not g.count(one.at, seat) or g.controller(space_of(one.at)) == seat or len(g.generals_at(one.at, seat)) > 1)

    majors = [one for one in g.generals_of(seat) if is_free(one)]
    return rng.choice(majors) if majors else next(iter(g.minors_off_map(seat)), None)


def is_empty(g: Game, at: str) -> bool:
    return not g.sides_at(at) and not g.royals_at(at)


def army(one: General, at: str, **cus: int) -> Given:
    return {"at": at, "owner": one.seat, "generals": [one.name], "cus": cus}


def siege(g: Game, besieger: str, owner: str, card: str, rng: Random, among: Iterable[str] = ()) -> Found:
    """15.1 An Army before a city that is the owner's or becomes his, a garrison inside, and the first Siege Point."""
    cities = [city for city in among or g.board.major_cities if city not in g.capitals.values()
              and is_empty(g, city) and (g.controller(city) == owner or is_empty(g, f"{city}/inside"))]
    one = free_general(g, besieger, rng)
    if one is None or not cities:
        return None
    city = rng.choice(cities)
    inside = f"{city}/inside"
    garrison = {**place(inside), "owner": owner, "cus": g.kinds(inside, owner) or {"mercenary": 1}}
    return {"spaces": {city: owner}, "forces": [army(one, city, mercenary=4), garrison],
            "siege_points": {city: {"by": besieger, "points": 1}}}, for_card(card)


def before_a_city(g: Game, holder: str, card: str, rng: Random) -> Found:
    return siege(g, holder, rng.choice(g.others(holder)), card, rng)


def behind_the_walls(g: Game, holder: str, card: str, rng: Random) -> Found:
    return siege(g, rng.choice(g.others(holder)), holder, card, rng)


def in_a_port(g: Game, holder: str, card: str, rng: Random) -> Found:
    """7.4 Who has no Fleet gets a port that brings one."""
    ports = [city for city in g.board.major_cities if g.board.is_port(city)]
    bringing = [fact["control"]["place"] for fact in g.facts.fleets.values() if fact["control"]["type"] == "major_city"]
    return siege(g, rng.choice(g.others(holder)), holder, card, rng, ports if naval_battle.available(g, holder) else bringing)


def by_the_black_sea(g: Game, holder: str, card: str, rng: Random) -> Found:
    ports = [space for space in g.board.pontos if g.board.is_port(space) and is_empty(g, space)]
    one = free_general(g, holder, rng)
    return ({"forces": [army(one, rng.choice(ports), mercenary=2)]}, for_card(card)) if one is not None and ports else None


def face_to_face(g: Game, holder: str, card: str, rng: Random, **cus: int) -> Found:
    """An Army of another player beside one of the mover's; one of the two is the holder's."""
    foe = holder if holder != g.player else rng.choice(g.others(holder))
    ready = [one for one in g.generals_of(g.player) if g.on_map(one) and one.at in g.board.index
             and g.commander(one.at, g.player) is one and g.count(one.at, g.player) > 2]
    fields = [space for one in ready for space in g.board.adjacent(one.at) if is_empty(g, space)]
    one = free_general(g, foe, rng)
    if one is None or not fields:
        return None
    field = rng.choice(fields)
    return {"forces": [army(one, field, **cus)]}, all_to(field)


def in_danger(g: Game, holder: str, card: str, rng: Random) -> Found:
    """14.8 A General who loses dies more easily: the holder is the weaker one."""
    return face_to_face(g, holder, card, rng, mercenary=6 if holder == g.player else 2)


def silver_shields(g: Game, holder: str, card: str, rng: Random) -> Found:
    """7.2 D The counter goes over to the Army that will be met."""
    where = next(((at, seat) for at, there in g.cus.items() for seat in there if g.kinds(at, seat)["silver"]), None)
    found = face_to_face(g, holder, card, rng, mercenary=2, silver=2) if where is not None else None
    if where is None or found is None:
        return None
    at, seat = where
    left = {**g.kinds(at, seat), "silver": 0}
    found[0]["forces"].insert(0, {**place(at), "owner": seat, "cus": left if sum(left.values()) else {"mercenary": 1}})
    return found


def called_by_the_king(g: Game, holder: str, card: str, rng: Random) -> Found:
    """A General beside an Army with Royal Army CUs, more popular than whoever leads it."""
    royal = [(at, seat) for at, there in g.cus.items() for seat in there if seat in g.others(holder)
             and g.kinds(at, seat)["royal"] and g.commander(at, seat) is not None]
    fields = [(field, at, seat) for at, seat in royal for field in g.board.land_paths(space_of(at)) if is_empty(g, field)]
    one = free_general(g, holder, rng)
    if one is None or not fields:
        return None
    field, at, seat = rng.choice(fields)
    points = max(0, prestige.prestige(g, at, seat) - victory.legitimacy(g, holder)) + 1
    return {"forces": [army(one, field, mercenary=2)], "popularity": {one.name: points}}, for_card(card)


def as_it_is(g: Game, holder: str, card: str, rng: Random) -> Found:
    return {}, for_card(card)


# a card -> the one whose event brings it into the deck
NEEDED = {"47B": "47A"}

# card -> the segment in which it could act (mostly its holder's own), and what puts somebody there
SCENES: Mapping[str, tuple[str, Scene]] = {
    "11": ("tyche", by_the_black_sea), "14": ("tyche", before_a_city), "45": ("tyche", behind_the_walls),
    "47A": ("tyche", as_it_is), "47B": ("activation", silver_shields),
    "48": ("activation", partial(face_to_face, mercenary=2, elephant=2)), "49": ("surrender", before_a_city),
    "52": ("activation", in_danger), "O65": ("tyche", called_by_the_king), "O69": ("surrender", in_a_port),
}
ANYBODYS = ("52", "O69")                # the holder needs no turn of his own
HARD = ("47B", "52", "52", "O69")       # not even a scene makes them sure: wished for more often
