"""What whoever sends several lines at once could not foresee: what others did, and what a die or a draw decided against him.

What an order itself brings about holds nothing back, nor what is no news to a plan: such events stand in neither table. Nor
does an attempt that fails: where somebody who tried to intercept or to evade stands where he stood, all is as if he had passed,
and whoever has written what comes after the step has decided that already.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pbem.desk import ahead
from pbem.desk.opengame import OpenGame
from pbem.table.events import Event

Facts = Mapping[str, Any]

# Somebody chose to do it, to whom it was free: it holds the lines of everybody else back.
OTHERS_DID = frozenset("""
    passage_refused passage_broken intercepted evaded minor_placed joined_battle surprise_played card_cancelled
    naval_battle_declared naval_battle_cancelled truce_offered truce_refused ghost_called ruling undone datum_corrected rebased
""".split())


# What others do among themselves: no news to lines sent ahead, which say by what they name what they rest on.
AMONG_OTHERS = frozenset("""
    passage_refused passage_broken intercepted evaded minor_placed joined_battle naval_battle_declared naval_battle_cancelled
""".split())


def of(*names: str) -> Callable[[Facts, str], bool]:
    """Against whom these facts name."""
    return lambda facts, seat: any(facts[name] == seat for name in names)


AGAINST: dict[str, Callable[[Facts, str], bool]] = {
    **dict.fromkeys("""
        general_killed general_dispersed cus_dispersed command_lost fleet_dispersed returned_to_port retreated garrison_lost
        garrison_left isolated royals_defected changed_sides condemned reinforcements_dispersed capital_interrupted capital_lost
        reaction_lapsed
    """.split(), of("seat")),
    "battle_won": of("loser"), "battle_drawn": of("attacker", "defender"), "overrun_began": of("victim"),
    "card_taken": of("victim"), "mercenary_changed_sides": of("victim"),
    "siege_rolled": lambda facts, seat: bool(facts["seat"] == seat and facts["points"] <= 0),
    "naval_battle_fought": lambda facts, seat: seat in (facts["seat"], facts["mover"]) and facts["winner"] != seat,
    "desertions_rolled": lambda facts, seat: bool(facts["seat"] == seat and facts["lost"]),
    "treachery_rolled": lambda facts, seat: bool(facts["seat"] == seat and not facts["succeeded"]),
    "failure_rolled": lambda facts, seat: bool(facts["owner"] == seat and facts["killed"]),
}


def holds_back(event: Event, seat: str) -> bool:
    """Does this event hold back what a seat has sent ahead?"""
    if event.key in OTHERS_DID:
        return event.facts.get("seat") != seat
    against = AGAINST.get(event.key)
    return against is not None and against(event.facts, seat)


def unforeseen(game: OpenGame, seat: str) -> bool:
    """Since this seat's last order, did something happen that the sender of its lines could not foresee?"""
    entries = game.game.entries
    own = next((number for number in range(len(entries), 0, -1)
                if entries[number - 1].get("by") == seat
                and "as" not in entries[number - 1]), 0)    # done in his name: he has not seen it yet
    passed: frozenset[str] = frozenset()
    if (turn := game.tray.turn(seat)) is not None:
        own = max(own, turn.since)
        if turn.since and own == turn.since:                # sent ahead, and nothing of it has been played
            if ahead.changed(game.match.g, turn.named):
                return True
            passed = AMONG_OTHERS
    return any(event.key not in passed and holds_back(event, seat) for _, event in game.match.history.since(own))
