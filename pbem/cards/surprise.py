"""Surprise cards beside those of a Land Battle, in the order of the deck: 49 to 51, 53, 55 to 58, O66, O67, O69."""

from collections.abc import Iterator

from pbem.base.errors import Refused
from pbem.cards import targets
from pbem.kernel.procedures import at_once
from pbem.orders import Order
from pbem.rules import hand, naval_battle, siege
from pbem.rules.effects import Card, Effects
from pbem.table.events import ALL
from pbem.table.state import Game

EFFECTS: Effects = {}


# --- 49 Traitor Inside City --------------------------------------------------------------------------------------


def judge_traitor(g: Game, seat: str, order: Order) -> Order:
    """Never by itself: the order for the Siege names the card, which is played just before the die (15.2 B)."""
    raise Refused("15.2B", "traitor_with_siege", card=order.card)


@at_once
def traitor(g: Game, seat: str, order: Order) -> None:
    """A gate is opened: more on the player's next Siege roll against a Major City."""
    g.traitor = seat
    g.tell(ALL, "traitor_found", seat=seat, space=order.target[1], bonus=g.facts.cards[order.card]["params"]["siege_mod"])


def only_with_a_siege(g: Game, seat: str) -> Iterator[Order]:
    """The Siege lists it (15.2)."""
    return iter(())


EFFECTS["siege_bonus"] = Card(judge_traitor, traitor, only_with_a_siege)


# --- 50, 51 Cretan Liar ------------------------------------------------------------------------------------------


def judge_cretan_liar(g: Game, seat: str, order: Order) -> Order:
    """Only in the window that opens right after another player's Surprise card."""
    raise Refused("6.2", "nothing_to_cancel", card=order.card)


@at_once
def cretan_liar(g: Game, seat: str, order: Order) -> None:
    """Cancels the Surprise card that somebody else has just played: it is discarded without effect."""


EFFECTS["cancel_surprise"] = Card(judge_cretan_liar, cretan_liar, targets.nothing_to_choose)


# --- 53, 56 Fog --------------------------------------------------------------------------------------------------


def judge_fog(g: Game, seat: str, order: Order) -> Order:
    """Only while a Naval Battle has been declared and no die of it has fallen."""
    naval_battle.judge_meeting(g, order.card)
    return targets.played(order)


@at_once
def fog(g: Game, seat: str, order: Order) -> None:
    """The declared Naval Battle does not take place; it costs nobody his Champion status."""
    naval_battle.call_off(g)


EFFECTS["cancel_naval_battle"] = Card(judge_fog, fog, targets.nothing_to_choose)


# --- 55 Storms at Sea --------------------------------------------------------------------------------------------


def judge_storms(g: Game, seat: str, order: Order) -> Order:
    """Against another player's Army or General at sea."""
    naval_battle.judge_storm(g, seat, order.card)
    return targets.played(order)


@at_once
def storms(g: Game, seat: str, order: Order) -> None:
    """It goes back to its Embarkation Port and loses its MPs; declared Naval Battles are called off."""
    naval_battle.break_off(g)


EFFECTS["abort_naval_move"] = Card(judge_storms, storms, targets.nothing_to_choose)


# --- 57 The Gift of Oratory --------------------------------------------------------------------------------------


def judge_gift_of_oratory(g: Game, seat: str, order: Order) -> Order:
    """On a Commanding General of one's own on the map."""
    kind, name = order.target or ("", "")
    if kind != "general":
        raise Refused("7.2F", "name_a_general", card=order.card)
    one = g.generals[name]
    if one.seat != seat or not g.on_map(one) or g.commander(one.at, seat) is not one:
        raise Refused("7.2F", "own_commander_needed", general=name, card=order.card)
    return targets.played(order, target=("general", name))


@at_once
def gift_of_oratory(g: Game, seat: str, order: Order) -> None:
    """One Commanding General is 5 P more popular until the segment ends."""
    points = g.facts.cards[order.card]["params"]["popularity"]
    g.oratory[order.target[1]] += points
    g.tell(ALL, "oratory", seat=seat, general=order.target[1], popularity=points)


def commanders(g: Game, seat: str) -> Iterator[Order]:
    for one in g.generals_of(seat):
        if g.on_map(one) and g.commander(one.at, seat) is one:
            yield Order("play", target=("general", one.name))


EFFECTS["temporary_popularity"] = Card(judge_gift_of_oratory, gift_of_oratory, commanders)


# --- 58 Ahura Mazda & Ahriman ------------------------------------------------------------------------------------


def judge_ahura_mazda(g: Game, seat: str, order: Order) -> Order:
    """On another player who has a card."""
    kind, victim = order.target or ("", "")
    if kind != "seat" or victim == seat or victim not in g.seats:
        raise Refused("6.2", "name_another_player", card=order.card)
    if not g.hands[victim]:
        raise Refused("6.2", "empty_hand", victim=victim)
    return targets.played(order, target=("seat", victim))


@at_once
def ahura_mazda(g: Game, seat: str, order: Order) -> None:
    """A card taken at random from another hand; its owner draws a new one at once, the thief draws none."""
    victim = order.target[1]
    if not g.hands[victim]:
        return
    values, name = g.draw("theft", victim, sides=g.hands[victim])
    g.hands[victim] -= 1
    g.hands[seat] += 1
    g.moves.append(["take", seat, victim, values[0]])
    g.tell(ALL, "card_taken", seat=seat, victim=victim, die=values[0], name=name)
    if g.secret is not None:
        card = g.secret.steal(seat, victim, values[0] - 1)
        g.tell((seat, victim), "card_shown", seat=seat, victim=victim, card=card)
    hand.replace(g, victim)


def victims(g: Game, seat: str) -> Iterator[Order]:
    for other in g.turn_order:
        if other != seat and g.hands[other]:
            yield Order("play", target=("seat", other))


EFFECTS["steal_card"] = Card(judge_ahura_mazda, ahura_mazda, victims)


# --- O66, O67 Superior Admiral -----------------------------------------------------------------------------------


def judge_superior_admiral(g: Game, seat: str, order: Order) -> Order:
    """In a Naval Battle in which one has Fleets, before its dice."""
    naval_battle.judge_admiral(g, seat, order.card)
    return targets.played(order)


@at_once
def superior_admiral(g: Game, seat: str, order: Order) -> None:
    """More on one's roll in this Naval Battle, if it was not called off while the card could be cancelled."""
    voyage = g.activation.voyage if g.activation is not None else None
    if voyage is None or not voyage.meets:
        return
    points = g.facts.cards[order.card]["params"]["naval_roll_mod"]
    voyage.bonus[seat] += points
    g.tell(ALL, "naval_bonus", seat=seat, space=voyage.towards, bonus=points)


EFFECTS["naval_roll_bonus"] = Card(judge_superior_admiral, superior_admiral, targets.nothing_to_choose)


# --- O69 Port Re-supplied ----------------------------------------------------------------------------------------


def judge_port_resupplied(g: Game, seat: str, order: Order) -> Order:
    """With a Fleet, for a Besieged Major City of one's own that has a port and Siege Points against it."""
    kind, space = order.target or ("", "")
    if not naval_battle.available(g, seat):
        raise Refused("7.4", "no_fleet_for_port", card=order.card)
    if kind != "space" or space not in starving_ports(g, seat):
        raise Refused("15.1", "name_a_besieged_port", card=order.card, spaces=starving_ports(g, seat))
    return targets.played(order, target=("space", space))


def starving_ports(g: Game, seat: str) -> list[str]:
    return [space for space in g.siege_points if g.controller(space) == seat and g.board.kind(space) == "major"
            and g.board.is_port(space) and g.besieged(space)]


@at_once
def port_resupplied(g: Game, seat: str, order: Order) -> None:
    """All Siege Points against the city are gone."""
    space = order.target[1]
    if space in g.siege_points:
        by, old = g.siege_points.pop(space)
        g.tell(ALL, "siege_points_changed", seat=by, space=space, old=old, new=0, needed=siege.needed(g, space))


def ports(g: Game, seat: str) -> Iterator[Order]:
    for space in starving_ports(g, seat):
        yield Order("play", target=("space", space))


EFFECTS["remove_siege_points"] = Card(judge_port_resupplied, port_resupplied, ports)
