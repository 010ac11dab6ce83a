"""What holds in every position: pieces conserved, stacks legal, every card in exactly one zone, totals right.

`broken` says in plain words what does not. It counts afresh and trusts nothing that the rules remember. Some things
hold at every moment; what 7.1 C, 7.2 A, 8.2, 8.3 and 15.3 look at holds once a Procedure is over.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache

from pbem.components.board import Board
from pbem.rules import victory
from pbem.table.events import Event
from pbem.table.state import (
    BOX,
    CART,
    DEAD,
    DISPERSED,
    HEIRS,
    INDEPENDENT,
    NOT_IN_PLAY,
    NOWHERE,
    OFF,
    SEGMENTS,
    TOMB,
    Game,
    General,
    space_of,
)

STATED = "another"                      # the mover that a position names when it says that a piece has moved
RUNNING = "evading"                     # marks pieces only while they evade


# Where pieces come back to, or cannot leave.
BACK = {"withdrew": "space", "retreated": "origin", "returned_to_port": "space", "stays_beside": "space"}


def gone_back(events: Iterable[Event]) -> set[str]:
    """Where somebody has gone back to, whoever stood there (R3), or had no way on (R15)."""
    return {event.facts[BACK[event.key]] for event in events if event.key in BACK}


def broken(g: Game, *, settled: bool = True, beside: Container[str] = ()) -> list[str]:
    """Every sentence is something wrong. `settled`: a Procedure has just ended, and nobody has done anything since.
    `beside`: locations to which somebody has gone back, whoever stood there (11.3, 13.3, 14.10)."""
    found = [*_units(g), *_generals(g), *_royals(g), *_fleets(g), *_inside(g), *_control_markers(g), *_cards(g),
             *_time(g), *_pasts(g)]
    if settled and not found:
        found = [*_owned(g), *_minors_command(g), *_family_claimed(g), *_sieges(g), *_one_faction(g, beside), *_totals(g)]
    return found


# --- 7.2 CUs -----------------------------------------------------------------------------------------------------


def _units(g: Game) -> Iterator[str]:
    """7.2 CUs of known kinds in real places, Royals and Silver Shields as many as there are."""
    total: Counter[str] = Counter()
    silver = []
    for at, there in g.cus.items():
        if not _is_place(g, at):
            yield f"CUs at {at}, which is no location"
        for seat, units in there.items():
            if seat not in g.seats and seat != INDEPENDENT:
                yield f"CUs of {seat or 'nobody'} at {at}"
            if not units or min(units.values()) <= 0:
                yield f"{seat} has an empty or negative stack at {at}"
            for unit, number in units.items():
                total[unit.kind] += number
                if unit.kind == "silver":
                    silver.append(f"{seat} at {at}")
                if unit.kind not in KINDS or (unit.kind == INDEPENDENT) != (seat == INDEPENDENT):
                    yield f"{seat} has {unit.kind} CUs at {at}"
    for seat, kinds in g.dispersed.items():
        for kind, number in kinds.items():
            total[kind] += number
            if number and kind == "silver":
                silver.append(f"{seat}, dispersed")
            if number < 0 or number and (kind not in KINDS or kind == INDEPENDENT):
                yield f"{seat} has {number} {kind} CUs in the Dispersed Box"
    if total["royal"] > g.facts.tables["royal_army"]["total"]:
        yield f"{total['royal']} Royal Army CUs (7.2F)"
    if len(silver) > 1 or total["silver"] > 2:
        yield f"the Silver Shields are {total['silver']} CUs: {', '.join(silver)} (7.2D)"


KINDS = frozenset(("loyal", "royal", "silver", "elephant", "mercenary", "cavalry", INDEPENDENT))


def _is_place(g: Game, at: str) -> bool:
    space, _, part = at.partition("/")
    if space not in g.board.index:
        return False
    return part == "" or part == "inside" and g.board.kind(space) == "major" or part == "sea" and g.board.is_port(space)


# --- 7.1 Generals, 7.5 Independent Armies ------------------------------------------------------------------------


def _generals(g: Game) -> Iterator[str]:
    """7.1, 7.5 Everybody is somewhere and belongs to somebody."""
    for one in g.generals.values():
        on_map = g.on_map(one)
        if on_map and not _is_place(g, one.at):
            yield f"{one.name} is at {one.at}, which is no location"
        if one.minor:
            if one.seat != g.facts.minors[one.name]["color"]:
                yield f"{one.name} serves {one.seat or 'nobody'}, not {g.facts.minors[one.name]['color']} (7.1C)"
            if not on_map and one.at != OFF:
                yield f"{one.name} is in '{one.at}': Minor Generals only leave the map (7.1C)"
        elif one.name in g.facts.independents:
            if one.seat != INDEPENDENT and one.at != DEAD or not on_map and one.at not in (BOX, DEAD):
                yield f"{one.name} is {one.seat or 'nobody'}'s in '{one.at}' (7.5)"
        else:
            in_play = on_map or one.at == DISPERSED
            if not in_play and one.at not in (DEAD, NOT_IN_PLAY):
                yield f"{one.name} is in '{one.at}'"
            if in_play and one.seat not in g.seats:
                yield f"{one.name} on the map serves {one.seat or 'nobody'}"
    yield from _independents(g)


def _independents(g: Game) -> Iterator[str]:
    """7.5 Independent Armies never gain or lose CUs: the counter is General and CUs in one."""
    armies: Counter[str] = Counter()
    for name, fact in g.facts.independents.items():
        if g.on_map(g.generals[name]):
            armies[g.generals[name].at] += fact["cus"]
    for at in {*armies, *(at for at, there in g.cus.items() if INDEPENDENT in there)}:
        if g.count(at, INDEPENDENT) != armies[at]:
            yield f"{g.count(at, INDEPENDENT)} Independent CUs at {at}, their Armies have {armies[at]} (7.5)"


# --- 8 Royal Family, 7.4 Fleets ----------------------------------------------------------------------------------


def _royals(g: Game) -> Iterator[str]:
    for royal in g.royals.values():
        on_map = royal.at not in (NOWHERE, DEAD)
        if on_map and not _is_place(g, royal.at):
            yield f"{royal.name} is at {royal.at}, which is no location"
        if royal.seat and (royal.seat not in g.seats or not on_map or royal.name == TOMB):
            yield f"{royal.name} ({royal.at or 'nowhere'}) is controlled by {royal.seat} (8.2)"
    if all(g.royals[name].at not in (NOWHERE, DEAD) for name in (CART, TOMB)):
        yield "both Funeral Cart and Tomb are on the map (3.8)"


def _fleets(g: Game) -> Iterator[str]:
    for fleet in g.fleets.values():
        if fleet.seat and fleet.seat not in g.seats:
            yield f"Fleet {fleet.name} belongs to {fleet.seat} (7.4)"
        if fleet.upgraded and (fleet.dispersed or not fleet.seat):
            yield f"Fleet {fleet.name} is upgraded without being available (7.4)"


# --- 9.4 Major Cities, 2 Control Markers -------------------------------------------------------------------------


def _inside(g: Game) -> Iterator[str]:
    """9.4 At all times at most 2 CUs inside a city, and nobody's but its controller's."""
    for city in g.board.major_cities:
        at, owner = f"{city}/inside", g.controller(city)
        there = g.cus.get(at, {})
        if sum(sum(units.values()) for units in there.values()) > g.rules.inside_limit:
            yield f"more than {g.rules.inside_limit} CUs inside {city} (9.4)"
        if owner not in g.seats and there:
            yield f"CUs inside {city}, which is {owner or 'uncontrolled'} (9.4)"
        for seat in there:
            if seat != owner:
                yield f"CUs of {seat} inside {city}, which is {owner or 'uncontrolled'} (9.4)"
    for one in g.generals.values():
        if one.at.endswith("/inside") and (one.seat not in g.seats or one.seat != g.controller(space_of(one.at))):
            yield f"{one.name} of {one.seat or 'nobody'} is inside {space_of(one.at)} (9.4)"
    for royal in g.royals.values():
        if royal.at.endswith("/inside") and g.controller(space_of(royal.at)) not in g.seats:
            yield f"{royal.name} is inside {space_of(royal.at)}, which no player controls (9.4)"


def _control_markers(g: Game) -> Iterator[str]:
    """2 One PC a space, none on Transit Points; Provinces follow from them."""
    for space, owner in g.pc.items():
        if space not in g.board.index or g.board.is_transit(space):
            yield f"a PC on {space} (2)"
        if owner not in g.seats and owner != INDEPENDENT:
            yield f"a PC of {owner or 'nobody'} on {space} (2)"
    for province, owner in controlled(g.board, g.pc).items():
        if g.province_controller(province) != owner:
            yield f"{province} is thought to be {g.province_controller(province) or 'nobody'}'s, not {owner or 'nobody'}'s"


def controlled(board: Board, pcs: Mapping[str, str]) -> dict[str, str]:
    """2 Who controls each Province: its Major City, if it has one, and more than half of its spaces."""
    return dict(_controlled(board, tuple(pcs.items())))


@lru_cache(maxsize=4)
def _controlled(board: Board, pcs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Mostly the PCs are those of the position before."""
    out, owners = dict.fromkeys(board.provinces, ""), dict(pcs)
    held = Counter((board.province_of(space), owner) for space, owner in pcs
                   if space in board.index and not board.is_transit(space))
    for (province, owner), number in held.items():
        if 2 * number > len(board.spaces_of(province)) and all(owners.get(city) == owner for city in board.cities_of(province)):
            out[province] = owner
    return tuple(out.items())


# --- 5.3, 6.2 Cards ----------------------------------------------------------------------------------------------


def _cards(g: Game) -> Iterator[str]:
    """6.2 Every card is in one zone; a position that leaves the deck out of it cannot be counted."""
    seen = Counter([*g.discards, *g.out, *g.shown])
    for card, number in seen.items():
        if number > 1 or card not in g.facts.cards:
            yield f"card {card} lies open {number} times"
    if min([g.deck, g.face_down, *g.hands.values()]) < 0:
        yield f"hands {g.hands}, {g.face_down} face down, {g.deck} in the deck"
    total = g.deck + g.face_down + sum(g.hands.values()) + sum(seen.values())
    if g.deck_name and total != len(g.facts.cards):
        yield f"{total} cards of {len(g.facts.cards)}"
    if g.card and g.card not in seen:
        yield f"card {g.card} is being played and lies nowhere"


# --- 5, 6, 9 Time ------------------------------------------------------------------------------------------------


def _time(g: Game) -> Iterator[str]:
    if g.turn < 1 or g.round < 1 or g.segment not in SEGMENTS or g.player not in g.seats:
        yield f"turn {g.turn}, round {g.round}, {g.player}'s {g.segment} segment (6)"
    if sorted(g.turn_order) != sorted(g.seats):
        yield f"turn order {', '.join(g.turn_order)} of {', '.join(g.seats)} (5.1C)"
    if g.usurper and g.usurper not in g.seats:
        yield f"the Usurper is {g.usurper} (5.1B)"


def _pasts(g: Game) -> Iterator[str]:
    """9.1 What pieces did is told by activations of this segment, and by nothing else."""
    act = g.activation
    if act is not None:
        if g.segment not in ("tyche", "activation") and not g.card:
            yield f"{act.key} is active in the {g.segment} segment (9.1)"
        if act.key in g.activated:
            yield f"{act.key} is active and done at once (9.1)"
        if space_of(act.here) not in g.board.index:
            yield f"the active Army is at {act.here} (9.1)"
    movers = {"", STATED, RUNNING, *g.activated} | ({act.key} if act is not None else set())
    for at, there in g.cus.items():
        for seat, units in there.items():
            for unit in units:
                if unit.past.mover not in movers or unit.past.dropped and not unit.past.mover:
                    yield f"{unit.kind} of {seat} at {at} were moved by {unit.past.mover or 'nobody'} (9.1)"
    told = {one.name: one.mover for one in g.generals.values()}
    told |= {royal.name: royal.moved_by for royal in g.royals.values()}
    for name, mover in told.items():
        if mover not in movers:
            yield f"{name} was moved by {mover} (9.1)"


# --- after a Procedure -------------------------------------------------------------------------------------------


def _owned(g: Game) -> Iterator[str]:
    """7.2 A Somebody's General or PC shows whose CUs they are; nothing rests at sea (13.1)."""
    generals = {(one.at, one.seat) for one in g.generals.values()}
    for at, there in g.cus.items():
        if at.endswith("/sea") and (g.activation is None or g.activation.here != at):
            yield f"CUs rest at {at} (13.1)"
        for seat in there:
            if (at, seat) not in generals and g.controller(space_of(at)) != seat:
                yield f"nothing shows that the CUs at {at} are {seat}'s (7.2A)"


def _minors_command(g: Game) -> Iterator[str]:
    """7.1 C No Minor General alone; none subordinate, unless somebody there may yet move off."""
    there = Counter([(one.at, one.seat) for one in g.generals.values()])
    for one in g.generals.values():
        if one.minor and g.on_map(one):
            if not g.count(one.at, one.seat):
                yield f"{one.name} is alone at {one.at} (7.1C)"
            if g.activation is None and there[one.at, one.seat] > 1:
                yield f"{one.name} is subordinate at {one.at} (7.1C)"


def _family_claimed(g: Game) -> Iterator[str]:
    """8.2, 8.3 Whoever has the only General, or without Generals the PC, has Heirs and Cart; a foreign General ends it."""
    led = {(one.at, one.seat) for one in g.generals.values()}
    for royal in g.royals.values():
        if royal.at in (NOWHERE, DEAD) or royal.name == TOMB:
            continue
        pc = g.controller(space_of(royal.at))
        generals = {seat for seat in g.seats if (royal.at, seat) in led}
        may_hold = generals or ({pc} if pc in g.seats else set())
        if royal.seat and royal.seat not in may_hold:
            yield f"{royal.seat} controls {royal.name} at {royal.at} without General or PC (8.3)"
        if not royal.seat and len(may_hold) == 1 and (royal.name in HEIRS or royal.name == CART):
            yield f"{may_hold.pop()} does not control {royal.name} at {royal.at} (8.2)"
        if not royal.seat and royal.at.endswith("/inside"):
            yield f"{royal.name} is uncontrolled inside {space_of(royal.at)} (8.3)"


def _sieges(g: Game) -> Iterator[str]:
    """15.3 Siege Points only where their owner has CUs, and a foreign space to besiege."""
    for space, (seat, points) in g.siege_points.items():
        if seat not in g.seats or not g.count(space, seat):
            yield f"Siege Points of {seat} at {space} without a CU there (15.3)"
        if points < 1 or g.controller(space) in ("", seat):
            yield f"{points} Siege Points of {seat} at {space} of {g.controller(space) or 'nobody'} (15.2)"


def _one_faction(g: Game, beside: Container[str]) -> Iterator[str]:
    """10 D to L Nobody stays beside enemies, but for an Army or General that has to move on, or has gone back there.

    Lone Generals who are not on the march, an interceptor and a bystander, may be left together: no rule parts them.
    """
    act = g.activation
    generals: dict[str, list[General]] = {}
    for one in g.generals.values():
        if g.on_map(one):
            generals.setdefault(one.at, []).append(one)
    for at in {*g.cus, *generals}:
        sides = sorted({*g.cus.get(at, ()), *(one.seat for one in generals.get(at, ()))})
        must_go = act is not None and act.must_leave and act.here == at
        bystanders = at not in g.cus and not (act is not None and any(
            one.mover == act.key and not one.dropped for one in generals[at]))
        if len(sides) > 1 and not must_go and not bystanders and at not in beside:
            yield f"{' and '.join(sides)} stand together at {at} (10)"


def _totals(g: Game) -> Iterator[str]:
    """3.5 to 3.7 Legitimacy and Victory Points as last told are what a fresh count gives."""
    if g.tallies:
        for seat in g.seats:
            fresh = (victory.legitimacy(g, seat), victory.points(g, seat))
            if g.tallies[seat] != fresh:
                yield f"{seat} has L and VP {fresh}, told were {g.tallies[seat]} (3.5, 3.6)"
            if min(fresh) < 0:
                yield f"{seat} has L and VP {fresh} (3.6)"


__all__ = ["broken", "controlled"]
