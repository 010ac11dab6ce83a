"""What a script says came of a step, compared with the game: one function for each word under `expect` and `derived`."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.dev.replay.script import Untold
from pbem.dev.replay.table import Table
from pbem.rules import activation, victory
from pbem.table.state import DEAD, DISPERSED, OFF, TOMB, General, space_of

Compare = Callable[[Table, Any], tuple[Any, Any]]          # what is wanted, what there is: in the same words


# --- players ------------------------------------------------------------------------------------------------------


def per_player(show: Callable[[Table, str], Any]) -> Compare:
    """Something of each player that is named."""

    def compare(run: Table, wanted: Mapping[str, Any]) -> tuple[Any, Any]:
        return dict(wanted), {player: show(run, run.script.seats[player]) for player in wanted}

    return compare


def points(run: Table, seat: str) -> int:
    return victory.points(run.g, seat)


def legitimacy(run: Table, seat: str) -> int:
    return victory.legitimacy(run.g, seat)


def points_change(run: Table, seat: str) -> int:
    return points(run, seat) - int(run.before["totals"][seat][0])


def legitimacy_change(run: Table, seat: str) -> int:
    return legitimacy(run, seat) - int(run.before["totals"][seat][1])


def players(run: Table, seats: Iterable[str]) -> list[str]:
    return [run.script.player(seat) for seat in seats]


def lowest(run: Table, wanted: list[str]) -> tuple[Any, Any]:
    totals = {seat: before[0] for seat, before in run.before["totals"].items()}
    return sorted(wanted), sorted(players(run, [seat for seat, total in totals.items() if total == min(totals.values())]))


def order(run: Table, wanted: list[str]) -> tuple[Any, Any]:
    return wanted, players(run, run.g.turn_order)


def usurper(run: Table, wanted: str) -> tuple[Any, Any]:
    return wanted, run.script.player(run.g.usurper) or None


# --- Provinces, Fleets, the Royal Family ---------------------------------------------------------------------------


def gained(run: Table) -> dict[str, int]:
    g = run.g
    new = set(g.provinces_of(run.seat)) - run.before["provinces"][run.seat]
    return {one: g.board.vp(one) for one in new}


def province_gained(run: Table, wanted: Mapping[str, int]) -> tuple[Any, Any]:
    return {run.spelt.id("province", name): number for name, number in wanted.items()}, gained(run)


def province_kept(run: Table, wanted: Mapping[str, str]) -> tuple[Any, Any]:
    found = {player: run.spelt.id("province", name) in run.g.provinces_of(run.script.seats[player])
             for player, name in wanted.items()}
    return dict.fromkeys(wanted, True), found


def of_province(show: Callable[[Table, str], Any]) -> Compare:
    def compare(run: Table, wanted: Mapping[str, Any]) -> tuple[Any, Any]:
        return dict(wanted), {name: show(run, run.spelt.id("province", name)) for name in wanted}

    return compare


def province_of(run: Table, wanted: Mapping[str, str]) -> tuple[Any, Any]:
    return ({name: run.spelt.id("province", province) for name, province in wanted.items()},
            {name: run.g.board.province_of(run.spelt.id("space", name)) for name in wanted})


def province_here(run: Table, wanted: str) -> tuple[Any, Any]:
    one = run.g.generals[run.spelt.general(run.step["general"])]
    return run.spelt.id("province", wanted), run.g.board.province_of(space_of(one.at))


def pcs_there(run: Table, wanted: int) -> tuple[Any, Any]:
    province = run.g.board.province_of(run.spelt.id("space", run.step["spaces"][0]))
    return wanted, sum(run.g.controller(space) == run.seat for space in run.g.board.spaces_of(province))


def fleet_gained(run: Table, wanted: list[str]) -> tuple[Any, Any]:
    new = {one.name for one in run.g.fleets.values() if one.seat == run.seat} - run.before["fleets"][run.seat]
    return sorted(run.spelt.names.resolve("fleet", name) for name in wanted), sorted(new)


def royal_gained(run: Table, wanted: Any) -> tuple[Any, Any]:
    new = {one.name for one in run.g.royals.values() if one.seat == run.seat} - run.before["royals"][run.seat]
    values = run.g.facts.tables["legitimacy_values"]
    if isinstance(wanted, Mapping):
        return {run.spelt.royal(name): value for name, value in wanted.items()}, {name: values.get(name) for name in new}
    return sorted(run.spelt.royal(name) for name in wanted), sorted(new)


def bound_to(run: Table, wanted: str) -> tuple[Any, Any]:
    return run.seat, run.g.royals[run.spelt.royal(run.step["bride"])].seat


# --- spaces and pieces --------------------------------------------------------------------------------------------


def owner(run: Table, space: str) -> str | None:
    held = run.g.controller(space)
    return run.script.player(held) if held else None


def pc(run: Table, wanted: Mapping[str, Any]) -> tuple[Any, Any]:
    return dict(wanted), {name: owner(run, run.spelt.id("space", name)) for name in wanted}


def whereabouts(run: Table, name: str) -> str:
    g = run.g
    if name in run.script.spellings["royals"]:
        return space_of(g.royals[run.spelt.royal(name)].at)
    return space_of(g.generals[run.spelt.general(name)].at)


def at(run: Table, wanted: Mapping[str, str]) -> tuple[Any, Any]:
    return ({name: run.spelt.id("space", place) for name, place in wanted.items()},
            {name: whereabouts(run, name) for name in wanted})


def units(run: Table, places: Iterable[str], seat: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for place in places:
        found.update(run.g.kinds(place, seat))
    return {kind: number for kind, number in found.items() if number}


def army(run: Table, wanted: Mapping[str, Mapping[str, int]]) -> tuple[Any, Any]:
    found = {}
    for name in wanted:
        one = run.g.generals[run.spelt.general(name)]
        found[name] = units(run, [one.at], one.seat)
    return {name: run.spelt.units(told) for name, told in wanted.items()}, found


def stack(run: Table, text: str, wanted: Mapping[str, Any]) -> tuple[Any, Any]:
    """CUs of the player in a space, and who leads them, if that is said."""
    space = run.spelt.id("space", text)
    places = run.g.board.locations_of(space)
    told: dict[str, Any] = {"cus": run.spelt.units(wanted)}
    found: dict[str, Any] = {"cus": units(run, places, run.seat)}
    if "general" in wanted:
        told["general"] = run.spelt.general(wanted["general"])
        found["general"] = next((one.name for place in places for one in run.g.generals_at(place, run.seat)), "")
    return told, found


def royals_at(run: Table, text: str, wanted: list[str]) -> tuple[Any, Any]:
    space = run.spelt.id("space", text)
    return sorted(run.spelt.royal(name) for name in wanted), sorted(
        one.name for place in run.g.board.locations_of(space) for one in run.g.royals_at(place, run.seat))


def cu(run: Table, wanted: Mapping[str, int]) -> tuple[Any, Any]:
    places = {name: run.g.board.locations_of(run.spelt.id("space", name)) for name in wanted}
    return dict(wanted), {name: sum(run.g.count(place, run.seat) for place in there) for name, there in places.items()}


def limit(run: Table, wanted: int) -> tuple[Any, Any]:
    spaces = [run.spelt.id("space", name) for name in run.step["expect"]["cu"]]
    kinds = {"transit" if run.g.board.is_transit(space) else "other" for space in spaces}
    return wanted, [run.g.rules.forage_limit[kind] for kind in kinds][0]


def placed(run: Table, wanted: Mapping[str, int]) -> tuple[Any, Any]:
    found: Counter[str] = Counter(units(run, run.g.cus, run.seat))
    found.subtract(run.before["cus"][run.seat])
    return run.spelt.units(wanted), {kind: number for kind, number in found.items() if number}


def lost(run: Table, wanted: Any) -> tuple[Any, Any]:
    found: Counter[str] = Counter()
    for facts in run.events("eliminated"):
        if facts["seat"] == run.seat:
            found.update(facts["cus"])
    if not isinstance(wanted, Mapping):
        return wanted, sum(found.values())
    return run.spelt.units(wanted), dict(found)


def joined(run: Table, wanted: str) -> tuple[Any, Any]:
    mover = run.g.generals.get(run.spelt.general(run.step["general"]))
    places = [run.spelt.id("space", space) for space in run.step["path"] if space]
    here = space_of(mover.at) if mover is not None and mover.at != OFF else places[-1]
    lead = run.g.commander(here, run.seat)
    return run.spelt.general(wanted), lead.name if lead else ""


def alone(run: Table, wanted: bool) -> tuple[Any, Any]:
    one = run.g.generals[run.spelt.general(run.step["general"])]
    return wanted, not run.g.count(one.at, one.seat)


def removed(run: Table, wanted: int) -> tuple[Any, Any]:
    return wanted, sum(len(facts["pcs"]) for facts in run.events("isolated"))


# --- movement -----------------------------------------------------------------------------------------------------


def mps(run: Table, wanted: Mapping[str, int | None]) -> tuple[Any, Any]:
    """Of each General who is named, of all of the player's, or of his Minor Generals."""
    g = run.g
    own = [one for one in g.generals_of(run.seat) if g.on_map(one)]
    known = {name: number for name, number in wanted.items() if number is not None}
    found: dict[str, Any] = {}
    for name in known:
        of: list[General] = (own if name == "all generals" else [one for one in own if one.minor] if name == "minor generals"
                             else [g.generals[run.spelt.general(name)]])
        found[name] = one_value({activation.mps_of(g, one.name) for one in of} or {known[name]})
    return known, found


def one_value(values: set[Any]) -> Any:
    return values.pop() if len(values) == 1 else sorted(values)


def cost(run: Table, wanted: int) -> tuple[Any, Any]:
    return wanted, sum(facts["cost"] for facts in run.events("marched", "sailed"))


def no_battles(run: Table, wanted: list[Any]) -> tuple[Any, Any]:
    return len(wanted), len(run.events("naval_battle_declared"))


# --- sieges -------------------------------------------------------------------------------------------------------


def rolled(run: Table) -> Mapping[str, Any]:
    return next(iter(run.events("siege_rolled")), {})


def siege_points(run: Table, wanted: Any) -> tuple[Any, Any]:
    """Against each space; a number alone is what this roll gave."""
    if not isinstance(wanted, Mapping):
        return wanted, rolled(run).get("points")
    return dict(wanted), {name: run.g.siege_points.get(run.spelt.id("space", name), ("", 0))[1] for name in wanted}


def points_gained(run: Table, wanted: int) -> tuple[Any, Any]:
    return wanted, rolled(run).get("points")


def at_least(run: Table, wanted: int) -> tuple[Any, Any]:
    found = rolled(run).get("points") or 0
    return wanted, min(found, wanted)


def points_needed(run: Table, wanted: int) -> tuple[Any, Any]:
    return wanted, run.before["needed"]


def success(run: Table, wanted: bool) -> tuple[Any, Any]:
    own = [facts for facts in run.events("interception_rolled", "evasion_rolled") if facts["seat"] == run.seat]
    return wanted, own[-1]["succeeded"] if own else bool(run.events("siege_completed"))


def not_yet_own(run: Table, wanted: str) -> tuple[Any, Any]:
    return False, run.g.controller(run.spelt.id("space", run.step["target"])) == run.seat


# --- cards --------------------------------------------------------------------------------------------------------


def left_game(run: Table, wanted: bool) -> tuple[Any, Any]:
    return wanted, any(card in run.g.out for card in run.spelt.cards(run.step["card"]))


def drawn_ops(run: Table, wanted: int) -> tuple[Any, Any]:
    return wanted, run.g.facts.cards[run.spelt.first_card(run.step["draw"])]["ops"]


def winner(run: Table, wanted: str) -> tuple[Any, Any]:
    """Of the last battle, by land or sea; a draw is nobody's."""
    keys = ("battle_won", "battle_drawn", "naval_battle_fought")
    ended = [event for _, event in run.desk.match.history[run.told_before:] if event.key in keys]
    if not ended:
        return wanted, None
    facts = ended[-1].facts
    return wanted, run.script.player(facts.get("winner") or facts.get("seat", "")) or "draw"


def names_of(run: Table, wanted: Any) -> list[str]:
    return [run.spelt.general(name) for name in ([wanted] if isinstance(wanted, str) else wanted)]


def standing(where: str) -> Compare:
    """Of which Generals this is said."""

    def compare(run: Table, wanted: Any) -> tuple[Any, Any]:
        names = names_of(run, wanted)
        return sorted(names), sorted(name for name in names if run.g.generals[name].at == where)

    return compare


def royals(run: Table, wanted: Mapping[str, str | None]) -> tuple[Any, Any]:
    """Who controls whom of the family, or the Cart."""
    return dict(wanted), {name: run.script.player(run.g.royals[run.spelt.royal(name)].seat) or None for name in wanted}


def dead_royals(run: Table, wanted: Any) -> tuple[Any, Any]:
    names = [run.spelt.royal(name) for name in ([wanted] if isinstance(wanted, str) else wanted)]
    return sorted(names), sorted(name for name in names if run.g.royals[name].at == DEAD)


def tomb(run: Table, wanted: str) -> tuple[Any, Any]:
    return run.spelt.id("space", wanted), space_of(run.g.royals[TOMB].at)


def besieged(run: Table, wanted: Mapping[str, bool]) -> tuple[Any, Any]:
    return dict(wanted), {name: run.g.besieged(run.spelt.id("space", name)) for name in wanted}


def commander(run: Table, wanted: Mapping[str, str]) -> tuple[Any, Any]:
    """Whoever leads the player's pieces in a space."""
    found = {}
    for name in wanted:
        places = run.g.board.locations_of(run.spelt.id("space", name))
        found[name] = next((one.name for at in places for one in run.g.generals_at(at, run.seat)), "")
    return {name: run.spelt.general(one) for name, one in wanted.items()}, found


def hand(run: Table, wanted: Mapping[str, Any]) -> tuple[Any, Any]:
    """How many cards each holds, or which."""
    said, found = dict[str, Any](), dict[str, Any]()
    for player, told in wanted.items():
        held = [run.g.facts.cards[card]["name"] for card in run.hands[run.script.seats[player]]]
        counted = isinstance(told, int)
        said[player] = told if counted else sorted(run.spelt.first_card(name) for name in told)
        found[player] = len(held) if counted else sorted(map(run.spelt.first_card, held))
    return said, found


def fleets(run: Table, wanted: Mapping[str, list[str]]) -> tuple[Any, Any]:
    """Whose Fleets lie ready; those that are dispersed do not."""
    return ({player: sorted(run.spelt.names.resolve("fleet", name) for name in names) for player, names in wanted.items()},
            {player: sorted(one.name for one in run.g.fleets.values()
                            if one.seat == run.script.seats[player] and not one.dispersed) for player in wanted})


def dispersed(run: Table, wanted: Mapping[str, Mapping[str, int]]) -> tuple[Any, Any]:
    """CUs in the Dispersed Box, by player."""
    return ({player: run.spelt.units(told) for player, told in wanted.items()},
            {player: {kind: number for kind, number in run.g.dispersed[run.script.seats[player]].items() if number}
             for player in wanted})


def local_troops(run: Table, wanted: Mapping[str, int]) -> tuple[Any, Any]:
    told = {run.script.player(facts["seat"]): facts["points"] for facts in run.events("local_troops")}
    return dict(wanted), {player: told.get(player, 0) for player in wanted}


def unrest(run: Table, wanted: Any) -> tuple[Any, Any]:
    """The Provinces that the dice named."""
    names = [wanted] if isinstance(wanted, str) else wanted
    told = [one for facts in run.events("unrest_rolled") for one in facts["provinces"]]
    return sorted(run.spelt.id("province", name) for name in names), sorted(set(told))


def game_won(run: Table, wanted: str) -> tuple[Any, Any]:
    won = [event.facts for _, event in run.desk.match.history if event.key == "game_won"]
    return wanted, run.script.player(won[-1]["seat"]) if won else None


def in_battle(fact: str, keys: tuple[str, ...]) -> Compare:
    """A number that each side of the last battle had."""

    def compare(run: Table, wanted: Any) -> tuple[Any, Any]:
        rolled = {run.script.player(facts["seat"]): facts[fact] for facts in run.events(*keys)}
        return dict(wanted), {player: rolled.get(player) for player in wanted}

    return compare


def prestige(run: Table, wanted: Mapping[str, int]) -> tuple[Any, Any]:
    compared = run.events("prestige_compared")
    sides: Mapping[str, Any] = compared[-1]["sides"] if compared else {}
    return dict(wanted), {player: sides.get(run.script.seats[player], {}).get("total") for player in wanted}


def skipped(run: Table, wanted: bool) -> tuple[Any, Any]:
    return wanted, run.g.turn == 1 and not run.g.due


DETAILS = frozenset({"place_units", "bonus_event", "marriage"})         # what came of an event counts from where it was played
WORDS: dict[str, Compare] = {
    "vp": per_player(points), "l": per_player(legitimacy), "vp_change": per_player(points_change),
    "l_change": per_player(legitimacy_change), "lowest_vp": lowest, "order": order, "usurper": usurper,
    "province_gained": province_gained, "province_kept": province_kept, "province_of": province_of, "province": province_here,
    "province_size": of_province(lambda run, one: len([space for space in run.g.board.spaces_of(one)
                                                       if not run.g.board.is_transit(space)])),
    "province_needs": of_province(lambda run, one: run.g.board.majority(one)),
    "pcs_there": pcs_there, "fleet_gained": fleet_gained, "royal_gained": royal_gained, "bound_to": bound_to,
    "pc": pc, "position": at, "army": army, "cu": cu, "limit": limit, "placed": placed, "losses": lost, "joined": joined,
    "alone": alone, "removed": removed, "mps": mps, "cost": cost, "naval_interceptions": no_battles,
    "siege_points": siege_points, "siege_points_gained": points_gained, "siege_points_gained_at_least": at_least,
    "points_needed": points_needed, "success": success, "own_pc_not_before": not_yet_own,
    "winner": winner, "score": in_battle("score", ("battle_rolled", "naval_battle_rolled")),
    "roll": in_battle("total", ("battle_rolled", "naval_battle_rolled")),
    "strength": in_battle("strength", ("battle_rolled", "naval_battle_rolled")), "prestige": prestige,
    "champion": per_player(lambda run, seat: run.g.champion[seat]),
    "dead": standing(DEAD), "dispersed_generals": standing(DISPERSED), "royals": royals, "dead_royals": dead_royals,
    "tomb": tomb,
    "besieged": besieged, "commander": commander, "hand": hand, "fleets": fleets, "dispersed": dispersed,
    "local_troops": local_troops, "unrest": unrest, "game_won": game_won,
    "card_removed_from_game": left_game, "drawn_ops": drawn_ops, "skipped": skipped,
}


def compared(run: Table, word: str, wanted: Any) -> tuple[Any, Any]:
    """What the script says under a word, and what there is; null says nothing, but of a PC."""
    if wanted is None:
        return None, None
    if word in WORDS:
        return WORDS[word](run, wanted)
    name, _, what = word.rpartition("_")
    if what == "pc":
        return wanted, owner(run, run.spelt.id("space", name))
    if what == "active":
        return wanted, bool(run.g.royals[run.spelt.royal(name)].seat)
    if what == "also":
        return royals_at(run, name, wanted)
    if what == "draws":
        drew = {facts["seat"] for facts in run.events("card_drawn")}
        return True, run.script.seats[name] in drew
    if word in run.script.spellings["spaces"]:
        return stack(run, word, wanted)
    if word.startswith("minor ") and str(wanted).startswith("removed"):
        return OFF, run.g.generals[run.spelt.minors[word]].at
    raise Untold("nothing shows that")
