"""11 Land Interception."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice

from pbem.base.errors import Refused
from pbem.kernel.procedures import Poll, Procedure, Question
from pbem.orders import PASS, Order, Pieces
from pbem.rules import abilities, cavalry, reactions, truce
from pbem.rules.activation import judge_carried, judge_march_limit, may_be_carried
from pbem.rules.acts import Price
from pbem.rules.pieces import handfuls, judge_named, parts, too_few
from pbem.table.events import ALL
from pbem.table.state import INDEPENDENT, OFF, Game, General, Interceptor, Way, space_of

# --- 11.1 Requirements and Restrictions --------------------------------------------------------------------------


def judge_target(g: Game, seat: str, way: Way) -> None:
    """11.1 May this player intercept into the space at all, of an Army or a lone General (B25)? Public facts only."""
    if seat in (way.seat, g.speaks_for(way.seat)) or seat not in g.seats:
        raise Refused("11.1", "mover_does_not_intercept", seat=seat)
    truce.judge(g, seat, way.seat, "11.1")
    judge_open(g, seat, way)


def judge_open(g: Game, seat: str, way: Way) -> None:
    """11.1 A, B Whose space it is, and who stood there before; the same for every faction."""
    target = space_of(way.target)
    owner = g.controller(target)
    if owner not in ("", seat) and not g.has_cus(target, seat):
        raise Refused("11.1A", "target_not_open", space=target, owner=owner)
    if foe := enemy_before(g, seat, way):
        raise Refused("11.1B", "enemy_was_there", space=target, owner=foe)


def enemy_before(g: Game, seat: str, way: Way) -> str:
    """11.1 B Whose CUs, enemy to this player, stood in the space before the active Army came? What it has dropped off
    from the sea, or left at the port, came with it (11.2 example 2, R19)."""
    target = space_of(way.target)
    walled = not g.rules.besieged_bar_interception and g.besieged(target)
    for location in (target,) if walled else g.locations_of(target):
        for side, units in g.cus.get(location, {}).items():
            if side != seat and any(unit.past.mover != way.key or side != way.seat or unit.past.dropped and way.kind != "sea"
                                    for unit in units):
                return side
    return ""


def judge_origin(g: Game, seat: str, origin: str, way: Way) -> None:
    """11.1 A General of the player, not besieged, joined to the target space by a Land path."""
    act = g.activation
    assert act is not None
    space, target = space_of(origin), space_of(way.target)
    if target not in g.board.land_paths(space):
        raise Refused("11.1A" if target not in g.board.adjacent(space) else "11.1B", "no_land_path", origin=space, space=target)
    if not g.generals_at(origin, seat):
        raise Refused("11.2", "no_general_there", origin=origin)
    if is_besieged_inside(g, origin, way):
        raise Refused("11.1B", "besieged", origin=origin)


def is_besieged_inside(g: Game, location: str, way: Way) -> bool:
    """11.1 B Besieged while the besieger is there, and for a while after that."""
    space = space_of(location)
    return location != space and (g.besieged(space) or space in still_besieged(g, way))


def still_besieged(g: Game, way: Way) -> Collection[str]:
    """11.1 B Until a new movement begins after the besieger has left, until he enters another space than the next, or not."""
    act = g.activation
    if act is None:
        return ()
    return {"march": act.sieges, "step": act.sieges & {space_of(way.origin)}, "one step": (act.raised,),
            "nothing": ()}[g.rules.siege_outlasts]


def origins(g: Game, seat: str, way: Way) -> list[str]:
    """The locations from which a player may attempt to intercept."""
    try:
        judge_target(g, seat, way)
    except Refused:
        return []
    found = []
    for origin in g.board.locations_beside(space_of(way.target)):
        if g.has_general(origin, seat) and (g.rules.lone_general_intercepts or g.count(origin, seat)):
            try:
                judge_origin(g, seat, origin, way)
            except Refused:
                continue
            found.append(origin)
    return found


def could_intercept(g: Game, way: Way) -> list[str]:
    """11.2 Who is asked: every player with a General that may attempt it, on public facts."""
    paying = reactions.payers(g, way) if interceptors(g, way) else []
    beside = g.beside(space_of(way.target))
    return [seat for seat in g.turn_order if seat != way.seat and (seat in paying or seat in beside and origins(g, seat, way))]


def barred(g: Game, way: Way) -> Iterator[tuple[str, Refused]]:
    """11.1 Who has a General beside the space and may not try all the same, and why."""
    beside = g.beside(space_of(way.target))
    for seat in g.turn_order:
        if seat in beside and seat not in (way.seat, g.speaks_for(way.seat)):
            near = next(origin for origin in g.board.locations_beside(space_of(way.target)) if g.has_general(origin, seat))
            try:
                judge_target(g, seat, way)
                judge_origin(g, seat, near, way)
            except Refused as why:
                yield seat, why


# --- 11.2 Declare ------------------------------------------------------------------------------------------------


def judge_attempts(g: Game, seat: str, way: Way, answer: tuple[Order, ...]) -> tuple[Order, ...]:
    """11.2 All attempts of one player: at most one from each adjacent space. Returns them in full."""
    if not answer or answer == PASS:
        return PASS
    if any(order.verb == "intercept" and g.generals[order.general].seat == INDEPENDENT for order in answer):
        return judge_independents(g, seat, way, answer)
    judge_target(g, seat, way)
    read = tuple(judge_attempt(g, seat, way, order) for order in answer)
    spaces = [space_of(order.from_) for order in read]
    for space, number in Counter(spaces).items():
        if number > 1:
            raise Refused("11.2", "one_attempt_per_space", space=space)
    placed = [order.minor for order in read if order.minor]
    if len(set(placed)) < len(placed):
        raise Refused("7.1C", "minor_twice", minor=placed[0])
    return read


def judge_attempt(g: Game, seat: str, way: Way, order: Order) -> Order:
    """11.2 One attempt: who leads, who and what comes along, a Minor General placed to lead or to stay."""
    if order.verb != "intercept":
        raise Refused("11.2", "intercept_or_pass")
    lead = g.generals[order.general]
    minor = placed_minor(g, seat, order, lead)
    origin = order.from_ or (lead.at if lead is not minor or order.minor_role == "stay" else "")
    if not origin or origin == OFF:
        raise Refused("11.2", "say_from_where", general=lead.name)
    judge_origin(g, seat, origin, way)
    if minor is not None and not (g.generals_at(origin, seat) and g.count(origin, seat)):
        raise Refused("7.1C", "minor_needs_army", minor=minor.name, at=origin)
    pieces = order.pieces or Pieces((), (), (), True)
    if pieces.everything:
        pieces = everything(g, seat, origin, lead)
    judge_company(g, seat, origin, lead, pieces, minor)
    if not pieces.cus and not g.rules.lone_general_intercepts:
        raise Refused("11.2", "army_needed", general=lead.name)
    return Order("intercept", general=lead.name, from_=origin, pieces=pieces, minor=minor.name if minor else None,
                 minor_role=order.minor_role or ("lead" if minor is lead else "stay") if minor else None)


def placed_minor(g: Game, seat: str, order: Order, lead: General) -> General | None:
    """7.1 C, 11.2 A Minor General from off map, to lead the attempt or to stay behind."""
    if lead.seat != seat:
        raise Refused("11.2", "general_not_yours", general=lead.name, owner=lead.seat)
    wanted = order.minor or (lead.name if lead.minor and lead.at == OFF else None)
    if not wanted:
        if not g.on_map(lead):
            raise Refused("11.2", "general_not_on_map", general=lead.name, at=lead.at)
        return None
    free = g.minors_off_map(seat)
    if wanted == "any":
        if lead in free:
            return lead
        if not free:
            raise Refused("7.1C", "no_minor_left", minors=[one.name for one in g.generals_of(seat) if one.minor])
        return free[0]
    one = g.generals[wanted]
    if one not in free:
        raise Refused("7.1C", "minor_on_map", minor=wanted, at=one.at)
    return one


def everything(g: Game, seat: str, origin: str, lead: General) -> Pieces:
    """All that may come along: a Minor General leads nobody, a Major nobody senior to him."""
    generals = [] if lead.minor else [one.name for one in g.generals_at(origin, seat)
                                      if one is not lead and not one.minor and one.grade < lead.grade]
    cus = g.kinds(origin, seat)
    royals = [royal.name for royal in g.royals_at(origin, seat) if may_be_carried(g, royal.name)] if cus else []
    return Pieces.of(generals, cus, royals)


def judge_company(g: Game, seat: str, origin: str, lead: General, pieces: Pieces, minor: General | None) -> None:
    """11.2, 8.4 Everything named has to be there; the most senior General named has to lead."""
    if lead is not minor and lead.at != origin:
        raise Refused("11.2", "not_in_the_location", piece=lead.name, at=origin)
    for name in pieces.generals:
        one = g.generals[name]
        if one.seat != seat or one.at != origin:
            raise Refused("11.2", "not_in_the_location", piece=name, at=origin)
        if one.minor or lead.minor:
            raise Refused("9.1", "minor_with_general", minor=name if one.minor else lead.name)
        if one.grade > lead.grade:
            raise Refused("11.2", "senior_leads", general=name, lead=lead.name)
    there = g.kinds(origin, seat)
    judge_named(pieces, there, too_few("11.2", there, origin))
    for name in pieces.royals:
        royal = g.royals[name]
        if royal.at != origin or royal.seat != seat:
            raise Refused("8.4", "royal_not_yours", royal=name, at=royal.at, owner=royal.seat)
        judge_carried(g, name)
    if pieces.royals and not pieces.cus:
        raise Refused("8.4", "royal_needs_army", royal=pieces.royals[0], general=lead.name)
    judge_march_limit(g, pieces)


def candidate_attempts(g: Game, seat: str, way: Way) -> Iterator[tuple[Order, ...]]:
    """Pass; each General with everything; all at once; then parts, and Minor Generals placed for it."""
    yield PASS
    places = origins(g, seat, way)
    leads = {origin: [one.name for one in g.generals_at(origin, seat)] for origin in places}
    for origin in places:
        for name in leads[origin]:
            yield (Order("intercept", general=name, from_=origin, pieces=Pieces((), (), (), True)),)
    if len(places) > 1:
        yield tuple(Order("intercept", general=leads[origin][0], from_=origin, pieces=Pieces((), (), (), True))
                    for origin in places)
    yield from candidate_independents(g, seat, way)
    for origin in places:
        for name in leads[origin]:
            for pieces in islice(parts(everything(g, seat, origin, g.generals[name])), 400):
                yield (Order("intercept", general=name, from_=origin, pieces=pieces),)
        for minor in g.minors_off_map(seat)[:1]:
            for pieces in islice(parts(everything(g, seat, origin, minor)), 400):
                yield (Order("intercept", general=minor.name, from_=origin, pieces=pieces, minor=minor.name,
                             minor_role="lead"),)
                for name in leads[origin]:
                    yield (Order("intercept", general=name, from_=origin, pieces=pieces, minor=minor.name,
                                 minor_role="stay"),)
    for origin in places:
        yield from handful_attempts(g, seat, origin)


def handful_attempts(g: Game, seat: str, origin: str) -> Iterator[tuple[Order, ...]]:
    """Every handful of what stands there, whoever leads it."""
    for lead in (*g.generals_at(origin, seat), *g.minors_off_map(seat)):
        for pieces in handfuls(everything(g, seat, origin, lead)):
            yield (Order("intercept", general=lead.name, from_=origin, pieces=pieces),)


def costs_of(g: Game, seat: str, way: Way, answer: tuple[Order, ...]) -> list[Price]:
    """11.1 What an attempt may cost that is easily overlooked: a General alone may try, and faces 10 G and 10 I (B24)."""
    prices: list[Price] = []
    for order in answer:
        if order.verb != "intercept" or order.discarding:
            continue
        if not order.pieces.cus:
            prices.append(("11.1", "costs_lone_interceptor", {"general": order.general, "space": space_of(way.target)}))
        left = g.count(order.from_, seat) - order.pieces.count()
        stays = [one for one in g.generals_at(order.from_, seat)
                 if one.name != order.general and one.name not in order.pieces.generals]
        if left and not stays and not (order.minor and order.minor_role == "stay") and g.controller(
                space_of(order.from_)) != seat:
            prices.append(("7.2A", "costs_unowned", {"at": order.from_, "count": left}))
    return prices


# --- 16.11 Independents that intercept ---------------------------------------------------------------------------


def judge_interceptor(g: Game, one: General, way: Way) -> None:
    """11.1, 16.11 All that is asked of a player's General."""
    judge_open(g, INDEPENDENT, way)
    judge_origin(g, INDEPENDENT, one.at, way)
    if not reactions.may_go(g, one, space_of(way.target)):
        raise Refused("9.5", "not_his_country", general=one.name, space=space_of(way.target),
                      provinces=g.facts.independents[one.name]["restriction"]["provinces"])


def interceptors(g: Game, way: Way) -> list[General]:
    """The Independent Generals that may attempt it."""
    found = []
    for name in g.facts.independents if g.rules.independents_react and way.seat != INDEPENDENT else ():
        one = g.generals[name]
        if g.on_map(one):
            try:
                judge_interceptor(g, one, way)
            except Refused:
                continue
            found.append(one)
    return found


def judge_independents(g: Game, seat: str, way: Way, answer: tuple[Order, ...]) -> tuple[Order, ...]:
    """11.2, 16.11 Instead of one's own attempts: one from each space, each for a card."""
    read: list[Order] = []
    for order in answer:
        if order.verb != "intercept" or g.generals[order.general].seat != INDEPENDENT:
            raise Refused("16.11", "own_or_independent")
        one = reactions.judge_army(g, order.general)
        judge_interceptor(g, one, way)
        if one.at in [other.from_ for other in read]:
            raise Refused("11.2", "one_attempt_per_space", space=space_of(one.at))
        read.append(Order("intercept", general=one.name, from_=one.at, discarding=True))
    reactions.judge_payer(g, seat, len(read))
    return tuple(read)


def candidate_independents(g: Game, seat: str, way: Way) -> Iterator[tuple[Order, ...]]:
    """Each of them, and all together."""
    found = interceptors(g, way)
    for one in found:
        yield (Order("intercept", general=one.name, from_=one.at, discarding=True),)
    if len(found) > 1:
        yield tuple(Order("intercept", general=one.name, from_=one.at, discarding=True) for one in found)


def army(g: Game, one: General) -> Pieces:
    """16.11 An Independent Army never splits, and no other comes with it."""
    return Pieces.of(cus={INDEPENDENT: min(g.facts.independents[one.name]["cus"], g.count(one.at, INDEPENDENT))})


# --- 11.2 Resolve ------------------------------------------------------------------------------------------------


def number_needed(g: Game, one: General) -> int:
    """11.2 Higher than the Initiative Rating; a Special Ability may name a lower number."""
    return abilities.lowest(g, one, "intercept_target")


def modifier(g: Game, space: str, into_transit: int) -> int:
    """11.2, 12.2 What is added to the die for the space entered."""
    return into_transit if g.board.kind(space) == "transit" else 0


def number_here(g: Game, one: General, origin: str, way: Way) -> int:
    """11.2 What the die has to show, with everything that is added to it taken off."""
    return number_needed(g, one) - modifier(g, space_of(way.target), g.rules.into_transit) - cavalry.reaction(g, one, origin)


def question(g: Game, way: Way) -> Question:
    sides = could_intercept(g, way)

    def about() -> dict[str, object]:
        needed = {one.name: number_here(g, one, origin, way) for seat in sides for origin in origins(g, seat, way)
                  for one in (*g.generals_at(origin, seat), *g.minors_off_map(seat)[:1])}
        needed |= {one.name: number_here(g, one, one.at, way) for one in interceptors(g, way)}
        return {"mover": way.seat, "general": way.key, "space": way.target, "origin": way.origin, "needed": needed,
                "owner": g.controller(space_of(way.target)), "route": g.activation.route if g.activation else ()}

    return Poll(
        sides, "interception", "11.2", about=about,
        read=lambda side, answer: judge_attempts(g, side, way, answer),
        candidates=lambda side: candidate_attempts(g, side, way), default=PASS,
        costs=lambda side, answer: costs_of(g, side, way, answer))


def tell_barred(g: Game, way: Way) -> None:
    """Nobody is asked although somebody is near: everybody hears why."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for seat, why in barred(g, way):
        reasons.setdefault((why.key, why.rule), []).append(seat)
    for (key, rule), seats in reasons.items():
        g.tell(ALL, "interception_barred", seats=seats, space=space_of(way.target), why=key, rule=rule)


def interceptions(g: Game, way: Way) -> Procedure[None]:
    """11.2 All declare before any die falls; the first faction to succeed shuts out the others but rolls all its own."""
    if not g.beside(space_of(way.target)) - {way.seat} and not g.rules.independents_react:
        return
    if not could_intercept(g, way):
        tell_barred(g, way)
        return
    declared = yield lambda: question(g, way)
    paid = yield from reactions.pay(g, declared)
    space, winner = space_of(way.target), ""
    attempts = [(seat, order) for seat, orders in declared.items() for order in orders
                if order.verb == "intercept" and reactions.is_paid(paid, seat, order)]
    for _, order in attempts:
        declare(g, order, space)
    for seat, order in attempts:
        one = g.generals[order.general]
        if winner not in ("", one.seat):
            g.tell(ALL, "interception_cancelled", seat=one.seat, general=one.name, space=space, by=winner)
            continue
        cavalry.tell_reaction(g, one, order.from_)
        die, name = g.roll("interception", space, seat, one.name)
        needed = number_here(g, one, order.from_, way)
        succeeded = die >= needed
        g.tell(ALL, "interception_rolled", seat=one.seat, general=one.name, space=space, die=die, name=name,
               needed=needed, succeeded=succeeded)
        if succeeded:
            if g.activation is not None:
                pieces = company_of(g, order)
                g.activation.intercepting.append(
                    Interceptor(order.from_, (one.name, *pieces.generals), dict(pieces.cus), pieces.royals))
            winner = one.seat
            carry_out(g, one.seat, order, space)
    if winner and g.activation is not None:
        g.activation.intercepted.add((space, winner))
        g.activation.met = True


def declare(g: Game, order: Order, space: str) -> None:
    """11.2 What was declared, and the Minor General placed for it."""
    if order.minor:
        put_minor(g, order.minor, order.from_)
    one = g.generals[order.general]
    g.tell(ALL, "interception_declared", seat=one.seat, general=one.name, origin=order.from_, space=space,
           pieces=company_of(g, order))


def put_minor(g: Game, minor: str, at: str) -> None:
    one = g.generals[minor]
    one.at = at
    g.tell(ALL, "minor_placed", seat=one.seat, minor=minor, at=at, origin=OFF)


def company_of(g: Game, order: Order) -> Pieces:
    """Who comes along: the pieces declared, or the whole of an Independent Army."""
    pieces: Pieces = army(g, g.generals[order.general]) if order.discarding else order.pieces
    return pieces


def carry_out(g: Game, seat: str, order: Order, space: str) -> None:
    """11.2 Success obliges: all that was declared comes, never inside a Major City (11.1)."""
    pieces = company_of(g, order)
    g.add(space, seat, g.remove_kinds(order.from_, seat, dict(pieces.cus), order=lambda unit: unit.past))
    for name in (order.general, *pieces.generals):
        g.generals[name].at = space
    for name in pieces.royals:
        g.royals[name].at = space
    g.tell(ALL, "intercepted", seat=seat, general=order.general, origin=order.from_, space=space, pieces=pieces)
