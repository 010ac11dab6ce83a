"""What a march or a voyage would meet on its way: who is asked at which step, with which chances, which dice fall, what a step
costs.

The very procedures of the rules walk a copy of the position, and each die and each question is noted. What would end the way is
told, and then it goes on as if it had not come to that: nobody stirs but who gets out of the way, Attrition takes nothing, a
General who is caught alone is gone. A battle ends it (10 L), and what a rule refuses: both are said where steps are left.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pbem.base.errors import PbemError, Unknown
from pbem.chance.draws import Unthrown
from pbem.kernel.procedures import Procedure, Question, Table
from pbem.orders import Order
from pbem.play import odds
from pbem.rules import abilities, attrition, evasion, interception, marching, naval_battle
from pbem.table.state import Game, Way, space_of
from pbem.telling.words import Words

Known = dict[tuple[str, ...], list[str]]        # battles that another way has led to already


FALLS = {"attrition": 1, "lone_general": 1, "evasion": 6}       # what goes on behind it is known, and this goes on longest


class Kind(Unthrown):
    """Only those dice fall behind which the way goes on: Attrition takes nothing, who evades gets away."""

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        found = [FALLS[part] for part in name if part in FALLS]
        return found * count if found else super().draw(name, count, sides)

    def reading(self, name: tuple[str, ...]) -> str | None:
        return "-" if "attrition" in name else None


class Walked(NamedTuple):
    """A way as it was walked: what it met, in sentences, and the refusal that ended it, if one did."""

    told: list[str]
    refused: list[PbemError]


def risks(g: Game, seat: str, steps: Sequence[Order], said: Words, known: Known) -> Walked:
    """From the first step to the last, or to where the way ends before."""
    g = odds.supposed(g)
    g.chance, g.events = Kind(), []
    way, left = Walked([], []), list(steps)
    told = way.told
    try:
        table = Table(walked(g, seat, left, said, way), lambda: "")
        while (question := table.question) is not None:
            told += [*fallen(g, said, known), *asked(g, seat, question, said, known)]
            if question.kind == "evasion" and left and any(g.count(question.about["space"], side) for side in question.sides):
                told.append(ends_in_battle(question.about["space"], said))
            table.answer({side: question.read(side, answered(question, side, further=bool(left))) for side in question.sides})
        fought_at = ""
    except Unknown:                                     # a die of a battle
        assert g.activation is not None
        fought_at = g.activation.here
    told += fallen(g, said, known)
    if fought_at and left:
        told.append(ends_in_battle(fought_at, said))
    told += [str(said.phrase("way_ends", why=str(said.refusal(why)))) for why in way.refused]
    return way


def ends_in_battle(at: str, said: Words) -> str:
    """10 L Whoever fights goes no further, won or lost."""
    return str(said.phrase("way_ends_in_battle", space=space_of(at), rule="10L"))


def walked(g: Game, seat: str, left: list[Order], said: Words, way: Walked) -> Procedure[None]:
    """One step after the other, until one may not be taken any more. What the first costs is told with the order itself."""
    first = left[0]
    while left:
        step = left.pop(0)
        act = marching.ACTS[step.verb]
        try:
            read = act.judge(g, seat, step)
        except PbemError as why:
            way.refused.append(why)
            return
        if step is not first:
            way.told.extend(str(said.price(key, facts, rule)) for rule, key, facts in act.costs(g, seat, read))
        yield from act.do(g, read)


def answered(question: Question, side: str, *, further: bool) -> Any:
    """Silence; but where the way goes on behind an Army that may get away, it has: what its staying means has been told."""
    if further and question.kind == "evasion":
        for answer in question.candidates(side):
            if answer[0].verb == "evade" and not answer[0].discarding:
                return answer
    return question.silence(side)


def fallen(g: Game, said: Words, known: Known) -> Iterator[str]:
    """What has come of itself since: each die with all that it could take, an overrun, a battle that nobody gets away from."""
    events, g.events = g.events, []
    for key, facts in ((event.key, event.facts) for event in events):
        if key == "general_loss_rolled":
            falls = len(facts["killed_on"]) / 6
            yield str(said.phrase("way_caught", general=facts["general"], space=facts["space"], falls=falls))
        elif key == "attrition_rolled":
            lost = Counter(attrition.number_of(attrition.result_of(g, facts["column"], die + facts["modifier"]))
                           for die in range(1, 7))
            takes = [(number, lost[number] / 6) for number in sorted(lost)]
            yield str(said.phrase("way_attrition", space=facts["at"], takes=takes))
        elif key == "overrun_began":
            yield str(said.tell("events", key, facts))
        elif key == "battle_began" and (facts["attacker"], facts["defender"], facts["space"]) not in known:
            yield from fought(g, facts["attacker"], facts["defender"], facts["space"], said, known)


def asked(g: Game, seat: str, question: Question, said: Words, known: Known) -> Iterator[str]:
    """Who is asked what, and the chances of whoever stirs."""
    others, about = [side for side in question.sides if side != seat], question.about
    if not others:
        return
    what = said.waiting({"kind": question.kind, "about": about, "id": "", "rule": question.rule, "sides": others})
    yield str(said.phrase("way_asked", sides=others, what=what))
    if question.kind == "interception":
        way = Way(about["general"], about["mover"], about["origin"], about["space"], "land")
        for side in others:
            yield from intercepted(g, side, way, said)
            yield from arriving(g, side, question, said, known)
    elif question.kind == "evasion":
        act = g.activation
        way = Way(act.key if act is not None else "", about["mover"], about["space"], about["space"], "gate")
        for side, general in evasion.could_evade(g, way).items():
            if general is not None and side in others:
                needed = evasion.number_needed(g, general, way, evasion.destinations(g, side, way))
                yield str(said.phrase("odds_evade", general=general.name, space=about["space"], needed=needed,
                                      success=float(odds.evade(g, general.name, way))))
        for side in others:
            yield from fought(g, seat, side, about["space"], said, known)
    elif question.kind == "naval_battle":
        yield from met_at_sea(g, question, others, said)


def met_at_sea(g: Game, question: Question, others: Sequence[str], said: Words) -> Iterator[str]:
    """13.3 D The battle against each who may come out, with all his Fleets; and what comes of losing it."""
    act, about = g.activation, question.about
    bonus = abilities.naval_modifier(g, act.here, about["mover"]) if act is not None else 0
    for side in others:
        own = naval_battle.strength(g, about["fleets"][side])
        found = odds.naval(g, about["strength"], own, bonus)
        yield str(said.phrase("way_naval", side=side, space=about["space"], own=own, escort=about["strength"],
                              win=float(found.win), draw=float(found.draw), lose=float(found.lose),
                              home=act.voyage.home if act is not None and act.voyage is not None else ""))


def intercepted(g: Game, side: str, way: Way, said: Words) -> Iterator[str]:
    """11.2 From where, by whom, with which die."""
    for origin in interception.origins(g, side, way):
        lead = g.commander(origin, side) or g.generals_at(origin, side)[0]
        needed = interception.number_needed(g, lead) - interception.modifier(g, way.target, g.rules.into_transit)
        yield str(said.phrase("odds_intercept", general=lead.name, space=way.target, needed=needed,
                              success=float(odds.intercept(g, lead.name, way.target))))


def arriving(g: Game, side: str, question: Question, said: Words, known: Known) -> list[str]:
    """The battle with those of a side who may come over, if they arrive and nobody backs off."""
    mover, space = question.about["mover"], question.about["space"]
    key = ("arrives", side, space)
    if key not in known:
        known[key] = [battle(found.turned(), mover, side, space, said) for _, found in odds.attempts(g, question, side)]
    return known[key]


def fought(g: Game, attacker: str, defender: str, at: str, said: Words, known: Known) -> list[str]:
    """The battle that it may come to; nothing where one of them has nobody to fight with."""
    key = (attacker, defender, at)
    if key not in known:
        both = g.count(at, attacker) and g.count(at, defender)
        known[key] = [battle(odds.outlook(g, attacker, defender, at), attacker, defender, at, said)] if both else []
    return known[key]


def battle(found: odds.Outlook, attacker: str, defender: str, at: str, said: Words) -> str:
    facts: dict[str, Any] = odds.facts_of(found)
    return str(said.phrase("odds_battle", **facts, lose=float(found.odds.lose), other_falls=float(found.defender_falls),
                           attacker=attacker, defender=defender, at=at))
