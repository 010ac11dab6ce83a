"""Rules that were mended after games had been played by them, in the order in which they were.

A game is played to its end by the rules it began with: its header says how many of these were known (`fixes: 2`), and an
entry with a higher number takes in those up to it. Each replaces points of the rules, whose value in `record` is the one
before. What stands here once stays: logs count by it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.base.errors import Refused
from pbem.editions import draft, third
from pbem.editions.record import Ruleset


class Fix(NamedTuple):
    rule: str
    points: Mapping[str, Any]
    books: tuple[str, ...] = ()             # only of variants that cite these


FIXES = (
    Fix("10B", {"unguarded_go_inside": True}),          # what silence means for who stands before his city without CUs
    Fix("6.2A", {"points_before_event": True, "plain_discard": True, "events_that_must_be": True}, ("draft", "third")),
    Fix("11.3", {"withdrawn_never_fight": True}),       # who withdraws to the place where he is, landed where he embarked
    Fix("16", third.WHOLE, ("third",)),
    Fix("16", draft.WHOLE, ("draft",)),
    Fix("7.1C", {"event_after_march": True}, ("draft", "third")),   # who leaves with the march meets no event
    Fix("7.1C", {"placed_after_turns": True}),          # whose turn was the last of the round has none when cards are turned up
    Fix("12.1", third.REACTIONS, ("third",)),
    Fix("12.1", draft.REACTIONS, ("draft",)),
    Fix("10C", {"shift_takes_all": True}),              # who may not stop leaves through a gate with everybody
    Fix("10C", {"open_exits_only": True}),              # whoever may not stop needs a way out that is open to him
    Fix("7.3", {"losses_stay_due": True}),              # who disbands CUs while he is asked which to lose loses others
    Fix("14.10", {"each_part_goes_back": True}, ("draft", "third")),    # who intercepted (23.2), after a draw
    Fix("11.1B", {"siege_outlasts": "one step"}, ("draft",)),       # "step": whoever comes back and leaves again, too
    Fix("10I", {"anybody_catches": True}),              # silence of a lone General before whosever CUs
    Fix("9.1", {"ruling_moves_army": True}),            # a ruling that puts the active General elsewhere
)
NEWEST = len(FIXES)


def mended(rules: Ruleset, number: int) -> Ruleset:
    """The rules with the first so many of these in force; those that are count no more."""
    if not rules.fixes <= number <= NEWEST:
        raise Refused("0", "unknown_fix", number=number, found=rules.fixes, newest=NEWEST)
    points = {name: value for fix in FIXES[rules.fixes:number] for name, value in fix.points.items()
              if not fix.books or rules.book in fix.books}
    return rules._replace(fixes=number, **points)
