"""4 Setup."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Poll, Procedure, Question
from pbem.orders import PASS, Order
from pbem.rules import ownership
from pbem.rules.preparations import around
from pbem.table.events import ALL
from pbem.table.state import BOX, INDEPENDENT, NOT_IN_PLAY, NOWHERE, Game, Step, Unit, space_of


def setup_phase(g: Game) -> Procedure[None]:
    """4 The pieces of nobody, the Royal Family, the deal, and everybody's Generals; may be taken up at each step."""
    if not g.step:
        place_non_player_pieces(g)
        place_royal_family(g)
        g.step = Step.DEAL
    if g.step == Step.DEAL:
        g.step = Step.PLACE
        if not g.dealt:
            distribute(g)
            g.step = Step.SWAP if len(g.seats) == 5 else Step.SEATING
    if g.step == Step.SWAP:
        yield from swap(g)
        g.step = Step.SEATING
    if g.step == Step.SEATING:
        if g.rules.seats_chosen and len(g.seats) > 2:
            yield from seating(g)
        g.step = Step.PLACE
    seat_from_perdikkas(g)
    yield from place_generals(g)


# --- 4.1, 4.2 Pieces of nobody -----------------------------------------------------------------------------------


def place_non_player_pieces(g: Game) -> None:
    """4.1, E, F Independent PCs and Armies; Fleets and the rest stay in their boxes."""
    for space in g.board.independent_at_start(len(g.seats)):
        g.set_pc(space, INDEPENDENT)
    for name, fact in g.facts.independents.items():
        one = g.generals[name]
        one.seat, one.at = INDEPENDENT, BOX if fact["start"] == "box" else fact["start"]
        if one.at != BOX:
            g.add(one.at, INDEPENDENT, {Unit(INDEPENDENT): fact["cus"]})


def place_royal_family(g: Game) -> None:
    """4.2 Nobody controls them yet; Philippos waits in his box, the Tomb is not built."""
    for name, fact in g.facts.royals.items():
        start = g.rules.royal_starts.get(name, fact["start"])
        waits = start not in g.board.index or name in g.rules.waiting_royals
        g.royals[name].at = NOWHERE if waits else start
        g.royals[name].seat = ""


# --- 4.3, 4.4 Major Generals -------------------------------------------------------------------------------------


def starting(g: Game) -> list[str]:
    """4.3 The Starting Generals for so many players, the most Senior first."""
    names = [name for name in g.facts.generals if g.group(name) == "starting"]
    return sorted(names, key=lambda name: -g.generals[name].seniority)


def distribute(g: Game) -> None:
    """4.4 The Starting Generals are shuffled and dealt."""
    names = shuffled(g, starting(g), "deal")
    number = len(names) // len(g.seats)
    for index, seat in enumerate(g.seats):
        own = names[index * number:(index + 1) * number]
        g.dealt[seat] = tuple(sorted(own, key=lambda name: -g.generals[name].seniority))
        g.tell(ALL, "generals_dealt", seat=seat, generals=list(g.dealt[seat]))


def shuffled(g: Game, names: list[str], purpose: str) -> list[str]:
    """Cards that lie open as soon as they are dealt: one named draw for each place."""
    names = list(names)
    for place in range(len(names) - 1, 0, -1):
        values, _ = g.draw(purpose, str(place + 1), sides=place + 1)
        other = values[0] - 1
        names[place], names[other] = names[other], names[place]
    return names


def swap(g: Game) -> Procedure[None]:
    """4.4 Five players: everybody gives one General back, face down; these are shuffled and dealt again."""
    answers = yield lambda: give_back_question(g)
    given = []
    for seat in g.seats:
        given.append(given_back(g, seat, answers[seat]))
        g.tell(ALL, "general_given_back", seat=seat, general=given[-1])
    new = shuffled(g, given, "redeal")
    for seat, old, name in zip(g.seats, given, new, strict=True):
        kept = [one for one in g.dealt[seat] if one != old]
        g.dealt[seat] = tuple(sorted([*kept, name], key=lambda one: -g.generals[one].seniority))
        g.tell(ALL, "generals_dealt", seat=seat, generals=list(g.dealt[seat]))


def given_back(g: Game, seat: str, answer: tuple[Order, ...]) -> str:
    """The General that goes back; silence means the junior one."""
    return str(answer[0].general) if answer[0].general else g.dealt[seat][-1]


def give_back_question(g: Game) -> Question:

    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if answer == PASS:
            answer = (Order("give_back", general=g.dealt[side][-1]),)
        if len(answer) != 1 or answer[0].verb != "give_back":
            raise Refused("4.4", "give_back_wanted", generals=list(g.dealt[side]))
        if answer[0].general not in g.dealt[side]:
            raise Refused("4.4", "not_dealt_to_you", general=answer[0].general, generals=list(g.dealt[side]))
        return (Order("give_back", general=answer[0].general),)

    def candidates(side: str) -> Iterator[tuple[Order, ...]]:
        for name in reversed(g.dealt[side]):
            yield (Order("give_back", general=name),)

    return Poll(g.seats, "give_back", "4.4", read=read, candidates=candidates, default=PASS,
                about={"dealt": {seat: list(dealt) for seat, dealt in g.dealt.items()}})


def seating(g: Game) -> Procedure[None]:
    """4.4 Now that everybody knows where he begins: the circle that more than half of the players name."""
    answers = yield lambda: seating_question(g)
    named = Counter(answers[seat][0].seating or g.seats for seat in g.seats)
    circle, votes = named.most_common()[0]
    g.seats = circle if 2 * votes > len(g.seats) else g.seats
    g.tell(ALL, "seated", order=list(g.seats), votes=named[g.seats], players=len(g.seats))


def seating_question(g: Game) -> Question:

    def read(side: str, answer: tuple[Order, ...]) -> tuple[Order, ...]:
        if answer == PASS:
            return answer
        if len(answer) != 1 or answer[0].verb != "sit" or sorted(answer[0].seating) != sorted(g.seats):
            raise Refused("4.4", "seating_wanted", seats=list(g.seats))
        return (Order("sit", seating=around(answer[0].seating, g.seats[0], "left")),)

    def candidates(side: str) -> Iterator[tuple[Order, ...]]:
        first, *others = g.seats
        for circle in permutations(others):
            yield (Order("pass") if circle == tuple(others) else Order("sit", seating=(first, *circle)),)

    return Poll(g.seats, "seating", "4.4", read=read, candidates=candidates, default=PASS,
                about={"dealt": {seat: list(dealt) for seat, dealt in g.dealt.items()}, "order": list(g.seats)})


# --- 4.6 Place Starting Major Generals ---------------------------------------------------------------------------


def seat_from_perdikkas(g: Game) -> None:
    """4.6 Who was dealt Perdikkas begins, then around the table to the left."""
    first = next((seat for seat in g.seats if "perdikkas" in g.dealt.get(seat, ())), g.seats[0])
    g.turn_order = around(g.seats, first, "left")


def to_place(g: Game, seat: str) -> list[str]:
    """The Generals that a player was dealt and has not placed yet."""
    return [name for name in g.dealt.get(seat, ()) if g.generals[name].at == NOT_IN_PLAY]


def place_generals(g: Game) -> Procedure[None]:
    """4.6 Player by player; where a General has one space only nobody is asked."""
    for seat in g.turn_order:
        yield from place_generals_of(g, seat)


def place_generals_of(g: Game, seat: str) -> Procedure[None]:
    while waiting := to_place(g, seat):
        certain = [name for name in waiting if len(start_spaces(g, name)) == 1]
        if certain:
            deploy(g, seat, certain[0], start_spaces(g, certain[0])[0])
            continue
        order = yield lambda: deployment_question(g, seat)
        if order:
            deploy(g, seat, order.general, order.at)


def start_spaces(g: Game, general: str) -> list[str]:
    """4.6 Where a Starting General may begin."""
    fact = g.facts.generals[general]["setup"]
    return list(fact["spaces"]) if fact else []


def deployment_question(g: Game, seat: str) -> Question | None:
    waiting = to_place(g, seat)
    if not waiting:
        return None

    def read(side: str, order: Order) -> Order:
        if order.verb != "deploy" or order.general not in waiting:
            raise Refused("4.6", "deployment_wanted", generals=waiting)
        if order.at not in start_spaces(g, order.general):
            raise Refused("4.6", "not_a_start_space", general=order.general, at=order.at,
                          spaces=start_spaces(g, order.general))
        return Order("deploy", general=order.general, at=order.at)

    offers = [Order("deploy", general=name, at=space) for name in waiting for space in start_spaces(g, name)]
    return Ask(seat, "deployment", "4.6", read=read, candidates=lambda side: iter(offers), default=offers[0],
               about={"generals": waiting, "spaces": {name: start_spaces(g, name) for name in waiting}})


def deploy(g: Game, seat: str, general: str, at: str) -> None:
    """4.6 The General with his CUs, and PCs in his Province; those spaces that begin Independent stay so (B13)."""
    fact, one = g.facts.generals[general]["setup"], g.generals[general]
    one.at, one.seat = at, seat
    cus = Counter(fact["cus"]) + Counter(g.rules.starting_cus)
    g.add(at, seat, {Unit(kind): number for kind, number in cus.items()})
    grey = g.board.independent_at_start(len(g.seats))
    for space in g.board.spaces_of(fact["province"]):
        if space not in grey:
            g.set_pc(space, seat)
    g.tell(ALL, "general_arrived", seat=seat, general=general, at=space_of(at))
    ownership.end_of_procedure(g)
