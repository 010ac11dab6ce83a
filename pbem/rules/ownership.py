"""7.1 C, 7.2 A, 8.2, 8.3: what is looked at after every Procedure - who commands, who owns, who controls."""

from operator import attrgetter

from pbem.rules import capital, marriage, victory
from pbem.table.events import ALL
from pbem.table.state import (
    CART,
    DEAD,
    DISPERSED,
    FEMALES,
    HEIRS,
    INDEPENDENT,
    NOWHERE,
    OFF,
    TOMB,
    Game,
    General,
    Royal,
    is_at_sea,
    is_inside,
    space_of,
)


def end_of_procedure(g: Game) -> None:
    """A Procedure is complete: Minor Generals, unowned CUs, Royal Family, Siege Points, then the totals.

    Only where a piece or PC has come or gone since the last time can anything have changed hands.
    """
    enter_royals(g)
    if g.touched:
        again = remove_minor_generals(g)
        disperse_unowned(g)
        capital.watch(g)
        control_royals(g)
        lift_sieges(g)
        g.touched = again
    marriage.weddings(g)
    victory.settle(g)


# --- 7.1 C Minor Generals ----------------------------------------------------------------------------------------


def remove_minor_generals(g: Game) -> set[str]:
    """7.1 C A Minor General without CUs, or subordinate, leaves the map; not while a General there may yet move off.

    Returns where that is so: it has to be looked at again though nothing happens there.
    """
    moving = g.activation.seat if g.activation is not None else ""
    again: set[str] = set()
    touched = [one for at in g.touched if at != OFF for one in g.stands.get(at, ()) if one.minor]
    for one in sorted(touched, key=g.minors.index) if touched else ():
        if not g.count(one.at, one.seat):
            remove_minor(g, one, "alone")
        elif g.commander(one.at, one.seat) is not one:
            if one.seat == moving:
                again.add(one.at)
            else:
                remove_minor(g, one, "subordinate")
    return again


def remove_minor(g: Game, one: General, why: str) -> None:
    g.tell(ALL, "minor_removed", seat=one.seat, minor=one.name, at=one.at, why=why)
    one.at = OFF


# --- 7.2 A Ownership of CUs --------------------------------------------------------------------------------------


def is_owned(g: Game, location: str, seat: str) -> bool:
    """7.2 A CUs are shown to be somebody's by his General in the location or his PC in the space."""
    if g.pc.get(space_of(location)) == seat and not is_at_sea(location):            # no PC lies at sea
        return True
    return g.has_general(location, seat)


def disperse_unowned(g: Game) -> None:
    """7.2 A CUs that nobody can be shown to own go to the Dispersed Box."""
    for location in sorted(g.touched & g.cus.keys()):
        for seat in list(g.cus[location]):
            if seat in g.seats and not is_owned(g, location, seat):
                disperse_cus(g, location, seat, "unowned")


def disperse_cus(g: Game, location: str, seat: str, why: str) -> None:
    kinds = g.kinds(location, seat)
    if kinds:
        g.remove(location, seat, dict(g.units(location, seat)))
        g.dispersed[seat].update(kinds)
        g.tell(ALL, "cus_dispersed", seat=seat, at=location, cus=dict(kinds), why=why)


def disperse_general(g: Game, one: General, by: str) -> None:
    """2 Major Generals go to the Dispersed Box; Minor Generals just leave the map (B30)."""
    space, at = space_of(one.at), one.at
    one.at = OFF if one.minor else DISPERSED
    if one.minor:
        g.tell(ALL, "minor_removed", seat=one.seat, minor=one.name, at=at, why="dispersed")
    else:
        g.tell(ALL, "general_dispersed", seat=one.seat, general=one.name, space=space, by=by)


# --- 8.2, 8.3 Royal Family ---------------------------------------------------------------------------------------


def enter_royals(g: Game) -> None:
    """16.2 Who has waited off map for somebody's death appears."""
    for name, (other, space) in g.rules.waiting_royals.items():
        if g.royals[other].at == DEAD and g.royals[name].at == NOWHERE:
            g.royals[name].at = space
            g.tell(ALL, "royal_appeared", royal=name, space=space, after=other)


def control_royals(g: Game) -> None:
    """8.2, 8.3 Who controls the Heirs, the Cart and the women after a Procedure."""
    there = [one for at in g.touched - {NOWHERE, DEAD} for one in g.family.get(at, ()) if one.name != TOMB]
    for royal in sorted(there, key=attrgetter("rank")) if there else ():
        if royal.at not in (NOWHERE, DEAD):
            control_royal(g, royal)
            if royal.name == CART and g.rules.cart_destroyed:
                destroy_cart(g, royal)


def destroy_cart(g: Game, cart: Royal) -> None:
    """16.4 Where Independents would control the Cart if they were players it is destroyed."""
    there = {one.seat for one in g.generals_at(cart.at)}
    pc = g.controller(space_of(cart.at))
    if INDEPENDENT in there and cart.seat not in there or not there and not cart.seat and pc == INDEPENDENT:
        g.tell(ALL, "cart_destroyed", seat=cart.seat, at=cart.at)
        cart.at, cart.seat = DEAD, ""


def control_royal(g: Game, royal: Royal) -> None:
    """8.3 A foreign General takes from a PC; without General and player PC control ends. 8.2 Heirs and Cart join
    the General, before a PC (B19)."""
    generals = {one.seat for one in g.generals_at(royal.at) if one.seat in g.seats}
    pc = g.controller(space_of(royal.at))
    pc = pc if pc in g.seats else ""
    holder = royal.seat
    if holder and holder not in generals and (pc != holder or generals):
        g.tell(ALL, "royal_lost", royal=royal.name, seat=holder, at=royal.at)
        royal.seat = ""
    if not royal.seat and (royal.name in HEIRS or royal.name == CART):
        armies = {seat for seat in generals if g.count(royal.at, seat)}
        claim = armies or generals or ({pc} if pc else set())
        if len(claim) == 1:                                     # two Generals in passing: neither takes him
            royal.seat = claim.pop()
            g.tell(ALL, "royal_gained", royal=royal.name, seat=royal.seat, at=royal.at)
    if not royal.seat and is_inside(royal.at):                  # 8.3 nobody uncontrolled stays inside a city
        royal.at = space_of(royal.at)
        if royal.name not in FEMALES:
            control_royal(g, royal)


# --- 15.3 Lifting a siege ----------------------------------------------------------------------------------------


def lift_sieges(g: Game) -> None:
    """15.3 Siege Points go as soon as their owner has no CU in the space, and the Helepolis with them."""
    for space, (seat, _) in list(g.siege_points.items()):
        if not g.count(space, seat) or g.controller(space) == seat:
            del g.siege_points[space]
    if g.helepolis_by and not g.has_cus(space_of(g.helepolis), g.helepolis_by):
        g.tell(ALL, "helepolis_returned", seat=g.helepolis_by, space=space_of(g.helepolis))
        g.helepolis = g.helepolis_by = ""
