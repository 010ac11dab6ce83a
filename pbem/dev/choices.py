"""What random play does next: mostly a legal answer, now and then something in between, or a moderator's ruling."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from random import Random
from typing import Any

from pbem.base.errors import PbemError
from pbem.dev.positions import STATUS, Given
from pbem.dev.stages import Step
from pbem.kernel.procedures import Question, in_any_order
from pbem.orders import ALL, Order, Pieces
from pbem.rules import effects, movement, sequence, surprise, tyche
from pbem.rules.acts import Act
from pbem.rules.generals import FREE_ACTS
from pbem.rules.war import MODERATOR
from pbem.table import position
from pbem.table.state import INDEPENDENT, OFF, Game, General, space_of

OWN = ("surrender", "tyche", "activation", "forage", "independent_move")
MEETING = 0.25                                              # how often a free act comes upon a mover's own question
MOST_ORDERS = 90                                            # of one segment, before only its end is tried
LOOKS = 8, 40, 40, 300                                      # how far along a list of what can be thought of
TRIES = 12                                                  # marches that are tried, one after the other
END, ROLL = Order("end"), Order("roll")
FAVOURITES = ("march",) * 8 + ("sail",) * 6 + ("siege", "remove_pc", "force_march", "embark")     # drawn more often



class Choices:
    """Decides what happens next, from a seed: mostly a legal answer, now and then something in between."""

    def __init__(self, rng: Random, *, wild: bool = True) -> None:
        """What is tried besides has dice of its own: with it or without, a seed plays the same game."""
        self.rng = rng
        seed = rng.random()
        self.wild = Random(seed) if wild else None
        self.orders = 0                                     # in the present segment
        self.refused: Counter[str] = Counter()
        self.wrong: list[str] = []

    def next_step(self, g: Game, question: Question) -> Step:
        rng = self.rng
        if question.sides == (MODERATOR,):
            return ruled(g, question, rng)
        if (meeting := self.meets(g, question)) is not None:
            return meeting
        if g.phase == "strategy" and (chance := rng.random()) < 0.12:
            between = (self.surprise(g) if chance < 0.03 else self.free_act(g, question) if chance < 0.10
                       else some_ruling(g, rng))
            if between is not None:
                return between
        self.try_wild_order(g, question, 0.3)
        return Step("answer", {side: self.answer(g, question, side) for side in question.sides})

    def answer(self, g: Game, question: Question, side: str) -> Any:
        """Windows are answered as the question samples; one's own turn has some purpose: roll, march on, end."""
        answer = self.own_order(g, question, side) if question.kind in OWN else None
        if answer is None:
            answer = some_answer(question, side, self.rng)
        if self.wild is not None and question.costs is not None:        # told to nobody: it only must not fail
            question.costs(side, answer)
        return answer

    def own_order(self, g: Game, question: Question, side: str) -> Any:
        """A legal order of a verb that was drawn; None where there is none, or where anything will do."""
        rng = self.rng
        self.orders += 1
        if self.orders > MOST_ORDERS or rng.random() < 0.05:
            return question.legal(side, END) or question.legal(side, question.default)    # at sea he has to land first
        if question.kind == "activation" and g.movement_roll is None and (
                order := question.legal(side, ROLL)) and rng.random() < 0.9:
            return order
        if rng.random() < 0.1:
            return None
        acts = acts_now(g, question)
        for verb in drawn(acts, rng):
            orders = some_marches(g, side, rng) if verb == "march" else some_orders(g, acts[verb], side, rng)
            if (read := first_legal(question, side, orders)) is not None:
                return read
        return None

    def surprise(self, g: Game) -> Step | None:
        """6.2 Anybody with a Surprise card may play it at any time."""
        assert g.secret is not None
        for seat in self.rng.sample(g.turn_order, len(g.turn_order)):
            for card in g.secret.hand(seat):
                known = effects.effect_of(g, card)
                if g.facts.cards[card]["kind"] == "surprise" and known is not None:
                    for order in known.targets(g, seat):
                        try:
                            read = surprise.judge(g, seat, order.but(card=card))
                        except PbemError as refusal:
                            self.refused[refusal.key] += 1
                        else:
                            return Step("surprise", seat=seat, order=read)
        return None

    def meets(self, g: Game, question: Question) -> Step | None:
        """7.1 C In the middle of a Procedure, asked himself, a player may jump as well: there rules meet, so he often does."""
        middle = g.in_procedure and question.sides == (g.player,) and question.kind not in OWN
        return self.free_act(g, question) if middle and self.rng.random() < MEETING else None

    def free_act(self, g: Game, question: Question) -> Step | None:
        """7.1 C, 7.2 F Only at the player's own questions."""
        if question.sealed or question.sides != (g.player,):
            return None
        for act in in_any_order(list(FREE_ACTS.values()), self.rng):
            for order in in_any_order(list(act.candidates(g, g.player)), self.rng):
                try:
                    return Step("free", seat=g.player, order=act.judge(g, g.player, order))
                except PbemError as refusal:
                    self.refused[refusal.key] += 1
        return None

    def try_wild_order(self, g: Game, question: Question, often: float) -> None:
        """Something hardly legal: it has to be judged, whatever it is, and a refusal changes nothing."""
        rng = self.wild
        if rng is None or rng.random() >= often:
            return
        side = rng.choice((*question.sides, *g.seats)) if rng.random() < 0.1 else rng.choice(question.sides)
        answer: Any = wild_order(g, rng, side)
        if rng.random() < 0.7:
            legal = some_act(question, side, rng) if side in question.sides else question.default
            answer = (tuple(bent(g, side, order, rng) for order in rng.choices(legal, k=rng.choice((1, 1, 1, 2))))
                      if isinstance(legal, tuple) else bent(g, side, legal, rng))
        elif isinstance(question.default, tuple):
            answer = (answer,)
        before = position.fingerprint(g) if rng.random() < 0.2 else ""
        try:
            question.read(side, answer)
        except PbemError as refusal:
            self.refused[refusal.key] += 1
        if before and before != position.fingerprint(g):
            self.wrong.append(f"{answer} has changed the position without being taken")


class Chooser(Random):
    """Chooses as Python does, in half the time: what is drawn are the same bits."""

    def choice(self, seq: Any) -> Any:
        number = len(seq)
        bits, draw = number.bit_length(), self.getrandbits
        place = draw(bits)
        while place >= number > 0:
            place = draw(bits)
        return seq[place]


def acts_now(g: Game, question: Question) -> Mapping[str, Act]:
    """What may be ordered at a player's own question, by verb; nothing where it asks for one certain thing."""
    if question.kind == "tyche":
        return tyche.acts_now(g)[0]
    return sequence.SEGMENT_ACTS[question.kind](g) if question.kind in sequence.SEGMENT_ACTS else {}


def drawn(acts: Mapping[str, Act], rng: Random) -> Iterator[str]:
    """The verbs one after the other, favourites oftener first: only what was drawn is thought out."""
    seen = set()
    for verb in in_any_order([*acts, *[one for one in FAVOURITES if one in acts]], rng):
        if verb not in seen:
            seen.add(verb)
            yield verb


def some_orders(g: Game, act: Act, side: str, rng: Random) -> Iterator[Order]:
    """Of all that can be thought of with one verb: mostly what comes first, any may come."""
    return in_any_order(list(islice(chain(act.candidates(g, side), act.rare(g, side)), rng.choice(LOOKS))), rng)


def first_legal(question: Question, side: str, orders: Iterable[Order]) -> Any:
    for order in orders:
        if (read := question.legal(side, order)) is not None:
            return read
    return None


def some_marches(g: Game, side: str, rng: Random) -> Iterator[Order]:
    """Anybody to a neighbour: mostly whoever is on his way, with all that may come or with some of what stands there."""
    ready = [one for one in movement.ready(g, side) if "/" not in one.at]
    active = g.activation.key if g.activation is not None else ""
    if active and rng.random() < 0.7:
        ready = [one for one in ready if one.name == active] or ready
    ways = [(one, space) for one in ready for space in neighbours(g, one)]
    for _ in range(TRIES if ways else 0):
        one, space = rng.choice(ways)
        passage = rng.choice(passages(g, side, space))
        yield Order("march", general=one.name, path=(space,), passage=passage,
                    pieces=None if rng.random() < 0.4 else some_pieces(g, one, rng))


def neighbours(g: Game, one: General) -> tuple[str, ...]:
    return g.board.adjacent(space_of(one.at))


def passages(g: Game, side: str, space: str) -> list[tuple[str, ...] | None]:
    """Without asking anybody, and with the leave of whoever stands there."""
    others = tuple([foe for foe in g.sides_at(space) if foe not in (side, INDEPENDENT)])
    return [None, others] if others else [None]


def whole_marches(g: Game, side: str, one: General, space: str) -> list[Order]:
    """With all that may come."""
    return [Order("march", general=one.name, path=(space,), passage=passage) for passage in passages(g, side, space)]


def some_pieces(g: Game, one: General, rng: Random) -> Pieces:
    """Some of all that an order could name to go with him."""
    there = movement.around(g, one)
    return Pieces.of([name for name in there.generals if rng.random() < 0.5],
                     {kind: rng.choice((number, rng.randint(0, number))) for kind, number in there.cus},
                     [name for name in there.royals if rng.random() < 0.5])


def bent(g: Game, side: str, order: Order, rng: Random) -> Order:
    """A legal order with one argument changed: what people get wrong."""
    if not order.args or rng.random() < 0.1:
        return order
    name = rng.choice(list(order.args))
    value = order.args[name]
    if isinstance(value, Pieces):
        kinds = {kind: number + rng.randint(-1, 1) for kind, number in value.cus}
        changed: Any = rng.choice((
            wild_pieces(g, rng), Pieces.of(cus=kinds), Pieces.of(value.generals, kinds, rng.sample(list(g.royals), 1)),
            Pieces.of([*value.generals, some_general(g, side, rng)], dict(value.cus), value.royals)))
    elif name in ("general", "minor"):
        changed = some_general(g, side, rng)
    elif name in ("path", "spaces"):
        changed = rng.choice(((*value, some_space(g, value[-1], rng)), (some_space(g, value[0], rng),)))
    elif isinstance(value, int) and not isinstance(value, bool):
        changed = max(0, value + rng.choice((-1, 1, 3)))
    elif name in ("at", "from_", "location", "space"):
        changed = rng.choice((some_space(g, value, rng), f"{rng.choice(g.board.major_cities)}/inside"))
    elif name == "card":
        changed = rng.choice(list(g.facts.cards))
    elif name == "target" and value[0] in ("general", "seat"):
        changed = rng.choice((("general", some_general(g, side, rng)), ("seat", rng.choice(g.seats))))
    elif name == "to":
        changed = "outside" if value == "inside" else "inside"
    else:
        return order
    return order.but(**{name: changed})


def some_general(g: Game, side: str, rng: Random) -> str:
    """Mostly one's own, mostly on the map."""
    own = side in g.seats and rng.random() < 0.7
    some = [name for name, one in g.generals.items() if (g.on_map(one) or rng.random() < 0.1) and (not own or one.seat == side)]
    return rng.choice(some or list(g.generals))


def some_space(g: Game, near: str, rng: Random) -> str:
    """A neighbour or, less often, anywhere."""
    around = [there for there, _, _ in g.board.paths(space_of(near))] if space_of(near) in g.board.index else []
    return rng.choice(around) if around and rng.random() < 0.7 else rng.choice(g.board.spaces)


def some_answer(question: Question, side: str, rng: Random) -> Any:
    """A sample; where it misses what little is legal, the first answer offered. Without any this is a dead end."""
    try:
        return question.sample(side, rng)
    except PbemError:
        answer = next(question.offers(side), None)
        if answer is None:
            raise
        return answer


def some_act(question: Question, side: str, rng: Random) -> Any:
    """A sample that is, if possible, not just what silence means."""
    for _ in range(3):
        answer = some_answer(question, side, rng)
        if answer != question.default:
            break
    return answer


def wild_order(g: Game, rng: Random, side: str = "") -> Order:
    """Any order that could be written down, about anything on the board."""
    general = some_general(g, side, rng)
    here = space_of(g.generals[general].at)
    space = some_space(g, here, rng)
    at = rng.choice((here, space, f"{rng.choice(g.board.major_cities)}/inside"))
    pieces, few = rng.choice((None, ALL, wild_pieces(g, rng))), wild_pieces(g, rng)
    number, seat = rng.randint(0, 4), rng.choice((*g.seats, INDEPENDENT))
    card, loc = rng.choice(list(g.facts.cards)), rng.choice((None, "inside", "outside"))
    minor = rng.choice((None, "any", *(name for name, one in g.generals.items() if one.minor)))
    fleets = rng.choice((("none",), ("all",), (rng.choice(list(g.fleets)),)))
    verb = rng.choice(WILD)
    args: dict[str, dict[str, Any]] = {
        "march": {"general": general, "path": (space,), "pieces": pieces, "passage": (seat,) if number == 1 else None,
                  "leave": few if number == 2 else None},
        "shift": {"general": general if number else None, "to": loc or "inside", "pieces": pieces},
        "pick_up": {"pieces": pieces or ALL}, "drop": {"pieces": few, "minor": minor, "loc": loc},
        "split": {"location": at, "pieces": few, "minor": minor},
        "remove_pc": {"general": general, "space": space}, "siege": {"space": rng.choice((here, space)), "general": general},
        "activate": {"general": general}, "force_march": {"general": general, "number": number},
        "embark": {"general": general, "pieces": pieces, "fleets": fleets}, "sail": {"general": general, "path": (space,)},
        "disembark": {"general": general, "loc": loc}, "naval_battle": {"fleets": fleets},
        "raise_mercenary": {"location": at, "minor": minor}, "place_pc": {"spaces": (space, here)[:number // 2 + 1]},
        "play": {"card": card, "how": rng.choice(("ops", "event", "bonus", "surprise"))}, "discard": {"card": card},
        "train": {"kind": rng.choice(("mercenary", "loyal")), "number": number},
        "upgrade_fleet": {"fleet": rng.choice(list(g.fleets)), "card": card},
        "recruit": {"general": general, "card": card, "at": at},
        "reinforce": {"location": at, "pieces": few, "minor": minor}, "first_player": {"seat": seat, "direction": "left"},
        "independent_move": {"general": general, "path": (space,)}, "turn_up": {"card": card},
        "intercept": {"general": general, "from_": rng.choice((None, at)), "pieces": pieces or ALL, "minor": minor},
        "evade": {"general": general if number == 1 else None, "path": (space, some_space(g, space, rng))[:number]},
        "lose": {"pieces": few}, "sort_inside": {"pieces": pieces or ALL}, "sort_outside": {"pieces": pieces or ALL},
    }
    return Order(verb, **args.get(verb, {}))


WILD = """
    march march shift pick_up drop split remove_pc siege activate force_march embark sail disembark naval_battle
    raise_mercenary place_pc play discard train upgrade_fleet recruit reinforce first_player independent_move turn_up
    intercept evade lose sort_inside sort_outside roll end end_activation pass honour break withdraw stay grant bury
""".split()


def wild_pieces(g: Game, rng: Random) -> Pieces:
    generals = rng.sample(list(g.generals), rng.choice((0, 0, 1, 2)))
    royals = rng.sample(list(g.royals), rng.choice((0, 0, 0, 1)))
    kinds = rng.sample(("loyal", "royal", "mercenary", "elephant", "silver"), rng.randint(0, 3))
    return Pieces.of(generals, {kind: rng.randint(1, 3) for kind in kinds}, royals)


# --- rulings -----------------------------------------------------------------------------------------------------


def ruled(g: Game, question: Question, rng: Random) -> Step:
    """What a moderator decides where a rule is not written yet: a phase is over, a fight has a winner."""
    about = question.about
    if question.kind == "card_ruling":
        return Step("ruling", facts=rng.choice((_statuses, _totals, _losses))(g, rng))
    if "space" not in about:
        return Step("ruling", level="phase")
    at, mover = about["space"], about["mover"]
    others = [side for side in g.sides_at(at) if side != mover]
    beaten = others if rng.random() < 0.5 or not others else [mover, *(side for side in others if side != about["foe"])]
    facts: Given = {"forces": [], "dispersed": {}, "minors": {}, "dead": [], "family": {}}
    for side in beaten:
        beat(g, at, side, facts, rng)
    return Step("ruling", facts=facts, level=rng.choice(("step", "step", "activation")))


def beat(g: Game, at: str, side: str, facts: Given, rng: Random) -> None:
    """14.9 in short: Mercenaries and Elephants are lost, the rest is dispersed, the family is left behind."""
    facts["forces"].append({**place(at), "owner": side, "cus": {}})
    generals = g.generals_at(at, side)
    if side == INDEPENDENT:
        facts["dead"] += [one.name for one in generals]
        return
    kept = Counter(g.dispersed[side])
    kept.update({kind: n for kind, n in g.kinds(at, side).items() if kind not in ("mercenary", "elephant")})
    dead = [one.name for one in generals if not one.minor and rng.random() < 0.2]
    facts["dead"] += dead
    facts["dispersed"][side] = {"generals": [one.name for one in generals if not one.minor and one.name not in dead],
                                "cus": dict(kept)}
    facts["minors"][side] = {one.name: OFF for one in generals if one.minor}
    for royal in g.royals_at(at, side):
        facts["family"][royal.name] = {**place(space_of(at)), "owner": "none"}


def place(at: str) -> Given:
    space, _, part = at.partition("/")
    return {"at": space, "loc": part} if part else {"at": space}


def some_ruling(g: Game, rng: Random) -> Step | None:
    """A correction out of the blue that leaves a legal position, with or without abandoning what is running."""
    level = rng.choice(("", "", "step", "step", "activation", "activation", "segment"))
    facts = rng.choice((_statuses, _totals, _losses, _a_pc, _a_general))(g, rng)
    if not facts or level and meeting(g):
        return None
    return Step("ruling", facts=facts, level=level)


def meeting(g: Game) -> bool:
    """Are enemies face to face, with the active Army or where it has left somebody? Who abandons that has to say what
    becomes of them."""
    return g.activation is not None and any(len(g.sides_at(at)) > 1 for at in {g.activation.here, *g.cus})


def _statuses(g: Game, rng: Random) -> Given:
    return {"champions": {seat: rng.choice(STATUS) for seat in g.seats}, "usurper": rng.choice(("", *g.seats))}


def _totals(g: Game, rng: Random) -> Given:
    return {"adjust": {rng.choice(g.seats): {"L": rng.randint(-4, 4), "VP": rng.randint(-2, 2)}}}


def _losses(g: Game, rng: Random) -> Given:
    """Somebody's CUs in a location are fewer, or gone."""
    stacks = [(at, seat) for at, there in g.cus.items() for seat in there if seat != INDEPENDENT]
    if not stacks:
        return {}
    at, seat = rng.choice(stacks)
    kinds = {kind: n if kind == "silver" else rng.randint(0, n) for kind, n in g.kinds(at, seat).items()}
    return {"forces": [{**place(at), "owner": seat, "cus": {} if rng.random() < 0.2 else kinds}]}


def _a_pc(g: Game, rng: Random) -> Given:
    """A PC comes, goes or changes, not where a siege or a city would hang on it."""
    space = rng.choice([one for one in g.board.spaces if not g.board.is_transit(one) and one not in g.siege_points
                        and g.board.kind(one) != "major"])
    return {"spaces": {space: rng.choice(("none", INDEPENDENT, *g.seats))}}


def _a_general(g: Game, rng: Random) -> Given:
    """A Major General is dispersed, or dead."""
    names = [one.name for one in g.generals.values()
             if g.on_map(one) and not one.minor and one.seat != INDEPENDENT]
    if not names:
        return {}
    one = g.generals[rng.choice(names)]
    return {"dead": [one.name]} if rng.random() < 0.3 else {"dispersed": {one.seat: {"generals": [one.name]}}}
