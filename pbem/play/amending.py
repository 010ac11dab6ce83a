"""The data of a game corrected while it is under way: what comes in and what goes, what must not, what it touches."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pbem.base.errors import Refused
from pbem.components.catalogue import Facts
from pbem.kernel.procedures import Question
from pbem.table.pieces import Fleet, General
from pbem.table.state import BOX, INDEPENDENT, NOT_IN_PLAY, OFF, Game, space_of


def corrections_of(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The corrections of an entry: one datum with its value, or a list of several that go together."""
    given = entry["amend"]
    if isinstance(given, list):
        return [dict(one) for one in given]
    value = entry.get("value", entry.get("new"))
    return [{"datum": given, "value": value, **({"old": entry["old"]} if "old" in entry else {})}]


def judge(g: Game, facts: Facts) -> None:
    """Nothing may go of which the position still speaks: whoever is there has to be moved by a ruling first."""
    gone = [space for space in g.facts.spaces if space not in facts.spaces]
    stuck = [one.name for one in g.generals.values() if space_of(one.at) in gone]
    stuck += [one.name for one in g.royals.values() if space_of(one.at) in gone]
    stuck += [at for at in g.cus if space_of(at) in gone]
    stuck += [name for name in g.facts.generals if name not in facts.generals and g.generals[name].at != NOT_IN_PLAY]
    stuck += [name for name in {**g.facts.minors, **g.facts.independents} if name in g.generals
              and name not in facts.minors and name not in facts.independents]
    stuck += [card for card in g.facts.cards if card not in facts.cards and card not in g.out]
    if stuck:
        raise Refused("0", "still_in_play", what=list(dict.fromkeys(stuck)))


def follow(g: Game, facts: Facts) -> None:
    """The pieces are those of the new data, with their ratings."""
    for space in [space for space in g.pc if space not in facts.spaces]:
        del g.pc[space]
    minor = facts.tables["minor_general"]
    made = {name: ("", NOT_IN_PLAY, fact["initiative"], fact["battle"], fact["seniority"], False)
            for name, fact in facts.generals.items()}
    made |= {name: (fact["color"], OFF, minor["initiative"], minor["battle"], minor["seniority"], True)
             for name, fact in facts.minors.items() if fact["color"] in g.seats}
    made |= {name: (INDEPENDENT, BOX, fact["initiative"], fact["battle"], 0, False)
             for name, fact in facts.independents.items()}
    for name, (seat, at, initiative, battle, seniority, is_minor) in made.items():
        one = g.generals.get(name)
        if one is None:
            g.generals[name] = General(g, name, seat, at, initiative, battle, seniority, is_minor)
        else:
            one.initiative, one.battle, one.seniority = initiative, battle, seniority
    for name in [name for name in g.generals if name not in made]:
        g.stands[g.generals[name].at].remove(g.generals.pop(name))
    g.minors = [one for one in g.generals.values() if one.minor]
    g.take_grades()
    for name in facts.fleets:
        g.fleets.setdefault(name, Fleet(name))
    for name in [name for name in g.fleets if name not in facts.fleets]:
        del g.fleets[name]
    g.out = [card for card in g.out if card in facts.cards]


# --- what it touches ---------------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """What people would notice of a position: who rules, what it is worth, what is asked, who may go where."""

    rulers: dict[str, str]
    totals: dict[str, tuple[int, int]]
    question: str
    route: tuple[str, ...]
    over: bool


def as_it_is(g: Game, question: Question | None) -> Standing:
    act = g.activation
    return Standing({province: g.province_controller(province) for province in g.board.provinces}, dict(g.tallies),
                    f"{question.id} {question.kind}" if question is not None else "",
                    tuple(act.route) if act is not None else (), bool(g.over))


def touches(before: Standing, after: Standing, g: Game) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a correction changes in the position, as sentences: told before it is done."""
    for province in {**before.rulers, **after.rulers}:
        old, new = before.rulers.get(province, ""), after.rulers.get(province, "")
        if old != new:
            yield "control", {"province": province, "old": old, "seat": new}
    for seat, (legitimacy, points) in after.totals.items():
        if before.totals.get(seat) not in (None, (legitimacy, points)):
            was = before.totals[seat]
            yield "totals", {"seat": seat, "l": was[0], "vp": was[1], "legitimacy": legitimacy, "points": points}
    if before.question != after.question:
        yield "question", {"old": before.question, "question": after.question}
    steps = list(zip((g.activation.here if g.activation is not None else "", *after.route), after.route, strict=False))
    for here, there in steps:
        if g.board.cost(space_of(here), space_of(there)) is None:
            yield "route", {"space": space_of(here), "target": space_of(there)}
    if after.over and not before.over:
        yield "end", {}
