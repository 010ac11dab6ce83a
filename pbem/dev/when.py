"""A case's `when`: its steps given to the real engine, as orders, answers and dice."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from unittest.mock import patch

from pbem.base.errors import NotNow, Refused
from pbem.dev import say
from pbem.dev.given import Case, NoDie, NotKnown, Stage
from pbem.dev.steps import ORDERS, PARAMETERS, WINDOWS, NotWritten, company, judge_parameters, pieces, play_card, reinforce
from pbem.kernel.procedures import Procedure, Question, Table
from pbem.orders import PASS, VERBS, Order, Pieces
from pbem.play.match import CARD_WINDOWS, takes_several
from pbem.rules import (
    battle_score,
    independents,
    land_movement,
    marching,
    naval_battle,
    ownership,
    sequence,
    siege,
    surprise,
    tyche,
)
from pbem.rules.acts import not_in_this_segment
from pbem.rules.company import stated
from pbem.rules.generals import FREE_ACTS
from pbem.table.state import PHASES, SEGMENTS, SETUP, Game, is_inside, space_of

TUPLES = frozenset({"interception", "evasion", "free_passage", "city_choice", "battle_cards"})
IN_PHASES = ("first_player", "deployment", "give_back", "reinforcement_choice", "burial", "revealed")
OWN = (*SEGMENTS, "independent_move", "unrest", *IN_PHASES)
NOTHING = frozenset({"none", "pass", "stay", "withhold"})
UNWRITTEN = frozenset({"not_written", "event_not_written", "ruling_needed"})
WRITTEN = frozenset({*marching.ACTS, *tyche.PLAYS, *tyche.SPENDINGS, *FREE_ACTS, "end", "independent_move"})


# The steps and the function where windows are due; who honours passage is asked where passage is.
WHERE = frozenset({*land_movement.STEPS, "naval_battle"})
DUE = {"passage_honoured": "free_passage"}


class NextNotWritten(NotWritten):
    """What the case wanted has been done; only what would come next is not written."""


class Stop(Exception):
    """The case has ended before its last step: an order or answer was rejected."""


class Rejection(NamedTuple):
    step: int
    rule: str
    key: str
    facts: Mapping[str, Any]
    told: str


class Window(NamedTuple):
    """A question that was put to a side, and whether the case answers it."""

    kind: str
    side: str
    answered: bool


def is_nothing(question: Question, said: Any) -> bool:
    """`none`, `pass`, `stay` and `withhold` decline what is asked; but who may withdraw stays by an answer."""
    return isinstance(said, str) and said in NOTHING and question.kind != "withdrawal"


def is_about(question: Question, said: Any) -> bool:
    """Losses may be meant for one place among several."""
    place = said.get("at") if question.kind == "losses" and isinstance(said, dict) else None
    return place is None or space_of(place) == space_of(question.about["at"])


def at_the_same_time(g: Game, plays: Mapping[str, Order]) -> Procedure[None]:
    """6.2 Of several who say at once that they play a card the earlier in Turn Order goes first, as the mailbox has it
    (`mail/way.py:next_of`); who is too late keeps his."""
    for seat in [side for side in g.turn_order if side in plays]:
        try:
            order = surprise.judge(g, seat, plays[seat])
        except Refused:
            continue
        yield from surprise.play(g, seat, order)


def garrisons_lost(g: Game) -> Procedure[None]:
    """9.4 In a position that is stated every city may have changed hands around somebody's pieces."""
    for space in g.board.major_cities:
        for side in g.seats:
            if side != g.controller(space):
                yield from siege.garrison_lost(g, space, side, g.controller(space))


class Driver:
    """Runs one case. What happened is left in its attributes, for the comparison with `then`."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.game = stage.game
        self.steps = stage.when
        self.table: Table | None = None
        self.block = range(0)                                       # answers and dice of the order in hand
        self.onward = False                                         # the mover's path goes on after this step
        self.used: set[int] = set()                                 # orders that were given
        self.answered: set[tuple[int, str]] = set()                 # answers that were wanted
        self.seen: set[str] = set()                                 # questions by id: some are put anew
        self.played: set[str] = set()                               # and those in which a card of the steps was played
        self.begun = False                                          # an order was given in the segment of the case
        # what came of it
        self.asked: dict[str, Mapping[str, Any]] = {}               # kind -> what the last question of it was about
        self.options: dict[str, set[str]] = {}                      # and what it offered, as far as `then` looks at it
        self.windows: list[Window] = []
        self.rejection: Rejection | None = None
        self.reached: set[str] = set()                              # where windows are due
        self.not_written = ""                                       # the rule that is missing
        self.stands = False                                         # and it is missing only after the last step
        self.no_die = ""

    # --- the run --------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """All steps, until one is rejected, a die is missing, or a rule is met that the engine does not have."""
        stated = self.stage.given.get("tokens", {}).get("battle_strength", {})
        counted, steps = battle_score.strength, list(land_movement.STEPS.items())
        try:
            with (patch.object(battle_score, "strength", lambda g, battle, side: stated.get(side, counted(g, battle, side))),
                  patch.dict(land_movement.STEPS, {name: self._noted(name, step) for name, step in steps}),
                  patch("pbem.rules.naval.naval_battles", self._noted("naval_battle", naval_battle.naval_battles))):
                self._run()
        except NotWritten as beyond:
            self.not_written, self.stands = str(beyond), isinstance(beyond, NextNotWritten)
        except NoDie as missing:
            self.no_die = str(missing)
        except Stop:
            pass

    def _noted(self, name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def reached(*args: Any) -> Any:
            self.reached.add(name)
            return step(*args)

        return reached

    def _run(self) -> None:
        if not self.steps and self.game.phase not in ("strategy", "setup"):
            return
        self._take_block(-1)
        self._try(0, self._begin)
        acts = {"do": self._order, "go": self._go, "say": self._say}
        for index, step in enumerate(self.steps):
            if self.game.over:                                      # 3.1 later orders are void
                self.used.update(range(index, len(self.steps)))
            act = next((act for word, act in acts.items() if word in step), None)
            if index not in self.used and act is not None and "upon" not in step:
                self._take_block(index)
                self.used.add(index)
                self._try(index, act, step)

    def _try(self, index: int, act: Callable[..., None], *args: Any) -> None:
        try:
            act(*args)
        except (Refused, NotNow) as problem:
            self._reject(index, problem)

    def _reject(self, index: int, problem: Refused | NotNow) -> None:
        """Remember what was rejected and by which rule; out of turn it is the sequence of play itself."""
        out_of_turn = "6" if self.game.phase == "strategy" else "5"
        rule = problem.rule if isinstance(problem, Refused) else str(problem.facts.get("rule") or out_of_turn)
        if problem.key in UNWRITTEN:
            raise NotWritten(rule) from problem
        self.rejection = Rejection(index, rule, problem.key, problem.facts, str(problem))
        raise Stop from problem

    def _begin(self) -> None:
        self.table = Table(sequence.play(self.game), self.game.next_question)
        if any(name in self.game.facts.independents for name in self.stage.given.get("mp", {})):
            by = next((step["by"] for step in self.steps if step.get("do") == "independent_move"), self.game.player)
            self.table.interrupt(independents.move_all(self.game, by, ""))                      # a card has allowed it
        self._advance()

    # --- the steps of one order -----------------------------------------------------------------------------------

    def _take_block(self, index: int) -> None:
        """The answers and dice that belong to the order at `index`: up to the player's next own order."""
        end = index + 1
        while end < len(self.steps) and (end in self.used or self._is_reaction(self.steps[end])):
            end += 1
        self.block = range(index + 1, end)
        self.stage.dice.rolls = list(self._in_block("roll"))

    def _is_reaction(self, step: Case) -> bool:
        if "do" not in step:
            return "go" not in step
        if "upon" in step:
            return True
        return (step["do"] == "ask_passage" or step.get("as") == "surprise"
                or step["by"] != self.game.player and step["do"] in ("move", "reinforce"))

    def _in_block(self, key: str, value: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
        """What is left of the steps in hand; those `upon` a question wait for it."""
        for index in self.block:
            step = self.steps[index]
            if index not in self.used and key in step and value in (None, step[key]) and (key == "upon" or "upon" not in step):
                yield index, step

    def _wanted(self, question: Question, side: str) -> tuple[int, Any] | None:
        """The case's answer of a side to a question of this kind, if there is one left."""
        for index, step in self._in_block("window", question.kind):
            if side in step["answers"] and (index, side) not in self.answered and is_about(
                    question, step["answers"][side]):
                return index, step["answers"][side]
        return None

    # --- questions ------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Answer what is asked, as the case says or with nothing, until the player is asked for his next order."""
        table = self.table
        assert table is not None
        while (question := table.question) is not None:
            self._note(question)
            if self._on_top(question):
                continue
            if question.kind == "ruling":
                raise NextNotWritten(question.rule)
            if question.kind in OWN and not self._is_foreseen(question):
                if self._cards_at_the_same_time():
                    continue
                return
            if question.kind == "turn_up" and self._said(question.sides[0]) is None:
                table.answer(dict.fromkeys(question.sides, question.default))
            elif not self._card_out_of_turn() and not self._card_on_top(question):
                table.answer({side: self._answer(side, question) for side in question.sides})

    def _is_foreseen(self, question: Question) -> bool:
        """Do the steps in hand say already what somebody else will place, or give back?"""
        if question.kind == "give_back":
            return all(self._gives_back(side) or self._said(side) is not None for side in question.sides)
        return question.kind == "reinforcement_choice" and (self._wanted(question, question.sides[0]) is not None or any(
            step["by"] == question.sides[0] for _, step in self._in_block("do", "reinforce")))

    def _note(self, question: Question) -> None:
        if question.id not in self.seen and question.kind not in SEGMENTS:
            self.windows += [Window(question.kind, side, self._wanted(question, side) is not None)
                             for side in question.sides]
        self.seen.add(question.id)
        if any(question.kind in item.get("asks", ()) for item in self.stage.then):
            self.asked[question.kind] = question.about
        if any(question.kind in item.get(word, ()) for item in self.stage.then for word in ("options", "all_options")):
            assert self.table is not None
            match = say.bench(self.stage, self.table).match
            self.options[question.kind] = {match.say(one) for side in question.sides for one in question.offers(side)}

    def _on_top(self, question: Question) -> bool:
        """A free act, or a card out of turn, that the case wants on top of this question, before it is answered."""
        for index, step in self._in_block("upon", question.kind):
            self.used.add(index)
            self._try(index, self._interrupt, step)
            return True
        return False

    def _interrupt(self, step: Case) -> None:
        """Judged as the desk judges what comes between: may this seat do that while this question is open? Rulings may."""
        assert self.table is not None
        if "abandon" in step:
            self.table.abandon(step["abandon"])
            return
        if "facts" in step:
            stated(self.game, step["facts"])
            self.table.remake()
            return
        if "say" in step:
            desk = say.bench(self.stage, self.table)
            said = say.line(desk, step["by"], step["say"])
            for order in said.orders:
                say.obey(desk, step["by"], order, said)
            return
        judge_parameters(step)
        for order in ORDERS[step["do"]](self.stage, step):
            match = say.bench(self.stage, self.table).match
            how, read = match.read(step["by"], order)
            if how != "interrupt":
                raise NotKnown(f"{step['do']} on top of a question")
            self.table.interrupt(match.on_top(step["by"], read))

    def _cards_at_the_same_time(self) -> bool:
        """A window of Surprise cards that several players want to play at this moment."""
        for index, step in self._in_block("window", "surprise"):
            assert self.table is not None
            plays = {side: Order("play", card=self.stage.hands.card(side, card), how="surprise")
                     for side, card in step["answers"].items() if card not in NOTHING}
            self.used.add(index)
            self.answered |= {(index, side) for side in step["answers"]}
            self.table.interrupt(at_the_same_time(self.game, plays))
            return True
        return False

    def _card_out_of_turn(self) -> bool:
        """A Surprise card among the steps is played as soon as the moment is right for it."""
        for index, step in self._in_block("do", "play_card"):
            judge_parameters(step)
            order = next(play_card(self.stage, step))
            try:
                order = surprise.judge(self.game, step["by"], order)
            except Refused as problem:
                if problem.key in UNWRITTEN:
                    raise
                return False
            self.used.add(index)
            assert self.table is not None
            self.table.interrupt(surprise.play(self.game, step["by"], order))
            return True
        return False

    def _said(self, side: str) -> tuple[int, str] | None:
        """The next line of a side in its own words."""
        return next(((index, step["say"]) for index, step in self._in_block("say") if step["by"] == side), None)

    def _card_on_top(self, question: Question) -> bool:
        """A card that a side says it plays although it is not asked."""
        index, step = next(self._in_block("say"), (-1, {}))
        before = [(place, side) for place, one in self._in_block("window") for side in one["answers"] if place < index]
        if step and step["by"] not in question.sides and step["say"].startswith("play ") and self.answered.issuperset(before):
            self.used.add(index)
            self._try(index, self._say, step)
            return True
        return False

    def _answer(self, side: str, question: Question) -> Any:
        said, wanted = self._said(side), self._wanted(question, side)
        by_order = question.kind == "give_back" and self._gives_back(side)
        if said is not None and not by_order and (wanted is None or said[0] < wanted[0]):
            self.used.add(said[0])
            return self._in_his_words(*said, side, question)
        if question.kind == "escape":
            index, answer = self._escape(side, question)
        elif question.kind == "reinforcement_choice":
            index, answer = self._placed(side, question)
        elif question.kind == "give_back":
            index, answer = self._given_back(side)
        elif question.kind == "reaction_card" and self.stage.hands.paying.get(side):
            index, answer = -1, Order("discard", card=self.stage.hands.paying[side].pop(0))
        elif question.kind in CARD_WINDOWS and (played := self._played(side, question)) is not None:
            index, answer = played
        elif wanted is not None:
            index, told = wanted
            self.answered.add((index, side))
            if question.kind not in WINDOWS and told != "silence":
                raise NotKnown(f"window {question.kind}")
            if told == "silence":
                answer = question.silence(side)
            else:
                answer = self._nothing(question) if is_nothing(question, told) else WINDOWS[question.kind](
                    self.stage, side, question, told)
        else:
            index, answer = -1, self._nothing(question)
        try:
            read = question.read(side, answer)
            self._taken_by_the_desk(side, question, read)
            return read
        except (Refused, NotNow) as problem:
            self._reject(index, problem)

    def _taken_by_the_desk(self, side: str, question: Question, answer: Any) -> None:
        """What a question takes may not be something else to the desk, that it refuses: a free act out of turn (7.1 C)."""
        assert self.table is not None
        if not takes_several(question) and side in self.game.seats:
            say.bench(self.stage, self.table).match.read(side, answer)

    def _in_his_words(self, index: int, text: str, side: str, question: Question) -> Any:
        assert self.table is not None
        try:
            return say.answer(say.bench(self.stage, self.table), side, question, text)
        except (Refused, NotNow) as problem:
            self._reject(index, problem)

    def _escape(self, side: str, question: Question) -> tuple[int, Any]:
        """12.2 A The evader's own `move` says where he goes."""
        for index, step in self._in_block("do", "move"):
            if step["by"] == side:
                judge_parameters(step)
                self.used.add(index)
                named = pieces(self.stage, step, side) if "cus" in step else None
                return index, Order("evade", path=tuple(step["path"][1:]), pieces=named)
        return -1, question.default

    def _placed(self, side: str, question: Question) -> tuple[int, Any]:
        """7.1 B Where a General goes whom the rules give in another's turn."""
        if (wanted := self._wanted(question, side)) is not None:
            index, said = wanted
            self.answered.add((index, side))
            generals = question.about["generals"]
            return index, next(reinforce(self.stage, {"by": side, "generals": generals, **(
                said if isinstance(said, dict) else {"at": said})}))
        for index, step in self._in_block("do", "reinforce"):
            if step["by"] == side:
                self.used.add(index)
                return index, next(reinforce(self.stage, step))
        return -1, question.default

    def _played(self, side: str, question: Question) -> tuple[int, Any] | None:
        """A card of this side among the steps that is what the window asks for; the next one waits for the next window."""
        for index, step in self._in_block("do", "play_card"):
            if step["by"] == side and step["as"] == "surprise" and question.id not in self.played:
                answer = (next(play_card(self.stage, step)),)
                if question.legal(side, answer) is not None:
                    self.used.add(index)
                    self.played.add(question.id)
                    return index, answer
        return None

    def _gives_back(self, side: str) -> bool:
        return any(step.get("do") == "choose_generals" and step["by"] == side for step in self.steps)

    def _given_back(self, side: str) -> tuple[int, Any]:
        """4.4 Which General a player gives back, and how the case deals them again."""
        steps = list(enumerate(self.steps))
        given = {step["by"]: (index, step["discard"]) for index, step in steps if step.get("do") == "choose_generals"}
        deals = [(index, step) for index, step in steps if step.get("do") == "deal"]
        self.used.update(index for index, _ in given.values())
        for index, step in deals:
            self.used.add(index)
            self.stage.dice.arrange("redeal", [given[seat][1] for seat in self.game.seats],
                                    [step["to"][seat] for seat in self.game.seats])
        return given[side][0], (Order("give_back", general=given[side][1]),)

    def _nothing(self, question: Question) -> Any:
        """What it means that a window is not mentioned, or answered with nothing."""
        if question.kind == "losses":
            raise NoDie("losses that leave a choice")
        if question.kind == "withdrawal":
            return Order("stay")
        if question.kind in ("replacement", "join_battle"):
            return Order("pass")
        if question.kind == "passage_honoured":
            return Order("honour" if self.onward else "break")
        return PASS if question.kind in TUPLES else question.default

    # --- orders ---------------------------------------------------------------------------------------------------

    def _order(self, step: Case) -> None:
        if step["do"] not in PARAMETERS:
            raise NotWritten(f"the order {step['do']}")
        judge_parameters(step)
        if step["do"] == "move":
            self._move(step)
            return
        if step["do"] not in ORDERS:
            raise NotKnown(f"{step['do']} where nobody moves")
        asked = tuple(self._asked_passage())
        for order in ORDERS[step["do"]](self.stage, step):
            order = order.but(passage=asked) if asked and order.verb == "disembark" else order
            if not self._is_passed(step["by"], order):
                self._submit(step["by"], order)

    def _say(self, step: Case) -> None:
        """A line in the player's own words, where no window has taken it for its answer."""
        assert self.table is not None
        self.begun = True
        desk = say.bench(self.stage, self.table)
        line = say.line(desk, step["by"], step["say"])
        for order in say.orders(desk, step["by"], line):
            say.obey(desk, step["by"], order, line)
            self._advance()

    def _is_passed(self, by: str, order: Order) -> bool:
        """The case stands in a segment that has nothing to ask: it is over at once, and why is what its orders hear."""
        stood = self.stage.given.get("segment")
        here = (self.game.player, self.game.segment) == ((stood or {}).get("player"), (stood or {}).get("kind"))
        question = self.table.question if self.table is not None else None
        own = (*SEGMENTS, "independent_move") if self.game.card == "" and not self.game.step else SEGMENTS
        if self.begun or stood is None or (here and question is not None and question.kind in own):
            self.begun = True
            return False
        if by != stood["player"] or order.verb in FREE_ACTS:
            return False
        acts = sequence.SEGMENT_ACTS[stood["kind"]](self.game)
        if order.verb in acts:
            acts[order.verb].judge(self.game, by, order)
        elif order.verb != "end":
            raise not_in_this_segment(order.verb, stood["kind"], acts)
        return True

    def _submit(self, by: str, order: Order) -> None:
        if order.verb not in VERBS:
            raise NotWritten(f"the order {order.verb}")
        table, g = self.table, self.game
        assert table is not None
        question = table.question
        if order.how == "surprise":
            table.interrupt(surprise.play(g, by, surprise.judge(g, by, order)))
        elif question is None:
            raise NotNow("game_is_over", verb=order.verb)
        elif order.verb in FREE_ACTS:
            table.interrupt(FREE_ACTS[order.verb].do(g, FREE_ACTS[order.verb].judge(g, by, order)))
        elif question.sides != (by,):
            raise NotNow("not_your_question", side=by, asked=question.sides)
        else:
            table.answer({by: self._judged(question, by, order)})
        self._advance()

    def _judged(self, question: Question, by: str, order: Order) -> Order:
        try:
            canonical: Order = question.read(by, order)
        except NotNow as problem:
            if order.verb not in WRITTEN:
                raise NotWritten(f"the order {order.verb}") from problem
            raise
        return canonical

    def _move(self, step: Case) -> None:
        """Step by step along the path, out of the gate first; what is asked at 10 C goes with the last step."""
        by, path = step["by"], step["path"]
        name = self.stage.general(step["general"], path[0], by) if "general" in step else None
        asked = tuple(self._asked_passage())
        after = self.steps[self.block.stop] if self.block.stop < len(self.steps) else {}
        if name and is_inside(self.game.generals[name].at):
            self._submit(by, Order("shift", general=name, to="outside", at=path[0], pieces=company(self.stage, step, name)))
        for number, target in enumerate(path[1:], start=2):
            if number > 2 and name and not self.game.on_map(self.game.generals[name]):
                return
            last = number == len(path)
            self.onward = not last or after.get("do") == "move"
            self._submit(by, Order("march", general=name, path=(target,), pieces=company(self.stage, step, name),
                                   leave=Pieces.of(cus=step["leave"]) if "leave" in step and number == 2 else None,
                                   passage=asked if last and asked else None))

    def _asked_passage(self) -> Iterator[str]:
        for index, step in self._in_block("do", "ask_passage"):
            self.used.add(index)
            yield from [step["of"]] if isinstance(step["of"], str) else step["of"]

    # --- going on -------------------------------------------------------------------------------------------------

    def _go(self, step: Case) -> None:
        """Let the game run to a phase or segment; where the case stands in it already, through it."""
        to, g, table = step["go"], self.game, self.table
        assert table is not None
        if to == "end_of_procedure":
            table.interrupt(garrisons_lost(g))
            self._advance()
            ownership.end_of_procedure(g)
            table.remake()
            return
        if to not in (*SEGMENTS, *PHASES, SETUP, "next_turn"):
            raise NotWritten(f"go {to}")
        while (question := table.question) is not None and not self._has_come(to):
            if question.kind not in SEGMENTS:
                return
            self._submit(question.sides[0], Order("end"))

    def _has_come(self, to: str) -> bool:
        """Is this phase or segment going on, or has it been gone through?"""
        g = self.game
        if g.phase == "strategy" and g.segment == to:
            return True
        if to == "next_turn":
            return any(event.key == "turn_began" for event in g.events)
        begun = {event.facts["phase"] for event in g.events if event.key == "phase_began"}
        return bool(to in begun or to == self.stage.given.get("phase"))

    def _came_by_itself(self, step: Case) -> bool:
        """The phase has been gone through, or the General with one start space has been placed."""
        if "go" in step:
            return self._has_come(step["go"])
        return bool(step["do"] == "place_start" and self.game.generals[step["general"]].at == step["at"])

    def _went_without(self, step: Case, said: Any) -> bool:
        """The answer was nothing, or the Major General named took command without a question (14.8)."""
        taken = {event.facts["general"] for event in self.game.events if event.key == "command_taken"}
        return isinstance(said, str) and (said in NOTHING or step["window"] == "replacement" and said in taken)

    # --- what was left over ---------------------------------------------------------------------------------------

    def left_over(self) -> list[str]:
        """Steps that the run never came to want, as far as that matters."""
        out = []
        for index, step in enumerate(self.steps):
            if "window" in step:
                out += [f"the {step['window']} window never opened for {side}" for side, said in step["answers"].items()
                        if (index, side) not in self.answered and not self._went_without(step, said)]
            elif "roll" in step:
                if index not in self.stage.dice.fallen:
                    out.append(f"the {step['roll']} die of {step['by']} was never rolled")
            elif index not in self.used and ("say" in step or not self._came_by_itself(step)):
                out.append(f"step {index + 1} ({step.get('do') or step.get('say') or 'go'}) was not reached")
        return out
