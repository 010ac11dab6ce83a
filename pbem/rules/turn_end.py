"""5.6 Turn End."""

from pbem.kernel.procedures import Procedure
from pbem.rules import burial, end_game, victory
from pbem.table.events import ALL
from pbem.table.state import DEAD, NOWHERE, Game


def turn_end(g: Game) -> Procedure[None]:
    """5.6 Perhaps Alexander is buried; then the next Game Turn begins, or the game is decided."""
    yield from burial.at_turn_end(g)
    if g.turn >= g.rules.last_turn:
        end_game.end_of_game(g)
    look_ahead(g)


def look_ahead(g: Game) -> None:
    """3.2 Before the Game Turn in which an Heir comes of age everybody sees how things stand."""
    heir = g.rules.regency_heirs.get(g.turn + 1)
    if heir and g.royals[heir].at not in (NOWHERE, DEAD):
        totals = {seat: victory.legitimacy(g, seat) + victory.points(g, seat) for seat in g.seats}
        g.tell(ALL, "totals_compared", totals=totals, royal=heir, seat=g.royals[heir].seat)
