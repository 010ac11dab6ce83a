"""A case's `then`: each observable compared with what the engine shows."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem import position
from pbem.dev.given import NotKnown, slug
from pbem.dev.when import Driver
from pbem.errors import Refused
from pbem.events import ALL
from pbem.names import Names
from pbem.report.story import joined
from pbem.rules import activation, independents, land_movement, prestige, victory
from pbem.rules.land_movement import Way
from pbem.state import BOX, CART, DEAD, DISPERSED, INDEPENDENT, NOWHERE, OFF, PHASES, TOMB, Game, is_inside, space_of
from pbem.words import Words

NOBODY = (None, "none", "nobody", "uncontrolled", "")


class Finding(NamedTuple):
    """What came of one observable: met, not met, or nothing that can be judged."""

    met: bool | None
    text: str


def findings(run: Driver, rule: str, also: list[str]) -> list[Finding]:
    out = list(groups(run))
    for item in run.stage.then:
        for name, wanted in item.items():
            if name in ("reports", "step"):
                continue
            if name == "refused":
                out.append(refused(run, str(wanted), [rule, *also], item.get("step")))
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


def same(name: str, wanted: Any, found: Any) -> Finding:
    return Finding(wanted == found, f"{name}: wanted {wanted}, found {found}")


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


def refused(run: Driver, wanted: str, others: list[str], step: int | None) -> Finding:
    rejection = run.rejection
    if rejection is None:
        return Finding(False, f"refused: wanted {wanted}, nothing was refused")
    fits = any(related(rejection.rule, rule) for rule in (wanted, *others))
    late = step is not None and rejection.step > step - 1
    return Finding(fits and not late, f"refused: wanted {wanted}, step {rejection.step + 1} was refused by "
                                      f"{rejection.rule} ({rejection.told})")


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


def told(run: Driver, key: str, **facts: Any) -> dict[str, Any]:
    """The last event of a kind, if it was told."""
    found = [event.facts for event in run.game.events
             if event.key == key and all(event.facts[name] == value for name, value in facts.items())]
    if not found:
        raise NotKnown(f"no {key} was told")
    return found[-1]


def of_battle(fact: str) -> Callable[[Driver, str], Any]:
    """A number that the events of a Land Battle give for each side."""
    key = "battle_strength" if fact == "strength" else "battle_rolled"

    def show(run: Driver, side: str) -> Any:
        at_sea = [event.facts for event in run.game.events
                  if event.key == "naval_battle_rolled" and event.facts["seat"] == side]
        return at_sea[-1][fact] if at_sea else told(run, key, seat=side)["total" if fact == "strength" else fact]

    return show


def local_points(run: Driver, side: str) -> int:
    return sum(event.facts["points"] for event in run.game.events
               if event.key == "local_troops" and event.facts["seat"] == side)


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


def set_apart(run: Driver, wanted: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    return {event.facts["seat"]: {"royal": event.facts["count"]} for event in run.game.events
            if event.key == "royals_set_apart"}


def elephants(run: Driver, wanted: Any) -> list[int]:
    return list(told(run, "elephants_rolled")["strengths"])


def siege_points(run: Driver, wanted: Mapping[str, Any]) -> Finding:
    """How many there are, perhaps also whose."""
    there = {space: run.game.siege_points.get(space, ("", 0)) for space in wanted}
    return same("siege_points", dict(wanted), {
        space: {"by": by, "points": points} if isinstance(wanted[space], Mapping) else points
        for space, (by, points) in there.items()})


def siege_mod(run: Driver, wanted: int) -> Finding:
    return same("siege_mod", wanted, sum(number for _, number in told(run, "siege_rolled")["modifiers"]))


def silver_shields(run: Driver, wanted: str) -> str:
    g = run.game
    there = sum(g.kinds(at, seat)["silver"] for at, sides in g.cus.items() for seat in sides)
    return "on the map" if there + sum(box["silver"] for box in g.dispersed.values()) else "removed-from-game"


def change(what: str) -> Callable[[Driver, str], int]:
    return lambda run, seat: int(getattr(run.stage.totals(seat), what) - getattr(run.stage.start[seat], what))


def fleet_strength(run: Driver, seat: str) -> int:
    """The strength in the last Naval Battle; where none was fought, that for Victory Points."""
    for event in reversed(run.game.events):
        if event.key == "naval_battle_rolled" and event.facts["seat"] == seat:
            return int(event.facts["strength"])
    return victory.fleet_strength(run.game, seat)


def says(run: Driver, wanted: str | list[str]) -> Finding:
    """Sentences of the public report, to the letter."""
    g = run.game
    words = Words("en", Names(g.facts, {seat: {} for seat in g.seats}), g.facts)
    told = " ".join(str(words.tell("events", key, facts)) for key, facts, _ in joined(
        event for event in g.events if event.audience == ALL))
    missing = [text for text in ([wanted] if isinstance(wanted, str) else wanted) if text not in told]
    return Finding(not missing, f"says: missing {missing}, found {told}")


def legal(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    """6.2 A Spaces that are among those that may be chosen now."""
    question = run.table.question if run.table is not None else None
    spaces = list(question.about.get("spaces", ())) if question is not None else []
    missing = [space for space in wanted.get("unrest_space_contains", ()) if space not in spaces]
    return Finding(not missing, f"legal: {', '.join(missing)} not among {', '.join(spaces)}")


def withdraw_to(run: Driver, wanted: Any) -> dict[str, str]:
    """11.3 Each kind of move is made and withdrawn from; where the pieces end up is looked at."""
    told = {}
    for kind, origin, way in WAYS_BACK:
        game = Game(run.game.facts, run.game.board, run.game.rules, SEATS_OF_CASES)
        general = "leosthenes" if way == "box" else "seleukos"
        seat = INDEPENDENT if way == "box" else "red"
        cus = {"independent": 6} if way == "box" else {"loyal": 2}
        position.state(game, {
            "segment": {"player": "red", "kind": "activation"}, "mp": {general: 4}, "spaces": {"pella": "red"},
            "forces": [{"owner": seat, "at": "pella", "generals": [general], "cus": cus}]})
        activation.begin(game, general)
        activation.set_off(game, game.generals[general], activation.may_come(game, game.generals[general]))
        land_movement.withdraw(game, Way(general, seat, origin, "pella", way))
        told[kind] = {origin: RETURNED[kind]}.get(game.generals[general].at, game.generals[general].at)
    return told


WAYS_BACK = (("over_a_path", "larisa", "land"), ("landed_or_dropped", "amphipolis", "sea"),
             ("out_of_a_city", "pella/inside", "gate"), ("independent_from_box", BOX, "box"))
RETURNED = {"over_a_path": "the_space_they_left", "landed_or_dropped": "embarkation_port", "out_of_a_city": "inside_again",
            "independent_from_box": "holding_box_and_inactive"}
SEATS_OF_CASES = ("red", "blue", "yellow", "black")

OBSERVABLES: dict[str, Callable[[Driver, Any], Finding]] = {
    "accepted": accepted,
    "says": says,
    "offered": offered,
    "not_offered": not_offered,
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


# --- values -------------------------------------------------------------------------------------------------------


def values(run: Driver, wanted: Mapping[str, Any]) -> Finding:
    """Several named values; one that nobody can show leaves the others to be judged."""
    found: list[Finding] = []
    for name, value in wanted.items():
        show = VALUES.get(name)
        if show is None:
            found.append(Finding(None, f"nothing shows the value {name}"))
            continue
        seen = show(run, value)
        found.append(seen if isinstance(seen, Finding) else same(name, *_comparable(name, value, seen)))
    worst = min(found, key=lambda one: (one.met is True, one.met is None))
    return Finding(worst.met, "; ".join(one.text for one in found if one.met is worst.met))


def _comparable(name: str, wanted: Any, found: Any) -> tuple[Any, Any]:
    """Lists are compared without their order, `none` is nothing; only some lists mean a sequence."""
    return _plain(wanted, name in SEQUENCES), _plain(found, name in SEQUENCES)


def _plain(value: Any, ordered: bool) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item, ordered) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return list(value) if ordered else sorted(value)
    return None if isinstance(value, str) and value in NOBODY else value


SEQUENCES = frozenset({"procedure_order", "resolved", "phases", "played_in_order", "battle_card_order"})


def each(show: Callable[[Game, str], Any]) -> Callable[[Driver, Mapping[str, Any]], dict[str, Any]]:
    """A value per space, player or Province."""
    return lambda run, wanted: {key: show(run.game, key) for key in wanted}


def neighbours_include(run: Driver, wanted: Mapping[str, list[str]]) -> Finding:
    board = run.game.board
    missing = [f"{near} of {province}" for province, others in wanted.items() for near in others
               if near not in board.province_neighbours(province)]
    return Finding(not missing, f"province_neighbours_include: missing {', '.join(missing)}")


def commanders(run: Driver, wanted: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for place in wanted:
        here = run.stage.location(place.removesuffix("/outside"))
        leads = [lead.name for side in run.game.sides_at(here)
                 if (lead := run.game.commander(here, side)) is not None]
        found[place] = wanted[place] if wanted[place] in leads else leads[0] if len(leads) == 1 else leads
    return found


def subordinates(run: Driver, wanted: Mapping[str, list[str]]) -> dict[str, Any]:
    found: dict[str, list[str]] = {}
    for place in wanted:
        here = run.stage.location(place.removesuffix("/outside"))
        found[place] = [one.name for side in run.game.sides_at(here) for one in run.game.generals_at(here, side)[1:]]
    return found


def movement_by_die(run: Driver, wanted: Mapping[str, Mapping[int, int]]) -> dict[str, Any]:
    g = run.game
    minor = g.facts.tables["minor_general"]["initiative"]
    rating = {name: minor if name == "minor" else g.generals[name].initiative for name in wanted}
    return {name: {die: g.rules.movement_mps(rating[name], die) for die in dice} for name, dice in wanted.items()}


def path_costs(run: Driver, wanted: Mapping[str, int]) -> dict[str, int]:
    costs = run.game.rules.path_mps
    return {name: costs["trans" if name == "trans-mediterranean" else name] for name in wanted}


def attrition_column(run: Driver, wanted: int) -> Any:
    columns = [event.facts["column"] for event in run.game.events if event.key == "attrition_rolled"]
    return int(columns[-1]) if columns and columns[-1].isdecimal() else columns[-1:]


def attrition_roll_used(run: Driver, wanted: int) -> int:
    facts = told(run, "attrition_rolled")
    return int(facts["die"] + facts["modifier"])


def lord_of_asia(run: Driver, wanted: str) -> str:
    holders = {run.game.province_controller(one) for one in run.game.facts.tables["vp_bonus"]["lord_of_asia_provinces"]}
    return holders.pop() if len(holders) == 1 else ""


def hellespont(run: Driver, wanted: str) -> str:
    holders = {run.game.controller(port) for port in run.game.board.hellespont}
    return holders.pop() if len(holders) == 1 else ""


def holding_box(run: Driver, wanted: list[str]) -> Finding:
    """Met if the named things lie there."""
    g = run.game
    away = [name for name in wanted if not (
        name in g.fleets and not g.fleets[name].seat and not g.fleets[name].dispersed
        or name in g.generals and g.generals[name].at == BOX)]
    return Finding(not away, f"holding_box: {', '.join(away)} not there")


def whereabouts(name: str) -> Callable[[Driver, str], str]:
    return lambda run, wanted: {DEAD: "removed"}.get(run.game.royals[name].at, space_of(run.game.royals[name].at))


def group(name: str) -> Callable[[Driver, list[str]], list[str]]:
    """4.3 Which Generals belong to a group, for so many players."""

    def show(run: Driver, wanted: list[str]) -> list[str]:
        players = len(run.game.seats)
        return [general for general, fact in run.game.facts.generals.items() if fact["groups"][players] == name]

    return show


def by_players(column: str) -> Callable[[Driver, Mapping[int, int]], dict[int, int]]:
    return lambda run, wanted: dict(run.game.facts.tables["rounds_and_hands"][column])


SIEGE_MODS = {"port_without_available_fleet": "port_without_fleet", "helepolis_major_city": "helepolis",
              "traitor_major_city": "traitor_inside_city", "polyarchos_inside_major_city": "polyarchos_inside"}


def siege_mods(run: Driver, wanted: Mapping[str, int]) -> dict[str, int | None]:
    """15.2 B"""
    mods = {row["key"]: row["value"] for row in run.game.facts.tables["siege"]["modifiers"]}
    return {name: mods.get(SIEGE_MODS.get(name, name)) for name in wanted}


def siege_points_needed(run: Driver, wanted: Mapping[str, int]) -> dict[str, int | None]:
    """15.4 A Major City takes as many, whoever holds it."""
    needed = run.game.facts.tables["siege"]["points_needed"][4]
    return {name: needed.get(name, needed["major_city"]) for name in wanted}


def general_killed_on(run: Driver, wanted: Mapping[str, list[int]]) -> dict[str, list[int]]:
    """14.8"""
    killed = run.game.facts.tables["commander_loss"]["killed_on"]
    return {end: killed["lost" if end == "loss" else "won_or_drew"] for end in wanted}


def after_defeat(run: Driver, wanted: Mapping[str, str]) -> dict[str, str]:
    """14.9"""
    words = {"box": "holding_box", "remove": "removed"}
    return {name: words[run.game.facts.independents[name]["on_defeat"]] for name in wanted}


def drew_from_deck(run: Driver, wanted: Mapping[str, bool]) -> dict[str, bool]:
    drew = {event.facts["seat"] for event in run.game.events if event.key == "card_drawn"}
    return {seat: seat in drew for seat in wanted}


def discard_top(run: Driver, wanted: str) -> str:
    top = run.game.discards[-1] if run.game.discards else ""
    return run.stage.hands.called.get(top, top)


def popularity(run: Driver, wanted: Mapping[str, int]) -> dict[str, int]:
    return {name: points for name, points in run.game.popularity.items() if points}


def training(run: Driver, wanted: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    out = {}
    for seat in wanted:
        kind, place = run.game.training.get(seat, ("", 0))
        out[seat] = {"type": kind, "at": place, "missing": run.game.rules.training.get(kind, 0) - place}
    return out


def collects(run: Driver, wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {seat: dict(told(run, "reinforcements_due", seat=seat)["cus"]) for seat in wanted}


def must_place(run: Driver, wanted: Mapping[str, Any]) -> dict[str, Any]:
    g = run.game
    return {seat: {"generals": g.due_generals.get(seat, []), "cus": dict(+g.due.get(seat, Counter()))} for seat in wanted}


def revealed(run: Driver, wanted: list[str]) -> list[str]:
    """The cards turned up so far, and those that wait for the event of an earlier one."""
    turned = [event.facts["card"] for event in run.game.events if event.key == "card_revealed"]
    return [run.stage.hands.called[card] for card in (*turned, *run.stage.hands.face_down)]


def resolved_by(run: Driver, wanted: str) -> str:
    return str(told(run, "card_revealed")["resolver"])


def somewhere(places: Callable[[Game], Iterable[str]]) -> Callable[[Driver, list[str]], list[str]]:
    """Which of the named cards could be in these places."""
    return lambda run, wanted: [name for name in wanted if set(run.stage.hands.called_so(name)) & set(places(run.game))]


def resolved(run: Driver, wanted: list[str]) -> list[str]:
    """6.2 What a Bonus card was used for, in sequence: its event, then its points."""
    keys = [event.key for event in run.game.events]
    started = keys.index("card_played") + 1
    marched = keys.index("activated") if "activated" in keys else len(keys)
    return ["event"] * (marched > started) + ["ops"] * (marched < len(keys))


def called(run: Driver, cards: Iterable[str]) -> list[str]:
    """Cards by the names that cases give them."""
    return [f"{slug(run.game.facts.cards[card]['name'])}-{card.lower()}" if card in SAME_NAME
            else slug(run.game.facts.cards[card]["name"]) for card in cards]


SAME_NAME = ("47A", "47B")


def gone(run: Driver, wanted: list[str]) -> list[str]:
    return called(run, (event.facts["card"] for event in run.game.events if event.key == "card_left_game"))


def joined_deck(run: Driver, wanted: list[str]) -> list[str]:
    return called(run, (event.facts["card"] for event in run.game.events if event.key == "card_joined_deck"))


VALUES: dict[str, Callable[[Driver, Any], Any]] = {
    "resolved": resolved,
    "removed_from_game": gone,
    "added_to_deck": joined_deck,
    "looted": lambda run, wanted: sorted(run.game.looted),
    "helepolis": lambda run, wanted: run.game.helepolis,
    "kept": lambda run, wanted: {slug(run.game.facts.cards[card]["name"]): seat for card, seat in run.game.kept.items()},
    "shown": lambda run, wanted: {slug(run.game.facts.cards[card]["name"]): seat for card, seat in run.game.shown.items()},
    "discarded": lambda run, wanted: called(run, run.game.discards),
    "spaces_of": each(lambda g, province: g.board.spaces_of(province)),
    "major_city_of": each(lambda g, province: g.board.major_city_of(province)),
    "kind": each(lambda g, space: g.board.kind(space)),
    "province_neighbours": each(lambda g, province: g.board.province_neighbours(province)),
    "province_neighbours_include": neighbours_include,
    "besieged": each(lambda g, space: g.besieged(space)),
    "L_of_independents": lambda run, wanted: victory.legitimacy(run.game, INDEPENDENT),
    "lord_of_asia": lord_of_asia,
    "largest_fleet": lambda run, wanted: victory.largest_fleet(run.game),
    "hellespont": hellespont,
    "instant_vp_by_players": lambda run, wanted: dict(run.game.rules.instant_points),
    "commander": commanders,
    "subordinates": subordinates,
    "minors_off_map": each(lambda g, seat: len(g.minors_off_map(seat))),
    "popularity": popularity,
    "mp_by_die": movement_by_die,
    "path_costs": path_costs,
    "withdraw_to": withdraw_to,
    "procedure_order": lambda run, wanted: ["attrition_of_strongholds", *run.game.rules.land_movement],
    "attrition_column": attrition_column,
    "attrition_roll_used": attrition_roll_used,
    "capital": each(lambda g, seat: g.capitals.get(seat)),
    "holding_box": holding_box,
    "active_independents": lambda run, wanted: independents.active(run.game),
    "movable_independents": lambda run, wanted: independents.movable(run.game),
    "cart": whereabouts(CART),
    "tomb": whereabouts(TOMB),
    "starting": group("starting"),
    "reserve": group("reserve"),
    "event": group("event"),
    "unavailable": group("unavailable"),
    "phases": lambda run, wanted: list(PHASES),
    "rounds_by_players": by_players("rounds"),
    "hand_by_players": by_players("hand"),
    "table_by_players": by_players("face_down"),
    "dealt_by_players": lambda run, wanted: dict(run.game.facts.tables["generals"]["starting_generals_dealt"]),
    "discard_top": discard_top,
    "played_in_order": lambda run, wanted: [event.facts["seat"] for event in run.game.events if event.key == "surprise_played"],
    "training": training,
    "collects": collects,
    "collects_loyal": lambda run, wanted: {seat: cus.get("loyal", 0) for seat, cus in collects(run, wanted).items()},
    "must_place": must_place,
    "revealed": revealed,
    "resolved_by": resolved_by,
    "independent_spaces_of": each(lambda g, province: [
        space for space in g.board.spaces_of(province) if g.controller(space) == INDEPENDENT]),
    "upgraded_fleets": lambda run, wanted: [fleet.name for fleet in run.game.fleets.values() if fleet.upgraded],
    "generals": each(lambda g, seat: g.dealt[seat]),
    "in_deck_or_hands": somewhere(lambda g: g.deck_cards),
    "nowhere": somewhere(lambda g: g.out),
    "drew_from_deck": drew_from_deck,
    "max_sieges_per_space": lambda run, wanted: dict(run.game.facts.tables["siege"]["attempts_per_segment"]),
    "siege_mods": siege_mods,
    "siege_points_needed": siege_points_needed,
    "general_killed_on": general_killed_on,
    "after_defeat": after_defeat,
    "set_apart": set_apart,
    "local_troops": lambda run, wanted: {side: local_points(run, side) for side in wanted},
    "elephant_strengths": elephants,
    "elephant_total": lambda run, wanted: sum(elephants(run, wanted)),
    "battle_card_order": lambda run, wanted: ["attacker", "defender"],
    "silver_shields": silver_shields,
}
