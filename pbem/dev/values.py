"""A case's `value`: facts by name, which no other observable shows."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.dev.finding import NOBODY, Finding, last_event, same
from pbem.dev.given import slug
from pbem.dev.when import Driver
from pbem.rules import activation, independents, land_movement, victory
from pbem.table import position
from pbem.table.state import BOX, CART, DEAD, INDEPENDENT, PHASES, TOMB, Game, Way, space_of


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
    facts = last_event(run, "attrition_rolled")
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
    return {seat: dict(last_event(run, "reinforcements_due", seat=seat)["cus"]) for seat in wanted}


def must_place(run: Driver, wanted: Mapping[str, Any]) -> dict[str, Any]:
    g = run.game
    return {seat: {"generals": g.due_generals.get(seat, []), "cus": dict(+g.due.get(seat, Counter()))} for seat in wanted}


def revealed(run: Driver, wanted: list[str]) -> list[str]:
    """The cards turned up so far, and those that wait for the event of an earlier one."""
    turned = [event.facts["card"] for event in run.game.events if event.key == "card_revealed"]
    return [run.stage.hands.called[card] for card in (*turned, *run.stage.hands.face_down)]


def resolved_by(run: Driver, wanted: str) -> str:
    return str(last_event(run, "card_revealed")["resolver"])


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


def local_points(run: Driver, side: str) -> int:
    return sum(event.facts["points"] for event in run.game.events
               if event.key == "local_troops" and event.facts["seat"] == side)


def set_apart(run: Driver, wanted: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    return {event.facts["seat"]: {"royal": event.facts["count"]} for event in run.game.events
            if event.key == "royals_set_apart"}


def elephants(run: Driver, wanted: Any) -> list[int]:
    return list(last_event(run, "elephants_rolled")["strengths"])


def silver_shields(run: Driver, wanted: str) -> str:
    g = run.game
    there = sum(g.kinds(at, seat)["silver"] for at, sides in g.cus.items() for seat in sides)
    return "on the map" if there + sum(box["silver"] for box in g.dispersed.values()) else "removed-from-game"


def withdraw_to(run: Driver, wanted: Any) -> dict[str, str]:
    """11.3 Each kind of move is made and withdrawn from; where the pieces end up is looked at."""
    told = {}
    for kind, origin, way in WAYS_BACK:
        game = Game(run.game.facts, run.game.board, run.game.rules, SEATS_OF_CASES, run.game.effects)
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


VALUES: dict[str, Callable[[Driver, Any], Any]] = {
    "turn": lambda run, wanted: run.game.turn,
    "round": lambda run, wanted: run.game.round,
    "question": lambda run, wanted: run.table.question.id if run.table is not None and run.table.question is not None else "",
    "deck": lambda run, wanted: run.game.deck,
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
