"""What cards leave behind: offers of marriage, markers for the rest of the game, a condemned General, events cut short."""

from typing import Any

import pytest
import small_position
from small_position import FACTS, Dice, stated, table

from pbem.kernel.procedures import Table
from pbem.orders import Order
from pbem.rules import general_loss, marriage, reinforcements, victory
from pbem.table import position
from pbem.table.state import Game

SEATS = small_position.SEATS[:4]


def game(**given: Any) -> Game:
    return stated({"turn": 2, "turn_order": list(SEATS), "segment": {"player": "red", "kind": "tyche"},
                   "hands": dict.fromkeys(SEATS, 4),
                   "deck": {"name": "main,2", "cards": sorted(FACTS.cards), "left": 20}, **given}, dice=Dice(seed=1))


def give(at: Table, *orders: Order) -> None:
    for order in orders:
        assert at.question is not None
        side = at.question.sides[0]
        at.answer({side: at.question.read(side, order)})


ARMY = {"owner": "red", "at": "lamia", "generals": ["seleukos"], "cus": {"loyal": 4}}


# --- 8.2 offers --------------------------------------------------------------------------------------------------


def test_an_offer_is_good_until_the_end_of_the_game_turn() -> None:
    g = game(forces=[ARMY], family={"kleopatra": {"at": "sardeis", "owner": "none"}})
    at = table(g)
    give(at, Order("play", card="31", how="event"))
    assert g.offers == {"kleopatra": "red"} and g.shown == {"31": "red"} and "31" not in g.discards
    marriage.lapse(g)
    assert not g.offers and not g.shown and "31" in g.discards
    assert g.events[-1].key == "offer_lapsed"


def test_a_bride_who_is_lost_again_does_not_marry_twice() -> None:
    g = game(forces=[ARMY], family={"kleopatra": {"at": "lamia", "owner": "none"}})
    give(table(g), Order("play", card="31", how="event"))
    assert g.royals["kleopatra"].seat == "red"
    g.royals["kleopatra"].seat = ""
    marriage.weddings(g)
    assert g.royals["kleopatra"].seat == ""


# --- cards kept --------------------------------------------------------------------------------------------------


def test_persian_support_brings_one_mercenary_with_each_reinforcements_phase() -> None:
    plain, kept = game(), game(kept={"26": "red"})
    for g in (plain, kept):
        reinforcements.collect(g)
    assert kept.due["red"]["mercenary"] == plain.due["red"]["mercenary"] + 1
    assert kept.due["blue"] == plain.due["blue"]


def test_persian_support_costs_legitimacy_as_a_part_of_its_own() -> None:
    assert ("persian_support", -2) in list(victory.legitimacy_parts(game(kept={"26": "red"}), "red"))


# --- condemnation ------------------------------------------------------------------------------------------------


def test_a_condemned_general_who_dies_is_free() -> None:
    g = game(forces=[ARMY], condemned={"seleukos": 3}, phase="isolation")
    before = victory.legitimacy(g, "red")
    for _ in general_loss.kill(g, "seleukos"):
        pass
    assert not g.condemned and victory.legitimacy(g, "red") == before + 3


# --- events cut short --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["step", "activation"])
def test_a_ruling_ends_a_march_and_the_campaign_goes_on(level: str) -> None:
    other = {"owner": "red", "at": "ephesos", "generals": ["kassandros"], "cus": {"loyal": 1}}
    g = game(forces=[ARMY, other])
    at = table(g)
    give(at, Order("play", card="20", how="event"), Order("march", general="seleukos", path=("larisa",)))
    at.abandon(level)
    give(at, Order("end_activation")) if level == "step" else None
    give(at, Order("march", general="kassandros", path=("sardeis",)))
    assert g.generals["kassandros"].at == "sardeis" and g.segment == "tyche"


def test_the_end_of_the_segment_ends_the_event_too() -> None:
    g = game(forces=[ARMY])
    at = table(g)
    give(at, Order("play", card="40", how="event", target=("general", "seleukos")), Order("end"))
    assert g.segment == "activation" and not g.allowance and g.activation is None and g.step == ""


def test_what_cards_have_left_is_written_and_read() -> None:
    g = game(kept={"26": "red"}, looted=["sousa"], shown={"31": "blue"}, offers={"kleopatra": "blue"},
             helepolis="sardeis", helepolis_by="red", condemned={"seleukos": 2})
    again = stated(position.written(g))
    assert position.written(again) == position.written(g)
    assert again.kept == {"26": "red"} and again.looted == {"sousa"} and again.shown == {"31": "blue"}
