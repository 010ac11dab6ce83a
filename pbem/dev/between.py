"""What may come on top of an open question, tried systematically: every free act, card, ruling, undo and amend on every kind.

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

from pbem import editions
from pbem.base.errors import NotNow, PbemError, Refused
from pbem.dev import say
from pbem.dev.given import BLANK, Case, NoDie, NotBuilt, NotKnown, Stage
from pbem.dev.steps import NotWritten
from pbem.dev.when import OWN, Driver, Stop
from pbem.editions import options, third
from pbem.kernel.procedures import Question
from pbem.orders import Order
from pbem.play import invariants
from pbem.play.match import HANDLERS
from pbem.rules import company, effects, surprise, victory
from pbem.rules.generals import FREE_ACTS
from pbem.table import position
from pbem.table.state import INDEPENDENT, Game, General, Unit, is_inside, space_of

# What becomes of a free act of the player whose turn it is while a question of a kind is open.
MAY = "it is done, if the question is his own or the moderator's"
WAITS = "it waits until others have answered"
NEVER = "it is nobody's Player Turn"
FREE = {
    **dict.fromkeys("""
        withdrawal passage_honoured losses join_battle elephant_reroll replacement city_choice escape unrest
        reinforcement_choice independent_move surrender tyche activation forage ruling card_ruling ruling_choice deployment
    """.split(), MAY),
    **dict.fromkeys("""
        interception route counterstroke evasion free_passage naval_battle surprise battle_cards naval_cards death_cards
        defeat_cards truce reaction_card
    """.split(), WAITS),
    **dict.fromkeys("burial first_player give_back seating revealed turn_up".split(), NEVER),
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
NOWHERE = ("elephant_reroll", "ruling", "card_ruling", "ruling_choice")         # nor in cases
REFUSED = {MAY: {""}, WAITS: {"others_are_asked"}, NEVER: {"others_are_asked", "own_turn_only", "player_turns_over"}}
# Free acts that nobody can do in random play, and why.
OFF = {"use_ability": "abilities are off until somebody has confirmed them from their cards"}
COUNTERSTROKE = "23.2"                  # the option that brings this question
# Not in the Strategy Phase: no Surprise card (6.2), and random rulings are made in it alone.
PHASES = ("burial", "first_player", "give_back", "seating", "deployment")
# Asked of the player whose turn it is only where Independents, whom he moves, come upon him (9.5): these have cases.
BY_INDEPENDENTS = ("city_choice", "escape")


def pairs(edition: str = "") -> list[str]:
    """What comes in between, and every kind of question that it can come upon in random play: in all editions, or in one."""
    kinds = [kind for kind in FREE if kind not in CANNOT]
    own = [kind for kind in kinds if FREE[kind] == MAY and kind not in (*BY_INDEPENDENTS, *PHASES)]
    found = [*((verb, kind) for kind in own for verb in FREE_ACTS if verb not in OFF),
             *((what, kind) for kind in kinds if kind not in PHASES for what in ("surprise", "ruling")),
             *((what, kind) for kind in kinds for what in ("undo", "amend"))]
    return [f"{what} upon {kind}" for what, kind in found if not edition or is_known(what, kind, editions.ruleset(edition))]


def is_known(what: str, kind: str, rules: editions.Ruleset) -> bool:
    """Is there such an act and such a question in this book, with all that its options bring?"""
    return not (what == "command" and not rules.ranks or kind == "passage_honoured" and not rules.mover_breaks_passage
                or kind == "counterstroke" and COUNTERSTROKE not in options.offered(rules))


def argued(sort: str, kind: str) -> str:
    """Why one thing cannot come upon another, in no case either; empty where it can."""
    if kind in NOWHERE:
        return CANNOT[kind]
    if sort == "use_ability" and FREE[kind] == MAY:
        return OFF[sort]
    if sort == "surprise" and kind in PHASES and kind != "deployment":
        return "no Surprise card is played outside of the Strategy Phase (6.2)"
    if sort == "ruling" and kind in ("give_back", "seating"):
        return "it is asked about cards and seats: no piece has gone that it could be about"
    if (sort, kind) == ("command", "passage_honoured"):
        return "the 3rd edition, where one says who commands, asks nobody whether he honours a passage"
    if (sort, kind) == ("command", "deployment"):
        return "in one's own turn it is asked of the draft's recruits, and the draft asks nobody who commands"
    return ""


UNCOUNTED = re.compile(r"\d+ cards of \d+|.* has L and VP .*")         # a case has no whole deck, and pads its totals


class Tried(NamedTuple):
    """One thing that came between, or could not."""

    case: str
    kind: str
    what: str                   # the verb of a free act, `play`, or what a ruling did
    key: str                    # of the refusal, empty where it was done
    wrong: tuple[str, ...]


def as_told(sort: str, one: Tried) -> bool:
    """Did it come, or was it refused as the table of free acts says?"""
    becomes = FREE[one.kind] if sort in FREE_ACTS else MAY
    return not one.wrong and one.key in REFUSED[becomes]


class Meddler(Driver):
    """Runs a case; at its `place`-th question the `number`-th thing of a sort comes between; without a sort it stops there."""

    def __init__(self, case: Case, place: int, sort: str, number: int) -> None:
        super().__init__(Stage(case))
        self.case = case
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
            if not self.sort:
                raise Stop
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


def free_acts(verb: str, run: Meddler, question: Question) -> Iterator[Thing]:
    """7.1 A, 7.1 C, 7.2 F All that can be thought of, judged as the desk judges it."""
    g = run.game
    if FREE[question.kind] == MAY:
        make_ready(run, verb)
    found = list(islice(FREE_ACTS[verb].candidates(g, g.player), 12))
    for order in found or [SAID[verb](g)]:
        yield verb, partial(on_top, run, g.player, order)


# Where there is nothing to do it with it is said all the same: whoever has to wait hears that he has to.
SAID: Mapping[str, Callable[[Game], Order]] = {
    "place_minor": lambda g: Order("place_minor", minor="any", at=g.board.spaces[0]),
    "remove_minor": lambda g: Order("remove_minor", minor="any"),
    "disband": lambda g: Order("disband", location=g.board.spaces[0], number=1),
    "command": lambda g: Order("command", general=next(iter(g.generals))),
    "use_ability": lambda g: Order("use_ability", general=next(iter(g.generals))),
}


def make_ready(run: Meddler, verb: str) -> None:
    """What the act is done with comes to a CU of the player's, as a card is dealt to whom it is tried with."""
    g, table = run.game, run.table
    at = next(iter(g.locations_with_cus(g.player)), "")
    assert table is not None
    if not at or next(FREE_ACTS[verb].candidates(g, g.player), None) is not None and verb != "command":
        return
    if verb == "disband":
        g.add(at, g.player, {Unit("royal"): 1})
    elif verb == "remove_minor" and (free := g.minors_off_map(g.player)):
        free[0].at = at
    elif verb == "command" and g.rules.ranks:
        at = next((one.at for one in g.generals_of(g.player) if g.on_map(one) and not one.minor), at)
        lead = g.commander(at, g.player)
        for other in [one for one in g.generals.values() if lead is not None and are_equal(g, one, lead)][:1]:
            other.seat, other.at = g.player, at
    table.remake()


def are_equal(g: Game, one: General, lead: General) -> bool:
    """7.1 A A Major General off the map who has as many stars."""
    return not (one.minor or lead.minor or g.on_map(one) or one.name in g.facts.independents) and (
        g.stars(one.name) == g.stars(lead.name))


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
    at = str(about.get("at") or about.get("space") or (g.activation.here if g.activation is not None else "")
             or next(iter(g.locations_with_cus(g.player)), ""))
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


def amendments(run: Meddler, question: Question) -> Iterator[Thing]:
    """What the box says of a General is something else than was thought. It brings the box's own cards back: where a case has
    blank ones none comes."""
    if any(card.get("effect_key") == BLANK for card in run.game.facts.cards.values()):
        return
    one = next(iter(run.game.facts.generals))
    yield "amend", partial(amend, run, {"amend": f"generals.{one}.battle", "value": 2})


def amend(run: Meddler, entry: Mapping[str, Any]) -> None:
    assert run.table is not None
    HANDLERS["amend"](say.bench(run.stage, run.table).match, entry)


def undoings(run: Meddler, question: Question) -> Iterator[Thing]:
    """Where an entry is taken back all that stands is folded anew."""
    yield "undo", partial(fold_anew, run, question)


def fold_anew(run: Meddler, question: Question) -> None:
    """The case once more, up to here: the same is asked, of the same sides, in the same position."""
    other = Meddler(run.case, run.place, "", 0)
    other.run()
    again = other.table.question if other.table is not None else None
    assert again is not None, "folded anew nothing is asked"
    assert (again.id, again.kind, again.sides) == (question.id, question.kind, question.sides), f"then {again.kind} is asked"
    assert position.fingerprint(other.game) == position.fingerprint(run.game), "folded anew it is another position"


def rule(run: Meddler, facts: Mapping[str, Any]) -> None:
    """As a ruling entry does it."""
    g, table = run.game, run.table
    assert table is not None
    company.stated(g, facts)
    table.interrupt(victory.settling(g))
    table.remake()


SORTS: dict[str, Callable[[Meddler, Question], Iterator[Thing]]] = {
    **{verb: partial(free_acts, verb) for verb in FREE_ACTS},
    "surprise": cards, "ruling": rulings, "undo": undoings, "amend": amendments,
}


def in_third(case: Case) -> Case:
    """7.1 A Who commands among equals is said in the 3rd edition alone."""
    return {**case, "given": {"edition": third.RULES.name, **case["given"]}}


# --- trying --------------------------------------------------------------------------------------------------------


def questions(case: Case) -> list[str]:
    """The kinds of questions that a case comes to, in their order."""
    run = tried_run(case, 10_000, "undo", 0)
    return [kind for _, kind in run.met] if run is not None else []


def tried_run(case: Case, place: int, sort: str, number: int) -> Meddler | None:
    """The case as far as it goes; None where the driver cannot set it up."""
    try:
        run = Meddler(case, place, sort, number)
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
