"""What the steps of a published game say -> the lines that a player would have sent, one function for each action."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.base.errors import Refused
from pbem.dev.replay.ahead import REACTIONS, RESULTS
from pbem.dev.replay.marches import force_march, fresh_minor, location, move, movement_roll, note_minor
from pbem.dev.replay.script import Step, Untold
from pbem.dev.replay.table import Table
from pbem.orders import Order, Pieces
from pbem.table.state import INDEPENDENT, space_of

CLOCKWISE = {"clockwise": "left", "counterclockwise": "right"}
AFTER_AN_EVENT = ("place_units", "marriage", "bonus_event", "place_pc")     # steps that say what an event did
USES = {"event": "event", "ops": "ops", "ops_then_event": "bonus", "event_then_ops": "bonus", "bonus": "bonus"}
Fits = Callable[[Order], bool]


# --- phases -------------------------------------------------------------------------------------------------------


def choose_first_player(run: Table) -> None:
    step = run.step
    run.reach_phase(step, ("first_player",))
    run.do(Order("first_player", seat=run.script.seats[step["first"]], direction=CLOCKWISE[step["direction"]]))


def deal_cards(run: Table) -> None:
    """The cards of a Game Turn: what was in a hand before has gone back into the deck."""
    run.reach_strategy(run.step["turn"])
    run.hands = {seat: [] for seat in run.hands}
    for player, names in run.step["hands"].items():
        run.deal(run.script.seats[player], names)


def reacts(run: Table) -> None:
    """A reaction has been given when the rules asked for it; if nobody was asked it cannot be."""
    if run.step["id"] not in run.given:
        raise Untold("nobody was asked for that")


def passes(run: Table) -> None:
    """What follows by itself, or what nobody did."""


def turn_over(run: Table) -> None:
    run.reach_end(run.step["turn"])


# --- cards --------------------------------------------------------------------------------------------------------


def play_card(run: Table) -> None:
    step, g = run.step, run.g
    card = run.card(step["card"], run.seat)
    how = USES.get(step["use"])
    if how is None:
        raise Untold(f"nobody knows the use {step['use']}")
    try:
        if how == "bonus" and g.rules.points_before_event or how == "ops":
            run.do(Order("play", card=card, how=how))
        else:
            run.do(offered(run, card, how, fitting(run, details(run))))
    except Refused as problem:
        if problem.key == "event_must_be" and how == "ops":         # the text spends its points all the same
            run.do(Order("play", card=card, how="bonus"))
            run.hands[run.seat].remove(card)
        raise
    if card in run.hands[run.seat]:
        run.hands[run.seat].remove(card)


def details(run: Table) -> list[Mapping[str, Any]]:
    """The steps behind that tell what the event did; those of its points are no part of it."""
    found = []
    for step in run.script.after(run.index):
        if step["action"] not in AFTER_AN_EVENT or step["action"] == "place_pc" and "source" not in step:
            if run.step["use"] == "event":
                break
            continue
        found.append(step)
    return found


def fitting(run: Table, steps: Sequence[Mapping[str, Any]]) -> Fits:
    """Does an offer do what these steps say?"""
    tests: list[Fits] = []
    for step in steps:
        tests += WHAT_EVENTS_DO[step["action"]](run, step)
    return lambda order: all(test(order) for test in tests)


def placing(run: Table, step: Mapping[str, Any]) -> list[Fits]:
    place = run.spelt.place(step["where"], step.get("assume") or {})
    spaces = {space_of(place.space)} if place.space else set(run.g.board.spaces_of(place.province)) - run.spelt.named_spaces()
    minor = str(step.get("general") or "").startswith("minor ") or "minor" in (step.get("assume") or {})
    kinds = set(run.spelt.units(step["units"]))

    def where(order: Order) -> str:
        kind, name = order.target or ("", "")
        return space_of(order.at or (run.g.generals[name].at if kind == "general" else ""))

    return [lambda order: where(order) in spaces, lambda order: (order.minor is not None) == minor,
            lambda order: order.kind is None or order.kind in kinds]


def pc_of_event(run: Table, step: Mapping[str, Any]) -> list[Fits]:
    return [lambda order: bool(order.pc)]


def on_royal(run: Table, step: Mapping[str, Any]) -> list[Fits]:
    name = run.spelt.royal(step["bride"])
    return [lambda order: order.target in (("royal", name), None)]


def moved_royal(run: Table, step: Mapping[str, Any]) -> list[Fits]:
    told = step.get("move_royal")
    if told is None:
        return []
    name, at = run.spelt.royal(told["who"]), run.spelt.id("space", told["to"])
    return [lambda order: order.target in (("royal", name), None),
            lambda order: order.at is not None and space_of(order.at) == at]


WHAT_EVENTS_DO: dict[str, Callable[[Table, Mapping[str, Any]], list[Fits]]] = {
    "place_units": placing, "place_pc": pc_of_event, "marriage": on_royal, "bonus_event": moved_royal}


def offered(run: Table, card: str, how: str, fits: Fits) -> Order:
    """The first legal play of a card that does what the script says; one that brings no PC before one that does."""
    question = run.question
    if question is None:
        raise Untold("the game is over")
    plays = [one for one in question.candidates(run.seat) if one.verb == "play" and one.card == card and one.how == how]
    for order in sorted(filter(fits, plays), key=lambda one: bool(one.pc)):
        if question.legal(run.seat, order) is not None:
            return Order(**order.__dict__)
    question.read(run.seat, Order("play", card=card, how=how))              # which says why not
    raise Untold(f"{card} cannot be played so")


def event_due(run: Table) -> None:
    """The event of a Bonus card, once its points are spent; where it came first it has been played."""
    if run.g.event_due:
        run.do(offered(run, run.g.event_due, "event", fitting(run, [run.step])))
        run.settle()


def discard(run: Table) -> None:
    """A card that is thrown away; a Surprise card is replaced."""
    step = run.step
    card = run.card(step["card"], run.seat)
    run.do(Order("discard", card=card))
    run.hands[run.seat].remove(card)
    if step.get("draw"):
        run.deal(run.seat, [step["draw"]])


def surprise(run: Table) -> None:
    """A Surprise card out of turn, or in one's own; one that was played in a window has left the hand with that."""
    step = run.step
    if step["id"] in run.given:
        run.hands[run.seat].remove(run.card(step["card"], run.seat))
        return
    order, on = run.surprise(step), run.script.seats.get(step.get("victim") or "")
    run.do(order)
    run.hands[run.seat].remove(order.card)
    if on and step.get("random_card"):
        stolen = next(one for one in run.hands[on] if one in run.spelt.cards(step["random_card"]))
        run.hands[on].remove(stolen)
        run.hands[run.seat].append(stolen)
    for player, seat in run.script.seats.items():
        drawn = (step.get("expect") or {}).get(f"{player}_draws")
        if drawn:
            run.deal(seat, [drawn])


def train_troops(run: Table) -> None:
    run.do(Order("train", kind=next(iter(run.spelt.units({run.step["type"]: 1}))), number=run.step.get("ops")))


def upgrade_fleet(run: Table) -> None:
    step = run.step
    card = run.card(step["card"], run.seat)
    run.do(Order("upgrade_fleet", fleet=run.spelt.names.resolve("fleet", step["fleet"]), card=card))
    run.hands[run.seat].remove(card)


# --- PCs, sieges, reinforcements ----------------------------------------------------------------------------------


def place_pc(run: Table) -> None:
    """Spaces that the script leaves open are legal ones, rather those that it names nowhere else."""
    if "source" in run.step:
        return                                              # the event has placed it
    question = run.question
    places = [run.spelt.place(text, run.assumed) for text in run.step["spaces"]]
    minor = ["minor city" in text for text in run.step["spaces"]]
    fixed = {place.space for place in places if place.space}
    named = run.spelt.named_spaces()

    def choices(place: Any, minor_only: bool) -> list[str]:
        if place.space:
            return [place.space]
        free = [space for space in run.g.board.spaces_of(place.province) if space not in fixed and not run.g.controller(space)
                and (not minor_only or run.g.board.kind(space) == "minor")]
        return sorted(free, key=lambda space: space in named)

    def ways(rest: int, chosen: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if rest == len(places):
            yield chosen
            return
        for space in choices(places[rest], minor[rest]):
            if space not in chosen:
                yield from ways(rest + 1, (*chosen, space))

    if question is None:
        raise Untold("the game is over")
    every = list(ways(0, ()))
    best = next((one for one in every if question.legal(run.seat, Order("place_pc", spaces=one)) is not None), None)
    run.do(Order("place_pc", spaces=best if best is not None else every[0] if every else tuple(fixed)))


def surrender_pc(run: Table) -> None:
    """6.1 Enemy PCs go first; then one's own are placed."""
    spaces = [run.spelt.id("space", name) for name in run.step["spaces"]]
    for space in spaces:
        if run.g.controller(space) not in ("", run.seat, INDEPENDENT):
            run.do(Order("remove_pc", space=space))
    run.do(Order("place_pc", spaces=tuple(spaces)))


def remove_pc(run: Table) -> None:
    run.do(Order("remove_pc", space=run.spelt.id("space", run.step["space"]), general=leader(run)))


def siege(run: Table) -> None:
    """15 In a Surrender Segment the PC of a space that has fallen is placed with it."""
    space = run.spelt.id("space", run.step["target"])
    run.do(Order("siege", space=space, general=leader(run)))
    if run.step["segment"] == "surrender" and not run.g.controller(space) and run.step["player"] in (
            (run.step.get("expect") or {}).get("pc") or {}).values():
        run.do(Order("place_pc", spaces=(space,)))


def leader(run: Table) -> str | None:
    """The General that a step names; a segment that asks for none gets none."""
    name = run.step.get("general")
    return run.spelt.general(name) if name and run.step["segment"] != "surrender" else None


def raise_mercenary(run: Table) -> None:
    """A Minor General who is not there yet comes with it."""
    at = location(run, run.step["where"])
    name = str(run.step.get("general") or "")
    new = name.startswith("minor ") and name not in run.spelt.minors and not run.g.generals_at(at, run.seat)
    run.do(Order("raise_mercenary", location=at, minor="any" if new else None))
    note_minor(run, name, at)


def place_units(run: Table) -> None:
    """What an event brings has come with it; Reinforcements are placed one by one."""
    step = run.step
    if step["segment"] == "phase":
        run.reach_phase(step, ("reinforcement_choice",))
        for where, units in placements(step):
            reinforce(run, where, units)
        return
    name = str(step.get("general") or ("minor " + run.assumed["minor"] if "minor" in run.assumed else ""))
    place = run.spelt.place(step["where"], run.assumed)
    note_minor(run, name, place.space or next((space for space in run.g.board.spaces_of(place.province) if any(
        one.minor for one in run.g.generals_at(space, run.seat))), ""))


def placements(step: Step) -> list[tuple[str, Mapping[str, Any]]]:
    """Where what goes: one place, or several."""
    told = step.get("placements") or step.get("placed") or {step["where"]: step.get("units") or {}}
    if isinstance(told, Mapping):
        return list(told.items())
    return [(one["where"], one.get("units") or one) for one in told]


def reinforce(run: Table, where: str, units: Mapping[str, Any]) -> None:
    name = str(units.get("general") or run.step.get("general") or "")
    generals = [run.spelt.general(name)] if name and not name.startswith("minor ") else []
    at = location(run, where)
    run.do(Order("reinforce", location=at, minor="any" if name.startswith("minor ") else None,
                 pieces=Pieces.of(generals, run.spelt.units(units))))
    note_minor(run, name, at)


def remove_minor(run: Table) -> None:
    run.do(Order("remove_minor", minor=run.spelt.general(run.step["general"])))


def disband(run: Table) -> None:
    units = run.spelt.units(run.step["units"])
    run.do(Order("disband", number=units.get("royal", 0), location=location(run, run.step["where"])))


def retrieve_fleet(run: Table) -> None:
    card = run.card(run.step["card"], run.seat)
    run.do(Order("retrieve_fleet", fleet=run.spelt.names.resolve("fleet", run.step["fleet"]), card=card))
    run.hands[run.seat].remove(card)


def place_minor(run: Table) -> None:
    at = location(run, run.step["where"])
    run.do(Order("place_minor", at=at, minor=fresh_minor(run)))
    note_minor(run, run.step["general"], at)


def through_gate(run: Table) -> None:
    """9.3 B Into the city or out of it."""
    one = run.g.generals[run.spelt.general(run.step["general"])]
    units = run.step.get("units") or run.step.get("brings")
    pieces = Pieces.of(cus=run.spelt.units(units)) if units is not None else None
    run.do(Order("shift", general=one.name, to="inside" if run.step["action"] == "go_inside" else "outside", pieces=pieces))


def independent_move(run: Table) -> None:
    """9.5 Step by step, or a PC in the place of the march; the player whose card allows it moves it."""
    name = run.spelt.id("general", run.step["general"])
    stops = [space_of(run.spelt.place(text, run.assumed).space) for text in run.step.get("path") or () if text]
    if run.step.get("place_pc"):
        run.do(Order("independent_move", general=name, space=space_of(run.g.generals[name].at)))
    for target in (stop for stop in stops if stop != space_of(run.g.generals[name].at)):
        run.do(Order("independent_move", general=name, path=(target,)))


def recruit(run: Table) -> None:
    """6.2 D, 23.5 A General who was set aside comes for a card."""
    card = run.card(run.step["card"], run.seat)
    place = run.spelt.place(run.step["where"], run.assumed)
    run.do(Order("recruit", general=run.spelt.id("general", run.step["general"]), card=card, at=place.space or location(
        run, run.step["where"])))
    run.hands[run.seat].remove(card)


def bury(run: Table) -> None:
    run.do(Order("bury"))


ACTIONS: dict[str, Callable[[Table], None]] = {
    # phases
    "choose_first_player": choose_first_player, "label_usurper": passes, "skip": passes, "deal_cards": deal_cards,
    "isolation": turn_over, "end_turn": turn_over, "score": turn_over, "none": passes, "stay": passes, "bury": bury,
    # cards
    "play_card": play_card, "bonus_event": event_due, "marriage": event_due, "discard_surprise": discard,
    "discard_card": discard, "surprise": surprise, "train_troops": train_troops, "upgrade_fleet": upgrade_fleet,
    "retrieve_fleet": retrieve_fleet, "recruit": recruit,
    # PCs, sieges, pieces
    "place_pc": place_pc, "surrender_pc": surrender_pc, "remove_pc": remove_pc, "siege": siege, "subjugate": siege,
    "raise_mercenary": raise_mercenary, "place_units": place_units, "place_minor": place_minor, "reinforce": place_units,
    "remove_minor": remove_minor, "disband": disband,
    # moving
    "movement_roll": movement_roll, "move": move, "naval_move": move, "force_march": force_march, "go_inside": through_gate,
    "come_out": through_gate, "independent_move": independent_move,
    # what others answer, and how it went
    **dict.fromkeys(REACTIONS - {"surprise"}, reacts), **dict.fromkeys(RESULTS, passes),
}
PHASES = frozenset({"choose_first_player", "label_usurper", "skip", "deal_cards", "isolation", "end_turn", "score"})
