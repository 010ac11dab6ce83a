"""What may come on top of an open question, tried systematically: every free act, Surprise card and ruling on every kind.

The positions are those of the rule cases, which stand just where rules meet. A case is run up to a question, something
comes between, and the case goes on: nothing may break, and what was answered has to happen.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from pbem.base.errors import NotNow, PbemError, Refused
from pbem.dev import say
from pbem.dev.given import Case, NoDie, NotBuilt, NotKnown, Stage
from pbem.dev.steps import NotWritten
from pbem.dev.when import OWN, Driver, Stop
from pbem.kernel.procedures import Question
from pbem.orders import Order
from pbem.play import invariants
from pbem.rules import effects, surprise, victory
from pbem.rules.generals import FREE_ACTS
from pbem.table import position
from pbem.table.state import INDEPENDENT, is_inside, space_of

# What becomes of a free act of the player whose turn it is while a question of a kind is open.
MAY = "it is done, if the question is his own or the moderator's"
WAITS = "it waits until others have answered"
NEVER = "it is nobody's Player Turn"
FREE = {
    **dict.fromkeys("""
        withdrawal passage_honoured losses join_battle elephant_reroll replacement city_choice escape unrest
        reinforcement_choice independent_move surrender tyche activation forage ruling card_ruling ruling_choice
    """.split(), MAY),
    **dict.fromkeys("""
        interception route counterstroke evasion free_passage naval_battle surprise battle_cards naval_cards death_cards
        defeat_cards truce reaction_card
    """.split(), WAITS),
    **dict.fromkeys("burial first_player give_back seating deployment revealed turn_up".split(), NEVER),
}
# Question and answer -> what has to be told once it was given.
TOLD = {("withdrawal", "withdraw"): "withdrew", ("withdrawal", "stay"): "stood", ("losses", "lose"): "eliminated",
        ("passage_honoured", "honour"): "passage_honoured", ("passage_honoured", "break"): "passage_broken",
        ("free_passage", "grant"): "passage_granted", ("join_battle", "sort_outside"): "joined_battle"}


# Questions upon which nothing can come in random play, and why.
CANNOT = {
    "elephant_reroll": "the ability that it belongs to is off until somebody has confirmed it from its card",
    "ruling": "every rule is written: none leaves it to the moderator",
    "card_ruling": "every card of the box has its function",
    "ruling_choice": "the same: nobody has to choose anything before a ruling",
    "turn_up": "nobody chooses: it goes on at once",
    "route": "random marches are single steps; routes have their cases",
}
# Free acts that nobody can do in random play, and why.
OFF = {"use_ability": "abilities are off until somebody has confirmed them from their cards"}
# Not in the Strategy Phase: no Surprise card (6.2), and random rulings are made in it alone.
PHASES = ("burial", "first_player", "give_back", "seating", "deployment")
# Asked of the player whose turn it is only where Independents, whom he moves, come upon him (9.5): these have cases.
BY_INDEPENDENTS = ("city_choice", "escape")


def pairs() -> list[str]:
    """What comes in between, and every kind of question that it can come upon in random play."""
    kinds = [kind for kind in FREE if kind not in CANNOT]
    own = [kind for kind in kinds if FREE[kind] == MAY and kind not in BY_INDEPENDENTS]
    return [*(f"{verb} upon {kind}" for kind in own for verb in FREE_ACTS if verb not in OFF),
            *(f"{what} upon {kind}" for kind in kinds if kind not in PHASES for what in ("surprise", "ruling")),
            *(f"{what} upon {kind}" for kind in kinds for what in ("undo", "amend"))]


UNCOUNTED = re.compile(r"\d+ cards of \d+|.* has L and VP .*")         # a case has no whole deck, and pads its totals


class Tried(NamedTuple):
    """One thing that came between, or could not."""

    case: str
    kind: str
    what: str                   # the verb of a free act, `play`, or what a ruling did
    key: str                    # of the refusal, empty where it was done
    wrong: tuple[str, ...]


class Meddler(Driver):
    """Runs a case; at its `place`-th question the `number`-th thing of a sort comes between."""

    def __init__(self, stage: Stage, place: int, sort: str, number: int) -> None:
        super().__init__(stage)
        self.place, self.sort, self.number = place, sort, number
        self.met: list[tuple[str, str]] = []            # the questions so far: id and kind
        self.kind = ""                                  # what something came on top of
        self.done = ""                                  # what came
        self.key = ""
        self.wanted: tuple[str, int] = ("", 0)          # the event that the answer has to tell

    def _on_top(self, question: Question) -> bool:
        if not self.met or self.met[-1][0] != question.id:
            self.met.append((question.id, question.kind))
        if len(self.met) == self.place + 1 and not self.kind:
            self.kind = question.kind
            things = list(islice(SORTS[self.sort](self, question), self.number + 1))
            if len(things) > self.number:
                what, act = things[self.number]
                self.done = what
                try:
                    act()
                except (Refused, NotNow) as refusal:
                    self.key = refusal.key
                return not self.key
        return super()._on_top(question)

    def _answer(self, side: str, question: Question) -> Any:
        answer = super()._answer(side, question)
        if self.done and not self.key and question.id == self.met[self.place][0]:
            order = answer[0] if isinstance(answer, tuple) and answer else answer
            key = TOLD.get((question.kind, order.verb), "") if isinstance(order, Order) else ""
            self.wanted = key, sum(event.key == key for event in self.game.events)
        return answer


# --- what may come -------------------------------------------------------------------------------------------------

Thing = tuple[str, Callable[[], None]]


def free_acts(run: Meddler, question: Question) -> Iterator[Thing]:
    """7.1 C, 7.2 F Of every verb all that can be thought of, judged as the desk judges it."""
    g = run.game
    for verb, act in FREE_ACTS.items():
        for order in islice(act.candidates(g, g.player), 12):
            yield verb, partial(on_top, run, g.player, order)


def on_top(run: Meddler, seat: str, order: Order) -> None:
    table = run.table
    assert table is not None
    match = say.bench(run.stage, table).match
    how, read = match.read(seat, order)
    assert how == "interrupt"
    table.interrupt(match.on_top(seat, read))


def cards(run: Meddler, question: Question) -> Iterator[Thing]:
    """6.2 Every Surprise card, dealt to whom it is tried with, on all that it can be played on."""
    g = run.game
    for seat in g.turn_order:
        for card, fact in g.facts.cards.items():
            effect = effects.effect_of(g, card)
            if fact["kind"] != "surprise" or effect is None or card in g.discards or card in run.stage.hands.called:
                continue
            if fact["effect_key"] == "steal_card" or any(timing != "any_time_strategy_phase" for timing in fact["timing"]):
                continue                                # its own window asks for it; who steals draws from no deck here
            for order in islice(effect.targets(g, seat), 2):
                yield "play", partial(dealt, run, seat, order.but(card=card))


def dealt(run: Meddler, seat: str, order: Order) -> None:
    g, hands, table = run.game, run.stage.hands, run.table
    assert table is not None
    hands.hands.setdefault(seat, []).append(order.card)
    hands.called[order.card] = order.card
    g.hands[seat] += 1
    table.interrupt(surprise.play(g, seat, surprise.judge(g, seat, order)))


def rulings(run: Meddler, question: Question) -> Iterator[Thing]:
    """What the question is about is gone: the General, the CUs, the space, the whole seat there."""
    g, about = run.game, question.about
    g.movement_roll = g.movement_roll or 1              # a case states MPs; who takes over has his own (9.2)
    at = str(about.get("at") or about.get("space") or (g.activation.here if g.activation is not None else ""))
    if space_of(at) not in g.board.index:
        return
    sides = [side for side in g.sides_at(at) if side != INDEPENDENT]
    for side in sides:
        one = g.commander(at, side)
        if one is not None and not one.minor:
            yield "general gone", partial(rule, run, {"dispersed": {side: {"generals": [one.name]}}})
        if g.count(at, side):
            loc = {"loc": "inside"} if is_inside(at) else {}
            yield "CUs gone", partial(rule, run, {"forces": [{"owner": side, "at": space_of(at), "cus": {}, **loc}]})
    if not g.board.is_transit(space_of(at)) and g.board.kind(space_of(at)) != "major":
        for owner in ("none", *g.seats):
            yield "space taken", partial(rule, run, {"spaces": {space_of(at): owner}})


def rule(run: Meddler, facts: Mapping[str, Any]) -> None:
    """As a ruling entry does it."""
    g, table = run.game, run.table
    assert table is not None
    position.state(g, facts)
    table.interrupt(victory.settling(g))
    table.remake()


SORTS: dict[str, Callable[[Meddler, Question], Iterator[Thing]]] = {
    "free act": free_acts, "card": cards, "ruling": rulings,
}


# --- trying --------------------------------------------------------------------------------------------------------


def questions(case: Case) -> list[str]:
    """The kinds of questions that a case comes to, in their order."""
    run = tried_run(case, 10_000, "free act", 0)
    return [kind for _, kind in run.met] if run is not None else []


def tried_run(case: Case, place: int, sort: str, number: int) -> Meddler | None:
    """The case as far as it goes; None where the driver cannot set it up."""
    try:
        run = Meddler(Stage(case), place, sort, number)
    except (NotKnown, NotBuilt, NotWritten, PbemError):
        return None
    with suppress(NotKnown, NoDie, Stop, NotWritten):
        run.run()
    return run


def tried(case: Case, place: int, sort: str, number: int) -> Tried | None:
    """One thing that comes between; None where there is none of that number."""
    before = frozenset[str]()
    try:
        before = frozenset(invariants.broken(Stage(case).game))
        run = tried_run(case, place, sort, number)
    except Exception as fault:
        return Tried(str(case["id"]), "", sort, "", (f"{type(fault).__name__}: {fault}",))
    if run is None or not run.done:
        return None
    return Tried(str(case["id"]), run.kind, run.done, run.key, () if run.key else tuple(faults(run, before)))


def faults(run: Meddler, before: frozenset[str]) -> Iterator[str]:
    """What is wrong when the case has gone on: the answer came to nothing, or the position is none."""
    g, table = run.game, run.table
    key, number = run.wanted
    if key and not run.no_die and run.rejection is None and sum(event.key == key for event in g.events) == number:
        yield f"the answer was given, and {key} was never told"
    question = table.question if table is not None else None
    own = question is not None and question.kind in OWN and table is not None and len(table.stack) == 1
    over = own and g.activation is None
    yield from (one for one in invariants.broken(g, settled=over) if one not in before and not UNCOUNTED.fullmatch(one))


def all_tried(cases: Iterable[Case], most: int) -> list[Tried]:
    """Every sort of thing on every kind of question that these cases come to, so many of each at most."""
    found: list[Tried] = []
    seen: Counter[tuple[str, str]] = Counter()
    for case in cases:
        for place, kind in enumerate(questions(case)):
            for sort in SORTS:
                for number in range(most // 2):
                    if seen[sort, kind] >= most or (one := tried(case, place, sort, number)) is None:
                        break
                    found.append(one)
                    seen[sort, kind] += 1
    return found
