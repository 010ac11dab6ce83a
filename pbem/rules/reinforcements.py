"""5.2 The Reinforcements Phase, and everything that is placed as a Reinforcement at other times (6.2 B3, 6.2 D, 6.3, 7.1 B)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question, at_once
from pbem.orders import CU_ORDER, NONE, Order, Pieces
from pbem.rules import ownership, victory
from pbem.rules.acts import Act, Price
from pbem.rules.company import appear, pick_minor
from pbem.rules.pieces import ANY_NUMBER, judge_elephants, judge_named, parts, room_at
from pbem.table.events import ALL
from pbem.table.state import DISPERSED, INDEPENDENT, NOT_IN_PLAY, Game, General, Step, Unit, is_at_sea, is_inside, space_of

CU_LIMIT = 2                                        # 5.2 CUs in a space, or without an eligible space in a Province

# --- 5.2 The phase -----------------------------------------------------------------------------------------------


def reinforcements_phase(g: Game) -> Procedure[None]:
    """5.2 Everybody collects, then in Turn Order everybody places. There is none on Game Turn I (5.1 A)."""
    if g.turn == 1:
        return
    if not g.step:
        return_fleets(g)
        collect(g)
        g.step = Step.PLACING
    for seat in g.turn_order:
        if due_pieces(g, seat) != NONE:
            yield from place_due(g, seat)
            g.placed.clear()
            g.overflowed.clear()


def return_fleets(g: Game) -> None:
    """5.2 Dispersed Fleets are available again, if not a card has to fetch them (16.10); those of nobody go to their boxes."""
    for fleet in g.fleets.values():
        if fleet.dispersed and (g.rules.fleets_return or not fleet.seat):
            fleet.dispersed = False
            g.tell(ALL, "fleet_returned", fleet=fleet.name, seat=fleet.seat)


def collect(g: Game) -> None:
    """5.2 Everybody collects what was dispersed, 2 Mercenaries, and the bonuses."""
    legitimate = senior(g, best(g, {one: victory.legitimacy(g, one) for one in g.seats}))
    powerful = best(g, {one: victory.points(g, one) for one in g.seats})
    for seat in g.turn_order:
        sources = dict(bonuses(g, seat, legitimate, powerful))
        due = g.due.setdefault(seat, Counter())
        due.update(g.dispersed[seat])
        g.dispersed[seat] = Counter()
        for cus in sources.values():
            due.update(cus)
        generals = [one.name for one in g.generals_of(seat) if one.at == DISPERSED]
        g.due_generals[seat] = sorted(generals, key=lambda name: -g.generals[name].seniority)
        g.tell(ALL, "reinforcements_due", seat=seat, cus=dict(due), generals=list(g.due_generals[seat]),
               parts={source: sum(cus.values()) for source, cus in sources.items()})


def bonuses(g: Game, seat: str, legitimate: str, powerful: list[str]) -> Iterator[tuple[str, dict[str, int]]]:
    """5.2 The CUs that everybody gets, those for Makedonia, for the most Legitimacy and VP, and those of a card kept."""
    table = g.facts.tables["reinforcements"]
    riders = int(any(g.province_controller(province) == seat for province in g.rules.cavalry_provinces))
    yield "everybody", {"mercenary": table["every_player_mercenaries"] - riders, **({"cavalry": riders} if riders else {})}
    for source, provinces in g.rules.cavalry_gifts.items():
        if all(g.province_controller(province) == seat for province in provinces):
            yield source, {"cavalry": 1}
    if g.rules.cavalry_treasures and richest(g) == seat:
        yield "treasure_cities", {"cavalry": 1}
    if g.province_controller("makedonia") == seat:
        yield "makedonia", {"loyal": table["makedonia_loyal"]}
    if seat == legitimate:
        yield "most_legitimacy", {"loyal": table["most_legitimacy_loyal"]}
    if seat in powerful:
        key = "most_vp_mercenaries" if len(powerful) == 1 else "most_vp_tied_mercenaries"
        yield "most_points", {"mercenary": table[key]}
    for card, holder in g.kept.items():
        extra = g.facts.cards[card]["params"].get("each_reinforcements")
        if holder == seat and extra:
            yield g.facts.cards[card]["effect_key"], extra


def richest(g: Game) -> str:
    """5.2 Who controls the most treasure cities that nobody has looted; of two nobody."""
    cities = [space for space in g.board.spaces if g.facts.spaces[space]["treasure"] and space not in g.looted]
    owned = {seat: sum(g.controller(city) == seat for city in cities) for seat in g.seats}
    most = best(g, owned)
    return most[0] if len(most) == 1 else ""


def best(g: Game, totals: dict[str, int]) -> list[str]:
    """Who has the most, in Turn Order."""
    most = max(totals.values())
    return [seat for seat in g.turn_order if totals.get(seat) == most]


def seniority(g: Game, seat: str) -> int:
    """7.1 A The rank of a faction's most Senior General; those in the Dispersed Box count (B44)."""
    return max((one.seniority for one in living(g, seat)), default=0)


def living(g: Game, seat: str) -> list[General]:
    """6.2 D The Major Generals of a faction who are alive: on the map or dispersed."""
    return [one for one in g.generals_of(seat) if not one.minor and (g.on_map(one) or one.at == DISPERSED)]


def senior(g: Game, seats: list[str]) -> str:
    """7.1 A Who of the tied has the most Senior General; if none of them has a Major General, a die decides (B44)."""
    return highest_die(g, best(g, {seat: seniority(g, seat) for seat in seats}), "seniority")


def highest_die(g: Game, seats: list[str], why: str) -> str:
    """A tie that only a die can break; again among those who tie once more."""
    while len(seats) > 1:
        dice = tie_dice(g, seats, why)
        seats = [seat for seat in seats if dice[seat] == max(dice.values())]
    return seats[0]


def lowest_die(g: Game, seats: list[str], why: str) -> str:
    """5.1 C, 6 The lowest die breaks the tie; a second tie is rolled again (B11)."""
    while len(seats) > 1:
        dice = tie_dice(g, seats, why)
        seats = [seat for seat in seats if dice[seat] == min(dice.values())]
    return seats[0]


def tie_dice(g: Game, seats: Iterable[str], why: str) -> dict[str, int]:
    dice = {}
    for seat in seats:
        dice[seat], name = g.roll("tie", seat)
        g.tell(ALL, "tie_rolled", seat=seat, why=why, die=dice[seat], name=name)
    return dice


# --- 5.2 Where -----------------------------------------------------------------------------------------------------


def enemies_in(g: Game, seat: str, space: str) -> list[str]:
    """Other factions with a CU or General anywhere in the space."""
    if space not in g.board.index:                  # where a dispersed General lies nobody stands
        return []
    return [side for side in dict.fromkeys(side for at in g.locations_of(space) for side in g.sides_at(at)) if side != seat]


def opens(g: Game, seat: str, space: str) -> bool:
    """5.2 An unbesieged General of one's own who was on the map before this phase or segment began.

    Where a foreign General is left beside him (an interceptor and a bystander, both alone) nothing is placed: CUs would
    disperse that one without a move (10 I). Besieged is who sits inside a city, not who stands before it (B40).
    """
    for at in g.locations_of(space):
        for one in g.generals_at(at, seat):
            if one.name not in g.arrived and g.sides_at(at) == [seat] and not (is_inside(at) and enemies_in(g, seat, space)):
                return True
    return False


def is_eligible(g: Game, seat: str, space: str) -> bool:
    """5.2 Own PC without enemy CUs and Generals, or a General of one's own who stands there already."""
    if space not in g.board.index:                  # a General in the Dispersed Box stands nowhere
        return False
    return g.controller(space) == seat and not enemies_in(g, seat, space) or opens(g, seat, space)


def has_major(g: Game, seat: str, space: str) -> bool:
    """5.2 An own Major City, or a Major General of one's own in the space: any number of CUs."""
    if g.board.kind(space) == "major" and g.controller(space) == seat:
        return True
    return any(not one.minor for at in g.locations_of(space) for one in g.generals_at(at, seat))


def room(g: Game, seat: str, space: str) -> int:
    """5.2 How many more CUs an eligible space takes now."""
    return ANY_NUMBER if has_major(g, seat, space) else max(0, CU_LIMIT - g.placed[space])


def eligible(g: Game, seat: str) -> Iterator[str]:
    """The spaces where Reinforcements may go now; some of them may be full."""
    own = g.pcs_of(seat)
    led = [space_of(one.at) for one in g.generals_of(seat) if g.on_map(one)]
    return (space for space in dict.fromkeys([*own, *led]) if is_eligible(g, seat, space))


def is_open_ground(g: Game, seat: str, space: str) -> bool:
    """5.2 Without an eligible space: uncontrolled or Independent, no enemies, no other player's Province."""
    owner = g.province_controller(g.board.province_of(space))
    return g.controller(space) in ("", INDEPENDENT) and not enemies_in(g, seat, space) and owner in ("", seat, INDEPENDENT)


def open_ground(g: Game, seat: str) -> list[str]:
    return [space for space in g.board.spaces if is_open_ground(g, seat, space)]


def overflow_room(g: Game, space: str) -> int:
    """5.2 Two CUs per Province, whoever is placed with them."""
    return CU_LIMIT - g.overflowed[g.board.province_of(space)]


def must_overflow(g: Game, seat: str, due: Pieces) -> bool:
    """5.2 It is impossible to place what is left in eligible spaces."""
    if due.generals or not due.count():             # a Major General placed with them lifts the limit
        return not any(eligible(g, seat))
    return not any(room(g, seat, space) >= smallest(due) for space in eligible(g, seat))


def smallest(due: Pieces) -> int:
    """7.2 D How many CUs have to find room together at least: the Silver Shields never part."""
    return min(number if kind == "silver" else 1 for kind, number in due.cus)


def due_pieces(g: Game, seat: str) -> Pieces:
    """What a player still has to place."""
    return Pieces.of(g.due_generals.get(seat, ()), g.due.get(seat))


# --- 5.2 Placing ---------------------------------------------------------------------------------------------------


def judge_location(g: Game, seat: str, at: str, cus: Mapping[str, int]) -> None:
    """9.4 Only the controller's pieces stand inside a city, two CUs at most; nothing is placed at sea."""
    space = space_of(at)
    if is_at_sea(at):
        raise Refused("5.2", "nothing_placed_at_sea", space=space)
    if is_inside(at):
        if g.board.kind(space) != "major" or g.controller(space) != seat:
            raise Refused("9.4", "not_your_city", space=space, owner=g.controller(space))
        free, wanted = room_at(g, at, seat), sum(cus.values())
        if wanted > free:
            raise Refused("9.4", "city_is_full", space=space, room=free, wanted=wanted)
        judge_elephants(g, at, cus)


def judge_pieces_due(due: Pieces, pieces: Pieces) -> None:
    """Only what is there to be placed can be."""

    def lacking(piece: str, number: object = None) -> Refused:
        return Refused("5.2", "not_among_reinforcements", piece=piece, cus=dict(due.cus), generals=list(due.generals))

    for name in pieces.generals:
        if name not in due.generals:
            raise lacking(name)
    judge_named(pieces, Counter(dict(due.cus)), lacking)
    if pieces.royals or not (pieces.generals or pieces.count()):
        raise Refused("5.2", "nothing_to_place", cus=dict(due.cus), generals=list(due.generals))


def judge_reinforce(g: Game, seat: str, order: Order, due: Pieces) -> Order:
    """5.2 May these pieces be placed in this location? Returns the order in full."""
    at, space = order.location, space_of(order.location)
    pieces, minor = pieces_named(g, seat, order, due)
    judge_pieces_due(exchanged(g, due, pieces), pieces)
    if is_eligible(g, seat, space):
        judge_location(g, seat, at, dict(pieces.cus))
        free = ANY_NUMBER if pieces.generals else room(g, seat, space)
        if pieces.count() <= free:
            if minor and not (g.rules.minors_reinforce and g.controller(space) == seat and pieces.count()):
                raise Refused("7.1C", "minor_only_in_overflow", minor=minor)
            return Order("reinforce", location=at, pieces=pieces, minor=minor or None)
        raise Refused("5.2", "two_cus_per_space", space=space, room=free, wanted=pieces.count(), spaces=places(g, seat))
    if not must_overflow(g, seat, due):
        raise Refused("5.2", "no_reinforcements_there", space=space, owner=g.controller(space),
                      enemies=enemies_in(g, seat, space), spaces=places(g, seat))
    return judge_overflow(g, seat, at, pieces, minor)


def exchanged(g: Game, due: Pieces, pieces: Pieces) -> Pieces:
    """5.2 What is due, if the first that is placed of it rides for Mercenaries that are left."""
    price, cus = g.rules.cavalry_swapped, Counter(dict(due.cus))
    if not price or g.phase != "reinforcements" or g.placed or pieces.number_of("cavalry") <= cus["cavalry"] or (
            cus["mercenary"] < price):
        return due
    cus.update({"cavalry": 1, "mercenary": -price})
    return Pieces.of(due.generals, cus, due.royals)


def judge_overflow(g: Game, seat: str, at: str, pieces: Pieces, minor: str) -> Order:
    """5.2 Placing where nobody rules, because no eligible space is left."""
    space = space_of(at)
    if not is_open_ground(g, seat, space):
        raise Refused("5.2", "no_overflow_there", space=space, owner=g.controller(space), enemies=enemies_in(g, seat, space),
                      province=g.board.province_of(space), ruler=g.province_controller(g.board.province_of(space)))
    judge_location(g, seat, at, dict(pieces.cus))
    free = overflow_room(g, space)
    if pieces.count() > free:
        raise Refused("5.2", "two_cus_per_province", province=g.board.province_of(space), room=free, wanted=pieces.count())
    return Order("reinforce", location=at, pieces=pieces, minor=minor or None)


def pieces_named(g: Game, seat: str, order: Order, due: Pieces) -> tuple[Pieces, str]:
    """The pieces of an order, and the Minor General placed with them (B12)."""
    pieces = due if order.pieces.everything else order.pieces
    minors = [name for name in pieces.generals if name in g.generals and g.generals[name].minor]
    wanted = order.minor or (minors[0] if minors else None)
    minor = pick_minor(g, seat, wanted).name if wanted else ""
    return Pieces.of([name for name in pieces.generals if name not in minors], dict(pieces.cus), pieces.royals), minor


def places(g: Game, seat: str) -> list[str]:
    """Where a CU could still go: what a refusal offers."""
    return [space for space in eligible(g, seat) if room(g, seat, space)] or open_ground(g, seat)


def put(g: Game, seat: str, at: str, pieces: Pieces, minor: str) -> None:
    """The pieces come onto the map; what nobody can be shown to own is dispersed at once (5.2, 7.2 A)."""
    space = space_of(at)
    overflow = not is_eligible(g, seat, space)
    for name in pieces.generals:
        arrive(g, seat, name, at)
    if minor:
        appear(g, minor, at)
    if pieces.count():
        g.add(at, seat, {Unit(kind): number for kind, number in pieces.cus})
        g.placed[space] += pieces.count()
        if overflow:
            g.overflowed[g.board.province_of(space)] += pieces.count()
    g.tell(ALL, "reinforced", seat=seat, at=at, cus=dict(pieces.cus), generals=list(pieces.generals))
    ownership.end_of_procedure(g)


def arrive(g: Game, seat: str, name: str, at: str) -> None:
    """A Major General comes onto the map; he opens no space to others in this phase or segment."""
    one = g.generals[name]
    one.at, one.seat = at, seat
    g.arrived.add(name)


def place_due(g: Game, seat: str) -> Procedure[None]:
    """5.2 A player places all that is due, some of it at a time; what can go nowhere is dispersed."""
    while due_pieces(g, seat) != NONE:
        if not offers_left(g, seat):
            disperse_due(g, seat)
            return
        order = yield lambda: placing_question(g, seat)
        if order:
            deduct_due(g, seat, order.pieces, exchanged(g, due_pieces(g, seat), order.pieces))
            put(g, seat, order.location, order.pieces, order.minor or "")


def deduct_due(g: Game, seat: str, pieces: Pieces, due: Pieces) -> None:
    g.due[seat] = Counter(dict(due.cus)) - Counter(dict(pieces.cus))
    g.due_generals[seat] = [name for name in g.due_generals.get(seat, ()) if name not in pieces.generals]


def offers_left(g: Game, seat: str) -> bool:
    """Is there anywhere to go for at least one of the pieces?"""
    due = due_pieces(g, seat)
    if not must_overflow(g, seat, due):
        return True
    ground = open_ground(g, seat)
    return any(overflow_room(g, space) >= smallest(due) for space in ground) if not due.generals else bool(ground)


def disperse_due(g: Game, seat: str) -> None:
    """5.2 No eligible space is left: the rest goes (back) to the Dispersed Box."""
    due = due_pieces(g, seat)
    g.dispersed[seat].update(dict(due.cus))
    for name in due.generals:
        g.generals[name].at, g.generals[name].seat = DISPERSED, seat
    g.due[seat], g.due_generals[seat] = Counter(), []
    g.tell(ALL, "reinforcements_dispersed", seat=seat, cus=dict(due.cus), generals=list(due.generals))


def placing_question(g: Game, seat: str) -> Question | None:
    """Where do they go? None when nothing is due any more."""
    due = due_pieces(g, seat)
    if due == NONE:
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb != "reinforce":
            raise Refused("5.2", "reinforcements_wanted", cus=dict(due.cus), generals=list(due.generals))
        return judge_reinforce(g, side, order, due)

    def costs(side: str, order: Order) -> list[Price]:
        return dispersal_price(g, side, order)

    question: Question = Ask(
        seat, "reinforcement_choice", "5.2", read=read, costs=costs, default=lambda: next(question.offers(seat)),
        candidates=lambda side: candidate_placings(g, side, due), about=lambda: {
            "cus": dict(due.cus), "generals": list(due.generals), "spaces": places(g, seat), "phase": g.phase})
    return question


def dispersal_price(g: Game, seat: str, order: Order) -> list[Price]:
    """5.2, 7.2 A CUs placed on foreign ground without a General are dispersed at once."""
    at = order.location
    owned = order.minor or order.pieces.generals or ownership.is_owned(g, at, seat)
    if owned or not order.pieces.count():
        return []
    return [("5.2", "costs_dispersed", {"count": order.pieces.count(), "at": at})]


def candidate_placings(g: Game, seat: str, due: Pieces) -> Iterator[Order]:
    """All of it first, then as many CUs as a space takes, then every part; on open ground under a Minor General."""
    if must_overflow(g, seat, due):
        for space in open_ground(g, seat):
            for pieces in (due, *portions(due, overflow_room(g, space)), *singles(due)):
                if not due.generals:
                    yield Order("reinforce", location=space, pieces=pieces, minor="any")
                yield Order("reinforce", location=space, pieces=pieces)
        return
    locations = [at for space in eligible(g, seat) for at in g.locations_of(space)]
    for at in sorted(locations, key=lambda at: not has_major(g, seat, space_of(at))):
        for pieces in (due, *portions(due, min(due.count(), room(g, seat, space_of(at)))), *singles(due)):
            yield Order("reinforce", location=at, pieces=pieces)
    for at in locations:
        for pieces in parts(due):
            yield Order("reinforce", location=at, pieces=pieces)
            if g.rules.cavalry_swapped:
                yield Order("reinforce", location=at, pieces=Pieces.of(cus={"cavalry": pieces.number_of("cavalry") + 1}))
            if g.rules.minors_reinforce:
                yield Order("reinforce", location=at, pieces=pieces, minor="any")


def portions(due: Pieces, number: int) -> Iterator[Pieces]:
    """So many CUs without a General, the best first."""
    if 0 < number <= due.count():
        cus, left = {}, number
        for kind in CU_ORDER:
            cus[kind] = min(left, due.number_of(kind))
            left -= cus[kind]
        yield Pieces.of(cus=cus)


def singles(due: Pieces) -> Iterator[Pieces]:
    for kind, number in due.cus:
        yield Pieces.of(cus={kind: number if kind == "silver" else 1})
    for name in due.generals:
        yield Pieces.of([name])


# --- 6.3 Raising a Mercenary ---------------------------------------------------------------------------------------


def judge_raise(g: Game, seat: str, order: Order) -> Order:
    """6.3 One Mercenary instead of all activations, announced before the movement die falls."""
    if g.step == Step.RAISED:
        raise Refused("6.3", "mercenary_raised")
    if g.movement_roll is not None:
        raise Refused("6.3", "movement_rolled", die=g.movement_roll)
    if g.activation is not None or g.activated or g.allowance:
        raise Refused("6.3", "already_moved", generals=[one.name for one in g.generals_of(seat)
                                                        if one.name in g.activated or one.name in g.allowance])
    due = Pieces.of(cus={"mercenary": g.facts.tables["reinforcements"]["raise_instead_of_moving_mercenaries"]})
    placing = judge_reinforce(g, seat, Order("reinforce", location=order.location, pieces=due, minor=order.minor), due)
    return Order("raise_mercenary", location=placing.location, minor=placing.minor)


@at_once
def raise_mercenary(g: Game, order: Order) -> None:
    """6.3 He is placed as a Reinforcement; nobody moves in this segment any more."""
    g.step = Step.RAISED
    number = g.facts.tables["reinforcements"]["raise_instead_of_moving_mercenaries"]
    g.tell(ALL, "mercenary_raised", seat=g.player, at=order.location)
    put(g, g.player, order.location, Pieces.of(cus={"mercenary": number}), order.minor or "")


def candidate_raisings(g: Game, seat: str) -> Iterator[Order]:
    if g.step == Step.RAISED or g.movement_roll is not None:
        return
    spaces = eligible(g, seat)
    for space in spaces:
        for at in g.locations_of(space):
            yield Order("raise_mercenary", location=at)
    if not spaces:
        for space in open_ground(g, seat):
            yield Order("raise_mercenary", location=space, minor="any")


RAISING: dict[str, Act] = {"raise_mercenary": Act(judge_raise, raise_mercenary, candidate_raisings)}


# --- 7.1 B Event Generals ------------------------------------------------------------------------------------------


def dealt_to(g: Game, general: str) -> str:
    """4.4 Who was dealt a General at the start; where that is not known, whoever has him."""
    return next((seat for seat, dealt in g.dealt.items() if general in dealt), g.generals[general].seat)


def replace_antipatros(g: Game, last: str) -> Procedure[None]:
    """7.1 B Antipatros was killed: Polyperchon comes at once, to the player who was dealt him, in any space he controls.

    `last` had Antipatros: it counts where nobody knows who was dealt him.
    """
    seat = dealt_to(g, "antipatros") or last
    if not g.rules.polyperchon_at_once or g.generals["polyperchon"].at != NOT_IN_PLAY or seat not in g.seats:
        return
    g.generals["polyperchon"].seat, g.generals["polyperchon"].at = seat, DISPERSED
    g.tell(ALL, "general_joined", seat=seat, general="polyperchon")
    order = yield lambda: polyperchon_question(g, seat)
    if order:
        arrive(g, seat, "polyperchon", order.location)
        g.tell(ALL, "general_arrived", seat=seat, general="polyperchon", at=order.location)


def polyperchon_question(g: Game, seat: str) -> Question | None:
    """Any controlled space; where enemies stand only inside the city or beside CUs of one's own, as in the battle that
    Antipatros has just fought (R5). None without such a space: he stays dispersed."""
    locations = [at for space in g.pcs_of(seat) for at in g.locations_of(space)
                 if is_inside(at) or not enemies_in(g, seat, space) or g.count(at, seat)]
    locations.sort(key=lambda at: not is_inside(at) and bool(enemies_in(g, seat, space_of(at))))
    if g.generals["polyperchon"].at != DISPERSED or not locations:
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb != "reinforce" or order.pieces.generals != ("polyperchon",) or order.pieces.count():
            raise Refused("7.1B", "polyperchon_wanted", spaces=list(dict.fromkeys(map(space_of, locations))))
        at = order.location
        if at not in locations and f"{at}/inside" in locations:
            at = f"{at}/inside"
        if at not in locations:
            raise Refused("7.1B", "polyperchon_wanted", spaces=list(dict.fromkeys(map(space_of, locations))))
        return Order("reinforce", location=at, pieces=Pieces.of(["polyperchon"]))

    offers = [Order("reinforce", location=at, pieces=Pieces.of(["polyperchon"])) for at in locations]
    return Ask(seat, "reinforcement_choice", "7.1B", read=read, candidates=lambda side: iter(offers), default=offers[0],
               about={"cus": {}, "generals": ["polyperchon"], "spaces": list(dict.fromkeys(map(space_of, locations))),
                      "phase": g.phase})

