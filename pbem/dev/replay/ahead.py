"""What the steps behind say of what the present one sets off: the dice, who reacts, what is lost and where it goes.

A published text tells a reaction behind the march that it answers; the rules ask for it while that march goes on.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.dev.replay.script import Script, Spelt, Step
from pbem.dev.replay.vocabulary import words_for
from pbem.kernel.procedures import Question
from pbem.orders import ALL, Order, Pieces
from pbem.play.match import CARD_WINDOWS
from pbem.table.state import INDEPENDENT, Game, space_of

# Questions -> the actions that answer them.
ANSWERS: dict[str, tuple[str, ...]] = {
    "interception": ("intercept",),
    "evasion": ("avoid_battle",),
    "escape": ("avoid_battle",),
    "naval_battle": ("naval_interception",),
    "withdrawal": ("decline_battle",),
    "free_passage": ("grant_passage", "refuse_passage"),
    "city_choice": ("declare_inside",), "join_battle": ("sortie",), "counterstroke": ("counterattack",),
    "replacement": ("replace_commander",),
    **dict.fromkeys(CARD_WINDOWS, ("surprise",)),
}
# Steps that only say how something went.
RESULTS = ("battle", "naval_battle", "losses", "retreat", "unrest", "general_loss", "attrition", "capture", "result", "overrun",
           "elephants", "royals_defect", "lose_champion", "place_independent_pc", "dispersal", "game_over")
REACTIONS = frozenset(action for actions in ANSWERS.values() for action in actions)
ROLES = ("attacker", "defender")
AFTER_AN_EVENT = ("bonus_event", "place_units", "place_pc")


class Ahead:
    """The steps behind the present one, as far as they tell what it sets off; each is used once."""

    def __init__(self, script: Script, spelt: Spelt) -> None:
        self.script, self.spelt = script, spelt
        self.used: set[str] = set()                         # reactions that were given
        self.fallen: dict[tuple[str, str, str], int] = {}   # of a step, a word of it and a side: how many dice have fallen

    @property
    def g(self) -> Game:
        return self.spelt.g

    def steps(self, index: int) -> Iterator[Step]:
        """Reactions and results up to the next thing that the mover does."""
        for step in self.script.steps[index + 1:]:
            if step["action"] not in RESULTS and step["action"] not in REACTIONS and step["action"] not in AFTER_AN_EVENT:
                return
            yield step

    # --- dice -----------------------------------------------------------------------------------------------------

    def dice(self, index: int, purpose: str, about: list[str], count: int) -> list[int]:
        """What fell for this: in the step itself, or in those behind that say how it went."""
        side = next((one for one in about if one in (*self.g.seats, INDEPENDENT)), "")
        here = self.script.steps[index]
        for step in (here, *(step for step in self.steps(index) if step["action"] in RESULTS + tuple(REACTIONS))):
            if step is not here and not self.is_of(step, purpose, side):
                continue
            for word in words_for(purpose, step):
                told = flat(self.of_side(step.get(word), side, index))
                key = (step["id"], word, side)
                first = self.fallen.get(key, 0)
                if len(told) >= first + count:
                    self.fallen[key] = first + count
                    return told[first:first + count]
        return []

    def is_of(self, step: Step, purpose: str, side: str) -> bool:
        """A reaction's die is that of the reaction, and of who reacts."""
        if step["action"] in RESULTS:
            return purpose not in ("interception", "evasion")
        return step["action"] in ANSWERS.get(purpose, ()) and self.script.seats.get(step.get("player") or "") == side

    def of_side(self, told: Any, side: str, index: int) -> Any:
        """Of what is told for several players, or the Independents, that of one; a role counts as a player."""
        if not isinstance(told, Mapping):
            return told
        role = self.role(side, index)
        return next((value for who, value in told.items() if who in (side, role) or self.script.seats.get(who) == side), None)

    def role(self, side: str, index: int) -> str:
        """Who attacks: whoever moves, but where an interceptor strikes first."""
        battle = self.g.battle
        if battle is not None:
            return ROLES[side != battle.attacker]
        struck = any(step["action"] == "counterattack" for step in self.steps(index))
        return ROLES[(self.script.seats.get(self.script.steps[index].get("player") or "") == side) == struck]

    # --- windows --------------------------------------------------------------------------------------------------

    def answers(self, index: int, question: Question) -> dict[str, tuple[Step, Order]]:
        """Who reacts, by seat, with what is said of it."""
        found: dict[str, tuple[Step, Order]] = {}
        for step in self.steps(index):
            seat = self.script.seats.get(step.get("player") or "", "")
            if step["id"] in self.used or seat in found or seat not in question.sides:
                continue
            if step["action"] not in ANSWERS.get(question.kind, ()):
                continue
            order = self.reaction(question, seat, step)
            if order is not None:
                found[seat] = step, order
        return found

    def reaction(self, question: Question, seat: str, step: Step) -> Order | None:
        """The offer that does what the step says."""
        general = self.spelt.general(step["general"]) if step.get("general") else ""
        if question.kind == "interception":
            units = self.spelt.units(step.get("brings") or step.get("units"))
            origin = step.get("from") or next((one for one in step.get("path") or () if one), None)
            return Order("intercept", general=general, from_=self.spelt.id("space", origin) if origin else None,
                         pieces=Pieces.of(cus=units) if units else ALL)
        if question.kind == "escape":
            ends = {space_of(self.spelt.place(text, step.get("assume") or {}).space) for text in step.get("path") or () if text}
            return next((one for one in self.offers(question, seat) if one.path and space_of(one.path[-1]) in ends), None)
        if question.kind == "free_passage":
            return Order("refuse" if step["action"] == "refuse_passage" or step.get("granted") is False else "grant")
        if question.kind in ("city_choice", "join_battle"):
            told = step.get("inside") or step.get("units") or {}
            out = question.kind == "join_battle" or not step.get("inside") and bool(step.get("outside"))
            told = step["outside"] if out and step.get("outside") else told
            units = self.spelt.units(told if isinstance(told, Mapping) else None)
            generals = [general] if general else []
            return Order("sort_outside" if out else "sort_inside",
                         pieces=Pieces.of(generals, units) if units or generals else ALL)
        if question.kind in CARD_WINDOWS:
            cards = self.spelt.cards(step["card"])
            return next((one for one in self.offers(question, seat) if one.verb == "play" and one.card in cards), None)
        return next((one for one in self.offers(question, seat)
                     if one.verb not in ("pass", "stay") and one.general in (None, general or None)), None)

    @staticmethod
    def offers(question: Question, seat: str) -> Iterator[Order]:
        """Legal answers, each as an order."""
        for one in question.offers(seat):
            yield one[0] if isinstance(one, tuple) else one

    def lost(self, index: int, seat: str) -> dict[str, int]:
        """What is said to have been lost by a player, here or behind."""
        player = self.script.player(seat)
        for step in (self.script.steps[index], *self.steps(index)):
            for told in (step.get("losses"), (step.get("assume") or {}).get("losses")):
                own = told.get(player, told) if isinstance(told, Mapping) else None
                if units := self.spelt.units(own if isinstance(own, Mapping) else None):
                    return units
        return {}

    def passage(self, index: int, space: str) -> tuple[str, ...] | None:
        """Who says something of passage through a space where he stands."""
        asked = [self.script.seats[step["player"]] for step in self.steps(index) if step["action"] in ANSWERS["free_passage"]]
        return tuple(seat for seat in asked if seat in self.g.sides_at(space)) or None

    def moves_independents(self, index: int) -> bool:
        """Does the text move Independent Armies next? Till then the question for them stays open."""
        return any(step["action"] == "independent_move" for step in self.script.after(index))

    def spaces(self, index: int) -> list[str]:
        """Spaces that are named here or behind: where what is asked about may go."""
        found: list[str] = []
        for step in (self.script.steps[index], *self.steps(index)):
            for text in filter(None, (*(step.get("spaces") or ()), step.get("where"), step.get("space"))):
                place = self.spelt.place(text, step.get("assume") or {})
                found += [space_of(place.space)] if place.space else list(self.g.board.spaces_of(place.province))
        return found


def flat(told: Any) -> list[int]:
    """A number, or several."""
    if isinstance(told, list):
        return [value for one in told for value in flat(one)]
    return [told] if isinstance(told, int) and not isinstance(told, bool) else []
