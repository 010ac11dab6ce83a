"""What a march would meet on its way: who is asked at which step, with which chances, which dice fall, what a step costs.

The very procedures of the rules walk a copy of the position, and nobody stirs on it: each question is noted and answered by
silence, Attrition is noted and takes nothing. Where anything else is cast the way ends, for what lies behind is not known.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.base.errors import PbemError, Unknown
from pbem.chance.draws import Unthrown
from pbem.kernel.procedures import Procedure, Question, Table
from pbem.orders import Order
from pbem.play import odds
from pbem.rules import attrition, evasion, interception, movement
from pbem.table.state import Game, Way
from pbem.telling.words import Words

Known = dict[tuple[str, ...], list[str]]        # battles that another way has led to already


class Kind(Unthrown):
    """Of all dice only those of Attrition fall, and they take nothing."""

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        return [1] * count if "attrition" in name else super().draw(name, count, sides)

    def reading(self, name: tuple[str, ...]) -> str | None:
        return "-" if "attrition" in name else None


def risks(g: Game, seat: str, steps: Sequence[Order], said: Words, known: Known) -> list[str]:
    """In sentences, from the first step to the last."""
    g = odds.supposed(g)
    g.chance, g.events = Kind(), []
    told: list[str] = []
    try:
        table = Table(walked(g, seat, steps, said, told), lambda: "")
        while (question := table.question) is not None:
            told += [*attritions(g, said), *asked(g, seat, question, said, known)]
            table.answer({side: question.read(side, question.silence(side)) for side in question.sides})
    except Unknown:
        pass
    told += attritions(g, said)
    if g.battle is not None and (seat, g.battle.other(seat), g.battle.at) not in known:
        told += fought(g, seat, g.battle.other(seat), g.battle.at, said, known)
    return told


def walked(g: Game, seat: str, steps: Sequence[Order], said: Words, told: list[str]) -> Procedure[None]:
    """One step after the other, until one may not be taken any more. What the first costs is told with the order itself."""
    for number, step in enumerate(steps):
        act = movement.ACTS[step.verb]
        try:
            read = act.judge(g, seat, step)
        except PbemError:
            return
        if number:
            told += [str(said.price(key, facts, rule)) for rule, key, facts in act.costs(g, seat, read)]
        yield from act.do(g, read)


def attritions(g: Game, said: Words) -> Iterator[str]:
    """Each roll that has come since, with all that it could take."""
    events, g.events = g.events, []
    for facts in (event.facts for event in events if event.key == "attrition_rolled"):
        lost = Counter(attrition.number_of(attrition.result_of(g, facts["column"], die + facts["modifier"]), 0)
                       for die in range(1, 7))
        takes = [(number, lost[number] / 6) for number in sorted(lost)]
        yield str(said.phrase("way_attrition", space=facts["at"], takes=takes))


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
