"""Whole random games, from the set-up to the end, with the decks and dice of a real game.

`Swift` plays in memory, `Kept` at the moderator's desk, in a folder that can be opened afterwards. After every entry
the position is looked at and the totals are counted a second time; at the end the public log alone, as it is read from
a file, has to give the same position. Where positions are looked at less often some of the games are read again.
"""

import hashlib
import pickle
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from pbem import editions
from pbem.base import yamlfile
from pbem.base.errors import Costly, PbemError, Refused
from pbem.base.folder import Lock
from pbem.chance import scheme
from pbem.chance.course import Course
from pbem.chance.draws import Live
from pbem.desk.beginning import COLOURS, SET_UP, header_of, usual_seating
from pbem.desk.desk import Desk
from pbem.desk.opengame import blank, drawn_in, keys_of, taken_in
from pbem.desk.tray import Cards, promised
from pbem.dev import coverage
from pbem.dev.choices import OWN, Chooser
from pbem.dev.passing import Passing
from pbem.dev.play import Judge, Result
from pbem.dev.recount import Recount
from pbem.dev.referees import Referees
from pbem.dev.stages import Shown, Step
from pbem.dev.will import Will
from pbem.editions import options as optional
from pbem.kernel.procedures import Table
from pbem.log import gamelog
from pbem.orders import Order
from pbem.play import invariants, mark
from pbem.play.match import CARD_WINDOWS, QUIET, Match
from pbem.rules import victory
from pbem.table import position
from pbem.table.events import Event
from pbem.table.state import Game

MOST_STEPS = 30_000                     # of a game
CIRCLES = 30                            # the same step so often, and nothing else is legal
LINKS = 40                              # every turn end that is undone costs one
APART = 40                              # entries from one mark to the next: an undo folds so many, a mark takes as long as some
UNDONE_OF = 1000                        # one step in so many is an undo, and ten times as many where others are asked
READ_AGAIN = 11                         # without looks every so many games: no number of seats or way to begin goes with these
NOTED = frozenset(("card_played", "surprise_played", "card_revealed", "tie_broken", "game_won"))
UNDONE = ("by", "close", "ruling")      # entries that a moderator would name
SETTLED = ("first_player", "burial")    # questions of phases that come when nothing is under way


# --- where it happens --------------------------------------------------------------------------------------------


class Scene(Shown, Protocol):
    """A game that can be looked at, and played on."""

    @property
    def match(self) -> Match: ...

    @property
    def entries(self) -> Sequence[Mapping[str, Any]]: ...

    def take(self, step: Step) -> Sequence[Event]:
        """Do it, and hand over what it told."""
        ...

    def undo(self, entry: int) -> None: ...


class Swift:
    """The entries of a game as the desk would write them; no file is touched. Where nobody is going to read them closed
    windows get no hash of the position."""

    def __init__(self, header: dict[str, Any], secrets: scheme.Secrets, start: Mapping[str, Any] = SET_UP,
                 cards: Cards | None = None, *, is_read: bool = True) -> None:
        self.header, self.tray = header, promised(secrets)
        self.tray.cards = cards
        self.keys = keys_of(header, self.tray)
        self.secrets = secrets
        self.is_read = is_read
        self.held = header["rules"].get("windows") == "held"
        self.marks: dict[int, dict[str, Any]] = {}              # by the entry after which each was taken
        self.match, self.course = self.blank(), Course(header)
        self.enter({"position": dict(start)})

    @property
    def g(self) -> Game:
        return self.match.g

    @property
    def table(self) -> Table:
        assert self.match.table is not None
        return self.match.table

    @property
    def entries(self) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self.course.entries
        return found

    def blank(self) -> Match:
        return blank(self.header, (), self.keys, self.tray)

    def enter(self, entry: dict[str, Any]) -> list[Event]:
        """One entry with its dice, and what follows at once: a turn end, windows for which nobody waits."""
        told = self.write(entry)
        if turns := [event.facts["turn"] for event in told if event.key == "turn_began"]:
            ended = turns[-1] - 1
            opened = {"open": {"epoch": ended, "link": self.secrets.link(ended).hex()}} if ended > self.course.spent else {}
            told += self.write({"turn_end": ended, "position": position.written(self.g), **opened})
        self.open_what_is_due()
        return told + self.skipped()

    def open_what_is_due(self) -> None:
        """Nobody will check this game: nothing is opened but links."""

    def skipped(self) -> list[Event]:
        """In a held game no card window waits."""
        question = self.match.question
        if not self.held or question is None or question.kind not in CARD_WINDOWS:
            return []
        return self.enter({"close": question.id, "answers": {}, "skipped": "held"})

    def draws(self) -> Live:
        """Where its dice and decks come from."""
        return Live(self.keys, self.course)

    def write(self, entry: dict[str, Any]) -> list[Event]:
        (taken_in if self.is_read else drawn_in)(self.match, entry, len(self.entries) + 1, self.draws())
        self.course.take_in(entry)
        if len(self.entries) - next(reversed(self.marks), 0) > APART and mark.can_be_taken(self.match):
            self.marks[len(self.entries)] = mark.position(self.match)
        return list(self.match.told)

    def take(self, step: Step) -> list[Event]:
        question, say = self.match.question, self.said
        assert question is not None
        if step.kind == "ruling":
            given = {"facts": step.facts, "abandon": step.level}
            return self.enter({"ruling": "as the moderator sees it", **{key: one for key, one in given.items() if one}})
        if step.kind == "amend":
            return self.enter({"amend": [dict(step.facts)], "reason": "as the box has it"})
        if step.order is not None:
            return self.enter({"by": step.seat, "do": say(step.order)})
        if not question.sealed:
            (side, answer), = step.answers.items()
            return self.enter({"by": side, "do": say(answer)})
        self.enter({"ask": question.id})
        quiet = question.kind in QUIET
        return self.enter({"close": question.id, "answers": {
            side: say(answer) for side, answer in step.answers.items() if not quiet or answer != question.default}})

    def said(self, answer: Any) -> str | tuple[Order, ...]:
        """As the log writes it, which is read again at once; where nobody reads it later either, the orders themselves."""
        if self.is_read:
            return self.match.say(answer)
        return answer if isinstance(answer, tuple) else (answer,)

    def undo(self, entry: int) -> None:
        """Back to the player turn's beginning, and on from there: so in every game marks are entered."""
        self.course.take_in({"undo": entry, "reason": "a slip"})
        self.match, self.marks = self.blank(), {number: one for number, one in self.marks.items() if number < entry}
        last = max(self.marks, default=0)
        if last:
            mark.entered(self.match, self.marks[last])
        self.match.fold(self.entries, [place for place in gamelog.survivors(self.entries) if place >= last], last + 1)
        self.skipped()


class Kept:
    """The same at the moderator's desk: texts come in, files are written. The caller has locked the folder."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        desk.now = datetime(2026, 1, 1, tzinfo=UTC)
        desk.run()

    @property
    def g(self) -> Game:
        return self.desk.match.g

    @property
    def table(self) -> Table:
        assert self.desk.match.table is not None
        return self.desk.match.table

    @property
    def match(self) -> Match:
        return self.desk.match

    @property
    def entries(self) -> Sequence[Mapping[str, Any]]:
        return self.desk.game.entries

    def take(self, step: Step) -> list[Event]:
        seen, desk = len(self.entries), self.desk
        question = desk.match.question
        assert question is not None
        if step.kind == "ruling":
            try:
                desk.ruling("as the moderator sees it", reason="random play", facts=step.facts, abandon=step.level)
            except Refused as refusal:                          # a desk takes no ruling that would break something
                if refusal.key != "ruling_breaks":
                    raise
        elif step.kind == "amend":
            desk.amend([step.facts], "as the box has it", yes=True)
        elif question.kind == "turn_up":
            desk.run()
        elif step.order is not None:
            self.send(step.seat, step.order)
        else:
            for side, answer in step.answers.items():
                self.send(side, answer)
        if question.kind in CARD_WINDOWS and step.kind == "answer":
            desk.close(question.id, by="clock")
        return [event for number, event in desk.match.history if number > seen]

    def send(self, seat: str, answer: Any) -> None:
        """A seat's line; if it has a price, it is confirmed."""
        text = self.desk.match.say(answer)
        outcome = self.desk.order(seat, text)[0]
        if isinstance(outcome.error, Costly):
            outcome = self.desk.order(seat, f"{text} yes")[0]
        if outcome.error is not None:
            raise outcome.error

    def undo(self, entry: int) -> None:
        self.desk.undo(entry, "a slip", override=True)
        self.desk.run()


# --- one game ----------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """What one game met; `met.wrong` is empty unless something is."""

    met: Result
    players: int
    edition: str
    rules: dict[str, Any]
    entries: int
    undone: int
    won: str                            # by what, empty if nobody has
    turn: int
    ties: tuple[str, ...]               # what broke ties
    cards: Counter[str]                 # "26 event"
    asked: Counter[str]                 # the rules of the questions
    called: frozenset[tuple[str, str]]  # functions, where they were noted
    passed: Counter[str]                # doors, and what they asked
    agreed: Counter[str]                # what the second referees agreed about
    position: str
    folder: str


class Watch(Judge):
    """Looks at every position, counts the totals anew, and notes what was met."""

    def __init__(self, scene: Scene, result: Result, *, looks: bool = True) -> None:
        super().__init__(scene, result)
        self.scene = scene
        self.looks = looks
        self.kept: dict[int, bytes] = {}        # the position after so many entries
        self.recount = Recount(scene.g.facts, capitals_score=scene.g.rules.capital_scores)
        self.referees = Referees(strict=scene.match.strict)
        self.cards: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.ties: list[str] = []
        self.won = ""

    def look(self, step: Step, told: Sequence[Event]) -> None:
        super().look(step, told)
        self.note(told)
        g, question = self.scene.g, self.scene.match.question
        wrong = self.result.wrong
        counts = g.tallies and (self.looks or question is None or question.kind in SETTLED)
        public = position.written(g) if self.looks or counts else {}
        if self.looks:
            self.kept[len(self.scene.entries)] = pickle.dumps((public, position.momentary(g)))
            wrong.extend(self.referees.look(g, question, told, len(self.scene.entries)))
        if question is not None:
            self.asked[question.rule] += 1
            if question.kind in SETTLED and len(self.scene.table.stack) == 1:
                wrong.extend(invariants.broken(g, beside=self.beside))
        if counts:
            fresh = {seat: (victory.legitimacy(g, seat), victory.points(g, seat)) for seat in g.seats}
            second = self.recount.totals(public, g.seats)
            wrong.extend(f"{seat} has L and VP {fresh[seat]}, the recount gives {second[seat]}"
                         for seat in g.seats if fresh[seat] != second[seat])
            if self.looks and g.rules.name == editions.USUAL:
                wins = [event for event in told if event.key == "game_won"]
                for event in wins:
                    wrong.extend(self.referees.won(g, event.facts, second))
                if not wins and question is not None and self.apart == 0 and self.settled:
                    wrong.extend(self.referees.unwon(g, second))

    def note(self, told: Sequence[Event]) -> None:
        for event in told:
            if event.key not in NOTED:
                continue
            facts = event.facts
            if event.key == "card_played":
                self.cards[f"{facts['card']} {facts['way']}"] += 1
            elif event.key == "surprise_played":
                self.cards[f"{facts['card']} surprise"] += 1
            elif event.key == "card_revealed" and facts["resolver"]:
                self.cards[f"{facts['card']} revealed"] += 1
            elif event.key == "tie_broken":
                self.ties.append(str(facts["by"]))
            elif event.key == "game_won":
                self.won = str(facts["by"])

    def taken_back(self, entry: int) -> None:
        """An undo leads to the position that there was before that entry; what follows at once is told again."""
        self.settled, self.apart = False, 0
        here, question, entries = position.fingerprint(self.scene.g), self.scene.match.question, len(self.scene.entries)
        since = takewhile(lambda one: "undo" not in one, reversed(self.scene.entries))
        goes_on = any("do" in one for one in since)             # a desk has turned up again what was turned up before
        if (kept := self.kept.get(entry - 1)) and not goes_on and position.hashed(*pickle.loads(kept)) != here:
            self.result.wrong.append(f"entry {entry} taken back, the position is another one than before it")
        if self.looks:
            self.kept[entries] = pickle.dumps((position.written(self.scene.g), position.momentary(self.scene.g)))
            known = self.referees.taken_back(entry)
            told = [event for number, event in self.scene.match.history.late if number > known]
            self.result.wrong.extend(self.referees.look(self.scene.g, question, told, entries))
        self.result.verbs[f"undo upon {self.open}"] += 1
        self.open = question.kind if question is not None else ""


class Wanted(NamedTuple):
    """A game to be played."""

    seed: int
    players: int
    edition: str = editions.USUAL
    options: tuple[str, ...] = ()
    folder: str = ""                    # where it is kept
    mapped: bool = False                # note which functions are called
    looks: bool = True                  # look at every position; else where a phase is over
    most: int = 0                       # stop after so many decisions; 0 is to the end
    box: Mapping[str, Any] | None = None    # another box than ours, as a header has it
    fixes: int = editions.NEWEST        # how many mended rules it plays by


def whole_game(wanted: Wanted) -> Played:
    """One game to its end, looked at after every step, then once more from the public log alone."""
    rng, played = prepared(wanted)
    result, steps = played.met, list[Step]()
    with coverage.noted(wanted.mapped) as called:
        try:
            if wanted.folder:
                played = kept_game(wanted, rng, steps, played)
            else:
                scene = Swift(*beginning(wanted, played.rules), is_read=wanted.looks or is_read_again(wanted.seed))
                with yamlfile.uncollected():                    # what goes in circles waits: looked for after some games
                    played = on(scene, rng, steps, played, wanted.most, looks=wanted.looks)
        except Exception as fault:      # whatever it is, it has to be told together with its seed
            result.wrong.append(told_of(fault))
    result.trace.extend(str(step)[:300] for step in steps[-6:])
    return played._replace(met=result._replace(steps=len(steps)), called=coverage.ours(called))


def prepared(wanted: Wanted) -> tuple[Random, Played]:
    """What a seed decides before the first entry, and a sheet to write on."""
    rng = Chooser(f"game {wanted.seed} {wanted.players} {wanted.edition}")
    rules = {"edition": wanted.edition, "options": list(wanted.options),
             "windows": rng.choice(("asked",) * 5 + ("held",)), "polls": rng.choice(("sealed", "sealed", "strict")),
             "seating": usual_seating(wanted.edition) if wanted.seed % 2 else "fixed"}
    result = Result(wanted.seed, wanted.players, True, 0, Counter(), Counter(), Counter(), Counter(), [], [])
    return rng, Played(result, wanted.players, wanted.edition, rules, 0, 0, "", 0, (), Counter(), Counter(), frozenset(),
                       Counter(), Counter(), "", wanted.folder)


def known(edition: str) -> list[str]:
    """The optional rules and cards that go with this edition."""
    offered = optional.offered(editions.EDITIONS[edition])
    return [number for number in (*optional.OPTIONS, *optional.cards()) if number in offered]


def chosen(seed: int, edition: str = editions.USUAL) -> tuple[str, ...]:
    """Some of them, and of the cards about half: each has to be drawn as well."""
    rng = Random(f"options {seed}")
    return tuple(number for number in known(edition)
                 if rng.random() < (0.5 if number in optional.cards() else rng.choice((0.15, 0.5))))


def told_of(fault: Exception) -> str:
    frames = traceback.extract_tb(fault.__traceback__)
    where = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-3:]]
    return f"{type(fault).__name__} in {' '.join(where)}: {fault}"


def beginning(wanted: Wanted, rules: Mapping[str, Any]) -> tuple[dict[str, Any], scheme.Secrets]:
    """Header and secrets of a game that anybody can play again."""
    game = f"game-{wanted.edition}-{wanted.players}-{wanted.seed}"
    deck, dice = (hashlib.sha256(f"{what} {game}".encode()).digest() for what in ("deck", "dice"))
    secrets = scheme.Secrets(game, deck, dice, links=LINKS)
    header = header_of(game, {seat: {"name": seat.capitalize()} for seat in COLOURS[:wanted.players]}, rules)
    header["fixes"] = wanted.fixes
    words = dict.fromkeys(header["seats"], "")
    if wanted.box is not None:
        header["box"] = dict(wanted.box)
    header["chance"] = {"scheme": 2, **secrets.commitments(), "links": LINKS, "words": words, "beacon": "none"}
    return header, secrets


def kept_game(wanted: Wanted, rng: Random, steps: list[Step], played: Played) -> Played:
    """A game in a folder; opened anew it has to be what it was, with the private file and without."""
    header, secrets = beginning(wanted, played.rules)
    folder = Path(wanted.folder)
    folder.mkdir(parents=True)
    with Lock(folder):
        desk = Desk.found(folder, header, SET_UP, promised(secrets))
        played = on(Kept(desk), rng, steps, played, wanted.most, looks=wanted.looks)
    for published in (False, True):
        found = position.fingerprint(Desk(folder, published=published).match.g)
        if found != played.position:
            played.met.wrong.append(f"opened {'without' if published else 'with'} the private file it is at {found}")
    return played


def on(scene: Scene, rng: Random, steps: list[Step], played: Played, most: int, *, looks: bool = True) -> Played:
    """Play to the end, or until so many decisions were made."""
    is_read = looks or is_read_again(played.met.seed)
    will, watch, passing, undone = Will(rng, wild=is_read), Watch(scene, played.met, looks=looks), Passing(), 0
    wrong = played.met.wrong
    watch.look(Step("ruling"), [event for _, event in scene.match.history])
    segment: tuple[Any, ...] = ()
    while not wrong and (question := scene.match.question) is not None and not 0 < most <= len(steps):
        g = scene.g
        if segment != (g.turn, g.round, g.player, g.segment, g.phase):
            segment = (g.turn, g.round, g.player, g.segment, g.phase)
            will.begin_segment()
        if rng.random() < (1 if question.kind in OWN else 10) / UNDONE_OF and (entry := to_undo(scene, rng)):
            scene.undo(entry)
            watch.taken_back(entry)
            undone += 1
            continue
        try:
            step = will.next_step(g, question)
        except PbemError as refusal:
            wrong.append(f"no way on from a {question.kind} question: {refusal}")
            break
        steps.append(step)
        with passing if is_read else nullcontext():
            told = scene.take(step)
        watch.look(step, told)
        wrong.extend(will.wrong)
        if len(steps) > MOST_STEPS or len(steps) % CIRCLES == 0 and steps[-2 * CIRCLES:].count(step) > CIRCLES:
            wrong.append(f"no end to it: {step} again and again")
    played.met.refused.update(will.refused)
    g = scene.g
    here = position.fingerprint(g)
    if not wrong and is_read:
        wrong.extend(alone(scene, here))
    return played._replace(
        entries=len(scene.entries), undone=undone, won=watch.won, turn=g.turn, ties=tuple(watch.ties), cards=watch.cards,
        asked=watch.asked, passed=passing.met, agreed=watch.referees.agreed,
        position=here)


def to_undo(scene: Scene, rng: Random) -> int:
    """One of the last entries that stand, 0 if there is none yet."""
    last = [place + 1 for place in gamelog.survivors(scene.entries)[-15:] if any(key in scene.entries[place] for key in UNDONE)]
    return rng.choice(last) if last else 0


def is_read_again(seed: int) -> bool:
    """Reading a game from its log takes as long as half of playing it; only in such games wild orders are tried, and it is
    noted which doors were passed."""
    return seed % READ_AGAIN == 0


def alone(scene: Scene, wanted: str) -> Iterator[str]:
    """The log as text, read again and folded without anything private: the same at every window, turn end and the end."""
    text = "log:\n" + "".join(f"- {gamelog.dump_entry(entry)}\n" for entry in scene.entries)
    entries = yamlfile.parse(text)["log"]
    match = Match(scene.match.header)
    match.check_positions = True
    match.fold(entries, gamelog.survivors(entries))
    if position.fingerprint(match.g) != wanted:
        yield f"folded from the public log it ends at {position.fingerprint(match.g)}, played it ended at {wanted}"
