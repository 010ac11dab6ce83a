"""14.8 Commanding General loss: who falls, and who takes over."""

from pbem.base.errors import Refused
from pbem.kernel.procedures import Ask, Procedure, Question
from pbem.orders import Order
from pbem.rules import company, reinforcements, victory, windows
from pbem.rules.battle_score import winner_of
from pbem.table.events import ALL
from pbem.table.state import DEAD, OFF, Battle, Game, General, LeftBehind, space_of


def commander_loss(g: Game, battle: Battle, side: str) -> Procedure[None]:
    """14.8 A modified roll of exactly 9 puts the life of a commanding Major General at risk."""
    table = g.facts.tables["commander_loss"]
    one = g.commander(battle.at, side)
    if side not in g.seats or one is None or one.minor or battle.total[side] != table["on_modified_roll"]:
        return
    lost = winner_of(battle) == battle.other(side)
    deadly = list(table["killed_on"]["lost" if lost else "won_or_drew"])
    space = space_of(battle.at)
    die, name = g.roll("general_loss", space, side, one.name)
    g.tell(ALL, "general_loss_rolled", seat=side, general=one.name, space=space, die=die, name=name, killed_on=deadly,
           total=battle.total[side], killed=die in deadly)
    if die in deadly:
        fallen = one.name
        yield from kill(g, fallen)
        if g.generals[fallen].at == DEAD:
            yield from succession(g, battle.at, side)
            pass_on_activation(g, fallen, battle.at, side)


def deadly_if_caught(g: Game, one: General) -> list[int]:
    """10 I On which dice a General without CUs dies before an Army; empty where nobody rolls."""
    first: int = g.rules.lone_general_killed_on
    return list(range(first, 7)) if first and not one.minor else []


def kill(g: Game, name: str) -> Procedure[None]:
    """7.1 B, 14.8 A Major General is dead for good: his Legitimacy goes at once, and Polyperchon follows Antipatros."""
    if (yield from windows.survives(g, name)):
        return
    one = g.generals[name]
    side, space = one.seat, space_of(one.at)
    one.at, one.seat, one.mover, one.dropped = DEAD, "", "", False
    g.popularity.pop(name, None)
    g.oratory.pop(name, None)
    g.condemned.pop(name, None)
    g.tell(ALL, "general_killed", seat=side, general=name, space=space)
    victory.settle(g)
    if name == "antipatros":
        yield from reinforcements.replace_antipatros(g, side)


def succession(g: Game, at: str, side: str) -> Procedure[None]:
    """14.8 The most senior Major General there takes command, or else a Minor General who is placed for it (7.1 C)."""
    if g.commander(at, side) is None and g.count(at, side):
        answer = yield lambda: replacement_question(g, at, side)
        if answer and answer.verb == "place_minor":
            company.appear(g, answer.minor, at)
    new = g.commander(at, side)
    if new is not None:
        g.tell(ALL, "command_taken", seat=side, general=new.name, space=space_of(at))
    else:
        g.tell(ALL, "command_lost", seat=side, space=space_of(at))


def replacement_question(g: Game, at: str, side: str) -> Question | None:
    """7.1 C From off map in another's turn; in one's own turn from anywhere, as ever."""
    minors = [one for one in g.generals_of(side) if one.minor and (one.at == OFF or from_anywhere(g, side))]
    if g.commander(at, side) is not None or not g.count(at, side) or not minors:
        return None

    def read(seat: str, order: Order) -> Order:
        if order.verb == "pass":
            return order
        if order.verb != "place_minor":
            raise Refused("14.8", "replacement_wanted", at=at)
        return judge_replacement(g, at, side, order)

    return Ask(side, "replacement", "14.8", about={"space": space_of(at), "at": at, "minors": [one.name for one in minors]},
               read=read, default=Order("place_minor", minor=minors[0].name, at=at, from_=None if minors[0].at == OFF else
                                        minors[0].at),
               candidates=lambda seat: iter((*(Order("place_minor", minor=one.name, at=at) for one in minors), Order("pass"))))


def from_anywhere(g: Game, side: str) -> bool:
    """7.1 C In one's own Player Turn; the last one of a round is over before cards are turned up."""
    return side == g.player and not (g.turns_over and g.rules.placed_after_turns)


def judge_replacement(g: Game, at: str, side: str, order: Order) -> Order:
    """7.1 C, 14.8 Only to where the General fell."""
    if order.at not in (at, None):
        raise Refused("14.8", "replacement_wanted", at=at)
    found = [one for one in g.generals_of(side) if one.minor and order.minor in (None, "any", one.name)
             and (order.from_ in (one.at, space_of(one.at)) if order.from_ else True)]
    free = [one for one in found if one.at == OFF]
    if not found:
        raise Refused("7.1C", "not_your_minor", general=order.minor or "")
    if not from_anywhere(g, side) and not free:
        raise Refused("7.1C", "minor_on_map", minor=found[0].name, at=found[0].at)
    one = (free or found)[0]
    return Order("place_minor", minor=one.name, at=at, from_=None if one.at == OFF else one.at)


def pass_on_activation(g: Game, fallen: str, at: str, side: str) -> None:
    """14.8 The Army of a fallen General stays active under his successor, if that one may still be active."""
    act, new = g.activation, g.commander(at, side)
    if act is None or act.key != fallen or new is None or new.name in g.activated or new.mover not in ("", fallen):
        return
    for location, there in g.cus.items():
        for seat, units in there.items():
            g.mark(location, seat, {unit: n for unit, n in units.items() if unit.past.mover == fallen}, mover=new.name)
    for one in g.generals.values():
        if one.mover == fallen:
            one.mover = new.name
    for royal in g.royals.values():
        if royal.moved_by == fallen:
            royal.mover = royal.mover._replace(by=new.name) if isinstance(royal.mover, LeftBehind) else new.name
    new.mover, act.key = new.name, new.name
