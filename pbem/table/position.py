"""A position as data, in the vocabulary of the rule cases: adopted at the start, stated by rulings, written at turn ends.

`state` puts facts onto a game, `written` gives all that is public about one. What is written can be stated again and
gives the same position.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.base.errors import Refused
from pbem.table.state import (
    CART,
    DEAD,
    DISPERSED,
    FRESH,
    INDEPENDENT,
    NOT_IN_PLAY,
    NOWHERE,
    OFF,
    PHASES,
    SEGMENTS,
    SETUP,
    TOMB,
    Game,
    Past,
    Step,
    Unit,
    by_kind,
    is_at_sea,
    space_of,
)

KNOWN = """
    turn round segment phase turn_order champions usurper spaces provinces forces family cart tomb fleets dispersed
    hands shown kept looted helepolis_by deck training siege_points mp moved naval_used dealt dead popularity condemned
    adjust minors discards seating
    out face_down buried_by offers helepolis not_in_play movement_roll step chooser due placed overflowed arrived
    foraged over revealed capitals construction captured_capitals cart_finished truces oracle ranks
"""
KEYS = frozenset(KNOWN.split())
SHAPES: Mapping[str, tuple[type | tuple[type, ...], frozenset[str]]] = {
    "number": (int, frozenset("turn round face_down movement_roll".split())),
    "list": ((list, tuple), frozenset("""
        turn_order seating ranks forces discards out dead not_in_play moved foraged arrived""".split())),
    "mapping": (Mapping, frozenset("""
        segment champions spaces provinces family fleets dispersed hands deck training siege_points mp dealt popularity adjust
        minors due placed overflowed over""".split())),
}


def state(g: Game, given: Mapping[str, Any]) -> None:
    """Put facts onto the position. Each key states its own subject and leaves the others as they are."""
    try:
        _state(g, given)
    except KeyError as fault:
        raise Refused("2", "position_incomplete", what=str(fault.args[0])) from fault
    except (AttributeError, TypeError, ValueError) as fault:        # a list for a mapping, a word for a number ...
        raise Refused("2", "position_unreadable") from fault


def _state(g: Game, given: Mapping[str, Any]) -> None:
    for key, value in given.items():
        if key not in KEYS:
            raise Refused("2", "unknown_position_key", what=key, known=sorted(KEYS))
        shape = next((name for name, (_, keys) in SHAPES.items() if key in keys), "")
        if shape and value is not None and not isinstance(value, SHAPES[shape][0]):
            raise Refused("2", "position_of_another_shape", what=key, shape=shape)
    if "seating" in given:
        _known(sorted(given["seating"]) == sorted(g.seats), "seating", ", ".join(given["seating"]))
        g.seats = tuple(given["seating"])
    for key in ("turn", "round", "turn_order", "usurper", "buried_by", "helepolis", "helepolis_by", "face_down",
                "movement_roll"):
        if key in given:
            value = given[key]
            setattr(g, key, tuple(value) if key == "turn_order" else value)
    _sequence(g, given)
    _progress(g, given)
    for seat, champion in given.get("champions", {}).items():
        g.champion[seat_of(g, seat)] = champion in (True, "true", "yes", "champion")
    if "capitals" in given:                                         # before anybody stands inside one
        g.found({seat_of(g, seat): space for seat, space in given["capitals"].items()})
    for province, owner in given.get("provinces", {}).items():
        for space in g.board.spaces_of(province):
            g.set_pc(space, _owner(g, owner))
    for space, fact in given.get("spaces", {}).items():
        _known(space in g.board.index and g.board.kind(space) != "transit", "space", space)
        g.set_pc(space, _owner(g, fact["pc"] if isinstance(fact, Mapping) else fact))
    for force in given.get("forces", ()):
        _force(g, force)
    _family(g, given)
    _out_of_play(g, given)
    _fleets(g, given)
    _cards(g, given)
    for name, mps in given.get("mp", {}).items():
        g.allowance[name] = mps
    for name in given.get("moved", ()):
        _moved(g, name)
    g.naval_used = given.get("naval_used", g.naval_used) in (True, "true", 1)
    for general, points in given.get("popularity", {}).items():
        g.popularity[general] = points
    for seat, fact in given.get("training", {}).items():
        g.training[seat_of(g, seat)] = (fact["type"], fact["at"])
    for space, fact in given.get("siege_points", {}).items():
        g.siege_points[space] = (fact["by"], fact["points"])
    g.construction = dict(given.get("construction", g.construction))
    g.captured = dict(given.get("captured_capitals", g.captured))
    g.cart_finished = given.get("cart_finished", g.cart_finished) in (True, "true", 1)
    if "ranks" in given:
        _ranks(g, given["ranks"])
    for seat, generals in given.get("dealt", {}).items():
        g.dealt[seat_of(g, seat)] = tuple(generals)
    for seat, change in given.get("adjust", {}).items():
        for what, value in change.items():
            _known(what in ("L", "VP"), "total", what)
            g.adjusted[seat_of(g, seat), what] = value


def _ranks(g: Game, order: Iterable[str]) -> None:
    """7.1 A Those of one rank, in the order in which they command each other."""
    usual, named = g.grades(), list(order)
    for stars in {g.stars(name) for name in named}:
        equals = [name for name in named if g.stars(name) == stars]
        for name, grade in zip(equals, sorted((usual[one] for one in equals), reverse=True), strict=True):
            g.generals[name].grade = grade


def _known(fine: bool, kind: str, text: str) -> None:
    if not fine:
        raise Refused("2", "unknown_in_position", kind=kind, text=text)


def seat_of(g: Game, seat: str) -> str:
    _known(seat in g.seats, "seat", seat)
    return seat


def _owner(g: Game, owner: str | None) -> str:
    if owner in (None, "none", ""):
        return ""
    return owner if owner == INDEPENDENT else seat_of(g, str(owner))


def _sequence(g: Game, given: Mapping[str, Any]) -> None:
    _known(given.get("phase", SETUP) in (SETUP, *PHASES), "phase", str(given.get("phase")))
    _known(given.get("segment", {}).get("kind", SEGMENTS[0]) in SEGMENTS, "segment", str(given.get("segment")))
    if "segment" in given:
        g.phase = "strategy"
        g.player, g.segment = seat_of(g, given["segment"]["player"]), given["segment"]["kind"]
        g.begun = False
    elif "phase" in given:
        g.phase = given["phase"]
        g.segment, g.player, g.begun = "surrender", g.turn_order[0], False


def _progress(g: Game, given: Mapping[str, Any]) -> None:
    """How far a phase has come: who decides, what is still to be placed and what has been, how the game ended."""
    if "phase" in given or "segment" in given:
        g.step, g.chooser = Step.NONE, ""                       # another moment: nothing of it has happened yet
    _known(given.get("step", "") in set(Step), "step", str(given.get("step")))
    g.step, g.chooser = Step(given.get("step", g.step)), given.get("chooser", g.chooser)
    for seat, there in given.get("due", {}).items():
        g.due[seat_of(g, seat)] = Counter(there.get("cus", {}))
        g.due_generals[seat] = list(there.get("generals", ()))
    g.placed.update(given.get("placed", {}))
    g.overflowed.update(given.get("overflowed", {}))
    g.arrived.update(given.get("arrived", ()))
    g.foraged.update(given.get("foraged", ()))
    g.over = dict(given.get("over", g.over))
    g.card = given.get("revealed", g.card)


def location(force: Mapping[str, Any]) -> str:
    """`at` and `loc` as one location."""
    return f"{force['at']}/{force['loc']}" if force.get("loc") in ("inside", "sea") else str(force["at"])


def _force(g: Game, force: Mapping[str, Any]) -> None:
    """The CUs of one owner in one location, exactly; the Generals and Royals named stand there too."""
    at, owner = location(force), _owner(g, force["owner"])
    _known(space_of(at) in g.board.index, "space", at)
    if "cus" in force or "generals" not in force:
        standing = dict(g.units(at, owner))
        if standing:
            g.remove(at, owner, standing)
        past = Past(_sailor(g, at))
        g.add(at, owner, {Unit(kind, past): number for kind, number in force.get("cus", {}).items() if number})
    for name in _generals(g, owner, force):
        one = g.generals[name]
        one.at, one.seat, one.mover, one.dropped = at, owner, _sailor(g, at), False
    for name in force.get("family", ()):
        g.royals[name].at, g.royals[name].seat = at, owner


def _sailor(g: Game, at: str) -> str:
    """Whoever is said to be at sea is on board with the Army that is (13.1)."""
    return g.activation.key if is_at_sea(at) and g.activation is not None and g.activation.here == at else ""


def _generals(g: Game, owner: str, force: Mapping[str, Any]) -> Iterable[str]:
    named = [force["general"]] if "general" in force else list(force.get("generals", ()))
    for name in named:
        if name == "minor":
            off = g.minors_off_map(owner)
            _known(bool(off), "Minor General off map of", owner)
            yield off[0].name
        else:
            _known(name in g.generals, "General", name)
            yield name


def _family(g: Game, given: Mapping[str, Any]) -> None:
    people = dict(given.get("family", {}))
    if "cart" in given:
        people[CART] = given["cart"]
    if "tomb" in given:
        people[TOMB] = given["tomb"]
    for name, fact in people.items():
        _known(name in g.royals, "Royal Family Member", name)
        royal = g.royals[name]
        royal.at = NOWHERE if fact in (None, "none") else location(fact)
        royal.seat = _owner(g, fact.get("owner")) if royal.at else ""


def _out_of_play(g: Game, given: Mapping[str, Any]) -> None:
    for name in given.get("dead", ()):
        if name in g.royals:
            g.royals[name].at, g.royals[name].seat = DEAD, ""
        else:
            g.generals[name].at, g.generals[name].seat = DEAD, ""
            g.condemned.pop(name, None)
    for name in given.get("not_in_play", ()):
        g.generals[name].at, g.generals[name].seat = NOT_IN_PLAY, ""
    for seat, there in given.get("dispersed", {}).items():
        for name in there.get("generals", ()):
            g.generals[name].at, g.generals[name].seat = DISPERSED, seat_of(g, seat)
        if "cus" in there:
            g.dispersed[seat_of(g, seat)] = Counter(there["cus"])
        for name in there.get("fleets", ()):
            fleet = g.fleets[name.rstrip("+")]
            fleet.dispersed, fleet.seat, fleet.upgraded = True, "" if seat == INDEPENDENT else seat, False
    for seat, minors in given.get("minors", {}).items():
        for name, at in minors.items():
            g.generals[name].at, g.generals[name].seat = at, seat


def _fleets(g: Game, given: Mapping[str, Any]) -> None:
    for seat, names in given.get("fleets", {}).items():
        for name in names:
            fleet = g.fleets[name.rstrip("+")]
            fleet.seat, fleet.upgraded, fleet.dispersed = _owner(g, seat), name.endswith("+"), False


def _cards(g: Game, given: Mapping[str, Any]) -> None:
    """Publicly a hand is a number of face-down cards and the deck a name, a list of what went in, and a number."""
    for seat, count in given.get("hands", {}).items():
        g.hands[seat_of(g, seat)] = count + 0                       # no list of cards: a hand is public here
    deck = given.get("deck")
    if isinstance(deck, Mapping):
        g.deck_name, g.deck_cards, g.deck = deck["name"], tuple(deck["cards"]), deck["left"]
    g.discards = list(given.get("discards", g.discards))
    g.out = list(given.get("out", g.out))
    g.offers = dict(given.get("offers", g.offers))
    g.truces = {(min(pair), max(pair)) for pair in given.get("truces", g.truces)}
    g.oracle = given.get("oracle", g.oracle)
    g.shown = dict(given.get("shown", g.shown))
    g.kept = dict(given.get("kept", g.kept))
    g.looted = set(given.get("looted", g.looted))
    g.condemned = dict(given.get("condemned", g.condemned))


def _moved(g: Game, name: str) -> None:
    if name in g.royals:
        g.royals[name].mover = "another"
    else:
        g.generals[name].mover = "another"


# --- writing -----------------------------------------------------------------------------------------------------


def written(g: Game) -> dict[str, Any]:
    """All that is public and lasting, in the vocabulary that `state` reads; empty things are left out."""
    out: dict[str, Any] = {"turn": g.turn, "round": g.round, "turn_order": list(g.turn_order)}
    if g.rules.seats_chosen:
        out["seating"] = list(g.seats)
    if g.phase == "strategy":
        out["segment"] = {"player": g.player, "kind": g.segment}
    else:
        out["phase"] = g.phase
    out["champions"] = {seat: "yes" if champion else "no" for seat, champion in g.champion.items()}
    out["usurper"] = g.usurper
    out["spaces"] = {space: g.pc[space] for space in sorted(g.pc)}
    out["forces"] = _forces(g)
    out["family"] = {one.name: _place(one.at, one.seat) for one in g.royals.values()
                     if one.at not in (NOWHERE, DEAD) and one.name not in (CART, TOMB)}
    for name in (CART, TOMB):
        one = g.royals[name]
        if one.at not in (NOWHERE, DEAD):
            out[name] = _place(one.at, one.seat)
    out["dead"] = [name for pieces in (g.generals, g.royals) for name in pieces if _at(g, name) == DEAD]
    out["dispersed"] = _dispersed(g)
    out["fleets"] = _owned_fleets(g)
    out["siege_points"] = {space: {"by": seat, "points": n} for space, (seat, n) in sorted(g.siege_points.items())}
    out["training"] = {seat: {"type": kind, "at": at} for seat, (kind, at) in g.training.items()}
    out["popularity"] = {name: points for name, points in g.popularity.items() if points}
    out["adjust"] = {seat: change for seat in g.seats if (
        change := {what: n for what in ("L", "VP") if (n := g.adjusted[seat, what])})}
    changed = [name for name, grade in g.grades().items() if g.generals[name].grade != grade]
    out["ranks"] = sorted(changed, key=lambda name: -g.generals[name].grade)
    out["dealt"] = {seat: list(generals) for seat, generals in g.dealt.items()}
    out["condemned"], out["offers"] = dict(g.condemned), dict(g.offers)
    out["capitals"], out["construction"], out["captured_capitals"] = dict(g.capitals), dict(g.construction), dict(g.captured)
    out["cart_finished"], out["oracle"], out["truces"] = int(g.cart_finished), g.oracle, sorted(map(list, g.truces))
    out["hands"] = {seat: count for seat, count in g.hands.items() if count}
    if g.deck_name:
        out["deck"] = {"name": g.deck_name, "cards": list(g.deck_cards), "left": g.deck}
    out["discards"], out["out"], out["face_down"] = list(g.discards), list(g.out), g.face_down
    out["shown"], out["kept"], out["looted"] = dict(g.shown), dict(g.kept), sorted(g.looted)
    out["buried_by"], out["helepolis"], out["helepolis_by"] = g.buried_by, g.helepolis, g.helepolis_by
    out["step"], out["chooser"], out["due"] = g.step.value, g.chooser, _due(g)
    out["revealed"] = g.card if g.chooser and g.phase == "strategy" else ""
    out["placed"], out["overflowed"] = dict(g.placed), dict(g.overflowed)
    out["arrived"], out["foraged"], out["over"] = sorted(g.arrived), sorted(g.foraged), dict(g.over)
    return {key: value for key, value in out.items() if value not in ({}, [], "", 0)}


def differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Where two written positions are not the same, by the path to it; stacks by where they stand and whose they are."""
    one, other = dict(_leaves(was)), dict(_leaves(now))
    return [{"path": path, "was": one.get(path), "now": other.get(path)} for path in {**one, **other}
            if one.get(path) != other.get(path)]


def _leaves(value: Mapping[str, Any], path: str = "") -> Iterable[tuple[str, Any]]:
    for key, inner in value.items():
        if key == "forces":
            for one in inner:
                there = {what: one[what] for what in ("generals", "cus") if what in one}
                yield f"forces.{location(one)}.{one['owner']}", there
        elif isinstance(inner, Mapping):
            yield from _leaves(inner, f"{path}{key}.")
        else:
            yield f"{path}{key}", inner


def _at(g: Game, piece: str) -> str:
    return g.generals[piece].at if piece in g.generals else g.royals[piece].at


def _place(at: str, seat: str) -> dict[str, str]:
    place = {"at": space_of(at)}
    if "/" in at:
        place["loc"] = at.partition("/")[2]
    return {**place, "owner": seat or "none"}


def _forces(g: Game) -> list[dict[str, Any]]:
    stacks: dict[tuple[str, str], dict[str, Any]] = {}
    for at, there in g.cus.items():
        for owner, units in there.items():
            stacks[at, owner] = {"cus": dict(sorted(by_kind(units).items()))}
    for one in g.generals.values():
        if g.on_map(one):
            stacks.setdefault((one.at, one.seat), {}).setdefault("generals", []).append(one.name)
    out = []
    for (at, owner), stack in sorted(stacks.items()):
        out.append({**_place(at, owner), **({"generals": sorted(stack["generals"])} if "generals" in stack else {}),
                    "cus": stack.get("cus", {})})
    return out


def _dispersed(g: Game) -> dict[str, Any]:
    out: dict[str, Any] = {}
    away = [one for one in g.generals.values() if one.at == DISPERSED]
    ashore = [one for one in g.fleets.values() if one.dispersed]
    for seat in (*g.seats, INDEPENDENT):
        there: dict[str, Any] = {}
        generals = [one.name for one in away if one.seat == seat]
        cus = {kind: number for kind, number in g.dispersed.get(seat, {}).items() if number}
        fleets = [one.name for one in ashore if (one.seat or INDEPENDENT) == seat]
        for key, value in (("generals", generals), ("cus", cus), ("fleets", fleets)):
            if value:
                there[key] = value
        if there:
            out[seat] = there
    return out


def _due(g: Game) -> dict[str, Any]:
    """5.2 What is still to be placed."""
    out: dict[str, Any] = {}
    for seat in g.seats:
        cus = {kind: number for kind, number in g.due.get(seat, {}).items() if number}
        there = {"cus": cus, "generals": list(g.due_generals.get(seat, ()))}
        if any(there.values()):
            out[seat] = {key: value for key, value in there.items() if value}
    return out


def _owned_fleets(g: Game) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for fleet in g.fleets.values():
        if fleet.seat and not fleet.dispersed:
            out.setdefault(fleet.seat, []).append(fleet.name + "+" * fleet.upgraded)
    return out


def momentary(g: Game) -> dict[str, Any]:
    """What matters only until the segment ends; part of the hash, not of a position that can be adopted."""
    act = g.activation
    return {
        "pasts": sorted([at, seat, *unit.past, unit.kind, n] for at, there in g.cus.items()
                        for seat, units in there.items() for unit, n in units.items() if unit.past != FRESH),
        "movers": {one.name: [one.mover, one.dropped] for one in g.generals.values() if one.mover or one.dropped},
        "carried": {one.name: str(one.mover) for one in g.royals.values() if one.mover},
        "active": [act.key, act.here, act.spent, act.stopped, act.must_leave, act.entered] if act else [],
        "roll": g.movement_roll, "mp": g.allowance, "activated": g.activated, "oratory": g.oratory, "asked": g.asked,
        "card": [g.card, g.ops, g.spending, *filter(None, [g.event_due])],
        "begun": g.begun, "pcs": sorted(g.pcs_at_start.get(g.player, ())),
        "voyage": _voyage(g), "naval": [g.naval_used, sorted(g.naval_declared)], "independents": [g.resolver, g.called],
        "sieges": g.sieges, "fallen": sorted(g.fallen), "traitor": g.traitor, "battle": _battle(g),
        **({"fate": [g.dying, *g.defeated]} if g.dying or g.defeated[0] else {}),
    }


def _voyage(g: Game) -> list[Any]:
    voyage = g.activation.voyage if g.activation is not None else None
    return [] if voyage is None else [
        voyage.home, voyage.escort, voyage.cus, voyage.after_land, voyage.landed, voyage.towards, voyage.meets,
        *([sorted(voyage.sea)] if voyage.sea else []), *([voyage.bonus] if voyage.bonus else [])]


def _battle(g: Game) -> list[Any]:
    battle = g.battle
    return [] if battle is None else [
        battle.at, battle.attacker, battle.defender, battle.playing, battle.came_out, sorted(battle.leaders),
        sorted(battle.harmless), battle.bonus, sorted(battle.apart), battle.elephants, battle.pursuit,
        battle.total, battle.score]


def fingerprint(g: Game) -> str:
    """The public position in sixteen hex digits."""
    return hashed(written(g), momentary(g))


def hashed(lasting: Mapping[str, Any], passing: Mapping[str, Any]) -> str:
    text = json.dumps([lasting, passing], sort_keys=True, separators=(",", ":"), default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


__all__ = ["KEYS", "OFF", "differences", "fingerprint", "location", "state", "written"]
