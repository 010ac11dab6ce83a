"""What comes next if nobody does anything unexpected, and what lines that are sent ahead for it rest on.

Whoever is next hears so in time and may answer at once. His lines wait; when their moment comes they are played if nothing that
they name has changed: a General stands where he stood, a space has the owner it had, and the same factions are there.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.base.errors import PbemError
from pbem.kernel.procedures import Question
from pbem.orders import NONE, Order, read_line
from pbem.play.match import Match
from pbem.rules import evasion, reinforcements, sequence, setup
from pbem.table.state import Game, Way, space_of

TURN = "turn"
PLACES = ("path", "spaces")             # arguments of an order that are spaces; the others are one each
PLACE = ("space", "at", "location", "from_")


class Coming(NamedTuple):
    """Who will be asked next, and what: a whole player turn, or a kind of question."""

    seat: str
    kind: str


def coming(g: Game, question: Question | None) -> list[Coming]:
    """On public facts alone, and as long as nobody reacts."""
    if question is None:
        return []
    if question.kind == "deployment":
        return [Coming(seat, question.kind) for seat in after(g, question.sides[0]) if choices(g, seat)]
    if question.kind == "reinforcement_choice" and g.phase == "reinforcements":
        return [Coming(seat, question.kind) for seat in after(g, question.sides[0])
                if reinforcements.due_pieces(g, seat) != NONE]
    if g.phase != "strategy":
        return []
    return [*fleeing(g, question), *next_turn(g)]


def after(g: Game, seat: str) -> Iterable[str]:
    """The seats that come behind one in Turn Order."""
    return g.turn_order[g.turn_order.index(seat) + 1:] if seat in g.turn_order else ()


def choices(g: Game, seat: str) -> bool:
    return any(len(setup.start_spaces(g, name)) > 1 for name in setup.to_place(g, seat))


def next_turn(g: Game) -> Iterator[Coming]:
    """Whose player turn is the next of this Game Turn."""
    behind = list(after(g, g.player))
    if behind or g.round < sequence.rounds(g):
        yield Coming(behind[0] if behind else g.turn_order[0], TURN)


def fleeing(g: Game, question: Question) -> Iterator[Coming]:
    """12 Who may evade if nobody intercepts: asked as soon as that is answered."""
    if question.kind != "interception":
        return
    about = question.about
    way = Way(about["general"], about["mover"], about["origin"], about["space"], "land")
    yield from (Coming(seat, "evasion") for seat in evasion.could_evade(g, way))


# --- what lines rest on ------------------------------------------------------------------------------------------


def named(match: Match, lines: Iterable[str]) -> dict[str, str]:
    """Everything on the map that these lines name, as it is now."""
    found: dict[str, str] = {}
    for text in lines:
        try:
            line = read_line(text, match.names)
        except PbemError:
            continue
        for order in line.orders if line is not None else ():
            found |= rests_on(match.g, order)
    return found


def rests_on(g: Game, order: Order) -> dict[str, str]:
    """Of one order: where its Generals stand; of its spaces who owns them and who is there."""
    pieces = order.args.get("pieces")
    generals = {order.args.get("general"), *(pieces.generals if pieces is not None else ())} & g.generals.keys()
    spaces = {space for key in PLACES for space in order.args.get(key) or ()}
    spaces |= {space_of(at) for key in PLACE if (at := order.args.get(key)) is not None}
    return {**{name: g.generals[name].at for name in sorted(generals)},
            **{space: state_of(g, space) for space in sorted(spaces) if space in g.board.index}}


def state_of(g: Game, space: str) -> str:
    """Who owns a space, and who is there."""
    there = sorted({side for location in g.locations_of(space) for side in g.sides_at(location)})
    return " ".join([g.controller(space) or "nobody", *there])


def changed(g: Game, before: dict[str, str]) -> list[str]:
    """What is not as it was."""
    return [name for name, was in before.items()
            if (g.generals[name].at if name in g.generals else state_of(g, name)) != was]
