"""The table at which a published game is played again: a desk without dice of its own, and the hands that the script tells.

Dice are thrown by what they are for: the rules say which one is due, the script what it showed. Nobody answers a window but
where the script says so; the rest is what silence means.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.base.errors import Costly, PbemError, Unknown
from pbem.chance.draws import Throw
from pbem.desk import beginning
from pbem.desk.desk import Desk
from pbem.desk.submission import spelt_steps
from pbem.dev.replay.ahead import Ahead
from pbem.dev.replay.script import SEGMENTS, Script, Spelt, Step, Untold
from pbem.editions import options
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.orders import Order, Pieces
from pbem.play.match import CARD_WINDOWS
from pbem.rules import siege as sieges
from pbem.rules import victory
from pbem.table.state import PHASES, Game, space_of
from pbem.table.state import SEGMENTS as TURN

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)              # the same log whenever it is made
RULES = {"windows": "reserved", "deadlines": {"default": 48}}
IN_PHASES = frozenset({"first_player", "deployment", "burial", "seating", "give_back"})
HARMLESS = {"attrition": 1}                             # what is thrown where the script tells no die: nothing happens by it
MOST = 400                                              # questions in a row that the script has nothing to say about


class Playing(Desk):
    """A desk that writes its folder when the game has been played."""

    def keep(self) -> None:
        """Kept until `commit`."""


class Table:
    """The game so far, what each seat holds by the script, and the step that is being played."""

    def __init__(self, script: Script, folder: Path, title: str) -> None:
        self.script = script
        self.refused_options = [number for number in script.options if not is_known(script.edition, number)]
        seats = {seat: {"name": script.players[script.player(seat)]["marker"].capitalize()} for seat in script.circle}
        chosen = [number for number in script.options if number not in self.refused_options]
        header = beginning.header_of(script.ident, seats, {"edition": script.edition, "options": chosen, **RULES})
        folder.mkdir(parents=True, exist_ok=True)
        gamelog.create(folder, {**header, "title": title})
        self.desk = Playing(folder, now=NOW)
        self.spelt = Spelt(script, lambda: self.desk.match)
        self.desk.enter({"position": self.start(), "reason": "as the text begins"})
        self.hands: dict[str, list[str]] = {seat: [] for seat in script.circle}
        for player, names in (script.setup.get("hands") or {}).items():
            self.deal(script.seats[player], names)
        self.index = 0
        self.step: Step = {}
        self.told_before = 0
        self.before: Mapping[str, Any] = {}
        self.ahead = Ahead(script, self.spelt)
        self.given: set[str] = set()                        # steps of reactions that were given when they were asked for
        self.missing: list[str] = []                        # dice that the rules want and the script does not tell
        self.look()

    def start(self) -> dict[str, Any]:
        """The Generals as they were dealt; or a position, where the text begins later."""
        if "position" in self.script.setup:
            return dict(self.script.setup["position"])
        dealt = {self.script.seats[player]: [self.spelt.id("general", name) for name in one["generals"]]
                 for player, one in self.script.players.items()}
        return {"phase": "setup", "turn": 1, "dealt": dealt}

    # --- what there is -----------------------------------------------------------------------------------------

    @property
    def g(self) -> Game:
        return self.desk.match.g

    @property
    def question(self) -> Question | None:
        return self.desk.match.question

    @property
    def seat(self) -> str:
        return str(self.script.seats[self.step["player"]])

    @property
    def assumed(self) -> Mapping[str, Any]:
        return self.step.get("assume") or {}

    def look(self) -> None:
        """How things stand before a step: changes are counted from here."""
        g = self.g
        self.told_before = len(self.desk.match.history)
        self.before = {
            "totals": {seat: (victory.points(g, seat), victory.legitimacy(g, seat)) for seat in g.seats},
            "provinces": {seat: set(g.provinces_of(seat)) for seat in g.seats},
            "fleets": {seat: {one.name for one in g.fleets.values() if one.seat == seat} for seat in g.seats},
            "royals": {seat: {one.name for one in g.royals.values() if one.seat == seat} for seat in g.seats},
            "cus": {seat: cus_of(g, seat) for seat in g.seats},
            "needed": sieges.needed(g, self.spelt.id("space", self.step["target"])) if self.step.get("target") else None}

    def events(self, *keys: str) -> list[Mapping[str, Any]]:
        """What was told since then."""
        return [event.facts for _, event in self.desk.match.history[self.told_before:] if event.key in keys]

    # --- going to the moment of a step ----------------------------------------------------------------------------

    def moment(self) -> tuple[int, ...]:
        g = self.g
        if g.phase != "strategy":
            return (g.turn, PHASES.index(g.phase) if g.phase in PHASES else -1, 0, 0, 0)
        return (g.turn, PHASES.index("strategy"), g.round, g.turn_order.index(g.player), TURN.index(g.segment))

    def wanted(self, step: Step) -> tuple[int, ...]:
        place = self.g.turn_order.index(self.script.seats[step["player"]])
        return step["turn"], PHASES.index("strategy"), step["round"], place, TURN.index(SEGMENTS[step["segment"]])

    def reach(self, step: Step) -> None:
        """Let pass what the script says nothing of, up to the player's segment; a moment that is over is left to the desk."""
        for _ in range(MOST):
            question = self.question
            if question is None:
                return
            if self.is_turn(question) and self.moment() >= self.wanted(step) or self.moment() > self.wanted(step):
                return
            if question.kind == step["action"] == "independent_move":
                return
            self.pass_by(question)

    def reach_phase(self, step: Step, kinds: Iterable[str]) -> None:
        """Up to a question of a phase that asks this player."""
        seat = self.script.seats.get(step["player"], "")
        for _ in range(MOST):
            question = self.question
            if question is None or question.kind in kinds and seat in question.sides or self.g.turn > step["turn"]:
                return
            self.pass_by(question)

    def reach_strategy(self, turn: int) -> None:
        """Until the cards of this Game Turn are dealt; what the script does not place goes where silence puts it."""
        for _ in range(MOST):
            question = self.question
            if question is None or self.g.turn == turn and self.g.phase == "strategy":
                return
            self.pass_by(question)

    def reach_end(self, turn: int) -> None:
        """Until the Game Turn is over."""
        for _ in range(MOST):
            question = self.question
            if question is None or self.g.turn > turn:
                return
            self.pass_by(question)

    @staticmethod
    def is_turn(question: Question) -> bool:
        return question.kind in TURN

    def pass_by(self, question: Question) -> None:
        """Nobody says anything about this: a segment ends, a window closes as silence closes it."""
        side = question.sides[0]
        if question.kind == "tyche" and not self.g.card and self.hands[side]:
            card = self.hands[side].pop(0)
            self.enter(side, self.desk.match.say(Order("discard", card=card) if self.g.facts.cards[card]["kind"] == "surprise"
                                                 else Order("play", card=card, how="ops")))
        elif question.kind == "tyche" and self.g.event_due:
            self.desk.ruling("the event does not come to pass", reason="the text says nothing of it", abandon="segment")
        elif self.is_turn(question):
            self.enter(side, "end segment")
        elif question.sealed:
            self.close(question)
        else:
            self.enter(side, self.desk.match.say(question.silence(side)))

    def close(self, question: Question) -> None:
        """A poll with what the script says of it, and silence for the rest."""
        said = self.answers(question)
        if question.kind not in CARD_WINDOWS:
            for side in question.sides:
                if self.question is question or self.question is not None and self.question.id == question.id:
                    self.enter(side, said.get(side) or self.desk.match.say(question.silence(side)))
            return
        for side, text in said.items():
            self.enter(side, text)
        self.with_dice(lambda throws: self.desk.close(question.id, by="clock", throws=throws, reason=self.reason))

    def answers(self, question: Question) -> dict[str, str]:
        """What the steps behind say of a window, by seat; these steps are done with it."""
        found = {}
        for seat, (step, order) in self.ahead.answers(self.index, question).items():
            answer = (order,) if question.sealed or question.kind == "city_choice" else order
            if question.legal(seat, answer) is not None:
                found[seat] = self.desk.match.say(order)
                if question.kind != "evasion" or not step.get("path"):      # where he goes is asked after his die
                    self.ahead.used.add(step["id"])
                self.given.add(step["id"])
        return found

    # --- orders ---------------------------------------------------------------------------------------------------

    @property
    def reason(self) -> str:
        return "at the table"

    def do(self, order: Order) -> None:
        """An order of the step's player, step by step, with what it sets off."""
        steps = spelt_steps(self.desk.match, self.seat, order)
        for one in steps:
            self.enter(self.seat, self.desk.match.say(one))
            self.settle()

    def settle(self) -> None:
        """Windows and losses until a player is asked for his next order."""
        for _ in range(MOST):
            question = self.question
            if question is None or self.is_turn(question) or question.kind in IN_PHASES or self.g.phase != "strategy":
                return
            if question.kind == "independent_move" and self.ahead.moves_independents(self.index):
                return
            if self.cards_between():
                continue
            if not question.sealed and (told := self.scripted(question)):
                self.enter(question.sides[0], told)
            else:
                self.pass_by(question)

    def cards_between(self) -> bool:
        """A Surprise card that the script tells behind, and that its player may play upon this question."""
        for step in self.ahead.steps(self.index):
            if step["action"] == "surprise" and step["id"] not in self.given and self.question is not None:
                seat = self.script.seats[step["player"]]
                if self.question.kind in CARD_WINDOWS and seat in self.question.sides:
                    return False                            # it is asked for, and closes with all that is said of it
                try:
                    self.enter(seat, self.desk.match.say(self.surprise(step)))
                except PbemError:
                    continue
                self.given.add(step["id"])
                return True
        return False

    def surprise(self, step: Step) -> Order:
        """A Surprise card, with whom it is played on."""
        on = self.script.seats.get(step.get("victim") or "")
        general = step.get("general") or step.get("target_general")
        target = ("seat", on) if on else ("general", self.spelt.general(general)) if general else None
        return Order("play", card=self.card(step["card"], self.script.seats[step["player"]]), how="surprise", target=target)

    def scripted(self, question: Question) -> str:
        """What the script says was lost, where somebody goes, where something is placed; nothing, if it does not say."""
        side, found = question.sides[0], list[Order]()
        if question.kind == "losses":
            found = [Order("lose", pieces=Pieces.of(cus=self.ahead.lost(self.index, side)))]
        elif question.kind == "reinforcement_choice":
            spaces = self.ahead.spaces(self.index)
            found = [one for one in question.candidates(side) if one.verb == "reinforce" and space_of(one.location) in spaces]
        elif question.kind == "unrest":
            spaces = self.ahead.spaces(self.index)
            found = [one for one in question.candidates(side) if one.verb == "place_pc" and one.spaces[0] in spaces]
        elif question.kind == "withdrawal" and not self.ahead.answers(self.index, question):
            return "stay"                                   # whoever backs off says so
        elif not question.sealed and (reply := self.answers(question)):
            return reply.get(side, "")
        fit = next((one for one in found if question.legal(side, one) is not None), None)
        return self.desk.match.say(fit) if fit is not None else ""

    def enter(self, seat: str, text: str) -> None:
        """One line at the desk, with the dice that it needs; what it costs is paid."""

        def said(throws: list[Throw]) -> None:
            line = text
            for _ in range(3):
                outcomes = self.desk.order(seat, line, throws=throws, reason=self.reason)
                error = next((one.error for one in outcomes if one.error is not None), None)
                if not isinstance(error, Costly):
                    break
                line = f"{text} yes"
            if error is not None:
                raise error

        self.with_dice(said)

    def with_dice(self, act: Any) -> None:
        """The same again with one die more, until there are enough."""
        throws: list[Throw] = []
        while len(throws) < MOST:
            try:
                act(list(throws))
                return
            except Unknown as missing:
                if missing.key != "die_needed":
                    raise
                throws += self.dice(str(missing.facts["name"]).split(","), int(missing.facts["count"]))
        raise Untold("the dice that are told decide nothing")

    def dice(self, name: list[str], count: int) -> list[Throw]:
        """What fell, by what it is for: the purpose stands behind the moment in the name of a roll."""
        purpose = name[4]
        if purpose == "theft":
            return [(self.place_in_hand(name[5]), "")]
        if purpose == "tie":
            return [(self.die_of_tie(name), "")]
        told = self.ahead.dice(self.index, purpose, name[5:-1], count)
        if told:
            return [(value, "") for value in told]
        if purpose in HARMLESS:
            self.missing.append(",".join(name))
            return [(HARMLESS[purpose], "")] * count
        raise Untold(f"no die is told for {','.join(name)}")

    def die_of_tie(self, name: list[str]) -> int:
        """5.1 C The lowest die chooses: his, of whom the script says that he does; where it ends before, the first to throw."""
        step = next((one for one in self.script.steps
                     if one["action"] == "choose_first_player" and f"T{one['turn']}" == name[0]), None)
        if step is not None and name[3] == "preparations":
            return 1 if self.script.seats[step["player"]] == name[5] else 6
        if told := self.ahead.dice(self.index, "tie", name[5:-1], 1):
            return told[0]
        self.missing.append(",".join(name))
        return 1 + self.g.turn_order.index(name[5])         # no two the same: else they would throw for ever

    def place_in_hand(self, victim: str) -> int:
        """Which card of a hand was taken at random: the one that the script names."""
        hand = self.hands[victim]
        wanted = self.step.get("random_card")
        places = [place for place, card in enumerate(hand, 1) if wanted and card in self.spelt.cards(wanted)]
        if not places:
            raise Untold(f"{wanted} is in no hand")
        return places[0]

    # --- cards ----------------------------------------------------------------------------------------------------

    def deal(self, seat: str, names: Iterable[str]) -> None:
        """Of a card that is there several times the next copy that nobody has."""
        for name in names:
            free = [card for card in self.spelt.cards(name) if self.is_free(card)]
            if not free:
                raise Untold(f"every {name} is elsewhere")
            self.hands[seat].append(free[0])

    def is_free(self, card: str) -> bool:
        g = self.g
        return (card not in g.out and card not in g.discards and card not in g.shown
                and all(card not in hand for hand in self.hands.values()))

    def card(self, name: str, seat: str) -> str:
        """The card of that name in a hand."""
        held = [card for card in self.spelt.cards(name) if card in self.hands[seat]]
        if not held:
            raise Untold(f"{name} is not in the hand of {self.script.player(seat)}")
        return held[0]


def cus_of(g: Game, seat: str) -> Counter[str]:
    """All CUs of a player on the map."""
    found: Counter[str] = Counter()
    for place in g.cus:
        found.update(g.kinds(place, seat))
    return found


def is_known(edition: str, number: str) -> bool:
    from pbem import editions

    try:
        options.judged(number, editions.EDITIONS[edition])
    except PbemError:
        return False
    return True
