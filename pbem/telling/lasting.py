"""What lasts from one step to the next: where the pieces and cards are, and what is marked on the board.

One table, from a part of the position to the facts of its lines; the sentences stand in templates under the same names.
What is in its ordinary state has no line. `MARKS` are what is easily forgotten; `PLACES` what one looks up.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.rules import siege
from pbem.rules.reinforcements import living
from pbem.table.state import CART, DEAD, DISPERSED, INDEPENDENT, NOWHERE, TOMB, Game, space_of

Rows = Iterator[dict[str, Any]]


def lines(g: Game, table: Mapping[str, Callable[[Game], Rows]]) -> list[dict[str, Any]]:
    """What a table has to say of a position, in its order."""
    return [{"what": what, "facts": facts} for what, rows in table.items() for facts in rows(g)]


# --- marks: what holds until something ends it -------------------------------------------------------------------


def siege_points(g: Game) -> Rows:
    for space, (seat, points) in sorted(g.siege_points.items()):
        yield {"space": space, "seat": seat, "points": points, "needed": siege.needed(g, space)}


def helepolis(g: Game) -> Rows:
    if g.helepolis:
        yield {"space": space_of(g.helepolis), "seat": g.helepolis_by}


def looted(g: Game) -> Rows:
    if g.looted:
        yield {"spaces": sorted(g.looted)}


def capitals(g: Game) -> Rows:
    yield from ({"seat": seat, "space": space} for seat, space in g.capitals.items())


def construction(g: Game) -> Rows:
    yield from ({"seat": seat, "space": space} for seat, space in g.construction.items())


def captured(g: Game) -> Rows:
    yield from ({"seat": seat, "by": by} for seat, by in g.captured.items())


def cart_finished(g: Game) -> Rows:
    if g.cart_finished and g.turn == 1:
        yield {}


def buried_by(g: Game) -> Rows:
    if g.buried_by:
        yield {"seat": g.buried_by}


def training(g: Game) -> Rows:
    for seat, (kind, at) in g.training.items():
        yield {"seat": seat, "kind": kind, "at": at, "needed": g.rules.training[kind]}


def popularity(g: Game) -> Rows:
    for general, points in g.popularity.items():
        if points:
            yield {"general": general, "points": points}


def oratory(g: Game) -> Rows:
    for general, points in g.oratory.items():
        if points:
            yield {"general": general, "points": points}


def condemned(g: Game) -> Rows:
    for general, lost in g.condemned.items():
        yield {"general": general, "seat": g.generals[general].seat, "lost": lost}


def offers(g: Game) -> Rows:
    yield from ({"seat": seat, "royal": bride} for bride, seat in g.offers.items())


def truces(g: Game) -> Rows:
    yield from ({"seats": list(pair)} for pair in sorted(g.truces))


def oracle(g: Game) -> Rows:
    if g.oracle:
        yield {"seat": g.oracle}


def kept(g: Game) -> Rows:
    yield from ({"seat": seat, "card": card} for card, seat in g.kept.items())


def due(g: Game) -> Rows:
    for seat in g.turn_order:
        cus = {kind: number for kind, number in g.due.get(seat, {}).items() if number}
        generals = list(g.due_generals.get(seat, ()))
        if cus or generals:
            yield {"seat": seat, "cus": cus, "generals": generals}


# --- places: where everything is ---------------------------------------------------------------------------------


def seating(g: Game) -> Rows:
    """4.4 Who sits where, unless that is so from the invitation on."""
    if g.rules.seats_chosen and len(g.seats) > 2:
        yield {"seats": list(g.seats)}


def control(g: Game) -> Rows:
    """2 Whose PCs lie where: whole Provinces by their name, of the others each space."""
    held: dict[str, dict[str, list[str]]] = {}
    for province in g.board.provinces:
        for space in g.board.spaces_of(province):
            if side := g.pc.get(space):
                held.setdefault(side, {}).setdefault(province, []).append(space)
    for side in (*g.turn_order, INDEPENDENT):
        whole = [province for province, spaces in held.get(side, {}).items() if len(spaces) == len(g.board.spaces_of(province))]
        parts = {province: spaces for province, spaces in held.get(side, {}).items() if province not in whole}
        if whole or parts:
            yield {"seat": side, "whole": whole, "parts": parts}


def family(g: Game) -> Rows:
    """8 The Royal Family, the Cart and the Tomb: where, and whose."""
    there = [one for one in g.royals.values() if one.at not in (NOWHERE, DEAD) and one.name != TOMB]
    if there:
        yield {"there": [{"royal": one.name, "at": one.at, "seat": one.seat} for one in there],
               "dead": [one.name for one in g.royals.values() if one.at == DEAD and one.name not in (CART, TOMB)]}


def tomb(g: Game) -> Rows:
    at = g.royals[TOMB].at
    if at not in (NOWHERE, DEAD):
        yield {"at": at}


def fleets(g: Game) -> Rows:
    for seat in (*g.turn_order, ""):
        own = [one for one in g.fleets.values() if one.seat == seat and (seat or one.dispersed)]
        if own:
            yield {"seat": seat, "fleets": [
                {"fleet": one.name, "upgraded": one.upgraded, "dispersed": one.dispersed,
                 "strength": g.facts.fleets[one.name]["upgraded" if one.upgraded else "normal"]} for one in own]}


def dispersed(g: Game) -> Rows:
    for seat in g.turn_order:
        generals = [one.name for one in g.generals_of(seat) if one.at == DISPERSED]
        cus = {kind: number for kind, number in g.dispersed[seat].items() if number}
        if generals or cus:
            yield {"seat": seat, "generals": generals, "cus": cus}


def generals(g: Game) -> Rows:
    """7.1, 6.2 D Who is dead, and how many of those dealt a player still has."""
    dead = [one.name for one in g.generals.values() if one.at == DEAD]
    if dead:
        yield {"dead": dead, "alive": [{"seat": seat, "alive": len(living(g, seat)), "dealt": len(g.dealt[seat])}
                                       for seat in g.turn_order if g.dealt.get(seat)]}


def discards(g: Game) -> Rows:
    if g.discards:
        yield {"cards": list(g.discards)}


def out(g: Game) -> Rows:
    """The cards that have left the game, not those that never were in it."""
    gone = [card for card in g.out if card in g.rules.extra_cards or g.facts.cards[card]["in_deck_at"] == "start"]
    if gone:
        yield {"cards": gone}


def deck(g: Game) -> Rows:
    if g.deck or g.face_down:
        yield {"left": g.deck, "face_down": g.face_down}


MARKS: dict[str, Callable[[Game], Rows]] = {
    "siege_points": siege_points, "helepolis": helepolis, "capitals": capitals, "construction": construction,
    "captured": captured, "looted": looted, "cart_finished": cart_finished, "buried_by": buried_by, "offers": offers,
    "truces": truces, "oracle": oracle, "condemned": condemned, "popularity": popularity, "oratory": oratory, "kept": kept,
    "training": training, "due": due,
}
PLACES: dict[str, Callable[[Game], Rows]] = {
    "seating": seating, "control": control, "family": family, "tomb": tomb,
    "fleets": fleets, "dispersed": dispersed, "generals": generals,
    "deck": deck, "discards": discards, "out": out,
}
