"""Positions drawn tightly, where the "must" of one rule meets the "may not" of another: can everybody always go on?

An Army comes to a space where others stand, with hardly enough Movement Points, with more than a ship takes or 16.8 lets march,
past Generals of its own who may not or cannot come along, with neighbours that a truce closes; or Reinforcements come, and
hardly a space takes any; or Armies of all kinds of troops stand face to face, with cards and without. On the march whoever is
asked for passage grants it, and it is honoured. At every question each side has to be able to go on, and silence alone has to
bring every segment or phase to its end.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from pbem import editions
from pbem.cards import EFFECTS
from pbem.dev.choices import OWN, Choices, acts_now, first_legal
from pbem.dev.play import stuck
from pbem.dev.positions import STATUS, Given, printed
from pbem.dev.silence import OWN_SEGMENTS, quiet
from pbem.dev.stages import Dice, Hands, Step, perform
from pbem.dev.will import Will
from pbem.kernel.procedures import Question, Table, in_any_order
from pbem.orders import Order
from pbem.rules import sequence
from pbem.table import position
from pbem.table.state import Game

SEATS = ("red", "blue", "yellow")
FREELY = 0.15                           # how often a free act comes before an answer that is drawn
ORDERS = 10                             # answers that are drawn, before everybody falls silent
SILENT = 60                             # and so many questions later it has to be over
KINDS = ("mercenary", "loyal", "elephant")
OPTIONS = ("16.8", "16.9", "16.11")
MAJORS = ("perdikkas", "krateros", "ptolemaios", "antigonos", "eumenes", "lysimachos", "seleukos", "kassandros", "demetrios")


# --- positions ---------------------------------------------------------------------------------------------------


class Drawn:
    """A position in the making: who stands where, nobody twice."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.facts, self.board = printed()
        self.majors = rng.sample(MAJORS, len(MAJORS))
        self.minors = {seat: [name for name, fact in self.facts.minors.items() if fact["color"] == seat] for seat in SEATS}
        self.forces: list[Given] = []

    def stand(self, seat: str, at: str, majors: int, cus: Mapping[str, int], *, minors: int = 0, loc: str = "") -> list[str]:
        names = [self.majors.pop() for _ in range(min(majors, len(self.majors)))]
        names += [self.minors[seat].pop() for _ in range(minors) if cus and self.minors[seat]]
        if names or cus:
            self.forces.append({"owner": seat, "at": at, "generals": names, "cus": dict(cus), **({"loc": loc} if loc else {})})
        return names

    def cus(self, *numbers: int) -> dict[str, int]:
        return dict(Counter(self.rng.choices(self.rng.sample(KINDS, 2), k=self.rng.choice(numbers))))

    def given(self, **more: Any) -> Given:
        """Nobody has a card, nobody wins by his totals."""
        deck = {"name": "main,1", "cards": sorted(self.facts.cards), "left": len(self.facts.cards)}
        return {"turn": self.rng.choice((2, 3, 4)), "round": 1, "turn_order": list(SEATS), "hands": dict.fromkeys(SEATS, 0),
                "deck": deck, "discards": [], "out": [], "face_down": 0,
                "adjust": {seat: {"VP": -80, "L": -30} for seat in SEATS}, "forces": self.forces, **more}


def march(rng: Random) -> Given:
    """9, 10, 13 Red is about to move around a hub, where Blue stands, perhaps beside some of Red's."""
    drawn = Drawn(rng)
    board, stand, cus = drawn.board, drawn.stand, drawn.cus
    hub = rng.choice(board.spaces)
    near = list(dict.fromkeys(there for there, _, _ in board.paths(hub)))
    start = rng.choice(near)
    closed = rng.random() < 0.2                                     # by Yellow, with whom there is a truce
    pcs = {space: rng.choice(("none", "none", *SEATS, "independent")) for space in (hub, *near) if not board.is_transit(space)}
    army = cus(0, 0, 1, 3, 8, 10)
    if army and rng.random() < 0.4:
        army["silver"] = rng.choice((1, 2))
    majors = rng.choice((0, 1, 1, 1, 2)) if army else rng.choice((1, 2))
    ready = stand("red", start, majors, army, minors=not majors)
    if rng.random() < 0.5:
        ready += stand("red", hub, rng.choice((0, 1, 2)), cus(0, 0, 2, 8), minors=rng.choice((0, 0, 1)))
    stand("blue", hub, 1, cus(0, 0, 0, 1, 2))
    if rng.random() < 0.3:
        stand("yellow", hub, 1, cus(0, 2))
    for there in near:
        if closed and rng.random() < 0.9:
            stand("yellow", there, 0, {"mercenary": 1})
        elif there != start and rng.random() < 0.5:
            stand(rng.choice(SEATS), there, rng.choice((0, 1)), cus(0, 1, 2))
    if board.kind(hub) == "major" and pcs[hub] in SEATS:
        stand(pcs[hub], hub, rng.choice((0, 1)), {"mercenary": 1}, loc="inside")
    return drawn.given(
        segment={"player": "red", "kind": "activation"}, spaces=pcs, movement_roll=3, naval_used=rng.random() < 0.3,
        mp={name: rng.choice((0, 1, 1, 2, 2, 3)) for name in ready}, moved=[name for name in ready if rng.random() < 0.05],
        truces=[["red", "yellow"]] if closed else rng.choice(([], [], [["blue", "red"]])),
        family={"kleopatra": {"at": start, "owner": "red"}} if army and rng.random() < 0.2 else {})


def placing(rng: Random) -> Given:
    """5.2 Red's Reinforcements come, the Silver Shields among them, and hardly a space takes any."""
    drawn = Drawn(rng)
    spaces = [space for space in drawn.board.spaces if not drawn.board.is_transit(space)]
    pcs = {space: rng.choice(("blue", "yellow")) for space in spaces}
    pcs.update({space: rng.choice(("none", "independent")) for space in rng.sample(spaces, rng.choice((0, 1, 3, 8)))})
    own = rng.sample(spaces, rng.choice((0, 1, 1, 2)))
    pcs.update(dict.fromkeys(own, "red"))
    for space in own:
        if rng.random() < 0.5:
            drawn.stand(rng.choice(("blue", "red")), space, rng.choice((0, 1)), {"mercenary": 1})
    waiting = {"generals": [drawn.majors.pop()] if rng.random() < 0.4 else [],
               "cus": {"silver": rng.choice((1, 2, 2)), "loyal": rng.choice((0, 1, 3))}}
    return drawn.given(phase="reinforcements", spaces=pcs, dispersed={"red": waiting})


def fight(rng: Random) -> Given:
    """10 H to L, 14, 15 Armies of all kinds of troops face to face, with few to lose, before cities and inside of them."""
    drawn = Drawn(rng)
    board, stand, cus = drawn.board, drawn.stand, drawn.cus
    hub = rng.choice((rng.choice(board.major_cities), rng.choice(board.spaces)))
    near = list(dict.fromkeys(there for there, _, _ in board.paths(hub)))
    pcs = {space: rng.choice(("none", *SEATS, "independent")) for space in (hub, *near) if not board.is_transit(space)}
    silver = rng.choice((hub, *near))
    for space in (hub, *near):
        army = cus(0, 1, 2, 3, 5)
        if army and rng.random() < 0.5:
            army["silver" if space == silver else "royal"] = 1
        led_by_minor = bool(army) and rng.random() < 0.2
        stand(rng.choice(SEATS), space, 0 if led_by_minor else rng.choice((0, 1, 2)) if army else 1, army,
              minors=int(led_by_minor))
        if board.kind(space) == "major" and pcs[space] in SEATS:
            stand(pcs[space], space, rng.choice((0, 1)), cus(0, 1, 2), loc="inside")
    family = {name: {"at": one["at"], "owner": one["owner"], **({"loc": one["loc"]} if "loc" in one else {})}
              for name, one in zip(("alexandros", "kleopatra"), drawn.forces, strict=False) if one["generals"]}
    return drawn.given(segment={"player": "red", "kind": rng.choice(("activation", "activation", "surrender"))}, spaces=pcs,
                       champions={seat: rng.choice(STATUS) for seat in SEATS}, family=family)


def card(rng: Random) -> Given:
    """6.2 The same, and Red has cards to play; others have some."""
    given = fight(rng)
    held = {seat: rng.choice((1, 2, 3)) for seat in SEATS}
    deck = {**given["deck"], "left": rng.choice((12, 20))}
    table = [card for card in deck["cards"] if card not in ("57", "58")]
    gone = rng.sample(table, len(deck["cards"]) - deck["left"] - sum(held.values()))
    return {**given, "segment": {"player": "red", "kind": "tyche"}, "hands": held, "discards": gone, "deck": deck}


SCENES: Mapping[str, Callable[[Random], Given]] = {"march": march, "placing": placing, "fight": fight, "card": card}


# --- what happens there ------------------------------------------------------------------------------------------


class Obliging(Choices):
    """Whoever is asked for passage grants it, and it is honoured: so obligations come up."""

    def answer(self, g: Game, question: Question, side: str) -> Any:
        if question.kind == "free_passage":
            return (Order("grant"),)
        if question.kind == "passage_honoured":
            return Order("honour")
        if question.kind in OWN and self.rng.random() < 0.6 and (order := self.past_others(g, question, side)) is not None:
            return order
        return super().answer(g, question, side)

    def past_others(self, g: Game, question: Question, side: str) -> Any:
        acts = acts_now(g, question)
        marches = [order for order in acts["march"].candidates(g, side) if order.passage] if "march" in acts else []
        return first_legal(question, side, in_any_order(marches, self.rng))


def restless(question: Question) -> Iterator[str]:
    """In one's own turn silence does nothing where the segment may simply end."""
    for side in question.sides if question.kind in OWN_SEGMENTS else ():
        if why := quiet(question, side):
            yield f"silence at {question.kind}: {why}"


def walked(seed: int, edition: str = editions.USUAL, scene: str = "march", told: Counter[str] | None = None) -> list[str]:
    """Some orders from a tight position, then silence to the end of its segment or phase: what is wrong, and the last steps.

    `told` counts the events.
    """
    rng = Random(f"tight {seed} {edition} {scene}")
    options = tuple(one for one in OPTIONS if rng.random() < 0.4 and edition == editions.USUAL)
    facts, board = printed()
    fixes = rng.choice((0, editions.NEWEST))
    g = Game(facts, board, editions.ruleset(edition, options, fixes), SEATS, EFFECTS)
    g.chance = Dice(str(seed))
    given = SCENES[scene](rng)
    g.secret = Hands(given, str(seed)) if any(given["hands"].values()) else None
    position.state(g, given)
    table, steps = Table(sequence.play(g), g.next_question), list[str]()
    choices = Obliging(rng, wild=False) if scene == "march" else Will(rng, wild=False)
    began = g.phase, g.player, g.segment
    for number in range(ORDERS + SILENT):
        question = table.question
        if question is None or (g.phase, g.player, g.segment) != began:
            break
        if found := [*stuck(question), *restless(question)]:
            return [*found, *steps[-5:]]
        between = choices.free_act(g, question) if number < ORDERS and rng.random() < FREELY else None
        step = between or Step("answer", {
            side: choices.answer(g, question, side) if number < ORDERS else question.legal(side, question.silence(side))
            for side in question.sides})
        steps.append(str(step))
        perform(g, table, step)
    else:
        return ["silence does not end it", *steps[-5:]]
    if told is not None:
        told.update(event.key for event in g.events)
    return []


def main(edition: str, scene: str, first: str, last: str) -> None:
    for seed in range(int(first), int(last)):
        if found := walked(seed, edition, scene):
            print(f"walked({seed}, {edition!r}, {scene!r})", *found, sep="\n    ")


if __name__ == "__main__":
    main(*sys.argv[1:])
