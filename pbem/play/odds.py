"""Odds, exact and from what everybody sees: interception, evasion, battle, siege, the life of a commander.

Nothing is rolled: every way the dice can fall is counted. What is not on the map yet is supposed on a copy of the
position. Cards that somebody may hold count for nothing here, and who comes out of a city is taken as it stands.
"""

import io
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from copyreg import __newobj__  # type: ignore[attr-defined]
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from pbem.kernel.procedures import Question, Table
from pbem.orders import ALL, Order
from pbem.play import span
from pbem.rules import abilities, battle_score, evasion, interception, naval_battle, overrun, prestige, victory
from pbem.rules import battle as fighting
from pbem.rules import siege as besieging
from pbem.table.state import INDEPENDENT, Battle, Game, Way, space_of

DICE = range(1, 7)
MOST_ROWS = 6                   # of a question: more odds than that nobody weighs
SIEGE_ROLLS = 4

Ways = Counter[tuple[int, bool]]        # Battle Score, is the commander in danger -> in how many ways
Span = tuple[Fraction, Fraction]        # the least and the most


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
    spans: tuple[Span, Span] | None = None      # of winning, while nobody has read the Battle Table from the box

    def turned(self) -> "Outlook":
        return Outlook(self.odds.turned(), self.defender_falls, self.attacker_falls, self.how,
                       (self.spans[1], self.spans[0]) if self.spans else None)


SURE, HOPELESS = Odds(Fraction(1), Fraction(0), Fraction(0)), Odds(Fraction(0), Fraction(0), Fraction(1))


KEPT = ("facts", "board", "printed", "rules", "effects")        # what nobody changes
UNKNOWN = {"chance": None, "secret": None}


def supposed(g: Game) -> Game:
    """A copy of the position on which pieces may be moved; it knows no chance and no secret.

    By way of bytes that never leave this function it is made in a third of the time that `deepcopy` takes.
    """
    pieces = io.BytesIO()
    pickler = pickle.Pickler(pieces, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {Game: _without_what_is_kept}
    pickler.dump(g)
    there: Game = pickle.loads(pieces.getbuffer())              # noqa: S301 - made two lines above
    vars(there).update({name: vars(g)[name] for name in KEPT}, events=[], **UNKNOWN)
    return there


def _without_what_is_kept(g: Game) -> tuple[Any, ...]:
    return __newobj__, (Game,), {name: value for name, value in vars(g).items() if name not in (*KEPT, *UNKNOWN, "events")}


# --- one die -----------------------------------------------------------------------------------------------------


def chance(needed: int) -> Fraction:
    """One die shows so much or more."""
    return Fraction(min(6, max(0, 7 - needed)), 6)


def intercept(g: Game, general: str, space: str) -> Fraction:
    """11.2 That one attempt into a space succeeds."""
    return chance(interception.number_needed(g, g.generals[general]) - interception.modifier(g, space, g.rules.into_transit))


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
    thrown_by = {side: thrown(g, joined, side) for side in (joined.attacker, joined.defender)}
    ours, theirs = (scores(g, joined, side, ways) for side, ways in thrown_by.items())
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
                   Fraction(falls[0], total * len(DICE)), Fraction(falls[1], total * len(DICE)), "battle",
                   spans(g, *thrown_by.values()) if "battle" in g.doubted else None)


def spans(g: Game, ours: span.Ways, theirs: span.Ways) -> tuple[Span, Span]:
    """What the attacker and what the defender may win with, by any Battle Table that the rules' examples allow."""
    return span.won(g.facts.tables["battle"], ours, theirs), span.won(g.facts.tables["battle"], theirs, ours)


def scores(g: Game, joined: Battle, side: str, dice: span.Ways) -> Ways:
    """14.7 Every Battle Score that a side may reach with these strengths and rolls."""
    commander = g.commander(joined.at, side)
    mortal = side in g.seats and commander is not None and not commander.minor
    fatal = g.facts.tables["commander_loss"]["on_modified_roll"]
    found: Ways = Counter()
    for (strength, roll), ways in dice.items():
        found[battle_score.score_of(g, strength, roll), mortal and roll == fatal] += ways
    return found


def thrown(g: Game, joined: Battle, side: str) -> span.Ways:
    """14.6, 14.7 Every strength and every roll: the Elephants first, then two dice raised to the rating."""
    lead = battle_score.leader(g, joined.at, side)
    rating = abilities.battle_rating(g, lead) if lead is not None else 0
    rolls = Counter(max(one, rating) + max(two, rating) + joined.bonus[side] for one in DICE for two in DICE)
    return Counter({(strength, roll): ways * more for strength, ways in strengths(g, joined, side).items()
                    for roll, more in rolls.items()})


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
    return Counter(dict(_herds(tuple(Counter(battle_score.elephant_strength(g, die) for die in DICE).items()), number, again)))


@cache
def _herds(faces: tuple[tuple[int, int], ...], number: int, again: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """`faces` are the strengths that a die may show, each with the number of its faces that do."""
    herd: Counter[tuple[int, ...]] = Counter({(): 1})
    for _ in range(number):
        herd = _with_one(herd, faces)
    mean = Fraction(sum(face * times for face, times in faces), len(DICE))
    for _ in range(again):
        bad = Counter({one: ways for one, ways in herd.items() if one and one[0] < mean})
        good = Counter({one: ways * len(DICE) for one, ways in herd.items() if one not in bad})
        rest: Counter[tuple[int, ...]] = Counter()
        for one, ways in bad.items():
            rest[one[1:]] += ways
        herd = good + _with_one(rest, faces)
    return tuple(herd.items())


def _with_one(herd: Counter[tuple[int, ...]], faces: Iterable[tuple[int, int]]) -> Counter[tuple[int, ...]]:
    more: Counter[tuple[int, ...]] = Counter()
    for one, ways in herd.items():
        for face, times in faces:
            more[tuple(sorted((*one, face)))] += ways * times
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
    owner, is_major = g.controller(space), g.board.kind(space) == "major"
    if is_major or g.traitor:
        g = supposed(g)
    if is_major:
        victory.attack(g, seat, owner, "15.2", space)
    inside = f"{space}/inside"
    by, points = g.siege_points.get(space, (seat, 0))
    leave = owner in g.seats and prestige.prestige(g, inside, owner) < prestige.prestige(g, space, seat)
    stand = {Lines(points if by == seat else 0, g.count(space, seat), g.count(inside, owner),
                   g.kinds(inside, owner)["royal"]): 1}
    fallen, found = 0, []                                       # ways in which the dice may fall: six times as many each time
    for number in range(1, rolls + 1):
        bonus = sum(value for _, value in besieging.modifiers(g, seat, space))
        results = [besieging.result_of(g, die + bonus) for die in DICE]
        after: dict[Lines, int] = {}
        fallen *= len(DICE)
        for lines, ways in stand.items():
            if lines.cus < g.facts.tables["siege"]["min_cus"]:
                continue                                        # too few to go on
            for result in results:
                now = besieged(g, space, lines, *result, leave)
                if now is None:
                    fallen += ways
                else:
                    after[now] = after.get(now, 0) + ways
        stand = after
        found.append(Fraction(fallen, len(DICE) ** number))
        if g.traitor:
            g.traitor = ""                                      # he opens the gate once
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


def facts_of(found: Outlook, **more: Any) -> dict[str, Any]:
    """Odds as the sentences take them, of the reader's side."""
    return {"win": float(found.odds.win), "draw": float(found.odds.draw), "falls": float(found.attacker_falls),
            "how": found.how, "span": [float(one) for one in found.spans[0]] if found.spans else None, **more}


def arrived(g: Game, seat: str, order: Order, at: str) -> Game:
    """The position after a successful interception."""
    g = supposed(g)
    if order.minor:
        interception.put_minor(g, order.minor, order.from_)
    interception.carry_out(g, seat, order, space_of(at))
    return g


def _interception(g: Game, question: Question, seat: str) -> Iterator[Row]:
    for general, found in attempts(g, question, seat):
        yield "arrives", facts_of(found, general=general)


def attempts(g: Game, question: Question, seat: str) -> Iterator[tuple[str, Outlook]]:
    """11.2 For each place from where a seat could intercept with all that may come: who leads, and the battle if he arrives."""
    about = question.about
    way = Way(about["general"], about["mover"], about["origin"], about["space"], "land")
    for origin in interception.origins(g, seat, way):
        lead = g.commander(origin, seat)
        read = question.legal(seat, (Order("intercept", general=lead.name, from_=origin, pieces=ALL),)) if lead else None
        if read is None or not read[0].pieces.cus or not g.count(way.target, way.seat):
            continue
        there = arrived(g, seat, read[0], way.target)
        yield read[0].general, outlook(there, way.seat, seat, way.target).turned()


def _evasion(g: Game, question: Question, seat: str) -> Iterator[Row]:
    about = question.about
    mover, at, general = about["mover"], about["space"], about["generals"].get(seat, "")
    if not (g.count(at, mover) and g.count(at, seat)):
        return
    stays = outlook(g, mover, seat, at).turned()
    yield "stays", facts_of(stays, general=general)
    failed = supposed(g)
    assert failed.activation is not None
    failed.activation.evaders.add(seat)                         # 12.2 B
    fails = outlook(failed, mover, seat, at).turned()
    if fails != stays:
        yield "fails", facts_of(fails, general=general)


def _attack(g: Game, question: Question, seat: str) -> Iterator[Row]:
    """Whoever came in decides whether he fights."""
    about, act = question.about, g.activation
    mover = act.seat if act is not None else seat
    for foe in about.get("against") or about.get("of") or ():
        if g.count(about["space"], mover) and g.count(about["space"], foe):
            yield "fights", facts_of(outlook(g, mover, foe, about["space"]), foe=foe)


def _passage(g: Game, question: Question, seat: str) -> Iterator[Row]:
    about = question.about
    if g.count(about["space"], about["mover"]) and g.count(about["space"], seat):
        yield "fights", facts_of(outlook(g, about["mover"], seat, about["space"]).turned(), foe=about["mover"])


def _fought(g: Game, question: Question, seat: str) -> Iterator[Row]:
    joined = g.battle
    if joined is None:
        return
    sides = (joined.attacker, joined.defender)

    def seen(there: Game) -> Outlook:
        found = outlook(there, *sides, joined.at)
        return found if seat == joined.attacker else found.turned()

    yield "fights", facts_of(seen(g), foe=joined.other(seat))
    if question.kind == "join_battle":
        all_out = supposed(g)
        assert all_out.battle is not None
        fighting.come_out(all_out, all_out.battle, seat, fighting.those_inside(g, space_of(joined.at), seat))
        yield "all_out", facts_of(seen(all_out))


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


def odds_of(g: Game, question: Question, seat: str, answer: Any) -> Odds | None:
    """Win, draw, lose in that battle for whoever answers. Who does not intercept leaves the best one that he could have."""
    about, given = question.about, answer if isinstance(answer, tuple) else (answer,)
    if question.kind == "interception":
        if given[0].verb != "intercept":
            return max((found.odds for _, found in attempts(g, question, seat)), key=lambda odds: odds.win, default=None)
        there = arrived(g, seat, given[0], about["space"])
        for order in given[1:]:
            there = arrived(there, seat, order, about["space"])
        return _if_both(there, about["mover"], seat, about["space"], seat)
    if question.kind in ("evasion", "escape", "free_passage"):
        return _if_both(g, about["mover"], seat, about["space"], seat)
    if question.kind in ("withdrawal", "passage_honoured"):
        foes = [foe for foe in about.get("against") or about["of"] if g.count(about["space"], foe)]
        mover = g.generals[about["general"]].seat
        chances = [_if_both(g, mover, foe, about["space"], mover) for foe in foes]
        return min((one for one in chances if one is not None), key=lambda one: one.win, default=None)
    if question.kind == "naval_battle":
        fleets = given[0].fleets or about["fleets"][seat]
        return naval(g, about["strength"], naval_battle.strength(g, fleets)).turned()
    return None


def _if_both(g: Game, attacker: str, defender: str, at: str, side: str) -> Odds | None:
    if not (g.count(at, attacker) and g.count(at, defender)):
        return None
    odds = outlook(g, attacker, defender, at).odds
    return odds if side == attacker else odds.turned()
