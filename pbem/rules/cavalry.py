"""16.9 Cavalry, wherever it counts. Where it is not played with, its numbers change nothing."""

from collections.abc import Mapping

from pbem.kernel.procedures import Procedure
from pbem.orders import Pieces
from pbem.rules.activation import travelling_units
from pbem.rules.attrition import Group, attrition, eliminate
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, Battle, Game, General

CAVALRY = "cavalry"


def rides(kinds: Mapping[str, int]) -> bool:
    """16.9 Is there Cavalry among these CUs? One CU of every Independent Army is."""
    return bool(kinds.get(CAVALRY) or kinds.get(INDEPENDENT))


# --- 11.2, 12.2 Interception and Evasion -------------------------------------------------------------------------


def reaction_parts(g: Game, one: General, location: str) -> list[tuple[str, int]]:
    """11.2, 12.2 What is added to the die of a General who reacts: for Cavalry where he stands, against the mover's."""
    value = g.rules.cavalry_reaction
    own = rides(g.kinds(location, one.seat))
    mover = rides({unit.kind: number for unit, number in travelling_units(g).items()})
    if not value or g.rules.cavalry_outdoes and mover:
        return []
    return [*([("own_cavalry", value)] if own else []), *([("mover_cavalry", -value)] if mover else [])]


def reaction(g: Game, one: General, location: str) -> int:
    return sum(value for _, value in reaction_parts(g, one, location))


def tell_reaction(g: Game, one: General, location: str) -> None:
    """Why the number needed is another than the Initiative Rating gives."""
    parts = reaction_parts(g, one, location)
    if parts:
        g.tell(ALL, "reaction_modified", seat=one.seat, general=one.name, parts=parts)


# --- 14.7, 14.9 Land Battle --------------------------------------------------------------------------------------


def battle_bonus(g: Game, battle: Battle, side: str) -> int:
    """14.7 Added to the Land Battle roll, unless an Elephant of the other side shows any strength."""
    frightened = any(battle.elephants.get(battle.other(side), ()))
    return int(g.rules.cavalry_battle) if rides(g.kinds(battle.at, side)) and not frightened else 0


def columns(g: Game, battle: Battle, side: str) -> int:
    """14.7 How far to the right the Battle Table is read: against neither Cavalry nor Elephants that show any strength."""
    other = battle.other(side)
    matched = rides(g.kinds(battle.at, other)) or any(battle.elephants.get(other, ()))
    return 0 if matched or not rides(g.kinds(battle.at, side)) else int(g.rules.cavalry_columns)


def pursuit_columns(g: Game, at: str, winner: str, loser: str) -> int:
    """14.9 The same of the Attrition Table, for a loser who has no Cavalry."""
    return int(g.rules.cavalry_pursuit_columns) if rides(g.kinds(at, winner)) and not rides(g.kinds(at, loser)) else 0


def pursuit(g: Game, at: str, winner: str, loser: str) -> int:
    """14.9 Added to the Attrition of a loser who has no Cavalry, if the winner has some before anybody's losses."""
    return int(g.rules.cavalry_pursuit) if rides(g.kinds(at, winner)) and not rides(g.kinds(at, loser)) else 0


# --- 9.3 C, D, 15.2 Sieges and PCs -------------------------------------------------------------------------------


def storms(g: Game, owner: str, space: str, pieces: Pieces | None) -> bool:
    """15.2 A Cavalry is named among those who besiege an Independent Minor City or Stronghold."""
    return pieces is not None and pieces.number_of(CAVALRY) > 0 and may_storm(g, owner, space)


def may_storm(g: Game, owner: str, space: str) -> bool:
    """15.2 An Independent Minor City or Stronghold, where a book has Cavalry take it."""
    pays = g.rules.cavalry_disperses or g.rules.cavalry_dies
    return bool(pays and owner == INDEPENDENT and g.board.kind(space) in ("minor", "stronghold"))


def siege_mps(g: Game, space: str, pieces: Pieces | None) -> int:
    """9.3 C What a Siege costs."""
    return int(g.rules.cavalry_siege_mps if storms(g, g.controller(space), space, pieces) else g.rules.siege_mps)


def fall(g: Game, at: str, seat: str) -> int:
    """15.2 B One of those named dies before any other; how many that were."""
    number = min(1, g.kinds(at, seat)[CAVALRY])
    if number:
        eliminate(g, Group(at, seat), {CAVALRY: number}, "siege")
    return number


def ride_off(g: Game, at: str, seat: str, number: int) -> None:
    """15.2 B Instead of a CU that would die Cavalry is dispersed."""
    number = min(number, g.kinds(at, seat)[CAVALRY])
    if number:
        g.remove_kinds(at, seat, {CAVALRY: number}, order=lambda unit: (unit.past.mover == "", unit.past))
        g.dispersed[seat][CAVALRY] += number
        g.tell(ALL, "cus_dispersed", seat=seat, at=at, cus={CAVALRY: number}, why="rode_off")


# --- 7.3 Passing through a Stronghold ----------------------------------------------------------------------------


def stronghold_column(g: Game, kinds: Mapping[str, int]) -> str:
    """7.3, 10 A The column of the Attrition Table."""
    return str(g.rules.cavalry_stronghold_column if rides(kinds) else g.rules.stronghold_column)


def pass_stronghold(g: Game, seat: str, at: str, group: Group) -> Procedure[None]:
    """7.3, 10 A What it costs to enter and leave an Independent Stronghold."""
    yield from attrition(g, seat, at, group, stronghold_column(g, group.kinds(g)))
