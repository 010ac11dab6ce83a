"""3 Victory: every total is derived here, and settled at the moments that the rules give."""

from collections.abc import Iterator
from operator import attrgetter

from pbem.kernel.procedures import Finished, at_once
from pbem.table.events import ALL
from pbem.table.state import FEMALES, HEIRS, INDEPENDENT, TOMB, Game, space_of


class GameOver(Finished):
    """Somebody has won: ends every running procedure."""


def win(g: Game, seat: str, by: str, total: int) -> None:
    """3 The game is over, in the middle of whatever is going on."""
    g.over = {"winner": seat, "by": by}
    g.tell(ALL, "game_won", seat=seat, by=by, total=total)
    raise GameOver(by)


# --- 3.1 Instant Victory -----------------------------------------------------------------------------------------

NEAR = 3                                            # so close to an instant victory everybody is warned


def instant_victory(g: Game) -> None:
    """3.1 Not on Game Turn I (B4); of two at the same moment the player whose turn it is comes first (B5)."""
    if g.turn == 1 or g.over:
        return
    first = [g.player] if g.phase == "strategy" else []
    for seat in dict.fromkeys([*first, *g.turn_order]):
        legitimate, powerful = g.tallies[seat]
        if legitimate >= g.rules.instant_legitimacy:
            win(g, seat, "instant-L", legitimate)
        if powerful >= g.rules.instant_points[len(g.seats)]:
            win(g, seat, "instant-VP", powerful)


def warn(g: Game, seat: str, old: tuple[int, int], new: tuple[int, int]) -> None:
    """3.1 A total that has risen to within reach of an instant victory."""
    needed = (g.rules.instant_legitimacy, g.rules.instant_points[len(g.seats)])
    for what, before, now, enough in zip(("L", "VP"), old, new, needed, strict=True):
        if now > before and 0 < enough - now <= NEAR:
            g.tell(ALL, "threshold", seat=seat, what=what, left=enough - now)


# --- 3.5 Victory Points ------------------------------------------------------------------------------------------


def points_parts(g: Game, seat: str) -> Iterator[tuple[str, int]]:
    """3.5 The Victory Points of a faction, source by source; Lord of Asia asks for three Provinces (B39)."""
    for province in g.provinces_of(seat):
        yield province, g.board.vp(province)
    bonus = g.facts.tables["vp_bonus"]
    if all(g.province_controller(one) == seat for one in bonus["lord_of_asia_provinces"]):
        yield "lord_of_asia", bonus["lord_of_asia"]
    if largest_fleet(g) == seat:
        yield "largest_fleet", bonus["largest_fleet"]
    if all(g.controller(port) == seat for port in g.board.hellespont):
        yield "hellespont", bonus["hellespont"]
    if seat in g.capitals and g.rules.capital_scores:
        yield "own_capital", bonus["own_capital"]
    taken = sum(holder == seat for holder in g.captured.values())
    if taken and g.rules.capital_scores:
        yield "captured_capital", taken * bonus["captured_capital"]
    if g.adjusted[seat, "VP"]:
        yield "adjusted", g.adjusted[seat, "VP"]


def points(g: Game, seat: str) -> int:
    return max(0, sum(value for _, value in points_parts(g, seat)))


def fleet_strengths(g: Game) -> dict[str, int]:
    """3.5 The strengths that count for Victory Points: all Fleets controlled, dispersed ones too."""
    strengths = dict.fromkeys(g.seats, 0)
    for one in g.fleets.values():
        if one.seat in strengths and may_be_largest(g, one.name):
            strengths[one.seat] += g.facts.fleets[one.name]["upgraded" if one.upgraded else "normal"]
    return strengths


def may_be_largest(g: Game, fleet: str) -> bool:
    """3.5 Every Fleet, but one of which the card that brings it says otherwise."""
    brought_by = g.facts.cards.get(g.facts.fleets[fleet]["control"].get("place", ""))
    return brought_by is None or bool(brought_by["params"].get("largest_fleet", True))


def largest_fleet(g: Game) -> str:
    """3.5 The one player with the greatest Fleet Strength, at least 3; a tie is nobody's."""
    strengths = fleet_strengths(g)
    best = max(strengths.values())
    holders = [seat for seat, strength in strengths.items() if strength == best]
    return holders[0] if best >= g.facts.tables["vp_bonus"]["largest_fleet_min_strength"] and len(holders) == 1 else ""


# --- 3.6 Legitimacy ----------------------------------------------------------------------------------------------


def legitimacy_parts(g: Game, seat: str) -> Iterator[tuple[str, int]]:
    """3.6 The Legitimacy of a faction, source by source; the floor of 0 is applied to the sum."""
    if g.champion[seat]:
        yield "champion", g.rules.champion_legitimacy
    values = g.facts.tables["legitimacy_values"]
    own = [one.name for one in g.royals.values() if one.seat == seat]
    heirs = [name for name in HEIRS if name in own]
    if heirs:
        best = max(heirs, key=lambda name: values[name])
        yield best, values[best]
    for name in FEMALES:
        if name in own:
            yield name, values[name]
    if g.province_controller("makedonia") == seat:
        yield "makedonia", values["makedonia"]
    if g.buried_by == seat:
        yield "buried_in_pella", values["bury_in_pella"]
    tomb = g.royals[TOMB].at
    if tomb and space_of(tomb) != "pella" and g.controller(space_of(tomb)) == seat:
        yield "tomb", values["tomb_elsewhere"]
    for name in ("perdikkas", "leonnatos"):
        if g.generals[name].seat == seat:
            yield name, g.facts.generals[name]["legitimacy"]
    lost = sum(value for name, value in g.condemned.items() if g.generals[name].seat == seat)
    if lost:
        yield "condemned", -lost
    for card, holder in g.kept.items():
        fact = g.facts.cards[card]
        if holder == seat and "legitimacy" in fact["params"]:
            yield fact["effect_key"], fact["params"]["legitimacy"]
    if g.oracle == seat:
        yield "oracle", values["oracle"]
    if g.adjusted[seat, "L"]:
        yield "adjusted", g.adjusted[seat, "L"]


def legitimacy(g: Game, seat: str) -> int:
    """3.6 Never below 0; the Independent Faction always has 0."""
    return max(0, sum(value for _, value in legitimacy_parts(g, seat))) if seat != INDEPENDENT else 0


# --- 3.7 Champions and Successors --------------------------------------------------------------------------------


def may_be_attacked_freely(g: Game, victim: str) -> bool:
    """3.7 Attacking Successors, the Usurper and Independents costs nothing."""
    return victim not in g.champion or not g.champion[victim] or victim == g.usurper


def attack(g: Game, attacker: str, victim: str, rule: str, space: str) -> None:
    """3.7 A Champion who attacks a Champion that is not the Usurper becomes a Successor at once."""
    if attacker in g.champion and g.champion[attacker] and not may_be_attacked_freely(g, victim):
        g.champion[attacker] = False
        g.tell(ALL, "champion_lost", seat=attacker, against=victim, rule=rule, space=space)


# --- settling ----------------------------------------------------------------------------------------------------


SIDE_AND_STRENGTH = attrgetter("seat", "upgraded")     # of a Fleet


def sources(g: Game) -> tuple[object, ...]:
    """Everything that a total can depend on: while it stands as it stood there is nothing to count (most steps)."""
    return (
        g.turn, g.control_changes(), g.royal_changes, g.royals[TOMB].at, g.oracle, g.buried_by, tuple(g.capitals.items()),
        tuple(g.captured.items()), tuple(g.champion.values()), tuple(map(SIDE_AND_STRENGTH, g.fleets.values())),
        g.generals["perdikkas"].seat, g.generals["leonnatos"].seat,
        g.condemned and [(name, lost, g.generals[name].seat) for name, lost in g.condemned.items()], tuple(g.kept.items()),
        tuple(g.adjusted.items()), id(g.facts),
    )


def settle(g: Game) -> None:
    """Fleets follow their Provinces (7.4), totals are counted anew, changes told, instant victory looked for (3.1)."""
    now = sources(g)
    if now == g.settled:
        return
    for province, before, ruler in g.provinces_changed():
        g.tell(ALL, "province_changed", province=province, old=before, new=ruler)
    fleets_follow_control(g)
    new = {seat: (legitimacy(g, seat), points(g, seat)) for seat in g.seats}
    for seat in g.seats:
        dropped = seat in g.tallies and g.tallies[seat][1] > 0 and new[seat][1] == 0
        if dropped and not g.champion[seat]:                     # 3.7 a Successor whose VP fall to 0 is a Champion again
            g.champion[seat] = True
            g.tell(ALL, "champion_again", seat=seat)
            new[seat] = (legitimacy(g, seat), 0)
        old = g.tallies.get(seat)
        if old is not None and old != new[seat]:
            if old[0] != new[seat][0]:
                g.tell(ALL, "legitimacy_changed", seat=seat, old=old[0], new=new[seat][0],
                       parts=list(legitimacy_parts(g, seat)))
            if old[1] != new[seat][1]:
                g.tell(ALL, "points_changed", seat=seat, old=old[1], new=new[seat][1], parts=list(points_parts(g, seat)))
            warn(g, seat, old, new[seat])
    g.tallies = new
    g.settled = sources(g)
    instant_victory(g)


@at_once
def settling(g: Game) -> None:
    """The totals after something that came from outside, a ruling: as a procedure, because it may end the game."""
    settle(g)


def fleets_follow_control(g: Game) -> None:
    """7.4 A Fleet goes with its Province (Athenai's with the city); changing hands turns it to its normal side."""
    for name, fleet in g.fleets.items():
        control = g.facts.fleets[name]["control"]
        if control["type"] == "card":
            continue
        place = control["place"]
        owner = g.controller(place) if control["type"] == "major_city" else g.province_controller(place)
        if owner == INDEPENDENT:
            owner = ""
        if fleet.seat != owner:
            if g.tallies:
                g.tell(ALL, "fleet_changed", fleet=name, old=fleet.seat, new=owner)
            fleet.seat = owner
            fleet.upgraded = False
