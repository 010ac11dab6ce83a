"""Odds, exact and from what everybody sees: interception, evasion, battle, siege, the life of a commander.

Nothing is rolled: every way the dice can fall is counted. What is not on the map yet is supposed on a copy of the
position. Cards that somebody may hold count for nothing here, and who comes out of a city is taken as it stands.
"""

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, Protocol

from pbem.base.errors import PbemError, Refused, Unreadable
from pbem.kernel.procedures import Question, Table
from pbem.orders import ALL, Order
from pbem.play.match import Match
from pbem.rules import abilities, battle_score, evasion, interception, naval_battle, overrun, prestige, victory
from pbem.rules import battle as fighting
from pbem.rules import siege as besieging
from pbem.rules.land_movement import Way
from pbem.table.state import INDEPENDENT, Battle, Game, General, space_of

DICE = range(1, 7)
MOST_ROWS = 6                   # of a question: more odds than that nobody weighs
SIEGE_ROLLS = 4

Ways = Counter[tuple[int, bool]]        # Battle Score, is the commander in danger -> in how many ways


class Odds(NamedTuple):
    win: Fraction
    draw: Fraction
    lose: Fraction

    def turned(self) -> "Odds":
        """The same for the other side."""
        return Odds(self.lose, self.draw, self.win)


class Outlook(NamedTuple):
    """What comes of two armies in one space. `how` it is decided: battle, overrun, desertion, or nothing to decide."""

    odds: Odds
    attacker_falls: Fraction
    defender_falls: Fraction
    how: str

    def turned(self) -> "Outlook":
        return Outlook(self.odds.turned(), self.defender_falls, self.attacker_falls, self.how)


SURE, HOPELESS = Odds(Fraction(1), Fraction(0), Fraction(0)), Odds(Fraction(0), Fraction(0), Fraction(1))


def supposed(g: Game) -> Game:
    """A copy of the position on which pieces may be moved; it knows no chance and no secret."""
    shared: dict[int, Any] = {id(one): one for one in (g.facts, g.board, g.rules)}
    left_out: dict[int, Any] = {id(one): None for one in (g.chance, g.secret) if one is not None}
    return copy.deepcopy(g, {**shared, **left_out, id(g.events): []})


# --- one die -----------------------------------------------------------------------------------------------------


def chance(needed: int) -> Fraction:
    """One die shows so much or more."""
    return Fraction(min(6, max(0, 7 - needed)), 6)


def intercept(g: Game, general: str, space: str) -> Fraction:
    """11.2 That one attempt into a space succeeds."""
    return chance(interception.number_needed(g, g.generals[general]) - interception.modifier(g, space))


def evade(g: Game, general: str, way: Way) -> Fraction:
    """12.2 That a General gets away from who came this way; nothing if there is nowhere to go."""
    one = g.generals[general]
    paths = list(evasion.destinations(g, one.seat, way))
    return chance(evasion.number_needed(g, one, way, paths)) if paths else Fraction(0)


# --- 14 Land Battle ----------------------------------------------------------------------------------------------


def battle(g: Game, attacker: str, defender: str, at: str) -> Odds:
    """14 Win, draw, lose for the attacker with what both sides have in a location."""
    return outlook(g, attacker, defender, at).odds


def commander_loss(g: Game, attacker: str, defender: str, at: str) -> tuple[Fraction, Fraction]:
    """14.8 That the commander falls: the attacker's, the defender's."""
    found = outlook(g, attacker, defender, at)
    return found.attacker_falls, found.defender_falls


def outlook(g: Game, attacker: str, defender: str, at: str) -> Outlook:
    """10 H to L What comes of it when one attacks the other, from status and overrun to the last die."""
    g = supposed(g)
    joined = g.battle
    if joined is None or (joined.at, joined.attacker, joined.defender) != (at, attacker, defender):
        joined = Battle(at, attacker, defender)
        for side, odds in ((attacker, HOPELESS), (defender, SURE)):
            if not g.count(at, side):
                return Outlook(odds, Fraction(0), Fraction(0), "nothing")
        victory.attack(g, attacker, defender, "10H", space_of(at))
        before = met_before_battle(g, attacker, defender, at)
        if before is not None:
            return before
    fighting.set_apart(g, joined)
    return counted(g, joined)


def met_before_battle(g: Game, attacker: str, defender: str, at: str) -> Outlook | None:
    """10 J, K What is decided without a battle: an overrun, or an Army of Royal Army CUs that goes over."""
    lead = g.commander(at, attacker)
    way = Way(lead.name if lead is not None else "", attacker, at, at, "land")
    if overrun.is_overrun(g, way, defender):
        return Outlook(SURE, Fraction(0), Fraction(0), "overrun")
    if not prestige.has_royals(g, at, (attacker, defender)):
        return None
    Table(prestige.royal_army(g, way, [defender]), str)
    for side, odds in ((attacker, HOPELESS), (defender, SURE)):
        if not g.count(at, side):
            return Outlook(odds, Fraction(0), Fraction(0), "desertion")
    return None


def counted(g: Game, joined: Battle) -> Outlook:
    """14.7, 14.8 All dice of both sides against each other."""
    ours, theirs = (scores(g, joined, side) for side in (joined.attacker, joined.defender))
    table = g.facts.tables["commander_loss"]["killed_on"]
    won = drawn = lost = 0
    falls = [0, 0]                                              # in ways times the faces of one more die
    for ((score, danger), ways), ((other, peril), more) in product(ours.items(), theirs.items()):
        number = ways * more
        won += number * (score > other)
        drawn += number * (score == other)
        lost += number * (score < other)
        falls[0] += number * danger * len(table["lost" if score < other else "won_or_drew"])
        falls[1] += number * peril * len(table["lost" if score > other else "won_or_drew"])
    total = ours.total() * theirs.total()
    return Outlook(Odds(Fraction(won, total), Fraction(drawn, total), Fraction(lost, total)),
                   Fraction(falls[0], total * len(DICE)), Fraction(falls[1], total * len(DICE)), "battle")


def scores(g: Game, joined: Battle, side: str) -> Ways:
    """14.6, 14.7 Every Battle Score that a side may reach: its elephants first, then two dice raised to the rating."""
    lead, at = battle_score.leader(g, joined.at, side), joined.at
    commander = g.commander(at, side)
    mortal = side in g.seats and commander is not None and not commander.minor
    fatal = g.facts.tables["commander_loss"]["on_modified_roll"]
    rolls = Counter(max(one, rating) + max(two, rating) + joined.bonus[side]
                    for rating in (lead.battle if lead is not None else 0,) for one in DICE for two in DICE)
    found: Ways = Counter()
    for strength, ways in strengths(g, joined, side).items():
        for roll, more in rolls.items():
            found[battle_score.score_of(g, strength, roll), mortal and roll == fatal] += ways * more
    return found


def strengths(g: Game, joined: Battle, side: str) -> Counter[int]:
    """14.6 Every Battle Strength of a side: only Elephants that have not been rolled make more than one."""
    number = battle_score.participants(g, joined, side).kinds(g)["elephant"]
    known = battle_score.strength(g, joined, side)                  # with the Elephants that have been rolled, if any
    if not number or side in joined.elephants or side in joined.harmless:
        return Counter({known: 1})
    found: Counter[int] = Counter()
    for herd, ways in herds(g, number, abilities.elephant_rerolls(g, joined.at, side)).items():
        found[known + sum(herd)] += ways
    return found


def herds(g: Game, number: int, again: int) -> dict[tuple[int, ...], int]:
    """7.2 C Every strength of so many Elephants, weakest first, in how many ways.

    Who may roll his weakest again (7.1) does so below the mean of a die: that makes the most strength of it.
    """
    faces = [battle_score.elephant_strength(g, die) for die in DICE]
    herd: Counter[tuple[int, ...]] = Counter({(): 1})
    for _ in range(number):
        herd = _with_one(herd, faces)
    for _ in range(again):
        bad = Counter({one: ways for one, ways in herd.items() if one and one[0] * len(faces) < sum(faces)})
        good = Counter({one: ways * len(faces) for one, ways in herd.items() if one not in bad})
        rest: Counter[tuple[int, ...]] = Counter()
        for one, ways in bad.items():
            rest[one[1:]] += ways
        herd = good + _with_one(rest, faces)
    return herd


def _with_one(herd: Counter[tuple[int, ...]], faces: list[int]) -> Counter[tuple[int, ...]]:
    more: Counter[tuple[int, ...]] = Counter()
    for one, ways in herd.items():
        for face in faces:
            more[tuple(sorted((*one, face)))] += ways
    return more


# --- 13.3 Naval Battle -------------------------------------------------------------------------------------------


def naval(g: Game, mover: int, meeting: int, bonus: int = 0) -> Odds:
    """13.3 D Win, draw, lose for the one who sails, with these Fleet Strengths."""
    ours = Counter(battle_score.score_of(g, mover, one + two + bonus) for one in DICE for two in DICE)
    theirs = Counter(battle_score.score_of(g, meeting, one + two) for one in DICE for two in DICE)
    found = [0, 0, 0]
    for (score, ways), (other, more) in product(ours.items(), theirs.items()):
        found[0 if score > other else 1 if score == other else 2] += ways * more
    won, drawn, lost = (Fraction(number, sum(found)) for number in found)
    return Odds(won, drawn, lost)


# --- 15 Siege ----------------------------------------------------------------------------------------------------


class Lines(NamedTuple):
    """How a Siege stands: points, CUs of the besieger, CUs inside and how many of them are royal."""

    points: int
    cus: int
    garrison: int
    royals: int


def siege(g: Game, seat: str, space: str, rolls: int = SIEGE_ROLLS) -> tuple[Fraction, ...]:
    """15.2 to 15.4 That the space has fallen after one Siege, two, and so on, if nobody interferes.

    All CUs there besiege as long as there are enough of them: losses are chosen so that they can go on.
    """
    g = supposed(g)
    owner = g.controller(space)
    if g.board.kind(space) == "major":
        victory.attack(g, seat, owner, "15.2", space)
    inside = f"{space}/inside"
    by, points = g.siege_points.get(space, (seat, 0))
    leave = owner in g.seats and prestige.prestige(g, inside, owner) < prestige.prestige(g, space, seat)
    stand = {Lines(points if by == seat else 0, g.count(space, seat), g.count(inside, owner),
                   g.kinds(inside, owner)["royal"]): Fraction(1)}
    fallen, found = Fraction(0), []
    for number in range(rolls):
        if number:
            g.traitor = ""                                      # he opens the gate once
        bonus = sum(value for _, value in besieging.modifiers(g, seat, space))
        after: dict[Lines, Fraction] = {}
        for lines, share in stand.items():
            if lines.cus < g.facts.tables["siege"]["min_cus"]:
                continue                                        # too few to go on
            for die in DICE:
                now = besieged(g, space, lines, *besieging.result_of(g, die + bonus), leave)
                if now is None:
                    fallen += share / len(DICE)
                else:
                    after[now] = after.get(now, Fraction(0)) + share / len(DICE)
        stand = after
        found.append(fallen)
    return tuple(found)


def besieged(g: Game, space: str, lines: Lines, gained: int, loss: int, leave: bool) -> Lines | None:
    """15.2 B, 15.4 One result of the Siege Table; None when the space has fallen."""
    points, cus, garrison, royals = lines
    major = g.board.kind(space) == "major"

    def wanted() -> int:
        independent = g.controller(space) == INDEPENDENT
        return int(g.rules.siege_points(g.board.kind(space), None if independent else garrison))

    needed = wanted()
    for _ in range(gained):
        if points + 1 == needed and g.rules.garrison_absorbs and major and garrison:
            garrison -= 1
            royals = min(royals, garrison)
        else:
            points += 1
    if gained and leave and royals and (g.rules.royals_weigh_siege == "every" or not lines.points):
        garrison, cus, royals = garrison - royals, cus + royals, 0
    if gained and points >= wanted():
        return None
    return Lines(points, cus - loss, garrison, royals)


# --- a question and what hangs on it -----------------------------------------------------------------------------


def of_question(g: Game, question: Question, seat: str) -> list[dict[str, Any]]:
    """What those who are asked may want to know: key of a sentence and its facts, from public facts alone."""
    rows = ROWS.get(question.kind)
    if rows is None or seat not in question.sides:
        return []
    return [{"key": key, "facts": facts} for (key, facts), _ in zip(rows(g, question, seat), range(MOST_ROWS), strict=False)]


Row = tuple[str, dict[str, Any]]


def _told(found: Outlook, **more: Any) -> dict[str, Any]:
    """Odds as the sentences take them, of the reader's side."""
    return {"win": float(found.odds.win), "draw": float(found.odds.draw), "falls": float(found.attacker_falls),
            "how": found.how, **more}


def arrived(g: Game, seat: str, order: Order, at: str) -> Game:
    """The position after a successful interception."""
    g = supposed(g)
    if order.minor:
        interception.put_minor(g, order.minor, order.from_)
    interception.carry_out(g, seat, order, space_of(at))
    return g


def _interception(g: Game, question: Question, seat: str) -> Iterator[Row]:
    about = question.about
    way = Way(about["general"], about["mover"], about["origin"], about["space"], "land")
    for origin in interception.origins(g, seat, way):
        lead = g.commander(origin, seat)
        read = question.legal(seat, (Order("intercept", general=lead.name, from_=origin, pieces=ALL),)) if lead else None
        if read is None or not read[0].pieces.cus or not g.count(way.target, way.seat):
            continue
        there = arrived(g, seat, read[0], way.target)
        found = outlook(there, way.seat, seat, way.target).turned()
        yield "arrives", _told(found, general=read[0].general)


def _evasion(g: Game, question: Question, seat: str) -> Iterator[Row]:
    about = question.about
    mover, at, general = about["mover"], about["space"], about["generals"].get(seat, "")
    if not (g.count(at, mover) and g.count(at, seat)):
        return
    stays = outlook(g, mover, seat, at).turned()
    yield "stays", _told(stays, general=general)
    failed = supposed(g)
    assert failed.activation is not None
    failed.activation.evaders.add(seat)                         # 12.2 B
    fails = outlook(failed, mover, seat, at).turned()
    if fails != stays:
        yield "fails", _told(fails, general=general)


def _attack(g: Game, question: Question, seat: str) -> Iterator[Row]:
    """Whoever came in decides whether he fights."""
    about, act = question.about, g.activation
    mover = act.seat if act is not None else seat
    for foe in about.get("against") or about.get("of") or ():
        if g.count(about["space"], mover) and g.count(about["space"], foe):
            yield "fights", _told(outlook(g, mover, foe, about["space"]), foe=foe)


def _passage(g: Game, question: Question, seat: str) -> Iterator[Row]:
    about = question.about
    if g.count(about["space"], about["mover"]) and g.count(about["space"], seat):
        yield "fights", _told(outlook(g, about["mover"], seat, about["space"]).turned(), foe=about["mover"])


def _fought(g: Game, question: Question, seat: str) -> Iterator[Row]:
    joined = g.battle
    if joined is None:
        return
    sides = (joined.attacker, joined.defender)

    def seen(there: Game) -> Outlook:
        found = outlook(there, *sides, joined.at)
        return found if seat == joined.attacker else found.turned()

    yield "fights", _told(seen(g), foe=joined.other(seat))
    if question.kind == "join_battle":
        all_out = supposed(g)
        assert all_out.battle is not None
        fighting.come_out(all_out, all_out.battle, seat, fighting.those_inside(g, space_of(joined.at), seat))
        yield "all_out", _told(seen(all_out))


def _at_sea(g: Game, question: Question, seat: str) -> Iterator[Row]:
    about, act = question.about, g.activation
    bonus = abilities.naval_modifier(g, act.here, about["mover"]) if act is not None else 0
    own = naval_battle.strength(g, about["fleets"][seat])
    found = naval(g, about["strength"], own, bonus).turned()
    yield "at_sea", {"win": float(found.win), "draw": float(found.draw), "strength": own}


def _sieges(g: Game, question: Question, seat: str) -> Iterator[Row]:
    if g.player != seat:
        return
    told = set()
    for order in besieging.candidates(g, seat):
        read = question.legal(seat, order) if order.space not in told else None
        if read is not None:
            told.add(read.space)
            yield "siege", {"space": read.space, "falls": [float(one) for one in siege(g, seat, read.space)]}


ROWS = {"interception": _interception, "evasion": _evasion, "withdrawal": _attack, "passage_honoured": _attack,
        "free_passage": _passage, "join_battle": _fought, "battle_cards": _fought, "naval_battle": _at_sea,
        "surrender": _sieges, "activation": _sieges}


def of_answer(g: Game, question: Question, seat: str, answer: Any) -> Fraction | None:
    """How likely the battle that an answer leads to is won as things stand; None where there is none in sight."""
    about, given = question.about, answer if isinstance(answer, tuple) else (answer,)
    if question.kind == "interception" and given[0].verb == "intercept":
        there = arrived(g, seat, given[0], about["space"])
        for order in given[1:]:
            there = arrived(there, seat, order, about["space"])
        return _if_both(there, about["mover"], seat, about["space"], seat)
    if question.kind in ("evasion", "free_passage"):
        return _if_both(g, about["mover"], seat, about["space"], seat)
    if question.kind in ("withdrawal", "passage_honoured"):
        foes = [foe for foe in about.get("against") or about["of"] if g.count(about["space"], foe)]
        mover = g.generals[about["general"]].seat
        chances = [_if_both(g, mover, foe, about["space"], mover) for foe in foes]
        return min((one for one in chances if one is not None), default=None)
    if question.kind == "naval_battle":
        fleets = given[0].fleets or about["fleets"][seat]
        return naval(g, about["strength"], naval_battle.strength(g, fleets)).lose
    return None


def _if_both(g: Game, attacker: str, defender: str, at: str, side: str) -> Fraction | None:
    if not (g.count(at, attacker) and g.count(at, defender)):
        return None
    odds = outlook(g, attacker, defender, at).odds
    return odds.win if side == attacker else odds.lose


# --- asked for by hand -------------------------------------------------------------------------------------------


class Desk(Protocol):
    """What is needed of the moderator's desk."""

    match: Match


FILLERS = frozenset("at in into against from with vs and on by".split())
USAGE = ["battle ATTACKER DEFENDER [SPACE]", "intercept GENERAL SPACE", "evade GENERAL [MOVER]", "siege [BESIEGER] SPACE"]


def rows(desk: Desk, words: Sequence[str]) -> list[Row]:
    """`battle Kassandros Lysimachos Lamia`, `intercept Lysimachos Lamia`, `evade Lysimachos`, `siege red Pella`.

    Sides are named by colour or by a General. Whoever is not there yet is supposed to come with everything that stands
    with him.
    """
    given = [word for word in " ".join(words).replace(">", " ").split() if word.casefold() not in FILLERS]
    asked = ASKED.get(given[0].casefold()) if given else None
    if asked is None:
        raise Unreadable("unreadable_order", text=" ".join(words), suggestions=USAGE)
    return list(asked(desk.match, _named(desk.match, given[1:]), " ".join(words)))


def said(desk: Desk, found: Iterable[Row]) -> str:
    """The same in sentences."""
    from pbem.telling.words import Words

    words = Words("en", desk.match.names, desk.match.g.facts, book=desk.match.g.rules.name)
    return "\n".join(str(words.phrase(f"odds_{key}", **facts)) for key, facts in found)


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
    g = supposed(g)
    for seat, named in sides:
        if named is not None and named.at != at:
            if not g.on_map(named):
                raise Refused("11.2", "general_not_on_map", general=named.name, at=named.at)
            units = dict(g.units(named.at, seat))
            g.take(named.at, seat, units)
            g.add(at, seat, units)
            for one in g.generals_at(named.at, seat):
                one.at = at
        if not g.count(at, seat):
            raise Refused("0", "nothing_there", seat=seat, at=at)
    return g


def _asked_battle(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[Row]:
    sides = [_side(match, one) for one in named if one[0] != "space"]
    spaces = [name for kind, name in named if kind == "space"] or [one.at for _, one in reversed(sides) if one is not None]
    if len(sides) == 2 and not spaces:
        spaces = [at for at in match.g.cus if all(match.g.count(at, seat) for seat, _ in sides)]
    if len(sides) != 2 or not spaces:
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[:1])
    (attacker, _), (defender, _) = sides
    found = outlook(gathered(match.g, spaces[0], sides), attacker, defender, spaces[0])
    yield "battle", {**_told(found), "lose": float(found.odds.lose), "other_falls": float(found.defender_falls),
                     "attacker": attacker, "defender": defender, "at": spaces[0]}


def _asked_intercept(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[Row]:
    given = dict(named)
    if not {"general", "space"} <= given.keys():
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[1:2])
    g, one, space = match.g, match.g.generals[given["general"]], given["space"]
    yield "intercept", {"general": one.name, "space": space, "success": float(intercept(g, one.name, space)),
                        "needed": interception.number_needed(g, one) - interception.modifier(g, space)}
    foes = [seat for seat in g.sides_with_cus(space) if seat != one.seat]
    if g.on_map(one) and g.count(one.at, one.seat):
        for foe in foes:
            found = outlook(gathered(g, space, [(one.seat, one)]), foe, one.seat, space).turned()
            yield "arrives", _told(found, general=one.name)


def _asked_evade(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[Row]:
    g, act = match.g, match.g.activation
    people = [g.generals[name] for kind, name in named if kind == "general"]
    if not people:
        raise Unreadable("unreadable_order", text=text, suggestions=USAGE[2:3])
    one = people[0]
    seats = [name for kind, name in named if kind == "seat"] + [other.seat for other in people[1:]]
    moving = act is not None and act.here == one.at and not seats
    mover = act.seat if act is not None and moving else seats[0] if seats else INDEPENDENT
    way = Way(act.key if act is not None and moving else "", mover, one.at, one.at, "gate")
    yield "evade", {"general": one.name, "space": space_of(one.at), "success": float(evade(g, one.name, way)),
                    "needed": evasion.number_needed(g, one, way, evasion.destinations(g, one.seat, way))}


def _asked_siege(match: Match, named: list[tuple[str, str]], text: str) -> Iterator[Row]:
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
    besieging.judge_target(g, seat, space)
    found = siege(gathered(g, space, sides[:1]), seat, space)
    yield "siege", {"space": space, "falls": [float(one) for one in found]}


ASKED = {"battle": _asked_battle, "intercept": _asked_intercept, "evade": _asked_evade, "siege": _asked_siege}
