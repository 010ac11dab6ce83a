"""Chances asked for by hand: `battle Kassandros Lysimachos Lamia`, `evade Lysimachos`, in rows and in sentences."""

from collections.abc import Iterable, Iterator, Sequence

from pbem.base.errors import PbemError, Refused, Unreadable
from pbem.desk.desk import Desk
from pbem.play import odds
from pbem.play.match import Match
from pbem.rules import evasion, interception, siege
from pbem.table.state import INDEPENDENT, Game, General, Way, space_of
from pbem.telling.words import Words

FILLERS = frozenset("at in into against from with vs and on by".split())
USAGE = ["battle ATTACKER DEFENDER [SPACE]", "intercept GENERAL SPACE", "evade GENERAL [MOVER]", "siege [BESIEGER] SPACE"]


def rows(desk: Desk, words: Sequence[str]) -> list[odds.Row]:
    """`battle Kassandros Lysimachos Lamia`, `intercept Lysimachos Lamia`, `evade Lysimachos`, `siege red Pella`.

    Sides are named by colour or by a General. Whoever is not there yet is supposed to come with everything that stands
    with him.
    """
    given = [word for word in " ".join(words).replace(">", " ").split() if word.casefold() not in FILLERS]
    asked = ASKED.get(given[0].casefold()) if given else None
    if asked is None:
        raise Unreadable("unreadable_order", text=" ".join(words), suggestions=USAGE)
    return list(asked(desk.match, _named(desk.match, given[1:]), " ".join(words)))


def said(desk: Desk, found: Iterable[odds.Row], words: Words) -> str:
    """The same in sentences."""
    rows = list(found)
    doubts = [table for table in desk.match.unconfirmed() if {"battle": "battle", "siege": "siege"}.get(rows[0][0]) == table]
    lines = [str(words.phrase(f"odds_{key}", **facts)) for key, facts in rows]
    return "\n".join([*lines, *([str(words.phrase("doubtful_tables", tables=doubts))] if doubts else [])])


def _named(match: Match, words: Sequence[str]) -> list[tuple[str, str]]:
    """Seats, Generals and spaces out of words; a name may have several of them."""
    found: list[tuple[str, str]] = []
    rest = list(words)
    while rest:
        for count in range(len(rest), 0, -1):
            try:
                found.append(match.names.resolve_any(("seat", "general", "space"), " ".join(rest[:count])))
            except PbemError:
                if count == 1:
                    raise
                continue
            rest = rest[count:]
            break
    return found


def _side(match: Match, named: tuple[str, str]) -> tuple[str, General | None]:
    kind, name = named
    one = match.g.generals[name] if kind == "general" else None
    return (one.seat if one is not None else name), one


def gathered(g: Game, at: str, sides: Iterable[tuple[str, General | None]]) -> Game:
    """The position with these sides at a place: a General who is named comes with all that stands with him."""
    g, sides = odds.supposed(g), list(sides)
    for _, named in sides:
        if named is not None:
            judge_on_map(g, named, "11.2")
    for seat, named in sides:
        if named is not None:
            units = dict(g.units(named.at, seat))
            g.remove(named.at, seat, units)
            g.add(at, seat, units)
            for one in g.generals_at(named.at, seat):
                one.at = at
        if not g.count(at, seat):
            raise Refused("0", "nothing_there", seat=seat, at=at)
    return g


def judge_on_map(g: Game, one: General, rule: str) -> None:
    if not g.on_map(one):
        raise Refused(rule, "general_not_on_map", general=one.name, at=one.at)


def _asked_battle(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[odds.Row]:
    sides = [_side(match, one) for one in named if one[0] != "space"]
    spaces = [name for kind, name in named if kind == "space"] or [one.at for _, one in reversed(sides) if one is not None]
    if not spaces:
        spaces = [at for at in match.g.cus if all(match.g.count(at, seat) for seat, _ in sides)]
    if len(sides) != 2 or sides[0][0] == sides[1][0] or not spaces:
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[:1])
    (attacker, _), (defender, _) = sides
    found = odds.outlook(gathered(match.g, spaces[0], sides), attacker, defender, spaces[0])
    yield "battle", {**odds.facts_of(found), "lose": float(found.odds.lose), "other_falls": float(found.defender_falls),
                     "attacker": attacker, "defender": defender, "at": spaces[0]}


def _asked_intercept(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[odds.Row]:
    given = dict(named)
    if not {"general", "space"} <= given.keys():
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[1:2])
    g, one, space = match.g, match.g.generals[given["general"]], given["space"]
    if not one.minor:                           # who can be placed to lead it
        judge_on_map(g, one, "11.2")
    yield "intercept", {"general": one.name, "space": space, "success": float(odds.intercept(g, one.name, space)),
                        "needed": interception.number_needed(g, one) - interception.modifier(g, space, g.rules.into_transit)}
    foes = [seat for seat in g.sides_with_cus(space) if seat != one.seat]
    if g.count(one.at, one.seat):
        for foe in foes:
            found = odds.outlook(gathered(g, space, [(one.seat, one)]), foe, one.seat, space).turned()
            yield "arrives", odds.facts_of(found, general=one.name)


def _asked_evade(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[odds.Row]:
    g, act = match.g, match.g.activation
    people = [g.generals[name] for kind, name in named if kind == "general"]
    if not people:
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[2:3])
    one = people[0]
    judge_on_map(g, one, "12.1")
    seats = [name for kind, name in named if kind == "seat"] + [other.seat for other in people[1:]]
    if act is not None and act.here == one.at and seats[:1] in ([], [act.seat]):    # 12.2 A not where the mover comes from
        origin = getattr(match.question, "about", {}).get("origin", one.at)
        way = Way(act.key, act.seat, origin, one.at, act.entered)
    else:
        way = Way("", seats[0] if seats else INDEPENDENT, one.at, one.at, "gate")
    yield "evade", {"general": one.name, "space": space_of(one.at), "success": float(odds.evade(g, one.name, way)),
                    "needed": evasion.number_needed(g, one, way, evasion.destinations(g, one.seat, way))}


def _asked_siege(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[odds.Row]:
    g = match.g
    spaces = [name for kind, name in named if kind == "space"]
    if not spaces:
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[3:])
    space = spaces[0]
    sides = [_side(match, one) for one in named if one[0] != "space"] or [
        (seat, None) for seat in g.sides_with_cus(space) if seat != g.controller(space)]
    if not sides:
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[3:])
    seat = sides[0][0]
    siege.judge_target(g, seat, space)
    found = odds.siege(gathered(g, space, sides[:1]), seat, space)
    yield "siege", {"space": space, "falls": [float(one) for one in found]}


ASKED = {"battle": _asked_battle, "intercept": _asked_intercept, "evade": _asked_evade, "siege": _asked_siege}
