"""A case's `then`: each observable compared with what the engine shows."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.base.errors import Refused
from pbem.dev.finding import NOBODY, Finding, last_event, same
from pbem.dev.given import NotKnown
from pbem.dev.values import values
from pbem.dev.when import Driver
from pbem.orders.names import Names
from pbem.rules import activation, prestige, victory
from pbem.table.events import ALL
from pbem.table.state import BOX, DEAD, DISPERSED, INDEPENDENT, NOWHERE, OFF, is_inside, space_of
from pbem.telling.story import joined
from pbem.telling.words import Words


def findings(run: Driver, rule: str, also: list[str]) -> list[Finding]:
    out = list(groups(run))
    for item in run.stage.then:
        for name, wanted in item.items():
            if name in ("reports", "step", "key", "facts"):
                continue
            if name == "refused":
                out.append(refused(run, str(wanted), [rule, *also], item))
                continue
            compare = OBSERVABLES.get(name)
            try:
                out.append(compare(run, wanted) if compare else Finding(None, f"nothing shows {name}"))
            except NotKnown as reason:
                out.append(Finding(None, f"{name}: {reason}"))
    return out


def groups(run: Driver) -> Iterator[Finding]:
    """An Attrition die that says how many it is rolled for has to be rolled for so many."""
    for index, draw in run.stage.dice.fallen.items():
        for event in run.game.events:
            if event.key == "attrition_rolled" and event.facts["name"] == ",".join(draw) and "group" in run.steps[index]:
                yield same("group", run.steps[index]["group"], event.facts["group"])


# --- rules --------------------------------------------------------------------------------------------------------


def parts(rule: str) -> list[str]:
    """6.2B2 -> 6, 2, B, 2: a rule is part of another when its parts begin with the other's."""
    out, word = [], ""
    for letter in rule:
        if letter == "." or (word and letter.isdigit() != word[-1].isdigit()):
            out.append(word)
            word = ""
        if letter != ".":
            word += letter
    return [part for part in (*out, word) if part]


def related(rule: str, other: str) -> bool:
    """The same rule, or one a paragraph of the other."""
    one, two = parts(rule), parts(other)
    shorter = min(len(one), len(two))
    return one[:shorter] == two[:shorter]


def refused(run: Driver, wanted: str, others: list[str], item: Mapping[str, Any]) -> Finding:
    """The rule, and beside it perhaps the step, the refusal's key, and facts that it tells."""
    rejection = run.rejection
    if rejection is None:
        return Finding(False, f"refused: wanted {wanted}, nothing was refused")
    fits = any(related(rejection.rule, rule) for rule in (wanted, *others)) and item.get("key") in (None, rejection.key)
    facts = item.get("facts", {}).items() <= rejection.facts.items()
    late = "step" in item and rejection.step > item["step"] - 1
    return Finding(fits and facts and not late, f"refused: wanted {wanted} {item.get('key', '')}, step "
                   f"{rejection.step + 1} was refused by {rejection.rule} ({rejection.told})")


def accepted(run: Driver, wanted: bool) -> Finding:
    told = f"step {run.rejection.step + 1} was refused: {run.rejection.told}" if run.rejection else "nothing was refused"
    return Finding((run.rejection is None) == wanted, f"accepted: {told}")


# --- windows ------------------------------------------------------------------------------------------------------


def offered(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    missing = [f"{kind} to {side}" for kind, sides in wanted.items() for side in sides
               if not any(window.kind == kind and window.side == side for window in run.windows)]
    return Finding(not missing, f"offered: missing {', '.join(missing)}; there were {windows(run)}")


def not_offered(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    opened = [f"{kind} to {side}" for kind, sides in wanted.items() for side in sides
              if any(one.kind == kind and one.side == side and not one.answered for one in run.windows)]
    return Finding(not opened, f"not_offered: opened {', '.join(opened)}")


def windows(run: Driver) -> str:
    return ", ".join(f"{window.kind} to {window.side}" for window in run.windows) or "none"


def asks(run: Driver, wanted: Mapping[str, Mapping[str, Any]]) -> Finding:
    """What the last question of a kind was about, as far as the case names it."""
    found = {kind: {fact: run.asked.get(kind, {}).get(fact) for fact in facts} for kind, facts in wanted.items()}
    return same("asks", wanted, found)


def options(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    """Lines that the last question of a kind offered, among others."""
    missing = [line for kind, lines in wanted.items() for line in lines if line not in run.options.get(kind, ())]
    return Finding(not missing, f"options: missing {missing} in {run.options}")


def all_options(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    """All lines that it offered."""
    return same("all_options", {kind: sorted(lines) for kind, lines in wanted.items()},
                {kind: sorted(run.options.get(kind, ())) for kind in wanted})


# --- the board ----------------------------------------------------------------------------------------------------


def per_key(name: str, show: Callable[[Driver, str], Any]) -> Callable[[Driver, Mapping[str, Any]], Finding]:
    """An observable that maps each of some names to one fact."""

    def compare(run: Driver, wanted: Mapping[str, Any]) -> Finding:
        clean = {key: None if value in NOBODY else value for key, value in wanted.items()}
        found = {key: show(run, key) for key in wanted}
        return same(name, clean, {key: None if value in NOBODY else value for key, value in found.items()})

    return compare


def piece_at(run: Driver, name: str) -> str:
    g = run.game
    if name in g.generals:
        return g.generals[name].at
    if name in g.royals:
        return g.royals[name].at
    raise NotKnown(f"piece {name}")


def at(run: Driver, wanted: Mapping[str, str]) -> Finding:
    """Where pieces are; `red-minor` stands for any Minor General of red's."""
    found = {}
    for name, space in wanted.items():
        seat, _, minor = name.partition("-")
        if minor == "minor":
            places = [space_of(one.at) for one in run.game.generals_of(seat) if one.minor and run.game.on_map(one)]
            found[name] = space if space in places else ", ".join(places)
        else:
            found[name] = space_of(piece_at(run, name))
    return same("at", dict(wanted), found)


def inside_or_outside(run: Driver, name: str) -> str:
    name = run.stage.general(name) if name.endswith("-minor") else name
    place = piece_at(run, name)
    if space_of(place) not in run.game.board.index:
        return ""
    if is_inside(place):
        return "inside"
    return "outside" if run.game.board.kind(space_of(place)) == "major" else "land"


def stack(run: Driver, wanted: Mapping[str, Any]) -> Finding:
    """One owner's pieces in one location, exactly."""
    g, owner = run.game, wanted["owner"]
    place = run.stage.location(wanted["at"], wanted.get("loc"))
    generals = [one.name for one in g.generals_at(place, owner)]
    named = ["minor" if g.generals[name].minor and name not in wanted.get("generals", ()) else name for name in generals]
    found = {"cus": dict(g.kinds(place, owner)), "generals": sorted(named)}
    clean = {"cus": {kind: n for kind, n in wanted.get("cus", {}).items() if n}, "generals": sorted(wanted.get("generals", ()))}
    if "family" in wanted:
        clean["family"], found["family"] = sorted(wanted["family"]), sorted(one.name for one in g.royals_at(place, owner))
    return same(f"stack {owner} at {place}", clean, found)


def eliminated(run: Driver, wanted: Mapping[str, Mapping[str, int]]) -> Finding:
    found = {}
    for seat in wanted:
        lost: Counter[str] = Counter()
        for event in run.game.events:
            if event.key == "eliminated" and event.facts["seat"] == seat:
                lost.update(event.facts["cus"])
            elif event.key == "disbanded" and event.facts["seat"] == seat:
                lost["royal"] += event.facts["count"]
        found[seat] = {kind: number for kind, number in lost.items() if number}
    return same("eliminated", {seat: dict(cus) for seat, cus in wanted.items()}, found)


def dispersed(run: Driver, wanted: Mapping[str, Mapping[str, Any]]) -> Finding:
    """What is in the Dispersed Box, as far as the case names players and sorts of pieces."""
    g = run.game
    clean: dict[str, dict[str, Any]] = {}
    found: dict[str, dict[str, Any]] = {}
    for seat, box in wanted.items():
        there = {
            "generals": sorted(one.name for one in g.generals.values() if one.at == DISPERSED and one.seat == seat),
            "cus": {kind: number for kind, number in g.dispersed.get(seat, {}).items() if number},
            "fleets": sorted(one.name for one in g.fleets.values()
                             if one.dispersed and (one.seat or INDEPENDENT) == seat),
        }
        clean[seat] = {what: sorted(pieces) if isinstance(pieces, list) else dict(pieces) for what, pieces in box.items()}
        found[seat] = {what: there[what] for what in box}
    return same("dispersed", clean, found)


def fleets(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    found = {seat: sorted(one.name + "+" * one.upgraded for one in run.game.fleets.values()
                          if one.seat == seat and not one.dispersed) for seat in wanted}
    return same("fleets", {seat: sorted(names) for seat, names in wanted.items()}, found)


def dead(run: Driver, wanted: list[str]) -> Finding:
    return same("dead", dict.fromkeys(wanted, DEAD), {name: piece_at(run, name) for name in wanted})


def off_map(run: Driver, wanted: list[str]) -> Finding:
    on_map = [name for name in wanted if (
        not run.game.minors_off_map(name.removesuffix("-minor")) if name.endswith("-minor")
        else piece_at(run, name) not in (OFF, BOX, NOWHERE))]
    return Finding(not on_map, f"off_map: {', '.join(on_map)} not off map")


def mps_left(run: Driver, name: str) -> int:
    g = run.game
    name = run.stage.general(name)
    try:
        return activation.mps_of(g, name)
    except Refused as problem:
        raise NotKnown(f"{name} has no Movement Points yet ({problem})") from problem


def battle(run: Driver, wanted: Any) -> Finding:
    g = run.game
    begun = [{"kind": "land", "attacker": event.facts["attacker"], "defender": event.facts["defender"]}
             for event in g.events if event.key == "battle_began"]
    begun += [{"kind": "naval", "attacker": event.facts["seat"], "defender": event.facts["mover"]}
              for event in g.events if event.key == "naval_battle_began"]                     # 3.7 the Interceptor attacks
    if wanted == "none":
        return Finding(not begun, f"battle: wanted none, found {begun}")
    met = any(wanted.items() <= one.items() for one in begun)
    return Finding(met, f"battle: wanted {dict(wanted)}, found {begun or 'none'}")


def active(run: Driver, wanted: str) -> Finding:
    act = run.game.activation
    return same("active", "" if wanted == "none" else run.stage.general(wanted), act.key if act else "")


def of_battle(fact: str) -> Callable[[Driver, str], Any]:
    """A number that the events of a Land Battle give for each side."""
    key = "battle_strength" if fact == "strength" else "battle_rolled"

    def show(run: Driver, side: str) -> Any:
        at_sea = [event.facts for event in run.game.events
                  if event.key == "naval_battle_rolled" and event.facts["seat"] == side]
        return at_sea[-1][fact] if at_sea else last_event(run, key, seat=side)["total" if fact == "strength" else fact]

    return show


def battle_result(run: Driver, wanted: str) -> Finding:
    ended = [event for event in run.game.events if event.key in ("battle_won", "battle_drawn")]
    found = "none" if not ended else "draw" if ended[-1].key == "battle_drawn" else ended[-1].facts["seat"]
    return same("result", wanted, found)


def prestige_of(run: Driver, side: str) -> int:
    """As it was compared, or else what the side has where it stands."""
    g = run.game
    compared = [event.facts["sides"][side]["total"] for event in g.events
                if event.key == "prestige_compared" and side in event.facts["sides"]]
    places = [one.at for one in g.generals_of(side) if g.on_map(one)]
    if not compared and not places:
        raise NotKnown(f"{side} has nobody on the map")
    return int(compared[-1] if compared else prestige.prestige(g, places[0], side))


def siege_points(run: Driver, wanted: Mapping[str, Any]) -> Finding:
    """How many there are, perhaps also whose."""
    there = {space: run.game.siege_points.get(space, ("", 0)) for space in wanted}
    return same("siege_points", dict(wanted), {
        space: {"by": by, "points": points} if isinstance(wanted[space], Mapping) else points
        for space, (by, points) in there.items()})


def siege_mod(run: Driver, wanted: int) -> Finding:
    return same("siege_mod", wanted, sum(number for _, number in last_event(run, "siege_rolled")["modifiers"]))


def change(what: str) -> Callable[[Driver, str], int]:
    return lambda run, seat: int(getattr(run.stage.totals(seat), what) - getattr(run.stage.start[seat], what))


def fleet_strength(run: Driver, seat: str) -> int:
    """The strength in the last Naval Battle; where none was fought, that for Victory Points."""
    for event in reversed(run.game.events):
        if event.key == "naval_battle_rolled" and event.facts["seat"] == seat:
            return int(event.facts["strength"])
    return victory.fleet_strengths(run.game)[seat]


def says(run: Driver, wanted: str | list[str]) -> Finding:
    """Sentences of the public report, to the letter."""
    g = run.game
    words = Words("en", Names(g.facts, {seat: {} for seat in g.seats}), g.facts)
    told = " ".join(str(words.tell("events", one.key, one.facts)) for one in joined(
        event for event in g.events if event.audience == ALL))
    missing = [text for text in ([wanted] if isinstance(wanted, str) else wanted) if text not in told]
    return Finding(not missing, f"says: missing {missing}, found {told}")


def says_not(run: Driver, wanted: str) -> Finding:
    """Words that the public report does not print."""
    return Finding(not says(run, wanted).met, f"says_not: found {wanted}")


def legal(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    """6.2 A Spaces that are among those that may be chosen now."""
    question = run.table.question if run.table is not None else None
    spaces = list(question.about.get("spaces", ())) if question is not None else []
    missing = [space for space in wanted.get("unrest_space_contains", ()) if space not in spaces]
    return Finding(not missing, f"legal: {', '.join(missing)} not among {', '.join(spaces)}")


OBSERVABLES: dict[str, Callable[[Driver, Any], Finding]] = {
    "accepted": accepted,
    "says": says,
    "says_not": says_not,
    "offered": offered,
    "not_offered": not_offered,
    "asks": asks,
    "options": options,
    "all_options": all_options,
    "pc": per_key("pc", lambda run, space: run.game.controller(space)),
    "province": per_key("province", lambda run, province: run.game.province_controller(province)),
    "controls": per_key("controls", lambda run, royal: run.game.royals[royal].seat),
    "at": at,
    "loc": per_key("loc", inside_or_outside),
    "stack": stack,
    "eliminated": eliminated,
    "dispersed": dispersed,
    "fleets": fleets,
    "dead": dead,
    "off_map": off_map,
    "L": per_key("L", lambda run, seat: run.stage.totals(seat).legitimacy),
    "VP": per_key("VP", lambda run, seat: run.stage.totals(seat).points),
    "dL": per_key("dL", change("legitimacy")),
    "dVP": per_key("dVP", change("points")),
    "champion": per_key("champion", lambda run, seat: run.game.champion[seat]),
    "winner": lambda run, wanted: same("winner", wanted, run.game.over.get("winner", "")),
    "by": lambda run, wanted: same("by", wanted, run.game.over.get("by", "")),
    "over": lambda run, wanted: same("over", wanted, bool(run.game.over)),
    "usurper": lambda run, wanted: same("usurper", wanted, run.game.usurper),
    "mp_left": per_key("mp_left", mps_left),
    "active": active,
    "battle": battle,
    "strength": per_key("strength", of_battle("strength")),
    "roll": per_key("roll", of_battle("total")),
    "score": per_key("score", of_battle("score")),
    "result": battle_result,
    "prestige": per_key("prestige", prestige_of),
    "siege_mod": siege_mod,
    "siege_points": siege_points,
    "fleet_strength": per_key("fleet_strength", fleet_strength),
    "hand": per_key("hand", lambda run, seat: run.game.hands[seat]),
    "legal": legal,
    "order": lambda run, wanted: same("order", wanted, list(run.game.turn_order)),
    "value": lambda run, wanted: values(run, wanted),
}
