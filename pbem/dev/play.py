"""Random play: positions, legal answers, things that come in between, rulings - and nothing may ever break.

`march_game` plays one game and looks at everything after every answer; `play` plays many, in several processes. What is
done is decided by `Choices` and done by a stage; `Bare` is the engine alone. Whoever wants the same game through the
log writes another stage.
"""

import hashlib
import os
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple, Protocol

import pbem.cards  # noqa: F401 - fills the registry of cards
from pbem import editions, invariants, position
from pbem.dev.positions import Given, printed, random_position, seats_of
from pbem.errors import PbemError
from pbem.hidden import Hidden
from pbem.kernel import Question, Table
from pbem.orders import ALL, Order, Pieces
from pbem.rules import sequence, tyche, victory
from pbem.rules.generals import FREE_ACTS
from pbem.rules.war import MODERATOR
from pbem.state import INDEPENDENT, OFF, Game, space_of

MOST_STEPS = 120                    # of a game
MOST_ORDERS = 90                    # of one segment, before only its end is tried
MOST_QUESTIONS = 60                 # in a row that are not the player's own
SURPRISES = ("57", "58")
OWN = ("surrender", "tyche", "activation", "forage")
NO_PROCEDURE = frozenset(("roll", "activate", "force_march", "play", "discard"))
LOOSE = frozenset(("place_minor", "remove_minor", "disband", "split", "drop", "pick_up"))


# --- chance and cards --------------------------------------------------------------------------------------------


class Dice:
    """Dice that follow from a seed and their name; what was given is kept in `made`."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.made: list[tuple[str, Any]] = []

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        text = ",".join(name)
        rng = Random(f"{self.seed}|{text}")
        values = [rng.randint(1, sides) for _ in range(count)]
        self.made.append((text, values))
        return values

    def reading(self, name: tuple[str, ...]) -> str | None:
        return None

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        root = hashlib.sha256(f"{self.seed}|{name}|{cards}".encode()).hexdigest()
        self.made.append((name, root))
        return root


class Again:
    """The same dice once more: each has to be asked for under its name, and none may be left."""

    def __init__(self, made: Iterable[tuple[str, Any]]) -> None:
        self.waiting = list(made)[::-1]

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        values: list[int] = self.next(",".join(name))
        return values

    def reading(self, name: tuple[str, ...]) -> str | None:
        return None

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        return str(self.next(name))

    def next(self, name: str) -> Any:
        found, value = self.waiting.pop() if self.waiting else ("nothing", None)
        if found != name:
            raise LookupError(f"{name} was drawn, recorded is {found}")
        return value


class Hands(Hidden):
    """Hidden cards for a game without secrets: decks are shuffled from a seed, the first hands hold surprises."""

    def __init__(self, given: Given, seed: str) -> None:
        self.seed = seed
        rng = Random(f"{seed}|hands")
        known = {*given["discards"], *given["out"]}
        deck = [card for card in given["deck"]["cards"] if card not in known and card not in SURPRISES]
        rng.shuffle(deck)
        first = [card for card in SURPRISES if card not in known]
        hands: dict[str, list[str]] = {seat: [] for seat in given["hands"]}
        for seat in rng.sample(list(hands), len(hands)):
            for _ in range(given["hands"][seat]):
                hands[seat].append(first.pop() if first and rng.random() < 0.5 else deck.pop())
        super().__init__(None, hands, [*first, *deck])
        self.lay_out(given["face_down"])

    def shuffled(self, name: str, cards: tuple[str, ...]) -> None:
        self.deck = sorted(cards)
        Random(f"{self.seed}|{name}").shuffle(self.deck)
        self.hands, self.face_down = {}, []


# --- a step and what does it -------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One thing that happens: answers to the open question, something in between, or a ruling."""

    kind: str                                   # answer | free | surprise | ruling
    answers: Mapping[str, Any] = {}             # side -> canonical answer
    seat: str = ""                              # whose free act or Surprise card
    order: Order | None = None
    facts: Given = {}
    level: str = ""                             # how far a ruling abandons; empty: the question is only made anew


class Stage(Protocol):
    """Where a game is played: the engine alone, or the engine behind a log."""

    g: Game

    @property
    def question(self) -> Question | None: ...

    def do(self, step: Step) -> None: ...


class Bare:
    """The engine alone. Replayed, every answer is read once more, without the hidden side of the cards."""

    def __init__(self, given: Given, chance: Dice | Again, hands: Hands | None, rules: str = "fourth") -> None:
        facts, board = printed()
        self.g = Game(facts, board, editions.ruleset(rules), seats_of(given))
        self.g.chance, self.g.secret = chance, hands
        position.state(self.g, given)
        self.table = Table(sequence.play(self.g), self.g.next_question)

    @property
    def question(self) -> Question | None:
        return self.table.question

    @property
    def depth(self) -> int:
        return len(self.table.stack)

    def do(self, step: Step) -> None:
        g, table = self.g, self.table
        if step.kind == "answer":
            question = table.question
            assert question is not None
            table.answer({side: same(question.read(side, answer), answer) for side, answer in step.answers.items()})
        elif step.kind == "free":
            assert step.order is not None
            act = FREE_ACTS[step.order.verb]
            table.interrupt(act.do(g, same(act.judge(g, step.seat, step.order), step.order)))
        elif step.kind == "surprise":
            assert step.order is not None
            order = same(tyche.judge_surprise(g, step.seat, step.order), step.order)
            table.interrupt(tyche.surprise(g, step.seat, order))
        else:
            position.state(g, step.facts)
            victory.settle(g)
            if step.level:
                table.abandon(step.level)
            else:
                table.remake()


def same(read: Any, answer: Any) -> Any:
    """A canonical answer is read as itself: the log holds it, and replay reads it again."""
    if read != answer:
        raise AssertionError(f"{answer} is read as {read}")
    return read


# --- choosing ----------------------------------------------------------------------------------------------------


class Choices:
    """Decides what happens next, from a seed: mostly a legal answer, now and then something in between."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.orders = 0                                     # in the present segment
        self.refused: Counter[str] = Counter()
        self.wrong: list[str] = []

    def next_step(self, g: Game, question: Question) -> Step:
        rng = self.rng
        if question.sides == (MODERATOR,):
            return ruled(g, question, rng)
        if g.phase == "strategy" and (chance := rng.random()) < 0.14:
            between = (self.surprise(g) if chance < 0.04 else self.free_act(g, question) if chance < 0.12
                       else some_ruling(g, rng))
            if between is not None:
                return between
        if rng.random() < 0.3:
            self.try_wild_order(g, question)
        return Step("answer", {side: self.answer(g, question, side) for side in question.sides})

    def answer(self, g: Game, question: Question, side: str) -> Any:
        """Own orders hurry a little: the movement roll first, and an end now and then."""
        rng = self.rng
        if question.kind in OWN:
            self.orders += 1
            if self.orders > MOST_ORDERS or rng.random() < 0.06:
                hurry = "end"
            else:
                hurry = rng.choice(("roll", "roll", "roll", "end_activation"))
            answer = question.legal(side, Order(hurry)) if hurry != "end_activation" or rng.random() < 0.2 else None
            if answer is not None:
                return answer
        answer = question.sample(side, rng)
        if question.costs is not None:
            question.costs(side, answer)
        return answer

    def surprise(self, g: Game) -> Step | None:
        """6.2 Anybody with a Surprise card may play it at any time."""
        assert g.secret is not None
        for seat in self.rng.sample(g.turn_order, len(g.turn_order)):
            for card in g.secret.hand(seat):
                known = tyche.REGISTRY.get(g.facts.cards[card]["effect_key"])
                if g.facts.cards[card]["kind"] == "surprise" and known is not None:
                    for order in known.targets(g, seat):
                        try:
                            read = tyche.judge_surprise(g, seat, order.but(card=card))
                        except PbemError as refusal:
                            self.refused[refusal.key] += 1
                        else:
                            return Step("surprise", seat=seat, order=read)
        return None

    def free_act(self, g: Game, question: Question) -> Step | None:
        """7.1 C, 7.2 F Only at the player's own questions."""
        if question.sealed or question.sides != (g.player,):
            return None
        acts = list(FREE_ACTS.values())
        self.rng.shuffle(acts)
        for act in acts:
            candidates = list(act.candidates(g, g.player))
            self.rng.shuffle(candidates)
            for order in candidates:
                try:
                    return Step("free", seat=g.player, order=act.judge(g, g.player, order))
                except PbemError as refusal:
                    self.refused[refusal.key] += 1
        return None

    def try_wild_order(self, g: Game, question: Question) -> None:
        """Something hardly legal: it has to be judged, whatever it is, and a refusal changes nothing."""
        side = self.rng.choice((*question.sides, *g.seats)) if self.rng.random() < 0.1 else self.rng.choice(question.sides)
        order = wild_order(g, self.rng)
        before = position.fingerprint(g) if self.rng.random() < 0.2 else ""
        try:
            question.read(side, (order,) if question.sealed or question.kind == "city_choice" else order)
        except PbemError as refusal:
            self.refused[refusal.key] += 1
        if before and before != position.fingerprint(g):
            self.wrong.append(f"{order} has changed the position without being taken")


def wild_order(g: Game, rng: Random) -> Order:
    """Any order that could be written down, about anything on the board."""
    general = rng.choice([name for name, one in g.generals.items() if g.on_map(one) or rng.random() < 0.1])
    here = space_of(g.generals[general].at)
    near = [space for space, _, _ in g.board.paths(here)] if here in g.board.index else list(g.board.spaces)
    space = rng.choice(near) if rng.random() < 0.7 else rng.choice(g.board.spaces)
    pieces = rng.choice((None, ALL, wild_pieces(g, rng)))
    number, seat = rng.randint(0, 4), rng.choice((*g.seats, INDEPENDENT))
    minor = rng.choice((None, "any", *(name for name, one in g.generals.items() if one.minor)))
    return rng.choice((
        lambda: Order("march", general=general, path=(space,), pieces=pieces, passage=(seat,) if number == 1 else None),
        lambda: Order("march", general=general, path=(space,), leave=wild_pieces(g, rng)),
        lambda: Order("shift", general=general if number else None, to=rng.choice(("inside", "outside")), pieces=pieces),
        lambda: Order("pick_up", pieces=pieces or ALL),
        lambda: Order("drop", pieces=wild_pieces(g, rng), minor=minor),
        lambda: Order("split", location=rng.choice((here, space)), pieces=wild_pieces(g, rng), minor=minor),
        lambda: Order("remove_pc", general=general, space=space),
        lambda: Order("activate", general=general),
        lambda: Order(rng.choice(("roll", "end", "end_activation", "pass", "honour", "break", "withdraw", "stay"))),
        lambda: Order("play", card=rng.choice(list(g.facts.cards)), how=rng.choice(("ops", "event", "bonus", "surprise"))),
        lambda: Order("discard", card=rng.choice(list(g.facts.cards))),
        lambda: Order("force_march", general=general, number=number),
        lambda: Order("intercept", general=general, from_=rng.choice((None, here, space)), pieces=pieces, minor=minor),
        lambda: Order("evade", general=general, path=(space,)),
        lambda: Order("evade", path=(space, rng.choice(g.board.spaces))),
        lambda: Order("lose", pieces=wild_pieces(g, rng)),
        lambda: Order(rng.choice(("sort_inside", "sort_outside")), pieces=pieces or ALL),
    ))()


def wild_pieces(g: Game, rng: Random) -> Pieces:
    generals = rng.sample(list(g.generals), rng.choice((0, 0, 1, 2)))
    royals = rng.sample(list(g.royals), rng.choice((0, 0, 0, 1)))
    kinds = rng.sample(("loyal", "royal", "mercenary", "elephant", "silver"), rng.randint(0, 3))
    return Pieces.of(generals, {kind: rng.randint(1, 3) for kind in kinds}, royals)


# --- rulings -----------------------------------------------------------------------------------------------------


def ruled(g: Game, question: Question, rng: Random) -> Step:
    """What a moderator decides where a rule is not written yet: a phase is over, a fight has a winner."""
    about = question.about
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
    """Are enemies face to face? Who abandons that has to say what becomes of them."""
    return g.activation is not None and len(g.sides_at(g.activation.here)) > 1


def _statuses(g: Game, rng: Random) -> Given:
    return {"champions": {seat: rng.random() < 0.5 for seat in g.seats}, "usurper": rng.choice(("", *g.seats))}


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


# --- one game ----------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """What one game met; `wrong` is empty unless something is."""

    seed: int
    players: int
    steps: int
    kinds: Counter[str]                 # questions by kind
    verbs: Counter[str]                 # orders taken, and what came in between
    refused: Counter[str]               # refusal keys
    events: Counter[str]                # event keys
    wrong: list[str]
    trace: list[str]                    # the last steps, for whoever has to look


class Record(NamedTuple):
    """A game as it was played: enough to play it again."""

    given: Given
    steps: list[Step]
    prints: list[str]                   # the position's fingerprint after each step
    made: list[tuple[str, Any]]


def march_game(seed: int, players: int) -> Result:
    """One game of marches from a random position, looked at after every answer, then played again."""
    rng = Random(f"march {seed} {players}")
    given = random_position(rng, players)
    record = Record(given, [], [], [])
    result = Result(seed, players, 0, Counter(), Counter(), Counter(), Counter(), [], [])
    try:
        live(record, result, rng, f"{seed}")
        if not result.wrong:
            result.wrong.extend(again(record))
    except Exception as fault:                      # whatever it is, it has to be told with its seed
        where = traceback.extract_tb(fault.__traceback__)[-1]
        place_of = f"{os.path.basename(where.filename)}:{where.lineno}"  # noqa: PTH119 - only a name to print
        result.wrong.append(f"{type(fault).__name__} in {place_of}: {fault}")
    result.trace.extend(told(step) for step in record.steps[-6:])
    return result._replace(steps=len(record.steps))


def live(record: Record, result: Result, rng: Random, seed: str) -> None:
    dice = Dice(seed)
    stage = Bare(record.given, dice, Hands(record.given, seed))
    choices = Choices(rng)
    judge = Judge(stage, result)
    judge.look(Step("ruling"))
    segments = rng.randint(1, 3)
    while stage.question is not None and len(record.steps) < MOST_STEPS and not result.wrong:
        segment = (stage.g.turn, stage.g.round, stage.g.player, stage.g.segment)
        try:
            step = choices.next_step(stage.g, stage.question)
        except PbemError as refusal:
            offers = [list(stage.question.offers(side)) for side in stage.question.sides]
            result.wrong.append(f"dead end at {stage.question.kind}: {refusal}; offered are {offers}")
            break
        record.steps.append(step)
        stage.do(step)
        judge.look(step)
        result.wrong.extend(choices.wrong)
        record.prints.append(position.fingerprint(stage.g))
        if segment != (stage.g.turn, stage.g.round, stage.g.player, stage.g.segment):
            choices.orders = 0
            segments -= segment[3] == "activation"
            if not segments:
                break
    result.refused.update(choices.refused)
    record.made.extend(dice.made)


class Judge:
    """Looks at the position after every step and counts what happened."""

    def __init__(self, stage: Bare, result: Result) -> None:
        self.stage = stage
        self.result = result
        self.settled = True                 # nothing was done since a Procedure ended
        self.apart = 0                      # questions since the player's own one

    def look(self, step: Step) -> None:
        g, question, result = self.stage.g, self.stage.question, self.result
        result.events.update(event.key for event in g.events)
        g.events.clear()
        result.verbs.update(verbs(step))
        if question is None:
            result.wrong.append("the procedures are gone without an end of the game")
            return
        result.kinds[question.kind] += 1
        self.settle(step)
        own = question.kind in OWN and self.stage.depth == 1
        self.apart = 0 if own else self.apart + 1
        if self.apart > MOST_QUESTIONS:
            result.wrong.append(f"{self.apart} questions and no end, now {question.kind}")
        result.wrong.extend(invariants.broken(g, settled=own and self.settled))
        if not question.sides or not question.id:
            result.wrong.append(f"a {question.kind} question without {'id' if question.sides else 'sides'}")
        if question.sealed and any(question.legal(side, question.default) is None for side in question.sides):
            result.wrong.append(f"silence is not allowed at {question.kind}")

    def settle(self, step: Step) -> None:
        """Some orders are no Procedure, and leave pieces as no Procedure would."""
        verb = step.order.verb if step.order is not None else next(
            (answer.verb for answer in step.answers.values() if isinstance(answer, Order)), "")
        if verb in LOOSE or step.kind == "ruling" and not step.level:
            self.settled = not step.facts and verb not in LOOSE
        elif verb not in NO_PROCEDURE:
            self.settled = True


def verbs(step: Step) -> Iterator[str]:
    if step.kind == "ruling":
        yield f"ruling: {step.level or 'facts'}"
    elif step.order is not None:
        yield f"{step.kind}: {step.order.verb}"
    for answer in step.answers.values():
        for order in answer if isinstance(answer, tuple) else (answer,):
            yield order.verb


def told(step: Step) -> str:
    """A step in one line."""
    if step.kind == "ruling":
        return f"ruling {step.facts} abandon {step.level or 'nothing'}"
    if step.order is not None:
        return f"{step.kind} of {step.seat}: {step.order}"
    return "; ".join(f"{side}: {answer}" for side, answer in step.answers.items())


def again(record: Record) -> Iterator[str]:
    """The same answers and dice from the same position, without the hidden cards: the same game after every step."""
    chance = Again(record.made)
    stage = Bare(record.given, chance, None)
    for number, (step, wanted) in enumerate(zip(record.steps, record.prints, strict=True)):
        stage.do(step)
        if position.fingerprint(stage.g) != wanted:
            yield f"played again, step {number} ({told(step)}) gives another position"
            return
    if chance.waiting:
        yield f"played again, {len(chance.waiting)} dice are left"


# --- many games --------------------------------------------------------------------------------------------------


class Summary(NamedTuple):
    """What many games met."""

    games: int
    steps: int
    kinds: Counter[str]
    verbs: Counter[str]
    refused: Counter[str]
    events: Counter[str]
    wrong: list[Result]

    def __str__(self) -> str:
        lines = [f"{self.games} games, {self.steps} steps, {len(self.wrong)} of them wrong"]
        for title, counts in (("questions", self.kinds), ("orders", self.verbs), ("refusals", self.refused),
                              ("events", self.events)):
            lines.append(f"{title:10}" + ", ".join(f"{name} {number}" for name, number in counts.most_common()))
        for result in self.wrong[:20]:
            lines.append(f"march_game({result.seed}, {result.players}): {'; '.join(result.wrong)}")
            lines += [f"    {line}" for line in result.trace]
        return "\n".join(lines)


def one_game(task: tuple[int, int]) -> Result:
    """For other processes: a function that can be found by name."""
    return march_game(*task)


def play(games: int, seed: int = 0, players: int | None = None, *, jobs: int | None = None,
         progress: Callable[[int, int], None] | None = None) -> Summary:
    """Play many games, each with its own seed, in as many processes as there are cores."""
    tasks = [(seed + number, players or 2 + number % 4) for number in range(games)]
    total = Summary(0, 0, Counter(), Counter(), Counter(), Counter(), [])
    for result in results(tasks, jobs or os.cpu_count() or 1):
        for mine, its in zip(total[2:6], (result.kinds, result.verbs, result.refused, result.events), strict=True):
            mine.update(its)
        total = total._replace(games=total.games + 1, steps=total.steps + result.steps,
                               wrong=[*total.wrong, result] if result.wrong else total.wrong)
        if progress is not None:
            progress(total.games, games)
    return total


def results(tasks: list[tuple[int, int]], jobs: int) -> Iterator[Result]:
    if jobs == 1 or len(tasks) < 40:
        yield from map(one_game, tasks)
        return
    from multiprocessing import get_context

    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(one_game, tasks, chunksize=10)


def prove_march(games: int = 5000, seed: int = 0) -> Summary:
    """The full count, with a line of progress now and then."""
    from time import perf_counter

    began = perf_counter()

    def progress(done: int, of: int) -> None:
        if done % 250 == 0 or done == of:
            print(f"  march games {done} of {of}, {done / (perf_counter() - began):.0f} a second", flush=True)

    summary = play(games, seed, progress=progress)
    print(summary)
    return summary


if __name__ == "__main__":
    import sys

    prove_march(*(int(word) for word in sys.argv[1:3]))
