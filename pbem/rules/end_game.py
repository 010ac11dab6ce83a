"""3.2 to 3.4 How the game ends otherwise than by an instant victory (3.1, rules/victory.py)."""

from collections import Counter

from pbem.rules import ownership, victory
from pbem.rules.reinforcements import best, highest_die, seniority
from pbem.table.events import ALL
from pbem.table.state import DEAD, NOWHERE, Game

MACEDONIANS = ("loyal", "royal", "silver")


# --- 3.2 Regency Victory -----------------------------------------------------------------------------------------


def regency(g: Game) -> None:
    """3.2 The Heir who comes of age this Game Turn crowns whoever leads in L + VP, or is assassinated."""
    heir = g.rules.regency_heirs.get(g.turn)
    if heir is None or g.royals[heir].at in (NOWHERE, DEAD):
        return
    royal = g.royals[heir]
    totals = {seat: victory.legitimacy(g, seat) + victory.points(g, seat) for seat in g.seats}
    g.tell(ALL, "totals_compared", totals=totals, royal=heir, seat=royal.seat)
    leaders = best(g, totals)
    if royal.seat and royal.seat not in leaders:
        assassinate(g, heir, totals)
        return
    winner = tie_break(g, leaders)                          # B6: also where nobody controls the Heir
    if royal.seat in ("", winner):
        victory.win(g, winner, "regency", totals[winner])
    assassinate(g, heir, totals)


def assassinate(g: Game, heir: str, totals: dict[str, int]) -> None:
    """3.2 The guardian was not strong enough: the Heir dies and the game goes on."""
    royal = g.royals[heir]
    g.tell(ALL, "heir_assassinated", royal=heir, seat=royal.seat, total=totals[royal.seat], best=max(totals.values()))
    royal.at, royal.seat = DEAD, ""
    ownership.end_of_procedure(g)


# --- 3.3 End Game Victory ----------------------------------------------------------------------------------------


def end_of_game(g: Game) -> None:
    """3.3 After the last Game Turn the most Victory Points win; Legitimacy does not matter."""
    totals = {seat: victory.points(g, seat) for seat in g.seats}
    winner = tie_break(g, best(g, totals))
    victory.win(g, winner, "end", totals[winner])


# --- 3.4 Victory Tie Breaker -------------------------------------------------------------------------------------


def tie_break(g: Game, tied: list[str]) -> str:
    """3.4 Makedonia, then Macedonian CUs, then the most Senior General; if nobody has a Major General, a die (B44)."""
    if len(tied) == 1:
        return tied[0]
    ruler = g.province_controller("makedonia")
    if ruler in tied:
        g.tell(ALL, "tie_broken", seat=ruler, by="makedonia", tied=tied, numbers={})
        return ruler
    for by, count in (("macedonians", macedonians), ("seniority", seniority)):
        numbers = {seat: count(g, seat) for seat in tied}
        first = [seat for seat in tied if numbers[seat] == max(numbers.values())]
        if len(first) < len(tied):
            g.tell(ALL, "tie_broken", seat=first[0] if len(first) == 1 else "", by=by, tied=tied, numbers=numbers)
        tied = first
    return highest_die(g, tied, "victory")


def macedonians(g: Game, seat: str) -> int:
    """3.4 Loyal Macedonian, Royal Army and Silver Shields CUs, those in the Dispersed Box included."""
    boxes = [g.dispersed[seat], g.due.get(seat, Counter())]
    on_map = sum(unit.kind in MACEDONIANS and number for there in g.cus.values()
                 for unit, number in there.get(seat, {}).items())
    return on_map + sum(box[kind] for box in boxes for kind in MACEDONIANS)
